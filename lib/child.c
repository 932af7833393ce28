/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/child.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

char *program_beside(const char *name, const char *folder) {
        char self[PATH_MAX] = "";
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        char *slash = n > 0 ? strrchr(self, '/') : NULL;

        if (!slash)
                return xasprintf("/usr/sbin/%s", name);
        *slash = 0;
        char *beside = xasprintf("%s/%s", self, name);
        if (access(beside, X_OK) == 0)
                return beside;
        free(beside);
        return xasprintf("%s/../%s/%s", self, folder, name);
}

/* Returns 2 for an executable file, 1 for another file, 0 otherwise. */
static int program_fitness(const char *file) {
        struct stat st;

        if (stat(file, &st) < 0 || !S_ISREG(st.st_mode))
                return 0;
        return access(file, X_OK) == 0 ? 2 : 1;
}

char *program_find(const char *name, const char *path, bool here) {
        _cleanup_free_ char *refused = NULL;

        if (!*name || strchr(name, '/'))
                return xstrdup(name);
        while (path) {
                size_t n = strcspn(path, ":");
                _cleanup_free_ char *file = xasprintf("%.*s%s%s", (int)n, path, n ? "/" : "", name);
                int fits = program_fitness(file);
                if (fits == 2)
                        return TAKE(file);
                if (fits == 1 && !refused)
                        refused = TAKE(file);
                path = path[n] ? path + n + 1 : NULL;
        }
        if (here && (!refused || program_fitness(name) == 2))
                return xstrdup(name);
        return refused ? TAKE(refused) : xstrdup(name);
}

static void child_file_put(posix_spawn_file_actions_t *files, int fd, int as) {
        if (fd == CHILD_NOTHING)
                posix_spawn_file_actions_addopen(files, as, "/dev/null", O_RDWR, 0);
        else
                posix_spawn_file_actions_adddup2(files, fd, as);
}

int child_start(const struct child_program *s, pid_t *ret, struct fail *fail) {
        return child_start_with(s, s->envp, ret, fail);
}

int child_start_with(const struct child_program *s, char *const *environment, pid_t *ret,
                struct fail *fail) {
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attr;
        sigset_t none, all;

        assert(s && s->program && s->argv);
        assert(ret);

        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_init(&attr);
        posix_spawnattr_setflags(&attr,
                        POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attr, &none);
        posix_spawnattr_setsigdefault(&attr, &all);
        posix_spawn_file_actions_init(&files);
        child_file_put(&files, s->input, STDIN_FILENO);
        child_file_put(&files, s->output, STDOUT_FILENO);
        child_file_put(&files, s->error, STDERR_FILENO);
        int r = posix_spawn(ret, s->program, &files, &attr, s->argv, environment);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attr);
        return r > 0 ? fail_set(fail, -r, "%s cannot be started: %s", s->program, strerror(r)) : 0;
}

static char *read_output(int fd, pid_t pid, usec_t patience, size_t most) {
        usec_t until = now_monotonic() + patience;
        char *text = xstrdup("");
        size_t size = 0;

        for (;;) {
                usec_t now = now_monotonic();
                struct pollfd p = { .fd = fd, .events = POLLIN };
                char buf[16384];
                if (now >= until || size > most)
                        break;
                if (poll(&p, 1, (int)DIV_ROUND_UP(until - now, USEC_PER_MSEC)) <= 0)
                        continue;
                ssize_t n = read(fd, buf, sizeof buf);
                if (n == 0)
                        return text;
                if (n < 0)
                        continue;
                text = xrenew(text, size + (size_t)n + 1);
                memcpy(text + size, buf, (size_t)n);
                size += (size_t)n;
                text[size] = 0;
        }
        (void)kill(-pid, SIGKILL);
        free(text);
        return NULL;
}

int child_output(const char *program, char *const *argv, int stream, usec_t patience, size_t most,
                char **ret, int *ret_status, struct fail *fail) {
        int fds[2];
        pid_t pid;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "cannot make a pipe: %s", strerror(errno));
        _cleanup_close_ int reader = fds[0], writer = fds[1];
        const struct child_program s = {
                .program = program,
                .argv = argv,
                .output = stream == STDOUT_FILENO ? writer : CHILD_NOTHING,
                .error = stream == STDERR_FILENO ? writer : CHILD_NOTHING,
                .input = CHILD_NOTHING,
        };
        int r = child_start(&s, &pid, fail);
        if (r < 0)
                return r;
        close(TAKE_FD(writer));
        char *text = read_output(reader, pid, patience, most);
        while (waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
                ;
        if (!text)
                return fail_set(fail, -EIO, "%s has not ended in time", program);
        *ret = text;
        return 0;
}
