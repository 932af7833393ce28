/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies settings in the given order; then the cluster reacts once, as after a reconfigure: a
 * changed rate starts without tokens. SuspendExc* use the code of scontrol update, so that earlier
 * changes by scontrol remain in effect. */
#include "sim/what_if.h"

#include "controller/indexes/changed.h"
#include "sim/plan.h"

#include <strings.h>

static const char *const keys[] = { "SuspendTime", "SuspendTimeout", "ResumeTimeout", "SuspendRate",
        "ResumeRate", "SuspendProgram", "ResumeProgram", "power_save_interval",
        "power_save_min_interval", "max_powered_nodes", "idle_on_node_suspend" };
/* Not run in the simulation. */
static const char *const programs[] = { "SuspendProgram", "ResumeProgram" };
static const char *const partition_keys[] = {
        "SuspendTime",
        "SuspendTimeout",
        "ResumeTimeout",
        "PowerDownOnIdle",
};

static bool keys_have(const char *const *list, size_t n, const char *word) {
        for (size_t i = 0; i < n; i++)
                if (strcasecmp(list[i], word) == 0)
                        return true;
        return false;
}

static int key_refuse(const char *key, const char *const *list, size_t n, const char *more,
                struct fail *fail) {
        _cleanup_free_ char *words = xstrdup(more);

        for (size_t i = n; i-- > 0;) {
                _cleanup_free_ char *rest = words;
                words = xasprintf("%s%s%s", list[i], *rest ? ", " : "", rest);
        }
        return fail_set(fail, -ENOENT,
                        "\"%.100s\" is not a setting of power saving; expected one of %s", key,
                        words);
}

/* Changes one partition; scontrol's changes of other partitions remain. */
static int what_if_set_partition(struct cluster *c, const char *name, const char *key,
                const char *value, struct fail *fail) {
        struct partition *p = cluster_partition(c, name);
        struct config_partition cp = { 0 }; /* the partition may be missing in slurm.conf */

        if (!p)
                return fail_set(fail, -ENOENT, "there is no partition \"%.100s\"", name);
        if (!keys_have(partition_keys, ELEMENTSOF(partition_keys), key))
                return key_refuse(key, partition_keys, ELEMENTSOF(partition_keys), "", fail);
        cp.suspend_time = p->suspend_time;
        cp.suspend_timeout = p->suspend_timeout;
        cp.resume_timeout = p->resume_timeout;
        cp.power_down_on_idle = p->power_down_on_idle;
        int r = config_partition_change(&cp, key, value, fail);
        if (r < 0)
                return r;
        p->suspend_time = cp.suspend_time;
        p->suspend_timeout = cp.suspend_timeout;
        p->resume_timeout = cp.resume_timeout;
        p->power_down_on_idle = cp.power_down_on_idle;
        return 0;
}

/* Changes an exclusion. -ENOENT without fail: another key. */
static int set_exclusion(struct cluster *c, const char *key, const char *value, usec_t now,
                struct fail *fail) {
        size_t n = strlen(key);
        char op = n && strchr("+-", key[n - 1]) ? key[n - 1] : '=';
        _cleanup_free_ char *name = xstrndup(key, op == '=' ? n : n - 1);

        for (int k = 0; k < EXCLUDE_KIND_MAX; k++) {
                if (strcasecmp(exclude_kind_text(k), name) != 0)
                        continue;
                int r = exclusions_check_update(c, (enum exclude_kind)k, op, value, fail);
                if (r >= 0)
                        exclusions_update(c, (enum exclude_kind)k, op, value, now);
                return r < 0 ? -EINVAL : 0;
        }
        return -ENOENT;
}

/* Changes a setting. Sentences of exclude.c already name the key. */
static int what_if_set(struct cluster *c, const struct what_if *w, usec_t now, struct fail *fail) {
        const char *dot = strrchr(w->key, '.');
        _cleanup_free_ char *partition = dot ? xstrndup(w->key, (size_t)(dot - w->key)) : NULL;
        int r = set_exclusion(c, w->key, w->value, now, fail);

        if (r != -ENOENT)
                return r;
        if (partition)
                r = what_if_set_partition(c, partition, dot + 1, w->value, fail);
        else if (!keys_have(keys, ELEMENTSOF(keys), w->key))
                return key_refuse(w->key, keys, ELEMENTSOF(keys),
                                "SuspendExcNodes, SuspendExcParts, SuspendExcStates, PARTITION.SuspendTime, "
                                "PARTITION.SuspendTimeout, PARTITION.ResumeTimeout, PARTITION.PowerDownOnIdle",
                                fail);
        else if (keys_have(programs, ELEMENTSOF(programs), w->key) && w->value[0] != '/')
                r = fail_set(fail, -EINVAL, "%.100s is not an absolute path", w->value);
        else
                r = config_change(c->config, w->key, w->value, fail);
        return r < 0 ? fail_prefix(fail, r, "%.100s", w->key) : 0;
}

int what_if_apply(struct cluster *c, const struct what_if *settings, size_t n, usec_t now,
                struct fail *fail) {
        for (size_t i = 0; i < n; i++) {
                int r = what_if_set(c, &settings[i], now, fail);
                if (r < 0)
                        return r;
        }
        if (n)
                cluster_power_changed(c, now);
        return 0;
}
