/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_fit.h - which nodes of its job a step gets, and how many of its tasks
   each */
#pragma once

#include "controller/model/job.h"
#include "controller/steps/step_gres.h"
#include "lib/errors.h"
#include "proto/slumber.pb-c.h"

struct features;
struct task_list;

/* A step that runs, and what it takes from others.  All is borrowed. */
struct step_taker {
        const Slumber__StepSpec *spec;
        const uint32_t *cpus;       /* by position in job->placed.alloc; 0: it is not there */
        const struct bitset *nodes; /* ... and elsewhere it is not either; NULL: cpus say all */
        size_t n_nodes;             /* of cpus */
};

/* A request for a step.  All is borrowed. */
struct step_ask {
        const Slumber__StepSpec *spec;
        const struct task_list *list;    /* the node of each task; NULL: any */
        const struct step_taker *others; /* the job's steps that run; none with --overlap */
        size_t n_others;
        const struct bitset *apart; /* places that it is not to have; NULL: none */
        bool pack;                  /* CR_Pack_Nodes */
        uint32_t max_tasks_per_node;
};

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
};

/* Fills *f, zeroed before and fit_done() after, whatever comes back: f->n places, their tasks in
   f->count, f->tasks together.  SLUMBER_NODES_BUSY: not now, as other steps have what it needs or
   nodes are not ready; other errors: never, and fail may have more words. */
enum slumber_error fit_in(const struct step_ask *ask, const struct job *j, struct fit *f,
                struct fail *fail);
void fit_done(struct fit *f);
/* MB that a step takes at a position of job->placed.alloc; 0: all that the job has, and it takes
   none of it from other steps. */
uint64_t step_memory(const struct job *j, const struct step_taker *t, size_t at);
