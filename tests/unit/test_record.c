/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the store keeps must make the same cluster again: each job and node is written, read,
 * written again, and the two texts compared. */
#include "tests/unit/test.h"
#include "tests/unit/testcluster.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/node_deadline.h"
#include "controller/jobs/job_events.h"
#include "controller/model/energy.h"
#include "controller/nodes/node_events.h"
#include "controller/orders/clock.h"
#include "controller/records/record.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"

static const char conf[] =
                "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\nSelectType=select/cons_tres\n"
                "SelectTypeParameters=CR_Core\nPreemptType=preempt/partition_prio\n"
                "PreemptMode=SUSPEND,GANG\nReturnToService=2\n"
                "NodeName=n[1-4] CPUs=4 RealMemory=1000 Feature=a,b\n"
                "PartitionName=low Nodes=ALL Default=YES OverSubscribe=FORCE:1 PriorityTier=1\n"
                "PartitionName=high Nodes=ALL OverSubscribe=FORCE:1 PriorityTier=2\n";

#define T0 (1700000000 * USEC_PER_SEC)

static struct cluster *make_cluster(void) {
        return cluster_of(conf, T0);
}

static void register_all(struct cluster *c, usec_t now) {
        struct registration reg = { .version = "1",
                .arch = "x",
                .os = "y",
                .address = "127.0.0.1",
                .instance_id = "",
                .instance_type = "",
                .extra = "",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = now,
                .start_time = now };

        for (size_t i = 0; i < c->n_nodes; i++)
                assert_int_equal(node_register(c, c->nodes[i], &reg, now, NULL), 0);
        turn(c, now);
}

static struct job *submit(struct cluster *c, const char *partition, uint32_t nodes, usec_t now) {
        struct job_spec spec = { .name = (char *)(uintptr_t) "job",
                .partition = (char *)(uintptr_t)partition,
                .features = (char *)(uintptr_t) "a&b",
                .extra = (char *)(uintptr_t) "x=\"1\"",
                .batch = true,
                .min_nodes = nodes,
                .max_nodes = nodes,
                .time_limit = 600 * USEC_PER_SEC,
                .share = SHARE_NO };
        struct job *j = NULL;

        assert_int_equal(job_admit(c, &spec,
                                         &(struct submitter){ .uid = 1000,
                                                         .gid = 1000,
                                                         .user = "u",
                                                         .group = "g" },
                                         now, &j, NULL),
                        SLUMBER_OK);
        turn(c, now);
        return j;
}

static uint8_t *pack_job(const struct cluster *c, const struct job *j, size_t *ret_size) {
        struct job_message m;

        job_message_init(&m, c, j, RECORD_STORE | RECORD_ALLOC, 0);
        *ret_size = slumber__job__get_packed_size(&m.job);
        uint8_t *data = xmalloc(*ret_size);
        slumber__job__pack(&m.job, data);
        job_message_done(&m);
        return data;
}

static void round_trip(const struct cluster *from, const struct job *j, struct cluster *to,
                usec_t now) {
        struct fail fail = { 0 };
        size_t size, again;
        _cleanup_free_ uint8_t *data = pack_job(from, j, &size), *copy = NULL;
        Slumber__Job *m = slumber__job__unpack(NULL, size, data);

        assert_non_null(m);
        if (job_restore(to, m, now, &fail) < 0)
                fail_msg("%s", fail.text);
        slumber__job__free_unpacked(m, NULL);
        copy = pack_job(to, cluster_job(to, j->id), &again);
        assert_int_equal(size, again);
        assert_memory_equal(data, copy, size);
}

static void jobs_survive(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();
        struct job *jobs[4];

        (void)state;
        register_all(c, T0);
        jobs[0] = submit(c, "low", 2, T0 + 1); /* will be stopped */
        jobs[1] = submit(c, "low", 2, T0 + 2); /* runs */
        jobs[2] = submit(c, "low", 4, T0 + 3); /* waits */
        job_launched(c, jobs[0], NULL, T0 + 4);
        jobs[3] = submit(c, "high", 2, T0 + 5); /* takes the place of one */
        assert_int_equal(jobs[2]->state, JOB_PENDING);
        assert_int_equal(jobs[3]->state, JOB_RUNNING);
        assert_true(jobs[0]->state == JOB_SUSPENDED || jobs[1]->state == JOB_SUSPENDED);
        jobs[0]->stopping.asked_again = 3;
        jobs[1]->running.lost_launches = 2;
        for (size_t i = 0; i < ELEMENTSOF(jobs); i++)
                round_trip(c, jobs[i], copy, T0 + 6);
        assert_int_equal(cluster_job(copy, jobs[0]->id)->stopping.asked_again, 3);
        assert_int_equal(cluster_job(copy, jobs[1]->id)->running.lost_launches, 2);
        /* a pending job has none: what it is to have may change */
        for (size_t i = 0; i < ELEMENTSOF(jobs); i++)
                assert_int_equal(cluster_job(copy, jobs[i]->id)->placed.num_cpus,
                                jobs[i] == jobs[2] ? 0 : jobs[i]->placed.num_cpus);
        assert_int_equal(copy->n_queue, 1);
        assert_int_equal(copy->n_active, 3);
}

static void restore_node(const struct cluster *from, struct cluster *to, size_t i) {
        struct node_message m;

        node_message_init(&m, from, from->nodes[i]);
        node_restore(to, &m.node, T0 + 100 * USEC_PER_SEC);
        node_message_done(&m);
}

/* A kill comes when the job is stored, and its nodes are not. */
static void energy_goes_on_from_a_job_that_is_younger_than_its_node(void **state) {
        const usec_t begun = T0 + 10 * USEC_PER_SEC, now = T0 + 110 * USEC_PER_SEC;
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();

        (void)state;
        for (size_t i = 0; i < c->n_nodes; i++) {
                c->nodes[i]->figures[ENERGY_IDLE] = copy->nodes[i]->figures[ENERGY_IDLE] = 50000;
                c->nodes[i]->figures[ENERGY_ON] = copy->nodes[i]->figures[ENERGY_ON] = 100000;
        }
        register_all(c, T0);
        for (size_t i = 0; i < c->n_nodes; i++)
                restore_node(c, copy, i);
        struct job *j = submit(c, "low", 1, begun);
        job_launched(c, j, NULL, begun);
        assert_true(j->accounting.draws);
        assert_int_equal(energy_of_job(j, now), 100 * 100000);
        round_trip(c, j, copy, now - 1);
        assert_int_equal(energy_of_job(cluster_job(copy, j->id), now), 100 * 100000);
}

static void energy_is_shared_by_all_that_are_younger_than_their_node(void **state) {
        const usec_t begun = T0 + 10 * USEC_PER_SEC;
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct node *n = c->nodes[0];

        (void)state;
        n->power = NODE_ON;
        n->figures[ENERGY_IDLE] = 50000;
        n->figures[ENERGY_ON] = 100000;
        n->energy.at = n->energy_known = T0;
        struct job_node alloc[2] = { { .node = n, .cpus = 1 }, { .node = n, .cpus = 1 } };
        struct job jobs[2] = { 0 };
        for (size_t i = 0; i < 2; i++) {
                jobs[i].placed.alloc = &alloc[i];
                jobs[i].placed.n_alloc = 1;
                jobs[i].accounting.draws = true;
                jobs[i].running.resumed_at = begun;
                energy_job_restored(&jobs[i]);
        }
        assert_int_equal(n->sharing_cpus, 2);
}

static void preemptions_survive(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();
        struct job *jobs[2];

        (void)state;
        for (size_t i = 0; i < c->n_partitions; i++) {
                c->partitions[i]->preempt_mode = copy->partitions[i]
                                                                 ->preempt_mode = PREEMPT_REQUEUE;
                c->partitions[i]->grace_time = copy->partitions[i]->grace_time = 60;
        }
        register_all(c, T0);
        jobs[0] = submit(c, "low", 4, T0 + 1);
        job_launched(c, jobs[0], NULL, T0 + 2);
        jobs[1] = submit(c, "high", 2, T0 + 5);
        assert_int_equal(jobs[0]->state, JOB_RUNNING);
        assert_int_equal(jobs[0]->stopping.grace_end, T0 + 5 + 60 * USEC_PER_SEC);
        assert_int_equal(jobs[0]->running.end_time, jobs[0]->stopping.grace_end);
        assert_int_equal(jobs[0]->stopping.preemptor, jobs[1]->id);
        assert_int_equal(bitset_count(jobs[1]->claim.nodes), 4); /* the whole of what it has */
        for (size_t i = 0; i < ELEMENTSOF(jobs); i++)
                round_trip(c, jobs[i], copy, T0 + 6);
        const struct job *v = cluster_job(copy, jobs[0]->id);
        assert_int_equal(v->stopping.preempt_mode, PREEMPT_REQUEUE);
        assert_true(v->listed.armed && v->listed.armed <= v->stopping.grace_end);
        assert_int_equal(copy->n_claims, 1);
        assert_int_equal(bitset_count(copy->claims[0]->claim.nodes), 4);
        /* a job on its way out is not told twice */
        cluster_job_changed(c, jobs[1]);
        note(c, FACT_PASS_DUE);
        turn(c, T0 + 7);
        assert_int_equal(jobs[0]->stopping.preempt_time, T0 + 5);
        turn(c, T0 + 5 + 60 * USEC_PER_SEC);
        assert_int_equal(jobs[0]->state, JOB_PENDING);
        assert_true(jobs[0]->completing);
}

static void nodes_survive(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();

        (void)state;
        register_all(c, T0);
        assert_int_equal(node_admin(c, c->nodes[1], "DRAIN", "hot", 0, T0), SLUMBER_OK);
        assert_int_equal(node_admin(c, c->nodes[2], "DOWN", "dead", 0, T0), SLUMBER_OK);
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node_message m;
                node_message_init(&m, c, c->nodes[i]);
                node_restore(copy, &m.node, T0 + 1);
                node_message_done(&m);
                _cleanup_free_ char *was = node_state_text(c->nodes[i]),
                                    *is = node_state_text(copy->nodes[i]);
                /* what was up must first be heard of again */
                if (c->nodes[i]->base == NODE_IDLE)
                        assert_non_null(strstr(is, "NOT_RESPONDING"));
                else
                        assert_string_equal(was, is);
        }
        assert_string_equal(copy->nodes[1]->reason, "hot");
}

static void nodes_are_alike_until_a_list_would_tell_them_apart(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        struct node *a = c->nodes[0], *b = c->nodes[1];

        (void)state;
        register_all(c, T0);
        assert_true(nodes_alike(a, b));
        b->load_100 = 7;
        b->last_busy++;
        free_and_strdup(&b->address, "10.0.0.7");
        free_and_strdup(&b->comment, ""); /* as none */
        assert_true(nodes_alike(a, b));
        b->cpus_used = 1;
        assert_false(nodes_alike(a, b));
        b->cpus_used = 0;
        free_and_strdup(&b->comment, "new");
        assert_false(nodes_alike(a, b));
        free_and_strdup(&b->comment, "");
        assert_int_equal(node_admin(c, b, "DRAIN", "hot", 0, T0), SLUMBER_OK);
        assert_false(nodes_alike(a, b));
        assert_int_equal(node_admin(c, a, "DRAIN", "hot", 0, T0), SLUMBER_OK);
        assert_true(nodes_alike(a, b));
        a->reason_time++;
        assert_false(nodes_alike(a, b));
}

static void a_boot_is_measured_and_remembered(void **state) {
        struct registration reg = { .version = "1",
                .hardware = { 4, 1, 1, 4, 1, 1000, 0 },
                .boot_time = T0 + 20 * USEC_PER_SEC,
                .start_time = T0 + 20 * USEC_PER_SEC };
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();
        struct node *n = c->nodes[0];
        struct node_message m;

        assert_true(n->boot_took == 0);
        assert_int_equal(node_power_event(c, n, NODE_SUSPENDED, T0), 0);
        assert_int_equal(node_power_event(c, n, NODE_SETTLED, T0), 0);
        assert_int_equal(node_power_event(c, n, NODE_RESUMED, T0), 0);
        reg.hardware = n->configured;
        assert_int_equal(node_register(c, n, &reg, T0 + 33 * USEC_PER_SEC, NULL), 0);
        assert_true(n->boot_took == 33 * USEC_PER_SEC);
        node_record_init(&m, c, n);
        node_restore(copy, &m.node, T0 + 40 * USEC_PER_SEC);
        node_message_done(&m);
        assert_true(copy->nodes[0]->boot_took == 33 * USEC_PER_SEC);
        assert_true(node_boot_time(copy->nodes[0]) == 33 * USEC_PER_SEC);
        /* of the last twenty, 21 to 40 s, nineteen took no more than 39 */
        for (unsigned i = 1; i <= 40; i++)
                node_add_boot(copy->nodes[0], i * USEC_PER_SEC);
        assert_true(node_boot_time(copy->nodes[0]) == 39 * USEC_PER_SEC);
        reg.boot_time += 1000 * USEC_PER_SEC; /* a boot that was not asked for tells nothing */
        (void)node_register(c, n, &reg, T0 + 2000 * USEC_PER_SEC, NULL);
        assert_true(n->boot_took == 33 * USEC_PER_SEC);
}

static void a_request_in_the_future_does_not_hold_a_node_for_a_day(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();
        struct node_message m;

        (void)state;
        c->nodes[0]->power = NODE_POWERING_UP;
        c->nodes[0]->power_request = T0 + 86400 * USEC_PER_SEC;
        node_message_init(&m, c, c->nodes[0]);
        node_restore(copy, &m.node, T0);
        node_message_done(&m);
        assert_true(copy->nodes[0]->power_request == T0);
        assert_true(cluster_next_deadline(copy) <= T0 + copy->nodes[0]->resume_timeout);
}

static void a_record_of_strangers_is_refused_with_its_name(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        Slumber__Job m = SLUMBER__JOB__INIT;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        struct fail fail = { 0 };

        (void)state;
        m.id = 7;
        m.spec = &spec;
        m.partition = (char *)(uintptr_t) "gone";
        assert_int_equal(job_restore(c, &m, T0, &fail), -EINVAL);
        assert_string_equal(fail.text,
                        "JobId=7 is in partition gone, which is not configured any more");
        m.partition = (char *)(uintptr_t) "low";
        m.reason = REASON_MAX;
        assert_int_equal(job_restore(c, &m, T0, &fail), -EINVAL);
        assert_int_equal(c->known_jobs, 0);
}

static void a_job_whose_record_lacks_the_user_is_of_a_user_without_a_name(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        Slumber__Job m = SLUMBER__JOB__INIT;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        struct fail fail = { 0 };

        (void)state;
        m.id = 7;
        m.spec = &spec;
        m.partition = (char *)(uintptr_t) "low";
        assert_int_equal(job_restore(c, &m, T0, &fail), 0);
        assert_string_equal(cluster_job(c, 7)->user, "");
}

/* jobs[]: runs, waits for its begin, rests after a lost node. */
static void make_life(struct cluster *c, struct job *jobs[3]) {
        register_all(c, T0);
        c->nodes[3]->power = NODE_POWERING_UP;
        c->nodes[3]->power_request = T0 + 50;
        jobs[0] = submit(c, "low", 2, T0 + 1);
        job_launched(c, jobs[0], NULL, T0 + 2);
        jobs[1] = submit(c, "low", 1, T0 + 3);
        jobs[2] = submit(c, "low", 1, T0 + 4);
        jobs[1]->asked.begin_time = T0 + 5000 * USEC_PER_SEC;
        jobs[2]->waiting.not_before = T0 + 100 * USEC_PER_SEC;
}

static void a_begin_that_has_passed_is_no_expected_start(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        usec_t begin = T0 + 5000 * USEC_PER_SEC;
        struct job_message m;
        struct job *j;

        (void)state;
        register_all(c, T0);
        submit(c, "low", 1, T0 + 1);
        j = submit(c, "low", 4, T0 + 2);
        assert_int_equal(j->state, JOB_PENDING);
        j->asked.begin_time = begin;
        for (int passed = 0; passed < 2; passed++) {
                job_message_init(&m, c, j, 0, begin - !passed);
                assert_true(m.spec.begin_time == (passed ? 0 : begin));
                job_message_done(&m);
                job_message_init(&m, c, j, RECORD_STORE, begin);
                assert_true(m.spec.begin_time == begin);
                job_message_done(&m);
        }
}

static void a_waiting_job_needs_nodes_by_the_cpus_that_jobs_get(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                        "NodeName=n[1-2] CPUs=16 CoreSpecCount=2 Feature=a,b\n"
                        "PartitionName=low Nodes=ALL Default=YES\n",
                        T0);
        struct job *j = submit(c, "low", 1, T0 + 1);
        struct job_message m;

        (void)state;
        j->asked.min_nodes = j->asked.max_nodes = 0;
        j->asked.num_tasks = 16;
        job_message_init(&m, c, j, 0, T0 + 2);
        assert_int_equal(m.job.num_nodes, 2);
        job_message_done(&m);
        /* as Slurm 22.05 shows jobs that wait with -S0, -S2 and -S9 */
        static const uint32_t kept[] = { 0, 2, 9 }, nodes[] = { 1, 2, 3 };
        for (size_t i = 0; i < ELEMENTSOF(kept); i++) {
                j->asked.core_spec = kept[i] + 1;
                job_message_init(&m, c, j, 0, T0 + 2);
                assert_int_equal(m.job.num_nodes, nodes[i]);
                job_message_done(&m);
        }
}

/* Nodes of several kinds, as they are after a change of the partition. */
static void what_jobs_with_cores_kept_need_is_known_without_the_nodes(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nSlurmUser=root\n"
                        "NodeName=n1 CPUs=8 Feature=a,b\n"
                        "NodeName=n2 CPUs=12 Feature=a,b\n"
                        "NodeName=n3 Sockets=1 CoresPerSocket=5 ThreadsPerCore=4 Feature=a,b\n"
                        "PartitionName=low Nodes=ALL Default=YES\n",
                        T0);
        struct job *j = submit(c, "low", 1, T0 + 1);
        struct partition *p = j->partition;
        _cleanup_(bitset_freep) struct bitset *none = bitset_new(c->n_nodes);
        struct bitset *all = p->nodes;

        (void)state;
        j->asked.min_nodes = j->asked.max_nodes = 0;
        j->asked.num_tasks = 48;
        /* the most is that of n3, and of n2 where four cores are kept */
        static const struct {
                uint32_t cores, threads, n3, n2;
        } cases[] = { { 0, 0, 3, 4 }, { 1, 0, 3, 5 }, { 4, 0, 6, 6 }, { 0, 8, 4, 12 },
                { 0, 11, 6, 48 } };
        for (size_t i = 0; i < 2 * ELEMENTSOF(cases); i++) {
                bool first = i < ELEMENTSOF(cases);
                size_t k = i % ELEMENTSOF(cases);
                struct job_message m;

                if (i == ELEMENTSOF(cases)) {
                        bitset_del(all, 2);
                        cluster_partitions_changed(c, T0 + 2);
                }
                j->asked.core_spec = cases[k].threads ? 0 : cases[k].cores + 1;
                j->asked.thread_spec = cases[k].threads;
                p->nodes = none;
                job_message_init(&m, c, j, 0, T0 + 2);
                p->nodes = all;
                assert_int_equal(m.job.num_nodes, first ? cases[k].n3 : cases[k].n2);
                job_message_done(&m);
        }
}

static void after_a_set_clock_only_begin_times_stay(void **state) {
        static const int64_t by[] = {
                3 * 3600 * (int64_t)USEC_PER_SEC,
                -3 * 3600 * (int64_t)USEC_PER_SEC,
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(by); i++) {
                _cleanup_(cluster_freep) struct cluster *c = make_cluster(), *copy = make_cluster();
                usec_t now = T0 + 60, then = now + (usec_t)by[i];
                struct job *jobs[3];
                struct node_message nm;

                make_life(c, jobs);
                copy->clock_set = by[i];
                node_record_init(&nm, c, c->nodes[3]);
                node_restore(copy, &nm.node, then);
                node_message_done(&nm);
                assert_true(node_power_deadline(copy->nodes[3]) - then ==
                                node_power_deadline(c->nodes[3]) - now);
                for (size_t k = 0; k < 3; k++) {
                        size_t size;
                        _cleanup_free_ uint8_t *data = pack_job(c, jobs[k], &size);
                        Slumber__Job *m = slumber__job__unpack(NULL, size, data);
                        assert_int_equal(job_restore(copy, m, then, NULL), 0);
                        slumber__job__free_unpacked(m, NULL);
                }
                assert_true(job_time_up(cluster_job(copy, jobs[0]->id)) - then ==
                                job_time_up(jobs[0]) - now);
                assert_true(job_run_time(cluster_job(copy, jobs[0]->id), then) ==
                                job_run_time(jobs[0], now));
                assert_true(cluster_job(copy, jobs[1]->id)->asked.begin_time ==
                                jobs[1]->asked.begin_time);
                assert_true(cluster_job(copy, jobs[1]->id)->submit_time ==
                                jobs[1]->submit_time + (usec_t)by[i]);
                assert_true(cluster_job(copy, jobs[2]->id)->waiting.not_before - then ==
                                jobs[2]->waiting.not_before - now);
        }
}

static void what_a_running_cluster_waits_for_stays_as_far_away(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = make_cluster();
        int64_t by = -7200 * (int64_t)USEC_PER_SEC;
        usec_t now = T0 + 60, then = now + (usec_t)by, next;
        struct job *jobs[3];

        (void)state;
        make_life(c, jobs);
        next = cluster_next_deadline(c);
        assert_true(next != USEC_INFINITY);
        cluster_clock_set(c, by, then);
        assert_true(c->clock_set == by);
        assert_true(cluster_next_deadline(c) - then == next - now);
        assert_true(c->nodes[3]->power_request == T0 + 50 + (usec_t)by);
        assert_true(clock_moved(0, by) == 0);
        assert_true(clock_moved(NO_LIMIT, by) == NO_LIMIT);
        assert_true(clock_moved(5, by) == 1);
}

/* All partitions are told in one message. */
static void partitions_tell_their_own_select_params(void **state) {
        _cleanup_(cluster_freep) struct cluster *c = cluster_of(
                        "ClusterName=t\nSlurmctldHost=h\nNodeName=n1\n"
                        "PartitionName=a Nodes=n1 SelectTypeParameters=CR_Socket\n"
                        "PartitionName=b Nodes=n1\n",
                        T0);
        struct partition_message m[2];

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(m); i++)
                partition_message_init(&m[i], c, c->partitions[i]);
        assert_string_equal(m[0].partition.select_params, "CR_SOCKET");
        assert_string_equal(m[1].partition.select_params, "NONE");
        for (size_t i = 0; i < ELEMENTSOF(m); i++)
                partition_message_done(&m[i]);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(jobs_survive),
                cmocka_unit_test(energy_goes_on_from_a_job_that_is_younger_than_its_node),
                cmocka_unit_test(energy_is_shared_by_all_that_are_younger_than_their_node),
                cmocka_unit_test(preemptions_survive),
                cmocka_unit_test(nodes_survive),
                cmocka_unit_test(nodes_are_alike_until_a_list_would_tell_them_apart),
                cmocka_unit_test(a_boot_is_measured_and_remembered),
                cmocka_unit_test(a_request_in_the_future_does_not_hold_a_node_for_a_day),
                cmocka_unit_test(a_begin_that_has_passed_is_no_expected_start),
                cmocka_unit_test(after_a_set_clock_only_begin_times_stay),
                cmocka_unit_test(what_a_running_cluster_waits_for_stays_as_far_away),
                cmocka_unit_test(a_record_of_strangers_is_refused_with_its_name),
                cmocka_unit_test(a_job_whose_record_lacks_the_user_is_of_a_user_without_a_name),
                cmocka_unit_test(partitions_tell_their_own_select_params),
                cmocka_unit_test(what_jobs_with_cores_kept_need_is_known_without_the_nodes),
                cmocka_unit_test(a_waiting_job_needs_nodes_by_the_cpus_that_jobs_get),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
