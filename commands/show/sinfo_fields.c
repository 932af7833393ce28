/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of sinfo. A field belongs to the partition, to the node (nodes with equal texts share a
 * line), or is a sum or range over the nodes of the line. The kind of the fields decides how
 * sinfo_group() makes lines. */
#include "commands/show/sinfo.h"

#include "lib/timetext.h"

#define TEXT(name) static const char *name(const void *r, struct scratch *s, const void *u)
#define ROW        ((const struct sinfo_row *)r)

#define ROW_TEXT(name, value)                                                                      \
        TEXT(name) {                                                                               \
                const struct sinfo_row *row = r;                                                   \
                return value;                                                                      \
        }
#define NODE_TEXT(name, value, without)                                                            \
        TEXT(name) {                                                                               \
                const struct sinfo_row *row = r;                                                   \
                return row->node ? (value) : (without);                                            \
        }
#define PART_TEXT(name, value)                                                                     \
        TEXT(name) {                                                                               \
                const Partition *p = ((const struct sinfo_row *)r)->partition;                     \
                return value;                                                                      \
        }
#define RANGE(name, field)                                                                         \
        TEXT(name) {                                                                               \
                return range_text(&((const struct sinfo_row *)r)->field, s);                       \
        }                                                                                          \
        static uint64_t name##_number(const void *r, const void *u) {                              \
                return ((const struct sinfo_row *)r)->field.min;                                   \
        }

static const char *range_text(const struct sinfo_range *range, struct scratch *s) {
        return scratch_printf(s, "%llu%s", (unsigned long long)range->min,
                        range->max > range->min ? "+" : "");
}

static const char *range_plus_sign(const struct sinfo_range *range) {
        return range->max > range->min ? "+" : "";
}

/* ---- partition ---- */

static const char *availability_word(const char *state) {
        static const char *const words[][2] = {
                { "UP", "up" },
                { "DOWN", "down" },
                { "DRAIN", "drain" },
                { "INACTIVE", "inact" },
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i][0], state))
                        return words[i][1];
        return "unknown";
}

static const char *time_limit_text(usec_t d, struct scratch *s) {
        char buf[TIMETEXT_MAX];

        return d == NO_LIMIT ? "infinite" : scratch_printf(s, "%s", duration_short(d, buf));
}

static const char *job_size_text(const Partition *p, struct scratch *s) {
        unsigned least = MAX(p->min_nodes, 1u);

        if (p->max_nodes == UINT32_MAX)
                return scratch_printf(s, "%u-infinite", least);
        if (p->max_nodes == least)
                return scratch_printf(s, "%u", least);
        return scratch_printf(s, "%u-%u", least, p->max_nodes);
}

static const char *all_or(const char *list) {
        return isempty(list) || streq(list, "ALL") ? "all" : list;
}

static const char *count_or_unlimited(uint32_t n, struct scratch *s) {
        return n == 0 || n == UINT32_MAX ? "UNLIMITED" : scratch_printf(s, "%u", n);
}

PART_TEXT(partition, p->is_default ? scratch_printf(s, "%s*", p->name) : p->name)
PART_TEXT(partition_name, p->name)
PART_TEXT(available, availability_word(p->state))
PART_TEXT(time_limit, time_limit_text(p->max_time, s))
PART_TEXT(default_time, p->default_time ? time_limit_text(p->default_time, s) : "n/a")
PART_TEXT(size, job_size_text(p, s))
PART_TEXT(root, p->root_only ? "yes" : "no")
PART_TEXT(oversubscribe, isempty(p->oversubscribe) ? "NO" : p->oversubscribe)
PART_TEXT(groups, all_or(p->allow_groups))
PART_TEXT(alloc_nodes, all_or(p->alloc_nodes))
PART_TEXT(tier, scratch_printf(s, "%u", p->priority_tier))
PART_TEXT(factor, scratch_printf(s, "%u", p->priority_job_factor))
PART_TEXT(preempt_mode, isempty(p->preempt_mode) ? "OFF" : p->preempt_mode)
PART_TEXT(max_cpus, count_or_unlimited(p->max_cpus_per_node, s))

static uint64_t partition_number(const void *r, const void *u) {
        return ROW->partition_index;
}

static uint64_t time_limit_number(const void *r, const void *u) {
        return ROW->partition->max_time;
}

static uint64_t tier_number(const void *r, const void *u) {
        return ROW->partition->priority_tier;
}

/* ---- nodes ---- */

static const char *text_to_lower(const char *text, struct scratch *s) {
        scratch_printf(s, "%s", text);
        for (char *p = s->text; *p; p++)
                *p = (char)(*p >= 'A' && *p <= 'Z' ? *p + 'a' - 'A' : *p);
        return s->text;
}

static const char *reason_user(const Node *node, bool with_uid, struct scratch *s) {
        if (isempty(node->reason))
                return "Unknown";
        if (!with_uid)
                return isempty(node->reason_user) ? scratch_printf(s, "%u", node->reason_uid)
                                                  : node->reason_user;
        return scratch_printf(s, "%s(%u)",
                        isempty(node->reason_user) ? "Unknown" : node->reason_user,
                        node->reason_uid);
}

static const char *reason_time(const Node *node, struct scratch *s, const struct sinfo_view *view) {
        char buf[TIMETEXT_MAX];

        if (isempty(node->reason))
                return "Unknown";
        return scratch_printf(s, "%s", time_text(node->reason_time, view->time_format, buf));
}

NODE_TEXT(state_compact, row->node->state_short, "n/a")
NODE_TEXT(state_long, row->node->state_long, "n/a")
NODE_TEXT(state_complete, text_to_lower(row->node->state_text, s), "n/a")
NODE_TEXT(features, strna(row->node->features), "(null)")
NODE_TEXT(active_features, strna(row->node->active_features), "(null)")
NODE_TEXT(gres_used, strna(row->node->gres_used), "(null)")
NODE_TEXT(gres, strna(row->node->gres), "(null)")
NODE_TEXT(reason, isempty(row->node->reason) ? "none" : row->node->reason, "none")
NODE_TEXT(user, reason_user(row->node, false, s), "root")
NODE_TEXT(user_long, reason_user(row->node, true, s), "root(0)")
NODE_TEXT(timestamp, reason_time(row->node, s, u), "Unknown")
NODE_TEXT(version, isempty(row->node->version) ? "N/A" : row->node->version, "N/A")
NODE_TEXT(host, row->node->hostname, "")
NODE_TEXT(address, row->node->address, "")
NODE_TEXT(port, scratch_printf(s, "%u", row->node->port), "0")
NODE_TEXT(comment, strna(row->node->comment), "(null)")
NODE_TEXT(extra, strna(row->node->extra), "(null)")
NODE_TEXT(instance_id, strna(row->node->instance_id), "(null)")
NODE_TEXT(instance_type, strna(row->node->instance_type), "(null)")
NODE_TEXT(alloc_memory, scratch_printf(s, "%llu", (unsigned long long)row->node->mem_alloc), "0")

ROW_TEXT(node_list, row->text ? row->text : "")

static uint64_t state_number(const void *r, const void *u) {
        return (uint64_t)ROW->seen.flags << 8 | ROW->seen.base;
}

/* ---- sums ---- */

ROW_TEXT(nodes, scratch_printf(s, "%u", row->n_nodes))
ROW_TEXT(nodes_ai, scratch_printf(s, "%u/%u", row->allocated, row->idle))
ROW_TEXT(nodes_aiot, scratch_printf(s, "%u/%u/%u/%u", row->allocated, row->idle, row->other,
                                     row->n_nodes))
ROW_TEXT(cpus_aiot,
                scratch_printf(s, "%llu/%llu/%llu/%llu", (unsigned long long)row->cpus_allocated,
                                (unsigned long long)row->cpus_idle,
                                (unsigned long long)row->cpus_other,
                                (unsigned long long)row->cpus_total))
ROW_TEXT(sct, scratch_printf(s, "%u%s:%u%s:%u%s", (unsigned)row->sockets.min,
                              range_plus_sign(&row->sockets), (unsigned)row->cores.min,
                              range_plus_sign(&row->cores), (unsigned)row->threads.min,
                              range_plus_sign(&row->threads)))
RANGE(cpus, cpus)
RANGE(memory, memory)
RANGE(disk, disk)
RANGE(weight, weight)
RANGE(sockets, sockets)
RANGE(cores, cores)
RANGE(threads, threads)

static uint64_t nodes_number(const void *r, const void *u) {
        return ROW->n_nodes;
}

TEXT(load) {
        const struct sinfo_row *row = r;
        double least = (double)row->load.min / 100, most = (double)row->load.max / 100;

        if (row->node && !row->has_load)
                return "N/A";
        return most > least ? scratch_printf(s, "%.2f-%.2f", least, most)
                            : scratch_printf(s, "%.2f", least);
}

TEXT(free_memory) {
        const struct sinfo_row *row = r;
        unsigned long long least = row->free_memory.min, most = row->free_memory.max;

        if (row->node && !row->has_load)
                return "N/A";
        return most > least ? scratch_printf(s, "%llu-%llu", least, most)
                            : scratch_printf(s, "%llu", least);
}

TEXT(not_here) {
        return "N/A";
}

TEXT(nothing) {
        return "";
}

/* Kinds of fields; they decide about grouping. */
enum kind {
        KIND_FREE, /* sums and lists: never make lines */
        KIND_NODE,
        KIND_RANGE,
        KIND_PARTITION,
        KIND_PARTITION_NAME,
};

static const struct field fields[] = {
        { 'a', "Available", "AVAIL", available, NULL, 0 },
        { 'A', "NodeAI", "NODES(A/I)", nodes_ai, NULL, 0 },
        { 'b', "features_act", "ACTIVE_FEATURES", active_features, NULL, 0 },
        { 'B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", max_cpus, NULL, 0 },
        { 'c', "CPUs", "CPUS", cpus, cpus_number, 0 },
        { 'C', "CPUsState", "CPUS(A/I/O/T)", cpus_aiot, NULL, 0 },
        { 'd', "Disk", "TMP_DISK", disk, disk_number, 0 },
        { 'D', "Nodes", "NODES", nodes, nodes_number, 0 },
        { 'e', "FreeMem", "FREE_MEM", free_memory, NULL, 0 },
        { 'E', "Reason", "REASON", reason, NULL, 0 },
        { 'f', "Features", "AVAIL_FEATURES", features, NULL, 0 },
        { 'F', "NodeAIOT", "NODES(A/I/O/T)", nodes_aiot, NULL, 0 },
        { 'g', "Groups", "GROUPS", groups, NULL, 0 },
        { 'G', "Gres", "GRES", gres, NULL, 0 },
        { 'h', "OverSubscribe", "OVERSUBSCRIBE", oversubscribe, NULL, 0 },
        { 'H', "TimeStamp", "TIMESTAMP", timestamp, NULL, 0 },
        { 'i', "Reservation", "RESERVATION", nothing, NULL, 0 },
        { 'I', "PriorityJobFactor", "PRIO_JOB_FACTOR", factor, NULL, 0 },
        { 'l', "Time", "TIMELIMIT", time_limit, time_limit_number, FIELD_UNCUT },
        { 'L', "DefaultTime", "DEFAULTTIME", default_time, NULL, FIELD_UNCUT },
        { 'm', "Memory", "MEMORY", memory, memory_number, 0 },
        { 'M', "PreemptMode", "PREEMPT_MODE", preempt_mode, NULL, 0 },
        { 'n', "NodeHost", "HOSTNAMES", host, NULL, FIELD_NATURAL },
        { 'N', "NodeList", "NODELIST", node_list, NULL, FIELD_NATURAL },
        { 'o', "NodeAddr", "NODE_ADDR", address, NULL, FIELD_NATURAL },
        { 'O', "CPUsLoad", "CPU_LOAD", load, NULL, 0 },
        { 'p', "PriorityTier", "PRIO_TIER", tier, tier_number, 0 },
        { 'P', "Partition", "PARTITION", partition, partition_number, FIELD_MARKED },
        { 'r', "Root", "ROOT", root, NULL, 0 },
        { 'R', "PartitionName", "PARTITION", partition_name, partition_number, FIELD_MARKED },
        { 's', "Size", "JOB_SIZE", size, NULL, 0 },
        { 'S', "AllocNodes", "ALLOCNODES", alloc_nodes, NULL, 0 },
        { 't', "StateCompact", "STATE", state_compact, state_number, 0 },
        { 'T', "StateLong", "STATE", state_long, state_number, 0 },
        { 'u', "User", "USER", user, NULL, 0 },
        { 'U', "UserLong", "USER", user_long, NULL, 0 },
        { 'v', "Version", "VERSION", version, NULL, 0 },
        { 'V', "Cluster", "CLUSTER", not_here, NULL, 0 },
        { 'w', "Weight", "WEIGHT", weight, weight_number, 0 },
        { 'X', "Sockets", "SOCKETS", sockets, sockets_number, 0 },
        { 'Y', "Cores", "CORES", cores, cores_number, 0 },
        { 'Z', "Threads", "THREADS", threads, threads_number, 0 },
        { 'z', "SocketCoreThread", "S:C:T", sct, NULL, 0 },
        { 0, "AllocMem", "ALLOCMEM", alloc_memory, NULL, 0 },
        { 0, "Comment", "COMMENT", comment, NULL, 0 },
        { 0, "Extra", "EXTRA", extra, NULL, 0 },
        { 0, "GresUsed", "GRES_USED", gres_used, NULL, 0 },
        { 0, "InstanceId", "INSTANCE_ID", instance_id, NULL, 0 },
        { 0, "InstanceType", "INSTANCE_TYPE", instance_type, NULL, 0 },
        { 0, "Port", "PORT", port, NULL, 0 },
        { 0, "Priority", "PRIO_TIER", tier, tier_number, 0 },
        { 0, "StateComplete", "STATECOMPLETE", state_complete, state_number, 0 },
};

static const struct {
        field_text_t *text;
        enum kind kind;
} kinds[] = {
        { partition, KIND_PARTITION_NAME },
        { partition_name, KIND_PARTITION_NAME },
        { available, KIND_PARTITION },
        { time_limit, KIND_PARTITION },
        { default_time, KIND_PARTITION },
        { size, KIND_PARTITION },
        { root, KIND_PARTITION },
        { oversubscribe, KIND_PARTITION },
        { groups, KIND_PARTITION },
        { alloc_nodes, KIND_PARTITION },
        { tier, KIND_PARTITION },
        { factor, KIND_PARTITION },
        { preempt_mode, KIND_PARTITION },
        { max_cpus, KIND_PARTITION },
        { state_compact, KIND_NODE },
        { state_long, KIND_NODE },
        { state_complete, KIND_NODE },
        { features, KIND_NODE },
        { active_features, KIND_NODE },
        { gres, KIND_NODE },
        { gres_used, KIND_NODE },
        { reason, KIND_NODE },
        { user, KIND_NODE },
        { user_long, KIND_NODE },
        { timestamp, KIND_NODE },
        { host, KIND_NODE },
        { address, KIND_NODE },
        { port, KIND_NODE },
        { comment, KIND_NODE },
        { extra, KIND_NODE },
        { instance_id, KIND_NODE },
        { instance_type, KIND_NODE },
        { alloc_memory, KIND_NODE },
        { cpus, KIND_RANGE },
        { memory, KIND_RANGE },
        { disk, KIND_RANGE },
        { weight, KIND_RANGE },
        { sockets, KIND_RANGE },
        { cores, KIND_RANGE },
        { threads, KIND_RANGE },
        { sct, KIND_RANGE },
};

static enum kind field_kind(const struct field *field) {
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (kinds[i].text == field->text)
                        return kinds[i].kind;
        return KIND_FREE;
}

bool sinfo_field_groups(const struct field *field, bool exact) {
        enum kind kind = field_kind(field);

        return kind == KIND_RANGE ? exact : kind != KIND_FREE;
}

bool sinfo_field_of_one_node(const struct field *field) {
        return field->text == host || field->text == address || field->text == load ||
               field->text == free_memory;
}

bool sinfo_field_of_partition(const struct field *field) {
        return field_kind(field) >= KIND_PARTITION;
}

bool sinfo_field_names_partition(const struct field *field) {
        return field_kind(field) == KIND_PARTITION_NAME;
}

static const struct field_table table = {
        .fields = fields,
        .n_fields = ELEMENTSOF(fields),
        .bad_letter = "Invalid node format specification: ",
        .bad_name = "sinfo: error: Invalid job format "
                    "specification: ", /* Slurm says "job" here, too */
        .bad_sort = "sinfo: error: Invalid sort specification: ",
};

const struct field_table *sinfo_fields(void) {
        return &table;
}
