/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of jobs and steps by sacct's options, their order, and the choice between
 * duplicates. */
#include "commands/accounts/sacct.h"

#include "lib/hostlist.h"
#include "lib/wordlist.h"

#include <strings.h>

/* The row ends at a change of size: the job continues in a later row. */
static bool is_resized(const Ended *e) {
        return streq(e->state, "RESIZING");
}

static bool sacct_list_has(const char *list, const char *word) {
        size_t n = strlen(word);

        for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',')
                if (strcspn(p, ",") == n && strncasecmp(p, word, n) == 0)
                        return true;
        return !list;
}

/* ---- ids ---- */

static bool names_tasks(const struct job_id *id) {
        return id->tasks && *id->tasks != '+';
}

int sacct_name(struct sacct *s, struct job_id *id) {
        struct job_id *last = s->n_ids ? &s->id_list[s->n_ids - 1] : NULL;
        bool same = last && last->job == id->job && names_tasks(last) && names_tasks(id) &&
                    !last->has_step && !id->has_step;
        int r = 0;

        if (!same) {
                if (s->n_ids == s->allocated_ids) {
                        s->allocated_ids = MAX(2 * s->allocated_ids, (size_t)8);
                        s->id_list = xrenew(s->id_list, s->allocated_ids);
                        s->id_tasks = xrenew(s->id_tasks, s->allocated_ids);
                }
                s->id_tasks[s->n_ids] = (struct task_ranges){ 0 };
                s->id_list[s->n_ids++] = *id;
        }
        if (names_tasks(id))
                r = task_ranges_add(&s->id_tasks[s->n_ids - 1], id->tasks);
        if (same)
                job_id_done(id);
        return r;
}

void sacct_names_sort(struct sacct *s) {
        for (size_t i = 0; i < s->n_ids; i++)
                task_ranges_sort(&s->id_tasks[i]);
}

void sacct_names_done(struct sacct *s) {
        for (size_t i = 0; i < s->n_ids; i++) {
                job_id_done(&s->id_list[i]);
                task_ranges_done(&s->id_tasks[i]);
        }
        free(TAKE(s->id_list));
        free(TAKE(s->id_tasks));
        s->n_ids = s->allocated_ids = 0;
}

/* Reads the next range of a text like "1-5,9", in the controller's format; false at the end. */
static bool task_range_next(const char **p, long *from, long *to) {
        char *end;

        if (!**p)
                return false;
        *from = *to = strtol(*p, &end, 10);
        if (*end == '-')
                *to = strtol(end + 1, &end, 10);
        *p = end + strcspn(end, ",");
        *p += **p == ',';
        return true;
}

bool sacct_next_task(const char **p, int64_t *ret) {
        const char *range = *p;
        char *end;

        if (!*range)
                return false;
        long from = strtol(range, &end, 10), to = *end == '-' ? strtol(end + 1, &end, 10) : from;
        *ret = *ret < from ? from : *ret + 1;
        if (*ret >= to) {
                *p = end + strcspn(end, ",");
                *p += **p == ',';
        }
        return true;
}

bool sacct_is_rest(const Ended *e) {
        return e->array_job && e->array_task < 0;
}

/* Returns whether the record is a named array task, or pending tasks including a named task. */
static bool has_task(const Ended *e, const struct task_ranges *tasks) {
        long from, to;

        if (!sacct_is_rest(e))
                return task_ranges_meet(tasks, (uint32_t)e->array_task, (uint32_t)e->array_task);
        for (const char *p = e->array_tasks; task_range_next(&p, &from, &to);)
                if (task_ranges_meet(tasks, (uint32_t)from, (uint32_t)to))
                        return true;
        return false;
}

/* With --whole-hetjob any id of the job means all components; otherwise only the leader's id
   does, and other ids mean a single component. */
static bool id_names_component(const struct sacct *s, const Ended *e, const struct job_id *id) {
        bool by_offset = id->tasks && *id->tasks == '+';
        int64_t of = s->het_of ? s->het_of[id - s->id_list] : 0;
        bool of_whole = e->het_job == id->job || (of && e->het_job == of);

        if (id->tasks && !by_offset)
                return false;
        if (s->whole_hetjob == WHOLE_YES)
                return of_whole;
        if (by_offset)
                return e->het_job == id->job && e->het_offset == strtoll(id->tasks + 1, NULL, 10);
        return e->job_id == id->job || (s->whole_hetjob == WHOLE_UNSAID && e->het_job == id->job);
}

static bool id_names_job(const struct sacct *s, const Ended *e, const struct job_id *id) {
        if (e->het_job)
                return id_names_component(s, e, id);
        if (id->tasks && *id->tasks == '+')
                return false;
        if (e->array_job != id->job)
                return e->job_id == id->job && !id->tasks;
        return !id->tasks || has_task(e, &s->id_tasks[id - s->id_list]);
}

bool sacct_by_id(const struct sacct *s, const Ended *e) {
        for (size_t i = 0; i < s->n_ids; i++)
                if (id_names_job(s, e, &s->id_list[i]))
                        return true;
        return s->n_ids == 0;
}

static bool sacct_by_user(const struct sacct *s, const Ended *e) {
        for (size_t i = 0; i < s->n_uids; i++)
                if (s->uids[i] == e->uid)
                        return true;
        return s->n_uids == 0;
}

/* Compares names and numbers. */
static bool sacct_by_group(const struct sacct *s, const Ended *e) {
        char number[32];

        snprintf(number, sizeof number, "%lld", (long long)e->gid);
        return sacct_list_has(s->groups, e->group_name) || sacct_list_has(s->groups, number);
}

static bool in_range(struct range range, uint64_t n) {
        return range.to == 0 || (n >= range.from && n <= range.to);
}

static bool sacct_by_size(const struct sacct *s, const Ended *e) {
        return in_range(s->num_nodes, (uint64_t)e->num_nodes) &&
               in_range(s->num_cpus, (uint64_t)e->num_cpus) && in_range(s->limit, e->time_limit);
}

static bool sacct_by_node(const struct sacct *s, const Ended *e) {
        _cleanup_(hostlist_freep) struct hostlist *had = NULL;
        bool found = !s->hosts;

        if (!found && hostlist_parse(e->nodes, &had, NULL) >= 0)
                for (size_t i = 0; i < hostlist_count(s->hosts) && !found; i++)
                        found = hostlist_has(had, hostlist_get(s->hosts, i));
        return found;
}

static bool sacct_by_association(const struct sacct *s, const Ended *e) {
        char number[32];

        if (!s->associations)
                return true;
        snprintf(number, sizeof number, "%llu",
                        (unsigned long long)sacct_assoc_id(&s->view.assocs, e));
        return sacct_list_has(s->associations, number);
}

/* Returns whether each constraint is among the job's requested features, in whatever expression. */
static bool sacct_by_constraints(const struct sacct *s, const Ended *e) {
        for_each_word(w, s->constraints, ",&") {
                bool found = false;

                for_each_word(feature, e->features, ",&|[]()*")
                        found |= streq(feature, w);
                if (!found)
                        return false;
        }
        return true;
}

/* Returns whether the job was in a requested state at some time in the window. */
static bool sacct_by_state(const struct sacct *s, const Ended *e) {
        int state = job_shown_parse(e->state, strlen(e->state));

        if (!s->states)
                return e->time_eligible || s->ids;
        if (s->wanted[SLUMBER__JOB_STATE__JOB_PENDING] && e->time_eligible &&
                        e->time_eligible <= s->until &&
                        (e->time_start ? e->time_start >= s->from
                                       : !e->time_end || e->time_end >= s->from))
                return true;
        if (s->wanted[SLUMBER__JOB_STATE__JOB_RUNNING] && e->time_start &&
                        e->time_start <= s->until && (!e->time_end || e->time_end >= s->from))
                return true;
        if (state == SLUMBER__JOB_STATE__JOB_PENDING || state == SLUMBER__JOB_STATE__JOB_RUNNING)
                return false;
        return state >= 0 && s->wanted[state] &&
               (!e->time_end || e->time_end <= s->until || s->ids);
}

bool sacct_is_wanted(const struct sacct *s, const Ended *e) {
        return e->time_queued <= s->until && (!e->time_end || e->time_end >= s->from) &&
               sacct_by_id(s, e) && sacct_by_user(s, e) && sacct_by_state(s, e) &&
               sacct_list_has(s->clusters, e->cluster) && sacct_list_has(s->accounts, e->account) &&
               sacct_list_has(s->names, e->name) && sacct_list_has(s->partitions, e->partition) &&
               sacct_list_has(s->qos, e->qos) && sacct_list_has(s->wckeys, e->wckey) &&
               sacct_list_has(s->reasons, e->reason) && sacct_by_group(s, e) &&
               sacct_by_size(s, e) && sacct_by_node(s, e) && sacct_by_constraints(s, e) &&
               sacct_by_association(s, e) &&
               (!s->starters || (s->starters & (1u << (e->started_by & 31))));
}

/* Returns whether the id names the step, or its component. */
static bool is_named_step(const struct job_id *id, const EndedStep *step) {
        return step && id->step == step->step_id && (!id->part || id->part == step->part);
}

bool sacct_by_step(const struct sacct *s, const Ended *e, const EndedStep *step) {
        for (size_t i = 0; i < s->n_ids; i++) {
                const struct job_id *id = &s->id_list[i];
                if (id_names_job(s, e, id) && (!id->has_step || is_named_step(id, step)))
                        return true;
        }
        return s->n_ids == 0;
}

bool sacct_is_of_row(const struct sacct *s, const Ended *e, const EndedStep *step) {
        bool later = step->time_start >= e->time_start || !step->time_end ||
                     step->time_end > e->time_start;

        return !s->duplicates ||
               (later && (!is_resized(e) || (step->time_end && step->time_end <= e->time_end)));
}

/* ---- order ---- */

/* Returns the id by which users know the job. */
static int64_t main_id(const Ended *e) {
        return e->array_job ? e->array_job : e->job_id;
}

/* Prefers a row of the accounts to the controller's record of a run. */
static int64_t record_lateness(const Ended *e) {
        return is_resized(e) ? 0 : e->row ? 2 : 1;
}

static int record_compare_jobs(const void *a, const void *b) {
        const Ended *x = *(const Ended *const *)a, *y = *(const Ended *const *)b;
        const int64_t keys[][2] = { { main_id(x), main_id(y) },
                { (int64_t)x->time_submit, (int64_t)y->time_submit },
                { x->array_task, y->array_task }, { x->job_id, y->job_id },
                { x->restarts, y->restarts }, { record_lateness(x), record_lateness(y) },
                { (int64_t)x->row, (int64_t)y->row } };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i][0] != keys[i][1])
                        return keys[i][0] < keys[i][1] ? -1 : 1;
        return 0;
}

static bool is_same_job(const Ended *a, const Ended *b) {
        return a->job_id == b->job_id && a->time_submit == b->time_submit &&
               a->array_task == b->array_task;
}

/* Keeps a single record of runs known to accounts and controller, only the last run of a job,
   and with --jobs only the last job of a reused id. */
static size_t drop_earlier(const struct sacct *s, Ended **list, size_t n) {
        size_t kept = 0, last = 0; /* last: last index with the main id */

        for (size_t i = 0; i < n; i++) {
                for (last = MAX(last, i);
                                last + 1 < n && main_id(list[last + 1]) == main_id(list[i]); last++)
                        ;
                if (s->ids && !s->duplicates && list[i]->time_submit != list[last]->time_submit)
                        continue;
                bool same = i + 1 < n && is_same_job(list[i], list[i + 1]);
                if (!same || (s->duplicates && (list[i]->restarts != list[i + 1]->restarts ||
                                                               is_resized(list[i]))))
                        list[kept++] = list[i];
        }
        return kept;
}

/* Sorts the controller's records after rows of the accounts. */
static int record_compare_runs(const void *a, const void *b) {
        const Ended *x = *(const Ended *const *)a, *y = *(const Ended *const *)b;

        if (x->job_id != y->job_id)
                return x->job_id < y->job_id ? -1 : 1;
        if (x->restarts != y->restarts)
                return x->restarts < y->restarts ? -1 : 1;
        return (x->row == 0) - (y->row == 0);
}

static int64_t usec_difference(usec_t from, usec_t to) {
        return (int64_t)to - (int64_t)from;
}

/* Returns whether a time in both records differs by "by", or is missing in both (as the start of
   a job cancelled while pending). */
static bool time_is_moved_by(usec_t live, usec_t row, int64_t by) {
        int64_t off = usec_difference(row, live) - by;

        if (!live || !row)
                return live == row;
        return off < (int64_t)USEC_PER_MSEC && -off < (int64_t)USEC_PER_MSEC;
}

/* Returns whether live, the controller's record, and row are the same run: the controller's
   times move when the clock is set, times of rows do not. */
static bool run_is_moved(const Ended *live, const Ended *row) {
        int64_t by = usec_difference(row->time_submit, live->time_submit);

        return !live->row && live->time_end && row->row && live->array_task == row->array_task &&
               !is_resized(row) && by != 0 &&
               time_is_moved_by(live->time_start, row->time_start, by) &&
               time_is_moved_by(live->time_end, row->time_end, by);
}

static bool is_same_run(const Ended *a, const Ended *b) {
        return a->job_id == b->job_id && a->restarts == b->restarts;
}

/* Copies the controller's times, which follow today's clock. */
static void take_times(Ended *row, const Ended *live) {
        row->time_submit = live->time_submit;
        row->time_queued = live->time_queued;
        row->time_eligible = live->time_eligible;
        row->time_start = live->time_start;
        row->time_end = live->time_end;
}

/* Merges runs whose rows have times of an earlier clock: the row is kept, with the controller's
   times. */
static size_t drop_moved(Ended **list, size_t n) {
        size_t kept = 0;

        list_sort(list, n, sizeof list[0], record_compare_runs);
        for (size_t i = 0; i < n; i++) {
                size_t k = kept;
                while (k > 0 && is_same_run(list[k - 1], list[i]) &&
                                !run_is_moved(list[i], list[k - 1]))
                        k--;
                if (k > 0 && is_same_run(list[k - 1], list[i]))
                        take_times(list[k - 1], list[i]);
                else
                        list[kept++] = list[i];
        }
        return kept;
}

size_t sacct_order(const struct sacct *s, Ended **list, size_t n) {
        n = drop_moved(list, n);
        list_sort(list, n, sizeof list[0], record_compare_jobs);
        return drop_earlier(s, list, n);
}
