/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmi_space.h - inside slumberstepd: pairs of key and value that tasks put by PMI
 * (pure)
 */
#pragma once

#include "lib/base.h"

struct pmi_space { /* by keys */
        void *tree;
        size_t size; /* bytes of its texts, and what a pair costs beside them */
};

void pmi_space_put(struct pmi_space *space, const char *key, const char *value);
/* false: too long, missing, or the space is full: 64 MiB. */
bool pmi_space_put_checked(struct pmi_space *space, const char *key, const char *value);
/* Likewise, up to PMI_LONG_KEY_MAX and PMI_LONG_VALUE_MAX bytes. */
bool pmi_space_put_long(struct pmi_space *space, const char *key, const char *value);
bool pmi_space_drop(struct pmi_space *space, const char *key); /* false: there is none */
const char *pmi_space_get(const struct pmi_space *space, const char *key); /* NULL: none */
void pmi_space_done(struct pmi_space *space);
