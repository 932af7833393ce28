/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the nodes of a document from libyaml's events, in one pass. A document nested deeper than
 * its form allows is refused where the level begins. Aliases share the node of their anchor; an
 * alias inside its own anchor is refused, so that a walk ends. */
#include "lib/files/ydoc_build.h"

#include <yaml.h>

#define ANCHORS_MOST 1000 /* each alias searches all of them */

struct builder {
        struct ydoc *y;
        const char *text;
        size_t size;
        yaml_parser_t parser;
        struct ynode *top;
        struct level { /* an open list or map */
                struct ynode *node;
                size_t first; /* index of its first item in pending */
        } * levels;
        size_t n_levels;
        const struct ynode **pending; /* items of open lists and maps, outermost first */
        size_t n_pending, a_pending;
        struct anchor {
                const char *name;
                struct ynode *node;
        } * anchors;
        size_t n_anchors, a_anchors;
};

static const char *builder_text(struct builder *b, const yaml_char_t *text, size_t n) {
        char *copy = arena_alloc(&b->y->nodes, n + 1);

        memcpy(copy, text, n);
        copy[n] = 0;
        return copy;
}

/* Adds a node as the next item of the innermost open list or map. */
static int builder_push(struct builder *b, struct ynode *node) {
        if (b->n_levels) {
                GROW(b->pending, b->a_pending, b->n_pending);
                b->pending[b->n_pending++] = node;
                return 0;
        }
        if (b->top)
                return ydoc_wrong(b->y, node, "a second document: one was expected");
        b->top = node;
        return 0;
}

static int anchor_add(struct builder *b, const yaml_char_t *name, struct ynode *node) {
        for (size_t i = 0; i < b->n_anchors; i++)
                if (streq(b->anchors[i].name, (const char *)name))
                        return ydoc_wrong(b->y, node, "the anchor %.100s stands twice",
                                        (const char *)name);
        if (b->n_anchors == ANCHORS_MOST)
                return ydoc_wrong(b->y, node, "more than %d anchors", ANCHORS_MOST);
        GROW(b->anchors, b->a_anchors, b->n_anchors);
        b->anchors[b->n_anchors++] = (struct anchor){
                builder_text(b, name, strlen((const char *)name)), node
        };
        return 0;
}

static int take_alias(struct builder *b, const yaml_event_t *event) {
        const char *name = (const char *)event->data.alias.anchor;
        struct ynode at = { .line = (uint32_t)event->start_mark.line + 1,
                .column = (uint32_t)event->start_mark.column + 1 };
        struct ynode *node = NULL;

        if (b->y->refused & YDOC_NO_ANCHORS)
                return ydoc_wrong(b->y, &at, "aliases (*) are not allowed");
        for (size_t i = 0; i < b->n_anchors && !node; i++)
                if (streq(b->anchors[i].name, name))
                        node = b->anchors[i].node;
        if (!node)
                return ydoc_wrong(b->y, &at, "found undefined alias %.100s", name);
        for (size_t i = 0; i < b->n_levels; i++)
                if (b->levels[i].node == node)
                        return ydoc_wrong(b->y, node, "an alias stands inside what it stands for");
        return builder_push(b, node);
}

/* Begins a list or map. */
static int builder_open(struct builder *b, struct ynode *node) {
        if (b->n_levels == b->y->levels)
                return ydoc_wrong(b->y, node, "lists and mappings are nested more than %u deep",
                                b->y->levels);
        b->levels[b->n_levels++] = (struct level){ node, b->n_pending };
        return 0;
}

static void builder_close(struct builder *b) {
        const struct level *level = &b->levels[--b->n_levels];
        size_t n = b->n_pending - level->first;

        level->node->n = (uint32_t)n;
        level->node->items = arena_alloc(&b->y->nodes, MAX(n, 1) * sizeof *level->node->items);
        if (n)
                memcpy(level->node->items, &b->pending[level->first],
                                n * sizeof *level->node->items);
        b->n_pending = level->first;
}

static int take_node(struct builder *b, const yaml_event_t *event, enum ynode_type type,
                const yaml_char_t *anchor, const yaml_char_t *tag) {
        struct ynode *node = arena_alloc(&b->y->nodes, sizeof *node);

        *node = (struct ynode){ .type = type,
                .line = (uint32_t)event->start_mark.line + 1,
                .column = (uint32_t)event->start_mark.column + 1 };
        if (type == YNODE_TEXT) {
                node->n = (uint32_t)event->data.scalar.length;
                node->text = builder_text(b, event->data.scalar.value, event->data.scalar.length);
        }
        if (anchor && b->y->refused & YDOC_NO_ANCHORS)
                return ydoc_wrong(b->y, node, "anchors (&) are not allowed");
        if (tag && b->y->refused & YDOC_NO_TAGS)
                return ydoc_wrong(b->y, node, "tags (!) are not allowed");
        int e = builder_push(b, node);
        if (e >= 0 && anchor)
                e = anchor_add(b, anchor, node);
        return e >= 0 && type != YNODE_TEXT ? builder_open(b, node) : e;
}

static int take_event(struct builder *b, const yaml_event_t *event) {
        switch (event->type) {
        case YAML_SCALAR_EVENT:
                return take_node(b, event, YNODE_TEXT, event->data.scalar.anchor,
                                event->data.scalar.tag);
        case YAML_SEQUENCE_START_EVENT:
                return take_node(b, event, YNODE_LIST, event->data.sequence_start.anchor,
                                event->data.sequence_start.tag);
        case YAML_MAPPING_START_EVENT:
                return take_node(b, event, YNODE_MAP, event->data.mapping_start.anchor,
                                event->data.mapping_start.tag);
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
                builder_close(b);
                return 0;
        case YAML_ALIAS_EVENT:
                return take_alias(b, event);
        case YAML_NO_EVENT:
        case YAML_STREAM_START_EVENT:
        case YAML_STREAM_END_EVENT:
        case YAML_DOCUMENT_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
                return 0;
        }
        return 0;
}

/* Sets fail to the fault of the parser. libyaml has only the offset of an invalid byte, no line. */
static int parser_failed(struct builder *b) {
        struct ynode at = { .line = (uint32_t)b->parser.problem_mark.line + 1,
                .column = (uint32_t)b->parser.problem_mark.column + 1 };

        if (b->parser.error == YAML_READER_ERROR) {
                at.line = at.column = 1;
                for (size_t i = 0; i < MIN(b->parser.problem_offset, b->size); i++) {
                        bool end = b->text[i] == '\n';
                        at.line += end;
                        at.column = end ? 1 : at.column + 1;
                }
        }
        return ydoc_wrong(b->y, &at, "not YAML: %s",
                        b->parser.problem ? b->parser.problem : "libyaml gives no reason");
}

static int build_nodes(struct builder *b) {
        bool more = true;
        int e = 0;

        while (more && e >= 0) {
                yaml_event_t event;
                if (!yaml_parser_parse(&b->parser, &event))
                        return parser_failed(b);
                e = take_event(b, &event);
                more = event.type != YAML_STREAM_END_EVENT;
                yaml_event_delete(&event);
        }
        return e;
}

int ydoc_build(struct ydoc *y, const char *text, size_t size, const struct ynode **ret) {
        struct builder b = { .y = y, .text = text, .size = size };

        if (!yaml_parser_initialize(&b.parser))
                return fail_set(y->fail, -ENOMEM, "%s: libyaml has no memory", y->file);
        yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, size);
        b.levels = xnew(struct level, y->levels + 1);
        int e = build_nodes(&b);
        yaml_parser_delete(&b.parser);
        free(b.levels);
        free(b.pending);
        free(b.anchors);
        *ret = b.top;
        return e;
}
