/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment variables with the GPUs of a step or task, whole GPUs or shards. A GPU is named
 * like by its driver: by the number at the end of the file (/dev/nvidia2: 2); without files by
 * the unit's number on the node. */
#include "agent/common/shards.h"
#include "agent/common/task_environment.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "lib/gres.h"
#include "lib/step/gpubind.h"
#include "lib/wordlist.h"

#include <ctype.h>

#define MPS_PERCENT "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE" /* read by CUDA's MPS server */

struct gpus {
        char *list;    /* numbers of the GPUs: "0,2" */
        char *visible; /* the GPUs' numbers as seen by a program within the step's device cgroup */
        size_t n;
        uint64_t shards; /* number of shards, if the GPUs are not allocated whole */
        unsigned mps;    /* gres/mps: percentage of the GPU; 0: no gres/mps */
        uint64_t mask;   /* bit mask of the first 64 GPUs, by unit number */
        unsigned env;
};

static void gpus_done(struct gpus *g) {
        free(g->list);
        free(g->visible);
}

static const char *number_at_end(const char *path) {
        const char *p = path + strlen(path);

        while (p > path && isdigit((unsigned char)p[-1]))
                p--;
        return *p ? p : NULL;
}

/* Returns the file of a unit; units are numbered over all items of one name. NULL: no file. */
static const char *file_of(const Slumber__AgentConfig *config, const char *name, size_t unit,
                unsigned *env) {
        for (size_t i = 0; config && i < config->n_gres; i++) {
                const Slumber__GresDevice *d = config->gres[i];
                if (!streq(d->name, name))
                        continue;
                *env |= d->env;
                if (unit < d->n_files)
                        return d->files[unit];
                if (unit < d->n_files + d->count)
                        return NULL;
                unit -= d->n_files + (size_t)d->count;
        }
        return NULL;
}

static void add_word(char **list, const char *word) {
        text_add_word(list, ",", "%s", word);
}

/* Adds a GPU to g. at: index of the GPU within the step. */
static void gpus_add_unit(struct gpus *g, const Slumber__AgentConfig *config, size_t unit,
                size_t at) {
        const char *file = file_of(config, "gpu", unit, &g->env),
                   *number = file ? number_at_end(file) : NULL;
        _cleanup_free_ char *own = number ? xstrdup(number) : xasprintf("%zu", unit),
                            *local = xasprintf("%zu", at);

        add_word(&g->list, own);
        /* programs in a device cgroup number only accessible GPUs */
        add_word(&g->visible, config && config->constrain_devices ? local : own);
        g->n++;
        if (unit < 64)
                g->mask |= UINT64_C(1) << unit;
}

/* Adds the GPUs of item: "gpu:2(IDX:0,2)", or the GPUs containing the shards "shard:2(IDX:4-5)".
   Returns false for different resources, or if units are only counted. */
static bool units_of(const struct gres_item *item, const Slumber__AgentConfig *config,
                struct bitset *units) {
        if (streq(item->name, "gpu"))
                return item->units && bitset_parse(units, item->units) >= 0;
        if (config)
                shards_gpus(config->gres, config->n_gres, item, units);
        return !bitset_empty(units);
}

/* Reads the GPUs of "gpu:a100:2(IDX:0,2),nic:1"; bind: NULL: all, else the GPUs of task. */
static struct gpus read_gpus(const char *text, const Slumber__AgentConfig *config,
                const struct gpu_bind *bind, size_t task, size_t all) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        struct gpus g = { 0 };
        size_t at = 0;

        (void)gres_list_parse(text, GRES_HELD, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++) {
                _cleanup_(bitset_freep) struct bitset *units = bitset_new(GPU_BIND_MAX);
                if (!units_of(&list->list[i], config, units))
                        continue;
                g.shards += streq(list->list[i].name, "shard") ? list->list[i].count : 0;
                if (streq(list->list[i].name, "mps") && config)
                        g.mps = shards_percent(config->gres, config->n_gres, &list->list[i]);
                bitset_for_each(unit, units) {
                        if (!bind || gpu_bind_has(bind, task, at, all,
                                                     config && config->constrain_devices ? at
                                                                                         : unit))
                                gpus_add_unit(&g, config, unit, at);
                        at++;
                }
        }
        return g;
}

static const struct {
        unsigned env;
        const char *name;
} visible_names[] = {
        { GRES_ENV_NVIDIA, "CUDA_VISIBLE_DEVICES" },
        { GRES_ENV_AMD, "ROCR_VISIBLE_DEVICES" },
        { GRES_ENV_OPENCL, "GPU_DEVICE_ORDINAL" },
        { GRES_ENV_INTEL, "ZE_AFFINITY_MASK" },
};

static void set_visible(struct environment *e, const struct gpus *g) {
        for (size_t i = 0; i < ELEMENTSOF(visible_names); i++)
                if (g->env & visible_names[i].env)
                        environment_set(e, visible_names[i].name, "%s", g->visible);
}

static size_t per_task(const Slumber__StepSpec *spec) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        uint64_t n = 0;

        (void)gres_list_parse(spec->tres_per_task, GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++)
                n += streq(list->list[i].name, "gpu") ? list->list[i].count : 0;
        return (size_t)MIN(n, (uint64_t)SIZE_MAX / 65536);
}

/* Returns the GPU binding of the step's tasks; the caller frees. NULL: none. */
static struct gpu_bind *read_bind(const Slumber__StepSpec *spec) {
        struct gpu_bind *bind = NULL;

        if (*spec->gpu_bind) {
                (void)gpu_bind_parse(spec->gpu_bind, &bind, NULL);
                return bind;
        }
        uint32_t n = (uint32_t)per_task(spec);
        if (n == 0)
                return NULL;
        return spec->ntasks_per_gpu ? gpu_bind_single(spec->ntasks_per_gpu) : gpu_bind_per_task(n);
}

static void gpus_hide(struct environment *e) {
        for (size_t i = 0; i < ELEMENTSOF(visible_names); i++)
                environment_unset(e, visible_names[i].name);
        environment_unset(e, "SLURM_STEP_GPUS");
}

/* Hides the GPUs from a step without any: the script calling srun may have GPUs in the
   environment. */
static void hide_of_caller(struct environment *e) {
        gpus_hide(e);
        environment_unset(e, "SLURM_GPUS_ON_NODE");
        environment_unset(e, "SLURM_SHARDS_ON_NODE");
        environment_unset(e, MPS_PERCENT);
}

static void of_task(struct environment *e, const Slumber__StepdSpec *spec, size_t task,
                const struct gpus *of_step) {
        _cleanup_(gpu_bind_freep) struct gpu_bind *bind = read_bind(spec->launch->spec);

        if (!bind || of_step->n == 0)
                return;
        if (gpu_bind_is_none(bind)) {
                gpus_hide(e);
                return;
        }
        struct gpus own = read_gpus(spec->credential->step_gres, spec->config, bind, task,
                        of_step->n);
        if (own.n == 0) { /* like in Slurm */
                _cleanup_(gpu_bind_freep) struct gpu_bind *first = gpu_bind_single(UINT32_MAX);
                dprintf(STDERR_FILENO,
                                "slurmstepd: error: --gpu-bind=%s: task %u has none of these GPUs and sees the first\n",
                                spec->launch->spec->gpu_bind, spec->launch->ranks[task]);
                own = read_gpus(spec->credential->step_gres, spec->config, first, task, of_step->n);
        }
        set_visible(e, &own);
        environment_set(e, "SLURM_STEP_GPUS", "%s", own.list);
        if (gpu_bind_is_verbose(bind))
                dprintf(STDERR_FILENO,
                                "gpu-bind: usable_gres=0x%llX; bit_alloc=0x%llX; global_list=%s; local_list=%s\n",
                                (unsigned long long)own.mask, (unsigned long long)of_step->mask,
                                own.list, own.visible);
        gpus_done(&own);
}

void environment_of_gpus(struct environment *e, const Slumber__StepdSpec *spec, size_t task) {
        const Slumber__CredentialBody *c = spec->credential;
        _cleanup_(gpus_done) struct gpus of_step = read_gpus(c->step_gres, spec->config, NULL, 0,
                        0);

        if (task != SIZE_MAX) {
                of_task(e, spec, task, &of_step);
                return;
        }
        _cleanup_(gpus_done) struct gpus of_job = read_gpus(c->job_gres, spec->config, NULL, 0, 0);
        if (of_step.n)
                set_visible(e, &of_step);
        else if (of_job.n)
                hide_of_caller(e);
        if (of_job.n && spec->launch->batch)
                environment_set(e, "SLURM_JOB_GPUS", "%s", of_job.list);
        if (of_step.n && !spec->launch->batch)
                environment_set(e, "SLURM_STEP_GPUS", "%s", of_step.list);
        if (of_step.shards)
                environment_set(e, "SLURM_SHARDS_ON_NODE", "%llu",
                                (unsigned long long)of_step.shards);
        else if (of_step.mps)
                environment_set(e, MPS_PERCENT, "%u", of_step.mps);
        else if (of_step.n)
                environment_set(e, "SLURM_GPUS_ON_NODE", "%zu", of_step.n);
}
