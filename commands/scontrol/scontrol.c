/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol: global options, then a verb from the table verbs[]. scontrol.h lists the file of each
 * verb. A verb may be shortened down to the number of letters in the verb's row, as in Slurm.
 * Slurm's verbs without an implementation are refused by name. */
#include "commands/scontrol/scontrol.h"

#include "commands/document.h"
#include "commands/prompt.h"

#include "lib/options.h"
#include "lib/printable.h"

#define FIELD(name) offsetof(struct scontrol, name)

/* Adds a value; --with may be repeated. */
static int set_with(void *field, const char *value, struct fail *fail) {
        struct scontrol_with *with = field;

        if (with->n == ELEMENTSOF(with->texts))
                return fail_set(fail, -E2BIG, "--with stands more than %zu times",
                                ELEMENTSOF(with->texts));
        with->texts[with->n++] = value;
        return 0;
}

static const struct option_row rows[] = {
        { "all", 'a', OPTION_FLAG, FIELD(all), NULL, NULL,
                        "show hidden partitions and their jobs" },
        { "details", 'd', OPTION_FLAG, FIELD(details), NULL, NULL, "show commands print more" },
        { "future", 'F', OPTION_FLAG, FIELD(future), NULL, NULL, "show nodes of state FUTURE too" },
        { "hide", 0, OPTION_FLAG, FIELD(hide), NULL, NULL, "leave hidden partitions out" },
        OPTION_ROWS_DOCUMENT(FIELD(json), "show: records"),
        { "oneliner", 'o', OPTION_FLAG, FIELD(one_liner), NULL, NULL, "one line per record" },
        { "quiet", 'Q', OPTION_FLAG, FIELD(quiet), NULL, NULL, "fewer messages" },
        { "verbose", 'v', OPTION_FLAG, FIELD(verbose), NULL, NULL,
                        "show partition: as of when, how many" },
        OPTION_ROWS_ALL_CLUSTERS(FIELD(clusters)),
        { "federation", 0, OPTION_REFUSED, 0, NULL, NULL, NULL },
        { "local", 0, OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "sibling", 0, OPTION_REFUSED, 0, NULL, NULL, NULL },
        { "uid", 'u', OPTION_REFUSED_ARG, 0, NULL, NULL, NULL },
        { "with", 0, OPTION_CALL, FIELD(with), set_with, "KEY=VALUE[,...]",
                        "power plan: with these settings" },
        OPTION_ROWS_HELP('h'),
};

static const struct prompt_switch switches[] = {
        { "all", 2, FIELD(all), true },
        { "details", 1, FIELD(details), true },
        { "hide", 2, FIELD(all), false },
        { "oneliner", 1, FIELD(one_liner), true },
        { "quiet", 4, FIELD(quiet), true },
        { "quiet", 4, FIELD(verbose), false },
        { "verbose", 4, FIELD(quiet), false },
        { "verbose", 4, FIELD(verbose), true },
        { NULL },
};

struct verb {
        const char *name;
        size_t least;         /* minimum number of letters */
        scontrol_verb_t *run; /* NULL: not implemented by Slumber */
        const char *help;
};

static scontrol_verb_t scontrol_verb_version, scontrol_verb_help;

static const struct verb verbs[] = {
        { "help", 2, scontrol_verb_help, "this text" },
        { "version", 4, scontrol_verb_version, "the version" },
        { "hold", 4, scontrol_hold, "hold a pending job" },
        { "ping", 3, scontrol_ping, "is the controller there?" },
        { "show", 2, scontrol_show, "show ENTITY [ID]: what is known of it, or of all" },
        { "power", 2, scontrol_power,
                        "power up|down [asap|force] NODES [Reason=text], power audit [NODES], "
                        "power plan [NODES] [hours=N]" },
        { "reboot", 3, scontrol_reboot,
                        "reboot [ASAP] [nextstate=RESUME|DOWN] [reason=text] NODES" },
        { "cancel_reboot", 3, scontrol_cancel_reboot, "cancel_reboot NODES, before it is issued" },
        { "reconfigure", 3, scontrol_reconfigure, "read the configuration again" },
        { "release", 3, scontrol_release, "let a held job go" },
        { "requeue", 3, scontrol_requeue, "back to the queue with a job" },
        { "requeuehold", 8, scontrol_requeuehold, "the same, and hold it there" },
        { "resume", 3, scontrol_resume, "let a suspended job go on" },
        { "suspend", 2, scontrol_suspend, "freeze a running job" },
        { "uhold", 2, scontrol_uhold, "hold a job so that its user may release it" },
        { "update", 1, scontrol_update,
                        "update jobid=|nodename=|partitionname=|reservationname= KEY=VALUE..." },
        { "wait_job", 1, scontrol_wait_job, "wait until a job's nodes are up" },
        { "abort", 5, scontrol_abort, "end the controller at once, with a core file" },
        { "assoc_mgr", 4, NULL, NULL },
        { "checkpoint", 5, NULL, NULL },
        { "cluster", 2, scontrol_cluster,
                        "cluster [NAME,...]: of a prompt, the clusters that are asked from now on" },
        { "holdu", 5, scontrol_uhold, "the same as uhold" },
        { "completing", 3, scontrol_completing,
                        "jobs that end, and the nodes that are not through with them" },
        { "create", 2, scontrol_create,
                        "create reservation|partitionname=NAME|nodename=LIST KEY=VALUE..." },
        { "delete", 1, scontrol_delete,
                        "delete reservation=NAME|partitionname=NAME|nodename=LIST" },
        { "errnumstr", 2, scontrol_errnumstr,
                        "errnumstr NUMBER: what that error of Slurm's means" },
        { "fsdampeningfactor", 3, scontrol_fsdampeningfactor,
                        "FairShareDampeningFactor until the next start" },
        { "getaddrs", 4, scontrol_getaddrs, "getaddrs NODES: where their slumberds are" },
        { "listjobs", 5, scontrol_listjobs, "listjobs [NODE]: jobs with processes on this node" },
        { "listpids", 1, scontrol_listpids,
                        "listpids [JOB[.STEP]] [NODE]: the processes of jobs on this node" },
        { "liststeps", 5, scontrol_liststeps,
                        "liststeps [NODE]: steps with processes on this node" },
        { "notify", 1, scontrol_notify, "notify JOB MESSAGE: on its standard error" },
        { "pidinfo", 3, scontrol_pidinfo,
                        "pidinfo PID: which job's process of this node, and its end" },
        { "schedloglevel", 3, scontrol_schedloglevel,
                        "the level of the scheduler's own log, which there is none of" },
        { "setdebug", 4, scontrol_setdebug, "setdebug LEVEL: how much the controller logs" },
        { "setdebugflags", 9, scontrol_setdebugflags,
                        "setdebugflags +FLAG|-FLAG...: and of what in detail" },
        { "shutdown", 8, scontrol_shutdown,
                        "shutdown [slurmctld|controller]: the daemons; jobs go on" },
        { "takeover", 8, scontrol_takeover,
                        "the backup controller takes over, where there is one" },
        { "token", 5, scontrol_token, "a token for auth/jwt, which there is none of" },
        { "top", 3, scontrol_top, "top JOBS: before the other pending jobs of their user" },
        { "write", 1, scontrol_write,
                        "write batch_script JOB [FILE|-]|config [FILE]|state FOLDER: what it runs; slurm.conf; a copy" },
};

static void scontrol_help_verbs(FILE *out) {
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                if (verbs[i].run)
                        fprintf(out, "     %-24s %s\n", verbs[i].name, verbs[i].help);
        fputs("     all, hide, details, oneliner, quiet, verbose: of a prompt, hold for the lines after them\n",
                        out);
        scontrol_help_entities(out);
}

static const struct option_table table = {
        .program = "scontrol",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
        .stop = false,
        .commands = scontrol_help_verbs,
};

static int scontrol_verb_version(const struct scontrol *s, int argc, char **argv) {
        if (argc > 1)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        options_version(stdout);
        return EXIT_SUCCESS;
}

static int scontrol_verb_help(const struct scontrol *s, int argc, char **argv) {
        if (argc > 1)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        options_help(&table, stdout);
        return EXIT_SUCCESS;
}

static const struct verb *verb_find(const char *word) {
        size_t n = strlen(word);

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                if (n >= verbs[i].least && strncasecmp(verbs[i].name, word, n) == 0)
                        return &verbs[i];
        return NULL;
}

/* Returns the number of words up to the verb setdebugflags, or all: "-power" after setdebugflags
   is no option. */
static int words_with_options(int argc, char **argv) {
        for (int i = 1; i < argc; i++)
                if (strlen(argv[i]) > strlen("setdebug") &&
                                strncasecmp("setdebugflags", argv[i], strlen(argv[i])) == 0)
                        return i + 1;
        return argc;
}

/* Where a verb runs with several clusters: IN_EACH asks every cluster, HERE asks none, IN_ONE is
   refused because the verb changes or names records of one cluster. */
enum where { IN_ONE, IN_EACH, HERE };

static enum where where_of(const struct verb *verb) {
        static const struct {
                scontrol_verb_t *run;
                enum where where;
        } others[] = {
                { scontrol_show, IN_EACH },
                { scontrol_completing, IN_EACH },
                { scontrol_ping, IN_EACH },
                { scontrol_verb_help, HERE },
                { scontrol_verb_version, HERE },
                { scontrol_cluster, HERE },
                { scontrol_errnumstr, HERE },
        };

        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                if (others[i].run == verb->run)
                        return others[i].where;
        return IN_ONE;
}

struct each {
        const struct scontrol *s;
        const struct verb *verb;
        int argc;
        char **argv;
};

static int verb_run_in_cluster(void *user, size_t at) {
        const struct each *e = user;
        struct scontrol s = *e->s;

        s.site = at;
        command_cluster_heading(s.sites, at);
        return e->verb->run(&s, e->argc, e->argv);
}

static int run_in_each(const struct scontrol *s, const struct verb *verb, int argc, char **argv) {
        struct each each = { s, verb, argc, argv };

        if (where_of(verb) == IN_ONE) {
                command_error("scontrol",
                                "Only one cluster can be used at a time with scontrol %s: what it names is one cluster's",
                                verb->name);
                return EXIT_FAILURE;
        }
        if (s->json) {
                command_error("scontrol", "--json shows one cluster at a time");
                return EXIT_FAILURE;
        }
        return command_at_once(s->sites, verb_run_in_cluster, &each);
}

/* Returns true if the verb asks the clusters of --clusters. */
static bool verb_asks_clusters(const struct verb *verb, int argc, char **argv) {
        return where_of(verb) != HERE &&
               !(verb->run == scontrol_show && (argc < 2 || scontrol_shows_words(argv[1])));
}

static int scontrol_run_verb(void *user, int argc, char **argv) {
        const struct verb *verb = verb_find(argv[0]);
        const struct scontrol *s = user;

        if (!verb) {
                printable_fprintf(stderr, "invalid keyword: %s\n", argv[0]);
                return EXIT_FAILURE;
        }
        if (!verb->run) {
                command_error("scontrol", "\"%s\" is not implemented by Slumber yet", verb->name);
                return EXIT_FAILURE;
        }
        bool plan = verb->run == scontrol_power && argc > 1 && strcasecmp(argv[1], "plan") == 0;
        if (s->with.n && !plan) {
                command_error("scontrol", "--with goes with \"power plan\" only");
                return EXIT_FAILURE;
        }
        if (s->json && verb->run != scontrol_show && !plan) {
                command_error("scontrol", "--json goes with show and \"power plan\" only");
                return EXIT_FAILURE;
        }
        command_use_cluster(s->sites, 0);
        return s->sites->n > 1 && verb_asks_clusters(verb, argc, argv)
                               ? run_in_each(s, verb, argc, argv)
                               : verb->run(s, argc, argv);
}

int scontrol_main(int argc, char **argv) {
        _cleanup_(command_clusters_done) struct clusters clusters = { 0 };
        struct scontrol s = { .sites = &clusters };
        int first, r;

        r = options_parse(&table, words_with_options(argc, argv), argv, &s, &first);
        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        if (command_clusters("scontrol", s.clusters, &clusters) < 0)
                return EXIT_FAILURE;
        const struct prompt prompt = {
                .program = "scontrol",
                .switches = switches,
                .run = scontrol_run_verb,
                .user = &s,
        };
        if (first >= argc)
                return prompt_read(&prompt);
        /* no later line follows for the switch to affect */
        if (first + 1 == argc && prompt_switch(&prompt, argv[first]))
                return EXIT_SUCCESS;
        return scontrol_run_verb(&s, argc - first, argv + first);
}
