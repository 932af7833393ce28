/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update PartitionName=: a table row for each key.  Settings are made in a copy, so that
 * all settings are applied or no setting is. */
#include "controller/updates/partition_update.h"

#include "controller/accounts/qos.h"
#include "controller/indexes/rank.h"
#include "controller/model/partition.h"
#include "lib/timetext.h"

#include <strings.h>

struct part_change {
        const struct cluster *c;
        struct partition *p; /* the copy */
        const struct part_key *key;
        const char *value;
        struct fail *fail;
};

struct part_key {
        const char *name;
        size_t least;                             /* minimum number of letters */
        int (*set)(const struct part_change *ch); /* -errno with fail */
        size_t field, other;                      /* offsets in struct partition, for set() */
};

static void *part_key_field(const struct part_change *ch) {
        return (char *)ch->p + ch->key->field;
}

static const char *part_text_value(const struct part_change *ch) {
        return isempty(ch->value) ? NULL : ch->value;
}

/* "UNLIMITED" leaves *ret unchanged. */
static bool is_limit(const struct part_change *ch, uint64_t min, uint64_t max, uint64_t *ret) {
        return strcasecmp(ch->value, "UNLIMITED") == 0 || uint_parse(ch->value, min, max, ret) >= 0;
}

/* ---- values of common kinds ---- */

static int set_bool(const struct part_change *ch) {
        bool yes = strcasecmp(ch->value, "YES") == 0;

        if (!yes && strcasecmp(ch->value, "NO") != 0)
                return fail_set(ch->fail, -EINVAL, "%s=%s: YES or NO was expected", ch->key->name,
                                ch->value);
        *(bool *)part_key_field(ch) = yes;
        return 0;
}

static int part_set_list(const struct part_change *ch) {
        partition_set_list(part_key_field(ch), ch->value);
        return 0;
}

/* Sets the second field, too. */
static int set_rank(const struct part_change *ch) {
        uint64_t v;

        if (uint_parse(ch->value, 0, 65533, &v) < 0)
                return fail_set(ch->fail, -EINVAL, "%s=%s: 0 to 65533 was expected", ch->key->name,
                                ch->value);
        *(uint32_t *)part_key_field(ch) = (uint32_t)v;
        *(uint32_t *)(void *)((char *)ch->p + ch->key->other) = (uint32_t)v;
        return 0;
}

static int part_set_node_count(const struct part_change *ch) {
        uint64_t v = UINT32_MAX;

        if (!is_limit(ch, 0, UINT32_MAX - 1, &v))
                return fail_set(ch->fail, -EINVAL, "\"%s\" is not a number of nodes", ch->value);
        *(uint32_t *)part_key_field(ch) = (uint32_t)v;
        return 0;
}

/* Sets a field of a pair and clears the second field. */
static int part_set_memory(const struct part_change *ch) {
        uint64_t mb = 0;

        if (!is_limit(ch, 0, UINT64_C(1) << 40, &mb))
                return fail_set(ch->fail, -EINVAL, "\"%s\" is not a number of megabytes",
                                ch->value);
        *(uint64_t *)part_key_field(ch) = mb;
        *(uint64_t *)(void *)((char *)ch->p + ch->key->other) = 0;
        return 0;
}

/* ---- values of particular keys ---- */

static int part_set_state(const struct part_change *ch) {
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

static int set_suspend_time(const struct part_change *ch) {
        return suspend_time_parse(ch->value, &ch->p->suspend_time, ch->fail);
}

static int set_suspend_timeout(const struct part_change *ch) {
        usec_t t = 0;
        int r = seconds_parse(ch->value, &t, ch->fail);

        if (r < 0)
                return r;
        if (t > 65533 * USEC_PER_SEC) /* like in slurm.conf: powering down must end */
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

static int part_set_oversubscribe(const struct part_change *ch) {
        return oversubscribe_parse(ch->value, &ch->p->oversubscribe, &ch->p->oversubscribe_max,
                        ch->fail);
}

/* Overrides the values of the older keys. */
static int part_set_exclusive(const struct part_change *ch) {
        struct partition *p = ch->p;
        int r = partition_exclusive_parse(ch->value, &p->exclusive, ch->fail);

        if (r < 0)
                return r;
        p->exclusive_user = p->exclusive == EXCLUSIVE_USER;
        if (p->exclusive != EXCLUSIVE_NODE && p->oversubscribe != OVERSUBSCRIBE_EXCLUSIVE)
                return 0;
        p->oversubscribe = p->exclusive == EXCLUSIVE_NODE ? OVERSUBSCRIBE_EXCLUSIVE
                                                          : OVERSUBSCRIBE_NO;
        p->oversubscribe_max = 1;
        return 0;
}

static int set_job_defaults(const struct part_change *ch) {
        return job_defaults_parse(ch->value, &ch->p->def_cpu_per_gpu, &ch->p->def_mem_per_gpu,
                        ch->fail);
}

static int set_max_cpus(const struct part_change *ch) {
        uint64_t v = UINT32_MAX;

        if (!is_limit(ch, 1, UINT32_MAX - 1, &v))
                return fail_set(ch->fail, -EINVAL,
                                "MaxCPUsPerNode=%s: a number of CPUs or UNLIMITED was expected",
                                ch->value);
        ch->p->max_cpus_per_node = (uint32_t)v;
        return 0;
}

static int set_over_time(const struct part_change *ch) {
        if (strcasecmp(ch->value, "NONE") ==
                        0) /* the displayed word: the cluster's value applies */
                ch->p->over_time = TIME_UNSET;
        else if (limit_parse(ch->value, &ch->p->over_time, NULL) < 0)
                return fail_set(ch->fail, -EINVAL,
                                "OverTimeLimit=%s: minutes, UNLIMITED or NONE was expected",
                                ch->value);
        return 0;
}

static int part_set_qos(const struct part_change *ch) {
        if (*ch->value && !qos_find(&ch->c->acct, ch->value))
                return fail_set(ch->fail, -EINVAL, "%s", slumber_error_text(SLUMBER_BAD_QOS));
        free_and_strdup(&ch->p->qos_name, part_text_value(ch));
        return 0; /* bound when applied */
}

static int set_billing(const struct part_change *ch) {
        int r = billing_parse(&ch->c->acct.tres, ch->value, &ch->p->billing, ch->fail);

        if (r >= 0)
                free_and_strdup(&ch->p->billing_text, part_text_value(ch));
        return r;
}

/* ---- nodes ---- */

static int set_alloc_nodes(const struct part_change *ch) {
        return partition_set_alloc_nodes(ch->p, ch->value, ch->fail);
}

static int part_parse_nodes(const struct part_change *ch, struct bitset **ret) {
        if (!isempty(ch->value))
                return cluster_nodes_parse(ch->c, ch->value, ret, ch->fail);
        *ret = bitset_new(ch->c->n_nodes); /* none */
        return 0;
}

static int part_set_nodes(const struct part_change *ch) {
        struct bitset *nodes = NULL;
        int r = part_parse_nodes(ch, &nodes);

        if (r < 0)
                return r;
        bitset_free(ch->p->nodes);
        ch->p->nodes = nodes;
        free_and_strdup(&ch->p->nodes_text, part_text_value(ch));
        return 0;
}

static int change_nodes(const struct part_change *ch, bool add) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        int r = part_parse_nodes(ch, &nodes);

        if (r < 0)
                return r;
        bitset_for_each(i, nodes)
                bitset_put(ch->p->nodes, i, add);
        free(ch->p->nodes_text); /* replaced by the actual list */
        ch->p->nodes_text = cluster_nodes_text(ch->c, ch->p->nodes);
        return 0;
}

static int part_add_nodes(const struct part_change *ch) {
        return change_nodes(ch, true);
}

static int remove_nodes(const struct part_change *ch) {
        return change_nodes(ch, false);
}

/* ---- the table ---- */

#define ONE(member)        offsetof(struct partition, member), offsetof(struct partition, member)
#define TWO(member, other) offsetof(struct partition, member), offsetof(struct partition, other)
#define OWN                0, 0
/* clang-format off */
static const struct part_key part_keys[] = {
        { "AllocNodes", 6, set_alloc_nodes, OWN },
        { "AllowAccounts", 6, part_set_list, ONE(allow_accounts) },
        { "AllowGroups", 6, part_set_list, ONE(allow_groups) },
        { "AllowQos", 6, part_set_list, ONE(allow_qos) },
        { "Default", 1, set_bool, ONE(is_default) },
        { "DefaultTime", 8, set_default_time, OWN },
        { "DefMemPerCPU", 10, part_set_memory, TWO(def_mem_per_cpu, def_mem_per_node) },
        { "DefMemPerNode", 10, part_set_memory, TWO(def_mem_per_node, def_mem_per_cpu) },
        { "DenyAccounts", 5, part_set_list, ONE(deny_accounts) },
        { "DenyQos", 5, part_set_list, ONE(deny_qos) },
        { "DisableRootJobs", 1, set_bool, ONE(disable_root_jobs) },
        { "Exclusive", 9, part_set_exclusive, OWN },
        { "ExclusiveUser", 1, set_bool, ONE(exclusive_user) },
        { "GraceTime", 5, set_grace_time, OWN },
        { "Hidden", 1, set_bool, ONE(hidden) },
        { "JobDefaults", 4, set_job_defaults, OWN },
        { "LLN", 1, set_bool, ONE(lln) },
        { "MaxCPUsPerNode", 4, set_max_cpus, OWN },
        { "MaxMemPerCPU", 10, part_set_memory, TWO(max_mem_per_cpu, max_mem_per_node) },
        { "MaxMemPerNode", 10, part_set_memory, TWO(max_mem_per_node, max_mem_per_cpu) },
        { "MaxNodes", 4, part_set_node_count, ONE(max_nodes) },
        { "MaxTime", 4, set_max_time, OWN },
        { "MinNodes", 2, part_set_node_count, ONE(min_nodes) },
        { "Nodes", 1, part_set_nodes, OWN },
        { "Nodes+", 6, part_add_nodes, OWN },
        { "Nodes-", 6, remove_nodes, OWN },
        { "OverSubscribe", 5, part_set_oversubscribe, OWN },
        { "OverTimeLimit", 5, set_over_time, OWN },
        { "PowerDownOnIdle", 2, set_bool, ONE(power_down_on_idle) },
        { "PreemptMode", 3, set_preempt_mode, OWN },
        { "Priority", 3, set_rank, TWO(priority_tier, priority_job_factor) },
        { "PriorityJobFactor", 9, set_rank, ONE(priority_job_factor) },
        { "PriorityTier", 9, set_rank, ONE(priority_tier) },
        { "QOS", 1, part_set_qos, OWN },
        { "ResumeTimeout", 3, set_resume_timeout, OWN },
        { "RootOnly", 3, set_bool, ONE(root_only) },
        { "Shared", 2, part_set_oversubscribe, OWN },
        { "State", 2, part_set_state, OWN },
        { "SuspendTime", 2, set_suspend_time, OWN },
        { "SuspendTimeout", 12, set_suspend_timeout, OWN },
        { "TRESBillingWeights", 1, set_billing, OWN },
};
/* clang-format on */
#undef ONE
#undef TWO
#undef OWN

/* "Nodes+" is a separate key: the sign is no letter of a shortened word. */
static bool part_key_matches(const struct part_key *key, const char *word) {
        size_t n = strlen(word);

        return n >= key->least && n <= strlen(key->name) && strncasecmp(key->name, word, n) == 0;
}

static enum slumber_error set_key(struct part_change *ch, const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(part_keys); i++) {
                ch->key = &part_keys[i];
                if (part_key_matches(ch->key, word))
                        return ch->key->set(ch) < 0 ? SLUMBER_BAD_UPDATE : SLUMBER_OK;
        }
        fail_set(ch->fail, -EOPNOTSUPP, "updating %s of a partition is not implemented yet", word);
        return SLUMBER_NOT_SUPPORTED;
}

static enum slumber_error part_set_all(const struct cluster *c, struct partition *p,
                const struct update_setting *settings, size_t n, struct fail *fail) {
        enum slumber_error e = SLUMBER_OK;

        for (size_t i = 0; e == SLUMBER_OK && i < n; i++) {
                struct part_change ch = { .c = c,
                        .p = p,
                        .value = settings[i].value,
                        .fail = fail };
                e = set_key(&ch, settings[i].key);
        }
        return e;
}

enum slumber_error partition_create(struct cluster *c, const char *name,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail) {
        _cleanup_(partition_freep) struct partition *p = NULL;

        if (cluster_partition(c, name)) {
                fail_set(fail, -EEXIST, "partition %s exists already", name);
                return SLUMBER_BAD_PARTITION;
        }
        if (!config_partition_name_ok(name))
                return SLUMBER_BAD_PARTITION;
        p = partition_make(name, c->n_nodes);
        enum slumber_error e = part_set_all(c, p, settings, n, fail);
        if (e == SLUMBER_OK) {
                cluster_partition_add(c, TAKE(p), now);
                acct_bind_all(c);
        }
        return e;
}

enum slumber_error partition_update(struct cluster *c, const char *name,
                const struct update_setting *settings, size_t n, usec_t now, struct fail *fail) {
        struct partition *p = cluster_partition(c, name);
        _cleanup_(partition_freep) struct partition *copy = p ? partition_copy(p) : NULL;
        enum slumber_error e = p ? part_set_all(c, copy, settings, n, fail) : SLUMBER_BAD_PARTITION;

        if (e != SLUMBER_OK)
                return e;
        bool same_charges = streq(strempty(p->qos_name), strempty(copy->qos_name)) &&
                            streq(strempty(p->billing_text), strempty(copy->billing_text));
        cluster_partition_take(c, p, TAKE(copy), now);
        if (!same_charges)
                acct_bind_all(c);
        return SLUMBER_OK;
}

enum slumber_error partition_delete(struct cluster *c, const char *name, usec_t now,
                struct fail *fail) {
        struct partition *p = cluster_partition(c, name);

        if (!p)
                return SLUMBER_BAD_PARTITION;
        return cluster_partition_remove(c, p, now, fail) < 0 ? SLUMBER_PARTITION_IN_USE
                                                             : SLUMBER_OK;
}
