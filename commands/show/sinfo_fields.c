/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of sinfo. A field belongs to the partition, to the node (nodes with equal texts share a
 * line), or is a sum or range over the nodes of the line. The kind of the fields decides how
 * sinfo_group() makes lines. */
#include "commands/show/sinfo.h"

#include "lib/timetext.h"

#define TEXT(name)                                                                                 \
        static const char *name(const void *r, const struct member *m, struct scratch *s,          \
                        const void *u)

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

TEXT(time_limit) {
        usec_t d = member_number(r, m);
        char buf[TIMETEXT_MAX];

        return d == 0 && m->none ? m->none
               : d == NO_LIMIT   ? "infinite"
                                 : scratch_printf(s, "%s", duration_short(d, buf));
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
PART_TEXT(available, availability_word(p->state))
PART_TEXT(size, job_size_text(p, s))
PART_TEXT(root, p->root_only ? "yes" : "no")
PART_TEXT(groups, all_or(p->allow_groups))
PART_TEXT(alloc_nodes, all_or(p->alloc_nodes))
PART_TEXT(max_cpus, count_or_unlimited(p->max_cpus_per_node, s))

static uint64_t partition_number(const void *r, const struct member *m, const void *u) {
        const struct sinfo_row *row = r;

        return row->partition_index;
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

NODE_TEXT(state_complete, text_to_lower(row->node->state_text, s), "n/a")
NODE_TEXT(user, reason_user(row->node, false, s), "root")
NODE_TEXT(user_long, reason_user(row->node, true, s), "root(0)")
NODE_TEXT(timestamp, reason_time(row->node, s, u), "Unknown")

static uint64_t state_number(const void *r, const struct member *m, const void *u) {
        const struct sinfo_row *row = r;

        return (uint64_t)row->seen.flags << 8 | row->seen.base;
}

/* ---- sums ---- */

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

/* m: the smallest value of a range */
TEXT(range) {
        const struct sinfo_range *of = (const void *)((const char *)r + m->at);

        return scratch_printf(s, "%llu%s", (unsigned long long)of->min, range_plus_sign(of));
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

/* What a field belongs to, which decides about grouping; none: sums and lists, which never make
   lines. */
enum sinfo_flag {
        OF_NODE = 1 << 8,
        OF_RANGE = 1 << 9,
        OF_PARTITION = 1 << 10,
        NAMES_PARTITION = 1 << 11 | OF_PARTITION,
        ONE_NODE = 1 << 12, /* see sinfo_field_of_one_node() */
};

#define ROW(name, ...)  MEMBER(struct sinfo_row, name, __VA_ARGS__)
#define NODE(name, ...) MEMBER_BEHIND(struct sinfo_row, node, Node, name, __VA_ARGS__)
#define PARTITION(name, ...)                                                                       \
        MEMBER_BEHIND(struct sinfo_row, partition, Partition, name, __VA_ARGS__)

static const struct field fields[] = {
        { 'a', "Available", "AVAIL", OF_PARTITION, .text = available },
        { 'A', "NodeAI", "NODES(A/I)", 0, .text = nodes_ai },
        { 'b', "features_act", "ACTIVE_FEATURES", OF_NODE,
                        NODE(active_features, .none = "(null)") },
        { 'B', "MaxCPUsPerNode", "MAX_CPUS_PER_NODE", OF_PARTITION, .text = max_cpus },
        { 'c', "CPUs", "CPUS", OF_RANGE, .text = range, ROW(cpus.min) },
        { 'C', "CPUsState", "CPUS(A/I/O/T)", 0, .text = cpus_aiot },
        { 'd', "Disk", "TMP_DISK", OF_RANGE, .text = range, ROW(disk.min) },
        { 'D', "Nodes", "NODES", 0, ROW(n_nodes) },
        { 'e', "FreeMem", "FREE_MEM", ONE_NODE, .text = free_memory },
        { 'E', "Reason", "REASON", OF_NODE, NODE(reason, .none = "none") },
        { 'f', "Features", "AVAIL_FEATURES", OF_NODE, NODE(features, .none = "(null)") },
        { 'F', "NodeAIOT", "NODES(A/I/O/T)", 0, .text = nodes_aiot },
        { 'g', "Groups", "GROUPS", OF_PARTITION, .text = groups },
        { 'G', "Gres", "GRES", OF_NODE, NODE(gres, .none = "(null)") },
        { 'h', "OverSubscribe", "OVERSUBSCRIBE", OF_PARTITION,
                        PARTITION(oversubscribe, .none = "NO") },
        { 'H', "TimeStamp", "TIMESTAMP", OF_NODE, .text = timestamp },
        { 'i', "Reservation", "RESERVATION", 0, .member.none = "" },
        { 'I', "PriorityJobFactor", "PRIO_JOB_FACTOR", OF_PARTITION,
                        PARTITION(priority_job_factor) },
        { 'l', "Time", "TIMELIMIT", FIELD_UNCUT | OF_PARTITION, .text = time_limit,
                        PARTITION(max_time) },
        { 'L', "DefaultTime", "DEFAULTTIME", FIELD_UNCUT | OF_PARTITION, .text = time_limit,
                        PARTITION(default_time, .none = "n/a") },
        { 'm', "Memory", "MEMORY", OF_RANGE, .text = range, ROW(memory.min) },
        { 'M', "PreemptMode", "PREEMPT_MODE", OF_PARTITION,
                        PARTITION(preempt_mode, .none = "OFF") },
        { 'n', "NodeHost", "HOSTNAMES", FIELD_NATURAL | OF_NODE | ONE_NODE, NODE(hostname) },
        { 'N', "NodeList", "NODELIST", FIELD_NATURAL, ROW(text) },
        { 'o', "NodeAddr", "NODE_ADDR", FIELD_NATURAL | OF_NODE | ONE_NODE, NODE(address) },
        { 'O', "CPUsLoad", "CPU_LOAD", ONE_NODE, .text = load },
        { 'p', "PriorityTier", "PRIO_TIER", OF_PARTITION, PARTITION(priority_tier) },
        { 'P', "Partition", "PARTITION", FIELD_MARKED | NAMES_PARTITION, .text = partition,
                        .number = partition_number },
        { 'r', "Root", "ROOT", OF_PARTITION, .text = root },
        { 'R', "PartitionName", "PARTITION", FIELD_MARKED | NAMES_PARTITION,
                        .number = partition_number, PARTITION(name) },
        { 's', "Size", "JOB_SIZE", OF_PARTITION, .text = size },
        { 'S', "AllocNodes", "ALLOCNODES", OF_PARTITION, .text = alloc_nodes },
        { 't', "StateCompact", "STATE", OF_NODE, .number = state_number,
                        NODE(state_short, .none = "n/a") },
        { 'T', "StateLong", "STATE", OF_NODE, .number = state_number,
                        NODE(state_long, .none = "n/a") },
        { 'u', "User", "USER", OF_NODE, .text = user },
        { 'U', "UserLong", "USER", OF_NODE, .text = user_long },
        { 'v', "Version", "VERSION", 0, NODE(version, .none = "N/A") },
        { 'V', "Cluster", "CLUSTER", 0, .member.none = "N/A" },
        { 'w', "Weight", "WEIGHT", OF_RANGE, .text = range, ROW(weight.min) },
        { 'X', "Sockets", "SOCKETS", OF_RANGE, .text = range, ROW(sockets.min) },
        { 'Y', "Cores", "CORES", OF_RANGE, .text = range, ROW(cores.min) },
        { 'Z', "Threads", "THREADS", OF_RANGE, .text = range, ROW(threads.min) },
        { 'z', "SocketCoreThread", "S:C:T", OF_RANGE, .text = sct },
        { 0, "AllocMem", "ALLOCMEM", OF_NODE, NODE(mem_alloc) },
        { 0, "Comment", "COMMENT", OF_NODE, NODE(comment, .none = "(null)") },
        { 0, "Extra", "EXTRA", OF_NODE, NODE(extra, .none = "(null)") },
        { 0, "GresUsed", "GRES_USED", OF_NODE, NODE(gres_used, .none = "(null)") },
        { 0, "InstanceId", "INSTANCE_ID", OF_NODE, NODE(instance_id, .none = "(null)") },
        { 0, "InstanceType", "INSTANCE_TYPE", OF_NODE, NODE(instance_type, .none = "(null)") },
        { 0, "Port", "PORT", OF_NODE, NODE(port) },
        { 0, "Priority", "PRIO_TIER", OF_PARTITION, PARTITION(priority_tier) },
        { 0, "StateComplete", "STATECOMPLETE", OF_NODE, .text = state_complete,
                        .number = state_number },
};

bool sinfo_field_groups(const struct field *field, bool exact) {
        return field->flags & (OF_NODE | OF_PARTITION | (exact ? OF_RANGE : 0));
}

bool sinfo_field_of_one_node(const struct field *field) {
        return field->flags & ONE_NODE;
}

bool sinfo_field_of_partition(const struct field *field) {
        return field->flags & OF_PARTITION;
}

bool sinfo_field_names_partition(const struct field *field) {
        return (field->flags & NAMES_PARTITION) == NAMES_PARTITION;
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
