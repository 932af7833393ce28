/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PreemptMode and its words, their combination with PreemptType, and the words of
 * PreemptParameters, some of which were words of SchedulerParameters and SlurmctldParameters before
 * and are still read there. */
#include "lib/config/config_private.h"
#include "lib/wordlist.h"

/* seconds; the preemptor waits this long */
#define SUSPEND_GRACE_MAX 3600

/* Ways of stopping a victim: at most one in a mode. */
#define ACTIONS ((unsigned)(PREEMPT_SUSPEND | PREEMPT_CANCEL | PREEMPT_REQUEUE))

static const struct {
        const char *word;
        unsigned bit;
        bool alone; /* only one of these words is allowed */
} words[] = {
        { "OFF", 0, true },
        { "CLUSTER", 0, true },
        { "SUSPEND", PREEMPT_SUSPEND, true },
        { "ON", PREEMPT_SUSPEND, true },
        { "CANCEL", PREEMPT_CANCEL, true },
        { "REQUEUE", PREEMPT_REQUEUE, true },
        { "GANG", PREEMPT_GANG, false },
        { "WITHIN", PREEMPT_WITHIN, false },
        { "PRIORITY", PREEMPT_PRIORITY, false },
};

int preempt_mode_parse(const char *text, unsigned *ret, struct fail *fail) {
        unsigned mode = 0, alone = 0, seen = 0;

        assert(text);
        assert(ret);

        for_each_word(w, text, ",") {
                size_t i = 0;
                while (i < ELEMENTSOF(words) && strcasecmp(words[i].word, w) != 0)
                        i++;
                if (i == ELEMENTSOF(words))
                        return fail_set(fail, -EINVAL, "PreemptMode=%.100s invalid", text);
                mode |= words[i].bit;
                alone += words[i].alone;
                seen++;
        }
        if (seen == 0 || alone > 1 ||
                        ((mode & PREEMPT_GANG) && (mode & (PREEMPT_WITHIN | PREEMPT_PRIORITY))))
                return fail_set(fail, -EINVAL, "PreemptMode=%.100s invalid", text);
        *ret = mode;
        return 0;
}

/* Order of words as in Slurm. */
const char *preempt_mode_text(unsigned mode) {
#define WITH(bits, before)                                                                         \
        { (bits) | PREEMPT_SUSPEND, before ",SUSPEND" },                                           \
                        { (bits) | PREEMPT_CANCEL, before ",CANCEL" },                             \
                        { (bits) | PREEMPT_REQUEUE, before ",REQUEUE" }, {                         \
                (bits), before                                                                     \
        }
        static const struct {
                unsigned mode;
                const char *text;
        } texts[] = {
                { PREEMPT_OFF, "OFF" },
                { PREEMPT_SUSPEND, "SUSPEND" },
                { PREEMPT_CANCEL, "CANCEL" },
                { PREEMPT_REQUEUE, "REQUEUE" },
                WITH(PREEMPT_GANG, "GANG"),
                WITH(PREEMPT_WITHIN, "WITHIN"),
                WITH(PREEMPT_PRIORITY, "PRIORITY"),
                WITH(PREEMPT_WITHIN | PREEMPT_PRIORITY, "WITHIN,PRIORITY"),
        };
#undef WITH

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].mode == mode)
                        return texts[i].text;
        return "CLUSTER";
}

int preempt_mode_check_own(unsigned mode, unsigned cluster, struct fail *fail) {
        if (mode != PREEMPT_UNSET && (mode & PREEMPT_SUSPEND) && !(cluster & PREEMPT_GANG))
                return fail_set(fail, -EINVAL,
                                "PreemptMode=SUSPEND of a partition requires GANG in the PreemptMode of the cluster: it is what "
                                "lets suspended jobs go on");
        return 0;
}

static int check_modes(const struct config *config, struct fail *fail) {
        unsigned mode = config->preempt_mode;
        bool acts = mode & ACTIONS, none = config->preempt_type == PREEMPT_NONE;

        if ((mode & PREEMPT_SUSPEND) && !(mode & PREEMPT_GANG))
                return fail_set(fail, -EINVAL, "PreemptMode=SUSPEND requires GANG too");
        if (none ? (mode & ~(unsigned)PREEMPT_GANG) != 0 : !acts)
                return fail_set(fail, -EINVAL, "PreemptType and PreemptMode values incompatible");
        for (size_t i = 0; i < config->n_partitions; i++) {
                int r = preempt_mode_check_own(config->partitions[i].preempt_mode, mode, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "PartitionName=%s", config->partitions[i].name);
        }
        return 0;
}

/* True if PreemptParameters has word, or SchedulerParameters has its older form. */
static bool preempt_option_has(const struct config *config, const char *word, const char *old) {
        return option_has(config->preempt_parameters, word) ||
               option_has(config->scheduler_parameters, old);
}

/* Reads reorder_count; a negative one is a warning and counts as 1, as in Slurm. */
static int read_reorder_count(struct config *config, struct fail *fail) {
        bool here = option_has(config->preempt_parameters, "reorder_count");
        const char *key = here ? "PreemptParameters" : "SchedulerParameters",
                   *word = here ? "reorder_count" : "preempt_reorder_count",
                   *options = here ? config->preempt_parameters : config->scheduler_parameters;
        _cleanup_free_ char *negative = xasprintf("%s=-", word);
        const char *at = options ? strcasestr(options, negative) : NULL;

        if (at && (at == options || at[-1] == ',')) {
                config_warn(config, config->path, 0, "%s: a negative %s counts as 1", key, word);
                config->preempt.reorder_count = 1;
                return 0;
        }
        int r = option_uint(options, word, UINT16_MAX, 1, &config->preempt.reorder_count, fail);
        return r < 0 ? fail_prefix(fail, r, "%s", key) : 0;
}

static int read_parameters(struct config *config, struct fail *fail) {
        uint32_t delay, grace;
        int r = option_uint(config->preempt_parameters, "min_exempt_priority", UINT32_MAX - 2,
                        UINT32_MAX, &config->preempt.min_exempt_priority, fail);

        if (r >= 0)
                r = option_uint(config->preempt_parameters, "suspend_grace_time", SUSPEND_GRACE_MAX,
                                0, &grace, fail);
        if (r < 0)
                return fail_prefix(fail, r, "PreemptParameters");
        config->preempt.suspend_grace = grace * USEC_PER_SEC;
        r = option_uint(config->scheduler_parameters, "requeue_delay", 365 * 24 * 3600, 0, &delay,
                        fail);
        if (r < 0)
                return fail_prefix(fail, r, "SchedulerParameters");
        config->requeue_delay = delay * USEC_PER_SEC;
        config->preempt.strict_order = preempt_option_has(config, "strict_order",
                        "preempt_strict_order");
        config->preempt.youngest_first = preempt_option_has(config, "youngest_first",
                        "preempt_youngest_first");
        config->preempt.reclaim_licenses = option_has(config->preempt_parameters,
                        "reclaim_licenses");
        config->preempt.send_user_signal = option_has(config->preempt_parameters,
                                                           "send_user_signal") ||
                                           option_has(config->slurmctld_parameters,
                                                           "preempt_send_user_signal");
        return read_reorder_count(config, fail);
}

/* ---- partitions whose jobs would never be suspended ---- */

static bool have_a_node_in_common(const struct config_partition *p,
                const struct config_partition *q) {
        bool swap = hostlist_count(q->nodes) < hostlist_count(p->nodes);
        const struct hostlist *few = swap ? q->nodes : p->nodes, *many = swap ? p->nodes : q->nodes;

        for (size_t i = 0; i < hostlist_count(few); i++)
                if (hostlist_has(many, hostlist_get(few, i)))
                        return true;
        return false;
}

static bool partition_suspends(const struct config *config, const struct config_partition *p) {
        return (p->preempt_mode == PREEMPT_UNSET ? config->preempt_mode : p->preempt_mode) &
               PREEMPT_SUSPEND;
}

/* Returns a partition whose jobs p's jobs would suspend but for OverSubscribe; with victim, a
   partition whose jobs would suspend p's. */
static const struct config_partition *other_side(const struct config *config,
                const struct config_partition *p, bool victim) {
        for (size_t i = 0; i < config->n_partitions; i++) {
                const struct config_partition *q = &config->partitions[i], *low = victim ? p : q,
                                              *high = victim ? q : p;
                if (low->priority_tier < high->priority_tier && partition_suspends(config, low) &&
                                have_a_node_in_common(p, q))
                        return q;
        }
        return NULL;
}

/* Warns of a condition of share_cores() (preempt/rules.c), without which jobs wait for no visible
   reason. */
static void hint_at_oversubscribe(struct config *config) {
        static const char *const shown[] = {
                [OVERSUBSCRIBE_NO] = "NO its jobs",
                [OVERSUBSCRIBE_EXCLUSIVE] = "EXCLUSIVE its jobs",
                [OVERSUBSCRIBE_YES] = "YES its jobs without --oversubscribe",
        };

        for (size_t i = 0; i < config->n_partitions; i++) {
                const struct config_partition *p = &config->partitions[i], *q;
                if (p->oversubscribe != OVERSUBSCRIBE_FORCE && (q = other_side(config, p, true)))
                        config_warn(config, config->path, 0,
                                        "PartitionName=%s: with OverSubscribe=%s cannot be suspended for those of %s: "
                                        "set OverSubscribe=FORCE:1 (or PreemptMode=OFF, if they are not to be)",
                                        p->name, shown[p->oversubscribe], q->name);
                if (p->oversubscribe == OVERSUBSCRIBE_EXCLUSIVE &&
                                (q = other_side(config, p, false)))
                        config_warn(config, config->path, 0,
                                        "PartitionName=%s: with OverSubscribe=EXCLUSIVE its jobs cannot suspend those of %s: "
                                        "set another, its jobs may ask for whole nodes by --exclusive",
                                        p->name, q->name);
        }
}

int config_preempt(struct config *config, struct fail *fail) {
        int r = check_modes(config, fail);

        if (r >= 0)
                r = read_parameters(config, fail);
        if (r >= 0 && config->preempt_type == PREEMPT_PARTITION_PRIO &&
                        config->select_type != SELECT_LINEAR)
                hint_at_oversubscribe(config);
        return r;
}
