/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/requests.h - what commands ask */
#pragma once

#include "controller/loop/controller.h"

void request_handle(struct peer *p, Envelope *env);

/* The name of a request; NULL: it is none.  *ret_rpc, *ret_number: Slurm's name for it, and number;
   NULL: Slurm has none such. */
const char *request_name(unsigned body, const char **ret_rpc, unsigned *ret_number);
