/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reclaim_suspended of slumber.yaml: "low,scavenger" or ALL; each word must be a partition. */
#include "lib/config/config_private.h"

int config_reclaim(struct config *config, struct fail *fail) {
        const struct ydoc_text *text = &config->site.reclaim_suspended;
        _cleanup_free_ char *copy = xstrdup(text->text);
        char *list = copy;

        if (!copy || streq(copy, "ALL"))
                return 0;
        for (const char *name; (name = strsep(&list, ","));)
                if (!config_has_partition(config, name))
                        return site_text_fail(config, text, "reclaim_suspended",
                                        fail_set(fail, -ENOENT, "\"%.100s\" is not a partition",
                                                        name),
                                        fail);
        return 0;
}
