/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/users/commands.h"

#include <sys/syscall.h>

/* Maximum of ended commands kept; reached within SlurmdTimeout only by many short commands */
#define DEAD_MAX 1024
/* Maximum of watched commands of a process (latest), and of a user except root: each uses a
   descriptor */
#define OF_PROCESS_MAX 4
#define OF_USER_MAX    4096

struct command {
        struct agent *agent;
        uint64_t token;
        uid_t uid;
        pid_t pid;
        bool cut_off;            /* the controller was lost after the command's request */
        sd_event_source *source; /* pidfd; NULL: the command has ended */
        usec_t ended;            /* CLOCK_BOOTTIME */
        TAILQ_ENTRY(command) next;
};

static struct command *command_free(struct command *c) {
        sd_event_source_disable_unref(c->source);
        free(c);
        return NULL;
}

static void commands_forget_oldest(struct agent *a) {
        struct command *c = TAILQ_FIRST(&a->commands_dead);

        TAILQ_REMOVE(&a->commands_dead, c, next);
        a->n_commands_dead--;
        command_free(c);
}

static void commands_forget_old(struct agent *a, usec_t now) {
        struct command *c;

        while ((c = TAILQ_FIRST(&a->commands_dead)) &&
                        (a->n_commands_dead > DEAD_MAX || now - c->ended > a->slurmd_timeout))
                commands_forget_oldest(a);
}

static void commands_report_dead(struct agent *a, struct command *first, bool all) {
        Slumber__CommandsDead m = SLUMBER__COMMANDS_DEAD__INIT;
        Slumber__DeadCommand dead[DEAD_MAX + 1], *list[DEAD_MAX + 1];

        for (struct command *c = first; c && m.n_commands < ELEMENTSOF(dead);
                        c = all ? TAILQ_NEXT(c, next) : NULL) {
                slumber__dead_command__init(&dead[m.n_commands]);
                dead[m.n_commands].token = c->token;
                dead[m.n_commands].uid = c->uid;
                list[m.n_commands] = &dead[m.n_commands];
                m.n_commands++;
        }
        m.commands = list;
        ENVELOPE(env, COMMANDS_DEAD, commands_dead, &m);
        if (m.n_commands)
                upstream_send(a, &env);
}

static int command_on_ended(sd_event_source *source, int fd, uint32_t events, void *user) {
        struct command *c = user;
        struct agent *a = c->agent;

        (void)source, (void)fd, (void)events;
        c->source = sd_event_source_disable_unref(c->source);
        c->ended = now_boottime();
        TAILQ_REMOVE(&a->commands, c, next);
        TAILQ_INSERT_TAIL(&a->commands_dead, c, next);
        a->n_commands_dead++;
        if (c->cut_off)
                commands_report_dead(a, c, false);
        commands_forget_old(a, c->ended);
        return 0;
}

static struct command *command_by_token(struct agent *a, uint64_t token, uid_t uid) {
        struct command *c;

        TAILQ_FOREACH(c, &a->commands, next)
                if (c->token == token && c->uid == uid)
                        return c;
        return NULL;
}

static bool commands_have_room(struct agent *a, uid_t uid, pid_t pid) {
        struct command *c, *oldest = NULL;
        size_t of_user = 0, of_process = 0;

        TAILQ_FOREACH(c, &a->commands, next) {
                of_user += c->uid == uid;
                if (c->pid != pid)
                        continue;
                oldest = oldest ? oldest : c;
                of_process++;
        }
        if (of_process >= OF_PROCESS_MAX) {
                TAILQ_REMOVE(&a->commands, oldest, next);
                command_free(oldest);
                return true;
        }
        return uid == 0 || of_user < OF_USER_MAX;
}

static void commands_watch_process(struct client *client, uint64_t token) {
        struct agent *a = client->agent;
        struct command *c = command_by_token(a, token, client->uid);
        pid_t pid = 0;

        if (c)
                c->cut_off = false;
        if (c || !token || conn_peer_credentials(client->conn, NULL, NULL, &pid) < 0 || pid <= 0 ||
                        !commands_have_room(a, client->uid, pid))
                return;
        int fd = (int)syscall(SYS_pidfd_open, pid, 0);
        if (fd < 0)
                return;
        c = xnew0(struct command, 1);
        *c = (struct command){ .agent = a, .token = token, .uid = client->uid, .pid = pid };
        if (sd_event_add_io(a->event, &c->source, fd, EPOLLIN, command_on_ended, c) < 0) {
                close(fd);
                command_free(c);
                return;
        }
        (void)sd_event_source_set_io_fd_own(c->source, true);
        TAILQ_INSERT_TAIL(&a->commands, c, next);
}

void commands_note(struct client *c, const Envelope *env) {
        const Slumber__SubmitHet *het = env->submit_het;

        if (env->body_case == SLUMBER__ENVELOPE__BODY_STEP_REQUEST && env->step_request->spec)
                commands_watch_process(c, env->step_request->spec->token);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT && env->submit->allocate &&
                        env->submit->spec)
                commands_watch_process(c, env->submit->spec->token);
        else if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_HET && het->n_components &&
                        het->components[0]->allocate && het->components[0]->spec)
                commands_watch_process(c, het->components[0]->spec->token);
}

void commands_controller_away(struct agent *a) {
        struct command *c;

        TAILQ_FOREACH(c, &a->commands, next)
                c->cut_off = true;
}

void commands_welcome(struct agent *a) {
        commands_forget_old(a, now_boottime());
        commands_report_dead(a, TAILQ_FIRST(&a->commands_dead), true);
}

void commands_free(struct agent *a) {
        struct command *c;

        while ((c = TAILQ_FIRST(&a->commands))) {
                TAILQ_REMOVE(&a->commands, c, next);
                command_free(c);
        }
        while (a->n_commands_dead)
                commands_forget_oldest(a);
}
