/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/slurm.h - what plug-ins (slurm/spank.h) need of Slurm's constants, and its host lists
 *
 * It brings in the headers that sources written for Slurm take from it.  What else libslurm has is
 * not here (plugstack.conf(5), LIBSLURM). */
#ifndef SLUMBER_SLURM_SLURM_H
#define SLUMBER_SLURM_SLURM_H

#include "slurm_errno.h"
#include "slurm_version.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NO_VAL8    ((uint8_t)0xfe)
#define NO_VAL16   ((uint16_t)0xfffe)
#define NO_VAL     0xfffffffeu
#define NO_VAL64   0xfffffffffffffffeull
#define INFINITE8  ((uint8_t)0xff)
#define INFINITE16 ((uint16_t)0xffff)
#define INFINITE   0xffffffffu
#define INFINITE64 0xffffffffffffffffull

/* Step ids that are no numbers of steps. */
#define SLURM_PENDING_STEP       0xfffffffdu
#define SLURM_EXTERN_CONT        0xfffffffcu
#define SLURM_BATCH_SCRIPT       0xfffffffbu
#define SLURM_INTERACTIVE_STEP   0xfffffffau
#define SLURM_MAX_NORMAL_STEP_ID 0xfffffff0u

/* ---- host lists: "n[1-3,7],x", in which a name may stand several times ---- */
typedef struct slumber_names hostlist_t;

/* NULL: the text is no host list; NULL and "" are an empty one.  slurm_hostlist_destroy() it. */
hostlist_t *slurm_hostlist_create(const char *text);
void slurm_hostlist_destroy(hostlist_t *list); /* takes NULL */
int slurm_hostlist_count(hostlist_t *list);
/* The place of the first such name, from 0; -1: it is not there. */
int slurm_hostlist_find(hostlist_t *list, const char *name);
/* Adds the names of a host list, or one name; the number of names that were added. */
int slurm_hostlist_push(hostlist_t *list, const char *text);
int slurm_hostlist_push_host(hostlist_t *list, const char *name);
/* Takes the first name off; NULL: there is none.  The caller frees it by free(). */
char *slurm_hostlist_shift(hostlist_t *list);
/* Sorts it, and leaves one of each name. */
void slurm_hostlist_uniq(hostlist_t *list);
/* As "n[1-3,7],x" into buf; its length, -1: it has no room. */
ssize_t slurm_hostlist_ranged_string(hostlist_t *list, size_t n, char *buf);
char *slurm_hostlist_ranged_string_malloc(hostlist_t *list); /* the caller frees it by free() */

#ifdef __cplusplus
}
#endif
#endif
