/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of the controller to many nodes, forwarded along a tree of slumberds (agent/tree/hop.h):
 * connects the tree with the connections and with the handling of the node's row. */
#include "agent/tree_messages.h"
#include "agent/state/agent.h"
#include "agent/tree/hop.h"
#include "agent/upstream.h"

static void tree_deliver(Envelope *env, uint64_t id, void *user) {
        (void)upstream_job_message(user, env, id);
}

static void tree_send_answer(Slumber__TreeAnswer *m, void *user) {
        ENVELOPE(env, TREE_ANSWER, tree_answer, m);
        upstream_send(user, &env);
}

void tree_begin(struct agent *a) {
        static const struct hops_ops ops = { .deliver = tree_deliver, .tell = tree_send_answer };

        a->hops = hops_new(a->event, &ops, a);
}

void tree_done(struct agent *a) {
        a->hops = hops_free(a->hops);
}

void tree_take(struct agent *a, struct peer *p, Envelope *env) {
        struct tree_node node = { .name = a->node,
                .key = a->credential_key,
                .proof_key = a->tree_key,
                .now = upstream_now(a),
                .since = a->tree_since,
                .direct = !p };
        struct fail fail = { 0 };

        /* the controller repeats the message after the registration */
        if (a->options.login || !a->welcome || a->credential_key_size != CREDENTIAL_KEY_SIZE)
                return;
        if (hops_take(a->hops, a->peers, p, &env->tree_message, &node, conn_received(a->controller),
                            &fail) >= 0)
                return;
        if (p)
                peer_log_bad_message(p, "%s", fail.text);
        else
                log_warning(0, "A message of the controller is dropped: %s", fail.text);
}

void tree_answered(struct agent *a, struct peer *p, Slumber__TreeAnswer *m) {
        if (!hops_answered(a->hops, p, m))
                peer_log_bad_message(p, "it answers for nodes that it was not to tell anything");
}

void tree_asked(struct agent *a, const Slumber__TreeAnswer *m) {
        hops_asked(a->hops, m->id);
}

void tree_went_on(struct agent *a, bool orders) {
        if (!a->controller)
                return;
        if (orders)
                hops_job_message(a->hops, conn_received(a->controller));
        hops_go_on(a->hops, conn_received(a->controller));
}
