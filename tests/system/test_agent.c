/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes/agent-protocol: a real slumberd and real step daemons, against a controller that this
 * program plays: nodes/agent-protocol SLUMBERD auto|none. */
#include "tests/system/fakectld.h"

#include "lib/errors.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#define COUNTER  "#!/bin/sh\nwhile :; do printf . >>count; sleep 0.01; done\n"
#define STUBBORN "#!/bin/sh\ntrap '' TERM\nprintf ready >>count\nwhile :; do sleep 0.01; done\n"

static void a_node_registers_with_what_it_has(void **state) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        const Slumber__Register *m = env->register_node;

        (void)state;
        assert_string_equal(m->node, NODE);
        assert_int_equal(m->hardware->cpus, 8);
        assert_int_equal(m->hardware->cores, 4);
        assert_int_equal(m->hardware->threads, 2);
        assert_int_equal(m->hardware->real_memory, 1000);
        assert_string_equal(m->instance_id, "i-1");
        assert_string_equal(m->extra, "rack 7");
        assert_int_equal(m->n_jobs, 0);
        assert_true(m->boot_time > 0 && m->boot_time < now_realtime());
        if (streq(cgroup_kind, "none"))
                assert_string_equal(m->cgroup, "none");
        _cleanup_envelope_ Envelope *beat = wait_for(BODY(HEARTBEAT));
        assert_true(beat->heartbeat->free_memory > 0);
}

static void a_batch_job_runs_as_its_user(void **state) {
        _cleanup_free_ char *out = NULL, *user = NULL;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\nid -u\necho $SLURM_JOB_ID $SLURM_JOB_NAME "
                                  "$SLURM_NODEID"
                                  " $SLURM_PROCID $SLURMD_NODENAME $ENVIRONMENT $MINE\n"
                                  "basename $0\npwd\n[ $SLURM_TASK_PID = $$ ] && umask\nexit "
                                  "3\n" });
        assert_int_equal(ended(job), 3 << 8);
        out = content("slurm-1.out");
        user = xasprintf("%u\n1 tester 0 0 n1 BATCH yes\nslurm_script\n%s/work\n0022\n", w.uid,
                        w.dir);
        assert_string_equal(out, user);
        terminate(job, "", false);
        gone(job);
        _cleanup_free_ char *folder = xasprintf("%s/spool-n1/steps/1.0.batch", w.dir);
        usec_t end = now_monotonic() + PATIENCE;
        while (access(folder, F_OK) == 0 && now_monotonic() < end)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_int_not_equal(access(folder, F_OK), 0);
}

static void bad_credentials_are_refused(void **state) {
        (void)state;
        registered();
        _cleanup_(credential_key_freep) struct credential_key *stranger = NULL;
        _cleanup_free_ char *path = xasprintf("%s/stranger", w.dir);

        assert_int_equal(credential_key_load(path, &stranger, NULL), 0);
        refused((struct launch){ .script = COUNTER, .key = stranger }, "");
        refused((struct launch){ .script = COUNTER, .as_root = true }, "");
        refused((struct launch){ .script = COUNTER, .other_kind = true },
                        "not for this kind of step");
        refused((struct launch){ .script = COUNTER, .forged = true }, "");
        refused((struct launch){ .script = COUNTER, .expired = true }, "");
        refused((struct launch){ .script = COUNTER, .node = "n2" }, "");
        assert_int_equal(size_of("count"), 0);
}

static void a_step_is_started_once(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        refused((struct launch){ .script = COUNTER, .job = job }, "already");
        grows("count");
        terminate(job, "", true);
        assert_int_equal(ended(job), SIGKILL);
        gone(job);
}

static void a_frozen_job_stands_still_and_goes_on(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        freeze(job, true, 1);
        stands_still("count");
        freeze(job, false, 2);
        grows("count");
        freeze(job, true, 3);
        terminate(job, "", false); /* thaws, and TERM is enough */
        assert_int_equal(ended(job), SIGTERM);
        gone(job);
        freeze(job, true, 4); /* nothing of it is here: frozen enough */
}

static void a_job_can_start_frozen(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER, .frozen = true });
        stands_still("count");
        freeze(job, false, 1);
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void a_stubborn_job_is_killed_after_kill_wait(void **state) {
        _cleanup_free_ char *out = NULL;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = STUBBORN });
        appears("count");
        usec_t start = now_monotonic();
        terminate(job, "TIME LIMIT", false);
        assert_int_equal(ended(job), SIGKILL);
        assert_true(now_monotonic() - start >= 5 * USEC_PER_SEC);
        gone(job);
        out = content("slurm-1.out");
        assert_non_null(strstr(out, "slurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 20"));
        assert_non_null(strstr(out, " DUE TO TIME LIMIT ***\n"));
}

static void children_left_behind_end_with_the_script(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\n(setsid sh -c 'while :; do printf . >>count; sleep "
                                  "0.01;"
                                  " done' &)\nwhile [ ! -s count ]; do sleep 0.01; done\n" });
        assert_int_equal(ended(job), 0);
        stands_still("count");
        terminate(job, "", false);
        gone(job);
}

static void an_unknown_job_is_gone_at_once(void **state) {
        (void)state;
        registered();
        terminate(4711, "", false);
        gone(4711);
        freeze(4711, false, 9);
}

static void a_program_that_is_not_there_ends_with_2(void **state) {
        static const char *const no_such[] = { "/no/such", NULL };
        _cleanup_free_ char *out = NULL;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = no_such, .std_out = "out-%J-%t" });
        assert_int_equal(ended(job), 2 << 8);
        out = content("out-1.0-0");
        assert_string_equal(out,
                        "slurmstepd: error: execve(): /no/such: No such file or directory\n");
}

static void an_output_file_that_cannot_be_made_ends_the_task(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = "#!/bin/sh\necho x\n",
                        .std_out = "/no/such/folder/out" });
        assert_int_equal(ended(job), 53);
}

static void signals_reach_the_shell(void **state) {
        Slumber__SignalJob m = SLUMBER__SIGNAL_JOB__INIT;

        (void)state;
        registered();
        uint32_t job = launched((struct launch){
                        .script = "#!/bin/sh\ntrap 'exit 7' USR1\nprintf . >>count\n"
                                  "while :; do sleep 0.01; done\n" });
        appears("count");
        m.job_id = job;
        m.signal = SIGUSR1;
        m.batch_only = true;
        ENVELOPE(env, SIGNAL_JOB, signal_job, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
        assert_int_equal(ended(job), 7 << 8);
}

/* ---- restarts ---- */

static void check_registered_job(uint32_t job, bool frozen) {
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        const Slumber__Register *m = env->register_node;

        assert_int_equal(m->n_jobs, 1);
        assert_int_equal(m->jobs[0]->job_id, job);
        assert_int_equal(m->jobs[0]->frozen, frozen);
        assert_false(m->jobs[0]->lost);
        assert_int_equal(m->jobs[0]->n_steps, 1);
        assert_int_equal(m->jobs[0]->steps[0], STEP_BATCH);
}

static void a_running_job_survives_the_daemon(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = "#!/bin/sh\nwhile [ ! -e stop ]; do "
                                                           "printf . >>count; sleep 0.01; done\n"
                                                           "exit 5\n" });
        grows("count");
        end_slumberd(SIGKILL);
        grows("count");
        start_slumberd();
        check_registered_job(job, false);
        grows("count");
        write_file("work/stop", "", 0644);
        assert_int_equal(ended(job), 5 << 8);
}

static void a_frozen_job_stays_frozen_without_the_daemon(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        freeze(job, true, 1);
        end_slumberd(SIGKILL);
        stands_still("count");
        start_slumberd();
        check_registered_job(job, true);
        stands_still("count");
        freeze(job, false, 2);
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

/* ---- PreemptParameters=suspend_grace_time ---- */

#define TOLD                                                                                       \
        "#!/bin/sh\ntrap 'echo stop >>told' TSTP\ntrap 'echo go >>told' CONT\nwhile :; do printf . >>count; sleep 0.01; done\n"

/* The script is stopped by nothing that can be ignored, so what it writes tells it from one that
   is. */
static uint32_t job_with_grace(usec_t grace) {
        w.suspend_grace = grace;
        registered();
        uint32_t job = launched((struct launch){ .script = TOLD });
        grows("count");
        return job;
}

static void ask_freeze(uint32_t job, bool on, uint64_t serial) {
        Slumber__FreezeJob m = SLUMBER__FREEZE_JOB__INIT;

        m.job_id = job;
        m.freeze = on;
        m.serial = serial;
        ENVELOPE(env, FREEZE_JOB, freeze_job, &m);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

static void tells(const char *expected) {
        usec_t end = now_monotonic() + PATIENCE;

        for (;;) {
                _cleanup_free_ char *text = content("told");
                if (streq(text, expected))
                        return;
                if (now_monotonic() > end)
                        fail_msg("\"%s\" is not \"%s\"", text, expected);
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        }
}

static void a_stop_is_told_by_sigtstp_and_sigcont(void **state) {
        (void)state;
        uint32_t job = job_with_grace(2 * USEC_PER_SEC);
        usec_t asked = now_monotonic();
        freeze(job, true, 1);
        assert_true(now_monotonic() - asked >= 300 * USEC_PER_MSEC);
        tells("stop\n");
        stands_still("count");
        freeze(job, false, 2);
        tells("stop\ngo\n");
        grows("count");
        freeze(job, true, 3);
        terminate(job, "", false);
        assert_int_equal(ended(job), SIGTERM);
        gone(job);
}

static void a_thaw_within_the_grace_takes_it_back(void **state) {
        (void)state;
        uint32_t job = job_with_grace(60 * USEC_PER_SEC);
        ask_freeze(job, true, 1);
        tells("stop\n");
        grows("count");
        freeze(job, false, 2);
        tells("stop\ngo\n");
        ask_freeze(job, true, 3);
        tells("stop\ngo\nstop\n");
        terminate(job, "", false);
        assert_int_equal(ended(job), SIGTERM);
        gone(job);
}

static void daemon_killed_in_grace(void **state) {
        (void)state;
        uint32_t job = job_with_grace(60 * USEC_PER_SEC);
        ask_freeze(job, true, 1);
        tells("stop\n");
        end_slumberd(SIGKILL);
        start_slumberd();
        check_registered_job(job, false);
        tells("stop\ngo\n");
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void a_daemon_killed_while_it_is_frozen_tells_that_it_goes_on(void **state) {
        (void)state;
        uint32_t job = job_with_grace(2 * USEC_PER_SEC);
        freeze(job, true, 1);
        end_slumberd(SIGKILL);
        start_slumberd();
        check_registered_job(job, true);
        stands_still("count");
        freeze(job, false, 2);
        tells("stop\ngo\n");
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void new_registration_takes_freeze_back(void **state) {
        (void)state;
        uint32_t job = job_with_grace(60 * USEC_PER_SEC);
        ask_freeze(job, true, 1);
        tells("stop\n");
        conn_close(TAKE(w.agent));
        check_registered_job(job, false);
        tells("stop\ngo\n");
        grows("count");
        freeze(job, false, 2);
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void an_end_is_kept_until_it_is_acknowledged(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = "#!/bin/sh\nexit 4\n" });
        for (int round = 0; round < 3; round++) {
                _cleanup_envelope_ Envelope *env = wait_for_end();

                assert_int_equal(env->step_ended->tasks[0]->status, 4 << 8);
                end_slumberd(round ? SIGTERM : SIGKILL);
                start_slumberd();
                check_registered_job(job, false);
        }
        assert_int_equal(ended(job), 4 << 8);
        terminate(job, "", false);
        gone(job);
        end_slumberd(SIGTERM);
        drop_inbox();
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 0);
}

static pid_t find_spawner(void) {
        return find_child(w.daemon, "stepspawner");
}

static pid_t find_stepd(void) {
        return find_child(find_spawner(), "slumberstepd");
}

/* Its descriptors are closed: the kernel does that before it is a zombie, or is reaped. */
static bool has_ended(pid_t pid) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/stat", (int)pid);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        char text[256] = "";
        ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        const char *name_end = n > 0 ? strrchr(text, ')') : NULL;

        return !name_end || name_end[2] == 'Z' || name_end[2] == 'X';
}

static void wait_end_of(pid_t pid) {
        usec_t until = now_monotonic() + PATIENCE;

        while (!has_ended(pid) && now_monotonic() < until)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        assert_true(has_ended(pid));
}

/* It waits for nothing but to be let go, which this slumberd has done and does not see any more. */
static void an_end_is_acknowledged_once(void **state) {
        static const char *const program[] = { "/bin/sh", "-c", "exit 4", NULL };
        _cleanup_free_ char *folder = xasprintf("%s/spool-n1/steps/1.0.0", w.dir);

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = program });
        _cleanup_envelope_ Envelope *end = wait_for_end();
        pid_t stepd = find_stepd();
        assert_true(stepd > 1);
        assert_int_equal(kill(stepd, SIGSTOP), 0);
        acknowledge(end->step_ended);
        terminate(job, "", false);
        gone(job);
        end_slumberd(SIGKILL);
        drop_inbox();
        assert_int_equal(access(folder, F_OK), 0);
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 0);
        assert_int_not_equal(access(folder, F_OK), 0);
        assert_int_equal(kill(stepd, SIGCONT), 0);
        wait_end_of(stepd);
}

static void a_dead_spawner_is_replaced(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        pid_t first = find_spawner();
        assert_true(first > 1);
        kill(first, SIGKILL);
        grows("count"); /* its step daemons live on */
        uint32_t other = launched((struct launch){ .script = "true" });
        _cleanup_envelope_ Envelope *env = wait_for_end();
        assert_int_equal(env->step_ended->job_id, other);
        assert_false(env->step_ended->lost);
        pid_t second = find_spawner();
        assert_true(second > 1 && second != first);
        acknowledge(env->step_ended);
        terminate(other, "", false);
        gone(other);
        terminate(job, "", true);
        _cleanup_envelope_ Envelope *end = wait_for_end();
        acknowledge(end->step_ended);
        gone(job);
}

/* Runs the loop until there is such a child of the spawner; 0: there never is. */
static pid_t wait_child(const char *name) {
        usec_t until = now_monotonic() + PATIENCE;
        pid_t pid;

        while ((pid = find_child(find_spawner(), name)) == 0 && now_monotonic() < until)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        return pid;
}

/* The files that a task has open, and what it was told. */
#define WITNESS "#!/bin/sh\nls /proc/self/fd; env | grep -v _TASK_PID= | sort; umask; pwd\n"

static char *witness(struct launch l, const char *file) {
        uint32_t job = launched(l);

        assert_int_equal(ended(job), 0);
        terminate(job, "", false);
        gone(job);
        return content(file);
}

/* Nothing of an earlier one is there in the next. */
static void a_step_daemon_has_one_step_after_the_other(void **state) {
        static const char *const program[] = { "/bin/sh", "-c", "exec 7<&0; exit 9", NULL };

        (void)state;
        w.heartbeat = HEARTBEAT_RARE;
        registered();
        _cleanup_free_ char *first = witness(
                        (struct launch){ .script = WITNESS, .job = 7, .std_out = "first" },
                        "first");
        pid_t stepd = wait_child("stepd-idle");
        assert_true(stepd > 1);
        uint32_t job = launched((struct launch){ .arguments = program,
                        .tasks = 2,
                        .std_out = "between-%t" });
        assert_int_equal(find_stepd(), stepd);
        assert_int_equal(ended(job), 9 << 8);
        terminate(job, "", false);
        gone(job);
        assert_int_equal(wait_child("stepd-idle"), stepd);
        _cleanup_free_ char *second = witness(
                        (struct launch){ .script = WITNESS, .job = 7, .std_out = "second" },
                        "second");
        assert_int_equal(wait_child("stepd-idle"), stepd);
        assert_string_equal(first, second);
        end_slumberd(SIGKILL);
        wait_end_of(stepd);
        drop_inbox();
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 0);
}

/* Its end is slumberd's to keep, and is told again. */
static void the_daemon_of_a_script_is_free_before_the_end_is_acknowledged(void **state) {
        (void)state;
        w.heartbeat = HEARTBEAT_RARE;
        registered();
        uint32_t first = launched((struct launch){ .script = "#!/bin/sh\nexit 4\n" });
        _cleanup_envelope_ Envelope *told = wait_for_end();
        assert_int_equal(told->step_ended->tasks[0]->status, 4 << 8);
        pid_t stepd = wait_child("stepd-idle");
        assert_true(stepd > 1);
        uint32_t second = launched((struct launch){ .script = COUNTER });
        assert_int_equal(find_stepd(), stepd);
        grows("count");

        end_slumberd(SIGKILL);
        drop_inbox();
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 2);
        _cleanup_envelope_ Envelope *again = wait_for_end();
        assert_int_equal(again->step_ended->job_id, first);
        assert_false(again->step_ended->lost);
        assert_int_equal(again->step_ended->tasks[0]->status, 4 << 8);
        acknowledge(again->step_ended);
        terminate(first, "", false);
        gone(first);
        grows("count");
        terminate(second, "", true);
        _cleanup_envelope_ Envelope *end = wait_for_end();
        assert_int_equal(end->step_ended->job_id, second);
        assert_false(end->step_ended->lost);
        acknowledge(end->step_ended);
        gone(second);
}

/* ... or has had no time to become so. */
static void the_daemon_of_a_script_may_die_after_its_end(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = "#!/bin/sh\nexit 4\n" });
        _cleanup_envelope_ Envelope *told = wait_for_end();
        pid_t stepd = wait_child("stepd-idle");
        assert_true(stepd > 1);
        assert_int_equal(kill(stepd, SIGKILL), 0);
        wait_end_of(stepd);
        uint32_t next = launched((struct launch){ .script = "#!/bin/sh\nexit 5\n" });
        assert_int_equal(ended(next), 5 << 8); /* and the first is not said to be lost */
        acknowledge(told->step_ended);
        terminate(job, "", false);
        gone(job);
        terminate(next, "", false);
        gone(next);
}

/* ---- scripts that wait for a step daemon ---- */

#define SAY_RAN "#!/bin/sh\necho $SLURM_JOB_ID >>ran\n"

/* What was sent before has been heeded. */
static void heeded(void) {
        terminate(4711, "", false);
        gone(4711);
}

static pid_t wait_spawner(void) {
        usec_t until = now_monotonic() + PATIENCE;
        pid_t pid;

        while ((pid = find_spawner()) == 0 && now_monotonic() < until)
                assert_true(sd_event_run(w.event, 5 * USEC_PER_MSEC) >= 0);
        return pid;
}

/* Launches as many scripts as daemons are asked for at a time, of a spawner that stands still, and
   then so many that wait; *ret_last is the last of all.  Returns the spawner. */
static pid_t launch_behind(uint32_t waiting, uint32_t *ret_last) {
        uint32_t n = 2 * (uint32_t)get_nprocs() + waiting; /* UNBORN_OF_CPU */
        pid_t spawner = wait_spawner();

        assert_true(spawner > 1);
        assert_int_equal(kill(spawner, SIGSTOP), 0);
        for (uint32_t i = 0; i < n; i++)
                *ret_last = launch((struct launch){ .script = SAY_RAN });
        heeded();
        return spawner;
}

static bool has_record(uint32_t job) {
        _cleanup_free_ char *path = xasprintf("%s/spool-n1/steps/%u.0.batch/record", w.dir, job);

        return access(path, F_OK) == 0;
}

static void all_end(uint32_t n) {
        for (uint32_t i = 0; i < n; i++) {
                _cleanup_envelope_ Envelope *env = wait_for_end();

                assert_false(env->step_ended->lost);
                assert_int_equal(env->step_ended->tasks[0]->status, 0);
                acknowledge(env->step_ended);
                terminate(env->step_ended->job_id, "", false);
                gone(env->step_ended->job_id);
        }
}

/* Each of the jobs from 1 to last once, but for that one. */
static void check_ran(uint32_t last, uint32_t except) {
        _cleanup_free_ char *text = content("ran");
        uint32_t n = 0;

        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), n++)
                assert_int_not_equal(strtoul(line, NULL, 10), except);
        assert_int_equal(n, last - (except != 0));
}

static void scripts_wait_for_step_daemons_in_order(void **state) {
        uint32_t last;

        (void)state;
        registered();
        pid_t spawner = launch_behind(4, &last);
        assert_true(has_record(last - 4));
        for (uint32_t i = 0; i < 4; i++)
                assert_false(has_record(last - i));
        assert_int_equal(kill(spawner, SIGCONT), 0);
        all_end(last);
        check_ran(last, 0);
}

static void a_script_that_waits_ends_with_its_job(void **state) {
        uint32_t last;

        (void)state;
        registered();
        pid_t spawner = launch_behind(3, &last);
        terminate(last - 1, "", false);
        _cleanup_envelope_ Envelope *env = wait_for(BODY(LAUNCH_RESULT));
        assert_int_equal(env->launch_result->job_id, last - 1);
        assert_int_equal(env->launch_result->error->code, SLUMBER_JOB_ENDED);
        gone(last - 1);
        assert_int_equal(kill(spawner, SIGCONT), 0);
        all_end(last - 1);
        check_ran(last, last - 1);
}

static void a_script_that_waits_begins_when_it_is_asked_for(void **state) {
        uint32_t last;

        (void)state;
        registered();
        pid_t spawner = launch_behind(3, &last);
        freeze(last, true, 1);
        assert_true(has_record(last));
        assert_false(has_record(last - 1));
        conn_close(w.agent);
        w.agent = NULL;
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, last);
        for (uint32_t i = 0; i < last; i++)
                assert_int_equal(env->register_node->jobs[i]->n_steps, 1);
        assert_int_equal(kill(spawner, SIGCONT), 0);
        freeze(last, false, 2);
        all_end(last);
        check_ran(last, 0);
}

/* The controller launches again what it is not told of. */
static void scripts_that_wait_are_not_lost_with_slumberd(void **state) {
        uint32_t last;

        (void)state;
        registered();
        pid_t spawner = launch_behind(3, &last);
        end_slumberd(SIGKILL);
        assert_int_equal(kill(spawner, SIGCONT), 0);
        drop_inbox();
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, last - 3);
        for (uint32_t i = 0; i < 3; i++)
                launch((struct launch){ .script = SAY_RAN, .job = last - i });
        all_end(last);
        check_ran(last, 0);
}

static void an_idle_step_daemon_that_dies_is_not_missed(void **state) {
        (void)state;
        w.heartbeat = HEARTBEAT_RARE;
        registered();
        free(witness((struct launch){ .script = WITNESS, .std_out = "first" }, "first"));
        pid_t stepd = wait_child("stepd-idle");
        assert_true(stepd > 1);
        assert_int_equal(kill(stepd, SIGKILL), 0);
        wait_end_of(stepd);
        free(witness((struct launch){ .script = WITNESS, .std_out = "second" }, "second"));
        assert_int_not_equal(wait_child("stepd-idle"), stepd);
}

/* It stands still, and is killed when it has been given the step. */
static void a_step_that_its_daemon_never_read_is_given_to_another(void **state) {
        static const char record[] = "../spool-n1/steps/2.0.batch/record";

        (void)state;
        w.heartbeat = HEARTBEAT_RARE;
        registered();
        free(witness((struct launch){ .script = WITNESS, .std_out = "first" }, "first"));
        pid_t stepd = wait_child("stepd-idle");
        assert_true(stepd > 1);
        assert_int_equal(kill(stepd, SIGSTOP), 0);
        uint32_t job = launch((struct launch){ .script = WITNESS, .std_out = "second" });
        appears(record);
        assert_int_equal(kill(stepd, SIGKILL), 0);
        _cleanup_envelope_ Envelope *env = wait_for(BODY(LAUNCH_RESULT));
        assert_int_equal(env->launch_result->error->code, 0);
        assert_int_equal(ended(job), 0);
        terminate(job, "", false);
        gone(job);
        pid_t other = wait_child("stepd-idle");
        assert_true(other > 1 && other != stepd);
}

static void a_dead_step_daemon_is_noticed(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        pid_t stepd = find_stepd();
        assert_true(stepd > 1);
        kill(stepd, SIGKILL);
        _cleanup_envelope_ Envelope *env = wait_for_end();
        assert_int_equal(env->step_ended->job_id, job);
        assert_true(env->step_ended->lost);
        stands_still("count");
        acknowledge(env->step_ended);
        terminate(job, "", false);
        gone(job);
}

static void a_step_daemon_that_died_alone_is_noticed_later(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        grows("count");
        pid_t stepd = find_stepd();
        assert_true(stepd > 1);
        end_slumberd(SIGKILL);
        kill(stepd, SIGKILL);
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 1);
        assert_true(env->register_node->jobs[0]->lost);
        _cleanup_envelope_ Envelope *end = wait_for_end();
        assert_true(end->step_ended->lost);
        stands_still("count");
        acknowledge(end->step_ended);
        terminate(job, "", false);
        gone(job);
}

static void a_job_outlives_the_daemon_of_one_of_its_steps(void **state) {
        static const char *const program[] = { "/bin/sh", "-c",
                "while :; do printf . >>other; sleep 0.01; done", NULL };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = program });
        pid_t stepd = find_stepd();
        assert_true(stepd > 1);
        launched((struct launch){ .script = COUNTER, .job = job });
        grows("count");
        grows("other");
        end_slumberd(SIGKILL);
        kill(stepd, SIGKILL);
        start_slumberd();
        _cleanup_envelope_ Envelope *env = wait_for(BODY(REGISTER_NODE));
        assert_int_equal(env->register_node->n_jobs, 1);
        assert_false(env->register_node->jobs[0]->lost);
        assert_int_equal(env->register_node->jobs[0]->n_steps, 2);
        _cleanup_envelope_ Envelope *end = wait_for_end();
        assert_true(end->step_ended->lost);
        assert_int_equal(end->step_ended->step_id, 0);
        acknowledge(end->step_ended);
        stands_still("other");
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void a_lost_controller_is_found_again(void **state) {
        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .script = COUNTER });
        for (int round = 0; round < 3; round++) {
                conn_close(w.agent);
                w.agent = NULL;
                check_registered_job(job, false);
        }
        grows("count");
        terminate(job, "", true);
        ended(job);
        gone(job);
}

static void a_spool_folder_has_one_owner(void **state) {
        pid_t first = w.daemon;
        int status;

        (void)state;
        registered();
        start_slumberd();
        assert_int_equal(waitpid(w.daemon, &status, 0), w.daemon);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        w.daemon = first;
}

/* ---- streams ---- */

#define ROOM_MIN (16u << 10) /* of a stream's window: less is not filled */

struct received {
        size_t bytes[3], rank0[3]; /* of all tasks, of the first */
        bool eof[3];
        char text[256];
        uint64_t input_taken;
};

static void collect(struct received *r) {
        Envelope *env;

        while ((env = take(BODY(STEP_IO)))) {
                const Slumber__StepIo *io = env->step_io;

                assert_string_equal(io->node, NODE);
                assert_true(io->stream < 3);
                assert_int_equal(io->data.len && io->rank == 0 ? io->offset : r->rank0[io->stream],
                                r->rank0[io->stream]);
                r->rank0[io->stream] += io->rank == 0 ? io->data.len : 0;
                if (io->data.len && r->bytes[io->stream] + io->data.len < sizeof r->text)
                        memcpy(r->text + r->bytes[io->stream], io->data.data, io->data.len);
                r->bytes[io->stream] += io->data.len;
                r->eof[io->stream] |= io->eof;
                r->input_taken = MAX(r->input_taken, io->taken);
                slumber__envelope__free_unpacked(env, NULL);
        }
}

static void send_io(uint32_t job, uint32_t rank, uint32_t stream, uint64_t offset, const char *data,
                uint64_t taken, bool eof) {
        Slumber__StepIo io = SLUMBER__STEP_IO__INIT;

        io.job_id = job;
        io.rank = rank;
        io.stream = stream;
        io.data.data = (uint8_t *)data;
        io.data.len = strlen(data);
        io.offset = offset;
        io.taken = taken;
        io.eof = eof;
        ENVELOPE(env, STEP_IO, step_io, &io);
        assert_int_equal(conn_send(w.agent, &env), 0);
}

static void run_until(struct received *r, const bool *flag, size_t bytes) {
        usec_t end = now_monotonic() + PATIENCE;

        while (!(flag ? *flag : r->bytes[1] >= bytes) && now_monotonic() < end) {
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
                collect(r);
        }
}

static void output_waits_until_it_is_taken(void **state) {
        static const char *const million[] = { "/usr/bin/head", "-c", "1000000", "/dev/zero",
                NULL };
        struct received r = { 0 };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = million });
        run_until(&r, NULL, STEP_WINDOW - ROOM_MIN + 1);
        usec_t end = now_monotonic() + 200 * USEC_PER_MSEC;
        while (now_monotonic() < end) {
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
                collect(&r);
        }
        assert_in_range(r.bytes[1], STEP_WINDOW - ROOM_MIN + 1, STEP_WINDOW);
        assert_false(r.eof[1]);
        send_io(job, 0, 1, 0, "", STEP_WINDOW / 2, false);
        run_until(&r, NULL, STEP_WINDOW + STEP_WINDOW / 2 - ROOM_MIN + 1);
        assert_in_range(r.bytes[1], STEP_WINDOW + STEP_WINDOW / 2 - ROOM_MIN + 1,
                        STEP_WINDOW + STEP_WINDOW / 2);
        end = now_monotonic() + PATIENCE;
        for (size_t told = STEP_WINDOW / 2; !r.eof[1] && now_monotonic() < end;) {
                if (r.bytes[1] > told)
                        send_io(job, 0, 1, 0, "", r.bytes[1], false);
                told = r.bytes[1];
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
                collect(&r);
        }
        assert_int_equal(r.bytes[1], 1000000);
        send_io(job, 0, 1, 0, "", r.bytes[1], false);
        assert_int_equal(ended(job), 0);
}

static void input_goes_to_all_tasks_and_ends(void **state) {
        static const char *const cat[] = { "cat", NULL };
        struct received r = { 0 };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = cat, .tasks = 2 });
        send_io(job, RANK_ALL, 0, 0, "hello\n", 0, false);
        run_until(&r, NULL, 12);
        assert_int_equal(r.bytes[1], 12);
        assert_string_equal(r.text, "hello\nhello\n");
        send_io(job, RANK_ALL, 0, 7, "behind a gap\n", 0, false);
        send_io(job, RANK_ALL, 0, 4, "o\nmore\n", 0, false);
        run_until(&r, NULL, 22);
        assert_int_equal(r.bytes[1], 22);
        for (uint32_t rank = 0; rank < 2; rank++)
                send_io(job, rank, 1, 0, "", 11, false);
        send_io(job, RANK_ALL, 0, 11, "", 0, true);
        assert_int_equal(ended(job), 0);
        collect(&r);
        assert_true(r.input_taken >= 6);
}

static void a_reader_that_is_gone_does_not_hold_up_the_end(void **state) {
        static const char *const endless[] = { "/usr/bin/head", "-c", "1000000000", "/dev/zero",
                NULL };
        struct received r = { 0 };

        (void)state;
        registered();
        uint32_t job = launched((struct launch){ .arguments = endless });
        run_until(&r, NULL, STEP_WINDOW - ROOM_MIN + 1);
        send_io(job, 0, 1, 0, "", 0, true);
        terminate(job, "", true);
        ended(job);
        gone(job);
}

/* ---- local users ---- */

static void local_users_are_relayed_with_their_identity(void **state) {
        _cleanup_free_ char *path = xasprintf("%s/socket", w.dir);
        _cleanup_(wire_freep) struct wire *user = NULL;
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        Slumber__Caller lie = SLUMBER__CALLER__INIT;
        struct fail fail = { 0 };

        (void)state;
        registered();
        _cleanup_envelope_ Envelope *beat = wait_for(BODY(HEARTBEAT));
        if (wire_connect_path(path, &user, &fail) < 0)
                fail_msg("%s", fail.text);
        lie.uid = 4242;
        lie.client = 77;
        ENVELOPE(env, JOB_QUERY, job_query, &query);
        env.id = 5;
        env.caller = &lie;
        assert_int_equal(wire_send(user, &env), 0);
        _cleanup_envelope_ Envelope *seen = wait_for(BODY(JOB_QUERY));
        assert_int_equal(seen->id, 5);
        assert_int_equal(seen->caller->uid, geteuid());
        assert_int_equal(seen->caller->pid, getpid());
        assert_int_not_equal(seen->caller->client, 77);
        assert_string_equal(seen->caller->host, NODE);

        Slumber__JobList list = SLUMBER__JOB_LIST__INIT;
        ENVELOPE(reply, JOB_LIST, job_list, &list);
        reply.reply_to = 5;
        reply.caller = seen->caller;
        list.now = 99;
        assert_int_equal(conn_send(w.agent, &reply), 0);
        while (conn_queued(w.agent))
                assert_true(sd_event_run(w.event, 10 * USEC_PER_MSEC) >= 0);
        _cleanup_envelope_ Envelope *got = NULL;
        assert_int_equal(wire_receive(user, PATIENCE, &got), 0);
        assert_int_equal(got->reply_to, 5);
        assert_int_equal(got->job_list->now, 99);

        uint64_t client = seen->caller->client;
        user = wire_free(user);
        _cleanup_envelope_ Envelope *left = wait_for(BODY(CLIENT_GONE));
        assert_int_equal(left->client_gone->client, client);
}

static void local_users_learn_that_the_controller_is_away(void **state) {
        _cleanup_free_ char *path = xasprintf("%s/socket", w.dir);
        _cleanup_(wire_freep) struct wire *user = NULL;
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code = 0;

        (void)state;
        registered();
        assert_int_equal(wire_connect_path(path, &user, &fail), 0);
        ENVELOPE(env, PING, ping, &ping);
        env.id = 1;
        assert_int_equal(wire_send(user, &env), 0);
        _cleanup_envelope_ Envelope *seen = wait_for(BODY(PING));
        w.server = conn_server_free(w.server);
        conn_close(w.agent);
        w.agent = NULL;
        _cleanup_envelope_ Envelope *first = NULL;
        assert_int_equal(wire_receive(user, PATIENCE, &first), 0);
        assert_int_equal(first->body_case, BODY(ERROR));
        assert_int_equal(first->reply_to, 1);
        /* the ping may have arrived */
        assert_int_equal(first->error->code, SLUMBER_CONTROLLER_LOST);
        assert_int_equal(wire_call(user, &env, &reply, &code, &fail), -EREMOTE);
        assert_int_equal(code, SLUMBER_CONTROLLER_AWAY);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv) {
        const struct CMUnitTest tests[] = {
                CASE(a_node_registers_with_what_it_has),
                CASE(a_batch_job_runs_as_its_user),
                CASE(bad_credentials_are_refused),
                CASE(a_step_is_started_once),
                CASE(a_frozen_job_stands_still_and_goes_on),
                CASE(a_job_can_start_frozen),
                CASE(a_stubborn_job_is_killed_after_kill_wait),
                CASE(children_left_behind_end_with_the_script),
                CASE(an_unknown_job_is_gone_at_once),
                CASE(a_program_that_is_not_there_ends_with_2),
                CASE(an_output_file_that_cannot_be_made_ends_the_task),
                CASE(signals_reach_the_shell),
                CASE(a_running_job_survives_the_daemon),
                CASE(a_frozen_job_stays_frozen_without_the_daemon),
                CASE(a_stop_is_told_by_sigtstp_and_sigcont),
                CASE(a_thaw_within_the_grace_takes_it_back),
                CASE(daemon_killed_in_grace),
                CASE(a_daemon_killed_while_it_is_frozen_tells_that_it_goes_on),
                CASE(new_registration_takes_freeze_back),
                CASE(an_end_is_kept_until_it_is_acknowledged),
                CASE(an_end_is_acknowledged_once),
                CASE(a_dead_spawner_is_replaced),
                CASE(a_step_daemon_has_one_step_after_the_other),
                CASE(the_daemon_of_a_script_is_free_before_the_end_is_acknowledged),
                CASE(the_daemon_of_a_script_may_die_after_its_end),
                CASE(scripts_wait_for_step_daemons_in_order),
                CASE(a_script_that_waits_ends_with_its_job),
                CASE(a_script_that_waits_begins_when_it_is_asked_for),
                CASE(scripts_that_wait_are_not_lost_with_slumberd),
                CASE(an_idle_step_daemon_that_dies_is_not_missed),
                CASE(a_step_that_its_daemon_never_read_is_given_to_another),
                CASE(a_dead_step_daemon_is_noticed),
                CASE(a_step_daemon_that_died_alone_is_noticed_later),
                CASE(a_job_outlives_the_daemon_of_one_of_its_steps),
                CASE(a_lost_controller_is_found_again),
                CASE(a_spool_folder_has_one_owner),
                CASE(output_waits_until_it_is_taken),
                CASE(input_goes_to_all_tasks_and_ends),
                CASE(a_reader_that_is_gone_does_not_hold_up_the_end),
                CASE(local_users_are_relayed_with_their_identity),
                CASE(local_users_learn_that_the_controller_is_away),
        };

        if (argc < 3) {
                fprintf(stderr, "usage: %s SLUMBERD auto|v2|v1|none [TEST]\n", argv[0]);
                return 1;
        }
        slumberd = argv[1];
        cgroup_kind = argv[2];
        if (argc > 3)
                cmocka_set_test_filter(argv[3]);
        return cmocka_run_group_tests(tests, NULL, NULL);
}
