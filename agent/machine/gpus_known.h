/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/machine/gpus_known.h - AutoDetect of gres.conf: this machine's GPUs as reported by a
   vendor's library */
#pragma once

#include "lib/wire.h"

#include <stdio.h>
#include <systemd/sd-event.h>

struct gpus_known;

/* answered() is called when a library has answered or has failed. */
struct gpus_known *gpus_known_new(sd_event *event, void (*answered)(void *user), void *user);
struct gpus_known *gpus_known_free(struct gpus_known *g);
/* Asks the library of "nvml" or "rsmi", once while slumberd runs, in a child process for up to
   20 s; then calls answered(). No effect for "", or if known or being asked. */
void gpus_ask(struct gpus_known *g, const char *how);
bool gpus_being_asked(const struct gpus_known *g);
/* Returns whether the library's answer is known (or its failure); always true for "". */
bool gpus_asked(const struct gpus_known *g, const char *how);
/* "nvml" or "rsmi": the library that has answered; "": none */
const char *gpus_way(const struct gpus_known *g);
/* Puts the files of found GPUs into gres of the node; entries with files keep only files of
   found GPUs. May be called if gpus_asked(). report: cores and problems, borrowed from g. */
void gpus_find(struct gpus_known *g, const char *node, Slumber__GresDevice **gres, size_t n_gres,
                Slumber__GresReport *report);
/* slumberd -G: prints the GPUs each library finds, and errors on standard error. */
void gpus_print(FILE *out);
/* slumberd -C: returns all GPUs found in the form of Gres= in slurm.conf, "" if none; the caller
   frees. */
char *gpus_gres_text(void);
