/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/accounting_schema.h - the tables of accounting.db */
#pragma once

#include "lib/base.h"

#include <sqlite3.h>

/* accounting_steps[i] upgrades a file of version i to version i + 1. */
extern const char *const accounting_steps[];
extern const size_t n_accounting_steps;
/* Returns SQL for adding the columns of model/ended.h and ended_step.h missing in a file of the
   newest version; "": none. The caller frees. */
char *accounting_missing_columns(sqlite3 *db);
