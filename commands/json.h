/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/json.h - --json: messages under the names that Slurm's clients use */
#pragma once

#include "commands/query.h"

/* Each function prints a document: {"jobs": [...], "last_update": ..., "meta": ..., "errors":
   [], "warnings": []} */
void json_print_nodes(const Node *const *nodes, size_t n, usec_t now, FILE *out);
/* nodes: fetched with_power */
void json_print_power(const Node *const *nodes, size_t n, usec_t now, FILE *out);
void json_print_partitions(const Partition *const *partitions, size_t n, usec_t now, FILE *out);
/* Writes the document of jobs while jobs arrive; json_jobs_end() completes the document. */
struct json_jobs;
struct json_jobs *json_jobs_new(FILE *out);
void json_jobs_add(struct json_jobs *j, const Job *job);
void json_jobs_end(struct json_jobs *j, usec_t now);
struct json_jobs *json_jobs_free(struct json_jobs *j);
DEFINE_CLEANUP(struct json_jobs *, json_jobs_free)
void json_print_reservations(const Slumber__ReservationList *list, FILE *out);
/* Prints a page of sacctmgr's rows with columns in lower case; first begins the document,
   json_end_accounts() ends the document. */
void json_print_accounts(const char *name, const Slumber__AcctList *list, bool first, FILE *out);
void json_end_accounts(void);
void json_print_instances(Slumber__Instance *const *instances, size_t n, usec_t now, FILE *out);
/* Prints {"KEY": o, "last_update": ...}; o is taken over. */
struct json_object;
void json_print_object(const char *key, struct json_object *o, usec_t now, FILE *out);

/* ---- parts for documents made elsewhere; the caller owns the objects ---- */

struct json_object *json_text(const char *s); /* NULL: ""; invalid UTF-8 becomes U+FFFD */
struct json_object *json_number_object(bool set, bool infinite, uint64_t value);
/* Ends a list begun by document_begin_list(), with the values that follow the records. */
void json_end_list(usec_t now);
