/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/reservation.h - reservations: nodes, cores and licenses for some users
 * between two times
 *
 * Times follow the wall clock, like users' times.  A recurring reservation (DAILY, ...) has the
 * times of the present or next occurrence (turn).  A reservation that has begun is active: the
 * nodes show RESERVED or MAINT.  resv_filter() alone decides which jobs may use which nodes at
 * which time. */
#pragma once

#include "controller/model/reservation.h"
#include "lib/bitset.h"
#include "lib/countlist.h"
#include "lib/errors.h"
#include "lib/fail.h"

#include <sys/types.h>

struct cluster;
struct node;
struct job;
struct node;
struct submitter;

struct resv *resv_find(const struct cluster *c, const char *name); /* NULL: no such reservation */

bool resv_has_jobs(const struct cluster *c, const struct resv *r); /* on nodes */
bool resv_is_used(const struct cluster *c, const struct resv *r);  /* on nodes or pending */

/* Returns whether any turns of a and b overlap within a year. */
bool resv_overlap(const struct resv *a, const struct resv *b);
/* Nodes have new indexes: names has the nodes of r that still exist. */
void resv_rebind(struct cluster *c, struct resv *r, const char *names);
/* Adds a stored reservation; takes ownership of r. */
void resv_add(struct cluster *c, struct resv *r);
/* Returns whether n stays up because of warm_up and an active reservation. */
bool resv_keeps_awake(const struct cluster *c, const struct node *n);
void resvs_done(struct cluster *c);
struct resv *resv_free(struct resv *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv *, resv_free)

/* Returns whether the submitter may use r with the account and QOS (NULL: none). */
bool resv_admits(const struct resv *r, const struct submitter *submitter, const char *account,
                const char *qos);
/* resv_admits() for a submitted job: only the user's primary group is known. */
bool resv_admits_job(const struct resv *r, const struct job *j);
/* resv_admits() for a job that was admitted to r at submission: the groups are not checked
   again. */
bool resv_still_admits(const struct resv *r, const struct job *j);

/* ---- which nodes (reservation_nodes.c) ---- */

/* Checks whether the named nodes of draft, which replaces old (NULL: new), are free at the time. */
enum slumber_error resv_check_named(const struct cluster *c, const struct resv *draft,
                const struct resv *old, usec_t now, struct fail *fail);
/* Fills draft->nodes, for a number of nodes, with the present nodes, then idle nodes, by weight. */
enum slumber_error resv_pick(const struct cluster *c, struct resv *draft, const struct resv *old,
                usec_t now, struct fail *fail);
/* Replaces nodes out of service (REPLACE: busy nodes, too) by idle nodes, if the flags allow;
   PART_NODES: all nodes of the partition, ALL_NODES: all nodes.  Returns whether the nodes have
   changed. */
bool resv_replace(const struct cluster *c, struct resv *r, usec_t now);
/* j has started: replaces the nodes of j in a REPLACE reservation by idle nodes before a further
   job starts. */
void resv_replenish(struct cluster *c, const struct job *j, usec_t now);

/* ---- which cores (reservation_cores.c) ---- */

/* CoreCnt: chooses cores (cpus: CPUs) on each of draft->nodes, or on draft->node_count nodes of the
   partition, or (without both) on as few nodes as possible.  Fills draft->cores, and draft->nodes
   if empty. */
enum slumber_error resv_pick_cores(const struct cluster *c, struct resv *draft,
                const struct resv_count *count, usec_t now, struct fail *fail);
/* Returns the cores that reservations keep from j between from and until; a job bound to a
   reservation has only the cores of the reservation.  always: only the latter rule, at any time.
   Computed once for all nodes; valid until a reservation changes. */
struct resv_kept *resv_kept_new(const struct cluster *c, const struct job *j, usec_t from,
                usec_t until, bool always);
struct resv_kept *resv_kept_free(struct resv_kept *k); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv_kept *, resv_kept_free)
/* Adds the kept units of n to set. */
void resv_kept_block(const struct resv_kept *k, const struct node *n, struct bitset *set);
/* Returns the reserved units of the node, borrowed; NULL: none. */
const struct bitset *resv_cores_on(const struct resv *r, size_t node);
/* Adds cores of a stored reservation; text as bitset_text() writes it. */
void resv_cores_add(const struct cluster *c, struct resv *r, const char *node, const char *text);
/* Adapts to new node indexes or changed units. */
void resv_cores_rebind(const struct cluster *c, struct resv *r);
bool resv_cores_overlap(const struct resv *a, const struct resv *b); /* any core in common */
void resv_cores_copy(struct resv *to, const struct resv *from);
void resv_cores_free(struct resv *r);

/* ---- which reservation (reservation_choice.c) ---- */

/* Lists the reservations in which j may be tried now, at most RESV_CHOICES_MAX; a NULL entry:
   outside of all reservations.  A job with --reservation gets the named reservations that still
   admit the job; any further job gets the active (ahead: or future) MAGNETIC reservations that
   admit the job and last long enough, and then NULL. */
size_t resv_choices(const struct cluster *c, const struct job *j, bool ahead, usec_t now,
                struct resv *ret[RESV_CHOICES_MAX]);
bool resv_is_list(const struct job *j); /* j names several */
/* Returns whether no reservation named by j admits j any more. */
bool resv_excludes_job(const struct cluster *c, const struct job *j);
/* Returns whether j names the reservation, alone or in a list. */
bool resv_is_named(const struct job *j, const char *name);
/* Checks a list of reservations for a job of the submitter, account and QOS; *ret: the first
   reservation, or the refusing reservation (SLUMBER_RESERVATION_ACCESS).
   viewer_check_reservations() also checks the visibility for the sender of a request. */
enum slumber_error resv_check_list(const struct cluster *c, const char *list,
                const struct submitter *submitter, const char *account, const char *qos,
                struct resv **ret);
char *resv_list_without(const char *list, const char *name); /* the caller frees */
/* Returns the first existing reservation that j names; NULL: none. */
struct resv *resv_of_job(const struct cluster *c, const struct job *j);
/* j starts in j->placed.resv, or is pending again: set the displayed reservation. */
void resv_job_starts(struct job *j);
void resv_job_returns(const struct cluster *c, struct job *j);

/* ---- for the schedulers ---- */

/* Returns the nodes that r may ever have: present nodes, and with REPLACE possible replacements;
   the caller frees. */
struct bitset *resv_reach(const struct cluster *c, const struct resv *r, usec_t now);
bool resv_wanders(const struct resv *r); /* nodes may be replaced */
/* Returns whether v runs on nodes lent by a reservation. */
bool resv_has_lent(const struct cluster *c, const struct job *v);
/* Returns whether v runs on nodes lent by the reservation of j. */
bool resv_wants_back(const struct job *j, const struct job *v);
/* resv_filter() with `own` as the nodes of j's reservation. */
void resv_filter_in(const struct cluster *c, const struct job *j, const struct bitset *own,
                usec_t from, usec_t until, struct bitset *usable);
/* Removes nodes from usable that j must not use between from and until; for cores see
   resv_kept_block(). */
void resv_filter(const struct cluster *c, const struct job *j, usec_t from, usec_t until,
                struct bitset *usable);
/* Returns whether r keeps j off r's nodes or cores at some time in [from, until). */
bool resv_keeps_off(const struct resv *r, const struct job *j, usec_t from, usec_t until);
/* Returns whether j may use only the nodes or cores of j's reservation. */
bool resv_binds(const struct job *j);
/* Returns the next start time later than `after` with a new result of resv_filter() for a job of
   the duration; USEC_INFINITY: none. */
usec_t resv_next_change(const struct cluster *c, const struct job *j, usec_t after,
                usec_t duration);
/* Returns the earlier of until and the end of r's turn at start. */
usec_t resv_until_in(const struct resv *r, usec_t start, usec_t until);
/* Returns whether r is active at some time in [from, until). */
bool resv_lasts_in(const struct resv *r, usec_t from, usec_t until);
/* Returns the first turn that ends after t; false: none. */
struct resv_turn {
        usec_t start, end, late; /* see struct resv */
};
bool resv_turn_at(const struct resv *r, usec_t t, struct resv_turn *ret);
/* Iterates over turns of r: with start 0 returns the first turn that is not over, then the next;
   false: no more. */
bool resv_next_turn(const struct resv *r, struct resv_turn *turn);
/* Returns the end of j, started at start with until as the latest end: at most the end of j's
   reservation. */
usec_t resv_until(const struct job *j, usec_t start, usec_t until);
/* Returns whether no reservation of j is active yet and j must wait for the start. */
bool resv_is_awaited(const struct cluster *c, const struct job *j, usec_t now);
