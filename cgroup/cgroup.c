/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group is its folders: the main one freezes and kills; v1 has separate hierarchies for memory
 * and cpuset. The handle has a line "word=folder" per folder; the first word names the kind.
 *
 * Files are read and written directly, not by libcgroup: slumberstepd must start fast and links no
 * library, and libcgroup supports neither freezing nor members of nested groups.
 *
 * Order: handles; calls that only pass to the kind; parts common to all kinds; helpers for folders,
 * shared by v1 and v2. Invariant: no function here waits or logs. */
#include "cgroup/group.h"
#include "lib/wordlist.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#define CGROUP_DEPTH_MAX 8           /* maximum nesting of groups searched */
#define CGROUP_FILE_MAX  (16u << 20) /* of a cgroup.procs file */
#define STUCK_MAX        8           /* processes named in a message */

static const struct cg_ops *const kinds[] = { &cg_v2, &cg_v1, &cg_none };
static const char *const part_words[CG_PART_MAX] = {
        [CG_MEMORY] = "memory",
        [CG_CPUSET] = "cpuset",
        [CG_DEVICES] = "devices",
        [CG_CPUACCT] = "cpuacct",
};

#define STEP_PREFIX "step_" /* prefix in Slurm's layout */
#define JOB_PREFIX  "job_"
#define UID_PREFIX  "uid_" /* folder of a user's jobs in v1 */

static char *make_handle(const struct cg *g) {
        char *text = xasprintf("%s=%s", g->ops->key, g->folder[CG_MAIN]);

        for (size_t i = CG_MAIN + 1; i < CG_PART_MAX; i++) {
                _cleanup_free_ char *old = text;

                text = g->folder[i] ? xasprintf("%s\n%s=%s", old, part_words[i], g->folder[i])
                                    : TAKE(old);
        }
        return text;
}

struct cg *cg_new(const struct cg_ops *ops, const char *const parts[CG_PART_MAX]) {
        struct cg *g = xnew0(struct cg, 1);

        g->ops = ops;
        for (size_t i = 0; i < CG_PART_MAX; i++)
                g->folder[i] = xstrdup(parts[i]);
        g->handle = make_handle(g);
        if (ops->events_file)
                g->events = xasprintf("%s/%s", g->folder[CG_MAIN], ops->events_file);
        return g;
}

struct cg *cg_free(struct cg *g) {
        if (!g)
                return NULL;
        for (size_t i = 0; i < CG_PART_MAX; i++)
                free(g->folder[i]);
        free(g->handle);
        free(g->events);
        free(g->told.entry);
        free(g);
        return NULL;
}

static const struct cg_ops *cgroup_kind_find(const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (streq(kinds[i]->key, word))
                        return kinds[i];
        return NULL;
}

static int cgroup_part_find(const char *word) {
        for (int i = CG_MAIN + 1; i < CG_PART_MAX; i++)
                if (streq(part_words[i], word))
                        return i;
        return -EINVAL;
}

int cg_open(const char *handle, struct cg **ret, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(handle);
        const char *parts[CG_PART_MAX] = { 0 };
        const struct cg_ops *ops = NULL;
        char *save = NULL;

        for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
                char *folder = strchr(line, '=');
                int part = CG_MAIN;

                if (!folder || folder[1] != '/')
                        return fail_set(fail, -EINVAL, "\"%s\" is not a group", handle);
                *folder++ = 0;
                if (ops)
                        part = cgroup_part_find(line);
                else
                        ops = cgroup_kind_find(line);
                if (!ops || part < 0)
                        return fail_set(fail, -EINVAL, "\"%s\" is not a kind of group", line);
                parts[part] = folder;
        }
        if (!ops)
                return fail_set(fail, -EINVAL, "a group without a name");
        *ret = cg_new(ops, parts);
        return 0;
}

int cg_open_above(const struct cg *g, struct cg **ret) {
        _cleanup_free_ char *handle = xasprintf("%s=%s", g->ops->key, g->folder[CG_MAIN]);

        *strrchr(handle, '/') = 0;
        return cg_open(handle, ret, NULL);
}

int cg_open_below(const struct cg *g, const char *name, struct cg **ret) {
        _cleanup_free_ char *handle = xasprintf("%s=%s/%s", g->ops->key, g->folder[CG_MAIN], name);

        return cg_open(handle, ret, NULL);
}

static const char *last_part(const char *folder) {
        return strrchr(folder, '/') + 1;
}

static bool cgroup_name_begins(const char *name, const char *prefix) {
        return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool cg_is_shown(const struct cg *g) {
        const char *name = last_part(g->folder[CG_MAIN]);

        return cgroup_name_begins(name, JOB_PREFIX) || cgroup_name_begins(name, STEP_PREFIX);
}

int cg_open_task(const struct cg *g, uint32_t rank, struct cg **ret) {
        const char *parts[CG_PART_MAX];
        _cleanup_free_ char *user = NULL, *task = NULL;

        memcpy(parts, g->folder, sizeof parts);
        if (g->ops->tasks && cg_is_shown(g)) {
                user = xasprintf("%s/user", g->folder[CG_MAIN]);
                parts[CG_MAIN] = task = xasprintf("%s/task_%u", user, rank);
                if ((mkdir(user, 0755) < 0 && errno != EEXIST) ||
                                (mkdir(task, 0755) < 0 && errno != EEXIST))
                        return -errno;
        }
        *ret = cg_new(g->ops, parts);
        return 0;
}

char *cg_step_name(const struct cg *job, const char *step) {
        return xasprintf("%s%s", cg_is_shown(job) ? STEP_PREFIX : "", step);
}

bool cg_is_step(const char *name, const char *step) {
        return streq(name + (cgroup_name_begins(name, STEP_PREFIX) ? strlen(STEP_PREFIX) : 0),
                        step);
}

const char *cg_handle(const struct cg *g) {
        return g->handle;
}

const char *cg_folder(const struct cg *g) {
        return g->folder[CG_MAIN];
}

bool cg_is_fresh(const struct cg *g) {
        return g->fresh;
}

const char *cg_kind(const struct cg *g) {
        return g->ops->name;
}

char *cg_marker(const struct cg *g) {
        return xasprintf("SLUMBER_GROUP=%s", g->folder[CG_MAIN]);
}

int cg_set_owner(struct cg *g, uid_t uid) {
        return g->ops->set_owner ? g->ops->set_owner(g, uid) : 0;
}

int cg_enter(struct cg *g) {
        return g->ops->enter(g);
}

int cg_move(struct cg *g, pid_t pid) {
        return g->ops->move ? g->ops->move(g, pid) : -EOPNOTSUPP;
}

pid_t cg_fork(struct cg *g, bool *ret_inside) {
        pid_t pid = g->ops->fork_inside ? g->ops->fork_inside(g) : -1;

        *ret_inside = pid >= 0;
        return pid >= 0 ? pid : fork();
}

pid_t cg_fork_shared(struct cg *g, void *stack, size_t size, void (*begin)(void *arg), void *arg) {
        return g->ops->fork_shared ? g->ops->fork_shared(g, stack, size, begin, arg) : -1;
}

int cg_populated(struct cg *g) {
        return g->ops->populated(g);
}

bool cg_may_be_populated(struct cg *g) {
        int r = cg_populated(g);

        return r != 0 && r != -ENOENT && r != -ENODEV;
}

int cg_frozen(struct cg *g) {
        return g->ops->frozen(g);
}

int cg_pids(struct cg *g, struct pid_set *set) {
        return g->ops->pids(g, set);
}

bool cg_is_asked(struct cg *g) {
        return g->ops->asked(g);
}

bool cg_must_poll(const struct cg *g) {
        return !g->events;
}

const char *cg_events_file(const struct cg *g) {
        return g->events;
}

/* Returns -EDEADLK if the process is a member: a process must not freeze or kill itself by its
   group. */
static int refuse_self(struct cg *g) {
        struct pid_set set = { 0 };
        int r = g->ops->pids(g, &set);

        if (r >= 0 && pid_set_has(&set, getpid()))
                r = -EDEADLK;
        pid_set_done(&set);
        return r;
}

int cg_set_frozen(struct cg *g, bool frozen) {
        int r = frozen && !g->ops->refuses_self ? refuse_self(g) : 0;

        return r < 0 ? r : g->ops->set_frozen(g, frozen);
}

int cg_kill(struct cg *g) {
        int r = refuse_self(g);

        return r < 0 ? r : g->ops->kill(g);
}

int cg_signal_listed(struct cg *g, int sig, struct pid_set *set) {
        size_t before = set->n;
        int r, n = 0;

        r = g->ops->pids(g, set);
        for (size_t i = before; r >= 0 && i < set->n; i++)
                n += set->pid[i] != getpid() && kill(set->pid[i], sig) == 0;
        if (r < 0)
                set->n = before;
        return r < 0 ? r : n;
}

int cg_signal(struct cg *g, int sig) {
        struct pid_set set = { 0 };
        int r = cg_signal_listed(g, sig, &set);

        pid_set_done(&set);
        return r;
}

static char *members_in_state(const struct pid_set *set, char state) {
        char *text = xstrdup("");
        size_t named = 0;

        for (size_t i = 0; i < set->n && named < STUCK_MAX; i++) {
                struct proc_entry e;

                if (proc_read(set->pid[i], &e) < 0 || e.state != state)
                        continue;
                text_add_word(&text, ", ", "%d (%s)", (int)e.pid, e.name);
                named++;
        }
        return text;
}

char *cg_stuck(struct cg *g) {
        static const struct {
                char state;
                const char *what;
        } states[] = { { 'D', "hanging in the kernel" }, { 'R', "still running" } };
        struct pid_set set = { 0 };
        char *text = NULL;

        (void)g->ops->pids(g, &set);
        for (size_t i = 0; i < ELEMENTSOF(states) && !text; i++) {
                _cleanup_free_ char *members = members_in_state(&set, states[i].state);
                if (*members)
                        text = xasprintf("; %s: %s", states[i].what, members);
        }
        pid_set_done(&set);
        return text ? text : xstrdup("");
}

/* Returns the file and folder of memory: v1's hierarchy if present, else v2's main folder. */
static const char *memory_file(const struct cg *g, const char *v1, const char *v2,
                const char **ret_folder) {
        *ret_folder = g->folder[g->folder[CG_MEMORY] ? CG_MEMORY : CG_MAIN];
        return g->folder[CG_MEMORY] ? v1 : v2;
}

int cg_out_of_memory(struct cg *g) {
        const char *folder, *file = memory_file(g, "memory.oom_control", "memory.events", &folder);
        uint64_t kills;
        int r = file_read_key(folder, file, "oom_kill", &kills);

        return r < 0 ? -EOPNOTSUPP : kills > 0;
}

int cg_share_out_of_memory(struct cg *g) {
        if (g->folder[CG_MEMORY]) /* v1 has no such file */
                return -EOPNOTSUPP;
        return file_write(g->folder[CG_MAIN], "memory.oom.group", "1") < 0 ? -EOPNOTSUPP : 0;
}

/* Reads n keys at once into ret[n]; -ENODATA: a key is missing. */
static int file_read_keys(const char *folder, const char *name, const char *const *keys, size_t n,
                uint64_t *ret) {
        char buf[4096], *save = NULL;
        size_t found = 0;
        int r = file_read(folder, name, buf, sizeof buf);

        if (r < 0)
                return r;
        for (char *line = strtok_r(buf, "\n", &save); line && found < n;
                        line = strtok_r(NULL, "\n", &save))
                for (size_t i = 0; i < n; i++) {
                        size_t len = strlen(keys[i]);
                        if (strncmp(line, keys[i], len) != 0 || line[len] != ' ')
                                continue;
                        ret[i] = strtoull(line + len + 1, NULL, 10);
                        found++;
                }
        return found < n ? -ENODATA : 0;
}

int cg_cpu_time(struct cg *g, uint64_t *ret_user, uint64_t *ret_system) {
        static const char *const keys[] = { "user_usec", "system_usec" };
        uint64_t times[ELEMENTSOF(keys)];
        int r = file_read_keys(g->folder[CG_MAIN], "cpu.stat", keys, ELEMENTSOF(keys), times);

        if (r < 0)
                return -EOPNOTSUPP;
        *ret_user = times[0];
        *ret_system = times[1];
        return 0;
}

int cg_memory_peak(struct cg *g, uint64_t *ret) {
        const char *folder,
                        *file = memory_file(g, "memory.max_usage_in_bytes", "memory.peak", &folder);
        char buf[64];

        if (file_read(folder, file, buf, sizeof buf) < 0)
                return -EOPNOTSUPP;
        *ret = strtoull(buf, NULL, 10);
        return 0;
}

/* Removes the parents of a removed folder if empty: the job's folder of a controller for limits
   (job), which exists only for the steps if the job has no limits; and the user's folder. */
static void remove_above(const char *folder, bool job) {
        _cleanup_free_ char *above = xstrdup(folder);

        *strrchr(above, '/') = 0;
        if (job)
                (void)rmdir(above);
        if (cgroup_name_begins(last_part(above), JOB_PREFIX))
                *strrchr(above, '/') = 0;
        if (cgroup_name_begins(last_part(above), UID_PREFIX))
                (void)rmdir(above);
}

int cg_remove(struct cg *g) {
        int r = 0;

        for (size_t i = 0; i < CG_PART_MAX; i++) {
                int k = g->folder[i] ? g->ops->remove(g->folder[i]) : 0;

                if (r == 0)
                        r = k;
                if (g->folder[i])
                        remove_above(g->folder[i], i != CG_MAIN);
        }
        return r;
}

/* ---- folders, for v1 and v2 ---- */

static int open_in(const char *folder, const char *name, int flags) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, name);
        int fd = open(path, flags | O_CLOEXEC);

        return fd < 0 ? -errno : fd;
}

int file_write(const char *folder, const char *name, const char *text) {
        _cleanup_close_ int fd = open_in(folder, name, O_WRONLY);

        if (fd < 0)
                return fd;
        return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

int file_read(const char *folder, const char *name, char *buf, size_t size) {
        _cleanup_close_ int fd = open_in(folder, name, O_RDONLY);
        ssize_t n;

        if (fd < 0)
                return fd;
        n = read(fd, buf, size - 1);
        if (n < 0)
                return -errno;
        if (n > 0 && buf[n - 1] == '\n')
                n--;
        buf[n] = 0;
        return 0;
}

int file_read_key(const char *folder, const char *name, const char *key, uint64_t *ret) {
        return file_read_keys(folder, name, &key, 1, ret);
}

/* Enters each folder by a single write; "0" is the writer itself. A process with one thread enters
   v1 by "tasks", so that the kernel does not block thread creation everywhere. */
int group_enter(struct cg *g) {
        for (size_t i = 0; i < CG_PART_MAX; i++) {
                const char *file = i == CG_MAIN && g->ops == &cg_v2 ? "cgroup.procs" : "tasks";
                int r = g->folder[i] ? file_write(g->folder[i], file, "0") : 0;

                if (r < 0)
                        return r;
        }
        return 0;
}

int group_move(struct cg *g, pid_t pid) {
        char text[16];

        snprintf(text, sizeof text, "%d", (int)pid);
        for (size_t i = 0; i < CG_PART_MAX; i++) {
                int r = g->folder[i] ? file_write(g->folder[i], "cgroup.procs", text) : 0;

                if (r < 0)
                        return r;
        }
        return 0;
}

static int read_procs(const char *folder, struct pid_set *set) {
        int fd = open_in(folder, "cgroup.procs", O_RDONLY);
        _cleanup_fclose_ FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
        int pid;

        if (!f)
                return fd == -ENOENT ? 0 : fd < 0 ? fd : -errno;
        while (fscanf(f, "%d", &pid) == 1 && set->n * sizeof pid < CGROUP_FILE_MAX)
                if (pid > 0)
                        pid_set_add(set, pid);
        return ferror(f) && errno != ENODEV ? -errno : 0; /* ENODEV: removed meanwhile */
}

/* Calls visit for each folder below, deepest first, and then for folder itself. */
static int cgroup_walk(const char *folder, unsigned depth,
                int (*visit)(const char *folder, void *user), void *user) {
        DIR *dir = opendir(folder);
        struct dirent *d;
        int r = 0;

        if (!dir)
                return errno == ENOENT ? 0 : -errno;
        while (depth < CGROUP_DEPTH_MAX && r >= 0 && (d = readdir(dir))) {
                if (d->d_type != DT_DIR || d->d_name[0] == '.')
                        continue;
                _cleanup_free_ char *below = xasprintf("%s/%s", folder, d->d_name);
                r = cgroup_walk(below, depth + 1, visit, user);
        }
        closedir(dir);
        return r < 0 ? r : visit(folder, user);
}

static int visit_procs(const char *folder, void *user) {
        return read_procs(folder, user);
}

static int visit_remove(const char *folder, void *user) {
        (void)user;
        return rmdir(folder) < 0 && errno != ENOENT ? -errno : 0;
}

int group_pids(struct cg *g, struct pid_set *set) {
        return cgroup_walk(g->folder[CG_MAIN], 0, visit_procs, set);
}

/* Searches for nested groups only if the folder is busy. */
int group_remove(const char *folder) {
        int r = visit_remove(folder, NULL);

        return r == -EBUSY ? cgroup_walk(folder, 0, visit_remove, NULL) : r;
}

int group_kill_frozen(struct cg *g) {
        int r, k;

        r = g->ops->set_frozen(g, true); /* a fork bomb must not win the race */
        k = cg_signal(g, SIGKILL);
        if (r >= 0)
                r = g->ops->set_frozen(g, false);
        return r < 0 ? r : MIN(k, 0);
}
