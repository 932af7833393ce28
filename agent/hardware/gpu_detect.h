/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent/hardware/gpu_detect.h - AutoDetect of gres.conf: the GPUs that a vendor's library finds on
   this machine */
#pragma once

#include "lib/bitset.h"
#include "lib/fail.h"

/* more than any machine has: a library that says more is not believed */
#define GPUS_FOUND_MAX 256
#define GPU_CPUS_MAX   4096

struct gpu_found {
        char *file; /* "/dev/nvidia0" */
        char *type; /* "tesla_t4"; "" = the library does not say */
        /* the kernel's numbers of those that it lies near, GPU_CPUS_MAX bits; empty: not known */
        struct bitset *cpus;
        uint64_t bus;    /* its PCI address as one number: devices are in the order of these */
        uint32_t *links; /* connections with each of the others */
};

struct gpus_found {
        struct gpu_found list[GPUS_FOUND_MAX];
        size_t n;
        char *problems; /* what the library could not say, "; " between; NULL: nothing */
};

/* Asks the library of "nvml" or "rsmi" in this process. -ENOENT: it is not there; other errors say
   which call has failed. */
int gpus_detect(const char *how, struct gpus_found *ret, struct fail *fail);
void gpus_found_done(struct gpus_found *g);
/* Its cores, as numbers of Cores= in gres.conf; NULL: all, or not known.  The caller frees. */
char *gpu_cores(const struct gpu_found *gpu);
/* "-1,4": of the GPU at that place; the caller frees. */
char *gpu_links(const struct gpus_found *g, size_t at);

/* ---- for gpu_nvml.c and gpu_rsmi.c ---- */
struct gpu_symbol {
        const char *name;
        void *address; /* of the pointer that becomes the function */
        bool optional;
};

/* Loads a library whole; it stays. Negative errno with fail: it is not there, or lacks one of
   these. */
int gpu_library_load(const char *file, const struct gpu_symbol *symbols, size_t n,
                struct fail *fail);
/* One more; NULL: they are too many. */
struct gpu_found *gpus_found_add(struct gpus_found *g);
void gpus_problem(struct gpus_found *g, const char *format, ...) _printf_(2, 3);
/* "Tesla T4" becomes "tesla_t4". */
char *gpu_type(const char *name);

int nvml_detect(struct gpus_found *g, struct fail *fail);
int rsmi_detect(struct gpus_found *g, struct fail *fail);
