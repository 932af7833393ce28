/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/json.h - --json: the messages as they are, under the names that Slurm's clients use */
#pragma once

#include "commands/query.h"

/* One document each: {"jobs": [...], "last_update": ..., "meta": ..., "errors": [], "warnings":
   []} */
void json_print_nodes(const Node *const *nodes, size_t n, usec_t now, FILE *out);
/* of nodes with_power */
void json_print_power(const Node *const *nodes, size_t n, usec_t now, FILE *out);
void json_print_partitions(const Partition *const *partitions, size_t n, usec_t now, FILE *out);
/* The document of jobs is written as they come; the end makes it whole. */
struct json_jobs;
struct json_jobs *json_jobs_new(FILE *out);
void json_jobs_add(struct json_jobs *j, const Job *job);
void json_jobs_end(struct json_jobs *j, usec_t now);
struct json_jobs *json_jobs_free(struct json_jobs *j);
DEFINE_CLEANUP(struct json_jobs *, json_jobs_free)
void json_print_reservations(const Slumber__ReservationList *list, FILE *out);
/* A page of sacctmgr's rows, columns in small letters; the first begins the document, which
   json_end_accounts() ends. */
void json_print_accounts(const char *name, const Slumber__AcctList *list, bool first, FILE *out);
void json_end_accounts(void);
void json_print_instances(Slumber__Instance *const *instances, size_t n, usec_t now, FILE *out);
/* {"KEY": o, "last_update": ...}; o is taken over. */
struct json_object;
void json_print_object(const char *key, struct json_object *o, usec_t now, FILE *out);

/* ---- parts of documents that are made elsewhere; objects are the caller's ---- */

struct json_object *json_text(const char *s); /* NULL: ""; bytes that are not UTF-8 become U+FFFD */
struct json_object *json_number_object(bool set, bool infinite, uint64_t value);
/* Of the list that document_begin_list() began, with what stands behind the records of each
   document. */
void json_end_list(usec_t now);
