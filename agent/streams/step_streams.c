/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node's end of its steps' streams: between the step daemons here and the slumberd of each srun's
 * host (srun_streams.c), directly or, if no connection is possible, through the controller (way.h).
 * In a step with many nodes, a node also passes on messages of nodes below in the tree (hops.h);
 * the others pass over a node unable to do so.
 *
 * The credential names the address of srun's slumberd and the token by which both sides know that a
 * message belongs to the step. No data is kept here: the step daemon keeps all data not
 * acknowledged by srun, and is told to send the data again. */
#include "agent/streams/step_streams.h"
#include "agent/peers/hops.h"
#include "agent/state/agent.h"
#include "agent/streams/srun_streams.h"

#include "lib/addresses.h"
#include "lib/step_id.h"
#include "lib/timer.h"

struct stream_tree { /* nodes are numbered from 1 in the tree */
        uint32_t n, width, hop;
        struct addresses *addresses;
        struct peer **below; /* latest connection to each node below; NULL: none */
};

/* Fills a report of lost data: to a node below, or up to the slumberd of srun's host. */
static void fill_lost(Slumber__StepIo *io, const struct step *s, uint32_t number, bool to_node) {
        io->job_id = s->known.job;
        io->restarts = s->known.restarts;
        io->step_id = s->known.step;
        io->number = number;
        io->token = s->streams.token;
        io->to_node = to_node;
        io->lost = true;
}

/* Tells a node below to send again by the same connection. */
static void tell_below(const struct step *s, uint32_t number, struct peer *p) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        fill_lost(&io, s, number, true);
        io.busy = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)peer_send(p, &env);
}

static void streams_resend_daemon(struct step *s) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->name.job;
        io.step_id = s->name.step;
        io.lost = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        step_send(s, &env);
}

static void tell_to_repeat(struct step *s) {
        if (!s->acknowledged)
                streams_resend_daemon(s);
        for (uint32_t k = 1; s->streams.tree && k <= s->streams.tree->n; k++)
                if (s->streams.tree->below[k])
                        tell_below(s, k, s->streams.tree->below[k]);
}

static void streams_arm_timer(struct step *s) {
        usec_t due = way_due(&s->streams.route.way), now = now_monotonic();

        if (!s->streams.timer || due == USEC_INFINITY)
                timer_disarm(s->streams.timer);
        else
                timer_arm(s->streams.timer, due > now ? due - now : 0);
}

/* Returns the address of a hop on the path up: a node's, or the address of srun's host. */
static const char *streams_hop_address(const struct step *s, uint32_t hop, bool *ret_more) {
        const struct stream_tree *t = s->streams.tree;
        uint32_t number = t ? hops_up(s->node_rank + 1, hop, t->width) : 0;

        *ret_more = number != 0;
        return number ? addresses_get(t->addresses, number - 1) : s->streams.home;
}

/* A slumberd on the path does not answer: the next hop is tried. */
static void streams_pass_over(struct step *s) {
        struct route *r = &s->streams.route;
        bool more;

        while (r->way.state == WAY_REFUSED && r->way.more) {
                way_passed_over(&r->way, now_monotonic());
                const char *address = streams_hop_address(s, ++s->streams.tree->hop, &more);
                route_next(r, address, more);
        }
}

/* Returns to the lowest hop that can be reached again, so that the tree keeps its width. A
   connection still being made is used at the next call. */
static void try_back(struct step *s) {
        struct stream_tree *t = s->streams.tree;
        struct route *r = &s->streams.route;
        bool more;

        if (!way_return_is_due(&r->way, now_monotonic()))
                return;
        for (uint32_t hop = 0; hop < t->hop; hop++) {
                const char *address = streams_hop_address(s, hop, &more);
                const struct peer *p = peers_get(s->job->agent->peers, address);

                if (!p || !peer_is_up(p))
                        continue;
                t->hop = hop;
                if (hop == 0)
                        r->way.back_at = 0;
                route_next(r, address, more);
        }
}

/* Returns true for a step created by a step manager: the controller would drop its streams. */
static bool is_direct(const struct step *s) {
        return s->stepmgr_address || (s->job->stepmgr && step_is_home(s->name.step));
}

static void streams_settle(struct step *s, bool again) {
        streams_pass_over(s);
        if (s->streams.route.way.state == WAY_REFUSED && !s->streams.refused_said) {
                s->streams.refused_said = true;
                log_fields(LOG_WARNING, 0, s->name.job, s->job->agent->node,
                                "The streams of step %u %s: the slumberd of its srun's host cannot "
                                "be reached at %s",
                                s->name.step, is_direct(s) ? "wait" : "go by the controller",
                                s->streams.home);
        }
        if (again && way_may_repeat(&s->streams.route.way))
                tell_to_repeat(s);
        if (s->conn && s->streams.route.way.state == WAY_UP && upstream_full(s->job->agent))
                conn_pause(s->conn, false); /* by_controller() may have paused the connection */
        streams_arm_timer(s);
}

static int streams_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct step *s = user;

        (void)source, (void)t;
        if (s->ended)
                return 0;
        try_back(s);
        streams_settle(s, route_do_due_work(s->job->agent->peers, &s->streams.route));
        return 0;
}

void step_streams_begin(struct step *s, const Slumber__CredentialBody *body, bool adopted) {
        s->stepmgr_address = *body->maker ? xstrdup(body->maker) : NULL;
        s->known = s->name;
        if (body->known_job) {
                s->known.job = body->known_job;
                s->known.restarts = body->known_restarts;
        }
        s->streams.token = body->stream_token;
        s->streams.home = xstrdup(body->stream_home);
        route_begin(&s->streams.route, s->streams.home);
        if (adopted) /* srun's slumberd may have been killed, too: srun connects through it again */
                way_adopt(&s->streams.route.way);
        if (adopted)
                (void)spool_read_signals(&s->name, &s->streams.signals.last,
                                &s->streams.signals.bits);
        /* failed timer: due work is done at the next message */
        if (!isempty(s->streams.home))
                (void)timer_new(s->job->agent->event, USEC_PER_MSEC, streams_on_timer, s,
                                &s->streams.timer);
}

void step_streams_nodes(struct step *s, char *const *addresses, size_t n, uint32_t tree_width) {
        uint32_t width = hops_width(tree_width);
        struct route *r = &s->streams.route;
        struct stream_tree *t;
        bool more;

        if (s->streams.tree || s->n_nodes <= width || n == 0 || isempty(s->streams.home))
                return;
        t = s->streams.tree = xnew0(struct stream_tree, 1);
        t->n = s->n_nodes;
        t->width = width;
        t->addresses = addresses_parse((const char *const *)addresses, n);
        t->below = xnew0(struct peer *, (size_t)t->n + 1);
        r->address = streams_hop_address(s, 0, &more);
        r->way.more = more;
}

static void tree_free(struct stream_tree *t) {
        if (!t)
                return;
        addresses_free(t->addresses);
        free(t->below);
        free(t);
}

void step_streams_done(struct step *s) {
        tree_free(s->streams.tree);
        sd_event_source_disable_unref(s->streams.timer);
        free(s->streams.home);
}

/* ---- messages of the step daemon ---- */

/* The controller drops streams of a step created by a step manager: any size goes directly. */
static size_t streams_bytes(const struct step *s, const Slumber__StepIo *io) {
        if (s->stepmgr_address || s->job->stepmgr)
                return WAY_SMALL + 1;
        return io->data.len + io->eof;
}

static void by_controller(struct step *s, Envelope *env) {
        struct agent *a = s->job->agent;

        env->step_io->token = 0;
        upstream_send(a, env);
        /* the step daemon keeps data until acknowledged */
        if (s->conn)
                conn_pause(s->conn, upstream_full(a));
}

void step_streams_send(struct step *s, Envelope *env) {
        Slumber__StepIo *io = env->step_io;
        struct route *r = &s->streams.route;
        struct peer *stands = NULL;
        bool again = false;

        if (io->resume)
                gate_asked(&s->streams.gate);
        io->job_id = s->known.job;
        io->restarts = s->known.restarts;
        io->number = s->node_rank + 1;
        io->token = s->streams.token;
        if (io->token && srun_streams_take(s->job->agent, NULL, env))
                return; /* srun is on this host, too */
        if (r->way.state == WAY_NEW)
                stands = peers_find(s->job->agent->peers, r->address);
        if (stands)
                again = route_use_peer(r, stands);
        bool now;
        enum way_use use = route_send(s->job->agent->peers, r, env, streams_bytes(s, io), &now);
        if (use == WAY_BY_CONTROLLER)
                by_controller(s, env);
        streams_settle(s, again || now);
}

/* ---- messages of nodes below ---- */

static bool streams_is_below(const struct step *s, uint32_t number) {
        const struct stream_tree *t = s->streams.tree;

        return t && number <= t->n && hops_down(s->node_rank + 1, number, 0, t->width);
}

/* Returns true if srun is, or was, on this host: messages from below end here. */
static bool is_home(const struct step *s) {
        const struct stream_tree *t = s->streams.tree;

        return t && streq(addresses_get(t->addresses, s->node_rank), s->streams.home);
}

static bool shows_token(const struct step *s, const Slumber__StepIo *io) {
        return s->streams.token && io->token == s->streams.token;
}

static void streams_complain(struct peer *p, const Slumber__StepIo *io) {
        peer_log_bad_message(p, "it does not show the token of step %u of job %u", io->step_id,
                        io->job_id);
}

/* Returns true if env is on its way up. */
static bool pass_up(struct step *s, Envelope *env) {
        bool again;
        /* Any size goes directly: small messages of many nodes are many */
        enum way_use use = route_send(s->job->agent->peers, &s->streams.route, env, WAY_SMALL + 1,
                        &again);

        if (use == WAY_BY_CONTROLLER && upstream_full(s->job->agent)) {
                use = WAY_DROP;
        } else if (use == WAY_BY_CONTROLLER) {
                env->step_io->token = 0;
                upstream_send(s->job->agent, env);
        }
        streams_settle(s, again);
        return use != WAY_DROP;
}

bool step_streams_pass(struct agent *a, struct peer *p, Envelope *env) {
        const Slumber__StepIo *io = env->step_io;
        uint32_t number = io->number;
        struct step *s = step_find_known(a, io->job_id, io->restarts, io->step_id);

        if (!s || !s->n_nodes || s->acknowledged || !s->streams.tree)
                return false;
        if (!shows_token(s, io)) {
                streams_complain(p, io);
                return true;
        }
        if (!streams_is_below(s, number) || is_home(s)) /* srun of this host is yet to reconnect */
                return false;
        s->streams.tree->below[number] = p;
        if (!pass_up(s, env))
                tell_below(s, number, p);
        return true;
}

/* Returns the connection on which the node was heard, or to the nearest reachable slumberd on the
   path; NULL: none. */
static struct peer *way_down(struct step *s, uint32_t number) {
        struct stream_tree *t = s->streams.tree;
        uint32_t next;

        for (uint32_t hop = 0; !t->below[number]; hop++) {
                next = hops_down(s->node_rank + 1, number, hop, t->width);
                if (!next)
                        break;
                struct peer *p = peers_get(s->job->agent->peers,
                                addresses_get(t->addresses, next - 1));
                t->below[number] = p && peer_is_slow(p) ? NULL : p;
        }
        return t->below[number];
}

/* Reports nodes as unreachable to srun's host. numbers: several nodes, or "". busy: the connection
   exists, but is full. */
static void streams_report_lost(struct step *s, uint32_t number, char *numbers, bool busy) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        fill_lost(&io, s, number, false);
        io.numbers = numbers;
        io.busy = busy;
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)pass_up(s, &env);
}

static void pass_down(struct step *s, Envelope *env) {
        struct peer *p = way_down(s, env->step_io->number);

        if (!p || !peer_send(p, env))
                streams_report_lost(s, env->step_io->number, env->step_io->numbers, p != NULL);
}

/* Sends one message to all nodes of set reached by p, and removes them from set. The first node of
   set has to be reached by p. */
static void pass_copy(struct step *s, struct bitset *set, struct peer *p, Envelope *env) {
        _cleanup_(bitset_freep) struct bitset *part = bitset_new((size_t)s->n_nodes + 1);
        Slumber__StepIo *io = env->step_io;
        char none[1] = "";

        bitset_for_each(k, set)
                if (s->streams.tree->below[k] == p)
                        bitset_add(part, k);
        bitset_minus(set, part);
        _cleanup_free_ char *text = bitset_text(part);
        io->number = (uint32_t)bitset_next(part, 0);
        io->numbers = bitset_count(part) > 1 ? text : none;
        if (!p || !peer_send(p, env))
                streams_report_lost(s, io->number, io->numbers, p != NULL);
}

/* ---- messages of srun ---- */

static void signal_step(struct step *s, uint32_t signal) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;
        Slumber__Number step = SLUMBER__NUMBER__INIT;

        step.value = s->name.step;
        m.job_id = s->name.job;
        m.signal = signal;
        m.step = &step;
        s->job->agent->orders->signal(s->job->agent, &m);
}

static void take_signal(struct step *s, const Slumber__StepIo *io) {
        Slumber__StepIo had = SLUMBER__STEP_IO__INIT;

        if (!arrived_before(&s->streams.signals, io->signal_number)) {
                signal_step(s, io->signal);
                if (io->signal_number) /* a restarted slumberd does not repeat the signal */
                        spool_write_signals(&s->name, s->streams.signals.last,
                                        s->streams.signals.bits);
        }
        if (!io->signal_number)
                return;
        had.job_id = s->name.job;
        had.step_id = s->name.step;
        had.rank = RANK_ALL;
        had.node = s->job->agent->node;
        had.signal_number = io->signal_number;
        ENVELOPE(env, STEP_IO, step_io, &had);
        step_streams_send(s, &env);
}

static void to_daemon(struct step *s, Envelope *env) {
        size_t queued = s->conn ? conn_queued(s->conn) : 0;

        switch (gate_use(&s->streams.gate, queued, env->step_io->data.len > 0)) {
        case GATE_PASS:
                step_send(s, env);
                break;
        case GATE_DROP_AND_TELL:
                streams_resend_daemon(s);
                break;
        case GATE_DROP:
                break;
        }
}

void step_streams_deliver(struct step *s, Envelope *env) {
        if (s->acknowledged)
                return;
        if (env->step_io->signal)
                take_signal(s, env->step_io);
        else
                to_daemon(s, env);
}

/* Returns the nodes of a message for several nodes, freed by the caller; NULL: a node is not
   below. */
static struct bitset *read_numbers(const struct step *s, const Slumber__StepIo *io) {
        struct bitset *set = bitset_new((size_t)s->n_nodes + 1);
        bool good = bitset_parse(set, io->numbers) >= 0;

        bitset_for_each(k, set)
                good &= k == s->node_rank + 1 || streams_is_below(s, (uint32_t)k);
        return good ? set : bitset_free(set);
}

static void take_own(struct step *s, struct peer *p, Envelope *env) {
        const Slumber__StepIo *io = env->step_io;

        if (io->lost) {
                streams_settle(s,
                                way_message_lost(&s->streams.route.way, io->busy, now_monotonic()));
                return;
        }
        streams_settle(s, route_heard(&s->streams.route, p, false));
        step_streams_deliver(s, env);
}

static void take_copies(struct step *s, struct peer *p, Envelope *env) {
        Slumber__StepIo *io = env->step_io;
        char none[1] = "", *numbers = io->numbers;
        _cleanup_(bitset_freep) struct bitset *set = shows_token(s, io) ? read_numbers(s, io)
                                                                        : NULL;
        size_t own = s->node_rank + 1;

        if (!set) {
                streams_complain(p, io);
                return;
        }
        bool here = bitset_has(set, own);
        bitset_del(set, own);
        bitset_for_each(k, set)
                (void)way_down(s, (uint32_t)k);
        while (!bitset_empty(set))
                pass_copy(s, set, s->streams.tree->below[bitset_next(set, 0)], env);
        io->number = (uint32_t)own;
        io->numbers = none;
        if (here)
                take_own(s, p, env);
        io->numbers = numbers;
}

/* After the job of an extern step has shrunk, later sruns number its nodes differently: the name
   decides. */
static bool names_us(const struct step *s, const Slumber__StepIo *io) {
        return s->name.step == STEP_EXTERN && streq(io->node, s->job->agent->node);
}

void step_streams_take(struct agent *a, struct peer *p, Envelope *env) {
        const Slumber__StepIo *io = env->step_io;
        struct step *s = step_find_known(a, io->job_id, io->restarts, io->step_id);

        if (!s || !s->n_nodes || s->acknowledged) {
                if (!io->lost)
                        /* the launch may be on its way */
                        route_send_lost(p, io, false);
                return;
        }
        if (*io->numbers) {
                take_copies(s, p, env);
                return;
        }
        bool own = io->number == s->node_rank + 1 || names_us(s, io);
        if (!shows_token(s, io) || (!own && !streams_is_below(s, io->number))) {
                streams_complain(p, io);
                return;
        }
        if (own)
                take_own(s, p, env);
        else
                pass_down(s, env);
}

/* ---- connections ---- */

void step_streams_up(struct step *s, const struct peer *p) {
        if (s->streams.route.peer == p)
                streams_settle(s, route_up(&s->streams.route, p));
}

/* Forgets p as the connection to nodes below; say: reports the nodes as unreachable. */
static void leave_below(struct step *s, const struct peer *p, bool say) {
        char none[1] = "";

        for (uint32_t k = 1; s->streams.tree && k <= s->streams.tree->n; k++)
                if (s->streams.tree->below[k] == p) {
                        s->streams.tree->below[k] = NULL;
                        if (say)
                                streams_report_lost(s, k, none, false);
                }
}

void step_streams_slow(struct step *s, const struct peer *p) {
        if (s->streams.route.peer == p)
                streams_settle(s, route_slow(&s->streams.route, p));
        leave_below(s, p, true);
}

void step_streams_lost(struct step *s, const struct peer *p, bool quiet) {
        if (s->streams.route.peer == p)
                streams_settle(s, route_lost(&s->streams.route, p, quiet));
        leave_below(s, p, !quiet);
}
