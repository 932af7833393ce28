/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/ended/ended.h - makes the accounting row (model/ended.h) of a job that ends */
#pragma once

#include "controller/model/ended.h"

struct cluster;
struct job;

/* Makes the row of j, which ends now in the given state and still has its allocation.  ran false:
   the job ends in the queue.  Returns NULL if the accounts keep no jobs; the caller frees by
   ended_free(). */
struct ended *ended_new(const struct cluster *c, const struct job *j, const char *state, bool ran,
                usec_t now);
