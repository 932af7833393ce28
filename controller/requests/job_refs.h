/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/job_refs.h - which jobs a request means: ids, arrays, tasks of arrays,
 * components of heterogeneous jobs
 *
 * A job that is hidden from the viewer is unknown. */
#pragma once

#include "controller/indexes/array.h"
#include "controller/orders/viewer.h"
#include "controller/records/record.h"

enum job_named {
        NAMED_ITSELF,    /* by its id; of a component behind the first one its own */
        NAMED_WHOLE,     /* by the first component's id, with all the others */
        NAMED_COMPONENT, /* "123+1" */
};

struct job_ref {
        uint32_t id;
        uint32_t named; /* what the request said: this job, or the array it is of */
        /* of the rest of an array, or of what is unknown, those tasks alone; NULL: as it is */
        struct bitset *chosen;
        bool unknown; /* there is no such job, or there are no such tasks */
        enum job_named how;
        uint32_t offset; /* "+1", of NAMED_COMPONENT and NAMED_WHOLE */
        bool taken;      /* it waited with the rest, and has a record for this request */
};

struct job_refs {
        struct job_ref *list;
        size_t n, allocated;
};

/* Appends what id means: every record of an array, each component of the heterogeneous job that it
   is the first one of, or the job; -ENOENT and an unknown one where
   there is none. */
int job_refs_add(struct job_refs *refs, const struct viewer *v, uint32_t id);
/* The same of "1-5,9" of array id, or of "+1" of heterogeneous job id.  Tasks that wait with the
   rest get records of their own
   (-ENOSPC: there are no ids left); one that is over stands for them.  Those that there are not are
   an unknown one; -ENOENT: that is all.  -EINVAL with fail: tasks is no list; -ERANGE: of indices
   that no array has; -E2BIG: it is too long. */
int job_refs_add_tasks(struct job_refs *refs, struct cluster *c, const struct viewer *v,
                uint32_t id, const char *tasks, struct fail *fail);
/* ref itself; what it has chosen is taken. */
void job_refs_add_one(struct job_refs *refs, struct job_ref *ref);
/* All that are known of its components. */
void job_refs_add_whole(struct job_refs *refs, const struct het *h);
/* What it takes to read such lists: about as many indices, or words of sets, are gone through. */
uint64_t job_refs_work(Slumber__JobTasks *const *tasks, size_t n);
/* The same of many such lists, to be shown: those of an array are taken as one (tasks[] is put in
   order), its rest stands for what waits, and what does not exist is left out. */
void job_refs_add_asked(struct job_refs *refs, const struct viewer *v, Slumber__JobTasks **tasks,
                size_t n);
/* By job id, each once. */
void job_refs_sort(struct job_refs *refs);
void job_refs_done(struct job_refs *refs);

/* So many jobs, tasks and letters of their lists one request may name, except in one list alone. */
#define NAMES_MAX (1u << 20)

/* Of ids those that are there already. */
struct id_set {
        uint32_t *slots; /* 0: none */
        size_t n, size;
};

/* Is it new?  0, which is no id, always is. */
bool id_set_add(struct id_set *s, uint32_t id);
void id_set_done(struct id_set *s);
