/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/config_records.h - record lines: NodeName, NodeSet, PartitionName, DownNodes,
 * PowerAction; for the files reading them
 *
 * A line becomes an array of values, one per row of its table. A DEFAULT line puts its values into
 * the array from which later lines of its kind start. record_parse() then fills a struct from the
 * array: defaults and the line's own values are treated alike, and errors name the place of the
 * value. */
#pragma once

#include "lib/config/config_private.h"

#define KEYS_MAX 64

enum record_kind {
        RECORD_NODE,
        RECORD_SET,
        RECORD_PARTITION,
        RECORD_DOWN,
        RECORD_ACTION,
        RECORD_MAX,
};

struct lines {
        struct config_line *lines;
        size_t n, allocated;
};

struct value { /* borrowed from its line */
        const char *text, *file;
        unsigned line;
};

struct config_records {
        struct lines kinds[RECORD_MAX];
        struct config *config;  /* while applying */
        struct hostlist *names; /* names of all nodes, with the indexes of config->nodes */
        size_t allocated_nodes;
        struct value defaults[RECORD_MAX][KEYS_MAX];
        bool noted[RECORD_MAX][KEYS_MAX];
        bool failed[RECORD_MAX]; /* a line of this kind was faulty */
        struct hostlist *wrong;  /* nodes and sets of faulty lines */
        bool wrong_names;        /* a faulty line has an unreadable name */
};

struct record_type {
        enum record_kind kind;
        const struct config_key *keys; /* the first key begins the line */
        size_t n;                      /* at most KEYS_MAX */
};

/* ---- config_records.c ---- */

/* Puts the words of a line into values, over earlier values. */
int record_read(const struct record_type *type, const struct config_line *line,
                struct value *values, struct fail *fail);
/* Fills base, a struct of this kind, from values; notes each key without effect once. */
int record_parse(struct config_records *records, const struct record_type *type,
                const struct value *values, void *base, struct fail *fail);
/* Notes the names of a faulty line, so that other lines may refer to them. */
void records_note_wrong(struct config_records *records, const struct value *name);
const struct config_nodeset *config_find_set(const struct config *config, const char *name);
/* Resolves "ALL", names and names of sets, mixed. */
int records_resolve_nodes(const struct config_records *records, const char *text,
                struct hostlist **ret, struct fail *fail);

/* ---- config_partitions.c ---- */

extern const struct record_type partition_record;
int partition_apply(struct config_records *records, const struct value *values, struct fail *fail);
