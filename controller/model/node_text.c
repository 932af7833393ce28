/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts for a node's state, joined from the three fields for display only. */
#include "controller/model/job.h"
#include "controller/model/node.h"
#include "controller/model/reservation.h"
#include "controller/model/spec.h"

static const char *const power_words[] = {
        [NODE_ON] = "ON",
        [NODE_POWERING_DOWN] = "POWERING_DOWN",
        [NODE_POWERED_DOWN] = "POWERED_DOWN",
        [NODE_POWERING_UP] = "POWERING_UP",
};
_Static_assert(ELEMENTSOF(power_words) == NODE_POWER_MAX, "a power state without a word");
DEFINE_STRTAB(node_power, power_words)

static const char *const base_words[] = {
        [NODE_UNKNOWN] = "UNKNOWN",
        [NODE_DOWN] = "DOWN",
        [NODE_IDLE] = "IDLE",
        [NODE_FUTURE] = "FUTURE",
};
_Static_assert(ELEMENTSOF(base_words) == NODE_BASE_MAX, "a base state without a word");
DEFINE_STRTAB(node_base, base_words)

static const char *const event_words[] = {
        [NODE_SUSPENDED] = "suspended",
        [NODE_SETTLED] = "settled",
        [NODE_RESUMED] = "resumed",
        [NODE_REGISTERED] = "registered",
        [NODE_BOOT_EXPIRED] = "boot-expired",
        [NODE_SUSPEND_FAILED] = "suspend-failed",
        [NODE_BOOT_FAILED] = "boot-failed",
        [NODE_SWITCHED_ON] = "switched-on",
        [NODE_GIVEN_UP] = "given-up",
        [NODE_TAKEN_FOR_ON] = "taken-for-on",
};
_Static_assert(ELEMENTSOF(event_words) == NODE_EVENT_MAX, "an event without a word");
DEFINE_STRTAB(node_event, event_words)

/* The base state combined with the node's jobs. */
enum shown {
        SHOWN_UNKNOWN,
        SHOWN_DOWN,
        SHOWN_IDLE,
        SHOWN_FUTURE,
        SHOWN_ALLOCATED,
        SHOWN_MIXED,
};

/* CPUs of jobs that are not completing: a node whose last job is completing is shown as COMPLETING,
   not ALLOCATED. */
static uint32_t cpus_in_use(const struct node *n) {
        uint32_t over = 0;

        for (size_t i = 0; i < n->n_jobs; i++) {
                const struct job_node *jn = n->jobs[i]->completing ? job_node_find(n->jobs[i], n)
                                                                   : NULL;
                over += jn ? jn->cpus : 0;
        }
        return n->cpus_used > over ? n->cpus_used - over : 0;
}

static enum shown shown_base(const struct node *n) {
        if (n->base != NODE_IDLE)
                return (enum shown)n->base;
        uint32_t used = n->cpus_used ? cpus_in_use(n) : 0;
        if (used >= node_job_cpus(n))
                return SHOWN_ALLOCATED;
        return used ? SHOWN_MIXED : SHOWN_IDLE;
}

unsigned node_health_states(const struct node *n) {
        enum shown shown = shown_base(n);

        return shown == SHOWN_ALLOCATED ? HEALTH_BUSY | HEALTH_ALLOC
               : shown == SHOWN_MIXED   ? HEALTH_BUSY | HEALTH_MIXED
               : shown != SHOWN_IDLE    ? 0
               : node_is_completing(n) || n->flags & NODE_DRAIN
                               ? HEALTH_IDLE
                               : HEALTH_IDLE | HEALTH_NONDRAINED_IDLE;
}

/* A boot that a forced POWER_DOWN will end is not shown. */
static bool node_shows_boot(const struct node *n) {
        /* rebooted for a job's features */
        if (n->flags & NODE_REBOOT_ISSUED && n->base == NODE_IDLE)
                return true;
        return n->power == NODE_POWERING_UP && !(n->flags & NODE_POWER_FORCED);
}

/* Like Slurm, ALLOCATED nodes and nodes out of service are not shown as planned. */
static bool is_planned(const struct node *n, enum shown shown) {
        return n->planned && (shown == SHOWN_IDLE || shown == SHOWN_MIXED) &&
               !node_is_out_of_service(n);
}

static bool in_maintenance(const struct node *n) {
        return n->resv && n->resv->flags & RESV_MAINT;
}

char *node_state_text(const struct node *n) {
        static const char *const words[] = {
                "UNKNOWN",
                "DOWN",
                "IDLE",
                "FUTURE",
                "ALLOCATED",
                "MIXED",
        };
        /* Sorted as printed by scontrol. */
        const struct {
                bool set;
                const char *word;
        } flags[] = {
                { n->flags & NODE_CLOUD, "CLOUD" },
                { node_is_completing(n), "COMPLETING" },
                { n->flags & NODE_DRAIN, "DRAIN" },
                { n->flags & NODE_DYNAMIC_FUTURE, "DYNAMIC_FUTURE" },
                { n->dynamic, "DYNAMIC_NORM" },
                { n->flags & NODE_INVALID_REG, "INVALID_REG" },
                { n->flags & NODE_FAIL, "FAIL" },
                { in_maintenance(n), "MAINTENANCE" },
                { n->flags & NODE_POWER_DOWN_WANTED, "POWER_DOWN" },
                { n->flags & NODE_POWER_UP_WANTED, "POWER_UP" },
                { n->power == NODE_POWERED_DOWN, "POWERED_DOWN" },
                { n->flags & NODE_REBOOT_WANTED, "REBOOT_REQUESTED" },
                { n->flags & NODE_REBOOT_ISSUED, "REBOOT_ISSUED" },
                { n->resv && !in_maintenance(n), "RESERVED" },
                { n->flags & NODE_NOT_RESPONDING, "NOT_RESPONDING" },
                { is_planned(n, shown_base(n)), "PLANNED" },
                { node_shows_boot(n), "POWERING_UP" },
                { n->power == NODE_POWERING_DOWN, "POWERING_DOWN" },
        };
        char text[256];
        size_t used = (size_t)snprintf(text, sizeof text, "%s", words[shown_base(n)]);

        for (size_t i = 0; i < ELEMENTSOF(flags); i++)
                if (flags[i].set)
                        used += (size_t)snprintf(text + used, sizeof text - used, "+%s",
                                        flags[i].word);
        return xstrdup(text);
}

static char state_suffix(const struct node *n, enum shown shown) {
        /* Idle nodes show maint as state instead. */
        if (in_maintenance(n) && (shown != SHOWN_IDLE || n->flags & (NODE_DRAIN | NODE_FAIL)))
                return '$';
        if (n->flags & NODE_REBOOT_ISSUED)
                return '^';
        if (n->flags & NODE_REBOOT_WANTED)
                return '@';
        if (node_shows_boot(n))
                return '#';
        if (n->power == NODE_POWERING_DOWN)
                return '%';
        if (n->power == NODE_POWERED_DOWN)
                return '~';
        if (n->flags & NODE_POWER_DOWN_WANTED)
                return '!';
        if (n->flags & NODE_NOT_RESPONDING)
                return '*';
        if (shown == SHOWN_ALLOCATED && node_is_completing(n))
                return '+';
        if (shown == SHOWN_MIXED && is_planned(n, shown))
                return '-';
        return 0;
}

struct words {
        const char *shorter, *longer;
};

static struct words state_words(const struct node *n, enum shown shown) {
        bool used = shown == SHOWN_ALLOCATED || shown == SHOWN_MIXED || node_is_completing(n);

        if (n->flags & NODE_INVALID_REG)
                return (struct words){ "inval", "inval" };
        if (in_maintenance(n) && !(n->flags & NODE_DRAIN) && !used && shown != SHOWN_DOWN)
                return (struct words){ "maint", "maint" };
        if (n->flags & NODE_REBOOT_ISSUED && !used)
                return (struct words){ "boot", "reboot" };
        if (n->flags & NODE_DRAIN)
                return used ? (struct words){ "drng", "draining" }
                            : (struct words){ "drain", "drained" };
        if (n->flags & NODE_FAIL && n->base != NODE_DOWN)
                return used ? (struct words){ "failg", "failing" }
                            : (struct words){ "fail", "fail" };
        switch (shown) {
        case SHOWN_DOWN:
                return (struct words){ "down", "down" };
        case SHOWN_ALLOCATED:
                return (struct words){ "alloc", "allocated" };
        case SHOWN_MIXED:
                return (struct words){ "mix", "mixed" };
        case SHOWN_FUTURE:
                return (struct words){ "futr", "future" };
        case SHOWN_UNKNOWN:
                return (struct words){ "unk", "unknown" };
        case SHOWN_IDLE:
                break;
        }
        return node_is_completing(n) ? (struct words){ "comp", "completing" }
               : n->resv             ? (struct words){ "resv", "reserved" }
               : is_planned(n, shown) && !state_suffix(n, shown)
                               ? (struct words){ "plnd", "planned" }
                               : (struct words){ "idle", "idle" };
}

char *node_state_short(const struct node *n) {
        enum shown shown = shown_base(n);
        char tail[2] = { state_suffix(n, shown), 0 };

        return xasprintf("%s%s", state_words(n, shown).shorter, tail);
}

char *node_state_long(const struct node *n) {
        enum shown shown = shown_base(n);
        char tail[2] = { state_suffix(n, shown), 0 };

        return xasprintf("%s%s", state_words(n, shown).longer, tail);
}

bool node_state_same(const struct node *a, const struct node *b) {
        return a->base == b->base && a->power == b->power && a->flags == b->flags &&
               shown_base(a) == shown_base(b) && node_is_completing(a) == node_is_completing(b) &&
               a->resv == b->resv && a->planned == b->planned && a->dynamic == b->dynamic;
}
