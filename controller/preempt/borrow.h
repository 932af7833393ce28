/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/preempt/borrow.h - memory that suspended jobs lend to a job that starts (preemption guide) */
#pragma once

#include "controller/model/cluster.h"

/* j has its nodes and is about to start: what they have not free of the memory that it is to get, the suspended jobs there are
   asked for. */
void borrow_memory(struct cluster *c, struct job *j);
