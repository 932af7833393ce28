/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes are found by a hash of the request. Shapes are usually few, and each costs an
 * examination of all nodes; where shapes are many (each job names its nodes), the table is
 * cleared when full. */
#include "controller/sched/plan/shape.h"

#define SHAPES_MAX 4096

/* Maximum number of failures kept in a shape: failures not implied by a different failure are
   usually a few dozen. */
#define FAILURES_MAX 256

struct shapes {
        struct shape *slot[2 * SHAPES_MAX]; /* open addressing */
        struct shape *list[SHAPES_MAX];
        size_t n;
        struct request asked; /* scratch */
};

struct shapes *shapes_new(void) {
        return xnew0(struct shapes, 1);
}

static void shape_free(struct shape *s) {
        request_done(&s->ask);
        bitset_free(s->nodes);
        free(s->tasks);
        free(s->gres);
        free(s->failures[0]);
        free(s->failures[1]);
        for (size_t i = 0; i < REFUSED_MAX; i++)
                free(s->refusals[i].list);
        free(s);
}

void shapes_clear(struct shapes *s) {
        for (size_t i = 0; i < s->n; i++)
                shape_free(s->list[i]);
        memset(s->slot, 0, sizeof s->slot);
        s->n = 0;
}

struct shapes *shapes_free(struct shapes *s) {
        if (!s)
                return NULL;
        shapes_clear(s);
        request_done(&s->asked);
        free(s);
        return NULL;
}

/* ---- finding ---- */

static uint64_t features_moment(const struct cluster *c, const struct job *j) {
        bool heeds = (j->needs.features && c->config->helpers) || !isempty(j->asked.container);

        return heeds ? c->features_moment : 0;
}

static bool is_alike(const struct node *a, const struct node *b) {
        return a->units == b->units && a->n_spec == b->n_spec &&
               a->cpus_per_unit == b->cpus_per_unit &&
               a->configured.threads == b->configured.threads &&
               a->configured.cpus == b->configured.cpus;
}

static void find_nodes(struct shape *s, struct cluster *c, const struct job *j) {
        _cleanup_free_ struct gres_parts *gres = xnew0(struct gres_parts, c->n_nodes + 1);
        _cleanup_free_ uint32_t *tasks = xnew0(uint32_t, c->n_nodes + 1);

        bool differ = false;

        s->features_moment = features_moment(c, j);
        s->alike = NULL;
        bitset_clear(s->nodes);
        place_capacity(c, j, tasks, gres);
        s->of_one = place_capacity_of_one(c, j, tasks);
        s->least = UINT32_MAX;
        s->most = 0;
        s->most_gres = (struct gres_parts){ 0 };
        for (size_t i = 0; i < c->n_nodes; i++) {
                if (!tasks[i])
                        continue;
                bitset_add(s->nodes, i);
                differ |= s->alike && !is_alike(s->alike, c->nodes[i]);
                s->alike = c->nodes[i];
                s->least = MIN(s->least, tasks[i]);
                s->most = MAX(s->most, tasks[i]);
                for (uint32_t k = 0; k < GRES_KINDS_MAX; k++)
                        s->most_gres.of[k] = MAX(s->most_gres.of[k], gres[i].of[k]);
        }
        if (differ)
                s->alike = NULL;
        free(TAKE(s->tasks));
        free(TAKE(s->gres));
        if (gres_parts_sum(&s->most_gres))
                s->gres = TAKE(gres);
        if (s->least < s->most)
                s->tasks = TAKE(tasks);
}

/* Examines nodes again after a change of features: former failures may not be valid. */
static void find_again(struct shape *s, struct cluster *c, const struct job *j) {
        find_nodes(s, c, j);
        s->n_failures[0] = s->n_failures[1] = 0;
        for (size_t i = 0; i < REFUSED_MAX; i++)
                s->refusals[i].n = 0;
}

static struct shape *shape_new(struct cluster *c, const struct job *j) {
        struct shape *s = xnew0(struct shape, 1);

        request_of(&s->ask, c, j, false);
        s->whole = place_wants_whole(c, j);
        s->numbers = c->config->bf.parts && place_goes_by_numbers(c, j);
        s->nodes = bitset_new(c->n_nodes);
        find_nodes(s, c, j);
        return s;
}

struct shape *shape_of(struct shapes *s, struct cluster *c, const struct job *j) {
        request_of(&s->asked, c, j, false);
        size_t at = s->asked.hash % ELEMENTSOF(s->slot);

        for (; s->slot[at]; at = (at + 1) % ELEMENTSOF(s->slot))
                if (request_same(&s->slot[at]->ask, &s->asked)) {
                        if (s->slot[at]->features_moment != features_moment(c, j))
                                find_again(s->slot[at], c, j);
                        return s->slot[at];
                }
        if (s->n == SHAPES_MAX) {
                shapes_clear(s);
                at = s->asked.hash % ELEMENTSOF(s->slot);
        }
        struct shape *new = shape_new(c, j);
        s->slot[at] = s->list[s->n++] = new;
        return new;
}

bool shape_mixes(const struct shape *s, const struct job *j) {
        return job_tasks(j) > (uint64_t)s->of_one * MAX(1u, j->asked.min_nodes);
}

uint32_t shape_least_tasks(const struct shape *s, const struct job *j) {
        uint64_t tasks = job_tasks(j), others = place_most_nodes(j) - UINT64_C(1);

        return others * s->most < tasks ? (uint32_t)(tasks - others * s->most) : 1;
}

uint32_t shape_nodes(const struct shape *s, const struct job *j) {
        uint32_t nodes = s->most ? place_fewest_nodes(j, s->most, &s->most_gres) : UINT32_MAX;

        return nodes > bitset_count(s->nodes) ? UINT32_MAX : nodes;
}

/* ---- what did not fit ---- */

/* Returns before which start f rules out a job of the duration: a stretch that ends before any
   room became free is as it was. */
static usec_t not_before(const struct failure *f, usec_t duration) {
        usec_t sound = f->sound == USEC_INFINITY ? USEC_INFINITY
                       : f->sound > duration     ? f->sound - duration
                                                 : 0;

        return MIN(f->before, sound);
}

usec_t shape_not_before(const struct shape *s, bool all, uint32_t count, usec_t duration,
                usec_t now) {
        usec_t t = now;

        for (size_t i = 0; i < s->n_failures[all]; i++) {
                const struct failure *f = &s->failures[all][i];
                if (f->count <= count && f->duration <= duration)
                        t = MAX(t, not_before(f, duration));
        }
        return t;
}

static bool failure_implies(const struct failure *a, const struct failure *b) {
        return a->count <= b->count && a->duration <= b->duration && a->before >= b->before &&
               a->sound >= b->sound;
}

void shape_failed_before(struct shape *s, bool all, uint32_t count, usec_t duration, usec_t before,
                usec_t now) {
        struct failure new = { count, duration, before, USEC_INFINITY };
        size_t kept = 0;

        for (size_t i = 0; i < s->n_failures[all]; i++)
                if (failure_implies(&s->failures[all][i], &new))
                        return;
        for (size_t i = 0; i < s->n_failures[all]; i++) {
                const struct failure *f = &s->failures[all][i];
                if (not_before(f, f->duration) > now && !failure_implies(&new, f))
                        s->failures[all][kept++] = *f;
        }
        s->n_failures[all] = kept;
        if (kept == FAILURES_MAX) /* drop the oldest */
                memmove(s->failures[all], s->failures[all] + 1,
                                --s->n_failures[all] * sizeof s->failures[all][0]);
        GROW(s->failures[all], s->a_failures[all], s->n_failures[all]);
        s->failures[all][s->n_failures[all]++] = new;
}

void shapes_freed(struct shapes *s, usec_t from) {
        for (size_t i = 0; i < s->n; i++)
                for (int all = 0; all < 2; all++)
                        for (size_t k = 0; k < s->list[i]->n_failures[all]; k++)
                                s->list[i]->failures[all][k].sound = MIN(
                                                s->list[i]->failures[all][k].sound, from);
}

void shapes_powered(struct shapes *s, usec_t from, usec_t now) {
        for (size_t i = 0; i < s->n; i++) {
                struct shape *of = s->list[i];
                if (from <= now)
                        of->n_failures[0] = 0;
                for (size_t k = 0; k < of->n_failures[0]; k++)
                        of->failures[0][k].before = MIN(of->failures[0][k].before, from);
        }
}

static struct refusal refusal_of(const struct job *j, usec_t duration) {
        return (struct refusal){ j->asked.min_nodes, place_most_nodes(j), job_tasks(j), duration };
}

/* Returns whether b asks for at least as much as a. */
static bool asks_more(const struct refusal *a, const struct refusal *b) {
        return a->count <= b->count && a->most >= b->most && a->tasks <= b->tasks &&
               a->duration <= b->duration;
}

bool shape_is_refused(const struct shape *s, enum refused what, const struct job *j,
                usec_t duration, uint64_t moment) {
        const struct refusals *r = &s->refusals[what];
        struct refusal asked = refusal_of(j, duration);

        for (size_t i = 0; r->at == moment && i < r->n; i++)
                if (asks_more(&r->list[i], &asked))
                        return true;
        return false;
}

void shape_refuse(struct shape *s, enum refused what, const struct job *j, usec_t duration,
                uint64_t moment) {
        struct refusals *r = &s->refusals[what];
        struct refusal new = refusal_of(j, duration);
        size_t kept = 0;

        if (r->at != moment)
                r->n = 0;
        r->at = moment;
        for (size_t i = 0; i < r->n; i++)
                if (!asks_more(&new, &r->list[i]))
                        r->list[kept++] = r->list[i];
        r->n = MIN(kept, (size_t)FAILURES_MAX - 1);
        GROW(r->list, r->allocated, r->n);
        r->list[r->n++] = new;
}
