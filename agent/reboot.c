/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RebootProgram on this node (power-saving guide): started in a process group of its own, with the signals that a program
 * expects; a failure is told at once, success shows when the node registers from its new boot.  A helper may take ExecTime; how long
 * RebootProgram may is the controller's business. */
#include "agent/agent.h"
#include "lib/child.h"

#include <inttypes.h>
#include <libgen.h>
#include <sys/wait.h>

static void tell_failed(struct agent *a, const char *text) {
        Slumber__RebootFailed m = SLUMBER__REBOOT_FAILED__INIT;

        log_error(0, "%s", text);
        m.text = (char *)(uintptr_t)text;
        ENVELOPE(env, REBOOT_FAILED, reboot_failed, &m);
        upstream_send(a, &env);
}

/* The helpers of the features that are wanted, each with its feature, one after the other; then RebootProgram. */
struct rebooting {
        struct agent *a;
        char *program, *features; /* comma list; "": none */
        char *list, *rest;        /* of features: those whose helper has not been run */
        char *running;            /* for messages */
        pid_t pid;
        sd_event_source *limit; /* of a helper's time */
        usec_t exec_time;
        bool overdue;
};

static void rebooting_free(struct rebooting *r) {
        sd_event_source_disable_unref(r->limit);
        free(r->running);
        free(r->program);
        free(r->features);
        free(r->list);
        free(r);
}

static void go_on(struct rebooting *r);

static int on_limit(sd_event_source *source, uint64_t usec, void *user) {
        struct rebooting *r = user;

        (void)source, (void)usec;
        r->overdue = true;
        (void)kill(-r->pid, SIGKILL);
        return 0;
}

static int on_ended(sd_event_source *source, const siginfo_t *info, void *user) {
        struct rebooting *r = user;

        (void)source;
        r->limit = sd_event_source_disable_unref(r->limit);
        if (info->si_code == CLD_EXITED && info->si_status == 0) {
                go_on(r);
                return 0;
        }
        _cleanup_free_ char *text = r->overdue
                        ? xasprintf("%s took longer than ExecTime (%" PRIu64 " s)", r->running, r->exec_time / USEC_PER_SEC)
                        : xasprintf("%s ended with %s %d", r->running, info->si_code == CLD_EXITED ? "exit status" : "signal",
                                          info->si_status);
        tell_failed(r->a, text);
        rebooting_free(r);
        return 0;
}

/* error: where it may complain; limit: how long it may take, 0: for ever. */
static int start(struct rebooting *r, const char *program, char *argument, int error, usec_t limit, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(program);
        char *argv[] = { basename(copy), argument, NULL };
        const struct child_program s = { program, argv, { (char *)(uintptr_t)CHILD_PATH }, CHILD_NOTHING, error, CHILD_NOTHING };
        int e = program_check(program, fail);

        if (e >= 0)
                e = child_start(&s, &r->pid, fail);
        if (e < 0)
                return e;
        e = sd_event_add_child(r->a->event, NULL, r->pid, WEXITED, on_ended, r);
        if (e < 0)
                return fail_set(fail, e, "%s cannot be watched", program);
        if (limit && sd_event_add_time_relative(r->a->event, &r->limit, CLOCK_MONOTONIC, limit, 0, on_limit, r) < 0)
                log_warning(0, "%s may take for ever: there is no timer", program);
        return 0;
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
        struct fail fail = { 0 };
        char *feature = NULL;
        int e;

        if (!r->program) { /* it has been run */
                rebooting_free(r);
                return;
        }
        const struct helper *h = next_helper(r, &feature);
        free(TAKE(r->running));
        if (h) {
                r->running = xasprintf("helper %s of feature %s", h->program, feature);
                r->exec_time = r->a->helpers->exec_time;
                e = start(r, h->program, feature, STDERR_FILENO, r->exec_time, &fail);
        } else {
                _cleanup_free_ char *program = TAKE(r->program);
                r->running = xstrdup("RebootProgram");
                e = start(r, program, *r->features ? r->features : NULL, CHILD_NOTHING, 0, &fail);
        }
        if (e >= 0)
                return;
        tell_failed(r->a, fail.text);
        rebooting_free(r);
}

void agent_reboot(struct agent *a, const Slumber__RebootNode *m) {
        struct rebooting *r = xnew0(struct rebooting, 1);

        log_warning(0, "The controller wants a reboot: %s%s%s", m->program, *m->features ? " for features " : "", m->features);
        r->a = a;
        r->program = xstrdup(m->program);
        r->features = xstrdup(m->features);
        r->list = xstrdup(m->features);
        r->rest = r->list;
        go_on(r);
}
