/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/strtab.h - tables of an enum's words; a unit test converts each word to its value and back */
#pragma once

#include "lib/base.h"

#include <strings.h>

/* Defines NAME_text(value) -> word or NULL. */
#define DEFINE_STRTAB_TEXT(name, table)                                                            \
        const char *name##_text(int value) {                                                       \
                return value >= 0 && (size_t)value < ELEMENTSOF(table) ? (table)[value] : NULL;    \
        }
/* Defines NAME_parse(word) -> value or -EINVAL (any case). */
#define DEFINE_STRTAB_PARSE(name, table)                                                           \
        int name##_parse(const char *word) {                                                       \
                for (size_t i = 0; i < ELEMENTSOF(table); i++)                                     \
                        if ((table)[i] && strcasecmp((table)[i], word) == 0)                       \
                                return (int)i;                                                     \
                return -EINVAL;                                                                    \
        }
/* Defines both. */
#define DEFINE_STRTAB(name, table)                                                                 \
        DEFINE_STRTAB_TEXT(name, table)                                                            \
        DEFINE_STRTAB_PARSE(name, table)
#define DECLARE_STRTAB_TEXT(name)  const char *name##_text(int value)
#define DECLARE_STRTAB_PARSE(name) int name##_parse(const char *word)
#define DECLARE_STRTAB(name)                                                                       \
        DECLARE_STRTAB_TEXT(name);                                                                 \
        DECLARE_STRTAB_PARSE(name)
