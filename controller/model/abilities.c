/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/abilities.h"

#include "lib/config/config.h"
#include "lib/files/job_container.h"
#include "lib/wordlist.h"

static const char *ability_name(enum slumberd_ability what) {
        return what == CAN_CONTAINERS      ? "--container"
               : what == CAN_CONTAINER_PMI ? "--mpi=pmi2 in a --container"
               : what == CAN_STREAMS       ? "direct streams"
               : what == CAN_X11           ? "--x11"
                                           : "job_container/tmpfs";
}

char *abilities_lack_text(const struct node *n, enum slumberd_ability what) {
        return xasprintf("the slumberd of %s is of an earlier build without %s", n->name,
                        ability_name(what));
}

bool abilities_serve(const struct node *n, const struct job *j) {
        unsigned needs = (isempty(j->asked.container) ? 0 : CAN_CONTAINERS) |
                         (j->asked.x11 ? CAN_X11 : 0);

        return !(n->lacks & needs);
}

int abilities_check(const struct config *config, const struct node *n, unsigned lacks,
                struct fail *fail) {
        if (!(lacks & CAN_PRIVATE_FOLDERS) || !config->containers)
                return 0;
        const struct node_container of = job_containers_of(config->containers, n->name);
        if (!of.base)
                return 0;
        free(of.base);
        _cleanup_free_ char *text = abilities_lack_text(n, CAN_PRIVATE_FOLDERS);
        return fail_set(fail, -EINVAL, "%s", text);
}

char *abilities_unheeded(const struct config *config, unsigned lacks) {
        const struct config_cgroup *g = &config->cgroup;
        bool any = g->constrain_ram || g->constrain_swap;
        const struct {
                const char *key;
                bool acts;
        } keys[] = {
                { "AllowedRAMSpace", any && (g->allowed_ram < 100 || g->allowed_ram > 100) },
                { "MaxRAMPercent", any && g->max_ram < 100 },
                { "MinRAMSpace", any && g->min_ram != 30 },
                /* earlier builds know whole percents */
                { "AllowedSwapSpace",
                                g->constrain_swap && g->allowed_swap > (uint32_t)g->allowed_swap },
                { "MaxSwapPercent", g->constrain_swap && g->max_swap < 100 },
                { "MemorySwappiness", g->constrain_swap && g->swappiness != UINT32_MAX },
        };
        char *list = NULL;

        for (size_t i = 0; i < ELEMENTSOF(keys) && lacks & CAN_BOUND_MEMORY; i++) {
                if (!keys[i].acts)
                        continue;
                text_add_word(&list, ", ", "%s", keys[i].key);
        }
        return list;
}
