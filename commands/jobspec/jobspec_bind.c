/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --cpu-bind and --mem-bind: binding of tasks to CPUs and to the memory of NUMA nodes. */
#include "commands/jobspec/jobspec_rows.h"

#include <strings.h>

#define DECIMAL "0123456789"
#define HEX     "0123456789abcdefABCDEF"

/* Maximum tasks of a node */
#define LIST_MAX 65536

/* Returns whether list has numbers, or hexadecimal masks, separated by commas, each optionally
   with *N for N tasks. */
static bool bind_list_is_good(const char *list, bool masks) {
        for (const char *p = list;; p++) {
                bool hex = *p == '0' && (p[1] == 'x' || p[1] == 'X');
                size_t n = strspn(hex ? p += 2 : p, masks || hex ? HEX : DECIMAL);
                if (n == 0 || n > 1024)
                        return false;
                p += n;
                if (*p == '*') {
                        n = strspn(p + 1, DECIMAL);
                        if (n == 0 || n > 5 || strtoul(p + 1, NULL, 10) == 0)
                                return false;
                        p += 1 + n;
                }
                if (*p != ',')
                        return !*p;
        }
}

/* Returns the list as shown to tasks in Slurm: masks without 0x, items with *N repeated. NULL:
   too long. */
static char *bind_list_text(const char *kind, const char *list) {
        char *text = NULL;
        size_t size, items = 0, begun = 0;
        FILE *out = memstream_open(&text, &size);

        fprintf(out, "%s:", kind);
        for (const char *p = list; *p; p += *p == ',') {
                if (strncmp(kind, "mask_", 5) == 0 && strncasecmp(p, "0x", 2) == 0)
                        p += 2;
                size_t n = strcspn(p, "*,"), times = p[n] == '*' ? strtoul(p + n + 1, NULL, 10) : 1;
                items += times;
                for (; items <= LIST_MAX && times > 0; times--)
                        fprintf(out, "%s%.*s", begun++ ? "," : "", (int)n, p);
                p += strcspn(p, ",");
        }
        memstream_close(out);
        if (items > LIST_MAX)
                free(TAKE(text));
        return text;
}

/* Checks *how, "map_cpu:0,1" or the like, of option, and replaces it by the form shown to tasks;
   kinds ends with NULL. */
static int bind_list_check(char **how, const char *const *kinds, const char *option,
                struct fail *fail) {
        size_t n = strcspn(*how, ":=");
        char *list = *how + n + ((*how)[n] != 0);

        for (; *kinds; kinds++) {
                if (strlen(*kinds) != n || strncasecmp(*how, *kinds, n) != 0)
                        continue;
                if (!*list)
                        return fail_set(fail, -EDOM, "missing list for \"--%s=%s:<list>\"", option,
                                        *kinds);
                char *told = bind_list_is_good(list, strncmp(*kinds, "mask_", 5) == 0)
                                             ? bind_list_text(*kinds, list)
                                             : NULL;
                if (!told)
                        return fail_set(fail, -EDOM, "Invalid list for --%s=%s: \"%.100s\"", option,
                                        *kinds, list);
                free(*how);
                *how = told;
                return 0;
        }
        return fail_set(fail, -EDOM, "unrecognized --%s argument \"%.100s\"", option, *how);
}

/* ---- CPUs ---- */

static int cpu_bind_help(void) {
        puts("CPU bind options:\n"
             "    --cpu-bind=         Bind tasks to CPUs\n"
             "        quiet,          say nothing of it (default)\n"
             "        verbose,        each task says what it is bound to\n"
             "        none            all CPUs of the step\n"
             "        threads         as many as a task has CPUs\n"
             "        cores           whole cores\n"
             "        sockets         all that the step has of a socket\n"
             "        ldoms           all that the step has of a NUMA node\n"
             "        rank            one for each task, in order\n"
             "        rank_ldom       a NUMA node for each task, in turn\n"
             "        map_cpu:LIST    the number of one for each task\n"
             "        mask_cpu:LIST   a hexadecimal mask for each task\n"
             "        map_ldom:LIST   the number of a NUMA node for each task\n"
             "        mask_ldom:LIST  a hexadecimal mask of NUMA nodes for each task\n"
             "        help            this");
        return OPTIONS_DONE;
}

/* Handles the words quiet and verbose; true: handled. */
static bool bind_loudness(struct job_options *o, const char *word, size_t n) {
        static const char *const words[] = { "quiet", "verbose" };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if ((n == 1 && *word == *words[i]) ||
                                (n == strlen(words[i]) && strncasecmp(word, words[i], n) == 0)) {
                        o->cpu_bind_verbose = i == 1;
                        o->cpu_bind_quiet = i == 0;
                        return true;
                }
        return false;
}

/* Sets --cpu-bind: "[quiet,|verbose,]how", or in reverse order. */
int job_set_cpu_bind(void *options, const char *value, struct fail *fail) {
        static const char *const words[] = { "none", "no", "threads", "cores", "sockets", "ldoms",
                "rank", "rank_ldom" };
        static const char *const lists[] = { "map_cpu", "mask_cpu", "map_ldom", "mask_ldom", NULL };
        struct job_options *o = options;

        if (strcasecmp(value, "help") == 0)
                return cpu_bind_help();
        o->cpu_bind_text = value;
        o->cpu_bind_quiet = o->cpu_bind_verbose = false;
        size_t n = strcspn(value, ",");
        const char *how = bind_loudness(o, value, n) ? value + n + (value[n] == ',') : value;
        const char *last = strrchr(how, ',');
        n = last && bind_loudness(o, last + 1, strlen(last + 1)) ? (size_t)(last - how)
                                                                 : strlen(how);
        char *text = xstrndup(how, n);
        const char *word = NULL;
        for (size_t i = 0; i < ELEMENTSOF(words) && !word; i++)
                if (strcasecmp(text, words[i]) == 0)
                        word = streq(words[i], "no") ? "none" : words[i];
        int r = *text && !word ? bind_list_check(&text, lists, "cpu-bind", fail) : 0;
        text = job_option_keep(text);
        o->cpu_bind = word ? word : text;
        return r;
}

/* ---- memory ---- */

static int mem_bind_help(void) {
        puts("Memory bind options:\n"
             "    --mem-bind=         Bind the memory of tasks to NUMA nodes\n"
             "        quiet,          say nothing of it (default)\n"
             "        verbose,        each task says what it is bound to\n"
             "        sort,           have the kernel sort its free pages first, where it can\n"
             "        nosort,         do not (default)\n"
             "        prefer,         the first of the NUMA nodes before others, not it alone\n"
             "        none            all NUMA nodes (default)\n"
             "        local           those that the task's CPUs are of\n"
             "        rank            one for each task, in turn\n"
             "        map_mem:LIST    the number of one for each task\n"
             "        mask_mem:LIST   a hexadecimal mask of them for each task\n"
             "        help            this");
        return OPTIONS_DONE;
}

/* Returns whether a number or mask follows: the comma before belongs to a list, as no other word
   looks like one. */
static bool list_goes_on(const char *p) {
        size_t n = strspn(p, HEX);

        return (*p >= '0' && *p <= '9') || (n && (!p[n] || p[n] == ',' || p[n] == '*'));
}

/* Returns the next word, up to a comma which is not part of a list, and advances *rest; NULL: the
 * end. */
static char *next_bind_word(char **rest) {
        char *word = *rest, *p = word;

        if (!word || !*word)
                return NULL;
        while (*p && !(*p == ',' && !list_goes_on(p + 1)))
                p++;
        *rest = *p ? p + 1 : p;
        *p = 0;
        return word;
}

struct mem_bind {
        char *how; /* NULL: not given */
        bool verbose, prefer, sort;
};

static int take_mem_word(struct mem_bind *m, const char *word, struct fail *fail) {
        static const char *const kinds[] = { "none", "no", "local", "rank" };
        static const char *const lists[] = { "map_mem", "mask_mem", NULL };
        static const struct {
                const char *word, *letter;
                size_t field;
                bool value;
        } flags[] = {
                { "quiet", "q", offsetof(struct mem_bind, verbose), false },
                { "verbose", "v", offsetof(struct mem_bind, verbose), true },
                { "prefer", "p", offsetof(struct mem_bind, prefer), true },
                { "sort", "sort", offsetof(struct mem_bind, sort), true },
                { "nosort", "nosort", offsetof(struct mem_bind, sort), false },
        };

        for (size_t i = 0; i < ELEMENTSOF(flags); i++)
                if (strcasecmp(word, flags[i].word) == 0 ||
                                strcasecmp(word, flags[i].letter) == 0) {
                        *(bool *)((char *)m + flags[i].field) = flags[i].value;
                        return 0;
                }
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++)
                if (strcasecmp(word, kinds[i]) == 0) {
                        free_and_strdup(&m->how, streq(kinds[i], "no") ? "none" : kinds[i]);
                        return 0;
                }
        free_and_strdup(&m->how, word);
        return bind_list_check(&m->how, lists, "mem-bind", fail);
}

/* Sets --mem-bind: "[quiet|verbose],[prefer],[sort|nosort],how", in any order; the last of each
   kind wins. */
int job_set_mem_bind(void *options, const char *value, struct fail *fail) {
        _cleanup_free_ char *words = xstrdup(value);
        struct job_options *o = options;
        struct mem_bind m = { 0 };
        char *rest = words, *word;
        int r = *value ? 0 : take_mem_word(&m, "", fail);

        while (r >= 0 && (word = next_bind_word(&rest))) {
                if (strcasecmp(word, "help") == 0)
                        return mem_bind_help();
                r = take_mem_word(&m, word, fail);
        }
        if (r >= 0 && m.prefer && (!m.how || streq(m.how, "none")))
                r = fail_set(fail, -EDOM,
                                "--mem-bind=prefer wants local, rank, map_mem:<list> or "
                                "mask_mem:<list> beside it");
        o->mem_bind_text = value;
        o->mem_bind = m.how ? job_option_keep(m.how) : "";
        o->mem_bind_verbose = m.verbose;
        o->mem_bind_prefer = m.prefer;
        o->mem_bind_sort = m.sort;
        return r < 0 ? -EINVAL : 0; /* another exit code than for --cpu-bind, as in Slurm */
}

static void bind_export_variable(struct environment *e, int component, const char *name,
                const char *value) {
        static const char *const groups[] = { "_HET_GROUP_", "_PACK_GROUP_" };

        if (component < 0)
                environment_set(e, name, "%s", value);
        for (size_t i = 0; component >= 0 && i < ELEMENTSOF(groups); i++) {
                _cleanup_free_ char *of_component = xasprintf("%s%s%d", name, groups[i], component);
                environment_set(e, of_component, "%s", value);
        }
}

void job_options_tell_steps(const struct job_options *o, int component, struct environment *e) {
        if (o->gpus_per_node_text)
                bind_export_variable(e, component, "SLURM_GPUS_PER_NODE", o->gpus_per_node_text);
        if (o->gpu_bind)
                bind_export_variable(e, component, "SLURM_GPU_BIND", o->gpu_bind);
        if (o->cpu_bind)
                bind_export_variable(e, component, "SLURM_CPU_BIND", o->cpu_bind_text);
        if (!o->mem_bind)
                return;
        bind_export_variable(e, component, "SLURM_MEM_BIND", o->mem_bind_text);
        bind_export_variable(e, component, "SLURM_MEM_BIND_VERBOSE",
                        o->mem_bind_verbose ? "verbose" : "quiet");
}
