/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Root may submit a job for another user: user_become() gives up all of root's rights before the
 * connection to the daemon, so the daemon sees the user as the peer.
 *
 * A login environment is the output of `env -0` in a login shell of the user, started with almost
 * no variables. Output of the shell's own startup files comes before a mark and is skipped. The
 * shell gets a process group, which is killed after a time limit. */
#include "commands/submit/userenv.h"

#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define MARK    "__SLUMBER_ENVIRONMENT__"
#define ENV_MAX (16u << 20) /* limit of the controller */

/* ---- identity ---- */

static int stream_read_all(int fd, usec_t patience, char **ret, size_t *ret_size);

#define FIELDS_MAX   7
#define ASK_PATIENCE (30 * USEC_PER_SEC)

/* A line of getent, split at colons. */
struct entry {
        char *text, *fields[FIELDS_MAX];
        size_t n;
};

static void entry_done(struct entry *e) {
        free(e->text);
}

/* Queries a name service through getent(1), because statically linked commands cannot use name
   services. */
static int getent_query(const char *database, const char *key, struct entry *ret) {
        const char *const argv[] = { "getent", database, key, NULL };
        struct entry e = { 0 };
        int ends[2], status = 0, r;
        size_t size;

        if (key[0] == '-' || pipe2(ends, O_CLOEXEC) < 0)
                return -EINVAL;
        pid_t child = fork();
        if (child == 0) {
                if (dup2(ends[1], STDOUT_FILENO) >= 0)
                        execvp(argv[0], (char *const *)(uintptr_t)argv);
                _exit(127);
        }
        close(ends[1]);
        r = child < 0 ? -errno : stream_read_all(ends[0], ASK_PATIENCE, &e.text, &size);
        close(ends[0]);
        if (child > 0 && r < 0)
                (void)kill(child, SIGKILL);
        if (child > 0)
                (void)waitpid(child, &status, 0);
        if (r >= 0 && (status != 0 || size == 0))
                r = -ENOENT;
        if (r < 0) {
                entry_done(&e);
                return r;
        }
        e.text[strcspn(e.text, "\n")] = 0;
        for (char *rest = e.text; rest && e.n < FIELDS_MAX;)
                e.fields[e.n++] = strsep(&rest, ":");
        *ret = e;
        return 0;
}

struct user_entry {
        struct entry entry;
        const char *name, *home, *shell;
        uid_t uid;
        gid_t gid;
};

static void user_entry_done(struct user_entry *u) {
        entry_done(&u->entry);
}

static int user_entry_find(const char *key, struct user_entry *ret) {
        struct user_entry u = { 0 };
        uint64_t uid = 0, gid = 0;
        int r = getent_query("passwd", key, &u.entry);

        if (r >= 0 && (u.entry.n < FIELDS_MAX ||
                                      uint_parse(u.entry.fields[2], 0, UINT32_MAX - 1, &uid) < 0 ||
                                      uint_parse(u.entry.fields[3], 0, UINT32_MAX - 1, &gid) < 0))
                r = -EBADMSG;
        if (r < 0) {
                user_entry_done(&u);
                return r;
        }
        u.name = u.entry.fields[0];
        u.home = u.entry.fields[5];
        u.shell = isempty(u.entry.fields[6]) ? "/bin/sh" : u.entry.fields[6];
        u.uid = (uid_t)uid;
        u.gid = (gid_t)gid;
        *ret = u;
        return 0;
}

static int find_group(const char *text, gid_t *ret) {
        _cleanup_(entry_done) struct entry e = { 0 };
        uint64_t gid;

        if (uint_parse(text, 0, UINT32_MAX - 1, &gid) < 0 &&
                        (getent_query("group", text, &e) < 0 || e.n < 3 ||
                                        uint_parse(e.fields[2], 0, UINT32_MAX - 1, &gid) < 0))
                return -ENOENT;
        *ret = (gid_t)gid;
        return 0;
}

/* Sets the user's supplementary groups, from getent's "name  4 24 27". */
static int take_groups(const char *name, gid_t gid) {
        _cleanup_(entry_done) struct entry e = { 0 };
        gid_t groups[NGROUPS_MAX] = { gid };
        size_t n = 1;
        uint64_t more;

        if (getent_query("initgroups", name, &e) >= 0)
                for_each_word(w, e.text + strcspn(e.text, " "), " ")
                        if (n < NGROUPS_MAX && uint_parse(w, 0, UINT32_MAX - 1, &more) >= 0)
                                groups[n++] = (gid_t)more;
        return (int)syscall(SYS_setgroups, n, groups);
}

static bool texts_are_same(const char *a, const char *b) {
        return a && b ? streq(a, b) : a == b;
}

int user_check_component(const char *user, const char *group, const char *user2, const char *group2,
                size_t at, struct fail *fail) {
        const char *wrong = !texts_are_same(user, user2)     ? "uid"
                            : !texts_are_same(group, group2) ? "gid"
                                                             : NULL;

        return wrong ? fail_set(fail, -EINVAL,
                                       "component %zu: --%s differs from that of component 0, and a "
                                       "job is of one user",
                                       at, wrong)
                     : 0;
}

int user_become(const char *user, const char *group, struct fail *fail) {
        _cleanup_(user_entry_done) struct user_entry u = { 0 };
        char own[16];
        gid_t gid;

        if (!user && !group)
                return 0;
        if (getuid() != 0)
                return fail_set(fail, -EPERM, "--%s only permitted by root user",
                                user ? "uid" : "gid");
        snprintf(own, sizeof own, "%u", (unsigned)getuid());
        if (user_entry_find(user ? user : own, &u) < 0)
                return fail_set(fail, -EINVAL, "Invalid --uid specification");
        gid = u.gid;
        if (group && find_group(group, &gid) < 0)
                return fail_set(fail, -EINVAL, "Invalid --gid specification");
        if (take_groups(u.name, gid) < 0 || setresgid(gid, gid, gid) < 0 ||
                        setresuid(u.uid, u.uid, u.uid) < 0)
                return fail_set(fail, -errno, "cannot become user %s: %s", u.name, strerror(errno));
        return 0;
}

/* ---- a login ---- */

_Noreturn static void become_shell(const struct user_entry *u, int out, char mode) {
        const char *shell = u->shell;
        _cleanup_free_ char *name = xasprintf("%s%s", mode == 'L' ? "-" : "", path_base(shell));
        char *home = xasprintf("HOME=%s", u->home), *user = xasprintf("USER=%s", u->name),
             *logname = xasprintf("LOGNAME=%s", u->name), *own = xasprintf("SHELL=%s", shell);
        char *const env[] = {
                home,
                user,
                logname,
                own,
                (char *)(uintptr_t) "PATH=/usr/local/bin:/usr/bin:/bin",
                NULL,
        };
        char *const argv[] = { name, (char *)(uintptr_t) "-c",
                (char *)(uintptr_t) "printf '\\0" MARK "\\0'; exec env -0", NULL };
        sigset_t none;
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);

        (void)setpgid(0, 0);
        sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
                        dup2(out, STDOUT_FILENO) < 0)
                _exit(126);
        if (chdir(u->home) < 0 && chdir("/") < 0)
                _exit(126);
        execve(shell, argv, env);
        _exit(127);
}

/* Reads fd until its end; the caller frees *ret. -ETIMEDOUT: patience is over; -E2BIG. */
static int stream_read_all(int fd, usec_t patience, char **ret, size_t *ret_size) {
        _cleanup_free_ char *data = NULL;
        size_t size = 0, allocated = 0;
        usec_t until = patience == USEC_INFINITY ? USEC_INFINITY : now_monotonic() + patience;

        for (;;) {
                struct pollfd p = { .fd = fd, .events = POLLIN };
                usec_t now = now_monotonic();
                ssize_t n;

                if (now >= until)
                        return -ETIMEDOUT;
                if (patience != USEC_INFINITY &&
                                poll(&p, 1,
                                                (int)MIN((until - now) / USEC_PER_MSEC + 1,
                                                                (usec_t)INT32_MAX)) == 0)
                        continue;
                if (allocated - size < 4096) {
                        allocated = 2 * allocated + 65536;
                        data = xrenew(data, allocated);
                }
                n = read(fd, data + size, allocated - size - 1);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                size += (size_t)n;
                if (size > ENV_MAX)
                        return -E2BIG;
        }
        data = data ? data : xnew0(char, 1);
        data[size] = 0;
        *ret = TAKE(data);
        *ret_size = size;
        return 0;
}

/* Puts NAME=value texts, each ended by a null byte (the last one optionally). */
static void environment_put_all(struct environment *e, const char *text, size_t size) {
        for (size_t at = 0; at < size; at += strlen(text + at) + 1)
                environment_put(e, text + at);
}

static int put_login(struct environment *e, char *text, size_t size) {
        static const char mark[] = "\0" MARK;
        char *at = memmem(text, size, mark, sizeof mark);

        if (!at)
                return -EPROTO;
        at += sizeof mark;
        environment_put_all(e, at, size - (size_t)(at - text));
        return 0;
}

int user_login_environment(struct environment *e, usec_t patience, char mode, struct fail *fail) {
        _cleanup_(user_entry_done) struct user_entry u = { 0 };
        _cleanup_free_ char *text = NULL;
        char own[16];
        size_t size = 0;
        int ends[2], r;
        pid_t child;

        snprintf(own, sizeof own, "%u", (unsigned)getuid());
        if (user_entry_find(own, &u) < 0)
                return fail_set(fail, -ENOENT, "--get-user-env: uid %u has no name here",
                                (unsigned)getuid());
        if (pipe2(ends, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "--get-user-env: %s", strerror(errno));
        child = fork();
        if (child == 0)
                become_shell(&u, ends[1], mode);
        close(ends[1]);
        r = child < 0 ? -errno : stream_read_all(ends[0], patience, &text, &size);
        close(ends[0]);
        if (child > 0) {
                (void)setpgid(child, child);
                if (r < 0)
                        (void)kill(-child, SIGKILL);
                (void)waitpid(child, NULL, 0);
        }
        if (r >= 0)
                r = put_login(e, text, size);
        if (r < 0)
                return fail_set(fail, r, "Failed to get the environment of a login of %s: %s",
                                u.name,
                                r == -EPROTO ? "its shell prints no environment" : strerror(-r));
        return 0;
}

/* ---- --export-file ---- */

int user_export_file(struct environment *e, const char *file, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        _cleanup_close_ int opened = -1;
        size_t size;
        uint64_t fd;
        int r;

        if (isdigit((unsigned char)*file) && uint_parse(file, 0, INT32_MAX, &fd) == 0) {
                if (fd < 3)
                        return fail_set(fail, -EINVAL,
                                        "--export-file: descriptor %u is a standard stream",
                                        (unsigned)fd);
        } else {
                opened = open(file, O_RDONLY | O_CLOEXEC);
                if (opened < 0)
                        return fail_set(fail, -errno, "--export-file: %s: %s", file,
                                        strerror(errno));
                fd = (uint64_t)opened;
        }
        r = stream_read_all((int)fd, USEC_INFINITY, &text, &size);
        if (r < 0)
                return fail_set(fail, r, "--export-file: %s: %s", file, strerror(-r));
        environment_put_all(e, text, size);
        return 0;
}
