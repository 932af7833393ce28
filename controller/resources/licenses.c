/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/resources/licenses.h"

struct license *license_find(const struct licenses *l, const char *name) {
        size_t at = FIRST_NOT(l->n, i, strcmp(l->list[i].name, name) < 0);

        return at < l->n && streq(l->list[at].name, name) ? &l->list[at] : NULL;
}

void licenses_done(struct licenses *l) {
        for (size_t i = 0; i < l->n; i++)
                free(l->list[i].name);
        free(l->list);
        *l = (struct licenses){ 0 };
}
