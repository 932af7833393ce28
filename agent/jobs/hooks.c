/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prolog and Epilog of the jobs on the node: each runs once, whatever process is killed
 * meanwhile.
 *
 *   new -> prolog runs -> ready: steps start -> (the job ends) -> epilog runs -> over -> forgotten
 *
 * If a hook is configured, each job has a record in the spool, from the first launch (or the end,
 * for a job without launches here) until the controller acknowledges JobGone. The record is
 * written before each of the states begins. A hook is run by a step daemon, which outlives
 * slumberd and writes the result to a file (lib/hook_row.h). When the daemon's socket refuses,
 * the file has the answer: the hook has not begun (and is started again), has ended, or was
 * killed with the daemon (remaining processes are killed, and the hook has failed).
 *
 * A job with only a record left keeps the struct job: the job is registered, and the controller,
 * which may have forgotten the job, orders the end. After a reboot the job is reported as lost. */
#include "agent/jobs/hooks.h"
#include "agent/jobs/job.h"
#include "agent/jobs/launch.h"
#include "agent/jobs/plugins.h"
#include "agent/jobs/stepds.h"
#include "agent/state/agent.h"

#include "agent/common/task_environment.h"
#include "lib/child.h"
#include "lib/folder.h"
#include "lib/hook_row.h"
#include "lib/timer.h"

#define LOOK_AGAIN  (100 * USEC_PER_MSEC)
#define TRIES_MAX   3   /* attempts with step daemons ending before the hook has begun */
#define KILLS_MAX   100 /* checks whether the program of a killed step daemon has ended: 10 s */
#define INTERRUPTED "was interrupted"

/* Phases of a job's hooks; stored in the record. */
enum hook_phase {
        HOOK_NEW,
        HOOK_PROLOG, /* the prolog runs */
        HOOK_READY,  /* the prolog has run, or none was configured */
        HOOK_EPILOG,
        HOOK_OVER,
};

struct hooks {
        struct job *job;
        Slumber__HookRecord *record;
        bool earlier_boot; /* the record is from an earlier boot: no process of the job is left */
        struct conn *conn; /* connection to the step daemon; NULL: none */
        sd_event_source *again;
        unsigned tries, kills;
        bool waits; /* waits for turn (PrologFlags=Serial) */
        uint64_t turn;
        struct launch *launches; /* launches waiting for the prolog */
        bool told; /* the prolog's error was reported by a refused launch of the controller */
};

static void hook_on_message(struct conn *c, Envelope *env, void *user);
static void hook_on_closed(struct conn *c, int r, const char *why, void *user);
static const struct conn_ops hook_ops = { .message = hook_on_message, .closed = hook_on_closed };
static void hook_connect(struct hooks *h);
static void hook_finish(struct hooks *h, const char *error);
static int hook_begin_phase(struct hooks *h, struct fail *fail);

static bool is_epilog(const struct hooks *h) {
        return h->record->phase >= HOOK_EPILOG;
}

bool hooks_wanted(const struct agent *a, bool epilog) {
        return (epilog ? a->n_epilog : a->n_prolog) || agent_has_plugins(a);
}

static const char *name_of(const struct hooks *h) {
        return is_epilog(h) ? "Epilog" : "Prolog";
}

/* Returns true if the hook runs, or waits for h->turn. */
static bool hook_is_running(const struct hooks *h) {
        return h->record->phase == HOOK_PROLOG || h->record->phase == HOOK_EPILOG;
}

static int hook_record_write(const struct hooks *h, struct fail *fail) {
        return spool_write_hook(h->job->id, h->job->restarts, h->record, fail);
}

static char *result_path(const struct hooks *h) {
        return spool_hook_path(h->job->id, h->job->restarts, is_epilog(h) ? ".epilog" : ".prolog");
}

/* ---- the record ---- */

static void field_set(char **field, const char *value) {
        if (*field != protobuf_c_empty_string)
                free(*field);
        *field = xstrdup(strempty(value));
}

static struct hooks *hooks_new(struct job *j, Slumber__HookRecord *record) {
        struct hooks *h = xnew0(struct hooks, 1);

        *h = (struct hooks){ .job = j, .record = record };
        return j->hooks = h;
}

static struct hooks *hooks_begin(struct job *j, enum hook_phase phase) {
        Slumber__HookRecord *record = xnew(Slumber__HookRecord, 1);
        char boot[BOOT_ID_SIZE];

        boot_id(boot);
        slumber__hook_record__init(record);
        record->phase = phase;
        record->uid = j->uid;
        field_set(&record->boot, boot);
        return hooks_new(j, record);
}

void hooks_free(struct job *j) {
        struct hooks *h = TAKE(j->hooks);

        if (!h)
                return;
        while (h->launches)
                launch_drop(&h->launches, NULL);
        sd_event_source_disable_unref(h->again);
        if (h->conn)
                conn_close(h->conn);
        slumber__hook_record__free_unpacked(h->record, NULL);
        free(h);
}

/* ---- a hook starts ---- */

/* Fills the hook's environment from the record and the node; nothing of the user's or of slumberd's
   own environment. */
static void fill_environment(const struct hooks *h, struct environment *e) {
        const struct agent *a = h->job->agent;
        Slumber__StepdSpec spec = SLUMBER__STEPD_SPEC__INIT;
        Slumber__LaunchStep launch = SLUMBER__LAUNCH_STEP__INIT;
        Slumber__CredentialBody credential = SLUMBER__CREDENTIAL_BODY__INIT;
        Slumber__AgentConfig config = SLUMBER__AGENT_CONFIG__INIT;

        for (size_t i = 0; i < h->record->n_environment; i++)
                environment_put(e, h->record->environment[i]);
        environment_set(e, "SLURM_JOB_ID", "%u", h->job->id);
        environment_set(e, "SLURM_JOBID", "%u", h->job->id);
        environment_set(e, "SLURM_JOB_UID", "%u", h->record->uid);
        environment_set(e, "SLURM_UID", "%u", h->record->uid);
        environment_put(e, CHILD_PATH);
        environment_set(e, "SLURM_SCRIPT_CONTEXT", "%s",
                        is_epilog(h) ? "epilog_slurmd" : "prolog_slurmd");
        environment_set(e, "SLURMD_NODENAME", "%s", a->node);
        if (a->config)
                environment_set(e, "SLURM_CONF", "%s", a->config->path);
        /* the job's GPUs, by their numbers on the node */
        launch.batch = true;
        credential.job_gres = credential.step_gres = h->record->gres;
        config.gres = a->gres;
        config.n_gres = a->n_gres;
        spec.launch = &launch;
        spec.credential = &credential;
        spec.config = &config;
        environment_of_gpus(e, &spec, SIZE_MAX);
        environment_unset(e, "SLURM_GPUS_ON_NODE");
        environment_unset(e, "SLURM_SHARDS_ON_NODE");
}

/* PrologFlags=RunInJob: returns the extern step's cgroup, made again if removed with the job's
   processes. */
static int extern_group(const struct job *j, struct cg **ret, struct fail *fail) {
        return cg_system_make(j->agent->cgroups, j->group, STEP_WORD(STEP_EXTERN), j->uid, NULL,
                        ret, fail);
}

/* Lifts the memory limits for the epilog: the epilog of a job with little memory would be killed,
   and the node drained. */
static int lift_memory(const struct job *j, struct fail *fail) {
        static const struct cg_limits none = { .memory = CG_NO_LIMIT };
        const char *of[] = { NULL, STEP_WORD(STEP_EXTERN) };
        int r = 0;

        for (size_t i = 0; i < ELEMENTSOF(of) && r >= 0; i++) {
                _cleanup_(cg_freep) struct cg *group = NULL;

                r = cg_system_make(j->agent->cgroups, j->group, of[i], j->uid, &none, &group, fail);
        }
        return r;
}

/* Kills processes left in the extern step's cgroup by the epilog. Returns false while processes are
   left. */
static bool end_leftovers(const struct job *j) {
        _cleanup_(cg_freep) struct cg *group = NULL;

        if (!j->agent->hooks_in_job || extern_group(j, &group, NULL) < 0)
                return true;
        if (cg_may_be_populated(group)) {
                (void)cg_kill(group);
                return false;
        }
        (void)cg_remove(group);
        return true;
}

static int hook_send_spec(const struct hooks *h, struct conn *conn, struct fail *fail) {
        const struct agent *a = h->job->agent;
        _cleanup_(cg_freep) struct cg *group = NULL;
        _cleanup_free_ char *marker = NULL;
        _cleanup_free_ char *file = result_path(h), *whole = xasprintf("%s/%s", a->spool, file);
        Slumber__StepdSpec spec = SLUMBER__STEPD_SPEC__INIT;
        Slumber__HookSpec hook = SLUMBER__HOOK_SPEC__INIT;
        _cleanup_(environment_freep) struct environment *e = environment_new();

        int r = a->hooks_in_job ? extern_group(h->job, &group, fail) : 0;
        if (r >= 0 && group && is_epilog(h) && (a->memory.ram || a->memory.swap))
                r = lift_memory(h->job, fail);
        if (r < 0)
                return r;
        fill_environment(h, e);
        if (group) {
                hook.cgroup = (char *)(uintptr_t)cg_handle(group);
                marker = cg_marker(group);
                environment_put(e, marker);
        }
        hook.files = is_epilog(h) ? a->epilog : a->prolog;
        hook.n_files = is_epilog(h) ? a->n_epilog : a->n_prolog;
        hook.environment = environment_vector(e);
        hook.n_environment = environment_count(e);
        hook.timeout = is_epilog(h) ? a->epilog_timeout : a->prolog_timeout;
        hook.result = whole;
        hook.epilog = is_epilog(h);
        hook.job = h->job->id;
        hook.uid = h->record->uid;
        if (agent_has_plugins(a)) {
                hook.plugstack = a->plugstack;
                hook.plugin_dir = a->plugin_dir;
                hook.plugin_options = h->record->plugin_options;
                hook.n_plugin_options = h->record->n_plugin_options;
        }
        spec.hook = &hook;
        ENVELOPE(env, STEPD_SPEC, stepd_spec, &spec);
        r = conn_send(conn, &env);
        return r < 0 ? fail_set(fail, r, "cannot pass it on: %s", strerror(-r)) : 0;
}

/* The record names the daemon's socket before the daemon can begin: a hook with a record counts as
   started. */
static int start_daemon(struct hooks *h, struct fail *fail) {
        _cleanup_(stepd_freep) struct stepd *d = NULL;
        int r = stepd_get(h->job->agent, &d, fail);

        if (r < 0)
                return r;
        field_set(&h->record->socket, d->socket);
        r = hook_record_write(h, fail);
        if (r >= 0)
                r = hook_send_spec(h, d->conn, fail);
        if (r >= 0)
                r = stepd_start(d, fail);
        if (r < 0)
                return r;
        h->conn = TAKE(d->conn);
        conn_set_ops(h->conn, &hook_ops, h);
        log_fields(LOG_INFO, 0, h->job->id, h->job->agent->node, "%s of job %u starts", name_of(h),
                        h->job->id);
        return 0;
}

static bool another_runs(const struct hooks *h) {
        for (const struct job *j = h->job->agent->jobs; j; j = j->next)
                if (j->hooks && j->hooks != h && hook_is_running(j->hooks) && !j->hooks->waits)
                        return true;
        return false;
}

/* Starts the hook of the current phase, at once or in turn. */
static int hook_begin_phase(struct hooks *h, struct fail *fail) {
        static uint64_t turns;

        h->waits = h->job->agent->serial_hooks && another_runs(h);
        if (!h->waits)
                return start_daemon(h, fail);
        h->turn = turns++;
        field_set(&h->record->socket, "");
        int r = hook_record_write(h, fail);
        h->waits = r >= 0;
        return r;
}

/* Starts the hook waiting longest, after a hook has ended. */
static void start_next(struct agent *a) {
        struct hooks *next = NULL;
        struct fail fail = { 0 };

        for (struct job *j = a->jobs; j; j = j->next)
                if (j->hooks && j->hooks->waits && (!next || j->hooks->turn < next->turn))
                        next = j->hooks;
        if (next && hook_begin_phase(next, &fail) < 0)
                hook_finish(next, fail.text);
}

/* ---- ... and ends ---- */

static void go_on_with_launches(struct hooks *h) {
        const char *error = *h->record->prolog_error ? h->record->prolog_error : NULL;

        while (h->launches && !job_terminating(h->job)) {
                h->told |= error && !launch_is_guests(h->launches);
                launch_go_on(&h->launches, error);
        }
        if (job_terminating(h->job))
                job_step_ended(h->job); /* the job may be over now */
}

static int hook_retry_later(struct hooks *h, sd_event_time_handler_t handler) {
        sd_event_source_disable_unref(TAKE(h->again));
        return sd_event_add_time_relative(h->job->agent->event, &h->again, CLOCK_MONOTONIC,
                        LOOK_AGAIN, 0, handler, h);
}

static int on_left(sd_event_source *source, uint64_t at, void *user);

/* Ends the job after the epilog and the processes left by the epilog; after 10 s even if processes
   do not die. */
static void epilog_finish(struct hooks *h) {
        struct job *j = h->job;

        if (!end_leftovers(j) && ++h->kills < KILLS_MAX && hook_retry_later(h, on_left) >= 0)
                return;
        if (h->kills >= KILLS_MAX)
                log_fields(LOG_ERR, 0, j->id, j->agent->node,
                                "Job %u: what its epilog has left does not end", j->id);
        job_epilog_over(j);
}

static int on_left(sd_event_source *source, uint64_t at, void *user) {
        (void)source, (void)at;
        epilog_finish(user);
        return 0;
}

/* Called when a hook has ended. error: text without the hook's name; NULL: success. */
static void hook_finish(struct hooks *h, const char *error) {
        struct job *j = h->job;
        struct agent *a = j->agent;
        bool epilog = is_epilog(h);
        struct fail fail = { 0 };
        _cleanup_free_ char *text = error ? xasprintf("%s: %s", name_of(h), error) : NULL;

        if (error)
                log_fields(LOG_ERR, 0, j->id, a->node, "Job %u: %s", j->id, text);
        else
                log_fields(LOG_INFO, 0, j->id, a->node, "%s of job %u has ended", name_of(h),
                                j->id);
        h->waits = false;
        h->tries = h->kills = 0;
        field_set(epilog ? &h->record->epilog_error : &h->record->prolog_error, text);
        field_set(&h->record->socket, "");
        h->record->phase = epilog ? HOOK_OVER : HOOK_READY;
        /* after an error, the next slumberd reads the result from the hook's file */
        if (hook_record_write(h, &fail) < 0)
                log_fields(LOG_ERR, 0, j->id, a->node, "Job %u: %s", j->id, fail.text);
        if (epilog)
                epilog_finish(h); /* may free h */
        else
                go_on_with_launches(h);
        start_next(a);
}

static int hook_on_retry(sd_event_source *source, uint64_t at, void *user) {
        (void)source, (void)at;
        hook_connect(user);
        return 0;
}

/* Handles a hook killed with its daemon: first kills processes started by the hook. */
static void hook_handle_killed(struct hooks *h, const struct hook_result *result) {
        if (!hook_left_end(result) && ++h->kills < KILLS_MAX &&
                        hook_retry_later(h, hook_on_retry) >= 0)
                return;
        hook_finish(h, !h->earlier_boot ? INTERRUPTED ", as its step daemon was killed"
                        : is_epilog(h)  ? INTERRUPTED " by a reboot"
                                        : NULL);
}

/* Reads the hook's result file; the daemon is gone or never existed. */
static void read_result(struct hooks *h) {
        _cleanup_free_ char *path = result_path(h);
        struct hook_result result;
        struct fail fail = { 0 };
        bool begun = hook_read(path, &result) >= 0;

        if (!begun && (h->earlier_boot || !h->job->agent->welcome)) {
                /* the hook is requested again after the node's registration */
                h->record->phase = is_epilog(h) ? HOOK_READY : HOOK_NEW;
                job_hooks_adopted(h->job, false, false);
        } else if (!begun && ++h->tries < TRIES_MAX) {
                if (hook_begin_phase(h, &fail) < 0)
                        hook_finish(h, fail.text);
        } else if (!begun) {
                hook_finish(h, "its step daemon ends before it has begun");
        } else if (!result.ended) {
                hook_handle_killed(h, &result);
        } else {
                hook_finish(h, streq(result.text, "ok") ? NULL : result.text);
        }
}

/* Connects to the hook's daemon; without a daemon, reads the result. */
static void hook_connect(struct hooks *h) {
        struct agent *a = h->job->agent;
        _cleanup_close_ int fd = h->earlier_boot ? -ECONNREFUSED
                                                 : rendezvous_connect(h->record->socket);
        int r = fd < 0 ? fd : conn_adopt(a->event, TAKE_FD(fd), &hook_ops, h, &h->conn);

        if (r == -EAGAIN || r == -EMFILE || r == -ENFILE || r == -ENOMEM || r == -ENOBUFS)
                r = hook_retry_later(h, hook_on_retry);
        if (r < 0)
                read_result(h);
}

static void hook_on_message(struct conn *c, Envelope *env, void *user) {
        (void)c, (void)env, (void)user; /* a hook's daemon sends no messages */
}

static void hook_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct hooks *h = user;

        (void)c, (void)r, (void)why;
        h->conn = NULL;
        hook_connect(h);
}

/* ---- what launches and ends ask ---- */

bool hooks_prolog_runs(const struct job *j) {
        return j->hooks && j->hooks->record->phase == HOOK_PROLOG;
}

static void put_options(Slumber__HookRecord *r, const Slumber__StepSpec *spec) {
        r->plugin_options = xnew0(Slumber__PluginOption *, MAX(spec->n_plugin_options, (size_t)1));
        r->n_plugin_options = spec->n_plugin_options;
        for (size_t i = 0; i < r->n_plugin_options; i++) {
                Slumber__PluginOption *to = r->plugin_options[i] = xnew(Slumber__PluginOption, 1);
                const Slumber__PluginOption *from = spec->plugin_options[i];

                slumber__plugin_option__init(to);
                field_set(&to->plugin, from->plugin);
                field_set(&to->option, from->option);
                field_set(&to->value, from->value);
                to->has_value = from->has_value;
        }
}

int hooks_before_step(struct job *j, const Slumber__LaunchStep *m,
                const Slumber__CredentialBody *body, struct fail *fail) {
        struct agent *a = j->agent;
        struct hooks *h = j->hooks;
        bool wanted = hooks_wanted(a, false),
             /* a job with steps is older than the setting of Prolog */
                        prolog = wanted && !j->steps;

        if (!h && !wanted && a->n_epilog == 0) /* plug-ins count for both hooks */
                return 0;
        if (!h) {
                h = hooks_begin(j, HOOK_NEW);
                field_set(&h->record->gres, body->job_gres);
                texts_set(&h->record->environment, &h->record->n_environment, m->hook_environment,
                                m->n_hook_environment);
                put_options(h->record, m->spec);
        }
        if (h->record->phase == HOOK_NEW) {
                h->record->phase = prolog ? HOOK_PROLOG : HOOK_READY;
                int r = prolog ? hook_begin_phase(h, fail) : hook_record_write(h, fail);
                if (r >= 0 && !prolog) /* the epilog must run even after a power failure */
                        spool_sync_hook(j->id, j->restarts);
                if (r < 0)
                        h->record->phase = HOOK_NEW;
                if (r < 0 || !prolog)
                        return r;
        }
        h->told |= *h->record->prolog_error && !*body->maker;
        if (*h->record->prolog_error)
                return fail_set(fail, -ECANCELED, "%s", h->record->prolog_error);
        return h->record->phase == HOOK_PROLOG;
}

struct launch **hooks_launches(struct job *j) {
        return &j->hooks->launches;
}

/* Records the failure of an epilog, which could not be started. */
static void fail_epilog(struct hooks *h, const char *why) {
        _cleanup_free_ char *text = xasprintf("Epilog: %s", why);

        h->record->phase = HOOK_OVER;
        field_set(&h->record->epilog_error, text);
        log_fields(LOG_ERR, 0, h->job->id, h->job->agent->node, "Job %u: %s", h->job->id, text);
}

void hooks_before_end(struct job *j, const Slumber__TerminateJob *m) {
        struct hooks *h = j->hooks;
        struct fail fail = { 0 };

        if (!h && (!m->epilog || !hooks_wanted(j->agent, true)))
                return;
        bool fresh = !h;
        if (fresh)
                h = hooks_begin(j, HOOK_READY);
        while (h->launches)
                launch_drop(&h->launches, "the job is being ended");
        if (m->n_hook_environment && h->record->phase < HOOK_EPILOG) {
                texts_set(&h->record->environment, &h->record->n_environment, m->hook_environment,
                                m->n_hook_environment);
                field_set(&h->record->gres, m->job_gres);
        }
        if (fresh && hook_record_write(h, &fail) < 0)
                fail_epilog(h, fail.text);
}

bool hooks_start_epilog(struct job *j) {
        struct hooks *h = j->hooks;
        struct fail fail = { 0 };

        if (!h || h->record->phase == HOOK_OVER || !hooks_wanted(j->agent, true))
                return false;
        h->record->phase = HOOK_EPILOG;
        h->tries = 0;
        h->earlier_boot = false; /* the epilog runs in the current boot */
        char boot[BOOT_ID_SIZE];
        boot_id(boot);
        field_set(&h->record->boot, boot);
        if (hook_begin_phase(h, &fail) >= 0)
                return true;
        fail_epilog(h, fail.text);
        return false;
}

const char *hooks_error(const struct job *j, int *ret_code) {
        const struct hooks *h = j->hooks;
        bool prolog = h && !*h->record->epilog_error && !h->told;

        *ret_code = prolog ? SLUMBER_PROLOG_FAILED : SLUMBER_EPILOG_FAILED;
        return !h ? "" : prolog ? h->record->prolog_error : h->record->epilog_error;
}

bool hooks_of_earlier_boot(const struct job *j) {
        return j->hooks && j->hooks->earlier_boot;
}

void hooks_acknowledged(struct job *j) {
        if (!j->hooks)
                return;
        spool_remove_hook(j->id, j->restarts);
        hooks_free(j);
}

/* ---- after a restart ---- */

/* Restores the hooks of a job. An unreadable record is treated as a record of an earlier boot: the
   epilog must run, and the epilog's own file has the progress. */
static int hooks_restore(struct agent *a, uint32_t id, uint32_t restarts, struct fail *fail) {
        char boot[BOOT_ID_SIZE];
        Slumber__HookRecord *record = NULL;
        struct job *j = NULL;
        int r = spool_read_hook(id, restarts, &record);
        int e = r >= 0 || r == -EBADMSG ? job_get(a, id, restarts, r < 0 ? CG_NO_USER : record->uid,
                                                          &j, fail)
                                        : fail_set(fail, r, "%s", strerror(-r));

        boot_id(boot);
        if (e < 0) {
                if (record)
                        slumber__hook_record__free_unpacked(record, NULL);
                return fail_prefix(fail, e, "the record of the hooks of job %u", id);
        }
        if (r < 0)
                log_fields(LOG_WARNING, 0, id, a->node,
                                "The record of the hooks of job %u cannot be read: its epilog runs",
                                id);
        struct hooks *h = r < 0 ? hooks_begin(j, HOOK_READY) : hooks_new(j, record);
        h->earlier_boot = r < 0 || !streq(h->record->boot, boot);
        j->uid = h->record->uid;
        j->adopted = true;
        if (hook_is_running(h))
                hook_connect(h);
        job_hooks_adopted(j, h->record->phase == HOOK_EPILOG, h->record->phase == HOOK_OVER);
        return 0;
}

int hooks_adopt(struct agent *a, struct fail *fail) {
        char **names = folder_list("hooks", false);
        int r = 0;

        for (size_t i = 0; names[i]; i++) {
                uint32_t job, restarts;

                if (r >= 0 && hook_name_parse(names[i], &job, &restarts)) {
                        if (a->options.forget)
                                spool_remove_hook(job, restarts);
                        else
                                r = hooks_restore(a, job, restarts, fail);
                }
                free(names[i]);
        }
        free(names);
        return r;
}
