/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependencies between jobs.
 *
 * Each job lists the ids of dependents (job.listed.dependents), so the end of a job costs time only
 * for dependents. Wrong ids in the list are harmless: each costs a lookup and is dropped when the
 * list would have to grow. A job unknown to slumberctld has ended long ago; the accounts say how
 * (past.h). Without accounts the dependency counts as met, as in Slurm; a dependency failed while
 * the job was known stays failed. */
#include "controller/jobs/dependency.h"

#include "controller/accounts/assoc.h"
#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/dependency_listen.h"
#include "controller/jobs/job_events.h"
#include "controller/jobs/past.h"
#include "controller/model/cluster.h"
#include "controller/model/het.h"
#include "controller/model/job_names.h"
#include "lib/sorted.h"

#include <strings.h>

static const char *const words[] = {
        [DEPENDENCY_AFTER] = "after",
        [DEPENDENCY_ANY] = "afterany",
        [DEPENDENCY_BURST_BUFFER] = "afterburstbuffer",
        [DEPENDENCY_CORRELATED] = "aftercorr",
        [DEPENDENCY_NOT_OK] = "afternotok",
        [DEPENDENCY_OK] = "afterok",
        [DEPENDENCY_SINGLETON] = "singleton",
};

/* The state behind each dependency, in parentheses. */
enum state_text {
        WAITS_TEXT,
        FAILED_TEXT,
        HIDDEN_TEXT,
};
static const char *const states[] = {
        [WAITS_TEXT] = "(unfulfilled)",
        [FAILED_TEXT] = "(failed)",
        [HIDDEN_TEXT] = "(unknown)",
};

#define DELAY_MAX (366u * 24 * 60) /* minutes */
/* Tasks in lists. A list is only a few bytes of text, but each waiting task of an array keeps all
   entries. */
#define LISTED_MAX 10000u
/* Jobs. slumberctld asks the accounts about each forgotten job and reviews the waiting job on each
   answer. */
#define JOBS_MAX 1000u

/* ---- text ---- */

struct parser {
        struct dependencies *d;
        const char *at;
        bool stored;
        size_t listed; /* tasks named by lists; a task named twice counts twice */
        struct fail *fail;
};

static void dependency_append(struct dependencies *d, struct dependency new) {
        GROW(d->of, d->allocated, d->n);
        d->of[d->n++] = new;
}

static int dependency_compare(const struct dependency *a, const struct dependency *b) {
        if (a->kind != b->kind)
                return a->kind < b->kind ? -1 : 1;
        if (a->job != b->job)
                return a->job < b->job ? -1 : 1;
        return a->task < b->task ? -1 : a->task > b->task;
}

static int dependency_compare_place(const void *a, const void *b) {
        const struct dependency *x = *(struct dependency *const *)a,
                                *y = *(struct dependency *const *)b;
        int r = dependency_compare(x, y);

        return r ? r : x < y ? -1 : x > y;
}

/* Keeps each dependency once, where it is named first. Of several after:ID+MINUTES on one job, the
   longest delay implies the shorter delays; with "?" the shortest is enough. */
static void keep_once(struct dependencies *d) {
        _cleanup_free_ struct dependency **sorted = xnew(struct dependency *, d->n);
        _cleanup_free_ bool *again = xnew0(bool, d->n);
        size_t kept = 0;

        for (size_t i = 0; i < d->n; i++)
                sorted[i] = &d->of[i];
        list_sort(sorted, d->n, sizeof sorted[0], dependency_compare_place);
        for (size_t i = 1, first = 0; i < d->n; i++) {
                usec_t *delay = &sorted[first]->delay;
                if (dependency_compare(sorted[first], sorted[i])) {
                        first = i;
                        continue;
                }
                *delay = d->any ? MIN(*delay, sorted[i]->delay) : MAX(*delay, sorted[i]->delay);
                again[sorted[i] - d->of] = true;
        }
        for (size_t i = 0; i < d->n; i++)
                if (!again[i])
                        d->of[kept++] = d->of[i];
        d->n = kept;
}

/* Fails with -ERANGE if d names more than JOBS_MAX jobs; stored dependencies may be more. */
static int check_number(const struct parser *p) {
        _cleanup_free_ uint32_t *jobs = xnew(uint32_t, p->d->n);
        size_t n = 0;

        for (size_t i = 0; i < p->d->n; i++)
                if (p->d->of[i].kind != DEPENDENCY_SINGLETON)
                        jobs[n++] = p->d->of[i].job;
        sort_numbers(jobs, &n);
        return p->stored || n <= JOBS_MAX
                               ? 0
                               : fail_set(p->fail, -ERANGE,
                                                 "a dependency on %zu jobs: %u are the most", n,
                                                 JOBS_MAX);
}

static int dependency_parse_number(struct parser *p, uint32_t min, uint32_t max, const char *what,
                uint32_t *ret) {
        uint64_t v = 0;
        const char *first = p->at;

        for (; *p->at >= '0' && *p->at <= '9' && v <= max; p->at++)
                v = v * 10 + (uint64_t)(*p->at - '0');
        if (p->at == first || v < min || v > max)
                return fail_set(p->fail, -EINVAL, "\"%.*s\" is not a %s",
                                (int)strcspn(first, ":,?+(_"), first, what);
        *ret = (uint32_t)v;
        return 0;
}

static int parse_kind(struct parser *p, enum dependency_kind *ret) {
        size_t length = strcspn(p->at, ":,?(");

        if (*p->at >= '0' && *p->at <= '9') { /* plain ids, without a kind */
                *ret = DEPENDENCY_ANY;
                return 0;
        }
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strlen(words[i]) == length && strncasecmp(words[i], p->at, length) == 0) {
                        *ret = (enum dependency_kind)i;
                        p->at += length;
                        if (i == DEPENDENCY_SINGLETON)
                                return 0;
                        if (*p->at++ == ':')
                                return 0;
                        return fail_set(p->fail, -EINVAL, "%s needs a job id: %s:ID", words[i],
                                        words[i]);
                }
        return fail_set(p->fail, -EINVAL,
                        "\"%.*s\" is none of after, afterany, afterburstbuffer, aftercorr, afternotok, afterok, singleton",
                        (int)length, p->at);
}

static void parse_state(struct parser *p, struct dependency *d) {
        for (size_t i = 0; p->stored && i < ELEMENTSOF(states); i++)
                if (strncmp(p->at, states[i], strlen(states[i])) == 0) {
                        d->failed = i == FAILED_TEXT;
                        d->hidden = i == HIDDEN_TEXT;
                        p->at += strlen(states[i]);
                }
}

/* Parses [0-3,7] or [0-6:2]. */
static int dependency_parse_list(struct parser *p, struct bitset **ret) {
        size_t length = strcspn(p->at, "%]");
        _cleanup_free_ char *list = xstrndup(p->at, length + (p->at[length] == ']'));
        uint32_t none;
        int r;

        if (p->at[length] == '%')
                return fail_set(p->fail, -EINVAL, "\"%.*s\" is unexpected",
                                (int)strcspn(p->at + length, "]") + 1, p->at + length);
        r = array_tasks_parse(list, LISTED_MAX, ret, &none, p->fail);
        if (r < 0)
                return r;
        p->at += length + 1;
        p->listed += bitset_count(*ret);
        return p->listed <= LISTED_MAX
                               ? 0
                               : fail_set(p->fail, -ERANGE, "its lists name more than %u tasks",
                                                 LISTED_MAX);
}

/* Parses _3, _* or _[LIST]; *list gets the tasks of a list. */
static int parse_task(struct parser *p, struct dependency *d, struct bitset **list) {
        if (*p->at != '_')
                return 0;
        p->at++;
        if (*p->at == '[')
                return dependency_parse_list(p, list);
        if (*p->at != '*')
                return dependency_parse_number(p, 0, ARRAY_SIZE_MAX, "task of an array", &d->task);
        d->array = true;
        p->at++;
        return 0;
}

/* Parses +MINUTES of "after"; for other kinds without task, +OFFSET of a component. */
static int parse_delay(struct parser *p, struct dependency *d, bool has_tasks) {
        uint32_t minutes = 0;
        int r;

        if (*p->at != '+')
                return 0;
        p->at++;
        if (d->kind != DEPENDENCY_AFTER && !has_tasks) {
                d->component = true;
                return dependency_parse_number(p, 0, HET_MAX - 1, "component", &d->task);
        }
        if (d->kind != DEPENDENCY_AFTER)
                return fail_set(p->fail, -EINVAL,
                                "a time (+MINUTES) goes with after only, not with %s",
                                words[d->kind]);
        r = dependency_parse_number(p, 1, DELAY_MAX, "number of minutes", &minutes);
        d->delay = r < 0 ? 0 : minutes * 60 * USEC_PER_SEC;
        return r;
}

/* Parses ID, ID_TASKS, ID+MINUTES or ID+OFFSET; adds a dependency for each task of a list. */
static int parse_job(struct parser *p, enum dependency_kind kind) {
        _cleanup_(bitset_freep) struct bitset *list = NULL;
        struct dependency d = { .kind = kind, .task = DEPENDENCY_WHOLE };
        int r = dependency_parse_number(p, 1, UINT32_MAX, "job id", &d.job);

        if (r >= 0)
                r = parse_task(p, &d, &list);
        if (r >= 0)
                r = parse_delay(p, &d, list || d.array || d.task != DEPENDENCY_WHOLE);
        if (r < 0)
                return r;
        parse_state(p, &d);
        if (!list) {
                dependency_append(p->d, d);
                return 0;
        }
        bitset_for_each(i, list) {
                d.task = (uint32_t)i;
                dependency_append(p->d, d);
        }
        return 0;
}

/* Parses a dependency kind with its jobs. */
static int parse_entry(struct parser *p) {
        struct dependency d = { .task = DEPENDENCY_WHOLE };
        int r = parse_kind(p, &d.kind);

        if (r >= 0 && d.kind == DEPENDENCY_SINGLETON) {
                parse_state(p, &d);
                dependency_append(p->d, d);
                return 0;
        }
        while (r >= 0) {
                r = parse_job(p, d.kind);
                if (r < 0 || *p->at != ':')
                        return r;
                p->at++;
        }
        return r;
}

int dependencies_parse(const char *text, bool stored, struct dependencies **ret,
                struct fail *fail) {
        _cleanup_(dependencies_freep) struct dependencies *d = xnew0(struct dependencies, 1);
        struct parser p = { .d = d, .at = text, .stored = stored, .fail = fail };
        char between = '\0';
        int r;

        *ret = NULL;
        if (isempty(text) || streq(text, "0"))
                return 0;
        for (;;) {
                r = parse_entry(&p);
                if (r < 0)
                        return fail_prefix(fail, r, "dependency \"%s\"", text);
                if (!*p.at)
                        break;
                if (*p.at != ',' && *p.at != '?')
                        return fail_set(fail, -EINVAL, "dependency \"%s\": \"%s\" is unexpected",
                                        text, p.at);
                if (between && *p.at != between)
                        return fail_set(fail, -EINVAL,
                                        "dependency \"%s\": \",\" (all of them) and \"?\" (any of them) exclude each other",
                                        text);
                between = *p.at++;
                d->any = between == '?';
        }
        r = check_number(&p);
        if (r < 0)
                return r;
        keep_once(d);
        *ret = TAKE(d);
        return 0;
}

/* The longest text of a dependency, with the separator before it. */
#define SHOWN_MAX sizeof ",afterburstbuffer:4294967295_4294967295+4294967295(unfulfilled)"

char *dependencies_text(const struct dependencies *d) {
        size_t size = (d ? d->n : 0) * SHOWN_MAX + 1, used = 0;
        char *text = xmalloc(size);

        *text = '\0';
        for (size_t i = 0; d && i < d->n; i++) {
                const struct dependency *one = &d->of[i];
                char job[16] = "", task[16] = "", delay[16] = "";

                if (one->kind != DEPENDENCY_SINGLETON)
                        snprintf(job, sizeof job, ":%u", one->job);
                if (one->task != DEPENDENCY_WHOLE)
                        snprintf(task, sizeof task, one->component ? "+%u" : "_%u", one->task);
                else if (one->array)
                        snprintf(task, sizeof task, "_*");
                if (one->delay)
                        snprintf(delay, sizeof delay, "+%u",
                                        (unsigned)(one->delay / (60 * USEC_PER_SEC)));
                used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s%s",
                                !i       ? ""
                                : d->any ? "?"
                                         : ",",
                                words[one->kind], job, task, delay,
                                states[one->hidden            ? HIDDEN_TEXT
                                                : one->failed ? FAILED_TEXT
                                                              : WAITS_TEXT]);
        }
        return text;
}

/* ---- what dependencies wait for ---- */

enum fate {
        WAITS,
        MET,
        FAILED,
        FORGOTTEN, /* slumberctld does not know the job; the accounts may */
};

#define ASK_AGAIN (60 * USEC_PER_SEC) /* pause after accounts could not be read */

static bool dependency_job_is_over(const struct job *a) {
        return job_is_finished(a) && !a->completing;
}

static enum fate fate_of_after(const struct dependency *d, const struct job *a, usec_t now,
                usec_t *due) {
        if (!job_is_finished(a) && (a->state == JOB_PENDING || a->configuring))
                return WAITS;
        if (now >= a->running.start_time + d->delay)
                return MET;
        *due = MIN(*due, a->running.start_time + d->delay);
        return WAITS;
}

/* Orders requests by age: the id of the array for a task, of the leader for a component. Jobs of
   equal age do not wait for each other by singleton. */
static uint32_t age_of(const struct job *j) {
        return j->array ? j->array->id : j->id - j->het_offset;
}

/* Returns the latest unfinished job of j's user with j's name that is older than j; NULL if
   none. */
static struct job *singleton_predecessor(const struct cluster *c, const struct job *j) {
        struct job *a = job_names_latest(c->names, j->uid, j->asked.name);

        while (a && (dependency_job_is_over(a) || age_of(a) >= age_of(j)))
                a = job_names_before(a);
        return a;
}

static enum fate fate_of_singleton(struct cluster *c, const struct job *j, struct dependency *d) {
        const struct job *a = d->job ? cluster_job(c, d->job) : NULL;

        if (a && !dependency_job_is_over(a) &&
                        streq(strempty(a->asked.name), strempty(j->asked.name)))
                return WAITS;
        struct job *next = singleton_predecessor(c, j);
        if (!next)
                return MET;
        d->job = next->id;
        dependency_listen(c, next, next->array, j);
        return WAITS;
}

static bool is_met_by_any_end(enum dependency_kind kind) {
        return kind == DEPENDENCY_ANY || kind == DEPENDENCY_BURST_BUFFER;
}

static enum fate fate_of_job(const struct dependency *d, const struct job *a, usec_t now,
                usec_t *due) {
        if (!a)
                return FORGOTTEN;
        if (d->kind == DEPENDENCY_AFTER)
                return fate_of_after(d, a, now, due);
        if (!dependency_job_is_over(a))
                return WAITS;
        if (is_met_by_any_end(d->kind))
                return MET;
        return (a->state == JOB_COMPLETED) == (d->kind != DEPENDENCY_NOT_OK) ? MET : FAILED;
}

/* Fate of a dependency on a whole array: afterok needs success of all tasks, afternotok the failure
   of a task, all further kinds that every task has come so far. */
static enum fate fate_of_all(const struct dependency *d, const struct array *a, usec_t now,
                usec_t *due) {
        size_t count[] = { [WAITS] = 0, [MET] = 0, [FAILED] = 0 };

        for (size_t i = 0; i < a->n_tasks; i++)
                count[fate_of_job(d, a->tasks[i], now, due)]++;
        if (a->rest)
                count[fate_of_job(d, a->rest, now, due)]++;
        if (count[WAITS])
                return WAITS;
        if (d->kind == DEPENDENCY_NOT_OK)
                return count[MET] || a->failed ? MET : FAILED;
        return count[FAILED] || (a->failed && (d->kind == DEPENDENCY_OK ||
                                                              d->kind == DEPENDENCY_CORRELATED))
                               ? FAILED
                               : MET;
}

/* Fate of a dependency on a whole heterogeneous job: as for an array, with components as tasks. */
static enum fate fate_of_whole(const struct dependency *d, const struct het *h, usec_t now,
                usec_t *due) {
        size_t count[] = { [WAITS] = 0, [MET] = 0, [FAILED] = 0 };

        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i])
                        count[fate_of_job(d, h->of[i], now, due)]++;
        if (count[WAITS])
                return WAITS;
        return d->kind == DEPENDENCY_NOT_OK ? (count[MET] ? MET : FAILED)
               : count[FAILED]              ? FAILED
                                            : MET;
}

/* Fate of a dependency on a job, a component or a whole heterogeneous job, but no array. */
static enum fate fate_of_one(const struct cluster *c, const struct dependency *d, usec_t now,
                usec_t *due) {
        const struct job *a = d->hidden ? NULL : cluster_job(c, d->job);
        const struct het *h = a && a->het && a->het->id == d->job ? a->het : NULL;

        if (h && d->task == DEPENDENCY_WHOLE)
                return fate_of_whole(d, h, now, due);
        if (d->task != DEPENDENCY_WHOLE)
                a = h && d->component && d->task < h->n ? h->of[d->task] : NULL;
        return fate_of_job(d, a, now, due);
}

/* The array task that j is, if d is aftercorr; else DEPENDENCY_WHOLE. */
static uint32_t own_task(const struct job *j, const struct dependency *d) {
        return d->kind == DEPENDENCY_CORRELATED && j->array && !job_is_rest(j) ? j->array_task
                                                                               : DEPENDENCY_WHOLE;
}

static enum fate fate_of_array(const struct job *j, const struct dependency *d,
                const struct array *a, usec_t now, usec_t *due) {
        uint32_t own = own_task(j, d),
                 task = own != DEPENDENCY_WHOLE && array_had(a, own) ? own : d->task;

        if (task == DEPENDENCY_WHOLE)
                return fate_of_all(d, a, now, due);
        if (!array_had(a, task))
                return d->failed ? FAILED : MET;
        return fate_of_job(d, array_waits(a, task) ? a->rest : array_task(a, task), now, due);
}

/* PrivateData=jobs: j's user may see p if the user owned the past job or coordinates its
   account. */
static bool may_learn(const struct cluster *c, const struct job *j, const struct past *p) {
        if (p->n_runs == 0 || p->runs[0].uid == j->uid)
                return true;
        const struct assoc *a = p->account ? assoc_find(&c->acct, p->account, NULL, NULL) : NULL;
        return a && assoc_coordinates(&c->acct, a, j->user);
}

/* Returns the accounts' verdict on the job, task or component named by d; unknown if hidden from
   j's user. */
static struct verdict dependency_past_verdict(struct cluster *c, const struct job *j,
                const struct dependency *d, const struct past *p) {
        uint32_t own = p->kind == PAST_ARRAY ? own_task(j, d) : DEPENDENCY_WHOLE;
        struct verdict v = { 0 };

        if (d->hidden && !may_learn(c, j, p)) {
                cluster_log_folded(c,
                                "PrivateData: the user of JobId=%u, which waits for JobId=%u, does not learn how that ended",
                                j->id, p->job);
                return v;
        }
        if (own != DEPENDENCY_WHOLE)
                v = past_part(p, own, false);
        if (v.known) /* the array had j's task */
                return v;
        return d->task == DEPENDENCY_WHOLE ? past_whole(p) : past_part(p, d->task, d->component);
}

/* A job without rows in the accounts is over, but neither success nor failure is known. */
static enum fate fate_of_verdict(const struct dependency *d, const struct verdict *v, usec_t now,
                usec_t *due) {
        switch (d->kind) {
        case DEPENDENCY_AFTER:
                if (now >= v->start + d->delay)
                        return MET;
                *due = MIN(*due, v->start + d->delay);
                return WAITS;
        case DEPENDENCY_NOT_OK:
                return v->known && v->failed ? MET : FAILED;
        case DEPENDENCY_OK:
        case DEPENDENCY_CORRELATED:
                return v->known && v->completed ? MET : FAILED;
        case DEPENDENCY_ANY:
        case DEPENDENCY_BURST_BUFFER:
        case DEPENDENCY_SINGLETON:
                break;
        }
        return MET;
}

static enum fate fate_of_forgotten(struct cluster *c, const struct job *j,
                const struct dependency *d, usec_t now, usec_t *due) {
        const struct past *p;

        if (d->failed)
                return FAILED;
        if (!c->pasts.kept || is_met_by_any_end(d->kind))
                return MET;
        p = past_of(c, d->job);
        if (!p || !p->told) {
                past_ask(c, d->job, j->id);
                return WAITS;
        }
        struct verdict v = dependency_past_verdict(c, j, d, p);
        return fate_of_verdict(d, &v, now, due);
}

static enum fate fate_of(struct cluster *c, const struct job *j, struct dependency *d, usec_t now,
                usec_t *due) {
        const struct array *a;
        enum fate fate;

        if (d->kind == DEPENDENCY_SINGLETON)
                return fate_of_singleton(c, j, d);
        a = d->hidden ? NULL : cluster_array(c, d->job);
        fate = a ? fate_of_array(j, d, a, now, due) : fate_of_one(c, d, now, due);
        return fate == FORGOTTEN ? fate_of_forgotten(c, j, d, now, due) : fate;
}

bool dependencies_name(const struct dependencies *d, const struct job *j) {
        for (size_t i = 0; d && i < d->n; i++) {
                uint32_t task = d->of[i].task;
                if (d->of[i].job == j->id && task == DEPENDENCY_WHOLE)
                        return true;
                if (j->array && d->of[i].job == j->array->id &&
                                (task == DEPENDENCY_WHOLE || task == j->array_task))
                        return true;
                if (j->het && d->of[i].job == j->het->id &&
                                (task == DEPENDENCY_WHOLE || task == j->het_offset))
                        return true;
        }
        return false;
}

/* Ids are given in ascending order and start again after MaxJobId (id_rounds). */
static bool was_never_given(const struct cluster *c, uint32_t id) {
        return id >= c->next_job_id && !c->id_rounds && !cluster_job(c, id) &&
               !cluster_array(c, id);
}

bool dependencies_exist(const struct cluster *c, const struct dependencies *d, struct fail *fail) {
        for (size_t i = 0; d && i < d->n; i++) {
                const struct dependency *one = &d->of[i];
                if (one->kind != DEPENDENCY_SINGLETON && was_never_given(c, one->job))
                        return fail_set(fail, -ENOENT, "there has been no job %u", one->job), false;
                bool looks = one->component && !one->hidden;
                const struct job *a = looks ? cluster_job(c, one->job) : NULL;
                if (!a || (a->het && a->het->id == one->job && one->task < a->het->n))
                        continue;
                return fail_set(fail, -ENOENT, "job %u has no component %u", one->job, one->task),
                       false;
        }
        return true;
}

bool dependencies_never(const struct dependencies *d) {
        size_t failed = 0;

        for (size_t i = 0; i < d->n; i++)
                failed += d->of[i].failed;
        return d->any ? failed == d->n : failed > 0;
}

#define ALL_JOBS 0

/* Removes met dependencies on the job only (ALL_JOBS: on any job) and marks failed ones. Lowers
   *due to the time of the next review not caused by an event. */
static void dependencies_drop_met(struct cluster *c, struct job *j, uint32_t only, usec_t now,
                usec_t *due) {
        struct dependencies *d = j->waiting.depends;
        size_t kept = 0, n = d->n;

        for (size_t i = 0; i < n; i++) {
                struct dependency one = d->of[i];
                if (only != ALL_JOBS && one.job != only) {
                        d->of[kept++] = one;
                        continue;
                }
                enum fate fate = fate_of(c, j, &one, now, due);
                if (fate == MET && d->any) {
                        kept = 0;
                        break;
                }
                one.failed = fate == FAILED;
                if (fate != MET)
                        d->of[kept++] = one;
        }
        d->n = kept;
        if (kept == 0)
                j->waiting.depends = dependencies_free(d);
}

static bool ends_when_never(const struct cluster *c, const struct job *j) {
        return j->asked.kill_on_invalid_dep ? j->asked.kill_on_invalid_dep == 1
                                            : c->config->kill_invalid_depend;
}

static void dependencies_review_on(struct cluster *c, struct job *j, uint32_t only, usec_t now) {
        usec_t due = only != ALL_JOBS && j->waiting.depend_due ? j->waiting.depend_due
                                                               : USEC_INFINITY;

        if (!j->waiting.depends || job_is_finished(j))
                return;
        dependencies_drop_met(c, j, only, now, &due);
        j->waiting.depend_due = due == USEC_INFINITY ? 0 : due;
        cluster_job_changed(c, j);
        if (j->waiting.depends && dependencies_never(j->waiting.depends) && ends_when_never(c, j)) {
                _cleanup_free_ char *text = dependencies_text(j->waiting.depends);
                cluster_log(c, j->id, NULL,
                                "JobId=%u is cancelled: its dependency %s can never be met", j->id,
                                text);
                j->waiting.depend_due = 0;
                job_mail_dependency(c, j, true);
                job_end(c, j, JOB_CANCELLED, REASON_DEPENDENCY_NEVER, "", now);
        } else {
                job_eligibility_changed(c, j, now);
        }
}

static void dependencies_review(struct cluster *c, struct job *j, usec_t now) {
        dependencies_review_on(c, j, ALL_JOBS, now);
}

static void dependencies_start(struct cluster *c, struct job *j, usec_t now) {
        dependencies_listen(c, j);
        dependencies_review(c, j, now);
}

/* Returns whether d may differ between the tasks of an array. If all tasks of the past array
   completed, d does not. */
static bool dependency_correlates(const struct cluster *c, const struct dependency *d) {
        if (d->kind != DEPENDENCY_CORRELATED)
                return false;
        const struct past *p = past_of(c, d->job);
        return p && p->told ? p->kind == PAST_ARRAY && !p->completed
                            : !d->hidden && cluster_array(c, d->job);
}

static bool dependencies_correlate(const struct cluster *c, const struct job *j, uint32_t only) {
        const struct dependencies *d = j->waiting.depends;

        for (size_t i = 0; d && i < d->n; i++)
                if ((only == ALL_JOBS || d->of[i].job == only) &&
                                dependency_correlates(c, &d->of[i]))
                        return true;
        return false;
}

/* aftercorr between arrays: each task waits for a different task, so each task gets a record
   now. */
static void array_split_correlated(struct cluster *c, struct array *a, usec_t now) {
        _cleanup_(bitset_freep) struct bitset *tasks = bitset_copy(a->waiting);

        bitset_for_each(i, tasks) {
                struct job *j = array_take(c, a, (uint32_t)i);
                if (!j) /* no ids are left: the remaining tasks wait for the whole array */
                        return;
                dependencies_start(c, j, now);
        }
}

static bool dependency_is_unknown(const struct cluster *c, const struct dependency *d) {
        return d->kind != DEPENDENCY_SINGLETON && !d->failed && !cluster_array(c, d->job) &&
               !cluster_job(c, d->job);
}

/* Drops dependencies on unknown jobs, which count as met. Runs before the tasks get ids: a task
   might get the very id named in a dependency. */
static void drop_unknown(struct cluster *c, struct job *j, usec_t now) {
        struct dependencies *d = j->waiting.depends;
        size_t kept = 0;

        for (size_t i = 0; i < d->n; i++) {
                bool met = dependency_is_unknown(c, &d->of[i]);
                if (met && d->any) {
                        kept = 0;
                        break;
                }
                if (!met)
                        d->of[kept++] = d->of[i];
        }
        d->n = kept;
        if (kept)
                return;
        j->waiting.depends = dependencies_free(d);
        cluster_job_changed(c, j);
        job_eligibility_changed(c, j, now);
}

void dependencies_join(struct cluster *c, struct job *j, usec_t now) {
        bool parts = job_is_rest(j) && j->state == JOB_PENDING &&
                     dependencies_correlate(c, j, ALL_JOBS);

        if (parts && !c->pasts.kept)
                drop_unknown(c, j, now);
        if (parts && j->waiting.depends)
                array_split_correlated(c, j->array, now);
        else
                dependencies_start(c, j, now);
}

/* ---- answers of the accounts ---- */

/* Reviews j's dependencies on the job id. */
static void dependencies_review_id(struct cluster *c, struct job *j, uint32_t id, usec_t now) {
        if (job_is_rest(j) && j->state == JOB_PENDING && dependencies_correlate(c, j, id))
                array_split_correlated(c, j->array, now);
        else
                dependencies_review_on(c, j, id, now);
}

void dependencies_told(struct cluster *c, uint32_t id, usec_t now) {
        struct past *p = past_of(c, id);

        sort_numbers(p->waiting, &p->n_waiting);
        for (size_t i = 0; i < p->n_waiting; i++) {
                struct job *j = cluster_job(c, p->waiting[i]);
                if (j && j->waiting.depends)
                        dependencies_review_id(c, j, id, now);
        }
        if (p->n_runs == 0 && p->n_waiting)
                cluster_log_folded(c, "The accounts do not know JobId=%u, which JobId=%u%s for", id,
                                p->waiting[0], p->n_waiting > 1 ? " and others wait" : " waits");
        past_free(past_take(c, id));
}

void dependencies_untold(struct cluster *c, uint32_t id, usec_t now) {
        _cleanup_(past_freep) struct past *p = past_take(c, id);

        for (size_t i = 0; p && i < p->n_waiting; i++) {
                struct job *j = cluster_job(c, p->waiting[i]);
                if (!j || !j->waiting.depends)
                        continue;
                if (!j->waiting.depend_due || j->waiting.depend_due > now + ASK_AGAIN)
                        j->waiting.depend_due = now + ASK_AGAIN;
                cluster_job_changed(c, j);
        }
}

void dependencies_due(struct cluster *c, struct job *j, usec_t now) {
        if (j->waiting.depend_due && now >= j->waiting.depend_due)
                dependencies_review(c, j, now);
}

/* ---- news ---- */

void dependencies_renamed(struct cluster *c, struct job *j, usec_t now) {
        dependencies_review(c, j, now);
        dependency_news(c, j);
}

void dependency_news(struct cluster *c, const struct job *a) {
        const struct job *leader = a->het ? a->het->of[0] : NULL;

        if ((a->array ? a->array->n_dependents : a->listed.n_dependents) == 0 &&
                        (!leader || leader->listed.n_dependents == 0))
                return;
        GROW(c->news, c->a_news, c->n_news);
        c->news[c->n_news++] = a->id;
}

struct ids {
        uint32_t *list;
        size_t n, allocated;
};

static void ids_append(struct ids *ids, uint32_t id) {
        GROW(ids->list, ids->allocated, ids->n);
        ids->list[ids->n++] = id;
}

/* Takes all noted jobs as ids: the array's id for a task, and for a component the leader's id, too,
   because dependents of the leader hear of all components. */
static void dependency_news_take(struct cluster *c, struct ids *about) {
        for (about->n = 0; c->n_news;) {
                const struct job *a = cluster_job(c, c->news[--c->n_news]);
                if (a)
                        ids_append(about, a->array ? a->array->id : a->id);
                if (a && a->het && a->het_offset && a->het->of[0])
                        ids_append(about, a->het->id);
        }
        sort_numbers(about->list, &about->n);
}

static void find_dependents(struct cluster *c, const struct ids *about, struct ids *found) {
        found->n = 0;
        for (size_t i = 0; i < about->n; i++) {
                const struct array *all = cluster_array(c, about->list[i]);
                const struct job *a = cluster_job(c, about->list[i]);

                for (size_t k = 0; k < (all ? all->n_dependents : a->listed.n_dependents); k++)
                        ids_append(found, all ? all->dependents[k] : a->listed.dependents[k]);
        }
        sort_numbers(found->list, &found->n);
}

/* Each dependent is reviewed once per round, however many of its jobs are noted. */
void dependencies_settle(struct cluster *c, usec_t now) {
        struct ids about = { 0 }, found = { 0 };

        while (c->n_news) {
                dependency_news_take(c, &about);
                find_dependents(c, &about, &found);
                for (size_t i = 0; i < found.n; i++) {
                        struct job *j = cluster_job(c, found.list[i]);
                        if (j)
                                dependencies_review(c, j, now);
                }
        }
        free(about.list);
        free(found.list);
}

/* ---- circular dependencies ---- */

struct trail {
        const struct cluster *c;
        struct bitset *seen; /* by slots of c->jobs */
        const struct job **left;
        size_t n_left, a_left;
};

static void trail_add_job(struct trail *t, const struct job *a) {
        size_t slot = a ? cluster_slot_after(t->c, a->id - 1) : 0;

        if (!a || bitset_has(t->seen, slot))
                return;
        bitset_add(t->seen, slot);
        GROW(t->left, t->a_left, t->n_left);
        t->left[t->n_left++] = a;
}

static const struct het *het_of(const struct cluster *c, uint32_t id) {
        const struct job *j = cluster_job(c, id);

        return j ? j->het : NULL;
}

static void trail_add_dependencies(struct trail *t, const struct dependencies *d) {
        for (size_t i = 0; d && i < d->n; i++) {
                const struct dependency *one = &d->of[i];
                const struct array *all = one->hidden ? NULL : cluster_array(t->c, one->job);

                if (all && one->task != DEPENDENCY_WHOLE && one->kind != DEPENDENCY_CORRELATED) {
                        trail_add_job(t, array_waits(all, one->task) ? all->rest
                                                                     : array_task(all, one->task));
                        continue;
                }
                if (one->hidden)
                        continue;
                trail_add_job(t, all ? all->rest : cluster_job(t->c, one->job));
                const struct het *h = all ? NULL : het_of(t->c, one->job);
                for (uint32_t k = 0; h && k < h->n; k++)
                        trail_add_job(t, h->of[k]);
                for (size_t k = 0; all && k < all->n_tasks; k++)
                        trail_add_job(t, all->tasks[k]);
        }
}

bool dependencies_circular(const struct cluster *c, const struct job *j,
                const struct dependencies *d) {
        _cleanup_(bitset_freep) struct bitset *seen = bitset_new(c->n_jobs);
        struct trail t = { .c = c, .seen = seen };
        bool circular = false;

        trail_add_dependencies(&t, d);
        while (t.n_left && !circular) {
                const struct job *a = t.left[--t.n_left];
                circular = a == j;
                trail_add_dependencies(&t, a->waiting.depends);
        }
        free(t.left);
        return circular;
}
