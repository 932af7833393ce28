/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a step: launches on this node and others, and the reports of these nodes.
 *
 *     unsent -> sent -> runs -> over
 *
 * MakerMessages go to the other nodes. A node is asked about its part if no answer comes, the
 * connection is lost, or an earlier slumberd had sent the launch. So lost messages are repeated,
 * and a launch that arrives twice is carried out once (remote_steps.c). */
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"

#include "controller/model/layout.h"
#include "lib/addresses.h"
#include "lib/credential.h"
#include "lib/hostlist.h"
#include "lib/timer.h"

#include <signal.h>

#define CREDENTIAL_LIFE (120 * USEC_PER_SEC)
#define AGAIN           USEC_PER_SEC       /* delay after a failed send */
#define ANSWER_TIME     (2 * USEC_PER_SEC) /* maximum wait for an answer before asking */
#define SOON            (50 * USEC_PER_MSEC)

static const Slumber__StepMakerNode *part_stepmaker_node(const struct stepmgr_step *s, size_t i) {
        return s->stepmgr->message->nodes[s->row->nodes[i]->place];
}

const char *part_node(const struct stepmgr_step *s, size_t i) {
        return part_stepmaker_node(s, i)->name;
}

bool part_is_here(const struct stepmgr_step *s, size_t i) {
        return s->row->nodes[i]->place == s->stepmgr->home;
}

struct step *stepmgr_step_daemon(const struct stepmgr_step *s) {
        return s->started ? job_find_step(s->stepmgr->job, s->row->step_id) : NULL;
}

void parts_allocate(struct stepmgr_step *s) {
        s->parts = xnew0(struct part, s->row->n_nodes);
        for (size_t i = 0; i < s->row->n_nodes; i++)
                s->parts[i].due = USEC_INFINITY;
}

void parts_find_running_here(struct stepmgr_step *s) {
        for (size_t i = 0; i < s->row->n_nodes; i++)
                if (part_is_here(s, i) && s->parts[i].state == PART_UNSENT &&
                                stepmgr_step_daemon(s))
                        s->parts[i].state = PART_RUNS;
}

bool parts_have(const struct stepmgr_step *s, enum part_state state) {
        for (size_t i = 0; s->parts && i < s->row->n_nodes; i++)
                if (s->parts[i].state == state)
                        return true;
        return false;
}

/* A part that ends without a launch is not unsent, even if a full disk keeps its end from the
   journal. */
static bool part_is_unsent(const struct part *part) {
        return part->state == PART_UNSENT && !part->unlaunched;
}

bool parts_have_unsent(const struct stepmgr_step *s) {
        for (size_t i = 0; i < s->row->n_nodes; i++)
                if (part_is_unsent(&s->parts[i]))
                        return true;
        return false;
}

size_t part_find_by_node(const struct stepmgr_step *s, const char *node) {
        size_t i = 0;

        while (i < s->row->n_nodes && !streq(part_node(s, i), node))
                i++;
        return i;
}

/* ---- layout and addresses ---- */

static const char *part_address(const struct stepmgr_step *s, size_t i) {
        return s->stepmgr->addresses[s->row->nodes[i]->place];
}

char *parts_own_address(const struct stepmgr *k) {
        _cleanup_free_ char *host = NULL;
        uint16_t port;

        if (address_split(k->message->own_address, &host, &port) < 0)
                return xstrdup("");
        return xasprintf("%s:%u", host, peers_port(k->job->agent->peers));
}

char **parts_addresses(const struct stepmgr_step *s, size_t *ret_n) {
        size_t n = s->row->n_nodes;
        _cleanup_free_ char **hosts = xnew0(char *, n);
        _cleanup_free_ uint16_t *ports = xnew0(uint16_t, n);

        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *own = part_is_here(s, i) ? parts_own_address(s->stepmgr)
                                                              : NULL;
                (void)address_split(own ? own : part_address(s, i), &hosts[i], &ports[i]);
        }
        char **rows = addresses_rows((const char *const *)hosts, ports, n, ret_n);
        for (size_t i = 0; i < n; i++)
                free(hosts[i]);
        return rows;
}

char *parts_hostlist(const struct stepmgr_step *s) {
        _cleanup_free_ const char **names = xnew(const char *, s->row->n_nodes);

        for (size_t i = 0; i < s->row->n_nodes; i++)
                names[i] = part_node(s, i);
        return hostlist_compress(names, s->row->n_nodes);
}

uint32_t *parts_tasks(const struct stepmgr_step *s) {
        uint32_t *count = xnew(uint32_t, s->row->n_nodes);

        for (size_t i = 0; i < s->row->n_nodes; i++)
                count[i] = s->row->nodes[i]->tasks;
        return count;
}

uint32_t *parts_ranks(const struct stepmgr_step *s, const uint32_t *count) {
        const Slumber__MadeStep *m = s->row;

        if (m->n_task_places && m->n_task_places == m->num_tasks)
                return layout_ranks_at(m->task_places, m->num_tasks, count, m->n_nodes);
        return layout_ranks(count, m->n_nodes, m->cyclic ? 1 : m->plane);
}

/* ---- launches ---- */

/* Parts of the launch that are equal for all nodes */
struct common {
        Slumber__LaunchStep launch;
        uint32_t *count, *ranks;
        char *tasks, *mapping, *nodes, *own;
        char **addresses;
        size_t n_addresses;
        char **environment; /* the job's with srun's host, if srun is on another host; NULL */
};

/* Puts srun's host into the environment, which the controller filled with this host. */
static void launch_set_srun_host(const struct stepmgr_step *s, struct common *c) {
        static const char *const names[] = { "SLURM_SRUN_COMM_HOST=", "SLURM_LAUNCH_NODE_IPADDR=" };
        _cleanup_free_ char *host = NULL;
        size_t n = c->launch.n_job_environment;
        uint16_t port;

        if (!s->stream_home || address_split(s->stream_home, &host, &port) < 0)
                return;
        c->environment = xnew0(char *, n + 1);
        for (size_t i = 0; i < n; i++) {
                const char *of = c->launch.job_environment[i], *name = NULL;
                for (size_t k = 0; k < ELEMENTSOF(names); k++)
                        if (strncmp(of, names[k], strlen(names[k])) == 0)
                                name = names[k];
                c->environment[i] = name ? xasprintf("%s%s", name, host) : xstrdup(of);
        }
        c->launch.job_environment = c->environment;
}

static void launch_common_fill(const struct stepmgr_step *s, struct common *c) {
        const struct stepmgr *k = s->stepmgr;

        *c = (struct common){ .launch = *k->message->launch, .count = parts_tasks(s) };
        c->ranks = parts_ranks(s, c->count);
        c->tasks = layout_text(c->count, s->row->n_nodes);
        c->mapping = layout_mapping(c->ranks, c->count, s->row->n_nodes);
        c->nodes = parts_hostlist(s);
        c->own = parts_own_address(k);
        if (s->row->n_nodes > 1)
                c->addresses = parts_addresses(s, &c->n_addresses);
        c->launch.spec = s->spec;
        c->launch.num_tasks = s->row->num_tasks;
        c->launch.num_nodes = (uint32_t)s->row->n_nodes;
        c->launch.tasks_per_node = c->tasks;
        c->launch.step_nodes = c->nodes;
        c->launch.process_mapping = c->mapping;
        c->launch.addresses = c->addresses;
        c->launch.n_addresses = c->n_addresses;
        launch_set_srun_host(s, c);
}

static void launch_common_done(struct common *c) {
        free(c->count);
        free(c->ranks);
        free(c->tasks);
        free(c->mapping);
        free(c->nodes);
        free(c->own);
        texts_free(c->addresses, c->n_addresses);
        for (size_t i = 0; c->environment && i < c->launch.n_job_environment; i++)
                free(c->environment[i]);
        free(c->environment);
}

/* The resources of part i; texts are borrowed. */
static Slumber__CredentialBody part_credential_body(const struct stepmgr_step *s, size_t i,
                const struct common *c) {
        const struct stepmgr *k = s->stepmgr;
        const Slumber__MadeStepNode *its = s->row->nodes[i];
        const Slumber__StepMakerNode *node = part_stepmaker_node(s, i);
        Slumber__CredentialBody body = *k->message->credential;
        uint64_t memory = stepmgr_job_step_memory(k->model, s->spec, its);

        body.step_id = s->row->step_id;
        body.node = node->name;
        body.cpus = its->cpus;
        body.job_mem = node->memory;
        body.mem = memory ? MIN(memory, node->memory) : node->memory;
        body.job_cores = node->cores;
        body.cores = *its->cores ? its->cores : node->cores;
        body.job_gres = node->job_gres;
        body.step_gres = (char *)(uintptr_t)stepmgr_job_step_gres(k->model, s->row, its);
        body.stream_token = s->row->stream_token;
        if (s->stream_home)
                body.stream_home = s->stream_home;
        else if (s->row->n_nodes > 1 || !part_is_here(s, i))
                body.stream_home = c->own;
        if (!part_is_here(s, i))
                body.maker = c->own;
        body.expires = upstream_now(k->job->agent) + CREDENTIAL_LIFE;
        return body;
}

static Slumber__LaunchStep *launch_copy(const Slumber__LaunchStep *m) {
        size_t size = slumber__launch_step__get_packed_size(m);
        _cleanup_free_ uint8_t *data = xmalloc(MAX(size, (size_t)1));

        slumber__launch_step__pack(m, data);
        return slumber__launch_step__unpack(NULL, size, data);
}

static bool part_send_message(struct stepmgr_step *s, size_t i, Slumber__MakerMessage *m) {
        struct part *part = &s->parts[i];
        const struct stepmgr *k = s->stepmgr;

        m->job_id = k->job->id;
        m->restarts = k->job->restarts;
        m->step_id = s->row->step_id;
        m->token = s->row->stream_token;
        m->node = (char *)(uintptr_t)part_node(s, i);
        ENVELOPE(env, MAKER_MESSAGE, maker_message, m);
        if (!part->peer)
                part->peer = peers_get(k->job->agent->peers, part_address(s, i));
        if (part->peer && peer_send(part->peer, &env))
                return true;
        part->peer = NULL;
        return false;
}

static void part_set_due(struct stepmgr_step *s, size_t i, usec_t after) {
        s->parts[i].due = now_monotonic() + after;
        stepmgr_arm_timer(s->stepmgr, s->parts[i].due);
}

static void part_launch(struct stepmgr_step *s, size_t i, const struct common *c, size_t first) {
        struct agent *a = s->stepmgr->job->agent;
        struct part *part = &s->parts[i];
        Slumber__LaunchStep m = c->launch;
        Slumber__CredentialBody body = part_credential_body(s, i, c);
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;
        _cleanup_(credential_freep) Slumber__Credential *credential = NULL;

        m.ranks = c->ranks + first;
        m.n_ranks = c->count[i];
        m.node_rank = (uint32_t)i;
        m.topology_addr = part_stepmaker_node(s, i)->topology_addr;
        m.topology_pattern = part_stepmaker_node(s, i)->topology_pattern;
        if (part_is_here(s, i)) {
                part->state = PART_SENT;
                credential = m.credential = credential_unsigned(&body);
                a->orders->launch(a, launch_copy(&m));
                return;
        }
        part->since = part->since ? part->since : now_monotonic();
        if (!s->stepmgr->key || credential_sign(s->stepmgr->key, &body, &credential) < 0) {
                part_set_due(s, i, AGAIN); /* the part fails after the maximum time */
                return;
        }
        m.hook_environment = NULL; /* the node has the job's from the controller */
        m.n_hook_environment = 0;
        m.credential = credential;
        message.launch = &m;
        bool sent = part_send_message(s, i, &message);
        if (sent)
                part->state = PART_SENT;
        part_set_due(s, i, sent ? ANSWER_TIME : AGAIN);
}

void parts_launch(struct stepmgr_step *s) {
        struct common c;
        size_t first = 0;

        s->held = s->due = false;
        s->launching = s->busy = true;
        parts_find_running_here(s);
        launch_common_fill(s, &c);
        for (size_t i = 0; i < s->row->n_nodes; i++) {
                if (part_is_unsent(&s->parts[i]) && s->spec_complete)
                        part_launch(s, i, &c, first);
                first += c.count[i];
        }
        launch_common_done(&c);
        parts_shorten_spec(s);
        s->busy = false;
        if (s->over && s->abandoned) /* busy kept s from being freed */
                stepmgr_arm_timer(s->stepmgr, now_monotonic());
}

/* A complete spec is needed until all nodes have the launch; an srun reconnecting to a step not
   launched here sends the spec again. */
void parts_shorten_spec(struct stepmgr_step *s) {
        bool needed = !s->spec_complete;

        for (size_t i = 0; i < s->row->n_nodes; i++)
                needed |= part_is_unsent(&s->parts[i]) ||
                          (s->parts[i].state == PART_SENT && !part_is_here(s, i));
        if (!needed)
                stepmgr_step_shorten_spec(s);
}

/* ---- messages to nodes ---- */

void parts_signal(struct stepmgr_step *s, uint32_t sig, bool terminate) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;

        step.value = s->row->step_id;
        m.job_id = s->stepmgr->job->id;
        m.step = &step;
        m.signal = sig;
        m.terminate = terminate;
        message.signal = &m;
        if (terminate || sig == SIGKILL)
                s->ends = MAX(s->ends, sig == SIGKILL ? ENDS_KILLED : ENDS_ASKED);
        s->busy = true;
        for (size_t i = 0; i < s->row->n_nodes; i++) {
                enum part_state state = s->parts[i].state;
                bool told = state == PART_SENT || state == PART_RUNS;
                if (part_is_here(s, i) && told)
                        s->stepmgr->job->agent->orders->signal(s->stepmgr->job->agent, &m);
                if (part_is_here(s, i) || state == PART_OVER)
                        continue;
                bool lost = told && !part_send_message(s, i, &message);
                if (!told || lost || s->ends == ENDS_KILLED)
                        part_set_due(s, i, ANSWER_TIME);
        }
        s->busy = false;
}

void part_send_acknowledgement(struct stepmgr_step *s, size_t i) {
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;

        message.acknowledged = true;
        if (!part_is_here(s, i))
                (void)part_send_message(s, i,
                                &message); /* if lost, the node reports the end again */
}

void part_send_unread(struct stepmgr_step *s, size_t i) {
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;

        message.unread = true;
        (void)part_send_message(s, i, &message);
}

void part_send_kill(struct stepmgr_step *s, size_t i) {
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;

        m.signal = SIGKILL;
        message.signal = &m;
        message.unread = true;
        (void)part_send_message(s, i, &message);
}

void part_ask_soon(struct stepmgr_step *s, size_t i) {
        struct part *part = &s->parts[i];

        part->state = MAX(part->state, PART_SENT);
        part->since = part->since ? part->since : now_monotonic();
        part_set_due(s, i, 0);
}

/* ---- time ---- */

static void part_fail_unreachable(struct stepmgr_step *s, size_t i) {
        _cleanup_free_ char *why = xasprintf("slumberd of %s cannot be reached at %s",
                        part_node(s, i), strempty(part_address(s, i)));

        log_fields(LOG_ERR, 0, s->stepmgr->job->id, part_node(s, i),
                        "Launch of step %u of job %u: %s", s->row->step_id, s->stepmgr->job->id,
                        why);
        part_set_launch_failed(s, i, why);
}

static void part_send_question(struct stepmgr_step *s, size_t i) {
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;
        struct part *part = &s->parts[i];

        message.ask = true;
        m.terminate = s->ends == ENDS_ASKED;
        m.signal = s->ends == ENDS_KILLED ? SIGKILL : 0;
        if (s->ends)
                message.signal = &m; /* repeated signals are harmless */
        message.unread = s->abandoned;
        bool sent = part_send_message(s, i, &message);
        part_set_due(s, i, sent ? ANSWER_TIME : AGAIN);
        if (sent && part->state == PART_RUNS && s->ends != ENDS_KILLED)
                part->due = USEC_INFINITY; /* next event: an answer or a lost connection */
}

/* May end s. */
static void part_do_due_work(struct stepmgr_step *s, size_t i) {
        struct part *part = &s->parts[i];
        bool long_ago = part->since &&
                        now_monotonic() - part->since > s->stepmgr->message->patience;

        part->due = USEC_INFINITY;
        if (part->state == PART_OVER || part->unlaunched || part_is_here(s, i))
                return;
        if (part->state != PART_RUNS && long_ago)
                part_fail_unreachable(s, i);
        else if (part->state == PART_UNSENT && s->ends)
                part_end_unsent(s, i);
        else if (part->state == PART_UNSENT && s->launching && !job_terminating(s->stepmgr->job))
                parts_launch(s);
        else if (part->state != PART_UNSENT)
                part_send_question(s, i);
}

usec_t parts_do_due_work(struct stepmgr_step *s, usec_t now) {
        usec_t due = USEC_INFINITY;

        for (size_t i = 0; s->started && !s->over && i < s->row->n_nodes; i++) {
                if (s->parts[i].due <= now)
                        part_do_due_work(s, i);
                due = MIN(due, s->parts[i].due);
        }
        return due;
}

void stepmgr_peer_lost(struct agent *a, const struct peer *p, bool quiet) {
        struct stepmgr_step *s;

        for (struct job *j = a->jobs; j; j = j->next) {
                if (!j->stepmgr)
                        continue;
                TAILQ_FOREACH(s, &j->stepmgr->steps, next)
                        for (size_t i = 0; s->started && i < s->row->n_nodes; i++) {
                                struct part *part = &s->parts[i];
                                if (part->peer != p)
                                        continue;
                                part->peer = NULL;
                                if (!quiet && !s->over &&
                                                (part->state == PART_SENT ||
                                                                part->state == PART_RUNS))
                                        part_set_due(s, i, SOON);
                        }
        }
}

void stepmgr_node_back(struct agent *a, const Slumber__MakerNodes *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct stepmgr *k = j ? j->stepmgr : NULL;
        struct stepmgr_step *s;

        for (size_t i = 0; k && i < k->message->n_nodes; i++)
                if (streq(k->message->nodes[i]->name, m->node))
                        free_and_strdup(&k->addresses[i], m->address);
        if (!k)
                return;
        TAILQ_FOREACH(s, &k->steps, next) {
                size_t i = s->started && !s->over ? part_find_by_node(s, m->node) : SIZE_MAX;
                if (i < (s->started ? s->row->n_nodes : 0) && !part_is_here(s, i) &&
                                s->parts[i].state != PART_OVER)
                        part_set_due(s, i, SOON);
        }
}

/* ---- messages from nodes ---- */

static struct stepmgr_step *node_message_find_step(struct agent *a,
                const Slumber__MakerMessage *m) {
        struct job *j = job_find_exactly(a, m->job_id, m->restarts);
        struct stepmgr_step *s;

        if (!j || !j->stepmgr)
                return NULL;
        TAILQ_FOREACH(s, &j->stepmgr->steps, next)
                if (s->started && s->row->step_id == m->step_id)
                        break;
        return s;
}

/* A step not known here has ended, with its end in the journal: the end is acknowledged. A part
   still running was given up, and is killed. */
static void node_message_settle_unknown(struct peer *p, const Slumber__MakerMessage *m) {
        Slumber__MakerMessage message = SLUMBER__MAKER_MESSAGE__INIT;
        Slumber__SignalJob kill = SLUMBER__SIGNAL_JOB__INIT;

        message.job_id = m->job_id;
        message.restarts = m->restarts;
        message.step_id = m->step_id;
        message.token = m->token;
        message.node = m->node;
        message.acknowledged = m->ended && m->ended->last;
        message.unread = m->result != NULL;
        kill.signal = SIGKILL;
        message.signal = m->result ? &kill : NULL;
        ENVELOPE(env, MAKER_MESSAGE, maker_message, &message);
        if (message.acknowledged || message.unread)
                (void)peer_send(p, &env);
}

/* A node may report on its own part only. */
static bool node_message_is_consistent(const Slumber__MakerMessage *m) {
        const Slumber__LaunchResult *r = m->result;
        const Slumber__StepEnded *e = m->ended;

        return (!r || (r->job_id == m->job_id && r->restarts == m->restarts &&
                                      r->step_id == m->step_id && streq(r->node, m->node))) &&
               (!e || (e->job_id == m->job_id && e->restarts == m->restarts &&
                                      e->step_id == m->step_id && streq(e->node, m->node)));
}

void stepmgr_handle_message(struct agent *a, struct peer *p, Slumber__MakerMessage *m) {
        struct stepmgr_step *s = node_message_find_step(a, m);

        if (!s) {
                node_message_settle_unknown(p, m);
                return;
        }
        size_t i = part_find_by_node(s, m->node);
        if (m->token != s->row->stream_token || i == s->row->n_nodes || part_is_here(s, i)) {
                peer_log_bad_message(p,
                                "it is not a node of step %u of job %u, or does not show its token",
                                m->step_id, m->job_id);
                return;
        }
        if (!node_message_is_consistent(m)) {
                peer_log_bad_message(p, "it speaks for %s of another step or node than it names",
                                m->node);
                return;
        }
        struct part *part = &s->parts[i];
        part->peer = p;
        part->since = part->state == PART_OVER ? 0 : now_monotonic();
        if (m->result)
                part_handle_result(s, i, m->result);
        else if (m->ended)
                part_handle_end(s, i, m->ended);
        else if (m->absent && part->state != PART_OVER)
                part_handle_absence(s, i);
}
