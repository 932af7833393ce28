/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Updates of nodes by scontrol: settings for each node or for all nodes, valid combinations, and
 * the message about refused nodes. */
#include "controller/updates/node_update.h"

#include "controller/indexes/changed.h"
#include "controller/model/node_features.h"
#include "controller/nodes/node_events.h"
#include "controller/orders/partitions.h"

#include <strings.h>

static const struct {
        size_t field;
        /* a value for each node; else one value for all nodes, or none, is accepted, too */
        bool each;
} list_kinds[NODE_LIST_MAX] = {
        [NODE_LIST_ADDRESSES] = { offsetof(struct node, address), true },
        [NODE_LIST_HOSTNAMES] = { offsetof(struct node, hostname), true },
        [NODE_LIST_IDS] = { offsetof(struct node, instance_id), false },
        [NODE_LIST_TYPES] = { offsetof(struct node, instance_type), false },
};

struct node_lists {
        char **values[NODE_LIST_MAX];
        size_t n[NODE_LIST_MAX]; /* 0: cleared */
};

static void node_update_lists_done(struct node_lists *l) {
        for (size_t i = 0; i < NODE_LIST_MAX; i++) {
                for (size_t k = 0; k < l->n[i]; k++)
                        free(l->values[i][k]);
                free(l->values[i]);
        }
}

/* Parses "i-[1-2],i-1": a hostlist that may contain a value repeatedly. */
static int values_parse(const char *text, size_t most, char ***ret, size_t *ret_n,
                struct fail *fail) {
        while (*(text += strspn(text, ","))) {
                _cleanup_(hostlist_freep) struct hostlist *some = NULL;
                size_t length = 0;

                for (int depth = 0; text[length] && (depth > 0 || text[length] != ','); length++)
                        depth += (text[length] == '[') - (text[length] == ']');
                _cleanup_free_ char *word = xasprintf("%.*s", (int)length, text);
                int r = hostlist_parse(word, &some, fail);
                if (r < 0)
                        return r;
                if (*ret_n + hostlist_count(some) > most)
                        return fail_set(fail, -EINVAL,
                                        "nodecount mismatch: more than %zu values for %zu nodes",
                                        most, most);
                *ret = xrenew(*ret, *ret_n + hostlist_count(some));
                for (size_t k = 0; k < hostlist_count(some); k++)
                        (*ret)[(*ret_n)++] = xstrdup(hostlist_get(some, k));
                text += length;
        }
        return 0;
}

static int node_lists_parse(struct node_lists *l, const struct node_update *u, size_t count,
                struct fail *fail) {
        for (size_t i = 0; i < NODE_LIST_MAX; i++) {
                if (!u->lists[i])
                        continue;
                int r = values_parse(u->lists[i], count, &l->values[i], &l->n[i], fail);
                if (r < 0)
                        return r;
                if (l->n[i] != count && (list_kinds[i].each || l->n[i] > 1))
                        return fail_set(fail, -EINVAL,
                                        "nodecount mismatch: %zu values for %zu nodes", l->n[i],
                                        count);
        }
        return 0;
}

/* n is the k-th node of the list. */
static void node_lists_set(const struct node_lists *l, const struct node_update *u, struct node *n,
                size_t k) {
        if (u->lists[NODE_LIST_ADDRESSES])
                n->flags |= NODE_ADDRESS_SET;
        for (size_t i = 0; i < NODE_LIST_MAX; i++)
                if (u->lists[i])
                        free_and_strdup((char **)(void *)((char *)n + list_kinds[i].field),
                                        l->n[i] ? l->values[i][l->n[i] == 1 ? 0 : k] : NULL);
}

static void node_set_text(char **field, const char *value) {
        if (value)
                free_and_strdup(field, *value ? value : NULL);
}

/* Checked before any change: ResumeAfter requires a state that can end. */
static bool resume_after_fits(const struct node_update *u, struct fail *fail) {
        const char *state = strempty(u->state);

        if (!u->new_resume_after || u->resume_after == NO_LIMIT || strcasecmp(state, "DOWN") == 0 ||
                        strncasecmp(state, "DRAIN", 5) == 0)
                return true;
        fail_set(fail, -EINVAL, "ResumeAfter goes with State=DOWN or State=DRAIN only");
        return false;
}

static int check_active(const struct cluster *c, const struct hostlist *nodes,
                const struct node_update *u, struct fail *fail) {
        int r = 0;

        for (size_t i = 0; u->active_features && r >= 0 && i < hostlist_count(nodes); i++) {
                const struct node *n = cluster_node(c, hostlist_get(nodes, i));
                r = node_features_check(n, u->features ? u->features : n->features,
                                u->active_features, fail);
        }
        return r;
}

#define ACTION_FLAGS                                                                               \
        (NODE_POWER_DOWN_WANTED | NODE_POWER_UP_WANTED | NODE_REBOOT_WANTED | NODE_REBOOT_ISSUED)

/* If the request is pending afterwards, the node stores the PowerAction of the request.  Else
   (refused, or nothing to do) the node keeps the former PowerAction, unless the former request was
   cancelled. */
static enum slumber_error node_set_state(struct cluster *c, struct node *n,
                const struct node_update *u, uid_t uid, usec_t now) {
        if (strncasecmp(u->state, "POWER", 5) != 0)
                return node_admin(c, n, u->state, u->reason, uid, now);

        bool up = strncasecmp(u->state, "POWER_U", 7) == 0;
        unsigned wish = up ? NODE_POWER_UP_WANTED : NODE_POWER_DOWN_WANTED, flags = n->flags;
        _cleanup_free_ char *before = TAKE(n->action);

        n->action = xstrdup(u->action); /* a PowerAction replaces the program of slurm.conf */
        enum slumber_error e = node_admin(c, n, u->state, u->reason, uid, now);
        bool left = e == SLUMBER_OK && n->flags & wish, gone = flags & ~n->flags & ACTION_FLAGS;
        const char *kept = gone ? NULL : before;

        free_and_strdup(&n->action, left ? u->action : kept);
        return e;
}

/* Checks the PowerAction for all nodes. */
static int node_check_power_action(const struct cluster *c, const char *name, bool up,
                struct fail *fail) {
        const struct config_action *a = config_action(c->config, name);

        if (!name)
                return 0;
        if (!a)
                return fail_set(fail, -ENOENT, "slurm.conf has no PowerAction \"%.100s\"", name);
        return up && a->on_nodes
                               ? fail_set(fail, -EINVAL,
                                                 "PowerAction %s has Location=slurmd: nodes without power run nothing",
                                                 name)
                               : 0;
}

/* ---- places in topologies ---- */

struct places {
        struct cluster *c;
        const struct hostlist *nodes;
        char **before; /* former place of each node; NULL: no node is moved */
};

static void node_places_done(struct places *p) {
        for (size_t i = 0; p->before && i < hostlist_count(p->nodes); i++)
                free(p->before[i]);
        free(p->before);
}

/* Moves the k-th node back. */
static void move_back(struct places *p, size_t k) {
        struct node *n = cluster_node(p->c, hostlist_get(p->nodes, k));

        free(n->moved_to);
        n->moved_to = TAKE(p->before[k]);
}

static int move_nodes(struct places *p, const char *to, struct fail *fail) {
        if (!to)
                return 0;
        p->before = xnew(char *, hostlist_count(p->nodes) + 1);
        for (size_t k = 0; k < hostlist_count(p->nodes); k++) {
                struct node *n = cluster_node(p->c, hostlist_get(p->nodes, k));
                p->before[k] = TAKE(n->moved_to);
                n->moved_to = xstrdup(*to ? to : MOVED_OUT);
        }
        int r = partitions_move_nodes(p->c, false, fail);
        if (r >= 0) {
                partitions_find_places(p->c);
                note(p->c, FACT_INVENTORY_CHANGED);
                return 0;
        }
        for (size_t k = 0; k < hostlist_count(p->nodes); k++)
                move_back(p, k);
        (void)partitions_move_nodes(p->c, true, NULL);
        partitions_find_places(p->c);
        return r;
}

/* Checks with possible refusals come first: n gets all settings or none. */
static enum slumber_error node_update_one(struct cluster *c, struct node *n,
                const struct node_update *u, uid_t uid, usec_t now) {
        const char *reason = u->reason;

        if (!isempty(u->state)) {
                enum slumber_error e = node_set_state(c, n, u, uid, now);
                if (e != SLUMBER_OK)
                        return e;
        } else if (reason) {
                node_set_reason(c, n, strcasecmp(reason, "(null)") == 0 ? NULL : reason, uid, now);
        }
        if (u->new_resume_after) {
                enum slumber_error e = node_resume_after(c, n, u->resume_after, now);
                if (e != SLUMBER_OK)
                        return e;
        }
        node_set_text(&n->comment, u->comment);
        node_set_text(&n->extra, u->extra);
        if (u->features) {
                node_set_text(&n->features, u->features);
                node_features_configure(n, c->config->helpers);
                note(c, FACT_INVENTORY_CHANGED);
        }
        if (u->active_features)
                node_features_set(n, u->active_features);
        if (u->new_weight)
                cluster_set_weight(c, n, u->weight);
        return SLUMBER_OK;
}

static enum slumber_error update_each(struct cluster *c, const struct hostlist *nodes,
                const struct node_update *u, const struct node_lists *lists, struct places *places,
                uid_t uid, usec_t now, struct fail *fail) {
        enum slumber_error first = SLUMBER_OK;
        size_t refused = 0;
        _cleanup_free_ char *why = NULL;

        for (size_t k = 0; k < hostlist_count(nodes); k++) {
                struct node *n = cluster_node(c, hostlist_get(nodes, k));
                enum slumber_error e = node_update_one(c, n, u, uid, now);
                if (e == SLUMBER_OK) {
                        node_lists_set(lists, u, n, k);
                        cluster_node_changed(c, n, now);
                        continue;
                }
                refused++;
                if (places->before)
                        move_back(places, k);
                if (first == SLUMBER_OK) {
                        first = e;
                        why = node_refusal(c, n, strempty(u->state), e);
                }
        }
        if (refused > 1)
                fail_set(fail, -EPERM, "%s; and %zu other nodes are refused", why, refused - 1);
        else if (refused)
                fail_set(fail, -EPERM, "%s", why);
        if (refused && places->before) {
                /* cannot fail: fewer nodes are moved than before */
                (void)partitions_move_nodes(c, true, NULL);
                partitions_find_places(c);
        }
        note(c, FACT_NODE_USABLE);
        return first;
}

enum slumber_error nodes_update(struct cluster *c, const char *nodes, const struct node_update *u,
                uid_t uid, usec_t now, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *named = NULL;
        _cleanup_(node_update_lists_done) struct node_lists lists = { 0 };
        _cleanup_(node_places_done) struct places places = { .c = c };

        if (nodes_named(c, nodes, &named, fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        if (node_check_power_action(c, u->action,
                            strncasecmp(strempty(u->state), "POWER_U", 7) == 0, fail) < 0)
                return SLUMBER_BAD_UPDATE;
        if (check_active(c, named, u, fail) < 0)
                return SLUMBER_BAD_FEATURE;
        if (!resume_after_fits(u, fail) ||
                        node_lists_parse(&lists, u, hostlist_count(named), fail) < 0)
                return SLUMBER_BAD_UPDATE;
        places.nodes = named;
        if (move_nodes(&places, u->topology, fail) < 0)
                return SLUMBER_BAD_UPDATE;
        return update_each(c, named, u, &lists, &places, uid, now, fail);
}

enum slumber_error nodes_reboot(struct cluster *c, const char *nodes, const struct reboot_wish *w,
                usec_t now, char **ret_skipped, struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *set = NULL, *skipped = bitset_new(c->n_nodes);

        if (node_check_power_action(c, w->action, false, fail) < 0)
                return SLUMBER_BAD_UPDATE;
        if (!w->action && isempty(c->config->reboot_program)) {
                fail_set(fail, 0, "slurm.conf has no RebootProgram");
                return SLUMBER_NOT_SUPPORTED;
        }
        if (cluster_nodes_parse(c, nodes, &set, fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        bitset_for_each(i, set)
                if (reboot_request(c, c->nodes[i], w, now) != SLUMBER_OK)
                        bitset_add(skipped, i);
        if (bitset_empty(skipped))
                return SLUMBER_OK;
        _cleanup_free_ char *names = cluster_nodes_text(c, skipped);
        *ret_skipped = xasprintf("Skipping reboot of nodes %s due to current node state.", names);
        return SLUMBER_BAD_NODE_STATE;
}
