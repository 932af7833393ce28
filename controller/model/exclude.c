/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SuspendExcNodes, SuspendExcParts, SuspendExcStates (power-saving guide).
 *
 * The three values are kept as text and converted to sets when nodes, partitions or a value change
 * (refresh).  Named nodes are answered at once from the sets.  Counts are answered once per pass
 * (exclusions_kept), as the node kept up depends on the number of busy nodes.  A node kept up only
 * by a count stays in `held` without a deadline, and is considered again when a member of a counted
 * set changes. */
#include "controller/model/exclude.h"

#include "controller/model/cluster.h"
#include "controller/model/reservation.h"
#include "lib/wordlist.h"

#include <stddef.h>
#include <strings.h>

static const struct {
        const char *word;
        unsigned flag;
        size_t named; /* offset in struct exclusions; 0: none */
} states[] = {
        { "CLOUD", NODE_CLOUD, 0 }, { "DOWN", 0, offsetof(struct exclusions, down) },
        { "DRAIN", NODE_DRAIN, 0 }, { "FAIL", NODE_FAIL, 0 },
        { "INVALID_REG", NODE_INVALID_REG, 0 },
        { "MAINTENANCE", 0, offsetof(struct exclusions, maintenance) },
        { "NOT_RESPONDING", NODE_NOT_RESPONDING, 0 },
        { "PLANNED", 0, offsetof(struct exclusions, planned) },
        { "RESERVED", 0, offsetof(struct exclusions, reserved) },
        { "DYNAMIC_NORM", 0, offsetof(struct exclusions, dynamic) },
        { "DYNAMIC_FUTURE", NODE_DYNAMIC_FUTURE, 0 },
        { "PERFCTRS", 0, 0 }, /* no node has the state */
};

/* ---- lists of words ---- */

/* The next word of a comma list, with brackets kept together; NULL at the end. */
static const char *next_entry(const char **list, size_t *ret_length) {
        const char *start = *list + strspn(*list, ",");
        size_t length = 0;

        for (int depth = 0; start[length] && (depth > 0 || start[length] != ','); length++)
                depth += (start[length] == '[') - (start[length] == ']');
        *list = start + length;
        *ret_length = length;
        return length ? start : NULL;
}

static bool exclude_list_has(const char *list, const char *word, size_t length) {
        const char *p = strempty(list), *w;
        size_t n;

        while ((w = next_entry(&p, &n)))
                if (n == length && strncasecmp(w, word, n) == 0)
                        return true;
        return false;
}

/* Applies op with value to old; NULL: empty result. */
static char *words_changed(const char *old, char op, const char *value) {
        const char *p = op == '=' ? "" : strempty(old), *w;
        char *list = NULL;
        size_t n;

        while ((w = next_entry(&p, &n)))
                if (op == '+' || !exclude_list_has(value, w, n))
                        text_add_word(&list, ",", "%.*s", (int)n, w);
        p = op == '-' ? "" : value;
        while ((w = next_entry(&p, &n)))
                if (!exclude_list_has(list, w, n))
                        text_add_word(&list, ",", "%.*s", (int)n, w);
        return list;
}

static char *names_changed(const char *old, char op, const char *value) {
        _cleanup_(hostlist_freep) struct hostlist *from = NULL, *with = NULL,
                                                  *list = hostlist_new();

        if (op != '=' && !isempty(old) && hostlist_parse(old, &from, NULL) < 0)
                return NULL;
        if (!isempty(value) && hostlist_parse(value, &with, NULL) < 0)
                return NULL;
        for (size_t i = 0; from && i < hostlist_count(from); i++)
                if (op == '+' || !with || !hostlist_has(with, hostlist_get(from, i)))
                        hostlist_push(list, hostlist_get(from, i));
        for (size_t i = 0; op != '-' && with && i < hostlist_count(with); i++)
                hostlist_push(list, hostlist_get(with, i));
        if (op != '=')
                hostlist_sort(list);
        return hostlist_count(list) ? hostlist_text(list) : NULL;
}

/* ---- parsing ---- */

#define COUNT_DIGITS 9 /* more than the nodes of any cluster */

struct entry {
        struct hostlist *names;
        size_t count; /* 0: all nodes */
};

static int entry_parse(const char *text, size_t length, struct entry *ret, struct fail *fail) {
        _cleanup_free_ char *copy = xasprintf("%.*s", (int)length, text);
        char *colon = strrchr(copy, ':');

        if (colon) {
                *colon++ = 0;
                if (strlen(colon) > COUNT_DIGITS || colon[strspn(colon, "0123456789")])
                        return fail_set(fail, -EINVAL, "\"%s\" is not a number of nodes", colon);
                ret->count = strtoul(colon, NULL, 10);
        }
        return hostlist_parse(copy, &ret->names, fail);
}

int exclusions_check(const struct config *config, struct fail *fail) {
        const char *p = strempty(config->suspend_exc_nodes), *w;
        size_t n;

        while ((w = next_entry(&p, &n))) {
                struct entry e = { 0 };
                int r = entry_parse(w, n, &e, fail);
                hostlist_free(e.names);
                if (r < 0)
                        return fail_prefix(fail, r, "SuspendExcNodes");
        }
        return 0;
}

static void add_members(const struct cluster *c, const struct hostlist *names, struct bitset *set) {
        for (size_t i = 0; i < hostlist_count(names); i++) {
                const struct node *n = cluster_node(c, hostlist_get(names, i));
                const struct hostlist *inner = n ? NULL
                                                 : cluster_nodeset(c, hostlist_get(names, i));
                if (n)
                        bitset_add(set, n->index);
                else if (inner)
                        add_members(c, inner, set); /* nodesets contain nodes only */
        }
}

static void forget_sets(struct exclusions *e) {
        for (size_t i = 0; i < e->n_sets; i++)
                bitset_free(e->sets[i].nodes);
        free(e->sets);
        e->sets = NULL;
        e->n_sets = 0;
        e->always = bitset_free(e->always);
        e->counted = bitset_free(e->counted);
        e->held = bitset_free(e->held);
}

static void exclude_read_nodes(struct cluster *c) {
        struct exclusions *e = &c->exclusions;
        const char *p = strempty(e->text[EXCLUDE_NODES]), *w;
        size_t n;

        while ((w = next_entry(&p, &n))) {
                struct entry entry = { 0 };
                if (entry_parse(w, n, &entry, NULL) < 0)
                        continue; /* reported by exclusions_check() */
                _cleanup_(bitset_freep) struct bitset *set = bitset_new(c->n_nodes);
                add_members(c, entry.names, set);
                hostlist_free(entry.names);
                if (entry.count == 0 || entry.count >= bitset_count(set)) {
                        bitset_or(e->always, set);
                        continue;
                }
                bitset_or(e->counted, set);
                e->sets = xrenew(e->sets, e->n_sets + 1);
                e->sets[e->n_sets++] = (struct exclude_set){ TAKE(set), entry.count };
        }
}

static void read_parts(struct cluster *c) {
        struct exclusions *e = &c->exclusions;

        for (size_t i = 0; i < c->n_partitions; i++) {
                const struct partition *p = c->partitions[i];
                if (exclude_list_has(e->text[EXCLUDE_PARTS], p->name, strlen(p->name)))
                        bitset_or(e->always, p->nodes);
        }
}

static void read_states(struct exclusions *e) {
        e->flags = 0;
        for (size_t i = 0; i < ELEMENTSOF(states); i++) {
                bool listed = exclude_list_has(e->text[EXCLUDE_STATES], states[i].word,
                                strlen(states[i].word));
                if (listed)
                        e->flags |= states[i].flag;
                if (states[i].named)
                        *(bool *)((char *)e + states[i].named) = listed;
        }
}

void exclusions_refresh(struct cluster *c) {
        struct exclusions *e = &c->exclusions;

        if (e->held)
                bitset_for_each(i, e->held)
                        if (i < c->n_nodes)
                                bitset_add(c->to_suspend, i);
        forget_sets(e);
        e->always = bitset_new(c->n_nodes);
        e->counted = bitset_new(c->n_nodes);
        e->held = bitset_new(c->n_nodes);
        exclude_read_nodes(c);
        read_parts(c);
        read_states(e);
}

void exclusions_load(struct cluster *c, const struct config *config) {
        const char *const values[] = { config->suspend_exc_nodes, config->suspend_exc_parts,
                config->suspend_exc_states };

        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                free_and_strdup(&c->exclusions.text[k], isempty(values[k]) ? NULL : values[k]);
        c->exclusions.changed = false;
}

void exclusions_done(struct exclusions *e) {
        forget_sets(e);
        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                free(e->text[k]);
}

/* ---- scontrol update ---- */

static int exclude_check_nodes(const struct cluster *c, char op, const char *value,
                struct fail *fail) {
        const char *p = value, *w;
        size_t n;

        if (op != '=' && (strchr(value, ':') ||
                                         strchr(strempty(c->exclusions.text[EXCLUDE_NODES]), ':')))
                return fail_set(fail, -EINVAL,
                                "SuspendExcNodes: += and -= do not go with counts (:N); set the whole value");
        while ((w = next_entry(&p, &n))) {
                struct entry e = { 0 };
                int r = entry_parse(w, n, &e, fail);
                for (size_t i = 0; r >= 0 && i < hostlist_count(e.names); i++)
                        if (!cluster_node(c, hostlist_get(e.names, i)) &&
                                        !cluster_nodeset(c, hostlist_get(e.names, i)))
                                r = fail_set(fail, -ENOENT, "there is no node \"%s\"",
                                                hostlist_get(e.names, i));
                hostlist_free(e.names);
                if (r < 0)
                        return fail_prefix(fail, r, "SuspendExcNodes");
        }
        return 0;
}

static int exclude_check_parts(const struct cluster *c, char op, const char *value,
                struct fail *fail) {
        const char *p = value, *w;
        size_t n;

        while ((w = next_entry(&p, &n))) {
                _cleanup_free_ char *name = xasprintf("%.*s", (int)n, w);
                if (!cluster_partition(c, name))
                        return fail_set(fail, -ENOENT,
                                        "SuspendExcParts: there is no partition \"%s\"", name);
        }
        return 0;
}

static int check_states(const struct cluster *c, char op, const char *value, struct fail *fail) {
        const char *p = value, *w;
        size_t n, i;

        while ((w = next_entry(&p, &n))) {
                for (i = 0; i < ELEMENTSOF(states); i++)
                        if (strlen(states[i].word) == n && strncasecmp(states[i].word, w, n) == 0)
                                break;
                if (i == ELEMENTSOF(states))
                        return fail_set(fail, -EINVAL,
                                        "SuspendExcStates: \"%.*s\" is not a state of a node",
                                        (int)n, w);
        }
        return 0;
}

static const struct {
        int (*check)(const struct cluster *c, char op, const char *value, struct fail *fail);
        char *(*change)(const char *old, char op, const char *value);
} kinds[EXCLUDE_KIND_MAX] = {
        [EXCLUDE_NODES] = { exclude_check_nodes, names_changed },
        [EXCLUDE_PARTS] = { exclude_check_parts, words_changed },
        [EXCLUDE_STATES] = { check_states, words_changed },
};

/* "(null)" is Slurm's word for an empty value. */
static const char *exclude_value(const char *value) {
        return strcasecmp(value, "(null)") == 0 ? "" : value;
}

int exclusions_check_update(const struct cluster *c, enum exclude_kind kind, char op,
                const char *value, struct fail *fail) {
        return kinds[kind].check(c, op, exclude_value(value), fail);
}

void exclusions_set(struct cluster *c, enum exclude_kind kind, char op, const char *value) {
        char **text = &c->exclusions.text[kind];
        bool counts = kind == EXCLUDE_NODES && strchr(value, ':');
        char *changed = counts ? xstrdup(value)
                               : kinds[kind].change(*text, op, exclude_value(value));

        free(*text);
        *text = changed;
        c->exclusions.changed = true;
        exclusions_refresh(c);
        if (kind == EXCLUDE_STATES)
                note(c, FACT_EXCLUSIONS_CHANGED);
}

static const char *const kind_words[] = {
        [EXCLUDE_NODES] = "SuspendExcNodes",
        [EXCLUDE_PARTS] = "SuspendExcParts",
        [EXCLUDE_STATES] = "SuspendExcStates",
};
DEFINE_STRTAB_TEXT(exclude_kind, kind_words)

/* ---- questions ---- */

const char *exclusion_of(const struct cluster *c, const struct node *n) {
        const struct exclusions *e = &c->exclusions;

        if (bitset_has(e->always, n->index)) {
                for (size_t i = 0; i < n->n_partitions; i++)
                        if (exclude_list_has(e->text[EXCLUDE_PARTS], n->partitions[i]->name,
                                            strlen(n->partitions[i]->name)))
                                return "SuspendExcParts";
                return "SuspendExcNodes";
        }
        if (n->flags & e->flags || (e->down && n->base == NODE_DOWN) || (e->dynamic && n->dynamic))
                return "SuspendExcStates";
        if (n->resv && (n->resv->flags & RESV_MAINT ? e->maintenance : e->reserved))
                return "SuspendExcStates";
        return NULL;
}

static bool is_of_use(const struct node *n) {
        return n->power == NODE_ON && n->base == NODE_IDLE &&
               !(n->flags & (NODE_DRAIN | NODE_POWER_DOWN_WANTED)) && !node_has_suspended(n);
}

/* True if n is busy, or not idle long enough: counts towards the N nodes kept up. */
static bool exclude_node_active(const struct cluster *c, const struct node *n) {
        return is_of_use(n) && (n->n_jobs || !bitset_has(c->to_suspend, n->index));
}

/* True if n would be suspended now. */
static bool is_spare(const struct cluster *c, const struct node *n) {
        return is_of_use(n) && !n->n_jobs && bitset_has(c->to_suspend, n->index);
}

struct bitset *exclusions_kept(const struct cluster *c) {
        const struct exclusions *e = &c->exclusions;

        if (e->n_sets == 0)
                return NULL;
        struct bitset *kept = bitset_new(c->n_nodes);
        for (size_t s = 0; s < e->n_sets; s++) {
                size_t active = 0;
                bitset_for_each(i, e->sets[s].nodes)
                        active += exclude_node_active(c, c->nodes[i]);
                bitset_for_each(i, e->sets[s].nodes) {
                        if (active >= e->sets[s].count)
                                break;
                        if (!is_spare(c, c->nodes[i]))
                                continue;
                        bitset_add(kept, i);
                        active++;
                }
        }
        return kept;
}

void exclusions_node_changed(struct cluster *c, const struct node *n) {
        struct exclusions *e = &c->exclusions;

        if (!e->n_sets || !bitset_has(e->counted, n->index) || bitset_empty(e->held))
                return;
        bitset_or(c->to_suspend, e->held);
        bitset_clear(e->held);
}
