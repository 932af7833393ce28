/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power-saving keys of scontrol update: SuspendExcNodes, SuspendExcParts, SuspendExcStates,
 * each with "=", "+=" or "-=". */
#include "controller/updates/exclude_update.h"

#include "controller/indexes/changed.h"

#include <strings.h>

/* Returns the kind of "SuspendExcNodes+"; -1: no such key. */
static int exclude_kind_of_key(const char *key, char *ret_op) {
        size_t length = strlen(key);
        bool sign = length && strchr("+-", key[length - 1]);

        *ret_op = sign ? key[length - 1] : '=';
        for (int k = 0; k < EXCLUDE_KIND_MAX; k++)
                if (strncasecmp(exclude_kind_text(k), key, length - sign) == 0 &&
                                strlen(exclude_kind_text(k)) == length - sign)
                        return k;
        return -1;
}

static enum slumber_error exclude_check_settings(const struct cluster *c,
                const struct update_setting *settings, size_t n, struct fail *fail) {
        unsigned seen = 0;

        for (size_t i = 0; i < n; i++) {
                char op;
                int kind = exclude_kind_of_key(settings[i].key, &op);
                if (kind < 0) {
                        fail_set(fail, -EOPNOTSUPP, "%.100s cannot be updated", settings[i].key);
                        return SLUMBER_NOT_SUPPORTED;
                }
                /* a second setting would be checked against the state before the first */
                if (seen & 1u << kind) {
                        fail_set(fail, -EINVAL, "%s is given twice", exclude_kind_text(kind));
                        return SLUMBER_BAD_UPDATE;
                }
                seen |= 1u << kind;
                if (exclusions_check_update(c, (enum exclude_kind)kind, op, settings[i].value,
                                    fail) < 0)
                        return SLUMBER_BAD_UPDATE;
        }
        return SLUMBER_OK;
}

enum slumber_error exclusions_update_all(struct cluster *c, const struct update_setting *settings,
                size_t n, usec_t now, unsigned *ret_kinds, struct fail *fail) {
        enum slumber_error e = exclude_check_settings(c, settings, n, fail);

        *ret_kinds = 0;
        for (size_t i = 0; e == SLUMBER_OK && i < n; i++) {
                char op;
                int kind = exclude_kind_of_key(settings[i].key, &op);
                exclusions_update(c, (enum exclude_kind)kind, op, settings[i].value, now);
                *ret_kinds |= 1u << kind;
        }
        return e;
}
