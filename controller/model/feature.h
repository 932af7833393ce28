/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/feature.h - expressions of --constraint: names joined by & (or ,) and |, with
 * parentheses
 *
 *   [a|b]                    all nodes have a, or all nodes have b
 *   a*2&b*3, [a*2&b*3]       two nodes have a, three others have b; further nodes need neither */
#pragma once

#include "controller/model/node.h"

struct features;

/* Maximum of names in an expression: bounds the recursion and the cost of a pass. */
#define FEATURES_MAX 64

int features_parse(const char *text, struct features **ret, struct fail *fail);
enum features_when {
        FEATURES_NOW, /* features as they are, or as expected after a wake */
        /* includes features after a reboot possible now: the node is idle and not CLOUD */
        FEATURES_REBOOT,
        /* Includes features after a reboot possible when the node's jobs have ended: not CLOUD. */
        FEATURES_LATER,
        FEATURES_EVER, /* features after any boot */
};
/* f NULL matches every node. */
bool features_match(const struct features *f, const struct node *n, enum features_when when);
/* [a|b]: the number of alternatives, 0: no brackets; and whether n satisfies alternative i. */
size_t features_alternatives(const struct features *f);
bool features_has_alternative(const struct features *f, size_t i, const struct node *n,
                enum features_when when);
/* a*2: the number of counts; the nodes required by count i; the nodes required by all counts; and
   whether n satisfies count i. */
size_t features_counts(const struct features *f);
uint32_t features_count(const struct features *f, size_t i);
uint32_t features_nodes(const struct features *f);
bool features_is_counted(const struct features *f, size_t i, const struct node *n,
                enum features_when when);
/* True if f names a changeable feature of n in brackets or with a count. */
bool features_may_change(const struct features *f, const struct node *n);
/* Returns the changeable features that f requires to be active on n, a comma list freed by the
   caller; NULL: none. */
char *features_need(const struct features *f, const struct node *n);
/* True if every name is a feature of some node, so that a job with a misspelt name is refused
   instead of waiting. */
bool features_known(const struct features *f, struct node *const *nodes, size_t n);
struct features *features_free(struct features *f);
DEFINE_CLEANUP(struct features *, features_free)
