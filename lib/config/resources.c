/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.yaml is walked from the top. Its form is fixed: the walk is six levels deep, whatever
 * aliases say. Resources may share a list by an alias; the limits below bound the product of
 * aliases. */
#include "lib/config/resources.h"

#include "lib/files/ydoc.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

#define SIZE_MOST      ((size_t)1024 * 1024)
#define LEVELS_MOST    6 /* the list of a resource's layers' bases' pairs */
#define VARIABLES_MOST 256
#define BASES_MOST     256
#define MENTIONS_MOST  ((size_t)4 * 1024 * 1024) /* nodes named, in all layers */

struct reader {
        const struct resource_names *names;
        struct resources *to;
        size_t layers, mentions;
};

static struct reader *reader_of(const struct ydoc *y) {
        return y->user;
}

/* Reads a count, or -1 for no end. */
static int resource_read_count(struct ydoc *y, const struct ynode *n, struct resource_layer *l) {
        _cleanup_free_ char *expected = xasprintf("a number from 0 to %d, or -1 for no end",
                        RESOURCE_COUNT_MAX);
        const char *text = NULL;
        uint64_t v = 0;
        int e = ydoc_text(y, n, expected, &text);

        if (e < 0)
                return e;
        l->infinite = streq(text, "-1");
        if (!l->infinite && uint_parse(text, 0, RESOURCE_COUNT_MAX, &v) < 0)
                return ydoc_wrong_value(y, n, expected);
        l->count = (uint32_t)v;
        return 0;
}

/* ---- a layer ---- */

struct layer_reading {
        struct resource_layer layer;
        struct hostlist *hosts; /* nodes of the layer */
        uint64_t base;
        const struct ynode *base_at;
};

static int layer_add_nodes(struct ydoc *y, const struct ynode *n, void *to) {
        struct layer_reading *l = to;
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        struct fail why = { 0 };
        const char *text = NULL;
        int e = ydoc_text(y, n, "names of nodes", &text);

        if (e < 0)
                return e;
        if (hostlist_parse(text, &hosts, &why) < 0)
                return ydoc_wrong(y, n, "names of nodes were expected: %.200s", why.text);
        reader_of(y)->mentions += hostlist_count(hosts);
        if (reader_of(y)->mentions > MENTIONS_MOST)
                return ydoc_wrong(y, n, "more than %zu nodes in all layers", MENTIONS_MOST);
        for (size_t i = 0; i < hostlist_count(hosts); i++) {
                const char *name = hostlist_get(hosts, i);
                size_t at = reader_of(y)->names->node(name, reader_of(y)->names->user);
                if (at == SIZE_MAX)
                        return ydoc_wrong(y, n, "there is no node %.100s in slurm.conf", name);
                bitset_add(l->layer.nodes, at);
                hostlist_push(l->hosts, name);
        }
        return 0;
}

static int layer_read_nodes(struct ydoc *y, const struct ynode *n, void *to) {
        struct layer_reading *l = to;

        l->layer.line = n->line;
        l->layer.column = n->column;
        int e = ydoc_items(y, n, to);
        return e >= 0 && bitset_empty(l->layer.nodes) ? ydoc_wrong(y, n, "a layer has no nodes")
                                                      : e;
}

static int read_layer_count(struct ydoc *y, const struct ynode *n, void *to) {
        return resource_read_count(y, n, &((struct layer_reading *)to)->layer);
}

struct named_value {
        char *name;
        uint32_t value;
};

#define VALUE(field) offsetof(struct named_value, field)
static const struct ydoc_field value_fields[] = {
        { "name", ydoc_name, VALUE(name), "a name", true },
        { "value", ydoc_number, VALUE(value), NULL, true, .max = RESOURCE_COUNT_MAX },
};
static const struct ydoc_form base_form = { "an entry of base", value_fields,
        ELEMENTSOF(value_fields) };
static const struct ydoc_form variable_form = { "a variable", value_fields,
        ELEMENTSOF(value_fields) };

static int add_base(struct ydoc *y, const struct ynode *n, void *to) {
        struct layer_reading *l = to;
        struct named_value v = { 0 };
        int e = ydoc_map(y, n, &base_form, &v);

        l->base += v.value;
        free(v.name);
        return e;
}

static int read_base(struct ydoc *y, const struct ynode *n, void *to) {
        ((struct layer_reading *)to)->base_at = n;
        return ydoc_items(y, n, to);
}

static const struct ydoc_field layer_fields[] = {
        { "nodes", layer_read_nodes, 0, "names of nodes", true, .max = SIZE_MAX,
                        .item = layer_add_nodes, .single = true },
        { "count", read_layer_count, .needed = true },
        { "base", read_base, 0, "entries of base", .max = BASES_MOST, .item = add_base },
};
static const struct ydoc_form layer_form = { "a layer", layer_fields, ELEMENTSOF(layer_fields) };

/* ---- a resource ---- */

struct resource_reading {
        struct resource *resource;
        const struct ynode *mode_at;
        uint64_t *bases; /* per layer */
        const struct ynode **bases_at;
        size_t a_layers;
};

static int add_layer(struct ydoc *y, const struct ynode *n, void *to) {
        struct resource_reading *reading = to;
        struct resource *res = reading->resource;
        struct layer_reading l = { .hosts = hostlist_new() };

        l.layer.nodes = bitset_new(reader_of(y)->names->n_nodes);
        int e = ydoc_map(y, n, &layer_form, &l);
        if (e >= 0 && ++reader_of(y)->layers > RESOURCE_LAYERS_MAX)
                e = ydoc_wrong(y, n, "more than %d layers", RESOURCE_LAYERS_MAX);
        hostlist_sort(l.hosts);
        l.layer.text = hostlist_text(l.hosts);
        hostlist_free(l.hosts);
        for (size_t i = 0; e >= 0 && i < res->n_layers; i++)
                if (bitset_equal(res->layers[i].nodes, l.layer.nodes))
                        e = ydoc_wrong_at(y, l.layer.line, l.layer.column,
                                        "%s has a layer of these nodes already, line %u",
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

static int read_resource_name(struct ydoc *y, const struct ynode *n, void *to) {
        struct resource_reading *reading = to;
        int e = ydoc_name(y, n, reading->resource);

        if (e >= 0 && reader_of(y)->names->license(reading->resource->name,
                                      reader_of(y)->names->user))
                e = ydoc_wrong(y, n, "%s is the name of a license in slurm.conf",
                                reading->resource->name);
        for (size_t i = 0; e >= 0 && i < reader_of(y)->to->n; i++)
                if (streq(reader_of(y)->to->list[i].name, reading->resource->name))
                        e = ydoc_wrong(y, n, "there is a resource %s already, line %u",
                                        reader_of(y)->to->list[i].name,
                                        reader_of(y)->to->list[i].line);
        return e;
}

static int read_mode(struct ydoc *y, const struct ynode *n, void *to) {
        struct resource_reading *reading = to;
        static const char expected[] = "MODE_1, MODE_2 or MODE_3";
        const char *text = NULL;
        int e = ydoc_text(y, n, expected, &text);

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
        return ydoc_wrong_value(y, n, expected);
}

static int resource_add_variable(struct ydoc *y, const struct ynode *n, void *to) {
        struct resource *res = ((struct resource_reading *)to)->resource;
        struct named_value v = { 0 };
        int e = ydoc_map(y, n, &variable_form, &v);

        if (e >= 0 && strspn(v.name, "0123456789") == strlen(v.name))
                e = ydoc_wrong(y, n, "the variable %s would be a count", v.name);
        if (e >= 0 && v.value == 0)
                e = ydoc_wrong(y, n, "the variable %s is 0: a number from 1 on was expected",
                                v.name);
        for (size_t i = 0; e >= 0 && i < res->n_variables; i++)
                if (streq(res->variables[i].name, v.name))
                        e = ydoc_wrong(y, n, "the variable %s stands twice", v.name);
        if (e < 0) {
                free(v.name);
                return e;
        }
        res->variables = xrenew(res->variables, res->n_variables + 1);
        res->variables[res->n_variables++] = (struct resource_variable){ v.name, v.value };
        return 0;
}

static int refuse_topology(struct ydoc *y, const struct ynode *n, void *to) {
        (void)to;
        return ydoc_wrong(y, n,
                        "topology is not implemented: layers with nodes and counts were expected");
}

static const struct ydoc_field resource_fields[] = {
        { "resource", read_resource_name, offsetof(struct resource, name), "a name", true },
        { "mode", read_mode, .needed = true },
        { "layers", ydoc_items, 0, "layers", true, .min = 1, .max = RESOURCE_LAYERS_MAX,
                        .item = add_layer },
        { "variables", ydoc_items, 0, "variables", .max = VARIABLES_MOST,
                        .item = resource_add_variable },
        { "topology", refuse_topology },
};
static const struct ydoc_form resource_form = { "a resource", resource_fields,
        ELEMENTSOF(resource_fields) };

/* ---- a resource as a whole ---- */

static int _printf_(3, 4) wrong_layer(struct ydoc *y, const struct resource_layer *l,
                const char *format, ...) {
        va_list args;

        va_start(args, format);
        _cleanup_free_ char *text = xvasprintf(format, args);
        va_end(args);
        return ydoc_wrong_at(y, l->line, l->column, "nodes %.100s: %s", l->text, text);
}

/* Returns how many other layers contain the layer. */
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

/* Checks that any two layers are nested or disjoint. */
static int check_nesting(struct ydoc *y, const struct resource *res) {
        for (size_t i = 0; i < res->n_layers; i++)
                for (size_t k = 0; k < i; k++) {
                        const struct bitset *a = res->layers[i].nodes, *b = res->layers[k].nodes;
                        if (bitset_overlaps(a, b) && !bitset_contains(a, b) &&
                                        !bitset_contains(b, a))
                                return wrong_layer(y, &res->layers[i],
                                                "a part of the layer of line %u: in MODE_3 a layer inside it or beside it was expected",
                                                res->layers[k].line);
                }
        return 0;
}

/* Checks the tree of MODE_3: one root, all leaves at equal depth. */
static int check_tree(struct ydoc *y, const struct resource *res) {
        size_t roots = 0, deep = SIZE_MAX;
        int e = check_nesting(y, res);

        for (size_t i = 0; e >= 0 && i < res->n_layers; i++) {
                const struct resource_layer *l = &res->layers[i];
                size_t depth = depth_of(res, i);
                if (depth == 0 && ++roots > 1)
                        return wrong_layer(y, l,
                                        "a second layer that no other contains: in MODE_3 one was expected");
                if (depth >= RESOURCE_DEPTH_MAX)
                        return wrong_layer(y, l, "more than %d layers one inside the other",
                                        RESOURCE_DEPTH_MAX);
                if (!is_leaf(res, i))
                        continue;
                if (deep != SIZE_MAX && depth != deep)
                        return wrong_layer(y, l,
                                        "%zu layers around it, around others %zu: in MODE_3 as many were expected",
                                        depth, deep);
                deep = depth;
        }
        return e;
}

/* Subtracts the bases of a layer and of layers inside it from its count: base is always in use. */
static int take_bases(struct ydoc *y, struct resource_reading *reading) {
        struct resource *res = reading->resource;

        for (size_t i = 0; i < res->n_layers; i++) {
                struct resource_layer *l = &res->layers[i];
                uint64_t sum = 0;
                if (reading->bases_at[i] && res->mode != RESOURCE_MODE_3)
                        return ydoc_wrong(y, reading->bases_at[i], "base is for MODE_3");
                for (size_t k = 0; k < res->n_layers; k++)
                        if (bitset_contains(l->nodes, res->layers[k].nodes))
                                sum += reading->bases[k];
                if (l->infinite)
                        continue;
                if (sum > l->count)
                        return wrong_layer(y, l,
                                        "the sum of base, %llu, is more than the count, %u",
                                        (unsigned long long)sum, l->count);
                l->count -= (uint32_t)sum;
        }
        return 0;
}

static int resource_check_whole(struct ydoc *y, struct resource_reading *reading) {
        struct resource *res = reading->resource;
        int e = 0;

        if (res->mode == RESOURCE_MODE_3)
                e = check_tree(y, res);
        else if (res->n_variables)
                e = ydoc_wrong(y, reading->mode_at, "variables are for MODE_3");
        return e < 0 ? e : take_bases(y, reading);
}

static void resource_done(struct resource *res) {
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

/* Adds a resource, unless it has a fault. */
static int add_resource(struct ydoc *y, const struct ynode *n, void *to) {
        struct resources *all = to;
        struct resource res = { .line = n->line, .column = n->column };
        struct resource_reading reading = { .resource = &res };
        int e = ydoc_begins(y, n, "resource");

        if (e >= 0)
                e = ydoc_map(y, n, &resource_form, &reading);
        if (e >= 0)
                e = resource_check_whole(y, &reading);
        if (e >= 0)
                all->list[all->n++] = res;
        else
                resource_done(&res);
        free(reading.bases);
        free(reading.bases_at);
        return e;
}

static int resources_read_all(struct ydoc *y, const struct ynode *n, void *to) {
        struct resources *all = to;

        all->list = xnew0(struct resource, RESOURCES_MAX);
        return ydoc_list(y, n, "resources", RESOURCES_MAX, add_resource, all);
}

int resources_parse(const char *name, const char *text, size_t size,
                const struct resource_names *names, struct resources **ret, struct fail *fail) {
        _cleanup_(resources_freep) struct resources *to = xnew0(struct resources, 1);
        struct reader r = { .names = names, .to = to };
        struct ydoc y = { .file = name,
                .most = SIZE_MOST,
                .levels = LEVELS_MOST,
                .fail = fail,
                .user = &r };
        int e = ydoc_read(&y, text, size, resources_read_all, to);

        if (e >= 0)
                *ret = to->n ? TAKE(to) : NULL;
        return e;
}

struct resources *resources_free(struct resources *r) {
        for (size_t i = 0; r && i < r->n; i++)
                resource_done(&r->list[i]);
        if (r)
                free(r->list);
        free(r);
        return NULL;
}
