/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reclaim_suspended of slumber.yaml: "low,scavenger", or ALL; each of them a partition of slurm.conf. */
#include "lib/config_private.h"

static bool is_partition(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_partitions; i++)
                if (streq(config->partitions[i].name, name))
                        return true;
        return false;
}

/* Where it stands; nowhere if it is a setting of a plan. */
static int complain(const struct config *config, const char *name, struct fail *fail) {
        _cleanup_free_ char *dir = config->path ? config_folder(config->path) : NULL;

        fail_set(fail, -ENOENT, "reclaim_suspended: \"%.100s\" is not a partition", name);
        return config->site.reclaim_line ? fail_prefix(fail, -ENOENT, "%s/slumber.yaml line %zu", strempty(dir), config->site.reclaim_line)
                                         : -ENOENT;
}

int config_reclaim(struct config *config, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(config->site.reclaim_suspended);
        char *list = copy;

        if (!copy || streq(copy, "ALL"))
                return 0;
        for (const char *name; (name = strsep(&list, ","));)
                if (!is_partition(config, name))
                        return complain(config, name, fail);
        return 0;
}
