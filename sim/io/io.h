/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/io/io.h - what slumber-sim's files share: the cases that were simulated, and their writers */
#pragma once

#include "sim/sums.h"

struct sim_case { /* one set of settings */
        /* with: SuspendTime=300,... or NULL; name: of the cluster */
        char *label, *conf, *with, *name;
        /* it has a SuspendTime, and power saving is off: why; NULL: no such case */
        char *sleepless;
        struct cluster *c; /* NULL: dropped, sums are enough */
        struct sim_result result;
        struct sums sums;
};

struct report {
        const struct trace *t;
        const char *trace_file;
        const char *cluster_name;
        struct sim_case *cases;
        size_t n;
        bool colour;
};

/* sums as a table, a column for each case */
void text_write(const struct report *r, FILE *out);
/* jobs: each one of them too. */
void json_write(const struct report *r, bool jobs, FILE *out);
void csv_jobs(const struct report *r, const struct sim_case *k, FILE *out);
void csv_nodes(const struct sim_case *k, FILE *out);
void csv_states(const struct report *r, const struct sim_case *k, const struct bitset *nodes,
                FILE *out);
void csv_series(const struct sim_case *k, FILE *out);
void csv_sums(const struct report *r, FILE *out);

struct row {                           /* of the sums */
        const char *key, *text, *unit; /* unit "time": a double of seconds */
        unsigned decimals;
        double (*get)(const struct sums *s);
        bool needs_watts;
};
const struct row *rows_get(size_t *ret_n);
int row_decimals(const struct row *row); /* for machines, which want more of them */

const char *seconds_text(usec_t t, char buf[32]); /* 12.5 */

/* Can they be drawn?  -ENOENT with fail: there is no gnuplot, or not its script. */
int pictures_check(struct fail *fail);
/* nodes and series, .png and .svg, into dir; k has its changes.  Negative errno with fail. */
int pictures_draw(const struct report *r, const struct sim_case *k, const struct bitset *nodes,
                const char *dir, struct fail *fail);

struct accounts_wanted {
        const char *file;   /* NULL: the controller's own */
        usec_t from, until; /* jobs that came into the queue then; 0: open */
};
/* Jobs that have run, of the accounts that the controller of conf (slurm.conf) keeps; and the file.
   -ENOTSUP, -ENOENT, -ENODATA with fail: there are none. */
int accounting_read(const char *conf, const struct accounts_wanted *wanted, struct trace **ret,
                char **ret_file, struct fail *fail);
/* c learns of the QOS, accounts, users and associations of file. */
int accounting_know(const char *file, struct cluster *c, struct fail *fail);
