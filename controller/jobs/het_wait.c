/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heterogeneous job waits for the reasons of all its components, and all components show the most
   severe reason. */
#include "controller/jobs/het_wait.h"

#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/model/cluster.h"

/* Most severe first; all kinds of hold rank the same. */
static const enum job_reason ranks[] = { REASON_CLEANING, REASON_HELD_USER, REASON_DEPENDENCY_NEVER,
        REASON_DEPENDENCY, REASON_BEGIN_TIME };

static size_t reason_severity(enum job_reason why) {
        size_t i = 0;

        if (why == REASON_HELD_ADMIN || why == REASON_REQUEUE_LIMIT)
                why = REASON_HELD_USER;
        while (i < ELEMENTSOF(ranks) && ranks[i] != why)
                i++;
        return i;
}

enum job_reason job_awaits(const struct cluster *c, const struct job *j) {
        if (job_is_held(j))
                return job_held_reason(c, j);
        if (j->waiting.depends)
                return dependencies_never(j->waiting.depends) ? REASON_DEPENDENCY_NEVER
                                                              : REASON_DEPENDENCY;
        return REASON_NONE;
}

enum job_reason het_awaits(const struct cluster *c, const struct het *h) {
        enum job_reason why = REASON_NONE;

        for (uint32_t i = 0; i < h->n; i++) {
                enum job_reason of = h->of[i] && job_is_queued(h->of[i]) ? job_awaits(c, h->of[i])
                                                                         : REASON_CLEANING;
                why = reason_severity(of) < reason_severity(why) ? of : why;
        }
        return why;
}

bool het_begins_later(const struct het *h, usec_t now) {
        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i] && job_begin(h->of[i]) > now)
                        return true;
        return false;
}

/* Returns the reason text of the component held for why; NULL if none. */
static const char *text_of_held(const struct het *h, enum job_reason why) {
        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i] && job_is_queued(h->of[i]) && job_is_held(h->of[i]) &&
                                h->of[i]->reason == why)
                        return h->of[i]->reason_text;
        return NULL;
}

void het_tell_awaited(struct cluster *c, const struct het *h, usec_t now) {
        enum job_reason why = het_awaits(c, h);

        if (why == REASON_NONE && het_begins_later(h, now))
                why = REASON_BEGIN_TIME;
        for (uint32_t i = 0; i < h->n; i++) {
                struct job *m = h->of[i];
                if (!m || !job_is_queued(m) || job_is_held(m))
                        continue;
                if (why != REASON_NONE)
                        job_set_reason(c, m, why, text_of_held(h, why));
                else if (reason_severity(m->reason) < ELEMENTSOF(ranks))
                        job_set_reason(c, m, REASON_PRIORITY, NULL); /* until the next pass */
        }
}
