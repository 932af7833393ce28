/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_ports.h - ports that a step has for itself on its nodes (--resv-ports,
 * MpiParams=ports=)
 *
 * They are the same on each of its nodes.  A node's ports are taken by the steps that have not
 * ended there. */
#pragma once

#include "controller/model/job.h"
#include "lib/errors.h"

#define STEP_PORTS_BY_TASKS UINT32_MAX /* one more than the most tasks on one of its nodes */

struct port_range {
        uint32_t first, last; /* first 0: there are none */
};

/* Of the nodes at these places of j->placed.alloc, with so many tasks; asked 0: none.  The search
   begins at *next, which is then the port behind the last that was found: a port that was just
   given back is not given away at once.  *ret, the caller's: "12000-12003,12007", or NULL.
   SLUMBER_PORTS_BUSY: not now; SLUMBER_TOO_MANY_PORTS: never. */
enum slumber_error step_ports_find(const struct job *j, const size_t *at, const uint32_t *tasks,
                size_t n, uint32_t asked, struct port_range range, uint32_t *next, char **ret);
