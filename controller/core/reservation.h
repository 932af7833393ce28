/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/reservation.h - reservations: nodes that are kept for some users from when until when
 *
 * Times go by the wall clock, as people ask for them by it.  A reservation that comes again (DAILY, ...) has the times of
 * the turn that is under way or comes next.  One that has begun is "active": its nodes show RESERVED or MAINT.
 * Which jobs may use which nodes when is decided by resv_filter(), and nowhere else. */
#pragma once

#include "lib/bitset.h"
#include "lib/errors.h"
#include "lib/fail.h"

#include <sys/types.h>

struct cluster;
struct job;
struct submitter;

enum resv_flag { /* the store's numbers */
        RESV_MAINT = 1 << 0,
        RESV_OVERLAP = 1 << 1,
        RESV_IGNORE_JOBS = 1 << 2,
        RESV_HOURLY = 1 << 3,
        RESV_DAILY = 1 << 4,
        RESV_WEEKLY = 1 << 5,
        RESV_WEEKDAY = 1 << 6,
        RESV_WEEKEND = 1 << 7,
        RESV_FLEX = 1 << 8,
        RESV_SPEC_NODES = 1 << 9,
        RESV_STATIC = 1 << 10,
        RESV_PURGE = 1 << 11,
        RESV_NO_HOLD = 1 << 12,
        RESV_USER_DELETE = 1 << 13,
        RESV_ALL = (1 << 14) - 1,
};
#define RESV_REPEATS (RESV_HOURLY | RESV_DAILY | RESV_WEEKLY | RESV_WEEKDAY | RESV_WEEKEND)

/* More would make each decision slow; a site has dozens. */
#define RESV_MAX 1000

struct resv {
        char *name;
        usec_t start, end; /* CLOCK_REALTIME */
        char *users, *accounts, *groups; /* lists with commas, each name perhaps behind a "-"; NULL: not asked */
        char *partition, *features;      /* as asked; NULL */
        uint32_t node_count;             /* asked for; 0: the nodes were named */
        struct bitset *nodes;
        unsigned flags;
        usec_t purge;      /* PURGE_COMP: unused so long, it goes */
        usec_t idle_since; /* 0: it has jobs, or has not begun */
        uid_t creator;
        bool active;
};

struct resvs {
        struct resv **list; /* in the order in which they were made */
        size_t n, allocated;
        uint32_t made;  /* so many up to now, for names like root_1 */
        usec_t armed;
        bool want;      /* one may have lost its last job */
        bool dirty;     /* to be stored */
};

struct resv *resv_find(const struct cluster *c, const char *name); /* NULL: there is none */

/* One wish of "scontrol create" or "update reservation": key as typed, perhaps with a "+" or "-" behind it. */
struct resv_wish {
        const char *key, *value;
};
/* A new one, of what is wished (fail says more); *ret is the cluster's. */
enum slumber_error resv_create(struct cluster *c, const struct resv_wish *wishes, size_t n, uid_t creator, usec_t now,
                struct resv **ret, struct fail *fail);
/* All that is wished or nothing. */
enum slumber_error resv_update(struct cluster *c, struct resv *r, const struct resv_wish *wishes, size_t n, usec_t now,
                struct fail *fail);
/* SLUMBER_RESERVATION_BUSY while jobs wait for it or run in it. */
enum slumber_error resv_delete(struct cluster *c, struct resv *r, usec_t now);
bool resv_is_used(const struct cluster *c, const struct resv *r);

/* What is due: beginnings, ends, turns; and the deadline of the next.  Also at the start and after a new configuration. */
void resv_review(struct cluster *c, usec_t now);
/* One is new or another than it was: plans, nodes and deadlines follow. */
void resv_changed(struct cluster *c, usec_t now);
/* Do two of their turns overlap, as far as a year ahead? */
bool resv_overlap(const struct resv *a, const struct resv *b);
/* Nodes have other numbers: names says which r had, of those that are still there. */
void resv_rebind(struct cluster *c, struct resv *r, const char *names);
/* A stored one joins; r is taken. */
void resv_add(struct cluster *c, struct resv *r);
void resvs_done(struct cluster *c);
struct resv *resv_free(struct resv *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv *, resv_free)

/* May that user run jobs of that account (NULL: none) in it; who->groups counts where r has groups. */
bool resv_admits(const struct resv *r, const struct submitter *who, const char *account);
/* "MAINT,DAILY,SPEC_NODES", as scontrol shows it; the caller frees. */
char *resv_flags_text(const struct resv *r);

/* ---- for the schedulers ---- */

/* Takes the nodes out of usable that j must not have from then until then. */
void resv_filter(const struct cluster *c, const struct job *j, usec_t from, usec_t until, struct bitset *usable);
/* The next start after that at which resv_filter() may answer otherwise for a job that takes so long; USEC_INFINITY. */
usec_t resv_next_change(const struct cluster *c, const struct job *j, usec_t after, usec_t duration);
/* When j must end that starts then and would go on until then: with its reservation. */
usec_t resv_until(const struct job *j, usec_t start, usec_t until);
/* j's reservation has not begun, and j may not begin before it. */
bool resv_is_awaited(const struct job *j, usec_t now);
