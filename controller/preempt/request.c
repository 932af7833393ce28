/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each field is a single word; a longer field is its length and then its words.  So different
 * requests have different words. */
#include "controller/preempt/request.h"

#include "controller/jobs/job_reboot.h"
#include "controller/sched/place/place.h"

static void request_add_word(struct request *r, uint64_t word) {
        GROW(r->word, r->allocated, r->n);
        r->word[r->n++] = word;
}

static void request_add_text(struct request *r, const char *text) {
        size_t length = strlen(strempty(text));

        request_add_word(r, length);
        for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
                uint64_t word = 0;
                memcpy(&word, text + i, MIN(length - i, sizeof word));
                request_add_word(r, word);
        }
}

static void add_set(struct request *r, const struct bitset *b) {
        request_add_word(r, b ? b->words + 1 : 0);
        for (size_t i = 0; b && i < b->words; i++)
                request_add_word(r, b->word[i]);
}

/* Parts of --gpus: the cores near the GPUs depend on the part of each node (place_near.c). */
static void request_add_parts(struct request *r, const struct job *j) {
        const struct job_spec *t = &j->asked;
        bool counts = j->needs.gres_wants && t->gres_binding == GRES_BINDING_ENFORCED;

        request_add_word(r, counts);
        if (!counts)
                return;
        request_add_word(r, (uint64_t)t->min_nodes << 32 | t->max_nodes);
        request_add_word(r, (uint64_t)place_most_nodes(j) << 32 | job_tasks(j));
}

/* Adds a word with a bit for each number that is set, then the values. */
static void request_add_numbers(struct request *r, const struct job_spec *t) {
        size_t at = r->n;
        uint64_t set = 0, bit = 1;

        request_add_word(r, 0);
#define X(field)                                                                                   \
        if (t->field) {                                                                            \
                set |= bit;                                                                        \
                request_add_word(r, (uint64_t)t->field);                                           \
        }                                                                                          \
        bit <<= 1;
        JOB_NUMBERS_KEYED(X)
#undef X
        assert(bit);
        r->word[at] = set;
}

static void add_node_wishes(struct request *r, const struct cluster *c, const struct job *j) {
        const struct job_spec *t = &j->asked;

        request_add_numbers(r, t);
#define X(field) request_add_text(r, t->field);
        JOB_TEXTS_KEYED(X)
#undef X
        request_add_word(r, (uintptr_t)j->partition);
        request_add_word(r, (uint64_t)j->needs.cpus_per_task << 32 | j->needs.min_cpus_node);
        request_add_word(r, j->needs.mem_per_node);
        request_add_word(r, j->needs.mem_per_cpu);
        request_add_word(r, (uint64_t)j->needs.prefer_alone << 1 |
                                            (j->needs.features && reboot_allowed_now(c, j)));
        request_add_word(r, j->needs.cpus_per_gpu);
        request_add_word(r, j->needs.mem_per_gpu);
        request_add_parts(r, j);
        request_add_word(r, (uintptr_t)j->placed.resv);
        add_set(r, j->needs.req_nodes);
        add_set(r, j->needs.exc_nodes);
}

static void add_counts(struct request *r, const struct cluster *c, const struct job *j) {
        const struct job_spec *t = &j->asked;

        request_add_word(r,
                        c->resvs.n ? j->needs.time_limit : 0); /* a reservation bounds the time */

        request_add_word(r, (uint64_t)t->min_nodes << 32 | t->max_nodes);
        request_add_word(r, (uint64_t)job_tasks(j) << 1 | t->tasks_set);
}

static void add_hash(struct request *r) {
        r->hash = r->n;
        for (size_t i = 0; i < r->n; i++) {
                r->hash = (r->hash ^ r->word[i]) * 0x9e3779b97f4a7c15u;
                r->hash ^= r->hash >> 29;
        }
}

void request_of(struct request *r, const struct cluster *c, const struct job *j, bool how_many) {
        r->n = 0;
        add_node_wishes(r, c, j);
        if (c->has_sharing_rules || c->resvs.personal)
                request_add_word(r, j->uid);
        if (c->has_sharing_rules)
                request_add_text(r, j->asked.mcs_label);
        if (c->resvs.personal) {
                request_add_text(r, j->asked.account);
                request_add_text(r, j->asked.qos);
                request_add_word(r, j->asked.borrows ? j->asked.warn_time + 1 : 0);
        }
        if (how_many)
                add_counts(r, c, j);
        add_hash(r);
}

void request_to_preempt(struct request *r, const struct cluster *c, const struct job *j,
                bool priority) {
        request_of(r, c, j, false);
        request_add_word(r, (uintptr_t)j->accounting.qos);
        request_add_word(r, priority ? j->priority : 0);
        add_hash(r);
}

void request_with_limits(struct request *r, const struct cluster *c, const struct job *j) {
        request_of(r, c, j, true);
        request_add_word(r, (uintptr_t)j->accounting.assoc);
        request_add_word(r, (uintptr_t)j->accounting.qos);
        request_add_word(r, j->needs.time_limit);
        request_add_word(r, j->needs.ordered);
        request_add_text(r, j->user);
        request_add_text(r, j->asked.account);
        request_add_text(r, j->asked.licenses);
        add_hash(r);
}

bool request_same(const struct request *a, const struct request *b) {
        return a->hash == b->hash && a->n == b->n &&
               memcmp(a->word, b->word, a->n * sizeof a->word[0]) == 0;
}

void request_done(struct request *r) {
        free(r->word);
        *r = (struct request){ 0 };
}
