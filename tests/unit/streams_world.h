/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/streams_world.h - what slumberd has around the streams of steps (agent/streams/), in
 * place of its other files: messages that they send are kept as the last one of their kind, and
 * counted */
#pragma once

#include "agent/state/agent.h"
#include "agent/stepmgr/remote_sruns.h"
#include "agent/stepmgr/remote_steps.h"
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_proxy.h"
#include "agent/streams/bulk.h"
#include "agent/streams/srun_streams.h"
#include "agent/streams/step_streams.h"

#include <stdarg.h>

struct peer {
        bool up, takes, slow;
        size_t queued;
};
#define PEERS 3

enum to { TO_PEER, TO_STEPD, TO_SRUN, TO_CONTROLLER, TO_MAX };

static struct {
        struct agent agent;
        struct job job;
        struct step step;
        struct client client;
        struct peer peers[PEERS];
        size_t sent[TO_MAX];
        Slumber__StepIo last[TO_MAX]; /* without what it points to */
        Slumber__View view;           /* the last one, likewise */
        size_t views;
        char numbers[TO_MAX][32]; /* of the last StepIo */
        bool copies;              /* what the controller says of the nodes of srun's step */
        const struct peer *last_peer;
        bool full;            /* too much waits for the controller */
        size_t queued;        /* of srun's connection */
        size_t daemon_queued; /* of the step daemon's */
        bool srun_paused, daemon_paused;
        size_t complaints, backs; /* NODE_BACK to srun */
        uint32_t signal;
        struct arrived signals; /* in the spool */
        const char *reachable;  /* the only address with a connection, of peers[0]; NULL: all */
} world;

static void sent(enum to to, const Envelope *env) {
        world.sent[to]++;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_IO) {
                world.last[to] = *env->step_io;
                snprintf(world.numbers[to], sizeof world.numbers[to], "%s", env->step_io->numbers);
        }
        if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW) {
                world.view = *env->view;
                world.views++;
        }
}

/* Steps that a node makes are not looked at. */
void remote_steps_done(struct agent *a) {
        (void)a;
}
void remote_step_handle_message(struct agent *a, struct peer *p, Slumber__MakerMessage *m) {
        (void)a, (void)p, (void)m;
}
void remote_steps_peer_lost(struct agent *a, const struct peer *p) {
        (void)a, (void)p;
}
void stepmgr_handle_message(struct agent *a, struct peer *p, Slumber__MakerMessage *m) {
        (void)a, (void)p, (void)m;
}
void remote_srun_handle_message(struct agent *a, struct peer *p, Slumber__Visit *m) {
        (void)a, (void)p, (void)m;
}
void remote_sruns_peer_lost(struct agent *a, const struct peer *p) {
        (void)a, (void)p;
}
bool remote_sruns_use_peer(const struct agent *a, const struct peer *p) {
        (void)a, (void)p;
        return false;
}
void remote_sruns_done(struct agent *a) {
        (void)a;
}
void stepmgr_addresses_read(struct agent *a) {
        (void)a;
}
void stepmgr_proxy_handle_message(struct agent *a, struct peer *p, Slumber__Visit *m) {
        (void)a, (void)p, (void)m;
}
void stepmgr_proxies_peer_lost(struct agent *a, const struct peer *p) {
        (void)a, (void)p;
}
bool stepmgr_proxies_use_peer(const struct agent *a, const struct peer *p) {
        (void)a, (void)p;
        return false;
}
void stepmgr_proxies_done(struct agent *a) {
        (void)a;
}
void stepmgr_peer_lost(struct agent *a, const struct peer *p, bool quiet) {
        (void)a, (void)p, (void)quiet;
}

struct peer *peers_get(struct peers *all, const char *address) {
        (void)all;
        if (isempty(address) || (world.reachable && !streq(address, world.reachable)))
                return NULL;
        return &world.peers[0];
}

struct peer *peers_find(struct peers *all, const char *address) {
        struct peer *p = peers_get(all, address);

        return p && p->up ? p : NULL;
}

bool peer_is_up(const struct peer *p) {
        return p->up;
}

bool peer_is_slow(const struct peer *p) {
        return !p->up && p->slow;
}

size_t peer_queued(const struct peer *p) {
        return p->queued;
}

bool peer_send(struct peer *p, Envelope *env) {
        if (!p->takes)
                return false;
        world.last_peer = p;
        sent(TO_PEER, env);
        return true;
}

void bulk_moved(struct agent *a, size_t bytes) {
        (void)a, (void)bytes;
}

void bulk_order(struct agent *a) {
        (void)a;
}

void peer_log_bad_message(struct peer *p, const char *format, ...) {
        (void)p, (void)format;
        world.complaints++;
}

int conn_send(struct conn *c, Envelope *env) {
        assert(c == (struct conn *)&world.client);
        world.backs += env->body_case == SLUMBER__ENVELOPE__BODY_STEP_NOTICE;
        sent(TO_SRUN, env);
        return 0;
}

size_t conn_queued(const struct conn *c) {
        return c == (struct conn *)&world.client ? world.queued : world.daemon_queued;
}

void conn_set_mark(struct conn *c, size_t bytes) {
        (void)c, (void)bytes;
}

int conn_peer_credentials(const struct conn *c, uid_t *ret_uid, gid_t *ret_gid, pid_t *ret_pid) {
        (void)c, (void)ret_uid, (void)ret_gid, (void)ret_pid;
        return -ENOTCONN;
}

void conn_pause(struct conn *c, bool pause) {
        *(c == (struct conn *)&world.client ? &world.srun_paused : &world.daemon_paused) = pause;
}

void client_to_controller(struct client *c, Envelope *env) {
        (void)c;
        sent(TO_CONTROLLER, env);
}

void upstream_send(struct agent *a, Envelope *env) {
        (void)a;
        sent(TO_CONTROLLER, env);
}

bool upstream_up(const struct agent *a) {
        (void)a;
        return true;
}

bool upstream_full(const struct agent *a) {
        (void)a;
        return world.full;
}

void step_send(struct step *s, Envelope *env) {
        (void)s;
        sent(TO_STEPD, env);
}

static void take_signal(struct agent *a, const Slumber__SignalJob *m) {
        (void)a;
        world.signal = m->signal;
}

struct job *job_find_exactly(struct agent *a, uint32_t id, uint32_t restarts) {
        (void)a;
        return id == world.job.id && restarts == world.job.restarts ? &world.job : NULL;
}

struct step *job_find_step(struct job *j, uint32_t step) {
        (void)j;
        return step == world.step.name.step && world.step.n_nodes ? &world.step : NULL;
}

/* No step here is over several components. */
struct step *step_find_known(struct agent *a, uint32_t job, uint32_t restarts, uint32_t step) {
        struct job *j = job_find_exactly(a, job, restarts);

        return j ? job_find_step(j, step) : NULL;
}

void spool_write_signals(const struct step_name *name, uint32_t last, uint64_t bits) {
        (void)name;
        world.signals = (struct arrived){ last, bits };
}

bool spool_read_signals(const struct step_name *name, uint32_t *ret_last, uint64_t *ret_bits) {
        (void)name;
        *ret_last = world.signals.last;
        *ret_bits = world.signals.bits;
        return true;
}

/* ---- */

#define TOKEN 0x1234567890abcdefu

static void world_begin(void) {
        static char node[] = "n3";

        memset(&world, 0, sizeof world);
        for (size_t i = 0; i < PEERS; i++)
                world.peers[i] = (struct peer){ .up = true, .takes = true };
        int r = sd_event_new(&world.agent.event);
        assert(r >= 0);
        (void)r;
        static const struct job_orders orders = { .signal = take_signal };
        world.agent.node = node;
        world.agent.orders = &orders;
        world.job = (struct job){ .agent = &world.agent, .id = 7, .restarts = 1 };
        world.client = (struct client){ .agent = &world.agent,
                .conn = (struct conn *)&world.client };
}

/* A step of job 7 with this node as one of so many; srun's slumberd is at "home:1".  adopted: from
   an earlier slumberd. */
static void world_step_of(uint32_t node_rank, uint32_t n_nodes, char *const *addresses,
                bool adopted) {
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;

        body.stream_token = TOKEN;
        body.stream_home = (char *)(uintptr_t) "home:1";
        world.step = (struct step){ .job = &world.job,
                .name = { .job = 7, .restarts = 1, .step = 2 },
                .conn = (struct conn *)&world.step,
                .node_rank = node_rank,
                .n_nodes = n_nodes };
        world.job.steps = &world.step;
        step_streams_begin(&world.step, &body, adopted);
        step_streams_nodes(&world.step, addresses, addresses ? 1 : 0, 2); /* a row */
}

static _unused_ void world_step(uint32_t node_rank, uint32_t n_nodes, char *const *addresses) {
        world_step_of(node_rank, n_nodes, addresses, false);
}

/* The srun of step 2 is here, its nodes are n1 to n9. */
static void world_srun(char **addresses, size_t n) {
        Slumber__StepReply reply = SLUMBER__STEP_REPLY__INIT;
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;

        reply.job_id = 7;
        reply.step_id = 2;
        reply.nodes = (char *)(uintptr_t) "n[1-9]";
        reply.streams = &streams;
        streams.token = TOKEN;
        streams.restarts = 1;
        uint32_t tasks[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
        reply.tasks_per_node = tasks;
        reply.n_tasks_per_node = ELEMENTSOF(tasks);
        streams.tree_width = 2;
        streams.copies = world.copies;
        streams.addresses = addresses;
        streams.n_addresses = n;
        srun_streams_open(&world.client, &reply);
}

static void world_end(void) {
        srun_streams_close(&world.client);
        if (world.step.n_nodes)
                step_streams_done(&world.step);
        sd_event_unref(world.agent.event);
}
