/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/document.h - prints a document on standard output, a list of records or a single value,
 * as JSON or YAML
 *
 * Records are written one by one, so that a long list is never in memory twice. */
#pragma once

#include "lib/base.h"
#include "lib/fail.h"

#include <stdio.h>

struct json_object;

/* --json and --yaml for OPTION_CALL_OPTIONAL: field is a bool, set to true. value: version of
   Slurm's data parser (others are refused), or "list", which prints the versions and ends the
   command. */
int document_as_json(void *field, const char *value, struct fail *fail);
int document_as_yaml(void *field, const char *value, struct fail *fail);

#define OPTION_ROWS_DOCUMENT(at, what)                                                             \
        { "json", 0, OPTION_CALL_OPTIONAL, (at), document_as_json, "parser", what " as JSON" }, {  \
                "yaml", 0, OPTION_CALL_OPTIONAL, (at), document_as_yaml, "parser", what " as YAML" \
        }

/* {"KEY": [records...], then the values of document_value() }. Only one document at a time; o is
   taken over. */
void document_begin_list(const char *key, FILE *out);
void document_record(struct json_object *o);
void document_end_list(void);
/* {"KEY": o, then the values of document_value() } */
void document_begin(const char *key, struct json_object *o, FILE *out);
void document_value(const char *key, struct json_object *o);
void document_end(void);
