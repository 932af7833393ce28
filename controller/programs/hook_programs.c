/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PrologSlurmctld and EpilogSlurmctld: each runs once, whichever process is killed meanwhile.
 *
 * A child, slumber-hook, runs the programs, outlives slumberctld, and writes the result to a file
 * in the state folder, HOOKS/JOB.NUMBER (lib/hook_row.h).  The job's record announces a hook before
 * the hook is started here, and the file is kept until the record contains the result.  So a
 * restarted controller finds each hook in one of three states by the file: not begun, running,
 * over.  If two children are started for a hook, only one of them can create the file.  A hook that
 * was announced by a controller of another host has its file there: whether it has begun cannot be
 * known, so it counts as interrupted and is never begun again.
 *
 * Only the hook's job waits for a hook.  The number of running prologs and of running epilogs is
 * limited; further hooks wait in order of arrival.  Each kind has a limit of its own, so that
 * hanging epilogs delay no job's start. */
#include "controller/programs/hook_programs.h"

#include "controller/jobs/job_events.h"
#include "controller/loop/wall_clock.h"
#include "controller/programs/program.h"
#include "controller/programs/programs.h"
#include "controller/records/hook_env.h"
#include "lib/child.h"
#include "lib/hook_row.h"
#include "lib/log.h"
#include "lib/timetext.h"

#include <dirent.h>
#include <sys/stat.h>

#define HOOKS       "hooks"
#define LOOK_AGAIN  (100 * USEC_PER_MSEC)
#define LOOKS_MAX   100 /* at a file without a line, or at the rest of a program: 10 s */
#define START_AGAIN USEC_PER_SEC
#define STARTS_MAX  30 /* starts of a child that cannot start or ends before the hook begins */
#define WORDS_MAX   1024
/* maximum of a kind at a time, including hooks started by an earlier controller */
#define RUNS_MAX 256

struct hook_run {
        struct controller *ctl;
        uint32_t job, number;
        char *path;
        struct program *program; /* NULL: the file is read again later */
        sd_event_source *again;
        unsigned looks, starts;
        enum hook_kind kind;
        bool end;     /* the job is over: the hook is to be ended */
        bool running; /* counted in ctl->hooks_running */
        bool waits;   /* in ctl->hooks_waiting */
        TAILQ_ENTRY(hook_run) next;
};

static void hook_run_look(struct hook_run *run);

static void set_running(struct hook_run *run, bool running) {
        if (running != run->running)
                run->ctl->hooks_running[run->kind] += running ? 1 : (size_t)-1;
        run->running = running;
}

static void set_waits(struct hook_run *run, bool waits) {
        struct hook_run_list *list = &run->ctl->hooks_waiting[run->kind];

        if (!list->tqh_last)
                TAILQ_INIT(list);
        if (waits && !run->waits)
                TAILQ_INSERT_TAIL(list, run, next);
        else if (!waits && run->waits)
                TAILQ_REMOVE(list, run, next);
        run->waits = waits;
}

static void hook_run_free(struct hook_run *run) {
        set_running(run, false);
        set_waits(run, false);
        program_detach(run->program);
        sd_event_source_disable_unref(run->again);
        free(run->path);
        free(run);
}

static bool hook_is_epilog(const struct job *j) {
        return j->running.hook == HOOKS_EPILOG;
}

static struct hook_run *hook_run_find(const struct controller *ctl, uint32_t job, uint64_t number) {
        for (size_t i = 0; i < ctl->n_hook_runs; i++)
                if (ctl->hook_runs[i]->job == job && ctl->hook_runs[i]->number == number)
                        return ctl->hook_runs[i];
        return NULL;
}

static char *hook_run_path(const struct controller *ctl, uint32_t job, uint64_t number) {
        return xasprintf("%s/" HOOKS "/%u.%llu", ctl->cluster->config->state_save_location, job,
                        (unsigned long long)number);
}

/* ---- end of a hook ---- */

static int hook_on_again(sd_event_source *source, uint64_t at, void *user) {
        struct hook_run *run = user;

        (void)source, (void)at;
        sd_event_source_disable_unref(TAKE(run->again));
        hook_run_look(run);
        return 0;
}

static int hook_run_look_later(struct hook_run *run, usec_t pause) {
        return sd_event_add_time_relative(run->ctl->event, &run->again, CLOCK_MONOTONIC, pause, 0,
                        hook_on_again, run);
}

/* Started from the event loop: many hooks ending at once start their successors one by one. */
static void hooks_start_next(struct controller *ctl, enum hook_kind kind) {
        struct hook_run *run = TAILQ_FIRST(&ctl->hooks_waiting[kind]);

        if (!run || ctl->hooks_running[kind] >= RUNS_MAX)
                return;
        set_waits(run, false);
        if (hook_run_look_later(run, 0) < 0)
                hook_run_look(run);
}

/* error: NULL if the hook has succeeded. */
static void hook_run_over(struct hook_run *run, const char *error) {
        struct controller *ctl = run->ctl;
        struct job *j = cluster_job(ctl->cluster, run->job);
        uint32_t number = run->number;
        enum hook_kind kind = run->kind;

        for (size_t i = 0; i < ctl->n_hook_runs; i++)
                if (ctl->hook_runs[i] == run) {
                        ctl->hook_runs[i] = ctl->hook_runs[--ctl->n_hook_runs];
                        break;
                }
        if (j)
                job_hook_over(ctl->cluster, j, number, error, controller_now(ctl));
        hook_run_free(run);
        hooks_start_next(ctl, kind);
        controller_changed(ctl);
}

/* A lack of processes, descriptors or memory on the machine is no failure of the hook. */
static bool is_passing(int r) {
        return r == -EAGAIN || r == -EMFILE || r == -ENFILE || r == -ENOMEM;
}

/* Returns whether r is temporary and the hook is looked at again later. */
static bool hook_error_is_temporary(struct hook_run *run, int r) {
        return is_passing(r) && hook_run_look_later(run, START_AGAIN) >= 0;
}

/* The hook could not be started, or the child ended before the hook began. */
static void hook_run_again(struct hook_run *run, const char *why) {
        if (++run->starts >= STARTS_MAX || hook_run_look_later(run, START_AGAIN) < 0) {
                _cleanup_free_ char *text = xasprintf("it cannot be started: %s", why);
                hook_run_over(run, text);
                return;
        }
        if (run->starts == 1)
                log_fields(LOG_WARNING, 0, run->job, NULL,
                                "A hook of JobId=%u is started again: %s", run->job, why);
}

/* A file without a line belongs to a child that is about to write the line. */
static void look_at_file(struct hook_run *run, const struct hook_result *result) {
        bool waits = result->runner ? !hook_left_end(result) : true;

        if (result->ended)
                hook_run_over(run, streq(result->text, "ok") ? NULL : result->text);
        else if (!waits || ++run->looks >= LOOKS_MAX || hook_run_look_later(run, LOOK_AGAIN) < 0)
                hook_run_over(run, "it was interrupted, as slumber-hook was killed");
}

static void hook_on_ended(pid_t pid, int status, bool timed_out, const char *said, void *user) {
        struct hook_run *run = user;
        struct hook_result result;

        (void)pid, (void)status, (void)timed_out;
        run->program = NULL; /* program frees itself */
        set_running(run, false);
        if (*said)
                log_fields(LOG_INFO, 0, run->job, NULL, "A hook of JobId=%u says: %.*s", run->job,
                                (int)strlen(said) - (said[strlen(said) - 1] == '\n'), said);
        if (hook_read(run->path, &result) < 0)
                hook_run_again(run, *said ? said : "slumber-hook has ended before it has begun");
        else
                hook_run_look(run);
}

/* ---- start of a hook ---- */

/* Returns PrologEpilogTimeout, a duration; 0: none. */
static usec_t timeout_of(const struct config *config) {
        return config->prolog_epilog_timeout < 65534 ? config->prolog_epilog_timeout * USEC_PER_SEC
                                                     : 0;
}

static void hook_run_not_started(struct hook_run *run, int r, const char *why) {
        if (hook_error_is_temporary(run, r)) {
                if (run->looks++ == 0)
                        log_fields(LOG_WARNING, 0, run->job, NULL,
                                        "A hook of JobId=%u waits until it can be started: %s",
                                        run->job, why);
                return;
        }
        hook_run_again(run, why);
}

static void hook_run_start(struct hook_run *run, const struct job *j) {
        const struct controller *ctl = run->ctl;
        const struct config *config = ctl->cluster->config;
        const char *files = hook_is_epilog(j) ? config->epilog_slurmctld : config->prolog_slurmctld;
        _cleanup_free_ char *copy = xstrdup(strempty(files)), *cwd = programs_folder(config),
                            *program = program_beside("slumber-hook", "controller"),
                            *timeout = xasprintf("%llu", (unsigned long long)timeout_of(config));
        _cleanup_(environment_freep) struct environment *e = environment_new();
        const char *argv[WORDS_MAX + 1] = { run->path, timeout };
        char *rest = NULL;
        struct fail fail = { 0 };
        size_t n = 2;

        for (char *w = strtok_r(copy, ",", &rest); w && n < WORDS_MAX;
                        w = strtok_r(NULL, ",", &rest))
                argv[n++] = w;
        hook_env_fill(e, ctl->cluster, j, hook_is_epilog(j) ? HOOK_CTLD_EPILOG : HOOK_CTLD_PROLOG);
        const struct program_request req = {
                .path = program,
                .argv = argv,
                .slurm_conf = config->path,
                .environment = environment_vector(e),
                .cwd = cwd,
                .uid = config->slurm_uid,
                .gid = ctl->slurm_gid,
        };
        int r = program_start(ctl->event, &req, hook_on_ended, run, &run->program, &fail);
        set_running(run, r >= 0);
        if (r < 0)
                hook_run_not_started(run, r, fail.text);
        else
                log_fields(LOG_INFO, 0, j->id, NULL, "%s of JobId=%u",
                                hook_is_epilog(j) ? "EpilogSlurmctld" : "PrologSlurmctld", j->id);
}

/* The child has begun: the hook is running or over. */
static void hook_run_adopt(struct hook_run *run, struct hook_result *result) {
        int r = -ESRCH;

        if (!result->ended && result->same_boot && result->runner)
                r = program_adopt(run->ctl->event, result->runner, result->runner_start, 0,
                                hook_on_ended, run, &run->program);
        if (r >= 0) {
                set_running(run, true);
                if (run->end)
                        program_signal(run->program, SIGTERM);
        } else if (!hook_error_is_temporary(run, r)) {
                (void)hook_read(run->path, result); /* the hook may have ended just now */
                look_at_file(run, result);
        }
}

/* Finds out whether the hook is running, over, or has not begun. */
static void hook_run_look(struct hook_run *run) {
        struct controller *ctl = run->ctl;
        const struct job *j = cluster_job(ctl->cluster, run->job);
        struct hook_result result;
        int r = hook_read(run->path, &result);

        if (hook_error_is_temporary(run, r))
                return;
        if (r == -ENOENT && j && job_hook_runs(j) && j->running.hooks == run->number) {
                if (j->running.hook_away)
                        hook_run_over(run, "it was interrupted, as its controller's host is gone");
                else if (run->end) /* a hook that has not begun never will */
                        hook_run_over(run, "its job was over before it began");
                else if (ctl->hooks_running[run->kind] >= RUNS_MAX)
                        set_waits(run, true);
                else
                        hook_run_start(run, j);
        } else if (r < 0) {
                _cleanup_free_ char *text = xasprintf("%s: %s", run->path, strerror(-r));
                hook_run_over(run, text);
        } else
                hook_run_adopt(run, &result);
}

/* Starts a hook; a repeated request changes nothing. */
void hook_program(struct controller *ctl, const struct effect *fx) {
        struct hook_run *run = hook_run_find(ctl, fx->job, fx->serial);

        if (run && fx->now) {
                run->end = true;
                if (run->waits) {
                        set_waits(run, false);
                        hook_run_look(run);
                        return;
                }
                if (run->program)
                        program_signal(run->program, SIGTERM);
        }
        if (run)
                return;
        const struct job *j = cluster_job(ctl->cluster, fx->job);
        run = xnew0(struct hook_run, 1);
        *run = (struct hook_run){ .ctl = ctl,
                .kind = j && hook_is_epilog(j) ? HOOK_EPILOGS : HOOK_PROLOGS,
                .job = fx->job,
                .number = (uint32_t)fx->serial,
                .path = hook_run_path(ctl, fx->job, fx->serial),
                .end = fx->now };
        GROW(ctl->hook_runs, ctl->a_hook_runs, ctl->n_hook_runs);
        ctl->hook_runs[ctl->n_hook_runs++] = run;
        hook_run_look(run);
}

/* ---- results on disk ---- */

void hook_program_over(struct controller *ctl, const struct effect *fx) {
        _cleanup_free_ char *path = hook_run_path(ctl, fx->job, fx->serial);

        (void)unlink(path);
}

static bool hook_file_is_wanted(const struct controller *ctl, const char *name) {
        const char *dot = strchr(name, '.');
        uint64_t job, number;
        _cleanup_free_ char *id = dot ? xstrndup(name, (size_t)(dot - name)) : NULL;

        if (!id || uint_parse(id, 1, UINT32_MAX, &job) < 0 ||
                        uint_parse(dot + 1, 1, UINT32_MAX, &number) < 0)
                return false;
        const struct job *j = cluster_job(ctl->cluster, (uint32_t)job);
        return j && job_hook_runs(j) && j->running.hooks == number;
}

int hook_programs_open(struct controller *ctl, struct fail *fail) {
        _cleanup_free_ char *folder = xasprintf("%s/" HOOKS,
                        ctl->cluster->config->state_save_location);

        if (mkdir(folder, 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s: %s", folder, strerror(errno));
        DIR *d = opendir(folder);
        if (!d)
                return fail_set(fail, -errno, "cannot read %s: %s", folder, strerror(errno));
        for (struct dirent *e; (e = readdir(d));)
                if (e->d_name[0] != '.' && !hook_file_is_wanted(ctl, e->d_name))
                        (void)unlinkat(dirfd(d), e->d_name, 0);
        closedir(d);
        return 0;
}

void hook_programs_free(struct controller *ctl) {
        while (ctl->n_hook_runs)
                hook_run_free(ctl->hook_runs[--ctl->n_hook_runs]);
        free(TAKE(ctl->hook_runs));
}
