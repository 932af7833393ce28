/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sattach: attaches to the streams of a running step, beside the step's srun.
 *
 * The controller sends the tasks of the step; output and input pass through the slumberds of this
 * host and of srun's host. When srun or the connection is lost, sattach asks the controller again
 * until the step is over. Signals are not forwarded: they end sattach only. */
#include "commands/command.h"
#include "commands/exit_lines.h"
#include "commands/exitcode.h"
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/steps/stepio.h"
#include "commands/terminal.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/printable.h"
#include "lib/step_id.h"
#include "lib/timetext.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>

#define NAME      "sattach"
#define INPUT_MAX ((size_t)64 << 10)    /* input not yet taken by srun */
#define FIRST_BY  (10 * USEC_PER_SEC)   /* maximum wait for the first answer of srun's host */
#define SAY_AGAIN (20 * USEC_PER_SEC)   /* interval of messages renewing the attachment */
#define SILENCE   (50 * USEC_PER_SEC)   /* maximum time without a message from srun's host */
#define GIVE_UP   (60 * USEC_PER_SEC)   /* maximum wait for a step without its srun */
#define EXIT_POLL 50                    /* ms; tasks with equal exits are collected so long */
#define PAUSE     (200 * USEC_PER_MSEC) /* before the next request to the controller */

struct sattach {
        bool label, layout, pty, quiet;
        unsigned verbose;
        uint32_t out_rank, err_rank, in_rank; /* RANK_ALL: all tasks */
        const char *clusters;
        uint32_t job, step;

        uint64_t viewer; /* random id of this sattach */
        struct wire *w;
        bool attached, was_attached;
        bool refused; /* final error, already printed */
        bool gone;
        usec_t heard, said; /* CLOCK_MONOTONIC */
        uint32_t num_tasks; /* 0: unknown */
        struct step_output *output[3];
        uint64_t *next[3];        /* next offset of each rank's stream; UINT64_MAX: any */
        uint8_t input[INPUT_MAX]; /* input not taken by srun; starts at offset taken */
        size_t n_input;
        uint64_t taken;
        bool input_over;
        uint32_t status;            /* worst wait status of the tasks */
        struct exit_lines failures; /* exits to be printed */
};

#define FIELD(name) offsetof(struct sattach, name)

/* ---- options ---- */

#define RANK_SETTER(name, field_name)                                                              \
        static int name(void *field, const char *value, struct fail *fail) {                       \
                uint64_t rank;                                                                     \
                if (uint_parse(value, 0, RANK_ALL - 1, &rank) < 0)                                 \
                        return fail_set(fail, -EINVAL,                                             \
                                        "Invalid numeric value \"%s\" for " field_name ".",        \
                                        value);                                                    \
                *(uint32_t *)field = (uint32_t)rank;                                               \
                return 0;                                                                          \
        }
RANK_SETTER(set_in, "input-filter")
RANK_SETTER(set_out, "output-filter")
RANK_SETTER(set_err, "error-filter")

static const struct option_row rows[] = {
        { "input-filter", 0, OPTION_CALL, FIELD(in_rank), set_in, "taskid",
                        "send stdin to only the specified task" },
        { "output-filter", 0, OPTION_CALL, FIELD(out_rank), set_out, "taskid",
                        "only print stdout from the specified task" },
        { "error-filter", 0, OPTION_CALL, FIELD(err_rank), set_err, "taskid",
                        "only print stderr from the specified task" },
        { "label", 'l', OPTION_FLAG, FIELD(label), NULL, NULL,
                        "prepend task number to lines of stdout & stderr" },
        { "layout", 0, OPTION_FLAG, FIELD(layout), NULL, NULL,
                        "print task layout info and exit (does not attach to tasks)" },
        { "pty", 0, OPTION_FLAG, FIELD(pty), NULL, NULL,
                        "this terminal is one more of the step's, which srun --pty has made" },
        { "clusters", 'M', OPTION_TEXT, FIELD(clusters), NULL, "name", "this cluster's name" },
        { "quiet", 'Q', OPTION_FLAG, FIELD(quiet), NULL, NULL,
                        "quiet mode (suppress informational messages)" },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL,
                        "verbose mode (multiple -v's increase verbosity)" },
        { "help", 'h', OPTION_HELP, 0, NULL, NULL, "print this help message" },
        { "usage", 'u', OPTION_USAGE, 0, NULL, NULL, "print a brief usage message" },
        { "version", 'V', OPTION_VERSION, 0, NULL, NULL, "print the version and exit" },
};
static const struct option_table table = {
        .program = NAME,
        .operands = "<jobid.stepid>",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

/* Finds the job id of an array task: the controller knows a task by the task's own id. */
static int find_task(const struct job_id *id, uint32_t *ret, struct fail *fail) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        const struct job_id whole = { .job = id->job, .tasks = id->tasks };
        Slumber__JobQuery q = SLUMBER__JOB_QUERY__INIT;
        struct job_list list = { 0 };
        int r = command_connect(&w, fail);

        if (r < 0)
                return r;
        job_id_request_init(&named, &whole, 1);
        q.ids = named.ids;
        q.n_ids = named.n_ids;
        q.tasks = named.task_pointers;
        q.n_tasks = named.n_tasks;
        r = query_jobs(w, &q, &list, NULL, fail);
        if (r >= 0 && list.n_jobs != 1)
                r = fail_set(fail, -ESRCH, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        if (r >= 0)
                *ret = list.jobs[0]->id;
        job_list_done(&list);
        return r;
}

static int sattach_find_step(struct sattach *s, const char *text, struct fail *fail) {
        _cleanup_(job_id_done) struct job_id id = { 0 };
        int r = job_id_parse_part(text, &id);

        if (r >= 0 && id.part)
                return fail_set(fail, -EINVAL,
                                "%s is a component of a step: its streams are those of the whole, "
                                "JOBID.STEPID",
                                text);
        if (r == -EINVAL || (r >= 0 && !id.has_step))
                return fail_set(fail, -EINVAL,
                                "%s is not a step: JOBID.STEPID is expected, as 12.0", text);
        s->job = id.job;
        s->step = id.step;
        return r >= 0 && id.tasks ? find_task(&id, &s->job, fail) : r;
}

/* ---- the layout ---- */

static void print_layout(const struct sattach *s, const Slumber__AttachReply *m,
                const struct hostlist *nodes) {
        printf("Job step layout:\n\t%u tasks, %zu nodes (%s)\n\n", s->num_tasks,
                        hostlist_count(nodes), m->nodes);
        for (size_t i = 0; i < m->n_tasks; i++) {
                const Slumber__TaskList *t = m->tasks[i];
                printf("\tNode %zu (%s), %zu task(s): ", i, hostlist_get(nodes, i), t->n_ranks);
                for (size_t k = 0; k < t->n_ranks; k++)
                        printf("%u ", t->ranks[k]);
                putchar('\n');
        }
}

static void sattach_make_streams(struct sattach *s) {
        for (int k = 1; k < 3; k++) {
                size_t size = MAX(s->num_tasks, 1u) * sizeof s->next[k][0];
                s->output[k] = step_output_new(k, s->num_tasks, s->label);
                s->next[k] = xmalloc(size);
                memset(s->next[k], 0xff, size);
        }
}

/* Takes the step's tasks from the reply. Returns < 0 with fail set if sattach must end. */
static int take_reply(struct sattach *s, const Slumber__AttachReply *m, struct fail *fail) {
        const struct {
                const char *name;
                uint32_t rank;
        } filters[] = { { "input", s->in_rank }, { "output", s->out_rank },
                { "error", s->err_rank } };

        s->job = m->job_id; /* the leader's, for a step over components of a heterogeneous job */
        for (size_t i = s->num_tasks = 0; i < m->n_tasks; i++)
                s->num_tasks += (uint32_t)m->tasks[i]->n_ranks;
        for (size_t i = 0; i < ELEMENTSOF(filters); i++)
                if (filters[i].rank != RANK_ALL && filters[i].rank >= s->num_tasks)
                        return fail_set(fail, -EINVAL,
                                        "--%s-filter=%u: StepId=%u.%s has tasks 0 to %u",
                                        filters[i].name, filters[i].rank, s->job,
                                        STEP_WORD(s->step), s->num_tasks - 1);
        if (s->in_rank != RANK_ALL && !m->input_of_rank)
                return fail_set(fail, -EOPNOTSUPP,
                                "--input-filter: a slumberd of the step's nodes is of an earlier "
                                "build, which would give the input to all tasks");
        if (*m->no_streams || !m->streams)
                return fail_set(fail, -ENOTCONN, "StepId=%u.%s: %s", s->job, STEP_WORD(s->step),
                                *m->no_streams ? m->no_streams
                                               : "there is no slumberd on this host, by which its "
                                                 "streams would come");
        if (!s->output[1])
                sattach_make_streams(s);
        return 0;
}

/* ---- messages from srun's host ---- */

static void write_output(struct sattach *s, const Slumber__View *m) {
        struct step_output *o = s->output[m->stream];
        uint64_t *next = &s->next[m->stream][m->rank];
        uint64_t lost = *next != UINT64_MAX && m->offset > *next ? m->offset - *next : 0;
        uint64_t known = *next != UINT64_MAX && m->offset < *next
                                         ? MIN(*next - m->offset, (uint64_t)m->data.len)
                                         : 0;
        int r = 0;

        if (lost) {
                (void)step_output_finish(o, m->rank);
                command_error(NAME,
                                "%" PRIu64 " bytes of task %u's %s are left out: they came faster "
                                "than they were read here",
                                lost, m->rank, m->stream == 1 ? "output" : "errors");
        }
        if (m->data.len > known)
                r = step_output_write(o, m->rank, step_output_taken(o, m->rank),
                                m->data.data + known, m->data.len - (size_t)known);
        uint64_t end = m->offset + m->data.len;
        *next = *next == UINT64_MAX ? end : MAX(*next, end);
        if (m->eof)
                (void)step_output_finish(o, m->rank);
        if (r == -EPIPE) { /* end like a program writing the output itself */
                signal(SIGPIPE, SIG_DFL);
                raise(SIGPIPE);
        } else if (r < 0) {
                command_error(NAME, "cannot write the tasks' output: %s", strerror(-r));
                s->refused = true;
        }
}

static void sattach_note_exits(struct sattach *s, const Slumber__View *m) {
        _cleanup_free_ char *tasks = exit_tasks_text(m->ranks, m->n_ranks);

        s->status = exit_worse(s->status, m->exit_code);
        if (m->exit_code && m->n_ranks)
                exit_lines_add(&s->failures, "", m->exit_code, m->ranks, m->n_ranks);
        else if (s->verbose)
                fprintf(stderr, NAME ": %s: Completed\n", tasks);
}

/* ---- input ---- */

static void send_view(struct sattach *s, Slumber__View *m) {
        m->job_id = s->job;
        m->step_id = s->step;
        m->viewer = s->viewer;
        ENVELOPE(env, VIEW, view, m);
        if (wire_send(s->w, &env) < 0)
                s->gone = true;
}

static void send_input(struct sattach *s, size_t from) {
        Slumber__View m = SLUMBER__VIEW__INIT;

        if (from >= s->n_input)
                return;
        m.kind = SLUMBER__VIEW__KIND__INPUT;
        m.rank = s->in_rank;
        m.offset = s->taken + from;
        m.data.data = s->input + from;
        m.data.len = s->n_input - from;
        send_view(s, &m);
}

static void sattach_drop_input(struct sattach *s, const Slumber__View *m) {
        size_t n = m->taken > s->taken ? (size_t)MIN(m->taken - s->taken, s->n_input) : 0;

        s->n_input -= n;
        s->taken += n;
        memmove(s->input, s->input + n, s->n_input);
        if (m->eof) {
                if (s->n_input && !s->quiet)
                        fprintf(stderr, NAME ": StepId=%u.%s takes no input (any more)\n", s->job,
                                        STEP_WORD(s->step));
                s->n_input = 0;
                s->input_over = true;
        } else if (m->resume) {
                send_input(s, 0);
        }
}

/* Reads standard input; the end of input is not sent, as the step's input belongs to srun. */
static void read_input(struct sattach *s) {
        ssize_t n = read(STDIN_FILENO, s->input + s->n_input, INPUT_MAX - s->n_input);
        size_t before = s->n_input;

        if (n < 0 && (errno == EINTR || errno == EAGAIN))
                return;
        s->input_over = n <= 0;
        s->n_input += (size_t)MAX(n, 0);
        send_input(s, before);
}

/* Returns true if input may be read: a read from the terminal in the background would stop
   sattach. */
static bool wants_input(const struct sattach *s) {
        pid_t group = isatty(STDIN_FILENO) ? tcgetpgrp(STDIN_FILENO) : -1;

        return s->attached && !s->input_over && s->n_input < INPUT_MAX &&
               (group < 0 || group == getpgrp());
}

/* ---- one connection ---- */

static void sattach_send_begin(struct sattach *s) {
        Slumber__View m = SLUMBER__VIEW__INIT;
        Slumber__Number out = SLUMBER__NUMBER__INIT, err = SLUMBER__NUMBER__INIT;

        m.kind = SLUMBER__VIEW__KIND__BEGIN;
        out.value = s->out_rank;
        err.value = s->err_rank;
        m.out_rank = s->out_rank == RANK_ALL ? NULL : &out;
        m.err_rank = s->err_rank == RANK_ALL ? NULL : &err;
        s->said = now_monotonic();
        send_view(s, &m);
}

static void is_attached(struct sattach *s) {
        if (s->attached)
                return;
        s->attached = true;
        if (s->pty && !s->was_attached)
                (void)terminal_make_raw();
        if (s->verbose)
                fprintf(stderr, NAME ": attached to StepId=%u.%s, %u tasks\n", s->job,
                                STEP_WORD(s->step), s->num_tasks);
        s->was_attached = true;
        send_input(s, 0);
}

static void sattach_mark_gone(struct sattach *s, const char *why) {
        s->gone = true;
        if (s->was_attached || isempty(why))
                return;
        command_error(NAME, "StepId=%u.%s: %s", s->job, STEP_WORD(s->step), why);
        s->refused = true;
}

static void on_view(struct sattach *s, const Slumber__View *m) {
        switch (m->kind) {
        case SLUMBER__VIEW__KIND__BEGIN:
                is_attached(s);
                break;
        case SLUMBER__VIEW__KIND__OUTPUT:
                if ((m->stream == 1 || m->stream == 2) && m->rank < s->num_tasks)
                        write_output(s, m);
                break;
        case SLUMBER__VIEW__KIND__TAKEN:
                sattach_drop_input(s, m);
                break;
        case SLUMBER__VIEW__KIND__TASK_EXIT:
                sattach_note_exits(s, m);
                break;
        case SLUMBER__VIEW__KIND__GONE:
                sattach_mark_gone(s, m->text);
                break;
        case SLUMBER__VIEW__KIND__FULL:
                s->was_attached = false;
                sattach_mark_gone(s, "too many sattaches are attached to it");
                break;
        case SLUMBER__VIEW__KIND__INPUT:
        case SLUMBER__VIEW__KIND__NONE:
        case _SLUMBER__VIEW__KIND_IS_INT_SIZE:
                break;
        }
}

static void sattach_receive(struct sattach *s) {
        _cleanup_envelope_ Envelope *env = NULL;

        if (wire_receive(s->w, USEC_INFINITY, &env) < 0) {
                s->gone = true;
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_VIEW) {
                s->heard = now_monotonic();
                on_view(s, env->view);
        }
}

static void sattach_check_silence(struct sattach *s) {
        usec_t now = now_monotonic();

        if (!s->attached && now > s->said + FIRST_BY)
                sattach_mark_gone(s, "the slumberd of its srun's host does not answer, or is of an "
                                     "earlier build");
        else if (s->attached && now > s->heard + SILENCE)
                s->gone = true;
        else if (s->attached && now > s->said + SAY_AGAIN)
                sattach_send_begin(s);
        if (s->failures.due && now >= s->failures.due)
                exit_lines_print(&s->failures, NAME, NULL);
}

static void sattach_show_streams(struct sattach *s) {
        s->attached = s->gone = false;
        s->heard = now_monotonic();
        sattach_send_begin(s);
        while (!s->gone && !s->refused) {
                bool buffered = wire_buffered(s->w);
                struct pollfd fds[] = {
                        { .fd = wire_fd(s->w), .events = POLLIN },
                        { .fd = wants_input(s) ? STDIN_FILENO : -1, .events = POLLIN },
                };

                int wait = buffered ? 0 : s->failures.due ? EXIT_POLL : 1000;
                if (poll(fds, ELEMENTSOF(fds), wait) < 0 && errno != EINTR)
                        break;
                if (buffered || fds[0].revents)
                        sattach_receive(s);
                if (fds[1].revents && !s->gone)
                        read_input(s);
                sattach_check_silence(s);
        }
}

/* ---- reconnecting ---- */

/* Asks the controller. *ret_over: the step is over; other errors may be temporary. */
static int sattach_query_step(struct sattach *s, Envelope **ret, bool *ret_over,
                struct fail *fail) {
        Slumber__AttachRequest m = SLUMBER__ATTACH_REQUEST__INIT;
        uint32_t code = SLUMBER_OK;

        m.job_id = s->job;
        m.step_id = s->step;
        s->w = wire_free(s->w);
        int r = command_connect(&s->w, fail);
        if (r < 0)
                return r;
        ENVELOPE(request, ATTACH_REQUEST, attach_request, &m);
        r = wire_call(s->w, &request, ret, &code, fail);
        if (r == -EREMOTE) {
                *ret_over = code == SLUMBER_JOB_ENDED || code == SLUMBER_BAD_JOB_ID ||
                            code == SLUMBER_BAD_STEP_ID;
                fail_set(fail, r, "Could not get job step info: %s",
                                command_refusal(NAME, code, fail->text));
        } else if (r >= 0 && (*ret)->body_case != SLUMBER__ENVELOPE__BODY_ATTACH_REPLY) {
                r = fail_set(fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        }
        return r;
}

static int sattach_print_layout(struct sattach *s, const Slumber__AttachReply *m) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = NULL;
        struct fail fail = { 0 };

        for (size_t i = 0; i < m->n_tasks; i++)
                s->num_tasks += (uint32_t)m->tasks[i]->n_ranks;
        if (hostlist_parse(m->nodes, &nodes, &fail) < 0) {
                command_error(NAME, "%s", fail.text);
                return EXIT_FAILURE;
        }
        print_layout(s, m, nodes);
        return EXIT_SUCCESS;
}

static int sattach_fail(const struct fail *fail) {
        command_error(NAME, "%s", fail->text);
        return EXIT_FAILURE;
}

static int sattach_run(struct sattach *s) {
        usec_t lost_at = 0;

        for (;;) {
                _cleanup_envelope_ Envelope *reply = NULL;
                struct fail fail = { 0 };
                bool over = false;
                int r = sattach_query_step(s, &reply, &over, &fail);

                if (r >= 0 && s->layout)
                        return sattach_print_layout(s, reply->attach_reply);
                if (r >= 0)
                        r = take_reply(s, reply->attach_reply, &fail);
                if (r < 0 && over && s->was_attached)
                        return exit_code_of(s->status);
                if (r < 0 && (!s->was_attached || now_monotonic() > lost_at + GIVE_UP))
                        return sattach_fail(&fail);
                if (r >= 0) {
                        sattach_show_streams(s);
                        exit_lines_print(&s->failures, NAME, NULL);
                        if (s->refused)
                                return EXIT_FAILURE;
                        lost_at = s->attached || !lost_at ? now_monotonic() : lost_at;
                }
                (void)poll(NULL, 0, (int)(PAUSE / USEC_PER_MSEC));
        }
}

/* Restores the terminal before a signal ends sattach. */
static void sattach_on_signal(int number) {
        terminal_restore();
        signal(number, SIG_DFL);
        raise(number);
}

static void sattach_done(struct sattach *s) {
        terminal_restore();
        exit_lines_done(&s->failures);
        wire_free(s->w);
        for (int k = 1; k < 3; k++) {
                for (uint32_t rank = 0; s->output[k] && rank < s->num_tasks; rank++)
                        (void)step_output_finish(s->output[k], rank);
                step_output_free(s->output[k]);
                free(s->next[k]);
        }
}

int sattach_main(int argc, char **argv) {
        static const int signals[] = { SIGHUP, SIGINT, SIGTERM, SIGQUIT };
        struct sattach s = { .out_rank = RANK_ALL, .err_rank = RANK_ALL, .in_rank = RANK_ALL };
        _cleanup_free_ char *cluster = NULL;
        struct fail fail = { 0 };
        int first, r = options_parse(&table, argc, argv, &s, &first);

        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r < 0)
                return EXIT_FAILURE;
        if (argc - first != 1)
                fail_set(&fail, -EINVAL,
                                argc > first ? "too many parameters"
                                             : "No job step was named: JOBID.STEPID");
        else if (s.pty && (s.in_rank & s.out_rank & s.err_rank) != RANK_ALL)
                fail_set(&fail, -EINVAL, "don't specify both --pty and I/O filtering");
        else if (command_cluster(NAME, s.clusters, &cluster) < 0)
                return EXIT_FAILURE;
        else
                (void)sattach_find_step(&s, argv[first], &fail);
        if (*fail.text)
                return sattach_fail(&fail);
        signal(SIGPIPE, SIG_IGN);
        for (size_t i = 0; i < ELEMENTSOF(signals); i++)
                if (signal(signals[i], SIG_IGN) != SIG_IGN)
                        signal(signals[i], sattach_on_signal);
        if (getrandom(&s.viewer, sizeof s.viewer, 0) != (ssize_t)sizeof s.viewer)
                s.viewer = (uint64_t)getpid() << 32 ^ now_realtime();
        r = sattach_run(&s);
        sattach_done(&s);
        return r;
}
