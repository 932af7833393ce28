/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/config_records.h - lines that are records: NodeName, NodeSet, PartitionName,
 * DownNodes, PowerAction; for the files that read them
 *
 * A line becomes an array of values, one per row of its table; a DEFAULT line puts its values
 * into the array that later lines of the kind start from. record_parse() then fills a struct from
 * the array, so a default and a value of the line itself go the same way and errors name the place
 * where the value stands. */
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

struct value { /* borrowed from the line it stands on */
        const char *text, *file;
        unsigned line;
};

struct config_records {
        struct lines kinds[RECORD_MAX];
        struct config *config;  /* while applying */
        struct hostlist *names; /* of all nodes, same index as config->nodes */
        size_t allocated_nodes;
        struct value defaults[RECORD_MAX][KEYS_MAX];
        bool noted[RECORD_MAX][KEYS_MAX];
        bool failed[RECORD_MAX]; /* a line of this kind had a mistake */
        struct hostlist *wrong;  /* nodes and sets of such lines ... */
        bool wrong_names;        /* ... of which one does not even have names */
};

struct record_type {
        enum record_kind kind;
        const struct config_key *keys; /* the first one begins the line */
        size_t n;                      /* KEYS_MAX at the most */
};

/* ---- config_records.c ---- */

/* Puts the words of a line over values. */
int record_read(const struct record_type *type, const struct config_line *line,
                struct value *values, struct fail *fail);
/* Fills base, a struct of this kind, from values; notes each key that does not act once. */
int record_parse(struct config_records *records, const struct record_type *type,
                const struct value *values, void *base, struct fail *fail);
/* What a line with a mistake names is there as far as other lines are concerned. */
void records_note_wrong(struct config_records *records, const struct value *name);
const struct config_nodeset *config_find_set(const struct config *config, const char *name);
/* "ALL", names and names of sets, in any mixture. */
int records_resolve_nodes(const struct config_records *records, const char *text,
                struct hostlist **ret, struct fail *fail);

/* ---- config_partitions.c ---- */

extern const struct record_type partition_record;
int partition_apply(struct config_records *records, const struct value *values, struct fail *fail);
