/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources counted by name: generic resources, GPUs, licenses, burst buffers. */
#include "commands/jobspec/jobspec_rows.h"
#include "lib/countlist.h"
#include "lib/gres.h"
#include "lib/step/gpubind.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <strings.h>

/* Sets *field to the list in the controller's form, valid until the process ends; prefix is
   added to each word. */
static int gres_set_list(const char **field, const char *value, const char *prefix,
                const char *option, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        _cleanup_free_ char *text = xstrdup("");
        int r;

        *field = NULL;
        if (strcasecmp(value, "none") == 0)
                return 0;
        for (const char *p = value; *p;) {
                size_t n = strcspn(p, ",");
                text_add_word(&text, ",", "%s%.*s", prefix, (int)n, p);
                p += n + (p[n] == ',');
        }
        r = gres_list_parse(text, GRES_ASKED, &list, fail);
        if (r < 0)
                return fail_prefix(fail, -EDOM, "Invalid --%s specification", option);
        *field = list ? job_option_keep(gres_list_text(list, "gres/")) : NULL;
        return 0;
}

/* Returns the list without GPUs; NULL: empty. */
static const char *without_gpus(const char *text) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        _cleanup_free_ char *others = NULL;
        const char *ret = NULL;

        (void)gres_list_parse(strempty(text), GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++)
                if (streq(list->list[i].name, "gpu"))
                        list->list[i].count = 0;
        others = gres_list_text(list, "gres/");
        (void)gres_set_list(&ret, others, "", "gres", NULL);
        return ret;
}

/* Called when an option of a step gives a number of GPUs: drops other ways of requesting GPUs
   from the job's environment. list: NULL for no GPUs: the step has no GPUs, nor other resources
   of the job except those requested. */
static void settle_gpus(struct job_options *o, const char *list) {
        if (o->command != JOB_SRUN)
                return;
        o->no_gres = isempty(list);
        if (!o->no_gres)
                return;
        o->gres = without_gpus(o->gres);
        o->gpus = o->gpus_per_node = o->gpus_per_task = o->gpus_per_socket = NULL;
        o->ntasks_per_gpu = 0;
}

static int option_set_gres(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        if (strcasecmp(value, "help") == 0) {
                puts("Valid gres options are:\nname[[:type]:count], of those in \"scontrol show node\"");
                return OPTIONS_DONE;
        }
        /* drop the job's environment first */
        if (strstr(value, "gpu") || strcasecmp(value, "none") == 0)
                settle_gpus(o, NULL);
        int r = gres_set_list(&o->gres, value, "", "gres", fail);
        o->no_gres = *value && !o->gres;
        return r;
}

#define DEFINE_GPUS(function, member, option)                                                      \
        static int function(void *options, const char *value, struct fail *fail) {                 \
                struct job_options *o = options;                                                   \
                int r = gres_set_list(&o->member, value, "gpu:", (option), fail);                  \
                                                                                                   \
                if (r >= 0)                                                                        \
                        settle_gpus(o, o->member);                                                 \
                return r;                                                                          \
        }
DEFINE_GPUS(set_gpus, gpus, "gpus")
DEFINE_GPUS(set_gpus_per_socket, gpus_per_socket, "gpus-per-socket")
DEFINE_GPUS(set_gpus_per_task, gpus_per_task, "gpus-per-task")

static int option_set_gpus_per_node(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        o->gpus_per_node_text = value;
        int r = gres_set_list(&o->gpus_per_node, value, "gpu:", "gpus-per-node", fail);
        if (r >= 0)
                settle_gpus(o, o->gpus_per_node);
        return r;
}

static int option_set_ntasks_per_gpu(void *field, const char *value, struct fail *fail) {
        return job_option_count(field, value, "ntasks-per-gpu", fail);
}

/* GPUs are the only TRES supported. */
static int option_set_ntasks_per_tres(void *field, const char *value, struct fail *fail) {
        return job_option_count(field, value, "ntasks-per-tres", fail);
}

static int option_set_gpu_bind(void *field, const char *value, struct fail *fail) {
        _cleanup_(gpu_bind_freep) struct gpu_bind *b = NULL;
        int r = gpu_bind_parse(value, &b, fail);

        if (r < 0)
                return fail_prefix(fail, r, "Invalid --gpu-bind argument");
        *(const char **)field = value;
        return 0;
}

/* Sets "gres/gpu:[verbose,]map:0,1": values of --gpu-bind, except for map and mask. */
static int option_set_tres_bind(void *field, const char *value, struct fail *fail) {
        const char *how = strncasecmp(value, "gres/gpu:", 9) == 0 ? value + 9 : NULL;
        const char *verbose = how && strncasecmp(how, "verbose,", 8) == 0 ? "verbose," : "";

        if (!how || strchr(how, '+'))
                return fail_set(fail, -EINVAL,
                                "Invalid --tres-bind argument: \"%.100s\": gres/gpu:[verbose,]HOW "
                                "was expected; only GPUs are bound",
                                value);
        how += strlen(verbose);
        const char *list = strncasecmp(how, "map:", 4) == 0    ? "map_gpu"
                           : strncasecmp(how, "mask:", 5) == 0 ? "mask_gpu"
                                                               : NULL;
        char *text = xasprintf("%s%s%s", verbose, strempty(list), list ? strchr(how, ':') : how);
        int r = option_set_gpu_bind(field, job_option_keep(text), NULL);
        return r < 0 ? fail_set(fail, r,
                                       "Invalid --tres-bind argument: \"%.100s\": none, closest, "
                                       "single:TASKS, per_task:GPUS, map:LIST or mask:LIST was "
                                       "expected behind gres/gpu:",
                                       value)
                     : 0;
}

static void gres_append_word(char **list, const char *word) {
        text_add_word(list, ",", "%s", word);
}

static int set_task_licenses(struct job_options *o, const char *list, struct fail *fail) {
        _cleanup_(countlist_freep) struct countlist *c = NULL;
        int r = countlist_parse(list, false, &c, fail);

        if (r < 0)
                return fail_prefix(fail, r, "Invalid --tres-per-task specification");
        o->task_licenses = c ? job_option_keep(countlist_text(c)) : NULL;
        return 0;
}

/* Sets "cpu=2,gres/gpu:a100=1,license/a=1": GPUs as --gpus-per-task, CPUs as --cpus-per-task;
   licenses become the job's. */
static int option_set_tres_per_task(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        _cleanup_free_ char *copy = xstrdup(value), *gpus = xstrdup(""), *others = xstrdup(""),
                            *licenses = xstrdup("");
        char *rest = copy;

        for (char *w; (w = strsep(&rest, ","));) {
                bool gpu = strncasecmp(w, "gres/gpu", 8) == 0 && (!w[8] || strchr(":=", w[8]));
                if (strncasecmp(w, "cpu=", 4) == 0 || strncasecmp(w, "cpu:", 4) == 0) {
                        int r = job_option_count(&o->cpus_per_task, w + 4, "tres-per-task", fail);
                        if (r < 0)
                                return r;
                        continue;
                }
                if (strncasecmp(w, "license/", 8) == 0) {
                        gres_append_word(&licenses, w + 8);
                        continue;
                }
                if (strncasecmp(w, "gres/", 5) != 0)
                        return fail_set(fail, -EINVAL,
                                        "Invalid --tres-per-task specification: \"%.100s\": cpu=COUNT, gres/NAME=COUNT or license/NAME=COUNT was expected",
                                        w);
                gres_append_word(gpu ? &gpus : &others, w);
        }
        int r = set_task_licenses(o, licenses, fail);
        if (r >= 0)
                r = gres_set_list(&o->tres_per_task, *others ? others : "none", "", "tres-per-task",
                                fail);
        if (r >= 0 && *gpus)
                r = gres_set_list(&o->gpus_per_task, gpus, "", "tres-per-task", fail);
        if (r >= 0 && *gpus)
                settle_gpus(o, o->gpus_per_task);
        return r;
}

static int option_set_cpus_per_gpu(void *field, const char *value, struct fail *fail) {
        return job_option_count(field, value, "cpus-per-gpu", fail);
}

static int option_set_mem_per_gpu(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;

        job_option_says_memory(o);
        return job_option_size(o, &o->mem_per_gpu, PLAIN_MEM_PER_GPU, value, "mem-per-gpu", fail);
}

static int option_set_gres_flags(void *field, const char *value, struct fail *fail) {
        /* Values of JobSpec */
        static const char *const bindings[] = { NULL, "enforce-binding", "disable-binding" };
        static const char *const later[] = {
                "one-task-per-sharing",
                "multiple-tasks-per-sharing",
                "allow-task-sharing",
        };

        for (uint32_t i = 1; i < ELEMENTSOF(bindings); i++)
                if (strcasecmp(value, bindings[i]) == 0) {
                        *(uint32_t *)field = i;
                        return 0;
                }
        for (size_t i = 0; i < ELEMENTSOF(later); i++)
                if (strcasecmp(value, later[i]) == 0)
                        return job_option_later(
                                        "--gres-flags with another value than enforce-binding or disable-binding",
                                        fail);
        return fail_set(fail, -EINVAL,
                        "Invalid --gres-flags specification: \"%.100s\": enforce-binding or disable-binding was expected",
                        value);
}

/* Counts GPUs of a list; *ret_type (if not NULL) is the type, of several the last. */
static uint64_t gpu_list_count(const char *text, char **ret_type, size_t *ret_kinds) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        uint64_t sum = 0;

        (void)gres_list_parse(strempty(text), GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++) {
                if (!streq(list->list[i].name, "gpu"))
                        continue;
                sum += list->list[i].count;
                if (ret_type)
                        free_and_strdup(ret_type, list->list[i].type);
                if (ret_kinds)
                        ++*ret_kinds;
        }
        return sum;
}

static uint64_t gpu_list_total(const char *text) {
        return gpu_list_count(text, NULL, NULL);
}

static uint64_t count_type(const char *text, const char *type) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        uint64_t sum = 0;

        (void)gres_list_parse(strempty(text), GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++)
                if (streq(list->list[i].name, "gpu") &&
                                streq(strempty(list->list[i].type), strempty(type)))
                        sum += list->list[i].count;
        return sum;
}

static int exclude_each_other(const char *option, struct fail *fail) {
        return fail_set(fail, -EINVAL,
                        "--%s is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU",
                        option);
}

static int gpus_refuse_conflict(const struct job_options *o, uint64_t gpus, struct fail *fail) {
        return fail_set(fail, -EINVAL,
                        "--gpus=%llu, --ntasks=%u and --ntasks-per-gpu=%u contradict each other",
                        (unsigned long long)gpus, o->num_tasks, o->ntasks_per_gpu);
}

/* Mixed GPU types exclude --gpus-per-task: the number of tasks follows from
   all GPUs, or per node if requested per node, and tasks share GPUs by binding. */
static int check_tasks_of_kinds(struct job_options *o, uint64_t all, uint64_t each,
                struct fail *fail) {
        static char bind[32];
        uint64_t nodes = MAX(1u, o->min_nodes), gpus = all ? all : each * nodes,
                 share = o->ntasks_per_gpu;

        if (gpus > JOB_COUNT_MAX / share)
                return job_option_invalid("ntasks-per-gpu", fail);
        if (!all && o->max_nodes != o->min_nodes)
                return fail_set(fail, -EINVAL,
                                "--ntasks-per-gpu needs a number of nodes, not a range");
        if (o->num_tasks && !o->job_id && o->num_tasks != gpus * share)
                return gpus_refuse_conflict(o, gpus, fail);
        if (!o->num_tasks || !o->job_id)
                o->num_tasks = (uint32_t)(gpus * share);
        if (each && (!all || all == each * nodes))
                o->ntasks_per_node = (uint32_t)(each * share);
        if (!o->gpu_bind) {
                snprintf(bind, sizeof bind, "single:%u", o->ntasks_per_gpu);
                o->gpu_bind = bind;
        }
        o->ntasks_per_gpu = 0;
        return 0;
}

/* Derives tasks from GPUs or GPUs from tasks, with ntasks_per_gpu tasks sharing a GPU. */
static int check_ntasks_per_gpu(struct job_options *o, struct fail *fail) {
        _cleanup_free_ char *type = NULL;
        size_t kinds = 0;
        uint64_t all = gpu_list_count(o->gpus, &type, &kinds),
                 each = gpu_list_count(job_options_per_node(o), &type, &kinds);
        uint64_t share = o->ntasks_per_gpu, nodes = MAX(1u, o->min_nodes), tasks = o->num_tasks;

        if (o->gpus_per_task)
                return exclude_each_other("gpus-per-task", fail);
        if (o->gpus_per_socket)
                return exclude_each_other("gpus-per-socket", fail);
        if (o->ntasks_per_node)
                return exclude_each_other("ntasks-per-node", fail);
        if (kinds > 1)
                return check_tasks_of_kinds(o, all, each, fail);
        if (!all && !each && !tasks && !o->min_nodes)
                return fail_set(fail, -EINVAL,
                                "--ntasks-per-gpu needs either GPUs or a number of nodes or tasks");
        if (!all && !tasks && o->max_nodes != o->min_nodes)
                return fail_set(fail, -EINVAL,
                                "--ntasks-per-gpu needs a number of nodes, not a range");
        if (!tasks)
                tasks = all ? all * share : MAX(each, (uint64_t)1) * nodes * share;
        else if (!o->job_id && !all && !each && tasks % share)
                return fail_set(fail, -EINVAL,
                                "-n/--ntasks has to be a multiple of --ntasks-per-gpu.");
        if (!o->job_id && all && DIV_ROUND_UP(tasks, share) != all)
                return gpus_refuse_conflict(o, all, fail);
        if (tasks > JOB_COUNT_MAX)
                return job_option_invalid("ntasks-per-gpu", fail);
        o->num_tasks = (uint32_t)tasks;
        o->gpus = NULL; /* derived from the tasks */
        _cleanup_free_ char *one = xasprintf("%s%s1", strempty(type), type ? ":" : "");
        return gres_set_list(&o->gpus_per_task, one, "gpu:", "ntasks-per-gpu", fail);
}

static int check_gpus_per_socket(struct job_options *o, struct fail *fail) {
        if (!o->sockets_per_node)
                return fail_set(fail, -EINVAL,
                                "--gpus-per-socket option requires --sockets-per-node specification");
        if (o->job_id)
                return job_option_later("--gpus-per-socket for a step", fail);
        if (o->num_tasks || o->ntasks_per_node)
                return 0;
        /* Like Slurm: a task for each socket */
        o->num_tasks = o->sockets_per_node * MAX(1u, o->min_nodes);
        if (o->min_nodes == o->max_nodes || !o->max_nodes)
                o->ntasks_per_node = o->sockets_per_node; /* tasks on each node */
        return 0;
}

static int is_multiple(uint64_t all, uint64_t each, const char *of, const char *option,
                struct fail *fail) {
        if (!all || !each || all % each == 0)
                return 0;
        return fail_set(fail, -EINVAL, "%s is not a multiple of %s", of, option);
}

static int counts_check_equal(uint64_t wanted, uint64_t said, const char *from, const char *what,
                struct fail *fail) {
        if (wanted == said)
                return 0;
        return fail_set(fail, -EINVAL, "%s ask for %llu %s, not %llu", from,
                        (unsigned long long)wanted, what, (unsigned long long)said);
}

/* Checks the GPUs of a type (NULL: without type). */
static int check_type_agrees(const struct job_options *o, const char *type, struct fail *fail) {
        static const char per_node[] = "--gpus-per-node (or --gres=gpu)";
        uint64_t all = count_type(o->gpus, type), node = count_type(job_options_per_node(o), type),
                 task = count_type(o->gpus_per_task, type),
                 socket = count_type(o->gpus_per_socket, type);
        uint64_t nodes = all && node ? all / node : 0;
        int r = is_multiple(all, node, "--gpus", per_node, fail);

        if (r >= 0)
                r = is_multiple(all, task, "--gpus", "--gpus-per-task", fail);
        if (r >= 0)
                r = is_multiple(node, task, per_node, "--gpus-per-task", fail);
        if (r >= 0)
                r = is_multiple(node, socket, per_node, "--gpus-per-socket", fail);
        if (r >= 0 && nodes && o->min_nodes)
                r = counts_check_equal(nodes,
                                MAX(o->min_nodes, MIN(nodes, o->max_nodes ? o->max_nodes : nodes)),
                                "--gpus and --gpus-per-node", "nodes", fail);
        if (r >= 0 && all && task && o->num_tasks)
                r = counts_check_equal(all / task, o->num_tasks, "--gpus and --gpus-per-task",
                                "tasks", fail);
        if (r >= 0 && node && task && o->ntasks_per_node)
                r = counts_check_equal(node / task, o->ntasks_per_node,
                                "--gpus-per-node and --gpus-per-task", "tasks on a node", fail);
        if (r >= 0 && node && socket && o->sockets_per_node)
                r = counts_check_equal(node / socket, o->sockets_per_node,
                                "--gpus-per-node and --gpus-per-socket", "sockets", fail);
        return r;
}

/* Lists all requested GPUs, in any option; the caller frees. */
static int list_gpus(const struct job_options *o, struct gres_list **ret, struct fail *fail) {
        const char *const texts[] = {
                o->gpus,
                job_options_per_node(o),
                o->gpus_per_task,
                o->gpus_per_socket,
        };
        _cleanup_free_ char *all = xstrdup("");

        for (size_t i = 0; i < ELEMENTSOF(texts); i++)
                if (!isempty(texts[i]))
                        gres_append_word(&all, texts[i]);
        return gres_list_parse(all, GRES_ASKED, ret, fail);
}

/* Checks, type by type, that GPUs in total and per node, task or socket imply the requested
   numbers of nodes, tasks and sockets. For a step the controller checks. */
static int check_gpus_agree(const struct job_options *o, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        uint64_t all = gpu_list_total(o->gpus);

        if (o->job_id)
                return 0;
        if (all && all < o->min_nodes)
                return fail_set(fail, -EINVAL,
                                "each node gives one GPU at least: --gpus=%llu is too few for %u nodes",
                                (unsigned long long)all, o->min_nodes);
        int r = list_gpus(o, &list, fail);
        for (size_t i = 0; r >= 0 && list && i < list->n; i++)
                if (streq(list->list[i].name, "gpu"))
                        r = check_type_agrees(o, list->list[i].type, fail);
        return r;
}

static int wants_tasks(const struct job_options *o, struct fail *fail) {
        if (o->num_tasks || o->ntasks_per_node)
                return 0;
        return fail_set(fail, -EINVAL,
                        "--gpus-per-task used without either --gpus or -n/--ntasks is not allowed.");
}

static int gpus_set_tasks(struct job_options *o, uint64_t tasks, struct fail *fail) {
        if (tasks > JOB_COUNT_MAX)
                return job_option_invalid("gpus", fail);
        o->num_tasks = (uint32_t)tasks;
        return 0;
}

/* Drops types of --gpus-per-task from --gpus, which implies the number of tasks; other types
   stay. */
static int settle_per_task(struct job_options *o, struct fail *fail) {
        _cleanup_(gres_list_freep) struct gres_list *list = NULL;
        _cleanup_free_ char *others = xstrdup("");

        (void)gres_list_parse(strempty(o->gpus), GRES_ASKED, &list, NULL);
        for (size_t i = 0; list && i < list->n; i++) {
                const struct gres_item *item = &list->list[i];
                uint64_t each = count_type(o->gpus_per_task, item->type);
                if (!each) {
                        _cleanup_free_ char *word = xasprintf("%s%s%llu", strempty(item->type),
                                        item->type ? ":" : "", (unsigned long long)item->count);
                        gres_append_word(&others, word);
                        continue;
                }
                int r = o->num_tasks ? counts_check_equal(item->count / each, o->num_tasks,
                                                       "--gpus and --gpus-per-task", "tasks", fail)
                                     : gpus_set_tasks(o, item->count / each, fail);
                if (r < 0)
                        return r;
        }
        int r = wants_tasks(o, fail);
        return r < 0 ? r : gres_set_list(&o->gpus, *others ? others : "none", "gpu:", "gpus", fail);
}

/* Variant for a step, whose --gpus may come from the job's environment. */
static int settle_step_per_task(struct job_options *o, struct fail *fail) {
        int r = o->gpus && !o->num_tasks
                                ? gpus_set_tasks(o,
                                                  gpu_list_total(o->gpus) /
                                                                  gpu_list_total(o->gpus_per_task),
                                                  fail)
                                : 0;

        o->gpus = NULL;
        return r < 0 ? r : wants_tasks(o, fail);
}

int job_options_check_gres(struct job_options *o, struct fail *fail) {
        int r = check_gpus_agree(o, fail);

        if (r < 0)
                return r;
        if (o->cpus_per_gpu && o->cpus_per_task)
                return fail_set(fail, -EINVAL,
                                "--cpus-per-task and --cpus-per-gpu are mutually exclusive.");
        if (o->mem_per_gpu && (o->mem_set || o->mem_per_cpu_set))
                return fail_set(fail, -EINVAL,
                                "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
        if (o->ntasks_per_gpu)
                return check_ntasks_per_gpu(o, fail);
        if (o->gpus_per_socket)
                return check_gpus_per_socket(o, fail);
        if (!o->gpus_per_task)
                return 0;
        return o->job_id ? settle_step_per_task(o, fail) : settle_per_task(o, fail);
}

static const char *gres_lists_join(const char *a, const char *b) {
        if (!a || !b)
                return a ? a : strempty(b);
        return job_option_keep(xasprintf("%s,%s", a, b));
}

const char *job_options_per_node(const struct job_options *o) {
        return gres_lists_join(o->gres, o->gpus_per_node);
}

const char *job_options_licenses(const struct job_options *o) {
        uint64_t nodes = MAX(1u, o->min_nodes), tasks = o->num_tasks ? o->num_tasks
                                                        : o->ntasks_per_node
                                                                        ? nodes * o->ntasks_per_node
                                                                        : nodes;
        _cleanup_(countlist_freep) struct countlist *c = NULL;
        _cleanup_free_ char *list = xstrdup(strempty(o->licenses));

        if (!o->task_licenses)
                return o->licenses;
        (void)countlist_parse(o->task_licenses, false, &c, NULL); /* checked earlier */
        for (size_t i = 0; c && i < c->n; i++) {
                _cleanup_free_ char *word = xasprintf("%s:%llu", c->list[i].name,
                                (unsigned long long)(tasks * c->list[i].n));
                gres_append_word(&list, word);
        }
        return job_option_keep(TAKE(list));
}

const char *job_options_tres_bind(const struct job_options *o) {
        return job_option_keep(gpu_bind_tres(strempty(o->gpu_bind)));
}

const char *job_options_per_task(const struct job_options *o) {
        return gres_lists_join(o->gpus_per_task, o->tres_per_task);
}

/* clang-format off */
const struct job_row job_rows_gres[] = {
        CALL(ALL | NO_STEP, "cpus-per-gpu", 0, AT(cpus_per_gpu), option_set_cpus_per_gpu, "count", "CPUs for each GPU"),
        CALL(ALL | ENV(ALL), "gpu-bind", 0, AT(gpu_bind), option_set_gpu_bind, "[verbose,]how", "none, closest, single:TASKS, per_task:GPUS, map_gpu:LIST or mask_gpu:LIST: GPUs of each task"),
        CALL(ALL, "gpus", 'G', 0, set_gpus, "[type:]count[,type:count...]", "GPUs on all nodes together, one on each at least"),
        CALL(ALL, "gpus-per-node", 0, 0, option_set_gpus_per_node, "[type:]count", "GPUs on each node"),
        CALL(ALL, "gpus-per-socket", 0, 0, set_gpus_per_socket, "[type:]count", "GPUs for each of --sockets-per-node"),
        CALL(ALL, "gpus-per-task", 0, 0, set_gpus_per_task, "[type:]count", "GPUs for each task"),
        CALL(ALL, "gres", 0, 0, option_set_gres, "list", "generic resources on each node: name[[:type]:count], joined by commas"),
        CALL(ALL | ENV(ALL) | NO_STEP, "gres-flags", 0, WIRE(gres_binding), option_set_gres_flags, "flag", "enforce-binding: only cores near its units; disable-binding: any"),
        TEXT(ALL | NO_STEP, "licenses", 'L', licenses, "list", "licenses that it must have: name:count, joined by commas, or by | for one of them"),
        CALL(ALL | NO_STEP, "mem-per-gpu", 0, 0, option_set_mem_per_gpu, "size[KMGT]", "memory for each GPU, MB"),
        CALL(ALL, "ntasks-per-gpu", 0, AT(ntasks_per_gpu), option_set_ntasks_per_gpu, "count", "tasks that share each GPU"),
        CALL(ALL, "ntasks-per-tres", 0, AT(ntasks_per_gpu), option_set_ntasks_per_tres, "count", NULL),
        CALL(ALL | ENV(ALL), "tres-bind", 0, AT(gpu_bind), option_set_tres_bind, "gres/gpu:how", "as --gpu-bind, with map and mask"),
        CALL(ALL, "tres-per-task", 0, 0, option_set_tres_per_task, "list", "for each task: cpu=count, gres/name[:type]=count, license/name=count"),

        NEVER_ARG(ALL, "bb", 0, "there are no burst buffers"),
        NEVER_ARG(ALL | CARRIED, "bbf", 0, "there are no burst buffers"),
        NEVER_ARG(ALL | ENV(ALL), "gpu-freq", 0, "the frequency of GPUs is left to their driver"),
};
/* clang-format on */
const size_t n_job_rows_gres = ELEMENTSOF(job_rows_gres);
