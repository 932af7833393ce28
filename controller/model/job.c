/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state table of a job, the job's clock, and small questions about a job. */
#include "controller/model/job.h"

#include "controller/model/cluster.h"
#include "controller/model/dependency.h"
#include "controller/model/feature.h"
#include "controller/model/het.h"
#include "controller/model/kept_fields.h"
#include "controller/model/node.h"
#include "controller/model/spec.h"
#include "controller/model/step_cores.h"
#include "lib/abilities.h"

/* The caller names the final state of JOB_ENDED; the table only says where an end is allowed. */
#define TO_END  JOB_STATE_MAX
#define NOWHERE (-1)

static const int moves[JOB_STATE_MAX][JOB_EVENT_MAX] = {
        [JOB_PENDING] = {
                [JOB_STARTED] = JOB_RUNNING, [JOB_STOPPED] = NOWHERE, [JOB_RESUMED] = NOWHERE,
                [JOB_ENDED] = TO_END, [JOB_REQUEUED] = NOWHERE,
        },
        [JOB_RUNNING] = {
                [JOB_STARTED] = NOWHERE, [JOB_STOPPED] = JOB_SUSPENDED, [JOB_RESUMED] = NOWHERE,
                [JOB_ENDED] = TO_END, [JOB_REQUEUED] = JOB_PENDING,
        },
        [JOB_SUSPENDED] = {
                [JOB_STARTED] = NOWHERE, [JOB_STOPPED] = NOWHERE, [JOB_RESUMED] = JOB_RUNNING,
                [JOB_ENDED] = TO_END, [JOB_REQUEUED] = JOB_PENDING,
        },
        /* scontrol requeue sends a finished job through the queue again. */
        [JOB_COMPLETED ... JOB_STATE_MAX - 1] = {
                [JOB_STARTED] = NOWHERE, [JOB_STOPPED] = NOWHERE, [JOB_RESUMED] = NOWHERE,
                [JOB_ENDED] = NOWHERE, [JOB_REQUEUED] = JOB_PENDING,
        },
};

int job_state_step(enum job_state from, enum job_event event, enum job_state end,
                enum job_state *ret) {
        assert(from < JOB_STATE_MAX);
        assert(event < JOB_EVENT_MAX);
        assert(ret);

        int to = moves[from][event];
        if (to == NOWHERE)
                return -EPROTO;
        if (to == TO_END) {
                assert(end >= JOB_COMPLETED && end < JOB_STATE_MAX);
                to = (int)end;
        }
        *ret = (enum job_state)to;
        return 0;
}

int job_move(struct job *j, enum job_event event, enum job_state end) {
        enum job_state to;
        int r = job_state_step(j->state, event, end, &to);

        if (r < 0)
                return r;
        j->state = to;
        return 0;
}

usec_t job_run_time(const struct job *j, usec_t now) {
        if (!j->running.start_time || j->configuring)
                return 0;
        if (job_is_finished(j))
                now = j->running.end_time;
        else if (j->state == JOB_PENDING)
                return 0;
        if (j->state == JOB_SUSPENDED || !j->running.resumed_at)
                return j->running.ran_before;
        return j->running.ran_before +
               (now > j->running.resumed_at ? now - j->running.resumed_at : 0);
}

usec_t job_step_run_time(const struct job *j, usec_t start, usec_t ran_before, usec_t now) {
        bool back = j->state == JOB_PENDING;
        usec_t run = back ? j->running.ran_before : job_run_time(j, now);
        usec_t over = job_is_finished(j) ? j->running.end_time
                      : back             ? j->waiting.queued_time
                                         : now;

        over = MAX(over, start);
        return (run > ran_before ? run - ran_before : 0) + (now > over ? now - over : 0);
}

usec_t job_latest_start(const struct job *j) {
        usec_t needs = j->asked.time_limit ? j->needs.time_limit : 60 * USEC_PER_SEC;

        if (j->asked.deadline == 0)
                return NO_LIMIT;
        if (j->asked.time_min)
                needs = MIN(j->needs.time_limit, j->asked.time_min);
        return j->asked.deadline > needs ? j->asked.deadline - needs : 0;
}

const struct countlist *job_licenses(const struct job *j) {
        return j->running.off_nodes ? NULL : j->placed.licenses_held;
}

bool job_is_off_nodes(const struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (!j->placed.alloc[i].done)
                        return false;
        return true;
}

usec_t job_completing_from(const struct job *j) {
        return job_is_finished(j) ? j->running.end_time : j->waiting.queued_time;
}

usec_t job_time_up(const struct job *j) {
        if (j->state != JOB_RUNNING || j->configuring || j->completing ||
                        j->needs.time_limit == NO_LIMIT)
                return NO_LIMIT;
        return j->running.resumed_at +
               (j->needs.time_limit > j->running.ran_before
                                               ? j->needs.time_limit - j->running.ran_before
                                               : 0);
}

usec_t job_overtime_up(const struct cluster *c, const struct job *j) {
        usec_t up = job_time_up(j), over = j->partition ? j->partition->over_time : TIME_UNSET;

        if (over == TIME_UNSET)
                over = c->config->over_time_limit == UINT32_MAX
                                       ? NO_LIMIT
                                       : c->config->over_time_limit * 60 * USEC_PER_SEC;
        return up == NO_LIMIT || over == NO_LIMIT ? NO_LIMIT : up + over;
}

usec_t job_ends_by(const struct job *j) {
        bool stands = j->state == JOB_SUSPENDED && !j->configuring &&
                      j->needs.time_limit != NO_LIMIT;
        usec_t end = stands ? j->running.suspend_time +
                                                     (j->needs.time_limit > j->running.ran_before
                                                                                     ? j->needs.time_limit -
                                                                                                       j->running.ran_before
                                                                                     : 0)
                            : job_time_up(j);

        end = MIN(end, j->stopping.grace_end ? j->stopping.grace_end : NO_LIMIT);
        return end == NO_LIMIT ? 0 : end;
}

usec_t job_step_time_up(const struct job *j, const struct step *s) {
        usec_t ends = s->ran_before + s->time_limit;

        if (!s->time_limit || j->state != JOB_RUNNING || j->configuring || j->completing ||
                        job_step_is_over(s))
                return NO_LIMIT;
        if (s->timed_out)
                return s->timed_out + STEP_TOLD_AGAIN;
        return j->running.resumed_at +
               (ends > j->running.ran_before ? ends - j->running.ran_before : 0);
}

usec_t job_steps_time_up(const struct job *j) {
        usec_t due = NO_LIMIT;

        for (size_t i = 0; j->running.limited_steps && i < j->running.n_steps; i++)
                due = MIN(due, job_step_time_up(j, &j->running.steps[i]));
        return due;
}

/* True if a process can receive the warning signal; a job without one is warned as soon as a
   process starts. */
static bool someone_hears(const struct job *j) {
        if (j->asked.batch && j->running.launched)
                return true;
        for (size_t i = 0; i < j->running.n_steps; i++)
                if (j->running.steps[i].id != STEP_EXTERN &&
                                !bitset_empty(j->running.steps[i].launched))
                        return true;
        return false;
}

usec_t job_warn_at(const struct job *j) {
        usec_t up = job_time_up(j);

        if (!j->asked.warn_signal || j->running.warned || up == NO_LIMIT || !someone_hears(j))
                return NO_LIMIT;
        return up > j->asked.warn_time ? up - j->asked.warn_time : 1;
}

enum job_share job_share(const struct job *j) {
        return job_has_spec(j) || j->asked.reboot ? SHARE_NO : j->asked.share;
}

bool job_launches_fail_too_often(const struct cluster *c, const struct job *j) {
        return j->failed_launches > c->config->max_batch_requeue;
}

enum job_reason job_held_reason(const struct cluster *c, const struct job *j) {
        if (!j->held_by_admin)
                return j->held_by_user ? REASON_HELD_USER : REASON_HELD_ADMIN;
        return job_launches_fail_too_often(c, j) ? REASON_REQUEUE_LIMIT : REASON_HELD_ADMIN;
}

struct job_node *job_node_find(const struct job *j, const struct node *n) {
        size_t low = 0, high = j->placed.n_alloc;

        while (low < high) {
                size_t mid = (low + high) / 2;
                if (j->placed.alloc[mid].node == n)
                        return &j->placed.alloc[mid];
                if (j->placed.alloc[mid].node->index < n->index)
                        low = mid + 1;
                else
                        high = mid;
        }
        return NULL;
}

bool job_boots_cloud_nodes(const struct job *j) {
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (j->placed.alloc[i].node->flags & NODE_CLOUD &&
                                j->placed.alloc[i].node->power != NODE_ON)
                        return true;
        return false;
}

bool job_all_nodes_wanted(const struct job *j, bool sbatch_wait_nodes) {
        if (!j->asked.batch || j->asked.wait_all_nodes == 1)
                return true;
        if (j->asked.wait_all_nodes == 0 && sbatch_wait_nodes)
                return true;
        for (size_t i = 0; i < j->placed.n_alloc; i++)
                if (j->placed.alloc[i].node->flags & NODE_REBOOT_ISSUED) /* rebooted for features */
                        return true;
        return job_boots_cloud_nodes(j);
}

struct step *job_step_find(const struct job *j, uint32_t id) {
        for (size_t i = 0; i < j->running.n_steps; i++)
                if (j->running.steps[i].id == id)
                        return &j->running.steps[i];
        return NULL;
}

bool job_has_home(const struct job *j) {
        return j->running.home == job_incarnation(j) + 1;
}

bool job_home_reaches_all(const struct job *j) {
        return j->placed.n_alloc == 1 ||
               (!j->asked.no_kill && j->placed.n_alloc <= PEER_CONNECTIONS_MAX);
}

bool job_step_is_home(const struct job *j, uint32_t step) {
        return job_has_home(j) && step_is_home(step);
}

struct step *job_step_add(struct job *j) {
        GROW(j->running.steps, j->running.a_steps, j->running.n_steps);
        struct step *s = &j->running.steps[j->running.n_steps++];
        *s = (struct step){ 0 };
        return s;
}

/* Components share the numbering of steps: the id of a step over several components is used by no
   further step. */
static uint32_t job_next_step(const struct job *j) {
        uint32_t next = j->running.next_step;

        for (uint32_t i = 0; j->het && i < j->het->n; i++)
                if (j->het->of[i])
                        next = MAX(next, j->het->of[i]->running.next_step);
        return next;
}

uint32_t job_step_number(struct job *j, bool bcast) {
        if (bcast)
                return STEP_BCAST_FIRST + j->running.next_bcast++;
        uint32_t number = job_next_step(j);
        j->running.next_step = number + 1;
        return number;
}

void span_free(struct step_span *span) {
        if (!span)
                return;
        if (--*span->users == 0) {
                free(span->users);
                free(span->nodes);
                free(span->count);
                free(span->place);
                free(span->parts);
        }
        free(span);
}

static void step_free_members(struct step *s) {
        for (size_t i = 0; i < s->n_parts; i++)
                step_free_members(&s->parts[i]);
        free(s->parts);
        span_free(s->span);
#define X(member, name) free(s->member);
        STEP_MEMBERS(OWNED_TEXTS, X)
#undef X
        measures_done(&s->measures);
        bitset_free(s->nodes);
        bitset_free(s->ended);
        bitset_free(s->launched);
        free(s->tasks);
        free(s->place);
        free(s->taken);
        step_cores_free(s);
        gres_shares_free(s->gres, s->n_gres);
}

struct step *job_step_part_at(struct step *s, size_t place) {
        for (size_t i = 0; i < s->n_parts; i++)
                if (bitset_has(s->parts[i].nodes, place))
                        return &s->parts[i];
        return s;
}

bool job_step_is_over(const struct step *s) {
        return bitset_equal(s->nodes, s->ended);
}

bool job_has_ports(const struct job *j) {
        for (size_t i = 0; i < j->running.n_steps; i++)
                if (j->running.steps[i].resv_ports)
                        return true;
        return false;
}

void job_step_remove(struct job *j, struct step *s) {
        size_t at = (size_t)(s - j->running.steps);

        assert(at < j->running.n_steps);
        step_free_members(s);
        memmove(s, s + 1, (j->running.n_steps - at - 1) * sizeof *s);
        j->running.n_steps--;
}

void job_clear_allocation(struct job *j) {
        for (size_t i = 0; i < j->running.n_steps; i++)
                step_free_members(&j->running.steps[i]);
        j->running.n_steps = 0;
        free(TAKE(j->placed.alloc));
        j->placed.n_alloc = 0;
        j->placed.batch_at = 0;
        gres_shares_free(TAKE(j->placed.gres), j->placed.n_gres);
        j->placed.n_gres = 0;
        j->placed.units = bitset_free(j->placed.units);
        j->placed.nodes = bitset_free(j->placed.nodes);
        j->placed.licenses_held = countlist_free(j->placed.licenses_held);
}

uint32_t job_tasks(const struct job *j) {
        uint64_t nodes = j->placed.n_alloc ? j->placed.n_alloc : MAX(1u, j->asked.min_nodes);

        return j->asked.num_tasks ? j->asked.num_tasks
                                  : (uint32_t)MIN(nodes * MAX(1u, j->asked.ntasks_per_node),
                                                    UINT32_MAX);
}

uint64_t job_cpus_asked(const struct job *j) {
        uint64_t times = j->asked.overcommit ? MAX(1u, j->asked.min_nodes) : job_tasks(j);

        return times * MAX(1u, j->needs.cpus_per_task);
}

void job_parse_features(struct job *j) {
        if (j->asked.features && !j->needs.prefer_alone)
                (void)features_parse(j->asked.features, &j->needs.features, NULL);
        if (j->asked.prefer)
                (void)features_parse(j->asked.prefer,
                                j->needs.prefer_alone ? &j->needs.features : &j->needs.prefer,
                                NULL);
}

/* Every text of a job_spec, so that copying and freeing include all texts. */
#define X(field) offsetof(struct job_spec, field),
static const size_t spec_texts[] = { JOB_TEXTS_ALL(X) };
#undef X

static char **spec_text(struct job_spec *s, size_t i) {
        return (char **)(void *)((char *)s + spec_texts[i]);
}

void job_spec_copy(struct job_spec *to, const struct job_spec *from) {
        *to = *from;
        for (size_t i = 0; i < ELEMENTSOF(spec_texts); i++)
                *spec_text(to, i) = isempty(*spec_text(to, i)) ? NULL : xstrdup(*spec_text(to, i));
}

void job_spec_done(struct job_spec *s) {
        for (size_t i = 0; i < ELEMENTSOF(spec_texts); i++)
                free(*spec_text(s, i));
}

size_t job_spec_length(const struct job_spec *s) {
        struct job_spec copy = *s;
        size_t all = 0;

        for (size_t i = 0; i < ELEMENTSOF(spec_texts); i++)
                all += strlen(strempty(*spec_text(&copy, i)));
        return all;
}

struct dependencies *dependencies_free(struct dependencies *d) {
        if (d)
                free(d->of);
        free(d);
        return NULL;
}

struct job *job_free(struct job *j) {
        if (!j)
                return NULL;
        het_leave(j);
        job_clear_allocation(j);
        free(j->running.steps);
        job_spec_done(&j->asked);
#define X(member, name) free(j->member);
        JOB_MEMBERS(OWNED_TEXTS, X)
#undef X
        free(j->waiting.plan);
        if (j->waiting.bids != &j->waiting.one)
                free(j->waiting.bids);
        features_free(j->needs.features);
        countlist_free(j->needs.licenses);
        countlist_free(j->needs.hres);
        gres_wants_free(j->needs.gres_wants);
        countlist_free(j->placed.licenses_held);
        features_free(j->needs.prefer);
        bitset_free(j->needs.req_nodes);
        bitset_free(j->needs.exc_nodes);
        bitset_free(j->claim.nodes);
        dependencies_free(j->waiting.depends);
        free(j->listed.dependents);
        free(j);
        return NULL;
}

static const char *const state_words[] = {
        [JOB_PENDING] = "PENDING",
        [JOB_RUNNING] = "RUNNING",
        [JOB_SUSPENDED] = "SUSPENDED",
        [JOB_COMPLETED] = "COMPLETED",
        [JOB_CANCELLED] = "CANCELLED",
        [JOB_FAILED] = "FAILED",
        [JOB_TIMEOUT] = "TIMEOUT",
        [JOB_NODE_FAIL] = "NODE_FAIL",
        [JOB_PREEMPTED] = "PREEMPTED",
        [JOB_BOOT_FAIL] = "BOOT_FAIL",
        [JOB_DEADLINE] = "DEADLINE",
        [JOB_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
};
_Static_assert(ELEMENTSOF(state_words) == JOB_STATE_MAX, "a job state without a word");
DEFINE_STRTAB(job_state, state_words)

static const char *const short_words[] = {
        [JOB_PENDING] = "PD",
        [JOB_RUNNING] = "R",
        [JOB_SUSPENDED] = "S",
        [JOB_COMPLETED] = "CD",
        [JOB_CANCELLED] = "CA",
        [JOB_FAILED] = "F",
        [JOB_TIMEOUT] = "TO",
        [JOB_NODE_FAIL] = "NF",
        [JOB_PREEMPTED] = "PR",
        [JOB_BOOT_FAIL] = "BF",
        [JOB_DEADLINE] = "DL",
        [JOB_OUT_OF_MEMORY] = "OOM",
};
_Static_assert(ELEMENTSOF(short_words) == JOB_STATE_MAX, "a job state without a short word");
DEFINE_STRTAB(job_state_short, short_words)
