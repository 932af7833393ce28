/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A start: the resume file is made and sealed in memory -> fork -> the child sets up descriptors,
 * user and signals, and executes -> the parent learns from a close-on-exec pipe whether exec has
 * succeeded -> the child is watched by pidfd.  The pipe is read at once: between fork and exec the
 * child makes a handful of system calls and waits for nothing.
 *
 * Between fork and exec only async-signal-safe functions are called, because slumberctld has
 * threads; therefore all text is made before the fork, except the child's process number.
 *
 * The resume file is named by a path below /proc, as in Slurm.  A program running as another user
 * may not read slumberctld's /proc/PID/fd; such a program gets the descriptor and a path below its
 * own /proc/PID.
 *
 * Standard error is a file in memory, opened for appending.  A pipe would kill or block a program
 * that continues while slumberctld restarts; a file accepts all output, and all but the last bytes
 * are returned to the system at intervals.
 *
 * After the timeout: SIGTERM to the group, SIGKILL to the group PROGRAM_KILL_DELAY later or as soon
 * as the program has ended.
 *
 * A program started by the last effects of a stopping controller, whose event loop has ended, is
 * not watched and continues alone, like programs started before.
 *
 * A program started by an earlier slumberctld is not our child: the program is identified by
 * process number and start time and held by a pidfd; the process number alone is not used, because
 * the number may be reused after the end of the program. */
#include "controller/programs/program.h"

#include "lib/printable.h"
#include "lib/process.h"
#include "lib/thread.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

struct program {
        pid_t pid;
        int pidfd;      /* pidfd of an adopted program, else -1 */
        uint64_t start; /* process_start() of an adopted program */
        int resume_fd;  /* kept open until the program ends */
        int said_fd;    /* standard error; -1: /dev/null */
        off_t said;     /* size of standard error at the last look */
        usec_t pause;   /* time to the next look */
        bool timed_out;
        /* child: the end of the program, even of an adopted program */
        sd_event_source *child, *timer, *trim;
        program_ended ended;
        void *user;
};

/* ---- the resume file ---- */

/* Returns a sealed file in memory that contains text. */
static int make_resume_file(const char *text) {
        _cleanup_close_ int fd = memfd_create("slumber-resume", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        int r = fd < 0 ? -errno : fd_write(fd, text, strlen(text));

        if (r < 0)
                return r;
        if (fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
                return -errno;
        /* A process that opens the file starts at offset 0; a process that inherits the file shares
           this offset. */
        if (lseek(fd, 0, SEEK_SET) < 0)
                return -errno;
        return TAKE_FD(fd);
}

/* ---- standard error ---- */

#define SAID_KEPT ((off_t)1 << 20) /* whole pages; more than is read at the end */
/* Time to the next look: a program can write a gigabyte within a second, but few programs write. */
#define SAID_PAUSE_MIN (10 * USEC_PER_MSEC)
#define SAID_PAUSE_MAX (320 * USEC_PER_MSEC)

#define SAID_NAME  "slumber-stderr"
#define SAID_SEALS (F_SEAL_SEAL | F_SEAL_SHRINK)

static int open_again(int fd, int flags) {
        char path[64];

        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        return open(path, flags | O_CLOEXEC);
}

/* Returns the file for standard error and the program's descriptor, *ret_writer; -1: the program
   runs without, which is no reason for a failure. */
static int make_said(int *ret_writer) {
        _cleanup_close_ int fd = memfd_create(SAID_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);

        if (fd < 0 || fcntl(fd, F_ADD_SEALS, SAID_SEALS) < 0)
                return -1;
        *ret_writer = open_again(fd, O_WRONLY | O_APPEND);
        return *ret_writer < 0 ? -1 : TAKE_FD(fd);
}

/* Returns the mount by number, without asking the file system, which may belong to a user; -1:
   unknown. */
static int mount_of(int fd) {
        char path[64], line[128];
        int number = -1;

        snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
        FILE *in = fopen(path, "re");
        while (in && number < 0 && fgets(line, sizeof line, in))
                (void)sscanf(line, "mnt_id: %d", &number);
        if (in)
                fclose(in);
        return number;
}

/* Returns whether fd, opened with O_PATH, is a file of make_said().  The program may run as another
   user and may have replaced the descriptor by any file: only we make files in memory with our
   owner and these seals. */
static bool program_is_said_file(int fd) {
        _cleanup_close_ int memory = memfd_create(SAID_NAME, MFD_CLOEXEC), reader = -1;
        int mount = memory < 0 ? -1 : mount_of(memory);
        struct stat st;

        if (mount < 0 || mount_of(fd) != mount || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
                        st.st_uid != geteuid())
                return false;
        reader = open_again(fd, O_RDONLY);
        return reader >= 0 && fcntl(reader, F_GET_SEALS) == SAID_SEALS;
}

/* Returns the standard error of a program started by an earlier slumberctld; -1: none, or not
   ours. */
static int find_said(pid_t pid) {
        char path[64];

        snprintf(path, sizeof path, "/proc/%d/fd/2", (int)pid);
        _cleanup_close_ int fd = open(path, O_PATH | O_CLOEXEC);
        return fd >= 0 && program_is_said_file(fd) ? open_again(fd, O_RDWR) : -1;
}

static int on_trim(sd_event_source *source, uint64_t now, void *user) {
        struct program *p = user;
        struct stat st;

        p->pause = MIN(2 * p->pause, SAID_PAUSE_MAX);
        if (fstat(p->said_fd, &st) >= 0 && st.st_size > p->said + 2 * SAID_KEPT) {
                (void)fallocate(p->said_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                                st.st_size / SAID_KEPT * SAID_KEPT - SAID_KEPT);
                p->said = st.st_size;
                p->pause = SAID_PAUSE_MIN;
        }
        (void)sd_event_source_set_time_relative(source, p->pause);
        (void)sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
        return 0;
}

static void read_said(const struct program *p, char buf[static PROGRAM_SAID_MAX + 1]) {
        struct stat st;
        char *from = buf, raw[PROGRAM_SAID_MAX + 1];

        *buf = 0;
        if (p->said_fd < 0 || fstat(p->said_fd, &st) < 0)
                return;
        off_t at = st.st_size > PROGRAM_SAID_MAX ? st.st_size - PROGRAM_SAID_MAX : 0;
        ssize_t n = pread(p->said_fd, buf, PROGRAM_SAID_MAX, at);
        buf[n > 0 ? n : 0] = 0;
        for (char *c = buf; c < buf + n; c++)
                if ((unsigned char)*c < ' ' && *c != '\n')
                        *c = ' ';
        printable_copy(raw, sizeof raw, buf);
        strcpy(buf, raw);
        if (at > 0 && strchr(buf, '\n')) /* skip the rest of a line */
                from = strchr(buf, '\n') + 1;
        memmove(buf, from, strlen(from) + 1);
}

/* ---- the child ---- */

#define ERROR_FD  3 /* the child's number; closed by a successful exec */
#define RESULT_FD 4 /* the child's number, if given; named by result_variable */
#define RESUME_FD 5 /* the child's number, only if our descriptor cannot be used */
#define PATH_SIZE 64

enum stage {
        STAGE_STREAMS,
        STAGE_ONCE,
        STAGE_USER,
        STAGE_EXEC,
        STAGE_MAX,
};

static const char *const stage_text[STAGE_MAX] = {
        [STAGE_STREAMS] = "prepare the streams of",
        [STAGE_ONCE] = "note the start of",
        [STAGE_USER] = "change the user for",
        [STAGE_EXEC] = "run",
};

struct report {
        int stage, error;
};

struct plan {
        const struct program_request *req;
        char **argv;
        char **environment; /* ends with NULL; all but SLURM_CONF, the first, is borrowed */
        char resume[PATH_SIZE + 32]; /* SLURM_RESUME_FILE=... */
        char deadline[48];
        int error_fd, resume_fd; /* resume_fd: -1 unless passed on */
        int result_fd;           /* -1: none */
        int said_fd;             /* -1: /dev/null */
};

static void child_fail(int fd, enum stage stage, int error) __attribute__((noreturn));
static void child_fail(int fd, enum stage stage, int error) {
        struct report report = { stage, error };

        (void)!write(fd, &report, sizeof report);
        _exit(127);
}

static char *append_text(char *to, const char *text) {
        while (*text)
                *to++ = *text++;
        *to = 0;
        return to;
}

static char *append_number(char *to, unsigned n) {
        char digits[16];
        size_t i = sizeof digits;

        digits[--i] = 0;
        do
                digits[--i] = (char)('0' + n % 10);
        while (n /= 10);
        return append_text(to, digits + i);
}

static void name_own_resume_file(struct plan *plan) {
        char *p = append_text(plan->resume, "SLURM_RESUME_FILE=/proc/");

        p = append_number(p, (unsigned)getpid());
        p = append_text(p, "/fd/");
        append_number(p, RESUME_FD);
}

/* Moves our descriptors to their numbers and closes all others.  All are moved out of the way
   first, because each may have the number meant for another. */
static int place_descriptors(struct plan *plan) {
        int error = fcntl(plan->error_fd, F_DUPFD_CLOEXEC, 10), resume = -1, result = -1, said = -1;
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);

        if (error < 0 || null < 0)
                return -errno;
        plan->error_fd = error;
        if (plan->resume_fd >= 0 && (resume = fcntl(plan->resume_fd, F_DUPFD_CLOEXEC, 10)) < 0)
                return -errno;
        if (plan->result_fd >= 0 && (result = fcntl(plan->result_fd, F_DUPFD_CLOEXEC, 10)) < 0)
                return -errno;
        if (plan->said_fd >= 0 && (said = fcntl(plan->said_fd, F_DUPFD_CLOEXEC, 10)) < 0)
                return -errno;
        /* null may already be 0, 1 or 2: dup2 onto itself would keep close-on-exec. */
        null = fcntl(null, F_DUPFD_CLOEXEC, 10);
        if (null < 0)
                return -errno;
        for (int fd = 0; fd <= 2; fd++)
                if (dup2(fd == STDERR_FILENO && said >= 0 ? said : null, fd) < 0)
                        return -errno;
        if (dup3(error, ERROR_FD, O_CLOEXEC) < 0)
                return -errno;
        plan->error_fd = ERROR_FD;
        if (close_range(ERROR_FD + 1, 9, 0) < 0)
                return -errno;
        if (result >= 0 && dup2(result, RESULT_FD) < 0)
                return -errno;
        if (resume >= 0 && dup2(resume, RESUME_FD) < 0)
                return -errno;
        return close_range(10, ~0u, 0) < 0 ? -errno : 0;
}

static void default_signals(void) {
        struct sigaction action = { .sa_handler = SIG_DFL };
        sigset_t none;

        for (int i = 1; i < NSIG; i++)
                (void)sigaction(i, &action, NULL); /* fails for KILL, STOP and libc's own signals */
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Direct system calls: libc's functions would signal the threads left behind by the fork. */
static int become_user(uid_t uid, gid_t gid) {
        if (uid == geteuid() && gid == getegid())
                return 0;
        if (syscall(SYS_setgroups, (size_t)1, &gid) < 0 ||
                        syscall(SYS_setresgid, gid, gid, gid) < 0 ||
                        syscall(SYS_setresuid, uid, uid, uid) < 0)
                return -errno;
        return 0;
}

static void program_run_child(void *user) {
        struct plan *plan = user;
        const struct program_request *req = plan->req;
        int r;

        setpgid(0, 0);
        r = place_descriptors(plan);
        if (r < 0)
                child_fail(plan->error_fd, STAGE_STREAMS, -r);
        if (plan->resume_fd >= 0)
                name_own_resume_file(plan);
        int once = req->once ? open(req->once, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                             : plan->error_fd;
        if (once < 0)
                child_fail(plan->error_fd, STAGE_ONCE, errno);
        r = become_user(req->uid, req->gid);
        if (r < 0)
                child_fail(plan->error_fd, STAGE_USER, -r);
        if (!req->cwd || chdir(req->cwd) < 0)
                (void)!chdir("/");
        default_signals();
        execve(req->path, plan->argv, plan->environment);
        child_fail(plan->error_fd, STAGE_EXEC, errno);
}

/* ---- the parent ---- */

static bool can_read_our_descriptors(const struct program_request *req) {
        return req->uid == geteuid() && req->gid == getegid() && prctl(PR_GET_DUMPABLE) == 1;
}

static char result_variable[] = "SLUMBER_RESULT_FD="
                                "4";

static void make_argv(struct plan *plan, const struct program_request *req) {
        const char *const usual[] = { req->hostlist, req->features, NULL }, *const given[] = {
                req->arguments[0], req->arguments[1], req->arguments[2], NULL
        };
        const char *const *from = req->argv ? req->argv : *given ? given : usual;
        size_t n = 0;

        while (from[n])
                n++;
        plan->argv = xnew0(char *, n + 2);
        plan->argv[0] = xstrdup(strrchr(req->path, '/') + 1);
        for (size_t i = 0; i < n; i++)
                plan->argv[1 + i] = xstrdup(from[i]);
}

static void make_plan(struct plan *plan, const struct program_request *req, int resume_fd) {
        bool hand_down = resume_fd >= 0 && !can_read_our_descriptors(req);

        plan->req = req;
        make_argv(plan, req);
        size_t n = 1, more = 0;
        while (req->environment && req->environment[more])
                more++;
        plan->environment = xnew0(char *, more + 5);
        plan->environment[0] = xasprintf("SLURM_CONF=%s", req->slurm_conf);
        for (size_t i = 0; i < more; i++)
                plan->environment[n++] = req->environment[i];
        if (resume_fd >= 0)
                plan->environment[n++] = plan->resume;
        if (req->result_fd)
                plan->environment[n++] = result_variable;
        if (req->deadline) {
                snprintf(plan->deadline, sizeof plan->deadline, "SLUMBER_DEADLINE=%llu",
                                (unsigned long long)(req->deadline / USEC_PER_MSEC));
                plan->environment[n] = plan->deadline;
        }
        plan->result_fd = req->result_fd ? req->result_fd : -1;
        plan->resume_fd = hand_down ? resume_fd : -1;
        snprintf(plan->resume, sizeof plan->resume, "SLURM_RESUME_FILE=/proc/%d/fd/%d",
                        (int)getpid(), resume_fd);
}

static void program_plan_done(struct plan *plan) {
        for (size_t i = 0; plan->argv[i]; i++)
                free(plan->argv[i]);
        free(plan->argv);
        free(plan->environment[0]);
        free(plan->environment);
}

/* Returns 0 when the program is running; otherwise the child has been reaped. */
static int wait_for_exec(pid_t pid, int fd, const char *path, struct fail *fail) {
        struct report report = { STAGE_MAX, 0 };
        ssize_t n;

        do
                n = read(fd, &report, sizeof report);
        while (n < 0 && errno == EINTR);
        if (n == 0)
                return 0;
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                ;
        if (n != (ssize_t)sizeof report || report.stage < 0 || report.stage >= STAGE_MAX)
                return fail_set(fail, -EIO, "cannot run %s", path);
        const char *why = strerror(report.error);
        if (report.error == ENOEXEC)
                why = "neither a program nor a script that begins with #!";
        else if (report.stage == STAGE_EXEC && report.error == ENOENT && access(path, F_OK) == 0)
                why = "it is there, but not its interpreter, what stands behind #! (with the carriage return of a Windows editor, if there is one)";
        return fail_set(fail, -report.error, "cannot %s %s: %s", stage_text[report.stage], path,
                        why);
}

static int program_spawn(const struct program_request *req, int resume_fd, int said_fd, pid_t *ret,
                struct fail *fail) {
        struct plan plan = { 0 };
        int fds[2];

        if (pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "cannot run %s: %s", req->path, strerror(errno));
        _cleanup_close_ int reader = fds[0], writer = fds[1];
        make_plan(&plan, req, resume_fd);
        plan.error_fd = writer;
        plan.said_fd = said_fd;
        pid_t pid = thread_fork(program_run_child, &plan);
        program_plan_done(&plan);
        if (pid < 0)
                return fail_set(fail, pid, "cannot run %s: %s", req->path, strerror(-pid));
        close(TAKE_FD(writer));
        int r = wait_for_exec(pid, reader, req->path, fail);
        if (r < 0)
                return r;
        *ret = pid;
        return 0;
}

static struct program *program_destroy(struct program *p) {
        sd_event_source_disable_unref(p->timer);
        sd_event_source_disable_unref(p->trim);
        sd_event_source_disable_unref(p->child);
        if (p->resume_fd >= 0)
                close(p->resume_fd);
        if (p->said_fd >= 0)
                close(p->said_fd);
        if (p->pidfd >= 0)
                close(p->pidfd);
        free(p);
        return NULL;
}

static int program_wait_status(const siginfo_t *si) {
        switch (si->si_code) {
        case CLD_EXITED:
                return W_EXITCODE(si->si_status, 0);
        case CLD_DUMPED:
                return W_EXITCODE(0, si->si_status) | WCOREFLAG;
        default:
                return W_EXITCODE(0, si->si_status);
        }
}

/* ---- reuse of process numbers ---- */

#ifndef PIDFD_SIGNAL_PROCESS_GROUP
#define PIDFD_SIGNAL_PROCESS_GROUP (1u << 2)
#endif

usec_t program_age(uint64_t start) {
        usec_t since = start * USEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
        usec_t now = now_boottime();

        return now - MIN(now, since);
}

/* A child of ours is not reaped yet, so the group's number is still valid; for an adopted
 * program the kernel uses the pidfd.  Before Linux 6.9 the kernel cannot: then the start time
 * proves that no other process has the number.  While a process of the group exists, the number
 * is not reused. */
void program_signal(const struct program *p, int sig) {
        if (p->pidfd >= 0) {
                if (pidfd_send_signal(p->pidfd, sig, NULL, PIDFD_SIGNAL_PROCESS_GROUP) >= 0 ||
                                errno != EINVAL)
                        return;
                uint64_t start = process_start(p->pid, true);
                if (start != 0 && start != p->start)
                        return;
        }
        (void)kill(-p->pid, sig);
}

/* ---- timeout and end ---- */

static int program_on_exit(sd_event_source *source, const siginfo_t *si, void *user) {
        char said[PROGRAM_SAID_MAX + 1];
        struct program *p = user;

        if (p->timed_out)
                program_signal(p, SIGKILL);
        read_said(p, said);
        p->ended(p->pid, program_wait_status(si), p->timed_out, said, p->user);
        program_destroy(p);
        return 0;
}

static int program_on_timeout(sd_event_source *source, uint64_t now, void *user) {
        struct program *p = user;

        program_signal(p, p->timed_out ? SIGKILL : SIGTERM);
        if (p->timed_out)
                return 0;
        p->timed_out = true;
        (void)sd_event_source_set_time_relative(source, PROGRAM_KILL_DELAY);
        (void)sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
        return 0;
}

static int program_limit_time(struct program *p, sd_event *event, usec_t timeout, usec_t age) {
        if (timeout == 0 || timeout == USEC_INFINITY)
                return 0;
        return sd_event_add_time_relative(event, &p->timer, CLOCK_MONOTONIC,
                        timeout - MIN(age, timeout), 50 * USEC_PER_MSEC, program_on_timeout, p);
}

static int program_trim_output(struct program *p, sd_event *event) {
        if (p->said_fd < 0)
                return 0;
        p->pause = SAID_PAUSE_MIN;
        return sd_event_add_time_relative(event, &p->trim, CLOCK_MONOTONIC, p->pause,
                        SAID_PAUSE_MIN, on_trim, p);
}

static int program_watch(struct program *p, sd_event *event, usec_t timeout) {
        if (sd_event_get_state(event) == SD_EVENT_FINISHED)
                return 0;
        int r = sd_event_add_child(event, &p->child, p->pid, WEXITED, program_on_exit, p);

        if (r >= 0)
                r = program_trim_output(p, event);
        return r < 0 ? r : program_limit_time(p, event, timeout, 0);
}

static void kill_and_reap(struct program *p) {
        sd_event_source_disable_unref(TAKE(p->child));
        (void)kill(-p->pid, SIGKILL);
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
                ;
        program_destroy(p);
}

int program_start(sd_event *event, const struct program_request *req, program_ended ended,
                void *user, struct program **ret, struct fail *fail) {
        _cleanup_close_ int resume_fd = -1, said_fd = -1, writer = -1;
        pid_t pid = 0;
        int r;

        assert(event);
        assert(req && req->path && (req->hostlist || req->arguments[0] || req->argv) &&
                        req->slurm_conf);
        assert(ended);
        assert(ret);

        if (req->path[0] != '/')
                return fail_set(fail, -EINVAL, "cannot run %s: expected an absolute path",
                                req->path);
        if (req->resume_json) {
                resume_fd = make_resume_file(req->resume_json);
                if (resume_fd < 0)
                        return fail_set(fail, resume_fd, "cannot make the resume file for %s: %s",
                                        req->path, strerror(-resume_fd));
        }
        said_fd = make_said(&writer);
        r = program_spawn(req, resume_fd, writer, &pid, fail);
        if (r < 0)
                return r;

        struct program *p = xnew0(struct program, 1);
        p->pid = pid;
        p->pidfd = -1;
        p->resume_fd = TAKE_FD(resume_fd);
        p->said_fd = TAKE_FD(said_fd);
        p->ended = ended;
        p->user = user;
        r = program_watch(p, event, req->timeout);
        if (r < 0) {
                kill_and_reap(p);
                return fail_set(fail, r, "cannot watch %s: %s", req->path, strerror(-r));
        }
        *ret = p;
        return 0;
}

/* ---- a program that is not our child ---- */

static int on_adopted_end(sd_event_source *source, int fd, uint32_t events, void *user) {
        char said[PROGRAM_SAID_MAX + 1];
        struct program *p = user;

        if (p->timed_out)
                program_signal(p, SIGKILL);
        read_said(p, said);
        p->ended(p->pid, PROGRAM_STATUS_UNKNOWN, p->timed_out, said, p->user);
        program_destroy(p);
        return 0;
}

/* The pidfd is opened first: /proc read afterwards describes the same process or none. */
static int program_hold_pidfd(struct program *p, sd_event *event, usec_t timeout) {
        p->pidfd = pidfd_open(p->pid, 0);
        if (p->pidfd < 0)
                return -errno;
        if (process_start(p->pid, false) != p->start)
                return -ESRCH;
        p->said_fd = find_said(p->pid);
        int r = sd_event_add_io(event, &p->child, p->pidfd, EPOLLIN, on_adopted_end, p);
        if (r >= 0)
                r = program_trim_output(p, event);
        return r < 0 ? r : program_limit_time(p, event, timeout, program_age(p->start));
}

int program_adopt(sd_event *event, pid_t pid, uint64_t start, usec_t timeout, program_ended ended,
                void *user, struct program **ret) {
        assert(event);
        assert(ended);
        assert(ret);

        if (pid <= 1 || start == 0)
                return -ESRCH;
        struct program *p = xnew(struct program, 1);
        *p = (struct program){ .pid = pid,
                .start = start,
                .pidfd = -1,
                .resume_fd = -1,
                .said_fd = -1,
                .ended = ended,
                .user = user };
        int r = program_hold_pidfd(p, event, timeout);
        if (r < 0) {
                program_destroy(p);
                return r;
        }
        *ret = p;
        return 0;
}

pid_t program_pid(const struct program *p) {
        assert(p);
        return p->pid;
}

struct program *program_detach(struct program *p) {
        if (!p)
                return NULL;
        return program_destroy(p);
}
