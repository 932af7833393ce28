/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What place() answers besides where (the stories show that): its outcomes, and that it changes
   nothing. */
#include "controller/jobs/job_events.h"
#include "controller/preempt/preempt.h"
#include "controller/preempt/preempt_known.h"
#include "controller/sched/place/place.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

static struct world *make(void) {
        struct world *w = NULL;
        struct fail fail = { 0 };

        assert_int_equal(
                        world_new("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                                  "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
                                  "PreemptMode=SUSPEND,GANG\nPreemptType=preempt/partition_prio\n"
                                  "NodeName=n[1-4] CPUs=4 RealMemory=1000\n"
                                  "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\n"
                                  "PartitionName=low PriorityTier=1 Default=YES\n"
                                  "PartitionName=high PriorityTier=2\n",
                                        &w, &fail),
                        0);
        world_advance(w, w->now);
        return w;
}

static struct job *admit(struct world *w, const char *partition, uint32_t nodes, uint32_t tasks) {
        struct job_spec spec = { .batch = true,
                .partition = (char *)(uintptr_t)partition,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = tasks,
                .mem_per_node = 10 };
        struct job *j = NULL;

        assert_int_equal(job_admit(w->c, &spec,
                                         &(struct submitter){ .uid = 1,
                                                         .gid = 1,
                                                         .user = "u",
                                                         .group = "g" },
                                         w->now, &j, NULL),
                        SLUMBER_OK);
        return j;
}

static void tasks_fill_node_after_node(void **state) {
        struct world *w = make();
        struct job *j = admit(w, "low", 4, 10);
        struct placement p = { 0 };

        assert_int_equal(place(w->c, j, w->c->schedulable,
                                         (struct period){ .from = w->now, .until = w->now },
                                         PLACE_FREE, &p),
                        0);
        assert_int_equal(p.n_alloc, 4);
        assert_int_equal(p.alloc[0].cpus, 4);
        assert_int_equal(p.alloc[1].cpus, 4);
        assert_int_equal(p.alloc[2].cpus, 1);
        assert_int_equal(p.alloc[3].cpus, 1);
        assert_int_equal(p.num_cpus, 10);
        assert_int_equal(bitset_count(p.units), 10);
        assert_int_equal(p.alloc[3].units_at, 12);
        assert_int_equal(p.alloc[0].memory, 10);
        placement_done(&p);
        world_free(w);
}

static void busy_is_not_never(void **state) {
        struct world *w = make();
        struct job *first = admit(w, "low", 4, 16), *second;
        _cleanup_(bitset_freep) struct bitset *one = bitset_new(4);
        struct placement p = { 0 };

        turn(w->c, w->now);
        assert_int_equal(first->state, JOB_RUNNING);
        second = admit(w, "low", 2, 2);
        assert_int_equal(place(w->c, second, w->c->schedulable,
                                         (struct period){ .from = w->now, .until = w->now },
                                         PLACE_FREE, &p),
                        -EBUSY);
        bitset_add(one, 0);
        assert_int_equal(place(w->c, second, one,
                                         (struct period){ .from = w->now, .until = w->now },
                                         PLACE_FREE, &p),
                        -ENOENT);
        assert_int_equal(place(w->c, second, w->c->schedulable,
                                         (struct period){ .from = w->now, .until = w->now },
                                         PLACE_EVER, &p),
                        0);
        placement_done(&p);
        world_free(w);
}

static void a_victim_is_named_once_and_nothing_changes(void **state) {
        struct world *w = make();
        _cleanup_(preempt_known_freep) struct preempt_known *known = preempt_known_new(w->c);
        struct job *victim = admit(w, "low", 4, 16), *j;
        struct preemption p;

        turn(w->c, w->now);
        j = admit(w, "high", 3, 12);
        assert_int_equal(preempt_place(w->c, j, w->c->schedulable,
                                         (struct period){ .from = w->now, .until = w->now }, false,
                                         known, &p),
                        0);
        assert_int_equal(p.where.n_victims, 1);
        assert_ptr_equal(p.where.victims[0], victim);
        assert_int_equal(victim->state, JOB_RUNNING);
        assert_int_equal(j->state, JOB_PENDING);
        assert_int_equal(w->c->nodes[0]->n_jobs, 1);
        preemption_done(&p);
        world_free(w);
}

static void free_units_are_taken_before_a_victims(void **state) {
        struct world *w = make();
        _cleanup_(preempt_known_freep) struct preempt_known *known = preempt_known_new(w->c);
        struct preemption p;
        struct job *j;

        admit(w, "low", 1, 2);
        turn(w->c, w->now);
        j = admit(w, "high", 1, 2);
        assert_int_equal(preempt_place(w->c, j, w->c->schedulable,
                                         (struct period){ .from = w->now, .until = w->now }, false,
                                         known, &p),
                        0);
        assert_int_equal(p.where.n_victims, 0);
        preemption_done(&p);
        world_free(w);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(tasks_fill_node_after_node),
                cmocka_unit_test(busy_is_not_never),
                cmocka_unit_test(a_victim_is_named_once_and_nothing_changes),
                cmocka_unit_test(free_units_are_taken_before_a_victims),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
