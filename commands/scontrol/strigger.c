/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strigger: programs run by the controller after events of nodes, jobs or the controller */
#include "commands/command.h"
#include "commands/jobid.h"
#include "lib/errors.h"
#include "lib/options.h"
#include "lib/triggerevent.h"
#include "lib/wordlist.h"
#include "lib/words.h"

#include <limits.h>
#include <strings.h>

struct strigger {
        bool set, get, clear, no_header, quiet, permanent;
        unsigned verbose;
        uint32_t events, id, job;
        int32_t offset;
        const char *node, *program, *user, *clusters;
        bool any_node;
};

#define FIELD(name) offsetof(struct strigger, name)

/* ---- options ---- */

#define EVENT_SETTER(name, event)                                                                  \
        static int name(void *field, const char *value, struct fail *fail) {                       \
                (void)value, (void)fail;                                                           \
                *(uint32_t *)field |= (event);                                                     \
                return 0;                                                                          \
        }
EVENT_SETTER(want_up, TRIGGER_UP)
EVENT_SETTER(want_down, TRIGGER_DOWN)
EVENT_SETTER(want_drained, TRIGGER_DRAINED)
EVENT_SETTER(want_draining, TRIGGER_DRAINING)
EVENT_SETTER(want_resume, TRIGGER_RESUME)
EVENT_SETTER(want_fail, TRIGGER_FAIL)
EVENT_SETTER(want_idle, TRIGGER_IDLE)
EVENT_SETTER(want_time, TRIGGER_TIME)
EVENT_SETTER(want_fini, TRIGGER_FINI)
EVENT_SETTER(want_reconfig, TRIGGER_RECONFIG)
EVENT_SETTER(want_failed, TRIGGER_CTLD_FAILED)
EVENT_SETTER(want_resumed, TRIGGER_CTLD_RESUMED)
EVENT_SETTER(want_control, TRIGGER_CTLD_STARTED)
EVENT_SETTER(want_full, TRIGGER_ACCT_FULL)

/* Events without a source in Slumber: a trigger would never fire. */
#define NEVER_SETTER(name, why)                                                                    \
        static int name(void *field, const char *value, struct fail *fail) {                       \
                (void)field, (void)value;                                                          \
                return fail_set(fail, -EOPNOTSUPP, "this event never happens: %s", why);           \
        }
NEVER_SETTER(no_backup, "triggers of backup controllers are not implemented")
NEVER_SETTER(no_dbd, "slumberctld keeps the accounts itself, there is no slurmdbd")
NEVER_SETTER(no_burst_buffer, "there are no burst buffers")
NEVER_SETTER(no_front_end, "there are no front end nodes")

static int strigger_set_number(const char *name, const char *value, long low, long high, long *ret,
                struct fail *fail) {
        char *end;

        errno = 0;
        *ret = strtol(value, &end, 10);
        if (errno || !*value || *end || *ret < low || *ret > high)
                return fail_set(fail, -EINVAL, "Invalid %s: %s", name, value);
        return 0;
}

static int strigger_set_offset(void *field, const char *value, struct fail *fail) {
        long n;
        int r = strigger_set_number("offset", value, -INT32_MAX, INT32_MAX, &n, fail);

        if (r >= 0)
                *(int32_t *)field = (int32_t)n;
        return r;
}

static int strigger_set_job(void *field, const char *value, struct fail *fail) {
        long n;
        int r = strigger_set_number("jobid", value, 1, UINT32_MAX, &n, fail);

        if (r >= 0)
                *(uint32_t *)field = (uint32_t)n;
        return r;
}

static int strigger_set_id(void *field, const char *value, struct fail *fail) {
        long n;
        int r = strigger_set_number("id", value, 1, UINT32_MAX, &n, fail);

        if (r >= 0)
                *(uint32_t *)field = (uint32_t)n;
        return r;
}

static int strigger_set_flags(void *field, const char *value, struct fail *fail) {
        for_each_word(w, value, ",")
                if (strcasecmp(w, "perm") != 0)
                        return fail_set(fail, -EINVAL, "Invalid flags %s", value);
        *(bool *)field = true;
        return 0;
}

/* value: NULL: all nodes */
static int strigger_set_node(void *field, const char *value, struct fail *fail) {
        struct strigger *s = (void *)((char *)field - FIELD(any_node));

        (void)fail;
        s->any_node = true;
        s->node = value;
        return 0;
}

#define EVENT(name, letter, setter, help)                                                          \
        { (name), (letter), OPTION_CALL_FLAG, FIELD(events), (setter), NULL, (help) }

static const struct option_row rows[] = {
        { "set", 0, OPTION_FLAG, FIELD(set), NULL, NULL, "set a trigger" },
        { "get", 0, OPTION_FLAG, FIELD(get), NULL, NULL, "show triggers" },
        { "clear", 0, OPTION_FLAG, FIELD(clear), NULL, NULL, "remove triggers" },
        EVENT("burst_buffer", 0, no_burst_buffer, "refused: there are no burst buffers"),
        EVENT("front_end", 0, no_front_end, "refused: there are no front end nodes"),
        EVENT("primary_slurmctld_failure", 'a', want_failed,
                        "the controller ended without having been stopped"),
        EVENT("primary_slurmctld_resumed_operation", 'A', want_resumed,
                        "the controller is back after that"),
        EVENT("primary_slurmctld_resumed_control", 'b', want_control, "the controller has started"),
        EVENT("backup_slurmctld_failure", 'B', no_backup, "refused: there is no backup"),
        EVENT("backup_slurmctld_resumed_operation", 'c', no_backup, "refused: there is no backup"),
        EVENT("backup_slurmctld_assumed_control", 'C', no_backup, "refused: there is no backup"),
        EVENT("backup_slurmctld_as_ctrl", 0, no_backup, NULL),
        EVENT("down", 'd', want_down, "a node is down"),
        EVENT("drained", 'D', want_drained, "a node is drained"),
        EVENT("draining", 0, want_draining, "a node is to be drained, and has jobs"),
        EVENT("primary_slurmctld_acct_buffer_full", 'e', want_full,
                        "too many rows wait to be written to the accounts"),
        EVENT("fail", 'F', want_fail, "a node is about to fail (State=FAIL)"),
        EVENT("fini", 'f', want_fini, "the job has ended"),
        { "flags", 0, OPTION_CALL, FIELD(permanent), strigger_set_flags, "flag,...",
                        "PERM: the trigger stays when it has fired" },
        EVENT("primary_slurmdbd_failure", 'g', no_dbd, "refused: there is no slurmdbd"),
        EVENT("primary_slurmdbd_resumed_operation", 'G', no_dbd, "refused: there is no slurmdbd"),
        EVENT("primary_database_failure", 'h', no_dbd, "refused: there is no slurmdbd"),
        EVENT("primary_database_resumed_operation", 'H', no_dbd, "refused: there is no slurmdbd"),
        { "id", 'i', OPTION_CALL, FIELD(id), strigger_set_id, "number",
                        "the trigger of this number" },
        EVENT("idle", 'I', want_idle, "a node has been idle for the offset"),
        { "jobid", 'j', OPTION_CALL, FIELD(job), strigger_set_job, "job_id",
                        "of this job, or of its nodes" },
        OPTION_ROWS_CLUSTERS(FIELD(clusters)),
        { "node", 'n', OPTION_CALL_OPTIONAL, FIELD(any_node), strigger_set_node, "hosts",
                        "of these nodes; without a value of all" },
        { "noheader", 'N', OPTION_FLAG, FIELD(no_header), NULL, NULL, "no heading" },
        { "offset", 'o', OPTION_CALL, FIELD(offset), strigger_set_offset, "seconds",
                        "so long after the event; negative: before it" },
        { "program", 'p', OPTION_TEXT, FIELD(program), NULL, "path",
                        "this is run, as you; arguments may follow in the same word" },
        { "quiet", 'Q', OPTION_FLAG, FIELD(quiet), NULL, NULL,
                        "do not tell of triggers that are not there" },
        EVENT("reconfig", 'r', want_reconfig, "the configuration has been read again"),
        EVENT("resume", 'R', want_resume, "a node is set to State=RESUME"),
        EVENT("time", 't', want_time, "the job reaches its time limit"),
        EVENT("up", 'u', want_up, "a node that was down is back in service"),
        { "user", 0, OPTION_TEXT, FIELD(user), NULL, "user", "triggers of this user" },
        { "verbose", 'v', OPTION_COUNT, FIELD(verbose), NULL, NULL, "tell what is done" },
        OPTION_ROWS_HELP(0),
};

static const struct option_table table = {
        .program = "strigger",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
        .synopsis = "Usage: strigger --set EVENT... --program=PATH [OPTIONS]\n"
                    "       strigger --get [OPTIONS]\n"
                    "       strigger --clear [--id=N] [--jobid=N] [--user=USER] [OPTIONS]\n",
};

static const char no_event[] =
                "You must specify a trigger (--down, --up, --drained, --draining, --resume, --fail, --idle,\n"
                "--reconfig, --time, --fini, --primary_slurmctld_failure,\n"
                "--primary_slurmctld_resumed_operation, --primary_slurmctld_resumed_control or\n"
                "--primary_slurmctld_acct_buffer_full)";

/* Returns NULL if the trigger can be set, or a message (static). */
static const char *strigger_check_set(const struct strigger *s) {
        _cleanup_free_ char *path = NULL;

        if (s->events & TRIGGER_EVENTS_JOB && !s->job)
                return "You must specify a --jobid value";
        if (!s->events)
                return no_event;
        if (s->job && s->node)
                return "--jobid and --node cannot be used together";
        if (s->job && s->events & TRIGGER_EVENTS_CLUSTER)
                return "--jobid has no meaning for events of the cluster";
        if (s->node && !(s->events & TRIGGER_EVENTS_NODE))
                return "--node has no meaning for these events";
        if (!s->program)
                return "You must specify a --program value";
        if (s->program[0] != '/')
                return "The --program value must start with \"/\"";
        path = xstrndup(s->program, strcspn(s->program, " \t"));
        return access(path, F_OK) < 0 ? "Invalid --program value, file not found" : NULL;
}

static const char *strigger_check(const struct strigger *s) {
        if (s->set + s->get + s->clear != 1)
                return "You must use exactly one of the following options: --set, --get or --clear";
        if (s->clear && !s->id && !s->job && !s->user)
                return "You must specify a --id, --jobid, or --user to clear";
        if (s->clear && (s->events || s->node || s->permanent))
                return "--clear removes all triggers of the --id, --jobid and --user: an event, --node or --flags has no meaning";
        if (!s->set && (s->program || s->offset))
                return "--program and --offset have no meaning without --set";
        if (s->set && (s->id || s->user))
                return "--id and --user have no meaning with --set";
        return s->set ? strigger_check_set(s) : NULL;
}

/* ---- requests ---- */

static int strigger_report_refusal(const struct strigger *s, const char *what, int r, uint32_t code,
                const struct fail *fail) {
        if (r == -EREMOTE && code == SLUMBER_NO_TRIGGER && s->quiet)
                return 0;
        if (r == -EREMOTE && !streq(fail->text, "") &&
                        !streq(fail->text, strempty(slumber_error_text((int)code))))
                command_error("strigger", "%s", fail->text);
        fprintf(stderr, "slurm_%s: %s\n", what,
                        r == -EREMOTE ? slumber_error_text((int)code) : fail->text);
        return -EREMOTE;
}

static int strigger_send(struct wire *w, Envelope *request, const struct strigger *s,
                const char *what) {
        struct fail fail = { 0 };
        uint32_t code = SLUMBER_OK;
        Envelope *reply = NULL;

        command_say_when_slow(w, "strigger");
        int r = wire_call(w, request, &reply, &code, &fail);
        if (r < 0)
                return strigger_report_refusal(s, what, r, code, &fail);
        slumber__envelope__free_unpacked(reply, NULL);
        return 0;
}

static int do_set(struct wire *w, const struct strigger *s, const uid_t *uid) {
        Slumber__TriggerSet m = SLUMBER__TRIGGER_SET__INIT;
        Slumber__Trigger t = SLUMBER__TRIGGER__INIT;

        (void)uid;
        t.events = s->events;
        t.job_id = s->job;
        t.nodes = (char *)(uintptr_t)strempty(s->node);
        t.offset = s->offset;
        t.program = (char *)(uintptr_t)s->program;
        t.permanent = s->permanent;
        m.trigger = &t;
        ENVELOPE(request, TRIGGER_SET, trigger_set, &m);
        int r = strigger_send(w, &request, s, "set_trigger");
        if (r >= 0 && s->verbose)
                fputs("strigger: trigger set\n", stderr);
        return r;
}

static int do_clear(struct wire *w, const struct strigger *s, const uid_t *uid) {
        Slumber__TriggerClear m = SLUMBER__TRIGGER_CLEAR__INIT;
        Slumber__Number number = SLUMBER__NUMBER__INIT;

        m.id = s->id;
        m.job_id = s->job;
        if (uid) {
                number.value = *uid;
                m.uid = &number;
        }
        ENVELOPE(request, TRIGGER_CLEAR, trigger_clear, &m);
        int r = strigger_send(w, &request, s, "clear_trigger");
        if (r >= 0 && s->verbose)
                fputs("strigger: triggers cleared\n", stderr);
        return r;
}

static bool trigger_is_wanted(const struct strigger *s, const Slumber__Trigger *t,
                const uid_t *uid) {
        return (!s->id || t->id == s->id) && (!s->job || t->job_id == s->job) &&
               (!uid || t->uid == *uid) && (t->events & s->events) == s->events &&
               (!s->node || streq(t->nodes, s->node)) && (!s->permanent || t->permanent);
}

static void trigger_print(const Slumber__Trigger *t) {
        _cleanup_free_ char *events = trigger_events_text(t->events);
        const char *kind = t->job_id                         ? "job"
                           : t->events & TRIGGER_EVENTS_CTLD ? "slurmctld"
                                                             : "node";
        char job[16];

        snprintf(job, sizeof job, "%u", t->job_id);
        printf("%7u %-9s %7s %-35s %6d %-8s %-5s %s\n", t->id, kind,
                        t->job_id   ? job
                        : *t->nodes ? t->nodes
                                    : "*",
                        events, t->offset, t->user, t->permanent ? "PERM" : "", t->program);
}

static int do_get(struct wire *w, const struct strigger *s, const uid_t *uid) {
        Slumber__TriggerQuery q = SLUMBER__TRIGGER_QUERY__INIT;
        struct fail fail = { 0 };
        uint32_t code = SLUMBER_OK;
        Envelope *reply = NULL;
        bool any = false;

        ENVELOPE(request, TRIGGER_QUERY, trigger_query, &q);
        int r = wire_call(w, &request, &reply, &code, &fail);
        if (r < 0)
                return strigger_report_refusal(s, "get_triggers", r, code, &fail);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_TRIGGER_LIST) {
                slumber__envelope__free_unpacked(reply, NULL);
                command_error("strigger", "%s", slumber_error_text(SLUMBER_PROTOCOL));
                return -EPROTO;
        }
        for (size_t i = 0; i < reply->trigger_list->n_triggers; i++) {
                const Slumber__Trigger *t = reply->trigger_list->triggers[i];
                if (!trigger_is_wanted(s, t, uid))
                        continue;
                if (!any && !s->no_header)
                        puts("TRIG_ID RES_TYPE   RES_ID TYPE                                OFFSET USER     FLAGS PROGRAM");
                any = true;
                trigger_print(t);
        }
        slumber__envelope__free_unpacked(reply, NULL);
        return 0;
}

static int strigger_run(const struct strigger *s) {
        struct wire *w = NULL;
        struct fail fail = { 0 };
        uid_t uid = 0;
        int r = s->user ? command_user(s->user, &uid, NULL, &fail) : 0;

        if (r < 0 && !*fail.text)
                fail_set(&fail, r, "Invalid user %s", s->user);
        if (r >= 0)
                r = command_connect(&w, &fail);
        if (r < 0) {
                command_error("strigger", "%s", fail.text);
                return r;
        }
        r = (s->set ? do_set : s->get ? do_get : do_clear)(w, s, s->user ? &uid : NULL);
        wire_free(w);
        return r;
}

int strigger_main(int argc, char **argv) {
        struct strigger s = { 0 };
        _cleanup_free_ char *cluster = NULL;
        int first, r = options_parse(&table, argc, argv, &s, &first);

        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (r < 0)
                return EXIT_FAILURE;
        const char *wrong = strigger_check(&s);
        if (wrong) {
                command_error("strigger", "%s", wrong);
                return EXIT_FAILURE;
        }
        if (command_cluster("strigger", s.clusters, &cluster) < 0)
                return EXIT_FAILURE;
        return strigger_run(&s) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
