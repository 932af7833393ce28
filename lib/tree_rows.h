/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/tree_rows.h - rows of a TreeMessage: split among the slumberds of a tree, signed by the
 * controller, checked by the receiving node
 *
 * The first row of a message is the receiver's. The others are split into as many parts as the tree
 * is wide; each part goes to the slumberd of its first row. Rows are signed in blocks of
 * TREE_BLOCK: a node gets some 2 kB of digests instead of its own signature. */
#pragma once

#include "lib/bitset.h"
#include "lib/credential.h"
#include "lib/wire.h"

#define TREE_BLOCK    64u
#define TREE_ROWS_MAX 1000000u
/* Lifetime of a row after signing. */
#define TREE_LIFE (120 * USEC_PER_SEC)

/* Returns the first row of part k < MIN(n, width) of n rows; *ret_n is the part's length. */
size_t tree_part(size_t n, uint32_t width, size_t k, size_t *ret_n);

#define TREE_KEY_SIZE 16u
enum tree_news {       /* progress of a row */
        TREE_HAD,      /* the node has the row and all messages that precede it */
        TREE_LAUNCHED, /* the step has started */
        TREE_APART,    /* the node reports the result itself */
        TREE_NEWS,
};
/* Returns a proof, computed by the node's key, that the node has reported this progress (what) of
   its row in message id: slumberds relaying the report cannot forge it. */
uint64_t tree_proof(const uint8_t key[static TREE_KEY_SIZE], uint64_t id, enum tree_news what);
/* Reads the rows below n in state what from m; *ret_proofs, in the order of rows, is borrowed.
 * -EBADMSG: malformed; the caller frees *ret. */
int tree_answer_rows(const Slumber__TreeAnswer *m, enum tree_news what, size_t n,
                struct bitset **ret, const uint64_t **ret_proofs);
/* Puts rows in state what into m: text (of a bit set) and proofs, in the order of rows,
   borrowed. */
void tree_answer_say(Slumber__TreeAnswer *m, enum tree_news what, char *text, uint64_t *proofs,
                size_t n);

/* Returns the ID of message n, from 1, of a controller process; random: that process's number. */
uint64_t tree_id(uint64_t random, uint64_t n);
/* True for messages about jobs, which must keep their order relative to rows. */
bool tree_keeps_order(const Envelope *env);

/* Signs rows first, first + 1, ... of message id; common: digest of the fields that all rows end
   with. The caller frees with slumber__tree_block__free_unpacked(). */
Slumber__TreeBlock *tree_block_sign(const struct credential_key *key, uint64_t id, usec_t now,
                uint32_t first, const uint8_t common[static DIGEST_SIZE],
                const ProtobufCBinaryData *rows, size_t n);
/* Checks, before m is forwarded, that m has the blocks of its rows and rows ascend. -EBADMSG: not
   so. */
int tree_message_check(const Slumber__TreeMessage *m, struct fail *fail);
/* Returns the block with row number; NULL: none. */
Slumber__TreeBlock *tree_block_of(Slumber__TreeBlock *const *blocks, size_t n, uint32_t number);

struct tree_node { /* the node that opens a row */
        const char *name;
        const uint8_t *key;       /* the controller's public key, CREDENTIAL_KEY_SIZE bytes */
        const uint8_t *proof_key; /* the node's key, TREE_KEY_SIZE bytes */
        usec_t now;               /* by the controller's clock */
        /* tree_id() of the controller's next message when the node registered: earlier messages
           were sent again since; 0: an earlier controller, which does not send it. */
        uint64_t since;
        /* Received from the controller itself: the age of the signature is not checked. */
        bool direct;
};
/* Opens the first row of m, already checked by tree_message_check(): signed (else -EKEYREJECTED),
   for this node (-EACCES), and valid now (-EKEYEXPIRED). */
int tree_row_open(const Slumber__TreeMessage *m, const struct tree_node *node,
                Slumber__TreeRowBody **ret, struct fail *fail);
