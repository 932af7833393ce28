/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submission of jobs. */
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/jobs/job_events.h"
#include "controller/launch/first_step.h"
#include "controller/launch/launch.h"
#include "controller/launch/steps.h"
#include "controller/launch/x11.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/het.h"
#include "controller/model/job_tokens.h"
#include "controller/orders/viewer.h"
#include "controller/records/job_rows.h"
#include "controller/records/record.h"
#include "controller/requests/handlers.h"
#include "controller/sched/sched.h"
#include "controller/steps/step_request.h"
#include "controller/submit/rules.h"
#include "controller/updates/job_update.h"
#include "lib/log.h"
#include "lib/plugins/plugin_options.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/x11.h"

#define SCRIPT_MAX (4u << 20)  /* as in Slurm */
#define ENV_MAX    (16u << 20) /* environment and arguments of a job together */

struct text_limit {
        const char *field;
        size_t offset; /* in the message */
        size_t most;   /* bytes */
        bool lines;    /* control characters are allowed */
};

/* A row per text of a job: a text without a limit does not compile. */
#define LINE(bytes)   (bytes), false
#define LINES(bytes)  (bytes), true
#define X(field, ...) { #field, offsetof(Slumber__JobSpec, field), __VA_ARGS__ },
static const struct text_limit text_limits[] = { JOB_TEXTS_LIMITS(X) };
#undef X

static enum slumber_error submit_check_texts(const Slumber__JobSpec *s, struct fail *fail) {
        size_t all = 0;

        for (size_t i = 0; i < ELEMENTSOF(text_limits); i++) {
                const struct text_limit *l = &text_limits[i];
                const char *text = *(char *const *)(const void *)((const char *)s + l->offset);
                size_t length = strlen(text);

                all += l->lines ? 0 : length;
                if (length > l->most)
                        return fail_set(fail, -E2BIG, "the job's %s is longer than %zu bytes",
                                               l->field, l->most),
                               SLUMBER_TOO_BIG;
                if (!l->lines && has_control(text))
                        return fail_set(fail, -EINVAL, "the job's %s has a control character",
                                               l->field),
                               SLUMBER_PROTOCOL;
        }
        if (all > TEXTS_MAX)
                return fail_set(fail, -E2BIG, "the options' values are longer than 128 KiB"),
                       SLUMBER_TOO_BIG;
        return SLUMBER_OK;
}

static enum slumber_error check_sizes(const Slumber__SubmitRequest *m, struct fail *fail) {
        enum slumber_error e = submit_check_texts(m->spec, fail);
        size_t env = 0;

        if (e != SLUMBER_OK || !m->script)
                return e;
        for (size_t i = 0; i < m->script->n_environment; i++)
                env += strlen(m->script->environment[i]) + 1;
        for (size_t i = 0; i < m->script->n_arguments; i++)
                env += strlen(m->script->arguments[i]) + 1;
        if (plugin_options_size(m->script->plugin_options, m->script->n_plugin_options) > TEXT_MAX)
                fail_set(fail, -E2BIG, "the plug-ins' options are longer than 64 KiB");
        else if (m->script->script.len > SCRIPT_MAX)
                fail_set(fail, -E2BIG, "the script is larger than 4 MiB");
        else if (env > ENV_MAX)
                fail_set(fail, -E2BIG, "the environment is larger than 16 MiB");
        return *fail->text ? SLUMBER_TOO_BIG : SLUMBER_OK;
}

/* later: a component after the leader; only the leader has the script. */
static enum slumber_error submit_check_request(const Slumber__SubmitRequest *m, bool later,
                struct fail *fail) {
        bool script = m->spec && m->spec->batch && !later;

        if (!m->spec || script != (m->script != NULL) || (m->immediate && m->spec->batch))
                return SLUMBER_PROTOCOL;
        return check_sizes(m, fail);
}

static void keep_script(struct controller *ctl, const struct job *j,
                const Slumber__JobScript *asked) {
        Slumber__JobScript script = *asked;
        _cleanup_free_ Slumber__Rlimit **limits = rlimits_kept(ctl->cluster->config->no_rlimits,
                        asked->rlimits_said, asked->rlimits, &script.n_rlimits);

        script.rlimits = limits;
        size_t size = slumber__job_script__get_packed_size(&script);
        uint8_t *data = xmalloc(size);

        slumber__job_script__pack(&script, data);
        store_put(ctl->store, STORE_SCRIPT, NULL, j->id, data, size);
        job_rows_note_script(ctl, j, asked);
}

/* --immediate: starts the job, with all components, in this pass, or removes the job. */
static enum slumber_error submit_start_now(struct controller *ctl, struct job *j,
                struct fail *fail) {
        bool waits = sched_awaits_completing(ctl->cluster, controller_now(ctl));
        enum slumber_error e;

        j->needs.now_or_never = true;
        for (uint32_t i = 0; j->het && i < j->het->n; i++)
                j->het->of[i]->needs.now_or_never = true;
        if (!waits)
                sched_pass(ctl->cluster, controller_now(ctl), true);
        if (j->state != JOB_PENDING)
                return SLUMBER_OK;
        e = waits ? SLUMBER_FRAGMENTED
            : partitions_wait_reason(ctl->cluster, j) != REASON_NONE
                            ? SLUMBER_PARTITION_NOT_AVAILABLE
            : j->reason == REASON_PRIORITY ? SLUMBER_NOT_TOP_PRIORITY
                                           : SLUMBER_NODES_BUSY;
        if (j->reason == REASON_LICENSES)
                fail_set(fail, -EBUSY, "its licenses are in use");
        if (j->het) {
                het_withdraw(ctl->cluster, j->het);
                return e;
        }
        cluster_queue_remove(ctl->cluster, j);
        cluster_job_remove(ctl->cluster, j);
        return e;
}

/* Returns the message of srun and salloc for a job that will not start soon; "": none. */
static const char *why_queued(const struct cluster *c, const struct job *j) {
        enum job_reason why = partitions_wait_reason(c, j);

        if (why == REASON_PARTITION_DOWN)
                return "Partition in DOWN state";
        if (why == REASON_PARTITION_CONFIG || why == REASON_PARTITION_NODE_LIMIT ||
                        why == REASON_PARTITION_TIME_LIMIT || why == REASON_MAX_MEMORY)
                return slumber_error_text(SLUMBER_PARTITION_NOT_AVAILABLE);
        if (job_is_held(j))
                return slumber_error_text(SLUMBER_JOB_HELD);
        return job_lacks_nodes(c, j) ? "Required node not available (down, drained or reserved)"
                                     : "";
}

static void refuse_submit(const struct caller *caller, enum slumber_error e, const char *text) {
        const struct ruled refused = { .error = e,
                .text = (char *)(uintptr_t)text,
                .told = caller->ruled->told };

        ruled_refuse(&caller->from, &refused);
}

/* ---- --test-only: checks of a submission, and estimate of its start ---- */

/* Converts an error of job_estimate(). */
static enum slumber_error no_estimate(int r) {
        return r == -EDQUOT ? SLUMBER_ACCOUNTING_POLICY : SLUMBER_NODES_NOT_AVAILABLE;
}

static enum slumber_error no_partition(enum job_reason why) {
        return why == REASON_NONE ? SLUMBER_OK
               : why == REASON_PARTITION_CONFIG || why == REASON_PARTITION_NODE_LIMIT
                               ? SLUMBER_NODES_NOT_AVAILABLE
                               : SLUMBER_PARTITION_NOT_AVAILABLE;
}

struct answer_of { /* an estimate */
        usec_t start;
        const struct bitset *nodes;
        uint32_t num_cpus;
        const char *partition; /* "": several components */
        struct job *const *victims;
        size_t n_victims;
};

static void reply_start(struct controller *ctl, const struct caller *caller,
                const struct answer_of *a) {
        const struct viewer viewer = viewer_of(ctl, caller);
        struct cluster *c = ctl->cluster;
        _cleanup_free_ uint32_t *preempts = xnew(uint32_t, a->n_victims + 1);
        _cleanup_free_ char *nodes = cluster_nodes_text(c, a->nodes);
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;
        Slumber__StartEstimate m = SLUMBER__START_ESTIMATE__INIT;

        for (size_t i = 0; i < a->n_victims; i++)
                if (viewer_sees_job(&viewer, a->victims[i]))
                        preempts[m.n_preempts++] = a->victims[i]->id;
        m.start_time = a->start;
        m.num_cpus = a->num_cpus;
        m.nodes = nodes;
        m.partition = (char *)(uintptr_t)a->partition;
        m.preempts = preempts;
        reply.job_id = c->next_job_id;
        reply.estimate = &m;
        reply.told = (char *)(uintptr_t)strempty(caller->ruled->told);
        ENVELOPE(answer, SUBMIT_REPLY, submit_reply, &reply);
        reply_now(&caller->from, &answer);
}

static void reply_estimate(struct controller *ctl, const struct caller *caller, struct job *j) {
        struct cluster *c = ctl->cluster;
        _cleanup_(estimate_freep) struct estimate *e = NULL;
        enum slumber_error no = no_partition(partitions_wait_reason(c, j));
        int r = no == SLUMBER_OK ? job_estimate(c, j, controller_now(ctl), &e) : -ENOENT;

        if (no != SLUMBER_OK || r < 0) {
                refuse_submit(caller, no != SLUMBER_OK ? no : no_estimate(r), NULL);
                return;
        }
        const struct placement *where = estimate_where(e);
        reply_start(ctl, caller,
                        &(struct answer_of){ estimate_start(e), where->nodes, where->num_cpus,
                                        estimate_partition(e)->name, where->victims,
                                        where->n_victims });
}

/* SchedulerParameters=default_gbytes: sizes without unit are in GB. */
static void take_gbytes(struct job_spec *s, unsigned plain) {
        s->mem_per_node = size_in_mb(s->mem_per_node, plain & PLAIN_MEM_PER_NODE);
        s->mem_per_cpu = size_in_mb(s->mem_per_cpu, plain & PLAIN_MEM_PER_CPU);
        s->mem_per_gpu = size_in_mb(s->mem_per_gpu, plain & PLAIN_MEM_PER_GPU);
        s->tmp_disk = (uint32_t)MIN(size_in_mb(s->tmp_disk, plain & PLAIN_TMP_DISK),
                        (uint64_t)UINT32_MAX);
}

static void read_spec(const struct controller *ctl, const Slumber__SubmitRequest *m,
                struct job_spec *ret) {
        job_spec_from_message(ret, m->spec);
        if (ctl->cluster->config->default_gbytes)
                take_gbytes(ret, m->spec->plain_sizes);
}

static enum slumber_error check_submit(struct controller *ctl, const struct caller *caller,
                const Slumber__SubmitRequest *m, bool later, struct fail *fail) {
        enum slumber_error e = submit_check_request(m, later, fail);
        struct job_spec spec;

        if (e != SLUMBER_OK)
                return e;
        if ((m->allocate || m->wait) && !m->test_only && watches_full(ctl, &caller->from))
                return SLUMBER_TOO_MANY_JOBS;
        if (!config_gather_allows(ctl->cluster->config->memory_watch,
                            m->script ? m->script->acct_frequency : m->acct_frequency))
                return SLUMBER_BAD_ACCT_FREQUENCY;
        if (*m->spec->container && !ctl->cluster->config->oci) {
                fail_set(fail, -EOPNOTSUPP, "%s", NO_OCI_CONF);
                return SLUMBER_NOT_SUPPORTED;
        }
        if (m->spec->x11 && (!(ctl->cluster->config->prolog_flags & PROLOG_X11) || !m->allocate ||
                                            m->spec->x11 > X11_LAST))
                return SLUMBER_X11_NOT_AVAILABLE;
        read_spec(ctl, m, &spec);
        if (spec.priority && !caller->operator) /* only operators set a priority, as in Slurm */
                return SLUMBER_ACCESS_DENIED;
        if (spec.nice < 0 && !caller->operator)
                return SLUMBER_BAD_NICE;
        if (spec.reboot && !caller->super) {
                fail_set(fail, -EPERM, "%s", REBOOT_FOR_ADMINS);
                return SLUMBER_ACCESS_DENIED;
        }
        return caller->operator|| isempty(m->admin_comment) ? SLUMBER_OK : SLUMBER_ACCESS_DENIED;
}

/* Returns the allocation of a command that is back after a broken connection; NULL if none. */
static struct job *allocation_find_again(struct controller *ctl, const struct caller *caller,
                const Slumber__SubmitRequest *m) {
        const struct cluster *c = ctl->cluster;

        if (m->job_id == 0)
                return job_tokens_find(c->tokens, m->spec->token, caller->uid);
        struct job *j = cluster_job(c, m->job_id);
        return j && m->spec->token && j->uid == caller->uid && !j->asked.batch &&
                                               j->asked.token == m->spec->token
                               ? j
                               : NULL;
}

/* Returns true if answered. false: the first request was never received, so this request is handled
   like any other. */
static bool submit_again(struct controller *ctl, const struct caller *caller,
                const Slumber__SubmitRequest *m) {
        struct job *j = m->spec && m->allocate ? allocation_find_again(ctl, caller, m) : NULL;
        _cleanup_(allocation_message_freep) Slumber__Allocation *allocation = NULL;
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;

        if (!j && !m->job_id)
                return false;
        if (!j || job_is_finished(j)) {
                reply_result(ctl, &caller->from, SLUMBER_JOB_ENDED, NULL);
                return true;
        }
        j->running.orphan_due = 0;
        job_holder_answered(j);
        watch_replace(ctl, WATCH_HOLDER, j->id, &caller->from);
        x11_holder_back(ctl, j);
        log_fields(LOG_INFO, 0, j->id, NULL,
                        "JobId=%u: the command that holds its allocation is back", j->id);
        reply.job_id = j->id;
        reply.started = job_is_active(j);
        if (reply.started && j->placed.nodes)
                reply.allocation = allocation = allocation_message(ctl, j);
        ENVELOPE(answer, SUBMIT_REPLY, submit_reply, &reply);
        reply_durable(ctl, &caller->from, &answer);
        return true;
}

/* Returns whether all components share a batch script or a holding command. */
static bool is_one_request(Slumber__SubmitRequest *const *list, size_t n) {
        for (size_t i = 1; i < n; i++)
                if (list[i]->spec->batch != list[0]->spec->batch || list[i]->allocate ||
                                list[i]->wait || list[i]->again ||
                                list[i]->immediate != list[0]->immediate ||
                                list[i]->test_only != list[0]->test_only)
                        return false;
        return true;
}

bool submit_before_rules(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        size_t n;
        Slumber__SubmitRequest *const *list = submissions_of(env, &n);
        enum slumber_error e = SLUMBER_OK;
        struct fail fail = { 0 };

        if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_HET && n < 2)
                e = SLUMBER_PROTOCOL;
        if (n > HET_MAX)
                e = SLUMBER_TOO_BIG;
        if (e == SLUMBER_OK && list[0]->again && submit_again(ctl, caller, list[0]))
                return false;
        for (size_t i = 0; i < n && e == SLUMBER_OK; i++)
                e = check_submit(ctl, caller, list[i], i > 0, &fail);
        if (e == SLUMBER_OK && !is_one_request(list, n))
                e = SLUMBER_PROTOCOL;
        if (e != SLUMBER_OK)
                reply_result(ctl, &caller->from, e, fail.text);
        return e == SLUMBER_OK;
}

/* Sets *m and *ret to the submission at position at as changed by the rules, which may ask for more
   than the user may. The script is the request's unless changed. */
static enum slumber_error take_ruled(const struct controller *ctl, const struct ruled *ruled,
                size_t at, Slumber__SubmitRequest *m, struct job_spec *ret, struct fail *fail) {
        Slumber__JobScript *script = m->script;
        enum slumber_error e = SLUMBER_OK;

        if (ruled->n) {
                *m = *ruled->submits[at];
                m->script = m->script ? m->script : script;
                e = submit_check_request(m, at > 0, fail);
        }
        if (e == SLUMBER_OK)
                read_spec(ctl, m, ret);
        return e;
}

/* Stores the data of a job that is in the queue now. */
static void submit_store_job(struct controller *ctl, const struct caller *caller,
                const Slumber__SubmitRequest *m, struct job *j) {
        ctl->cluster->counts.submitted++;
        if (!isempty(m->admin_comment))
                free_and_strdup(&j->accounting.admin_comment, m->admin_comment);
        if (m->script)
                keep_script(ctl, j, m->script);
        if (m->allocate)
                watch_add(ctl, WATCH_HOLDER, j->id, &caller->from);
        if (m->wait)
                watch_add(ctl, WATCH_END, j->id, &caller->from);
        log_fields(LOG_INFO, 0, j->id, NULL, "Submitted JobId=%u Partition=%s UID=%u", j->id,
                        j->partition->name, (unsigned)j->uid);
}

void handle_submit(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        Slumber__SubmitRequest m = *env->submit;
        struct fail fail = { 0 };
        struct job_spec spec;
        struct job *j = NULL;
        enum slumber_error e = take_ruled(ctl, caller->ruled, 0, &m, &spec, &fail);

        if (e == SLUMBER_OK) {
                struct submitter submitter = submitter_of(caller);
                e = (m.test_only ? job_check : job_admit)(ctl->cluster, &spec, &submitter,
                                controller_now(ctl), &j, &fail);
        }
        if (e == SLUMBER_OK && m.test_only) {
                reply_estimate(ctl, caller, j);
                job_free(j);
                return;
        }
        if (e == SLUMBER_OK && j && m.immediate)
                e = submit_start_now(ctl, j, &fail);
        controller_changed(ctl);
        if (e != SLUMBER_OK) {
                refuse_submit(caller, e, fail.text);
                return;
        }
        submit_store_job(ctl, caller, &m, j);
        if (m.allocate) /* the step is taken as sent: submit rules judge the job only */
                first_step_note(ctl, caller, j->id, env->submit->step);
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;
        reply.job_id = j->id;
        if (m.allocate)
                reply.message = (char *)why_queued(ctl->cluster, j);
        reply.told = (char *)(uintptr_t)strempty(caller->ruled->told);
        ENVELOPE(answer, SUBMIT_REPLY, submit_reply, &reply);
        reply_durable(ctl, &caller->from, &answer);
}

/* ---- heterogeneous jobs ---- */

struct components {
        Slumber__SubmitRequest *asked; /* borrows from the request or the rules */
        struct job_spec *specs;
        struct job **jobs; /* set once admitted */
        size_t n;
};

static void components_done(struct components *all) {
        free(all->asked);
        free(all->specs);
        free(all->jobs);
}

static enum slumber_error take_components(const struct controller *ctl, const struct caller *caller,
                const Envelope *env, struct components *ret, struct fail *fail) {
        enum slumber_error e = SLUMBER_OK;
        Slumber__SubmitRequest *const *list = submissions_of(env, &ret->n);

        ret->asked = xnew(Slumber__SubmitRequest, ret->n);
        ret->specs = xnew0(struct job_spec, ret->n);
        ret->jobs = xnew0(struct job *, ret->n);
        for (size_t i = 0; i < ret->n && e == SLUMBER_OK; i++) {
                ret->asked[i] = *list[i];
                e = take_ruled(ctl, caller->ruled, i, &ret->asked[i], &ret->specs[i], fail);
        }
        return e;
}

/* Estimates the start of a heterogeneous job; the jobs made for the check are freed. */
static void reply_het_estimate(struct controller *ctl, const struct caller *caller,
                struct components *all) {
        struct submitter submitter = submitter_of(caller);
        struct het_estimate found = { 0 };
        struct fail fail = { 0 };
        enum slumber_error e = het_check(ctl->cluster, all->specs, all->n, &submitter,
                        controller_now(ctl), all->jobs, &fail);
        bool checked = e == SLUMBER_OK;

        for (size_t i = 0; i < all->n && e == SLUMBER_OK; i++)
                e = no_partition(partitions_wait_reason(ctl->cluster, all->jobs[i]));
        int r = e == SLUMBER_OK ? het_estimate(ctl->cluster, all->jobs[0], controller_now(ctl),
                                                  &found)
                                : -ENOENT;
        if (e == SLUMBER_OK && r < 0)
                e = no_estimate(r);
        if (e != SLUMBER_OK)
                refuse_submit(caller, e, checked ? NULL : fail.text);
        else
                reply_start(ctl, caller,
                                &(struct answer_of){ found.start, found.nodes, found.num_cpus, "",
                                                found.victims, found.n_victims });
        het_estimate_done(&found);
        het_checked_done(ctl->cluster, all->jobs, all->n);
}

/* Makes jobs of all components or none: their records are written in one transaction before the
   answer leaves. */
void handle_submit_het(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        _cleanup_(components_done) struct components all = { 0 };
        struct submitter submitter = submitter_of(caller);
        struct fail fail = { 0 };
        size_t failed;
        enum slumber_error e = take_components(ctl, caller, env, &all, &fail);

        if (e == SLUMBER_OK && all.asked[0].test_only) {
                reply_het_estimate(ctl, caller, &all);
                return;
        }
        if (e == SLUMBER_OK)
                e = het_admit(ctl->cluster, all.specs, all.n, &submitter, controller_now(ctl),
                                all.jobs, &failed, &fail);
        if (e == SLUMBER_OK && all.asked[0].immediate)
                e = submit_start_now(ctl, all.jobs[0], &fail);
        controller_changed(ctl);
        if (e != SLUMBER_OK) {
                refuse_submit(caller, e, fail.text);
                return;
        }
        for (size_t i = 0; i < all.n; i++)
                submit_store_job(ctl, caller, &all.asked[i], all.jobs[i]);
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;
        reply.job_id = all.jobs[0]->id;
        for (size_t i = 0; i < all.n && all.asked[0].allocate && !*reply.message; i++)
                reply.message = (char *)why_queued(ctl->cluster, all.jobs[i]);
        reply.told = (char *)(uintptr_t)strempty(caller->ruled->told);
        ENVELOPE(answer, SUBMIT_REPLY, submit_reply, &reply);
        reply_durable(ctl, &caller->from, &answer);
}
