/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user's program says on its PMI socket, in both versions; pairs from other nodes; where
 * ranks run.  A message that is whole stays so whatever follows it, and its words are read again
 * from what was written of them. */
#include "agent/pmi/pmi_wire.h"

static void count(const char *key, const char *value, void *user) {
        if (strlen(key) > PMI_KEY_MAX || strlen(value) > PMI_VALUE_MAX)
                abort();
        ++*(size_t *)user;
}

static void check_written(const struct pmi_words *w) {
        struct pmi_words again;
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        for (size_t i = 0; i < w->n; i++)
                pmi_write_word(out, w->word[i].key, w->word[i].value);
        fclose(out);
        /* a key may have had a separator in it, which is written as it is */
        bool plain = true;
        for (size_t i = 0; i < w->n; i++)
                plain &= !strchr(w->word[i].key, ';');
        if (plain) {
                if (pmi_words_parse(PMI_2, text, size, &again) < 0 || again.n != w->n)
                        abort();
                for (size_t i = 0; i < w->n; i++)
                        if (!streq(again.word[i].value, w->word[i].value))
                                abort();
                pmi_words_done(&again);
        }
        free(text);
}

static void read_all(enum pmi_version version, const char *data, size_t size) {
        const char *body;
        size_t length;
        ssize_t n;

        while ((n = pmi_message(version, data, size, &body, &length)) > 0) {
                struct pmi_words w;
                if ((size_t)n > size || n > PMI_MESSAGE_MAX || body < data ||
                                body + length > data + n)
                        abort();
                if (pmi_message(version, data, (size_t)n, &body, &length) != n)
                        abort();
                if (pmi_words_parse(version, body, length, &w) >= 0) {
                        if (!pmi_command(&w) || w.n > PMI_WORDS_MAX)
                                abort();
                        if (version == PMI_2)
                                check_written(&w);
                }
                pmi_words_done(&w);
                data += n;
                size -= (size_t)n;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        char *text = xstrndup((const char *)data, size);
        uint32_t nodes[64];
        size_t pairs = 0;

        read_all(PMI_UNKNOWN, (const char *)data, size);
        read_all(PMI_1, (const char *)data, size);
        read_all(PMI_2, (const char *)data, size);
        if (pmi_pairs(data, size, count, &pairs) >= 0 && size && !pairs)
                abort();
        (void)pmi_mapping_parse(text, nodes, ELEMENTSOF(nodes));
        free(text);
        return 0;
}
