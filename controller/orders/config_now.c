/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Returns scontrol's changes of nodes and partitions in the form of the configuration.  All texts
 * are borrowed. */
#include "controller/orders/config_now.h"

#include "controller/model/exclude.h"
#include "controller/model/partition.h"
#include "lib/config/debugflags.h"

/* ---- nodes ---- */

/* Returns whether slumberd reported the address, which is no setting then. */
static bool is_told(const struct node *n) {
        return n->flags & (NODE_CLOUD | NODE_DYNAMIC_FUTURE) || n->dynamic;
}

static const char *node_config_state(const struct node *n, const char *configured) {
        const unsigned passing = NODE_POWER_DRAIN | NODE_REBOOT_DRAIN;

        if (streq(strempty(configured), "CLOUD") || streq(strempty(configured), "FUTURE"))
                return configured;
        if (n->flags & NODE_DRAIN && !(n->flags & passing))
                return "DRAIN";
        if (n->flags & NODE_FAIL)
                return "FAIL";
        return n->base == NODE_DOWN && !(n->flags & (NODE_NOT_RESPONDING | NODE_FELL)) ? "DOWN"
                                                                                       : "UNKNOWN";
}

static bool is_out_of_use(const char *state) {
        return streq(state, "DRAIN") || streq(state, "FAIL") || streq(state, "DOWN");
}

static struct config_node node_now(const struct config_node *from, const struct node *n) {
        struct config_node now = *from;

        now.weight = n->weight;
        now.features = n->features;
        now.state = (char *)(uintptr_t)node_config_state(n, from->state);
        now.reason = is_out_of_use(now.state) ? n->reason : NULL;
        if (!is_told(n) || n->flags & NODE_ADDRESS_SET)
                now.address = n->address;
        if (!is_told(n))
                now.hostname = n->hostname;
        return now;
}

static struct config_node *nodes_now(const struct cluster *c) {
        struct config_node *nodes = xnew0(struct config_node, c->config->n_nodes);

        for (size_t i = 0; i < c->config->n_nodes; i++)
                nodes[i] = node_now(&c->config->nodes[i], c->nodes[i]);
        return nodes;
}

/* ---- partitions ---- */

static struct config_partition partition_now(const struct cluster *c, const struct partition *p) {
        struct config_partition now = { 0 };

        for (size_t i = 0; i < c->config->n_partitions; i++)
                if (streq(c->config->partitions[i].name, p->name))
                        now = c->config->partitions[i]; /* settings that no update changes */
        now.name = p->name;
        now.nodes_text = p->nodes_text;
        now.is_default = p->is_default;
        now.hidden = p->hidden;
        now.root_only = p->root_only;
        now.disable_root_jobs = p->disable_root_jobs;
        now.exclusive = partition_exclusive_now(p);
        now.exclusive_user = p->exclusive_user;
        now.power_down_on_idle = p->power_down_on_idle;
        now.lln = p->lln;
        now.state = (char *)(uintptr_t)partition_state_text(p->state);
        now.max_time = p->max_time;
        now.default_time = p->default_time;
        now.min_nodes = p->min_nodes;
        now.max_nodes = p->max_nodes;
        now.priority_tier = p->priority_tier;
        now.priority_job_factor = p->priority_job_factor;
        now.oversubscribe = p->oversubscribe;
        now.oversubscribe_max = p->oversubscribe_max;
        now.select_params = p->select_params;
        now.topology = p->topology_name;
        now.preempt_mode = p->preempt_mode;
        now.suspend_time = p->suspend_time;
        now.suspend_timeout = p->suspend_timeout;
        now.resume_timeout = p->resume_timeout;
        now.over_time = p->over_time;
        now.def_mem_per_node = p->def_mem_per_node;
        now.def_mem_per_cpu = p->def_mem_per_cpu;
        now.def_mem_per_gpu = p->def_mem_per_gpu;
        now.def_cpu_per_gpu = p->def_cpu_per_gpu;
        now.max_mem_per_node = p->max_mem_per_node;
        now.max_mem_per_cpu = p->max_mem_per_cpu;
        now.allow_groups = p->allow_groups;
        now.allow_accounts = p->allow_accounts;
        now.deny_accounts = p->deny_accounts;
        now.allow_qos = p->allow_qos;
        now.deny_qos = p->deny_qos;
        now.qos = p->qos_name;
        now.alloc_nodes = p->alloc_nodes;
        now.billing = p->billing_text;
        now.grace_time = p->grace_time;
        now.max_cpus_per_node = p->max_cpus_per_node;
        return now;
}

static struct config_partition *partitions_now(const struct cluster *c) {
        struct config_partition *list = xnew0(struct config_partition, c->n_partitions);

        for (size_t i = 0; i < c->n_partitions; i++)
                list[i] = partition_now(c, c->partitions[i]);
        return list;
}

/* ---- all ---- */

char *cluster_config_text(const struct cluster *c, const struct config_asked *asked) {
        struct config_setting changed[EXCLUDE_KIND_MAX + 3];
        size_t n = 0;
        _cleanup_free_ struct config_node *nodes = nodes_now(c);
        _cleanup_free_ struct config_partition *partitions = partitions_now(c);
        _cleanup_free_ char *flags = debug_flags_text(c->debug),
                            *factor = xasprintf("%u", c->config->priority.dampening);

        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                changed[n++] = (struct config_setting){ exclude_kind_text(k), c->exclusions.text[k],
                        false };
        changed[n++] = (struct config_setting){ "FairShareDampeningFactor", factor, false };
        if (c->debug != c->config->debug)
                changed[n++] = (struct config_setting){ "DebugFlags", flags, false };
        if (asked->debug)
                changed[n++] = (struct config_setting){ "SlurmctldDebug",
                        (char *)(uintptr_t)asked->debug, false };
        return config_write(c->config, &(struct config_now){ .heading = asked->heading,
                                                       .settings = changed,
                                                       .n_settings = n,
                                                       .nodes = nodes,
                                                       .partitions = partitions,
                                                       .n_partitions = c->n_partitions,
                                                       .secrets = asked->secrets });
}
