/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/step/measure_wire.h"

Slumber__Measure **measures_pack(const struct measures *m) {
        struct {
                Slumber__Measure *list[MEASURE_MAX], of[MEASURE_MAX];
        } *all = xmalloc(sizeof *all);

        for (size_t i = 0; i < MEASURE_MAX; i++) {
                const struct measured *from = &m->of[i];
                Slumber__Measure *to = all->list[i] = &all->of[i];

                slumber__measure__init(to);
                to->most = from->most.value;
                to->most_task = from->most.task;
                to->most_node = from->most.node ? from->most.node : (char *)"";
                to->least = from->least.value;
                to->least_task = from->least.task;
                to->least_node = from->least.node ? from->least.node : (char *)"";
                to->sum = from->sum;
        }
        return all->list;
}

static struct extreme extreme_unpack(uint64_t value, uint32_t task, const char *node) {
        return (struct extreme){ value, task, isempty(node) ? NULL : xstrdup(node) };
}

struct measures measures_unpack(Slumber__Measure *const *list, size_t n) {
        struct measures m = { 0 };

        for (size_t i = 0; i < MIN(n, (size_t)MEASURE_MAX); i++) {
                m.of[i].most = extreme_unpack(list[i]->most, list[i]->most_task,
                                list[i]->most_node);
                m.of[i].least = extreme_unpack(list[i]->least, list[i]->least_task,
                                list[i]->least_node);
                m.of[i].sum = list[i]->sum;
        }
        return m;
}
