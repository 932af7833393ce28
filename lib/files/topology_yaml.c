/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.yaml: a list of topologies, each of one kind. Reads tree and flat ones; of other kinds
 * only the name. */
#include "lib/files/topology.h"
#include "lib/files/ydoc.h"

#define SIZE_MOST ((size_t)1024 * 1024)
#define LEVELS_MOST                                                                                \
        10 /* levels of the deepest kind (a torus: list, topology, regions, dimensions) and more */

/* ---- a switch ---- */

struct switch_reading {
        struct topology_switch it;
        bool has_children;
};

static int read_hosts(struct ydoc *y, const struct ynode *n, const char *what,
                struct hostlist **ret) {
        struct fail why = { 0 };
        const char *text = NULL;
        int e = ydoc_text(y, n, what, &text);

        if (e < 0)
                return e;
        return hostlist_parse(text, ret, &why) < 0
                               ? ydoc_wrong(y, n, "%s were expected: %.200s", what, why.text)
                               : 0;
}

static int switch_nodes_read(struct ydoc *y, const struct ynode *n, void *to) {
        return read_hosts(y, n, "names of nodes", &((struct switch_reading *)to)->it.nodes);
}

static int read_children(struct ydoc *y, const struct ynode *n, void *to) {
        struct switch_reading *s = to;

        s->has_children = true;
        return read_hosts(y, n, "names of switches", &s->it.switches);
}

static const struct ydoc_field switch_fields[] = {
        { "switch", ydoc_name, offsetof(struct switch_reading, it.name), "the name of a switch",
                        true },
        { "nodes", switch_nodes_read },
        { "children", read_children },
};
static const struct ydoc_form switch_form = { "a switch", switch_fields,
        ELEMENTSOF(switch_fields) };

/* Adds a switch. Nodes have precedence over children, as in Slurm; a leaf may have no nodes. */
static int switch_add(struct ydoc *y, const struct ynode *n, void *to) {
        struct switch_reading s = { .it = { .line = n->line, .column = n->column } };
        struct topology *t = to;
        struct fail why = { 0 };
        int e = ydoc_map(y, n, &switch_form, &s);

        if (e < 0) {
                free(s.it.name);
                hostlist_free(s.it.nodes);
                hostlist_free(s.it.switches);
                return e;
        }
        s.it.both = s.it.nodes && s.has_children;
        if (s.it.both)
                s.it.switches = hostlist_free(s.it.switches);
        if (!s.it.nodes && !s.it.switches)
                s.it.nodes = hostlist_new();
        return topology_add(t, &s.it, &why) < 0 ? ydoc_wrong(y, n, "%s", why.text) : 0;
}

/* ---- a topology ---- */

struct topology_reading {
        struct topology *it;
        const char *kind; /* NULL: no kind yet */
        bool usual;
};

static int read_topology_name(struct ydoc *y, const struct ynode *n, void *to) {
        struct topology *t = ((struct topology_reading *)to)->it;
        const struct topologies *all = y->user;
        int e = ydoc_name_read(y, n, "the name of a topology", &t->name);

        for (size_t i = 0; e >= 0 && i < all->n; i++)
                if (streq(all->list[i]->name, t->name))
                        e = ydoc_wrong(y, n, "there is a topology %s already, line %u", t->name,
                                        all->list[i]->line);
        return e;
}

static int is_of_kind(struct ydoc *y, const struct ynode *n, struct topology_reading *r,
                const char *kind) {
        if (r->kind)
                return ydoc_wrong(y, n, "%s beside %s: one of them was expected", kind, r->kind);
        r->kind = kind;
        return 0;
}

static const struct ydoc_field tree_fields[] = {
        { "switches", ydoc_items, 0, "switches", true, .max = TOPOLOGY_SWITCHES,
                        .item = switch_add },
};
static const struct ydoc_form tree_form = { "tree", tree_fields, ELEMENTSOF(tree_fields) };

static int read_tree(struct ydoc *y, const struct ynode *n, void *to) {
        struct topology_reading *r = to;
        int e = is_of_kind(y, n, r, "tree");

        if (e >= 0)
                e = ydoc_map(y, n, &tree_form, r->it);
        if (e >= 0 && r->it->n == 0)
                e = ydoc_wrong(y, n, "a tree has no switches");
        return e >= 0 ? topology_settle(r->it, y->file, y->fail) : e;
}

static const struct ydoc_field flat_fields[] = {
        { "alpha_step_rank", ydoc_truth, offsetof(struct topology, by_name) },
};
static const struct ydoc_form flat_form = { "flat", flat_fields, ELEMENTSOF(flat_fields) };

/* Reads "true", or the mapping allowed in place of it. */
static int read_flat(struct ydoc *y, const struct ynode *n, void *to) {
        struct topology_reading *r = to;
        bool flat = true;
        int e = is_of_kind(y, n, r, "flat");

        if (e >= 0 && n->type == YNODE_TEXT)
                e = ydoc_truth_read(y, n, &flat);
        else if (e >= 0)
                e = ydoc_map(y, n, &flat_form, r->it);
        return e >= 0 && !flat ? ydoc_wrong(y, n, "flat: true was expected") : e;
}

/* Reads a kind that is not implemented: only its name. */
static int topology_kind_missing(struct ydoc *y, const struct ynode *n, void *to) {
        struct topology_reading *r = to;

        r->it->missing = y->field->key;
        return is_of_kind(y, n, r, y->field->key);
}

static const struct ydoc_field topology_fields[] = {
        { "topology", read_topology_name, .needed = true },
        { "cluster_default", ydoc_truth, offsetof(struct topology_reading, usual) },
        { "tree", read_tree },
        { "flat", read_flat },
        { "block", topology_kind_missing },
        { "ring", topology_kind_missing },
        { "torus3d", topology_kind_missing },
};
static const struct ydoc_form topology_form = { "a topology", topology_fields,
        ELEMENTSOF(topology_fields) };

static int add_topology(struct ydoc *y, const struct ynode *n, void *to) {
        _cleanup_(topology_freep) struct topology *t = xnew0(struct topology, 1);
        struct topology_reading r = { .it = t };
        struct topologies *all = y->user;
        bool *has_usual = to;

        t->line = n->line;
        int e = ydoc_begins(y, n, "topology");
        if (e >= 0)
                e = ydoc_map(y, n, &topology_form, &r);
        if (e >= 0 && !r.kind)
                e = ydoc_wrong(y, n, "topology %s has neither tree nor flat", t->name);
        if (e < 0)
                return e;
        t->line = t->missing ? ydoc_find(n, t->missing)->line : t->line;
        if (r.usual && !*has_usual)
                all->usual = all->n;
        *has_usual |= r.usual;
        topologies_push(all, TAKE(t));
        return 0;
}

static int topologies_read(struct ydoc *y, const struct ynode *n, void *to) {
        return ydoc_list(y, n, "topologies", TOPOLOGIES_MAX, add_topology, to);
}

int topologies_parse(const char *name, const char *text, size_t size, struct topologies **ret,
                struct fail *fail) {
        _cleanup_(topologies_freep) struct topologies *all = topologies_new();
        struct ydoc y = { .file = name,
                .most = SIZE_MOST,
                .levels = LEVELS_MOST,
                .fail = fail,
                .user = all };
        bool has_usual = false;
        int e = ydoc_read(&y, text, size, topologies_read, &has_usual);

        if (e >= 0 && all->n == 0)
                e = fail_set(fail, -EINVAL, "%s: no topology is defined", name);
        if (e >= 0)
                *ret = TAKE(all);
        return e;
}

/* ---- output ---- */

static void put_hosts(FILE *out, const char *key, const struct hostlist *hosts) {
        _cleanup_free_ char *text = hostlist_text(hosts);

        fprintf(out, "        %s: \"%s\"\n", key, text);
}

static void put_tree(FILE *out, const struct topology *t) {
        fputs("  tree:\n    switches:\n", out);
        for (size_t i = 0; i < t->n; i++) {
                const struct topology_switch *s = &t->list[i];
                fprintf(out, "      - switch: \"%s\"\n", s->name);
                if (s->switches)
                        put_hosts(out, "children", s->switches);
                else if (hostlist_count(s->nodes))
                        put_hosts(out, "nodes", s->nodes);
        }
}

char *topologies_text(const struct topologies *all) {
        char *ret = NULL;
        size_t size;
        FILE *out = memstream_open(&ret, &size);

        fputs("---\n", out);
        for (size_t i = 0; i < all->n; i++) {
                const struct topology *t = all->list[i];
                fprintf(out, "- topology: \"%s\"\n  cluster_default: %s\n", t->name,
                                i == all->usual ? "true" : "false");
                if (t->n)
                        put_tree(out, t);
                else if (t->by_name)
                        fputs("  flat:\n    alpha_step_rank: true\n", out);
                else
                        fputs("  flat: true\n", out);
        }
        memstream_close(out);
        return ret;
}
