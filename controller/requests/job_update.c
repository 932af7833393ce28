/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol update jobid=: a row for each key, in a table.  What a job asks for may be changed while
 * it waits.
 *
 * All settings of an update come into force or none does.  First each is looked at, and refused if
 * it must be.  What depends on several (could it ever run, with that many tasks on nodes of that
 * partition?) is only noted in the wishes meanwhile, and asked of the job as it would be, by the
 * checks of a submission (job_respec); the others are then called once more, to do it (apply). */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/assoc.h"
#include "controller/accounts/bids.h"
#include "controller/accounts/priority.h"
#include "controller/accounts/qos.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/lives/dependency.h"
#include "controller/lives/job_events.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/viewer.h"
#include "controller/requests/handlers.h"
#include "controller/requests/job_refs.h"
#include "controller/requests/job_resize.h"
#include "controller/reservations/license.h"
#include "controller/sched/sched.h"
#include "lib/log.h"
#include "lib/mailtype.h"
#include "lib/printable.h"
#include "lib/timetext.h"

#include <strings.h>

#define PRIORITY_MAX (UINT32_MAX - 2) /* as Slurm's */
/* of one update: more than there are keys, some of them twice; each is looked at for each task */
#define SETTINGS_MAX 200

/* What a job is to ask for, looked at as a whole. */
struct wishes {
        struct job_spec spec;        /* own */
        struct partition *partition; /* the first of the list */
        struct resv *resv;           /* the first of asked.reservation, where that is new */
        uint32_t num_cpus;
        unsigned said;              /* enum ordered */
        struct countlist *licenses; /* own: the new ones, where it names some */
        /* NumNodes, NodeList of one that runs; NULL: not said */
        const char *keep_count, *keep_nodes;
        struct bitset *keep; /* own: places of the nodes that it keeps then; NULL: all */
        /* what the update names */
        bool any, new_partition, new_account, new_qos, new_resv, new_licenses, new_count, new_cpus;
};

struct change {
        struct controller *ctl;
        const struct caller *caller;
        struct job *j;
        const struct job_key *key;
        const char *value;
        struct fail *fail;
        bool apply; /* else it is only looked whether it may be done */
        struct wishes *wishes;
};

struct job_key {
        const char *name;
        size_t least; /* so many letters of it will do */
        enum {
                KEY_ALIVE = 0,            /* until the job is over */
                KEY_WAITS = 1,            /* while it waits */
                KEY_WISH = KEY_WAITS | 2, /* ... and it is one of its wishes */
                KEY_OPERATOR = 4,         /* for operators */
                /* it is of what enum ordered says, of the user that has set it last */
                KEY_TIME = 8,
                KEY_CPUS = 16,
                KEY_MEMORY = 32,
                KEY_NODES = 64, /* one that runs gives nodes back by it */
        } flags;
        enum slumber_error (*set)(const struct change *ch);
        size_t field; /* of its spec */
};

static enum slumber_error bad_value(const struct change *ch) {
        fail_set(ch->fail, -EINVAL, "Invalid %s value: %.100s", ch->key->name, ch->value);
        return SLUMBER_FAILED;
}

static void *field_of(struct job_spec *spec, const struct change *ch) {
        return (char *)spec + ch->key->field;
}

/* "(null)", as it is shown, is nothing. */
static const char *text_value(const struct change *ch) {
        return isempty(ch->value) || streq(ch->value, "(null)") ? NULL : ch->value;
}

/* "+5" and "-5" change it by so much. */
static int parse_limit(const struct change *ch, usec_t *ret) {
        const char *value = ch->value;
        usec_t now = ch->j->needs.time_limit, by;
        bool relative = *value == '+' || *value == '-';
        int r = limit_parse(value + relative, &by, ch->fail);

        if (r < 0 || !relative)
                *ret = by;
        else if (now == NO_LIMIT || by == NO_LIMIT || (*value == '-' && by >= now))
                r = fail_set(ch->fail, -ERANGE,
                                "TimeLimit=%s: the present limit is less than that, or unlimited",
                                value);
        else
                *ret = *value == '+' ? now + by : now - by;
        return r;
}

static enum slumber_error change_limit(const struct change *ch, usec_t limit) {
        struct job *j = ch->j;
        usec_t ran = job_run_time(j, controller_now(ch->ctl));

        if (limit > j->needs.time_limit && j->state != JOB_PENDING && !ch->caller->operator)
                return SLUMBER_ACCESS_DENIED;
        ch->wishes->spec.time_limit = limit;
        if (!ch->apply)
                return SLUMBER_OK;
        j->needs.time_limit = j->asked.time_limit = limit;
        if (j->state == JOB_SUSPENDED || (j->state == JOB_RUNNING && !j->configuring))
                j->running.end_time = job_ends_by(j);
        if (limit == NO_LIMIT || limit > ran + j->asked.warn_time)
                j->running.warned = false; /* it has time again */
        j->listed.armed = 0;
        note(ch->ctl->cluster, FACT_REQUEST_CHANGED);
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

        if (j->state != JOB_RUNNING || j->configuring)
                return SLUMBER_JOB_NOT_RUNNING;
        if (time_parse(ch->value, now, &end, ch->fail) < 0 || end <= now ||
                        end > now + JOB_TIME_MAX)
                return SLUMBER_BAD_CLOCK_TIME;
        return change_limit(ch, j->running.ran_before + (end - j->running.resumed_at));
}

/* "0" takes it away. */
static enum slumber_error set_time_min(const struct change *ch) {
        usec_t least;

        if (limit_parse(ch->value, &least, ch->fail) < 0)
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply) /* beside TimeLimit, too */
                return least > ch->wishes->spec.time_limit ? SLUMBER_BAD_TIME_MIN : SLUMBER_OK;
        ch->j->asked.time_min = least;
        note(ch->ctl->cluster, FACT_REQUEST_CHANGED);
        return SLUMBER_OK;
}

/* Its nice was before, or something else that its priority is made of has changed. */
static void renice(struct cluster *c, struct job *j, int32_t before, usec_t now) {
        bool queued = job_is_queued(j);

        if (job_is_held(j) || j->asked.priority)
                return;
        if (queued)
                cluster_queue_remove(c, j);
        priority_reniced(c, j, before, now);
        if (queued)
                cluster_queue_insert(c, j);
        note(c, FACT_PRIORITY_CHANGED);
}

static enum slumber_error set_priority(const struct change *ch) {
        struct job *j = ch->j;
        uint64_t priority;

        if (uint_parse(ch->value, 0, PRIORITY_MAX, &priority) < 0) {
                fail_set(ch->fail, -EINVAL,
                                "Priority=%.100s: a number from 0 (held) to %u was expected",
                                ch->value, PRIORITY_MAX);
                return SLUMBER_FAILED;
        }
        if (priority && !ch->caller->operator) {
                fail_set(ch->fail, -EPERM,
                                "Changes to job priority are not persistent, change nice instead");
                return SLUMBER_FAILED;
        }
        if (priority && job_is_held(j))
                return SLUMBER_JOB_HELD;
        if (!ch->apply)
                return SLUMBER_OK;
        if (priority == 0)
                return job_hold(ch->ctl->cluster, j, ch->caller->operator, controller_now(ch->ctl));
        bool queued = job_is_queued(j);
        if (queued)
                cluster_queue_remove(ch->ctl->cluster, j);
        j->priority = j->asked.priority = (uint32_t)priority;
        j->asked.nice = 0; /* nothing is taken off what an operator has set */
        if (queued)
                cluster_queue_insert(ch->ctl->cluster, j);
        note(ch->ctl->cluster, FACT_PRIORITY_CHANGED); /* pending jobs may preempt it now */
        return SLUMBER_OK;
}

static enum slumber_error set_site_factor(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        struct job *j = ch->j;
        bool negative = *ch->value == '-';
        uint64_t amount;

        if (uint_parse(ch->value + negative, 0, INT32_MAX - 2, &amount) < 0) {
                fail_set(ch->fail, -EINVAL,
                                "SiteFactor=%s: a number of at most 2147483645 was expected, perhaps with -",
                                ch->value);
                return SLUMBER_FAILED;
        }
        if (!c->config->priority.multifactor) {
                fail_set(ch->fail, -EOPNOTSUPP,
                                "SiteFactor is for PriorityType=priority/multifactor");
                return SLUMBER_FAILED;
        }
        if (!ch->apply)
                return SLUMBER_OK;
        j->accounting.site_factor = negative ? -(int32_t)amount : (int32_t)amount;
        renice(c, j, j->asked.nice, controller_now(ch->ctl));
        return SLUMBER_OK;
}

/* A priority that was set by hand ignores nice, as in Slurm, so nice stays unset. */
static enum slumber_error set_nice(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        struct job *j = ch->j;
        bool negative = *ch->value == '-';
        uint64_t amount;

        if (uint_parse(ch->value + negative, 0, INT32_MAX - 2, &amount) < 0 ||
                        (negative && amount && !ch->caller->operator))
                return SLUMBER_BAD_NICE;
        if (!ch->apply || j->asked.priority)
                return SLUMBER_OK;
        int32_t before = j->asked.nice;
        j->asked.nice = negative ? -(int32_t)amount : (int32_t)amount;
        renice(c, j, before, controller_now(ch->ctl));
        return SLUMBER_OK;
}

static enum slumber_error set_begin(const struct change *ch) {
        usec_t begin, now = controller_now(ch->ctl);

        if (time_parse(ch->value, now, &begin, ch->fail) < 0)
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->asked.begin_time = begin;
        ch->j->waiting.not_before = 0;
        cluster_arm(ch->ctl->cluster, begin, DEADLINE_PASS, PASS_BEGIN);
        note(ch->ctl->cluster, FACT_REQUEST_CHANGED);
        return SLUMBER_OK;
}

/* "0" takes it away. */
static enum slumber_error set_deadline(const struct change *ch) {
        usec_t deadline = 0, now = controller_now(ch->ctl);

        if (!streq(ch->value, "0") &&
                        (time_parse(ch->value, now, &deadline, ch->fail) < 0 || deadline <= now))
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->asked.deadline = deadline;
        cluster_queue_touch(ch->ctl->cluster, ch->j);
        return SLUMBER_OK;
}

/* "2@5:00"; "0" takes it away. */
static enum slumber_error set_switches(const struct change *ch) {
        const char *at = strchrnul(ch->value, '@');
        _cleanup_free_ char *count = xstrndup(ch->value, (size_t)(at - ch->value));
        usec_t most = ch->ctl->cluster->config->max_switch_wait, wait = most;
        uint64_t n;

        if (uint_parse(count, 0, UINT32_MAX, &n) < 0 ||
                        (*at && duration_parse(at + 1, &wait, ch->fail) < 0))
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->asked.switches = (uint32_t)n;
        ch->j->asked.switch_wait = n ? MIN(wait, most) : 0;
        ch->j->waiting.switches_since = 0;
        ch->j->waiting.switches_armed = false;
        note(ch->ctl->cluster, FACT_REQUEST_CHANGED);
        return SLUMBER_OK;
}

static enum slumber_error set_requeue(const struct change *ch) {
        uint64_t on;

        if (uint_parse(ch->value, 0, 1, &on) < 0)
                return SLUMBER_BAD_UPDATE;
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->needs.requeue = on && ch->j->asked.batch;
        return SLUMBER_OK;
}

static enum slumber_error set_name(const struct change *ch) {
        if (!ch->apply)
                return SLUMBER_OK;
        cluster_job_rename(ch->ctl->cluster, ch->j, ch->value);
        dependencies_renamed(ch->ctl->cluster, ch->j, controller_now(ch->ctl));
        return SLUMBER_OK;
}

static enum slumber_error set_admin_comment(const struct change *ch) {
        if (ch->apply)
                free_and_strdup(&ch->j->accounting.admin_comment, ch->value);
        return SLUMBER_OK;
}

/* What nothing depends on; "" takes it away. */
static enum slumber_error set_text(const struct change *ch) {
        /* first for the length of all */
        struct job_spec *spec = ch->apply ? &ch->j->asked : &ch->wishes->spec;

        free_and_strdup((char **)field_of(spec, ch), isempty(ch->value) ? NULL : ch->value);
        return SLUMBER_OK;
}

static enum slumber_error set_work_dir(const struct change *ch) {
        if (*ch->value == '/')
                return set_text(ch);
        fail_set(ch->fail, -EINVAL, "WorkDir=%.100s: a path that begins with / was expected",
                        ch->value);
        return SLUMBER_FAILED;
}

static enum slumber_error set_mail_user(const struct change *ch) {
        return mail_user_is_address(ch->value) ? set_text(ch) : bad_value(ch);
}

static enum slumber_error set_mail_type(const struct change *ch) {
        uint32_t types;

        if (mail_type_parse(ch->value, &types, NULL) < 0)
                return bad_value(ch);
        if (ch->apply)
                ch->j->asked.mail_type = types;
        return SLUMBER_OK;
}

/* Seconds. */
static enum slumber_error set_switch_wait(const struct change *ch) {
        uint64_t seconds;

        if (uint_parse(ch->value, 0, UINT32_MAX, &seconds) < 0)
                return bad_value(ch);
        if (!ch->apply)
                return SLUMBER_OK;
        ch->j->asked.switch_wait = MIN(seconds * USEC_PER_SEC,
                        ch->ctl->cluster->config->max_switch_wait);
        ch->j->waiting.switches_armed = false;
        note(ch->ctl->cluster, FACT_REQUEST_CHANGED);
        return SLUMBER_OK;
}

/* It has not grown older yet. */
static enum slumber_error reset_accrue_time(const struct change *ch) {
        struct job *j = ch->j;
        usec_t now = controller_now(ch->ctl);

        if (!ch->apply || !j->waiting.accrue_time)
                return SLUMBER_OK;
        j->waiting.accrue_time = now;
        renice(ch->ctl->cluster, j, j->asked.nice, now);
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
        ch->wishes->partition = first;
        free_and_strdup(&ch->wishes->spec.partition, ch->value);
        ch->wishes->new_partition = true;
        return SLUMBER_OK;
}

static enum slumber_error wish_text(const struct change *ch) {
        free_and_strdup((char **)field_of(&ch->wishes->spec, ch), text_value(ch));
        return SLUMBER_OK;
}

/* 0: any, or none. */
static enum slumber_error wish_number(const struct change *ch) {
        uint64_t n;

        if (uint_parse(ch->value, 0, INT32_MAX, &n) < 0)
                return bad_value(ch);
        *(uint32_t *)field_of(&ch->wishes->spec, ch) = (uint32_t)n;
        return SLUMBER_OK;
}

static bool is_yes(const char *value, bool *ret) {
        bool yes = strcasecmp(value, "yes") == 0 || streq(value, "1");

        *ret = yes;
        return yes || strcasecmp(value, "no") == 0 || streq(value, "0");
}

static enum slumber_error wish_contiguous(const struct change *ch) {
        return is_yes(ch->value, &ch->wishes->spec.contiguous) ? SLUMBER_OK : bad_value(ch);
}

static enum slumber_error wish_share(const struct change *ch) {
        bool yes;

        if (!is_yes(ch->value, &yes))
                return bad_value(ch);
        ch->wishes->spec.share = yes ? SHARE_YES : SHARE_NO;
        return SLUMBER_OK;
}

static enum slumber_error wish_tasks(const struct change *ch) {
        uint64_t n;

        if (uint_parse(ch->value, 0, UINT32_MAX - 1, &n) < 0)
                return bad_value(ch);
        if (n == 0)
                return SLUMBER_BAD_TASK_COUNT;
        ch->wishes->spec.num_tasks = (uint32_t)n;
        ch->wishes->spec.tasks_set = true;
        return SLUMBER_OK;
}

static enum slumber_error wish_cpus_per_task(const struct change *ch) {
        uint64_t n;

        if (uint_parse(ch->value, 1, INT32_MAX, &n) < 0)
                return bad_value(ch);
        ch->wishes->spec.cpus_per_task = (uint32_t)n;
        return SLUMBER_OK;
}

/* "2-4"; "2" is "2-2". */
static bool range_parse(const char *text, uint64_t *min, uint64_t *max) {
        size_t digits = strcspn(text, "-");
        _cleanup_free_ char *first = xstrndup(text, digits);

        return uint_parse(first, 1, INT32_MAX, min) >= 0 &&
               uint_parse(text[digits] ? text + digits + 1 : first, *min, INT32_MAX, max) >= 0;
}

static enum slumber_error wish_cpus(const struct change *ch) {
        uint64_t min, max;

        if (!range_parse(ch->value, &min, &max))
                return bad_value(ch);
        if (min != max) {
                fail_set(ch->fail, -EOPNOTSUPP,
                                "NumCPUs=%.100s: a range is not implemented yet, how many a job takes follows from its tasks",
                                ch->value);
                return SLUMBER_NOT_SUPPORTED;
        }
        ch->wishes->num_cpus = (uint32_t)min;
        ch->wishes->new_cpus = true;
        return SLUMBER_OK;
}

/* MB; for each CPU or for each node, and 0 is all that its nodes have. */
static enum slumber_error wish_memory(const struct change *ch) {
        struct job_spec *s = &ch->wishes->spec;
        uint64_t mb;

        if (uint_parse(ch->value, 0, INT64_MAX >> 20, &mb) < 0)
                return bad_value(ch);
        s->mem_per_node = s->mem_per_cpu = s->mem_per_gpu = 0;
        s->all_memory = mb == 0;
        *(uint64_t *)field_of(s, ch) = mb;
        return SLUMBER_OK;
}

/* "gpu:2", and as it is shown: "gres:gpu:2". */
static enum slumber_error wish_gres(const struct change *ch) {
        const char *value = text_value(ch);

        if (value && strncmp(value, "gres:", 5) == 0)
                value += 5;
        free_and_strdup((char **)field_of(&ch->wishes->spec, ch), value);
        return SLUMBER_OK;
}

static enum slumber_error set_num_nodes(const struct change *ch) {
        uint64_t min, max;

        if (!range_parse(ch->value, &min, &max))
                return SLUMBER_BAD_NODE_COUNT;
        ch->wishes->spec.min_nodes = (uint32_t)min;
        ch->wishes->spec.max_nodes = (uint32_t)max;
        ch->wishes->new_count = true;
        return SLUMBER_OK;
}

static enum slumber_error set_account(const struct change *ch) {
        free_and_strdup(&ch->wishes->spec.account, isempty(ch->value) ? NULL : ch->value);
        ch->wishes->new_account = true;
        return SLUMBER_OK;
}

static enum slumber_error set_qos(const struct change *ch) {
        free_and_strdup(&ch->wishes->spec.qos, isempty(ch->value) ? NULL : ch->value);
        free_and_strdup(&ch->wishes->spec.qos_req, ch->wishes->spec.qos);
        ch->wishes->new_qos = true;
        return SLUMBER_OK;
}

static size_t most_nodes(const struct wishes *w, const struct cluster *c) {
        size_t most = bitset_count(w->partition->nodes);
        const char *rest = strempty(w->spec.partition);

        for (char *name; (name = partition_next(&rest)); free(name)) {
                const struct partition *p = cluster_partition(c, name);
                most = p ? MAX(most, bitset_count(p->nodes)) : most;
        }
        return most;
}

/* Into each of them. */
static enum slumber_error may_enter(const struct wishes *w, const struct cluster *c,
                const struct caller *caller) {
        const struct submitter from = submitter_of(caller);
        const char *rest = w->spec.partition;
        enum slumber_error e = SLUMBER_OK;

        for (char *name; e == SLUMBER_OK && (name = partition_next(&rest)); free(name))
                e = partition_admits(cluster_partition(c, name), &from, w->spec.account);
        return e == SLUMBER_OK || e == SLUMBER_PARTITION_DOWN ? e : SLUMBER_PARTITION_NOT_AVAILABLE;
}

/* NumCPUs is what the tasks take, or more of the one node that they are on. */
static enum slumber_error settle_cpus(struct wishes *w, const struct job *j, struct fail *fail) {
        struct job as = {
                .asked = w->spec,
                .placed.n_alloc = j->placed.n_alloc,
                .needs.cpus_per_task = w->spec.cpus_per_task,
        };
        uint64_t taken = job_cpus_asked(&as);
        bool one_node = w->spec.max_nodes == 1 ||
                        (w->spec.max_nodes <= MAX(1u, w->spec.min_nodes) && job_tasks(&as) == 1);

        if (w->num_cpus < taken) {
                fail_set(fail, -EOPNOTSUPP,
                                "NumCPUs=%u: its tasks take %llu, change NumTasks or CPUsPerTask",
                                w->num_cpus, (unsigned long long)taken);
                return SLUMBER_NOT_SUPPORTED;
        }
        if (one_node)
                w->spec.min_cpus_node = w->num_cpus > taken ? w->num_cpus : 0;
        else if (w->num_cpus > taken) {
                fail_set(fail, -EOPNOTSUPP,
                                "NumCPUs=%u: of a job that may have several nodes it is what its tasks take, %llu; change NumTasks, "
                                "CPUsPerTask or MinCPUsNode",
                                w->num_cpus, (unsigned long long)taken);
                return SLUMBER_NOT_SUPPORTED;
        }
        return SLUMBER_OK;
}

static bool too_few_tasks(const struct job_spec *s) {
        return s->tasks_set && s->num_tasks && s->num_tasks < s->min_nodes;
}

/* There are so many, in the reservation that it would be in. */
static enum slumber_error check_licenses(const struct wishes *w, const struct change *ch) {
        const struct job *j = ch->j;
        struct resv *resv = w->new_resv ? w->resv : j->placed.resv;
        const char *names = w->new_resv ? w->spec.reservation : j->asked.reservation;
        const struct countlist *asked = w->new_licenses ? w->licenses : j->needs.licenses;

        if (!w->new_licenses && !w->new_resv)
                return SLUMBER_OK;
        if (names && strchr(names, ',')) /* of a list, by each one then */
                resv = NULL;
        return licenses_check(ch->ctl->cluster, asked, resv, ch->fail) < 0 ? SLUMBER_BAD_LICENSE
                                                                           : SLUMBER_OK;
}

/* The owner may use it with the account and QOS that the job would have, and a QOS that wants one
   has one. */
static enum slumber_error check_reservation(struct wishes *w, const struct change *ch) {
        const struct cluster *c = ch->ctl->cluster;
        const struct job *j = ch->j;
        struct submitter owner = {
                .uid = j->uid,
                .gid = j->gid,
                .user = j->user,
                .group = j->group,
        };
        enum slumber_error e = SLUMBER_OK;

        if (ch->caller->uid == j->uid) /* then all of its groups are known */
                owner = submitter_of(ch->caller);
        if (w->new_resv && w->spec.reservation)
                e = viewer_check_reservations(&(struct viewer){ c, owner }, w->spec.reservation,
                                w->spec.account, w->spec.qos, &w->resv);
        if (e == SLUMBER_OK)
                e = check_licenses(w, ch);
        if (e != SLUMBER_OK || c->config->accounting_off || (!w->new_qos && !w->new_resv))
                return e;
        return acct_wants_reservation(w->spec.qos ? qos_find(&c->acct, w->spec.qos) : NULL,
                        w->spec.reservation, ch->fail);
}

/* An operator may put a job where its owner may not; the owner gets Slurm's message. */
static enum slumber_error wishes_check(struct wishes *w, const struct change *ch) {
        const struct cluster *c = ch->ctl->cluster;
        enum slumber_error may = SLUMBER_OK;

        if (w->new_account || w->new_qos)
                may = acct_allows(c, ch->j, w->partition, w->spec.account, w->spec.qos);
        if (may == SLUMBER_OK && w->new_count &&
                        (w->spec.min_nodes > most_nodes(w, c) || too_few_tasks(&w->spec)))
                may = SLUMBER_BAD_NODE_COUNT;
        if (may == SLUMBER_OK && w->new_partition && !ch->caller->operator)
                may = may_enter(w, c, ch->caller);
        if (may == SLUMBER_OK && w->new_cpus)
                may = settle_cpus(w, ch->j, ch->fail);
        if (may == SLUMBER_OK)
                may = check_reservation(w, ch);
        if (may != SLUMBER_OK)
                return may;
        return !w->new_account || partition_takes_account(w->partition, w->spec.account)
                               ? SLUMBER_OK
                               : SLUMBER_BAD_ACCOUNT;
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
        struct wishes *w = ch->wishes;
        struct job *j = ch->j;

        if (!ch->apply) {
                countlist_free(TAKE(w->licenses));
                w->new_licenses = true;
                (void)wish_text(ch);
                return countlist_parse(strempty(w->spec.licenses), true, &w->licenses, ch->fail) < 0
                                       ? SLUMBER_BAD_LICENSE
                                       : SLUMBER_OK;
        }
        free_and_strdup(&j->asked.licenses, w->spec.licenses);
        countlist_free(j->needs.licenses);
        j->needs.licenses = TAKE(w->licenses);
        note(ch->ctl->cluster, FACT_REQUEST_CHANGED);
        return SLUMBER_OK;
}

/* Whether it admits the job is asked of the job as it would be. */
static enum slumber_error set_reservation(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        struct job *j = ch->j;

        if (!ch->apply) {
                ch->wishes->new_resv = true;
                return wish_text(ch);
        }
        free_and_strdup(&j->asked.reservation, ch->wishes->spec.reservation);
        j->placed.resv = ch->wishes->resv;
        cluster_queue_touch(c, j);
        note(c, FACT_REQUEST_CHANGED);
        note(c, FACT_RESERVATION_USE);
        return SLUMBER_OK;
}

static enum slumber_error set_dependency(const struct change *ch) {
        struct cluster *c = ch->ctl->cluster;
        _cleanup_(dependencies_freep) struct dependencies *d = NULL;
        struct job *j = ch->j;

        if (dependencies_parse(ch->value, false, &d, ch->fail) < 0)
                return SLUMBER_BAD_DEPENDENCY;
        const struct viewer viewer = viewer_of(ch->ctl, ch->caller);
        viewer_hide_dependencies(&viewer, d);
        if (dependencies_name(d, j))
                return SLUMBER_BAD_DEPENDENCY;
        if (d && dependencies_circular(c, j, d))
                return SLUMBER_CIRCULAR_DEPENDENCY;
        if (!ch->apply)
                return SLUMBER_OK;
        free_and_strdup(&j->asked.dependency, isempty(ch->value) ? NULL : ch->value);
        dependencies_free(j->waiting.depends);
        j->waiting.depends = TAKE(d);
        job_eligibility_changed(c, j, controller_now(ch->ctl));
        dependencies_join(c, j, controller_now(ch->ctl));
        return SLUMBER_OK;
}

#define SPEC(field) offsetof(struct job_spec, field)
/* clang-format off */
static const struct job_key job_keys[] = {
        { "Account", 3, KEY_WISH, set_account, 0 },
        { "AdminComment", 3, KEY_OPERATOR, set_admin_comment, 0 },
        { "ArrayTaskThrottle", 10, KEY_ALIVE, set_throttle, 0 },
        { "Comment", 3, KEY_ALIVE, set_text, SPEC(comment) },
        { "Contiguous", 3, KEY_WISH | KEY_OPERATOR, wish_contiguous, 0 },
        { "CPUsPerTask", 5, KEY_WISH | KEY_CPUS, wish_cpus_per_task, 0 },
        { "Deadline", 3, KEY_WAITS, set_deadline, 0 },
        { "Dependency", 2, KEY_WAITS, set_dependency, 0 },
        { "EligibleTime", 3, KEY_WAITS, set_begin, 0 },
        { "EndTime", 2, KEY_ALIVE | KEY_TIME, set_end_time, 0 },
        { "ExcNodeList", 3, KEY_WISH, wish_text, SPEC(exc_nodes) },
        { "Extra", 5, KEY_ALIVE, set_text, SPEC(extra) },
        { "Features", 2, KEY_WISH, wish_text, SPEC(features) },
        { "Gres", 2, KEY_WISH, wish_gres, SPEC(tres_per_node) },
        { "JobName", 4, KEY_ALIVE, set_name, 0 },
        { "Licenses", 2, KEY_WAITS, set_licenses, SPEC(licenses) },
        { "MailType", 5, KEY_ALIVE, set_mail_type, 0 },
        { "MailUser", 5, KEY_ALIVE, set_mail_user, SPEC(mail_user) },
        { "MinCPUsNode", 4, KEY_WISH | KEY_CPUS, wish_number, SPEC(min_cpus_node) },
        { "MinMemoryCPU", 10, KEY_WISH | KEY_MEMORY, wish_memory, SPEC(mem_per_cpu) },
        { "MinMemoryNode", 10, KEY_WISH | KEY_MEMORY, wish_memory, SPEC(mem_per_node) },
        { "MinTmpDiskNode", 5, KEY_WISH, wish_number, SPEC(tmp_disk) },
        { "Name", 2, KEY_ALIVE, set_name, 0 },
        { "Nice", 2, KEY_ALIVE, set_nice, 0 },
        { "NodeList", 8, KEY_WISH | KEY_NODES, wish_text, SPEC(req_nodes) },
        { "NumCPUs", 6, KEY_WISH | KEY_CPUS, wish_cpus, 0 },
        { "NumNodes", 8, KEY_WISH | KEY_NODES, set_num_nodes, 0 },
        { "NumTasks", 8, KEY_WISH | KEY_CPUS, wish_tasks, 0 },
        { "OverSubscribe", 2, KEY_WISH | KEY_OPERATOR, wish_share, 0 },
        { "Partition", 2, KEY_WISH, set_partition, 0 },
        { "Prefer", 3, KEY_WISH, wish_text, SPEC(prefer) },
        { "Priority", 3, KEY_ALIVE, set_priority, 0 },
        { "QOS", 2, KEY_WISH, set_qos, 0 },
        { "ReqCores", 4, KEY_WISH, wish_number, SPEC(cores_per_socket) },
        { "ReqNodeList", 8, KEY_WISH | KEY_NODES, wish_text, SPEC(req_nodes) },
        { "ReqNodes", 8, KEY_WISH | KEY_NODES, set_num_nodes, 0 },
        { "ReqProcs", 8, KEY_WISH | KEY_CPUS, wish_tasks, 0 },
        { "ReqSockets", 4, KEY_WISH, wish_number, SPEC(sockets_per_node) },
        { "ReqThreads", 4, KEY_WISH, wish_number, SPEC(threads_per_core) },
        { "Requeue", 4, KEY_ALIVE, set_requeue, 0 },
        { "Reservation", 3, KEY_WAITS, set_reservation, SPEC(reservation) },
        { "ReservationName", 3, KEY_WAITS, set_reservation, SPEC(reservation) },
        { "ResetAccrueTime", 5, KEY_WAITS, reset_accrue_time, 0 },
        { "Shared", 2, KEY_WISH | KEY_OPERATOR, wish_share, 0 },
        { "SiteFactor", 5, KEY_OPERATOR, set_site_factor, 0 },
        { "StartTime", 2, KEY_WAITS, set_begin, 0 },
        { "StdOut", 6, KEY_WAITS, set_text, SPEC(std_out) },
        { "Switches", 5, KEY_WAITS, set_switches, 0 },
        { "TasksPerNode", 2, KEY_WISH | KEY_CPUS | KEY_OPERATOR, wish_number, SPEC(ntasks_per_node) },
        { "TimeLimit", 5, KEY_ALIVE | KEY_TIME, set_time_limit, 0 },
        { "TimeMin", 5, KEY_WAITS, set_time_min, 0 },
        { "TresPerJob", 8, KEY_WISH, wish_gres, SPEC(tres_per_job) },
        { "TresPerNode", 8, KEY_WISH, wish_gres, SPEC(tres_per_node) },
        { "TresPerSocket", 8, KEY_WISH, wish_gres, SPEC(tres_per_socket) },
        { "TresPerTask", 8, KEY_WISH, wish_gres, SPEC(tres_per_task) },
        { "wait-for-switch", 5, KEY_WAITS, set_switch_wait, 0 },
        { "WCKey", 2, KEY_WAITS, set_text, SPEC(wckey) },
        { "WorkDir", 2, KEY_WAITS, set_work_dir, SPEC(work_dir) },
};
/* clang-format on */
#undef SPEC

/* Slurm's, for what there is not. */
static const char *const foreign_keys[] = {
        "BurstBuffer",
        "ClusterFeatures",
        "Clusters",
        "CoreSpec",
        "DelayBoot",
        "Reboot",
        "ThreadSpec",
};

static const struct job_key *find_key(const char *word) {
        size_t length = strlen(word);

        for (size_t i = 0; i < ELEMENTSOF(job_keys); i++)
                if (length >= job_keys[i].least && strncasecmp(job_keys[i].name, word, length) == 0)
                        return &job_keys[i];
        return NULL;
}

static enum slumber_error refuse_key(const struct change *ch, const char *word) {
        for (size_t i = 0; i < ELEMENTSOF(foreign_keys); i++)
                if (strcasecmp(foreign_keys[i], word) == 0) {
                        fail_set(ch->fail, -EOPNOTSUPP,
                                        "updating %s of a job is not implemented yet",
                                        foreign_keys[i]);
                        return SLUMBER_NOT_SUPPORTED;
                }
        fail_set(ch->fail, -EOPNOTSUPP, "Update of this parameter is not supported: %.100s=%.100s",
                        word, ch->value);
        return SLUMBER_FAILED;
}

static bool gives_back(const struct change *ch) {
        return ch->key->flags & KEY_NODES && ch->j->state != JOB_PENDING;
}

static enum slumber_error note_resize(const struct change *ch) {
        const char **said = ch->key->set == set_num_nodes ? &ch->wishes->keep_count
                                                          : &ch->wishes->keep_nodes;

        *said = ch->value;
        return SLUMBER_OK;
}

/* Of this job, by this caller, now. */
static enum slumber_error key_may(const struct change *ch) {
        const struct job *j = ch->j;

        if (job_is_finished(j))
                return SLUMBER_JOB_FINISHED;
        if (ch->key->flags & KEY_WAITS && !job_is_queued(j) && !gives_back(ch))
                return SLUMBER_JOB_NOT_PENDING;
        return ch->key->flags & KEY_OPERATOR && !ch->caller->operator? SLUMBER_ACCESS_DENIED
                                                                     : SLUMBER_OK;
}

/* "TimeLimit+" has a sign; 0: there is none. */
static char sign_of(const char *word) {
        char last = *word ? word[strlen(word) - 1] : 0;

        return last == '+' || last == '-' ? last : 0;
}

static const struct job_key *named_key(const char *word) {
        _cleanup_free_ char *plain = xstrndup(word, strlen(word) - (sign_of(word) != 0));
        const struct job_key *key = find_key(plain);

        return sign_of(word) && key && key->set != set_time_limit ? NULL : key;
}

static unsigned said_by(const struct job_key *key) {
        return (key->flags & KEY_TIME ? ORDERED_TIME : 0) |
               (key->flags & KEY_CPUS ? ORDERED_CPUS : 0) |
               (key->flags & KEY_MEMORY ? ORDERED_MEMORY : 0);
}

static enum slumber_error change_job(struct change *ch, const char *word) {
        _cleanup_free_ char *relative = sign_of(word) ? xasprintf("%c%s", sign_of(word), ch->value)
                                                      : NULL;

        ch->key = named_key(word);
        if (!ch->key)
                return refuse_key(ch, word);
        if (relative)
                ch->value = relative;
        bool resize = gives_back(ch), wish = !resize && (ch->key->flags & KEY_WISH) == KEY_WISH;
        ch->wishes->any |= wish;
        ch->wishes->said |= said_by(ch->key);
        enum slumber_error e = ch->apply ? SLUMBER_OK : key_may(ch);
        if (e != SLUMBER_OK || (ch->apply && (wish || resize)))
                return e;
        return resize ? note_resize(ch) : ch->key->set(ch);
}

/* What it names twice comes into force once, as it is said last. */
static bool is_said_again(const Slumber__JobUpdate *m, size_t at) {
        const struct job_key *key = named_key(m->settings[at]->key), *other;

        for (size_t i = at + 1; i < m->n_settings; i++)
                if ((other = named_key(m->settings[i]->key)) && other->set == key->set &&
                                other->field == key->field)
                        return true;
        return false;
}

static enum slumber_error change_all(const struct change *with, const Slumber__JobUpdate *m) {
        enum slumber_error e = SLUMBER_OK;

        for (size_t i = 0; e == SLUMBER_OK && i < m->n_settings; i++) {
                struct change ch = *with;

                if (ch.apply && is_said_again(m, i))
                        continue;

                ch.value = m->settings[i]->value;
                if (strlen(ch.value) > TEXT_MAX)
                        e = SLUMBER_TOO_BIG;
                else if (has_control(ch.value)) {
                        fail_set(ch.fail, -EINVAL, "the value of %.100s has a control character",
                                        m->settings[i]->key);
                        e = SLUMBER_BAD_UPDATE;
                } else
                        e = change_job(&ch, m->settings[i]->key);
        }
        return e;
}

/* The keys alone: values may be long, and are shown with the job. */
static void log_update(const struct caller *caller, const Slumber__JobUpdate *m, uint32_t id) {
        _cleanup_free_ char *keys = NULL;
        size_t size;
        FILE *out = open_memstream(&keys, &size);

        for (size_t i = 0; i < m->n_settings; i++)
                fprintf(out, "%s%s", i ? ", " : "", m->settings[i]->key);
        fclose(out);
        log_fields(LOG_INFO, 0, id, NULL, "JobId=%u is updated by UID=%u: %s", id,
                        (unsigned)caller->uid, keys);
}

/* Limits bind what it asks for, unless an operator says it. An update that is refused leaves all as
   it was. */
static enum slumber_error change_wishes(const struct change *ch) {
        struct job *j = ch->j;
        const struct wishes *w = ch->wishes;
        uint32_t before = j->needs.ordered;

        j->needs.ordered = ch->caller->operator? before | w->said : before & ~w->said;
        enum slumber_error e = w->any ? job_respec(ch->ctl->cluster, j, &w->spec, w->partition,
                                                        controller_now(ch->ctl), ch->fail)
                                      : SLUMBER_OK;
        if (e != SLUMBER_OK)
                j->needs.ordered = before;
        return e;
}

static enum slumber_error update_one(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct job *j, struct fail *fail) {
        struct wishes w = { 0 };
        struct change ch = { .ctl = ctl, .caller = caller, .j = j, .fail = fail, .wishes = &w };
        enum slumber_error e = !j                       ? SLUMBER_BAD_JOB_ID
                               : !job_access(caller, j) ? SLUMBER_ACCESS_DENIED
                                                        : SLUMBER_OK;

        if (e != SLUMBER_OK)
                return e;
        job_spec_asked(j, &w.spec);
        w.partition = j->partition;
        e = change_all(&ch, m);
        if (e == SLUMBER_OK && job_spec_length(&w.spec) >
                                               MAX((size_t)TEXTS_MAX, job_spec_length(&j->asked))) {
                fail_set(fail, -E2BIG, "the job's texts would be longer than %u KiB",
                                TEXTS_MAX >> 10);
                e = SLUMBER_TOO_BIG;
        }
        if (e == SLUMBER_OK)
                e = wishes_check(&w, &ch);
        if (e == SLUMBER_OK)
                e = resize_check(ctl->cluster, j, w.keep_count, w.keep_nodes, &w.keep, fail);
        if (e == SLUMBER_OK)
                e = change_wishes(&ch);
        if (e == SLUMBER_OK) {
                ch.apply = true;
                e = change_all(&ch, m);
                if (w.keep)
                        resize_apply(ctl, j, w.keep);
                cluster_queue_touch(ctl->cluster, j);
                cluster_job_changed(ctl->cluster, j);
                note(ctl->cluster, FACT_JOB_UPDATED);
                log_update(caller, m, j->id);
        }
        job_spec_done(&w.spec);
        countlist_free(w.licenses);
        bitset_free(w.keep);
        return e;
}

static enum slumber_error find_jobs(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, struct job_refs *refs, struct fail *fail) {
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *any = viewer_job(&viewer, m->id);
        int r;

        if (any && any->array && !job_access(caller, any))
                return SLUMBER_ACCESS_DENIED;
        r = *m->tasks ? job_refs_add_tasks(refs, ctl->cluster, &viewer, m->id, m->tasks, fail)
                      : job_refs_add(refs, &viewer, m->id);
        return r == -ENOSPC ? SLUMBER_TOO_MANY_JOBS : r < 0 ? SLUMBER_BAD_JOB_ID : SLUMBER_OK;
}

/* Tasks that the array had: they are through, and forgotten. */
static bool is_forgotten(const struct cluster *c, const struct job_ref *ref) {
        const struct array *a = ref->unknown && ref->chosen ? cluster_array(c, ref->named) : NULL;

        if (a)
                bitset_for_each(i, ref->chosen)
                        if (i >= a->asked->bits || !bitset_has(a->asked, i))
                                return false;
        return a;
}

/* Of several tasks each is tried; those that are through already count only where there are no
   others. */
static enum slumber_error update_all(struct controller *ctl, const struct caller *caller,
                const Slumber__JobUpdate *m, const struct job_refs *refs, struct fail *fail) {
        enum slumber_error first = SLUMBER_OK;
        bool served = false;

        for (size_t i = 0; i < refs->n; i++) {
                const struct job_ref *ref = &refs->list[i];
                struct job *j = ref->unknown ? NULL : cluster_job(ctl->cluster, ref->id);
                struct fail why = { 0 };
                enum slumber_error e = is_forgotten(ctl->cluster, ref)
                                                       ? SLUMBER_JOB_FINISHED
                                                       : update_one(ctl, caller, m, j, &why);

                served |= e == SLUMBER_OK;
                if (e != SLUMBER_OK && (first == SLUMBER_OK || first == SLUMBER_JOB_FINISHED)) {
                        first = e;
                        *fail = why;
                }
        }
        return served && first == SLUMBER_JOB_FINISHED ? SLUMBER_OK : first;
}

void handle_job_update(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__JobUpdate *m = env->job_update;
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        struct fail fail = { 0 };
        enum slumber_error e = SLUMBER_TOO_BIG;

        if (m->n_settings > SETTINGS_MAX)
                fail_set(&fail, -E2BIG, "an update of jobs takes no more than %d settings",
                                SETTINGS_MAX);
        else
                e = find_jobs(ctl, caller, m, &refs, &fail);
        if (e == SLUMBER_OK)
                e = update_all(ctl, caller, m, &refs, &fail);
        controller_changed(ctl);
        reply_result(ctl, &caller->from, e, e == SLUMBER_OK ? NULL : fail.text);
}
