/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberd's part of plugstack.conf. slumberd loads no plug-in: slumberstepd runs slurmd_init and
 * slurmd_exit in separate processes (spank_scripts.c). */
#include "agent/jobs/plugins.h"
#include "agent/machine/program.h"
#include "agent/state/agent.h"
#include "lib/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define INIT_LIMIT (60 * USEC_PER_SEC)
#define EXIT_LIMIT 10000 /* ms */

bool agent_has_plugins(const struct agent *a) {
        return !isempty(a->plugstack) && access(a->plugstack, F_OK) == 0;
}

static void on_begun(void *user, char *output, int status, const char *why) {
        struct agent *a = user;

        (void)output, (void)status;
        if (!why)
                return;
        log_error(0, "plugstack.conf: slurm_spank_slurmd_init of a plug-in %s: slumberd ends", why);
        (void)sd_event_exit(a->event, EXIT_FAILURE);
}

static char *plugin_dir_variable(const struct agent *a) {
        return xasprintf("SLUMBER_PLUGIN_DIR=%s", strempty(a->plugin_dir));
}

void plugins_begin(struct agent *a) {
        struct fail fail = { 0 };

        if (a->plugins_begun || !agent_has_plugins(a))
                return;
        a->plugins_begun = true;
        _cleanup_free_ char *argument = xasprintf("--slurmd-init=%s", a->plugstack),
                            *dir = plugin_dir_variable(a);
        const struct program_wish wish = { .path = a->stepd,
                .argument = argument,
                .variables = { dir },
                .heard = true,
                .limit = INIT_LIMIT,
                .limit_name = "it may",
                .ended = on_begun,
                .user = a };
        if (program_start(a->event, &wish, &fail))
                return;
        log_error(0, "plugstack.conf: %s: slumberd ends", fail.text);
        (void)sd_event_exit(a->event, EXIT_FAILURE);
}

void plugins_end(struct agent *a) {
        _cleanup_free_ char *argument = NULL, *dir = plugin_dir_variable(a);
        struct fail fail = { 0 };
        pid_t pid;

        if (!a->plugins_begun || !agent_has_plugins(a))
                return;
        argument = xasprintf("--slurmd-exit=%s", a->plugstack);
        char *argv[] = { (char *)"slumberstepd", argument, NULL };
        const struct child_program s = { a->stepd, argv, { (char *)(uintptr_t)CHILD_PATH, dir },
                CHILD_NOTHING, STDERR_FILENO, CHILD_NOTHING };
        if (child_start(&s, &pid, &fail) < 0) {
                log_error(0, "plugstack.conf: %s", fail.text);
                return;
        }
        _cleanup_close_ int ended = (int)syscall(SYS_pidfd_open, pid, 0);
        struct pollfd p = { .fd = ended, .events = POLLIN };
        if (poll(&p, 1, EXIT_LIMIT) <= 0) {
                log_error(0, "plugstack.conf: slurm_spank_slurmd_exit of a plug-in takes too long");
                (void)kill(-pid, SIGKILL);
        }
        (void)waitpid(pid, NULL, 0);
}
