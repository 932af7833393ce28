/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cgroup/roots.h"

#include "lib/folder.h"

#include <sys/stat.h>

void root_done(struct cg_root *root) {
        free(root->folder);
        for (size_t i = 0; i < CG_PART_MAX; i++)
                free(root->v1_name[i]);
        *root = (struct cg_root){ 0 };
}

static bool root_name_begins(const char *text, const char *prefix) {
        return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* *ret_marked: another slumberd's mark exists. *ret_used: groups of jobs exist. */
static void root_folder_inspect(const char *folder, const char *mark, bool *ret_marked,
                bool *ret_used) {
        char **names = folder_list(folder, true);

        *ret_marked = *ret_used = false;
        for (size_t i = 0; names[i]; i++) {
                *ret_marked = *ret_marked ||
                              (root_name_begins(names[i], "slumber-") && !streq(names[i], mark));
                *ret_used = *ret_used || root_name_begins(names[i], "job_") ||
                            root_name_begins(names[i], "uid_");
                free(names[i]);
        }
        free(names);
}

/* Two processes taking a folder at once see each other's marks, and both give up. */
int root_take(const char *folder, const char *mark) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, mark);
        bool marked, used, is_new;

        if (mkdir(folder, 0755) < 0 && errno != EEXIST)
                return -errno;
        is_new = mkdir(path, 0755) >= 0;
        if (!is_new && errno != EEXIST)
                return -errno;
        root_folder_inspect(folder, mark, &marked, &used);
        if (!marked && !(used && is_new))
                return 0;
        if (is_new)
                (void)rmdir(path);
        return -EBUSY;
}

bool root_is_taken(const char *folder, const char *mark) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, mark);

        return access(path, F_OK) >= 0;
}

bool root_leave(const char *folder, const char *mark) {
        _cleanup_free_ char *path = xasprintf("%s/%s", folder, mark);
        bool marked, used;

        root_folder_inspect(folder, mark, &marked, &used);
        if (used)
                return false;
        if (rmdir(path) >= 0)
                (void)rmdir(folder);
        return true;
}

enum cg_layout layout_of(const char *name) {
        return root_name_begins(name, "job_") ? CG_LAYOUT_SLURM : CG_LAYOUT_SLUMBER;
}

char *layout_path(const char *name, bool v1, uid_t uid) {
        return v1 && layout_of(name) == CG_LAYOUT_SLURM ? xasprintf("uid_%u/%s", uid, name)
                                                        : xstrdup(name);
}

char *layout_root_name(unsigned n, bool v1, const char *node) {
        if (v1)
                return xasprintf("slurm%s%s", n ? "_" : "", n ? node : "");
        return xasprintf("%s%sslurmstepd.scope", n ? node : "", n ? "_" : "");
}

char *layout_scope_name(enum cg_layout layout, const char *unit) {
        const char *at = strchr(unit, '@'), *node = at ? at + 1 : unit;
        char *name = layout == CG_LAYOUT_SLUMBER
                                     ? xasprintf("%s-jobs.scope", unit)
                                     : layout_root_name(!streq(unit, "slumberd"), false, node);

        for (char *p = name; *p; p++)
                if (*p == '@') /* scopes have no templates */
                        *p = '-';
        return name;
}
