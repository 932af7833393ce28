/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which GPUs a step or task has, in the variables that programs look at.  A GPU is named by the number at the end of its file
 * (/dev/nvidia2: 2), as its driver does; without files by its number among the node's. */
#include "agent/environment.h"
#include "lib/bitset.h"
#include "lib/config.h"
#include "lib/gres.h"

#include <ctype.h>

struct gpus {
        char *list; /* "0,2" */
        size_t n;
        unsigned env;
};

static const char *number_at_end(const char *path) {
        const char *p = path + strlen(path);

        while (p > path && isdigit((unsigned char)p[-1]))
                p--;
        return *p ? p : NULL;
}

/* The file of the node's unit: items of a name are numbered one after the other. */
static const char *file_of(const Slumber__AgentConfig *config, const char *name, size_t unit, unsigned *env) {
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

static void add(struct gpus *g, const Slumber__AgentConfig *config, const struct gres_item *item, size_t unit) {
        const char *file = file_of(config, item->name, unit, &g->env), *number = file ? number_at_end(file) : NULL;
        _cleanup_free_ char *before = g->list, *own = number ? xstrdup(number) : xasprintf("%zu", unit);

        g->list = xasprintf("%s%s%s", before ? before : "", before ? "," : "", own);
        g->n++;
}

/* The GPUs of "gpu:a100:2(IDX:0,2),nic:1": from the one on, at most so many. */
static struct gpus read_gpus(const char *text, const Slumber__AgentConfig *config, size_t from, size_t most) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        struct gpus g = { 0 };
        size_t seen = 0;

        (void)gres_list_parse(text, GRES_HELD, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++) {
                _cleanup_(bitset_freep) struct bitset *units = bitset_new(1024); /* GRES_UNITS_MAX of core/gres.h */
                if (!streq(list->list[i].name, "gpu") || !list->list[i].units || bitset_parse(units, list->list[i].units) < 0)
                        continue;
                bitset_for_each(unit, units)
                        if (seen++ >= from && g.n < most)
                                add(&g, config, &list->list[i], unit);
        }
        return g;
}

static void set_visible(struct environment *e, const struct gpus *g) {
        static const struct {
                unsigned env;
                const char *name;
        } names[] = {
                {GRES_ENV_NVIDIA,  "CUDA_VISIBLE_DEVICES"},
                { GRES_ENV_AMD,    "ROCR_VISIBLE_DEVICES"},
                { GRES_ENV_OPENCL, "GPU_DEVICE_ORDINAL"  },
                { GRES_ENV_INTEL,  "ZE_AFFINITY_MASK"    },
        };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                if (g->env & names[i].env)
                        environment_set(e, names[i].name, "%s", g->list);
}

static size_t per_task(const Slumber__StepSpec *spec) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        uint64_t n = 0;

        (void)gres_list_parse(spec->tres_per_task, GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++)
                n += streq(list->list[i].name, "gpu") ? list->list[i].count : 0;
        return (size_t)MIN(n, (uint64_t)SIZE_MAX / 65536);
}

void environment_of_gpus(struct environment *e, const Slumber__StepdSpec *spec, size_t task) {
        const Slumber__CredentialBody *c = spec->credential;
        size_t each = task == SIZE_MAX ? SIZE_MAX : per_task(spec->launch->spec);
        struct gpus of_step = read_gpus(c->step_gres, spec->config, task == SIZE_MAX ? 0 : task * each, each);

        if (of_step.n)
                set_visible(e, &of_step);
        if (task == SIZE_MAX) {
                struct gpus of_job = read_gpus(c->job_gres, spec->config, 0, SIZE_MAX);
                if (of_job.n && spec->launch->batch)
                        environment_set(e, "SLURM_JOB_GPUS", "%s", of_job.list);
                if (of_step.n && !spec->launch->batch)
                        environment_set(e, "SLURM_STEP_GPUS", "%s", of_step.list);
                if (of_step.n)
                        environment_set(e, "SLURM_GPUS_ON_NODE", "%zu", of_step.n);
                free(of_job.list);
        }
        free(of_step.list);
}
