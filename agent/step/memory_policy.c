/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds a task's memory to the NUMA nodes chosen by slumberd (agent/hardware/bind.h), by
 * set_mempolicy().
 *
 * The system calls are made directly, as the step daemon uses few libraries. A task does not run if
 * its memory cannot be bound as requested. */
#include "agent/step/parts.h"

#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>

#define NODES_MAX 1024 /* the kernel's own limit */
#define WORD_BITS (8 * sizeof(unsigned long))
#define SORT_FILE "/sys/kernel/zone_sort_free_pages/nodeid"

struct nodes {
        unsigned long words[NODES_MAX / WORD_BITS];
};

static bool nodes_has(const struct nodes *set, size_t node) {
        return set->words[node / WORD_BITS] & 1ul << node % WORD_BITS;
}

/* Reads a mask in hexadecimal, as "0x3". */
static void nodes_read_mask(const char *hex, struct nodes *set) {
        size_t n = strlen(hex);

        for (size_t i = 0; i + 2 < n && i < NODES_MAX / 4; i++) {
                char digit[2] = { hex[n - 1 - i], 0 };
                unsigned long bits = strtoul(digit, NULL, 16);
                set->words[i * 4 / WORD_BITS] |= bits << i * 4 % WORD_BITS;
        }
}

static char *nodes_mask_text(const struct nodes *set) {
        char *text = xmalloc(NODES_MAX / 4 + 3), *to = text + sprintf(text, "0x");
        bool begun = false;

        for (size_t i = NODES_MAX / 4; i-- > 0;) {
                unsigned bits = set->words[i * 4 / WORD_BITS] >> i * 4 % WORD_BITS & 0xf;
                begun |= bits || i == 0;
                if (begun)
                        to += sprintf(to, "%X", bits);
        }
        return text;
}

/* Returns the NUMA nodes allowed by the kernel. */
static struct nodes nodes_allowed(void) {
        struct nodes set = { 0 };

        if (syscall(SYS_get_mempolicy, NULL, set.words, NODES_MAX, NULL, MPOL_F_MEMS_ALLOWED) < 0)
                set.words[0] = 1; /* a kernel without NUMA */
        return set;
}

static void nodes_report_binding(const struct step *s, const struct task *t, size_t local,
                const struct nodes *set, bool bound) {
        static const struct {
                const char *how, *word;
        } words[] = {
                { "local", "LOC" },
                { "rank", "RANK" },
                { "map_mem", "MAP" },
                { "mask_mem", "MASK" },
                { "none", "NONE" },
        };
        const Slumber__StepSpec *spec = s->launch->spec;
        _cleanup_free_ char *mask = nodes_mask_text(set);
        const char *word = "NULL"; /* Slurm's word if no policy is given */

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (strncmp(spec->mem_bind, words[i].how, strlen(words[i].how)) == 0)
                        word = words[i].word;
        dprintf(STDERR_FILENO, "mem-bind%s%s - %s, task %2u %2zu [%d]: mask %s%s\n",
                        spec->mem_bind_prefer ? " PREFER " : "=", word, s->spec->node, t->rank,
                        local, (int)getpid(), mask, bound ? " set" : "");
}

/* Binds to the set; --mem-bind=prefer: prefers the first node of the set. */
static int nodes_set_policy(const Slumber__StepSpec *spec, const struct nodes *set) {
        struct nodes first = { 0 };

        if (!spec->mem_bind_prefer)
                return syscall(SYS_set_mempolicy, MPOL_BIND, set->words, NODES_MAX + 1) < 0 ? -errno
                                                                                            : 0;
        for (size_t i = 0; i < NODES_MAX; i++)
                if (nodes_has(set, i)) {
                        first.words[i / WORD_BITS] = 1ul << i % WORD_BITS;
                        break;
                }
        return syscall(SYS_set_mempolicy, MPOL_PREFERRED, first.words, NODES_MAX + 1) < 0 ? -errno
                                                                                          : 0;
}

int bind_task_memory(struct step *s, const struct task *t, size_t local) {
        const Slumber__StepdSpec *spec = s->spec;
        bool bound = spec->n_mem_masks > 0;
        struct nodes set = { 0 };

        if (s->launch->batch || (!bound && !s->launch->spec->mem_bind_verbose))
                return 0;
        if (bound)
                nodes_read_mask(spec->mem_masks[local % spec->n_mem_masks], &set);
        else
                set = nodes_allowed();
        int r = bound ? nodes_set_policy(s->launch->spec, &set) : 0;
        if (r < 0) {
                _cleanup_free_ char *mask = nodes_mask_text(&set);
                dprintf(STDERR_FILENO,
                                "slurmstepd: error: --mem-bind=%s: the memory of task %u cannot be "
                                "bound to the NUMA nodes of mask %s: %s\n",
                                s->launch->spec->mem_bind, t->rank, mask, strerror(-r));
        } else if (s->launch->spec->mem_bind_verbose) {
                nodes_report_binding(s, t, local, &set, bound);
        }
        return r;
}

void sort_memory(const struct step *s) {
        if (s->launch->batch || !s->launch->spec->mem_bind_sort)
                return;
        _cleanup_close_ int fd = open(SORT_FILE, O_WRONLY | O_CLOEXEC);
        struct nodes set = nodes_allowed();

        for (size_t i = 0; fd >= 0 && i < NODES_MAX; i++)
                if (nodes_has(&set, i))
                        (void)!dprintf(fd, "%zu\n", i);
}
