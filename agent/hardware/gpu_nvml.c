/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NVIDIA's management library (NVML), called by its public documentation. A GPU without a minor
 * number or PCI address is left out and reported; other failed queries leave the value unknown. */
#include "agent/hardware/gpu_detect.h"

#define LIBRARY   "libnvidia-ml.so.1"
#define LINKS_MAX 18 /* links of a GPU: NVML_NVLINK_MAX_LINKS */
#define NAME_SIZE 96 /* NVML_DEVICE_NAME_V2_BUFFER_SIZE */

struct pci_info { /* nvmlPciInfo_t */
        char old_id[16];
        unsigned domain, bus, device, device_id, subsystem_id;
        char id[32];
};

static struct {
        int (*init)(void), (*shutdown)(void);
        const char *(*error)(int code);
        int (*count)(unsigned *ret);
        int (*device)(unsigned i, void **ret);
        int (*name)(void *device, char *ret, unsigned size);
        int (*minor)(void *device, unsigned *ret);
        int (*pci)(void *device, struct pci_info *ret);
        int (*cpus)(void *device, unsigned words, unsigned long *ret);
        int (*link_state)(void *device, unsigned link, unsigned *ret);
        int (*link_pci)(void *device, unsigned link, struct pci_info *ret);
        int (*mig)(void *device, unsigned *ret, unsigned *ret_pending);
} nvml;

static const struct gpu_symbol symbols[] = {
        { "nvmlInit_v2", &nvml.init, false },
        { "nvmlShutdown", &nvml.shutdown, false },
        { "nvmlErrorString", &nvml.error, false },
        { "nvmlDeviceGetCount_v2", &nvml.count, false },
        { "nvmlDeviceGetHandleByIndex_v2", &nvml.device, false },
        { "nvmlDeviceGetName", &nvml.name, false },
        { "nvmlDeviceGetMinorNumber", &nvml.minor, false },
        { "nvmlDeviceGetPciInfo_v3", &nvml.pci, false },
        { "nvmlDeviceGetCpuAffinity", &nvml.cpus, false },
        { "nvmlDeviceGetNvLinkState", &nvml.link_state, true },
        { "nvmlDeviceGetNvLinkRemotePciInfo_v2", &nvml.link_pci, true },
        { "nvmlDeviceGetMigMode", &nvml.mig, true },
};

static uint64_t pci_address(const struct pci_info *pci) {
        return (uint64_t)pci->domain << 16 | (pci->bus & 0xff) << 8 | (pci->device & 0xff);
}

/* Adds the CPUs near the GPU, in the kernel's numbers. */
static void nvml_add_cpus(struct gpus_found *g, struct gpu_found *gpu, void *device) {
        unsigned long words[GPU_CPUS_MAX / (8 * sizeof(unsigned long))] = { 0 };
        const size_t bits = 8 * sizeof words[0];
        int r = nvml.cpus(device, (unsigned)ELEMENTSOF(words), words);

        if (r != 0)
                gpus_problem(g, "%s: nvmlDeviceGetCpuAffinity: %s", gpu->file, nvml.error(r));
        for (size_t i = 0; r == 0 && i < GPU_CPUS_MAX; i++)
                if (words[i / bits] >> i % bits & 1)
                        bitset_add(gpu->cpus, i);
}

static void nvml_add_device(struct gpus_found *g, unsigned i, void *devices[GPUS_FOUND_MAX]) {
        unsigned minor = 0, mig = 0, pending = 0;
        char name[NAME_SIZE + 1] = "";
        struct pci_info pci = { 0 };
        const char *call = "nvmlDeviceGetHandleByIndex";
        void *device = NULL;
        int r = nvml.device(i, &device);

        if (r == 0) {
                call = "nvmlDeviceGetMinorNumber";
                r = nvml.minor(device, &minor);
        }
        if (r == 0) {
                call = "nvmlDeviceGetPciInfo";
                r = nvml.pci(device, &pci);
        }
        if (r != 0) {
                gpus_problem(g, "GPU %u is left out: %s: %s", i, call, nvml.error(r));
                return;
        }
        if (nvml.mig && nvml.mig(device, &mig, &pending) == 0 && mig == 1) {
                gpus_problem(g, "GPU %u is left out: it is divided (MIG), which is not implemented",
                                i);
                return;
        }
        devices[g->n] = device;
        struct gpu_found *gpu = gpus_found_add(g);
        gpu->file = xasprintf("/dev/nvidia%u", minor);
        gpu->bus = pci_address(&pci);
        r = nvml.name(device, name, NAME_SIZE);
        if (r != 0)
                gpus_problem(g, "%s: nvmlDeviceGetName: %s", gpu->file, nvml.error(r));
        gpu->type = gpu_type(r == 0 ? name : "");
        nvml_add_cpus(g, gpu, device);
}

/* Counts the links of a GPU to each of the GPUs. */
static void nvml_add_links(struct gpus_found *g, struct gpu_found *gpu, void *device) {
        for (unsigned link = 0; link < LINKS_MAX; link++) {
                struct pci_info pci = { 0 };
                unsigned active = 0;
                if (nvml.link_state(device, link, &active) != 0 || active != 1 ||
                                nvml.link_pci(device, link, &pci) != 0)
                        continue;
                for (size_t i = 0; i < g->n; i++)
                        if (&g->list[i] != gpu && g->list[i].bus == pci_address(&pci))
                                gpu->links[i]++;
        }
}

/* Sorts by PCI address; the library's order is different. */
static void nvml_sort_gpus(struct gpus_found *g, void *devices[GPUS_FOUND_MAX]) {
        for (size_t i = 1; i < g->n; i++)
                for (size_t k = i; k > 0 && g->list[k].bus < g->list[k - 1].bus; k--) {
                        struct gpu_found gpu = g->list[k];
                        void *device = devices[k];
                        g->list[k] = g->list[k - 1];
                        devices[k] = devices[k - 1];
                        g->list[k - 1] = gpu;
                        devices[k - 1] = device;
                }
}

int nvml_detect(struct gpus_found *g, struct fail *fail) {
        void *devices[GPUS_FOUND_MAX] = { 0 };
        unsigned count = 0;
        int r = gpu_library_load(LIBRARY, symbols, ELEMENTSOF(symbols), fail), e;

        if (r < 0)
                return r;
        e = nvml.init();
        if (e != 0)
                return fail_set(fail, -EIO, "nvmlInit: %s", nvml.error(e));
        e = nvml.count(&count);
        if (e != 0)
                r = fail_set(fail, -EIO, "nvmlDeviceGetCount: %s", nvml.error(e));
        else if (count > GPUS_FOUND_MAX)
                r = fail_set(fail, -E2BIG, "nvmlDeviceGetCount: %u GPUs: %d at most were expected",
                                count, GPUS_FOUND_MAX);
        for (unsigned i = 0; r >= 0 && i < count; i++)
                nvml_add_device(g, i, devices);
        nvml_sort_gpus(g, devices);
        for (size_t i = 0; i < g->n && nvml.link_state && nvml.link_pci; i++)
                nvml_add_links(g, &g->list[i], devices[i]);
        (void)nvml.shutdown();
        return r;
}
