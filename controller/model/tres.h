/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/tres.h - how much a job has, or asks for, of each trackable resource (limits.h)
 *
 * Of generic resources and licenses, what AccountingStorageTRES names: "gres/gpu" is all of them,
 * "gres/gpu:a100" those of that type, also where a job has asked for any. */
#pragma once

#include "controller/model/cluster.h"

/* What is held, or would be. */
struct tres_holding {
        const struct partition *partition;
        const struct job_node *alloc;
        size_t n_alloc;
        uint32_t num_cpus;
        const struct gres_share *gres;
        size_t n_gres;
        const struct countlist *licenses, *hres;
        size_t license; /* of a list with "|": which */
};

/* In all, and (node may be NULL) the most on one node. */
void tres_held(const struct cluster *c, const struct tres_holding *h, struct tres_set *job,
                struct tres_set *node);
/* The same by what the job asks for; of licenses with "|" nothing. */
void tres_asked(const struct cluster *c, const struct job *j, struct tres_set *job,
                struct tres_set *node);
/* What that costs there; tres_held() and tres_asked() have it in whole numbers. */
double tres_cost(const struct cluster *c, const struct partition *p, const struct tres_set *set);
/* What it has, since it has started. */
void tres_of_job(const struct cluster *c, const struct job *j, struct tres_set *ret);

/* "gres/gpu=2,gres/gpu:a100=2,license/matlab=1": what AccountingStorageTRES names, in its order,
   then other generic resources;
   "" for nothing, the caller frees. */
char *tres_job_text(const struct cluster *c, const struct job *j, bool held);
char *tres_node_text(const struct cluster *c, const struct node *n, bool used);
char *tres_partition_text(const struct cluster *c, const struct partition *p);
/* All that its nodes have, and all licenses. */
struct tres_set tres_of_partition(const struct cluster *c, const struct partition *p);
/* What all of it costs; of a node, in the dearest of its partitions. 0: no weights are set, so its
   CPUs. */
uint64_t tres_node_cost(const struct cluster *c, const struct node *n);
uint64_t tres_partition_cost(const struct cluster *c, const struct partition *p);
