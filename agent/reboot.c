/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RebootProgram on this node (power-saving guide): started in a process group of its own, with the signals that a program
 * expects; a failure is told at once, success shows when the node registers from its new boot. */
#include "agent/agent.h"
#include "lib/child.h"

#include <libgen.h>
#include <sys/wait.h>

static void tell_failed(struct agent *a, const char *text) {
        Slumber__RebootFailed m = SLUMBER__REBOOT_FAILED__INIT;

        log_error(0, "%s", text);
        m.text = (char *)(uintptr_t)text;
        ENVELOPE(env, REBOOT_FAILED, reboot_failed, &m);
        upstream_send(a, &env);
}

static int on_ended(sd_event_source *source, const siginfo_t *info, void *user) {
        struct agent *a = user;
        _cleanup_free_ char *text = NULL;

        (void)source;
        if (info->si_code == CLD_EXITED && info->si_status == 0)
                return 0;
        text = xasprintf("RebootProgram ended with %s %d", info->si_code == CLD_EXITED ? "exit status" : "signal",
                        info->si_status);
        tell_failed(a, text);
        return 0;
}

static int start(struct agent *a, const char *program, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(program);
        char *argv[] = { basename(copy), NULL };
        const struct child_program s = { program, argv, { (char *)(uintptr_t)CHILD_PATH }, CHILD_NOTHING, CHILD_NOTHING,
                CHILD_NOTHING };
        pid_t pid;
        int r = child_start(&s, &pid, fail);

        if (r < 0)
                return r;
        r = sd_event_add_child(a->event, NULL, pid, WEXITED, on_ended, a);
        return r < 0 ? fail_set(fail, r, "%s cannot be watched", program) : 0;
}

void agent_reboot(struct agent *a, const Slumber__RebootNode *m) {
        struct fail fail = { 0 };

        log_warning(0, "The controller wants a reboot: %s", m->program);
        if (program_check(m->program, &fail) < 0 || start(a, m->program, &fail) < 0)
                tell_failed(a, fail.text);
}
