/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/usable.h - which nodes jobs may have now, and how long one waits for
   others: usable.c, switches.c */
#pragma once

#include "controller/sched/place/place.h"

/* The nodes that jobs may have now, switched off or not; the caller frees. */
struct bitset *sched_usable(const struct cluster *c);
/* In none of its partitions are so many of the nodes in service that it may have, or one is not
   that it names: it waits for some to be mended, whatever else ends. */
bool job_lacks_nodes(const struct cluster *c, const struct job *j);
/* max_powered_nodes would not allow to wake so many; *powered: that have power or will get it. */
bool sched_too_many_powered(const struct cluster *c, const struct placement *where,
                size_t *powered);
/* How long the slowest of usable that has no power would need before a job's time begins. */
usec_t sched_longest_boot(const struct cluster *c, const struct bitset *usable);
/* Takes the nodes out of usable that reservations keep from j, were it to start now.  Returns when
   it would run: for place(). */
struct period sched_heed_reservations(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable);
/* How long j, which says --switches, waits for fewer if it could start now. */
usec_t sched_switches_until(const struct cluster *c, const struct job *j, usec_t now);
/* It is on more leaf switches than wished, and the job is to wait for fewer yet. */
bool sched_waits_for_switches(struct cluster *c, const struct job *j, const struct placement *where,
                usec_t now);
