/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kills a process before each of its calls that change files, and looks whether the next start is
 * refused where it must be, and only there.
 *
 * The child opens the store (or the accounts) in a folder that is new or was left by a kill;
 * commits some batches and writes the number of each to a pipe when it is durable; and closes.  It
 * is killed before its first call of those below, in another such folder before its second, and so
 * on, until it comes to its end.  Each time the next start must accept what is there; and where the
 * log is taken away (or the database) and something that was acknowledged is gone by that, it must
 * refuse it.  What a kill leaves as the one before did is looked at once. */
#include "controller/store/accounting.h"
#include "controller/store/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define BATCHES     2
#define FOLDER_SIZE 40

#define CHECK(x)                                                                                   \
        do {                                                                                       \
                if (!(x)) {                                                                        \
                        fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x);            \
                        exit(1);                                                                   \
                }                                                                                  \
        } while (0)

/* ---- the calls, SQLite's and ours ---- */

static unsigned kill_before; /* calls until then; 0: never */

static void step(void) {
        if (kill_before && __atomic_sub_fetch(&kill_before, 1, __ATOMIC_SEQ_CST) == 0)
                (void)kill(getpid(), SIGKILL);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
        step();
        return syscall(SYS_pwrite64, fd, data, size, at);
}
/* A process that is killed loses nothing that it has written. */
int fsync(int fd) {
        step();
        return 0;
}
int fdatasync(int fd) {
        step();
        return 0;
}
int ftruncate64(int fd, off64_t size) {
        step();
        return (int)syscall(SYS_ftruncate, fd, size);
}
int link(const char *from, const char *to) {
        step();
        return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char *path) {
        step();
        return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* ---- what is written ---- */

struct kind {
        const char *database;
        bool clear; /* slumberctld -c */
        bool accounts;
};

static const struct kind kinds[] = {
        { "slumber.db", false, false },
        { "slumber.db", true, false },
        { "accounting.db", false, true },
};

struct opened {
        sd_event *event;
        struct store *store;
        struct accounting *accounting;
        uint64_t durable, n, last; /* batches; rows that are there; the highest */
        int pipe;
};

static void tell(struct opened *o, uint64_t n) {
        o->durable = n;
        CHECK(o->pipe < 0 || write(o->pipe, &n, sizeof n) == (ssize_t)sizeof n);
}

static void on_durable(uint64_t batch, void *user) {
        tell(user, batch);
}

static void on_failed(int r, const char *why, void *user) {
        fprintf(stderr, "%s\n", why);
        exit(1);
}

static void on_written(int r, const char *why, void *user) {
        struct opened *o = user;

        CHECK(r == 0);
        tell(o, o->durable + 1);
}

static const struct store_ops ops = { on_durable, on_failed };
static const char *const columns[] = { "name", "description" };

static int count_job(const char *key, uint64_t number, const uint8_t *data, size_t size,
                void *user) {
        struct opened *o = user;

        o->n++;
        o->last = MAX(o->last, number);
        return 0;
}

static int count_row(const char *const *values, void *user) {
        ((struct opened *)user)->n += !streq(values[0], "root");
        return 0;
}

/* -EBADMSG: it is half of what it was, and told so. */
static int open_maimed(struct opened *o, const struct kind *k, const char *folder, int pipe) {
        struct fail fail = { 0 };

        *o = (struct opened){ .pipe = pipe };
        CHECK(sd_event_new(&o->event) >= 0);
        int r = k->accounts ? accounting_open(folder, NULL, o->event, on_failed, o, &o->accounting,
                                              &fail)
                            : store_open(folder, NULL, o->event, &ops, o, &o->store, &fail);
        if (r == -EBADMSG)
                return r;
        if (r < 0)
                on_failed(r, fail.text, o);
        if (k->accounts) {
                CHECK(accounting_rows_load(o->accounting, "account", columns, 2, count_row, o,
                                      NULL) >= 0);
        } else {
                CHECK(store_load(o->store, STORE_JOB, count_job, o, NULL) >= 0);
        }
        return 0;
}

static void open_it(struct opened *o, const struct kind *k, const char *folder, int pipe) {
        CHECK(open_maimed(o, k, folder, pipe) == 0);
}

static void close_it(struct opened *o) {
        store_close(o->store);
        accounting_close(o->accounting);
        sd_event_unref(o->event);
}

static void write_batch(struct opened *o, const struct kind *k, uint64_t n) {
        if (!k->accounts) {
                store_put(o->store, STORE_JOB, NULL, n, (uint8_t *)xstrdup("job"), 3);
                store_commit(o->store);
                return;
        }
        struct accounting_row *row = xnew0(struct accounting_row, 1);
        *row = (struct accounting_row){ .table = "account",
                .columns = columns,
                .n = 2,
                .values = xnew(char *, 2) };
        row->values[0] = xasprintf("a%03llu", (unsigned long long)n);
        row->values[1] = xstrdup("of the test");
        accounting_rows_write(o->accounting, row, 1, on_written, o);
}

enum ending { END_CLOSED, END_LEFT };

static void child(const struct kind *k, const char *folder, unsigned step, int pipe,
                enum ending ending) {
        struct opened o;

        kill_before = step;
        open_it(&o, k, folder, pipe);
        uint64_t before = o.n;
        if (k->clear && ending == END_CLOSED)
                CHECK(store_clear(o.store, NULL) >= 0);
        for (uint64_t i = 1; i <= BATCHES; i++) {
                write_batch(&o, k, before + i);
                while (o.durable < i)
                        CHECK(sd_event_run(o.event, UINT64_MAX) >= 0);
        }
        if (ending == END_CLOSED)
                close_it(&o);
        _exit(0);
}

/* Batches that it told of; true: it was killed. */
static bool run_child(const struct kind *k, const char *folder, unsigned step, enum ending ending,
                uint64_t *ret_durable) {
        int fds[2], status;
        uint64_t n;

        CHECK(pipe(fds) == 0);
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
                close(fds[0]);
                child(k, folder, step, fds[1], ending);
        }
        close(fds[1]);
        *ret_durable = 0;
        while (read(fds[0], &n, sizeof n) == (ssize_t)sizeof n)
                *ret_durable = n;
        close(fds[0]);
        CHECK(waitpid(pid, &status, 0) == pid);
        CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
        return WIFSIGNALED(status);
}

/* ---- what must be so ---- */

/* In memory where it can be: a disk is slow with files that are new and soon gone. */
static void make_folder(char *path) {
        strcpy(path, "/dev/shm/crash-generation-XXXXXX");
        if (mkdtemp(path))
                return;
        strcpy(path, "/tmp/crash-generation-XXXXXX");
        CHECK(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
        return remove(path);
}

#define READ_MAX (8 << 20)

/* Up to READ_MAX bytes; NULL where there is no such file. */
static char *read_all(const char *folder, const char *name, size_t *ret_size) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

        *ret_size = 0;
        CHECK(fd >= 0 || errno == ENOENT);
        if (fd < 0)
                return NULL;
        char *data = xmalloc(READ_MAX);
        ssize_t n = read(fd, data, READ_MAX);
        CHECK(n >= 0 && n < READ_MAX);
        *ret_size = (size_t)n;
        return data;
}

static void write_all(const char *folder, const char *name, const char *data, size_t size) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        CHECK(write(fd, data, size) == (ssize_t)size);
}

static void copy_folder(const char *from, const char *to) {
        DIR *dir = opendir(from);

        CHECK(dir);
        for (struct dirent *e; (e = readdir(dir));) {
                size_t size;
                if (e->d_name[0] == '.')
                        continue;
                _cleanup_free_ char *data = read_all(from, e->d_name, &size);
                write_all(to, e->d_name, data, size);
        }
        closedir(dir);
}

static int check(const struct kind *k, const struct opened *o) {
        struct fail fail = { 0 };
        int r = k->accounts ? accounting_check(o->accounting, &fail) : store_check(o->store, &fail);

        CHECK(r == 0 || (r == -ESTALE && strstr(fail.text, "--accept-state")));
        return r;
}

/* What is left without the log, or without the database too. */
struct maimed {
        char *files[2]; /* generation, the database; NULL: there is none */
        size_t sizes[2];
        uint64_t acknowledged;
        bool looked;
};

static void maimed_done(struct maimed *m) {
        for (size_t i = 0; i < ELEMENTSOF(m->files); i++)
                free(m->files[i]);
        *m = (struct maimed){ 0 };
}

static bool maimed_equal(const struct maimed *a, const struct maimed *b) {
        for (size_t i = 0; i < ELEMENTSOF(a->files); i++)
                if (!a->files[i] != !b->files[i] || a->sizes[i] != b->sizes[i] ||
                                (a->sizes[i] && memcmp(a->files[i], b->files[i], a->sizes[i]) != 0))
                        return false;
        return a->acknowledged == b->acknowledged;
}

/* It is refused, or nothing is missing. */
static void check_maimed(const struct kind *k, const struct maimed *m) {
        const char *const names[] = { "generation", k->database };
        char copy[FOLDER_SIZE];
        struct opened o;

        make_folder(copy);
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (m->files[i])
                        write_all(copy, names[i], m->files[i], m->sizes[i]);
        if (open_maimed(&o, k, copy, -1) == 0) {
                CHECK(o.n >= m->acknowledged || check(k, &o) == -ESTALE);
                CHECK(k->accounts || store_last_job(o.store) >= m->acknowledged);
        }
        close_it(&o);
        nftw(copy, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* last: what was looked at last, and becomes this. */
static void maim(const struct kind *k, const char *folder, bool database, uint64_t acknowledged,
                struct maimed *last) {
        struct maimed m = { .acknowledged = acknowledged };

        m.files[0] = read_all(folder, "generation", &m.sizes[0]);
        if (database)
                m.files[1] = read_all(folder, k->database, &m.sizes[1]);
        if (last->looked && maimed_equal(&m, last)) {
                maimed_done(&m);
                return;
        }
        check_maimed(k, &m);
        maimed_done(last);
        *last = m;
        last->looked = true;
}

static void check_whole(const struct kind *k, const char *folder, uint64_t acknowledged) {
        struct opened o;

        open_it(&o, k, folder, -1);
        CHECK(o.n >= acknowledged);
        CHECK(check(k, &o) == 0);
        close_it(&o);
}

/* Kills before one call after the other, each in a folder like the first one. */
struct series {
        const struct kind *k;
        char folder[FOLDER_SIZE]; /* has seen runs before */
        uint64_t acknowledged;    /* ... that told of so many batches */
        struct maimed last[2];
};

static void series_begin(struct series *s, const struct kind *k, const enum ending *before,
                size_t n) {
        uint64_t durable;

        *s = (struct series){ .k = k };
        make_folder(s->folder);
        for (size_t i = 0; i < n; i++) {
                CHECK(!run_child(&kinds[k->accounts ? 2 : 0], s->folder, 0, before[i], &durable));
                s->acknowledged += durable;
        }
}

static void series_end(struct series *s) {
        for (size_t i = 0; i < ELEMENTSOF(s->last); i++)
                maimed_done(&s->last[i]);
        nftw(s->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* true: the child was killed. */
static bool series_kill(struct series *s, unsigned step) {
        char folder[FOLDER_SIZE];
        const struct kind *k = s->k;
        uint64_t durable;

        make_folder(folder);
        copy_folder(s->folder, folder);
        bool killed = run_child(k, folder, step, END_CLOSED, &durable);
        /* Its rows come behind those that it found; cleared, they are all that is to be there. */
        uint64_t acknowledged = k->clear ? durable : s->acknowledged + durable;
        maim(k, folder, true, acknowledged, &s->last[true]);
        maim(k, folder, false, acknowledged, &s->last[false]);
        check_whole(k, folder, acknowledged);
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        return killed;
}

int main(void) {
        static const enum ending befores[] = { END_CLOSED, END_LEFT };

        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                for (size_t n = kinds[i].clear ? 2 : 0; n <= ELEMENTSOF(befores); n += 2) {
                        struct series s;
                        unsigned step = 1;
                        series_begin(&s, &kinds[i], befores, n);
                        while (series_kill(&s, step))
                                step++;
                        series_end(&s);
                        printf("%s%s, %zu runs before: %u kills\n", kinds[i].database,
                                        kinds[i].clear ? " -c" : "", n, step - 1);
                        fflush(stdout);
                        CHECK(step > 3 * BATCHES); /* the calls are these */
                }
        return 0;
}
