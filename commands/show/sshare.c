/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sshare: shares and usage of accounts and users, and the resulting fair share. The controller
 * sends the whole tree; sshare filters. */
#include "commands/command.h"
#include "commands/table.h"
#include "lib/errors.h"
#include "lib/options.h"

#include <strings.h>

#define FIELDS_USUAL "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare"
#define FIELDS_LONG                                                                                \
        "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,GrpTRESMins,TRESRunMins"
#define FIELDS_LONG_NO_TREE                                                                        \
        "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,GrpTRESMins,TRESRunMins"
#define FIELDS_PART "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare"

struct sshare {
        bool all, no_header, is_long, parsable, parsable2, users_only, partition, helpformat;
        const char *accounts, *users, *format, *clusters;
        char *me; /* the caller's name; only this user is shown unless options say otherwise */
        struct clusters sites; /* of --clusters */
};

#define FIELD(name) offsetof(struct sshare, name)

static const struct option_row rows[] = {
        { "accounts", 'A', OPTION_TEXT, FIELD(accounts), NULL, "accounts", "only these accounts" },
        { "all", 'a', OPTION_FLAG, FIELD(all), NULL, NULL, "all users" },
        { "format", 'o', OPTION_TEXT, FIELD(format), NULL, "fields", "NAME[%WIDTH],..." },
        { "helpformat", 'e', OPTION_FLAG, FIELD(helpformat), NULL, NULL, "which fields there are" },
        { "long", 'l', OPTION_FLAG, FIELD(is_long), NULL, NULL, "more fields" },
        { "noheader", 'n', OPTION_FLAG, FIELD(no_header), NULL, NULL, "no headings" },
        { "parsable", 'p', OPTION_FLAG, FIELD(parsable), NULL, NULL, "\"|\" behind each field" },
        { "parsable2", 'P', OPTION_FLAG, FIELD(parsable2), NULL, NULL, "\"|\" between fields" },
        { "partition", 'm', OPTION_FLAG, FIELD(partition), NULL, NULL,
                        "the partition of an association too" },
        { "users", 'u', OPTION_TEXT, FIELD(users), NULL, "users", "only these users" },
        { "Users", 'U', OPTION_FLAG, FIELD(users_only), NULL, NULL, "only lines of users" },
        { "verbose", 'v', OPTION_IGNORED, 0, NULL, NULL, "accepted, changes nothing" },
        { "json", 0, OPTION_REFUSED_OPTIONAL, 0, NULL, NULL, NULL },
        { "yaml", 0, OPTION_REFUSED_OPTIONAL, 0, NULL, NULL, NULL },
        OPTION_ROWS_ALL_CLUSTERS(FIELD(clusters)),
        OPTION_ROWS_HELP('h'),
};

static const struct option_table table = {
        .program = "sshare",
        .skeleton = "Usage:  sshare [OPTION]\n  Valid OPTIONs are:\n",
        .rows = rows,
        .n_rows = ELEMENTSOF(rows),
};

/* ---- fields ---- */

#define TEXT(id, ...)                                                                              \
        static const char *id(const void *r, const struct member *m, struct scratch *s,            \
                        const void *u) {                                                           \
                const Slumber__ShareOf *a = r;                                                     \
                return __VA_ARGS__;                                                                \
        }

struct view { /* user pointer of the fields */
        const Slumber__ShareList *list;
        double all;      /* usage of the root */
        unsigned indent; /* indentation of the line */
};

static bool has_parents_shares(const Slumber__ShareOf *a) {
        return a->shares == UINT32_MAX;
}

/* Returns LevelFS; "" for a user with the parent's shares, as in Slurm. */
static const char *level_fs_text(struct scratch *s, const struct view *v,
                const Slumber__ShareOf *a) {
        if (has_parents_shares(a) || (a->depth == 0 && !v->list->no_fair_tree))
                return "";
        if (v->list->no_fair_tree || a->norm_shares <= 0)
                return "0.000000";
        return a->effective_usage > 0 ? scratch_printf(s, "%f", a->norm_shares / a->effective_usage)
                                      : "inf";
}

static const char *norm_usage_text(struct scratch *s, const struct view *v,
                const Slumber__ShareOf *a) {
        return scratch_printf(s, "%f", v->all > 0 ? a->usage / v->all : 0.0);
}

static const char *share_cluster_text(const void *r, const struct member *m, struct scratch *s,
                const void *u) {
        const struct view *v = u;
        return v->list->cluster;
}

/* Indents by the number of accounts shown above the line. */
TEXT(account, scratch_printf(s, "%*s%s", (int)MIN(((const struct view *)u)->indent, 15u), "",
                              a->account))
TEXT(raw_shares, a->depth == 0           ? ""
                 : has_parents_shares(a) ? "parent"
                                         : scratch_printf(s, "%u", a->shares))
TEXT(norm_shares, scratch_printf(s, "%f", a->norm_shares))
TEXT(raw_usage, scratch_printf(s, "%llu", (unsigned long long)a->usage))
TEXT(norm_usage, a->depth == 0 ? "" : norm_usage_text(s, u, a))
TEXT(effective_usage, scratch_printf(s, "%f", a->effective_usage))
TEXT(fair_share, *a->user || ((const struct view *)u)->list->no_fair_tree
                                 ? scratch_printf(s, "%f", a->fair_share)
                                 : "")
TEXT(level_fs, level_fs_text(s, u, a))

static const struct table_field fields[] = {
        { "Account", -20, .text = account },
        { "Cluster", 10, .text = share_cluster_text },
        { "EffectvUsage", 13, .text = effective_usage },
        { "FairShare", 10, .text = fair_share },
        { "GrpTRESMins", 30, MEMBER(Slumber__ShareOf, grp_tres_mins) },
        { "GrpTRESRaw", 30, MEMBER(Slumber__ShareOf, grp_tres_raw) },
        { "ID", 6, MEMBER(Slumber__ShareOf, id) },
        { "LevelFS", 10, .text = level_fs },
        { "NormShares", 11, .text = norm_shares },
        { "NormUsage", 11, .text = norm_usage },
        { "Partition", 12, MEMBER(Slumber__ShareOf, partition) },
        { "RawShares", 10, .text = raw_shares },
        { "RawUsage", 11, .text = raw_usage },
        { "TRESRunMins", 30, MEMBER(Slumber__ShareOf, tres_run_mins) },
        { "User", 10, MEMBER(Slumber__ShareOf, user) },
};

/* ---- which ---- */

static bool share_list_has(const char *list, const char *word) {
        size_t n = strlen(word);

        for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
                if (strcspn(p, ",") == n && strncasecmp(p, word, n) == 0)
                        return true;
        return false;
}

static bool share_is_shown(const struct sshare *s, const Slumber__ShareOf *a) {
        bool is_user = *a->user;

        if (s->accounts && !share_list_has(s->accounts, a->account))
                return false;
        if (s->users_only && !is_user)
                return false;
        if (!is_user || s->all)
                return true;
        return s->users ? share_list_has(s->users, a->user) : streq(s->me, a->user);
}

static void sshare_print_rows(const struct sshare *s, const Slumber__ShareList *list,
                const struct table *t) {
        struct view view = {
                .list = list,
                .all = list->n_shares ? list->shares[0]->usage : 0 /* usage of the root */,
        };
        struct scratch scratch = { 0 };
        /* number of shown ancestors, by depth */
        _cleanup_free_ unsigned *above = xnew0(unsigned, list->n_shares + 2);

        for (size_t i = 0; i < list->n_shares; i++) {
                const Slumber__ShareOf *a = list->shares[i];
                size_t depth = MIN((size_t)a->depth, list->n_shares);
                view.indent = above[depth];
                above[depth + 1] = above[depth] + share_is_shown(s, a);
                if (share_is_shown(s, a))
                        table_row(t, a, &scratch, &view, stdout);
        }
        scratch_done(&scratch);
}

static int sshare_print(const struct sshare *s, const Slumber__ShareList *list) {
        struct table t = { .no_heading = s->no_header,
                .style = s->parsable2  ? TABLE_BARS
                         : s->parsable ? TABLE_BARS_END
                                       : TABLE_PADDED };
        const char *is_long = list->no_fair_tree ? FIELDS_LONG_NO_TREE : FIELDS_LONG;
        const char *usual = s->is_long ? is_long : s->partition ? FIELDS_PART : FIELDS_USUAL;
        struct fail fail = { 0 };

        if (table_parse(&t, s->format ? s->format : usual, fields, ELEMENTSOF(fields), &fail) < 0) {
                command_error("sshare", "%s", fail.text);
                return EXIT_FAILURE;
        }
        table_heading(&t, stdout);
        sshare_print_rows(s, list, &t);
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int sshare_run_in_cluster(void *user, size_t at) {
        struct sshare *s = user;
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        Slumber__ShareQuery q = SLUMBER__SHARE_QUERY__INIT;
        uint32_t code = SLUMBER_OK;
        struct fail fail = { 0 };
        char uid[16];
        uid_t same;

        command_cluster_heading(&s->sites, at);
        snprintf(uid, sizeof uid, "%u", (unsigned)getuid());
        ENVELOPE(request, SHARE_QUERY, share_query, &q);
        int r = command_connect(&w, &fail);
        if (r >= 0)
                r = wire_call(w, &request, &reply, &code, &fail);
        if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_SHARE_LIST)
                r = fail_set(&fail, -EPROTO, "%s", slumber_error_text(SLUMBER_PROTOCOL));
        if (r < 0) {
                command_error("sshare", "%s", fail.text);
                return EXIT_FAILURE;
        }
        free(TAKE(s->me));
        if (command_user(uid, &same, &s->me, &fail) < 0)
                s->me = xstrdup(uid);
        if (!reply->share_list->multifactor) {
                fprintf(stderr, "You are not running a supported priority plugin\n(priority/basic).\n"
                                "Only 'priority/multifactor' is supported.\n");
                return EXIT_FAILURE;
        }
        return sshare_print(s, reply->share_list);
}

static int sshare_help_format(void) {
        for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                printf("%-20s%s", fields[i].name,
                                i % 4 == 3 || i + 1 == ELEMENTSOF(fields) ? "\n" : "");
        return EXIT_SUCCESS;
}

static int sshare_run(struct sshare *s) {
        if (command_clusters_to_show("sshare", s->clusters, &s->sites) < 0)
                return EXIT_FAILURE;
        int code = command_at_once(&s->sites, sshare_run_in_cluster, s);
        command_clusters_done(&s->sites);
        return code;
}

int sshare_main(int argc, char **argv) {
        struct sshare s = { 0 };
        int first, r = options_parse(&table, argc, argv, &s, &first), code = EXIT_FAILURE;

        if (r == OPTIONS_DONE)
                code = EXIT_SUCCESS;
        else if (r == 0 && first < argc)
                command_error("sshare", "Unrecognized option: %s", argv[first]);
        else if (r == 0)
                code = s.helpformat ? sshare_help_format() : sshare_run(&s);
        free(s.me);
        return code;
}
