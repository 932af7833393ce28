/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scancel: cancels or signals jobs, given by id or selected by filters.
 *
 * Ids alone and filters alone are one request; the controller applies the filters. Ids together
 * with filters, --wckey and --interactive query the jobs first and send the ids of the remaining
 * jobs. Steps are one request each. A job that has ended already is no error: scancel prints a
 * message only with -v and exits with 0. A signal for a job or step without processes is an
 * error. */
#include "commands/command.h"
#include "commands/jobid.h"
#include "commands/query.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/options.h"
#include "lib/timetext.h"

#include <signal.h>
#include <strings.h>

#define PROGRAM "scancel"
#define IDS_MAX 1000000

struct scancel {
        bool batch, full, interactive, me;
        bool missed;  /* a job given by id is not active */
        bool matched; /* a filter selected a job */
        bool expects; /* --signal or --batch: an ended or missing job is an error */
        unsigned quiet, verbose;
        uint32_t signal; /* 0 = end the job */
        bool kill;       /* --signal=KILL: steps are killed at once */
        const char *user, *name, *partition, *nodes, *account, *qos, *wckey, *clusters,
                        *reservation, *admin_comment;
        int state; /* -1 = any */
        struct job_id *ids;
        size_t n_ids;
        char user_buffer[32]; /* user of --me */
};

#define AT(field) offsetof(struct scancel, field)

static int scancel_set_signal(void *options, const char *value, struct fail *fail) {
        struct scancel *s = options;

        if (signal_parse(value, &s->signal) < 0)
                return fail_set(fail, -EINVAL, "Unknown job signal: %s", value);
        s->expects = true;
        return 0;
}

static int scancel_set_state(void *field, const char *value, struct fail *fail) {
        static const struct {
                const char *name, *shortly;
                int state;
        } states[] = {
                { "PENDING", "PD", SLUMBER__JOB_STATE__JOB_PENDING },
                { "RUNNING", "R", SLUMBER__JOB_STATE__JOB_RUNNING },
                { "SUSPENDED", "S", SLUMBER__JOB_STATE__JOB_SUSPENDED },
        };

        for (size_t i = 0; i < ELEMENTSOF(states); i++)
                if (strcasecmp(value, states[i].name) == 0 ||
                                strcasecmp(value, states[i].shortly) == 0) {
                        *(int *)field = states[i].state;
                        return 0;
                }
        return fail_set(fail, -EINVAL,
                        "Invalid job state specified: %s; valid job states are PENDING, RUNNING, "
                        "and SUSPENDED",
                        value);
}

/* clang-format off */
static const struct option_row rows[] = {
        { "account", 'A', OPTION_TEXT, AT(account), NULL, "name", "jobs of this account" },
        { "admin-comment", 0, OPTION_TEXT, AT(admin_comment), NULL, "text", "say so in each job's AdminComment (operators)" },
        { "batch", 'b', OPTION_FLAG, AT(batch), NULL, NULL, "signal the batch script only" },
        OPTION_ROWS_ALL_CLUSTERS(AT(clusters)),
        { "cron", 'c', OPTION_REFUSED, 0, NULL, NULL, NULL },
        { "ctld", 0, OPTION_IGNORED, 0, NULL, NULL, NULL }, /* signals always go through the controller */
        { "full", 'f', OPTION_FLAG, AT(full), NULL, NULL, "signal the script and all steps" },
        { "hurry", 'H', OPTION_IGNORED, 0, NULL, NULL, "no burst buffer is staged out (none ever is)" },
        { "interactive", 'i', OPTION_FLAG, AT(interactive), NULL, NULL, "ask before each job" },
        { "jobname", 0, OPTION_TEXT, AT(name), NULL, "name", NULL },
        { "me", 0, OPTION_FLAG, AT(me), NULL, NULL, "my jobs" },
        { "name", 'n', OPTION_TEXT, AT(name), NULL, "name", "jobs of this name" },
        { "nodelist", 'w', OPTION_TEXT, AT(nodes), NULL, "nodes", "jobs on any of these nodes" },
        { "partition", 'p', OPTION_TEXT, AT(partition), NULL, "name", "jobs in this partition" },
        { "qos", 'q', OPTION_TEXT, AT(qos), NULL, "name", "jobs of this quality of service" },
        { "quiet", 'Q', OPTION_COUNT, AT(quiet), NULL, NULL, "no words about jobs that have ended" },
        { "reservation", 'R', OPTION_TEXT, AT(reservation), NULL, "name", "jobs of this reservation" },
        { "sibling", 0, OPTION_REFUSED_ARG, 0, NULL, NULL, NULL },
        { "signal", 's', OPTION_CALL, 0, scancel_set_signal, "name", "send this signal, do not end the job" },
        { "state", 't', OPTION_CALL, AT(state), scancel_set_state, "state", "PENDING, RUNNING or SUSPENDED jobs" },
        { "user", 'u', OPTION_TEXT, AT(user), NULL, "name", "jobs of this user" },
        { "verbose", 'v', OPTION_COUNT, AT(verbose), NULL, NULL, "say what is done" },
        { "wckey", 0, OPTION_TEXT, AT(wckey), NULL, "key", "jobs of this workload characterization key" },
        OPTION_ROWS_HELP('h'),
};
/* clang-format on */

static const struct option_table table = {
        .program = PROGRAM,
        .operands = "[job_id[_array_id][.step_id]...]",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

static bool scancel_has_filters(const struct scancel *s) {
        return s->user || s->name || s->partition || s->nodes || s->account || s->qos || s->wckey ||
               s->reservation || s->state >= 0;
}

/* Sets options from Slurm's variables; a variable of a flag counts if not empty. */
static int scancel_read_environment(struct scancel *s, struct fail *fail) {
        static const struct {
                const char *variable, *option;
                bool flag;
        } variables[] = {
                { "SCANCEL_ACCOUNT", "account", false },
                { "SCANCEL_BATCH", "batch", true },
                { "SCANCEL_CTLD", "ctld", true },
                { "SCANCEL_FULL", "full", true },
                { "SCANCEL_HURRY", "hurry", true },
                { "SCANCEL_INTERACTIVE", "interactive", true },
                { "SCANCEL_NAME", "name", false },
                { "SCANCEL_PARTITION", "partition", false },
                { "SCANCEL_QOS", "qos", false },
                { "SCANCEL_STATE", "state", false },
                { "SCANCEL_USER", "user", false },
                { "SCANCEL_VERBOSE", "verbose", true },
                { "SCANCEL_WCKEY", "wckey", false },
        };

        for (size_t i = 0; i < ELEMENTSOF(variables); i++) {
                const char *value = getenv(variables[i].variable);
                int r = isempty(value) ? 0
                                       : options_set(&table, variables[i].option,
                                                         variables[i].flag ? NULL : value, s, fail);

                if (r < 0)
                        return fail_prefix(fail, r, "%s", variables[i].variable);
        }
        return 0;
}

/* ---- arguments ---- */

static void scancel_free_ids(struct scancel *s) {
        for (size_t i = 0; i < s->n_ids; i++)
                job_id_done(&s->ids[i]);
        free(TAKE(s->ids));
        s->n_ids = 0;
}

static int scancel_add_id(struct scancel *s, const char *word) {
        struct job_id id;
        int r = job_id_parse_part(word, &id);
        bool part = r >= 0 && id.part;

        /* components end together; the extern step ends with the job only */
        if (part || (r >= 0 && id.has_step && id.step == STEP_EXTERN)) {
                job_id_done(&id);
                r = -EINVAL;
        }
        if (part)
                command_error(PROGRAM,
                                "Invalid job id %s: a component of a heterogeneous step does not "
                                "end alone, %.*s is the whole step",
                                word, (int)(strrchr(word, '+') - word), word);
        else if (r < 0)
                command_error(PROGRAM, "Invalid job id %s", word);
        if (r < 0)
                return r;
        if (s->n_ids >= IDS_MAX) {
                command_error(PROGRAM, "more than %d job ids", IDS_MAX);
                return -E2BIG;
        }
        s->ids[s->n_ids++] = id;
        return 0;
}

/* A word may hold several ids, separated by commas. */
static int scancel_read_ids(struct scancel *s, int n, char **words) {
        size_t most = 0;

        for (int i = 0; i < n; i++)
                for (const char *p = words[i]; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
                        most++;
        s->ids = xnew0(struct job_id, MAX(most, (size_t)1));
        for (int i = 0; i < n; i++) {
                char *list = words[i];

                for (char *w = job_id_next(&list); w; w = job_id_next(&list)) {
                        int r = scancel_add_id(s, w);

                        if (r < 0)
                                return r;
                }
        }
        return 0;
}

static void set_me(struct scancel *s) {
        snprintf(s->user_buffer, sizeof s->user_buffer, "%u", (unsigned)getuid());
        s->user = s->user_buffer;
}

/* ---- the request ---- */

/* Prints the job and the action. */
static void scancel_announce(const struct scancel *s, const char *name,
                const Slumber__Number *step) {
        const char *what = s->batch ? "batch " : s->full ? "full " : "";
        char at[STEP_TEXT_MAX + 1] = "", buf[STEP_TEXT_MAX];

        if (step)
                snprintf(at, sizeof at, ".%s", step_text(step->value, buf));
        if (s->signal)
                fprintf(stderr, PROGRAM ": Signal %u to %sjob %s%s\n", s->signal, what, name, at);
        else
                fprintf(stderr, PROGRAM ": Terminating job %s%s\n", name, at);
}

static bool code_means_gone(uint32_t code) {
        return code == SLUMBER_BAD_JOB_ID || code == SLUMBER_ALREADY_DONE ||
               code == SLUMBER_JOB_ENDED || code == SLUMBER_BAD_STEP_ID;
}

/* Returns the name of an array task ("7_3"), or the id. */
static const char *result_name(const Slumber__JobResult *result, char buf[16]) {
        snprintf(buf, 16, "%u", result->id);
        return isempty(result->name) ? buf : result->name;
}

static int scancel_report_result(const struct scancel *s, const Slumber__JobResult *result) {
        char buf[16];
        const char *words = slumber_error_text((int)result->code);
        bool gone = code_means_gone(result->code);

        if (result->code == SLUMBER_OK)
                return EXIT_SUCCESS;
        if (!isempty(result->text))
                words = result->text;
        if (!gone || s->verbose || s->expects)
                command_error(PROGRAM, "Kill job error on job id %s: %s", result_name(result, buf),
                                words ? words : slumber_error_text(SLUMBER_FAILED));
        return gone && !s->expects ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Handles an Error instead of results: the controller refused the whole request. */
static int scancel_report_refusal(const struct scancel *s, uint32_t code, uint32_t id,
                const struct fail *fail) {
        bool gone = code && code_means_gone(code);

        if (gone && !s->verbose && !s->expects)
                return EXIT_SUCCESS;
        if (id)
                command_error(PROGRAM, "Kill job error on job id %u: %s", id, fail->text);
        else
                command_error(PROGRAM, "%s", fail->text);
        return gone && !s->expects ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Prints the filters without a match, for -v; no match is not an error. */
static void say_no_match(const struct scancel *s) {
        static const char *const states[] = { "PENDING", "RUNNING", "SUSPENDED" };
        const struct {
                const char *key, *value;
        } filters[] = {
                { "account", s->account },
                { "job_name", s->name },
                { "nodelist", s->nodes },
                { "partition", s->partition },
                { "qos", s->qos },
                { "reservation", s->reservation },
                { "state", s->state >= 0 ? states[s->state] : NULL },
                { "user", s->user },
                { "wckey", s->wckey },
        };

        fputs(PROGRAM ": error: No active jobs match ALL job filters, including:", stderr);
        for (size_t i = 0; i < ELEMENTSOF(filters); i++)
                if (filters[i].value)
                        fprintf(stderr, " %s=%s", filters[i].key, filters[i].value);
        fputc('\n', stderr);
}

static int scancel_send_action(const struct scancel *s, struct wire *w,
                Slumber__JobAction *action) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code = 0;
        int rc = EXIT_SUCCESS;

        action->kind = s->signal ? SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL
                                 : SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL;
        action->signal = s->kill && action->step ? SIGKILL : s->signal;
        action->batch_only = s->batch;
        action->full = s->full;
        action->admin_comment = message_text(s->admin_comment);
        ENVELOPE(envelope, JOB_ACTION, job_action, action);
        if (wire_call(w, &envelope, &reply, &code, &fail) < 0)
                return scancel_report_refusal(s, code, action->n_ids ? action->ids[0] : 0, &fail);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_JOB_ACTION_REPLY)
                return EXIT_SUCCESS;
        if (reply->job_action_reply->n_results == 0 && s->verbose)
                say_no_match(s);
        for (size_t i = 0; i < reply->job_action_reply->n_results; i++) {
                const Slumber__JobResult *result = reply->job_action_reply->results[i];
                char buf[16];

                if (action->n_ids + action->n_tasks == 0 && s->verbose)
                        scancel_announce(s, result_name(result, buf), NULL);
                rc |= scancel_report_result(s, result);
        }
        return rc;
}

static int act_on_selection(const struct scancel *s, struct wire *w) {
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        uint32_t state = (uint32_t)s->state;

        action.user = message_text(s->user);
        action.name = message_text(s->name);
        action.partition = message_text(s->partition);
        action.nodes = message_text(s->nodes);
        action.account = message_text(s->account);
        action.qos = message_text(s->qos);
        action.reservation = message_text(s->reservation);
        action.states = &state;
        action.n_states = s->state >= 0;
        return scancel_send_action(s, w, &action);
}

static void scancel_announce_id(const struct scancel *s, const struct job_id *id) {
        _cleanup_free_ char *name = s->verbose ? job_id_text(id) : NULL;
        Slumber__Number step = SLUMBER__NUMBER__INIT;

        step.value = id->step;
        if (name)
                scancel_announce(s, name, id->has_step ? &step : NULL);
}

/* Acts on whole jobs and tasks in one request, then on each step. */
static int act_on_ids(const struct scancel *s, struct wire *w, const struct job_id *ids, size_t n) {
        _cleanup_(job_id_request_done) struct job_id_request whole = { 0 };
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        int rc = EXIT_SUCCESS;

        for (size_t i = 0; i < n; i++)
                scancel_announce_id(s, &ids[i]);
        job_id_request_init(&whole, ids, n);
        action.ids = whole.ids;
        action.n_ids = whole.n_ids;
        action.tasks = whole.task_pointers;
        action.n_tasks = whole.n_tasks;
        if (action.n_ids + action.n_tasks > 0)
                rc = scancel_send_action(s, w, &action);
        for (size_t i = 0; i < n; i++) {
                _cleanup_(job_id_request_done) struct job_id_request one_job = { 0 };
                Slumber__JobAction one = SLUMBER__JOB_ACTION__INIT;
                Slumber__Number step = SLUMBER__NUMBER__INIT;
                struct job_id id = ids[i];

                if (!id.has_step)
                        continue;
                step.value = id.step;
                id.has_step = false;
                job_id_request_init(&one_job, &id, 1);
                one.ids = one_job.ids;
                one.n_ids = one_job.n_ids;
                one.tasks = one_job.task_pointers;
                one.n_tasks = one_job.n_tasks;
                one.step = &step;
                rc |= scancel_send_action(s, w, &one);
        }
        return rc;
}

/* ---- query first, then act ---- */

static bool filter_matches_text(const char *wanted, const char *have) {
        return !wanted || streq(wanted, have);
}

/* list: reservations of a job, separated by commas. */
static bool filter_matches_reservation(const char *wanted, const char *list) {
        size_t n = strlen(strempty(wanted));

        for (const char *p = list; wanted && *p; p += strcspn(p, ","), p += *p == ',')
                if (strcspn(p, ",") == n && strncmp(p, wanted, n) == 0)
                        return true;
        return !wanted;
}

static bool filter_matches_nodes(const char *wanted, const char *have) {
        _cleanup_(hostlist_freep) struct hostlist *a = NULL, *b = NULL;

        if (!wanted)
                return true;
        if (hostlist_parse(wanted, &a, NULL) < 0 || hostlist_parse(have, &b, NULL) < 0)
                return false;
        for (size_t i = 0; i < hostlist_count(a); i++)
                if (hostlist_has(b, hostlist_get(a, i)))
                        return true;
        return false;
}

static bool filter_matches_user(const struct scancel *s, const Job *job) {
        uint64_t uid;

        if (!s->user || streq(s->user, job->user))
                return true;
        return uint_parse(s->user, 0, UINT32_MAX, &uid) == 0 && uid == job->uid;
}

static bool is_selected(const struct scancel *s, const Job *job) {
        return filter_matches_user(s, job) && filter_matches_text(s->name, job->spec->name) &&
               filter_matches_text(s->partition, job->partition) &&
               filter_matches_text(s->account, job->spec->account) &&
               filter_matches_text(s->qos, job->spec->qos) &&
               filter_matches_text(s->wckey, job->spec->wckey) &&
               filter_matches_reservation(s->reservation, job->spec->reservation) &&
               (s->state < 0 || s->state == (int)job->state) &&
               filter_matches_nodes(s->nodes, job->nodes);
}

static bool scancel_confirm(const struct scancel *s, const Job *job, const struct job_id *id) {
        _cleanup_free_ char *line = NULL;
        size_t size = 0;

        _cleanup_free_ char *name = job_id_text(id);

        while (s->interactive) { /* until the answer is yes or no */
                if (id->has_step)
                        printf("Cancel step_id=%s.%u name=%s partition=%s [y/n]? ", name, id->step,
                                        job->spec->name, job->partition);
                else
                        printf("Cancel job_id=%s name=%s partition=%s [y/n]? ", name,
                                        job->spec->name, job->partition);
                fflush(stdout);
                if (getline(&line, &size, stdin) < 0 || line[0] == 'n' || line[0] == 'N')
                        return false;
                if (line[0] == 'y' || line[0] == 'Y')
                        return true;
        }
        return true;
}

/* Returns the job's name for messages and requests: array records by the tasks of the record. */
static struct job_id scancel_job_id(const Job *job) {
        bool rest = !isempty(job->array_waiting);

        if (job->het_job && job->state != SLUMBER__JOB_STATE__JOB_PENDING)
                return (struct job_id){ .job = job->het_job,
                        .tasks = xasprintf("+%u", job->het_offset) };
        if (job->het_job) /* a pending heterogeneous job is one job */
                return (struct job_id){ .job = job->het_job };
        if (!job->array_job)
                return (struct job_id){ .job = job->id };
        return (struct job_id){ .job = job->array_job,
                .tasks = rest ? xstrdup(job->array_waiting) : xasprintf("%u", job->array_task) };
}

static int scancel_query_jobs(struct wire *w, const struct job_id *ids, size_t n,
                struct job_list *list, struct fail *fail) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_free_ struct job_id *whole = xnew(struct job_id, n + 1);
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;

        for (size_t i = 0; i < n; i++) {
                whole[i] = ids[i];
                whole[i].has_step = false;
        }
        job_id_request_init(&named, whole, n);
        query.ids = named.ids;
        query.n_ids = named.n_ids;
        query.tasks = named.task_pointers;
        query.n_tasks = named.n_tasks;
        query.with_finished = n > 0;
        query.with_hidden = true;
        return query_jobs(w, &query, list, NULL, fail);
}

static bool job_record_is_active(const Job *job) {
        return job->state == SLUMBER__JOB_STATE__JOB_PENDING ||
               job->state == SLUMBER__JOB_STATE__JOB_RUNNING ||
               job->state == SLUMBER__JOB_STATE__JOB_SUSPENDED;
}

/* Reports a named job which is not active: an error with filters, as in Slurm, but not with ids
   alone. */
static int scancel_report_gone(struct scancel *s, const struct job_id *id) {
        _cleanup_free_ char *name = job_id_text(id);
        char at[STEP_TEXT_MAX + 1] = "", buf[STEP_TEXT_MAX];

        if (id->has_step)
                snprintf(at, sizeof at, ".%s", step_text(id->step, buf));
        if (!s->quiet)
                command_error(PROGRAM, "Kill job error on job %sid %s%s: %s",
                                id->has_step ? "step " : "", name, at,
                                slumber_error_text(SLUMBER_BAD_JOB_ID));
        s->missed = true;
        return EXIT_FAILURE;
}

/* Acts on the active, selected and confirmed jobs of one id (n = 0: of all jobs). */
static int sift_and_act(struct scancel *s, struct wire *w, const struct job_id *ids, size_t n) {
        _cleanup_(job_list_done) struct job_list list = { 0 };
        struct fail fail = { 0 };
        int rc = EXIT_SUCCESS;

        if (scancel_query_jobs(w, ids, n, &list, &fail) < 0) {
                command_error(PROGRAM, "%s", fail.text);
                return EXIT_FAILURE;
        }
        size_t active = 0;
        for (size_t i = 0; i < list.n_jobs; i++)
                active += job_record_is_active(list.jobs[i]);
        if (n && active == 0)
                return scancel_report_gone(s, ids);
        for (size_t i = 0; i < list.n_jobs; i++) {
                struct job_id id = scancel_job_id(list.jobs[i]);

                id.has_step = n && ids->has_step;
                id.step = n ? ids->step : 0;
                if (job_record_is_active(list.jobs[i]) && is_selected(s, list.jobs[i]) &&
                                scancel_confirm(s, list.jobs[i], &id)) {
                        rc |= act_on_ids(s, w, &id, 1);
                        s->matched = true;
                }
                job_id_done(&id);
        }
        return rc;
}

static int look_up_and_act(struct scancel *s, struct wire *w) {
        int rc = EXIT_SUCCESS;

        if (s->n_ids == 0)
                rc = sift_and_act(s, w, NULL, 0);
        for (size_t i = 0; i < s->n_ids; i++)
                rc |= sift_and_act(s, w, &s->ids[i], 1);
        if (!s->matched && s->verbose && !s->missed && !s->interactive)
                say_no_match(s);
        return rc;
}

/* Checks a user name; a number needs no such user. */
static int scancel_check_user(const struct scancel *s, struct fail *fail) {
        uint64_t number;
        uid_t uid;

        if (!s->user || uint_parse(s->user, 0, UINT32_MAX - 1, &number) == 0)
                return 0;
        int r = command_user(s->user, &uid, NULL, fail);
        return r == -ENOENT ? fail_set(fail, r, "Invalid user name: %s", s->user) : r;
}

/* Runs the request in one cluster. */
static int scancel_run(void *user, size_t at) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct scancel one = *(const struct scancel *)user, *s = &one;
        struct fail fail = { 0 };

        (void)at;
        if (scancel_check_user(s, &fail) < 0 || command_connect(&w, &fail) < 0) {
                command_error(PROGRAM, "%s", fail.text);
                return EXIT_FAILURE;
        }
        command_say_when_slow(w, PROGRAM);
        if (s->interactive || s->wckey || (s->n_ids > 0 && scancel_has_filters(s)))
                return look_up_and_act(s, w);
        if (s->n_ids > 0)
                return act_on_ids(s, w, s->ids, s->n_ids);
        return act_on_selection(s, w);
}

static int scancel_parse(struct scancel *s, int argc, char **argv) {
        struct fail fail = { 0 };
        int first, r;

        r = scancel_read_environment(s, &fail);
        if (r < 0) {
                command_error(PROGRAM, "%s", fail.text);
                return r;
        }
        r = options_parse(&table, argc, argv, s, &first);
        if (r != 0)
                return r;
        if (s->me)
                set_me(s);
        if (first >= argc && !scancel_has_filters(s)) {
                command_error(PROGRAM, "No job identification provided");
                return -EINVAL;
        }
        s->expects |= s->batch;
        /* A signal to a part of a job goes to that part; without a signal the whole job ends. */
        if (s->batch || s->full)
                s->signal = s->signal ? s->signal : SIGKILL;
        else if (s->signal == SIGKILL) {
                s->kill = true;
                s->signal = 0;
        }
        return scancel_read_ids(s, argc - first, argv + first);
}

int scancel_main(int argc, char **argv) {
        struct scancel s = { .state = -1 };
        int r = scancel_parse(&s, argc, argv);
        int rc = r == OPTIONS_DONE ? EXIT_SUCCESS : EXIT_FAILURE;

        if (r == 0)
                rc = command_each_cluster(PROGRAM, s.clusters, scancel_run, &s);
        scancel_free_ids(&s);
        return rc;
}
