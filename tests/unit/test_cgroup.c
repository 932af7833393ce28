/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same promises for each kind of group, with real processes: test_cgroup v2|v1|none.
 * With "slurm" behind it: in the layout that Slurm has.
 * Skips (77) where the machine has no such kind or we may not use it. */
#include "tests/unit/test.h"

#include "cgroup/freezer.h"
#include "cgroup/system.h"

#include <fcntl.h>
#include <ftw.h>
#include <mntent.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define BOMB_MAX 60                  /* processes of the bounded fork bomb at one time */
#define PATIENCE (90 * USEC_PER_SEC) /* a fork bomb makes its way on a busy machine, too */
#define SKIPPED  77

static struct cg_system *cgroups;
static unsigned groups_made;
static const char *layout, *root; /* NULL: as without a setting */

struct shared { /* with the processes in the group */
        volatile uint64_t ticks, forks, alive;
};

/* One job group with one step group, a keeper process beside it and a program in it. */
struct fixture {
        struct cg *job, *step;
        struct shared *shared;
        pid_t keeper;
        sd_event *event;
        struct cg_freezer *freezer;
        struct cg_freezer_result result;
        char why[512];
        unsigned answers;
        bool empty;
};

static void done(struct cg_freezer *f, const struct cg_freezer_result *result, void *user) {
        struct fixture *x = user;

        (void)f;
        x->result = *result;
        snprintf(x->why, sizeof x->why, "%s", result->why);
        x->answers++;
}

static void changed(struct cg_freezer *f, void *user) {
        struct fixture *x = user;

        (void)f;
        x->empty = cg_populated(x->job) == 0;
        if (!x->empty && cg_must_poll(x->job))
                (void)cg_kill(x->job);
}

static const struct cg_freezer_ops freezer_ops = { .done = done, .changed = changed };

static void count(struct shared *s) {
        for (;;) {
                s->ticks++;
                usleep(200);
        }
}

static void rest_and_end(struct shared *s) {
        usleep(1000);
        __atomic_fetch_sub(&s->alive, 1, __ATOMIC_SEQ_CST);
        _exit(0);
}

/* Every second one is an orphan at once, every third has a session of its own. */
static void splinter(struct shared *s, uint64_t number) {
        if (number % 3 == 0)
                setsid();
        if (number % 2)
                rest_and_end(s);
        pid_t child = fork();
        if (child <= 0)
                rest_and_end(s);
        _exit(0);
}

/* Forks at full speed; never more than BOMB_MAX alive and BOMB_MAX * 2000 in all, and no longer
   than its keeper lives, so that a test that fails leaves nothing. */
static void explode(struct shared *s) {
        const pid_t keeper = getppid();

        while (s->forks < BOMB_MAX * 2000 && getppid() == keeper) {
                s->ticks++;
                if (__atomic_add_fetch(&s->alive, 1, __ATOMIC_SEQ_CST) > BOMB_MAX) {
                        __atomic_fetch_sub(&s->alive, 1, __ATOMIC_SEQ_CST);
                        usleep(100);
                        continue;
                }
                uint64_t number = __atomic_add_fetch(&s->forks, 1, __ATOMIC_SEQ_CST);
                pid_t child = fork();
                if (child == 0)
                        splinter(s, number);
                if (child < 0)
                        __atomic_fetch_sub(&s->alive, 1, __ATOMIC_SEQ_CST);
        }
}

/* What slumberstepd does: a process outside that adopts, and a child that is a member before it
   runs. */
static pid_t keep(struct fixture *x, void (*program)(struct shared *)) {
        pid_t keeper = fork();

        assert_true(keeper >= 0);
        if (keeper > 0)
                return keeper;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        bool inside;
        struct cg *task = NULL;
        pid_t child = cg_open_task(x->step, 3, &task) < 0 ? -1 : cg_fork(task, &inside);
        if (child == 0) {
                if (!inside && cg_enter(task) < 0)
                        _exit(99);
                signal(SIGCHLD, SIG_IGN);
                program(x->shared);
                _exit(0);
        }
        while (wait(NULL) > 0 || errno == EINTR)
                ;
        _exit(0);
}

static struct cg *make_job(void) {
        const struct cg_job job = { .id = ++groups_made };
        struct fail fail = { 0 };
        struct cg *g = NULL;

        if (cg_system_make_job(cgroups, &job, &g, &fail) < 0)
                fail_msg("%s", fail.text);
        return g;
}

static void start(struct fixture *x, void (*program)(struct shared *)) {
        struct fail fail = { 0 };

        *x = (struct fixture){ 0 };
        x->shared = mmap(NULL, sizeof *x->shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(x->shared, MAP_FAILED);
        x->job = make_job();
        if (cg_system_make(cgroups, x->job, "batch", 0, NULL, &x->step, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_int_equal(cg_populated(x->job), 0);
        x->keeper = keep(x, program);
        assert_int_equal(sd_event_new(&x->event), 0);
        assert_int_equal(cg_freezer_new(x->event, x->job, &freezer_ops, x, &x->freezer), 0);
}

/* Until the program has gone on by at least n ticks. */
static bool ticks(struct fixture *x, uint64_t n) {
        uint64_t goal = x->shared->ticks + n;
        usec_t end = now_monotonic() + PATIENCE;

        while (x->shared->ticks < goal && now_monotonic() < end)
                sched_yield();
        return x->shared->ticks >= goal;
}

static void run_until_answered(struct fixture *x, unsigned answers) {
        usec_t end = now_monotonic() + PATIENCE;

        while (x->answers < answers && now_monotonic() < end)
                assert_true(sd_event_run(x->event, USEC_PER_SEC) >= 0);
        assert_int_equal(x->answers, answers);
}

static void ask(struct fixture *x, bool freeze) {
        unsigned before = x->answers;

        cg_freezer_ask(x->freezer, freeze, PATIENCE);
        run_until_answered(x, before + 1);
        assert_string_equal(x->why, "");
        assert_int_equal(x->result.error, 0);
        assert_int_equal(x->result.frozen, freeze);
}

/* The processes get the time slices that they would use if they could. */
static void stands_still(struct fixture *x) {
        uint64_t ticked = x->shared->ticks, forked = x->shared->forks;
        usec_t end = now_monotonic() + 200 * USEC_PER_MSEC;

        while (now_monotonic() < end)
                sched_yield();
        assert_int_equal(x->shared->ticks, ticked);
        assert_int_equal(x->shared->forks, forked);
}

static void kill_and_wait(struct fixture *x) {
        usec_t end = now_monotonic() + PATIENCE;

        cg_freezer_watch(x->freezer, true);
        assert_true(cg_kill(x->job) >= 0);
        x->empty = cg_populated(x->job) == 0;
        while (!x->empty && now_monotonic() < end)
                assert_true(sd_event_run(x->event, USEC_PER_SEC) >= 0);
        assert_true(x->empty);
}

static void finish(struct fixture *x) {
        usec_t end = now_monotonic() + PATIENCE;
        int r;

        cg_freezer_free(x->freezer);
        sd_event_unref(x->event);
        if (x->keeper > 0) {
                kill(x->keeper, SIGKILL);
                waitpid(x->keeper, NULL, 0);
        }
        while ((r = cg_remove(x->job)) == -EBUSY && now_monotonic() < end)
                sched_yield(); /* the last ones are being torn down */
        assert_int_equal(r, 0);
        assert_int_not_equal(access(cg_folder(x->job), F_OK), 0);
        cg_free(x->job);
        cg_free(x->step);
        munmap(x->shared, sizeof *x->shared);
}

static void a_frozen_group_stands_still_and_goes_on(void **state) {
        struct fixture x;

        (void)state;
        start(&x, count);
        for (int round = 0; round < 3; round++) {
                assert_true(ticks(&x, 10));
                ask(&x, true);
                assert_true(cg_freezer_is_frozen(x.freezer));
                stands_still(&x);
                ask(&x, false);
        }
        assert_true(ticks(&x, 10));
        kill_and_wait(&x);
        finish(&x);
}

static void a_frozen_group_is_killed(void **state) {
        struct fixture x;

        (void)state;
        start(&x, count);
        assert_true(ticks(&x, 1));
        ask(&x, true);
        kill_and_wait(&x);
        finish(&x);
}

static void a_fork_bomb_is_frozen_and_killed(void **state) {
        struct fixture x;

        (void)state;
        start(&x, explode);
        assert_true(ticks(&x, 200));
        ask(&x, true);
        stands_still(&x);
        ask(&x, false);
        assert_true(ticks(&x, 200));
        kill_and_wait(&x);
        stands_still(&x);
        finish(&x);
}

static void another_process_finds_the_same_group(void **state) {
        _cleanup_(cg_freep) struct cg *same = NULL;
        struct fixture x;

        (void)state;
        start(&x, count);
        assert_true(ticks(&x, 1));
        ask(&x, true);
        assert_int_equal(cg_open(cg_handle(x.job), &same, NULL), 0);
        assert_int_equal(cg_frozen(same), 1);
        assert_int_equal(cg_populated(same), 1);
        assert_string_equal(cg_handle(same), cg_handle(x.job));

        /* as a restarted daemon would: it knows of the freeze and thaws */
        cg_freezer_free(x.freezer);
        assert_int_equal(cg_freezer_new(x.event, same, &freezer_ops, &x, &x.freezer), 0);
        assert_true(cg_freezer_is_frozen(x.freezer));
        ask(&x, false);
        assert_true(ticks(&x, 10));
        kill_and_wait(&x);
        finish(&x);
}

/* The daemon was killed when not all had stopped: to its successor the group stands still, or it
   goes on. */
static void half_a_freeze_does_not_last(void **state) {
        struct fixture x;

        (void)state;
        start(&x, count);
        assert_true(ticks(&x, 1));
        ask(&x, true);
        cg_freezer_free(x.freezer);
        (void)cg_signal(x.job, SIGCONT);
        assert_int_equal(cg_freezer_new(x.event, x.job, &freezer_ops, &x, &x.freezer), 0);
        if (cg_freezer_is_frozen(x.freezer)) /* the kernel's freezers do not heed signals */
                ask(&x, false);
        assert_true(ticks(&x, 10));
        kill_and_wait(&x);
        finish(&x);
}

static void a_group_with_members_is_not_removed(void **state) {
        struct fixture x;

        (void)state;
        start(&x, count);
        assert_true(ticks(&x, 1));
        assert_int_equal(cg_remove(x.job), -EBUSY);
        assert_true(ticks(&x, 10));
        kill_and_wait(&x);
        finish(&x);
}

static void an_empty_group_freezes_at_once(void **state) {
        _cleanup_(cg_freep) struct cg *g = NULL;

        (void)state;
        g = make_job();
        assert_int_equal(cg_set_frozen(g, true), 0);
        assert_int_equal(cg_frozen(g), 1);
        assert_int_equal(cg_set_frozen(g, false), 0);
        assert_int_equal(cg_frozen(g), 0);
        assert_int_equal(cg_remove(g), 0);
        assert_int_equal(cg_remove(g), 0);
}

/* In a child: it becomes a member, and must not be able to stop itself. */
static void own_group_is_not_frozen_or_killed(void **state) {
        _cleanup_(cg_freep) struct cg *g = NULL;
        int status;

        (void)state;
        g = make_job();
        pid_t child = fork();
        if (child == 0) {
                if (cg_enter(g) < 0)
                        _exit(1);
                if (cg_set_frozen(g, true) != -EDEADLK)
                        _exit(2);
                _exit(cg_kill(g) == -EDEADLK ? 0 : 3);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(cg_remove(g), 0);
}

static void a_group_that_uses_too_much_memory_is_noticed(void **state) {
        struct cg_limits limits = { .memory = 64 << 20, .cpus = "0" };
        _cleanup_(cg_freep) struct cg *job = NULL, *step = NULL;
        struct fail fail = { 0 };
        int status;

        (void)state;
        if (!cg_system_limits_memory(cgroups) || !cg_system_limits_cpus(cgroups))
                skip();
        job = make_job();
        if (cg_system_make(cgroups, job, "0", 0, &limits, &step, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_int_equal(cg_out_of_memory(step), 0);
        pid_t child = fork();
        if (child == 0) {
                cpu_set_t cpus;

                if (cg_enter(step) < 0 || sched_getaffinity(0, sizeof cpus, &cpus) < 0)
                        _exit(1);
                if (CPU_COUNT(&cpus) != 1 || !CPU_ISSET(0, &cpus))
                        _exit(2);
                size_t size = 256 << 20;
                char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                                0);
                memset(p, 1, size);
                _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        assert_int_equal(cg_out_of_memory(step), 1);
        assert_int_equal(cg_remove(step), 0);
        assert_int_equal(cg_remove(job), 0);
}

/* A process of uid's that was started with the marker, and that no group keeps. */
static pid_t pretend(const char *marker, uid_t uid) {
        char *env[] = { (char *)marker, NULL }, *argv[] = { (char *)"sleep", (char *)"60", NULL };
        int fds[2];
        char byte;

        assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
        pid_t child = fork();
        if (child == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (setresuid(uid, uid, uid) < 0)
                        _exit(1);
                execve("/bin/sleep", argv, env);
                _exit(1);
        }
        close(fds[1]);
        assert_int_equal(read(fds[0], &byte, 1), 0); /* closed by its exec */
        close(fds[0]);
        return child;
}

static void a_marker_counts_for_its_owner_only(void **state) {
        _cleanup_(cg_freep) struct cg *g = NULL;
        _cleanup_free_ char *marker = NULL;

        (void)state;
        g = make_job();
        if (geteuid() != 0 || !streq(cg_kind(g), "none")) {
                (void)cg_remove(g);
                g = cg_free(g); /* skip() does not come back */
                skip();
        }
        marker = cg_marker(g);
        assert_int_equal(cg_set_owner(g, 65534), 0);
        pid_t stranger = pretend(marker, 65533);
        assert_int_equal(cg_populated(g), 0);
        pid_t own = pretend(marker, 65534);
        assert_int_equal(cg_populated(g), 1);
        assert_int_equal(cg_kill(g), 0);
        int status;
        assert_int_equal(waitpid(own, &status, 0), own);
        assert_int_equal(WTERMSIG(status), SIGKILL);
        assert_int_equal(waitpid(stranger, NULL, WNOHANG), 0);
        kill(stranger, SIGKILL);
        waitpid(stranger, NULL, 0);
        assert_int_equal(cg_remove(g), 0);
}

/* The other one of two on this machine, which is named as the first, and one that has begun anew.
 */
static struct cg_system *open_slurms(const char *node, const char *wanted) {
        struct cg_system *s = NULL;
        _cleanup_free_ char *own = xasprintf("%s/own", root);
        const struct cg_setup setup = { .kind = strrchr(cg_system_kind(cgroups), '/') + 1,
                .root = own,
                .layout = wanted,
                .node = node,
                .name = "n1" };
        struct fail fail = { 0 };

        if (cg_system_open(&setup, &s, &fail) < 0)
                fail_msg("%s", fail.text);
        return s;
}

static const char *below_root(const char *folder) {
        const char *p = strstr(folder, "/own/");

        assert_non_null(p);
        return p + strlen("/own/");
}

static void groups_are_where_slurm_has_them(void **state) {
        _cleanup_(cg_system_freep) struct cg_system *s = NULL, *other = NULL, *third = NULL;
        _cleanup_(cg_freep) struct cg *job = NULL, *again = NULL, *step = NULL, *task = NULL;
        const struct cg_job run = { .id = 7, .uid = 1000 },
                            next = { .id = 7, .restarts = 1, .uid = 1000, .another = true };

        (void)state;
        if (!layout)
                skip();
        bool v2 = streq(cg_system_kind(cgroups), "cgroup/v2");
        s = open_slurms("one", "slurm");
        other = open_slurms("two", "slurm");
        third = open_slurms("three", "slurm");
        assert_string_equal(below_root(cg_system_folder(s)), v2 ? "slurmstepd.scope" : "slurm");
        assert_string_equal(below_root(cg_system_folder(other)),
                        v2 ? "n1_slurmstepd.scope" : "slurm_n1");
        assert_string_equal(below_root(cg_system_folder(third)), "slumber-three");
        assert_int_equal(cg_system_make_job(s, &run, &job, NULL), 0);
        assert_string_equal(below_root(cg_folder(job)),
                        v2 ? "slurmstepd.scope/job_7" : "slurm/uid_1000/job_7");
        assert_int_equal(cg_system_make(s, job, "batch", 1000, NULL, &step, NULL), 0);
        assert_string_equal(strrchr(cg_folder(step), '/'), "/step_batch");
        assert_int_equal(cg_open_task(step, 3, &task), 0);
        assert_string_equal(strstr(cg_folder(task), "/step_batch"),
                        v2 ? "/step_batch/user/task_3" : "/step_batch");
        assert_int_equal(access(cg_folder(task), F_OK), 0);
        assert_int_equal(cg_system_make_job(s, &next, &again, NULL), 0);
        assert_string_equal(strrchr(cg_folder(again), '/'), "/job_7.1");
        assert_int_equal(cg_remove(again), 0);
        assert_int_equal(cg_remove(step), 0);
        assert_int_equal(cg_remove(job), 0);
        cg_system_remove(s);
        cg_system_remove(other);
        cg_system_remove(third);
        assert_int_not_equal(access(cg_system_folder(s), F_OK), 0);
}

/* An agent that begins anew opens what is there, whatever its layout is now. */
static void jobs_stay_in_the_layout_that_they_began_in(void **state) {
        static const char *const layouts[] = { "slurm", "slumber" };

        (void)state;
        if (!layout)
                skip();
        for (size_t i = 0; i < ELEMENTSOF(layouts); i++) {
                struct cg_system *s = open_slurms("one", layouts[i]);
                _cleanup_(cg_freep) struct cg *job = NULL, *found = NULL, *fresh = NULL;
                struct cg_job run = { .id = 7, .uid = 1000 }, more = { .id = 8, .uid = 1000 };
                struct cg **list;

                assert_int_equal(cg_system_make_job(s, &run, &job, NULL), 0);
                assert_int_equal(cg_is_fresh(job), streq(cg_kind(job), "cgroup/v2"));
                cg_system_free(s); /* as by kill -9 */
                s = open_slurms("one", layouts[1 - i]);
                run.known = more.known = true;
                assert_int_equal(cg_system_make_job(s, &run, &found, NULL), 0);
                assert_string_equal(cg_folder(found), cg_folder(job));
                assert_false(cg_is_fresh(found));
                assert_int_equal(cg_system_make_job(s, &more, &fresh, NULL), 0);
                assert_string_equal(strrchr(cg_folder(fresh), '/'), i ? "/job_8" : "/job8-0");
                list = cg_system_list(s);
                for (size_t k = 0; k < 2; k++) {
                        assert_non_null(list[k]);
                        cg_free(list[k]);
                }
                assert_null(list[2]);
                free(list);
                assert_int_equal(cg_remove(found), 0);
                assert_int_equal(cg_remove(fresh), 0);
                cg_system_remove(s);
                cg_system_free(s);
        }
}

/* A real Slurm's has no mark. */
static void another_programs_groups_are_left_alone(void **state) {
        (void)state;
        if (!layout)
                skip();
        _cleanup_(cg_system_freep) struct cg_system *s = open_slurms("one", "slurm"), *own = NULL;
        _cleanup_free_ char *folder = xstrdup(cg_system_folder(s)),
                            *job = xasprintf("%s/%s", folder,
                                            streq(cg_system_kind(s), "cgroup/v2") ? "job_5"
                                                                                  : "uid_0");
        cg_system_remove(s);
        assert_true(mkdir(folder, 0755) >= 0 && mkdir(job, 0755) >= 0);
        own = open_slurms("one", "slurm");
        assert_string_not_equal(cg_system_folder(own), folder);
        assert_non_null(strstr(cg_system_folder(own), "n1"));
        struct cg **list = cg_system_list(own);
        assert_null(list[0]);
        free(list);
        cg_system_remove(own);
        assert_true(rmdir(job) >= 0 && rmdir(folder) >= 0);
}

struct sharing { /* with a child in the same memory */
        pid_t pid;
        int error; /* of its exec */
        bool ends;
};

static void begin_shared(void *arg) {
        struct sharing *s = arg;
        char *arguments[] = { (char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
                (char *)(uintptr_t) "exit 7", NULL };

        s->pid = getpid();
        if (!s->ends)
                (void)execv("/bin/sh", arguments);
        s->error = errno;
        for (;;)
                (void)syscall(SYS_exit_group, 9);
}

/* A child in the same memory is a member, and the caller goes on when it has exec'ed or ended. */
static void a_child_may_share_memory(void **state) {
        static char stack[16384] __attribute__((aligned(16)));
        struct fixture x = { .job = make_job() };
        struct fail fail = { 0 };

        (void)state;
        if (cg_system_make(cgroups, x.job, "batch", 0, NULL, &x.step, &fail) < 0)
                fail_msg("%s", fail.text);
        for (int ends = 0; ends < 2; ends++) {
                struct sharing s = { .ends = ends };
                int status;

                pid_t pid = cg_fork_shared(x.step, stack, sizeof stack, begin_shared, &s);
                if (pid < 0) /* only v2 of this kernel can */
                        break;
                assert_int_equal(s.pid, pid);
                assert_int_equal(waitpid(pid, &status, 0), pid);
                assert_true(WIFEXITED(status));
                assert_int_equal(WEXITSTATUS(status), ends ? 9 : 7);
        }
        assert_int_equal(cg_remove(x.job), 0);
        cg_free(x.step);
        cg_free(x.job);
}

static void bad_handles_are_refused(void **state) {
        static const char *const handles[] = { "", "v2", "v2=relative", "v3=/x", "v2=/x\nother=/y",
                "=/x" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(handles); i++) {
                struct cg *g = NULL;

                assert_int_equal(cg_open(handles[i], &g, NULL), -EINVAL);
                assert_null(g);
        }
}

static int pure_v2 = SKIPPED; /* what try_pure_v2() has said */

/* In a child, before libcgroup has looked for mounts: cgroup2 is all that is mounted, it says that
   it has memory, and the folder of groups is configured.  0: a group with a limit is made; SKIPPED:
   such mounts are not to be had. */
static int try_pure_v2(const char *dir) {
        static const struct cg_limits limits = { .memory = 64 << 20 };
        _cleanup_free_ char *controllers = xasprintf("%s/controllers", dir),
                            *mount_point = xasprintf("%s/mount", dir);
        _cleanup_free_ char *file = xasprintf("%s/cgroup.controllers", mount_point);
        const struct cg_setup setup = {
                .kind = "v2",
                .root = "/slumber-test-root",
                .node = "pure",
                .state_dir = dir,
        };
        struct cg_system *s = NULL;
        struct fail fail = { 0 };
        struct cg *g = NULL;
        FILE *f = fopen(controllers, "we");

        if (!f || fputs("memory\n", f) < 0 || fclose(f) != 0 || mkdir(mount_point, 0700) < 0 ||
                        unshare(CLONE_NEWNS) < 0 ||
                        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
                        umount2("/sys/fs/cgroup", MNT_DETACH) < 0 ||
                        mount("none", mount_point, "cgroup2", 0, NULL) < 0 ||
                        mount(controllers, file, NULL, MS_BIND, NULL) < 0 ||
                        cg_system_open(&setup, &s, &fail) < 0)
                return SKIPPED;
        const struct cg_job job = { .id = 1 };
        int r = cg_system_make_job(s, &job, &g, &fail);
        if (r >= 0)
                r = cg_system_make(s, g, NULL, 0, &limits, &g, &fail);
        if (r < 0)
                fprintf(stderr, "%s\n", fail.text);
        else
                (void)cg_remove(g);
        _cleanup_free_ char *base = xstrdup(cg_system_folder(s));
        cg_system_remove(s);
        *strrchr(base, '/') = 0;
        (void)rmdir(base);
        return r < 0;
}

static void look_at_pure_v2(const char *dir) {
        pid_t child = fork();
        int status;

        if (child == 0)
                _exit(try_pure_v2(dir));
        assert(child > 0 && waitpid(child, &status, 0) == child);
        pure_v2 = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void a_controller_of_v2_is_not_taken_for_v1(void **state) {
        (void)state;
        if (pure_v2 == SKIPPED)
                skip();
        assert_int_equal(pure_v2, 0);
}

static void only_an_agents_own_group_is_cut_off(void **state) {
        static const char *const rows[][2] = {
                { "/a/supervisor", "/a" },
                { "/a/supervisor-n1", "/a" },
                { "/supervisor", "" },
                { "/a/supervisor-n2", "/a/supervisor-n2" },
                { "/a/supervisor-n10", "/a/supervisor-n10" },
                { "/system.slice/supervisor.service", "/system.slice/supervisor.service" },
                { "/system.slice/supervisord", "/system.slice/supervisord" },
                { "/supervisor/a", "/supervisor/a" },
                { "", "" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *path = xstrdup(rows[i][0]);
                cg_cut_leaf(path, "n1");
                assert_string_equal(path, rows[i][1]);
        }
}

static int remove_path(const char *path, const struct stat *st, int type, struct FTW *ftw) {
        (void)st, (void)type, (void)ftw;
        return remove(path);
}

/* In each hierarchy. */
static void remove_roots(void) {
        FILE *mounts = setmntent("/proc/self/mounts", "re");
        struct mntent *m;

        while (root && mounts && (m = getmntent(mounts))) {
                _cleanup_free_ char *folder = xasprintf("%s%s", m->mnt_dir, root),
                                    *own = xasprintf("%s/own", folder);
                if (strncmp(m->mnt_type, "cgroup", strlen("cgroup")) == 0) {
                        (void)rmdir(own);
                        (void)rmdir(folder);
                }
        }
        if (mounts)
                endmntent(mounts);
}

int main(int argc, char **argv) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_frozen_group_stands_still_and_goes_on),
                cmocka_unit_test(a_frozen_group_is_killed),
                cmocka_unit_test(a_fork_bomb_is_frozen_and_killed),
                cmocka_unit_test(another_process_finds_the_same_group),
                cmocka_unit_test(half_a_freeze_does_not_last),
                cmocka_unit_test(a_group_with_members_is_not_removed),
                cmocka_unit_test(an_empty_group_freezes_at_once),
                cmocka_unit_test(own_group_is_not_frozen_or_killed),
                cmocka_unit_test(a_group_that_uses_too_much_memory_is_noticed),
                cmocka_unit_test(a_marker_counts_for_its_owner_only),
                cmocka_unit_test(groups_are_where_slurm_has_them),
                cmocka_unit_test(jobs_stay_in_the_layout_that_they_began_in),
                cmocka_unit_test(another_programs_groups_are_left_alone),
                cmocka_unit_test(a_child_may_share_memory),
                cmocka_unit_test(bad_handles_are_refused),
                cmocka_unit_test(a_controller_of_v2_is_not_taken_for_v1),
                cmocka_unit_test(only_an_agents_own_group_is_cut_off),
        };
        char dir[] = "/tmp/agent-test-cgroup-XXXXXX", node[64];
        struct fail why = { 0 };

        assert(mkdtemp(dir));
        snprintf(node, sizeof node, "test%d", (int)getpid());
        layout = argc > 2 ? argv[2] : NULL;
        _cleanup_free_ char *below = layout ? xasprintf("/slumber-root-%s", node) : NULL;
        root = below;
        struct cg_setup setup = { .kind = argc > 1 ? argv[1] : "none",
                .root = root,
                .layout = layout,
                .node = node,
                .state_dir = dir };
        if (streq(setup.kind, "v2") && !layout)
                look_at_pure_v2(dir);
        if (cg_system_open(&setup, &cgroups, &why) < 0) {
                printf("1..0 # SKIP %s\n", why.text);
                (void)nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS);
                return SKIPPED;
        }
        printf("# groups below %s\n", cg_system_folder(cgroups));
        int failed = cmocka_run_group_tests(tests, NULL, NULL);
        cg_system_remove(cgroups);
        cg_system_free(cgroups);
        remove_roots();
        (void)nftw(dir, remove_path, 8, FTW_DEPTH | FTW_PHYS);
        return failed;
}
