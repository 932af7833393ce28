/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/gres.h - generic resources: of nodes, in requests of jobs, and units held by
 * jobs
 *
 * Jobs hold units from their start until they have left the node; suspended jobs keep their units.
 * The units in use are derived from the jobs on a node (alloc_recount()).  Units of a name are
 * numbered on each node from 0, in the order of Gres; with more than GRES_UNITS_MAX units only the
 * count is kept.
 *
 * Cores= in gres.conf divides a node into sides: sets of cores with the units near them.  Side 0 is
 * all cores. */
#pragma once

#include "controller/resources/gres_deal.h"
#include "lib/bitset.h"
#include "lib/gres.h"

#define GRES_UNITS_MAX 1024 /* Slurm's value */

#define GRES_SIDES_MAX 16 /* GRES_NEAR_MAX of lib/config/config.h, plus all cores */
#define GRES_ANY_SIDE  UINT32_MAX

struct cluster;
struct config;
struct job;
struct job_node;
struct node;

struct node_gres { /* an item of Gres= */
        char *name, *type;
        uint64_t count, used;
        uint64_t left;  /* maximum available to a job; for shards: on a single GPU */
        uint32_t first; /* number of the first unit */
        bool numbered;
        /* gres/shard: index of the first shard of each GPU, and a final end index
           (model/shards.h). */
        uint32_t *shards;
        uint32_t n_gpus;
        uint8_t *side; /* side of each unit; NULL: all units on side 0 */
};

struct gres_share {     /* units of an item held by a job; shares are sorted by the job's nodes */
        uint32_t place; /* index of the node in job->placed.alloc */
        uint32_t item;  /* index in node->gres_items */
        uint64_t count;
        struct bitset *units; /* numbers within the item, from 0; NULL: only counted */
};

/* ---- nodes ---- */
/* Makes the items from n->gres, which was checked when the configuration was read. */
void gres_configure(struct node *n);
/* Sets the sides of n from Cores= in config, for n's present units, and the shards of each GPU. */
void gres_configure_sides(struct node *n, const struct config *config);
void gres_items_free(struct node *n);
/* Takes the cores near each GPU as found by the agent: a text per GPU, "0-7" ("": all).  Returns
   true if n changed. */
bool gres_detected(struct node *n, const struct config *config, char *const *cores, size_t n_cores);
void gres_forget_detected(struct node *n);
/* Counts the units held by n's jobs again. */
void gres_recount(struct node *n);
/* Checks the counts found by the agent, one for each item. -EINVAL: too few units of the item named
   in fail. */
int gres_reported(const struct node *n, const uint64_t *found, struct fail *fail);
/* "gpu:a100:2(IDX:0-1),craynic:0"; "": no items.  The caller frees the text. */
char *gres_used_text(const struct node *n);
uint64_t gres_used_sum(const struct node *n); /* sum over all items, to detect a decrease */

/* ---- jobs ---- */
/* Parses the texts of j->asked.  *ret is NULL without a request. -EINVAL: contradictory request, or
   no node of c has the resource. */
int gres_wants_parse(const struct cluster *c, const struct job *j, struct gres_wants **ret,
                struct fail *fail);
struct gres_wants *gres_wants_copy(const struct gres_wants *w); /* accepts NULL */
struct gres_wants *gres_wants_free(struct gres_wants *w);
DEFINE_CLEANUP(struct gres_wants *, gres_wants_free)
/* The units needed for tasks, and the tasks served by count units. */
uint64_t gres_of_tasks(const struct gres_want *w, uint64_t tasks);
uint64_t gres_tasks_of(const struct gres_want *w, uint64_t count);
/* GPUs per node or per task implied by the wants. */
uint64_t gres_gpus_per_node(const struct gres_wants *w);
uint64_t gres_gpus_per_task(const struct gres_wants *w);

/* Units on n matching w that are free or held by jobs in gone (indexes in c->active; may be NULL);
   ever: all units of n.  For shards: on a single GPU. */
uint64_t gres_left(const struct node *n, const struct gres_want *w, const struct bitset *gone,
                bool ever);
/* Adds to left[] the units of each side, counted like gres_left(). */
void gres_left_by_side(const struct node *n, const struct gres_want *w, const struct bitset *gone,
                bool ever, uint64_t left[GRES_SIDES_MAX]);
/* Sum of counts, which has an entry for each item of n, over items with the name. */
int64_t gres_sum_named(const struct node *n, const int64_t *counts, const char *name);
/* Units available for w: a negative item is balanced by other items of the name. */
uint64_t gres_sum(const struct node *n, const int64_t *counts, const struct gres_want *w);
/* True for a want of shards, which a job gets all from a single GPU. */
bool gres_wants_shards(const struct gres_want *w);
/* Gives count units of w on the node at index place, the lowest free units on sides (a bit set).
   Appends to shares, which are sorted by place; shares of place already present count as taken.
   Returns the number of missing units. */
uint64_t gres_give(const struct node *n, const struct gres_want *w, uint64_t count, uint32_t sides,
                uint32_t place, const struct bitset *gone, bool ever, struct gres_share **shares,
                size_t *n_shares);
/* Returns the units of n near the shares: near at least one share of each name.  NULL: all units.
   *ret_sides: the sides of the shares.  The caller frees the set. */
struct bitset *gres_near(const struct node *n, const struct gres_share *shares, size_t n_shares,
                uint32_t *ret_sides);
/* True if v's part of n conflicts with the shares: common units, counted units of one item, or
   shards of a GPU. */
bool gres_overlap(const struct job *v, const struct node *n, const struct gres_share *shares,
                size_t n_shares);
/* Gives all free units of n, or all units (ever). */
void gres_give_all(const struct node *n, uint32_t place, const struct bitset *gone, bool ever,
                struct gres_share **shares, size_t *n_shares);
void gres_shares_free(struct gres_share *shares, size_t n);
/* Returns the first share of place, and the number in *ret_n. */
const struct gres_share *gres_shares_of(const struct gres_share *shares, size_t n, uint32_t place,
                size_t *ret_n);

/* "gpu:a100:2(IDX:0-1)": shares of a single place on node n, with unit numbers of the node.  The
   caller frees the text. */
char *gres_shares_text(const struct node *n, const struct gres_share *shares, size_t n_shares);
/* Text for display, with the shards of each GPU: "shard:2(2/4,0/4)".  NULL: equal to
   gres_shares_text().  The caller frees the text. */
char *gres_shares_shown(const struct node *n, const struct gres_share *shares, size_t n_shares);
/* Parses a text of gres_shares_text() and adds it to shares. -EINVAL: the node lacks the units. */
int gres_shares_parse(const struct node *n, const char *text, uint32_t place,
                struct gres_share **shares, size_t *n_shares, struct fail *fail);
/* The units of a job by name and type: "gpu:a100:4,craynic:2"; with tres only by name:
   "gres/craynic=2,gres/gpu=4".  The caller frees the text. */
char *gres_total_text(const struct job *j, bool tres);
/* The request in TRES form, as far as known before the start, for the numbers of nodes and
   tasks. */
char *gres_asked_text(const struct gres_wants *w, uint64_t nodes, uint64_t tasks);
char *gres_node_tres(const struct node *n, bool used);
/* Units of a set of nodes: "gres/gpu=8", "" for none; used: only units held by jobs. */
char *gres_nodes_text(struct node *const *nodes, const struct bitset *set, bool used);
