/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm/slurm.h - Slurm's constants needed by plug-ins (slurm/spank.h), and Slurm's host lists
 *
 * Includes the system headers that sources written for Slurm expect. Other functions of libslurm
 * are not available (plugstack.conf(5), LIBSLURM). */
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

/* Step IDs of special steps. */
#define SLURM_PENDING_STEP       0xfffffffdu
#define SLURM_EXTERN_CONT        0xfffffffcu
#define SLURM_BATCH_SCRIPT       0xfffffffbu
#define SLURM_INTERACTIVE_STEP   0xfffffffau
#define SLURM_MAX_NORMAL_STEP_ID 0xfffffff0u

/* ---- host lists: "n[1-3,7],x", with repeated names allowed ---- */
typedef struct slumber_names hostlist_t;

/* Returns a list; an empty one for NULL or ""; NULL: invalid text. Free by
   slurm_hostlist_destroy(). */
hostlist_t *slurm_hostlist_create(const char *text);
void slurm_hostlist_destroy(hostlist_t *list); /* takes NULL */
int slurm_hostlist_count(hostlist_t *list);
/* Returns the index of the first such name, from 0; -1: absent. */
int slurm_hostlist_find(hostlist_t *list, const char *name);
/* Adds the names of a host list, or one name; returns the number of names added. */
int slurm_hostlist_push(hostlist_t *list, const char *text);
int slurm_hostlist_push_host(hostlist_t *list, const char *name);
/* Removes and returns the first name; NULL: empty list. The caller frees. */
char *slurm_hostlist_shift(hostlist_t *list);
/* Sorts the list and removes duplicates. */
void slurm_hostlist_uniq(hostlist_t *list);
/* Writes text as "n[1-3,7],x" to buf; returns its length; -1: buf is too small. */
ssize_t slurm_hostlist_ranged_string(hostlist_t *list, size_t n, char *buf);
char *slurm_hostlist_ranged_string_malloc(hostlist_t *list); /* the caller frees */

#ifdef __cplusplus
}
#endif
#endif
