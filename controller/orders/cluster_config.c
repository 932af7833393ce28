/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a cluster from a configuration, at the start and at each reconfigure, in a common path.
 *
 * new_config_check() finds forbidden changes before any change.  Then nodes are taken over by name
 * or created, partitions are created anew, and references to nodes and partitions (of jobs, sets)
 * are renewed by rebind_jobs() and the like. */
#include "controller/orders/partitions.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/job_deadline.h"
#include "controller/model/cluster.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/job_defaults.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/usage.h"
#include "controller/indexes/array.h"
#include "controller/indexes/listen.h"
#include "controller/indexes/queue.h"
#include "controller/indexes/rank.h"
#include "controller/indexes/trigger_events.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/license_life.h"
#include "controller/model/feature.h"
#include "controller/model/het.h"
#include "controller/model/job_names.h"
#include "controller/model/job_tokens.h"
#include "controller/model/node_features.h"
#include "controller/model/node_log.h"
#include "controller/model/spec.h"
#include "controller/model/user_texts.h"
#include "controller/nodes/brake.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "lib/sorted.h"

#include <strings.h>

/* ---- checks ---- */

/* Returns the new index of each present node; SIZE_MAX: removed.  The caller frees. */
static size_t *new_places(const struct cluster *c, const struct config *config) {
        size_t *places = xnew(size_t, c->n_nodes);

        for (size_t i = 0; i < c->n_nodes; i++)
                places[i] = SIZE_MAX;
        for (size_t i = 0; i < config->n_nodes; i++) {
                const struct node *n = cluster_node(c, config->nodes[i].name);
                if (n)
                        places[n->index] = i;
        }
        return places;
}

static bool job_left_nodes(const struct job *j) {
        return job_is_finished(j) && !j->completing;
}

bool job_is_history(const struct job *j) {
        for (uint32_t i = 0; j->het && i < j->het->n; i++) /* components may run again together */
                if (j->het->of[i] && !job_left_nodes(j->het->of[i]))
                        return false;
        return job_left_nodes(j);
}

/* Every node of a job that is not history must stay, including nodes that the job has left, and in
   the order of the job: the first node has the script, and steps count from there. */
static int check_busy_nodes(const struct cluster *c, const size_t *places, struct fail *fail) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                if (!j || job_is_history(j))
                        continue;
                for (size_t k = 0; k < j->placed.n_alloc; k++) {
                        const struct node *n = j->placed.alloc[k].node;
                        if (places[n->index] == SIZE_MAX)
                                return fail_set(fail, -EBUSY,
                                                "node %s has job %u and cannot be taken out",
                                                n->name, j->id);
                        if (k && places[n->index] < places[j->placed.alloc[k - 1].node->index])
                                return fail_set(fail, -EBUSY,
                                                "nodes %s and %s have job %u and cannot change their order",
                                                j->placed.alloc[k - 1].node->name, n->name, j->id);
                }
        }
        return 0;
}

/* Finished jobs are only history: they keep neither a node nor a partition missing in config (NULL:
   all partitions stay). */
static void forget_history(struct cluster *c, const struct config *config, const size_t *places) {
        /* a removal may compact the list */
        for (size_t i = c->n_jobs; i-- > 0; i = MIN(i, c->n_jobs)) {
                struct job *j = c->jobs[i].job;
                if (j && config && job_is_history(j) &&
                                !config_has_partition(config, j->partition->name)) {
                        cluster_job_forget(c, j);
                        continue;
                }
                for (size_t k = 0; j && k < j->placed.n_alloc; k++)
                        if (places[j->placed.alloc[k].node->index] == SIZE_MAX) {
                                cluster_job_forget(c, TAKE(j));
                                break;
                        }
        }
}

static int new_config_check(const struct cluster *c, const struct config *config,
                const size_t *places, struct fail *fail) {
        int r = check_busy_nodes(c, places, fail);

        if (r < 0)
                return r;
        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                if (j && !job_is_history(j) && !j->partition->created &&
                                !config_has_partition(config, j->partition->name))
                        return fail_set(fail, -EBUSY,
                                        "partition %s has job %u and cannot be taken out",
                                        j->partition->name, j->id);
        }
        return exclusions_check(config, fail);
}

/* ---- nodes ---- */

/* Like Slurm: where the configuration gives a core several threads, jobs never share a core, even
   with CR_CPU. */
static void set_units(struct node *n, const struct config_node *from) {
        n->units = config_node_cores(from);
        n->cpus_per_unit = from->cpus / n->units;
}

static const struct {
        const char *word;
        enum node_base base;
        enum node_power power;
        unsigned flags;
} start_states[] = {
        { "UNKNOWN", NODE_UNKNOWN, NODE_ON, 0 },
        { "IDLE", NODE_UNKNOWN, NODE_ON, 0 }, /* after the registration */
        { "CLOUD", NODE_IDLE, NODE_POWERED_DOWN, NODE_CLOUD },
        { "DOWN", NODE_DOWN, NODE_ON, 0 },
        { "DRAIN", NODE_UNKNOWN, NODE_ON, NODE_DRAIN },
        { "FAIL", NODE_UNKNOWN, NODE_ON, NODE_FAIL },
        { "FUTURE", NODE_FUTURE, NODE_ON, 0 },
};

static int set_start_state(struct node *n, const char *word, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(start_states); i++)
                if (strcasecmp(start_states[i].word, isempty(word) ? "UNKNOWN" : word) == 0) {
                        n->base = start_states[i].base;
                        n->power = start_states[i].power;
                        n->flags = start_states[i].flags;
                        return 0;
                }
        return fail_set(fail, -EINVAL, "node %s: State=%s is not a state that a node can start in",
                        n->name, word);
}

static int node_new(const struct config_node *from, struct node **ret, struct fail *fail) {
        struct node *n = xnew0(struct node, 1);

        n->name = xstrdup(from->name);
        n->features = xstrdup(from->features);
        n->weight = from->weight;
        n->reason = xstrdup(from->reason);
        int r = set_start_state(n, from->state, fail);
        if (r < 0) {
                node_free(n);
                return r;
        }
        *ret = n;
        return 0;
}

_Static_assert(ELEMENTSOF(((struct config_node *)NULL)->milliwatts) == ENERGY_FIGURE_MAX,
                "a figure of slumber.yaml is missing");

/* Configures n.  False: jobs on n keep the CPUs as they were, and with them the reserved
   resources. */
static bool node_configure(const struct config *config, struct node *n,
                const struct config_node *from) {
        bool tells = n->flags & NODE_CLOUD || from->dynamic;
        bool mapped = n->flags & NODE_DYNAMIC_FUTURE; /* slurm.conf cannot know the address */
        /* a node that has reported an address keeps the address */
        if (!n->address || (!mapped && (!tells || n->power != NODE_ON))) {
                free_and_strdup(&n->address, from->address);
                free_and_strdup(&n->hostname, from->hostname);
        }
        free_and_strdup(&n->features, from->features);
        node_features_configure(n, config->helpers);
        if (!from->dynamic) { /* the files are authoritative; dynamic nodes are in no file */
                free(TAKE(n->moved_to));
                free(TAKE(n->place_told));
        }
        n->port = from->port;
        n->dynamic = from->dynamic;
        n->own_suspend_time = from->suspend_time;
        n->weight = from->weight;
        for (size_t i = 0; i < ENERGY_FIGURE_MAX; i++)
                n->figures[i] = from->milliwatts[i];
        n->boots_in = from->boot_seconds * USEC_PER_SEC;
        n->shuts_down_in = from->shutdown_seconds * USEC_PER_SEC;
        if (!n->n_jobs) { /* resources of jobs are counted in the present units */
                n->configured = (struct node_hardware){ from->cpus, from->boards, from->sockets,
                        from->cores, from->threads, from->real_memory, from->tmp_disk };
                free_and_strdup(&n->gres, from->gres);
                gres_configure(n);
                set_units(n, from);
        }
        bool same = config_node_cores(from) == n->units && from->cpus == n->configured.cpus &&
                    from->sockets == n->configured.sockets;
        if (same)
                node_set_spec(n, from, config->spec_cores_first);
        gres_configure_sides(n, config);
        return same;
}

static int node_compare_names(const void *a, const void *b) {
        const struct node *const *x = a, *const *y = b;

        return strcmp((*x)->name, (*y)->name);
}

/* Makes the new list; nodes that stay are taken out of the old list (their old entries become
   NULL). */
static int new_config_take_nodes(struct cluster *c, const struct config *config, struct node ***ret,
                struct fail *fail) {
        struct node **list = xnew0(struct node *, config->n_nodes);
        bool *fresh = xnew0(bool, config->n_nodes);
        int r = 0;

        for (size_t i = 0; i < config->n_nodes && r >= 0; i++) {
                list[i] = cluster_node(c, config->nodes[i].name);
                if (!list[i]) {
                        r = node_new(&config->nodes[i], &list[i], fail);
                        fresh[i] = true;
                }
        }
        if (r < 0) {
                for (size_t i = 0; i < config->n_nodes; i++)
                        if (fresh[i])
                                node_free(list[i]);
                free(list);
        } else {
                for (size_t i = 0; i < config->n_nodes; i++)
                        if (!fresh[i])
                                c->nodes[list[i]->index] = NULL;
                *ret = list;
        }
        free(fresh);
        return r;
}

static void remake_set(struct cluster *c, struct bitset **set) {
        bitset_free(*set);
        *set = bitset_new(c->n_nodes);
}

static void make_weights(struct cluster *c) {
        _cleanup_free_ uint32_t *weights = xnew(uint32_t, c->n_nodes);

        for (size_t i = 0; i < c->n_weights; i++)
                bitset_free(c->weights[i]);
        free(c->weights);
        for (size_t i = 0; i < c->n_nodes; i++)
                weights[i] = c->nodes[i]->weight;
        list_sort(weights, c->n_nodes, sizeof *weights, number_compare);
        c->weights = xnew0(struct bitset *, c->n_nodes);
        c->n_weights = 0;
        for (size_t i = 0; i < c->n_nodes; i++) {
                if (i && weights[i] == weights[i - 1])
                        continue;
                struct bitset *set = bitset_new(c->n_nodes);
                for (size_t k = 0; k < c->n_nodes; k++)
                        if (c->nodes[k]->weight == weights[i])
                                bitset_add(set, k);
                c->weights[c->n_weights++] = set;
        }
}

/* again: nodes that stay are configured anew; else they keep changes by scontrol. */
static void install_nodes(struct cluster *c, const struct config *config, struct node **list,
                bool again) {
        for (size_t i = 0; i < c->n_nodes; i++)
                node_free(c->nodes[i]); /* removed nodes */
        free(c->nodes);
        free(c->by_name);
        c->nodes = list;
        c->n_nodes = config->n_nodes;
        c->by_name = xnew(struct node *, c->n_nodes);
        for (size_t i = 0; i < c->n_nodes; i++) {
                c->by_name[i] = list[i];
                list[i]->index = (uint32_t)i;
                list[i]->armed = 0;
                if ((again || !list[i]->units) &&
                                !node_configure(config, list[i], &config->nodes[i]))
                        cluster_log(c, 0, list[i],
                                        "Node %s has jobs: CPUs, CoreSpecCount, CpuSpecList and "
                                        "MemSpecLimit change by a reconfigure after their end",
                                        list[i]->name);
        }
        list_sort(c->by_name, c->n_nodes, sizeof c->by_name[0], node_compare_names);
        remake_set(c, &c->schedulable);
        remake_set(c, &c->unused);
        remake_set(c, &c->powered);
        remake_set(c, &c->sleepless);
        for (size_t i = 0; i < SPARE_LEVELS; i++)
                remake_set(c, &c->spare[i]);
        remake_set(c, &c->to_suspend);
        remake_set(c, &c->to_resume);
        remake_set(c, &c->boot_failed);
        remake_set(c, &c->to_reboot);
        remake_set(c, &c->warm);
        follows_renumber(c);
        trigger_renumber(c);
        plans_forget(c);
        for (int p = NODE_ON; p < NODE_POWER_MAX; p++)
                remake_set(c, &c->power[p]);
        for (int d = 0; d < NODE_DISTANCE_MAX; d++)
                remake_set(c, &c->distance[d]);
        make_weights(c);
}

/* ---- references to nodes and partitions ---- */

static int job_node_compare(const void *a, const void *b) {
        const struct job_node *x = a, *y = b;

        return x->node->index < y->node->index ? -1 : x->node->index > y->node->index;
}

static void rebind_job(struct cluster *c, struct job *j) {
        job_find_nodes(c, j);
        if (!j->placed.nodes)
                return;
        const struct node *batch = j->placed.n_alloc ? j->placed.alloc[j->placed.batch_at].node
                                                     : NULL;
        list_sort(j->placed.alloc, j->placed.n_alloc, sizeof j->placed.alloc[0], job_node_compare);
        for (uint32_t i = 0; j->asked.batch_features && i < j->placed.n_alloc; i++)
                if (j->placed.alloc[i].node == batch)
                        j->placed.batch_at = i;
        j->placed.nodes = bitset_free(j->placed.nodes);
        j->placed.nodes = bitset_new(c->n_nodes);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                bitset_add(j->placed.nodes, j->placed.alloc[i].node->index);
}

void cluster_set_weight(struct cluster *c, struct node *n, uint32_t weight) {
        n->weight = weight;
        make_weights(c);
        note(c, FACT_WEIGHT_CHANGED);
}

/* ---- power saving ---- */

/* The rates are counted per minute: passes must not be further apart. */
#define INTERVAL_MAX 60

/* Returns why power saving is off; NULL: on (power-saving guide, "to enable power saving"). */
static const char *off_because(const struct config *config) {
        bool some_time = config->suspend_time != NO_LIMIT;

        for (size_t i = 0; i < config->n_partitions; i++)
                some_time |= config->partitions[i].suspend_time < TIME_UNSET;
        for (size_t i = 0; i < config->n_nodes && !some_time; i++)
                some_time = config->nodes[i].suspend_time < TIME_UNSET;
        if (config->power_fault)
                return config->power_fault;
        if (isempty(config->suspend_program))
                return "no SuspendProgram";
        if (isempty(config->resume_program))
                return "no ResumeProgram";
        if ((config->suspend_rate || config->resume_rate) &&
                        MAX(config->power_save_interval, config->power_save_min_interval) >
                                        INTERVAL_MAX)
                return "power_save_interval over 60 seconds does not go with SuspendRate or ResumeRate";
        return some_time ? NULL : "no SuspendTime, globally or for a partition or node";
}

/* was_on: power saving was on.  A reconfigure with unchanged rates keeps the tokens; no tokens
   accumulate while power saving is off. */
static void set_rate(const struct config *config, struct bucket *b, uint32_t rate, bool was_on,
                usec_t now) {
        uint32_t span = MAX(config->power_save_interval, config->power_save_min_interval);
        const struct bucket before = *b;

        bucket_init(b, rate, span * USEC_PER_SEC, now);
        if (!was_on || before.rate != rate)
                return;
        b->tokens = MIN(before.tokens, b->capacity);
        b->refilled = before.refilled;
        b->armed = before.armed;
}

static void set_power_save(struct cluster *c, usec_t now) {
        const char *why = off_because(c->config);
        bool was_on = c->power_save;

        c->power_save = !why;
        free_and_strdup(&c->power_save_off_because, why);
        set_rate(c->config, &c->suspend_bucket, c->config->suspend_rate, was_on, now);
        set_rate(c->config, &c->resume_bucket, c->config->resume_rate, was_on, now);
}

void cluster_power_changed(struct cluster *c, usec_t now) {
        set_power_save(c, now);
        cluster_partitions_changed(c, now);
}

void cluster_rearm_active(struct cluster *c, const struct partition *p) {
        for (size_t i = 0; i < c->n_active; i++)
                if (!p || c->active[i]->partition == p)
                        cluster_job_rearm(c, c->active[i]);
}

/* ---- entry points ---- */

void cluster_rewant(struct cluster *c) {
        for (size_t i = 0; i < c->n_nodes; i++) {
                bitset_put(c->to_suspend, i, c->nodes[i]->flags & NODE_POWER_DOWN_WANTED);
                bitset_put(c->to_resume, i, c->nodes[i]->flags & NODE_POWER_UP_WANTED);
                bitset_put(c->to_reboot, i, c->nodes[i]->flags & NODE_REBOOT_WANTED);
        }
        for (size_t i = 0; i < c->n_active; i++)
                for (size_t k = 0; !c->active[i]->completing && k < c->active[i]->placed.n_alloc;
                                k++)
                        if (!c->active[i]->placed.alloc[k].done &&
                                        c->active[i]->placed.alloc[k].node->power != NODE_ON)
                                bitset_add(c->to_resume, c->active[i]->placed.alloc[k].node->index);
}

/* The names of each reservation's nodes, because node indexes change. */
struct reserved {
        char **names;
        size_t n;
};

static struct reserved names_of_reserved(const struct cluster *c) {
        struct reserved of = { .names = xnew(char *, c->resvs.n + 1) };

        for (; of.n < c->resvs.n; of.n++)
                of.names[of.n] = cluster_nodes_text(c, c->resvs.list[of.n]->nodes);
        return of;
}

static void reserved_done(struct reserved *of) {
        texts_free(of->names, of->n);
}

/* Adds to c the names that the partitions' weights may use. */
static int take_tres(struct cluster *c, const struct config *config, struct fail *fail) {
        int r = tres_names_add(&c->acct.tres, config->tracked, fail);

        for (size_t i = 0; i < config->n_partitions && r >= 0; i++) {
                struct billing b;
                r = billing_parse(&c->acct.tres, config->partitions[i].billing, &b, fail);
                if (r < 0)
                        r = fail_prefix(fail, r, "partition %s", config->partitions[i].name);
        }
        return r;
}

static void rebind_reservations(struct cluster *c, const struct reserved *of) {
        for (size_t i = 0; i < c->resvs.n; i++)
                resv_rebind(c, c->resvs.list[i], of->names[i]);
}

static void rebind_jobs(struct cluster *c) {
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        rebind_job(c, c->jobs[i].job);
}

/* Nodes not heard of get SlurmdTimeout from now on. */
static void await_unknown(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_nodes; i++)
                if (c->nodes[i]->base == NODE_UNKNOWN && !c->nodes[i]->lost_since)
                        c->nodes[i]->lost_since = now;
}

static void forget_exempt_waits(struct cluster *c) {
        while (c->n_exempt_waits)
                exempt_wait_done(&c->exempt_waits[--c->n_exempt_waits]);
}

/* Node indexes change; chosen victims are preempted nevertheless. */
static void forget_claims(struct cluster *c) {
        while (c->n_claims)
                job_unclaim(c, c->claims[0]);
        forget_exempt_waits(c);
}

int cluster_reconfigure(struct cluster *c, struct config *config, usec_t now, struct fail *fail) {
        _cleanup_free_ size_t *places = new_places(c, config);
        _cleanup_(reserved_done) struct reserved reserved = names_of_reserved(c);
        struct node **list = NULL;
        int r = new_config_check(c, config, places, fail);

        size_t n_tres = c->acct.tres.n;

        node_log_tell(c, USEC_INFINITY); /* logged by the old indexes */
        if (r >= 0)
                r = take_tres(c, config, fail);
        if (r >= 0)
                r = new_config_take_nodes(c, config, &list, fail); /* last step that may fail */
        if (r < 0) {
                tres_names_cut(&c->acct.tres, n_tres);
                return r;
        }

        forget_claims(c);
        struct config *old = c->config;
        c->config = config;
        c->debug = config->debug;
        forget_history(c, config, places);
        install_nodes(c, config, list, true);
        partitions_install(c, config, now);
        (void)partitions_move_nodes(c, true, NULL);
        partitions_find_places(c);
        rebind_jobs(c);
        acct_bind_all(c);
        cluster_queue_resort(c);
        licenses_load(c, config);
        rebind_reservations(c, &reserved);
        set_power_save(c, now);
        await_unknown(c, now);
        if (!c->exclusions.changed || !config->keep_power_save_settings)
                exclusions_load(c, config);
        cluster_rewant(c);
        cluster_settle_limits(c);
        licenses_settle(c, now);
        cluster_partitions_changed(c, now);
        usage_configured(c, now);
        cluster_rearm_active(c, NULL);
        priority_rearm(c, now);
        brake_retry(c, now);
        trigger_note(c, TRIGGER_RECONFIG, now);
        config_free(old);
        return 0;
}

/* ---- dynamic nodes ---- */

/* Renumbers the nodes of partitions; a new node joins the partitions with a Nodes= that includes
   the node. */
static void renumber_partitions(struct cluster *c, const size_t *places, size_t n_old) {
        _cleanup_free_ bool *old = xnew0(bool, c->n_nodes + 1);

        for (size_t i = 0; i < n_old; i++)
                if (places[i] != SIZE_MAX)
                        old[places[i]] = true;
        for (size_t k = 0; k < c->n_partitions; k++) {
                struct partition *p = c->partitions[k];
                struct bitset *nodes = bitset_new(c->n_nodes);

                bitset_for_each(i, p->nodes)
                        if (places[i] != SIZE_MAX)
                                bitset_add(nodes, places[i]);
                for (size_t i = 0; i < c->n_nodes; i++)
                        if (!old[i] && config_takes_node(c->config, p->nodes_text,
                                                       &c->config->nodes[i]))
                                bitset_add(nodes, i);
                bitset_free(p->nodes);
                p->nodes = nodes;
        }
        partitions_join_nodes(c);
}

/* c->config has a new set of nodes: adds and removes nodes, leaving all else unchanged. */
static void take_other_nodes(struct cluster *c, usec_t now) {
        _cleanup_free_ size_t *places = new_places(c, c->config);
        _cleanup_(reserved_done) struct reserved reserved = names_of_reserved(c);
        size_t n_old = c->n_nodes;
        struct node **list = NULL;

        node_log_tell(c, USEC_INFINITY);
        int r = new_config_take_nodes(c, c->config, &list, NULL);
        assert(r >= 0); /* config_dynamic_parse() accepts no further states */
        forget_claims(c);
        forget_history(c, NULL, places);
        install_nodes(c, c->config, list, false);
        partitions_find_places(c); /* new topologies, if nodes bring their place */
        renumber_partitions(c, places, n_old);
        rebind_jobs(c);
        rebind_reservations(c, &reserved);
        await_unknown(c, now);
        cluster_rewant(c);
        cluster_partitions_changed(c, now);
        priority_rearm(c, now);
        note(c, FACT_NODES_RENUMBERED);
}

int cluster_nodes_join(struct cluster *c, struct config_node *nodes, size_t n, bool limit,
                usec_t now, struct fail *fail) {
        int r = config_join(c->config, nodes, n, limit, fail);

        if (r >= 0)
                take_other_nodes(c, now);
        return r;
}

/* Returns a partition that names n explicitly, by scontrol update; ALL and node sets do not
   count. */
static const struct partition *lists_node(const struct cluster *c, const struct node *n) {
        for (size_t i = 0; i < n->n_partitions; i++)
                if (!config_takes_node(c->config, n->partitions[i]->nodes_text,
                                    &c->config->nodes[n->index]))
                        return n->partitions[i];
        return NULL;
}

static int check_leaves(const struct cluster *c, const struct node *n, struct fail *fail) {
        const struct partition *p = lists_node(c, n);

        if (!n->dynamic)
                return fail_set(fail, -EPERM,
                                "node %s is configured in slurm.conf: only dynamic nodes can be deleted",
                                n->name);
        if (n->n_jobs)
                return fail_set(fail, -EBUSY, "node %s has job %u", n->name, n->jobs[0]->id);
        if (n->n_strays)
                return fail_set(fail, -EBUSY, "node %s is ending job %u", n->name,
                                n->strays[0].job);
        for (size_t i = 0; i < c->resvs.n; i++)
                if (bitset_has(c->resvs.list[i]->nodes, n->index))
                        return fail_set(fail, -EBUSY, "node %s is in reservation %s", n->name,
                                        c->resvs.list[i]->name);
        if (p)
                return fail_set(fail, -EBUSY, "node %s is named in Nodes of partition %s", n->name,
                                p->name);
        return 0;
}

int cluster_nodes_leave(struct cluster *c, const struct hostlist *names, usec_t now,
                struct fail *fail) {
        for (size_t i = 0; i < hostlist_count(names); i++) {
                const struct node *n = cluster_node(c, hostlist_get(names, i));
                int r = n ? check_leaves(c, n, fail)
                          : fail_set(fail, -ENOENT, "there is no node %s", hostlist_get(names, i));
                if (r < 0)
                        return r;
        }
        _cleanup_free_ size_t *places = new_places(c, c->config);
        for (size_t i = 0; i < hostlist_count(names); i++)
                places[cluster_node(c, hostlist_get(names, i))->index] = SIZE_MAX;
        /* nodes that a job has already left count, too */
        int r = check_busy_nodes(c, places, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; i < hostlist_count(names); i++)
                listen_heard(c, cluster_node(c, hostlist_get(names, i)));
        config_leave(c->config, names);
        take_other_nodes(c, now);
        return 0;
}

int cluster_new(struct config *config, usec_t now, struct cluster **ret, struct fail *fail) {
        struct cluster *c = xnew0(struct cluster, 1);

        acct_init(&c->acct);
        follows_begin(c);
        c->tokens = job_tokens_new();
        c->names = job_names_new();
        c->texts = user_texts_new();
        c->next_job_id = config->first_job_id;
        c->next_priority = 4294901760u - 1;
        c->next_serial = now; /* beyond every serial of an earlier run */
        int r = cluster_reconfigure(c, config, now, fail);
        if (r < 0) {
                cluster_free(c); /* the caller keeps config */
                return r;
        }
        *ret = c;
        return 0;
}

void cluster_settle_limits(struct cluster *c) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (j && job_is_queued(j) && job_defaults_settle(c, j))
                        cluster_job_changed(c, j);
        }
}

struct cluster *cluster_free(struct cluster *c) {
        if (!c)
                return NULL;
        if (c->backfill)
                c->backfill_free(c->backfill);
        forget_exempt_waits(c);
        free(c->exempt_waits);
        follows_done(c);
        for (size_t i = 0; i < c->n_jobs; i++)
                job_free(c->jobs[i].job);
        job_tokens_free(c->tokens);
        job_names_free(c->names);
        user_texts_free(c->texts);
        for (size_t i = 0; i < c->n_arrays; i++)
                array_free(c->arrays[i]);
        for (size_t i = 0; i < c->n_nodes; i++)
                node_free(c->nodes[i]);
        for (size_t i = 0; i < c->n_partitions; i++)
                partition_free(c->partitions[i]);
        for (size_t i = 0; i < c->n_weights; i++)
                bitset_free(c->weights[i]);
        struct bitset *const sets[] = { c->schedulable, c->unused, c->powered, c->sleepless,
                c->to_suspend, c->to_resume, c->to_reboot, c->warm, c->boot_failed };
        for (size_t i = 0; i < ELEMENTSOF(sets); i++)
                bitset_free(sets[i]);
        for (int p = NODE_ON; p < NODE_POWER_MAX; p++)
                bitset_free(c->power[p]);
        for (int d = 0; d < NODE_DISTANCE_MAX; d++)
                bitset_free(c->distance[d]);
        for (size_t i = 0; i < SPARE_LEVELS; i++)
                bitset_free(c->spare[i]);
        if (c->slices.pass)
                c->slices.pass_free(c->slices.pass);
        node_log_done(&c->node_logs);
        acct_done(&c->acct);
        effects_done(&c->effects);
        exclusions_done(&c->exclusions);
        brake_done(&c->brake);
        triggers_done(&c->triggers);
        licenses_done(&c->licenses);
        hres_list_done(&c->hres);
        resvs_done(c);
        pasts_done(&c->pasts);
        config_free(c->config);
        free(c->power_save_off_because);
        void *const arrays[] = { c->nodes, c->by_name, c->partitions, c->jobs, c->queue, c->active,
                c->stopped, c->claims, c->weights, c->heap, c->listen.kept, c->dirty_jobs, c->news,
                c->arrays };
        for (size_t i = 0; i < ELEMENTSOF(arrays); i++)
                free(arrays[i]);
        free(c);
        return NULL;
}
