/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/document.h - one document on standard output, a list of records or one value, as JSON or
 * as YAML
 *
 * Records are written one by one, so that a long list is never in memory twice. */
#pragma once

#include "lib/base.h"
#include "lib/fail.h"

#include <stdio.h>

struct json_object;

/* --json and --yaml, for OPTION_CALL_OPTIONAL: field is a bool that becomes true.  value: the
   version of Slurm's data parser, or "list", which lists them and ends the command; another one is
   refused. */
int document_as_json(void *field, const char *value, struct fail *fail);
int document_as_yaml(void *field, const char *value, struct fail *fail);

#define OPTION_ROWS_DOCUMENT(at, what)                                                             \
        { "json", 0, OPTION_CALL_OPTIONAL, (at), document_as_json, "parser", what " as JSON" }, {  \
                "yaml", 0, OPTION_CALL_OPTIONAL, (at), document_as_yaml, "parser", what " as YAML" \
        }

/* {"KEY": [records...], then what document_value() adds }. One document at a time; o is taken
   over. */
void document_begin_list(const char *key, FILE *out);
void document_record(struct json_object *o);
void document_end_list(void);
/* {"KEY": o, then what document_value() adds } */
void document_begin(const char *key, struct json_object *o, FILE *out);
void document_value(const char *key, struct json_object *o);
void document_end(void);
