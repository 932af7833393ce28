/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/licenses.h - the licenses of the configuration and what is counted of each
   (license.h) */
#pragma once

#include "lib/base.h"

struct license {
        char *name;
        uint32_t total;
        uint32_t used;     /* more than total, where the configuration has taken some away */
        uint32_t reserved; /* by reservations that have begun, less what their jobs hold */
};

struct licenses {
        struct license *list; /* by name */
        size_t n;
};

void licenses_done(struct licenses *l);
/* NULL: it is not configured */
struct license *license_find(const struct licenses *l, const char *name);
