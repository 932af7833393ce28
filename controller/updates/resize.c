/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running job gives nodes back.
 *
 * All data indexed by places in job->placed.alloc is renumbered here at once: cores, generic
 * resources, steps.  A step keeps ranks only while it keeps all nodes, so a step running on kept
 * and released nodes prevents the change.  Remains of the job on released nodes are strays: no job
 * starts beside strays, and a slumberd that was disconnected learns at registration that the job
 * has left. */
#include "controller/updates/resize.h"

#include "controller/accounts/usage.h"
#include "controller/ended/ended.h"
#include "controller/ended/ended_step.h"
#include "controller/indexes/changed.h"
#include "controller/jobs/alloc.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/job_memory.h"
#include "controller/reservations/license.h"
#include "lib/timetext.h"

#include <signal.h>

static enum slumber_error refuse_step(const struct job *j, const struct step *s, const char *why,
                struct fail *fail) {
        fail_set(fail, -EBUSY, "StepId=%u.%u %s", j->id, s->id, why);
        return SLUMBER_FAILED;
}

static enum slumber_error step_may(const struct job *j, const struct step *s,
                const struct bitset *keep, struct fail *fail) {
        if (s->id == STEP_EXTERN || bitset_contains(keep, s->nodes))
                return SLUMBER_OK;
        if (s->orphan_due)
                return refuse_step(j, s, "has nodes that would go, and its srun is cut off from it",
                                fail);
        if (!job_step_is_over(s) && bitset_overlaps(s->nodes, keep))
                return refuse_step(j, s, "runs on nodes that would go and on others; end it first",
                                fail);
        return SLUMBER_OK;
}

static enum slumber_error state_may(const struct job *j, struct fail *fail) {
        const char *why = NULL;

        if (j->completing || j->configuring ||
                        (j->state != JOB_RUNNING && j->state != JOB_SUSPENDED))
                return SLUMBER_JOB_NOT_PENDING;
        if (j->state == JOB_SUSPENDED)
                why = "a suspended job cannot give nodes back, only one that runs";
        else if (j->stopping.preempt_mode)
                why = "a job that is being preempted cannot give nodes back";
        else if (memory_moves(j))
                why = "a job that lends or borrows memory cannot give nodes back";
        if (!why)
                return SLUMBER_OK;
        fail_set(fail, -EOPNOTSUPP, "%s", why);
        return SLUMBER_NOT_SUPPORTED;
}

enum slumber_error job_may_shrink(const struct job *j, const struct bitset *keep,
                struct fail *fail) {
        enum slumber_error e = state_may(j, fail);

        if (e != SLUMBER_OK)
                return e;
        if (bitset_empty(keep))
                return SLUMBER_BAD_NODE_COUNT;
        if (job_has_home(j)) {
                fail_set(fail, -EOPNOTSUPP, "node %s makes the steps of the job (stepmgr)",
                                j->placed.alloc[j->placed.batch_at].node->name);
                return SLUMBER_NOT_SUPPORTED;
        }
        if (j->asked.batch && !bitset_has(keep, j->placed.batch_at)) {
                fail_set(fail, -EINVAL, "node %s, where the batch script runs, must stay",
                                j->placed.alloc[j->placed.batch_at].node->name);
                return SLUMBER_FAILED;
        }
        for (size_t i = 0; e == SLUMBER_OK && i < j->running.n_steps; i++)
                e = step_may(j, &j->running.steps[i], keep, fail);
        return e;
}

/* ---- carrying out ---- */

/* Returns the members of set that are in keep, renumbered by their places in keep. */
static struct bitset *resize_kept_members(const struct bitset *set, const struct bitset *keep) {
        struct bitset *ret = bitset_new(bitset_count(keep));
        size_t to = 0;

        bitset_for_each(from, keep)
                bitset_put(ret, to++, bitset_has(set, from));
        return ret;
}

static void resize_pick_kept(struct bitset **set, const struct bitset *keep) {
        struct bitset *before = *set;

        *set = resize_kept_members(before, keep);
        bitset_free(before);
}

static void pick_shares(struct gres_share *shares, size_t *n, const struct bitset *keep,
                const uint32_t *places) {
        size_t kept = 0;

        for (size_t i = 0; i < *n; i++) {
                if (!bitset_has(keep, shares[i].place)) {
                        bitset_free(shares[i].units);
                        continue;
                }
                shares[kept] = shares[i];
                shares[kept++].place = places[shares[i].place];
        }
        *n = kept;
}

/* Ends s on the released nodes; the extern step continues on kept nodes. */
static void resize_end_step(struct cluster *c, struct job *j, struct step *s,
                const struct bitset *keep, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *where = bitset_copy(s->nodes);
        bool stays = s->id == STEP_EXTERN;

        bitset_minus(where, s->ended);
        if (stays)
                bitset_minus(where, keep);
        bitset_for_each(at, where)
                (void)job_step_node_ended(c, j, s, j->placed.alloc[at].node, stays ? 0 : SIGKILL,
                                NULL, now);
        if (stays)
                return;
        step_is_over(c, j, s, now);
        job_step_remove(j, s);
}

static void end_steps(struct cluster *c, struct job *j, const struct bitset *keep, usec_t now) {
        for (size_t i = j->running.n_steps; i-- > 0;)
                if (!bitset_contains(keep, j->running.steps[i].nodes))
                        resize_end_step(c, j, &j->running.steps[i], keep, now);
}

/* Records the charge for the former resources. */
static void settle_accounts(struct cluster *c, struct job *j, usec_t now) {
        struct effect *fx = effects_add(&c->effects, FX_RUN_ROW);

        fx->job = j->id;
        fx->ended = ended_new(c, j, "RESIZING", true, now);
        /* usage is counted from now on with the new resources, also after a restart */
        usage_review(c, now);
        j->running.resize_time = now;
        j->running.resize_ran = job_run_time(j, now);
}

static void resize_release_node(struct cluster *c, struct job *j, struct job_node *jn, usec_t now) {
        if (jn->done)
                return;
        if ((jn->used || config_has_epilog(c->config)) && jn->node->connected)
                node_end_stray(c, jn->node, j->id, job_incarnation(j), true, now);
        alloc_release_node(c, j, jn, now);
}

static void resize_renumber(struct job *j, const struct bitset *keep) {
        _cleanup_free_ uint32_t *places = xnew0(uint32_t, j->placed.n_alloc);
        _cleanup_(bitset_freep) struct bitset *units = TAKE(j->placed.units);
        size_t n = 0, n_units = 0;

        bitset_for_each(i, keep)
                n_units += j->placed.alloc[i].node->units;
        j->placed.units = bitset_new(n_units);
        n_units = 0;
        j->placed.num_cpus = 0;
        bitset_clear(j->placed.nodes);
        bitset_for_each(i, keep) {
                struct job_node jn = j->placed.alloc[i];
                for (size_t k = 0; k < jn.node->units; k++)
                        bitset_put(j->placed.units, n_units + k,
                                        bitset_has(units, jn.units_at + k));
                jn.units_at = n_units;
                n_units += jn.node->units;
                j->placed.num_cpus += jn.cpus;
                bitset_add(j->placed.nodes, jn.node->index);
                places[i] = (uint32_t)n;
                j->placed.alloc[n++] = jn;
        }
        pick_shares(j->placed.gres, &j->placed.n_gres, keep, places);
        for (size_t i = 0; i < j->running.n_steps; i++) {
                struct step *s = &j->running.steps[i];
                for (size_t k = 0; k < s->n_parts; k++) {
                        resize_pick_kept(&s->parts[k].nodes, keep);
                        resize_pick_kept(&s->parts[k].ended, keep);
                        resize_pick_kept(&s->parts[k].launched, keep);
                }
                resize_pick_kept(&s->nodes, keep);
                resize_pick_kept(&s->ended, keep);
                resize_pick_kept(&s->launched, keep);
                pick_shares(s->gres, &s->n_gres, keep, places);
                if (s->id != STEP_EXTERN)
                        continue;
                s->n_tasks_on = s->num_tasks = (uint32_t)n;
                s->cpus = j->placed.num_cpus;
        }
        j->placed.n_alloc = n;
        j->placed.batch_at = j->asked.batch ? places[j->placed.batch_at] : 0;
}

void job_shrink(struct cluster *c, struct job *j, const struct bitset *keep, usec_t now) {
        assert(keep->bits == j->placed.n_alloc && !bitset_empty(keep));
        if (bitset_count(keep) == j->placed.n_alloc)
                return;
        _cleanup_(bitset_freep) struct bitset *before = licenses_nodes(c, j);
        settle_accounts(c, j, now);
        end_steps(c, j, keep, now);
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!bitset_has(keep, i))
                        resize_release_node(c, j, &j->placed.alloc[i], now);
        resize_renumber(j, keep);
        licenses_shrink(c, j, before);
        c->active_left++; /* invalidates caches of active jobs by node */
        cluster_log(c, j->id, NULL, "JobId=%u keeps %zu of its nodes", j->id, j->placed.n_alloc);
        cluster_job_changed(c, j);
        note_nodes(c, FACT_LAUNCH_POSSIBLE, j->placed.nodes);
}

/* ---- lost nodes ---- */

static bool step_has(const struct job *j, const struct bitset *keep) {
        for (size_t i = 0; i < j->running.n_steps; i++) {
                const struct step *s = &j->running.steps[i];
                if (s->id != STEP_EXTERN && !job_step_is_over(s) &&
                                !bitset_contains(keep, s->nodes))
                        return true;
        }
        return false;
}

static void drop_lost(struct cluster *c, struct job *j, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *keep = bitset_new(j->placed.n_alloc);

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                bitset_put(keep, i, !j->placed.alloc[i].done);
        if (step_has(j, keep) || job_may_shrink(j, keep, NULL) != SLUMBER_OK)
                return; /* retried when a step ends, or the job continues with the lost nodes */
        j->running.lost_nodes = false;
        job_shrink(c, j, keep, now);
        if (c->job_shrunk)
                c->job_shrunk(j, keep, c->job_shrunk_user);
}

void jobs_drop_lost(struct cluster *c, usec_t now) {
        for (size_t i = 0; i < c->n_active; i++)
                if (c->active[i]->running.lost_nodes && !c->active[i]->completing)
                        drop_lost(c, c->active[i], now);
}

/* ---- scontrol update numnodes= and nodelist= ---- */

static size_t nodes_left(const struct job *j) {
        size_t n = 0;

        for (size_t i = 0; i < j->placed.n_alloc; i++)
                n += !j->placed.alloc[i].done;
        return n;
}

/* A range is for a pending job only. */
static enum slumber_error resize_parse_count(const char *text, const struct job *j, size_t *ret,
                struct fail *fail) {
        uint64_t n;

        if (strchr(text, '-'))
                return SLUMBER_JOB_NOT_PENDING;
        if (uint_parse(text, 1, INT32_MAX, &n) < 0)
                return SLUMBER_BAD_NODE_COUNT;
        if (n > nodes_left(j)) {
                fail_set(fail, -EOPNOTSUPP, "NumNodes=%s: a job that runs cannot get more nodes",
                                text);
                return SLUMBER_NOT_SUPPORTED;
        }
        *ret = n;
        return SLUMBER_OK;
}

static void keep_first(const struct job *j, size_t n, struct bitset *keep) {
        for (size_t i = 0; i < j->placed.n_alloc && n; i++)
                if (!j->placed.alloc[i].done) {
                        bitset_add(keep, i);
                        n--;
                }
}

static enum slumber_error keep_named(const struct cluster *c, const struct job *j,
                const char *names, struct bitset *keep, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;

        if (cluster_nodes_parse(c, names, &nodes, NULL) < 0 || bitset_empty(nodes))
                return SLUMBER_BAD_NODE_NAME;
        bitset_for_each(i, nodes) {
                const struct job_node *jn = job_node_find(j, c->nodes[i]);
                if (!jn || jn->done) {
                        fail_set(fail, -EOPNOTSUPP,
                                        "NodeList: a job that runs cannot get more nodes, it does not have %s",
                                        c->nodes[i]->name);
                        return SLUMBER_NOT_SUPPORTED;
                }
                bitset_add(keep, (size_t)(jn - j->placed.alloc));
        }
        return SLUMBER_OK;
}

enum slumber_error resize_check(const struct cluster *c, const struct job *j, const char *count,
                const char *nodes, struct bitset **ret, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *keep = bitset_new(j->placed.n_alloc);
        enum slumber_error e = SLUMBER_OK;
        size_t n = 0;

        if (!count && !nodes)
                return SLUMBER_OK;
        if (c->config->no_job_shrink) {
                fail_set(fail, -EOPNOTSUPP,
                                "SchedulerParameters=disable_job_shrink: a job that runs keeps its nodes");
                return SLUMBER_NOT_SUPPORTED;
        }
        if (count)
                e = resize_parse_count(count, j, &n, fail);
        if (e == SLUMBER_OK && nodes)
                e = keep_named(c, j, nodes, keep, fail);
        else if (e == SLUMBER_OK)
                keep_first(j, n, keep);
        if (e == SLUMBER_OK && count && bitset_count(keep) != n)
                e = SLUMBER_BAD_NODE_COUNT;
        if (e == SLUMBER_OK)
                e = job_may_shrink(j, keep, fail);
        if (e == SLUMBER_OK)
                *ret = TAKE(keep);
        return e;
}
