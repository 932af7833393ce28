/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lib/rlimits.h"

#include <strings.h>
#include <sys/resource.h>

/* clang-format off */
static const struct {
        const char *name;
        uint32_t mask;
} names[] = {
        { "ALL", RLIMITS_ALL },
        { "AS", 1u << RLIMIT_AS },
        { "CORE", 1u << RLIMIT_CORE },
        { "CPU", 1u << RLIMIT_CPU },
        { "DATA", 1u << RLIMIT_DATA },
        { "FSIZE", 1u << RLIMIT_FSIZE },
        { "MEMLOCK", 1u << RLIMIT_MEMLOCK },
        { "NOFILE", 1u << RLIMIT_NOFILE },
        { "NONE", 0 },
        { "NPROC", 1u << RLIMIT_NPROC },
        { "RSS", 1u << RLIMIT_RSS },
        { "STACK", 1u << RLIMIT_STACK },
};
/* clang-format on */

static int rlimits_add(const char *name, size_t n, uint32_t *set, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (strlen(names[i].name) == n && strncasecmp(names[i].name, name, n) == 0) {
                        *set |= names[i].mask;
                        return 0;
                }
        return fail_set(fail, -EDOM, "Bad rlimit name: %.*s", (int)MIN(n, (size_t)100), name);
}

int rlimits_parse(const char *list, uint32_t *ret, struct fail *fail) {
        uint32_t set = 0;

        for (const char *p = list; *p;) {
                size_t n = strcspn(p, ",");
                int r = rlimits_add(p, n, &set, fail);

                if (r < 0)
                        return r;
                p += n + (p[n] == ',');
        }
        *ret = set;
        return 0;
}
