/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/usage_record.h - usage as it is stored */
#pragma once

#include "controller/accounts/usage.h"
#include "proto/slumber.pb-c.h"

void usage_record_fill(struct cluster *c, Slumber__Usage *m); /* as of c->usage_at */
void usage_record_done(Slumber__Usage *m);
/* Associations and QOS that are not there any more are left out. */
void usage_record_restore(struct cluster *c, const Slumber__Usage *m);
