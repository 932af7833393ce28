/* SPDX-License-Identifier: GPL-3.0-or-later */
/* squeue: options and environment give the filters, the order and the format. The request carries
 * the filters that are cheap for the controller; squeue filters the answer again, makes rows, sorts
 * and prints them. -i repeats the report.
 *
 * Sections: options, selection, printing, one report, main. */
#include "commands/show/squeue.h"

#include "commands/command.h"
#include "commands/document.h"
#include "commands/jobid.h"
#include "commands/json.h"
#include "commands/rows.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>

#define IDS_MAX 100000 /* limit of -j, far beyond a command line; a query may carry as many */

struct squeue {
        const char *format, *format2, *sort, *ids, *users, *states, *nodes, *clusters;
        struct clusters sites; /* of --clusters */
        size_t site;           /* index in sites of the cluster shown */
        bool heading, all, array, hide, iterate_set, json, is_long, me, not_me, noconvert,
                        only_state, priority, start, steps;
        unsigned verbose;
        uint32_t iterate;
        struct squeue_filter filter;
        struct job_id *id_list; /* --jobs */
        size_t n_id_list;
        struct job_id_request named;
        uint32_t *user_array;
};
#define FIELD(name)  offsetof(struct squeue, name)
#define FILTER(name) offsetof(struct squeue, filter.name)

static int squeue_set_steps(void *field, const char *value, struct fail *fail) {
        struct squeue *s = field;

        s->steps = true;
        s->filter.steps = value;
        for_each_word(id, value, ",") {
                const char *step = strchr(id, '.');
                bool numbered = id[0] >= '0' && id[0] <= '9' && step && step[1] && step[1] != '-';

                if (!numbered)
                        return fail_set(fail, -EINVAL, "Invalid job_step id: %s%s", id,
                                        step ? "" : ".\?\?");
        }
        return 0;
}

static int squeue_set_jobs(void *field, const char *value, struct fail *fail) {
        struct squeue *s = field;

        s->ids = value; /* no value: all jobs */
        return 0;
}

static int squeue_set_iterate(void *field, const char *value, struct fail *fail) {
        struct squeue *s = field;
        uint64_t seconds;

        if (uint_parse(value, 1, UINT32_MAX, &seconds) < 0)
                return fail_set(fail, -EINVAL, "--iterate=%s", value);
        s->iterate = (uint32_t)seconds;
        return 0;
}

static const struct option_row rows[] = {
        { "account", 'A', OPTION_TEXT, FILTER(accounts), NULL, "accounts",
                        "only jobs of these accounts" },
        { "accounts", 0, OPTION_TEXT, FILTER(accounts), NULL, "accounts", NULL },
        { "all", 'a', OPTION_FLAG, FIELD(all), NULL, NULL, "jobs of hidden partitions too" },
        { "array", 'r', OPTION_FLAG, FIELD(array), NULL, NULL, "one line per element of an array" },
        { "array-unique", 0, OPTION_FLAG, FIELD(array), NULL, NULL, NULL },
        { "Format", 'O', OPTION_TEXT, FIELD(format2), NULL, "fields",
                        "fields by name: Name[:[.]width[suffix]],..." },
        { "format", 'o', OPTION_TEXT, FIELD(format), NULL, "format",
                        "fields by letter: %[[.]width]letter[suffix]..." },
        { "hide", 0, OPTION_FLAG, FIELD(hide), NULL, NULL,
                        "leave hidden partitions out (the default)" },
        { "iterate", 'i', OPTION_CALL, 0, squeue_set_iterate, "seconds", "report again and again" },
        { "jobs", 'j', OPTION_CALL_OPTIONAL, 0, squeue_set_jobs, "job_ids", "only these jobs" },
        { "job", 0, OPTION_CALL_OPTIONAL, 0, squeue_set_jobs, "job_ids", NULL },
        OPTION_ROWS_DOCUMENT(FIELD(json), "everything"),
        { "licenses", 'L', OPTION_TEXT, FILTER(licenses), NULL, "licenses",
                        "only jobs that ask for these licenses" },
        { "long", 'l', OPTION_FLAG, FIELD(is_long), NULL, NULL, "more fields" },
        { "me", 0, OPTION_FLAG, FIELD(me), NULL, NULL, "only my own jobs" },
        { "notme", 0, OPTION_FLAG, FIELD(not_me), NULL, NULL, "only jobs of other users" },
        { "name", 'n', OPTION_TEXT, FILTER(names), NULL, "names", "only jobs of these names" },
        { "noconvert", 0, OPTION_FLAG, FIELD(noconvert), NULL, NULL, "memory in MB, as it is" },
        { "nodelist", 'w', OPTION_TEXT, FIELD(nodes), NULL, "hosts", "only jobs on these nodes" },
        { "node", 0, OPTION_TEXT, FIELD(nodes), NULL, "hosts", NULL },
        { "nodes", 0, OPTION_TEXT, FIELD(nodes), NULL, "hosts", NULL },
        { "noheader", 'h', OPTION_UNFLAG, FIELD(heading), NULL, NULL, "no heading" },
        { "only-job-state", 0, OPTION_FLAG, FIELD(only_state), NULL, NULL,
                        "ids and states, nothing else" },
        { "partition", 'p', OPTION_TEXT, FILTER(partitions), NULL, "partitions",
                        "only these partitions" },
        { "partitions", 0, OPTION_TEXT, FILTER(partitions), NULL, "partitions", NULL },
        { "priority", 'P', OPTION_FLAG, FIELD(priority), NULL, NULL,
                        "one line per partition a job may use" },
        { "qos", 'q', OPTION_TEXT, FILTER(qos), NULL, "qos", "only jobs of these QOS" },
        { "reservation", 'R', OPTION_TEXT, FILTER(reservation), NULL, "name",
                        "only jobs in this reservation" },
        { "sort", 'S', OPTION_TEXT, FIELD(sort), NULL, "fields",
                        "order: letters, each with + or -" },
        { "start", 0, OPTION_FLAG, FIELD(start), NULL, NULL,
                        "when pending jobs are expected to start" },
        { "states", 't', OPTION_TEXT, FIELD(states), NULL, "states", "only these states, or all" },
        { "steps", 's', OPTION_CALL_OPTIONAL, 0, squeue_set_steps, "step_ids",
                        "steps instead of jobs" },
        { "user", 'u', OPTION_TEXT, FIELD(users), NULL, "users", "only jobs of these users" },
        { "users", 0, OPTION_TEXT, FIELD(users), NULL, "users", NULL },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL, "more words" },
        OPTION_ROWS_ALL_CLUSTERS(FIELD(clusters)),
        /* patterns of paths are always expanded */
        { "expand-patterns", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        /* as for a cluster outside any federation */
        { "federation", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "local", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "sibling", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        OPTION_ROWS_HELP(0),
};

static const char *seen[ELEMENTSOF(rows)];

static const struct option_table table = {
        .program = "squeue",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
        .seen = seen,
};

static const struct option_setting settings[] = {
        { "all", "all", "false" },
        { "array", "array", "false" },
        { "federation", NULL, "false" },
        { "format", "format", "(null)" },
        { "iterate", "iterate", "0" },
        { "job_flag", NULL, "0" },
        { "jobs", "jobs", "(null)" },
        { "licenses", "licenses", "(null)" },
        { "local", "local", "false" },
        { "names", "name", "(null)" },
        { "nodes", "nodelist", "" },
        { "partitions", "partition", "(null)" },
        { "priority", "priority", "false" },
        { "reservation", "reservation", "(null)" },
        { "sibling", "sibling", "false" },
        { "sort", "sort", "(null)" },
        { "start_flag", "start", "0" },
        { "states", "states", "(null)" },
        { "step_flag", NULL, "0" },
        { "steps", "steps", "(null)" },
        { "users", "user", "(null)" },
        { "verbose", "verbose", "0" },
};

/* Slurm's variables for options; a variable of a flag counts if not empty. */
static const struct {
        const char *variable, *option;
        bool flag;
} environment[] = {
        { "SQUEUE_ACCOUNT", "account", false },
        { "SQUEUE_ALL", "all", true },
        { "SQUEUE_ARRAY", "array", true },
        { "SQUEUE_FORMAT", "format", false },
        { "SQUEUE_FORMAT2", "Format", false },
        { "SQUEUE_LICENSES", "licenses", false },
        { "SQUEUE_NAMES", "name", false },
        { "SQUEUE_PARTITION", "partition", false },
        { "SQUEUE_PRIORITY", "priority", true },
        { "SQUEUE_QOS", "qos", false },
        { "SQUEUE_SORT", "sort", false },
        { "SQUEUE_STATES", "states", false },
        { "SQUEUE_USERS", "user", false },
};

static void squeue_read_environment(struct squeue *s) {
        for (size_t i = 0; i < ELEMENTSOF(environment); i++) {
                const char *value = getenv(environment[i].variable);

                if (!isempty(value))
                        options_set(&table, environment[i].option,
                                        environment[i].flag ? NULL : value, s, NULL);
        }
}

/* Takes the next word of the comma-separated list at *p; false at the end. */
static bool squeue_next_word(const char **p, const char **ret, size_t *ret_n) {
        while (**p == ',')
                ++*p;
        *ret = *p;
        *ret_n = strcspn(*p, ",");
        *p += *ret_n;
        return *ret_n > 0;
}

static int squeue_parse_ids(struct squeue *s) {
        _cleanup_free_ char *copy = xstrdup(s->ids);
        char *rest = copy;
        size_t allocated = 0;

        for (char *word = job_id_next(&rest); word; word = job_id_next(&rest)) {
                struct job_id id = { 0 };

                if (job_id_parse(word, &id) < 0 || id.has_step || s->n_id_list >= IDS_MAX) {
                        job_id_done(&id);
                        command_error("squeue", "Invalid job id: %s", word);
                        return -EINVAL;
                }
                GROW(s->id_list, allocated, s->n_id_list);
                s->id_list[s->n_id_list++] = id;
        }
        job_id_request_init(&s->named, s->id_list, s->n_id_list);
        return 0;
}

static int squeue_parse_users(struct squeue *s) {
        const char *p = s->users, *word;
        struct fail fail = { 0 };
        size_t n, allocated = 0;

        s->filter.by_user = true;
        while (squeue_next_word(&p, &word, &n)) {
                _cleanup_free_ char *name = xstrndup(word, n);
                uint32_t uid;
                int r = command_user(name, &uid, NULL, &fail);

                if (r < 0 && r != -ENOENT) {
                        fprintf(stderr, "slurm_load_jobs error: %s\n", fail.text);
                        return r;
                }
                if (r < 0) {
                        command_error("squeue", "Invalid user: %s\n",
                                        name); /* continue: such a user has no jobs */
                        continue;
                }
                GROW(s->user_array, allocated, s->filter.n_users);
                s->user_array[s->filter.n_users++] = uid;
        }
        s->filter.users = s->user_array;
        return 0;
}

static void say_states(void) {
        fprintf(stderr, "squeue: error: Valid job states include: ");
        for (int i = 0; i < SHOWN_MAX; i++)
                fprintf(stderr, "%s%s", i ? "," : "", job_shown_long(i));
        fprintf(stderr, "\n\n");
}

static int squeue_parse_states(struct squeue *s) {
        const char *p = s->states, *word;
        size_t n;

        s->filter.all_states = strcasecmp(s->states, "all") == 0;
        s->filter.has_states = !s->filter.all_states;
        while (s->filter.has_states && squeue_next_word(&p, &word, &n)) {
                int state = job_shown_parse(word, n);

                if (state < 0) {
                        command_error("squeue", "Invalid job state specified: %.*s", (int)n, word);
                        say_states();
                        return -EINVAL;
                }
                s->filter.states[state] = true;
        }
        return 0;
}

static int squeue_parse_nodes(struct squeue *s) {
        struct fail fail;
        int r;

        r = hostlist_parse(s->nodes, &s->filter.nodes, &fail);
        if (r < 0)
                command_error("squeue", "%s", fail.text);
        return r;
}

static int squeue_check_conflicts(const struct squeue *s) {
        if (s->me && s->not_me) {
                command_error("squeue", "--me and --notme are mutually exclusive");
                return -EINVAL;
        }
        if (s->format && s->format2) {
                command_error("squeue", "-O (--Format) is incompatible with -o (--format)");
                return -EINVAL;
        }
        if ((s->format || s->format2) && s->is_long) {
                fprintf(stderr, "squeue: fatal: Options -o(--format) and -l(--long) are mutually "
                                "exclusive. "
                                "Please remove one and retry.\n");
                return -EINVAL;
        }
        return 0;
}

/* Parses the texts of options into lists and combines options. */
static int squeue_complete_options(struct squeue *s) {
        if (s->ids && squeue_parse_ids(s) < 0)
                return -EINVAL;
        if (s->me || s->not_me) {
                s->user_array = xnew(uint32_t, 1);
                s->user_array[0] = getuid();
                s->filter.users = s->user_array;
                s->filter.n_users = 1;
                s->filter.by_user = true;
                s->filter.but_user = s->not_me;
        } else if (s->users && squeue_parse_users(s) < 0)
                return -EINVAL;
        if (s->start && !s->states)
                s->states = "PENDING";
        if (s->states && squeue_parse_states(s) < 0)
                return -EINVAL;
        return s->nodes ? squeue_parse_nodes(s) : 0;
}

/* ---- selection ---- */

static bool squeue_list_has(const char *list, const char *word) {
        const char *p = list, *have;
        size_t n;

        if (!list)
                return true;
        while (squeue_next_word(&p, &have, &n))
                if (strncmp(have, word, n) == 0 && word[n] == 0)
                        return true;
        return false;
}

/* Returns true if a name of "matlab:2,ansys" or "a|b" is in the list. */
static bool asks_for_license(const char *list, const char *asked) {
        for (const char *p = asked; *p;) {
                _cleanup_free_ char *name = xstrndup(p, strcspn(p, ":=,;|"));
                if (*name && squeue_list_has(list, name))
                        return true;
                p += strcspn(p, ",;|");
                p += *p != 0;
        }
        return false;
}

static bool in_numbers(const uint32_t *array, size_t n, uint32_t value) {
        for (size_t i = 0; i < n; i++)
                if (array[i] == value)
                        return true;
        return false;
}

/* partitions of a pending job: "a,b" */
static bool in_partitions(const char *list, const char *partitions) {
        const char *p = partitions, *word;
        size_t n;

        if (!list)
                return true;
        while (squeue_next_word(&p, &word, &n)) {
                _cleanup_free_ char *name = xstrndup(word, n);

                if (squeue_list_has(list, name))
                        return true;
        }
        return false;
}

static bool squeue_on_nodes(const struct hostlist *wanted, const char *nodes) {
        _cleanup_(hostlist_freep) struct hostlist *have = NULL;

        if (!wanted)
                return true;
        if (isempty(nodes) || hostlist_parse(nodes, &have, NULL) < 0)
                return false;
        for (size_t i = 0; i < hostlist_count(wanted); i++)
                if (hostlist_has(have, hostlist_get(wanted, i)))
                        return true;
        return false;
}

static bool state_selects(const struct squeue_filter *f, const Job *job) {
        int shown = job_shown(job);

        if (f->all_states)
                return true;
        if (f->has_states)
                return shown < SHOWN_MAX && f->states[shown];
        return !job_finished(job) || shown == SHOWN_COMPLETING;
}

bool squeue_selects(const struct squeue_filter *f, const Job *job) {
        static const Slumber__JobSpec none = SLUMBER__JOB_SPEC__INIT;
        const Slumber__JobSpec *spec = job->spec ? job->spec : &none;
        const char *partition = isempty(job->partition) ? spec->partition : job->partition;

        if (!state_selects(f, job))
                return false;
        if (f->by_user && in_numbers(f->users, f->n_users, job->uid) == f->but_user)
                return false;
        if (!squeue_list_has(f->accounts, spec->account) || !squeue_list_has(f->names, spec->name))
                return false;
        if (!squeue_list_has(f->qos, spec->qos) ||
                        !squeue_list_has(f->reservation, spec->reservation))
                return false;
        if (f->licenses && !asks_for_license(f->licenses, spec->licenses))
                return false;
        return in_partitions(f->partitions, partition) && squeue_on_nodes(f->nodes, job->nodes);
}

/* Compares a step's name made with the number job: a component's own number or the leader's. */
static bool names_step(const char *list, uint32_t job, const struct step_row *row) {
        char step[STEP_TEXT_MAX];
        _cleanup_free_ char *id = xasprintf("%u.%s", job,
                        step_part_text(row->step->id, row->step->part, step));

        return squeue_list_has(list, id);
}

bool squeue_selects_step(const struct squeue_filter *f, const struct step_row *row) {
        struct scratch s = { 0 };
        const char *id = step_id_text(row, &s);
        bool wanted = !f->steps || squeue_list_has(f->steps, id);

        if (!wanted && row->step->part) { /* the step of which row is a component */
                _cleanup_free_ char *whole = xstrndup(id, strcspn(id, "+"));
                wanted = squeue_list_has(f->steps, whole);
        }
        if (!wanted && row->job->het_job)
                wanted = names_step(f->steps, row->job->het_job, row) ||
                         names_step(f->steps, row->job->id, row);
        scratch_done(&s);
        return wanted;
}

/* ---- printing ---- */

/* --only-job-state is meant for frequent polling; allows ids and states only. */
static int check_states_alone(const struct format *format) {
        static const char *const names[] = {
                "JobID",
                "JobArrayID",
                "ArrayJobID",
                "ArrayTaskID",
                "State",
                "StateCompact",
        };

        for (size_t i = 0; i < format->n_columns; i++) {
                size_t k = 0;

                while (k < ELEMENTSOF(names) && format->columns[i].field &&
                                !streq(names[k], format->columns[i].field->name))
                        k++;
                if (k < ELEMENTSOF(names))
                        continue;
                command_error("squeue",
                                "--only-job-state shows JobID, JobArrayID, ArrayJobID, ArrayTaskID, State and StateCompact, not %s",
                                format->columns[i].field->name);
                return -EINVAL;
        }
        return 0;
}

static int squeue_choose_format(const struct squeue *s, struct format *format, struct sort *sort) {
        const struct field_table *fields = s->steps ? squeue_step_fields() : squeue_job_fields();
        const char *letters = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R", *order = "P,t,-p";

        if (s->steps)
                letters = "%.15i %.8j %.9P %.8u %.9M %N", order = "P,i";
        else if (s->start)
                letters = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R", order = "S";
        else if (s->is_long)
                letters = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
        else if (s->only_state)
                letters = "%.18i %.13T", order = "i";
        if (s->format2)
                format_parse_names(format, s->format2, fields);
        else
                format_parse_letters(format, s->format ? s->format : letters, fields);
        if (s->only_state && check_states_alone(format) < 0)
                return -EINVAL;
        if (s->sort)
                order = s->sort;
        /* Equal array tasks are sorted by id: the last task has the array's job id. */
        _cleanup_free_ char *whole = s->steps ? xstrdup(order)
                                              : xasprintf("%s%si", order, *order ? "," : "");
        return sort_parse(sort, whole, fields);
}

/* ---- one report ---- */

/* Returns true if the format needs the nodes of expected starts (%Y, SchedNodes). */
static bool wants_nodes(const struct squeue *s) {
        return s->start || (s->format && (strchr(s->format, 'Y') || strstr(s->format, "%all"))) ||
               (s->format2 && (strcasestr(s->format2, "schednodes") ||
                                              strcasestr(s->format2, "all")));
}

/* Sets conditions only if the controller decides exactly as squeue_selects(); filters of users,
   for example, remain with squeue_selects(). */
static void fill_query(const struct squeue *s, Slumber__JobQuery *q, uint32_t states[SHOWN_MAX]) {
        bool only_base = s->filter.has_states;

        q->ids = s->named.ids;
        q->n_ids = s->named.n_ids;
        q->tasks = s->named.task_pointers;
        q->n_tasks = s->named.n_tasks;
        q->with_steps = s->steps || s->json;
        q->with_alloc = s->json || wants_nodes(s) || (s->format2 && strcasestr(s->format2, "tres"));
        q->with_finished = s->filter.all_states || s->filter.has_states || s->json;
        q->with_hidden = s->all || s->filter.partitions;
        q->states = states;
        for (uint32_t i = 0; i < SHOWN_MAX && s->filter.has_states; i++) {
                if (!s->filter.states[i])
                        continue;
                only_base = only_base && i < SHOWN_COMPLETING;
                states[q->n_states++] = i;
        }
        if (!only_base)
                q->n_states = 0; /* a flag such as COMPLETING may be combined with any base state */
        if (only_base && q->n_states &&
                        states[q->n_states - 1] <= SLUMBER__JOB_STATE__JOB_SUSPENDED)
                q->with_finished = false;
}

/* Jobs on arrival become rows or parts of a JSON document. */
struct report {
        const struct squeue *s;
        struct json_jobs *json; /* NULL: rows */
        const struct format *format;
        const struct sort *sort;
        struct rows *rows;
        struct squeue_view view;
        size_t n_jobs; /* jobs received */
};

static void report_add_record(struct report *to, const void *record) {
        if (to->json)
                json_jobs_add(to->json, record);
        else
                rows_add(to->rows, record);
}

/* --array: adds a row for each task without a record of its own. The list of tasks is left out
   of the rows, to keep a JSON document small. */
static void report_add_tasks(struct report *to, const Job *rest) {
        Job task = *rest;

        task.array_waiting = (char *)(uintptr_t)protobuf_c_empty_string;
        for (const char *p = rest->array_waiting; *p; p += *p == ',') {
                char *end;
                unsigned long first = strtoul(p, &end, 10),
                              last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

                if (end == p)
                        return;
                for (unsigned long i = first; i <= last; i++) {
                        task.array_task = (uint32_t)i;
                        report_add_record(to, &task);
                }
                p = end;
        }
}

static void report_add_array(struct report *to, const Job *job) {
        if (to->s->array && job_is_rest(job))
                report_add_tasks(to, job);
        else
                report_add_record(to, job);
}

/* --priority: adds a row for each partition of a pending job. */
static void report_add_partitions(struct report *to, const Job *job) {
        Job bid = *job;

        for (size_t i = 0; i < job->n_bids; i++) {
                bid.partition = job->bids[i]->partition;
                bid.priority = job->bids[i]->priority;
                if (*job->bids[i]->reason_name)
                        bid.reason_name = job->bids[i]->reason_name;
                if (squeue_selects(&to->s->filter, &bid))
                        report_add_array(to, &bid);
        }
}

static void report_add_steps(struct report *to, const Job *job) {
        for (size_t i = 0; i < job->n_steps; i++) {
                struct step_row row = { job, job->steps[i] };

                if (squeue_selects_step(&to->s->filter, &row))
                        report_add_record(to, &row);
        }
}

static void report_add_job(const void *record, void *user) {
        struct report *to = user;
        const Job *job = record;

        to->n_jobs++;
        if (!squeue_selects(&to->s->filter, job))
                return;
        if (to->s->steps && !to->json)
                report_add_steps(to, job);
        else if (to->s->priority && job->n_bids && !to->json)
                report_add_partitions(to, job);
        else
                report_add_array(to, job);
}

static void squeue_print_report(struct report *to) {
        const struct squeue *s = to->s;

        if (to->json) {
                json_jobs_end(to->json, to->view.now);
                return;
        }
        if (s->heading && (s->is_long || s->iterate) && !s->verbose && s->site == 0)
                command_print_date();
        if (s->heading)
                command_cluster_heading(&s->sites, s->site);
        if (s->heading)
                format_heading(to->format, stdout);
        rows_print(to->rows, stdout);
}

/* Checks --nodelist. The controller's refusal of a list does not name the unknown node, so each
   node is asked for. */
static int squeue_check_nodes(const struct squeue *s, struct wire *w) {
        Slumber__NodeQuery query = SLUMBER__NODE_QUERY__INIT;
        struct node_list nodes = { 0 };
        uint32_t code = SLUMBER_OK;
        struct fail fail = { 0 };

        query.nodes = (char *)s->nodes;
        if (query_nodes(w, &query, &nodes, &code, &fail) >= 0 || code != SLUMBER_BAD_NODE_NAME) {
                node_list_done(&nodes);
                return 0; /* a failed connection is reported by the next request */
        }
        for (size_t i = 0; i < hostlist_count(s->filter.nodes); i++) {
                const char *name = hostlist_get(s->filter.nodes, i);

                query.nodes = (char *)name;
                if (query_nodes(w, &query, &nodes, NULL, &fail) < 0) {
                        command_error("squeue", "Invalid node name %s", name);
                        break;
                }
                node_list_done(&nodes);
        }
        return -ENOENT;
}

static void count_job(const void *record, void *user) {
        (void)record;
        ++*(size_t *)user;
}

/* Returns true if the job exists: then a missing array task, or a job in another state, is no
   error. */
static bool job_is_known(struct wire *w, const struct job_id *id) {
        const struct job_id whole = { .job = id->job };
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        struct job_id_request named;
        usec_t now;
        size_t n = 0;

        job_id_request_init(&named, &whole, 1);
        query.ids = named.ids;
        query.n_ids = named.n_ids;
        query.with_finished = query.with_hidden = true;
        int r = query_each_job(w, &query, count_job, &n, &now, NULL);
        job_id_request_done(&named);
        return r >= 0 && n > 0;
}

/* Prints the header of -v before the request, so that errors follow the header. */
static void say_settings(const struct squeue *s) {
        options_say_settings(&table, settings, ELEMENTSOF(settings), stdout);
        puts("\n");
        if (s->heading)
                command_print_date();
        fflush(stdout);
}

/* Loads the jobs selected by the options; reports errors on stderr. */
static int squeue_load_jobs(struct report *to) {
        _cleanup_(squeue_few_done) struct squeue_few few = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        uint32_t states[SHOWN_MAX] = { 0 };
        struct fail fail = { 0 };
        int r;

        fill_query(to->s, &query, states);
        if (!to->json && fields_are_few(to->format, to->sort)) {
                squeue_few_init(&few);
                query.fields = few.job;
                query.n_fields = few.n_job;
                query.spec_fields = few.spec;
                query.n_spec_fields = few.n_spec;
        }
        r = command_connect(&w, &fail);
        if (r >= 0 && to->s->nodes && squeue_check_nodes(to->s, w) < 0)
                return -ENOENT;
        if (r >= 0)
                r = query_each_job(w, &query, report_add_job, to, &to->view.now, &fail);
        const struct job_id *only = to->s->n_id_list == 1 ? to->s->id_list : NULL;
        if (r >= 0 && only && to->n_jobs == 0 && !job_is_known(w, only))
                r = fail_set(&fail, -ENOENT, "%s", slumber_error_text(SLUMBER_BAD_JOB_ID));
        if (r < 0)
                fprintf(stderr, "slurm_load_jobs error: %s\n", fail.text);
        return r;
}

static int squeue_report_jobs(const struct squeue *s) {
        struct format format = { 0 };
        struct sort sort = { 0 };
        struct report to = {
                .s = s,
                .json = s->json ? json_jobs_new(stdout) : NULL,
                .format = &format,
                .sort = &sort,
                .rows = rows_new(&format, &sort, &to.view),
                .view = { .time_format = getenv("SLURM_TIME_FORMAT"),
                                .noconvert = s->noconvert,
                                .cluster = s->sites.names[s->site] },
        };
        int r = s->json ? 0 : squeue_choose_format(s, &format, &sort);

        if (r >= 0 && s->verbose && !s->json)
                say_settings(s);
        if (r >= 0)
                r = squeue_load_jobs(&to);
        if (r >= 0)
                squeue_print_report(&to);
        rows_free(to.rows);
        format_done(&format);
        json_jobs_free(to.json);
        return r;
}

static int squeue_report_cluster(void *user, size_t at) {
        struct squeue s = *(const struct squeue *)user;

        s.site = at;
        return squeue_report_jobs(&s) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Reports all clusters; a cluster without an answer is reported on stderr and does not end -i. */
static int squeue_report_all(const void *user) {
        struct squeue s = *(const struct squeue *)user;
        int code = command_at_once(&s.sites, squeue_report_cluster, &s);

        return code == EXIT_SUCCESS || (s.sites.n > 1 && s.iterate) ? 0 : -EIO;
}

/* Joins "-j 5" and "--jobs 5" into one word: the argument of these options is optional, so the
   parser would not take the second word. */
static void join_values(int *argc, char **argv, char **joined, size_t n_joined) {
        static const struct {
                const char *word, *option;
                size_t least; /* minimum number of letters */
        } words[] = {
                { "-j", "--jobs=", 2 },
                { "--jobs", "--jobs=", 4 },
                { "-s", "--steps=", 2 },
                { "--steps", "--steps=", 5 },
        };
        size_t used = 0;
        int n = 1;

        for (int i = 1; i < *argc; i++, n++) {
                argv[n] = argv[i];
                for (size_t k = 0; k < ELEMENTSOF(words); k++) {
                        size_t length = strlen(argv[n]);
                        if (length < words[k].least ||
                                        strncmp(argv[n], words[k].word, length) != 0 ||
                                        i + 1 >= *argc || argv[i + 1][0] == '-' || used >= n_joined)
                                continue;
                        argv[n] = joined[used++] = xasprintf("%s%s", words[k].option, argv[++i]);
                }
        }
        argv[n] = NULL;
        *argc = n;
}

static int squeue_parse(struct squeue *s, int argc, char **argv) {
        const char *format, *format2;
        int first, r;

        squeue_read_environment(s);
        format = TAKE(s->format); /* used only if no option chooses a format */
        format2 = TAKE(s->format2);
        r = options_parse(&table, argc, argv, s, &first);
        if (r != 0)
                return r;
        if (first < argc) {
                command_error("squeue", "Unrecognized option: %s", argv[first]);
                options_usage(&table, stderr);
                return -EINVAL;
        }
        r = squeue_check_conflicts(s);
        if (r < 0)
                return r;
        if (!s->format && !s->format2 && !s->is_long && !s->start) {
                s->format = format;
                s->format2 = format ? NULL : format2;
        }
        return squeue_complete_options(s);
}

static int one_at_a_time(void) {
        command_error("squeue", "--json shows one cluster at a time");
        return -EINVAL;
}

int squeue_main(int argc, char **argv) {
        struct squeue s = { .heading = true };
        char *joined[8] = { NULL };
        int r;

        join_values(&argc, argv, joined, ELEMENTSOF(joined));
        r = squeue_parse(&s, argc, argv);
        if (r == 0)
                r = command_clusters_to_show("squeue", s.clusters, &s.sites);
        if (r == 0 && s.json && s.sites.n > 1)
                r = one_at_a_time();
        if (r == 0)
                r = command_repeat(s.iterate, squeue_report_all, &s);
        command_clusters_done(&s.sites);
        hostlist_free(s.filter.nodes);
        for (size_t i = 0; i < s.n_id_list; i++)
                job_id_done(&s.id_list[i]);
        free(s.id_list);
        job_id_request_done(&s.named);
        free(s.user_array);
        for (size_t i = 0; i < ELEMENTSOF(joined); i++)
                free(joined[i]);
        return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
