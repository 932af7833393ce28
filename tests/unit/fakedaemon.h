/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/fakedaemon.h - a command in a child process, and this test as the daemon that it talks
   to */
#pragma once

#include "lib/wire.h"
#include "tests/unit/test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#define FAKE_TEXT_MAX 65536
#define FAKE_PATIENCE (20 * USEC_PER_SEC)

struct fake {
        char folder[64], path[96], output[96];
        int listener;
        int in, err_fd; /* the command's standard input to write to, its errors to read from */
        pid_t pid;
        struct wire *w;
        char *out, *err; /* what it wrote: out after fake_end(), err as far as it was read */
};

static inline void fake_open(struct fake *f) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };

        *f = (struct fake){ .listener = -1, .in = -1, .err_fd = -1 };
        strcpy(f->folder, "/tmp/slumber-test-XXXXXX");
        assert_non_null(mkdtemp(f->folder));
        snprintf(f->path, sizeof f->path, "%s/socket", f->folder);
        strcpy(address.sun_path, f->path);
        f->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_int_equal(bind(f->listener, (struct sockaddr *)&address, sizeof address), 0);
        assert_int_equal(listen(f->listener, 4), 0);
        setenv("SLUMBER_SOCKET", f->path, 1);
}

static inline void fake_child(struct fake *f, int in, int err, int (*run)(int, char **),
                char **argv) {
        int argc = 0;

        dup2(in, 0);
        dup2(open(f->output, O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
        dup2(err, 2);
        while (argv[argc])
                argc++;
        close(f->listener);
        close(f->in);
        close(f->err_fd);
        int rc = run(argc, argv);
        fflush(NULL);
        _exit(rc);
}

/* Starts the command with words (ends with NULL). */
static inline void fake_start(struct fake *f, int (*run)(int, char **), const char *const *words) {
        char *argv[32] = { 0 };
        int in[2], err[2];

        for (int i = 0; words[i]; i++)
                argv[i] = strdup(words[i]);
        snprintf(f->output, sizeof f->output, "%s/out", f->folder);
        assert_int_equal(pipe2(in, O_CLOEXEC), 0);
        assert_int_equal(pipe2(err, O_CLOEXEC), 0);
        f->in = in[1];
        f->err_fd = err[0];
        f->err = calloc(1, FAKE_TEXT_MAX);
        fflush(NULL);
        f->pid = fork();
        if (f->pid == 0)
                fake_child(f, in[0], err[1], run, argv);
        close(in[0]);
        close(err[1]);
        for (int i = 0; argv[i]; i++)
                free(argv[i]);
}

/* Reads its errors until text is among them (NULL: to their end). */
static inline void fake_wait_err(struct fake *f, const char *text) {
        size_t size = strlen(f->err);

        while (!text || !strstr(f->err, text)) {
                ssize_t n = read(f->err_fd, f->err + size, FAKE_TEXT_MAX - 1 - size);

                if (n <= 0 && !text)
                        return;
                assert_true(n > 0);
                size += (size_t)n;
                f->err[size] = 0;
        }
}

static inline void fake_accept(struct fake *f) {
        f->w = wire_free(f->w); /* one at a time */
        f->w = wire_new(accept4(f->listener, NULL, NULL, SOCK_CLOEXEC));
}

/* The next message, which must be this one; free it. */
static inline Envelope *fake_receive(struct fake *f, int body) {
        Envelope *env = NULL;

        assert_int_equal(wire_receive(f->w, FAKE_PATIENCE, &env), 0);
        assert_int_equal(env->body_case, body);
        return env;
}

static inline void fake_send(struct fake *f, Envelope *env, uint64_t reply_to) {
        env->reply_to = reply_to;
        assert_int_equal(wire_send(f->w, env), 0);
}

/* Answers a query by one job. */
static inline void fake_send_job(struct fake *f, const Slumber__Job *job, uint64_t reply_to) {
        Slumber__JobList list = SLUMBER__JOB_LIST__INIT;
        uint8_t data[4096];
        ProtobufCBinaryData record = { .data = data };

        assert_true(slumber__job__get_packed_size(job) <= sizeof data);
        record.len = slumber__job__pack(job, data);
        list.jobs = &record;
        list.n_jobs = 1;
        list.last_id = job->id;
        ENVELOPE(env, JOB_LIST, job_list, &list);
        fake_send(f, &env, reply_to);
}

static inline char *fake_text(const char *path) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        char *text = calloc(1, FAKE_TEXT_MAX);
        ssize_t n = read(fd, text, FAKE_TEXT_MAX - 1);

        assert_true(n >= 0);
        close(fd);
        return text;
}

/* Waits for the command's end; returns its exit code. */
static inline int fake_end(struct fake *f) {
        int status;

        fake_wait_err(f, NULL);
        assert_int_equal(waitpid(f->pid, &status, 0), f->pid);
        f->out = fake_text(f->output);
        assert_true(WIFEXITED(status));
        return WEXITSTATUS(status);
}

static inline void fake_close(struct fake *f) {
        unlink(f->output);
        close(f->err_fd);
        unlink(f->path);
        rmdir(f->folder);
        wire_free(f->w);
        close(f->listener);
        if (f->in >= 0)
                close(f->in);
        free(f->out);
        free(f->err);
}
