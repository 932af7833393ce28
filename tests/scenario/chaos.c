/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chaos [FIRST-SEED [SEEDS [EVENTS [WORD...]]]]: a few hundred nodes, and everything that can
 * happen to them, at random but repeatable by its seed; each WORD of mix_words adds to what can
 * happen. After every event the rules of check.c must hold; at the end faults are mended and all
 * that is left must come to its end by itself, within BOUND of virtual time.  A seed that fails is
 * told and the next one begins; exit code 1 where one failed, 2 for an argument that is none. */
#include "controller/accounts/assoc.h"
#include "controller/accounts/qos.h"
#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/reservation_life.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/outcome.h"
#include "controller/nodes/reboot.h"
#include "controller/sched/sched.h"
#include "controller/updates/reservation_edit.h"
#include "lib/timetext.h"
#include "tests/scenario/world.h"

#include <inttypes.h>

/* Hundreds of jobs of up to half an hour each, which may be sent back five times; four hours is the
   longest that it took in some thousand runs: ten tasks of an array that all need half of the
   nodes, one after the other. */
#define BOUND (8 * 3600 * USEC_PER_SEC)

struct chaos {
        struct world *w;
        uint64_t seed, state;
        uint64_t event;
        char *wrong;
        bool loud, reserves, updates, gpus, dynamic, hooks, hets, hres, parts;
};

/* xorshift64*.  No two of them in one list of arguments or values: which comes first there is the
   compiler's choice, and a seed is to mean the same in each build. */
static uint32_t roll(struct chaos *x, uint32_t sides) {
        x->state ^= x->state >> 12;
        x->state ^= x->state << 25;
        x->state ^= x->state >> 27;
        return (uint32_t)((x->state * 2685821657736338717u) >> 33) % sides;
}

static const char *pick(struct chaos *x, const char *const *words, size_t n) {
        return words[roll(x, (uint32_t)n)];
}

static size_t some_node(struct chaos *x) {
        return roll(x, (uint32_t)x->w->c->n_nodes);
}

static struct job *some_job(struct chaos *x) {
        struct cluster *c = x->w->c;

        if (c->n_active && roll(x, 3))
                return c->active[roll(x, (uint32_t)c->n_active)];
        return c->n_jobs ? c->jobs[roll(x, (uint32_t)c->n_jobs)].job : NULL;
}

/* ---- accounts ---- */

/* What there is in each run, and what mend() takes away: limits that a job might wait for for
   ever. */
static const char *const account_lines[] = {
        "add qos few grpjobs=9 maxjobspu=4 maxjobspa=6 grptres=cpu=60,gres/gpu=6,license/matlab=5 maxjobsaccruepu=3",
        "add qos dear usagefactor=2 maxtrespu=cpu=40 grptresrunmins=cpu=20000 flags=UsageFactorSafe,NoReserve",
        "add qos high priority=100 preempt=normal,few,dear gracetime=20",
        "add account physics qos=normal,high,few,dear grpjobsaccrue=50",
        "add account theory parent=physics grptres=cpu=90,node=30,gres/gpu:a=5 maxtrespj=cpu=60 maxjobsaccrue=5",
        "add account chem maxjobs=12 qos=normal,few,dear",
        "add user alice,bob account=theory,physics",
        "add user carol,bob account=chem fairshare=3 priority=10",
};
static const char *const mending[] = {
        "modify qos few set grpjobs=-1 maxjobspu=-1 maxjobspa=-1 grptres=-1",
        "modify qos dear set maxtrespu=-1 grptresrunmins=-1",
        "modify qos high set maxtrespj=-1 maxwall=-1 grpjobs=-1 flags=-1",
        "modify account theory set grptres=-1 maxtrespj=-1",
        "modify account chem set maxjobs=-1",
        "modify user where account=chem set maxjobs=-1 maxsubmit=-1",
};
/* What may change while jobs are there; others may not be allowed just then. */
static const char *const changes[] = {
        "modify qos high set maxtrespj=cpu=4 grpjobs=3",
        "modify qos high set maxtrespj=-1 grpjobs=-1 maxwall=-1",
        "modify qos high set maxwall=20 flags=DenyOnLimit,NoReserve",
        "modify qos high set preempt-=dear",
        "modify qos high set preempt+=dear",
        "modify qos dear set usagefactor=3",
        "modify qos dear set usagefactor=0.5",
        "modify account chem set parent=physics",
        "modify account chem set parent=root",
        "modify account chem set maxjobs=2",
        "modify user where account=chem set maxjobs=5 maxsubmit=20",
        "modify user alice set defaultqos=few",
        "modify user alice set defaultqos=-1",
        "delete user carol",
        "add user carol account=chem",
        "delete qos gone",
        "add qos gone maxjobs=1",
        "modify account theory set qos+=gone",
        "modify account theory set maxjobsaccrue=1",
        "modify account theory set maxjobsaccrue=-1",
        "modify qos normal set preemptmode=requeue",
        "modify qos normal set preemptmode=cluster",
        "modify qos few set preemptmode=cancel gracetime=30",
        "modify qos few set preemptmode=within,requeue gracetime=0",
        "modify qos dear set preemptmode=suspend",
        "modify qos dear set preemptmode=off",
};
static const char *const users[] = { "alice", "alice", "bob", "carol", "dora" };
static const char *const accounts[] = { "physics", "theory", "theory", "chem", "nope" };
static const char *const qos[] = { "normal", "high", "few", "few", "dear", "gone" };

static void do_lines(struct chaos *x, const char *const *lines, size_t n) {
        for (size_t i = 0; i < n; i++) {
                struct fail fail = { 0 };
                int r = world_sacctmgr_line(x->w, lines[i], &fail);
                if (r < 0 && !x->wrong)
                        x->wrong = xasprintf("sacctmgr %s: %s", lines[i], fail.text);
        }
}

static void change_accounts(struct chaos *x) {
        (void)world_sacctmgr_line(x->w, pick(x, changes, ELEMENTSOF(changes)), NULL);
}

/* Limits that no change touches, and that no QOS has where an association has them, or the other
   way round. */
static char *beyond_limits(const struct cluster *c) {
        const struct qos *few = qos_find(&c->acct, "few");
        const struct assoc *theory = assoc_find(&c->acct, "theory", NULL, NULL);

        if (!(c->config->enforce & ENFORCE_LIMITS) || !few ||
                        few->limits.count[LIMIT_GRP_JOBS] != 9)
                return NULL;
        if (few->all.running > 9 || few->all.used.of[TRES_CPU] > 60)
                return xasprintf("QOS few runs %u jobs on %llu CPUs", few->all.running,
                                (unsigned long long)few->all.used.of[TRES_CPU]);
        int gpu = tres_find(&c->acct.tres, "gres/gpu"),
            matlab = tres_find(&c->acct.tres, "license/matlab"),
            a = tres_find(&c->acct.tres, "gres/gpu:a");
        if (few->all.used.of[gpu] > 6 || few->all.used.of[matlab] > 5 ||
                        theory->used.used.of[a] > 5)
                return xasprintf(
                                "QOS few has %llu GPUs and %llu of matlab, account theory %llu of type a",
                                (unsigned long long)few->all.used.of[gpu],
                                (unsigned long long)few->all.used.of[matlab],
                                (unsigned long long)theory->used.used.of[a]);
        for (size_t i = 0; i < few->n_users; i++)
                if (few->users[i]->running > 4)
                        return xasprintf("%s runs %u jobs in QOS few", few->users[i]->key,
                                        few->users[i]->running);
        if (theory->used.used.of[TRES_NODE] > 30)
                return xasprintf("account theory has %llu nodes",
                                (unsigned long long)theory->used.used.of[TRES_NODE]);
        return NULL;
}

/* ---- what may happen ---- */

static char *some_tasks(struct chaos *x) {
        uint32_t first = roll(x, 3), last = 3 + roll(x, 8), step = 1 + roll(x, 3);

        return xasprintf("%u-%u:%u%s", first, last, step, roll(x, 2) ? "%4" : "");
}

static char *some_dependency(struct chaos *x, const struct job *on) {
        static const char *const kinds[] = {
                "after",
                "afterany",
                "afterok",
                "afternotok",
                "aftercorr",
        };

        if (roll(x, 8) == 0)
                return xstrdup("singleton");
        const char *kind = pick(x, kinds, ELEMENTSOF(kinds));
        return xasprintf("%s:%u%s", kind, on->array ? on->array->id : on->id,
                        roll(x, 3) ? "" : "?afternotok:7");
}

static void tell_of(const struct job_spec *s, uint32_t id) {
        printf("submit %u -p %s -A %s -q %s -N%u -n%u -c%u --mem=%llu --mem-per-cpu=%llu -C %s -w %s -x %s --gres=%s --gpus-per-task=%s --gpus=%s binding %d -L %s "
               "--array=%s -d %s -t %llus share %d\n",
                        id, strempty(s->partition), strempty(s->account), strempty(s->qos),
                        s->min_nodes, s->num_tasks, s->cpus_per_task,
                        (unsigned long long)s->mem_per_node, (unsigned long long)s->mem_per_cpu,
                        strempty(s->features), strempty(s->req_nodes), strempty(s->exc_nodes),
                        strempty(s->tres_per_node), strempty(s->tres_per_task),
                        strempty(s->tres_per_job), (int)s->gres_binding, strempty(s->licenses),
                        strempty(s->array), strempty(s->dependency),
                        (unsigned long long)(s->time_limit / USEC_PER_SEC), (int)s->share);
}

static void ask_for_types(struct chaos *x, struct job_spec *spec) {
        static const char *const types[] = {
                "gpu:a:1,gpu:b:1",
                "gpu:a:3,gpu:b:1",
                "gpu:a:2,gpu:b:5",
                "gpu:a:12,gpu:b:4",
                "gpu:b:9",
        };

        spec->tres_per_job = (char *)(uintptr_t)pick(x, types, ELEMENTSOF(types));
        spec->tres_per_task = NULL;
        spec->tres_per_node = roll(x, 6) ? NULL : (char *)(uintptr_t) "disk:3";
        spec->cpus_per_gpu = roll(x, 5) ? 0 : 1 + roll(x, 2);
        if (roll(x, 3) == 0)
                spec->min_nodes = spec->max_nodes = 1 + roll(x, 4);
        if (roll(x, 4) == 0)
                spec->max_nodes += roll(x, 4);
}

/* So many components at most. */
#define COMPONENTS 4

/* The first asks for first; the others are smaller, and elsewhere. */
static void submit_het(struct chaos *x, const struct job_spec *first,
                const struct submitter *submitter) {
        static const char *const parts[] = { "low", "mid", "high", "whole", "rows", "both" };
        struct job_spec specs[COMPONENTS];
        struct job *of[COMPONENTS];
        struct fail why;
        size_t n = 2 + roll(x, COMPONENTS - 1), at;
        usec_t runs = (1 + roll(x, 200)) * USEC_PER_SEC;

        for (size_t i = 0; i < n; i++) {
                specs[i] = *first;
                specs[i].array = NULL;
                if (i == 0)
                        continue;
                specs[i].partition = (char *)(uintptr_t)pick(x, parts, ELEMENTSOF(parts));
                specs[i].licenses = specs[i].req_nodes = specs[i].tres_per_job = NULL;
                specs[i].min_nodes = specs[i].max_nodes = 1 + roll(x, 3);
                specs[i].num_tasks = roll(x, 3) ? 0 : specs[i].min_nodes * (1 + roll(x, 4));
                specs[i].time_limit = (10 + roll(x, 3000)) * USEC_PER_SEC;
        }
        if (het_admit(x->w->c, specs, n, submitter, x->w->now, of, &at, &why) != SLUMBER_OK)
                return;
        for (size_t i = 0; i < n; i++) {
                if (x->loud)
                        tell_of(&specs[i], of[i]->id);
                world_plan(x->w, of[i]->id, runs, 0);
        }
}

static void submit(struct chaos *x) {
        static const char *const parts[] = {
                "low",
                "low",
                "low",
                "mid",
                "high",
                "whole",
                "rows",
                "rows",
                "both",
                "once",
        };
        static const char *const features[] = { "fast", "fast&big", "fast|slow",
                "(fast|slow)&big" };
        static const char *const gres[] = {
                "gpu:1",
                "gpu:2,disk:1",
                "gpu:a:1",
                "gpu:b:2",
                "disk:2",
        };
        static const char *const licenses[] = {
                "matlab",
                "matlab:4,ansys",
                "ansys:2",
                "ansys:3|matlab:2",
        };
        static const char *const hres[] = {
                "natural",
                "natural:7,matlab",
                "flat:2",
                "flat,power:full",
                "power:2",
                "power,natural:2,flat",
        };
        struct job_spec spec = { .batch = roll(x, 10) > 0, .name = (char *)(uintptr_t) "job" };
        _cleanup_free_ char *req = NULL, *exc = NULL, *dep = NULL, *array = NULL;
        const struct job *other;
        struct fail why;
        struct job *j;

        spec.partition = (char *)(uintptr_t)pick(x, parts, ELEMENTSOF(parts));
        spec.min_nodes = spec.max_nodes = roll(x, 8) ? 1 + roll(x, 3) : 1 + roll(x, 20);
        spec.num_tasks = roll(x, 3) ? 0 : spec.min_nodes * (1 + roll(x, 4));
        spec.cpus_per_task = roll(x, 4) ? 0 : 1 + roll(x, 4);
        spec.mem_per_node = roll(x, 4) ? 100 + roll(x, 400) : 0;
        if (roll(x, 4) == 0) /* no room for two of them */
                spec.mem_per_node = 550 + roll(x, 300);
        spec.mem_per_cpu = spec.mem_per_node == 0 ? 10 + roll(x, 100) : 0;
        uint32_t user = roll(x, ELEMENTSOF(users));
        const struct submitter submitter = {
                .uid = 1000 + user,
                .gid = 1000,
                .user = users[user],
                .group = "user",
        };
        if (roll(x, 4) == 0)
                spec.qos = (char *)(uintptr_t)pick(x, qos, ELEMENTSOF(qos));
        if (roll(x, 4) == 0)
                spec.account = (char *)(uintptr_t)pick(x, accounts, ELEMENTSOF(accounts));
        spec.share = roll(x, 10) ? roll(x, 3) ? SHARE_OK : SHARE_YES : SHARE_NO;
        spec.time_limit = (10 + roll(x, 3000)) * USEC_PER_SEC;
        spec.begin_time = roll(x, 20) ? 0 : x->w->now + roll(x, 600) * USEC_PER_SEC;
        spec.requeue = roll(x, 5) ? 0 : 2;
        spec.no_kill = roll(x, 10) == 0;
        spec.hold = roll(x, 40) == 0;
        if (x->reserves && roll(x, 3) == 0 && x->w->c->resvs.n)
                spec.reservation = x->w->c->resvs.list[roll(x, (uint32_t)x->w->c->resvs.n)]->name;
        spec.wait_all_nodes = roll(x, 3);
        if (roll(x, 15) == 0)
                spec.features = (char *)(uintptr_t)pick(x, features, ELEMENTSOF(features));
        if (roll(x, 25) == 0)
                spec.req_nodes = req = xstrdup(x->w->c->nodes[some_node(x)]->name);
        if (roll(x, 25) == 0)
                spec.exc_nodes = exc = xstrdup(x->w->c->nodes[some_node(x)]->name);
        if (roll(x, 8) == 0)
                spec.tres_per_node = (char *)(uintptr_t)pick(x, gres, ELEMENTSOF(gres));
        else if (roll(x, 12) == 0)
                spec.tres_per_job = (char *)(uintptr_t) "gpu:20";
        else if (roll(x, 12) == 0)
                spec.tres_per_task = (char *)(uintptr_t) "gpu:1";
        if (x->gpus && roll(x, 3) == 0)
                ask_for_types(x, &spec);
        /* no roll: seeds stay what they are */
        spec.gres_binding = (enum gres_binding)(
                        spec.time_limit / USEC_PER_SEC % (GRES_BINDING_DISABLED + 1));
        if (roll(x, 12) == 0)
                spec.licenses = (char *)(uintptr_t)pick(x, licenses, ELEMENTSOF(licenses));
        if (x->hres && roll(x, 3) == 0)
                spec.licenses = (char *)(uintptr_t)pick(x, hres, ELEMENTSOF(hres));
        if (spec.batch && roll(x, 10) == 0)
                spec.array = array = some_tasks(x);
        other = roll(x, 6) ? NULL : some_job(x);
        if (other) {
                spec.dependency = dep = some_dependency(x, other);
                spec.kill_on_invalid_dep = roll(x, 3);
        }
        if (x->hets && roll(x, 4) == 0) {
                submit_het(x, &spec, &submitter);
                return;
        }
        if (job_admit(x->w->c, &spec, &submitter, x->w->now, &j, &why) != SLUMBER_OK)
                return;
        if (x->loud)
                tell_of(&spec, j->id);
        usec_t runs = (1 + roll(x, 2000)) * USEC_PER_SEC;
        runs /= 1 + roll(x, 50);
        world_plan(x->w, j->id, runs, roll(x, 4) << 8);
}

/* Never more than half an hour off: a begin time may come so much later. */
static void set_clock(struct chaos *x) {
        int64_t off = ((int64_t)roll(x, 3600) - 1800) * (int64_t)USEC_PER_SEC;

        world_set_clock(x->w, off - x->w->c->clock_set);
}

/* What is taken back has not been: it can be made again. */
static bool respec(struct cluster *c, struct job *j, const struct job_spec *spec, usec_t now) {
        _cleanup_free_ char *first = xstrndup(spec->partition, strcspn(spec->partition, ","));
        struct partition *to = cluster_partition(c, first), *from = j->partition;
        const uint32_t nodes = j->asked.min_nodes, priority = j->priority;
        struct job_before *before;

        if (job_respec(c, j, spec, to, now, &before, NULL) != SLUMBER_OK)
                return false;
        job_respec_undo(c, j, before);
        assert(j->partition == from && j->asked.min_nodes == nodes && j->priority == priority);
        enum slumber_error e = job_respec(c, j, spec, to, now, &before, NULL);
        assert(e == SLUMBER_OK);
        job_before_free(before);
        return e == SLUMBER_OK;
}

/* scontrol update of one that waits. */
static void change_size(struct chaos *x, struct job *j) {
        static const char *const partitions[] = { "low", "high", "low,high" }, *const gres[] = {
                NULL,
                "gpu:1",
                "gpu:2",
        };
        struct cluster *c = x->w->c;
        struct job_spec asked, spec;

        job_spec_asked(j, &asked);
        spec = asked;
        spec.min_nodes = spec.max_nodes = 1 + roll(x, roll(x, 8) ? 3 : 20);
        spec.num_tasks = roll(x, 2) ? 0 : spec.min_nodes * (1 + roll(x, 4));
        spec.tasks_set = spec.num_tasks > 0;
        spec.cpus_per_task = roll(x, 4) ? 0 : 1 + roll(x, 4);
        spec.min_cpus_node = roll(x, 4) ? 0 : 1 + roll(x, 4);
        spec.mem_per_node = roll(x, 2) ? 100 + roll(x, 800) : 0;
        spec.mem_per_cpu = spec.mem_per_node ? 0 : 10 + roll(x, 100);
        spec.contiguous = roll(x, 10) == 0;
        spec.share = roll(x, 10) ? SHARE_OK : SHARE_NO;
        spec.tres_per_node = (char *)(uintptr_t)gres[roll(x, ELEMENTSOF(gres))];
        if (x->gpus && roll(x, 2))
                ask_for_types(x, &spec);
        if (roll(x, 4) == 0)
                spec.partition = (char *)(uintptr_t)partitions[roll(x, ELEMENTSOF(partitions))];
        if (respec(c, j, &spec, x->w->now))
                cluster_job_changed(c, j);
        job_spec_done(&asked);
}

static void user_wish(struct chaos *x) {
        struct cluster *c = x->w->c;
        usec_t now = x->w->now;

        if (x->updates && c->n_queue && roll(x, 2)) {
                change_size(x, c->queue[roll(x, (uint32_t)c->n_queue)]->job);
                return;
        }
        struct job *j = some_job(x);
        if (j && job_is_rest(j) && j->state == JOB_PENDING && roll(x, 2))
                j = array_take(c, j->array, (uint32_t)bitset_next(j->array->waiting, 0));
        if (!j)
                return;
        switch (roll(x, 9)) {
        case 0:
        case 1:
                (void)job_cancel(c, j, 0, now);
                break;
        case 2:
                (void)job_suspend(c, j, now);
                break;
        case 3:
        case 4:
                (void)job_resume(c, j, now);
                break;
        case 5:
                (void)job_requeue(c, j, NULL, roll(x, 8) == 0, now);
                break;
        case 6:
                (void)job_hold(c, j, roll(x, 2), now);
                break;
        case 7:
                (void)job_release(c, j, true, now);
                break;
        case 8:
                (void)job_signal(c, j, 10, STEP_ANY, false, true);
                break;
        }
}

static void start_step(struct chaos *x) {
        struct job *j = some_job(x);

        if (j)
                (void)world_start_step(x->w, j, NO_LIMIT, 0);
}

static void admin_wish(struct chaos *x) {
        static const char *const words[] = { "POWER_DOWN", "POWER_DOWN_ASAP", "POWER_DOWN_FORCE",
                "POWER_UP", "RESUME", "RESUME", "UNDRAIN", "UNDRAIN", "IDLE", "DOWN", "DRAIN",
                "FAIL", "NORESP", "CANCEL_REBOOT", "FUTURE" };
        struct reboot_wish reboot = { .asap = roll(x, 2) };

        reboot.next = (enum node_next)roll(x, NODE_NEXT_MAX);
        if (roll(x, 8) == 0)
                (void)reboot_request(x->w->c, x->w->c->nodes[some_node(x)], &reboot, x->w->now);
        const char *word = pick(x, words, ELEMENTSOF(words));
        (void)node_admin(x->w->c, x->w->c->nodes[some_node(x)], word, "chaos", 0, x->w->now);
}

static void flip_fault(struct chaos *x) {
        unsigned at = roll(x, 8), fault = at < 7 ? 1u << at : FAULT_KEEPS_MEMORY;
        struct agent *a = &x->w->agents[some_node(x)];

        a->faults = a->faults & fault || roll(x, 3) == 0 ? 0 : a->faults | fault;
}

static void flip_network(struct chaos *x) {
        size_t node = some_node(x);

        world_connect(x->w, node, !x->w->agents[node].cut);
}

static void flip_switch(struct chaos *x) {
        size_t node = some_node(x);

        world_power(x->w, node, !x->w->agents[node].power || roll(x, 2));
}

static void flip_veto(struct chaos *x) {
        size_t node = some_node(x);

        world_veto(x->w, node, x->w->c->nodes[node]->veto ? NULL : "busy");
}

/* Of a node that is being switched, if there is one. */
static void tell_outcome(struct chaos *x) {
        const struct bitset *const *power = (const struct bitset *const *)x->w->c->power;
        enum outcome_verb verb = roll(x, 2) ? OUTCOME_RESUME : OUTCOME_SUSPEND;
        const struct bitset *set =
                        power[verb == OUTCOME_RESUME ? NODE_POWERING_UP : NODE_POWERING_DOWN];
        struct outcome o = { .kind = (enum outcome_kind)roll(x, OUTCOME_KIND_MAX) };

        o.retry_after = roll(x, 3) ? (1 + roll(x, 200)) * USEC_PER_SEC : 0;
        if (roll(x, 10) == 0) /* too late */
                set = power[NODE_POWERED_DOWN];
        if (bitset_empty(set))
                return;
        size_t i = bitset_next(set, some_node(x));
        if (i != SIZE_MAX)
                (void)node_outcome(x->w->c, x->w->c->nodes[i], verb, &o, x->w->now, x->w->now);
}

static void restart_agent(struct chaos *x) {
        world_restart_agent(x->w, some_node(x));
}

static void change_partition(struct chaos *x) {
        struct partition *p = x->w->c->partitions[roll(x, (uint32_t)x->w->c->n_partitions)];
        static const unsigned states[] = { PARTITION_UP, PARTITION_UP, PARTITION_DOWN,
                PARTITION_DRAIN };

        p->state = states[roll(x, ELEMENTSOF(states))];
        cluster_partitions_changed(x->w->c, x->w->now);
}

/* ---- reservations ---- */

static void make_reservation(struct chaos *x, const char *what, const char *flags,
                const char *count) {
        static const char *const starts[] = { "now", "now", "now+300", "now+900" };
        static const char *const minutes[] = { "2", "10", "30", "60" };
        const char *node = x->w->c->nodes[some_node(x)]->name;
        const char *start = pick(x, starts, ELEMENTSOF(starts));
        const char *duration = pick(x, minutes, ELEMENTSOF(minutes));
        const char *names = roll(x, 2) ? "alice,bob" : "alice,bob,carol,dora";
        struct update_setting wishes[] = { { "StartTime", start }, { "Duration", duration },
                { "Users", names }, { "PartitionName", "low" }, { "Flags", flags },
                { what, streq(what, "Nodes") ? node : count }, { "CoreCnt", count } };
        size_t n = ELEMENTSOF(wishes) - (streq(what, "NodeCnt") && roll(x, 2));
        if (x->hres && n == ELEMENTSOF(wishes) && roll(x, 2)) /* layers, not cores */
                wishes[n - 1] = (struct update_setting){ "Licenses",
                        "natural(n[1-80]):5,flat(n[1-200]):3,power(n[91-200]):9" };
        struct fail fail = { 0 };
        struct resv *r;

        if (strstr(flags, "REPLACE")) /* of whole nodes alone */
                n = ELEMENTSOF(wishes) - 1;
        enum slumber_error e = resv_create(x->w->c, wishes, n, 0, x->w->now, &r, &fail);
        if (x->loud)
                printf("reserve %s %s %s for %s min, %s, cores: %d: %s %s\n", start, what,
                                wishes[5].value, duration, flags, n == ELEMENTSOF(wishes),
                                slumber_error_text((int)e), fail.text);
}

static void reserve(struct chaos *x) {
        static const char *const flags[] = { "", "", "", "REPLACE", "REPLACE", "REPLACE_DOWN",
                "OVERLAP", "IGNORE_JOBS", "MAGNETIC", "FLEX", "MAINT", "HOURLY",
                "NO_HOLD_JOBS_AFTER", "PURGE_COMP", "TIME_FLOAT", "MAGNETIC,FLEX",
                "IGNORE_JOBS,OVERLAP" };
        static const char *const counts[] = { "1", "2", "2", "3", "4", "9" };
        static const char *const whats[] = { "Nodes", "NodeCnt", "NodeCnt" };
        struct cluster *c = x->w->c;

        if (c->resvs.n > 8 || (c->resvs.n && roll(x, 4) == 0)) {
                (void)resv_delete(c, c->resvs.list[roll(x, (uint32_t)c->resvs.n)], x->w->now);
                return;
        }
        const char *what = pick(x, whats, ELEMENTSOF(whats));
        const char *flag = pick(x, flags, ELEMENTSOF(flags));
        const char *count = pick(x, counts, ELEMENTSOF(counts));
        make_reservation(x, what, flag, count);
}

/* They are over at once, and jobs that wait for them need not. */
static void end_reservations(struct chaos *x) {
        struct cluster *c = x->w->c;

        for (size_t i = 0; i < c->resvs.n; i++) {
                struct resv *r = c->resvs.list[i];
                r->flags = (r->flags & ~(unsigned)(RESV_REPEATS | RESV_FLOAT)) | RESV_NO_HOLD;
                r->start = MIN(r->start, x->w->now - 1);
                r->end = x->w->now;
        }
        resv_changed(c, x->w->now);
}

static const struct {
        uint32_t weight;
        void (*happen)(struct chaos *x);
} happenings[] = {
        { 60, submit }, { 20, user_wish }, { 10, start_step }, { 6, admin_wish }, { 4, flip_fault },
        { 4, flip_network }, { 2, flip_switch }, { 2, flip_veto }, { 4, restart_agent },
        { 6, tell_outcome }, { 1, change_partition }, { 1, set_clock }, { 3, change_accounts },
        { 8, reserve }, /* the last: it may be left out */
};

/* One of twenty dynamic nodes comes, by itself or as a CLOUD node, or goes, if nothing has it. */
static void come_or_go(struct chaos *x) {
        _cleanup_free_ char *name = xasprintf("d%u", roll(x, 20));
        bool cloud = roll(x, 2);
        _cleanup_free_ char *line = xasprintf("NodeName=%s CPUs=%u RealMemory=1000 Weight=%u%s",
                        name, 4 + 4 * roll(x, 2), 1 + roll(x, 3), cloud ? " State=CLOUD" : "");
        struct fail fail = { 0 };

        if (cluster_node(x->w->c, name))
                (void)world_leave(x->w, name, &fail);
        else
                (void)world_join(x->w, cloud ? NODE_FROM_ADMIN : NODE_FROM_STORE, line, &fail);
}

static void something(struct chaos *x) {
        if (x->dynamic && roll(x, 20) == 0) {
                come_or_go(x);
                return;
        }
        size_t n = ELEMENTSOF(happenings) - !x->reserves;
        uint32_t sum = 0, at;

        for (size_t i = 0; i < n; i++)
                sum += happenings[i].weight;
        at = roll(x, sum);
        for (size_t i = 0; i < n; i++) {
                if (at < happenings[i].weight) {
                        happenings[i].happen(x);
                        return;
                }
                at -= happenings[i].weight;
        }
}

/* ---- a run ---- */

static char *make_conf(struct chaos *x) {
        bool linear = x->seed % 4 == 3, memory = x->seed % 2 == 0, ends = x->seed % 3 != 0;
        static const char *const enforce[] = { "",
                "AccountingStorageEnforce=associations,limits,qos\n",
                "AccountingStorageEnforce=limits,qos,safe\n",
                "AccountingStorageEnforce=limits,qos\n", "AccountingStorageEnforce=limits\n" };
        const char *priority =
                        x->seed % 3 ? "PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=500\n"
                                      "PriorityWeightAssoc=100\nPriorityWeightQOS=200\nPriorityMaxAge=0-1\nPriorityCalcPeriod=1\n"
                                    : "";

        uint32_t time = 20 + roll(x, 300), suspends = roll(x, 2) * 300, resumes = roll(x, 2) * 300,
                 returns = roll(x, 3);
        uint32_t exempt = ends ? roll(x, 3) : 0;
        static const char layers[] =
                        "PreemptParameters=reclaim_licenses\n"
                        "resources.yaml - resource: natural\nresources.yaml   mode: MODE_1\nresources.yaml   layers:\n"
                        "resources.yaml     - {nodes: 'n[1-200]', count: 8}\nresources.yaml     - {nodes: 'n[1-80]', count: 20}\n"
                        "resources.yaml     - {nodes: 'n[61-160]', count: 15}\nresources.yaml     - {nodes: 'n[10-30]', count: 0}\n"
                        "resources.yaml - resource: flat\nresources.yaml   mode: MODE_2\nresources.yaml   layers:\n"
                        "resources.yaml     - {nodes: 'n[1-200]', count: 24}\nresources.yaml     - {nodes: 'n[1-100]', count: 16}\n"
                        "resources.yaml     - {nodes: 'n[101-200]', count: -1}\nresources.yaml     - {nodes: 'n[1-25]', count: 6}\n"
                        "resources.yaml - resource: power\nresources.yaml   mode: MODE_3\nresources.yaml   variables: [{name: full, value: 3}]\n"
                        "resources.yaml   layers:\nresources.yaml     - {nodes: 'n[1-200]', count: 70}\n"
                        "resources.yaml     - {nodes: 'n[1-90]', count: 40, base: [{name: switch, value: 4}]}\n"
                        "resources.yaml     - {nodes: 'n[91-200]', count: 50}\n";

        return xasprintf(
                        "ClusterName=chaos\nSlurmctldHost=localhost\nSlurmUser=root\n"
                        "StateSaveLocation=/tmp/chaos-state\nMaxNodeCount=%d\n"
                        "%s%sSelectType=select/%s\nSelectTypeParameters=%s\nLicenses=matlab:16,ansys:8\nGresTypes=gpu,disk\nAccountingStorageTRES=gres/gpu,gres/gpu:a,license/matlab\n"
                        "gres.conf NodeName=n[1-40] Name=gpu Type=a File=/dev/a[0-1] Cores=0-1\n"
                        "gres.conf NodeName=n[21-40] Name=gpu Type=b File=/dev/b[0-1] Cores=1-3\n"
                        "PreemptMode=SUSPEND,GANG\nPreemptType=preempt/%s\n"
                        "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nResumeFailProgram=/"
                        "bin/true\n"
                        "SuspendTime=%u\nSuspendTimeout=20\nResumeTimeout=60\nSuspendRate=%"
                        "u\nResumeRate=%u\n"
                        "ReturnToService=%u\nSlurmdTimeout=100\nMinJobAge=300\n"
                        "SuspendExcNodes=n[1-3]\nRebootProgram=/bin/true\n"
                        "NodeName=n[1-80] CPUs=4 RealMemory=1000 State=CLOUD Feature=fast Gres=gpu:a:2,gpu:b:2,disk:2000 "
                        "Weight=2\n"
                        "NodeName=n[81-160] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 "
                        "RealMemory=2000 State=CLOUD "
                        "Feature=slow,big Weight=1\n"
                        "NodeName=n[161-200] CPUs=4 RealMemory=1000\n"
                        "PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=ALL\n"
                        "PartitionName=low PriorityTier=1 Default=YES\n"
                        "PartitionName=mid PriorityTier=2 Nodes=n[1-120]%s\n"
                        "PartitionName=high PriorityTier=3 PreemptMode=OFF\n"
                        "PartitionName=whole PriorityTier=1 OverSubscribe=EXCLUSIVE "
                        "Nodes=n[60-200]%s\nPreemptExemptTime=%u\n"
                        "PartitionName=once PriorityTier=1 PowerDownOnIdle=YES Nodes=n[90-170]\n"
                        "PartitionName=rows PriorityTier=1 OverSubscribe=FORCE:3 Nodes=n[1-21]\n"
                        "PartitionName=both PriorityTier=2 OverSubscribe=YES:2 Nodes=n[5-25]\n"
                        "yaml reclaim_suspended: low,whole,rows\nyaml plan_whole_nodes: %s\n%s%s%s%s%s",
                        x->hres ? 200 : 220, enforce[x->seed % 5], priority,
                        linear ? "linear" : "cons_tres",
                        linear ? "CR_Memory" : (memory ? "CR_Core_Memory" : "CR_CPU"),
                        x->seed % 4 == 2 ? "qos" : "partition_prio", time, suspends, resumes,
                        returns, ends ? " PreemptMode=REQUEUE GraceTime=40" : "",
                        ends ? " PreemptMode=CANCEL" : "", exempt, x->parts ? "no" : "yes",
                        x->seed % 7 == 3 ? "SlurmctldParameters=max_powered_nodes=50\n"
                        : x->seed % 7 == 4
                                        ? "SlurmctldParameters=idle_on_node_suspend,power_save_min_interval=7\nSuspendExcStates=PLANNED,DRAIN\n"
                                        : "",
                        x->seed % 3 == 1 ? "yaml warm_up: yes\n" : "",
                        x->seed % 11 == 10 ? "CompleteWait=15\n" : "",
                        x->hooks ? "Prolog=/p\nEpilog=/e\nPrologFlags=Alloc\n" : "",
                        x->hres ? layers : "");
}

static void on_turn(struct world *w, void *user) {
        struct chaos *x = user;

        if (!x->wrong)
                x->wrong = world_check(w);
        if (!x->wrong)
                x->wrong = beyond_limits(w->c);
}

static void on_line(const char *line, void *user) {
        (void)user;
        printf("%s\n", line);
}

/* Everything works again, admins put all nodes back, held and suspended jobs are let go. */
static void mend(struct chaos *x) {
        struct cluster *c = x->w->c;

        do_lines(x, mending, ELEMENTSOF(mending));
        if (c->resvs.n)
                end_reservations(x);
        for (size_t i = 0; i < c->n_partitions; i++)
                c->partitions[i]->state = PARTITION_UP;
        cluster_partitions_changed(c, x->w->now);
        for (size_t i = 0; i < c->n_nodes; i++) {
                x->w->agents[i].faults = 0;
                world_connect(x->w, i, false);
                if (c->nodes[i]->veto)
                        world_veto(x->w, i, NULL);
                if (x->w->agents[i].power && !x->w->agents[i].up) { /* hangs in its boot */
                        x->w->agents[i].power = false;
                        x->w->agents[i].epoch++;
                }
                if (c->nodes[i]->power == NODE_ON)
                        world_power(x->w, i, true);
                /* it has its memory again, and it has not been reported */
                if (c->nodes[i]->flags & NODE_INVALID_REG)
                        world_restart_agent(x->w, i);
        }
        world_turn(x->w);
        world_advance(x->w, x->w->now + 200 * USEC_PER_SEC);
        for (size_t i = 0; i < c->n_nodes; i++)
                if (c->nodes[i]->base == NODE_DOWN || c->nodes[i]->base == NODE_FUTURE ||
                                c->nodes[i]->flags & (NODE_DRAIN | NODE_FAIL))
                        (void)node_admin(c, c->nodes[i], "RESUME", NULL, 0, x->w->now);
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && c->jobs[i].job->state == JOB_SUSPENDED)
                        (void)job_resume(c, c->jobs[i].job, x->w->now);
        world_turn(x->w);
}

/* What will not end by itself: allocations without a script, jobs that are held or wait for what
   can never be, or of which the account or QOS has been deleted, that name a node that is gone, or
   that ask for more than their
   partition has, or, all components together, than there is. */
static void cancel_endless(struct chaos *x) {
        struct cluster *c = x->w->c;

        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (j && !job_is_finished(j) &&
                                (!j->asked.batch || job_is_held(j) ||
                                                (j->waiting.depends &&
                                                                dependencies_never(
                                                                                j->waiting.depends)) ||
                                                j->reason == REASON_PARTITION_CONFIG ||
                                                j->reason == REASON_BAD_ACCOUNT ||
                                                j->reason == REASON_BAD_QOS ||
                                                /* a dynamic node that is not there */
                                                (x->dynamic && j->asked.req_nodes &&
                                                                j->reason == REASON_BAD_CONSTRAINTS) ||
                                                /* more components than jobs at once, too */
                                                (j->het && (j->reason == REASON_BAD_CONSTRAINTS ||
                                                                           j->reason == REASON_QOS_MAX_JOBS ||
                                                                           j->reason == REASON_ASSOC_MAX_JOBS))))
                        (void)job_cancel(c, j, 0, x->w->now);
        }
        world_turn(x->w);
}

static bool run(uint64_t seed, uint32_t events, const struct chaos *kind) {
        bool loud = getenv("CHAOS_LOUD") != NULL;
        struct chaos x = { .seed = seed,
                .state = seed * 7919 + 1,
                .loud = loud,
                .reserves = kind->reserves,
                .updates = kind->updates,
                .gpus = kind->gpus,
                .dynamic = kind->dynamic,
                .hooks = kind->hooks,
                .hets = kind->hets,
                .hres = kind->hres,
                .parts = kind->parts };
        _cleanup_free_ char *conf = make_conf(&x);
        struct fail fail = { 0 };

        if (world_new(conf, &x.w, &fail) < 0) {
                fprintf(stderr, "chaos: %s\n", fail.text);
                return false;
        }
        do_lines(&x, account_lines, ELEMENTSOF(account_lines));
        x.w->after_turn = on_turn;
        x.w->user = &x;
        x.w->tell = loud ? on_line : NULL;
        x.w->loud |= loud ? UINT64_C(1) << FX_LOG : 0;
        for (; x.event < events && !x.wrong; x.event++) {
                something(&x);
                world_turn(x.w);
                world_advance(x.w,
                                x.w->now + roll(&x, roll(&x, 50) ? 1000 : 60000) * USEC_PER_MSEC);
        }
        usec_t from = x.w->now, took = 0;
        char *left = xstrdup("");
        for (; left && took < BOUND && !x.wrong; took = x.w->now - from) {
                mend(&x);
                cancel_endless(&x);
                world_advance(x.w, x.w->now + 100 * USEC_PER_SEC);
                free(left);
                left = world_check_settled(x.w);
        }
        if (!x.wrong)
                x.wrong = TAKE(left);
        free(left);
        if (x.wrong)
                fprintf(stderr, "chaos: seed %" PRIu64 ", event %" PRIu64 " of %u: %s\n", seed,
                                x.event, events, x.wrong);
        else
                printf("seed %" PRIu64 ": %u events, %" PRIu64
                       " turns, %u jobs, %llu s to the end\n",
                                seed, events, x.w->turns, x.w->c->next_job_id - 1,
                                (unsigned long long)(took / USEC_PER_SEC));
        bool good = !x.wrong;
        free(x.wrong);
        world_free(x.w);
        return good;
}

/* What a mix adds to the jobs, nodes and faults that each run has. */
static const struct {
        const char *word;
        size_t offset; /* of a bool of struct chaos */
} mix_words[] = {
        { "reserve", offsetof(struct chaos, reserves) }, /* nodes, cores, licenses are reserved */
        { "update", offsetof(struct chaos, updates) },   /* what waits asks for something else */
        { "gpus", offsetof(struct chaos, gpus) },        /* more jobs ask for GPUs, of some types */
        { "dynamic", offsetof(struct chaos, dynamic) },  /* nodes not of slurm.conf come and go */
        { "hooks", offsetof(struct chaos, hooks) },      /* prologs and epilogs, which may fail */
        { "het", offsetof(struct chaos, hets) },         /* heterogeneous jobs */
        { "hres", offsetof(struct chaos, hres) },        /* hierarchical resources */
        { "parts", offsetof(struct chaos, parts) },      /* the plan has parts of nodes */
};

static bool *mix_field(struct chaos *kind, const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(mix_words); i++)
                if (streq(mix_words[i].word, word))
                        return (bool *)((char *)kind + mix_words[i].offset);
        return NULL;
}

/* Argument i as a number, or what it is where it is not given; ends with exit code 2 where it is
   none. */
static uint64_t number_or(int argc, char **argv, int i, uint64_t missing) {
        uint64_t n = missing;

        if (i < argc && uint_parse(argv[i], 0, UINT32_MAX, &n) < 0) {
                fprintf(stderr, "chaos: \"%s\": a number was expected\n", argv[i]);
                exit(2);
        }
        return n;
}

int main(int argc, char **argv) {
        uint64_t first = number_or(argc, argv, 1, 1), seeds = number_or(argc, argv, 2, 4),
                 failed = 0;
        uint32_t events = (uint32_t)number_or(argc, argv, 3, 2000);
        struct chaos kind = { 0 };

        for (int i = 4; i < argc; i++) {
                bool *field = mix_field(&kind, argv[i]);
                if (!field) {
                        fprintf(stderr, "chaos: \"%s\" is none of", argv[i]);
                        for (size_t k = 0; k < ELEMENTSOF(mix_words); k++)
                                fprintf(stderr, " %s", mix_words[k].word);
                        fprintf(stderr, "\n");
                        return 2;
                }
                *field = true;
        }
        for (uint64_t seed = first; seed < first + seeds; seed++)
                failed += !run(seed, events, &kind);
        if (seeds > 1)
                printf("%" PRIu64 " of %" PRIu64 " seeds failed\n", failed, seeds);
        return failed ? 1 : 0;
}
