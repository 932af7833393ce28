/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/records/identity.h"

#include "lib/credential.h"

#include <inttypes.h>

static uint64_t identity_given(const struct cluster *c) {
        return ((uint64_t)c->id_rounds << 32) + c->next_job_id - 1;
}

uint64_t identity_given_with(const struct cluster *c, uint32_t job_id) {
        uint32_t rounds = c->id_rounds - (job_id >= c->next_job_id && c->id_rounds);

        return ((uint64_t)rounds << 32) + job_id;
}

/* ---- numbers reported by an agent ---- */

/* The start with the generation in this state; NULL: unknown. */
static const struct state_start *start_of(const struct identity *id, uint64_t generation) {
        uint64_t back = id->now.generation - generation;

        return back < id->n_starts ? &id->starts[id->n_starts - 1 - back] : NULL;
}

uint64_t identity_proof(const struct identity *id, const struct state_seen *seen) {
        const uint64_t of[] = { seen->state, seen->generation, seen->start, seen->given };

        return keyed_number(id->key, of, ELEMENTSOF(of));
}

bool identity_has_told(const struct identity *id, const struct state_seen *seen) {
        return seen->state && seen->state == id->now.state && (id->key[0] || id->key[1]) &&
               seen->proof == identity_proof(id, seen);
}

bool identity_is_older(const struct identity *id, const struct cluster *c,
                const struct state_seen *seen) {
        if (!identity_has_told(id, seen))
                return false;
        if (seen->generation > id->now.generation || seen->given > identity_given(c))
                return true;
        const struct state_start *s = start_of(id, seen->generation);
        if (!s)
                return false;
        bool is_last = seen->generation == id->now.generation;
        return s->start != seen->start || (!is_last && seen->given > s[1].given);
}

static void go_above(struct identity *id, struct cluster *c, uint64_t generation, uint64_t given) {
        if (given > identity_given(c)) {
                c->id_rounds = (uint32_t)(given >> 32);
                c->next_job_id = (uint32_t)given + 1;
        }
        id->now.generation = MAX(id->now.generation, generation) + 1;
        id->n_starts = 0; /* numbers of earlier starts are accepted */
        id->dirty = true;
}

static void add_start(struct identity *id, uint64_t given) {
        if (id->n_starts == IDENTITY_STARTS)
                memmove(id->starts, id->starts + 1, --id->n_starts * sizeof *id->starts);
        id->starts[id->n_starts++] = (struct state_start){ id->now.start, given };
        id->now.given = given;
        id->told = id->waiting = (struct state_seen){ 0 };
        id->dirty = true;
}

void identity_begin(struct identity *id, struct cluster *c,
                const uint64_t random[static IDENTITY_RANDOM]) {
        if (id->newer.node && !id->accepts)
                return;
        if (!id->now.state)
                id->now = (struct state_seen){ .state = random[0] | 1 };
        if (id->newer.node)
                go_above(id, c, id->newer.generation, id->newer.given);
        else
                id->now.generation++;
        free(TAKE(id->newer.node));
        id->now.start = random[1];
        if (!id->key[0] && !id->key[1])
                memcpy(id->key, random + 2, sizeof id->key);
        add_start(id, identity_given(c));
}

void identity_accept(struct identity *id, struct cluster *c, const struct state_seen *seen) {
        go_above(id, c, seen->generation, seen->given);
        add_start(id, identity_given(c));
}

void identity_stop(struct identity *id, const char *node, const struct state_seen *seen) {
        if (id->newer.node && seen->generation <= id->newer.generation &&
                        seen->given <= id->newer.given)
                return;
        bool higher = !id->newer.node || seen->given > id->newer.given ||
                      seen->generation > id->newer.generation;
        if (higher)
                free_and_strdup(&id->newer.node, node);
        id->newer.generation = MAX(id->newer.generation, seen->generation);
        id->newer.given = MAX(id->newer.given, seen->given);
        id->dirty = true;
}

char *identity_text(const struct identity *id, const struct cluster *c) {
        return xasprintf("the state in %s is older than it was: node %s knows generation %" PRIu64
                         " of it and JobId=%u, and it has generation %" PRIu64
                         " and JobId=%u; put the newest files back, or go on above these with "
                         "slumberctld --accept-state",
                        c->config->state_save_location, id->newer.node, id->newer.generation,
                        (uint32_t)id->newer.given, id->now.generation, c->next_job_id - 1);
}

/* ---- numbers sent to agents ---- */

void identity_seal(struct identity *id, const struct cluster *c, uint64_t batch) {
        uint64_t given = identity_given(c);

        if (id->newer.node || id->waiting.state || (id->told.state && id->told.given == given))
                return;
        id->waiting = id->now;
        id->waiting.given = given;
        id->batch = batch;
}

void identity_durable(struct identity *id, uint64_t batch) {
        if (!id->waiting.state || batch < id->batch)
                return;
        id->told = id->waiting;
        id->waiting.state = 0;
}

Slumber__StateSeen *identity_tell(const struct identity *id, const struct cluster *c,
                uint32_t job_id, Slumber__StateSeen *m) {
        struct state_seen told = id->told;

        if (!told.state || id->newer.node)
                return NULL;
        if (job_id)
                told.given = MAX(told.given, identity_given_with(c, job_id));
        slumber__state_seen__init(m);
        m->state = told.state;
        m->generation = told.generation;
        m->start = told.start;
        m->given = told.given;
        m->proof = identity_proof(id, &told);
        return m;
}

/* ---- the store ---- */

void identity_record_fill(const struct identity *id, const struct cluster *c,
                Slumber__StateIdentity *m) {
        m->state = id->now.state;
        m->generation = id->now.generation;
        m->starts = xnew0(uint64_t, id->n_starts);
        m->given = xnew0(uint64_t, id->n_starts);
        for (size_t i = 0; i < id->n_starts; i++) {
                m->starts[m->n_starts++] = id->starts[i].start;
                m->given[m->n_given++] = id->starts[i].given;
        }
        m->key = (uint64_t *)(uintptr_t)id->key;
        m->n_key = ELEMENTSOF(id->key);
        m->rounds = c->id_rounds;
        m->newer_node = (char *)(uintptr_t)strempty(id->newer.node);
        m->newer_generation = id->newer.generation;
        m->newer_given = id->newer.given;
}

void identity_record_done(Slumber__StateIdentity *m) {
        free(TAKE(m->starts));
        free(TAKE(m->given));
        m->n_starts = m->n_given = m->n_key = 0;
        m->key = NULL; /* borrowed from id */
}

void identity_restore(struct identity *id, struct cluster *c, const Slumber__StateIdentity *m) {
        size_t n = MIN(m->n_starts, m->n_given), skip = n - MIN(n, (size_t)IDENTITY_STARTS);

        id->now = (struct state_seen){ .state = m->state, .generation = m->generation };
        id->n_starts = 0;
        for (size_t i = skip; i < n; i++)
                id->starts[id->n_starts++] = (struct state_start){ m->starts[i], m->given[i] };
        c->id_rounds = m->rounds;
        memset(id->key, 0, sizeof id->key);
        if (m->n_key == ELEMENTSOF(id->key))
                memcpy(id->key, m->key, sizeof id->key);
        if (isempty(m->newer_node))
                return;
        free_and_strdup(&id->newer.node, m->newer_node);
        id->newer.generation = m->newer_generation;
        id->newer.given = m->newer_given;
}

void identity_done(struct identity *id) {
        free(TAKE(id->newer.node));
}
