/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/accounting_schema.h - the tables of accounting.db */
#pragma once

#include "lib/base.h"

/* accounting_steps[i] upgrades a file of version i to version i + 1. */
extern const char *const accounting_steps[];
extern const size_t n_accounting_steps;
/* Return "NAME TYPE NOT NULL..." of each column of model/ended.h and ended_step.h. */
const char *const *accounting_job_columns(size_t *ret_n);
const char *const *accounting_step_columns(size_t *ret_n);
