/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slumber-power: switches nodes by their BMCs, for people and as ResumeProgram and SuspendProgram.
 *
 * Slurm starts these programs with a host list, almost no environment, possibly closed standard
 * streams and blocked signals; the verb then follows from the program's name or from
 * SLURM_RESUME_FILE. */
#include "power/identity.h"
#include "power/in_band.h"
#include "power/power.h"
#include "power/via.h"

#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "lib/options.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#define EXIT_USAGE_ERROR  64
#define EXIT_CONFIG_ERROR 78
#define DEADLINE_MAX      (3600 * USEC_PER_SEC)
#define PROGRESS_FROM     (1 * USEC_PER_SEC) /* shorter work shows no progress */
#define ROOM_WAIT         (5 * USEC_PER_SEC) /* for the reader of results */
#define PROGRESS_PAUSE    (50 * USEC_PER_MSEC)

struct args {
        enum power_verb verb;
        const char *hosts, *config;
        /* Device of this machine's BMC, to be read for the process at standard input. */
        const char *in_band;
        bool check_file; /* only check power.yaml, with that user's permissions */
        uid_t check_uid;
        /* Lock file of a request at standard input; NULL: no request. */
        const char *worker;
        usec_t deadline; /* 0: power.yaml's */
        bool json, quiet, no_console;
        int result_fd; /* -1: results per node are not requested */
};

/* ---- name and environment ---- */

static void reset_signals(void) {
        sigset_t none;

        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_IGN);
        for (size_t i = 0; i < 3; i++)
                signal((const int[]){ SIGTERM, SIGINT, SIGHUP }[i], SIG_DFL);
}

static int take_deadline(void *field, const char *value, struct fail *fail) {
        usec_t *deadline = field;

        if (power_duration_parse(value, deadline) < 0 || *deadline == 0 || *deadline > DEADLINE_MAX)
                return fail_set(fail, -EINVAL, "--deadline: \"%s\" is not a time from 1ms to 1h",
                                value);
        return 0;
}

static int take_check_file(void *field, const char *value, struct fail *fail) {
        struct args *args = field;
        uint64_t uid = geteuid();

        if (value && uint_parse(value, 0, UINT32_MAX - 1, &uid) < 0)
                return fail_set(fail, -EINVAL, "--check-file: \"%s\" is not a user's number",
                                value);
        args->check_file = true;
        args->check_uid = (uid_t)uid;
        return 0;
}

#define AT(field) offsetof(struct args, field)
static const struct option_row option_rows[] = {
        { "config", 'c', OPTION_TEXT, AT(config), NULL, "FILE",
                        "power.yaml (else $SLUMBER_POWER_CONF, power_file of\n"
                        "slumber.yaml, beside $SLURM_CONF, /etc/slumber/power.yaml)" },
        { "deadline", 'd', OPTION_CALL, AT(deadline), take_deadline, "TIME",
                        "per node: 90, 90s, 2m (else the file's, 60s)" },
        { "json", 'j', OPTION_FLAG, AT(json), NULL, NULL, "print the results as JSON" },
        { "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, NULL, "print errors only" },
        { "no-console", 0, OPTION_FLAG, AT(no_console), NULL, NULL,
                        "do not keep the boot console" },
        { "check-file", 0, OPTION_CALL_OPTIONAL, 0, take_check_file, "UID",
                        "read power.yaml and its passwords, as that user would, and\n"
                        "tell all that is wrong with them" },
        { "in-band", 0, OPTION_TEXT, AT(in_band), NULL, "DEVICE",
                        "for slumberd: read this machine's own BMC" },
        { "worker", 0, OPTION_TEXT, AT(worker), NULL, "FILE",
                        "for slumberd: serve a request on standard input" },
        OPTION_ROWS_HELP(0),
};
static const struct option_table options = {
        .program = "slumber-power",
        .own = true,
        .rows = option_rows,
        .n_rows = ELEMENTSOF(option_rows),
        .synopsis = "Usage: slumber-power on|off|soft|cycle|status|watts|check HOSTLIST [OPTIONS]\n"
                    "       slumber-power HOSTLIST   as ResumeProgram or SuspendProgram of slurm.conf\n",
        .about = "\nSwitches nodes on and off by their BMCs and reads their state back, or what they draw.\n"
                 "check changes nothing: can each be reached and switched, and is it the node's own?\n\n",
        .notes = "\nExit code: 0 all nodes as wanted, 1 some not, 2 none, 64 usage, 78 configuration.\n",
};

/* Returns the verb of a program of slurm.conf, from its name or from Slurm's environment. */
static enum power_verb verb_for_program(const char *name) {
        if (streq(name, "slumber-resume"))
                return POWER_ON;
        if (streq(name, "slumber-suspend"))
                return POWER_OFF;
        return isempty(getenv("SLURM_RESUME_FILE")) ? POWER_OFF : POWER_ON;
}

static int args_parse_words(struct args *args, const char *program, char **words, int n) {
        bool fixed = streq(program, "slumber-resume") || streq(program, "slumber-suspend");
        int verb;

        if (n == 1 && (fixed || power_verb_parse(words[0]) < 0)) {
                args->verb = verb_for_program(program);
                args->hosts = words[0];
                return 0;
        }
        if (fixed || n < 2)
                return options_error(&options,
                                n == 1 ? "no nodes given" : "exactly one host list is expected");
        verb = power_verb_parse(words[0]);
        if (verb < 0)
                return options_error(&options,
                                "\"%s\" is not on, off, soft, cycle, status, watts or check",
                                words[0]);
        if (n > 2)
                return options_error(&options, "one host list only: \"%s\" is one too many",
                                words[2]);
        args->verb = (enum power_verb)verb;
        args->hosts = words[1];
        return 0;
}

/* ---- consoles ---- */

struct console {
        struct power_pool *pool;
        size_t *pool_index;  /* index for each BMC given to power_console_start() */
        uint32_t *bmc_index; /* index for each node of the pool */
        size_t n;
        int fd;
};

static bool ask_for_console(size_t i, void *userdata) {
        struct console *c = userdata;

        return c->bmc_index[i] != UINT32_MAX &&
               send(c->fd, &c->bmc_index[i], sizeof c->bmc_index[i], MSG_NOSIGNAL) > 0;
}

/* Releases a node's power-on when its console is ready. Ends with the process. */
static void *release_nodes(void *userdata) {
        struct console *c = userdata;
        uint32_t i;

        while (recv(c->fd, &i, sizeof i, 0) == sizeof i)
                if (i < c->n)
                        power_pool_release(c->pool, c->pool_index[i]);
        return NULL;
}

/* Called before threads start. Failures are only reported: nodes are switched on all the same. */
static void prepare_console(struct power_conf *conf, struct power_pool *pool,
                const struct hostlist *hl, struct console *c) {
        size_t n = hostlist_count(hl);
        _cleanup_free_ const struct power_bmc **bmcs = xnew0(const struct power_bmc *, n);
        struct fail fail = { 0 };
        pthread_t thread;

        *c = (struct console){ .pool = pool,
                .pool_index = xnew0(size_t, n),
                .bmc_index = xnew0(uint32_t, n) };
        for (size_t i = 0; i < n; i++) {
                bmcs[c->n] = power_conf_lookup(conf, hostlist_get(hl, i));
                c->pool_index[c->n] = i;
                bool has = bmcs[c->n] && bmcs[c->n]->access->driver->console &&
                           !bmcs[c->n]->access->via;
                c->bmc_index[i] = has ? (uint32_t)c->n : UINT32_MAX;
                c->n += has;
        }
        if (c->n == 0)
                return;
        if (power_console_start(conf, bmcs, c->n, &c->fd, &fail) < 0) {
                fprintf(stderr, "slumber-power: warning: no console is kept: %s\n", fail.text);
                return;
        }
        power_pool_before_on(pool, ask_for_console, c, conf->console.wait);
        if (pthread_create(&thread, NULL, release_nodes, c) == 0)
                pthread_detach(thread);
}

/* ---- requests ---- */

/* Returns the controller's descriptor from $SLUMBER_RESULT_FD, or -1. Called before any file is
   opened, which might get the number. */
static int result_fd_find(void) {
        const char *text = getenv("SLUMBER_RESULT_FD");
        uint64_t fd;

        if (isempty(text) || uint_parse(text, 3, INT_MAX, &fd) < 0 ||
                        fcntl((int)fd, F_SETFD, FD_CLOEXEC) < 0)
                return -1;
        return (int)fd;
}

/* Makes a pipe non-blocking by reopening it: the flag of the shared descriptor stays unchanged. */
static void result_fd_unblock(int fd) {
        char path[64];
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode))
                return;
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        int own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (own < 0)
                return;
        (void)dup3(own, fd, O_CLOEXEC);
        close(own);
}

/* Writes a result by a single write, so that lines of two writers never mix. A reader that is gone
   or stalled gets no more results. */
static void tell_outcome(struct args *args, const struct power_result *res) {
        /* A node that cannot be confirmed is not reported: the controller waits for its
           registration, as with other programs. */
        if (args->result_fd < 0 || power_verb_only_reads(args->verb) ||
                        (res->ok && !res->confirmed))
                return;
        _cleanup_free_ char *line = power_report_outcome(res);
        usec_t until = now_monotonic() + ROOM_WAIT;
        while (write(args->result_fd, line, strlen(line)) < 0) {
                struct pollfd fd = { .fd = args->result_fd, .events = POLLOUT };
                usec_t now = now_monotonic();
                if (errno == EAGAIN && now < until)
                        (void)poll(&fd, 1, (int)DIV_ROUND_UP(until - now, USEC_PER_MSEC));
                else if (errno != EINTR) {
                        args->result_fd = -1;
                        return;
                }
        }
}

/* Reports one failure for all nodes. */
static void outcome_print_all(struct args *args, const struct hostlist *hl,
                const struct fail *fail) {
        struct power_result res = { .cause = { POWER_FAULT_SHARED, *fail } };

        for (size_t i = 0; i < hostlist_count(hl); i++) {
                res.node = hostlist_get(hl, i);
                tell_outcome(args, &res);
        }
}

struct progress {
        struct args *args;
        usec_t began, shown; /* shown: time of the last output; 0: none yet */
        size_t failed, n;    /* n: characters on the screen */
        bool tty;
};

static void show_progress(struct progress *p, size_t n, size_t all) {
        usec_t now = now_monotonic();

        if (!p->tty || now < p->began + PROGRESS_FROM || now < p->shown + PROGRESS_PAUSE ||
                        (p->shown && n == p->n))
                return;
        fprintf(stderr, "\rslumber-power: %s: %zu of %zu", power_verb_text((int)p->args->verb), n,
                        all);
        if (p->failed)
                fprintf(stderr, ", %zu failed", p->failed);
        fputs(" \033[K", stderr);
        p->shown = now;
        p->n = n;
}

static void node_done(const struct power_result *res, size_t n, size_t all, void *userdata) {
        struct progress *p = userdata;

        if (res) {
                tell_outcome(p->args, res);
                p->failed += !res->ok;
        }
        show_progress(p, n, all);
}

/* Compares BMCs with the nodes' reports, if a controller can be asked. Verdicts borrow from
   told. */
static size_t results_judge(const struct power_result *const *results, size_t n,
                struct power_reported **told, size_t *n_told, struct power_verdict *verdicts) {
        struct fail fail = { 0 };
        size_t wrong = 0;

        bool asked = power_reported_ask(told, n_told, &fail) >= 0;
        if (!asked)
                fprintf(stderr, "slumber-power: warning: the agents' reports of their machines are not available: %s\n",
                                fail.text);
        _cleanup_(power_marks_freep) struct power_marks *marks = power_marks_new(results, n, *told,
                        *n_told);
        for (size_t i = 0; i < n; i++) {
                bool known = results[i]->ok && !results[i]->cause.fail.text[0];
                if (known)
                        verdicts[i] = power_verdict(marks, i);
                if (!asked)
                        verdicts[i].unknown = UNKNOWN_NOT_ASKED;
                wrong += verdicts[i].kind > VERDICT_OWN || (results[i]->ok && !known);
        }
        return wrong;
}

/* Prints errors, one line each. */
static void tell_errors(const struct args *args, const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n) {
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *wrong = verdicts && results[i]->ok
                                                             ? power_verdict_text(&verdicts[i])
                                                             : NULL;
                const char *text = results[i]->cause.fail.text;
                if (!results[i]->ok)
                        fprintf(stderr, "slumber-power: error: %s: %s\n", results[i]->node, text);
                else if (args->quiet && (wrong || text[0])) /* already in the report if not quiet */
                        fprintf(stderr, "slumber-power: error: %s: %s%s\n", results[i]->node,
                                        wrong ? "" : "its machine cannot be told: ",
                                        wrong ? wrong : text);
        }
}

/* Prints nodes with unknown owner of the BMC, one line per reason. */
static void tell_unknown(const struct power_result *const *results,
                const struct power_verdict *verdicts, size_t n) {
        for (enum power_unknown why = 0; why < UNKNOWN_MAX; why++) {
                _cleanup_(hostlist_freep) struct hostlist *hl = hostlist_new();
                for (size_t i = 0; i < n; i++)
                        if (results[i]->ok && !results[i]->cause.fail.text[0] &&
                                        verdicts[i].kind == VERDICT_UNKNOWN &&
                                        verdicts[i].unknown == why)
                                hostlist_push(hl, results[i]->node);
                if (hostlist_count(hl) == 0)
                        continue;
                hostlist_sort(hl);
                _cleanup_free_ char *names = hostlist_text(hl);
                fprintf(stderr, "slumber-power: warning: %s: whose BMC it is cannot be told: %s\n",
                                names, power_unknown_text(why));
        }
}

static int print_results(const struct args *args, const struct power_pool *pool) {
        size_t n = power_pool_count(pool), n_told = 0, wrong = 0;
        _cleanup_free_ const struct power_result **results = xnew0(const struct power_result *, n);
        _cleanup_free_ struct power_verdict *verdicts = NULL;
        struct power_reported *told = NULL;

        for (size_t i = 0; i < n; i++)
                results[i] = power_pool_result(pool, i);
        if (args->verb == POWER_CHECK) {
                verdicts = xnew0(struct power_verdict, n + 1);
                wrong = results_judge(results, n, &told, &n_told, verdicts);
        }
        _cleanup_free_ char *text = args->json ? power_report_json(args->verb, results, verdicts, n)
                                    : verdicts ? power_report_owners(results, verdicts, n)
                                    : args->verb == POWER_WATTS ? power_report_watts(results, n)
                                                                : power_report_text(results, n);
        if (!args->quiet || args->json)
                printf("%s%s", text, args->json ? "\n" : "");
        tell_errors(args, results, verdicts, n);
        if (verdicts && args->quiet)
                tell_unknown(results, verdicts, n);
        power_reported_free(told, n_told);
        if (fflush(stdout) != 0 && !args->quiet)
                fprintf(stderr, "slumber-power: warning: cannot write the results: %s\n",
                                strerror(errno));
        int code = power_report_exit(results, n);
        return wrong && code == 0 ? 1 : code;
}

static int nodes_run_verb(struct args *args, struct power_conf *conf, const struct hostlist *hl) {
        struct power_pool *pool;
        struct console *console = xnew0(struct console, 1);
        struct progress progress = { .args = args,
                .began = now_monotonic(),
                .tty = !args->quiet && isatty(STDERR_FILENO) };
        struct fail fail = { 0 };
        int r;

        pool = power_pool_new(conf, args->verb, args->deadline);
        for (size_t i = 0; i < hostlist_count(hl); i++)
                power_pool_add(pool, hostlist_get(hl, i));
        if (conf->console.dir && !args->no_console &&
                        (args->verb == POWER_ON || args->verb == POWER_CYCLE))
                prepare_console(conf, pool, hl, console);
        power_via_start(pool, conf, args->verb, args->deadline);
        r = power_pool_run(pool, node_done, &progress, &fail);
        if (progress.shown)
                fputs("\r\033[K", stderr);
        if (r < 0) {
                outcome_print_all(args, hl, &fail);
                fprintf(stderr, "slumber-power: error: %s\n", fail.text);
                return 2;
        }
        return print_results(args, pool);
}

/* Refuses a cycle whose deadline would cut its pause short, leaving the node off or not really
   off. */
static int check_cycle(const struct args *args, const struct power_conf *conf, struct fail *fail) {
        if (args->verb != POWER_CYCLE || args->deadline > conf->cycle_pause)
                return 0;
        return fail_set(fail, -EINVAL,
                        "cycle: the deadline, %.3f s, must be longer than cycle_pause, %.3f s",
                        (double)args->deadline / USEC_PER_SEC,
                        (double)conf->cycle_pause / USEC_PER_SEC);
}

/* Returns the controller's deadline: later results would arrive after the node's time-out. */
static usec_t deadline_given(void) {
        const char *text = getenv("SLUMBER_DEADLINE");
        uint64_t ms;

        return isempty(text) || uint_parse(text, 1, DEADLINE_MAX / USEC_PER_MSEC, &ms) < 0
                               ? USEC_INFINITY
                               : ms * USEC_PER_MSEC;
}

static int main_read_config(struct args *args, struct power_conf **ret, char **console_dir,
                char **socket, struct fail *fail) {
        _cleanup_free_ char *path = NULL;
        int r = power_conf_find(args->config, &path, console_dir, socket, fail);

        if (r >= 0)
                r = power_conf_read(path, ret, fail);
        if (r < 0)
                return r;
        if (!args->deadline)
                args->deadline = MIN((*ret)->deadline, deadline_given());
        return check_cycle(args, *ret, fail);
}

static int main_run(struct args *args) {
        _cleanup_(hostlist_freep) struct hostlist *hl = NULL;
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        _cleanup_free_ char *console_dir = NULL;
        char *socket = NULL;
        struct fail fail = { 0 };

        if (hostlist_parse(args->hosts, &hl, &fail) < 0 || hostlist_count(hl) == 0) {
                (void)options_error(&options, "%s", fail.text[0] ? fail.text : "no nodes given");
                return EXIT_USAGE_ERROR;
        }
        hostlist_sort(hl);
        if (main_read_config(args, &conf, &console_dir, &socket, &fail) < 0) {
                outcome_print_all(args, hl, &fail);
                fprintf(stderr, "slumber-power: error: %s\n", fail.text);
                return EXIT_CONFIG_ERROR;
        }
        /* Default of the controller, too, which reads the last lines there. */
        if (!conf->console.dir)
                conf->console.dir = TAKE(console_dir);
        power_via_socket(socket);
        if (power_addresses_ask(conf, hl, &fail) < 0 && !args->quiet)
                fprintf(stderr, "slumber-power: warning: BMC addresses from agents are not available: %s\n",
                                fail.text);
        return nodes_run_verb(args, conf, hl);
}

/* ---- check of power.yaml ---- */

static int main_become(uid_t uid) {
        if (uid == geteuid())
                return 0;
        const struct passwd *pw = getpwuid(uid);
        gid_t gid = pw ? pw->pw_gid : (gid_t)uid;
        return setgroups(1, &gid) < 0 || setresgid(gid, gid, gid) < 0 ||
                                               setresuid(uid, uid, uid) < 0
                               ? -errno
                               : 0;
}

static void print_check(const struct args *args, const char *path, const struct power_conf *conf,
                const struct faults *faults) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = hostlist_new();

        for (size_t i = 0; conf && i < conf->n_bmcs; i++)
                hostlist_push(nodes, conf->bmcs[i].node);
        _cleanup_free_ char *names = hostlist_text(nodes);
        if (args->json) {
                _cleanup_free_ char *text = power_report_check(path, names,
                                conf && conf->deadline_set ? conf->deadline : 0, faults);
                printf("%s\n", text);
                return;
        }
        for (size_t i = 0; i < faults->n; i++)
                fprintf(stderr, "slumber-power: error: %s\n", faults->lines[i]);
        if (conf && !args->quiet)
                printf("%s: %zu nodes: %s\n", path, conf->n_bmcs, names);
}

static int main_check_file(const struct args *args) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        _cleanup_free_ char *path = NULL, *console_dir = NULL, *socket = NULL;
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        int r = main_become(args->check_uid);

        if (r < 0) {
                fprintf(stderr, "slumber-power: error: cannot become user %u: %s\n",
                                (unsigned)args->check_uid, strerror(-r));
                return EXIT_CONFIG_ERROR;
        }
        if (power_conf_find(args->config, &path, &console_dir, &socket, &fail) >= 0)
                (void)power_conf_read(path, &conf, &fail);
        (void)fail_keep(&fail);
        print_check(args, strempty(path), conf, &faults);
        r = faults.n ? EXIT_CONFIG_ERROR : 0;
        faults_done(&faults);
        return fflush(stdout) == 0 ? r : 1;
}

int main(int argc, char **argv) {
        const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
        struct args args = { 0 };
        int r, first;

        standard_streams_open(); /* Slurm may have closed them */
        if (argc < 1)
                return EXIT_USAGE_ERROR;
        args.result_fd = result_fd_find();
        result_fd_unblock(args.result_fd);
        reset_signals();
        r = options_parse(&options, argc, argv, &args, &first);
        if (r > 0)
                return fflush(stdout) == 0 ? 0 : 1;
        if (r == 0 && args.check_file)
                return main_check_file(&args);
        if (r == 0 && args.in_band)
                _exit(power_in_band(STDIN_FILENO, args.in_band));
        if (r == 0 && args.worker)
                _exit(power_worker(STDIN_FILENO, args.worker));
        if (r == 0)
                r = args_parse_words(&args, slash ? slash + 1 : argv[0], argv + first,
                                argc - first);
        if (r < 0)
                return EXIT_USAGE_ERROR;
        r = main_run(&args);
        /* Threads may wait inside the library for a dead BMC: exit without waiting or freeing. */
        fflush(NULL);
        _exit(r);
}
