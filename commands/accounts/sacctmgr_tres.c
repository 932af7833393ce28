/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr show tres: TRES usable in limits and weights, from the controller's configuration. */
#include "commands/accounts/sacctmgr.h"

#include "lib/errors.h"
#include "lib/wordlist.h"

#include <strings.h>

/* ---- list of TRES ---- */

/* Ids as in Slurm: fixed ids, then ids from here on for AccountingStorageTRES. */
#define FIRST_NAMED 1001

struct tres {
        char *type, *name;
        unsigned id;
};

struct tres_list {
        struct tres *list;
        size_t n, allocated;
};

static void tres_list_done(struct tres_list *t) {
        for (size_t i = 0; i < t->n; i++) {
                free(t->list[i].type);
                free(t->list[i].name);
        }
        free(t->list);
}

/* Adds "cpu" or "gres/gpu:a100". */
static void tres_list_add(struct tres_list *t, const char *text, unsigned id) {
        size_t type = strcspn(text, "/");

        GROW(t->list, t->allocated, t->n);
        t->list[t->n++] = (struct tres){ xstrndup(text, type),
                xstrdup(text + type + (text[type] == '/')), id };
}

static void list_tres(const char *tracked, struct tres_list *ret) {
        static const struct tres ours[] = {
                { "cpu", NULL, 1 },
                { "mem", NULL, 2 },
                { "node", NULL, 4 },
                { "billing", NULL, 5 },
        };

        for (size_t i = 0; i < ELEMENTSOF(ours); i++)
                tres_list_add(ret, ours[i].type, ours[i].id);
        size_t first = ret->n;
        for_each_word(w, tracked, ", ")
                if (strncasecmp(w, "gres/", 5) == 0 || strncasecmp(w, "license/", 8) == 0)
                        tres_list_add(ret, w, FIRST_NAMED + (unsigned)(ret->n - first));
}

static int tres_list_query(struct tres_list *ret, struct fail *fail) {
        Slumber__ConfigQuery query = SLUMBER__CONFIG_QUERY__INIT;
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        const char *tracked = "";
        ENVELOPE(request, CONFIG_QUERY, config_query, &query);
        int r = command_connect(&w, fail);

        if (r >= 0)
                r = wire_call(w, &request, &reply, NULL, fail);
        if (r >= 0 && reply->body_case != SLUMBER__ENVELOPE__BODY_CONFIG_LIST)
                r = fail_set(fail, -EPROTO, "the controller answered something else");
        for (size_t i = 0; r >= 0 && i < reply->config_list->n_settings; i++)
                if (streq(reply->config_list->settings[i]->key, "AccountingStorageTRES"))
                        tracked = reply->config_list->settings[i]->value;
        if (r >= 0)
                list_tres(tracked, ret);
        return r;
}

/* ---- show tres ---- */

static const struct table_field fields[] = {
        { "ID", 6, MEMBER(struct tres, id) },
        { "Name", 15, MEMBER(struct tres, name) },
        { "Type", 8, MEMBER(struct tres, type) },
};

/* Conditions on each field: NULL is any. */
struct choice {
        const char *of[ELEMENTSOF(fields)];
        const char *format;
};

static int choice_parse_word(struct choice *c, const char *word) {
        size_t n = strcspn(word, "=");

        if (strcasecmp(word, "where") == 0)
                return EXIT_SUCCESS;
        if (word[n] && n && strncasecmp("format", word, n) == 0) {
                c->format = word + n + 1;
                return EXIT_SUCCESS;
        }
        for (size_t i = 0; word[n] && n && i < ELEMENTSOF(fields); i++)
                if (strncasecmp(fields[i].name, word, n) == 0) {
                        c->of[i] = word + n + 1;
                        return EXIT_SUCCESS;
                }
        return sacctmgr_complain("Unknown condition: %s", word);
}

/* Returns whether text is a word of a list such as "gres,license". */
static bool is_among(const char *list, const char *text) {
        size_t n = strlen(text);

        for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
                if (strcspn(p, ",") == n && strncasecmp(p, text, n) == 0)
                        return true;
        return false;
}

static bool choice_has_tres(const struct choice *c, const struct tres *t) {
        bool chosen = true;

        for (size_t i = 0; i < ELEMENTSOF(fields); i++) {
                struct scratch s = { 0 };
                chosen = chosen && (!c->of[i] || is_among(c->of[i], table_field_text(&fields[i], t,
                                                                                    &s, NULL)));
                scratch_done(&s);
        }
        return chosen;
}

int sacctmgr_show_tres(const struct sacctmgr *s, int argc, char **argv) {
        _cleanup_(tres_list_done) struct tres_list list = { 0 };
        struct choice choice = { .format = "Type,Name,ID" };
        struct table t = sacctmgr_table(s);
        struct scratch scratch = { 0 };
        struct fail fail = { 0 };

        for (int i = 0; i < argc; i++)
                if (choice_parse_word(&choice, argv[i]) != EXIT_SUCCESS)
                        return EXIT_FAILURE;
        if (s->json)
                return sacctmgr_complain("show tres has no --json");
        if (table_parse(&t, choice.format, fields, ELEMENTSOF(fields), &fail) < 0 ||
                        tres_list_query(&list, &fail) < 0)
                return sacctmgr_complain("%s", fail.text);
        table_heading(&t, stdout);
        for (size_t i = 0; i < list.n; i++)
                if (choice_has_tres(&choice, &list.list[i]))
                        table_row(&t, &list.list[i], &scratch, NULL, stdout);
        scratch_done(&scratch);
        return EXIT_SUCCESS;
}
