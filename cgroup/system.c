/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determines the kind of groups on this machine and makes their folders.
 *
 * libcgroup serves v1: mount points of controllers, the process's own path, creation of groups.
 * libcgroup is not used for:
 *
 *   v2's mount point and groups   libcgroup finds v2 only by a controller, and there may be none;
 *                                 no cgroup.freeze
 *   limits in v1 and v2           a limit is one file to write, equal in both
 *   a new cpuset                  libcgroup copies all files of the parent; two are needed, and
 *                                 only if empty
 *   members, removal of a group   cgroup.c, used by slumberstepd without a library; libcgroup's
 *                                 recursive delete thaws on the way
 *
 * Order: paths of this process; probe() and make() of v2 and none (v1's are in system_v1.c); the
 * table of kinds; public calls. A probe leaves only BASE/slumber-NODE (and BASE/supervisor)
 * behind. */
#include "cgroup/devices.h"
#include "cgroup/scope.h"
#include "cgroup/system_private.h"

#include <libcgroup.h>
#include <mntent.h>
#include <sys/stat.h>

#define LINE_LENGTH 4352 /* of /proc/self/cgroup */

/* ---- paths of this process ---- */

/* Returns the process's path below a v1 mount point; NULL: none. */
static char *own_v1_path(const char *controller) {
        char *path = NULL;

        return cgroup_get_current_controller_path(getpid(), controller, &path) == 0 ? path : NULL;
}

static char *own_v2_path(void) {
        static const char start[] = "0::";
        _cleanup_fclose_ FILE *f = fopen("/proc/self/cgroup", "re");
        char line[LINE_LENGTH];

        while (f && fgets(line, sizeof line, f))
                if (strncmp(line, start, strlen(start)) == 0) {
                        line[strcspn(line, "\n")] = 0;
                        return xstrdup(line + strlen(start));
                }
        return NULL;
}

char *system_v2_mount(void) {
        FILE *f = setmntent("/proc/self/mounts", "re");
        char *dir = NULL;
        struct mntent *m;

        while (f && !dir && (m = getmntent(f)))
                if (streq(m->mnt_type, "cgroup2"))
                        dir = xstrdup(m->mnt_dir);
        if (f)
                endmntent(f);
        return dir;
}

/* Makes a folder; returns 0 also for an existing folder. */
static int system_make_folder(const char *path, struct fail *fail) {
        if (mkdir(path, 0755) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s: %s", path, strerror(errno));
        return 0;
}

void system_cut_end(char *path, const char *end) {
        size_t n = strlen(path), k = strlen(end);

        if (n >= k && streq(path + n - k, end))
                path[n - k] = 0;
}

/* Step daemons and the spawner end a moment after the slumberd that stops them. */
#define LEAF_WAIT  (2 * USEC_PER_SEC)
#define LEAF_PAUSE (5 * USEC_PER_MSEC)
#define LEAF       "/supervisor" /* followed by "-NODE" if slumberd is confined */

void cg_cut_leaf(char *path, const char *node) {
        _cleanup_free_ char *confined = xasprintf(LEAF "-%s", node);
        char *last = strrchr(path, '/');

        if (last && (streq(last, LEAF) || streq(last, confined)))
                *last = 0;
}

/* Returns the configured root relative to the mount point, or this process's own path; without a
   final slash; "" is the hierarchy's root. controller: of v1; NULL: v2. */
char *system_base_path(const char *mount, const struct cg_setup *setup, const char *controller) {
        _cleanup_free_ char *own = NULL;
        char *path;

        if (!isempty(setup->root)) {
                const char *root = setup->root;

                if (strncmp(root, mount, strlen(mount)) == 0)
                        root += strlen(mount);
                path = xasprintf("/%s", root + strspn(root, "/"));
        } else {
                own = controller ? own_v1_path(controller) : own_v2_path();
                if (!own)
                        return NULL;
                path = TAKE(own);
                cg_cut_leaf(path, setup->node); /* an earlier slumberd may have moved to the leaf */
        }
        system_cut_end(path, "/");
        return path;
}

/* ---- v2 ---- */

/* Moves slumberd out of its own cgroup, where it must not be beside its jobs' groups. */
static int move_to_leaf(const char *base, struct fail *fail) {
        _cleanup_free_ char *leaf = xasprintf("%s" LEAF, base);
        int r = system_make_folder(leaf, fail);

        if (r < 0)
                return r;
        r = file_write(leaf, "cgroup.procs", "0");
        if (r < 0)
                return fail_set(fail, r, "cannot move into %s: %s", leaf, strerror(-r));
        return 0;
}

void system_enable(const char *folder, bool *memory, bool *cpuset) {
        *memory = file_write(folder, "cgroup.subtree_control", "+memory") >= 0;
        *cpuset = file_write(folder, "cgroup.subtree_control", "+cpuset") >= 0;
}

static int check_v2_folder(const char *folder, struct fail *fail) {
        _cleanup_free_ char *freeze = xasprintf("%s/cgroup.freeze", folder);
        char type[64];
        int r = file_read(folder, "cgroup.type", type, sizeof type);

        if (r < 0 || !streq(type, "domain"))
                return fail_set(fail, -EOPNOTSUPP, "%s is of type \"%s\", not a domain", folder,
                                r < 0 ? "?" : type);
        if (access(freeze, W_OK) < 0)
                return fail_set(fail, -errno, "cannot write %s: %s", freeze, strerror(errno));
        return 0;
}

/* Opens the scope; *ret_base: full path of its cgroup. Step daemons will be in a leaf of it. */
static int use_scope(struct cg_system *s, const char *mount, enum cg_layout layout, char **ret_base,
                struct fail *fail) {
        _cleanup_free_ char *name = layout_scope_name(layout, s->unit), *path = NULL, *base = NULL,
                            *leaf = NULL;
        const char *parts[CG_PART_MAX] = { 0 };
        int r = scope_open(name, mount, s->setup.holder, &path, fail);

        if (r == -EBUSY && layout == CG_LAYOUT_SLURM) {
                s->layout = CG_LAYOUT_SLUMBER;
                return use_scope(s, mount, s->layout, ret_base, fail);
        }
        if (r < 0)
                return r;
        base = xasprintf("%s%s", mount, path);
        parts[CG_MAIN] = leaf = xasprintf("%s" LEAF, base);
        r = system_make_folder(leaf, fail);
        if (r < 0)
                return r;
        cg_free(s->supervisor);
        s->supervisor = cg_new(&cg_v2, parts);
        *ret_base = TAKE(base);
        return 0;
}

/* Finds the parent folder of the jobs' groups. *ret_share: controllers may be delegated. */
static int find_v2_base(struct cg_system *s, const char *mount, char **ret_base, bool *ret_share,
                struct fail *fail) {
        const struct cg_setup *setup = &s->setup;
        _cleanup_free_ char *path = NULL, *base = NULL;
        int r;

        *ret_share = true;
        s->scope = s->unit && isempty(setup->root) && setup->holder;
        if (s->scope) {
                r = use_scope(s, mount, s->layout, ret_base, fail);
                if (r >= 0)
                        return r;
                /* Use the service's own cgroup without a scope, without limits: with limits systemd
                   could not restart the service. */
                struct fail why = *fail;
                (void)fail_set(fail, r, "a scope, so jobs have no limits: %.300s", why.text);
                s->scope = false;
                s->layout = CG_LAYOUT_SLUMBER;
                *ret_share = false;
        }
        path = system_base_path(mount, setup, NULL);
        if (!path)
                return fail_set(fail, -ENOENT, "this process is in no v2 cgroup");
        base = xasprintf("%s%s", mount, path);
        r = system_make_folder(base, fail);
        if (r >= 0 && isempty(setup->root) && *path) {
                r = move_to_leaf(base, fail);
                s->own_leaf = r >= 0;
        }
        if (r >= 0)
                *ret_base = TAKE(base);
        return r;
}

static int v2_probe(struct cg_system *s, struct fail *fail) {
        _cleanup_free_ char *mount = system_v2_mount();
        struct cg_root *root = system_own_root(s);
        bool memory, cpuset, share;
        int r;

        if (!mount)
                return fail_set(fail, -ENOENT, "no cgroup2 file system is mounted");
        r = find_v2_base(s, mount, &s->base, &share, fail);
        if (r < 0)
                return r;
        root->folder = xasprintf("%s/%s", s->base, s->mark);
        if (share)
                system_enable(s->base, &memory, &cpuset);
        r = system_make_folder(root->folder, fail);
        if (r >= 0)
                r = check_v2_folder(root->folder, fail);
        if (r >= 0 && share)
                system_enable(root->folder, &root->memory, &root->cpuset);
        s->v2_devices = r >= 0 && devices_can_v2();
        return r;
}

/* Makes groups again after removal by hand: "systemctl stop" of the scope, which ended all jobs. */
static int v2_again(struct cg_system *s, struct fail *fail) {
        struct cg_root *root = &s->roots[s->layout];

        if (access(root->folder, F_OK) >= 0 || errno != ENOENT)
                return 0;
        if (!s->scope && s->layout == CG_LAYOUT_SLUMBER)
                return system_make_folder(root->folder, fail);
        if (!s->scope)
                return system_take_slurm(s, fail);
        free(TAKE(system_own_root(s)->folder));
        free(TAKE(s->base));
        int r = v2_probe(s, fail);
        return r < 0 ? r : system_find_slurm(s, fail);
}

static int set_v2_limits(struct cg_system *s, const struct cg_root *root, const char *folder,
                const struct cg_limits *l, struct fail *fail) {
        char number[32];
        int r = 0;

        if (l->memory == CG_NO_LIMIT) /* missing without swap accounting */
                (void)file_write(folder, "memory.swap.max", "max");
        if (l->memory == CG_NO_LIMIT)
                snprintf(number, sizeof number, "max");
        else
                snprintf(number, sizeof number, "%llu", (unsigned long long)l->memory);
        if (l->memory && root->memory)
                r = file_write(folder, "memory.max", number);
        snprintf(number, sizeof number, "%llu", (unsigned long long)l->soft);
        if (r >= 0 && l->memory && root->memory)
                r = file_write(folder, "memory.high", l->soft ? number : "max");
        if (r < 0)
                return fail_set(fail, r, "cannot limit memory of %s: %s", folder, strerror(-r));
        snprintf(number, sizeof number, "%llu", (unsigned long long)l->swap);
        if (l->limit_swap && root->memory)
                r = file_write(folder, "memory.swap.max", number);
        if (r < 0)
                return fail_set(fail, r, "cannot limit swap of %s: %s", folder, strerror(-r));
        if (l->cpus && root->cpuset)
                r = file_write(folder, "cpuset.cpus", l->cpus);
        if (r < 0)
                return fail_set(fail, r, "cannot bind %s to cores %s: %s", folder, l->cpus,
                                strerror(-r));
        if (l->n_denied && s->v2_devices)
                r = devices_deny_v2(folder, l->denied, l->n_denied);
        if (r < 0)
                return fail_set(fail, r, "cannot keep %s off devices: %s", folder, strerror(-r));
        return 0;
}

/* ---- make ---- */

/* Mostly all above it is there. */
static int v2_make_folders(struct cg_system *s, struct place *p, const char *job,
                const char *folder, struct fail *fail) {
        p->fresh = mkdir(folder, 0755) >= 0;
        if (p->fresh || errno == EEXIST)
                return 0;
        int r = v2_again(s, fail);
        if (r >= 0 && job)
                r = system_make_folder(job, fail);
        return r < 0 ? r : system_make_folder(folder, fail);
}

static int v2_make(struct cg_system *s, struct place *p, const struct cg_limits *limits,
                char **parts, struct fail *fail) {
        const char *slash = strchr(p->name, '/');
        _cleanup_free_ char *job = slash ? xasprintf("%s/%.*s", p->root->folder,
                                                           (int)(slash - p->name), p->name)
                                         : NULL;
        bool memory, cpuset;
        int r = v2_make_folders(s, p, job, parts[CG_MAIN], fail);

        /* the job's group passes the controllers on to its steps */
        if (r >= 0 && job && (p->root->memory || p->root->cpuset))
                system_enable(job, &memory, &cpuset);
        if (r >= 0 && limits)
                r = set_v2_limits(s, p->root, parts[CG_MAIN], limits, fail);
        return r < 0 ? r : system_v1_limits(s, p, limits, parts, fail);
}

static int none_probe(struct cg_system *s, struct fail *fail) {
        struct cg_root *root = system_own_root(s);

        root->folder = xasprintf("%s/groups", s->setup.state_dir);
        s->layout = CG_LAYOUT_SLUMBER;
        if (mkdir(root->folder, 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s: %s", root->folder, strerror(errno));
        return 0;
}

static int none_make(struct cg_system *s, struct place *p, const struct cg_limits *limits,
                char **parts, struct fail *fail) {
        const char *slash = strchr(p->name, '/');

        (void)s, (void)limits;
        if (slash) {
                _cleanup_free_ char *job = xasprintf("%s/%.*s", p->root->folder,
                                (int)(slash - p->name), p->name);
                int r = system_make_folder(job, fail);

                if (r < 0)
                        return r;
        }
        return system_make_folder(parts[CG_MAIN], fail);
}

/* Best kind first. */
static const struct driver drivers[] = {
        { "v2", v2_probe, v2_make, &cg_v2 },
        { "v1", system_v1_probe, system_v1_make, &cg_v1 },
        { "none", none_probe, none_make, &cg_none },
};

/* ---- slumberd's own group ---- */

/* Returns the folder of "slumber-NODE" in v1's memory hierarchy. */
static char *v1_base(const struct cg_system *s) {
        const char *name = s->roots[CG_LAYOUT_SLUMBER].v1_name[CG_MEMORY];

        return xasprintf("%.*s", (int)(strrchr(name, '/') - name), name);
}

static int confine_v1(struct cg_system *s, uint64_t memory, struct fail *fail) {
        _cleanup_free_ char *base = v1_base(s), *number = NULL,
                            *name = xasprintf("%s" LEAF "-%s", base, s->setup.node),
                            *folder = xasprintf("%s/%s", s->v1_mount[CG_MEMORY], name);
        bool there = access(folder, F_OK) >= 0;

        if (!memory && !there)
                return 0;
        number = memory ? xasprintf("%llu", (unsigned long long)memory) : xstrdup("-1");
        int r = there ? 0 : system_v1_create(CG_MEMORY, name);
        if (r >= 0)
                r = file_write(folder, "memory.oom_control", "1");
        if (r >= 0)
                r = file_write(folder, "memory.limit_in_bytes", number);
        if (r >= 0 && memory && !s->confined)
                r = file_write(folder, "cgroup.procs", "0");
        if (r < 0)
                return fail_set(fail, r, "cannot limit memory of %s: %s", folder, strerror(-r));
        if (!memory || s->confined)
                return 0;
        s->confined = TAKE(folder);
        return 1;
}

/* Limits slumberd's own leaf; in a scope, the step daemons' group. */
static int confine_v2(struct cg_system *s, uint64_t memory, struct fail *fail) {
        _cleanup_free_ char *number = memory ? xasprintf("%llu", (unsigned long long)memory)
                                             : xstrdup("max");
        _cleanup_free_ char *leaf = xasprintf("%s" LEAF "%s%s", s->base, s->scope ? "" : "-",
                        s->scope ? "" : s->setup.node);
        bool there = access(leaf, F_OK) >= 0;

        if (!memory && !there)
                return 0;
        int r = there ? 0 : system_make_folder(leaf, fail);
        if (r >= 0)
                r = file_write(leaf, "memory.high", number);
        if (r >= 0 && memory && !s->confined && !s->scope)
                r = file_write(leaf, "cgroup.procs", "0");
        if (r < 0)
                return fail_set(fail, r, "cannot limit memory of %s: %s", leaf, strerror(-r));
        if (!memory || s->confined || s->scope)
                return 0;
        s->confined = TAKE(leaf);
        return 1;
}

int cg_system_confine(struct cg_system *s, uint64_t memory, struct fail *fail) {
        if (s->v1_mount[CG_MEMORY])
                return confine_v1(s, memory, fail);
        if (!system_own_root(s)->memory && memory)
                return fail_set(fail, -EOPNOTSUPP, "this machine has no memory controller for it");
        if (!system_own_root(s)->memory)
                return 0;
        if (!s->own_leaf && !s->scope)
                return !memory ? 0
                               : fail_set(fail, -EOPNOTSUPP,
                                                 "the group that slumberd was started in is not its own; limit it there");
        int r = confine_v2(s, memory, fail);
        return r >= 0 && s->scope ? scope_limit_service(memory, fail) : r;
}

/* Leaves the confined group, where step daemons may remain. no_jobs: waits for the remaining
   processes, which were told to end. */
static void leave_leaf(struct cg_system *s, bool no_jobs) {
        if (!s->confined || !s->v1_mount[CG_MEMORY])
                return;
        usec_t until = now_monotonic() + (no_jobs ? LEAF_WAIT : 0);
        _cleanup_free_ char *name = v1_base(s),
                            *base = xasprintf("%s/%s", s->v1_mount[CG_MEMORY], name);
        (void)file_write(base, "cgroup.procs", "0");
        while (rmdir(s->confined) < 0 && errno == EBUSY && now_monotonic() < until)
                (void)usleep(LEAF_PAUSE);
}

/* ---- public ---- */

static void setup_copy(struct cg_setup *to, const struct cg_setup *from) {
        *to = (struct cg_setup){
                .kind = xstrdup(from->kind),
                .root = xstrdup(from->root),
                .layout = xstrdup(from->layout),
                .node = xstrdup(from->node),
                .name = xstrdup(from->name),
                .state_dir = xstrdup(from->state_dir),
                .holder = xstrdup(from->holder),
        };
}

static void setup_done(struct cg_setup *setup) {
        const char *const all[] = { setup->kind, setup->root, setup->layout, setup->node,
                setup->name, setup->state_dir, setup->holder };

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                free((char *)(uintptr_t)all[i]);
}

static void system_forget(struct cg_system *s) {
        setup_done(&s->setup);
        free(s->base);
        free(s->mark);
        free(s->unit);
        free(s->confined);
        cg_free(s->supervisor);
        for (size_t i = 0; i < CG_LAYOUT_MAX; i++)
                root_done(&s->roots[i]);
        for (size_t i = 0; i < CG_PART_MAX; i++)
                free(s->v1_mount[i]);
        *s = (struct cg_system){ 0 };
}

struct cg_system *cg_system_free(struct cg_system *s) {
        if (s)
                system_forget(s);
        free(s);
        return NULL;
}

int cg_system_open(const struct cg_setup *setup, struct cg_system **ret, struct fail *why) {
        _cleanup_(cg_system_freep) struct cg_system *s = xnew0(struct cg_system, 1);
        const char *kind = isempty(setup->kind) ? "auto" : setup->kind;
        struct fail passed = { 0 };
        int r = -EINVAL;

        for (size_t i = 0; i < ELEMENTSOF(drivers); i++) {
                struct fail fail = { 0 };

                if (!streq(kind, "auto") && !streq(kind, drivers[i].key))
                        continue;
                s->driver = &drivers[i];
                setup_copy(&s->setup, setup);
                system_choose_layout(s);
                r = drivers[i].probe(s, &fail);
                struct fail before = passed;
                if (*fail.text)
                        (void)fail_set(&passed, r, "%.200s%s%s: %.250s", before.text,
                                        *before.text ? "; " : "", drivers[i].key, fail.text);
                if (r >= 0)
                        break;
                system_forget(s);
        }
        if (r >= 0 && s->driver->ops != &cg_none)
                system_find_roots(s, &passed);
        if (why)
                *why = passed;
        if (r < 0)
                return *passed.text ? r
                                    : fail_set(why, r, "\"%s\" is none of auto, v2, v1, none",
                                                      kind);
        *ret = TAKE(s);
        return 0;
}

const char *cg_system_kind(const struct cg_system *s) {
        return s->driver->ops->name;
}

const char *cg_system_folder(const struct cg_system *s) {
        return s->roots[s->layout].folder;
}

bool cg_system_limits_memory(const struct cg_system *s) {
        return s->roots[s->layout].memory || s->v1_mount[CG_MEMORY];
}

bool cg_system_limits_swap(const struct cg_system *s) {
        const struct cg_root *root = &s->roots[s->layout];
        const char *mount = root->memory ? root->folder : s->v1_mount[CG_MEMORY];
        _cleanup_free_ char *file = mount ? xasprintf("%s/%s", mount,
                                                            root->memory ? "memory.swap.max"
                                                                         : V1_SWAP)
                                          : NULL;

        return file && access(file, W_OK) >= 0;
}

bool cg_system_has_swappiness(const struct cg_system *s) {
        return s->v1_mount[CG_MEMORY];
}

int cg_system_reclaims(const struct cg_system *s, struct fail *why) {
        if (s->driver->ops != &cg_v2)
                return fail_set(why, -EOPNOTSUPP, "processes are stopped by %s, not cgroup/v2",
                                s->driver->ops->name);
        if (!s->roots[s->layout].memory)
                return fail_set(why, -EOPNOTSUPP, "there is no memory controller of cgroup v2");
        return group_can_reclaim(s->roots[s->layout].folder, "/proc", why);
}

bool cg_system_limits_cpus(const struct cg_system *s) {
        return s->roots[s->layout].cpuset || s->v1_mount[CG_CPUSET];
}

bool cg_system_limits_devices(const struct cg_system *s) {
        return s->v2_devices || s->v1_mount[CG_DEVICES];
}

pid_t cg_system_fork(struct cg_system *s) {
        bool inside = true;
        pid_t pid = s->supervisor ? cg_fork(s->supervisor, &inside) : fork();

        if (pid == 0 && !inside)
                (void)cg_enter(s->supervisor);
        return pid;
}

static void remove_v1_folders(struct cg_system *s) {
        for (size_t i = CG_MAIN + 1; i < CG_PART_MAX; i++) {
                if (!s->v1_mount[i])
                        continue;
                _cleanup_free_ char *path = xasprintf("%s/%s", s->v1_mount[i],
                                system_own_root(s)->v1_name[i]);
                (void)rmdir(path);
        }
}

/* True if the folder, within a scope, is Slumber's mark of ownership of Slurm's layout. */
static bool is_mark_folder(const struct cg_system *s, const char *folder) {
        const char *slurm = s->roots[CG_LAYOUT_SLURM].folder;
        size_t n = slurm ? strlen(slurm) : 0;

        return slurm && strncmp(folder, slurm, n) == 0 && folder[n] == '/';
}

void cg_system_remove(struct cg_system *s) {
        const char *folder = system_own_root(s)->folder;
        bool left = system_leave_root(s, &s->roots[CG_LAYOUT_SLURM]);

        if (left || !is_mark_folder(s, folder))
                (void)rmdir(folder);
        leave_leaf(s, access(folder, F_OK) < 0);
        remove_v1_folders(s);
}
