/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends of steps on nodes without a connected agent: the step's command is told, or it would wait
 * for ever. */
#include "controller/launch/run.h"

#include "controller/indexes/listen.h"
#include "controller/launch/steps.h"
#include "controller/loop/wall_clock.h"
#include "lib/hostlist.h"
#include "lib/log.h"

#include <signal.h>

/* Time for an agent that may be starved by a thousand processes to answer */
#define ANSWER_TIME (5 * USEC_PER_SEC)

static bool step_node_is_silent(const struct node *n) {
        return !n->connected || n->asked_at;
}

static int on_silence(sd_event_source *source, uint64_t usec, void *user) {
        struct run *r = user;
        struct controller *ctl = r->ctl;
        const struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = j ? job_step_find((struct job *)(uintptr_t)j, r->step) : NULL;
        size_t n = 0;

        if (!s || r->over)
                return 0;
        _cleanup_free_ const char **names = xnew(const char *, j->placed.n_alloc);
        bitset_for_each(at, s->nodes)
                if (!bitset_has(s->ended, at) && step_node_is_silent(j->placed.alloc[at].node))
                        names[n++] = j->placed.alloc[at].node->name;
        if (n == 0)
                return 0;
        _cleanup_free_ char *list = hostlist_compress(names, n);
        run_notice(r, SLUMBER__STEP_NOTICE__KIND__SILENT, list, 0, NULL);
        return 0;
}

bool signal_ends_processes(int signal) {
        static const int list[] = { SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGKILL };

        for (size_t i = 0; i < ELEMENTSOF(list); i++)
                if (list[i] == signal)
                        return true;
        return false;
}

void run_is_ending(struct controller *ctl, struct job *j, uint32_t step) {
        struct run *r = run_find(ctl, j->id, step);
        const struct step *s = r ? job_step_find(j, step) : NULL;

        if (!s)
                return;
        bitset_for_each(at, s->nodes)
                if (!bitset_has(s->ended, at) && j->placed.alloc[at].node->connected)
                        listen_ask(ctl->cluster, j->placed.alloc[at].node, controller_now(ctl));
        r->ctl = ctl;
        sd_event_source_disable_unref(TAKE(r->silence));
        int e = sd_event_add_time_relative(ctl->event, &r->silence, CLOCK_MONOTONIC, ANSWER_TIME, 1,
                        on_silence, r);
        if (e < 0)
                log_fields(LOG_WARNING, e, j->id, NULL,
                                "Step %u.%u ends, but its srun is not told of silent nodes, as there is no timer: %m",
                                j->id, step);
}
