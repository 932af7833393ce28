/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update jobid=: a function for each key, in a table.  What a job asks for may be changed while it waits.
 *
 * All settings of an update come into force or none does: the functions are called twice, first only to refuse what
 * must be refused (apply is not set), then to do it.  What depends on several settings (could it ever run, with that many
 * nodes of that partition?) is asked in between of the job as it would be: the wishes below. */
#include "controller/controller.h"

#include "controller/core/bids.h"
#include "controller/core/job_events.h"
#include "controller/core/priority.h"
#include "controller/requests/job_refs.h"
#include "controller/sched/sched.h"
#include "lib/timetext.h"

#include <strings.h>

/* What a job is to ask for: fields that are looked at together. */
struct wishes {
        struct partition *partition; /* the first of the list */
        char *partitions, *account, *qos, *features, *req_nodes, *exc_nodes; /* own */
        uint32_t min_nodes, max_nodes;
        bool new_partition, new_account, new_qos, new_nodes, new_count; /* which of them the update names */
};

struct change {
        struct controller *ctl;
        const struct caller *who;
        struct job *j;
        const char *value;
        struct fail *fail;
        bool apply; /* else it is only looked whether it may be done */
        struct wishes *wishes;
};

/* "+5" and "-5" change it by so much. */
static int parse_limit(const struct change *ch, usec_t *ret) {
        const char *value = ch->value;
        usec_t now = ch->j->time_limit, by;
        bool relative = *value == '+' || *value == '-';
        int r = limit_parse(value + relative, &by, ch->fail);

        if (r < 0 || !relative)
                *ret = by;
        else if (now == NO_LIMIT || by == NO_LIMIT || (*value == '-' && by >= now))
                r = fail_set(ch->fail, -ERANGE, "TimeLimit=%s: the limit is less than that, or there is none", value);
        else
                *ret = *value == '+' ? now + by : now - by;
        return r;
}

static enum slumber_error change_limit(const struct change *ch, usec_t limit) {
        struct job *j = ch->j;

        if (limit > j->time_limit && j->state != JOB_PENDING && !ch->who->operator)
                return SLUMBER_ACCESS_DENIED;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (!ch->apply)
                return SLUMBER_OK;
        j->time_limit = limit;
        if (j->state == JOB_RUNNING && !j->configuring)
                j->end_time = limit == NO_LIMIT ? 0 : job_time_up(j);
        if (limit == NO_LIMIT || (j->end_time && j->end_time > controller_now(ch->ctl) + j->spec.warn_time))
                j->warned = false; /* it has time again */
        j->armed = 0;
        ch->ctl->cluster->want_sched = true;
        return SLUMBER_OK;
}

static enum slumber_error set_time_limit(const struct change *ch) {
        usec_t limit = 0;

        return parse_limit(ch, &limit) < 0 ? SLUMBER_BAD_TIME : change_limit(ch, limit);
}

/* The limit becomes what the job needs to end then, to the second. */
static enum slumber_error set_end_time(const struct change *ch) {
        const struct job *j = ch->j;
        usec_t end, now = controller_now(ch->ctl);

        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (j->state != JOB_RUNNING || j->configuring)
                return SLUMBER_JOB_NOT_RUNNING;
        if (time_parse(ch->value, now, &end, ch->fail) < 0 || end <= now || end > now + JOB_TIME_MAX)
                return SLUMBER_BAD_CLOCK_TIME;
        return change_limit(ch, j->ran_before + (end - j->resumed_at));
}

/* "0" takes it away. */
static enum slumber_error set_time_min(const struct change *ch) {
        usec_t least;

        if (limit_parse(ch->value, &least, ch->fail) < 0)
                return SLUMBER_BAD_UPDATE;
        if (ch->j->state != JOB_PENDING)
                return SLUMBER_JOB_NOT_PENDING;
        if (least > ch->j->time_limit)
                return SLUMBER_BAD_TIME_MIN;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->spec.time_min = least;
        ch->ctl->cluster->want_sched = true;
        return SLUMBER_OK;
}

/* Its nice was before, or something else that its priority is made of has changed. */
static void renice(struct cluster *c, struct job *j, int32_t before, usec_t now) {
        bool queued = job_is_queued(j);

        if (job_is_held(j) || j->spec.priority)
                return;
        if (queued)
                cluster_queue_remove(c, j);
        priority_reniced(c, j, before, now);
        if (queued)
                cluster_queue_insert(c, j);
        c->want_sched = true;
}

static enum slumber_error set_priority(const struct change *ch) {
        struct job *j = ch->j;
        uint64_t priority;

        if (uint_parse(ch->value, 0, UINT32_MAX - 1, &priority) < 0)
                return SLUMBER_BAD_UPDATE;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (priority && !ch->who->operator) {
                fail_set(ch->fail, -EPERM, "Changes to job priority are not persistent, change nice instead");
                return SLUMBER_FAILED;
        }
        if (priority && job_is_held(j))
                return SLUMBER_JOB_HELD;
        if (!ch->apply)
                return SLUMBER_OK;
        if (priority == 0)
                return job_hold(ch->ctl->cluster, j, ch->who->operator, controller_now(ch->ctl));
        bool queued = job_is_queued(j);
        if (queued)
                cluster_queue_remove(ch->ctl->cluster, j);
        j->priority = j->spec.priority = (uint32_t)priority;
        j->spec.nice = 0; /* nothing is taken off what an operator has set */
        if (queued)
                cluster_queue_insert(ch->ctl->cluster, j);
        return SLUMBER_OK;
}

static enum slumber_error set_site_factor(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        struct job *j = ch->j;
        bool negative = *ch->value == '-';
        uint64_t amount;

        if (uint_parse(ch->value + negative, 0, INT32_MAX - 2, &amount) < 0) {
                fail_set(ch->fail, -EINVAL, "SiteFactor=%s: a number of at most 2147483645 was expected, perhaps with -", ch->value);
                return SLUMBER_FAILED;
        }
        if (!ch->who->operator)
                return SLUMBER_ACCESS_DENIED;
        if (!c->config->priority.multifactor) {
                fail_set(ch->fail, -EOPNOTSUPP, "SiteFactor is for PriorityType=priority/multifactor");
                return SLUMBER_FAILED;
        }
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (!ch->apply)
                return SLUMBER_OK;
        j->site_factor = negative ? -(int32_t)amount : (int32_t)amount;
        renice(c, j, j->spec.nice, controller_now(ch->ctl));
        return SLUMBER_OK;
}

/* Of a job whose priority was set by hand nothing changes, as in Slurm: it is said of no job that it is niced where it is not. */
static enum slumber_error set_nice(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        struct job *j = ch->j;
        bool negative = *ch->value == '-';
        uint64_t amount;

        if (uint_parse(ch->value + negative, 0, INT32_MAX - 2, &amount) < 0 || (negative && amount && !ch->who->operator))
                return SLUMBER_BAD_NICE;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        if (!ch->apply || j->spec.priority)
                return SLUMBER_OK;
        int32_t before = j->spec.nice;
        j->spec.nice = negative ? -(int32_t)amount : (int32_t)amount;
        renice(c, j, before, controller_now(ch->ctl));
        return SLUMBER_OK;
}

static enum slumber_error set_begin(const struct change *ch) {
        usec_t begin, now = controller_now(ch->ctl);

        if (ch->j->state != JOB_PENDING)
                return SLUMBER_JOB_NOT_PENDING;
        if (time_parse(ch->value, now, &begin, ch->fail) < 0)
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->spec.begin_time = begin;
        ch->j->not_before = 0;
        cluster_arm(ch->ctl->cluster, begin, DEADLINE_PASS, PASS_BEGIN);
        ch->ctl->cluster->want_sched = true;
        return SLUMBER_OK;
}

/* "0" takes it away. */
static enum slumber_error set_deadline(const struct change *ch) {
        usec_t deadline = 0, now = controller_now(ch->ctl);

        if (ch->j->state != JOB_PENDING)
                return SLUMBER_JOB_NOT_PENDING;
        if (!streq(ch->value, "0") && (time_parse(ch->value, now, &deadline, ch->fail) < 0 || deadline <= now))
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->spec.deadline = deadline;
        cluster_queue_touch(ch->ctl->cluster, ch->j);
        return SLUMBER_OK;
}

/* "2@5:00"; "0" takes it away. */
static enum slumber_error set_switches(const struct change *ch) {
        const char *at = strchrnul(ch->value, '@');
        _cleanup_free_ char *count = xstrndup(ch->value, (size_t)(at - ch->value));
        usec_t most = ch->ctl->cluster->config->max_switch_wait, wait = most;
        uint64_t n;

        if (uint_parse(count, 0, UINT32_MAX, &n) < 0 || (*at && duration_parse(at + 1, &wait, ch->fail) < 0))
                return SLUMBER_BAD_UPDATE;
        if (ch->j->state != JOB_PENDING)
                return SLUMBER_JOB_NOT_PENDING;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->spec.switches = (uint32_t)n;
        ch->j->spec.switch_wait = n ? MIN(wait, most) : 0;
        ch->j->switches_since = 0;
        ch->j->switches_armed = false;
        ch->ctl->cluster->want_sched = true;
        return SLUMBER_OK;
}

static enum slumber_error set_requeue(const struct change *ch) {
        uint64_t on;

        if (uint_parse(ch->value, 0, 1, &on) < 0)
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->requeue = on && ch->j->spec.batch;
        return SLUMBER_OK;
}

static enum slumber_error set_name(const struct change *ch) {
        if (ch->apply)
                cluster_job_rename(ch->ctl->cluster, ch->j, ch->value);
        return SLUMBER_OK;
}

static enum slumber_error set_comment(const struct change *ch) {
        if (ch->apply)
                free_and_strdup(&ch->j->spec.comment, ch->value);
        return SLUMBER_OK;
}

static enum slumber_error set_admin_comment(const struct change *ch) {
        if (!ch->who->operator)
                return SLUMBER_ACCESS_DENIED;
        if (ch->apply)
                free_and_strdup(&ch->j->admin_comment, ch->value);
        return SLUMBER_OK;
}

static enum slumber_error set_extra(const struct change *ch) {
        if (ch->apply)
                free_and_strdup(&ch->j->spec.extra, ch->value);
        return SLUMBER_OK;
}

/* ---- wishes: only noted here ---- */

static enum slumber_error set_partition(const struct change *ch) {
        struct partition *first = NULL;
        const char *rest = ch->value;
        bool known = true;

        for (char *name; known && (name = partition_next(&rest)); free(name)) {
                struct partition *p = cluster_partition(ch->ctl->cluster, name);
                known = p != NULL;
                first = first ? first : p;
        }
        if (!known || !first)
                return SLUMBER_BAD_PARTITION;
        if (ch->j->state != JOB_PENDING || ch->j->completing)
                return SLUMBER_JOB_NOT_PENDING;
        ch->wishes->partition = first;
        free_and_strdup(&ch->wishes->partitions, ch->value);
        ch->wishes->new_partition = true;
        return SLUMBER_OK;
}

static enum slumber_error set_wish(const struct change *ch, char **field) {
        if (ch->j->state != JOB_PENDING || ch->j->completing)
                return SLUMBER_JOB_NOT_PENDING;
        free_and_strdup(field, isempty(ch->value) || streq(ch->value, "(null)") ? NULL : ch->value);
        ch->wishes->new_nodes = true;
        return SLUMBER_OK;
}

static enum slumber_error set_features(const struct change *ch) {
        return set_wish(ch, &ch->wishes->features);
}

static enum slumber_error set_prefer(const struct change *ch) {
        return set_wish(ch, &ch->j->spec.prefer);
}

static enum slumber_error set_req_nodes(const struct change *ch) {
        return set_wish(ch, &ch->wishes->req_nodes);
}

static enum slumber_error set_exc_nodes(const struct change *ch) {
        return set_wish(ch, &ch->wishes->exc_nodes);
}

static enum slumber_error set_num_nodes(const struct change *ch) {
        size_t digits = strcspn(ch->value, "-");
        _cleanup_free_ char *first = xstrndup(ch->value, digits);
        uint64_t min, max;

        if (uint_parse(first, 1, UINT32_MAX - 1, &min) < 0 ||
                        uint_parse(ch->value[digits] ? ch->value + digits + 1 : first, min, UINT32_MAX - 1, &max) < 0)
                return SLUMBER_BAD_NODE_COUNT;
        if (ch->j->state != JOB_PENDING || ch->j->completing)
                return SLUMBER_JOB_NOT_PENDING;
        ch->wishes->min_nodes = (uint32_t)min;
        ch->wishes->max_nodes = (uint32_t)max;
        ch->wishes->new_count = true;
        return SLUMBER_OK;
}

static enum slumber_error set_account(const struct change *ch) {
        if (ch->j->state != JOB_PENDING)
                return SLUMBER_JOB_NOT_PENDING;
        free_and_strdup(&ch->wishes->account, isempty(ch->value) ? NULL : ch->value);
        ch->wishes->new_account = true;
        return SLUMBER_OK;
}

static enum slumber_error set_qos(const struct change *ch) {
        if (ch->j->state != JOB_PENDING)
                return SLUMBER_JOB_NOT_PENDING;
        free_and_strdup(&ch->wishes->qos, isempty(ch->value) ? NULL : ch->value);
        ch->wishes->new_qos = true;
        return SLUMBER_OK;
}

static void wishes_init(struct wishes *w, const struct job *j) {
        *w = (struct wishes){ .partition = j->partition, .min_nodes = j->spec.min_nodes, .max_nodes = j->spec.max_nodes };
        w->partitions = xstrdup(j->spec.partition);
        w->account = xstrdup(j->spec.account);
        w->qos = xstrdup(j->spec.qos);
        w->features = xstrdup(j->spec.features);
        w->req_nodes = xstrdup(j->spec.req_nodes);
        w->exc_nodes = xstrdup(j->spec.exc_nodes);
}

static void wishes_done(struct wishes *w) {
        free(w->partitions);
        free(w->account);
        free(w->qos);
        free(w->features);
        free(w->req_nodes);
        free(w->exc_nodes);
}

static size_t most_nodes(const struct wishes *w, const struct cluster *c) {
        size_t most = bitset_count(w->partition->nodes);
        const char *rest = strempty(w->partitions);

        for (char *name; (name = partition_next(&rest)); free(name)) {
                const struct partition *p = cluster_partition(c, name);
                most = p ? MAX(most, bitset_count(p->nodes)) : most;
        }
        return most;
}

/* Into each of them. */
static enum slumber_error may_enter(const struct wishes *w, const struct cluster *c, const struct caller *who) {
        const struct submitter from = submitter_of(who);
        const char *rest = w->partitions;
        enum slumber_error e = SLUMBER_OK;

        for (char *name; e == SLUMBER_OK && (name = partition_next(&rest)); free(name))
                e = partition_admits(cluster_partition(c, name), &from, w->account);
        return e == SLUMBER_OK || e == SLUMBER_PARTITION_DOWN ? e : SLUMBER_PARTITION_NOT_AVAILABLE;
}

/* An operator may put a job where its owner may not; the owner is told as Slurm tells him. */
static enum slumber_error wishes_check(const struct wishes *w, const struct cluster *c, const struct caller *who, const struct job *j) {
        enum slumber_error may = w->new_account || w->new_qos ? acct_allows(c, j, w->partition, w->account, w->qos) : SLUMBER_OK;

        if (may == SLUMBER_OK && w->new_count &&
                        (w->min_nodes > most_nodes(w, c) || (j->spec.tasks_set && j->spec.num_tasks && j->spec.num_tasks < w->min_nodes)))
                may = SLUMBER_BAD_NODE_COUNT;
        if (may == SLUMBER_OK && w->new_partition && !who->operator)
                may = may_enter(w, c, who);
        if (may != SLUMBER_OK)
                return may;
        return !w->new_account || partition_takes_account(w->partition, w->account) ? SLUMBER_OK : SLUMBER_BAD_ACCOUNT;
}

#define SWAP_TEXT(a, b)                                                                            \
        do {                                                                                       \
                char *_text = (a);                                                                 \
                (a) = (b);                                                                         \
                (b) = _text;                                                                       \
        } while (0)

/* What j asks for becomes what w says, and the other way round. */
static void wishes_swap(struct wishes *w, struct job *j) {
        struct wishes old = { .partition = j->partition, .min_nodes = j->spec.min_nodes, .max_nodes = j->spec.max_nodes };

        SWAP_TEXT(j->spec.partition, w->partitions);
        SWAP_TEXT(j->spec.account, w->account);
        SWAP_TEXT(j->spec.qos, w->qos);
        SWAP_TEXT(j->spec.features, w->features);
        SWAP_TEXT(j->spec.req_nodes, w->req_nodes);
        SWAP_TEXT(j->spec.exc_nodes, w->exc_nodes);
        j->spec.min_nodes = w->min_nodes;
        j->spec.max_nodes = w->max_nodes;
        j->partition = w->partition;
        w->partition = old.partition;
        w->min_nodes = old.min_nodes;
        w->max_nodes = old.max_nodes;
}

/* A job of which nothing could run is left as it is. */
static enum slumber_error wishes_apply(struct wishes *w, struct cluster *c, struct job *j, usec_t now, struct fail *fail) {
        enum slumber_error e = SLUMBER_OK;

        if (!w->new_partition && !w->new_nodes && !w->new_count && !w->new_account && !w->new_qos)
                return SLUMBER_OK;
        if (w->new_partition)
                cluster_queue_remove(c, j);
        wishes_swap(w, j);
        if (w->new_nodes)
                e = job_rewish(c, j, fail);
        if (e != SLUMBER_OK)
                wishes_swap(w, j);
        else if (w->new_partition && !job_is_held(j) && !j->spec.priority)
                priority_reniced(c, j, j->spec.nice, now);
        if (e == SLUMBER_OK && (w->new_partition || w->new_account || w->new_qos))
                acct_bind(c, j);
        if (w->new_partition)
                cluster_queue_insert(c, j);
        c->want_sched = true;
        return e;
}

/* ---- the rest ---- */

static enum slumber_error set_throttle(const struct change *ch) {
        struct array *a = ch->j->array;
        uint64_t limit;

        if (!a || uint_parse(ch->value, 0, UINT32_MAX - 1, &limit) < 0)
                return SLUMBER_BAD_UPDATE;
        if (ch->apply)
                array_set_limit(ch->ctl->cluster, a, (uint32_t)limit);
        return SLUMBER_OK;
}

static enum slumber_error set_licenses(const struct change *ch) {
        _cleanup_(countlist_freep) struct countlist *asked = NULL;
        const char *value = streq(ch->value, "(null)") ? "" : ch->value;
        struct job *j = ch->j;

        if (j->state != JOB_PENDING || j->completing)
                return SLUMBER_JOB_NOT_PENDING;
        if (countlist_parse(value, true, &asked, ch->fail) < 0 || licenses_check(ch->ctl->cluster, asked, resv_is_list(j) ? NULL : j->resv, ch->fail) < 0)
                return SLUMBER_BAD_LICENSE;
        free_and_strdup(&j->spec.licenses, isempty(value) ? NULL : value);
        countlist_free(j->licenses);
        j->licenses = TAKE(asked);
        ch->ctl->cluster->want_sched = true;
        return SLUMBER_OK;
}

static enum slumber_error set_reservation(const struct change *ch) {
        const char *value = streq(ch->value, "(null)") ? "" : ch->value;
        struct cluster *c = ch->ctl->cluster;
        struct resv *r = NULL;
        struct job *j = ch->j;

        if (j->state != JOB_PENDING || j->completing)
                return SLUMBER_JOB_NOT_PENDING;
        struct submitter owner = { .uid = j->uid, .gid = j->gid, .user = j->user, .group = j->group };
        if (ch->who->uid == j->uid) /* then all of his groups are known */
                owner = submitter_of(ch->who);
        enum slumber_error e = *value ? resv_check_list(c, value, &owner, j->spec.account, j->spec.qos, &r) : SLUMBER_OK;
        if (e != SLUMBER_OK || !ch->apply)
                return e;
        free_and_strdup(&j->spec.reservation, *value ? value : NULL);
        j->resv = r;
        cluster_queue_touch(c, j);
        c->want_sched = c->resvs.want = true;
        return SLUMBER_OK;
}

static enum slumber_error set_dependency(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        _cleanup_(dependencies_freep) struct dependencies *d = NULL;
        struct job *j = ch->j;

        if (j->state != JOB_PENDING)
                return job_is_finished(j) ? SLUMBER_ALREADY_DONE : SLUMBER_JOB_NOT_PENDING;
        if (dependencies_parse(ch->value, false, &d, ch->fail) < 0)
                return SLUMBER_BAD_DEPENDENCY;
        if (dependencies_name(d, j))
                return SLUMBER_BAD_DEPENDENCY;
        if (d && dependencies_circular(c, j, d))
                return SLUMBER_CIRCULAR_DEPENDENCY;
        if (!ch->apply)
                return SLUMBER_OK;
        free_and_strdup(&j->spec.dependency, isempty(ch->value) ? NULL : ch->value);
        dependencies_free(j->depends);
        j->depends = TAKE(d);
        job_eligibility_changed(c, j, controller_now(ch->ctl));
        dependencies_join(c, j, controller_now(ch->ctl));
        return SLUMBER_OK;
}

static const struct {
        const char *key;
        enum slumber_error (*set)(const struct change *ch);
} job_keys[] = {
        { "Account", set_account },
        { "QOS", set_qos },
        { "ArrayTaskThrottle", set_throttle },
        { "NumNodes", set_num_nodes },
        { "Features", set_features },
        { "Prefer", set_prefer },
        { "ReqNodeList", set_req_nodes },
        { "NodeList", set_req_nodes },
        { "ExcNodeList", set_exc_nodes },
        { "TimeLimit", set_time_limit },
        { "TimeMin", set_time_min },
        { "EndTime", set_end_time },
        { "Nice", set_nice },
        { "Priority", set_priority },
        { "SiteFactor", set_site_factor },
        { "StartTime", set_begin },
        { "Deadline", set_deadline },
        { "EligibleTime", set_begin },
        { "Requeue", set_requeue },
        { "Switches", set_switches },
        { "JobName", set_name },
        { "Name", set_name },
        { "Comment", set_comment },
        { "AdminComment", set_admin_comment },
        { "Licenses", set_licenses },
        { "Extra", set_extra },
        { "Dependency", set_dependency },
        { "Partition", set_partition },
        { "ReservationName", set_reservation },
        { "Reservation", set_reservation },
};

static enum slumber_error change_job(struct change *ch, const char *key) {
        _cleanup_free_ char *relative = NULL;

        if (strcasecmp(key, "TimeLimit+") == 0 || strcasecmp(key, "TimeLimit-") == 0) {
                relative = xasprintf("%c%s", key[strlen("TimeLimit")], ch->value);
                ch->value = relative;
                key = "TimeLimit";
        }
        for (size_t i = 0; i < ELEMENTSOF(job_keys); i++)
                if (strcasecmp(job_keys[i].key, key) == 0)
                        return job_keys[i].set(ch);
        fail_set(ch->fail, -EOPNOTSUPP, "updating %s of a job is not implemented yet", key);
        return SLUMBER_NOT_SUPPORTED;
}

static enum slumber_error change_all(const struct change *with, const Slumber__JobUpdate *m) {
        enum slumber_error e = SLUMBER_OK;

        for (size_t i = 0; e == SLUMBER_OK && i < m->n_settings; i++) {
                struct change ch = *with;

                ch.value = m->settings[i]->value;
                if (strlen(ch.value) > TEXT_MAX)
                        e = SLUMBER_TOO_BIG;
                else if (has_control(ch.value)) {
                        fail_set(ch.fail, -EINVAL, "the value of %.100s has a control character", m->settings[i]->key);
                        e = SLUMBER_BAD_UPDATE;
                } else
                        e = change_job(&ch, m->settings[i]->key);
        }
        return e;
}

static enum slumber_error update_one(struct controller *ctl, const struct caller *who, const Slumber__JobUpdate *m, struct job *j,
                struct fail *fail) {
        _cleanup_(wishes_done) struct wishes w = { 0 };
        struct change ch = { .ctl = ctl, .who = who, .j = j, .fail = fail, .wishes = &w };
        enum slumber_error e = !j ? SLUMBER_BAD_JOB_ID : !job_access(who, j) ? SLUMBER_ACCESS_DENIED : SLUMBER_OK;

        if (e != SLUMBER_OK)
                return e;
        wishes_init(&w, j);
        e = change_all(&ch, m);
        if (e == SLUMBER_OK)
                e = wishes_check(&w, ctl->cluster, who, j);
        if (e == SLUMBER_OK)
                e = wishes_apply(&w, ctl->cluster, j, controller_now(ctl), fail);
        if (e != SLUMBER_OK)
                return e;
        wishes_done(&w); /* they are noted once more, and not looked at */
        wishes_init(&w, j);
        ch.apply = true;
        e = change_all(&ch, m);
        cluster_queue_touch(ctl->cluster, j);
        cluster_job_changed(ctl->cluster, j);
        ctl->cluster->want_reasons = true;
        return e;
}

static enum slumber_error find_jobs(struct controller *ctl, const struct caller *who, const Slumber__JobUpdate *m,
                struct job_refs *refs, struct fail *fail) {
        const struct array *a = cluster_array(ctl->cluster, m->id);
        int r;

        if (a && !job_access(who, a->rest ? a->rest : a->tasks[0]))
                return SLUMBER_ACCESS_DENIED;
        r = *m->tasks ? job_refs_add_tasks(refs, ctl->cluster, m->id, m->tasks, fail) :
                        job_refs_add(refs, ctl->cluster, m->id);
        return r == -ENOSPC ? SLUMBER_TOO_MANY_JOBS : r < 0 ? SLUMBER_BAD_JOB_ID : SLUMBER_OK;
}

/* Of several tasks each is tried; those that are through already count only where there are no others. */
static enum slumber_error update_all(struct controller *ctl, const struct caller *who, const Slumber__JobUpdate *m,
                const struct job_refs *refs, struct fail *fail) {
        enum slumber_error first = SLUMBER_OK;
        bool served = false;

        for (size_t i = 0; i < refs->n; i++) {
                struct fail why = { 0 };
                enum slumber_error e = update_one(ctl, who, m, cluster_job(ctl->cluster, refs->list[i].id), &why);

                served |= e == SLUMBER_OK;
                if (e != SLUMBER_OK && (first == SLUMBER_OK || first == SLUMBER_ALREADY_DONE)) {
                        first = e;
                        *fail = why;
                }
        }
        return served && first == SLUMBER_ALREADY_DONE ? SLUMBER_OK : first;
}

void handle_job_update(struct controller *ctl, const struct caller *who, const Envelope *env) {
        const Slumber__JobUpdate *m = env->job_update;
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        struct fail fail = { 0 };
        enum slumber_error e = find_jobs(ctl, who, m, &refs, &fail);

        if (e == SLUMBER_OK)
                e = update_all(ctl, who, m, &refs, &fail);
        controller_changed(ctl);
        reply_result(ctl, &who->from, e, e == SLUMBER_OK ? NULL : fail.text);
}
