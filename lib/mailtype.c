/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/mailtype.h"

#include <strings.h>

/* clang-format off */
static const struct {
        const char *word;
        uint32_t bits;
} words[] = {
        { "BEGIN", MAIL_BEGIN },
        { "END", MAIL_END },
        { "FAIL", MAIL_FAIL },
        { "REQUEUE", MAIL_REQUEUE },
        { "ARRAY_TASKS", MAIL_ARRAY_TASKS },
        { "ALL", MAIL_BEGIN | MAIL_END | MAIL_FAIL | MAIL_REQUEUE },
        { "NONE", 0 },
};
/* clang-format on */

static const char *const later[] = { "INVALID_DEPEND", "STAGE_OUT", "TIME_LIMIT", "TIME_LIMIT_50", "TIME_LIMIT_80", "TIME_LIMIT_90" };

static int add_word(const char *word, uint32_t *types, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strcasecmp(words[i].word, word) == 0) {
                        *types = words[i].bits ? *types | words[i].bits : 0;
                        return 0;
                }
        for (size_t i = 0; i < ELEMENTSOF(later); i++)
                if (strcasecmp(later[i], word) == 0)
                        return fail_set(fail, -ENOTSUP, "--mail-type=%s is not implemented by Slumber yet", later[i]);
        return fail_set(fail, -EINVAL, "Invalid --mail-type specification");
}

int mail_type_parse(const char *text, uint32_t *ret, struct fail *fail) {
        uint32_t types = 0;

        for (const char *p = text;; p++) {
                size_t n = strcspn(p, ",");
                _cleanup_free_ char *word = xstrndup(p, n);
                int r = add_word(word, &types, fail);
                if (r < 0)
                        return r;
                p += n;
                if (!*p)
                        break;
        }
        *ret = types;
        return 0;
}

char *mail_type_text(uint32_t types) {
        char *text = NULL;
        size_t size, n = 0;
        FILE *f = open_memstream(&text, &size);

        assert(f);
        for (size_t i = 0; i < 5; i++) /* the single bits */
                if (types & words[i].bits)
                        fprintf(f, "%s%s", n++ ? "," : "", words[i].word);
        fputs(n ? "" : "NONE", f);
        fclose(f);
        return text;
}
