/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pam_slumber_adopt: a session that begins here is moved into the extern step of one of its user's
 * jobs.
 *
 * The process that is moved is the one that asks, as the kernel says, and root's alone may ask.
 * With several jobs it is the one that the connection comes from, if that is of a step on this
 * machine; otherwise the answer is that it is not known, or the newest is meant. */
#include "agent/agent.h"

#include "agent/places/origin.h"
#include "cgroup/proc.h"
#include "lib/timetext.h"

#define JOB_VARIABLE "SLURM_JOB_ID="

static struct step *extern_of(struct job *j) {
        struct step *s = job_find_step(j, STEP_EXTERN);

        return s && !s->ended && !s->lost ? s : NULL;
}

static bool is_users(const struct job *j, uid_t uid) {
        return j->uid == uid && !job_terminating(j) && j->steps;
}

/* The newest one; ret_n: of so many. */
static struct job *find_newest(struct agent *a, uid_t uid, size_t *ret_n) {
        struct job *newest = NULL;

        *ret_n = 0;
        for (struct job *j = a->jobs; j; j = j->next)
                if (is_users(j, uid)) {
                        newest = newest ? newest : j;
                        ++*ret_n;
                }
        return newest;
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
        const struct origin_ask ask = { m->from, m->to, (uint16_t)m->from_port,
                (uint16_t)m->to_port, m->uid };
        pid_t pid = *m->from && *m->to ? origin_process(&ask) : 0;

        if (!pid)
                return NULL;
        for (struct job *j = a->jobs; j; j = j->next)
                if (is_users(j, m->uid) && has_process(j, pid))
                        return j;
        struct job *said = job_find(a, job_said_by(pid));
        return said && is_users(said, m->uid) ? said : NULL;
}

/* The step that the process goes to; NULL: reply says why there is none. */
static struct step *choose(struct agent *a, const Slumber__AdoptQuery *m,
                Slumber__AdoptReply *reply, struct fail *fail) {
        size_t n;
        struct job *newest = find_newest(a, m->uid, &n), *j = n > 1 ? find_origin(a, m) : newest;

        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__NO_JOBS;
        if (!newest)
                return NULL;
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__UNKNOWN;
        if (!j && !m->newest)
                return NULL;
        j = j ? j : newest;
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__FAILED;
        reply->job = j->id;
        struct step *s = extern_of(j);
        if (!s)
                fail_set(fail, -ENOENT, "job %u has no extern step (PrologFlags=Contain)", j->id);
        return s;
}

static void adopt(struct agent *a, const Slumber__AdoptQuery *m, pid_t pid,
                Slumber__AdoptReply *reply, char **container, struct fail *fail) {
        struct step *s = choose(a, m, reply, fail);
        int r = s ? cg_move(s->group, pid) : 0;

        if (r < 0)
                fail_set(fail, r, "process %d cannot be moved into job %u: %s", (int)pid,
                                reply->job, strerror(-r));
        if (!s || r < 0)
                return;
        reply->outcome = SLUMBER__ADOPT_REPLY__OUTCOME__ADOPTED;
        *container = containers_namespace(s->job);
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
