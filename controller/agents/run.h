/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/agents/run.h - one step of srun's: what the files that make, run and end it share */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"

struct step_use;
struct task_list;

/* A step of srun's, from its request to its end. */
struct run {
        uint32_t job, step;
        struct address to;
        Slumber__StepSpec *spec;
        uid_t uid;
        bool immediate; /* what cannot start now is refused */
        /* numeric address of the node where its command runs; NULL: this host */
        char *launcher;
        bool started;   /* it has an id and was sent to its nodes */
        uint32_t *cpus; /* per position in job->placed.alloc, what it takes of that node */
        size_t n_nodes;
        uint32_t *count; /* tasks on each of its own nodes */
        /* The node of each task, where the request says so and it waits; NULL: it does not. */
        struct task_list *list;
        uint32_t *place;     /* likewise, once it has started: for each task which of its nodes */
        size_t n_launches;   /* those */
        uint32_t worst;      /* wait status so far */
        struct bitset *told; /* ranks with an end that the command knows */
        /* the end is sent; kept until the command has gone, which may not have got it */
        bool over;
        bool abandoned;         /* its command does not come back for it */
        bool texts;             /* spec is whole: a node that misses it can be sent it */
        struct bitset *missing; /* places in job->placed.alloc that want the launch again */
        /* told by agents while its command is cut off; by place, NULL = not */
        Slumber__StepEnded **ends;
        size_t size; /* of spec, packed, until it is sent, and of list, until it starts */
        struct controller *ctl;
        /* it was told to end: until when its agents must have answered; NULL */
        sd_event_source *silence;
};

/* ---- steps.c ---- */
/* started; NULL: none */
struct run *run_find(const struct controller *ctl, uint32_t job, uint32_t step);
/* Agents that wait to hear that its ends are known hear it; r is freed. */
void run_remove(struct controller *ctl, struct run *r);
/* The command that asked for it has gone for good, or has heard of its end: the step goes with
   it. */
void run_end(struct controller *ctl, struct run *r);
/* node, text: NULL = "".  To the command that asked, if it is connected. */
void run_notice(const struct run *r, Slumber__StepNotice__Kind kind, const char *node,
                uint32_t exit_code, const char *text);
void run_forget_texts(struct run *r);
/* Ranks of its tasks, those of its first node first, and so on; the caller frees. */
uint32_t *run_ranks(const struct run *r);
char *run_nodes(const struct job *j, const struct step *s); /* the caller frees */
/* status: a wait status.  use NULL: not known.  True: it was the last one, which ends the step;
   r may be freed. */
bool run_node_ended(struct controller *ctl, struct run *r, struct node *n, uint32_t status,
                const struct step_use *use);

/* ---- step_gres.c ---- */
/* What a step asks for of its job's generic resources; SLUMBER_BAD_GRES: the job does not have it.
 *ret NULL: nothing. */
enum slumber_error step_gres_wants(const struct job *j, const Slumber__StepSpec *spec,
                struct gres_wants **ret, struct fail *fail);
/* Tasks for which there is enough at a place of j->placed.alloc; ever: were there no other step. */
uint32_t step_gres_room(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, size_t at, bool ever);
/* Where in at[], n places, as many as are wanted have together what it wants of all its nodes (such
   as stand one after the other, if there are): ret, in their order.  false: nowhere. */
bool step_gres_choose(const struct job *j, const Slumber__StepSpec *spec,
                const struct gres_wants *w, const size_t *at, size_t n, size_t wanted, bool ever,
                size_t *ret);
/* s, which starts with count[] tasks at these places, gets its own. */
void step_gres_take(struct job *j, struct step *s, const Slumber__StepSpec *spec, const size_t *at,
                const uint32_t *count, size_t n);

/* ---- steps_away.c ---- */
/* copies it, until its command is back */
void run_keep_end(struct run *r, size_t at, const Slumber__StepEnded *m);
/* true: it is answered.  Otherwise the first request never came, and this one is like any other. */
bool run_attach(struct controller *ctl, const struct caller *caller, const Slumber__StepRequest *m);
