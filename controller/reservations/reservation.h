/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/reservation.h - reservations: nodes that are kept for some users from when until when
 *
 * Times go by the wall clock, as people ask for them by it.  A reservation that comes again (DAILY, ...) has the times of
 * the turn that is under way or comes next.  One that has begun is "active": its nodes show RESERVED or MAINT.
 * Which jobs may use which nodes when is decided by resv_filter(), and nowhere else. */
#pragma once

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
        RESV_MAGNETIC = 1 << 14,
        RESV_REPLACE = 1 << 15,
        RESV_REPLACE_DOWN = 1 << 16,
        RESV_FLOAT = 1 << 17,
        RESV_ANY_NODES = 1 << 18,
        RESV_PART_NODES = 1 << 19,
        RESV_FIRST_CORES = 1 << 20,
        RESV_ALL_NODES = 1 << 21,
        RESV_ALL = (1 << 22) - 1,
};
#define RESV_REPEATS (RESV_HOURLY | RESV_DAILY | RESV_WEEKLY | RESV_WEEKDAY | RESV_WEEKEND)

/* More would make each decision slow; a site has dozens. */
#define RESV_MAX 1000
/* A job may name so many, or is tried in so many that attract it. */
#define RESV_CHOICES_MAX 32

/* Of a node that it has not whole. */
struct resv_cores {
        char *node;
        size_t index; /* of that node */
        struct bitset *units;
};

struct resv {
        char *name;
        usec_t start, end; /* CLOCK_REALTIME */
        bool by_end; /* EndTime was given, not a Duration: it stays when it is to begin at another time */
        char *users, *accounts, *groups, *qos; /* lists with commas, each name perhaps behind a "-"; NULL: not asked */
        char *partition, *features;      /* as asked; NULL */
        uint32_t node_count;             /* asked for; 0: the nodes were named */
        struct bitset *nodes;
        struct resv_cores *cores; /* CoreCnt: of each of its nodes, in their order, these units alone */
        size_t n_cores;           /* 0: it has whole nodes */
        struct countlist *licenses; /* kept for its jobs; NULL: none */
        uint32_t *licenses_used;    /* of each of these: what its jobs hold (license.c) */
        unsigned flags;
        usec_t ahead;      /* TIME_FLOAT: it begins so long after any now */
        usec_t max_start_delay; /* a job that may use it but does not ask for it may be on its nodes so long; 0: not at all */
        usec_t purge;      /* PURGE_COMP: unused so long, it goes */
        usec_t idle_since; /* 0: it has jobs, or has not begun */
        uid_t creator;
        usec_t over; /* when the turn ended of which jobs still run (ResvOverRun); 0: none do */
        bool active;
};

struct resvs {
        struct resv **list; /* in the order in which they were made */
        size_t n, allocated;
        uint32_t made;  /* so many up to now, for names like root_1 */
        usec_t armed;
        bool moved;     /* one has other nodes since they were reviewed last */
        bool replaces;  /* nodes of some may be replaced by others */
        bool licenses;  /* some keep licenses */
        bool magnetic;  /* some attract jobs */
        bool cores;     /* some have cores, not whole nodes */
        bool personal;  /* the result of resv_filter() depends on the job's user */
};

struct resv *resv_find(const struct cluster *c, const char *name); /* NULL: there is none */

bool resv_is_used(const struct cluster *c, const struct resv *r);

/* Do two of their turns overlap, as far as a year ahead? */
bool resv_overlap(const struct resv *a, const struct resv *b);
/* Nodes have other numbers: names says which r had, of those that are still there. */
void resv_rebind(struct cluster *c, struct resv *r, const char *names);
/* A stored one joins; r is taken. */
void resv_add(struct cluster *c, struct resv *r);
/* With warm_up it stays up while its reservation lasts; else the rules are those of any node. */
bool resv_keeps_awake(const struct cluster *c, const struct node *n);
void resvs_done(struct cluster *c);
struct resv *resv_free(struct resv *r); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv *, resv_free)

/* May that user run jobs of that account (NULL: none) in it; submitter->groups counts where r has groups. */
bool resv_admits(const struct resv *r, const struct submitter *submitter, const char *account, const char *qos);
/* The same, long after it was submitted: of its user's groups the first is known. */
bool resv_admits_job(const struct resv *r, const struct job *j);
/* ... that was let in when it named the reservation; all of its user's groups were known only then. */
bool resv_still_admits(const struct resv *r, const struct job *j);

/* ---- which nodes (reservation_nodes.c) ---- */

/* draft, which may come in the place of old (NULL: it is new), names nodes: are they free of others then? */
enum slumber_error resv_check_named(const struct cluster *c, const struct resv *draft, const struct resv *old, usec_t now,
                struct fail *fail);
/* ... it counts them: fills draft->nodes with what it has, then idle nodes, light ones first. */
enum slumber_error resv_pick(const struct cluster *c, struct resv *draft, const struct resv *old, usec_t now, struct fail *fail);
/* Nodes out of service (REPLACE: also busy ones) give way to idle ones, so far as there are any, where its flags allow it;
   those of PART_NODES are its partition's, those of ALL_NODES all.  true: it has others now. */
bool resv_replace(const struct cluster *c, struct resv *r, usec_t now);
/* j has started: where it has nodes of a REPLACE one, idle ones come for them at once, before another job starts there. */
void resv_replenish(struct cluster *c, const struct job *j, usec_t now);

/* ---- which cores (reservation_cores.c) ---- */

/* So many cores (cpus: CPUs) as CoreCnt says: of each of draft->nodes, or of draft->node_count nodes of its partition, or (both
   none) of as few as have them.  Fills draft->cores, and draft->nodes where it was empty. */
struct resv_count {
        const uint32_t *list;
        size_t n;
        bool cpus;
};
enum slumber_error resv_pick_cores(const struct cluster *c, struct resv *draft, const struct resv_count *count, usec_t now,
                struct fail *fail);
/* What others with cores keep from j from then until then, and where it is to keep to its own reservation, all but that; always: no
   matter when, only the latter.  Each is asked once, for all nodes.  It is good until a reservation changes. */
struct resv_kept *resv_kept_new(const struct cluster *c, const struct job *j, usec_t from, usec_t until, bool always);
struct resv_kept *resv_kept_free(struct resv_kept *k); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct resv_kept *, resv_kept_free)
/* Such units of n join set. */
void resv_kept_block(const struct resv_kept *k, const struct node *n, struct bitset *set);
/* NULL: it has none there. */
const struct bitset *resv_cores_on(const struct resv *r, size_t node);
/* A stored one's; text as bitset_text() writes it. */
void resv_cores_add(const struct cluster *c, struct resv *r, const char *node, const char *text);
/* Nodes have other numbers, or units. */
void resv_cores_rebind(const struct cluster *c, struct resv *r);
bool resv_cores_overlap(const struct resv *a, const struct resv *b); /* they have common ones */
void resv_cores_copy(struct resv *to, const struct resv *from);
void resv_cores_free(struct resv *r);

/* ---- which reservation (reservation_choice.c) ---- */

/* Those that j may be tried in at present, at most RESV_CHOICES_MAX; NULL among them: outside of all.  A job that names some
   has those of them that still admit it; one that names none those that are MAGNETIC, have begun (ahead: or will), would take it and last long enough, and
   then NULL. */
size_t resv_choices(const struct cluster *c, const struct job *j, bool ahead, usec_t now, struct resv *ret[RESV_CHOICES_MAX]);
bool resv_is_list(const struct job *j); /* it names several */
/* None of those that j names admits it any more: they are for others since it was submitted. */
bool resv_excludes_job(const struct cluster *c, const struct job *j);
/* Does it name r, alone or among others. */
bool resv_is_named(const struct job *j, const char *name);
/* All of a list of names, for a job of that user, account and QOS; *ret: the first of them, or the one that refuses it
   (SLUMBER_RESERVATION_ACCESS).  viewer_check_reservations() asks for what the sender of a request may see, too. */
enum slumber_error resv_check_list(const struct cluster *c, const char *list, const struct submitter *submitter, const char *account,
                const char *qos, struct resv **ret);
char *resv_list_without(const char *list, const char *name); /* the caller frees */
/* The first of those that it names and that there are; NULL. */
struct resv *resv_of_job(const struct cluster *c, const struct job *j);
/* j starts in j->resv, or is back in the queue: what it shows is what it has. */
void resv_job_starts(struct job *j);
void resv_job_returns(const struct cluster *c, struct job *j);

/* ---- for the schedulers ---- */

/* Nodes that r may have in the course of time: its own, and with REPLACE those that may come instead. */
struct bitset *resv_reach(const struct cluster *c, const struct resv *r, usec_t now);
bool resv_wanders(const struct resv *r); /* there are such */
/* j has --signal=R: and MaxStartDelay of r is at least its signal's time: it may run on the nodes of r whatever r's Users.  A job of r that
   needs them preempts it, and it has its signal's time to end. */
bool resv_lends(const struct resv *r, const struct job *j);
/* v holds nodes of a reservation that lends them to it. */
bool resv_has_lent(const struct cluster *c, const struct job *v);
/* ... which j is in. */
bool resv_wants_back(const struct job *j, const struct job *v);
/* As resv_filter(), were own the nodes of j's reservation. */
void resv_filter_in(const struct cluster *c, const struct job *j, const struct bitset *own, usec_t from, usec_t until,
                struct bitset *usable);
/* Takes the nodes out of usable that j must not have from then until then; of cores: resv_kept_block(). */
void resv_filter(const struct cluster *c, const struct job *j, usec_t from, usec_t until, struct bitset *usable);
/* r keeps j off its nodes or cores at some time in [from, until). */
bool resv_keeps_off(const struct resv *r, const struct job *j, usec_t from, usec_t until);
/* j is to have its reservation's nodes or cores alone. */
bool resv_binds(const struct job *j);
/* The next start after that at which resv_filter() may answer otherwise for a job that takes so long; USEC_INFINITY. */
usec_t resv_next_change(const struct cluster *c, const struct job *j, usec_t after, usec_t duration);
/* Until then at most, and the end of r's turn that is under way. */
usec_t resv_until_in(const struct resv *r, usec_t start, usec_t until);
/* r is under way, or begins, in [from, until). */
bool resv_lasts_in(const struct resv *r, usec_t from, usec_t until);
/* The first turn that ends after t; false: there is none. */
bool resv_turn_at(const struct resv *r, usec_t t, usec_t *start, usec_t *end);
/* Its turns one after the other: with *ret_start 0 the first that is not over, then the next; false: there are no more. */
bool resv_next_turn(const struct resv *r, usec_t *start, usec_t *end);
/* When j must end that starts then and would go on until then: with its reservation. */
usec_t resv_until(const struct job *j, usec_t start, usec_t until);
/* None of j's reservations has begun, and j may not begin before. */
bool resv_is_awaited(const struct cluster *c, const struct job *j, usec_t now);
