/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submitting jobs, and what people do to them. */
#include "controller/agents/launch.h"
#include "controller/agents/steps.h"
#include "controller/agents/x11.h"
#include "controller/indexes/job_deadline.h"
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/accounts/bids.h"
#include "controller/indexes/changed.h"
#include "controller/indexes/queue.h"
#include "controller/lives/job_events.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/loop/wall_clock.h"
#include "controller/loop/watches.h"
#include "controller/model/job_tokens.h"
#include "controller/orders/viewer.h"
#include "controller/records/job_rows.h"
#include "controller/records/record.h"
#include "controller/requests/handlers.h"
#include "controller/requests/job_refs.h"
#include "controller/requests/job_top.h"
#include "controller/requests/settings.h"
#include "controller/sched/sched.h"
#include "controller/steps/step_request.h"
#include "controller/submit/modify.h"
#include "controller/submit/rules.h"
#include "controller/updates/job_update.h"
#include "lib/log.h"
#include "lib/mailtype.h"
#include "lib/plugins/plugin_options.h"
#include "lib/printable.h"
#include "lib/timetext.h"
#include "lib/x11.h"

#include <signal.h>
#include <strings.h>

#define SCRIPT_MAX (4u << 20)  /* as Slurm */
#define ENV_MAX    (16u << 20) /* all of a job's environment, and its arguments */
#define IDS_MAX    100000      /* of one scancel */

/* ---- submission ---- */

static enum slumber_error check_sizes(const Slumber__SubmitRequest *m, const char **ret_text) {
        const Slumber__JobSpec *s = m->spec;
        const char *const texts[] = { s->name, s->partition, s->account, s->qos, s->comment,
                s->extra, s->command, s->work_dir, s->std_in, s->std_out, s->std_err, s->features,
                s->prefer, s->batch_features, s->req_nodes, s->exc_nodes, s->distribution,
                s->mcs_label, s->submit_host, s->submit_line, s->wckey, s->dependency, s->array,
                s->licenses, s->mail_user, s->tres_per_node, s->tres_per_socket, s->tres_per_task,
                s->tres_per_job, s->reservation, s->container };
        size_t env = 0, all = 0;

        if (!mail_user_is_address(s->mail_user)) {
                *ret_text = "--mail-user is no address";
                return SLUMBER_PROTOCOL;
        }
        for (size_t i = 0; i < ELEMENTSOF(texts); i++) {
                size_t length = strlen(texts[i]);
                all += length;
                if (length > TEXT_MAX || all > TEXTS_MAX) {
                        *ret_text = length > TEXT_MAX
                                                    ? "an option's value is longer than 64 KiB"
                                                    : "the options' values are longer than 128 KiB";
                        return SLUMBER_TOO_BIG;
                } else if (has_control(texts[i])) {
                        *ret_text = "an option's value has a control character";
                        return SLUMBER_PROTOCOL;
                }
        }
        if (strlen(s->hook_variables) > TEXT_MAX ||
                        (m->script && plugin_options_size(m->script->plugin_options,
                                                      m->script->n_plugin_options) > TEXT_MAX)) {
                *ret_text = "the plug-ins' options or variables are longer than 64 KiB";
                return SLUMBER_TOO_BIG;
        }
        for (size_t i = 0; m->script && i < m->script->n_environment; i++)
                env += strlen(m->script->environment[i]) + 1;
        for (size_t i = 0; m->script && i < m->script->n_arguments; i++)
                env += strlen(m->script->arguments[i]) + 1;
        if (m->script && m->script->script.len > SCRIPT_MAX) {
                *ret_text = "the script is larger than 4 MiB";
                return SLUMBER_TOO_BIG;
        }
        if (env > ENV_MAX) {
                *ret_text = "the environment is larger than 16 MiB";
                return SLUMBER_TOO_BIG;
        }
        return SLUMBER_OK;
}

static enum slumber_error check_request(const Slumber__SubmitRequest *m, const char **ret_text) {
        if (!m->spec || m->spec->batch != (m->script != NULL) || (m->immediate && m->spec->batch))
                return SLUMBER_PROTOCOL;
        return check_sizes(m, ret_text);
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

/* -I: it starts in this very pass or was never there. */
static enum slumber_error start_now(struct controller *ctl, struct job *j, struct fail *fail) {
        bool waits = sched_awaits_completing(ctl->cluster, controller_now(ctl));
        enum slumber_error e;

        j->needs.now_or_never = true;
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
        cluster_queue_remove(ctl->cluster, j);
        cluster_job_remove(ctl->cluster, j);
        return e;
}

/* What srun and salloc say of a job that will not start soon; "": nothing. */
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

/* --test-only: the checks of a submission, and where and when it would start; nothing is kept. */
static void reply_estimate(struct controller *ctl, const struct caller *caller, struct job *j) {
        const struct viewer viewer = viewer_of(ctl, caller);
        struct cluster *c = ctl->cluster;
        _cleanup_(estimate_freep) struct estimate *e = NULL;
        _cleanup_free_ uint32_t *preempts = NULL;
        _cleanup_free_ char *nodes = NULL;
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;
        Slumber__StartEstimate m = SLUMBER__START_ESTIMATE__INIT;

        enum job_reason why = partitions_wait_reason(ctl->cluster, j);
        bool too_large = why == REASON_PARTITION_CONFIG || why == REASON_PARTITION_NODE_LIMIT;
        if (why != REASON_NONE && !too_large) {
                refuse_submit(caller, SLUMBER_PARTITION_NOT_AVAILABLE, NULL);
                return;
        }
        int r = why == REASON_NONE ? job_estimate(c, j, controller_now(ctl), &e) : -ENOENT;
        if (r < 0) {
                refuse_submit(caller,
                                r == -EDQUOT ? SLUMBER_ACCOUNTING_POLICY
                                             : SLUMBER_NODES_NOT_AVAILABLE,
                                NULL);
                return;
        }
        const struct placement *where = estimate_where(e);
        nodes = cluster_nodes_text(c, where->nodes);
        preempts = xnew(uint32_t, where->n_victims + 1);
        for (size_t i = 0; i < where->n_victims; i++)
                if (viewer_sees_job(&viewer, where->victims[i]))
                        preempts[m.n_preempts++] = where->victims[i]->id;
        m.start_time = estimate_start(e);
        m.num_cpus = where->num_cpus;
        m.nodes = nodes;
        m.partition = estimate_partition(e)->name;
        m.preempts = preempts;
        reply.job_id = c->next_job_id;
        reply.estimate = &m;
        reply.told = (char *)(uintptr_t)strempty(caller->ruled->told);
        ENVELOPE(answer, SUBMIT_REPLY, submit_reply, &reply);
        reply_now(&caller->from, &answer);
}

/* SchedulerParameters=default_gbytes. */
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
                const Slumber__SubmitRequest *m, struct job_spec *ret, const char **ret_text) {
        enum slumber_error e = check_request(m, ret_text);

        if (e != SLUMBER_OK)
                return e;
        if ((m->allocate || m->wait) && !m->test_only && watches_full(ctl, &caller->from))
                return SLUMBER_TOO_MANY_JOBS;
        if (!config_gather_allows(ctl->cluster->config->memory_watch,
                            m->script ? m->script->acct_frequency : m->acct_frequency))
                return SLUMBER_BAD_ACCT_FREQUENCY;
        if (*m->spec->container && !ctl->cluster->config->oci) {
                *ret_text = NO_OCI_CONF;
                return SLUMBER_NOT_SUPPORTED;
        }
        if (m->spec->x11 && (!(ctl->cluster->config->prolog_flags & PROLOG_X11) || !m->allocate ||
                                            m->spec->x11 > X11_LAST))
                return SLUMBER_X11_NOT_AVAILABLE;
        read_spec(ctl, m, ret);
        if (ret->priority && !caller->operator) /* as Slurm: only an operator sets it */
                return SLUMBER_ACCESS_DENIED;
        if (ret->nice < 0 && !caller->operator)
                return SLUMBER_BAD_NICE;
        if (ret->reboot && !caller->super) {
                *ret_text = REBOOT_FOR_ADMINS;
                return SLUMBER_ACCESS_DENIED;
        }
        return caller->operator|| isempty(m->admin_comment) ? SLUMBER_OK : SLUMBER_ACCESS_DENIED;
}

/* The allocation of a caller that comes back after its connection broke, or NULL. */
static struct job *find_again(struct controller *ctl, const struct caller *caller,
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

/* true: it is answered.  Otherwise the first request never came, and this one is like any other. */
static bool submit_again(struct controller *ctl, const struct caller *caller,
                const Slumber__SubmitRequest *m) {
        struct job *j = m->spec && m->allocate ? find_again(ctl, caller, m) : NULL;
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

bool submit_before_rules(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__SubmitRequest *m = env->submit;
        const char *text = NULL;
        struct job_spec spec;

        if (m->again && submit_again(ctl, caller, m))
                return false;
        enum slumber_error e = check_submit(ctl, caller, m, &spec, &text);
        if (e != SLUMBER_OK)
                reply_result(ctl, &caller->from, e, text);
        return e == SLUMBER_OK;
}

/* As the rules have left it: they may ask for what the user may not.  The script is the request's
   where they have not changed it. */
static enum slumber_error take_ruled(const struct controller *ctl, const struct ruled *ruled,
                Slumber__SubmitRequest *m, struct job_spec *ret, const char **ret_text) {
        Slumber__JobScript *script = m->script;
        enum slumber_error e = SLUMBER_OK;

        if (ruled->submit) {
                *m = *ruled->submit;
                m->script = m->script ? m->script : script;
                e = check_request(m, ret_text);
        }
        if (e == SLUMBER_OK)
                read_spec(ctl, m, ret);
        return e;
}

/* It is in the queue. */
static void submitted(struct controller *ctl, const struct caller *caller,
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
        const char *text = NULL;
        struct job_spec spec;
        struct job *j = NULL;
        enum slumber_error e = take_ruled(ctl, caller->ruled, &m, &spec, &text);

        if (e == SLUMBER_OK) {
                struct submitter submitter = submitter_of(caller);
                e = (m.test_only ? job_check : job_admit)(ctl->cluster, &spec, &submitter,
                                controller_now(ctl), &j, &fail);
                text = fail.text;
        }
        if (e == SLUMBER_OK && m.test_only) {
                reply_estimate(ctl, caller, j);
                job_free(j);
                return;
        }
        if (e == SLUMBER_OK && j && m.immediate)
                e = start_now(ctl, j, &fail);
        controller_changed(ctl);
        if (e != SLUMBER_OK) {
                refuse_submit(caller, e, text);
                return;
        }
        submitted(ctl, caller, &m, j);
        Slumber__SubmitReply reply = SLUMBER__SUBMIT_REPLY__INIT;
        reply.job_id = j->id;
        if (m.allocate)
                reply.message = (char *)why_queued(ctl->cluster, j);
        reply.told = (char *)(uintptr_t)strempty(caller->ruled->told);
        ENVELOPE(answer, SUBMIT_REPLY, submit_reply, &reply);
        reply_durable(ctl, &caller->from, &answer);
}

/* ---- actions ---- */

struct action {
        struct controller *ctl;
        const struct caller *caller;
        struct viewer viewer;
        const Slumber__JobAction *m;
        struct modify *rules; /* what slurm_job_modify() has said; NULL: it was not asked */
};

static enum slumber_error do_cancel(const struct action *a, struct job *j) {
        if (a->m->step)
                run_is_ending(a->ctl, j, (uint32_t)a->m->step->value);
        if (a->m->step)
                return job_cancel_step(a->ctl->cluster, j, (uint32_t)a->m->step->value,
                                a->caller->uid);
        return job_cancel(a->ctl->cluster, j, a->caller->uid, controller_now(a->ctl));
}

static enum slumber_error do_signal(const struct action *a, struct job *j) {
        if (a->m->signal == 0 || a->m->signal >= (uint32_t)SIGRTMAX)
                return SLUMBER_BAD_UPDATE;
        if (a->m->signal == SIGKILL && !a->m->step && !a->m->batch_only)
                return do_cancel(a, j);
        if (a->m->step && signal_ends_processes((int)a->m->signal))
                run_is_ending(a->ctl, j, (uint32_t)a->m->step->value);
        if (a->m->step && a->m->sent)
                return SLUMBER_OK;
        return job_signal(a->ctl->cluster, j, (int)a->m->signal,
                        a->m->step ? (uint32_t)a->m->step->value : STEP_ANY, a->m->batch_only,
                        a->m->full);
}

static enum slumber_error do_suspend(const struct action *a, struct job *j) {
        return job_suspend(a->ctl->cluster, j, controller_now(a->ctl));
}

static enum slumber_error do_resume(const struct action *a, struct job *j) {
        return job_resume(a->ctl->cluster, j, controller_now(a->ctl));
}

static enum slumber_error do_hold(const struct action *a, struct job *j) {
        bool leads = a->caller->operator||(a->caller->uid != j->uid && job_leads(a->caller, j));
        bool by_admin = leads && a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD;

        /* uhold: its user's from now on */
        if (a->caller->operator&& !by_admin && j->state == JOB_PENDING)
                j->held_by_admin = false;
        return job_hold(a->ctl->cluster, j, by_admin, controller_now(a->ctl));
}

static enum slumber_error do_release(const struct action *a, struct job *j) {
        return job_release(a->ctl->cluster, j, job_leads(a->caller, j), controller_now(a->ctl));
}

static enum slumber_error do_requeue(const struct action *a, struct job *j) {
        bool hold = a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE_HOLD;

        return job_requeue(a->ctl->cluster, j, "JOB REQUEUE", hold, controller_now(a->ctl));
}

/* A terminal must not be spoken to by others. */
static enum slumber_error do_notify(const struct action *a, struct job *j) {
        const char *text = a->m->message;

        if (!*text || strlen(text) > TEXT_MAX || has_control(text))
                return SLUMBER_PROTOCOL;
        enum slumber_error e = job_notify(a->ctl->cluster, j, text);
        return e == SLUMBER_OK && !j->asked.batch && !watch_exists(a->ctl, WATCH_HOLDER, j->id)
                               ? SLUMBER_NODE_AWAY
                               : e;
}

static enum slumber_error do_complete(const struct action *a, struct job *j) {
        uint32_t status = a->m->exit_code;

        if (j->asked.batch)
                return SLUMBER_NOT_SUPPORTED;
        if (job_is_finished(j))
                return SLUMBER_ALREADY_DONE;
        job_holder_ended(a->ctl->cluster, j, status, (status & 0x7f) == TASK_STATUS_OUT_OF_MEMORY,
                        controller_now(a->ctl));
        return SLUMBER_OK;
}

static const struct {
        enum slumber_error (*act)(const struct action *a, struct job *j);
        bool for_leads;   /* not for its owner */
        const char *done; /* as the log says it */
} actions[] = {
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL] = { do_cancel, false, "cancelled" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL] = { do_signal, false, "signalled" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SUSPEND] = { do_suspend, true, "suspended" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RESUME] = { do_resume, true, "resumed" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD] = { do_hold, false, "held" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD] = { do_hold, false, "held" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RELEASE] = { do_release, false, "released" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE] = { do_requeue, false, "requeued" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE_HOLD] = { do_requeue, false,
                        "requeued and held" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE] = { do_complete, false, "completed" },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_NOTIFY] = { do_notify, false, "notified" },
};

/* ---- scontrol hold and release are updates of Priority, for job_submit.lua ---- */

/* NULL: it is none. */
static const char *priority_asked(const Slumber__JobAction *m) {
        return m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD ||
                                               m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD
                               ? "0"
               : m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RELEASE ? "4294967295"
                                                                         : NULL;
}

bool action_is_ruled(const struct controller *ctl, const Envelope *env) {
        return env->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION &&
               priority_asked(env->job_action) && modify_is_on(ctl);
}

/* The script is asked about each of the jobs. */
static void ask_rules(struct action *a, const struct job_refs *refs) {
        uint32_t held = a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD    ? 1
                        : a->m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD ? 2
                                                                                   : 0;
        Slumber__KeyValue priority = SLUMBER__KEY_VALUE__INIT, *settings[] = { &priority };

        priority.key = (char *)(uintptr_t) "Priority";
        priority.value = (char *)(uintptr_t)priority_asked(a->m);
        for (size_t i = 0; i < refs->n; i++) {
                const struct job_ref *ref = &refs->list[i];
                const struct job *j = ref->unknown ? NULL : cluster_job(a->ctl->cluster, ref->id);
                if (j && !job_is_finished(j) && job_access(a->caller, j))
                        modify_add(a->rules, j, settings, 1, held);
        }
}

/* What the script has set besides comes into force, or nothing does. *ret_as_asked: it has left the
   hold or release. */
static enum slumber_error apply_ruled(const struct action *a, struct job *j, bool *ret_as_asked,
                struct fail *fail) {
        const Slumber__JobUpdate *update = NULL;
        struct bitset *kept = NULL;
        size_t n = 0;

        enum slumber_error e = modify_verdict(a->rules, j, &update, fail);
        if (e != SLUMBER_OK || !update)
                return e;
        const struct updater by = { submitter_of(a->caller), a->caller->operator,
                a->caller->super };
        _cleanup_free_ struct update_setting *settings = settings_of(update->settings,
                        update->n_settings);
        *ret_as_asked = false;
        for (size_t i = 0; i < update->n_settings; i++)
                if (streq(settings[i].key, "Priority") &&
                                streq(settings[i].value, priority_asked(a->m)))
                        *ret_as_asked = true;
                else
                        settings[n++] = settings[i];
        if (n)
                e = job_update(a->ctl->cluster, j, &by, settings, n, controller_now(a->ctl), &kept,
                                fail);
        if (kept)
                runs_renumber(a->ctl, j, kept);
        bitset_free(kept);
        return e;
}

static bool is_user(const char *wanted, const struct job *j) {
        uint64_t uid;

        return streq(wanted, j->user) ||
               (uint_parse(wanted, 0, UINT32_MAX, &uid) == 0 && uid == j->uid);
}

/* Does the selection (scancel -u -n -p -t -w) mean this job. */
static bool selected(const struct action *a, const struct job *j, const struct bitset *nodes) {
        const Slumber__JobAction *m = a->m;
        bool state = m->n_states == 0;

        for (size_t i = 0; i < m->n_states; i++)
                state |= m->states[i] == (uint32_t)j->state;
        if (!state || job_is_finished(j) || !job_access(a->caller, j))
                return false;
        if ((*m->user && !is_user(m->user, j)) || (*m->partition && !job_bids_for(j, m->partition)))
                return false;
        if ((*m->name && !streq(m->name, j->asked.name ? j->asked.name : "")) ||
                        (*m->account && !streq(m->account, j->asked.account ? j->asked.account
                                                                            : "")) ||
                        (*m->qos && !streq(m->qos, j->asked.qos ? j->asked.qos : "")))
                return false;
        if (*m->reservation && !names_have(strempty(j->asked.reservation), m->reservation,
                                               strlen(m->reservation)))
                return false;
        return !nodes ||
               (j->placed.nodes && job_is_active(j) && bitset_overlaps(j->placed.nodes, nodes));
}

static bool selects(const Slumber__JobAction *m) {
        return *m->user || *m->name || *m->partition || *m->account || *m->qos || *m->nodes ||
               *m->reservation || m->n_states;
}

struct results {
        Slumber__JobResult *list;
        size_t n, allocated;
        /* that were named; that something was done with: each once, however often it is named */
        struct id_set ids, acted;
        size_t names;
};

static void result_done(Slumber__JobResult *r) {
        if (*r->name)
                free(r->name);
        if (*r->text)
                free(r->text);
}

static void results_done(struct results *res) {
        for (size_t i = 0; i < res->n; i++)
                result_done(&res->list[i]);
        free(res->list);
        id_set_done(&res->ids);
        id_set_done(&res->acted);
}

static bool may_act(const struct action *a, const struct job *j) {
        return job_access(a->caller, j) &&
               (!actions[a->m->kind].for_leads || job_leads(a->caller, j));
}

static enum slumber_error try_action(const struct action *a, struct job *j, struct fail *fail) {
        bool as_asked = true;

        if (!j)
                return SLUMBER_BAD_JOB_ID;
        if (!may_act(a, j))
                return SLUMBER_ACCESS_DENIED;
        enum slumber_error may = apply_ruled(a, j, &as_asked, fail);
        if (may != SLUMBER_OK || !as_asked)
                return may;
        const uint32_t id = j->id;
        _cleanup_free_ char *comment = *a->m->admin_comment ? TAKE(j->accounting.admin_comment)
                                                            : NULL;
        if (*a->m->admin_comment) /* first, as the act may make the row of the accounts */
                j->accounting.admin_comment = xstrdup(a->m->admin_comment);
        enum slumber_error e = actions[a->m->kind].act(a, j);
        if (e != SLUMBER_OK && *a->m->admin_comment) {
                free(j->accounting.admin_comment);
                j->accounting.admin_comment = TAKE(comment);
        }
        struct job *after = e == SLUMBER_OK && *a->m->admin_comment
                                            ? cluster_job(a->ctl->cluster, id)
                                            : NULL;
        if (after) /* a signal changes nothing else that is stored */
                cluster_job_changed(a->ctl->cluster, after);
        if (e == SLUMBER_OK)
                log_fields(LOG_INFO, 0, id, NULL, "JobId=%u is %s by UID=%u", id,
                                actions[a->m->kind].done, (unsigned)a->caller->uid);
        return e;
}

/* name is taken over. */
static void add_result(struct results *res, uint32_t id, char *name, enum slumber_error e,
                const char *text) {
        GROW(res->list, res->allocated, res->n);
        slumber__job_result__init(&res->list[res->n]);
        res->list[res->n].id = id;
        res->list[res->n].code = (uint32_t)e;
        if (name)
                res->list[res->n].name = name;
        if (!isempty(text))
                res->list[res->n].text = xstrdup(text);
        res->n++;
}

static char *tasks_name(uint32_t array, const char *tasks) {
        return xasprintf(tasks[strspn(tasks, "0123456789")] ? "%u_[%s]" : "%u_%s", array, tasks);
}

/* Those of an array that are not there. */
static char *missing_name(const struct job_ref *ref, struct results *res) {
        _cleanup_free_ char *tasks = bitset_text(ref->chosen);

        res->names += strlen(tasks);
        return tasks_name(ref->named, tasks);
}

static void act_on(const struct action *a, const struct job_ref *ref, struct results *res) {
        struct job *j = ref->unknown ? NULL : cluster_job(a->ctl->cluster, ref->id);
        bool rest = j && j->array && job_is_rest(j);
        struct fail fail = { 0 };

        if (!ref->unknown && !id_set_add(&res->acted, ref->id))
                return;
        char *name = j && j->array && !rest ? xasprintf("%u_%u", j->array->id, j->array_task)
                     : !j && ref->chosen    ? missing_name(ref, res)
                                            : NULL;
        enum slumber_error e = try_action(a, j, &fail);
        if (e == SLUMBER_OK && ref->taken && job_is_finished(j)) {
                j->running.withdrawn = true;
                cluster_job_rearm(a->ctl->cluster, j);
        }
        if (rest && e != SLUMBER_OK) { /* it is as it was, so that it still knows */
                _cleanup_free_ char *waiting = array_waiting_text(j->array, ref->chosen);
                name = isempty(waiting) ? NULL : tasks_name(j->array->id, waiting);
        }
        add_result(res, ref->named, name, e, fail.text);
}

static bool is_through(const Slumber__JobResult *r) {
        return r->code == SLUMBER_ALREADY_DONE || r->code == SLUMBER_JOB_FINISHED;
}

/* Of an array that is meant as a whole: tasks that are through already are no failure where others
   could be served. */
static void act_on_id(const struct action *a, uint32_t id, struct results *res) {
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        size_t first = res->n, kept = first;
        bool served = false;

        if (!id_set_add(&res->ids, id))
                return;
        (void)job_refs_add(&refs, &a->viewer, id);
        for (size_t i = 0; i < refs.n; i++)
                act_on(a, &refs.list[i], res);
        for (size_t i = first; i < res->n; i++)
                served |= res->list[i].code == SLUMBER_OK;
        for (size_t i = first; i < res->n; i++)
                if (served && is_through(&res->list[i]))
                        result_done(&res->list[i]);
                else
                        res->list[kept++] = res->list[i];
        res->n = kept;
}

static void act_on_tasks(const struct action *a, const Slumber__JobTasks *tasks,
                struct results *res) {
        const struct job *any = viewer_job(&a->viewer, tasks->job);
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        int r;

        /* before any is parted from the rest */
        if (any && any->array && !job_access(a->caller, any)) {
                add_result(res, tasks->job, NULL, SLUMBER_ACCESS_DENIED, NULL);
                return;
        }
        if (res->names > NAMES_MAX) {
                add_result(res, tasks->job, NULL, SLUMBER_TOO_BIG, NULL);
                return;
        }
        r = job_refs_add_tasks(&refs, a->ctl->cluster, &a->viewer, tasks->job, tasks->tasks, NULL);
        res->names += refs.n + strlen(tasks->tasks);
        for (size_t i = 0; i < refs.n; i++)
                act_on(a, &refs.list[i], res);
        if (r < 0 && r != -ENOENT)
                add_result(res, tasks->job, NULL,
                                r == -ENOSPC ? SLUMBER_TOO_MANY_JOBS : SLUMBER_BAD_JOB_ID, NULL);
}

/* Ids first: acting may free jobs. */
static uint32_t *select_ids(const struct action *a, const struct bitset *nodes, size_t *ret_n) {
        const struct cluster *c = a->ctl->cluster;
        uint32_t *ids = NULL;
        size_t n = 0, allocated = 0;

        for (size_t i = 0; i < c->n_jobs; i++)
                if (c->jobs[i].job && selected(a, c->jobs[i].job, nodes)) {
                        GROW(ids, allocated, n);
                        ids[n++] = c->jobs[i].id;
                }
        *ret_n = n;
        return ids;
}

static void send_results(struct controller *ctl, const struct address *to, struct results *res,
                const char *told) {
        Slumber__JobActionReply m = SLUMBER__JOB_ACTION_REPLY__INIT;
        _cleanup_free_ Slumber__JobResult **pointers = xnew(Slumber__JobResult *, res->n);

        for (size_t i = 0; i < res->n; i++)
                pointers[i] = &res->list[i];
        m.results = pointers;
        m.n_results = res->n;
        m.told = (char *)(uintptr_t)strempty(told);
        ENVELOPE(env, JOB_ACTION_REPLY, job_action_reply, &m);
        reply_durable(ctl, to, &env);
}

static enum slumber_error check_admin_comment(const struct caller *caller,
                const Slumber__JobAction *m, struct fail *fail) {
        const char *comment = m->admin_comment;

        if (!*comment)
                return SLUMBER_OK;
        if (!caller->operator)
                return SLUMBER_ACCESS_DENIED;
        if (strlen(comment) > TEXT_MAX)
                return SLUMBER_TOO_BIG;
        if (has_control(comment)) {
                fail_set(fail, -EINVAL, "the value of AdminComment has a control character");
                return SLUMBER_BAD_UPDATE;
        }
        return SLUMBER_OK;
}

/* true: its answers are to come. */
static bool wait_for_rules(struct action *a, const Envelope *env, const struct bitset *nodes) {
        const Slumber__JobAction *m = a->m;
        _cleanup_(job_refs_done) struct job_refs refs = { 0 };
        uint64_t names = 0;

        a->rules = modify_open(a->ctl, a->caller);
        for (size_t i = 0; i < m->n_ids; i++)
                (void)job_refs_add(&refs, &a->viewer, m->ids[i]);
        for (size_t i = 0; i < m->n_tasks && names <= NAMES_MAX; i++) {
                const struct job *any = viewer_job(&a->viewer, m->tasks[i]->job);
                if (any && any->array && !job_access(a->caller, any))
                        continue;
                (void)job_refs_add_tasks(&refs, a->ctl->cluster, &a->viewer, m->tasks[i]->job,
                                m->tasks[i]->tasks, NULL);
                names = refs.n + strlen(m->tasks[i]->tasks);
        }
        if (!m->n_ids && !m->n_tasks) {
                size_t n;
                _cleanup_free_ uint32_t *chosen = select_ids(a, nodes, &n);
                for (size_t i = 0; i < n; i++)
                        (void)job_refs_add(&refs, &a->viewer, chosen[i]);
        }
        ask_rules(a, &refs);
        if (!modify_waits(a->rules, env))
                return false;
        a->rules = NULL;
        return true;
}

static bool names_jobs(const Slumber__JobAction *m) {
        return m->n_ids || m->n_tasks;
}

/* Of what is asked, not of its jobs; *ret_nodes: those that are named, or NULL. */
static enum slumber_error check_action(struct controller *ctl, const struct caller *caller,
                const Slumber__JobAction *m, struct bitset **ret_nodes, struct fail *fail) {
        enum slumber_error e = check_admin_comment(caller, m, fail);

        if (e != SLUMBER_OK)
                return e;
        if (!names_jobs(m) && !selects(m)) /* an empty selection is never meant to be every job */
                return SLUMBER_BAD_JOB_ID;
        if (*m->nodes && cluster_nodes_parse(ctl->cluster, m->nodes, ret_nodes, fail) < 0)
                return SLUMBER_BAD_NODE_NAME;
        return SLUMBER_OK;
}

static void act_on_all(struct action *a, const struct bitset *nodes, struct results *res) {
        const Slumber__JobAction *m = a->m;
        size_t n = 0;

        for (size_t i = 0; i < m->n_ids; i++)
                act_on_id(a, m->ids[i], res);
        for (size_t i = 0; i < m->n_tasks; i++)
                act_on_tasks(a, m->tasks[i], res);
        _cleanup_free_ uint32_t *chosen = names_jobs(m) ? NULL : select_ids(a, nodes, &n);
        for (size_t i = 0; i < n; i++)
                act_on(a, &(struct job_ref){ .id = chosen[i], .named = chosen[i] }, res);
}

void handle_job_action(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__JobAction *m = env->job_action;
        struct action a = { ctl, caller, viewer_of(ctl, caller), m, NULL };
        _cleanup_(bitset_freep) struct bitset *nodes = NULL;
        _cleanup_(results_done) struct results res = { 0 };
        struct fail fail = { 0 };

        bool known = (size_t)m->kind < ELEMENTSOF(actions) && actions[m->kind].act;
        if (!known && m->kind != SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP) {
                reply_result(ctl, &caller->from, SLUMBER_NOT_SUPPORTED, NULL);
                return;
        }
        if (m->n_ids > IDS_MAX || m->n_tasks > IDS_MAX) {
                reply_result(ctl, &caller->from, SLUMBER_TOO_BIG, NULL);
                return;
        }
        if (m->kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP) {
                enum slumber_error e = job_top(ctl, caller, m, &fail);
                controller_changed(ctl);
                reply_result(ctl, &caller->from, e, e == SLUMBER_OK ? NULL : fail.text);
                return;
        }
        enum slumber_error e = check_action(ctl, caller, m, &nodes, &fail);
        if (e != SLUMBER_OK) {
                reply_result(ctl, &caller->from, e, *fail.text ? fail.text : NULL);
                return;
        }
        if (action_is_ruled(ctl, env) && wait_for_rules(&a, env, nodes)) {
                controller_changed(ctl); /* tasks may have got records of their own */
                return;
        }
        act_on_all(&a, nodes, &res);
        controller_changed(ctl);
        send_results(ctl, &caller->from, &res, modify_told(a.rules));
        modify_free(a.rules);
}

void handle_wait_job(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const struct viewer viewer = viewer_of(ctl, caller);
        struct job *j = cluster_job(ctl->cluster, viewer_job_id(&viewer, env->wait_job->job_id));

        if (!j)
                reply_result(ctl, &caller->from, SLUMBER_BAD_JOB_ID, NULL);
        else if (job_is_finished(j))
                reply_result(ctl, &caller->from, SLUMBER_JOB_ENDED, NULL);
        else if (j->state != JOB_PENDING && !j->configuring)
                reply_result(ctl, &caller->from, SLUMBER_OK, NULL);
        else if (watches_full(ctl, &caller->from))
                reply_result(ctl, &caller->from, SLUMBER_TOO_MANY_JOBS, NULL);
        else
                watch_add(ctl, WATCH_READY, j->id, &caller->from);
}
