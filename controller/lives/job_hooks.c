/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prolog and Epilog on nodes, as far as they decide what becomes of a job.
 *
 * An agent runs Prolog by itself before a job's first step there; with PrologFlags=Alloc it is
 * asked for it at the allocation, and the job stays CONFIGURING until those nodes have answered
 * that it waits for.  The requests may be repeated: the agent remembers what has run.  Epilog
 * belongs to a job's end (job_kill.c): until it has ended, its node is not done with the job. */
#include "controller/indexes/changed.h"
#include "controller/lives/job_events.h"

/* Does j's launch wait for the prolog of its node there? */
static bool is_needed(const struct cluster *c, const struct job *j, size_t at) {
        unsigned flags = c->config->prolog_flags;

        return j->asked.batch ? flags & PROLOG_DEFER || at == j->placed.batch_at
                              : !(flags & PROLOG_NOHOLD);
}

bool job_prologs_over(struct cluster *c, struct job *j) {
        struct bitset *ask = NULL;
        bool over = true;

        if (!(c->config->prolog_flags & PROLOG_ALLOC))
                return true;
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                struct job_node *jn = &j->placed.alloc[i];
                if (jn->done || jn->prolog == PROLOG_OVER)
                        continue;
                over &= !is_needed(c, j, i);
                if (jn->prolog == PROLOG_ASKED || !node_is_ready(jn->node))
                        continue;
                ask = ask ? ask : bitset_new(c->n_nodes);
                bitset_add(ask, jn->node->index);
                jn->prolog = PROLOG_ASKED;
                jn->used = true;
                j->running.prologs++;
        }
        if (ask) {
                struct effect *fx = effects_add(&c->effects, FX_PROLOG);
                fx->job = j->id;
                fx->serial = j->restarts;
                fx->nodes = ask;
                cluster_job_changed(c, j);
        }
        return over;
}

/* As it was before it was asked. */
static void forget(struct job *j, struct job_node *jn, enum node_prolog now) {
        j->running.prologs -= jn->prolog == PROLOG_ASKED;
        jn->prolog = now;
}

void job_prolog_over(struct cluster *c, struct job *j, struct node *n) {
        struct job_node *jn = job_node_find(j, n);

        if (!jn || jn->done || jn->prolog != PROLOG_ASKED)
                return;
        forget(j, jn, PROLOG_OVER);
        if (j->running.prologs == 0 || jn == &j->placed.alloc[j->placed.batch_at])
                note_node(c, FACT_LAUNCH_POSSIBLE, n);
}

void job_prolog_again(struct job *j, struct job_node *jn) {
        if (jn->prolog == PROLOG_ASKED)
                forget(j, jn, PROLOG_NONE);
}
