/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JobAcctGatherParams=OverMemoryKill: sums up the memory of the step's processes regularly, and
 * kills a step exceeding its limit, as if out of memory.
 *
 * If the steps of a job on this node together exceed the job's limit, the largest step is killed at
 * once, and the controller, informed by that step's end, cancels the job. Sessions in the extern
 * step count for the job. If they alone exceed the limit, the extern step's daemon kills only the
 * sessions, and the job goes on.
 *
 * The batch script and its sruns use memory, too: a step with all of the job's memory may be within
 * its own limit while the job exceeds the limit. The first check exceeding a limit decides whether
 * the step is killed or the job cancelled.
 *
 * ConstrainRAMSpace of cgroup.conf is better on a machine with a memory controller: the kernel's
 * limit cannot be exceeded even for a moment. */
#include "agent/step/parts.h"
#include "cgroup/proc.h"
#include "lib/config/config.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>

#define KILLS_POLL 500 /* ms */

/* Returns the resident bytes of /proc/PID/statm; 0 if the process has ended. */
static uint64_t pid_resident_memory(pid_t pid, bool without_shared) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/statm", (int)pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        unsigned long pages = 0, shared = 0;

        if (!f || fscanf(f, "%*u %lu %lu", &pages, &shared) != 2)
                return 0;
        return (uint64_t)(without_shared ? pages - MIN(pages, shared) : pages) *
               (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Returns the bytes of a process in which shared memory counts proportionally (PSS). */
static uint64_t pid_proportional_memory(pid_t pid) {
        _cleanup_free_ char *path = xasprintf("/proc/%d/smaps_rollup", (int)pid);
        _cleanup_fclose_ FILE *f = fopen(path, "re");
        char line[256];
        unsigned long kb;

        while (f && fgets(line, sizeof line, f))
                if (sscanf(line, "Pss: %lu kB", &kb) == 1)
                        return (uint64_t)kb * 1024;
        return 0;
}

static uint64_t memory_of_group(const struct step *s, struct cg *group) {
        struct pid_set set = { 0 };
        uint32_t what = s->spec->config->memory_watched;
        uint64_t sum = 0;

        (void)cg_pids(group, &set); /* empty if the step is over */
        for (size_t i = 0; i < set.n; i++)
                sum += what == MEMORY_PSS ? pid_proportional_memory(set.pid[i])
                                          : pid_resident_memory(set.pid[i], what == MEMORY_OWN);
        pid_set_done(&set);
        return sum;
}

struct job_use {
        uint64_t sum, outside; /* memory of all steps, and of the extern step */
        uint64_t most;         /* the largest step other than the extern step */
};

/* Returns the memory of all steps of the job on this node. */
static struct job_use memory_of_job(const struct step *s) {
        _cleanup_(cg_freep) struct cg *job = NULL;
        struct job_use of = { 0 };

        DIR *dir = cg_open_above(s->group, &job) < 0 ? NULL : opendir(cg_folder(job));
        for (struct dirent *d; dir && (d = readdir(dir));) {
                _cleanup_(cg_freep) struct cg *step = NULL;

                if (d->d_name[0] == '.' || d->d_type != DT_DIR ||
                                cg_open_below(job, d->d_name, &step) < 0)
                        continue;
                uint64_t used = memory_of_group(s, step);
                of.sum += used;
                if (cg_is_step(d->d_name, STEP_WORD(STEP_EXTERN)))
                        of.outside = used;
                else
                        of.most = MAX(of.most, used);
        }
        if (dir)
                closedir(dir);
        return of;
}

static bool memory_exceeds_limit(struct step *s) {
        uint64_t used = memory_of_group(s, s->group), limit = s->credential->mem << 20,
                 of_job = s->credential->job_mem << 20;
        struct job_use of = { 0 };

        if (used > limit) {
                step_complain(s,
                                "StepId=%u.%s exceeded memory limit (%" PRIu64 " > %" PRIu64
                                "), being killed",
                                s->credential->job_id, STEP_WORD(s->credential->step_id), used,
                                limit);
                return true;
        }
        if (of_job)
                of = memory_of_job(s);
        /* The daemon of the extern step leaves the kill to that of the largest other step; a job
           whose extern step alone has too much is left to the extern step's daemon. */
        if (of.sum <= of_job || used < of.most || (s->is_extern ? of.most : of.outside > of_job))
                return false;
        step_complain(s, "JobId=%u exceeded memory limit (%" PRIu64 " > %" PRIu64 "), being killed",
                        s->credential->job_id, of.sum, of_job);
        s->job_over_memory = true;
        return true;
}

static void memory_enforce_limit(struct step *s, usec_t now) {
        if (!memory_exceeds_limit(s))
                return;
        if (s->is_extern) { /* the sessions end, the step lasts */
                (void)cg_kill(s->group);
                return;
        }
        s->over_memory = true;
        s->kill_at = now;
}

int memory_watch(struct step *s, usec_t now) {
        usec_t every = s->spec->config ? s->spec->config->memory_watch : 0;
        usec_t asked = s->launch->spec->acct_frequency * USEC_PER_SEC;

        if (asked) /* --acctg-freq: more often than in slurm.conf, never less often */
                every = MIN(every, asked);
        if (!every || !s->credential->mem || s->kill_at)
                return -1;
        if (!s->watch_at)
                s->watch_at = now + every;
        if (s->watch_at <= now) {
                s->watch_at = now + every;
                memory_enforce_limit(s, now);
        }
        return s->kill_at ? -1 : (int)MIN((s->watch_at - now) / USEC_PER_MSEC + 1, INT_MAX);
}

/* --oom-kill-step: the kernel kills all processes of the step together, or, with cgroup v1,
   memory_watch_kills() does. */
int memory_share_kills(struct step *s, struct fail *fail) {
        if (!s->launch->spec->oom_kill_step || cg_share_out_of_memory(s->group) >= 0 ||
                        cg_out_of_memory(s->group) >= 0)
                return 0;
        return fail_set(fail, -EOPNOTSUPP,
                        "--oom-kill-step: node %s has no memory cgroup for this step "
                        "(ConstrainRAMSpace=yes and --mem make one)",
                        s->spec->node);
}

int memory_watch_kills(struct step *s, usec_t now) {
        if (!s->launch->spec->oom_kill_step || s->kill_at || s->n_running == 0)
                return -1;
        if (cg_out_of_memory(s->group) <= 0)
                return KILLS_POLL;
        s->kill_at = now;
        return 0;
}
