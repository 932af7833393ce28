/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/acct_rows.h - accounts, QOS and associations in the accounting file */
#pragma once

#include "controller/loop/controller.h"

/* called before jobs are restored */
int acct_load(struct controller *ctl, struct fail *fail);
/* Logs a warning for each partition with an unknown QOS. */
void acct_tell_missing(const struct cluster *c);
/* Returns the rows for acct.dirty, which is cleared; the caller frees the array. */
struct accounting_row *acct_rows(struct acct *a, size_t *ret_n);
/* Writes the rows of acct_rows() to the file; calls done() when the write is complete. */
void acct_save(struct controller *ctl, void (*done)(int r, const char *why, void *user),
                void *user);
