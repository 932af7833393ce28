/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sbcast: copies a file to all nodes of an allocation.
 *
 * A step with one task per node reads the file from standard input, sent by srun to all tasks. The
 * file thus uses the path of streams, and receivers run as the user, with the user's rights only.
 * bcast.h describes the protocol. */
#include "commands/command.h"
#include "commands/filter/filter.h"
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/steps/bcast.h"
#include "commands/steps/bcast_config.h"
#include "lib/child.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/wordlist.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <zstd.h>

#define SBCAST         "sbcast"
#define LIBS_MAX       1000
#define USUAL_EXCLUDES "/lib,/usr/lib,/lib64,/usr/lib64"

enum said { NOT_SAID, SAID_NO, SAID_YES };

struct sbcast {
        bool force, preserve;
        unsigned send_libs, packs; /* enum said */
        unsigned verbose;
        uint32_t fanout, timeout; /* nodes at a time (0: all); seconds (0: no limit) */
        uint64_t block;           /* bytes */
        const char *job, *exclude;
};

struct target {    /* receivers of one step */
        int fd;    /* standard input of the receivers */
        pid_t pid; /* srun */
        uint32_t timeout;
        ZSTD_CStream *zstd; /* NULL: not compressed */
        char *packed;
        size_t room;
};

extern char **environ;

#define FIELD(name) offsetof(struct sbcast, name)

/* ---- options ---- */

static int sbcast_set_pack(void *field, const char *value, struct fail *fail) {
        *(unsigned *)field = !value || bcast_compresses(value) ? SAID_YES : SAID_NO;
        return 0;
}

static int sbcast_set_libs(void *field, const char *value, struct fail *fail) {
        bool no = value && streq(value, "no");

        if (value && !no && !streq(value, "yes"))
                return fail_set(fail, -EINVAL, "Invalid --send-libs specification: %s", value);
        *(unsigned *)field = no ? SAID_NO : SAID_YES;
        return 0;
}

static int sbcast_set_size(void *field, const char *value, struct fail *fail) {
        static const char units[] = "kmg";
        char *end;
        unsigned long long n = strtoull(value, &end, 10);
        const char *unit = *end ? strchr(units, *end | 0x20) : NULL;

        if (unit)
                n <<= 10 * (unsigned)(unit - units + 1);
        if (end == value || *value == '-' || (*end && (!unit || end[1])) || n == 0 ||
                        n > ((unsigned long long)1 << 30))
                return fail_set(fail, -EINVAL, "Invalid size: %s", value);
        *(uint64_t *)field = n;
        return 0;
}

static const struct option_row rows[] = {
        { "compress", 'C', OPTION_CALL_OPTIONAL, FIELD(packs), sbcast_set_pack, "library",
                        "compress on the way" },
        { "exclude", 0, OPTION_TEXT, FIELD(exclude), NULL, "NONE|folder,...",
                        "--send-libs sends no libraries of these folders" },
        { "fanout", 'F', OPTION_NUMBER, FIELD(fanout), NULL, "number",
                        "to so many nodes at a time" },
        { "force", 'f', OPTION_FLAG, FIELD(force), NULL, NULL, "replace a file that is there" },
        { "jobid", 'j', OPTION_TEXT, FIELD(job), NULL, "job[.step]",
                        "to the nodes of this job or step" },
        { "preserve", 'p', OPTION_FLAG, FIELD(preserve), NULL, NULL, "keep the file's times" },
        { "send-libs", 0, OPTION_CALL_OPTIONAL, FIELD(send_libs), sbcast_set_libs, "yes|no",
                        "the libraries of a program, too, to DEST_libs" },
        { "size", 's', OPTION_CALL, FIELD(block), sbcast_set_size, "bytes", "blocks of this size" },
        { "timeout", 't', OPTION_NUMBER, FIELD(timeout), NULL, "seconds",
                        "give up when no block has gone for so long" },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL, "tell what is done" },
        OPTION_ROWS_HELP(0),
};

static const struct option_table table = {
        .program = SBCAST,
        .operands = "SOURCE DEST",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

static int sbcast_read_environment(struct sbcast *s) {
        static const struct {
                const char *variable, *option;
                bool flag;
        } of[] = {
                { "SBCAST_COMPRESS", "compress", false },
                { "SBCAST_EXCLUDE", "exclude", false },
                { "SBCAST_FANOUT", "fanout", false },
                { "SBCAST_FORCE", "force", true },
                { "SBCAST_PRESERVE", "preserve", true },
                { "SBCAST_SEND_LIBS", "send-libs", false },
                { "SBCAST_SIZE", "size", false },
                { "SBCAST_TIMEOUT", "timeout", false },
        };

        for (size_t i = 0; i < ELEMENTSOF(of); i++) {
                const char *value = getenv(of[i].variable);
                struct fail fail = { 0 };
                if (!value)
                        continue;
                if (options_set(&table, of[i].option, of[i].flag || !*value ? NULL : value, s,
                                    &fail) < 0) {
                        command_error(SBCAST, "%s: %s", of[i].variable, fail.text);
                        return -EINVAL;
                }
        }
        return 0;
}

/* ---- which nodes ---- */

/* Returns the job of id. The list has all tasks of an array; the array's id is also the id of
   one task. */
static const Job *places_find_job(const struct job_list *list, const struct job_id *id) {
        if (id->tasks)
                return list->n_jobs == 1 ? list->jobs[0] : NULL;
        for (size_t i = 0; i < list->n_jobs; i++)
                if (list->jobs[i]->id == id->job)
                        return list->jobs[i];
        return NULL;
}

/* Receiving nodes of a job; of a heterogeneous job, one entry per component. */
struct places {
        struct place {
                char *job;
                struct hostlist *nodes;
        } * list;
        size_t n;
};

static void bcast_places_done(struct places *p) {
        for (size_t i = 0; i < p->n; i++) {
                free(p->list[i].job);
                hostlist_free(p->list[i].nodes);
        }
        free(p->list);
}

static int bcast_places_add(struct places *p, uint32_t job, const char *nodes, struct fail *fail) {
        p->list = xrenew(p->list, p->n + 1);
        p->list[p->n] = (struct place){ .job = xasprintf("%u", job) };
        return hostlist_parse(nodes, &p->list[p->n++].nodes, fail);
}

/* Adds the nodes of a job or of a step; a step over several components has nodes in each
   component. */
static int bcast_places_add_job(struct places *p, const Job *job, const struct job_id *id,
                struct fail *fail) {
        int r = 0;

        if (!id->has_step)
                return isempty(job->nodes) ? 0 : bcast_places_add(p, job->id, job->nodes, fail);
        for (size_t i = 0; i < job->n_steps && r >= 0; i++)
                if (job->steps[i]->id == id->step && !isempty(job->steps[i]->nodes))
                        r = bcast_places_add(p, job->id, job->steps[i]->nodes, fail);
        return r;
}

/* Adds a heterogeneous job given without an offset: all running components. */
static int bcast_places_add_components(struct places *p, const struct job_list *list,
                const Job *job, const struct job_id *id, struct fail *fail) {
        bool whole = job->het_job && !id->tasks && !getenv(BCAST_TELL);
        int r = 0;

        for (size_t i = 0; whole && i < list->n_jobs && r >= 0; i++)
                if (list->jobs[i]->state == SLUMBER__JOB_STATE__JOB_RUNNING)
                        r = bcast_places_add_job(p, list->jobs[i], id, fail);
        return r >= 0 && !p->n ? bcast_places_add_job(p, job, id, fail) : r;
}

static int sbcast_find_nodes(const struct sbcast *s, struct wire *w, struct places *ret,
                struct fail *fail) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_(job_id_done) struct job_id id = { 0 };
        Slumber__JobQuery q = SLUMBER__JOB_QUERY__INIT;
        struct job_list list = { 0 };
        const Job *job = NULL;
        int r = job_id_parse(s->job, &id);

        if (r == -EINVAL)
                fail_set(fail, r, "Invalid job id: %s", s->job);
        if (r >= 0) {
                const struct job_id whole = { .job = id.job, .tasks = id.tasks };
                job_id_request_init(&named, &whole, 1);
                q.ids = named.ids;
                q.n_ids = named.n_ids;
                q.tasks = named.task_pointers;
                q.n_tasks = named.n_tasks;
                q.with_steps = q.with_hidden = true;
                r = query_jobs(w, &q, &list, NULL, fail);
        }
        if (r >= 0 && id.tasks && list.n_jobs > 1)
                r = fail_set(fail, -EINVAL, "%s: one task was expected", s->job);
        else if (r >= 0 && !(job = places_find_job(&list, &id)))
                r = fail_set(fail, -ESRCH, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        if (r >= 0)
                r = bcast_places_add_components(ret, &list, job, &id, fail);
        if (r >= 0 && !ret->n)
                r = fail_set(fail, -ESRCH, "%s has no nodes: %s", s->job,
                                slumber_error_text(id.has_step ? SLUMBER_BAD_STEP_ID
                                                               : SLUMBER_JOB_NOT_RUNNING));
        job_list_done(&list);
        return r;
}

/* ---- the receivers ---- */

/* Returns the environment of srun without the job's variables, which srun would use as options
   of the step. cli_filter.lua is skipped: no user called this srun. */
static char **clean_environment(void) {
        size_t n = 0, k = 0;

        while (environ[n])
                n++;
        char **list = xnew0(char *, n + 3);
        list[k++] = (char *)(uintptr_t)FILTER_PASSED_OVER "=1";
        list[k++] = (char *)(uintptr_t)BCAST_STEP "=1";
        for (size_t i = 0; i < n; i++)
                if ((strncmp(environ[i], "SLURM_", 6) != 0 &&
                                    strncmp(environ[i], "SRUN_", 5) != 0) ||
                                strncmp(environ[i], "SLURM_CONF=", 11) == 0)
                        list[k++] = environ[i];
        return list;
}

static int start_receivers(const char *job, const char *nodes, size_t n, struct target *t,
                struct fail *fail) {
        char self[PATH_MAX] = "";
        int fds[2];

        if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "cannot start the receivers: %s", strerror(errno));
        _cleanup_free_ char *srun = program_beside("srun", "commands"),
                            *jobid = xasprintf("--jobid=%s", job), *count = xasprintf("-N%zu", n),
                            *tasks = xasprintf("-n%zu", n), *on = xasprintf("--nodelist=%s", nodes);
        char *argv[] = { "srun", jobid, on, count, tasks, "--ntasks-per-node=1", "--overlap",
                "--mem=0", "--mpi=none", "--prolog=none", "--epilog=none", "--quiet",
                "--kill-on-bad-exit=0", "--job-name=sbcast", "--chdir=/", self, "bcast-receive",
                NULL };
        _cleanup_free_ char **environment = clean_environment();
        const struct child_program program = { .program = srun,
                .argv = argv,
                .input = fds[0],
                .output = STDOUT_FILENO,
                .error = STDERR_FILENO };
        int r = child_start_with(&program, environment, &t->pid, fail);
        close(fds[0]);
        t->fd = fds[1];
        if (r < 0)
                close(TAKE_FD(t->fd));
        return r;
}

/* Writes with a timeout: a write of PIPE_BUF bytes does not block after POLLOUT. */
static int target_write(const struct target *t, const char *data, size_t size) {
        while (size) {
                struct pollfd p = { .fd = t->fd, .events = POLLOUT };
                int n = poll(&p, 1, t->timeout ? (int)MIN(t->timeout, 2000000u) * 1000 : -1);
                if (n == 0)
                        return -ETIMEDOUT;
                ssize_t k = n < 0 ? -1
                                  : write(t->fd, data,
                                                    t->timeout ? MIN(size, (size_t)PIPE_BUF)
                                                               : size);
                if (k < 0 && errno != EINTR && errno != EAGAIN)
                        return -errno;
                data += MAX(k, 0);
                size -= (size_t)MAX(k, 0);
        }
        return 0;
}

static int target_pack(struct target *t, const void *data, size_t size, ZSTD_EndDirective how) {
        ZSTD_inBuffer in = { data, size, 0 };
        size_t left;

        do {
                ZSTD_outBuffer out = { t->packed, t->room, 0 };
                left = ZSTD_compressStream2(t->zstd, &out, &in, how);
                if (ZSTD_isError(left))
                        return -EIO;
                int r = target_write(t, t->packed, out.pos);
                if (r < 0)
                        return r;
        } while (in.pos < in.size || (how == ZSTD_e_end && left));
        return 0;
}

static int target_put(struct target *t, const void *data, size_t size) {
        return t->zstd ? target_pack(t, data, size, ZSTD_e_continue) : target_write(t, data, size);
}

static int target_put_line(struct target *t, const char *line) {
        return target_put(t, line, strlen(line));
}

/* ---- files ---- */

static int target_put_data(const struct sbcast *s, struct target *t, int fd, const char *path,
                uint64_t size, struct fail *fail) {
        _cleanup_free_ char *block = xmalloc(s->block);
        unsigned at = 0;

        while (size) {
                ssize_t n = read(fd, block, (size_t)MIN(size, s->block));
                if (n <= 0)
                        return fail_set(fail, n < 0 ? -errno : -EIO, "%s: %s", path,
                                        n < 0 ? strerror(errno) : "it became shorter meanwhile");
                if (s->verbose > 1)
                        fprintf(stderr, SBCAST ": debug:  block %u, size %zd\n", ++at, n);
                int r = target_put(t, block, (size_t)n);
                if (r < 0)
                        return r;
                size -= (uint64_t)n;
        }
        return 0;
}

static int target_put_file(const struct sbcast *s, struct target *t, const char *from,
                const char *to, struct fail *fail) {
        /* O_NONBLOCK: opening a FIFO must not block */
        _cleanup_close_ int fd = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "Can't open `%s`: %s", from, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "%s: not a file", from);
        _cleanup_free_ char *line = xasprintf("file %o %d %lld %lld %d %llu %s\n",
                        (unsigned)st.st_mode & 07777, s->preserve, (long long)st.st_atime,
                        (long long)st.st_mtime, s->force, (unsigned long long)st.st_size, to);
        int r = strlen(line) >= BCAST_LINE_MAX || strchr(to, '\n')
                                ? fail_set(fail, -EINVAL, "%s: no path that can be sent", to)
                                : target_put_line(t, line);
        return r < 0 ? r : target_put_data(s, t, fd, from, (uint64_t)st.st_size, fail);
}

struct libs {
        char **paths;
        size_t n;
};

static void libs_done(struct libs *l) {
        texts_free(l->paths, l->n);
}

static bool is_excluded(const char *path, const char *list) {
        for_each_word(w, list, ",") {
                size_t n = strlen(w);
                while (n > 1 && w[n - 1] == '/')
                        n--;
                if (strncmp(path, w, n) == 0 && path[n] == '/')
                        return true;
        }
        return false;
}

/* Collects the libraries of program from ldd's output; none if program is not dynamically
   linked. */
static int find_libs(const struct sbcast *s, const char *program, struct libs *ret,
                struct fail *fail) {
        char ldd[] = "/usr/bin/ldd", *argv[] = { ldd, (char *)(uintptr_t)program, NULL };
        const char *excluded = s->exclude;
        char line[PATH_MAX + 200];
        int fds[2];
        pid_t pid;

        if (pipe2(fds, O_CLOEXEC) < 0)
                return fail_set(fail, -errno, "%s: %s", ldd, strerror(errno));
        const struct child_program child = { .program = ldd,
                .argv = argv,
                .input = CHILD_NOTHING,
                .output = fds[1],
                .error = CHILD_NOTHING };
        int r = child_start_with(&child, environ, &pid, fail);
        close(fds[1]);
        FILE *in = fdopen(fds[0], "re");
        while (r >= 0 && in && fgets(line, sizeof line, in)) {
                char *path = strstr(line, "=> /"), *end = path ? strrchr(path, '(') : NULL;
                if (strstr(line, "=> not found"))
                        command_error(SBCAST, "--send-libs: %.*s of %s is not found here",
                                        (int)strcspn(line + strspn(line, " \t"), " "),
                                        line + strspn(line, " \t"), program);
                if (!end || end == path)
                        continue;
                if (ret->n == LIBS_MAX) {
                        r = fail_set(fail, -E2BIG, "--send-libs: %s has more than %d libraries",
                                        program, LIBS_MAX);
                        break;
                }
                end[-1] = 0;
                path += 3;
                if (strcasecmp(excluded, "NONE") != 0 && is_excluded(path, excluded))
                        continue;
                ret->paths = xrenew(ret->paths, ret->n + 1);
                ret->paths[ret->n++] = xstrdup(path);
        }
        if (in)
                fclose(in);
        if (r >= 0)
                (void)waitpid(pid, NULL, 0);
        return r;
}

static int target_put_all(const struct sbcast *s, struct target *t, const char *from,
                const char *to, const struct libs *libs, struct fail *fail) {
        struct sbcast over = *s;
        int r = target_put_file(s, t, from, to, fail);

        over.force = true; /* libraries of an earlier program may exist */
        if (r >= 0 && libs->n) {
                _cleanup_free_ char *line = xasprintf("folder %s_libs\n", to);
                r = target_put_line(t, line);
        }
        for (size_t i = 0; r >= 0 && i < libs->n; i++) {
                _cleanup_free_ char *path = xasprintf("%s_libs/%s", to,
                                strrchr(libs->paths[i], '/') + 1);
                r = target_put_file(&over, t, libs->paths[i], path, fail);
        }
        if (r >= 0)
                r = target_put_line(t, "end\n");
        return r >= 0 && t->zstd ? target_pack(t, NULL, 0, ZSTD_e_end) : r;
}

/* ---- a group of nodes ---- */

static int end_receivers(struct target *t, bool failed) {
        int status = 0;

        if (t->fd >= 0)
                close(t->fd);
        if (failed) /* or the receivers would wait for more */
                (void)kill(t->pid, SIGTERM);
        while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
                ;
        return status ? -EREMOTEIO : 0;
}

static int sbcast_send_to_nodes(const struct sbcast *s, const char *job, const char *nodes,
                size_t n, const char *from, const char *to, const struct libs *libs) {
        struct target t = { .fd = -1, .timeout = s->timeout };
        struct fail fail = { 0 };
        int r = start_receivers(job, nodes, n, &t, &fail);

        if (r < 0) {
                command_error(SBCAST, "%s", fail.text);
                return r;
        }
        r = target_write(&t, BCAST_MAGIC, strlen(BCAST_MAGIC));
        if (r >= 0)
                r = target_write(&t, s->packs == SAID_YES ? "zstd\n" : "none\n", 5);
        if (s->packs == SAID_YES) {
                t.zstd = ZSTD_createCStream();
                t.room = ZSTD_CStreamOutSize();
                t.packed = xmalloc(t.room);
        }
        if (r >= 0)
                r = target_put_all(s, &t, from, to, libs, &fail);
        ZSTD_freeCStream(t.zstd);
        free(t.packed);
        if (r == -ETIMEDOUT)
                command_error(SBCAST, "%s: nothing was taken for %u s", nodes, s->timeout);
        else if (fail.text[0])
                command_error(SBCAST, "%s", fail.text);
        /* -EPIPE: srun has ended and reported the reason */
        int e = end_receivers(&t, r < 0 && r != -EPIPE);
        if (s->verbose && r >= 0 && e >= 0)
                fprintf(stderr, SBCAST ": %s: %s\n", nodes, to);
        return r < 0 ? r : e;
}

static int sbcast_send_to_all(const struct sbcast *s, const char *job, const struct hostlist *nodes,
                const char *from, const char *to, const struct libs *libs) {
        size_t all = hostlist_count(nodes), at_once = s->fanout ? s->fanout : all;
        int r = 0;

        for (size_t i = 0; i < all; i += at_once) {
                _cleanup_(hostlist_freep) struct hostlist *part = hostlist_new();
                for (size_t k = i; k < MIN(i + at_once, all); k++)
                        hostlist_push(part, hostlist_get(nodes, k));
                _cleanup_free_ char *text = hostlist_text(part);
                int e = sbcast_send_to_nodes(s, job, text, hostlist_count(part), from, to, libs);
                r = r < 0 ? r : e;
        }
        return r;
}

/* ---- messages of -v ---- */

#define RULE SBCAST ": -----------------------------\n"

static void sbcast_print_options(const struct sbcast *s, const char *from, const char *to) {
        static const char *const words[] = { "false", "true" };

        fputs(RULE, stderr);
        fprintf(stderr, SBCAST ": block_size = %llu\n", (unsigned long long)s->block);
        fprintf(stderr, SBCAST ": compress   = %s\n", s->packs == SAID_YES ? "zstd" : "0");
        fprintf(stderr, SBCAST ": exclude    = %s\n", s->exclude);
        fprintf(stderr, SBCAST ": force      = %s\n", words[s->force]);
        fprintf(stderr, SBCAST ": fanout     = %u\n", s->fanout);
        fprintf(stderr, SBCAST ": preserve   = %s\n", words[s->preserve]);
        fprintf(stderr, SBCAST ": send_libs  = %s\n", words[s->send_libs == SAID_YES]);
        fprintf(stderr, SBCAST ": timeout    = %u\n", s->timeout);
        fprintf(stderr, SBCAST ": verbose    = %u\n", s->verbose);
        fprintf(stderr, SBCAST ": source     = %s\n", from);
        fprintf(stderr, SBCAST ": dest       = %s\n", to);
        fputs(RULE, stderr);
}

static void sbcast_print_time(const char *which, time_t t) {
        char text[26]; /* size required by ctime_r(); with the newline */

        fprintf(stderr, SBCAST ": %s    = %s", which, ctime_r(&t, text) ? text : "Unknown\n");
}

static void sbcast_print_file(const char *path) {
        struct stat st;

        if (stat(path, &st) < 0) /* target_put_file() reports the error */
                return;
        fprintf(stderr, SBCAST ": modes    = %o\n", (unsigned)st.st_mode);
        fprintf(stderr, SBCAST ": uid      = %u\n", (unsigned)st.st_uid);
        fprintf(stderr, SBCAST ": gid      = %u\n", (unsigned)st.st_gid);
        sbcast_print_time("atime", st.st_atime);
        sbcast_print_time("mtime", st.st_mtime);
        sbcast_print_time("ctime", st.st_ctime);
        fprintf(stderr, SBCAST ": size     = %lld\n", (long long)st.st_size);
}

/* Prints options, file and nodes in Slurm's order, for -v. */
static void sbcast_print_all(const struct sbcast *s, const char *from, const char *to,
                const struct places *places) {
        if (!s->verbose)
                return;
        sbcast_print_options(s, from, to);
        sbcast_print_file(from);
        for (size_t i = 0; i < places->n; i++) {
                _cleanup_free_ char *nodes = hostlist_text(places->list[i].nodes);
                fprintf(stderr, SBCAST ": jobid      = %s\n", places->list[i].job);
                fprintf(stderr, SBCAST ": node_list  = %s\n", nodes);
        }
}

/* ---- the command ---- */

/* Returns the path on the nodes; a folder ("DIR/") gets the source's file name. The caller frees
   the path. */
static char *sbcast_destination_path(const struct bcast_config *c, const char *from,
                const char *to) {
        const char *name = path_base(from);
        bool folder = *to && to[strlen(to) - 1] == '/';
        _cleanup_free_ char *path = bcast_config_path(c, to);

        return xasprintf("%s%s", path, folder ? name : "");
}

/* Takes values from slurm.conf unless set by an option or the environment. */
static void take_config(struct sbcast *s, const struct bcast_config *c) {
        if (s->packs == NOT_SAID && c->compression && bcast_compresses(c->compression))
                s->packs = SAID_YES;
        if (s->send_libs == NOT_SAID && c->send_libs)
                s->send_libs = SAID_YES;
        if (!s->exclude)
                s->exclude = c->exclude ? c->exclude : USUAL_EXCLUDES;
}

/* Tells srun the path, for BCAST_TELL. Later output of receivers goes to stderr, as srun reads
   one line only. */
static void sbcast_report_to_srun(const char *path, bool libs) {
        if (!getenv(BCAST_TELL))
                return;
        (void)unsetenv(BCAST_TELL);
        printf("%d %s\n", libs, path);
        fflush(stdout);
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
}

static int sbcast_run(struct sbcast *s, const char *from, const char *to) {
        _cleanup_(bcast_places_done) struct places places = { 0 };
        _cleanup_(bcast_config_done) struct bcast_config config = { 0 };
        _cleanup_(libs_done) struct libs libs = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_free_ char *path = NULL;
        struct fail fail = { 0 };
        int r = command_connect(&w, &fail);

        if (r >= 0)
                r = bcast_config_read(w, &config, &fail);
        if (r >= 0)
                r = sbcast_find_nodes(s, w, &places, &fail);
        take_config(s, &config);
        path = sbcast_destination_path(&config, from, to);
        if (r >= 0 && s->send_libs == SAID_YES)
                r = find_libs(s, from, &libs, &fail);
        if (r < 0) {
                command_error(SBCAST, "%s", fail.text);
                return EXIT_FAILURE;
        }
        sbcast_report_to_srun(path, s->send_libs == SAID_YES);
        sbcast_print_all(s, from, path, &places);
        for (size_t i = 0; i < places.n; i++) {
                int e = sbcast_send_to_all(s, places.list[i].job, places.list[i].nodes, from, path,
                                &libs);
                r = r < 0 ? r : e;
        }
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int sbcast_main(int argc, char **argv) {
        struct sbcast s = { .block = BCAST_BLOCK };
        int first;

        if (sbcast_read_environment(&s) < 0)
                return EXIT_FAILURE;
        int r = options_parse(&table, argc, argv, &s, &first);
        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r < 0)
                return EXIT_FAILURE;
        if (argc - first != 2) {
                fprintf(stderr, "Need two file names, have %d names\n", argc - first);
                options_usage(&table, stderr);
                return EXIT_FAILURE;
        }
        if (access(argv[first], R_OK) < 0) {
                command_error(SBCAST, "Can't open `%s`: %s", argv[first], strerror(errno));
                return 255;
        }
        if (!s.job)
                s.job = getenv("SLURM_JOB_ID");
        if (isempty(s.job)) {
                command_error(SBCAST,
                                "Need a job id to run this command.  Run from within a Slurm job or use the --jobid option.");
                return EXIT_FAILURE;
        }
        signal(SIGPIPE, SIG_IGN);
        return sbcast_run(&s, argv[first], argv[first + 1]);
}
