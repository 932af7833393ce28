/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/acct_rows.h - accounts, QOS and associations, as they are kept */
#pragma once

#include "controller/loop/controller.h"

int acct_load(struct controller *ctl, struct fail *fail); /* before jobs are */
/* Logs partitions with an unknown QOS. */
void acct_tell_missing(const struct cluster *c);
/* What has changed (acct.dirty), which is empty then; the caller frees. */
struct accounting_row *acct_rows(struct acct *a, size_t *ret_n);
/* ... to the file; done() when it is there. */
void acct_save(struct controller *ctl, void (*done)(int r, const char *why, void *user),
                void *user);
