/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/store/accounting_schema.h - the tables of accounting.db */
#pragma once

#include "lib/base.h"

#include <sqlite3.h>

/* What makes a file of version i one of version i + 1. */
extern const char *const accounting_steps[];
extern const size_t n_accounting_steps;
/* SQL that adds what a file of the newest version lacks of the columns that model/ended.h and
   ended_step.h list; "": nothing.  The caller frees. */
char *accounting_missing_columns(sqlite3 *db);
