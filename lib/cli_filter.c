/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Format of the link: "WORD,WORD:CLUSTER:SCRIPT", or the script's path alone if lua is the only
   filter. */
#include "lib/cli_filter.h"
#include "lib/wordlist.h"

#include <strings.h>

#define PREFIX "cli_filter/"

static const char *const words_of[FILTER_KINDS] = {
        [FILTER_LUA] = "lua",
        [FILTER_USER_DEFAULTS] = "user_defaults",
        [FILTER_SYSLOG] = "syslog",
};

static bool cli_filter_has(const struct cli_filter *f, enum cli_filter_kind kind) {
        for (size_t i = 0; i < f->n; i++)
                if (f->kinds[i] == kind)
                        return true;
        return false;
}

/* Returns false for an unknown word. */
static bool cli_filter_add(struct cli_filter *f, const char *word) {
        size_t skip = strncasecmp(word, PREFIX, strlen(PREFIX)) == 0 ? strlen(PREFIX) : 0;

        for (int k = 0; k < FILTER_KINDS; k++) {
                if (strcasecmp(words_of[k], word + skip) != 0)
                        continue;
                if (!cli_filter_has(f, (enum cli_filter_kind)k))
                        f->kinds[f->n++] = (enum cli_filter_kind)k;
                return true;
        }
        return false;
}

void cli_filter_words(struct cli_filter *f, const char *words) {
        f->n = 0;
        for_each_word(w, words, ", ")
                (void)cli_filter_add(f, w);
}

char *cli_filter_text(const struct cli_filter *f, const char *cluster, const char *script) {
        bool lua = cli_filter_has(f, FILTER_LUA);
        _cleanup_free_ char *words = NULL;

        if (f->n == 0 || (f->n == 1 && lua))
                return f->n ? xstrdup(script) : NULL;
        for (size_t i = 0; i < f->n; i++) {
                text_add_word(&words, ",", "%s", words_of[f->kinds[i]]);
        }
        return xasprintf("%s:%s:%s", words, cluster, lua ? script : "");
}

int cli_filter_parse(const char *text, struct cli_filter *ret) {
        const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;

        *ret = (struct cli_filter){ 0 };
        if (*text == '/') {
                *ret = (struct cli_filter){ { FILTER_LUA }, 1, xstrdup(""), xstrdup(text) };
                return 0;
        }
        if (!second)
                return -EINVAL;
        _cleanup_free_ char *copy = xstrndup(text, (size_t)(first - text));
        for_each_word(w, copy, ",")
                if (!cli_filter_add(ret, w))
                        return -EINVAL;
        if (ret->n == 0 || cli_filter_has(ret, FILTER_LUA) != (second[1] == '/'))
                return -EINVAL;
        ret->cluster = xstrndup(first + 1, (size_t)(second - first - 1));
        ret->script = xstrdup(second + 1);
        return 0;
}

void cli_filter_done(struct cli_filter *f) {
        free(f->cluster);
        free(f->script);
        *f = (struct cli_filter){ 0 };
}
