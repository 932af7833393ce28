/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr: options, a verb, an entity, then words: KEY=VALUE to select or set, and format=.
 * Instances are shown here, other entities in sacctmgr_acct.c and sacctmgr_tres.c, files are
 * handled in sacctmgr_file.c; further verbs and entities of Slurm are refused by name, with a
 * reason. */
#include "commands/accounts/sacctmgr.h"

#include "commands/document.h"
#include "commands/json.h"
#include "commands/prompt.h"
#include "lib/errors.h"
#include "lib/options.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>

#define FIELD(name) offsetof(struct sacctmgr, name)

static const struct option_row rows[] = {
        OPTION_ROWS_DOCUMENT(FIELD(json), "rows"),
        { "noheader", 'n', OPTION_FLAG, FIELD(no_header), NULL, NULL, "no line of headings" },
        { "parsable", 'p', OPTION_FLAG, FIELD(parsable), NULL, NULL, "\"|\" behind each field" },
        { "parsable2", 'P', OPTION_FLAG, FIELD(parsable2), NULL, NULL, "\"|\" between fields" },
        { "immediate", 'i', OPTION_FLAG, FIELD(immediate), NULL, NULL, "do it without asking" },
        { "oneliner", 'o', OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "quiet", 'Q', OPTION_FLAG, FIELD(quiet), NULL, NULL, "do not say what is done" },
        { "readonly", 'r', OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "verbose", 'v', OPTION_IGNORED, 0, NULL, NULL, NULL },
        { "associations", 's', OPTION_FLAG, FIELD(with_assoc), NULL, NULL,
                        "with the associations of each user or account" },
        OPTION_ROWS_HELP('h'),
};

static void sacctmgr_help_verbs(FILE *out);

static const struct option_table table = {
        .program = "sacctmgr",
        .commands = sacctmgr_help_verbs,
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
        .stop = false,
};

#define complain sacctmgr_complain

int sacctmgr_complain(const char *format, ...) {
        va_list ap;

        fputs("sacctmgr: error: ", stderr);
        va_start(ap, format);
        printable_vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
        return EXIT_FAILURE;
}

struct table sacctmgr_table(const struct sacctmgr *s) {
        return (struct table){ .no_heading = s->no_header,
                .style = s->parsable2  ? TABLE_BARS
                         : s->parsable ? TABLE_BARS_END
                                       : TABLE_PADDED };
}

bool sacctmgr_begin(const struct sacctmgr *s, const struct table *t, bool has_column) {
        if (!s->sites || s->sites->n < 2)
                return false;
        if (!has_column && !s->no_header)
                command_cluster_heading(s->sites, s->site);
        else if (has_column && s->site == 0)
                table_heading(t, stdout);
        return has_column;
}

static bool has_column(const struct table *t, const char *name) {
        for (size_t i = 0; i < t->n; i++)
                if (streq(t->columns[i].field->name, name))
                        return true;
        return false;
}

/* ---- show instance: conditions ---- */

struct selection {
        Slumber__InstanceQuery query;
        const char *format;
};

static void selection_done(struct selection *s) {
        texts_free(s->query.clusters, s->query.n_clusters);
        texts_free(s->query.instance_ids, s->query.n_instance_ids);
        texts_free(s->query.instance_types, s->query.n_instance_types);
        texts_free(s->query.extras, s->query.n_extras);
}

enum condition_kind { CONDITION_TEXT, CONDITION_TIME, CONDITION_WORDS };

#define AT(member)    offsetof(struct selection, member)
#define TEXT(member)  CONDITION_TEXT, AT(member), 0
#define TIME(member)  CONDITION_TIME, AT(query.member), 0
#define WORDS(member) CONDITION_WORDS, AT(query.member), AT(query.n_##member)
static const struct condition {
        const char *key;
        size_t least; /* minimum letters to type */
        enum condition_kind kind;
        size_t at, n_at; /* of the value in struct selection, and of the number of words */
} conditions[] = {
        { "Clusters", 1, WORDS(clusters) },
        { "End", 3, TIME(time_end) },
        { "Extra", 3, WORDS(extras) },
        { "Format", 1, TEXT(format) },
        { "InstanceId", 9, WORDS(instance_ids) },
        { "InstanceType", 9, WORDS(instance_types) },
        { "NodeName", 1, TEXT(query.nodes) },
        { "Nodes", 1, TEXT(query.nodes) },
        { "Start", 1, TIME(time_start) },
        { "TimeEnd", 5, TIME(time_end) },
        { "TimeStart", 5, TIME(time_start) },
};

static int condition_set(struct selection *s, const struct condition *c, const char *value,
                struct fail *fail) {
        void *field = (char *)s + c->at;

        if (c->kind == CONDITION_TIME)
                return time_parse(value, now_realtime(), field, fail);
        if (c->kind == CONDITION_WORDS)
                texts_add_words(field, (size_t *)((char *)s + c->n_at), value, ",");
        else
                *(const char **)field = value;
        return 0;
}

/* Handles "key=value"; "where" is skipped, as in Slurm. */
static int select_by(struct selection *s, const char *word, struct fail *fail) {
        size_t n = strcspn(word, "=");

        if (strcasecmp(word, "where") == 0)
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(conditions); i++) {
                const struct condition *c = &conditions[i];

                if (n < c->least || n > strlen(c->key) || strncasecmp(c->key, word, n) != 0)
                        continue;
                return word[n] ? condition_set(s, c, word + n + 1, fail)
                               : fail_set(fail, -EINVAL, "%s needs a value, as in %s=VALUE", c->key,
                                                 c->key);
        }
        return fail_set(fail, -EINVAL, "Unknown condition: %s", word);
}

/* ---- show instance: columns ---- */

typedef Slumber__Instance Instance;

/* 0: Unknown */
static const char *instance_time(const void *record, const struct member *m, struct scratch *s,
                const void *user) {
        char buf[TIMETEXT_MAX];
        usec_t t = member_number(record, m);

        return scratch_printf(s, "%s", time_text(t, getenv("SLURM_TIME_FORMAT"), buf));
}

static const struct table_field instance_fields[] = {
        { "Cluster", 10, MEMBER(Instance, cluster) },
        { "Extra", 20, MEMBER(Instance, extra) },
        { "InstanceId", 20, MEMBER(Instance, instance_id) },
        { "InstanceType", 20, MEMBER(Instance, instance_type) },
        { "NodeName", -15, MEMBER(Instance, node) },
        { "TimeEnd", 19, .text = instance_time, MEMBER(Instance, time_end) },
        { "TimeStart", 19, .text = instance_time, MEMBER(Instance, time_start) },
};
static const char instance_usual[] =
                "Cluster,NodeName,TimeStart,TimeEnd,InstanceId,InstanceType,Extra";

static int instances_query(const Slumber__InstanceQuery *query, struct instance_list *list) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct fail fail = { 0 };
        uint32_t code = 0;
        int r = command_connect(&w, &fail);

        if (r >= 0)
                r = query_instances(w, query, list, &code, &fail);
        if (r < 0)
                return complain("%s",
                                code ? command_refusal("sacctmgr", code, fail.text) : fail.text);
        return EXIT_SUCCESS;
}

static int show_instances(const struct sacctmgr *s, int argc, char **argv) {
        _cleanup_(selection_done) struct selection sel = {
                .query = SLUMBER__INSTANCE_QUERY__INIT,
                .format = instance_usual,
        };
        struct table t = sacctmgr_table(s);
        struct instance_list list = { 0 };
        struct scratch scratch = { 0 };
        struct fail fail = { 0 };

        for (int i = 0; i < argc; i++)
                if (select_by(&sel, argv[i], &fail) < 0)
                        return complain("%s", fail.text);
        if (table_parse(&t, sel.format, instance_fields, ELEMENTSOF(instance_fields), &fail) < 0)
                return complain("%s", fail.text);
        bool begun = sacctmgr_begin(s, &t, has_column(&t, "Cluster"));
        if (instances_query(&sel.query, &list) != EXIT_SUCCESS)
                return EXIT_FAILURE;
        if (s->json) {
                json_print_instances(list.instances, list.n_instances, list.pages.now, stdout);
        } else {
                if (!begun)
                        table_heading(&t, stdout);
                for (size_t i = 0; i < list.n_instances; i++)
                        table_row(&t, list.instances[i], &scratch, NULL, stdout);
        }
        scratch_done(&scratch);
        instance_list_done(&list);
        return EXIT_SUCCESS;
}

/* Returns the value of "cluster=beta"; NULL: another word. */
static const char *cluster_value(const char *word) {
        size_t n = strcspn(word, "=");

        return n >= 3 && word[n] && n <= strlen("clusters") && strncasecmp("clusters", word, n) == 0
                               ? word + n + 1
                               : NULL;
}

/* Unfinished jobs are stored by the controller alone: the accounts have no runaway jobs. */
static int show_runaway(const struct sacctmgr *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_free_ char *cluster = NULL;
        struct fail fail = { 0 };

        for (int i = 0; i < argc; i++)
                if (strcasecmp(argv[i], "where") != 0 && !cluster_value(argv[i]))
                        return complain("Unknown condition: %s", argv[i]);
        if (command_connect(&w, &fail) < 0 || command_cluster_name(w, &cluster, &fail) < 0)
                return complain("%s", fail.text);
        printf("Runaway Jobs: No runaway jobs found on cluster %s\n", cluster);
        return EXIT_SUCCESS;
}

/* ---- verbs and entities ---- */

#define NO_ENTITY (-1) /* not in the protocol */

struct entity {
        const char *name;
        size_t least;
        int acct; /* enum AcctEntity of the protocol */
        int (*show)(const struct sacctmgr *s, int argc, char **argv); /* NULL: see acct */
        const char *why;                                              /* reason of the refusal */
};
#define REFUSED(name, least, why)                                                                  \
        { name, least, NO_ENTITY, NULL, why }
#define KEPT(name, least, acct)                                                                    \
        { name, least, SLUMBER__ACCT_ENTITY__ACCT_ENTITY_##acct, NULL, NULL }
#define SHOWN(name, least, show)                                                                   \
        { name, least, NO_ENTITY, show, NULL }

static const struct entity entities[] = {
        KEPT("accounts", 3, ACCOUNT),
        KEPT("associations", 2, ASSOC),
        KEPT("clusters", 2, CLUSTER),
        REFUSED("configuration", 3,
                        "there is no slurmdbd; scontrol show config has the controller's"),
        KEPT("coordinators", 3, COORDINATOR),
        REFUSED("events", 1, "what nodes were is in the controller's log, not in the accounts"),
        REFUSED("federations", 1, "the accounts are those of one cluster"),
        SHOWN("instances", 1, show_instances),
        REFUSED("problems", 1, "a user without an association is no problem here"),
        KEPT("qos", 1, QOS),
        REFUSED("reservations", 4,
                        "they are not kept in the accounts; scontrol show reservations has those of today"),
        REFUSED("resources", 4,
                        "the accounts are those of one cluster; Licenses of slurm.conf are its own"),
        SHOWN("runawayjobs", 2, show_runaway),
        REFUSED("stats", 1, "there is no slurmdbd; sdiag has the controller's"),
        REFUSED("transactions", 3, "changes of the accounts are in the controller's log"),
        SHOWN("tres", 2, sacctmgr_show_tres),
        KEPT("users", 1, USER),
        REFUSED("wckeys", 1, "wckeys are kept with jobs alone (sacct -W)"),
};

/* NULL: unknown, and reported. */
static const struct entity *sacctmgr_find_entity(int argc, char **argv) {
        size_t n = argc < 2 ? 0 : strlen(argv[1]);

        if (argc < 2) {
                (void)complain("%s needs an entity, for example: %s qos", argv[0], argv[0]);
                return NULL;
        }
        for (size_t i = 0; i < ELEMENTSOF(entities); i++)
                if (n >= entities[i].least && strncasecmp(entities[i].name, argv[1], n) == 0)
                        return &entities[i];
        (void)complain("No valid entity in %s command: %s", argv[0], argv[1]);
        return NULL;
}

static int sacctmgr_refuse(char **argv, const struct entity *e) {
        return complain("%s %s is not implemented by Slumber: %s", argv[0], e->name,
                        e->why ? e->why : "it can only be shown");
}

/* Returns whether other clusters may be asked, too. */
static bool is_elsewhere(const struct entity *e) {
        return e->acct == NO_ENTITY ? e->show == show_instances || e->show == show_runaway
                                    : e->acct != SLUMBER__ACCT_ENTITY__ACCT_ENTITY_CLUSTER;
}

/* Replaces "cluster=all" by the names of all clusters: the word is also a condition of the
   request. */
static void name_all(const struct clusters *c, int argc, char **argv, char **ret_word) {
        char *word = xstrdup("cluster=");

        for (size_t i = 0; i < c->n; i++)
                text_add_word(&word, i ? "," : "", "%s", c->names[i]);
        for (int i = 0; i < argc; i++) {
                const char *value = cluster_value(argv[i]);
                if (value && strcasecmp(value, "all") == 0)
                        argv[i] = word;
        }
        *ret_word = word;
}

/* Finds the clusters of slumber.yaml named by cluster=; none: this cluster's controller checks the
 * name. *ret_word: memory of a word that may be in argv afterwards. */
static int find_clusters(const struct entity *e, int argc, char **argv, struct clusters *ret,
                char **ret_word) {
        _cleanup_free_ char *list = NULL;

        *ret = (struct clusters){ 0 };
        for (int i = 0; i < argc && is_elsewhere(e); i++) {
                const char *value = cluster_value(argv[i]);
                if (value)
                        text_add_word(&list, ",", "%s", value);
        }
        int r = list ? command_known_clusters("sacctmgr", list, ret) : 0;
        if (r >= 0 && ret->n)
                name_all(ret, argc, argv, ret_word);
        return r;
}

struct words {
        const struct sacctmgr *s;
        const struct entity *e;
        const struct clusters *c;
        int verb, argc; /* words after the entity */
        char **argv;
};

static int sacctmgr_show(const struct sacctmgr *s, const struct words *w) {
        return w->e->acct != NO_ENTITY ? sacctmgr_acct_show(s, w->e->acct, w->argc, w->argv)
                                       : w->e->show(s, w->argc, w->argv);
}

static int show_there(void *user, size_t at) {
        const struct words *w = user;
        struct sacctmgr s = *w->s;

        s.sites = w->c;
        s.site = at;
        return sacctmgr_show(&s, w);
}

static int sacctmgr_verb_show(const struct sacctmgr *s, int argc, char **argv) {
        _cleanup_(command_clusters_done) struct clusters c = { 0 };
        _cleanup_free_ char *all = NULL;
        const struct entity *e = sacctmgr_find_entity(argc, argv);

        if (!e)
                return EXIT_FAILURE;
        if (e->acct == SLUMBER__ACCT_ENTITY__ACCT_ENTITY_COORDINATOR)
                return complain("coordinators are shown with accounts and users: show account withcoordinators");
        if (e->acct == NO_ENTITY && !e->show)
                return sacctmgr_refuse(argv, e);
        struct words w = { .s = s, .e = e, .c = &c, .argc = argc - 2, .argv = argv + 2 };
        if (find_clusters(e, w.argc, w.argv, &c, &all) < 0)
                return EXIT_FAILURE;
        if (s->json && c.n > 1)
                return complain("--json shows one cluster at a time");
        return c.n ? command_at_once(&c, show_there, &w) : sacctmgr_show(s, &w);
}

/* Changes each cluster, also after a failure. */
static int change_each(const struct words *w) {
        int worst = EXIT_SUCCESS;

        command_greet(w->c);
        for (size_t i = 0; i < w->c->n; i++) {
                if (w->c->n > 1 && !w->s->quiet)
                        command_cluster_heading(w->c, i);
                fflush(stdout); /* keeps stdout and stderr in order */
                command_use_cluster(w->c, i);
                int code = sacctmgr_acct_change(w->s, w->verb, w->e->acct, w->argc, w->argv);
                worst = MAX(worst, code);
                fflush(stdout);
        }
        return worst;
}

/* Returns the number of words before the settings, whose keys may equal those of conditions. */
static int count_conditions(int verb, int argc, char **argv) {
        int n = 0;

        while (n < argc && (verb == SLUMBER__ACCT_CHANGE__VERB__ADD ||
                                           strcasecmp(argv[n], "set") != 0))
                n++;
        return n;
}

/* Returns whether only this cluster is in slumber.yaml: its controller knows whether the
   accounts include the other clusters (sacctmgr add cluster). */
static bool are_for_own_controller(const struct clusters *c) {
        return c->unknown && c->n == 1 && streq(c->names[0], c->own);
}

static int sacctmgr_change_entity(const struct sacctmgr *s, int verb, int argc, char **argv) {
        _cleanup_(command_clusters_done) struct clusters c = { 0 };
        _cleanup_free_ char *all = NULL;
        const struct entity *e = sacctmgr_find_entity(argc, argv);

        if (!e)
                return EXIT_FAILURE;
        if (e->acct == NO_ENTITY)
                return sacctmgr_refuse(argv, e);
        struct words w = { s, e, &c, verb, argc - 2, argv + 2 };
        if (find_clusters(e, count_conditions(verb, w.argc, w.argv), w.argv, &c, &all) < 0)
                return EXIT_FAILURE;
        if (are_for_own_controller(&c))
                return sacctmgr_acct_change(s, verb, e->acct, w.argc, w.argv);
        if (c.n && c.unknown) {
                printable_fprintf(stderr,
                                " This cluster '%s' doesn't exist.\n"
                                "        Contact your admin to add it to accounting.\n",
                                c.unknown);
                return EXIT_FAILURE;
        }
        return c.n ? change_each(&w) : sacctmgr_acct_change(s, verb, e->acct, w.argc, w.argv);
}

static int sacctmgr_verb_add(const struct sacctmgr *s, int argc, char **argv) {
        return sacctmgr_change_entity(s, SLUMBER__ACCT_CHANGE__VERB__ADD, argc, argv);
}

static int sacctmgr_verb_modify(const struct sacctmgr *s, int argc, char **argv) {
        return sacctmgr_change_entity(s, SLUMBER__ACCT_CHANGE__VERB__MODIFY, argc, argv);
}

static int sacctmgr_verb_delete(const struct sacctmgr *s, int argc, char **argv) {
        return sacctmgr_change_entity(s, SLUMBER__ACCT_CHANGE__VERB__DELETE, argc, argv);
}

static int sacctmgr_verb_help(const struct sacctmgr *s, int argc, char **argv) {
        if (argc > 1)
                return complain("too many arguments for keyword:%s", argv[0]);
        options_help(&table, stdout);
        return EXIT_SUCCESS;
}

static int sacctmgr_verb_version(const struct sacctmgr *s, int argc, char **argv) {
        if (argc > 1)
                return complain("too many arguments for keyword:%s", argv[0]);
        options_version(stdout);
        return EXIT_SUCCESS;
}

/* Slurm asks slurmdbd; here the controller stores the accounts. */
static int sacctmgr_verb_ping(const struct sacctmgr *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        struct fail fail = { 0 };

        if (argc > 1)
                return complain("too many arguments for keyword:%s", argv[0]);
        ENVELOPE(request, PING, ping, &ping);
        if (command_connect(&w, &fail) < 0 || wire_call(w, &request, &reply, NULL, &fail) < 0 ||
                        reply->body_case != SLUMBER__ENVELOPE__BODY_PING_REPLY) {
                puts("slumberctld(primary) is DOWN");
                return EXIT_FAILURE;
        }
        printf("slumberctld(primary) at %s is UP\n", reply->ping_reply->host);
        return EXIT_SUCCESS;
}

static const struct {
        const char *name;
        size_t least;
        int (*run)(const struct sacctmgr *s, int argc, char **argv); /* NULL: refused */
        const char *help; /* or the reason of the refusal */
} verbs[] = {
        { "show", 3, sacctmgr_verb_show,
                        "show ENTITY [KEY=VALUE...] [format=FIELD,...]: those that match" },
        { "list", 1, sacctmgr_verb_show, "the same" },
        { "help", 1, sacctmgr_verb_help, "this text" },
        { "version", 1, sacctmgr_verb_version, "the version" },
        { "add", 2, sacctmgr_verb_add, "add ENTITY [NAME...] [KEY=VALUE...]: make one" },
        { "archive", 2, NULL,
                        "purge_jobs_after of slumber.yaml removes old jobs; other tools may read accounting.db before" },
        { "clear", 2, NULL, "there is no slurmdbd; sdiag -r resets the controller's statistics" },
        { "create", 2, sacctmgr_verb_add, "the same as add" },
        { "delete", 3, sacctmgr_verb_delete,
                        "delete ENTITY [NAME...] [KEY=VALUE...]: those that match" },
        { "dump", 2, sacctmgr_dump, "dump CLUSTER [file=FILE]: accounts and users as a file" },
        { "load", 2, sacctmgr_load, "load FILE [clean] [cluster=NAME]: make what it says" },
        { "modify", 1, sacctmgr_verb_modify,
                        "modify ENTITY [where KEY=VALUE...] set KEY=VALUE...: change those that match" },
        { "ping", 1, sacctmgr_verb_ping, "is the controller there, which keeps the accounts?" },
        { "reconfigure", 3, NULL,
                        "there is no slurmdbd; scontrol reconfigure reads slurm.conf again" },
        { "remove", 3, sacctmgr_verb_delete, "the same as delete" },
        { "shutdown", 4, NULL, "there is no slurmdbd; scontrol shutdown ends the controller" },
        { "update", 1, sacctmgr_verb_modify, "the same as modify" },
};

static void sacctmgr_help_verbs(FILE *out) {
        for (size_t i = 0; i < ELEMENTSOF(verbs); i++)
                if (verbs[i].run)
                        fprintf(out, "     %-24s %s\n", verbs[i].name, verbs[i].help);
        fputs("\n  <ENTITY> may be", out);
        for (size_t i = 0, n = 0; i < ELEMENTSOF(entities); i++)
                if (entities[i].show || entities[i].acct != NO_ENTITY)
                        fprintf(out, "%s%s", n++ ? ", " : " ", entities[i].name);
        fputc('\n', out);
}

static const struct prompt_switch switches[] = {
        { "associations", 3, FIELD(with_assoc), true },
        { "quiet", 4, FIELD(quiet), true },
        { "verbose", 4, FIELD(quiet), false },
        { NULL },
};

static int sacctmgr_run_verb(void *user, int argc, char **argv) {
        size_t n = strlen(argv[0]);

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                if (n < verbs[i].least || strncasecmp(verbs[i].name, argv[0], n) != 0)
                        continue;
                return verbs[i].run ? verbs[i].run(user, argc, argv)
                                    : complain("%s is not implemented by Slumber: %s",
                                                      verbs[i].name, verbs[i].help);
        }
        return complain("invalid keyword: %s", argv[0]);
}

int sacctmgr_main(int argc, char **argv) {
        struct sacctmgr s = { 0 };
        int first;
        int r = options_parse(&table, argc, argv, &s, &first);

        if (r < 0)
                return EXIT_FAILURE;
        if (r == OPTIONS_DONE)
                return EXIT_SUCCESS;
        if (first >= argc)
                return prompt_read(&(struct prompt){ .program = "sacctmgr",
                                .switches = switches,
                                .run = sacctmgr_run_verb,
                                .user = &s });
        return sacctmgr_run_verb(&s, argc - first, argv + first);
}
