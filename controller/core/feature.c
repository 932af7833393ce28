/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tiny recursive descent: or := and ('|' and)*, and := atom ('&' atom)*, atom := name | '(' or ')'.
 * The tree lies in one array; a node's children have lower numbers. */
#include "controller/core/feature.h"

#include "controller/core/node_features.h"

enum kind {
        NAME,
        AND,
        OR,
};

struct term {
        enum kind kind;
        size_t left, right; /* AND, OR */
        const char *name;   /* NAME: into text */
        size_t length;
};

struct features {
        char *text;
        struct term terms[FEATURES_MAX * 2];
        size_t n_terms;
};

struct parser {
        struct features *f;
        const char *at;
        struct fail *fail;
        unsigned depth;
};

static int parse_or(struct parser *p, size_t *ret);

static int add(struct parser *p, struct term term, size_t *ret) {
        if (p->f->n_terms == ELEMENTSOF(p->f->terms))
                return fail_set(p->fail, -E2BIG, "more than %d features", FEATURES_MAX);
        *ret = p->f->n_terms;
        p->f->terms[p->f->n_terms++] = term;
        return 0;
}

static int parse_atom(struct parser *p, size_t *ret) {
        if (*p->at == '[')
                return fail_set(p->fail, -EOPNOTSUPP, "exclusive or ([a|b]) in --constraint is not implemented yet");
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
        if (*p->at == '*')
                return fail_set(p->fail, -EOPNOTSUPP, "counts (name*2) in --constraint are not implemented yet");
        return add(p, term, ret);
}

/* One level of the grammar: operands joined by any of the operators. */
static int parse_joined(struct parser *p, const char *operators, enum kind kind,
                int (*operand)(struct parser *, size_t *), size_t *ret) {
        int r = operand(p, ret);

        while (r >= 0 && *p->at && strchr(operators, *p->at)) {
                size_t right;

                p->at++;
                r = operand(p, &right);
                if (r >= 0)
                        r = add(p, (struct term){ .kind = kind, .left = *ret, .right = right }, ret);
        }
        return r;
}

static int parse_and(struct parser *p, size_t *ret) {
        return parse_joined(p, "&,", AND, parse_atom, ret);
}

static int parse_or(struct parser *p, size_t *ret) {
        return parse_joined(p, "|", OR, parse_and, ret);
}

int features_parse(const char *text, struct features **ret, struct fail *fail) {
        _cleanup_(features_freep) struct features *f = xnew0(struct features, 1);
        size_t root = 0;

        f->text = xstrdup(text);
        struct parser p = { .f = f, .at = f->text, .fail = fail };
        int r = parse_or(&p, &root);
        if (r >= 0 && *p.at)
                r = fail_set(fail, -EINVAL, "\"%s\" is unexpected", p.at);
        if (r < 0)
                return fail_prefix(fail, r, "constraint \"%s\"", text);
        assert(root == f->n_terms - 1);
        *ret = TAKE(f);
        return 0;
}

static bool match(const struct features *f, size_t at, const struct node *n, enum features_when when) {
        const struct term *t = &f->terms[at];

        switch (t->kind) {
        case NAME:
                return node_features_has(n, t->name, t->length, when);
        case AND:
                return match(f, t->left, n, when) && match(f, t->right, n, when);
        case OR:
                return match(f, t->left, n, when) || match(f, t->right, n, when);
        }
        return false;
}

/* The first alternative that n has; else the first that it could be rebooted into. */
static size_t alternative(const struct features *f, const struct term *t, const struct node *n) {
        for (enum features_when when = FEATURES_NOW; when <= FEATURES_REBOOT; when++) {
                if (match(f, t->left, n, when))
                        return t->left;
                if (match(f, t->right, n, when))
                        return t->right;
        }
        return t->right;
}

static void need(const struct features *f, size_t at, const struct node *n, char **names) {
        const struct term *t = &f->terms[at];

        switch (t->kind) {
        case NAME:
                if (names_have(n->changeable, t->name, t->length) && !names_have(*names, t->name, t->length)) {
                        _cleanup_free_ char *before = *names;
                        *names = xasprintf("%s%s%.*s", strempty(before), before ? "," : "", (int)t->length, t->name);
                }
                return;
        case AND:
                need(f, t->left, n, names);
                need(f, t->right, n, names);
                return;
        case OR:
                need(f, alternative(f, t, n), n, names);
                return;
        }
}

char *features_need(const struct features *f, const struct node *n) {
        char *names = NULL;

        need(f, f->n_terms - 1, n, &names);
        return names;
}

bool features_match(const struct features *f, const struct node *n, enum features_when when) {
        if (!f)
                return true;
        if (!match(f, f->n_terms - 1, n, when))
                return false;
        if (!n->changeable)
                return true;
        _cleanup_free_ char *names = features_need(f, n);
        return !node_features_clash(n, names);
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
