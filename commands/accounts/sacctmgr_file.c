/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacctmgr dump and load: the controller writes and reads the text; this command reads and
   writes the file, with the user's rights. */
#include "commands/accounts/sacctmgr.h"

#include "lib/errors.h"

#include <strings.h>

#define FILE_SIZE_MAX ((size_t)16 << 20)

struct words {
        const char *file, *cluster;
        bool clean;
};

static bool file_word_is_key(const char *word, size_t n, const char *key) {
        return n > 0 && n <= strlen(key) && strncasecmp(word, key, n) == 0;
}

/* A word without a key goes to *plain. */
static int file_parse_words(struct words *w, const char **plain, int argc, char **argv) {
        for (int i = 1; i < argc; i++) {
                const char *equals = strchr(argv[i], '=');
                size_t n = equals ? (size_t)(equals - argv[i]) : 0;
                if (file_word_is_key(argv[i], n, "File"))
                        w->file = equals + 1;
                else if (file_word_is_key(argv[i], n, "Cluster"))
                        w->cluster = equals + 1;
                else if (!equals && strcasecmp(argv[i], "clean") == 0 && plain == &w->file)
                        w->clean = true;
                else if (!equals && !*plain)
                        *plain = argv[i];
                else
                        return sacctmgr_complain("Unknown option: %s", argv[i]);
        }
        return EXIT_SUCCESS;
}

/* ---- dump ---- */

static int dump_write_file(const char *path, const char *text) {
        FILE *out = fopen(path, "we");
        bool failed = !out;

        if (out) {
                fputs(text, out);
                failed = ferror(out) != 0;
                failed |= fclose(out) != 0;
        }
        return failed ? sacctmgr_complain("%s: %s", path, strerror(errno)) : EXIT_SUCCESS;
}

int sacctmgr_dump(const struct sacctmgr *s, int argc, char **argv) {
        _cleanup_(wire_freep) struct wire *wire = NULL;
        _cleanup_envelope_ Envelope *reply = NULL;
        _cleanup_free_ char *usual = NULL;
        Slumber__AcctDump m = SLUMBER__ACCT_DUMP__INIT;
        struct words w = { 0 };
        struct fail fail = { 0 };
        uint32_t code = 0;

        if (file_parse_words(&w, &w.cluster, argc, argv) != EXIT_SUCCESS)
                return EXIT_FAILURE;
        if (isempty(w.cluster))
                return sacctmgr_complain("We need a cluster to dump.");
        usual = xasprintf("./%s.cfg", w.cluster);
        m.cluster = (char *)(uintptr_t)w.cluster;
        ENVELOPE(request, ACCT_DUMP, acct_dump, &m);
        int r = command_connect(&wire, &fail);
        if (r >= 0)
                r = wire_call(wire, &request, &reply, &code, &fail);
        if (r < 0)
                return sacctmgr_complain("%s",
                                code ? command_refusal("sacctmgr", code, fail.text) : fail.text);
        if (reply->body_case != SLUMBER__ENVELOPE__BODY_ACCT_REPLY)
                return sacctmgr_complain("the controller sent an unexpected answer");
        return dump_write_file(w.file ? w.file : usual, reply->acct_reply->text);
}

/* ---- load ---- */

static int load_read_file(const char *path, char **ret, size_t *ret_size) {
        _cleanup_fclose_ FILE *in = fopen(path, "re");

        if (!in)
                return sacctmgr_complain("%s: %s", path, strerror(errno));
        *ret = xmalloc(FILE_SIZE_MAX + 1);
        *ret_size = fread(*ret, 1, FILE_SIZE_MAX + 1, in);
        if (ferror(in))
                return sacctmgr_complain("%s: %s", path, strerror(errno));
        if (*ret_size > FILE_SIZE_MAX)
                return sacctmgr_complain("%s: the file is larger than %zu MiB", path,
                                FILE_SIZE_MAX >> 20);
        return EXIT_SUCCESS;
}

static int load_print_refusal(const void *user, uint32_t code, const char *why) {
        const struct words *w = user;

        return sacctmgr_complain("%s: %s", w->file, why);
}

int sacctmgr_load(const struct sacctmgr *s, int argc, char **argv) {
        Slumber__AcctImport m = SLUMBER__ACCT_IMPORT__INIT;
        _cleanup_free_ char *text = NULL;
        struct words w = { 0 };
        size_t size = 0;

        if (file_parse_words(&w, &w.file, argc, argv) != EXIT_SUCCESS)
                return EXIT_FAILURE;
        if (isempty(w.file))
                return sacctmgr_complain(
                                "We need a file to load: load FILE [clean] [cluster=NAME]");
        if (load_read_file(w.file, &text, &size) != EXIT_SUCCESS)
                return EXIT_FAILURE;
        m.text = (ProtobufCBinaryData){ size, (uint8_t *)text };
        m.cluster = (char *)(uintptr_t)strempty(w.cluster);
        m.clean = w.clean;
        ENVELOPE(request, ACCT_IMPORT, acct_import, &m);
        return sacctmgr_commit(s, &(struct sacctmgr_change){ .request = &request,
                                                  .commit = &m.commit,
                                                  .nothing = " Nothing new added.",
                                                  .nothing_code = EXIT_SUCCESS,
                                                  .refused = load_print_refusal,
                                                  .user = &w });
}
