/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumberctld: arguments, configuration, user, log, controller, event loop. */
#include "controller/controller.h"
#include "controller/loop/controller.h"

#include "controller/backup.h"
#include "controller/check.h"
#include "controller/programs/program.h"
#include "controller/programs/running.h"
#include "controller/slurm_user.h"
#include "controller/store/move.h"
#include "lib/background.h"
#include "lib/log.h"
#include "lib/options.h"
#include "lib/pidfile.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>

#define TRY_AGAIN 500 /* ms, before a controller that could not become primary waits as a backup */

/* Handles signals that end a service; children must not inherit blocked signals. */
static int on_stop(sd_event_source *s, const struct signalfd_siginfo *si, void *user) {
        log_info("Stopping");
        (void)sd_notify(0, "STOPPING=1");
        programs_wait(user);
        return 0;
}

static int on_hup(sd_event_source *s, const struct signalfd_siginfo *si, void *user) {
        controller_want_reconfigure(user, NULL);
        return 0;
}

static int on_usr2(sd_event_source *s, const struct signalfd_siginfo *si, void *user) {
        log_reopen();
        return 0;
}

static int handle_signals(struct controller *ctl) {
        static const struct {
                int signal;
                sd_event_signal_handler_t handler;
        } signals[] = {
                { SIGTERM, on_stop },
                { SIGINT, on_stop },
                { SIGHUP, on_hup },
                { SIGUSR2, on_usr2 },
        };

        for (size_t i = 0; i < ELEMENTSOF(signals); i++) {
                int r = sd_event_add_signal(ctl->event, NULL, signals[i].signal, signals[i].handler,
                                ctl);
                if (r < 0)
                        return r;
        }
        return 0;
}

/* Called before any thread is created: the store's worker must not take our signals. */
static void block_signals(void) {
        sigset_t set;

        sigemptyset(&set);
        static const int blocked[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR2, SIGCHLD };
        for (size_t i = 0; i < ELEMENTSOF(blocked); i++)
                sigaddset(&set, blocked[i]);
        (void)sigprocmask(SIG_BLOCK, &set, NULL);
        (void)signal(SIGPIPE, SIG_IGN);
}

/* Raises the limit of descriptors: a connection per node and per command. */
static void raise_file_limit(void) {
        struct rlimit rl;

        if (getrlimit(RLIMIT_NOFILE, &rl) < 0)
                return;
        rl.rlim_cur = rl.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &rl);
}

struct arguments {
        const char *conf, *log, *name, *move_from;
        bool forget, foreground, any_name, accept_state, check;
        bool again; /* this process has replaced a slumberctld that was primary */
        unsigned verbose;
};

#define AT(field) offsetof(struct arguments, field)
static const struct option_row option_rows[] = {
        { NULL, 'c', OPTION_FLAG, AT(forget), NULL, NULL,
                        "forget all stored jobs and node states" },
        { NULL, 'D', OPTION_FLAG, AT(foreground), NULL, NULL,
                        "stay in the foreground, and log to stderr or the journal" },
        { NULL, 'f', OPTION_TEXT, AT(conf), NULL, "FILE",
                        "read this configuration (default $SLURM_CONF,\n"
                        "/etc/slumber/slurm.conf, /etc/slurm/slurm.conf)" },
        { NULL, 'i', OPTION_FLAG, AT(any_name), NULL, NULL,
                        "go on with the state of a cluster of another ClusterName" },
        { NULL, 'L', OPTION_TEXT, AT(log), NULL, "LOGFILE",
                        "write the log there instead of the journal, stderr or\nSlurmctldLogFile" },
        { NULL, 'N', OPTION_TEXT, AT(name), NULL, "HOST",
                        "be the controller of this SlurmctldHost line (default:\n"
                        "this host's name)" },
        { NULL, 'v', OPTION_COUNT, AT(verbose), NULL, NULL, "log more" },
        { "accept-state", 0, OPTION_FLAG, AT(accept_state), NULL, NULL,
                        "go on with a state or accounts that are older than they\n"
                        "were: a copy that was put back; job ids go on behind the\n"
                        "highest known" },
        { "check", 0, OPTION_FLAG, AT(check), NULL, NULL,
                        "read all files of the configuration, print what becomes of\n"
                        "each key, start nothing; exit code 1 where a start would be\n"
                        "refused" },
        { "move-store", 0, OPTION_TEXT, AT(move_from), NULL, "FROM TO",
                        "copy state and accounts from one store to another, empty\n"
                        "one, compare them, and end; a store is sqlite:/FOLDER or\n"
                        "postgresql://..." },
        OPTION_ROWS_HELP('h'),
};
static const struct option_table options = {
        .program = "slumberctld",
        .about = "The controller: queue, scheduler, power saving.\n",
        .rows = option_rows,
        .n_rows = ELEMENTSOF(option_rows),
};

/* Opens the log of SlurmctldLogFile and SlurmctldDebug, unless an option overrides the keys; -D
   uses stderr. */
static int open_configured_log(const struct arguments *a, const struct config *config,
                struct fail *fail) {
        _cleanup_free_ char *given = a->log ? config_absolute(a->log) : NULL;
        const char *path = given ? given : a->foreground ? NULL : config->slurmctld_log;
        int level = a->verbose ? LOG_DEBUG : log_level_parse(config->slurmctld_debug);
        int r = log_open("slumberctld", isempty(path) ? NULL : path, level >= 0 ? level : LOG_INFO);

        return r < 0 ? fail_set(fail, r, "%s: cannot open the log %s: %s",
                                       a->log ? "-L" : "SlurmctldLogFile", path, strerror(-r))
                     : 0;
}

/* Reads a key owned by root, which SlurmUser may not read; SlurmUser's own key is read later. */
static int read_root_key(const struct config *config, struct cluster_key **ret, struct fail *fail) {
        _cleanup_free_ char *path = cluster_key_path(config->site.key_file);
        struct stat st;

        if (geteuid() != 0 || stat(path, &st) < 0 || st.st_uid != 0)
                return 0;
        /* a controller that begins again as a backup is SlurmUser already */
        if (controllers_are_several(config) && config->slurm_uid != 0)
                return fail_set(fail, -EPERM,
                                "%s belongs to root: with several controllers it must belong to SlurmUser",
                                path);
        return cluster_key_read(path, ret, fail);
}

/* Makes the state folder the working folder in the background, so that no foreign file system is
   kept mounted; a core file is written there. */
static void leave_folder(const struct config *config) {
        if (chdir(config->state_save_location) < 0)
                (void)!chdir("/");
}

struct backup_start {
        const struct config *config;
        struct pidfile *pidfile;
        int *ready; /* for background_ready() */
        bool waited;
};

/* A backup is ready when it waits. */
static void on_waiting(void *user) {
        struct backup_start *b = user;

        b->waited = true;
        (void)sd_notify(0, "READY=1\nSTATUS=Backup controller");
        pidfile_write(b->pidfile);
        if (*b->ready >= 0) {
                leave_folder(b->config);
                background_ready(*b->ready, log_leave_terminal());
        }
        *b->ready = -1;
}

/* State that another controller has served is neither forgotten nor of another age. */
static void forget_options_of_start(struct controller_start *how) {
        if (how->forget || how->any_name || how->accept_state)
                log_warning(0, "-c, -i and --accept-state are ignored by a controller that was a backup");
        how->forget = how->any_name = how->accept_state = false;
}

/* Waits as a backup if there are several controllers, and reads the configuration again, which may
   have changed meanwhile. Returns 0 if asked to stop. */
static int become_primary(const struct arguments *a, struct config **config,
                struct controller_start *how, struct backup_start *b, struct fail *fail) {
        struct config *fresh = NULL;

        if (!controllers_are_several(*config))
                return 1;
        b->config = *config;
        int r = backup_wait(*config, on_waiting, b, fail);
        if (r <= 0)
                return r;
        if (b->waited || a->again)
                forget_options_of_start(how);
        log_info("%s becomes primary", (*config)->controller_host);
        (void)sd_notify(0, "STATUS=Primary controller");
        struct fail why = { .all = fail->all };
        r = configuration_read((*config)->path, true, &fresh, &why);
        if (r >= 0)
                r = controllers_choose(fresh, a->name, &why);
        if (r >= 0) {
                config_free(*config);
                *config = fresh;
                return 1;
        }
        log_error(r, "The configuration as read at the start stays in force: %s", why.text);
        config_free(fresh);
        return 1;
}

/* Every step that may fail, ordered by traces: none is left until the store is opened.  Without -D
   the steps after the configuration run in the background, and *ret_ready is for
   background_ready(). */
static int main_start(const struct arguments *a, struct controller **ret, int *ret_ready,
                struct pidfile **pidfile, struct fail *fail) {
        struct controller_start how = {
                .forget = a->forget,
                .any_name = a->any_name,
                .accept_state = a->accept_state,
        };
        _cleanup_(config_freep) struct config *config = NULL;
        _cleanup_free_ char *conf = config_find(a->conf);
        struct fail no_pidfile = { 0 };
        int r = configuration_read(conf, true, &config, fail);

        fail->all = NULL; /* single faults from here on */
        if (r >= 0)
                r = controllers_choose(config, a->name, fail);
        if (r >= 0)
                r = read_root_key(config, &how.key, fail);
        if (r >= 0)
                (void)pidfile_open(config->slurmctld_pid_file, config->slurm_uid, pidfile,
                                &no_pidfile);
        if (r >= 0)
                r = slurm_user_become(config, fail);
        if (r >= 0)
                r = open_configured_log(a, config, fail);
        if (r >= 0 && *no_pidfile.text)
                log_warning(0, "SlurmctldPidFile: %s", no_pidfile.text);
        if (r >= 0 && !a->foreground && !a->again)
                r = background_enter(ret_ready, fail);
        struct backup_start backup = { .pidfile = *pidfile, .ready = ret_ready };
        if (r >= 0)
                r = become_primary(a, &config, &how, &backup, fail);
        if (r <= 0) {
                cluster_key_free(how.key);
                return r;
        }
        bool several = controllers_are_several(config);
        r = controller_new(TAKE(config), &how, ret, fail);
        if (several && (r == -EBUSY || r == -ENOTCONN || r == -ESTALE)) {
                log_warning(0, "%s stays a backup controller: %s", strempty(a->name), fail->text);
                (void)poll(NULL, 0, TRY_AGAIN); /* the reason may last */
                r = backup_begin_again();
        }
        return r;
}

/* Logs to the terminal, too: with a log file the user would see no error. */
static int main_report_failure(int r, const struct fail *fail, struct faults *faults) {
        for (size_t i = 0; i < faults->n; i++)
                log_told(LOG_ERR, faults->lines[i]);
        if (faults->more)
                log_error(0, "and %zu more", faults->more);
        if (!faults->n)
                log_told(LOG_ERR, fail->text[0] ? fail->text : strerror(-r));
        faults_done(faults);
        return EXIT_FAILURE;
}

static int main_run(const struct arguments *a) {
        _cleanup_(controller_freep) struct controller *ctl = NULL;
        struct pidfile *pidfile = NULL;
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        int ready = -1, r = main_start(a, &ctl, &ready, &pidfile, &fail);

        if (r >= 0 && ctl) {
                r = handle_signals(ctl);
                if (r >= 0)
                        r = sd_event_set_watchdog(ctl->event, true);
                if (r < 0)
                        fail_set(&fail, r, "cannot handle signals or keep systemd's watchdog: %s",
                                        strerror(-r));
        }
        if (r < 0) {
                pidfile_free(pidfile);
                return main_report_failure(r, &fail, &faults);
        }
        if (!ctl) { /* a backup was asked to stop */
                pidfile_free(pidfile);
                return EXIT_SUCCESS;
        }
        primary_program_run(ctl->cluster->config, PRIMARY_ON);
        log_info("slumberctld %s started: cluster %s, %zu nodes", SLUMBER_VERSION,
                        ctl->cluster->config->cluster_name, ctl->cluster->n_nodes);
        pidfile_write(pidfile);
        (void)sd_notify(0, "READY=1");
        if (ready >= 0) {
                leave_folder(ctl->cluster->config);
                background_ready(ready, log_leave_terminal());
        }
        r = sd_event_loop(ctl->event);
        if (r < 0)
                log_error(r, "The event loop failed: %m");
        bool again = ctl->hands_over && !ctl->stopping;
        primary_program_run(ctl->cluster->config, PRIMARY_OFF);
        ctl = controller_free(ctl);
        if (again) {
                r = backup_begin_again();
                log_error(r, "Cannot begin again as a backup controller: %m");
        }
        /* last: a program waiting for the removal may start the next controller */
        pidfile_free(pidfile);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* slumberctld --move-store FROM TO, as SlurmUser. */
static int main_move_store(const struct arguments *a, const char *to) {
        _cleanup_(config_freep) struct config *config = NULL;
        _cleanup_free_ char *conf = config_find(a->conf);
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        struct store_moved moved;
        int r = configuration_read(conf, true, &config, &fail);

        fail.all = NULL;
        if (r >= 0)
                r = slurm_user_become(config, &fail);
        if (r >= 0)
                r = store_move(a->move_from, to, &moved, &fail);
        if (r < 0)
                return main_report_failure(r, &fail, &faults);
        printf("Moved %zu jobs and %zu other rows of the state, %zu rows of the accounts: no difference\n",
                        moved.jobs, moved.rows - moved.jobs, moved.accounts);
        return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
        struct arguments a = { 0 };

        standard_streams_open();
        a.again = backup_keep_arguments(argv);
        int first, r = options_parse(&options, argc, argv, &a, &first);
        if (r == 0 && a.move_from && first == argc)
                r = options_error(&options, "--move-store: expected two stores, FROM and TO");
        else if (r == 0 && first + (a.move_from ? 1 : 0) < argc)
                r = options_error(&options, "unexpected argument \"%s\"", argv[argc - 1]);
        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (a.move_from)
                return main_move_store(&a, argv[first]);
        if (a.check) {
                _cleanup_free_ char *conf = config_find(a.conf);
                return configuration_check(conf);
        }
        block_signals();
        raise_file_limit();
        /* until the configured log is open */
        (void)log_open("slumberctld", NULL, a.verbose ? LOG_DEBUG : LOG_INFO);
        return main_run(&a);
}
