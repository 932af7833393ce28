/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power operations carried out by slumberds (power.yaml "via"): slumber-power sends a request, the
 * slumberd of a named host carries out the operation, results are passed back as they arrive.
 *
 * Each node is assigned to the first connected host; if the host disconnects or fails before the
 * node has a result, to the next host: each host is tried once.  A host that had nodes when the
 * client gave up is tried after all further hosts until the host's slumberd sends a message: the
 * connection of a host without power may persist for minutes.  A host does not switch itself
 * off.  No operation is stored: the client is answered, or is gone, and then the hosts are asked
 * to stop. */
#include "controller/agents/bmc_requests.h"

#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"

#include "lib/hostlist.h"
#include "lib/log.h"

#define OPERATIONS_MAX 256 /* simultaneous slumber-power processes */
#define HOSTS_MAX      16
#define NO_HOST        SIZE_MAX
_Static_assert(HOSTS_MAX <= 16, "a bit for each host");

struct part {
        size_t host;    /* the assigned host */
        uint16_t tried; /* a bit for each host */
        bool done;
};

struct operation {
        uint64_t id;
        struct address to;
        Slumber__BmcRequest *request;
        struct hostlist *names; /* names of the nodes, in the order of parts */
        struct part *parts;
        size_t n_done;
        char *why; /* error of the last host; NULL */
};

struct operations {
        struct operation **list;
        size_t n, allocated;
        uint64_t last_id;
};

static void text_wipe(char *text) {
        explicit_bzero(text, strlen(text));
}

static void operation_free(struct controller *ctl, struct operation *op) {
        struct operations *ops = ctl->operations;
        size_t i = 0;

        while (ops->list[i] != op)
                i++;
        ops->list[i] = ops->list[--ops->n];
        for (i = 0; i < op->request->n_accesses; i++)
                text_wipe(op->request->accesses[i]->password);
        slumber__bmc_request__free_unpacked(op->request, NULL);
        address_done(&op->to);
        hostlist_free(op->names);
        free(op->parts);
        free(op->why);
        free(op);
}

static struct operation *operation_find(const struct controller *ctl, uint64_t id) {
        for (size_t i = 0; ctl->operations && i < ctl->operations->n; i++)
                if (ctl->operations->list[i]->id == id)
                        return ctl->operations->list[i];
        return NULL;
}

/* ---- hosts ---- */

static struct node *bmc_host_connected(const struct controller *ctl, const char *host) {
        struct node *n = cluster_node(ctl->cluster, host);

        return n && ctl->agents[n->index] ? n : NULL;
}

static bool reads_only(const Slumber__BmcRequest *m) {
        return streq(m->verb, "status") || streq(m->verb, "watts");
}

static bool may_do_itself(const Slumber__BmcRequest *m) {
        return reads_only(m) || m->itself || streq(m->verb, "on");
}

/* Returns whether the node is a connected host itself that must not switch itself off. */
static bool is_left_out(const struct controller *ctl, const struct operation *op, size_t node) {
        const Slumber__BmcRequest *m = op->request;
        const char *name = m->nodes[node]->name;

        if (may_do_itself(m) || !bmc_host_connected(ctl, name))
                return false;
        for (size_t h = 0; h < m->n_hosts; h++)
                if (streq(m->hosts[h], name))
                        return true;
        return false;
}

static size_t operation_next_host(const struct controller *ctl, const struct operation *op,
                size_t node) {
        const Slumber__BmcRequest *m = op->request;
        bool itself_too = may_do_itself(m);
        struct part *part = &op->parts[node];
        size_t best = NO_HOST;

        for (size_t h = 0; h < m->n_hosts; h++) {
                const struct node *n = bmc_host_connected(ctl, m->hosts[h]);
                if (!n || part->tried & 1U << h ||
                                (!itself_too && streq(m->hosts[h], m->nodes[node]->name)))
                        continue;
                bool silent = ctl->agents[n->index]->bmc_silent;
                if (best == NO_HOST || !silent)
                        best = h;
                if (!silent)
                        break;
        }
        if (best != NO_HOST)
                part->tried |= (uint16_t)(1U << best);
        return best;
}

/* Sends the host the nodes just assigned. */
static void operation_send_part(struct controller *ctl, struct operation *op, size_t host,
                const struct bitset *given) {
        Slumber__BmcRequest m = *op->request;
        _cleanup_free_ Slumber__BmcNode **nodes = xnew(Slumber__BmcNode *, m.n_nodes);

        m.n_nodes = 0;
        m.nodes = nodes;
        bitset_for_each(i, given)
                if (op->parts[i].host == host)
                        nodes[m.n_nodes++] = op->request->nodes[i];
        if (m.n_nodes == 0)
                return;
        m.n_hosts = 0;
        m.hosts = NULL;
        ENVELOPE(env, BMC_REQUEST, bmc_request, &m);
        env.id = op->id;
        /* a failure is followed by the disconnection of the host */
        (void)agent_send(ctl, bmc_host_connected(ctl, op->request->hosts[host]), &env);
}

static void operation_send_results(struct operation *op, Slumber__BmcResult **results, size_t n) {
        Slumber__BmcResults m = SLUMBER__BMC_RESULTS__INIT;

        m.results = results;
        m.n_results = n;
        m.last = op->n_done == op->request->n_nodes;
        ENVELOPE(env, BMC_RESULTS, bmc_results, &m);
        reply_now(&op->to, &env);
}

static void operation_fail_node(const struct controller *ctl, struct operation *op, size_t node) {
        Slumber__BmcResult m = SLUMBER__BMC_RESULT__INIT, *list[] = { &m };
        _cleanup_free_ char *hosts = hostlist_compress((const char *const *)op->request->hosts,
                        op->request->n_hosts);
        _cleanup_free_ char *text =
                        op->why ? xasprintf("via %s: %s", hosts, op->why)
                                : xasprintf("via %s: no %s host is connected to slumberctld", hosts,
                                                  is_left_out(ctl, op, node) ? "other" : "such");

        op->parts[node].done = true;
        op->n_done++;
        m.node = op->request->nodes[node]->name;
        m.state = (char *)"unknown";
        m.fault = (char *)"busy"; /* may be retried later */
        m.text = text;
        operation_send_results(op, list, 1);
}

/* Assigns nodes without a host.  The operation may be complete and freed afterwards. */
static void operation_dispatch(struct controller *ctl, struct operation *op) {
        size_t n = op->request->n_nodes;
        _cleanup_(bitset_freep) struct bitset *given = bitset_new(n);

        for (size_t i = 0; i < n; i++) {
                struct part *part = &op->parts[i];
                if (part->done || part->host != NO_HOST)
                        continue;
                part->host = operation_next_host(ctl, op, i);
                if (part->host == NO_HOST)
                        operation_fail_node(ctl, op, i);
                else
                        bitset_add(given, i);
        }
        for (size_t h = 0; h < op->request->n_hosts && !bitset_empty(given); h++)
                operation_send_part(ctl, op, h, given);
        if (op->n_done == n)
                operation_free(ctl, op);
}

/* The host has finished: remaining nodes are assigned to further hosts. */
static void host_is_through(struct controller *ctl, struct operation *op, const char *host,
                const char *why) {
        bool any = false;

        for (size_t i = 0; i < op->request->n_nodes; i++) {
                struct part *part = &op->parts[i];
                if (part->done || part->host == NO_HOST ||
                                !streq(op->request->hosts[part->host], host))
                        continue;
                part->host = NO_HOST;
                any = true;
        }
        if (any) {
                log_info("Power %s via %s: %s", op->request->verb, host, why);
                free(op->why);
                op->why = xasprintf("%s: %s", host, why);
        }
        operation_dispatch(ctl, op);
}

void bmc_agent_gone(struct controller *ctl, const char *node) {
        for (size_t i = ctl->operations ? ctl->operations->n : 0; i-- > 0;)
                host_is_through(ctl, ctl->operations->list[i], node, "its agent is gone");
}

/* ---- answers ---- */

void bmc_results(struct controller *ctl, struct peer *p, const Envelope *env) {
        struct operation *op = operation_find(ctl, env->reply_to);
        const Slumber__BmcResults *m = env->bmc_results;
        size_t n = 0;

        if (!op)
                return;
        _cleanup_free_ Slumber__BmcResult **taken = xnew(Slumber__BmcResult *, m->n_results);
        for (size_t i = 0; i < m->n_results; i++) {
                size_t at = hostlist_index(op->names, m->results[i]->node);
                struct part *part = at == SIZE_MAX ? NULL : &op->parts[at];
                if (!part || part->done || part->host == NO_HOST ||
                                !streq(op->request->hosts[part->host], p->node->name))
                        continue;
                part->done = true;
                op->n_done++;
                taken[n++] = m->results[i];
        }
        if (n)
                operation_send_results(op, taken, n);
        if (op->n_done == op->request->n_nodes)
                operation_free(ctl, op);
        else if (m->last)
                host_is_through(ctl, op, p->node->name, "it has left some out");
}

void bmc_error(struct controller *ctl, struct peer *p, const Envelope *env) {
        struct operation *op = operation_find(ctl, env->reply_to);

        if (op)
                host_is_through(ctl, op, p->node->name, env->error->text);
}

/* ---- requests ---- */

static Slumber__BmcRequest *bmc_request_copy(const Slumber__BmcRequest *m) {
        size_t size = slumber__bmc_request__get_packed_size(m);
        uint8_t *data = xmalloc(size);
        Slumber__BmcRequest *ret = slumber__bmc_request__unpack(NULL,
                        slumber__bmc_request__pack(m, data), data);

        explicit_bzero(data, size);
        free(data);
        assert(ret);
        return ret;
}

static bool name_valid(const char *name) {
        size_t n = strspn(name,
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

        return n > 0 && n <= HOSTLIST_NAME_MAX && !name[n];
}

static enum slumber_error bmc_request_check(const struct controller *ctl,
                const Slumber__BmcRequest *m, struct fail *fail) {
        if (m->n_nodes == 0 || m->n_nodes > HOSTLIST_MAX || m->n_hosts == 0 ||
                        m->n_hosts > HOSTS_MAX) {
                fail_set(fail, -EINVAL, "the power operation is malformed");
                return SLUMBER_FAILED;
        }
        for (size_t i = 0; i < m->n_hosts; i++)
                if (!cluster_node(ctl->cluster, m->hosts[i])) {
                        fail_set(fail, -ENOENT, "via: there is no node %.100s", m->hosts[i]);
                        return SLUMBER_BAD_NODE_NAME;
                }
        for (size_t i = 0; i < m->n_nodes; i++)
                if (!name_valid(m->nodes[i]->name)) {
                        fail_set(fail, -EINVAL, "\"%.100s\" is not a node's name",
                                        m->nodes[i]->name);
                        return SLUMBER_BAD_NODE_NAME;
                }
        if (ctl->operations && ctl->operations->n >= OPERATIONS_MAX) {
                fail_set(fail, -EBUSY, "too many power operations are under way");
                return SLUMBER_FAILED;
        }
        return SLUMBER_OK;
}

void handle_bmc_request(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__BmcRequest *m = env->bmc_request;
        struct fail fail = { 0 };
        enum slumber_error e = bmc_request_check(ctl, m, &fail);

        if (e != SLUMBER_OK) {
                reply_result(ctl, &caller->from, e, fail.text);
                return;
        }
        if (!ctl->operations) {
                ctl->operations = xnew0(struct operations, 1);
                /* differs from all ids before a restart */
                ctl->operations->last_id = now_realtime();
        }
        struct operations *ops = ctl->operations;
        struct operation *op = xnew0(struct operation, 1);
        op->id = ++ops->last_id;
        op->to = address_copy(&caller->from);
        op->request = bmc_request_copy(m);
        op->request->uid = caller->uid;
        op->names = hostlist_new();
        op->parts = xnew0(struct part, m->n_nodes);
        for (size_t i = 0; i < m->n_nodes; i++) {
                hostlist_push(op->names, m->nodes[i]->name);
                op->parts[i].host = NO_HOST;
        }
        GROW(ops->list, ops->allocated, ops->n);
        ops->list[ops->n++] = op;
        if (hostlist_count(op->names) != m->n_nodes) {
                reply_result(ctl, &caller->from, SLUMBER_FAILED,
                                "a node stands twice in the power operation");
                operation_free(ctl, op);
                return;
        }
        if (!reads_only(m)) {
                _cleanup_free_ char *names = hostlist_text(op->names);
                log_info("Power %s of %s via other hosts for uid %u", m->verb, names,
                                (unsigned)caller->uid);
        }
        operation_dispatch(ctl, op);
}

static void operation_stop(struct controller *ctl, struct operation *op) {
        for (size_t i = 0; i < op->request->n_nodes; i++) {
                const struct part *part = &op->parts[i];
                struct node *n = part->done || part->host == NO_HOST
                                                 ? NULL
                                                 : bmc_host_connected(ctl,
                                                                   op->request->hosts[part->host]);
                if (n)
                        ctl->agents[n->index]->bmc_silent = true;
        }
        for (size_t h = 0; h < op->request->n_hosts; h++) {
                Slumber__BmcStop m = SLUMBER__BMC_STOP__INIT;
                struct node *n = bmc_host_connected(ctl, op->request->hosts[h]);
                ENVELOPE(env, BMC_STOP, bmc_stop, &m);
                env.id = op->id;
                if (n)
                        (void)agent_send(ctl, n, &env);
        }
        operation_free(ctl, op);
}

void bmc_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        for (size_t i = ctl->operations ? ctl->operations->n : 0; i-- > 0;) {
                struct operation *op = ctl->operations->list[i];
                if (op->to.peer == p && (all || op->to.client == client))
                        operation_stop(ctl, op);
        }
}

void bmc_requests_free(struct controller *ctl) {
        while (ctl->operations && ctl->operations->n)
                operation_free(ctl, ctl->operations->list[0]);
        if (ctl->operations)
                free(ctl->operations->list);
        free(TAKE(ctl->operations));
}
