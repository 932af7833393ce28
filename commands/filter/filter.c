/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/filter/filter.h"

#include "commands/command.h"
#include "commands/filter/submit_log.h"
#include "commands/filter/user_defaults.h"
#include "commands/jobspec/jobspec_rows.h"
#include "lib/child.h"
#include "lib/cli_filter.h"
#include "lib/plugins/plugstack.h"
#include "lib/printable.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>

#define PATIENCE (8 * USEC_PER_SEC) /* maximum time of a call of the script, as in the controller */

extern char **environ;

static struct {
        bool looked;
        struct cli_filter are;
        uid_t owner;
        bool read; /* "own" has the user's file */
        struct user_defaults own;
        char **argv; /* copies of the operands */
        size_t argc;
        struct wire *wire; /* NULL: the child is not running */
        pid_t pid;
        size_t at;                            /* component being read */
        Envelope *early, *defaults, *changes; /* last answers, owned; NULL: none */
        Envelope **said; /* answers for earlier components, owned: options point into these */
        size_t n_said;
} filter;

static const char *program_of(const struct job_options *o) {
        return job_options_table(o->command)->program;
}

/* ---- the child ---- */

/* Reads the filters published by this host's daemon. */
static int filters_read_published(struct fail *fail) {
        filter.looked |= getenv(FILTER_PASSED_OVER) != NULL;
        const char *socket = filter.looked ? NULL : command_socket(NULL);
        _cleanup_free_ char *link = socket ? cli_filter_link(socket) : NULL;
        char to[4096];
        struct stat st;
        ssize_t n = link ? readlink(link, to, sizeof to - 1) : -1;

        filter.looked = true;
        if (n <= 0 || lstat(link, &st) < 0)
                return 0;
        to[n] = 0;
        filter.owner = st.st_uid;
        if (cli_filter_parse(to, &filter.are) < 0)
                return fail_set(fail, -EPROTO,
                                "%s: filters of another version of the daemon: %.200s", link, to);
        return 0;
}

static bool filters_have_kind(enum cli_filter_kind kind) {
        for (size_t i = 0; i < filter.are.n; i++)
                if (filter.are.kinds[i] == kind)
                        return true;
        return false;
}

static char *filter_program_path(void) {
        char *path = program_beside("slumber-submit", "sbin");

        if (access(path, X_OK) == 0)
                return path;
        free(path);
        return program_beside("slumber-submit", "submit"); /* in a build folder */
}

static int filter_start_child(struct fail *fail) {
        _cleanup_free_ char *path = filter_program_path();
        char *argv[] = { (char *)"slumber-submit", (char *)"--filter", NULL };
        int fds[2];

        if (filter.wire)
                return 0;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
                return fail_set(fail, -errno, "cannot make a socket: %s", strerror(errno));
        _cleanup_close_ int theirs = fds[1];
        struct child_program s = { path, argv, { NULL }, STDOUT_FILENO, STDERR_FILENO, theirs };
        int r = child_start_with(&s, environ, &filter.pid, fail);
        if (r < 0) {
                close(fds[0]);
                return r;
        }
        filter.wire = wire_new(fds[0]);
        return 0;
}

/* Ends the child and all processes of the script. */
static void filter_end_child(void) {
        if (!filter.wire)
                return;
        wire_free(TAKE(filter.wire));
        (void)kill(-filter.pid, SIGKILL);
        (void)waitpid(filter.pid, NULL, 0);
}

/* ---- requests to the child ---- */

static void filter_print_log(const struct job_options *o, const Slumber__FilterReply *m) {
        for (size_t i = 0; i < m->n_log; i++) {
                const Slumber__RuleLine *line = m->log[i];
                bool is_error = line->level <= LOG_ERR;
                if ((line->level > LOG_INFO && !o->verbose) || (!is_error && o->quiet))
                        continue;
                printable_fprintf(stderr, "%s: %slua: %s\n", program_of(o),
                                is_error ? "error: " : "", line->text);
        }
}

static int filter_receive_reply(const struct job_options *o, Envelope **ret, struct fail *fail) {
        int r = wire_receive(filter.wire, PATIENCE, ret);

        if (r >= 0 && (*ret)->body_case != SLUMBER__ENVELOPE__BODY_FILTER_REPLY)
                r = -EBADMSG;
        if (r < 0)
                fail_set(fail, r, "cli_filter/lua: %s: %s", filter.are.script,
                                r == -ETIMEDOUT || r == -EAGAIN
                                                ? "it has not answered in time, and is killed"
                                                : "slumber-submit has died");
        if (r < 0)
                filter_end_child();
        else
                filter_print_log(o, (*ret)->filter_reply);
        return r;
}

/* The options of all commands, with the values read by this command */
struct asked {
        Slumber__FilterOption *rows, **list;
        char **values;
        size_t n;
};

static void asked_options_fill(struct asked *a, const struct job_options *from,
                Slumber__FilterRequest *m) {
        const struct job_row *row;
        size_t n = 0;

        while (job_row_at(n))
                n++;
        *a = (struct asked){ xnew0(Slumber__FilterOption, n), xnew0(Slumber__FilterOption *, n),
                xnew0(char *, n), 0 };
        for (size_t i = 0; (row = job_row_at(i)); i++) {
                Slumber__FilterOption *o = &a->rows[a->n];
                if (!row->row.name)
                        continue;
                slumber__filter_option__init(o);
                o->name = (char *)(uintptr_t)row->row.name;
                o->foreign = !(row->commands & from->command);
                a->values[a->n] = o->foreign ? NULL : job_options_value(from, row->row.name);
                o->said = a->values[a->n] != NULL;
                o->value = (char *)(uintptr_t)strempty(a->values[a->n]);
                a->list[a->n++] = o;
        }
        m->options = a->list;
        m->n_options = a->n;
}

static void asked_options_done(struct asked *a) {
        texts_free(a->values, a->n);
        free(a->rows);
        free(a->list);
}

/* -EPERM: the script has refused or failed, and this was reported. */
static int filter_send_request(const struct job_options *o, Slumber__FilterRequest *m,
                Envelope **ret, struct fail *fail) {
        struct fail why = { 0 };
        struct asked asked;

        m->script = filter.are.script;
        m->owner = filter.owner;
        m->command = (char *)(uintptr_t)program_of(o);
        asked_options_fill(&asked, o, m);
        ENVELOPE(env, FILTER_REQUEST, filter_request, m);
        int r = filter_start_child(&why);
        if (r >= 0)
                r = wire_send(filter.wire, &env);
        if (r >= 0)
                r = filter_receive_reply(o, ret, &why);
        asked_options_done(&asked);
        if (r >= 0 && !isempty((*ret)->filter_reply->failure))
                r = fail_set(&why, -EIO, "cli_filter/lua: %s", (*ret)->filter_reply->failure);
        if (r < 0)
                command_error(program_of(o), "%s",
                                why.text[0] ? why.text : "cli_filter/lua: slumber-submit has died");
        if (r < 0 || (*ret)->filter_reply->code != 0)
                return fail_set(fail, -EPERM, "cli_filter plugin terminated with error");
        return 0;
}

/* ---- the script's changes of options ---- */

static void filter_keep_answer(Envelope *answer) {
        if (!answer)
                return;
        filter.said = xrenew(filter.said, filter.n_said + 1);
        filter.said[filter.n_said++] = answer;
}

void filter_component(enum job_command command, size_t at) {
        filter.at = at;
        filter_keep_answer(TAKE(filter.defaults));
        filter_keep_answer(TAKE(filter.changes));
        job_options_skip_none(command);
}

static int filter_set_options(struct job_options *o, const Envelope *answer, struct fail *fail) {
        struct fail why = { 0 };

        for (size_t i = 0; answer && i < answer->filter_reply->n_set; i++) {
                const Slumber__KeyValue *kv = answer->filter_reply->set[i];
                int r = job_options_set(o, kv->key, kv->value, &why);
                if (r < 0)
                        return fail_set(fail, r, "cli_filter/lua: options[\"%s\"]=\"%s\": %s",
                                        kv->key, kv->value, why.text);
                if (r == OPTIONS_DONE)
                        return r;
        }
        return 0;
}

static int lua_defaults(struct job_options *o, bool early, struct fail *fail) {
        Slumber__FilterRequest m = SLUMBER__FILTER_REQUEST__INIT;

        if (filter.changes) /* the options are read again */
                return filter_set_options(o, filter.defaults, fail);
        m.function = (char *)"slurm_cli_setup_defaults";
        m.early = early;
        /* Separate, as options may still point into the early answer. */
        Envelope **at = early ? &filter.early : &filter.defaults;
        int r = filter_send_request(o, &m, at, fail);
        return r < 0 ? r : filter_set_options(o, *at, fail);
}

/* Applies the user's file, which is read only once. */
static int own_defaults(struct job_options *o, struct fail *fail) {
        int r = filter.read ? 0 : user_defaults_read(&filter.own, fail);

        filter.read = true;
        if (r >= 0)
                r = user_defaults_set(&filter.own, filter.are.cluster, o, fail);
        return r < 0 ? fail_prefix(fail, r, "cli_filter/user_defaults") : r;
}

int filter_defaults(struct job_options *o, bool early, struct fail *fail) {
        bool in_job = o->command == JOB_SRUN && getenv("SLURM_JOB_ID");
        int r = filters_read_published(fail);

        for (size_t i = 0; i < filter.are.n && !in_job && r == 0; i++) {
                if (filter.are.kinds[i] == FILTER_LUA)
                        r = lua_defaults(o, early, fail);
                else if (filter.are.kinds[i] == FILTER_USER_DEFAULTS)
                        r = own_defaults(o, fail);
        }
        return r;
}

int filter_apply(struct job_options *o, struct fail *fail) {
        return filter_set_options(o, filter.changes, fail);
}

static void keep_operands(int argc, char **argv) {
        filter.argc = (size_t)MAX(argc, 0);
        filter.argv = xrenew(filter.argv, filter.argc + 1);
        for (size_t i = 0; i < filter.argc; i++)
                filter.argv[i] = xstrdup(argv[i]);
}

int filter_pre_submit(const struct job_options *o, int argc, char **argv, bool *ret_changed,
                struct fail *fail) {
        Slumber__FilterRequest m = SLUMBER__FILTER_REQUEST__INIT;

        *ret_changed = false;
        if (filters_have_kind(FILTER_SYSLOG))
                keep_operands(argc, argv);
        if (!filters_have_kind(FILTER_LUA))
                return 0;
        m.function = (char *)"slurm_cli_pre_submit";
        m.offset = (uint32_t)filter.at;
        m.arguments = argv;
        m.n_arguments = (size_t)MAX(argc, 0);
        int r = filter_send_request(o, &m, &filter.changes, fail);
        if (r < 0)
                return r;
        const Slumber__FilterReply *reply = filter.changes->filter_reply;
        for (size_t i = 0; i < reply->n_cleared; i++)
                job_options_skip(o->command, reply->cleared[i]);
        *ret_changed = reply->n_set || reply->n_cleared;
        return 0;
}

static void lua_post_submit(const struct job_options *o, size_t at, uint32_t job, uint32_t step) {
        Slumber__FilterRequest m = SLUMBER__FILTER_REQUEST__INIT;
        Envelope *answer = NULL;
        struct fail fail = { 0 };

        m.function = (char *)"slurm_cli_post_submit";
        m.job = job;
        m.step = step;
        m.offset = (uint32_t)at;
        if (filter_send_request(o, &m, &answer, &fail) < 0 && answer)
                command_error(program_of(o), "%s", fail.text);
        if (answer)
                slumber__envelope__free_unpacked(answer, NULL);
}

static void post_submit(const struct job_options *o, size_t at, uint32_t job, uint32_t step) {
        for (size_t i = 0; i < filter.are.n; i++) {
                struct fail fail = { 0 };
                if (filter.are.kinds[i] == FILTER_LUA)
                        lua_post_submit(o, at, job, step);
                else if (filter.are.kinds[i] == FILTER_SYSLOG &&
                                submit_log(o, filter.argv, filter.argc, job, step, &fail) < 0 &&
                                o->verbose)
                        command_error(program_of(o), "cli_filter/syslog: %s", fail.text);
        }
}

void filter_post_submit(const struct job_options *const *components, size_t n, uint32_t job,
                uint32_t step) {
        for (size_t i = 0; i < n; i++)
                post_submit(components[i], i, job, step);
        filter_end_child();
}
