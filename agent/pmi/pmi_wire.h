/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/pmi_wire.h - messages of MPI programs, PMI-1.1 and PMI-2: from bytes to words and back
 *
 * They come from a user's program, which is not believed: each length has a limit, and what is not
 * understood is an error. */
#pragma once

#include "lib/base.h"

enum pmi_version {
        PMI_UNKNOWN, /* until the first message, which is a line in both */
        PMI_1,       /* lines: "cmd=put kvsname=1.0 key=a value=b" */
        PMI_2,       /* a length of six characters, then "cmd=kvs-put;key=a;value=b;" */
};

#define PMI_MESSAGE_MAX 65536 /* bytes, with all around it */
#define PMI_WORDS_MAX   2048  /* of one message */
#define PMI_NAME_MAX    256   /* bytes of the name of a key-value space */
#define PMI_KEY_MAX     64
#define PMI_VALUE_MAX   1024
/* Of names that are published by PMIx, as they are kept: */
#define PMI_LONG_KEY_MAX   640
#define PMI_LONG_VALUE_MAX ((size_t)32 << 10)

struct pmi_words {  /* "key=value" */
        char *text; /* that the others point into */
        struct pmi_word {
                const char *key, *value;
        } * word;
        size_t n;
};

/* The first message of data: how many bytes it takes, and where its words are; 0: not all of it has
   come.  -EMSGSIZE: it is longer than PMI_MESSAGE_MAX; -EBADMSG: it has no length. */
ssize_t pmi_message(enum pmi_version version, const char *data, size_t size, const char **ret_body,
                size_t *ret_body_size);
/* *ret is to be freed by pmi_words_done(), also after an error.  -EBADMSG: a byte 0, or no command;
   -E2BIG: more than PMI_WORDS_MAX words. */
int pmi_words_parse(enum pmi_version version, const char *body, size_t size, struct pmi_words *ret);
void pmi_words_done(struct pmi_words *words);
const char *pmi_word(const struct pmi_words *words, const char *key); /* NULL: there is none */
const char *pmi_command(const struct pmi_words *words);

/* PMI-2: "NAME=VALUE;" with what VALUE has of ";" doubled. */
void pmi_write_word(FILE *out, const char *key, const char *value);
/* Six characters before a body of PMI-2. */
#define PMI_LENGTH 6

/* Pairs of a key-value space on their way between nodes: "KEY\0VALUE\0...".  Calls each with every
   pair.  -EBADMSG: what comes then is no pair, or a longer one than there are. */
int pmi_pairs(const uint8_t *data, size_t size,
                void (*each)(const char *key, const char *value, void *user), void *user);

/* PMI_process_mapping: "(vector,(F,N,P),...)" says that from node F on N nodes have P ranks each,
   and so on, again from its beginning until all ranks have a node.  Writes the node of each of n
   ranks.  -EBADMSG: no such text. */
int pmi_mapping_parse(const char *text, uint32_t *ret_node, size_t n);
