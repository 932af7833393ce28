/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recursive descent parser of feature expressions.
 *
 *   or   := and ('|' and)*
 *   and  := atom ('&' atom)*
 *   atom := name | '(' or ')'
 *
 * With counts or brackets, the expression consists of parts joined by &:
 *
 *   part := atom
 *         | atom '*' count
 *         | '[' and ('|' and)* ']'
 *         | '[' atom '*' count ('&' atom '*' count)* ']'
 *
 * The trees are stored in one array; the children of a term have lower indexes. */
#include "controller/model/feature.h"

#include "controller/model/node_features.h"
#include "lib/wordlist.h"

enum kind {
        NAME,
        AND,
        OR,
};

struct term {
        enum kind kind;
        size_t left, right; /* AND, OR */
        const char *name;   /* NAME: points into text */
        size_t length;
};

#define NO_TERM SIZE_MAX

struct features {
        char *text;
        struct term terms[FEATURES_MAX * 2];
        size_t n_terms;
        size_t root;                         /* term required on every node; NO_TERM: none */
        size_t alike[FEATURES_MAX], n_alike; /* [a|b]: all nodes satisfy one of these terms */
        struct {
                size_t root;
                uint32_t count;
        } counts[FEATURES_MAX]; /* terms required on count nodes */
        size_t n_counts;
};

struct parser {
        struct features *f;
        const char *at;
        struct fail *fail;
        unsigned depth;
};

static int parse_or(struct parser *p, size_t *ret);

static int term_add(struct parser *p, struct term term, size_t *ret) {
        if (p->f->n_terms == ELEMENTSOF(p->f->terms))
                return fail_set(p->fail, -E2BIG, "more than %d features", FEATURES_MAX);
        *ret = p->f->n_terms;
        p->f->terms[p->f->n_terms++] = term;
        return 0;
}

static int parse_atom(struct parser *p, size_t *ret) {
        if (*p->at == '[')
                return fail_set(p->fail, -EINVAL,
                                "brackets cannot stand within parentheses, nor beside | or within brackets");
        if (*p->at == '(') {
                if (++p->depth > FEATURES_MAX)
                        return fail_set(p->fail, -E2BIG, "parentheses are nested too deeply");
                p->at++;
                int r = parse_or(p, ret);
                if (r < 0)
                        return r;
                if (*p->at != ')')
                        return fail_set(p->fail, -EINVAL, "a closing parenthesis is missing");
                p->at++;
                return 0;
        }
        size_t length = strcspn(p->at, "&,|()[]*");
        if (length == 0)
                return fail_set(p->fail, -EINVAL, "a feature name is missing");
        struct term term = { .kind = NAME, .name = p->at, .length = length };
        p->at += length;
        return term_add(p, term, ret);
}

/* Parses a level of the grammar: operands joined by any of the operators. */
static int parse_joined(struct parser *p, const char *operators, enum kind kind,
                int (*operand)(struct parser *, size_t *), size_t *ret) {
        int r = operand(p, ret);

        while (r >= 0 && *p->at && strchr(operators, *p->at)) {
                size_t right;

                p->at++;
                r = operand(p, &right);
                if (r >= 0)
                        r = term_add(p, (struct term){ .kind = kind, .left = *ret, .right = right },
                                        ret);
        }
        return r;
}

static int parse_and(struct parser *p, size_t *ret) {
        return parse_joined(p, "&,", AND, parse_atom, ret);
}

static int parse_or(struct parser *p, size_t *ret) {
        return parse_joined(p, "|", OR, parse_and, ret);
}

static bool at_and(const struct parser *p) {
        return *p->at == '&' || *p->at == ',';
}

/* Parses "*2" behind the last term; *ret is 0 without a count. */
static int term_parse_count(struct parser *p, uint32_t *ret) {
        uint64_t n = 0;

        *ret = 0;
        if (*p->at != '*')
                return 0;
        size_t digits = strspn(p->at + 1, "0123456789");
        for (size_t i = 1; i <= digits && n < UINT32_MAX; i++)
                n = n * 10 + (uint64_t)(p->at[i] - '0');
        if (n == 0 || n >= UINT32_MAX)
                return fail_set(p->fail, -EINVAL,
                                "a number of nodes, 1 or more, is missing behind *");
        p->at += 1 + digits;
        *ret = (uint32_t)n;
        return 0;
}

static int term_add_count(struct parser *p, size_t root, uint32_t count) {
        struct features *f = p->f;

        if (f->n_counts == ELEMENTSOF(f->counts))
                return fail_set(p->fail, -E2BIG, "more than %d features", FEATURES_MAX);
        f->counts[f->n_counts].root = root;
        f->counts[f->n_counts++].count = count;
        return 0;
}

/* Parses the rest of "[a*2&b*1" behind the first count. */
static int parse_counts(struct parser *p, size_t root, uint32_t count) {
        int r = term_add_count(p, root, count);

        while (r >= 0 && at_and(p)) {
                p->at++;
                r = parse_atom(p, &root);
                if (r >= 0)
                        r = term_parse_count(p, &count);
                if (r >= 0 && count == 0)
                        r = fail_set(p->fail, -EINVAL,
                                        "within brackets either each feature has a count or they are joined by |");
                if (r >= 0)
                        r = term_add_count(p, root, count);
        }
        return r;
}

static int parse_alternatives(struct parser *p) {
        struct features *f = p->f;
        int r;

        do {
                if (f->n_alike == ELEMENTSOF(f->alike))
                        return fail_set(p->fail, -E2BIG, "more than %d features", FEATURES_MAX);
                p->at += f->n_alike > 0;
                r = parse_and(p, &f->alike[f->n_alike++]);
        } while (r >= 0 && *p->at == '|');
        if (r >= 0 && f->n_alike == 1 && f->terms[f->alike[0]].kind == AND)
                return fail_set(p->fail, -EINVAL,
                                "within brackets either each feature has a count or they are joined by |");
        return r;
}

static int parse_brackets(struct parser *p) {
        struct features *f = p->f;
        size_t root, terms = f->n_terms;
        const char *from = ++p->at;
        uint32_t count;

        if (f->n_alike || f->n_counts)
                return fail_set(p->fail, -EINVAL,
                                "there can be only one pair of brackets, and no count beside it");
        int r = parse_atom(p, &root);
        if (r >= 0)
                r = term_parse_count(p, &count);
        if (r < 0)
                return r;
        if (count)
                r = parse_counts(p, root, count);
        else {
                p->at = from;
                f->n_terms = terms;
                r = parse_alternatives(p);
        }
        if (r >= 0 && *p->at != ']')
                return fail_set(p->fail, -EINVAL, "a closing bracket is missing");
        p->at += r >= 0;
        return r;
}

/* Adds a term to the terms required on every node. */
static int add_to_root(struct parser *p, size_t term) {
        struct features *f = p->f;

        if (f->root == NO_TERM) {
                f->root = term;
                return 0;
        }
        return term_add(p, (struct term){ .kind = AND, .left = f->root, .right = term }, &f->root);
}

static int parse_part(struct parser *p) {
        uint32_t count;
        size_t term;

        if (*p->at == '[')
                return parse_brackets(p);
        int r = parse_atom(p, &term);
        if (r >= 0)
                r = term_parse_count(p, &count);
        if (r < 0)
                return r;
        if (!count)
                return add_to_root(p, term);
        if (p->f->n_alike)
                return fail_set(p->fail, -EINVAL, "there can be no count beside brackets");
        return term_add_count(p, term, count);
}

static int parse_parts(struct parser *p) {
        int r = parse_part(p);

        while (r >= 0 && at_and(p)) {
                p->at++;
                r = parse_part(p);
        }
        if (r >= 0 && *p->at == '|')
                return fail_set(p->fail, -EINVAL,
                                "beside counts and brackets | must stand in parentheses or brackets");
        return r;
}

int features_parse(const char *text, struct features **ret, struct fail *fail) {
        _cleanup_(features_freep) struct features *f = xnew0(struct features, 1);

        f->text = xstrdup(text);
        f->root = NO_TERM;
        struct parser p = { .f = f, .at = f->text, .fail = fail };
        int r = strpbrk(text, "[*") ? parse_parts(&p) : parse_or(&p, &f->root);
        if (r >= 0 && *p.at)
                r = fail_set(fail, -EINVAL, "\"%s\" is unexpected", p.at);
        if (r < 0)
                return fail_prefix(fail, r, "constraint \"%s\"", text);
        *ret = TAKE(f);
        return 0;
}

static bool term_match(const struct features *f, size_t at, const struct node *n,
                enum features_when when) {
        const struct term *t = &f->terms[at];

        switch (t->kind) {
        case NAME:
                return node_features_has(n, t->name, t->length, when);
        case AND:
                return term_match(f, t->left, n, when) && term_match(f, t->right, n, when);
        case OR:
                return term_match(f, t->left, n, when) || term_match(f, t->right, n, when);
        }
        return false;
}

/* The first alternative satisfied by n; else the first that a reboot could satisfy. */
static size_t term_alternative(const struct features *f, const struct term *t,
                const struct node *n) {
        for (enum features_when when = FEATURES_NOW; when <= FEATURES_LATER; when++) {
                if (term_match(f, t->left, n, when))
                        return t->left;
                if (term_match(f, t->right, n, when))
                        return t->right;
        }
        return t->right;
}

static void term_add_needed(const struct features *f, size_t at, const struct node *n,
                char **names) {
        const struct term *t = &f->terms[at];

        switch (t->kind) {
        case NAME:
                if (names_have(n->changeable, t->name, t->length) &&
                                !names_have(*names, t->name, t->length)) {
                        text_add_word(names, ",", "%.*s", (int)t->length, t->name);
                }
                return;
        case AND:
                term_add_needed(f, t->left, n, names);
                term_add_needed(f, t->right, n, names);
                return;
        case OR:
                term_add_needed(f, term_alternative(f, t, n), n, names);
                return;
        }
}

char *features_need(const struct features *f, const struct node *n) {
        char *names = NULL;

        if (f->root != NO_TERM)
                term_add_needed(f, f->root, n, &names);
        return names;
}

/* Within brackets and with counts no reboot is considered: the feature must be active. */
static enum features_when without_reboot(enum features_when when) {
        return when == FEATURES_REBOOT || when == FEATURES_LATER ? FEATURES_NOW : when;
}

static bool match_any(const struct features *f, const struct node *n, enum features_when when) {
        for (size_t i = 0; i < f->n_alike; i++)
                if (term_match(f, f->alike[i], n, without_reboot(when)))
                        return true;
        return f->n_alike == 0;
}

bool features_match(const struct features *f, const struct node *n, enum features_when when) {
        if (!f)
                return true;
        if ((f->root != NO_TERM && !term_match(f, f->root, n, when)) || !match_any(f, n, when))
                return false;
        if (!n->changeable)
                return true;
        _cleanup_free_ char *names = features_need(f, n);
        return !node_features_clash(n, names);
}

size_t features_alternatives(const struct features *f) {
        return f ? f->n_alike : 0;
}

bool features_has_alternative(const struct features *f, size_t i, const struct node *n,
                enum features_when when) {
        return term_match(f, f->alike[i], n, without_reboot(when));
}

size_t features_counts(const struct features *f) {
        return f ? f->n_counts : 0;
}

uint32_t features_count(const struct features *f, size_t i) {
        return f->counts[i].count;
}

bool features_is_counted(const struct features *f, size_t i, const struct node *n,
                enum features_when when) {
        return term_match(f, f->counts[i].root, n, without_reboot(when));
}

uint32_t features_nodes(const struct features *f) {
        uint64_t nodes = 0;

        for (size_t i = 0; i < features_counts(f); i++)
                nodes += f->counts[i].count;
        return (uint32_t)MIN(nodes, (uint64_t)UINT32_MAX);
}

static bool is_changeable(const struct features *f, size_t at, const struct node *n) {
        const struct term *t = &f->terms[at];

        return t->kind == NAME ? names_have(n->changeable, t->name, t->length)
                               : is_changeable(f, t->left, n) || is_changeable(f, t->right, n);
}

bool features_may_change(const struct features *f, const struct node *n) {
        bool found = false;

        for (size_t i = 0; f && n->changeable && i < f->n_alike; i++)
                found |= is_changeable(f, f->alike[i], n);
        for (size_t i = 0; f && n->changeable && i < f->n_counts; i++)
                found |= is_changeable(f, f->counts[i].root, n);
        return found;
}

static bool name_known(const struct term *t, struct node *const *nodes, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (names_have(nodes[i]->features, t->name, t->length))
                        return true;
        return false;
}

bool features_known(const struct features *f, struct node *const *nodes, size_t n) {
        for (size_t i = 0; i < f->n_terms; i++)
                if (f->terms[i].kind == NAME && !name_known(&f->terms[i], nodes, n))
                        return false;
        return true;
}

struct features *features_free(struct features *f) {
        if (!f)
                return NULL;
        free(f->text);
        free(f);
        return NULL;
}
