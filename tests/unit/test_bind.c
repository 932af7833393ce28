/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPUs tasks are bound to, on a node of two sockets with four cores of two threads each: as
 * Slurm 22.05 binds them, but that cores are dealt anew from the first one. */
#include "tests/unit/test.h"

#include "agent/hardware/bind.h"

static struct cpu_map *make_map(void) {
        struct cpu_map *m = xnew0(struct cpu_map, 1);

        m->n = m->bits = 16;
        m->cores = 8;
        m->ldoms = 4;
        m->list = xnew(struct cpu, m->n);
        for (uint32_t i = 0; i < 16; i++)
                m->list[i] = (struct cpu){ i, i / 2, i / 8, i / 4 };
        return m;
}

struct row {
        const char *cores;
        struct bind_ask ask;
        const char *told;
};

#define AUTO(count, each)                                                                          \
        { .how = "", .tasks = count, .cpus_per_task = each }
#define HOW(word, count, each)                                                                     \
        { .how = word, .tasks = count, .cpus_per_task = each }

/* clang-format off */
static const struct row rows[] = {
        /* as tasks match what there is */
        { "0",       AUTO(1, 1),  "mask_cpu:0x0003" },
        { "0",       AUTO(2, 1),  "mask_cpu:0x0001,0x0002" },
        { "0",       AUTO(2, 0),  "mask_cpu:0x0001,0x0002" },
        { "0,4",     AUTO(3, 1),  "mask_cpu:0x0303" },
        { "0,4",     AUTO(4, 1),  "mask_cpu:0x0001,0x0100,0x0002,0x0200" },
        { "0-1,4",   AUTO(5, 1),  "mask_cpu:0x030F" },
        { "0-1,4",   AUTO(6, 1),  "mask_cpu:0x0001,0x0100,0x0002,0x0200,0x0004,0x0008" },
        { "0-1",     AUTO(2, 2),  "mask_cpu:0x0003,0x000C" },
        { "0-2",     AUTO(2, 3),  "mask_cpu:0x0007,0x0038" },
        { "0-3",     AUTO(2, 4),  "mask_cpu:0x000F,0x00F0" },
        { "0-7",     AUTO(4, 4),  "mask_cpu:0x000F,0x0F00,0x00F0,0xF000" },
        { "0-7",     AUTO(2, 8),  "mask_cpu:0x00FF,0xFF00" },
        { "0-7",     AUTO(2, 1),  "mask_cpu:0x00FF,0xFF00" },
        { "0-7",     AUTO(8, 1),  "mask_cpu:0x0003,0x0300,0x000C,0x0C00,0x0030,0x3000,0x00C0,0xC000" },
        { "0-7",     AUTO(1, 1),  "mask_cpu:0xFFFF" },
        { "0,4",     AUTO(2, 1),  "mask_cpu:0x0003,0x0300" },
        { "0",       AUTO(8, 1),  "mask_cpu:0x0003" },
        /* blocks */
        { "0-1",     { .how = "", .tasks = 4, .sockets = DEAL_BLOCK }, "mask_cpu:0x0001,0x0002,0x0004,0x0008" },
        { "0-7",     { .how = "", .tasks = 2, .sockets = DEAL_BLOCK }, "mask_cpu:0x00FF,0x00FF" },
        { "0-7",     { .how = "", .tasks = 8, .sockets = DEAL_BLOCK }, "mask_cpu:0x0003,0x000C,0x0030,0x00C0,0x0300,0x0C00,0x3000,0xC000" },
        { "0-7",     { .how = "sockets", .tasks = 9, .sockets = DEAL_BLOCK }, "mask_cpu:0x00FF,0x00FF,0x00FF,0x00FF,0x00FF,0x00FF,0x00FF,0x00FF,0xFF00" },
        /* each CPU of a task from the next socket; threads over cores */
        { "0-7",     { .how = "threads", .tasks = 2, .cpus_per_task = 2, .sockets = DEAL_FCYCLIC }, "mask_cpu:0x0101,0x0202" },
        { "0-1,4",   { .how = "threads", .tasks = 3, .cpus_per_task = 2, .sockets = DEAL_FCYCLIC }, "mask_cpu:0x0101,0x0202,0x000C" },
        { "0-7",     { .how = "cores", .tasks = 2, .cpus_per_task = 2, .sockets = DEAL_FCYCLIC }, "mask_cpu:0x0303,0x0C0C" },
        { "0-7",     { .how = "sockets", .tasks = 2, .cpus_per_task = 2, .sockets = DEAL_FCYCLIC }, "mask_cpu:0xFFFF,0xFFFF" },
        { "0-1",     { .how = "threads", .tasks = 4, .sockets = DEAL_BLOCK, .cores = DEAL_BLOCK }, "mask_cpu:0x0001,0x0002,0x0004,0x0008" },
        { "0-1",     { .how = "threads", .tasks = 4, .sockets = DEAL_BLOCK, .cores = DEAL_CYCLIC }, "mask_cpu:0x0001,0x0004,0x0002,0x0008" },
        { "0-1",     { .how = "threads", .tasks = 5, .cores = DEAL_CYCLIC }, "mask_cpu:0x0001,0x0004,0x0002,0x0008,0x0001" },
        { "0-3",     { .how = "threads", .tasks = 2, .cpus_per_task = 3, .sockets = DEAL_BLOCK, .cores = DEAL_CYCLIC }, "mask_cpu:0x0007,0x0070" },
        { "0-3",     { .how = "threads", .tasks = 2, .cpus_per_task = 2, .sockets = DEAL_BLOCK, .cores = DEAL_FCYCLIC }, "mask_cpu:0x0005,0x0050" },
        { "0-1,4-5", { .how = "threads", .tasks = 8, .cores = DEAL_CYCLIC }, "mask_cpu:0x0001,0x0100,0x0004,0x0400,0x0002,0x0200,0x0008,0x0800" },
        { "0-7",     { .how = "threads", .tasks = 2, .cpus_per_task = 4, .sockets = DEAL_FCYCLIC, .cores = DEAL_FCYCLIC }, "mask_cpu:0x0505,0x5050" },
        { "0-3",     { .how = "cores", .tasks = 4, .sockets = DEAL_BLOCK, .cores = DEAL_BLOCK }, "mask_cpu:0x0003,0x000C,0x0030,0x00C0" },
        { "0-1",     { .how = "cores", .tasks = 4, .sockets = DEAL_BLOCK, .cores = DEAL_BLOCK }, "mask_cpu:0x0003,0x0003,0x000C,0x000C" },
        { "0,4",     { .how = "cores", .tasks = 2, .cpus_per_task = 2, .sockets = DEAL_FCYCLIC }, "mask_cpu:0x0303,0x0303" },
        { "0-7",     { .how = "cores", .tasks = 4, .cpus_per_task = 4, .sockets = DEAL_FCYCLIC }, "mask_cpu:0x0303,0x0C0C,0x3030,0xC0C0" },
        { "0-7",     { .how = "threads", .tasks = 4, .sockets = DEAL_FCYCLIC }, "mask_cpu:0x0001,0x0100,0x0002,0x0200" },
        { "0-3",     { .how = "cores", .tasks = 4, .sockets = DEAL_BLOCK, .cores = DEAL_CYCLIC }, "mask_cpu:0x0003,0x000C,0x0030,0x00C0" },
        { "0-7",     { .how = "rank", .tasks = 3, .sockets = DEAL_FCYCLIC, .cores = DEAL_CYCLIC }, "rank" },
        /* as it is asked for */
        { "0,4",     HOW("none", 4, 1),    "none" },
        { "0-2",     HOW("ldoms", 2, 1),   "mask_cpu:0x000F,0x000F" },
        { "0-2,5",   HOW("ldoms", 3, 2),   "mask_cpu:0x000F,0x0C00,0x000F" },
        { "1-2",     HOW("ldoms", 1, 4),   "mask_cpu:0x003C" },
        { "0,4",     HOW("sockets", 3, 1), "mask_cpu:0x0003,0x0300,0x0003" },
        { "0-3",     HOW("sockets", 2, 4), "mask_cpu:0x00FF,0x00FF" },
        { "0",       HOW("cores", 2, 1),   "mask_cpu:0x0003,0x0003" },
        { "0,4",     HOW("cores", 4, 1),   "mask_cpu:0x0003,0x0300,0x0003,0x0300" },
        { "0-3",     HOW("cores", 2, 4),   "mask_cpu:0x000F,0x00F0" },
        { "0,4",     HOW("cores", 2, 2),   "mask_cpu:0x0003,0x0300" },
        { "0-7",     HOW("cores", 4, 3),   "mask_cpu:0x000F,0x0F00,0x00F0,0xF000" },
        { "0-7",     HOW("cores", 10, 1),  "mask_cpu:0x0003,0x0300,0x000C,0x0C00,0x0030,0x3000,0x00C0,0xC000,0x0003,0x0300" },
        { "0-7",     HOW("threads", 4, 3), "mask_cpu:0x0007,0x0700,0x0038,0x3800" },
        { "0,4",     HOW("threads", 3, 1), "mask_cpu:0x0001,0x0100,0x0002" },
        { "0",       HOW("threads", 3, 1), "mask_cpu:0x0001,0x0002,0x0001" },
        { "0",       HOW("threads", 1, 9), "mask_cpu:0x0003" },
        { "0-2",     HOW("threads", 2, 4), "mask_cpu:0x000F,0x0033" },
        { "0,4",     HOW("threads", 2, 3), "mask_cpu:0x0103,0x0301" },
        { "0-3",     { .how = "threads", .one_thread = true, .tasks = 2, .cpus_per_task = 2 }, "mask_cpu:0x0005,0x0050" },
        { "0-3",     HOW("cores", 2, 2),   "mask_cpu:0x000F,0x00F0" },
        /* autobind */
        { "0,4",     { .how = "", .otherwise = "threads", .tasks = 3 }, "mask_cpu:0x0001,0x0100,0x0002" },
        { "0,4",     { .how = "", .otherwise = "sockets", .tasks = 3 }, "mask_cpu:0x0003,0x0300,0x0003" },
        { "0",       { .how = "", .otherwise = "cores", .tasks = 2 },   "mask_cpu:0x0001,0x0002" },
};
/* clang-format on */

static void tasks_are_bound_as_slurm_does(void **state) {
        _cleanup_(cpu_map_freep) struct cpu_map *m = make_map();

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_(bitset_freep) struct bitset *have = cpu_map_cores(m, 8, rows[i].cores);
                struct bind_plan plan;
                assert_int_equal(bind_make(m, have, &rows[i].ask, &plan, NULL), 0);
                if (!streq(plan.how, rows[i].told))
                        fail_msg("row %zu, cores %s, %s, %zu tasks: %s instead of %s", i,
                                        rows[i].cores, rows[i].ask.how, rows[i].ask.tasks, plan.how,
                                        rows[i].told);
                bind_done(&plan);
        }
}

static void check_masks(const char *how, const char *first, const char *second, const char *told) {
        _cleanup_(cpu_map_freep) struct cpu_map *m = make_map();
        _cleanup_(bitset_freep) struct bitset *have = cpu_map_cores(m, 8, "0,4");
        struct bind_ask ask = { .how = how, .tasks = 2, .strict = true };
        struct bind_plan plan;

        assert_int_equal(bind_make(m, have, &ask, &plan, NULL), 0);
        assert_string_equal(plan.how, told);
        assert_string_equal(plan.masks[0], first);
        assert_string_equal(plan.masks[1 % plan.n], second);
        bind_done(&plan);
}

static void lists_are_told_as_given(void **state) {
        (void)state;
        check_masks("map_cpu:0,9", "0x0001", "0x0200", "map_cpu:0,9");
        check_masks("map_cpu:8", "0x0100", "0x0100", "map_cpu:8");
        check_masks("mask_cpu:0x300,0X3", "0x0300", "0x0003", "mask_cpu:300,3");
        check_masks("mask_cpu:0x", "0x0000", "0x0000", "mask_cpu:");
        check_masks("rank", "0x0001", "0x0002", "rank");
        check_masks("rank_ldom", "0x0003", "0x0300", "rank_ldom");
        check_masks("map_ldom:2,0", "0x0300", "0x0003", "map_ldom:2,0");
        check_masks("mask_ldom:0x5,4", "0x0303", "0x0300", "mask_ldom:5,4");
}

static void lists_stay_within_the_step(void **state) {
        static const char *const bad[] = {
                "map_cpu:0,2",
                "map_cpu:16",
                "mask_cpu:0x7",
                "mask_cpu:0x10001",
                "map_ldom:1",
                "map_ldom:4",
                "mask_ldom:0x11",
        };
        _cleanup_(cpu_map_freep) struct cpu_map *m = make_map();
        _cleanup_(bitset_freep) struct bitset *have = cpu_map_cores(m, 8, "0,4");

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct bind_ask ask = { .how = bad[i], .tasks = 2, .strict = true };
                struct bind_plan plan;
                struct fail fail = { 0 };
                assert_int_equal(bind_make(m, have, &ask, &plan, &fail), -EINVAL);
                assert_string_equal(fail.text,
                                "CPU binding outside of job step allocation, allocated CPUs are: 0x0303.");
                bind_done(&plan);
                ask.strict = false; /* what of it there is */
                assert_int_equal(bind_make(m, have, &ask, &plan, NULL), 0);
                bind_done(&plan);
        }
}

static void check_cores(uint32_t cores_of_node, const char *cores, const char *expected) {
        _cleanup_(cpu_map_freep) struct cpu_map *m = make_map();
        _cleanup_(bitset_freep) struct bitset *set = cpu_map_cores(m, cores_of_node, cores);
        _cleanup_free_ char *text = set ? bitset_text(set) : xstrdup("none");

        assert_string_equal(text, expected);
}

static void cores_of_slurm_conf_are_those_of_the_machine(void **state) {
        (void)state;
        check_cores(8, "1,4", "2-3,8-9");
        check_cores(4, "0-1", "0-3");
        check_cores(16, "1,4", "1,4"); /* CPUs=16 alone */
        check_cores(17, "0", "none");
        check_cores(8, "8", "none");
        check_cores(8, "", "none");
}

/* Its NUMA nodes 0 to 2 have memory, 3 has CPUs alone. */
static struct cpu_map *make_memory_map(void) {
        struct cpu_map *m = make_map();

        m->memory = bitset_new(3);
        for (size_t i = 0; i < 3; i++)
                bitset_add(m->memory, i);
        return m;
}

static char *memory_of_tasks(const char *how, const char *cores, const char *cpu_bind, size_t tasks,
                struct fail *fail) {
        _cleanup_(cpu_map_freep) struct cpu_map *m = make_memory_map();
        _cleanup_(bitset_freep) struct bitset *have = cpu_map_cores(m, 8, cores);
        struct bind_ask ask = { .how = cpu_bind, .tasks = tasks, .cpus_per_task = 1 };
        struct bind_plan cpus, plan;
        char *text = NULL;
        size_t size;

        assert_int_equal(bind_make(m, have, &ask, &cpus, NULL), 0);
        int r = bind_memory(m, have, &cpus, how, tasks, &plan, fail);
        FILE *out = open_memstream(&text, &size);
        for (size_t i = 0; r >= 0 && i < plan.n; i++)
                fprintf(out, "%s%s", i ? "," : "", plan.masks[i]);
        fclose(out);
        bind_done(&cpus);
        bind_done(&plan);
        return text;
}

static void memory_is_bound_to_numa_nodes(void **state) {
        static const struct {
                const char *how, *cores, *cpu_bind;
                size_t tasks;
                const char *masks;
        } list[] = {
                { "local", "0,4", "cores", 2, "0x1,0x4" }, { "local", "0-4", "none", 2, "0x7" },
                { "local", "6-7", "none", 2, "0x7" }, /* none of theirs: all */
                { "local", "3,7", "cores", 2, "0x2,0x7" },
                { "rank", "0", "none", 5, "0x1,0x2,0x4,0x1,0x2" },
                { "map_mem:2,0x1", "0", "none", 3, "0x4,0x2" },
                { "map_mem:0*2,1*99999", "0", "none", 4, "0x1,0x1,0x2,0x2" },
                { "mask_mem:0x5,3", "0", "none", 2, "0x5,0x3" },
                { "map_mem:0,1,9", "0", "none", 2, "0x1,0x2" }, /* there is no third task */
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(list); i++) {
                _cleanup_free_ char *masks = memory_of_tasks(list[i].how, list[i].cores,
                                list[i].cpu_bind, list[i].tasks, NULL);
                if (!streq(masks, list[i].masks))
                        fail_msg("%s: %s", list[i].how, masks);
        }
}

static void numa_nodes_that_are_not_there_are_refused(void **state) {
        static const char *const bad[] = { "map_mem:3", "map_mem:0,99", "mask_mem:0", "mask_mem:9",
                "mask_mem:10000", "map_mem:99999999999999999999" };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                struct fail fail = { 0 };
                _cleanup_free_ char *none = memory_of_tasks(bad[i], "0", "none", 2, &fail);
                if (*none || !strstr(fail.text, "is not of the NUMA nodes of this machine: 0-2"))
                        fail_msg("%s: %s, %s", bad[i], none, fail.text);
        }
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(tasks_are_bound_as_slurm_does),
                cmocka_unit_test(lists_are_told_as_given),
                cmocka_unit_test(lists_stay_within_the_step),
                cmocka_unit_test(cores_of_slurm_conf_are_those_of_the_machine),
                cmocka_unit_test(memory_is_bound_to_numa_nodes),
                cmocka_unit_test(numa_nodes_that_are_not_there_are_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
