/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/requests.h - requests of commands */
#pragma once

#include "controller/loop/controller.h"

void request_handle(struct peer *p, Envelope *env);

/* Returns the name of a request; NULL: not a request. *ret_rpc, *ret_number: Slurm's name and
   number; NULL: Slurm has none. */
const char *request_name(unsigned body, const char **ret_rpc, unsigned *ret_number);
