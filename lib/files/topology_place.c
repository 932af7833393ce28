/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several topologies, and nodes' own places (Topology= of their lines). Nodes may join and leave in
 * any order: whether a place fits beside the others does not depend on the order, and a place stays
 * valid after others leave. */
#include "lib/files/topology.h"

struct topologies *topologies_new(void) {
        return xnew0(struct topologies, 1);
}

struct topologies *topologies_free(struct topologies *t) {
        for (size_t i = 0; t && i < t->n; i++)
                topology_free(t->list[i]);
        if (t)
                free(t->list);
        free(t);
        return NULL;
}

void topologies_push(struct topologies *to, struct topology *t) {
        t->index = to->n;
        to->list = xrenew(to->list, to->n + 1);
        to->list[to->n++] = t;
}

const struct topology *topologies_find(const struct topologies *t, const char *name) {
        for (size_t i = 0; t && i < t->n; i++)
                if (streq(t->list[i]->name, name))
                        return t->list[i];
        return NULL;
}

static struct hostlist *copy_hosts(const struct hostlist *from, const struct hostlist *without) {
        struct hostlist *to = hostlist_new();

        for (size_t i = 0; i < hostlist_count(from); i++)
                if (!without || !hostlist_has(without, hostlist_get(from, i)))
                        hostlist_push(to, hostlist_get(from, i));
        return to;
}

static struct topology *topology_copy(const struct topology *from) {
        struct topology *to = xnew(struct topology, 1);

        *to = *from;
        to->name = xstrdup(from->name);
        to->list = xnew(struct topology_switch, from->n + 1);
        for (size_t i = 0; i < from->n; i++) {
                struct topology_switch *s = &to->list[i];
                *s = from->list[i];
                s->name = xstrdup(s->name);
                s->link_speed = xstrdup(s->link_speed);
                s->nodes = copy_hosts(s->nodes, NULL);
                s->switches = s->switches ? copy_hosts(s->switches, NULL) : NULL;
        }
        return to;
}

static struct topologies *topologies_copy(const struct topologies *from) {
        struct topologies *to = topologies_new();

        for (size_t i = 0; i < from->n; i++)
                topologies_push(to, topology_copy(from->list[i]));
        to->usual = from->usual;
        return to;
}

/* ---- paths of switches ---- */

/* Finds a switch of a path by name, or creates the switch. */
static int need_switch(struct topology *t, const char *name, bool leaf, size_t *ret,
                struct fail *fail) {
        size_t at = topology_find(t, name);

        if (isempty(name) || strlen(name) > 64 || name[strcspn(name, " ,:[]()=\"'#\\")])
                return fail_set(fail, -EINVAL, "\"%.100s\" is not the name of a switch", name);
        if (at == TOPOLOGY_NONE) {
                struct topology_switch s = { .name = xstrdup(name),
                        .nodes = hostlist_new(),
                        .switches = leaf ? NULL : hostlist_new(),
                        .made = true };
                int r = topology_add(t, &s, fail);
                at = t->n - 1;
                if (r < 0)
                        return r;
        } else if (leaf != !t->list[at].switches) {
                return fail_set(fail, -EINVAL,
                                leaf ? "switch %s has switches below it, and so no nodes of its own"
                                     : "switch %s is a leaf: no switch is below it",
                                name);
        }
        *ret = at;
        return 0;
}

static bool switch_is_above(const struct topology *t, size_t above, size_t at) {
        while (at != TOPOLOGY_NONE && at != above)
                at = t->list[at].parent;
        return at == above;
}

/* Puts switch at below up. The parents of switches from a file are final. */
static int switch_set_parent(struct topology *t, size_t at, size_t up, struct fail *fail) {
        struct topology_switch *s = &t->list[at];

        if (s->parent == up)
                return 0;
        if (s->parent != TOPOLOGY_NONE)
                return fail_set(fail, -EINVAL, "switch %s is below %s, not below %s", s->name,
                                t->list[s->parent].name, t->list[up].name);
        if (!s->made)
                return fail_set(fail, -EINVAL, "switch %s is below none, not below %s", s->name,
                                t->list[up].name);
        if (switch_is_above(t, at, up))
                return fail_set(fail, -ELOOP, "switch %s would be below itself", s->name);
        s->parent = up;
        hostlist_push(t->list[up].switches, s->name);
        return 0;
}

/* Follows path, "leaf" of a file or "top:middle:leaf"; modifies path. */
static int switch_path_follow(struct topology *t, char *path, size_t *ret_leaf, struct fail *fail) {
        size_t up = TOPOLOGY_NONE, depth = 0;

        if (!strchr(path, ':')) {
                *ret_leaf = topology_find(t, path);
                return *ret_leaf == TOPOLOGY_NONE || t->list[*ret_leaf].made ||
                                                       t->list[*ret_leaf].switches
                                       ? fail_set(fail, -EINVAL,
                                                         "topology %s has no leaf switch %.100s (one that no file has is named with those above it, as top:leaf)",
                                                         t->name, path)
                                       : 0;
        }
        for (char *name; (name = strsep(&path, ":"));) {
                size_t at = TOPOLOGY_NONE;
                if (depth++ == TOPOLOGY_DEPTH)
                        return fail_set(fail, -E2BIG,
                                        "a path has no more than %d switches, and %.100s is one more",
                                        TOPOLOGY_DEPTH, name);
                int r = need_switch(t, name, !path, &at, fail);
                if (r >= 0 && up != TOPOLOGY_NONE)
                        r = switch_set_parent(t, at, up, fail);
                if (r < 0)
                        return r;
                up = at;
        }
        *ret_leaf = up;
        return 0;
}

/* ---- places ---- */

struct found { /* a place found for a node */
        struct topology *t;
        size_t leaf;
};

static int topology_place_find(struct topologies *all, char *word, struct found *ret,
                struct fail *fail) {
        char *path = word, *name = strsep(&path, ":");
        struct topology *t = (struct topology *)(uintptr_t)topologies_find(all, name);

        if (!t)
                return fail_set(fail, -EINVAL, "there is no topology %.100s", name);
        *ret = (struct found){ t, TOPOLOGY_NONE };
        if (t->missing) /* its units are unknown */
                return 0;
        if (t->n == 0)
                return fail_set(fail, -EINVAL, "topology %s is flat: it has no switches", name);
        if (isempty(path))
                return fail_set(fail, -EINVAL, "%s:SWITCH was expected", name);
        return switch_path_follow(t, path, &ret->leaf, fail);
}

/* Places a node in all topologies of its text, or in none. */
static int place_node(struct topologies *all, const struct topology_place *p, struct fail *fail) {
        _cleanup_free_ struct found *found = xnew(struct found, all->n + 1);
        _cleanup_free_ char *text = xstrdup(p->text);
        char *rest = text;
        size_t n = 0;
        int r = 0;

        for (char *w; r >= 0 && *p->text && (w = strsep(&rest, ","));) {
                if (n == all->n)
                        return fail_set(fail, -EINVAL, "there are only %zu topologies", all->n);
                r = topology_place_find(all, w, &found[n], fail);
                for (size_t i = 0; r >= 0 && i < n; i++)
                        if (found[i].t == found[n].t)
                                r = fail_set(fail, -EINVAL, "topology %s stands twice",
                                                found[n].t->name);
                n++;
        }
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (found[i].leaf != TOPOLOGY_NONE)
                        hostlist_push(found[i].t->list[found[i].leaf].nodes, p->node);
        return r;
}

/* ---- checks of places from slumberd ---- */

static size_t count_made(const struct topology *t) {
        size_t n = 0;

        for (size_t i = 0; i < t->n; i++)
                n += t->list[i].made;
        return n;
}

/* Checks a path of switches; modifies path. */
static int check_path(const struct topology *t, char *path, bool may_make, struct fail *fail) {
        size_t up = TOPOLOGY_NONE, made = count_made(t), depth = 0;

        if (!path || !strchr(path, ':')) /* a leaf of a file, or refused later */
                return 0;
        for (char *name; depth++ < TOPOLOGY_DEPTH && (name = strsep(&path, ":"));) {
                size_t at = topology_find(t, name);
                bool same = at != TOPOLOGY_NONE &&
                            (up == TOPOLOGY_NONE || t->list[at].parent == up);
                if (!same && !may_make)
                        return fail_set(fail, -EPERM,
                                        "topology %s has no switch %.100s there, and only cloud and dynamic nodes bring switches",
                                        t->name, name);
                if (at == TOPOLOGY_NONE && made++ >= TOPOLOGY_BROUGHT)
                        return fail_set(fail, -E2BIG,
                                        "topology %s has %d switches that no file has: scontrol makes more, slumberd does not",
                                        t->name, TOPOLOGY_BROUGHT);
                up = at;
        }
        return 0;
}

int topologies_check_brought(const struct topologies *all, const struct topology_place *p,
                bool may_make, struct fail *fail) {
        _cleanup_free_ char *words = xstrdup(p->text);
        char *rest = words;
        struct fail why = { 0 };
        int r = 0;

        for (char *path; r >= 0 && (path = strsep(&rest, ","));) {
                const char *name = strsep(&path, ":");
                const struct topology *t = topologies_find(all, name);
                r = t ? check_path(t, path, may_make, &why)
                      : fail_set(&why, -EINVAL, "there is no topology %.100s", name);
        }
        return r < 0 ? fail_set(fail, r, "node %s: Topology=%.200s: %s", p->node, p->text, why.text)
                     : 0;
}

/* ---- all places ---- */

/* Removes the nodes from the leaves of files. */
static void take_out(struct topologies *all, const struct hostlist *nodes) {
        for (size_t i = 0; i < all->n; i++)
                for (size_t k = 0; k < all->list[i]->n; k++) {
                        struct topology_switch *s = &all->list[i]->list[k];
                        struct hostlist *rest = s->switches ? NULL : copy_hosts(s->nodes, nodes);
                        if (rest) {
                                hostlist_free(s->nodes);
                                s->nodes = rest;
                        }
                }
}

/* Sorts as in displays. */
static void sort_leaves(struct topologies *all) {
        for (size_t i = 0; i < all->n; i++)
                for (size_t k = 0; k < all->list[i]->n; k++)
                        if (!all->list[i]->list[k].switches)
                                hostlist_sort(all->list[i]->list[k].nodes);
}

/* Places all nodes. Returns SIZE_MAX, or the index of the first invalid place, explained in
   fail. */
static size_t place_all(struct topologies *t, const struct topology_place *places, size_t n,
                const bool *skipped, struct fail *fail) {
        for (size_t i = 0; i < n; i++) {
                struct fail why = { 0 };
                int r = skipped[i] ? 0 : place_node(t, &places[i], &why);
                if (r < 0) {
                        fail_set(fail, r, "node %s: Topology=%.200s: %s", places[i].node,
                                        places[i].text, why.text);
                        return i;
                }
        }
        return SIZE_MAX;
}

int topologies_place(const struct topologies *from, const struct topology_place *places, size_t n,
                bool skip, struct topologies **ret, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *nodes = hostlist_new();
        _cleanup_free_ bool *skipped = xnew0(bool, n + 1);
        int r = 0;

        for (size_t i = 0; i < n; i++)
                hostlist_push(nodes, places[i].node);
        for (;;) {
                _cleanup_(topologies_freep) struct topologies *t = topologies_copy(from);
                struct fail why = { 0 };
                take_out(t, nodes);
                size_t bad = place_all(t, places, n, skipped, &why);
                sort_leaves(t);
                for (size_t i = 0; i < t->n && bad == SIZE_MAX; i++)
                        (void)topology_settle(t->list[i], "", NULL); /* checked by place_all() */
                if (bad == SIZE_MAX) {
                        *ret = TAKE(t);
                        return r;
                }
                r = r < 0 ? r : fail_set(fail, -EINVAL, "%s", why.text);
                if (!skip)
                        return r;
                skipped[bad] = true; /* next try without switches created for the node */
        }
}
