/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slumberd in a tree, between others and a controller that say whatever the input makes of
 * TreeMessage and TreeAnswer.  The input is operations, a byte each with what they take; a message
 * of the controller is signed, then perhaps changed. */
#include "lib/log.h"
#include "tests/unit/tree_world.h"

#include <syslog.h>

#define MESSAGES 16 /* ids */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
        const uint8_t *data;
        size_t size;
} in;

static uint32_t take(uint32_t below) {
        uint32_t v = in.size ? *in.data : 0;

        in.data += in.size != 0;
        in.size -= in.size != 0;
        return v % below;
}

static struct peer *take_peer(void) {
        return &world.peers[take(ROWS + 1)];
}

/* What a field of a message is changed to; its length comes first. */
static size_t take_bytes(const uint8_t **ret) {
        uint32_t size = take(256);
        size_t n = MIN((size_t)size, in.size);

        *ret = in.data;
        in.data += n;
        in.size -= n;
        return n;
}

static char *take_text(void) {
        const uint8_t *bytes;
        size_t n = take_bytes(&bytes);

        return xstrndup((const char *)bytes, n);
}

/* true: by the same. */
static bool replace(ProtobufCBinaryData *field) {
        const uint8_t *bytes;
        size_t n = take_bytes(&bytes);
        bool same = n == field->len && (n == 0 || memcmp(bytes, field->data, n) == 0);

        free(field->data);
        field->data = xmalloc(n + 1);
        memcpy(field->data, bytes, n);
        field->len = n;
        return same;
}

/* false: the receiver's own row, or what it shares with others, is not what was signed.  Each kind
   of change is made once: a second one might undo it. */
static bool change(Slumber__TreeMessage *m, unsigned *made) {
        Slumber__TreeRow *row = m->rows[take(ROWS)];
        bool own = row == m->rows[0];
        uint32_t kind = take(9);

        if (*made >> kind & 1)
                return true;
        *made |= 1U << kind;
        switch (kind) {
        case 0:
                return replace(&row->body) || !own;
        case 1:
                row->number = take(256);
                return !own || row->number == 0;
        case 2:
                free(row->address);
                row->address = take_text();
                return true;
        case 3:
                return replace(&m->common);
        case 4:
                return replace(&m->blocks[0]->signature);
        case 5:
                return replace(&m->blocks[0]->body);
        case 6:
                m->width = take(256);
                m->patience = take(256);
                return true;
        case 7: {
                uint64_t id = m->id;
                m->id = take(MESSAGES);
                return m->id == id;
        }
        default:
                return true;
        }
}

static void give(Slumber__TreeMessage *m, bool good) {
        struct peer *from = take(2) ? take_peer() : NULL;
        struct tree_node node = self();
        uint64_t id = m->id % MESSAGES;
        unsigned before = world.times[id];
        struct fail fail = { 0 };

        if (hops_take(world.hops, NULL, from, &m, &node, take(8), &fail) < 0 && !fail.text[0])
                abort();
        if (m)
                slumber__tree_message__free_unpacked(m, NULL);
        if (!good && world.times[id] > before)
                abort(); /* it was not signed so */
}

static void raw_message(void) {
        const uint8_t *bytes;
        size_t n = take_bytes(&bytes);
        Slumber__TreeMessage *m = slumber__tree_message__unpack(NULL, n, bytes);

        if (m)
                give(m, false);
}

static void signed_message(void) {
        Slumber__TreeMessage *m = message(1 + take(MESSAGES - 1), NOW, take(2));
        bool good = true;
        unsigned made = 0;

        for (uint32_t n = take(4); n > 0; n--)
                good &= change(m, &made);
        give(m, good);
}

static void say_answer(void) {
        static uint64_t proofs[TREE_NEWS][16];
        Slumber__TreeAnswer m = SLUMBER__TREE_ANSWER__INIT;
        char *texts[TREE_NEWS];

        m.id = take(MESSAGES);
        for (int k = 0; k < TREE_NEWS; k++) {
                texts[k] = take_text();
                tree_answer_say(&m, (enum tree_news)k, texts[k], proofs[k], take(16));
        }
        struct peer *p = take_peer();
        (void)hops_answered(world.hops, p, &m);
        (void)hops_wait_for(world.hops, p);
        for (int k = 0; k < TREE_NEWS; k++)
                free(texts[k]);
}

static void operate(void) {
        switch (take(12)) {
        case 9:
                hops_apart(world.hops, take(MESSAGES));
                break;
        case 10: /* what messages are to follow */
                world.behind = take(MESSAGES);
                break;
        case 0:
                raw_message();
                break;
        case 1:
                say_answer();
                break;
        case 2:
                hops_lost(world.hops, take_peer(), take(2));
                break;
        case 3:
                hops_go_on(world.hops, take(8));
                break;
        case 4:
                hops_job_message(world.hops, take(8));
                break;
        case 5:
                hops_controller_gone(world.hops);
                memset(world.times, 0, sizeof world.times); /* another one begins elsewhere */
                break;
        case 6:
                (void)hops_launched(world.hops, take(MESSAGES));
                break;
        case 7:
                hops_asked(world.hops, take(MESSAGES));
                break;
        case 8: {
                struct peer *p = take_peer();
                p->reachable = take(2);
                (void)sd_event_run(world.event, 0);
                break;
        }
        default:
                signed_message();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        log_set_level(LOG_EMERG); /* it says what it is told */
        in.data = data;
        in.size = size;
        world_begin();
        while (in.size > 0) {
                operate();
                for (size_t i = 0; i < MESSAGES; i++)
                        if (world.times[i] > 1)
                                abort();
        }
        world_end();
        return 0;
}
