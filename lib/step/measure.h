/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/step/measure.h - measured usage of a step's tasks: maximum, minimum, sum */
#pragma once

#include "lib/base.h"

/* The numbers are used in messages. */
enum measure {
        MEASURE_CPU,     /* us */
        MEASURE_RSS,     /* bytes, of the task's largest process */
        MEASURE_PAGES,   /* page faults with a read from disk */
        MEASURE_READ,    /* bytes from disks */
        MEASURE_WRITTEN, /* bytes to disks */
        MEASURE_VM,      /* bytes of address space, of the task's largest process */
        MEASURE_MAX,
};

struct extreme {
        uint64_t value;
        uint32_t task; /* rank + 1; 0: no task measured */
        char *node;    /* the task's node; NULL: the local node */
};

struct measured {
        struct extreme most, least;
        uint64_t sum; /* of all tasks */
};

struct measures {
        struct measured of[MEASURE_MAX];
};

/* Adds the value of a task. */
void measures_add(struct measures *m, enum measure which, uint64_t value, uint32_t rank);
/* Merges the values of other tasks, which ran on node, into m. */
void measures_merge(struct measures *m, const struct measures *others, const char *node);
void measures_done(struct measures *m);

/* Parts of a measure kept by the accounts, each as text "cpu=1200,mem=4096". */
enum measure_part { MOST, MOST_NODE, MOST_TASK, LEAST, LEAST_NODE, LEAST_TASK, SUM };
/* Returns a part of all measures; "" if nothing was measured. The caller frees. */
char *measures_text(const struct measures *m, enum measure_part part);
/* Returns a measure's value in such a text, ending at a comma or the end; NULL: absent. */
const char *measure_find(const char *text, enum measure which);
