/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/origin.h - the process of this machine at the remote end of a TCP connection */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct origin_ask {
        /* Numeric addresses of the connection: the remote end, local end */
        const char *from, *to;
        uint16_t from_port, to_port;
        uid_t uid;     /* user of the process */
        usec_t budget; /* CPU time for the search; 0: 50 ms */
};

/* Searches the user's processes. 0: not found within the budget, or the connection comes from
   another machine, network namespace or user. */
pid_t origin_process(const struct origin_ask *ask);
