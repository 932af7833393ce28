/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLS 1.3 with the cluster key as external pre-shared key: no certificates, no names, no other
 * version or suite.
 *
 * Both sides require a handshake by the key (SSL_session_reused) with an ephemeral exchange: a key
 * leaked later decrypts no recorded traffic. Tickets and early data are off. OpenSSL uses a custom
 * BIO, because its socket BIO would raise SIGPIPE. docs/protocol.md, "TLS". */
#include "lib/conn/conn_private.h"

#include <openssl/err.h>

static const unsigned char suite[] = { 0x13, 0x01 }; /* TLS_AES_128_GCM_SHA256 */

/* ---- the key ---- */

static SSL_SESSION *psk_session(SSL *ssl, const struct cluster_key *key) {
        const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, suite);
        SSL_SESSION *session = SSL_SESSION_new();

        if (session && cipher &&
                        SSL_SESSION_set1_master_key(session, key->psk, sizeof key->psk) == 1 &&
                        SSL_SESSION_set_cipher(session, cipher) == 1 &&
                        SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) == 1)
                return session;
        SSL_SESSION_free(session);
        return NULL;
}

static int use_psk(SSL *ssl, const EVP_MD *md, const unsigned char **ret_id, size_t *ret_size,
                SSL_SESSION **ret) {
        const struct cluster_key *key = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));

        *ret_id = (const unsigned char *)key->identity;
        *ret_size = strlen(key->identity);
        *ret = psk_session(ssl, key);
        return *ret != NULL;
}

static bool is_identity(const unsigned char *id, size_t size, const char *text) {
        return size == strlen(text) && memcmp(id, text, size) == 0;
}

/* A hello has room for thousands of identities; Slumber's clients offer one. */
#define IDENTITIES_MAX 8

/* Finds the key of an identity offered by a client; the handshake fails if the client does not have
   the key. */
static int find_psk(SSL *ssl, const unsigned char *id, size_t size, SSL_SESSION **ret) {
        struct conn *c = BIO_get_data(SSL_get_rbio(ssl));
        const struct conn_server *s = c->server;

        *ret = NULL;
        free(TAKE(c->cluster));
        if (++c->shown > IDENTITIES_MAX)
                return 1;
        if (is_identity(id, size, c->key->identity))
                *ret = psk_session(ssl, c->key);
        for (size_t i = 0; s && !*ret && i < s->n_others; i++) {
                if (!is_identity(id, size, s->others[i].identity))
                        continue;
                *ret = psk_session(ssl, s->others[i].key);
                c->cluster = xstrdup(s->others[i].name);
        }
        return 1; /* handshakes without a session fail */
}

SSL_CTX *conn_tls_context(struct cluster_key *key, bool server) {
        SSL_CTX *ctx = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());

        if (!ctx)
                return NULL;
        SSL_CTX_set_app_data(ctx, key);
        SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                              SSL_MODE_RELEASE_BUFFERS);
        SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_read_ahead(ctx, 1);
        SSL_CTX_set_quiet_shutdown(ctx, 0);
        if (server)
                SSL_CTX_set_psk_find_session_callback(ctx, find_psk);
        else {
                /* Certificates never pass: no issuer is trusted. */
                SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
                SSL_CTX_set_psk_use_session_callback(ctx, use_psk);
        }
        if (SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) == 1 &&
                        SSL_CTX_set_num_tickets(ctx, 0) == 1 &&
                        SSL_CTX_set_ciphersuites(ctx, "TLS_AES_128_GCM_SHA256") == 1 &&
                        SSL_CTX_set1_groups_list(ctx, "X25519:P-256") == 1)
                return ctx;
        SSL_CTX_free(ctx);
        return NULL;
}

/* ---- the BIO ---- */

static int bio_result(BIO *bio, ssize_t n, int retry) {
        BIO_clear_retry_flags(bio);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
                BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY);
        if (n == 0)
                BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
        return (int)n;
}

static int bio_write(BIO *bio, const char *data, int size) {
        struct conn *c = BIO_get_data(bio);

        return bio_result(bio, send(c->fd, data, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT),
                        BIO_FLAGS_WRITE);
}

static int bio_read(BIO *bio, char *data, int size) {
        struct conn *c = BIO_get_data(bio);

        return bio_result(bio, recv(c->fd, data, (size_t)size, MSG_DONTWAIT), BIO_FLAGS_READ);
}

static long bio_control(BIO *bio, int command, long number, void *pointer) {
        if (command == BIO_CTRL_EOF)
                return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
        return command == BIO_CTRL_FLUSH;
}

static BIO_METHOD *bio_method(void) {
        static BIO_METHOD *method;

        if (method)
                return method;
        method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "conn");
        if (!method || !BIO_meth_set_write(method, bio_write) ||
                        !BIO_meth_set_read(method, bio_read) ||
                        !BIO_meth_set_ctrl(method, bio_control))
                out_of_memory();
        return method;
}

/* ---- error texts ---- */

/* Reasons with a specific meaning here; others have OpenSSL's text. */
static const struct {
        int reason;
        const char *text;
} reasons[] = {
        { SSL_R_BINDER_DOES_NOT_VERIFY, "it has another cluster key" },
        { SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, "it offers no cluster key" },
        { SSL_R_NO_SHARED_CIPHER, "it offers no cluster key" },
        { SSL_R_TLSV1_ALERT_DECRYPT_ERROR, "it refuses our cluster key" },
        { SSL_R_SSLV3_ALERT_ILLEGAL_PARAMETER, "it refuses our cluster key" },
        { SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, "it refuses our cluster key" },
        { SSL_R_WRONG_VERSION_NUMBER, "it does not speak TLS" },
        { SSL_R_HTTP_REQUEST, "it does not speak TLS (a web browser?)" },
        { SSL_R_HTTPS_PROXY_REQUEST, "it does not speak TLS (a web browser?)" },
        { SSL_R_UNSUPPORTED_PROTOCOL, "it does not speak TLS 1.3" },
        { SSL_R_UNEXPECTED_EOF_WHILE_READING, "it was cut off" },
        { SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC, "a record was changed on the way" },
};

static const char *reason_text(unsigned long e) {
        for (size_t i = 0; i < ELEMENTSOF(reasons); i++)
                if (ERR_GET_LIB(e) == ERR_LIB_SSL && ERR_GET_REASON(e) == reasons[i].reason)
                        return reasons[i].text;
        const char *text = ERR_reason_error_string(e);
        return text ? text : "the protocol was violated";
}

/* Returns the error after an SSL_ function returned n <= 0. */
static ssize_t conn_tls_call_failed(struct conn *c, int n, int saved_errno, struct fail *fail) {
        unsigned long e;

        switch (SSL_get_error(c->ssl, n)) {
        case SSL_ERROR_WANT_READ:
                return -EAGAIN;
        case SSL_ERROR_WANT_WRITE:
                c->want_write = true;
                return -EAGAIN;
        case SSL_ERROR_ZERO_RETURN:
                return 0;
        case SSL_ERROR_SYSCALL:
                if (saved_errno == 0)
                        return fail_set(fail, -ECONNRESET, "it was cut off");
                return fail_set(fail, -saved_errno, "%s", strerror(saved_errno));
        default:
                e = ERR_peek_error();
                if (ERR_GET_REASON(e) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
                        return fail_set(fail, -ECONNRESET, "%s", reason_text(e));
                return fail_set(fail, -EPROTO, "%s", reason_text(e));
        }
}

static void conn_tls_begin_call(struct conn *c) {
        ERR_clear_error();
        errno = 0;
        c->want_write = false;
}

/* ---- sessions ---- */

int conn_tls_start(struct conn *c, bool server) {
        BIO *bio = BIO_new(bio_method());

        c->ssl = SSL_new(c->key->context[server]);
        if (!bio || !c->ssl)
                out_of_memory(); /* memory is the only possible cause */
        BIO_set_data(bio, c);
        BIO_set_init(bio, 1);
        SSL_set_bio(c->ssl, bio, bio);
        if (server)
                SSL_set_accept_state(c->ssl);
        else
                SSL_set_connect_state(c->ssl);
        return 0;
}

int conn_tls_handshake(struct conn *c, struct fail *fail) {
        conn_tls_begin_call(c);
        int n = SSL_do_handshake(c->ssl);
        if (n == 1 && !SSL_session_reused(c->ssl))
                return fail_set(fail, -EPROTO,
                                "TLS handshake failed: it did not use the cluster key");
        if (n == 1)
                return 1;

        int r = (int)conn_tls_call_failed(c, n, errno, fail);
        if (r == -EAGAIN)
                return 0;
        if (r == 0)
                r = fail_set(fail, -ECONNRESET, "it was cut off");
        return fail_prefix(fail, r, "TLS handshake failed");
}

ssize_t conn_tls_read(struct conn *c, uint8_t *data, size_t size, struct fail *fail) {
        conn_tls_begin_call(c);
        int n = SSL_read(c->ssl, data, (int)MIN(size, (size_t)INT32_MAX));
        return n > 0 ? n : conn_tls_call_failed(c, n, errno, fail);
}

bool conn_tls_is_drained(const struct conn *c, size_t n) {
        return n < SSL3_RT_MAX_PLAIN_LENGTH && !SSL_has_pending(c->ssl);
}

ssize_t conn_tls_write(struct conn *c, const uint8_t *data, size_t size, struct fail *fail) {
        conn_tls_begin_call(c);
        int n = SSL_write(c->ssl, data, (int)MIN(size, (size_t)INT32_MAX));
        if (n > 0)
                return n;
        ssize_t r = conn_tls_call_failed(c, n, errno, fail);
        return r == 0 ? -EPIPE : r;
}

/* Sends the closing alert if possible without waiting; not after a failure. */
void conn_tls_close(struct conn *c) {
        if (!c->ssl)
                return;
        if (SSL_is_init_finished(c->ssl) && c->queued == 0)
                SSL_shutdown(c->ssl);
        ERR_clear_error();
        SSL_free(TAKE(c->ssl));
}
