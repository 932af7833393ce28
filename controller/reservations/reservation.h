/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/reservation.h - reservations: nodes, cores and licenses for some users
 * between two times
 *
 * Times go by the wall clock, as users give them.  A recurring reservation (DAILY, ...) has the
 * times of its present or next occurrence (turn).  One that has begun is active: its nodes show
 * RESERVED or MAINT. Only resv_filter() decides which jobs may use which nodes at which time. */
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

struct resv *resv_find(const struct cluster *c, const char *name); /* NULL: there is none */

bool resv_has_jobs(const struct cluster *c, const struct resv *r); /* on nodes */
bool resv_is_used(const struct cluster *c, const struct resv *r);  /* ... or pending */

/* Whether two of their turns overlap within a year. */
bool resv_overlap(const struct resv *a, const struct resv *b);
/* Nodes have new indexes: names has the nodes of r that still exist. */
void resv_rebind(struct cluster *c, struct resv *r, const char *names);
/* Adds a stored reservation; takes ownership of r. */
void resv_add(struct cluster *c, struct resv *r);
/* With warm_up the nodes of an active reservation stay up; else the usual rules apply. */
bool resv_keeps_awake(const struct cluster *c, const struct node *n);
void resvs_done(struct cluster *c);
struct resv *resv_free(struct resv *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv *, resv_free)

/* Whether the submitter may use r with that account and QOS (NULL: none). */
bool resv_admits(const struct resv *r, const struct submitter *submitter, const char *account,
                const char *qos);
/* The same for a submitted job: only the primary group of its user is known. */
bool resv_admits_job(const struct resv *r, const struct job *j);
/* The same for a job that was admitted when it named r, with all groups of its user. */
bool resv_still_admits(const struct resv *r, const struct job *j);

/* ---- which nodes (reservation_nodes.c) ---- */

/* Whether the named nodes of draft, which replaces old (NULL: new), are free at that time. */
enum slumber_error resv_check_named(const struct cluster *c, const struct resv *draft,
                const struct resv *old, usec_t now, struct fail *fail);
/* For a number of nodes: fills draft->nodes with its present nodes, then idle ones, by weight. */
enum slumber_error resv_pick(const struct cluster *c, struct resv *draft, const struct resv *old,
                usec_t now, struct fail *fail);
/* Replaces nodes out of service (REPLACE: also busy ones) by idle ones, where its flags allow it;
   PART_NODES: all nodes of its partition, ALL_NODES: all nodes.  true: its nodes have changed. */
bool resv_replace(const struct cluster *c, struct resv *r, usec_t now);
/* j has started: replaces its nodes in a REPLACE reservation by idle ones before another job
   starts. */
void resv_replenish(struct cluster *c, const struct job *j, usec_t now);

/* ---- which cores (reservation_cores.c) ---- */

/* CoreCnt: cores (cpus: CPUs) on each of draft->nodes, or on draft->node_count nodes of its
   partition, or (without both) on as few nodes as have them.  Fills draft->cores, and draft->nodes
   where it was empty. */
enum slumber_error resv_pick_cores(const struct cluster *c, struct resv *draft,
                const struct resv_count *count, usec_t now, struct fail *fail);
/* The cores that reservations keep from j between from and until; a job bound to its own
   reservation has only that one's. always: only the latter, at any time.  Computed once for all
   nodes; valid until a reservation changes. */
struct resv_kept *resv_kept_new(const struct cluster *c, const struct job *j, usec_t from,
                usec_t until, bool always);
struct resv_kept *resv_kept_free(struct resv_kept *k); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv_kept *, resv_kept_free)
/* Adds these units of n to set. */
void resv_kept_block(const struct resv_kept *k, const struct node *n, struct bitset *set);
/* The reserved units of the node; NULL: none. */
const struct bitset *resv_cores_on(const struct resv *r, size_t node);
/* Adds cores of a stored reservation; text as bitset_text() writes it. */
void resv_cores_add(const struct cluster *c, struct resv *r, const char *node, const char *text);
/* Nodes have new indexes, or units. */
void resv_cores_rebind(const struct cluster *c, struct resv *r);
bool resv_cores_overlap(const struct resv *a, const struct resv *b); /* they have common ones */
void resv_cores_copy(struct resv *to, const struct resv *from);
void resv_cores_free(struct resv *r);

/* ---- which reservation (reservation_choice.c) ---- */

/* The reservations that j may be tried in now, at most RESV_CHOICES_MAX; NULL among them: outside
   of all.  A job with --reservation has those of them that still admit it; others have the active
   (ahead: or future) MAGNETIC ones that admit the job and last long enough, and then NULL. */
size_t resv_choices(const struct cluster *c, const struct job *j, bool ahead, usec_t now,
                struct resv *ret[RESV_CHOICES_MAX]);
bool resv_is_list(const struct job *j); /* it names several */
/* No reservation that j names admits it any more. */
bool resv_excludes_job(const struct cluster *c, const struct job *j);
/* j names it, alone or among others. */
bool resv_is_named(const struct job *j, const char *name);
/* Checks a list of names for a job of that submitter, account and QOS; *ret: the first of them, or
   the one that refuses (SLUMBER_RESERVATION_ACCESS).  viewer_check_reservations() also checks what
   the sender of a request may see. */
enum slumber_error resv_check_list(const struct cluster *c, const char *list,
                const struct submitter *submitter, const char *account, const char *qos,
                struct resv **ret);
char *resv_list_without(const char *list, const char *name); /* the caller frees */
/* The first existing reservation that j names; NULL: none. */
struct resv *resv_of_job(const struct cluster *c, const struct job *j);
/* j starts in j->placed.resv, or is pending again: sets the reservation that is shown. */
void resv_job_starts(struct job *j);
void resv_job_returns(const struct cluster *c, struct job *j);

/* ---- for the schedulers ---- */

/* The nodes that r may ever have: its own, and with REPLACE possible replacements. */
struct bitset *resv_reach(const struct cluster *c, const struct resv *r, usec_t now);
bool resv_wanders(const struct resv *r); /* its nodes may be replaced */
/* j has --signal=R: and MaxStartDelay of r is at least its signal's time: it may run on the nodes
   of r whatever r's Users.  A job of r that needs them preempts it with its signal's time as
   GraceTime. */
bool resv_lends(const struct resv *r, const struct job *j);
/* v runs on nodes that a reservation lends to it. */
bool resv_has_lent(const struct cluster *c, const struct job *v);
/* ... and j is a job of that reservation. */
bool resv_wants_back(const struct job *j, const struct job *v);
/* As resv_filter(), as if own were the nodes of j's reservation. */
void resv_filter_in(const struct cluster *c, const struct job *j, const struct bitset *own,
                usec_t from, usec_t until, struct bitset *usable);
/* Removes nodes from usable that j must not use between from and until; for cores:
   resv_kept_block(). */
void resv_filter(const struct cluster *c, const struct job *j, usec_t from, usec_t until,
                struct bitset *usable);
/* r keeps j off its nodes or cores at some time in [from, until). */
bool resv_keeps_off(const struct resv *r, const struct job *j, usec_t from, usec_t until);
/* j may use only its reservation's nodes or cores. */
bool resv_binds(const struct job *j);
/* The next start time after after with another result of resv_filter() for a job of that duration;
   USEC_INFINITY: none. */
usec_t resv_next_change(const struct cluster *c, const struct job *j, usec_t after,
                usec_t duration);
/* The earlier of until and the end of r's turn at start. */
usec_t resv_until_in(const struct resv *r, usec_t start, usec_t until);
/* r is active at some time in [from, until). */
bool resv_lasts_in(const struct resv *r, usec_t from, usec_t until);
/* The first turn that ends after t; false: there is none. */
struct resv_turn {
        usec_t start, end, late; /* as of struct resv */
};
bool resv_turn_at(const struct resv *r, usec_t t, struct resv_turn *ret);
/* Iterates over its turns: with start 0 the first that is not over, then the next; false: no
   more. */
bool resv_next_turn(const struct resv *r, struct resv_turn *turn);
/* The end of j if it starts at start and could run until until: at the latest that of its
   reservation. */
usec_t resv_until(const struct job *j, usec_t start, usec_t until);
/* None of j's reservations is active yet, and j may not start before. */
bool resv_is_awaited(const struct cluster *c, const struct job *j, usec_t now);
