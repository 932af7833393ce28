/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/io/io.h - shared by slumber-sim's files: simulated cases and their writers */
#pragma once

#include "sim/sums.h"

struct sim_case { /* one set of settings */
        /* Settings of the case: "SuspendTime=300,..." or NULL (with); cluster's name (name). */
        char *label, *conf, *with, *name;
        /* Reason why power saving is off in spite of a SuspendTime; NULL: none. */
        char *sleepless;
        struct cluster *c; /* NULL: freed, since only sums are needed */
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

/* Writes sums as a table, a column per case. */
void text_write(const struct report *r, FILE *out);
/* jobs: include every job. */
void json_write(const struct report *r, bool jobs, FILE *out);
void csv_jobs(const struct report *r, const struct sim_case *k, FILE *out);
void csv_nodes(const struct sim_case *k, FILE *out);
void csv_states(const struct report *r, const struct sim_case *k, const struct bitset *nodes,
                FILE *out);
void csv_series(const struct sim_case *k, FILE *out);
void csv_sums(const struct report *r, FILE *out);

struct row {                           /* a row of the sums */
        const char *key, *text, *unit; /* unit "time": a double, in seconds */
        unsigned decimals;
        double (*get)(const struct sums *s);
        bool needs_watts;
};
const struct row *rows_get(size_t *ret_n);
/* Digits of machine-readable output: more than row->decimals. */
int row_decimals(const struct row *row);

const char *seconds_text(usec_t t, char buf[32]); /* "12.5" */

/* Runs pictures.py, which reports its own errors on stderr. argument: the folder whose pictures it
   draws, or "--check": it only looks for gnuplot. Negative errno with fail. */
int pictures_run(const char *argument, struct fail *fail);

struct accounts_wanted {
        const char *file;   /* NULL: the controller's own file */
        usec_t from, until; /* range of times of entering the queue; 0: open */
};
/* Reads ended jobs from the accounts of the controller of conf (slurm.conf), and returns the file.
   -ENOTSUP, -ENOENT, -ENODATA with fail: no accounts or no jobs. */
int accounting_read(const char *conf, const struct accounts_wanted *wanted, struct trace **ret,
                char **ret_file, struct fail *fail);
/* Reads QOS, accounts, users and associations of file into c. */
int accounting_know(const char *file, struct cluster *c, struct fail *fail);
