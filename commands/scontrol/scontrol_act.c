/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol's verbs for jobs and daemons, and the functions for requests: a verb turns its words
 * into a request and prints a refusal in Slurm's words. Mistakes visible without the controller are
 * reported before a request is sent. */
#include "commands/jobid.h"
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "lib/config/config.h"
#include "lib/errors.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/wire.h"
#include "lib/wordlist.h"

#include <strings.h>
#include <sys/utsname.h>

int scontrol_complain(const struct scontrol *s, const char *format, ...) {
        va_list ap;

        if (s->quiet)
                return EXIT_FAILURE;
        va_start(ap, format);
        printable_vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
        return EXIT_FAILURE;
}

int scontrol_refuse(const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        printable_vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
        return EXIT_FAILURE;
}

/* ---- requests ---- */

static void say_told(const char *lines) {
        command_told("scontrol", true, lines);
}

/* A slow answer is normal here: a dead BMC is reported after a timeout only. */
static void say_bmcs_slow(const char *why) {
        (void)why;
        fputs("scontrol: some BMCs have not answered yet, and are waited for: a minute at most\n",
                        stderr);
}

int scontrol_call(Envelope *request, Envelope **ret_reply, uint32_t *ret_code, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        int r;

        *ret_code = SLUMBER_CONTROLLER_AWAY;
        r = command_connect(&w, fail);
        if (r < 0)
                return r;
        if (request->body_case == SLUMBER__ENVELOPE__BODY_AUDIT)
                wire_when_slow(w, 10 * USEC_PER_SEC, say_bmcs_slow);
        else
                command_say_when_slow(w, "scontrol");
        wire_when_told(w, say_told);
        r = wire_call(w, request, &reply, ret_code, fail);
        if (r < 0)
                return r;
        if (reply->body_case == SLUMBER__ENVELOPE__BODY_OK)
                command_told("scontrol", false, reply->ok->told);
        if (ret_reply)
                *ret_reply = TAKE(reply);
        return 0;
}

/* Returns the name (borrowed) of the cluster asked; NULL if the cluster is this host's own. */
static const char *scontrol_far(const struct scontrol *s) {
        const char *name = s->sites->names[s->site];

        return name && !streq(name, s->sites->own) ? name : NULL;
}

const char *scontrol_refusal(uint32_t code, const struct fail *fail) {
        if (code == SLUMBER_CONTROLLER_AWAY)
                return fail->text;
        return command_refusal("scontrol", code, fail->text);
}

int scontrol_ask(const struct scontrol *s, Envelope *request, const char *verb) {
        struct fail fail = { 0 };
        uint32_t code;

        if (scontrol_call(request, NULL, &code, &fail) < 0)
                return scontrol_refuse("%s error: %s", verb, scontrol_refusal(code, &fail));
        return EXIT_SUCCESS;
}

/* ---- lists of jobs ---- */

static void id_list_add_word(const struct scontrol *s, struct id_list *list, const char *word) {
        struct job_id id = { 0 };
        int r = job_id_parse(word, &id);

        if (r == 0 && !id.has_step && list->n < ID_LIST_MAX) {
                list->ids[list->n++] = id;
                return;
        }
        job_id_done(&id);
        list->bad = true;
        scontrol_complain(s, "%s for job %s", slumber_error_text(SLUMBER_BAD_JOB_ID), word);
}

/* Returns "3" for "jobid=3". */
static char *without_key(char *words) {
        char *equals = strchr(words, '=');

        return equals && strncasecmp(words, "job", 3) == 0 ? equals + 1 : words;
}

void id_list_add(const struct scontrol *s, struct id_list *list, char *words) {
        words = without_key(words);
        for (char *w = job_id_next(&words); w; w = job_id_next(&words))
                id_list_add_word(s, list, w);
}

void id_list_done(struct id_list *list) {
        for (size_t i = 0; i < list->n; i++)
                job_id_done(&list->ids[i]);
}

struct job_verb {
        const char *name;
        Slumber__JobActionKind kind;
        bool is_update; /* an update in Slurm, with the messages of an update */
};

static const struct job_verb job_verbs[] = {
        { "suspend", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SUSPEND, false },
        { "resume", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RESUME, false },
        { "requeue", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE, false },
        { "requeuehold", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE_HOLD, false },
        { "hold", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD, true },
        { "uhold", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD, true },
        { "release", SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RELEASE, true },
};

static int action_report_result(const struct scontrol *s, const Slumber__JobResult *result,
                const char **ret_words) {
        const char *words = result->text;

        if (result->code == SLUMBER_OK)
                return EXIT_SUCCESS;
        if (isempty(words))
                words = slumber_error_text((int)result->code);
        if (isempty(words))
                words = slumber_error_text(SLUMBER_FAILED);
        if (strchr(result->name, '+'))
                return scontrol_complain(s, "%s for job %s", words, result->name);
        /* a part of an array: each part may be refused for a different reason */
        if (!isempty(result->name))
                return scontrol_complain(s, "%s: %s", result->name, words);
        *ret_words = words;
        return scontrol_complain(s, "%s for job %u", words, result->id);
}

static void name_jobs(Slumber__JobAction *action, const struct job_id_request *named) {
        action->ids = named->ids;
        action->n_ids = named->n_ids;
        action->tasks = named->task_pointers;
        action->n_tasks = named->n_tasks;
}

/* options of requeue and requeuehold, before the jobs */
struct requeue_words {
        bool incomplete, special_exit;
};

/* Returns 1 if word was an option and is handled; 0 if word is no option; -EINVAL after a
   message. */
static int take_requeue_word(const struct scontrol *s, const struct job_verb *verb,
                const char *word, struct requeue_words *ret) {
        bool holds = verb->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE_HOLD;

        if (strncasecmp(word, "state=", 6) == 0) {
                if (!holds || strcasecmp(word + 6, "SpecialExit") != 0) {
                        scontrol_complain(s,
                                        "%s is refused: State=SpecialExit of requeuehold is all that there is",
                                        word);
                        return -EINVAL;
                }
                return ret->special_exit = true;
        }
        if ((!holds && verb->kind != SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE) ||
                        strcasecmp(word, "incomplete") != 0)
                return 0;
        return ret->incomplete = true;
}

/* Acts on the jobs of list, or, with name, on all jobs of this name. */
static int jobs_send_action(const struct scontrol *s, const struct job_verb *verb,
                struct id_list *list, const char *name, const struct requeue_words *requeue) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        struct fail fail = { 0 };
        const char *words = NULL; /* refusal of the last job refused as a whole */
        uint32_t code;
        int rc = EXIT_SUCCESS;

        action.kind = verb->kind;
        action.name = message_text(name);
        action.incomplete = requeue->incomplete;
        action.special_exit = requeue->special_exit;
        job_id_request_init(&named, list->ids, name ? 0 : list->n);
        name_jobs(&action, &named);
        ENVELOPE(envelope, JOB_ACTION, job_action, &action);
        if (scontrol_call(&envelope, &reply, &code, &fail) < 0) {
                _cleanup_free_ char *first = list->n == 1 && !name ? job_id_text(&list->ids[0])
                                                                   : NULL;
                if (scontrol_far(s)) /* the error concerns the cluster, not a job */
                        return scontrol_complain(s, "slurm_%s error: %s", verb->name, fail.text);
                if (code != SLUMBER_CONTROLLER_AWAY && !verb->is_update && first)
                        return scontrol_complain(s, "%s for job %s", fail.text, first);
                return scontrol_complain(s, "slurm_%s error: %s",
                                verb->is_update ? "suspend" : verb->name, fail.text);
        }
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_JOB_ACTION_REPLY)
                return EXIT_SUCCESS;
        command_told("scontrol", false, reply->job_action_reply->told);
        for (size_t i = 0; i < reply->job_action_reply->n_results; i++)
                rc |= action_report_result(s, reply->job_action_reply->results[i], &words);
        return words && verb->is_update ? scontrol_complain(s, "slurm_suspend error: %s", words)
                                        : rc;
}

static int job_verb(const struct scontrol *s, Slumber__JobActionKind kind, int argc, char **argv) {
        _cleanup_free_ struct id_list *list = xnew0(struct id_list, 1);
        const struct job_verb *verb = NULL;
        struct requeue_words requeue = { 0 };
        int rc = EXIT_SUCCESS, n = 1;

        for (size_t i = 0; i < ELEMENTSOF(job_verbs); i++)
                if (job_verbs[i].kind == kind)
                        verb = &job_verbs[i];
        assert(verb);
        if (argc < 2)
                return scontrol_complain(s, "too few arguments for keyword:%s", argv[0]);
        for (int i = 1; i < argc; i++) {
                int r = take_requeue_word(s, verb, argv[i], &requeue);
                if (r < 0)
                        rc = EXIT_FAILURE;
                else if (r == 0)
                        argv[n++] = argv[i];
        }
        if (rc != EXIT_SUCCESS)
                return rc;
        for (int i = 1; i < n; i++) {
                const char *name = verb->is_update && strncasecmp(argv[i], "jobname=", 8) == 0
                                                   ? argv[i] + 8
                                                   : NULL;
                if (name && *name)
                        rc |= jobs_send_action(s, verb, list, name, &requeue);
                else if (!name)
                        id_list_add(s, list, argv[i]);
        }
        if (list->n > 0)
                rc |= jobs_send_action(s, verb, list, NULL, &requeue);
        id_list_done(list);
        if (list->bad && verb->is_update)
                scontrol_complain(s, "slurm_suspend error: %s",
                                slumber_error_text(SLUMBER_BAD_JOB_ID));
        return list->bad ? EXIT_FAILURE : rc;
}

#define DEFINE_JOB_VERB(function, kind)                                                            \
        int function(const struct scontrol *s, int argc, char **argv) {                            \
                return job_verb(s, SLUMBER__JOB_ACTION_KIND__JOB_ACTION_##kind, argc, argv);       \
        }
DEFINE_JOB_VERB(scontrol_suspend, SUSPEND)
DEFINE_JOB_VERB(scontrol_resume, RESUME)
DEFINE_JOB_VERB(scontrol_hold, HOLD)
DEFINE_JOB_VERB(scontrol_uhold, UHOLD)
DEFINE_JOB_VERB(scontrol_release, RELEASE)
DEFINE_JOB_VERB(scontrol_requeue, REQUEUE)
DEFINE_JOB_VERB(scontrol_requeuehold, REQUEUE_HOLD)

int scontrol_top(const struct scontrol *s, int argc, char **argv) {
        _cleanup_free_ struct id_list *list = xnew0(struct id_list, 1);
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_free_ char *typed = argc == 2 ? xstrdup(argv[1]) : NULL;
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        struct fail fail = { 0 };
        int rc = EXIT_SUCCESS;
        uint32_t code;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        id_list_add(s, list, argv[1]);
        job_id_request_init(&named, list->ids, list->n);
        action.kind = SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP;
        name_jobs(&action, &named);
        ENVELOPE(envelope, JOB_ACTION, job_action, &action);
        if (list->bad)
                rc = EXIT_FAILURE;
        else if (scontrol_call(&envelope, NULL, &code, &fail) < 0)
                rc = code == SLUMBER_CONTROLLER_AWAY || scontrol_far(s)
                                     ? scontrol_complain(s, "slurm_top_job error: %s", fail.text)
                                     : scontrol_complain(s, "%s for job %s", fail.text,
                                                       without_key(typed));
        id_list_done(list);
        return rc;
}

/* Returns the words as one line, control characters replaced by blanks; the caller frees the
   line. */
static char *one_line(int n, char **words) {
        char *line = xstrdup("");

        for (int i = 0; i < n; i++)
                text_add_word(&line, " ", "%s", words[i]);
        for (char *p = line; *p; p++)
                if ((unsigned char)*p < ' ' || *p == 0x7f)
                        *p = ' ';
        return line;
}

/* Succeeds if at least one job or array task was notified. */
static int notify_report_results(const struct scontrol *s, const Slumber__JobActionReply *m) {
        uint32_t code = m->n_results ? m->results[0]->code : (uint32_t)SLUMBER_BAD_JOB_ID;

        for (size_t i = 0; i < m->n_results; i++)
                if (m->results[i]->code == SLUMBER_OK)
                        return EXIT_SUCCESS;
        return scontrol_complain(s, "job notify failure: %s", slumber_error_text((int)code));
}

int scontrol_notify(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(job_id_request_done) struct job_id_request named = { 0 };
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__JobAction action = SLUMBER__JOB_ACTION__INIT;
        _cleanup_free_ char *message = NULL;
        struct job_id id = { 0 };
        struct fail fail = { 0 };
        uint32_t code;

        if (argc < 3)
                return scontrol_complain(s, "too few arguments for keyword:%s", argv[0]);
        if (job_id_parse(argv[1], &id) < 0 || id.has_step) {
                job_id_done(&id);
                return scontrol_complain(s, "Invalid job_id %s", argv[1]);
        }
        message = one_line(argc - 2, argv + 2);
        job_id_request_init(&named, &id, 1);
        action.kind = SLUMBER__JOB_ACTION_KIND__JOB_ACTION_NOTIFY;
        name_jobs(&action, &named);
        action.message = message;
        ENVELOPE(envelope, JOB_ACTION, job_action, &action);
        int r = scontrol_call(&envelope, &reply, &code, &fail);
        job_id_done(&id);
        if (r < 0)
                return scontrol_complain(s, "job notify failure: %s", fail.text);
        return reply->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION_REPLY
                               ? notify_report_results(s, reply->job_action_reply)
                               : EXIT_SUCCESS;
}

/* ---- small requests ---- */

/* Returns the controller's host from the configuration file, or this host's name without a
   readable file; the caller frees the name. */
static char *controller_host(void) {
        _cleanup_free_ char *path = config_find(NULL), *host = config_peek(path, "SlurmctldHost");
        struct utsname u;

        if (host)
                return xstrndup(host, strcspn(host, "("));
        return xstrdup(uname(&u) == 0 ? u.nodename : "localhost");
}

/* Prints a line for each SlurmctldHost line, the first of which is Slurm's "primary". */
static void ping_print(const Slumber__PingReply *m) {
        char number[24] = "";

        if (m->n_controllers == 0)
                printf("Slurmctld(primary) at %s is UP\n", m->host);
        for (size_t i = 0; i < m->n_controllers; i++) {
                if (m->n_controllers > 2)
                        snprintf(number, sizeof number, "%zu", i);
                printf("Slurmctld(%s%s) at %s is %s\n", i ? "backup" : "primary", i ? number : "",
                                m->controllers[i]->host, m->controllers[i]->up ? "UP" : "DOWN");
        }
}

/* Reports a restarting controller as DOWN: does not wait for the restart. */
int scontrol_ping(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        _cleanup_free_ char *host = NULL;
        Slumber__PingRequest request = SLUMBER__PING_REQUEST__INIT;
        struct fail fail = { 0 };

        if (argc > 1)
                return scontrol_refuse("too many arguments for keyword:%s", argv[0]);
        ENVELOPE(envelope, PING, ping, &request);
        int r = command_connect_now(&w, &fail);
        if (r >= 0) {
                command_say_when_slow(w, "scontrol");
                r = wire_call(w, &envelope, &reply, NULL, &fail);
        }
        if (r >= 0 && reply->body_case == SLUMBER__ENVELOPE__BODY_PING_REPLY) {
                ping_print(reply->ping_reply);
                return EXIT_SUCCESS;
        }
        const char *far = scontrol_far(s);
        host = far ? xstrdup(far) : controller_host();
        printf("Slurmctld(primary) at %s is DOWN\n", host);
        printf("*****************************************\n"
               "** RESTORE SLURMCTLD DAEMON TO SERVICE **\n"
               "*****************************************\n");
        return EXIT_FAILURE;
}

int scontrol_reconfigure(const struct scontrol *s, int argc, char **argv) {
        Slumber__ReconfigureRequest request = SLUMBER__RECONFIGURE_REQUEST__INIT;

        if (argc > 1)
                return scontrol_refuse("too many arguments for keyword:%s", argv[0]);
        ENVELOPE(envelope, RECONFIGURE, reconfigure, &request);
        struct faults faults = { 0 };
        struct fail fail = { .all = &faults };
        uint32_t code;
        if (scontrol_call(&envelope, NULL, &code, &fail) >= 0)
                return EXIT_SUCCESS;
        for (size_t i = 1; i < faults.n; i++) /* the configuration has several faults */
                (void)scontrol_refuse("slurm_reconfigure error: %s", faults.lines[i - 1]);
        int rc = scontrol_refuse("slurm_reconfigure error: %s",
                        faults.n ? faults.lines[faults.n - 1] : scontrol_refusal(code, &fail));
        faults_done(&faults);
        return rc;
}

int scontrol_shutdown(const struct scontrol *s, int argc, char **argv) {
        Slumber__ShutdownRequest request = SLUMBER__SHUTDOWN_REQUEST__INIT;

        if (argc > 2)
                return scontrol_refuse("too many arguments for keyword:%s", argv[0]);
        if (argc == 2 && strcasecmp(argv[1], "slurmctld") != 0 &&
                        strcasecmp(argv[1], "controller") != 0)
                return scontrol_refuse("invalid shutdown argument:%s", argv[1]);
        request.agents = argc == 1;
        ENVELOPE(envelope, SHUTDOWN, shutdown, &request);
        return scontrol_ask(s, &envelope, "slurm_shutdown");
}

int scontrol_takeover(const struct scontrol *s, int argc, char **argv) {
        Slumber__TakeoverRequest request = SLUMBER__TAKEOVER_REQUEST__INIT;
        uint64_t index = 1;

        if (argc > 2)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        if (argc == 2 && uint_parse(argv[1], 0, UINT32_MAX, &index) < 0)
                return scontrol_refuse("takeover: invalid backup controller index (%s)", argv[1]);
        request.position = (uint32_t)index;
        ENVELOPE(envelope, TAKEOVER, takeover, &request);
        return scontrol_ask(s, &envelope, "slurm_takeover");
}

static int scontrol_find_component(const struct job_id *id, uint32_t *ret) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        int r = command_connect(&w, NULL);

        return r < 0 ? r : query_component(w, id, ret, NULL);
}

int scontrol_wait_job(const struct scontrol *s, int argc, char **argv) {
        Slumber__WaitJobRequest request = SLUMBER__WAIT_JOB_REQUEST__INIT;
        struct fail fail = { 0 };
        struct job_id id;
        uint32_t code;

        if (argc != 2)
                return scontrol_refuse("too %s arguments for keyword:%s", argc < 2 ? "few" : "many",
                                argv[0]);
        if (job_id_parse(argv[1], &id) < 0 || id.has_step)
                return scontrol_refuse("Invalid job_id %s", argv[1]);
        if (id.tasks && *id.tasks == '+' && scontrol_find_component(&id, &id.job) < 0)
                return scontrol_refuse("scontrol: Problem running job %s", argv[1]);
        request.job_id = id.job;
        ENVELOPE(envelope, WAIT_JOB, wait_job, &request);
        if (scontrol_call(&envelope, NULL, &code, &fail) < 0)
                return code == SLUMBER_BAD_JOB_ID
                                       ? scontrol_refuse("scontrol: Problem running job %u", id.job)
                                       : scontrol_refuse("slurm_job_node_ready error: %s",
                                                         fail.text);
        if (!s->quiet)
                printf("Nodes are ready for job %u\n", id.job);
        return EXIT_SUCCESS;
}

/* ---- setdebug, setdebugflags ---- */

static bool names_nodes(const struct scontrol *s, const char *verb, int argc, char **argv) {
        for (int i = 1; i < argc; i++)
                if (strncasecmp(argv[i], "nodes=", 6) == 0 ||
                                strncasecmp(argv[i], "node=", 5) == 0) {
                        scontrol_complain(s, "%s of nodes is not implemented by Slumber yet: %s",
                                        verb, argv[i]);
                        return true;
                }
        return false;
}

int scontrol_setdebug(const struct scontrol *s, int argc, char **argv) {
        Slumber__DebugRequest request = SLUMBER__DEBUG_REQUEST__INIT;

        if (names_nodes(s, "setdebug", argc, argv))
                return EXIT_FAILURE;
        if (argc != 2)
                return scontrol_complain(s, "%s arguments for keyword:%s",
                                argc < 2 ? "too few" : "too many", argv[0]);
        request.level = argv[1];
        ENVELOPE(envelope, DEBUG, debug, &request);
        return scontrol_ask(s, &envelope, "slurm_set_debug_level");
}

int scontrol_setdebugflags(const struct scontrol *s, int argc, char **argv) {
        Slumber__DebugRequest request = SLUMBER__DEBUG_REQUEST__INIT;

        if (names_nodes(s, "setdebugflags", argc, argv))
                return EXIT_FAILURE;
        if (argc < 2)
                return scontrol_complain(s, "too few arguments for keyword:%s", argv[0]);
        request.flags = argv + 1;
        request.n_flags = (size_t)argc - 1;
        ENVELOPE(envelope, DEBUG, debug, &request);
        return scontrol_ask(s, &envelope, "slurm_set_debugflags");
}
