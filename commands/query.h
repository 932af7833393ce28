/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/query.h - the controller's lists, fetched page by page */
#pragma once

#include "commands/jobid.h"
#include "lib/wire.h"

typedef Slumber__Job Job;
typedef Slumber__Step Step;
typedef Slumber__Node Node;
typedef Slumber__Partition Partition;

/* Records of a kind in the controller's order, stored in pages. */
struct pages {
        struct arena arena;
        usec_t now; /* the controller's clock, CLOCK_REALTIME */
};
struct job_list {
        Job **jobs;
        size_t n_jobs, allocated;
        struct pages pages;
};
struct node_list {
        Node **nodes;
        size_t n_nodes, allocated;
        struct pages pages;
};
struct partition_list {
        Partition **partitions;
        size_t n_partitions;
        bool sees_hidden; /* the caller may see hidden partitions */
        struct pages pages;
};

struct instance_list {
        Slumber__Instance **instances;
        size_t n_instances;
        struct pages pages;
};

struct ended_list {
        Slumber__Ended **jobs;
        size_t n_jobs;
        Slumber__EndedStep **steps; /* filled if the query asks for steps */
        size_t n_steps;
        struct pages step_pages; /* memory of steps taken over from another query */
        struct pages pages;
};

struct license_list {
        Slumber__License **licenses; /* sorted by name */
        size_t n_licenses;
        struct pages pages;
};

/* Return 0 or a negative errno with fail set; -EREMOTE: refused, *ret_code has the reason (enum
   slumber_error; ret_code may be NULL). */
int query_jobs(struct wire *w, const Slumber__JobQuery *query, struct job_list *ret,
                uint32_t *ret_code, struct fail *fail);
int query_nodes(struct wire *w, const Slumber__NodeQuery *query, struct node_list *ret,
                uint32_t *ret_code, struct fail *fail);
/* Calls each() for every record on arrival, while the controller makes the next page; a record
   is valid during the call only. Records before an error have been passed. *now: the
   controller's clock at the page, also if empty. */
typedef void query_each_t(const void *record, void *user);
int query_each_job(struct wire *w, const Slumber__JobQuery *query, query_each_t *each, void *user,
                usec_t *now, struct fail *fail);
int query_each_node(struct wire *w, const Slumber__NodeQuery *query, query_each_t *each, void *user,
                usec_t *now, struct fail *fail);
int query_partitions(struct wire *w, const char *name, struct partition_list *ret,
                uint32_t *ret_code, struct fail *fail);
int query_instances(struct wire *w, const Slumber__InstanceQuery *query, struct instance_list *ret,
                uint32_t *ret_code, struct fail *fail);
int query_ended(struct wire *w, const Slumber__EndedQuery *query, struct ended_list *ret,
                uint32_t *ret_code, struct fail *fail);
/* Calls each() for every page of sacctmgr's rows, at least once; query->skip counts the rows. */
typedef void query_accounts_t(const Slumber__AcctList *page, void *user);
int query_accounts(struct wire *w, Slumber__AcctQuery *query, query_accounts_t *each, void *user,
                uint32_t *ret_code, struct fail *fail);
/* Returns the value of a column, named as in acct_fields; "" if missing. */
const char *accounts_value(const Slumber__AcctList *page, const Slumber__AcctRow *row,
                const char *column);
int query_licenses(struct wire *w, const char *name, struct license_list *ret, uint32_t *ret_code,
                struct fail *fail);
/* Looks up the job id of a component of a heterogeneous job ("12+1"); -ESRCH: unknown. */
int query_component(struct wire *w, const struct job_id *id, uint32_t *ret, struct fail *fail);
void license_list_done(struct license_list *list);
void instance_list_done(struct instance_list *list);
void ended_list_done(struct ended_list *list);
void job_list_done(struct job_list *list);
void node_list_done(struct node_list *list);
void partition_list_done(struct partition_list *list);
