/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/ended/ended.h - the row of the accounts (model/ended.h) of a job that ends */
#pragma once

#include "controller/model/ended.h"

struct cluster;
struct job;

/* j, which still has what it had, ends now in the state of that word. ran: else it ends in the
   queue. NULL: the accounts keep no jobs. */
struct ended *ended_new(const struct cluster *c, const struct job *j, const char *state, bool ran,
                usec_t now);
