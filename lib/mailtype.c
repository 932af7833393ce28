/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/mailtype.h"

#include <strings.h>

#define MAIL_USER_MAX 1024 /* several addresses with commas */

/* clang-format off */
static const struct {
        const char *word;
        uint32_t bits;
} words[] = {
        { "ARRAY_TASKS", MAIL_ARRAY_TASKS },
        { "INVALID_DEPEND", MAIL_INVALID_DEPEND },
        { "BEGIN", MAIL_BEGIN },
        { "END", MAIL_END },
        { "FAIL", MAIL_FAIL },
        { "REQUEUE", MAIL_REQUEUE },
        { "STAGE_OUT", MAIL_STAGE_OUT },
        { "TIME_LIMIT_50", MAIL_TIME_LIMIT_50 },
        { "TIME_LIMIT_80", MAIL_TIME_LIMIT_80 },
        { "TIME_LIMIT_90", MAIL_TIME_LIMIT_90 },
        { "TIME_LIMIT", MAIL_TIME_LIMIT }, /* last of the TIME_LIMIT words, the order of display */
        { "ALL", MAIL_INVALID_DEPEND | MAIL_BEGIN | MAIL_END | MAIL_FAIL | MAIL_REQUEUE | MAIL_STAGE_OUT },
        { "NONE", 0 },
};
#define SHOWN (ELEMENTSOF(words) - 2)
/* clang-format on */

static int mailtype_add_word(const char *word, uint32_t *types, bool *none, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcasecmp(words[i].word, word) == 0) {
                        *types |= words[i].bits;
                        *none |= words[i].bits == 0;
                        return 0;
                }
        return fail_set(fail, -EINVAL, "Invalid --mail-type specification");
}

int mail_type_parse(const char *text, uint32_t *ret, struct fail *fail) {
        uint32_t types = 0;
        bool none = false;

        for (const char *p = text;; p++) {
                size_t n = strcspn(p, ",");
                _cleanup_free_ char *word = xstrndup(p, n);
                int r = mailtype_add_word(word, &types, &none, fail);
                if (r < 0)
                        return r;
                p += n;
                if (!*p)
                        break;
        }
        *ret = none ? 0 : types;
        return 0;
}

char *mail_type_text(uint32_t types) {
        char *text = NULL;
        size_t size, n = 0;
        FILE *f = memstream_open(&text, &size);

        for (size_t i = 0; i < SHOWN; i++)
                if (types & words[i].bits)
                        fprintf(f, "%s%s", n++ ? "," : "", words[i].word);
        fputs(n ? "" : "NONE", f);
        memstream_close(f);
        return text;
}

/* True if the n bytes are a user's name or a domain. */
static bool is_mail_part(const char *text, size_t n) {
        static const char letters[] =
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
        size_t first = strspn(text, letters), all = 0;

        while (all < n && text[all] && (strchr(letters, text[all]) || strchr(".+-=", text[all])))
                all++;
        return first > 0 && all == n;
}

bool mail_is_domain(const char *text) {
        return strlen(text) <= MAIL_USER_MAX && is_mail_part(text, strlen(text));
}

static bool is_mail_address(const char *text, size_t n) {
        const char *at = memchr(text, '@', n);
        size_t name = at ? (size_t)(at - text) : n;

        return is_mail_part(text, name) && (!at || is_mail_part(at + 1, n - name - 1));
}

const char *mail_user_fault(const char *text) {
        if (strlen(text) > MAIL_USER_MAX)
                return "it is longer than 1024 bytes";
        while (*text) {
                size_t n = strcspn(text, ",");
                if (!is_mail_address(text, n) || (text[n] && !text[n + 1]))
                        return "NAME or NAME@DOMAIN was expected, of letters, digits and . _ + - =, "
                               "which begin with a letter, a digit or _; several with commas; quotes "
                               "and other characters that RFC 5321 allows are not taken";
                text += n + (text[n] == ',');
        }
        return NULL;
}

char *mail_user_default(const char *user, const char *domain) {
        return isempty(domain) ? xstrdup(user) : xasprintf("%s@%s", user, domain);
}
