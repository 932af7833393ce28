/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which GPUs a step or task has, whole or shards of them, in the variables that programs look at.
 * A GPU is named by the number at the end of its file (/dev/nvidia2: 2), as its driver does;
 * without files by its number among the node's. */
#include "agent/common/shards.h"
#include "agent/common/task_environment.h"
#include "lib/bitset.h"
#include "lib/config/config.h"
#include "lib/gres.h"
#include "lib/step/gpubind.h"

#include <ctype.h>

#define MPS_PERCENT "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE" /* read by CUDA's MPS server */

struct gpus {
        char *list;    /* "0,2" */
        char *visible; /* the same by the numbers that a program in its device group gives them */
        size_t n;
        uint64_t shards; /* parts of them, if it has them not whole */
        unsigned mps;    /* gres/mps: these parts in percent of the GPU; 0: it is something else */
        uint64_t mask;   /* of the first 64, by their numbers */
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

/* The file of the node's unit: items of a name are numbered one after the other. */
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
        _cleanup_free_ char *before = *list;

        *list = xasprintf("%s%s%s", strempty(before), before ? "," : "", word);
}

/* at: its place among all that the step has. */
static void add(struct gpus *g, const Slumber__AgentConfig *config, size_t unit, size_t at) {
        const char *file = file_of(config, "gpu", unit, &g->env),
                   *number = file ? number_at_end(file) : NULL;
        _cleanup_free_ char *own = number ? xstrdup(number) : xasprintf("%zu", unit),
                            *local = xasprintf("%zu", at);

        add_word(&g->list, own);
        /* what is not there is not counted */
        add_word(&g->visible, config && config->constrain_devices ? local : own);
        g->n++;
        if (unit < 64)
                g->mask |= UINT64_C(1) << unit;
}

/* Of "gpu:2(IDX:0,2)", or those that "shard:2(IDX:4-5)" are parts of; false: it is neither, or only
   counted. */
static bool units_of(const struct gres_item *item, const Slumber__AgentConfig *config,
                struct bitset *units) {
        if (streq(item->name, "gpu"))
                return item->units && bitset_parse(units, item->units) >= 0;
        if (config)
                shards_gpus(config->gres, config->n_gres, item, units);
        return !bitset_empty(units);
}

/* The GPUs of "gpu:a100:2(IDX:0,2),nic:1": all, or those of a task. */
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
                                add(&g, config, unit, at);
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

/* What is asked for of a task's GPUs; NULL: nothing. */
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

static void hide(struct environment *e) {
        for (size_t i = 0; i < ELEMENTSOF(visible_names); i++)
                environment_unset(e, visible_names[i].name);
        environment_unset(e, "SLURM_STEP_GPUS");
}

/* A step without GPUs of its job's: the script that calls srun may have some of them. */
static void hide_of_caller(struct environment *e) {
        hide(e);
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
                hide(e);
                return;
        }
        struct gpus own = read_gpus(spec->credential->step_gres, spec->config, bind, task,
                        of_step->n);
        if (own.n == 0) { /* as Slurm */
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
