/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/steps/step_ports.h - ports reserved for a step (--resv-ports, MpiParams=ports=)
 *
 * A step has the same ports on each of its nodes. A port of a node is in use until the step has
 * ended there. */
#pragma once

#include "controller/model/job.h"
#include "lib/errors.h"

#define STEP_PORTS_BY_TASKS UINT32_MAX /* largest number of tasks on a node, plus 1 */

struct port_range {
        uint32_t first, last; /* first 0: no ports */
};

/* Finds ports free on the nodes at these positions of j->placed.alloc, with tasks[] tasks; asked 0:
   none. The search begins at *next, which is set to the port after the last found port, so that a
   port just released is not reused at once. *ret: "12000-12003,12007", the caller frees; NULL:
   none. SLUMBER_PORTS_BUSY: not now; SLUMBER_TOO_MANY_PORTS: never. */
enum slumber_error step_ports_find(const struct job *j, const size_t *at, const uint32_t *tasks,
                size_t n, uint32_t asked, struct port_range range, uint32_t *next, char **ret);
