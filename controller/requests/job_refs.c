/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/requests/job_refs.h"

#include "controller/loop/controller.h"
#include "controller/model/het.h"
#include "controller/orders/viewer.h"
#include "controller/requests/handlers.h"
#include "lib/timetext.h"

static void job_refs_append(struct job_refs *refs, struct job_ref ref) {
        GROW(refs->list, refs->allocated, refs->n);
        refs->list[refs->n++] = ref;
}

void job_refs_add_one(struct job_refs *refs, struct job_ref *ref) {
        job_refs_append(refs, *ref);
        ref->chosen = NULL;
}

void job_refs_add_whole(struct job_refs *refs, const struct het *h) {
        for (uint32_t i = 0; i < h->n; i++)
                if (h->of[i])
                        job_refs_append(refs, (struct job_ref){ .id = h->of[i]->id,
                                                              .named = h->id,
                                                              .offset = i,
                                                              .how = NAMED_WHOLE });
}

/* Returns the component at offset "+1" of the heterogeneous job id; NULL if none. */
static const struct job *het_component_find(const struct viewer *v, uint32_t id, const char *text,
                uint64_t *ret_offset) {
        const struct job *leader = viewer_job(v, id);

        *ret_offset = 0;
        if (uint_parse(text + 1, 0, HET_MAX - 1, ret_offset) < 0 || !leader || !leader->het ||
                        leader->het->id != id || *ret_offset >= leader->het->n)
                return NULL;
        return leader->het->of[*ret_offset];
}

static int job_refs_add_component(struct job_refs *refs, const struct viewer *v, uint32_t id,
                const char *text) {
        uint64_t offset;
        const struct job *j = het_component_find(v, id, text, &offset);

        job_refs_append(refs, (struct job_ref){ .id = j ? j->id : id,
                                              .named = id,
                                              .how = NAMED_COMPONENT,
                                              .offset = (uint32_t)offset,
                                              .unknown = !j });
        return j ? 0 : -ENOENT;
}

int job_refs_add(struct job_refs *refs, const struct viewer *v, uint32_t id) {
        const struct job *j = viewer_job(v, id);

        if (j && j->het && j->het->id == id) {
                job_refs_add_whole(refs, j->het);
                return 0;
        }
        bool known = j;
        const struct array *a = known ? cluster_array(v->c, id) : NULL;

        for (size_t i = 0; a && i < a->n_tasks; i++)
                job_refs_append(refs, (struct job_ref){ .id = a->tasks[i]->id, .named = id });
        if (a && a->rest)
                job_refs_append(refs, (struct job_ref){ .id = a->rest->id, .named = id });
        if (!a)
                job_refs_append(refs, (struct job_ref){ .id = id, .named = id, .unknown = !known });
        return known ? 0 : -ENOENT;
}

/* Adds a waiting task of an array; the task gets a separate record. */
static int job_refs_add_taken(struct job_refs *refs, struct cluster *c, struct array *a,
                uint32_t task) {
        struct job *j = array_take(c, a, task);

        if (!j)
                return -ENOSPC;
        job_refs_append(refs,
                        (struct job_ref){ .id = j->id, .named = a->id, .taken = j->id != a->id });
        return 0;
}

int job_refs_add_tasks(struct job_refs *refs, struct cluster *c, const struct viewer *v,
                uint32_t id, const char *tasks, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *chosen = NULL, *missing = NULL;
        struct array *a = viewer_job(v, id) ? cluster_array(c, id) : NULL;
        bool any = false, rest = false;
        uint32_t limit, size = c->config->max_array_size;
        int r;

        if (a && a->asked->bits > size) /* the array was submitted under a larger MaxArraySize */
                size = (uint32_t)a->asked->bits;
        if (*tasks == '+')
                return job_refs_add_component(refs, v, id, tasks);
        if (strlen(tasks) > TEXT_MAX)
                return fail_set(fail, -E2BIG, "the list of tasks is longer than 64 KiB");
        r = array_tasks_parse(tasks, size, &chosen, &limit, fail);
        if (r < 0)
                return r;
        missing = bitset_copy(chosen);
        for (size_t i = bitset_next(chosen, 0); a && i != SIZE_MAX;
                        i = bitset_next(chosen, i + 1)) {
                const struct job *j = array_task(a, (uint32_t)i);

                if (j)
                        job_refs_append(refs, (struct job_ref){ .id = j->id, .named = id });
                else if (!array_waits(a, i))
                        continue;
                else if (job_is_finished(a->rest))
                        rest = true;
                else if (job_refs_add_taken(refs, c, a, (uint32_t)i) < 0)
                        return -ENOSPC;
                bitset_del(missing, i);
                any = true;
        }
        if (rest)
                job_refs_append(refs, (struct job_ref){ .id = a->rest->id,
                                                      .named = id,
                                                      .chosen = TAKE(chosen) });
        if (!bitset_empty(missing))
                job_refs_append(refs, (struct job_ref){ .id = id,
                                                      .named = id,
                                                      .chosen = TAKE(missing),
                                                      .unknown = true });
        return any ? 0 : -ENOENT;
}

/* Estimates the work of parsing: sets and ranges are visited word by word up to the highest index,
   and each number has to be read. */
static uint64_t work_of(const char *tasks) {
        uint64_t work = 0;
        size_t digits;

        for (const char *p = tasks; *p; p += MAX(digits, (size_t)1)) {
                digits = strspn(p, "0123456789");
                if (digits)
                        work += 16 +
                                MIN(strtoull(p, NULL, 10), (unsigned long long)ARRAY_SIZE_MAX) / 64;
        }
        return work;
}

uint64_t job_refs_work(Slumber__JobTasks *const *tasks, size_t n) {
        uint64_t work = 0;

        for (size_t i = 0; i < n; i++)
                work += work_of(tasks[i]->tasks);
        return work;
}

static int by_array(const void *a, const void *b) {
        const Slumber__JobTasks *const *x = a, *const *y = b;

        return (*x)->job < (*y)->job ? -1 : (*x)->job > (*y)->job;
}

/* Adds the tasks of a list to chosen. Invalid lists name no task; indexes the array never had are
   ignored. */
static void tasks_choose(struct bitset *chosen, const char *tasks) {
        _cleanup_(bitset_freep) struct bitset *said = NULL;
        uint32_t limit;

        if (array_tasks_parse(tasks, ARRAY_SIZE_MAX, &said, &limit, NULL) < 0)
                return;
        for (size_t i = bitset_next(said, 0); i < chosen->bits; i = bitset_next(said, i + 1))
                bitset_add(chosen, i);
}

static void job_refs_add_chosen(struct job_refs *refs, const struct array *a,
                struct bitset *chosen) {
        bool rest = false;

        for (size_t i = 0; i < a->n_tasks; i++)
                if (a->tasks[i]->array_task < chosen->bits &&
                                bitset_has(chosen, a->tasks[i]->array_task))
                        job_refs_append(refs,
                                        (struct job_ref){ .id = a->tasks[i]->id, .named = a->id });
        for (size_t i = bitset_next(chosen, 0); i != SIZE_MAX && !rest;
                        i = bitset_next(chosen, i + 1))
                rest = array_waits(a, i);
        if (rest)
                job_refs_append(refs, (struct job_ref){ .id = a->rest->id,
                                                      .named = a->id,
                                                      .chosen = chosen });
        else
                bitset_free(chosen);
}

void job_refs_add_asked(struct job_refs *refs, const struct viewer *v, Slumber__JobTasks **tasks,
                size_t n) {
        list_sort(tasks, n, sizeof tasks[0], by_array);
        for (size_t i = 0; i < n;) {
                const struct array *a = viewer_job(v, tasks[i]->job)
                                                        ? cluster_array(v->c, tasks[i]->job)
                                                        : NULL;
                struct bitset *chosen = a ? bitset_new(a->asked->bits) : NULL;

                for (uint32_t id = tasks[i]->job; i < n && tasks[i]->job == id; i++)
                        if (a)
                                tasks_choose(chosen, tasks[i]->tasks);
                        else if (*tasks[i]->tasks == '+' &&
                                        het_component_find(v, id, tasks[i]->tasks,
                                                        &(uint64_t){ 0 }))
                                (void)job_refs_add_component(refs, v, id, tasks[i]->tasks);
                if (a)
                        job_refs_add_chosen(refs, a, chosen);
        }
}

static int job_ref_compare(const void *a, const void *b) {
        const struct job_ref *x = a, *y = b;

        return x->id < y->id ? -1 : x->id > y->id;
}

void job_refs_sort(struct job_refs *refs) {
        size_t kept = 0;

        list_sort(refs->list, refs->n, sizeof refs->list[0], job_ref_compare);
        for (size_t i = 0; i < refs->n; i++)
                if (kept && refs->list[kept - 1].id == refs->list[i].id)
                        bitset_free(refs->list[i].chosen);
                else
                        refs->list[kept++] = refs->list[i];
        refs->n = kept;
}

void job_refs_done(struct job_refs *refs) {
        for (size_t i = 0; i < refs->n; i++)
                bitset_free(refs->list[i].chosen);
        free(refs->list);
}

/* Returns the slot of id, or the free slot for it. */
static uint32_t *id_set_slot(const struct id_set *s, uint32_t id) {
        size_t at = (id * 2654435761u) & (s->size - 1);

        while (s->slots[at] && s->slots[at] != id)
                at = (at + 1) & (s->size - 1);
        return &s->slots[at];
}

static void id_set_grow(struct id_set *s) {
        struct id_set larger = { .n = s->n, .size = s->size ? s->size * 2 : 64 };

        larger.slots = xnew0(uint32_t, larger.size);
        for (size_t i = 0; i < s->size; i++)
                if (s->slots[i])
                        *id_set_slot(&larger, s->slots[i]) = s->slots[i];
        free(s->slots);
        *s = larger;
}

bool id_set_add(struct id_set *s, uint32_t id) {
        if (id == 0)
                return true;
        if (s->n * 2 >= s->size)
                id_set_grow(s);

        uint32_t *slot = id_set_slot(s, id);
        if (*slot)
                return false;
        *slot = id;
        s->n++;
        return true;
}

void id_set_done(struct id_set *s) {
        free(TAKE(s->slots));
}
