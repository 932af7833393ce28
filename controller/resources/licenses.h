/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/licenses.h - the licenses of the configuration and what is counted of each
   (license.h) */
#pragma once

#include "lib/base.h"

struct hres;

struct license {
        char *name; /* of a layer: "natural(node[01-16])" */
        uint32_t total;
        uint64_t used;           /* more than total, where the configuration has taken some away */
        uint32_t reserved;       /* by reservations that have begun, less what their jobs hold */
        bool infinite;           /* a layer: total says nothing */
        const struct hres *hres; /* that it is a layer of; NULL: it is a license */
};

struct licenses {
        struct license *list; /* by name */
        size_t n;
};

void licenses_done(struct licenses *l);
/* NULL: it is not configured */
struct license *license_find(const struct licenses *l, const char *name);
