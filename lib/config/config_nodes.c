/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NodeName, NodeSet, DownNodes and PowerAction lines. Lines are collected while files are read,
 * because a partition may precede its nodes in the file, and built in this order: nodes, sets,
 * partitions, down nodes. */
#include "lib/bitset.h"
#include "lib/config/config_records.h"
#include "lib/timetext.h"

#include <limits.h>

/* A line before ranges are expanded. */
struct node_line {
        char *name, *hostname, *address, *port;
        uint32_t sockets, sockets_per_board;
        struct config_node node;
};

struct set_line {
        char *name, *nodes, *feature;
};

struct down_line {
        char *nodes, *state, *reason;
};

#define NODE(field) offsetof(struct node_line, field)
#define STATES      "UNKNOWN|IDLE|CLOUD|DOWN|DRAIN|FAIL|FAILING|FUTURE"
#define CPU_MAX     65535

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

static const struct record_type
        node_record   = { RECORD_NODE,   node_keys,   ELEMENTSOF(node_keys) },
        set_record    = { RECORD_SET,    set_keys,    ELEMENTSOF(set_keys) },
        down_record   = { RECORD_DOWN,   down_keys,   ELEMENTSOF(down_keys) },
        action_record = { RECORD_ACTION, action_keys, ELEMENTSOF(action_keys) };

static const struct record_type *const record_types[RECORD_MAX] = {
        [RECORD_NODE]      = &node_record,
        [RECORD_SET]       = &set_record,
        [RECORD_PARTITION] = &partition_record,
        [RECORD_DOWN]      = &down_record,
        [RECORD_ACTION]    = &action_record,
};
/* clang-format on */

_Static_assert(ELEMENTSOF(node_keys) <= KEYS_MAX, "KEYS_MAX");

const struct config_key *config_record_key(const char *name) {
        for (size_t kind = 0; kind < RECORD_MAX; kind++)
                for (size_t k = 0; k < record_types[kind]->n; k++)
                        if (strcasecmp(record_types[kind]->keys[k].name, name) == 0)
                                return &record_types[kind]->keys[k];
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
                if (strcasecmp(line->words[0].key, record_types[k]->keys[0].name) != 0)
                        continue;
                GROW(to->lines, to->allocated, to->n);
                to->lines[to->n++] = *line;
                *line = (struct config_line){ 0 };
                return 1;
        }
        return 0;
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
        free(node->moved_to);
        free(node->state);
        *node = (struct config_node){ 0 };
}

/* Initial values before the defaults of the table. */
static const struct node_line unsaid_node = { .node = { .suspend_time = TIME_UNSET } };

static void node_line_done(struct node_line *l) {
        free(l->name);
        free(l->hostname);
        free(l->address);
        free(l->port);
        config_node_done(&l->node);
}

/* Derives CPUs, boards, sockets, cores and threads from those given; contradictions are errors. */
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

/* Checks that the resources kept for the system leave some for jobs. */
static int node_check_kept(const struct config_node *n, struct fail *fail) {
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

/* Reads "17001", "17001-17008", "[17001-17008]". */
static int node_ports_parse(const char *text, struct hostlist **ret, struct fail *fail) {
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

struct node_lists { /* equal lengths, or one element for all */
        struct hostlist *names, *hostnames, *addresses, *ports;
};

static void node_line_lists_done(struct node_lists *l) {
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
                r = node_ports_parse(l->port, &ret->ports, fail);
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

/* Makes node number i of a line. */
static struct config_node make_node(const struct node_line *l, const struct node_lists *lists,
                size_t i, uint16_t port) {
        struct config_node node = l->node;
        const char *name = hostlist_get(lists->names, i);
        const char *hostname = list_element(lists->hostnames, i, name);
        const char *text = list_element(lists->ports, i, NULL);
        uint64_t v = port;

        if (text)
                (void)uint_parse(text, 1, 65535, &v); /* already checked */
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

static int node_line_add_nodes(struct config_records *records, const struct node_line *l,
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

        int r = record_parse(records, &node_record, values, &l, fail);
        if (r >= 0) {
                r = fit_topology(&l, fail);
                if (r >= 0)
                        r = node_check_kept(&l.node, fail);
                if (r >= 0)
                        r = parse_lists(&l, &lists, fail);
                if (r >= 0)
                        r = node_line_add_nodes(records, &l, &lists, fail);
                if (r < 0 && values[0].text)
                        fail_prefix(fail, r, "%s line %u: NodeName", values[0].file,
                                        values[0].line);
        }
        node_line_lists_done(&lists);
        node_line_done(&l);
        return r;
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
        if (config_find_set(config, l->name) || hostlist_has(records->names, l->name))
                return fail_set(fail, -EEXIST, "%s is named twice", l->name);
        int r = records_resolve_nodes(records, l->nodes, &nodes, fail);
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

        int r = record_parse(records, &set_record, values, &l, fail);
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

/* ---- down nodes ---- */

static int apply_down_line(struct config_records *records, const struct value *values,
                struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        struct down_line l = { 0 };

        int r = record_parse(records, &down_record, values, &l, fail);
        if (r >= 0) {
                r = records_resolve_nodes(records, l.nodes, &nodes, fail);
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
        int r = record_parse(records, &action_record, values, &l, fail);

        if (r >= 0 && (r = config_action_add(records->config, &l, fail)) < 0)
                fail_prefix(fail, r, "%s line %u: PowerAction", values[0].file, values[0].line);
        config_action_line_done(&l);
        return r;
}

/* ---- all records ---- */

typedef int (*apply_line_t)(struct config_records *records, const struct value *values,
                struct fail *fail);

static const apply_line_t apply_line[RECORD_MAX] = {
        [RECORD_NODE] = apply_node_line,
        [RECORD_SET] = apply_set_line,
        [RECORD_PARTITION] = partition_apply,
        [RECORD_DOWN] = apply_down_line,
        [RECORD_ACTION] = apply_action_line,
};

static int apply_record(struct config_records *records, enum record_kind kind,
                const struct config_line *line, struct fail *fail) {
        struct value values[KEYS_MAX];

        if (is_default_line(line))
                return record_read(record_types[kind], line, records->defaults[kind], fail);
        memcpy(values, records->defaults[kind], sizeof values);
        int r = record_read(record_types[kind], line, values, fail);
        if (r < 0 && !fail_keep(fail))
                return r;
        int applied = apply_line[kind](records, values, fail);
        if (applied < 0 && (kind == RECORD_NODE || kind == RECORD_SET))
                records_note_wrong(records, &values[0]);
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

/* ---- a single NodeName line ---- */

struct lone_line {
        const char *where; /* for messages */
        struct value values[KEYS_MAX];
        struct config_lone_check check;
};

static int take_node_line(struct config_line *line, void *userdata, struct fail *fail) {
        struct value mine[KEYS_MAX] = { 0 };
        struct lone_line *l = userdata;

        /* The texts must outlive the line: they are copied; config_lone_nodes() frees them. */
        int r = record_read(&node_record, line, mine, fail);
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

        if (r >= 0 && port) /* slumberd without a port knows the hardware better than the line */
                r = node_check_kept(&l->node, fail);
        if (r >= 0)
                r = parse_lists(l, &lists, fail);
        size_t n = r < 0 ? 0 : hostlist_count(lists.names);
        struct config_node *nodes = n ? xnew0(struct config_node, n) : NULL;
        for (size_t i = 0; i < n; i++)
                nodes[i] = make_node(l, &lists, i, port);
        node_line_lists_done(&lists);
        if (r >= 0) {
                *ret = nodes;
                *ret_n = n;
        }
        return r;
}

/* Removes the name: slumberd knows its own. */
static void forget_name(const struct node_line *l, struct config_node *node) {
        free_and_strdup(&node->name, NULL);
        free_and_strdup(&node->hostname, l->hostname);
        free_and_strdup(&node->address, l->address);
}

static int parse_lone(const struct lone_line *lone, uint16_t port, struct config_node **ret,
                size_t *ret_n, struct fail *fail) {
        struct config_records records = { 0 };
        struct node_line l = unsaid_node;
        int r = record_parse(&records, &node_record, lone->values, &l, fail);

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

static int node_note_said(const struct config_key *key, const char *value, void *user,
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
        struct config_lone_check check = { node_note_said, &said };
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
