/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/measure.h - what is measured of the tasks of a step: which had most, which had least,
   the sum */
#pragma once

#include "lib/base.h"

/* In messages by these numbers. */
enum measure {
        MEASURE_CPU,     /* us */
        MEASURE_RSS,     /* bytes, of its largest process */
        MEASURE_PAGES,   /* faults for which a page was read */
        MEASURE_READ,    /* bytes from disks */
        MEASURE_WRITTEN, /* bytes to disks */
        MEASURE_VM,      /* bytes: the address space of its largest process */
        MEASURE_MAX,
};

struct extreme {
        uint64_t value;
        uint32_t task; /* its rank + 1; 0: none has been measured */
        char *node;    /* where it ran; NULL: here */
};

struct measured {
        struct extreme most, least;
        uint64_t sum; /* of all tasks */
};

struct measures {
        struct measured of[MEASURE_MAX];
};

/* A task has had so much. */
void measures_add(struct measures *m, enum measure which, uint64_t value, uint32_t rank);
/* What is known of other tasks, which ran on node, comes to m. */
void measures_merge(struct measures *m, const struct measures *others, const char *node);
void measures_done(struct measures *m);

/* What the accounts keep of each: "cpu=1200,mem=4096". */
enum measure_part { MOST, MOST_NODE, MOST_TASK, LEAST, LEAST_NODE, LEAST_TASK, SUM };
/* "" where nothing is known; the caller's. */
char *measures_text(const struct measures *m, enum measure_part part);
/* The value of one of them in such a text, up to a comma or the end; NULL: it is not there. */
const char *measure_find(const char *text, enum measure which);
