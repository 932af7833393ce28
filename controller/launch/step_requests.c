/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests for steps, and their queue.
 *
 * A request becomes a run. A run waits while the job's nodes boot, the job is suspended, or other
 * steps use the nodes. Nothing polls: runs_retry() is called when one of these changes. When the
 * step fits (step_fit.c), the step gets an id (job_step_started()) and its command the reply; once
 * the step is durable, the launches follow (steps.c). */
#include "controller/launch/step_requests.h"

#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/launch.h"
#include "controller/launch/run_span.h"
#include "controller/launch/step_begin.h"
#include "controller/launch/step_manager.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_settings.h"
#include "controller/launch/steps.h"
#include "controller/loop/caller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/abilities.h"
#include "controller/model/het.h"
#include "controller/model/step_cores.h"
#include "controller/orders/viewer.h"
#include "controller/steps/step_list.h"
#include "controller/steps/step_parts.h"
#include "controller/steps/step_ports.h"
#include "controller/steps/step_shape.h"
#include "lib/addresses.h"
#include "lib/plugins/plugin_options.h"
#include "lib/step/gpubind.h"

#include <sys/random.h>

/* Limit for all runs, because each turn visits all runs */
#define RUNS_MAX 10000
/* Limit per user: the number of commands that a node relays */
#define RUNS_OF_USER_MAX 4096
/* Limit per user for the specifications of waiting runs, with environments */
#define WAITING_BYTES_MAX ((size_t)256 << 20)

/* ---- starting ---- */

static bool copies_input(const struct controller *ctl, const struct job *j, const struct step *s) {
        size_t n;
        _cleanup_free_ struct node **nodes = step_nodes_list(ctl, j, s, &n);

        for (size_t i = 0; i < n; i++)
                if (!nodes[i] || nodes[i]->lacks & CAN_INPUT_COPIES)
                        return false;
        return true;
}

/* Fills *m for the slumberd that relays the command; the caller calls texts_free().
   Returns false if the streams go through the controller. */
static bool fill_streams(const struct controller *ctl, const struct run *r,
                Slumber__StepStreams *m) {
        const struct job *j = cluster_job(ctl->cluster, r->job);
        const struct step *s = j ? job_step_find(j, r->step) : NULL;
        _cleanup_free_ char *home = r->to.peer ? relay_address(r->to.peer) : NULL;

        if (!home || !s || !s->stream_token)
                return false;
        m->token = s->stream_token;
        m->restarts = s->span ? s->span->restarts : j->restarts;
        m->addresses = step_nodes_addresses(ctl, j, s, &m->n_addresses);
        m->tree_width = launch_tree_width(ctl, s);
        m->copies = copies_input(ctl, j, s);
        return true;
}

void run_reply(struct controller *ctl, const struct run *r) {
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        Slumber__StepReply m = SLUMBER__STEP_REPLY__INIT;
        _cleanup_(allocation_message_freep) Slumber__Allocation *allocation = NULL;
        _cleanup_(run_tasks_done) struct run_tasks tasks;

        run_tasks_fill(ctl, r, &tasks);
        m.job_id = run_known_job(r);
        m.step_id = r->step;
        m.nodes = tasks.nodes;
        m.tasks_per_node = tasks.count;
        m.tasks = tasks.lists;
        m.n_tasks_per_node = m.n_tasks = tasks.n;
        m.kill_wait = (uint32_t)(ctl->cluster->config->kill_wait / USEC_PER_SEC);
        m.kill_on_bad_exit = r->spec->kill_on_bad_exit;
        m.wait = (uint32_t)(ctl->cluster->config->wait_time / USEC_PER_SEC);
        m.append_output = ctl->cluster->config->job_file_append;
        m.held = run_is_held(ctl, r);
        m.part_tasks = tasks.parts;
        m.n_part_tasks = tasks.n_parts;
        m.srun_prolog = (char *)(uintptr_t)strempty(ctl->cluster->config->srun_prolog);
        m.srun_epilog = (char *)(uintptr_t)strempty(ctl->cluster->config->srun_epilog);
        if (fill_streams(ctl, r, &streams))
                m.streams = &streams;
        if (r->with_job)
                m.allocation = allocation = allocation_message(ctl,
                                cluster_job(ctl->cluster, r->job));
        ENVELOPE(env, STEP_REPLY, step_reply, &m);
        reply_durable(ctl, &r->to, &env);
        texts_free(streams.addresses, streams.n_addresses);
}

void run_forget_request(struct run *r) {
        if (!r->request)
                return;
        r->size -= MIN(r->size, slumber__step_request__get_packed_size(r->request));
        slumber__step_request__free_unpacked(TAKE(r->request), NULL);
}

static size_t lists_size(const struct run *r) {
        size_t size = 0;

        for (size_t i = 0; i < r->n_lists; i++)
                size += r->lists[i] ? task_list_size(r->lists[i]) : 0;
        return size;
}

/* NULL: no list. */
static struct task_list *run_task_list(const struct run *r, size_t part) {
        return part < r->n_lists ? r->lists[part] : NULL;
}

void run_started(struct run *r, const struct step *s, struct fit *f) {
        r->step = s->id;
        r->started = true;
        r->missing = bitset_copy(s->nodes);
        r->count = TAKE(f->count);
        r->place = TAKE(f->place);
        r->size -= MIN(r->size, lists_size(r));
        run_forget_lists(r);
        r->n_launches = f->n;
        r->told = bitset_new(f->tasks);
        r->spec->num_tasks = f->tasks;
}

/* ports: the reserved ports, owned by the step from now on; NULL: none. */
static void run_start(struct controller *ctl, struct run *r, struct job *j, struct fits *fits,
                char *ports) {
        uint32_t id = r->spec->interactive ? STEP_INTERACTIVE : job_step_number(j, r->spec->bcast);
        struct step *s = step_begin(ctl, r, j, fits, id, ports);

        run_started(r, s, &fits->whole);
        run_reply(ctl, r);
        struct effect *fx = effects_add(&ctl->cluster->effects, FX_LAUNCH_STEP);
        fx->job = j->id;
        fx->step = s->id;
        controller_changed(ctl);
}

/* ---- the queue ---- */

static enum slumber_error second_interactive(const struct job *j, struct fail *fail) {
        fail_set(fail, -EEXIST, "job %u has an interactive step already", j->id);
        return SLUMBER_FAILED;
}

static enum slumber_error check_abilities(const Slumber__StepSpec *spec, const struct job *j,
                const struct fit *f, struct fail *fail) {
        for (size_t i = 0; i < f->n && *spec->container; i++) {
                const struct node *n = j->placed.alloc[f->at[i]].node;
                bool plain = n->lacks & CAN_CONTAINERS,
                     mpi = n->lacks & CAN_CONTAINER_PMI && streq(spec->mpi, "pmi2");
                if (!plain && !mpi)
                        continue;
                _cleanup_free_ char *why = abilities_lack_text(n,
                                plain ? CAN_CONTAINERS : CAN_CONTAINER_PMI);
                fail_set(fail, -EOPNOTSUPP, "%s", why);
                return SLUMBER_NOT_SUPPORTED;
        }
        return SLUMBER_OK;
}

/* Returns the steps of j that take resources, each component for itself; the caller frees. */
static struct step_taker *job_step_takers(const struct controller *ctl, const struct job *j,
                size_t *ret_n) {
        struct step_taker *list = NULL;
        size_t n = 0, allocated = 0;

        for (size_t i = 0; i < ctl->n_runs; i++) {
                const struct run *o = ctl->runs[i];
                const struct step *s = o->started && o->job == j->id ? job_step_find(j, o->step)
                                                                     : NULL;
                for (size_t part = 0; s && part <= o->n_more; part++) {
                        GROW(list, allocated, n);
                        list[n++] = run_taker(o, s, part);
                }
        }
        *ret_n = n;
        return list;
}

/* Fits a step of several components; an error text names the component. */
static enum slumber_error fit_several(struct step_ask *asks, size_t n, const struct job *j,
                struct fits *f, struct fail *fail) {
        size_t part;

        f->parts = xnew0(struct fit, n);
        f->n = n;
        enum slumber_error e = fit_parts(asks, n, j, f->parts, &part, fail);
        if (e == SLUMBER_OK)
                fit_join(asks, f->parts, n, &f->whole);
        else if (part < n && fail->text[0])
                fail_prefix(fail, -EINVAL, "component %zu", part);
        return e;
}

static struct step_ask ask_of(const struct controller *ctl, const struct run *r, size_t part,
                const struct step_taker *others, size_t n) {
        const struct config *config = ctl->cluster->config;

        return (struct step_ask){
                .spec = run_spec(r, part),
                .list = run_task_list(r, part),
                .others = others,
                .n_others = run_spec(r, part)->overlap ? 0 : n,
                .pack = config->select_params & CR_PACK_NODES,
                .max_tasks_per_node = config->max_tasks_per_node,
        };
}

enum slumber_error run_fit(const struct controller *ctl, const struct run *r, size_t part,
                const struct job *j, struct fit *f, struct fail *fail) {
        size_t n;
        _cleanup_free_ struct step_taker *others = job_step_takers(ctl, j, &n);
        const struct step_ask ask = ask_of(ctl, r, part, others, n);

        return fit_in(&ask, j, f, fail);
}

/* Fits the run beside the job's other steps. f must be zeroed before; fits_done() frees f's
   members. */
static enum slumber_error run_fit_parts(const struct controller *ctl, const struct run *r,
                const struct job *j, struct fits *f, struct fail *fail) {
        _cleanup_free_ struct step_ask *asks = xnew0(struct step_ask, r->n_more + 1);
        size_t n;

        if (r->components)
                return span_fit(ctl, r, f, fail);
        if (!r->n_more)
                return run_fit(ctl, r, 0, j, &f->whole, fail);
        _cleanup_free_ struct step_taker *others = job_step_takers(ctl, j, &n);
        for (size_t i = 0; i <= r->n_more; i++)
                asks[i] = ask_of(ctl, r, i, others, n);
        return fit_several(asks, r->n_more + 1, j, f, fail);
}

static enum slumber_error check_all_abilities(const struct controller *ctl, const struct run *r,
                const struct fits *f, struct fail *fail) {
        enum slumber_error e = SLUMBER_OK;

        for (size_t i = 0; e == SLUMBER_OK && i <= r->n_more; i++)
                e = check_abilities(run_spec(r, i), run_job(ctl, r, i), fits_part(f, i), fail);
        return e;
}

/* If MpiParams has ports, each step gets ports unless the request says otherwise. Exceptions are
   the steps of sbcast, and salloc's shell, which leaves the ports to its steps. */
static uint32_t ports_asked(const Slumber__StepSpec *spec, struct port_range range) {
        if (spec->resv_ports || spec->no_ports || spec->bcast || spec->interactive || !range.first)
                return spec->resv_ports;
        return STEP_PORTS_BY_TASKS;
}

static enum slumber_error find_ports(struct controller *ctl, const struct run *r,
                const struct job *j, const struct fit *f, char **ret) {
        const struct config *config = ctl->cluster->config;
        const struct port_range range = { config->ports_first, config->ports_last };

        if (r->components) /* each component would have ports of its own */
                return SLUMBER_OK;
        return step_ports_find(j, f->at, f->count, f->n, ports_asked(r->spec, range), range,
                        &ctl->next_port, ret);
}

static enum slumber_error home_makes_none(const struct job *j, struct fail *fail) {
        fail_set(fail, -EOPNOTSUPP,
                        "the steps of job %u are made by its node (--stepmgr), which makes none of "
                        "several components",
                        j->id);
        return SLUMBER_NOT_SUPPORTED;
}

/* Starts the step if it fits beside the job's other steps now. */
static enum slumber_error start_where_it_fits(struct controller *ctl, struct run *r, struct job *j,
                struct fail *fail) {
        struct fits f = { 0 };
        char *ports = NULL;
        enum slumber_error e = run_fit_parts(ctl, r, j, &f, fail);

        if (e == SLUMBER_OK)
                e = check_all_abilities(ctl, r, &f, fail);
        if (e == SLUMBER_OK)
                e = find_ports(ctl, r, j, &f.whole, &ports);
        if (e == SLUMBER_OK && r->components)
                span_start(ctl, r, &f);
        else if (e == SLUMBER_OK)
                run_start(ctl, r, j, &f, ports);
        fits_done(&f);
        return e;
}

/* Drops the request kept for a step manager that did not take it. Returns -EREMOTE with a text
   if the job has a step manager and the controller may not make the step either: srun may have
   returned through another slumberd. */
static int stays_here(struct run *r, const struct job *j, struct fail *fail) {
        _cleanup_free_ char *away = home_refuses(j, r->spec);

        run_forget_request(r);
        return away ? fail_set(fail, -EREMOTE, "%s", away) : 0;
}

/* Starts the run, or leaves it waiting: true. Otherwise replies with an error or with the step
   manager's address, removes the run and returns false. */
static bool run_try(struct controller *ctl, struct run *r) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct fail fail = { 0 };
        enum slumber_error e;

        if (!j || job_is_finished(j) || j->completing)
                e = SLUMBER_JOB_ENDED;
        else if (j->state == JOB_PENDING && watch_of(ctl, WATCH_HOLDER, run_known_job(r), &r->to))
                /* The job has given its nodes back since the command was told about them
                   (job_unstart()) */
                return true;
        else if (j->state == JOB_PENDING)
                e = SLUMBER_JOB_PENDING;
        else if (j->configuring || j->state == JOB_SUSPENDED)
                e = SLUMBER_NODES_BUSY;
        else if (r->request && home_takes(ctl, &r->to, j, r->request)) {
                run_remove(ctl, r);
                return false;
        } else if (r->request && stays_here(r, j, &fail) < 0)
                e = SLUMBER_NOT_SUPPORTED;
        /* The step manager was chosen while the run was waiting */
        else if (r->n_more && job_has_home(j))
                e = home_makes_none(j, &fail);
        else if (r->spec->interactive && job_step_find(j, STEP_INTERACTIVE))
                e = second_interactive(j, &fail);
        else
                e = start_where_it_fits(ctl, r, j, &fail);
        bool waits = (e == SLUMBER_NODES_BUSY || e == SLUMBER_PORTS_BUSY) && !r->immediate;
        r->waits_for = waits ? e : SLUMBER_OK;
        if (e == SLUMBER_OK || waits)
                return true;
        reply_result(ctl, &r->to, e, fail.text);
        run_remove(ctl, r);
        return false;
}

/* Tells the command why the run waits: names the job's booting nodes, if any; else the run waits
   for other steps or for ports. */
static void run_tell_waiting(const struct controller *ctl, const struct run *r) {
        _cleanup_free_ const char **names = NULL;
        _cleanup_free_ char *list = NULL;
        size_t n = 0, n_parts = r->components ? r->n_more + 1 : 1;

        for (size_t part = 0; part < n_parts && r->waits_for != SLUMBER_PORTS_BUSY; part++) {
                const struct job *j = run_job(ctl, r, part);
                names = xrenew(names, n + j->placed.n_alloc + 1);
                for (size_t i = 0; i < j->placed.n_alloc; i++)
                        if (j->placed.alloc[i].node->power != NODE_ON ||
                                        j->placed.alloc[i].node->flags & NODE_REBOOT_ISSUED)
                                names[n++] = j->placed.alloc[i].node->name;
        }
        if (n)
                list = hostlist_compress(names, n);
        run_notice(r, SLUMBER__STEP_NOTICE__KIND__WAITS, NULL, r->waits_for, list);
}

/* Like run_try(); the command is told if the reason for waiting changes. */
static bool run_try_again(struct controller *ctl, struct run *r) {
        enum slumber_error before = r->waits_for;

        if (!run_try(ctl, r))
                return false;
        if (!r->started && r->waits_for != before)
                run_tell_waiting(ctl, r);
        return true;
}

void runs_retry(struct controller *ctl, uint32_t job) {
        for (size_t i = 0; i < ctl->n_runs;) {
                struct run *r = ctl->runs[i];
                bool kept = true;
                if (!r->started && run_is_of(r, job))
                        kept = run_try_again(ctl, r);
                else if (r->job == job && r->late && !bitset_empty(r->missing)) {
                        run_launch(ctl, job, r->step);
                        kept = i < ctl->n_runs && ctl->runs[i] == r;
                }
                i += kept;
        }
}

void runs_retry_ports(struct controller *ctl) {
        if (!follows_take(ctl->cluster, FOLLOW_STEP_PORTS))
                return;
        for (size_t i = 0; i < ctl->n_runs;) {
                struct run *r = ctl->runs[i];
                i += r->waits_for != SLUMBER_PORTS_BUSY || run_try_again(ctl, r);
        }
}

/* ---- requests ---- */

/* Returns whether the specifications would need too much memory. *ret_full: the number of runs
   has reached a limit. */
static bool too_much(const struct controller *ctl, uid_t uid, size_t size, bool *ret_full) {
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->uid == uid) {
                        n++;
                        size += ctl->runs[i]->size;
                }
        *ret_full = ctl->n_runs >= RUNS_MAX || n >= RUNS_OF_USER_MAX;
        return size > WAITING_BYTES_MAX;
}

static void keep_spec(struct run *r, Slumber__StepSpec *spec) {
        if (r->spec)
                slumber__step_spec__free_unpacked(r->spec, NULL);
        run_forget_parts(r);
        r->spec = spec;
        r->size = slumber__step_spec__get_packed_size(spec);
        r->texts = true;
}

void run_take_spec(struct run *r, const Slumber__StepSpec *spec) {
        keep_spec(r, wire_copy(&spec->base));
}

void run_take_parts(struct run *r, Slumber__StepSpec *const *parts, size_t n,
                const Slumber__StepSettings *settings) {
        r->more = xnew(Slumber__StepSpec *, n + 1);
        for (; r->n_more < n; r->n_more++) {
                const Slumber__StepSpec *spec = parts[r->n_more];
                r->more[r->n_more] = settings ? step_request_fill(settings, spec,
                                                                run_task_list(r, r->n_more + 1))
                                              : wire_copy(&spec->base);
                r->size += slumber__step_spec__get_packed_size(r->more[r->n_more]);
        }
}

/* Limits the number of nodes to those the job still has: a script's environment has the number
   at the start of the job, which may have lost nodes since. */
static void fit_to_job(const struct job *j, Slumber__StepSpec *s) {
        uint32_t n = 0;

        for (size_t i = 0; j && s->nodes_of_job && i < j->placed.n_alloc; i++)
                n += !j->placed.alloc[i].done;
        if (!n || s->min_nodes <= n)
                return;
        s->min_nodes = s->max_nodes = n;
        if (s->tasks_of_job)
                s->num_tasks = 0;
}

void run_take_request(const struct controller *ctl, struct run *r, const Slumber__StepRequest *m) {
        Slumber__StepSettings settings = step_settings(ctl->cluster->config);

        keep_spec(r, step_request_fill(&settings, m->spec, run_task_list(r, 0)));
        fit_to_job(m->n_components ? NULL : cluster_job(ctl->cluster, m->job_id), r->spec);
        run_take_parts(r, m->parts, m->n_parts, &settings);
        r->size += lists_size(r);
}

/* Task lists of --distribution=arbitrary, for each component of a request. */
struct lists {
        struct task_list **of;
        size_t n;
};

static void lists_done(struct lists *l) {
        for (size_t i = 0; i < l->n; i++)
                task_list_free(l->of[i]);
        free(l->of);
}

static struct task_list *lists_add(const struct controller *ctl, struct lists *l) {
        l->of = xrenew(l->of, l->n + 1);
        return l->of[l->n++] = task_list_new(ctl->cluster->config->max_tasks_per_node);
}

/* Moves the non-empty lists to the run. */
static void lists_give(struct lists *l, struct run *r) {
        for (size_t i = 0; i < l->n; i++)
                if (!task_list_tasks(l->of[i]))
                        l->of[i] = task_list_free(l->of[i]);
        r->lists = TAKE(l->of);
        r->n_lists = l->n;
        l->n = 0;
}

/* Checks one specification and reads its list of nodes for tasks into list. Returns an error
   with a text in fail. */
static enum slumber_error request_spec_check(const struct controller *ctl,
                const struct caller *caller, const struct job *j, const Slumber__StepSpec *spec,
                struct task_list *list, struct fail *fail) {
        bool full;

        int r = task_list_add(list, spec->task_nodes, fail);
        if (r < 0)
                return r == -ERANGE ? SLUMBER_BAD_TASK_COUNT : SLUMBER_BAD_NODE_NAME;
        size_t size = slumber__step_spec__get_packed_size(spec) + task_list_size(list);
        if (too_much(ctl, caller->uid, size, &full))
                return SLUMBER_TOO_MANY_JOBS;
        if (plugin_options_size(spec->plugin_options, spec->n_plugin_options) > TEXT_MAX) {
                fail_set(fail, -E2BIG, "the plug-ins' options are longer than 64 KiB");
                return SLUMBER_TOO_BIG;
        }
        Slumber__StepSettings settings = step_settings(ctl->cluster->config);
        const struct step_job words = step_job_of(j);
        return step_request_check(&settings, &words, spec, fail);
}

static enum slumber_error refuse_parts(const struct job *j, const Slumber__StepRequest *m,
                struct fail *fail) {
        if (j->het && !m->n_components)
                fail_set(fail, -EOPNOTSUPP,
                                "a step in a heterogeneous job has no components of its own");
        else if (job_has_home(j))
                return home_makes_none(j, fail);
        else
                return SLUMBER_OK;
        return SLUMBER_NOT_SUPPORTED;
}

/* Returns the job addressed by a part of the request. */
static const struct job *job_of_part(const struct job *j, const Slumber__StepRequest *m,
                size_t part) {
        return m->n_components ? j->het->of[m->components[part]] : j;
}

/* Checks the components after the first. */
static enum slumber_error request_parts_check(const struct controller *ctl,
                const struct caller *caller, const struct job *j, const Slumber__StepRequest *m,
                struct lists *lists, struct fail *fail) {
        enum slumber_error e = m->n_parts ? refuse_parts(j, m, fail) : SLUMBER_OK;
        size_t size = slumber__step_request__get_packed_size(m);
        bool full;

        if (e == SLUMBER_OK && m->n_parts >= STEP_PARTS_MAX) {
                fail_set(fail, -E2BIG, "the step has %zu components: %u are the most",
                                m->n_parts + 1, STEP_PARTS_MAX);
                e = SLUMBER_TOO_BIG;
        }
        if (e == SLUMBER_OK && m->n_parts && too_much(ctl, caller->uid, size, &full))
                e = SLUMBER_TOO_MANY_JOBS;
        for (size_t i = 0; e == SLUMBER_OK && i < m->n_parts; i++) {
                const Slumber__StepSpec *spec = m->parts[i];
                bool special = spec->interactive || spec->bcast || m->spec->interactive ||
                               m->spec->bcast || spec->debug_level != m->spec->debug_level;
                e = special || spec->n_arguments == 0
                                    ? SLUMBER_PROTOCOL
                                    : request_spec_check(ctl, caller, job_of_part(j, m, i + 1),
                                                      spec, lists_add(ctl, lists), fail);
        }
        return e;
}

/* Checks the first component, and that all addressed components exist. */
static enum slumber_error check_first(const struct controller *ctl, const struct caller *caller,
                const struct job *j, const Slumber__StepRequest *m, struct lists *lists,
                struct fail *fail) {
        enum slumber_error e = m->n_components ? span_check(ctl, j, m, fail) : SLUMBER_OK;

        return e == SLUMBER_OK ? request_spec_check(ctl, caller, job_of_part(j, m, 0), m->spec,
                                                 lists_add(ctl, lists), fail)
                               : e;
}

static struct run *run_new(struct controller *ctl, const struct caller *caller, const struct job *j,
                const Slumber__StepRequest *m, struct lists *lists) {
        bool may_go = !m->n_parts && home_may_take(ctl, &caller->from, j, m->spec);
        struct run *r = xnew0(struct run, 1);

        lists_give(lists, r);
        run_take_request(ctl, r, m);
        if (may_go) {
                r->request = wire_copy(&m->base);
                r->size += slumber__step_request__get_packed_size(m);
        }
        r->job = job_of_part(j, m, 0)->id;
        if (m->n_components) {
                r->span = j->id;
                r->components = xnew(uint32_t, m->n_components);
                memcpy(r->components, m->components, m->n_components * sizeof r->components[0]);
        }
        r->uid = caller->uid;
        r->immediate = m->immediate;
        r->to = address_copy(&caller->from);
        r->launcher = r->to.peer->local ? NULL : xstrdup(conn_peer_address(r->to.peer->conn));
        peer_streams(r->to.peer);
        GROW(ctl->runs, ctl->a_runs, ctl->n_runs);
        ctl->runs[ctl->n_runs++] = r;
        return r;
}

static void add_run(struct controller *ctl, const struct caller *caller, const struct job *j,
                const Slumber__StepRequest *m, struct lists *lists) {
        struct run *r = run_new(ctl, caller, j, m, lists);

        if (run_try(ctl, r) && !r->started)
                run_tell_waiting(ctl, r);
}

/* Returns whether the request can be decided without a reply: the step starts now, or srun asks
   again. */
static bool is_simple(const struct controller *ctl, const struct caller *caller,
                const struct job *j, const Slumber__StepRequest *m) {
        const Slumber__StepSpec *spec = m->spec;
        bool full;

        return j->state == JOB_RUNNING && !j->configuring && !j->completing && !j->het &&
               caller->uid == j->uid && spec && spec->n_arguments && !spec->interactive &&
               !spec->bcast && !spec->debug_level && !m->n_parts && !m->n_components && !m->again &&
               !m->immediate && !home_may_make(ctl, j) &&
               !too_much(ctl, caller->uid, slumber__step_spec__get_packed_size(spec), &full) &&
               !full;
}

void step_begin_at_once(struct controller *ctl, const struct caller *caller, struct job *j,
                const Slumber__StepRequest *m) {
        _cleanup_(lists_done) struct lists lists = { 0 };
        struct fail fail = { 0 };

        if (!is_simple(ctl, caller, j, m) ||
                        check_first(ctl, caller, j, m, &lists, &fail) != SLUMBER_OK)
                return;
        struct run *r = run_new(ctl, caller, j, m, &lists);
        r->with_job = true;
        if (start_where_it_fits(ctl, r, j, &fail) != SLUMBER_OK)
                run_remove(ctl, r);
}

bool run_tells_allocation(const struct controller *ctl, uint32_t job) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->job == job && ctl->runs[i]->with_job)
                        return true;
        return false;
}

static enum slumber_error home_away(const char *why, struct fail *fail) {
        fail_set(fail, -EREMOTE, "%s", why);
        return SLUMBER_NOT_SUPPORTED;
}

/* A repeated request is for the controller unless the step id is one of a step manager. */
static bool is_attach(const struct job *j, const Slumber__StepRequest *m) {
        return m->again && !(m->step && job_step_is_home(j, (uint32_t)m->step->value));
}

void handle_step_request(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__StepRequest *m = env->step_request;
        const struct viewer viewer = viewer_of(ctl, caller);
        struct job *j = cluster_job(ctl->cluster, viewer_job_id(&viewer, m->job_id));
        _cleanup_(lists_done) struct lists lists = { 0 };
        enum slumber_error e = SLUMBER_OK;
        struct fail fail = { 0 };
        bool full = false;
        _cleanup_free_ char *away = j && m->spec ? home_refuses(j, m->spec) : NULL;

        if (!j)
                e = SLUMBER_BAD_JOB_ID;
        else if (caller->uid != j->uid) /* even root may not: steps run as the user of the job */
                e = SLUMBER_ACCESS_DENIED;
        else if (!m->spec || m->spec->n_arguments == 0)
                e = SLUMBER_PROTOCOL;
        else if (too_much(ctl, caller->uid, slumber__step_spec__get_packed_size(m->spec), &full))
                e = SLUMBER_TOO_MANY_JOBS;
        else if (m->spec->debug_level && !caller->super) {
                fail_set(&fail, -EPERM, "--slurmd-debug is for root and SlurmUser alone");
                e = SLUMBER_ACCESS_DENIED;
        } else if (is_attach(j, m) && run_attach(ctl, caller, m))
                return;
        else if (!m->n_parts && home_takes(ctl, &caller->from, j, env->step_request))
                return;
        else if (m->again && m->step)
                e = SLUMBER_BAD_STEP_ID; /* only a step manager would know the step */
        else
                e = full   ? SLUMBER_TOO_MANY_JOBS
                    : away ? home_away(away, &fail)
                           : check_first(ctl, caller, j, m, &lists, &fail);
        if (e == SLUMBER_OK)
                e = request_parts_check(ctl, caller, j, m, &lists, &fail);
        if (e != SLUMBER_OK)
                reply_result(ctl, &caller->from, e, fail.text);
        else
                add_run(ctl, caller, j, m, &lists);
}
