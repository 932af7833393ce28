/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/run.h - one step of srun's: what the files that make, run and end it share */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/steps/step_fit.h"

struct step_use;

/* A step of srun's, from its request to its end. */
struct run {
        uint32_t job, step;
        /* Of a step over several components of a heterogeneous job (run_span.h): the leader's id,
           by which it is known; 0: it is its job's alone. */
        uint32_t span;
        /* While it waits: of spec and each of more, which component; NULL: of none. */
        uint32_t *components;
        struct address to;
        Slumber__StepSpec *spec;  /* of the first component, where there are several */
        Slumber__StepSpec **more; /* of those behind it, n_more */
        size_t n_more;
        /* As it came, of a job that may get a home when it goes on, see home_may_take(); NULL */
        Slumber__StepRequest *request;
        uid_t uid;
        bool immediate; /* what cannot start now is refused */
        /* numeric address of the node where its command runs; NULL: this host */
        char *launcher;
        bool with_job; /* its StepReply is to tell its command of the allocation, too */
        bool started;  /* it has an id and was sent to its nodes */
        /* why it waits: nodes, or ports, which steps of any job may have; SLUMBER_OK: not */
        enum slumber_error waits_for;
        uint32_t *cpus; /* per position in job->placed.alloc, what it takes of that node */
        size_t n_nodes;
        uint32_t *count; /* tasks on each of its own nodes */
        /* While it waits, of spec and each of more: the node of each task, NULL where the request
           does not say so; NULL: nowhere. */
        struct task_list **lists;
        size_t n_lists;
        uint32_t *place;     /* likewise, once it has started: for each task which of its nodes */
        size_t n_launches;   /* those */
        uint32_t worst;      /* wait status so far */
        struct bitset *told; /* ranks with an end that the command knows */
        /* the end is sent; kept until the command has gone, which may not have got it */
        bool over;
        bool abandoned; /* its command does not come back for it */
        bool stored;    /* the job's record on disk has it: it may be launched */
        /* It is launched later than its srun was told: what that has sent meanwhile is lost. */
        bool late;
        bool texts;             /* spec is whole: a node that misses it can be sent it */
        struct bitset *missing; /* places in job->placed.alloc that want the launch again */
        /* told by agents while its command is cut off; by place, NULL = not */
        Slumber__StepEnded **ends;
        size_t size; /* of spec, packed, until it is sent, and of lists, until it starts */
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
void run_forget_parts(struct run *r); /* the specifications behind the first */
void run_forget_lists(struct run *r);
/* n has launched it now, or failed to.  Where all nodes of s have, its command hears that, and its
   texts, which no node needs any more, are freed. */
void run_tell_started(struct controller *ctl, struct run *r, const struct step *s,
                const struct node *n);
/* It is not launched before its srun has run its prolog. */
bool run_is_held(const struct controller *ctl, const struct run *r);
/* A launch that has not been sent is not sent any more, so no agent will tell the step's end
   there: that is told now.  r may be freed. */
void run_end_unsent(struct controller *ctl, struct run *r, const struct job *j);
/* Ranks of its tasks, those of its first node first, and so on; the caller frees. */
uint32_t *run_ranks(const struct run *r);
/* What it, or its component of that number from 0 on, takes from other steps; borrowed from r,
   which has started, and s. */
struct step_taker run_taker(const struct run *r, const struct step *s, size_t part);
/* Of a component, by its number from 0 on. */
Slumber__StepSpec *run_spec(const struct run *r, size_t part);
/* All of its nodes have it, or have failed to. */
bool step_launched(const struct step *s);
/* status: a wait status.  use NULL: not known.  True: it was the last one, which ends the step;
   r may be freed. */
bool run_node_ended(struct controller *ctl, struct run *r, struct node *n, uint32_t status,
                const struct step_use *use);

/* ---- steps_away.c ---- */
/* copies it, until its command is back */
void run_keep_end(struct run *r, size_t at, const Slumber__StepEnded *m);
/* true: it is answered.  Otherwise the first request never came, and this one is like any other. */
bool run_attach(struct controller *ctl, const struct caller *caller, const Slumber__StepRequest *m);
