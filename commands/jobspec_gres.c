/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job asks for that is counted by name: generic resources, GPUs, licenses, burst buffers. */
#include "commands/jobspec_rows.h"
#include "lib/gres.h"
#include "lib/timetext.h"

#include <strings.h>

/* Options live as long as the process. */
static const char *keep(char *text) {
        static char **kept;
        static size_t n;

        kept = xrenew(kept, n + 1);
        return kept[n++] = text;
}

/* The list as the controller wants it, in *field; it lives as long as the process.  Before the next word of it stands prefix. */
static int set_list(const char **field, const char *value, const char *prefix, const char *option, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        _cleanup_free_ char *text = xstrdup("");
        int r;

        *field = NULL;
        if (strcasecmp(value, "none") == 0)
                return 0;
        for (const char *p = value; *p;) {
                size_t n = strcspn(p, ",");
                _cleanup_free_ char *before = text;
                text = xasprintf("%s%s%s%.*s", before, *before ? "," : "", prefix, (int)n, p);
                p += n + (p[n] == ',');
        }
        r = gres_list_parse(text, GRES_ASKED, &list, fail);
        if (r < 0)
                return fail_prefix(fail, r, "Invalid --%s specification", option);
        *field = list ? keep(gres_list_text(list, "gres/")) : NULL;
        return 0;
}

static int set_gres(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (strcasecmp(value, "help") == 0) {
                puts("Valid gres options are:\nname[[:type]:count], of those in \"scontrol show node\"");
                return OPTIONS_DONE;
        }
        o->no_gres = strcasecmp(value, "none") == 0;
        if (o->command == JOB_SRUN && (o->no_gres || strstr(value, "gpu"))) /* before what the job's environment says */
                o->gpus = o->gpus_per_node = o->gpus_per_task = NULL;
        return set_list(&o->gres, value, "", "gres", fail);
}

#define DEFINE_GPUS(function, option)                                                              \
        static int function(void *field, const char *value, struct fail *fail) {                   \
                return set_list(field, value, "gpu:", (option), fail);                             \
        }
DEFINE_GPUS(set_gpus, "gpus")
DEFINE_GPUS(set_gpus_per_node, "gpus-per-node")
DEFINE_GPUS(set_gpus_per_task, "gpus-per-task")

static int set_cpus_per_gpu(void *field, const char *value, struct fail *fail) {
        return job_option_count(field, value, "cpus-per-gpu", fail);
}

static int set_mem_per_gpu(void *field, const char *value, struct fail *fail) {
        return memory_parse(value, field, NULL) < 0 ? job_option_invalid("mem-per-gpu", fail) : 0;
}

/* Cores near a GPU are preferred by nobody here, so there is nothing to switch off. */
static int set_gres_flags(void *field, const char *value, struct fail *fail) {
        return strcasecmp(value, "disable-binding") == 0 ? 0 : job_option_later("--gres-flags with another value than disable-binding", fail);
}

static uint64_t count_of(const char *text) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        uint64_t sum = 0;

        (void)gres_list_parse(text, GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++)
                sum += list->list[i].count;
        return sum;
}

int job_options_check_gres(struct job_options *o, struct fail *fail) {
        if (o->cpus_per_gpu && o->cpus_per_task)
                return fail_set(fail, -EINVAL, "--cpus-per-task and --cpus-per-gpu are mutually exclusive.");
        if (o->mem_per_gpu && (o->mem_set || o->mem_per_cpu_set))
                return fail_set(fail, -EINVAL, "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
        if (!o->gpus_per_task)
                return 0;
        if (o->gpus && !o->num_tasks) {
                uint64_t all = count_of(o->gpus), each = count_of(o->gpus_per_task);
                if (all % each || all / each > JOB_COUNT_MAX)
                        return fail_set(fail, -EINVAL, "--gpus is not a multiple of --gpus-per-task");
                o->num_tasks = (uint32_t)(all / each);
        }
        o->gpus = NULL; /* follows from the tasks */
        if (!o->num_tasks && !o->ntasks_per_node)
                return fail_set(fail, -EINVAL, "--gpus-per-task used without either --gpus or -n/--ntasks is not allowed.");
        return 0;
}

const char *job_options_per_node(const struct job_options *o) {
        static char *both;

        if (!o->gres || !o->gpus_per_node)
                return o->gres ? o->gres : strempty(o->gpus_per_node);
        free(both);
        return both = xasprintf("%s,%s", o->gres, o->gpus_per_node);
}

/* clang-format off */
const struct job_row job_rows_gres[] = {
        CALL(ALL, "cpus-per-gpu", 0, AT(cpus_per_gpu), set_cpus_per_gpu, "count", "CPUs for each GPU"),
        CALL(ALL, "gpus", 'G', AT(gpus), set_gpus, "[type:]count", "GPUs on all nodes together, one on each at least"),
        CALL(ALL, "gpus-per-node", 0, AT(gpus_per_node), set_gpus_per_node, "[type:]count", "GPUs on each node"),
        CALL(ALL, "gpus-per-task", 0, AT(gpus_per_task), set_gpus_per_task, "[type:]count", "GPUs for each task"),
        CALL(ALL, "gres", 0, 0, set_gres, "list", "generic resources on each node: name[[:type]:count], joined by commas"),
        CALL(ALL, "gres-flags", 0, 0, set_gres_flags, NULL, NULL),
        TEXT(ALL, "licenses", 'L', licenses, "list", "licenses that it must have: name:count, joined by commas, or by | for one of them"),
        CALL(ALL, "mem-per-gpu", 0, AT(mem_per_gpu), set_mem_per_gpu, "size[KMGT]", "memory for each GPU, MB"),

        REFUSED_ARG(ALL, "bb", 0),
        REFUSED_ARG(ALL, "bbf", 0),
        REFUSED_ARG(ALL, "gpu-bind", 0),
        REFUSED_ARG(ALL, "gpu-freq", 0),
        REFUSED_ARG(ALL, "gpus-per-socket", 0),
        REFUSED_ARG(ALL, "ntasks-per-gpu", 0),
        REFUSED_ARG(ALL, "tres-bind", 0),
        REFUSED_ARG(ALL, "tres-per-task", 0),
};
/* clang-format on */
const size_t n_job_rows_gres = ELEMENTSOF(job_rows_gres);
