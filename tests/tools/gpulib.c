/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A double of the vendors' libraries, since no test machine has a GPU: the functions of NVML and
 * ROCm SMI that slumberd calls, with what the environment says.  It shows that slumberd reads what
 * such a library says, and survives what it may say; it does not show that the vendors' own
 * libraries behave so.
 *
 *   GPULIB_COUNT     how many GPUs (2)
 *   GPULIB_FAIL      the function that fails, or for one GPU: "nvmlDeviceGetName",
 * "nvmlDeviceGetMinorNumber:1" GPULIB_DO        "crash" or "hang" on initialization
 *
 * Built without GPULIB_WHOLE it lacks nvmlDeviceGetMinorNumber. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pci {
        char old_id[16];
        unsigned domain, bus, device, device_id, subsystem_id;
        char id[32];
};

static int fails(const char *function, unsigned i) {
        const char *wanted = getenv("GPULIB_FAIL");
        size_t n = strlen(function);

        return wanted && strncmp(wanted, function, n) == 0 &&
                                               (!wanted[n] || (wanted[n] == ':' &&
                                                                              strtoul(wanted + n + 1,
                                                                                              NULL,
                                                                                              10) ==
                                                                                              i))
                               ? 999
                               : 0;
}

static unsigned count(void) {
        const char *text = getenv("GPULIB_COUNT");

        return text ? (unsigned)strtoul(text, NULL, 10) : 2;
}

static int start(const char *function) {
        const char *what = getenv("GPULIB_DO");

        if (what && strcmp(what, "crash") == 0)
                abort();
        while (what && strcmp(what, "hang") == 0)
                pause();
        return fails(function, 0);
}

/* The handle of a GPU is its number and 1. The library has them in the order opposite to their
   addresses. */
static unsigned number(void *device) {
        return (unsigned)(uintptr_t)device - 1;
}

int nvmlInit_v2(void) {
        return start("nvmlInit_v2");
}
int nvmlShutdown(void) {
        return 0;
}
const char *nvmlErrorString(int code) {
        return code == 999 ? "Unknown Error" : "?";
}

int nvmlDeviceGetCount_v2(unsigned *ret) {
        *ret = count();
        return fails("nvmlDeviceGetCount_v2", 0);
}

int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **ret) {
        *ret = (void *)(uintptr_t)(i + 1);
        return fails("nvmlDeviceGetHandleByIndex_v2", i);
}

int nvmlDeviceGetName(void *device, char *ret, unsigned size) {
        if (getenv("GPULIB_NAME"))
                memset(ret, *getenv("GPULIB_NAME"), size); /* without an end */
        else
                snprintf(ret, size, number(device) ? "Tesla T4" : "NVIDIA A100-SXM4-40GB");
        return fails("nvmlDeviceGetName", number(device));
}

#ifdef GPULIB_WHOLE
int nvmlDeviceGetMinorNumber(void *device, unsigned *ret) {
        *ret = count() - 1 - number(device);
        return fails("nvmlDeviceGetMinorNumber", number(device));
}
#endif

int nvmlDeviceGetPciInfo_v3(void *device, struct pci *ret) {
        memset(ret, 0, sizeof *ret);
        ret->bus = 0x80 - number(device);
        return fails("nvmlDeviceGetPciInfo_v3", number(device));
}

int nvmlDeviceGetCpuAffinity(void *device, unsigned words, unsigned long *ret) {
        memset(ret, 0, words * sizeof *ret);
        ret[0] = number(device) ? 1 : 2;
        return fails("nvmlDeviceGetCpuAffinity", number(device));
}

/* The first two have two connections, which are the links 0 and 3. */
int nvmlDeviceGetNvLinkState(void *device, unsigned link, unsigned *ret) {
        *ret = number(device) < 2 && (link == 0 || link == 3);
        return fails("nvmlDeviceGetNvLinkState", number(device));
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void *device, unsigned link, struct pci *ret) {
        (void)link;
        return nvmlDeviceGetPciInfo_v3((void *)(uintptr_t)(2 - number(device)), ret);
}

int rsmi_init(uint64_t flags) {
        (void)flags;
        return start("rsmi_init");
}
int rsmi_shut_down(void) {
        return 0;
}

int rsmi_status_string(int code, const char **ret) {
        *ret = code == 999 ? "RSMI_STATUS_UNKNOWN_ERROR" : "?";
        return 0;
}

int rsmi_num_monitor_devices(uint32_t *ret) {
        *ret = count();
        return fails("rsmi_num_monitor_devices", 0);
}

int rsmi_dev_name_get(uint32_t i, char *ret, size_t size) {
        snprintf(ret, size, "Instinct MI210");
        return fails("rsmi_dev_name_get", i);
}

int rsmi_dev_drm_render_minor_get(uint32_t i, uint32_t *ret) {
        *ret = 128 + i;
        return fails("rsmi_dev_drm_render_minor_get", i);
}

int rsmi_dev_pci_id_get(uint32_t i, uint64_t *ret) {
        *ret = UINT64_C(0xffff) << 32 | (uint64_t)i << 8;
        return fails("rsmi_dev_pci_id_get", i);
}

int rsmi_topo_get_link_type(uint32_t from, uint32_t to, uint64_t *hops, int *type) {
        (void)from;
        (void)to;
        *hops = 1;
        *type = 2;
        return fails("rsmi_topo_get_link_type", from);
}
