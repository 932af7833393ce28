/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.yaml is read as a document of libyaml's, which is at most a megabyte, and walked from
 * the top: its form is fixed, so the walk is six levels deep whatever aliases say.  A document that
 * is deeper is refused before libyaml makes one of it, which takes minutes for thousands of levels.
 * Two resources may share a list by an alias; what an alias multiplies is bounded by the limits
 * below, and one that stands inside what it stands for is refused first. */
#include "lib/config/resources.h"

#include "lib/hostlist.h"
#include "lib/timetext.h"

#include <yaml.h>

#define SIZE_MOST      ((size_t)1024 * 1024)
#define NAME_MOST      64
#define LEVELS_MOST    6 /* the list of a resource's layers' bases' pairs */
#define VARIABLES_MOST 256
#define BASES_MOST     256
#define MENTIONS_MOST  ((size_t)4 * 1024 * 1024) /* of nodes, in all layers */

struct reader {
        const char *file;
        yaml_document_t *doc;
        const struct resource_names *names;
        struct resources *to;
        size_t layers, mentions;
        struct fail *fail;
};

/* ---- messages ---- */

static int wrong(struct reader *r, const yaml_node_t *at, const char *format, ...) _printf_(3, 4);

static int wrong(struct reader *r, const yaml_node_t *at, const char *format, ...) {
        va_list args;

        va_start(args, format);
        _cleanup_free_ char *text = xvasprintf(format, args);
        va_end(args);
        return fail_set(r->fail, -EINVAL, "%s line %zu column %zu: %s", r->file,
                        at->start_mark.line + 1, at->start_mark.column + 1, text);
}

static int wrong_layer(struct reader *r, const struct resource_layer *l, const char *what) {
        return fail_set(r->fail, -EINVAL, "%s line %zu column %zu: nodes %.100s: %s", r->file,
                        l->line, l->column, l->text, what);
}

/* ---- what a document consists of ---- */

static const yaml_node_t *node_at(const struct reader *r, int index) {
        return yaml_document_get_node(r->doc, index);
}

static const char *scalar(const yaml_node_t *n) {
        return (const char *)n->data.scalar.value;
}

static int read_text(struct reader *r, const yaml_node_t *n, const char *what, const char **ret) {
        if (n->type != YAML_SCALAR_NODE || !n->data.scalar.length)
                return wrong(r, n, "%s was expected", what);
        if (strlen(scalar(n)) != n->data.scalar.length)
                return wrong(r, n, "%s was expected, and no zero byte", what);
        *ret = scalar(n);
        return 0;
}

static int read_name(struct reader *r, const yaml_node_t *n, const char *what, char **ret) {
        const char *text = NULL;
        int e = read_text(r, n, what, &text);

        if (e < 0)
                return e;
        for (const char *p = text; *p; p++)
                if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
                                    *p))
                        return wrong(r, n,
                                        "\"%.100s\" is not %s: letters, digits, \"_\", \"-\" and \".\" were expected",
                                        text, what);
        if (strlen(text) > NAME_MOST)
                return wrong(r, n, "\"%.100s\" is longer than %d characters", text, NAME_MOST);
        *ret = xstrdup(text);
        return 0;
}

/* *infinite may be NULL: -1 is not allowed. */
static int read_count(struct reader *r, const yaml_node_t *n, uint32_t *ret, bool *infinite) {
        const char *text = NULL;
        uint64_t v = 0;
        int e = read_text(r, n, "a count", &text);

        if (e < 0)
                return e;
        if (infinite && streq(text, "-1")) {
                *infinite = true;
                return 0;
        }
        if (uint_parse(text, 0, RESOURCE_COUNT_MAX, &v) < 0)
                return wrong(r, n, "\"%.100s\": a number from 0 to %d%s was expected", text,
                                RESOURCE_COUNT_MAX, infinite ? ", or -1 for no end" : "");
        *ret = (uint32_t)v;
        return 0;
}

/* ---- mappings and lists, by tables ---- */

struct field {
        const char *key;
        bool needed;
        int (*read)(struct reader *r, const yaml_node_t *value, void *to);
};

static int read_mapping(struct reader *r, const yaml_node_t *n, const char *what,
                const struct field *fields, size_t n_fields, void *to) {
        uint64_t seen = 0;

        if (n->type != YAML_MAPPING_NODE)
                return wrong(r, n, "%s was expected, as key: value", what);
        for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
                        p++) {
                const yaml_node_t *key = node_at(r, p->key);
                const char *name = NULL;
                size_t i = 0;
                int e = read_text(r, key, "a key", &name);
                if (e < 0)
                        return e;
                while (i < n_fields && !streq(fields[i].key, name))
                        i++;
                if (i == n_fields)
                        return wrong(r, key, "%.100s is not a key of %s", name, what);
                if (seen >> i & 1)
                        return wrong(r, key, "%s stands twice", name);
                seen |= UINT64_C(1) << i;
                e = fields[i].read(r, node_at(r, p->value), to);
                if (e < 0)
                        return e;
        }
        for (size_t i = 0; i < n_fields; i++)
                if (fields[i].needed && !(seen >> i & 1))
                        return wrong(r, n, "%s has no %s", what, fields[i].key);
        return 0;
}

static int read_list(struct reader *r, const yaml_node_t *n, const char *what, size_t most,
                int (*read)(struct reader *r, const yaml_node_t *item, void *to), void *to) {
        if (n->type != YAML_SEQUENCE_NODE)
                return wrong(r, n, "a list of %s was expected", what);
        size_t items = (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
        if (items > most)
                return wrong(r, n, "%zu %s, more than %zu", items, what, most);
        for (size_t i = 0; i < items; i++) {
                int e = read(r, node_at(r, n->data.sequence.items.start[i]), to);
                if (e < 0)
                        return e;
        }
        return 0;
}

/* ---- a layer ---- */

struct layer_reading {
        struct resource_layer layer;
        uint64_t base;
        const yaml_node_t *base_at;
        const struct resource *of;
};

static int add_nodes(struct reader *r, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        struct fail why = { 0 };
        const char *text = NULL;
        int e = read_text(r, n, "names of nodes", &text);

        if (e < 0)
                return e;
        if (hostlist_parse(text, &hosts, &why) < 0)
                return wrong(r, n, "names of nodes were expected: %.200s", why.text);
        r->mentions += hostlist_count(hosts);
        if (r->mentions > MENTIONS_MOST)
                return wrong(r, n, "more than %zu nodes in all layers", MENTIONS_MOST);
        for (size_t i = 0; i < hostlist_count(hosts); i++) {
                const char *name = hostlist_get(hosts, i);
                size_t at = r->names->node(name, r->names->user);
                if (at == SIZE_MAX)
                        return wrong(r, n, "there is no node %.100s in slurm.conf", name);
                bitset_add(l->layer.nodes, at);
        }
        return 0;
}

static int read_nodes(struct reader *r, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;

        l->layer.line = n->start_mark.line + 1;
        l->layer.column = n->start_mark.column + 1;
        if (n->type == YAML_SCALAR_NODE)
                return add_nodes(r, n, to);
        int e = read_list(r, n, "names of nodes", SIZE_MAX, add_nodes, to);
        return e >= 0 && bitset_empty(l->layer.nodes) ? wrong(r, n, "a layer has no nodes") : e;
}

static int read_layer_count(struct reader *r, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;

        return read_count(r, n, &l->layer.count, &l->layer.infinite);
}

struct named_value {
        char *name;
        uint32_t value;
};

static int read_value_name(struct reader *r, const yaml_node_t *n, void *to) {
        return read_name(r, n, "a name", &((struct named_value *)to)->name);
}

static int read_value(struct reader *r, const yaml_node_t *n, void *to) {
        return read_count(r, n, &((struct named_value *)to)->value, NULL);
}

static const struct field value_fields[] = {
        { "name", true, read_value_name },
        { "value", true, read_value },
};

static int add_base(struct reader *r, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;
        struct named_value v = { 0 };
        int e = read_mapping(r, n, "an entry of base", value_fields, ELEMENTSOF(value_fields), &v);

        l->base += v.value;
        free(v.name);
        return e;
}

static int read_base(struct reader *r, const yaml_node_t *n, void *to) {
        ((struct layer_reading *)to)->base_at = n;
        return read_list(r, n, "entries of base", BASES_MOST, add_base, to);
}

static const struct field layer_fields[] = {
        { "nodes", true, read_nodes },
        { "count", true, read_layer_count },
        { "base", false, read_base },
};

static char *host_text(const struct reader *r, const yaml_node_t *nodes);

/* ---- a resource ---- */

struct resource_reading {
        struct resource *resource;
        const yaml_node_t *at, *layers_at, *mode_at;
        uint64_t *bases; /* by layer */
        const yaml_node_t **bases_at;
        size_t a_layers;
};

static int add_layer(struct reader *r, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        struct resource *res = reading->resource;
        struct layer_reading l = { .of = res };

        l.layer.nodes = bitset_new(r->names->n_nodes);
        int e = read_mapping(r, n, "a layer", layer_fields, ELEMENTSOF(layer_fields), &l);
        if (e >= 0 && ++r->layers > RESOURCE_LAYERS_MAX)
                e = wrong(r, n, "more than %d layers", RESOURCE_LAYERS_MAX);
        if (e >= 0)
                l.layer.text = host_text(r, n);
        for (size_t i = 0; e >= 0 && i < res->n_layers; i++)
                if (bitset_equal(res->layers[i].nodes, l.layer.nodes))
                        e = fail_set(r->fail, -EEXIST,
                                        "%s line %zu column %zu: %s has a layer of these nodes already, line %zu",
                                        r->file, l.layer.line, l.layer.column,
                                        res->name ? res->name : "it", res->layers[i].line);
        if (e < 0) {
                bitset_free(l.layer.nodes);
                free(l.layer.text);
                return e;
        }
        if (res->n_layers == reading->a_layers) {
                reading->a_layers = 2 * reading->a_layers + 8;
                res->layers = xrenew(res->layers, reading->a_layers);
                reading->bases = xrenew(reading->bases, reading->a_layers);
                reading->bases_at = xrenew(reading->bases_at, reading->a_layers);
        }
        reading->bases[res->n_layers] = l.base;
        reading->bases_at[res->n_layers] = l.base_at;
        res->layers[res->n_layers++] = l.layer;
        return 0;
}

/* What the key nodes of that layer says, each name once. */
static char *host_text(const struct reader *r, const yaml_node_t *layer) {
        _cleanup_(hostlist_freep) struct hostlist *all = hostlist_new();

        for (const yaml_node_pair_t *p = layer->data.mapping.pairs.start;
                        p < layer->data.mapping.pairs.top; p++) {
                const yaml_node_t *value = node_at(r, p->value);
                if (!streq(scalar(node_at(r, p->key)), "nodes"))
                        continue;
                size_t n = value->type == YAML_SCALAR_NODE
                                           ? 1
                                           : (size_t)(value->data.sequence.items.top -
                                                             value->data.sequence.items.start);
                for (size_t i = 0; i < n; i++) {
                        _cleanup_(hostlist_freep) struct hostlist *some = NULL;
                        const yaml_node_t *item =
                                        value->type == YAML_SCALAR_NODE
                                                        ? value
                                                        : node_at(r, value->data.sequence.items
                                                                                          .start[i]);
                        if (hostlist_parse(scalar(item), &some, NULL) < 0)
                                continue; /* it has been read */
                        for (size_t k = 0; k < hostlist_count(some); k++)
                                hostlist_push(all, hostlist_get(some, k));
                }
        }
        hostlist_sort(all);
        return hostlist_text(all);
}

static int read_resource_name(struct reader *r, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        int e = read_name(r, n, "a name", &reading->resource->name);

        if (e >= 0 && r->names->license(reading->resource->name, r->names->user))
                e = wrong(r, n, "%s is the name of a license in slurm.conf",
                                reading->resource->name);
        for (size_t i = 0; e >= 0 && i < r->to->n; i++)
                if (&r->to->list[i] != reading->resource &&
                                streq(r->to->list[i].name, reading->resource->name))
                        e = wrong(r, n, "there is a resource %s already, line %zu",
                                        r->to->list[i].name, r->to->list[i].line);
        return e;
}

static int read_mode(struct reader *r, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        const char *text = NULL;
        int e = read_text(r, n, "MODE_1, MODE_2 or MODE_3", &text);

        if (e < 0)
                return e;
        reading->mode_at = n;
        for (int mode = RESOURCE_MODE_1; mode <= RESOURCE_MODE_3; mode++) {
                const char name[] = { 'M', 'O', 'D', 'E', '_', (char)('0' + mode), '\0' };
                if (streq(text, name)) {
                        reading->resource->mode = (enum resource_mode)mode;
                        return 0;
                }
        }
        return wrong(r, n, "\"%.100s\": MODE_1, MODE_2 or MODE_3 was expected", text);
}

static int read_layers(struct reader *r, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        int e = read_list(r, n, "layers", RESOURCE_LAYERS_MAX, add_layer, to);

        reading->layers_at = n;
        return e >= 0 && reading->resource->n_layers == 0
                               ? wrong(r, n, "at least one layer was expected")
                               : e;
}

static int add_variable(struct reader *r, const yaml_node_t *n, void *to) {
        struct resource *res = ((struct resource_reading *)to)->resource;
        struct named_value v = { 0 };
        int e = read_mapping(r, n, "a variable", value_fields, ELEMENTSOF(value_fields), &v);

        if (e >= 0 && strspn(v.name, "0123456789") == strlen(v.name))
                e = wrong(r, n, "the variable %s would be a count", v.name);
        if (e >= 0 && v.value == 0)
                e = wrong(r, n, "the variable %s is 0: a number from 1 on was expected", v.name);
        for (size_t i = 0; e >= 0 && i < res->n_variables; i++)
                if (streq(res->variables[i].name, v.name))
                        e = wrong(r, n, "the variable %s stands twice", v.name);
        if (e < 0) {
                free(v.name);
                return e;
        }
        res->variables = xrenew(res->variables, res->n_variables + 1);
        res->variables[res->n_variables++] = (struct resource_variable){ v.name, v.value };
        return 0;
}

static int read_variables(struct reader *r, const yaml_node_t *n, void *to) {
        return read_list(r, n, "variables", VARIABLES_MOST, add_variable, to);
}

static int refuse_topology(struct reader *r, const yaml_node_t *n, void *to) {
        (void)to;
        return wrong(r, n,
                        "topology is not implemented: layers with nodes and counts were expected");
}

static const struct field resource_fields[] = {
        { "resource", true, read_resource_name },
        { "mode", true, read_mode },
        { "layers", true, read_layers },
        { "variables", false, read_variables },
        { "topology", false, refuse_topology },
};

/* ---- a resource as a whole ---- */

/* How many layers of it contain that one. */
static size_t depth_of(const struct resource *res, size_t at) {
        size_t depth = 0;

        for (size_t i = 0; i < res->n_layers; i++)
                depth += i != at && bitset_contains(res->layers[i].nodes, res->layers[at].nodes);
        return depth;
}

static bool is_leaf(const struct resource *res, size_t at) {
        for (size_t i = 0; i < res->n_layers; i++)
                if (i != at && bitset_contains(res->layers[at].nodes, res->layers[i].nodes))
                        return false;
        return true;
}

/* Of two layers one is inside the other, or they have no node in common. */
static int check_nesting(struct reader *r, const struct resource *res) {
        for (size_t i = 0; i < res->n_layers; i++)
                for (size_t k = 0; k < i; k++) {
                        const struct bitset *a = res->layers[i].nodes, *b = res->layers[k].nodes;
                        if (bitset_overlaps(a, b) && !bitset_contains(a, b) &&
                                        !bitset_contains(b, a))
                                return fail_set(r->fail, -EINVAL,
                                                "%s line %zu column %zu: nodes %.100s: a part of the layer of line %zu: in MODE_3 a layer inside it or beside it was expected",
                                                r->file, res->layers[i].line, res->layers[i].column,
                                                res->layers[i].text, res->layers[k].line);
                }
        return 0;
}

/* MODE_3: one root, and all leaves as deep as one another. */
static int check_tree(struct reader *r, const struct resource *res) {
        size_t roots = 0, deep = SIZE_MAX;
        int e = check_nesting(r, res);

        for (size_t i = 0; e >= 0 && i < res->n_layers; i++) {
                const struct resource_layer *l = &res->layers[i];
                size_t depth = depth_of(res, i);
                if (depth == 0 && ++roots > 1)
                        return wrong_layer(r, l,
                                        "a second layer that no other contains: in MODE_3 one was expected");
                if (depth >= RESOURCE_DEPTH_MAX)
                        return fail_set(r->fail, -EINVAL,
                                        "%s line %zu column %zu: nodes %.100s: more than %d layers one inside the other",
                                        r->file, l->line, l->column, l->text, RESOURCE_DEPTH_MAX);
                if (!is_leaf(res, i))
                        continue;
                if (deep != SIZE_MAX && depth != deep)
                        return fail_set(r->fail, -EINVAL,
                                        "%s line %zu column %zu: nodes %.100s: %zu layers around it, around others %zu: in MODE_3 as many were expected",
                                        r->file, l->line, l->column, l->text, depth, deep);
                deep = depth;
        }
        return e;
}

/* What is in use in any case is taken off the counts, of a layer and of those inside it. */
static int take_bases(struct reader *r, struct resource_reading *reading) {
        struct resource *res = reading->resource;

        for (size_t i = 0; i < res->n_layers; i++) {
                struct resource_layer *l = &res->layers[i];
                uint64_t sum = 0;
                if (reading->bases_at[i] && res->mode != RESOURCE_MODE_3)
                        return wrong(r, reading->bases_at[i], "base is for MODE_3");
                for (size_t k = 0; k < res->n_layers; k++)
                        if (bitset_contains(l->nodes, res->layers[k].nodes))
                                sum += reading->bases[k];
                if (l->infinite)
                        continue;
                if (sum > l->count)
                        return fail_set(r->fail, -EINVAL,
                                        "%s line %zu column %zu: nodes %.100s: the sum of base, %llu, is more than the count, %u",
                                        r->file, l->line, l->column, l->text,
                                        (unsigned long long)sum, l->count);
                l->count -= (uint32_t)sum;
        }
        return 0;
}

static int check_whole(struct reader *r, struct resource_reading *reading) {
        struct resource *res = reading->resource;
        int e = 0;

        if (res->mode == RESOURCE_MODE_3)
                e = check_tree(r, res);
        else if (res->n_variables)
                e = wrong(r, reading->mode_at, "variables are for MODE_3");
        return e < 0 ? e : take_bases(r, reading);
}

static int add_resource(struct reader *r, const yaml_node_t *n, void *to) {
        struct resources *all = to;
        struct resource *res = &all->list[all->n++];
        struct resource_reading reading = { .resource = res, .at = n };

        res->line = n->start_mark.line + 1;
        res->column = n->start_mark.column + 1;
        if (n->type == YAML_MAPPING_NODE &&
                        n->data.mapping.pairs.top > n->data.mapping.pairs.start) {
                const yaml_node_t *first = node_at(r, n->data.mapping.pairs.start->key);
                if (first->type != YAML_SCALAR_NODE || !streq(scalar(first), "resource"))
                        return wrong(r, first, "resource was expected as the first key");
        }
        int e = read_mapping(r, n, "a resource", resource_fields, ELEMENTSOF(resource_fields),
                        &reading);
        if (e >= 0)
                e = check_whole(r, &reading);
        free(reading.bases);
        free(reading.bases_at);
        return e;
}

/* ---- the document ---- */

enum { UNSEEN, OPEN, SEEN };

/* A node that contains itself; 0: none.  Depth first, without recursion: parents lists the open
   ones. */
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

static int read_document(struct reader *r) {
        const yaml_node_t *root = yaml_document_get_root_node(r->doc);
        size_t n = root ? (size_t)(r->doc->nodes.top - r->doc->nodes.start) : 0;

        if (!root || (root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0))
                return 0;
        int circle = find_circle(r->doc, n);
        if (circle)
                return wrong(r, node_at(r, circle), "an alias stands inside what it stands for");
        r->to->list = xnew0(struct resource, RESOURCES_MAX);
        return read_list(r, root, "resources", RESOURCES_MAX, add_resource, r->to);
}

static int yaml_failed(const struct reader *r, const yaml_parser_t *parser) {
        return fail_set(r->fail, -EINVAL, "%s line %zu column %zu: %s", r->file,
                        parser->problem_mark.line + 1, parser->problem_mark.column + 1,
                        parser->problem ? parser->problem : "not YAML");
}

/* Behind the first document nothing may stand. */
static int read_end(struct reader *r, yaml_parser_t *parser) {
        yaml_document_t second;

        if (!yaml_parser_load(parser, &second))
                return yaml_failed(r, parser);
        const yaml_node_t *root = yaml_document_get_root_node(&second);
        int e = root ? wrong(r, root, "a second document: one was expected") : 0;
        yaml_document_delete(&second);
        return e;
}

static int read_stream(struct reader *r, yaml_parser_t *parser) {
        yaml_document_t doc;

        if (!yaml_parser_load(parser, &doc))
                return yaml_failed(r, parser);
        r->doc = &doc; /* cppcheck-suppress autoVariables */
        bool some = yaml_document_get_root_node(&doc);
        int e = read_document(r);
        r->doc = NULL;
        yaml_document_delete(&doc);
        return e >= 0 && some ? read_end(r, parser) : e;
}

/* The next event of it, on that level. */
static int check_level(const struct reader *r, const yaml_event_t *event, size_t *level) {
        yaml_event_type_t type = event->type;

        if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT)
                --*level;
        if (type != YAML_SEQUENCE_START_EVENT && type != YAML_MAPPING_START_EVENT)
                return 0;
        if (++*level > LEVELS_MOST)
                return fail_set(r->fail, -EINVAL,
                                "%s line %zu column %zu: lists and mappings are nested more than %d deep",
                                r->file, event->start_mark.line + 1, event->start_mark.column + 1,
                                LEVELS_MOST);
        return 0;
}

static int check_levels(struct reader *r, yaml_parser_t *parser) {
        bool more = true;
        size_t level = 0;
        int e = 0;

        while (more && e >= 0) {
                yaml_event_t event;
                if (!yaml_parser_parse(parser, &event))
                        return yaml_failed(r, parser);
                e = check_level(r, &event, &level);
                more = event.type != YAML_STREAM_END_EVENT;
                yaml_event_delete(&event);
        }
        return e;
}

/* Reads the text from its beginning by that. */
static int with_parser(struct reader *r, const char *text, size_t size,
                int (*read)(struct reader *r, yaml_parser_t *parser)) {
        yaml_parser_t parser;

        if (!yaml_parser_initialize(&parser))
                return fail_set(r->fail, -ENOMEM, "%s: libyaml has no memory", r->file);
        yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
        int e = read(r, &parser);
        yaml_parser_delete(&parser);
        return e;
}

int resources_parse(const char *name, const char *text, size_t size,
                const struct resource_names *names, struct resources **ret, struct fail *fail) {
        _cleanup_(resources_freep) struct resources *to = xnew0(struct resources, 1);
        struct reader r = { .file = name, .names = names, .to = to, .fail = fail };

        if (size > SIZE_MOST)
                return fail_set(fail, -EFBIG, "%s: larger than %zu bytes", name, SIZE_MOST);
        int e = with_parser(&r, text, size, check_levels);
        if (e >= 0)
                e = with_parser(&r, text, size, read_stream);
        if (e >= 0)
                *ret = to->n ? TAKE(to) : NULL;
        return e;
}

struct resources *resources_free(struct resources *r) {
        for (size_t i = 0; r && i < r->n; i++) {
                struct resource *res = &r->list[i];
                for (size_t k = 0; k < res->n_layers; k++) {
                        bitset_free(res->layers[k].nodes);
                        free(res->layers[k].text);
                }
                for (size_t k = 0; k < res->n_variables; k++)
                        free(res->variables[k].name);
                free(res->layers);
                free(res->variables);
                free(res->name);
        }
        if (r)
                free(r->list);
        free(r);
        return NULL;
}
