/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "lib/credential.h"

#include <fcntl.h>
#include <sys/stat.h>

struct folder {
        char path[64], file[96];
};

static int make_folder(void **state) {
        struct folder *f = xnew0(struct folder, 1);

        strcpy(f->path, "/tmp/test-credential-XXXXXX");
        assert_non_null(mkdtemp(f->path));
        snprintf(f->file, sizeof f->file, "%s/key", f->path);
        *state = f;
        return 0;
}

static int remove_folder(void **state) {
        struct folder *f = *state;

        unlink(f->file);
        assert_int_equal(rmdir(f->path), 0); /* nothing else was left behind */
        free(f);
        return 0;
}

static struct credential_key *load(const char *path) {
        struct credential_key *key = NULL;
        struct fail fail = { 0 };

        if (credential_key_load(path, &key, &fail) < 0)
                fail_msg("%s", fail.text);
        return key;
}

static Slumber__CredentialBody example(void) {
        static uint32_t groups[] = { 100, 65534 };
        Slumber__CredentialBody b = SLUMBER__CREDENTIAL_BODY__INIT;

        b.job_id = 7;
        b.step_id = 0xfffffffb;
        b.uid = 1000;
        b.gid = 1000;
        b.user = (char *)"ann";
        b.nodes = (char *)"n[1-3]";
        b.node = (char *)"n2";
        b.cpus = 4;
        b.cores = (char *)"0-3";
        b.expires = 1000 * USEC_PER_SEC;
        b.groups = groups;
        b.n_groups = 2;
        return b;
}

static Slumber__Credential *sign(const struct credential_key *key) {
        Slumber__CredentialBody b = example();
        Slumber__Credential *c = NULL;

        assert_int_equal(credential_sign(key, &b, &c), 0);
        return c;
}

static int verify(const struct credential_key *key, const Slumber__Credential *c, const char *node,
                usec_t now, struct fail *fail) {
        _cleanup_(credential_body_freep) Slumber__CredentialBody *b = NULL;
        int r = credential_verify(credential_key_public(key), CREDENTIAL_KEY_SIZE, c, node, now, &b,
                        fail);

        assert_true((r == 0) == (b != NULL));
        return r;
}

static void a_key_is_made_once_and_found_again(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *a = load(f->file),
                                                              *b = load(f->file);
        struct stat st;

        assert_memory_equal(credential_key_public(a), credential_key_public(b),
                        CREDENTIAL_KEY_SIZE);
        assert_int_equal(stat(f->file, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
}

static void what_was_signed_comes_back(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = sign(key);
        _cleanup_(credential_body_freep) Slumber__CredentialBody *b = NULL;

        assert_int_equal(credential_verify(credential_key_public(key), CREDENTIAL_KEY_SIZE, c, "n2",
                                         999 * USEC_PER_SEC, &b, NULL),
                        0);
        assert_int_equal(b->job_id, 7);
        assert_int_equal(b->uid, 1000);
        assert_string_equal(b->cores, "0-3");
        assert_int_equal(b->n_groups, 2);
        assert_int_equal(b->groups[1], 65534);
}

static void each_flipped_bit_is_refused(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = sign(key);
        ProtobufCBinaryData *const parts[] = { &c->body, &c->signature };

        for (size_t p = 0; p < ELEMENTSOF(parts); p++)
                for (size_t bit = 0; bit < parts[p]->len * 8; bit++) {
                        parts[p]->data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
                        assert_int_equal(verify(key, c, "n2", 1, NULL), -EKEYREJECTED);
                        parts[p]->data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
                }
        assert_int_equal(verify(key, c, "n2", 1, NULL), 0);
}

static void each_shorter_part_is_refused(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = sign(key);
        ProtobufCBinaryData *const parts[] = { &c->body, &c->signature };

        for (size_t p = 0; p < ELEMENTSOF(parts); p++) {
                size_t whole = parts[p]->len;

                while (parts[p]->len-- > 0)
                        assert_int_equal(verify(key, c, "n2", 1, NULL), -EKEYREJECTED);
                parts[p]->len = whole;
        }
        assert_int_equal(verify(key, NULL, "n2", 1, NULL), -EKEYREJECTED);
}

static void another_clusters_key_is_refused(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = sign(key);
        struct fail fail = { 0 };

        assert_int_equal(unlink(f->file), 0);
        _cleanup_(credential_key_freep) struct credential_key *other = load(f->file);
        assert_int_equal(verify(other, c, "n2", 1, &fail), -EKEYREJECTED);
        assert_non_null(strstr(fail.text, "not signed by this cluster"));

        Slumber__CredentialBody *b = NULL;
        assert_int_equal(credential_verify(credential_key_public(key), CREDENTIAL_KEY_SIZE - 1, c,
                                         "n2", 1, &b, NULL),
                        -EINVAL);
}

static void another_node_is_refused(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = sign(key);
        struct fail fail = { 0 };

        assert_int_equal(verify(key, c, "n1", 1, &fail), -EACCES);
        assert_string_equal(fail.text, "the credential of job 7 is for node \"n2\", not \"n1\"");
        assert_int_equal(verify(key, c, "", 1, NULL), -EACCES);
        assert_int_equal(verify(key, c, "n22", 1, NULL), -EACCES);
}

static void an_expired_credential_is_refused(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = sign(key);

        assert_int_equal(verify(key, c, "n2", 1000 * USEC_PER_SEC - 1, NULL), 0);
        assert_int_equal(verify(key, c, "n2", 1000 * USEC_PER_SEC, NULL), -EKEYEXPIRED);
}

static void a_credential_without_an_end_is_refused(void **state) {
        struct folder *f = *state;
        _cleanup_(credential_key_freep) struct credential_key *key = load(f->file);
        _cleanup_(credential_freep) Slumber__Credential *c = NULL;
        Slumber__CredentialBody b = example();

        b.expires = 0;
        assert_int_equal(credential_sign(key, &b, &c), 0);
        assert_int_equal(verify(key, c, "n2", 0, NULL), -EKEYEXPIRED);
}

static void write_file(const char *path, size_t size, mode_t mode) {
        static const char bytes[64];
        _cleanup_close_ int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, bytes, size), (ssize_t)size);
        assert_int_equal(fchmod(fd, mode), 0);
}

static void refused(const char *path, int error, const char *words) {
        struct credential_key *key = NULL;
        struct fail fail = { 0 };

        assert_int_equal(credential_key_load(path, &key, &fail), error);
        assert_null(key);
        if (!strstr(fail.text, words) || !strstr(fail.text, path))
                fail_msg("\"%s\" does not say %s and %s", fail.text, path, words);
}

static void bad_key_files_are_refused(void **state) {
        struct folder *f = *state;

        write_file(f->file, 32, 0640);
        refused(f->file, -EPERM, "mode 640, expected 600");
        write_file(f->file, 31, 0600);
        refused(f->file, -EINVAL, "31 bytes, expected 32");
        write_file(f->file, 0, 0600);
        refused(f->file, -EINVAL, "0 bytes");
        write_file(f->file, 33, 0600);
        refused(f->file, -EINVAL, "33 bytes");
        assert_int_equal(unlink(f->file), 0);

        assert_int_equal(mkfifo(f->file, 0600), 0);
        refused(f->file, -EINVAL, "not a regular file");
        assert_int_equal(unlink(f->file), 0);
        assert_int_equal(symlink("/dev/null", f->file), 0);
        refused(f->file, -ELOOP, "symbolic link");
        assert_int_equal(unlink(f->file), 0);
        refused("/nonexistent/folder/key", -ENOENT, "cannot make");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void) {
        static const struct CMUnitTest tests[] = {
                CASE(a_key_is_made_once_and_found_again),
                CASE(what_was_signed_comes_back),
                CASE(each_flipped_bit_is_refused),
                CASE(each_shorter_part_is_refused),
                CASE(another_clusters_key_is_refused),
                CASE(another_node_is_refused),
                CASE(an_expired_credential_is_refused),
                CASE(a_credential_without_an_end_is_refused),
                CASE(bad_key_files_are_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
