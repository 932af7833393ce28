/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/steps/step_list.h"

#include "controller/model/node.h"

void step_list_ask(const struct task_list *l, char *nodes, Slumber__StepSpec *spec) {
        spec->nodes = nodes;
        spec->min_nodes = spec->max_nodes = (uint32_t)hostlist_count(task_list_nodes(l));
        spec->num_tasks = (uint32_t)task_list_tasks(l);
        spec->ntasks_per_node = 0;
        spec->relative = NULL;
}

enum slumber_error step_list_lay_out(const struct task_list *l, const struct job *j,
                const size_t *at, size_t n, const uint32_t *room, const uint32_t *most,
                const uint32_t *cpus, uint32_t *ret_count, uint32_t **ret_place,
                struct fail *fail) {
        const struct hostlist *nodes = task_list_nodes(l);
        size_t n_tasks = task_list_tasks(l);
        _cleanup_free_ uint32_t *place_of = xnew0(uint32_t, hostlist_count(nodes) + 1);
        bool busy = false;

        memset(ret_count, 0, n * sizeof *ret_count);
        for (size_t i = 0; i < n; i++) {
                size_t k = hostlist_index(nodes, j->placed.alloc[at[i]].node->name);
                if (k < hostlist_count(nodes))
                        place_of[k] = (uint32_t)i;
        }
        for (size_t t = 0; t < n_tasks; t++)
                ret_count[place_of[task_list_node(l, t)]]++;
        for (size_t i = 0; i < n; i++) {
                if (ret_count[i] > most[i]) {
                        fail_set(fail, -EINVAL,
                                        "%u tasks are listed for %s, which has memory, "
                                        "generic resources, cores and sockets for %u",
                                        ret_count[i], j->placed.alloc[at[i]].node->name, most[i]);
                        return SLUMBER_NODES_NOT_AVAILABLE;
                }
                busy |= room[i] < MIN(ret_count[i], MIN(most[i], cpus[i]));
        }
        if (busy)
                return SLUMBER_NODES_BUSY;
        *ret_place = xnew(uint32_t, n_tasks);
        for (size_t t = 0; t < n_tasks; t++)
                (*ret_place)[t] = place_of[task_list_node(l, t)];
        return SLUMBER_OK;
}
