/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pam_slumber_adopt moves a session that begins on this node into the extern step of a job of its
 * user.
 *
 * Only root's process, known from the kernel, may ask for the adoption, and is moved, on request
 * together with its parent. Jobs that are suspended or have no extern step are not used. If
 * several jobs are possible, the origin of the connection decides: a step on this machine, or on
 * another node of the user's jobs, which the controller asks. With an unknown origin the answer is
 * "unknown", or the newest job is used if requested. */
#include "agent/users/adopt.h"
#include "agent/jobs/containers.h"
#include "agent/state/agent.h"

#include "agent/users/origin.h"
#include "cgroup/proc.h"
#include "lib/timer.h"
#include "lib/timetext.h"

#define JOB_VARIABLE "SLURM_JOB_ID="
#define ASK_TIME     (2 * USEC_PER_SEC) /* maximum wait for another node, while sshd waits */

struct adoption {
        uint64_t id; /* id of the AdoptQuery */
        pid_t pid;
        Slumber__AdoptQuery *query;
        sd_event_source *timer;
};

static struct step *extern_of(struct job *j) {
        struct step *s = job_find_step(j, STEP_EXTERN);

        return s && !s->ended && !s->lost ? s : NULL;
}

static bool is_users(const struct job *j, uid_t uid) {
        return j->uid == uid && !job_terminating(j) && j->steps;
}

/* Frozen, or about to be frozen: a process moved into the job would stop, as would sshd. */
static bool is_suspended(const struct job *j) {
        return cg_freezer_state(j->freezer) != FREEZER_THAWED || timer_is_armed(j->grace);
}

static bool takes_sessions(struct job *j, uid_t uid) {
        return is_users(j, uid) && extern_of(j) && !is_suspended(j);
}

/* Job ids increase, but after a restart of slumberd a->jobs is not sorted. */
static struct job *job_newer(struct job *a, struct job *b) {
        return !a || b->id > a->id ? b : a;
}

/* Explains why no job of the user takes a session; j: the newest. */
static void say_unfit(struct job *j, struct fail *fail) {
        if (is_suspended(j))
                fail_set(fail, -EAGAIN, "job %u is suspended", j->id);
        else
                fail_set(fail, -ENOENT, "job %u has no extern step (PrologFlags=Contain)", j->id);
}

static bool has_process(struct job *j, pid_t pid) {
        struct pid_set set = { 0 };
        bool found = false;

        for (struct step *s = j->steps; s; s = s->next)
                (void)cg_pids(s->group, &set);
        for (size_t i = 0; i < set.n; i++)
                found |= set.pid[i] == pid;
        pid_set_done(&set);
        return found;
}

/* Reads SLURM_JOB_ID from the environment of a process of another slumberd on this machine. A
   false value can only select a further job of the user, and so gains nothing. */
static uint32_t job_said_by(pid_t pid) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/environ", (int)pid), *line = NULL;
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        size_t size = 0, length = strlen(JOB_VARIABLE);
        uint64_t id = 0;

        while (f && getdelim(&line, &size, 0, f) > 0)
                if (strncmp(line, JOB_VARIABLE, length) == 0 &&
                                uint_parse(line + length, 1, UINT32_MAX, &id) >= 0)
                        break;
        return (uint32_t)id;
}

/* Returns the job of the process at the other end of the connection, under this or another
   slumberd of this machine; 0: none. */
static uint32_t origin_find_job(struct agent *a, const char *from, const char *to,
                uint32_t from_port, uint32_t to_port, uid_t uid) {
        const struct origin_ask ask = { .from = from,
                .to = to,
                .from_port = (uint16_t)from_port,
                .to_port = (uint16_t)to_port,
                .uid = uid };
        pid_t pid = *from && *to ? origin_process(&ask) : 0;

        if (!pid)
                return 0;
        for (struct job *j = a->jobs; j; j = j->next)
                if (j->uid == uid && has_process(j, pid))
                        return j->id;
        return job_said_by(pid);
}

/* Returns the job at the origin of the connection; NULL: no job that takes sessions. */
static struct job *find_origin(struct agent *a, const Slumber__AdoptQuery *m) {
        uint32_t id = origin_find_job(a, m->from, m->to, m->from_port, m->to_port, m->uid);
        struct job *j = id ? job_find(a, id) : NULL;

        return j && takes_sessions(j, m->uid) ? j : NULL;
}

static size_t count_fit(struct agent *a, uid_t uid) {
        size_t n = 0;

        for (struct job *j = a->jobs; j; j = j->next)
                n += takes_sessions(j, uid);
        return n;
}

/* Returns the step for the process; NULL: reply has the reason. origin: NULL if unknown. */
static struct step *adopt_choose_step(struct agent *a, const Slumber__AdoptQuery *m,
                struct job *origin, Slumber__AdoptReply *reply, struct fail *fail) {
        struct job *any = NULL, *newest = NULL;
        size_t n = count_fit(a, m->uid);

        for (struct job *j = a->jobs; j; j = j->next) {
                any = is_users(j, m->uid) ? job_newer(any, j) : any;
                newest = takes_sessions(j, m->uid) ? job_newer(newest, j) : newest;
        }
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__NO_JOBS;
        if (!any)
                return NULL;
        struct job *j = n > 1 ? origin : newest;
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__UNKNOWN;
        if (n > 1 && !j && !m->newest)
                return NULL;
        j = j ? j : newest ? newest : any;
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__FAILED;
        reply->job = j->id;
        if (!newest)
                say_unfit(j, fail);
        return newest ? extern_of(j) : NULL;
}

/* Moves the process, and its parent if requested: first the parent, whose existing children stay
   behind. */
static int adopt_move_processes(const struct step *s, const Slumber__AdoptQuery *m, pid_t pid) {
        struct proc_entry p;
        int r = 0;

        if (m->parent) {
                r = proc_read(pid, &p);
                if (r >= 0 && p.parent != (pid_t)m->parent)
                        r = -ESRCH;
                if (r >= 0)
                        r = cg_move(s->group, p.parent);
        }
        return r < 0 ? r : cg_move(s->group, pid);
}

static void adopt_process(struct agent *a, const Slumber__AdoptQuery *m, pid_t pid,
                struct job *origin, Slumber__AdoptReply *reply, char **container,
                struct fail *fail) {
        struct step *s = adopt_choose_step(a, m, origin, reply, fail);
        int r = s ? adopt_move_processes(s, m, pid) : 0;

        if (r < 0)
                fail_set(fail, r, "process %d cannot be moved into job %u: %s", (int)pid,
                                reply->job, strerror(-r));
        if (!s || r < 0)
                return;
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__ADOPTED;
        *container = containers_namespace(s->job);
        if (s->job->display) {
                reply->display = s->job->display;
                reply->xauthority = s->job->xauthority;
        }
        log_fields(LOG_INFO, 0, reply->job, a->node,
                        "Process %d of user %u is in the extern step of job %u", (int)pid, m->uid,
                        reply->job);
}

/* pid 0: the process may not ask. */
static void adopt_send_answer(struct client *c, uint64_t id, const Slumber__AdoptQuery *query,
                pid_t pid, struct job *origin) {
        Slumber__AdoptReply m = SLUMBER__ADOPT_REPLY__INIT;
        _cleanup_free_ char *container = NULL;
        struct fail fail = { 0 };

        if (!pid) {
                m.outcome = SLUMBER__ADOPT_REPLY__OUTCOME__FAILED;
                fail_set(&fail, -EACCES, "root's processes alone may ask for this");
        } else {
                adopt_process(c->agent, query, pid, origin, &m, &container, &fail);
        }
        m.node = c->agent->node;
        m.text = fail.text;
        m.container = (char *)(uintptr_t)strempty(container);
        ENVELOPE(reply, ADOPT_REPLY, adopt_reply, &m);
        reply.reply_to = id;
        (void)conn_send(c->conn, &reply);
}

/* ---- questions to the other node ---- */

void adopt_forget(struct client *c) {
        struct adoption *w = TAKE(c->adoption);

        if (!w)
                return;
        sd_event_source_disable_unref(w->timer);
        slumber__adopt_query__free_unpacked(w->query, NULL);
        free(w);
}

/* Continues with the origin's job; 0: unknown. */
static void adopt_with_origin(struct client *c, uint32_t job) {
        const struct adoption *w = c->adoption;
        struct job *j = job ? job_find(c->agent, job) : NULL;

        adopt_send_answer(c, w->id, w->query, w->pid,
                        j && takes_sessions(j, w->query->uid) ? j : NULL);
        adopt_forget(c);
}

static int adopt_on_timeout(sd_event_source *source, uint64_t t, void *user) {
        (void)source, (void)t;
        adopt_with_origin(user, 0);
        return 0;
}

/* false: no question could be sent. */
static bool ask_other(struct client *c, const Slumber__AdoptQuery *m, uint64_t id, pid_t pid) {
        struct agent *a = c->agent;
        Slumber__Origin question = SLUMBER__ORIGIN__INIT;

        if (c->adoption || !*m->from || streq(m->from, m->to) || !upstream_up(a))
                return false;
        struct adoption *w = xnew0(struct adoption, 1);
        if (timer_new(a->event, USEC_PER_MSEC, adopt_on_timeout, c, &w->timer) < 0) {
                free(w);
                return false;
        }
        w->id = id;
        w->pid = pid;
        w->query = wire_copy(&m->base);
        c->adoption = w;
        timer_arm(w->timer, ASK_TIME);
        question.uid = m->uid;
        question.from = m->from;
        question.to = m->to;
        question.from_port = m->from_port;
        question.to_port = m->to_port;
        question.client = c->id;
        ENVELOPE(env, ORIGIN, origin, &question);
        upstream_send(a, &env);
        return true;
}

void adopt_origin(struct agent *a, const Slumber__Origin *m) {
        struct client *c = m->answer ? client_find(a, m->client) : NULL;

        if (c && c->adoption)
                adopt_with_origin(c, m->job);
        if (m->answer)
                return;
        Slumber__Origin told = *m;
        told.answer = true;
        told.job = origin_find_job(a, m->from, m->to, m->from_port, m->to_port, m->uid);
        ENVELOPE(env, ORIGIN, origin, &told);
        upstream_send(a, &env);
}

void adopt_answer(struct client *c, const Envelope *env) {
        const Slumber__AdoptQuery *m = env->adopt_query;
        struct agent *a = c->agent;
        uid_t uid = (uid_t)-1;
        gid_t gid;
        pid_t pid = 0;

        if (conn_peer_credentials(c->conn, &uid, &gid, &pid) < 0 || uid != 0 || pid <= 0) {
                adopt_send_answer(c, env->id, m, 0, NULL);
                return;
        }
        bool several = count_fit(a, m->uid) > 1;
        struct job *origin = several ? find_origin(a, m) : NULL;
        if (several && !origin && ask_other(c, m, env->id, pid))
                return;
        adopt_send_answer(c, env->id, m, pid, origin);
}
