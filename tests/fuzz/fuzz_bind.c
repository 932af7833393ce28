/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --cpu-bind and --mem-bind as a user's own program may send it: first byte the tasks, second the
 * CPUs of each, third how; then the words.  Each task has CPUs of the machine, and of the step
 * where lists must keep to it. */
#include "agent/hardware/bind.h"

#define CPUS  24
#define NODES 3

static void check(const struct bitset *have, const struct bind_ask *ask,
                const struct bind_plan *plan) {
        for (size_t i = 0; i < plan->n; i++) {
                unsigned long mask = strtoul(plan->masks[i], NULL, 16), all = 0;
                bitset_for_each(cpu, have)
                        all |= 1ul << cpu;
                if (mask >> CPUS || ((ask->strict || !strchr(ask->how, ':')) && mask & ~all))
                        abort();
        }
        if (plan->n > ask->tasks)
                abort();
}

static void check_memory(const struct cpu_map *map, const struct bitset *have, const char *how,
                size_t tasks, const struct bind_plan *cpus) {
        struct bind_plan plan;
        struct fail fail;
        int r = bind_memory(map, have, cpus, how, tasks, &plan, &fail);

        if (r >= 0 && plan.n == 0)
                abort();
        for (size_t i = 0; i < plan.n; i++) {
                unsigned long mask = strtoul(plan.masks[i], NULL, 16);
                if (mask == 0 || mask >> NODES)
                        abort();
        }
        bind_done(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        struct cpu list[CPUS];
        struct cpu_map map = { list, CPUS, CPUS, CPUS / 2, NODES, NULL };
        struct bind_plan plan;
        struct fail fail;

        if (size < 3)
                return 0;
        for (uint32_t i = 0; i < CPUS; i++)
                list[i] = (struct cpu){ i, i / 2, i / 6, i / 8 };
        _cleanup_free_ char *how = xstrndup((const char *)data + 3, size - 3);
        _cleanup_(bitset_freep) struct bitset *have = cpu_map_cores(&map, CPUS / 2, "0-1,5,9-11");
        const struct bind_ask ask = { .how = how,
                .cores = (enum bind_deal)(data[2] >> 5 & 3),
                .one_thread = data[2] & 1,
                .sockets = (enum bind_deal)(data[2] >> 3 & 3),
                .strict = data[2] & 4,
                .tasks = data[0] ? data[0] : 1,
                .cpus_per_task = data[1] };
        if (bind_make(&map, have, &ask, &plan, &fail) >= 0)
                check(have, &ask, &plan);
        _cleanup_(bitset_freep) struct bitset *memory = map.memory = bitset_new(NODES);
        for (size_t i = 0; i < NODES; i++)
                bitset_add(memory, i);
        check_memory(&map, have, how, ask.tasks, &plan);
        bind_done(&plan);
        return 0;
}
