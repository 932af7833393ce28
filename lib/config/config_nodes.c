/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NodeName, NodeSet, PartitionName and DownNodes. Their lines are collected while files are read
 * and built in this order, because a partition may stand before its nodes in the file: nodes,
 * sets, partitions, down nodes.
 *
 * A line becomes an array of values, one per row of its table; a DEFAULT line puts its values
 * into the array that later lines of the kind start from. parse_values() then fills a struct from
 * the array, so a default and a value of the line itself go the same way and errors name the place
 * where the value stands. */
#include "lib/bitset.h"
#include "lib/config/config_private.h"
#include "lib/timetext.h"

#include <limits.h>

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

/* What a line says, before ranges are expanded. */
struct node_line {
        char *name, *hostname, *address, *port;
        uint32_t sockets, sockets_per_board;
        struct config_node node;
};

struct partition_line {
        struct config_partition part; /* first: key_parse() of some types takes the partition */
        char *nodes;
        bool is_default;
};

struct set_line {
        char *name, *nodes, *feature;
};

struct down_line {
        char *nodes, *state, *reason;
};

#define NODE(field)      offsetof(struct node_line, field)
#define PART(field)      offsetof(struct partition_line, part.field)
#define PART_LINE(field) offsetof(struct partition_line, field)
#define STATES           "UNKNOWN|IDLE|CLOUD|DOWN|DRAIN|FAIL|FAILING|FUTURE"
#define CPU_MAX          65535

/* clang-format off */
static const struct config_key node_keys[] = {
        { "NodeName",        KEY_TEXT,  NODE(name) },
        { "NodeHostname",    KEY_TEXT,  NODE(hostname) },
        { "NodeAddr",        KEY_TEXT,  NODE(address) },
        { "Port",            KEY_TEXT,  NODE(port) },
        { "CPUs",            KEY_U32,   NODE(node.cpus), NULL, NULL, NULL, 1, CPU_MAX },
        { "Procs",           KEY_U32,   NODE(node.cpus), NULL, NULL, NULL, 1, CPU_MAX },
        { "Boards",          KEY_U32,   NODE(node.boards), NULL, NULL, NULL, 1, CPU_MAX },
        { "Sockets",         KEY_U32,   NODE(sockets), NULL, NULL, NULL, 1, CPU_MAX },
        { "SocketsPerBoard", KEY_U32,   NODE(sockets_per_board), NULL, NULL, NULL, 1, CPU_MAX },
        { "CoresPerSocket",  KEY_U32,   NODE(node.cores), NULL, NULL, NULL, 1, CPU_MAX },
        { "ThreadsPerCore",  KEY_U32,   NODE(node.threads), NULL, NULL, NULL, 1, CPU_MAX },
        { "RealMemory",      KEY_MB,    NODE(node.real_memory), "1" },
        { "TmpDisk",         KEY_MB,    NODE(node.tmp_disk) },
        { "Weight",          KEY_U32,   NODE(node.weight), "1" },
        { "Feature",         KEY_TEXT,  NODE(node.features) },
        { "Features",        KEY_TEXT,  NODE(node.features) },
        { "Gres",            KEY_GRES,  NODE(node.gres) },
        { "Reason",          KEY_TEXT,  NODE(node.reason) },
        { "State",           KEY_WORD,  NODE(node.state), "UNKNOWN", NULL, STATES },
        { "CoreSpecCount",   KEY_U32,   NODE(node.core_spec), "0", NULL, NULL, 0, CPU_MAX },
        { "CpuSpecList",     KEY_TEXT,  NODE(node.cpu_spec) },
        { "MemSpecLimit",    KEY_MB,    NODE(node.mem_spec), "0" },
        { "SuspendTime",     KEY_IDLE,  NODE(node.suspend_time) },
        { "RestrictedCoresPerGPU", .use = USE_GUARDS, .note = "jobs without GPUs would be given the cores that are kept for them" },
        { "BcastAddr", .use = USE_HARMLESS }, { "CpuBind", .use = USE_HARMLESS },
        { "Topology",        KEY_TEXT,  NODE(node.topology) },
        { "TRESWeights", .use = USE_HARMLESS },
        { "Parameters", .use = USE_HARMLESS, .note = "SlurmdParameters are those of all nodes" },
        { "GresConf", .use = USE_HARMLESS, .note = "generic resources of dynamic nodes stand in gres.conf" },
};

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
        { "Priority",          KEY_PRIORITY, PART(priority_tier), NULL, NULL, NULL, 0, 65533 }, /* beats both */
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

static const struct config_key set_keys[] = {
        { "NodeSet", KEY_TEXT, offsetof(struct set_line, name) },
        { "Nodes",   KEY_TEXT, offsetof(struct set_line, nodes) },
        { "Feature", KEY_TEXT, offsetof(struct set_line, feature) },
};

static const struct config_key down_keys[] = {
        { "DownNodes", KEY_TEXT, offsetof(struct down_line, nodes) },
        { "State",     KEY_WORD, offsetof(struct down_line, state), "DOWN", NULL, "DOWN|DRAIN|FAIL|FAILING|FUTURE" },
        { "Reason",    KEY_TEXT, offsetof(struct down_line, reason) },
};

static const struct config_key action_keys[] = {
        { "PowerAction", KEY_TEXT, offsetof(struct config_action_line, name) },
        { "Location",    KEY_WORD, offsetof(struct config_action_line, location), NULL, NULL, "SLURMCTLD|SLURMD" },
        { "Program",     KEY_TEXT, offsetof(struct config_action_line, program) },
};

static const struct record_type {
        const struct config_key *keys; /* the first one begins the line */
        size_t n;
} record_types[RECORD_MAX] = {
        [RECORD_NODE]      = { node_keys,      ELEMENTSOF(node_keys) },
        [RECORD_SET]       = { set_keys,       ELEMENTSOF(set_keys) },
        [RECORD_PARTITION] = { partition_keys, ELEMENTSOF(partition_keys) },
        [RECORD_DOWN]      = { down_keys,      ELEMENTSOF(down_keys) },
        [RECORD_ACTION]    = { action_keys,    ELEMENTSOF(action_keys) },
};
/* clang-format on */

_Static_assert(ELEMENTSOF(node_keys) <= KEYS_MAX && ELEMENTSOF(partition_keys) <= KEYS_MAX,
                "KEYS_MAX");

const struct config_key *config_record_key(const char *name) {
        for (size_t kind = 0; kind < RECORD_MAX; kind++)
                for (size_t k = 0; k < record_types[kind].n; k++)
                        if (strcasecmp(record_types[kind].keys[k].name, name) == 0)
                                return &record_types[kind].keys[k];
        return NULL;
}

/* ---- collecting ---- */

struct config_records *config_records_new(void) {
        return xnew0(struct config_records, 1);
}

struct config_records *config_records_free(struct config_records *records) {
        if (!records)
                return NULL;
        for (size_t k = 0; k < RECORD_MAX; k++) {
                for (size_t i = 0; i < records->kinds[k].n; i++)
                        config_line_done(&records->kinds[k].lines[i]);
                free(records->kinds[k].lines);
        }
        hostlist_free(records->names);
        hostlist_free(records->wrong);
        free(records);
        return NULL;
}

int config_records_take(struct config_records *records, struct config_line *line) {
        for (size_t k = 0; k < RECORD_MAX; k++) {
                struct lines *to = &records->kinds[k];
                if (strcasecmp(line->words[0].key, record_types[k].keys[0].name) != 0)
                        continue;
                GROW(to->lines, to->allocated, to->n);
                to->lines[to->n++] = *line;
                *line = (struct config_line){ 0 };
                return 1;
        }
        return 0;
}

/* ---- values ---- */

static int place(const struct config_line *line, size_t word, int r, struct fail *fail) {
        return fail_prefix(fail, r, "%s line %u: %s", line->file, line->words[word].line,
                        line->words[word].key);
}

/* Puts the words of a line over values. */
static int read_values(const struct record_type *type, const struct config_line *line,
                struct value *values, struct fail *fail) {
        int failed = 0;

        for (size_t i = 0; i < line->n; i++) {
                const struct config_word *word = &line->words[i];
                size_t k = 0;
                while (k < type->n && strcasecmp(type->keys[k].name, word->key) != 0)
                        k++;
                if (k < type->n) {
                        values[k] = (struct value){ word->value, line->file, word->line };
                        continue;
                }
                fail_set(fail, -EINVAL, "%s lines have no such key", type->keys[0].name);
                failed = place(line, i, -EINVAL, fail);
                if (!fail_keep(fail))
                        return failed;
        }
        return failed;
}

static void note_value(struct config_records *records, enum record_kind kind, size_t k,
                const struct value *v) {
        const struct config_key *key = &record_types[kind].keys[k];

        if (!v->text || !records->config || records->noted[kind][k] ||
                        config_key_is_default(key, v->text))
                return;
        config_entry_key(records->config, v->file, v->line, key, v->text);
        records->noted[kind][k] = true;
}

/* Fills base, a struct of this kind, from values; notes each key that does not act once. */
static int parse_values(struct config_records *records, enum record_kind kind,
                const struct value *values, void *base, struct fail *fail) {
        const struct record_type *type = &record_types[kind];
        int failed = 0;

        for (size_t k = 0; k < type->n; k++) {
                const struct config_key *key = &type->keys[k];
                const struct value *v = &values[k];
                const char *text = v->text ? v->text : key->text;
                if (key->use != USE_ACTS)
                        note_value(records, kind, k, v);
                if (key->type == KEY_KEPT || !text)
                        continue;
                int r = key_parse(key, text, base, fail);
                if (r < 0 && v->text)
                        fail_prefix(fail, r, "%s line %u: %s", v->file, v->line, key->name);
                if (r < 0 && !fail_keep(fail))
                        return r;
                failed = failed ? failed : MIN(r, 0);
        }
        return failed;
}

static bool is_default_line(const struct config_line *line) {
        return strcasecmp(line->words[0].value, "DEFAULT") == 0;
}

/* ---- nodes ---- */

void config_node_done(struct config_node *node) {
        free(node->name);
        free(node->address);
        free(node->hostname);
        free(node->features);
        free(node->cpu_spec);
        free(node->gres);
        free(node->reason);
        free(node->topology);
        free(node->state);
        *node = (struct config_node){ 0 };
}

/* Before the defaults of the table. */
static const struct node_line unsaid_node = { .node = { .suspend_time = TIME_UNSET } };

static void node_line_done(struct node_line *l) {
        free(l->name);
        free(l->hostname);
        free(l->address);
        free(l->port);
        config_node_done(&l->node);
}

/* CPUs, boards, sockets, cores and threads from those that are given; what contradicts is an
 * error. */
static int fit_topology(struct node_line *l, struct fail *fail) {
        struct config_node *n = &l->node;
        uint64_t threads, cores;

        n->boards = MAX(n->boards, 1U);
        n->cores = MAX(n->cores, 1U);
        n->threads = MAX(n->threads, 1U);
        if (l->sockets && l->sockets % n->boards)
                return fail_set(fail, -EINVAL, "Sockets=%u is not a multiple of Boards=%u",
                                l->sockets, n->boards);
        if (l->sockets && l->sockets_per_board && l->sockets != l->sockets_per_board * n->boards)
                return fail_set(fail, -EINVAL,
                                "Sockets=%u is not Boards=%u times SocketsPerBoard=%u", l->sockets,
                                n->boards, l->sockets_per_board);
        n->sockets = l->sockets_per_board ? l->sockets_per_board : l->sockets / n->boards;
        if (n->sockets == 0)
                n->sockets = MAX(n->cpus / (n->boards * n->cores * n->threads), 1U);
        if (n->sockets > CPU_MAX / n->boards || n->cores > CPU_MAX / (n->boards * n->sockets) ||
                        n->threads > CPU_MAX / (n->boards * n->sockets * n->cores))
                return fail_set(fail, -ERANGE, "more than %d CPUs", CPU_MAX);
        cores = (uint64_t)n->boards * n->sockets * n->cores;
        threads = cores * n->threads;
        if (n->cpus == 0)
                n->cpus = (uint32_t)threads;
        if (n->cpus != threads && n->cpus != cores && n->cpus != n->boards * n->sockets)
                return fail_set(fail, -EINVAL,
                                "CPUs=%u fits neither the sockets, nor the cores (%llu), nor the "
                                "threads "
                                "(%llu) of Boards, Sockets, CoresPerSocket and ThreadsPerCore",
                                n->cpus, (unsigned long long)cores, (unsigned long long)threads);
        return 0;
}

uint32_t config_node_cores(const struct config_node *node) {
        uint32_t cores = node->boards * node->sockets * node->cores;

        return cores == 0 || node->cpus % cores != 0 ? node->cpus : cores;
}

/* What is kept for the system leaves something for jobs. */
static int check_kept(const struct config_node *n, struct fail *fail) {
        uint32_t cores = config_node_cores(n);
        _cleanup_(bitset_freep) struct bitset *cpus = bitset_new(n->cpus);

        if (n->core_spec && !isempty(n->cpu_spec))
                return fail_set(fail, -EINVAL, "CoreSpecCount and CpuSpecList exclude each other");
        if (n->core_spec >= cores)
                return fail_set(fail, -EINVAL,
                                "CoreSpecCount=%u leaves jobs none of the node's %u cores",
                                n->core_spec, cores);
        if (n->mem_spec && n->mem_spec >= n->real_memory)
                return fail_set(fail, -EINVAL,
                                "MemSpecLimit=%llu leaves jobs nothing of RealMemory=%llu",
                                (unsigned long long)n->mem_spec,
                                (unsigned long long)n->real_memory);
        if (isempty(n->cpu_spec))
                return 0;
        if (bitset_parse(cpus, n->cpu_spec) < 0)
                return fail_set(fail, -EINVAL,
                                "CpuSpecList=%.100s: numbers of CPUs below %u were expected, as "
                                "in 0-1,8",
                                n->cpu_spec, n->cpus);
        _cleanup_(bitset_freep) struct bitset *kept = bitset_new(cores);
        bitset_for_each(i, cpus)
                bitset_add(kept, i / (n->cpus / cores));
        if (bitset_count(kept) == cores)
                return fail_set(fail, -EINVAL,
                                "CpuSpecList=%.100s leaves jobs none of the node's %u cores",
                                n->cpu_spec, cores);
        return 0;
}

/* "17001", "17001-17008", "[17001-17008]" */
static int parse_ports(const char *text, struct hostlist **ret, struct fail *fail) {
        _cleanup_free_ char *list = NULL;
        uint64_t port;

        list = *text == '[' ? xstrdup(text) : xasprintf("[%s]", text);
        int r = hostlist_parse(list, ret, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; i < hostlist_count(*ret); i++)
                if (uint_parse(hostlist_get(*ret, i), 1, 65535, &port) < 0)
                        return fail_set(fail, -ERANGE, "Port %s is not between 1 and 65535",
                                        hostlist_get(*ret, i));
        return 0;
}

struct node_lists { /* equal length, or one element for all */
        struct hostlist *names, *hostnames, *addresses, *ports;
};

static void node_lists_done(struct node_lists *l) {
        hostlist_free(l->names);
        hostlist_free(l->hostnames);
        hostlist_free(l->addresses);
        hostlist_free(l->ports);
}

static int check_length(const struct hostlist *list, const char *key, size_t names,
                struct fail *fail) {
        size_t n = list ? hostlist_count(list) : 0;

        if (!list || n == 1 || n == names)
                return 0;
        return fail_set(fail, -EINVAL, "%s has %zu values for %zu nodes", key, n, names);
}

static int parse_lists(const struct node_line *l, struct node_lists *ret, struct fail *fail) {
        int r = 0;

        if (isempty(l->name))
                return fail_set(fail, -EINVAL, "NodeName is empty");
        r = hostlist_parse(l->name, &ret->names, fail);
        if (r >= 0 && l->hostname)
                r = hostlist_parse(l->hostname, &ret->hostnames, fail);
        if (r >= 0 && l->address)
                r = hostlist_parse(l->address, &ret->addresses, fail);
        if (r >= 0 && l->port)
                r = parse_ports(l->port, &ret->ports, fail);
        if (r < 0)
                return r;
        size_t n = hostlist_count(ret->names);
        if (n == 0)
                return fail_set(fail, -EINVAL, "NodeName is empty");
        r = check_length(ret->hostnames, "NodeHostname", n, fail);
        if (r >= 0)
                r = check_length(ret->addresses, "NodeAddr", n, fail);
        return r < 0 ? r : check_length(ret->ports, "Port", n, fail);
}

static const char *list_element(const struct hostlist *list, size_t i, const char *missing) {
        if (!list)
                return missing;
        return hostlist_get(list, hostlist_count(list) == 1 ? 0 : i);
}

/* Node number i of a line. */
static struct config_node make_node(const struct node_line *l, const struct node_lists *lists,
                size_t i, uint16_t port) {
        struct config_node node = l->node;
        const char *name = hostlist_get(lists->names, i);
        const char *hostname = list_element(lists->hostnames, i, name);
        const char *text = list_element(lists->ports, i, NULL);
        uint64_t v = port;

        if (text)
                (void)uint_parse(text, 1, 65535, &v); /* was checked */
        node.name = xstrdup(name);
        node.hostname = xstrdup(hostname);
        node.address = xstrdup(list_element(lists->addresses, i, hostname));
        node.port = (uint16_t)v;
        node.features = xstrdup(node.features);
        node.cpu_spec = xstrdup(node.cpu_spec);
        node.gres = xstrdup(node.gres);
        node.reason = xstrdup(node.reason);
        node.topology = xstrdup(node.topology);
        node.state = xstrdup(node.state);
        return node;
}

static int add_nodes(struct config_records *records, const struct node_line *l,
                const struct node_lists *lists, struct fail *fail) {
        struct config *config = records->config;

        for (size_t i = 0; i < hostlist_count(lists->names); i++) {
                const char *name = hostlist_get(lists->names, i);
                if (hostlist_has(records->names, name))
                        return fail_set(fail, -EEXIST, "node %s is named twice", name);
                if (config->n_nodes >= HOSTLIST_MAX)
                        return fail_set(fail, -E2BIG, "more than %d nodes", HOSTLIST_MAX);
                hostlist_push(records->names, name);
                GROW(config->nodes, records->allocated_nodes, config->n_nodes);
                config->nodes[config->n_nodes++] = make_node(l, lists, i, config->slurmd_port);
        }
        return 0;
}

static int apply_node_line(struct config_records *records, const struct value *values,
                struct fail *fail) {
        struct node_lists lists = { 0 };
        struct node_line l = unsaid_node;

        int r = parse_values(records, RECORD_NODE, values, &l, fail);
        if (r >= 0) {
                r = fit_topology(&l, fail);
                if (r >= 0)
                        r = check_kept(&l.node, fail);
                if (r >= 0)
                        r = parse_lists(&l, &lists, fail);
                if (r >= 0)
                        r = add_nodes(records, &l, &lists, fail);
                if (r < 0 && values[0].text)
                        fail_prefix(fail, r, "%s line %u: NodeName", values[0].file,
                                        values[0].line);
        }
        node_lists_done(&lists);
        node_line_done(&l);
        return r;
}

/* ---- lists of nodes ---- */

static void push_all(struct hostlist *to, const struct hostlist *from) {
        for (size_t i = 0; i < hostlist_count(from); i++)
                hostlist_push(to, hostlist_get(from, i));
}

/* What a line with a mistake names is there as far as other lines are concerned. */
static void note_wrong(struct config_records *records, const struct value *name) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct fail quiet = { 0 };

        if (name->text && hostlist_parse(name->text, &names, &quiet) >= 0)
                push_all(records->wrong, names);
        else
                records->wrong_names = true;
}

static const struct config_nodeset *find_set(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_nodesets; i++)
                if (streq(config->nodesets[i].name, name))
                        return &config->nodesets[i];
        return NULL;
}

/* "ALL", names and names of sets, in any mixture. */
static int resolve_nodes(const struct config_records *records, const char *text,
                struct hostlist **ret, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *words = NULL, *nodes = hostlist_new();
        int r = hostlist_parse(text ? text : "", &words, fail);

        if (r < 0)
                return r;
        for (size_t i = 0; i < hostlist_count(words); i++) {
                const char *word = hostlist_get(words, i);
                const struct config_nodeset *set = find_set(records->config, word);
                if (set)
                        push_all(nodes, set->nodes);
                else if (strcasecmp(word, "ALL") == 0)
                        push_all(nodes, records->names);
                else if (hostlist_has(records->names, word))
                        hostlist_push(nodes, word);
                else if (!records->wrong_names && !hostlist_has(records->wrong, word))
                        return fail_set(fail, -ENOENT, "there is no node \"%s\"", word);
        }
        *ret = TAKE(nodes);
        return 0;
}

/* ---- sets ---- */

static void push_featured(const struct config_records *records, const char *feature,
                struct hostlist *to) {
        const struct config *config = records->config;

        for (size_t i = 0; i < config->n_nodes; i++)
                if (option_has(config->nodes[i].features, feature))
                        hostlist_push(to, config->nodes[i].name);
}

static int make_set(struct config_records *records, const struct set_line *l, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        struct config *config = records->config;

        if (isempty(l->name) || word_in(l->name, "ALL"))
                return fail_set(fail, -EINVAL, "\"%s\" cannot be the name of a set",
                                strna(l->name));
        if (find_set(config, l->name) || hostlist_has(records->names, l->name))
                return fail_set(fail, -EEXIST, "%s is named twice", l->name);
        int r = resolve_nodes(records, l->nodes, &nodes, fail);
        if (r < 0)
                return r;
        if (l->feature)
                push_featured(records, l->feature, nodes);
        config->nodesets = xrenew(config->nodesets, config->n_nodesets + 1);
        config->nodesets[config->n_nodesets++] = (struct config_nodeset){ xstrdup(l->name),
                TAKE(nodes), xstrdup(l->nodes), xstrdup(l->feature) };
        return 0;
}

static int apply_set_line(struct config_records *records, const struct value *values,
                struct fail *fail) {
        struct set_line l = { 0 };

        int r = parse_values(records, RECORD_SET, values, &l, fail);
        if (r >= 0) {
                r = make_set(records, &l, fail);
                if (r < 0)
                        fail_prefix(fail, r, "%s line %u: NodeSet", values[0].file, values[0].line);
        }
        free(l.name);
        free(l.nodes);
        free(l.feature);
        return r;
}

/* ---- partitions ---- */

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

/* As Slurm: of each pair the one for nodes counts. */
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

/* GANG belongs to the cluster; on a partition it is dropped (docs of PreemptMode). */
static void drop_gang(struct config *config, struct config_partition *part,
                const struct value *at) {
        if (part->preempt_mode == PREEMPT_UNSET || !(part->preempt_mode & PREEMPT_GANG))
                return;
        config_warn(config, at->file, at->line, "PreemptMode: GANG is ignored on a partition");
        part->preempt_mode &= ~(unsigned)PREEMPT_GANG;
}

/* Exclusive=NODE has OverSubscribe=NO with it; NO takes nothing back of what older keys say. */
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
                r = resolve_nodes(records, l->nodes, &l->part.nodes, fail);
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

/* Before the defaults of the table. */
static const struct partition_line unsaid = {
        .part = { .preempt_mode = PREEMPT_UNSET,
                        .priority_tier = 1, /* not in the table: Priority sets both as well */
                        .priority_job_factor = 1,
                        .suspend_time = TIME_UNSET,
                        .suspend_timeout = TIME_UNSET,
                        .resume_timeout = TIME_UNSET,
                        .over_time = TIME_UNSET },
};

static int apply_partition_line(struct config_records *records, const struct value *values,
                struct fail *fail) {
        struct partition_line l = unsaid;
        int made = 0, r = parse_values(records, RECORD_PARTITION, values, &l, fail);
        if (r >= 0)
                made = make_partition(records, &l, &values[0], fail);
        else if (fail_keep(fail)) /* its nodes are looked at all the same */
                made = resolve_nodes(records, l.nodes, &l.part.nodes, fail);
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

        (void)parse_values(&records, RECORD_PARTITION, nothing, &none, NULL); /* our own table */
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

/* ---- down nodes ---- */

static int apply_down_line(struct config_records *records, const struct value *values,
                struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        struct down_line l = { 0 };

        int r = parse_values(records, RECORD_DOWN, values, &l, fail);
        if (r >= 0) {
                r = resolve_nodes(records, l.nodes, &nodes, fail);
                if (r < 0)
                        fail_prefix(fail, r, "%s line %u: DownNodes", values[0].file,
                                        values[0].line);
        }
        for (size_t i = 0; r >= 0 && i < hostlist_count(nodes); i++) {
                size_t at = hostlist_index(records->names, hostlist_get(nodes, i));
                struct config_node *node = &records->config->nodes[at];
                free_and_strdup(&node->state, l.state);
                if (l.reason)
                        free_and_strdup(&node->reason, l.reason);
        }
        free(l.nodes);
        free(l.state);
        free(l.reason);
        return r;
}

static int apply_action_line(struct config_records *records, const struct value *values,
                struct fail *fail) {
        struct config_action_line l = { 0 };
        int r = parse_values(records, RECORD_ACTION, values, &l, fail);

        if (r >= 0 && (r = config_action_add(records->config, &l, fail)) < 0)
                fail_prefix(fail, r, "%s line %u: PowerAction", values[0].file, values[0].line);
        config_action_line_done(&l);
        return r;
}

/* ---- all ---- */

typedef int (*apply_line_t)(struct config_records *records, const struct value *values,
                struct fail *fail);

static const apply_line_t apply_line[RECORD_MAX] = {
        [RECORD_NODE] = apply_node_line,
        [RECORD_SET] = apply_set_line,
        [RECORD_PARTITION] = apply_partition_line,
        [RECORD_DOWN] = apply_down_line,
        [RECORD_ACTION] = apply_action_line,
};

static int apply_record(struct config_records *records, enum record_kind kind,
                const struct config_line *line, struct fail *fail) {
        struct value values[KEYS_MAX];

        if (is_default_line(line))
                return read_values(&record_types[kind], line, records->defaults[kind], fail);
        memcpy(values, records->defaults[kind], sizeof values);
        int r = read_values(&record_types[kind], line, values, fail);
        if (r < 0 && !fail_keep(fail))
                return r;
        int applied = apply_line[kind](records, values, fail);
        if (applied < 0 && (kind == RECORD_NODE || kind == RECORD_SET))
                note_wrong(records, &values[0]);
        return r < 0 ? r : applied;
}

int config_records_apply(struct config_records *records, struct config *config, struct fail *fail) {
        assert(records);
        assert(config);

        int failed = 0;

        records->config = config;
        records->names = hostlist_new();
        records->wrong = hostlist_new();
        for (size_t k = 0; k < RECORD_MAX; k++)
                for (size_t i = 0; i < records->kinds[k].n; i++) {
                        int r = apply_record(records, (enum record_kind)k,
                                        &records->kinds[k].lines[i], fail);
                        if (r < 0 && !fail_keep(fail))
                                return r;
                        records->failed[k] |= r < 0;
                        failed = failed ? failed : MIN(r, 0);
                }
        config->partitions_wrong = records->failed[RECORD_PARTITION];
        return failed;
}

/* ---- a NodeName line by itself ---- */

struct lone_line {
        const char *where; /* for messages */
        struct value values[KEYS_MAX];
        struct config_lone_check check;
};

static int take_node_line(struct config_line *line, void *userdata, struct fail *fail) {
        struct value mine[KEYS_MAX] = { 0 };
        struct lone_line *l = userdata;

        /* The texts must outlive the line: they are copied, config_lone_nodes() frees them. */
        int r = read_values(&record_types[RECORD_NODE], line, mine, fail);
        for (size_t k = 0; r >= 0 && k < KEYS_MAX; k++) {
                if (!mine[k].text)
                        continue;
                if (l->check.key)
                        r = l->check.key(&node_keys[k], mine[k].text, l->check.user, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s", l->where);
                free((char *)l->values[k].text);
                l->values[k] = (struct value){ xstrdup(mine[k].text), l->where, mine[k].line };
        }
        return r;
}

static int make_lone_nodes(struct node_line *l, uint16_t port, struct config_node **ret,
                size_t *ret_n, struct fail *fail) {
        struct node_lists lists = { 0 };
        int r = fit_topology(l, fail);

        if (r >= 0 && port) /* else slumberd knows more of its machine than the line says */
                r = check_kept(&l->node, fail);
        if (r >= 0)
                r = parse_lists(l, &lists, fail);
        size_t n = r < 0 ? 0 : hostlist_count(lists.names);
        struct config_node *nodes = n ? xnew0(struct config_node, n) : NULL;
        for (size_t i = 0; i < n; i++)
                nodes[i] = make_node(l, &lists, i, port);
        node_lists_done(&lists);
        if (r >= 0) {
                *ret = nodes;
                *ret_n = n;
        }
        return r;
}

/* Without a name: slumberd knows its own. */
static void forget_name(const struct node_line *l, struct config_node *node) {
        free_and_strdup(&node->name, NULL);
        free_and_strdup(&node->hostname, l->hostname);
        free_and_strdup(&node->address, l->address);
}

static int parse_lone(const struct lone_line *lone, uint16_t port, struct config_node **ret,
                size_t *ret_n, struct fail *fail) {
        struct config_records records = { 0 };
        struct node_line l = unsaid_node;
        int r = parse_values(&records, RECORD_NODE, lone->values, &l, fail);

        if (r >= 0) {
                bool named = l.name;
                if (!named)
                        l.name = xstrdup("unnamed");
                r = make_lone_nodes(&l, port, ret, ret_n, fail);
                if (r >= 0 && !named)
                        forget_name(&l, *ret);
                else if (r < 0)
                        fail_prefix(fail, r, "%s", lone->where);
        }
        node_line_done(&l);
        return r;
}

int config_lone_nodes(const char *where, const char *line, const struct config_lone_check *check,
                uint16_t port, struct config_node **ret, size_t *ret_n, struct fail *fail) {
        struct lone_line l = { .where = where };

        if (check)
                l.check = *check;
        int r = config_lines(where, NULL, line, strlen(line), take_node_line, &l, fail);
        if (r >= 0)
                r = parse_lone(&l, port, ret, ret_n, fail);
        for (size_t k = 0; k < KEYS_MAX; k++)
                free((char *)l.values[k].text);
        return r;
}

static int note_said(const struct config_key *key, const char *value, void *user,
                struct fail *fail) {
        struct config_said *said = user;

        said->cpus |= word_in(key->name,
                        "CPUs|Procs|Boards|Sockets|SocketsPerBoard|CoresPerSocket|ThreadsPerCore");
        said->memory |= streq(key->name, "RealMemory");
        return 0;
}

int config_parse_node_line(const char *line, struct config_node *ret, struct config_said *ret_said,
                struct fail *fail) {
        struct config_said said = { 0 };
        struct config_lone_check check = { note_said, &said };
        struct config_node *nodes = NULL;
        size_t n = 0;

        assert(line);
        assert(ret);

        int r = config_lone_nodes("--conf", line, &check, 0, &nodes, &n, fail);
        if (r >= 0 && ret_said)
                *ret_said = said;
        if (r >= 0 && n != 1)
                r = fail_set(fail, -EINVAL, "--conf: NodeName: more than one node");
        if (r >= 0)
                *ret = nodes[0];
        for (size_t i = r >= 0; i < n; i++)
                config_node_done(&nodes[i]);
        free(nodes);
        return r;
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
