/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/borrow.h - memory that suspended jobs lend to a job that starts (preemption
   guide) */
#pragma once

#include "controller/model/cluster.h"

/* j got its nodes: asks the suspended jobs there for the memory of j that is not free. */
void borrow_memory(struct cluster *c, struct job *j);
