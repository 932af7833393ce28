/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What admins change: nodes, their power, partitions, the configuration. */
#include "controller/agents/dynamic.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/qos.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/rank.h"
#include "controller/lives/node_events.h"
#include "controller/lives/reboot.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/node_features.h"
#include "controller/programs/running.h"
#include "controller/requests/handlers.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <strings.h>
#include <systemd/sd-daemon.h>

#define ABORT_PAUSE (100 * USEC_PER_MSEC) /* for the answer to leave */

/* ---- nodes ---- */

enum { LIST_ADDRESSES, LIST_HOSTNAMES, LIST_IDS, LIST_TYPES, LIST_MAX };

static const struct {
        size_t field;
        bool each; /* a value for each node; else one for all, or none, will do as well */
} list_kinds[LIST_MAX] = {
        [LIST_ADDRESSES] = { offsetof(struct node, address), true },
        [LIST_HOSTNAMES] = { offsetof(struct node, hostname), true },
        [LIST_IDS] = { offsetof(struct node, instance_id), false },
        [LIST_TYPES] = { offsetof(struct node, instance_type), false },
};

/* Lists of values for a list of nodes, in the same order. */
struct node_lists {
        const Slumber__Text *text[LIST_MAX]; /* NULL: not given */
        char **values[LIST_MAX];
        size_t n[LIST_MAX]; /* 0: cleared */
};

static void node_lists_done(struct node_lists *l) {
        for (size_t i = 0; i < LIST_MAX; i++) {
                for (size_t k = 0; k < l->n[i]; k++)
                        free(l->values[i][k]);
                free(l->values[i]);
        }
}

/* "i-[1-2],i-1": a host list that may have a value more than once. */
static int values_parse(const char *text, size_t most, char ***ret, size_t *ret_n,
                struct fail *fail) {
        while (*(text += strspn(text, ","))) {
                _cleanup_(hostlist_freep) struct hostlist *some = NULL;
                size_t length = 0;

                for (int depth = 0; text[length] && (depth > 0 || text[length] != ','); length++)
                        depth += (text[length] == '[') - (text[length] == ']');
                _cleanup_free_ char *word = xasprintf("%.*s", (int)length, text);
                int r = hostlist_parse(word, &some, fail);
                if (r < 0)
                        return r;
                if (*ret_n + hostlist_count(some) > most)
                        return fail_set(fail, -EINVAL,
                                        "nodecount mismatch: more than %zu values for %zu nodes",
                                        most, most);
                *ret = xrenew(*ret, *ret_n + hostlist_count(some));
                for (size_t k = 0; k < hostlist_count(some); k++)
                        (*ret)[(*ret_n)++] = xstrdup(hostlist_get(some, k));
                text += length;
        }
        return 0;
}

static int node_lists_parse(struct node_lists *l, const Slumber__NodeUpdate *m, size_t count,
                struct fail *fail) {
        *l = (struct node_lists){
                { m->addresses, m->hostnames, m->instance_ids, m->instance_types }, { NULL }, { 0 }
        };
        for (size_t i = 0; i < LIST_MAX; i++) {
                if (!l->text[i])
                        continue;
                int r = values_parse(l->text[i]->value, count, &l->values[i], &l->n[i], fail);
                if (r < 0)
                        return r;
                if (l->n[i] != count && (list_kinds[i].each || l->n[i] > 1))
                        return fail_set(fail, -EINVAL,
                                        "nodecount mismatch: %zu values for %zu nodes", l->n[i],
                                        count);
        }
        return 0;
}

/* n is the k-th of the nodes. */
static void node_lists_set(const struct node_lists *l, struct node *n, size_t k) {
        if (l->text[LIST_ADDRESSES])
                n->flags |= NODE_ADDRESS_SET;
        for (size_t i = 0; i < LIST_MAX; i++)
                if (l->text[i])
                        free_and_strdup((char **)(void *)((char *)n + list_kinds[i].field),
                                        l->n[i] ? l->values[i][l->n[i] == 1 ? 0 : k] : NULL);
}

static void set_text(char **field, const Slumber__Text *value) {
        if (value)
                free_and_strdup(field, *value->value ? value->value : NULL);
}

static usec_t resume_pause(const Slumber__Number *seconds) {
        return seconds->value == NO_LIMIT
                               ? NO_LIMIT
                               : MIN(seconds->value, (uint64_t)UINT32_MAX) * USEC_PER_SEC;
}

/* Before anything is changed: it goes with a state that it can end. */
static bool resume_after_fits(const Slumber__NodeUpdate *m, struct fail *fail) {
        if (!m->resume_after || m->resume_after->value == NO_LIMIT ||
                        strcasecmp(m->state, "DOWN") == 0 || strncasecmp(m->state, "DRAIN", 5) == 0)
                return true;
        fail_set(fail, -EINVAL, "ResumeAfter goes with State=DOWN or State=DRAIN only");
        return false;
}

/* What may be refused comes first: all that is asked for n or nothing. */
static enum slumber_error update_node(struct cluster *c, struct node *n,
                const Slumber__NodeUpdate *m, uid_t uid, usec_t now) {
        const char *reason = m->reason ? m->reason->value : NULL;

        if (*m->state) {
                enum slumber_error e = node_admin(c, n, m->state, reason, uid, now);
                if (e != SLUMBER_OK)
                        return e;
        } else if (reason) {
                node_set_reason(c, n, strcasecmp(reason, "(null)") == 0 ? NULL : reason, uid, now);
        }
        if (m->resume_after) {
                enum slumber_error e = node_resume_after(c, n, resume_pause(m->resume_after), now);
                if (e != SLUMBER_OK)
                        return e;
        }
        set_text(&n->comment, m->comment);
        set_text(&n->extra, m->extra);
        if (m->features) {
                set_text(&n->features, m->features);
                node_features_configure(n, c->config->helpers);
                note(c, FACT_INVENTORY_CHANGED);
        }
        if (m->active_features)
                node_features_set(n, m->active_features->value);
        if (m->weight)
                cluster_set_weight(c, n, (uint32_t)m->weight->value);
        cluster_node_changed(c, n, now);
        return SLUMBER_OK;
}

static int check_active(const struct cluster *c, const struct hostlist *nodes,
                const Slumber__NodeUpdate *m, struct fail *fail) {
        int r = 0;

        for (size_t i = 0; m->active_features && r >= 0 && i < hostlist_count(nodes); i++) {
                const struct node *n = cluster_node(c, hostlist_get(nodes, i));
                r = node_features_check(n, m->features ? m->features->value : n->features,
                                m->active_features->value, fail);
        }
        return r;
}

/* Every node is tried; the first refusal is what the answer says, with its node. */
static enum slumber_error update_each(struct controller *ctl, const struct hostlist *nodes,
                const Slumber__NodeUpdate *m, const struct node_lists *lists,
                const struct caller *caller, struct fail *fail) {
        enum slumber_error first = SLUMBER_OK;
        size_t refused = 0;
        _cleanup_free_ char *why = NULL;

        for (size_t k = 0; k < hostlist_count(nodes); k++) {
                struct node *n = cluster_node(ctl->cluster, hostlist_get(nodes, k));
                enum slumber_error e = update_node(ctl->cluster, n, m, caller->uid,
                                controller_now(ctl));
                if (e == SLUMBER_OK && lists) {
                        node_lists_set(lists, n, k);
                        cluster_node_changed(ctl->cluster, n, controller_now(ctl));
                }
                refused += e != SLUMBER_OK;
                if (first == SLUMBER_OK && e != SLUMBER_OK) {
                        first = e;
                        why = node_refusal(ctl->cluster, n, m->state, e);
                }
        }
        if (refused > 1)
                fail_set(fail, -EPERM, "%s; and %zu other nodes are refused", why, refused - 1);
        else if (refused)
                fail_set(fail, -EPERM, "%s", why);
        note(ctl->cluster, FACT_NODE_USABLE);
        controller_changed(ctl);
        return first;
}

void handle_node_update(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__NodeUpdate *m = env->node_update;
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        _cleanup_(node_lists_done) struct node_lists lists = { 0 };
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_OK;

        if (*m->create || m->remove) {
                dynamic_request(ctl, caller, *m->create, *m->create ? m->create : m->nodes);
                return;
        }
        if (nodes_named(ctl->cluster, m->nodes, &nodes, &fail) < 0)
                e = SLUMBER_BAD_NODE_NAME;
        else if (check_active(ctl->cluster, nodes, m, &fail) < 0)
                e = SLUMBER_BAD_FEATURE;
        else if (!resume_after_fits(m, &fail) ||
                        node_lists_parse(&lists, m, hostlist_count(nodes), &fail) < 0)
                e = SLUMBER_BAD_UPDATE;
        else
                e = update_each(ctl, nodes, m, &lists, caller, &fail);
        if (e == SLUMBER_OK)
                log_info("Nodes %s updated by uid %u%s%s", m->nodes, (unsigned)caller->uid,
                                *m->state ? ": " : "", m->state);
        reply_result(ctl, &caller->from, e, fail.text);
}

void handle_power(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__PowerRequest *m = env->power;
        Slumber__NodeUpdate update = SLUMBER__NODE_UPDATE__INIT;
        Slumber__Text reason = SLUMBER__TEXT__INIT;
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_OK;

        if (m->up && (m->asap || m->force || *m->reason)) {
                e = SLUMBER_NOT_SUPPORTED;
                fail_set(&fail, 0, "power up takes neither asap, force nor a reason");
        } else if (nodes_named(ctl->cluster, m->nodes, &nodes, &fail) < 0) {
                e = SLUMBER_BAD_NODE_NAME;
        } else {
                update.state = (char *)(uintptr_t)(m->up      ? "POWER_UP"
                                                   : m->force ? "POWER_DOWN_FORCE"
                                                   : m->asap  ? "POWER_DOWN_ASAP"
                                                              : "POWER_DOWN");
                if (*m->reason) {
                        reason.value = m->reason;
                        update.reason = &reason;
                }
                e = update_each(ctl, nodes, &update, NULL, caller, &fail);
        }
        reply_result(ctl, &caller->from, e, fail.text);
}

/* Nodes that cannot be rebooted now are named; the others are. */
static char *reboot_each(struct controller *ctl, const struct bitset *nodes,
                const struct reboot_wish *w) {
        struct cluster *c = ctl->cluster;
        _cleanup_(bitset_freep) struct bitset *skipped = bitset_new(c->n_nodes);

        bitset_for_each(i, nodes)
                if (reboot_request(c, c->nodes[i], w, controller_now(ctl)) != SLUMBER_OK)
                        bitset_add(skipped, i);
        controller_changed(ctl);
        if (bitset_empty(skipped))
                return NULL;
        _cleanup_free_ char *names = cluster_nodes_text(c, skipped);
        return xasprintf("Skipping reboot of nodes %s due to current node state.", names);
}

void handle_reboot(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__RebootRequest *m = env->reboot;
        struct reboot_wish w = {
                m->asap,
                (enum node_next)m->next,
                m->reason ? m->reason->value : NULL,
                caller->uid,
        };
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        _cleanup_free_ char *skipped = NULL;
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_OK;

        if (m->next >= NODE_NEXT_MAX) {
                e = SLUMBER_PROTOCOL;
        } else if (isempty(ctl->cluster->config->reboot_program)) {
                e = SLUMBER_NOT_SUPPORTED;
                fail_set(&fail, 0, "slurm.conf has no RebootProgram");
        } else if (cluster_nodes_parse(ctl->cluster, m->nodes, &nodes, &fail) < 0) {
                e = SLUMBER_BAD_NODE_NAME;
        } else {
                log_info("Reboot of %s wanted by uid %u", m->nodes, (unsigned)caller->uid);
                skipped = reboot_each(ctl, nodes, &w);
                e = skipped ? SLUMBER_BAD_NODE_STATE : SLUMBER_OK;
        }
        reply_result(ctl, &caller->from, e, skipped ? skipped : fail.text);
}

/* ---- partitions ---- */

/* Settings are made in a copy, so that all of them come into force or none does. */
struct part_change {
        const struct cluster *c;
        struct partition *p; /* the copy */
        const char *value;
        struct fail *fail;
};

static int set_state(const struct part_change *ch) {
        int state = partition_state_parse(ch->value);

        if (state < 0)
                return fail_set(ch->fail, -EINVAL,
                                "State=%s: UP, DOWN, DRAIN or INACTIVE was expected", ch->value);
        ch->p->state = (unsigned)state;
        return 0;
}

static int set_max_time(const struct part_change *ch) {
        return limit_parse(ch->value, &ch->p->max_time, ch->fail);
}

static int set_default_time(const struct part_change *ch) {
        usec_t t = 0;
        int r = limit_parse(ch->value, &t, ch->fail);

        if (r >= 0 && t != NO_LIMIT && t > ch->p->max_time)
                r = fail_set(ch->fail, -EINVAL, "DefaultTime=%s is more than MaxTime", ch->value);
        if (r >= 0)
                ch->p->default_time = t;
        return r;
}

static int set_rank(const struct part_change *ch, const char *key, uint32_t *field) {
        uint64_t v;

        if (uint_parse(ch->value, 0, 65533, &v) < 0)
                return fail_set(ch->fail, -EINVAL, "%s=%s: 0 to 65533 was expected", key,
                                ch->value);
        *field = (uint32_t)v;
        return 0;
}

static int set_tier(const struct part_change *ch) {
        return set_rank(ch, "PriorityTier", &ch->p->priority_tier);
}

static int set_job_factor(const struct part_change *ch) {
        return set_rank(ch, "PriorityJobFactor", &ch->p->priority_job_factor);
}

/* Both. */
static int set_priority(const struct part_change *ch) {
        int r = set_rank(ch, "Priority", &ch->p->priority_tier);

        ch->p->priority_job_factor = ch->p->priority_tier;
        return r;
}

static int set_nodes_limit(const struct part_change *ch, uint32_t *field) {
        uint64_t v = UINT32_MAX;

        if (strcasecmp(ch->value, "UNLIMITED") != 0 &&
                        uint_parse(ch->value, 0, UINT32_MAX - 1, &v) < 0)
                return fail_set(ch->fail, -EINVAL, "\"%s\" is not a number of nodes", ch->value);
        *field = (uint32_t)v;
        return 0;
}

static int set_min_nodes(const struct part_change *ch) {
        return set_nodes_limit(ch, &ch->p->min_nodes);
}

static int set_max_nodes(const struct part_change *ch) {
        return set_nodes_limit(ch, &ch->p->max_nodes);
}

static int set_suspend_time(const struct part_change *ch) {
        return suspend_time_parse(ch->value, &ch->p->suspend_time, ch->fail);
}

static int set_suspend_timeout(const struct part_change *ch) {
        usec_t t = 0;
        int r = seconds_parse(ch->value, &t, ch->fail);

        if (r < 0)
                return r;
        if (t > 65533 * USEC_PER_SEC) /* as in slurm.conf: nothing goes down for ever */
                return fail_set(ch->fail, -ERANGE,
                                "SuspendTimeout=%s: 0 to 65533 seconds was expected", ch->value);
        ch->p->suspend_timeout = t;
        return 0;
}

static int set_resume_timeout(const struct part_change *ch) {
        return seconds_parse(ch->value, &ch->p->resume_timeout, ch->fail);
}

static int set_preempt_mode(const struct part_change *ch) {
        unsigned mode;
        int r = preempt_mode_parse(ch->value, &mode, ch->fail);

        if (r >= 0 && mode & PREEMPT_GANG)
                r = fail_set(ch->fail, -EINVAL,
                                "PreemptMode=%s: GANG is for the whole cluster only", ch->value);
        if (r >= 0)
                r = preempt_mode_check_own(mode, ch->c->config->preempt_mode, ch->fail);
        if (r >= 0)
                ch->p->preempt_mode = mode;
        return r;
}

static int set_grace_time(const struct part_change *ch) {
        uint64_t v;

        if (uint_parse(ch->value, 0, UINT32_MAX - 2, &v) < 0)
                return fail_set(ch->fail, -EINVAL, "GraceTime=%s: a number of seconds was expected",
                                ch->value);
        ch->p->grace_time = (uint32_t)v;
        return 0;
}

static int set_oversubscribe(const struct part_change *ch) {
        return oversubscribe_parse(ch->value, &ch->p->oversubscribe, &ch->p->oversubscribe_max,
                        ch->fail);
}

static int set_bool(const struct part_change *ch, const char *key, bool *field) {
        bool yes = strcasecmp(ch->value, "YES") == 0;

        if (!yes && strcasecmp(ch->value, "NO") != 0)
                return fail_set(ch->fail, -EINVAL, "%s=%s: YES or NO was expected", key, ch->value);
        *field = yes;
        return 0;
}

static int set_hidden(const struct part_change *ch) {
        return set_bool(ch, "Hidden", &ch->p->hidden);
}

static int set_root_only(const struct part_change *ch) {
        return set_bool(ch, "RootOnly", &ch->p->root_only);
}

static int set_disable_root_jobs(const struct part_change *ch) {
        return set_bool(ch, "DisableRootJobs", &ch->p->disable_root_jobs);
}

static int set_power_down_on_idle(const struct part_change *ch) {
        return set_bool(ch, "PowerDownOnIdle", &ch->p->power_down_on_idle);
}

/* One of a pair: the other one's word ends. */
static int set_memory(const struct part_change *ch, uint64_t *field, uint64_t *other) {
        uint64_t mb = 0;

        if (strcasecmp(ch->value, "UNLIMITED") != 0 &&
                        uint_parse(ch->value, 0, UINT64_C(1) << 40, &mb) < 0)
                return fail_set(ch->fail, -EINVAL, "\"%s\" is not a number of megabytes",
                                ch->value);
        *field = mb;
        *other = 0;
        return 0;
}

static int set_def_mem_per_node(const struct part_change *ch) {
        return set_memory(ch, &ch->p->def_mem_per_node, &ch->p->def_mem_per_cpu);
}

static int set_def_mem_per_cpu(const struct part_change *ch) {
        return set_memory(ch, &ch->p->def_mem_per_cpu, &ch->p->def_mem_per_node);
}

static int set_max_mem_per_node(const struct part_change *ch) {
        return set_memory(ch, &ch->p->max_mem_per_node, &ch->p->max_mem_per_cpu);
}

static int set_max_mem_per_cpu(const struct part_change *ch) {
        return set_memory(ch, &ch->p->max_mem_per_cpu, &ch->p->max_mem_per_node);
}

static int set_job_defaults(const struct part_change *ch) {
        return job_defaults_parse(ch->value, &ch->p->def_cpu_per_gpu, &ch->p->def_mem_per_gpu,
                        ch->fail);
}

static int set_exclusive_user(const struct part_change *ch) {
        return set_bool(ch, "ExclusiveUser", &ch->p->exclusive_user);
}

static int set_lln(const struct part_change *ch) {
        return set_bool(ch, "LLN", &ch->p->lln);
}

static int set_default(const struct part_change *ch) {
        return set_bool(ch, "Default", &ch->p->is_default);
}

static int set_max_cpus(const struct part_change *ch) {
        uint64_t v = UINT32_MAX;

        if (strcasecmp(ch->value, "UNLIMITED") != 0 &&
                        uint_parse(ch->value, 1, UINT32_MAX - 1, &v) < 0)
                return fail_set(ch->fail, -EINVAL,
                                "MaxCPUsPerNode=%s: a number of CPUs or UNLIMITED was expected",
                                ch->value);
        ch->p->max_cpus_per_node = (uint32_t)v;
        return 0;
}

static int set_over_time(const struct part_change *ch) {
        if (strcasecmp(ch->value, "NONE") == 0) /* as it is shown: the cluster's */
                ch->p->over_time = TIME_UNSET;
        else if (limit_parse(ch->value, &ch->p->over_time, NULL) < 0)
                return fail_set(ch->fail, -EINVAL,
                                "OverTimeLimit=%s: minutes, UNLIMITED or NONE was expected",
                                ch->value);
        return 0;
}

static int set_allow_groups(const struct part_change *ch) {
        partition_set_list(&ch->p->allow_groups, ch->value);
        return 0;
}

static int set_allow_accounts(const struct part_change *ch) {
        partition_set_list(&ch->p->allow_accounts, ch->value);
        return 0;
}

static int set_deny_accounts(const struct part_change *ch) {
        partition_set_list(&ch->p->deny_accounts, ch->value);
        return 0;
}

static int set_allow_qos(const struct part_change *ch) {
        partition_set_list(&ch->p->allow_qos, ch->value);
        return 0;
}

static int set_deny_qos(const struct part_change *ch) {
        partition_set_list(&ch->p->deny_qos, ch->value);
        return 0;
}

static int set_qos(const struct part_change *ch) {
        if (*ch->value && !qos_find(&ch->c->acct, ch->value))
                return fail_set(ch->fail, -EINVAL, "%s", slumber_error_text(SLUMBER_BAD_QOS));
        free_and_strdup(&ch->p->qos_name, *ch->value ? ch->value : NULL);
        return 0; /* bound when it is in force */
}

static int set_alloc_nodes(const struct part_change *ch) {
        return partition_set_alloc_nodes(ch->p, ch->value, ch->fail);
}

static int parse_nodes(const struct part_change *ch, struct bitset **ret) {
        if (!isempty(ch->value))
                return cluster_nodes_parse(ch->c, ch->value, ret, ch->fail);
        *ret = bitset_new(ch->c->n_nodes); /* none */
        return 0;
}

static int set_nodes(const struct part_change *ch) {
        struct bitset *nodes = NULL;
        int r = parse_nodes(ch, &nodes);

        if (r < 0)
                return r;
        bitset_free(ch->p->nodes);
        ch->p->nodes = nodes;
        free_and_strdup(&ch->p->nodes_text, isempty(ch->value) ? NULL : ch->value);
        return 0;
}

static int set_billing(const struct part_change *ch) {
        int r = billing_parse(&ch->c->acct.tres, ch->value, &ch->p->billing, ch->fail);

        if (r >= 0)
                free_and_strdup(&ch->p->billing_text, isempty(ch->value) ? NULL : ch->value);
        return r;
}

static int change_nodes(const struct part_change *ch, bool add) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        int r = parse_nodes(ch, &nodes);

        if (r < 0)
                return r;
        bitset_for_each(i, nodes)
                bitset_put(ch->p->nodes, i, add);
        free(ch->p->nodes_text); /* from now on it is the list that it has */
        ch->p->nodes_text = cluster_nodes_text(ch->c, ch->p->nodes);
        return 0;
}

static int add_nodes(const struct part_change *ch) {
        return change_nodes(ch, true);
}

static int remove_nodes(const struct part_change *ch) {
        return change_nodes(ch, false);
}

static const struct {
        const char *key;
        int (*set)(const struct part_change *ch);
} part_keys[] = {
        { "AllowGroups", set_allow_groups },
        { "AllowAccounts", set_allow_accounts },
        { "DenyAccounts", set_deny_accounts },
        { "AllowQos", set_allow_qos },
        { "DenyQos", set_deny_qos },
        { "QOS", set_qos },
        { "AllocNodes", set_alloc_nodes },
        { "Default", set_default },
        { "DefMemPerCPU", set_def_mem_per_cpu },
        { "DefMemPerNode", set_def_mem_per_node },
        { "MaxMemPerCPU", set_max_mem_per_cpu },
        { "MaxMemPerNode", set_max_mem_per_node },
        { "JobDefaults", set_job_defaults },
        { "PowerDownOnIdle", set_power_down_on_idle },
        { "DisableRootJobs", set_disable_root_jobs },
        { "ExclusiveUser", set_exclusive_user },
        { "LLN", set_lln },
        { "MaxCPUsPerNode", set_max_cpus },
        { "RootOnly", set_root_only },
        { "State", set_state },
        { "MaxTime", set_max_time },
        { "DefaultTime", set_default_time },
        { "PriorityTier", set_tier },
        { "PriorityJobFactor", set_job_factor },
        { "Priority", set_priority },
        { "MinNodes", set_min_nodes },
        { "MaxNodes", set_max_nodes },
        { "Nodes", set_nodes },
        { "Nodes+", add_nodes },
        { "Nodes-", remove_nodes },
        { "SuspendTime", set_suspend_time },
        { "SuspendTimeout", set_suspend_timeout },
        { "ResumeTimeout", set_resume_timeout },
        { "PreemptMode", set_preempt_mode },
        { "GraceTime", set_grace_time },
        { "OverTimeLimit", set_over_time },
        { "OverSubscribe", set_oversubscribe },
        { "Shared", set_oversubscribe },
        { "Hidden", set_hidden },
        { "TRESBillingWeights", set_billing },
};

static enum slumber_error change_partition(struct part_change *ch, const char *key) {
        for (size_t i = 0; i < ELEMENTSOF(part_keys); i++)
                if (strcasecmp(part_keys[i].key, key) == 0)
                        return part_keys[i].set(ch) < 0 ? SLUMBER_BAD_UPDATE : SLUMBER_OK;
        fail_set(ch->fail, -EOPNOTSUPP, "updating %s of a partition is not implemented yet", key);
        return SLUMBER_NOT_SUPPORTED;
}

static enum slumber_error create_partition(struct controller *ctl, struct partition *p) {
        cluster_partition_add(ctl->cluster, p, controller_now(ctl));
        acct_bind_all(ctl->cluster);
        return SLUMBER_OK;
}

static enum slumber_error remove_partition(struct controller *ctl, struct partition *p,
                struct fail *fail) {
        return cluster_partition_remove(ctl->cluster, p, controller_now(ctl), fail) < 0
                               ? SLUMBER_PARTITION_IN_USE
                               : SLUMBER_OK;
}

static void replace_partition(struct controller *ctl, struct partition *p,
                struct partition *changed) {
        bool same_charges = streq(strempty(p->qos_name), strempty(changed->qos_name)) &&
                            streq(strempty(p->billing_text), strempty(changed->billing_text));

        cluster_partition_take(ctl->cluster, p, changed, controller_now(ctl));
        if (!same_charges)
                acct_bind_all(ctl->cluster);
}

/* Which there is, or is to be; *ret_copy takes the settings. */
static enum slumber_error find_partition(const struct cluster *c, const Slumber__PartitionUpdate *m,
                struct partition **ret, struct partition **ret_copy, struct fail *fail) {
        if (m->create && m->remove)
                return SLUMBER_PROTOCOL; /* no command of ours */
        *ret = cluster_partition(c, m->name);
        if (m->create && !*ret && config_partition_name_ok(m->name))
                *ret_copy = partition_make(m->name, c->n_nodes);
        else if (!m->create && *ret)
                *ret_copy = partition_copy(*ret);
        else if (m->create && *ret)
                fail_set(fail, -EEXIST, "partition %s exists already", m->name);
        return *ret_copy ? SLUMBER_OK : SLUMBER_BAD_PARTITION;
}

void handle_partition_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__PartitionUpdate *m = env->partition_update;
        _cleanup_(partition_freep) struct partition *copy = NULL;
        struct partition *p = NULL;
        struct fail fail = { 0 };
        enum slumber_error e = find_partition(ctl->cluster, m, &p, &copy, &fail);

        for (size_t i = 0; e == SLUMBER_OK && i < m->n_settings; i++) {
                struct part_change ch = { ctl->cluster, copy, m->settings[i]->value, &fail };
                e = change_partition(&ch, m->settings[i]->key);
        }
        if (e == SLUMBER_OK && m->remove)
                e = remove_partition(ctl, p, &fail);
        else if (e == SLUMBER_OK && m->create)
                e = create_partition(ctl, TAKE(copy));
        else if (e == SLUMBER_OK)
                replace_partition(ctl, p, TAKE(copy));
        if (e == SLUMBER_OK) {
                if (m->create || m->remove)
                        log_info("Partition %s %s by uid %u", m->name,
                                        m->create ? "created" : "deleted", (unsigned)caller->uid);
                controller_changed(ctl);
        }
        reply_result(ctl, &caller->from, e, fail.text);
}

/* ---- the configuration ---- */

/* "SuspendExcNodes+" */
static int which_exclusion(const char *key, char *ret_op) {
        size_t length = strlen(key);
        bool sign = length && strchr("+-", key[length - 1]);

        *ret_op = sign ? key[length - 1] : '=';
        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                if (strncasecmp(exclude_kind_text(k), key, length - sign) == 0 &&
                                strlen(exclude_kind_text(k)) == length - sign)
                        return k;
        return -1;
}

static enum slumber_error check_settings(const struct cluster *c, const Slumber__ConfigUpdate *m,
                struct fail *fail) {
        unsigned seen = 0;

        for (size_t i = 0; i < m->n_settings; i++) {
                char op;
                int kind = which_exclusion(m->settings[i]->key, &op);
                if (kind < 0) {
                        fail_set(fail, -EOPNOTSUPP, "%.100s cannot be updated",
                                        m->settings[i]->key);
                        return SLUMBER_NOT_SUPPORTED;
                }
                /* the second is checked against what is there before the first */
                if (seen & 1u << kind) {
                        fail_set(fail, -EINVAL, "%s is given twice", exclude_kind_text(kind));
                        return SLUMBER_BAD_UPDATE;
                }
                seen |= 1u << kind;
                if (exclusions_check_update(c, (enum exclude_kind)kind, op, m->settings[i]->value,
                                    fail) < 0)
                        return SLUMBER_BAD_UPDATE;
        }
        return SLUMBER_OK;
}

void handle_config_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__ConfigUpdate *m = env->config_update;
        struct fail fail = { 0 };
        enum slumber_error e = check_settings(ctl->cluster, m, &fail);

        for (size_t i = 0; e == SLUMBER_OK && i < m->n_settings; i++) {
                char op;
                int kind = which_exclusion(m->settings[i]->key, &op);
                exclusions_update(ctl->cluster, (enum exclude_kind)kind, op, m->settings[i]->value,
                                controller_now(ctl));
                log_info("%s is %s now, by uid %u", exclude_kind_text(kind),
                                strna(ctl->cluster->exclusions.text[kind]), (unsigned)caller->uid);
        }
        controller_changed(ctl);
        reply_result(ctl, &caller->from, e, fail.text);
}

/* ---- the log ---- */

static int change_flag(const char *text, unsigned *flags, struct fail *fail) {
        _cleanup_free_ char *unused = NULL;
        unsigned changed;
        int r;

        if (*text != '+' && *text != '-')
                return fail_set(fail, -EINVAL, "setdebugflags takes +FLAG or -FLAG, not \"%.100s\"",
                                text);
        r = debug_flags_parse(text + 1, &changed, &unused, fail);
        if (r >= 0 && unused)
                r = fail_set(fail, -EOPNOTSUPP,
                                "debug flag %.200s is not implemented by Slumber yet", unused);
        if (r >= 0)
                *flags = *text == '+' ? *flags | changed : *flags & ~changed;
        return r;
}

static void set_dampening(struct controller *ctl, uint32_t factor) {
        struct config *config = ctl->cluster->config;
        char text[16];

        snprintf(text, sizeof text, "%u", factor);
        config->priority.dampening = factor;
        config_put_setting(config, "FairShareDampeningFactor", text);
        log_info("FairShareDampeningFactor is %u until the next start or reconfiguration", factor);
}

void handle_debug(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__DebugRequest *m = env->debug;
        unsigned flags = ctl->cluster->debug;
        struct fail fail = { 0 };
        int r = 0, level = *m->level ? log_level_parse(m->level) : log_level();

        for (size_t i = 0; i < m->n_flags && r >= 0; i++)
                r = change_flag(m->flags[i], &flags, &fail);
        if (r >= 0 && level < 0)
                r = fail_set(&fail, level, "there is no log level \"%.100s\"", m->level);
        if (r >= 0 && m->dampening_factor > UINT16_MAX)
                r = fail_set(&fail, -ERANGE, "FairShareDampeningFactor is more than %u",
                                UINT16_MAX);
        if (r < 0) {
                reply_result(ctl, &caller->from, SLUMBER_BAD_UPDATE, fail.text);
                return;
        }
        bool more = flags & ~ctl->cluster->debug;
        ctl->cluster->debug = flags;
        for (size_t k = 0; more && k < ctl->cluster->n_nodes; k++) /* there is more to tell of it */
                node_rearm(ctl->cluster, ctl->cluster->nodes[k], controller_now(ctl));
        if (more)
                controller_changed(ctl);
        ctl->usual_log_level = ctl->usual_log_level ? ctl->usual_log_level : log_level();
        log_set_level(level);
        if (m->dampening_factor)
                set_dampening(ctl, m->dampening_factor);
        _cleanup_free_ char *text = debug_flags_text(flags);
        log_info("The log's level is %s, DebugFlags are %s, by uid %u",
                        *m->level ? m->level : "as it was", text ? text : "none",
                        (unsigned)caller->uid);
        reply_result(ctl, &caller->from, SLUMBER_OK, NULL);
}

/* ---- reconfigure ---- */

void handle_reconfigure(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        controller_want_reconfigure(ctl, &caller->from);
}

/* ---- shutdown ---- */

/* Nothing is changed by it, so the answer leaves at once, and before a host's daemon that is to
   relay it stops. */
static int on_abort(sd_event_source *s, uint64_t usec, void *user) {
        abort();
}

void handle_shutdown(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        Slumber__AgentStop stop = SLUMBER__AGENT_STOP__INIT;
        Slumber__Ok ok = SLUMBER__OK__INIT;
        bool agents = env->shutdown->agents;

        if (env->shutdown->abort) {
                log_info("Aborting, as uid %u asks", (unsigned)caller->uid);
                ENVELOPE(done, OK, ok, &ok);
                reply_now(&caller->from, &done);
                int r = sd_event_add_time_relative(ctl->event, NULL, CLOCK_BOOTTIME, ABORT_PAUSE, 1,
                                on_abort, NULL);
                if (r < 0) { /* without the pause, a relay may not pass on the answer */
                        log_error(r, "Aborting at once: there is no timer: %m");
                        abort();
                }
                return;
        }
        log_info("Stopping%s, as uid %u asks", agents ? " with all agents" : "",
                        (unsigned)caller->uid);
        ENVELOPE(reply, OK, ok, &ok);
        reply_now(&caller->from, &reply);
        for (size_t i = 0; i < ctl->cluster->n_nodes && agents; i++) {
                ENVELOPE(order, AGENT_STOP, agent_stop, &stop);
                (void)agent_send(ctl, ctl->cluster->nodes[i], &order);
        }
        programs_wait(ctl);
}
