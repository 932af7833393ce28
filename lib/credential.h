/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/credential.h - what lets a step start on a node: signed by the controller, checked by the
   agent */
#pragma once

#include "lib/fail.h"
#include "proto/slumber.pb-c.h"

/* The nodes of a 100,000 node job without any compression, and some thousands of groups. */
#define CREDENTIAL_BODY_MAX (4u << 20)
#define CREDENTIAL_KEY_SIZE 32u /* of the public key */

struct credential_key; /* the controller's pair */

/* Reads the key at path, or makes one when there is none: mode 0600, whole or not at all, on disk
   before the call returns.  A file that others may read, that belongs to another user or that is
   not a key is refused. */
int credential_key_load(const char *path, struct credential_key **ret, struct fail *fail);
struct credential_key *credential_key_free(struct credential_key *key); /* wiped; takes NULL */
DEFINE_CLEANUP(struct credential_key *, credential_key_free)
/* CREDENTIAL_KEY_SIZE bytes, borrowed. */
const uint8_t *credential_key_public(const struct credential_key *key);

/* A pair of a job's run, for its node to sign with: the same each time for the same words.  The
   caller frees. */
struct credential_key *credential_key_derive(const struct credential_key *key, const char *of);
/* Its secret half, which makes it again; -EINVAL: it is none. */
#define CREDENTIAL_SEED_SIZE 32u
void credential_key_seed(const struct credential_key *key,
                uint8_t ret[static CREDENTIAL_SEED_SIZE]);
int credential_key_of_seed(const uint8_t *seed, size_t size, struct credential_key **ret);

/* A number that only a holder of the key can know, of any other number: the same each time, never
 * 0. */
uint64_t credential_number(const struct credential_key *key, uint64_t of);
/* Free *ret with slumber__credential__free_unpacked(c, NULL). */
int credential_sign(const struct credential_key *key, const Slumber__CredentialBody *body,
                Slumber__Credential **ret);
/* now: CLOCK_REALTIME.  What was signed, if it was signed by that key (-EKEYREJECTED), is a
   credential
   (-EBADMSG), is for node (-EACCES) and holds at now (-EKEYEXPIRED); a wrong public key size is
   -EINVAL. */
int credential_verify(const uint8_t *public_key, size_t size, const Slumber__Credential *credential,
                const char *node, usec_t now, Slumber__CredentialBody **ret, struct fail *fail);

/* Without a signature, where something else that is signed vouches for it. */
Slumber__Credential *credential_unsigned(const Slumber__CredentialBody *body);
/* As credential_verify(), but for the signature, which something else has vouched for. */
int credential_read(const Slumber__Credential *credential, const char *node, usec_t now,
                Slumber__CredentialBody **ret, struct fail *fail);

/* Of something else than a credential; what: a short name of its kind, for which alone the
   signature is good. */
#define SIGNATURE_SIZE 64u
void credential_key_sign(const struct credential_key *key, const char *what, const uint8_t *data,
                size_t size, uint8_t ret[static SIGNATURE_SIZE]);
bool credential_key_signed(const uint8_t public_key[static CREDENTIAL_KEY_SIZE], const char *what,
                const uint8_t *data, size_t size, const uint8_t signature[static SIGNATURE_SIZE]);
/* A number that only a holder of key can know, of n others: the same each time. */
uint64_t keyed_number(const uint64_t key[static 2], const uint64_t *of, size_t n);
#define DIGEST_SIZE 32u
void digest_of(const uint8_t *data, size_t size, uint8_t ret[static DIGEST_SIZE]);

static inline void credential_freep(Slumber__Credential **c) {
        if (*c)
                slumber__credential__free_unpacked(*c, NULL);
}
static inline void credential_body_freep(Slumber__CredentialBody **b) {
        if (*b)
                slumber__credential_body__free_unpacked(*b, NULL);
}
