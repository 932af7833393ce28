/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running step in srun: writes the tasks' output, passes standard input to the tasks, and reports
 * tasks that fail.
 *
 * A file named by -o, -e or -i without %t, %n or %N is a single file for the whole step: srun opens
 * this file, so that nodes do not truncate each other's output. With %t, %n or %N each node opens
 * the files of its tasks. Back pressure: bytes are acknowledged when written, so a reader that
 * stops reading stops the tasks; input is read only as far as the slowest node has room. Both ends
 * count bytes: after a broken connection each end sends again the bytes that the other end
 * misses. */
#include "commands/submit/srun.h"

#include "commands/exitcode.h"
#include "lib/hostlist.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>

#define READ_MAX (32u << 10)
#define TELL_AFTER                                                                                 \
        (STEP_WINDOW / 4) /* bytes of a stream while more arrive; fewer are acknowledged if idle */

/* ---- destinations of streams ---- */

static bool text_is_number(const char *s) {
        return *s && s[strspn(s, "0123456789")] == 0;
}

/* Returns the file name if srun opens the file itself, else NULL. */
static const char *own_file(const char *option) {
        if (isempty(option) || streq(option, "all") || streq(option, "none") ||
                        text_is_number(option))
                return NULL;
        return step_file_has(option, "tnN") || strchr(option, '\\') ? NULL : option;
}

static char *node_file(const char *option) {
        return (char *)(isempty(option) || streq(option, "all") || own_file(option) ? "" : option);
}

void srun_streams(struct srun *s, Slumber__StepSpec *spec) {
        const char *err = s->o.err ? s->o.err
                                   : own_file(s->o.out); /* stderr goes to the file of stdout */

        s->out_file = xstrdup(own_file(s->o.out));
        s->err_file = xstrdup(own_file(err));
        spec->std_out = node_file(s->o.out);
        spec->std_err = node_file(err);
        if (s->o.err && !*spec->std_err) /* "" would mean the nodes' files for stdout */
                spec->std_err = (char *)"all";
        spec->std_in = node_file(s->o.in);
        s->input_open = isempty(spec->std_in) || text_is_number(spec->std_in);
}

/* Returns the user's name; NULL: unknown. */
static char *own_name(void) {
        char text[16], *name = NULL;
        uid_t uid;

        snprintf(text, sizeof text, "%u", (unsigned)getuid());
        (void)command_user(text, &uid, &name, NULL);
        return name;
}

/* Returns 0 if the variable is not set or no number. */
static uint32_t environment_number(const char *variable) {
        const char *value = getenv(variable);
        uint64_t n = 0;

        (void)uint_parse(strempty(value), 0, UINT32_MAX, &n);
        return (uint32_t)n;
}

static int step_output_open(const struct srun *s, size_t part, int k, const char *pattern) {
        _cleanup_free_ char *user = step_file_has(pattern, "u") ? own_name() : NULL;
        const struct step_file_names names = {
                .job = srun_job_of(s, part),
                .step = s->step,
                .array_job = s->own ? 0 : environment_number("SLURM_ARRAY_JOB_ID"),
                .array_task = environment_number("SLURM_ARRAY_TASK_ID"),
                .user = strempty(user),
                .name = srun_job_name(s),
        };
        _cleanup_free_ char *path = step_file_name(pattern, &names);
        /* Contents: see settle_output() */
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

        if (fd < 0)
                command_error(SRUN, "Could not open %s file %s: %s", k == 2 ? "stderr" : "stdout",
                                path, strerror(errno));
        return fd < 0 ? -errno : fd;
}

/* %s and %J need the step id; in an own allocation the step is the first, 0. */
static bool needs_step(const struct srun *s, const char *pattern) {
        return !s->own && step_file_has(pattern, "sJ");
}

static int open_once(struct srun *s, size_t part, int k, const char *pattern, bool step) {
        if (!pattern || s->output_fd[k] >= 0 || (!step && needs_step(s, pattern)))
                return 0;
        if (k == 2 && s->out_file && streq(pattern, s->out_file))
                s->output_fd[2] = fcntl(s->output_fd[1], F_DUPFD_CLOEXEC, 0);
        else
                s->output_fd[k] = srun_shared_file(s, part, pattern);
        if (s->output_fd[k] < 0)
                s->output_fd[k] = step_output_open(s, part, k, pattern);
        return s->output_fd[k] < 0 ? -EIO : 0; /* already printed */
}

static int open_part(struct srun *s, size_t part, bool step) {
        srun_turn(s, part);
        int r = open_once(s, part, 1, s->out_file, step);
        if (r >= 0)
                r = open_once(s, part, 2, s->err_file, step);
        srun_turn(s, part);
        return r;
}

int srun_open_files(struct srun *s, bool step) {
        for (size_t part = 0; part < srun_count_parts(s); part++)
                if (open_part(s, part, step) < 0) {
                        s->no_files = true;
                        return -EIO;
                }
        if (s->input_fd >= 0)
                return 0;
        s->input_fd = own_file(s->o.in) ? open(s->o.in, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
        if (s->input_fd >= 0)
                return 0;
        command_error(SRUN, "Could not open stdin file %s: %s", s->o.in, strerror(errno));
        s->no_files = true;
        return -EIO;
}

/* Empties the files or sets them to append when the step starts, because the reply has
   JobFileAppend. Other objects than files cannot be emptied (EINVAL), and need not be. */
static void settle_output(const struct srun *s, const Slumber__StepReply *reply) {
        bool append = s->o.append || (reply->append_output && !s->o.truncate);

        for (int k = 1; k < 3; k++)
                if (s->output_fd[k] >= 0 &&
                                (append ? fcntl(s->output_fd[k], F_SETFL, O_APPEND)
                                        : ftruncate(s->output_fd[k], 0)) < 0 &&
                                errno != EINVAL)
                        command_error(SRUN, "Could not %s output file: %s",
                                        append ? "append to" : "empty", strerror(errno));
}

static void make_streams(struct srun *s) {
        size_t n = hostlist_count(s->nodes);
        _cleanup_free_ const char **names = xnew0(const char *, MAX(n, (size_t)1));

        for (size_t i = 0; i < n; i++)
                names[i] = hostlist_get(s->nodes, i);
        s->input = step_input_new(names, n);
        s->signals = step_signals_new(n);
        for (size_t part = 0; part < srun_count_parts(s); part++) {
                srun_turn(s, part);
                for (int k = 1; k < 3; k++)
                        s->output[k] = step_output_new(s->output_fd[k] >= 0 ? s->output_fd[k] : k,
                                        s->num_tasks, s->o.label);
                srun_turn(s, part);
        }
}

static void list_ranks(struct srun *s, size_t n_nodes) {
        s->first_of = xnew0(uint32_t, MAX(n_nodes, (size_t)1));
        s->next_of = xnew0(uint32_t, MAX(s->num_tasks, 1u));
        for (uint32_t rank = s->num_tasks; n_nodes && rank-- > 0;) {
                s->next_of[rank] = s->first_of[s->node_of[rank]];
                s->first_of[s->node_of[rank]] = rank + 1;
        }
}

int srun_step_begin(struct srun *s, const Slumber__StepReply *reply) {
        struct fail fail = { 0 };
        size_t n;

        s->step = reply->step_id;
        s->direct = reply->streams != NULL;
        if (hostlist_parse(reply->nodes, &s->nodes, &fail) < 0) {
                command_error(SRUN, "%s", fail.text);
                return -EBADMSG;
        }
        n = hostlist_count(s->nodes);
        s->tasks_left = xnew0(uint32_t, MAX(n, (size_t)1));
        for (size_t i = 0; i < n && i < reply->n_tasks_per_node; i++) {
                s->tasks_left[i] = reply->tasks_per_node[i];
                s->num_tasks += reply->tasks_per_node[i];
        }
        s->ended = xnew0(enum rank_end, MAX(s->num_tasks, 1u));
        s->node_of = xnew0(uint32_t, MAX(s->num_tasks, 1u));
        for (size_t i = 0; i < n && i < reply->n_tasks; i++)
                for (size_t k = 0; k < reply->tasks[i]->n_ranks; k++)
                        if (reply->tasks[i]->ranks[k] < s->num_tasks)
                                s->node_of[reply->tasks[i]->ranks[k]] = (uint32_t)i;
        list_ranks(s, n);
        srun_say_launch(s, reply);
        int r = srun_parts_begin(s, reply);
        if (srun_open_files(s, true) < 0)
                r = -EIO;
        for (size_t part = 0; part < srun_count_parts(s); part++) {
                srun_turn(s, part);
                settle_output(s, reply);
                srun_turn(s, part);
        }
        make_streams(s);
        return r;
}

void srun_step_done(struct srun *s) {
        for (uint32_t rank = 0; rank < s->num_tasks; rank++)
                for (int k = 1; k < 3; k++)
                        (void)step_output_finish(srun_output(s, (uint32_t)k, rank), rank);
}

/* ---- bytes ---- */

static const char *rank_node_name(const struct srun *s, uint32_t rank) {
        return rank < s->num_tasks && s->node_of[rank] < hostlist_count(s->nodes)
                               ? hostlist_get(s->nodes, s->node_of[rank])
                               : "";
}

/* Returns 1 + the first rank of a node, see next_of; 0: none. */
static uint32_t first_rank(const struct srun *s, const char *node) {
        size_t i = hostlist_index(s->nodes, node);

        return i < hostlist_count(s->nodes) ? s->first_of[i] : 0;
}

/* Acknowledges a rank's output; resume: the node has to repeat all later bytes. */
static void output_acknowledge(struct srun *s, uint32_t rank, uint32_t stream, bool resume) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->job;
        io.step_id = s->step;
        io.rank = rank;
        io.stream = stream;
        io.taken = step_output_taken(srun_output(s, stream, rank), rank);
        io.resume = resume;
        io.node = (char *)rank_node_name(s, rank);
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)srun_send(s, &env, false);
}

void srun_tell_taken(struct srun *s, bool all) {
        uint32_t rank;

        if (all)
                s->untold = 0;
        for (size_t i = 0; i < 2 * srun_count_parts(s) && s->phase == SRUN_RUNNING; i++) {
                uint32_t k = 1 + i % 2;
                struct step_output *o = srun_part_output(s, i / 2, k);
                while (step_output_untold(o, all ? 0 : TELL_AFTER, &rank))
                        output_acknowledge(s, rank, k, false);
        }
}

static void output_write(struct srun *s, const Slumber__StepIo *io) {
        struct step_output *o = srun_output(s, io->stream, io->rank);
        int r = 0;

        if (io->data.len)
                r = step_output_write(o, io->rank, io->offset, io->data.data, io->data.len);
        if (r == -EPIPE) /* like a local program: writing to a closed pipe ends it by default */
                srun_signal_step(s, SIGPIPE);
        else if (r < 0 && r != -EINVAL) {
                command_error(SRUN, "cannot write the tasks' output: %s", strerror(-r));
                s->failed = true;
        }
        /* A gap hides the true end: the missing bytes come again */
        if (io->eof && io->offset + io->data.len <= step_output_taken(o, io->rank))
                (void)step_output_finish(o, io->rank);
        s->untold += io->data.len;
        /* Many small streams fill their node's window like a large stream */
        srun_tell_taken(s, s->untold >= STEP_WINDOW);
}

void srun_send_input(struct srun *s, const char *node, const struct step_input_part *part) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->job;
        io.step_id = s->step;
        io.rank = part->rank;
        io.node = (char *)node;
        io.offset = part->offset;
        io.eof = part->end;
        io.data.data = (uint8_t *)part->data;
        io.data.len = part->size;
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)srun_send(s, &env, false);
}

static void send_input_again(struct srun *s, const char *node) {
        struct step_input_part part = { 0 };

        while (step_input_again(s->input, node, READ_MAX, &part))
                srun_send_input(s, node, &part);
}

void srun_send_signal(struct srun *s, const char *node, uint32_t number, uint32_t signal) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = s->job;
        io.step_id = s->step;
        io.rank = RANK_ALL;
        io.node = (char *)(uintptr_t)node;
        io.signal = signal;
        io.signal_number = number;
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)srun_send(s, &env, false);
}

static void send_signals_again(struct srun *s, const char *node) {
        uint32_t number = 0, signal;

        while (step_signals_next(s->signals, hostlist_index(s->nodes, node), &number, &signal))
                srun_send_signal(s, node, number, signal);
}

void srun_step_io(struct srun *s, const Slumber__StepIo *io) {
        if (s->phase != SRUN_RUNNING || io->job_id != s->job || io->step_id != s->step)
                return;
        if (io->signal_number) {
                step_signals_taken(s->signals, hostlist_index(s->nodes, io->node),
                                io->signal_number);
                return;
        }
        if (io->stream == 1 || io->stream == 2) {
                output_write(s, io);
        } else if (io->stream == 0) {
                step_input_taken(s->input, io->node, io->taken);
                srun_viewers_room(s);
                if (io->resume)
                        send_input_again(s, io->node);
        }
}

static bool knows_processes(const struct srun *s, const char *node) {
        for (uint32_t r = first_rank(s, node); r; r = s->next_of[r - 1])
                if (!s->processes || !s->processes[r - 1].executable)
                        return false;
        return true;
}

/* Requests the process ids of a node's tasks again, which may have been lost with a connection;
   the tasks stay stopped until their ids are known. */
static void ask_for_processes(struct srun *s, const char *node) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        if (!s->o.debugger_test || knows_processes(s, node))
                return;
        io.job_id = s->job;
        io.step_id = s->step;
        io.rank = RANK_ALL;
        io.node = (char *)(uintptr_t)node;
        io.tell_processes = true;
        ENVELOPE(env, STEP_IO, step_io, &io);
        (void)srun_send(s, &env, false);
}

/* A node is connected again: bytes in transit were lost and are exchanged again. */
static void node_is_back(struct srun *s, const char *node) {
        for (uint32_t r = first_rank(s, node); r; r = s->next_of[r - 1])
                for (uint32_t k = 1; k < 3; k++)
                        output_acknowledge(s, r - 1, k, true);
        send_input_again(s, node);
        send_signals_again(s, node);
        srun_pty_resized(s, node);
        ask_for_processes(s, node);
}

/* ---- notices ---- */

static void ranks_ended(struct srun *s, const char *node, const Slumber__StepNotice *notice) {
        for (size_t i = 0; i < notice->n_ranks; i++)
                if (notice->ranks[i] < s->num_tasks)
                        s->ended[notice->ranks[i]] = notice->exit_code ? RANK_FAILED : RANK_ENDED;
        if (s->ended[0])
                srun_pty_end(s);
        size_t i = hostlist_index(s->nodes, node);
        if (i >= hostlist_count(s->nodes))
                return;
        s->tasks_left[i] -= (uint32_t)MIN(notice->n_ranks, (size_t)s->tasks_left[i]);
        if (s->tasks_left[i] == 0)
                step_input_gone(s->input, node);
}

/* Notes the worst status. If tasks have ended the whole step, the first of them determines the
   status. */
static void take_status(struct srun *s, const Slumber__StepNotice *notice) {
        if (notice->aborted && !s->aborted)
                s->status = notice->exit_code;
        else if (!s->aborted)
                s->status = exit_worse(s->status, notice->exit_code);
        s->aborted |= notice->aborted;
}

static void tasks_exited(struct srun *s, const Slumber__StepNotice *notice) {
        size_t node = hostlist_index(s->nodes, notice->node);

        ranks_ended(s, notice->node, notice);
        srun_say_exited(s, notice);
        take_status(s, notice);
        if (s->o.wait_seconds && !s->wait_until)
                s->wait_until = srun_now(s) + s->o.wait_seconds * USEC_PER_SEC;
        if (s->no_files)
                return;
        /* About all remaining tasks of the node */
        if (notice->n_ranks == 0 && !isempty(notice->text))
                command_error(SRUN, "%s: %s", notice->node, notice->text);
        if (notice->exit_code && notice->n_ranks)
                exit_lines_add(&s->failures, notice->node, notice->exit_code, notice->ranks,
                                notice->n_ranks);
        if (node >= hostlist_count(s->nodes) || s->tasks_left[node] == 0)
                exit_lines_print(&s->failures, SRUN, notice->node);
        if (notice->exit_code && notice->n_ranks && s->kill_on_bad_exit && !s->deadline) {
                exit_lines_print(&s->failures, SRUN, NULL);
                fprintf(stderr, SRUN ": Terminating StepId=%u.%s\n", s->job, STEP_WORD(s->step));
                srun_end_step(s);
        }
}

/* Uses Slurm's wording, which test programs parse. */
static void print_processes(const struct srun *s) {
        for (uint32_t i = 0; i < s->num_tasks; i++)
                printable_fprintf(stderr,
                                SRUN ": task:%" PRIu32 ", host:%s, pid:%" PRIu32
                                     ", executable:%s\n",
                                i, s->processes[i].host, s->processes[i].pid,
                                s->processes[i].executable);
}

/* Takes process ids, which a node may report twice, and prints the table when all are known. */
static void take_processes(struct srun *s, const Slumber__StepNotice *notice) {
        uint32_t before = s->n_processes;

        if (!s->processes)
                s->processes = xnew0(struct srun_process, s->num_tasks);
        for (size_t i = 0; i < notice->n_processes; i++) {
                const Slumber__TaskProcess *from = notice->processes[i];
                struct srun_process *to = from->rank < s->num_tasks ? &s->processes[from->rank]
                                                                    : NULL;
                if (!to || to->executable)
                        continue;
                to->pid = from->pid;
                to->host = rank_node_name(s, from->rank);
                to->executable = xstrdup(from->executable);
                s->n_processes++;
        }
        if (s->n_processes > before && s->n_processes == s->num_tasks && s->o.debugger_test)
                print_processes(s);
}

void srun_step_notice(struct srun *s, const Slumber__StepNotice *notice) {
        if (s->phase != SRUN_RUNNING || notice->job_id != s->job || notice->step_id != s->step)
                return;
        switch (notice->kind) {
        case SLUMBER__STEP_NOTICE__KIND__TASK_EXIT:
                tasks_exited(s, notice);
                break;
        case SLUMBER__STEP_NOTICE__KIND__LAUNCH_FAILED:
                command_error(SRUN, "Task launch for StepId=%u.%s failed on node %s: %s", s->job,
                                STEP_WORD(s->step), notice->node, notice->text);
                s->failed = true;
                step_input_gone(s->input, notice->node);
                break;
        case SLUMBER__STEP_NOTICE__KIND__ENDED:
                take_status(s, notice);
                exit_lines_print(&s->failures, SRUN, NULL);
                if (!isempty(notice->text))
                        command_error(SRUN, "%s", notice->text);
                s->phase = SRUN_COMPLETE; /* srun.c continues */
                break;
        case SLUMBER__STEP_NOTICE__KIND__NODE_BACK:
                node_is_back(s, notice->node);
                break;
        case SLUMBER__STEP_NOTICE__KIND__SILENT:
                srun_nodes_silent(s, notice->node);
                break;
        case SLUMBER__STEP_NOTICE__KIND__STARTED:
                s->launch_by = 0;
                srun_say_started(s);
                break;
        case SLUMBER__STEP_NOTICE__KIND__NODE_FAILED:
                command_error(SRUN, "Node failure on %s", notice->node);
                step_input_gone(s->input, notice->node);
                break;
        case SLUMBER__STEP_NOTICE__KIND__PROCESSES:
                take_processes(s, notice);
                break;
        case SLUMBER__STEP_NOTICE__KIND__WAITS: /* for steps without an id */
        case SLUMBER__STEP_NOTICE__KIND__NONE:
        case _SLUMBER__STEP_NOTICE__KIND_IS_INT_SIZE:
                break;
        }
}

/* ---- standard input ---- */

/* A read from the terminal would stop srun in the background. */
static bool in_background(int fd) {
        pid_t group = isatty(fd) ? tcgetpgrp(fd) : -1;

        return group >= 0 && group != getpgrp();
}

bool srun_wants_input(const struct srun *s) {
        return s->phase == SRUN_RUNNING && s->input_open && !s->held &&
               step_input_room(s->input) > 0 && !in_background(s->input_fd);
}

void srun_read_input(struct srun *s) {
        static uint8_t buf[READ_MAX];
        struct step_input_part part = { .data = buf, .rank = RANK_ALL };
        ssize_t n = read(s->input_fd, buf, MIN(step_input_room(s->input), (size_t)READ_MAX));

        if (n < 0 && (errno == EINTR || errno == EAGAIN))
                return;
        part.end = n <= 0;
        part.size = n > 0 ? (size_t)n : 0;
        part.offset = step_input_add(s->input, RANK_ALL, buf, part.size, part.end);
        s->input_open = !part.end;
        srun_send_input(s, "", &part);
}

/* ---- Ctrl-C ---- */

static void print_ranks(const struct srun *s, enum rank_end ended, const char *what) {
        _cleanup_free_ uint32_t *ranks = xnew(uint32_t, MAX(s->num_tasks, 1u));
        _cleanup_free_ char *text = NULL;
        size_t n = 0;

        for (uint32_t i = 0; i < s->num_tasks; i++)
                if (s->ended[i] == ended)
                        ranks[n++] = i;
        if (n == 0)
                return;
        text = exit_tasks_text(ranks, n);
        fprintf(stderr, SRUN ": StepId=%u.%s %s: %s\n", s->job, STEP_WORD(s->step), text, what);
}

void srun_print_status(struct srun *s) {
        exit_lines_print(&s->failures, SRUN, NULL);
        print_ranks(s, RANK_RUNS, "running");
        print_ranks(s, RANK_ENDED, "exited");
        print_ranks(s, RANK_FAILED, "exited abnormally");
}
