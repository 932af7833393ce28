/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/trigger.h - triggers (strigger): what they wait for, and their programs that are
 * to run
 *
 * indexes/trigger_events.h notes what happens, orders/triggers.h says when a trigger fires, and
 * programs/trigger_programs.h starts the program. */
#pragma once

#include "lib/base.h"
#include "lib/triggerevent.h"

#include <sys/types.h>

struct cluster;

/* Events of nodes and of the cluster are gathered for so long, and only then compared with the
   triggers: one program runs for all nodes of a rack, and has that time to set the next trigger. */
#define TRIGGER_INTERVAL (15 * USEC_PER_SEC)
#define TRIGGERS_MAX     10000
/* Of a user other than root and SlurmUser: so many, with its programs that are to run. */
#define TRIGGERS_USER_MAX 100

struct trigger {
        uint32_t id;
        uint32_t events; /* enum trigger_event */
        uint32_t job;    /* 0: none */
        int32_t offset;  /* s; < 0: before the event */
        char *nodes;     /* a host list; NULL: all, or the job's */
        char *program;   /* its absolute path, and arguments */
        char *user;
        uid_t uid;
        gid_t gid;
        bool permanent;
        uint32_t hits;        /* of a job's: events of its nodes, noted while it had them */
        struct bitset *named; /* nodes; made when it is needed, NULL: not yet */
        usec_t idle_until;    /* idle nodes have been told of up to then; 0: of none */
        /* Where it has fired: */
        uint64_t serial; /* of this run; 0: it waits */
        usec_t at;       /* the program starts then */
        char *argument;
        bool handed; /* the program has been asked for, by this controller */
        uint32_t pid;
        uint64_t start; /* as process_start(); pid and start are 0 while they are not known */
        bool dirty;     /* its row is to be written */
};

struct triggers {
        struct trigger **waiting, **runs; /* by id; by serial */
        size_t n_waiting, a_waiting, n_runs, a_runs;
        uint32_t last_id;
        uint64_t last_serial;
        uint32_t events;      /* of the cluster, that have not been looked at */
        usec_t events_due;    /* they and the nodes' are looked at then; 0: there are none */
        struct bitset *nodes; /* with trigger_events */
        usec_t armed;         /* DEADLINE_TRIGGERS; 0: not */
        bool known;           /* there is a record of the last controller */
        bool stopped;         /* that one, or in a record this one, was stopped */
        bool dirty;           /* this, or one of them */
        struct trigger_key {
                uint64_t serial; /* of a run; 0: one that waited, by its id */
                uint32_t id;
        } * gone; /* whose rows are to be deleted */
        size_t n_gone, a_gone;
};

struct trigger *trigger_free(struct trigger *t); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct trigger *, trigger_free)
struct trigger *trigger_copy(const struct trigger *t);
/* Takes ownership. */
void triggers_add(struct triggers *all, struct trigger *t);
void triggers_add_run(struct triggers *all, struct trigger *t);
/* Frees the i-th one that waits, or the i-th run. */
void triggers_drop(struct triggers *all, size_t i);
void triggers_drop_run(struct triggers *all, size_t i);
void trigger_changed(struct triggers *all, struct trigger *t);
/* The run of that serial; NULL. */
struct trigger *trigger_run(const struct cluster *c, uint64_t serial);
/* All point in time that are stored, later by so much. */
void triggers_clock_set(struct triggers *all, int64_t by);
void triggers_done(struct triggers *all);
