/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/backup.h"

#include "controller/programs/program.h"
#include "controller/store/lease.h"
#include "lib/child.h"
#include "lib/log.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <systemd/sd-daemon.h>

bool controllers_are_several(const struct config *config) {
        return config->n_controllers > 1 && config->site.store;
}

int controllers_choose(struct config *config, const char *name, struct fail *fail) {
        char host[256] = "";

        (void)gethostname(host, sizeof host - 1);
        int i = config_controller_find(config, name ? name : host);
        if (i < 0 && (name || controllers_are_several(config)))
                return fail_set(fail, -EINVAL,
                                "%s: no SlurmctldHost line names %s: this host cannot be a controller",
                                config->path, name ? name : host);
        if (i > 0 && !config->site.store)
                return fail_set(fail, -EINVAL,
                                "%s: %s is a backup controller, which needs a store in PostgreSQL (store of slumber.yaml): with files of its own it would be a second primary",
                                config->path, config->controllers[i].host);
        if (i >= 0)
                config_controller_choose(config, (size_t)i);
        if (controllers_are_several(config))
                lease_name_set(config->controller_host, (unsigned)i);
        return 0;
}

/* ---- a backup ---- */

/* Waits LEASE_LOOK, less after a signal. Returns whether the process is asked to stop. */
static bool wait_for_stop(int fd) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        struct signalfd_siginfo si;

        if (poll(&p, 1, LEASE_LOOK / USEC_PER_MSEC) <= 0 || read(fd, &si, sizeof si) < 0)
                return false;
        if (si.ssi_signo == SIGUSR2)
                log_reopen();
        return si.ssi_signo == SIGTERM || si.ssi_signo == SIGINT;
}

/* Returns a signalfd of the signals that main() has blocked. */
static int signals_open(void) {
        sigset_t set;

        sigemptyset(&set);
        static const int watched[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR2 };
        for (size_t i = 0; i < ELEMENTSOF(watched); i++)
                sigaddset(&set, watched[i]);
        return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Programs that were started as primary may have ended. */
static void children_reap(void) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
                ;
}

/* Logs each new state once: the primary's name, or why it cannot be asked. */
static void backup_log(char **told, int r, const char *holder, const struct fail *fail) {
        _cleanup_free_ char *text = r < 0 ? xstrdup(fail->text)
                                          : xasprintf("The primary is %s",
                                                            *holder ? holder : "not known yet");

        if (*told && streq(*told, text))
                return;
        log_told(r < 0 ? LOG_WARNING : LOG_INFO, text);
        free_and_strdup(told, text);
}

int backup_wait(const struct config *config, void (*on_waiting)(void *user), void *user,
                struct fail *fail) {
        _cleanup_free_ char *told = NULL;
        _cleanup_close_ int fd = signals_open();
        struct standby *s = NULL;
        bool waiting = false;
        const char *holder;

        int r = fd < 0 ? fail_set(fail, -errno, "cannot watch signals: %s", strerror(errno))
                       : standby_new(config->site.store, &s, fail);
        while (r >= 0) {
                struct fail why = { 0 };

                r = standby_look(s, &holder, &why);
                if (r > 0)
                        break;
                if (!waiting)
                        log_info("%s waits as a backup controller", config->controller_host);
                backup_log(&told, r, holder, &why);
                if (!waiting)
                        on_waiting(user);
                waiting = true;
                children_reap();
                (void)sd_notify(0, "WATCHDOG=1");
                if (wait_for_stop(fd)) {
                        r = 0;
                        break;
                }
                r = 0;
        }
        standby_free(s);
        return r;
}

/* ---- programs of a site ---- */

/* Less than LEASE_TURN_MAX: the event loop of a primary waits, too. */
#define PROGRAM_PATIENCE (2 * USEC_PER_SEC)

static void program_log_end(const char *key, pid_t pid) {
        _cleanup_close_ int fd = pidfd_open(pid, 0);
        struct pollfd p = { .fd = fd, .events = POLLIN };
        int status;

        (void)poll(&p, 1, PROGRAM_PATIENCE / USEC_PER_MSEC);
        if (waitpid(pid, &status, WNOHANG) != pid)
                log_warning(0, "%s takes longer than %u s; it goes on", key,
                                (unsigned)(PROGRAM_PATIENCE / USEC_PER_SEC));
        else if (!WIFEXITED(status) || WEXITSTATUS(status))
                log_warning(0, "%s has failed with wait status 0x%x", key, (unsigned)status);
}

void primary_program_run(const struct config *config, enum primary_program which) {
        const char *key = which == PRIMARY_ON ? "SlurmctldPrimaryOnProg"
                                              : "SlurmctldPrimaryOffProg",
                   *path = which == PRIMARY_ON ? config->primary_on_program
                                               : config->primary_off_program;
        _cleanup_free_ char *conf = xasprintf("SLURM_CONF=%s", config->path);
        char *argv[] = { (char *)(uintptr_t)path, NULL }, path_of[] = CHILD_PATH;
        const struct child_program program = { .program = path,
                .argv = argv,
                .envp = { conf, path_of },
                .output = CHILD_NOTHING,
                .error = CHILD_NOTHING,
                .input = CHILD_NOTHING };
        struct fail fail = { 0 };
        pid_t pid;

        if (isempty(path) || !controllers_are_several(config))
                return;
        log_info("%s: %s", key, path);
        int r = program_check(path, &fail);
        if (r >= 0)
                r = child_start(&program, &pid, &fail);
        if (r < 0)
                log_error(0, "%s: %s", key, fail.text);
        else
                program_log_end(key, pid);
}

/* ---- the end of a primary ---- */

static char **kept_arguments;
static int kept_folder = -1;

#define AGAIN "SLUMBERCTLD_BEGINS_AGAIN" /* environment variable between two executions */

bool backup_keep_arguments(char **argv) {
        bool again = getenv(AGAIN) != NULL;

        (void)unsetenv(AGAIN);
        kept_arguments = argv;
        kept_folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        return again;
}

int backup_begin_again(void) {
        if (kept_folder >= 0)
                (void)!fchdir(kept_folder);
        (void)setenv(AGAIN, "1", true);
        (void)execv("/proc/self/exe", kept_arguments);
        return -errno;
}

/* ---- the lease of a primary ---- */

_Noreturn void primary_lost(const char *why, const struct controller *ctl) {
        const struct config *config = ctl->cluster->config;

        log_warning(0, "%s is no longer primary: %s", config->controller_host, why);
        primary_program_run(config, PRIMARY_OFF);
        if (ctl->stopping)
                _exit(EXIT_SUCCESS);
        int r = backup_begin_again();
        log_error(r, "Cannot begin again as a backup controller: %m");
        _exit(EXIT_FAILURE);
}

static void on_lease_lost(const char *why, void *user) {
        primary_lost(why, user);
}

int primary_begin(struct controller *ctl, struct fail *fail) {
        const struct config *config = ctl->cluster->config;

        if (!controllers_are_several(config))
                return 0;
        return lease_new(config->site.store, ctl->event, on_lease_lost, ctl, &ctl->lease, fail);
}

void primary_confirm(struct controller *ctl) {
        struct fail fail = { 0 };

        if (ctl->lease && lease_confirm(ctl->lease, &fail) < 0)
                primary_lost(fail.text, ctl);
}
