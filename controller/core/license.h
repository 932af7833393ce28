/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/core/license.h - licenses: how many there are, who holds them, who could have some
 *
 * A job takes all that it asks for when it starts, or, of a list with "|", the first that is there, and keeps them, stopped
 * or not, until nothing of it is left on its nodes.  Who holds what is in the jobs (licenses_held); the counts here follow
 * from them, so a restart or reconfigure cannot make them wrong. */
#pragma once

#include "lib/bitset.h"
#include "lib/countlist.h"

struct cluster;
struct config;
struct job;

struct license {
        char *name;
        uint32_t total;
        uint32_t used; /* more than total, where the configuration has taken some away */
        uint32_t reserved;
};

struct licenses {
        struct license *list; /* by name */
        size_t n;
};

/* What the configuration says now; what jobs hold is counted anew. */
void licenses_load(struct cluster *c, const struct config *config);
void licenses_done(struct licenses *l);
struct license *license_find(const struct licenses *l, const char *name); /* NULL: it is not configured */

/* -EINVAL: could never be had: there is no such license, or not so many. */
int licenses_check(const struct cluster *c, const struct countlist *asked, struct fail *fail);
/* So many are left of it, but for those in kept (by place in the list; NULL: none are). */
uint32_t license_left(const struct licenses *l, const char *name, const uint32_t *kept);
/* Are all of them to be had now; of a list with "|": which is, in *ret (else 0). */
bool licenses_free(const struct licenses *l, const struct countlist *asked, const uint32_t *kept, size_t *ret);
/* The same, were the jobs at these places of c->active gone. */
bool licenses_free_without(const struct cluster *c, const struct countlist *asked, const struct bitset *gone);
/* j, which starts, will hold what it asks for; of a list with "|", that at choice. */
void licenses_choose(struct job *j, size_t choice);

/* What active jobs hold; called as they come among them and leave. */
void licenses_take(struct cluster *c, const struct job *j);
void licenses_return(struct cluster *c, const struct job *j);

/* Jobs among the active that hold some of what j asks for and lacks, oldest first; who asks for one of several ("|") gets
   none by force, and there are none if some of it could not be had even without all of them.  Returns how many, 0: *ret is
   NULL; the caller frees the list. */
size_t licenses_holders(const struct cluster *c, const struct job *j, struct job ***ret);
