/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RebootProgram on this node (power-saving guide): started in a process group of its own, with the
 * signals that a program expects; a failure is told at once, success shows when the node registers
 * from its new boot.  A helper may take ExecTime; how long RebootProgram may is the controller's
 * business. */
#include "agent/reboot.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"

static void tell_failed(struct agent *a, const char *text) {
        Slumber__RebootFailed m = SLUMBER__REBOOT_FAILED__INIT;

        log_error(0, "%s", text);
        m.text = (char *)(uintptr_t)text;
        ENVELOPE(env, REBOOT_FAILED, reboot_failed, &m);
        upstream_send(a, &env);
}

/* The helpers of the features that are wanted, each with its feature, one after the other; then
   RebootProgram. */
struct rebooting {
        struct agent *a;
        char *program, *features; /* comma list; "": none */
        char *list, *rest;        /* features with a helper that has not been run */
        char *running;            /* for messages */
};

static void rebooting_free(struct rebooting *r) {
        free(r->running);
        free(r->program);
        free(r->features);
        free(r->list);
        free(r);
}

static void go_on(struct rebooting *r);

static void on_ended(void *user, char *output, int status, const char *why) {
        struct rebooting *r = user;

        (void)output, (void)status;
        if (!why) {
                go_on(r);
                return;
        }
        _cleanup_free_ char *text = xasprintf("%s %s", r->running, why);
        tell_failed(r->a, text);
        rebooting_free(r);
}

/* The next feature that has a helper here; NULL: all are set. */
static const struct helper *next_helper(struct rebooting *r, char **ret_feature) {
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

static void go_on(struct rebooting *r) {
        _cleanup_free_ char *program = NULL;
        struct program_wish w = { .ended = on_ended, .user = r };
        struct fail fail = { 0 };
        char *feature = NULL;

        if (!r->program) { /* it has been run */
                rebooting_free(r);
                return;
        }
        const struct helper *h = next_helper(r, &feature);
        free(TAKE(r->running));
        if (h) {
                r->running = xasprintf("helper %s of feature %s", h->program, feature);
                w.path = h->program;
                w.argument = feature;
                w.heard = true;
                w.limit = r->a->helpers->exec_time;
                w.limit_name = "ExecTime";
        } else {
                r->running = xstrdup("RebootProgram");
                w.path = program = TAKE(r->program);
                w.argument = *r->features ? r->features : NULL;
        }
        if (program_start(r->a->event, &w, &fail))
                return;
        tell_failed(r->a, fail.text);
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
        go_on(r);
}
