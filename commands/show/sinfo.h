/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands/show/sinfo.h - rows of nodes that look alike, apart from where the nodes come from */
#pragma once

#include "commands/fields.h"
#include "commands/node_text.h"

struct sinfo_range { /* least and most of a group; shown as "4" or "4+" */
        uint64_t min, max;
};
/* A line: nodes of one partition (or of any) that the format shows alike.  The first node and
   partition speak for all where the texts are equal. */
struct sinfo_row {
        const Node *node; /* NULL: the partition has none */
        const Partition *partition;
        size_t partition_index;
        struct node_seen seen;
        struct hostlist *names;
        const Node *last; /* counted already */
        uint32_t n_nodes, allocated, idle, other;
        uint64_t cpus_allocated, cpus_idle, cpus_other, cpus_total;
        struct sinfo_range cpus, memory, disk, weight, sockets, cores, threads, load, free_memory;
        bool has_load;
        char *text;             /* the names, compressed */
        char *key;              /* what tells this line from others */
        struct sinfo_row *next; /* of the same hash */
};
struct sinfo_view {
        const char *time_format; /* $SLURM_TIME_FORMAT or NULL */
        bool per_node;           /* -N: a line per node and partition */
        bool exact;              /* -e: numbers that differ do not share a line */
};
struct sinfo_filter {
        const char *partitions; /* "a,b"; NULL = all */
        const struct hostlist *nodes;
        const struct node_states *states;
        bool hidden, dead, responding, reasons;
};

const struct field_table *sinfo_fields(void);
/* Rows in the order of the nodes; the caller frees by sinfo_rows_free(). */
struct sinfo_row **sinfo_group(Node *const *nodes, size_t n_nodes, Partition *const *partitions,
                size_t n_partitions, const struct format *format, const struct sinfo_filter *filter,
                const struct sinfo_view *view, size_t *ret_n);
void sinfo_rows_free(struct sinfo_row **rows, size_t n);
/* Is the text of this field what tells lines apart?  Counts and ranges do not. */
bool sinfo_field_groups(const struct field *field, bool exact);
/* Does this field tell nodes apart that share a record (NodeQuery.alike)? */
bool sinfo_field_of_one_node(const struct field *field);
bool sinfo_field_of_partition(const struct field *field);
bool sinfo_field_names_partition(const struct field *field);
void sinfo_print(const struct format *format, const struct sort *sort, struct sinfo_row **rows,
                size_t n, bool heading, const struct sinfo_view *view, FILE *out);
/* For -v: the options of table that were given, and what the format looks at; filtering: some
   option leaves nodes out. */
struct option_table;
void sinfo_say(const struct option_table *table, const struct format *format, bool filtering,
                bool all, FILE *out);
