/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/leases.h - licenses over time: what runs has them until its limit, plans
 * from their start until their end
 *
 * Beside profile.h, which has the nodes.  Times are core's; a stretch is [from, until). */
#pragma once

#include "controller/model/cluster.h"

struct leases;

/* Of the licenses and layers that c has, and of those that reservations keep for their jobs, and
   for no others while they last; no job has any. */
struct leases *leases_new(const struct cluster *c);
struct leases *leases_free(struct leases *l); /* takes NULL, returns NULL */
/* What the active jobs hold, until end() says. true: something is free, up to *ret_until, that was
   not before. */
bool leases_running(struct leases *l, const struct cluster *c,
                usec_t (*end)(const struct job *j, usec_t now), usec_t now, usec_t *ret_until);
/* What p will hold, and not any more. */
void leases_take(struct leases *l, const struct job_plan *p);
void leases_give(struct leases *l, const struct job_plan *p);
/* More is promised while p lasts than there is of some license that it has, itself counted. */
bool leases_overdrawn(struct leases *l, const struct job_plan *p);
/* The place, in a plan, of that license for jobs in of (a reservation, or NULL); SIZE_MAX: there is
   none. */
size_t leases_place(const struct cluster *c, const struct resv *of, const char *name);
/* For so long, to begin between from and latest. */
struct lease_time {
        usec_t from, duration, latest;
        /* What this plan holds counts as free; NULL: none. */
        const struct job_plan *without;
};
/* The earliest start in that time at which all that is asked for by a job in of can be had so long;
   of a list with "|": which of it, in *ret_choice (else 0).  -ENOENT: there is none. */
int leases_fit(struct leases *l, const struct cluster *c, const struct countlist *asked,
                const struct resv *of, const struct lease_time *time, usec_t *ret_start,
                uint32_t *ret_choice);
/* So many are left of the one at that place, all the time from then until then, were what without
   (NULL: none) holds free. */
uint64_t leases_left(struct leases *l, size_t place, usec_t from, usec_t until,
                const struct job_plan *without);
/* The earliest time from from on at which n of it can be had for so long; USEC_INFINITY: never. */
usec_t leases_from(struct leases *l, size_t place, uint64_t n, usec_t from, usec_t duration);
/* When it changes next after t; USEC_INFINITY: never. */
usec_t leases_next(const struct leases *l, size_t place, usec_t t);
/* Stretches looked at since the last call. */
uint64_t leases_steps(struct leases *l);
