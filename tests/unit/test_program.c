/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real programs are started: scripts, and this test itself under the name "probe", which writes
 * what it finds of its surroundings to the file "out" beside the slurm.conf that it is told. */
#include "tests/unit/test.h"

#include "controller/programs/program.h"

#include "lib/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define OTHER_UID 65534

extern char **environ;

/* ---- the probe ---- */

static void print_signals(FILE *out) {
        sigset_t set;

        sigprocmask(SIG_SETMASK, NULL, &set);
        for (int i = 1; i < NSIG; i++) {
                struct sigaction action;

                if (sigismember(&set, i) == 1)
                        fprintf(out, "blocked %d\n", i);
                /* A sanitizer's handler is the probe's own; an ignored signal can only be
                   inherited. */
                if (sigaction(i, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
                        fprintf(out, "ignored %d\n", i);
        }
}

static void print_descriptors(FILE *out) {
        DIR *dir = opendir("/proc/self/fd");

        for (struct dirent *e; (e = readdir(dir));) {
                char path[300], target[300];

                snprintf(path, sizeof path, "/proc/self/fd/%s", e->d_name);
                ssize_t n = readlink(path, target, sizeof target - 1);
                target[MAX(n, 0)] = 0;
                if (n > 0 && atoi(e->d_name) != dirfd(dir) && atoi(e->d_name) != fileno(out))
                        fprintf(out, "fd %s %s\n", e->d_name, target);
        }
        closedir(dir);
}

static int probe(int argc, char **argv) {
        const char *conf = getenv("SLURM_CONF");
        _cleanup_free_ char *path = xstrndup(conf, (size_t)(strrchr(conf, '/') - conf) + 8),
                            *cwd = getcwd(NULL, 0);

        memcpy(strrchr(path, '/'), "/out", 5);
        _cleanup_fclose_ FILE *out = fopen(path, "we");
        for (int i = 0; i < argc; i++)
                fprintf(out, "argv %s\n", argv[i]);
        for (char **e = environ; *e; e++)
                fprintf(out, "env %s\n", *e);
        fprintf(out, "cwd %s\n%s", cwd, getpgrp() == getpid() ? "own group\n" : "");
        fprintf(out, "user %d %d %d groups %d\n", (int)getuid(), (int)geteuid(), (int)getgid(),
                        getgroups(0, NULL));
        print_signals(out);
        print_descriptors(out);
        return 0;
}

/* ---- helpers ---- */

struct fixture {
        char folder[64], conf[96], out[96], program[96];
        sd_event *event;
        unsigned ended;
        pid_t pid;
        int status;
        bool timed_out;
        char said[PROGRAM_SAID_MAX + 1];
        struct program_request req;
        struct program *running;
};

static int make_fixture(void **state) {
        struct fixture *f = xnew0(struct fixture, 1);

        strcpy(f->folder, "/tmp/test-program-XXXXXX");
        assert_non_null(mkdtemp(f->folder));
        assert_int_equal(chmod(f->folder, 0777), 0);
        snprintf(f->conf, sizeof f->conf, "%s/slurm.conf", f->folder);
        snprintf(f->out, sizeof f->out, "%s/out", f->folder);
        snprintf(f->program, sizeof f->program, "%s/program", f->folder);
        assert_true(sd_event_new(&f->event) >= 0);
        f->req = (struct program_request){ .path = f->program,
                .hostlist = "n[1-3]",
                .slurm_conf = f->conf,
                .cwd = f->folder,
                .uid = geteuid(),
                .gid = getegid() };
        *state = f;
        return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

static int remove_fixture(void **state) {
        struct fixture *f = *state;

        sd_event_unref(f->event);
        nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        free(f);
        return 0;
}

static void script(struct fixture *f, const char *text, mode_t mode) {
        _cleanup_close_ int fd = open(f->program, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0700);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
        assert_int_equal(fchmod(fd, mode), 0);
}

static void on_ended(pid_t pid, int status, bool timed_out, const char *said, void *user) {
        struct fixture *f = user;

        f->ended++;
        f->pid = pid;
        f->status = status;
        f->timed_out = timed_out;
        snprintf(f->said, sizeof f->said, "%s", said);
}

static void start(struct fixture *f) {
        struct fail fail = { 0 };

        if (program_start(f->event, &f->req, on_ended, f, &f->running, &fail) < 0)
                fail_msg("%s", fail.text);
        assert_true(program_pid(f->running) > 0);
}

static void wait_ended(struct fixture *f) {
        while (f->ended == 0)
                assert_true(sd_event_run(f->event, 20 * USEC_PER_SEC) > 0);
        assert_int_equal(f->ended, 1);
        assert_int_equal(waitpid(f->pid, NULL, WNOHANG), -1); /* reaped */
        assert_int_equal(errno, ECHILD);
}

static void run(struct fixture *f) {
        start(f);
        wait_ended(f);
}

static char *read_out(struct fixture *f) {
        char *text = xcalloc(1, 1 << 16);
        _cleanup_close_ int fd = open(f->out, O_RDONLY | O_CLOEXEC);

        assert_true(fd >= 0);
        assert_true(read(fd, text, (1 << 16) - 1) >= 0);
        return text;
}

static void expect_out(struct fixture *f, const char *text) {
        _cleanup_free_ char *out = read_out(f);

        assert_string_equal(out, text);
}

static void expect_line(const char *out, const char *line) {
        size_t n = strlen(line);

        for (const char *p = out; (p = strstr(p, line)); p++)
                if ((p == out || p[-1] == '\n') && p[n] == '\n')
                        return;
        fail_msg("no line \"%s\" in\n%s", line, out);
}

static unsigned count_lines(const char *out, const char *prefix) {
        unsigned n = 0;

        for (const char *p = out; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
                n += strncmp(p, prefix, strlen(prefix)) == 0;
        return n;
}

/* The copy lies where any user may run it. */
static void install_probe(struct fixture *f, char path[static 96]) {
        char self[300];
        _cleanup_free_ char *command = NULL;

        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        assert_true(n > 0);
        self[n] = 0;
        snprintf(path, 96, "%s/probe", f->folder);
        command = xasprintf("cp '%s' '%s'", self, path);
        assert_int_equal(system(command), 0);
        f->req.path = path;
}

/* ---- what a program finds ---- */

static void a_program_gets_its_name_its_nodes_and_nothing_else(void **state) {
        struct fixture *f = *state;
        char path[96], line[128];
        void (*old)(int) = signal(SIGPIPE, SIG_IGN);

        install_probe(f, path);
        f->req.hostlist = "n[1-3] $(false) 'x'";
        int stray = open("/dev/zero",
                        O_RDONLY); /* not close-on-exec: must not arrive all the same */
        run(f);
        close(stray);
        signal(SIGPIPE, old);
        assert_int_equal(f->status, 0);

        _cleanup_free_ char *out = read_out(f);
        expect_line(out, "argv probe");
        expect_line(out, "argv n[1-3] $(false) 'x'");
        assert_int_equal(count_lines(out, "argv "), 2);
        snprintf(line, sizeof line, "env SLURM_CONF=%s", f->conf);
        expect_line(out, line);
        assert_int_equal(count_lines(out, "env "), 1);
        snprintf(line, sizeof line, "cwd %s", f->folder);
        expect_line(out, line);
        expect_line(out, "own group");
        expect_line(out, "fd 0 /dev/null");
        expect_line(out, "fd 1 /dev/null");
        expect_line(out, "fd 2 /memfd:slumber-stderr (deleted)");
        assert_int_equal(count_lines(out, "fd "), 3);
        assert_int_equal(count_lines(out, "blocked "), 0);
        assert_int_equal(count_lines(out, "ignored "), 0);
}

static void a_folder_that_cannot_be_entered_is_replaced_by_the_root(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\npwd > ${SLURM_CONF%/*}/out\n", 0755);
        f->req.cwd = "/nonexistent";
        run(f);
        expect_out(f, "/\n");
}

static void a_program_runs_as_another_user(void **state) {
        struct fixture *f = *state;
        char path[96];

        if (geteuid() != 0) {
                print_message("skipped: needs root\n");
                skip();
        }
        install_probe(f, path);
        f->req.uid = OTHER_UID;
        f->req.gid = OTHER_UID;
        run(f);
        _cleanup_free_ char *out = read_out(f);
        expect_line(out, "user 65534 65534 65534 groups 1");
        assert_int_equal(count_lines(out, "fd "), 3);
}

static void a_program_gets_a_descriptor_for_its_results(void **state) {
        struct fixture *f = *state;
        char path[96], got[64] = "";
        int fds[2];

        assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
        f->req.result_fd = fds[1];
        script(f, "#!/bin/sh\necho \"$SLUMBER_RESULT_FD\" >&\"$SLUMBER_RESULT_FD\"\n", 0755);
        run(f);
        assert_int_equal(f->status, 0);
        assert_int_equal(read(fds[0], got, sizeof got - 1), 2);
        assert_string_equal(got, "4\n");

        f->ended = 0;
        install_probe(f, path);
        f->req.resume_json = "{}";
        run(f);
        _cleanup_free_ char *out = read_out(f);
        expect_line(out, "env SLUMBER_RESULT_FD=4");
        assert_int_equal(count_lines(out, "env "), 3);
        assert_int_equal(count_lines(out, "fd "), 4);
        close(fds[0]);
        close(fds[1]);
}

/* ---- the resume file ---- */

#define RESUME_TEXT "{\"jobs\":[],\"all_nodes_resume\":\"n[1-3]\"}"

static const char read_resume[] = "#!/bin/sh\n"
                                  "cat \"$SLURM_RESUME_FILE\" > ${SLURM_CONF%/*}/out || exit 1\n"
                                  "(cat \"$SLURM_RESUME_FILE\" >> ${SLURM_CONF%/*}/out)\n";

static void the_resume_file_is_read_again_and_again(void **state) {
        struct fixture *f = *state;

        script(f, read_resume, 0755);
        f->req.resume_json = RESUME_TEXT;
        run(f);
        assert_int_equal(f->status, 0);
        expect_out(f, RESUME_TEXT RESUME_TEXT);
}

static void another_user_reads_the_resume_file(void **state) {
        struct fixture *f = *state;

        if (geteuid() != 0) {
                print_message("skipped: needs root\n");
                skip();
        }
        script(f, read_resume, 0755);
        f->req.resume_json = RESUME_TEXT;
        f->req.uid = OTHER_UID;
        f->req.gid = OTHER_UID;
        run(f);
        assert_int_equal(f->status, 0);
        expect_out(f, RESUME_TEXT RESUME_TEXT);
}

static void the_resume_file_cannot_be_changed(void **state) {
        struct fixture *f = *state;

        script(f,
                        "#!/bin/sh\n{ echo x >> \"$SLURM_RESUME_FILE\"; } 2>/dev/null && exit 9\n"
                        "cat \"$SLURM_RESUME_FILE\" > ${SLURM_CONF%/*}/out\n",
                        0755);
        f->req.resume_json = RESUME_TEXT;
        run(f);
        assert_int_equal(f->status, 0);
        expect_out(f, RESUME_TEXT);
}

static unsigned count_descriptors(void) {
        DIR *dir = opendir("/proc/self/fd");
        unsigned n = 0;

        while (readdir(dir))
                n++;
        closedir(dir);
        return n;
}

static void no_descriptor_is_left_behind(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\n", 0755);
        f->req.resume_json = RESUME_TEXT;
        f->req.timeout = USEC_PER_SEC;
        run(f); /* the event loop's own come with the first */
        unsigned before = count_descriptors();
        for (unsigned i = 0; i < 20; i++) {
                f->ended = 0;
                run(f);
        }
        assert_int_equal(count_descriptors(), before);
}

/* ---- how it ends ---- */

static void the_exit_code_comes_back(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\nexit 3\n", 0755);
        run(f);
        assert_true(WIFEXITED(f->status));
        assert_int_equal(WEXITSTATUS(f->status), 3);
        assert_false(f->timed_out);
}

static void the_signal_comes_back(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\nkill -9 $$\n", 0755);
        run(f);
        assert_true(WIFSIGNALED(f->status));
        assert_int_equal(WTERMSIG(f->status), SIGKILL);
        assert_false(f->timed_out);
}

static void much_output_is_thrown_away(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\nhead -c 50000000 /dev/zero && head -c 50000000 /dev/zero >&2\n",
                        0755);
        f->req.timeout = 20 * USEC_PER_SEC;
        run(f);
        assert_int_equal(f->status, 0);
}

static void reading_standard_input_ends_at_once(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\ncat > ${SLURM_CONF%/*}/out\n", 0755);
        f->req.timeout = 20 * USEC_PER_SEC;
        run(f);
        assert_int_equal(f->status, 0);
        expect_out(f, "");
}

static void a_program_that_hangs_is_ended(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\nexec sleep 1000\n", 0755);
        f->req.timeout = 100 * USEC_PER_MSEC;
        run(f);
        assert_true(f->timed_out);
        assert_true(WIFSIGNALED(f->status));
        assert_int_equal(WTERMSIG(f->status), SIGTERM);
}

static void its_last_words_are_kept(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\necho out\nprintf 'no such\\thost\\nlast words' >&2\nexit 3\n", 0755);
        run(f);
        assert_int_equal(WEXITSTATUS(f->status), 3);
        assert_string_equal(f->said, "no such host\nlast words");
}

static void of_many_words_the_last_lines_are_kept(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\ni=0; while [ $i -lt 1000 ]; do i=$((i+1)); echo line $i >&2; done; exit 1\n",
                        0755);
        run(f);
        assert_true(strlen(f->said) <= PROGRAM_SAID_MAX &&
                        strlen(f->said) > PROGRAM_SAID_MAX - 100);
        assert_int_equal(strncmp(f->said, "line ", 5), 0);
        assert_string_equal(f->said + strlen(f->said) - 10, "line 1000\n");
}

/* Waits for a grandchild that became ours (we are a subreaper). */
static int reap_orphan(struct fixture *f) {
        _cleanup_free_ char *out = read_out(f);
        pid_t pid = (pid_t)strtol(out, NULL, 10);
        int status = 0;

        assert_true(pid > 1);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        return status;
}

static void what_ignores_sigterm_is_killed_with_its_children(void **state) {
        struct fixture *f = *state;
        usec_t begin = now_monotonic();

        script(f,
                        "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $! > ${SLURM_CONF%/*}/out\n"
                        "while :; do wait; done\n",
                        0755);
        f->req.timeout = 200 * USEC_PER_MSEC;
        run(f);
        assert_true(f->timed_out);
        assert_int_equal(WTERMSIG(f->status), SIGKILL);
        assert_true(now_monotonic() - begin >= PROGRAM_KILL_DELAY);
        assert_int_equal(WTERMSIG(reap_orphan(f)), SIGKILL);
}

static void what_a_program_leaves_running_goes_on(void **state) {
        struct fixture *f = *state;

        script(f, "#!/bin/sh\nsleep 1000 &\necho $! > ${SLURM_CONF%/*}/out\n", 0755);
        f->req.timeout = 20 * USEC_PER_SEC;
        run(f);
        assert_int_equal(f->status, 0);
        _cleanup_free_ char *out = read_out(f);
        assert_int_equal(kill((pid_t)strtol(out, NULL, 10), SIGUSR1), 0);
        assert_int_equal(WTERMSIG(reap_orphan(f)), SIGUSR1);
}

static void a_detached_program_goes_on(void **state) {
        struct fixture *f = *state;
        int status;

        script(f, "#!/bin/sh\nexec sleep 1000\n", 0755);
        f->req.timeout = USEC_PER_MSEC;
        start(f);
        pid_t pid = program_pid(f->running);
        assert_null(program_detach(f->running));
        assert_true(sd_event_run(f->event, 20 * USEC_PER_MSEC) >= 0); /* no timer is left to fire */
        assert_int_equal(f->ended, 0);
        assert_int_equal(kill(pid, SIGUSR1), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(WTERMSIG(status), SIGUSR1);
        assert_null(program_detach(NULL));
}

static void one_that_is_started_when_all_has_ended_goes_on(void **state) {
        struct fixture *f = *state;
        int status;

        script(f, "#!/bin/sh\nexec sleep 1000\n", 0755);
        f->req.timeout = 20 * USEC_PER_SEC;
        assert_true(sd_event_exit(f->event, 0) >= 0);
        assert_int_equal(sd_event_loop(f->event), 0);
        start(f);
        pid_t pid = program_pid(f->running);
        assert_null(program_detach(f->running));
        assert_int_equal(kill(pid, SIGUSR1), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(WTERMSIG(status), SIGUSR1);
}

/* ---- one that is not our child: started, detached, and found again ---- */

static pid_t start_stray(struct fixture *f, const char *text) {
        script(f, text, 0755);
        start(f);
        pid_t pid = program_pid(f->running);
        program_detach(f->running);
        return pid;
}

static void adopt(struct fixture *f, pid_t pid, usec_t timeout) {
        uint64_t begun = process_start(pid, false);

        assert_true(begun > 0);
        assert_int_equal(program_adopt(f->event, pid, begun, timeout, on_ended, f, &f->running), 0);
        assert_int_equal(program_pid(f->running), pid);
}

static void run_event(struct fixture *f) {
        while (f->ended == 0)
                assert_true(sd_event_run(f->event, 20 * USEC_PER_SEC) > 0);
        assert_int_equal(f->ended, 1);
        assert_int_equal(f->status, PROGRAM_STATUS_UNKNOWN);
}

static void an_adopted_program_is_watched_to_its_end(void **state) {
        struct fixture *f = *state;
        pid_t pid = start_stray(f, "#!/bin/sh\nexec sleep 1000\n");
        int status;

        adopt(f, pid, USEC_INFINITY);
        assert_true(sd_event_run(f->event, 0) >= 0);
        assert_int_equal(f->ended, 0);
        assert_int_equal(kill(pid, SIGUSR1), 0);
        run_event(f);
        assert_false(f->timed_out);
        assert_int_equal(f->pid, pid);
        assert_string_equal(f->said, "");
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(WTERMSIG(status), SIGUSR1);
}

/* Memory of its standard error, in bytes. */
static off_t holds(pid_t pid) {
        char path[64];
        struct stat st;

        snprintf(path, sizeof path, "/proc/%d/fd/2", (int)pid);
        assert_int_equal(stat(path, &st), 0);
        return st.st_blocks * 512;
}

static void what_an_adopted_one_says_is_heard_and_does_not_grow(void **state) {
        struct fixture *f = *state;
        pid_t pid = start_stray(f,
                        "#!/bin/sh\nhead -c 20000000 /dev/zero >&2\nkill -STOP $$\nprintf '\\nlast words' >&2\n");
        int status;

        assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
        assert_true(holds(pid) >= 20000000);
        adopt(f, pid, USEC_INFINITY);
        while (holds(pid) > 4000000) /* meson's time-out ends it */
                assert_true(sd_event_run(f->event, USEC_PER_SEC) >= 0);
        assert_int_equal(kill(pid, SIGCONT), 0);
        run_event(f);
        assert_string_equal(f->said, "last words");
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
}

/* It may be of another user: neither read nor written. */
static void a_file_that_it_has_put_in_place_of_its_errors_is_left_alone(void **state) {
        struct fixture *f = *state;
        _cleanup_close_ int fd = memfd_create("slumber-stderr", MFD_CLOEXEC);
        _cleanup_free_ char *text = xasprintf(
                        "#!/bin/sh\nexec 2>>/proc/%d/fd/%d\necho words >&2\nkill -STOP $$\n",
                        (int)getpid(), fd);
        int status;

        assert_true(fd >= 0);
        pid_t pid = start_stray(f, text);
        assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
        adopt(f, pid, USEC_INFINITY);
        assert_int_equal(kill(pid, SIGKILL), 0);
        run_event(f);
        assert_string_equal(f->said, "");
        assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void its_time_counts_from_its_start(void **state) {
        struct fixture *f = *state;
        pid_t pid = start_stray(f, "#!/bin/sh\nexec sleep 1000\n");
        int status;

        while (program_age(process_start(pid, false)) < 100 * USEC_PER_MSEC)
                assert_true(sd_event_run(f->event, 10 * USEC_PER_MSEC) >= 0);
        adopt(f, pid, 100 * USEC_PER_MSEC); /* it is over */
        assert_true(sd_event_run(f->event, 10 * USEC_PER_SEC) > 0);
        run_event(f);
        assert_true(f->timed_out);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(WTERMSIG(status), SIGTERM);
}

/* It ends at its SIGTERM, and its parent has reaped it before we hear of it: its number alone would
   not do. */
static void what_an_adopted_one_leaves_is_killed_when_its_time_is_over(void **state) {
        struct fixture *f = *state;
        struct sigaction reap = { .sa_handler = SIG_IGN }, old;
        pid_t pid = start_stray(f,
                        "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $! > ${SLURM_CONF%/*}/out\ntrap - TERM\nkill -STOP $$\nexec sleep 1000\n");
        int status;

        assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
        assert_int_equal(kill(pid, SIGCONT), 0);
        _cleanup_free_ char *out = read_out(f);
        _cleanup_close_ int left = pidfd_open((pid_t)strtol(out, NULL, 10), 0);
        assert_true(left >= 0);
        adopt(f, pid, USEC_PER_MSEC);
        assert_int_equal(sigaction(SIGCHLD, &reap, &old), 0);
        run_event(f);
        assert_true(f->timed_out);
        assert_int_equal(poll(&(struct pollfd){ .fd = left, .events = POLLIN }, 1, 20000), 1);
        assert_int_equal(sigaction(SIGCHLD, &old, NULL), 0);
}

static void a_number_that_is_anothers_by_now_is_left_alone(void **state) {
        struct fixture *f = *state;
        pid_t pid = start_stray(f, "#!/bin/sh\nexec sleep 1000\n");
        uint64_t begun = process_start(pid, false);
        siginfo_t si;
        int status;

        assert_int_equal(program_adopt(f->event, pid, begun + 1, USEC_PER_MSEC, on_ended, f,
                                         &f->running),
                        -ESRCH);
        assert_int_equal(program_adopt(f->event, pid, 0, USEC_PER_MSEC, on_ended, f, &f->running),
                        -ESRCH);
        assert_int_equal(program_adopt(f->event, 0, begun, USEC_PER_MSEC, on_ended, f, &f->running),
                        -ESRCH);
        assert_int_equal(sd_event_run(f->event, 20 * USEC_PER_MSEC), 0);
        assert_int_equal(waitpid(pid, &status, WNOHANG), 0); /* it runs */
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT), 0);
        assert_int_equal(process_start(pid, false), 0); /* it is not reaped yet */
        assert_int_equal(program_adopt(f->event, pid, begun, USEC_PER_MSEC, on_ended, f,
                                         &f->running),
                        -ESRCH);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(program_adopt(f->event, pid, begun, USEC_PER_MSEC, on_ended, f,
                                         &f->running),
                        -ESRCH);
}

/* ---- what cannot be run ---- */

static void refused(struct fixture *f, const char *path, int error, const char *words) {
        struct program *p = NULL;
        struct fail fail = { 0 };

        f->req.path = path;
        assert_int_equal(program_start(f->event, &f->req, on_ended, f, &p, &fail), error);
        assert_null(p);
        if (!strstr(fail.text, words) || !strstr(fail.text, path))
                fail_msg("\"%s\" does not say %s and %s", fail.text, path, words);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
        assert_int_equal(errno, ECHILD);
}

static void what_cannot_be_run_is_said_at_once(void **state) {
        struct fixture *f = *state;

        f->req.resume_json = RESUME_TEXT;
        refused(f, "/nonexistent/program", -ENOENT, "No such file");
        refused(f, f->folder, -EACCES, "Permission denied");
        refused(f, "program", -EINVAL, "expected an absolute path");
        script(f, "#!/bin/sh\n", 0644);
        refused(f, f->program, -EACCES, "Permission denied");
        script(f, "echo no first line\n", 0755);
        refused(f, f->program, -ENOEXEC, "begins with #!");
        script(f, "#!/nonexistent/shell\n", 0755);
        refused(f, f->program, -ENOENT, "it is there, but not its interpreter");
        if (geteuid() != 0) {
                script(f, "#!/bin/sh\n", 0755);
                f->req.uid = 0;
                refused(f, f->program, -EPERM, "change the user");
        }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_fixture, remove_fixture)

int main(int argc, char **argv) {
        static const struct CMUnitTest tests[] = {
                CASE(a_program_gets_its_name_its_nodes_and_nothing_else),
                CASE(a_folder_that_cannot_be_entered_is_replaced_by_the_root),
                CASE(a_program_runs_as_another_user),
                CASE(a_program_gets_a_descriptor_for_its_results),
                CASE(the_resume_file_is_read_again_and_again),
                CASE(another_user_reads_the_resume_file),
                CASE(the_resume_file_cannot_be_changed),
                CASE(no_descriptor_is_left_behind),
                CASE(the_exit_code_comes_back),
                CASE(the_signal_comes_back),
                CASE(much_output_is_thrown_away),
                CASE(reading_standard_input_ends_at_once),
                CASE(a_program_that_hangs_is_ended),
                CASE(its_last_words_are_kept),
                CASE(of_many_words_the_last_lines_are_kept),
                CASE(what_ignores_sigterm_is_killed_with_its_children),
                CASE(what_a_program_leaves_running_goes_on),
                CASE(a_detached_program_goes_on),
                CASE(one_that_is_started_when_all_has_ended_goes_on),
                CASE(an_adopted_program_is_watched_to_its_end),
                CASE(what_an_adopted_one_says_is_heard_and_does_not_grow),
                CASE(a_file_that_it_has_put_in_place_of_its_errors_is_left_alone),
                CASE(its_time_counts_from_its_start),
                CASE(what_an_adopted_one_leaves_is_killed_when_its_time_is_over),
                CASE(a_number_that_is_anothers_by_now_is_left_alone),
                CASE(what_cannot_be_run_is_said_at_once),
        };
        sigset_t set;

        if (streq(argv[0], "probe"))
                return probe(argc, argv);
        /* As the controller does: sd-event takes SIGCHLD; and one more, which must not be
           inherited. */
        sigemptyset(&set);
        sigaddset(&set, SIGCHLD);
        sigaddset(&set, SIGUSR2);
        sigprocmask(SIG_BLOCK, &set, NULL);
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        return cmocka_run_group_tests(tests, NULL, NULL);
}
