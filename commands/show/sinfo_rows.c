/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of sinfo. Each pair of a node and one of its partitions becomes a line of one node. The key
 * of the line is made of the texts of the grouping fields of the format. A line with an equal key
 * absorbs the new line: counts are added, ranges widened.
 *
 * The outer loop runs over nodes: a node reaching the same line through two partitions does so in
 * succession and is counted once. If the format names the partition, a partition without nodes gets
 * a line, too. */
#include "commands/show/sinfo.h"

#include "commands/rows.h"
#include "lib/hostlist.h"

#define BUCKETS 4096

struct grouping {
        const struct format *format;
        const struct sinfo_view *view;
        struct sinfo_row **rows;
        size_t n_rows, allocated;
        struct sinfo_row *buckets[BUCKETS];
        struct scratch cell, key;
        bool of_partition, names_partition;
};

static struct sinfo_range range_of_one(uint64_t n) {
        return (struct sinfo_range){ n, n };
}

static void range_widen(struct sinfo_range *a, const struct sinfo_range *b) {
        a->min = MIN(a->min, b->min);
        a->max = MAX(a->max, b->max);
}

/* Adds all nodes of the record. */
static void row_add_names(struct hostlist *names, const Node *node) {
        _cleanup_(hostlist_freep) struct hostlist *alike = NULL;

        if (isempty(node->alike) || hostlist_parse(node->alike, &alike, NULL) < 0) {
                hostlist_push(names, node->name);
                return;
        }
        for (size_t i = 0; i < hostlist_count(alike); i++)
                hostlist_push(names, hostlist_get(alike, i));
}

/* Sets the counts; the nodes of a record count alike. */
static void row_count_node(struct sinfo_row *row) {
        const Slumber__Hardware *h = row->node->configured;
        /* CPUs reserved for the system count as idle, as in Slurm */
        uint32_t cpus = h ? MAX(h->cpus, node_cpus(row->node)) : node_cpus(row->node);
        uint32_t used = MIN(row->node->cpus_alloc, cpus);
        bool usable = node_seen_usable(row->seen), allocated = node_seen_allocated(row->seen);

        uint32_t n = row->n_nodes = MAX(row->node->n_alike, 1u);

        row->allocated = allocated ? n : 0;
        row->idle = !allocated && usable ? n : 0;
        row->other = !allocated && !usable ? n : 0;
        row->cpus_total = (uint64_t)n * cpus;
        row->cpus_allocated = (uint64_t)n * used;
        row->cpus_idle = usable ? (uint64_t)n * (cpus - used) : 0;
        row->cpus_other = usable ? 0 : (uint64_t)n * (cpus - used);
}

/* Returns a line of one node. */
static struct sinfo_row row_of_node(const Node *node, const Partition *partition, size_t index) {
        static const Slumber__Hardware none = SLUMBER__HARDWARE__INIT;
        const Slumber__Hardware *h = node->configured ? node->configured : &none,
                                *now = node->registered;
        struct sinfo_row row = {
                .node = node,
                .partition = partition,
                .partition_index = index,
                .seen = node_seen(node),
                .last = node,
                .cpus = range_of_one(h->cpus),
                .memory = range_of_one(h->real_memory),
                .disk = range_of_one(h->tmp_disk),
                .weight = range_of_one(node->weight),
                .sockets = range_of_one(h->sockets * MAX(h->boards, 1u)),
                .cores = range_of_one(h->cores),
                .threads = range_of_one(h->threads),
                .has_load = now != NULL,
                .load = range_of_one(now ? now->load : 0),
                .free_memory = range_of_one(now ? now->free_memory : 0),
        };

        row_count_node(&row);
        return row;
}

static void take_in(struct sinfo_row *row, const struct sinfo_row *one) {
        if (row->last == one->node)
                return;
        row->last = one->node;
        row->n_nodes += one->n_nodes;
        row->allocated += one->allocated;
        row->idle += one->idle;
        row->other += one->other;
        row->cpus_total += one->cpus_total;
        row->cpus_allocated += one->cpus_allocated;
        row->cpus_idle += one->cpus_idle;
        row->cpus_other += one->cpus_other;
        range_widen(&row->cpus, &one->cpus);
        range_widen(&row->memory, &one->memory);
        range_widen(&row->disk, &one->disk);
        range_widen(&row->weight, &one->weight);
        range_widen(&row->sockets, &one->sockets);
        range_widen(&row->cores, &one->cores);
        range_widen(&row->threads, &one->threads);
        row_add_names(row->names, one->node);
        if (!one->has_load)
                return;
        if (!row->has_load) {
                row->has_load = true;
                row->load = one->load;
                row->free_memory = one->free_memory;
        }
        range_widen(&row->load, &one->load);
        range_widen(&row->free_memory, &one->free_memory);
}

/* ---- keys ---- */

static const char *make_key(struct grouping *g, const struct sinfo_row *row) {
        size_t used = 0;

        if (!g->key.text)
                scratch_printf(&g->key, "%256s", "");
        for (size_t i = 0; i < g->format->n_columns; i++) {
                const struct field *field = g->format->columns[i].field;
                const char *text;
                size_t n;

                if (!field || !sinfo_field_groups(field, g->view->exact))
                        continue;
                text = field_text(field, row, &g->cell, g->view);
                n = strlen(text) + 1;
                if (used + n + 1 > g->key.size) {
                        g->key.size = 2 * (used + n + 1);
                        g->key.text = xrenew(g->key.text, g->key.size);
                }
                memcpy(g->key.text + used, text, n);
                used += n;
                g->key.text[used - 1] = '\x1f';
        }
        g->key.text[used] = 0;
        return g->key.text;
}

static size_t key_hash(const char *text) {
        uint32_t h = 2166136261u;

        for (; *text; text++)
                h = (h ^ (unsigned char)*text) * 16777619u;
        return h % BUCKETS;
}

static struct sinfo_row *grouping_add_row(struct grouping *g, const struct sinfo_row *one) {
        struct sinfo_row *row = xnew(struct sinfo_row, 1);

        *row = *one;
        GROW(g->rows, g->allocated, g->n_rows);
        g->rows[g->n_rows++] = row;
        return row;
}

static void grouping_add_pair(struct grouping *g, const Node *node, const Partition *partition,
                size_t index) {
        struct sinfo_row one = row_of_node(node, partition, index), *row, **bucket;
        const char *key;

        if (g->view->per_node) {
                grouping_add_row(g, &one)->text = xstrdup(node->name);
                return;
        }
        key = make_key(g, &one);
        bucket = &g->buckets[key_hash(key)];
        for (row = *bucket; row; row = row->next)
                if (streq(row->key, key)) {
                        take_in(row, &one);
                        return;
                }
        row = grouping_add_row(g, &one);
        row->key = xstrdup(key);
        row->names = hostlist_new();
        row_add_names(row->names, node);
        row->next = *bucket;
        *bucket = row;
}

/* ---- filters ---- */

static bool comma_list_has(const char *list, const char *word) {
        for (const char *p = list; *p;) {
                size_t n = strcspn(p, ",");

                if (strncmp(p, word, n) == 0 && word[n] == 0)
                        return true;
                p += n + (p[n] != 0);
        }
        return false;
}

static bool partition_selected(const struct sinfo_filter *f, const Partition *p) {
        if (f->partitions)
                return comma_list_has(f->partitions, p->name);
        return f->hidden || !p->hidden;
}

static bool node_selected(const struct sinfo_filter *f, const Node *node) {
        struct node_seen seen = node_seen(node);
        bool silent = seen.flags & SEEN(NOT_RESPONDING);

        if ((f->dead && !silent) || (f->responding && silent))
                return false;
        if (f->nodes && !hostlist_has(f->nodes, node->name))
                return false;
        if (f->reasons &&
                        (isempty(node->reason) ||
                                        (seen.base != SEEN_DOWN &&
                                                        !(seen.flags & (SEEN(DRAIN) | SEEN(FAIL))))))
                return false;
        return !f->states || node_states_hold(f->states, seen);
}

static bool node_in_partition(const Node *node, const Partition *partition) {
        for (size_t i = 0; i < node->n_partitions; i++)
                if (streq(node->partitions[i], partition->name))
                        return true;
        return false;
}

static void grouping_add_empty(struct grouping *g, const Partition *partition, size_t index) {
        struct sinfo_row empty = { .partition = partition, .partition_index = index };

        if (g->names_partition && !g->view->per_node)
                grouping_add_row(g, &empty);
}

static void look_at_format(struct grouping *g) {
        for (size_t i = 0; i < g->format->n_columns; i++) {
                const struct field *field = g->format->columns[i].field;

                if (!field)
                        continue;
                g->of_partition = g->of_partition || sinfo_field_of_partition(field);
                g->names_partition = g->names_partition || sinfo_field_names_partition(field);
        }
}

static void row_finish(struct sinfo_row *row) {
        if (!row->names)
                return;
        hostlist_sort(row->names);
        row->text = hostlist_text(row->names);
}

struct sinfo_row **sinfo_group(Node *const *nodes, size_t n_nodes, Partition *const *partitions,
                size_t n_partitions, const struct format *format, const struct sinfo_filter *filter,
                const struct sinfo_view *view, size_t *ret_n) {
        _cleanup_free_ bool *shown = xnew0(bool, n_partitions + 1),
                            *filled = xnew0(bool, n_partitions + 1);
        _cleanup_free_ struct grouping *g = xnew0(struct grouping, 1);

        g->format = format;
        g->view = view;
        look_at_format(g);
        for (size_t p = 0; p < n_partitions; p++)
                shown[p] = partition_selected(filter, partitions[p]);
        for (size_t i = 0; i < n_nodes; i++) {
                if (!node_selected(filter, nodes[i]))
                        continue;
                for (size_t p = 0; p < n_partitions; p++)
                        if (shown[p] && node_in_partition(nodes[i], partitions[p])) {
                                grouping_add_pair(g, nodes[i], partitions[p], p);
                                filled[p] = true;
                        }
        }
        for (size_t p = 0; p < n_partitions; p++)
                if (shown[p] && !filled[p])
                        grouping_add_empty(g, partitions[p], p);
        for (size_t i = 0; i < g->n_rows; i++)
                row_finish(g->rows[i]);
        scratch_done(&g->cell);
        scratch_done(&g->key);
        *ret_n = g->n_rows;
        return g->rows;
}

void sinfo_rows_free(struct sinfo_row **rows, size_t n) {
        for (size_t i = 0; i < n; i++) {
                hostlist_free(rows[i]->names);
                free(rows[i]->text);
                free(rows[i]->key);
                free(rows[i]);
        }
        free(rows);
}

void sinfo_print(const struct format *format, const struct sort *sort, struct sinfo_row **rows,
                size_t n, bool heading, const struct sinfo_view *view, FILE *out) {
        struct rows *lines = rows_new(format, sort, view);

        for (size_t i = 0; i < n; i++)
                rows_add(lines, rows[i]);
        if (heading)
                format_heading(format, out);
        rows_print(lines, out);
        rows_free(lines);
}
