/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/tree_rows.h - the rows of a TreeMessage: how they are split among the slumberds of a tree,
 * signed by the controller and checked by the node that each is for
 *
 * The first row of a message is the receiver's; the others are split into as many parts as the tree
 * is wide, and each goes to the slumberd of its first row.  Rows are signed in blocks of
 * TREE_BLOCK, so a node gets some 2 kB of digests instead of a signature of its own. */
#pragma once

#include "lib/bitset.h"
#include "lib/credential.h"
#include "lib/wire.h"

#define TREE_BLOCK    64u
#define TREE_ROWS_MAX 1000000u
/* A row is worthless so long after it was signed. */
#define TREE_LIFE (120 * USEC_PER_SEC)

/* Part k < MIN(n, width) of n rows begins with the returned one and has *ret_n. */
size_t tree_part(size_t n, uint32_t width, size_t k, size_t *ret_n);

#define TREE_KEY_SIZE 16u
enum tree_news {       /* of a row */
        TREE_HAD,      /* its node has it, and all that is to come first */
        TREE_LAUNCHED, /* its step has started */
        TREE_APART,    /* its node tells by itself what came of it */
        TREE_NEWS,
};
/* Shows that the node with this key says so of its row of message id: the slumberds by which that
   comes cannot make it up. */
uint64_t tree_proof(const uint8_t key[static TREE_KEY_SIZE], uint64_t id, enum tree_news what);
/* What m says of rows below n; their proofs, in turn, are borrowed.  -EBADMSG; the caller frees
 *ret. */
int tree_answer_rows(const Slumber__TreeAnswer *m, enum tree_news what, size_t n,
                struct bitset **ret, const uint64_t **ret_proofs);
/* Sets what is said of rows; text and proofs, in turn, are borrowed. */
void tree_answer_say(Slumber__TreeAnswer *m, enum tree_news what, char *text, uint64_t *proofs,
                size_t n);

/* Number n, from 1, of the messages of a controller's process; random: of that process. */
uint64_t tree_id(uint64_t random, uint64_t n);
/* Messages about jobs, which a row does not overtake, nor do they a row. */
bool tree_keeps_order(const Envelope *env);

/* Signs rows first, first + 1, ... of message id; common: digest of what all end with.  The caller
   frees it with slumber__tree_block__free_unpacked(). */
Slumber__TreeBlock *tree_block_sign(const struct credential_key *key, uint64_t id, usec_t now,
                uint32_t first, const uint8_t common[static DIGEST_SIZE],
                const ProtobufCBinaryData *rows, size_t n);
/* The blocks of m's rows are there, and the rows ascend: it can be handed on.  -EBADMSG. */
int tree_message_check(const Slumber__TreeMessage *m, struct fail *fail);
/* The block of all blocks that row number is in; NULL: it is not there. */
Slumber__TreeBlock *tree_block_of(Slumber__TreeBlock *const *blocks, size_t n, uint32_t number);

struct tree_node { /* which a row is to be for */
        const char *name;
        const uint8_t *key;       /* the controller's, CREDENTIAL_KEY_SIZE bytes */
        const uint8_t *proof_key; /* its own, TREE_KEY_SIZE bytes */
        usec_t now;               /* by the controller's clock */
        /* the controller's next message when the node was registered, tree_id(): whatever was said
           before has been said again since; 0: one of an earlier build, which does not say it */
        uint64_t since;
        bool direct; /* it has come from the controller itself, in time by that */
};
/* What m, which tree_message_check() has passed, has as its first row; that is signed (else
   -EKEYREJECTED), for this node (-EACCES) and holds now (-EKEYEXPIRED). */
int tree_row_open(const Slumber__TreeMessage *m, const struct tree_node *node,
                Slumber__TreeRowBody **ret, struct fail *fail);
