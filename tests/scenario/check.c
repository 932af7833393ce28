/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold after every turn, whatever has happened: one row per sentence in rules[].  The
 * first ones look at the core alone, the last at what the machines really do. */
#include "tests/scenario/world.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/qos.h"
#include "controller/indexes/array.h"
#include "controller/indexes/node_deadline.h"
#include "controller/indexes/powered.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/het_wait.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/model/shards.h"
#include "controller/model/spec.h"
#include "controller/model/tres.h"
#include "controller/nodes/reboot.h"
#include "controller/power_save/power_save.h"
#include "controller/preempt/gang.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/sched.h"

/* ---- nodes ---- */

static char *deadlines(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                usec_t due = node_power_deadline(n);
                bool waits = n->power == NODE_POWERING_DOWN ||
                             (n->power == NODE_POWERING_UP && n->resume_timeout != NO_LIMIT);

                if (waits && (due == USEC_INFINITY || due <= w->now || n->armed == 0 ||
                                             n->armed > due))
                        return xasprintf("%s is %s without an armed deadline", n->name,
                                        node_power_text((int)n->power));
                if (n->flags & NODE_REBOOT_ISSUED && n->resume_timeout != NO_LIMIT &&
                                (reboot_deadline(n) <= w->now || n->armed == 0 ||
                                                n->armed > reboot_deadline(n)))
                        return xasprintf("%s is being rebooted without an armed deadline", n->name);
                if (n->flags & NODE_REBOOT_ISSUED && n->power != NODE_ON)
                        return xasprintf("%s is %s while it is being rebooted", n->name,
                                        node_power_text((int)n->power));
                if (n->retry_at && (n->armed == 0 || n->armed > n->retry_at))
                        return xasprintf("%s waits for its next try without an armed deadline",
                                        n->name);
                if (n->resume_after && (n->armed == 0 || n->armed > n->resume_after))
                        return xasprintf("%s is to be resumed without an armed deadline", n->name);
                if (w->now < node_wake_after(n) && (n->armed == 0 || n->armed > node_wake_after(n)))
                        return xasprintf(
                                        "%s waits for its SuspendProgram without an armed deadline",
                                        n->name);
                if (n->flags & NODE_POWER_FORCED && w->now < node_sleep_after(n) &&
                                (n->armed == 0 || n->armed > node_sleep_after(n)))
                        return xasprintf("%s waits for its ResumeProgram without an armed deadline",
                                        n->name);
                if (n->power == NODE_ON && (n->base == NODE_IDLE || n->base == NODE_UNKNOWN) &&
                                !n->connected && !n->armed && w->c->config->slurmd_timeout)
                        return xasprintf("%s is lost and not waited for", n->name);
        }
        return NULL;
}

/* A freeze, thaw or end that is asked for, or is to be asked for again, has a deadline in the
   heap. */
static char *answers(struct world *w) {
        for (size_t i = 0; i < w->c->n_active; i++) {
                const struct job *j = w->c->active[i];
                for (size_t k = 0; k < j->placed.n_alloc; k++) {
                        const struct job_node *jn = &j->placed.alloc[k];
                        bool owes = (jn->unanswered || j->completing) && jn->node->connected;
                        bool waits = !jn->done && (jn->due || owes);
                        if (waits && (!jn->due || !j->stopping.answers_due ||
                                                     j->stopping.answers_due > jn->due ||
                                                     !j->listed.armed ||
                                                     j->listed.armed > j->stopping.answers_due))
                                return xasprintf("job %u waits for %s without a deadline", j->id,
                                                jn->node->name);
                }
        }
        return NULL;
}

static char *strays(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                usec_t due = strays_deadline(n);
                if (n->connected && n->n_strays && (due <= w->now || !n->armed || n->armed > due))
                        return xasprintf("%s waits for the end of a stray without a deadline",
                                        n->name);
        }
        return NULL;
}

static char *sets(struct world *w) {
        const struct cluster *c = w->c;

        for (size_t i = 0; i < c->n_nodes; i++) {
                const struct node *n = c->nodes[i];
                if (bitset_has(c->schedulable, i) != (node_is_schedulable(n) && !brake_holds(c, n)))
                        return xasprintf("%s: the set of schedulable nodes is wrong", n->name);
                if (bitset_has(c->unused, i) != (n->n_jobs == 0))
                        return xasprintf("%s: the set of unused nodes is wrong", n->name);
                for (int p = NODE_ON; p < NODE_POWER_MAX; p++)
                        if (bitset_has(c->power[p], i) != ((int)n->power == p))
                                return xasprintf("%s: the set %s is wrong", n->name,
                                                node_power_text(p));
        }
        return NULL;
}

static char *no_node_sleeps_under_a_job(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                bool off = n->power == NODE_POWERING_DOWN || n->power == NODE_POWERED_DOWN,
                     cut = n->power == NODE_POWERING_DOWN && !(n->flags & NODE_BOOT_REMAINS);
                for (size_t k = 0; k < n->n_jobs; k++)
                        if (cut || (off && !bitset_has(w->c->to_resume, i)))
                                return xasprintf("%s is %s under job %u", n->name,
                                                node_power_text((int)n->power), n->jobs[k]->id);
        }
        return NULL;
}

/* ---- containers ---- */

static char *queue(struct world *w) {
        const struct cluster *c = w->c;
        size_t pending = 0, active = 0, completing = 0;

        for (size_t i = 0; i < c->n_jobs; i++) {
                const struct job *j = c->jobs[i].job;
                bool waits = j && j->state == JOB_PENDING && !j->completing;
                pending += waits ? j->waiting.n_bids : 0;
                if (j && (waits ? j->waiting.n_bids == 0 : j->waiting.n_bids > 0))
                        return xasprintf("job %u has %zu places in the queue", j->id,
                                        j->waiting.n_bids);
                active += j && job_is_active(j);
                completing += j && j->completing;
        }
        if (completing != c->n_completing)
                return xasprintf("%zu jobs complete, %zu are counted", completing, c->n_completing);
        if (pending != c->n_queue || active != c->n_active)
                return xasprintf("%zu pending, %zu in the queue; %zu active, %zu among the active",
                                pending, c->n_queue, active, c->n_active);
        for (size_t i = 0; i < c->n_queue; i++) {
                const struct job *j = c->queue[i]->job;
                bool alone = j->waiting.n_bids == 1 && j->waiting.bids->partition == j->partition;
                if (j->state != JOB_PENDING || j->completing ||
                                j->waiting.current != (alone ? j->waiting.bids : NULL) ||
                                (i && bid_order(c->queue[i - 1], c->queue[i]) >= 0))
                        return xasprintf("job %u is at the wrong place in the queue", j->id);
        }
        for (size_t i = 0; i < c->n_queue; i++) {
                const struct job *j = c->queue[i]->job;
                if (j->waiting.apart !=
                                (job_is_held(j) || j->waiting.depends || job_is_het_follower(j)))
                        return xasprintf("job %u stands %s in the queue", j->id,
                                        j->waiting.apart ? "apart" : "among those that may start");
                bool of_all = j->het && !job_is_held(j);
                enum job_reason why = of_all               ? het_awaits(c, j->het)
                                      : j->waiting.depends ? job_awaits(c, j)
                                                           : REASON_NONE;
                if (why != REASON_NONE && j->reason != why &&
                                !(job_is_held(j) && j->reason == REASON_RESV_DELETED))
                        return xasprintf(
                                        "job %u waits by itself or for other components (%s) and its reason is %s",
                                        j->id, job_reason_text((int)why),
                                        job_reason_text((int)j->reason));
        }
        for (size_t k = 0; k < c->n_partitions; k++) {
                size_t waiting = 0, untold = 0;
                for (size_t i = 0; i < c->n_queue; i++) {
                        const struct bid *b = c->queue[i];
                        if (b->partition != c->partitions[k] || b->job->waiting.apart)
                                continue;
                        waiting++;
                        untold += b->untold;
                        if (b->untold && b->partition->told && i < c->told_up_to)
                                return xasprintf("job %u has not been told that partition %s "
                                                 "starts no jobs, and counts as told",
                                                b->job->id, b->partition->name);
                }
                if (waiting != c->partitions[k]->n_waiting)
                        return xasprintf("%zu jobs wait in partition %s, which counts %zu", waiting,
                                        c->partitions[k]->name, c->partitions[k]->n_waiting);
                if (untold != c->partitions[k]->n_untold)
                        return xasprintf("%zu jobs of partition %s have not been looked at, which "
                                         "counts %zu",
                                        untold, c->partitions[k]->name, c->partitions[k]->n_untold);
        }
        for (size_t i = 0; i < c->n_active; i++)
                if (!job_is_active(c->active[i]) || c->active[i]->listed.queue_at != i)
                        return xasprintf("job %u is wrong among the active", c->active[i]->id);
        return NULL;
}

static bool node_lists(const struct node *n, const struct job *j) {
        for (size_t i = 0; i < n->n_jobs; i++)
                if (n->jobs[i] == j)
                        return true;
        return false;
}

static char *parts(struct world *w) {
        size_t held = 0, listed = 0;

        for (size_t i = 0; i < w->c->n_active; i++) {
                const struct job *j = w->c->active[i];
                for (size_t k = 0; k < j->placed.n_alloc; k++) {
                        held += !j->placed.alloc[k].done;
                        if (!j->placed.alloc[k].done && !node_lists(j->placed.alloc[k].node, j))
                                return xasprintf("job %u holds %s, which does not know", j->id,
                                                j->placed.alloc[k].node->name);
                }
        }
        for (size_t i = 0; i < w->c->n_nodes; i++)
                listed += w->c->nodes[i]->n_jobs;
        return held == listed ? NULL
                              : xasprintf("%zu parts are held, nodes know of %zu", held, listed);
}

/* Two jobs of n hold the same unit. */
static bool share_units(const struct node *n) {
        for (size_t i = 0; i < n->n_jobs; i++)
                for (size_t k = 0; k < i; k++)
                        if (job_units_meet(n->jobs[i], job_node_find(n->jobs[i], n), n->jobs[k],
                                            job_node_find(n->jobs[k], n)))
                                return true;
        return false;
}

static char *units(struct world *w) {
        static const struct yield no_victims;

        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                _cleanup_(bitset_freep) struct bitset *held = bitset_new(n->units);
                alloc_blocked(w->c, n, NULL, &no_victims, false, held);
                if (bitset_count(held) != n->units_used)
                        return xasprintf("%s counts %u units that are in use, and they are %zu",
                                        n->name, n->units_used, bitset_count(held));
                if (share_units(n) != n->units_shared)
                        return xasprintf("%s is wrong about jobs that share units: %d", n->name,
                                        n->units_shared);
        }
        return NULL;
}

static char *memory(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                uint64_t sum = 0;
                for (size_t k = 0; k < n->n_jobs; k++)
                        sum += job_node_promised(job_node_find(n->jobs[k], n));
                if (sum != n->memory_used || sum > n->configured.memory)
                        return xasprintf("%s has promised %llu MB of %llu", n->name,
                                        (unsigned long long)sum,
                                        (unsigned long long)n->configured.memory);
        }
        return NULL;
}

/* A job that has given memory is suspended until it is back, one that waits for some is not
   launched, and every waiting one has asked for as much. */
static char *lent_memory(struct world *w) {
        for (size_t i = 0; i < w->c->n_active; i++) {
                const struct job *j = w->c->active[i];
                for (size_t k = 0; k < j->placed.n_alloc; k++) {
                        const struct job_node *jn = &j->placed.alloc[k];
                        const struct node *n = jn->node;
                        if (jn->done)
                                continue;
                        bool stands = j->state == JOB_SUSPENDED || j->completing;
                        if ((jn->given && !stands) || (jn->asked && !stands && !job_is_to_stop(j)))
                                return xasprintf(
                                                "job %u runs while %llu MB of it on %s are others'",
                                                j->id, (unsigned long long)jn->given, n->name);
                        if (jn->given && n->memory_used < n->configured.memory)
                                return xasprintf(
                                                "job %u does not get back what it has given, although there is room",
                                                j->id);
                        /* one on its way out needs no more than it has */
                        uint64_t owed = j->completing ? 0 : jn->owed;
                        if (owed && (!j->configuring || j->running.launched ||
                                                    j->running.launch_sent))
                                return xasprintf("job %u runs and waits for %llu MB of %s", j->id,
                                                (unsigned long long)jn->owed, n->name);
                        uint64_t asked = 0;
                        for (size_t m = 0; m < n->n_jobs; m++) {
                                const struct job_node *vn = job_node_find(n->jobs[m], n);
                                /* a job on its way out will leave all of it */
                                asked += vn->asked && vn->asked_for == j->id
                                                         ? (n->jobs[m]->completing ? vn->memory
                                                                                   : vn->asked)
                                                         : 0;
                        }
                        if (asked < owed)
                                return xasprintf(
                                                "job %u waits for %llu MB of %s, and %llu are asked for",
                                                j->id, (unsigned long long)jn->owed, n->name,
                                                (unsigned long long)asked);
                        if (jn->reclaiming && n->connected && (!jn->due || jn->due <= w->now))
                                return xasprintf(
                                                "job %u: %s is to push memory out, and there is no deadline",
                                                j->id, n->name);
                }
        }
        return NULL;
}

/* ---- jobs that meet ---- */

static bool stopped(const struct job *j) {
        return j->state == JOB_SUSPENDED || j->completing || j->configuring;
}

static char *too_many_cpus(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                uint32_t cpus = 0;
                for (size_t k = 0; k < n->n_jobs; k++)
                        cpus += stopped(n->jobs[k]) ? 0 : job_node_find(n->jobs[k], n)->cpus;
                if (cpus > n->configured.cpus)
                        return xasprintf("jobs on %s use %u CPUs of %u", n->name, cpus,
                                        n->configured.cpus);
        }
        return NULL;
}

static char *launched_overlap(struct world *w) {
        if (alloc_counts_cpus(w->c))
                return too_many_cpus(w);
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                for (size_t k = 0; k < n->n_jobs; k++)
                        for (size_t m = k + 1; m < n->n_jobs; m++)
                                if (!stopped(n->jobs[k]) && !stopped(n->jobs[m]) &&
                                                alloc_in_the_way(w->c, n->jobs[k], n->jobs[m], n))
                                        return xasprintf("jobs %u and %u run on the same units of "
                                                         "%s",
                                                        n->jobs[k]->id, n->jobs[m]->id, n->name);
        }
        return NULL;
}

/* The core waits for the end of that incarnation no longer: it has given the node up. */
static bool given_up(const struct world *w, const struct node *n, const struct process *p) {
        const struct job *j = cluster_job(w->c, p->job);
        const struct job_node *jn = j ? job_node_find(j, n) : NULL;

        for (size_t i = 0; i < n->n_strays; i++)
                if (n->strays[i].job == p->job && n->strays[i].restarts == p->restarts)
                        return false;
        return !jn || jn->done || job_incarnation(j) != p->restarts;
}

static bool excused(const struct process *p) {
        return p->frozen || p->over || p->left_behind;
}

/* The truth: processes on the machine itself. (One that was told to die and does not has drained
   its node.) */
/* They share the units that they were placed on, but are no more than there are. */
static char *processes_are_too_many(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct agent *a = &w->agents[i];
                const struct node *n = w->c->nodes[i];
                size_t units = 0;
                for (size_t k = 0; k < a->n; k++) {
                        a->list[k].left_behind |= a->list[k].unheard && given_up(w, n, &a->list[k]);
                        units += excused(&a->list[k]) ? 0 : bitset_count(a->list[k].units);
                }
                if (a->linked && n->cpus_per_unit == 1 && units > n->units)
                        return xasprintf("%s: processes of %zu CPUs run at once", n->name, units);
        }
        return NULL;
}

/* Nothing makes them take turns. */
static bool run_together(struct world *w, const struct process *p, const struct process *q) {
        const struct job *a = cluster_job(w->c, p->job), *b = cluster_job(w->c, q->job);

        return !(w->c->config->preempt_mode & PREEMPT_GANG) && a && b &&
               alloc_may_share(w->c, a, b);
}

static char *processes_overlap(struct world *w) {
        if (alloc_counts_cpus(w->c))
                return processes_are_too_many(w);
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct agent *a = &w->agents[i];
                for (size_t k = 0; k < a->n; k++)
                        a->list[k].left_behind |= a->list[k].unheard &&
                                                  given_up(w, w->c->nodes[i], &a->list[k]);
                for (size_t k = 0; k < a->n && a->linked; k++)
                        for (size_t m = k + 1; m < a->n; m++) {
                                const struct process *p = &a->list[k], *q = &a->list[m];
                                if (!excused(p) && !excused(q) &&
                                                bitset_overlaps(p->units, q->units) &&
                                                !run_together(w, p, q))
                                        return xasprintf("%s: processes of jobs %u.%u and %u.%u "
                                                         "run at once",
                                                        w->c->nodes[i]->name, p->job, p->restarts,
                                                        q->job, q->restarts);
                        }
        }
        return NULL;
}

/* What processes use fits into the machine; those of jobs that have no memory of their own are not
   known. */
static char *machines_have_the_memory(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct agent *a = &w->agents[i];
                uint64_t sum = 0;
                for (size_t k = 0; k < a->n && a->linked; k++)
                        sum += a->list[k].over || a->list[k].left_behind ? 0 : a->list[k].resident;
                if (sum > w->c->nodes[i]->configured.memory)
                        return xasprintf("processes on %s use %llu MB of %llu",
                                        w->c->nodes[i]->name, (unsigned long long)sum,
                                        (unsigned long long)w->c->nodes[i]->configured.memory);
        }
        return NULL;
}

/* A job that waits for its turn gets one; a heterogeneous job takes none, it waits until all that
   runs on its units is over. */
static char *turns(struct world *w) {
        bool counts = alloc_counts_cpus(w->c);

        /* the next turn comes at once */
        if (w->c->slices.pass || w->c->slices.plan_put_off || follows(w->c, FOLLOW_GANG))
                return NULL;
        for (size_t i = 0; i < w->c->n_active; i++) {
                const struct job *v = w->c->active[i];
                bool waits = job_is_gang_stopped(v) && !v->completing;
                if (waits && !v->stopping.gang_listed)
                        return xasprintf("job %u waits and is not listed", v->id);
                waits = waits && !job_is_het(v);
                for (size_t k = 0;
                                waits && !counts && !v->stopping.gang_next && k < v->placed.n_alloc;
                                k++)
                        for (size_t m = 0; m < v->placed.alloc[k].node->n_jobs; m++) {
                                const struct job *o = v->placed.alloc[k].node->jobs[m];
                                if (o != v && o->partition == v->partition &&
                                                o->state == JOB_RUNNING && !o->completing &&
                                                alloc_overlap(v, o, v->placed.alloc[k].node) &&
                                                v->partition->slice_at <= w->now)
                                        return xasprintf(
                                                        "job %u waits for job %u, and there is no time slice",
                                                        v->id, o->id);
                        }
        }
        return NULL;
}

/* What a pass that should have had nothing to do has said of what it did. */
static char *not_asked(const struct world *w, const char *room) {
        for (size_t i = 0; i < w->c->effects.n; i++)
                if (w->c->effects.list[i].kind == FX_LOG)
                        return xasprintf("%s had something to do and was not asked: %s", room,
                                        w->c->effects.list[i].text);
        return xasprintf("%s had something to do and was not asked", room);
}

/* A second look finds nothing to do: no job was forgotten. */
static char *nothing_left_to_do(struct world *w) {
        size_t queued = w->c->n_queue, effects = w->c->effects.n;
        /* CompleteWait: no job starts, no node is switched off */
        bool waits = sched_awaits_completing(w->c, w->now);

        /* this turn has not come to its end, the next one goes on */
        if (w->c->slices.pass || w->c->slices.plan_put_off)
                return NULL;
        /* the next turn comes at once */
        if (!waits && !follows(w->c, FOLLOW_PASS) && !w->c->resvs.moved)
                sched_pass(w->c, w->now, true);
        if (w->c->n_queue != queued || w->c->effects.n != effects)
                return not_asked(w, "the pass");
        if (follows(w->c, FOLLOW_GANG))
                return NULL;
        effects = w->c->effects.n;
        gang_settle(w->c, w->now);
        if (w->c->effects.n != effects)
                return not_asked(w, "the gang");
        for (size_t i = 0; i < w->c->n_active; i++)
                job_try_launch(w->c, w->c->active[i], w->now);
        if (w->c->effects.n != effects)
                return xasprintf("job %u could have been launched and was not looked at",
                                w->c->effects.list[effects].job);
        if (!waits)
                power_save_pass(w->c, w->now);
        if (w->c->effects.n != effects)
                return not_asked(w, "power saving");
        return NULL;
}

static char *array_is_whole(const struct array *a) {
        size_t active = 0;

        if (a->rest ? bitset_empty(a->waiting) || !job_is_rest(a->rest) || a->rest->array != a
                    : a->n_tasks == 0)
                return xasprintf("array %u has no tasks, or a rest without any", a->id);
        if (a->rest && job_is_active(a->rest))
                return xasprintf("tasks of array %u run without a record", a->id);
        for (size_t i = 0; i < a->n_tasks; i++) {
                const struct job *j = a->tasks[i];
                active += job_is_active(j);
                if (j->array != a || (i && j->array_task <= a->tasks[i - 1]->array_task) ||
                                array_waits(a, j->array_task))
                        return xasprintf("task %u_%u has the wrong place in its array", a->id,
                                        j->array_task);
        }
        if (active != a->n_active)
                return xasprintf("array %u counts %zu active tasks, it has %zu", a->id, a->n_active,
                                active);
        return NULL;
}

static char *arrays(struct world *w) {
        const struct cluster *c = w->c;
        size_t of_arrays = 0, records = 0;

        for (size_t i = 0; i < c->n_jobs; i++)
                of_arrays += c->jobs[i].job && c->jobs[i].job->array;
        for (size_t i = 0; i < c->n_arrays; i++) {
                char *wrong = array_is_whole(c->arrays[i]);
                if (wrong)
                        return wrong;
                records += c->arrays[i]->n_tasks + (c->arrays[i]->rest != NULL);
        }
        return of_arrays == records ? NULL
                                    : xasprintf("%zu jobs are of arrays, which have %zu", of_arrays,
                                                      records);
}

struct counted {
        uint64_t running, submitted, accruing;
        struct tres_set used;
};

static void count_in(const struct cluster *c, struct counted *n, const struct job *j) {
        struct tres_set has = { 0 };

        if (job_is_finished(j))
                return;
        n->submitted += job_is_rest(j) ? bitset_count(j->array->waiting) : 1;
        n->running += j->state != JOB_PENDING;
        n->accruing += j->state == JOB_PENDING && j->waiting.accrue_time;
        if (j->state != JOB_PENDING)
                tres_of_job(c, j, &has);
        for (size_t t = 0; t < TRES_MAX; t++)
                n->used.of[t] += has.of[t];
}

static char *compare(const struct cluster *c, const char *what, const char *name,
                const struct tally *t, const struct counted *n) {
        if (t->running == n->running && t->submitted == n->submitted &&
                        t->accruing == n->accruing &&
                        memcmp(&t->used, &n->used, sizeof n->used) == 0)
                return NULL;
        _cleanup_free_ char *counts = tres_text(&c->acct.tres, &t->used),
                            *has = tres_text(&c->acct.tres, &n->used);
        return xasprintf(
                        "%s %s counts %u jobs, %u running, %u growing older, %s; there are %llu, %llu, %llu, %s",
                        what, name, t->submitted, t->running, t->accruing, counts,
                        (unsigned long long)n->submitted, (unsigned long long)n->running,
                        (unsigned long long)n->accruing, has);
}

/* What is counted against limits is what jobs have. */
static char *charges(struct world *w) {
        const struct acct *a = &w->c->acct;
        char *wrong = NULL;

        for (size_t q = 0; q < a->n_qos && !wrong; q++) {
                struct counted n = { 0 };
                for (size_t i = 0; i < w->c->n_jobs; i++) {
                        const struct job *j = w->c->jobs[i].job;
                        if (j && (j->accounting.qos == a->qos[q] || j->partition->qos == a->qos[q]))
                                count_in(w->c, &n, j);
                }
                wrong = compare(w->c, "QOS", a->qos[q]->name, &a->qos[q]->all, &n);
        }
        for (size_t s = 0; s < a->n_assocs && !wrong; s++) {
                struct counted n = { 0 };
                for (size_t i = 0; i < w->c->n_jobs; i++)
                        if (w->c->jobs[i].job && assoc_is_below(w->c->jobs[i].job->accounting.assoc,
                                                                 a->assocs[s]))
                                count_in(w->c, &n, w->c->jobs[i].job);
                wrong = compare(w->c, "association", a->assocs[s]->account, &a->assocs[s]->used,
                                &n);
        }
        return wrong;
}

static bool is_of(const struct job *j, const struct gres_share *s, const struct gres_want *w) {
        const struct node_gres *g = &j->placed.alloc[s->place].node->gres_items[s->item];

        return streq(g->name, w->name) && (!w->type || (g->type && streq(g->type, w->type)));
}

/* Of each kind that it asks for altogether as many as that, some of them on each node; of what is
   for each node so many.  One that has lost nodes, or given them back, has what is left. */
static char *gres_of_job(const struct cluster *c, const struct job *j) {
        const struct gres_total total = gres_total_of(j->needs.gres_wants);
        _cleanup_(bitset_freep) struct bitset *gives = bitset_new(j->placed.n_alloc + 1);
        const bool shrunk = j->running.lost_nodes || j->running.resize_time;
        uint64_t all = 0;

        for (size_t i = 0; j->needs.gres_wants && i < j->needs.gres_wants->n && j->placed.n_alloc;
                        i++) {
                const struct gres_want *w = &j->needs.gres_wants->list[i];
                uint64_t has = 0,
                         wanted = w->per_job ? w->per_job : w->per_node * j->placed.n_alloc;
                for (size_t k = 0; k < j->placed.n_gres; k++)
                        if (is_of(j, &j->placed.gres[k], w)) {
                                has += j->placed.gres[k].count;
                                if (w->per_job)
                                        bitset_put(gives, j->placed.gres[k].place, true);
                        }
                if ((has < wanted && !shrunk) ||
                                (total.n > 1 && has > wanted && !place_wants_whole(c, j)))
                        return xasprintf("job %u has %llu of %s:%s, not %llu", j->id,
                                        (unsigned long long)has, w->name, strempty(w->type),
                                        (unsigned long long)wanted);
                all += has;
        }
        if (total.n && bitset_count(gives) < j->placed.n_alloc)
                return xasprintf("job %u has %llu generic resources, but none on some node", j->id,
                                (unsigned long long)all);
        return NULL;
}

/* What a share of v's holds of n, and another job's holds of another item: no GPU is given out
   whole and in shards. */
static char *crossed(const struct node *n, const struct job *v, const struct gres_share *s) {
        for (size_t k = 0; k < n->n_jobs; k++)
                for (size_t m = 0; m < n->jobs[k]->placed.n_gres; m++) {
                        const struct gres_share *other = &n->jobs[k]->placed.gres[m];
                        if (n->jobs[k]->placed.alloc[other->place].node == n &&
                                        shards_cross(n, s, other))
                                return xasprintf("a GPU of %s is given to job %u, and shards of it "
                                                 "to job %u",
                                                n->name, v->id, n->jobs[k]->id);
                }
        return NULL;
}

/* No unit is given to two, and what is counted as used is what jobs hold. */
static char *gres(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                for (uint32_t item = 0; item < n->n_gres; item++) {
                        const struct node_gres *g = &n->gres_items[item];
                        _cleanup_(bitset_freep) struct bitset *units = bitset_new(
                                        g->numbered ? g->count : 1);
                        uint64_t held = 0;
                        for (size_t k = 0; k < n->n_jobs; k++)
                                for (size_t m = 0; m < n->jobs[k]->placed.n_gres; m++) {
                                        const struct gres_share *s = &n->jobs[k]->placed.gres[m];
                                        if (n->jobs[k]->placed.alloc[s->place].node != n ||
                                                        s->item != item)
                                                continue;
                                        held += s->count;
                                        char *wrong = g->shards ? crossed(n, n->jobs[k], s) : NULL;
                                        if (wrong)
                                                return wrong;
                                        if (s->units && (bitset_overlaps(units, s->units) ||
                                                                        bitset_count(s->units) !=
                                                                                        s->count))
                                                return xasprintf(
                                                                "a unit of %s of %s is given to job %u and another",
                                                                g->name, n->name, n->jobs[k]->id);
                                        if (s->units)
                                                bitset_or(units, s->units);
                                }
                        if (held != g->used || held > g->count)
                                return xasprintf(
                                                "%s of %s: %llu are held, %llu counted, %llu there",
                                                g->name, n->name, (unsigned long long)held,
                                                (unsigned long long)g->used,
                                                (unsigned long long)g->count);
                }
        }
        for (size_t i = 0; i < w->c->n_active; i++) {
                char *wrong = gres_of_job(w->c, w->c->active[i]);
                if (wrong)
                        return wrong;
        }
        return NULL;
}

/* The holders follow from the jobs; and none is given out that is not there (a reconfigure may take
   some away). */
static char *licenses(struct world *w) {
        const struct cluster *c = w->c;

        for (size_t i = 0; i < c->licenses.n; i++) {
                const struct license *l = &c->licenses.list[i];
                uint64_t held = 0, newest = 0;
                for (size_t k = 0; k < c->n_active; k++) {
                        const struct countlist *has = c->active[k]->placed.licenses_held;
                        for (size_t m = 0; has && !c->active[k]->running.off_nodes && m < has->n;
                                        m++)
                                if (streq(has->list[m].name, l->name)) {
                                        held += has->list[m].n;
                                        newest = MAX(newest, c->active[k]->running.configure_time);
                                }
                }
                if (held != l->used)
                        return xasprintf("%llu of license %s are held, %llu are counted",
                                        (unsigned long long)held, l->name,
                                        (unsigned long long)l->used);
                if (held > l->total && !l->infinite && newest == w->now)
                        return xasprintf("%llu of license %s are held, there are %u",
                                        (unsigned long long)held, l->name, l->total);
        }
        for (size_t k = 0; k < c->n_active; k++)
                if ((c->active[k]->needs.licenses || c->active[k]->needs.hres) !=
                                (c->active[k]->placed.licenses_held != NULL))
                        return xasprintf("job %u runs without its licenses", c->active[k]->id);
        return NULL;
}

static bool is_better(const struct cluster *c, const struct job *j, const struct job *v,
                usec_t now) {
        if (v->stopping.preempt_time < now) /* partitions and QOS may have changed since */
                return true;
        if (c->config->preempt_type == PREEMPT_QOS) /* of one QOS it goes by priority */
                return j->accounting.qos && v->accounting.qos &&
                       (j->accounting.qos == v->accounting.qos ||
                                       qos_preempts(j->accounting.qos, v->accounting.qos));
        for (size_t i = 0; i < j->waiting.n_bids; i++)
                if (j->waiting.bids[i].partition->priority_tier > v->partition->priority_tier)
                        return true;
        return j->partition->priority_tier > v->partition->priority_tier;
}

/* It is the leader that others are stopped for, where another component is better. */
static bool some_is_better(const struct cluster *c, const struct job *j, const struct job *v,
                usec_t now) {
        bool better = is_better(c, j, v, now);

        for (uint32_t i = 0; j->het && i < j->het->n; i++)
                better |= j->het->of[i] && is_better(c, j->het->of[i], v, now);
        return better;
}

/* Only for a better job, told once, with a deadline, which may be past where its node was not heard
   until now (the next turn, at this instant, ends it); what is kept for a job is kept while there
   is a victim of it. */
static char *preemptions(struct world *w) {
        const struct cluster *c = w->c;

        for (size_t i = 0; i < c->n_active; i++) {
                const struct job *v = c->active[i],
                                 *j = v->stopping.preempt_mode
                                                      ? cluster_job(c, v->stopping.preemptor)
                                                      : NULL;
                const usec_t ends = MAX(v->stopping.grace_end, v->running.heard_by);
                if (v->stopping.grace_end &&
                                (!v->stopping.preempt_mode || v->completing || !v->listed.armed ||
                                                v->listed.armed > ends))
                        return xasprintf("job %u is in its GraceTime without a deadline", v->id);
                if (v->stopping.preempt_mode && !v->stopping.grace_end && !v->completing)
                        return xasprintf("job %u is preempted and goes on", v->id);
                if (j && !resv_wants_back(j, v) && !some_is_better(c, j, v, w->now))
                        return xasprintf("job %u is preempted for job %u, which is no better",
                                        v->id, j->id);
        }
        for (size_t i = 0; i < c->n_claims; i++) {
                const struct job *j = c->claims[i];
                /* its turn comes at once */
                bool victims = j->claim.turn != CLAIM_VICTIMS &&
                               (follows(c, FOLLOW_PASS) || c->slices.pass);
                for (size_t k = 0; k < c->n_active; k++) {
                        const struct job *v = c->active[k];
                        victims |= v->stopping.preempt_mode && v->stopping.preemptor == j->id;
                        /* another job's */
                        victims |= j->claim.waits && (v->stopping.preempt_mode || v->completing);
                }
                if (!victims || j->state != JOB_PENDING || j->completing)
                        return xasprintf("nodes are kept for job %u, which waits for no job",
                                        j->id);
        }
        return NULL;
}

/* Units that j has on a node, all of them in set, or none. */
static bool has_in(const struct job *j, const struct job_node *jn, const struct bitset *set,
                bool all) {
        for (size_t u = 0; u < jn->node->units; u++)
                if (bitset_has(j->placed.units, jn->units_at + u) && bitset_has(set, u) != all)
                        return false;
        return true;
}

/* A job that began while it lasted. */
static bool keeps_off(const struct resv *r, const struct job *j) {
        const unsigned others = RESV_MAINT | RESV_OVERLAP;

        return r->active && !j->completing &&
               !(r->flags & (RESV_REPEATS | RESV_FLOAT | RESV_IGNORE_JOBS)) &&
               r->max_start_delay == 0 && j->running.start_time > r->start && j->placed.resv != r &&
               !(j->placed.resv && j->placed.resv->flags & others);
}

/* A job in a reservation of cores has these alone, and none that began while it lasted has some of
   them. */
static char *reserved_cores(struct world *w) {
        for (size_t i = 0; i < w->c->n_active; i++) {
                const struct job *j = w->c->active[i];
                for (size_t k = 0; k < j->placed.n_alloc && j->placed.units && w->c->resvs.cores;
                                k++)
                        for (size_t n = 0; n < w->c->resvs.n; n++) {
                                const struct resv *r = w->c->resvs.list[n];
                                const struct bitset *its = resv_cores_on(r,
                                                j->placed.alloc[k].node->index);
                                if (its && j->placed.resv == r && resv_binds(j) &&
                                                !has_in(j, &j->placed.alloc[k], its, true))
                                        return xasprintf("job %u has more of %s than %s has", j->id,
                                                        j->placed.alloc[k].node->name, r->name);
                                if (its && !w->c->clock_set && keeps_off(r, j) &&
                                                !has_in(j, &j->placed.alloc[k], its, false))
                                        return xasprintf("job %u has cores of %s on %s", j->id,
                                                        r->name, j->placed.alloc[k].node->name);
                        }
        }
        return NULL;
}

/* What a node draws is shared among those that run there. */
static char *shares(struct world *w) {
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                uint32_t cpus = 0;
                for (size_t k = 0; k < n->n_jobs; k++)
                        cpus += n->jobs[k]->accounting.draws ? job_node_find(n->jobs[k], n)->cpus
                                                             : 0;
                if (cpus != n->sharing_cpus)
                        return xasprintf("%s draws for %u CPUs, and its jobs have %u", n->name,
                                        n->sharing_cpus, cpus);
        }
        for (size_t i = 0; i < w->c->n_active; i++) {
                const struct job *j = w->c->active[i];
                if (j->accounting.draws != (j->state == JOB_RUNNING && !j->configuring))
                        return xasprintf("job %u is %s and %s", j->id,
                                        job_state_text((int)j->state),
                                        j->accounting.draws ? "draws" : "does not draw");
        }
        return NULL;
}

static bool has_nodes(const struct job *m) {
        return m->state == JOB_RUNNING || m->state == JOB_SUSPENDED;
}

/* Of its components all have begun, at the same instant, or none. */
static char *whole_het(const struct het *h) {
        const struct job *one = NULL, *waits = NULL;

        for (uint32_t i = 0; i < h->n; i++) {
                const struct job *m = h->of[i];
                if (m && m->state == JOB_PENDING)
                        waits = m;
                if (!m || !has_nodes(m))
                        continue;
                if (one && (one->running.configure_time != m->running.configure_time ||
                                           one->configuring != m->configuring ||
                                           one->running.start_time != m->running.start_time))
                        return xasprintf("components %u and %u did not begin together", one->id,
                                        m->id);
                if (one && bitset_overlaps(one->placed.nodes, m->placed.nodes))
                        return xasprintf("components %u and %u share a node", one->id, m->id);
                one = m;
        }
        return one && waits ? xasprintf("component %u has nodes, and %u waits", one->id, waits->id)
                            : NULL;
}

static char *hets(struct world *w) {
        const struct cluster *c = w->c;

        if (c->slices.pass || follows(c, FOLLOW_HET)) /* the next turn sees to it */
                return NULL;
        for (size_t i = 0; i < c->n_active; i++) {
                char *wrong = c->active[i]->het ? whole_het(c->active[i]->het) : NULL;
                if (wrong)
                        return wrong;
        }
        return NULL;
}

static char *(*const rules[])(struct world *w) = {
        hets,
        deadlines,
        answers,
        strays,
        sets,
        no_node_sleeps_under_a_job,
        queue,
        arrays,
        parts,
        units,
        memory,
        lent_memory,
        licenses,
        gres,
        reserved_cores,
        launched_overlap,
        turns,
        processes_overlap,
        machines_have_the_memory,
        nothing_left_to_do,
        charges,
        preemptions,
        shares,
};

char *world_check(struct world *w) {
        for (size_t i = 0; i < ELEMENTSOF(rules); i++) {
                char *wrong = rules[i](w);
                if (wrong)
                        return wrong;
        }
        return NULL;
}

static char *still_there(const struct job *j) {
        _cleanup_free_ char *waits = dependencies_text(j->waiting.depends);

        return xasprintf("job %u is still %s%s%s (%s%s%s)", j->id, job_state_text((int)j->state),
                        j->completing ? ", completing" : "", j->configuring ? ", configuring" : "",
                        job_reason_text((int)j->reason), *waits ? ": " : "", waits);
}

char *world_check_settled(struct world *w) {
        for (size_t i = 0; i < w->c->n_jobs; i++) {
                const struct job *j = w->c->jobs[i].job;
                if (j && (job_is_active(j) || (j->state == JOB_PENDING && !job_is_held(j))))
                        return still_there(j);
        }
        for (size_t i = 0; i < w->c->n_nodes; i++) {
                const struct node *n = w->c->nodes[i];
                if (n->power == NODE_POWERING_UP || n->power == NODE_POWERING_DOWN || n->n_jobs ||
                                n->n_strays)
                        return xasprintf("%s is still %s with %zu jobs and %zu strays", n->name,
                                        node_power_text((int)n->power), n->n_jobs, n->n_strays);
        }
        return NULL;
}
