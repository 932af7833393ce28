/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/ended_rows.h - what is kept of jobs and steps that are over, and of scripts
 * that were submitted: between messages and rows of the accounts
 *
 * The fields are those of model/ended.h, model/ended_step.h and below, in their order, after the
 * row's id. */
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
/* Its columns, as they are inserted and as they are asked for: times in whole microseconds. */
const char *const *ended_columns_written(enum ended_kind kind);
const char *const *ended_columns_read(enum ended_kind kind);
size_t ended_n_columns(enum ended_kind kind);
/* The values of a row: the caller's, as is each of them. */
char **ended_row_make(enum ended_kind kind, uint64_t id, const void *message);
/* The other way; the texts stay the row's. */
void ended_row_read(enum ended_kind kind, char *const *values, void *message);
/* The texts of list, each followed by a newline, as an environment is kept; the caller frees. */
char *ended_lines(char *const *list, size_t n);
