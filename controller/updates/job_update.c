/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update JobId=: all settings of an update are applied or no setting is, for all jobs
 * named.
 *
 * First each setting is read and may be refused.  Conditions on several settings (could the job
 * ever run, with this number of tasks on nodes of this partition?) are collected in the request,
 * then checked for the changed job like a submission (job_respec()), and undone if a further job
 * refuses.  The remaining settings are applied when no job has refused. */
#include "controller/updates/job_update.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/qos.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/job_events.h"
#include "controller/model/dependency.h"
#include "controller/model/het.h"
#include "controller/model/user_texts.h"
#include "controller/orders/viewer.h"
#include "controller/reservations/license.h"
#include "controller/sched/sched.h"
#include "controller/updates/job_update_private.h"
#include "controller/updates/resize.h"
#include "lib/printable.h"

/* ---- the request as a whole ---- */

struct update {
        struct cluster *c;
        struct job *j;
        const struct updater *by;
        usec_t now;
        struct fail *fail;
        struct job_request request;
        struct job_change *changes; /* owned: one for each setting */
        size_t n;
        struct job_before *before; /* owned: the former request of j */
        uint32_t ordered;          /* former value of j */
};

static size_t job_update_most_nodes(const struct job_request *w, const struct cluster *c) {
        size_t most = bitset_count(w->partition->nodes);
        const char *rest = strempty(w->spec.partition);

        for (char *name; (name = partition_next(&rest)); free(name)) {
                const struct partition *p = cluster_partition(c, name);
                most = p ? MAX(most, bitset_count(p->nodes)) : most;
        }
        return most;
}

/* Checks access to each partition of the list. */
static enum slumber_error may_enter(const struct job_request *w, const struct cluster *c,
                const struct submitter *user) {
        const char *rest = w->spec.partition;
        enum slumber_error e = SLUMBER_OK;

        for (char *name; e == SLUMBER_OK && (name = partition_next(&rest)); free(name))
                e = partition_admits(cluster_partition(c, name), user, w->spec.account);
        return e == SLUMBER_OK || e == SLUMBER_PARTITION_DOWN ? e : SLUMBER_PARTITION_NOT_AVAILABLE;
}

/* NumCPUs equals the CPUs of the tasks, or more for a job on a single node. */
static enum slumber_error settle_cpus(struct job_request *w, const struct job *j,
                struct fail *fail) {
        struct job as = {
                .asked = w->spec,
                .placed.n_alloc = j->placed.n_alloc,
                .needs.cpus_per_task = w->spec.cpus_per_task,
        };
        uint64_t taken = job_cpus_asked(&as);
        bool one_node = w->spec.max_nodes == 1 ||
                        (w->spec.max_nodes <= MAX(1u, w->spec.min_nodes) && job_tasks(&as) == 1);

        if (w->num_cpus < taken) {
                fail_set(fail, -EOPNOTSUPP,
                                "NumCPUs=%u: its tasks take %llu, change NumTasks or CPUsPerTask",
                                w->num_cpus, (unsigned long long)taken);
                return SLUMBER_NOT_SUPPORTED;
        }
        if (one_node)
                w->spec.min_cpus_node = w->num_cpus > taken ? w->num_cpus : 0;
        else if (w->num_cpus > taken) {
                fail_set(fail, -EOPNOTSUPP,
                                "NumCPUs=%u: of a job that may have several nodes it is what its tasks take, %llu; change NumTasks, "
                                "CPUsPerTask or MinCPUsNode",
                                w->num_cpus, (unsigned long long)taken);
                return SLUMBER_NOT_SUPPORTED;
        }
        return SLUMBER_OK;
}

static bool too_few_tasks(const struct job_spec *s) {
        return s->tasks_set && s->num_tasks && s->num_tasks < s->min_nodes;
}

/* Checks that the licenses exist, in the new reservation; for a running job computes what the job
   would hold. */
static enum slumber_error job_update_check_licenses(struct job_request *w, const struct cluster *c,
                const struct job *j, usec_t now, struct fail *fail) {
        struct resv *resv = w->new_resv ? w->resv : j->placed.resv;
        const char *names = w->new_resv ? w->spec.reservation : j->asked.reservation;
        const struct countlist *asked = w->new_licenses ? w->licenses : j->needs.licenses;

        if (!w->new_licenses && !w->new_resv)
                return SLUMBER_OK;
        if (names && strchr(names, ',')) /* a list: checked for each reservation later */
                resv = NULL;
        if (licenses_check_hres(c, w->hres, fail) < 0 || licenses_check(c, asked, resv, fail) < 0)
                return SLUMBER_BAD_LICENSE;
        countlist_free(TAKE(w->held));
        return !job_is_active(j) || licenses_now(c, j, w->licenses, w->hres, now, &w->held, fail) >=
                                                               0
                               ? SLUMBER_OK
                               : SLUMBER_BAD_LICENSE;
}

/* Checks that the owner may use the reservation with the new account and QOS, and that a QOS
   requiring a reservation gets one. */
static enum slumber_error check_reservation(struct job_request *w, const struct update *u) {
        const struct cluster *c = u->c;
        const struct job *j = u->j;
        struct submitter owner = {
                .uid = j->uid,
                .gid = j->gid,
                .user = j->user,
                .group = j->group,
        };
        enum slumber_error e = SLUMBER_OK;

        if (u->by->user.uid == j->uid) /* the owner's groups are all known */
                owner = u->by->user;
        if (w->new_resv && w->spec.reservation)
                e = viewer_check_reservations(&(struct viewer){ c, owner }, w->spec.reservation,
                                w->spec.account, w->spec.qos, &w->resv);
        if (e == SLUMBER_OK)
                e = job_update_check_licenses(w, c, j, u->now, u->fail);
        if (e != SLUMBER_OK || c->config->accounting_off || (!w->new_qos && !w->new_resv))
                return e;
        return acct_wants_reservation(w->spec.qos ? qos_find(&c->acct, w->spec.qos) : NULL,
                        w->spec.reservation, u->fail);
}

/* Refuses a longer time that a QOS with DenyOnLimit would have refused at submission; a full
   request is checked by job_respec() instead. */
static enum slumber_error check_time(const struct job_request *w, const struct update *u) {
        const struct job *j = u->j;
        struct job trial = *j; /* shares all pointers with j */

        if (w->any || u->by->is_operator || !job_is_queued(j) ||
                        w->spec.time_limit <= j->needs.time_limit)
                return SLUMBER_OK;
        trial.needs.time_limit = w->spec.time_limit;
        trial.needs.ordered &= ~(unsigned)ORDERED_TIME;
        enum job_reason limit = limits_deny(u->c, &trial, 1);
        if (limit == REASON_NONE)
                return SLUMBER_OK;
        fail_set(u->fail, -EDQUOT, "%s", job_reason_text((int)limit));
        return SLUMBER_ACCOUNTING_POLICY;
}

/* An operator may place a job where the owner may not; the owner gets Slurm's message. */
static enum slumber_error job_update_check_request(struct job_request *w, const struct update *u) {
        const struct cluster *c = u->c;
        enum slumber_error may = SLUMBER_OK;

        if (w->new_account || w->new_qos)
                may = acct_allows(c, u->j, w->partition, w->spec.account, w->spec.qos);
        if (may == SLUMBER_OK && w->new_count &&
                        (w->spec.min_nodes > job_update_most_nodes(w, c) ||
                                        too_few_tasks(&w->spec)))
                may = SLUMBER_BAD_NODE_COUNT;
        if (may == SLUMBER_OK && w->new_partition && !u->by->is_operator)
                may = may_enter(w, c, &u->by->user);
        if (may == SLUMBER_OK)
                may = check_time(w, u);
        if (may == SLUMBER_OK && w->new_cpus)
                may = settle_cpus(w, u->j, u->fail);
        if (may == SLUMBER_OK)
                may = check_reservation(w, u);
        if (may != SLUMBER_OK)
                return may;
        return !w->new_account || partition_takes_account(w->partition, w->spec.account)
                               ? SLUMBER_OK
                               : SLUMBER_BAD_ACCOUNT;
}

/* ---- the update ---- */

static void update_done(struct update *u) {
        job_before_free(u->before);
        for (size_t i = 0; i < u->n; i++) {
                dependencies_free(u->changes[i].depends);
                free(u->changes[i].relative);
        }
        free(u->changes);
        job_spec_done(&u->request.spec);
        countlist_free(u->request.licenses);
        countlist_free(u->request.hres);
        countlist_free(u->request.held);
        bitset_free(u->request.keep);
}

static enum slumber_error read_setting(struct update *u, const struct update_setting *setting) {
        struct job_change *ch = &u->changes[u->n++];
        char sign = job_key_sign(setting->key);

        *ch = (struct job_change){ .c = u->c,
                .j = u->j,
                .by = u->by,
                .now = u->now,
                .request = &u->request,
                .fail = u->fail,
                .value = setting->value,
                .key = job_key_named(setting->key) };
        if (strlen(ch->value) > TEXT_MAX)
                return SLUMBER_TOO_BIG;
        if (has_control(ch->value)) {
                fail_set(u->fail, -EINVAL, "the value of %.100s has a control character",
                                setting->key);
                return SLUMBER_BAD_UPDATE;
        }
        if (!ch->key)
                return job_key_refuse(setting->key, ch->value, u->fail);
        if (sign)
                ch->value = ch->relative = xasprintf("%c%s", sign, ch->value);
        return job_key_read(ch);
}

/* Checks the length of all texts; a job that already exceeds the limit may keep its texts. */
static enum slumber_error job_update_check_texts(const struct update *u) {
        size_t now = job_spec_length(&u->j->asked), then = job_spec_length(&u->request.spec);

        if (then <= now)
                return SLUMBER_OK;
        if (then > TEXTS_MAX)
                fail_set(u->fail, -E2BIG, "the job's texts would be longer than %u KiB",
                                TEXTS_MAX >> 10);
        else if (!user_texts_have_room(u->c->texts, u->j->uid, then - now))
                fail_set(u->fail, -E2BIG,
                                "the texts of its user's jobs would be longer than %u MiB together",
                                (unsigned)(USER_TEXTS_MAX >> 20));
        else
                return SLUMBER_OK;
        return SLUMBER_TOO_BIG;
}

static enum slumber_error read_settings(struct update *u, const struct update_setting *settings,
                size_t n) {
        enum slumber_error e = SLUMBER_OK;

        job_spec_asked(u->j, &u->request.spec);
        u->request.partition = u->j->partition;
        u->changes = xnew(struct job_change, n);
        for (size_t i = 0; e == SLUMBER_OK && i < n; i++)
                e = read_setting(u, &settings[i]);
        return e == SLUMBER_OK ? job_update_check_texts(u) : e;
}

/* Limits apply to the request, unless an operator sets the values.  A refused update restores the
   former state. */
static enum slumber_error apply_request(struct update *u) {
        struct job *j = u->j;
        const struct job_request *w = &u->request;

        u->ordered = j->needs.ordered;
        j->needs.ordered = u->by->is_operator ? u->ordered | w->ordered : u->ordered & ~w->ordered;
        enum slumber_error e = w->any ? job_respec(u->c, j, &w->spec, w->partition, u->now,
                                                        &u->before, u->fail)
                                      : SLUMBER_OK;
        if (e != SLUMBER_OK)
                j->needs.ordered = u->ordered;
        return e;
}

/* A key given twice is applied once, with the last value. */
static bool is_said_again(const struct update *u, size_t at) {
        for (size_t i = at + 1; i < u->n; i++)
                if (job_key_sets_same(u->changes[i].key, u->changes[at].key))
                        return true;
        return false;
}

static void apply_settings(struct update *u) {
        if (u->j->waiting.eligible_time + u->j->asked.delay_boot > u->now)
                u->j->waiting.boot_delayed = false; /* DelayBoot has become longer */
        for (size_t i = 0; i < u->n; i++)
                if (!is_said_again(u, i))
                        job_key_set(&u->changes[i]);
        if (u->request.keep)
                job_shrink(u->c, u->j, u->request.keep, u->now);
        user_texts_remove(u->c->texts, u->j);
        user_texts_add(u->c->texts, u->j);
        cluster_queue_touch(u->c, u->j);
        cluster_job_changed(u->c, u->j);
        note(u->c, FACT_JOB_UPDATED);
}

/* On success the new request is in force, but no further setting. */
static enum slumber_error try_update(struct update *u, const struct job_update *of) {
        struct job_request *w = &u->request;
        enum slumber_error e = read_settings(u, of->settings, of->n);

        if (e == SLUMBER_OK)
                e = job_update_check_request(w, u);
        if (e == SLUMBER_OK)
                e = resize_check(u->c, u->j, w->keep_count, w->keep_nodes, &w->keep, u->fail);
        return e == SLUMBER_OK ? apply_request(u) : e;
}

static void job_update_undo(struct update *u) {
        u->j->needs.ordered = u->ordered;
        job_respec_undo(u->c, u->j, TAKE(u->before));
}

static void job_update_apply(struct update *u, struct job_update *of) {
        struct job_request *w = &u->request;

        apply_settings(u);
        of->kept = w->keep && bitset_count(w->keep) < w->keep->bits ? TAKE(w->keep) : NULL;
}

/* Returns whether all components refuse like the first.  Licenses concern the leader only. */
static bool all_refuse(const struct update *first, const struct job_update *of, size_t n,
                enum slumber_error as) {
        bool alike = true;

        for (size_t i = 1; alike && i < n && as != SLUMBER_BAD_LICENSE; i++) {
                struct fail why = { 0 };
                _cleanup_(update_done) struct update u = { .c = first->c,
                        .j = of[i].j,
                        .by = first->by,
                        .now = first->now,
                        .fail = &why };
                enum slumber_error e = try_update(&u, &of[i]);
                if (e == SLUMBER_OK)
                        job_update_undo(&u);
                alike = e == SLUMBER_JOB_FINISHED ||
                        (e == as && streq(why.text, first->fail->text));
        }
        return alike;
}

/* Tries all updates; those before *ret_at succeeded or are of finished jobs.  SLUMBER_JOB_FINISHED:
   all are finished. */
static enum slumber_error job_update_try_all(struct update *u, struct job_update *of, size_t n,
                size_t *ret_at) {
        enum slumber_error e = SLUMBER_OK;
        bool any = false;
        size_t i = 0;

        for (; i < n; i++) {
                e = try_update(&u[i], &of[i]);
                of[i].made = e == SLUMBER_OK;
                any |= of[i].made;
                if (e != SLUMBER_OK && e != SLUMBER_JOB_FINISHED)
                        break;
        }
        *ret_at = i;
        return i < n ? e : any ? SLUMBER_OK : SLUMBER_JOB_FINISHED;
}

static void name_component(const struct job *j, struct fail *fail) {
        if (*fail->text)
                (void)fail_prefix(fail, -EINVAL, "component %u", j->het_offset);
        else
                fail_set(fail, -EINVAL, "component %u refuses the update", j->het_offset);
}

/* Undoes all tried updates, the last first; the leader's claim, which covers all components, is
   restored. */
static void take_all_back(struct cluster *c, struct update *u, struct job_update *of, size_t n,
                const struct job_claim *claim) {
        struct job *leader = job_itself(job_leader(u[0].j));

        for (size_t i = n; i-- > 0;) {
                if (of[i].made)
                        job_update_undo(&u[i]);
                of[i].made = false;
        }
        /* while nodes boot, the pass chooses again: the victims were not informed yet */
        if (!claim->nodes || claim->boots || leader->claim.nodes)
                return;
        job_claim(c, leader, claim->nodes);
        leader->claim.in = claim->in;
        leader->claim.tasks = claim->tasks;
        leader->claim.waits = claim->waits;
        leader->claim.turn = claim->turn;
}

enum slumber_error jobs_update(struct cluster *c, struct job_update *of, size_t n,
                const struct updater *by, usec_t now, struct fail *fail) {
        _cleanup_free_ struct update *u = xnew(struct update, n);
        struct job_claim claim = job_leader(of[0].j)->claim;
        _cleanup_(bitset_freep) struct bitset *nodes = claim.nodes ? bitset_copy(claim.nodes)
                                                                   : NULL;
        size_t at;

        claim.nodes = nodes;
        for (size_t i = 0; i < n; i++)
                u[i] = (struct update){ .c = c, .j = of[i].j, .by = by, .now = now, .fail = fail };
        enum slumber_error e = job_update_try_all(u, of, n, &at);
        bool one = e != SLUMBER_OK && at < n && (at > 0 || !all_refuse(u, of, n, e));
        if (e != SLUMBER_OK)
                take_all_back(c, u, of, at, &claim);
        for (size_t i = 0; i < n; i++)
                if (of[i].made)
                        job_update_apply(&u[i], &of[i]);
        if (one)
                name_component(of[at].j, fail);
        for (size_t i = 0; i < n; i++)
                update_done(&u[i]);
        return e;
}

enum slumber_error job_update(struct cluster *c, struct job *j, const struct updater *by,
                const struct update_setting *settings, size_t n, usec_t now,
                struct bitset **ret_kept, struct fail *fail) {
        struct job_update of = { .j = j, .settings = settings, .n = n };
        enum slumber_error e = jobs_update(c, &of, 1, by, now, fail);

        *ret_kept = of.kept;
        return e;
}
