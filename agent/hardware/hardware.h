/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware/hardware.h - what this machine is made of, as slurm.conf writes it */
#pragma once

#include "agent/hardware/bind.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "proto/slumber.pb-c.h"

struct hardware;

/* Reads it; tmp: the folder of TmpDisk, NULL = /tmp. */
struct hardware *hardware_new(const char *tmp);
struct hardware *hardware_free(struct hardware *h); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hardware *, hardware_free)
/* What a NodeName= line says instead; what it does not say stays. */
void hardware_apply(struct hardware *h, const struct config_node *line,
                const struct config_said *said);
/* strings are borrowed from h; load and free memory are read now. */
void hardware_message(const struct hardware *h, Slumber__Hardware *ret);
/* What tells this machine from others: the UUID of DMI, serial numbers of product and board,
   addresses of network cards; likewise borrowed, "" where only root may read them. */
void hardware_identity(const struct hardware *h, Slumber__Register *ret);
uint64_t hardware_memory(const struct hardware *h); /* MB */
uint32_t hardware_load(void);                       /* times 100 */
uint64_t hardware_free_memory(void);                /* MB */
uint64_t hardware_free_swap(void);                  /* MB */
usec_t hardware_boot_time(void);                    /* CLOCK_REALTIME */
/* The machine's CPUs; NULL: they are not known. */
struct cpu_map *hardware_cpus(void);
/* Of its cores, as gres.conf numbers them, those that have some of these CPUs; NULL: all, or none.
   The caller frees. */
char *hardware_cpus_to_cores(const struct bitset *cpus);
/* slumberd -C; gres: "" for none */
void hardware_print(const struct hardware *h, const char *node, const char *gres, FILE *out);
