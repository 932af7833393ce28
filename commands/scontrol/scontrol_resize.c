/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes slurm_job_N_resize.sh and .csh after a job gave up nodes of its own: the job's shell
   sources the script to update the variables of the job's size. */
#include "commands/query.h"
#include "commands/scontrol/scontrol.h"
#include "lib/errors.h"
#include "lib/wordlist.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct shell {
        const char *suffix, *set, *equals, *unset, *says, *source;
};

static const struct shell shells[] = {
        { "sh", "export", "=", "unset", "For bash or sh shells:  ", "." },
        { "csh", "setenv", " ", "unsetenv", "For csh shells:         ", "source" },
};

/* Returns CPUs per node, such as "8(x3),4"; the caller frees the text. */
static char *cpus_text(const Slumber__Job *job) {
        char *text = xstrdup("");

        for (size_t i = 0, k; i < job->n_alloc; i = k) {
                uint32_t cpus = job->alloc[i]->cpus;

                for (k = i + 1; k < job->n_alloc && job->alloc[k]->cpus == cpus; k++)
                        ;
                if (k - i > 1)
                        text_add_word(&text, ",", "%u(x%zu)", cpus, k - i);
                else
                        text_add_word(&text, ",", "%u", cpus);
        }
        return text;
}

static void print_script(const struct shell *sh, const Slumber__Job *job, FILE *out) {
        static const char *const gone[] = {
                "SLURM_NPROCS",
                "SLURM_NTASKS",
                "SLURM_TASKS_PER_NODE",
        };
        _cleanup_free_ char *cpus = cpus_text(job);

        fprintf(out, "%s SLURM_NODELIST%s\"%s\"\n", sh->set, sh->equals, job->nodes);
        fprintf(out, "%s SLURM_JOB_NODELIST%s\"%s\"\n", sh->set, sh->equals, job->nodes);
        fprintf(out, "%s SLURM_NNODES%s%u\n", sh->set, sh->equals, job->num_nodes);
        fprintf(out, "%s SLURM_JOB_NUM_NODES%s%u\n", sh->set, sh->equals, job->num_nodes);
        fprintf(out, "%s SLURM_JOB_CPUS_PER_NODE%s\"%s\"\n", sh->set, sh->equals, cpus);
        for (size_t i = 0; i < ELEMENTSOF(gone); i++)
                fprintf(out, "%s %s\n", sh->unset, gone[i]);
}

/* Replaces an existing file; a symbolic link of this name is replaced, not followed. */
static int resize_write_script(const struct shell *sh, const Slumber__Job *job) {
        _cleanup_free_ char *path = xasprintf("slurm_job_%u_resize.%s", job->id, sh->suffix);
        _cleanup_free_ char *new = xasprintf(".%s.XXXXXX", path);
        int fd = mkostemp(new, O_CLOEXEC);
        FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

        if (!out)
                return scontrol_refuse("scontrol: error: Unable to write %s: %m", path);
        print_script(sh, job, out);
        bool written = fflush(out) == 0 && fchmod(fd, 0700) == 0 && rename(new, path) == 0;
        int error = errno;
        fclose(out);
        if (written)
                return EXIT_SUCCESS;
        (void)unlink(new);
        errno = error;
        return scontrol_refuse("scontrol: error: Unable to write %s: %m", path);
}

static int write_scripts(const Slumber__Job *job) {
        for (size_t i = 0; i < ELEMENTSOF(shells); i++)
                if (resize_write_script(&shells[i], job) != EXIT_SUCCESS)
                        return EXIT_FAILURE;
        puts("To reset Slurm environment variables, execute");
        for (size_t i = 0; i < ELEMENTSOF(shells); i++)
                printf("  %s%s ./slurm_job_%u_resize.%s\n", shells[i].says, shells[i].source,
                                job->id, shells[i].suffix);
        return EXIT_SUCCESS;
}

int scontrol_resized(uint32_t id) {
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        _cleanup_(job_list_done) struct job_list jobs = { 0 };
        _cleanup_(wire_freep) struct wire *w = NULL;
        struct fail fail = { 0 };

        query.ids = &id;
        query.n_ids = 1;
        query.with_alloc = query.with_hidden = true;
        if (command_connect(&w, &fail) < 0 || query_jobs(w, &query, &jobs, NULL, &fail) < 0)
                return scontrol_refuse("slurm_load_jobs error: %s", fail.text);
        for (size_t i = 0; i < jobs.n_jobs; i++)
                if (jobs.jobs[i]->id == id &&
                                jobs.jobs[i]->state == SLUMBER__JOB_STATE__JOB_RUNNING)
                        return write_scripts(jobs.jobs[i]);
        return EXIT_SUCCESS;
}
