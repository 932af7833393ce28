/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/virtual.h - the controller's decisions in virtual time, with machines that do as they are told
 *
 * The cluster goes on from where it stands: whoever boots, comes up after as long as its last boot took (ResumeTimeout
 * when none was seen, VIRTUAL_BOOT without one); jobs end at their time limits and answer at once; the others that
 * run, run on.  Nobody outside hears of anything.  Pure: no clock, file or process. */
#pragma once

#include "controller/core/cluster.h"

#define VIRTUAL_BOOT (60 * USEC_PER_SEC) /* of a node that never booted here and may take as long as it likes */

struct virtual_ops {
        /* What the controller would do now; called before the machines do it. */
        void (*effect)(const struct effect *fx, usec_t now, void *user);
        /* Nothing happens between from and to. */
        void (*passes)(usec_t from, usec_t to, void *user);
};

struct virtual;

/* c is borrowed, and changed as time goes on: give it a copy.  ops may have NULL members. */
struct virtual *virtual_new(struct cluster *c, usec_t now, const struct virtual_ops *ops, void *user);
struct virtual *virtual_free(struct virtual *v);
DEFINE_CLEANUP(struct virtual *, virtual_free)
/* Everything that happens up to then.  -ELOOP: time stands still, one thing leads to another for ever. */
int virtual_run(struct virtual *v, usec_t until);
/* How long it takes n to come up. */
usec_t virtual_boot(const struct node *n);
