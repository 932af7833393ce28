/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun as a process, and this test as its daemon and controller. */
#include "commands/command.h"
#include "lib/errors.h"
#include "tests/unit/fakedaemon.h"

#define JOB  7
#define STEP 0

#define START(f, ...) fake_start((f), srun_main, (const char *const[]){ "srun", __VA_ARGS__, NULL })

/* ---- the daemon's words ---- */

static void send_job_notice(struct fake *f, Slumber__JobNotice__Kind kind) {
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;

        m.job_id = JOB;
        m.kind = kind;
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);
        fake_send(f, &env, 0);
}

/* Takes the request for an allocation and grants it. */
static Envelope *grant(struct fake *f) {
        Envelope *request = fake_receive(f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;

        assert_true(request->submit->allocate);
        m.job_id = JOB;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(f, &env, request->id);
        send_job_notice(f, SLUMBER__JOB_NOTICE__KIND__ALLOCATED);
        return request;
}

/* Takes the request for a step and starts it on n1 (rank 0) and, with two, n2 (rank 1); direct: its
   streams do not need the controller. */
static Envelope *start_step_by(struct fake *f, bool two, bool direct) {
        Envelope *request = fake_receive(f, SLUMBER__ENVELOPE__BODY_STEP_REQUEST);
        Slumber__StepReply m = SLUMBER__STEP_REPLY__INIT;
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        uint32_t counts[] = { 1, 1 }, ranks[] = { 0, 1 };
        Slumber__TaskList lists[] = { SLUMBER__TASK_LIST__INIT, SLUMBER__TASK_LIST__INIT };
        Slumber__TaskList *pointers[] = { &lists[0], &lists[1] };

        assert_int_equal(request->step_request->job_id, JOB);
        m.job_id = JOB;
        m.step_id = STEP;
        m.kill_wait = 7;
        m.nodes = two ? (char *)"n[1-2]" : (char *)"n1";
        m.tasks_per_node = counts;
        m.n_tasks_per_node = two ? 2 : 1;
        m.tasks = pointers;
        m.n_tasks = m.n_tasks_per_node;
        m.streams = direct ? &streams : NULL;
        for (size_t i = 0; i < m.n_tasks; i++) {
                lists[i].ranks = &ranks[i];
                lists[i].n_ranks = 1;
        }
        ENVELOPE(env, STEP_REPLY, step_reply, &m);
        fake_send(f, &env, request->id);
        return request;
}

static Envelope *start_step(struct fake *f, bool two) {
        return start_step_by(f, two, false);
}

static void send_bytes_at(struct fake *f, uint32_t rank, uint32_t stream, uint64_t offset,
                const char *text) {
        Slumber__StepIo m = SLUMBER__STEP_IO__INIT;

        m.job_id = JOB;
        m.step_id = STEP;
        m.rank = rank;
        m.stream = stream;
        m.node = rank ? (char *)"n2" : (char *)"n1";
        m.data.data = (uint8_t *)text;
        m.data.len = text ? strlen(text) : 0;
        m.eof = !text;
        m.offset = offset;
        ENVELOPE(env, STEP_IO, step_io, &m);
        fake_send(f, &env, 0);
}

static void send_bytes(struct fake *f, uint32_t rank, uint32_t stream, const char *text) {
        send_bytes_at(f, rank, stream, 0, text);
}

static void send_step_notice(struct fake *f, Slumber__StepNotice__Kind kind, uint32_t rank,
                uint32_t status) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = JOB;
        m.step_id = STEP;
        m.kind = kind;
        m.node = rank ? (char *)"n2" : (char *)"n1";
        m.ranks = &rank;
        m.n_ranks = 1;
        m.exit_code = status;
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        fake_send(f, &env, 0);
}
#define TASK_EXIT(f, rank, status)                                                                 \
        send_step_notice((f), SLUMBER__STEP_NOTICE__KIND__TASK_EXIT, (rank), (status))
#define STEP_END(f, status) send_step_notice((f), SLUMBER__STEP_NOTICE__KIND__ENDED, 0, (status))

static void send_ok(struct fake *f, uint64_t reply_to) {
        Slumber__Ok ok = SLUMBER__OK__INIT;
        ENVELOPE(env, OK, ok, &ok);

        fake_send(f, &env, reply_to);
}

static void expect_action(struct fake *f, int kind, uint32_t value) {
        _cleanup_envelope_ Envelope *env = fake_receive(f, SLUMBER__ENVELOPE__BODY_JOB_ACTION);
        const Slumber__JobAction *a = env->job_action;

        assert_int_equal(a->kind, kind);
        assert_int_equal(a->n_ids, 1);
        assert_int_equal(a->ids[0], JOB);
        assert_int_equal(kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE ? a->exit_code
                                                                               : a->signal,
                        value);
        send_ok(f, env->id);
}
#define COMPLETE SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE
#define CANCEL   SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL
#define SIGNAL   SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL

static void expect_taken(struct fake *f, uint32_t rank, uint32_t stream, uint64_t taken) {
        _cleanup_envelope_ Envelope *env = fake_receive(f, SLUMBER__ENVELOPE__BODY_STEP_IO);

        assert_int_equal(env->step_io->rank, rank);
        assert_int_equal(env->step_io->stream, stream);
        assert_int_equal(env->step_io->taken, taken);
        assert_string_equal(env->step_io->node, rank ? "n2" : "n1");
}

/* Standard input: data and its end, joined as they come. */
static void expect_input(struct fake *f, const char *expected) {
        char text[256] = "";
        bool eof = false;

        while (!eof) {
                _cleanup_envelope_ Envelope *env = fake_receive(f, SLUMBER__ENVELOPE__BODY_STEP_IO);
                const Slumber__StepIo *io = env->step_io;

                assert_int_equal(io->rank, RANK_ALL);
                assert_int_equal(io->stream, 0);
                if (io->data.len)
                        strncat(text, (const char *)io->data.data, io->data.len);
                eof = io->eof;
        }
        assert_string_equal(text, expected);
}

static void close_input(struct fake *f) {
        close(f->in);
        f->in = -1;
}

/* ---- cases ---- */

static void a_command_gets_an_allocation_and_gives_it_back(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-n2", "-l", "-p", "part", "prog", "arg", "-x");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, true);
        assert_string_equal(submit->submit->spec->name, "prog");
        assert_string_equal(submit->submit->spec->partition, "part");
        assert_int_equal(submit->submit->spec->num_tasks, 2);
        assert_false(submit->submit->spec->batch);
        assert_int_equal(step->step_request->spec->n_arguments, 3);
        assert_string_equal(step->step_request->spec->arguments[2], "-x");
        assert_true(step->step_request->spec->n_environment > 0);
        send_bytes(&f, 1, 1, "one\n");
        expect_taken(&f, 1, 1, 4);
        send_bytes(&f, 0, 2, "zero");
        expect_taken(&f, 0, 2, 4);
        send_bytes(&f, 0, 2, NULL);
        TASK_EXIT(&f, 0, 0);
        TASK_EXIT(&f, 1, 3 << 8);
        STEP_END(&f, 3 << 8);
        expect_action(&f, COMPLETE, 3 << 8);
        assert_int_equal(fake_end(&f), 3);
        assert_string_equal(f.out, "1: one\n");
        assert_string_equal(f.err, "0: zero\nsrun: error: n2: task 1: Exited with exit code 3\n");
        fake_close(&f);
}

static void standard_input_goes_to_all_tasks(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "cat");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        assert_int_equal(write(f.in, "hello\n", 6), 6);
        close_input(&f);
        expect_input(&f, "hello\n");
        TASK_EXIT(&f, 0, 0);
        STEP_END(&f, 0);
        expect_action(&f, COMPLETE, 0);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.err, "");
        fake_close(&f);
}

static void input_waits_until_it_is_taken(void **state) {
        _cleanup_free_ char *much = xcalloc(1, STEP_WINDOW + 1);
        struct fake f;
        size_t got = 0;
        Slumber__StepIo taken = SLUMBER__STEP_IO__INIT;
        pid_t writer;

        fake_open(&f);
        START(&f, "cat");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        writer = fork(); /* the pipe holds less than the window */
        if (writer == 0)
                _exit(write(f.in, much, STEP_WINDOW + 1) != STEP_WINDOW + 1);
        close_input(&f);
        while (got < STEP_WINDOW) {
                _cleanup_envelope_ Envelope *env = fake_receive(&f,
                                SLUMBER__ENVELOPE__BODY_STEP_IO);

                got += env->step_io->data.len;
                assert_false(env->step_io->eof);
        }
        assert_int_equal(got, STEP_WINDOW); /* and not the byte beyond it */
        taken.job_id = JOB;
        taken.step_id = STEP;
        taken.rank = RANK_ALL;
        taken.taken = STEP_WINDOW;
        taken.node = (char *)"n1";
        ENVELOPE(env, STEP_IO, step_io, &taken);
        fake_send(&f, &env, 0);
        _cleanup_envelope_ Envelope *rest = fake_receive(&f, SLUMBER__ENVELOPE__BODY_STEP_IO);
        assert_int_equal(rest->step_io->data.len, 1);
        expect_input(&f, "");
        waitpid(writer, NULL, 0);
        TASK_EXIT(&f, 0, 0);
        STEP_END(&f, 0);
        expect_action(&f, COMPLETE, 0);
        assert_int_equal(fake_end(&f), 0);
        fake_close(&f);
}

static void a_signal_is_the_exit_code_and_wins(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-n2", "--input=none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, true);
        assert_string_equal(step->step_request->spec->std_in, "none");
        TASK_EXIT(&f, 0, 250 << 8);
        TASK_EXIT(&f, 1, SIGKILL);
        STEP_END(&f, SIGKILL);
        expect_action(&f, COMPLETE, SIGKILL);
        assert_int_equal(fake_end(&f), 137);
        assert_string_equal(f.err, "srun: error: n1: task 0: Exited with exit code 250\n"
                                   "srun: error: n2: task 1: Killed\n"
                                   "srun: Force Terminated StepId=7.0\n");
        fake_close(&f);
}

/* Ranks 0 to 2 on n1, 3 and 4 on n2. */
static Envelope *start_large_step(struct fake *f) {
        Envelope *request = fake_receive(f, SLUMBER__ENVELOPE__BODY_STEP_REQUEST);
        Slumber__StepReply m = SLUMBER__STEP_REPLY__INIT;
        uint32_t counts[] = { 3, 2 }, ranks[] = { 0, 1, 2, 3, 4 };
        Slumber__TaskList first = SLUMBER__TASK_LIST__INIT, second = SLUMBER__TASK_LIST__INIT;
        Slumber__TaskList *lists[] = { &first, &second };

        m.job_id = JOB;
        m.step_id = STEP;
        m.nodes = (char *)"n[1-2]";
        m.tasks_per_node = counts;
        m.tasks = lists;
        m.n_tasks_per_node = m.n_tasks = 2;
        first.ranks = ranks;
        first.n_ranks = 3;
        second.ranks = ranks + 3;
        second.n_ranks = 2;
        ENVELOPE(env, STEP_REPLY, step_reply, &m);
        fake_send(f, &env, request->id);
        return request;
}

static void exit_of(struct fake *f, const char *node, uint32_t rank, uint32_t status) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = JOB;
        m.step_id = STEP;
        m.kind = SLUMBER__STEP_NOTICE__KIND__TASK_EXIT;
        m.node = (char *)(uintptr_t)node;
        m.ranks = &rank;
        m.n_ranks = 1;
        m.exit_code = status;
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        fake_send(f, &env, 0);
}

static void tasks_of_a_node_that_end_alike_are_one_line(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-n5", "--input=none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_large_step(&f);
        exit_of(&f, "n2", 4, SIGSEGV);
        exit_of(&f, "n1", 2, 1 << 8);
        exit_of(&f, "n2", 3, SIGSEGV);
        exit_of(&f, "n1", 0, 1 << 8);
        fake_wait_err(&f, "n1: tasks 0,2: Exited with exit code 1\n"); /* rank 1 still runs */
        exit_of(&f, "n1", 1, SIGABRT);
        STEP_END(&f, SIGSEGV);
        expect_action(&f, COMPLETE, SIGSEGV);
        assert_int_equal(fake_end(&f), 139);
        assert_string_equal(f.err, "srun: error: n2: tasks 3-4: Segmentation fault\n"
                                   "srun: error: n1: tasks 0,2: Exited with exit code 1\n"
                                   "srun: error: n1: task 1: Aborted\n");
        fake_close(&f);
}

static void a_refused_allocation_is_said(void **state) {
        Slumber__Error error = SLUMBER__ERROR__INIT;
        struct fake f;

        fake_open(&f);
        START(&f, "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        error.code = 2; /* SLUMBER_BAD_PARTITION */
        ENVELOPE(env, ERROR, error, &error);
        fake_send(&f, &env, submit->id);
        assert_int_equal(fake_end(&f), 1);
        assert_string_equal(f.err, "srun: error: Unable to allocate resources: Invalid partition "
                                   "name specified\n");
        fake_close(&f);
}

/* The words come only when the job really waits: the test answers after it has seen them. */
static void waiting_is_said(void **state) {
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;
        struct fake f;

        fake_open(&f);
        START(&f, "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        m.job_id = JOB;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(&f, &env, submit->id);
        fake_wait_err(&f, "queued and waiting for resources\n");
        send_job_notice(&f, SLUMBER__JOB_NOTICE__KIND__ALLOCATED);
        _cleanup_envelope_ Envelope *step = start_step(&f, false);
        STEP_END(&f, 0);
        close_input(&f);
        for (int action = 0; !action;) { /* the end of input may come first */
                _cleanup_envelope_ Envelope *next = NULL;

                assert_int_equal(wire_receive(f.w, FAKE_PATIENCE, &next), 0);
                action = next->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION;
                if (action)
                        send_ok(&f, next->id);
        }
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.err, "srun: job 7 queued and waiting for resources\n"
                                   "srun: job 7 has been allocated resources\n");
        fake_close(&f);
}

static void a_revoked_allocation_is_a_failure(void **state) {
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;
        struct fake f;

        fake_open(&f);
        START(&f, "-Q", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        m.job_id = JOB;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(&f, &env, submit->id);
        send_job_notice(&f, SLUMBER__JOB_NOTICE__KIND__ENDED);
        assert_int_equal(fake_end(&f), 1);
        assert_string_equal(f.err, "srun: Job allocation 7 has been revoked\n");
        fake_close(&f);
}

static void inside_an_allocation_only_a_step_is_asked_for(void **state) {
        struct fake f;

        fake_open(&f);
        setenv("SLURM_JOB_ID", "7", 1);
        setenv("SLURM_JOB_NUM_NODES", "2", 1);
        setenv("SLURM_CPUS_PER_TASK", "2", 1);
        START(&f, "-n2", "-i", "none", "-o", "none", "--overlap", "prog");
        unsetenv("SLURM_JOB_ID");
        unsetenv("SLURM_JOB_NUM_NODES");
        unsetenv("SLURM_CPUS_PER_TASK");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *step = start_step(&f, true);
        const Slumber__StepSpec *spec = step->step_request->spec;
        assert_int_equal(spec->num_tasks, 2);
        assert_int_equal(spec->min_nodes, 2);
        assert_int_equal(spec->cpus_per_task, 2);
        assert_true(spec->overlap);
        assert_false(spec->exact); /* -c came from the job, not from the user */
        assert_string_equal(spec->std_out, "none");
        STEP_END(&f, 0);
        assert_int_equal(fake_end(&f), 0);
        fake_close(&f);
}

/* The middle of the stream was dropped on its way, as srun did not read, and comes again. */
static void an_end_behind_a_gap_breaks_no_line(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-l", "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        send_bytes(&f, 0, 1, "begin");
        expect_taken(&f, 0, 1, 5);
        send_bytes_at(&f, 0, 1, 10, NULL);
        send_bytes_at(&f, 0, 1, 5, " end\n");
        expect_taken(&f, 0, 1, 10);
        TASK_EXIT(&f, 0, 0);
        STEP_END(&f, 0);
        expect_action(&f, COMPLETE, 0);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.out, "0: begin end\n");
        fake_close(&f);
}

static void one_interrupt_tells_and_sigterm_is_passed_on(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        send_bytes(&f, 0, 1, "x");
        expect_taken(&f, 0, 1, 1); /* now it runs */
        kill(f.pid, SIGINT);
        fake_wait_err(&f, "running\n");
        kill(f.pid, SIGTERM);
        expect_action(&f, SIGNAL, SIGTERM);
        TASK_EXIT(&f, 0, SIGTERM);
        STEP_END(&f, SIGTERM);
        expect_action(&f, COMPLETE, SIGTERM);
        assert_int_equal(fake_end(&f), 143);
        assert_string_equal(f.err, "srun: interrupt (one more within 1 sec to abort)\n"
                                   "srun: StepId=7.0 task 0: running\n"
                                   "srun: error: n1: task 0: Terminated\n"
                                   "srun: Force Terminated StepId=7.0\n");
        fake_close(&f);
}

static void sigterm_behind_sighup_is_passed_on(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        send_bytes(&f, 0, 1, "x");
        expect_taken(&f, 0, 1, 1); /* now it runs */
        kill(f.pid, SIGSTOP);
        kill(f.pid, SIGHUP);
        kill(f.pid, SIGTERM);
        kill(f.pid, SIGCONT);
        expect_action(&f, SIGNAL, SIGHUP);
        expect_action(&f, SIGNAL, SIGTERM);
        TASK_EXIT(&f, 0, SIGTERM);
        STEP_END(&f, SIGTERM);
        expect_action(&f, COMPLETE, SIGTERM);
        assert_int_equal(fake_end(&f), 143);
        fake_close(&f);
}

static void expect_signal(struct fake *f, const char *node, uint32_t signal, uint32_t number) {
        _cleanup_envelope_ Envelope *env = fake_receive(f, SLUMBER__ENVELOPE__BODY_STEP_IO);

        assert_string_equal(env->step_io->node, node);
        assert_int_equal(env->step_io->signal, signal);
        assert_int_equal(env->step_io->signal_number, number);
}

static void signal_had(struct fake *f, const char *node, uint32_t number) {
        Slumber__StepIo m = SLUMBER__STEP_IO__INIT;

        m.job_id = JOB;
        m.step_id = STEP;
        m.node = (char *)(uintptr_t)node;
        m.signal_number = number;
        ENVELOPE(env, STEP_IO, step_io, &m);
        fake_send(f, &env, 0);
}

static void direct_signals_come_again_where_they_were_lost(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-n2", "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step_by(&f, true, true);
        send_bytes(&f, 0, 1, "x");
        expect_taken(&f, 0, 1, 1); /* now it runs */
        kill(f.pid, SIGUSR1);
        expect_signal(&f, "", SIGUSR1, 1);
        kill(f.pid, SIGTERM);
        expect_signal(&f, "", SIGTERM, 2);
        /* who is silent the controller alone can say; its answer ends the wait for one */
        _cleanup_envelope_ Envelope *told = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_ACTION);
        assert_int_equal(told->job_action->signal, SIGTERM);
        assert_true(told->job_action->sent);
        send_ok(&f, told->id);
        signal_had(&f, "n1", 1);
        signal_had(&f, "n2", 1);
        signal_had(&f, "n2", 2);
        send_step_notice(&f, SLUMBER__STEP_NOTICE__KIND__NODE_BACK, 1, 0);
        expect_taken(&f, 1, 1, 0);
        expect_taken(&f, 1, 2, 0);
        send_step_notice(&f, SLUMBER__STEP_NOTICE__KIND__NODE_BACK, 0, 0);
        expect_taken(&f, 0, 1, 1);
        expect_taken(&f, 0, 2, 0);
        expect_signal(&f, "n1", SIGTERM, 2);
        TASK_EXIT(&f, 0, 0);
        TASK_EXIT(&f, 1, 0);
        STEP_END(&f, 0);
        expect_action(&f, COMPLETE, 0);
        assert_int_equal(fake_end(&f), 0);
        fake_close(&f);
}

static void interrupts_end_a_step_with_q_at_once(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "--quit-on-interrupt", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        send_bytes(&f, 0, 1, "x");
        expect_taken(&f, 0, 1, 1);
        kill(f.pid, SIGINT);
        expect_action(&f, SIGNAL, SIGINT);
        expect_action(&f, CANCEL, SIGKILL);
        TASK_EXIT(&f, 0, SIGKILL);
        STEP_END(&f, SIGKILL);
        expect_action(&f, COMPLETE, SIGKILL);
        assert_int_equal(fake_end(&f), 137);
        assert_non_null(strstr(f.err,
                        "srun: sending Ctrl-C to StepId=7.0\n"
                        "srun: forcing job termination\n"
                        "srun: Job step aborted: Waiting up to 9 seconds for job step to "
                        "finish.\n"));
        fake_close(&f);
}

static void an_output_file_without_rank_is_written_here(void **state) {
        _cleanup_free_ char *text = NULL;
        char file[128], option[160];
        struct fake f;

        fake_open(&f);
        snprintf(file, sizeof file, "%s/out-7", f.folder);
        snprintf(option, sizeof option, "--output=%s/out-%%j", f.folder);
        START(&f, "-i", "none", option, "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        assert_string_equal(step->step_request->spec->std_out, "");
        send_bytes(&f, 0, 1, "a\n");
        send_bytes(&f, 0, 2, "b\n");
        expect_taken(&f, 0, 1, 2);
        expect_taken(&f, 0, 2, 2);
        STEP_END(&f, 0);
        expect_action(&f, COMPLETE, 0);
        assert_int_equal(fake_end(&f), 0);
        text = fake_text(file);
        assert_string_equal(text, "a\nb\n");
        unlink(file);
        fake_close(&f);
}

static void unread_output_ends_the_tasks(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        close(f.err_fd);
        f.err_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        send_bytes(&f, 0, 2, "a\n");
        expect_action(&f, SIGNAL, SIGPIPE);
        expect_taken(&f, 0, 2, 2); /* it goes on taking bytes */
        send_bytes_at(&f, 0, 2, 2, "b\n");
        expect_taken(&f, 0, 2, 4);
        STEP_END(&f, SIGPIPE);
        expect_action(&f, COMPLETE, SIGPIPE);
        assert_int_equal(fake_end(&f), 128 + SIGPIPE);
        fake_close(&f);
}

/* An earlier controller launches the step at once. */
static void a_step_that_is_not_held_for_its_prolog_is_ended(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "--prolog=/bin/true", "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        expect_action(&f, CANCEL, 0);
        STEP_END(&f, SIGKILL);
        expect_action(&f, COMPLETE, SIGKILL);
        assert_int_not_equal(fake_end(&f), 0);
        assert_non_null(strstr(f.err, "does not know --prolog. Aborting step.\n"));
        fake_close(&f);
}

/* The answer to a request that is said again. */
static void held_again(struct fake *f, bool running) {
        _cleanup_envelope_ Envelope *request = fake_receive(f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;

        assert_true(request->submit->again);
        assert_int_equal(request->submit->job_id, JOB);
        assert_true(request->submit->spec->token != 0);
        m.job_id = JOB;
        m.started = running;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(f, &env, request->id);
}

static void lose(struct fake *f) {
        f->w = wire_free(f->w);
        fake_accept(f);
}

static void a_lost_connection_is_made_again(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = grant(&f), *step = start_step(&f, false);
        send_bytes(&f, 0, 1, "abc");
        expect_taken(&f, 0, 1, 3);
        lose(&f);
        held_again(&f, true);
        _cleanup_envelope_ Envelope *again = start_step(&f, false);
        assert_true(again->step_request->again);
        assert_int_equal(again->step_request->step->value, STEP);
        assert_int_equal(again->step_request->spec->token, step->step_request->spec->token);
        send_step_notice(&f, SLUMBER__STEP_NOTICE__KIND__NODE_BACK, 0, 0);
        expect_taken(&f, 0, 1, 3);
        expect_taken(&f, 0, 2, 0);
        send_bytes(&f, 0, 1, "abcdef"); /* part of it was there */
        expect_taken(&f, 0, 1, 6);
        STEP_END(&f, 5 << 8);
        expect_action(&f, COMPLETE, 5 << 8);
        assert_int_equal(fake_end(&f), 5);
        assert_string_equal(f.out, "abcdef");
        assert_string_equal(f.err, "");
        fake_close(&f);
}

static void a_lost_connection_is_said_when_it_lasts(void **state) {
        Slumber__SubmitReply m = SLUMBER__SUBMIT_REPLY__INIT;
        Slumber__Error error = SLUMBER__ERROR__INIT;
        struct fake f;

        fake_open(&f);
        START(&f, "-Q", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        m.job_id = JOB;
        ENVELOPE(env, SUBMIT_REPLY, submit_reply, &m);
        fake_send(&f, &env, submit->id);
        error.code = 9999; /* no answer: not for srun */
        ENVELOPE(other, ERROR, error, &error);
        fake_send(&f, &other, 0);
        lose(&f); /* and says nothing */
        fake_wait_err(&f, "srun: Unable to contact slurm controller: waiting for it\n");
        held_again(&f, false);
        send_job_notice(&f, SLUMBER__JOB_NOTICE__KIND__ENDED);
        assert_int_equal(fake_end(&f), 1);
        fake_close(&f);
}

static void refuse(struct fake *f, uint64_t reply_to, int code) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        error.code = (uint32_t)code;
        ENVELOPE(env, ERROR, error, &error);
        fake_send(f, &env, reply_to);
}

static void a_submission_that_may_have_arrived_is_said_again(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        refuse(&f, submit->id, SLUMBER_CONTROLLER_LOST);
        fake_accept(&f);
        _cleanup_envelope_ Envelope *early = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        refuse(&f, early->id, SLUMBER_CONTROLLER_AWAY); /* it is not back yet */
        fake_accept(&f);
        _cleanup_envelope_ Envelope *again = grant(&f), *step = start_step(&f, false);
        assert_true(again->submit->again);
        assert_int_equal(again->submit->job_id, 0);
        assert_int_equal(again->submit->spec->token, submit->submit->spec->token);
        STEP_END(&f, 0);
        expect_action(&f, COMPLETE, 0);
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.err, "");
        fake_close(&f);
}

static void a_controller_that_is_away_is_said_at_once(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-i", "none", "prog");
        fake_accept(&f);
        _cleanup_envelope_ Envelope *submit = fake_receive(&f, SLUMBER__ENVELOPE__BODY_SUBMIT);
        refuse(&f, submit->id, SLUMBER_CONTROLLER_AWAY);
        assert_int_equal(fake_end(&f), 1);
        assert_non_null(strstr(f.err,
                        "Unable to allocate resources: Unable to contact slurm controller"));
        fake_close(&f);
}

static void what_is_wrong_is_said_before_anything_is_sent(void **state) {
        struct fake f;

        fake_open(&f);
        START(&f, "-n2");
        assert_int_equal(fake_end(&f), 1);
        assert_string_equal(f.err, "srun: fatal: No command given to execute.\n");
        fake_close(&f);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_command_gets_an_allocation_and_gives_it_back),
                cmocka_unit_test(standard_input_goes_to_all_tasks),
                cmocka_unit_test(input_waits_until_it_is_taken),
                cmocka_unit_test(a_signal_is_the_exit_code_and_wins),
                cmocka_unit_test(tasks_of_a_node_that_end_alike_are_one_line),
                cmocka_unit_test(a_refused_allocation_is_said),
                cmocka_unit_test(waiting_is_said),
                cmocka_unit_test(a_revoked_allocation_is_a_failure),
                cmocka_unit_test(inside_an_allocation_only_a_step_is_asked_for),
                cmocka_unit_test(an_end_behind_a_gap_breaks_no_line),
                cmocka_unit_test(one_interrupt_tells_and_sigterm_is_passed_on),
                cmocka_unit_test(sigterm_behind_sighup_is_passed_on),
                cmocka_unit_test(direct_signals_come_again_where_they_were_lost),
                cmocka_unit_test(interrupts_end_a_step_with_q_at_once),
                cmocka_unit_test(an_output_file_without_rank_is_written_here),
                cmocka_unit_test(unread_output_ends_the_tasks),
                cmocka_unit_test(a_step_that_is_not_held_for_its_prolog_is_ended),
                cmocka_unit_test(a_lost_connection_is_made_again),
                cmocka_unit_test(a_lost_connection_is_said_when_it_lasts),
                cmocka_unit_test(a_submission_that_may_have_arrived_is_said_again),
                cmocka_unit_test(a_controller_that_is_away_is_said_at_once),
                cmocka_unit_test(what_is_wrong_is_said_before_anything_is_sent),
        };

        clearenv();
        setenv("PATH", "/bin", 1);
        signal(SIGPIPE, SIG_IGN);
        return cmocka_run_group_tests(tests, NULL, NULL);
}
