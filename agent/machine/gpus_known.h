/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/machine/gpus_known.h - AutoDetect of gres.conf: what a vendor's library has said of this
   machine's GPUs */
#pragma once

#include "lib/wire.h"

#include <stdio.h>
#include <systemd/sd-event.h>

struct gpus_known;

/* answered(): the library that was asked has answered, or never will. */
struct gpus_known *gpus_known_new(sd_event *event, void (*answered)(void *user), void *user);
struct gpus_known *gpus_known_free(struct gpus_known *g);
/* Has the library of "nvml" or "rsmi" asked once while slumberd runs, beside the loop and for 20 s
   at most; then answered().  Nothing is done for "", for what is known or is being asked. */
void gpus_ask(struct gpus_known *g, const char *how);
bool gpus_being_asked(const struct gpus_known *g);
/* What there is to be known by "nvml" or "rsmi" is known; always true of "". */
bool gpus_asked(const struct gpus_known *g, const char *how);
const char *gpus_way(const struct gpus_known *g); /* how it is known: "nvml"; "": nothing is */
/* Puts the files of the GPUs that were found into gres, of node; where these have files only such
   stay that were found.  For what has been asked only.  report: cores and what is wrong, which is
   g's. */
void gpus_find(struct gpus_known *g, const char *node, Slumber__GresDevice **gres, size_t n_gres,
                Slumber__GresReport *report);
/* slumberd -G: prints what each library finds, and its errors on standard error. */
void gpus_print(FILE *out);
/* slumberd -C: all GPUs found, as in Gres= of slurm.conf, "" for none; the caller frees. */
char *gpus_gres_text(void);
