/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t0300-agent: the controller's side of the protocol, played by this program, against a real slumberd
 * and real step daemons: t0300-agent SLUMBERD auto|none.
 *
 * Every message that slumberd sends is kept in an inbox; wait_for() takes the first that fits and
 * runs the event loop until there is one. */
#include "tests/unit/test.h"

#include "lib/conn.h"
#include "lib/credential.h"
#include "lib/errors.h"

#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define PATIENCE   (20 * USEC_PER_SEC)
#define INBOX_MAX  16384
#define NODE       "n1"
#define USER_OTHER 65534

static const char *slumberd, *cgroup_kind;

struct world {
        char dir[64];
        sd_event *event;
        struct cluster_key *key;
        struct credential_key *signer;
        struct conn_server *server;
        struct conn *agent; /* the newest connection */
        uint16_t port;
        pid_t daemon;
        Envelope *inbox[INBOX_MAX];
        size_t n;
        bool welcome; /* answer Register */
        uid_t uid;
        uint32_t next_job;
};
static struct world w;

/* ---- messages ---- */

#define BODY(name) SLUMBER__ENVELOPE__BODY_##name

static Envelope *copy(const Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        Envelope *twin = NULL;
        size_t size;

        assert_int_equal(wire_pack(env, &frame, &size), 0);
        assert_int_equal(wire_unpack(frame + 4, size - 4, &twin), 0);
        return twin;
}

static void answer_register(void) {
        Slumber__RegisterReply reply = SLUMBER__REGISTER_REPLY__INIT;
        Slumber__AgentConfig config = SLUMBER__AGENT_CONFIG__INIT;

        config.kill_wait = USEC_PER_SEC;
        config.slurmd_timeout = 60 * USEC_PER_SEC;
        config.heartbeat = 100 * USEC_PER_MSEC;
        config.cluster_name = (char *)"test";
        reply.config = &config;
        reply.credential_key.data = (uint8_t *)credential_key_public(w.signer);
        reply.credential_key.len = CREDENTIAL_KEY_SIZE;
        ENVELOPE(env, REGISTER_REPLY, register_reply, &reply);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

static void on_message(struct conn *c, Envelope *env, void *user) {
        (void)user;
        if (c != w.agent)
                return;
        assert_true(w.n < INBOX_MAX);
        w.inbox[w.n++] = copy(env);
        if (env->body_case == BODY(REGISTER_NODE) && w.welcome)
                answer_register();
}

static void on_closed(struct conn *c, int r, const char *why, void *user) {
        (void)r, (void)why, (void)user;
        if (c == w.agent)
                w.agent = NULL;
}

static void on_accepted(struct conn_server *s, struct conn *c, void *user) {
        static const struct conn_ops ops = { .message = on_message, .closed = on_closed };

        (void)s, (void)user;
        conn_set_ops(c, &ops, NULL);
        w.agent = c;
}

static void on_refused(struct conn_server *s, const char *peer, const char *why, void *user) {
        (void)s, (void)user;
        print_message("refused %s: %s\n", peer, why);
}

static void drop_inbox(void) {
        while (w.n)
                slumber__envelope__free_unpacked(w.inbox[--w.n], NULL);
}

/* The first message of that kind, taken out of the inbox; the caller frees. */
static Envelope *take(int body) {
        for (size_t i = 0; i < w.n; i++)
                if ((int)w.inbox[i]->body_case == body) {
                        Envelope *env = w.inbox[i];

                        memmove(&w.inbox[i], &w.inbox[i + 1], (--w.n - i) * sizeof *w.inbox);
                        return env;
                }
        return NULL;
}

static Envelope *wait_for_within(int body, usec_t patience) {
        usec_t end = now_monotonic() + patience;
        Envelope *env;

        while (!(env = take(body)) && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 100 * USEC_PER_MSEC) >= 0);
        return env;
}

static Envelope *wait_for(int body) {
        Envelope *env = wait_for_within(body, PATIENCE);

        if (!env)
                fail_msg("slumberd did not send message %d", body);
        return env;
}

/* ---- slumberd ---- */

static void start_slumberd(void) {
        _cleanup_free_ char *conf = xasprintf("%s/slurm.conf", w.dir);
        _cleanup_free_ char *socket = xasprintf("%s/socket", w.dir);
        _cleanup_free_ char *key = xasprintf("%s/key", w.dir);

        w.daemon = fork();
        assert_true(w.daemon >= 0);
        if (w.daemon > 0)
                return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execl(slumberd, "slumberd", "-D", "-f", conf, "-N", NODE, "--socket", socket, "--key", key,
                        "--instance-id", "i-1", "--extra", "rack 7", "--conf",
                        "NodeName=n1 CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000",
                        NULL);
        _exit(127);
}

static void end_slumberd(int sig) {
        int status;

        kill(w.daemon, sig);
        assert_int_equal(waitpid(w.daemon, &status, 0), w.daemon);
        if (sig == SIGTERM)
                assert_int_equal(status, 0);
        w.daemon = 0;
}

static void write_file(const char *name, const char *text, mode_t mode) {
        _cleanup_free_ char *path = xasprintf("%s/%s", w.dir, name);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
}

static void listen_somewhere(void) {
        static const struct conn_server_ops ops = { on_accepted, on_refused };
        struct fail fail = { 0 };
        int r = -EADDRINUSE;

        for (unsigned i = 0; i < 50 && r < 0; i++) {
                w.port = (uint16_t)(23000 + ((unsigned)getpid() * 7 + i) % 4000);
                r = conn_listen_tls(
                                w.event, "127.0.0.1", w.port, w.key, &ops, NULL, &w.server, &fail);
        }
        if (r < 0)
                fail_msg("%s", fail.text);
}

static int set_up(void **state) {
        struct fail fail = { 0 };

        (void)state;
        w = (struct world){ .dir = "/tmp/slumber-t0300-XXXXXX", .welcome = true };
        assert_non_null(mkdtemp(w.dir));
        assert_int_equal(chmod(w.dir, 0755), 0);
        w.uid = geteuid() == 0 ? USER_OTHER : geteuid();
        write_file("key", "0123456789abcdef0123456789abcdef0123456789abcdef", 0600);
        _cleanup_free_ char *key = xasprintf("%s/key", w.dir), *sign = xasprintf("%s/sign", w.dir);
        if (cluster_key_read(key, &w.key, &fail) < 0 ||
                        credential_key_load(sign, &w.signer, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_int_equal(sd_event_new(&w.event), 0);
        listen_somewhere();
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\n"
                        "SlurmctldPort=%u\nSlurmdSpoolDir=%s/spool-%%n\nNodeName=n1 CPUs=8\n"
                        "PartitionName=p Nodes=n1\n",
                        w.port, w.dir);
        _cleanup_free_ char *site = xasprintf("cgroup: %s\n", cgroup_kind);
        write_file("slurm.conf", conf, 0644);
        write_file("slumber.yaml", site, 0644);
        _cleanup_free_ char *work = xasprintf("%s/work", w.dir);
        assert_int_equal(mkdir(work, 0755), 0);
        if (geteuid() == 0)
                assert_int_equal(chown(work, w.uid, w.uid), 0);
        start_slumberd();
        return 0;
}

static int remove_path(const char *path, const struct stat *st, int type, struct FTW *ftw) {
        (void)st, (void)type, (void)ftw;
        return remove(path);
}

static void acknowledge(const Slumber__StepEnded *e) {
        Slumber__StepEndedAck ack = SLUMBER__STEP_ENDED_ACK__INIT;

        ack.job_id = e->job_id;
        ack.step_id = e->step_id;
        ack.restarts = e->restarts;
        ENVELOPE(env, STEP_ENDED_ACK, step_ended_ack, &ack);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

static int remaining(void) {
        _cleanup_free_ char *path = xasprintf("%s/spool-n1/steps", w.dir);
        struct stat st;

        return stat(path, &st) == 0 ? (int)st.st_nlink - 2 : 0;
}

/* Nothing may be left of a test, not even of one that failed. */
static void end_jobs(void) {
        usec_t end = now_monotonic() + PATIENCE;

        for (uint32_t id = 1; w.agent && w.daemon && id <= w.next_job; id++) {
                Slumber__TerminateJob m = SLUMBER__TERMINATE_JOB__INIT;

                m.job_id = id;
                m.now = true;
                ENVELOPE(env, TERMINATE_JOB, terminate_job, &m);
                (void)conn_send(w.agent, &env);
        }
        while (w.agent && w.daemon && remaining() > 0 && now_monotonic() < end) {
                Envelope *env = take(SLUMBER__ENVELOPE__BODY_STEP_ENDED);

                if (env && env->step_ended->last)
                        acknowledge(env->step_ended);
                if (env)
                        slumber__envelope__free_unpacked(env, NULL);
                else if (sd_event_run(w.event, 10 * USEC_PER_MSEC) < 0)
                        break;
        }
}

static int tear_down(void **state) {
        (void)state;
        end_jobs();
        if (w.daemon)
                end_slumberd(SIGTERM);
        drop_inbox();
        conn_server_free(w.server);
        if (w.agent)
                conn_close(w.agent);
        cluster_key_free(w.key);
        credential_key_free(w.signer);
        sd_event_unref(w.event);
        (void)nftw(w.dir, remove_path, 16, FTW_DEPTH | FTW_PHYS);
        return 0;
}

/* ---- jobs ---- */

struct launch { /* what a test says; the rest is filled in */
        const char *script;
        const char *const *arguments; /* a step's program, NULL-terminated */
        uint32_t step, restarts, tasks;
        const char *std_out;
        bool frozen, forged, expired;
        const char *node;
        uint32_t job; /* 0: the next */
};

static Slumber__Credential *sign(const struct launch *l, uint32_t job) {
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;
        Slumber__Credential *c = NULL;

        body.job_id = job;
        body.step_id = l->script ? STEP_BATCH : l->step;
        body.restarts = l->restarts;
        body.uid = w.uid;
        body.gid = w.uid;
        body.user = (char *)"tester";
        body.node = (char *)(l->node ? l->node : NODE);
        body.nodes = (char *)NODE;
        body.cpus = 2;
        body.expires = l->expired ? 1 : now_realtime() + 60 * USEC_PER_SEC;
        assert_int_equal(credential_sign(w.signer, &body, &c), 0);
        if (l->forged)
                c->signature.data[3] ^= 1;
        return c;
}

static uint32_t launch(struct launch l) {
        static char *script_environment[] = { (char *)"PATH=/usr/bin:/bin",
                (char *)"SLURM_NODEID=99", (char *)"MINE=yes", (char *)"malformed" };
        static char *job_environment[] = { (char *)"SLURM_JOB_NAME=tester" };
        Slumber__LaunchStep m = SLUMBER__LAUNCH_STEP__INIT;
        Slumber__JobScript script = SLUMBER__JOB_SCRIPT__INIT;
        Slumber__StepSpec spec = SLUMBER__STEP_SPEC__INIT;
        uint32_t job = l.job ? l.job : ++w.next_job;
        _cleanup_free_ char *work = xasprintf("%s/work", w.dir);
        uint32_t ranks[16];

        spec.work_dir = work;
        spec.name = (char *)"tester";
        spec.std_out = (char *)(l.std_out ? l.std_out : "");
        spec.environment = script_environment;
        spec.n_environment = 1;
        if (l.script) {
                script.script.data = (uint8_t *)l.script;
                script.script.len = strlen(l.script);
                script.environment = script_environment;
                script.n_environment = ELEMENTSOF(script_environment);
                script.umask = 022;
                m.script = &script;
                m.batch = true;
        }
        for (spec.arguments = (char **)l.arguments; l.arguments && l.arguments[spec.n_arguments];)
                spec.n_arguments++;
        m.num_tasks = l.tasks ? l.tasks : 1;
        for (uint32_t i = 0; i < m.num_tasks; i++)
                ranks[i] = i;
        m.ranks = ranks;
        m.n_ranks = m.num_tasks;
        m.num_nodes = 1;
        m.spec = &spec;
        m.job_environment = job_environment;
        m.n_job_environment = 1;
        m.start_frozen = l.frozen;
        m.step_nodes = (char *)NODE;
        m.credential = sign(&l, job);
        ENVELOPE(env, LAUNCH_STEP, launch_step, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
        slumber__credential__free_unpacked(m.credential, NULL);
        return job;
}

static void registered(void) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));

        assert_string_equal(env->register_node->node, NODE);
}

static uint32_t launched(struct launch l) {
        uint32_t job = launch(l);
        _cleanup_envelope_ Envelope *env = wait_for(BODY(LAUNCH_RESULT));

        assert_int_equal(env->launch_result->job_id, job);
        if (env->launch_result->error && env->launch_result->error->code)
                fail_msg("launch failed: %s", env->launch_result->error->text);
        return job;
}

static void refused(struct launch l, const char *words) {
        uint32_t job = launch(l);
        _cleanup_envelope_ Envelope *env = wait_for(BODY(LAUNCH_RESULT));

        assert_int_equal(env->launch_result->job_id, job);
        assert_non_null(env->launch_result->error);
        assert_int_not_equal(env->launch_result->error->code, 0);
        if (!strstr(env->launch_result->error->text, words))
                fail_msg("\"%s\" does not say \"%s\"", env->launch_result->error->text, words);
}

static Envelope *wait_for_end(void) {
        for (;;) {
                Envelope *env = wait_for(BODY(STEP_ENDED));

                if (env->step_ended->last)
                        return env;
                slumber__envelope__free_unpacked(env, NULL);
        }
}

/* The wait status of the step's first task. */
static uint32_t ended(uint32_t job) {
        _cleanup_envelope_ Envelope *env = wait_for_end();
        const Slumber__StepEnded *e = env->step_ended;

        assert_int_equal(e->job_id, job);
        assert_false(e->lost);
        acknowledge(e);
        return e->n_tasks ? e->tasks[0]->status : UINT32_MAX;
}

static void terminate(uint32_t job, const char *reason, bool now) {
        Slumber__TerminateJob m = SLUMBER__TERMINATE_JOB__INIT;

        m.job_id = job;
        m.reason = (char *)reason;
        m.now = now;
        ENVELOPE(env, TERMINATE_JOB, terminate_job, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

static void gone(uint32_t job) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(JOB_GONE));

        assert_int_equal(env->job_gone->job_id, job);
        assert_true(!env->job_gone->error || env->job_gone->error->code == 0);
}

static void freeze(uint32_t job, bool on, uint64_t serial) {
        Slumber__FreezeJob m = SLUMBER__FREEZE_JOB__INIT;

        m.job_id = job;
        m.freeze = on;
        m.serial = serial;
        ENVELOPE(env, FREEZE_JOB, freeze_job, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
        _cleanup_envelope_ Envelope *answer = wait_for(BODY(FREEZE_RESULT));
        assert_int_equal(answer->freeze_result->job_id, job);
        assert_int_equal(answer->freeze_result->serial, serial);
        assert_int_equal(answer->freeze_result->frozen, on);
        assert_true(!answer->freeze_result->error || answer->freeze_result->error->code == 0);
}

static char *content(const char *name) {
        _cleanup_free_ char *path = xasprintf("%s/work/%s", w.dir, name);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        char *text = xcalloc(1, 65536);

        if (fd >= 0)
                (void)!read(fd, text, 65535);
        return text;
}

static size_t size_of(const char *name) {
        _cleanup_free_ char *path = xasprintf("%s/work/%s", w.dir, name);
        struct stat st;

        return stat(path, &st) == 0 ? (size_t)st.st_size : 0;
}

/* Runs the loop until the file is longer than before. */
static void grows(const char *name) {
        size_t before = size_of(name);
        usec_t end = now_monotonic() + PATIENCE;

        while (size_of(name) <= before && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_true(size_of(name) > before);
}

static void appears(const char *name) {
        usec_t end = now_monotonic() + PATIENCE;

        while (size_of(name) == 0 && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_true(size_of(name) > 0);
}

static void stands_still(const char *name) {
        size_t before = size_of(name);
        usec_t end = now_monotonic() + 200 * USEC_PER_MSEC;

        while (now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_int_equal(size_of(name), before);
}

#define COUNTER  "#!/bin/sh\nwhile :; do printf . >>count; sleep 0.01; done\n"
#define STUBBORN "#!/bin/sh\ntrap '' TERM\nprintf ready >>count\nwhile :; do sleep 0.01; done\n"

/* ---- the tests ---- */

static void a_node_registers_with_what_it_has(void **state) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        const Slumber__Register *m = env->register_node;

        (void)state;
        assert_string_equal(m->node, NODE);
        assert_int_equal(m->hardware->cpus, 8);
        assert_int_equal(m->hardware->cores, 4);
        assert_int_equal(m->hardware->threads, 2);
        assert_int_equal(m->hardware->real_memory, 1000);
        assert_string_equal(m->instance_id, "i-1");
        assert_string_equal(m->extra, "rack 7");
        assert_int_equal(m->n_jobs, 0);
        assert_true(m->boot_time > 0 && m->boot_time < now_realtime());
        if (streq(cgroup_kind, "none"))
                assert_string_equal(m->cgroup, "none");
        _cleanup_envelope_ Envelope *beat = wait_for(BODY(HEARTBEAT));
        assert_true(beat->heartbeat->free_memory > 0);
}

static void a_batch_job_runs_as_its_user(void **state) {
        _cleanup_free_ char *out = NULL, *user = NULL;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\nid -u\necho $SLURM_JOB_ID $SLURM_JOB_NAME "
                                  "$SLURM_NODEID"
                                  " $SLURM_PROCID $SLURMD_NODENAME $ENVIRONMENT $MINE\n"
                                  "basename $0\npwd\n[ $SLURM_TASK_PID = $$ ] && umask\nexit "
                                  "3\n" });
        assert_int_equal(ended(job), 3 << 8);
        out = content("slurm-1.out");
        user = xasprintf("%u\n1 tester 0 0 n1 BATCH yes\nslurm_script\n%s/work\n0022\n", w.uid,
                        w.dir);
        assert_string_equal(out, user);
        terminate(job, "", false);
        gone(job);
        _cleanup_free_ char *folder = xasprintf("%s/spool-n1/steps/1.0.batch", w.dir);
        usec_t end = now_monotonic() + PATIENCE;
        while (access(folder, F_OK) == 0 && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_int_not_equal(access(folder, F_OK), 0);
}

static void bad_credentials_are_refused(void **state) {
        (void)state;
        registered();
        refused((struct launch){ .script = COUNTER, .forged = true }, "");
        refused((struct launch){ .script = COUNTER, .expired = true }, "");
        refused((struct launch){ .script = COUNTER, .node = "n2" }, "");
        assert_int_equal(size_of("count"), 0);
}

static void a_step_is_started_once(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        refused((struct launch){ .script = COUNTER, .job = job }, "already");
        grows("count");
        terminate(job, "", true);
        assert_int_equal(ended(job), SIGKILL);
        gone(job);
}

static void a_frozen_job_stands_still_and_goes_on(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        freeze(job, true, 1);
        stands_still("count");
        freeze(job, false, 2);
        grows("count");
        freeze(job, true, 3);
        terminate(job, "", false); /* thaws, and TERM is enough */
        assert_int_equal(ended(job), SIGTERM);
        gone(job);
        freeze(job, true, 4); /* nothing of it is here: frozen enough */
}

static void a_job_can_start_frozen(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER, .frozen = true });
        stands_still("count");
        freeze(job, false, 1);
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void a_stubborn_job_is_killed_after_kill_wait(void **state) {
        _cleanup_free_ char *out = NULL;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = STUBBORN });
        appears("count");
        usec_t start = now_monotonic();
        terminate(job, "TIME LIMIT", false);
        assert_int_equal(ended(job), SIGKILL);
        usec_t took = now_monotonic() - start;
        assert_true(took >= 5 * USEC_PER_SEC && took < 10 * USEC_PER_SEC);
        gone(job);
        out = content("slurm-1.out");
        assert_non_null(strstr(out, "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 20"));
        assert_non_null(strstr(out, " DUE TO TIME LIMIT ***\n"));
}

static void children_left_behind_end_with_the_script(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\n(setsid sh -c 'while :; do printf . >>count; sleep "
                                  "0.01;"
                                  " done' &)\nwhile [ ! -s count ]; do sleep 0.01; done\n" });
        assert_int_equal(ended(job), 0);
        stands_still("count");
        terminate(job, "", false);
        gone(job);
}

static void an_unknown_job_is_gone_at_once(void **state) {
        (void)state;
        registered();
        terminate(4711, "", false);
        gone(4711);
        freeze(4711, false, 9);
}

static void a_program_that_is_not_there_ends_with_2(void **state) {
        static const char *const no_such[] = { "/no/such", NULL };
        _cleanup_free_ char *out = NULL;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = no_such, .std_out = "out-%J-%t" });
        assert_int_equal(ended(job), 2 << 8);
        out = content("out-1.0-0");
        assert_string_equal(
                        out, "slurmstepd: error: execve(): /no/such: No such file or directory\n");
}

static void an_output_file_that_cannot_be_made_ends_the_task(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\necho x\n", .std_out = "/no/such/folder/out" });
        assert_int_equal(ended(job), 53);
}

static void signals_reach_the_shell(void **state) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\ntrap 'exit 7' USR1\nprintf . >>count\n"
                                  "while :; do sleep 0.01; done\n" });
        appears("count");
        m.job_id = job;
        m.signal = SIGUSR1;
        m.batch_only = true;
        ENVELOPE(env, SIGNAL_JOB, signal_job, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
        assert_int_equal(ended(job), 7 << 8);
}

/* ---- restarts ---- */

static void check_registered_job(uint32_t job, bool frozen) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        const Slumber__Register *m = env->register_node;

        assert_int_equal(m->n_jobs, 1);
        assert_int_equal(m->jobs[0]->job_id, job);
        assert_int_equal(m->jobs[0]->frozen, frozen);
        assert_false(m->jobs[0]->lost);
        assert_int_equal(m->jobs[0]->n_steps, 1);
        assert_int_equal(m->jobs[0]->steps[0], STEP_BATCH);
}

static void a_running_job_survives_the_daemon(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = "#!/bin/sh\nwhile [ ! -e stop ]; do "
                                                           "printf . >>count; sleep 0.01; done\n"
                                                           "exit 5\n" });
        grows("count");
        end_slumberd(SIGKILL);
        grows("count");
        start_slumberd();
        check_registered_job(job, false);
        grows("count");
        write_file("work/stop", "", 0644);
        assert_int_equal(ended(job), 5 << 8);
}

static void a_frozen_job_stays_frozen_without_the_daemon(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        freeze(job, true, 1);
        end_slumberd(SIGKILL);
        stands_still("count");
        start_slumberd();
        check_registered_job(job, true);
        stands_still("count");
        freeze(job, false, 2);
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void an_end_is_kept_until_it_is_acknowledged(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = "#!/bin/sh\nexit 4\n" });
        for (int round = 0; round < 3; round++) {
                _cleanup_envelope_ Envelope *env = wait_for_end();

                assert_int_equal(env->step_ended->tasks[0]->status, 4 << 8);
                end_slumberd(round ? SIGTERM : SIGKILL);
                start_slumberd();
                check_registered_job(job, false);
        }
        assert_int_equal(ended(job), 4 << 8);
        terminate(job, "", false);
        gone(job);
        end_slumberd(SIGTERM);
        drop_inbox();
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 0);
}

/* The newest child of that name; 0: none. */
static pid_t find_child(pid_t parent, const char *name) {
        char line[256];
        pid_t pid = 0;
        _cleanup_free_ char *command = xasprintf("pgrep -n -x -P %d %s", (int)parent, name);
        FILE *f = popen(command, "r");

        if (f && fgets(line, sizeof line, f))
                pid = (pid_t)atoi(line);
        if (f)
                pclose(f);
        return pid;
}

static pid_t find_spawner(void) {
        return find_child(w.daemon, "stepspawner");
}

static pid_t find_stepd(void) {
        return find_child(find_spawner(), "slumberstepd");
}

static void a_dead_spawner_is_replaced(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        pid_t first = find_spawner();
        assert_true(first > 1);
        kill(first, SIGKILL);
        grows("count"); /* its step daemons live on */
        uint32_t other = launched((struct launch){ .script = "true" });
        _cleanup_envelope_ Envelope *env = wait_for_end();
        assert_int_equal(env->step_ended->job_id, other);
        assert_false(env->step_ended->lost);
        pid_t second = find_spawner();
        assert_true(second > 1 && second != first);
        acknowledge(env->step_ended);
        terminate(other, "", false);
        gone(other);
        terminate(job, "", true);
        _cleanup_envelope_ Envelope *end = wait_for_end();
        acknowledge(end->step_ended);
        gone(job);
}

static void a_dead_step_daemon_is_noticed(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        pid_t stepd = find_stepd();
        assert_true(stepd > 1);
        kill(stepd, SIGKILL);
        _cleanup_envelope_ Envelope *env = wait_for_end();
        assert_int_equal(env->step_ended->job_id, job);
        assert_true(env->step_ended->lost);
        stands_still("count");
        acknowledge(env->step_ended);
        terminate(job, "", false);
        gone(job);
}

static void a_step_daemon_that_died_alone_is_noticed_later(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        pid_t stepd = find_stepd();
        assert_true(stepd > 1);
        end_slumberd(SIGKILL);
        kill(stepd, SIGKILL);
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 1);
        assert_true(env->register_node->jobs[0]->lost);
        _cleanup_envelope_ Envelope *end = wait_for_end();
        assert_true(end->step_ended->lost);
        stands_still("count");
        acknowledge(end->step_ended);
        terminate(job, "", false);
        gone(job);
}

static void a_lost_controller_is_found_again(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        for (int round = 0; round < 3; round++) {
                conn_close(w.agent);
                w.agent = NULL;
                check_registered_job(job, false);
        }
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void a_spool_folder_has_one_owner(void **state) {
        pid_t first = w.daemon;
        int status;

        (void)state;
        registered();
        start_slumberd();
        assert_int_equal(waitpid(w.daemon, &status, 0), w.daemon);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        w.daemon = first;
}

/* ---- streams ---- */

#define ROOM_MIN (16u << 10) /* of a stream's window: less is not filled */

struct received {
        size_t bytes[3], rank0[3]; /* of all tasks, of the first */
        bool eof[3];
        char text[256];
        uint64_t input_taken;
};

static void collect(struct received *r) {
        Envelope *env;

        while ((env = take(BODY(STEP_IO)))) {
                const Slumber__StepIo *io = env->step_io;

                assert_string_equal(io->node, NODE);
                assert_true(io->stream < 3);
                assert_int_equal(io->data.len && io->rank == 0 ? io->offset : r->rank0[io->stream], r->rank0[io->stream]);
                r->rank0[io->stream] += io->rank == 0 ? io->data.len : 0;
                if (io->data.len && r->bytes[io->stream] + io->data.len < sizeof r->text)
                        memcpy(r->text + r->bytes[io->stream], io->data.data, io->data.len);
                r->bytes[io->stream] += io->data.len;
                r->eof[io->stream] |= io->eof;
                r->input_taken = MAX(r->input_taken, io->taken);
                slumber__envelope__free_unpacked(env, NULL);
        }
}

static void send_io(uint32_t job, uint32_t rank, uint32_t stream, uint64_t offset, const char *data,
                uint64_t taken, bool eof) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = job;
        io.rank = rank;
        io.stream = stream;
        io.data.data = (uint8_t *)data;
        io.data.len = strlen(data);
        io.offset = offset;
        io.taken = taken;
        io.eof = eof;
        ENVELOPE(env, STEP_IO, step_io, &io);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

static void run_until(struct received *r, const bool *flag, size_t bytes) {
        usec_t end = now_monotonic() + PATIENCE;

        while (!(flag ? *flag : r->bytes[1] >= bytes) && now_monotonic() < end) {
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
                collect(r);
        }
}

static void output_waits_until_it_is_taken(void **state) {
        static const char *const million[] = { "/usr/bin/head", "-c", "1000000", "/dev/zero",
                NULL };
        struct received r = { 0 };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = million });
        run_until(&r, NULL, STEP_WINDOW - ROOM_MIN + 1);
        usec_t end = now_monotonic() + 200 * USEC_PER_MSEC;
        while (now_monotonic() < end) {
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
                collect(&r);
        }
        assert_in_range(r.bytes[1], STEP_WINDOW - ROOM_MIN + 1, STEP_WINDOW);
        assert_false(r.eof[1]);
        send_io(job, 0, 1, 0, "", STEP_WINDOW / 2, false);
        run_until(&r, NULL, STEP_WINDOW + STEP_WINDOW / 2 - ROOM_MIN + 1);
        assert_in_range(r.bytes[1], STEP_WINDOW + STEP_WINDOW / 2 - ROOM_MIN + 1, STEP_WINDOW + STEP_WINDOW / 2);
        end = now_monotonic() + PATIENCE;
        for (size_t told = STEP_WINDOW / 2; !r.eof[1] && now_monotonic() < end;) {
                if (r.bytes[1] > told)
                        send_io(job, 0, 1, 0, "", r.bytes[1], false);
                told = r.bytes[1];
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
                collect(&r);
        }
        assert_int_equal(r.bytes[1], 1000000);
        send_io(job, 0, 1, 0, "", r.bytes[1], false);
        assert_int_equal(ended(job), 0);
}

static void input_goes_to_all_tasks_and_ends(void **state) {
        static const char *const cat[] = { "cat", NULL };
        struct received r = { 0 };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = cat, .tasks = 2 });
        send_io(job, RANK_ALL, 0, 0, "hello\n", 0, false);
        run_until(&r, NULL, 12);
        assert_int_equal(r.bytes[1], 12);
        assert_string_equal(r.text, "hello\nhello\n");
        send_io(job, RANK_ALL, 0, 7, "behind a gap\n", 0, false);
        send_io(job, RANK_ALL, 0, 4, "o\nmore\n", 0, false);
        run_until(&r, NULL, 22);
        assert_int_equal(r.bytes[1], 22);
        for (uint32_t rank = 0; rank < 2; rank++)
                send_io(job, rank, 1, 0, "", 11, false);
        send_io(job, RANK_ALL, 0, 11, "", 0, true);
        assert_int_equal(ended(job), 0);
        collect(&r);
        assert_true(r.input_taken >= 6);
}

static void a_reader_that_is_gone_does_not_hold_up_the_end(void **state) {
        static const char *const endless[] = { "/usr/bin/head", "-c", "1000000000", "/dev/zero",
                NULL };
        struct received r = { 0 };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = endless });
        run_until(&r, NULL, STEP_WINDOW - ROOM_MIN + 1);
        send_io(job, 0, 1, 0, "", 0, true);
        terminate(job, "", true);
        ended(job);
        gone(job);
}

/* ---- local users ---- */

static void local_users_are_relayed_with_their_identity(void **state) {
        _cleanup_free_ char *path = xasprintf("%s/socket", w.dir);
        _cleanup_(wire_freep) struct wire *user = NULL;
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        Slumber__Caller lie = SLUMBER__CALLER__INIT;
        struct fail fail = { 0 };

        (void)state;
        registered();
        _cleanup_envelope_ Envelope *beat = wait_for(BODY(HEARTBEAT));
        if (wire_connect_path(path, &user, &fail) < 0)
                fail_msg("%s", fail.text);
        lie.uid = 4242;
        lie.client = 77;
        ENVELOPE(env, JOB_QUERY, job_query, &query);
        env.id = 5;
        env.caller = &lie;
        assert_int_equal(wire_send(user, &env), 0);
        _cleanup_envelope_ Envelope *seen = wait_for(BODY(JOB_QUERY));
        assert_int_equal(seen->id, 5);
        assert_int_equal(seen->caller->uid, geteuid());
        assert_int_equal(seen->caller->pid, getpid());
        assert_int_not_equal(seen->caller->client, 77);
        assert_string_equal(seen->caller->host, NODE);

        Slumber__JobList list = SLUMBER__JOB_LIST__INIT;
        ENVELOPE(reply, JOB_LIST, job_list, &list);
        reply.reply_to = 5;
        reply.caller = seen->caller;
        list.now = 99;
        assert_int_equal(conn_send(w.agent, &reply), 0);
        while (conn_queued(w.agent))
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
        _cleanup_envelope_ Envelope *got = NULL;
        assert_int_equal(wire_receive(user, PATIENCE, &got), 0);
        assert_int_equal(got->reply_to, 5);
        assert_int_equal(got->job_list->now, 99);

        uint64_t client = seen->caller->client;
        user = wire_free(user);
        _cleanup_envelope_ Envelope *left = wait_for(BODY(CLIENT_GONE));
        assert_int_equal(left->client_gone->client, client);
}

static void local_users_learn_that_the_controller_is_away(void **state) {
        _cleanup_free_ char *path = xasprintf("%s/socket", w.dir);
        _cleanup_(wire_freep) struct wire *user = NULL;
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code = 0;

        (void)state;
        registered();
        assert_int_equal(wire_connect_path(path, &user, &fail), 0);
        ENVELOPE(env, PING, ping, &ping);
        env.id = 1;
        assert_int_equal(wire_send(user, &env), 0);
        _cleanup_envelope_ Envelope *seen = wait_for(BODY(PING));
        w.server = conn_server_free(w.server);
        conn_close(w.agent);
        w.agent = NULL;
        _cleanup_envelope_ Envelope *first = NULL;
        assert_int_equal(wire_receive(user, PATIENCE, &first), 0);
        assert_int_equal(first->body_case, BODY(ERROR));
        assert_int_equal(first->reply_to, 1);
        assert_int_equal(first->error->code, SLUMBER_CONTROLLER_LOST); /* the ping may have arrived */
        assert_int_equal(wire_call(user, &env, &reply, &code, &fail), -EREMOTE);
        assert_int_equal(code, SLUMBER_CONTROLLER_AWAY);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv) {
        const struct CMUnitTest tests[] = {
                CASE(a_node_registers_with_what_it_has),
                CASE(a_batch_job_runs_as_its_user),
                CASE(bad_credentials_are_refused),
                CASE(a_step_is_started_once),
                CASE(a_frozen_job_stands_still_and_goes_on),
                CASE(a_job_can_start_frozen),
                CASE(a_stubborn_job_is_killed_after_kill_wait),
                CASE(children_left_behind_end_with_the_script),
                CASE(an_unknown_job_is_gone_at_once),
                CASE(a_program_that_is_not_there_ends_with_2),
                CASE(an_output_file_that_cannot_be_made_ends_the_task),
                CASE(signals_reach_the_shell),
                CASE(a_running_job_survives_the_daemon),
                CASE(a_frozen_job_stays_frozen_without_the_daemon),
                CASE(an_end_is_kept_until_it_is_acknowledged),
                CASE(a_dead_spawner_is_replaced),
                CASE(a_dead_step_daemon_is_noticed),
                CASE(a_step_daemon_that_died_alone_is_noticed_later),
                CASE(a_lost_controller_is_found_again),
                CASE(a_spool_folder_has_one_owner),
                CASE(output_waits_until_it_is_taken),
                CASE(input_goes_to_all_tasks_and_ends),
                CASE(a_reader_that_is_gone_does_not_hold_up_the_end),
                CASE(local_users_are_relayed_with_their_identity),
                CASE(local_users_learn_that_the_controller_is_away),
        };

        if (argc < 3) {
                fprintf(stderr, "usage: %s SLUMBERD auto|v2|v1|none [TEST]\n", argv[0]);
                return 1;
        }
        slumberd = argv[1];
        cgroup_kind = argv[2];
        if (argc > 3)
                cmocka_set_test_filter(argv[3]);
        return cmocka_run_group_tests(tests, NULL, NULL);
}
