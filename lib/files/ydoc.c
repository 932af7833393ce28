/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document nested deeper than its form allows is refused before libyaml builds it, which takes
 * minutes for thousands of levels. Aliases may share parts; an alias inside its own anchor is
 * refused before the walk. */
#include "lib/files/ydoc.h"

#define SIZE_MOST ((size_t)1024 * 1024)
#define NAME_MOST 64

/* ---- messages ---- */

int ydoc_wrong(struct ydoc *y, const yaml_node_t *at, const char *format, ...) {
        va_list args;

        va_start(args, format);
        _cleanup_free_ char *text = xvasprintf(format, args);
        va_end(args);
        return fail_set(y->fail, -EINVAL, "%s line %zu column %zu: %s", y->file,
                        at->start_mark.line + 1, at->start_mark.column + 1, text);
}

/* ---- parts of a document ---- */

const yaml_node_t *ydoc_node(const struct ydoc *y, int index) {
        return yaml_document_get_node(y->doc, index);
}

const char *ydoc_scalar(const yaml_node_t *n) {
        return (const char *)n->data.scalar.value;
}

int ydoc_text(struct ydoc *y, const yaml_node_t *n, const char *what, const char **ret) {
        if (n->type != YAML_SCALAR_NODE || !n->data.scalar.length)
                return ydoc_wrong(y, n, "%s was expected", what);
        if (strlen(ydoc_scalar(n)) != n->data.scalar.length)
                return ydoc_wrong(y, n, "%s was expected, and no zero byte", what);
        *ret = ydoc_scalar(n);
        return 0;
}

int ydoc_name(struct ydoc *y, const yaml_node_t *n, const char *what, char **ret) {
        const char *text = NULL;
        int e = ydoc_text(y, n, what, &text);

        if (e < 0)
                return e;
        for (const char *p = text; *p; p++)
                if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
                                    *p))
                        return ydoc_wrong(y, n,
                                        "\"%.100s\" is not %s: letters, digits, \"_\", \"-\" and \".\" were expected",
                                        text, what);
        if (strlen(text) > NAME_MOST)
                return ydoc_wrong(y, n, "\"%.100s\" is longer than %d characters", text, NAME_MOST);
        *ret = xstrdup(text);
        return 0;
}

/* ---- mappings and lists, by tables ---- */

int ydoc_map(struct ydoc *y, const yaml_node_t *n, const char *what,
                const struct ydoc_field *fields, size_t n_fields, void *to) {
        uint64_t seen = 0;

        if (n->type != YAML_MAPPING_NODE)
                return ydoc_wrong(y, n, "%s was expected, as key: value", what);
        for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
                        p++) {
                const yaml_node_t *key = ydoc_node(y, p->key);
                const char *name = NULL;
                size_t i = 0;
                int e = ydoc_text(y, key, "a key", &name);
                if (e < 0)
                        return e;
                while (i < n_fields && !streq(fields[i].key, name))
                        i++;
                if (i == n_fields)
                        return ydoc_wrong(y, key, "%.100s is not a key of %s", name, what);
                if (seen >> i & 1)
                        return ydoc_wrong(y, key, "%s stands twice", name);
                seen |= UINT64_C(1) << i;
                e = fields[i].read(y, ydoc_node(y, p->value), to);
                if (e < 0)
                        return e;
        }
        for (size_t i = 0; i < n_fields; i++)
                if (fields[i].needed && !(seen >> i & 1))
                        return ydoc_wrong(y, n, "%s has no %s", what, fields[i].key);
        return 0;
}

int ydoc_list(struct ydoc *y, const yaml_node_t *n, const char *what, size_t most, ydoc_read_t read,
                void *to) {
        if (n->type != YAML_SEQUENCE_NODE)
                return ydoc_wrong(y, n, "a list of %s was expected", what);
        size_t items = (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
        if (items > most)
                return ydoc_wrong(y, n, "%zu %s, more than %zu", items, what, most);
        for (size_t i = 0; i < items; i++) {
                int e = read(y, ydoc_node(y, n->data.sequence.items.start[i]), to);
                if (e < 0)
                        return e;
        }
        return 0;
}

int ydoc_begins(struct ydoc *y, const yaml_node_t *n, const char *key) {
        if (n->type != YAML_MAPPING_NODE ||
                        n->data.mapping.pairs.top == n->data.mapping.pairs.start)
                return 0; /* ydoc_map() reports the missing keys */
        const yaml_node_t *first = ydoc_node(y, n->data.mapping.pairs.start->key);
        if (first->type == YAML_SCALAR_NODE && streq(ydoc_scalar(first), key))
                return 0;
        return ydoc_wrong(y, first, "%s was expected as the first key", key);
}

/* ---- the document ---- */

enum { UNSEEN, OPEN, SEEN };

/* Returns a node that contains itself; 0: none. Depth-first search without recursion: open lists
   the nodes being visited. */
static int find_circle(yaml_document_t *doc, size_t n) {
        _cleanup_free_ char *state = xnew0(char, n + 1);
        _cleanup_free_ int *open = xnew(int, n + 1);
        _cleanup_free_ size_t *next = xnew0(size_t, n + 1);
        size_t depth = 0;

        open[depth++] = 1;
        state[1] = OPEN;
        while (depth) {
                int at = open[depth - 1], child = 0;
                const yaml_node_t *node = yaml_document_get_node(doc, at);
                size_t i = next[at]++;
                if (node->type == YAML_SEQUENCE_NODE &&
                                node->data.sequence.items.start + i < node->data.sequence.items.top)
                        child = node->data.sequence.items.start[i];
                else if (node->type == YAML_MAPPING_NODE &&
                                node->data.mapping.pairs.start + i / 2 <
                                                node->data.mapping.pairs.top)
                        child = i % 2 ? node->data.mapping.pairs.start[i / 2].value
                                      : node->data.mapping.pairs.start[i / 2].key;
                if (!child) {
                        state[at] = SEEN;
                        depth--;
                } else if (state[child] == OPEN) {
                        return child;
                } else if (state[child] == UNSEEN) {
                        state[child] = OPEN;
                        open[depth++] = child;
                }
        }
        return 0;
}

static int yaml_failed(const struct ydoc *y, const yaml_parser_t *parser) {
        return fail_set(y->fail, -EINVAL, "%s line %zu column %zu: %s", y->file,
                        parser->problem_mark.line + 1, parser->problem_mark.column + 1,
                        parser->problem ? parser->problem : "not YAML");
}

/* Checks that no second document follows. */
static int ydoc_read_end(struct ydoc *y, yaml_parser_t *parser) {
        yaml_document_t second;

        if (!yaml_parser_load(parser, &second))
                return yaml_failed(y, parser);
        const yaml_node_t *root = yaml_document_get_root_node(&second);
        int e = root ? ydoc_wrong(y, root, "a second document: one was expected") : 0;
        yaml_document_delete(&second);
        return e;
}

static int read_root(struct ydoc *y, ydoc_read_t read, void *to) {
        const yaml_node_t *root = yaml_document_get_root_node(y->doc);
        size_t n = root ? (size_t)(y->doc->nodes.top - y->doc->nodes.start) : 0;

        if (!root || (root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0))
                return 0;
        int circle = find_circle(y->doc, n);
        if (circle)
                return ydoc_wrong(y, ydoc_node(y, circle),
                                "an alias stands inside what it stands for");
        return read(y, root, to);
}

static int read_stream(struct ydoc *y, yaml_parser_t *parser, ydoc_read_t read, void *to) {
        yaml_document_t doc;

        if (!yaml_parser_load(parser, &doc))
                return yaml_failed(y, parser);
        y->doc = &doc; /* cppcheck-suppress autoVariables */
        bool some = yaml_document_get_root_node(&doc);
        int e = read_root(y, read, to);
        y->doc = NULL;
        yaml_document_delete(&doc);
        return e >= 0 && some ? ydoc_read_end(y, parser) : e;
}

/* Tracks the nesting level of an event and checks the maximum. */
static int check_level(const struct ydoc *y, const yaml_event_t *event, size_t *level) {
        yaml_event_type_t type = event->type;

        if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT)
                --*level;
        if (type != YAML_SEQUENCE_START_EVENT && type != YAML_MAPPING_START_EVENT)
                return 0;
        if (++*level > y->levels)
                return fail_set(y->fail, -EINVAL,
                                "%s line %zu column %zu: lists and mappings are nested more than %u deep",
                                y->file, event->start_mark.line + 1, event->start_mark.column + 1,
                                y->levels);
        return 0;
}

static int check_levels(struct ydoc *y, yaml_parser_t *parser) {
        bool more = true;
        size_t level = 0;
        int e = 0;

        while (more && e >= 0) {
                yaml_event_t event;
                if (!yaml_parser_parse(parser, &event))
                        return yaml_failed(y, parser);
                e = check_level(y, &event, &level);
                more = event.type != YAML_STREAM_END_EVENT;
                yaml_event_delete(&event);
        }
        return e;
}

static int ydoc_begin(const struct ydoc *y, yaml_parser_t *parser, const char *text, size_t size) {
        if (!yaml_parser_initialize(parser))
                return fail_set(y->fail, -ENOMEM, "%s: libyaml has no memory", y->file);
        yaml_parser_set_input_string(parser, (const unsigned char *)text, size);
        return 0;
}

int ydoc_read(struct ydoc *y, const char *text, size_t size, ydoc_read_t root, void *to) {
        yaml_parser_t parser;

        if (size > SIZE_MOST)
                return fail_set(y->fail, -EFBIG, "%s: larger than %zu bytes", y->file, SIZE_MOST);
        int e = ydoc_begin(y, &parser, text, size);
        if (e < 0)
                return e;
        e = check_levels(y, &parser);
        yaml_parser_delete(&parser);
        if (e < 0 || (e = ydoc_begin(y, &parser, text, size)) < 0)
                return e;
        e = read_stream(y, &parser, root, to);
        yaml_parser_delete(&parser);
        return e;
}
