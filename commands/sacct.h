/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/sacct.h - what sacct's files share: the fields that it can print of a Slumber__Ended */
#pragma once

#include "commands/table.h"
#include "lib/wire.h"

typedef Slumber__Ended Ended;

/* In the order of --helpformat.  user of their text functions is the present time, a usec_t. */
const struct table_field *sacct_fields(size_t *ret_n);
/* It is Slurm's, and Slumber has nothing to tell there yet. */
bool sacct_field_is_missing(const struct table_field *field);
/* "12", "12_3", "12_[4-9]" */
const char *sacct_job_id(const Ended *e, struct scratch *s);
