/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/files/topology.h"

#include "lib/files/lines.h"

#include <strings.h>

size_t topology_find(const struct topology *t, const char *name) {
        for (size_t i = 0; i < t->n; i++)
                if (streq(t->list[i].name, name))
                        return i;
        return TOPOLOGY_NONE;
}

static void switch_done(struct topology_switch *s) {
        free(s->name);
        free(s->link_speed);
        hostlist_free(s->nodes);
        hostlist_free(s->switches);
        *s = (struct topology_switch){ 0 };
}

/* Returns "line 7" or "line 7 column 3". */
static const char *switch_place(const struct topology_switch *s, char text[64]) {
        if (s->column)
                snprintf(text, 64, "line %u column %u", s->line, s->column);
        else
                snprintf(text, 64, "line %u", s->line);
        return text;
}

int topology_add(struct topology *t, struct topology_switch *s, struct fail *fail) {
        size_t same = topology_find(t, s->name);
        int r = 0;

        if (same != TOPOLOGY_NONE)
                r = fail_set(fail, -EEXIST, "switch %.100s stands on line %u already", s->name,
                                t->list[same].line);
        else if (t->n == TOPOLOGY_SWITCHES)
                r = fail_set(fail, -E2BIG, "more than %d switches", TOPOLOGY_SWITCHES);
        if (r < 0) {
                switch_done(s);
                return r;
        }
        s->parent = TOPOLOGY_NONE;
        if (!s->link_speed)
                s->link_speed = xstrdup("1");
        t->list = xrenew(t->list, t->n + 1);
        t->list[t->n++] = *s;
        *s = (struct topology_switch){ 0 };
        return 0;
}

static int topology_add_switch(struct topology *t, struct config_line *line, struct fail *fail) {
        struct topology_switch s = { .line = line->words[0].line };
        const char *name = NULL, *nodes = NULL, *switches = NULL, *speed = NULL;
        const struct {
                const char *key;
                const char **value;
        } keys[] = {
                { "SwitchName", &name },
                { "Nodes", &nodes },
                { "Switches", &switches },
                { "LinkSpeed", &speed },
        };

        for (size_t i = 0; i < line->n; i++) {
                size_t k = 0;
                while (k < ELEMENTSOF(keys) && strcasecmp(keys[k].key, line->words[i].key) != 0)
                        k++;
                if (k == ELEMENTSOF(keys))
                        return fail_set(fail, -EINVAL, "%.100s is not a key of topology.conf",
                                        line->words[i].key);
                if (*keys[k].value)
                        return fail_set(fail, -EINVAL, "%s stands twice on the line", keys[k].key);
                *keys[k].value = line->words[i].value;
        }
        if (isempty(name))
                return fail_set(fail, -EINVAL, "SwitchName is missing");
        if (!nodes == !switches)
                return fail_set(fail, -EINVAL, "switch %.100s has either Nodes or Switches", name);
        int r = hostlist_parse(nodes ? nodes : switches, nodes ? &s.nodes : &s.switches, fail);
        if (r < 0)
                return fail_prefix(fail, r, "%s", nodes ? "Nodes" : "Switches");
        s.name = xstrdup(name);
        s.link_speed = xstrdup(speed);
        return topology_add(t, &s, fail);
}

static int topology_on_line(struct config_line *line, void *user, struct fail *fail) {
        int r = topology_add_switch(user, line, fail);

        return r < 0 ? fail_prefix(fail, r, "%s line %u", line->file, line->words[0].line) : 0;
}

/* Sets the parent of the switches below switch at. Each switch has at most one parent: a circle is
   a set of switches without a top. */
static int switch_join_children(struct topology *t, size_t at, struct fail *fail) {
        const struct topology_switch *s = &t->list[at];

        for (size_t i = 0; s->switches && i < hostlist_count(s->switches); i++) {
                const char *name = hostlist_get(s->switches, i);
                size_t below = topology_find(t, name);
                if (below == TOPOLOGY_NONE)
                        return fail_set(fail, -ENOENT, "switch %s: there is no switch %.100s",
                                        s->name, name);
                if (t->list[below].parent != TOPOLOGY_NONE)
                        return fail_set(fail, -EINVAL, "switch %.100s is below %s and %s", name,
                                        t->list[t->list[below].parent].name, s->name);
                t->list[below].parent = at;
        }
        return 0;
}

static int topology_circle_fault(const struct topology_switch *s, const char *file,
                struct fail *fail) {
        char place[64];

        return fail_set(fail, -ELOOP, "%s %s: switch %s is below itself", file,
                        switch_place(s, place), s->name);
}

static int set_levels(struct topology *t, const char *file, struct fail *fail) {
        t->tops = 0;
        for (size_t i = 0; i < t->n; i++) {
                t->list[i].level = 0;
                t->tops += t->list[i].parent == TOPOLOGY_NONE;
        }
        for (size_t i = 0; i < t->n; i++) {
                uint32_t level = 0;
                for (size_t up = i; !t->list[i].switches && up != TOPOLOGY_NONE;
                                up = t->list[up].parent, level++) {
                        if (level > t->n)
                                return topology_circle_fault(&t->list[up], file, fail);
                        t->list[up].level = MAX(t->list[up].level, level);
                }
        }
        for (size_t i = 0; i < t->n; i++)
                if (t->list[i].switches && t->list[i].level == 0)
                        return topology_circle_fault(&t->list[i], file, fail);
        return 0;
}

struct place {
        const char *node;
        size_t leaf;
};

static int place_by_node(const void *a, const void *b) {
        const struct place *x = a, *y = b;

        return strcmp(x->node, y->node);
}

static int topology_check_leaf_nodes(const struct topology *t, const char *file,
                struct fail *fail) {
        size_t all = 0, n = 0;
        char place[64];
        int r = 0;

        for (size_t i = 0; i < t->n; i++)
                all += t->list[i].switches ? 0 : hostlist_count(t->list[i].nodes);
        if (all > HOSTLIST_MAX)
                return fail_set(fail, -E2BIG, "%s: more than %d nodes on switches", file,
                                HOSTLIST_MAX);
        _cleanup_free_ struct place *places = xnew(struct place, all + 1);
        for (size_t i = 0; i < t->n; i++)
                for (size_t k = 0; !t->list[i].switches && k < hostlist_count(t->list[i].nodes);
                                k++)
                        places[n++] = (struct place){ hostlist_get(t->list[i].nodes, k), i };
        list_sort(places, n, sizeof *places, place_by_node);
        for (size_t i = 1; i < n && r >= 0; i++) {
                const struct topology_switch *a = &t->list[places[i - 1].leaf],
                                             *b = &t->list[places[i].leaf];
                if (streq(places[i].node, places[i - 1].node))
                        r = fail_set(fail, -EINVAL, "%s %s: node %.100s is on switch %s and %s",
                                        file, switch_place(a->line > b->line ? a : b, place),
                                        places[i].node, a->name, b->name);
        }
        return r;
}

struct names_below {
        const char **list;
        size_t n, allocated;
};

static void add_below(struct names_below *b, const struct hostlist *nodes) {
        for (size_t m = 0; m < hostlist_count(nodes); m++) {
                GROW(b->list, b->allocated, b->n);
                b->list[b->n++] = hostlist_get(nodes, m);
        }
}

/* Collects the nodes below each upper switch, walking up once from each leaf. */
static void collect_nodes(struct topology *t) {
        _cleanup_free_ struct names_below *below = xnew0(struct names_below, t->n + 1);

        for (size_t i = 0; i < t->n; i++)
                for (size_t up = t->list[i].parent; !t->list[i].switches && up != TOPOLOGY_NONE;
                                up = t->list[up].parent)
                        add_below(&below[up], t->list[i].nodes);
        for (size_t i = 0; i < t->n; i++) {
                if (!t->list[i].switches)
                        continue;
                _cleanup_free_ char *text = hostlist_compress(below[i].list, below[i].n);
                hostlist_free(TAKE(t->list[i].nodes));
                /* valid: made by hostlist_compress(). */
                (void)hostlist_parse(text, &t->list[i].nodes, NULL);
                free(below[i].list);
        }
}

int topology_settle(struct topology *t, const char *file, struct fail *fail) {
        char place[64];
        int r = 0;

        for (size_t i = 0; i < t->n; i++)
                t->list[i].parent = TOPOLOGY_NONE;
        for (size_t i = 0; r >= 0 && i < t->n; i++) {
                r = switch_join_children(t, i, fail);
                if (r < 0)
                        return fail_prefix(fail, r, "%s %s", file,
                                        switch_place(&t->list[i], place));
        }
        r = set_levels(t, file, fail);
        if (r >= 0)
                r = topology_check_leaf_nodes(t, file, fail);
        if (r >= 0)
                collect_nodes(t);
        return r;
}

int topology_parse(const char *name, const char *text, size_t size, struct topology **ret,
                struct fail *fail) {
        _cleanup_(topology_freep) struct topology *t = xnew0(struct topology, 1);
        int r = config_lines(name, NULL, text, size, topology_on_line, t, fail);

        t->name = xstrdup(TOPOLOGY_USUAL);
        if (r >= 0 && t->n == 0)
                return fail_set(fail, -EINVAL, "%s: no switch is defined", name);
        if (r >= 0)
                r = topology_settle(t, name, fail);
        if (r >= 0)
                *ret = TAKE(t);
        return r;
}

int topology_read(const char *path, struct topology **ret, struct fail *fail) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = config_load(path, &text, &size, fail);

        return r < 0 ? r : topology_parse(path, text, size, ret, fail);
}

struct topology *topology_free(struct topology *t) {
        if (!t)
                return NULL;
        for (size_t i = 0; i < t->n; i++)
                switch_done(&t->list[i]);
        free(t->list);
        free(t->name);
        free(t);
        return NULL;
}

char *topology_address(const struct topology *t, size_t leaf, const char *node,
                char **ret_pattern) {
        char *address = xstrdup(node), *pattern = xstrdup("node");

        for (size_t i = leaf; i != TOPOLOGY_NONE; i = t->list[i].parent) {
                _cleanup_free_ char *a = address, *p = pattern;
                address = xasprintf("%s.%s", t->list[i].name, a);
                pattern = xasprintf("switch.%s", p);
        }
        *ret_pattern = pattern;
        return address;
}
