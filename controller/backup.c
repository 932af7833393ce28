/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/backup.h"

#include "controller/store/lease.h"
#include "lib/log.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

/* ---- the end of a primary ---- */

static char **kept_arguments;
static int kept_folder = -1;

void backup_keep_arguments(char **argv) {
        kept_arguments = argv;
        kept_folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int backup_begin_again(void) {
        if (kept_folder >= 0)
                (void)!fchdir(kept_folder);
        (void)execv("/proc/self/exe", kept_arguments);
        return -errno;
}
