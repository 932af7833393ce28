/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/gres.h - generic resources: of nodes, requests of jobs, and the units that jobs
 * hold
 *
 * Jobs hold units from their start until nothing of them is left on the node; a suspended job keeps
 * them.  Use follows from the jobs on a node (alloc_recount()).  Units of a name are numbered on
 * each node from 0 on, in the order of its Gres; above GRES_UNITS_MAX units only the count is kept.
 *
 * Cores= of gres.conf makes sides of a node: sets of its cores, each with the units near them.
 * Side 0 is all cores. */
#pragma once

#include "controller/resources/gres_deal.h"
#include "lib/bitset.h"
#include "lib/gres.h"

#define GRES_UNITS_MAX 1024 /* as Slurm's */

#define GRES_SIDES_MAX 16 /* more than GRES_NEAR_MAX of lib/config/config.h, and all cores */
#define GRES_ANY_SIDE  UINT32_MAX

struct cluster;
struct config;
struct job;
struct job_node;
struct node;

struct node_gres { /* one item of Gres= */
        char *name, *type;
        uint64_t count, used;
        uint64_t left;  /* the most that a job could get; of shards those of one GPU */
        uint32_t first; /* the number of its first unit */
        bool numbered;
        /* of gres/shard: index of the first shard of each GPU, and their end (model/shards.h). */
        uint32_t *shards;
        uint32_t n_gpus;
        uint8_t *side; /* of each unit; NULL: all are on side 0 */
};

struct gres_share { /* a job's part of one of them; a job's shares are in the order of its nodes */
        uint32_t place; /* of the node in job->placed.alloc */
        uint32_t item;  /* of node->gres_items */
        uint64_t count;
        struct bitset *units; /* numbers within the item, from 0 on; NULL: only counted */
};

/* ---- nodes ---- */
/* Makes items of n->gres, which the configuration's reader has checked. */
void gres_configure(struct node *n);
/* Sets n's sides from Cores in config, for its present units, and the shards of each GPU. */
void gres_configure_sides(struct node *n, const struct config *config);
void gres_items_free(struct node *n);
/* The agent has found GPUs near these cores, one text ("0-7"; "": all) for each.  True: they have
   changed. */
bool gres_detected(struct node *n, const struct config *config, char *const *cores, size_t n_cores);
void gres_forget_detected(struct node *n);
/* Recounts the units that n's jobs hold. */
void gres_recount(struct node *n);
/* The agent has found found[] of each item.  -EINVAL: too few of one, which fail names. */
int gres_reported(const struct node *n, const uint64_t *found, struct fail *fail);
/* "gpu:a100:2(IDX:0-1),craynic:0"; the caller frees.  "" for nothing. */
char *gres_used_text(const struct node *n);
uint64_t gres_used_sum(const struct node *n); /* of all items, to notice that it becomes less */

/* ---- jobs ---- */
/* Parses the texts of j->asked.  *ret NULL: no request.  -EINVAL: a contradiction, or no node of c
   has such a resource. */
int gres_wants_parse(const struct cluster *c, const struct job *j, struct gres_wants **ret,
                struct fail *fail);
struct gres_wants *gres_wants_copy(const struct gres_wants *w); /* takes NULL */
struct gres_wants *gres_wants_free(struct gres_wants *w);
DEFINE_CLEANUP(struct gres_wants *, gres_wants_free)
/* The units that tasks need, and the tasks that units are enough for. */
uint64_t gres_of_tasks(const struct gres_want *w, uint64_t tasks);
uint64_t gres_tasks_of(const struct gres_want *w, uint64_t count);
/* GPUs of a node (per_task 0) or task that follow from its wants. */
uint64_t gres_gpus_per_node(const struct gres_wants *w);
uint64_t gres_gpus_per_task(const struct gres_wants *w);

/* Units on n that match w and are free or held by jobs of gone (indexes in c->active; may be NULL);
   ever: all that n has.  Of shards those of one GPU. */
uint64_t gres_left(const struct node *n, const struct gres_want *w, const struct bitset *gone,
                bool ever);
/* The same for each side, added to left[]. */
void gres_left_by_side(const struct node *n, const struct gres_want *w, const struct bitset *gone,
                bool ever, uint64_t left[GRES_SIDES_MAX]);
/* Of counts, one for each item of n, all of that name. */
int64_t gres_sum_named(const struct node *n, const int64_t *counts, const char *name);
/* So many could be had for w: where one item has less than 0, others of its name make up for it. */
uint64_t gres_sum(const struct node *n, const int64_t *counts, const struct gres_want *w);
/* The want is for shards: a job gets all of them from one GPU. */
bool gres_wants_shards(const struct gres_want *w);
/* Gives count units of w on the node at index place (free ones, lowest first), of the sides in the
   bits sides, as shares; shares are in the order of places and end with this node's, which count as
   taken.  Returns how many are missing. */
uint64_t gres_give(const struct node *n, const struct gres_want *w, uint64_t count, uint32_t sides,
                uint32_t place, const struct bitset *gone, bool ever, struct gres_share **shares,
                size_t *n_shares);
/* Units of n near those shares: for each name near one of them.  *ret_sides: their sides.  NULL:
   all units. */
struct bitset *gres_near(const struct node *n, const struct gres_share *shares, size_t n_shares,
                uint32_t *ret_sides);
/* Whether v's part of n conflicts with those shares: common units, counted ones of an item, or
   shards of a GPU. */
bool gres_overlap(const struct job *v, const struct node *n, const struct gres_share *shares,
                size_t n_shares);
/* Gives all free units of n, or all that it has (ever). */
void gres_give_all(const struct node *n, uint32_t place, const struct bitset *gone, bool ever,
                struct gres_share **shares, size_t *n_shares);
void gres_shares_free(struct gres_share *shares, size_t n);
/* The first share of a place, and their number. */
const struct gres_share *gres_shares_of(const struct gres_share *shares, size_t n, uint32_t place,
                size_t *ret_n);

/* "gpu:a100:2(IDX:0-1)": shares of one place on node n, units by their numbers on the node; the
   caller frees. */
char *gres_shares_text(const struct node *n, const struct gres_share *shares, size_t n_shares);
/* The same for display, with the shards of each GPU: "shard:2(2/4,0/4)".  NULL: the same text. */
char *gres_shares_shown(const struct node *n, const struct gres_share *shares, size_t n_shares);
/* Parses such a text and adds it to shares.  -EINVAL: the node does not have that. */
int gres_shares_parse(const struct node *n, const char *text, uint32_t place,
                struct gres_share **shares, size_t *n_shares, struct fail *fail);
/* All units of a job, by name and type: "gpu:a100:4,craynic:2"; with tres by name alone:
   "gres/craynic=2,gres/gpu=4". */
char *gres_total_text(const struct job *j, bool tres);
/* The same of its request, as far as known before its start, for that many nodes and tasks. */
char *gres_asked_text(const struct gres_wants *w, uint64_t nodes, uint64_t tasks);
char *gres_node_tres(const struct node *n, bool used);
/* Of a set of nodes: "gres/gpu=8"; used: those held by jobs.  "" for nothing. */
char *gres_nodes_text(struct node *const *nodes, const struct bitset *set, bool used);
