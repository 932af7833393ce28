/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/hardware/gpu_detect.h"

#include "agent/hardware/hardware.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>

static const struct {
        const char *how;
        int (*detect)(struct gpus_found *g, struct fail *fail);
} libraries[] = {
        { "nvml", nvml_detect },
        { "rsmi", rsmi_detect },
};

int gpu_library_load(const char *file, const struct gpu_symbol *symbols, size_t n,
                struct fail *fail) {
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

        if (!library)
                return fail_set(fail, -ENOENT, "%s", dlerror());
        for (size_t i = 0; i < n; i++) {
                void *symbol = dlsym(library, symbols[i].name);
                if (!symbol && !symbols[i].optional)
                        return fail_set(fail, -ENOSYS, "%s has no %s", file, symbols[i].name);
                memcpy(symbols[i].address, &symbol, sizeof symbol);
        }
        return 0;
}

struct gpu_found *gpus_found_add(struct gpus_found *g) {
        if (g->n == GPUS_FOUND_MAX)
                return NULL;
        struct gpu_found *gpu = &g->list[g->n++];
        *gpu = (struct gpu_found){ .cpus = bitset_new(GPU_CPUS_MAX),
                .links = xnew0(uint32_t, GPUS_FOUND_MAX) };
        return gpu;
}

void gpus_problem(struct gpus_found *g, const char *format, ...) {
        char text[256];
        va_list args;

        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        if (g->problems && strlen(g->problems) > 1024) /* enough for a reader */
                return;
        text_add_word(&g->problems, "; ", "%s", text);
}

char *gpu_type(const char *name) {
        char *type = xstrdup(name);

        for (char *p = type; *p; p++)
                *p = isalnum((unsigned char)*p) || strchr(".-", *p)
                                     ? (char)tolower((unsigned char)*p)
                                     : '_';
        return type;
}

char *gpu_cores(const struct gpu_found *gpu) {
        return bitset_empty(gpu->cpus) ? NULL : hardware_cpus_to_cores(gpu->cpus);
}

char *gpu_links(const struct gpus_found *g, size_t at) {
        char *text = xstrdup("");

        for (size_t i = 0; i < g->n; i++)
                text_add_word(&text, ",", "%d", i == at ? -1 : (int)g->list[at].links[i]);
        return text;
}

int gpus_detect(const char *how, struct gpus_found *ret, struct fail *fail) {
        *ret = (struct gpus_found){ 0 };
        for (size_t i = 0; i < ELEMENTSOF(libraries); i++)
                if (streq(how, libraries[i].how))
                        return libraries[i].detect(ret, fail);
        return fail_set(fail, -EINVAL, "%s is not known", how);
}

void gpus_found_done(struct gpus_found *g) {
        for (size_t i = 0; i < g->n; i++) {
                free(g->list[i].file);
                free(g->list[i].type);
                free(g->list[i].links);
                bitset_free(g->list[i].cpus);
        }
        free(g->problems);
        *g = (struct gpus_found){ 0 };
}
