/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restores jobs and nodes from the store of the previous controller, and then the links between
   them. */
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/loop/peers.h"
#include "controller/records/record.h"
#include "controller/reservations/license.h"

#include "controller/accounts/assoc.h"
#include "controller/indexes/array.h"
#include "controller/indexes/trigger_events.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/jobs/license_life.h"
#include "controller/model/effect.h"
#include "controller/model/feature.h"
#include "controller/model/het.h"
#include "controller/model/kept_fields.h"
#include "controller/nodes/audit.h"
#include "controller/nodes/outcome.h"
#include "controller/orders/clock.h"
#include "controller/orders/partitions.h"
#include "controller/orders/triggers.h"
#include "controller/preempt/preempt.h"
#include "controller/reservations/reservation.h"
#include "controller/steps/step_span.h"
#include "lib/step/measure_wire.h"

/* ---- jobs ---- */

static void restore_memory(struct job_node *to, const Slumber__AllocNode *from) {
        to->given = MIN(from->mem_given, to->memory);
        to->owed = MIN(from->mem_owed, to->memory - to->given);
        to->asked = MIN(from->mem_asked, to->memory - to->given);
        to->asked_for = from->mem_asked_for;
}

/* Finished job: only displayed; ignores gres that the nodes no longer have. */
static void restore_gres_had(struct job *j, const Slumber__Job *from) {
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                (void)gres_shares_parse(j->placed.alloc[i].node, from->alloc[i]->gres, (uint32_t)i,
                                &j->placed.gres, &j->placed.n_gres, NULL);
}

#define UNITS_MAX 65536 /* more than the units of any node */

static int restore_units(struct job *j, const Slumber__Job *from, size_t units, struct fail *fail) {
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (gres_shares_parse(j->placed.alloc[i].node, from->alloc[i]->gres, (uint32_t)i,
                                    &j->placed.gres, &j->placed.n_gres, fail) < 0)
                        return fail_prefix(fail, -EINVAL, "JobId=%u holds", j->id);
        j->placed.units = bitset_new(units);
        for (size_t i = 0; i < j->placed.n_alloc; i++) {
                const struct job_node *jn = &j->placed.alloc[i];
                /* a node that the job has left may have fewer units by now */
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(
                                jn->done ? UNITS_MAX : jn->node->units);
                if (bitset_parse(set, from->alloc[i]->cores) < 0)
                        return fail_set(fail, -EINVAL,
                                        "JobId=%u holds cores %s, which node %s does not have",
                                        j->id, from->alloc[i]->cores,
                                        j->placed.alloc[i].node->name);
                bitset_for_each(k, set)
                        if (k < jn->node->units)
                                bitset_add(j->placed.units, jn->units_at + k);
        }
        return 0;
}

static int restore_alloc(struct cluster *c, struct job *j, const Slumber__Job *from,
                struct fail *fail) {
        size_t units = 0;

        j->placed.alloc = xnew0(struct job_node, from->n_alloc);
        j->placed.nodes = bitset_new(c->n_nodes);
        for (size_t i = 0; i < from->n_alloc; i++) {
                struct node *n = cluster_node(c, from->alloc[i]->name);
                if (!n)
                        return fail_set(fail, -EINVAL,
                                        "JobId=%u ran on node %s, which is not configured any more",
                                        j->id, from->alloc[i]->name);
                struct job_node *jn = &j->placed.alloc[i];
                *jn = (struct job_node){ .node = n,
                        .memory = from->alloc[i]->mem,
                        .units_at = units };
#define X(member, name) jn->member = from->alloc[i]->name;
                JOB_NODE_MEMBERS(RESTORED_VALUES, X)
#undef X
                restore_memory(jn, from->alloc[i]);
                for (size_t k = 0; k < MIN(from->alloc[i]->n_signals, (size_t)SIGNAL_REACH_MAX);
                                k++)
                        jn->signals[k] = from->alloc[i]->signals[k];
                units += n->units;
                bitset_add(j->placed.nodes, n->index);
                if (j->asked.batch_features && streq(n->name, from->batch_host))
                        j->placed.batch_at = (uint32_t)i;
                j->placed.n_alloc++;
        }
        if (job_is_finished(j) && !j->completing) {
                restore_gres_had(j, from);
                return 0;
        }
        for (size_t i = 1; i < j->placed.n_alloc; i++) /* steps use indexes into this order */
                if (j->placed.alloc[i].node->index <= j->placed.alloc[i - 1].node->index)
                        return fail_set(fail, -EINVAL,
                                        "JobId=%u is on nodes %s and %s: their order in the configuration has changed",
                                        j->id, j->placed.alloc[i - 1].node->name,
                                        j->placed.alloc[i].node->name);
        return restore_units(j, from, units, fail);
}

/* Node of each task, if listed; the counts must match the tasks on each node. */
static int restore_places(struct step *s, const Slumber__Step *from) {
        _cleanup_free_ uint32_t *count = xnew0(uint32_t, s->n_tasks_on);

        if (!from->n_task_places)
                return 0;
        if (from->n_task_places != s->num_tasks)
                return -EINVAL;
        s->place = xnew(uint32_t, s->num_tasks);
        for (size_t i = 0; i < s->num_tasks; i++) {
                if (from->task_places[i] >= s->n_tasks_on)
                        return -EINVAL;
                count[s->place[i] = from->task_places[i]]++;
        }
        return memcmp(count, s->tasks, s->n_tasks_on * sizeof count[0]) == 0 ? 0 : -EINVAL;
}

static int restore_step_cores(const struct job *j, struct step *s, const Slumber__Step *from,
                struct fail *fail) {
        size_t k = 0;

        if (!from->n_cores)
                return 0;
        if (from->n_cores != s->n_tasks_on)
                return fail_set(fail, -EINVAL, "corrupt record of StepId=%u.%u", j->id, s->id);
        s->cores = xnew0(struct bitset *, s->n_tasks_on);
        bitset_for_each(at, s->nodes) {
                const struct node *n = j->placed.alloc[at].node;
                s->cores[k] = bitset_new(n->units);
                if (bitset_parse(s->cores[k], from->cores[k]) < 0)
                        return fail_set(fail, -EINVAL,
                                        "StepId=%u.%u holds cores %s, which node %s does not have",
                                        j->id, s->id, from->cores[k], n->name);
                k++;
        }
        return 0;
}

static int restore_one(struct job *j, struct step *s, const Slumber__Step *from,
                struct fail *fail) {
#define X(member, name) s->member = from->name;
        STEP_MEMBERS(RESTORED_VALUES, X)
#undef X
#define X(member, name) s->member = text_copy_or_null(from->name);
        STEP_MEMBERS(RESTORED_TEXTS, X)
#undef X
        j->running.limited_steps |= s->time_limit > 0;
        s->measures = measures_unpack(from->measures, from->n_measures);
        s->nodes = bitset_new(j->placed.n_alloc);
        s->ended = bitset_new(j->placed.n_alloc);
        s->launched = bitset_new(j->placed.n_alloc);
        s->n_tasks_on = from->n_tasks;
        s->tasks = xnew(uint32_t, from->n_tasks);
        s->taken = xnew(uint32_t, from->n_tasks);
        if (bitset_parse(s->nodes, from->places) < 0 || bitset_parse(s->ended, from->ended) < 0 ||
                        bitset_parse(s->launched, from->launched) < 0 ||
                        from->n_cpus != from->n_tasks || from->n_tasks == 0 ||
                        bitset_count(s->nodes) != from->n_tasks)
                return fail_set(fail, -EINVAL, "corrupt record of StepId=%u.%u", j->id, from->id);
        for (size_t i = 0; i < from->n_tasks; i++) {
                s->tasks[i] = from->tasks[i];
                s->taken[i] = from->cpus[i];
        }
        if (from->span)
                s->span = span_unpack(from->span, s->num_tasks, s->n_tasks_on);
        if (restore_places(s, from) < 0 || (from->span && !s->span))
                return fail_set(fail, -EINVAL, "corrupt record of StepId=%u.%u", j->id, from->id);
        size_t i = 0;
        s->gres_kind = from->gres_kind <= STEP_GRES_NONE ? (enum step_gres)from->gres_kind
                                                         : STEP_GRES_ALL;
        bitset_for_each(at, s->nodes)
                if (i < from->n_gres &&
                                gres_shares_parse(j->placed.alloc[at].node, from->gres[i++],
                                                (uint32_t)at, &s->gres, &s->n_gres, fail) < 0)
                        return fail_prefix(fail, -EINVAL, "StepId=%u.%u holds", j->id, s->id);
        return restore_step_cores(j, s, from, fail);
}

static int corrupt_parts(const struct job *j, const struct step *s, struct fail *fail) {
        return fail_set(fail, -EINVAL, "corrupt record of StepId=%u.%u: its components", j->id,
                        s->id);
}

/* Heterogeneous step: the components must have all nodes of the step, each node once. */
static int restore_parts(struct job *j, struct step *s, const Slumber__Step *from,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(j->placed.n_alloc);
        uint64_t tasks = 0;

        if (from->n_parts)
                s->parts = xnew0(struct step, from->n_parts);
        for (; s->n_parts < from->n_parts; s->n_parts++) {
                struct step *part = &s->parts[s->n_parts];
                int r = restore_one(j, part, from->parts[s->n_parts], fail);
                if (r < 0) {
                        s->n_parts++; /* the unfinished part is freed too */
                        return r;
                }
                if (bitset_overlaps(all, part->nodes) || part->part != s->n_parts + 1 ||
                                part->id != s->id) {
                        s->n_parts++;
                        return corrupt_parts(j, s, fail);
                }
                bitset_or(all, part->nodes);
                tasks += part->num_tasks;
        }
        if (s->n_parts && (!bitset_equal(all, s->nodes) || tasks != s->num_tasks))
                return corrupt_parts(j, s, fail);
        return 0;
}

static int restore_step(struct job *j, const Slumber__Step *from, struct fail *fail) {
        struct step *s = job_step_add(j);
        int r = restore_one(j, s, from, fail);

        return r < 0 ? r : restore_parts(j, s, from, fail);
}

static void restore_wishes(struct cluster *c, struct job *j) {
        job_parse_features(j);
        job_find_nodes(c, j);
        licenses_parse_stored(c, j);
        (void)gres_wants_parse(NULL, j, &j->needs.gres_wants, NULL);
}

/* Prevents a job or node from waiting long because the clock was set back. */
static usec_t not_after(usec_t t, usec_t now) {
        return MIN(t, now);
}

/* job_clock_set() is exact; the limits below it are for a machine that was off for an unknown time
   and got a different clock. */
static void restore_times(const struct cluster *c, struct job *j, int64_t clock_set, usec_t now) {
        job_clock_set(j, clock_set);
        j->running.resumed_at = not_after(j->running.resumed_at, now);
        j->waiting.not_before = not_after(j->waiting.not_before,
                        now + MAX(REQUEUE_PAUSE, c->config->requeue_delay));
        usec_t told = j->stopping.preempt_time; /* base of the durations below */
        if (j->stopping.stop_at > told)
                j->stopping.stop_at = not_after(j->stopping.stop_at,
                                now + j->stopping.stop_at - told);
        if (j->stopping.grace_end > told)
                j->stopping.grace_end = not_after(j->stopping.grace_end,
                                now + j->stopping.grace_end - told);
        if (job_is_finished(j))
                j->running.end_time = not_after(j->running.end_time, now);
}

static void record_insert_job(struct cluster *c, struct job *j, usec_t now) {
        cluster_job_insert(c, j);
        if (job_is_active(j)) {
                cluster_active_insert(c, j);
        } else if (j->state == JOB_PENDING) {
                cluster_queue_insert(c, j);
                if (job_begin(j) > now)
                        cluster_arm(c, job_begin(j), DEADLINE_PASS, PASS_BEGIN);
        }
        uint32_t has = j->held_priority ? j->held_priority : j->priority;
        int64_t taken = (int64_t)has + j->asked.nice; /* priority before --nice */
        if (!c->config->priority.multifactor && !j->held_by_admin && !j->held_by_user && has &&
                        taken <= c->next_priority && has != j->asked.priority)
                c->next_priority = (uint32_t)MAX((int64_t)1, taken - 1);
        cluster_job_changed(c, j);
}

/* Restores a claim unless a node of the claim is no longer configured. */
static void restore_claim(struct cluster *c, struct job *j, const Slumber__Job *from) {
        _cleanup_(bitset_freep) struct bitset *claim = NULL;

        if (isempty(from->claim) || j->state != JOB_PENDING || j->completing ||
                        cluster_nodes_parse(c, from->claim, &claim, NULL) < 0)
                return;
        job_claim(c, j, claim);
        j->claim.in = cluster_partition(c, from->claim_in);
        j->claim.tasks = j->claim.in ? from->claim_tasks : 0;
}

/* A name in the record is no longer configured: fails, but removes a finished job silently. */
static int restore_without(struct cluster *c, const struct job *j, int r) {
        if (!job_is_finished(j) || j->completing)
                return r;
        struct effect *fx = effects_add(&c->effects, FX_FORGET);
        fx->job = j->id;
        fx->serial = j->asked.array ? 0 : j->id; /* tasks may still need the array's script */
        return 0;
}

/* The name of a reason is stable; its number may change with the version. */
static int reason_from(const Slumber__Job *from) {
        return isempty(from->reason_name) ? (int)MIN(from->reason, (uint32_t)INT_MAX)
                                          : job_reason_parse(from->reason_name);
}

static void restore_fields(struct job *j, const Slumber__Job *from) {
        struct job_spec spec;

        job_spec_from_message(&spec, from->spec);
        job_spec_copy(&j->asked, &spec);
#define X(member, name) j->member = from->name;
        JOB_MEMBERS(RESTORED_VALUES, X)
#undef X
#define X(member, name) j->member = text_copy_or_null(from->name);
        JOB_MEMBERS(RESTORED_TEXTS, X)
#undef X
        /* A record without a user is damaged.  The empty name matches no user, but every job needs
           a name to compare (coordinators, limits of users). */
        if (!j->user)
                j->user = xstrdup("");
        /* Old records have these values only in the request. */
        j->needs.mem_per_gpu = MAX(j->needs.mem_per_gpu, j->asked.mem_per_gpu);
        j->needs.cpus_per_task = MAX(j->needs.cpus_per_task, j->asked.cpus_per_task);
        j->needs.min_cpus_node = MAX(j->needs.min_cpus_node, j->asked.min_cpus_node);
        j->needs.cpus_per_gpu = MAX(j->needs.cpus_per_gpu, j->asked.cpus_per_gpu);
        if (!from->n_alloc) /* old records have the request here */
                j->placed.num_cpus = 0;
        j->state = (enum job_state)from->state;
        j->completing = from->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_COMPLETING;
        j->configuring = from->state_flags & SLUMBER__JOB_FLAG__JOB_FLAG_CONFIGURING;
        j->reason = (enum job_reason)reason_from(from);
        j->running.ran_before = from->pre_suspend;
}

/* Steps over several components share the lists of the span: store the lists once. */
static void share_spans(const struct het *h, struct job *j) {
        for (size_t k = 0; k < j->running.n_steps; k++) {
                struct step *s = &j->running.steps[k];
                bool shared = !s->span;
                for (uint32_t i = 0; i < h->n && !shared; i++) {
                        const struct job *other = h->of[i] == j ? NULL : h->of[i];
                        const struct step *o = other ? job_step_find(other, s->id) : NULL;
                        shared = o && o->span && span_share(s->span, o->span);
                }
        }
}

/* Joins the components restored before. */
static int restore_het(struct cluster *c, struct job *j, const Slumber__Job *from,
                struct fail *fail) {
        struct het *h = NULL;

        if (from->het_size == 0 || from->het_size > HET_MAX || from->het_offset >= from->het_size ||
                        from->id < from->het_offset || from->id - from->het_offset != from->het_job)
                return fail_set(fail, -EINVAL,
                                "corrupt record of JobId=%u: it is component %u of %u of job %u",
                                from->id, from->het_offset, from->het_size, from->het_job);
        for (uint32_t i = 0; i < from->het_size && !h; i++) {
                const struct job *other = cluster_job(c, from->het_job + i);
                h = other && other->het && other->het->id == from->het_job ? other->het : NULL;
        }
        h = h ? h : het_new(from->het_job, from->het_size);
        int r = het_join(h, j, from->het_offset);
        if (r >= 0)
                share_spans(h, j);
        return r;
}

int job_restore(struct cluster *c, const Slumber__Job *from, usec_t now, struct fail *fail) {
        _cleanup_(job_freep) struct job *j = xnew0(struct job, 1);
        int reason = reason_from(from);

        if (!from->spec || (int)from->state >= (int)JOB_STATE_MAX || reason < 0 ||
                        reason >= REASON_MAX)
                return fail_set(fail, -EINVAL, "corrupt record of JobId=%u", from->id);
        restore_fields(j, from);
        j->partition = cluster_partition(c, from->partition);
        /* a finished component may run again with components not restored yet */
        if (!j->partition && from->partition_created &&
                        (!job_is_finished(j) || j->completing || from->het_job))
                j->partition = cluster_partition_left(c, from->partition, now);
        if (!j->partition)
                return restore_without(c, j,
                                fail_set(fail, -EINVAL,
                                                "JobId=%u is in partition %s, which is not configured any more",
                                                j->id, from->partition));
        if (cluster_job(c, j->id))
                return fail_set(fail, -EINVAL, "JobId=%u has two records", j->id);
        restore_wishes(c, j);
        if (countlist_parse_layers(from->licenses_alloc, &j->placed.licenses_held, fail) < 0 ||
                        dependencies_parse(from->depends, true, &j->waiting.depends, fail) < 0)
                return fail_prefix(fail, -EINVAL, "the record of JobId=%u", j->id);
        int r = from->n_alloc ? restore_alloc(c, j, from, fail) : 0;
        /* including an ending job, whose rows are still to be made */
        for (size_t i = 0; r >= 0 && i < from->n_steps &&
                           (j->completing || (!job_is_finished(j) && j->state != JOB_PENDING));
                        i++)
                r = restore_step(j, from->steps[i], fail);
        if (r >= 0 && j->state == JOB_RUNNING && !j->configuring)
                /* no-op unless the record is from before jobs had energy */
                energy_job_runs(c, j, now);
        j->array_task = from->array_task;
        j->placed.resv = resv_of_job(c, j);
        acct_bind(c, j);
        if (r >= 0 && from->array_job)
                r = array_restore(c, j, from->array_job, from->array_waiting, from->array_limit,
                                from->array_failed, fail);
        if (r >= 0 && from->het_job)
                r = restore_het(c, j, from, fail);
        if (r < 0)
                return restore_without(c, j, r);
        restore_times(c, j, c->clock_set - from->clock_set, now);
        energy_job_restored(j);
        j->running.off_nodes = j->completing && job_is_off_nodes(j);
        struct job *restored = TAKE(j);
        record_insert_job(c, restored, now);
        restore_claim(c, restored, from);
        return 0;
}

/* ---- nodes ---- */

void node_restore(struct cluster *c, const Slumber__Node *from, usec_t now) {
        struct node *n = cluster_node(c, from->name);

        if (!n || from->base_state >= NODE_BASE_MAX || from->power_state == NODE_POWER_NONE ||
                        from->power_state >= NODE_POWER_MAX)
                return;
#define X(member, name)                                                                            \
        if (!isempty(from->name))                                                                  \
                free_and_strdup(&n->member, from->name);
        NODE_MEMBERS(RESTORED_TEXTS, X)
#undef X
#define X(member, name) n->member = from->name;
        NODE_MEMBERS(RESTORED_VALUES, X)
#undef X
        n->n_boots = MIN(from->n_boots, (size_t)NODE_BOOTS);
        if (n->n_boots)
                memcpy(n->boots, from->boots, n->n_boots * sizeof n->boots[0]);
        node_count_boots(n);
        n->flags &= NODE_FLAG_ALL;
        n->base = (enum node_base)from->base_state;
        n->power = (enum node_power)from->power_state;
        if (from->energy) {
#define X(member, name) n->energy.member = from->energy->name;
                ENERGY_MEMBERS(RESTORED_VALUES, X)
#undef X
        }
        node_clock_set(n, c->clock_set - from->clock_set);
        n->power_request = not_after(n->power_request, now);
        n->suspended_at = not_after(n->suspended_at, now);
        n->retry_at = not_after(n->retry_at, now + OUTCOME_PAUSE_MAX);
        n->common_at = not_after(n->common_at, now);
        n->energy.at = n->energy_known = not_after(n->energy.at, now);
        n->energy.from = not_after(n->energy.from, now);
        n->last_busy = not_after(n->last_busy, now);
        n->last_response = not_after(n->last_response, now);
        n->confirmed = not_after(n->confirmed, now);
        n->observed_at = not_after(n->observed_at, now);
        n->off_read_at = not_after(n->off_read_at, now);
        n->bmc_power = n->bmc_power < OBSERVED_MAX ? n->bmc_power : OBSERVED_NOTHING;
        if (n->power == NODE_ON && n->base == NODE_IDLE)
                n->flags |= NODE_NOT_RESPONDING;
        if (n->base == NODE_UNKNOWN || n->flags & NODE_NOT_RESPONDING)
                n->lost_since = now; /* SlurmdTimeout counts from now */
        if (from->registered)
                hardware_from_message(&n->registered, from->registered);
        cluster_node_changed(c, n, now);
        trigger_node_restored(n);
        n->trigger_events = from->trigger_events & TRIGGER_EVENTS_NODE;
}

/* ---- when all jobs and nodes are restored ---- */

/* Nodes may be stored later than jobs join or leave (FACT_NODE_SHARED): from now on the present
   jobs share the node's power. */
static void settle_energy(struct cluster *c, usec_t now) {
        _cleanup_free_ uint32_t *cpus = xnew0(uint32_t, c->n_nodes);

        for (size_t i = 0; i < c->n_active; i++)
                for (size_t k = 0;
                                c->active[i]->accounting.draws && k < c->active[i]->placed.n_alloc;
                                k++)
                        if (!c->active[i]->placed.alloc[k].done)
                                cpus[c->active[i]->placed.alloc[k].node->index] +=
                                                c->active[i]->placed.alloc[k].cpus;
        for (size_t i = 0; i < c->n_nodes; i++) {
                struct node *n = c->nodes[i];
                if (n->sharing_cpus == cpus[i])
                        continue;
                n->energy = energy_of(n, now);
                n->sharing_cpus = cpus[i];
                note_node(c, FACT_NODE_SHARED, n);
        }
}

/* Components of a pending job start together: hold the job if a component is missing. */
static void settle_components(struct cluster *c, struct job *j, usec_t now) {
        for (uint32_t i = 0; j->het && i < j->het->n; i++) {
                if (j->het->of[i])
                        continue;
                cluster_log_error(c, NULL,
                                "JobId=%u is a component of the heterogeneous job %u, whose component %u is not in the state%s",
                                j->id, j->het->id, i,
                                j->state == JOB_PENDING ? ": it is held" : "");
                if (j->state != JOB_PENDING || job_hold(c, j, true, now) != SLUMBER_OK)
                        return;
                _cleanup_free_ char *text = xasprintf("HetJobMissing=%u+%u", j->het->id, i);
                job_set_reason(c, j, REASON_HELD_ADMIN, text);
                return;
        }
}

/* Adds each job to its nodes; nodes about to be woken or suspended still are. */
void records_settle(struct cluster *c, usec_t now) {
        cluster_settle_limits(c);
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && c->jobs[i].job->waiting.depends)
                        dependencies_join(c, c->jobs[i].job, now);
        for (size_t i = 0; i < c->n_active; i++) {
                struct job *j = c->active[i];
                job_restarted(c, j, now);
                for (size_t k = 0; k < j->placed.n_alloc; k++) {
                        struct node *n = j->placed.alloc[k].node;
                        if (j->placed.alloc[k].done)
                                continue;
                        GROW(n->jobs, n->a_jobs, n->n_jobs);
                        n->jobs[n->n_jobs++] = j;
                }
        }
        settle_energy(c, now);
        for (size_t i = 0; i < c->n_nodes; i++) {
                alloc_recount(c, c->nodes[i], now);
                memory_level(c, c->nodes[i], now);
        }
        cluster_rewant(c);
        triggers_restored(c, now);
        (void)partitions_move_nodes(c, true, NULL);
        partitions_find_places(c);
        note(c, FACT_STATE_RESTORED);
        licenses_settle(c, now);
        claims_settle(c);
        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && !job_is_finished(c->jobs[i].job))
                        settle_components(c, c->jobs[i].job, now);
}
