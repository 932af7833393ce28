/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/core/limits.h"

#include <strings.h>

static const char *const tres_words[] = {
        [TRES_CPU] = "cpu",
        [TRES_MEM] = "mem",
        [TRES_NODE] = "node",
        [TRES_BILLING] = "billing",
};
_Static_assert(ELEMENTSOF(tres_words) == TRES_MAX, "a resource without a word");
DEFINE_STRTAB(tres_name, tres_words)

void tres_clear(struct tres_set *set) {
        for (size_t i = 0; i < TRES_MAX; i++)
                set->of[i] = TRES_NONE;
}

void limits_clear(struct limits *l) {
        for (size_t i = 0; i < LIMIT_COUNT_MAX; i++)
                l->count[i] = LIMIT_NONE;
        for (size_t i = 0; i < LIMIT_TRES_MAX; i++)
                tres_clear(&l->tres[i]);
        l->max_wall = l->grp_wall = NO_LIMIT;
}

/* ---- text ---- */

/* More than any cluster has, and far from where sums of it would overflow. */
#define TRES_VALUE_MAX (UINT64_C(1) << 48)

static const char units[] = "MGTP"; /* of memory, each 1024 of the one before */

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

static int parse_one(char *word, struct tres_set *set, struct fail *fail) {
        char *value = strchr(word, '=');
        uint64_t v;

        if (!value)
                return fail_set(fail, -EINVAL, "\"%.100s\" is not NAME=NUMBER, as in cpu=4", word);
        *value++ = 0;
        int kind = tres_name_parse(word);
        if (kind < 0)
                return fail_set(fail, -EINVAL, "there is no limit of \"%.100s\"; there are cpu, mem, node and billing", word);
        if (parse_value((enum tres)kind, value, &v) < 0)
                return fail_set(fail, -EINVAL, "%s=%.100s: \"%.100s\" is not a number%s", word, value, value,
                                kind == TRES_MEM ? " of MB, or one with K, M, G, T or P" : "");
        set->of[kind] = v;
        return 0;
}

int tres_parse(const char *text, struct tres_set *set, struct fail *fail) {
        _cleanup_free_ char *copy = xstrdup(text);
        struct tres_set new = *set;
        char *rest = NULL;

        assert(text && set);
        if (isempty(text) || streq(text, "-1")) {
                tres_clear(set);
                return 0;
        }
        for (char *w = strtok_r(copy, ",", &rest); w; w = strtok_r(NULL, ",", &rest)) {
                int r = parse_one(w, &new, fail);
                if (r < 0)
                        return r;
        }
        *set = new;
        return 0;
}

/* The largest unit that keeps it whole. */
static char *memory_text(uint64_t mb) {
        const char *unit = units;

        while (mb && mb % 1024 == 0 && unit[1]) {
                mb /= 1024;
                unit++;
        }
        return xasprintf("%llu%c", (unsigned long long)mb, *unit);
}

char *tres_text(const struct tres_set *set) {
        char *text = xstrdup("");

        for (size_t i = 0; i < TRES_MAX; i++) {
                if (set->of[i] == TRES_NONE)
                        continue;
                _cleanup_free_ char *value = i == TRES_MEM ? memory_text(set->of[i]) :
                                                             xasprintf("%llu", (unsigned long long)set->of[i]);
                char *longer = xasprintf("%s%s%s=%s", text, *text ? "," : "", tres_words[i], value);
                free(text);
                text = longer;
        }
        return text;
}
