/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/maker/made.h - private to made_steps.c, made_rows.c, made_words.c and parts.c: the step
 * manager of a job and its steps */
#pragma once

#include "agent/maker/journal.h"
#include "agent/maker/maker_job.h"
#include "agent/peers/peers.h"
#include "agent/state/agent.h"

/* Part of a step on a single node of the job */
struct part {
        enum part_state {
                PART_UNSENT, /* the node has not been sent the launch */
                PART_SENT,
                PART_RUNS,
                PART_OVER, /* the node's end is in the journal */
        } state;
        /* Members for parts on other nodes: */
        struct peer *peer; /* connection of the last message from or to the node; NULL: none */
        usec_t due;        /* CLOCK_MONOTONIC time of the next launch or question to the node */
        usec_t since;      /* last message from the node, or first attempt to launch; 0: neither */
        /* Borrowed from the journal's row; NULL: the part has not ended. */
        const Slumber__StepEnded *end;
        bool unlaunched; /* the part ends with status, without having run on the node */
        uint32_t status;
};

/* A step from srun's request until srun has gone, or a request waiting for resources */
struct made {
        struct maker *maker;
        struct made_row *rows; /* the step's entries, linked by made_row.others */
        struct client *client; /* the step's srun; NULL: disconnected or gone */
        /* Address of the slumberd on srun's host, if srun runs on another host; NULL: srun is on
           this host. */
        char *stream_home;
        uint64_t request; /* id of srun's StepRequest until answered, then 0 */
        Slumber__StepSpec *spec;
        size_t size;            /* packed size of the complete spec and the task list */
        bool texts;             /* spec is complete, as needed for a launch */
        struct task_list *list; /* node of each task, while the request waits; NULL: any */
        uint64_t place;         /* position in the queue, as StepNotice.place */
        bool immediate;
        bool waits_said; /* srun knows that the request waits; reset when srun asks again */
        bool started;    /* the step has a number and is in the journal */
        const Slumber__MadeStep *row; /* the step's row; borrowed from the journal's row */
        bool held, launched, abandoned;
        /* srun asked again for a step not yet launched everywhere: to be launched when allowed */
        bool due;
        bool launching;     /* parts_launch() has run: nodes may be sent the launch */
        bool busy;          /* must not be freed now */
        struct part *parts; /* parts in the order of row->nodes; NULL: not started */
        enum { ENDS_NOT, ENDS_ASKED, ENDS_KILLED } ends; /* strongest end sent to nodes */
        bool over;                                       /* the journal has the ends of all parts */
        struct bitset *told;                             /* ranks whose exit srun knows */
        bool aborted; /* a task aborted the step; exit_code is the task's */
        uint32_t exit_code, cancelled_by;
        usec_t orphan_due; /* srun may reconnect until then, CLOCK_MONOTONIC; 0: no limit */
        TAILQ_ENTRY(made) next;
};

/* A journal entry still needed: not yet acknowledged, or its step may be asked for */
struct made_row {
        Slumber__JournalEntry *entry;
        struct made *made; /* the entry's step, while srun may ask for the step; else NULL */
        struct made_row *others; /* the next entry of the same step; NULL: last */
        TAILQ_ENTRY(made_row) next;
};

struct maker {
        struct job *job;
        Slumber__StepMaker *message;
        struct maker_job *model;
        struct journal *journal;
        uint32_t home;              /* index of this node in message->nodes */
        char **addresses;           /* HOST:PORT of the slumberd on each of message->nodes */
        struct credential_key *key; /* signs launches for other nodes; NULL if no other nodes */
        TAILQ_HEAD(, made) steps;   /* waiting requests are in queue order */
        TAILQ_HEAD(, made_row) rows;
        size_t n_rows;
        size_t size; /* packed size of rows, bytes */
        uint32_t next_step, next_bcast;
        bool stands; /* the job is suspended, as its steps' sruns were told */
        bool halted; /* the controller said so: no process here need be frozen */
        bool unsure; /* restored: the controller has not said yet whether the job is suspended */
        bool ends;   /* the job ends: steps' ends are reported even if not written */
        uint64_t next_serial, sent, acknowledged; /* serials of rows */
        sd_event_source *report;                  /* timer: sends rows */
        usec_t reported;        /* CLOCK_MONOTONIC time of the last report; 0: none yet */
        sd_event_source *later; /* Timer for retries... */
        usec_t later_at; /* ... armed for this CLOCK_MONOTONIC time; USEC_INFINITY: not armed */
        /* The job ends: other nodes may report ends until then; 0: the job does not end */
        usec_t settle_by;
        sd_event_source *retry; /* deferred: tries the queue */
        uint64_t last_place;    /* highest queue position given or shown by an srun */
        bool queue_written;     /* the journal says that requests wait */
        /* Requests waited at an earlier slumberd, or on a connection that was lost: no request
           begins until these sruns have had time to ask again... */
        bool gathers;
        usec_t gathers_until; /* ... until this CLOCK_MONOTONIC time; 0: not registered yet */
};

/* ---- made_steps.c ---- */
struct made *made_new(struct maker *k);
void made_free(struct made *s);
struct made *made_find(struct maker *k, uint32_t step); /* a started step; NULL if none */
/* Restores a started step from the journal's row m, which is borrowed. -EBADMSG: m does not fit
   the job. */
int made_goes_on(struct made *s, const Slumber__MadeStep *m);
void made_look_again(struct maker *k); /* resources may be free: tries the queue soon */
void made_try_all(struct maker *k);    /* tries waiting requests in queue order */
void made_later(struct maker *k); /* gives up sruns not coming back, retries ends not written */
/* Restores the end of a part from the journal's row m, which is borrowed. -EBADMSG: the step has
   no such part, or the part has ended already. */
int made_was_over(struct made *s, const Slumber__StepEnded *m);
/* Returns whether the queue is on hold, as sruns that waited may be about to ask again. */
bool made_gathers(struct maker *k, usec_t now);
/* A waiting request has lost its connection: holds the queue for the time in which the srun may
   ask again; an earlier hold is not extended. */
void made_gather(struct maker *k);
void made_adopted(struct maker *k); /* restored all started steps: their sruns may reconnect */
/* Replaces the complete spec by the few members needed after the launch. */
void made_drop_texts(struct made *s);
/* The job ends: ends all steps. false: other nodes may still report ends. */
bool made_end_all(struct maker *k);
void made_all_done(struct maker *k); /* the controller knows all ends: releases step daemons */

/* Part i could not be launched; why is shown to the user. */
void made_part_failed(struct made *s, size_t i, const char *why);
void made_part_unsent(struct made *s, size_t i); /* part i ends without having been launched */
/* Reports of another node about its part: */
void made_part_result(struct made *s, size_t i, const Slumber__LaunchResult *m);
void made_part_ended(struct made *s, size_t i, const Slumber__StepEnded *m);
void made_part_absent(struct made *s, size_t i);

/* ---- made_words.c: messages to the step's srun, if connected ---- */
/* Reason for refusing steps of a job with steps_unread */
#define MADE_UNREAD "its node cannot read any more what it has made for it: see the log of slumberd"
void made_refuse(struct client *c, uint64_t id, enum slumber_error e, const char *text);
void made_notice(const struct made *s, Slumber__StepNotice *m, Slumber__StepNotice__Kind kind,
                const char *node);
void made_tell_of(const struct made *s, Slumber__StepNotice__Kind kind, const char *node,
                uint32_t exit_code, const char *text);
/* Like made_tell_of(), of this node. */
void made_tell(const struct made *s, Slumber__StepNotice__Kind kind, uint32_t exit_code,
                const char *text);
void made_tell_exits(struct made *s, size_t part, const Slumber__StepEnded *m);
void made_reply(struct made *s);      /* sends the StepReply: the step has begun */
void made_await_srun(struct made *s); /* starts the time in which srun may reconnect */
void made_tell_job(const struct made *s, bool stands);

/* ---- parts.c ---- */
void parts_make(struct made *s); /* makes the parts; s->row is set */
/* The part on this node runs if its step daemon is known after a restart. */
void parts_look_here(struct made *s);
bool parts_have(const struct made *s, enum part_state state);
/* Returns whether a node is still to be sent the launch */
bool parts_have_unsent(const struct made *s);
/* Index of node's part; row->n_nodes if none */
size_t part_named(const struct made *s, const char *node);
const char *part_node(const struct made *s, size_t i);
bool part_is_here(const struct made *s, size_t i);
struct step *made_step(const struct made *s); /* the step daemon on this node; NULL if none */
/* Nodes of the step, tasks on each node, ranks grouped by node, addresses of the slumberds. The
   caller frees (addresses with addresses_rows_free()). */
char *parts_nodes(const struct made *s);
uint32_t *parts_tasks(const struct made *s);
uint32_t *parts_ranks(const struct made *s, const uint32_t *count);
char **parts_addresses(const struct made *s, size_t *ret_n);
/* HOST:PORT where other nodes reach this slumberd, whose port may differ from an earlier
   slumberd's; "" if not reachable. The caller frees. */
char *parts_own_address(const struct maker *k);
void parts_launch(struct made *s);     /* launches all parts not yet launched */
void parts_drop_texts(struct made *s); /* drops the complete spec unless a node may need it */
void parts_signal(struct made *s, uint32_t sig, bool terminate);
void part_acknowledge(struct made *s, size_t i); /* the part's end is in the journal */
void part_unread(struct made *s, size_t i);      /* nobody will read the part's output */
/* The node may have the part from an earlier slumberd: asks */
void part_ask(struct made *s, size_t i);
void part_kill(struct made *s, size_t i); /* kills a part that was given up but runs */
/* Does the work due at now; returns the time of the next work. May end s, but does not free s. */
usec_t parts_later(struct made *s, usec_t now);

/* ---- made_rows.c ---- */
/* Calls made_later() at that CLOCK_MONOTONIC time at the latest. */
void maker_due(struct maker *k, usec_t at);
/* Appends a copy of row to the journal with the next serial; *ret points to the copy. */
int made_row_add(struct maker *k, struct made *s, Slumber__StepsRow *row,
                const Slumber__StepsRow **ret, struct fail *fail);
/* Writes to the journal whether requests wait, for the next slumberd. */
void made_rows_queue(struct maker *k, bool waits);
/* Sends all unsent rows, so that the controller has these before the end of the script or job. */
void made_rows_before(struct maker *k);
/* Too many rows wait for the controller's acknowledgement */
bool made_rows_full(const struct maker *k);
void made_rows_forget(struct made *s); /* srun asks for s no more: drops rows not needed */
