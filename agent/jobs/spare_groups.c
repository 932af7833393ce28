/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cgroups of jobs without a step on the node at the moment, kept for SPARE_LIFE. The next step of
 * the job would have to make the cgroup again, at the cost of all the rest of slumberd's work for
 * a step.
 *
 * A killed slumberd leaves the kept cgroups empty; the next slumberd removes the empty cgroups. */
#include "agent/jobs/spare_groups.h"
#include "agent/state/agent.h"

#include "lib/timer.h"

#define SPARE_LIFE (2 * USEC_PER_SEC)
#define SPARES_MAX 256 /* kept at a time; more are removed at once */

struct spare_group {
        uint32_t job, restarts;
        struct cg *group;
        usec_t due; /* CLOCK_MONOTONIC */
        TAILQ_ENTRY(spare_group) next;
};

/* Frees s; the caller has taken or freed the cgroup. */
static void spare_free(struct agent *a, struct spare_group *s) {
        TAILQ_REMOVE(&a->spare_groups, s, next);
        a->n_spare_groups--;
        free(s);
}

static void spare_end(struct agent *a, struct spare_group *s) {
        (void)cg_remove(s->group);
        cg_free(s->group);
        spare_free(a, s);
}

static void await_first(struct agent *a) {
        const struct spare_group *s = TAILQ_FIRST(&a->spare_groups);
        usec_t now = now_monotonic();

        if (s)
                timer_arm(a->spare_timer, s->due > now ? s->due - now : 0);
}

static int spare_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct agent *a = user;
        usec_t now = now_monotonic();
        struct spare_group *s;

        (void)source, (void)t;
        while ((s = TAILQ_FIRST(&a->spare_groups)) && s->due <= now)
                spare_end(a, s);
        await_first(a);
        return 0;
}

static struct spare_group *spare_find(struct agent *a, uint32_t job, uint32_t restarts) {
        struct spare_group *s;

        TAILQ_FOREACH(s, &a->spare_groups, next)
                if (s->job == job && s->restarts == restarts)
                        break;
        return s;
}

int spare_groups_init(struct agent *a) {
        TAILQ_INIT(&a->spare_groups);
        return timer_new(a->event, USEC_PER_MSEC, spare_on_timer, a, &a->spare_timer);
}

void spare_group_put(struct job *j) {
        struct agent *a = j->agent;

        if (j->over || a->n_spare_groups >= SPARES_MAX ||
                        cg_freezer_state(j->freezer) != FREEZER_THAWED) {
                (void)cg_remove(j->group);
                return;
        }
        struct spare_group *s = xnew(struct spare_group, 1);
        *s = (struct spare_group){ .job = j->id,
                .restarts = j->restarts,
                .group = TAKE(j->group),
                .due = now_monotonic() + SPARE_LIFE };
        TAILQ_INSERT_TAIL(&a->spare_groups, s, next);
        if (a->n_spare_groups++ == 0)
                await_first(a);
}

struct cg *spare_group_take(struct agent *a, uint32_t job, uint32_t restarts) {
        struct spare_group *s = spare_find(a, job, restarts);
        struct cg *group = s ? s->group : NULL;

        if (s)
                spare_free(a, s);
        return group;
}

void spare_group_end(struct agent *a, uint32_t job, uint32_t restarts) {
        struct spare_group *s = spare_find(a, job, restarts);

        if (s)
                spare_end(a, s);
}

void spare_groups_done(struct agent *a) {
        struct spare_group *s;

        while ((s = TAILQ_FIRST(&a->spare_groups)))
                spare_end(a, s);
        a->spare_timer = sd_event_source_disable_unref(a->spare_timer);
}
