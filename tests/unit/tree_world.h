/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/tree_world.h - a slumberd in the tree of a message for many nodes (agent/tree/hop.h),
 * the slumberds around it in the test's hands */
#pragma once

#include "agent/tree/hop.h"
#include "lib/frame.h"

#define S    USEC_PER_SEC
#define NOW  (5000 * S)
#define ROWS 7u

struct peer {
        const char *address;
        bool reachable;
        size_t n_rows, n_answers; /* of the last message, and answers that it was sent */
        uint32_t rows[ROWS];
        char *had;
};

static struct {
        struct peer peers[ROWS + 1]; /* by row; the last is the slumberd above */
        struct credential_key *key;
        sd_event *event;
        struct hops *hops;
        size_t delivered, told;
        uint64_t order[8];  /* ids of the first that were delivered */
        unsigned times[64]; /* so often, by id */
        char *told_had, *told_launched;
        uint64_t behind; /* of messages that are made */
} world;

static const uint8_t proof_key[TREE_KEY_SIZE] = "the key of n0";

static const char network[] = "10.0.0.";

struct peer *peers_get(struct peers *all, const char *address) {
        size_t n = strlen(network), i = strncmp(address, network, n) == 0
                                                        ? (size_t)strtoul(address + n, NULL, 10)
                                                        : ROWS;

        (void)all;
        return i < ROWS && world.peers[i].reachable ? &world.peers[i] : NULL;
}

bool peer_send(struct peer *p, Envelope *env) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_TREE_ANSWER) {
                p->n_answers++;
                free_and_strdup(&p->had, env->tree_answer->had);
                return true;
        }
        p->n_rows = env->tree_message->n_rows;
        for (size_t i = 0; i < MIN(p->n_rows, (size_t)ROWS); i++)
                p->rows[i] = env->tree_message->rows[i]->number;
        return true;
}

static void deliver(Envelope *env, uint64_t id, void *user) {
        (void)env, (void)user;
        if (world.delivered < ELEMENTSOF(world.order))
                world.order[world.delivered] = id;
        if (id < ELEMENTSOF(world.times))
                world.times[id]++;
        world.delivered++;
}

static void tell(Slumber__TreeAnswer *m, void *user) {
        (void)user;
        world.told++;
        free_and_strdup(&world.told_had, m->had);
        free_and_strdup(&world.told_launched, m->launched);
}

/* Made once, as it costs a file. */
static struct credential_key *world_key(void) {
        static struct credential_key *key;
        char folder[] = "/tmp/test-tree-XXXXXX";
        struct fail fail = { 0 };

        if (key)
                return key;
        if (!mkdtemp(folder))
                abort();
        _cleanup_free_ char *file = xasprintf("%s/key", folder);
        if (credential_key_load(file, &key, &fail) < 0)
                abort();
        unlink(file);
        rmdir(folder);
        return key;
}

static void world_begin(void) {
        static const struct hops_ops ops = { .deliver = deliver, .tell = tell };

        memset(&world, 0, sizeof world);
        for (size_t i = 0; i <= ROWS; i++)
                world.peers[i].reachable = true;
        world.key = world_key();
        if (sd_event_new(&world.event) < 0)
                abort();
        world.hops = hops_new(world.event, &ops, NULL);
}

static void world_end(void) {
        hops_free(world.hops);
        sd_event_unref(world.event);
        for (size_t i = 0; i <= ROWS; i++)
                free(world.peers[i].had);
        free(world.told_had);
        free(world.told_launched);
}

/* Row i is for node n(i), at 10.0.0.(i); a signal, or a message of another kind. */
static Slumber__TreeMessage *message(uint64_t id, usec_t signed_at, bool launch) {
        Slumber__TreeMessage *m = xnew(Slumber__TreeMessage, 1);
        Slumber__SignalJob signal = SLUMBER__SIGNAL_JOB__INIT;
        Slumber__LaunchStep step = SLUMBER__LAUNCH_STEP__INIT;
        _cleanup_free_ uint8_t *frame = NULL;
        ProtobufCBinaryData bodies[ROWS];
        uint8_t common[DIGEST_SIZE];
        size_t size;

        slumber__tree_message__init(m);
        m->id = id;
        m->width = 2;
        m->patience = 100;
        signal.job_id = 7;
        ENVELOPE(env, SIGNAL_JOB, signal_job, &signal);
        if (launch) {
                env.body_case = SLUMBER__ENVELOPE__BODY_LAUNCH_STEP;
                env.launch_step = &step;
        }
        if (wire_pack(&env, &frame, &size) < 0)
                abort();
        m->n_rows = ROWS;
        m->rows = xnew(Slumber__TreeRow *, ROWS);
        for (uint32_t i = 0; i < ROWS; i++) {
                Slumber__TreeRowBody body = SLUMBER__TREE_ROW_BODY__INIT;
                char name[16];
                snprintf(name, sizeof name, "n%u", i);
                body.node = name;
                body.after = 3;
                body.behind = world.behind;
                body.begin.data = frame + FRAME_HEADER;
                body.begin.len = size - FRAME_HEADER;
                Slumber__TreeRow *row = m->rows[i] = xnew(Slumber__TreeRow, 1);
                slumber__tree_row__init(row);
                row->number = i;
                row->address = xasprintf("10.0.0.%u", i);
                row->body.data = xmalloc(slumber__tree_row_body__get_packed_size(&body));
                row->body.len = slumber__tree_row_body__pack(&body, row->body.data);
                bodies[i] = row->body;
        }
        digest_of(NULL, 0, common);
        m->n_blocks = 1;
        m->blocks = xnew(Slumber__TreeBlock *, 1);
        m->blocks[0] = tree_block_sign(world.key, id, signed_at, 0, common, bodies, ROWS);
        return m;
}

static struct tree_node self(void) {
        return (struct tree_node){ .name = "n0",
                .key = credential_key_public(world.key),
                .proof_key = proof_key,
                .now = NOW,
                .since = tree_id(0, 1) };
}
