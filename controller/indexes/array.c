/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/indexes/array.h"

#include "controller/indexes/changed.h"
#include "controller/indexes/dependency_listen.h"
#include "controller/indexes/queue.h"
#include "controller/model/feature.h"
#include "controller/model/kept_fields.h"

/* ---- indexes as text ---- */

struct reader {
        const char *at;
        uint32_t size;
        struct fail *fail;
};

static int array_read_number(struct reader *r, const char *what, uint32_t max, uint32_t *ret) {
        uint64_t v = 0;
        const char *first = r->at;

        for (; *r->at >= '0' && *r->at <= '9' && v <= max; r->at++)
                v = v * 10 + (uint64_t)(*r->at - '0');
        if (r->at == first)
                return fail_set(r->fail, -EINVAL, "%s is expected at \"%s\"", what, first);
        if (v > max)
                return fail_set(r->fail, -ERANGE, "%.*s is more than %u",
                                (int)strspn(first, "0123456789"), first, max);
        *ret = (uint32_t)v;
        return 0;
}

struct range {
        uint32_t first, last, step;
};

/* Parses 3, 3-9 or 3-9:2. */
static int array_read_range(struct reader *r, struct range *ret) {
        int e = array_read_number(r, "an index", r->size - 1, &ret->first);

        ret->last = ret->first;
        ret->step = 1;
        if (e < 0 || *r->at != '-')
                return e;
        r->at++;
        e = array_read_number(r, "an index", r->size - 1, &ret->last);
        if (e >= 0 && ret->last < ret->first)
                return fail_set(r->fail, -EINVAL, "%u-%u goes backwards", ret->first, ret->last);
        if (e < 0 || *r->at != ':')
                return e;
        r->at++;
        e = array_read_number(r, "a step", UINT32_MAX, &ret->step);
        return e >= 0 && ret->step == 0 ? fail_set(r->fail, -EINVAL, "a step of 0") : e;
}

/* Parses all ranges of the list; set NULL: only *highest is computed. */
static int read_ranges(struct reader *r, struct bitset *set, uint32_t *highest) {
        for (;;) {
                struct range range;
                int e = array_read_range(r, &range);

                if (e < 0)
                        return e;
                *highest = MAX(*highest, range.last - (range.last - range.first) % range.step);
                if (set)
                        bitset_add_steps(set, range.first, MIN(range.last, *highest), range.step);
                if (*r->at != ',')
                        return 0;
                r->at++;
        }
}

int array_tasks_parse(const char *text, uint32_t size, struct bitset **ret, uint32_t *limit,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL;
        struct reader r = { .size = size, .fail = fail };
        bool bracket = *text == '[';
        uint32_t highest = 0;
        int e;

        *limit = 0;
        if (size == 0)
                return fail_set(fail, -ERANGE, "MaxArraySize=0 allows no job arrays");
        for (int pass = 0; pass < 2; pass++) {
                r.at = text + bracket;
                e = read_ranges(&r, set, &highest);
                if (e < 0)
                        return fail_prefix(fail, e, "array \"%s\"", text);
                if (!set)
                        set = bitset_new(highest + 1);
        }
        if (*r.at == '%') {
                r.at++;
                e = array_read_number(&r, "a number of tasks", UINT32_MAX - 1, limit);
        }
        if (e >= 0 && bracket && *r.at == ']')
                r.at++;
        else if (bracket && e >= 0)
                e = fail_set(fail, -EINVAL, "\"]\" is missing");
        if (e >= 0 && *r.at)
                e = fail_set(fail, -EINVAL, "\"%s\" is unexpected", r.at);
        if (e < 0)
                return fail_prefix(fail, e, "array \"%s\"", text);
        *ret = TAKE(set);
        return 0;
}

/* ---- lookups ---- */

static size_t task_at(const struct array *a, uint32_t task) {
        return FIRST_NOT(a->n_tasks, i, a->tasks[i]->array_task < task);
}

struct job *array_task(const struct array *a, uint32_t task) {
        size_t at = task_at(a, task);

        return at < a->n_tasks && a->tasks[at]->array_task == task ? a->tasks[at] : NULL;
}

char *array_waiting_text(const struct array *a, const struct bitset *chosen) {
        _cleanup_(bitset_freep) struct bitset *set = a->rest ? bitset_copy(a->waiting)
                                                             : bitset_new(1);

        for (size_t i = chosen ? bitset_next(set, 0) : SIZE_MAX; i != SIZE_MAX;
                        i = bitset_next(set, i + 1))
                if (i >= chosen->bits || !bitset_has(chosen, i))
                        bitset_del(set, i);
        return bitset_text(set);
}

bool array_is_over(const struct array *a) {
        for (size_t i = 0; i < a->n_tasks; i++)
                if (!job_is_finished(a->tasks[i]))
                        return false;
        return !a->rest || job_is_finished(a->rest);
}

void array_set_limit(struct cluster *c, struct array *a, uint32_t limit) {
        a->limit = limit;
        for (size_t i = 0; i < a->n_tasks; i++)
                cluster_job_changed(c, a->tasks[i]);
        if (a->rest)
                cluster_job_changed(c, a->rest);
        note(c, FACT_LIMIT_ROOM);
}

bool array_is_full(const struct array *a) {
        return a->limit && a->n_active >= a->limit;
}

/* ---- creation and removal ---- */

void array_free(struct array *a) {
        bitset_free(a->asked);
        bitset_free(a->waiting);
        free(a->tasks);
        free(a->dependents);
        free(a);
}

static struct array *array_make(struct cluster *c, uint32_t id, const struct bitset *tasks) {
        size_t at = cluster_array_at(c, id), second = SIZE_MAX;
        struct array *a = xnew0(struct array, 1);

        a->id = id;
        a->asked = bitset_copy(tasks);
        a->count = (uint32_t)bitset_count(tasks);
        a->min = (uint32_t)bitset_next(tasks, 0);
        second = bitset_next(tasks, a->min + 1);
        a->step = second == SIZE_MAX ? 1 : (uint32_t)second - a->min;
        bitset_for_each(i, tasks) {
                if ((i - a->min) % a->step)
                        a->step = 1;
                a->max = (uint32_t)i;
        }
        GROW(c->arrays, c->a_arrays, c->n_arrays);
        memmove(&c->arrays[at + 1], &c->arrays[at], (c->n_arrays - at) * sizeof c->arrays[0]);
        c->arrays[at] = a;
        c->n_arrays++;
        return a;
}

static void array_add_task(struct array *a, struct job *j) {
        size_t at = task_at(a, j->array_task);

        GROW(a->tasks, a->a_tasks, a->n_tasks);
        memmove(&a->tasks[at + 1], &a->tasks[at], (a->n_tasks - at) * sizeof a->tasks[0]);
        a->tasks[at] = j;
        a->n_tasks++;
}

static void set_rest(struct array *a, struct job *j, struct bitset *waiting) {
        a->rest = j;
        a->waiting = waiting;
        j->array = a;
        j->array_task = ARRAY_REST;
}

void array_new(struct cluster *c, struct job *j, struct bitset *tasks, uint32_t limit) {
        struct array *a = array_make(c, j->id, tasks);

        a->limit = limit;
        set_rest(a, j, tasks);
}

int array_restore(struct cluster *c, struct job *j, uint32_t id, const char *waiting,
                uint32_t limit, bool failed, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *asked = NULL, *rest = NULL;
        struct array *a = cluster_array(c, id);
        uint32_t unused;
        int r = 0;

        if (!a)
                r = array_tasks_parse(strempty(j->asked.array), ARRAY_SIZE_MAX, &asked, &unused,
                                fail);
        if (r >= 0 && j->array_task == ARRAY_REST)
                r = array_tasks_parse(waiting, ARRAY_SIZE_MAX, &rest, &unused, fail);
        if (r < 0)
                return r;
        if (a && (rest ? a->rest != NULL : array_task(a, j->array_task) != NULL))
                return fail_set(fail, -EINVAL, "task %u of array %u has two records", j->array_task,
                                id);
        if (!a)
                a = array_make(c, id, asked);
        a->limit = limit;
        a->failed |= failed;
        j->array = a;
        if (rest)
                set_rest(a, j, TAKE(rest));
        else
                array_add_task(a, j);
        return 0;
}

/* A pending job with equal request. */
static struct job *clone_task(const struct job *of) {
        struct job *j = xnew0(struct job, 1);

        job_spec_copy(&j->asked, &of->asked);
#define X(member, name) j->member = of->member;
        JOB_MEMBERS(TASK_VALUES, X)
#undef X
#define X(member, name) j->member = xstrdup(of->member);
        JOB_MEMBERS(TASK_TEXTS, X)
#undef X
        job_parse_features(j);
        j->needs.req_nodes = of->needs.req_nodes ? bitset_copy(of->needs.req_nodes) : NULL;
        j->needs.exc_nodes = of->needs.exc_nodes ? bitset_copy(of->needs.exc_nodes) : NULL;
        j->needs.licenses = countlist_copy(of->needs.licenses);
        j->needs.hres = countlist_copy(of->needs.hres);
        j->needs.gres_wants = gres_wants_copy(of->needs.gres_wants);
        j->waiting.depends = dependencies_copy(of->waiting.depends);
        return j;
}

struct job *array_take(struct cluster *c, struct array *a, uint32_t task) {
        struct job *rest = a->rest, *j = rest;
        bool last = bitset_count(a->waiting) == 1;
        uint32_t id = last ? a->id : cluster_take_job_id(c);

        assert(array_waits(a, task));
        if (id == 0)
                return NULL;
        if (last) {
                a->rest = NULL;
                a->waiting = bitset_free(a->waiting);
        } else {
                bitset_del(a->waiting, task);
                j = clone_task(rest);
                j->id = id;
                j->array = a;
                cluster_job_insert(c, j);
                if (!rest->completing)
                        cluster_queue_insert(c, j);
                cluster_job_changed(c, rest);
                dependencies_listen(c, j);
        }
        j->array_task = task;
        array_add_task(a, j);
        cluster_job_changed(c, j);
        return j;
}

uint32_t array_leave(struct cluster *c, struct job *j) {
        struct array *a = j->array;
        uint32_t id = a->id;

        if (a->rest == j) {
                a->rest = NULL;
                a->waiting = bitset_free(a->waiting);
        } else {
                size_t at = task_at(a, j->array_task);
                assert(at < a->n_tasks && a->tasks[at] == j);
                memmove(&a->tasks[at], &a->tasks[at + 1],
                                (a->n_tasks - at - 1) * sizeof a->tasks[0]);
                a->n_tasks--;
        }
        j->array = NULL;
        if (a->n_tasks || a->rest) {
                /* the remaining records keep array.failed for a restart */
                if (j->state != JOB_COMPLETED && !a->failed) {
                        a->failed = true;
                        cluster_job_changed(c, a->rest ? a->rest : a->tasks[0]);
                }
                return 0;
        }
        size_t at = cluster_array_at(c, id);
        memmove(&c->arrays[at], &c->arrays[at + 1], (c->n_arrays - at - 1) * sizeof c->arrays[0]);
        c->n_arrays--;
        array_free(a);
        return id;
}
