/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/reservation.h - reservations: what is known of them; reservations/reservation.h
   says what they do */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct bitset;
struct countlist;

enum resv_flag { /* these numbers are stored */
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

/* Reserved cores of one node. */
struct resv_cores {
        char *node;
        size_t index; /* of the node */
        struct bitset *units;
};

/* The most reservations: more would slow down each decision; a site has dozens. */
#define RESV_MAX 1000
/* The most reservations that a job may name, or is tried in because they attract it. */
#define RESV_CHOICES_MAX 32

/* CoreCnt as it is asked for: cores, or CPUs, of each node in turn; one alone: in all. */
struct resv_count {
        const uint32_t *list;
        size_t n;
        bool cpus;
};

struct resv {
        char *name;
        usec_t start, end; /* CLOCK_REALTIME */
        /* this turn starts so much later than its time of day, as time_later_day() says */
        usec_t late;
        bool by_end; /* EndTime was given, not Duration: it stays when StartTime changes */
        /* comma-separated, each name with or without "-"; NULL: no restriction. */
        char *users, *accounts, *groups, *qos;
        char *partition, *features; /* as requested; NULL */
        uint32_t node_count;        /* as requested; 0: the nodes were named */
        struct bitset *nodes;
        /* CoreCnt: the reserved units of each of its nodes, in their order. */
        struct resv_cores *cores;
        size_t n_cores;             /* 0: whole nodes */
        struct countlist *licenses; /* kept for its jobs; NULL: none */
        uint32_t *licenses_used;    /* how many of each its jobs hold (license.c) */
        unsigned flags;
        usec_t ahead; /* TIME_FLOAT: its start is always so far ahead */
        /* MaxStartDelay: how long other jobs may use its nodes; 0: not at all. */
        usec_t max_start_delay;
        usec_t purge;      /* PURGE_COMP: deleted after this time without jobs */
        usec_t idle_since; /* 0: it has jobs, or is not active */
        uid_t creator;
        usec_t over; /* end of the turn with jobs that still run (ResvOverRun); 0: none */
        bool active;
};

struct resvs {
        struct resv **list; /* in order of creation */
        size_t n, allocated;
        uint32_t made; /* number created up to now, for names like root_1 */
        usec_t armed;
        bool moved;    /* the nodes of one have changed since the last review */
        bool replaces; /* nodes of some may be replaced by others */
        bool licenses; /* some keep licenses */
        bool magnetic; /* some attract jobs */
        bool cores;    /* some have cores, not whole nodes */
        bool personal; /* the result of resv_filter() depends on the job's user */
};
