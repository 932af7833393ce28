/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/step_fit.h - which nodes of its job a step gets, and how many of its tasks
   each */
#pragma once

#include "controller/agents/run.h"

struct fit {
        struct features *features; /* NULL: any node will do */
        size_t alternative;        /* of [a|b]: all of its nodes have this one */
        size_t n_alike;            /* nodes of the job that have what is asked of each */
        size_t *possible; /* positions in job->placed.alloc that it may have, now or later */
        size_t n_possible;
        size_t *at;              /* those that it can have now */
        uint32_t *room;          /* tasks that fit there */
        uint32_t *count, *place; /* as of struct run */
        size_t n;
        uint32_t tasks;
        struct gres_wants *wants;
        const struct run **others; /* the job's steps that run; none with --overlap */
        size_t n_others, a_others;
};

/* Fills *f, zeroed before and fit_done() after, whatever comes back: f->n places, their tasks in
   f->count, f->tasks together.  SLUMBER_NODES_BUSY: not now, as other steps have what it needs or
   nodes are not ready; other errors: never, and fail may have more words. */
enum slumber_error fit_in(struct controller *ctl, const struct run *r, const struct job *j,
                struct fit *f, struct fail *fail);
void fit_done(struct fit *f);
/* MB at place at, a run that has started; 0: all that the job has, and it takes none of it from
   other steps. */
uint64_t run_memory(const struct job *j, const struct run *r, size_t at);
