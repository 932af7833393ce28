/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/feature.h - what --constraint asks: names joined by & (or ,) and |, with parentheses
 *
 * Counts ("a*2"), exclusive or ("[a|b]") and preferences are refused by name until they are built. */
#pragma once

#include "controller/core/node.h"

struct features;

#define FEATURES_MAX 64 /* names in one expression: recursion stays shallow, a user cannot make the pass slow */

int features_parse(const char *text, struct features **ret, struct fail *fail);
enum features_when {
        FEATURES_NOW,    /* as n is, or will be when it is woken */
        FEATURES_REBOOT, /* also if n may be rebooted for it now: it is idle, and no cloud's */
        FEATURES_EVER,   /* after any boot */
};
/* NULL matches every node. */
bool features_match(const struct features *f, const struct node *n, enum features_when when);
/* The changeable features that n must have for it, a comma list that the caller frees; NULL: none. */
char *features_need(const struct features *f, const struct node *n);
/* Has some node each of the names?  So that a misspelt one is not a job that waits. */
bool features_known(const struct features *f, struct node *const *nodes, size_t n);
struct features *features_free(struct features *f);
DEFINE_CLEANUP(struct features *, features_free)
