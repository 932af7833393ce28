/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/hostlist.h - ordered set of host names, written n[1-3,7]; duplicates are kept once */
#pragma once

#include "lib/fail.h"

struct hostlist;

/* names in one list: more than the largest cluster planned for */
#define HOSTLIST_MAX      131072
#define HOSTLIST_NAME_MAX 255 /* bytes of one name */

struct hostlist *hostlist_new(void);
/* Slurm's syntax: "a,b[1-3,007-010]x[1-2]"; several bracket groups, zero padding kept.
   On failure *ret is untouched and fail says what is wrong with text.  More than HOSTLIST_MAX names
   are refused before they are made. */
int hostlist_parse(const char *text, struct hostlist **ret, struct fail *fail);
/* The same, but a name that text repeats stands in the list as often; hostlist_index() has its
   first place. */
int hostlist_parse_repeats(const char *text, struct hostlist **ret, struct fail *fail);
struct hostlist *hostlist_free(struct hostlist *hl); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hostlist *, hostlist_free)

void hostlist_push(struct hostlist *hl, const char *name); /* one plain name, no brackets */
size_t hostlist_count(const struct hostlist *hl);
const char *hostlist_get(const struct hostlist *hl, size_t i); /* borrowed; i < count */
bool hostlist_has(const struct hostlist *hl, const char *name);
size_t hostlist_index(const struct hostlist *hl, const char *name); /* SIZE_MAX: not there */
void hostlist_sort(struct hostlist *hl); /* by prefix, then number, then width */

/* Compressed text, order kept ("n[1-3,7],x"); the caller frees.  "" for an empty list. */
char *hostlist_text(const struct hostlist *hl);
/* Shortcut for names that stand in an array. */
char *hostlist_compress(const char *const *names, size_t n);
