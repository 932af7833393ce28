/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/steps/step_request.h"

#include "controller/model/job.h"
#include "controller/model/node.h"
#include "controller/steps/step_list.h"
#include "lib/config/config.h"
#include "lib/files/oci.h"
#include "lib/printable.h"
#include "lib/step/cpufreq.h"
#include "lib/step/mpi_type.h"
#include "lib/timetext.h"

#include <strings.h>

Slumber__Rlimit **rlimits_kept(uint32_t no, bool said, Slumber__Rlimit *const *all, size_t *n) {
        Slumber__Rlimit **kept = xnew(Slumber__Rlimit *, MAX(*n, (size_t)1));
        uint32_t not = said ? 0 : no;
        size_t used = 0;

        for (size_t i = 0; i < *n; i++)
                if (all[i]->resource >= 32 || !(not &1u << all[i]->resource))
                        kept[used++] = all[i];
        *n = used;
        return kept;
}

static Slumber__StepSpec *copy_spec(const Slumber__StepSpec *spec) {
        size_t size = slumber__step_spec__get_packed_size(spec);
        _cleanup_free_ uint8_t *data = xmalloc(size);

        slumber__step_spec__pack(spec, data);
        return slumber__step_spec__unpack(NULL, size, data);
}

static void sizes_in_mb(Slumber__StepSpec *s) {
        uint64_t tmp = size_in_mb(s->tmp_disk, s->plain_sizes & PLAIN_TMP_DISK);

        s->mem_per_node = size_in_mb(s->mem_per_node, s->plain_sizes & PLAIN_MEM_PER_NODE);
        s->mem_per_cpu = size_in_mb(s->mem_per_cpu, s->plain_sizes & PLAIN_MEM_PER_CPU);
        s->tmp_disk = (uint32_t)MIN(tmp, (uint64_t)UINT32_MAX);
}

Slumber__StepSpec *step_request_fill(const Slumber__StepSettings *settings,
                const Slumber__StepSpec *request, const struct task_list *list) {
        Slumber__StepSpec asked = *request;
        _cleanup_free_ Slumber__Rlimit **limits = rlimits_kept(settings->no_rlimits,
                        request->rlimits_said, request->rlimits, &asked.n_rlimits);
        _cleanup_free_ char *listed = list ? hostlist_text(task_list_nodes(list)) : NULL;

        asked.rlimits = limits;
        asked.task_nodes = (char *)(uintptr_t) ""; /* read already, or laid out */
        if (!*asked.mpi)
                asked.mpi = settings->mpi_default;
        asked.mpi_type = (char *)(uintptr_t)strempty(mpi_pmix_version(asked.mpi));
        if (*asked.mpi_type)
                asked.mpi = (char *)(uintptr_t) "pmix";
        if (streq(asked.mpi, MPI_OPENMPI))
                asked.mpi = (char *)(uintptr_t) "none";
        asked.cpu_freq_default = settings->cpu_freq_default;
        if (list)
                step_list_ask(list, listed, &asked);
        Slumber__StepSpec *s = copy_spec(&asked);
        s->kill_on_bad_exit |= settings->kill_on_bad_exit && !s->keep_on_bad_exit;
        s->append_output |= settings->append_output && !s->truncate_output;
        if (settings->default_gbytes)
                sizes_in_mb(s);
        if (!s->socket_distribution)
                s->socket_distribution = settings->block_sockets ? DISTRIBUTION_BLOCK
                                                                 : DISTRIBUTION_CYCLIC;
        return s;
}

/* Compares the command line's options about the job with the job; "" matches any. The job's
   partition may be one of a list. */
static enum slumber_error check_job(const struct step_job *j, const Slumber__StepSpec *s,
                struct fail *fail) {
        const struct {
                const char *what, *said, *has;
                enum slumber_error e;
        } rows[] = {
                { "partition", s->in_partition, j->partition, SLUMBER_BAD_PARTITION },
                { "qos", s->in_qos, j->qos, SLUMBER_BAD_QOS },
                { "account", s->in_account, j->account, SLUMBER_BAD_ACCOUNT },
                { "reservation", s->in_reservation, j->reservation, SLUMBER_BAD_RESERVATION },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                const char *has = strempty(rows[i].has);
                if (isempty(rows[i].said) || names_have(rows[i].said, has, strlen(has)) ||
                                strcasecmp(rows[i].said, has) == 0)
                        continue;
                fail_set(fail, -EINVAL, "--%s=%.100s: a step is in the %s of its job, which is %s",
                                rows[i].what, rows[i].said, rows[i].what, *has ? has : "none");
                return rows[i].e;
        }
        return SLUMBER_OK;
}

static int step_check_cpu_freq(const Slumber__StepSettings *settings, const Slumber__StepSpec *spec,
                struct fail *fail) {
        struct cpu_freq f;
        int r = *spec->cpu_freq ? cpu_freq_parse(spec->cpu_freq, &f, fail) : 0;

        return r < 0 || !*spec->cpu_freq ? r : cpu_freq_allowed(&f, settings->cpu_governors, fail);
}

static int check_container(const Slumber__StepSettings *settings, const Slumber__StepSpec *spec,
                struct fail *fail) {
        if (*spec->container && !settings->containers)
                return fail_set(fail, -EOPNOTSUPP, "%s", NO_OCI_CONF);
        if (*spec->container && *spec->mpi && !streq(spec->mpi, "none") &&
                        !streq(spec->mpi, "pmi2"))
                return fail_set(fail, -EOPNOTSUPP, "--mpi=%.20s does not reach into a --container",
                                spec->mpi);
        return 0;
}

#define WORDS_MAX 4096 /* bytes of a text: srun sends command lines, and paths have, no more */

/* Checks texts of the request that are stored and shown. */
static enum slumber_error check_words(const Slumber__StepSpec *s, struct fail *fail) {
        const struct {
                const char *what, *text;
        } rows[] = { { "name", s->name }, { "host", s->host }, { "command line", s->submit_line },
                { "container", s->container } };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                if (has_control(rows[i].text)) {
                        fail_set(fail, -EINVAL, "the step's %s has a control character",
                                        rows[i].what);
                        return SLUMBER_PROTOCOL;
                }
                if (strlen(rows[i].text) > WORDS_MAX) {
                        fail_set(fail, -E2BIG, "the step's %s is longer than %d bytes",
                                        rows[i].what, WORDS_MAX);
                        return SLUMBER_TOO_BIG;
                }
        }
        return SLUMBER_OK;
}

enum slumber_error step_request_check(const Slumber__StepSettings *settings,
                const struct step_job *job, const Slumber__StepSpec *spec, struct fail *fail) {
        if (!config_gather_allows(settings->memory_watch, spec->acct_frequency))
                return SLUMBER_BAD_ACCT_FREQUENCY;
        enum slumber_error e = check_words(spec, fail);
        if (e != SLUMBER_OK)
                return e;
        if (*settings->srun_prolog &&
                        spec->srun_prolog == SLUMBER__STEP_SPEC__SRUN_PROLOG__UNKNOWN) {
                fail_set(fail, -EOPNOTSUPP,
                                "slurm.conf has SrunProlog, which this earlier srun does not run");
                return SLUMBER_NOT_SUPPORTED;
        }
        if (step_check_cpu_freq(settings, spec, fail) < 0 ||
                        check_container(settings, spec, fail) < 0)
                return SLUMBER_NOT_SUPPORTED;
        return check_job(job, spec, fail);
}

bool step_request_holds(const Slumber__StepSettings *settings, const Slumber__StepSpec *spec) {
        return spec->srun_prolog == SLUMBER__STEP_SPEC__SRUN_PROLOG__OWN ||
               (spec->srun_prolog == SLUMBER__STEP_SPEC__SRUN_PROLOG__CONFIGURED &&
                               *settings->srun_prolog);
}

/* Returns whether -o or -e names a file that nodes write, or nothing; "all" and a task's number go
   to srun. */
static bool is_file(const char *option) {
        return *option && !streq(option, "all") && option[strspn(option, "0123456789")];
}

bool step_request_to_files(const Slumber__StepSpec *spec) {
        return is_file(spec->std_out) && (is_file(spec->std_err) || !*spec->std_err);
}
