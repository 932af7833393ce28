/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/credential.h - credentials that permit the start of a step on a node: signed by the
   controller, checked by slumberd */
#pragma once

#include "lib/fail.h"
#include "proto/slumber.pb-c.h"

/* Enough for the names of 100,000 nodes without compression and thousands of groups. */
#define CREDENTIAL_BODY_MAX (4u << 20)
#define CREDENTIAL_KEY_SIZE 32u /* of the public key */

struct credential_key; /* the controller's key pair */

/* Reads the key at path, or creates a key if the file is missing: mode 0600, atomically, on disk
   before the function returns. Refuses a file readable by others, owned by another user, or without
   a key. */
int credential_key_load(const char *path, struct credential_key **ret, struct fail *fail);
/* wipes the key; takes NULL */
struct credential_key *credential_key_free(struct credential_key *key);
DEFINE_CLEANUP(struct credential_key *, credential_key_free)
/* Returns CREDENTIAL_KEY_SIZE bytes, borrowed. */
const uint8_t *credential_key_public(const struct credential_key *key);

/* Returns a key pair for one run of a job, which the job's node signs with; equal text (of) gives
   an equal pair. The caller frees. */
struct credential_key *credential_key_derive(const struct credential_key *key, const char *of);
/* The secret half, from which the pair is made again. -EINVAL: wrong size. */
#define CREDENTIAL_SEED_SIZE 32u
void credential_key_seed(const struct credential_key *key,
                uint8_t ret[static CREDENTIAL_SEED_SIZE]);
int credential_key_of_seed(const uint8_t *seed, size_t size, struct credential_key **ret);

/* Returns a number, never 0, derived from of: always equal, known to holders of the key only. */
uint64_t credential_number(const struct credential_key *key, uint64_t of);
/* Signs body. Free *ret with slumber__credential__free_unpacked(c, NULL). */
int credential_sign(const struct credential_key *key, const Slumber__CredentialBody *body,
                Slumber__Credential **ret);
/* Checks the signature (-EKEYREJECTED), then reads the credential (-EBADMSG: malformed) and checks
   that it is for node (-EACCES) and has not expired at now, CLOCK_REALTIME (-EKEYEXPIRED). -EINVAL:
   public key of wrong size. */
int credential_verify(const uint8_t *public_key, size_t size, const Slumber__Credential *credential,
                const char *node, usec_t now, Slumber__CredentialBody **ret, struct fail *fail);

/* Returns a credential without a signature, for use inside a signed message. */
Slumber__Credential *credential_unsigned(const Slumber__CredentialBody *body);
/* credential_verify() without the check of the signature, for credentials inside a signed
   message. */
int credential_read(const Slumber__Credential *credential, const char *node, usec_t now,
                Slumber__CredentialBody **ret, struct fail *fail);

/* Signatures of data other than credentials; what: short name of the kind of data. A signature is
   valid for that kind only. */
#define SIGNATURE_SIZE 64u
void credential_key_sign(const struct credential_key *key, const char *what, const uint8_t *data,
                size_t size, uint8_t ret[static SIGNATURE_SIZE]);
bool credential_key_signed(const uint8_t public_key[static CREDENTIAL_KEY_SIZE], const char *what,
                const uint8_t *data, size_t size, const uint8_t signature[static SIGNATURE_SIZE]);
/* Returns a number derived from n numbers: always equal, known to holders of the key only. */
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
