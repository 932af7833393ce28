/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MaxVMSize and related figures: the largest address space of each task's processes. The kernel
 * keeps a process's peak (VmPeak) only while the process exists, so the peaks are read soon after
 * the launch, and then at doubling pauses. A process counts for the task from which it descends, as
 * in wait4(); a task ending before the first check has no figure. For sstat all figures are read in
 * the same way.
 *
 * In the extern step, which starts no tasks, all processes in the cgroup count as one task. */
#include "agent/step/parts.h"
#include "cgroup/proc.h"

#include <inttypes.h>
#include <stdio.h>

#define FIRST_LOOK (50 * USEC_PER_MSEC)
#define PAUSE_MAX  (30 * USEC_PER_SEC)

struct process {
        pid_t pid, parent;
        uint64_t peak;            /* bytes */
        uint64_t of[MEASURE_MAX]; /* read for sstat; MEASURE_VM is in peak */
};

static int by_pid(const void *a, const void *b) {
        const struct process *x = a, *y = b;

        return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Reads /proc/PID/status; false: the process has ended or has no memory any more. */
static bool process_read_status(pid_t pid, struct process *ret) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/status", (int)pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        struct process p = { .pid = pid };
        char line[256];
        uint64_t kb;

        while (f && !p.of[MEASURE_RSS] && fgets(line, sizeof line, f)) {
                (void)sscanf(line, "PPid: %d", &p.parent);
                if (sscanf(line, "VmPeak: %" SCNu64 " kB", &kb) == 1)
                        p.peak = kb * 1024;
                if (sscanf(line, "VmHWM: %" SCNu64 " kB", &kb) == 1)
                        p.of[MEASURE_RSS] = kb * 1024;
        }
        *ret = p;
        return p.peak > 0;
}

/* Reads CPU times and page faults, including waited-for children. */
static void look_at_stat(struct process *p) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/stat", (int)p->pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        uint64_t tick = USEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK), n[6] = { 0 };
        char line[1024];
        size_t size = f ? fread(line, 1, sizeof line - 1, f) : 0;

        line[size] = 0;
        const char *behind = strrchr(line, ')'); /* the process name may contain ')' */
        if (!behind || sscanf(behind,
                                       ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %" SCNu64 " %" SCNu64
                                       " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
                                       &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) != 6)
                return;
        p->of[MEASURE_PAGES] = n[0] + n[1];
        p->of[MEASURE_CPU] = (n[2] + n[3] + n[4] + n[5]) * tick;
}

static void look_at_io(struct process *p) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/io", (int)p->pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char line[256];

        while (f && fgets(line, sizeof line, f)) {
                (void)sscanf(line, "read_bytes: %" SCNu64, &p->of[MEASURE_READ]);
                (void)sscanf(line, "write_bytes: %" SCNu64, &p->of[MEASURE_WRITTEN]);
        }
}

static struct process *processes_list(struct step *s, size_t *ret_n) {
        struct pid_set set = { 0 };
        size_t n = 0;

        (void)cg_pids(s->group, &set); /* empty if the step is over */
        struct process *list = xnew0(struct process, set.n + 1);
        for (size_t i = 0; i < set.n; i++)
                n += process_read_status(set.pid[i], &list[n]);
        pid_set_done(&set);
        list_sort(list, n, sizeof *list, by_pid);
        *ret_n = n;
        return list;
}

/* Adds the use of each process to its parent, if in the list. Children have larger pids than their
   parents, except after pids wrap around. */
static void give_to_parents(struct process *list, size_t n) {
        for (size_t i = n; i-- > 0;) {
                struct process *parent = list_search(&(struct process){ .pid = list[i].parent },
                                list, n, sizeof *list, by_pid);
                if (!parent)
                        continue;
                parent->peak = MAX(parent->peak, list[i].peak);
                for (size_t k = 0; k < MEASURE_MAX; k++) {
                        uint64_t had = parent->of[k], more = list[i].of[k];
                        parent->of[k] = k == MEASURE_RSS ? MAX(had, more) : had + more;
                }
        }
}

/* Returns the task's process in the list; NULL: its program is not running (yet). */
static struct process *process_of(const struct task *t, struct process *list, size_t n) {
        return t->running && t->exec_fd < 0 && !t->epilog_by
                               ? list_search(&(struct process){ .pid = t->pid }, list, n,
                                                 sizeof *list, by_pid)
                               : NULL;
}

static void note_peaks(struct step *s, struct process *list, size_t n) {
        give_to_parents(list, n);
        for (size_t i = 0; i < s->n_tasks; i++) {
                struct task *t = &s->tasks[i];
                struct process *own = process_of(t, list, n);
                if (own)
                        t->vm_peak = MAX(t->vm_peak, own->peak);
        }
}

/* The cgroup's CPU time includes ended processes. */
static void note_guests_cpu(struct step *s) {
        uint64_t user, system;

        if (cg_cpu_time(s->group, &user, &system) < 0)
                return;
        s->guests[MEASURE_CPU] = MAX(s->guests[MEASURE_CPU], user + system);
        s->had_guests |= s->guests[MEASURE_CPU] > 0;
}

/* Updates the maxima of the extern step's cgroup. list: as left by note_peaks(). */
static void note_guests(struct step *s, struct process *list, size_t n) {
        uint64_t of[MEASURE_MAX] = { 0 };

        for (size_t i = 0; i < n; i++) {
                struct process key = { .pid = list[i].parent };
                if (list_search(&key, list, n, sizeof *list, by_pid))
                        continue;
                for (size_t k = 0; k < MEASURE_MAX; k++)
                        of[k] += k == MEASURE_VM ? list[i].peak : list[i].of[k];
        }
        for (size_t k = 0; k < MEASURE_MAX; k++)
                s->guests[k] = MAX(s->guests[k], of[k]);
        s->had_guests |= n > 0;
}

void guests_measure(struct step *s, struct measures *m) {
        note_guests_cpu(s);
        for (size_t k = 0; s->had_guests && k < MEASURE_MAX; k++)
                measures_add(m, (enum measure)k, s->guests[k], s->launch->node_rank);
}

static struct process *processes_measure(struct step *s, size_t *ret_n) {
        struct process *list = processes_list(s, ret_n);

        for (size_t i = 0; i < *ret_n; i++) {
                look_at_stat(&list[i]);
                look_at_io(&list[i]);
        }
        note_peaks(s, list, *ret_n);
        return list;
}

void vm_look(struct step *s) {
        size_t n;
        _cleanup_free_ struct process *list = s->is_extern ? processes_measure(s, &n)
                                                           : processes_list(s, &n);

        if (s->is_extern)
                note_guests(s, list, n);
        else
                note_peaks(s, list, n);
}

void tasks_measure(struct step *s, struct measures *m) {
        size_t n;
        _cleanup_free_ struct process *list = processes_measure(s, &n);

        if (s->is_extern) {
                note_guests(s, list, n);
                guests_measure(s, m);
        }
        for (size_t i = 0; i < s->n_tasks; i++) {
                struct task *t = &s->tasks[i];
                struct process *own = process_of(t, list, n);
                for (size_t k = 0; own && k < MEASURE_MAX; k++)
                        measures_add(m, (enum measure)k, k == MEASURE_VM ? t->vm_peak : own->of[k],
                                        t->rank);
        }
}

int vm_watch(struct step *s, usec_t now) {
        if (!s->vm_look_at) {
                s->vm_pause = FIRST_LOOK;
                s->vm_look_at = now + s->vm_pause;
        }
        if (s->vm_look_at <= now) {
                vm_look(s);
                s->vm_pause = MIN(s->vm_pause * 2, PAUSE_MAX);
                s->vm_look_at = now + s->vm_pause;
        }
        return (int)((s->vm_look_at - now) / USEC_PER_MSEC + 1);
}
