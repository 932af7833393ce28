/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/show/sinfo.h - lines of sinfo: grouping of nodes, fields, printing */
#pragma once

#include "commands/fields.h"
#include "commands/node_text.h"

struct sinfo_range { /* smallest and largest value of a group; shown as "4" or "4+" */
        uint64_t min, max;
};
/* A line: nodes of one partition (or of any partition) with equal texts in the format's fields.
   The first node and partition represent the group in fields with equal texts. */
struct sinfo_row {
        const Node *node; /* NULL: the partition has no nodes */
        const Partition *partition;
        size_t partition_index;
        struct node_seen seen;
        struct hostlist *names;
        const Node *last; /* last node counted */
        uint32_t n_nodes, allocated, idle, other;
        uint64_t cpus_allocated, cpus_idle, cpus_other, cpus_total;
        struct sinfo_range cpus, memory, disk, weight, sockets, cores, threads, load, free_memory;
        bool has_load;
        char *text;             /* node names, compressed */
        char *key;              /* texts of the grouping fields */
        struct sinfo_row *next; /* next row of the bucket */
};
struct sinfo_view {
        const char *time_format; /* $SLURM_TIME_FORMAT or NULL */
        bool per_node;           /* -N: a line per node and partition */
        bool exact;              /* -e: different numbers make different lines */
};
struct sinfo_filter {
        const char *partitions; /* "a,b"; NULL: all */
        const struct hostlist *nodes;
        const struct node_states *states;
        bool hidden, dead, responding, reasons;
};

const struct field_table *sinfo_fields(void);
/* Groups nodes into rows, in the order of the nodes; the caller calls sinfo_rows_free(). */
struct sinfo_row **sinfo_group(Node *const *nodes, size_t n_nodes, Partition *const *partitions,
                size_t n_partitions, const struct format *format, const struct sinfo_filter *filter,
                const struct sinfo_view *view, size_t *ret_n);
void sinfo_rows_free(struct sinfo_row **rows, size_t n);
/* Returns true if different texts of the field make different lines; false for counts and,
   unless exact, ranges. */
bool sinfo_field_groups(const struct field *field, bool exact);
/* Returns true if the field may differ between nodes sharing a record (NodeQuery.alike). */
bool sinfo_field_of_one_node(const struct field *field);
bool sinfo_field_of_partition(const struct field *field);
bool sinfo_field_names_partition(const struct field *field);
void sinfo_print(const struct format *format, const struct sort *sort, struct sinfo_row **rows,
                size_t n, bool heading, const struct sinfo_view *view, FILE *out);
/* Prints the header of -v: the options given and the fields of the format. filtering: an option
   excludes nodes; all: hidden partitions are shown. */
struct option_table;
void sinfo_say(const struct option_table *table, const struct format *format, bool filtering,
                bool all, FILE *out);
