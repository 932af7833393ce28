/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/stepmgr/stepmgr_private.h - the step manager of a job and the steps of the job; private to
 * stepmgr_steps.c, stepmgr_rows.c, stepmgr_messages.c and stepmgr_parts.c */
#pragma once

#include "agent/peers/peers.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/journal.h"
#include "agent/stepmgr/stepmgr_job.h"

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
struct stepmgr_step {
        struct stepmgr *stepmgr;
        struct stepmgr_row *rows; /* the step's entries, linked by stepmgr_row.others */
        struct client *client;    /* the step's srun; NULL: disconnected or gone */
        /* Address of the slumberd on srun's host, if srun runs on another host; NULL: srun is on
           this host. */
        char *stream_home;
        uint64_t request; /* id of srun's StepRequest until answered, then 0 */
        Slumber__StepSpec *spec;
        size_t size;            /* packed size of the complete spec and the task list */
        bool spec_complete;     /* spec has all members, as needed for a launch */
        struct task_list *list; /* node of each task, while the request waits; NULL: any */
        uint64_t place;         /* position in the queue, as StepNotice.place */
        bool immediate;
        bool wait_notified; /* srun knows that the request waits; reset when srun asks again */
        bool started;       /* the step has a number and is in the journal */
        const Slumber__MadeStep *row; /* the step's row; borrowed from the journal's row */
        bool held, launched, abandoned;
        /* srun asked again for a step not yet launched everywhere: to be launched when allowed */
        bool due;
        bool launching;     /* parts_launch() has run: nodes may be sent the launch */
        bool busy;          /* must not be freed now */
        struct part *parts; /* parts in the order of row->nodes; NULL: not started */
        enum { ENDS_NOT, ENDS_ASKED, ENDS_KILLED } ends; /* strongest end sent to nodes */
        bool over;                                       /* the journal has the ends of all parts */
        struct bitset *exits_sent;                       /* ranks whose exit srun knows */
        bool aborted; /* a task aborted the step; exit_code is the task's */
        uint32_t exit_code, cancelled_by;
        usec_t orphan_due; /* srun may reconnect until then, CLOCK_MONOTONIC; 0: no limit */
        TAILQ_ENTRY(stepmgr_step) next;
};

/* A journal entry still needed: not yet acknowledged, or its step may be asked for */
struct stepmgr_row {
        Slumber__JournalEntry *entry;
        /* The entry's step, while srun may ask for the step; else NULL */
        struct stepmgr_step *step;
        struct stepmgr_row *next_of_step; /* the next entry of the same step; NULL: last */
        TAILQ_ENTRY(stepmgr_row) next;
};

struct stepmgr {
        struct job *job;
        Slumber__StepMaker *message;
        struct stepmgr_job *model;
        struct journal *journal;
        uint32_t home;              /* index of this node in message->nodes */
        char **addresses;           /* HOST:PORT of the slumberd on each of message->nodes */
        struct credential_key *key; /* signs launches for other nodes; NULL if no other nodes */
        TAILQ_HEAD(, stepmgr_step) steps; /* waiting requests are in queue order */
        TAILQ_HEAD(, stepmgr_row) rows;
        size_t n_rows;
        size_t size; /* packed size of rows, bytes */
        uint32_t next_step, next_bcast;
        bool sruns_suspended; /* the job is suspended, as its steps' sruns were told */
        bool halted;          /* the controller said so: no process here need be frozen */
        /* Restored: the controller has not said yet whether the job is suspended */
        bool state_unknown;
        bool ends; /* the job ends: steps' ends are reported even if not written */
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
        bool queue_held;
        usec_t queue_held_until; /* ... until this CLOCK_MONOTONIC time; 0: not registered yet */
};

/* ---- stepmgr_steps.c ---- */
struct stepmgr_step *stepmgr_step_new(struct stepmgr *k);
void stepmgr_step_free(struct stepmgr_step *s);
/* Finds a started step; NULL if none. */
struct stepmgr_step *stepmgr_step_find(struct stepmgr *k, uint32_t step);
/* Restores a started step from the journal's row m, which is borrowed. -EBADMSG: m does not fit
   the job. */
int stepmgr_step_restore(struct stepmgr_step *s, const Slumber__MadeStep *m);
void stepmgr_retry_queue_soon(struct stepmgr *k); /* resources may be free: tries the queue soon */
void stepmgr_try_queue(struct stepmgr *k);        /* tries waiting requests in queue order */
/* Gives up sruns not coming back, retries ends not written. */
void stepmgr_do_due_work(struct stepmgr *k);
/* Restores the end of a part from the journal's row m, which is borrowed. -EBADMSG: the step has
   no such part, or the part has ended already. */
int stepmgr_step_restore_end(struct stepmgr_step *s, const Slumber__StepEnded *m);
/* A waiting request has lost its connection: holds the queue for the time in which the srun may
   ask again; an earlier hold is not extended. */
void stepmgr_hold_queue(struct stepmgr *k);
/* Called when all started steps are restored: their sruns may reconnect. */
void stepmgr_await_sruns(struct stepmgr *k);
/* Replaces the complete spec by the few members needed after the launch. */
void stepmgr_step_shorten_spec(struct stepmgr_step *s);
/* The job ends: ends all steps. false: other nodes may still report ends. */
bool stepmgr_end_steps(struct stepmgr *k);
/* The controller knows all ends: releases step daemons */
void stepmgr_release_steps(struct stepmgr *k);

/* Part i could not be launched; why is shown to the user. */
void part_set_launch_failed(struct stepmgr_step *s, size_t i, const char *why);
/* Part i ends without having been launched. */
void part_end_unsent(struct stepmgr_step *s, size_t i);
/* Reports of another node about its part: */
void part_handle_result(struct stepmgr_step *s, size_t i, const Slumber__LaunchResult *m);
void part_handle_end(struct stepmgr_step *s, size_t i, const Slumber__StepEnded *m);
void part_handle_absence(struct stepmgr_step *s, size_t i);

/* ---- stepmgr_messages.c: messages to the step's srun, if connected ---- */
/* Reason for refusing steps of a job with steps_unread */
#define MADE_UNREAD "its node cannot read any more what it has made for it: see the log of slumberd"
void stepmgr_refuse(struct client *c, uint64_t id, enum slumber_error e, const char *text);
void stepmgr_step_send_notice(const struct stepmgr_step *s, Slumber__StepNotice *m,
                Slumber__StepNotice__Kind kind, const char *node);
void stepmgr_step_notify_of_node(const struct stepmgr_step *s, Slumber__StepNotice__Kind kind,
                const char *node, uint32_t exit_code, const char *text);
/* Like stepmgr_step_notify_of_node(), of this node. */
void stepmgr_step_notify(const struct stepmgr_step *s, Slumber__StepNotice__Kind kind,
                uint32_t exit_code, const char *text);
void stepmgr_step_notify_exits(struct stepmgr_step *s, size_t part, const Slumber__StepEnded *m);
void stepmgr_step_send_reply(struct stepmgr_step *s); /* sends the StepReply: the step has begun */
/* Starts the time in which srun may reconnect. */
void stepmgr_step_await_srun(struct stepmgr_step *s);
void stepmgr_step_notify_job_state(const struct stepmgr_step *s, bool stands);

/* ---- stepmgr_parts.c ---- */
void parts_allocate(struct stepmgr_step *s); /* makes the parts; s->row is set */
/* The part on this node runs if its step daemon is known after a restart. */
void parts_find_running_here(struct stepmgr_step *s);
bool parts_have(const struct stepmgr_step *s, enum part_state state);
/* Returns whether a node is still to be sent the launch */
bool parts_have_unsent(const struct stepmgr_step *s);
/* Index of node's part; row->n_nodes if none */
size_t part_find_by_node(const struct stepmgr_step *s, const char *node);
const char *part_node(const struct stepmgr_step *s, size_t i);
bool part_is_here(const struct stepmgr_step *s, size_t i);
/* The step daemon on this node; NULL if none */
struct step *stepmgr_step_daemon(const struct stepmgr_step *s);
/* Nodes of the step, tasks on each node, ranks grouped by node, addresses of the slumberds. The
   caller frees (addresses with texts_free()). */
char *parts_hostlist(const struct stepmgr_step *s);
uint32_t *parts_tasks(const struct stepmgr_step *s);
uint32_t *parts_ranks(const struct stepmgr_step *s, const uint32_t *count);
char **parts_addresses(const struct stepmgr_step *s, size_t *ret_n);
/* HOST:PORT where other nodes reach this slumberd, whose port may differ from an earlier
   slumberd's; "" if not reachable. The caller frees. */
char *parts_own_address(const struct stepmgr *k);
void parts_launch(struct stepmgr_step *s); /* launches all parts not yet launched */
/* Drops the complete spec unless a node may need the spec. */
void parts_shorten_spec(struct stepmgr_step *s);
void parts_signal(struct stepmgr_step *s, uint32_t sig, bool terminate);
/* The part's end is in the journal. */
void part_send_acknowledgement(struct stepmgr_step *s, size_t i);
void part_send_unread(struct stepmgr_step *s, size_t i); /* nobody will read the part's output */
/* The node may have the part from an earlier slumberd: asks */
void part_ask_soon(struct stepmgr_step *s, size_t i);
void part_send_kill(struct stepmgr_step *s, size_t i); /* kills a part that was given up but runs */
/* Does the work due at now; returns the time of the next work. May end s, but does not free s. */
usec_t parts_do_due_work(struct stepmgr_step *s, usec_t now);

/* ---- stepmgr_rows.c ---- */
/* Calls stepmgr_do_due_work() at that CLOCK_MONOTONIC time at the latest. */
void stepmgr_arm_timer(struct stepmgr *k, usec_t at);
/* Appends a copy of row to the journal with the next serial; *ret points to the copy. */
int stepmgr_row_add(struct stepmgr *k, struct stepmgr_step *s, Slumber__StepsRow *row,
                const Slumber__StepsRow **ret, struct fail *fail);
/* Writes to the journal whether requests wait, for the next slumberd. */
void stepmgr_rows_note_queue(struct stepmgr *k, bool waits);
/* Sends all unsent rows, so that the controller has these before the end of the script or job. */
void stepmgr_rows_send_all(struct stepmgr *k);
/* Too many rows wait for the controller's acknowledgement */
bool stepmgr_rows_are_full(const struct stepmgr *k);
/* srun asks for s no more: drops rows not needed. */
void stepmgr_rows_forget_step(struct stepmgr_step *s);
