/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Root folders of Slurm's layout: chosen, made or found again, left. In a systemd scope the root is
 * the scope itself. */
#include "cgroup/scope.h"
#include "cgroup/system_private.h"

#include <sys/stat.h>

/* Returns the path of name in the other layout's scope, beside slumberd's own, which may have jobs
   of an earlier slumberd; NULL: missing. */
static char *in_other_scope(const struct cg_system *s, enum cg_layout layout, const char *name) {
        _cleanup_free_ char *scope = layout_scope_name(layout, s->unit);
        size_t n = (size_t)(strrchr(s->base, '/') - s->base);
        _cleanup_free_ char *path = xasprintf("%.*s/%s/%s", (int)n, s->base, scope, name);

        return access(path, F_OK) >= 0 ? TAKE(path) : NULL;
}

/* Returns the parent of Slurm's root, below the mount point; the caller frees. */
static char *slurm_base(const struct cg_system *s, const char *mount, bool v1) {
        if (isempty(s->setup.root))
                return xstrdup(v1 ? "" : "/system.slice");
        return system_base_path(mount, &s->setup, NULL);
}

/* Returns root folder number n in a hierarchy. */
static char *slurm_folder(const struct cg_system *s, const char *mount, bool v1, unsigned n) {
        const char *node = s->setup.name ? s->setup.name : s->setup.node;
        _cleanup_free_ char *base = slurm_base(s, mount, v1), *name = layout_root_name(n, v1, node);

        return xasprintf("%s%s/%s", mount, base, name);
}

/* Takes a folder for this node: find_taken() if it has the mark, root_take() also sets the mark. */
typedef int take_fn(const char *folder, const char *mark);

static int find_taken(const char *folder, const char *mark) {
        return root_is_taken(folder, mark) ? 0 : -ENOENT;
}

static int make_above(const char *mount, const char *folder) {
        _cleanup_free_ char *path = xstrdup(folder);
        bool memory, cpuset;

        system_enable(mount, &memory, &cpuset);
        for (char *p = strchr(path + strlen(mount) + 1, '/'); p; p = strchr(p + 1, '/')) {
                *p = 0;
                if (mkdir(path, 0755) < 0 && errno != EEXIST)
                        return -errno;
                system_enable(path, &memory, &cpuset); /* v1 has no such file */
                *p = '/';
        }
        return 0;
}

/* Finds or takes v2's root, which freezes. */
static int try_v2(struct cg_system *s, unsigned n, take_fn *take, struct cg_root *root) {
        _cleanup_free_ char *mount = system_v2_mount(), *scope = NULL;
        int r = mount ? 0 : -ENOENT;

        if (s->scope && s->layout == CG_LAYOUT_SLURM)
                root->folder = xstrdup(s->base);
        else if (s->scope && (scope = in_other_scope(s, CG_LAYOUT_SLURM, s->mark)))
                root->folder = xstrndup(scope, (size_t)(strrchr(scope, '/') - scope));
        else if (s->scope)
                r = -ENOENT;
        else if (r >= 0)
                root->folder = slurm_folder(s, mount, false, n);
        if (r >= 0 && !s->scope && take == root_take)
                r = make_above(mount, root->folder);
        if (r >= 0)
                r = take(root->folder, s->mark);
        if (r >= 0)
                system_enable(root->folder, &root->memory, &root->cpuset);
        return r;
}

static int try_v1(struct cg_system *s, enum cg_part part, unsigned n, take_fn *take,
                struct cg_root *root) {
        const char *mount = s->v1_mount[part];
        _cleanup_free_ char *folder = slurm_folder(s, mount, true, n);
        int r = take == root_take ? make_above(mount, folder) : 0;

        if (r >= 0)
                r = take(folder, s->mark);
        if (r >= 0)
                root->v1_name[part] = xstrdup(folder + strlen(mount) + 1);
        if (r >= 0 && part == CG_MAIN)
                root->folder = xstrdup(folder);
        return r;
}

bool system_leave_root(struct cg_system *s, const struct cg_root *root) {
        if (root->folder && !root_leave(root->folder, s->mark))
                return false;
        for (size_t i = 0; i < CG_PART_MAX; i++) {
                if (!root->v1_name[i])
                        continue;
                _cleanup_free_ char *folder = xasprintf("%s/%s", s->v1_mount[i], root->v1_name[i]);
                (void)root_leave(folder, s->mark);
        }
        return true;
}

static int try_slurm(struct cg_system *s, unsigned n, take_fn *take) {
        struct cg_root root = { 0 };
        int r = s->driver->ops == &cg_v2 ? try_v2(s, n, take, &root) : 0;

        for (size_t i = 0; i < CG_PART_MAX && r >= 0; i++)
                if (s->v1_mount[i])
                        r = try_v1(s, (enum cg_part)i, n, take, &root);
        if (r >= 0) {
                root_done(&s->roots[CG_LAYOUT_SLURM]);
                s->roots[CG_LAYOUT_SLURM] = root;
                return r;
        }
        if (take == root_take)
                (void)system_leave_root(s, &root);
        root_done(&root);
        return r;
}

int system_take_slurm(struct cg_system *s, struct fail *fail) {
        int r = -ENOENT;

        for (unsigned n = 0; n < 2 && r < 0; n++) /* folders marked by an earlier slumberd */
                r = try_slurm(s, n, find_taken);
        for (unsigned n = 0; n < 2 && r < 0 && s->layout == CG_LAYOUT_SLURM; n++)
                r = try_slurm(s, n, root_take);
        if (r >= 0 || s->layout != CG_LAYOUT_SLURM)
                return 0;
        return fail_set(fail, r, "Slurm's layout of groups: %s",
                        r == -EBUSY ? "its folders are another program's" : strerror(-r));
}

/* Finds Slurm's root, and the other layout's scope, where jobs of an earlier slumberd continue. */
int system_find_slurm(struct cg_system *s, struct fail *fail) {
        char *other = s->scope && s->layout == CG_LAYOUT_SLURM
                                      ? in_other_scope(s, CG_LAYOUT_SLUMBER, s->mark)
                                      : NULL;

        if (other) {
                free(system_own_root(s)->folder);
                system_own_root(s)->folder = other;
        }
        return system_take_slurm(s, fail);
}

void system_choose_layout(struct cg_system *s) {
        const char *layout = isempty(s->setup.layout) ? "auto" : s->setup.layout;
        bool alone;

        s->mark = xasprintf("slumber-%s", s->setup.node);
        s->unit = scope_unit();
        alone = s->unit && isempty(s->setup.root) && s->setup.holder;
        s->layout = streq(layout, "slurm") || (streq(layout, "auto") && alone) ? CG_LAYOUT_SLURM
                                                                               : CG_LAYOUT_SLUMBER;
}

void system_find_roots(struct cg_system *s, struct fail *passed) {
        struct fail fail = { 0 }, before = *passed;

        system_find_v1(s, &s->setup);
        if (system_find_slurm(s, &fail) >= 0)
                return;
        s->layout = CG_LAYOUT_SLUMBER;
        (void)fail_set(passed, -ENOENT, "%.300s%s%.200s", before.text, *before.text ? "; " : "",
                        fail.text);
}
