/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware.h - what this machine is made of, as slurm.conf writes it */
#pragma once

#include "agent/bind.h"
#include "lib/bitset.h"
#include "lib/config.h"
#include "lib/identity.h"
#include "proto/slumber.pb-c.h"

struct hardware {
        uint32_t cpus, boards, sockets, cores, threads; /* sockets per board, cores per socket */
        uint64_t real_memory, tmp_disk;                 /* MB */
        char arch[65], os[256];
        char uuid[64]; /* of the machine, by DMI; "" = not known, as only root may read it */
        /* of product and board, and of network cards; likewise */
        char serials[IDENTITY_LIST_SIZE], macs[IDENTITY_LIST_SIZE];
};

/* tmp: the folder of TmpDisk, NULL = /tmp. */
void hardware_read(struct hardware *h, const char *tmp);
/* What a NodeName= line says instead; what it does not say stays. */
void hardware_apply(struct hardware *h, const struct config_node *line,
                const struct config_said *said);
/* strings are borrowed from h; load and free memory are read now. */
void hardware_message(const struct hardware *h, Slumber__Hardware *ret);
uint32_t hardware_load(void);        /* times 100 */
uint64_t hardware_free_memory(void); /* MB */
uint64_t hardware_free_swap(void);   /* MB */
usec_t hardware_boot_time(void);     /* CLOCK_REALTIME */
/* The machine's CPUs; NULL: they are not known. */
struct cpu_map *hardware_cpus(void);
/* Of its cores, as gres.conf numbers them, those that have some of these CPUs; NULL: all, or none.
   The caller frees. */
char *hardware_cpus_to_cores(const struct bitset *cpus);
/* slumberd -C; gres: "" for none */
void hardware_print(const struct hardware *h, const char *node, const char *gres, FILE *out);
