/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/plan.h - predicted power saving of a cluster: decisions, sums, and the nodes that stay awake
   with reasons */
#pragma once

#include "controller/model/cluster.h"

#define PLAN_LINES_MAX 10000 /* beyond, only the sums are useful to people */

enum plan_action { PLAN_SUSPEND, PLAN_RESUME, PLAN_RESUME_FAIL, PLAN_REBOOT, PLAN_ACTION_MAX };
DECLARE_STRTAB_TEXT(plan_action);

struct what_if { /* a setting as in slurm.conf; borrowed */
        /* "SuspendTime"; a partition's "main.SuspendTime"; keys SuspendExc* may end in + or -. */
        const char *key;
        const char *value;
};

struct plan_request {
        struct bitset *nodes; /* nodes to report; NULL: all. All others are simulated, too. */
        usec_t horizon;
        const struct what_if *settings;
        size_t n_settings;
};

struct plan_line { /* a decision, or several equal ones separated only by the rate */
        usec_t from, until;
        enum plan_action action;
        /* PLAN_RESUME: the job that needs the nodes; 0: requested by hand, or needed soon. */
        uint32_t job;
        size_t count;
        char *nodes, *why;
};

struct plan_awake { /* nodes with power throughout */
        size_t count;
        char *nodes, *why;
};

struct plan_totals {
        /* Sum over nodes of the time with power, booting and shutting down included. */
        usec_t on;
        size_t nodes, on_start, on_end;
        size_t suspends, resumes, failures; /* per node */
};

struct plan {
        usec_t start, end;
        char *off_because; /* reason why power saving is off; NULL: on */
        struct plan_line *lines;
        size_t n_lines, a_lines, left_out; /* left_out: decisions beyond PLAN_LINES_MAX */
        struct plan_awake *awake;
        size_t n_awake, a_awake;
        struct plan_totals totals;
        size_t endless_jobs;  /* running jobs without time limit */
        size_t guessed_boots; /* nodes booting without a measured time or boot_seconds */
};

/* Predicts power saving until now + horizon. Changes c, which can only be freed afterwards.
   -EINVAL, -ENOENT, -ERANGE with fail: invalid setting; -ELOOP with fail. */
int plan_make(struct cluster *c, const struct plan_request *req, usec_t now, struct plan *ret,
                struct fail *fail);
void plan_done(struct plan *p);
