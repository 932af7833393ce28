/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/resources/licenses.h - the configured licenses and their counts (license.h) */
#pragma once

#include "lib/base.h"

struct hres;

struct license {
        char *name; /* for a layer: "natural(node[01-16])" */
        uint32_t total;
        uint64_t used;     /* exceeds total if the configuration has been reduced */
        uint32_t reserved; /* kept by active reservations, minus the licenses held by their jobs */
        bool infinite;     /* a layer without limit: total is meaningless */
        const struct hres *hres; /* the resource of a layer; NULL: a license */
};

struct licenses {
        struct license *list; /* sorted by name */
        size_t n;
};

void licenses_done(struct licenses *l);
/* NULL: not configured */
struct license *license_find(const struct licenses *l, const char *name);
