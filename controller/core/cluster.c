/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The containers: nodes, partitions, jobs, queue, active jobs, deadlines; and what must follow a change.
 *
 * Invariants: a job is in the queue exactly while it is PENDING and not completing, among the active exactly while
 * job_is_active(); a node's sets are right after cluster_node_changed(); deadlines are only hints: whoever takes one
 * looks at the state again. */
#include "controller/core/cluster.h"

#include "controller/core/array.h"
#include "controller/core/bids.h"
#include "controller/core/company.h"
#include "controller/core/job_events.h"
#include "controller/core/node_events.h"
#include "controller/core/powered.h"

#include <stdarg.h>
#include <strings.h>

/* ---- lookups ---- */

struct node *cluster_node(const struct cluster *c, const char *name) {
        size_t at = FIRST_NOT(c->n_nodes, i, strcmp(c->by_name[i]->name, name) < 0);

        return at < c->n_nodes && streq(c->by_name[at]->name, name) ? c->by_name[at] : NULL;
}

struct partition *cluster_partition(const struct cluster *c, const char *name) {
        for (size_t i = 0; i < c->n_partitions; i++)
                if (streq(c->partitions[i]->name, name))
                        return c->partitions[i];
        return NULL;
}

struct partition *cluster_default_partition(const struct cluster *c) {
        for (size_t i = 0; i < c->n_partitions; i++)
                if (c->partitions[i]->is_default)
                        return c->partitions[i];
        return NULL;
}

int cluster_nodes_parse(const struct cluster *c, const char *text, struct bitset **ret, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = bitset_new(c->n_nodes);
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (strcasecmp(text, "ALL") == 0) {
                bitset_fill(set);
                *ret = TAKE(set);
                return 0;
        }
        int r = hostlist_parse(text, &names, fail);
        if (r < 0)
                return r;
        for (size_t i = 0; i < hostlist_count(names); i++) {
                struct node *n = cluster_node(c, hostlist_get(names, i));
                if (!n)
                        return fail_set(fail, -ENOENT, "node %s is not configured", hostlist_get(names, i));
                bitset_add(set, n->index);
        }
        *ret = TAKE(set);
        return 0;
}

const struct hostlist *cluster_nodeset(const struct cluster *c, const char *name) {
        for (size_t i = 0; i < c->config->n_nodesets; i++)
                if (streq(c->config->nodesets[i].name, name))
                        return c->config->nodesets[i].nodes;
        return NULL;
}

char *cluster_nodes_text(const struct cluster *c, const struct bitset *nodes) {
        _cleanup_free_ const char **names = xnew(const char *, bitset_count(nodes));
        size_t n = 0;

        bitset_for_each(i, nodes)
                names[n++] = c->nodes[i]->name;
        return hostlist_compress(names, n);
}

/* ---- jobs by id ---- */

/* The first slot whose id is not below id. */
static size_t slot_at(const struct cluster *c, uint32_t id) {
        return FIRST_NOT(c->n_jobs, i, c->jobs[i].id < id);
}

size_t cluster_slot_after(const struct cluster *c, uint32_t id) {
        return id == UINT32_MAX ? c->n_jobs : slot_at(c, id + 1);
}

struct job *cluster_job(const struct cluster *c, uint32_t id) {
        size_t at = slot_at(c, id);

        return at < c->n_jobs && c->jobs[at].id == id ? c->jobs[at].job : NULL;
}

void cluster_job_insert(struct cluster *c, struct job *j) {
        size_t at = slot_at(c, j->id);

        c->known_jobs++;
        job_tokens_insert(&c->tokens, j);
        job_names_insert(&c->names, j);
        if (at < c->n_jobs && c->jobs[at].id == j->id) {
                assert(!c->jobs[at].job);
                c->jobs[at].job = j;
                c->gone_jobs--;
                return;
        }
        GROW(c->jobs, c->a_jobs, c->n_jobs);
        memmove(&c->jobs[at + 1], &c->jobs[at], (c->n_jobs - at) * sizeof c->jobs[0]);
        c->jobs[at] = (struct job_slot){ j->id, j };
        c->n_jobs++;
}

static void pack_jobs(struct cluster *c) {
        size_t kept = 0;

        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job)
                        c->jobs[kept++] = c->jobs[i];
        c->n_jobs = kept;
        c->gone_jobs = 0;
}

void cluster_job_remove(struct cluster *c, struct job *j) {
        size_t at = slot_at(c, j->id);

        assert(at < c->n_jobs && c->jobs[at].job == j);
        c->jobs[at].job = NULL;
        c->known_jobs--;
        job_tokens_remove(&c->tokens, j);
        job_names_remove(&c->names, j);
        if (++c->gone_jobs > 1000 && c->gone_jobs > c->n_jobs / 2)
                pack_jobs(c);
        struct effect *fx = effects_add(&c->effects, FX_FORGET);
        fx->job = j->id;
        fx->serial = j->array ? array_leave(c, j) : j->id;
        acct_forget(c, j);
        c->dirty_usage |= j->usage_charged && j->end_time > c->usage_at; /* nobody could charge it after a restart */
        job_free(j);
}

void cluster_job_rename(struct cluster *c, struct job *j, const char *name) {
        job_names_remove(&c->names, j);
        free_and_strdup(&j->spec.name, name);
        job_names_insert(&c->names, j);
}

uint32_t cluster_take_job_id(struct cluster *c) {
        uint32_t first = c->config->first_job_id, last = c->config->max_job_id;

        for (uint32_t tries = 0; tries <= last - first; tries++) {
                uint32_t id = c->next_job_id;
                if (id < first || id > last)
                        id = first;
                c->next_job_id = id + 1;
                if (!cluster_job(c, id) && !cluster_array(c, id))
                        return id;
        }
        return 0;
}

/* ---- the queue ---- */

static size_t queue_at(const struct cluster *c, const struct bid *b) {
        return FIRST_NOT(c->n_queue, i, bid_order(c->queue[i], b) < 0);
}

void cluster_queue_count(struct bid *b) {
        b->counted = b->job->apart ? NULL : b->partition;
        b->partition->told = false;
        if (b->counted)
                b->counted->n_waiting++;
}

/* Each tier ends with them. */
size_t cluster_queue_after_apart(const struct cluster *c, size_t at) {
        while (at < c->n_queue && c->queue[at]->job->apart) {
                uint32_t tier = c->queue[at]->partition->priority_tier;
                at = FIRST_NOT(c->n_queue, i, c->queue[i]->partition->priority_tier >= tier);
        }
        return at;
}

size_t cluster_queue_before_apart(const struct cluster *c, size_t end) {
        while (end > 0 && c->queue[end - 1]->job->apart) {
                uint32_t tier = c->queue[end - 1]->partition->priority_tier;
                end = FIRST_NOT(end, i, c->queue[i]->partition->priority_tier > tier || !c->queue[i]->job->apart);
        }
        return end;
}

void cluster_queue_rank(const struct cluster *c, struct job *j) {
        j->outranks = c->config->preempt_type == PREEMPT_QOS ? qos_outranks(&c->acct, j->qos) : 0;
}

static void insert_bid(struct cluster *c, struct bid *b) {
        size_t at = queue_at(c, b);

        cluster_queue_count(b);
        GROW(c->queue, c->a_queue, c->n_queue);
        memmove(&c->queue[at + 1], &c->queue[at], (c->n_queue - at) * sizeof c->queue[0]);
        c->queue[at] = b;
        c->n_queue++;
        c->replan.sound = MIN(c->replan.sound, at);
        c->replan.end += at < c->replan.end;
        c->replan.cursor += at < c->replan.cursor;
}

void cluster_queue_insert(struct cluster *c, struct job *j) {
        j->apart = job_is_held(j) || j->depends;
        cluster_queue_rank(c, j);
        bids_make(c, j);
        company_note(c, j);
        for (size_t i = 0; i < j->n_bids; i++)
                insert_bid(c, &j->bids[i]);
        c->n_pending++;
        c->want_sched = true;
}

void cluster_plan_void(struct cluster *c, struct job *j) {
        if (!j->plan)
                return;
        j->plan->job = NULL;
        GROW(c->replan.voids, c->replan.a_void, c->replan.n_void);
        c->replan.voids[c->replan.n_void++] = TAKE(j->plan);
}

void cluster_queue_touch(struct cluster *c, struct job *j) {
        if (j->state != JOB_PENDING || j->completing)
                return;
        cluster_plan_void(c, j);
        for (size_t i = 0; i < j->n_bids; i++)
                j->bids[i].never_as_of = 0;
        if (j->n_bids)
                c->replan.sound = MIN(c->replan.sound, queue_at(c, &j->bids[0]));
}

void cluster_allows(struct cluster *c) {
        c->want_sched = c->replan.allowed = true;
}

void cluster_replan(struct cluster *c) {
        struct replan *r = &c->replan;

        for (size_t i = 0; (i = cluster_queue_after_apart(c, i)) < c->n_queue; i++)
                cluster_plan_void(c, c->queue[i]->job);
        for (size_t i = 0; i < r->n_void; i++)
                free(r->voids[i]);
        r->n_void = r->sound = r->end = r->cursor = 0;
        r->reset = true;
        bitset_free(r->nodes);
        r->nodes = bitset_new(c->n_nodes);
}

static void remove_bid(struct cluster *c, struct bid *b) {
        size_t at = queue_at(c, b);

        assert(at < c->n_queue && c->queue[at] == b);
        memmove(&c->queue[at], &c->queue[at + 1], (c->n_queue - at - 1) * sizeof c->queue[0]);
        c->n_queue--;
        c->replan.sound -= at < c->replan.sound;
        c->replan.end -= at < c->replan.end;
        c->replan.cursor -= at < c->replan.cursor;
        if (b->counted)
                b->counted->n_waiting--;
}

void cluster_queue_remove(struct cluster *c, struct job *j) {
        for (size_t i = 0; i < j->n_bids; i++)
                remove_bid(c, &j->bids[i]);
        c->n_pending -= j->n_bids > 0;
        cluster_plan_void(c, j);
        c->resvs.want |= j->resv != NULL;
        job_unclaim(c, j);
        bids_drop(j);
        c->want_sched = true; /* it may have stood in another's way */
}

void cluster_active_insert(struct cluster *c, struct job *j) {
        GROW(c->active, c->a_active, c->n_active);
        j->queue_at = c->n_active;
        c->active[c->n_active++] = j;
        licenses_take(c, j);
        company_note(c, j);
        c->next_gang = MAX(c->next_gang, j->gang_at + 1);
        if (j->completing) { /* restored */
                c->n_completing++;
                c->completing_from = MAX(c->completing_from, job_completing_from(j));
        }
        if (job_is_gang_stopped(j))
                cluster_stopped_insert(c, j);
        if (j->array)
                j->array->n_active++;
}

void cluster_stopped_insert(struct cluster *c, struct job *j) {
        c->want_gang = true;
        if (j->gang_listed)
                return;
        j->gang_listed = true;
        GROW(c->stopped, c->a_stopped, c->n_stopped);
        c->stopped[c->n_stopped++] = j;
}

static void stopped_remove(struct cluster *c, struct job *j) {
        for (size_t i = 0; j->gang_listed && i < c->n_stopped; i++)
                if (c->stopped[i] == j) {
                        c->stopped[i] = c->stopped[--c->n_stopped];
                        j->gang_listed = false;
                }
}

void cluster_active_remove(struct cluster *c, struct job *j) {
        size_t at = j->queue_at;

        assert(at < c->n_active && c->active[at] == j);
        c->active_left++;
        c->n_completing -= j->completing;
        c->active[at] = c->active[--c->n_active];
        c->active[at]->queue_at = at;
        licenses_return(c, j);
        c->resvs.want |= j->resv != NULL;
        stopped_remove(c, j);
        if (!j->array)
                return;
        j->array->n_active--;
        c->want_sched |= j->array->limit != 0; /* the next may come */
}

/* ---- deadlines: a binary heap, earliest first ---- */

/* Where SlurmdTimeout is 0 silent nodes are waited for; not so a command, nor a verdict on a job. */
#define PATIENCE_WITHOUT (5 * 60 * USEC_PER_SEC)

usec_t cluster_patience(const struct cluster *c) {
        return c->config->slurmd_timeout ? c->config->slurmd_timeout : PATIENCE_WITHOUT;
}

void cluster_arm(struct cluster *c, usec_t at, int kind, uint32_t id) {
        GROW(c->heap, c->a_heap, c->n_heap);
        size_t i = c->n_heap++;
        while (i > 0 && c->heap[(i - 1) / 2].at > at) {
                c->heap[i] = c->heap[(i - 1) / 2];
                i = (i - 1) / 2;
        }
        c->heap[i] = (struct deadline){ .at = at, .kind = kind, .id = id };
}

usec_t cluster_next_deadline(const struct cluster *c) {
        return c->n_heap ? c->heap[0].at : USEC_INFINITY;
}

bool cluster_pop_deadline(struct cluster *c, usec_t now, struct deadline *ret) {
        if (!c->n_heap || c->heap[0].at > now)
                return false;
        *ret = c->heap[0];
        struct deadline last = c->heap[--c->n_heap];
        size_t i = 0;
        for (;;) {
                size_t child = 2 * i + 1;
                if (child >= c->n_heap)
                        break;
                if (child + 1 < c->n_heap && c->heap[child + 1].at < c->heap[child].at)
                        child++;
                if (c->heap[child].at >= last.at)
                        break;
                c->heap[i] = c->heap[child];
                i = child;
        }
        c->heap[i] = last;
        return true;
}

/* ---- after a change ---- */

void cluster_node_changed(struct cluster *c, struct node *n, usec_t now) {
        bool was = bitset_has(c->schedulable, n->index), is = node_is_schedulable(n) && !brake_holds(c, n);

        n->moment = ++c->moment;
        bitset_put(c->schedulable, n->index, is);
        for (int p = NODE_ON; p < NODE_POWER_MAX; p++)
                bitset_put(c->power[p], n->index, (int)n->power == p);
        for (int d = 0; d < NODE_DISTANCE_MAX; d++)
                bitset_put(c->distance[d], n->index, (int)node_distance(n) == d);
        bitset_put(c->unused, n->index, n->n_jobs == 0);
        for (size_t i = 0; i < SPARE_LEVELS; i++)
                bitset_put(c->spare[i], n->index, node_cpus_spare(n) >> i);
        bitset_add(c->dirty_nodes, n->index);
        bitset_add(c->replan.nodes, n->index);
        c->features_moment += n->changeable != NULL;
        c->resvs.want |= c->resvs.replaces;
        if (is && !was)
                c->want_sched = true;
        if (is != was && n->power == NODE_ON && !(n->flags & NODE_POWER_DOWN_WANTED)) /* who names it may wait for that */
                c->want_reasons = true;
        powered_node_changed(c, n);
        if (!node_is_out_of_service(n))
                n->resume_after = 0;
        energy_note(n, now);
        exclusions_node_changed(c, n);
        node_rearm(c, n, now);
}

usec_t job_forgotten_at(const struct cluster *c, const struct job *j) {
        return j->withdrawn ? j->end_time : MAX(j->end_time, j->known_over) + c->config->min_job_age;
}

void cluster_job_rearm(struct cluster *c, struct job *j) {
        usec_t due = job_is_finished(j) && !j->completing ? job_forgotten_at(c, j) : MAX(job_overtime_up(c, j), j->heard_by);

        if (j->state == JOB_PENDING && j->spec.deadline)
                due = MIN(due, MAX(1u, job_latest_start(j)));
        if (j->spec.warn_signal)
                due = MIN(due, job_warn_at(j));
        if (j->spec.mail_type)
                due = MIN(due, job_mail_at(j));
        if (j->answers_due)
                due = MIN(due, j->answers_due);
        if (j->launch_due)
                due = MIN(due, j->launch_due);
        if (j->grace_end)
                due = MIN(due, MAX(j->grace_end, j->heard_by));
        if (j->may_stop_again)
                due = MIN(due, j->may_stop_again);
        if (j->may_give_again)
                due = MIN(due, j->may_give_again);
        if (j->depend_due)
                due = MIN(due, j->depend_due);
        if (j->orphan_due && !job_is_finished(j))
                due = MIN(due, j->orphan_due);
        if (j->step_orphans_due && !job_is_finished(j))
                due = MIN(due, j->step_orphans_due);
        due = MIN(due, job_steps_time_up(j));
        if (due == NO_LIMIT || (j->armed && j->armed <= due))
                return;
        j->armed = due;
        cluster_arm(c, due, DEADLINE_JOB, j->id);
}

void cluster_job_changed(struct cluster *c, struct job *j) {
        cluster_job_rearm(c, j);
        acct_note(c, j);
        if (j->nodes && job_is_active(j)) /* perhaps it holds them for another time now */
                bitset_or(c->replan.nodes, j->nodes);
        if (j->dirty)
                return;
        j->dirty = true;
        GROW(c->dirty_jobs, c->a_dirty_jobs, c->n_dirty_jobs);
        c->dirty_jobs[c->n_dirty_jobs++] = j->id;
}

static struct effect *add_log(struct cluster *c, struct node *n, const char *format, va_list ap) {
        struct effect *fx = effects_add(&c->effects, FX_LOG);

        fx->node = n;
        fx->text = xvasprintf(format, ap);
        return fx;
}

void cluster_log(struct cluster *c, uint32_t job, struct node *n, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        add_log(c, n, format, ap)->job = job;
        va_end(ap);
}

void cluster_log_error(struct cluster *c, struct node *n, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        add_log(c, n, format, ap)->error = true;
        va_end(ap);
}

unsigned partition_select(const struct cluster *c, const struct partition *p) {
        const unsigned own = CR_CORE | CR_SOCKET | CR_MEMORY;

        return p->select_params ? (c->config->select_params & ~own) | p->select_params : c->config->select_params;
}

/* Either of the partition's beats both of the cluster's. */
uint64_t partition_max_mem_per_cpu(const struct cluster *c, const struct partition *p) {
        return p->max_mem_per_node || p->max_mem_per_cpu ? p->max_mem_per_cpu : c->config->max_mem_per_cpu;
}

bool cluster_whole_nodes(const struct cluster *c) {
        return c->config->select_type == SELECT_LINEAR;
}

unsigned partition_preempt_mode(const struct cluster *c, const struct partition *p) {
        return p->preempt_mode == PREEMPT_UNSET ? c->config->preempt_mode : p->preempt_mode;
}
