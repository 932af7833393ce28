/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/account_admin/acct_file.h"

#include "lib/printable.h"
#include "lib/wordlist.h"

#include <strings.h>

#define FILE_SIZE_MAX ((size_t)16 << 20)
#define LINE_SIZE_MAX ((size_t)64 << 10)
#define LINES_MAX     50000 /* maximum of accounts and users */
#define WORDS_MAX     100   /* maximum for a line */

/* ---- parsing ---- */

struct reading {
        struct acct_file *file;
        struct fail *fail;
        unsigned number;
        char *parent; /* NULL: no Parent line yet */
};

static int acct_file_error(const struct reading *r, const char *format, ...) _printf_(2, 3);
static int acct_file_error(const struct reading *r, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        _cleanup_free_ char *text = xvasprintf(format, ap);
        va_end(ap);
        return fail_set(r->fail, -EINVAL, "line %u: %s", r->number, text);
}

static bool is_blank(char c) {
        return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the text up to the next ":" or the end, without quotes and surrounding blanks; the caller
   frees.  NULL: a quote is not closed. */
static char *take_part(const char **p) {
        *p += strspn(*p, " \t\r");
        char *part = xmalloc(strlen(*p) + 1), *to = part, *end = part;

        for (; **p && **p != ':' && **p != '#'; (*p)++) {
                char quote = **p;
                if (quote != '\'' && quote != '"') {
                        *to++ = quote;
                        end = is_blank(quote) ? end : to;
                        continue;
                }
                const char *close = strchr(*p + 1, quote);
                if (!close) {
                        free(part);
                        return NULL;
                }
                to = mempcpy(to, *p + 1, (size_t)(close - *p - 1));
                end = to;
                *p = close;
        }
        *end = 0;
        return part;
}

/* Takes "key=value", "key+=value" or "key-=value". */
static int acct_file_parse_word(struct reading *r, struct acct_line *line, const char *part) {
        size_t n = strspn(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        bool list = n && (part[n] == '+' || part[n] == '-') && part[n + 1] == '=';

        if (n == 0 || (!list && part[n] != '='))
                return acct_file_error(r, "\"%.100s\" is not KEY=VALUE", part);
        if (line->n == WORDS_MAX)
                return acct_file_error(r, "there are more than %d settings", WORDS_MAX);
        line->words = xrenew(line->words, line->n + 1);
        line->words[line->n++] = (struct acct_word){ xstrndup(part, n),
                xstrdup(part + n + 1 + list), part[n] };
        return 0;
}

static int acct_file_parse_words(struct reading *r, struct acct_line *line, const char *p) {
        int e = 0;

        while (*p == ':' && e >= 0) {
                p++;
                _cleanup_free_ char *part = take_part(&p);
                if (!part)
                        return acct_file_error(r, "a quoted text has no end");
                e = *part ? acct_file_parse_word(r, line, part) : 0;
        }
        return e;
}

/* Adds a line.  The cluster must come first, and only once; accounts and users are below the last
   Parent. */
static int acct_file_add_line(struct reading *r, enum acct_entity entity, char *name,
                const char *rest) {
        struct acct_file *f = r->file;
        bool cluster = entity == ENTITY_CLUSTER;

        if (f->n && cluster)
                return acct_file_error(r, "a file is of one cluster, which line %u names",
                                f->lines[0].number);
        if (f->n == 0 && !cluster)
                return acct_file_error(r, "\"Cluster - NAME\" comes before accounts and users");
        if (f->n > LINES_MAX)
                return acct_file_error(r, "there are more than %d accounts and users", LINES_MAX);
        GROW(f->lines, f->allocated, f->n);
        struct acct_line *line = &f->lines[f->n++];
        *line = (struct acct_line){ .number = r->number, .entity = entity, .name = xstrdup(name) };
        if (!cluster)
                line->parent = xstrdup(r->parent ? r->parent : "root");
        return acct_file_parse_words(r, line, rest);
}

static const struct {
        const char *title;
        enum acct_entity entity; /* ENTITY_MAX: names the account above the following lines */
} titles[] = {
        { "Cluster", ENTITY_CLUSTER },
        { "Parent", ENTITY_MAX },
        { "Account", ENTITY_ACCOUNT },
        { "User", ENTITY_USER },
};

static int take_titled(struct reading *r, size_t title, const char *rest) {
        _cleanup_free_ char *name = take_part(&rest);

        if (!name)
                return acct_file_error(r, "a quoted text has no end");
        if (!*name)
                return acct_file_error(r, "\"%s - NAME\" was expected", titles[title].title);
        if (titles[title].entity != ENTITY_MAX)
                return acct_file_add_line(r, titles[title].entity, name, rest);
        if (*rest == ':')
                return acct_file_error(r,
                                "Parent - %.100s: its settings stand in its own line, \"Account - NAME\"",
                                name);
        free_and_strdup(&r->parent, name);
        return 0;
}

/* Parses "Title - name:...". */
static int acct_file_parse_line(struct reading *r, const char *line) {
        line += strspn(line, " \t\r");
        size_t n = strcspn(line, " \t-"), gap = strspn(line + n, " \t");

        if (!*line || *line == '#')
                return 0;
        for (size_t i = 0; i < ELEMENTSOF(titles); i++) {
                if (n != strlen(titles[i].title) || strncasecmp(line, titles[i].title, n) != 0)
                        continue;
                return line[n + gap] == '-' ? take_titled(r, i, line + n + gap + 1)
                                            : acct_file_error(r, "\"%s - NAME\" was expected",
                                                              titles[i].title);
        }
        return acct_file_error(r, "\"%.*s\" is none of Cluster, Parent, Account and User",
                        (int)MIN(n, (size_t)100), line);
}

static int check_bytes(struct reading *r, const char *line, size_t n) {
        if (n > LINE_SIZE_MAX)
                return acct_file_error(r, "it is longer than %zu KiB", LINE_SIZE_MAX >> 10);
        _cleanup_free_ char *copy = xstrndup(line, n);
        for (char *c = copy; *c; c++)
                *c = is_blank(*c) ? ' ' : *c;
        return strlen(copy) < n || has_control(copy)
                               ? acct_file_error(r, "it has a control character")
                               : 0;
}

int acct_file_parse(const char *text, size_t size, struct acct_file *ret, struct fail *fail) {
        struct reading r = { .file = ret, .fail = fail };
        const char *end = text + size;
        int e = 0;

        *ret = (struct acct_file){ 0 };
        if (size > FILE_SIZE_MAX)
                return fail_set(fail, -EINVAL, "the file is larger than %zu MiB",
                                FILE_SIZE_MAX >> 20);
        for (const char *p = text; p < end && e >= 0;) {
                const char *stop = memchr(p, '\n', (size_t)(end - p));
                size_t n = (size_t)((stop ? stop : end) - p);
                r.number++;
                e = check_bytes(&r, p, n);
                if (e < 0)
                        break;
                _cleanup_free_ char *line = xstrndup(p, n);
                e = acct_file_parse_line(&r, line);
                p += n + 1;
        }
        if (e >= 0 && ret->n == 0)
                e = fail_set(fail, -EINVAL, "there is no line \"Cluster - NAME\"");
        free(r.parent);
        return e;
}

void acct_file_done(struct acct_file *f) {
        for (size_t i = 0; i < f->n; i++) {
                struct acct_line *line = &f->lines[i];
                for (size_t k = 0; k < line->n; k++) {
                        free((char *)(uintptr_t)line->words[k].key);
                        free((char *)(uintptr_t)line->words[k].value);
                }
                free(line->words);
                free(line->name);
                free(line->parent);
        }
        free(f->lines);
        *f = (struct acct_file){ 0 };
}

/* ---- writing ---- */

/* Quotes the text with a quote that does not occur; with both quotes in the text, in pieces. */
static void put_quoted(FILE *out, const char *text) {
        while (true) {
                char quote = text[strcspn(text, "'\"")] == '\'' ? '"' : '\'';
                size_t n = strcspn(text, (char[]){ quote, 0 });
                fprintf(out, "%c%.*s%c", quote, (int)n, text, quote);
                text += n;
                if (!*text)
                        return;
        }
}

static void acct_file_put_setting(FILE *out, const char *key, const char *value, bool quoted) {
        fprintf(out, ":%s=", key);
        if (quoted || strpbrk(value, ":#'\" "))
                put_quoted(out, value);
        else
                fputs(value, out);
}

/* True for values different from those of a new object; includes empty texts, and a root without
   QOS. */
static bool setting_is_written(const struct acct *a, const struct acct_field *f, const void *object,
                const char *text) {
        if (f->type == ACCT_ADMIN)
                return !streq(text, admin_level_text(ADMIN_NONE));
        return !isempty(text) || f->type == ACCT_TEXT ||
               (object == a->root && f->type == ACCT_QOS_SET);
}

static void put_settings(FILE *out, const struct acct *a, enum acct_table table,
                const void *object) {
        size_t n;
        const struct acct_field *fields = acct_fields(table, &n);

        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *text = fields[i].column
                                                            ? acct_field_text(a, &fields[i], object)
                                                            : NULL;
                bool number = fields[i].type != ACCT_TEXT && fields[i].type != ACCT_QOS_SET &&
                              fields[i].type != ACCT_QOS_ID && fields[i].type != ACCT_ADMIN;
                if (text && setting_is_written(a, &fields[i], object, text))
                        acct_file_put_setting(out, fields[i].name, text, !number);
        }
}

static void put_title(FILE *out, const char *title, const char *name) {
        fprintf(out, "%s - ", title);
        put_quoted(out, name);
}

static void put_coordinated(FILE *out, const struct acct *a, const char *user) {
        _cleanup_free_ char *list = xstrdup("");

        for (size_t i = 0; i < a->n_accounts; i++)
                for (size_t k = 0; k < a->accounts[i]->n_coordinators; k++) {
                        if (!streq(a->accounts[i]->coordinators[k], user))
                                continue;
                        text_add_word(&list, ",", "%s", a->accounts[i]->name);
                }
        if (*list)
                acct_file_put_setting(out, "Coordinator", list, true);
}

static void acct_file_put_assoc(FILE *out, const struct acct *a, const struct assoc *s) {
        const struct account *account = s->user ? NULL : account_find(a, s->account);
        const struct acct_user *user = s->user ? acct_user_find(a, s->user) : NULL;

        put_title(out, s->user ? "User" : "Account", s->user ? s->user : s->account);
        if (s->partition)
                acct_file_put_setting(out, "Partition", s->partition, true);
        if (account)
                put_settings(out, a, ACCT_ACCOUNT, account);
        if (user)
                put_settings(out, a, ACCT_USER, user);
        if (user)
                put_coordinated(out, a, user->name);
        put_settings(out, a, ACCT_ASSOC, s);
        fputc('\n', out);
}

/* Writes the users, the accounts, then the objects below each account. */
static void put_below(FILE *out, const struct acct *a, const struct assoc *above) {
        if (above->n_children == 0)
                return;
        put_title(out, "Parent", above->account);
        fputc('\n', out);
        for (int accounts = 0; accounts < 2; accounts++)
                for (size_t i = 0; i < a->n_assocs; i++)
                        if (a->assocs[i]->parent == above &&
                                        (a->assocs[i]->user == NULL) == (accounts == 1))
                                acct_file_put_assoc(out, a, a->assocs[i]);
        for (size_t i = 0; i < a->n_assocs; i++)
                if (a->assocs[i]->parent == above && !a->assocs[i]->user)
                        put_below(out, a, a->assocs[i]);
}

char *acct_dump(const struct cluster *c) {
        char *text = NULL;
        size_t size;
        FILE *out = memstream_open(&text, &size);

        fputs("# Accounts and users of a cluster: sacctmgr load reads this file.  An account is defined before\n"
              "# those below it, which follow \"Parent - ACCOUNT\"; settings are in sacctmgr(1).\n",
                        out);
        put_title(out, "Cluster",
                        c->acct.entered ? c->acct.entered->name : c->config->cluster_name);
        put_settings(out, &c->acct, ACCT_ASSOC, c->acct.root);
        fputc('\n', out);
        put_below(out, &c->acct, c->acct.root);
        memstream_close(out);
        return text;
}
