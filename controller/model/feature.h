/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/feature.h - what --constraint asks: names joined by & (or ,) and |, with
 * parentheses
 *
 * "[a|b]": all nodes have a, or all have b.  "a*2&b*3" and "[a*2&b*3]": two of the nodes have a and
 * three others b; what the job has beyond that may have neither. */
#pragma once

#include "controller/model/node.h"

struct features;

/* names in one expression: recursion stays shallow, a user cannot make the pass slow */
#define FEATURES_MAX 64

int features_parse(const char *text, struct features **ret, struct fail *fail);
enum features_when {
        FEATURES_NOW,    /* as n is, or will be when it is woken */
        FEATURES_REBOOT, /* also if n may be rebooted for it now: it is idle, and no cloud's */
        /* also if n may be rebooted for it once its jobs have gone: it is no cloud's */
        FEATURES_LATER,
        FEATURES_EVER, /* after any boot */
};
/* NULL matches every node. */
bool features_match(const struct features *f, const struct node *n, enum features_when when);
/* [a|b]: how many there are, 0: no such brackets; and whether n can be one of nodes that all have
   number i. */
size_t features_alternatives(const struct features *f);
bool features_has_alternative(const struct features *f, size_t i, const struct node *n,
                enum features_when when);
/* a*2: how many such counts, how many nodes number i wants, all of them want, and whether n can be
   one of those. */
size_t features_counts(const struct features *f);
uint32_t features_count(const struct features *f, size_t i);
uint32_t features_nodes(const struct features *f);
bool features_is_counted(const struct features *f, size_t i, const struct node *n,
                enum features_when when);
/* It names a changeable feature of n in brackets or with a count. */
bool features_may_change(const struct features *f, const struct node *n);
/* The changeable features that n must have for it, a comma list that the caller frees; NULL:
   none. */
char *features_need(const struct features *f, const struct node *n);
/* Has some node each of the names?  So that a misspelt one is not a job that waits. */
bool features_known(const struct features *f, struct node *const *nodes, size_t n);
struct features *features_free(struct features *f);
DEFINE_CLEANUP(struct features *, features_free)
