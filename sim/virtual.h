/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/virtual.h - the controller's decisions in virtual time, with machines that do as they are
 * told
 *
 * The cluster goes on from where it stands: a node that boots comes up after as long as its last
 * boot took (boot_seconds of slumber.yaml when none was seen, else ResumeTimeout, VIRTUAL_BOOT
 * without one); jobs end at their time limits, or when ops.runs says so, and answer at once; the
 * others that run, run on.  Nothing outside hears of anything.  At one instant all that ends, ends
 * before what comes from outside (ops.outside) happens.  Pure: no clock, file or process. */
#pragma once

#include "controller/model/cluster.h"

/* of a node that never booted here and may take as long as it likes */
#define VIRTUAL_BOOT (60 * USEC_PER_SEC)

struct virtual_ops {
        /* What the controller would do now; called before the machines do it. */
        void (*effect)(const struct effect *fx, usec_t now, void *user);
        /* Nothing happens between from and to. */
        void (*passes)(usec_t from, usec_t to, void *user);
        /* For how long j's script runs once it is launched, suspensions not counted; NO_LIMIT:
           until it is ended. */
        usec_t (*runs)(const struct job *j, void *user);
        /* the script's wait status then; NULL: 0 */
        uint32_t (*status)(const struct job *j, void *user);
        /* Something from outside is to happen at that time (USEC_INFINITY: nothing more); and it
           happens. */
        usec_t (*next)(void *user);
        void (*outside)(usec_t now, void *user);
        /* A turn is over, its effects are on their way; c still knows which nodes and jobs are
           dirty. */
        void (*turned)(usec_t now, void *user);
        /* Enough is known: virtual_run() ends before time moves on. */
        bool (*over)(usec_t now, void *user);
        /* How long it takes n to come up now; NULL: virtual_boot().  USEC_INFINITY: it does not. */
        usec_t (*boots)(const struct node *n, void *user);
};

struct virtual;

/* c is borrowed, and changed as time goes on: give it a copy.  ops may have NULL members. */
struct virtual *virtual_new(struct cluster *c, usec_t now, const struct virtual_ops *ops,
                void *user);
struct virtual *virtual_free(struct virtual *v);
DEFINE_CLEANUP(struct virtual *, virtual_free)
/* Everything that happens up to then, or until ops.over. -ELOOP: time stands still, one thing leads
   to another for ever. */
int virtual_run(struct virtual *v, usec_t until);
/* Nodes that have power register, as if they had been up for long. */
void virtual_register_all(struct virtual *v);
/* How long it takes n to come up. */
usec_t virtual_boot(const struct node *n);
