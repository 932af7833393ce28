/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds a task to the CPUs chosen by slumberd (agent/hardware/bind.h), by sched_setaffinity().
 *
 * Invariant: a task gets only CPUs of the step daemon's own affinity, so that a group confined to
 * some CPUs stays confined. A task without any usable CPU runs unbound, with a message. */
#include "agent/step/parts.h"

#include <sched.h>

#define CPUS_MAX 4096 /* maximum CPUs of a node; the kernel's own limit is 8192 */

struct cpus {
        cpu_set_t *set;
        size_t size;
};

/* Reads a mask in hexadecimal, as "0x3". */
static void cpus_read_mask(const char *hex, const struct cpus *c) {
        size_t n = strlen(hex);

        for (size_t i = 0; i + 2 < n; i++) {
                char digit[2] = { hex[n - 1 - i], 0 };
                unsigned long bits = strtoul(digit, NULL, 16);
                for (size_t b = 0; b < 4; b++)
                        if (bits & 1ul << b && i * 4 + b < CPUS_MAX)
                                CPU_SET_S(i * 4 + b, c->size, c->set);
        }
}

static char *cpus_mask_text(const struct cpus *c) {
        char *text = xmalloc(CPUS_MAX / 4 + 3), *to = text + sprintf(text, "0x");
        bool begun = false;

        for (int i = CPUS_MAX / 4 - 1; i >= 0; i--) {
                unsigned bits = 0;
                for (size_t b = 0; b < 4; b++)
                        bits |= CPU_ISSET_S((size_t)i * 4 + b, c->size, c->set) ? 1u << b : 0;
                begun |= bits || i == 0;
                if (begun)
                        to += sprintf(to, "%X", bits);
        }
        return text;
}

static void cpus_report_binding(const struct step *s, const struct task *t, size_t local,
                const struct cpus *c, bool bound) {
        static const struct {
                const char *how, *word;
        } words[] = { { "mask_cpu", "MASK" }, { "map_cpu", "MAP " }, { "mask_ldom", "LDMASK" },
                { "map_ldom", "LDMAP " }, { "rank_ldom", "LDRANK" }, { "rank", "RANK" } };
        _cleanup_free_ char *mask = cpus_mask_text(c);
        const char *word = "NONE";

        bound &= !streq(s->spec->cpu_bind, "none"); /* bound to the step's CPUs only */
        for (size_t i = ELEMENTSOF(words); bound && i-- > 0;)
                if (strncmp(s->spec->cpu_bind, words[i].how, strlen(words[i].how)) == 0)
                        word = words[i].word;
        dprintf(STDERR_FILENO, "cpu-bind=%s - %s, task %2u %2zu [%d]: mask %s%s\n", word,
                        s->spec->node, t->rank, local, (int)getpid(), mask, bound ? " set" : "");
}

static struct cpus no_cpus(void) {
        struct cpus c = { CPU_ALLOC(CPUS_MAX), CPU_ALLOC_SIZE(CPUS_MAX) };

        if (!c.set)
                out_of_memory();
        CPU_ZERO_S(c.size, c.set);
        return c;
}

void bind_task(struct step *s, const struct task *t, size_t local) {
        const Slumber__StepdSpec *spec = s->spec;
        bool bound = false;

        if (spec->n_cpu_masks == 0 && !spec->cpu_bind_verbose)
                return;
        struct cpus have = no_cpus(), to = no_cpus();
        bool known = sched_getaffinity(0, have.size, have.set) >= 0;
        if (known && spec->n_cpu_masks > 0) {
                cpus_read_mask(spec->cpu_masks[local % spec->n_cpu_masks], &to);
                CPU_AND_S(to.size, to.set, to.set, have.set);
                bound = CPU_COUNT_S(to.size, to.set) > 0 &&
                        sched_setaffinity(0, to.size, to.set) >= 0;
                if (!bound)
                        dprintf(STDERR_FILENO,
                                        "slurmstepd: error: --cpu-bind=%s: task %u has none of "
                                        "these CPUs and is not bound\n",
                                        spec->cpu_bind, t->rank);
        }
        if (spec->cpu_bind_verbose)
                cpus_report_binding(s, t, local, bound ? &to : &have, bound);
        CPU_FREE(have.set);
        CPU_FREE(to.set);
}
