/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr add, modify, delete, show for QOS, accounts, users and associations. Words are only
 * split here: the controller knows the keys, and previews a change before the commit. */
#include "commands/accounts/sacctmgr.h"

#include "commands/json.h"
#include "lib/errors.h"

#include <poll.h>
#include <strings.h>

#define DECIDE_MS 30000

/* ---- words ---- */

/* Splits "key+=value" or "key=value"; a name alone is a value. The caller calls word_done(). */
static void word_read(const char *text, Slumber__AcctWord *ret) {
        size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        bool list = n && (text[n] == '+' || text[n] == '-') && text[n + 1] == '=';

        slumber__acct_word__init(ret);
        if (n == 0 || (!list && text[n] != '=')) {
                ret->op = '=';
                ret->key = xstrdup("");
                ret->value = xstrdup(text);
                return;
        }
        ret->op = (uint32_t)text[n];
        ret->key = xstrndup(text, n);
        ret->value = xstrdup(text + n + 1 + list);
}

static void word_done(Slumber__AcctWord *w) {
        free(w->key);
        free(w->value);
}

struct words {
        Slumber__AcctWord **list;
        size_t n;
};

static void acct_words_add(struct words *words, const char *text) {
        words->list = xrenew(words->list, words->n + 1);
        words->list[words->n] = xnew(Slumber__AcctWord, 1);
        word_read(text, words->list[words->n++]);
}

static void acct_words_done(struct words *words) {
        for (size_t i = 0; i < words->n; i++) {
                word_done(words->list[i]);
                free(words->list[i]);
        }
        free(words->list);
}

/* ---- add, modify, delete ---- */

static const char *const adding[] = { "adding", "modifying", "deleting" };
static const char *const things[] = {
        "qos",
        "accounts",
        "users",
        "associations",
        "clusters",
        "coordinator",
};

/* Prints a refusal in Slurm's wording. */
static int acct_print_refusal(const void *user, uint32_t code, const char *why) {
        const Slumber__AcctChange *m = user;

        if (code == SLUMBER_ACCESS_DENIED)
                fprintf(stderr, " Problem %s %s: %s\n", adding[m->verb], things[m->entity], why);
        else if (*why == ' ') /* Slurm's text is complete */
                fprintf(stderr, "%s\n", why);
        else if (strncmp(why, "Unknown option", 14) == 0)
                fprintf(stderr, " %s\n Use keyword 'where' to modify condition\n", why);
        else if (strncmp(why, "Unknown condition", 17) == 0)
                fprintf(stderr, " %s\n Use keyword 'set' to modify value\n", why);
        else
                return sacctmgr_complain("%s", why);
        return EXIT_FAILURE;
}

static bool acct_confirm_commit(void) {
        struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
        char line[64] = "";

        fputs("Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ", stdout);
        fflush(stdout);
        if (poll(&p, 1, DECIDE_MS) <= 0)
                fputs("timeout\n", stdout);
        else if (!fgets(line, sizeof line, stdin))
                fputc('\n', stdout);
        return *line == 'y' || *line == 'Y';
}

/* Sends the request. EXIT_SUCCESS: the answer's text was printed, and there is a change, made or
   previewed. */
static int acct_send_change(const struct sacctmgr *s, struct wire *w,
                const struct sacctmgr_change *c, bool print) {
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };
        uint32_t code = 0;

        int r = wire_call(w, c->request, &reply, &code, &fail);
        if (r < 0 && !code && *c->commit && r != -EMSGSIZE)
                return sacctmgr_complain("%s; the change may have been made", fail.text);
        if (r < 0)
                return sacctmgr_complain("%s",
                                code ? command_refusal("sacctmgr", code, fail.text) : fail.text);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_ACCT_REPLY)
                return sacctmgr_complain("the controller sent an unexpected answer");
        const Slumber__AcctReply *answer = reply->acct_reply;
        if (print && (!s->quiet || answer->code))
                fputs(answer->text, stdout);
        fflush(stdout);
        if (answer->code == SLUMBER_NO_CHANGE) {
                if (c->nothing)
                        puts(c->nothing);
                return c->nothing_code;
        }
        return answer->code ? c->refused(c->user, answer->code, answer->error) : EXIT_SUCCESS;
}

int sacctmgr_commit(const struct sacctmgr *s, const struct sacctmgr_change *c) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct fail fail = { 0 };

        if (command_connect(&w, &fail) < 0)
                return sacctmgr_complain("%s", fail.text);
        *c->commit = s->immediate;
        int r = acct_send_change(s, w, c, true);
        if (r != EXIT_SUCCESS || s->immediate)
                return r;
        if (!acct_confirm_commit()) {
                puts(" Changes Discarded");
                return EXIT_SUCCESS;
        }
        *c->commit = true;
        w = wire_free(w); /* the connection may be half a minute old */
        if (command_connect(&w, &fail) < 0)
                return sacctmgr_complain("%s", fail.text);
        return acct_send_change(s, w, c, false);
}

static int acct_make_change(const struct sacctmgr *s, Slumber__AcctChange *m) {
        static const char *const nothing[] = {
                " Nothing new added.",
                " Nothing modified",
                " Nothing deleted",
        };
        /* reported by " already exists.  Not adding." alone */
        bool silent = m->entity == SLUMBER__ACCT_ENTITY__ACCT_ENTITY_CLUSTER &&
                      m->verb == SLUMBER__ACCT_CHANGE__VERB__ADD;
        ENVELOPE(request, ACCT_CHANGE, acct_change, m);

        return sacctmgr_commit(s, &(struct sacctmgr_change){ .request = &request,
                                                  .commit = &m->commit,
                                                  .nothing = silent ? NULL : nothing[m->verb],
                                                  .nothing_code = EXIT_FAILURE,
                                                  .refused = acct_print_refusal,
                                                  .user = m });
}

int sacctmgr_acct_change(const struct sacctmgr *s, int verb, int entity, int argc, char **argv) {
        Slumber__AcctChange m = SLUMBER__ACCT_CHANGE__INIT;
        struct words where = { 0 }, set = { 0 };
        struct words *to = verb == SLUMBER__ACCT_CHANGE__VERB__ADD ? &set : &where;

        for (int i = 0; i < argc; i++) {
                if (strcasecmp(argv[i], "where") == 0)
                        to = verb == SLUMBER__ACCT_CHANGE__VERB__ADD ? &set : &where;
                else if (strcasecmp(argv[i], "set") == 0)
                        to = &set;
                else
                        acct_words_add(to, argv[i]);
        }
        m.verb = (Slumber__AcctChange__Verb)verb;
        m.entity = (Slumber__AcctEntity)entity;
        m.where = where.list;
        m.n_where = where.n;
        m.set = set.list;
        m.n_set = set.n;
        int r = acct_make_change(s, &m);
        acct_words_done(&where);
        acct_words_done(&set);
        return r;
}

/* ---- show: columns. A key which the controller does not send is an unsupported limit: the
   column is empty ---- */

#define F(name, width, heading, key)                                                               \
        { name, width, heading, key, .text = NULL }

static const struct table_field qos_fields[] = {
        F("Description", 20, "Descr", "Description"),
        F("Descr", 20, NULL, "Description"),
        F("Flags", 20, NULL, "Flags"),
        F("GraceTime", 10, NULL, "GraceTime"),
        F("GrpCPUs", 8, NULL, "GrpCPUs"),
        F("GrpJobs", 7, NULL, "GrpJobs"),
        F("GrpJobsAccrue", 13, NULL, "GrpJobsAccrue"),
        F("GrpMem", 7, NULL, "GrpMem"),
        F("GrpNodes", 8, NULL, "GrpNodes"),
        F("GrpSubmitJobs", 9, "GrpSubmit", "GrpSubmitJobs"),
        F("GrpTRES", 13, NULL, "GrpTRES"),
        F("GrpTRESMins", 13, NULL, "GrpTRESMins"),
        F("GrpTRESRunMins", 13, NULL, "GrpTRESRunMins"),
        F("GrpWall", 11, NULL, "GrpWall"),
        F("ID", 6, NULL, "ID"),
        F("LimitFactor", 11, NULL, "LimitFactor"),
        F("MaxCPUsPerJob", 8, "MaxCPUs", "MaxCPUsPerJob"),
        F("MaxCPUsPerUser", 9, "MaxCPUsPU", "MaxCPUsPerUser"),
        F("MaxCPUsPU", 9, NULL, "MaxCPUsPerUser"),
        F("MaxJobs", 9, "MaxJobsPU", "MaxJobsPerUser"),
        F("MaxJobsAccruePerAccount", 15, "MaxJobsAccruePA", "MaxJobsAccruePerAccount"),
        F("MaxJobsAccruePerUser", 15, "MaxJobsAccruePU", "MaxJobsAccruePerUser"),
        F("MaxJobsAccruePA", 15, NULL, "MaxJobsAccruePerAccount"),
        F("MaxJobsAccruePU", 15, NULL, "MaxJobsAccruePerUser"),
        F("MaxJobsPerAccount", 9, "MaxJobsPA", "MaxJobsPerAccount"),
        F("MaxJobsPerUser", 9, "MaxJobsPU", "MaxJobsPerUser"),
        F("MaxJobsPA", 9, NULL, "MaxJobsPerAccount"),
        F("MaxJobsPU", 9, NULL, "MaxJobsPerUser"),
        F("MaxJPU", 9, "MaxJobsPU", "MaxJobsPerUser"),
        F("MaxNodesPerJob", 8, "MaxNodes", "MaxNodesPerJob"),
        F("MaxNodesPerUser", 10, "MaxNodesPU", "MaxNodesPerUser"),
        F("MaxNodesPU", 10, NULL, "MaxNodesPerUser"),
        F("MaxSubmit", 11, "MaxSubmitPU", "MaxSubmitJobsPerUser"),
        F("MaxSubmitJobsPerAccount", 11, "MaxSubmitPA", "MaxSubmitJobsPerAccount"),
        F("MaxSubmitJobsPerUser", 11, "MaxSubmitPU", "MaxSubmitJobsPerUser"),
        F("MaxSubmitPA", 11, NULL, "MaxSubmitJobsPerAccount"),
        F("MaxSubmitPU", 11, NULL, "MaxSubmitJobsPerUser"),
        F("MaxTRES", 13, NULL, "MaxTRESPerJob"),
        F("MaxTRESPerJob", 13, "MaxTRES", "MaxTRESPerJob"),
        F("MaxTRESPJ", 13, "MaxTRES", "MaxTRESPerJob"),
        F("MaxTRESMins", 13, NULL, "MaxTRESMinsPerJob"),
        F("MaxTRESMinsPerJob", 13, "MaxTRESMins", "MaxTRESMinsPerJob"),
        F("MaxTRESRunMinsPerUser", 15, "MaxTRESRunMinsPU", "MaxTRESRunMinsPerUser"),
        F("MaxTRESRunMinsPU", 15, NULL, "MaxTRESRunMinsPerUser"),
        F("MaxTRESRunMinsPerAccount", 15, "MaxTRESRunMinsPA", "MaxTRESRunMinsPerAccount"),
        F("MaxTRESRunMinsPA", 15, NULL, "MaxTRESRunMinsPerAccount"),
        F("MaxTRESPerNode", 14, NULL, "MaxTRESPerNode"),
        F("MaxTRESPerAccount", 13, "MaxTRESPA", "MaxTRESPerAccount"),
        F("MaxTRESPerUser", 13, "MaxTRESPU", "MaxTRESPerUser"),
        F("MaxTRESPA", 13, NULL, "MaxTRESPerAccount"),
        F("MaxTRESPU", 13, NULL, "MaxTRESPerUser"),
        F("MaxWall", 11, NULL, "MaxWallDurationPerJob"),
        F("MaxWallDurationPerJob", 11, "MaxWall", "MaxWallDurationPerJob"),
        F("MinCPUs", 8, NULL, "MinCPUs"),
        F("MinPrioThreshold", 12, "MinPrioThres", "MinPrioThreshold"),
        F("MinTRES", 13, NULL, "MinTRESPerJob"),
        F("MinTRESPerJob", 13, "MinTRES", "MinTRESPerJob"),
        F("Name", 10, NULL, "Name"),
        F("Preempt", 10, NULL, "Preempt"),
        F("PreemptExemptTime", 19, NULL, "PreemptExemptTime"),
        F("PreemptMode", 11, NULL, "PreemptMode"),
        F("Priority", 10, NULL, "Priority"),
        F("UsageFactor", 11, NULL, "UsageFactor"),
        F("UsageThreshold", 10, "UsageThres", "UsageThreshold"),
        F("UsageThres", 10, NULL, "UsageThreshold"),
};
static const char qos_usual[] =
                "Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags%40,UsageThres,UsageFactor,GrpTRES,GrpTRESMins,"
                "GrpTRESRunMins,GrpJobs,GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,MaxJobsPU,MaxSubmitPU,MaxTRESPA,"
                "MaxJobsPA,MaxSubmitPA,MinTRES";

#define ASSOC_FIELDS                                                                               \
        F("Cluster", 10, NULL, "Cluster"), F("DefaultQOS", 9, "Def QOS", "DefaultQOS"),            \
                        F("DefQOS", 9, "Def QOS", "DefaultQOS"),                                   \
                        F("Fairshare", 9, "Share", "Fairshare"), F("Share", 9, NULL, "Fairshare"), \
                        F("GrpCPUMins", 11, NULL, "GrpCPUMins"), F("GrpCPUs", 8, NULL, "GrpCPUs"), \
                        F("GrpJobs", 7, NULL, "GrpJobs"),                                          \
                        F("GrpJobsAccrue", 13, NULL, "GrpJobsAccrue"),                             \
                        F("GrpMem", 7, NULL, "GrpMem"), F("GrpNodes", 8, NULL, "GrpNodes"),        \
                        F("GrpSubmitJobs", 9, "GrpSubmit", "GrpSubmitJobs"),                       \
                        F("GrpTRES", 13, NULL, "GrpTRES"),                                         \
                        F("GrpTRESMins", 13, NULL, "GrpTRESMins"),                                 \
                        F("GrpTRESRunMins", 13, NULL, "GrpTRESRunMins"),                           \
                        F("GrpWall", 11, NULL, "GrpWall"), F("ID", 6, NULL, "ID"),                 \
                        F("MaxCPUMins", 11, NULL, "MaxCPUMinsPerJob"),                             \
                        F("MaxCPUs", 8, NULL, "MaxCPUsPerJob"), F("MaxJobs", 7, NULL, "MaxJobs"),  \
                        F("MaxJobsAccrue", 13, NULL, "MaxJobsAccrue"),                             \
                        F("MaxNodes", 8, NULL, "MaxNodesPerJob"),                                  \
                        F("MaxSubmitJobs", 9, "MaxSubmit", "MaxSubmitJobs"),                       \
                        F("MaxTRES", 13, NULL, "MaxTRESPerJob"),                                   \
                        F("MaxTRESPerJob", 13, "MaxTRES", "MaxTRESPerJob"),                        \
                        F("MaxTRESMins", 13, NULL, "MaxTRESMinsPerJob"),                           \
                        F("MaxTRESPerNode", 14, NULL, "MaxTRESPerNode"),                           \
                        F("MaxWall", 11, NULL, "MaxWallDurationPerJob"),                           \
                        F("MaxWallDurationPerJob", 11, "MaxWall", "MaxWallDurationPerJob"),        \
                        F("MinPrioThreshold", 12, "MinPrioThres", "MinPrioThreshold"),             \
                        F("ParentID", 8, NULL, "ParentID"),                                        \
                        F("ParentName", 10, NULL, "ParentName"),                                   \
                        F("Partition", 10, NULL, "Partition"),                                     \
                        F("Priority", 10, NULL, "Priority"), F("QOS", 20, NULL, "QOS"),            \
                        F("QOSLevel", 20, "QOS", "QOS")

static const struct table_field assoc_fields[] = {
        F("Account", 10, NULL, "Account"),
        F("User", 10, NULL, "User"),
        ASSOC_FIELDS,
};
static const char assoc_usual[] =
                "Cluster,Account,User,Partition,Share,Priority,GrpJobs,GrpTRES,GrpSubmit,GrpWall,GrpTRESMins,MaxJobs,MaxTRES,MaxTRESPerNode,"
                "MaxSubmit,MaxWall,MaxTRESMins,QOS,DefaultQOS,GrpTRESRunMins";

static const struct table_field account_fields[] = {
        F("Account", 10, NULL, "Account"),
        F("Name", 10, "Account", "Account"),
        F("Coordinators", 20, "Coord Accounts", "Coordinators"),
        F("Description", 20, "Descr", "Description"),
        F("Organization", 20, "Org", "Organization"),
        F("User", 10, NULL, "User"),
        ASSOC_FIELDS,
};
static const char account_usual[] = "Account,Description,Organization";
static const char account_assoc_usual[] =
                "Account,Description,Organization,Cluster,ParentName,User,Share,Priority,GrpJobs,GrpNodes,GrpCPUs,GrpMem,GrpSubmit,"
                "GrpWall,GrpCPUMins,MaxJobs,MaxNodes,MaxCPUs,MaxSubmit,MaxWall,MaxCPUMins,QOS,DefaultQOS";

static const struct table_field user_fields[] = {
        F("Account", 10, NULL, "Account"),
        F("AdminLevel", 9, "Admin", "AdminLevel"),
        F("DefaultAccount", 10, "Def Acct", "DefaultAccount"),
        F("Coordinators", 20, "Coord Accounts", "Coordinators"),
        F("DefAcct", 10, "Def Acct", "DefaultAccount"),
        F("Name", 10, "User", "User"),
        F("User", 10, NULL, "User"),
        ASSOC_FIELDS,
};
static const char user_usual[] = "User,DefaultAccount,AdminLevel";
static const char user_assoc_usual[] =
                "User,DefaultAccount,AdminLevel,Cluster,Account,Partition,Share,Priority,MaxJobs,MaxNodes,MaxCPUs,MaxSubmit,MaxWall,"
                "MaxCPUMins,QOS,DefaultQOS";

static const struct table_field cluster_fields[] = {
        F("ControlHost", 15, NULL, "ControlHost"),
        F("ControlPort", 12, NULL, "ControlPort"),
        F("RPC", 5, NULL, "---------"),
        ASSOC_FIELDS,
};
static const char cluster_usual[] =
                "Cluster,ControlHost,ControlPort,RPC,Share,GrpJobs,GrpTRES,GrpSubmit,MaxJobs,MaxTRES,MaxSubmit,MaxWall,QOS,DefaultQOS";

static const struct {
        const struct table_field *fields;
        size_t n;
        const char *usual, *with_assoc;
} shows[] = {
        { qos_fields, ELEMENTSOF(qos_fields), qos_usual, qos_usual },
        { account_fields, ELEMENTSOF(account_fields), account_usual, account_assoc_usual },
        { user_fields, ELEMENTSOF(user_fields), user_usual, user_assoc_usual },
        { assoc_fields, ELEMENTSOF(assoc_fields), assoc_usual, assoc_usual },
        { cluster_fields, ELEMENTSOF(cluster_fields), cluster_usual, cluster_usual },
};

/* ---- show ---- */

struct shown {
        const Slumber__AcctList *list; /* of a page */
        bool tree;
};

/* In a tree, spaces show the depth. */
static const char *acct_field_value(const void *record, const struct table_field *field,
                struct scratch *s, const void *user) {
        const struct shown *shown = user;
        const char *text = accounts_value(shown->list, record, field->key);

        if (!shown->tree || !streq(field->key, "Account"))
                return text;
        /* The controller's number */
        int depth = atoi(accounts_value(shown->list, record, "Depth"));
        return scratch_printf(s, "%*s%s", depth, "", text);
}

struct showing {
        Slumber__AcctQuery query;
        struct words where;
        const char *format;
        bool tree, coordinators;
};

static void acct_show_parse_word(struct showing *w, const char *word) {
        if (strcasecmp(word, "where") == 0)
                return;
        if (strncasecmp(word, "format=", 7) == 0)
                w->format = word + 7;
        else if (strcasecmp(word, "tree") == 0)
                w->tree = true;
        else if (strlen(word) >= 5 && strncasecmp("withassoc", word, strlen(word)) == 0)
                w->query.with_assoc = true;
        else if (strlen(word) >= 5 && strncasecmp("withcoordinators", word, strlen(word)) == 0)
                w->coordinators = true;
        else
                acct_words_add(&w->where, word);
}

struct report {
        struct showing *w;
        const struct table *t;
        bool json, later, begun; /* begun: no heading needed */
        struct scratch scratch;
};

static void acct_print_page(const Slumber__AcctList *page, void *user) {
        struct report *to = user;
        const struct shown shown = { page, to->w->tree };

        if (to->json)
                json_print_accounts(things[to->w->query.entity], page, !to->later, stdout);
        else if (!to->later && !to->begun)
                table_heading(to->t, stdout);
        for (size_t i = 0; i < page->n_rows && !to->json; i++)
                table_row(to->t, page->rows[i], &to->scratch, &shown, stdout);
        to->later = true;
}

/* Returns whether rows have a cluster column: associations only; otherwise the column is empty. */
static bool names_cluster(const struct showing *w, const struct table *t) {
        if (w->query.entity != SLUMBER__ACCT_ENTITY__ACCT_ENTITY_ASSOC && !w->query.with_assoc)
                return false;
        for (size_t i = 0; i < t->n; i++)
                if (streq(t->columns[i].field->key, "Cluster"))
                        return true;
        return false;
}

static int acct_print_pages(const struct sacctmgr *s, struct showing *w, const struct table *t) {
        _cleanup_(wire_freep) struct wire *wire = NULL;
        bool json = s->json;
        struct report to = { .w = w,
                .t = t,
                .json = json,
                .begun = sacctmgr_begin(s, t, names_cluster(w, t)) };
        struct fail fail = { 0 };
        uint32_t code = 0;
        int r = command_connect(&wire, &fail);

        if (r >= 0)
                r = query_accounts(wire, &w->query, acct_print_page, &to, &code, &fail);
        scratch_done(&to.scratch);
        if (r < 0)
                return sacctmgr_complain("%s",
                                code ? command_refusal("sacctmgr", code, fail.text) : fail.text);
        if (json)
                json_end_accounts();
        return EXIT_SUCCESS;
}

static bool is_kept_by_slurm(const char *word) {
        return strlen(word) >= 5 && strncasecmp("withdeleted", word, strlen(word)) == 0;
}

int sacctmgr_acct_show(const struct sacctmgr *s, int entity, int argc, char **argv) {
        struct showing w = { .query = SLUMBER__ACCT_QUERY__INIT };
        struct table t = sacctmgr_table(s);
        struct fail fail = { 0 };
        int r = EXIT_FAILURE;

        w.query.with_assoc = s->with_assoc;
        for (int i = 0; i < argc; i++) {
                if (is_kept_by_slurm(argv[i])) {
                        acct_words_done(&w.where);
                        return sacctmgr_complain(
                                        "%s is not implemented by Slumber: what is deleted is not kept",
                                        argv[i]);
                }
                acct_show_parse_word(&w, argv[i]);
        }
        t.value = acct_field_value;
        w.query.entity = (Slumber__AcctEntity)entity;
        w.query.where = w.where.list;
        w.query.n_where = w.where.n;
        _cleanup_free_ char *usual = xasprintf("%s%s",
                        w.query.with_assoc ? shows[entity].with_assoc : shows[entity].usual,
                        w.coordinators ? ",Coordinators" : "");
        const char *format = w.format ? w.format : usual;
        if (table_parse(&t, format, shows[entity].fields, shows[entity].n, &fail) < 0) {
                (void)sacctmgr_complain("%s", fail.text);
        } else {
                for (size_t i = 0; i < t.n && w.tree; i++)
                        if (streq(t.columns[i].field->key, "Account") && t.columns[i].width == 10)
                                t.columns[i].width = -20;
                r = acct_print_pages(s, &w, &t);
        }
        acct_words_done(&w.where);
        return r;
}
