/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtual time: world_advance() takes the next of the core's deadlines and the agents' events, runs
 * it, lets turn() draw the conclusions and carries out the effects, which make new events.  Nothing
 * happens at the same time as something else: equal times go in the order in which they were
 * planned. */
#include "tests/scenario/world.h"

#include "controller/indexes/array.h"
#include "controller/indexes/listen.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/model/abilities.h"
#include "controller/model/node_features.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/node_events.h"
#include "controller/nodes/veto.h"
#include "controller/orders/clock.h"
#include "controller/steps/step_ports.h"
#include "controller/turn/turn.h"

#define START (1000000 * USEC_PER_SEC) /* virtual zero: no time stamp is 0 */
#define SWAP  1000000                  /* MB that each machine has */
/* turns without time moving: something asks for itself */
#define STUCK 20000

enum event_kind {
        EVENT_BOOTED,
        EVENT_OFF,
        EVENT_REGISTER,
        EVENT_LAUNCHED,
        EVENT_PROLOG,
        EVENT_HOOK,
        EVENT_FROZEN,
        EVENT_GONE,
        EVENT_OVER,
        EVENT_LOOKED,
        EVENT_RECLAIMED,
        EVENT_SUSPENDED,
        EVENT_RESUMED,
        EVENT_MAX,
};

struct world_event {
        usec_t at;
        uint64_t sequence;
        enum event_kind kind;
        size_t node;
        uint32_t epoch, link, job, restarts;
        uint64_t serial;
        bool flag;       /* it went well; frozen rather than thawed */
        uint64_t memory; /* MB that it is to keep */
};

static const char *const fault_words[] = { "never-registers", "ignores-off", "cannot-freeze",
        "launch-fails", "unkillable", "low-memory", "never-answers", "bmc-lies", "ignores-on",
        "keeps-image", "keeps-memory", "no-swap", "prolog-fails", "epilog-fails", "earlier-build" };
DEFINE_STRTAB(fault, fault_words)

static const char *const delay_words[] = { "boot", "shutdown", "launch", "freeze", "thaw", "gone",
        "give-up", "unkillable", "retry", "reclaim", "suspend", "resume", "prolog", "hook",
        "epilog" };
_Static_assert(ELEMENTSOF(delay_words) == DELAY_MAX, "a delay without a word");
DEFINE_STRTAB(delay, delay_words)

static const usec_t delays[DELAY_MAX] = {
        [DELAY_BOOT] = 20 * USEC_PER_SEC,
        [DELAY_SHUTDOWN] = 5 * USEC_PER_SEC,
        [DELAY_LAUNCH] = USEC_PER_MSEC,
        [DELAY_FREEZE] = USEC_PER_MSEC,
        [DELAY_THAW] = USEC_PER_MSEC,
        [DELAY_GONE] = USEC_PER_MSEC,
        [DELAY_GIVE_UP] = 10 * USEC_PER_SEC,
        [DELAY_RECLAIM] = 2 * USEC_PER_SEC,
        [DELAY_UNKILLABLE] = 60 * USEC_PER_SEC,
        [DELAY_RETRY] = 5 * USEC_PER_SEC,
};

/* ---- events: a heap, earliest first, then first planned ---- */

static bool before(const struct world_event *a, const struct world_event *b) {
        return a->at != b->at ? a->at < b->at : a->sequence < b->sequence;
}

static void plan_event(struct world *w, struct world_event e, usec_t after) {
        e.at = w->now + after;
        e.sequence = w->sequence++;
        e.epoch = w->agents[e.node].epoch;
        e.link = w->agents[e.node].link;
        GROW(w->events, w->a_events, w->n_events);
        size_t i = w->n_events++;
        for (; i > 0 && before(&e, &w->events[(i - 1) / 2]); i = (i - 1) / 2)
                w->events[i] = w->events[(i - 1) / 2];
        w->events[i] = e;
}

static struct world_event pop_event(struct world *w) {
        struct world_event first = w->events[0], last = w->events[--w->n_events];
        size_t i = 0;

        for (size_t child; (child = 2 * i + 1) < w->n_events; i = child) {
                if (child + 1 < w->n_events && before(&w->events[child + 1], &w->events[child]))
                        child++;
                if (!before(&w->events[child], &last))
                        break;
                w->events[i] = w->events[child];
        }
        w->events[i] = last;
        return first;
}

/* ---- BMCs ---- */

int world_observe(struct world *w, size_t node, usec_t asked) {
        const struct agent *a = &w->agents[node];
        bool on = a->faults & FAULT_BMC_LIES ? !a->power : a->power;

        return (int)node_observed(w->c, w->c->nodes[node], on ? OBSERVED_ON : OBSERVED_OFF, asked,
                        w->now);
}

void world_veto(struct world *w, size_t node, const char *text) {
        struct agent *a = &w->agents[node];

        free_and_strdup(&a->veto, a->up ? text : NULL);
        if (a->linked)
                node_set_veto(w->c, w->c->nodes[node], a->veto, w->now);
}

/* ---- processes ---- */

struct process *agent_find(struct agent *a, uint32_t job, uint32_t restarts) {
        for (size_t i = 0; i < a->n; i++)
                if (a->list[i].job == job && a->list[i].restarts == restarts)
                        return &a->list[i];
        return NULL;
}

static void agent_drop(struct agent *a, struct process *p) {
        bitset_free(p->units);
        *p = a->list[--a->n];
}

static void agent_clear(struct agent *a) {
        while (a->n)
                agent_drop(a, &a->list[0]);
}

static struct process *agent_add(struct world *w, size_t node, const struct job *j, bool batch) {
        struct agent *a = &w->agents[node];
        const struct job_node *jn = job_node_find(j, w->c->nodes[node]);
        struct process *p = agent_find(a, j->id, j->restarts);

        if (!p) {
                GROW(a->list, a->allocated, a->n);
                p = &a->list[a->n++];
                *p = (struct process){ .job = j->id,
                        .restarts = j->restarts,
                        .left = NO_LIMIT,
                        .since = w->now };
                p->memory = p->resident = jn->memory;
                p->units = bitset_new(jn->node->units);
                for (size_t i = 0; i < jn->node->units; i++)
                        if (bitset_has(j->placed.units, jn->units_at + i))
                                bitset_add(p->units, i);
        }
        p->batch |= batch;
        return p;
}

static void plan_end(struct world *w, size_t node, const struct process *p) {
        if (p->left == NO_LIMIT || !w->answering)
                return;
        plan_event(w,
                        (struct world_event){ .kind = EVENT_OVER,
                                        .node = node,
                                        .job = p->job,
                                        .restarts = p->restarts,
                                        .serial = p->serial },
                        p->left);
}

static void set_frozen(struct world *w, size_t node, struct process *p, bool frozen) {
        if (p->frozen == frozen)
                return;
        p->frozen = frozen;
        if (!frozen)
                p->resident = p->memory;
        if (p->left == NO_LIMIT)
                return;
        if (frozen) {
                usec_t ran = w->now - p->since;
                p->left -= MIN(ran, p->left);
        } else {
                p->since = w->now;
                plan_end(w, node, p);
        }
}

void world_plan(struct world *w, uint32_t job, usec_t runs, uint32_t status) {
        if (job >= w->n_plans) {
                size_t n = MAX((size_t)job + 1, w->n_plans * 2);
                w->plans = xrenew(w->plans, n);
                for (size_t i = w->n_plans; i < n; i++)
                        w->plans[i] = (struct plan){ .runs = NO_LIMIT };
                w->n_plans = n;
        }
        w->plans[job] = (struct plan){ runs, status };
}

/* ---- machines ---- */

void world_power(struct world *w, size_t node, bool on) {
        struct agent *a = &w->agents[node];

        if (on && a->faults & FAULT_IGNORES_ON)
                return;
        if (on && !a->power) {
                a->power = true;
                a->epoch++;
                a->boot_time = w->now + a->late + w->delays[DELAY_BOOT] / 2;
                if (!(a->faults & FAULT_NEVER_REGISTERS))
                        plan_event(w, (struct world_event){ .kind = EVENT_BOOTED, .node = node },
                                        w->delays[DELAY_BOOT] + a->late);
        } else if (!on && a->power && !(a->faults & FAULT_IGNORES_OFF)) {
                plan_event(w, (struct world_event){ .kind = EVENT_OFF, .node = node },
                                w->delays[DELAY_SHUTDOWN]);
        }
}

static void unlink_agent(struct world *w, size_t node) {
        struct agent *a = &w->agents[node];

        a->link++;
        if (!a->linked)
                return;
        a->linked = false;
        if (w->tell_agents)
                world_say(w, "%s is lost", w->c->nodes[node]->name);
        node_lost(w->c, w->c->nodes[node], 0, w->now);
}

static struct found_job *found_jobs(const struct agent *a) {
        struct found_job *found = xnew0(struct found_job, a->n + 1);

        for (size_t i = 0; i < a->n; i++)
                found[i] = (struct found_job){ .id = a->list[i].job,
                        .restarts = a->list[i].restarts,
                        .frozen = a->list[i].frozen,
                        .terminating = a->list[i].terminating,
                        .script = a->list[i].batch };
        return found;
}

static void report_over(struct world *w, struct process *p) {
        struct job *j = cluster_job(w->c, p->job);

        p->over = true;
        if (j && j->restarts == p->restarts)
                job_batch_ended(w->c, j, p->status, false, NULL, p->ended, w->now);
}

/* Scripts that ended while the controller could not be told. */
static void report_all_over(struct world *w, struct agent *a) {
        for (size_t i = 0; i < a->n; i++)
                if (a->list[i].over && !a->list[i].terminating)
                        report_over(w, &a->list[i]);
}

void world_register(struct world *w, size_t node) {
        struct agent *a = &w->agents[node];
        struct node *n = w->c->nodes[node];
        _cleanup_free_ struct found_job *found = found_jobs(a);
        struct registration reg = { .version = "test",
                .arch = "x86_64",
                .os = "Linux",
                .address = "127.0.0.1",
                .hardware = n->configured,
                .boot_time = a->boot_time,
                .start_time = a->boot_time,
                .veto = a->veto ? a->veto : "",
                .active_features = a->image,
                .reclaims = !(a->faults & FAULT_NO_SWAP),
                .no_reclaim = a->faults & FAULT_NO_SWAP ? "the node has no swap" : "",
                .swap_free = a->faults & FAULT_NO_SWAP ? 0 : SWAP,
                .lacks = a->faults & FAULT_EARLIER_BUILD ? CAN_ALL : 0,
                .jobs = found,
                .n_jobs = a->n };
        struct fail fail = { 0 };

        if (a->faults & FAULT_LOW_MEMORY)
                reg.hardware.memory /= 2;
        a->link++;
        int r = node_register(w->c, n, &reg, w->now, &fail);
        if (w->tell_agents)
                world_say(w, "%s registers%s%s", n->name, r < 0 ? ": " : "",
                                r < 0 ? fail.text : "");
        a->linked = r != -EAGAIN;
        if (a->linked)
                report_all_over(w, a);
        else
                plan_event(w, (struct world_event){ .kind = EVENT_REGISTER, .node = node },
                                w->delays[DELAY_RETRY]);
}

void world_connect(struct world *w, size_t node, bool cut) {
        w->agents[node].cut = cut;
        if (cut)
                unlink_agent(w, node);
        else if (w->agents[node].up && !w->agents[node].linked)
                world_register(w, node);
}

void world_restart_agent(struct world *w, size_t node) {
        if (!w->agents[node].up)
                return;
        unlink_agent(w, node);
        if (!w->agents[node].cut)
                plan_event(w, (struct world_event){ .kind = EVENT_REGISTER, .node = node },
                                USEC_PER_SEC);
}

static bool can_start_step(const struct job *j) {
        if (j->state != JOB_RUNNING || j->configuring || j->completing)
                return false;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!node_is_ready(j->placed.alloc[i].node) || j->placed.alloc[i].done)
                        return false;
        return true;
}

/* With one task on each node. */
static enum slumber_error find_ports(struct world *w, const struct job *j, uint32_t asked,
                char **ret) {
        const struct config *config = w->c->config;
        _cleanup_free_ size_t *at = xnew(size_t, j->placed.n_alloc);
        _cleanup_free_ uint32_t *tasks = xnew(uint32_t, j->placed.n_alloc);

        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                at[i] = i;
                tasks[i] = 1;
        }
        return step_ports_find(j, at, tasks, j->placed.n_alloc, asked,
                        (struct port_range){ config->ports_first, config->ports_last },
                        &w->next_port, ret);
}

static void fill_step(struct step *s, const struct job *j) {
        s->n_tasks_on = s->num_tasks = (uint32_t)j->placed.n_alloc;
        s->tasks = xnew(uint32_t, j->placed.n_alloc);
        s->taken = xnew(uint32_t, j->placed.n_alloc);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                s->tasks[i] = 1;
                s->taken[i] = j->placed.alloc[i].cpus;
        }
}

enum slumber_error world_start_step(struct world *w, struct job *j, usec_t limit, uint32_t ports) {
        _cleanup_(bitset_freep) struct bitset *all = NULL;
        char *its = NULL;

        if (!can_start_step(j))
                return SLUMBER_OK;
        enum slumber_error e = find_ports(w, j, ports, &its);
        if (e != SLUMBER_OK)
                return e;
        all = bitset_new(j->placed.n_alloc);
        bitset_fill(all);
        struct step *s = job_step_started(w->c, j, job_step_number(j, false), all, w->now);
        s->resv_ports = its;
        fill_step(s, j);
        energy_step_begins(j, s, w->now);
        job_step_limit(w->c, j, s, limit);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (w->agents[j->placed.alloc[i].node->index].linked)
                        agent_add(w, j->placed.alloc[i].node->index, j, false);
        return SLUMBER_OK;
}

/* ---- what happens at an agent ---- */

static void on_booted(struct world *w, const struct world_event *e) {
        w->agents[e->node].up = true;
        if (!w->agents[e->node].cut)
                world_register(w, e->node);
}

static void on_off(struct world *w, const struct world_event *e) {
        struct agent *a = &w->agents[e->node];

        a->power = a->up = false;
        free_and_strdup(&a->veto, NULL);
        a->epoch++;
        agent_clear(a);
        unlink_agent(w, e->node);
}

static void on_register(struct world *w, const struct world_event *e) {
        if (w->agents[e->node].up && !w->agents[e->node].linked && !w->agents[e->node].cut)
                world_register(w, e->node);
}

static void on_launched(struct world *w, const struct world_event *e) {
        struct job *j = cluster_job(w->c, e->job);

        if (j && j->restarts == e->restarts)
                job_launched(w->c, j, e->flag ? NULL : "the script cannot be started", w->now);
}

static void on_prolog(struct world *w, const struct world_event *e) {
        struct job *j = cluster_job(w->c, e->job);
        struct node *n = w->c->nodes[e->node];

        if (!j || j->restarts != e->restarts)
                return;
        if (e->flag)
                job_prolog_over(w->c, j, n);
        else
                job_prolog_failed(w->c, j, n, "Prolog: it fails", w->now);
}

static void on_hook(struct world *w, const struct world_event *e) {
        struct job *j = cluster_job(w->c, e->job);

        if (j)
                job_hook_over(w->c, j, e->serial, e->flag ? NULL : "it fails", w->now);
}

static void on_frozen(struct world *w, const struct world_event *e) {
        struct agent *a = &w->agents[e->node];
        struct job *j = cluster_job(w->c, e->job);
        struct process *p = agent_find(a, e->job, e->restarts);
        bool reached = e->flag;
        const char *error = NULL;

        if (p && p->serial && p->serial != e->serial)
                return; /* a later one has overtaken it */
        if (e->flag && a->faults & FAULT_CANNOT_FREEZE) {
                reached = false;
                error = "a process is in uninterruptible sleep";
        }
        if (p && !p->terminating)
                set_frozen(w, e->node, p, reached);
        if (j)
                job_frozen(w->c, j, w->c->nodes[e->node], reached, e->serial, error, w->now);
}

static void on_gone(struct world *w, const struct world_event *e) {
        static const struct node_fault left = { kill_failed, "processes are left" },
                                       epilog = { epilog_failed, "Epilog: it fails" };
        struct agent *a = &w->agents[e->node];
        struct process *p = agent_find(a, e->job, e->restarts);

        if (p && e->flag)
                agent_drop(a, p);
        else if (p)
                p->left_behind = true;
        if (a->linked && e->link == a->link)
                node_job_gone(w->c, w->c->nodes[e->node], e->job, e->restarts,
                                e->flag ? a->faults & FAULT_EPILOG_FAILS ? &epilog : NULL : &left,
                                w->now);
}

static void on_over(struct world *w, const struct world_event *e) {
        struct agent *a = &w->agents[e->node];
        struct process *p = agent_find(a, e->job, e->restarts);

        if (!p || p->frozen || p->terminating || p->over || p->since + p->left != w->now)
                return;
        p->over = true;
        p->ended = w->now;
        if (a->linked)
                report_over(w, p);
}

static void on_reclaimed(struct world *w, const struct world_event *e) {
        struct agent *a = &w->agents[e->node];
        struct job *j = cluster_job(w->c, e->job);
        struct process *p = agent_find(a, e->job, e->restarts);
        uint64_t before = p ? p->resident : 0;

        if (p && (p->serial != e->serial || !p->frozen))
                return; /* it was thawed meanwhile */
        if (p && p->resident > e->memory)
                p->resident = a->faults & FAULT_KEEPS_MEMORY ? (p->resident + e->memory + 1) / 2
                                                             : e->memory;
        if (j)
                memory_reclaimed(w->c, j, w->c->nodes[e->node], e->serial, before,
                                p ? p->resident : 0, w->delays[DELAY_RECLAIM], NULL, w->now);
}

static void on_looked(struct world *w, const struct world_event *e) {
        (void)world_observe(w, e->node, w->now);
}

static void on_suspended(struct world *w, const struct world_event *e) {
        w->agents[e->node].suspending--;
        node_suspending(w->c, w->c->nodes[e->node], -1, w->now);
}

static void on_resumed(struct world *w, const struct world_event *e) {
        w->agents[e->node].resuming--;
        node_resuming(w->c, w->c->nodes[e->node], -1, w->now);
}

static const struct {
        void (*happen)(struct world *w, const struct world_event *e);
        bool needs_link; /* an answer: lost with its connection */
} happenings[EVENT_MAX] = {
        [EVENT_BOOTED] = { on_booted, false },
        [EVENT_OFF] = { on_off, false },
        [EVENT_REGISTER] = { on_register, false },
        [EVENT_LAUNCHED] = { on_launched, true },
        [EVENT_PROLOG] = { on_prolog, true },
        [EVENT_HOOK] = { on_hook, false },
        [EVENT_FROZEN] = { on_frozen, true },
        [EVENT_GONE] = { on_gone, false },
        [EVENT_OVER] = { on_over, false },
        [EVENT_LOOKED] = { on_looked, false },
        [EVENT_RECLAIMED] = { on_reclaimed, true },
        [EVENT_SUSPENDED] = { on_suspended, false },
        [EVENT_RESUMED] = { on_resumed, false },
};

static void happen(struct world *w, const struct world_event *e) {
        if (e->node == SIZE_MAX)
                return; /* it has left */
        const struct agent *a = &w->agents[e->node];
        if ((e->epoch != a->epoch && e->kind != EVENT_SUSPENDED && e->kind != EVENT_RESUMED &&
                            e->kind != EVENT_HOOK) ||
                        (happenings[e->kind].needs_link && (e->link != a->link || !a->linked)))
                return;
        happenings[e->kind].happen(w, e);
}

/* ---- effects ---- */

static void do_launch(struct world *w, const struct effect *fx) {
        struct agent *a = &w->agents[fx->node->index];
        struct job *j = cluster_job(w->c, fx->job);
        bool works = !(a->faults & FAULT_LAUNCH_FAILS);

        if (!j || !a->linked || j->restarts != fx->serial || a->faults & FAULT_NEVER_ANSWERS ||
                        j->state != JOB_RUNNING) /* as batch_launch() */
                return;
        if (works && !agent_find(a, j->id, j->restarts)) {
                struct process *p = agent_add(w, fx->node->index, j, true);
                uint32_t of = job_script_id(j);
                struct plan plan = of < w->n_plans ? w->plans[of]
                                                   : (struct plan){ .runs = NO_LIMIT };
                p->left = plan.runs;
                p->status = plan.status;
                plan_end(w, fx->node->index, p);
        }
        plan_event(w,
                        (struct world_event){ .kind = EVENT_LAUNCHED,
                                        .node = fx->node->index,
                                        .job = j->id,
                                        .restarts = j->restarts,
                                        .flag = works },
                        w->delays[DELAY_LAUNCH]);
}

/* PrologFlags=Alloc: by itself. */
static void do_prolog(struct world *w, const struct effect *fx) {
        bitset_for_each(i, fx->nodes) {
                const struct agent *a = &w->agents[i];
                if (!a->linked || a->faults & FAULT_NEVER_ANSWERS)
                        continue;
                plan_event(w,
                                (struct world_event){ .kind = EVENT_PROLOG,
                                                .node = i,
                                                .job = fx->job,
                                                .restarts = (uint32_t)fx->serial,
                                                .flag = !(a->faults & FAULT_PROLOG_FAILS) },
                                w->delays[DELAY_PROLOG]);
        }
}

/* It fails where its name ends so, and at once where it is to be ended. */
static void do_hook(struct world *w, const struct effect *fx) {
        const struct job *j = cluster_job(w->c, fx->job);
        const struct config *config = w->c->config;

        if (!j)
                return;
        const char *path = strempty(j->running.hook == HOOKS_EPILOG ? config->epilog_slurmctld
                                                                    : config->prolog_slurmctld);
        plan_event(w,
                        (struct world_event){ .kind = EVENT_HOOK,
                                        .job = fx->job,
                                        .serial = fx->serial,
                                        .flag = !fx->now && !strstr(path, "fails") },
                        fx->now ? 0 : w->delays[DELAY_HOOK]);
}

static void do_freeze(struct world *w, const struct effect *fx) {
        struct agent *a = &w->agents[fx->node->index];
        const struct job *j = cluster_job(w->c, fx->job);
        bool freeze = fx->kind == FX_FREEZE;

        if (!j || !a->linked || a->faults & FAULT_NEVER_ANSWERS)
                return;
        struct process *p = agent_find(a, j->id, job_incarnation(j));
        if (p)
                p->serial = fx->serial;
        bool fails = freeze && a->faults & FAULT_CANNOT_FREEZE;
        plan_event(w,
                        (struct world_event){ .kind = EVENT_FROZEN,
                                        .node = fx->node->index,
                                        .job = j->id,
                                        .restarts = job_incarnation(j),
                                        .serial = fx->serial,
                                        .flag = freeze },
                        (freeze ? w->c->config->preempt.suspend_grace : 0) +
                                        w->delays[fails          ? DELAY_GIVE_UP
                                                        : freeze ? DELAY_FREEZE
                                                                 : DELAY_THAW]);
}

static void do_reclaim(struct world *w, const struct effect *fx) {
        struct agent *a = &w->agents[fx->node->index];
        const struct job *j = cluster_job(w->c, fx->job);

        if (!j || !a->linked || a->faults & FAULT_NEVER_ANSWERS)
                return;
        struct process *p = agent_find(a, j->id, job_incarnation(j));
        if (p)
                p->serial = fx->serial;
        plan_event(w,
                        (struct world_event){ .kind = EVENT_RECLAIMED,
                                        .node = fx->node->index,
                                        .job = j->id,
                                        .restarts = job_incarnation(j),
                                        .serial = fx->serial,
                                        .memory = fx->memory },
                        w->delays[DELAY_RECLAIM]);
}

/* It has been asked already, and its end is on its way. */
static bool ends_already(const struct world *w, const struct effect *fx) {
        for (size_t i = 0; i < w->n_events; i++) {
                const struct world_event *e = &w->events[i];
                if (e->kind == EVENT_GONE && e->node == fx->node->index && e->job == fx->job &&
                                e->restarts == fx->serial && e->epoch == w->agents[e->node].epoch)
                        return true;
        }
        return false;
}

static void do_terminate(struct world *w, const struct effect *fx) {
        size_t node = fx->node->index;
        struct agent *a = &w->agents[node];
        uint32_t restarts = (uint32_t)fx->serial;
        bool dies = !(a->faults & FAULT_UNKILLABLE);

        if (!a->linked)
                return;
        struct process *p = agent_find(a, fx->job, restarts);
        if (p)
                p->unheard = a->faults & FAULT_NEVER_ANSWERS;
        if (a->faults & FAULT_NEVER_ANSWERS)
                return;
        if (fx->epilog && w->delays[DELAY_EPILOG] && ends_already(w, fx)) {
                node_job_busy(w->c, fx->node, fx->job, restarts, w->now);
                return;
        }
        if (p) {
                p->terminating = true;
                if (!fx->now) { /* to hear its SIGTERM */
                        p->frozen = false;
                        p->resident = p->memory;
                }
        }
        plan_event(w,
                        (struct world_event){ .kind = EVENT_GONE,
                                        .node = node,
                                        .job = fx->job,
                                        .restarts = restarts,
                                        .flag = dies || !p },
                        w->delays[dies ? DELAY_GONE : DELAY_UNKILLABLE] +
                                        (fx->epilog ? w->delays[DELAY_EPILOG] : 0));
}

/* It runs for so long; the power is cut at its start. */
static void run_suspend(struct world *w, size_t node) {
        if (!w->delays[DELAY_SUSPEND])
                return;
        w->agents[node].suspending++;
        node_suspending(w->c, w->c->nodes[node], 1, w->now);
        plan_event(w, (struct world_event){ .kind = EVENT_SUSPENDED, .node = node },
                        w->delays[DELAY_SUSPEND]);
}

/* Likewise; the power comes at its start. */
static void run_resume(struct world *w, size_t node) {
        if (!w->delays[DELAY_RESUME])
                return;
        w->agents[node].resuming++;
        node_resuming(w->c, w->c->nodes[node], 1, w->now);
        plan_event(w, (struct world_event){ .kind = EVENT_RESUMED, .node = node },
                        w->delays[DELAY_RESUME]);
}

static void do_power(struct world *w, const struct effect *fx) {
        bitset_for_each(i, fx->nodes) {
                if (fx->kind == FX_SUSPEND)
                        run_suspend(w, i);
                else
                        run_resume(w, i);
                w->c->nodes[i]->program_started = true;
                note_node(w->c, FACT_NODE_RECORD, w->c->nodes[i]);
                world_power(w, i, fx->kind == FX_RESUME);
        }
}

static void do_reboot(struct world *w, const struct effect *fx) {
        bitset_for_each(i, fx->nodes) {
                w->c->nodes[i]->program_started = true;
                w->agents[i].power = w->agents[i].up = false;
                w->agents[i].epoch++;
                agent_clear(&w->agents[i]);
                unlink_agent(w, i);
                if (w->agents[i].image && fx->text && !(w->agents[i].faults & FAULT_KEEPS_IMAGE))
                        free_and_strdup(&w->agents[i].image, fx->text);
                world_power(w, i, true);
        }
}

static void do_disconnect(struct world *w, const struct effect *fx) {
        struct agent *a = &w->agents[fx->node->index];

        a->linked = false;
        a->link++;
        if (a->up && !a->cut)
                plan_event(w,
                                (struct world_event){ .kind = EVENT_REGISTER,
                                                .node = fx->node->index },
                                w->delays[DELAY_RETRY]);
}

static void do_look(struct world *w, const struct effect *fx) {
        if (w->has_bmcs)
                plan_event(w, (struct world_event){ .kind = EVENT_LOOKED, .node = fx->node->index },
                                USEC_PER_SEC);
}

static void do_probe(struct world *w, const struct effect *fx) {
        const struct agent *a = &w->agents[fx->node->index];

        if (a->up && a->linked && !(a->faults & FAULT_NEVER_ANSWERS)) {
                node_heard(w->c, fx->node, w->now, 0, 0);
                listen_heard(w->c, fx->node);
        }
}

static void (*const doers[EFFECT_MAX])(struct world *w, const struct effect *fx) = {
        [FX_LAUNCH] = do_launch,
        [FX_PROLOG] = do_prolog,
        [FX_HOOK] = do_hook,
        [FX_FREEZE] = do_freeze,
        [FX_THAW] = do_freeze,
        [FX_RECLAIM] = do_reclaim,
        [FX_TERMINATE] = do_terminate,
        [FX_SUSPEND] = do_power,
        [FX_RESUME] = do_power,
        [FX_REBOOT] = do_reboot,
        [FX_DISCONNECT] = do_disconnect,
        [FX_LOOK] = do_look,
        [FX_PROBE] = do_probe,
};

static void carry_out(struct world *w) {
        bool lives = !w->commit || w->commit(w, w->user);
        struct effects todo = w->c->effects;

        for (size_t i = 0; i < w->c->n_dirty_jobs; i++) { /* the store has seen them */
                struct job *j = cluster_job(w->c, w->c->dirty_jobs[i]);
                if (j)
                        j->dirty = false;
        }
        w->c->n_dirty_jobs = 0;
        follows_nodes_done(w->c, FOLLOW_STORE_NODE);
        follows_nodes_done(w->c, FOLLOW_STORE_LATER);
        w->c->effects = (struct effects){ 0 };
        for (size_t i = 0; i < todo.n && lives; i++) {
                world_tell_effect(w, &todo.list[i]);
                if (w->answering && doers[todo.list[i].kind])
                        doers[todo.list[i].kind](w, &todo.list[i]);
        }
        effects_done(&todo);
}

void world_turn(struct world *w) {
        turn(w->c, w->now);
        carry_out(w);
        w->turns++;
        if (w->after_turn)
                w->after_turn(w, w->user);
}

usec_t world_next(const struct world *w) {
        usec_t event = w->n_events ? w->events[0].at : USEC_INFINITY;

        return MAX(w->now, MIN(event, cluster_next_deadline(w->c)));
}

void world_advance(struct world *w, usec_t until) {
        usec_t next, end = until - w->start; /* the clock may be set on the way */

        while ((next = world_next(w)) <= w->start + end) {
                w->stuck = next > w->now ? 0 : w->stuck + 1;
                assert(w->stuck < STUCK + w->c->n_nodes); /* which may all register at once */
                w->now = next;
                if (w->n_events && w->events[0].at <= w->now) {
                        struct world_event e = pop_event(w);
                        happen(w, &e);
                }
                world_turn(w);
        }
        w->now = w->start + end;
}

/* ---- the beginning and the end ---- */

/* A node that is not configured as asleep has been running since long ago. */
static void place_agent(struct world *w, size_t node) {
        struct agent *a = &w->agents[node];

        if (w->c->nodes[node]->power != NODE_ON || w->c->nodes[node]->base == NODE_FUTURE)
                return;
        a->power = a->up = true;
        a->boot_time = w->now - 3600 * USEC_PER_SEC;
        plan_event(w, (struct world_event){ .kind = EVENT_REGISTER, .node = node }, 0);
}

int world_new(const char *conf, struct world **ret, struct fail *fail) {
        static const enum effect_kind told[] = { FX_LAUNCH, FX_PROLOG, FX_HOOK, FX_FREEZE, FX_THAW,
                FX_RECLAIM, FX_TERMINATE, FX_SIGNAL, FX_SUSPEND, FX_RESUME, FX_RESUME_FAIL,
                FX_REBOOT, FX_DISCONNECT, FX_ENDED, FX_MESSAGE, FX_MAIL, FX_TRIGGER,
                FX_ASK_ACCOUNTS };
        _cleanup_(world_freep) struct world *w = xnew0(struct world, 1);
        struct config *config = NULL;
        int r = world_read_conf(conf, &config, fail);

        if (r < 0)
                return r;
        w->now = w->start = START;
        r = cluster_new(config, w->now, &w->c, fail);
        if (r < 0) {
                config_free(config);
                return r;
        }
        w->conf = xstrdup(conf);
        memcpy(w->delays, delays, sizeof delays);
        w->answering = true;
        w->tell_agents = true;
        for (size_t i = 0; i < ELEMENTSOF(told); i++)
                w->loud |= UINT64_C(1) << told[i];
        w->agents = xnew0(struct agent, w->c->n_nodes);
        for (size_t i = 0; i < w->c->n_nodes; i++)
                place_agent(w, i);
        *ret = TAKE(w);
        return 0;
}

int world_helpers(struct world *w, const char *text, struct fail *fail) {
        struct helpers *h;
        int r = helpers_parse("helpers.conf", text, strlen(text), &h, fail);

        if (r < 0)
                return r;
        if (text != w->helpers)
                free_and_strdup(&w->helpers, text);
        helpers_free(w->c->config->helpers);
        w->c->config->helpers = h;
        for (size_t i = 0; i < w->c->n_nodes; i++)
                node_features_configure(w->c->nodes[i], h);
        cluster_rewant(w->c);
        note(w->c, FACT_PASS_DUE);
        return 0;
}

static void agent_free(struct agent *a) {
        agent_clear(a);
        free(a->list);
        free(a->veto);
        free(a->image);
}

void world_renumber(struct world *w, char *const *names, size_t n) {
        struct agent *old = w->agents;
        _cleanup_free_ size_t *to = xnew(size_t, n + 1);

        w->agents = xnew0(struct agent, w->c->n_nodes);
        for (size_t i = 0; i < n; i++) {
                const struct node *node = cluster_node(w->c, names[i]);
                to[i] = node ? node->index : SIZE_MAX;
                if (node)
                        w->agents[node->index] = old[i];
                else
                        agent_free(&old[i]);
        }
        free(old);
        for (size_t i = 0; i < w->n_events; i++)
                if (w->events[i].node != SIZE_MAX)
                        w->events[i].node = to[w->events[i].node];
}

int world_new_controller(struct world *w, struct fail *fail) {
        struct config *config = NULL;
        struct cluster *c = NULL;
        int r = world_read_conf(w->conf, &config, fail);

        if (r >= 0)
                r = world_keep_dynamic(w->c->config, config, fail);
        if (r < 0) {
                config_free(config);
                return r;
        }
        r = cluster_new(config, w->now, &c, fail);
        if (r < 0) {
                config_free(config);
                return r;
        }
        cluster_free(w->c);
        w->c = c;
        c->pasts.kept = w->accounts_kept;
        r = w->helpers ? world_helpers(w, w->helpers, fail) : 0;
        assert(r >= 0);
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct agent *a = &w->agents[i];
                a->linked = false;
                a->link++;
                if (a->up && !a->cut)
                        plan_event(w, (struct world_event){ .kind = EVENT_REGISTER, .node = i },
                                        USEC_PER_SEC / 2 + i * 97 % 500 * USEC_PER_MSEC);
        }
        return 0;
}

void world_move_time(struct world *w, int64_t by) {
        w->now = clock_moved(w->now, by);
        w->start = clock_moved(w->start, by);
        for (size_t i = 0; i < w->n_events; i++)
                w->events[i].at = clock_moved(w->events[i].at, by);
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                struct agent *a = &w->agents[i];
                a->boot_time = clock_moved(a->boot_time, by);
                for (size_t k = 0; k < a->n; k++)
                        a->list[k].since = clock_moved(a->list[k].since, by);
        }
}

void world_set_clock(struct world *w, int64_t by) {
        world_move_time(w, by);
        cluster_clock_set(w->c, by, w->now);
}

/* Machines that the configuration names for the first time are there; those that it does not name
   any more are gone. */
static void follow_nodes(struct world *w, char *const *names, size_t n) {
        _cleanup_(bitset_freep) struct bitset *old = bitset_new(w->c->n_nodes);

        world_renumber(w, names, n);
        for (size_t i = 0; i < n; i++) {
                const struct node *node = cluster_node(w->c, names[i]);
                if (node)
                        bitset_add(old, node->index);
        }
        for (size_t i = 0; i < w->c->n_nodes; i++)
                if (!bitset_has(old, i))
                        place_agent(w, i);
}

int world_reconfigure(struct world *w, const char *conf, struct fail *fail) {
        _cleanup_free_ char **names = xnew(char *, w->c->n_nodes + 1);
        size_t n = w->c->n_nodes;
        struct config *config = NULL;
        int r = world_read_conf(conf, &config, fail);

        if (r >= 0)
                r = world_keep_dynamic(w->c->config, config, fail);
        if (r < 0) {
                config_free(config);
                return r;
        }
        for (size_t i = 0; i < n; i++)
                names[i] = xstrdup(w->c->nodes[i]->name);
        r = cluster_reconfigure(w->c, config, w->now, fail);
        if (r >= 0) {
                follow_nodes(w, names, n);
                free_and_strdup(&w->conf, conf); /* the next controller reads that */
        } else {
                config_free(config);
        }
        for (size_t i = 0; i < n; i++)
                free(names[i]);
        return r;
}

struct world *world_free(struct world *w) {
        if (!w)
                return NULL;
        for (size_t i = 0; w->agents && i < w->c->n_nodes; i++)
                agent_free(&w->agents[i]);
        free(w->agents);
        cluster_free(w->c);
        free(w->events);
        free(w->plans);
        free(w->conf);
        free(w->helpers);
        free(w);
        return NULL;
}
