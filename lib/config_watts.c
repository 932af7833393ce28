/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watts_on, watts_idle, watts_off, watts_booting of slumber.yaml: "300", or "300 gpu[1-4]=2000 n7=150"; a figure for all
 * nodes and others for those that are named, of which the last one counts. */
#include "lib/config_private.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

#define WATTS_MAX 1000000 /* of one node; more is a mistake */

static int set_all(struct config *config, size_t figure, uint32_t watts) {
        for (size_t i = 0; i < config->n_nodes; i++)
                config->nodes[i].watts[figure] = watts;
        return 0;
}

static int set_named(struct config *config, size_t figure, const char *nodes, uint32_t watts, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        size_t known = 0;
        int r = hostlist_parse(nodes, &names, fail);

        if (r < 0)
                return r;
        for (size_t i = 0; i < config->n_nodes; i++)
                if (hostlist_has(names, config->nodes[i].name)) {
                        config->nodes[i].watts[figure] = watts;
                        known++;
                }
        return known < hostlist_count(names) ? fail_set(fail, -ENOENT, "\"%.100s\" names nodes that are not configured", nodes) : 0;
}

static int take(struct config *config, size_t figure, char *word, struct fail *fail) {
        char *equals = strchr(word, '=');
        uint64_t watts;

        if (uint_parse(equals ? equals + 1 : word, 0, WATTS_MAX, &watts) < 0)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not a number of watts, nor NODES=WATTS", word);
        if (!equals)
                return set_all(config, figure, (uint32_t)watts);
        *equals = 0;
        return set_named(config, figure, word, (uint32_t)watts, fail);
}

int config_watts(struct config *config, struct fail *fail) {
        static const char *const keys[] = { "watts_on", "watts_idle", "watts_off", "watts_booting" };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                _cleanup_free_ char *copy = xstrdup(config->site.watts[i]);
                char *rest = NULL;
                for (char *w = copy ? strtok_r(copy, " \t", &rest) : NULL; w; w = strtok_r(NULL, " \t", &rest)) {
                        int r = take(config, i, w, fail);
                        if (r < 0)
                                return fail_prefix(fail, r, "slumber.yaml: %s", keys[i]);
                }
        }
        return 0;
}
