/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/pmi/pmi_wire.h - messages of MPI programs in PMI-1.1 and PMI-2: parsing and writing
 *
 * Messages come from a user's program and are not trusted: each length has a limit, and an unknown
 * form is an error. */
#pragma once

#include "lib/base.h"

enum pmi_version {
        PMI_UNKNOWN, /* until the first message, a line in both versions */
        PMI_1,       /* lines: "cmd=put kvsname=1.0 key=a value=b" */
        PMI_2,       /* six characters with the length, then "cmd=kvs-put;key=a;value=b;" */
};

#define PMI_MESSAGE_MAX 65536 /* maximum size of a message with its length, bytes */
#define PMI_WORDS_MAX   2048  /* maximum words of a message */
#define PMI_NAME_MAX    256   /* name of a key-value space, bytes */
#define PMI_KEY_MAX     64
#define PMI_VALUE_MAX   1024
/* Names published by PMIx, in the stored form: */
#define PMI_LONG_KEY_MAX   640
#define PMI_LONG_VALUE_MAX ((size_t)32 << 10)

struct pmi_words {  /* key=value words */
        char *text; /* memory of the keys and values */
        struct pmi_word {
                const char *key, *value;
        } * word;
        size_t n;
};

/* Finds the first message in data. Returns the message's bytes, and sets the body; 0: the
   message is incomplete. -EMSGSIZE: longer than PMI_MESSAGE_MAX; -EBADMSG: no valid length. */
ssize_t pmi_message(enum pmi_version version, const char *data, size_t size, const char **ret_body,
                size_t *ret_body_size);
/* Splits a body into words. *ret must be freed by pmi_words_done(), also after an error.
   -EBADMSG: a zero byte, or no command; -E2BIG: more than PMI_WORDS_MAX words. */
int pmi_words_parse(enum pmi_version version, const char *body, size_t size, struct pmi_words *ret);
void pmi_words_done(struct pmi_words *words);
/* value of key; NULL if none */
const char *pmi_word(const struct pmi_words *words, const char *key);
const char *pmi_command(const struct pmi_words *words);

/* Writes a word of PMI-2, "KEY=VALUE;", with each ";" in VALUE doubled. */
void pmi_write_word(FILE *out, const char *key, const char *value);
/* Characters of the length before a PMI-2 body. */
#define PMI_LENGTH 6

/* Reads pairs of a key-value space as sent between nodes: "KEY\0VALUE\0...". Calls each with
   every pair. -EBADMSG: data has an invalid or oversized pair. */
int pmi_pairs(const uint8_t *data, size_t size,
                void (*each)(const char *key, const char *value, void *user), void *user);

/* Parses PMI_process_mapping: "(vector,(F,N,P),...)" puts P ranks on each of N nodes from node F
   on, and so on, repeated until each rank has a node. Writes the node of each of n ranks.
   -EBADMSG: invalid text. */
int pmi_mapping_parse(const char *text, uint32_t *ret_node, size_t n);
