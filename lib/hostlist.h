/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/hostlist.h - ordered set of host names, written n[1-3,7]; duplicates are dropped */
#pragma once

#include "lib/fail.h"

struct hostlist;

/* maximum names in one list: more than the largest planned cluster has */
#define HOSTLIST_MAX      131072
#define HOSTLIST_NAME_MAX 255 /* bytes of one name */

struct hostlist *hostlist_new(void);
/* Reads Slurm's syntax: "a,b[1-3,007-010]x[1-2]"; several bracket groups, zero padding kept. Checks
   HOSTLIST_MAX before creating names. On failure *ret is untouched and fail explains the fault. */
int hostlist_parse(const char *text, struct hostlist **ret, struct fail *fail);
/* hostlist_parse() that keeps duplicates; hostlist_index() finds the first. */
int hostlist_parse_repeats(const char *text, struct hostlist **ret, struct fail *fail);
struct hostlist *hostlist_free(struct hostlist *hl); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hostlist *, hostlist_free)

void hostlist_push(struct hostlist *hl, const char *name); /* one plain name, no brackets */
size_t hostlist_count(const struct hostlist *hl);
const char *hostlist_get(const struct hostlist *hl, size_t i); /* borrowed; i < count */
bool hostlist_has(const struct hostlist *hl, const char *name);
size_t hostlist_index(const struct hostlist *hl, const char *name); /* SIZE_MAX: no such name */
void hostlist_sort(struct hostlist *hl); /* order: prefix, then number, then width */

/* Returns compressed text in list order ("n[1-3,7],x"), "" for an empty list; the caller frees. */
char *hostlist_text(const struct hostlist *hl);
/* hostlist_text() for n names in an array. */
char *hostlist_compress(const char *const *names, size_t n);
