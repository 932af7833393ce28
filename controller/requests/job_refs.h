/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/job_refs.h - the jobs meant by a request: ids, arrays, tasks of arrays,
 * components of heterogeneous jobs
 *
 * Jobs hidden from the viewer count as unknown. */
#pragma once

#include "controller/indexes/array.h"
#include "controller/orders/viewer.h"
#include "controller/records/record.h"

enum job_named {
        NAMED_ITSELF,    /* the id of the job, also of components after the leader */
        NAMED_WHOLE,     /* the leader's id, for all components */
        NAMED_COMPONENT, /* "123+1" */
};

struct job_ref {
        uint32_t id;
        uint32_t named; /* id in the request: of the job, array or leader */
        /* only these tasks of an array's rest, or of unknown tasks; NULL: all */
        struct bitset *chosen;
        bool unknown; /* no such job or tasks */
        enum job_named how;
        uint32_t offset; /* "+1", for NAMED_COMPONENT and NAMED_WHOLE */
        bool taken;      /* a task of an array's rest, taken out for this request */
};

struct job_refs {
        struct job_ref *list;
        size_t n, allocated;
};

/* Appends the jobs meant by id: all records of an array, all components of a heterogeneous job (id
   is the leader's), or the job. Returns 0, or -ENOENT after appending an unknown reference. */
int job_refs_add(struct job_refs *refs, const struct viewer *v, uint32_t id);
/* Appends tasks "1-5,9" of array id, or component "+1" of heterogeneous job id. Waiting tasks get
   their own records (-ENOSPC: no ids left); a finished rest stands for its tasks. Missing tasks
   become an unknown reference; -ENOENT: all are missing. Errors with fail: -EINVAL: not a list;
   -ERANGE: indexes no array has; -E2BIG: too long. */
int job_refs_add_tasks(struct job_refs *refs, struct cluster *c, const struct viewer *v,
                uint32_t id, const char *tasks, struct fail *fail);
/* Appends ref and takes over ref->chosen. */
void job_refs_add_one(struct job_refs *refs, struct job_ref *ref);
/* Appends all known components of h. */
void job_refs_add_whole(struct job_refs *refs, const struct het *h);
/* Returns about how many indexes, or words of sets, job_refs_add_asked() would visit. */
uint64_t job_refs_work(Slumber__JobTasks *const *tasks, size_t n);
/* Appends the jobs of many lists, for display: lists of an array are merged (tasks[] is sorted),
   the rest stands for waiting tasks, and missing jobs and tasks are left out. */
void job_refs_add_asked(struct job_refs *refs, const struct viewer *v, Slumber__JobTasks **tasks,
                size_t n);
/* Sorts by job id and removes duplicates. */
void job_refs_sort(struct job_refs *refs);
void job_refs_done(struct job_refs *refs);

/* Limit of jobs, tasks and characters of lists named in a request, not applied to a single list. */
#define NAMES_MAX (1u << 20)

/* A set of job ids. */
struct id_set {
        uint32_t *slots; /* 0: free slot */
        size_t n, size;
};

/* Adds id; returns whether id is new. 0 is no id and always counts as new. */
bool id_set_add(struct id_set *s, uint32_t id);
void id_set_done(struct id_set *s);
