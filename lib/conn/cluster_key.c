/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster key: bytes of a file, and the TLS key derived from them (docs/protocol.md, "TLS").
 *
 * Connections and servers hold references: the owner may free the key at any time. */
#include "lib/conn/conn_private.h"

#include <ctype.h>
#include <fcntl.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>
#include <sys/stat.h>

/* Purposes of derived keys: a later key from the same file gets a purpose of its own. */
static const char salt[] = "slumber cluster key";
static const char info[] = "tls13 psk v1";
static const char shared_info[] = "tls13 psk of two clusters v1";
static const char print_info[] = "fingerprint v1";
static const char identity[] = "slumber";

static int cluster_key_check_file(int fd, const char *path, size_t *ret_size, struct fail *fail) {
        struct stat st;

        if (fstat(fd, &st) < 0)
                return fail_set(fail, -errno, "cluster key %s: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EINVAL, "cluster key %s is not a regular file", path);
        if (st.st_uid != geteuid() && st.st_uid != 0)
                return fail_set(fail, -EPERM,
                                "cluster key %s belongs to uid %u; it must belong to uid %u or "
                                "root",
                                path, st.st_uid, geteuid());
        if (st.st_mode & 077)
                return fail_set(fail, -EPERM,
                                "cluster key %s has mode %04o: group and others must have no "
                                "access (chmod 600)",
                                path, st.st_mode & 07777);
        if (st.st_size < CLUSTER_KEY_MIN || st.st_size > CLUSTER_KEY_MAX)
                return fail_set(fail, -EINVAL,
                                "cluster key %s has %lld bytes; it must have %d to %d", path,
                                (long long)st.st_size, CLUSTER_KEY_MIN, CLUSTER_KEY_MAX);
        *ret_size = (size_t)st.st_size;
        return 0;
}

/* Derives a key by HKDF with SHA-256 (RFC 5869): a key file may be longer than a key, and has no
   other use. */
static int cluster_key_derive(uint8_t *bytes, size_t size, const char *purpose, uint8_t *ret) {
        OSSL_PARAM params[] = {
                OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0),
                OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, bytes, size),
                OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt,
                                sizeof salt - 1),
                OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)(uintptr_t)purpose,
                                strlen(purpose)),
                OSSL_PARAM_construct_end(),
        };
        EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
        EVP_KDF_CTX *context = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
        bool ok = context && EVP_KDF_derive(context, ret, CLUSTER_PSK_SIZE, params) == 1;

        EVP_KDF_CTX_free(context);
        EVP_KDF_free(kdf);
        return ok ? 0 : -ENOTSUP;
}

char *cluster_key_path(const char *configured) {
        const char *credentials = getenv("CREDENTIALS_DIRECTORY");

        if (!isempty(credentials)) {
                _cleanup_free_ char *path = xasprintf("%s/cluster.key", credentials);
                if (access(path, F_OK) == 0)
                        return TAKE(path);
        }
        return xstrdup(isempty(configured) ? "/etc/slumber/cluster.key" : configured);
}

char *cluster_key_identity(const char *cluster) {
        char *text = xasprintf("slumber cluster %s", cluster);

        for (char *c = text; *c; c++)
                *c = (char)tolower((unsigned char)*c);
        return text;
}

static int cluster_key_read_file(const char *path, const char *purpose, char *as,
                struct cluster_key **ret, struct fail *fail) {
        _cleanup_free_ char *name = as;
        uint8_t bytes[CLUSTER_KEY_MAX];
        size_t size = 0;
        int r;

        /* O_NONBLOCK: a FIFO at path must not block the start. */
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0)
                return fail_set(fail, -errno, "cannot read the cluster key %s: %s", path,
                                strerror(errno));
        r = cluster_key_check_file(fd, path, &size, fail);
        if (r < 0)
                return r;
        if (read(fd, bytes, size) != (ssize_t)size)
                return fail_set(fail, -EIO, "cluster key %s cannot be read in one piece", path);

        _cleanup_(cluster_key_freep) struct cluster_key *key = xnew0(struct cluster_key, 1);
        key->refs = 1;
        key->identity = TAKE(name);
        r = cluster_key_derive(bytes, size, purpose, key->psk);
        if (r >= 0)
                r = cluster_key_derive(bytes, size, print_info, key->print);
        OPENSSL_cleanse(bytes, sizeof bytes);
        if (r < 0)
                return fail_set(fail, r, "OpenSSL offers no HKDF with SHA-256");
        for (int server = 0; server < 2; server++) {
                key->context[server] = conn_tls_context(key, server);
                if (!key->context[server])
                        return fail_set(fail, -ENOTSUP,
                                        "OpenSSL offers no TLS 1.3 with TLS_AES_128_GCM_SHA256");
        }
        *ret = TAKE(key);
        return 0;
}

int cluster_key_read(const char *path, struct cluster_key **ret, struct fail *fail) {
        return cluster_key_read_file(path, info, xstrdup(identity), ret, fail);
}

int cluster_key_read_shared(const char *path, const char *own, struct cluster_key **ret,
                struct fail *fail) {
        return cluster_key_read_file(path, shared_info, cluster_key_identity(own), ret, fail);
}

bool cluster_key_same(const struct cluster_key *a, const struct cluster_key *b) {
        return a == b || (a && b && CRYPTO_memcmp(a->print, b->print, sizeof a->print) == 0);
}

struct cluster_key *cluster_key_ref(const struct cluster_key *key) {
        struct cluster_key *k = (struct cluster_key *)
                        key; /* const protects the key, not the number of references */

        k->refs++;
        return k;
}

struct cluster_key *cluster_key_free(struct cluster_key *key) {
        if (!key || --key->refs > 0)
                return NULL;
        SSL_CTX_free(key->context[0]);
        SSL_CTX_free(key->context[1]);
        OPENSSL_cleanse(key->psk, sizeof key->psk);
        free(key->identity);
        free(key);
        return NULL;
}
