/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/step/mpi/pmi_space.h - inside slumberstepd: pairs of key and value put by tasks with PMI
 * (pure) */
#pragma once

#include "lib/base.h"

struct pmi_space { /* ordered by key */
        void *tree;
        size_t size; /* bytes of all texts and of the pairs' memory */
};

void pmi_space_put(struct pmi_space *space, const char *key, const char *value);
/* false: key or value is missing or too long, or the space is full (64 MiB). */
bool pmi_space_put_checked(struct pmi_space *space, const char *key, const char *value);
/* Like pmi_space_put_checked(), with the limits PMI_LONG_KEY_MAX and PMI_LONG_VALUE_MAX. */
bool pmi_space_put_long(struct pmi_space *space, const char *key, const char *value);
bool pmi_space_drop(struct pmi_space *space, const char *key);             /* false: no such key */
const char *pmi_space_get(const struct pmi_space *space, const char *key); /* NULL: no such key */
void pmi_space_done(struct pmi_space *space);
