/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The victims that preempt_place() chooses, in thousands of random clusters: only eligible ones,
 * none that is not needed, and nearly always as few as any choice could do with; found by trying
 * all of them. */
#include "controller/accounts/qos.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/job_events.h"
#include "controller/preempt/preempt.h"
#include "controller/preempt/preempt_known.h"
#include "controller/sched/sched.h"
#include "controller/turn/turn.h"
#include "tests/scenario/world.h"
#include "tests/unit/test.h"

#define CASES 2000

static uint32_t roll(uint64_t *seed, uint32_t n) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        return (uint32_t)(*seed >> 33) % n;
}

static const char conf[] =
                "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n"
                "PreemptMode=SUSPEND,GANG\nPreemptType=preempt/partition_prio\n%s"
                "NodeName=n[1-5] CPUs=4 RealMemory=1000\n"
                "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\n"
                "PartitionName=low PriorityTier=1 Default=YES\n"
                "PartitionName=ends PriorityTier=2 PreemptMode=REQUEUE\n"
                "PartitionName=off PriorityTier=1 PreemptMode=OFF\n"
                "PartitionName=equal PriorityTier=3\n"
                "PartitionName=high PriorityTier=3\n";

static struct job *ask(struct world *w, const char *partition, uint64_t *seed, bool submit) {
        struct job_spec spec = { .batch = true, .partition = (char *)(uintptr_t)partition };
        const struct submitter submitter = { .uid = 1, .gid = 1, .user = "u", .group = "g" };
        struct job *j = NULL;

        spec.min_nodes = spec.max_nodes = 1 + roll(seed, roll(seed, 3) ? 2 : 4);
        spec.num_tasks = spec.min_nodes * (1 + roll(seed, 4));
        spec.tasks_set = true;
        spec.mem_per_node = 50 + roll(seed, 10) * 50;
        spec.share = roll(seed, 6) ? SHARE_OK : SHARE_NO;
        (void)(submit ? job_admit(w->c, &spec, &submitter, w->now, &j, NULL)
                      : job_check(w->c, &spec, &submitter, w->now, &j, NULL));
        return j;
}

static struct world *crowd(const char *more, uint64_t *seed) {
        static const char *const partitions[] = {
                "low",
                "low",
                "low",
                "ends",
                "ends",
                "off",
                "equal",
        };
        _cleanup_free_ char *text = xasprintf(conf, more);
        struct world *w = NULL;
        struct fail fail = { 0 };

        if (world_new(text, &w, &fail) < 0)
                fail_msg("%s", fail.text);
        world_advance(w, w->now);
        for (uint32_t n = 4 + roll(seed, 14); n > 0; n--) {
                (void)ask(w, partitions[roll(seed, ELEMENTSOF(partitions))], seed, true);
                turn(w->c, w->now);
                world_advance(w, w->now + (1 + roll(seed, 100)) * USEC_PER_SEC);
        }
        return w;
}

static bool is_victim(const struct job *v, const struct preemption *p) {
        for (size_t i = 0; i < p->where.n_victims; i++)
                if (p->where.victims[i] == v)
                        return true;
        return false;
}

/* Would j have a place if these, and those that are suspended or leaving, made room? */
static bool would_do(struct cluster *c, const struct job *j, struct job *const *victims, size_t n,
                unsigned which, bool ends) {
        _cleanup_(bitset_freep) struct bitset *gone = bitset_new(c->n_active),
                                              *lent = bitset_new(c->n_active);
        const struct yield of = { .gone = gone, .lent = lent };
        struct placement p = { 0 };

        for (size_t i = 0; i < c->n_active; i++) {
                const struct job *v = c->active[i];
                if (job_is_gang_stopped(v) &&
                                v->partition->priority_tier < j->partition->priority_tier)
                        bitset_add(lent, i);
                if (ends && v->completing)
                        bitset_add(gone, i);
        }
        for (size_t i = 0; i < n; i++)
                if (which & 1u << i)
                        bitset_add(preempt_mode_of(c, victims[i]) == PREEMPT_SUSPEND ? lent : gone,
                                        victims[i]->listed.queue_at);
        int r = place_instead(c, j, c->schedulable, (struct period){ 0 }, &of, &of, NULL, &p);
        placement_done(&p);
        return r >= 0;
}

/* The fewest that are enough, of all that may be stopped. */
static size_t fewest(struct cluster *c, const struct job *j, bool ends, usec_t now) {
        struct job *victims[16];
        size_t n = 0, best = SIZE_MAX;

        for (size_t i = 0; i < c->n_active && n < ELEMENTSOF(victims); i++) {
                enum preempt_mode mode = preempt_all_or_none(c, j, &c->active[i], 1, now);
                if (mode != PREEMPT_OFF && (ends || mode == PREEMPT_SUSPEND))
                        victims[n++] = c->active[i];
        }
        for (unsigned which = 0; which < 1u << n; which++)
                if ((size_t)__builtin_popcount(which) < best &&
                                would_do(c, j, victims, n, which, ends))
                        best = (size_t)__builtin_popcount(which);
        return best;
}

static void check_choice(struct world *w, struct job *j, const struct preemption *p, int r) {
        struct job *victims[16];
        bool ends = false;

        for (size_t i = 0; i < p->where.n_victims; i++) {
                struct job *v = p->where.victims[i];
                enum preempt_mode mode = preempt_mode_of(w->c, v);
                assert_true(v->partition->priority_tier < j->partition->priority_tier);
                assert_string_not_equal(v->partition->name, "off");
                assert_true(v->state == JOB_RUNNING || mode != PREEMPT_SUSPEND);
                ends |= mode != PREEMPT_SUSPEND;
                victims[i] = v;
        }
        assert_int_equal(ends, r == -EINPROGRESS); /* at once if all are suspended, else later */
        unsigned all = (1u << p->where.n_victims) - 1;
        assert_true(would_do(w->c, j, victims, p->where.n_victims, all, p->ends));
        for (size_t i = 0; i < p->where.n_victims; i++)
                assert_false(would_do(w->c, j, victims, p->where.n_victims, all & ~(1u << i),
                                p->ends));
}

/* Nothing is promised twice: memory, or units but those of jobs that are to be suspended. */
static void check_place(const struct world *w, const struct preemption *p) {
        for (size_t i = 0; i < p->where.n_alloc; i++) {
                const struct job_node *jn = &p->where.alloc[i];
                uint64_t memory = jn->memory;
                for (size_t k = 0; k < jn->node->n_jobs; k++) {
                        const struct job *v = jn->node->jobs[k];
                        const struct job_node *vn = job_node_find(v, jn->node);
                        bool out = is_victim(v, p),
                             goes = p->ends &&
                                    ((out && preempt_mode_of(w->c, v) != PREEMPT_SUSPEND) ||
                                                    v->completing);
                        memory += goes ? 0 : vn->memory;
                        for (size_t u = 0; u < jn->node->units; u++)
                                if (bitset_has(p->where.units, jn->units_at + u) &&
                                                bitset_has(v->placed.units, vn->units_at + u))
                                        assert_true(out || goes || job_is_gang_stopped(v));
                }
                assert_true(memory <= jn->node->configured.memory);
        }
}

static void fewest_victims(void **state) {
        size_t asked = 0, stopped = 0, best = 0;

        (void)state;
        for (uint64_t n = 1; n <= CASES; n++) {
                uint64_t seed = n * 7919;
                struct world *w = crowd("", &seed);
                _cleanup_(job_freep) struct job *j = ask(w, "high", &seed, false);
                struct placement free_place = { 0 };
                struct preemption p;
                bool waits = j &&
                             place(w->c, j, w->c->schedulable,
                                             (struct period){ .from = w->now, .until = w->now },
                                             PLACE_FREE, &free_place) < 0;
                placement_done(&free_place);
                if (waits) {
                        _cleanup_(preempt_known_freep) struct preempt_known
                                        *known = preempt_known_new(w->c);
                        int r = preempt_place(w->c, j, w->c->schedulable,
                                        (struct period){ .from = w->now, .until = w->now }, false,
                                        known, &p);
                        asked++;
                        if (r == 0 || p.ends) {
                                check_choice(w, j, &p, r);
                                check_place(w, &p);
                                size_t least = fewest(w->c, j, p.ends, w->now);
                                assert_true(p.where.n_victims >= least);
                                stopped += p.where.n_victims > 0;
                                best += p.where.n_victims > 0 && p.where.n_victims == least;
                        } else if (r == -EBUSY) {
                                bool leaving = false; /* then it may only have to wait */
                                for (size_t i = 0; i < w->c->n_active; i++)
                                        leaving |= w->c->active[i]->completing;
                                assert_int_equal(fewest(w->c, j, !leaving, w->now), SIZE_MAX);
                        }
                        preemption_done(&p);
                }
                world_free(w);
        }
        print_message("%zu asked, %zu had victims, %zu of them the fewest possible\n", asked,
                        stopped, best);
        assert_true(stopped > CASES / 10);
        assert_true(best * 100 >= stopped * 97);
}

/* ---- preempt/qos ---- */

static struct qos quality(uint32_t id, uint32_t priority) {
        struct qos q = {
                .id = id,
                .priority = priority,
                .preempt_mode = PREEMPT_UNSET,
                .preempt_exempt_time = TIME_UNSET,
        };

        return q;
}

/* n whole-node jobs; now. */
static void crowd_in(struct world *w, const char *partition, size_t n) {
        const struct job_spec spec = {
                .batch = true,
                .partition = (char *)(uintptr_t)partition,
                .min_nodes = 1,
                .num_tasks = 8,
                .requeue = 1,
        };
        struct job *j;

        for (size_t i = 0; i < n; i++)
                (void)job_admit(w->c, &spec,
                                &(struct submitter){ .uid = 1,
                                                .gid = 1,
                                                .user = "u",
                                                .group = "g" },
                                w->now, &j, NULL);
}

/* Turns until nothing is left to do at once; in each of them no more is looked at than the budget,
   what one job may look at more, and a job that has started was before those that have not. */
static size_t turns_in_slices(struct world *w, uint32_t first) {
        size_t n = 0;

        do {
                uint64_t looked = w->c->slices.looked;
                bool waits = false;
                turn(w->c, w->now);
                effects_done(&w->c->effects);
                assert_true(w->c->slices.looked - looked < LOOKS_MAX + 100000);
                for (uint32_t id = first; cluster_job(w->c, id); id++) {
                        bool starts = cluster_job(w->c, id)->state == JOB_RUNNING;
                        assert_false(starts && waits);
                        waits |= !starts;
                }
                n++;
        } while (cluster_next_deadline(w->c) <= w->now);
        return n;
}

static void many_preemptors_take_many_turns(void **state) {
        struct world *w = NULL;
        struct fail fail = { 0 };

        (void)state;
        if (world_new("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                      "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
                      "PreemptMode=SUSPEND,GANG\nPreemptType=preempt/partition_prio\nNodeName=n[1-2000] CPUs=8 RealMemory=1000\n"
                      "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\nPartitionName=low PriorityTier=1 Default=YES\n"
                      "PartitionName=high PriorityTier=2\n",
                            &w, &fail) < 0)
                fail_msg("%s", fail.text);
        w->answering = true;
        world_advance(w, w->now);
        w->answering = false;
        crowd_in(w, "low", 2000);
        (void)turns_in_slices(w, 1);
        assert_int_equal(w->c->n_active, 2000);
        crowd_in(w, "high", 300);
        assert_true(turns_in_slices(w, 2001) > 2);
        assert_int_equal(w->c->n_active, 2300);
        assert_int_equal(w->c->n_queue, 0);
        assert_false(w->c->slices.pass || w->c->slices.plan_put_off);
        size_t stopped = 0;
        for (uint32_t id = 1; id <= 2000; id++)
                stopped += job_is_gang_stopped(cluster_job(w->c, id));
        assert_int_equal(stopped, 300);
        world_free(w);
}

static void add(struct world *w, size_t n, const char *features, uint32_t tasks, uint64_t memory) {
        const struct job_spec spec = { .batch = true,
                .account = (char *)(uintptr_t) "team",
                .features = (char *)(uintptr_t)features,
                .min_nodes = 1,
                .max_nodes = 1,
                .num_tasks = tasks,
                .tasks_set = true,
                .mem_per_node = memory };
        const struct submitter submitter = { .uid = 1, .gid = 1, .user = "u", .group = "g" };
        struct job *j;

        for (size_t i = 0; i < n; i++)
                assert_int_equal(job_admit(w->c, &spec, &submitter, w->now, &j, NULL), SLUMBER_OK);
}

/* A thousand nodes of which half is in use, so that they are looked at in vain for a job that wants
   much memory, and 400 more; the jobs' account has that limit. */
static struct world *half_full(const char *limit, const char *others) {
        _cleanup_free_ char *conf_text = xasprintf(
                        "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nAccountingStorageEnforce=limits\n"
                        "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=300\nSuspendRate=0\nResumeRate=0\n"
                        "NodeName=n[1-1000] CPUs=8 RealMemory=1000 Feature=f\nNodeName=o[1-400] CPUs=8 RealMemory=1000 %s\n"
                        "PartitionName=p Nodes=ALL Default=YES\n",
                        others);
        _cleanup_free_ char *account = xasprintf("add account team %s", limit);
        struct world *w = NULL;
        struct fail fail = { 0 };

        if (world_new(conf_text, &w, &fail) < 0 || world_sacctmgr_line(w, account, &fail) < 0 ||
                        world_sacctmgr_line(w, "add user u account=team", &fail) < 0)
                fail_msg("%s", fail.text);
        w->answering = true;
        world_advance(w, w->now);
        w->answering = false;
        add(w, 1000, NULL, 4, 600);
        (void)turns_in_slices(w, 1);
        assert_int_equal(w->c->n_active, 1000);
        return w;
}

/* Turns until the pass is through, and what they cost; comes: each time something that may let a
   job start. */
static uint64_t slices_cost(struct world *w, bool comes, size_t *ret_turns) {
        uint64_t before = w->c->slices.looked;

        *ret_turns = 0;
        do {
                if (comes)
                        note(w->c, FACT_PASS_DUE);
                sched_pass(w->c, w->now, false);
                assert_true(++*ret_turns < 1000);
        } while (w->c->slices.pass);
        return w->c->slices.looked - before;
}

static void pass_without_starts_is_cut(void **state) {
        struct world *w = half_full("", "");
        uint64_t before = w->c->slices.looked, once;
        size_t turns;

        (void)state;
        for (uint64_t i = 1; i <= 300; i++) /* each asks for something else, and delays none */
                add(w, 1, "f", 1, 500 + i);
        sched_pass(w->c, w->now, true);
        once = w->c->slices.looked - before;
        assert_true(once > 5 * LOOKS_MAX);
        note(w->c, FACT_PASS_DUE);
        assert_in_range(slices_cost(w, false, &turns), once - once / 100, once + once / 100);
        assert_in_range(turns, once / LOOKS_MAX, once / LOOKS_MAX + 1);
        /* it comes to its end though it begins anew each time */
        assert_true(slices_cost(w, true, &turns) < 3 * once);
        assert_true(turns < 10);
        world_free(w);
}

/* A job before those that the pass has yet to look at has its nodes before them. */
static void pass_restarts_for_new_jobs(void **state) {
        struct world *w = half_full("", "");

        (void)state;
        for (size_t i = 0; i < 300; i++)
                add(w, 1, "f", 1, 500 + i);
        add(w, 400, NULL, 8, 1000);
        sched_pass(w->c, w->now, false);
        assert_non_null(w->c->slices.pass);
        struct job *last = w->c->queue[w->c->n_queue - 1]->job;
        add(w, 1, NULL, 8, 1000);
        struct job *first = w->c->queue[w->c->n_queue - 1]->job;
        assert_ptr_not_equal(first, last);
        cluster_queue_remove(w->c, first);
        first->priority = UINT32_MAX;
        cluster_queue_insert(w->c, first);
        assert_ptr_equal(w->c->queue[0]->job, first);
        while (follows(w->c, FOLLOW_PASS) || w->c->slices.pass)
                sched_pass(w->c, w->now, false);
        assert_int_equal(first->state, JOB_RUNNING);
        assert_int_equal(last->state, JOB_PENDING);
        world_free(w);
}

static void many_turns_do_not_begin_anew_for_each_start(void **state) {
        struct world *w = half_full("", "");
        uint64_t before = w->c->slices.looked, once;
        size_t turns = 0;

        (void)state;
        for (uint64_t i = 1; i <= 100; i++) /* each asks for something else, and delays none */
                add(w, 1, "f", 1, 500 + i);
        sched_pass(w->c, w->now, true);
        once = w->c->slices.looked - before;
        assert_true(once > LOOKS_MAX);
        add(w, 100, NULL, 1, 100);
        for (before = w->c->slices.looked; w->c->n_active < 1100; turns++) {
                assert_true(turns < 10);
                turn(w->c, w->now);
                effects_done(&w->c->effects);
        }
        assert_true(w->c->slices.looked - before < 5 * once);
        world_free(w);
}

/* No node is put to sleep while the pass is not through. */
static bool turn_wakes(struct world *w) {
        bool wakes = false;

        turn(w->c, w->now += 30 * USEC_PER_MSEC);
        for (size_t i = 0; i < w->c->effects.n; i++) {
                wakes |= w->c->effects.list[i].kind == FX_RESUME;
                assert_false(w->c->slices.pass && w->c->effects.list[i].kind == FX_SUSPEND);
        }
        effects_done(&w->c->effects);
        return wakes;
}

static void nodes_are_woken_before_the_last_of_many_turns(void **state) {
        struct world *w = half_full("", "State=CLOUD");
        size_t turns = 1;

        (void)state;
        add(w, 400, NULL, 1, 1000);
        while (!turn_wakes(w))
                turns++;
        assert_true(w->c->slices.pass);
        assert_true(turns < 10);
        world_free(w);
}

static void awaited_pass_is_not_cut(void **state) {
        struct world *w = half_full("", "");

        (void)state;
        add(w, 400, NULL, 1, 1000);
        sched_pass(w->c, w->now, false);
        assert_true(w->c->slices.pass);
        sched_pass(w->c, w->now, true);
        assert_false(w->c->slices.pass);
        assert_int_equal(w->c->n_queue, 0);
        world_free(w);
}

/* ... than one of them asks for. */
static void plans_are_looked_through_when_a_start_leaves_less(void **state) {
        struct world *w = half_full("grpjobs=1402", "");

        (void)state;
        add(w, 400, NULL, 1, 1000);
        (void)turns_in_slices(w, 5000);
        add(w, 3, NULL, 1, 1000);
        (void)turns_in_slices(w, 5000);
        assert_int_equal(w->c->n_active, 1400);
        struct job *planned = w->c->queue[0]->job;
        assert_non_null(planned->waiting.plan);
        uint64_t as_of = w->c->plans_as_of;
        add(w, 1, NULL, 1, 100);
        (void)turns_in_slices(w, 5000);
        assert_int_equal(w->c->n_active, 1401);
        assert_int_equal(w->c->plans_as_of, as_of);
        assert_non_null(planned->waiting.plan);
        add(w, 1, NULL, 1, 100);
        (void)turns_in_slices(w, 5000);
        assert_int_equal(w->c->n_active, 1402);
        assert_int_not_equal(w->c->plans_as_of, as_of);
        assert_null(planned->waiting.plan);
        world_free(w);
}

static void qos_rules_preemption(void **state) {
        uint64_t seed = 1;
        struct fail fail = { 0 };
        struct world *w = NULL;
        struct qos high = quality(40, 10), low = quality(41, 1), part = quality(42, 1);

        (void)state;
        if (world_new("ClusterName=t\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/t\n"
                      "PreemptMode=CANCEL\nPreemptType=preempt/qos\nPreemptExemptTime=1\n"
                      "NodeName=n[1-5] CPUs=4 RealMemory=1000\nPartitionName=low Nodes=ALL GraceTime=9\n",
                            &w, &fail) < 0)
                fail_msg("%s", fail.text);
        world_advance(w, w->now);
        struct job *v = ask(w, "low", &seed, true);
        turn(w->c, w->now);
        assert_int_equal(v->state, JOB_RUNNING);
        _cleanup_(job_freep) struct job *j = ask(w, "low", &seed, false);
        j->priority = v->priority;
        struct qos *usual = v->accounting.qos, *usual_j = j->accounting.qos;

        v->accounting.qos = &low;
        j->accounting.qos = NULL;
        assert_false(preempt_is_possible(w->c, j));
        assert_false(preempt_allowed(w->c, j, v));
        j->accounting.qos = &high;
        assert_false(preempt_is_possible(w->c, j));
        assert_false(preempt_allowed(w->c, j, v));
        qos_set_preempt(&high, low.id, true);
        assert_true(preempt_is_possible(w->c, j));
        assert_true(preempt_allowed(w->c, j, v));
        assert_int_equal(preempt_mode_of(w->c, v), PREEMPT_CANCEL);

        low.preempt_mode = PREEMPT_PRIORITY | PREEMPT_REQUEUE; /* priority must be higher */
        assert_false(preempt_allowed(w->c, j, v));
        assert_int_equal(preempt_mode_of(w->c, v), PREEMPT_REQUEUE);
        j->priority = v->priority + 1;
        assert_true(preempt_allowed(w->c, j, v));
        low.preempt_mode = PREEMPT_OFF;
        assert_int_equal(preempt_mode_of(w->c, v), PREEMPT_OFF);

        j->accounting.qos = &low; /* its own kind */
        low.preempt_mode = PREEMPT_UNSET;
        assert_false(preempt_allowed(w->c, j, v));
        low.preempt_mode = PREEMPT_WITHIN;
        assert_true(preempt_is_possible(w->c, j));
        assert_true(preempt_allowed(w->c, j, v));
        assert_int_equal(preempt_mode_of(w->c, v), PREEMPT_CANCEL); /* in the way of the cluster */
        j->priority = v->priority;
        assert_false(preempt_allowed(w->c, j, v));

        assert_int_equal(preempt_grace(w->c, NULL, v), 0); /* not the partition's */
        low.grace_time = 30;
        assert_int_equal(preempt_grace(w->c, NULL, v), 30 * USEC_PER_SEC);
        assert_int_equal(preempt_eligible_time(w->c, v), v->running.start_time + 60 * USEC_PER_SEC);
        low.preempt_exempt_time = 7;
        assert_int_equal(preempt_eligible_time(w->c, v), v->running.start_time + 7);
        part.preempt_exempt_time = 5;
        v->partition->qos = &part;
        assert_int_equal(preempt_eligible_time(w->c, v), v->running.start_time + 5);
        low.flags = QOS_OVER_PART_QOS;
        assert_int_equal(preempt_eligible_time(w->c, v), v->running.start_time + 7);

        v->partition->qos = NULL;
        v->accounting.qos = usual;
        j->accounting.qos = usual_j;
        bitset_free(high.preempt);
        world_free(w);
}

/* ---- heterogeneous jobs ---- */

static void all_parts_or_none(void **state) {
        uint64_t seed = 1;
        struct world *w = crowd("", &seed);
        struct cluster *c = w->c;
        struct job *j = ask(w, "high", &seed, false);
        struct job low = { .id = 1,
                .state = JOB_RUNNING,
                .partition = cluster_partition(c, "low") },
                   ends = low, cancels = low, off = low;
        struct partition cancel = *cluster_partition(c, "ends");
        usec_t now = w->now;

        (void)state;
        cancel.preempt_mode = PREEMPT_CANCEL;
        ends.partition = cluster_partition(c, "ends");
        cancels.partition = &cancel;
        off.partition = cluster_partition(c, "off");
        assert_int_equal(preempt_all_or_none(c, j, (struct job *[]){ &cancels }, 1, now),
                        PREEMPT_CANCEL);
        assert_int_equal(preempt_all_or_none(c, j, (struct job *[]){ &cancels, &ends }, 2, now),
                        PREEMPT_REQUEUE);
        assert_int_equal(preempt_all_or_none(c, j, (struct job *[]){ &ends, &cancels }, 2, now),
                        PREEMPT_REQUEUE);
        assert_int_equal(preempt_all_or_none(c, j, (struct job *[]){ &ends, &low, &cancels }, 3,
                                         now),
                        PREEMPT_SUSPEND);
        assert_int_equal(preempt_all_or_none(c, j, (struct job *[]){ &ends, &off, &cancels }, 3,
                                         now),
                        PREEMPT_OFF);
        job_free(j);
        world_free(w);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(many_preemptors_take_many_turns),
                cmocka_unit_test(pass_without_starts_is_cut),
                cmocka_unit_test(pass_restarts_for_new_jobs),
                cmocka_unit_test(many_turns_do_not_begin_anew_for_each_start),
                cmocka_unit_test(nodes_are_woken_before_the_last_of_many_turns),
                cmocka_unit_test(awaited_pass_is_not_cut),
                cmocka_unit_test(plans_are_looked_through_when_a_start_leaves_less),
                cmocka_unit_test(qos_rules_preemption),
                cmocka_unit_test(all_parts_or_none),
                cmocka_unit_test(fewest_victims),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
