/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RebootProgram on this node (power-saving guide): started in a process group of its own, with the signals that a program
 * expects; a failure is told at once, success shows when the node registers from its new boot. */
#include "agent/agent.h"

#include <fcntl.h>
#include <libgen.h>
#include <spawn.h>
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
        char *envp[] = { (char *)(uintptr_t)"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attr;
        sigset_t none, all;
        pid_t pid;
        int r;

        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_init(&attr);
        posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attr, &none);
        posix_spawnattr_setsigdefault(&attr, &all);
        posix_spawn_file_actions_init(&files);
        for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
                posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
        r = posix_spawn(&pid, program, &files, &attr, argv, envp);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attr);
        if (r > 0)
                return fail_set(fail, -r, "%s cannot be started: %s", program, strerror(r));
        r = sd_event_add_child(a->event, NULL, pid, WEXITED, on_ended, a);
        return r < 0 ? fail_set(fail, r, "%s cannot be watched", program) : 0;
}

void agent_reboot(struct agent *a, const Slumber__RebootNode *m) {
        struct fail fail = { 0 };

        log_warning(0, "The controller wants a reboot: %s", m->program);
        if (program_check(m->program, &fail) < 0 || start(a, m->program, &fail) < 0)
                tell_failed(a, fail.text);
}
