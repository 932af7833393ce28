/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands/setting.h"

#include <strings.h>

int setting_parse(char *word, struct setting *ret) {
        char *equals = strchr(word, '='), *value;
        struct setting s = { .key = word };
        size_t n;

        if (!equals || equals == word)
                return -EINVAL;
        value = equals + 1;
        *equals = 0;
        if (equals[-1] == '+' || equals[-1] == '-') {
                s.sign = equals[-1];
                equals[-1] = 0;
        }
        n = strlen(value);
        if (n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n - 1] == value[0]) {
                value[n - 1] = 0;
                value++;
        }
        s.value = value;
        if (!*s.key)
                return -EINVAL;
        *ret = s;
        return 0;
}

bool setting_is(const struct setting *s, const char *key, size_t least) {
        size_t n = strlen(s->key);

        return n >= least && n <= strlen(key) && strncasecmp(s->key, key, n) == 0;
}

const char *node_state_word(const char *text) {
        static const struct {
                const char *word;
                size_t least;
        } states[] = {
                { "CANCEL_REBOOT", 3 },
                { "DOWN", 4 },
                { "DRAIN", 3 },
                { "FAIL", 3 },
                { "FUTURE", 3 },
                { "IDLE", 4 },
                { "NORESP", 3 },
                { "POWER_DOWN", 7 },
                { "POWER_DOWN_ASAP", 12 },
                { "POWER_DOWN_FORCE", 12 },
                { "POWER_UP", 7 },
                { "RESUME", 3 },
                { "UNDRAIN", 3 },
        };
        size_t n = strlen(text);

        for (size_t i = 0; i < ELEMENTSOF(states); i++)
                if (n >= states[i].least && n <= strlen(states[i].word) &&
                                strncasecmp(states[i].word, text, n) == 0)
                        return states[i].word;
        return NULL;
}
