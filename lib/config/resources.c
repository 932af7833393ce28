/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.yaml is walked from the top. Its form is fixed: the walk is six levels deep, whatever
 * aliases say. Resources may share a list by an alias; the limits below bound the product of
 * aliases. */
#include "lib/config/resources.h"

#include "lib/files/ydoc.h"
#include "lib/hostlist.h"
#include "lib/timetext.h"

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

static int wrong_layer(struct ydoc *y, const struct resource_layer *l, const char *what) {
        return fail_set(y->fail, -EINVAL, "%s line %zu column %zu: nodes %.100s: %s", y->file,
                        l->line, l->column, l->text, what);
}

/* Reads a count. infinite may be NULL: -1 is refused then. */
static int resource_count_read(struct ydoc *y, const yaml_node_t *n, uint32_t *ret,
                bool *infinite) {
        const char *text = NULL;
        uint64_t v = 0;
        int e = ydoc_text(y, n, "a count", &text);

        if (e < 0)
                return e;
        if (infinite && streq(text, "-1")) {
                *infinite = true;
                return 0;
        }
        if (uint_parse(text, 0, RESOURCE_COUNT_MAX, &v) < 0)
                return ydoc_wrong(y, n, "\"%.100s\": a number from 0 to %d%s was expected", text,
                                RESOURCE_COUNT_MAX, infinite ? ", or -1 for no end" : "");
        *ret = (uint32_t)v;
        return 0;
}

/* ---- a layer ---- */

struct layer_reading {
        struct resource_layer layer;
        uint64_t base;
        const yaml_node_t *base_at;
        const struct resource *of;
};

static int layer_add_nodes(struct ydoc *y, const yaml_node_t *n, void *to) {
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
        }
        return 0;
}

static int layer_read_nodes(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;

        l->layer.line = n->start_mark.line + 1;
        l->layer.column = n->start_mark.column + 1;
        if (n->type == YAML_SCALAR_NODE)
                return layer_add_nodes(y, n, to);
        int e = ydoc_list(y, n, "names of nodes", SIZE_MAX, layer_add_nodes, to);
        return e >= 0 && bitset_empty(l->layer.nodes) ? ydoc_wrong(y, n, "a layer has no nodes")
                                                      : e;
}

static int read_layer_count(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;

        return resource_count_read(y, n, &l->layer.count, &l->layer.infinite);
}

struct named_value {
        char *name;
        uint32_t value;
};

static int read_value_name(struct ydoc *y, const yaml_node_t *n, void *to) {
        return ydoc_name(y, n, "a name", &((struct named_value *)to)->name);
}

static int variable_value_read(struct ydoc *y, const yaml_node_t *n, void *to) {
        return resource_count_read(y, n, &((struct named_value *)to)->value, NULL);
}

static const struct ydoc_field value_fields[] = {
        { "name", true, read_value_name },
        { "value", true, variable_value_read },
};

static int add_base(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct layer_reading *l = to;
        struct named_value v = { 0 };
        int e = ydoc_map(y, n, "an entry of base", value_fields, ELEMENTSOF(value_fields), &v);

        l->base += v.value;
        free(v.name);
        return e;
}

static int read_base(struct ydoc *y, const yaml_node_t *n, void *to) {
        ((struct layer_reading *)to)->base_at = n;
        return ydoc_list(y, n, "entries of base", BASES_MOST, add_base, to);
}

static const struct ydoc_field layer_fields[] = {
        { "nodes", true, layer_read_nodes },
        { "count", true, read_layer_count },
        { "base", false, read_base },
};

static char *host_text(const struct ydoc *y, const yaml_node_t *nodes);

/* ---- a resource ---- */

struct resource_reading {
        struct resource *resource;
        const yaml_node_t *at, *layers_at, *mode_at;
        uint64_t *bases; /* per layer */
        const yaml_node_t **bases_at;
        size_t a_layers;
};

static int add_layer(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        struct resource *res = reading->resource;
        struct layer_reading l = { .of = res };

        l.layer.nodes = bitset_new(reader_of(y)->names->n_nodes);
        int e = ydoc_map(y, n, "a layer", layer_fields, ELEMENTSOF(layer_fields), &l);
        if (e >= 0 && ++reader_of(y)->layers > RESOURCE_LAYERS_MAX)
                e = ydoc_wrong(y, n, "more than %d layers", RESOURCE_LAYERS_MAX);
        if (e >= 0)
                l.layer.text = host_text(y, n);
        for (size_t i = 0; e >= 0 && i < res->n_layers; i++)
                if (bitset_equal(res->layers[i].nodes, l.layer.nodes))
                        e = fail_set(y->fail, -EEXIST,
                                        "%s line %zu column %zu: %s has a layer of these nodes already, line %zu",
                                        y->file, l.layer.line, l.layer.column,
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

/* Returns the nodes of a layer, each once, as a host list. */
static char *host_text(const struct ydoc *y, const yaml_node_t *layer) {
        _cleanup_(hostlist_freep) struct hostlist *all = hostlist_new();

        for (const yaml_node_pair_t *p = layer->data.mapping.pairs.start;
                        p < layer->data.mapping.pairs.top; p++) {
                const yaml_node_t *value = ydoc_node(y, p->value);
                if (!streq(ydoc_scalar(ydoc_node(y, p->key)), "nodes"))
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
                                                        : ydoc_node(y, value->data.sequence.items
                                                                                          .start[i]);
                        if (hostlist_parse(ydoc_scalar(item), &some, NULL) < 0)
                                continue; /* already reported */
                        for (size_t k = 0; k < hostlist_count(some); k++)
                                hostlist_push(all, hostlist_get(some, k));
                }
        }
        hostlist_sort(all);
        return hostlist_text(all);
}

static int read_resource_name(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        int e = ydoc_name(y, n, "a name", &reading->resource->name);

        if (e >= 0 && reader_of(y)->names->license(reading->resource->name,
                                      reader_of(y)->names->user))
                e = ydoc_wrong(y, n, "%s is the name of a license in slurm.conf",
                                reading->resource->name);
        for (size_t i = 0; e >= 0 && i < reader_of(y)->to->n; i++)
                if (&reader_of(y)->to->list[i] != reading->resource &&
                                streq(reader_of(y)->to->list[i].name, reading->resource->name))
                        e = ydoc_wrong(y, n, "there is a resource %s already, line %zu",
                                        reader_of(y)->to->list[i].name,
                                        reader_of(y)->to->list[i].line);
        return e;
}

static int read_mode(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        const char *text = NULL;
        int e = ydoc_text(y, n, "MODE_1, MODE_2 or MODE_3", &text);

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
        return ydoc_wrong(y, n, "\"%.100s\": MODE_1, MODE_2 or MODE_3 was expected", text);
}

static int read_layers(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resource_reading *reading = to;
        int e = ydoc_list(y, n, "layers", RESOURCE_LAYERS_MAX, add_layer, to);

        reading->layers_at = n;
        return e >= 0 && reading->resource->n_layers == 0
                               ? ydoc_wrong(y, n, "at least one layer was expected")
                               : e;
}

static int resource_add_variable(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resource *res = ((struct resource_reading *)to)->resource;
        struct named_value v = { 0 };
        int e = ydoc_map(y, n, "a variable", value_fields, ELEMENTSOF(value_fields), &v);

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

static int read_variables(struct ydoc *y, const yaml_node_t *n, void *to) {
        return ydoc_list(y, n, "variables", VARIABLES_MOST, resource_add_variable, to);
}

static int refuse_topology(struct ydoc *y, const yaml_node_t *n, void *to) {
        (void)to;
        return ydoc_wrong(y, n,
                        "topology is not implemented: layers with nodes and counts were expected");
}

static const struct ydoc_field resource_fields[] = {
        { "resource", true, read_resource_name },
        { "mode", true, read_mode },
        { "layers", true, read_layers },
        { "variables", false, read_variables },
        { "topology", false, refuse_topology },
};

/* ---- a resource as a whole ---- */

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
                                return fail_set(y->fail, -EINVAL,
                                                "%s line %zu column %zu: nodes %.100s: a part of the layer of line %zu: in MODE_3 a layer inside it or beside it was expected",
                                                y->file, res->layers[i].line, res->layers[i].column,
                                                res->layers[i].text, res->layers[k].line);
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
                        return fail_set(y->fail, -EINVAL,
                                        "%s line %zu column %zu: nodes %.100s: more than %d layers one inside the other",
                                        y->file, l->line, l->column, l->text, RESOURCE_DEPTH_MAX);
                if (!is_leaf(res, i))
                        continue;
                if (deep != SIZE_MAX && depth != deep)
                        return fail_set(y->fail, -EINVAL,
                                        "%s line %zu column %zu: nodes %.100s: %zu layers around it, around others %zu: in MODE_3 as many were expected",
                                        y->file, l->line, l->column, l->text, depth, deep);
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
                        return fail_set(y->fail, -EINVAL,
                                        "%s line %zu column %zu: nodes %.100s: the sum of base, %llu, is more than the count, %u",
                                        y->file, l->line, l->column, l->text,
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

static int add_resource(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resources *all = to;
        struct resource *res = &all->list[all->n++];
        struct resource_reading reading = { .resource = res, .at = n };

        res->line = n->start_mark.line + 1;
        res->column = n->start_mark.column + 1;
        int e = ydoc_begins(y, n, "resource");
        if (e >= 0)
                e = ydoc_map(y, n, "a resource", resource_fields, ELEMENTSOF(resource_fields),
                                &reading);
        if (e >= 0)
                e = resource_check_whole(y, &reading);
        free(reading.bases);
        free(reading.bases_at);
        return e;
}

static int resources_read_all(struct ydoc *y, const yaml_node_t *n, void *to) {
        struct resources *all = to;

        all->list = xnew0(struct resource, RESOURCES_MAX);
        return ydoc_list(y, n, "resources", RESOURCES_MAX, add_resource, all);
}

int resources_parse(const char *name, const char *text, size_t size,
                const struct resource_names *names, struct resources **ret, struct fail *fail) {
        _cleanup_(resources_freep) struct resources *to = xnew0(struct resources, 1);
        struct reader r = { .names = names, .to = to };
        struct ydoc y = { .file = name, .levels = LEVELS_MOST, .fail = fail, .user = &r };
        int e = ydoc_read(&y, text, size, resources_read_all, to);

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
