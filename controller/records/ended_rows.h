/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/ended_rows.h - conversion between messages and rows of the accounts: ended
 * jobs, ended steps and submitted scripts
 *
 * After the row's id come the fields of model/ended.h, model/ended_step.h and below, in that order.
 */
#pragma once

#include "lib/base.h"

enum ended_kind {
        ENDED_JOB,    /* Slumber__Ended */
        ENDED_STEP,   /* Slumber__EndedStep */
        ENDED_SCRIPT, /* Slumber__KeptScript */
        ENDED_KIND_MAX,
};

/* clang-format off */
#define ENDED_SCRIPT_TEXTS(X)   X(script) X(environment)
#define ENDED_SCRIPT_NUMBERS(X) X(job_id) X(uid)
/* clang-format on */
#define ENDED_SCRIPT_TIMES(X) X(time_submit)

const char *ended_table(enum ended_kind kind);
/* The table's columns for inserting, and the expressions for reading, which give times in whole
   microseconds. */
const char *const *ended_columns_written(enum ended_kind kind);
const char *const *ended_columns_read(enum ended_kind kind);
size_t ended_n_columns(enum ended_kind kind);
/* Returns the values of a row; the caller frees the array and each value. */
char **ended_row_make(enum ended_kind kind, uint64_t id, const void *message);
/* Fills message from a row; texts stay owned by the row. */
void ended_row_read(enum ended_kind kind, char *const *values, void *message);
/* Joins the texts of list, each with a newline, as an environment is stored; the caller frees. */
char *ended_lines(char *const *list, size_t n);
