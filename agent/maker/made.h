/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/made.h - inside made_steps.c, made_rows.c and made_words.c: the steps that this node
 * makes for a job */
#pragma once

#include "agent/maker/journal.h"
#include "agent/maker/maker_job.h"
#include "agent/peers/peers.h"
#include "agent/state/agent.h"

/* A node of a step. */
struct part {
        enum part_state {
                PART_UNSENT, /* it has not been told to launch it */
                PART_SENT,
                PART_RUNS,
                PART_OVER, /* its end is in the journal */
        } state;
        /* Of another node: */
        struct peer *peer; /* on which it was heard or told last; NULL: not */
        usec_t due;        /* when it is to be told or asked something, CLOCK_MONOTONIC */
        usec_t since;      /* when it was heard last, or first to be told; 0: neither */
        /* Borrowed from the journal's row; NULL: not over. */
        const Slumber__StepEnded *end;
        bool unlaunched; /* it ends with status, without having been on the node */
        uint32_t status;
};

/* A step, from the request of its srun until that has gone; or a request that waits. */
struct made {
        struct maker *maker;
        struct client *client; /* its srun; NULL: it is cut off, or has gone */
        char *stream_home; /* where the slumberd of another host listens that has it; NULL: it is
                              here */
        uint64_t request;  /* of that, which has no answer yet; 0 */
        Slumber__StepSpec *spec;
        size_t size;            /* of that, packed, while it is whole */
        bool texts;             /* spec is whole, as until the launch: it can be launched */
        struct task_list *list; /* the node of each task, while it waits; NULL: any */
        uint64_t place;         /* among those that wait: as StepNotice.place */
        bool immediate;
        bool waits_said;              /* to its srun, as that has asked last */
        bool started;                 /* it has a number, and is in the journal */
        const Slumber__MadeStep *row; /* what that says of it; borrowed from the journal's row */
        bool held, launched, abandoned;
        bool due;           /* its srun has come back for it: it is launched when it may be */
        bool launching;     /* it has been let go: nodes may be told */
        bool busy;          /* it is not to be freed */
        struct part *parts; /* its nodes, as row->nodes; NULL: it has not started */
        enum { ENDS_NOT, ENDS_ASKED, ENDS_KILLED } ends; /* what its nodes were told */
        bool over;           /* the ends of all of its nodes are in the journal */
        struct bitset *told; /* ranks with an end that srun knows */
        bool aborted;        /* by a task, whose exit_code counts */
        uint32_t exit_code, cancelled_by;
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
        uint32_t home;              /* this node's place in message->nodes */
        char **addresses;           /* of each of these: HOST:PORT of its slumberd */
        struct credential_key *key; /* for launches on the others; NULL: there are none */
        TAILQ_HEAD(, made) steps;   /* in the order of their requests */
        TAILQ_HEAD(, made_row) rows;
        size_t n_rows;
        size_t size; /* of rows, packed */
        uint32_t next_step, next_bcast;
        bool stands; /* the job does, as the srun's of its steps have heard */
        bool halted; /* it was told to stand still, and there may be no process here that does */
        bool unsure; /* of an earlier slumberd: the controller is to say whether it stands still */
        bool ends;   /* the job does: what comes is told, also where it cannot be written */
        uint64_t next_serial, sent, acknowledged; /* serials of rows */
        sd_event_source *report;                  /* when rows are to be sent */
        usec_t reported;        /* rows were sent last, CLOCK_MONOTONIC; 0: never */
        sd_event_source *later; /* something is to be tried again... */
        usec_t later_at;        /* ... then, CLOCK_MONOTONIC; USEC_INFINITY: nothing is */
        usec_t settle_by; /* its job ends: until when other nodes may say how; 0: it does not */
        sd_event_source *retry; /* the queue is to be looked at */
        uint64_t last_place;    /* that was given, or shown, at the end of it */
        bool queue_written;     /* the journal says that requests wait */
        /* Requests waited for an earlier slumberd, or by a connection that was lost: they are to
           come back before any begins... */
        bool gathers;
        usec_t gathers_until; /* ... until then, CLOCK_MONOTONIC; 0: it has not registered yet */
};

/* ---- made_steps.c ---- */
struct made *made_new(struct maker *k);
void made_free(struct made *s);
struct made *made_find(struct maker *k, uint32_t step); /* that has begun; NULL: there is none */
/* It has begun, as an earlier slumberd has written; borrows m.  -EBADMSG: it cannot have. */
int made_goes_on(struct made *s, const Slumber__MadeStep *m);
void made_look_again(struct maker *k); /* room may have come free */
void made_try_all(struct maker *k);    /* those that wait, in their order */
void made_later(struct maker *k);      /* srun's that do not come back, ends that are not written */
/* The end of a node of it is in the journal, as an earlier slumberd has written it, and stays
   there.  -EBADMSG: it has no such node. */
int made_was_over(struct made *s, const Slumber__StepEnded *m);
/* Whether the queue is left alone yet, as requests that wait may be on their way. */
bool made_gathers(struct maker *k, usec_t now);
/* A request that waited has lost its connection: the queue is left alone until it may be back, or
   until then where others are awaited already. */
void made_gather(struct maker *k);
void made_adopted(struct maker *k); /* all that have begun are known: their srun's may come back */
/* What is large of its request is not needed any more. */
void made_drop_texts(struct made *s);
/* The job ends: each that has not ended does.  false: other nodes may yet say how. */
bool made_end_all(struct maker *k);
void made_all_done(struct maker *k); /* the controller knows that: step daemons may go */

/* A node could not launch it, for why. */
void made_part_failed(struct made *s, size_t i, const char *why);
void made_part_unsent(struct made *s, size_t i); /* it ends without having been told */
/* What another node says. */
void made_part_result(struct made *s, size_t i, const Slumber__LaunchResult *m);
void made_part_ended(struct made *s, size_t i, const Slumber__StepEnded *m);
void made_part_absent(struct made *s, size_t i);

/* ---- made_words.c: to the srun of a step, if it is there ---- */
/* Why there is no step of a job with steps_unread. */
#define MADE_UNREAD "its node cannot read any more what it has made for it: see the log of slumberd"
void made_refuse(struct client *c, uint64_t id, enum slumber_error e, const char *text);
void made_notice(const struct made *s, Slumber__StepNotice *m, Slumber__StepNotice__Kind kind,
                const char *node);
void made_tell_of(const struct made *s, Slumber__StepNotice__Kind kind, const char *node,
                uint32_t exit_code, const char *text);
/* ... of this node */
void made_tell(const struct made *s, Slumber__StepNotice__Kind kind, uint32_t exit_code,
                const char *text);
void made_tell_exits(struct made *s, size_t part, const Slumber__StepEnded *m);
void made_reply(struct made *s);      /* it has begun */
void made_await_srun(struct made *s); /* it may come back, for as long as the controller lets it */
void made_tell_job(const struct made *s, bool stands);

/* ---- parts.c ---- */
void parts_make(struct made *s); /* s->row is known */
/* Of an earlier slumberd: whether it runs here is known when its step daemon is. */
void parts_look_here(struct made *s);
bool parts_have(const struct made *s, enum part_state state);
bool parts_have_unsent(const struct made *s);              /* a node is to be told yet */
size_t part_named(const struct made *s, const char *node); /* row->n_nodes: none is */
const char *part_node(const struct made *s, size_t i);
bool part_is_here(const struct made *s, size_t i);
struct step *made_step(const struct made *s); /* its step daemon's here; NULL: it has none */
/* Its nodes, how many tasks on each, these tasks by node, where the slumberds listen: the caller
   frees (addresses_rows_free()). */
char *parts_nodes(const struct made *s);
uint32_t *parts_tasks(const struct made *s);
uint32_t *parts_ranks(const struct made *s, const uint32_t *count);
char **parts_addresses(const struct made *s, size_t *ret_n);
/* Where other nodes reach this slumberd, which may have another port than its last one; "": they do
   not.  The caller frees. */
char *parts_own_address(const struct maker *k);
void parts_launch(struct made *s);     /* on those that have not been told */
void parts_drop_texts(struct made *s); /* unless a node may need them */
void parts_signal(struct made *s, uint32_t sig, bool terminate);
void part_acknowledge(struct made *s, size_t i); /* its end is in the journal */
void part_unread(struct made *s, size_t i);      /* its output will not be read */
void part_ask(struct made *s, size_t i);         /* it may have it: of an earlier slumberd */
void part_kill(struct made *s, size_t i);        /* it was given up, and has it */
/* What is due at now is done; returns when the next is.  May end s, but does not free it. */
usec_t parts_later(struct made *s, usec_t now);

/* ---- made_rows.c ---- */
/* made_later() is called at that time at the latest, CLOCK_MONOTONIC. */
void maker_due(struct maker *k, usec_t at);
/* row goes into the journal with the next serial; it is copied.  *ret: that copy. */
int made_row_add(struct maker *k, struct made *s, Slumber__StepsRow *row,
                const Slumber__StepsRow **ret, struct fail *fail);
/* Requests wait, or none does: the next slumberd is to know. */
void made_rows_queue(struct maker *k, bool waits);
/* The controller has all rows before what is sent to it next, the end of the script or job. */
void made_rows_before(struct maker *k);
bool made_rows_full(const struct maker *k); /* the controller is to take some first */
void made_rows_forget(struct made *s);      /* it is not needed any more */
