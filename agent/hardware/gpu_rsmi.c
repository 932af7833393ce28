/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD's ROCm System Management Interface (ROCm SMI), called by its public documentation. The
   CPUs near a GPU come from sysfs. */
#include "agent/hardware/gpu_detect.h"

#define LIBRARY   "librocm_smi64.so"
#define NAME_SIZE 96
#define LINK_XGMI 2 /* RSMI_IOLINK_TYPE_XGMI */

static struct {
        int (*init)(uint64_t flags), (*shutdown)(void);
        int (*error)(int code, const char **ret);
        int (*count)(uint32_t *ret);
        int (*name)(uint32_t i, char *ret, size_t size);
        int (*minor)(uint32_t i, uint32_t *ret);
        int (*pci)(uint32_t i, uint64_t *ret);
        int (*link)(uint32_t from, uint32_t to, uint64_t *ret_hops, int *ret_type);
} rsmi;

static const struct gpu_symbol symbols[] = {
        { "rsmi_init", &rsmi.init, false },
        { "rsmi_shut_down", &rsmi.shutdown, false },
        { "rsmi_status_string", &rsmi.error, false },
        { "rsmi_num_monitor_devices", &rsmi.count, false },
        { "rsmi_dev_name_get", &rsmi.name, false },
        { "rsmi_dev_drm_render_minor_get", &rsmi.minor, false },
        { "rsmi_dev_pci_id_get", &rsmi.pci, false },
        { "rsmi_topo_get_link_type", &rsmi.link, true },
};

static const char *rsmi_error_text(int code) {
        const char *text = NULL;

        return rsmi.error(code, &text) == 0 && text ? text : "unknown error";
}

/* gpu->bus has domain, bus, device and function as packed by the library. */
static void rsmi_add_cpus(struct gpu_found *gpu) {
        _cleanup_free_ char *path = xasprintf(
                        "/sys/bus/pci/devices/%04x:%02x:%02x.%x/local_cpulist",
                        (unsigned)(gpu->bus >> 32), (unsigned)(gpu->bus >> 8 & 0xff),
                        (unsigned)(gpu->bus >> 3 & 0x1f), (unsigned)(gpu->bus & 7));
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char line[1024];

        if (!f || !fgets(line, sizeof line, f))
                return;
        line[strcspn(line, "\n")] = 0;
        if (bitset_parse(gpu->cpus, line) < 0)
                bitset_clear(gpu->cpus);
}

static void rsmi_add_device(struct gpus_found *g, uint32_t i, uint32_t numbers[GPUS_FOUND_MAX]) {
        char name[NAME_SIZE + 1] = "";
        const char *call = "rsmi_dev_drm_render_minor_get";
        uint32_t minor = 0;
        uint64_t pci = 0;
        int r = rsmi.minor(i, &minor);

        if (r == 0) {
                call = "rsmi_dev_pci_id_get";
                r = rsmi.pci(i, &pci);
        }
        if (r != 0) {
                gpus_problem(g, "GPU %u is left out: %s: %s", i, call, rsmi_error_text(r));
                return;
        }
        size_t at = g->n;
        struct gpu_found *gpu = gpus_found_add(g);
        gpu->file = xasprintf("/dev/dri/renderD%u", minor);
        gpu->bus = pci;
        r = rsmi.name(i, name, NAME_SIZE);
        if (r != 0)
                gpus_problem(g, "%s: rsmi_dev_name_get: %s", gpu->file, rsmi_error_text(r));
        gpu->type = gpu_type(r == 0 ? name : "");
        rsmi_add_cpus(gpu);
        for (; at > 0 && g->list[at].bus < g->list[at - 1].bus; at--) { /* sort by PCI address */
                struct gpu_found before = g->list[at - 1];
                g->list[at - 1] = g->list[at];
                g->list[at] = before;
                numbers[at] = numbers[at - 1];
        }
        numbers[at] = i;
}

int rsmi_detect(struct gpus_found *g, struct fail *fail) {
        uint32_t count = 0, numbers[GPUS_FOUND_MAX] = { 0 };
        int r = gpu_library_load(LIBRARY, symbols, ELEMENTSOF(symbols), fail), e;

        if (r < 0)
                return r;
        e = rsmi.init(0);
        if (e != 0)
                return fail_set(fail, -EIO, "rsmi_init: %s", rsmi_error_text(e));
        e = rsmi.count(&count);
        if (e != 0)
                r = fail_set(fail, -EIO, "rsmi_num_monitor_devices: %s", rsmi_error_text(e));
        else if (count > GPUS_FOUND_MAX)
                r = fail_set(fail, -E2BIG,
                                "rsmi_num_monitor_devices: %u GPUs: %d at most were expected",
                                count, GPUS_FOUND_MAX);
        for (uint32_t i = 0; r >= 0 && i < count; i++)
                rsmi_add_device(g, i, numbers);
        for (size_t i = 0; rsmi.link && i < g->n; i++)
                for (size_t k = 0; k < g->n; k++) {
                        uint64_t hops = 0;
                        int type = 0;
                        if (i != k && rsmi.link(numbers[i], numbers[k], &hops, &type) == 0 &&
                                        type == LINK_XGMI)
                                g->list[i].links[k] = 1;
                }
        (void)rsmi.shutdown();
        return r;
}
