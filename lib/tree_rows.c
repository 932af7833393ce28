/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/tree_rows.h"

#include <sodium.h>

#define KIND "slumber tree block"

_Static_assert(TREE_KEY_SIZE == crypto_shorthash_KEYBYTES, "size of a SipHash key");
_Static_assert(sizeof(uint64_t) == crypto_shorthash_BYTES, "size of a SipHash");

/* Low bits of an ID, the counter; the rest is random. */
#define COUNT_BITS 40

uint64_t tree_id(uint64_t random, uint64_t n) {
        return random << COUNT_BITS | n;
}

/* True if the message was signed by another process of the controller, or before the node
   registered. */
static bool id_before(uint64_t id, uint64_t since) {
        return !since || id < since || id >> COUNT_BITS != since >> COUNT_BITS;
}

bool tree_keeps_order(const Envelope *env) {
        switch ((int)env->body_case) {
        case SLUMBER__ENVELOPE__BODY_LAUNCH_STEP:
        case SLUMBER__ENVELOPE__BODY_FREEZE_JOB:
        case SLUMBER__ENVELOPE__BODY_RECLAIM_JOB:
        case SLUMBER__ENVELOPE__BODY_TERMINATE_JOB:
        case SLUMBER__ENVELOPE__BODY_SIGNAL_JOB:
                return true;
        default:
                return false;
        }
}

uint64_t tree_proof(const uint8_t key[static TREE_KEY_SIZE], uint64_t id, enum tree_news what) {
        const uint64_t of[] = { id, what };
        uint64_t proof;

        (void)crypto_shorthash((uint8_t *)&proof, (const uint8_t *)of, sizeof of, key);
        return proof;
}

int tree_answer_rows(const Slumber__TreeAnswer *m, enum tree_news what, size_t n,
                struct bitset **ret, const uint64_t **ret_proofs) {
        const struct {
                const char *text;
                const uint64_t *proofs;
                size_t n;
        } said[TREE_NEWS] = {
                [TREE_HAD] = { m->had, m->had_proofs, m->n_had_proofs },
                [TREE_LAUNCHED] = { m->launched, m->launched_proofs, m->n_launched_proofs },
                [TREE_APART] = { m->apart, m->apart_proofs, m->n_apart_proofs },
        };
        struct bitset *rows = bitset_new(n);

        if ((*said[what].text && bitset_parse(rows, said[what].text) < 0) ||
                        bitset_count(rows) != said[what].n) {
                bitset_free(rows);
                return -EBADMSG;
        }
        *ret = rows;
        *ret_proofs = said[what].proofs;
        return 0;
}

void tree_answer_say(Slumber__TreeAnswer *m, enum tree_news what, char *text, uint64_t *proofs,
                size_t n) {
        char **texts[TREE_NEWS] = { &m->had, &m->launched, &m->apart };
        uint64_t **lists[TREE_NEWS] = { &m->had_proofs, &m->launched_proofs, &m->apart_proofs };
        size_t *counts[TREE_NEWS] = { &m->n_had_proofs, &m->n_launched_proofs, &m->n_apart_proofs };

        *texts[what] = text;
        *lists[what] = proofs;
        *counts[what] = n;
}

static void block_bodyp(Slumber__TreeBlockBody **b) {
        if (*b)
                slumber__tree_block_body__free_unpacked(*b, NULL);
}

size_t tree_part(size_t n, uint32_t width, size_t k, size_t *ret_n) {
        size_t parts = MIN(n, (size_t)width), each = n / parts, more = n % parts;

        assert(k < parts);
        *ret_n = each + (k < more);
        return k * each + MIN(k, more);
}

Slumber__TreeBlock *tree_block_sign(const struct credential_key *key, uint64_t id, usec_t now,
                uint32_t first, const uint8_t common[static DIGEST_SIZE],
                const ProtobufCBinaryData *rows, size_t n) {
        Slumber__TreeBlockBody body = SLUMBER__TREE_BLOCK_BODY__INIT;
        Slumber__TreeBlock *b = xnew(Slumber__TreeBlock, 1);
        _cleanup_free_ uint8_t *digests = xnew(uint8_t, n * DIGEST_SIZE);

        for (size_t i = 0; i < n; i++)
                digest_of(rows[i].data, rows[i].len, digests + i * DIGEST_SIZE);
        body.id = id;
        body.first = first;
        body.signed_at = now;
        body.common = (ProtobufCBinaryData){ DIGEST_SIZE, (uint8_t *)(uintptr_t)common };
        body.rows = (ProtobufCBinaryData){ n * DIGEST_SIZE, digests };
        slumber__tree_block__init(b);
        b->body.data = xmalloc(slumber__tree_block_body__get_packed_size(&body));
        b->body.len = slumber__tree_block_body__pack(&body, b->body.data);
        b->signature.data = xmalloc(SIGNATURE_SIZE);
        b->signature.len = SIGNATURE_SIZE;
        credential_key_sign(key, KIND, b->body.data, b->body.len, b->signature.data);
        return b;
}

/* Unpacks a block not yet verified; used before the check of the signature only to find the
 * block. */
static Slumber__TreeBlockBody *block_body(const Slumber__TreeBlock *b) {
        return slumber__tree_block_body__unpack(NULL, b->body.len, b->body.data);
}

static bool block_has(const Slumber__TreeBlock *b, uint32_t number) {
        _cleanup_(block_bodyp) Slumber__TreeBlockBody *body = block_body(b);

        return body && number >= body->first && number - body->first < body->rows.len / DIGEST_SIZE;
}

Slumber__TreeBlock *tree_block_of(Slumber__TreeBlock *const *blocks, size_t n, uint32_t number) {
        for (size_t i = 0; i < n; i++)
                if (block_has(blocks[i], number))
                        return blocks[i];
        return NULL;
}

int tree_message_check(const Slumber__TreeMessage *m, struct fail *fail) {
        if (m->id == 0 || m->width < 2 || m->n_rows == 0 || m->n_rows > TREE_ROWS_MAX)
                return fail_set(fail, -EBADMSG, "a message of %zu rows, of a tree of width %u",
                                m->n_rows, m->width);
        for (size_t i = 0; i < m->n_rows; i++)
                if (m->rows[i]->number >= TREE_ROWS_MAX ||
                                (i && m->rows[i]->number <= m->rows[i - 1]->number))
                        return fail_set(fail, -EBADMSG, "row %u is not in its place",
                                        m->rows[i]->number);
        return 0;
}

static int check_signed(const Slumber__TreeMessage *m, const struct tree_node *node,
                struct fail *fail) {
        const Slumber__TreeRow *row = m->rows[0];
        const Slumber__TreeBlock *b = tree_block_of(m->blocks, m->n_blocks, row->number);
        uint8_t digest[DIGEST_SIZE];

        if (!b || b->signature.len != SIGNATURE_SIZE ||
                        !credential_key_signed(node->key, KIND, b->body.data, b->body.len,
                                        b->signature.data))
                return fail_set(fail, -EKEYREJECTED,
                                "row %u was not signed by this cluster's controller", row->number);
        _cleanup_(block_bodyp) Slumber__TreeBlockBody *body = block_body(b);
        digest_of(row->body.data, row->body.len, digest);
        if (body->id != m->id || body->common.len != DIGEST_SIZE ||
                        memcmp(body->rows.data + (size_t)(row->number - body->first) * DIGEST_SIZE,
                                        digest, DIGEST_SIZE) != 0)
                return fail_set(fail, -EKEYREJECTED, "row %u was changed on its way", row->number);
        digest_of(m->common.data, m->common.len, digest);
        if (memcmp(body->common.data, digest, DIGEST_SIZE) != 0)
                return fail_set(fail, -EKEYREJECTED, "what all rows share was changed on its way");
        if (!node->direct &&
                        (id_before(m->id, node->since) || node->now >= body->signed_at + TREE_LIFE))
                return fail_set(fail, -EKEYEXPIRED,
                                "row %u was signed %lld s ago, before this node registered or more than %llu s",
                                row->number,
                                ((long long)node->now - (long long)body->signed_at) /
                                                (long long)USEC_PER_SEC,
                                (unsigned long long)(TREE_LIFE / USEC_PER_SEC));
        return 0;
}

int tree_row_open(const Slumber__TreeMessage *m, const struct tree_node *node,
                Slumber__TreeRowBody **ret, struct fail *fail) {
        const Slumber__TreeRow *row = m->rows[0];
        int r = check_signed(m, node, fail);

        if (r < 0)
                return r;
        Slumber__TreeRowBody *body = slumber__tree_row_body__unpack(NULL, row->body.len,
                        row->body.data);
        if (!body)
                return fail_set(fail, -EBADMSG, "row %u is malformed", row->number);
        if (!streq(body->node, node->name)) {
                r = fail_set(fail, -EACCES, "row %u is for node \"%.64s\", not \"%s\"", row->number,
                                body->node, node->name);
                slumber__tree_row_body__free_unpacked(body, NULL);
                return r;
        }
        *ret = body;
        return 0;
}
