/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches steps: checks the credential, waits for the prolog, makes the cgroups, gets a step
 * daemon, writes the record, sends the step to the daemon.
 *
 * From the record on, a kill -9 of slumberd at any point leaves a state known to the next
 * slumberd: a folder with a socket that answers is a running step, with a refusing socket a lost
 * step. A refusal is answered by LaunchResult's error and leaves no files behind. */
#include "agent/jobs/launch.h"
#include "agent/jobs/containers.h"
#include "agent/jobs/cpus.h"
#include "agent/jobs/devices.h"
#include "agent/jobs/groups.h"
#include "agent/jobs/hooks.h"
#include "agent/jobs/job.h"
#include "agent/jobs/launch_queue.h"
#include "agent/jobs/plugins.h"
#include "agent/jobs/stepds.h"
#include "agent/jobs/steps.h"
#include "agent/state/agent.h"
#include "agent/stepmgr/remote_steps.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/streams/step_streams.h"
#include "agent/tree/hop.h"

#include <sched.h>

#define CPUS_MAX 4096 /* at least the size of the kernel's CPU set */

struct launch {
        struct agent *agent;
        Slumber__LaunchStep *message;
        Slumber__CredentialBody *body;
        struct step_name name;
        uint64_t tree; /* id of the TreeMessage, see launch_step() */
        bool own;      /* slumberd has made or checked the credential */
        /* CPUs of the step's cores; NULL: all, as the cores' CPUs are not known */
        struct bitset *cpus;
        struct bind_plan bind;   /* CPU binding of the tasks */
        struct bind_plan memory; /* NUMA node binding of the tasks */
        int code;                /* error code of a refusal */
        struct launch *next;     /* next launch waiting for the prolog of the job */
};

/* Takes the launch out of the tree's answer: the node answers the controller directly. */
static void launch_leave_tree(const struct launch *l) {
        if (l->tree)
                hops_apart(l->agent->hops, l->tree);
}

bool launch_is_guests(const struct launch *l) {
        return l->body && *l->body->maker;
}

static bool faults_node(const struct launch *l) {
        return l->code == SLUMBER_PROLOG_FAILED || l->code == SLUMBER_NODE_UNFIT;
}

static void launch_answer_error(struct launch *l, const struct fail *fail) {
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        set_error(&error, l->code, fail->text);
        result.job_id = l->name.job;
        result.step_id = l->name.step;
        result.restarts = l->name.restarts;
        result.node = l->agent->node;
        result.error = &error;
        log_fields(LOG_ERR, 0, l->name.job, l->agent->node, "Launch of job %u refused: %s",
                        l->name.job, error.text);
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &result);
        if (!launch_is_guests(l))
                step_tell(l->agent, &env);
        else
                remote_step_refuse_launch(l->agent, l->body, &env);
        if (launch_is_guests(l) && faults_node(l))
                /* the controller drains the node and requeues the job */
                upstream_send(l->agent, &env);
        launch_leave_tree(l);
}

/* Reads the step's name for the answer, from a credential that failed the check. */
static void guess_name(struct launch *l) {
        const Slumber__Credential *c = l->message->credential;
        Slumber__CredentialBody *body = c ? slumber__credential_body__unpack(NULL, c->body.len,
                                                            c->body.data)
                                          : NULL;

        if (!body)
                return;
        l->name = (struct step_name){ body->job_id, body->restarts, body->step_id };
        slumber__credential_body__free_unpacked(body, NULL);
}

static int launch_check(struct launch *l, struct fail *fail) {
        struct agent *a = l->agent;
        int r;

        l->code = SLUMBER_BAD_CREDENTIAL;
        if (!l->message->credential || !l->message->spec)
                return fail_set(fail, -EBADMSG, "the launch message has no credential or no step");
        if (l->tree || l->own)
                r = credential_read(l->message->credential, a->node, upstream_now(a), &l->body,
                                fail);
        else
                r = credential_verify(a->credential_key, a->credential_key_size,
                                l->message->credential, a->node, upstream_now(a), &l->body, fail);
        if (r < 0)
                return r;
        l->name = (struct step_name){ l->body->job_id, l->body->restarts, l->body->step_id };
        if (l->message->batch != (l->body->step_id == STEP_BATCH))
                return fail_set(fail, -EACCES, "the credential is not for this kind of step");
        l->code = SLUMBER_ACCESS_DENIED;
        if (geteuid() != 0 && geteuid() != l->body->uid)
                return fail_set(fail, -EPERM,
                                "slumberd on %s runs as user %u and cannot start a job of user %u",
                                a->node, geteuid(), l->body->uid);
        return 0;
}

static int check_new(struct launch *l, struct fail *fail) {
        struct job *j = launch_now(job_find_exactly(l->agent, l->name.job, l->name.restarts));
        _cleanup_free_ char *name = step_name_text(&l->name);

        if (j && job_find_step(j, l->name.step)) {
                l->code = SLUMBER_NO_CHANGE;
                return fail_set(fail, -EEXIST, "step %s is on %s already", name, l->agent->node);
        }
        if (j && job_terminating(j)) {
                l->code = SLUMBER_JOB_ENDED;
                return fail_set(fail, -ESHUTDOWN, "job %u is being ended on %s", l->name.job,
                                l->agent->node);
        }
        return 0;
}

/* ---- CPUs of the step ---- */

static void find_cpus(struct launch *l) {
        struct agent *a = l->agent;

        if ((a->constrain_cores || a->task_affinity) && *l->body->cores && cpus_are_known(a))
                l->cpus = cpu_map_cores(a->cpus, a->units, l->body->cores);
}

/* Returns the CPUs available to the tasks; the caller frees. */
static struct bitset *launch_cpus(const struct launch *l) {
        struct bitset *have = cpus_own(l->agent);

        if (l->cpus && bitset_overlaps(have, l->cpus))
                bitset_and(have, l->cpus);
        return have;
}

/* Plans the CPU binding of the tasks; without task/affinity only if --cpu-bind is given. */
static int plan_tasks(struct launch *l, struct fail *fail) {
        struct agent *a = l->agent;
        const Slumber__StepSpec *spec = l->message->spec;
        bool batch = l->message->batch, bound = a->task_affinity && l->cpus;
        const char *asked = batch ? "none" : spec->cpu_bind;
        const char *hint = batch || *asked || !bound ? "" : spec->cpu_bind_hint;
        bool one_thread = streq(hint, "one_thread");
        const char *by_itself = one_thread ? "threads" : *hint ? hint : strempty(a->task_bind);
        struct bind_ask ask = {
                .how = *asked || !bound ? asked : by_itself,
                .otherwise = isempty(a->task_autobind) ? NULL : a->task_autobind,
                .one_thread = one_thread,
                .sockets = (enum bind_deal)MIN(spec->socket_distribution, (uint32_t)DEAL_FCYCLIC),
                .cores = (enum bind_deal)MIN(spec->core_distribution, (uint32_t)DEAL_FCYCLIC),
                .strict = bound,
                .tasks = l->message->n_ranks,
                .cpus_per_task = spec->cpus_per_task,
        };

        if (!bound && (isempty(ask.how) || streq(ask.how, "none")))
                return 0;
        if (!cpus_of(a))
                return fail_set(fail, -ENOTSUP, "--cpu-bind: the CPUs of %s are not known",
                                a->node);
        _cleanup_(bitset_freep) struct bitset *have = launch_cpus(l);
        return bitset_empty(have) ? 0 : bind_make(a->cpus, have, &ask, &l->bind, fail);
}

/* Plans the memory binding of the tasks. Only task/affinity binds memory, like in Slurm; without
   task/affinity --mem-bind is an error here. */
static int plan_memory(struct launch *l, struct fail *fail) {
        struct agent *a = l->agent;
        const char *how = l->message->batch ? "" : l->message->spec->mem_bind;

        if (!*how || streq(how, "none"))
                return 0;
        if (!a->task_affinity)
                return fail_set(fail, -ENOTSUP, "--mem-bind=%.100s needs TaskPlugin=task/affinity",
                                how);
        if (!cpus_of(a))
                return fail_set(fail, -ENOTSUP, "--mem-bind: the CPUs of %s are not known",
                                a->node);
        _cleanup_(bitset_freep) struct bitset *have = launch_cpus(l);
        return bind_memory(a->cpus, have, &l->bind, how, l->message->n_ranks, &l->memory, fail);
}

/* ---- cgroup of the step ---- */

/* Sets the cpuset of the job's cgroup, from which exporters read the CPUs of a job. The cgroups of
   the steps are confined further. */
static void show_cpus(const struct launch *l, const struct job *j) {
        struct agent *a = l->agent;

        if (!a->constrain_cores || !*l->body->job_cores || !cpus_are_known(a))
                return;
        _cleanup_(bitset_freep) struct bitset *cpus = cpu_map_cores(a->cpus, a->units,
                        l->body->job_cores);
        _cleanup_free_ char *text = bitset_text(cpus);
        const struct cg_limits limits = { .cpus = text };
        _cleanup_(cg_freep) struct cg *group = NULL;
        struct fail fail = { 0 };
        if (cg_system_make(a->cgroups, j->group, NULL, l->body->uid, &limits, &group, &fail) < 0)
                log_debug("CPUs of job %u are not shown: %s", j->id, fail.text);
}

/* Limits the memory of all the job's steps together, including the extern step, to the job's
   memory. */
static int limit_job(const struct launch *l, const struct job *j, struct fail *fail) {
        _cleanup_(cg_freep) struct cg *group = NULL;
        struct cg_limits limits = { 0 };

        if (cg_is_shown(j->group))
                show_cpus(l, j);
        memory_rules_limit(&l->agent->memory, l->body->job_mem, &limits);
        if (!limits.memory)
                return 0;
        return cg_system_make(l->agent->cgroups, j->group, NULL, l->body->uid, &limits, &group,
                        fail);
}

/* Makes the step's cgroup; memory: with memory limits. */
static int step_group_make(struct launch *l, const struct job *j, bool memory, struct cg **ret,
                struct fail *fail) {
        struct agent *a = l->agent;
        _cleanup_free_ char *cpus = NULL;
        _cleanup_free_ struct cg_device *denied = NULL;
        struct cg_limits limits = { 0 };

        if (a->memory.swap && !cg_system_limits_swap(a->cgroups))
                return fail_set(fail, -ENOTSUP,
                                "ConstrainSwapSpace: %s has no swap accounting for slumberd",
                                a->node);
        if (memory)
                memory_rules_limit(&a->memory, l->body->mem, &limits);
        if (a->constrain_cores && l->cpus)
                limits.cpus = cpus = bitset_text(l->cpus);
        if (a->constrain_devices) {
                limits.denied = denied = devices_not_of(a, l->body->step_gres, &limits.n_denied);
                if (limits.n_denied && !cg_system_limits_devices(a->cgroups))
                        return fail_set(fail, -ENOTSUP,
                                        "ConstrainDevices: %s has no device controller for slumberd, and devices that "
                                        "this step must not have",
                                        a->node);
        }
        return cg_system_make(a->cgroups, j->group, STEP_WORD(l->name.step), l->body->uid, &limits,
                        ret, fail);
}

static int step_folder_make(struct launch *l, const struct cg *group, char *socket,
                struct fail *fail) {
        Slumber__StepdSpec record = SLUMBER__STEPD_SPEC__INIT;
        Slumber__CredentialBody body = *l->body;

        body.nodes = (char *)"";
        body.n_groups = 0;
        record.credential = &body;
        record.cgroup = (char *)cg_handle(group);
        record.node = l->agent->node;
        record.socket = socket;
        return spool_make_step(&l->name, &record, fail);
}

static bool says_binding(const struct agent *a, const Slumber__StepSpec *spec) {
        return spec->cpu_bind_verbose ||
               (a->task_affinity && a->task_verbose && !spec->cpu_bind_quiet);
}

/* Fills the settings needed by a step daemon; borrowed from a. */
static void fill_config(const struct agent *a, Slumber__AgentConfig *config) {
        config->unkillable_timeout = a->unkillable_timeout;
        config->memory_watch = a->memory_watch;
        config->memory_watched = a->memory_watched;
        config->gres = a->gres;
        config->n_gres = a->n_gres;
        config->constrain_devices = a->constrain_devices;
        config->cluster_name = a->cluster_name ? a->cluster_name : (char *)"";
        config->task_prolog = a->task_prolog ? a->task_prolog : (char *)"";
        if (agent_has_plugins(a)) {
                config->plugstack = a->plugstack;
                config->plugin_dir = a->plugin_dir;
        }
        config->task_epilog = a->task_epilog ? a->task_epilog : (char *)"";
        config->oci = a->oci;
}

/* Sends the step to the daemon. *ret: the packed message; the caller frees. */
static int launch_send_spec(struct launch *l, const struct cg *group, struct conn *conn,
                uint8_t **ret, size_t *ret_size, struct fail *fail) {
        Slumber__StepdSpec spec = SLUMBER__STEPD_SPEC__INIT;
        Slumber__AgentConfig config = SLUMBER__AGENT_CONFIG__INIT;
        Slumber__JobContainer container = SLUMBER__JOB_CONTAINER__INIT;
        _cleanup_free_ char *base = NULL;
        _cleanup_free_ char *folder = step_name_folder(&l->name);
        _cleanup_free_ char *whole = xasprintf("%s/%s", l->agent->spool, folder);
        _cleanup_free_ char *cpus = l->cpus ? bitset_text(l->cpus) : xstrdup("");

        groups_fill(l->agent, l->body);
        fill_config(l->agent, &config);
        if (containers_fill(l->agent, &l->name, &container)) {
                config.container = &container;
                base = container.folder;
        }
        spec.launch = (Slumber__LaunchStep *)l->message;
        spec.credential = l->body;
        spec.config = &config;
        spec.node = l->agent->node;
        spec.cgroup = (char *)cg_handle(group);
        spec.spool = whole;
        spec.cpu_masks = l->bind.masks;
        spec.n_cpu_masks = l->bind.n;
        spec.mem_masks = l->memory.masks;
        spec.n_mem_masks = l->memory.n;
        spec.cpus = cpus;
        spec.cpu_bind = l->bind.how && !l->message->batch ? l->bind.how : (char *)"";
        spec.cpu_bind_verbose = !l->message->batch && says_binding(l->agent, l->message->spec);
        int r = spec.launch->spec && *spec.launch->spec->container
                                ? spool_write_spec(&l->name, &spec, fail)
                                : 0;
        if (r < 0)
                return r;
        ENVELOPE(env, STEPD_SPEC, stepd_spec, &spec);
        env.version = WIRE_VERSION;
        r = wire_pack(&env, ret, ret_size);
        if (r >= 0)
                r = conn_send_packed(conn, *ret, *ret_size);
        return r < 0 ? fail_set(fail, r, "cannot pass the step on: %s", strerror(-r)) : 0;
}

static int launch_start_daemon(struct launch *l, struct job *j, struct cg *group,
                struct fail *fail) {
        _cleanup_(stepd_freep) struct stepd *d = NULL;
        _cleanup_free_ uint8_t *told = NULL;
        size_t told_size;
        int r;

        r = stepd_get(l->agent, &d, fail);
        if (r >= 0)
                r = step_folder_make(l, group, d->socket, fail);
        if (r >= 0)
                r = launch_send_spec(l, group, d->conn, &told, &told_size, fail);
        if (r >= 0)
                r = stepd_start(d, fail);
        if (r < 0) {
                spool_remove_step(&l->name);
                (void)cg_remove(group);
                cg_free(group);
                return r;
        }
        struct step *s = step_new(j, &l->name, group, NULL);
        s->tree = l->tree;
        s->node_rank = l->message->node_rank;
        s->n_nodes = l->message->batch ? 1 : l->message->num_nodes;
        step_streams_begin(s, l->body, false);
        step_streams_nodes(s, l->message->addresses, l->message->n_addresses,
                        l->message->tree_width);
        step_take_daemon(s, d, TAKE(told), told_size);
        return 0;
}

static int look_at_node(struct launch *l, struct fail *fail) {
        int r = containers_check(l->agent, fail);

        if (r >= 0)
                r = spool_look(&l->agent->lock, fail);

        if (r < 0)
                l->code = SLUMBER_NODE_UNFIT;
        if (r > 0)
                log_warning(0, "The spool folder %s was removed and is made anew; a slumberd that starts later does not find the steps that run now",
                                l->agent->spool);
        return r;
}

static void add_variable(Slumber__LaunchStep *m, const char *name, const char *value) {
        m->job_environment = xrenew(m->job_environment, m->n_job_environment + 1);
        m->job_environment[m->n_job_environment++] = xasprintf("%s=%s", name, value);
}

/* Sets DISPLAY to the job's X11 forwarding, in place of the submitting command's display. */
static void add_display(Slumber__LaunchStep *m, const struct job *j) {
        if (!j->display)
                return;
        add_variable(m, "DISPLAY", j->display);
        add_variable(m, "XAUTHORITY", j->xauthority);
}

/* Continues a launch after the job's prolog, or without one. */
static int launch_continue(struct launch *l, struct job *j, struct fail *fail) {
        struct cg *group = NULL;
        int r;

        l->code = SLUMBER_FAILED;
        if (j->x11_fault && l->name.step != STEP_EXTERN)
                return fail_set(fail, -EIO, "%s", j->x11_fault);
        /* the job was suspended during the prolog */
        if (cg_freezer_state(j->freezer) != FREEZER_THAWED)
                l->message->start_frozen = true;
        if (l->message->start_frozen)
                cg_freezer_ask(j->freezer, true, l->agent->freeze_timeout);
        find_cpus(l);
        add_display(l->message, j);
        r = l->name.step == STEP_EXTERN ? 0 : plan_tasks(l, fail);
        if (r >= 0)
                r = plan_memory(l, fail);
        if (r >= 0)
                r = step_group_make(l, j, true, &group, fail);
        if (r >= 0)
                r = limit_job(l, j, fail);
        bool makes = r >= 0 && l->message->batch && l->message->maker;
        if (makes)
                r = stepmgr_begin(j, TAKE(l->message->maker), fail);
        if (r >= 0) {
                (void)cg_set_owner(j->group, l->body->uid);
                (void)cg_set_owner(group, l->body->uid);
                r = launch_start_daemon(l, j, group, fail);
        } else if (group) {
                (void)cg_remove(group);
                cg_free(group);
        }
        if (r < 0 && makes) /* no process of the job is here */
                stepmgr_end(j);
        return r;
}

/* Continues a launch at once, or queues a batch script until a step daemon is available: returns
   1. */
static int go_on_in_turn(struct launch *l, struct job *j, struct fail *fail) {
        if (!l->message->batch || !launch_must_wait(l->agent))
                return launch_continue(l, j, fail);
        launch_enqueue(j, l);
        return 1;
}

/* Makes the extern step's cgroup for the prolog (RunInJob), before the step has a daemon. The
   memory limit is set after the prolog: the prolog of a job with little memory would be killed, and
   the node drained. */
static int limit_hooks(struct launch *l, const struct job *j, struct fail *fail) {
        _cleanup_(cg_freep) struct cg *group = NULL;

        find_cpus(l);
        return step_group_make(l, j, false, &group, fail);
}

static void wait_for_prolog(struct launch *l);

/* Begins a launch. 1: the launch waits for the job's prolog or a step daemon. */
static int launch_begin(struct launch *l, struct fail *fail) {
        struct job *j = NULL;
        int r;

        r = launch_check(l, fail);
        if (!l->body)
                guess_name(l);
        if (r >= 0)
                r = check_new(l, fail);
        if (r < 0)
                return r;
        r = look_at_node(l, fail);
        if (r < 0)
                return r;
        l->code = SLUMBER_FAILED;
        r = job_get(l->agent, l->name.job, l->name.restarts, l->body->uid, &j, fail);
        if (r < 0)
                return r;
        j->uid = l->body->uid;
        if (l->agent->hooks_in_job && l->name.step == STEP_EXTERN)
                r = limit_hooks(l, j, fail);
        l->code = r < 0 ? l->code : SLUMBER_PROLOG_FAILED;
        if (r >= 0)
                r = hooks_before_step(j, l->message, l->body, fail);
        if (r > 0)
                wait_for_prolog(l);
        else if (r == 0 && l->name.step != STEP_PROLOG)
                r = go_on_in_turn(l, j, fail);
        if (r <= 0)
                job_put(j);
        return r;
}

static void log_launched(const struct launch *l) {
        char step[STEP_TEXT_MAX];

        log_fields(LOG_INFO, 0, l->name.job, l->agent->node,
                        "Launched step %s of job %u for user %u", step_text(l->name.step, step),
                        l->name.job, l->body->uid);
}

/* Answers a launch of the prolog alone (STEP_PROLOG). */
static void say_prolog_over(const struct launch *l) {
        Slumber__LaunchResult result = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;

        if (l->tree && hops_launched(l->agent->hops, l->tree))
                return;
        result.job_id = l->name.job;
        result.step_id = l->name.step;
        result.restarts = l->name.restarts;
        result.node = l->agent->node;
        result.error = &error;
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &result);
        upstream_send(l->agent, &env);
}

static struct launch *launch_free(struct launch *l) {
        if (l->body)
                slumber__credential_body__free_unpacked(l->body, NULL);
        slumber__launch_step__free_unpacked(l->message, NULL);
        bitset_free(l->cpus);
        bind_done(&l->bind);
        bind_done(&l->memory);
        free(l);
        return NULL;
}

/* Answers and frees a launch. r: negative errno, 0 or 1 (still waiting: no-op). */
static void launch_end(struct launch *l, int r, const struct fail *fail) {
        if (r > 0)
                return;
        if (r < 0)
                launch_answer_error(l, fail);
        else if (l->name.step == STEP_PROLOG)
                say_prolog_over(l);
        else
                log_launched(l);
        launch_free(l);
}

/* Adds l to the launches waiting for the prolog. A repeated launch of a step replaces the earlier
   launch, which gets no answer. */
static void wait_for_prolog(struct launch *l) {
        struct job *j = job_find_exactly(l->agent, l->name.job, l->name.restarts);
        struct launch **p = hooks_launches(j);

        while (*p) {
                struct launch *old = *p;
                if (old->name.step != l->name.step) {
                        p = &old->next;
                        continue;
                }
                *p = old->next;
                launch_leave_tree(old);
                launch_free(old);
        }
        *p = l;
}

static void launch_take(struct agent *a, Slumber__LaunchStep *message, uint64_t tree, bool own) {
        struct launch *l = xnew0(struct launch, 1);
        struct fail fail = { 0 };

        l->agent = a;
        l->message = message;
        l->tree = tree;
        l->own = own;
        launch_end(l, launch_begin(l, &fail), &fail);
}

void launch_step(struct agent *a, Slumber__LaunchStep *message, uint64_t tree) {
        launch_take(a, message, tree, false);
}

void launch_step_here(struct agent *a, Slumber__LaunchStep *message) {
        launch_take(a, message, 0, true);
}

static struct launch *take_first(struct launch **list) {
        struct launch *l = *list;

        *list = l->next;
        l->next = NULL;
        return l;
}

void launch_go_on(struct launch **list, const char *error) {
        struct launch *l = take_first(list);
        struct job *j = job_find_exactly(l->agent, l->name.job, l->name.restarts);
        struct fail fail = { 0 };
        int r = 0;

        l->code = SLUMBER_PROLOG_FAILED;
        if (error)
                r = fail_set(&fail, -ECANCELED, "%s", error);
        else if (l->name.step != STEP_PROLOG)
                r = go_on_in_turn(l, j, &fail);
        launch_end(l, r, &fail);
}

void launch_start(struct launch *l, struct job *j) {
        struct fail fail = { 0 };

        launch_end(l, launch_continue(l, j, &fail), &fail);
        job_put(j);
}

bool launch_waits(struct job *j, uint32_t step, uint64_t token) {
        const struct launch *list = j->hooks ? *hooks_launches(j) : NULL;

        while (list && list->name.step != step)
                list = list->next;
        return list && list->body->stream_token == token;
}

void launch_cancel(struct launch **list, uint32_t step) {
        while (*list && (*list)->name.step != step)
                list = &(*list)->next;
        if (*list)
                launch_drop(list, "the step was cancelled");
}

void launch_drop(struct launch **list, const char *why) {
        launch_refuse(take_first(list), why);
}

void launch_refuse(struct launch *l, const char *why) {
        struct fail fail = { 0 };

        l->code = SLUMBER_JOB_ENDED;
        if (why)
                launch_end(l, fail_set(&fail, -ESHUTDOWN, "%s", why), &fail);
        else {
                launch_leave_tree(l);
                launch_free(l);
        }
}
