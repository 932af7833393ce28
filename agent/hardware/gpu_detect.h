/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware/gpu_detect.h - AutoDetect of gres.conf: the GPUs that a vendor's library finds
   on this machine */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"

/* Limits above any real machine; larger counts from a library are errors. */
#define GPUS_FOUND_MAX 256
#define GPU_CPUS_MAX   4096

struct gpu_found {
        char *file; /* "/dev/nvidia0" */
        char *type; /* "tesla_t4"; "" if the library has no name */
        /* Near CPUs by the kernel's numbers, GPU_CPUS_MAX bits; empty: unknown. */
        struct bitset *cpus;
        uint64_t bus;    /* PCI address as a number; GPUs are sorted by it */
        uint32_t *links; /* number of links to each GPU of the list */
};

struct gpus_found {
        struct gpu_found list[GPUS_FOUND_MAX];
        size_t n;
        char *problems; /* errors of single calls, joined by "; "; NULL: none */
};

/* Calls the library of "nvml" or "rsmi" in this process. -ENOENT: no library; other errors name
   the failed call in fail. */
int gpus_detect(const char *how, struct gpus_found *ret, struct fail *fail);
void gpus_found_done(struct gpus_found *g);
/* The GPU's cores, numbered as Cores= in gres.conf; NULL: all, or unknown. The caller frees. */
char *gpu_cores(const struct gpu_found *gpu);
/* Links= of GPU number at, such as "-1,4"; the caller frees. */
char *gpu_links(const struct gpus_found *g, size_t at);

/* ---- for gpu_nvml.c and gpu_rsmi.c ---- */
struct gpu_symbol {
        const char *name;
        void *address; /* address of the pointer to the function */
        bool optional;
};

/* Loads a library for good. Negative errno with fail set: no library, or a symbol that is not
   optional is missing. */
int gpu_library_load(const char *file, const struct gpu_symbol *symbols, size_t n,
                struct fail *fail);
/* Adds a GPU; NULL: GPUS_FOUND_MAX reached. */
struct gpu_found *gpus_found_add(struct gpus_found *g);
void gpus_problem(struct gpus_found *g, const char *format, ...) _printf_(2, 3);
/* Turns "Tesla T4" into "tesla_t4"; the caller frees. */
char *gpu_type(const char *name);

int nvml_detect(struct gpus_found *g, struct fail *fail);
int rsmi_detect(struct gpus_found *g, struct fail *fail);
