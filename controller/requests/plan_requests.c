/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol power plan: what power saving would do. A child makes the plan (sim/plan.h) on a copy of
 * the cluster and packs the reply, so that a large plan does not block the event loop. One plan at
 * a time, with a time limit, as a plan occupies a core. */
#include "controller/requests/plan_requests.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/requests/clone.h"
#include "controller/requests/handlers.h"
#include "lib/log.h"
#include "sim/plan.h"

#define HORIZON_MAX  (7 * 24 * 3600 * USEC_PER_SEC)
#define SETTINGS_MAX 100 /* more than there are keys, some for partitions */
#define TIME_MAX     (60 * USEC_PER_SEC)

struct planning {
        struct controller *ctl;
        struct address to;
        struct clone *clone;
        struct plan_request request; /* texts belong to the request; the child has a copy of them */
        usec_t now;
};

/* ---- child ---- */

static uint8_t *plan_reply_pack(const Envelope *env, size_t *ret_size) {
        size_t size = slumber__envelope__get_packed_size(env);
        uint8_t *data = xmalloc(size);

        *ret_size = slumber__envelope__pack(env, data);
        return data;
}

static uint8_t *pack_failure(int r, const struct fail *fail, size_t *ret_size) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        error.code = r == -ENOENT || r == -EINVAL || r == -ERANGE ? SLUMBER_BAD_UPDATE
                                                                  : SLUMBER_FAILED;
        error.text = (char *)(uintptr_t)fail->text;
        ENVELOPE(env, ERROR, error, &error);
        return plan_reply_pack(&env, ret_size);
}

static void totals_fill(Slumber__PlanTotals *to, const struct plan_totals *from) {
        slumber__plan_totals__init(to);
        to->on = from->on;
        to->nodes = (uint32_t)from->nodes;
        to->on_at_start = (uint32_t)from->on_start;
        to->on_at_end = (uint32_t)from->on_end;
        to->suspends = (uint32_t)from->suspends;
        to->resumes = (uint32_t)from->resumes;
        to->failures = (uint32_t)from->failures;
}

static void lines_fill(Slumber__PlanReply *m, const struct plan *p) {
        Slumber__PlanLine *lines = xnew(Slumber__PlanLine, p->n_lines);
        Slumber__PlanAwake *awake = xnew(Slumber__PlanAwake, p->n_awake);

        m->lines = xnew(Slumber__PlanLine *, p->n_lines);
        m->awake = xnew(Slumber__PlanAwake *, p->n_awake);
        for (size_t i = 0; i < p->n_lines; i++) {
                const struct plan_line *from = &p->lines[i];
                Slumber__PlanLine *to = m->lines[m->n_lines++] = &lines[i];
                slumber__plan_line__init(to);
                to->from = from->from;
                to->until = from->until;
                to->action = (char *)(uintptr_t)plan_action_text((int)from->action);
                to->nodes = from->nodes;
                to->node_count = (uint32_t)from->count;
                to->job_id = from->job;
                to->why = from->why;
        }
        for (size_t i = 0; i < p->n_awake; i++) {
                Slumber__PlanAwake *to = m->awake[m->n_awake++] = &awake[i];
                slumber__plan_awake__init(to);
                to->nodes = p->awake[i].nodes;
                to->node_count = (uint32_t)p->awake[i].count;
                to->why = p->awake[i].why;
        }
}

static void plan_unchanged_totals(void *user, void *result) {
        const struct planning *pl = user;
        struct plan_request request = {
                .nodes = pl->request.nodes,
                .horizon = pl->request.horizon,
        };
        struct plan plan;

        *(struct plan_totals *)result = plan_make(pl->ctl->cluster, &request, pl->now, &plan,
                                                        NULL) < 0
                                                        ? (struct plan_totals){ 0 }
                                                        : plan.totals;
}

/* Makes the plan. Memory is not freed: the process ends. */
static void planning_work(void *user, uint8_t **ret, size_t *ret_size) {
        struct planning *pl = user;
        Slumber__PlanReply m = SLUMBER__PLAN_REPLY__INIT;
        Slumber__PlanTotals totals, unchanged;
        struct plan_totals before;
        struct fail fail = { 0 };
        struct plan plan;

        if (pl->request.n_settings &&
                        clone_compute(plan_unchanged_totals, pl, &before, sizeof before) >= 0) {
                totals_fill(&unchanged, &before);
                m.unchanged = &unchanged;
        }
        int r = plan_make(pl->ctl->cluster, &pl->request, pl->now, &plan, &fail);
        if (r < 0) {
                *ret = pack_failure(r, &fail, ret_size);
                return;
        }
        totals_fill(&totals, &plan.totals);
        m.totals = &totals;
        m.start = plan.start;
        m.end = plan.end;
        m.off_because = (char *)(uintptr_t)strempty(plan.off_because);
        m.left_out = (uint32_t)plan.left_out;
        m.endless_jobs = (uint32_t)plan.endless_jobs;
        m.guessed_boots = (uint32_t)plan.guessed_boots;
        lines_fill(&m, &plan);
        ENVELOPE(env, PLAN_REPLY, plan_reply, &m);
        *ret = plan_reply_pack(&env, ret_size);
}

/* ---- parent ---- */

static void planning_free(struct controller *ctl) {
        struct planning *pl = TAKE(ctl->planning);

        clone_stop(pl->clone);
        address_done(&pl->to);
        free(pl);
}

static void planning_on_ended(int r, const uint8_t *data, size_t size, void *user) {
        struct planning *pl = user;
        _cleanup_envelope_ Envelope *env = NULL;

        pl->clone = NULL;
        if (r >= 0)
                r = wire_unpack(data, size, &env);
        if (r >= 0)
                reply_now(&pl->to, env);
        else if (r == -ETIMEDOUT)
                reply_result(pl->ctl, &pl->to, SLUMBER_FAILED,
                                "the plan takes longer than a minute to make; ask for fewer hours");
        else
                reply_result(pl->ctl, &pl->to, SLUMBER_FAILED,
                                "the process that made the plan has died");
        if (r < 0)
                log_warning(0, "A plan of power saving could not be made: %s", wire_strerror(r));
        planning_free(pl->ctl);
}

static int planning_begin(struct controller *ctl, const struct caller *caller,
                const Slumber__PlanRequest *m, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        struct what_if settings[SETTINGS_MAX];
        struct planning *pl = xnew0(struct planning, 1);

        for (size_t i = 0; i < m->n_settings; i++)
                settings[i] = (struct what_if){ m->settings[i]->key, m->settings[i]->value };
        if (*m->nodes)
                /* handle_plan() has checked the names */
                (void)cluster_nodes_parse(ctl->cluster, m->nodes, &nodes, NULL);
        *pl = (struct planning){ .ctl = ctl,
                .to = address_copy(&caller->from),
                .now = controller_now(ctl),
                .request = { nodes, m->horizon, settings, m->n_settings } };
        ctl->planning = pl;
        const struct clone_request req = { planning_work, planning_on_ended, pl, TIME_MAX };
        int r = clone_start(ctl->event, &req, &pl->clone, fail);
        pl->request = (struct plan_request){ 0 };
        if (r < 0)
                planning_free(ctl);
        return r;
}

void handle_plan(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__PlanRequest *m = env->plan;
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_FAILED;

        if (ctl->planning)
                fail_set(&fail, 0, "another plan is being made; try again when it is done");
        else if (m->horizon < USEC_PER_SEC || m->horizon > HORIZON_MAX)
                fail_set(&fail, 0, "a plan is for a second at least and 168 hours at most");
        else if (m->n_settings > SETTINGS_MAX)
                fail_set(&fail, 0, "more than %d settings", SETTINGS_MAX);
        else if (*m->nodes && cluster_nodes_parse(ctl->cluster, m->nodes, &nodes, &fail) < 0)
                e = SLUMBER_BAD_NODE_NAME;
        else if (planning_begin(ctl, caller, m, &fail) >= 0)
                return;
        reply_result(ctl, &caller->from, e, fail.text);
}

void plan_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        if (ctl->planning && ctl->planning->to.peer == p &&
                        (all || ctl->planning->to.client == client))
                planning_free(ctl);
}

void plan_free(struct controller *ctl) {
        if (ctl->planning)
                planning_free(ctl);
}
