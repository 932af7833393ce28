/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of a node's power, and questions about a node's jobs and flags.
 *
 * Three rules of the power-saving guide shape the table: a node being switched off cannot be woken
 * before it has settled; ResumeProgram may run again for a node that is waking; a registration ends
 * every state, but POWERING_DOWN only if the caller has checked that the registration is from a new
 * boot. */
#include "controller/model/node.h"

#include "controller/model/job.h"
#include "controller/model/kept_fields.h"
#include "lib/sorted.h"

static const struct node_move moves[NODE_POWER_MAX][NODE_EVENT_MAX] = {
        [NODE_ON] = {
                [NODE_SUSPENDED] = { NODE_POWERING_DOWN, 0 },
                [NODE_REGISTERED] = { NODE_ON, 0 },
                [NODE_GIVEN_UP] = { NODE_POWERED_DOWN, NODE_FX_FORGET },
        },
        [NODE_POWERING_DOWN] = {
                [NODE_SUSPEND_FAILED] = { NODE_ON, NODE_FX_SILENT },
                [NODE_SETTLED] = { NODE_POWERED_DOWN, NODE_FX_AVAILABLE | NODE_FX_FORGET },
                [NODE_REGISTERED] = { NODE_ON, NODE_FX_AVAILABLE | NODE_FX_BUSY },
                [NODE_GIVEN_UP] = { NODE_POWERED_DOWN, NODE_FX_AVAILABLE | NODE_FX_FORGET },
                [NODE_TAKEN_FOR_ON] = { NODE_ON, 0 },
        },
        [NODE_POWERED_DOWN] = {
                [NODE_SUSPENDED] = { NODE_POWERING_DOWN, 0 }, /* requested again by hand */
                [NODE_RESUMED] = { NODE_POWERING_UP, 0 },
                /* switched on by hand at the machine */
                [NODE_REGISTERED] = { NODE_ON, NODE_FX_AVAILABLE | NODE_FX_BUSY },
                /* reported after SuspendTimeout */
                [NODE_SUSPEND_FAILED] = { NODE_ON, NODE_FX_SILENT },
                /* switched on by hand, seen by the audit first */
                [NODE_SWITCHED_ON] = { NODE_POWERING_UP, 0 },
                [NODE_TAKEN_FOR_ON] = { NODE_ON, 0 },
        },
        [NODE_POWERING_UP] = {
                [NODE_SUSPENDED] = { NODE_POWERING_DOWN, 0 }, /* power_down force */
                [NODE_RESUMED] = { NODE_POWERING_UP, 0 },
                [NODE_REGISTERED] = { NODE_ON, NODE_FX_AVAILABLE | NODE_FX_BUSY },
                [NODE_BOOT_EXPIRED] = { NODE_POWERED_DOWN, NODE_FX_DOWN | NODE_FX_FORGET },
                [NODE_BOOT_FAILED] = { NODE_POWERED_DOWN, NODE_FX_FORGET },
                [NODE_GIVEN_UP] = { NODE_POWERED_DOWN, NODE_FX_FORGET },
                [NODE_TAKEN_FOR_ON] = { NODE_ON, 0 },
        },
};

int node_power_step(enum node_power from, enum node_event event, struct node_move *ret) {
        assert(from > NODE_POWER_NONE && from < NODE_POWER_MAX);
        assert(event < NODE_EVENT_MAX);
        assert(ret);

        const struct node_move *m = &moves[from][event];
        if (m->to == NODE_POWER_NONE)
                return -EPROTO;

        *ret = *m;
        return 0;
}

bool node_is_completing(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->completing)
                        return true;
        return false;
}

bool node_has_suspended(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i]->state == JOB_SUSPENDED)
                        return true;
        return false;
}

bool node_is_out_of_service(const struct node *n) {
        return n->base == NODE_DOWN || n->flags & (NODE_DRAIN | NODE_FAIL);
}

void node_count_boots(struct node *n) {
        uint32_t sorted[NODE_BOOTS];

        memcpy(sorted, n->boots, sizeof sorted);
        list_sort(sorted, n->n_boots, sizeof sorted[0], number_compare);
        n->boots_usual = n->n_boots ? sorted[DIV_ROUND_UP(n->n_boots * 95, 100) - 1] : 0;
}

void node_add_boot(struct node *n, usec_t took) {
        n->boot_took = took;
        if (n->n_boots == NODE_BOOTS) /* drops the oldest */
                memmove(n->boots, n->boots + 1, --n->n_boots * sizeof n->boots[0]);
        n->boots[n->n_boots++] = (uint32_t)MIN(DIV_ROUND_UP(took, USEC_PER_MSEC),
                        (usec_t)UINT32_MAX);
        node_count_boots(n);
}

usec_t node_boot_time(const struct node *n) {
        if (n->n_boots)
                return n->boots_usual * USEC_PER_MSEC;
        if (n->boot_took)
                return n->boot_took;
        return n->resume_timeout == NO_LIMIT ? 0 : n->resume_timeout;
}

bool node_lacks_power(const struct node *n) {
        return n->power == NODE_POWERED_DOWN || n->power == NODE_POWERING_DOWN;
}

enum node_distance node_distance(const struct node *n) {
        if (n->power == NODE_ON)
                return NODE_IS_UP;
        if (n->power == NODE_POWERING_DOWN)
                return NODE_IS_LEAVING;
        if (n->power_failures || n->wake_error || n->late)
                return NODE_IS_FAILING;
        return n->power == NODE_POWERING_UP ? NODE_IS_WAKING : NODE_IS_ASLEEP;
}

usec_t node_late_deadline(const struct node *n) {
        usec_t usual = MIN((usec_t)n->boots_usual * USEC_PER_MSEC, n->resume_timeout);

        if (n->power != NODE_POWERING_UP || n->late || n->resume_timeout == NO_LIMIT)
                return USEC_INFINITY;
        return n->power_request + usual + (n->resume_timeout - usual) / 2;
}

bool node_is_schedulable(const struct node *n) {
        if (n->base != NODE_IDLE || n->flags & (NODE_DRAIN | NODE_FAIL | NODE_INVALID_REG))
                return false;
        if (n->power == NODE_POWERING_DOWN)
                return false;
        /* A busy node to be powered off may still take jobs; an idle one must not. */
        if (n->flags & NODE_POWER_DOWN_WANTED && n->cpus_used == 0)
                return false;
        if (n->flags & NODE_REBOOT_ISSUED || (n->flags & NODE_REBOOT_WANTED && n->cpus_used == 0))
                return false;
        if (n->power == NODE_POWERED_DOWN && n->retry_at) /* a wake just failed */
                return false;
        return !(n->power == NODE_ON && n->flags & NODE_NOT_RESPONDING);
}

bool node_is_ready(const struct node *n) {
        return n->power == NODE_ON && n->connected && n->base == NODE_IDLE && n->n_strays == 0 &&
               !(n->flags & NODE_REBOOT_ISSUED);
}

bool node_is_vetoed(const struct node *n) {
        return n->veto && n->power == NODE_ON && (n->connected || n->base != NODE_DOWN);
}

bool names_have(const char *list, const char *name, size_t length) {
        for (const char *p = list; p && *p;) {
                size_t len = strcspn(p, ",");
                if (len == length && memcmp(p, name, length) == 0)
                        return true;
                p += len + (p[len] == ',');
        }
        return false;
}

struct node_instance *node_instance_free(struct node_instance *i) {
        if (!i)
                return NULL;
        free(i->id);
        free(i->type);
        free(i->extra);
        free(i);
        return NULL;
}

struct node *node_free(struct node *n) {
        if (!n)
                return NULL;
        gres_items_free(n);
        gres_forget_detected(n);
#define X(member, name) free(n->member);
        NODE_MEMBERS(OWNED_TEXTS, X)
#undef X
        node_instance_free(n->accounted);
        free(n->spec);
        free(n->jobs);
        free(n->strays);
        free(n->partitions);
        free(n->leaves);
        free(n);
        return NULL;
}
