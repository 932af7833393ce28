/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/reservations/license.h - licenses: how many there are, their holders, and jobs that
 * could have some
 *
 * A job takes all that it asks for when it starts, or, of a list with "|", the first that is there,
 * and keeps them, stopped or not, until nothing of it is left on its nodes.  What a reservation
 * keeps of one is for its jobs, and all of that one that they may have, while it lasts.  What a job
 * holds is in the job (licenses_held); the counts here follow from them, so a restart or
 * reconfigure cannot make them wrong.
 *
 * A layer of a hierarchical resource (resources/hres.h) is a license with a longer name, but a job
 * asks for the resource (needs.hres): what it could have of it is a room, and which layers it
 * holds is known with its nodes. */
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

/* What the configuration says now; what jobs hold is counted anew. */
void licenses_load(struct cluster *c, const struct config *config);

/* j, which has nodes, is charged for layers that are new, or have other nodes, since it has
   started, as far as its nodes are in them, whatever is free there; true: it holds other ones
   now. */
bool licenses_charge_late(struct cluster *c, struct job *j, usec_t now);

/* Reservations have changed: what is reserved, and what jobs hold of that, is counted anew. */
void licenses_recount(struct cluster *c);

/* Reservations keep nothing of licenses and layers that there are not any more; the log names them.
   Part of licenses_load(), and for reservations that were stored. */
void licenses_forget_kept(struct cluster *c);

/* "matlab:2,flat:2,power:full_node": licenses, and hierarchical resources apart (a variable stands
   for its value); NULL where there is none.  -EINVAL, -EOPNOTSUPP. */
int licenses_parse(const struct cluster *c, const char *text, struct countlist **ret,
                struct countlist **ret_hres, struct fail *fail);
/* The same of a job that was admitted; what makes no sense as things are now is waited for. */
void licenses_parse_stored(const struct cluster *c, struct job *j);
/* A license or hierarchical resource that j asks for and that is not configured; of a list with
   "|": none of them is, the first one.  NULL: there is none. */
const char *licenses_unknown(const struct cluster *c, const struct job *j);
/* -EINVAL: so many of a hierarchical resource could never be had. */
int licenses_check_hres(const struct cluster *c, const struct countlist *asked, struct fail *fail);
/* What a reservation keeps: licenses, and layers, whose nodes may be written in any way.  -EINVAL:
   there is no such license or layer. */
int licenses_parse_kept(const struct cluster *c, const char *text, struct countlist **ret,
                struct fail *fail);
/* -EINVAL: could never be had: there is no such license, or not so many; in of: a reservation, or
   NULL. */
int licenses_check(const struct cluster *c, const struct countlist *asked, const struct resv *of,
                struct fail *fail);
/* So many of it r keeps for its jobs; r may be NULL. */
uint32_t resv_licenses(const struct resv *r, const char *name);
/* So many are left of it for j, if its holders keep theirs, from now on as long as it may run
   (moment: at least now), but for those in kept (by place in the list; NULL: none). */
uint32_t license_left(const struct cluster *c, const struct job *j, const char *name, usec_t now,
                bool moment, const uint32_t *kept);
/* Are all that it asks for to be had now; of a list with "|": which is, in *ret (else 0). */
bool licenses_free(const struct cluster *c, const struct job *j, usec_t now, bool moment,
                const uint32_t *kept, size_t *ret);
/* The same of licenses alone: what it asks for of hierarchical resources does not matter. */
bool licenses_free_but_layers(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, size_t *ret);
/* The same, were the jobs at these places of c->active gone. */
bool licenses_free_without(const struct cluster *c, const struct job *j, usec_t now,
                const uint32_t *kept, const struct bitset *gone);
/* What is free for j of each layer of the hierarchical resources that it asks for, as
   license_left(), were the jobs at the places of gone (NULL: none) gone; NULL: it asks for none. */
struct hres_room *licenses_room(const struct cluster *c, const struct job *j, usec_t now,
                bool moment, const uint32_t *kept, const struct bitset *gone);
/* The same, if all were free. */
struct hres_room *licenses_room_ever(const struct cluster *c, const struct job *j);
/* Names of layers, for hres_charge(); user: struct cluster. */
const char *licenses_name(const void *user, size_t license);
/* j, which starts, will hold what it asks for; of a list with "|", that at choice; and layers,
   which is taken over (NULL: none). */
void licenses_choose(struct job *j, size_t choice, struct countlist *layers);

/* What j, which runs, would hold on its nodes if it asked for these instead (NULL: none), in *ret,
   whatever is free.  -EINVAL: its nodes have none of a hierarchical resource. */
int licenses_now(const struct cluster *c, const struct job *j, const struct countlist *licenses,
                const struct countlist *hres, usec_t now, struct countlist **ret,
                struct fail *fail);
/* j holds that (taken over; NULL: nothing) in the place of what it has held. */
void licenses_exchange(struct cluster *c, struct job *j, struct countlist *held);

/* What active jobs hold; called as they come among them and leave. */
void licenses_take(struct cluster *c, const struct job *j);
void licenses_return(struct cluster *c, const struct job *j);

/* The nodes that j, which holds something, still has (all of the cluster's), before it loses some;
   the caller frees.  NULL: it holds none, or there are no layers. */
struct bitset *licenses_nodes(const struct cluster *c, const struct job *j);
/* It had these nodes (NULL: licenses_nodes() has said so) and has lost some: what it holds of
   layers of MODE_3 is for those alone that are left, and layers of MODE_2 that it has no node in
   any more are given back.  MODE_1 has one charge, wherever its nodes are. */
void licenses_shrink(struct cluster *c, struct job *j, const struct bitset *before);

/* v holds some of a hierarchical resource that j asks for. */
bool licenses_meet(const struct cluster *c, const struct job *j, const struct job *v);

/* Jobs among the active that hold some of what j asks for and lacks, oldest first; a job that asks
   for one of several ("|") gets none by force, and there are none if some of it could not be had
   even without all of them.  Returns how many, 0: *ret is NULL; the caller frees the list. */
size_t licenses_holders(const struct cluster *c, const struct job *j, usec_t now,
                struct job ***ret);
