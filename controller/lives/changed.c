/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/lives/changed.h"

#include "controller/lives/job_events.h"
#include "controller/lives/node_deadline.h"
#include "controller/lives/node_events.h"
#include "controller/lives/powered.h"

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
                note(c, FACT_NODE_USABLE);
        if (is != was && n->power == NODE_ON && !(n->flags & NODE_POWER_DOWN_WANTED)) /* who names it may wait for that */
                note(c, FACT_NODE_SERVICE);
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

void exclusions_update(struct cluster *c, enum exclude_kind kind, char op, const char *value, usec_t now) {
        exclusions_set(c, kind, op, value);
        for (size_t i = 0; i < c->n_nodes; i++) /* a node that was excluded has an idle deadline again */
                cluster_node_changed(c, c->nodes[i], now);
}

void node_set_base(struct cluster *c, struct node *n, enum node_base base, usec_t now) {
        n->base = base;
        if (base != NODE_DOWN)
                n->flags &= ~(unsigned)NODE_FELL;
        cluster_node_changed(c, n, now);
}

void node_flag(struct cluster *c, struct node *n, unsigned set, unsigned clear, usec_t now) {
        n->flags = (n->flags & ~clear) | set;
        cluster_node_changed(c, n, now);
}

void node_set_reason(struct cluster *c, struct node *n, const char *reason, uid_t uid, usec_t now) {
        free_and_strdup(&n->reason, isempty(reason) ? NULL : reason);
        n->reason_time = n->reason ? now : 0;
        n->reason_uid = uid;
        bitset_add(c->dirty_nodes, n->index);
}
