/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lives [SEED [NODES [LIVES [shared]]]]: a cluster of CLOUD nodes, and an eighth of others that are
 * rebooted for the features that jobs ask for, every one through its life (woken, registered, used,
 * put to sleep) LIVES times, while at random a registration does not come or comes late, the
 * programs fail for a part, agents fall silent or veto, BMCs are read and lie, people press
 * switches and change what nodes boot, and the controller dies between any two writes: what a turn
 * changed is lost with it, or was written but not done, or was done and is done again.
 *
 * A round is: faults are rolled, jobs for the whole cluster come, five minutes pass; then faults
 * are mended, admins put nodes back, and within BOUND of virtual time every job has ended and every
 * node is asleep.  After every turn (of many nodes: after some) the rules of check.c hold, and no
 * node is switched off under a job.
 *
 * shared: jobs share nodes, some of them of several components, and parts of nodes are planned. */
#include "controller/jobs/job_events.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/node_events.h"
#include "controller/sched/sched.h"
#include "tests/scenario/restart.h"

#include <inttypes.h>

#define FAULTY (300 * USEC_PER_SEC)
#define BOUND  (3600 * USEC_PER_SEC)
#define STEP   (50 * USEC_PER_SEC)

#define STRANGER 5 /* the user that may have no node rebooted */

enum death { LIVES_ON, LOSES_TURN, LOSES_EFFECTS, DOES_ALL };

struct lives {
        struct world *w;
        struct records store;
        uint64_t seed, state;
        uint32_t *lived; /* per node */
        uint64_t deaths[DOES_ALL + 1], checks, faults, vetoes, readings, differ, reboots;
        enum death dies;
        unsigned turns_left; /* of the controller */
        unsigned check_every;
        bool mortal, shared;
        char *wrong;
};

static uint32_t roll(struct lives *x, uint32_t sides) { /* xorshift64* */
        x->state ^= x->state >> 12;
        x->state ^= x->state << 25;
        x->state ^= x->state >> 27;
        return (uint32_t)((x->state * 2685821657736338717u) >> 33) % sides;
}

static int64_t some_hours(struct lives *x) {
        return ((int64_t)roll(x, 40000) - 20000) * (int64_t)USEC_PER_SEC;
}

static void live_on(struct lives *x) {
        x->dies = LIVES_ON;
        x->turns_left = 1 + roll(x, (uint32_t)(3 * x->w->c->n_nodes));
}

/* No allocated node is switched off; and a woken node lives once more. */
static void look_at_programs(struct lives *x) {
        const struct cluster *c = x->w->c;

        for (size_t k = 0; k < c->effects.n; k++) {
                const struct effect *fx = &c->effects.list[k];
                x->reboots += fx->kind == FX_REBOOT;
                if (fx->kind != FX_SUSPEND && fx->kind != FX_RESUME)
                        continue;
                bitset_for_each(i, fx->nodes) {
                        if (fx->kind == FX_RESUME)
                                x->lived[i]++;
                        else if (c->nodes[i]->n_jobs && !x->wrong)
                                x->wrong = xasprintf("%s is switched off under job %u",
                                                c->nodes[i]->name, c->nodes[i]->jobs[0]->id);
                }
        }
}

static bool on_commit(struct world *w, void *user) {
        struct lives *x = user;

        if (x->mortal && --x->turns_left == 0)
                x->dies = LOSES_TURN + roll(x, 3);
        if (x->dies == LOSES_TURN)
                return false;
        records_commit(&x->store, w);
        if (x->dies != LOSES_EFFECTS)
                look_at_programs(x);
        return x->dies != LOSES_EFFECTS;
}

static void check(struct lives *x) {
        if (x->wrong || x->w->turns % x->check_every)
                return;
        x->checks++;
        x->wrong = world_check(x->w);
}

static void on_turn(struct world *w, void *user) {
        struct lives *x = user;

        check(x);
        if (x->dies == LIVES_ON)
                return;
        x->deaths[x->dies]++;
        live_on(x);
        records_restart(&x->store, w, roll(x, 4) ? 0 : some_hours(x));
        if (!x->wrong) /* before anything has happened: no node is left without a deadline */
                world_turn(w);
        if (!x->wrong)
                x->wrong = world_check(w);
}

/* ---- a round ---- */

static void roll_faults(struct lives *x) {
        static const unsigned faults[] = { FAULT_NEVER_REGISTERS, FAULT_IGNORES_ON,
                FAULT_IGNORES_OFF, FAULT_LAUNCH_FAILS, FAULT_NEVER_ANSWERS, FAULT_LOW_MEMORY,
                FAULT_UNKILLABLE, FAULT_KEEPS_IMAGE };

        x->w->delays[DELAY_SUSPEND] = roll(x, 3) ? 0 : roll(x, 150) * USEC_PER_SEC;
        x->w->delays[DELAY_RESUME] = roll(x, 3) ? 0 : roll(x, 150) * USEC_PER_SEC;
        for (size_t i = 0; i < x->w->c->n_nodes; i++) {
                struct agent *a = &x->w->agents[i];
                a->faults = roll(x, 12) ? 0 : faults[roll(x, ELEMENTSOF(faults))];
                a->late = roll(x, 10) ? 0 : roll(x, 90) * USEC_PER_SEC;
                x->faults += a->faults || a->late;
        }
}

static struct job_spec some_spec(struct lives *x, uint32_t nodes, const char *features) {
        struct job_spec spec = { .batch = true,
                .name = (char *)(uintptr_t) "life",
                .min_nodes = nodes,
                .max_nodes = nodes,
                .num_tasks = nodes,
                .time_limit = 600 * USEC_PER_SEC,
                .features = (char *)(uintptr_t)features };

        if (x->shared) {
                spec.num_tasks = nodes * (1 + roll(x, 4));
                spec.mem_per_node = roll(x, 2) ? 0 : 100 + roll(x, 800);
                spec.mem_per_cpu = spec.mem_per_node ? 0 : 50 + roll(x, 200);
                spec.share = roll(x, 8) ? SHARE_OK : SHARE_NO;
        }
        return spec;
}

/* A component more, on one node. */
static void submit_het(struct lives *x, const struct job_spec *first, const struct submitter *who) {
        struct job_spec specs[2] = { *first, some_spec(x, 1, NULL) };
        usec_t runs = (1 + roll(x, 100)) * USEC_PER_SEC;
        struct job *of[2];
        struct fail why;
        size_t at;

        if (het_admit(x->w->c, specs, 2, who, x->w->now, of, &at, &why) != SLUMBER_OK)
                return;
        for (size_t i = 0; i < 2; i++)
                world_plan(x->w, of[i]->id, runs, 0);
}

static void submit(struct lives *x, uint32_t nodes, const char *features) {
        struct job_spec spec = some_spec(x, nodes, features);
        static const char *const licenses[] = {
                NULL,
                NULL,
                NULL,
                NULL,
                "matlab",
                "ansys|matlab:2",
        };
        struct fail why;
        struct job *j;

        spec.licenses = (char *)(uintptr_t)licenses[roll(x, ELEMENTSOF(licenses))];
        const struct submitter who = { .uid = 1 + roll(x, 5), .gid = 1, .user = "u", .group = "g" };
        if (x->shared && nodes < x->w->c->n_nodes && roll(x, 6) == 0)
                submit_het(x, &spec, &who);
        else if (job_admit(x->w->c, &spec, &who, x->w->now, &j, &why) == SLUMBER_OK)
                world_plan(x->w, j->id, (1 + roll(x, 100)) * USEC_PER_SEC, 0);
}

static void submit_all(struct lives *x) {
        static const char *const features[] = { "f1", "f2", "f1|f2" };

        for (uint32_t left = (uint32_t)x->w->c->n_nodes; left;) {
                uint32_t n = 1 + roll(x, roll(x, 10) ? 8 : 64);
                n = MIN(n, left);
                submit(x, n, NULL);
                left -= n;
        }
        for (size_t i = 0; i < 2 + x->w->c->n_nodes / 16; i++)
                submit(x, 1 + roll(x, 2), features[roll(x, ELEMENTSOF(features))]);
        world_turn(x->w);
}

/* Time that has really passed. */
static usec_t lived(const struct lives *x) {
        return x->w->now - x->w->start;
}

/* Its agent says no for a while, or its BMC is read: the truth, or (a lie) the opposite of it. */
static void trouble(struct lives *x) {
        size_t node = roll(x, (uint32_t)x->w->c->n_nodes);
        struct agent *a = &x->w->agents[node];

        switch (roll(x, 6)) {
        case 5:
                if (a->image)
                        free_and_strdup(&a->image, roll(x, 2) ? "f1" : "f2");
                break;
        case 0:
                world_veto(x->w, node, a->veto ? NULL : "a user is logged in");
                x->vetoes++;
                break;
        case 1:
                a->faults ^= FAULT_BMC_LIES;
                break;
        case 2:
                x->readings++;
                x->differ += world_observe(x->w, node, x->w->now) != AUDIT_AGREES;
                break;
        case 4:
                if (roll(x, 10) == 0 && node_admin(x->w->c, x->w->c->nodes[node], "DRAIN", "look",
                                                        0, x->w->now) == SLUMBER_OK)
                        (void)node_resume_after(x->w->c, x->w->c->nodes[node],
                                        (1 + roll(x, 100)) * USEC_PER_SEC, x->w->now);
                break;
        case 3:
                if (roll(x, 20) == 0)
                        world_power(x->w, node, !a->power); /* a person's hand on the switch */
                break;
        }
}

/* For a while: agents restart, lines break and are mended. */
static void disturb(struct lives *x) {
        usec_t end = lived(x) + FAULTY;

        while (lived(x) < end && !x->wrong) {
                for (size_t k = 0; k < 1 + x->w->c->n_nodes / 50; k++) {
                        size_t node = roll(x, (uint32_t)x->w->c->n_nodes);
                        if (roll(x, 2))
                                world_restart_agent(x->w, node);
                        else
                                world_connect(x->w, node, !x->w->agents[node].cut);
                        trouble(x);
                }
                world_turn(x->w);
                world_advance(x->w, x->w->now + (1 + roll(x, 10)) * USEC_PER_SEC);
        }
}

static void mend(struct lives *x) {
        for (size_t i = 0; i < x->w->c->n_nodes; i++) {
                struct agent *a = &x->w->agents[i];
                a->faults = 0;
                a->late = 0;
                world_connect(x->w, i, false);
                world_veto(x->w, i, NULL);
                if (a->power && !a->up) { /* hangs in its boot */
                        a->power = false;
                        a->epoch++;
                }
        }
        world_turn(x->w);
}

/* As the controller does every audit_interval; no BMC lies any more. */
static void audit_all(struct lives *x) {
        for (size_t i = 0; i < x->w->c->n_nodes; i++) {
                x->readings++;
                x->differ += world_observe(x->w, i, x->w->now) != AUDIT_AGREES;
        }
        world_turn(x->w);
}

/* No node would ever be rebooted for it. */
static bool may_wait_for_ever(const struct job *j) {
        return j->needs.features && j->uid == STRANGER;
}

/* Admins: nodes that are out of service are put back, jobs that were held are let go, those that
   may wait for ever are cancelled, a stray machine is switched off. */
static void tidy_up(struct lives *x) {
        struct cluster *c = x->w->c;

        for (size_t i = 0; i < c->n_nodes; i++) {
                if (c->nodes[i]->base == NODE_DOWN || c->nodes[i]->flags & (NODE_DRAIN | NODE_FAIL))
                        (void)node_admin(c, c->nodes[i], "RESUME", NULL, 0, x->w->now);
                /* it lost its power under us */
                if (c->nodes[i]->power == NODE_ON && !x->w->agents[i].power)
                        world_power(x->w, i, true);
        }
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && c->jobs[i].job->state == JOB_PENDING &&
                                may_wait_for_ever(c->jobs[i].job))
                        (void)job_cancel(c, c->jobs[i].job, 0, x->w->now);
                else if (c->jobs[i].job && c->jobs[i].job->state == JOB_PENDING &&
                                job_is_held(c->jobs[i].job))
                        (void)job_release(c, c->jobs[i].job, true, x->w->now);
        world_turn(x->w);
}

static bool all_asleep(const struct world *w) {
        return bitset_count(w->c->power[NODE_POWERED_DOWN]) == w->c->n_nodes;
}

static void settle(struct lives *x) {
        usec_t end = lived(x) + BOUND;
        char *why = NULL;

        do {
                free(why);
                tidy_up(x);
                audit_all(x);
                world_advance(x->w, x->w->now + STEP);
                why = world_check_settled(x->w);
        } while ((why || !all_asleep(x->w)) && lived(x) < end && !x->wrong);
        if (lived(x) >= end && !x->wrong)
                x->wrong = why ? TAKE(why)
                               : xasprintf("%zu of %zu nodes sleep",
                                                 bitset_count(x->w->c->power[NODE_POWERED_DOWN]),
                                                 x->w->c->n_nodes);
        free(why);
}

/* How often the node that has lived least often has. */
static uint32_t fewest(const struct lives *x) {
        uint32_t least = UINT32_MAX;

        for (size_t i = 0; i < x->w->c->n_nodes; i++)
                least = MIN(least, x->lived[i]);
        return least;
}

static int start(struct lives *x, unsigned nodes) {
        unsigned rebooted = MAX(2u, nodes / 8);
        _cleanup_free_ char *conf = xasprintf(
                        "ClusterName=lives\nSlurmctldHost=localhost\nSlurmUser=root\nStateSaveLocation=/tmp/lives\n"
                        "%sLicenses=matlab:%u,ansys:%u\nMaxJobCount=1000000\nMinJobAge=300\nSlurmdTimeout=100\n"
                        "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nResumeFailProgram=/bin/true\n"
                        "SuspendTime=60\nSuspendTimeout=20\nResumeTimeout=60\nSuspendRate=0\nResumeRate=0\n"
                        "KillWait=10\nUnkillableStepTimeout=20\n"
                        "RebootProgram=/bin/true\n"
                        "NodeName=n[1-%u] CPUs=4 RealMemory=1000 State=CLOUD\n"
                        "NodeName=n[%u-%u] CPUs=4 RealMemory=1000 Feature=f1,f2\nPartitionName=all Default=YES Nodes=ALL\n",
                        x->shared ? "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nyaml plan_whole_nodes: no\n"
                                  : "SelectType=select/linear\n",
                        MAX(5u, nodes / 12), MAX(2u, nodes / 30), nodes - rebooted,
                        nodes - rebooted + 1, nodes);
        struct fail fail = { 0 };
        int r = world_new(conf, &x->w, &fail);

        if (r >= 0)
                r = world_helpers(x->w,
                                "Feature=f1,f2 Helper=/bin/true\nMutuallyExclusive=f1,f2\nAllowUserBoot=1,2,3,4\n",
                                &fail);
        for (unsigned i = nodes - rebooted; r >= 0 && i < nodes; i++)
                x->w->agents[i].image = xstrdup(i % 2 ? "f1" : "f2");

        if (r < 0)
                fprintf(stderr, "lives: %s\n", fail.text);
        return r;
}

static void print(const char *line, void *user) {
        (void)user;
        printf("%s\n", line);
}

int main(int argc, char **argv) {
        struct lives x = { .seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1 };
        unsigned nodes = argc > 2 ? (unsigned)atoi(argv[2]) : 60;
        uint32_t lives = argc > 3 ? (uint32_t)atoi(argv[3]) : 5, rounds = 0;

        if (argc > 4 && !streq(argv[4], "shared")) {
                fprintf(stderr, "lives: \"%s\" is not shared\n", argv[4]);
                return 2;
        }
        x.shared = argc > 4;
        x.state = x.seed * 7919 + 1;
        if (start(&x, nodes) < 0)
                return 1;
        x.lived = xnew0(uint32_t, nodes);
        x.check_every = 1 + nodes * nodes / 5000;
        x.w->has_bmcs = true;
        x.w->commit = on_commit;
        x.w->after_turn = on_turn;
        x.w->user = &x;
        if (getenv("LIVES_LOUD")) {
                x.w->tell = print;
                x.w->loud |= UINT64_C(1) << FX_LOG;
        } else {
                x.w->tell_agents = false;
        }
        live_on(&x);
        world_turn(x.w);
        for (; !x.wrong && fewest(&x) < lives && rounds < 3 * lives + 10; rounds++) {
                if (rounds && rounds % 10 == 0 && lives > 10)
                        fprintf(stderr, "lives: %u rounds, every node has lived %u of %u times\n",
                                        rounds, fewest(&x), lives);
                x.mortal = true;
                roll_faults(&x);
                submit_all(&x);
                disturb(&x);
                mend(&x);
                settle(&x);
        }
        if (!x.wrong && fewest(&x) < lives)
                x.wrong = xstrdup("some nodes are never woken");
        printf("seed %" PRIu64 ": %u nodes, %u rounds, %" PRIu64 " turns, %u jobs, %" PRIu64
               " faults, %" PRIu64 "+%" PRIu64 "+%" PRIu64 " deaths of the controller, %" PRIu64
               " vetoes, %" PRIu64 " BMC readings (%" PRIu64 " differ), %" PRIu64
               " reboots, %" PRIu64 " checks, %.0f s of virtual time\n",
                        x.seed, nodes, rounds, x.w->turns, x.w->c->next_job_id - 1, x.faults,
                        x.deaths[LOSES_TURN], x.deaths[LOSES_EFFECTS], x.deaths[DOES_ALL], x.vetoes,
                        x.readings, x.differ, x.reboots, x.checks,
                        (double)lived(&x) / USEC_PER_SEC);
        bool good = !x.wrong;
        if (!good)
                fprintf(stderr, "lives: seed %" PRIu64 ", round %u: %s\n", x.seed, rounds, x.wrong);
        free(x.wrong);
        free(x.lived);
        records_done(&x.store);
        world_free(x.w);
        return good ? 0 : 1;
}
