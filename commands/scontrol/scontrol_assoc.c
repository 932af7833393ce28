/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol show assoc_mgr: users, associations and QOS in the controller's memory, page by page. */
#include "commands/scontrol/scontrol.h"

#include "lib/wordlist.h"

#include <strings.h>

enum { USERS, ASSOCS, QOS, KINDS };

static const struct {
        const char *flag, *title, *none;
} kinds[KINDS] = {
        [USERS] = { "users", "User Records", "No users currently cached in Slurm." },
        [ASSOCS] = { "assoc", "Association Records", "No associations currently cached in Slurm." },
        [QOS] = { "qos", "QOS Records", "No QOS currently cached in Slurm." },
};

struct wish {
        Slumber__AssocMgrQuery query; /* lists of names; empty: all */
        unsigned flags;               /* bits of kinds; 0: all */
};

/* ---- the request ---- */

static int add_flags(struct wish *w, const char *names) {
        for_each_word(f, names, ",") {
                size_t k = 0;
                while (k < KINDS && strcasecmp(kinds[k].flag, f) != 0)
                        k++;
                if (k == KINDS)
                        return scontrol_refuse(
                                        "invalid flag '%s', valid options are 'Assoc, QOS, and/or Users'",
                                        f);
                w->flags |= 1u << k;
        }
        return 0;
}

static bool assoc_word_is_key(const char *word, size_t n, const char *key, size_t least) {
        return n >= least && n <= strlen(key) && strncasecmp(word, key, n) == 0;
}

static int assoc_parse_word(struct wish *w, const char *word) {
        size_t n = strcspn(word, "=");

        if (!word[n] || !word[n + 1])
                return scontrol_refuse("No value given for option %s", word);
        if (assoc_word_is_key(word, n, "accounts", 1))
                texts_add_words(&w->query.accounts, &w->query.n_accounts, word + n + 1, ",");
        else if (assoc_word_is_key(word, n, "flags", 1))
                return add_flags(w, word + n + 1);
        else if (assoc_word_is_key(word, n, "qos", 1))
                texts_add_words(&w->query.qos, &w->query.n_qos, word + n + 1, ",");
        else if (assoc_word_is_key(word, n, "users", 1))
                texts_add_words(&w->query.users, &w->query.n_users, word + n + 1, ",");
        else
                return scontrol_refuse("invalid entity: %s for keyword:show assoc_mgr", word);
        return 0;
}

/* ---- the output ---- */

static void print_words(const Slumber__AssocMgrRecord *r, const char *new_line) {
        for (size_t i = 0; i < r->n_words; i++) {
                const Slumber__AcctWord *w = r->words[i];
                printf("%s%s=%s", w->op == '\n' ? new_line : w->op ? " " : "", w->key, w->value);
        }
}

/* Prints the usage and limits of accounts or users under a QOS. */
static void print_parts(const struct scontrol *s, Slumber__AssocMgrRecord *const *list, size_t n,
                const char *title, const char *none) {
        printf(s->one_liner ? " %s=" : "\n    %s", title);
        if (n == 0)
                printf(s->one_liner ? "%s" : "\n        %s", none);
        for (size_t i = 0; i < n; i++) {
                printf(s->one_liner ? " %s={" : "\n      %s\n        ", list[i]->name);
                print_words(list[i], s->one_liner ? " " : "\n        ");
                if (s->one_liner)
                        putchar('}');
        }
}

static void assoc_print_record(const struct scontrol *s, int kind,
                const Slumber__AssocMgrRecord *r) {
        print_words(r, s->one_liner ? " " : "\n    ");
        if (kind == QOS) {
                print_parts(s, r->accounts, r->n_accounts, "Account Limits", "No Accounts");
                print_parts(s, r->users, r->n_users, "User Limits", "No Users");
        }
        putchar('\n');
}

/* Prints the records of one kind. *n: number of kinds printed so far. */
static int print_kind(const struct scontrol *s, const struct wish *wish, int kind, struct wire *w,
                int *n, struct fail *fail) {
        Slumber__AssocMgrQuery q = wish->query;
        bool some = false;

        q.kind = (Slumber__AssocMgrQuery__Kind)kind;
        do {
                _cleanup_envelope_ Envelope *reply = NULL;
                ENVELOPE(request, ASSOC_MGR_QUERY, assoc_mgr_query, &q);
                int r = wire_call(w, &request, &reply, NULL, fail);
                if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_ASSOC_MGR_LIST)
                        r = fail_set(fail, -EPROTO, "the controller answered something else");
                if (r < 0)
                        return r;
                const Slumber__AssocMgrList *list = reply->assoc_mgr_list;
                if (!q.skip && !s->one_liner)
                        puts(*n ? "" : "Current Association Manager state\n");
                else if (!q.skip && !*n)
                        puts("Current Association Manager state");
                if (list->n_records && !some)
                        printf(s->one_liner ? "%s\n" : "%s\n\n", kinds[kind].title);
                for (size_t i = 0; i < list->n_records; i++)
                        assoc_print_record(s, kind, list->records[i]);
                some |= list->n_records > 0;
                q.skip = list->next;
        } while (q.skip);
        ++*n;
        if (!some)
                printf("%s\n%s", kinds[kind].none, s->one_liner ? "" : "\n");
        return 0;
}

int scontrol_show_assoc_mgr(const struct scontrol *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct wish wish = { .query = SLUMBER__ASSOC_MGR_QUERY__INIT };
        struct fail fail = { 0 };
        int code = EXIT_SUCCESS, r = 0;

        for (int i = 0; i < argc && code == EXIT_SUCCESS; i++)
                code = assoc_parse_word(&wish, argv[i]);
        if (code == EXIT_SUCCESS) {
                r = command_connect(&w, &fail);
                for (int k = 0, n = 0; k < KINDS && r >= 0; k++)
                        if (!wish.flags || wish.flags & 1u << k)
                                r = print_kind(s, &wish, k, w, &n, &fail);
        }
        texts_free(wish.query.users, wish.query.n_users);
        texts_free(wish.query.accounts, wish.query.n_accounts);
        texts_free(wish.query.qos, wish.query.n_qos);
        if (r < 0) {
                command_error("scontrol", "slurm_load_assoc_mgr_info error: %s", fail.text);
                return EXIT_FAILURE;
        }
        return code;
}
