/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware/hardware.h - hardware of this machine, in the terms of slurm.conf */
#pragma once

#include "agent/hardware/bind.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "proto/slumber.pb-c.h"

struct hardware;

/* Reads the hardware; tmp: the folder measured for TmpDisk, NULL = /tmp. */
struct hardware *hardware_new(const char *tmp);
struct hardware *hardware_free(struct hardware *h); /* takes NULL, returns NULL */
DEFINE_CLEANUP(struct hardware *, hardware_free)
/* Replaces values by those given in a NodeName= line. */
void hardware_apply(struct hardware *h, const struct config_node *line,
                const struct config_said *said);
/* Fills ret. Strings are borrowed from h; load and free memory are measured now. */
void hardware_message(const struct hardware *h, Slumber__Hardware *ret);
/* Fills the members which identify this machine: DMI UUID, serial numbers of product and board,
   MAC addresses. Borrowed from h; "" where only root may read. */
void hardware_identity(const struct hardware *h, Slumber__Register *ret);
uint64_t hardware_memory(const struct hardware *h); /* MB */
uint32_t hardware_load(void);                       /* times 100 */
uint64_t hardware_free_memory(void);                /* MB */
uint64_t hardware_free_swap(void);                  /* MB */
usec_t hardware_boot_time(void);                    /* CLOCK_REALTIME */
/* Returns the machine's CPUs, NULL: unknown; the caller frees. */
struct cpu_map *hardware_cpus(void);
/* Returns the cores, in gres.conf's numbers, with any of these CPUs; NULL: all cores, or none.
   The caller frees. */
char *hardware_cpus_to_cores(const struct bitset *cpus);
/* Prints the lines of slumberd -C; gres: "" for none. */
void hardware_print(const struct hardware *h, const char *node, const char *gres, FILE *out);
