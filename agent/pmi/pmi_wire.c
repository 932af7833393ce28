/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/pmi/pmi_wire.h"

#include <ctype.h>

/* ---- message boundaries ---- */

static const char *pmi_find_text(const char *data, size_t size, const char *what) {
        return memmem(data, size, what, strlen(what));
}

/* Returns the end of the line; a spawn request has many lines, up to "endcmd". */
static const char *pmi_end_of_lines(const char *data, size_t size) {
        static const char begin[] = "mcmd=", end[] = "endcmd\n";
        const char *p = NULL;

        if (size < strlen(begin) && memcmp(data, begin, size) == 0)
                return NULL; /* possibly the start of "mcmd=" */
        if (size < strlen(begin) || memcmp(data, begin, strlen(begin)) != 0)
                return memchr(data, '\n', size);
        for (p = data; (p = pmi_find_text(p, size - (size_t)(p - data), end)); p++)
                if (p > data && p[-1] == '\n')
                        return p + strlen(end) - 1;
        return NULL;
}

static ssize_t pmi_read_lines(const char *data, size_t size, const char **ret, size_t *ret_size) {
        const char *end = pmi_end_of_lines(data, MIN(size, (size_t)PMI_MESSAGE_MAX));

        if (!end)
                return size >= PMI_MESSAGE_MAX ? -EMSGSIZE : 0;
        *ret = data;
        *ret_size = (size_t)(end - data);
        return end - data + 1;
}

/* Parses digits with blanks before or after. */
static ssize_t pmi_read_length(const char *data) {
        size_t i = 0, length = 0;

        while (i < PMI_LENGTH && data[i] == ' ')
                i++;
        if (i == PMI_LENGTH || !isdigit((unsigned char)data[i]))
                return -EBADMSG;
        for (; i < PMI_LENGTH && isdigit((unsigned char)data[i]); i++)
                length = length * 10 + (size_t)(data[i] - '0');
        while (i < PMI_LENGTH && data[i] == ' ')
                i++;
        return i < PMI_LENGTH || length == 0 ? -EBADMSG : (ssize_t)length;
}

ssize_t pmi_message(enum pmi_version version, const char *data, size_t size, const char **ret_body,
                size_t *ret_body_size) {
        if (size == 0)
                return 0;
        if (version != PMI_2)
                return pmi_read_lines(data, size, ret_body, ret_body_size);
        if (size < PMI_LENGTH)
                return 0;
        ssize_t length = pmi_read_length(data);
        if (length < 0)
                return length;
        if (length > PMI_MESSAGE_MAX - PMI_LENGTH)
                return -EMSGSIZE;
        if ((size_t)length > size - PMI_LENGTH)
                return 0;
        *ret_body = data + PMI_LENGTH;
        *ret_body_size = (size_t)length;
        return PMI_LENGTH + length;
}

/* ---- words ---- */

void pmi_words_done(struct pmi_words *words) {
        free(words->text);
        free(words->word);
        *words = (struct pmi_words){ 0 };
}

static int pmi_words_add(struct pmi_words *w, size_t *allocated, char *word) {
        char *value = strchr(word, '=');

        if (!*word)
                return 0;
        if (w->n >= PMI_WORDS_MAX)
                return -E2BIG;
        if (value)
                *value++ = 0;
        GROW(w->word, *allocated, w->n);
        w->word[w->n++] = (struct pmi_word){ word, strempty(value) };
        return 0;
}

/* Splits at separators; with doubled, two separators in a row stand for one character of the
   text. */
static int pmi_words_split(struct pmi_words *w, size_t size, char separator, bool doubled) {
        size_t allocated = 0, to = 0, begin = 0;
        char *text = w->text;

        for (size_t i = 0; i < size; i++) {
                bool ends = text[i] == separator;
                if (ends && doubled && text[i + 1] == separator) {
                        ends = false;
                        i++;
                }
                if (!ends) {
                        text[to++] = text[i];
                        continue;
                }
                text[to++] = 0;
                int r = pmi_words_add(w, &allocated, text + begin);
                if (r < 0)
                        return r;
                begin = to;
        }
        text[to] = 0;
        return pmi_words_add(w, &allocated, text + begin);
}

int pmi_words_parse(enum pmi_version version, const char *body, size_t size,
                struct pmi_words *ret) {
        *ret = (struct pmi_words){ 0 };
        if (memchr(body, 0, size))
                return -EBADMSG;
        ret->text = xmalloc(size + 2); /* pmi_words_split() reads one byte more */
        memcpy(ret->text, body, size);
        ret->text[size] = ret->text[size + 1] = 0;
        bool spawn = version != PMI_2 && pmi_find_text(body, MIN(size, (size_t)5), "mcmd=");
        int r = pmi_words_split(ret, size,
                        version == PMI_2 ? ';'
                        : spawn          ? '\n'
                                         : ' ',
                        version == PMI_2);
        return r < 0 ? r : pmi_command(ret) ? 0 : -EBADMSG;
}

const char *pmi_word(const struct pmi_words *words, const char *key) {
        for (size_t i = 0; i < words->n; i++)
                if (streq(words->word[i].key, key))
                        return words->word[i].value;
        return NULL;
}

const char *pmi_command(const struct pmi_words *words) {
        const char *command = pmi_word(words, "cmd");

        return command ? command : pmi_word(words, "mcmd");
}

/* ---- writing ---- */

void pmi_write_word(FILE *out, const char *key, const char *value) {
        fprintf(out, "%s=", key);
        for (; *value; value++) {
                if (*value == ';')
                        putc(';', out);
                putc(*value, out);
        }
        putc(';', out);
}

/* ---- pairs ---- */

int pmi_pairs(const uint8_t *data, size_t size,
                void (*each)(const char *key, const char *value, void *user), void *user) {
        const char *p = (const char *)data, *end = p + size;

        while (p < end) {
                size_t key = strnlen(p, (size_t)(end - p));
                if (key == 0 || key > PMI_KEY_MAX || p + key == end)
                        return -EBADMSG;
                const char *value = p + key + 1;
                size_t length = strnlen(value, (size_t)(end - value));
                if (length > PMI_VALUE_MAX || value + length == end)
                        return -EBADMSG;
                each(p, value, user);
                p = value + length + 1;
        }
        return 0;
}

/* ---- ranks' nodes ---- */

struct block {
        uint32_t first, nodes, ranks;
};

/* Parses "(0,8,16)" and returns the end; NULL: invalid. */
static const char *read_block(const char *p, struct block *ret) {
        uint32_t *to[] = { &ret->first, &ret->nodes, &ret->ranks };

        for (size_t i = 0; i < ELEMENTSOF(to); i++) {
                char *end;
                if (*p++ != (i ? ',' : '(') || !isdigit((unsigned char)*p))
                        return NULL;
                unsigned long n = strtoul(p, &end, 10);
                if (n > UINT32_MAX / 2)
                        return NULL;
                *to[i] = (uint32_t)n;
                p = end;
        }
        return *p == ')' && ret->nodes && ret->ranks ? p + 1 : NULL;
}

int pmi_mapping_parse(const char *text, uint32_t *ret_node, size_t n) {
        static const char begin[] = "(vector";
        size_t rank = 0;

        if (strncmp(text, begin, strlen(begin)) != 0)
                return -EBADMSG;
        while (rank < n) {
                const char *p = text + strlen(begin);
                if (*p == ')')
                        return -EBADMSG;
                while (*p != ')') {
                        struct block b;
                        if (*p != ',' || !(p = read_block(p + 1, &b)))
                                return -EBADMSG;
                        for (uint32_t i = 0; i < b.nodes && rank < n; i++)
                                for (uint32_t k = 0; k < b.ranks && rank < n; k++)
                                        ret_node[rank++] = b.first + i;
                }
        }
        return 0;
}
