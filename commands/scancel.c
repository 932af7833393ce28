/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scancel: jobs named by id, or selected by what they are, are ended or get a signal.
 *
 * Ids alone and selections alone are one request: the controller has every job at hand.  Ids together with a
 * selection, --wckey and --interactive look the jobs up first and send the ids that are left.  Steps are one request each.
 * A job that is gone already is what was wanted: silence and 0, unless -v asks for words.  A signal that nobody is
 * there to hear is an error.
 */
#include "commands/command.h"
#include "commands/jobid.h"
#include "commands/options.h"
#include "commands/query.h"
#include "lib/errors.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

#include <signal.h>
#include <strings.h>

#define PROGRAM "scancel"
#define IDS_MAX 1000000

struct scancel {
        bool batch, full, interactive, me;
        bool missed;  /* one that was named is not there */
        bool expects; /* a signal was named: its jobs must be there */
        unsigned quiet, verbose;
        uint32_t signal; /* 0 = end the job */
        const char *user, *name, *partition, *nodes, *account, *qos, *wckey;
        int state; /* -1 = any */
        struct job_id *ids;
        size_t n_ids;
        char user_buffer[32]; /* where user points with --me */
};

#define AT(field) offsetof(struct scancel, field)

static int set_signal(void *options, const char *value, struct fail *fail) {
        struct scancel *s = options;

        if (signal_parse(value, &s->signal) < 0)
                return fail_set(fail, -EINVAL, "Unknown job signal: %s", value);
        s->expects = true;
        return 0;
}

static int set_state(void *field, const char *value, struct fail *fail) {
        static const struct {
                const char *name, *shortly;
                int state;
        } states[] = {
                {"PENDING",    "PD", SLUMBER__JOB_STATE__JOB_PENDING  },
                { "RUNNING",   "R",  SLUMBER__JOB_STATE__JOB_RUNNING  },
                { "SUSPENDED", "S",  SLUMBER__JOB_STATE__JOB_SUSPENDED},
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
        { "batch", 'b', OPTION_FLAG, AT(batch), NULL, NULL, "signal the batch script only" },
        { "clusters", 'M', OPTION_REFUSED_ARG, 0, NULL, NULL, NULL },
        { "cluster", 0, OPTION_REFUSED_ARG, 0, NULL, NULL, NULL },
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
        { "reservation", 'R', OPTION_REFUSED_ARG, 0, NULL, NULL, NULL },
        { "sibling", 0, OPTION_REFUSED_ARG, 0, NULL, NULL, NULL },
        { "signal", 's', OPTION_CALL, 0, set_signal, "name", "send this signal, do not end the job" },
        { "state", 't', OPTION_CALL, AT(state), set_state, "state", "PENDING, RUNNING or SUSPENDED jobs" },
        { "user", 'u', OPTION_TEXT, AT(user), NULL, "name", "jobs of this user" },
        { "verbose", 'v', OPTION_COUNT, AT(verbose), NULL, NULL, "say what is done" },
        { "wckey", 0, OPTION_TEXT, AT(wckey), NULL, "key", "jobs of this workload characterization key" },
        OPTION_ROWS_HELP('h'),
};
/* clang-format on */

static const struct option_table table = { PROGRAM, "[job_id[.step]...]", false, rows,
        ELEMENTSOF(rows), NULL };

static bool selects(const struct scancel *s) {
        return s->user || s->name || s->partition || s->nodes || s->account || s->qos ||
               s->wckey || s->state >= 0;
}

/* Slurm's variables for options; those of yes or no count when they are set. */
static int read_environment(struct scancel *s, struct fail *fail) {
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
                int r = isempty(value) ? 0 : options_set(&table, variables[i].option, variables[i].flag ? NULL : value, s, fail);

                if (r < 0)
                        return fail_prefix(fail, r, "%s", variables[i].variable);
        }
        return 0;
}

/* ---- arguments ---- */

static int add_id(struct scancel *s, const char *word) {
        struct fail fail = { 0 };
        struct job_id id;
        int r = job_id_parse(word, &id, &fail);

        if (r == -ENOTSUP)
                command_error(PROGRAM, "%s", fail.text);
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

/* A word may hold several ids with commas between them. */
static int read_ids(struct scancel *s, int n, char **words) {
        size_t most = 0;

        for (int i = 0; i < n; i++)
                for (const char *p = words[i]; p; p = strchr(p, ','), p = p ? p + 1 : NULL)
                        most++;
        s->ids = xnew0(struct job_id, MAX(most, (size_t)1));
        for (int i = 0; i < n; i++) {
                char *save = NULL;

                for (char *w = strtok_r(words[i], ",", &save); w; w = strtok_r(NULL, ",", &save)) {
                        int r = add_id(s, w);

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

static char *text(const char *s) {
        return (char *)(s ? s : "");
}

/* Names the jobs before they are acted upon. */
static void announce(const struct scancel *s, uint32_t id, const Slumber__Number *step) {
        const char *what = s->batch ? "batch " : s->full ? "full " : "";
        char at[16] = "";

        if (step && step->value == STEP_BATCH)
                snprintf(at, sizeof at, ".batch");
        else if (step)
                snprintf(at, sizeof at, ".%u", (unsigned)step->value);
        if (s->signal)
                fprintf(stderr, PROGRAM ": Signal %u to %sjob %u%s\n", s->signal, what, id, at);
        else
                fprintf(stderr, PROGRAM ": Terminating job %u%s\n", id, at);
}

static bool is_gone(uint32_t code) {
        return code == SLUMBER_BAD_JOB_ID || code == SLUMBER_ALREADY_DONE ||
               code == SLUMBER_JOB_ENDED || code == SLUMBER_BAD_STEP_ID;
}

static int report(const struct scancel *s, const Slumber__JobResult *result) {
        const char *words = slumber_error_text((int)result->code);
        bool gone = is_gone(result->code);

        if (result->code == SLUMBER_OK)
                return EXIT_SUCCESS;
        if (!isempty(result->text))
                words = result->text;
        if (!gone || s->verbose || s->expects)
                command_error(PROGRAM, "Kill job error on job id %u: %s", result->id,
                                words ? words : slumber_error_text(SLUMBER_FAILED));
        return gone && !s->expects ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* An Error in place of results: the whole request is refused. */
static int report_refusal(
                const struct scancel *s, uint32_t code, uint32_t id, const struct fail *fail) {
        bool gone = code && is_gone(code);

        if (gone && !s->verbose && !s->expects)
                return EXIT_SUCCESS;
        if (id)
                command_error(PROGRAM, "Kill job error on job id %u: %s", id, fail->text);
        else
                command_error(PROGRAM, "%s", fail->text);
        return gone && !s->expects ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Nothing is left to be done, which is no error; -v says what was looked for. */
static void say_no_match(const struct scancel *s) {
        static const char *const states[] = { "PENDING", "RUNNING", "SUSPENDED" };
        const struct {
                const char *key, *value;
        } filters[] = {
                { "account", s->account }, { "job_name", s->name }, { "nodelist", s->nodes },
                { "partition", s->partition }, { "qos", s->qos },
                { "state", s->state >= 0 ? states[s->state] : NULL }, { "user", s->user }, { "wckey", s->wckey },
        };

        fputs(PROGRAM ": error: No active jobs match ALL job filters, including:", stderr);
        for (size_t i = 0; i < ELEMENTSOF(filters); i++)
                if (filters[i].value)
                        fprintf(stderr, " %s=%s", filters[i].key, filters[i].value);
        fputc('\n', stderr);
}

static int act(const struct scancel *s, struct wire *w, Slumber__JobAction *action) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code = 0;
        int rc = EXIT_SUCCESS;

        action->kind = s->signal ? SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL
                                 : SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL;
        action->signal = s->signal;
        action->batch_only = s->batch;
        action->full = s->full;
        for (size_t i = 0; i < action->n_ids && s->verbose; i++)
                announce(s, action->ids[i], action->step);
        ENVELOPE(envelope, JOB_ACTION, job_action, action);
        if (wire_call(w, &envelope, &reply, &code, &fail) < 0)
                return report_refusal(s, code, action->n_ids ? action->ids[0] : 0, &fail);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_JOB_ACTION_REPLY)
                return EXIT_SUCCESS; /* Ok */
        if (reply->job_action_reply->n_results == 0 && s->verbose)
                say_no_match(s);
        for (size_t i = 0; i < reply->job_action_reply->n_results; i++) {
                const Slumber__JobResult *result = reply->job_action_reply->results[i];

                if (action->n_ids == 0 && s->verbose)
                        announce(s, result->id, NULL);
                rc |= report(s, result);
        }
        return rc;
}

static int act_on_selection(const struct scancel *s, struct wire *w) {
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        uint32_t state = (uint32_t)s->state;

        action.user = text(s->user);
        action.name = text(s->name);
        action.partition = text(s->partition);
        action.nodes = text(s->nodes);
        action.account = text(s->account);
        action.qos = text(s->qos);
        action.states = &state;
        action.n_states = s->state >= 0;
        return act(s, w, &action);
}

/* Whole jobs in one request, then each step. */
static int act_on_ids(const struct scancel *s, struct wire *w, const struct job_id *ids, size_t n) {
        _cleanup_free_ uint32_t *whole = xnew(uint32_t, MAX(n, (size_t)1));
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        int rc = EXIT_SUCCESS;

        action.ids = whole;
        for (size_t i = 0; i < n; i++)
                if (!ids[i].has_step)
                        whole[action.n_ids++] = ids[i].job;
        if (action.n_ids > 0)
                rc = act(s, w, &action);
        for (size_t i = 0; i < n; i++) {
                Slumber__JobAction one = SLUMBER__JOB_ACTION__INIT;
                Slumber__Number step = SLUMBER__NUMBER__INIT;
                uint32_t job = ids[i].job;

                if (!ids[i].has_step)
                        continue;
                step.value = ids[i].step;
                one.ids = &job;
                one.n_ids = 1;
                one.step = &step;
                rc |= act(s, w, &one);
        }
        return rc;
}

/* ---- looked up first ---- */

static bool same(const char *wanted, const char *have) {
        return !wanted || streq(wanted, have);
}

static bool on_nodes(const char *wanted, const char *have) {
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

static bool of_user(const struct scancel *s, const Job *job) {
        uint64_t uid;

        if (!s->user || streq(s->user, job->user))
                return true;
        return uint_parse(s->user, 0, UINT32_MAX, &uid) == 0 && uid == job->uid;
}

static bool is_selected(const struct scancel *s, const Job *job) {
        return of_user(s, job) && same(s->name, job->spec->name) &&
               same(s->partition, job->partition) && same(s->account, job->spec->account) &&
               same(s->qos, job->spec->qos) && same(s->wckey, job->spec->wckey) &&
               (s->state < 0 || s->state == (int)job->state) &&
               on_nodes(s->nodes, job->nodes);
}

static bool confirmed(const struct scancel *s, const Job *job, const struct job_id *id) {
        _cleanup_free_ char *line = NULL;
        size_t size = 0;

        while (s->interactive) { /* until the answer is one */
                if (id->has_step)
                        printf("Cancel step_id=%u.%u name=%s partition=%s [y/n]? ", job->id, id->step,
                                        job->spec->name, job->partition);
                else
                        printf("Cancel job_id=%u name=%s partition=%s [y/n]? ", job->id, job->spec->name,
                                        job->partition);
                fflush(stdout);
                if (getline(&line, &size, stdin) < 0 || line[0] == 'n' || line[0] == 'N')
                        return false;
                if (line[0] == 'y' || line[0] == 'Y')
                        return true;
        }
        return true;
}

static const Job *find(const struct job_list *list, uint32_t id) {
        for (size_t i = 0; i < list->n_jobs; i++)
                if (list->jobs[i]->id == id)
                        return list->jobs[i];
        return NULL;
}

/* Leaves of ids those that are there, selected and confirmed. */
static size_t sift(struct scancel *s, const struct job_list *list, struct job_id *ids,
                size_t n) {
        size_t kept = 0;

        for (size_t i = 0; i < n; i++) {
                const Job *job = find(list, ids[i].job);

                if (!job && (s->verbose || s->expects))
                        command_error(PROGRAM, "Kill job error on job id %u: %s", ids[i].job,
                                        slumber_error_text(SLUMBER_BAD_JOB_ID));
                s->missed |= !job;
                if (job && is_selected(s, job) && confirmed(s, job, &ids[i]))
                        ids[kept++] = ids[i];
        }
        return kept;
}

static struct job_id *all_ids(const struct job_list *list) {
        struct job_id *ids = xnew0(struct job_id, MAX(list->n_jobs, (size_t)1));

        for (size_t i = 0; i < list->n_jobs; i++)
                ids[i].job = list->jobs[i]->id;
        return ids;
}

static int look_up_and_act(struct scancel *s, struct wire *w) {
        _cleanup_(job_list_done) struct job_list list = { 0 };
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        struct fail fail = { 0 };
        size_t n;

        if (query_jobs(w, &query, &list, NULL, &fail) < 0) {
                command_error(PROGRAM, "%s", fail.text);
                return EXIT_FAILURE;
        }
        if (s->n_ids == 0) {
                free(s->ids);
                s->ids = all_ids(&list);
                s->n_ids = list.n_jobs;
        }
        n = sift(s, &list, s->ids, s->n_ids);
        if (n == 0 && s->verbose && !s->missed && !s->interactive)
                say_no_match(s);
        return act_on_ids(s, w, s->ids, n) | (s->missed && s->expects);
}

/* A name; numbers mean whoever has them. */
static int check_user(const struct scancel *s, struct fail *fail) {
        uint64_t number;
        uid_t uid;

        if (!s->user || uint_parse(s->user, 0, UINT32_MAX - 1, &number) == 0)
                return 0;
        int r = command_user(s->user, &uid, NULL, fail);
        return r == -ENOENT ? fail_set(fail, r, "Invalid user name: %s", s->user) : r;
}

static int run(struct scancel *s) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct fail fail = { 0 };

        if (check_user(s, &fail) < 0 || command_connect(&w, &fail) < 0) {
                command_error(PROGRAM, "%s", fail.text);
                return EXIT_FAILURE;
        }
        if (s->interactive || s->wckey || (s->n_ids > 0 && selects(s)))
                return look_up_and_act(s, w);
        if (s->n_ids > 0)
                return act_on_ids(s, w, s->ids, s->n_ids);
        return act_on_selection(s, w);
}

static int parse(struct scancel *s, int argc, char **argv) {
        struct fail fail = { 0 };
        int first, r;

        r = read_environment(s, &fail);
        if (r < 0) {
                command_error(PROGRAM, "%s", fail.text);
                return r;
        }
        r = options_parse(&table, argc, argv, s, &first);
        if (r != 0)
                return r;
        if (s->me)
                set_me(s);
        if (first >= argc && !selects(s)) {
                command_error(PROGRAM, "No job identification provided");
                return -EINVAL;
        }
        s->expects |= s->batch;
        /* A signal to part of a job goes to that part; without one the whole job ends. */
        if (s->batch || s->full)
                s->signal = s->signal ? s->signal : SIGKILL;
        else if (s->signal == SIGKILL)
                s->signal = 0;
        return read_ids(s, argc - first, argv + first);
}

int scancel_main(int argc, char **argv) {
        struct scancel s = { .state = -1 };
        int r = parse(&s, argc, argv);
        int rc = r == OPTIONS_DONE ? EXIT_SUCCESS : EXIT_FAILURE;

        if (r == 0)
                rc = run(&s);
        free(s.ids);
        return rc;
}
