/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs with a step manager: the first node of the job's allocation makes the job's steps.
 *
 * The job's record has the choice before the script is launched, and the choice holds for this run
 * of the job. The controller then makes only steps that use no resources of other steps. The step
 * manager reports its steps; a reported step is a step of the job like any other, but has no run:
 * the step is shown, counted, limited, and signalled by its id. */
#include "controller/launch/step_manager.h"

#include "controller/ended/ended_step.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/run.h"
#include "controller/launch/step_end.h"
#include "controller/launch/step_nodes.h"
#include "controller/launch/step_settings.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/gres.h"
#include "controller/model/node_features.h"
#include "lib/abilities.h"
#include "lib/log.h"
#include "lib/printable.h"

#include <signal.h>

/* ---- the choice ---- */

/* Returns whether the slumberd of the job's node `at` is connected and has the abilities needed:
   on the first node the ability to manage steps, on other nodes to start them for a step
   manager. */
static bool node_can(const struct controller *ctl, const struct job *j, size_t at) {
        const struct peer *p = ctl->agents[j->placed.alloc[at].node->index];
        unsigned makes = CAN_MAKE_STEPS | (j->asked.batch ? 0 : CAN_VISIT_HOMES),
                 needs = at == j->placed.batch_at ? makes : CAN_TAKE_STEPS;

        if (!p || !p->conn || (p->can & needs) != needs)
                return false;
        if (at == j->placed.batch_at && p->makes_none_until > now_monotonic())
                return false;
        _cleanup_free_ char *address = relay_address(p);
        return address || (j->asked.batch && j->placed.n_alloc == 1);
}

/* Returns whether the job may have a step manager by its options and the configuration. Not with
   X11, which each launch has to carry, nor with ports_first: only the controller knows the ports
   other jobs use. */
static bool wants_home(const struct controller *ctl, const struct job *j) {
        const struct config *config = ctl->cluster->config;

        return (j->asked.stepmgr || config->enable_stepmgr) && !j->asked.x11 &&
               !config->ports_first && !j->het; /* a step may span components */
}

static bool may_have_home(const struct controller *ctl, const struct job *j) {
        if (!wants_home(ctl, j) || !job_home_reaches_all(j))
                return false;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!node_can(ctl, j, i))
                        return false;
        return true;
}

static const struct node *home_of(const struct job *j) {
        return j->placed.alloc[j->placed.batch_at].node;
}

/* Returns the key with which the step manager of this run of the job signs credentials. */
static struct credential_key *maker_key_derive(const struct controller *ctl, const struct job *j) {
        _cleanup_free_ char *of = xasprintf("steps of %u.%u of %u by %s", j->id, job_incarnation(j),
                        (unsigned)j->uid, home_of(j)->name);

        return credential_key_derive(ctl->signing_key, of);
}

/* Returns the token that slumberds of other hosts show to the step manager when they speak for
   the user's srun; never 0. */
static uint64_t visit_token(const struct controller *ctl, const struct job *j) {
        _cleanup_free_ char *of = xasprintf("visits of %u.%u of %u by %s", j->id,
                        job_incarnation(j), (unsigned)j->uid, home_of(j)->name);
        _cleanup_(credential_key_freep) struct credential_key *key = credential_key_derive(
                        ctl->signing_key, of);
        uint8_t seed[CREDENTIAL_SEED_SIZE];
        uint64_t token;

        credential_key_seed(key, seed);
        memcpy(&token, seed, sizeof token);
        return token ? token : 1;
}

static void maker_choose(struct controller *ctl, struct job *j) {
        j->running.home = j->restarts + 1;
        j->running.home_serial = 0;
        j->running.next_step = STEP_OWN_FIRST;
        j->running.next_bcast = STEP_OWN_BCAST_FIRST;
        cluster_job_changed(ctl->cluster, j);
        controller_changed(ctl);
}

bool home_chosen(struct controller *ctl, struct job *j) {
        if (job_has_home(j))
                return false;
        if (j->running.next_step >= STEP_OWN_FIRST) /* from an earlier run */
                j->running.next_step = j->running.next_bcast = 0;
        if (!may_have_home(ctl, j))
                return false;
        maker_choose(ctl, j);
        struct effect *fx = effects_add(&ctl->cluster->effects, FX_LAUNCH);
        fx->job = j->id;
        fx->node = j->placed.alloc[j->placed.batch_at].node;
        return true;
}

/* ---- the launch ---- */

struct sending {
        struct controller *ctl;
        struct launch *launch;
        int result;
};

static void send_it(Slumber__StepMaker *maker, void *user) {
        struct sending *s = user;

        s->launch->maker = maker;
        s->result = launch_send(s->ctl, s->launch);
        s->launch->maker = NULL;
}

static void maker_names_fill(const struct job *j, Slumber__StepMaker *m) {
        const struct step_job words = step_job_of(j);
        const struct {
                char **to;
                const char *value;
        } texts[] = {
                { &m->partition, words.partition },
                { &m->qos, words.qos },
                { &m->account, words.account },
                { &m->reservation, words.reservation },
                { &m->asked_features, j->asked.features },
        };

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (texts[i].value)
                        *texts[i].to = (char *)(uintptr_t)texts[i].value;
}

static void fill_way(const struct controller *ctl, const struct job *j, const struct node *n,
                Slumber__StepMakerNode *m) {
        const struct peer *p = ctl->agents[n->index];
        char *pattern = NULL, *address = p && p->conn ? relay_address(p) : NULL;
        char *place = topology_address(j->partition->topology, node_leaf(n, j->partition->topology),
                        n->name, &pattern);

        m->address = address ? address : xstrdup("");
        m->topology_addr = place ? place : xstrdup("");
        m->topology_pattern = pattern ? pattern : xstrdup("");
}

/* Fills *m with the hardware, features and gres of the node and the job's share; done_node()
   undoes. */
static void maker_node_fill(const struct controller *ctl, const struct job *j, size_t at,
                Slumber__StepMakerNode *m) {
        const struct job_node *jn = &j->placed.alloc[at];
        const struct node *n = jn->node;
        Slumber__Hardware *hw = xnew(Slumber__Hardware, 1);
        char *features = node_features_active(n);
        size_t n_shares = 0;

        slumber__step_maker_node__init(m);
        slumber__hardware__init(hw);
        hw->cpus = n->configured.cpus;
        hw->boards = n->configured.boards;
        hw->sockets = n->configured.sockets;
        hw->cores = n->configured.cores;
        hw->threads = n->configured.threads;
        hw->tmp_disk = n->configured.tmp_disk;
        const struct gres_share *shares = gres_shares_of(j->placed.gres, j->placed.n_gres,
                        (uint32_t)at, &n_shares);
        m->name = n->name;
        m->hardware = hw;
        m->cpus = jn->cpus;
        m->memory = jn->memory;
        m->units = n->units;
        m->cpus_per_unit = n->cpus_per_unit;
        m->features = features ? features : xstrdup("");
        m->cores = launch_job_cores(j, jn);
        m->job_gres = gres_shares_text(n, shares, n_shares);
        if (n->gres)
                m->gres = n->gres;
        fill_way(ctl, j, n, m);
}

static void done_node(Slumber__StepMakerNode *m) {
        free(m->hardware);
        free(m->features);
        free(m->cores);
        free(m->job_gres);
        free(m->address);
        free(m->topology_addr);
        free(m->topology_pattern);
}

/* Calls use with all data that the step manager, the node of l, needs to make the job's steps. */
static void tell_home(struct controller *ctl, const struct launch *l,
                void (*use)(Slumber__StepMaker *maker, void *user), void *user) {
        Slumber__StepMaker m = SLUMBER__STEP_MAKER__INIT;
        Slumber__StepSettings settings = step_settings(ctl->cluster->config);
        const struct job *j = l->job;
        size_t n = j->placed.n_alloc;
        _cleanup_free_ Slumber__StepMakerNode *nodes = xnew(Slumber__StepMakerNode, n);
        _cleanup_free_ Slumber__StepMakerNode **list = xnew(Slumber__StepMakerNode *, n);

        for (size_t i = 0; i < n; i++) {
                list[i] = &nodes[i];
                maker_node_fill(ctl, j, i, list[i]);
        }
        uint8_t seed[CREDENTIAL_SEED_SIZE];
        _cleanup_(credential_key_freep) struct credential_key *key = maker_key_derive(ctl, j);
        credential_key_seed(key, seed);
        m.key.data = seed;
        m.key.len = n > 1 ? sizeof seed : 0;
        m.own_address = list[j->placed.batch_at]->address;
        m.nodes = list;
        m.n_nodes = n;
        m.settings = &settings;
        m.threads_per_core = j->asked.threads_per_core;
        m.ntasks_per_core = j->asked.ntasks_per_core;
        m.cpus_per_task = j->needs.cpus_per_task;
        m.patience = cluster_patience(ctl->cluster);
        m.may_debug = j->uid == 0 || j->uid == ctl->cluster->config->slurm_uid;
        m.visit_token = visit_token(ctl, j);
        maker_names_fill(j, &m);
        launch_by_node(ctl, l, &m, use, user);
        for (size_t i = 0; i < n; i++)
                done_node(list[i]);
}

int home_launch(struct controller *ctl, struct launch *l) {
        struct sending s = { ctl, l, 0 };

        tell_home(ctl, l, send_it, &s);
        return s.result;
}

/* ---- without a script ---- */

static void send_begin(Slumber__StepMaker *maker, void *user) {
        const struct sending *s = user;
        const struct peer *p = s->ctl->agents[s->launch->at->node->index];
        Slumber__MakerBegin m = SLUMBER__MAKER_BEGIN__INIT;

        m.maker = maker;
        ENVELOPE(env, MAKER_BEGIN, maker_begin, &m);
        if (p && p->conn) /* sent once the choice is stored */
                reply_durable(s->ctl, &(struct address){ (struct peer *)(uintptr_t)p, 0, 0 }, &env);
}

static void begin_home(struct controller *ctl, struct job *j) {
        _cleanup_free_ char *nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes);
        struct job_node *jn = &j->placed.alloc[j->placed.batch_at];
        struct launch l = { .job = j, .at = jn, .cpus = jn->cpus, .job_nodes = nodes };
        struct sending s = { ctl, &l, 0 };

        jn->used = true; /* the node reports the job's end */
        cluster_job_changed(ctl->cluster, j);
        controller_changed(ctl);
        tell_home(ctl, &l, send_begin, &s);
}

/* Returns whether the controller has made steps of the job, or has to make waiting ones. */
static bool has_runs(const struct controller *ctl, const struct job *j) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->job == j->id && !ctl->runs[i]->spec->interactive &&
                                !ctl->runs[i]->request)
                        return true;
        return false;
}

/* Returns whether a job without a script may still get a step manager: the controller has made
   no step of the job. */
static bool may_choose(const struct controller *ctl, const struct job *j) {
        return !j->asked.batch && wants_home(ctl, j) && !j->completing &&
               j->running.next_step == 0 && j->running.next_bcast == 0 && !has_runs(ctl, j);
}

bool home_may_make(const struct controller *ctl, const struct job *j) {
        return job_has_home(j) || may_choose(ctl, j);
}

/* Steps of the job may begin. */
static bool goes_on(const struct job *j) {
        return j->state == JOB_RUNNING && !j->configuring;
}

/* Returns the relay address of a slumberd that can ask step managers or be asked; NULL: cannot,
   or not connected. The caller frees. */
static char *visitors_address(const struct peer *p) {
        return p && p->conn && p->can & CAN_VISIT_HOMES ? relay_address(p) : NULL;
}

static void home_address_send(struct controller *ctl, const struct address *to, const struct job *j,
                Slumber__StepRequest *request, char *address, char *own_address) {
        Slumber__HomeAt m = SLUMBER__HOME_AT__INIT;

        if (!address) { /* srun repeats the request until the node is back or the job has ended */
                reply_result(ctl, to, SLUMBER_CONTROLLER_AWAY, "");
                return;
        }
        m.job_id = j->id;
        m.restarts = job_incarnation(j);
        m.uid = j->uid;
        m.node = home_of(j)->name;
        m.address = address;
        m.own_address = own_address;
        m.token = visit_token(ctl, j);
        m.request = request;
        m.srun_prolog = (char *)(uintptr_t)strempty(ctl->cluster->config->srun_prolog);
        m.srun_epilog = (char *)(uintptr_t)strempty(ctl->cluster->config->srun_epilog);
        ENVELOPE(answer, HOME_AT, home_at, &m);
        reply_durable(ctl, to, &answer);
}

void home_failed(struct controller *ctl, struct peer *p, const Slumber__LaunchResult *m,
                const char *why) {
        struct job *j = cluster_job(ctl->cluster, m->job_id);

        /* The next step would choose the node again; the node's disk may have room later */
        p->makes_none_until = now_monotonic() + cluster_patience(ctl->cluster);
        if (!j || !job_has_home(j) || job_incarnation(j) != m->restarts || j->asked.batch ||
                        !j->placed.n_alloc || home_of(j) != p->node || j->running.home_serial > 0)
                return;
        log_fields(LOG_WARNING, 0, j->id, p->node->name,
                        "Node %s cannot make the steps of job %u, so the controller makes them: %s",
                        p->node->name, j->id, why);
        j->running.home = 0;
        j->running.next_step = j->running.next_bcast = 0;
        cluster_job_changed(ctl->cluster, j);
        controller_changed(ctl);
}

bool home_takes(struct controller *ctl, const struct address *from, struct job *j,
                Slumber__StepRequest *request) {
        const Slumber__StepSpec *spec = request->spec;
        _cleanup_free_ char *own_address = visitors_address(from->peer);

        if (spec->interactive || !own_address || job_is_finished(j) || j->completing ||
                        !j->placed.n_alloc)
                return false;
        const struct peer *home = ctl->agents[home_of(j)->index];
        _cleanup_free_ char *address = visitors_address(home);
        if (home && home->conn && !address)
                return false;
        if (!job_has_home(j) && !(goes_on(j) && may_choose(ctl, j) && may_have_home(ctl, j)))
                return false;
        if (!job_has_home(j)) {
                maker_choose(ctl, j);
                begin_home(ctl, j);
        }
        home_address_send(ctl, from, j, request, address, own_address);
        return true;
}

bool home_may_take(const struct controller *ctl, const struct address *from, const struct job *j,
                const Slumber__StepSpec *spec) {
        _cleanup_free_ char *own_address = visitors_address(from->peer);

        return own_address && !spec->interactive && !job_has_home(j) && !goes_on(j) &&
               may_choose(ctl, j);
}

char *home_refuses(const struct job *j, const Slumber__StepSpec *spec) {
        if (!job_has_home(j) || !j->placed.n_alloc || spec->overlap || spec->interactive)
                return NULL;
        if (job_is_finished(j) || j->completing) /* the request fails for this reason */
                return NULL;
        return xasprintf("the steps of job %u are made by its node %s (--stepmgr): srun must run "
                         "where slumberd does, or with --overlap",
                        j->id, home_of(j)->name);
}

enum slumber_error home_attaches(struct controller *ctl, const struct address *from,
                const struct job *j, uint32_t step, struct fail *fail) {
        Slumber__AttachRequest request = SLUMBER__ATTACH_REQUEST__INIT;
        Slumber__HomeAt m = SLUMBER__HOME_AT__INIT;
        const struct peer *home = ctl->agents[home_of(j)->index];
        bool here = !from->peer->local && from->peer->can & CAN_ATTACH_AT_HOMES;

        if (!here) {
                fail_set(fail, -EOPNOTSUPP,
                                "node %s makes the steps of job %u (--stepmgr): sattach reaches them "
                                "by the slumberd of its host alone, and there is none, or it is of an "
                                "earlier build",
                                home_of(j)->name, j->id);
                return SLUMBER_NOT_SUPPORTED;
        }
        if (!home || !home->conn) {
                fail_set(fail, -EHOSTDOWN,
                                "node %s, which makes the steps of job %u (--stepmgr), is away",
                                home_of(j)->name, j->id);
                return SLUMBER_FAILED;
        }
        _cleanup_free_ char *address = home->can & CAN_ATTACH_AT_HOMES ? relay_address(home) : NULL;
        if (!address) {
                fail_set(fail, -EOPNOTSUPP,
                                "node %s makes the steps of job %u (--stepmgr), and its slumberd does "
                                "not listen for those of other hosts, or is of an earlier build",
                                home_of(j)->name, j->id);
                return SLUMBER_NOT_SUPPORTED;
        }
        request.job_id = m.job_id = j->id;
        request.step_id = step;
        m.restarts = job_incarnation(j);
        m.uid = j->uid;
        m.node = home_of(j)->name;
        m.address = address;
        m.token = visit_token(ctl, j);
        m.attach = &request;
        ENVELOPE(answer, HOME_AT, home_at, &m);
        reply_durable(ctl, from, &answer);
        return SLUMBER_OK;
}

/* ---- steps made by the step manager ---- */

static void copy_text(char **to, const char *from) {
        free_and_strdup(to, has_control(from) ? "" : from);
}

/* Sets the cores that the step has for itself on its i-th node. */
static void made_step_set_cores(struct step *s, size_t i, const struct node *n, const char *text) {
        struct bitset *set = bitset_new(n->units);

        if (bitset_parse(set, text) < 0)
                bitset_clear(set);
        s->cores[i] = set;
}

static void made_step_set_names(struct step *s, const Slumber__MadeStep *m) {
        copy_text(&s->name, m->name);
        copy_text(&s->host, m->host);
        copy_text(&s->submit_line, m->submit_line);
        copy_text(&s->container, m->container);
        copy_text(&s->cpu_freq, m->cpu_freq);
        copy_text(&s->tres_bind, m->tres_bind);
        s->pid = m->pid;
        s->num_tasks = m->num_tasks;
        s->cpus = m->cpus;
        s->mem_per_node = m->mem_per_node;
        s->mem_per_cpu = m->mem_per_cpu;
        s->token = m->token;
        s->stream_token = m->stream_token;
        s->cyclic = m->cyclic;
        s->plane = m->plane;
        s->kill_on_bad_exit = m->kill_on_bad_exit;
        s->gres_kind = m->gres_kind <= STEP_GRES_NONE ? (enum step_gres)m->gres_kind
                                                      : STEP_GRES_ALL;
}

/* Sets tasks, cores and gres of the step on each of its nodes. */
static void made_step_set_nodes(const struct job *j, struct step *s, const Slumber__MadeStep *m) {
        struct fail fail = { 0 };

        s->n_tasks_on = m->n_nodes;
        s->tasks = xnew(uint32_t, m->n_nodes);
        s->taken = xnew(uint32_t, m->n_nodes);
        if (*m->nodes[0]->cores)
                s->cores = xnew(struct bitset *, m->n_nodes);
        for (size_t i = 0; i < m->n_nodes; i++) {
                const Slumber__MadeStepNode *its = m->nodes[i];
                const struct node *n = j->placed.alloc[its->place].node;
                s->tasks[i] = its->tasks;
                s->taken[i] = its->taken;
                if (s->cores)
                        made_step_set_cores(s, i, n, its->cores);
                if (s->gres_kind == STEP_GRES_OWN &&
                                gres_shares_parse(n, its->gres, its->place, &s->gres, &s->n_gres,
                                                &fail) < 0)
                        log_fields(LOG_WARNING, 0, j->id, n->name, "Step %u of job %u has %s",
                                        s->id, j->id, fail.text);
        }
}

/* Returns the positions of the step's nodes in j's allocation; the caller frees. NULL:
   malformed, or no nodes. */
static struct bitset *made_step_places(const struct job *j, const Slumber__MadeStep *m) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(j->placed.n_alloc);

        for (size_t i = 0; i < m->n_nodes; i++) {
                if (m->nodes[i]->place >= j->placed.n_alloc ||
                                (i && m->nodes[i]->place <= m->nodes[i - 1]->place))
                        return NULL;
                bitset_add(set, m->nodes[i]->place);
        }
        return m->n_nodes ? TAKE(set) : NULL;
}

static void made_step_begin(struct controller *ctl, struct job *j, const Slumber__MadeStep *m) {
        _cleanup_(bitset_freep) struct bitset *places = made_step_places(j, m);
        usec_t now = controller_now(ctl);

        /* The controller's own step ids are not valid here */
        if (!places || !job_step_is_home(j, m->step_id) || job_step_find(j, m->step_id))
                return;
        struct step *s = job_step_started(ctl->cluster, j, m->step_id, places, now);
        s->start_time = m->start_time ? MIN(m->start_time, now) : now;
        s->ran_before -= MIN(s->ran_before, now - s->start_time);
        made_step_set_names(s, m);
        made_step_set_nodes(j, s, m);
        bitset_or(s->launched, s->nodes);
        energy_step_begins(j, s, now);
        job_step_limit(ctl->cluster, j, s, m->time_limit);
}

static struct node *node_named(const struct job *j, const char *name, struct node *otherwise) {
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (streq(j->placed.alloc[i].node->name, name))
                        return j->placed.alloc[i].node;
        return otherwise;
}

static void made_step_end(struct controller *ctl, struct peer *p, struct job *j,
                const Slumber__StepsRow *row) {
        Slumber__StepEnded *m = row->ended;
        struct step *s = job_step_is_home(j, m->step_id) ? job_step_find(j, m->step_id) : NULL;
        uint32_t worst = m->lost ? SIGKILL : 0;

        if (!s)
                return;
        if (!s->cancelled_by)
                s->cancelled_by = row->cancelled_by;
        usec_t now = controller_now(ctl);
        m->end_time = m->end_time ? MIN(m->end_time, now) : now;
        for (size_t i = 0; i < m->n_tasks; i++) {
                worst = MAX(worst, m->tasks[i]->status);
                if (m->tasks[i]->aborted && !s->abort_status)
                        s->abort_status = m->tasks[i]->status;
        }
        _cleanup_(step_use_done) struct step_use use = step_use_of(m);
        struct node *n = node_named(j, m->node, p->node);
        bool over = job_step_node_ended(ctl->cluster, j, s, n, worst, m->lost ? NULL : &use, now);
        if (!over || j->completing) /* the step is removed with the job, which ends soon */
                return;
        job_step_remove(j, s);
        cluster_job_changed(ctl->cluster, j);
}

/* Acknowledges the rows up to serial once they are stored. */
static void report_acknowledge(struct controller *ctl, struct peer *p,
                const Slumber__StepsReport *m, uint64_t serial) {
        Slumber__StepsReportAck ack = SLUMBER__STEPS_REPORT_ACK__INIT;

        ack.job_id = m->job_id;
        ack.restarts = m->restarts;
        ack.serial = serial;
        ENVELOPE(env, STEPS_REPORT_ACK, steps_report_ack, &ack);
        reply_durable(ctl, &(struct address){ p, 0, 0 }, &env);
}

/* Returns whether p is the step manager of j, and the report is about j's current run. */
static bool is_its_home(const struct job *j, const struct peer *p, const Slumber__StepsReport *m) {
        return j && j->placed.n_alloc && home_of(j) == p->node &&
               job_incarnation(j) == m->restarts && j->running.home == m->restarts + 1;
}

/* Ends a step whose end will never be reported. */
static void made_step_lose(struct controller *ctl, struct job *j, struct step *s) {
        usec_t now = controller_now(ctl);
        bool over = job_step_is_over(s);

        (void)job_signal(ctl->cluster, j, SIGKILL, s->id, false, true);
        for (size_t at = 0; at < j->placed.n_alloc && !over; at++)
                if (bitset_has(s->nodes, at) && !bitset_has(s->ended, at))
                        over = job_step_node_ended(ctl->cluster, j, s, j->placed.alloc[at].node,
                                        SIGKILL, NULL, now);
        if (!j->completing) /* while completing, the step is removed with the job */
                job_step_remove(j, s);
}

/* Loses all running steps of the step manager, which cannot read its own records. */
static void lose_all(struct controller *ctl, const struct peer *p, struct job *j) {
        size_t n = 0;

        for (size_t i = j->running.n_steps; i-- > 0;) {
                struct step *s = &j->running.steps[i];
                if (!job_step_is_home(j, s->id) || job_step_is_over(s))
                        continue;
                made_step_lose(ctl, j, s);
                n++;
        }
        log_fields(LOG_WARNING, 0, j->id, p->node->name,
                        "Node %s cannot read what it has made for job %u: %zu of its steps are lost, "
                        "and it makes no more; the node's log names the file",
                        p->node->name, j->id, n);
}

void home_reported(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__StepsReport *m = env->steps_report;
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        struct node *over_memory = NULL;
        uint64_t last = 0;

        bool known = is_its_home(j, p, m);
        for (size_t i = 0; i < m->n_rows; i++) {
                Slumber__StepsRow *row = m->rows[i];
                last = MAX(last, row->serial);
                if (!known || row->serial <= j->running.home_serial)
                        continue;
                /* The step manager's state has been restored */
                if (row->serial - j->running.home_serial > 1)
                        log_fields(LOG_WARNING, 0, j->id, p->node->name,
                                        "Node %s tells row %" PRIu64 " of the steps of job %u, but "
                                        "row %" PRIu64 " was to come: what is between is not known",
                                        p->node->name, row->serial, j->id,
                                        j->running.home_serial + 1);
                j->running.home_serial = row->serial;
                if (row->made)
                        made_step_begin(ctl, j, row->made);
                if (row->ended)
                        made_step_end(ctl, p, j, row);
                if (row->ended && row->ended->job_over_memory)
                        over_memory = node_named(j, row->ended->node, p->node);
        }
        if (known && m->lost)
                lose_all(ctl, p, j);
        if (known)
                cluster_job_changed(ctl->cluster, j);
        if (over_memory)
                job_over_memory(ctl->cluster, j, over_memory, controller_now(ctl));
        report_acknowledge(ctl, p, m, last); /* rows of earlier runs are dropped */
        controller_changed(ctl);
}

/* ---- the job's other nodes ---- */

/* Returns why n may not start steps for j's step manager now; NULL: n may. */
static const char *no_grant(const struct job *j, const struct node *n, uint32_t restarts) {
        const struct job_node *jn = j ? job_node_find((struct job *)(uintptr_t)j, n) : NULL;

        if (!jn || jn->done || job_is_finished(j) || j->completing ||
                        job_incarnation(j) != restarts)
                return "the job does not run here any more";
        return job_has_home(j) ? NULL : "no node makes the steps of the job";
}

struct granting {
        struct controller *ctl;
        struct peer *peer;
        Slumber__Grant *message;
};

static void send_grant(Slumber__StepMaker *maker, void *user) {
        struct granting *g = user;
        Slumber__Grant *m = g->message;

        m->most = maker->credential;
        m->hook_environment = maker->launch->hook_environment;
        m->n_hook_environment = maker->launch->n_hook_environment;
        ENVELOPE(env, GRANT, grant, m);
        reply_durable(g->ctl, &(struct address){ g->peer, 0, 0 }, &env);
}

static void grant_make(struct controller *ctl, struct peer *p, struct job *j, Slumber__Grant *m) {
        _cleanup_(credential_key_freep) struct credential_key *key = maker_key_derive(ctl, j);
        _cleanup_free_ char *nodes = cluster_nodes_text(ctl->cluster, j->placed.nodes);
        Slumber__StepMaker maker = SLUMBER__STEP_MAKER__INIT;
        struct job_node *jn = job_node_find(j, p->node);
        struct launch l = { .job = j, .at = jn, .cpus = jn->cpus, .job_nodes = nodes };
        struct granting g = { ctl, p, m };

        /* Steps not yet reported by the step manager end with the job, too */
        jn->used = true;
        cluster_job_changed(ctl->cluster, j);
        controller_changed(ctl);
        m->key.data = (uint8_t *)(uintptr_t)credential_key_public(key);
        m->key.len = CREDENTIAL_KEY_SIZE;
        launch_by_node(ctl, &l, &maker, send_grant, &g);
}

void home_grant_asked(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__GrantAsk *asked = env->grant_ask;
        struct job *j = cluster_job(ctl->cluster, asked->job_id);
        const char *why = no_grant(j, p->node, asked->restarts);
        Slumber__Grant m = SLUMBER__GRANT__INIT;

        if (!why && j->state != JOB_RUNNING) /* suspended or similar: the node asks again */
                return;
        m.job_id = asked->job_id;
        m.restarts = asked->restarts;
        if (!why) {
                grant_make(ctl, p, j, &m);
                return;
        }
        m.why = (char *)(uintptr_t)why;
        ENVELOPE(answer, GRANT, grant, &m);
        (void)agent_send(ctl, p->node, &answer);
}

static void tell_address(struct controller *ctl, const struct job *j, const struct node *n) {
        const struct peer *p = ctl->agents[n->index];
        _cleanup_free_ char *address = p && p->conn ? relay_address(p) : NULL;
        Slumber__MakerNodes m = SLUMBER__MAKER_NODES__INIT;

        if (!address || n == home_of(j))
                return;
        m.job_id = j->id;
        m.restarts = job_incarnation(j);
        m.node = n->name;
        m.address = address;
        ENVELOPE(env, MAKER_NODES, maker_nodes, &m);
        (void)agent_send(ctl, home_of(j), &env);
}

/* Tells the step manager the last row that is stored; the step manager has the rows in its
   spool, or reports that they are lost. */
static void tell_made(struct controller *ctl, const struct job *j) {
        Slumber__MakerMade m = SLUMBER__MAKER_MADE__INIT;

        m.job_id = j->id;
        m.restarts = job_incarnation(j);
        m.uid = j->uid;
        m.serial = j->running.home_serial;
        ENVELOPE(env, MAKER_MADE, maker_made, &m);
        (void)agent_send(ctl, home_of(j), &env);
}

/* Sends MakerBegin again to a step manager that has made no steps and may have lost the first
   message. */
static void begin_again(struct controller *ctl, struct job *j, const struct node *n) {
        if (n != home_of(j) || j->completing)
                return;
        if (j->asked.batch || j->running.home_serial > 0)
                tell_made(ctl, j);
        else
                begin_home(ctl, j);
}

void home_node_back(struct controller *ctl, struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++) {
                struct job *j = n->jobs[i];
                if (!job_has_home(j))
                        continue;
                begin_again(ctl, j, n);
                if (j->placed.n_alloc < 2)
                        continue;
                if (n != home_of(j))
                        tell_address(ctl, j, n);
                for (size_t k = 0; n == home_of(j) && k < j->placed.n_alloc; k++)
                        tell_address(ctl, j, j->placed.alloc[k].node);
        }
}
