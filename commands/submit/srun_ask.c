/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of srun and salloc to the controller: an allocation, a step, an end. */
#include "commands/submit/srun.h"

#include "commands/steps/bcast.h"
#include "commands/steps/x11_forward.h"
#include "commands/submit/srun_bcast.h"

#include "commands/jobenv.h"
#include "commands/submit/plugins.h"
#include "lib/preserve_env.h"
#include "lib/step/cpufreq.h"
#include "lib/x11.h"

extern char **environ;

int srun_send(struct srun *s, Envelope *env, bool answered) {
        if (answered)
                env->id = s->awaited = ++s->last_request;
        return s->w ? wire_send(s->w, env) : -ENOTCONN;
}

const char *srun_job_name(const struct srun *s) {
        if (s->salloc && !s->o.name)
                return s->o.no_shell ? "no-shell" : "interactive";
        return s->o.name ? s->o.name : path_base(s->argv[0]);
}

/* Prepares X11 forwarding; 255 is Slurm's exit code for a failure. */
static int find_x_server(struct srun *s) {
        struct fail fail = { 0 };
        int r = s->o.spec.x11 && s->again == AGAIN_NONE ? x11_prepare(&fail) : 0;

        if (r >= 0)
                return 0;
        command_error(s->program, "%s", fail.text);
        s->failure = 255;
        return r;
}

/* A request for an allocation, with the texts that the messages borrow. */
struct asked {
        char *cwd, *host, *command;
        size_t n;
        Slumber__JobSpec *specs;
        Slumber__SubmitRequest *requests, **pointers; /* for each component */
};

static void asked_done(struct asked *a) {
        free(a->cwd);
        free(a->host);
        free(a->command);
        free(a->specs);
        free(a->requests);
        free(a->pointers);
}

static void ask_component(const struct srun *s, struct asked *a, size_t at) {
        const struct job_options *o = srun_options_of(s, at);
        Slumber__SubmitRequest *request = a->pointers[at] = &a->requests[at];
        Slumber__JobSpec *spec = &a->specs[at];

        slumber__submit_request__init(request);
        job_options_spec(o, spec);
        spec->name = (char *)(uintptr_t)(at && o->name ? o->name : srun_job_name(s));
        spec->command = a->command;
        if (isempty(spec->work_dir))
                spec->work_dir = a->cwd;
        spec->submit_host = a->host;
        spec->hook_variables = command_hook_variables(at);
        spec->submit_line = s->submit_line;
        spec->submit_pid = (uint32_t)getsid(0);
        spec->stays = s->o.no_shell;
        request->spec = spec;
        request->immediate = s->o.immediate && !s->o.immediate_seconds;
        request->test_only = s->o.test_only;
}

/* --preserve-env with an own allocation: keeps the variables that the environment of a new job
   leaves out. */
static void keep_numbers(struct environment *e) {
        for (size_t i = 0; i < ELEMENTSOF(preserve_env_names); i++) {
                const char *value = getenv(preserve_env_names[i]);
                if (value)
                        environment_set(e, preserve_env_names[i], "%s", value);
        }
}

/* --bcast with --send-libs: the copied libraries come first. */
static void add_libs(struct environment *e, const char *folder) {
        _cleanup_free_ char *had = xstrdup(strempty(environment_get(e, "LD_LIBRARY_PATH")));

        if (folder)
                environment_set(e, "LD_LIBRARY_PATH", "%s%s%s", folder, *had ? ":" : "", had);
}

static int step_environment(const struct srun *s, struct environment *e, const char *cwd,
                const char *host, struct fail *fail) {
        int r = job_env_fill(e, environ, s->o.export, s->own, fail);

        if (r < 0)
                return r;
        add_libs(e, s->copy.libs);
        environment_set(e, "SLURM_UMASK", "%04o", job_umask());
        environment_set(e, "SRUN_DEBUG", "%s", s->o.verbose ? "4" : "3");
        struct cpu_freq f;
        if (!isempty(s->o.spec.cpu_freq) && cpu_freq_parse(s->o.spec.cpu_freq, &f, NULL) >= 0) {
                _cleanup_free_ char *text = cpu_freq_text(&f);
                environment_set(e, "SLURM_CPU_FREQ_REQ", "%s", text);
        }
        if (s->o.plane) {
                environment_set(e, "SLURM_DISTRIBUTION", "plane");
                environment_set(e, "SLURM_DIST_PLANESIZE", "%u", s->o.plane);
        } else if (s->o.distribution) {
                bool alone = s->o.pack && !strchr(s->o.distribution, ',');
                environment_set(e, "SLURM_DISTRIBUTION", "%s%s", alone && !s->own ? "block," : "",
                                s->o.distribution);
                environment_unset(e, "SLURM_DIST_PLANESIZE"); /* the job's value */
        } else if (!s->own && !s->o.interactive) /* the nodes set the default of the step's
                                                    layout */
                environment_set(e, "SLURM_DISTRIBUTION", "%s", "");
        if (s->own && s->o.preserve_env)
                keep_numbers(e);
        if (s->own) {
                environment_set(e, "SLURM_SUBMIT_DIR", "%s", cwd);
                environment_set(e, "SLURM_SUBMIT_HOST", "%s", host);
        }
        return 0;
}

/* Fills the sizes: a step takes all resources of an own allocation; in another allocation the
   step's options count. */
static void step_size(const struct srun *s, Slumber__StepSpec *spec) {
        spec->num_tasks = s->o.num_tasks;
        spec->task_nodes = (char *)(uintptr_t)strempty(s->o.task_nodes);
        spec->cpus_per_task = s->o.cpus_per_task;
        spec->ntasks_per_node = s->o.ntasks_per_node;
        spec->tres_per_task = (char *)(uintptr_t)job_options_per_task(&s->o);
        spec->ntasks_per_gpu = s->o.ntasks_per_gpu;
        spec->gpu_bind = (char *)(uintptr_t)strempty(s->o.gpu_bind);
        spec->fill_nodes = s->o.fill_nodes;
        if (s->own) { /* the nodes were already chosen by these options */
                spec->features = (char *)(uintptr_t) "";
                spec->min_cpus_node = 0;
                return;
        }
        spec->sockets_per_node = s->o.sockets_per_node;
        spec->cores_per_socket = s->o.cores_per_socket;
        spec->threads_per_core = s->o.threads_per_core;
        spec->ntasks_per_socket = s->o.says_per_socket ? s->o.ntasks_per_socket : 0;
        spec->ntasks_per_core = s->o.says_per_core ? s->o.ntasks_per_core : 0;
        spec->in_partition = (char *)(uintptr_t)strempty(s->o.says_partition);
        spec->in_qos = (char *)(uintptr_t)strempty(s->o.says_qos);
        spec->in_account = (char *)(uintptr_t)strempty(s->o.says_account);
        spec->in_reservation = (char *)(uintptr_t)strempty(s->o.says_reservation);
        spec->tmp_disk = (uint32_t)MIN(s->o.tmp_disk, (uint64_t)UINT32_MAX);
        spec->min_nodes = s->o.min_nodes;
        spec->max_nodes = s->o.max_nodes;
        spec->nodes_of_job = !s->o.says_nodes;
        spec->tasks_of_job = !s->o.says_tasks;
        spec->nodes = (char *)(s->o.nodelist ? s->o.nodelist : "");
        spec->exc_nodes = (char *)(s->o.exclude ? s->o.exclude : "");
        spec->mem_per_node = s->o.mem;
        spec->mem_per_cpu = s->o.mem_per_cpu;
        spec->plain_sizes = s->o.plain_sizes;
        spec->tres_per_node = (char *)(uintptr_t)job_options_per_node(&s->o);
        spec->tres_per_job = (char *)(uintptr_t)strempty(s->o.gpus);
        spec->no_gres = s->o.no_gres;
        spec->time_limit = s->o.time_limit;
        spec->exact = !s->o.whole && (s->o.exact || s->o.share == SLUMBER__SHARE__SHARE_NO);
}

static Slumber__StepSpec__SrunProlog wants_prolog(const struct job_options *o) {
        return isempty(o->srun_prolog)         ? SLUMBER__STEP_SPEC__SRUN_PROLOG__CONFIGURED
               : streq(o->srun_prolog, "none") ? SLUMBER__STEP_SPEC__SRUN_PROLOG__NONE
                                               : SLUMBER__STEP_SPEC__SRUN_PROLOG__OWN;
}

/* Fields with the same name in options and in StepSpec. */
/* clang-format off */
#define SAME_FIELDS(X) \
        X(acct_frequency) X(rlimits_said) X(overlap) X(interactive) X(overcommit) \
        X(kill_on_bad_exit) X(keep_on_bad_exit) X(label) X(unbuffered) X(cyclic) X(plane) \
        X(socket_distribution) X(core_distribution) X(pack) X(cpu_bind_verbose) \
        X(cpu_bind_quiet) X(mem_bind_verbose) X(mem_bind_prefer) X(mem_bind_sort) \
        X(preserve_env) X(debug_level) X(resv_ports) X(no_ports) X(tree_width)
/* clang-format on */

/* part: number of the component, 0 for the first or only one. */
static void step_spec(struct srun *s, Slumber__StepSpec *spec, struct environment *env,
                size_t part) {
        job_options_step(&s->o, spec);
#define COPY(field) spec->field = s->o.field;
        SAME_FIELDS(COPY)
#undef COPY
        spec->name = (char *)srun_job_name(s);
        spec->arguments = s->argv;
        spec->n_arguments = (size_t)s->argc;
        spec->environment = environment_vector(env);
        spec->n_environment = environment_count(env);
        spec->umask = job_umask();
        spec->append_output = s->o.append;
        spec->truncate_output = s->o.truncate;
        spec->bcast = getenv(BCAST_STEP) != NULL;
        spec->pid = (uint32_t)getpid();
        spec->multi_prog = s->multi_prog ? s->multi_prog : (char *)"";
        spec->cpu_bind = (char *)(s->o.cpu_bind ? s->o.cpu_bind : "");
        spec->mem_bind = (char *)(uintptr_t)strempty(s->o.mem_bind);
        spec->cpu_bind_hint = (char *)(uintptr_t)job_bind_hint(&s->o);
        spec->pty = srun_pty_window(s);
        spec->tell_processes = spec->stop_at_exec = s->o.debugger_test;
        spec->task_prolog = (char *)(uintptr_t)strempty(s->o.task_prolog);
        spec->srun_prolog = wants_prolog(&s->o);
        spec->mpi = (char *)(uintptr_t)strempty(s->o.mpi);
        spec->container = s->o.spec.container;
        spec->container_dir = s->o.chdir != NULL;
        spec->task_epilog = (char *)(uintptr_t)strempty(s->o.task_epilog);
        spec->plugin_options = command_plugin_options(part, &spec->n_plugin_options);
        step_size(s, spec);
        bool open = s->input_open;
        free(TAKE(s->out_file));
        free(TAKE(s->err_file));
        srun_streams(s, spec);
        if (s->phase == SRUN_RUNNING || part) /* the end of the input may have been read already */
                s->input_open = open;
}

/* Ignores --x11 in an existing allocation: salloc, or the srun with the allocation, decides about
   X11. */
static void begin_x11(struct srun *s) {
        if (s->own)
                x11_forward(SRUN, s->job);
        if (s->own || !s->o.spec.x11)
                return;
        command_error(SRUN, "Ignoring --x11 option for a job step within an existing job. "
                            "Set x11 options at job allocation time.");
        s->o.spec.x11 = X11_NONE;
}

/* The request's part for a component after the first. */
struct part_spec {
        Slumber__StepSpec spec;
        Slumber__Number relative;
        struct environment *env;
};

static int part_spec(struct srun *s, size_t part, const Slumber__StepSpec *first,
                struct part_spec *p, char *cwd, struct fail *fail) {
        int r = step_environment(s, p->env, cwd, first->host, fail);

        if (r < 0)
                return r;
        slumber__step_spec__init(&p->spec);
        slumber__number__init(&p->relative);
        p->spec.token = first->token;
        command_plugin_environment(part, p->env);
        step_spec(s, &p->spec, p->env, part);
        p->spec.rlimits = first->rlimits;
        p->spec.n_rlimits = first->n_rlimits;
        p->spec.pty = NULL; /* task 0 has the terminal */
        p->spec.work_dir = s->o.chdir ? (char *)(uintptr_t)s->o.chdir : cwd;
        p->spec.host = first->host;
        p->spec.submit_line = first->submit_line;
        p->spec.srun_prolog = first->srun_prolog;
        p->relative.value = s->o.relative;
        p->spec.relative = s->o.relative_set ? &p->relative : NULL;
        return 0;
}

/* Fills the parts of the components after the first; request->parts must have room. */
static int part_specs(struct srun *s, struct part_spec *list, Slumber__StepRequest *request,
                char *cwd, struct fail *fail) {
        int r = 0;

        for (size_t i = 1; r >= 0 && i < s->n_parts; i++) {
                struct part_spec *p = &list[i];
                p->env = environment_new();
                request->parts[request->n_parts++] = &p->spec;
                srun_take_group(s, s->parts[i].group);
                srun_turn(s, i);
                r = part_spec(s, i, request->spec, p, cwd, fail);
                srun_turn(s, i);
                /* The environment srun's own programs expect */
                srun_take_group(s, s->parts[0].group);
        }
        return r;
}

static int ask_step(struct srun *s, Slumber__StepRequest *request, Slumber__Number *step) {
        step->value = s->step;
        request->immediate = !s->own && s->o.immediate && !s->o.immediate_seconds;
        request->again = s->again == AGAIN_STEP;
        request->step = s->phase == SRUN_RUNNING ? step : NULL;
        request->go = s->go;
        request->place = s->phase == SRUN_STEP ? s->place : 0;
        ENVELOPE(envelope, STEP_REQUEST, step_request, request);
        if (!request->again || s->phase == SRUN_QUEUED)
                s->phase = SRUN_STEP;
        if (!s->own && s->o.immediate_seconds && !s->give_up_at && s->phase == SRUN_STEP)
                s->give_up_at = srun_now(s) + s->o.immediate_seconds * USEC_PER_SEC;
        return srun_send(s, &envelope, true);
}

/* A request for a step, with the data that the request borrows. */
struct step_asked {
        Slumber__StepRequest request;
        Slumber__StepSpec spec;
        Slumber__Number step, relative;
        struct environment *env;
        Slumber__Rlimit **limits;
        char *cwd, *host;
        struct part_spec *list; /* components after the first, from 1 on */
        size_t n_list;
};

static void step_asked_done(struct step_asked *a) {
        for (size_t i = 1; i < a->n_list; i++)
                environment_free(a->list[i].env);
        free(a->list);
        free(a->request.parts);
        free(a->request.components);
        free(a->limits);
        free(a->cwd);
        free(a->host);
        environment_free(a->env);
}

static int fill_request(struct srun *s, struct step_asked *a, struct fail *fail) {
        Slumber__StepRequest *request = &a->request;
        Slumber__StepSpec *spec = &a->spec;

        slumber__step_request__init(request);
        slumber__step_spec__init(spec);
        slumber__number__init(&a->step);
        slumber__number__init(&a->relative);
        a->env = environment_new();
        a->cwd = job_cwd();
        a->host = job_host();
        if (s->n_parts)
                srun_take_group(s, s->parts[0].group);
        int r = step_environment(s, a->env, a->cwd, a->host, fail);
        if (r < 0)
                return r;
        step_spec(s, spec, a->env, 0);
        spec->rlimits = a->limits = job_rlimits(s->o.no_rlimits, &spec->n_rlimits);
        spec->work_dir = s->o.chdir ? (char *)(uintptr_t)s->o.chdir : a->cwd;
        spec->host = a->host;
        spec->submit_line = s->submit_line;
        spec->token = s->token;
        a->relative.value = s->o.relative;
        spec->relative = s->o.relative_set ? &a->relative : NULL;
        request->job_id = s->job;
        request->spec = spec;
        a->n_list = s->n_parts;
        a->list = xnew0(struct part_spec, s->n_parts + 1);
        request->parts = xnew(Slumber__StepSpec *, s->n_parts + 1);
        request->components = xnew(uint32_t, s->n_parts + 1);
        for (size_t i = 0; s->spans && i < s->n_parts; i++)
                request->components[request->n_components++] = srun_component(s, i);
        return part_specs(s, a->list, request, a->cwd, fail);
}

int srun_ask_step(struct srun *s) {
        _cleanup_(step_asked_done) struct step_asked a = { 0 };
        struct fail fail = { 0 };

        begin_x11(s);
        int r = srun_bcast(s);
        if (r < 0)
                return r;
        r = fill_request(s, &a, &fail);
        if (r < 0)
                command_error(SRUN, "%s", fail.text);
        if (r >= 0 && s->phase != SRUN_RUNNING)
                r = srun_open_files(s, false); /* before any task runs */
        return r < 0 ? r : ask_step(s, &a.request, &a.step);
}

/* Returns whether the step can be requested together with the allocation: its request needs
   neither the job id nor the nodes, and no files have to be opened. */
static bool step_goes_along(const struct srun *s) {
        return !s->salloc && s->again == AGAIN_NONE && srun_components(s) == 1 && !s->o.test_only &&
               !s->o.bcast && !s->o.spec.x11 && !s->o.out && !s->o.err && !s->o.in;
}

int srun_ask_job(struct srun *s) {
        size_t n = srun_components(s);
        _cleanup_(asked_done) struct asked a = { .cwd = job_cwd(),
                .host = job_host(),
                .command = command_line_text(s->argc, s->argv),
                .n = n,
                .specs = xnew(Slumber__JobSpec, n),
                .requests = xnew(Slumber__SubmitRequest, n),
                .pointers = xnew(Slumber__SubmitRequest *, n) };
        Slumber__SubmitHet all = SLUMBER__SUBMIT_HET__INIT;
        Slumber__SubmitRequest *first = &a.requests[0];
        _cleanup_(step_asked_done) struct step_asked step = { 0 };
        struct fail fail = { 0 };
        int r = find_x_server(s);

        if (r < 0)
                return r;
        for (size_t i = 0; i < n; i++)
                ask_component(s, &a, i);
        first->allocate = true;
        first->acct_frequency = s->salloc ? 0 : s->o.acct_frequency;
        first->spec->token = s->token;
        first->again = s->again == AGAIN_JOB;
        first->job_id = s->job;
        /* errors are printed when the step is requested alone */
        if (step_goes_along(s) && fill_request(s, &step, &fail) >= 0) {
                first->step = &step.request;
                s->step_asked = true;
        }
        all.components = a.pointers;
        all.n_components = n;
        ENVELOPE(plain, SUBMIT, submit, first);
        ENVELOPE(het, SUBMIT_HET, submit_het, &all);
        if (!first->again)
                s->phase = SRUN_SUBMIT;
        return srun_send(s, n > 1 ? &het : &plain, true);
}

int srun_act(struct srun *s, Slumber__JobActionKind kind, uint32_t value, bool of_step,
                bool answered) {
        bool is_signal = kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL;
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;

        action.kind = kind;
        action.ids = &s->job;
        action.n_ids = 1;
        step.value = s->step;
        action.step = of_step ? &step : NULL;
        action.sent = is_signal && of_step && s->direct;
        if (kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE)
                action.exit_code = value;
        else
                action.signal = value;
        ENVELOPE(env, JOB_ACTION, job_action, &action);
        return srun_send(s, &env, answered);
}
