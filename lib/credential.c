/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The controller owns one Ed25519 pair. The key file holds the 32 bytes of the seed only; every
 * slumberd gets the public half at registration.
 *
 * Creation: random seed -> temporary file beside the final one -> fsync -> link() -> fsync of the
 * folder. link() never replaces a file: of two processes creating a key at once, one wins and both
 * read the winner's file.
 *
 * Check: size, then signature, and only then unpacking, so that the parser sees no byte that the
 * controller did not sign; then node and time. */
#include "lib/credential.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>

#define SEED_SIZE crypto_sign_ed25519_SEEDBYTES

_Static_assert(CREDENTIAL_KEY_SIZE == crypto_sign_ed25519_PUBLICKEYBYTES, "size of an Ed25519 key");
_Static_assert(CREDENTIAL_SEED_SIZE == SEED_SIZE, "size of an Ed25519 seed");
_Static_assert(SIGNATURE_SIZE == crypto_sign_ed25519_BYTES, "size of an Ed25519 signature");
_Static_assert(DIGEST_SIZE == crypto_generichash_BYTES, "size of a BLAKE2b digest");

struct credential_key {
        uint8_t public[crypto_sign_ed25519_PUBLICKEYBYTES];
        uint8_t secret[crypto_sign_ed25519_SECRETKEYBYTES];
};

/* ---- the file ---- */

static int sync_folder_of(const char *path) {
        const char *slash = strrchr(path, '/');
        _cleanup_free_ char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1)
                                            : xstrdup(".");
        _cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0)
                return -errno;
        return fsync(fd) < 0 ? -errno : 0;
}

static int make_seed(const char *path) {
        _cleanup_free_ char *temporary = xasprintf("%s.XXXXXX", path);
        uint8_t seed[SEED_SIZE];
        int r;

        _cleanup_close_ int fd = mkostemp(temporary, O_CLOEXEC); /* 0600 */
        if (fd < 0)
                return -errno;

        randombytes_buf(seed, sizeof seed);
        r = fd_write(fd, seed, sizeof seed);
        if (r >= 0 && fsync(fd) < 0)
                r = -errno;
        sodium_memzero(seed, sizeof seed);
        if (r >= 0 && link(temporary, path) < 0 && errno != EEXIST)
                r = -errno;
        unlink(temporary);
        return r < 0 ? r : sync_folder_of(path);
}

static int key_file_check(int fd, const char *path, struct fail *fail) {
        struct stat st;

        if (fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "cannot look at key file %s: %s", path,
                                strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "key file %s is not a regular file", path);
        if (st.st_uid != geteuid() && st.st_uid != 0)
                return fail_set(fail, -EPERM, "key file %s belongs to uid %u, expected %u", path,
                                (unsigned)st.st_uid, (unsigned)geteuid());
        if (st.st_mode & 077)
                return fail_set(fail, -EPERM, "key file %s has mode %03o, expected 600", path,
                                (unsigned)st.st_mode & 0777);
        if (st.st_size != SEED_SIZE)
                return fail_set(fail, -EINVAL, "key file %s has %lld bytes, expected %u", path,
                                (long long)st.st_size, SEED_SIZE);
        return 0;
}

static int read_seed(int fd, const char *path, uint8_t seed[static SEED_SIZE], struct fail *fail) {
        int r = key_file_check(fd, path, fail);

        if (r < 0)
                return r;
        ssize_t n = read(fd, seed, SEED_SIZE);
        if (n != (ssize_t)SEED_SIZE)
                return fail_set(fail, n < 0 ? -errno : -EIO, "cannot read key file %s", path);
        return 0;
}

static int open_or_make(const char *path, struct fail *fail) {
        int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), r;

        if (fd < 0 && errno == ENOENT) {
                r = make_seed(path);
                if (r < 0)
                        return fail_set(fail, r, "cannot make key file %s: %s", path, strerror(-r));
                fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        }
        if (fd < 0)
                return fail_set(fail, -errno, "cannot open key file %s: %s", path,
                                errno == ELOOP ? "it is a symbolic link" : strerror(errno));
        return fd;
}

static struct credential_key *key_of_seed(const uint8_t seed[static SEED_SIZE]) {
        struct credential_key *key = xnew0(struct credential_key, 1);

        crypto_sign_ed25519_seed_keypair(key->public, key->secret, seed);
        return key;
}

int credential_key_load(const char *path, struct credential_key **ret, struct fail *fail) {
        uint8_t seed[SEED_SIZE];
        int r;

        assert(path);
        assert(ret);

        if (sodium_init() < 0)
                return fail_set(fail, -EIO, "libsodium cannot be initialised");
        _cleanup_close_ int fd = open_or_make(path, fail);
        if (fd < 0)
                return fd;
        r = read_seed(fd, path, seed, fail);
        if (r < 0)
                return r;

        *ret = key_of_seed(seed);
        sodium_memzero(seed, sizeof seed);
        return 0;
}

struct credential_key *credential_key_derive(const struct credential_key *key, const char *of) {
        uint8_t seed[SEED_SIZE];

        (void)crypto_generichash(seed, sizeof seed, (const uint8_t *)of, strlen(of), key->secret,
                        sizeof key->secret);
        struct credential_key *derived = key_of_seed(seed);
        sodium_memzero(seed, sizeof seed);
        return derived;
}

void credential_key_seed(const struct credential_key *key,
                uint8_t ret[static CREDENTIAL_SEED_SIZE]) {
        (void)crypto_sign_ed25519_sk_to_seed(ret, key->secret);
}

int credential_key_of_seed(const uint8_t *seed, size_t size, struct credential_key **ret) {
        if (size != SEED_SIZE || sodium_init() < 0)
                return -EINVAL;
        *ret = key_of_seed(seed);
        return 0;
}

uint64_t credential_number(const struct credential_key *key, uint64_t of) {
        uint8_t hash[crypto_generichash_BYTES];
        uint64_t number;

        (void)crypto_generichash(hash, sizeof hash, (const uint8_t *)&of, sizeof of, key->secret,
                        sizeof key->secret);
        memcpy(&number, hash, sizeof number);
        sodium_memzero(hash, sizeof hash);
        return MAX(number, UINT64_C(1));
}

struct credential_key *credential_key_free(struct credential_key *key) {
        if (!key)
                return NULL;
        sodium_memzero(key, sizeof *key);
        free(key);
        return NULL;
}

const uint8_t *credential_key_public(const struct credential_key *key) {
        assert(key);
        return key->public;
}

/* ---- signing and checking ---- */

Slumber__Credential *credential_unsigned(const Slumber__CredentialBody *body) {
        size_t size = slumber__credential_body__get_packed_size(body);
        Slumber__Credential *c = xnew(Slumber__Credential, 1);

        slumber__credential__init(c);
        c->body.data = xmalloc(size);
        c->body.len = slumber__credential_body__pack(body, c->body.data);
        return c;
}

int credential_sign(const struct credential_key *key, const Slumber__CredentialBody *body,
                Slumber__Credential **ret) {
        size_t size;

        assert(key);
        assert(body);
        assert(ret);

        size = slumber__credential_body__get_packed_size(body);
        if (size == 0 || size > CREDENTIAL_BODY_MAX)
                return -EMSGSIZE;

        Slumber__Credential *c = credential_unsigned(body);
        c->signature.data = xmalloc(crypto_sign_ed25519_BYTES);
        c->signature.len = crypto_sign_ed25519_BYTES;
        crypto_sign_ed25519_detached(c->signature.data, NULL, c->body.data, c->body.len,
                        key->secret);
        *ret = c;
        return 0;
}

static bool signature_good(const Slumber__Credential *c, const uint8_t *public_key) {
        if (c->signature.len != crypto_sign_ed25519_BYTES || c->body.len == 0 ||
                        c->body.len > CREDENTIAL_BODY_MAX)
                return false;
        return crypto_sign_ed25519_verify_detached(c->signature.data, c->body.data, c->body.len,
                               public_key) == 0;
}

int credential_read(const Slumber__Credential *credential, const char *node, usec_t now,
                Slumber__CredentialBody **ret, struct fail *fail) {
        _cleanup_(credential_body_freep)
                        Slumber__CredentialBody *body = slumber__credential_body__unpack(NULL,
                                        credential->body.len, credential->body.data);
        if (!body)
                return fail_set(fail, -EBADMSG, "the job credential is malformed");
        if (!streq(body->node, node))
                return fail_set(fail, -EACCES,
                                "the credential of job %u is for node \"%.64s\", not \"%s\"",
                                body->job_id, body->node, node);
        if (now >= body->expires)
                return fail_set(fail, -EKEYEXPIRED,
                                "the credential of job %u ended %llu s ago; compare the clocks of "
                                "this node "
                                "and the controller",
                                body->job_id,
                                (unsigned long long)((now - body->expires) / USEC_PER_SEC));

        *ret = TAKE(body);
        return 0;
}

int credential_verify(const uint8_t *public_key, size_t size, const Slumber__Credential *credential,
                const char *node, usec_t now, Slumber__CredentialBody **ret, struct fail *fail) {
        assert(public_key || size == 0);
        assert(node);
        assert(ret);

        if (size != CREDENTIAL_KEY_SIZE)
                return fail_set(fail, -EINVAL,
                                "the controller's public key has %zu bytes, expected %u", size,
                                CREDENTIAL_KEY_SIZE);
        if (sodium_init() < 0)
                return fail_set(fail, -EIO, "libsodium cannot be initialised");
        if (!credential || !signature_good(credential, public_key))
                return fail_set(fail, -EKEYREJECTED,
                                "the job credential was not signed by this cluster's controller");
        return credential_read(credential, node, now, ret, fail);
}

/* Invariant: no packed protobuf message of Slumber begins with the text what. */
static uint8_t *with_kind(const char *what, const uint8_t *data, size_t size, size_t *ret_size) {
        size_t n = strlen(what) + 1;
        uint8_t *whole = xmalloc(n + size);

        memcpy(whole, what, n);
        memcpy(whole + n, data, size);
        *ret_size = n + size;
        return whole;
}

void credential_key_sign(const struct credential_key *key, const char *what, const uint8_t *data,
                size_t size, uint8_t ret[static SIGNATURE_SIZE]) {
        size_t n;
        _cleanup_free_ uint8_t *whole = with_kind(what, data, size, &n);

        crypto_sign_ed25519_detached(ret, NULL, whole, n, key->secret);
}

bool credential_key_signed(const uint8_t public_key[static CREDENTIAL_KEY_SIZE], const char *what,
                const uint8_t *data, size_t size, const uint8_t signature[static SIGNATURE_SIZE]) {
        size_t n;
        _cleanup_free_ uint8_t *whole = with_kind(what, data, size, &n);

        return sodium_init() >= 0 &&
               crypto_sign_ed25519_verify_detached(signature, whole, n, public_key) == 0;
}

uint64_t keyed_number(const uint64_t key[static 2], const uint64_t *of, size_t n) {
        uint64_t secret[2] = { htole64(key[0]), htole64(key[1]) }, ret;
        _cleanup_free_ uint64_t *bytes = xnew(uint64_t, n + 1);

        _Static_assert(sizeof secret == crypto_shorthash_KEYBYTES &&
                                        sizeof ret == crypto_shorthash_BYTES,
                        "whole numbers");
        for (size_t i = 0; i < n; i++)
                bytes[i] = htole64(of[i]);
        crypto_shorthash((uint8_t *)&ret, (const uint8_t *)bytes, n * sizeof bytes[0],
                        (const uint8_t *)secret);
        return le64toh(ret);
}

void digest_of(const uint8_t *data, size_t size, uint8_t ret[static DIGEST_SIZE]) {
        crypto_generichash(ret, DIGEST_SIZE, data, size, NULL, 0);
}
