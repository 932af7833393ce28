/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Place of a step within the job's allocation: the request is compared with the job's resources on
 * each node, and with the rest left by running steps.
 *
 *   fit_node_may_have()   a node of the job satisfies the step's per-node options
 *   fit_find_candidates() the nodes allowed by the request, and the room on ready nodes
 *   fit_nodes_needed()    the number of nodes needed for the tasks
 *   fit_pick_nodes()      the first nodes, the roomiest, or nodes with the generic resources
 *   fit_lay_out()         the number of tasks on each node */
#include "controller/steps/step_fit.h"

#include "controller/model/feature.h"
#include "controller/model/layout.h"
#include "controller/steps/step_list.h"
#include "controller/steps/step_shape.h"

#define STEP_TASKS_MAX 1000000 /* limit for a single command */

uint64_t step_memory(const struct job *j, const struct step_taker *t, size_t at) {
        uint64_t cpus = t->cpus[at] ? t->cpus[at] : j->placed.alloc[at].cpus, memory;

        if (t->spec->mem_per_node || !t->spec->mem_per_cpu)
                return t->spec->mem_per_node;
        return __builtin_mul_overflow(t->spec->mem_per_cpu, cpus, &memory) ? 0 : memory;
}

void fit_done(struct fit *f) {
        free(f->possible);
        free(f->at);
        free(f->room);
        free(f->count);
        free(f->place);
        gres_wants_free(f->wants);
        features_free(f->features);
}

static bool node_is_named_in(const struct hostlist *names, const struct node *n) {
        return names && hostlist_has(names, n->name);
}

static bool is_at(const struct step_taker *o, size_t at) {
        return at < o->n_nodes && o->cpus[at] && (!o->nodes || bitset_has(o->nodes, at));
}

/* Returns the CPUs at position at not used by running steps; a step using whole nodes uses all. */
static uint32_t cpus_left(const struct step_ask *ask, const struct job *j, size_t at) {
        uint32_t left = j->placed.alloc[at].cpus;

        for (size_t i = 0; i < ask->n_others; i++)
                if (is_at(&ask->others[i], at))
                        left -= MIN(left, ask->others[i].cpus[at]);
        /* a step without --exact needs the whole node */
        return ask->spec->exact || left == j->placed.alloc[at].cpus ? left : 0;
}

/* Returns whether tasks may exceed CPUs; --exact asks for separate CPUs. */
static bool step_overcommits(const Slumber__StepSpec *s) {
        return s->overcommit && !s->exact;
}

/* Returns the position by --relative, which may be beyond the last node. */
static size_t first_node(const Slumber__StepSpec *s) {
        return s->relative ? (size_t)MIN(s->relative->value, (uint64_t)UINT32_MAX) : 0;
}

/* Returns the MB of the job's memory at position at not used by other steps. */
static uint64_t memory_left(const struct step_ask *ask, const struct job *j, size_t at) {
        uint64_t left = j->placed.alloc[at].memory;

        for (size_t i = 0; left && i < ask->n_others; i++)
                if (is_at(&ask->others[i], at))
                        left -= MIN(left, step_memory(j, &ask->others[i], at));
        return left;
}

/* Returns the number of tasks that fit into left MB of the job's memory on a node; UINT32_MAX if
   memory is not counted. */
static uint32_t memory_room(const struct job *j, const Slumber__StepSpec *s, size_t at,
                uint64_t left) {
        uint64_t of_task;

        if (!j->placed.alloc[at].memory || (!s->mem_per_node && !s->mem_per_cpu))
                return UINT32_MAX;
        if (s->mem_per_node)
                return s->mem_per_node <= left ? UINT32_MAX : 0;
        if (__builtin_mul_overflow(s->mem_per_cpu, (uint64_t)MAX(1u, s->cpus_per_task), &of_task))
                return 0;
        return (uint32_t)MIN(left / of_task, (uint64_t)UINT32_MAX);
}

/* Parses the features of the step; features equal to the job's own need no check. */
static enum slumber_error read_features(const struct job *j, const Slumber__StepSpec *s,
                struct fit *f, struct fail *fail) {
        if (isempty(s->features) || (j->asked.features && streq(s->features, j->asked.features)))
                return SLUMBER_OK;
        if (features_parse(s->features, &f->features, fail) < 0)
                return SLUMBER_BAD_FEATURE;
        if (features_counts(f->features) == 0)
                return SLUMBER_OK;
        fail_set(fail, -ENOTSUP, "--constraint with a number of nodes is for jobs, not for steps");
        return SLUMBER_BAD_FEATURE;
}

static bool fit_node_may_have(const struct job *j, const Slumber__StepSpec *s, const struct fit *f,
                size_t at) {
        const struct node *n = j->placed.alloc[at].node;
        bool alike = features_alternatives(f->features) == 0 ||
                     features_has_alternative(f->features, f->alternative, n, FEATURES_NOW);

        return alike && features_match(f->features, n, FEATURES_NOW) && step_shape_fits(j, s, at);
}

/* Fails unless wanted nodes of the job satisfy the per-node options. */
static enum slumber_error count_alike(const struct job *j, const Slumber__StepSpec *s,
                const struct fit *f, size_t wanted, struct fail *fail) {
        bool threads = s->threads_per_core == 0;

        if (f->n_alike == j->placed.n_alloc - first_node(s) || f->n_alike >= wanted)
                return SLUMBER_OK;
        for (size_t i = first_node(s); i < j->placed.n_alloc; i++)
                threads |= s->threads_per_core <= step_threads(j, i);
        if (!threads)
                return SLUMBER_TOO_MANY_THREADS;
        fail_set(fail, -EINVAL,
                        "%zu of the job's nodes have what the step asks of each node "
                        "(--constraint, -B, --mincpus, --tmp), %zu are asked for",
                        f->n_alike, wanted);
        return SLUMBER_NODES_NOT_AVAILABLE;
}

static enum slumber_error fit_find_candidates(const struct step_ask *ask, const struct job *j,
                struct fit *f, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *only = NULL, *not = NULL;
        bool has_memory = false;
        size_t others = 0;
        enum slumber_error e = step_gres_wants(j, ask->spec, &f->wants, fail);

        if (e != SLUMBER_OK)
                return e;
        if ((*ask->spec->nodes && hostlist_parse(ask->spec->nodes, &only, fail) < 0) ||
                        (*ask->spec->exc_nodes &&
                                        hostlist_parse(ask->spec->exc_nodes, &not, fail) < 0))
                return SLUMBER_BAD_NODE_NAME;
        f->possible = xnew(size_t, j->placed.n_alloc);
        f->at = xnew(size_t, j->placed.n_alloc);
        f->room = xnew(uint32_t, j->placed.n_alloc);
        if (only && ask->spec->min_nodes > hostlist_count(only))
                others = ask->spec->min_nodes - hostlist_count(only);
        for (size_t i = first_node(ask->spec); i < j->placed.n_alloc; i++) {
                if (j->placed.alloc[i].done || !fit_node_may_have(j, ask->spec, f, i))
                        continue;
                f->n_alike++;
                if ((ask->apart && bitset_has(ask->apart, i)) ||
                                node_is_named_in(not, j->placed.alloc[i].node) ||
                                (only && !node_is_named_in(only, j->placed.alloc[i].node) &&
                                                (!others || !others--)))
                        continue;
                f->possible[f->n_possible++] = i;
                uint32_t memory = memory_room(j, ask->spec, i, memory_left(ask, j, i));
                has_memory |= memory_room(j, ask->spec, i, j->placed.alloc[i].memory) > 0;
                uint32_t left = cpus_left(ask, j, i), room = step_tasks_in(j, ask->spec, i, left);
                if (left && step_overcommits(ask->spec))
                        room = MAX(room, 1u);
                room = MIN(MIN(room, memory), step_gres_room(j, ask->spec, f->wants, i, false));
                if (!node_is_ready(j->placed.alloc[i].node) || room == 0)
                        continue;
                f->at[f->n] = i;
                f->room[f->n++] = room;
        }
        e = count_alike(j, ask->spec, f, 1, fail);
        if (e != SLUMBER_OK)
                return e;
        if (!f->n_possible && not &&!only)
                fail_set(fail, -EINVAL, "--exclude leaves none of the job's nodes");
        if (!f->n_possible || (only && f->n_possible < hostlist_count(only)))
                return SLUMBER_NODES_NOT_AVAILABLE;
        return has_memory ? SLUMBER_OK : SLUMBER_MEMORY_NOT_AVAILABLE;
}

static int room_compare(const void *a, const void *b) { /* largest first */
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

        return x < y ? 1 : x > y ? -1 : 0;
}

/* Returns the number of possible nodes the tasks need on an otherwise empty allocation: wanted, or
   more if --nodes leaves a range; 0: the tasks never fit. */
static size_t fit_nodes_needed(const struct job *j, const struct step_ask *ask, const struct fit *f,
                size_t wanted, uint32_t tasks) {
        const Slumber__StepSpec *s = ask->spec;
        _cleanup_free_ uint32_t *most = xnew(uint32_t, f->n_possible);
        size_t n = 0, useful = 0,
               limit = MIN(s->max_nodes ? MAX(s->max_nodes, wanted) : SIZE_MAX, f->n_possible);
        uint64_t sum = 0;

        if (step_overcommits(s))
                return wanted <= f->n_possible ? wanted : 0;
        for (size_t i = 0; i < f->n_possible; i++) {
                const struct job_node *jn = &j->placed.alloc[f->possible[i]];
                most[i] = MIN(step_tasks_in(j, s, f->possible[i], jn->cpus),
                                memory_room(j, s, f->possible[i], jn->memory));
                if (s->ntasks_per_node)
                        most[i] = MIN(most[i], s->ntasks_per_node);
                useful += most[i] > 0;
        }
        if (wanted < f->n_possible)
                list_sort(most, f->n_possible, sizeof most[0], room_compare);
        for (; n < limit && (n < wanted || sum < tasks); n++)
                sum += most[n];
        return sum < tasks || useful < wanted ? 0 : MAX(n, wanted);
}

static enum slumber_error fit_no_room_error(const Slumber__StepSpec *s, uint32_t tasks,
                struct fail *fail) {
        if (!s->ntasks_per_node || !s->max_nodes ||
                        tasks <= (uint64_t)s->max_nodes * s->ntasks_per_node)
                return SLUMBER_TOO_MANY_CPUS;
        fail_set(fail, -EINVAL, "%u tasks are more than --ntasks-per-node=%u allows on %u nodes",
                        tasks, s->ntasks_per_node, s->max_nodes);
        return SLUMBER_BAD_TASK_COUNT;
}

/* Moves the roomiest nodes to the front, in their order, if the first nodes have too little room
   for the tasks. */
static void fit_roomy_first(struct fit *f, size_t wanted, uint32_t tasks) {
        _cleanup_free_ uint32_t *room = xnew(uint32_t, f->n + 1);
        uint64_t sum = 0;
        size_t n = 0, same = wanted;

        for (size_t i = 0; i < wanted; i++)
                sum += f->room[i];
        if (sum >= tasks || wanted == f->n)
                return;
        memcpy(room, f->room, f->n * sizeof room[0]);
        list_sort(room, f->n, sizeof room[0], room_compare);
        uint32_t least = room[wanted - 1];
        /* take nodes with the least accepted room only as far as needed */
        for (size_t i = 0; i < f->n; i++)
                same -= f->room[i] > least;
        for (size_t i = 0; i < f->n && n < wanted; i++)
                if (f->room[i] > least || (f->room[i] == least && same && same--)) {
                        f->at[n] = f->at[i];
                        f->room[n++] = f->room[i];
                }
        f->n = wanted;
}

/* Returns the number of tasks asked for. With --cpus-per-task only, it follows from all CPUs of the
   nodes, busy or not. */
static uint64_t asked_tasks(const struct job *j, const struct step_ask *ask, const struct fit *f,
                size_t wanted) {
        const Slumber__StepSpec *s = ask->spec;
        uint64_t sum = 0;

        if (s->num_tasks)
                return s->num_tasks;
        if (!s->fill_nodes || s->ntasks_per_node)
                return (uint64_t)wanted * MAX(1u, s->ntasks_per_node);
        for (size_t i = 0; i < MIN(wanted, f->n_possible); i++)
                sum += step_tasks_in(j, s, f->possible[i], j->placed.alloc[f->possible[i]].cpus);
        return sum;
}

/* Returns how many consecutive tasks each node gets in turn. */
static uint32_t chunk_of(const struct step_ask *ask) {
        const Slumber__StepSpec *s = ask->spec;
        bool pack = s->pack ? s->pack == 1 : ask->pack;

        return s->plane ? s->plane : pack && !s->cyclic ? LAYOUT_PACKED : 1;
}

/* Keeps wanted nodes with the generic resources that are asked for in total; the first nodes if
   none are. */
static bool choose_nodes(const struct job *j, const struct step_ask *ask, struct fit *f,
                size_t wanted) {
        _cleanup_free_ size_t *chosen = xnew(size_t, wanted + 1);

        if (!step_gres_choose(j, ask->spec, f->wants, f->at, f->n, wanted, false, chosen))
                return false;
        for (size_t i = 0; i < wanted; i++) {
                f->at[i] = f->at[chosen[i]];
                f->room[i] = f->room[chosen[i]];
        }
        f->n = wanted;
        return true;
}

/* Returns whether choose_nodes() would succeed without running steps. */
static bool fit_could_have_gres(const struct job *j, const struct step_ask *ask,
                const struct fit *f, size_t wanted) {
        _cleanup_free_ size_t *at = xnew(size_t, j->placed.n_alloc + 1),
                              *chosen = xnew(size_t, wanted + 1);
        size_t n = 0;

        for (size_t i = 0; i < f->n_possible; i++)
                if (step_gres_room(j, ask->spec, f->wants, f->possible[i], true) > 0)
                        at[n++] = f->possible[i];
        return step_gres_choose(j, ask->spec, f->wants, at, n, wanted, true, chosen);
}

/* Puts wanted nodes for the tasks to the front of f->at, if available now. */
static enum slumber_error fit_pick_nodes(const struct job *j, const struct step_ask *ask,
                struct fit *f, size_t wanted, uint32_t tasks, struct fail *fail) {
        if (f->n < wanted)
                return SLUMBER_NODES_BUSY;
        if (!f->wants)
                fit_roomy_first(f, wanted, tasks);
        if (choose_nodes(j, ask, f, wanted))
                return SLUMBER_OK;
        if (fit_could_have_gres(j, ask, f, wanted))
                return SLUMBER_NODES_BUSY;
        fail_set(fail, -EINVAL, "%zu nodes of the job do not have so many generic resources",
                        wanted);
        return SLUMBER_BAD_GRES;
}

/* Lays out the tasks on their listed nodes. */
static enum slumber_error fit_lay_out_list(const struct step_ask *ask, const struct job *j,
                struct fit *f, struct fail *fail) {
        _cleanup_free_ uint32_t *most = xnew(uint32_t, f->n), *cpus = xnew(uint32_t, f->n);

        for (size_t i = 0; i < f->n; i++) {
                const struct job_node *jn = &j->placed.alloc[f->at[i]];
                cpus[i] = step_tasks_in(j, ask->spec, f->at[i], jn->cpus);
                most[i] = MIN(memory_room(j, ask->spec, f->at[i], jn->memory),
                                step_gres_room(j, ask->spec, f->wants, f->at[i], true));
                most[i] = MIN(most[i], step_tasks_allowed(j, ask->spec, f->at[i], jn->cpus));
        }
        return step_list_lay_out(ask->list, j, f->at, f->n, f->room, most, cpus, f->count,
                        &f->place, fail);
}

static bool fit_deal_out(const struct step_ask *ask, struct fit *f, uint32_t tasks) {
        const Slumber__StepSpec *s = ask->spec;

        if (s->ntasks_per_node)
                for (size_t i = 0; i < f->n; i++)
                        f->room[i] = MIN(f->room[i], s->ntasks_per_node);
        /* Each node gets a task in turn, even with different CPUs per node: the tasks share
           CPUs. */
        bool evenly = s->plane == 1 && !s->exact && !s->ntasks_per_node;
        return layout_tasks(evenly ? NULL : f->room, f->n, tasks, chunk_of(ask),
                        s->overlap || step_overcommits(s), f->count);
}

/* Lays out the tasks on the nodes of f. */
static enum slumber_error fit_lay_out(const struct step_ask *ask, const struct job *j,
                struct fit *f, uint32_t tasks, struct fail *fail) {
        f->count = xnew0(uint32_t, f->n);
        f->tasks = tasks;
        enum slumber_error e = ask->list                     ? fit_lay_out_list(ask, j, f, fail)
                               : fit_deal_out(ask, f, tasks) ? SLUMBER_OK
                                                             : SLUMBER_NODES_BUSY;
        if (e != SLUMBER_OK)
                return e;
        for (size_t i = 0; i < f->n; i++)
                if (f->count[i] > ask->max_tasks_per_node)
                        return SLUMBER_BAD_TASK_COUNT;
        return SLUMBER_OK;
}

/* Fails unless wanted nodes follow the position of --relative. */
static enum slumber_error fit_check_node_count(const struct job *j, const Slumber__StepSpec *s,
                size_t wanted, struct fail *fail) {
        size_t first = first_node(s);

        if (first + wanted <= j->placed.n_alloc)
                return SLUMBER_OK;
        if (first)
                fail_set(fail, -EINVAL,
                                "--relative and --nodes option incompatible with count of allocated nodes (%zu+%zu>%zu)",
                                first, wanted, j->placed.n_alloc);
        else
                fail_set(fail, -EINVAL, "Only allocated %zu nodes asked for %zu", j->placed.n_alloc,
                                wanted);
        return SLUMBER_BAD_NODE_COUNT;
}

static enum slumber_error fit_try_alternative(const struct step_ask *ask, const struct job *j,
                struct fit *f, struct fail *fail) {
        const Slumber__StepSpec *s = ask->spec;
        enum slumber_error e = fit_check_node_count(j, s, 1, fail);

        if (e == SLUMBER_OK)
                e = fit_find_candidates(ask, j, f, fail);
        if (e != SLUMBER_OK)
                return e;
        bool some = *s->nodes || *s->exc_nodes || f->n_possible < j->placed.n_alloc - first_node(s);
        size_t all = some ? MAX(f->n, (size_t)1) : j->placed.n_alloc - first_node(s);
        size_t wanted = s->min_nodes ? s->min_nodes : all;
        uint64_t asked = asked_tasks(j, ask, f, wanted);
        if (!asked || asked > STEP_TASKS_MAX)
                return SLUMBER_TOO_MANY_CPUS;
        uint32_t tasks = (uint32_t)asked;
        wanted = MIN(wanted, tasks);
        e = fit_check_node_count(j, s, wanted, fail);
        if (e == SLUMBER_OK)
                e = count_alike(j, s, f, wanted, fail);
        if (e != SLUMBER_OK)
                return e;
        wanted = fit_nodes_needed(j, ask, f, wanted, tasks);
        if (!wanted)
                return fit_no_room_error(s, tasks, fail);
        e = fit_pick_nodes(j, ask, f, wanted, tasks, fail);
        return e == SLUMBER_OK ? fit_lay_out(ask, j, f, tasks, fail) : e;
}

/* Returns whether --nodelist names a foreign node, the cause of further errors; fail has the
   name. */
static bool has_strangers(const struct job *j, const Slumber__StepSpec *s, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *only = NULL;
        _cleanup_(bitset_freep) struct bitset *found = NULL;
        size_t i = 0, n;

        if (isempty(s->nodes) || hostlist_parse(s->nodes, &only, NULL) < 0)
                return false;
        n = hostlist_count(only);
        found = bitset_new(n);
        for (size_t k = 0; k < j->placed.n_alloc; k++) {
                size_t at = hostlist_index(only, j->placed.alloc[k].node->name);
                if (at < n)
                        bitset_add(found, at);
        }
        while (i < n && bitset_has(found, i))
                i++;
        if (i < n)
                fail_set(fail, -EINVAL, "--nodelist: %.100s is none of the job's nodes",
                                hostlist_get(only, i));
        return i < n;
}

/* Tries the alternatives of [a|b] in turn: the first with a fit, else the first that may fit later,
   else the first error. */
enum slumber_error fit_in(const struct step_ask *ask, const struct job *j, struct fit *f,
                struct fail *fail) {
        enum slumber_error e = read_features(j, ask->spec, f, fail), best = e;
        size_t n = e == SLUMBER_OK ? MAX(features_alternatives(f->features), (size_t)1) : 0;

        for (size_t i = 0; i < n; i++) {
                struct fail why = { 0 };
                struct features *features = TAKE(f->features);
                fit_done(f);
                *f = (struct fit){ .features = features, .alternative = i };
                e = fit_try_alternative(ask, j, f, &why);
                if (i == 0 || e == SLUMBER_OK || (e == SLUMBER_NODES_BUSY && best != e)) {
                        *fail = why;
                        best = e;
                }
                if (e == SLUMBER_OK)
                        break;
        }
        if ((best == SLUMBER_TOO_MANY_CPUS || best == SLUMBER_NODES_NOT_AVAILABLE) &&
                        has_strangers(j, ask->spec, fail))
                return SLUMBER_NODES_NOT_AVAILABLE;
        return best;
}
