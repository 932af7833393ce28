/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step daemon's exchange with other nodes, which say whatever the input makes of them, in any
 * order, between calls of its own.  The first three bytes are the step; then follow operations, a
 * byte each and what they take. */
#include "agent/step/mpi/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct link { /* instead of agent/common/link.c */
        int unused;
};

static struct {
        const uint8_t *data;
        size_t size;
        uint32_t n, me;
        size_t begun, done;
} in;

static uint32_t take(uint32_t below) {
        uint32_t v = in.size ? *in.data : 0;

        in.data += in.size != 0;
        in.size -= in.size != 0;
        return v % below;
}

bool link_up(const struct link *l) {
        (void)l;
        return true;
}

size_t link_queued(const struct link *l) {
        (void)l;
        return 0;
}

void link_send(struct link *l, Envelope *env) {
        const Slumber__NodeMessage *m = env->node_message;
        size_t size;
        uint8_t *frame = NULL;

        (void)l;
        assert(m->from == in.me && m->to < in.n && m->to != in.me);
        env->version = WIRE_VERSION;
        assert(wire_pack(env, &frame, &size) == 0);
        free(frame);
}

void step_complain(struct step *s, const char *format, ...) {
        (void)s, (void)format;
}

void step_abort(struct step *s, struct task *t, int code) {
        (void)s, (void)t, (void)code;
}

static void on_done(const struct exchange_part *parts, size_t n, void *user) {
        size_t sum = 0;

        (void)user;
        assert(n == in.n);
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < parts[i].size; k++)
                        sum += parts[i].data[k];
        in.done++;
        assert(sum <= SIZE_MAX / 2 && in.done <= in.begun);
}

static void on_text(struct step *s, uint32_t from, const uint8_t *data, size_t size, void *user) {
        size_t sum = 0;

        (void)user;
        assert(from < in.n && from != in.me);
        for (size_t i = 0; i < size; i++)
                sum += data[i];
        (void)exchange_send(s, from, EXCHANGE_TEST, &sum, sizeof sum);
}

static void message(struct step *s, usec_t now) {
        Slumber__NodeMessage m = SLUMBER__NODE_MESSAGE__INIT;
        uint32_t flags = take(256);

        m.from = take(in.n + 1);
        m.to = take(in.n + 1);
        m.serial = take(256);
        m.acknowledged = take(256);
        m.kind = take(EXCHANGE_KIND_MAX + 1);
        m.more = flags & 1;
        m.repeat = flags & 2;
        m.undelivered = flags & 4;
        size_t asked = take(256), size = MIN(asked, in.size);
        _cleanup_free_ uint8_t *copy = xmalloc(size); /* the sanitizer sees what is read beyond */
        if (size)
                memcpy(copy, in.data, size);
        in.data += size;
        in.size -= size;
        m.data.data = copy;
        m.data.len = size;
        exchange_message(s, &m, now);
}

static void begin(struct step *s) {
        uint8_t text[256] = "";

        if (exchange_all(s, text, take(256), on_done, NULL) == 0)
                in.begun++;
}

static void operate(struct step *s, usec_t *now) {
        switch (take(6)) {
        case 0:
                begin(s);
                break;
        case 1:
                (void)exchange_send(s, take(in.n + 1), EXCHANGE_TEST, "abc", take(4));
                break;
        case 2:
                exchange_resume(s);
                break;
        case 3:
                *now += take(256) * (100 * USEC_PER_MSEC);
                (void)exchange_patience(s, *now);
                (void)exchange_settled(s, *now);
                break;
        default:
                message(s, *now);
                break;
        }
        exchange_go_on(s, *now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static char row[] = "n[1-9]:6818", *rows[] = { row };
        Slumber__CredentialBody credential = SLUMBER__CREDENTIAL_BODY__INIT;
        Slumber__LaunchStep launch = SLUMBER__LAUNCH_STEP__INIT;
        struct link link = { 0 };
        struct step s = { .launch = &launch, .credential = &credential, .link = &link };
        usec_t now = USEC_PER_SEC;

        memset(&in, 0, sizeof in);
        in.data = data;
        in.size = size;
        in.n = 1 + take(9);
        in.me = take(in.n);
        launch.num_nodes = in.n;
        launch.node_rank = in.me;
        launch.tree_width = take(4);
        launch.addresses = rows;
        launch.n_addresses = take(2);
        launch.step_nodes = (char *)"n[1-9]";
        exchange_hook(&s, EXCHANGE_TEST, on_text, NULL);
        while (in.size)
                operate(&s, &now);
        exchange_done(&s);
        return 0;
}
