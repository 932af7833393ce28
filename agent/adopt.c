/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pam_slumber_adopt: a session that begins here is moved into the extern step of one of its user's
 * jobs.
 *
 * The process that is moved is the one that asks, as the kernel says, and root's alone may ask; its
 * parent is, too, where that says so.
 * Jobs that are suspended or have no extern step take none.
 * With several jobs it is the one that the connection comes from, if that is of a step on this
 * machine; otherwise the answer is that it is not known, or the newest is meant. */
#include "agent/agent.h"

#include "agent/places/origin.h"
#include "cgroup/proc.h"
#include "lib/timer.h"
#include "lib/timetext.h"

#define JOB_VARIABLE "SLURM_JOB_ID="

static struct step *extern_of(struct job *j) {
        struct step *s = job_find_step(j, STEP_EXTERN);

        return s && !s->ended && !s->lost ? s : NULL;
}

static bool is_users(const struct job *j, uid_t uid) {
        return j->uid == uid && !job_terminating(j) && j->steps;
}

/* Frozen, or about to be: what is moved there stands still, and so would sshd. */
static bool is_suspended(const struct job *j) {
        return cg_freezer_state(j->freezer) != FREEZER_THAWED || timer_is_armed(j->grace);
}

static bool takes_sessions(struct job *j, uid_t uid) {
        return is_users(j, uid) && extern_of(j) && !is_suspended(j);
}

/* Ids rise; after a restart of slumberd a->jobs is in no order. */
static struct job *newer(struct job *a, struct job *b) {
        return !a || b->id > a->id ? b : a;
}

/* Why none of the user's jobs here takes a session; j: the newest. */
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

/* What its environment says, of a process whose slumberd is another one of this machine: it may lie
   about which of the user's jobs here that is, and gains nothing. */
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

static struct job *find_origin(struct agent *a, const Slumber__AdoptQuery *m) {
        const struct origin_ask ask = {
                .from = m->from,
                .to = m->to,
                .from_port = (uint16_t)m->from_port,
                .to_port = (uint16_t)m->to_port,
                .uid = m->uid,
        };
        pid_t pid = *m->from && *m->to ? origin_process(&ask) : 0;

        if (!pid)
                return NULL;
        for (struct job *j = a->jobs; j; j = j->next)
                if (takes_sessions(j, m->uid) && has_process(j, pid))
                        return j;
        struct job *said = job_find(a, job_said_by(pid));
        return said && takes_sessions(said, m->uid) ? said : NULL;
}

/* The step that the process goes to; NULL: reply says why there is none. */
static struct step *choose(struct agent *a, const Slumber__AdoptQuery *m,
                Slumber__AdoptReply *reply, struct fail *fail) {
        struct job *any = NULL, *newest = NULL;
        size_t n = 0;

        for (struct job *j = a->jobs; j; j = j->next) {
                any = is_users(j, m->uid) ? newer(any, j) : any;
                if (takes_sessions(j, m->uid)) {
                        newest = newer(newest, j);
                        n++;
                }
        }
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__NO_JOBS;
        if (!any)
                return NULL;
        struct job *j = n > 1 ? find_origin(a, m) : newest;
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

/* Its children go with it only if they begin later: both, the parent first. */
static int move_all(const struct step *s, const Slumber__AdoptQuery *m, pid_t pid) {
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

static void adopt(struct agent *a, const Slumber__AdoptQuery *m, pid_t pid,
                Slumber__AdoptReply *reply, char **container, struct fail *fail) {
        struct step *s = choose(a, m, reply, fail);
        int r = s ? move_all(s, m, pid) : 0;

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

void adopt_answer(struct agent *a, struct conn *conn, const Envelope *env) {
        Slumber__AdoptReply m = SLUMBER__ADOPT_REPLY__INIT;
        _cleanup_free_ char *container = NULL;
        struct fail fail = { 0 };
        uid_t uid = (uid_t)-1;
        gid_t gid;
        pid_t pid = 0;

        if (conn_peer_credentials(conn, &uid, &gid, &pid) < 0 || uid != 0 || pid <= 0) {
                m.outcome = SLUMBER__ADOPT_REPLY__OUTCOME__FAILED;
                fail_set(&fail, -EACCES, "root's processes alone may ask for this");
        } else {
                adopt(a, env->adopt_query, pid, &m, &container, &fail);
        }
        m.node = a->node;
        m.text = fail.text;
        m.container = (char *)(uintptr_t)strempty(container);
        ENVELOPE(reply, ADOPT_REPLY, adopt_reply, &m);
        reply.reply_to = env->id;
        (void)conn_send(conn, &reply);
}
