/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/billing.h - what resources cost: TRESBillingWeights of a partition
 *
 * Without weights a job costs its CPUs.  Fair shares follow from the cost with its fractions,
 * limits of "billing" from whole numbers, as Slurm's. */
#pragma once

#include "controller/resources/tres_set.h"

struct billing {
        bool weighted;
        double weight[TRES_MAX]; /* of one; of memory, of a MB */
};

/* "CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/x=1": of memory with the unit that it is for (MB). "" and
   NULL: none. -EINVAL says of which word. */
int billing_parse(const struct tres_names *names, const char *text, struct billing *ret,
                struct fail *fail);
/* Of all partitions, with the names of AccountingStorageTRES: faults are kept with their places,
   where all are wanted. */
int billing_check(const struct config *config, struct fail *fail);
/* The sum; with PriorityFlags=MAX_TRES the dearest of what nodes have, and licenses; MAX_TRES_GRES
   adds generic resources too. */
double billing_of(const struct billing *b, const struct tres_names *names,
                const struct tres_set *set, unsigned priority_flags);
