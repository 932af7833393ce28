/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/leases.h - licenses over time: running jobs hold licenses until their
 * time limits, plans from start to end
 *
 * The nodes are in profile.h. Times are core's; a stretch is [from, until). */
#pragma once

#include "controller/model/cluster.h"

struct leases;

/* Returns the licenses and layers of c, and the licenses kept by reservations for their own jobs
   while active; no job holds any yet. */
struct leases *leases_new(const struct cluster *c);
struct leases *leases_free(struct leases *l); /* takes NULL, returns NULL */
/* Sets what the active jobs hold, until the time returned by end(). true: some license has
   become free, until *ret_until at the latest. */
bool leases_running(struct leases *l, const struct cluster *c,
                usec_t (*end)(const struct job *j, usec_t now), usec_t now, usec_t *ret_until);
/* Adds the licenses of a plan (take), or removes them (give). */
void leases_take(struct leases *l, const struct job_plan *p);
void leases_give(struct leases *l, const struct job_plan *p);
/* Returns whether more is held of some license of p, with p, than exists at some time of p. */
bool leases_overdrawn(struct leases *l, const struct job_plan *p);
/* Returns the index of a license or layer, as used in plans, for jobs in reservation of (NULL:
   none); SIZE_MAX: unknown. */
size_t leases_place(const struct cluster *c, const struct resv *of, const char *name);
/* A request for a duration that starts between from and latest. */
struct lease_time {
        usec_t from, duration, latest;
        /* a plan whose licenses count as free; NULL: none */
        const struct job_plan *without;
};
/* Finds the earliest start at which the licenses asked by a job in reservation of are free for
   the duration; *ret_choice: index of the chosen license in a list of alternatives, else 0.
   -ENOENT: none. */
int leases_fit(struct leases *l, const struct cluster *c, const struct countlist *asked,
                const struct resv *of, const struct lease_time *time, usec_t *ret_start,
                uint32_t *ret_choice);
/* Returns the least number left at `place` at any time of [from, until), if the licenses of
   without (NULL: none) were free. */
uint64_t leases_left(struct leases *l, size_t place, usec_t from, usec_t until,
                const struct job_plan *without);
/* Returns the earliest time from `from` on at which n are free for the duration; USEC_INFINITY:
   never. */
usec_t leases_from(struct leases *l, size_t place, uint64_t n, usec_t from, usec_t duration);
/* Returns when the use changes next after t; USEC_INFINITY: never. */
usec_t leases_next(const struct leases *l, size_t place, usec_t t);
/* Returns the number of stretches examined since the last call. */
uint64_t leases_steps(struct leases *l);
