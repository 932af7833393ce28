/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/borrow.h - memory that suspended jobs lend to a starting job (preemption
 * guide) */
#pragma once

#include "controller/model/cluster.h"

/* j has been placed: asks the suspended jobs on the nodes of j for the memory of j that is not
   free. */
void borrow_memory(struct cluster *c, struct job *j);
