/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_fit.h - the nodes of a step within its job, and the tasks on each node */
#pragma once

#include "controller/model/job.h"
#include "controller/steps/step_gres.h"
#include "lib/errors.h"
#include "proto/slumber.pb-c.h"

struct features;
struct task_list;

/* A running step and the resources it occupies. All pointers are borrowed. */
struct step_taker {
        const Slumber__StepSpec *spec;
        const uint32_t *cpus;       /* per position in job->placed.alloc; 0: no part of the step */
        const struct bitset *nodes; /* nodes the step still uses; NULL: cpus says all */
        size_t n_nodes;             /* length of cpus */
};

/* A request for a step. All pointers are borrowed. */
struct step_ask {
        const Slumber__StepSpec *spec;
        const struct task_list *list;    /* the node of each task; NULL: any */
        const struct step_taker *others; /* the job's running steps; none with --overlap */
        size_t n_others;
        const struct bitset *apart; /* excluded positions; NULL: none */
        bool pack;                  /* CR_Pack_Nodes */
        uint32_t max_tasks_per_node;
};

struct fit {
        struct features *features; /* NULL: any node */
        size_t alternative;        /* index in [a|b], common to all nodes */
        size_t n_alike;            /* nodes of the job with the per-node options */
        size_t *possible;          /* positions in job->placed.alloc, usable now or later */
        size_t n_possible;
        size_t *at;              /* positions usable now */
        uint32_t *room;          /* tasks that fit at each position */
        uint32_t *count, *place; /* as in struct run */
        size_t n;
        uint32_t tasks;
        struct gres_wants *wants;
};

/* Finds nodes and tasks for ask. *f must be zeroed before; the caller calls fit_done() whatever the
   result. f->n positions are in f->at, their tasks in f->count, the sum in f->tasks.
   SLUMBER_NODES_BUSY: not now, as running steps have the resources or nodes are not ready; other
   errors: never, and fail may have a text. */
enum slumber_error fit_in(const struct step_ask *ask, const struct job *j, struct fit *f,
                struct fail *fail);
void fit_done(struct fit *f);
/* Returns the MB a step takes at a position of job->placed.alloc; 0: all memory of the job, shared
   with other steps. */
uint64_t step_memory(const struct job *j, const struct step_taker *t, size_t at);
