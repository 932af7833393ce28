/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/license.h - licenses: totals, holders, and jobs that could get licenses
 *
 * A job takes all licenses that the job asks for at the start, or, of a list with "|", the first
 * available license, and keeps them, suspended or not, until nothing of the job is left on the
 * nodes.  Licenses kept by a reservation are for the jobs of the reservation alone; while the
 * reservation lasts, these jobs get no further licenses of the name.  The licenses of a job are
 * stored in the job (licenses_held); all counts here are derived, so that a restart or reconfigure
 * cannot falsify the counts.
 *
 * A layer of a hierarchical resource (resources/hres.h) is a license with a longer name, but a job
 * asks for the resource (needs.hres): the amount that the job could get is a room, and the layers
 * that the job holds are determined by the nodes. */
#pragma once

#include "controller/resources/hres.h"
#include "controller/resources/licenses.h"
#include "lib/bitset.h"
#include "lib/countlist.h"
#include "lib/fail.h"

struct cluster;
struct config;
struct job;
struct resv;

/* Loads the configured licenses and counts the licenses of jobs anew. */
void licenses_load(struct cluster *c, const struct config *config);

/* Charges j, which has nodes, for layers that are new or have changed nodes since the start of j,
   as far as nodes of j are in the layers, without regard to free counts.  Returns whether the
   licenses held by j have changed. */
bool licenses_charge_late(struct cluster *c, struct job *j, usec_t now);

/* Counts reserved and held licenses anew, after a change of reservations. */
void licenses_recount(struct cluster *c);

/* Removes licenses and layers that no longer exist from reservations, and logs the names.  Called
   by licenses_load(), and for restored reservations. */
void licenses_forget_kept(struct cluster *c);

/* Parses "matlab:2,flat:2,power:full_node" into licenses and hierarchical resources (a variable is
   replaced by the value); each is NULL if empty.  -EINVAL, -EOPNOTSUPP. */
int licenses_parse(const struct cluster *c, const char *text, struct countlist **ret,
                struct countlist **ret_hres, struct fail *fail);
/* licenses_parse() for an admitted job: a text that is invalid at present makes j wait. */
void licenses_parse_stored(const struct cluster *c, struct job *j);
/* Returns a license or hierarchical resource that j asks for and that is not configured; for a list
   with "|" the first name, if no name is configured.  NULL: no such license. */
const char *licenses_unknown(const struct cluster *c, const struct job *j);
/* -EINVAL: the amount of a hierarchical resource could never be granted. */
int licenses_check_hres(const struct cluster *c, const struct countlist *asked, struct fail *fail);
/* Parses licenses and layers to be kept by a reservation; the nodes of layers may be written in any
   form.  -EINVAL: no such license or layer. */
int licenses_parse_kept(const struct cluster *c, const char *text, struct countlist **ret,
                struct fail *fail);
/* -EINVAL: the request could never be granted, because a license does not exist or the total is too
   low; of: within this reservation, or NULL. */
int licenses_check(const struct cluster *c, const struct countlist *asked, const struct resv *of,
                struct fail *fail);
/* Returns the number of licenses that r keeps for r's jobs; r may be NULL. */
uint32_t resv_licenses(const struct resv *r, const char *name);
/* Returns the number of licenses left for j, while all holders keep theirs, from now on for the
   time limit of j (moment: now only), minus kept[] (by index in the list; NULL: none). */
uint32_t license_left(const struct cluster *c, const struct job *j, const char *name, usec_t now,
                bool moment, const uint32_t *kept);
/* Returns whether all licenses that j asks for are free; for a list with "|" *ret is the index of
   the free license (else 0). */
bool licenses_free(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, size_t *ret);
/* licenses_free() for licenses alone, without hierarchical resources. */
bool licenses_free_but_layers(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, size_t *ret);
/* licenses_free() if the jobs at the indexes `gone` of c->active were gone. */
bool licenses_free_without(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, const struct bitset *gone);
/* Returns the free amounts for j of each layer of the requested hierarchical resources, as
   license_left(), if the jobs at the indexes `gone` (NULL: none) were gone; NULL if j asks for
   none. */
struct hres_room *licenses_room(const struct cluster *c, const struct job *j, usec_t now,
                bool moment, const uint32_t *kept, const struct bitset *gone);
/* licenses_room() if all layers were free. */
struct hres_room *licenses_room_ever(const struct cluster *c, const struct job *j);
/* Returns the name of a layer, for hres_charge(); user: struct cluster. */
const char *licenses_name(const void *user, size_t license);
/* Sets the licenses that j, about to start, will hold: all requested, or for a list with "|" the
   license at choice; and layers (NULL: none), which is taken over. */
void licenses_choose(struct job *j, size_t choice, struct countlist *layers);

/* Returns in *ret the licenses that j, running, would hold with this request (NULL: none), without
   regard to free counts.  -EINVAL: no node of j has the hierarchical resource. */
int licenses_now(const struct cluster *c, const struct job *j, const struct countlist *licenses,
                const struct countlist *hres, usec_t now, struct countlist **ret,
                struct fail *fail);
/* Replaces the licenses held by j with `held` (taken over; NULL: none). */
void licenses_exchange(struct cluster *c, struct job *j, struct countlist *held);

/* Count the licenses of active jobs; called when a job becomes active or stops being active. */
void licenses_take(struct cluster *c, const struct job *j);
void licenses_return(struct cluster *c, const struct job *j);

/* Returns the remaining nodes of j as a set of the cluster's nodes, before j loses some; the caller
   frees.  NULL: j holds no license, or no layers are configured. */
struct bitset *licenses_nodes(const struct cluster *c, const struct job *j);
/* j has lost some of the nodes `before` (NULL: j has no layers, see licenses_nodes()).  Layers of
   MODE_3 are reduced to the nodes left; layers of MODE_2 without a node of j are given back.
   MODE_1 has a single charge, independent of the nodes. */
void licenses_shrink(struct cluster *c, struct job *j, const struct bitset *before);

/* Returns whether v holds some of a hierarchical resource that j asks for. */
bool licenses_meet(const struct cluster *c, const struct job *j, const struct job *v);

/* Lists active jobs that hold licenses or layers lacking for j, oldest first.  Empty for a job with
   alternatives ("|"), and if the request could not be granted even without all holders.  Returns
   the number, 0: *ret is NULL; the caller frees the list. */
size_t licenses_holders(const struct cluster *c, const struct job *j, usec_t now,
                struct job ***ret);
