/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/countlist.h - names with counts, "matlab:2,ansys": licenses of the configuration and of
   jobs */
#pragma once

#include "lib/fail.h"

struct countlist {
        bool any; /* names joined by "|": any single entry suffices */
        size_t n; /* at least 1 */
        struct count {
                char *name;
                uint32_t n; /* at least 1 */
        } list[];
};

/* Reads names joined by commas or semicolons or, if may_any, by "|"; each name may have ":" or "="
   and a count, by default 1. Counts of a repeated name are added; names with count 0 are left out.
   *ret is NULL for an empty list. -EINVAL, -ERANGE (sum too large), -E2BIG: fail names the word. */
int countlist_parse(const char *text, bool may_any, struct countlist **ret, struct fail *fail);
/* countlist_parse() of comma lists whose names may end in parentheses, "flat(node[09-12]):4":
   layers of hierarchical resources. */
int countlist_parse_layers(const char *text, struct countlist **ret, struct fail *fail);
struct countlist *countlist_copy(const struct countlist *c); /* takes NULL */
/* Returns the entries of a, then of b. Takes ownership of both; each may be NULL. */
struct countlist *countlist_join(struct countlist *a, struct countlist *b);
/* Returns a new list with entry at only. */
struct countlist *countlist_one(const struct countlist *c, size_t at);
/* Returns "ansys:1,matlab:2"; "" for NULL. The caller frees. */
char *countlist_text(const struct countlist *c);
struct countlist *countlist_free(struct countlist *c);
DEFINE_CLEANUP(struct countlist *, countlist_free)
