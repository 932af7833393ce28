/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/follows.h"

#include "controller/model/cluster.h"

struct row {
        enum fact fact;
        /* enum follow. with_limits: AccountingStorageEnforce=limits; with_preemption: a PreemptType
           is set; with_replacing: some reservation may get replacement nodes. */
        uint32_t always, with_limits, with_preemption, with_replacing;
};

#define ROW(name, ...)                                                                             \
        { .fact = FACT_##name, .always = __VA_ARGS__ }
#define PASS         FOLLOW_PASS
#define REASONS      FOLLOW_REASONS
#define GANG         FOLLOW_GANG
#define RETRY        FOLLOW_PLAN_RETRY
#define LICENSES     FOLLOW_PLAN_LICENSES
#define REPLAN       FOLLOW_PLAN_ANEW
#define RESERVATIONS FOLLOW_RESERVATIONS
#define PLAN_NODES   FOLLOW_PLAN_NODES
#define LAUNCH       FOLLOW_LAUNCH
#define STORE        FOLLOW_STORE_NODE

/* Sorted like enum fact. */
static const struct row rows[] = {
        ROW(QUEUE_CHANGED, PASS),
        ROW(REQUEST_CHANGED, PASS),
        ROW(PRIORITY_CHANGED, PASS),
        ROW(JOB_UPDATED, REASONS),
        ROW(JOB_STARTED, GANG),
        ROW(JOB_STOPPED, GANG),
        ROW(JOB_SUSPENDED, PASS | GANG),
        ROW(BOOT_LATE, GANG),
        ROW(JOB_STOPPABLE, PASS | GANG),
        ROW(JOB_PREEMPTABLE, 0, .with_preemption = PASS),
        ROW(PREEMPTION_BEGUN, PASS),
        ROW(CLAIM_ENDED, PASS | PLAN_NODES),
        ROW(ARRAY_SLOT_FREED, PASS),
        ROW(NODE_CHANGED, STORE | PLAN_NODES, .with_replacing = RESERVATIONS),
        ROW(NODE_RECORD, STORE),
        ROW(NODE_SHARED, FOLLOW_STORE_LATER),
        ROW(NODE_USE, PLAN_NODES),
        ROW(LAUNCH_POSSIBLE, LAUNCH),
        ROW(NODE_USABLE, PASS),
        ROW(NODE_SERVICE, REASONS),
        ROW(NODE_FREED, PASS | GANG | LAUNCH),
        ROW(PORTS_FREED, FOLLOW_STEP_PORTS),
        ROW(INVENTORY_CHANGED, PASS | REASONS | REPLAN | FOLLOW_ADMIT_ANEW),
        ROW(WEIGHT_CHANGED, REPLAN),
        ROW(EXCLUSIONS_CHANGED, REPLAN),
        ROW(BRAKE_CHANGED, PASS | REASONS),
        ROW(MEMORY_OFFERED, PASS),
        ROW(MEMORY_KEPT, PASS | GANG | RETRY),
        ROW(MEMORY_RETURNED, GANG),
        ROW(LIMITS_CHANGED, PASS | GANG | RETRY | REPLAN | FOLLOW_ACCRUAL),
        ROW(JOBS_REBOUND, PASS | FOLLOW_LIMIT_PLANS),
        ROW(LIMIT_ROOM, PASS | RETRY),
        ROW(LIMIT_USE_FELL, PASS, .with_limits = RETRY),
        ROW(LIMIT_USE_ROSE, FOLLOW_LIMIT_PLANS),
        ROW(ACCRUAL_ROOM, FOLLOW_ACCRUAL),
        ROW(LIMIT_USE_CHANGED, PASS),
        ROW(LICENSES_CHANGED, LICENSES),
        ROW(LICENSES_RETURNED, PASS | LICENSES),
        ROW(RESERVATION_CHANGED, PASS | REASONS | REPLAN),
        ROW(RESERVATION_USE, RESERVATIONS),
        ROW(RESERVATION_RECORD, FOLLOW_STORE_RESERVATIONS),
        ROW(PREEMPTION_CHANGED, GANG),
        ROW(CONFIGURATION_CHANGED, PASS | GANG | FOLLOW_GANG_ANEW | RESERVATIONS |
                                                   FOLLOW_ACCRUAL_ANEW | FOLLOW_STEP_PORTS),
        ROW(NODES_RENUMBERED, PASS | GANG | RESERVATIONS),
        ROW(STATE_RESTORED, PASS | GANG | FOLLOW_GANG_ANEW | FOLLOW_HET),
        ROW(CLOCK_SET, PASS | REPLAN | FOLLOW_ACCRUAL_ANEW),
        ROW(JOB_BEGINS, PASS | REASONS | RETRY), /* backfill could not plan the job before */
        ROW(PASS_DUE, PASS),
        ROW(PASS_CUT, REASONS),
        ROW(PLAN_MOVED, PASS),
        ROW(SLICE_OVER, GANG),
        ROW(NODE_LOST, FOLLOW_LOST_NODES),
        ROW(PLACE_LEFT, PASS | REASONS | REPLAN | FOLLOW_ADMIT_ANEW | FOLLOW_PLACES),
        ROW(HET_LEFT, FOLLOW_HET),
};
_Static_assert(ELEMENTSOF(rows) == FACT_COUNT, "a fact without a row: what follows from it?");
_Static_assert(FACT_COUNT <= 64, "struct follows has a bit for each fact");

/* Consequences for the whole cluster that stay due until taken; the rest concern noted nodes, or
   are done when due is computed. */
#define LASTING                                                                                    \
        (PASS | REASONS | GANG | FOLLOW_GANG_ANEW | RETRY | LICENSES | REPLAN | RESERVATIONS |     \
                        FOLLOW_ACCRUAL | FOLLOW_ACCRUAL_ANEW | FOLLOW_LIMIT_PLANS |                \
                        FOLLOW_STORE_RESERVATIONS | FOLLOW_STEP_PORTS | FOLLOW_HET |               \
                        FOLLOW_LOST_NODES | FOLLOW_PLACES)

static const uint32_t of_nodes[] = {
        FOLLOW_PLAN_NODES,
        FOLLOW_LAUNCH,
        FOLLOW_STORE_NODE,
        FOLLOW_STORE_LATER,
};

struct follows {
        uint64_t noted;    /* a bit for each fact noted since due was computed */
        uint32_t due;      /* enum follow: work to be done */
        uint32_t heedless; /* enum follow: consequences suppressed by follows_ignore() */
        /* The nodes noted for each entry of of_nodes. */
        struct bitset *nodes[4];
        struct job_plan **voids; /* plans of jobs that left the queue or the plan */
        size_t n_void, a_void;
};

/* ---- noting ---- */

void note(struct cluster *c, enum fact fact) {
        c->follows->noted |= UINT64_C(1) << fact;
}

void note_node(struct cluster *c, enum fact fact, const struct node *n) {
        for (size_t i = 0; i < ELEMENTSOF(of_nodes); i++)
                if (rows[fact].always & of_nodes[i])
                        bitset_add(c->follows->nodes[i], n->index);
        note(c, fact);
}

void note_nodes(struct cluster *c, enum fact fact, const struct bitset *nodes) {
        for (size_t i = 0; i < ELEMENTSOF(of_nodes); i++)
                if (rows[fact].always & of_nodes[i])
                        bitset_or(c->follows->nodes[i], nodes);
        note(c, fact);
}

static void void_one(struct follows *f, struct job_plan *p) {
        p->job->waiting.plan = NULL;
        p->job = NULL;
        p->with = NULL;
        GROW(f->voids, f->a_void, f->n_void);
        f->voids[f->n_void++] = p;
}

void plan_void(struct cluster *c, struct job *j) {
        for (struct job_plan *p = j->waiting.plan, *next; p && p->job; p = next) {
                next = p->with;
                void_one(c->follows, p);
        }
}

/* ---- what is due ---- */

static void free_plans(struct cluster *c) {
        struct follows *f = c->follows;

        for (size_t i = 0; (i = cluster_queue_after_apart(c, i)) < c->n_queue; i++)
                plan_void(c, c->queue[i]->job);
        for (size_t i = 0; i < f->n_void; i++)
                free(f->voids[i]);
        f->n_void = 0;
        c->planned = (struct plan_marks){ 0 };
}

void plans_forget(struct cluster *c) {
        free_plans(c);
        follows_nodes_done(c, FOLLOW_PLAN_NODES);
}

static uint32_t from_noted(const struct cluster *c) {
        bool limits = c->config->enforce & ENFORCE_LIMITS,
             preempts = c->config->preempt_type != PREEMPT_NONE;
        uint32_t ret = 0;

        for (uint64_t left = c->follows->noted; left; left &= left - 1) {
                const struct row *row = &rows[__builtin_ctzll(left)];
                ret |= row->always | (limits ? row->with_limits : 0) |
                       (preempts ? row->with_preemption : 0) |
                       (c->resvs.replaces ? row->with_replacing : 0);
        }
        return ret & ~c->follows->heedless;
}

static void follows_derive(struct cluster *c) {
        uint32_t fresh = from_noted(c);

        c->follows->noted = 0;
        c->follows->due |= fresh & LASTING;
        if (fresh & FOLLOW_ADMIT_ANEW)
                c->nodes_as_of++;
        if (fresh & FOLLOW_PLAN_ANEW)
                plans_forget(c);
}

bool follows(const struct cluster *c, uint32_t what) {
        return (c->follows->due | (from_noted(c) & LASTING)) & what;
}

bool follows_take(struct cluster *c, uint32_t what) {
        follows_derive(c);
        bool ret = c->follows->due & what;
        c->follows->due &= ~what;
        return ret;
}

void follows_ignore(struct cluster *c, uint32_t what) {
        follows_derive(c);
        c->follows->heedless = what;
}

void follows_heed(struct cluster *c) {
        follows_derive(c);
        c->follows->heedless = 0;
}

/* ---- nodes and plans ---- */

static size_t follow_set_index(enum follow what) {
        size_t i = 0;

        while (of_nodes[i] != what)
                i++;
        return i;
}

const struct bitset *follows_nodes(const struct cluster *c, enum follow what) {
        return c->follows->nodes[follow_set_index(what)];
}

void follows_nodes_done(struct cluster *c, enum follow what) {
        bitset_clear(c->follows->nodes[follow_set_index(what)]);
}

bool follows_has_voids(const struct cluster *c) {
        return c->follows->n_void > 0;
}

size_t follows_take_voids(struct cluster *c, struct job_plan *const **ret) {
        size_t n = c->follows->n_void;

        *ret = c->follows->voids;
        c->follows->n_void = 0;
        return n;
}

void follows_begin(struct cluster *c) {
        c->follows = xnew0(struct follows, 1);
}

void follows_renumber(struct cluster *c) {
        for (size_t i = 0; i < ELEMENTSOF(of_nodes); i++) {
                bitset_free(c->follows->nodes[i]);
                c->follows->nodes[i] = bitset_new(c->n_nodes);
        }
}

void follows_done(struct cluster *c) {
        free_plans(c);
        free(c->follows->voids);
        for (size_t i = 0; i < ELEMENTSOF(of_nodes); i++)
                bitset_free(c->follows->nodes[i]);
        free(TAKE(c->follows));
}
