/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out which kind of group this machine has and makes the folders.
 *
 * libcgroup has v1: where a controller is mounted, where this process is below it, and the making
 * of groups.  What is not asked of it, and why:
 *
 *   v2's mount point and groups   it knows v2 only through a controller, and there may be none; nor
 * has it cgroup.freeze limits, in v1 and v2          a value is one file to write, the same in both
 *   what a new cpuset needs       its copy from the parent copies all files, where two are wanted,
 * and those only if empty members, the end of a group   cgroup.c, which slumberstepd has without a
 * library; its recursive delete thaws on the way
 *
 * Order: paths of this process, then per kind probe() and make(), then the table of kinds and the
 * public calls.  A probe leaves nothing behind but BASE/slumber-NODE (and BASE/supervisor). */
#include "cgroup/system.h"

#include "cgroup/devices.h"
#include "cgroup/group.h"
#include "cgroup/scope.h"
#include "lib/folder.h"

#include <libcgroup.h>
#include <linux/magic.h>
#include <mntent.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define LINE_LENGTH 4352 /* of /proc/self/cgroup */

struct driver {
        const char *key;
        int (*probe)(struct cg_system *s, struct fail *fail);
        /* parts[CG_MAIN] is set; make may add others, which the caller frees. */
        int (*make)(struct cg_system *s, const char *name, const struct cg_limits *limits,
                        char **parts, struct fail *fail);
        const struct cg_ops *ops;
};

struct cg_system {
        const struct driver *driver;
        char *folder; /* BASE/slumber-NODE, whole path */
        /* v1 controllers: mount point and path below it of BASE/slumber-NODE; NULL: not there */
        char *v1_mount[CG_PART_MAX], *v1_name[CG_PART_MAX];
        bool v2_memory, v2_cpuset, v2_devices;
        bool own_leaf;         /* v2: this process is in a group that it has made */
        char *confined;        /* whole path of the group of cg_system_confine(); NULL: none */
        struct cg_setup setup; /* a copy */
        char *scope;           /* its name; NULL: none */
        struct cg *supervisor; /* in a scope: where step daemons are */
};

static const char *const v1_controllers[CG_PART_MAX] = {
        [CG_MAIN] = "freezer",
        [CG_MEMORY] = "memory",
        [CG_CPUSET] = "cpuset",
        [CG_DEVICES] = "devices",
};

/* ---- where this process is ---- */

/* Paths of this process below the mount point.  NULL: none. */
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

static char *v2_mount_point(void) {
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

static int make_folder(const char *path, struct fail *fail) {
        if (mkdir(path, 0755) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s: %s", path, strerror(errno));
        return 0;
}

static void cut_end(char *path, const char *end) {
        size_t n = strlen(path), k = strlen(end);

        if (n >= k && streq(path + n - k, end))
                path[n - k] = 0;
}

/* step daemons and the spawner end a moment later than the agent that stops them */
#define LEAF_WAIT  (2 * USEC_PER_SEC)
#define LEAF_PAUSE (5 * USEC_PER_MSEC)
#define LEAF       "/supervisor" /* with "-NODE" behind it where the agent is confined */

void cg_cut_leaf(char *path, const char *node) {
        _cleanup_free_ char *confined = xasprintf(LEAF "-%s", node);
        char *last = strrchr(path, '/');

        if (last && (streq(last, LEAF) || streq(last, confined)))
                *last = 0;
}

/* The configured root relative to the mount point, or this process's own path; both without a
   slash at the end, "" is the hierarchy's root.  controller: of v1; NULL: v2. */
static char *base_path(const char *mount, const struct cg_setup *setup, const char *controller) {
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
                cg_cut_leaf(path, setup->node); /* an agent before this one moved us there */
        }
        cut_end(path, "/");
        return path;
}

/* ---- v2 ---- */

/* In its own cgroup the agent must not stand beside its jobs' groups. */
static int move_to_leaf(const char *base, struct fail *fail) {
        _cleanup_free_ char *leaf = xasprintf("%s" LEAF, base);
        int r = make_folder(leaf, fail);

        if (r < 0)
                return r;
        r = file_write(leaf, "cgroup.procs", "0");
        if (r < 0)
                return fail_set(fail, r, "cannot move into %s: %s", leaf, strerror(-r));
        return 0;
}

static void enable(const char *folder, bool *memory, bool *cpuset) {
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

/* *ret_base: whole path of the scope's cgroup.  Step daemons will be in a leaf of it. */
static int use_scope(struct cg_system *s, const char *mount, char **ret_base, struct fail *fail) {
        _cleanup_free_ char *path = NULL, *base = NULL, *leaf = NULL;
        const char *parts[CG_PART_MAX] = { 0 };
        int r = scope_open(s->scope, mount, s->setup.holder, &path, fail);

        if (r < 0)
                return r;
        base = xasprintf("%s%s", mount, path);
        parts[CG_MAIN] = leaf = xasprintf("%s" LEAF, base);
        r = make_folder(leaf, fail);
        if (r < 0)
                return r;
        cg_free(s->supervisor);
        s->supervisor = cg_new(&cg_v2, parts);
        *ret_base = TAKE(base);
        return 0;
}

/* Where jobs' groups are to be, without the last part.  *ret_share: it may pass controllers on. */
static int find_v2_base(struct cg_system *s, const char *mount, char **ret_base, bool *ret_share,
                struct fail *fail) {
        const struct cg_setup *setup = &s->setup;
        _cleanup_free_ char *path = NULL, *base = NULL;
        int r;

        s->scope = isempty(setup->root) && setup->holder ? scope_name() : NULL;
        *ret_share = true;
        if (s->scope) {
                r = use_scope(s, mount, ret_base, fail);
                if (r >= 0)
                        return r;
                /* The service's own cgroup will do for all but limits: with them systemd could not
                   start it again. */
                struct fail why = *fail;
                (void)fail_set(fail, r, "a scope, so jobs have no limits: %.300s", why.text);
                free(TAKE(s->scope));
                *ret_share = false;
        }
        path = base_path(mount, setup, NULL);
        if (!path)
                return fail_set(fail, -ENOENT, "this process is in no v2 cgroup");
        base = xasprintf("%s%s", mount, path);
        r = make_folder(base, fail);
        if (r >= 0 && isempty(setup->root) && *path) {
                r = move_to_leaf(base, fail);
                s->own_leaf = r >= 0;
        }
        if (r >= 0)
                *ret_base = TAKE(base);
        return r;
}

static int v2_probe(struct cg_system *s, struct fail *fail) {
        _cleanup_free_ char *mount = v2_mount_point(), *base = NULL;
        bool memory, cpuset, share;
        int r;

        if (!mount)
                return fail_set(fail, -ENOENT, "no cgroup2 file system is mounted");
        r = find_v2_base(s, mount, &base, &share, fail);
        if (r < 0)
                return r;
        s->folder = xasprintf("%s/slumber-%s", base, s->setup.node);
        if (share)
                enable(base, &memory, &cpuset);
        r = make_folder(s->folder, fail);
        if (r >= 0)
                r = check_v2_folder(s->folder, fail);
        if (r >= 0 && share)
                enable(s->folder, &s->v2_memory, &s->v2_cpuset);
        s->v2_devices = r >= 0 && devices_can_v2();
        return r;
}

/* The groups may have been removed by hand: "systemctl stop" of the scope, which ended all jobs. */
static int v2_again(struct cg_system *s, struct fail *fail) {
        if (access(s->folder, F_OK) >= 0 || errno != ENOENT)
                return 0;
        if (!s->scope)
                return make_folder(s->folder, fail);
        free(TAKE(s->scope));
        free(TAKE(s->folder));
        return v2_probe(s, fail);
}

static int set_v2_limits(struct cg_system *s, const char *folder, const struct cg_limits *l,
                struct fail *fail) {
        char number[32];
        int r = 0;

        if (l->memory == CG_NO_LIMIT) /* there is no such file without accounting of swap */
                (void)file_write(folder, "memory.swap.max", "max");
        if (l->memory == CG_NO_LIMIT)
                snprintf(number, sizeof number, "max");
        else
                snprintf(number, sizeof number, "%llu", (unsigned long long)l->memory);
        if (l->memory && s->v2_memory)
                r = file_write(folder, "memory.max", number);
        snprintf(number, sizeof number, "%llu", (unsigned long long)l->soft);
        if (r >= 0 && l->memory && s->v2_memory)
                r = file_write(folder, "memory.high", l->soft ? number : "max");
        if (r < 0)
                return fail_set(fail, r, "cannot limit memory of %s: %s", folder, strerror(-r));
        snprintf(number, sizeof number, "%llu", (unsigned long long)l->swap);
        if (l->limit_swap && s->v2_memory)
                r = file_write(folder, "memory.swap.max", number);
        if (r < 0)
                return fail_set(fail, r, "cannot limit swap of %s: %s", folder, strerror(-r));
        if (l->cpus && s->v2_cpuset)
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

/* ---- v1 ---- */

#define V1_SWAP       "memory.memsw.limit_in_bytes"
#define V1_SWAPPINESS "memory.swappiness"

static int v1_error(int rc) {
        int e = rc == ECGOTHER ? cgroup_get_last_errno() : 0;

        if (rc == ECGROUPNOTALLOWED || rc == ECGROUPNOTOWNER)
                return -EPERM;
        return rc == 0 ? 0 : e > 0 ? -e : -EIO;
}

/* Makes the folder of one controller, with those above it. */
static int v1_create(const char *controller, const char *name) {
        struct cgroup *group = cgroup_new_cgroup(name);
        struct cgroup_controller *c = group ? cgroup_add_controller(group, controller) : NULL;
        int r = c ? v1_error(cgroup_create_cgroup(group, 0)) : -ENOMEM;

        if (group)
                cgroup_free(&group);
        return r;
}

/* A cpuset takes processes only when it says which memory nodes and cores: its parent's at
   first. */
static int fill_cpuset(const char *folder) {
        static const char *const files[] = { "cpuset.mems", "cpuset.cpus" };
        _cleanup_free_ char *parent = xstrdup(folder);
        int r = 0;

        *strrchr(parent, '/') = 0;
        for (size_t i = 0; i < ELEMENTSOF(files) && r >= 0; i++) {
                char own[4096], above[4096];

                r = file_read(folder, files[i], own, sizeof own);
                if (r < 0 || *own)
                        continue;
                r = file_read(parent, files[i], above, sizeof above);
                if (r >= 0)
                        r = file_write(folder, files[i], above);
        }
        return r;
}

/* The library tells of controllers of v2, too. */
static bool is_v1(const char *mount) {
        struct statfs st;

        return statfs(mount, &st) >= 0 && st.f_type == CGROUP_SUPER_MAGIC;
}

static void find_v1(struct cg_system *s, const struct cg_setup *setup, enum cg_part part) {
        _cleanup_free_ char *base = NULL;
        char *mount = NULL;

        if (cgroup_get_subsys_mount_point(v1_controllers[part], &mount) != 0)
                return;
        cut_end(mount, "/");
        base = is_v1(mount) ? base_path(mount, setup, v1_controllers[part]) : NULL;
        if (base) {
                s->v1_mount[part] = xstrdup(mount);
                s->v1_name[part] = xasprintf("%s/slumber-%s", base + strspn(base, "/"),
                                setup->node);
        }
        free(mount);
}

/* The library's tables are global and made once. -50001 and friends: nothing of v1 is mounted. */
static bool v1_library(void) {
        static int done = -1;

        if (done < 0)
                done = cgroup_init() == 0;
        return done;
}

static void find_v1_limits(struct cg_system *s, const struct cg_setup *setup) {
        if (!v1_library())
                return;
        find_v1(s, setup, CG_MEMORY);
        find_v1(s, setup, CG_CPUSET);
        find_v1(s, setup, CG_DEVICES);
}

static int v1_probe(struct cg_system *s, struct fail *fail) {
        int r;

        if (!v1_library())
                return fail_set(fail, -ENOENT, "no cgroup v1 controller is mounted");
        find_v1(s, &s->setup, CG_MAIN);
        if (!s->v1_mount[CG_MAIN])
                return fail_set(fail, -ENOENT, "the v1 freezer is not mounted");
        s->folder = xasprintf("%s/%s", s->v1_mount[CG_MAIN], s->v1_name[CG_MAIN]);
        r = v1_create("freezer", s->v1_name[CG_MAIN]);
        if (r < 0)
                return fail_set(fail, r, "cannot make %s: %s", s->folder, strerror(-r));
        return 0;
}

/* The folder of a controller that stands apart from the one that freezes; *ret NULL: no such
   one. */
static int make_v1_part(struct cg_system *s, enum cg_part part, const char *name, const char *key,
                const char *value, char **ret, struct fail *fail) {
        if (!s->v1_mount[part])
                return 0;
        _cleanup_free_ char *full = xasprintf("%s/%s", s->v1_name[part], name);
        _cleanup_free_ char *folder = xasprintf("%s/%s", s->v1_mount[part], full);
        int r = v1_create(v1_controllers[part], full);

        if (r >= 0 && part == CG_CPUSET)
                for (char *p = folder + strlen(s->v1_mount[part]) + 1; p && r >= 0;) {
                        p = strchr(p, '/');
                        if (p)
                                *p = 0;
                        r = fill_cpuset(folder);
                        if (p)
                                *p++ = '/';
                }
        if (r >= 0 && key)
                r = file_write(folder, key, value);
        if (r < 0)
                return fail_set(fail, r, "cannot make %s: %s", folder, strerror(-r));
        *ret = TAKE(folder);
        return 0;
}

/* Kernels that no longer have these have the hard limit. */
static void set_v1_soft(const char *folder, const struct cg_limits *l) {
        char number[32];

        snprintf(number, sizeof number, "%llu", (unsigned long long)l->soft);
        (void)file_write(folder, "memory.soft_limit_in_bytes", l->soft ? number : "-1");
        snprintf(number, sizeof number, "%u", l->swappiness);
        if (l->set_swappiness)
                (void)file_write(folder, V1_SWAPPINESS, number);
}

static int make_v1_limits(struct cg_system *s, const char *name, const struct cg_limits *limits,
                char *ret[CG_PART_MAX], struct fail *fail) {
        char number[32];
        int r = 0;

        if (limits && limits->memory == CG_NO_LIMIT) {
                r = make_v1_part(s, CG_MEMORY, name, NULL, NULL, &ret[CG_MEMORY], fail);
                if (r >= 0 && ret[CG_MEMORY]) {
                        (void)file_write(ret[CG_MEMORY], V1_SWAP, "-1"); /* where there is one */
                        r = file_write(ret[CG_MEMORY], "memory.limit_in_bytes", "-1");
                }
                if (r < 0)
                        return fail_set(fail, r, "cannot lift the limit of memory of %s: %s", name,
                                        strerror(-r));
        } else if (limits && limits->memory) {
                snprintf(number, sizeof number, "%llu", (unsigned long long)limits->memory);
                r = make_v1_part(s, CG_MEMORY, name, "memory.limit_in_bytes", number,
                                &ret[CG_MEMORY], fail);
                if (r >= 0 && ret[CG_MEMORY])
                        set_v1_soft(ret[CG_MEMORY], limits);
        } else if (s->confined) {
                /* or its processes would be left in the group of the agent */
                r = make_v1_part(s, CG_MEMORY, name, NULL, NULL, &ret[CG_MEMORY], fail);
        }
        /* both together; it may not be below the other */
        if (r >= 0 && limits && limits->limit_swap && ret[CG_MEMORY]) {
                snprintf(number, sizeof number, "%llu",
                                (unsigned long long)(limits->memory + limits->swap));
                r = file_write(ret[CG_MEMORY], V1_SWAP, number);
                if (r < 0)
                        return fail_set(fail, r, "cannot limit swap of %s: %s", name, strerror(-r));
        }
        if (r >= 0 && limits && limits->n_denied && !s->v2_devices) {
                r = make_v1_part(s, CG_DEVICES, name, NULL, NULL, &ret[CG_DEVICES], fail);
                if (r >= 0 && ret[CG_DEVICES])
                        r = devices_deny_v1(ret[CG_DEVICES], limits->denied, limits->n_denied);
                if (r < 0)
                        return fail_set(fail, r, "cannot keep %s off devices: %s", name,
                                        strerror(-r));
        }
        if (r >= 0 && limits && limits->cpus)
                r = make_v1_part(s, CG_CPUSET, name, "cpuset.cpus", limits->cpus, &ret[CG_CPUSET],
                                fail);
        return r;
}

/* ---- make ---- */

static int v2_make(struct cg_system *s, const char *name, const struct cg_limits *limits,
                char **parts, struct fail *fail) {
        _cleanup_free_ char *job = NULL;
        const char *slash = strchr(name, '/');
        bool memory, cpuset;
        int r = v2_again(s, fail);

        if (r >= 0 && slash) { /* the job's group passes the controllers on to its steps */
                job = xasprintf("%s/%.*s", s->folder, (int)(slash - name), name);
                r = make_folder(job, fail);
                if (r >= 0 && (s->v2_memory || s->v2_cpuset))
                        enable(job, &memory, &cpuset);
        }
        if (r >= 0)
                r = make_folder(parts[CG_MAIN], fail);
        if (r >= 0 && limits)
                r = set_v2_limits(s, parts[CG_MAIN], limits, fail);
        return r < 0 ? r : make_v1_limits(s, name, limits, parts, fail);
}

static int v1_make(struct cg_system *s, const char *name, const struct cg_limits *limits,
                char **parts, struct fail *fail) {
        _cleanup_free_ char *full = xasprintf("%s/%s", s->v1_name[CG_MAIN], name);
        int r = v1_create("freezer", full);

        if (r < 0)
                return fail_set(fail, r, "cannot make %s: %s", parts[CG_MAIN], strerror(-r));
        return make_v1_limits(s, name, limits, parts, fail);
}

static int none_probe(struct cg_system *s, struct fail *fail) {
        s->folder = xasprintf("%s/groups", s->setup.state_dir);
        if (mkdir(s->folder, 0700) < 0 && errno != EEXIST)
                return fail_set(fail, -errno, "cannot make %s: %s", s->folder, strerror(errno));
        return 0;
}

static int none_make(struct cg_system *s, const char *name, const struct cg_limits *limits,
                char **parts, struct fail *fail) {
        const char *slash = strchr(name, '/');

        (void)limits;
        if (slash) {
                _cleanup_free_ char *job = xasprintf("%s/%.*s", s->folder, (int)(slash - name),
                                name);
                int r = make_folder(job, fail);

                if (r < 0)
                        return r;
        }
        return make_folder(parts[CG_MAIN], fail);
}

/* Best first. */
static const struct driver drivers[] = {
        { "v2", v2_probe, v2_make, &cg_v2 },
        { "v1", v1_probe, v1_make, &cg_v1 },
        { "none", none_probe, none_make, &cg_none },
};

/* ---- the agent's own group ---- */

/* Beside "slumber-NODE" in the hierarchy of v1's memory. */
static char *v1_base(const struct cg_system *s) {
        const char *name = s->v1_name[CG_MEMORY];

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
        int r = there ? 0 : v1_create(v1_controllers[CG_MEMORY], name);
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

/* Only what the agent has made itself; of a scope that is the group of the step daemons. */
static int confine_v2(struct cg_system *s, uint64_t memory, struct fail *fail) {
        _cleanup_free_ char *number = memory ? xasprintf("%llu", (unsigned long long)memory)
                                             : xstrdup("max");
        size_t base = (size_t)(strrchr(s->folder, '/') - s->folder);
        _cleanup_free_ char *leaf = xasprintf("%.*s" LEAF "%s%s", (int)base, s->folder,
                        s->scope ? "" : "-", s->scope ? "" : s->setup.node);
        bool there = access(leaf, F_OK) >= 0;

        if (!memory && !there)
                return 0;
        int r = there ? 0 : make_folder(leaf, fail);
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
        if (!s->v2_memory && memory)
                return fail_set(fail, -EOPNOTSUPP, "this machine has no memory controller for it");
        if (!s->v2_memory)
                return 0;
        if (!s->own_leaf && !s->scope)
                return !memory ? 0
                               : fail_set(fail, -EOPNOTSUPP,
                                                 "the group that slumberd was started in is not its own; limit it there");
        int r = confine_v2(s, memory, fail);
        return r >= 0 && s->scope ? scope_limit_service(memory, fail) : r;
}

/* Step daemons may live on in it. */
/* no_jobs: what else is in it has been told to end, and is waited for. */
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
                .node = xstrdup(from->node),
                .state_dir = xstrdup(from->state_dir),
                .holder = xstrdup(from->holder),
        };
}

static void setup_done(struct cg_setup *setup) {
        const char *const all[] = { setup->kind, setup->root, setup->node, setup->state_dir,
                setup->holder };

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                free((char *)(uintptr_t)all[i]);
}

static void forget(struct cg_system *s) {
        setup_done(&s->setup);
        free(s->folder);
        free(s->scope);
        free(s->confined);
        cg_free(s->supervisor);
        for (size_t i = 0; i < CG_PART_MAX; i++) {
                free(s->v1_mount[i]);
                free(s->v1_name[i]);
        }
        *s = (struct cg_system){ 0 };
}

struct cg_system *cg_system_free(struct cg_system *s) {
        if (s)
                forget(s);
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
                r = drivers[i].probe(s, &fail);
                struct fail before = passed;
                if (*fail.text)
                        (void)fail_set(&passed, r, "%.200s%s%s: %.250s", before.text,
                                        *before.text ? "; " : "", drivers[i].key, fail.text);
                if (r >= 0)
                        break;
                forget(s);
        }
        if (why)
                *why = passed;
        if (r < 0)
                return *passed.text ? r
                                    : fail_set(why, r, "\"%s\" is none of auto, v2, v1, none",
                                                      kind);
        if (s->driver->ops != &cg_none)
                find_v1_limits(s, setup);
        *ret = TAKE(s);
        return 0;
}

const char *cg_system_kind(const struct cg_system *s) {
        return s->driver->ops->name;
}

const char *cg_system_folder(const struct cg_system *s) {
        return s->folder;
}

bool cg_system_limits_memory(const struct cg_system *s) {
        return s->v2_memory || s->v1_mount[CG_MEMORY];
}

bool cg_system_limits_swap(const struct cg_system *s) {
        const char *mount = s->v2_memory ? s->folder : s->v1_mount[CG_MEMORY];
        _cleanup_free_ char *file = mount ? xasprintf("%s/%s", mount,
                                                            s->v2_memory ? "memory.swap.max"
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
        if (!s->v2_memory)
                return fail_set(why, -EOPNOTSUPP, "there is no memory controller of cgroup v2");
        return group_can_reclaim(s->folder, "/proc", why);
}

bool cg_system_limits_cpus(const struct cg_system *s) {
        return s->v2_cpuset || s->v1_mount[CG_CPUSET];
}

bool cg_system_limits_devices(const struct cg_system *s) {
        return s->v2_devices || s->v1_mount[CG_DEVICES];
}

int cg_system_make(struct cg_system *s, const char *name, const struct cg_limits *limits,
                struct cg **ret, struct fail *fail) {
        char *parts[CG_PART_MAX] = { [CG_MAIN] = xasprintf("%s/%s", s->folder, name) };
        int r = s->driver->make(s, name, limits, parts, fail);

        if (r >= 0)
                *ret = cg_new(s->driver->ops, (const char *const *)parts);
        for (size_t i = 0; i < CG_PART_MAX; i++)
                free(parts[i]);
        return r;
}

pid_t cg_system_fork(struct cg_system *s) {
        bool inside = true;
        pid_t pid = s->supervisor ? cg_fork(s->supervisor, &inside) : fork();

        if (pid == 0 && !inside)
                (void)cg_enter(s->supervisor);
        return pid;
}

char **cg_system_list(struct cg_system *s) {
        return folder_list(s->folder, true);
}

void cg_system_remove(struct cg_system *s) {
        static const enum cg_part limits[] = { CG_MEMORY, CG_CPUSET, CG_DEVICES };

        leave_leaf(s, rmdir(s->folder) >= 0);
        for (size_t i = 0; i < ELEMENTSOF(limits); i++) {
                enum cg_part part = limits[i];

                if (!s->v1_mount[part])
                        continue;
                _cleanup_free_ char *path = xasprintf("%s/%s", s->v1_mount[part], s->v1_name[part]);
                (void)rmdir(path);
        }
}
