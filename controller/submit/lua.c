/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/lua.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/submit/turns.h"

#include "lib/child.h"
#include "lib/log.h"
#include "lib/timer.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

struct task {
        struct turn turn; /* first member */
        uint64_t id;
        uint8_t *frame;
        struct address from;
        usec_t since; /* CLOCK_MONOTONIC */
        bool told;    /* the command knows why it waits */
        lua_answer_t *answer;
        void *user; /* NULL: the requester is gone */
};

struct lua {
        struct controller *ctl;
        char *path;
        /* The child process; NULL: none. */
        struct conn *conn;
        pid_t pid;
        bool restart; /* the next request gets a new child */
        sd_event_source *limit, *next;
        ProtobufCBinaryData good; /* own: text of the last good version of the script */
        uint64_t last_id;
        struct turns *turns;  /* waiting requests by user */
        struct task *current; /* request in the child; NULL: none */
        sd_event_source *tell;
};

/* ---- requests ---- */

static void task_free(struct task *t) {
        address_done(&t->from);
        free(t->frame);
        free(t);
}

/* Lets the loop start the next request: the callback of an answer may call lua_ask(). */
static void lua_look_later(struct lua *l) {
        (void)sd_event_source_set_enabled(l->next, SD_EVENT_ONESHOT);
}

static void answer_first(struct lua *l, Slumber__RuleReply *reply, const char *why) {
        struct task *t = TAKE(l->current);

        timer_disarm(l->limit);
        lua_look_later(l);
        if (t->user)
                t->answer(reply, why, t->user);
        task_free(t);
}

int lua_ask(struct lua *l, const Slumber__RuleRequest *request, const struct address *from,
                lua_answer_t *answer, void *user) {
        ENVELOPE(env, RULE_REQUEST, rule_request, (Slumber__RuleRequest *)(uintptr_t)request);
        uint8_t *frame;
        size_t size;

        env.id = ++l->last_id;
        if (wire_pack(&env, &frame, &size) < 0)
                return -EBUSY;
        struct task *t = xnew(struct task, 1);
        *t = (struct task){ .turn = { .uid = request->uid, .size = size },
                .id = env.id,
                .frame = frame,
                .since = now_monotonic(),
                .answer = answer,
                .user = user };
        if (!turns_add(l->turns, &t->turn)) {
                task_free(t);
                return -EBUSY;
        }
        t->from = address_copy(from);
        if (!timer_is_armed(l->tell))
                timer_arm(l->tell, LUA_TELL_AFTER);
        lua_look_later(l);
        return 0;
}

static void task_forget_user(struct turn *turn, void *user) {
        struct task *t = (struct task *)turn;

        if (t->user == user)
                t->user = NULL;
}

void lua_forget(struct lua *l, const void *user) {
        turns_each(l->turns, task_forget_user, (void *)(uintptr_t)user);
        if (l->current)
                task_forget_user(&l->current->turn, (void *)(uintptr_t)user);
}

/* ---- reasons for waiting ---- */

static void task_tell(struct task *t, const char *text) {
        t->told = true;
        if (t->user)
                outbox_tell(&t->from, SLUMBER_STILL_WAITS, text);
}

static bool is_to_be_told(const struct task *t) {
        return !t->told && now_monotonic() - t->since >= LUA_TELL_AFTER;
}

static void task_tell_waiting(struct turn *turn, void *user) {
        const struct lua *l = user;
        struct task *t = (struct task *)turn;
        size_t others;

        if (!is_to_be_told(t))
                return;
        size_t before = turns_before(l->turns, turn, &others);
        _cleanup_free_ char *text = xasprintf(
                        "the request waits for job_submit.lua, which is run for one at a time, and "
                        "users take turns: %zu of your own are before it, and %zu other users wait",
                        before, others);
        task_tell(t, text);
}

/* Tells each waiting request once; runs again while requests are pending. */
static int on_tell(sd_event_source *source, uint64_t when, void *user) {
        struct lua *l = user;

        (void)when;
        turns_each(l->turns, task_tell_waiting, l);
        if (l->current && is_to_be_told(l->current))
                task_tell(l->current, "job_submit.lua is being run for the request");
        if (l->current)
                timer_arm(source, USEC_PER_SEC);
        return 0;
}

/* ---- the child ---- */

/* Ends the child and its processes. */
static void child_end(struct lua *l) {
        if (!l->conn)
                return;
        conn_close(TAKE(l->conn));
        (void)kill(-l->pid, SIGKILL);
}

static void take_log(const struct lua *l, const Slumber__RuleReply *m) {
        for (size_t i = 0; i < m->n_log; i++)
                (void)log_full((int)MIN(m->log[i]->level, (uint32_t)LOG_DEBUG), 0, "lua: %s",
                                m->log[i]->text);
        if (!isempty(m->failure))
                log_error(0, "job_submit/lua: %s: %s", l->path, m->failure);
}

static void lua_on_message(struct conn *c, Envelope *env, void *user) {
        struct lua *l = user;

        (void)c;
        if (env->body_case != SLUMBER__ENVELOPE__BODY_RULE_REPLY || !l->current ||
                        env->reply_to != l->current->id)
                return;
        Slumber__RuleReply *m = env->rule_reply;
        take_log(l, m);
        if (m->text.len) {
                free(l->good.data);
                l->good = m->text;
                m->text = (ProtobufCBinaryData){ 0 };
        }
        answer_first(l, m, NULL);
}

static void lua_on_closed(struct conn *c, int r, const char *why, void *user) {
        struct lua *l = user;

        (void)c, (void)r;
        l->conn = NULL;
        (void)kill(-l->pid, SIGKILL);
        if (!l->current)
                return;
        log_error(0, "job_submit/lua: %s: slumber-submit has died: %s", l->path, why);
        answer_first(l, NULL, "job_submit.lua: slumber-submit has died");
}

static int lua_on_limit(sd_event_source *source, uint64_t t, void *user) {
        struct lua *l = user;

        (void)source, (void)t;
        child_end(l);
        if (!l->current)
                return 0;
        log_error(0, "job_submit/lua: %s has not answered within %llu s, and is killed", l->path,
                        (unsigned long long)(LUA_TIME_LIMIT / USEC_PER_SEC));
        answer_first(l, NULL, "job_submit.lua has not answered in time");
        return 0;
}

static int lua_on_reaped(sd_event_source *source, const siginfo_t *si, void *user) {
        (void)source, (void)si, (void)user;
        return 0;
}

static int lua_spawn_child(struct lua *l, int fd, struct fail *fail) {
        _cleanup_free_ char *program = program_beside("slumber-submit", "submit");
        _cleanup_free_ char *conf = xasprintf("SLURM_CONF=%s", l->ctl->conf_path);
        _cleanup_free_ char *socket = xasprintf("SLUMBER_SOCKET=%s",
                        strempty(l->ctl->cluster->config->site.socket));
        _cleanup_free_ char *zone = getenv("TZ") ? xasprintf("TZ=%s", getenv("TZ")) : NULL;
        bool named = !isempty(l->ctl->cluster->config->site.socket);
        char *argv[] = { (char *)"slumber-submit", (char *)"--worker", NULL };
        struct child_program s = { program, argv,
                { (char *)(uintptr_t)CHILD_PATH, conf, named ? socket : zone, named ? zone : NULL },
                STDERR_FILENO, STDERR_FILENO, fd };
        int r = child_start(&s, &l->pid, fail);

        if (r < 0)
                return r;
        r = sd_event_add_child(l->ctl->event, NULL, l->pid, WEXITED, lua_on_reaped, NULL);
        if (r < 0) {
                (void)kill(-l->pid, SIGKILL);
                (void)waitpid(l->pid, NULL, 0);
                fail_set(fail, r, "cannot watch slumber-submit: %s", strerror(-r));
        }
        return r;
}

static int child_begin(struct lua *l, struct fail *fail) {
        static const struct conn_ops ops = { .message = lua_on_message, .closed = lua_on_closed };
        Slumber__RuleScript m = SLUMBER__RULE_SCRIPT__INIT;
        int fds[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        _cleanup_close_ int ours = fds[0], theirs = fds[1];
        int r = lua_spawn_child(l, theirs, fail);
        if (r < 0)
                return r;
        r = conn_adopt(l->ctl->event, TAKE_FD(ours), &ops, l, &l->conn);
        if (r < 0) {
                (void)kill(-l->pid, SIGKILL);
                return fail_set(fail, r, "cannot watch slumber-submit: %s", strerror(-r));
        }
        l->restart = false;
        m.path = l->path;
        m.text = l->good;
        ENVELOPE(env, RULE_SCRIPT, rule_script, &m);
        (void)conn_send(l->conn, &env);
        return 0;
}

static int on_next(sd_event_source *source, void *user) {
        struct lua *l = user;
        struct fail fail = { 0 };

        (void)source;
        if (l->current)
                return 0;
        while ((l->current = (struct task *)turns_take(l->turns)) && !l->current->user)
                task_free(l->current);
        if (!l->current)
                return 0;
        if (l->restart)
                child_end(l);
        if (!l->conn && child_begin(l, &fail) < 0) {
                log_error(0, "job_submit/lua: %s", fail.text);
                answer_first(l, NULL, "job_submit.lua cannot be run");
                return 0;
        }
        timer_arm(l->limit, LUA_TIME_LIMIT);
        (void)conn_send_packed(l->conn, l->current->frame, l->current->turn.size);
        return 0;
}

/* ---- life of struct lua ---- */

void lua_restart(struct lua *l) {
        l->restart = true;
}

struct lua *lua_new(struct controller *ctl, const char *path) {
        struct lua *l = xnew0(struct lua, 1);

        *l = (struct lua){ .ctl = ctl,
                .path = xstrdup(path),
                .turns = turns_new(LUA_WAITING_MAX, LUA_BYTES_MAX) };
        int r = timer_new(ctl->event, 10 * USEC_PER_MSEC, lua_on_limit, l, &l->limit);
        if (r >= 0)
                r = timer_new(ctl->event, 10 * USEC_PER_MSEC, on_tell, l, &l->tell);
        if (r >= 0)
                r = sd_event_add_defer(ctl->event, &l->next, on_next, l);
        if (r < 0) {
                log_error(r,
                                "JobSubmitPlugins=lua: no timer for %s, so it cannot be run: %m; free memory, or "
                                "let slumberctld open more files (LimitNOFILE), and start it again",
                                path);
                return lua_free(l);
        }
        (void)sd_event_source_set_enabled(l->next, SD_EVENT_OFF);
        return l;
}

struct lua *lua_free(struct lua *l) {
        if (!l)
                return NULL;
        child_end(l);
        if (l->current)
                task_free(l->current);
        for (struct turn *turn; (turn = turns_take(l->turns));)
                task_free((struct task *)turn);
        turns_free(l->turns);
        sd_event_source_disable_unref(l->tell);
        sd_event_source_disable_unref(l->limit);
        sd_event_source_disable_unref(l->next);
        free(l->good.data);
        free(l->path);
        free(l);
        return NULL;
}

int lua_check(const struct config *config, struct fail *fail) {
        _cleanup_free_ char *program = program_beside("slumber-submit", "submit"),
                            *path = config_beside(config, "job_submit.lua"),
                            *owner = xasprintf("--owner=%u", (unsigned)config->slurm_uid),
                            *text = NULL;
        char *argv[] = { (char *)"slumber-submit", owner, (char *)"--check", path, NULL };
        int status = 0;

        if (!config_submits_by(config, SUBMIT_LUA))
                return 0;
        int r = child_output(program, argv, STDOUT_FILENO, LUA_TIME_LIMIT, 64 << 10, &text, &status,
                        fail);
        if (r < 0)
                return fail_prefix(fail, r, "%s", path);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                return 0;
        text[strcspn(text, "\n")] = 0;
        return fail_set(fail, -EINVAL, "JobSubmitPlugins: %s",
                        *text ? text : "slumber-submit has died of job_submit.lua");
}
