/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job actions of users: scancel, scontrol hold, suspend, requeue etc. */
#include "controller/indexes/job_deadline.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/bids.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/job_events.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/het.h"
#include "controller/orders/viewer.h"
#include "controller/records/record.h"
#include "controller/requests/handlers.h"
#include "controller/requests/job_refs.h"
#include "controller/requests/job_top.h"
#include "controller/requests/settings.h"
#include "controller/submit/modify.h"
#include "controller/submit/rules.h"
#include "controller/updates/job_update.h"
#include "lib/log.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/x11.h"

#include <signal.h>
#include <strings.h>

#define IDS_MAX 100000 /* per scancel */

/* ---- actions ---- */

struct action {
        struct controller *ctl;
        const struct caller *caller;
        struct viewer viewer;
        const Slumber__JobAction *m;
        struct modify *rules; /* verdicts of slurm_job_modify(); NULL: not asked */
};

static enum slumber_error action_cancel(const struct action *a, struct job *j) {
        if (a->m->step)
                run_is_ending(a->ctl, j, (uint32_t)a->m->step->value);
        if (a->m->step)
                return job_cancel_step(a->ctl->cluster, j, (uint32_t)a->m->step->value,
                                a->caller->uid, a->m->signal == SIGKILL ? SIGKILL : 0);
        return job_cancel(a->ctl->cluster, j, a->caller->uid, controller_now(a->ctl));
}

static enum slumber_error action_signal(const struct action *a, struct job *j) {
        if (a->m->signal == 0 || a->m->signal >= (uint32_t)SIGRTMAX)
                return SLUMBER_BAD_UPDATE;
        if (a->m->signal == SIGKILL && !a->m->step && !a->m->batch_only)
                return action_cancel(a, j);
        if (a->m->step && signal_ends_processes((int)a->m->signal))
                run_is_ending(a->ctl, j, (uint32_t)a->m->step->value);
        if (a->m->step && a->m->sent)
                return SLUMBER_OK;
        return job_signal(a->ctl->cluster, j, (int)a->m->signal,
                        a->m->step ? (uint32_t)a->m->step->value : STEP_ANY, a->m->batch_only,
                        a->m->full);
}

static enum slumber_error action_suspend(const struct action *a, struct job *j) {
        return job_suspend(a->ctl->cluster, j, controller_now(a->ctl));
}

static enum slumber_error action_resume(const struct action *a, struct job *j) {
        return job_resume(a->ctl->cluster, j, controller_now(a->ctl));
}

static enum slumber_error action_hold(const struct action *a, struct job *j) {
        bool leads = a->caller->operator||(a->caller->uid != j->uid && job_leads(a->caller, j));
        bool by_admin = leads && a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD;

        /* uhold: from now on held by the user */
        if (a->caller->operator&& !by_admin && j->state == JOB_PENDING)
                j->held_by_admin = false;
        return job_hold(a->ctl->cluster, j, by_admin, controller_now(a->ctl));
}

static enum slumber_error action_release(const struct action *a, struct job *j) {
        return job_release(a->ctl->cluster, j, job_leads(a->caller, j), controller_now(a->ctl));
}

static enum slumber_error action_requeue(const struct action *a, struct job *j) {
        bool hold = a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE_HOLD;

        if (a->m->incomplete && !hold && j->state == JOB_PENDING)
                return SLUMBER_OK; /* the job is in the queue already, as in Slurm */
        if (a->m->incomplete && job_is_finished(j))
                return SLUMBER_OK;
        enum slumber_error e = job_requeue(a->ctl->cluster, j, "JOB REQUEUE", hold,
                        controller_now(a->ctl));
        if (e == SLUMBER_OK && hold && a->m->special_exit)
                job_hold_special(a->ctl->cluster, j);
        return e;
}

/* Rejects control characters: a user's text must not control a terminal. */
static enum slumber_error action_notify(const struct action *a, struct job *j) {
        const char *text = a->m->message;

        if (!*text || strlen(text) > TEXT_MAX || has_control(text))
                return SLUMBER_PROTOCOL;
        enum slumber_error e = job_notify(a->ctl->cluster, j, text);
        return e == SLUMBER_OK && !j->asked.batch && !watch_exists(a->ctl, WATCH_HOLDER, j->id)
                               ? SLUMBER_NODE_AWAY
                               : e;
}

static enum slumber_error action_complete(const struct action *a, struct job *j) {
        uint32_t status = a->m->exit_code;

        if (j->asked.batch)
                return SLUMBER_NOT_SUPPORTED;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        job_holder_ended(a->ctl->cluster, j, status, (status & 0x7f) == TASK_STATUS_OUT_OF_MEMORY,
                        controller_now(a->ctl));
        return SLUMBER_OK;
}

/* Effect of an action on a component of a heterogeneous job (jobs.md H15 to H18). */
enum of_component {
        MAY_EACH,    /* each named component */
        MAY_RUNNING, /* each named component once it has begun; before, the whole job only */
        MAY_NONE,    /* the whole job only */
        MAY_NONE_BUT_LEADER,
        TO_LEADER, /* the leader, whichever component is named: it has the script or the command */
};

static const struct {
        enum slumber_error (*act)(const struct action *a, struct job *j);
        bool for_leads; /* not for the owner */
        enum of_component of_component;
        bool widens;      /* whole_hetjob: a component's own id means the whole job */
        const char *done; /* word for the log */
} actions[] = {
#define ACTION(kind) [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_##kind]
        ACTION(CANCEL) = { action_cancel, false, MAY_RUNNING, true, "cancelled" },
        ACTION(SIGNAL) = { action_signal, false, MAY_RUNNING, true, "signalled" },
        ACTION(SUSPEND) = { action_suspend, true, MAY_NONE, false, "suspended" },
        ACTION(RESUME) = { action_resume, true, MAY_NONE, false, "resumed" },
        ACTION(HOLD) = { action_hold, false, MAY_EACH, true, "held" },
        ACTION(UHOLD) = { action_hold, false, MAY_EACH, true, "held" },
        ACTION(RELEASE) = { action_release, false, MAY_EACH, true, "released" },
        ACTION(REQUEUE) = { action_requeue, false, MAY_NONE_BUT_LEADER, false, "requeued" },
        ACTION(REQUEUE_HOLD) = { action_requeue, false, MAY_NONE_BUT_LEADER, false,
                        "requeued and held" },
        ACTION(COMPLETE) = { action_complete, false, TO_LEADER, false, "completed" },
        ACTION(NOTIFY) = { action_notify, false, TO_LEADER, false, "notified" },
#undef ACTION
};

/* ---- scontrol hold and release are updates of Priority for job_submit.lua ---- */

/* Returns the value of Priority for the action; NULL: neither hold nor release. */
static const char *priority_asked(const Slumber__JobAction *m) {
        return m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD ||
                                               m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD
                               ? "0"
               : m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RELEASE ? "4294967295"
                                                                         : NULL;
}

bool action_is_ruled(const struct controller *ctl, const Envelope *env) {
        return env->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION &&
               priority_asked(env->job_action) && modify_is_on(ctl);
}

/* Asks the script about each of the jobs. */
static void ask_rules(struct action *a, const struct job_refs *refs) {
        uint32_t held = a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD    ? 1
                        : a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD ? 2
                                                                                   : 0;
        Slumber__KeyValue priority = SLUMBER__KEY_VALUE__INIT, *settings[] = { &priority };

        priority.key = (char *)(uintptr_t) "Priority";
        priority.value = (char *)(uintptr_t)priority_asked(a->m);
        for (size_t i = 0; i < refs->n; i++) {
                const struct job_ref *ref = &refs->list[i];
                const struct job *j = ref->unknown ? NULL : cluster_job(a->ctl->cluster, ref->id);
                if (j && !job_is_finished(j) && job_access(a->caller, j))
                        modify_add(a->rules, j, settings, 1, held);
        }
}

/* Applies the script's other settings, all or none. *ret_as_asked: the script has left the hold or
   release in the update. */
static enum slumber_error apply_ruled(const struct action *a, struct job *j, bool *ret_as_asked,
                struct fail *fail) {
        const Slumber__JobUpdate *update = NULL;
        struct bitset *kept = NULL;
        size_t n = 0;

        enum slumber_error e = modify_verdict(a->rules, j, &update, fail);
        if (e != SLUMBER_OK || !update)
                return e;
        const struct updater by = { .user = submitter_of(a->caller),
                .is_operator = a->caller->operator,
                .is_admin = a->caller->super };
        _cleanup_free_ struct update_setting *settings = settings_of(update->settings,
                        update->n_settings);
        *ret_as_asked = false;
        for (size_t i = 0; i < update->n_settings; i++)
                if (streq(settings[i].key, "Priority") &&
                                streq(settings[i].value, priority_asked(a->m)))
                        *ret_as_asked = true;
                else
                        settings[n++] = settings[i];
        if (n)
                e = job_update(a->ctl->cluster, j, &by, settings, n, controller_now(a->ctl), &kept,
                                fail);
        if (kept)
                runs_renumber(a->ctl, j, kept);
        bitset_free(kept);
        return e;
}

static bool job_user_matches(const char *wanted, const struct job *j) {
        uint64_t uid;

        return streq(wanted, j->user) ||
               (uint_parse(wanted, 0, UINT32_MAX, &uid) == 0 && uid == j->uid);
}

/* Returns whether scancel's selection (-u -n -p -t -w) matches j. */
static bool action_selects_job(const struct action *a, const struct job *j,
                const struct bitset *nodes) {
        const Slumber__JobAction *m = a->m;
        bool state = m->n_states == 0;

        for (size_t i = 0; i < m->n_states; i++)
                state |= m->states[i] == (uint32_t)j->state;
        if (!state || job_is_finished(j) || !job_access(a->caller, j))
                return false;
        if ((*m->user && !job_user_matches(m->user, j)) ||
                        (*m->partition && !job_bids_for(j, m->partition)))
                return false;
        if ((*m->name && !streq(m->name, j->asked.name ? j->asked.name : "")) ||
                        (*m->account && !streq(m->account, j->asked.account ? j->asked.account
                                                                            : "")) ||
                        (*m->qos && !streq(m->qos, j->asked.qos ? j->asked.qos : "")))
                return false;
        if (*m->reservation && !names_have(strempty(j->asked.reservation), m->reservation,
                                               strlen(m->reservation)))
                return false;
        return !nodes ||
               (j->placed.nodes && job_is_active(j) && bitset_overlaps(j->placed.nodes, nodes));
}

static bool action_has_selection(const Slumber__JobAction *m) {
        return *m->user || *m->name || *m->partition || *m->account || *m->qos || *m->nodes ||
               *m->reservation || m->n_states;
}

struct results {
        Slumber__JobResult *list;
        size_t n, allocated;
        /* ids named; ids acted on: each once, even if named repeatedly */
        struct id_set ids, acted;
        size_t names;
};

static void result_done(Slumber__JobResult *r) {
        if (*r->name)
                free(r->name);
        if (*r->text)
                free(r->text);
}

static void results_done(struct results *res) {
        for (size_t i = 0; i < res->n; i++)
                result_done(&res->list[i]);
        free(res->list);
        id_set_done(&res->ids);
        id_set_done(&res->acted);
}

static bool may_act(const struct action *a, const struct job *j) {
        return job_access(a->caller, j) &&
               (!actions[a->m->kind].for_leads || job_leads(a->caller, j));
}

/* Checks whether the action is allowed on component j as it was named. */
static enum slumber_error action_check_component(const struct action *a, const struct job *j,
                enum job_named how) {
        if (!j->het || how == NAMED_WHOLE)
                return SLUMBER_OK;
        switch (actions[a->m->kind].of_component) {
        case MAY_RUNNING:
                return j->state == JOB_PENDING ? SLUMBER_NOT_WHOLE_HET_JOB : SLUMBER_OK;
        case MAY_NONE:
                return SLUMBER_NOT_WHOLE_HET_JOB;
        case MAY_NONE_BUT_LEADER:
                return j->het_offset ? SLUMBER_NOT_HET_LEADER : SLUMBER_NOT_WHOLE_HET_JOB;
        case MAY_EACH:
        case TO_LEADER:
                break;
        }
        return SLUMBER_OK;
}

static enum slumber_error try_action(const struct action *a, struct job *j, enum job_named how,
                struct fail *fail) {
        bool as_asked = true;

        if (!j)
                return SLUMBER_BAD_JOB_ID;
        if (!may_act(a, j))
                return SLUMBER_ACCESS_DENIED;
        enum slumber_error allowed = action_check_component(a, j, how);
        if (allowed != SLUMBER_OK)
                return allowed;
        enum slumber_error may = apply_ruled(a, j, &as_asked, fail);
        if (may != SLUMBER_OK || !as_asked)
                return may;
        const uint32_t id = j->id;
        _cleanup_free_ char *comment = *a->m->admin_comment ? TAKE(j->accounting.admin_comment)
                                                            : NULL;
        if (*a->m->admin_comment) /* before the act, which may make the row of the accounts */
                j->accounting.admin_comment = xstrdup(a->m->admin_comment);
        enum slumber_error e = actions[a->m->kind].act(a, j);
        if (e != SLUMBER_OK && *a->m->admin_comment) {
                free(j->accounting.admin_comment);
                j->accounting.admin_comment = TAKE(comment);
        }
        struct job *after = e == SLUMBER_OK && *a->m->admin_comment
                                            ? cluster_job(a->ctl->cluster, id)
                                            : NULL;
        if (after) /* a signal changes nothing else that is stored */
                cluster_job_changed(a->ctl->cluster, after);
        if (e == SLUMBER_OK)
                log_fields(LOG_INFO, 0, id, NULL, "JobId=%u is %s by UID=%u", id,
                                actions[a->m->kind].done, (unsigned)a->caller->uid);
        return e;
}

/* Adds a result; takes name over. */
static void results_add(struct results *res, uint32_t id, char *name, enum slumber_error e,
                const char *text) {
        GROW(res->list, res->allocated, res->n);
        slumber__job_result__init(&res->list[res->n]);
        res->list[res->n].id = id;
        res->list[res->n].code = (uint32_t)e;
        if (name)
                res->list[res->n].name = name;
        if (!isempty(text))
                res->list[res->n].text = xstrdup(text);
        res->n++;
}

static char *tasks_name(uint32_t array, const char *tasks) {
        return xasprintf(tasks[strspn(tasks, "0123456789")] ? "%u_[%s]" : "%u_%s", array, tasks);
}

/* Returns the name of the missing tasks of an array. */
static char *missing_name(const struct job_ref *ref, struct results *res) {
        _cleanup_free_ char *tasks = bitset_text(ref->chosen);

        res->names += strlen(tasks);
        return tasks_name(ref->named, tasks);
}

static bool job_ref_is_component(const struct job_ref *ref, const struct job *j) {
        return ref->how == NAMED_COMPONENT || (ref->how == NAMED_WHOLE && j && j->het);
}

static void act_on(const struct action *a, const struct job_ref *ref, struct results *res) {
        struct job *j = ref->unknown ? NULL : cluster_job(a->ctl->cluster, ref->id);
        bool rest = j && j->array && job_is_rest(j);
        struct fail fail = { 0 };

        /* errors about a name appear even if the whole job was acted on */
        if ((!j || action_check_component(a, j, ref->how) == SLUMBER_OK) && !ref->unknown &&
                        !id_set_add(&res->acted, ref->id))
                return;
        char *name = j && j->array && !rest ? xasprintf("%u_%u", j->array->id, j->array_task)
                     : !j && ref->chosen    ? missing_name(ref, res)
                     : job_ref_is_component(ref, j) ? xasprintf("%u+%u", ref->named, ref->offset)
                                                    : NULL;
        enum slumber_error e = try_action(a, j, ref->how, &fail);
        if (e == SLUMBER_OK && ref->taken && job_is_finished(j)) {
                j->running.withdrawn = true;
                cluster_job_rearm(a->ctl->cluster, j);
        }
        if (rest && e != SLUMBER_OK) { /* the rest is unchanged after an error and has the tasks */
                _cleanup_free_ char *waiting = array_waiting_text(j->array, ref->chosen);
                name = isempty(waiting) ? NULL : tasks_name(j->array->id, waiting);
        }
        results_add(res, ref->named, name, e, fail.text);
}

/* Returns whether the failure means that the job needs no action any more. */
static bool result_needs_no_action(const Slumber__JobResult *r) {
        return r->code == SLUMBER_ALREADY_DONE || r->code == SLUMBER_JOB_FINISHED ||
               (r->code == SLUMBER_JOB_NOT_SUSPENDED && strchr(r->name, '+'));
}

/* Returns whether j has the step named by the leader's id or, if no component has the step, is the
   leader. */
static bool is_of_step(const struct action *a, const struct job *j) {
        uint32_t step = (uint32_t)a->m->step->value;
        bool any = false;

        for (uint32_t i = 0; i < j->het->n && !any; i++)
                any = j->het->of[i] && job_step_find(j->het->of[i], step);
        return any ? job_step_find(j, step) != NULL : j->het_offset == 0;
}

/* Appends the components to act on for ref: all, the leader only, or the named one. */
static void action_add_components(const struct action *a, struct job_refs *to,
                struct job_ref *ref) {
        struct job *j = ref->unknown ? NULL : cluster_job(a->ctl->cluster, ref->id);
        const struct het *h = j ? j->het : NULL;
        enum of_component of = actions[a->m->kind].of_component;
        bool leader = of == TO_LEADER;

        if (h && a->m->step && ref->how == NAMED_WHOLE && !is_of_step(a, j))
                return;
        if (h && leader && h->of[0])
                job_refs_add_one(to, &(struct job_ref){ .id = h->of[0]->id,
                                                     .named = ref->named,
                                                     .offset = ref->offset,
                                                     .how = ref->how });
        else if (h && ref->how == NAMED_ITSELF && actions[a->m->kind].widens &&
                        a->ctl->cluster->config->whole_hetjob && !a->m->step)
                job_refs_add_whole(to, h);
        else
                job_refs_add_one(to, ref);
}

/* Suspend and resume act on all components or none: returns an error if any component cannot
   follow. */
static enum slumber_error whole_may(const struct action *a, const struct job_refs *refs) {
        if (actions[a->m->kind].of_component != MAY_NONE)
                return SLUMBER_OK;
        for (size_t i = 0; i < refs->n; i++) {
                const struct job *j = cluster_job(a->ctl->cluster, refs->list[i].id);
                bool whole = j && j->het && refs->list[i].how == NAMED_WHOLE;
                if (whole && j->state == JOB_PENDING)
                        return SLUMBER_JOB_PENDING;
                if (whole && j->state == JOB_RUNNING && j->configuring)
                        return SLUMBER_NODES_BOOTING;
        }
        return SLUMBER_OK;
}

/* Acts on all references; components that ended together with the leader are not asked again. */
static void act_on_refs(const struct action *a, struct job_refs *named, struct results *res) {
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };

        for (size_t i = 0; i < named->n; i++)
                action_add_components(a, &refs, &named->list[i]);
        enum slumber_error e = whole_may(a, &refs);
        if (e != SLUMBER_OK) {
                results_add(res, refs.list[0].named, NULL, e, NULL);
                return;
        }
        for (size_t i = 0; i < refs.n; i++)
                act_on(a, &refs.list[i], res);
}

/* Replaces equal refusals of all components by one result for the whole job. */
static void join_results(struct results *res, size_t first) {
        for (size_t i = first; i < res->n; i++)
                if (res->list[i].code != res->list[first].code || *res->list[i].text)
                        return;
        for (size_t i = first; i < res->n; i++)
                if (*res->list[i].name) {
                        free(res->list[i].name);
                        res->list[i].name = (char *)(uintptr_t) "";
                }
        res->n = MIN(res->n, first + 1);
}

/* Acts on a job, or on a whole array or heterogeneous job: members that need no action count as
   failures only if no member could be served. */
static void act_on_id(const struct action *a, uint32_t id, struct results *res) {
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        size_t first = res->n, kept = first;
        bool served = false;

        if (!id_set_add(&res->ids, id))
                return;
        (void)job_refs_add(&refs, &a->viewer, id);
        act_on_refs(a, &refs, res);
        for (size_t i = first; i < res->n; i++)
                served |= res->list[i].code == SLUMBER_OK;
        if (refs.n && refs.list[0].how == NAMED_WHOLE && !served)
                join_results(res, first);
        for (size_t i = first; i < res->n; i++)
                if (served && result_needs_no_action(&res->list[i]))
                        result_done(&res->list[i]);
                else
                        res->list[kept++] = res->list[i];
        res->n = kept;
}

static void act_on_tasks(const struct action *a, const Slumber__JobTasks *tasks,
                struct results *res) {
        const struct job *any = viewer_job(&a->viewer, tasks->job);
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        int r;

        /* before tasks are taken out of the rest */
        if (any && any->array && !job_access(a->caller, any)) {
                results_add(res, tasks->job, NULL, SLUMBER_ACCESS_DENIED, NULL);
                return;
        }
        if (res->names > NAMES_MAX) {
                results_add(res, tasks->job, NULL, SLUMBER_TOO_BIG, NULL);
                return;
        }
        r = job_refs_add_tasks(&refs, a->ctl->cluster, &a->viewer, tasks->job, tasks->tasks, NULL);
        res->names += refs.n + strlen(tasks->tasks);
        act_on_refs(a, &refs, res);
        if (r < 0 && r != -ENOENT)
                results_add(res, tasks->job, NULL,
                                r == -ENOSPC ? SLUMBER_TOO_MANY_JOBS : SLUMBER_BAD_JOB_ID, NULL);
}

/* Collects ids first: acting may free jobs. */
static uint32_t *select_ids(const struct action *a, const struct bitset *nodes, size_t *ret_n) {
        const struct cluster *c = a->ctl->cluster;
        uint32_t *ids = NULL;
        size_t n = 0, allocated = 0;

        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && action_selects_job(a, c->jobs[i].job, nodes)) {
                        GROW(ids, allocated, n);
                        ids[n++] = c->jobs[i].id;
                }
        *ret_n = n;
        return ids;
}

static void send_results(struct controller *ctl, const struct address *to, struct results *res,
                const char *told) {
        Slumber__JobActionReply m = SLUMBER__JOB_ACTION_REPLY__INIT;
        _cleanup_free_ Slumber__JobResult **pointers = xnew(Slumber__JobResult *, res->n);

        for (size_t i = 0; i < res->n; i++)
                pointers[i] = &res->list[i];
        m.results = pointers;
        m.n_results = res->n;
        m.told = (char *)(uintptr_t)strempty(told);
        ENVELOPE(env, JOB_ACTION_REPLY, job_action_reply, &m);
        reply_durable(ctl, to, &env);
}

static enum slumber_error check_admin_comment(const struct caller *caller,
                const Slumber__JobAction *m, struct fail *fail) {
        const char *comment = m->admin_comment;

        if (!*comment)
                return SLUMBER_OK;
        if (!caller->operator)
                return SLUMBER_ACCESS_DENIED;
        if (strlen(comment) > TEXT_MAX)
                return SLUMBER_TOO_BIG;
        if (has_control(comment)) {
                fail_set(fail, -EINVAL, "the value of AdminComment has a control character");
                return SLUMBER_BAD_UPDATE;
        }
        return SLUMBER_OK;
}

/* Asks the script about all jobs of the action; returns true if answers are pending. */
static bool action_wait_for_rules(struct action *a, const Envelope *env,
                const struct bitset *nodes) {
        const Slumber__JobAction *m = a->m;
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        uint64_t names = 0;

        a->rules = modify_open(a->ctl, a->caller);
        for (size_t i = 0; i < m->n_ids; i++)
                (void)job_refs_add(&refs, &a->viewer, m->ids[i]);
        for (size_t i = 0; i < m->n_tasks && names <= NAMES_MAX; i++) {
                const struct job *any = viewer_job(&a->viewer, m->tasks[i]->job);
                if (any && any->array && !job_access(a->caller, any))
                        continue;
                (void)job_refs_add_tasks(&refs, a->ctl->cluster, &a->viewer, m->tasks[i]->job,
                                m->tasks[i]->tasks, NULL);
                names = refs.n + strlen(m->tasks[i]->tasks);
        }
        if (!m->n_ids && !m->n_tasks) {
                size_t n;
                _cleanup_free_ uint32_t *chosen = select_ids(a, nodes, &n);
                for (size_t i = 0; i < n; i++)
                        (void)job_refs_add(&refs, &a->viewer, chosen[i]);
        }
        ask_rules(a, &refs);
        if (!modify_waits(a->rules, env))
                return false;
        a->rules = NULL;
        return true;
}

static bool names_jobs(const Slumber__JobAction *m) {
        return m->n_ids || m->n_tasks;
}

/* Checks the action apart from its jobs; *ret_nodes: the named nodes, or NULL. */
static enum slumber_error job_action_check(struct controller *ctl, const struct caller *caller,
                const Slumber__JobAction *m, struct bitset **ret_nodes, struct fail *fail) {
        enum slumber_error e = check_admin_comment(caller, m, fail);

        if (e != SLUMBER_OK)
                return e;
        if (!names_jobs(m) &&
                        !action_has_selection(m)) /* an empty selection never means all jobs */
                return SLUMBER_BAD_JOB_ID;
        if (*m->nodes && cluster_nodes_parse(ctl->cluster, m->nodes, ret_nodes, fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        return SLUMBER_OK;
}

/* Acts on a selected job; a pending heterogeneous job as a whole, by its leader. */
static void act_on_selected(const struct action *a, uint32_t id, struct results *res) {
        const struct job *j = cluster_job(a->ctl->cluster, id);

        if (j && j->het && j->het->id == id && j->state == JOB_PENDING)
                act_on_id(a, id, res);
        else
                act_on(a, &(struct job_ref){ .id = id, .named = id }, res);
}

static void act_on_all(struct action *a, const struct bitset *nodes, struct results *res) {
        const Slumber__JobAction *m = a->m;
        size_t n = 0;

        for (size_t i = 0; i < m->n_ids; i++)
                act_on_id(a, m->ids[i], res);
        for (size_t i = 0; i < m->n_tasks; i++)
                act_on_tasks(a, m->tasks[i], res);
        _cleanup_free_ uint32_t *chosen = names_jobs(m) ? NULL : select_ids(a, nodes, &n);
        for (size_t i = 0; i < n; i++)
                act_on_selected(a, chosen[i], res);
}

void handle_job_action(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__JobAction *m = env->job_action;
        struct action a = { ctl, caller, viewer_of(ctl, caller), m, NULL };
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        _cleanup_(results_done) struct results res = { 0 };
        struct fail fail = { 0 };

        bool known = (size_t)m->kind < ELEMENTSOF(actions) && actions[m->kind].act;
        if (!known && m->kind != SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED, NULL);
                return;
        }
        if (m->n_ids > IDS_MAX || m->n_tasks > IDS_MAX) {
                reply_result(ctl, &caller->from, SLUMBER_TOO_BIG, NULL);
                return;
        }
        if (m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP) {
                enum slumber_error e = job_top(ctl, caller, m, &fail);
                controller_changed(ctl);
                reply_result(ctl, &caller->from, e, e == SLUMBER_OK ? NULL : fail.text);
                return;
        }
        enum slumber_error e = job_action_check(ctl, caller, m, &nodes, &fail);
        if (e != SLUMBER_OK) {
                reply_result(ctl, &caller->from, e, *fail.text ? fail.text : NULL);
                return;
        }
        if (action_is_ruled(ctl, env) && action_wait_for_rules(&a, env, nodes)) {
                controller_changed(ctl); /* tasks may have got their own records */
                return;
        }
        act_on_all(&a, nodes, &res);
        controller_changed(ctl);
        send_results(ctl, &caller->from, &res, modify_told(a.rules));
        modify_free(a.rules);
}

void handle_wait_job(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const struct viewer viewer = viewer_of(ctl, caller);
        struct job *j = cluster_job(ctl->cluster, viewer_job_id(&viewer, env->wait_job->job_id));

        if (!j)
                reply_result(ctl, &caller->from, SLUMBER_BAD_JOB_ID, NULL);
        else if (job_is_finished(j))
                reply_result(ctl, &caller->from, SLUMBER_JOB_ENDED, NULL);
        else if (j->state != JOB_PENDING && !j->configuring)
                reply_result(ctl, &caller->from, SLUMBER_OK, NULL);
        else if (watches_full(ctl, &caller->from))
                reply_result(ctl, &caller->from, SLUMBER_TOO_MANY_JOBS, NULL);
        else
                watch_add(ctl, WATCH_READY, j->id, &caller->from);
}
