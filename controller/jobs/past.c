/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/jobs/past.h"

#include "controller/indexes/array.h"
#include "controller/indexes/dependency_listen.h"
#include "controller/model/cluster.h"

/* ---- questions ---- */

static size_t past_at(const struct cluster *c, uint32_t job) {
        return FIRST_NOT(c->pasts.n, i, c->pasts.of[i]->job < job);
}

struct past *past_of(const struct cluster *c, uint32_t job) {
        size_t at = past_at(c, job);

        return at < c->pasts.n && c->pasts.of[at]->job == job ? c->pasts.of[at] : NULL;
}

void past_ask(struct cluster *c, uint32_t job, uint32_t waits) {
        struct past *p = past_of(c, job);

        if (!p) {
                struct pasts *all = &c->pasts;
                size_t at = past_at(c, job);

                p = xnew0(struct past, 1);
                p->job = job;
                GROW(all->of, all->allocated, all->n);
                memmove(&all->of[at + 1], &all->of[at], (all->n - at) * sizeof all->of[0]);
                all->of[at] = p;
                all->n++;
                effects_add(&c->effects, FX_ASK_ACCOUNTS)->job = job;
        }
        dependency_list(c, &p->waiting, &p->n_waiting, &p->a_waiting, waits);
}

struct past *past_take(struct cluster *c, uint32_t job) {
        struct pasts *all = &c->pasts;
        struct past *p = past_of(c, job);
        size_t at = past_at(c, job);

        if (p)
                memmove(&all->of[at], &all->of[at + 1], (all->n - at - 1) * sizeof all->of[0]);
        all->n -= p != NULL;
        return p;
}

/* ---- answers ---- */

/* Components may have different accounts: the job has no account then. */
static void take_account(struct past *p, const struct past_row *row) {
        bool more = p->n_runs && p->runs[p->n_runs - 1].submit == row->submit;

        if (!more)
                free_and_strdup(&p->account, row->account);
        else if (!streq(strempty(p->account), strempty(row->account)))
                free(TAKE(p->account));
}

/* The last row decides about the kind of the id: a plain job may have had the id before an
   array. */
void past_add(struct past *p, const struct past_row *row) {
        enum past_kind kind = row->array_job == p->job ? PAST_ARRAY
                              : row->het_job == p->job ? PAST_HET
                                                       : PAST_JOB;
        struct past_run *run;

        if (kind != p->kind) {
                for (size_t i = 0; i < p->n_runs; i++)
                        bitset_free(p->runs[i].tasks);
                p->n_runs = 0;
                p->kind = kind;
        }
        take_account(p, row);
        GROW(p->runs, p->a_runs, p->n_runs);
        run = &p->runs[p->n_runs++];
        *run = (struct past_run){
                .part = kind == PAST_JOB ? 0 : row->part,
                .completed = row->completed,
                .uid = row->uid,
                .submit = row->submit,
                .start = row->start,
                .row = row->row,
        };
        uint32_t none;
        if (run->part == PAST_REST && array_tasks_parse(strempty(row->array_tasks), ARRAY_SIZE_MAX,
                                                      &run->tasks, &none, NULL) < 0)
                run->tasks = NULL;
}

static int by_part(const void *a, const void *b) {
        const struct past_run *x = a, *y = b;

        if (x->part != y->part)
                return x->part < y->part ? -1 : 1;
        return x->row < y->row ? -1 : x->row > y->row;
}

/* Keeps the last run of each part; earlier runs were requeued. */
static void keep_last(struct past *p) {
        size_t kept = 0;

        for (size_t i = 0; i < p->n_runs; i++) {
                struct past_run *run = &p->runs[i];
                if (run->part == PAST_REST || i + 1 == p->n_runs || run[1].part != run->part)
                        p->runs[kept++] = *run;
        }
        p->n_runs = kept;
}

/* Keeps the runs of the id's last job, the runs with the newest submission time. */
static void keep_newest(struct past *p) {
        usec_t newest = p->runs[p->n_runs - 1].submit;
        size_t kept = 0;

        for (size_t i = 0; i < p->n_runs; i++)
                if (p->runs[i].submit == newest)
                        p->runs[kept++] = p->runs[i];
                else
                        bitset_free(p->runs[i].tasks);
        p->n_runs = kept;
}

void past_settle(struct past *p) {
        p->told = true;
        if (p->n_runs) {
                keep_newest(p);
                list_sort(p->runs, p->n_runs, sizeof p->runs[0], by_part);
        }
        keep_last(p);
        p->completed = true;
        for (size_t i = 0; i < p->n_runs; i++) {
                p->completed &= p->runs[i].completed;
                p->failed |= !p->runs[i].completed;
                p->start = MAX(p->start, p->runs[i].start);
        }
}

/* ---- verdicts ---- */

struct verdict past_whole(const struct past *p) {
        return (struct verdict){
                .known = p->n_runs > 0,
                .completed = p->completed,
                .failed = p->failed,
                .start = p->start,
        };
}

static const struct past_run *run_of(const struct past *p, uint32_t part) {
        size_t at = FIRST_NOT(p->n_runs, i, p->runs[i].part < part);

        if (at < p->n_runs && p->runs[at].part == part)
                return &p->runs[at];
        for (at = p->n_runs; at > 0 && p->runs[at - 1].part == PAST_REST; at--) {
                const struct bitset *tasks = p->runs[at - 1].tasks;
                if (tasks && part < tasks->bits && bitset_has(tasks, part))
                        return &p->runs[at - 1];
        }
        return NULL;
}

struct verdict past_part(const struct past *p, uint32_t part, bool component) {
        const struct past_run *run = p->kind == (component ? PAST_HET : PAST_ARRAY)
                                                     ? run_of(p, part)
                                                     : NULL;

        if (!run)
                return (struct verdict){ 0 };
        return (struct verdict){
                .known = true,
                .completed = run->completed,
                .failed = !run->completed,
                .start = run->start,
        };
}
