/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides whether a request may become a job: the checks of the job launch guide, "job allocation",
 * in sequence, each with Slurm's error.  A failed check changes nothing.  The request of a pending
 * job is changed by these checks, too (job_respec, wishes.h). */
#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/job_defaults.h"
#include "controller/accounts/limit_check.h"
#include "controller/indexes/array.h"
#include "controller/indexes/node_sharing.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/het_wait.h"
#include "controller/jobs/job_events.h"
#include "controller/model/feature.h"
#include "controller/model/het.h"
#include "controller/model/layout.h"
#include "controller/model/spec.h"
#include "controller/model/user_texts.h"
#include "controller/orders/viewer.h"
#include "controller/orders/wishes.h"
#include "controller/reservations/license.h"
#include "controller/reservations/reservation.h"
#include "controller/sched/place/place.h"
#include "controller/sched/sched.h"
#include "lib/mailtype.h"
#include "lib/step/cpufreq.h"

#include <signal.h>

/* Maximum number of tasks that can be distributed within a turn: 100,000 nodes of 160 CPUs. */
#define JOB_TASKS_MAX (16u << 20)
/* MB of a node, a CPU or a GPU: a larger value cannot be meant seriously */
#define JOB_MEMORY_MAX (UINT64_C(1) << 40)
#define PARTITIONS_MAX 32                     /* per job, which is queued once per partition */
#define JOB_WARN_MAX   (65535 * USEC_PER_SEC) /* like Slurm's --signal */

struct admission {
        struct cluster *c;
        struct job *j;
        struct fail *fail;
        const struct submitter *submitter;
        usec_t now;
        struct bitset *tasks; /* tasks of an array, or NULL */
        /* remaining partitions of the job's list, in the order of the list */
        struct partition **parts;
        size_t n_parts;
        uint32_t limit; /* maximum number of simultaneous tasks */
        uint32_t id;    /* the job's id; 0: the next id */
        /* offset of a component, which joins the heterogeneous job when all are admitted */
        uint32_t offset;
};

static enum slumber_error pick_account(struct admission *a) {
        acct_pick_account(a->c, a->j);
        return SLUMBER_OK;
}

static enum slumber_error add_partition(struct admission *a, const char *name) {
        struct partition *p = name ? cluster_partition(a->c, name)
                                   : cluster_default_partition(a->c);

        if (!p && !name)
                return SLUMBER_NO_DEFAULT_PARTITION;
        if (!p)
                return fail_set(a->fail, -ENOENT, "invalid partition specified: %s", name),
                       SLUMBER_BAD_PARTITION;
        for (size_t i = 0; i < a->n_parts; i++)
                if (a->parts[i] == p)
                        return SLUMBER_OK;
        a->parts = xrenew(a->parts, a->n_parts + 1);
        a->parts[a->n_parts++] = p;
        return SLUMBER_OK;
}

static enum slumber_error read_partitions(struct admission *a) {
        const char *rest = a->j->asked.partition;
        enum slumber_error e = SLUMBER_OK;

        if (!rest)
                return add_partition(a, NULL);
        for (char *name; e == SLUMBER_OK && (name = partition_next(&rest)); free(name)) {
                e = add_partition(a, name);
                if (e == SLUMBER_OK && a->n_parts > PARTITIONS_MAX) {
                        fail_set(a->fail, -E2BIG, "more than %d partitions", PARTITIONS_MAX);
                        e = SLUMBER_BAD_PARTITION;
                }
        }
        if (e == SLUMBER_OK && a->n_parts == 0)
                return fail_set(a->fail, -EINVAL, "invalid partition specified: %s",
                                       a->j->asked.partition),
                       SLUMBER_BAD_PARTITION;
        return e;
}

/* Sets the partition, with the default time and memory of the partition. */
static void admission_set_partition(struct admission *a, struct partition *p) {
        a->j->partition = p;
        job_defaults_look_up(a->c, a->j);
}

/* Checks j as if in j->partition. */
typedef enum slumber_error refuses_there(struct admission *a, const struct job *j);

/* Keeps the partitions of the list for which f accepts j; every: f must accept j in all partitions.
   The first error is returned if no partition remains.  The first remaining partition becomes the
   job's. */
static enum slumber_error admission_sift_partitions(struct admission *a, const struct job *j,
                refuses_there *f, bool every) {
        enum slumber_error first = SLUMBER_OK;
        struct job room;
        struct fail why = { 0 };
        size_t kept = 0;

        for (size_t i = 0; i < a->n_parts; i++) {
                enum slumber_error e = f(a, job_in_new_partition(a->c, j, a->parts[i], &room));
                if (e == SLUMBER_OK)
                        a->parts[kept++] = a->parts[i];
                else if (first == SLUMBER_OK) {
                        first = e;
                        if (a->fail)
                                why = *a->fail;
                }
                if (every && e != SLUMBER_OK)
                        break;
        }
        if (kept == 0 || (every && first != SLUMBER_OK)) {
                if (a->fail)
                        *a->fail = why;
                return first;
        }
        if (a->fail)
                *a->fail = (struct fail){ 0 };
        a->n_parts = kept;
        admission_set_partition(a, a->parts[0]);
        return SLUMBER_OK;
}

static enum slumber_error admission_partition_admits(struct admission *a, const struct job *j) {
        if (a->c->config->disable_root_jobs && a->submitter->uid == 0)
                return SLUMBER_BAD_USER;
        return partition_admits(j->partition, a->submitter, j->asked.account);
}

static enum slumber_error admission_pick_partition(struct admission *a) {
        enum slumber_error e = read_partitions(a);

        return e == SLUMBER_OK ? admission_sift_partitions(a, a->j, admission_partition_admits,
                                                 streq(a->c->config->enforce_text, "ALL"))
                               : e;
}

static enum slumber_error takes_qos(struct admission *a, const struct job *j) {
        (void)a;
        return partition_takes_qos(j->partition, j->asked.qos) ? SLUMBER_OK : SLUMBER_BAD_QOS;
}

static enum slumber_error admission_pick_qos(struct admission *a) {
        enum slumber_error e = acct_admit(a->c, a->j, a->fail);

        return e == SLUMBER_OK ? admission_sift_partitions(a, a->j, takes_qos,
                                                 streq(a->c->config->enforce_text, "ALL"))
                               : e;
}

/* Writes the remaining list, for the job's record. */
static enum slumber_error write_partitions(struct admission *a) {
        free_and_strdup(&a->j->asked.partition, a->parts[0]->name);
        for (size_t i = 1; i < a->n_parts; i++) {
                _cleanup_free_ char *before = a->j->asked.partition;
                a->j->asked.partition = xasprintf("%s,%s", before, a->parts[i]->name);
        }
        return SLUMBER_OK;
}

static uint32_t admission_most_nodes(const struct admission *a) {
        uint32_t most = 0;

        for (size_t i = 0; i < a->n_parts; i++)
                most = MAX(most, a->parts[i]->max_nodes);
        return most;
}

static enum slumber_error admission_check_times(struct admission *a) {
        struct job *j = a->j;
        struct job_spec *s = &j->asked;

        if (s->deadline && (s->deadline <= a->now || s->deadline > a->now + JOB_TIME_MAX))
                return SLUMBER_BAD_TIME;
        if ((s->time_limit > JOB_TIME_MAX && s->time_limit != NO_LIMIT) ||
                        s->begin_time > a->now + JOB_TIME_MAX)
                return SLUMBER_BAD_TIME;
        if (s->warn_signal >= NSIG || s->warn_time > JOB_WARN_MAX)
                return SLUMBER_PROTOCOL; /* never sent by sbatch */
        if (s->switches)
                s->switch_wait = s->switch_wait ? MIN(s->switch_wait, a->c->config->max_switch_wait)
                                                : a->c->config->max_switch_wait;
        if (s->delay_boot > JOB_TIME_MAX)
                return SLUMBER_BAD_TIME;
        s->delay_boot = s->delay_boot ? s->delay_boot : a->c->config->delay_boot;
        j->needs.time_limit = s->time_limit ? s->time_limit : limits_default_time(a->c, j);
        bool too_late = s->deadline && s->time_min > s->deadline - a->now;
        return s->time_min > j->needs.time_limit || too_late ? SLUMBER_BAD_TIME_MIN : SLUMBER_OK;
}

static enum slumber_error check_counts(struct admission *a) {
        struct job *j = a->j;
        struct job_spec *s = &j->asked;

        if (s->max_nodes && s->min_nodes > s->max_nodes)
                return SLUMBER_BAD_NODE_COUNT;
        if (partition_select(a->c, j->partition) & CR_ONE_TASK_PER_CORE && !s->ntasks_per_core)
                s->ntasks_per_core = 1;
        if (s->max_nodes > admission_most_nodes(a) && !limits_flag(j, QOS_PARTITION_MAX_NODES))
                s->max_nodes = MAX(admission_most_nodes(a), s->min_nodes);
        if (job_tasks(j) > JOB_TASKS_MAX)
                return SLUMBER_BAD_TASK_COUNT;
        s->min_nodes = MAX(s->min_nodes, features_nodes(j->needs.features));
        if (s->tasks_set && s->max_nodes && s->num_tasks && s->num_tasks < s->min_nodes)
                /* like Slurm: not more nodes than tasks */
                s->min_nodes = s->max_nodes = s->num_tasks;
        return SLUMBER_OK;
}

/* The GPUs are known by now. */
static enum slumber_error admission_check_memory(struct admission *a) {
        struct job *j = a->j;
        const struct job_spec *s = &j->asked;

        job_defaults_look_up(a->c, j);
        uint64_t most = MAX(MAX(s->mem_per_cpu, s->mem_per_gpu),
                        MAX(j->needs.mem_per_node, j->needs.mem_per_cpu));
        return most > JOB_MEMORY_MAX ? SLUMBER_MEMORY_NOT_AVAILABLE : SLUMBER_OK;
}

static enum slumber_error admission_exceeds_partition(struct admission *a, const struct job *j) {
        static const struct {
                enum job_reason why;
                enum slumber_error e;
        } words[] = {
                { REASON_PARTITION_CONFIG, SLUMBER_TOO_MANY_CPUS },
                { REASON_PARTITION_TIME_LIMIT, SLUMBER_BAD_TIME },
                { REASON_PARTITION_NODE_LIMIT, SLUMBER_BAD_NODE_COUNT },
                { REASON_MAX_MEMORY, SLUMBER_MEMORY_NOT_AVAILABLE },
        };
        enum job_reason why = partition_forbids(a->c, j);

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (words[i].why == why)
                        return words[i].e;
        return SLUMBER_OK;
}

/* EnforcePartLimits: ALL (and YES) for each named partition, ANY for at least one. */
static enum slumber_error enforce_limits(struct admission *a) {
        if (!a->c->config->enforce_part_limits)
                return SLUMBER_OK;
        return admission_sift_partitions(a, a->j, admission_exceeds_partition,
                        !streq(a->c->config->enforce_text, "ANY"));
}

/* "n2,n3" is displayed as n[2-3]. */
static void name_nodes(const struct cluster *c, const struct bitset *nodes, char **text) {
        if (!nodes)
                return;
        free(*text);
        *text = cluster_nodes_text(c, nodes);
}

static enum slumber_error check_features(struct admission *a, const struct features *f) {
        const struct job_spec *spec = &a->j->asked;
        uint32_t counted = features_nodes(f);

        if (f && !features_known(f, a->c->nodes, a->c->n_nodes))
                return SLUMBER_BAD_FEATURE;
        for (size_t i = 0; f && i < a->c->n_nodes; i++)
                if (features_may_change(f, a->c->nodes[i])) {
                        fail_set(a->fail, -ENOTSUP,
                                        "a changeable feature can have no count and not stand in brackets");
                        return SLUMBER_NOT_SUPPORTED;
                }
        if (spec->max_nodes && counted > spec->max_nodes) {
                fail_set(a->fail, -EINVAL,
                                "the features are for %u nodes, more than the %u of --nodes",
                                counted, spec->max_nodes);
                return SLUMBER_BAD_FEATURE;
        }
        return SLUMBER_OK;
}

#define FEATURE_MARKS "&|,()[]"

/* Returns whether name[0...size) is a name in features, an expression. */
static bool has_feature_name(const char *features, const char *name, size_t size) {
        for (const char *p = features + strspn(features, FEATURE_MARKS); *p;
                        p += strspn(p, FEATURE_MARKS)) {
                size_t all = strcspn(p, FEATURE_MARKS), length = strcspn(p, FEATURE_MARKS "*");
                if (length == size && strncmp(p, name, size) == 0)
                        return true;
                p += all;
        }
        return false;
}

/* --batch: the features must be a subset of --constraint. */
static enum slumber_error check_batch_features(const struct job *j) {
        _cleanup_(features_freep) struct features *f = NULL;
        const char *p = j->asked.batch_features;

        if (!p)
                return SLUMBER_OK;
        if (!j->asked.features || strpbrk(p, ",[]*") || features_parse(p, &f, NULL) < 0)
                return SLUMBER_BAD_BATCH_FEATURES;
        for (p += strspn(p, FEATURE_MARKS); *p; p += strspn(p, FEATURE_MARKS)) {
                size_t length = strcspn(p, FEATURE_MARKS);
                if (!has_feature_name(j->asked.features, p, length))
                        return SLUMBER_BAD_BATCH_FEATURES;
                p += length;
        }
        return SLUMBER_OK;
}

static enum slumber_error parse_wishes(struct admission *a) {
        struct job *j = a->j;

        if (j->asked.features && features_parse(j->asked.features, &j->needs.features, a->fail) < 0)
                return SLUMBER_BAD_FEATURE;
        if (j->asked.prefer && features_parse(j->asked.prefer, &j->needs.prefer, a->fail) < 0)
                return SLUMBER_BAD_PREFER;
        if (j->asked.req_nodes && cluster_nodes_parse(a->c, j->asked.req_nodes, &j->needs.req_nodes,
                                                  a->fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        enum slumber_error e = check_features(a, j->needs.features);
        if (e == SLUMBER_OK)
                e = check_batch_features(j);
        if (e == SLUMBER_OK) {
                e = check_features(a, j->needs.prefer);
                e = e == SLUMBER_BAD_FEATURE ? SLUMBER_BAD_PREFER : e;
        }
        if (e != SLUMBER_OK)
                return e;
        if (j->asked.exc_nodes && cluster_nodes_parse(a->c, j->asked.exc_nodes, &j->needs.exc_nodes,
                                                  a->fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        if (!layout_is_listed(j))
                name_nodes(a->c, j->needs.req_nodes, &j->asked.req_nodes);
        name_nodes(a->c, j->needs.exc_nodes, &j->asked.exc_nodes);
        if (j->needs.req_nodes && j->needs.exc_nodes &&
                        bitset_overlaps(j->needs.req_nodes, j->needs.exc_nodes))
                return SLUMBER_BAD_NODE_NAME; /* both required and excluded */
        return SLUMBER_OK;
}

/* Returns Slurm's text for the resource of which no node of the partition has enough; NULL:
   none. */
static const char *admission_lacking_text(const struct admission *a, const struct job *j) {
        uint64_t cpus = (uint64_t)MAX(1u, j->needs.cpus_per_task) *
                        MAX(1u, j->asked.ntasks_per_node),
                 memory;
        bool enough_cpus = false, enough_memory = false, enough_disk = false, shaped = false;

        cpus = MAX(cpus, (uint64_t)j->needs.min_cpus_node);
        memory = j->needs.mem_per_cpu > UINT64_MAX / cpus
                                 ? UINT64_MAX
                                 : MAX(j->needs.mem_per_node, j->needs.mem_per_cpu * cpus);
        bool all = memory == 0 && partition_select(a->c, j->partition) & CR_MEMORY;
        bitset_for_each(i, j->partition->nodes) {
                const struct node_hardware *h = &a->c->nodes[i]->configured;

                enough_cpus |= (uint64_t)job_units_on(j, a->c->nodes[i]) *
                                               a->c->nodes[i]->cpus_per_unit >=
                               MAX(cpus, (uint64_t)place_least_cpus(a->c, j, a->c->nodes[i]));
                uint64_t has = node_job_memory(a->c->nodes[i]);
                enough_memory |= MIN(has, place_max_memory(a->c, j)) >= (all ? has : memory);
                enough_disk |= h->tmp_disk >= j->asked.tmp_disk;
                shaped |= place_shape_fits(&j->asked, h);
        }
        return !enough_cpus     ? "CPU count per node can not be satisfied"
               : !enough_memory ? "Memory specification can not be satisfied"
               : !enough_disk   ? "Temporary disk specification can not be satisfied"
               : !shaped        ? "Socket, core and/or thread specification can not be satisfied"
                                : NULL;
}

static enum slumber_error admission_check_core_spec(struct admission *a) {
        const struct job_spec *s = &a->j->asked;

        if (!job_has_spec(a->j))
                return SLUMBER_OK;
        if (s->core_spec && s->thread_spec) {
                fail_set(a->fail, -EINVAL, "--core-spec and --thread-spec exclude each other");
                return SLUMBER_NODES_NOT_AVAILABLE;
        }
        if (!a->c->config->spec_usage) {
                fail_set(a->fail, -EPERM,
                                "--core-spec and --thread-spec are not allowed "
                                "(AllowSpecResourcesUsage=No)");
                return SLUMBER_NOT_SUPPORTED;
        }
        return SLUMBER_OK;
}

static enum slumber_error admission_check_cpu_freq(struct admission *a) {
        struct cpu_freq f;

        if (isempty(a->j->asked.cpu_freq))
                return SLUMBER_OK;
        if (cpu_freq_parse(a->j->asked.cpu_freq, &f, a->fail) < 0)
                return SLUMBER_NOT_SUPPORTED;
        return cpu_freq_allowed(&f, a->c->config->cpu_governors, a->fail) < 0
                               ? SLUMBER_NOT_SUPPORTED
                               : SLUMBER_OK;
}

/* Like in Slurm, MailDomain affects future jobs only: the domain becomes part of the request. */
static enum slumber_error admission_check_mail(struct admission *a) {
        struct job_spec *s = &a->j->asked;
        const char *fault = mail_user_fault(strempty(s->mail_user));

        if (fault) {
                fail_set(a->fail, -EINVAL, "--mail-user=%.100s: %s", s->mail_user, fault);
                return SLUMBER_PROTOCOL;
        }
        if (s->mail_type && isempty(s->mail_user) && !isempty(a->c->config->mail_domain)) {
                free(s->mail_user);
                s->mail_user = mail_user_default(a->j->user, a->c->config->mail_domain);
        }
        return SLUMBER_OK;
}

/* Sleeping nodes boot anyway. */
static enum slumber_error check_reboot(struct admission *a) {
        if (!a->j->asked.reboot)
                return SLUMBER_OK;
        if (isempty(a->c->config->reboot_program)) {
                fail_set(a->fail, -EOPNOTSUPP, "--reboot: slurm.conf has no RebootProgram");
                return SLUMBER_NOT_SUPPORTED;
        }
        return SLUMBER_OK;
}

static enum slumber_error parse_licenses(struct admission *a) {
        struct job *j = a->j;

        if (j->asked.licenses &&
                        (licenses_parse(a->c, j->asked.licenses, &j->needs.licenses, &j->needs.hres,
                                         a->fail) < 0 ||
                                        licenses_check_hres(a->c, j->needs.hres, a->fail) < 0 ||
                                        licenses_check(a->c, j->needs.licenses,
                                                        resv_is_list(j) ? NULL : j->placed.resv,
                                                        a->fail) < 0))
                return SLUMBER_BAD_LICENSE;
        return SLUMBER_OK;
}

/* A total must be a multiple of the count per node; a total per task follows from the tasks. */
static int admission_check_gres_parts(const struct admission *a) {
        const struct gres_wants *w = a->j->needs.gres_wants;
        const uint32_t least = MAX(1u, a->j->asked.min_nodes);

        for (size_t i = 0; w && i < w->n; i++) {
                const struct gres_want *one = &w->list[i];
                if (one->per_job && one->per_task)
                        return fail_set(a->fail, -EINVAL,
                                        "gres/%s%s%s is asked for on all nodes together and for each task",
                                        one->name, one->type ? ":" : "", strempty(one->type));
                if (!one->per_job || !one->per_node ||
                                (one->per_job % one->per_node == 0 &&
                                                one->per_job / one->per_node >= least))
                        continue;
                return fail_set(a->fail, -EINVAL,
                                "%llu gres/%s%s%s on all nodes together cannot be %llu on each of %u or more",
                                (unsigned long long)one->per_job, one->name, one->type ? ":" : "",
                                strempty(one->type), (unsigned long long)one->per_node, least);
        }
        return 0;
}

static enum slumber_error admission_parse_gres(struct admission *a) {
        struct job *j = a->j;
        const struct job_spec *s = &j->asked;

        if (gres_wants_parse(a->c, j, &j->needs.gres_wants, a->fail) < 0 ||
                        admission_check_gres_parts(a) < 0)
                return SLUMBER_BAD_GRES;
        uint64_t task = gres_gpus_per_task(j->needs.gres_wants),
                 node = gres_gpus_per_node(j->needs.gres_wants);
        const struct gres_total total = gres_total_of(j->needs.gres_wants);
        if (total.n && gres_total_sum(&total) < s->min_nodes) {
                fail_set(a->fail, -EINVAL,
                                "each node gives one of --gpus at least: %llu are asked for and %u nodes",
                                (unsigned long long)gres_total_sum(&total), s->min_nodes);
                return SLUMBER_BAD_GRES;
        }
        if ((s->cpus_per_gpu || s->mem_per_gpu) && !task && !node && !total.n) {
                fail_set(a->fail, -EINVAL, "--cpus-per-gpu or --mem-per-gpu without GPUs");
                return SLUMBER_BAD_GRES;
        }
        if (s->ntasks_per_gpu && !task) { /* the commands ask for a GPU per group of tasks */
                fail_set(a->fail, -EINVAL, "--ntasks-per-gpu without GPUs of tasks");
                return SLUMBER_BAD_GRES;
        }
        if (MAX(task, node) > UINT32_MAX / MAX(1u, s->cpus_per_gpu) ||
                        (s->mem_per_gpu && MAX(task, node) > UINT64_MAX / s->mem_per_gpu))
                return SLUMBER_BAD_GRES;
        return SLUMBER_OK;
}

static enum slumber_error set_label(struct admission *a) {
        if (a->j->asked.share > SHARE_MCS)
                return SLUMBER_PROTOCOL;
        return mcs_label(a->c, a->j, a->submitter, a->fail);
}

static enum slumber_error pick_reservation(struct admission *a) {
        const struct viewer v = { a->c, *a->submitter };
        const char *names = a->j->asked.reservation;

        return names ? viewer_check_reservations(&v, names, a->j->asked.account, a->j->asked.qos,
                                       &a->j->placed.resv)
                     : SLUMBER_OK;
}

static enum slumber_error parse_dependencies(struct admission *a) {
        int r = dependencies_parse(a->j->asked.dependency, false, &a->j->waiting.depends, a->fail);

        viewer_hide_dependencies(&(struct viewer){ a->c, *a->submitter }, a->j->waiting.depends);
        if (r == -EOPNOTSUPP)
                return SLUMBER_NOT_SUPPORTED;
        return r >= 0 && dependencies_exist(a->c, a->j->waiting.depends, a->fail)
                               ? SLUMBER_OK
                               : SLUMBER_BAD_DEPENDENCY;
}

static enum slumber_error parse_array(struct admission *a) {
        uint32_t size = a->c->config->max_array_size, most = a->c->config->max_array_tasks;
        struct job *j = a->j;

        if (!j->asked.array)
                return SLUMBER_OK;
        if (!j->asked.batch)
                return SLUMBER_BAD_ARRAY;
        if (array_tasks_parse(j->asked.array, size, &a->tasks, &a->limit, a->fail) < 0)
                return SLUMBER_BAD_ARRAY;
        if (!most || bitset_count(a->tasks) <= most)
                return SLUMBER_OK;
        fail_set(a->fail, -ERANGE, "array \"%.100s\" has %zu tasks, max_array_tasks is %u",
                        j->asked.array, bitset_count(a->tasks), most);
        return SLUMBER_BAD_ARRAY;
}

static enum slumber_error denied_by(enum job_reason limit, struct fail *fail) {
        if (limit == REASON_NONE)
                return SLUMBER_OK;
        fail_set(fail, -EDQUOT, "%s", job_reason_text((int)limit));
        return SLUMBER_ACCOUNTING_POLICY;
}

static enum slumber_error check_policy(struct admission *a) {
        return denied_by(limits_deny(a->c, a->j, a->tasks ? bitset_count(a->tasks) : 1), a->fail);
}

static int place_ever(struct admission *a, const struct job *j, const struct bitset *nodes) {
        _cleanup_(hres_room_freep) struct hres_room *room = licenses_room_ever(a->c, j);
        struct placement where = { 0 };
        int r = place(a->c, j, nodes, (struct period){ .room = room }, PLACE_EVER, &where);

        placement_done(&where);
        return r;
}

/* A job larger than its reservation waits for the reservation to grow, as in Slurm, unless the job
   names nodes outside of the reservation. */
static enum slumber_error could_run_there(struct admission *a, const struct job *j) {
        _cleanup_(bitset_freep) struct bitset *all = bitset_new(a->c->n_nodes);
        const struct resv *in = j->placed.resv;
        bool grows = false;

        if (j->needs.req_nodes && !bitset_contains(j->partition->nodes, j->needs.req_nodes))
                return SLUMBER_NODES_NOT_AVAILABLE;
        if (partition_forbids(a->c, j) != REASON_NONE)
                return SLUMBER_OK;
        bitset_fill(all);
        if (in && !resv_is_list(j) && !(in->flags & (RESV_FLEX | RESV_ANY_NODES))) {
                bitset_assign(all, in->nodes);
                grows = !j->needs.req_nodes || bitset_contains(all, j->needs.req_nodes);
                if (!grows)
                        fail_set(a->fail, -ENOENT, "Required nodes outside of the reservation");
        }
        int r = place_ever(a, j, all);
        if (r < 0 && grows) {
                bitset_fill(all);
                r = place_ever(a, j, all);
        }
        if (r >= 0)
                return SLUMBER_OK;
        const char *what = admission_lacking_text(a, j);
        if (what)
                fail_set(a->fail, r, "%s", what);
        return SLUMBER_NODES_NOT_AVAILABLE;
}

/* Like Slurm: a job that asks for more than the whole partition waits for the partition to grow, if
   the partition is up; but not a job with several partitions. */
static bool none_will_do(struct admission *a) {
        bool waits = a->n_parts == 1 && a->parts[0]->state & PARTITION_SCHED;
        struct job there = *a->j;

        for (size_t i = 0; !waits && i < a->n_parts; i++) {
                there.partition = a->parts[i];
                waits = !partition_is_too_small(&there);
        }
        return !waits;
}

/* --constraint cannot be satisfied, but --prefer can, which takes precedence. */
static enum slumber_error could_run_preferred(struct admission *a, enum slumber_error first) {
        struct fail why = a->fail ? *a->fail : (struct fail){ 0 };
        struct job *j = a->j, preferred = *j;

        preferred.needs.features = j->needs.prefer;
        preferred.needs.prefer = NULL;
        if (admission_sift_partitions(a, &preferred, could_run_there, false) == SLUMBER_OK) {
                j->needs.prefer_alone = true;
                features_free(j->needs.features);
                j->needs.features = TAKE(j->needs.prefer);
                return SLUMBER_OK;
        }
        if (a->fail)
                *a->fail = why;
        return first;
}

/* Checks whether the job could run on an empty, intact cluster.  A job that a limit of the
   partition keeps pending (wait_reason.c) gets the limit as the reason: no nodes are checked. */
static enum slumber_error could_ever_run(struct admission *a) {
        if (none_will_do(a))
                return SLUMBER_NODES_NOT_AVAILABLE;
        enum slumber_error e = admission_sift_partitions(a, a->j, could_run_there, false);
        return e != SLUMBER_OK && a->j->needs.prefer ? could_run_preferred(a, e) : e;
}

/* *ret, without an id, and a->tasks are owned by the caller. */
static enum slumber_error admission_check(struct admission *a, const struct job_spec *spec,
                struct job **ret) {
        static enum slumber_error (*const checks[])(struct admission *) = {
                pick_account,
                admission_pick_partition,
                admission_pick_qos,
                pick_reservation,
                parse_wishes,
                admission_check_core_spec,
                admission_check_cpu_freq,
                admission_check_mail,
                check_reboot,
                parse_licenses,
                admission_parse_gres,
                set_label,
                parse_dependencies,
                parse_array,
                admission_check_times,
                check_counts,
                admission_check_memory,
                enforce_limits,
                check_policy,
                could_ever_run,
                write_partitions,
        };
        _cleanup_(job_freep) struct job *j = xnew0(struct job, 1);

        a->j = j;
        job_spec_copy(&j->asked, spec);
        j->uid = a->submitter->uid;
        j->gid = a->submitter->gid;
        j->user = xstrdup(a->submitter->user);
        j->group = xstrdup(a->submitter->group);
        j->needs.requeue = spec->batch &&
                           (spec->requeue ? spec->requeue == 1 : a->c->config->job_requeue);
        for (size_t i = 0; i < ELEMENTSOF(checks); i++) {
                enum slumber_error e = checks[i](a);
                if (e != SLUMBER_OK)
                        return e;
        }
        *ret = TAKE(j);
        return SLUMBER_OK;
}

enum slumber_error job_check(struct cluster *c, const struct job_spec *spec,
                const struct submitter *submitter, usec_t now, struct job **ret,
                struct fail *fail) {
        struct admission a = { .c = c, .fail = fail, .submitter = submitter, .now = now };
        enum slumber_error e = admission_check(&a, spec, ret);

        if (e == SLUMBER_OK)
                cluster_queue_suppose(c, *ret, now);
        bitset_free(a.tasks);
        free(a.parts);
        return e;
}

/* Sets the reason at once, because the next pass may not reach the job. */
static void tell_at_once(struct cluster *c, struct job *j) {
        enum job_reason why = partitions_wait_reason(c, j);
        _cleanup_free_ char *unavailable = why == REASON_NONE ? job_unavailable(c, j) : NULL;

        if (why == REASON_NONE && !unavailable && j->waiting.n_bids < 2 &&
                        partition_in_service(c, j->partition) < MAX(1u, j->asked.min_nodes))
                unavailable = partition_unavailable(c, j->partition);
        if (unavailable)
                why = REASON_NODE_NOT_AVAILABLE;
        if (why != REASON_NONE)
                job_set_reason(c, j, why, unavailable);
}

static enum slumber_error have_room(const struct cluster *c, const struct submitter *by,
                const struct job_spec *specs, size_t n, struct fail *fail) {
        size_t more = 0;

        if (c->known_jobs + n > c->config->max_job_count)
                return SLUMBER_TOO_MANY_JOBS;
        for (size_t i = 0; i < n; i++)
                more += job_spec_length(&specs[i]);
        if (user_texts_have_room(c->texts, by->uid, more))
                return SLUMBER_OK;
        fail_set(fail, -E2BIG, "the texts of your jobs would be longer than %u MiB together",
                        (unsigned)(USER_TEXTS_MAX >> 20));
        return SLUMBER_TOO_BIG;
}

static enum slumber_error admission_admit(struct admission *a, const struct job_spec *spec,
                struct job **ret) {
        _cleanup_(job_freep) struct job *j = NULL;
        enum slumber_error e = have_room(a->c, a->submitter, spec, 1, a->fail);

        if (e == SLUMBER_OK)
                e = admission_check(a, spec, &j);
        if (e != SLUMBER_OK)
                return e;
        j->id = a->id ? a->id : cluster_take_job_id(a->c);
        if (j->id == 0)
                return SLUMBER_TOO_MANY_JOBS;
        if (dependencies_name(j->waiting.depends, j)) /* the user has guessed the new id */
                return SLUMBER_BAD_DEPENDENCY;
        if (a->tasks)
                array_new(a->c, j, TAKE(a->tasks), a->limit);
        j->het_offset = a->offset;
        *ret = j;
        job_submitted(a->c, j, a->now);
        if (j->reason == REASON_PRIORITY)
                tell_at_once(a->c, j);
        (void)TAKE(j);
        return SLUMBER_OK;
}

enum slumber_error job_admit(struct cluster *c, const struct job_spec *spec,
                const struct submitter *submitter, usec_t now, struct job **ret,
                struct fail *fail) {
        struct admission a = { .c = c, .fail = fail, .submitter = submitter, .now = now };
        enum slumber_error e = admission_admit(&a, spec, ret);

        bitset_free(a.tasks);
        free(a.parts);
        return e;
}

/* ---- heterogeneous jobs ---- */

/* Refuses requests forbidden for components, or allowed for the leader only. */
static enum slumber_error component_asks(const struct job_spec *spec, uint32_t offset,
                struct fail *fail) {
        if (spec->array)
                return SLUMBER_BAD_ARRAY;
        if (offset && spec->licenses)
                return fail_set(fail, -EINVAL, "%u: license request allowed only on leader job",
                                       offset),
                       SLUMBER_BAD_LICENSE;
        return SLUMBER_OK;
}

/* Components start together, so no component may wait for a further component. */
static bool waits_for_one_of(const struct job *j, uint32_t first, size_t n) {
        const struct dependencies *d = j->waiting.depends;

        for (size_t i = 0; d && i < d->n; i++)
                if (d->of[i].job >= first && d->of[i].job - first < n)
                        return true;
        return false;
}

/* Checks a component beside the components before: no dependency on components, and nodes of its
   own. */
static enum slumber_error component_beside(struct job *const *jobs, size_t at, uint32_t first,
                size_t n, struct fail *fail) {
        const struct bitset *own = jobs[at]->needs.req_nodes;

        if (waits_for_one_of(jobs[at], first, n))
                return SLUMBER_BAD_DEPENDENCY;
        for (size_t i = 0; i < at && own; i++) {
                const struct bitset *other = jobs[i]->needs.req_nodes;
                if (other && bitset_overlaps(own, other))
                        return fail_set(fail, -EINVAL,
                                               "%zu: component %zu requires the same node, and components "
                                               "have nodes of their own",
                                               at, i),
                               SLUMBER_BAD_NODE_NAME;
        }
        return SLUMBER_OK;
}

static enum slumber_error check_limits_together(const struct cluster *c, struct job *const *jobs,
                size_t n, size_t *ret_failed, struct fail *fail) {
        enum job_reason limit = REASON_NONE;

        for (size_t i = 0; i < n && limit == REASON_NONE; i++) {
                limit = limits_deny_together(c, jobs, n, i);
                *ret_failed = i;
        }
        return denied_by(limit, fail);
}

static void jobs_withdraw(struct cluster *c, struct job **jobs, size_t n) {
        for (size_t i = n; i-- > 0; jobs[i] = NULL) {
                cluster_queue_remove(c, jobs[i]);
                cluster_job_remove(c, jobs[i]);
        }
}

enum slumber_error het_admit(struct cluster *c, const struct job_spec *specs, size_t n,
                const struct submitter *submitter, usec_t now, struct job **ret, size_t *ret_failed,
                struct fail *fail) {
        enum slumber_error e = have_room(c, submitter, specs, n, fail);
        size_t admitted = 0;
        uint32_t first;

        *ret_failed = 0;
        if (n > HET_MAX)
                return fail_set(fail, -E2BIG, "more than %u components", HET_MAX), SLUMBER_TOO_BIG;
        if (e != SLUMBER_OK)
                return e;
        /* ids of a refused job stay unused: this turn still deletes their records */
        first = cluster_take_job_ids(c, (uint32_t)n);
        if (first == 0)
                return SLUMBER_TOO_MANY_JOBS;
        for (size_t i = 0; i < n && e == SLUMBER_OK; i++) {
                struct admission a = { .c = c,
                        .fail = fail,
                        .submitter = submitter,
                        .now = now,
                        .id = first + (uint32_t)i,
                        .offset = (uint32_t)i };
                struct job_spec spec = specs[i];
                *ret_failed = i;
                if (i > 0) /* like Slurm: the leader's mail covers all components */
                        spec.mail_type = 0;
                e = component_asks(&specs[i], (uint32_t)i, fail);
                e = e == SLUMBER_OK ? admission_admit(&a, &spec, &ret[i]) : e;
                admitted = i + (e == SLUMBER_OK);
                e = e == SLUMBER_OK ? component_beside(ret, i, first, n, fail) : e;
                bitset_free(a.tasks);
                free(a.parts);
        }
        e = e == SLUMBER_OK ? check_limits_together(c, ret, n, ret_failed, fail) : e;
        if (e != SLUMBER_OK) {
                jobs_withdraw(c, ret, admitted);
                return e;
        }
        struct het *h = het_new(first, (uint32_t)n);
        for (size_t i = 0; i < n; i++)
                (void)cluster_het_join(c, h, ret[i], (uint32_t)i);
        het_tell_awaited(c, h, now);
        return SLUMBER_OK;
}

void het_checked_done(struct cluster *c, struct job **jobs, size_t n) {
        for (size_t i = 0; i < n; i++) {
                if (jobs[i])
                        acct_forget(c, jobs[i]);
                jobs[i] = job_free(jobs[i]);
        }
}

/* Checks a component, which counts for limits while it exists. */
static enum slumber_error check_component(struct admission *a, const struct job_spec *spec,
                uint32_t offset, size_t n, struct job **jobs) {
        struct job **ret = &jobs[offset];
        enum slumber_error e = component_asks(spec, offset, a->fail);

        if (e == SLUMBER_OK)
                e = admission_check(a, spec, ret);
        bitset_free(a->tasks);
        free(a->parts);
        if (e != SLUMBER_OK)
                return e;
        (*ret)->id = a->id;
        acct_note(a->c, *ret);
        bids_make(a->c, *ret);
        return component_beside(jobs, offset, a->id - offset, n, a->fail);
}

enum slumber_error het_check(struct cluster *c, const struct job_spec *specs, size_t n,
                const struct submitter *submitter, usec_t now, struct job **ret,
                struct fail *fail) {
        enum slumber_error e = SLUMBER_OK;
        size_t failed;

        memset(ret, 0, n * sizeof ret[0]);
        if (n > HET_MAX)
                return fail_set(fail, -E2BIG, "more than %u components", HET_MAX), SLUMBER_TOO_BIG;
        for (size_t i = 0; i < n && e == SLUMBER_OK; i++) {
                struct admission a = { .c = c,
                        .fail = fail,
                        .submitter = submitter,
                        .now = now,
                        .id = c->next_job_id + (uint32_t)i };
                e = check_component(&a, &specs[i], (uint32_t)i, n, ret);
        }
        e = e == SLUMBER_OK ? check_limits_together(c, ret, n, &failed, fail) : e;
        if (e != SLUMBER_OK) {
                het_checked_done(c, ret, n);
                return e;
        }
        struct het *h = het_new(c->next_job_id, (uint32_t)n);
        for (size_t i = 0; i < n; i++) {
                cluster_queue_suppose(c, ret[i], now);
                (void)het_join(h, ret[i], (uint32_t)i);
        }
        return SLUMBER_OK;
}

void het_withdraw(struct cluster *c, struct het *h) {
        struct job *jobs[HET_MAX];
        size_t n = h->n;

        memcpy(jobs, h->of, n * sizeof jobs[0]);
        jobs_withdraw(c, jobs, n);
}

/* ---- changing the request of a pending job ---- */

void job_spec_asked(const struct job *j, struct job_spec *ret) {
        job_spec_copy(ret, &j->asked);
        ret->time_limit = j->needs.time_limit;
}

static enum slumber_error admission_respec(struct admission *a) {
        static enum slumber_error (*const checks[])(struct admission *) = {
                parse_wishes,
                admission_check_core_spec,
                check_reboot,
                admission_parse_gres,
                check_counts,
                admission_check_memory,
                enforce_limits,
                check_policy,
                could_ever_run,
        };
        enum slumber_error e = read_partitions(a);

        for (size_t i = 0; e == SLUMBER_OK && i < ELEMENTSOF(checks); i++)
                e = checks[i](a);
        return e;
}

enum slumber_error job_respec(struct cluster *c, struct job *j, const struct job_spec *spec,
                struct partition *first, usec_t now, struct job_before **ret_before,
                struct fail *fail) {
        struct job trial = *j; /* shares all pointers with j, except those replaced here */
        struct admission a = { .c = c,
                .j = &trial,
                .fail = fail,
                .now = now,
                .tasks = job_is_rest(j) ? j->array->waiting : NULL };

        assert(job_is_queued(j));
        job_spec_copy(&trial.asked, spec);
        trial.needs.features = trial.needs.prefer = NULL;
        trial.needs.prefer_alone = false;
        trial.needs.req_nodes = trial.needs.exc_nodes = NULL;
        trial.needs.unknown_nodes = NULL;
        trial.needs.gres_wants = NULL;
        trial.partition = first;
        trial.needs.time_limit = spec->time_limit;
        acct_pick_account(c, &trial);
        acct_point(c, &trial);
        acct_spell(&trial);
        /* a default limit follows the partition, which may be new */
        bool by_default = !j->asked.time_limit && spec->time_limit == j->needs.time_limit;
        if (by_default) {
                trial.asked.time_limit = 0;
                trial.needs.time_limit = limits_default_time(c, &trial);
        }
        enum slumber_error e = admission_respec(&a);
        trial.partition = first;
        trial.asked.time_limit = j->asked.time_limit;
        free(a.parts);
        if (e == SLUMBER_OK)
                *ret_before = job_wishes_apply(c, j, &trial, by_default, now);
        else
                job_wishes_done(&trial.asked, &trial.needs);
        return e;
}
