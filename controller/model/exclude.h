/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/exclude.h - which idle nodes power saving leaves alone
 *
 * SuspendExcNodes, SuspendExcParts and SuspendExcStates (power-saving guide): from slurm.conf,
 * changed by scontrol update.  They stand against automatic sleep only; a request to switch a node
 * off is carried out. */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"
#include "lib/strtab.h"

struct cluster;
struct config;
struct node;

enum exclude_kind { EXCLUDE_NODES, EXCLUDE_PARTS, EXCLUDE_STATES, EXCLUDE_KIND_MAX };

/* "nid[10-20]:4": this many of the set stay up; those that work count */
struct exclude_set {
        struct bitset *nodes;
        size_t count;
};

struct exclusions {
        char *text[EXCLUDE_KIND_MAX]; /* in force, as scontrol show config prints it; NULL: none */
        /* named without a count, or in a partition of SuspendExcParts */
        struct bitset *always;
        struct exclude_set *sets; /* with a count */
        size_t n_sets;
        struct bitset *counted; /* the members of all sets */
        /* could sleep, but a count keeps them; looked at again when a member changes */
        struct bitset *held;
        unsigned flags; /* enum node_flag */
        /* ... SuspendExcStates that are no flags */
        bool down, dynamic, maintenance, planned, reserved;
        bool changed; /* scontrol has changed something since slurm.conf was read */
};

/* -EINVAL with fail for a value that cannot be read, node names aside. */
int exclusions_check(const struct config *config, struct fail *fail);
/* From slurm.conf, or as they stand after nodes or partitions have changed. */
void exclusions_load(struct cluster *c, const struct config *config);
void exclusions_refresh(struct cluster *c);
void exclusions_done(struct exclusions *e);

/* scontrol update: op '=', '+' or '-'.  -EINVAL or -ENOENT with fail for what cannot be done. */
int exclusions_check_update(const struct cluster *c, enum exclude_kind kind, char op,
                const char *value, struct fail *fail);
DECLARE_STRTAB(exclude_kind);

/* Why n stays up however long it idles; NULL: nothing stands against it but perhaps a count. */
const char *exclusion_of(const struct cluster *c, const struct node *n);
/* Of the nodes that may sleep now, those that the counts keep up; NULL without counts. The caller
   frees. */
struct bitset *exclusions_kept(const struct cluster *c);
/* Must follow every change of a node: a node that was held because of others has another chance. */
void exclusions_node_changed(struct cluster *c, const struct node *n);
/* The text of a kind and what follows from it; exclusions_update() (changed.h) is what orders
   call. */
void exclusions_set(struct cluster *c, enum exclude_kind kind, char op, const char *value);
