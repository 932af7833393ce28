/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups without cgroups: a group is a folder with files. "keepers" lists processes (with start
 * times) whose descendants are the members: step daemons, which adopt orphans
 * (PR_SET_CHILD_SUBREAPER). Members without a keeper are found by the marker in their environment
 * if the folder's owner has started them, because any user can copy a marker. "frozen" exists while
 * the group shall be stopped, "thawing" from the thaw until all members got SIGCONT.
 *
 * Freezing sends SIGSTOP to all members; it is complete when all members that got SIGSTOP were seen
 * stopped and another pass finds no new member. Disadvantages of this kind: a parent sees its
 * children stop, and a thaw also continues processes that the user had stopped. */
#include "cgroup/group.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#define KEEPERS_MAX 1024 /* steps of a job on a node at a time */
/* a larger fork bomb is handled by the next call */
#define KILL_PASSES 32

struct keeper {
        int pid;
        unsigned long long start;
};

static bool wished_frozen_at(const char *folder) {
        _cleanup_free_ char *path = xasprintf("%s/frozen", folder);

        return access(path, F_OK) == 0;
}

/* Stops the calling process if its group or the job's group shall be frozen. */
static void stop_if_frozen(const struct cg *g) {
        _cleanup_free_ char *above = xstrdup(g->folder[CG_MAIN]);

        *strrchr(above, '/') = 0;
        if (wished_frozen_at(g->folder[CG_MAIN]) || wished_frozen_at(above))
                (void)kill(getpid(), SIGSTOP);
}

/* Only slumberd's user may enter the parent folder. */
static int none_set_owner(struct cg *g, uid_t uid) {
        return chown(g->folder[CG_MAIN], uid, (gid_t)-1) < 0 ? -errno : 0;
}

static int none_enter(struct cg *g) {
        _cleanup_free_ char *path = xasprintf("%s/keepers", g->folder[CG_MAIN]);
        struct proc_entry keeper;
        int r = proc_read(getppid(), &keeper);

        if (r < 0)
                return r;
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        if (dprintf(fd, "%d %llu\n", (int)keeper.pid, (unsigned long long)keeper.start) < 0)
                return -errno;
        stop_if_frozen(g); /* a new member is stopped only here */
        return 0;
}

static void read_keepers(const char *folder, struct keeper *keepers, size_t *n) {
        _cleanup_free_ char *path = xasprintf("%s/keepers", folder);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        struct keeper k;

        while (f && *n < KEEPERS_MAX && fscanf(f, "%d %llu", &k.pid, &k.start) == 2) {
                size_t i = 0;

                while (i < *n && (keepers[i].pid != k.pid || keepers[i].start != k.start))
                        i++;
                if (i == *n)
                        keepers[(*n)++] = k;
        }
}

/* Returns the keepers of the group and of the steps below. */
static size_t all_keepers(const char *folder, struct keeper *keepers) {
        DIR *dir = opendir(folder);
        struct dirent *d;
        size_t n = 0;

        read_keepers(folder, keepers, &n);
        while (dir && (d = readdir(dir))) {
                if (d->d_type != DT_DIR || d->d_name[0] == '.')
                        continue;
                _cleanup_free_ char *below = xasprintf("%s/%s", folder, d->d_name);
                read_keepers(below, keepers, &n);
        }
        if (dir)
                closedir(dir);
        return n;
}

static bool is_keeper(const struct proc_entry *e, const struct keeper *keepers, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (keepers[i].pid == e->pid && keepers[i].start == e->start)
                        return true;
        return false;
}

static int compare_pid(const void *key, const void *entry) {
        pid_t pid = *(const pid_t *)key;
        const struct proc_entry *e = entry;

        return pid < e->pid ? -1 : pid > e->pid;
}

/* Returns true if an ancestor is a keeper. A keeper itself is not a member. */
static bool process_has_keeper(const struct proc_entry *e, const struct proc_entry *list, size_t n,
                const struct keeper *keepers, size_t n_keepers) {
        if (is_keeper(e, keepers, n_keepers))
                return false;
        for (size_t depth = 0; e && depth < n; depth++) {
                e = list_search(&e->parent, list, n, sizeof *list, compare_pid);
                if (e && is_keeper(e, keepers, n_keepers))
                        return true;
        }
        return false;
}

static bool is_marked(const struct proc_entry *e, const char *marker, uid_t owner) {
        uid_t uid;

        return proc_real_uid(e->pid, &uid) >= 0 && (uid == owner || uid == 0) &&
               proc_has_marker(e->pid, marker);
}

static const struct members no_members;

/* Finds all members; known: members that are not read again. */
static int find_members(struct cg *g, const struct members *known, struct members *ret) {
        _cleanup_free_ struct proc_entry *list = NULL;
        _cleanup_free_ struct keeper *keepers = xnew(struct keeper, KEEPERS_MAX);
        _cleanup_free_ char *marker = cg_marker(g);
        size_t n, n_keepers;
        struct stat st;
        int r;

        if (stat(g->folder[CG_MAIN], &st) < 0)
                return errno == ENOENT ? 0 : -errno;
        n_keepers = all_keepers(g->folder[CG_MAIN], keepers);
        r = proc_list(known->entry, known->n, &list, &n);
        if (r < 0)
                return r;
        ret->entry = xnew(struct proc_entry, n);
        ret->n = 0;
        for (size_t i = 0; i < n; i++)
                if (!strchr("ZX", list[i].state) && !is_keeper(&list[i], keepers, n_keepers) &&
                                (process_has_keeper(&list[i], list, n, keepers, n_keepers) ||
                                                is_marked(&list[i], marker, st.st_uid)))
                        ret->entry[ret->n++] = list[i];
        return 0;
}

static int none_pids(struct cg *g, struct pid_set *set) {
        struct members m = { 0 };
        int r = find_members(g, &no_members, &m);

        for (size_t i = 0; i < m.n; i++)
                pid_set_add(set, m.entry[i].pid);
        free(m.entry);
        return r;
}

static int none_populated(struct cg *g) {
        struct members m = { 0 };
        int r = find_members(g, &no_members, &m);

        free(m.entry);
        return r < 0 ? r : m.n > 0;
}

static bool wished_frozen(const struct cg *g) {
        return wished_frozen_at(g->folder[CG_MAIN]);
}

static void none_file_remove(const char *folder, const char *wish) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, wish);

        (void)unlink(path);
}

static int wish_frozen(const struct cg *g, bool frozen) {
        _cleanup_free_ char *path = xasprintf("%s/frozen", g->folder[CG_MAIN]);
        _cleanup_free_ char *thawing = xasprintf("%s/thawing", g->folder[CG_MAIN]);

        if (!frozen)
                return rename(path, thawing) < 0 && errno != ENOENT ? -errno : 0;
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        return fd < 0 ? -errno : 0;
}

static bool has_self(const struct members *m) {
        pid_t self = getpid();

        for (size_t i = 0; i < m->n; i++)
                if (m->entry[i].pid == self)
                        return true;
        return false;
}

static bool is_stop(char state) {
        return strchr("Tt", state);
}

/* Remembers members that got SIGSTOP. Takes ownership of m's list. */
static void members_remember(struct cg *g, const struct members *m) {
        free(g->told.entry);
        g->told = *m;
}

static bool process_is_new(const struct members *before, const struct proc_entry *e) {
        const struct proc_entry *of = list_search(&e->pid, before->entry, before->n, sizeof *of,
                        compare_pid);

        return !of || of->start != e->start;
}

/* Sends the signal to all members once. */
static int none_set_frozen(struct cg *g, bool frozen) {
        struct members m = { 0 };
        int r = wish_frozen(g, frozen);

        if (r >= 0)
                r = find_members(g, &no_members, &m);
        if (r >= 0 && frozen && has_self(&m)) {
                r = -EDEADLK;
                none_file_remove(g->folder[CG_MAIN], "frozen");
        }
        for (size_t i = 0; i < m.n && r >= 0; i++)
                if (!frozen || !is_stop(m.entry[i].state))
                        (void)kill(m.entry[i].pid, frozen ? SIGSTOP : SIGCONT);
        if (r >= 0)
                none_file_remove(g->folder[CG_MAIN], "thawing"); /* a freeze starts anew */
        members_remember(g, frozen && r >= 0 ? &m : &no_members);
        if (!frozen || r < 0)
                free(m.entry);
        return r;
}

static bool none_asked(struct cg *g) {
        _cleanup_free_ char *thawing = xasprintf("%s/thawing", g->folder[CG_MAIN]);

        return wished_frozen(g) || access(thawing, F_OK) == 0;
}

/* True if e waits in vfork() (state D) for a stopped child. */
static bool waits_for_stopped_child(const struct cg *g, const struct proc_entry *e) {
        struct proc_entry child;

        for (size_t i = 0; e->state == 'D' && i < g->told.n; i++)
                if (g->told.entry[i].parent == e->pid &&
                                proc_read(g->told.entry[i].pid, &child) >= 0 &&
                                is_stop(child.state))
                        return true;
        return false;
}

/* True if the process is stopped, waits for a stopped child, or has ended. */
static bool process_is_stopped(const struct cg *g, const struct proc_entry *told) {
        struct proc_entry e;

        return proc_read(told->pid, &e) < 0 || e.start != told->start || strchr("ZX", e.state) ||
               is_stop(e.state) || waits_for_stopped_child(g, &e);
}

/* Continues from the member that the last check found running. */
static bool all_stand_still(struct cg *g) {
        while (g->told.still < g->told.n && process_is_stopped(g, &g->told.entry[g->told.still]))
                g->told.still++;
        return g->told.still == g->told.n;
}

static int none_frozen(struct cg *g) {
        bool first = !g->told.entry, newcomers = false; /* first: after a restart of the daemon */
        struct members m = { 0 };
        int r;

        if (access(g->folder[CG_MAIN], F_OK) < 0)
                return -errno;
        if (!wished_frozen(g))
                return 0;
        if (!all_stand_still(g))
                return 0;
        r = find_members(g, &g->told, &m);
        if (r < 0)
                return r;
        for (size_t i = 0; i < m.n; i++) {
                if (!process_is_new(&g->told, &m.entry[i]))
                        continue;
                newcomers = true;
                if (!is_stop(m.entry[i].state))
                        (void)kill(m.entry[i].pid, SIGSTOP);
        }
        members_remember(g, &m);
        return first ? all_stand_still(g) : !newcomers;
}

/* Stops all members until a pass finds no new one, so that none can fork, then kills. */
static int none_kill(struct cg *g) {
        bool newcomers = true;
        int r = 0;

        for (size_t pass = 0; r >= 0 && newcomers && pass < KILL_PASSES; pass++) {
                struct members before = g->told;
                g->told = no_members;
                r = none_set_frozen(g, true);
                newcomers = false;
                for (size_t i = 0; i < g->told.n && !newcomers; i++)
                        newcomers = process_is_new(&before, &g->told.entry[i]);
                free(before.entry);
        }
        int k = cg_signal(g, SIGKILL);
        none_file_remove(g->folder[CG_MAIN], "frozen");
        return r < 0 ? r : MIN(k, 0);
}

static int none_remove(const char *folder) {
        static const char *const files[] = { "keepers", "frozen", "thawing" };
        DIR *dir = opendir(folder);
        struct dirent *d;
        int r = 0;

        if (!dir)
                return errno == ENOENT ? 0 : -errno;
        while (r >= 0 && (d = readdir(dir))) {
                if (d->d_type != DT_DIR || d->d_name[0] == '.')
                        continue;
                _cleanup_free_ char *below = xasprintf("%s/%s", folder, d->d_name);
                r = none_remove(below);
        }
        closedir(dir);
        for (size_t i = 0; i < ELEMENTSOF(files); i++)
                none_file_remove(folder, files[i]);
        return r < 0 ? r : rmdir(folder) < 0 && errno != ENOENT ? -errno : 0;
}

/* Checks for members first: unlike a cgroup the folder could be removed with members left. */
static int none_remove_empty(const char *folder) {
        const char *parts[CG_PART_MAX] = { folder };
        _cleanup_(cg_freep) struct cg *g = cg_new(&cg_none, parts);
        int r = none_populated(g);

        return r < 0 ? r : r > 0 ? -EBUSY : none_remove(folder);
}

const struct cg_ops cg_none = {
        .name = "none",
        .key = "none",
        .set_owner = none_set_owner,
        .enter = none_enter,
        .pids = none_pids,
        .populated = none_populated,
        .set_frozen = none_set_frozen,
        .refuses_self = true,
        .frozen = none_frozen,
        .asked = none_asked,
        .kill = none_kill,
        .remove = none_remove_empty,
};
