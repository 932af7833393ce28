/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of jobs and steps: naming, making, listing, tidying. */
#include "cgroup/system_private.h"

#include "lib/folder.h"

/* Returns a group's folder below the root of its layout. */
static char *group_folder(const struct cg_system *s, const char *name, uid_t uid) {
        const struct cg_root *root = &s->roots[layout_of(name)];
        _cleanup_free_ char *path = layout_path(name, s->driver->ops == &cg_v1, uid);

        return root->folder ? xasprintf("%s/%s", root->folder, path) : NULL;
}

static bool group_is_there(const struct cg_system *s, const char *name, uid_t uid) {
        _cleanup_free_ char *folder = group_folder(s, name, uid);

        return folder && access(folder, F_OK) >= 0;
}

static int group_make(struct cg_system *s, const char *name, uid_t uid,
                const struct cg_limits *limits, struct cg **ret, struct fail *fail) {
        struct place place = { .root = &s->roots[layout_of(name)], .name = name, .uid = uid };
        char *parts[CG_PART_MAX] = { [CG_MAIN] = group_folder(s, name, uid) };
        int r = parts[CG_MAIN] ? s->driver->make(s, &place, limits, parts, fail)
                               : fail_set(fail, -ENOENT, "the groups of Slurm's layout are gone");

        if (r >= 0) {
                *ret = cg_new(s->driver->ops, (const char *const *)parts);
                (*ret)->fresh = place.fresh;
        }
        for (size_t i = 0; i < CG_PART_MAX; i++)
                free(parts[i]);
        return r;
}

/* Removes a group left by an earlier run of the job; false: removal failed. */
static bool group_remove_left(const struct cg_system *s, const char *name, uid_t uid) {
        _cleanup_free_ char *folder = group_folder(s, name, uid);

        return folder && s->driver->ops->remove(folder) >= 0;
}

/* Returns the name of a new job's group, or of the existing group of an earlier slumberd. */
static char *choose_name(const struct cg_system *s, const struct cg_job *job) {
        _cleanup_free_ char *own = xasprintf("job%u-%u", job->id, job->restarts),
                            *apart = xasprintf("job_%u.%u", job->id, job->restarts),
                            *name = xasprintf("job_%u", job->id);
        bool v1 = s->driver->ops == &cg_v1, slurm = s->layout == CG_LAYOUT_SLURM;

        if ((!slurm && !job->known) || group_is_there(s, own, job->uid))
                return TAKE(own);
        if (job->known && group_is_there(s, apart, job->uid))
                return TAKE(apart);
        if (job->known && !job->another && group_is_there(s, name, job->uid))
                return TAKE(name);
        if (!slurm || (v1 && job->uid == CG_NO_USER))
                return TAKE(own);
        return job->another || !group_remove_left(s, name, job->uid) ? TAKE(apart) : TAKE(name);
}

int cg_system_make_job(struct cg_system *s, const struct cg_job *job, struct cg **ret,
                struct fail *fail) {
        _cleanup_free_ char *name = choose_name(s, job);

        return group_make(s, name, job->uid, NULL, ret, fail);
}

int cg_system_make(struct cg_system *s, const struct cg *job, const char *step, uid_t uid,
                const struct cg_limits *limits, struct cg **ret, struct fail *fail) {
        const char *above = strrchr(cg_folder(job), '/') + 1;
        _cleanup_free_ char *of = step ? cg_step_name(job, step) : NULL,
                            *name = step ? xasprintf("%s/%s", above, of) : xstrdup(above);

        return group_make(s, name, uid, limits, ret, fail);
}

struct found {
        struct cg_system *s;
        struct cg **groups;
        size_t n, allocated;
};

static void found_add_group(struct found *f, const char *folder) {
        const char *parts[CG_PART_MAX] = { [CG_MAIN] = folder };

        GROW(f->groups, f->allocated, f->n + 1);
        f->groups[f->n++] = cg_new(f->s->driver->ops, parts);
}

/* Calls visit for each folder beginning with prefix. */
static void each_group_folder(const char *folder, const char *prefix,
                void (*visit)(struct found *f, const char *folder), struct found *f) {
        char **names = folder_list(folder, true);

        for (size_t i = 0; names[i]; i++) {
                _cleanup_free_ char *path = xasprintf("%s/%s", folder, names[i]);
                if (strncmp(names[i], prefix, strlen(prefix)) == 0)
                        visit(f, path);
                free(names[i]);
        }
        free(names);
}

static void add_of_user(struct found *f, const char *folder) {
        each_group_folder(folder, "job_", found_add_group, f);
}

struct cg **cg_system_list(struct cg_system *s) {
        const char *slurm = s->roots[CG_LAYOUT_SLURM].folder;
        struct found f = { .s = s };

        GROW(f.groups, f.allocated, f.n + 1);
        each_group_folder(system_own_root(s)->folder, "job", found_add_group, &f);
        if (slurm && s->driver->ops == &cg_v1)
                each_group_folder(slurm, "uid_", add_of_user, &f);
        else if (slurm)
                each_group_folder(slurm, "job_", found_add_group, &f);
        f.groups[f.n] = NULL;
        return f.groups;
}

/* folder: a job's folder of a v1 controller. */
static void tidy_job(struct found *f, const char *folder) {
        const char *name = strrchr(folder, '/') + 1;

        if (!group_is_there(f->s, name, 0))
                (void)group_remove(folder);
}

static void tidy_user(struct found *f, const char *folder) {
        each_group_folder(folder, "job_", tidy_job, f);
        (void)rmdir(folder);
}

void cg_system_tidy(struct cg_system *s) {
        const struct cg_root *root = &s->roots[CG_LAYOUT_SLURM];
        struct found f = { .s = s };

        for (size_t i = CG_MAIN + 1; i < CG_PART_MAX && s->driver->ops == &cg_v2; i++) {
                if (!s->v1_mount[i] || !root->v1_name[i])
                        continue;
                _cleanup_free_ char *folder = xasprintf("%s/%s", s->v1_mount[i], root->v1_name[i]);
                each_group_folder(folder, "uid_", tidy_user, &f);
        }
}
