/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/partition.h"

#include <strings.h>

static const char *const words[] = {
        [PARTITION_INACTIVE] = "INACTIVE",
        [PARTITION_DOWN] = "DOWN",
        [PARTITION_DRAIN] = "DRAIN",
        [PARTITION_UP] = "UP",
};

enum partition_exclusive partition_exclusive_now(const struct partition *p) {
        if (p->exclusive == EXCLUSIVE_UNSAID)
                return EXCLUSIVE_UNSAID;
        return p->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE ? EXCLUSIVE_NODE
               : p->exclusive_user                         ? EXCLUSIVE_USER
                                                           : EXCLUSIVE_NO;
}

const char *partition_state_text(unsigned state) {
        assert(state < ELEMENTSOF(words));
        return words[state];
}

int partition_state_parse(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcasecmp(words[i], word) == 0)
                        return (int)i;
        return -EINVAL;
}

/* ---- access ---- */

static bool partition_list_has(const char *list, const char *word,
                int (*compare)(const char *, const char *, size_t)) {
        size_t length = strlen(word);

        for (const char *p = list; *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                if (n == length && compare(p, word, n) == 0)
                        return true;
                p += n;
        }
        return false;
}

static bool partition_takes_user(const struct partition *p, const struct submitter *submitter) {
        if (!p->allow_groups || submitter->uid == 0)
                return true;
        if (submitter->group && partition_list_has(p->allow_groups, submitter->group, strncmp))
                return true;
        for (size_t i = 0; i < submitter->n_groups; i++)
                if (partition_list_has(p->allow_groups, submitter->groups[i], strncmp))
                        return true;
        return false;
}

/* DenyAccounts is ignored if AllowAccounts is set, as in Slurm. */
bool partition_takes_account(const struct partition *p, const char *account) {
        if (p->allow_accounts)
                return account && partition_list_has(p->allow_accounts, account, strncasecmp);
        return !p->deny_accounts || !account ||
               !partition_list_has(p->deny_accounts, account, strncasecmp);
}

bool partition_takes_qos(const struct partition *p, const char *qos) {
        if (p->allow_qos)
                return qos && partition_list_has(p->allow_qos, qos, strncasecmp);
        return !p->deny_qos || !qos || !partition_list_has(p->deny_qos, qos, strncasecmp);
}

enum slumber_error partition_admits(const struct partition *p, const struct submitter *submitter,
                const char *account) {
        if (!(p->state & PARTITION_SUBMIT))
                return SLUMBER_PARTITION_DOWN;
        if (p->root_only && submitter->uid != 0)
                return SLUMBER_ACCESS_DENIED;
        if (p->disable_root_jobs && submitter->uid == 0)
                return SLUMBER_BAD_USER;
        if (!partition_takes_user(p, submitter))
                return SLUMBER_GROUP_NOT_PERMITTED;
        if (p->alloc_hosts && submitter->host && !hostlist_has(p->alloc_hosts, submitter->host))
                return SLUMBER_ACCESS_DENIED;
        return partition_takes_account(p, account) ? SLUMBER_OK : SLUMBER_BAD_ACCOUNT;
}

void partition_set_list(char **field, const char *list) {
        free_and_strdup(field, isempty(list) || strcasecmp(list, "ALL") == 0 ? NULL : list);
}

int partition_set_alloc_nodes(struct partition *p, const char *list, struct fail *fail) {
        struct hostlist *hosts = NULL;
        bool all = isempty(list) || strcasecmp(list, "ALL") == 0;

        if (!all) {
                int r = hostlist_parse(list, &hosts, fail);
                if (r < 0)
                        return r;
        }
        hostlist_free(p->alloc_hosts);
        p->alloc_hosts = hosts;
        free_and_strdup(&p->alloc_nodes, all ? NULL : list);
        return 0;
}

/* Texts owned by a partition: partition_copy() and partition_free() handle each. */
static const size_t texts[] = {
        offsetof(struct partition, name),
        offsetof(struct partition, allow_groups),
        offsetof(struct partition, allow_accounts),
        offsetof(struct partition, deny_accounts),
        offsetof(struct partition, allow_qos),
        offsetof(struct partition, deny_qos),
        offsetof(struct partition, qos_name),
        offsetof(struct partition, alloc_nodes),
        offsetof(struct partition, billing_text),
        offsetof(struct partition, nodes_text),
        offsetof(struct partition, topology_name),
};

static char **partition_text_at(struct partition *p, size_t offset) {
        return (char **)(void *)((char *)p + offset);
}

struct partition *partition_make(const char *name, size_t n_nodes) {
        struct partition *p = xnew0(struct partition, 1);

        p->name = xstrdup(name);
        p->nodes = bitset_new(n_nodes);
        p->state = PARTITION_UP;
        p->max_time = NO_LIMIT;
        p->priority_tier = p->priority_job_factor = 1;
        p->max_nodes = p->max_cpus_per_node = UINT32_MAX;
        p->preempt_mode = PREEMPT_UNSET;
        p->suspend_time = p->suspend_timeout = p->resume_timeout = p->over_time = TIME_UNSET;
        p->created = true;
        return p;
}

struct partition *partition_copy(const struct partition *p) {
        struct partition *copy = xnew0(struct partition, 1);

        *copy = *p;
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                *partition_text_at(copy, texts[i]) = xstrdup(*partition_text_at(copy, texts[i]));
        copy->nodes = bitset_copy(p->nodes);
        copy->kinds = xnew(struct node_kind, p->n_kinds);
        for (size_t i = 0; i < p->n_kinds; i++)
                copy->kinds[i] = p->kinds[i];
        copy->alloc_hosts = NULL;
        int r = p->alloc_nodes ? hostlist_parse(p->alloc_nodes, &copy->alloc_hosts, NULL) : 0;
        assert(r >= 0); /* parsed before */
        return copy;
}

struct partition *partition_free(struct partition *p) {
        if (!p)
                return NULL;
        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                free(*partition_text_at(p, texts[i]));
        bitset_free(p->nodes);
        free(p->kinds);
        hostlist_free(p->alloc_hosts);
        free(p);
        return NULL;
}
