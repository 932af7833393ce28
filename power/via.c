/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requesting side. Sends all requests on one connection, then reads results until each node has
 * one. Results missing at the end of the connection are failures that may be retried. */
#include "power/via.h"

#include "power/identity.h"

#include <pthread.h>

#include "lib/errors.h"
#include "lib/wire.h"

#define CERTIFICATES_MAX (1u << 20) /* a system's whole bundle has 200 KB */

struct group { /* nodes with equal lists of hosts */
        const char *via;
        uint64_t id;
        size_t *nodes; /* indexes in the pool */
        size_t n, allocated;
        bool over;
};
struct via {
        struct power_pool *pool;
        const struct power_conf *conf;
        enum power_verb verb;
        usec_t deadline;
        struct group *groups;
        size_t n, allocated;
        struct hostlist *names; /* names of the pool's nodes, by index */
};

static const char *socket_path; /* set once */

void power_via_socket(const char *path) {
        socket_path = path;
}

static int via_connect(struct wire **ret, struct fail *fail) {
        bool named = socket_path && isempty(getenv("SLUMBER_SOCKET"));

        return named ? wire_connect_path(socket_path, ret, fail) : wire_connect(ret, fail);
}

static const struct power_bmc *bmc_of(const struct via *v, size_t i) {
        return power_conf_lookup(v->conf, power_pool_result(v->pool, i)->node);
}

static void fail_node(const struct via *v, size_t i, enum power_fault fault, const char *text) {
        struct power_result res = { .cause.fault = fault };

        snprintf(res.cause.fail.text, sizeof res.cause.fail.text, "%s", text);
        power_pool_report(v->pool, i, &res);
}

static void fail_group(const struct via *v, struct group *g, enum power_fault fault,
                const char *text) {
        for (size_t k = 0; k < g->n; k++)
                fail_node(v, g->nodes[k], fault, text);
        g->over = true;
}

/* ---- a request ---- */

static int access_fill(Slumber__BmcAccess *m, const struct power_access *a, struct fail *fail) {
        size_t size;

        slumber__bmc_access__init(m);
        m->driver = message_text(a->driver->name);
        m->user = message_text(a->user);
        m->password = message_text(a->password);
        m->cipher_suite = a->cipher_suite;
        m->workarounds = a->workarounds;
        m->retransmit = a->retransmit;
        m->session = a->session;
        m->basic_auth = a->basic_auth;
        m->tls_verify = a->tls_verify;
        m->broadcast = message_text(a->broadcast);
        m->program = message_text(a->program);
        m->timeout = a->timeout;
        m->soft_by_agent = a->soft_by_agent;
        return a->ca_file ? power_file_read(a->ca_file, CERTIFICATES_MAX, &m->certificates, &size,
                                            fail)
                          : 0;
}

/* Sets *ret to the index of the access in m, adding it if missing. */
static int access_add(Slumber__BmcRequest *m, const struct power_access **seen,
                const struct power_access *a, uint32_t *ret, struct fail *fail) {
        size_t i = m->n_accesses;

        while (i > 0 && seen[i - 1] != a)
                i--;
        if (i > 0) {
                *ret = (uint32_t)(i - 1);
                return 0;
        }
        *ret = (uint32_t)m->n_accesses;
        seen[*ret] = a;
        m->accesses[*ret] = xnew(Slumber__BmcAccess, 1);
        m->n_accesses++;
        return access_fill(m->accesses[*ret], a, fail);
}

static int nodes_fill(const struct via *v, const struct group *g, Slumber__BmcRequest *m,
                struct fail *fail) {
        _cleanup_free_ const struct power_access **seen = xnew(const struct power_access *, g->n);
        int r = 0;

        m->nodes = xnew(Slumber__BmcNode *, g->n);
        m->accesses = xnew(Slumber__BmcAccess *, g->n);
        for (size_t k = 0; k < g->n && r >= 0; k++) {
                const struct power_bmc *bmc = bmc_of(v, g->nodes[k]);
                Slumber__BmcNode *node = m->nodes[m->n_nodes++] = xnew(Slumber__BmcNode, 1);
                slumber__bmc_node__init(node);
                node->name = bmc->node;
                node->address = bmc->address;
                node->unit = message_text(bmc->unit);
                r = access_add(m, seen, bmc->access, &node->access, fail);
        }
        return r;
}

static void via_request_free(Slumber__BmcRequest *m) {
        for (size_t i = 0; i < m->n_accesses; i++) {
                if (m->accesses[i]->certificates != protobuf_c_empty_string)
                        free(m->accesses[i]->certificates);
                free(m->accesses[i]);
        }
        for (size_t i = 0; i < m->n_nodes; i++)
                free(m->nodes[i]);
        free(m->accesses);
        free(m->nodes);
        free(m->hosts);
}

static int via_send_request(const struct via *v, struct wire *w, struct group *g,
                struct fail *fail) {
        Slumber__BmcRequest m = SLUMBER__BMC_REQUEST__INIT;
        _cleanup_(hostlist_freep) struct hostlist *hosts = NULL;
        int r = hostlist_parse(g->via, &hosts, fail);

        if (r < 0)
                return r;
        m.verb = message_text(power_verb_text((int)v->verb));
        m.n_hosts = hostlist_count(hosts);
        m.hosts = xnew(char *, m.n_hosts);
        for (size_t i = 0; i < m.n_hosts; i++)
                m.hosts[i] = message_text(hostlist_get(hosts, i));
        m.deadline = v->deadline;
        m.poll = v->conf->poll;
        m.cycle_pause = v->conf->cycle_pause;
        m.threads = (uint32_t)v->conf->threads;
        r = nodes_fill(v, g, &m, fail);
        if (r >= 0) {
                ENVELOPE(env, BMC_REQUEST, bmc_request, &m);
                r = wire_ask(w, &env, fail);
                g->id = env.id;
        }
        via_request_free(&m);
        return r;
}

/* ---- answers ---- */

static void via_read_identity(struct power_identity *id, const Slumber__BmcResult *m) {
#define X(field) snprintf(id->field, sizeof id->field, "%s", m->field);
        POWER_IDENTITY_TEXTS(X)
#undef X
}

static void via_read_result(const struct via *v, const Slumber__BmcResult *m) {
        struct power_result res = { .ok = m->ok,
                .changed = m->changed,
                .confirmed = m->confirmed,
                .watts = (double)m->milliwatts / 1000,
                .cause.retry_after = m->retry_after };
        size_t i = hostlist_index(v->names, m->node);
        int state = power_state_parse(m->state), fault = power_fault_parse(m->fault);

        if (i == SIZE_MAX)
                return;
        via_read_identity(&res.identity, m);
        res.state = state < 0 ? POWER_UNKNOWN : (enum power_state)state;
        if (!m->ok) {
                res.cause.fault = fault <= POWER_OK ? POWER_FAULT_REFUSED : (enum power_fault)fault;
                snprintf(res.cause.fail.text, sizeof res.cause.fail.text, "%s",
                                *m->text ? m->text : "no reason is given");
        }
        power_pool_report(v->pool, i, &res);
}

static enum power_fault error_fault(const Slumber__Error *e) {
        bool final = e->code == SLUMBER_ACCESS_DENIED || e->code == SLUMBER_BAD_NODE_NAME ||
                     e->code == SLUMBER_NOT_SUPPORTED;

        return final ? POWER_FAULT_SHARED : POWER_FAULT_BUSY;
}

static const char *via_error_text(const Slumber__Error *e) {
        const char *words = slumber_error_text((int)e->code);

        return !isempty(e->text) ? e->text : words ? words : "slumberctld refuses it";
}

static struct group *via_group(struct via *v, uint64_t id) {
        for (size_t i = 0; i < v->n; i++)
                if (v->groups[i].id == id && !v->groups[i].over)
                        return &v->groups[i];
        return NULL;
}

static void via_receive(struct via *v, const Envelope *env) {
        struct group *g = via_group(v, env->reply_to);

        if (!g)
                return;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR) {
                fail_group(v, g, error_fault(env->error), via_error_text(env->error));
        } else if (env->body_case == SLUMBER__ENVELOPE__BODY_BMC_RESULTS) {
                for (size_t i = 0; i < env->bmc_results->n_results; i++)
                        via_read_result(v, env->bmc_results->results[i]);
                g->over = env->bmc_results->last;
        }
}

static bool all_over(const struct via *v) {
        for (size_t i = 0; i < v->n; i++)
                if (!v->groups[i].over)
                        return false;
        return true;
}

static int via_exchange(struct via *v, struct fail *fail) {
        _cleanup_(wire_freep) struct wire *w = NULL;
        int r = via_connect(&w, fail);

        for (size_t i = 0; r >= 0 && i < v->n; i++) {
                struct fail why = { 0 };
                r = via_send_request(v, w, &v->groups[i], &why);
                if (r < 0)
                        fail_group(v, &v->groups[i], POWER_FAULT_SHARED, why.text);
                r = 0; /* a broken connection is noticed below */
        }
        while (r >= 0 && !all_over(v)) {
                _cleanup_envelope_ Envelope *env = NULL;
                r = wire_receive(w, USEC_INFINITY, &env);
                if (r < 0)
                        return fail_set(fail, r, "the connection to slumberctld is gone: %s",
                                        wire_strerror(r));
                if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR && env->reply_to == 0)
                        return fail_set(fail, -ECONNRESET, "slumberctld is away");
                via_receive(v, env);
        }
        return r;
}

static void *via_thread(void *userdata) {
        struct via *v = userdata;
        struct fail fail = { 0 };

        if (via_exchange(v, &fail) < 0)
                for (size_t i = 0; i < v->n; i++)
                        if (!v->groups[i].over)
                                fail_group(v, &v->groups[i], POWER_FAULT_BUSY, fail.text);
        return NULL;
}

/* ---- a node's own slumberd ---- */

static int node_fault(struct power_cause *cause, enum power_fault fault, const char *node,
                const char *why) {
        cause->fault = fault;
        return fail_set(&cause->fail, -EIO, "slumberd of %s: %s", node, why);
}

static int node_answer(const Envelope *env, const char *node, struct power_cause *cause) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ERROR)
                return node_fault(cause, error_fault(env->error), node, via_error_text(env->error));
        if (env->body_case != SLUMBER__ENVELOPE__BODY_BMC_RESULTS ||
                        env->bmc_results->n_results != 1)
                return node_fault(cause, POWER_FAULT_BUSY, node, "a strange answer");
        const Slumber__BmcResult *m = env->bmc_results->results[0];
        int fault = power_fault_parse(m->fault);
        if (m->ok)
                return 0;
        return node_fault(cause, fault <= POWER_OK ? POWER_FAULT_REFUSED : (enum power_fault)fault,
                        node, m->text);
}

int power_ask_node(const char *node, const struct power_driver *driver, usec_t limit,
                struct power_cause *cause) {
        Slumber__BmcRequest m = SLUMBER__BMC_REQUEST__INIT;
        Slumber__BmcAccess access = SLUMBER__BMC_ACCESS__INIT, *accesses[] = { &access };
        Slumber__BmcNode one = SLUMBER__BMC_NODE__INIT, *nodes[] = { &one };
        char *hosts[] = { message_text(node) };
        _cleanup_(wire_freep) struct wire *w = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        struct fail fail = { 0 };

        access.driver = message_text(driver->name);
        one.name = one.address = hosts[0];
        m = (Slumber__BmcRequest){ .base = m.base,
                .verb = (char *)"off",
                .hosts = hosts,
                .n_hosts = 1,
                .deadline = MAX(limit, USEC_PER_SEC),
                .accesses = accesses,
                .n_accesses = 1,
                .nodes = nodes,
                .n_nodes = 1,
                .itself = true };
        ENVELOPE(env, BMC_REQUEST, bmc_request, &m);
        int r = via_connect(&w, &fail);
        if (r >= 0)
                r = wire_ask(w, &env, &fail);
        if (r < 0)
                return node_fault(cause, POWER_FAULT_BUSY, node, fail.text);
        r = wire_receive(w, limit, &reply);
        if (r < 0)
                return node_fault(cause, r == -ETIMEDOUT ? POWER_FAULT_SILENT : POWER_FAULT_BUSY,
                                node, r == -ETIMEDOUT ? "no answer" : wire_strerror(r));
        return node_answer(reply, node, cause);
}

/* ---- addresses reported by slumberds ---- */

typedef void take_node_t(const Slumber__Node *node, void *user);

static void take_address(const Slumber__Node *node, void *user) {
        if (power_address_check(node->bmc_address, NULL) >= 0)
                power_conf_set_address(user, node->name, node->bmc_address);
}

static void via_unpack_node(const ProtobufCBinaryData *packed, take_node_t *each, void *user) {
        Slumber__Node *node = slumber__node__unpack(NULL, packed->len, packed->data);

        if (node)
                each(node, user);
        slumber__node__free_unpacked(node, NULL);
}

static int via_query_nodes(const char *nodes, take_node_t *each, void *user, struct fail *fail) {
        Slumber__NodeQuery m = SLUMBER__NODE_QUERY__INIT;
        _cleanup_(wire_freep) struct wire *w = NULL;
        bool more = true;
        int r = via_connect(&w, fail);

        m.nodes = message_text(nodes);
        m.with_future = true;
        while (r >= 0 && more) {
                _cleanup_envelope_ Envelope *reply = NULL;
                ENVELOPE(env, NODE_QUERY, node_query, &m);
                r = wire_call(w, &env, &reply, NULL, fail);
                if (r < 0 || reply->body_case != SLUMBER__ENVELOPE__BODY_NODE_LIST)
                        break;
                const Slumber__NodeList *list = reply->node_list;
                for (size_t i = 0; i < list->n_nodes; i++)
                        via_unpack_node(&list->nodes[i], each, user);
                m.skip += list->n_seen;
                more = list->more && list->n_seen > 0;
        }
        return r;
}

int power_addresses_ask(struct power_conf *conf, const struct hostlist *nodes, struct fail *fail) {
        _cleanup_(hostlist_freep) struct hostlist *missing = hostlist_new();

        for (size_t i = 0; i < hostlist_count(nodes); i++) {
                const struct power_bmc *bmc = power_conf_lookup(conf, hostlist_get(nodes, i));
                if (bmc && !bmc->address)
                        hostlist_push(missing, bmc->node);
        }
        if (hostlist_count(missing) == 0)
                return 0;
        _cleanup_free_ char *text = hostlist_text(missing);
        return via_query_nodes(text, take_address, conf, fail);
}

/* ---- machines reported by slumberds ---- */

struct told_list {
        struct power_reported *list;
        size_t n, allocated;
};

static void take_told(const Slumber__Node *node, void *user) {
        struct told_list *t = user;

        if (isempty(node->version)) /* the node has never registered */
                return;
        GROW(t->list, t->allocated, t->n);
        t->list[t->n++] = (struct power_reported){ xstrdup(node->name),
                text_copy_or_null(node->system_uuid), text_copy_or_null(node->system_serials),
                text_copy_or_null(node->system_macs), text_copy_or_null(node->bmc_mac) };
}

static int reported_by_node(const void *a, const void *b) {
        return strcmp(((const struct power_reported *)a)->node,
                        ((const struct power_reported *)b)->node);
}

int power_reported_ask(struct power_reported **ret, size_t *ret_n, struct fail *fail) {
        struct told_list t = { 0 };
        int r = via_query_nodes(NULL, take_told, &t, fail);

        list_sort(t.list, t.n, sizeof *t.list, reported_by_node);
        *ret = t.list;
        *ret_n = t.n;
        return r;
}

void power_reported_free(struct power_reported *told, size_t n) {
        for (size_t i = 0; i < n; i++) {
                char *const texts[] = {
                        told[i].node,
                        told[i].uuid,
                        told[i].serials,
                        told[i].macs,
                        told[i].bmc_mac,
                };
                for (size_t k = 0; k < ELEMENTSOF(texts); k++)
                        free(texts[k]);
        }
        free(told);
}

/* ---- start ---- */

static struct group *group_for(struct via *v, const char *via) {
        for (size_t i = 0; i < v->n; i++)
                if (streq(v->groups[i].via, via))
                        return &v->groups[i];
        GROW(v->groups, v->allocated, v->n);
        v->groups[v->n] = (struct group){ .via = via };
        return &v->groups[v->n++];
}

void power_via_start(struct power_pool *pool, const struct power_conf *conf, enum power_verb verb,
                usec_t deadline) {
        struct via *v = xnew0(struct via, 1);
        pthread_t thread;

        *v = (struct via){ pool, conf, verb, deadline, NULL, 0, 0, hostlist_new() };
        for (size_t i = 0; i < power_pool_count(pool); i++) {
                const struct power_bmc *bmc = bmc_of(v, i);
                hostlist_push(v->names, power_pool_result(pool, i)->node);
                if (!bmc || !bmc->address || !bmc->access->via)
                        continue;
                struct group *g = group_for(v, bmc->access->via);
                GROW(g->nodes, g->allocated, g->n);
                g->nodes[g->n++] = i;
        }
        if (v->n == 0) {
                hostlist_free(v->names);
                free(v);
                return;
        }
        int r = pthread_create(&thread, NULL, via_thread, v);
        if (r == 0)
                pthread_detach(thread);
        for (size_t i = 0; r && i < v->n; i++)
                fail_group(v, &v->groups[i], POWER_FAULT_BUSY, strerror(r));
}
