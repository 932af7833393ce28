/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct: finished jobs from the accounts, and unfinished jobs from the controller. Both become
 * records of one type (Slumber__Ended), are filtered here (the request narrows the set by some
 * numbers only), sorted and printed.
 *
 * Steps follow their job, unless --allocations omits steps.
 *
 * A finished job may be known to both, or for a moment to the controller alone. Of several runs of
 * a job the last is shown, unless --duplicates asks for all. */
#include "commands/accounts/sacct.h"

#include "commands/command.h"
#include "commands/document.h"
#include "commands/json.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>
#include <time.h>

#define USUAL "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode"
#define BRIEF "JobID,State,ExitCode"
#define DAY   (86400 * USEC_PER_SEC)

#define FIELD(name) offsetof(struct sacct, name)

/* ---- options with functions ---- */

/* Parses "2" or "2-8". */
static int set_range(void *field, const char *value, struct fail *fail) {
        struct range *range = field;
        _cleanup_free_ char *from = xstrndup(value, strcspn(value, "-"));
        const char *to = strchr(value, '-');

        if (uint_parse(from, 1, UINT32_MAX, &range->from) < 0 ||
                        uint_parse(to ? to + 1 : from, range->from, UINT32_MAX, &range->to) < 0)
                return fail_set(fail, -EINVAL, "\"%s\" is neither a number above 0 nor MIN-MAX",
                                value);
        return 0;
}

static int set_limit_min(void *field, const char *value, struct fail *fail) {
        return limit_parse(value, &((struct range *)field)->from, fail);
}

static int set_limit_max(void *field, const char *value, struct fail *fail) {
        return limit_parse(value, &((struct range *)field)->to, fail);
}

static int set_unit(void *field, const char *value, struct fail *fail) {
        if (strlen(value) != 1 || !strchr("KMGTP", *value))
                return fail_set(fail, -EINVAL, "Invalid unit: \"%s\" is none of K, M, G, T, P",
                                value);
        *(char *)field = *value;
        return 0;
}

static int set_whole_hetjob(void *field, const char *value, struct fail *fail) {
        static const char *const words[] = { "yes", "no" };

        *(enum whole_hetjob *)field = WHOLE_YES; /* option without a value */
        if (!value || strcasecmp(value, words[0]) == 0)
                return 0;
        *(enum whole_hetjob *)field = WHOLE_NO;
        return strcasecmp(value, words[1]) == 0
                               ? 0
                               : fail_set(fail, -EINVAL,
                                                 "--whole-hetjob=%.100s: yes or no is expected",
                                                 value);
}

static int set_starters(void *field, const char *value, struct fail *fail) {
        for_each_word(w, value, ",") {
                int64_t starter = sacct_starter_parse(w);
                if (starter < 0)
                        return fail_set(fail, -EINVAL,
                                        "Invalid flag: \"%.100s\" is none of SchedSubmit, SchedMain and SchedBackfill",
                                        w);
                *(unsigned *)field |= 1u << starter;
        }
        return 0;
}

static const struct option_row rows[] = {
        { "accounts", 'A', OPTION_TEXT, FIELD(accounts), NULL, "accounts",
                        "only jobs of these accounts" },
        { "account", 0, OPTION_TEXT, FIELD(accounts), NULL, "accounts", NULL },
        { "allocations", 'X', OPTION_FLAG, FIELD(no_steps), NULL, NULL,
                        "jobs without their steps" },
        { "allusers", 'a', OPTION_FLAG, FIELD(all), NULL, NULL, "all users' jobs" },
        { "allclusters", 'L', OPTION_FLAG, FIELD(all_clusters), NULL, NULL,
                        "jobs of all clusters that slumber.yaml names, too" },
        { "batch-script", 'B', OPTION_FLAG, FIELD(scripts), NULL, NULL,
                        "the scripts of the jobs that --jobs names" },
        { "brief", 'b', OPTION_FLAG, FIELD(brief), NULL, NULL, "jobid, state, exitcode" },
        { "clusters", 'M', OPTION_TEXT, FIELD(clusters), NULL, "names",
                        "jobs of these clusters: of slumber.yaml, or all" },
        { "cluster", 0, OPTION_TEXT, FIELD(clusters), NULL, "names", NULL },
        { "constraints", 'C', OPTION_TEXT, FIELD(constraints), NULL, "features",
                        "only jobs that asked for each of these features" },
        { "delimiter", 0, OPTION_TEXT, FIELD(delimiter), NULL, "text",
                        "instead of \"|\" with --parsable and --parsable2" },
        { "duplicates", 'D', OPTION_FLAG, FIELD(duplicates), NULL, NULL,
                        "each time that a job has run" },
        { "endtime", 'E', OPTION_TEXT, FIELD(end), NULL, "time",
                        "only jobs that were there before then" },
        { "format", 'o', OPTION_TEXT, FIELD(format), NULL, "fields", "NAME[%WIDTH],..." },
        { "fields", 0, OPTION_TEXT, FIELD(format), NULL, "fields", NULL },
        { "helpformat", 'e', OPTION_FLAG, FIELD(helpformat), NULL, NULL, "which fields there are" },
        { "jobs", 'j', OPTION_TEXT, FIELD(ids), NULL, "job_ids", "only these jobs" },
        { "job", 0, OPTION_TEXT, FIELD(ids), NULL, "job_ids", NULL },
        { "long", 'l', OPTION_FLAG, FIELD(long_format), NULL, NULL, "many fields" },
        { "name", 0, OPTION_TEXT, FIELD(names), NULL, "names", "only jobs of these names" },
        { "nodelist", 'N', OPTION_TEXT, FIELD(nodes), NULL, "hosts",
                        "only jobs that had one of these nodes" },
        { "noheader", 'n', OPTION_FLAG, FIELD(no_header), NULL, NULL, "no headings" },
        { "parsable", 'p', OPTION_FLAG, FIELD(parsable), NULL, NULL, "\"|\" behind each field" },
        { "parsable2", 'P', OPTION_FLAG, FIELD(parsable2), NULL, NULL, "\"|\" between fields" },
        { "partition", 'r', OPTION_TEXT, FIELD(partitions), NULL, "partitions",
                        "only jobs in these partitions" },
        { "qos", 'q', OPTION_TEXT, FIELD(qos), NULL, "qos", "only jobs of these QOS" },
        { "starttime", 'S', OPTION_TEXT, FIELD(start), NULL, "time",
                        "only jobs that were there from then on" },
        { "state", 's', OPTION_TEXT, FIELD(states), NULL, "states",
                        "only jobs that were in one of these states" },
        { "truncate", 'T', OPTION_FLAG, FIELD(truncate), NULL, NULL,
                        "no time is before --starttime or behind --endtime" },
        { "user", 'u', OPTION_TEXT, FIELD(users), NULL, "users", "only jobs of these users" },
        { "uid", 0, OPTION_TEXT, FIELD(users), NULL, "users", NULL },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL, "say which time is looked at" },
        { "array", 0, OPTION_FLAG, FIELD(expand), NULL, NULL,
                        "a line for each task of an array that waits" },
        { "completion", 'c', OPTION_FLAG, FIELD(completion), NULL, NULL,
                        "what a job completion plugin has kept" },
        { "gid", 'g', OPTION_TEXT, FIELD(groups), NULL, "groups",
                        "only jobs of these groups, by name or number" },
        { "group", 0, OPTION_TEXT, FIELD(groups), NULL, "groups", NULL },
        OPTION_ROWS_DOCUMENT(FIELD(document), "jobs and steps"),
        { "ncpus", 'I', OPTION_CALL, FIELD(num_cpus), set_range, "min[-max]",
                        "only jobs that had so many CPUs" },
        { "nnodes", 'i', OPTION_CALL, FIELD(num_nodes), set_range, "min[-max]",
                        "only jobs that had so many nodes" },
        { "noconvert", 0, OPTION_FLAG, FIELD(view.no_convert), NULL, NULL,
                        "memory in the unit in which it is kept (2048M)" },
        { "reason", 'R', OPTION_TEXT, FIELD(reasons), NULL, "reasons",
                        "only jobs with one of these reasons" },
        { "timelimit-max", 'K', OPTION_CALL, FIELD(limit), set_limit_max, "time",
                        "with --timelimit-min: up to that limit" },
        { "timelimit-min", 'k', OPTION_CALL, FIELD(limit), set_limit_min, "time",
                        "only jobs of that time limit" },
        { "units", 0, OPTION_CALL, FIELD(view.unit), set_unit, "KMGTP", "memory in this unit" },
        { "use-local-uid", 0, OPTION_FLAG, FIELD(local_uid), NULL, NULL,
                        "UIDs as the controller's host has them now" },
        { "wckeys", 'W', OPTION_TEXT, FIELD(wckeys), NULL, "wckeys", "only jobs of these wckeys" },
        { "associations", 'x', OPTION_TEXT, FIELD(associations), NULL, "assoc_ids",
                        "only jobs of these associations" },
        { "env-vars", 0, OPTION_FLAG, FIELD(environments), NULL, NULL,
                        "the environments of the jobs that --jobs names" },
        { "expand-patterns", 0, OPTION_FLAG, FIELD(view.expand_patterns), NULL, NULL,
                        "StdIn, StdOut and StdErr as files of the job" },
        { "federation", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "file", 'f', OPTION_TEXT, FIELD(file), NULL, "file",
                        "the log of a job completion plugin" },
        { "flags", 'F', OPTION_CALL, FIELD(starters), set_starters, "flags",
                        "only jobs that were started so: SchedSubmit, SchedMain, SchedBackfill" },
        { "local", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "whole-hetjob", 0, OPTION_CALL_OPTIONAL, FIELD(whole_hetjob), set_whole_hetjob, "yes|no",
                        "all components of heterogeneous jobs of which one is named; no: that one alone" },
        OPTION_ROWS_HELP('h'),
};

static const struct option_table table = {
        .program = "sacct",
        .skeleton = "sacct [<OPTION>]\n    Valid <OPTION> values are:\n",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

/* ---- the request ---- */

/* A time of day in the future means yesterday. */
static int parse_time(const char *text, usec_t now, usec_t *ret, struct fail *fail) {
        int r = time_parse(text, now, ret, fail);

        if (r >= 0 && *ret > now && strchr(text, ':') && !strpbrk(text, "-/.+"))
                *ret -= DAY;
        return r;
}

/* Slurm's window: today; with --state the present moment; with --jobs unlimited. */
static int parse_window(struct sacct *s, struct fail *fail) {
        usec_t now = now_realtime();
        int r = 0;

        if (s->start)
                r = parse_time(s->start, now, &s->from, fail);
        else if (s->ids)
                s->from = 0;
        else if (s->states)
                s->from = now;
        else
                r = time_parse("today", now, &s->from, fail);
        if (r < 0)
                return r;
        s->until = s->states && s->start && !s->end ? s->from : now;
        r = s->end ? parse_time(s->end, now, &s->until, fail) : 0;
        if (r >= 0 && s->until < s->from)
                r = fail_set(fail, -EINVAL, "Start time (%s) requested is after end time (%s).",
                                strna(s->start), strna(s->end));
        return r;
}

static int sacct_parse_ids(struct sacct *s, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(s->ids);
        char *rest = copy;

        for (char *word = job_id_next(&rest); word; word = job_id_next(&rest)) {
                struct job_id id = { 0 };
                int r = job_id_parse_part(word, &id);
                if (r == -EINVAL)
                        fail_set(fail, r, "Invalid job id: %s", word);
                if (r < 0) {
                        job_id_done(&id);
                        return r;
                }
                if (sacct_name(s, &id) < 0)
                        return fail_set(fail, -EINVAL, "Invalid job id: %s", word);
        }
        sacct_names_sort(s);
        return 0;
}

static int sacct_add_user(struct sacct *s, const char *name, struct fail *fail) {
        uint64_t number;
        uid_t uid;
        int r = 0;

        if (uint_parse(name, 0, UINT32_MAX - 1, &number) == 0)
                uid = (uid_t)number;
        else
                r = command_user(name, &uid, NULL, fail);
        if (r < 0)
                return r == -ENOENT ? fail_set(fail, r, "Invalid user id: %s", name) : r;
        s->uids = xrenew(s->uids, s->n_uids + 1);
        s->uids[s->n_uids++] = uid;
        return 0;
}

static int sacct_parse_users(struct sacct *s, struct fail *fail) {
        int r;

        for_each_word(w, s->users, ",")
                if ((r = sacct_add_user(s, w, fail)) < 0)
                        return r;
        if (s->users || s->all || s->ids || getuid() == 0)
                return 0;
        s->uids = xrenew(s->uids, 1);
        s->uids[s->n_uids++] = getuid();
        return 0;
}

static int sacct_parse_states(struct sacct *s, struct fail *fail) {
        for_each_word(w, s->states, ",") {
                int state = job_shown_parse(w, strlen(w));
                if (state < 0)
                        return fail_set(fail, -EINVAL, "Invalid job state specified: %s", w);
                s->wanted[state] = true;
        }
        return 0;
}

static int sacct_prepare(struct sacct *s, struct fail *fail) {
        int r = parse_window(s, fail);

        s->limit.to = s->limit.to ? s->limit.to : s->limit.from;
        if (r >= 0 && s->limit.from > s->limit.to)
                return fail_set(fail, -EINVAL, "--timelimit-max is less than --timelimit-min");

        if (s->environments && !s->ids)
                return fail_set(fail, -EINVAL,
                                "When requesting job environments you must also request specific jobs with the '-j' option.");
        if (s->scripts && !s->ids)
                return fail_set(fail, -EINVAL,
                                "When requesting job scripts you must also request specific jobs with the '-j' option.");
        if (r >= 0 && s->ids)
                r = sacct_parse_ids(s, fail);
        if (r >= 0)
                r = sacct_parse_users(s, fail);
        if (r >= 0 && s->states)
                r = sacct_parse_states(s, fail);
        if (r >= 0 && s->nodes)
                r = hostlist_parse(s->nodes, &s->hosts, fail);
        return r;
}

static void sacct_done(struct sacct *s) {
        sacct_names_done(s);
        free(s->het_of);
        free(s->uids);
        hostlist_free(s->hosts);
        for (size_t i = 0; i < s->known.n; i++)
                free(s->known.users[i].name);
        free(s->known.users);
        free(s->cluster);
        sacct_assocs_done(&s->view.assocs);
}

/* ---- all together ---- */

static bool wants_steps(const struct sacct *s) {
        return !s->no_steps || s->sums;
}

/* Adds the steps to ended. */
static int ask_steps(struct wire *w, const Slumber__EndedQuery *query, struct ended_list *ended,
                uint32_t *code, struct fail *fail) {
        Slumber__EndedQuery q = *query;
        struct ended_list list = { 0 };

        q.steps = true;
        int r = query_ended(w, &q, &list, code, fail);
        free(ended->steps);
        free(list.jobs);
        ended->step_pages = list.pages;
        ended->steps = list.steps;
        ended->n_steps = list.n_steps;
        return r;
}

/* Finds the heterogeneous jobs of components named by their own ids. */
static void find_wholes(struct sacct *s, const struct ended_list *ended,
                const struct job_list *jobs) {
        s->het_of = xnew0(int64_t, s->n_ids + 1);
        for (size_t i = 0; i < s->n_ids; i++) {
                for (size_t k = 0; k < ended->n_jobs; k++)
                        if (ended->jobs[k]->job_id == s->id_list[i].job)
                                s->het_of[i] = ended->jobs[k]->het_job;
                for (size_t k = 0; k < jobs->n_jobs; k++)
                        if (jobs->jobs[k]->id == s->id_list[i].job)
                                s->het_of[i] = jobs->jobs[k]->het_job;
        }
}

static int sacct_query(struct sacct *s, struct ended_list *ended, struct job_list *jobs,
                struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__EndedQuery q = SLUMBER__ENDED_QUERY__INIT;
        Slumber__JobQuery all = SLUMBER__JOB_QUERY__INIT;
        _cleanup_free_ uint32_t *ids = xnew(uint32_t, 2 * s->n_ids + 1);
        uint32_t code = 0;
        int r = command_connect(&w, fail);

        free(TAKE(s->cluster));
        if (r >= 0)
                r = command_cluster_name(w, &s->cluster, fail);
        for (size_t i = 0; i < s->n_ids; i++)
                ids[i] = s->id_list[i].job;
        q.job_ids = ids;
        q.n_job_ids = s->n_ids;
        q.uids = s->uids;
        q.n_uids = s->n_uids;
        q.time_start = s->from;
        q.time_end = s->end ? s->until + 1 : 0;
        all.with_finished = all.with_hidden = true;
        all.with_steps = wants_steps(s);
        all.ids = ids;
        all.n_ids = s->n_ids == 1 && s->whole_hetjob != WHOLE_YES ? 1 : 0;
        if (r >= 0)
                /* Jobs first: a job ending meanwhile is found twice rather than never. */
                r = query_jobs(w, &all, jobs, &code, fail);
        if (r < 0 && code == SLUMBER_BAD_JOB_ID) /* job forgotten by the controller */
                r = 0;
        if (r >= 0)
                r = query_ended(w, &q, ended, &code, fail);
        if (r >= 0 && s->whole_hetjob == WHOLE_YES)
                find_wholes(s, ended, jobs);
        for (size_t i = 0; s->het_of && i < s->n_ids; i++) /* running components, too */
                if (s->het_of[i])
                        ids[q.n_job_ids++] = (uint32_t)s->het_of[i];
        /* Sums need all steps of the jobs: start at the earliest job. */
        for (size_t i = 0; r >= 0 && i < ended->n_jobs; i++)
                if (ended->jobs[i]->time_start)
                        q.time_start = MIN(q.time_start, ended->jobs[i]->time_start);
        for (size_t i = 0; r >= 0 && i < jobs->n_jobs; i++)
                if (jobs->jobs[i]->start_time)
                        q.time_start = MIN(q.time_start, jobs->jobs[i]->start_time);
        if (r >= 0 && (s->wants_assocs || s->associations))
                r = sacct_assocs_load(w, &s->view.assocs, &code, fail);
        if (r >= 0 && wants_steps(s))
                r = ask_steps(w, &q, ended, &code, fail);
        if (r < 0 && code == SLUMBER_NOT_SUPPORTED)
                return fail_set(fail, r, "Slurm accounting storage is disabled");
        return r < 0 && code ? fail_set(fail, r, "%s", command_refusal("sacct", code, fail->text))
                             : r;
}

static void cut_times(const struct sacct *s, Ended *e) {
        if (e->time_start)
                e->time_start = MAX(e->time_start, s->from);
        if (e->time_start && (!e->time_end || e->time_end > s->until))
                e->time_end = s->until;
}

struct printing {
        struct sacct *s;
        const struct table *t;
        const struct sacct_steps *steps;
        struct scratch scratch;
};

static void sacct_print_step(struct printing *p, const Ended *job, const EndedStep *step) {
        Ended e;
        const struct sacct_row row = sacct_step_row(job, step, &e);

        if (!sacct_by_step(p->s, job, step))
                return;
        if (p->s->truncate)
                cut_times(p->s, &e);
        table_row(p->t, &row, &p->scratch, &p->s->view, stdout);
}

/* Prints a job; with --array each pending task of an array. */
static void sacct_print_line(struct printing *p, const struct sacct_row *row) {
        const Ended *job = row->e;
        const char *waiting = job->array_tasks;

        if (!p->s->expand || !sacct_is_rest(job)) {
                table_row(p->t, row, &p->scratch, &p->s->view, stdout);
                return;
        }
        for (Ended task = *job; sacct_next_task(&waiting, &task.array_task);)
                if (sacct_by_id(p->s, &task))
                        table_row(p->t, &(struct sacct_row){ .e = &task, .job = &task },
                                        &p->scratch, &p->s->view, stdout);
}

static void sacct_print_record(const struct printing *p, const struct sacct_row *job,
                const EndedStep *const *steps, size_t n) {
        _cleanup_free_ const EndedStep **chosen = xnew(const EndedStep *, n + 1);
        size_t n_chosen = 0;

        for (size_t i = 0; i < n && !p->s->no_steps; i++)
                if (sacct_by_step(p->s, job->e, steps[i]))
                        chosen[n_chosen++] = steps[i];
        document_record(sacct_json(job, chosen, n_chosen, p->s->view.now));
}

/* Replaces the recorded uid by the present uid of the user's name, if the controller's host
   knows the name. */
static void put_local_uid(struct known *known, Ended *e) {
        for (size_t i = 0; i < known->n; i++)
                if (streq(known->users[i].name, e->user)) {
                        e->uid = known->users[i].uid;
                        return;
                }
        uid_t uid = (uid_t)e->uid;
        command_user(e->user, &uid, NULL, &(struct fail){ 0 });
        GROW(known->users, known->allocated, known->n);
        known->users[known->n++] = (struct known_user){ xstrdup(e->user), uid };
        e->uid = uid;
}

static void sacct_print_job(struct printing *p, Ended *job) {
        size_t n_all, n = 0;
        const EndedStep *const *all = sacct_steps_of(p->steps, job, &n_all);
        _cleanup_free_ const EndedStep **steps = xnew(const EndedStep *, n_all + 1);
        struct sacct_row row = { .e = job, .job = job };

        for (size_t i = 0; i < n_all; i++)
                if (sacct_is_of_row(p->s, job, all[i]))
                        steps[n++] = all[i];
        for (size_t i = 0; i < n; i++) {
                row.user_cpu += (usec_t)steps[i]->user_cpu;
                row.system_cpu += (usec_t)steps[i]->system_cpu;
        }
        if (p->s->truncate)
                cut_times(p->s, job);
        if (p->s->local_uid)
                put_local_uid(&p->s->known, job);
        if (p->s->document) {
                sacct_print_record(p, &row, steps, n);
                return;
        }
        if (sacct_by_step(p->s, job, NULL))
                sacct_print_line(p, &row);
        for (size_t i = 0; i < n && !p->s->no_steps; i++)
                sacct_print_step(p, job, steps[i]);
}

static int print_scripts(const struct sacct *s, Ended **list, size_t n, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct scratch scratch = { 0 };
        int r = command_connect(&w, fail);

        for (size_t i = 0; i < n && r >= 0; i++)
                if (sacct_is_wanted(s, list[i]))
                        r = sacct_print_script(w, list[i], s->environments, &scratch, fail);
        scratch_done(&scratch);
        return r;
}

static void sacct_print_jobs(struct sacct *s, const struct table *t,
                const struct sacct_steps *steps, Ended **list, size_t n) {
        struct printing p = { .s = s, .t = t, .steps = steps };

        if (s->document)
                document_begin_list("jobs", stdout);
        else if (!s->headed)
                table_heading(t, stdout);
        s->headed = true;
        for (size_t i = 0; i < n; i++)
                if (sacct_is_wanted(s, list[i]))
                        sacct_print_job(&p, list[i]);
        if (s->document)
                json_end_list(s->view.now);
        scratch_done(&p.scratch);
}

/* Only for jobs named in --jobs: a list of all running jobs must not trouble the nodes. */
static int measure_steps(struct sacct_steps *steps, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        int r = command_connect(&w, fail);

        return r < 0 ? r : sacct_steps_measure(steps, w, fail);
}

static int sacct_show_jobs(struct sacct *s, const struct table *t, const struct ended_list *ended,
                const struct job_list *jobs, struct fail *fail) {
        _cleanup_free_ struct sacct_live *live = xnew0(struct sacct_live, jobs->n_jobs);
        _cleanup_free_ Ended **list = xnew(Ended *, jobs->n_jobs + ended->n_jobs + 1);
        size_t n = 0;
        int r = 0;
        usec_t now = jobs->pages.now ? jobs->pages.now : ended->pages.now;

        for (size_t i = 0; i < ended->n_jobs; i++)
                list[n++] = ended->jobs[i];
        for (size_t i = 0; i < jobs->n_jobs; i++) {
                sacct_live_init(&live[i], jobs->jobs[i], now);
                live[i].e.cluster = s->cluster;
                list[n++] = &live[i].e;
        }
        s->view.now = now;
        struct sacct_steps steps;
        sacct_steps_init(&steps, ended, jobs, now);
        /* Nodes of other clusters are not asked */
        if (s->measures && s->ids && steps.n_live && !s->other)
                r = measure_steps(&steps, fail);
        n = sacct_order(s, list, n);
        if (r >= 0 && (s->scripts || s->environments))
                r = print_scripts(s, list, n, fail);
        else if (r >= 0)
                sacct_print_jobs(s, t, &steps, list, n);
        sacct_steps_done(&steps);
        for (size_t i = 0; i < jobs->n_jobs; i++)
                sacct_live_done(&live[i]);
        return r;
}

/* Replaces "all" by the fields of --helpformat. */
static char *expand_fields(const char *format) {
        char *text = NULL;
        size_t n;
        const struct table_field *fields = sacct_fields(&n);

        for_each_word(w, format, ",") {
                bool all = strcasecmp(w, "all") == 0;
                if (!all)
                        text_add_word(&text, ",", "%s", w);
                for (size_t i = 0; all && i < n; i++)
                        text_add_word(&text, ",", "%s", fields[i].name);
        }
        return text ? text : xstrdup("");
}

static int sacct_choose_fields(struct sacct *s, struct table *t, struct fail *fail) {
        const char *usual = getenv("SACCT_FORMAT");
        size_t n;
        const struct table_field *fields = sacct_fields(&n);
        _cleanup_free_ char *format = expand_fields(s->format         ? s->format
                                                    : s->long_format  ? sacct_long_format
                                                    : s->brief        ? BRIEF
                                                    : !isempty(usual) ? usual
                                                                      : USUAL);
        int r = table_parse(t, format, fields, n, fail);

        for (size_t i = 0; i < t->n && r >= 0; i++) {
                s->wants_assocs |= sacct_field_wants_assocs(t->columns[i].field);
                s->measures |= s->document || sacct_field_is_measured(t->columns[i].field);
                s->sums |= s->document || sacct_field_sums_steps(t->columns[i].field);
        }
        return r;
}

/* Formats "Wed Nov 25 18:17:01 2026". */
static const char *sacct_clock_text(usec_t t, char *buf, size_t size) {
        time_t seconds = (time_t)(t / USEC_PER_SEC);
        struct tm tm;

        if (t == 0 || !localtime_r(&seconds, &tm) ||
                        strftime(buf, size, "%a %b %e %H:%M:%S %Y", &tm) == 0)
                snprintf(buf, size, "Epoch 0");
        return buf;
}

static void say_window(const struct sacct *s) {
        char from[64], until[64];

        fputs("sacct: Jobs ", stderr);
        for (int state = 0, n = 0; s->states && state < SHOWN_MAX; state++)
                if (s->wanted[state])
                        fprintf(stderr, "%s%s", n++ ? "," : "", job_shown_long(state));
        fprintf(stderr, "%s in the time window from %s to %s\n", s->states ? "" : "Eligible",
                        sacct_clock_text(s->from, from, sizeof from),
                        sacct_clock_text(s->until, until, sizeof until));
}

/* Shows a cluster, after earlier output. */
static int sacct_show_cluster(struct sacct *s, const struct table *t, struct fail *fail) {
        struct ended_list ended = { 0 };
        struct job_list jobs = { 0 };
        usec_t until = s->until;
        int r = sacct_query(s, &ended, &jobs, fail);

        if (r >= 0 && !s->end && !(s->states && s->start)) /* the controller's clock decides */
                s->until = MAX(jobs.pages.now, ended.pages.now);
        if (r >= 0 && s->verbose)
                say_window(s);
        if (r >= 0)
                r = sacct_show_jobs(s, t, &ended, &jobs, fail);
        s->until = until;
        sacct_assocs_done(&s->view.assocs);
        ended_list_done(&ended);
        job_list_done(&jobs);
        return r;
}

struct others {
        struct sacct *s;
        const struct table *t;
        const struct clusters *c;
};

static int show_other(void *user, size_t at) {
        const struct others *o = user;
        struct fail fail = { 0 };

        if (streq(o->c->names[at], o->c->own) || sacct_show_cluster(o->s, o->t, &fail) >= 0)
                return EXIT_SUCCESS;
        command_error("sacct", "%s", fail.text);
        return EXIT_FAILURE;
}

/* Shows the selected clusters of slumber.yaml, and reports unreachable clusters. */
static int show_others(struct sacct *s, const struct table *t, const struct clusters *c) {
        struct others o = { s, t, c };

        s->clusters = NULL; /* each cluster shows its own jobs */
        s->other = true;
        return c->n && command_at_once(c, show_other, &o) != EXIT_SUCCESS ? -EIO : 0;
}

static bool means_all(const struct sacct *s) {
        return s->all_clusters ||
               (s->clusters && (!*s->clusters || strcasecmp(s->clusters, "all") == 0));
}

static int show_clusters(struct sacct *s, const struct table *t, struct fail *fail) {
        _cleanup_(command_clusters_done) struct clusters clusters = { 0 };
        bool all = means_all(s);

        if ((all || s->clusters) &&
                        command_known_clusters("sacct", all ? "all" : s->clusters, &clusters) < 0)
                return fail_set(fail, -EIO, "the names of other clusters are not known");
        if (s->document && clusters.n > 1)
                return fail_set(fail, -EINVAL, "--json shows one cluster at a time");
        if (all)
                s->clusters = NULL;
        int r = s->document && clusters.n && !streq(clusters.names[0], clusters.own)
                                ? 0
                                : sacct_show_cluster(s, t, fail);
        if (r < 0)
                return r;
        return show_others(s, t, &clusters) < 0 ? fail_set(fail, -EIO, "not all clusters are shown")
                                                : 0;
}

static int sacct_run(struct sacct *s) {
        struct table t = {
                .first_match = true,
                .no_heading = s->no_header,
                .delimiter = s->delimiter,
                .style = s->parsable2  ? TABLE_BARS
                         : s->parsable ? TABLE_BARS_END
                                       : TABLE_PADDED,
        };
        struct fail fail = { 0 };
        int r = s->file         ? fail_set(&fail, -ENOTSUP,
                                                  "--file=%s: no job completion plugin keeps a log here; Slurm job completion is disabled",
                                                  s->file)
                : s->completion ? fail_set(&fail, -ENOTSUP, "Slurm job completion is disabled")
                                : sacct_choose_fields(s, &t, &fail);

        if (r >= 0)
                r = sacct_prepare(s, &fail);
        if (r >= 0)
                r = show_clusters(s, &t, &fail);
        if (r < 0)
                command_error("sacct", "%s", fail.text);
        return r >= 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int sacct_help_format(void) {
        size_t n;
        const struct table_field *fields = sacct_fields(&n);

        table_help(fields, n, stdout);
        return EXIT_SUCCESS;
}

int sacct_main(int argc, char **argv) {
        struct sacct s = { 0 };
        int first, r = options_parse(&table, argc, argv, &s, &first), code = EXIT_FAILURE;

        if (r == OPTIONS_DONE)
                code = EXIT_SUCCESS;
        else if (r == 0 && first < argc)
                command_error("sacct", "Unrecognized option: %s", argv[first]);
        else if (r == 0)
                code = s.helpformat ? sacct_help_format() : sacct_run(&s);
        sacct_done(&s);
        return code;
}
