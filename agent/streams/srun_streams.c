/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streams of steps whose srun runs on this host: between srun's connection and the slumberds of
 * the step's nodes (step_streams.c).
 *
 * The controller's StepReply, on its way to the command, says which step belongs to which srun. No
 * data is kept here: both ends of a stream keep their data, and srun asks again after a NODE_BACK.
 * Output for an srun not reading is dropped, and asked for again when srun has read. */
#include "agent/streams/srun_streams.h"
#include "agent/peers/hops.h"
#include "agent/state/agent.h"
#include "agent/streams/step_streams.h"
#include "agent/streams/viewers.h"

#include "cgroup/proc.h"
#include "lib/addresses.h"
#include "lib/hostlist.h"
#include "lib/timer.h"

/* bytes queued for an srun: a full srun does not delay the others */
#define QUEUE_MAX ((size_t)8 << 20)
/* Number of nodes asked at once to repeat dropped output, and the pause between two such rounds:
   each may send a megabyte. */
#define ASK_AT_ONCE 8
#define ASK_PAUSE   (5 * USEC_PER_MSEC)

struct srun_node {
        struct route route;
        bool dropped; /* some of the node's output, as srun did not read */
        bool refused_said;
        uint32_t tasks_left; /* 0: the node gets no messages for all nodes */
        uint8_t hop;         /* on the path to the node, see hops_down() */
        /* number of the node in the step: place in h->nodes + 1, unless the job of an extern step
           has shrunk since the step began */
        uint32_t number;
};

struct srun_streams {
        struct agent *agent;
        struct client *client;
        uint32_t job, restarts, step;
        uint64_t token;
        uint32_t num_tasks;
        struct viewers *viewers; /* the step's sattach commands; NULL: none so far */
        struct hostlist *names;
        struct addresses *addresses;
        struct srun_node *nodes;
        size_t n, n_dropped;
        uint32_t width; /* width of the tree of nodes */
        bool copies;    /* nodes pass on copies of messages for several nodes */
        bool direct;    /* no data goes through the controller, which would drop the data */
        sd_event_source *timer;
        usec_t due; /* when the timer fires; USEC_INFINITY: not armed */
        usec_t opened;
        LIST_ENTRY(srun_streams) next;
};

/* ---- repeating lost data ---- */

static void tell_node_back(const struct srun_streams *h, size_t i) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = h->job;
        m.step_id = h->step;
        m.kind = SLUMBER__STEP_NOTICE__KIND__NODE_BACK;
        m.node = (char *)(uintptr_t)hostlist_get(h->names, i);
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        (void)conn_send(h->client->conn, &env);
}

static void arm_for(struct srun_streams *h, usec_t due) {
        usec_t now = now_monotonic();

        if (due >= h->due)
                return;
        h->due = due;
        timer_arm(h->timer, due > now ? due - now : 0);
}

static void srun_arm_timer(struct srun_streams *h) {
        usec_t due = USEC_INFINITY, now = now_monotonic();

        for (size_t i = 0; i < h->n; i++)
                due = MIN(due, way_due(&h->nodes[i].route.way));
        if (h->n_dropped && conn_queued(h->client->conn) < QUEUE_MAX / 2)
                due = MIN(due, now + ASK_PAUSE);
        arm_for(h, due);
}

/* Returns the address of the next slumberd on the path to node i, skipping this node. */
static const char *srun_hop_address(const struct srun_streams *h, size_t i, bool *ret_more) {
        struct srun_node *n = &h->nodes[i];
        uint32_t number = (uint32_t)i + 1, at = hops_down(0, number, n->hop, h->width);

        if (at != number && streq(hostlist_get(h->names, at - 1), h->agent->node))
                at = hops_down(0, number, ++n->hop, h->width);
        *ret_more = at != number;
        return addresses_get(h->addresses, at - 1);
}

/* A slumberd on the path does not answer: the next hop is tried. */
static void srun_pass_over(struct srun_streams *h, size_t i) {
        struct route *r = &h->nodes[i].route;
        bool more;

        while (r->way.state == WAY_REFUSED && r->way.more) {
                h->nodes[i].hop++;
                const char *address = srun_hop_address(h, i, &more);
                route_next(r, address, more);
        }
}

static void srun_settle_node(struct srun_streams *h, size_t i, bool again) {
        struct srun_node *n = &h->nodes[i];

        srun_pass_over(h, i);
        if (n->route.way.state == WAY_REFUSED && !n->refused_said && n->tasks_left) {
                n->refused_said = true;
                log_fields(LOG_WARNING, 0, h->job, hostlist_get(h->names, i),
                                "Input of step %u %s: slumberd of %s cannot be reached at %s",
                                h->step, h->direct ? "waits" : "goes by the controller",
                                hostlist_get(h->names, i), n->route.address);
        }
        if (again && way_may_repeat(&n->route.way))
                tell_node_back(h, i);
        arm_for(h, way_due(&n->route.way));
}

/* srun has read: asks some nodes at a time to repeat dropped output. */
static void ask_dropped(struct srun_streams *h) {
        size_t asked = 0;

        if (conn_queued(h->client->conn) >= QUEUE_MAX / 2)
                return;
        for (size_t i = 0; i < h->n && h->n_dropped && asked < ASK_AT_ONCE; i++)
                if (h->nodes[i].dropped) {
                        h->nodes[i].dropped = false;
                        h->n_dropped--;
                        asked++;
                        tell_node_back(h, i);
                }
}

static int srun_on_timer(sd_event_source *source, uint64_t t, void *user) {
        struct srun_streams *h = user;
        usec_t now = now_monotonic();

        (void)source, (void)t;
        h->due = USEC_INFINITY;
        for (size_t i = 0; i < h->n; i++)
                if (way_due(&h->nodes[i].route.way) <= now)
                        srun_settle_node(h, i,
                                        route_do_due_work(h->agent->peers, &h->nodes[i].route));
        ask_dropped(h);
        srun_arm_timer(h);
        return 0;
}

void srun_streams_drained(struct client *c) {
        if (c->streams)
                srun_arm_timer(c->streams);
}

/* ---- beginning and end ---- */

void srun_streams_close(struct client *c) {
        struct srun_streams *h = TAKE(c->streams);

        if (!h)
                return;
        LIST_REMOVE(h, next);
        sd_event_source_disable_unref(h->timer);
        viewers_free(h->viewers);
        hostlist_free(h->names);
        addresses_free(h->addresses);
        free(h->nodes);
        free(h);
}

static struct sruns *srun_bucket(struct agent *a, uint32_t job, uint32_t step) {
        return &a->sruns[(job * 31 + step) % SRUNS_HASH];
}

/* Keeps the viewers if srun has asked again for its step. */
static struct viewers *take_viewers(struct client *c, const Slumber__StepReply *m) {
        struct srun_streams *h = c->streams;
        bool same = h && m->streams && h->token == m->streams->token && h->job == m->job_id &&
                    h->step == m->step_id;

        return same ? TAKE(h->viewers) : NULL;
}

void srun_streams_open(struct client *c, const Slumber__StepReply *m) {
        const Slumber__StepStreams *streams = m->streams;
        struct srun_streams *h;
        struct fail fail = { 0 };

        struct viewers *viewers = take_viewers(c, m);
        srun_streams_close(c);
        if (!streams || !streams->token) {
                viewers_free(viewers);
                return;
        }
        h = xnew0(struct srun_streams, 1);
        *h = (struct srun_streams){ .agent = c->agent,
                .client = c,
                .job = m->job_id,
                .restarts = streams->restarts,
                .step = m->step_id,
                .token = streams->token,
                .viewers = viewers,
                .due = USEC_INFINITY,
                .opened = now_monotonic() };
        LIST_INSERT_HEAD(srun_bucket(c->agent, h->job, h->step), h, next);
        c->streams = h;
        int r = hostlist_parse(m->nodes, &h->names, &fail);
        if (r >= 0)
                r = timer_new(c->agent->event, USEC_PER_MSEC, srun_on_timer, h, &h->timer);
        if (r < 0) { /* the controller passes on the streams */
                log_fields(LOG_WARNING, r, m->job_id, NULL, "StepId=%u.%u: its streams: %s: %m",
                                m->job_id, m->step_id, fail.text);
                srun_streams_close(c);
                return;
        }
        h->addresses = addresses_parse((const char *const *)streams->addresses,
                        streams->n_addresses);
        h->n = hostlist_count(h->names);
        h->nodes = xnew0(struct srun_node, MAX(h->n, (size_t)1));
        h->width = hops_width(streams->tree_width);
        h->copies = streams->copies;
        h->direct = streams->direct;
        for (size_t i = 0; i < h->n; i++) {
                bool more;
                const char *address = srun_hop_address(h, i, &more);
                route_begin(&h->nodes[i].route, address);
                h->nodes[i].route.way.more = more;
                h->nodes[i].number = (uint32_t)i + 1;
                h->nodes[i].tasks_left = i < m->n_tasks_per_node ? m->tasks_per_node[i]
                                                                 : UINT32_MAX;
                h->num_tasks += i < m->n_tasks_per_node ? m->tasks_per_node[i] : 0;
        }
        conn_set_mark(c->conn, QUEUE_MAX / 2);
}

void srun_streams_notice(struct client *c, const Slumber__StepNotice *m) {
        struct srun_streams *h = c->streams;

        if (!h || m->kind != SLUMBER__STEP_NOTICE__KIND__TASK_EXIT || m->job_id != h->job ||
                        m->step_id != h->step)
                return;
        if (!viewers_are_none(h->viewers))
                viewers_exit(h->viewers, m);
        size_t i = hostlist_index(h->names, m->node);
        if (i < h->n)
                h->nodes[i].tasks_left -= (uint32_t)MIN(m->n_ranks, (size_t)h->nodes[i].tasks_left);
}

static struct srun_streams *srun_find(struct agent *a, const Slumber__StepIo *io) {
        struct srun_streams *h;

        LIST_FOREACH(h, srun_bucket(a, io->job_id, io->step_id), next)
                if (h->job == io->job_id && h->step == io->step_id && h->restarts == io->restarts)
                        break;
        return h;
}

/* ---- messages of nodes ---- */

/* Returns the node's index in h->nodes; h->n: not a node of the step. */
static size_t srun_node_index(struct srun_streams *h, const Slumber__StepIo *io) {
        size_t i = 0;

        if (h->step != STEP_EXTERN)
                return io->number ? MIN((size_t)io->number - 1, h->n) : h->n;
        if (!*io->node) { /* from a slumberd on the path */
                while (i < h->n && h->nodes[i].number != io->number)
                        i++;
                return i;
        }
        i = hostlist_index(h->names, io->node);
        if (i >= h->n)
                return h->n;
        h->nodes[i].number = io->number;
        return i;
}

static void srun_deliver(struct srun_streams *h, size_t i, Envelope *env) {
        Slumber__StepIo *io = env->step_io;
        char *node = io->node;

        if (io->data.len && conn_queued(h->client->conn) >= QUEUE_MAX) {
                h->n_dropped += !h->nodes[i].dropped;
                h->nodes[i].dropped = true;
                return;
        }
        io->node = (char *)(uintptr_t)hostlist_get(h->names, i);
        io->token = 0;
        io->restarts = io->number = 0;
        (void)conn_send(h->client->conn, env);
        io->node = node;
        srun_streams_shown(h->client, io);
}

static void hear_lost(struct srun_streams *h, const Slumber__StepIo *io, size_t place) {
        _cleanup_(bitset_freep) struct bitset *numbers = bitset_new(h->n + 1);

        bitset_add(numbers, place + 1);
        if (*io->numbers && bitset_parse(numbers, io->numbers) < 0)
                return;
        bitset_for_each(k, numbers) {
                if (k)
                        srun_settle_node(h, k - 1,
                                        way_message_lost(&h->nodes[k - 1].route.way, io->busy,
                                                        now_monotonic()));
        }
}

bool srun_streams_take(struct agent *a, struct peer *p, Envelope *env) {
        Slumber__StepIo *io = env->step_io;
        struct srun_streams *h = srun_find(a, io);

        if (!h) {
                if (p && !step_streams_pass(a, p, env) && !io->lost)
                        /* perhaps the node hears of the step's end soon */
                        route_send_lost(p, io, true);
                return false;
        }
        size_t i = io->token == h->token ? srun_node_index(h, io) : h->n;
        if (i >= h->n) {
                if (p)
                        peer_log_bad_message(p, "it does not show the token of step %u of job %u",
                                        io->step_id, io->job_id);
                return false;
        }
        if (io->lost) {
                hear_lost(h, io, i);
                return true;
        }
        if (p)
                srun_settle_node(h, i, route_heard(&h->nodes[i].route, p, io->resume));
        srun_deliver(h, i, env);
        return true;
}

/* Takes only reports of lost data. A slumberd of the tree without connection to srun's host sends
   the report through the controller. */
bool srun_streams_hear(struct client *c, const Slumber__StepIo *io) {
        struct srun_streams *h = c->streams;

        if (!h || !io->lost || io->job_id != h->job || io->step_id != h->step)
                return false;
        size_t i = srun_node_index(h, io);
        if (i >= h->n)
                return false;
        hear_lost(h, io, i);
        return true;
}

/* ---- messages of srun ---- */

/* The end of an empty input, soon after the launch, goes through the controller: a connection only
   for the end would be a waste. */
static bool is_empty_input(const struct srun_streams *h, const Slumber__StepIo *io) {
        return io->eof && io->offset == 0 && io->data.len == 0 &&
               now_monotonic() < h->opened + WAY_MOMENT;
}

static size_t srun_stream_bytes(const struct srun_streams *h, const Slumber__StepIo *io) {
        if (h->direct)
                return WAY_SMALL + 1;
        return io->data.len + ((io->eof && !is_empty_input(h, io)) || io->window || io->signal);
}

static struct step *local_step(const struct srun_streams *h, size_t i) {
        if (!streq(hostlist_get(h->names, i), h->agent->node))
                return NULL;
        return step_find_known(h->agent, h->job, h->restarts, h->step);
}

/* Sends env to node i. true: env has to go through the controller. ret_peer, if not NULL: env is
   not sent; *ret_peer is set to the connection by which the caller sends env, if still the
   node's. */
static bool srun_send_to_node(struct srun_streams *h, size_t i, Envelope *env,
                struct peer **ret_peer) {
        struct step *local = local_step(h, i);
        struct route *r = &h->nodes[i].route;
        size_t bytes = srun_stream_bytes(h, env->step_io);
        Slumber__StepIo *io = env->step_io;
        char *node = io->node;
        bool again = false;

        io->number = h->nodes[i].number;
        if (local) {
                step_streams_deliver(local, env);
                return false;
        }
        if (h->step == STEP_EXTERN) /* the node's own number may differ */
                io->node = (char *)(uintptr_t)hostlist_get(h->names, i);
        enum way_use use = ret_peer ? route_choose(h->agent->peers, r, bytes, &again)
                                    : route_send(h->agent->peers, r, env, bytes, &again);
        if (ret_peer && use == WAY_DIRECT)
                *ret_peer = r->peer;
        io->node = node;
        srun_settle_node(h, i, again);
        return use == WAY_BY_CONTROLLER;
}

/* Returns true if the controller's connection is full and io is dropped, to be repeated later.
   Signals, windows and questions cannot be repeated: srun is paused instead. */
static bool drop_full(struct srun_streams *h, size_t i, const Slumber__StepIo *io) {
        struct way *way = &h->nodes[i].route.way;

        if (!upstream_full(h->agent))
                return false;
        if (io->signal || io->window || io->tell_processes) {
                conn_pause(h->client->conn, true);
                return false;
        }
        way_dropped(way, now_monotonic());
        arm_for(h, way_due(way));
        return true;
}

static void send_by_controller(struct srun_streams *h, size_t i, Envelope *env) {
        char *node = env->step_io->node;

        if (drop_full(h, i, env->step_io))
                return;
        env->step_io->token = 0;
        env->step_io->node = (char *)(uintptr_t)hostlist_get(h->names, i);
        client_to_controller(h->client, env);
        env->step_io->node = node;
}

/* Sends one message for all nodes reached by p. to: connection of each node, set to NULL when done;
   NULL: nothing to send. */
static void send_copy(struct srun_streams *h, Envelope *env, struct peer *p, struct peer **to) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(h->n + 1);
        Slumber__StepIo *io = env->step_io;
        char *none = io->numbers;

        for (size_t i = 0; i < h->n; i++)
                if (to[i] == p) {
                        to[i] = NULL;
                        if (h->nodes[i].route.peer == p) /* not closed meanwhile */
                                bitset_add(set, i + 1);
                }
        if (bitset_empty(set))
                return;
        _cleanup_free_ char *text = bitset_text(set);
        io->number = (uint32_t)bitset_next(set, 0);
        if (bitset_count(set) > 1)
                io->numbers = text;
        bool sent = peer_send(p, env);
        io->numbers = none;
        bitset_for_each(k, set) {
                if (!sent)
                        route_dropped(&h->nodes[k - 1].route);
                arm_for(h, way_due(&h->nodes[k - 1].route.way));
        }
}

/* Sends env to all nodes with tasks: one message to each next slumberd, and through the controller
   to nodes without another way. */
static void send_to_all(struct srun_streams *h, Envelope *env) {
        _cleanup_free_ bool *left = xnew(bool, MAX(h->n, (size_t)1));
        _cleanup_free_ struct peer **to = xnew0(struct peer *, MAX(h->n, (size_t)1));
        bool copies = h->copies && h->n > h->width;
        size_t n_left = 0;

        for (size_t i = 0; i < h->n; i++) {
                left[i] = h->nodes[i].tasks_left &&
                          srun_send_to_node(h, i, env, copies ? &to[i] : NULL);
                n_left += left[i];
        }
        for (size_t i = 0; i < h->n; i++)
                if (to[i])
                        send_copy(h, env, to[i], to);
        env->step_io->token = 0;
        if (n_left == h->n && !upstream_full(h->agent))
                client_to_controller(h->client, env);
        else
                for (size_t i = 0; i < h->n; i++)
                        if (left[i])
                                send_by_controller(h, i, env);
}

bool srun_streams_send(struct client *c, Envelope *env) {
        struct srun_streams *h = c->streams;
        Slumber__StepIo *io = env->step_io;

        if (!h || io->job_id != h->job || io->step_id != h->step)
                return false;
        if (io->data.len > STEP_WINDOW)
                return true; /* no credit allows so much data */
        io->token = h->token;
        io->restarts = h->restarts;
        io->to_node = true;
        io->lost = false;
        char none[1] = "", *numbers = io->numbers;
        io->numbers = none; /* srun does not use numbers */
        size_t i = *io->node ? hostlist_index(h->names, io->node) : SIZE_MAX;
        if (!*io->node)
                send_to_all(h, env);
        else if (i < h->n && srun_send_to_node(h, i, env, NULL))
                send_by_controller(h, i, env);
        io->numbers = numbers;
        return true;
}

/* ---- sattach ---- */

void srun_streams_shown(struct client *c, const Slumber__StepIo *io) {
        struct srun_streams *h = c->streams;

        if (h && !viewers_are_none(h->viewers) && io->job_id == h->job && io->step_id == h->step)
                viewers_output(h->viewers, io);
}

void srun_streams_gone(struct client *c) {
        if (c->streams && c->streams->viewers)
                viewers_end(c->streams->viewers);
}

static struct srun_streams *srun_find_viewed(struct agent *a, const Slumber__View *m) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = m->job_id;
        io.step_id = m->step_id;
        io.restarts = m->restarts;
        return srun_find(a, &io);
}

void srun_streams_view(struct agent *a, struct peer *p, Envelope *env) {
        Slumber__View *m = env->view;
        struct srun_streams *h = srun_find_viewed(a, m);

        if (!h) {
                viewer_say(p, m, SLUMBER__VIEW__KIND__GONE);
        } else if (m->token != h->token) {
                peer_log_bad_message(p, "it does not show the token of step %u of job %u",
                                m->step_id, m->job_id);
        } else if (m->kind == SLUMBER__VIEW__KIND__BEGIN) {
                /* output given to srun without viewers was not counted */
                if (viewers_are_none(h->viewers))
                        h->viewers = viewers_free(h->viewers);
                if (!h->viewers)
                        h->viewers = viewers_new(h->num_tasks);
                viewers_begin(h->viewers, p, m, now_monotonic());
        } else if (m->kind == SLUMBER__VIEW__KIND__GONE && h->viewers) {
                viewers_forget(h->viewers, m->viewer);
        } else if (m->kind == SLUMBER__VIEW__KIND__INPUT && m->data.len <= STEP_WINDOW) {
                m->token = 0;
                m->restarts = 0;
                (void)conn_send(h->client->conn, env);
        }
}

void srun_streams_answer(struct client *c, Envelope *env) {
        if (c->streams->viewers && env->view->kind == SLUMBER__VIEW__KIND__TAKEN)
                viewers_send(c->streams->viewers, env->view);
}

void srun_streams_pids(const struct agent *a, uint32_t job, struct pid_set *set) {
        const struct srun_streams *h;
        uid_t uid;
        gid_t gid;
        pid_t pid;

        for (size_t k = 0; k < SRUNS_HASH; k++)
                LIST_FOREACH(h, &a->sruns[k], next)
                        if (h->job == job && h->client->conn &&
                                        conn_peer_credentials(h->client->conn, &uid, &gid, &pid) >=
                                                        0)
                                pid_set_add(set, pid);
}

/* ---- connections ---- */

/* Calls event for each route using p. event returns true if all data has to be sent again. */
static void tell_routes(struct agent *a, const struct peer *p,
                bool (*event)(struct route *r, const struct peer *p)) {
        struct srun_streams *h;

        for (size_t k = 0; k < SRUNS_HASH; k++)
                LIST_FOREACH(h, &a->sruns[k], next)
                        for (size_t i = 0; i < h->n; i++)
                                if (h->nodes[i].route.peer == p)
                                        srun_settle_node(h, i, event(&h->nodes[i].route, p));
}

static bool lost_quiet(struct route *r, const struct peer *p) {
        return route_lost(r, p, true);
}

static bool lost_broken(struct route *r, const struct peer *p) {
        return route_lost(r, p, false);
}

void srun_streams_up(struct agent *a, const struct peer *p) {
        tell_routes(a, p, route_up);
}

void srun_streams_slow(struct agent *a, const struct peer *p) {
        tell_routes(a, p, route_slow);
}

void srun_streams_lost(struct agent *a, const struct peer *p, bool quiet) {
        struct srun_streams *h;

        for (size_t k = 0; k < SRUNS_HASH; k++)
                LIST_FOREACH(h, &a->sruns[k], next)
                        if (h->viewers)
                                viewers_lost(h->viewers, p);
        tell_routes(a, p, quiet ? lost_quiet : lost_broken);
}
