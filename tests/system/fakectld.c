/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/system/fakectld.h"

#include "lib/errors.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

const char *slumberd, *cgroup_kind;
struct world w;

/* ---- messages ---- */

static Envelope *copy(const Envelope *env) {
        _cleanup_free_ uint8_t *frame = NULL;
        Envelope *unpacked = NULL;
        size_t size;

        assert_int_equal(wire_pack(env, &frame, &size), 0);
        assert_int_equal(wire_unpack(frame + 4, size - 4, &unpacked), 0);
        return unpacked;
}

static void answer_register(void) {
        Slumber__RegisterReply reply = SLUMBER__REGISTER_REPLY__INIT;
        Slumber__AgentConfig config = SLUMBER__AGENT_CONFIG__INIT;

        config.kill_wait = USEC_PER_SEC;
        config.slurmd_timeout = 3 * HEARTBEAT_RARE;
        config.heartbeat = w.heartbeat;
        config.suspend_grace = w.suspend_grace;
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

void drop_inbox(void) {
        while (w.n)
                slumber__envelope__free_unpacked(w.inbox[--w.n], NULL);
}

Envelope *take(int body) {
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

Envelope *wait_for(int body) {
        Envelope *env = wait_for_within(body, PATIENCE);

        if (!env)
                fail_msg("slumberd did not send message %d", body);
        return env;
}

/* ---- slumberd ---- */

void start_slumberd(void) {
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

void end_slumberd(int sig) {
        int status;

        kill(w.daemon, sig);
        assert_int_equal(waitpid(w.daemon, &status, 0), w.daemon);
        if (sig == SIGTERM)
                assert_int_equal(status, 0);
        w.daemon = 0;
}

/* ---- its processes ---- */

#define CHILDREN_MAX 256

static size_t children_of(pid_t parent, pid_t ret[CHILDREN_MAX]) {
        char path[64];
        size_t n = 0;

        snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
        FILE *f = fopen(path, "re");
        while (f && n < CHILDREN_MAX && fscanf(f, "%d", &ret[n]) == 1)
                n++;
        if (f)
                fclose(f);
        return n;
}

static bool has_name(pid_t pid, const char *name) {
        char path[64], comm[32] = "";

        snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
        FILE *f = fopen(path, "re");
        if (f && fgets(comm, sizeof comm, f))
                comm[strcspn(comm, "\n")] = 0;
        if (f)
                fclose(f);
        return streq(comm, name);
}

pid_t find_child(pid_t parent, const char *name) {
        pid_t children[CHILDREN_MAX];

        for (size_t i = parent > 0 ? children_of(parent, children) : 0; i-- > 0;)
                if (has_name(children[i], name))
                        return children[i];
        return 0;
}

static void signal_below(pid_t parent, int sig) {
        pid_t children[CHILDREN_MAX];

        for (size_t i = children_of(parent, children); i-- > 0;) {
                signal_below(children[i], sig);
                (void)kill(children[i], sig);
        }
}

/* Whatever a test that failed has left; what loses its parent becomes our child. */
static void end_leftovers(void) {
        usec_t end = now_monotonic() + PATIENCE;
        pid_t children[CHILDREN_MAX];

        while (children_of(getpid(), children) > 0 && now_monotonic() < end) {
                signal_below(getpid(), SIGKILL);
                while (waitpid(-1, NULL, WNOHANG) > 0)
                        ;
                (void)usleep(1000);
        }
}

void write_file(const char *name, const char *text, mode_t mode) {
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
                r = conn_listen_tls(w.event, "127.0.0.1", w.port, w.key, &ops, NULL, &w.server,
                                &fail);
        }
        if (r < 0)
                fail_msg("%s", fail.text);
}

int set_up(void **state) {
        struct fail fail = { 0 };

        (void)state;
        w = (struct world){ .dir = "/tmp/slumber-agent-XXXXXX",
                .welcome = true,
                .heartbeat = 100 * USEC_PER_MSEC };
        /* so that all it starts stays below it */
        assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
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

void acknowledge(const Slumber__StepEnded *e) {
        Slumber__StepEndedAck ack = SLUMBER__STEP_ENDED_ACK__INIT;

        ack.job_id = e->job_id;
        ack.step_id = e->step_id;
        ack.restarts = e->restarts;
        ENVELOPE(env, STEP_ENDED_ACK, step_ended_ack, &ack);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

/* Folders of steps; what slumberd keeps for the next ones begins with a dot. */
static int remaining(void) {
        _cleanup_free_ char *path = xasprintf("%s/spool-n1/steps", w.dir);
        DIR *dir = opendir(path);
        struct dirent *d;
        int n = 0;

        while (dir && (d = readdir(dir)))
                n += d->d_name[0] != '.';
        if (dir)
                closedir(dir);
        return n;
}

/* One that failed in the middle may have no slumberd, or a step daemon that stands still. Jobs that
   are frozen end by a slumberd. */
static void come_back(void) {
        usec_t end = now_monotonic() + PATIENCE;

        signal_below(getpid(), SIGCONT);
        if (w.daemon || !w.server)
                return;
        start_slumberd();
        while (!w.agent && now_monotonic() < end)
                if (sd_event_run(w.event, 10 * USEC_PER_MSEC) < 0)
                        break;
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

int tear_down(void **state) {
        int status = 0;

        (void)state;
        come_back();
        end_jobs();
        if (w.daemon) {
                kill(w.daemon, SIGTERM);
                (void)waitpid(w.daemon, &status, 0);
        }
        end_leftovers();
        drop_inbox();
        conn_server_free(w.server);
        if (w.agent)
                conn_close(w.agent);
        cluster_key_free(w.key);
        credential_key_free(w.signer);
        sd_event_unref(w.event);
        (void)nftw(w.dir, remove_path, 16, FTW_DEPTH | FTW_PHYS);
        if (status)
                print_error("slumberd has ended with wait status %d\n", status);
        return status ? -1 : 0;
}

/* ---- jobs ---- */

static Slumber__Credential *sign(const struct launch *l, uint32_t job) {
        Slumber__CredentialBody body = SLUMBER__CREDENTIAL_BODY__INIT;
        Slumber__Credential *c = NULL;

        body.job_id = job;
        body.step_id = l->script && !l->other_kind ? STEP_BATCH : l->step;
        body.restarts = l->restarts;
        body.uid = w.uid;
        body.gid = w.uid;
        body.user = (char *)"tester";
        body.node = (char *)(l->node ? l->node : NODE);
        body.nodes = (char *)NODE;
        body.cpus = 2;
        body.expires = l->expired ? 1 : now_realtime() + 60 * USEC_PER_SEC;
        assert_int_equal(credential_sign(l->key ? l->key : w.signer, &body, &c), 0);
        if (l->forged)
                c->signature.data[3] ^= 1;
        if (l->as_root) { /* the signature is that of what was signed */
                body.uid = body.gid = 0;
                free(c->body.data);
                c->body.len = slumber__credential_body__get_packed_size(&body);
                c->body.data = xmalloc(c->body.len);
                slumber__credential_body__pack(&body, c->body.data);
        }
        return c;
}

uint32_t launch(struct launch l) {
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

void registered(void) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));

        assert_string_equal(env->register_node->node, NODE);
}

uint32_t launched(struct launch l) {
        uint32_t job = launch(l);
        _cleanup_envelope_ Envelope *env = wait_for(BODY(LAUNCH_RESULT));

        assert_int_equal(env->launch_result->job_id, job);
        if (env->launch_result->error && env->launch_result->error->code)
                fail_msg("launch failed: %s", env->launch_result->error->text);
        return job;
}

void refused(struct launch l, const char *words) {
        uint32_t job = launch(l);
        _cleanup_envelope_ Envelope *env = wait_for(BODY(LAUNCH_RESULT));

        assert_int_equal(env->launch_result->job_id, job);
        assert_non_null(env->launch_result->error);
        assert_int_not_equal(env->launch_result->error->code, 0);
        if (!strstr(env->launch_result->error->text, words))
                fail_msg("\"%s\" does not say \"%s\"", env->launch_result->error->text, words);
}

Envelope *wait_for_end(void) {
        for (;;) {
                Envelope *env = wait_for(BODY(STEP_ENDED));

                if (env->step_ended->last)
                        return env;
                slumber__envelope__free_unpacked(env, NULL);
        }
}

uint32_t ended(uint32_t job) {
        _cleanup_envelope_ Envelope *env = wait_for_end();
        const Slumber__StepEnded *e = env->step_ended;

        assert_int_equal(e->job_id, job);
        assert_false(e->lost);
        acknowledge(e);
        return e->n_tasks ? e->tasks[0]->status : UINT32_MAX;
}

void terminate(uint32_t job, const char *reason, bool now) {
        Slumber__TerminateJob m = SLUMBER__TERMINATE_JOB__INIT;

        m.job_id = job;
        m.reason = (char *)reason;
        m.now = now;
        ENVELOPE(env, TERMINATE_JOB, terminate_job, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

void gone(uint32_t job) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(JOB_GONE));

        assert_int_equal(env->job_gone->job_id, job);
        assert_true(!env->job_gone->error || env->job_gone->error->code == 0);
}

void freeze(uint32_t job, bool on, uint64_t serial) {
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

char *content(const char *name) {
        _cleanup_free_ char *path = xasprintf("%s/work/%s", w.dir, name);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        char *text = xcalloc(1, 65536);

        if (fd >= 0)
                (void)!read(fd, text, 65535);
        return text;
}

size_t size_of(const char *name) {
        _cleanup_free_ char *path = xasprintf("%s/work/%s", w.dir, name);
        struct stat st;

        return stat(path, &st) == 0 ? (size_t)st.st_size : 0;
}

void grows(const char *name) {
        size_t before = size_of(name);
        usec_t end = now_monotonic() + PATIENCE;

        while (size_of(name) <= before && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_true(size_of(name) > before);
}

void appears(const char *name) {
        usec_t end = now_monotonic() + PATIENCE;

        while (size_of(name) == 0 && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_true(size_of(name) > 0);
}

void stands_still(const char *name) {
        size_t before = size_of(name);
        usec_t end = now_monotonic() + 200 * USEC_PER_MSEC;

        while (now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_int_equal(size_of(name), before);
}
