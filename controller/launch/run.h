/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/launch/run.h - a step of srun: shared by the files that make, run and end steps */
#pragma once

#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/steps/step_fit.h"

struct step_use;

/* A step of srun, from its request to its end. */
struct run {
        uint32_t job, step;
        /* The leader's id, by which a step spanning components of a heterogeneous job is known
           (run_span.h); 0: a step of one job. */
        uint32_t span;
        /* While waiting: the component numbers of spec and of each of more; NULL: no spanning
           step. */
        uint32_t *components;
        struct address to;
        Slumber__StepSpec *spec;  /* the first component's, if there are several */
        Slumber__StepSpec **more; /* n_more: of the further components */
        size_t n_more;
        /* The original request, of a job that may get a step manager later, see home_may_take();
           NULL: none. */
        Slumber__StepRequest *request;
        uid_t uid;
        bool immediate; /* --immediate: refuse instead of waiting */
        /* Numeric address of the command's host; NULL: this host. */
        char *launcher;
        bool with_job; /* the StepReply also tells the command about the allocation */
        bool started;  /* with an id, and sent to the nodes */
        /* Why the run waits: for nodes, or for ports, which steps of any job may hold;
           SLUMBER_OK: not waiting. */
        enum slumber_error waits_for;
        uint32_t *cpus; /* CPUs taken, by position in job->placed.alloc */
        size_t n_nodes;
        uint32_t *count; /* tasks on each node of the step */
        /* While waiting, for spec and each of more: the node of each task, NULL if the request
           has no such list; NULL: no lists at all. */
        struct task_list **lists;
        size_t n_lists;
        uint32_t *place;   /* once started: for each task the index of its node; NULL: not listed */
        size_t n_launches; /* number of the step's nodes */
        uint32_t worst;    /* worst wait status so far */
        struct bitset *told; /* ranks whose end the command knows */
        /* The end was sent; kept until the command has gone, as the command may have missed the
           end. */
        bool over;
        bool abandoned; /* the command will not come back for the step */
        bool stored;    /* the job's record on disk has the step: launching is allowed */
        /* Launched later than srun was told: data sent by srun in between are lost. */
        bool late;
        bool texts;             /* spec is complete, so the launch can be repeated */
        struct bitset *missing; /* positions in job->placed.alloc that need the launch again */
        /* Ends reported while the command is cut off, by position in job->placed.alloc; NULL:
           none. */
        Slumber__StepEnded **ends;
        /* Bytes of the packed spec until the launch is sent, and of lists until the step starts */
        size_t size;
        struct controller *ctl;
        /* Timer for the agents' answers to a request to end; NULL: none. */
        sd_event_source *silence;
};

/* ---- steps.c ---- */
/* Finds a started run; NULL: none. */
struct run *run_find(const struct controller *ctl, uint32_t job, uint32_t step);
/* Tells agents that wait for acknowledgements of the step's ends that these are known, and frees
   r. */
void run_remove(struct controller *ctl, struct run *r);
/* Ends the step, whose command has gone for good or knows the end. */
void run_end(struct controller *ctl, struct run *r);
/* Sends a notice to the command if connected. node and text may be NULL: "". */
void run_notice(const struct run *r, Slumber__StepNotice__Kind kind, const char *node,
                uint32_t exit_code, const char *text);
void run_forget_texts(struct run *r);
void run_forget_parts(struct run *r); /* frees the specifications of the further components */
void run_forget_lists(struct run *r);
/* n has launched the step or has failed to. If this was the last node of s, the command is told
   and the texts, needed by no node any more, are freed. */
void run_tell_started(struct controller *ctl, struct run *r, const struct step *s,
                const struct node *n);
/* Returns whether the step waits until its srun has run SrunProlog. */
bool run_is_held(const struct controller *ctl, const struct run *r);
/* Ends the step on nodes whose launch has not been sent, as no agent will report an end there. r
   may be freed. */
void run_end_unsent(struct controller *ctl, struct run *r, const struct job *j);
/* Returns the ranks of the tasks, node by node; the caller frees. */
uint32_t *run_ranks(const struct run *r);
/* Returns the resources taken by started run r, or by its component `part` (from 0); borrows
   from r and s. */
struct step_taker run_taker(const struct run *r, const struct step *s, size_t part);
/* Returns the specification of component `part` (from 0); borrowed. */
Slumber__StepSpec *run_spec(const struct run *r, size_t part);
/* Returns whether all nodes of s have launched the step or have failed to. */
bool step_launched(const struct step *s);
/* status: wait status. use: NULL if unknown. Returns true if the last node has ended and so the
   step; r may be freed. */
bool run_node_ended(struct controller *ctl, struct run *r, struct node *n, uint32_t status,
                const struct step_use *use);

/* ---- steps_away.c ---- */
/* Keeps a copy of the end until the command is back. */
void run_keep_end(struct run *r, size_t at, const Slumber__StepEnded *m);
/* Answers a repeated request. Returns false if the first request never arrived: m is then a new
   request. */
bool run_attach(struct controller *ctl, const struct caller *caller, const Slumber__StepRequest *m);
