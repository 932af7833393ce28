/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update jobid=: selects the jobs and checks the user's rights;
   controller/updates/job_update.c decides about the settings. */
#include "controller/updates/job_update.h"
#include "controller/updates/step_update.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/launch/steps.h"
#include "controller/loop/outbox.h"
#include "controller/loop/wall_clock.h"
#include "controller/model/het.h"
#include "controller/requests/handlers.h"
#include "controller/requests/job_refs.h"
#include "controller/requests/settings.h"
#include "controller/submit/modify.h"
#include "controller/submit/rules.h"
#include "lib/log.h"
#include "lib/timetext.h"

/* per update: more than there are keys, some twice; all settings are applied to each task */
#define SETTINGS_MAX 200

/* Logs only the keys: values may be long, and can be seen with the job. */
static void log_update(const struct caller *caller, const Slumber__JobUpdate *m, uint32_t id) {
        _cleanup_free_ char *keys = NULL;
        size_t size;
        FILE *out = memstream_open(&keys, &size);

        for (size_t i = 0; i < m->n_settings; i++)
                fprintf(out, "%s%s", i ? ", " : "", m->settings[i]->key);
        memstream_close(out);
        log_fields(LOG_INFO, 0, id, NULL, "JobId=%u is updated by UID=%u: %s", id,
                        (unsigned)caller->uid, keys);
}

static enum slumber_error update_one(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct modify *rules, struct job *j,
                struct fail *fail) {
        const struct updater by = { submitter_of(caller), caller->operator, caller->super, false };
        _cleanup_free_ struct update_setting *settings = NULL;
        _cleanup_(bitset_freep) struct bitset *kept = NULL;

        if (!j)
                return SLUMBER_BAD_JOB_ID;
        if (!job_access(caller, j))
                return SLUMBER_ACCESS_DENIED;
        enum slumber_error e = modify_verdict(rules, j, &m, fail);
        if (e != SLUMBER_OK)
                return e;
        settings = settings_of(m->settings, m->n_settings);
        e = job_update(ctl->cluster, j, &by, settings, m->n_settings, controller_now(ctl), &kept,
                        fail);
        if (kept)
                runs_renumber(ctl, j, kept);
        if (e == SLUMBER_OK)
                log_update(caller, m, j->id);
        return e;
}

/* Updates of the components of a heterogeneous job. */
struct whole {
        struct job_update of[HET_MAX];
        struct update_setting *settings[HET_MAX]; /* own */
        const Slumber__JobUpdate *said[HET_MAX];
        size_t n;
};

static void whole_done(struct whole *w) {
        for (size_t i = 0; i < w->n; i++) {
                free(w->settings[i]);
                bitset_free(w->of[i].kept);
        }
}

static enum slumber_error whole_add_component(struct whole *w, const struct caller *caller,
                const Slumber__JobUpdate *m, struct modify *rules, struct job *j,
                struct fail *fail) {
        if (!job_access(caller, j))
                return SLUMBER_ACCESS_DENIED;
        enum slumber_error e = modify_verdict(rules, j, &m, fail);
        if (e != SLUMBER_OK)
                return e;
        w->said[w->n] = m;
        w->settings[w->n] = settings_of(m->settings, m->n_settings);
        w->of[w->n] = (struct job_update){ .j = j,
                .settings = w->settings[w->n],
                .n = m->n_settings };
        w->n++;
        return SLUMBER_OK;
}

static void whole_log_updates(struct controller *ctl, const struct caller *caller,
                const struct whole *w) {
        for (size_t i = 0; i < w->n; i++) {
                if (w->of[i].kept)
                        runs_renumber(ctl, w->of[i].j, w->of[i].kept);
                if (w->of[i].made)
                        log_update(caller, w->said[i], w->of[i].j->id);
        }
}

/* Updates all components or none. */
static enum slumber_error update_whole(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct modify *rules, const struct job_refs *refs,
                struct fail *fail) {
        const struct updater by = { submitter_of(caller), caller->operator, caller->super, true };
        _cleanup_(whole_done) struct whole w = { .n = 0 };
        enum slumber_error e = SLUMBER_OK;

        for (size_t i = 0; i < refs->n && e == SLUMBER_OK; i++)
                e = whole_add_component(&w, caller, m, rules,
                                cluster_job(ctl->cluster, refs->list[i].id), fail);
        if (e == SLUMBER_OK)
                e = jobs_update(ctl->cluster, w.of, w.n, &by, controller_now(ctl), fail);
        whole_log_updates(ctl, caller, &w);
        return e;
}

static enum slumber_error find_jobs(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct job_refs *refs, struct fail *fail) {
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *any = viewer_job(&viewer, m->id);
        int r;

        if (any && any->array && !job_access(caller, any))
                return SLUMBER_ACCESS_DENIED;
        r = *m->tasks ? job_refs_add_tasks(refs, ctl->cluster, &viewer, m->id, m->tasks, fail)
                      : job_refs_add(refs, &viewer, m->id);
        return r == -ENOSPC ? SLUMBER_TOO_MANY_JOBS : r < 0 ? SLUMBER_BAD_JOB_ID : SLUMBER_OK;
}

/* Returns whether ref names past tasks of an array: finished and forgotten. */
static bool is_forgotten(const struct cluster *c, const struct job_ref *ref) {
        const struct array *a = ref->unknown && ref->chosen ? cluster_array(c, ref->named) : NULL;

        if (a)
                bitset_for_each(i, ref->chosen)
                        if (i >= a->asked->bits || !bitset_has(a->asked, i))
                                return false;
        return a;
}

/* Updates each of several tasks; finished tasks are an error only if no task was updated. */
static enum slumber_error update_all(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct modify *rules, const struct job_refs *refs,
                struct fail *fail) {
        enum slumber_error first = SLUMBER_OK;
        bool served = false;

        if (refs->n && refs->list[0].how == NAMED_WHOLE)
                return update_whole(ctl, caller, m, rules, refs, fail);
        for (size_t i = 0; i < refs->n; i++) {
                const struct job_ref *ref = &refs->list[i];
                struct job *j = ref->unknown ? NULL : cluster_job(ctl->cluster, ref->id);
                struct fail why = { 0 };
                enum slumber_error e = is_forgotten(ctl->cluster, ref)
                                                       ? SLUMBER_JOB_FINISHED
                                                       : update_one(ctl, caller, m, rules, j, &why);

                served |= e == SLUMBER_OK;
                if (e != SLUMBER_OK && (first == SLUMBER_OK || first == SLUMBER_JOB_FINISHED)) {
                        first = e;
                        *fail = why;
                }
        }
        return served && first == SLUMBER_JOB_FINISHED ? SLUMBER_OK : first;
}

/* Asks the script about each job that may be updated; returns true if answers are pending. */
static bool update_wait_for_rules(struct controller *ctl, const struct caller *caller,
                const Envelope *env, const struct job_refs *refs, struct modify **ret) {
        const Slumber__JobUpdate *m = env->job_update;
        struct modify *rules = modify_open(ctl, caller);

        for (size_t i = 0; i < refs->n; i++) {
                const struct job_ref *ref = &refs->list[i];
                const struct job *j = ref->unknown ? NULL : cluster_job(ctl->cluster, ref->id);
                if (j && !job_is_finished(j) && job_access(caller, j))
                        modify_add(rules, j, m->settings, m->n_settings, 0);
        }
        if (modify_waits(rules, env))
                return true;
        *ret = rules;
        return false;
}

static void reply_told(struct controller *ctl, const struct address *to, enum slumber_error e,
                const char *text, const char *told) {
        const struct ruled refused = { .error = e,
                .text = (char *)(uintptr_t)text,
                .told = (char *)(uintptr_t)told };
        Slumber__Ok ok = SLUMBER__OK__INIT;

        if (e != SLUMBER_OK) {
                ruled_refuse(to, &refused);
                return;
        }
        ok.told = (char *)(uintptr_t)strempty(told);
        ENVELOPE(env, OK, ok, &ok);
        reply_durable(ctl, to, &env);
}

/* Returns whether the first setting is StepId: further settings are for a step or, without value,
   for all steps. */
static bool is_of_steps(const Slumber__JobUpdate *m) {
        return m->n_settings && streq(m->settings[0]->key, "StepId");
}

/* Finds the jobs with the steps: all components or one of a heterogeneous job; for an array's id,
   only the record with that id. */
static enum slumber_error find_step_jobs(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct job_refs *refs, struct fail *fail) {
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *j = viewer_job(&viewer, m->id);

        if (!j)
                return SLUMBER_BAD_JOB_ID;
        if (j->het || *m->tasks)
                return find_jobs(ctl, caller, m, refs, fail);
        job_refs_add_one(refs, &(struct job_ref){ .id = m->id, .named = m->id });
        return SLUMBER_OK;
}

static enum slumber_error update_steps_of(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, const struct job_ref *ref, const uint32_t *step,
                struct fail *fail) {
        _cleanup_free_ struct update_setting *settings = settings_of(m->settings, m->n_settings);
        struct job *j = ref->unknown ? NULL : cluster_job(ctl->cluster, ref->id);
        enum slumber_error e = SLUMBER_BAD_JOB_ID;

        if (j && !job_access(caller, j))
                return SLUMBER_ACCESS_DENIED;
        if (j && job_is_active(j))
                e = step_update(ctl->cluster, j, step, settings + 1, m->n_settings - 1, fail);
        if (e == SLUMBER_OK)
                log_update(caller, m, j->id);
        return e;
}

/* Updates steps; success with a single component is enough. */
static enum slumber_error update_steps(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct fail *fail) {
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        const char *value = m->settings[0]->value;
        enum slumber_error first = SLUMBER_OK, e;
        bool served = false;
        uint64_t number = 0;
        uint32_t step;

        if (*value && uint_parse(value, 0, UINT32_MAX, &number) < 0)
                return SLUMBER_BAD_STEP_ID;
        step = (uint32_t)number;
        e = find_step_jobs(ctl, caller, m, &refs, fail);
        if (e != SLUMBER_OK)
                return e;
        for (size_t i = 0; i < refs.n; i++) {
                e = update_steps_of(ctl, caller, m, &refs.list[i], *value ? &step : NULL, fail);
                served |= e == SLUMBER_OK;
                if (first == SLUMBER_OK)
                        first = e;
        }
        return served ? SLUMBER_OK : first;
}

void handle_job_update(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__JobUpdate *m = env->job_update;
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        struct modify *rules = NULL;
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_TOO_BIG;

        if (is_of_steps(m) && m->n_settings <= SETTINGS_MAX) {
                e = update_steps(ctl, caller, m, &fail);
                controller_changed(ctl);
                reply_result(ctl, &caller->from, e, fail.text);
                return;
        }
        if (m->n_settings > SETTINGS_MAX)
                fail_set(&fail, -E2BIG, "an update of jobs takes no more than %d settings",
                                SETTINGS_MAX);
        else
                e = find_jobs(ctl, caller, m, &refs, &fail);
        if (e == SLUMBER_OK && modify_is_on(ctl) &&
                        update_wait_for_rules(ctl, caller, env, &refs, &rules)) {
                controller_changed(ctl); /* tasks may have got their own records */
                return;
        }
        if (e == SLUMBER_OK)
                e = update_all(ctl, caller, m, rules, &refs, &fail);
        controller_changed(ctl);
        reply_told(ctl, &caller->from, e, fail.text, modify_told(rules));
        modify_free(rules);
}
