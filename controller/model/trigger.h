/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/trigger.h - triggers (strigger), and the runs of their programs
 *
 * indexes/trigger_events.h notes events, orders/triggers.h decides when a trigger fires, and
 * programs/trigger_programs.h starts the program. */
#pragma once

#include "lib/base.h"
#include "lib/triggerevent.h"

#include <sys/types.h>

struct cluster;

/* Events of nodes and of the cluster are collected for TRIGGER_INTERVAL before triggers are
   checked: one program runs for all nodes of a rack, and may set the next trigger meanwhile. */
#define TRIGGER_INTERVAL (15 * USEC_PER_SEC)
#define TRIGGERS_MAX     10000
/* Maximum per user other than root and SlurmUser, counting triggers and runs. */
#define TRIGGERS_USER_MAX 100

struct trigger {
        uint32_t id;
        uint32_t events; /* enum trigger_event */
        uint32_t job;    /* 0: none */
        int32_t offset;  /* s; < 0: before the event */
        char *nodes;     /* host list; NULL: all nodes, or the job's nodes */
        char *program;   /* absolute path and arguments */
        char *user;
        uid_t uid;
        gid_t gid;
        bool permanent;
        uint32_t hits;        /* job trigger: events on the job's nodes while held */
        struct bitset *named; /* nodes as a set, made on demand; NULL: not yet */
        usec_t idle_until;    /* idle nodes were reported up to this time; 0: never */
        /* Set after firing: */
        uint64_t serial; /* number of the run; 0: waiting trigger */
        usec_t at;       /* start time of the program */
        char *argument;
        bool handed; /* this controller has issued the start */
        uint32_t pid;
        uint64_t start; /* process_start(); pid and start are 0 while unknown */
        bool dirty;     /* row must be stored */
};

struct triggers {
        struct trigger **waiting, **runs; /* waiting is sorted by id, runs by serial */
        size_t n_waiting, a_waiting, n_runs, a_runs;
        uint32_t last_id;
        uint64_t last_serial;
        uint32_t events;      /* events of the cluster not checked yet */
        usec_t events_due;    /* time of the next check of events; 0: none */
        struct bitset *nodes; /* nodes with trigger_events */
        usec_t armed;         /* time of DEADLINE_TRIGGERS; 0: none */
        bool known;           /* a record of the previous controller exists */
        /* the previous controller (in a record: the present one) was stopped in order */
        bool stopped;
        bool dirty; /* members of this struct or of a trigger must be stored */
        struct trigger_key {
                uint64_t serial; /* serial of a run; 0: a waiting trigger with that id */
                uint32_t id;
        } * gone; /* rows to be deleted */
        size_t n_gone, a_gone;
};

struct trigger *trigger_copy(const struct trigger *t);
/* Take ownership of t. */
void triggers_add(struct triggers *all, struct trigger *t);
void triggers_add_run(struct triggers *all, struct trigger *t);
/* Free the i-th waiting trigger, or the i-th run. */
void triggers_drop(struct triggers *all, size_t i);
void triggers_drop_run(struct triggers *all, size_t i);
void trigger_changed(struct triggers *all, struct trigger *t);
/* Returns the run with that serial, borrowed; NULL: none. */
struct trigger *trigger_run(const struct cluster *c, uint64_t serial);
/* Moves all stored points in time by the given amount, in microseconds. */
void triggers_clock_set(struct triggers *all, int64_t by);
void triggers_done(struct triggers *all);
