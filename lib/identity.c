/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/identity.h"

#include <ctype.h>

static int hex_digit_value(char c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        c |= 0x20;
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int mac_parse(const char *text, uint8_t ret[MAC_SIZE]) {
        char between = text[0] && text[1] ? text[2] : '\0';

        if (between != ':' && between != '-')
                between = '\0';
        for (size_t i = 0; i < MAC_SIZE; i++) {
                if (i > 0 && between && *text++ != between)
                        return -EINVAL;
                int high = hex_digit_value(text[0]), low = high < 0 ? -1 : hex_digit_value(text[1]);
                if (low < 0)
                        return -EINVAL;
                ret[i] = (uint8_t)(high << 4 | low);
                text += 2;
        }
        return *text ? -EINVAL : 0;
}

/* Returns the length of the word at p, up to a comma or the end. */
static size_t identity_word_length(const char *p) {
        return strcspn(p, ",");
}

static const char *word_next(const char *p) {
        p += identity_word_length(p);
        return *p ? p + 1 : p;
}

static bool identity_list_has(const char *list, const char *word, size_t n) {
        for (const char *p = list; *p; p = word_next(p))
                if (identity_word_length(p) == n && memcmp(p, word, n) == 0)
                        return true;
        return false;
}

static void identity_list_add(char list[IDENTITY_LIST_SIZE], const char *word) {
        size_t n = strlen(list), more = strlen(word);

        if (identity_list_has(list, word, more) || n + more + 2 > IDENTITY_LIST_SIZE)
                return;
        if (n)
                list[n++] = ',';
        memcpy(list + n, word, more + 1);
}

bool mac_spell(const char *mac, char ret[MAC_TEXT_SIZE]) {
        uint8_t b[MAC_SIZE], all = 0;

        if (mac_parse(mac, b) < 0 || b[0] & 1) /* multicast, including ff:ff:ff:ff:ff:ff */
                return false;
        for (size_t i = 0; i < MAC_SIZE; i++)
                all |= b[i];
        snprintf(ret, MAC_TEXT_SIZE, "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4],
                        b[5]);
        return all != 0;
}

void identity_add_mac(char list[IDENTITY_LIST_SIZE], const char *mac) {
        char word[MAC_TEXT_SIZE];

        if (mac_spell(mac, word))
                identity_list_add(list, word);
}

/* Beginnings of texts that vendors leave in place of a serial number. */
static const char *const placeholders[] = { "to be filled", "default string", "not ", "none", "n/a",
        "unknown", "invalid", "system serial", "base board serial", "board serial", "serial",
        "empty", "oem", "0123456789", "123456789", "void" };

static bool is_placeholder(const char *word) {
        if (strlen(word) < 4 || strspn(word, (const char[]){ word[0], 0 }) == strlen(word))
                return true;
        for (size_t i = 0; i < ELEMENTSOF(placeholders); i++)
                if (strncasecmp(word, placeholders[i], strlen(placeholders[i])) == 0)
                        return true;
        return false;
}

bool identity_copy(char ret[IDENTITY_WORD_MAX + 1], const char *text) {
        size_t n = strlen(text);

        while (n && isspace((unsigned char)*text))
                text++, n--;
        while (n && isspace((unsigned char)text[n - 1]))
                n--;
        *ret = 0;
        if (n > IDENTITY_WORD_MAX)
                return false;
        for (size_t i = 0; i < n; i++)
                if (text[i] < ' ' || text[i] > '~')
                        return false;
        memcpy(ret, text, n);
        ret[n] = 0;
        return n > 0;
}

void identity_add_serial(char list[IDENTITY_LIST_SIZE], const char *serial) {
        char word[IDENTITY_WORD_MAX + 1];

        if (identity_copy(word, serial) && !strchr(word, ',') && !is_placeholder(word))
                identity_list_add(list, word);
}

bool identity_shared(const char *a, const char *b, char ret[IDENTITY_WORD_MAX + 1]) {
        for (const char *p = a; *p; p = word_next(p)) {
                size_t n = identity_word_length(p);
                if (n == 0 || n > IDENTITY_WORD_MAX || !identity_list_has(b, p, n))
                        continue;
                memcpy(ret, p, n);
                ret[n] = 0;
                return true;
        }
        return false;
}
