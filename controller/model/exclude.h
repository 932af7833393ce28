/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/exclude.h - idle nodes that power saving keeps up
 *
 * SuspendExcNodes, SuspendExcParts and SuspendExcStates (power-saving guide), from slurm.conf and
 * changed by scontrol update.  Exclusions prevent only automatic suspension; an explicit request to
 * switch a node off is carried out. */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"
#include "lib/strtab.h"

struct cluster;
struct config;
struct node;

enum exclude_kind { EXCLUDE_NODES, EXCLUDE_PARTS, EXCLUDE_STATES, EXCLUDE_KIND_MAX };

/* "nid[10-20]:4": count nodes of the set stay up, busy nodes included */
struct exclude_set {
        struct bitset *nodes;
        size_t count;
};

struct exclusions {
        /* text in force, as shown by scontrol show config; NULL: none */
        char *text[EXCLUDE_KIND_MAX];
        /* Nodes named without a count, or in a partition of SuspendExcParts. */
        struct bitset *always;
        struct exclude_set *sets; /* sets with a count */
        size_t n_sets;
        struct bitset *counted; /* members of all sets */
        /* Idle nodes kept up only by a count; considered again when a member changes. */
        struct bitset *held;
        unsigned flags; /* enum node_flag */
        /* SuspendExcStates that are no flags */
        bool down, dynamic, maintenance, planned, reserved;
        bool changed; /* changed by scontrol since slurm.conf was read */
};

/* Returns -EINVAL with fail for values with a syntax error; node names are not checked. */
int exclusions_check(const struct config *config, struct fail *fail);
/* Load the exclusions from slurm.conf, or compute them again after nodes or partitions changed. */
void exclusions_load(struct cluster *c, const struct config *config);
void exclusions_refresh(struct cluster *c);
void exclusions_done(struct exclusions *e);

/* Checks an update by scontrol: op is '=', '+' or '-'. Returns -EINVAL or -ENOENT with fail. */
int exclusions_check_update(const struct cluster *c, enum exclude_kind kind, char op,
                const char *value, struct fail *fail);
DECLARE_STRTAB_TEXT(exclude_kind);

/* Returns why n stays up however long it is idle; NULL: at most a count keeps n up. */
const char *exclusion_of(const struct cluster *c, const struct node *n);
/* Returns the nodes kept up by the counts among the nodes that may be suspended now; NULL: no
   counts.  The caller frees the set. */
struct bitset *exclusions_kept(const struct cluster *c);
/* Must be called after every change of a node: nodes held by a count are then considered again. */
void exclusions_node_changed(struct cluster *c, const struct node *n);
/* Sets the text of a kind and computes the exclusions; orders call exclusions_update() (changed.h)
   instead. */
void exclusions_set(struct cluster *c, enum exclude_kind kind, char op, const char *value);
