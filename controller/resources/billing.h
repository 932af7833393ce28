/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/billing.h - the cost of resources: TRESBillingWeights of a partition
 *
 * Without weights a job costs its CPUs.  Fair-share usage uses the exact cost, limits of "billing"
 * whole numbers, like Slurm. */
#pragma once

#include "controller/resources/tres_set.h"

struct billing {
        bool weighted;
        double weight[TRES_MAX]; /* per unit; memory: per MB */
};

/* Parses "CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/x=1"; Mem=0.25G means 0.25 per GB (without a unit:
   per MB).  "" and NULL: none.  -EINVAL with the faulty word in fail. */
int billing_parse(const struct tres_names *names, const char *text, struct billing *ret,
                struct fail *fail);
/* Checks all partitions, with the names of AccountingStorageTRES: faults are kept with their
   places, if fail collects all faults. */
int billing_check(const struct config *config, struct fail *fail);
/* Returns the sum; with PriorityFlags=MAX_TRES the most expensive resource of nodes, plus licenses;
   MAX_TRES_GRES adds generic resources, too. */
double billing_of(const struct billing *b, const struct tres_names *names,
                const struct tres_set *set, unsigned priority_flags);
