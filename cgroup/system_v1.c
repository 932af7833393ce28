/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controllers of cgroup v1: the freezer for kind v1, others for limits and accounting, also beside
 * v2's freezer. */
#include "cgroup/devices.h"
#include "cgroup/system_private.h"

#include <libcgroup.h>
#include <linux/magic.h>
#include <sys/vfs.h>

static const char *const v1_controllers[CG_PART_MAX] = {
        [CG_MAIN] = "freezer",
        [CG_MEMORY] = "memory",
        [CG_CPUSET] = "cpuset",
        [CG_DEVICES] = "devices",
        [CG_CPUACCT] = "cpuacct",
};

#define V1_SWAPPINESS "memory.swappiness"

static int v1_error(int rc) {
        int e = rc == ECGOTHER ? cgroup_get_last_errno() : 0;

        if (rc == ECGROUPNOTALLOWED || rc == ECGROUPNOTOWNER)
                return -EPERM;
        return rc == 0 ? 0 : e > 0 ? -e : -EIO;
}

int system_v1_create(enum cg_part part, const char *name) {
        const char *controller = v1_controllers[part];
        struct cgroup *group = cgroup_new_cgroup(name);
        struct cgroup_controller *c = group ? cgroup_add_controller(group, controller) : NULL;
        int r = c ? v1_error(cgroup_create_cgroup(group, 0)) : -ENOMEM;

        if (group)
                cgroup_free(&group);
        return r;
}

/* Copies the parent's memory nodes and cores to an empty cpuset, which accepts no processes
   otherwise. */
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

/* True for v1: the library also lists controllers of v2. */
static bool is_v1(const char *mount) {
        struct statfs st;

        return statfs(mount, &st) >= 0 && st.f_type == CGROUP_SUPER_MAGIC;
}

static void find_v1(struct cg_system *s, const struct cg_setup *setup, enum cg_part part) {
        _cleanup_free_ char *base = NULL;
        char *mount = NULL;

        if (cgroup_get_subsys_mount_point(v1_controllers[part], &mount) != 0)
                return;
        system_cut_end(mount, "/");
        base = is_v1(mount) ? system_base_path(mount, setup, v1_controllers[part]) : NULL;
        if (base) {
                s->v1_mount[part] = xstrdup(mount);
                system_own_root(s)->v1_name[part] = xasprintf("%s/%s", base + strspn(base, "/"),
                                s->mark);
        }
        free(mount);
}

/* Initializes the library's global tables once. False, with an error such as -50001: no v1 is
   mounted. */
static bool v1_library(void) {
        static int done = -1;

        if (done < 0)
                done = cgroup_init() == 0;
        return done;
}

void system_find_v1(struct cg_system *s, const struct cg_setup *setup) {
        if (!v1_library())
                return;
        find_v1(s, setup, CG_MEMORY);
        find_v1(s, setup, CG_CPUSET);
        find_v1(s, setup, CG_DEVICES);
        find_v1(s, setup, CG_CPUACCT);
}

int system_v1_probe(struct cg_system *s, struct fail *fail) {
        int r;

        if (!v1_library())
                return fail_set(fail, -ENOENT, "no cgroup v1 controller is mounted");
        find_v1(s, &s->setup, CG_MAIN);
        if (!s->v1_mount[CG_MAIN])
                return fail_set(fail, -ENOENT, "the v1 freezer is not mounted");
        struct cg_root *root = system_own_root(s);
        root->folder = xasprintf("%s/%s", s->v1_mount[CG_MAIN], root->v1_name[CG_MAIN]);
        r = system_v1_create(CG_MAIN, root->v1_name[CG_MAIN]);
        if (r < 0)
                return fail_set(fail, r, "cannot make %s: %s", root->folder, strerror(-r));
        return 0;
}

/* Makes the folder of a controller apart from the one that freezes; *ret NULL: no such
   controller. */
static int make_v1_part(struct cg_system *s, enum cg_part part, const struct place *of,
                const char *key, const char *value, char **ret, struct fail *fail) {
        if (!s->v1_mount[part] || !of->root->v1_name[part])
                return 0;
        _cleanup_free_ char *path = layout_path(of->name, true, of->uid);
        _cleanup_free_ char *full = xasprintf("%s/%s", of->root->v1_name[part], path);
        _cleanup_free_ char *folder = xasprintf("%s/%s", s->v1_mount[part], full);
        int r = system_v1_create(part, full);

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

/* Sets soft limit and swappiness; errors are ignored: kernels without these files have the hard
   limit. */
static void set_v1_soft(const char *folder, const struct cg_limits *l) {
        char number[32];

        snprintf(number, sizeof number, "%llu", (unsigned long long)l->soft);
        (void)file_write(folder, "memory.soft_limit_in_bytes", l->soft ? number : "-1");
        snprintf(number, sizeof number, "%u", l->swappiness);
        if (l->set_swappiness)
                (void)file_write(folder, V1_SWAPPINESS, number);
}

int system_v1_limits(struct cg_system *s, const struct place *place, const struct cg_limits *limits,
                char *ret[CG_PART_MAX], struct fail *fail) {
        bool shows = layout_of(place->name) == CG_LAYOUT_SLURM && place->uid != CG_NO_USER;
        const char *name = place->name;
        char number[32];
        int r = 0;

        if (limits && limits->memory == CG_NO_LIMIT) {
                r = make_v1_part(s, CG_MEMORY, place, NULL, NULL, &ret[CG_MEMORY], fail);
                if (r >= 0 && ret[CG_MEMORY]) {
                        /* Exists with swap accounting. */
                        (void)file_write(ret[CG_MEMORY], V1_SWAP, "-1");
                        r = file_write(ret[CG_MEMORY], "memory.limit_in_bytes", "-1");
                }
                if (r < 0)
                        return fail_set(fail, r, "cannot lift the limit of memory of %s: %s", name,
                                        strerror(-r));
        } else if (limits && limits->memory) {
                snprintf(number, sizeof number, "%llu", (unsigned long long)limits->memory);
                r = make_v1_part(s, CG_MEMORY, place, "memory.limit_in_bytes", number,
                                &ret[CG_MEMORY], fail);
                if (r >= 0 && ret[CG_MEMORY])
                        set_v1_soft(ret[CG_MEMORY], limits);
        } else if (s->confined || shows) {
                /* Processes without this folder would stay in slumberd's group. */
                r = make_v1_part(s, CG_MEMORY, place, NULL, NULL, &ret[CG_MEMORY], fail);
        }
        /* Limit of memory plus swap; the kernel refuses less than memory's limit. */
        if (r >= 0 && limits && limits->limit_swap && ret[CG_MEMORY]) {
                snprintf(number, sizeof number, "%llu",
                                (unsigned long long)(limits->memory + limits->swap));
                r = file_write(ret[CG_MEMORY], V1_SWAP, number);
                if (r < 0)
                        return fail_set(fail, r, "cannot limit swap of %s: %s", name, strerror(-r));
        }
        if (r >= 0 && limits && limits->n_denied && !s->v2_devices) {
                r = make_v1_part(s, CG_DEVICES, place, NULL, NULL, &ret[CG_DEVICES], fail);
                if (r >= 0 && ret[CG_DEVICES])
                        r = devices_deny_v1(ret[CG_DEVICES], limits->denied, limits->n_denied);
                if (r < 0)
                        return fail_set(fail, r, "cannot keep %s off devices: %s", name,
                                        strerror(-r));
        }
        if (r >= 0 && limits && limits->cpus)
                r = make_v1_part(s, CG_CPUSET, place, "cpuset.cpus", limits->cpus, &ret[CG_CPUSET],
                                fail);
        if (r >= 0 && shows)
                r = make_v1_part(s, CG_CPUACCT, place, NULL, NULL, &ret[CG_CPUACCT], fail);
        return r;
}

int system_v1_make(struct cg_system *s, struct place *p, const struct cg_limits *limits,
                char **parts, struct fail *fail) {
        int r = system_v1_create(CG_MAIN, parts[CG_MAIN] + strlen(s->v1_mount[CG_MAIN]) + 1);

        if (r < 0)
                return fail_set(fail, r, "cannot make %s: %s", parts[CG_MAIN], strerror(-r));
        return system_v1_limits(s, p, limits, parts, fail);
}
