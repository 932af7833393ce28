/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever users and agents may say, in any order, to a whole controller: requests, answers of
 * agents true and false, lost connections, passing time, restarts from what was stored, other
 * configurations.
 *
 * The controller is the real one; around it stand a store in memory, connections that end here, and
 * programs that are only pretended, so that an input is a story of microseconds and always the
 * same.  An input is a list of operations, one byte each and what they take.  Envelopes are made by
 * walking the protocol's own descriptors: every message and field there is, the values from tables
 * of likely and of hostile ones.  After each turn of the loop the controller's lists must fit
 * together. */
#include "controller/accounts/bids.h"
#include "controller/agents/bmc_requests.h"
#include "controller/controller.h"
#include "controller/launch/run.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/peers.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "lib/log.h"
#include "tests/fuzz/message_input.h"
#include "tests/fuzz/requests_around.h"

#include <fcntl.h>
#include <sys/stat.h>

#define OPERATIONS_MAX 300
/* of the configuration, by restarts and by request: they take as long as all the rest */
#define READS_MAX 10
#define NODES     4
#define INBOX_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char conf_head[] =
                "ClusterName=fuzz\nSlurmctldHost=localhost\nSlurmUser=root\nReturnToService=2\nMaxJobCount=40\n"
                "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nPreemptType=preempt/partition_prio\n"
                "PreemptMode=SUSPEND,GANG\nMinJobAge=60\nSuspendProgram=/bin/true\nResumeProgram=/bin/true\n"
                "SuspendTime=300\nSuspendTimeout=30\nResumeTimeout=120\nSlurmdTimeout=100\n";
static const char conf_nodes[] =
                "NodeName=n[1-3] CPUs=4 RealMemory=1000 Feature=a,b\nNodeName=n4 CPUs=2 RealMemory=500\n"
                "PartitionName=low Nodes=ALL Default=YES OverSubscribe=FORCE:1 PriorityTier=1\n"
                "PartitionName=high Nodes=ALL OverSubscribe=FORCE:1 PriorityTier=2\n"
                "PartitionName=root Nodes=n[1-2] RootOnly=YES MaxTime=60\n";
static const char conf_fewer[] =
                "NodeName=n[1-3] CPUs=4 RealMemory=1000 Feature=a,b\n"
                "PartitionName=low Nodes=ALL Default=YES OverSubscribe=FORCE:1 PriorityTier=1\n"
                "PartitionName=high Nodes=n[2-3] OverSubscribe=FORCE:1 PriorityTier=3\n";

#define MUST(x)                                                                                    \
        do {                                                                                       \
                if (!(x)) {                                                                        \
                        fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x);            \
                        abort();                                                                   \
                }                                                                                  \
        } while (0)

/* ---- connections ---- */

struct conn {
        const struct conn_ops *ops;
        void *user;
        uid_t uid;
        const char *cluster; /* whose controller has connected */
        bool closed;
};

struct conn_server {
        const struct conn_server_ops *ops;
        void *user;
};

enum { LOCAL_ROOT, LOCAL_USER, LOCAL_OTHER, AGENT, PEERS = AGENT + NODES };
static struct {
        struct controller *ctl;
        struct conn_server *local, *agents;
        struct conn *conns[PEERS], **dead;
        struct conn *guest, *link; /* of the other cluster's controller, and to it */
        uint64_t last_asked;       /* by that */
        bool relays;               /* what it answers comes from there */
        size_t n_dead, a_dead;
        unsigned n_reads;                  /* of the configuration */
        Envelope *inbox[NODES][INBOX_MAX]; /* what the controller told each agent */
        size_t n_inbox[NODES];
} world;

static int server_new(const struct conn_server_ops *ops, void *user, struct conn_server **ret) {
        *ret = xnew0(struct conn_server, 1);
        (*ret)->ops = ops;
        (*ret)->user = user;
        return 0;
}

/* slumber-submit's; no submit rule is set here. */
int conn_adopt(sd_event *event, int fd, const struct conn_ops *ops, void *user, struct conn **ret) {
        (void)event, (void)ops, (void)user, (void)ret;
        close(fd);
        return -EOPNOTSUPP;
}

int conn_listen_unix(sd_event *event, const char *path, mode_t mode,
                const struct conn_server_ops *ops, void *user, struct conn_server **ret,
                struct fail *fail) {
        int r = server_new(ops, user, ret);

        world.local = *ret;
        return r;
}

int conn_listen_tls(sd_event *event, const char *address, uint16_t port,
                const struct cluster_key *key, const struct conn_server_ops *ops, void *user,
                struct conn_server **ret, struct fail *fail) {
        int r = server_new(ops, user, ret);

        world.agents = *ret;
        return r;
}

int conn_connect_tls(sd_event *event, const char *host, uint16_t port,
                const struct cluster_key *key, const struct conn_ops *ops, void *user,
                struct conn **ret, struct fail *fail) {
        *ret = world.link = xnew0(struct conn, 1);
        conn_set_ops(world.link, ops, user);
        return 0;
}

int conn_set_deadline(struct conn *c, usec_t usec) {
        assert(!c->closed);
        return 0;
}

void conn_server_let_in(struct conn_server *s, const char *cluster, const struct cluster_key *key) {
}

const char *conn_cluster(const struct conn *c) {
        return c->cluster;
}

usec_t conn_last_received(const struct conn *c) {
        return 0;
}

struct conn_server *conn_server_free(struct conn_server *s) {
        free(s);
        return NULL;
}

void conn_set_ops(struct conn *c, const struct conn_ops *ops, void *user) {
        c->ops = ops;
        c->user = user;
}

void conn_set_frame_limit(struct conn *c, size_t bytes) {
        (void)c, (void)bytes;
}

void conn_set_queue_limit(struct conn *c, size_t bytes) {
        assert(!c->closed);
}

void conn_set_slow_limit(struct conn *c, size_t bytes) {
        assert(!c->closed);
}

bool conn_unacknowledged(const struct conn *c) {
        return false;
}

uint64_t conn_sent(const struct conn *c) {
        return 0;
}

size_t conn_queued(const struct conn *c) {
        assert(!c->closed);
        return 0;
}

const char *conn_peer_address(const struct conn *c) {
        assert(!c->closed);
        return "127.0.0.1";
}

void conn_own_address(const struct conn *c, char *ret, size_t size) {
        assert(!c->closed);
        snprintf(ret, size, "127.0.0.1");
}

int conn_peer_credentials(const struct conn *c, uid_t *ret_uid, gid_t *ret_gid, pid_t *ret_pid) {
        *ret_uid = *ret_gid = c->uid;
        *ret_pid = 1;
        return 0;
}

static void bury(struct conn *c) {
        assert(!c->closed);
        c->closed = true;
        GROW(world.dead, world.a_dead, world.n_dead);
        world.dead[world.n_dead++] = c;
        for (size_t i = 0; i < PEERS; i++)
                if (world.conns[i] == c)
                        world.conns[i] = NULL;
        world.guest = world.guest == c ? NULL : world.guest;
        world.link = world.link == c ? NULL : world.link;
}

void conn_close(struct conn *c) {
        bury(c);
}

static void inbox_clear(size_t node) {
        while (world.n_inbox[node])
                slumber__envelope__free_unpacked(world.inbox[node][--world.n_inbox[node]], NULL);
}

int conn_send_packed(struct conn *c, const uint8_t *frame, size_t size) {
        Envelope *env = NULL;

        assert(!c->closed);
        int r = wire_unpack(frame + 4, size - 4, &env);
        assert(r >= 0);
        if (c == world.link)
                world.last_asked = env->id;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_REPLY &&
                        !env->submit_reply->estimate && !world.relays)
                /* acknowledged is stored */
                MUST(disk_find(STORE_JOB, NULL, env->submit_reply->job_id));
        for (size_t i = 0; i < NODES; i++)
                if (world.conns[AGENT + i] == c && !env->reply_to && world.n_inbox[i] < INBOX_MAX) {
                        world.inbox[i][world.n_inbox[i]++] = env;
                        return 0;
                }
        slumber__envelope__free_unpacked(env, NULL);
        return 0;
}

int conn_send_with_tail(struct conn *c, const uint8_t *begin, size_t size, struct wire_tail *tail) {
        size_t tail_size;
        const uint8_t *data = wire_tail_data(tail, &tail_size);
        _cleanup_free_ uint8_t *frame = xmalloc(size + tail_size);

        memcpy(frame, begin, size);
        memcpy(frame + size, data, tail_size);
        return conn_send_packed(c, frame, size + tail_size);
}

int conn_send(struct conn *c, Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;
        int r = wire_pack(env, &frame, &size);

        return r < 0 ? r : conn_send_packed(c, frame, size);
}

static struct conn *peer(size_t i) {
        static const uid_t uids[] = { 0, 1000, 1001 };

        if (world.conns[i])
                return world.conns[i];
        struct conn_server *s = i < AGENT ? world.local : world.agents;
        struct conn *c = world.conns[i] = xnew0(struct conn, 1);
        c->uid = i < AGENT ? uids[i] : 0;
        s->ops->accepted(s, c, s->user);
        if (i >= AGENT)
                inbox_clear(i - AGENT);
        return c;
}

static void hang_up(size_t i) {
        struct conn *c = world.conns[i];

        if (!c)
                return;
        bury(c);
        c->ops->closed(c, input_take(1) & 1 ? -ECONNRESET : 0, "gone", c->user);
}

/* As it comes from the wire: packed and unpacked. */
static void say_by(struct conn *c, Envelope *env) {
        _cleanup_envelope_ Envelope *copy = NULL;
        _cleanup_free_ uint8_t *frame = NULL;
        size_t size;

        if (wire_pack(env, &frame, &size) < 0 || wire_unpack(frame + 4, size - 4, &copy) < 0)
                return;
        c->ops->message(c, copy, c->user);
}

static void say(size_t from, Envelope *env) {
        say_by(peer(from), env);
}

/* ---- any message at all ---- */

static void any_envelope(void) {
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;
        const ProtobufCFieldDescriptor *f = &d->fields[input_take(1) % d->n_fields];
        size_t from = input_take(1) % (PEERS * 2);
        Slumber__Caller caller = SLUMBER__CALLER__INIT;
        Envelope env = SLUMBER__ENVELOPE__INIT;

        if (f->id == SLUMBER__ENVELOPE__BODY_SHUTDOWN) /* the world goes on */
                return;
        env.version = WIRE_VERSION;
        env.id = 7;
        if (from >= PEERS) { /* relayed */
                from = AGENT + from % NODES;
                caller.uid = input_take(1) & 1 ? 1000 : (uint32_t)input_number();
                caller.client = input_take(1) % 4;
                env.caller = &caller;
        }
        if (f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) {
                ProtobufCMessage *m = input_message(f->descriptor);
                if (m) {
                        env.body_case = (Slumber__Envelope__BodyCase)f->id;
                        env.ok = (Slumber__Ok *)m;
                }
        }
        say(from, &env);
        input_free();
}

/* A message of any kind in env; false: it is one of the envelope's own fields. */
static bool any_body(Envelope *env) {
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;
        const ProtobufCFieldDescriptor *f = &d->fields[input_take(1) % d->n_fields];
        ProtobufCMessage *m = f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF ? input_message(f->descriptor)
                                                                     : NULL;

        if (!m || f->id == SLUMBER__ENVELOPE__BODY_SHUTDOWN)
                return false;
        env->version = WIRE_VERSION;
        env->body_case = (Slumber__Envelope__BodyCase)f->id;
        env->ok = (Slumber__Ok *)m;
        return true;
}

/* The controller of another cluster asks. */
static void guest_says(void) {
        static char *const names[] = { "", "u", "us", "usr", "no-one", "looked-up" };
        Slumber__Caller caller = SLUMBER__CALLER__INIT;
        Envelope env = SLUMBER__ENVELOPE__INIT;
        uint32_t b = input_take(1);

        if (!world.guest) {
                world.guest = xnew0(struct conn, 1);
                world.guest->cluster = "beta";
                world.agents->ops->accepted(world.agents, world.guest, world.agents->user);
        }
        if (!world.guest)
                return;
        caller.user = names[b % ELEMENTSOF(names)];
        caller.uid = b & 128 ? 1000 : (uint32_t)strlen(caller.user);
        env.id = 7;
        env.caller = b & 64 ? NULL : &caller;
        if (any_body(&env))
                say_by(world.guest, &env);
        input_free();
}

/* A user asks it, and it answers, or its connection ends. */
static void ask_cluster(void) {
        Slumber__ClusterRequest m = SLUMBER__CLUSTER_REQUEST__INIT;
        Envelope env = SLUMBER__ENVELOPE__INIT;
        _cleanup_free_ uint8_t *frame = NULL;
        uint32_t b = input_take(1);
        size_t size;

        m.cluster = (char *)(uintptr_t)(b & 8 ? "beta" : "nope");
        if (!any_body(&env) || wire_pack(&env, &frame, &size) < 0)
                m.cluster = (char *)(uintptr_t) "beta";
        m.request.data = frame ? frame + 4 : NULL;
        m.request.len = frame ? size - 4 - (b & 7) % (size - 4) : 0;
        ENVELOPE(request, CLUSTER_REQUEST, cluster_request, &m);
        request.id = 6;
        say(b & 128 ? LOCAL_USER : LOCAL_ROOT, &request);
        input_free();
}

static void cluster_answers(void) {
        Envelope env = SLUMBER__ENVELOPE__INIT;
        uint32_t b = input_take(1);
        struct conn *c = world.link;

        if (!c)
                return;
        if (b & 1)
                c->ops->ready(c, c->user);
        env.reply_to = world.last_asked - (b >> 1 & 3);
        world.relays = true;
        if (world.link && any_body(&env))
                say_by(world.link, &env);
        world.relays = false;
        input_free();
        if (world.link == c && b & 64) {
                bury(c);
                c->ops->closed(c, -ECONNRESET, "gone", c->user);
        }
}

/* ---- what a well-behaved world would do, so that stories get somewhere ---- */

#define BODY(name) SLUMBER__ENVELOPE__BODY_##name

static void submit(void) {
        Slumber__SubmitRequest m = SLUMBER__SUBMIT_REQUEST__INIT;
        Slumber__JobScript script = SLUMBER__JOB_SCRIPT__INIT;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        static char *const partitions[] = { "low", "high", "low", "root" };
        uint32_t b = input_take(1);

        spec.partition = partitions[b & 3];
        spec.batch = b & 4;
        spec.min_nodes = input_take(1) % 4;
        spec.num_tasks = input_take(1) % 8;
        spec.tasks_set = spec.num_tasks > 0;
        spec.time_limit = b & 8 ? 60 * USEC_PER_SEC : 0;
        spec.oversubscribe = b & 16 ? SLUMBER__SHARE__SHARE_NO : SLUMBER__SHARE__SHARE_OK;
        m.spec = &spec;
        m.script = spec.batch ? &script : NULL;
        m.allocate = !spec.batch;
        m.immediate = b & 32;
        m.wait = b & 64;
        ENVELOPE(env, SUBMIT, submit, &m);
        env.id = 1;
        say(b & 128 ? LOCAL_USER : LOCAL_ROOT, &env);
}

static void act(void) {
        Slumber__JobAction m = SLUMBER__JOB_ACTION__INIT;
        uint32_t id = input_take(1) % 16;

        m.kind = (Slumber__JobActionKind)(1 + input_take(1) % 11);
        if (m.kind == 11)
                m.kind = SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP;
        m.ids = &id;
        m.n_ids = 1;
        m.signal = 10;
        ENVELOPE(env, JOB_ACTION, job_action, &m);
        env.id = 2;
        say(LOCAL_ROOT, &env);
}

static void want_step(void) {
        Slumber__StepRequest m = SLUMBER__STEP_REQUEST__INIT;
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;
        static const char *const features[] = { "", "", "small", "[small|big]&x" };
        static const char *const lists[] = { "", "", "n2,n1*3", "n1*65536" };
        char *word = (char *)(uintptr_t) "true";
        uint32_t b = input_take(1), how;

        m.job_id = b % 8;
        m.spec = &spec;
        spec.arguments = &word;
        spec.n_arguments = 1;
        how = input_take(1);
        spec.num_tasks = how % 8;
        spec.features = (char *)(uintptr_t)features[how >> 3 & 3];
        spec.task_nodes = (char *)(uintptr_t)lists[how >> 5 & 3];
        spec.sockets_per_node = how >> 7;
        spec.exact = b & 16;
        spec.overlap = b & 32;
        spec.kill_on_bad_exit = b & 64;
        ENVELOPE(env, STEP_REQUEST, step_request, &m);
        env.id = 3;
        say(b & 8 ? LOCAL_USER : LOCAL_ROOT, &env);
}

/* with_jobs: what is there is what the controller believes. */
static void enroll(size_t node, bool with_jobs) {
        Slumber__Register m = SLUMBER__REGISTER__INIT;
        Slumber__Hardware hw = SLUMBER__HARDWARE__INIT;
        _cleanup_free_ char *name = xasprintf("n%zu", node + 1);
        const struct node *n = cluster_node(world.ctl->cluster, name);
        Slumber__RunningJob jobs[8], *pointers[8];

        hw.cpus = 4;
        hw.real_memory = 1000;
        m.node = name;
        m.protocol = 1;
        m.hardware = &hw;
        m.now = controller_now(world.ctl);
        m.boot_time = m.now - (input_take(1) & 1 ? 0 : 1000000 * USEC_PER_SEC);
        for (size_t i = 0; n && with_jobs && i < n->n_jobs && i < ELEMENTSOF(jobs); i++) {
                pointers[i] = &jobs[i];
                slumber__running_job__init(&jobs[i]);
                jobs[i].job_id = n->jobs[i]->id;
                jobs[i].restarts = job_incarnation(n->jobs[i]);
                jobs[i].frozen = n->jobs[i]->state == JOB_SUSPENDED;
                m.n_jobs++;
        }
        m.jobs = pointers;
        ENVELOPE(env, REGISTER_NODE, register_node, &m);
        say(AGENT + node, &env);
}

static void answer_launch(size_t from, const Slumber__LaunchStep *launch, Slumber__Error *error) {
        Slumber__LaunchResult m = SLUMBER__LAUNCH_RESULT__INIT;
        Slumber__CredentialBody *body = slumber__credential_body__unpack(NULL,
                        launch->credential->body.len, launch->credential->body.data);

        assert(body);
        m.job_id = body->job_id;
        m.step_id = body->step_id;
        m.restarts = body->restarts;
        m.error = error;
        slumber__credential_body__free_unpacked(body, NULL);
        ENVELOPE(env, LAUNCH_RESULT, launch_result, &m);
        say(from, &env);
}

static void answer_freeze(size_t from, const Slumber__FreezeJob *freeze, Slumber__Error *error) {
        Slumber__FreezeResult m = SLUMBER__FREEZE_RESULT__INIT;

        m.job_id = freeze->job_id;
        m.serial = freeze->serial;
        m.frozen = freeze->freeze != (error != NULL);
        m.error = error;
        ENVELOPE(env, FREEZE_RESULT, freeze_result, &m);
        say(from, &env);
}

static void answer_terminate(size_t from, const Slumber__TerminateJob *terminate,
                Slumber__Error *error) {
        Slumber__JobGone m = SLUMBER__JOB_GONE__INIT;

        m.job_id = terminate->job_id;
        m.restarts = terminate->restarts;
        m.error = error;
        ENVELOPE(env, JOB_GONE, job_gone, &m);
        say(from, &env);
}

/* All of its nodes, or the first alone, or none and an error. */
static void answer_power(size_t from, const Envelope *request, Slumber__Error *error) {
        const Slumber__BmcRequest *asked = request->bmc_request;
        Slumber__BmcResults m = SLUMBER__BMC_RESULTS__INIT;
        Slumber__BmcResult results[4] = { SLUMBER__BMC_RESULT__INIT, SLUMBER__BMC_RESULT__INIT,
                SLUMBER__BMC_RESULT__INIT, SLUMBER__BMC_RESULT__INIT };
        Slumber__BmcResult *list[4];
        uint32_t b = input_take(1);

        for (size_t i = 0; i < ELEMENTSOF(list) && i < (b & 1 ? 1 : asked->n_nodes); i++) {
                results[i].node = asked->nodes[i]->name;
                results[i].ok = b & 2;
                list[m.n_results++] = &results[i];
        }
        m.results = list;
        m.last = b & 4;
        ENVELOPE(env, BMC_RESULTS, bmc_results, &m);
        if (error) {
                env.body_case = BODY(ERROR);
                env.error = error;
        }
        env.reply_to = request->id;
        say(from, &env);
}

static void want_power(void) {
        static const char *const verbs[] = { "off", "status", "on", "cycle" };
        static const char *const names[NODES] = { "n1", "n2", "n3", "n4" };
        Slumber__BmcRequest m = SLUMBER__BMC_REQUEST__INIT;
        Slumber__BmcAccess access = SLUMBER__BMC_ACCESS__INIT, *accesses[] = { &access };
        Slumber__BmcNode nodes[NODES], *list[NODES];
        char *hosts[NODES];
        uint32_t b = input_take(2);

        for (size_t i = 0; i < NODES; i++) {
                slumber__bmc_node__init(&nodes[i]);
                nodes[i].name = (char *)(uintptr_t)names[i];
                if (b >> i & 1)
                        list[m.n_nodes++] = &nodes[i];
                if (b >> (NODES + i) & 1)
                        hosts[m.n_hosts++] = (char *)(uintptr_t)names[(i + (b >> 12)) % NODES];
        }
        m.verb = (char *)(uintptr_t)verbs[b >> 8 & 3];
        m.itself = b >> 10 & 1;
        m.nodes = list;
        m.hosts = hosts;
        m.accesses = accesses;
        m.n_accesses = 1;
        ENVELOPE(env, BMC_REQUEST, bmc_request, &m);
        env.id = 5;
        say(LOCAL_ROOT, &env);
}

/* The oldest message that this agent has not answered, answered; or lost. */
static void answer(size_t node, uint32_t how) {
        Slumber__Error error = SLUMBER__ERROR__INIT, *e = how & 1 ? &error : NULL;

        if (!world.n_inbox[node])
                return;
        _cleanup_envelope_ Envelope *env = world.inbox[node][0];
        memmove(&world.inbox[node][0], &world.inbox[node][1],
                        --world.n_inbox[node] * sizeof(Envelope *));
        error.code = SLUMBER_FAILED;
        if (how & 2)
                return;
        if (env->body_case == BODY(LAUNCH_STEP))
                answer_launch(AGENT + node, env->launch_step, e);
        else if (env->body_case == BODY(FREEZE_JOB))
                answer_freeze(AGENT + node, env->freeze_job, e);
        else if (env->body_case == BODY(TERMINATE_JOB))
                answer_terminate(AGENT + node, env->terminate_job, e);
        else if (env->body_case == BODY(BMC_REQUEST))
                answer_power(AGENT + node, env, e);
}

static void end_step(void) {
        Slumber__StepEnded m = SLUMBER__STEP_ENDED__INIT;
        Slumber__TaskExit task = SLUMBER__TASK_EXIT__INIT, *tasks = &task;
        uint32_t b = input_take(1), step = input_take(1) % 5;
        const struct job *j = cluster_job(world.ctl->cluster, b % 8);

        m.job_id = b % 8;
        m.step_id = step == 4 ? STEP_BATCH : step;
        m.restarts = j ? job_incarnation(j) : 0;
        m.last = !(b & 8);
        m.lost = b & 16;
        task.status = b & 32 ? 256 : 0;
        m.tasks = &tasks;
        m.n_tasks = 1;
        ENVELOPE(env, STEP_ENDED, step_ended, &m);
        say(AGENT + (b >> 6), &env);
}

static void ask_reconfigure(void) {
        Slumber__ReconfigureRequest m = SLUMBER__RECONFIGURE_REQUEST__INIT;

        ENVELOPE(env, RECONFIGURE, reconfigure, &m);
        env.id = 4;
        say(LOCAL_ROOT, &env);
}

/* ---- the controller ---- */

static char folder[64];

static void write_file(const char *name, const char *head, const char *tail) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        if (fd < 0 || write(fd, head, strlen(head)) < 0 || write(fd, tail, strlen(tail)) < 0)
                abort();
}

static void remove_folder(void) {
        static const char *const names[] = {
                "slurm.conf",
                "slumber.yaml",
                "key",
                "shared",
                "state/credential.key",
                "state",
                "",
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, names[i]);
                (void)remove(path);
        }
}

static void write_conf(const char *nodes) {
        _cleanup_free_ char *head = xasprintf("%sStateSaveLocation=%s/state\n", conf_head, folder);

        write_file("slurm.conf", head, nodes);
}

static void prepare(void) {
        _cleanup_free_ char *yaml = NULL, *state = NULL;

        if (folder[0])
                return;
        strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-requests-XXXXXX"
                                                     : "/tmp/fuzz-requests-XXXXXX");
        if (!mkdtemp(folder) || log_open("fuzz", "/dev/null", LOG_DEBUG) < 0)
                abort();
        atexit(remove_folder);
        yaml = xasprintf(
                        "key_file: %s/key\nsocket: %s/socket\n"
                        "clusters: { beta: { hosts: 127.0.0.1, key_file: %s/shared, operators: usr, "
                        "there: [show, submit, cancel, update, accounts], "
                        "here: [show, submit, cancel, accounts] } }\n",
                        folder, folder, folder);
        state = xasprintf("%s/state", folder);
        if (mkdir(state, 0700) < 0)
                abort();
        write_file("slumber.yaml", yaml, "");
        write_file("shared", "0123456789abcdef0123456789abcdefXX", "");
        write_file("key", "0123456789abcdef0123456789abcdef0123456789abcdef", "");
}

static int try_start(struct fail *fail) {
        static const struct controller_start how = { 0 };
        _cleanup_free_ char *conf = xasprintf("%s/slurm.conf", folder);
        struct config *config = NULL;
        int r = config_read(conf, &config, fail);

        return r < 0 ? r : controller_new(config, &how, &world.ctl, fail);
}

static void start(void) {
        struct fail fail = { 0 };

        if (try_start(&fail) >= 0)
                return;
        write_conf(conf_nodes); /* a job still needs what the shorter one lacks */
        if (try_start(&fail) < 0) {
                fprintf(stderr, "%s\n", fail.text);
                abort();
        }
}

static void free_the_dead(void) {
        while (world.n_dead)
                free(world.dead[--world.n_dead]);
}

static void stop(void) {
        world.ctl->stopping = true;
        world.ctl = controller_free(world.ctl);
        free_the_dead();
        for (size_t i = 0; i < NODES; i++)
                inbox_clear(i);
        for (size_t i = 0; i < PEERS; i++)
                assert(!world.conns[i]);
        assert(!world.guest && !world.link);
}

static void check(void) {
        const struct controller *ctl = world.ctl;
        const struct cluster *c = ctl->cluster;

        for (size_t i = 0; i < ctl->n_peers; i++)
                MUST(ctl->peers[i]->conn);
        for (size_t i = 0; i < c->n_nodes; i++)
                MUST(!ctl->agents[i] ||
                                (ctl->agents[i]->conn && ctl->agents[i]->node == c->nodes[i]));
        for (size_t i = 0; i < ctl->n_watches; i++) {
                const struct address *to;
                const struct job *j = cluster_job(c, watch_job(ctl, i, &to));
                MUST(to->peer->conn);
                MUST(j && !job_is_finished(j));
        }
        for (size_t i = 0; i < ctl->n_runs; i++) {
                const struct job *j = cluster_job(c, ctl->runs[i]->job);
                MUST(j && (job_is_active(j) ||
                                          (!ctl->runs[i]->started && j->state == JOB_PENDING)));
                MUST(!ctl->runs[i]->started || job_step_find(j, ctl->runs[i]->step));
        }
        for (size_t i = 0; i < c->n_queue; i++) {
                MUST(c->queue[i]->job->state == JOB_PENDING && !c->queue[i]->job->completing);
                MUST(i == 0 || bid_order(c->queue[i - 1], c->queue[i]) < 0);
        }
        for (size_t i = 0; i < c->n_active; i++)
                MUST(c->active[i]->listed.queue_at == i && job_is_active(c->active[i]));
        for (size_t i = 0; i < c->n_jobs; i++)
                MUST(!c->jobs[i].job || disk_find(STORE_JOB, NULL, c->jobs[i].id));
        for (size_t i = 0; i < disk.n; i++)
                MUST(disk.rows[i].table != STORE_JOB ||
                                cluster_job(c, (uint32_t)disk.rows[i].number));
}

static void settle(void) {
        for (int i = 0; i < 16 && sd_event_run(world.ctl->event, 0) > 0; i++)
                ;
        free_the_dead();
        if (!world.ctl->changed_since)
                check();
}

static void pass_time(void) {
        static const uint32_t seconds[] = { 0, 1, 5, 31, 61, 101, 121, 301, 3600, 100000 };

        world.ctl->clock_offset += seconds[input_take(1) % ELEMENTSOF(seconds)] * USEC_PER_SEC;
        controller_changed(world.ctl);
}

static void operation(void) {
        uint32_t op = input_take(1), node = op >> 4 & 3, kind = op & 15;

        if ((kind == 9 || kind == 12) && world.n_reads++ >= READS_MAX)
                kind = 15;
        switch (kind) {
        case 0:
        case 1:
                any_envelope();
                break;
        case 2:
                pass_time();
                break;
        case 3:
                enroll(node, op & 64);
                break;
        case 4:
                submit();
                break;
        case 5:
                act();
                break;
        case 6:
                answer(node, 0);
                break;
        case 7:
                answer(node, op >> 6);
                break;
        case 8:
                hang_up((op >> 4 & 7) % PEERS);
                break;
        case 9:
                settle();
                stop();
                start();
                break;
        case 10:
                want_step();
                break;
        case 11:
                end_step();
                break;
        case 12:
                write_conf(op & 16 ? conf_fewer : conf_nodes);
                ask_reconfigure();
                break;
        case 13: /* all agents, and then what they were told */
                for (size_t i = 0; i < NODES; i++)
                        enroll(i, op & 64);
                break;
        case 14:
                settle();
                for (size_t i = 0; i < NODES; i++)
                        answer(i, 0);
                break;
        default:
                if (op & 64)
                        want_power();
                else if (node == 1)
                        guest_says();
                else if (node)
                        node == 2 ? ask_cluster() : cluster_answers();
                settle();
                break;
        }
        if (!(op & 128))
                settle();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        prepare();
        input_begin(data, size);
        world.n_reads = 0;
        write_conf(conf_nodes);
        start();
        settle();
        for (int i = 0; i < OPERATIONS_MAX && input_peek() >= 0; i++)
                operation();
        settle();
        stop();
        disk_clear();
        free(TAKE(world.dead));
        world.a_dead = 0;
        return 0;
}
