/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srun --cpu-bind: which of the CPUs that the step has on its node a task may use, by sched_setaffinity().
 *
 * "Has" is what the kernel says of our own affinity, so a group that is confined to some CPUs is never left.  Numbers and
 * masks are the node's own, as Slurm's; what of them the step does not have is left out, and a task for which nothing
 * is left runs unbound and says so. */
#include "agent/stepd.h"

#include <ctype.h>
#include <sched.h>
#include <strings.h>

#define CPUS_MAX 4096 /* of a node; the kernel's own limit is 8192 */

struct cpus {
        cpu_set_t *set;
        size_t size;
};

static bool read_siblings(int cpu, int *first) {
        _cleanup_free_ char *path = xasprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
        FILE *in = fopen(path, "re");
        bool known = in && fscanf(in, "%d", first) == 1;

        if (in)
                fclose(in);
        return known;
}

/* The first thread of its core. */
static int core_of(int cpu) {
        int first;

        return read_siblings(cpu, &first) ? first : cpu;
}

/* The n-th of the step's CPUs, or of its cores; as many as it has are gone round. */
static int nth(const struct cpus *have, size_t n, bool cores) {
        int list[CPUS_MAX];
        size_t count = 0;

        for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
                bool known = false;
                if (!CPU_ISSET_S((size_t)cpu, have->size, have->set))
                        continue;
                int unit = cores ? core_of(cpu) : cpu;
                for (size_t i = 0; i < count && !known; i++)
                        known = list[i] == unit;
                if (!known)
                        list[count++] = unit;
        }
        return count ? list[n % count] : -1;
}

static void add_core(cpu_set_t *set, const struct cpus *have, int core) {
        for (int cpu = 0; cpu < CPUS_MAX; cpu++)
                if (CPU_ISSET_S((size_t)cpu, have->size, have->set) && core_of(cpu) == core)
                        CPU_SET_S((size_t)cpu, have->size, set);
}

static size_t count_items(const char *list) {
        size_t n = 1;

        for (const char *p = list; *p; p++)
                n += *p == ',';
        return n;
}

/* The item of the list that is for a task; lists that are too short begin again. */
static char *item_for(const char *list, size_t local) {
        const char *p = list;

        for (size_t k = local % count_items(list); k > 0; k--)
                p += strcspn(p, ",") + 1;
        return xstrndup(p, strcspn(p, ","));
}

static void add_mask(cpu_set_t *set, size_t size, const char *hex) {
        size_t n = strlen(hex);

        for (size_t i = 0; i < n; i++) {
                char digit[2] = { hex[n - 1 - i], 0 };
                unsigned long bits = strtoul(digit, NULL, 16);
                for (size_t b = 0; b < 4; b++)
                        if (bits & 1ul << b && i * 4 + b < CPUS_MAX)
                                CPU_SET_S(i * 4 + b, size, set);
        }
}

/* The CPUs of each task, as many as it was given. */
static void add_units(cpu_set_t *set, const struct cpus *have, size_t local, uint32_t per_task, bool cores) {
        for (size_t k = 0; k < per_task; k++) {
                int unit = nth(have, local * per_task + k, cores);
                if (unit >= 0 && cores)
                        add_core(set, have, unit);
                else if (unit >= 0)
                        CPU_SET_S((size_t)unit, have->size, set);
        }
}

static void choose(const struct step *s, const struct cpus *have, size_t local, cpu_set_t *set) {
        const char *how = s->launch->spec->cpu_bind, *list = strchr(how, ':');
        uint32_t per_task = MAX(1u, s->launch->spec->cpus_per_task);
        _cleanup_free_ char *item = list ? item_for(list + 1, local) : NULL;

        if (strncmp(how, "map_cpu:", 8) == 0) {
                unsigned long cpu = strtoul(item, NULL, strncasecmp(item, "0x", 2) == 0 ? 16 : 10);
                if (cpu < CPUS_MAX)
                        CPU_SET_S(cpu, have->size, set);
        } else if (strncmp(how, "mask_cpu:", 9) == 0)
                add_mask(set, have->size, strncasecmp(item, "0x", 2) == 0 ? item + 2 : item);
        else if (streq(how, "rank"))
                add_units(set, have, local, 1, false);
        else
                add_units(set, have, local, per_task, streq(how, "cores"));
        CPU_AND_S(have->size, set, set, have->set);
}

static char *mask_text(const struct cpus *c, const cpu_set_t *set) {
        char *text = xmalloc(CPUS_MAX / 4 + 3), *to = text + sprintf(text, "0x");
        bool begun = false;

        for (int i = CPUS_MAX / 4 - 1; i >= 0; i--) {
                unsigned bits = 0;
                for (size_t b = 0; b < 4; b++)
                        bits |= CPU_ISSET_S((size_t)i * 4 + b, c->size, set) ? 1u << b : 0;
                begun |= bits || i == 0;
                if (begun)
                        to += sprintf(to, "%X", bits);
        }
        return text;
}

static void say(const struct step *s, const struct task *t, size_t local, const struct cpus *c, const cpu_set_t *set, bool bound) {
        const char *how = s->launch->spec->cpu_bind;
        _cleanup_free_ char *mask = mask_text(c, set);

        char word[16] = "NONE"; /* MAP, MASK, CORES... */

        size_t n = bound ? MIN(strcspn(how, "_:"), sizeof word - 1) : 0;

        for (size_t i = 0; i < n; i++)
                word[i] = (char)toupper((unsigned char)how[i]);
        if (n)
                word[n] = 0;
        dprintf(STDERR_FILENO, "cpu-bind=%s - %s, task %2u %2zu [%d]: mask %s%s\n", word, s->spec->node, t->rank, local, (int)getpid(),
                        mask, bound ? " set" : "");
}

void bind_task(struct step *s, const struct task *t, size_t local) {
        const char *how = s->launch->batch ? "" : s->launch->spec->cpu_bind;
        struct cpus have = { .size = CPU_ALLOC_SIZE(CPUS_MAX) };
        cpu_set_t *set;
        bool bound = false;

        if (!*how && (s->launch->batch || !s->launch->spec->cpu_bind_verbose))
                return;
        have.set = CPU_ALLOC(CPUS_MAX);
        set = CPU_ALLOC(CPUS_MAX);
        if (!have.set || !set)
                out_of_memory();
        CPU_ZERO_S(have.size, have.set);
        CPU_ZERO_S(have.size, set);
        if (sched_getaffinity(0, have.size, have.set) >= 0 && *how && !streq(how, "none")) {
                choose(s, &have, local, set);
                bound = CPU_COUNT_S(have.size, set) > 0 && sched_setaffinity(0, have.size, set) >= 0;
                if (!bound)
                        dprintf(STDERR_FILENO, "slurmstepd: error: --cpu-bind=%s: task %u has none of these CPUs and is not bound\n",
                                        how, t->rank);
        }
        if (s->launch->spec->cpu_bind_verbose)
                say(s, t, local, &have, bound ? set : have.set, bound);
        CPU_FREE(have.set);
        CPU_FREE(set);
}
