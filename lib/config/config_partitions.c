/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PartitionName lines: read, checked, written, changed key by key. */
#include "lib/config/config_records.h"

struct partition_line {
        /* must be first: key_parse() of some types takes the partition */
        struct config_partition part;
        char *nodes;
        bool is_default;
};

#define PART(field)      offsetof(struct partition_line, part.field)
#define PART_LINE(field) offsetof(struct partition_line, field)

/* clang-format off */
static const struct config_key partition_keys[] = {
        { "PartitionName",     KEY_TEXT,     PART(name) },
        { "Nodes",             KEY_TEXT,     PART_LINE(nodes) },
        { "Default",           KEY_BOOL,     PART_LINE(is_default) },
        { "Hidden",            KEY_BOOL,     PART(hidden) },
        { "RootOnly",          KEY_BOOL,     PART(root_only) },
        { "DisableRootJobs",   KEY_BOOL,     PART(disable_root_jobs) },
        { "Exclusive",         KEY_EXCLUSIVE, PART(exclusive) },
        { "ExclusiveUser",     KEY_BOOL,     PART(exclusive_user), "NO", .words = "FALSE|0" },
        { "PowerDownOnIdle",   KEY_BOOL,     PART(power_down_on_idle) },
        { "LLN",               KEY_BOOL,     PART(lln), "NO", .words = "FALSE|0" },
        { "ReqResv",           KEY_BOOL,     PART(req_resv), "NO", .words = "FALSE|0", .use = USE_GUARDS,
          .note = "jobs would run there without a reservation" },
        { "State",             KEY_WORD,     PART(state), "UP", NULL, "UP|DOWN|DRAIN|INACTIVE" },
        { "MaxTime",           KEY_MINUTES,  PART(max_time), "UNLIMITED" },
        { "DefaultTime",       KEY_MINUTES,  PART(default_time), "NONE" },
        { "MinNodes",          KEY_U32,      PART(min_nodes), "0" },
        { "MaxNodes",          KEY_COUNT,    PART(max_nodes), "UNLIMITED" },
        { "PriorityTier",      KEY_U32,      PART(priority_tier), NULL, NULL, NULL, 0, 65533 },
        { "PriorityJobFactor", KEY_U32,      PART(priority_job_factor), NULL, NULL, "1", 0, 65533, true },
        { "Priority",          KEY_PRIORITY, PART(priority_tier), NULL, NULL, NULL, 0, 65533 }, /* overrides both */
        { "OverSubscribe",     KEY_OVERSUBSCRIBE, 0, "NO" },
        { "Shared",            KEY_OVERSUBSCRIBE, 0 },
        { "PreemptMode",       KEY_PREEMPT_MODE, PART(preempt_mode) },
        { "SuspendTime",       KEY_IDLE,     PART(suspend_time) },
        { "SuspendTimeout",    KEY_SECONDS,  PART(suspend_timeout), NULL, NULL, NULL, 0, 65533 },
        { "ResumeTimeout",     KEY_SECONDS,  PART(resume_timeout) },
        { "DefMemPerNode",     KEY_MEMORY,   PART(def_mem_per_node) },
        { "DefMemPerCPU",      KEY_MEMORY,   PART(def_mem_per_cpu) },
        { "MaxMemPerNode",     KEY_MEMORY,   PART(max_mem_per_node) },
        { "MaxMemPerCPU",      KEY_MEMORY,   PART(max_mem_per_cpu) },
        { "DefCpuPerGPU",      KEY_U32,      PART(def_cpu_per_gpu), "0" },
        { "DefMemPerGPU",      KEY_MEMORY,   PART(def_mem_per_gpu) },
        { "AllowGroups",       KEY_TEXT,     PART(allow_groups), .words = "ALL" },
        { "AllowAccounts",     KEY_TEXT,     PART(allow_accounts), .words = "ALL" },
        { "DenyAccounts",      KEY_TEXT,     PART(deny_accounts) },
        { "AllowQos",          KEY_TEXT,     PART(allow_qos), .words = "ALL" },
        { "DenyQos",           KEY_TEXT,     PART(deny_qos) },
        { "QOS",               KEY_TEXT,     PART(qos) },
        { "AllocNodes",        KEY_TEXT,     PART(alloc_nodes), .words = "ALL" },
        { "SelectTypeParameters", KEY_SELECT_PARAMS, PART(select_params), "NONE" },
        { "GraceTime",         KEY_U32,      PART(grace_time), "0" },
        { "TRESBillingWeights", KEY_TEXT,    PART(billing) },
        { "MaxCPUsPerNode",    KEY_COUNT,    PART(max_cpus_per_node), "UNLIMITED", .words = "INFINITE|-1" },
        { "ExclusiveTopo", .text = "NO", .words = "FALSE|0", .use = USE_GUARDS, .note = "jobs would share a topology block" },
        { "MaxCPUsPerSocket", .text = "UNLIMITED", .words = "INFINITE|-1", .use = USE_GUARDS,
          .note = "jobs would be given all CPUs of a socket" },
        { "Alternate", .use = USE_HARMLESS }, { "CpuBind", .use = USE_HARMLESS }, { "JobDefaults", .use = USE_HARMLESS },
        { "OverTimeLimit",     KEY_MINUTES,  PART(over_time) },
        { "Topology",          KEY_TEXT,     PART(topology) },
};
/* clang-format on */

_Static_assert(ELEMENTSOF(partition_keys) <= KEYS_MAX, "KEYS_MAX");

const struct record_type partition_record = { RECORD_PARTITION, partition_keys,
        ELEMENTSOF(partition_keys) };

void config_partition_done(struct config_partition *part) {
        hostlist_free(part->nodes);
        free(part->nodes_text);
        free(part->name);
        free(part->state);
        free(part->allow_groups);
        free(part->allow_accounts);
        free(part->deny_accounts);
        free(part->allow_qos);
        free(part->deny_qos);
        free(part->qos);
        free(part->alloc_nodes);
        free(part->billing);
        free(part->topology);
        *part = (struct config_partition){ 0 };
}

bool config_partition_name_ok(const char *name) {
        return !isempty(name) && !strpbrk(name, ",*=\"'/\\()[]") &&
               strcasecmp(name, "DEFAULT") != 0;
}

bool config_has_partition(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_partitions; i++)
                if (streq(config->partitions[i].name, name))
                        return true;
        return false;
}

static int check_partition(struct config_records *records, const struct partition_line *l,
                const struct value *at, struct fail *fail) {
        const struct config_partition *part = &l->part;
        struct config *config = records->config;

        if (!config_partition_name_ok(part->name))
                return fail_set(fail, -EINVAL, "\"%.100s\" cannot be the name of a partition",
                                strna(part->name));
        for (size_t i = 0; i < config->n_partitions; i++) {
                struct config_partition *other = &config->partitions[i];
                if (streq(other->name, part->name))
                        return fail_set(fail, -EEXIST, "partition %s is named twice", part->name);
                if (!l->is_default || !other->is_default)
                        continue;
                config_warn(config, at->file, at->line,
                                "Default: partition %s is the default instead of %s", part->name,
                                other->name);
                other->is_default = false;
        }
        if (!isempty(part->alloc_nodes) && strcasecmp(part->alloc_nodes, "ALL") != 0) {
                _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
                int r = hostlist_parse(part->alloc_nodes, &hosts, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "AllocNodes");
        }
        if (part->max_cpus_per_node == 0)
                return fail_set(fail, -EINVAL, "MaxCPUsPerNode=0 would keep every job away");
        if (part->min_nodes > part->max_nodes)
                return fail_set(fail, -EINVAL, "MinNodes=%u is more than MaxNodes=%u",
                                part->min_nodes, part->max_nodes);
        if (part->default_time != NO_LIMIT && part->default_time > part->max_time)
                return fail_set(fail, -EINVAL, "DefaultTime is more than MaxTime");
        return 0;
}

/* Drops per-CPU values beside per-node values, as Slurm. */
static void drop_per_cpu(struct config *config, struct config_partition *part,
                const struct value *at) {
        if (part->def_mem_per_node && part->def_mem_per_cpu)
                config_warn(config, at->file, at->line,
                                "DefMemPerCPU is ignored beside DefMemPerNode");
        if (part->max_mem_per_node && part->max_mem_per_cpu)
                config_warn(config, at->file, at->line,
                                "MaxMemPerCPU is ignored beside MaxMemPerNode");
        part->def_mem_per_cpu = part->def_mem_per_node ? 0 : part->def_mem_per_cpu;
        part->max_mem_per_cpu = part->max_mem_per_node ? 0 : part->max_mem_per_cpu;
}

/* Drops GANG, which belongs to the cluster, from a partition's mode (docs of PreemptMode). */
static void drop_gang(struct config *config, struct config_partition *part,
                const struct value *at) {
        if (part->preempt_mode == PREEMPT_UNSET || !(part->preempt_mode & PREEMPT_GANG))
                return;
        config_warn(config, at->file, at->line, "PreemptMode: GANG is ignored on a partition");
        part->preempt_mode &= ~(unsigned)PREEMPT_GANG;
}

/* Exclusive=NODE implies OverSubscribe=NO; Exclusive=NO does not change the older keys. */
static void heed_exclusive(struct config_partition *part) {
        if (part->exclusive == EXCLUSIVE_NODE) {
                part->oversubscribe = OVERSUBSCRIBE_EXCLUSIVE;
                part->oversubscribe_max = 1;
        }
        part->exclusive_user |= part->exclusive == EXCLUSIVE_USER;
}

static int make_partition(struct config_records *records, struct partition_line *l,
                const struct value *at, struct fail *fail) {
        struct config *config = records->config;

        int r = check_partition(records, l, at, fail);
        if (r >= 0)
                r = records_resolve_nodes(records, l->nodes, &l->part.nodes, fail);
        if (r < 0)
                return r;
        heed_exclusive(&l->part);
        drop_gang(config, &l->part, at);
        drop_per_cpu(config, &l->part, at);
        l->part.is_default = l->is_default;
        l->part.nodes_text = TAKE(l->nodes);
        config->partitions = xrenew(config->partitions, config->n_partitions + 1);
        config->partitions[config->n_partitions++] = l->part;
        l->part = (struct config_partition){ 0 };
        return 0;
}

/* Initial values before the defaults of the table. */
static const struct partition_line unsaid = {
        .part = { .preempt_mode = PREEMPT_UNSET,
                        .priority_tier = 1, /* absent from the table: Priority sets both, too */
                        .priority_job_factor = 1,
                        .suspend_time = TIME_UNSET,
                        .suspend_timeout = TIME_UNSET,
                        .resume_timeout = TIME_UNSET,
                        .over_time = TIME_UNSET },
};

int partition_apply(struct config_records *records, const struct value *values, struct fail *fail) {
        struct partition_line l = unsaid;
        int made = 0, r = record_parse(records, &partition_record, values, &l, fail);
        if (r >= 0)
                made = make_partition(records, &l, &values[0], fail);
        else if (fail_keep(fail)) /* check the nodes of a faulty line as well */
                made = records_resolve_nodes(records, l.nodes, &l.part.nodes, fail);
        if (made < 0)
                fail_prefix(fail, made, "%s line %u: PartitionName", values[0].file,
                                values[0].line);
        config_partition_done(&l.part);
        free(l.nodes);
        return r < 0 ? r : made;
}

void config_put_partition(FILE *out, const struct config_partition *part) {
        static const struct value nothing[KEYS_MAX];
        struct config_records records = { 0 };
        struct partition_line line = { *part, part->nodes_text, part->is_default }, none = unsaid;

        /* the table is constant */
        (void)record_parse(&records, &partition_record, nothing, &none, NULL);
        for (size_t k = 0; k < ELEMENTSOF(partition_keys); k++) {
                const struct config_key *key = &partition_keys[k];
                bool older = word_in(key->name, "Priority|Shared");
                _cleanup_free_ char *text = older ? NULL : key_written(key, &line),
                                    *usual = older ? NULL : key_written(key, &none);
                if (text && !streq(text, usual))
                        config_put_word(out, k == 0, key->name, text);
        }
        fputc('\n', out);
        config_partition_done(&none.part);
}

int config_partition_change(struct config_partition *part, const char *key, const char *value,
                struct fail *fail) {
        struct partition_line line = { .part = *part };

        for (size_t i = 0; i < ELEMENTSOF(partition_keys); i++) {
                const struct config_key *k = &partition_keys[i];
                if (strcasecmp(k->name, key) != 0 ||
                                (k->type != KEY_IDLE && k->type != KEY_SECONDS &&
                                                k->type != KEY_BOOL))
                        continue;
                int r = key_parse(k, value, &line, fail);
                if (r >= 0)
                        *part = line.part;
                return r;
        }
        return fail_set(fail, -ENOENT, "a partition has no such key");
}
