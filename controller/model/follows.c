/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/follows.h"

#include "controller/model/cluster.h"

struct row {
        enum fact fact;
        uint32_t always, with_limits, with_preemption; /* enum follow; AccountingStorageEnforce=limits, PreemptType */
};

#define ROW(name, ...) { .fact = FACT_##name, .always = __VA_ARGS__ }
#define PASS FOLLOW_PASS
#define REASONS FOLLOW_REASONS
#define GANG FOLLOW_GANG
#define RETRY FOLLOW_PLAN_RETRY
#define LICENSES FOLLOW_PLAN_LICENSES

/* In the order of enum fact. */
static const struct row rows[] = {
        ROW(QUEUE_CHANGED, PASS),
        ROW(REQUEST_CHANGED, PASS),
        ROW(PRIORITY_CHANGED, PASS),
        ROW(JOB_UPDATED, REASONS),
        ROW(JOB_STARTED, GANG),
        ROW(JOB_STOPPED, GANG),
        ROW(JOB_SUSPENDED, PASS | GANG),
        ROW(JOB_STOPPABLE, PASS | GANG),
        ROW(JOB_PREEMPTABLE, 0, .with_preemption = PASS),
        ROW(PREEMPTION_BEGUN, PASS),
        ROW(CLAIM_ENDED, PASS),
        ROW(ARRAY_SLOT_FREED, PASS),
        ROW(NODE_USABLE, PASS),
        ROW(NODE_SERVICE, REASONS),
        ROW(NODE_FREED, PASS | GANG),
        ROW(INVENTORY_CHANGED, PASS | REASONS),
        ROW(BRAKE_CHANGED, PASS | REASONS),
        ROW(MEMORY_OFFERED, PASS),
        ROW(MEMORY_KEPT, PASS | GANG | RETRY),
        ROW(MEMORY_RETURNED, GANG),
        ROW(LIMITS_CHANGED, PASS),
        ROW(LIMIT_ROOM, PASS | RETRY),
        ROW(LIMIT_USE_FELL, PASS, .with_limits = RETRY),
        ROW(LIMIT_USE_CHANGED, PASS),
        ROW(LICENSES_CHANGED, LICENSES),
        ROW(LICENSES_RETURNED, PASS | LICENSES),
        ROW(RESERVATION_CHANGED, PASS | REASONS),
        ROW(PREEMPTION_CHANGED, GANG),
        ROW(CONFIGURATION_CHANGED, PASS | GANG | FOLLOW_GANG_ANEW),
        ROW(NODES_RENUMBERED, PASS | GANG),
        ROW(STATE_RESTORED, PASS | GANG | FOLLOW_GANG_ANEW),
        ROW(CLOCK_SET, PASS),
        ROW(JOB_BEGINS, PASS | REASONS),
        ROW(PASS_DUE, PASS),
        ROW(PASS_CUT, REASONS),
        ROW(PLAN_MOVED, PASS),
        ROW(SLICE_OVER, GANG),
};
_Static_assert(ELEMENTSOF(rows) == FACT_COUNT, "a fact without a row: what follows from it?");
_Static_assert(FACT_COUNT <= 64, "struct follows has a bit for each fact");

void note(struct cluster *c, enum fact fact) {
        c->follows.noted |= UINT64_C(1) << fact;
}

static uint32_t from_noted(const struct cluster *c) {
        bool limits = c->config->enforce & ENFORCE_LIMITS, preempts = c->config->preempt_type != PREEMPT_NONE;
        uint32_t ret = 0;

        for (uint64_t left = c->follows.noted; left; left &= left - 1) {
                const struct row *row = &rows[__builtin_ctzll(left)];
                ret |= row->always | (limits ? row->with_limits : 0) |
                       (preempts ? row->with_preemption : 0);
        }
        return ret & ~c->follows.heedless;
}

static void settle(struct cluster *c) {
        c->follows.due |= from_noted(c);
        c->follows.noted = 0;
}

bool follows(const struct cluster *c, uint32_t what) {
        return (c->follows.due | from_noted(c)) & what;
}

bool follows_take(struct cluster *c, uint32_t what) {
        settle(c);
        bool ret = c->follows.due & what;
        c->follows.due &= ~what;
        return ret;
}

void follows_ignore(struct cluster *c, uint32_t what) {
        settle(c);
        c->follows.heedless = what;
}

void follows_heed(struct cluster *c) {
        settle(c);
        c->follows.heedless = 0;
}
