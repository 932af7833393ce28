/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/tres.h - TRES held or requested by a job (limits.h)
 *
 * Generic resources and licenses count as named in AccountingStorageTRES: "gres/gpu" counts all
 * types, "gres/gpu:a100" only that type, also if the job requested no type. */
#pragma once

#include "controller/model/cluster.h"

/* An allocation, real or considered. */
struct tres_holding {
        const struct partition *partition;
        const struct job_node *alloc;
        size_t n_alloc;
        uint32_t num_cpus;
        const struct gres_share *gres;
        size_t n_gres;
        const struct countlist *licenses, *hres;
        size_t license; /* index in a list of alternatives ("|") */
};

/* Sums of the holding, and (node may be NULL) the maximum on a node. */
void tres_held(const struct cluster *c, const struct tres_holding *h, struct tres_set *job,
                struct tres_set *node);
/* Sums of j's request; alternative licenses ("|") count nothing. */
void tres_asked(const struct cluster *c, const struct job *j, struct tres_set *job,
                struct tres_set *node);
/* Billing cost in p; tres_held() and tres_asked() round the cost to an integer. */
double tres_cost(const struct cluster *c, const struct partition *p, const struct tres_set *set);
/* Sums of j's allocation since its start. */
void tres_of_job(const struct cluster *c, const struct job *j, struct tres_set *ret);

/* "gres/gpu=2,gres/gpu:a100=2,license/matlab=1": the resources of AccountingStorageTRES in that
   order, then any further generic resources; "": none.  The caller frees the text. */
char *tres_job_text(const struct cluster *c, const struct job *j, bool held);
char *tres_node_text(const struct cluster *c, const struct node *n, bool used);
char *tres_partition_text(const struct cluster *c, const struct partition *p);
/* Resources of all nodes of the partition, and all licenses. */
struct tres_set tres_of_partition(const struct cluster *c, const struct partition *p);
/* Billing cost of all resources; of a node in its most expensive partition. 0: no weights are set,
   and the cost is the number of CPUs. */
uint64_t tres_node_cost(const struct cluster *c, const struct node *n);
uint64_t tres_partition_cost(const struct cluster *c, const struct partition *p);
