/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of scontrol update JobId=: a table row for each key says which users may change the key,
 * in which states of the job, how the value is read and checked, and what is set.  The request of a
 * job may be changed while the job is pending. */
#include "controller/updates/job_update_private.h"

#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/indexes/array.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/dependency.h"
#include "controller/jobs/job_events.h"
#include "controller/model/het.h"
#include "controller/orders/viewer.h"
#include "controller/reservations/license.h"
#include "controller/sched/sched.h"
#include "lib/mailtype.h"
#include "lib/timetext.h"

#include <strings.h>

#define PRIORITY_MAX (UINT32_MAX - 2) /* as in Slurm */

static enum slumber_error job_bad_value(const struct job_change *ch) {
        fail_set(ch->fail, -EINVAL, "Invalid %s value: %.100s", ch->key->name, ch->value);
        return SLUMBER_FAILED;
}

static void *job_key_field(struct job_spec *spec, const struct job_change *ch) {
        return (char *)spec + ch->key->field;
}

/* "(null)", as displayed, clears the value. */
static const char *job_text_value(const struct job_change *ch) {
        return isempty(ch->value) || streq(ch->value, "(null)") ? NULL : ch->value;
}

/* Reads a number, perhaps with "-". */
static bool read_signed(struct job_change *ch) {
        bool negative = *ch->value == '-';
        uint64_t amount = 0;
        int r = uint_parse(ch->value + negative, 0, INT32_MAX - 2, &amount);

        ch->number = negative ? -(int64_t)amount : (int64_t)amount;
        return r >= 0;
}

static bool job_read_number(struct job_change *ch, uint64_t min, uint64_t max) {
        uint64_t n = 0;
        int r = uint_parse(ch->value, min, max, &n);

        ch->number = (int64_t)n;
        return r >= 0;
}

/* ---- times ---- */

/* "+5" and "-5" are relative. */
static int parse_limit(struct job_change *ch) {
        const char *value = ch->value;
        usec_t now = ch->j->needs.time_limit, by;
        bool relative = *value == '+' || *value == '-';
        int r = limit_parse(value + relative, &by, ch->fail);

        if (r < 0 || !relative)
                ch->time = by;
        else if (now == NO_LIMIT || by == NO_LIMIT || (*value == '-' && by >= now))
                r = fail_set(ch->fail, -ERANGE,
                                "TimeLimit=%s: the present limit is less than that, or unlimited",
                                value);
        else
                ch->time = *value == '+' ? now + by : now - by;
        return r;
}

/* ch->time is the new limit. */
static enum slumber_error check_limit(struct job_change *ch) {
        const struct job *j = ch->j;

        if (ch->time > j->needs.time_limit && j->state != JOB_PENDING && !ch->by->is_operator)
                return SLUMBER_ACCESS_DENIED;
        ch->request->spec.time_limit = ch->time;
        return SLUMBER_OK;
}

static enum slumber_error read_time_limit(struct job_change *ch) {
        return parse_limit(ch) < 0 ? SLUMBER_BAD_TIME : check_limit(ch);
}

/* Sets the time limit so that the job ends at the given second. */
static enum slumber_error read_end_time(struct job_change *ch) {
        const struct job *j = ch->j;
        usec_t end;

        if (j->state != JOB_RUNNING || j->configuring)
                return SLUMBER_JOB_NOT_RUNNING;
        if (time_parse(ch->value, ch->now, &end, ch->fail) < 0 || end <= ch->now ||
                        end > ch->now + JOB_TIME_MAX)
                return SLUMBER_BAD_CLOCK_TIME;
        ch->time = j->running.ran_before + (end - j->running.resumed_at);
        return check_limit(ch);
}

static void set_time_limit(struct job_change *ch) {
        struct job *j = ch->j;

        j->needs.time_limit = j->asked.time_limit = ch->time;
        if (j->state == JOB_SUSPENDED || (j->state == JOB_RUNNING && !j->configuring))
                j->running.end_time = job_ends_by(j);
        if (ch->time == NO_LIMIT || ch->time > job_run_time(j, ch->now) + j->asked.warn_time)
                j->running.warned = false; /* warned again before the new end */
        j->listed.armed = 0;
}

/* "0" clears.  The value is also compared with a TimeLimit earlier in the update. */
static enum slumber_error read_time_min(struct job_change *ch) {
        if (limit_parse(ch->value, &ch->time, ch->fail) < 0)
                return SLUMBER_BAD_UPDATE;
        return ch->time > ch->request->spec.time_limit ? SLUMBER_BAD_TIME_MIN : SLUMBER_OK;
}

static void job_set_time_min(struct job_change *ch) {
        ch->j->asked.time_min = ch->time;
}

static enum slumber_error read_begin(struct job_change *ch) {
        return time_parse(ch->value, ch->now, &ch->time, ch->fail) < 0 ? SLUMBER_BAD_UPDATE
                                                                       : SLUMBER_OK;
}

static void job_set_begin(struct job_change *ch) {
        ch->j->asked.begin_time = ch->time;
        ch->j->waiting.not_before = 0;
        if (MAX(ch->time, ch->j->waiting.eligible_time) > ch->now)
                job_eligibility_changed(ch->c, ch->j, ch->now);
}

/* "0" clears. */
static enum slumber_error read_deadline(struct job_change *ch) {
        ch->time = 0;
        if (!streq(ch->value, "0") && (time_parse(ch->value, ch->now, &ch->time, ch->fail) < 0 ||
                                                      ch->time <= ch->now))
                return SLUMBER_BAD_UPDATE;
        return SLUMBER_OK;
}

static void job_set_deadline(struct job_change *ch) {
        ch->j->asked.deadline = ch->time;
        cluster_queue_touch(ch->c, ch->j);
}

/* ---- priority ---- */

/* Updates the priority after a change of nice (from before) or of a further component of the
   priority. */
static void job_update_nice(struct job_change *ch, int32_t before) {
        struct cluster *c = ch->c;
        struct job *j = ch->j;
        bool queued = job_is_queued(j);

        if (job_is_held(j) || j->asked.priority)
                return;
        if (queued)
                cluster_queue_remove(c, j);
        priority_reniced(c, j, before, ch->now);
        if (queued)
                cluster_queue_insert(c, j);
        note(c, FACT_PRIORITY_CHANGED);
}

static enum slumber_error read_priority(struct job_change *ch) {
        if (!job_read_number(ch, 0, PRIORITY_MAX)) {
                fail_set(ch->fail, -EINVAL,
                                "Priority=%.100s: a number from 0 (held) to %u was expected",
                                ch->value, PRIORITY_MAX);
                return SLUMBER_FAILED;
        }
        if (ch->number && !ch->by->is_operator) {
                fail_set(ch->fail, -EPERM,
                                "Changes to job priority are not persistent, change nice instead");
                return SLUMBER_FAILED;
        }
        return ch->number && job_is_held(ch->j) ? SLUMBER_JOB_HELD : SLUMBER_OK;
}

static void job_set_priority(struct job_change *ch) {
        struct cluster *c = ch->c;
        struct job *j = ch->j;
        bool queued = job_is_queued(j);

        if (ch->number == 0) {
                /* cannot fail: the job is not over */
                (void)job_hold(c, j, ch->by->is_operator, ch->now);
                return;
        }
        if (queued)
                cluster_queue_remove(c, j);
        j->priority = j->asked.priority = (uint32_t)ch->number;
        j->asked.nice = 0; /* nice does not reduce a priority set by an operator */
        if (queued)
                cluster_queue_insert(c, j);
        note(c, FACT_PRIORITY_CHANGED); /* pending jobs may preempt j now */
}

static enum slumber_error read_site_factor(struct job_change *ch) {
        if (!read_signed(ch)) {
                fail_set(ch->fail, -EINVAL,
                                "SiteFactor=%s: a number of at most 2147483645 was expected, perhaps with -",
                                ch->value);
                return SLUMBER_FAILED;
        }
        if (!ch->c->config->priority.multifactor) {
                fail_set(ch->fail, -EOPNOTSUPP,
                                "SiteFactor is for PriorityType=priority/multifactor");
                return SLUMBER_FAILED;
        }
        return SLUMBER_OK;
}

static void job_set_site_factor(struct job_change *ch) {
        ch->j->accounting.site_factor = (int32_t)ch->number;
        job_update_nice(ch, ch->j->asked.nice);
}

static enum slumber_error read_nice(struct job_change *ch) {
        return !read_signed(ch) || (ch->number < 0 && !ch->by->is_operator) ? SLUMBER_BAD_NICE
                                                                            : SLUMBER_OK;
}

/* A priority set by hand ignores nice, as in Slurm, so nice stays unset. */
static void job_set_nice(struct job_change *ch) {
        struct job *j = ch->j;
        int32_t before = j->asked.nice;

        if (j->asked.priority)
                return;
        j->asked.nice = (int32_t)ch->number;
        job_update_nice(ch, before);
}

/* Restarts the age of the job. */
static void reset_accrue_time(struct job_change *ch) {
        struct job *j = ch->j;

        if (!j->waiting.accrue_time)
                return;
        j->waiting.accrue_time = ch->now;
        job_update_nice(ch, j->asked.nice);
}

/* ---- texts and independent settings ---- */

static enum slumber_error read_any(struct job_change *ch) {
        return SLUMBER_OK;
}

/* "" clears.  Stored in the request, too, where the length of all texts is checked. */
static enum slumber_error job_read_text(struct job_change *ch) {
        free_and_strdup((char **)job_key_field(&ch->request->spec, ch),
                        isempty(ch->value) ? NULL : ch->value);
        return SLUMBER_OK;
}

static void job_set_text(struct job_change *ch) {
        free_and_strdup((char **)job_key_field(&ch->j->asked, ch),
                        isempty(ch->value) ? NULL : ch->value);
}

static enum slumber_error read_work_dir(struct job_change *ch) {
        if (*ch->value == '/')
                return job_read_text(ch);
        fail_set(ch->fail, -EINVAL, "WorkDir=%.100s: a path that begins with / was expected",
                        ch->value);
        return SLUMBER_FAILED;
}

static enum slumber_error read_mail_user(struct job_change *ch) {
        const char *fault = mail_user_fault(strempty(job_text_value(ch)));

        if (!fault)
                return job_read_text(ch);
        fail_set(ch->fail, -EINVAL, "Invalid MailUser value: %.100s: %s", ch->value, fault);
        return SLUMBER_FAILED;
}

static enum slumber_error read_mail_type(struct job_change *ch) {
        uint32_t types = 0;
        int r = mail_type_parse(ch->value, &types, NULL);

        ch->number = types;
        return r < 0 ? job_bad_value(ch) : SLUMBER_OK;
}

/* The leader's mail covers a heterogeneous job, as at submission. */
static void job_set_mail_type(struct job_change *ch) {
        ch->j->asked.mail_type = job_is_het_follower(ch->j) ? 0 : (uint32_t)ch->number;
}

static void job_set_admin_comment(struct job_change *ch) {
        free_and_strdup(&ch->j->accounting.admin_comment, ch->value);
}

static void set_name(struct job_change *ch) {
        cluster_job_rename(ch->c, ch->j, ch->value);
        dependencies_renamed(ch->c, ch->j, ch->now);
}

static enum slumber_error read_requeue(struct job_change *ch) {
        return job_read_number(ch, 0, 1) ? SLUMBER_OK : SLUMBER_BAD_UPDATE;
}

static void job_set_requeue(struct job_change *ch) {
        ch->j->needs.requeue = ch->number && ch->j->asked.batch;
}

static enum slumber_error read_throttle(struct job_change *ch) {
        return ch->j->array && job_read_number(ch, 0, UINT32_MAX - 1) ? SLUMBER_OK
                                                                      : SLUMBER_BAD_UPDATE;
}

static void set_throttle(struct job_change *ch) {
        array_set_limit(ch->c, ch->j->array, (uint32_t)ch->number);
}

/* ---- switches, licenses, reservation, dependencies ---- */

/* "2@5:00"; "0" clears. */
static enum slumber_error job_read_switches(struct job_change *ch) {
        const char *at = strchrnul(ch->value, '@');
        _cleanup_free_ char *count = xstrndup(ch->value, (size_t)(at - ch->value));
        usec_t most = ch->c->config->max_switch_wait, wait = most;
        uint64_t n;

        if (uint_parse(count, 0, UINT32_MAX, &n) < 0 ||
                        (*at && duration_parse(at + 1, &wait, ch->fail) < 0))
                return SLUMBER_BAD_UPDATE;
        ch->number = (int64_t)n;
        ch->time = n ? MIN(wait, most) : 0;
        return SLUMBER_OK;
}

static void job_set_switches(struct job_change *ch) {
        ch->j->asked.switches = (uint32_t)ch->number;
        ch->j->asked.switch_wait = ch->time;
        ch->j->waiting.switches_since = 0;
        ch->j->waiting.switches_armed = false;
}

/* The value is in seconds. */
static enum slumber_error read_switch_wait(struct job_change *ch) {
        if (!job_read_number(ch, 0, UINT32_MAX))
                return job_bad_value(ch);
        ch->time = MIN((usec_t)ch->number * USEC_PER_SEC, ch->c->config->max_switch_wait);
        return SLUMBER_OK;
}

static void set_switch_wait(struct job_change *ch) {
        ch->j->asked.switch_wait = ch->time;
        ch->j->waiting.switches_armed = false;
}

static enum slumber_error ask_text(struct job_change *ch) {
        free_and_strdup((char **)job_key_field(&ch->request->spec, ch), job_text_value(ch));
        return SLUMBER_OK;
}

/* The leader of a heterogeneous job holds all licenses, as at submission; licenses in an update of
   the whole job are the leader's. */
static enum slumber_error read_licenses(struct job_change *ch) {
        struct job_request *w = ch->request;
        bool follows = job_is_het_follower(ch->j);

        if (follows && ch->by->is_of_whole)
                return SLUMBER_OK;
        if (follows && !isempty(ch->value))
                return fail_set(ch->fail, -EINVAL, "%u: license request allowed only on leader job",
                                       ch->j->het_offset),
                       SLUMBER_BAD_LICENSE;
        countlist_free(TAKE(w->licenses));
        countlist_free(TAKE(w->hres));
        w->new_licenses = true;
        (void)ask_text(ch);
        return licenses_parse(ch->c, strempty(w->spec.licenses), &w->licenses, &w->hres, ch->fail) <
                                               0
                               ? SLUMBER_BAD_LICENSE
                               : SLUMBER_OK;
}

static void job_set_licenses(struct job_change *ch) {
        struct job *j = ch->j;

        if (job_is_active(j))
                licenses_exchange(ch->c, j, TAKE(ch->request->held));
        free_and_strdup(&j->asked.licenses, ch->request->spec.licenses);
        countlist_free(j->needs.licenses);
        j->needs.licenses = TAKE(ch->request->licenses);
        countlist_free(j->needs.hres);
        j->needs.hres = TAKE(ch->request->hres);
        if (j->held_priority)
                job_eligibility_changed(ch->c, j, ch->now);
}

/* Access is checked later, for the job with all changes. */
static enum slumber_error read_reservation(struct job_change *ch) {
        ch->request->new_resv = true;
        return ask_text(ch);
}

static void set_reservation(struct job_change *ch) {
        struct job *j = ch->j;

        free_and_strdup(&j->asked.reservation, ch->request->spec.reservation);
        j->placed.resv = ch->request->resv;
        cluster_queue_touch(ch->c, j);
        note(ch->c, FACT_RESERVATION_USE);
}

static enum slumber_error read_dependency(struct job_change *ch) {
        const struct viewer viewer = { ch->c, ch->by->user };

        if (dependencies_parse(ch->value, false, &ch->depends, ch->fail) < 0)
                return SLUMBER_BAD_DEPENDENCY;
        viewer_hide_dependencies(&viewer, ch->depends);
        if (dependencies_name(ch->depends, ch->j) ||
                        !dependencies_exist(ch->c, ch->depends, ch->fail))
                return SLUMBER_BAD_DEPENDENCY;
        return ch->depends && dependencies_circular(ch->c, ch->j, ch->depends)
                               ? SLUMBER_CIRCULAR_DEPENDENCY
                               : SLUMBER_OK;
}

static void set_dependency(struct job_change *ch) {
        struct job *j = ch->j;

        free_and_strdup(&j->asked.dependency, isempty(ch->value) ? NULL : ch->value);
        dependencies_free(j->waiting.depends);
        j->waiting.depends = TAKE(ch->depends);
        job_eligibility_changed(ch->c, j, ch->now);
        dependencies_join(ch->c, j, ch->now);
}

/* ---- the request: applied by job_respec() ---- */

static enum slumber_error ask_partition(struct job_change *ch) {
        struct partition *first = NULL;
        const char *rest = ch->value;
        bool known = true;

        for (char *name; known && (name = partition_next(&rest)); free(name)) {
                struct partition *p = cluster_partition(ch->c, name);
                known = p != NULL;
                first = first ? first : p;
        }
        if (!known || !first)
                return SLUMBER_BAD_PARTITION;
        ch->request->partition = first;
        free_and_strdup(&ch->request->spec.partition, ch->value);
        ch->request->new_partition = true;
        return SLUMBER_OK;
}

static enum slumber_error ask_account(struct job_change *ch) {
        ch->request->new_account = true;
        return job_read_text(ch);
}

static enum slumber_error ask_qos(struct job_change *ch) {
        ch->request->new_qos = true;
        (void)job_read_text(ch);
        free_and_strdup(&ch->request->spec.qos_req, ch->request->spec.qos);
        return SLUMBER_OK;
}

/* 0: any or none. */
static enum slumber_error ask_number(struct job_change *ch) {
        if (!job_read_number(ch, 0, INT32_MAX))
                return job_bad_value(ch);
        *(uint32_t *)job_key_field(&ch->request->spec, ch) = (uint32_t)ch->number;
        return SLUMBER_OK;
}

/* MB, or with a suffix: "1500M". */
static bool read_size(const struct job_change *ch, uint64_t max, uint64_t *ret) {
        return memory_parse(ch->value, ret, NULL) == 0 && *ret <= max;
}

static enum slumber_error ask_tmp_disk(struct job_change *ch) {
        uint64_t size;

        if (!read_size(ch, INT32_MAX, &size))
                return job_bad_value(ch);
        ch->request->spec.tmp_disk = (uint32_t)size;
        return SLUMBER_OK;
}

static enum slumber_error ask_delay_boot(struct job_change *ch) {
        if (limit_parse(ch->value, &ch->time, ch->fail) < 0 || ch->time > JOB_TIME_MAX)
                return job_bad_value(ch);
        ch->request->spec.delay_boot = MAX(ch->time, (usec_t)1);
        return SLUMBER_OK;
}

static enum slumber_error ask_cpus_per_task(struct job_change *ch) {
        if (!job_read_number(ch, 1, INT32_MAX))
                return job_bad_value(ch);
        ch->request->spec.cpus_per_task = (uint32_t)ch->number;
        return SLUMBER_OK;
}

static bool job_value_is_yes(const char *value, bool *ret) {
        bool yes = strcasecmp(value, "yes") == 0 || streq(value, "1");

        *ret = yes;
        return yes || strcasecmp(value, "no") == 0 || streq(value, "0");
}

static enum slumber_error ask_contiguous(struct job_change *ch) {
        return job_value_is_yes(ch->value, &ch->request->spec.contiguous) ? SLUMBER_OK
                                                                          : job_bad_value(ch);
}

static enum slumber_error ask_share(struct job_change *ch) {
        bool yes;

        if (!job_value_is_yes(ch->value, &yes))
                return job_bad_value(ch);
        ch->request->spec.share = yes ? SHARE_YES : SHARE_NO;
        return SLUMBER_OK;
}

/* CoreSpec and ThreadSpec replace each other; CoreSpec=-1 clears both: the nodes' settings
   apply. */
static enum slumber_error ask_core_spec(struct job_change *ch) {
        struct job_spec *s = &ch->request->spec;
        bool none = streq(ch->value, "-1");

        if (!none && !job_read_number(ch, 0, UINT16_MAX / 2))
                return job_bad_value(ch);
        s->core_spec = none ? 0 : (uint32_t)ch->number + 1;
        s->thread_spec = 0;
        return SLUMBER_OK;
}

static enum slumber_error ask_thread_spec(struct job_change *ch) {
        if (!job_read_number(ch, 1, UINT16_MAX / 2))
                return job_bad_value(ch);
        ch->request->spec.thread_spec = (uint32_t)ch->number;
        ch->request->spec.core_spec = 0;
        return SLUMBER_OK;
}

/* Admins only, as at submission. */
static enum slumber_error ask_reboot(struct job_change *ch) {
        if (!ch->by->is_admin) {
                fail_set(ch->fail, -EPERM, REBOOT_FOR_ADMINS);
                return SLUMBER_ACCESS_DENIED;
        }
        return job_value_is_yes(ch->value, &ch->request->spec.reboot) ? SLUMBER_OK
                                                                      : job_bad_value(ch);
}

static enum slumber_error ask_tasks(struct job_change *ch) {
        if (!job_read_number(ch, 0, UINT32_MAX - 1))
                return job_bad_value(ch);
        if (ch->number == 0)
                return SLUMBER_BAD_TASK_COUNT;
        ch->request->spec.num_tasks = (uint32_t)ch->number;
        ch->request->spec.tasks_set = true;
        return SLUMBER_OK;
}

/* "2-4"; "2" is "2-2". */
static bool range_parse(const char *text, uint64_t *min, uint64_t *max) {
        size_t digits = strcspn(text, "-");
        _cleanup_free_ char *first = xstrndup(text, digits);

        return uint_parse(first, 1, INT32_MAX, min) >= 0 &&
               uint_parse(text[digits] ? text + digits + 1 : first, *min, INT32_MAX, max) >= 0;
}

static enum slumber_error ask_cpus(struct job_change *ch) {
        uint64_t min, max;

        if (!range_parse(ch->value, &min, &max))
                return job_bad_value(ch);
        if (min != max) {
                fail_set(ch->fail, -EOPNOTSUPP,
                                "NumCPUs=%.100s: a range is not implemented yet, how many a job takes follows from its tasks",
                                ch->value);
                return SLUMBER_NOT_SUPPORTED;
        }
        ch->request->num_cpus = (uint32_t)min;
        ch->request->new_cpus = true;
        return SLUMBER_OK;
}

static enum slumber_error job_ask_nodes(struct job_change *ch) {
        uint64_t min, max;

        if (!range_parse(ch->value, &min, &max))
                return SLUMBER_BAD_NODE_COUNT;
        ch->request->spec.min_nodes = (uint32_t)min;
        ch->request->spec.max_nodes = (uint32_t)max;
        ch->request->new_count = true;
        return SLUMBER_OK;
}

/* MB per CPU or per node; 0 means all memory of the nodes. */
static enum slumber_error ask_memory(struct job_change *ch) {
        struct job_spec *s = &ch->request->spec;
        uint64_t size;

        if (!read_size(ch, INT64_MAX >> 20, &size))
                return job_bad_value(ch);
        s->mem_per_node = s->mem_per_cpu = s->mem_per_gpu = 0;
        s->all_memory = size == 0;
        *(uint64_t *)job_key_field(s, ch) = size;
        return SLUMBER_OK;
}

/* "gpu:2", or as displayed: "gres:gpu:2". */
static enum slumber_error job_ask_gres(struct job_change *ch) {
        const char *value = job_text_value(ch);

        if (value && strncmp(value, "gres:", 5) == 0)
                value += 5;
        free_and_strdup((char **)job_key_field(&ch->request->spec, ch), value);
        return SLUMBER_OK;
}

/* ---- the table ---- */

#define ASKED(member) offsetof(struct job_spec, member)
/* clang-format off */
static const struct job_key job_keys[] = {
        { "Account", 1, KEY_WAITS, ask_account, NULL, ASKED(account) },
        { "AdminComment", 2, KEY_OPERATOR, read_any, job_set_admin_comment, 0 },
        { "ArrayTaskThrottle", 2, KEY_ALIVE, read_throttle, set_throttle, 0 },
        { "Comment", 3, KEY_ALIVE, job_read_text, job_set_text, ASKED(comment) },
        { "Contiguous", 3, KEY_WAITS | KEY_OPERATOR, ask_contiguous, NULL, 0 },
        { "CoreSpec", 4, KEY_WAITS, ask_core_spec, NULL, 0 },
        { "CPUsPerTask", 5, KEY_WAITS | KEY_CPUS, ask_cpus_per_task, NULL, 0 },
        { "Deadline", 3, KEY_WAITS, read_deadline, job_set_deadline, 0 },
        { "DelayBoot", 3, KEY_WAITS, ask_delay_boot, NULL, 0 },
        { "Dependency", 1, KEY_WAITS, read_dependency, set_dependency, 0 },
        { "EligibleTime", 2, KEY_WAITS | KEY_ASKED, read_begin, job_set_begin, 0 },
        { "EndTime", 2, KEY_TIME | KEY_ASKED, read_end_time, set_time_limit, 0 },
        { "ExcNodeList", 3, KEY_WAITS, ask_text, NULL, ASKED(exc_nodes) },
        { "Extra", 5, KEY_ALIVE, job_read_text, job_set_text, ASKED(extra) },
        { "Features", 1, KEY_WAITS, ask_text, NULL, ASKED(features) },
        { "Gres", 2, KEY_WAITS, job_ask_gres, NULL, ASKED(tres_per_node) },
        { "JobName", 3, KEY_ALIVE, read_any, set_name, 0 },
        { "Licenses", 1, KEY_WAITS | KEY_ASKED | KEY_HELD, read_licenses, job_set_licenses, ASKED(licenses) },
        { "MailType", 5, KEY_ALIVE, read_mail_type, job_set_mail_type, 0 },
        { "MailUser", 5, KEY_ALIVE, read_mail_user, job_set_text, ASKED(mail_user) },
        { "MinCPUsNode", 4, KEY_WAITS | KEY_CPUS, ask_number, NULL, ASKED(min_cpus_node) },
        { "MinMemoryCPU", 10, KEY_WAITS | KEY_MEMORY, ask_memory, NULL, ASKED(mem_per_cpu) },
        { "MinMemoryNode", 10, KEY_WAITS | KEY_MEMORY, ask_memory, NULL, ASKED(mem_per_node) },
        { "MinTmpDiskNode", 5, KEY_WAITS, ask_tmp_disk, NULL, ASKED(tmp_disk) },
        { "Name", 2, KEY_ALIVE, read_any, set_name, 0 },
        { "Nice", 2, KEY_ALIVE, read_nice, job_set_nice, 0 },
        { "NodeList", 8, KEY_WAITS | KEY_NODES, ask_text, NULL, ASKED(req_nodes) },
        { "NumCPUs", 6, KEY_WAITS | KEY_CPUS, ask_cpus, NULL, 0 },
        { "NumNodes", 8, KEY_WAITS | KEY_NODES, job_ask_nodes, NULL, 0 },
        { "NumTasks", 8, KEY_WAITS | KEY_CPUS, ask_tasks, NULL, 0 },
        { "OverSubscribe", 2, KEY_WAITS | KEY_OPERATOR, ask_share, NULL, 0 },
        { "Partition", 2, KEY_WAITS, ask_partition, NULL, 0 },
        { "Prefer", 3, KEY_WAITS, ask_text, NULL, ASKED(prefer) },
        { "Priority", 2, KEY_ALIVE, read_priority, job_set_priority, 0 },
        { "QOS", 2, KEY_WAITS, ask_qos, NULL, ASKED(qos) },
        { "Reboot", 3, KEY_WAITS, ask_reboot, NULL, 0 },
        { "ReqCores", 4, KEY_WAITS, ask_number, NULL, ASKED(cores_per_socket) },
        { "ReqNodeList", 8, KEY_WAITS | KEY_NODES, ask_text, NULL, ASKED(req_nodes) },
        { "ReqNodes", 8, KEY_WAITS | KEY_NODES, job_ask_nodes, NULL, 0 },
        { "ReqProcs", 8, KEY_WAITS | KEY_CPUS, ask_tasks, NULL, 0 },
        { "ReqSockets", 4, KEY_WAITS, ask_number, NULL, ASKED(sockets_per_node) },
        { "ReqThreads", 4, KEY_WAITS, ask_number, NULL, ASKED(threads_per_core) },
        { "Requeue", 4, KEY_ALIVE, read_requeue, job_set_requeue, 0 },
        { "Reservation", 3, KEY_WAITS | KEY_ASKED, read_reservation, set_reservation, ASKED(reservation) },
        { "ReservationName", 3, KEY_WAITS | KEY_ASKED, read_reservation, set_reservation, ASKED(reservation) },
        { "ResetAccrueTime", 5, KEY_WAITS, read_any, reset_accrue_time, 0 },
        { "Shared", 2, KEY_WAITS | KEY_OPERATOR, ask_share, NULL, 0 },
        { "SiteFactor", 5, KEY_OPERATOR, read_site_factor, job_set_site_factor, 0 },
        { "StartTime", 2, KEY_WAITS | KEY_ASKED, read_begin, job_set_begin, 0 },
        { "StdOut", 6, KEY_WAITS, job_read_text, job_set_text, ASKED(std_out) },
        { "Switches", 5, KEY_WAITS | KEY_ASKED, job_read_switches, job_set_switches, 0 },
        { "TasksPerNode", 2, KEY_WAITS | KEY_CPUS | KEY_OPERATOR, ask_number, NULL, ASKED(ntasks_per_node) },
        { "ThreadSpec", 4, KEY_WAITS, ask_thread_spec, NULL, 0 },
        { "TimeLimit", 5, KEY_TIME | KEY_ASKED, read_time_limit, set_time_limit, 0 },
        { "TimeMin", 5, KEY_WAITS | KEY_ASKED, read_time_min, job_set_time_min, 0 },
        { "TresPerJob", 8, KEY_WAITS, job_ask_gres, NULL, ASKED(tres_per_job) },
        { "TresPerNode", 8, KEY_WAITS, job_ask_gres, NULL, ASKED(tres_per_node) },
        { "TresPerSocket", 8, KEY_WAITS, job_ask_gres, NULL, ASKED(tres_per_socket) },
        { "TresPerTask", 8, KEY_WAITS, job_ask_gres, NULL, ASKED(tres_per_task) },
        { "wait-for-switch", 2, KEY_WAITS | KEY_ASKED, read_switch_wait, set_switch_wait, 0 },
        { "WCKey", 1, KEY_WAITS, job_read_text, job_set_text, ASKED(wckey) },
        { "WorkDir", 2, KEY_WAITS, read_work_dir, job_set_text, ASKED(work_dir) },
};
/* clang-format on */
#undef ASKED

/* Slurm's keys that are not implemented. */
static const char *const foreign_keys[] = {
        "BurstBuffer",
        "ClusterFeatures",
        "Clusters",
};

static const struct job_key *job_key_find(const char *word) {
        size_t length = strlen(word);

        for (size_t i = 0; i < ELEMENTSOF(job_keys); i++)
                if (length >= job_keys[i].least && strncasecmp(job_keys[i].name, word, length) == 0)
                        return &job_keys[i];
        return NULL;
}

bool job_key_sets_same(const struct job_key *a, const struct job_key *b) {
        return a->read == b->read && a->set == b->set && a->field == b->field;
}

const char *job_setting_key(const char *word) {
        const struct job_key *key = job_key_named(word), *first = job_keys;

        while (key && !job_key_sets_same(first, key))
                first++;
        return key ? first->name : word;
}

/* Returns whether job_text_value() reads the value. */
static bool takes_null(const struct job_key *key) {
        return key->read == ask_text || key->read == job_ask_gres || key->read == read_licenses ||
               key->read == read_reservation;
}

char *job_setting_value(const struct job *j, const struct update_setting *s) {
        const struct job_key *key = job_key_named(s->key);
        char sign = job_key_sign(s->key), text[TIMETEXT_MAX];
        _cleanup_free_ char *value = sign ? xasprintf("%c%s", sign, s->value) : xstrdup(s->value);
        struct job_change ch = { .j = (struct job *)(uintptr_t)j, .key = key, .value = value };
        bool relative = *value == '+' || *value == '-';
        uint64_t min, max;

        if (key && key->read == ask_cpus && range_parse(value, &min, &max) && min == max)
                return xasprintf("%llu", (unsigned long long)min);
        if (key && takes_null(key) && !job_text_value(&ch))
                return xstrdup("");
        if (!key || key->read != read_time_limit || !relative || parse_limit(&ch) < 0)
                return TAKE(value);
        return xstrdup(duration_text(ch.time, text));
}

char job_key_sign(const char *word) {
        char last = *word ? word[strlen(word) - 1] : 0;

        return last == '+' || last == '-' ? last : 0;
}

const struct job_key *job_key_named(const char *word) {
        bool sign = job_key_sign(word);
        _cleanup_free_ char *plain = xstrndup(word, strlen(word) - sign);
        const struct job_key *key = job_key_find(plain);

        return sign && key && key->read != read_time_limit ? NULL : key;
}

enum slumber_error job_key_refuse(const char *word, const char *value, struct fail *fail) {
        for (size_t i = 0; i < ELEMENTSOF(foreign_keys); i++)
                if (strcasecmp(foreign_keys[i], word) == 0) {
                        fail_set(fail, -EOPNOTSUPP, "updating %s of a job is not implemented yet",
                                        foreign_keys[i]);
                        return SLUMBER_NOT_SUPPORTED;
                }
        fail_set(fail, -EOPNOTSUPP, "Update of this parameter is not supported: %.100s=%.100s",
                        word, value);
        return SLUMBER_FAILED;
}

/* Returns whether the key of a running job selects the nodes to keep. */
static bool gives_back(const struct job_change *ch) {
        return ch->key->flags & KEY_NODES && ch->j->state != JOB_PENDING;
}

/* Returns whether the key of a running job changes what the job holds. */
static bool holds_by(const struct job_change *ch) {
        return ch->key->flags & KEY_HELD && job_is_active(ch->j) && !ch->j->completing;
}

/* Checks whether the user may change this key of this job now. */
static enum slumber_error key_may(const struct job_change *ch) {
        const struct job *j = ch->j;

        if (job_is_finished(j))
                return SLUMBER_JOB_FINISHED;
        if (ch->key->flags & KEY_WAITS && !job_is_queued(j) && !gives_back(ch) && !holds_by(ch))
                return SLUMBER_JOB_NOT_PENDING;
        return (ch->key->flags & KEY_OPERATOR || holds_by(ch)) && !ch->by->is_operator
                               ? SLUMBER_ACCESS_DENIED
                               : SLUMBER_OK;
}

enum slumber_error job_key_read(struct job_change *ch) {
        unsigned flags = ch->key->flags;
        struct job_request *w = ch->request;
        enum slumber_error e = key_may(ch);

        if (e != SLUMBER_OK)
                return e;
        w->ordered |= (flags & KEY_TIME ? ORDERED_TIME : 0) |
                      (flags & KEY_CPUS ? ORDERED_CPUS : 0) |
                      (flags & KEY_MEMORY ? ORDERED_MEMORY : 0);
        if (gives_back(ch)) {
                *(ch->key->read == job_ask_nodes ? &w->keep_count : &w->keep_nodes) = ch->value;
                return SLUMBER_OK;
        }
        w->any |= !ch->key->set;
        return ch->key->read(ch);
}

void job_key_set(struct job_change *ch) {
        if (!ch->key->set)
                return;
        ch->key->set(ch);
        if (ch->key->flags & KEY_ASKED)
                note(ch->c, FACT_REQUEST_CHANGED);
}
