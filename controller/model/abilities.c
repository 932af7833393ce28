/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/abilities.h"

#include "lib/config/config.h"
#include "lib/files/job_container.h"

static const char *name_of(enum slumberd_ability what) {
        return what == CAN_CONTAINERS      ? "--container"
               : what == CAN_CONTAINER_PMI ? "--mpi=pmi2 in a --container"
               : what == CAN_STREAMS       ? "direct streams"
               : what == CAN_X11           ? "--x11"
                                           : "job_container/tmpfs";
}

char *abilities_lack_text(const struct node *n, enum slumberd_ability what) {
        return xasprintf("the slumberd of %s is of an earlier build without %s", n->name,
                        name_of(what));
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
