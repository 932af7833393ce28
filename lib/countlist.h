/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/countlist.h - names with counts, "matlab:2,ansys": licenses, as they are configured and as
   jobs ask for them */
#pragma once

#include "lib/fail.h"

struct countlist {
        bool any; /* joined by "|": one of them will do */
        size_t n; /* at least 1 */
        struct count {
                char *name;
                uint32_t n; /* at least 1 */
        } list[];
};

/* Names joined by commas (or semicolons), or, where may_any, by "|"; behind each perhaps ":" or "="
   and a count, else 1.  A name that stands twice counts with both, one with 0 not at all.  *ret
   NULL: nothing is left.  -EINVAL names the word. */
int countlist_parse(const char *text, bool may_any, struct countlist **ret, struct fail *fail);
/* The same, joined by commas, of names that may end in parentheses, "flat(node[09-12]):4": layers
   of hierarchical resources. */
int countlist_parse_layers(const char *text, struct countlist **ret, struct fail *fail);
struct countlist *countlist_copy(const struct countlist *c); /* takes NULL */
/* The entries of a, then those of b; both are taken over and may be NULL. */
struct countlist *countlist_join(struct countlist *a, struct countlist *b);
/* One entry of it alone. */
struct countlist *countlist_one(const struct countlist *c, size_t at);
/* "ansys:1,matlab:2"; "" for NULL; the caller frees. */
char *countlist_text(const struct countlist *c);
struct countlist *countlist_free(struct countlist *c);
DEFINE_CLEANUP(struct countlist *, countlist_free)
