/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/plan.h - what power saving would do with a cluster from now on: its lines, its sums, and
   which nodes stay up and why */
#pragma once

#include "controller/model/cluster.h"

#define PLAN_LINES_MAX 10000 /* beyond them only the sums are of use to a person */

enum plan_action { PLAN_SUSPEND, PLAN_RESUME, PLAN_RESUME_FAIL, PLAN_REBOOT, PLAN_ACTION_MAX };
DECLARE_STRTAB(plan_action);

struct what_if { /* a setting as it stands in slurm.conf; borrowed */
        /* "SuspendTime"; a partition's "main.SuspendTime"; those of SuspendExc* may end in + or
           - */
        const char *key;
        const char *value;
};

struct plan_request {
        struct bitset *nodes; /* the nodes to report; NULL: all.  All others live on as well. */
        usec_t horizon;
        const struct what_if *settings;
        size_t n_settings;
};

struct plan_line { /* one decision, or several alike that only their rate keeps apart */
        usec_t from, until;
        enum plan_action action;
        uint32_t job; /* PLAN_RESUME: for which job; 0: asked for by hand, or needed soon */
        size_t count;
        char *nodes, *why;
};

struct plan_awake { /* nodes that have power from now to the end */
        size_t count;
        char *nodes, *why;
};

struct plan_totals {
        /* sum over the nodes of the time that they have power, on their way up and down included */
        usec_t on;
        size_t nodes, on_start, on_end;
        size_t suspends, resumes, failures; /* per node */
};

struct plan {
        usec_t start, end;
        char *off_because; /* power saving is off; NULL: it is on */
        struct plan_line *lines;
        size_t n_lines, a_lines, left_out; /* left_out: decisions beyond PLAN_LINES_MAX */
        struct plan_awake *awake;
        size_t n_awake, a_awake;
        struct plan_totals totals;
        size_t endless_jobs;  /* that run now and have no time limit */
        size_t guessed_boots; /* nodes that boot without a measured time or one in slumber.yaml */
};

/* Time passes in c, which is of no use afterwards but to be freed.  -EINVAL, -ENOENT, -ERANGE with
   fail for a setting that cannot be; -ELOOP with fail. */
int plan_make(struct cluster *c, const struct plan_request *req, usec_t now, struct plan *ret,
                struct fail *fail);
void plan_done(struct plan *p);
