/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes not named in slurm.conf: slumberd -Z registers a node, scontrol creates and deletes nodes.
 *
 *   1. The registration or request waits here.
 *   2. No reply or effect that names present nodes is waiting (controller.c).
 *   3. dynamic_apply() is called.
 *
 * dynamic_apply() adds and removes nodes like a reconfiguration (cluster_nodes_join(),
 * cluster_nodes_leave()), several simultaneous registrations in a single step; then the
 * registrations are handled like ordinary registrations, and requests are answered when the new
 * list of nodes is stored: a single row with the lines as written by config_node_line(). */
#include "controller/agents/dynamic.h"

#include "controller/agents/agents.h"
#include "controller/agents/bmc_requests.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/programs/running.h"
#include "controller/records/instances.h"
#include "controller/records/record.h"
#include "lib/log.h"

enum change_kind {
        CHANGE_JOIN,   /* a registration */
        CHANGE_CREATE, /* scontrol create */
        CHANGE_DELETE,
};

struct node_change {
        enum change_kind kind;
        struct address to;
        Envelope *env; /* CHANGE_JOIN: the registration */
        char *text;    /* the line, or the hostlist */
        uid_t uid;
};

struct node_list {
        struct config_node *nodes;
        size_t n;
};

static void dynamic_list_done(struct node_list *l) {
        for (size_t i = 0; i < l->n; i++)
                config_node_done(&l->nodes[i]);
        free(l->nodes);
        *l = (struct node_list){ 0 };
}

static void change_done(struct node_change *ch) {
        address_done(&ch->to);
        slumber__envelope__free_unpacked(ch->env, NULL);
        free(ch->text);
        *ch = (struct node_change){ 0 };
}

static void add_change(struct controller *ctl, struct node_change ch) {
        GROW(ctl->node_changes, ctl->a_node_changes, ctl->n_node_changes);
        ctl->node_changes[ctl->n_node_changes++] = ch;
        controller_changed(ctl);
}

/* ---- the node of a registration ---- */

static int take_hardware(const Slumber__Hardware *m, struct config_node *node, struct fail *fail) {
        struct node_hardware h;

        hardware_from_message(&h, m);
        if (!h.cpus || !h.boards || !h.sockets || !h.cores || !h.threads)
                return fail_set(fail, -EINVAL, "it does not report its hardware");
        node->cpus = h.cpus;
        node->boards = h.boards;
        node->sockets = h.sockets;
        node->cores = h.cores;
        node->threads = h.threads;
        node->real_memory = MAX(h.memory, (uint64_t)1);
        return 0;
}

/* Combines the values of --conf with the values of the registration. */
static int dynamic_describe_node(struct controller *ctl, const struct peer *p,
                const Slumber__Register *m, struct config_node *node, struct fail *fail) {
        const struct config *config = ctl->cluster->config;
        bool host = !isempty(m->hostname) && config_node_name_check(m->hostname, NULL) >= 0;
        int r = take_hardware(m->hardware, node, fail);

        if (r < 0)
                return r;
        free_and_strdup(&node->name, m->node);
        free_and_strdup(&node->hostname, host ? m->hostname : m->node);
        free_and_strdup(&node->address, conn_peer_address(p->conn));
        free_and_strdup(&node->state, "UNKNOWN");
        node->port = m->port && m->port <= UINT16_MAX ? (uint16_t)m->port : config->slurmd_port;
        return 0;
}

/* Makes the node exactly like a stored node: the node's line is parsed again with all checks. */
static int dynamic_node_parse(struct controller *ctl, const struct peer *p,
                const Slumber__Register *m, struct node_list *ret, struct fail *fail) {
        _cleanup_(dynamic_list_done) struct node_list said = { 0 };
        int r = config_node_name_check(m->node, fail);

        if (r >= 0)
                r = config_dynamic_parse(ctl->cluster->config, NODE_FROM_AGENT, m->conf_line,
                                &said.nodes, &said.n, fail);
        if (r >= 0 && !isempty(said.nodes[0].topology))
                r = topologies_check_brought(config_topologies(ctl->cluster->config),
                                &(struct topology_place){ m->node, said.nodes[0].topology }, true,
                                fail);
        if (r >= 0)
                r = dynamic_describe_node(ctl, p, m, &said.nodes[0], fail);
        if (r < 0)
                return r;
        _cleanup_free_ char *line = config_node_line(&said.nodes[0]);
        return config_dynamic_parse(ctl->cluster->config, NODE_FROM_STORE, line, &ret->nodes,
                        &ret->n, fail);
}

static void node_change_refuse(struct controller *ctl, struct node_change *ch,
                const struct fail *fail) {
        const char *name = ch->env->register_node->node;
        _cleanup_free_ char *text = xasprintf("node %.100s cannot join: %s", name, fail->text);

        log_warning_folded("Registration from %s refused: %s",
                        ch->to.peer->conn ? conn_peer_address(ch->to.peer->conn) : "-", text);
        agent_answer(ctl, &ch->to, NULL, SLUMBER_NODE_REFUSED, text);
        change_done(ch);
}

/* ---- registering ---- */

static bool cluster_is_full(const struct cluster *c, struct fail *fail) {
        size_t most = config_node_limit(c->config);

        if (c->n_nodes < most)
                return false;
        fail_set(fail, -ENOSPC, "there are %zu nodes, and MaxNodeCount is %zu", c->n_nodes, most);
        return true;
}

bool dynamic_register(struct controller *ctl, struct peer *p, const Envelope *env) {
        const Slumber__Register *m = env->register_node;
        const struct node *n = cluster_node(ctl->cluster, m->node);
        struct fail fail = { 0 };

        if (!m->dynamic || p->node || (n && n->dynamic))
                return false; /* an ordinary registration, or a repeated one */
        dynamic_gone(ctl, p); /* registered twice: the later registration counts */
        struct node_change ch = {
                .kind = CHANGE_JOIN,
                .to = address_copy(&(struct address){ p, 0, env->id }),
                .env = wire_copy(&env->base),
        };
        if (n)
                fail_set(&fail, -EEXIST,
                                "slurm.conf names it, and -Z is for nodes that it does not name");
        if (n || cluster_is_full(ctl->cluster, &fail))
                node_change_refuse(ctl, &ch, &fail);
        else
                add_change(ctl, ch);
        return true;
}

/* Joins nodes one by one; a node that cannot join is refused. */
static void join_each(struct controller *ctl, struct node_change *changes, struct node_list *lists,
                size_t n) {
        for (size_t i = 0; i < n; i++) {
                struct fail fail = { 0 };
                if (lists[i].n && !cluster_node(ctl->cluster, lists[i].nodes[0].name) &&
                                cluster_nodes_join(ctl->cluster, lists[i].nodes, 1, true,
                                                controller_now(ctl), &fail) < 0)
                        node_change_refuse(ctl, &changes[i], &fail);
        }
}

/* Joins all nodes in a single step; false if any node cannot join. */
static bool join_all(struct controller *ctl, struct node_list *lists, size_t n) {
        _cleanup_free_ struct config_node *nodes = xnew0(struct config_node, n);
        size_t n_nodes = 0;

        for (size_t i = 0; i < n; i++)
                if (lists[i].n)
                        nodes[n_nodes++] = lists[i].nodes[0];
        if (n_nodes && cluster_nodes_join(ctl->cluster, nodes, n_nodes, true, controller_now(ctl),
                                       NULL) < 0)
                return false;
        for (size_t i = 0; i < n; i++) {
                free(lists[i].nodes); /* the cluster owns the members now */
                lists[i] = (struct node_list){ 0 };
        }
        return true;
}

/* Joins the nodes of the registrations in changes; the registrations stay in the list and are
   handled when all nodes are in place. */
static void dynamic_join_nodes(struct controller *ctl, struct node_change *changes, size_t n) {
        _cleanup_free_ struct node_list *lists = xnew0(struct node_list, n);

        for (size_t i = 0; i < n; i++) {
                const struct peer *p = changes[i].to.peer;
                struct fail fail = { 0 };
                if (p->conn && dynamic_node_parse(ctl, p, changes[i].env->register_node, &lists[i],
                                               &fail) < 0)
                        node_change_refuse(ctl, &changes[i], &fail);
        }
        if (!join_all(ctl, lists, n))
                join_each(ctl, changes, lists, n);
        for (size_t i = 0; i < n; i++)
                dynamic_list_done(&lists[i]);
}

static void handle_joined(struct controller *ctl, struct node_change *ch) {
        struct peer *p = ch->to.peer;

        if (!ch->env)
                return; /* refused */
        if (p->conn && cluster_node(ctl->cluster, ch->env->register_node->node)) {
                log_info("Node %s joins, from %s", ch->env->register_node->node,
                                conn_peer_address(p->conn));
                agent_handle(ctl, p, ch->env);
        }
        change_done(ch);
}

/* ---- requests ---- */

void dynamic_request(struct controller *ctl, const struct caller *caller, bool create,
                const char *text) {
        add_change(ctl, (struct node_change){ .kind = create ? CHANGE_CREATE : CHANGE_DELETE,
                                        .to = address_copy(&caller->from),
                                        .text = xstrdup(text),
                                        .uid = caller->uid });
}

static enum slumber_error error_of(int r) {
        return r == -ENOENT || r == -EPERM ? SLUMBER_BAD_NODE_NAME
               : r == -EBUSY               ? SLUMBER_NODES_BUSY
                                           : SLUMBER_BAD_UPDATE;
}

static void node_change_answer(struct controller *ctl, struct node_change *ch, int r,
                const struct fail *fail) {
        if (r >= 0)
                log_info("Nodes %s by uid %u: %s",
                                ch->kind == CHANGE_CREATE ? "created" : "deleted",
                                (unsigned)ch->uid, ch->text);
        reply_result(ctl, &ch->to, r < 0 ? error_of(r) : SLUMBER_OK, fail->text);
        change_done(ch);
}

static void node_change_create(struct controller *ctl, struct node_change *ch) {
        _cleanup_(dynamic_list_done) struct node_list l = { 0 };
        struct cluster *c = ctl->cluster;
        struct fail fail = { 0 };
        int r = config_dynamic_parse(c->config, NODE_FROM_ADMIN, ch->text, &l.nodes, &l.n, &fail);

        if (r >= 0)
                r = cluster_nodes_join(c, l.nodes, l.n, true, controller_now(ctl), &fail);
        node_change_answer(ctl, ch, r, &fail);
}

/* Finds the slumberds of the nodes, which will end, while the nodes exist. */
static struct peer **agents_of(const struct controller *ctl, const struct hostlist *names,
                size_t *ret_n) {
        struct peer **list = xnew0(struct peer *, hostlist_count(names) + 1);

        for (size_t i = 0; i < hostlist_count(names); i++) {
                const struct node *n = cluster_node(ctl->cluster, hostlist_get(names, i));
                if (n && ctl->agents[n->index])
                        list[(*ret_n)++] = ctl->agents[n->index];
        }
        return list;
}

static void agents_dismiss(struct controller *ctl, struct peer **agents, size_t n) {
        for (size_t i = 0; i < n; i++) {
                agents[i]->node = NULL;
                agent_answer(ctl, &(struct address){ agents[i], 0, 0 }, NULL, SLUMBER_NODE_DELETED,
                                "it was deleted");
        }
}

static struct hostlist *instances_ended(const struct controller *ctl,
                const struct hostlist *names) {
        _cleanup_(bitset_freep) struct bitset *stay = bitset_new(ctl->cluster->n_nodes);

        for (size_t i = 0; i < ctl->cluster->n_nodes; i++)
                bitset_put(stay, i, !hostlist_has(names, ctl->cluster->nodes[i]->name));
        return instances_of(ctl, stay);
}

static int delete_names(struct controller *ctl, const struct hostlist *names, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *gone = instances_ended(ctl, names);
        size_t n = 0;
        _cleanup_free_ struct peer **agents = agents_of(ctl, names, &n);
        int r = cluster_nodes_leave(ctl->cluster, names, controller_now(ctl), fail);

        if (r < 0)
                return r;
        instances_gone(ctl, gone);
        for (size_t i = 0; i < hostlist_count(names); i++) {
                store_delete(ctl->store, STORE_NODE, hostlist_get(names, i), 0);
                bmc_agent_gone(ctl, hostlist_get(names, i));
        }
        agents_dismiss(ctl, agents, n);
        return 0;
}

static void delete (struct controller *ctl, struct node_change *ch) {
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;
        struct fail fail = { 0 };
        int r = nodes_named(ctl->cluster, ch->text, &names, &fail);

        if (r >= 0 && hostlist_count(names) == 0)
                r = fail_set(&fail, -ENOENT, "no node is named");
        if (r >= 0)
                r = delete_names(ctl, names, &fail);
        node_change_answer(ctl, ch, r, &fail);
}

/* ---- applying changes ---- */

/* Consecutive registrations are joined in a single step, further changes one by one. */
void dynamic_apply(struct controller *ctl) {
        struct node_change *list = TAKE(ctl->node_changes);
        size_t n = ctl->n_node_changes, end;

        ctl->n_node_changes = ctl->a_node_changes = 0;
        running_count(ctl, -1);
        for (size_t i = 0; i < n; i = end) {
                for (end = i; end < n && list[end].kind == CHANGE_JOIN;)
                        end++;
                if (end > i)
                        dynamic_join_nodes(ctl, list + i, end - i);
                else if (list[end++].kind == CHANGE_CREATE)
                        node_change_create(ctl, &list[i]);
                else
                        delete (ctl, &list[i]);
                controller_nodes_changed(ctl); /* slumberds are found by node index */
        }
        running_count(ctl, 1);
        ctl->dynamic_changed = true;
        for (size_t i = 0; i < n; i++)
                handle_joined(ctl, &list[i]);
        free(list);
}

void dynamic_gone(struct controller *ctl, const struct peer *p) {
        size_t kept = 0;

        for (size_t i = 0; i < ctl->n_node_changes; i++)
                if (ctl->node_changes[i].kind == CHANGE_JOIN && ctl->node_changes[i].to.peer == p)
                        change_done(&ctl->node_changes[i]);
                else
                        ctl->node_changes[kept++] = ctl->node_changes[i];
        ctl->n_node_changes = kept;
}

void dynamic_free(struct controller *ctl) {
        for (size_t i = 0; i < ctl->n_node_changes; i++)
                change_done(&ctl->node_changes[i]);
        free(TAKE(ctl->node_changes));
        ctl->n_node_changes = 0;
}

/* ---- the store, and reconfigurations ---- */

void dynamic_fill(const struct config *config, Slumber__DynamicNodes *m) {
        m->lines = xnew0(char *, config->n_nodes + 1);
        for (size_t i = 0; i < config->n_nodes; i++)
                if (config->nodes[i].dynamic)
                        m->lines[m->n_lines++] = config_node_line(&config->nodes[i]);
}

void dynamic_fill_done(Slumber__DynamicNodes *m) {
        texts_free(m->lines, m->n_lines);
}

/* Reads the nodes of the lines, except nodes that config names by now. */
static int dynamic_read_lines(struct config *config, const Slumber__DynamicNodes *m,
                struct node_list *ret, struct fail *fail) {
        ret->nodes = xnew0(struct config_node, m->n_lines + 1);
        for (size_t i = 0; i < m->n_lines; i++) {
                struct node_list one = { 0 };
                int r = config_dynamic_parse(config, NODE_FROM_STORE, m->lines[i], &one.nodes,
                                &one.n, fail);
                if (r < 0)
                        return r;
                if (one.n == 1 && !config_has_node(config, one.nodes[0].name)) {
                        ret->nodes[ret->n++] = one.nodes[0];
                        free(one.nodes);
                        continue;
                }
                log_info("Node %s is not a dynamic node any more: slurm.conf names it",
                                one.nodes[0].name);
                dynamic_list_done(&one);
        }
        return 0;
}

int dynamic_restore(struct controller *ctl, const Slumber__DynamicNodes *m, struct fail *fail) {
        _cleanup_(dynamic_list_done) struct node_list l = { 0 };
        int r = dynamic_read_lines(ctl->cluster->config, m, &l, fail);

        if (r >= 0 && l.n)
                r = cluster_nodes_join(ctl->cluster, l.nodes, l.n, false, controller_now(ctl),
                                fail);
        if (r < 0)
                return fail_prefix(fail, r, "dynamic nodes");
        free(ctl->agents);
        ctl->agents = xnew0(struct peer *, ctl->cluster->n_nodes);
        return 0;
}

int dynamic_keep(const struct config *old, struct config *config, struct fail *fail) {
        _cleanup_(dynamic_fill_done) Slumber__DynamicNodes m = SLUMBER__DYNAMIC_NODES__INIT;
        _cleanup_(dynamic_list_done) struct node_list l = { 0 };

        dynamic_fill(old, &m);
        int r = dynamic_read_lines(config, &m, &l, fail);
        if (r >= 0 && l.n)
                r = config_join(config, l.nodes, l.n, false, fail);
        return r < 0 ? fail_prefix(fail, r, "dynamic nodes") : 0;
}
