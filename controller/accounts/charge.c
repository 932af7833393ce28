/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Association, QOS and charge of a job.
 *
 * The charge is derived from the job's state in a single place: acct_note() compares the charge
 * with the value that the state requires, so no transition of a job can miss an update.  The charge
 * stores the objects charged, and is taken back from these objects whatever has changed meanwhile.
 */
#include "controller/accounts/assoc.h"
#include "controller/accounts/limit_check.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/qos.h"
#include "controller/model/array.h"
#include "controller/model/tres.h"

/* ---- account, association, QOS ---- */

void acct_pick_account(const struct cluster *c, struct job *j) {
        const struct acct_user *user = isempty(j->asked.account) ? acct_user_find(&c->acct, j->user)
                                                                 : NULL;

        if (user && user->default_account)
                free_and_strdup(&j->asked.account, user->default_account);
}

void acct_spell(struct job *j) {
        if (j->accounting.assoc)
                free_and_strdup(&j->asked.account, j->accounting.assoc->account);
        if (j->accounting.qos)
                free_and_strdup(&j->asked.qos, j->accounting.qos->name);
}

static enum slumber_error pick_assoc(struct cluster *c, struct job *j) {
        j->accounting.assoc = assoc_of_job(&c->acct, j->asked.account, j->user, j->partition->name);
        if (!j->accounting.assoc && c->config->enforce & ENFORCE_ASSOCIATIONS)
                return SLUMBER_BAD_ACCOUNT;
        acct_spell(j);
        return SLUMBER_OK;
}

enum slumber_error acct_wants_reservation(const struct qos *q, const char *reservation,
                struct fail *fail) {
        if (!q || !(q->flags & QOS_REQUIRES_RESV) || !isempty(reservation))
                return SLUMBER_OK;
        fail_set(fail, -EINVAL, "QOS %s is for jobs with --reservation (RequiresReservation)",
                        q->name);
        return SLUMBER_BAD_QOS;
}

static enum slumber_error charge_pick_qos(struct cluster *c, struct job *j, struct fail *fail) {
        j->accounting.qos = j->asked.qos ? qos_find(&c->acct, j->asked.qos)
                                         : assoc_default_qos(&c->acct, j->accounting.assoc);
        if (!j->accounting.qos)
                return SLUMBER_BAD_QOS;
        if (c->config->enforce & ENFORCE_QOS &&
                        !assoc_allows_qos(j->accounting.assoc, j->accounting.qos))
                return SLUMBER_BAD_QOS;
        acct_spell(j);
        return acct_wants_reservation(j->accounting.qos, j->asked.reservation, fail);
}

enum slumber_error acct_admit(struct cluster *c, struct job *j, struct fail *fail) {
        free_and_strdup(&j->asked.qos_req, j->asked.qos);
        if (c->config->accounting_off) {
                if (j->asked.qos)
                        fail_set(fail, -ENOENT,
                                        "AccountingStorageType is accounting_storage/none: there are no QOS");
                return j->asked.qos ? SLUMBER_BAD_QOS : SLUMBER_OK;
        }
        enum slumber_error e = pick_assoc(c, j);
        return e == SLUMBER_OK ? charge_pick_qos(c, j, fail) : e;
}

enum slumber_error acct_allows(const struct cluster *c, const struct job *j,
                const struct partition *p, const char *account, const char *qos) {
        const struct assoc *s = assoc_of_job(&c->acct, account, j->user, p->name);
        const struct qos *q = qos ? qos_find(&c->acct, qos) : assoc_default_qos(&c->acct, s);

        if (c->config->accounting_off)
                return qos ? SLUMBER_BAD_QOS : SLUMBER_OK;
        if (!s && c->config->enforce & ENFORCE_ASSOCIATIONS)
                return SLUMBER_BAD_ACCOUNT;
        if (!q || (c->config->enforce & ENFORCE_QOS && !assoc_allows_qos(s, q)))
                return SLUMBER_BAD_QOS;
        return partition_takes_qos(p, q->name) ? SLUMBER_OK : SLUMBER_BAD_QOS;
}

void acct_point(const struct cluster *c, struct job *j) {
        j->accounting.assoc = NULL;
        j->accounting.qos = NULL;
        if (c->config->accounting_off)
                return;
        j->accounting.assoc = assoc_of_job(&c->acct, j->asked.account, j->user, j->partition->name);
        j->accounting.qos = j->asked.qos ? qos_find(&c->acct, j->asked.qos)
                                         : assoc_default_qos(&c->acct, j->accounting.assoc);
}

void acct_bind(struct cluster *c, struct job *j) {
        acct_forget(c, j);
        acct_point(c, j);
        if (!c->config->accounting_off)
                acct_note(c, j);
}

void acct_unbind(struct cluster *c, const struct assoc *assoc, const struct qos *qos) {
        for (size_t i = 0; i < c->n_jobs; i++) {
                struct job *j = c->jobs[i].job;
                if (!j || ((!assoc || j->accounting.assoc != assoc) &&
                                          (!qos || j->accounting.qos != qos)))
                        continue;
                acct_forget(c, j);
                if (j->accounting.assoc == assoc)
                        j->accounting.assoc = NULL;
                if (j->accounting.qos == qos)
                        j->accounting.qos = NULL;
                acct_note(c, j);
        }
}

/* ---- computing the charge ---- */

static int charge_wanted(const struct job *j) {
        if (job_is_finished(j))
                return CHARGE_NONE;
        return j->state == JOB_PENDING ? CHARGE_SUBMITTED : CHARGE_RUNNING;
}

static uint32_t tasks_of(const struct job *j) {
        return job_is_rest(j) ? (uint32_t)bitset_count(j->array->waiting) : 1;
}

void tally_add(struct tally *t, const struct job_charge *g, int sign) {
        t->submitted += (uint32_t)sign * g->tasks;
        t->accruing += g->accrues ? (uint32_t)sign : 0;
        if (g->state != CHARGE_RUNNING)
                return;
        t->running += (uint32_t)sign * g->tasks;
        for (size_t i = 0; i < TRES_MAX; i++) {
                if (!g->used.of[i])
                        continue;
                double n = sign * g->factor * (double)g->used.of[i];
                t->used.of[i] += (uint64_t)(int64_t)sign * g->used.of[i];
                t->run.moving[i] += g->moving ? n : 0;
                t->run.ends[i] += g->moving ? n * g->until : 0;
                t->run.still[i] += g->moving ? 0 : n * g->left;
        }
        if (t->running == 0) /* clears the rounding errors of the sums */
                t->run = (struct run_time){ 0 };
}

static void charge_add(const struct job_charge *g, int sign) {
        for (struct assoc *s = g->assoc; s; s = s->parent)
                tally_add(&s->used, g, sign);
        for (size_t i = 0; i < ELEMENTSOF(g->of); i++) {
                if (!g->of[i].qos)
                        continue;
                tally_add(&g->of[i].qos->all, g, sign);
                if (g->of[i].user)
                        tally_add(g->of[i].user, g, sign);
                if (g->of[i].account)
                        tally_add(g->of[i].account, g, sign);
        }
}

/* A job without time limit counts as a year, as in Slurm. */
#define UNLIMITED (365ull * 24 * 3600 * USEC_PER_SEC)

void charge_time(struct job_charge *g, const struct job *j) {
        usec_t limit = j->needs.time_limit == NO_LIMIT ? UNLIMITED : j->needs.time_limit;
        g->factor = j->accounting.qos ? j->accounting.qos->usage_factor : 1;
        double left = (double)(limit > j->running.ran_before ? limit - j->running.ran_before : 0) /
                      USEC_PER_SEC;

        g->moving = j->state == JOB_RUNNING && !j->configuring && j->running.resumed_at;
        g->until = g->moving ? (double)j->running.resumed_at / USEC_PER_SEC + left : 0;
        g->left = g->moving ? 0 : left;
}

static bool same_time(const struct job_charge *g, const struct job *j) {
        struct job_charge now = { 0 };

        charge_time(&now, j);
        return now.moving == g->moving && now.until >= g->until && now.until <= g->until &&
               now.left >= g->left && now.left <= g->left && now.factor >= g->factor &&
               now.factor <= g->factor;
}

static void charge_set_qos(struct job_charge *g, size_t i, struct qos *q, const struct job *j) {
        g->of[i].qos = q;
        if (!q)
                return;
        g->of[i].user = qos_user(q, j->user);
        g->of[i].account = qos_account(q, strempty(j->asked.account));
}

/* True for a pending job whose age counts. */
static bool job_accrues(const struct job *j) {
        return charge_wanted(j) == CHARGE_SUBMITTED && j->waiting.accrue_time;
}

void acct_forget(struct cluster *c, struct job *j) {
        if (j->accounting.charge.state == CHARGE_NONE)
                return;
        if (j->accounting.charge.accrues)
                note(c, FACT_ACCRUAL_ROOM);
        charge_add(&j->accounting.charge, -1);
        if (j->accounting.charge.state == CHARGE_RUNNING)
                note(c, FACT_LIMIT_USE_FELL);
        j->accounting.charge = (struct job_charge){ .state = CHARGE_NONE };
}

void acct_note(struct cluster *c, struct job *j) {
        bool ran = j->accounting.charge.state == CHARGE_RUNNING;
        int state = charge_wanted(j);

        if (!j->accounting.assoc && !j->accounting.qos && !j->partition->qos)
                return;
        if ((int)j->accounting.charge.state == state &&
                        j->accounting.charge.accrues == job_accrues(j) &&
                        (state == CHARGE_NONE || !job_is_rest(j) ||
                                        j->accounting.charge.tasks == tasks_of(j)) &&
                        (state != CHARGE_RUNNING ||
                                        (j->accounting.charge.used.of[TRES_CPU] ==
                                                                        j->placed.num_cpus &&
                                                        j->accounting.charge.used.of[TRES_NODE] ==
                                                                        j->placed.n_alloc &&
                                                        same_time(&j->accounting.charge, j))))
                return;
        if (ran)
                note(c, state == CHARGE_RUNNING ? FACT_LIMIT_USE_CHANGED : FACT_LIMIT_USE_FELL);
        if (j->accounting.charge.accrues)
                note(c, FACT_ACCRUAL_ROOM);
        if (j->accounting.charge.state != CHARGE_NONE)
                charge_add(&j->accounting.charge, -1);
        j->accounting.charge = (struct job_charge){ .state = state, .accrues = job_accrues(j) };
        if (state == CHARGE_NONE)
                return;
        j->accounting.charge.tasks = tasks_of(j);
        j->accounting.charge.assoc = j->accounting.assoc;
        charge_set_qos(&j->accounting.charge, 0, j->accounting.qos, j);
        charge_set_qos(&j->accounting.charge, 1,
                        j->partition->qos == j->accounting.qos ? NULL : j->partition->qos, j);
        if (state == CHARGE_RUNNING) {
                tres_of_job(c, j, &j->accounting.charge.used);
                charge_time(&j->accounting.charge, j);
        }
        charge_add(&j->accounting.charge, 1);
        if (state == CHARGE_RUNNING && !ran && c->config->enforce & ENFORCE_LIMITS &&
                        !follows(c, FOLLOW_LIMIT_PLANS) &&
                        limits_leave_less(c, &j->accounting.charge))
                note(c, FACT_LIMIT_USE_ROSE);
}
