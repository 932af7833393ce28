/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/made.h - inside made_steps.c and made_rows.c: the steps that this node makes for a
 * job */
#pragma once

#include "agent/maker/journal.h"
#include "agent/maker/maker_job.h"
#include "agent/state/agent.h"

/* A step, from the request of its srun until that has gone; or a request that waits. */
struct made {
        struct maker *maker;
        struct client *client; /* its srun; NULL: it is cut off, or has gone */
        uint64_t request;      /* of that, which has no answer yet; 0 */
        Slumber__StepSpec *spec;
        size_t size;            /* of that, packed, while it is whole */
        bool texts;             /* spec is whole, as until the launch: it can be launched */
        struct task_list *list; /* the node of each task, while it waits; NULL: any */
        bool immediate;
        bool waits_said;              /* to its srun, as that has asked last */
        bool started;                 /* it has a number, and is in the journal */
        const Slumber__MadeStep *row; /* what that says of it; borrowed from the journal's row */
        bool held, launched, abandoned;
        bool due;            /* its srun has come back for it: it is launched when it may be */
        bool over;           /* its end is in the journal */
        struct bitset *told; /* ranks with an end that srun knows */
        bool unlaunched;     /* it has ended with status, without having been on the node */
        uint32_t exit_code, cancelled_by, status;
        usec_t orphan_due; /* until when its srun may come back, CLOCK_MONOTONIC; 0: it need not */
        TAILQ_ENTRY(made) next;
};

/* An entry of the journal that is needed yet. */
struct made_row {
        Slumber__JournalEntry *entry;
        struct made *made; /* its step, which is needed; NULL */
        TAILQ_ENTRY(made_row) next;
};

struct maker {
        struct job *job;
        Slumber__StepMaker *message;
        struct maker_job *model;
        struct journal *journal;
        TAILQ_HEAD(, made) steps; /* in the order of their requests */
        TAILQ_HEAD(, made_row) rows;
        size_t n_rows;
        size_t size; /* of rows, packed */
        uint32_t next_step, next_bcast;
        bool ends; /* the job does: what comes is told, also where it cannot be written */
        uint64_t next_serial, sent, acknowledged; /* serials of rows */
        sd_event_source *report;                  /* when rows are to be sent */
        sd_event_source *later;                   /* something is to be tried again */
        sd_event_source *retry;                   /* the queue is to be looked at */
};

/* ---- made_steps.c ---- */
struct made *made_new(struct maker *k);
void made_free(struct made *s);
/* It has begun, as an earlier slumberd has written; borrows m.  -EBADMSG: it cannot have. */
int made_goes_on(struct made *s, const Slumber__MadeStep *m);
void made_look_again(struct maker *k); /* room may have come free */
void made_try_all(struct maker *k);    /* those that wait, in their order */
void made_later(struct maker *k);      /* srun's that do not come back, ends that are not written */
/* Its end is in the journal, as an earlier slumberd has written it. */
void made_was_over(struct made *s, const Slumber__StepsRow *row);
void made_adopted(struct maker *k); /* all that have begun are known: their srun's may come back */
/* The job ends: each that has not ended does. */
void made_end_all(struct maker *k);
void made_all_done(struct maker *k); /* the controller knows that: step daemons may go */

/* ---- made_rows.c ---- */
/* row goes into the journal with the next serial; it is copied.  *ret: that copy. */
int made_row_add(struct maker *k, struct made *s, Slumber__StepsRow *row,
                const Slumber__StepsRow **ret, struct fail *fail);
/* The controller has all rows before what is sent to it next, the end of the script or job. */
void made_rows_before(struct maker *k);
bool made_rows_full(const struct maker *k); /* the controller is to take some first */
void made_rows_forget(struct made *s);      /* it is not needed any more */
