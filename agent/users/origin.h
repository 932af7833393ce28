/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/users/origin.h - which process of this machine has the other end of a TCP connection */
#pragma once

#include "lib/base.h"

#include <sys/types.h>

struct origin_ask {
        const char *from, *to; /* numeric addresses of the connection: the other end's, ours */
        uint16_t from_port, to_port;
        uid_t uid;     /* of the process */
        usec_t budget; /* of CPU time; 0: 50 ms */
};

/* 0: none within the budget, or as the connection comes from another machine or network namespace,
   or from another user's process.  Looks through that user's processes. */
pid_t origin_process(const struct origin_ask *ask);
