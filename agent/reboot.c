/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RebootProgram, or a PowerAction with Location=slurmd, on the node (power-saving guide). The
 * program runs in a process group of its own, with default signals. A failure is reported at
 * once; a success shows when the node registers after the boot. A helper may run for ExecTime;
 * the controller limits RebootProgram's time. */
#include "agent/reboot.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"

/* State while helpers of the requested features run, one after the other with its feature, and then
   RebootProgram. */
struct rebooting {
        struct agent *a;
        char *program, *features; /* features: comma list; "": none */
        char *action;             /* name of the PowerAction; NULL: RebootProgram */
        /* arguments of the PowerAction, NULL-terminated: words and the node's name */
        char **arguments;
        bool suspend; /* the program switches the node off, no reboot */
        /* list: copy of features; rest: features in list still to be set */
        char *list, *rest;
        char *running; /* description of the running program, for messages */
};

static void rebooting_free(struct rebooting *r) {
        free(r->running);
        free(r->program);
        free(r->features);
        free(r->list);
        free(r->action);
        for (size_t i = 0; r->arguments && r->arguments[i]; i++)
                free(r->arguments[i]);
        free(r->arguments);
        free(r);
}

static void tell_failed(const struct rebooting *r, const char *text) {
        Slumber__RebootFailed m = SLUMBER__REBOOT_FAILED__INIT;
        Slumber__NodeActionFailed f = SLUMBER__NODE_ACTION_FAILED__INIT;
        ENVELOPE(reboot, REBOOT_FAILED, reboot_failed, &m);
        ENVELOPE(action, NODE_ACTION_FAILED, node_action_failed, &f);

        log_error(0, "%s", text);
        m.text = f.text = (char *)(uintptr_t)text;
        f.reboot = !r->suspend;
        upstream_send(r->a, r->action ? &action : &reboot);
}

static void reboot_continue(struct rebooting *r);

static void reboot_on_ended(void *user, char *output, int status, const char *why) {
        struct rebooting *r = user;

        (void)output, (void)status;
        if (!why) {
                reboot_continue(r);
                return;
        }
        _cleanup_free_ char *text = xasprintf("%s %s", r->running, why);
        tell_failed(r, text);
        rebooting_free(r);
}

/* Returns the helper of the next feature with a helper on the node; NULL: no feature is left. */
static const struct helper *reboot_next_helper(struct rebooting *r, char **ret_feature) {
        while (*r->rest) {
                char *feature = r->rest;
                size_t n = strcspn(feature, ",");
                r->rest += n + (feature[n] == ',');
                feature[n] = 0;
                const struct helper *h = helpers_find(r->a->helpers, r->a->node, feature, n);
                *ret_feature = feature;
                if (h)
                        return h;
        }
        return NULL;
}

static void reboot_continue(struct rebooting *r) {
        _cleanup_free_ char *program = NULL, *name = xasprintf("SLURM_NODE_NAME=%s", r->a->node);
        struct program_wish w = { .ended = reboot_on_ended, .user = r };
        struct fail fail = { 0 };
        char *feature = NULL;

        if (!r->program) { /* the program has been run */
                rebooting_free(r);
                return;
        }
        const struct helper *h = reboot_next_helper(r, &feature);
        free(TAKE(r->running));
        if (h) {
                r->running = xasprintf("helper %s of feature %s", h->program, feature);
                w.path = h->program;
                w.argument = feature;
                w.heard = true;
                w.limit = r->a->helpers->exec_time;
                w.limit_name = "ExecTime";
        } else {
                r->running = r->action ? xasprintf("PowerAction %s", r->action)
                                       : xstrdup("RebootProgram");
                w.path = program = TAKE(r->program);
                w.argument = *r->features ? r->features : NULL;
                w.arguments = r->arguments;
                w.variables[0] = r->action ? name : NULL;
        }
        if (program_start(r->a->event, &w, &fail))
                return;
        tell_failed(r, fail.text);
        rebooting_free(r);
}

void agent_reboot(struct agent *a, const Slumber__RebootNode *m) {
        struct rebooting *r = xnew0(struct rebooting, 1);

        log_warning(0, "The controller wants a reboot: %s%s%s", m->program,
                        *m->features ? " for features " : "", m->features);
        r->a = a;
        r->program = xstrdup(m->program);
        r->features = xstrdup(m->features);
        r->list = xstrdup(m->features);
        r->rest = r->list;
        reboot_continue(r);
}

void agent_node_action(struct agent *a, const Slumber__NodeAction *m) {
        struct rebooting *r;

        if (m->n_words == 0)
                return;
        log_warning(0, "The controller wants %s: PowerAction %s, %s",
                        m->reboot ? "a reboot" : "power off", m->name, m->words[0]);
        r = xnew0(struct rebooting, 1);
        r->a = a;
        r->program = xstrdup(m->words[0]);
        r->action = xstrdup(m->name);
        r->suspend = !m->reboot;
        r->arguments = xnew0(char *, m->n_words + 1);
        for (size_t i = 1; i < m->n_words; i++)
                r->arguments[i - 1] = xstrdup(m->words[i]);
        r->arguments[m->n_words - 1] = xstrdup(a->node);
        r->features = xstrdup(m->features);
        r->list = xstrdup(m->features);
        r->rest = r->list;
        reboot_continue(r);
}
