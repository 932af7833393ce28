/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/virtual.h - the controller's decisions in virtual time, with simulated nodes that obey
 *
 * The cluster continues from its current state: a booting node comes up after its last boot time
 * (without one boot_seconds of slumber.yaml, else ResumeTimeout, else VIRTUAL_BOOT); jobs end at
 * their time limits, or when ops.runs says, and answer at once; other running jobs run on. The real
 * cluster is not affected. At any time, all ends are handled before events from outside
 * (ops.outside). Pure: no clock, file or process. */
#pragma once

#include "controller/model/cluster.h"

/* Boot time of a node that never booted, without ResumeTimeout. */
#define VIRTUAL_BOOT (60 * USEC_PER_SEC)

struct virtual_ops {
        /* An effect of the controller, before the nodes act. */
        void (*effect)(const struct effect *fx, usec_t now, void *user);
        /* Time passes without events. */
        void (*passes)(usec_t from, usec_t to, void *user);
        /* Run time of j's script after launch, without suspensions; NO_LIMIT: until ended. */
        usec_t (*runs)(const struct job *j, void *user);
        /* Wait status of the script; NULL: 0. */
        uint32_t (*status)(const struct job *j, void *user);
        /* next(): time of the next event from outside, USEC_INFINITY: none; outside(): handles the
           event. */
        usec_t (*next)(void *user);
        void (*outside)(usec_t now, void *user);
        /* A turn is over and its effects are scheduled; c still knows dirty nodes and jobs. */
        void (*turned)(usec_t now, void *user);
        /* Returns true to end virtual_run() before time moves on. */
        bool (*over)(usec_t now, void *user);
        /* Boot time of n; NULL: virtual_boot(). USEC_INFINITY: the boot fails. */
        usec_t (*boots)(const struct node *n, void *user);
};

struct virtual;

/* Makes a simulation of c, borrowed and changed: pass a copy. Members of ops may be NULL. */
struct virtual *virtual_new(struct cluster *c, usec_t now, const struct virtual_ops *ops,
                void *user);
struct virtual *virtual_free(struct virtual *v);
DEFINE_CLEANUP(struct virtual *, virtual_free)
/* Simulates until the given time or until ops.over. -ELOOP: endless events without progress of
   time. */
int virtual_run(struct virtual *v, usec_t until);
/* Registers all nodes with power, as if up for long. */
void virtual_register_all(struct virtual *v);
/* Returns the boot time of n. */
usec_t virtual_boot(const struct node *n);
