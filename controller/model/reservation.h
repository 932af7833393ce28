/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/reservation.h - reservations, as data; reservations/reservation.h describes the
   behaviour */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct bitset;
struct countlist;

enum resv_flag { /* the numbers are stored */
        RESV_MAINT = 1 << 0,
        RESV_OVERLAP = 1 << 1,
        RESV_IGNORE_JOBS = 1 << 2,
        RESV_HOURLY = 1 << 3,
        RESV_DAILY = 1 << 4,
        RESV_WEEKLY = 1 << 5,
        RESV_WEEKDAY = 1 << 6,
        RESV_WEEKEND = 1 << 7,
        RESV_FLEX = 1 << 8,
        RESV_SPEC_NODES = 1 << 9,
        RESV_STATIC = 1 << 10,
        RESV_PURGE = 1 << 11,
        RESV_NO_HOLD = 1 << 12,
        RESV_USER_DELETE = 1 << 13,
        RESV_MAGNETIC = 1 << 14,
        RESV_REPLACE = 1 << 15,
        RESV_REPLACE_DOWN = 1 << 16,
        RESV_FLOAT = 1 << 17,
        RESV_ANY_NODES = 1 << 18,
        RESV_PART_NODES = 1 << 19,
        RESV_FIRST_CORES = 1 << 20,
        RESV_ALL_NODES = 1 << 21,
        RESV_ALL = (1 << 22) - 1,
};
#define RESV_REPEATS (RESV_HOURLY | RESV_DAILY | RESV_WEEKLY | RESV_WEEKDAY | RESV_WEEKEND)

/* Reserved cores of a node. */
struct resv_cores {
        char *node;
        size_t index; /* index of the node */
        struct bitset *units;
};

/* Maximum of reservations: more would slow down each decision; sites have dozens. */
#define RESV_MAX 1000
/* Maximum of reservations named by a job, or magnetic ones tried for a job. */
#define RESV_CHOICES_MAX 32

/* CoreCnt as requested: cores or CPUs of each node in turn; a single number: total. */
struct resv_count {
        const uint32_t *list;
        size_t n;
        bool cpus;
};

struct resv {
        char *name;
        usec_t start, end; /* CLOCK_REALTIME */
        /* Delay of this turn's start behind the time of day, see time_later_day(). */
        usec_t late;
        bool by_end; /* EndTime was given, not Duration: unchanged when StartTime changes */
        /* Comma-separated names, all with or all without "-"; NULL: no restriction. */
        char *users, *accounts, *groups, *qos;
        char *partition, *features; /* request; NULL */
        uint32_t node_count;        /* requested number; 0: nodes were named */
        struct bitset *nodes;
        /* CoreCnt: the reserved units of each node, in the order of nodes. */
        struct resv_cores *cores;
        size_t n_cores;             /* 0: whole nodes */
        struct countlist *licenses; /* reserved licenses; NULL: none */
        /* count of each license held by jobs of the reservation (license.c) */
        uint32_t *licenses_used;
        unsigned flags;
        usec_t ahead; /* TIME_FLOAT: the start is always this far ahead */
        /* MaxStartDelay: how long jobs outside may use the nodes; 0: not at all. */
        usec_t max_start_delay;
        usec_t purge;      /* PURGE_COMP: deleted after this time without jobs */
        usec_t idle_since; /* 0: jobs exist, or not active */
        uid_t creator;
        usec_t over; /* end of the turn with jobs still running (ResvOverRun); 0: none */
        bool active;
};

struct resvs {
        struct resv **list; /* sorted by creation */
        size_t n, allocated;
        uint32_t made; /* number of reservations created so far, for names like root_1 */
        usec_t armed;
        bool moved;    /* nodes of a reservation have changed since the last review */
        bool replaces; /* some reservation may get replacement nodes */
        bool licenses; /* some reservation has licenses */
        bool magnetic; /* some reservation is MAGNETIC */
        bool cores;    /* some reservation has cores, not whole nodes */
        bool personal; /* the result of resv_filter() depends on the job's user */
};
