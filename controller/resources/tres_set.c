/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/tres_set.h"
#include "lib/wordlist.h"

#include <strings.h>

static const char *const tres_words[TRES_NAMED] = {
        [TRES_CPU] = "cpu",
        [TRES_MEM] = "mem",
        [TRES_NODE] = "node",
        [TRES_BILLING] = "billing",
};
DEFINE_STRTAB_PARSE(tres_name, tres_words)

void tres_clear(struct tres_set *set) {
        for (size_t i = 0; i < TRES_MAX; i++)
                set->of[i] = TRES_NONE;
}

/* ---- generic resources and licenses ---- */

int tres_find(const struct tres_names *names, const char *text) {
        for (size_t i = 0; i < names->n; i++)
                if (strcasecmp(names->list[i].text, text) == 0)
                        return (int)(TRES_NAMED + i);
        return -ENOENT;
}

int tres_names_add(struct tres_names *names, const char *text, struct fail *fail) {
        for_each_word(w, text, ",") {
                w[strcspn(w, "=")] = 0;
                bool license = strncasecmp(w, "license/", 8) == 0,
                     gres = strncasecmp(w, "gres/", 5) == 0;
                if ((!license && !gres) || tres_find(names, w) >= 0)
                        continue;
                if (names->n == CONFIG_TRES_MAX)
                        return fail_set(fail, -ENOSPC,
                                        "%.100s is one too many: %d generic resources and licenses can be limited",
                                        w, CONFIG_TRES_MAX);
                const char *name = strchr(w, '/') + 1, *type = license ? NULL : strchr(name, ':');
                names->list[names->n++] = (struct tres_named){ .text = xstrdup(w),
                        .license = license,
                        .type = type ? xstrdup(type + 1) : NULL,
                        .name = type ? xstrndup(name, (size_t)(type - name)) : xstrdup(name) };
        }
        return 0;
}

void tres_names_cut(struct tres_names *names, size_t n) {
        for (; names->n > n; names->n--) {
                free(names->list[names->n - 1].text);
                free(names->list[names->n - 1].name);
                free(names->list[names->n - 1].type);
        }
}

void tres_names_done(struct tres_names *names) {
        tres_names_cut(names, 0);
}

/* ---- text ---- */

/* More than any cluster has, and far below an overflow of sums. */
#define TRES_VALUE_MAX (UINT64_C(1) << 48)

static const char units[] = "MGTP"; /* units of memory, each 1024 times the unit before */

static int parse_value(enum tres kind, const char *text, uint64_t *ret) {
        uint64_t v = 0;
        const char *p = text;

        if (streq(text, "-1")) {
                *ret = TRES_NONE;
                return 0;
        }
        for (; *p >= '0' && *p <= '9'; p++) {
                v = v * 10 + (uint64_t)(*p - '0');
                if (v > TRES_VALUE_MAX)
                        return -ERANGE;
        }
        if (p == text)
                return -EINVAL;
        if (*p && kind == TRES_MEM) {
                const char *unit = strchr("KMGTP", *p & ~0x20);
                if (!unit || p[1])
                        return -EINVAL;
                if (*unit == 'K')
                        v = DIV_ROUND_UP(v, 1024);
                for (const char *u = units; *unit != 'K' && u < strchr(units, *unit); u++)
                        v = v > TRES_VALUE_MAX ? v : v * 1024;
        } else if (*p) {
                return -EINVAL;
        }
        if (v > TRES_VALUE_MAX)
                return -ERANGE;
        *ret = v;
        return 0;
}

static int no_such_limit(const struct tres_names *names, const char *word, struct fail *fail) {
        _cleanup_free_ char *known = xstrdup("");

        for (size_t i = 0; i < names->n; i++) {
                text_add_word(&known, ", ", "%s", names->list[i].text);
        }
        return fail_set(fail, -EINVAL,
                        "there is no limit of \"%.100s\"; there are cpu, mem, node, billing%s%s",
                        word,
                        *known ? ", and of AccountingStorageTRES "
                               : " and what AccountingStorageTRES names",
                        known);
}

static int tres_parse_word(const struct tres_names *names, char *word, struct tres_set *set,
                struct fail *fail) {
        char *value = strchr(word, '=');
        uint64_t v;

        if (!value)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not NAME=NUMBER, as in cpu=4", word);
        *value++ = 0;
        int kind = tres_name_parse(word);
        if (kind < 0)
                kind = tres_find(names, word);
        if (kind < 0)
                return no_such_limit(names, word, fail);
        if (parse_value((enum tres)kind, value, &v) < 0)
                return fail_set(fail, -EINVAL, "%s=%.100s: \"%.100s\" is not a number%s", word,
                                value, value,
                                kind == TRES_MEM ? " of MB, or one with K, M, G, T or P" : "");
        set->of[kind] = v;
        return 0;
}

int tres_parse(const struct tres_names *names, const char *text, struct tres_set *set,
                struct fail *fail) {
        assert(names && text && set);

        struct tres_set new = *set;
        if (isempty(text) || streq(text, "-1")) {
                tres_clear(set);
                return 0;
        }
        for_each_word(w, text, ",") {
                int r = tres_parse_word(names, w, &new, fail);
                if (r < 0)
                        return r;
        }
        *set = new;
        return 0;
}

/* Uses the largest unit without a fraction. */
static char *tres_memory_text(uint64_t mb) {
        const char *unit = units;

        while (mb && mb % 1024 == 0 && unit[1]) {
                mb /= 1024;
                unit++;
        }
        return xasprintf("%llu%c", (unsigned long long)mb, *unit);
}

static const char *tres_word(const struct tres_names *names, size_t i) {
        return i < TRES_NAMED ? tres_words[i] : names->list[i - TRES_NAMED].text;
}

char *tres_text(const struct tres_names *names, const struct tres_set *set) {
        char *text = xstrdup("");

        for (size_t i = 0; i < TRES_NAMED + names->n; i++) {
                if (set->of[i] == TRES_NONE)
                        continue;
                _cleanup_free_ char *value =
                                i == TRES_MEM ? tres_memory_text(set->of[i])
                                              : xasprintf("%llu", (unsigned long long)set->of[i]);
                text_add_word(&text, ",", "%s=%s", tres_word(names, i), value);
        }
        return text;
}

static char *plain_value(uint64_t limit, const uint64_t *used) {
        char *text = limit == TRES_NONE ? xstrdup("N")
                                        : xasprintf("%llu", (unsigned long long)limit);

        if (!used)
                return text;
        char *both = xasprintf("%s(%llu)", text, (unsigned long long)*used);
        free(text);
        return both;
}

char *tres_plain_text(const struct tres_names *names, const struct tres_set *set,
                const struct tres_set *used) {
        char *text = xstrdup("");

        for (size_t i = 0; i < TRES_NAMED + names->n; i++) {
                if (set->of[i] == TRES_NONE && !used)
                        continue;
                _cleanup_free_ char *value = plain_value(set->of[i], used ? &used->of[i] : NULL);
                text_add_word(&text, ",", "%s=%s", tres_word(names, i), value);
        }
        return text;
}
