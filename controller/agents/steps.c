/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun's steps (job launch guide, "step allocation", "task launch").
 *
 * A request becomes a run.  It waits while the job boots, is suspended, or its nodes are taken by other steps; nothing polls:
 * runs_retry() is called when that changes.  When it fits, it gets an id (core), its reply, and, once durable, its
 * launches.  Streams are relayed between the agents and the command.  It ends when the last node says so.
 * What becomes of it while its command or a node is away is in steps_away.c. */
#include "controller/agents/steps.h"

#include "controller/agents/agents.h"
#include "controller/agents/launch.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/lives/ended_step.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/layout.h"
#include "controller/agents/run.h"
#include "controller/agents/step_list.h"
#include "controller/indexes/changed.h"
#include "controller/lives/job_events.h"
#include "controller/orders/viewer.h"
#include "controller/resources/sockets.h"
#include "controller/model/step_cores.h"
#include "lib/log.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#include <signal.h>

#define STEP_TASKS_MAX    1000000 /* what one command may ask for */
#define RUNS_MAX          10000   /* all that are known: each turn looks at them */
#define RUNS_OF_USER_MAX  4096    /* as many as a node relays commands: one user leaves room for others */
#define WAITING_BYTES_MAX ((size_t)256 << 20) /* one user's specifications that wait, environments and all */
#define AGENT_BACKLOG_MAX ((size_t)128 << 20) /* well below the limit where the agent's connection would be closed */

/* ---- the list ---- */

struct run *run_find(const struct controller *ctl, uint32_t job, uint32_t step) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->started && ctl->runs[i]->job == job && ctl->runs[i]->step == step)
                        return ctl->runs[i];
        return NULL;
}

static void run_free(struct run *r) {
        sd_event_source_disable_unref(r->silence);
        address_done(&r->to);
        slumber__step_spec__free_unpacked(r->spec, NULL);
        for (size_t i = 0; r->ends && i < r->n_nodes; i++)
                if (r->ends[i])
                        slumber__step_ended__free_unpacked(r->ends[i], NULL);
        free(r->ends);
        bitset_free(r->missing);
        free(r->cpus);
        free(r->count);
        free(r->place);
        task_list_done(&r->list);
        bitset_free(r->told);
        free(r->launcher);
        free(r);
}

/* What its agents still wait to hear. */
static void acknowledge_ends(struct controller *ctl, const struct run *r) {
        const struct job *j = cluster_job(ctl->cluster, r->job);

        for (size_t i = 0; r->ends && j && i < MIN(r->n_nodes, j->n_alloc); i++)
                if (r->ends[i])
                        agent_ack_step(ctl, j->alloc[i].node, r->ends[i]);
}

void run_remove(struct controller *ctl, struct run *r) {
        acknowledge_ends(ctl, r);
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i] == r) {
                        /* order kept: the first request starts first */
                        memmove(&ctl->runs[i], &ctl->runs[i + 1], (ctl->n_runs - i - 1) * sizeof ctl->runs[0]);
                        ctl->n_runs--;
                        break;
                }
        run_free(r);
}

void runs_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_runs; i++)
                run_free(ctl->runs[i]);
        free(TAKE(ctl->runs));
        ctl->n_runs = ctl->a_runs = 0;
}

/* Notices answer no request. */
static void tell(const struct run *r, Envelope *env) {
        struct address to = { r->to.peer, r->to.client, 0 };

        reply_now(&to, env);
}

void run_notice(const struct run *r, Slumber__StepNotice__Kind kind, const char *node, uint32_t exit_code,
                const char *text) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = r->job;
        m.step_id = r->step;
        m.kind = kind;
        m.node = (char *)(uintptr_t)(node ? node : "");
        m.exit_code = exit_code;
        m.text = (char *)(uintptr_t)(text ? text : "");
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        tell(r, &env);
}

/* Which processes the tasks of a node are, for the command that asked for it. */
static void tell_processes(const struct run *r, const struct node *n,
                const Slumber__LaunchResult *result) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.job_id = r->job;
        m.step_id = r->step;
        m.kind = SLUMBER__STEP_NOTICE__KIND__PROCESSES;
        m.node = n->name;
        m.processes = result->processes;
        m.n_processes = result->n_processes;
        ENVELOPE(env, STEP_NOTICE, step_notice, &m);
        tell(r, &env);
}

/* ---- where it fits ---- */

struct fit {
        size_t *possible; /* positions in job->alloc that it may have, now or later */
        size_t n_possible;
        size_t *at;       /* those that it can have now */
        uint32_t *room;   /* tasks that fit there */
        uint32_t *count, *place; /* as of struct run */
        size_t n;
        uint32_t tasks;
        struct gres_wants *wants;
        const struct run **others; /* the job's steps that run; none with --overlap */
        size_t n_others, a_others;
};

static void fit_done(struct fit *f) {
        free(f->possible);
        free(f->at);
        free(f->room);
        free(f->count);
        free(f->place);
        free(f->others);
        gres_wants_free(f->wants);
}

static bool named(const struct hostlist *names, const struct node *n) {
        return names && hostlist_has(names, n->name);
}

/* Once for all nodes: other jobs may have many. */
static void find_others(const struct controller *ctl, const struct run *r, struct fit *f) {
        for (size_t i = 0; !r->spec->overlap && i < ctl->n_runs; i++) {
                if (!ctl->runs[i]->started || ctl->runs[i]->job != r->job)
                        continue;
                GROW(f->others, f->a_others, f->n_others);
                f->others[f->n_others++] = ctl->runs[i];
        }
}

static bool is_at(const struct run *o, size_t at) {
        return at < o->n_nodes && o->cpus[at];
}

/* CPUs of position at that other steps leave; a step that takes whole nodes leaves none. */
static uint32_t cpus_left(const struct fit *f, const struct run *r, const struct job *j, size_t at) {
        uint32_t left = j->alloc[at].cpus;

        for (size_t i = 0; i < f->n_others; i++)
                if (is_at(f->others[i], at))
                        left -= MIN(left, f->others[i]->cpus[at]);
        /* without --exact it wants the node to itself */
        return r->spec->exact || left == j->alloc[at].cpus ? left : 0;
}

/* More tasks than CPUs; what --exact asks for is CPUs of its own. */
static bool overcommits(const Slumber__StepSpec *s) {
        return s->overcommit && !s->exact;
}

/* --relative; more than there are leaves none. */
static size_t first_node(const Slumber__StepSpec *s) {
        return s->relative ? (size_t)MIN(s->relative->value, (uint64_t)UINT32_MAX) : 0;
}

/* MB on that node; 0: all that the job has, and it takes none of it from others. */
static uint64_t memory_of(const struct job *j, const struct run *r, size_t at) {
        uint64_t cpus = r->cpus[at] ? r->cpus[at] : j->alloc[at].cpus, memory;

        if (r->spec->mem_per_node || !r->spec->mem_per_cpu)
                return r->spec->mem_per_node;
        return __builtin_mul_overflow(r->spec->mem_per_cpu, cpus, &memory) ? 0 : memory;
}

/* MB of the job's memory at a place that other steps leave. */
static uint64_t memory_left(const struct fit *f, const struct job *j, size_t at) {
        uint64_t left = j->alloc[at].memory;

        for (size_t i = 0; left && i < f->n_others; i++)
                if (is_at(f->others[i], at))
                        left -= MIN(left, memory_of(j, f->others[i], at));
        return left;
}

/* The tasks that left MB of the job's memory on a node are enough for; without counted memory
   all. */
static uint32_t memory_room(const struct job *j, const Slumber__StepSpec *s, size_t at, uint64_t left) {
        uint64_t of_task;

        if (!j->alloc[at].memory || (!s->mem_per_node && !s->mem_per_cpu))
                return UINT32_MAX;
        if (s->mem_per_node)
                return s->mem_per_node <= left ? UINT32_MAX : 0;
        if (__builtin_mul_overflow(s->mem_per_cpu, (uint64_t)MAX(1u, s->cpus_per_task), &of_task))
                return 0;
        return (uint32_t)MIN(left / of_task, (uint64_t)UINT32_MAX);
}

static enum slumber_error candidates(struct controller *ctl, const struct run *r, const struct job *j, struct fit *f,
                struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *only = NULL, *not = NULL;
        uint32_t per_task = MAX(1u, r->spec->cpus_per_task);
        bool has_memory = false;
        size_t others = 0;
        enum slumber_error e = step_gres_wants(j, r->spec, &f->wants, fail);

        if (e != SLUMBER_OK)
                return e;
        if ((*r->spec->nodes && hostlist_parse(r->spec->nodes, &only, fail) < 0) ||
                        (*r->spec->exc_nodes && hostlist_parse(r->spec->exc_nodes, &not, fail) < 0))
                return SLUMBER_BAD_NODE_NAME;
        f->possible = xnew(size_t, j->n_alloc);
        f->at = xnew(size_t, j->n_alloc);
        f->room = xnew(uint32_t, j->n_alloc);
        find_others(ctl, r, f);
        if (only && r->spec->min_nodes > hostlist_count(only))
                others = r->spec->min_nodes - hostlist_count(only);
        for (size_t i = first_node(r->spec); i < j->n_alloc; i++) {
                if (named(not, j->alloc[i].node) || (only && !named(only, j->alloc[i].node) && (!others || !others--)))
                        continue;
                f->possible[f->n_possible++] = i;
                uint32_t memory = memory_room(j, r->spec, i, memory_left(f, j, i));
                has_memory |= memory_room(j, r->spec, i, j->alloc[i].memory) > 0;
                uint32_t left = cpus_left(f, r, j, i), room = job_tasks_in(j, j->alloc[i].node, left, per_task);
                if (left && overcommits(r->spec))
                        room = MAX(room, 1u);
                room = MIN(MIN(room, memory), step_gres_room(j, r->spec, f->wants, i, false));
                if (!node_is_ready(j->alloc[i].node) || room == 0)
                        continue;
                f->at[f->n] = i;
                f->room[f->n++] = room;
        }
        if (!f->n_possible && not && !only)
                fail_set(fail, -EINVAL, "--exclude leaves none of the job's nodes");
        if (!f->n_possible || (only && f->n_possible < hostlist_count(only)))
                return SLUMBER_NODES_NOT_AVAILABLE;
        return has_memory ? SLUMBER_OK : SLUMBER_MEMORY_NOT_AVAILABLE;
}

static int by_size(const void *a, const void *b) { /* the largest first */
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

        return x < y ? 1 : x > y ? -1 : 0;
}

/* So many of its possible nodes as its tasks need, were there no other step: wanted, or more where --nodes leaves that open;
   0: they fit nowhere. */
static size_t nodes_for(const struct job *j, const struct run *r, const struct fit *f, size_t wanted, uint32_t tasks) {
        const Slumber__StepSpec *s = r->spec;
        _cleanup_free_ uint32_t *most = xnew(uint32_t, f->n_possible);
        size_t n = 0, useful = 0, limit = MIN(s->max_nodes ? MAX(s->max_nodes, wanted) : SIZE_MAX, f->n_possible);
        uint64_t sum = 0;

        if (overcommits(s))
                return wanted;
        for (size_t i = 0; i < f->n_possible; i++) {
                const struct job_node *jn = &j->alloc[f->possible[i]];
                most[i] = MIN(job_tasks_in(j, jn->node, jn->cpus, s->cpus_per_task),
                                memory_room(j, s, f->possible[i], jn->memory));
                if (s->ntasks_per_node)
                        most[i] = MIN(most[i], s->ntasks_per_node);
                useful += most[i] > 0;
        }
        if (wanted < f->n_possible)
                qsort(most, f->n_possible, sizeof most[0], by_size);
        for (; n < limit && (n < wanted || sum < tasks); n++)
                sum += most[n];
        return sum < tasks || useful < wanted ? 0 : MAX(n, wanted);
}

static enum slumber_error no_room(const Slumber__StepSpec *s, uint32_t tasks, struct fail *fail) {
        if (!s->ntasks_per_node || !s->max_nodes || tasks <= (uint64_t)s->max_nodes * s->ntasks_per_node)
                return SLUMBER_TOO_MANY_CPUS;
        fail_set(fail, -EINVAL, "%u tasks are more than --ntasks-per-node=%u allows on %u nodes", tasks, s->ntasks_per_node,
                        s->max_nodes);
        return SLUMBER_BAD_TASK_COUNT;
}

/* Where the first of the nodes have too little room for its tasks, the roomiest go to the front, in their order. */
static void roomy_first(struct fit *f, size_t wanted, uint32_t tasks) {
        _cleanup_free_ uint32_t *room = xnew(uint32_t, f->n + 1);
        uint64_t sum = 0;
        size_t n = 0, same = wanted;

        for (size_t i = 0; i < wanted; i++)
                sum += f->room[i];
        if (sum >= tasks || wanted == f->n)
                return;
        memcpy(room, f->room, f->n * sizeof room[0]);
        qsort(room, f->n, sizeof room[0], by_size);
        uint32_t least = room[wanted - 1];
        for (size_t i = 0; i < f->n; i++) /* of those with the least room only as many as are needed */
                same -= f->room[i] > least;
        for (size_t i = 0; i < f->n && n < wanted; i++)
                if (f->room[i] > least || (f->room[i] == least && same && same--)) {
                        f->at[n] = f->at[i];
                        f->room[n++] = f->room[i];
                }
        f->n = wanted;
}

/* As many as were asked for; with --cpus-per-task alone one for each so many CPUs of its nodes, whatever else runs there. */
static uint64_t asked_tasks(const struct job *j, const struct run *r, const struct fit *f, size_t wanted) {
        const Slumber__StepSpec *s = r->spec;
        uint64_t sum = 0;

        if (s->num_tasks)
                return s->num_tasks;
        if (!s->fill_nodes || s->ntasks_per_node)
                return (uint64_t)wanted * MAX(1u, s->ntasks_per_node);
        for (size_t i = 0; i < MIN(wanted, f->n_possible); i++) {
                const struct job_node *jn = &j->alloc[f->possible[i]];
                sum += job_tasks_in(j, jn->node, jn->cpus, s->cpus_per_task);
        }
        return sum;
}

/* How many tasks to each node in turn. */
static uint32_t chunk_of(const struct controller *ctl, const struct run *r) {
        const Slumber__StepSpec *s = r->spec;
        bool pack = s->pack ? s->pack == 1 : ctl->cluster->config->select_params & CR_PACK_NODES;

        return s->plane ? s->plane : pack && !s->cyclic ? LAYOUT_PACKED : 1;
}

/* Of the tasks on the i-th of its nodes; the caller frees. */
static uint32_t *ranks_on(const struct run *r, uint32_t i) {
        if (r->place)
                return step_list_ranks(r->place, r->spec->num_tasks, i, r->count[i]);
        return layout_ranks(r->count, r->n_launches, i, r->spec->cyclic ? 1 : r->spec->plane);
}

/* The first nodes, or such as have what it wants of them together. */
static bool choose_nodes(const struct job *j, const struct run *r, struct fit *f, size_t wanted) {
        _cleanup_free_ size_t *chosen = xnew(size_t, wanted + 1);

        if (!step_gres_choose(j, r->spec, f->wants, f->at, f->n, wanted, false, chosen))
                return false;
        for (size_t i = 0; i < wanted; i++) {
                f->at[i] = f->at[chosen[i]];
                f->room[i] = f->room[chosen[i]];
        }
        f->n = wanted;
        return true;
}

/* ... were there no other step. */
static bool could_have(const struct job *j, const struct run *r, const struct fit *f, size_t wanted) {
        _cleanup_free_ size_t *at = xnew(size_t, j->n_alloc + 1), *chosen = xnew(size_t, wanted + 1);
        size_t n = 0;

        for (size_t i = first_node(r->spec); i < j->n_alloc; i++)
                if (step_gres_room(j, r->spec, f->wants, i, true) > 0)
                        at[n++] = i;
        return step_gres_choose(j, r->spec, f->wants, at, n, wanted, true, chosen);
}

/* The nodes for so many tasks are the first of f->at, if it can have them now. */
static enum slumber_error pick_nodes(const struct job *j, const struct run *r, struct fit *f, size_t wanted, uint32_t tasks,
                struct fail *fail) {
        if (f->n < wanted)
                return SLUMBER_NODES_BUSY;
        if (!f->wants)
                roomy_first(f, wanted, tasks);
        if (choose_nodes(j, r, f, wanted))
                return SLUMBER_OK;
        if (could_have(j, r, f, wanted))
                return SLUMBER_NODES_BUSY;
        fail_set(fail, -EINVAL, "%zu nodes of the job do not have so many generic resources", wanted);
        return SLUMBER_BAD_GRES;
}

/* As they are listed. */
static enum slumber_error lay_out_list(const struct run *r, const struct job *j, struct fit *f, struct fail *fail) {
        _cleanup_free_ uint32_t *most = xnew(uint32_t, f->n), *cpus = xnew(uint32_t, f->n);

        for (size_t i = 0; i < f->n; i++) {
                const struct job_node *jn = &j->alloc[f->at[i]];
                cpus[i] = job_tasks_in(j, jn->node, jn->cpus, r->spec->cpus_per_task);
                most[i] = MIN(memory_room(j, r->spec, f->at[i], jn->memory),
                                step_gres_room(j, r->spec, f->wants, f->at[i], true));
        }
        return step_list_lay_out(&r->list, j, f->at, f->n, f->room, most, cpus, f->count, &f->place, fail);
}

static bool deal_out(const struct controller *ctl, const struct run *r, struct fit *f, uint32_t tasks) {
        const Slumber__StepSpec *s = r->spec;

        if (s->ntasks_per_node)
                for (size_t i = 0; i < f->n; i++)
                        f->room[i] = MIN(f->room[i], s->ntasks_per_node);
        return layout_tasks(f->room, f->n, tasks, chunk_of(ctl, r), s->overlap || overcommits(s), f->count);
}

/* Its tasks on these nodes. */
static enum slumber_error lay_out(const struct controller *ctl, const struct run *r, const struct job *j, struct fit *f,
                uint32_t tasks, struct fail *fail) {
        f->count = xnew0(uint32_t, f->n);
        f->tasks = tasks;
        enum slumber_error e = r->list.n                       ? lay_out_list(r, j, f, fail)
                               : deal_out(ctl, r, f, tasks) ? SLUMBER_OK
                                                            : SLUMBER_NODES_BUSY;
        if (e != SLUMBER_OK)
                return e;
        for (size_t i = 0; i < f->n; i++)
                if (f->count[i] > ctl->cluster->config->max_tasks_per_node)
                        return SLUMBER_BAD_TASK_COUNT;
        return SLUMBER_OK;
}

/* Are there so many nodes from --relative on? */
static enum slumber_error count_nodes(const struct job *j, const Slumber__StepSpec *s, size_t wanted, struct fail *fail) {
        size_t first = first_node(s);

        if (first + wanted <= j->n_alloc)
                return SLUMBER_OK;
        if (first)
                fail_set(fail, -EINVAL,
                                "--relative and --nodes option incompatible with count of allocated nodes (%zu+%zu>%zu)",
                                first, wanted, j->n_alloc);
        else
                fail_set(fail, -EINVAL, "Only allocated %zu nodes asked for %zu", j->n_alloc, wanted);
        return SLUMBER_BAD_NODE_COUNT;
}

/* SLUMBER_NODES_BUSY: not now. */
static enum slumber_error fit_in(struct controller *ctl, const struct run *r, const struct job *j, struct fit *f,
                struct fail *fail) {
        const Slumber__StepSpec *s = r->spec;
        enum slumber_error e = count_nodes(j, s, 1, fail);

        if (e == SLUMBER_OK)
                e = candidates(ctl, r, j, f, fail);
        if (e != SLUMBER_OK)
                return e;
        size_t all = *s->nodes || *s->exc_nodes ? MAX(f->n, (size_t)1) : j->n_alloc - first_node(s);
        size_t wanted = s->min_nodes ? s->min_nodes : all;
        uint64_t asked = asked_tasks(j, r, f, wanted);
        if (!asked || asked > STEP_TASKS_MAX)
                return SLUMBER_TOO_MANY_CPUS;
        uint32_t tasks = (uint32_t)asked;
        wanted = MIN(wanted, tasks);
        e = count_nodes(j, s, wanted, fail);
        if (e != SLUMBER_OK)
                return e;
        wanted = nodes_for(j, r, f, wanted, tasks);
        if (!wanted)
                return no_room(s, tasks, fail);
        e = pick_nodes(j, r, f, wanted, tasks, fail);
        return e == SLUMBER_OK ? lay_out(ctl, r, j, f, tasks, fail) : e;
}

/* ---- starting ---- */

/* CPUs of a node that so many tasks may use, even if others have them. */
static uint32_t step_cpus(const Slumber__StepSpec *s, const struct job_node *jn, uint32_t tasks) {
        uint64_t asked = (uint64_t)tasks * MAX(1u, s->cpus_per_task);

        return s->exact ? (uint32_t)MIN(asked, (uint64_t)jn->cpus) : jn->cpus;
}

static void take_cpus(struct run *r, const struct job *j, const struct fit *f) {
        r->n_nodes = j->n_alloc;
        r->cpus = xnew0(uint32_t, j->n_alloc);
        for (size_t i = 0; i < f->n && !r->spec->overlap; i++)
                r->cpus[f->at[i]] = step_cpus(r->spec, &j->alloc[f->at[i]], f->count[i]);
}

/* --exact: cores of its own, with --overlap such as others may have too. */
static void deal_cores(const struct run *r, const struct job *j, struct step *s, const struct fit *f) {
        _cleanup_free_ uint32_t *cpus = xnew(uint32_t, f->n);

        for (size_t i = 0; i < f->n; i++)
                cpus[i] = step_cpus(r->spec, &j->alloc[f->at[i]], f->count[i]);
        step_cores_deal(j, s, cpus, r->spec->socket_distribution == DISTRIBUTION_BLOCK);
}

static char *fit_nodes(const struct job *j, const struct fit *f) {
        _cleanup_free_ const char **names = xnew(const char *, f->n);

        for (size_t i = 0; i < f->n; i++)
                names[i] = j->alloc[f->at[i]].node->name;
        return hostlist_compress(names, f->n);
}

void run_reply(struct controller *ctl, const struct run *r, const char *nodes) {
        Slumber__StepReply m = SLUMBER__STEP_REPLY__INIT;
        _cleanup_free_ Slumber__TaskList *lists = xnew(Slumber__TaskList, r->n_launches);
        _cleanup_free_ Slumber__TaskList **pointers = xnew(Slumber__TaskList *, r->n_launches);

        for (size_t i = 0; i < r->n_launches; i++) {
                pointers[i] = &lists[i];
                slumber__task_list__init(&lists[i]);
                lists[i].ranks = ranks_on(r, (uint32_t)i);
                lists[i].n_ranks = r->count[i];
        }
        m.job_id = r->job;
        m.step_id = r->step;
        m.nodes = (char *)(uintptr_t)nodes;
        m.tasks_per_node = r->count;
        m.n_tasks_per_node = r->n_launches;
        m.tasks = pointers;
        m.n_tasks = r->n_launches;
        m.kill_wait = (uint32_t)(ctl->cluster->config->kill_wait / USEC_PER_SEC);
        m.kill_on_bad_exit = r->spec->kill_on_bad_exit;
        m.wait = (uint32_t)(ctl->cluster->config->wait_time / USEC_PER_SEC);
        m.append_output = ctl->cluster->config->job_file_append;
        ENVELOPE(env, STEP_REPLY, step_reply, &m);
        reply_durable(ctl, &r->to, &env);
        for (size_t i = 0; i < r->n_launches; i++)
                free(lists[i].ranks);
}

/* What is stored with the job, to know the step again. */
static void fill_step(struct step *s, const struct run *r, const struct job *j, const struct fit *f) {
        s->name = xstrdup(r->spec->name);
        s->host = xstrdup(r->spec->host);
        s->submit_line = xstrdup(r->spec->submit_line);
        s->pid = r->spec->pid;
        s->num_tasks = f->tasks;
        s->token = r->spec->token;
        s->mem_per_node = r->spec->mem_per_node;
        s->mem_per_cpu = r->spec->mem_per_cpu;
        s->cyclic = r->spec->cyclic;
        s->plane = r->spec->plane;
        s->kill_on_bad_exit = r->spec->kill_on_bad_exit;
        if (f->place) {
                s->place = xnew(uint32_t, f->tasks);
                memcpy(s->place, f->place, f->tasks * sizeof s->place[0]);
        }
        s->n_tasks_on = f->n;
        s->tasks = xnew(uint32_t, f->n);
        s->taken = xnew(uint32_t, f->n);
        for (size_t i = 0; i < f->n; i++) {
                s->tasks[i] = f->count[i];
                s->taken[i] = r->cpus[f->at[i]];
                s->cpus += step_cpus(r->spec, &j->alloc[f->at[i]], f->count[i]);
        }
}

static void start(struct controller *ctl, struct run *r, struct job *j, struct fit *f) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(j->n_alloc);
        _cleanup_free_ char *nodes = fit_nodes(j, f);

        for (size_t i = 0; i < f->n; i++)
                bitset_add(set, f->at[i]);
        struct step *s = job_step_started(ctl->cluster, j, set, controller_now(ctl));
        r->step = s->id;
        r->started = true;
        take_cpus(r, j, f);
        fill_step(s, r, j, f);
        if (r->spec->exact)
                deal_cores(r, j, s, f);
        energy_step_begins(j, s, controller_now(ctl));
        job_step_limit(ctl->cluster, j, s, r->spec->time_limit);
        step_gres_take(j, s, r->spec, f->at, f->count, f->n);
        r->missing = TAKE(set);
        r->count = TAKE(f->count);
        r->place = TAKE(f->place);
        r->n_launches = f->n;
        r->told = bitset_new(f->tasks);
        r->spec->num_tasks = f->tasks;
        run_reply(ctl, r, nodes);
        struct effect *fx = effects_add(&ctl->cluster->effects, FX_LAUNCH_STEP);
        fx->job = j->id;
        fx->step = s->id;
        controller_changed(ctl);
}

/* It runs everywhere: what is large is not needed again. */
void run_forget_texts(struct run *r) {
        Slumber__StepSpec *s = r->spec;

        r->texts = false;
        for (size_t i = 0; i < s->n_environment; i++)
                free(s->environment[i]);
        free(TAKE(s->environment));
        s->n_environment = 0;
        r->size = 0;
}

char *run_nodes(const struct job *j, const struct step *s) {
        _cleanup_free_ const char **names = xnew(const char *, j->n_alloc);
        size_t n = 0;

        bitset_for_each(at, s->nodes)
                names[n++] = j->alloc[at].node->name;
        return hostlist_compress(names, n);
}

/* To the nodes that do not have it and are connected; the others get it when they are.  A launch that fails ends the
   run, and others may begin in its place: the job's steps move meanwhile. */
void run_launch(struct controller *ctl, uint32_t job, uint32_t step) {
        struct job *j = cluster_job(ctl->cluster, job);
        struct run *r = run_find(ctl, job, step);
        const struct step *s = j ? job_step_find(j, step) : NULL;
        uint32_t i = 0;

        if (!s || !r || j->completing || !r->texts || bitset_empty(r->missing))
                return;
        _cleanup_(bitset_freep) struct bitset *where = bitset_copy(s->nodes);
        _cleanup_free_ char *tasks = layout_text(r->count, r->n_launches), *nodes = run_nodes(j, s),
                            *job_nodes = cluster_nodes_text(ctl->cluster, j->nodes);
        struct launch l = {
                .job = j,
                .step = step,
                .num_nodes = (uint32_t)r->n_launches,
                .num_tasks = r->spec->num_tasks,
                .tasks_per_node = tasks,
                .step_nodes = nodes,
                .job_nodes = job_nodes,
                .launcher = r->launcher,
                .spec = r->spec,
        };
        _cleanup_(wire_tail_unrefp) struct wire_tail *common = l.common = launch_common(ctl, &l);
        bitset_for_each(at, where) {
                uint32_t rank = i++;
                if (!bitset_has(r->missing, at))
                        continue;
                _cleanup_free_ uint32_t *ranks = ranks_on(r, rank);
                l.at = &j->alloc[at];
                l.node_rank = rank;
                l.cpus = step_cpus(r->spec, l.at, r->count[rank]);
                l.memory = memory_of(j, r, at);
                l.ranks = ranks;
                l.n_ranks = r->count[rank];
                int e = launch_send(ctl, &l);
                if (e >= 0)
                        bitset_del(r->missing, at);
                else if (e != -ENOTCONN)
                        run_node_ended(ctl, r, j->alloc[at].node, 1 << 8, NULL);
                if (!(r = run_find(ctl, job, step)))
                        return;
        }
}

/* Starts it, leaves it waiting, or answers with an error and removes it: then false. */
static bool run_try(struct controller *ctl, struct run *r) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct fail fail = { 0 };
        struct fit f = { 0 };
        enum slumber_error e;

        if (!j || job_is_finished(j) || j->completing)
                e = SLUMBER_JOB_ENDED;
        else if (j->state == JOB_PENDING && watch_of(ctl, WATCH_HOLDER, j->id, &r->to))
                return true; /* it was told of nodes, which the job has given back meanwhile (job_unstart()) */
        else if (j->state == JOB_PENDING)
                e = SLUMBER_JOB_PENDING;
        else if (j->configuring || j->state == JOB_SUSPENDED)
                e = SLUMBER_NODES_BUSY;
        else
                e = fit_in(ctl, r, j, &f, &fail);
        if (e == SLUMBER_OK)
                start(ctl, r, j, &f);
        fit_done(&f);
        if (e == SLUMBER_OK || (e == SLUMBER_NODES_BUSY && !r->immediate))
                return true;
        reply_result(ctl, &r->to, e, fail.text);
        run_remove(ctl, r);
        return false;
}

/* For those nodes of its job that boot, else for other steps. */
static void tell_waiting(const struct controller *ctl, const struct run *r) {
        const struct job *j = cluster_job(ctl->cluster, r->job);
        _cleanup_free_ const char **names = xnew(const char *, j->n_alloc + 1);
        _cleanup_free_ char *list = NULL;
        size_t n = 0;

        for (size_t i = 0; i < j->n_alloc; i++)
                if (j->alloc[i].node->power != NODE_ON || j->alloc[i].node->flags & NODE_REBOOT_ISSUED)
                        names[n++] = j->alloc[i].node->name;
        if (n)
                list = hostlist_compress(names, n);
        run_notice(r, SLUMBER__STEP_NOTICE__KIND__WAITS, NULL, 0, list);
}

void runs_retry(struct controller *ctl, uint32_t job) {
        for (size_t i = 0; i < ctl->n_runs;)
                if (ctl->runs[i]->job != job || ctl->runs[i]->started || run_try(ctl, ctl->runs[i]))
                        i++;
}

/* ret_full: there is no room for one run more, however small. */
static bool too_much(const struct controller *ctl, uid_t uid, size_t size, bool *ret_full) {
        size_t n = 0;

        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->uid == uid) {
                        n++;
                        size += ctl->runs[i]->size;
                }
        *ret_full = ctl->n_runs >= RUNS_MAX || n >= RUNS_OF_USER_MAX;
        return size > WAITING_BYTES_MAX;
}

void run_take_spec(struct run *r, const Slumber__StepSpec *spec) {
        size_t size = slumber__step_spec__get_packed_size(spec);
        _cleanup_free_ uint8_t *copy = xmalloc(size);

        slumber__step_spec__pack(spec, copy);
        if (r->spec)
                slumber__step_spec__free_unpacked(r->spec, NULL);
        r->spec = slumber__step_spec__unpack(NULL, size, copy);
        r->size = size;
        r->texts = true;
}

void run_take_request(const struct controller *ctl, struct run *r, const Slumber__StepSpec *spec) {
        const struct config *config = ctl->cluster->config;
        Slumber__StepSpec asked = *spec;
        _cleanup_free_ Slumber__Rlimit **limits = rlimits_kept(config, spec->rlimits_said, spec->rlimits, &asked.n_rlimits);

        asked.rlimits = limits;
        if (!r->list.n && task_list_add(&r->list, spec->task_nodes, NULL) < 0)
                task_list_done(&r->list); /* handle_step_request() has refused it */
        _cleanup_free_ char *listed = r->list.n ? hostlist_text(r->list.nodes) : NULL;
        if (listed)
                step_list_ask(&r->list, listed, &asked);
        run_take_spec(r, &asked);
        r->spec->kill_on_bad_exit |= config->kill_on_bad_exit && !r->spec->keep_on_bad_exit;
        r->spec->append_output |= config->job_file_append && !r->spec->truncate_output;
        if (config->default_gbytes) {
                r->spec->mem_per_node = size_in_mb(r->spec->mem_per_node, r->spec->plain_sizes & PLAIN_MEM_PER_NODE);
                r->spec->mem_per_cpu = size_in_mb(r->spec->mem_per_cpu, r->spec->plain_sizes & PLAIN_MEM_PER_CPU);
        }
        if (!r->spec->socket_distribution)
                r->spec->socket_distribution = config->select_params & (CR_SOCKET | CR_CORE_DEFAULT_DIST_BLOCK) ? DISTRIBUTION_BLOCK : DISTRIBUTION_CYCLIC;
}

void handle_step_request(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__StepRequest *m = env->step_request;
        const struct viewer viewer = viewer_of(ctl, caller);
        struct job *j = cluster_job(ctl->cluster, viewer_job_id(&viewer, m->job_id));
        enum slumber_error e = SLUMBER_OK;
        const char *text = NULL;
        struct fail fail = { 0 };
        bool full = false;

        if (!j)
                e = SLUMBER_BAD_JOB_ID;
        else if (caller->uid != j->uid) /* not even root: a step runs as its job's user */
                e = SLUMBER_ACCESS_DENIED;
        else if (!m->spec || m->spec->n_arguments == 0)
                e = SLUMBER_PROTOCOL;
        else if (too_much(ctl, caller->uid, slumber__step_spec__get_packed_size(m->spec), &full))
                e = SLUMBER_TOO_MANY_JOBS;
        else if (m->again && run_attach(ctl, caller, m))
                return;
        else if (full)
                e = SLUMBER_TOO_MANY_JOBS;
        else if (m->spec->debug_level && !caller->super) {
                e = SLUMBER_ACCESS_DENIED;
                text = "--slurmd-debug is for root and SlurmUser alone";
        } else if (!step_list_is_good(m->spec->task_nodes, &fail)) {
                e = SLUMBER_BAD_NODE_NAME;
                text = fail.text;
        } else if (!config_gather_allows(ctl->cluster->config, m->spec->acct_frequency))
                e = SLUMBER_BAD_ACCT_FREQUENCY;
        else if (has_control(m->spec->name) || has_control(m->spec->host) || has_control(m->spec->submit_line)) {
                e = SLUMBER_PROTOCOL;
                text = "the step's name or command line has a control character";
        }
        if (e != SLUMBER_OK) {
                reply_result(ctl, &caller->from, e, text);
                return;
        }
        struct run *r = xnew0(struct run, 1);
        run_take_request(ctl, r, m->spec);
        r->job = m->job_id;
        r->uid = caller->uid;
        r->immediate = m->immediate;
        r->to = address_copy(&caller->from);
        r->launcher = r->to.peer->local ? NULL : xstrdup(conn_peer_address(r->to.peer->conn));
        peer_streams(r->to.peer);
        GROW(ctl->runs, ctl->a_runs, ctl->n_runs);
        ctl->runs[ctl->n_runs++] = r;
        if (run_try(ctl, r) && !r->started)
                tell_waiting(ctl, r);
}

/* ---- while it runs ---- */

/* Credits bound what an honest command has under way.  One that ignores them must not cost a node its connection. */
static bool floods(const struct controller *ctl, const struct node *n, const Slumber__StepIo *m) {
        const struct peer *p = ctl->agents[n->index];

        return m->data.len > STEP_WINDOW || (m->data.len && p && p->conn && conn_queued(p->conn) > AGENT_BACKLOG_MAX);
}

void handle_step_io(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__StepIo *m = env->step_io;
        struct run *r = run_find(ctl, m->job_id, m->step_id);
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        struct step *s = j ? job_step_find(j, m->step_id) : NULL;

        if (!r || !s || !address_same(&r->to, &caller->from))
                return; /* late, or not theirs */
        Envelope copy = SLUMBER__ENVELOPE__INIT;
        copy.body_case = SLUMBER__ENVELOPE__BODY_STEP_IO;
        copy.step_io = env->step_io;
        bitset_for_each(at, s->nodes) {
                struct node *n = j->alloc[at].node;
                if (bitset_has(s->ended, at) || (*m->node && !streq(m->node, n->name)))
                        continue;
                if (floods(ctl, n, m)) {
                        log_fields(LOG_WARNING, 0, j->id, n->name, "JobId=%u StepId=%u: input beyond its credit, ended",
                                        j->id, s->id);
                        (void)job_signal(ctl->cluster, j, SIGKILL, s->id, false, true);
                        controller_changed(ctl);
                        return;
                }
                (void)agent_send(ctl, n, &copy);
        }
}

void run_step_io(struct controller *ctl, struct node *n, const Envelope *env) {
        Slumber__StepIo *m = env->step_io;
        const struct run *r = run_find(ctl, m->job_id, m->step_id);
        const struct job *j = r ? cluster_job(ctl->cluster, m->job_id) : NULL;

        if (!j || !job_node_find(j, n))
                return; /* late, or not that node's */
        ENVELOPE(copy, STEP_IO, step_io, m);
        tell(r, &copy);
}

void run_launch_result(struct controller *ctl, struct node *n, const Slumber__LaunchResult *m) {
        struct run *r = run_find(ctl, m->job_id, m->step_id);
        struct job *j = r ? cluster_job(ctl->cluster, m->job_id) : NULL;
        struct job_node *jn = j ? job_node_find(j, n) : NULL;
        struct step *s = jn ? job_step_find(j, m->step_id) : NULL;

        if (!s)
                return;
        if (m->error && m->error->code != SLUMBER_OK && m->error->code != SLUMBER_NO_CHANGE) {
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__LAUNCH_FAILED, n->name, 0, m->error->text);
                run_node_ended(ctl, r, n, 1 << 8, NULL);
                return;
        }
        bitset_add(s->launched, (size_t)(jn - j->alloc));
        if (m->n_processes)
                tell_processes(r, n, m);
        cluster_job_changed(ctl->cluster, j); /* stored with the next change: the turn need not end for it */
        if (r->texts && bitset_equal(s->launched, s->nodes)) {
                run_notice(r, SLUMBER__STEP_NOTICE__KIND__STARTED, n->name, 0, NULL);
                run_forget_texts(r);
        }
}

/* Its command has gone for good, or has heard of its end.  One that is ended with its job stays with that until its nodes have
   said what it has used. */
void run_end(struct controller *ctl, struct run *r) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = j ? job_step_find(j, r->step) : NULL;

        if (s && (!j->completing || job_step_is_over(s))) {
                step_is_over(ctl->cluster, j, s, controller_now(ctl));
                job_step_remove(j, s);
                cluster_job_changed(ctl->cluster, j);
        }
        run_remove(ctl, r);
}

void run_node_ended(struct controller *ctl, struct run *r, struct node *n, uint32_t status, const struct step_use *use) {
        struct job *j = cluster_job(ctl->cluster, r->job);
        struct step *s = j ? job_step_find(j, r->step) : NULL;
        uint32_t job = r->job;

        if (!s || !job_step_node_ended(ctl->cluster, j, s, n, status, use, controller_now(ctl)))
                return;
        run_notice(r, SLUMBER__STEP_NOTICE__KIND__ENDED, n->name, s->exit_code, NULL);
        r->over = true; /* it may not have heard: known until it has gone */
        memset(r->cpus, 0, r->n_nodes * sizeof r->cpus[0]);
        if (r->abandoned)
                run_end(ctl, r);
        runs_retry(ctl, job);
        controller_changed(ctl);
}

/* An agent names all tasks that have ended each time it speaks; each is told once. */
static bool is_news(const struct run *r, uint32_t rank) {
        return rank < r->told->bits && !bitset_has(r->told, rank);
}

/* One notice for all ranks that ended alike. */
static void tell_exits(struct controller *ctl, struct run *r, struct node *n, const Slumber__StepEnded *m) {
        _cleanup_free_ uint32_t *ranks = xnew(uint32_t, m->n_tasks);

        for (size_t i = 0; i < m->n_tasks; i++) {
                Slumber__StepNotice notice_m = SLUMBER__STEP_NOTICE__INIT;
                if (!is_news(r, m->tasks[i]->rank)) /* so each status is looked for once, however many tasks there are */
                        continue;
                for (size_t k = i; k < m->n_tasks; k++)
                        if (m->tasks[k]->status == m->tasks[i]->status && is_news(r, m->tasks[k]->rank)) {
                                bitset_add(r->told, m->tasks[k]->rank);
                                ranks[notice_m.n_ranks++] = m->tasks[k]->rank;
                        }
                notice_m.job_id = r->job;
                notice_m.step_id = r->step;
                notice_m.kind = SLUMBER__STEP_NOTICE__KIND__TASK_EXIT;
                notice_m.node = n->name;
                notice_m.ranks = ranks;
                notice_m.exit_code = m->tasks[i]->status;
                notice_m.text = (char *)(uintptr_t)(m->out_of_memory ? "Out Of Memory" : "");
                ENVELOPE(env, STEP_NOTICE, step_notice, &notice_m);
                tell(r, &env);
        }
}

/* Its command is gone, and its job lets go of its nodes. */
static void note_left_step(struct controller *ctl, struct job *j, struct node *n, const Slumber__StepEnded *m) {
        struct step *s = j && m->last && j->completing && job_incarnation(j) == m->restarts ? job_step_find(j, m->step_id) : NULL;
        _cleanup_(step_use_done) struct step_use use = step_use_of(m);
        uint32_t worst = m->lost ? SIGKILL : 0;

        for (size_t i = 0; i < m->n_tasks; i++)
                worst = MAX(worst, m->tasks[i]->status);
        if (s)
                (void)job_step_node_ended(ctl->cluster, j, s, n, worst, m->lost ? NULL : &use, controller_now(ctl));
}

bool run_step_ended(struct controller *ctl, struct node *n, const Slumber__StepEnded *m) {
        struct run *r = run_find(ctl, m->job_id, m->step_id);
        struct job *j = cluster_job(ctl->cluster, m->job_id);
        const struct job_node *jn = j ? job_node_find(j, n) : NULL;
        uint32_t worst = m->lost ? SIGKILL : 0;

        if (!r || !jn || r->over || job_incarnation(j) != m->restarts) {
                if (!r || !r->over)
                        note_left_step(ctl, j, n, m);
                return true;
        }
        for (size_t i = 0; i < m->n_tasks; i++)
                worst = MAX(worst, m->tasks[i]->status);
        if (worst && r->spec->kill_on_bad_exit)
                (void)job_terminate_step(ctl->cluster, j, r->step);
        if (!r->to.peer && !r->abandoned && !j->completing) { /* of one that ends the row is made before a command asks again */
                if (m->last)
                        run_keep_end(r, (size_t)(jn - j->alloc), m);
                return false;
        }
        tell_exits(ctl, r, n, m);
        r->worst = MAX(r->worst, worst);
        _cleanup_(step_use_done) struct step_use use = step_use_of(m);
        if (m->last)
                run_node_ended(ctl, r, n, r->worst, m->lost ? NULL : &use);
        return true;
}

/* A launch that has not been sent is not sent any more, so no agent will tell the step's end there. */
static void end_unsent(struct controller *ctl, struct run *r, const struct job *j) {
        for (size_t at = 0; !r->over && j && at < MIN(r->missing->bits, j->n_alloc); at++)
                if (bitset_has(r->missing, at)) {
                        bitset_del(r->missing, at);
                        run_node_ended(ctl, r, j->alloc[at].node, r->worst ? r->worst : SIGKILL, NULL);
                }
}

void runs_end_job(struct controller *ctl, uint32_t job) {
        for (size_t i = ctl->n_runs; i-- > 0; i = MIN(i, ctl->n_runs)) {
                struct run *r = ctl->runs[i];
                if (r->job != job)
                        continue;
                if (r->started) {
                        if (!r->abandoned)
                                end_unsent(ctl, r, cluster_job(ctl->cluster, job));
                        continue;
                }
                reply_result(ctl, &r->to, SLUMBER_JOB_ENDED, NULL);
                run_remove(ctl, r);
        }
}

void runs_settle(struct controller *ctl) {
        for (size_t i = ctl->n_runs; i-- > 0;) {
                struct run *r = ctl->runs[i];
                const struct job *j = cluster_job(ctl->cluster, r->job);
                if (!r->started || (j && job_is_active(j) && job_step_find(j, r->step)))
                        continue;
                if (!r->over)
                        run_notice(r, SLUMBER__STEP_NOTICE__KIND__ENDED, NULL, r->worst ? r->worst : SIGKILL, NULL);
                run_remove(ctl, r);
        }
}

/* All of its nodes are among them, else the step would be over. */
static void renumber(struct run *r, const struct bitset *keep) {
        struct bitset *missing = bitset_new(bitset_count(keep));
        size_t n = 0;

        bitset_for_each(at, keep) {
                r->cpus[n] = r->cpus[at];
                if (r->ends)
                        r->ends[n] = r->ends[at];
                bitset_put(missing, n++, bitset_has(r->missing, at));
        }
        bitset_free(r->missing);
        r->missing = missing;
        r->n_nodes = n;
}

void runs_renumber(struct controller *ctl, const struct job *j, const struct bitset *keep) {
        runs_settle(ctl); /* those of the nodes that went */
        for (size_t i = 0; i < ctl->n_runs; i++)
                if (ctl->runs[i]->started && ctl->runs[i]->job == j->id)
                        renumber(ctl->runs[i], keep);
        runs_retry(ctl, j->id);
}
