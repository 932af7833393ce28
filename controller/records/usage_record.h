/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/usage_record.h - usage as a record of the store */
#pragma once

#include "controller/accounts/usage.h"
#include "proto/slumber.pb-c.h"

void usage_record_fill(struct cluster *c, Slumber__Usage *m); /* usage at c->usage_at */
void usage_record_done(Slumber__Usage *m);
/* Entries of removed associations and QOS are dropped. */
void usage_record_restore(struct cluster *c, const Slumber__Usage *m);
