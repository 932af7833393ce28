/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/sched/plan/usable.h - which nodes are available to jobs now, and how long jobs wait
   for fewer leaf switches: usable.c, switches.c */
#pragma once

#include "controller/sched/place/place.h"

/* Returns the nodes available to jobs now, with or without power; the caller frees. */
struct bitset *sched_usable(const struct cluster *c);
/* Returns whether in no partition of j enough nodes are in service, or a requested node is out
   of service: j waits for repairs, whatever job ends. */
bool job_lacks_nodes(const struct cluster *c, const struct job *j);
/* Returns whether waking the nodes of where would exceed max_powered_nodes; *powered: number of
   nodes with power or about to be woken, increased on success. */
bool sched_too_many_powered(const struct cluster *c, const struct placement *where,
                size_t *powered);
/* Returns the longest boot of the nodes in usable without power; 0: all have power. */
usec_t sched_longest_boot(const struct cluster *c, const struct bitset *usable);
/* Removes the nodes from usable that reservations keep from j, if j started now. Returns the
   period of the job, for place(). */
struct period sched_heed_reservations(const struct cluster *c, const struct job *j, usec_t now,
                struct bitset *usable);
/* Returns until when j (with --switches) waits for fewer switches, if a place on more switches
   is available now. */
usec_t sched_switches_until(const struct cluster *c, const struct job *j, usec_t now);
/* Returns whether the place has more leaf switches than requested, and j still waits for fewer. */
bool sched_waits_for_switches(struct cluster *c, const struct job *j, const struct placement *where,
                usec_t now);
