/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages to the srun of a step of the step manager, with the contents that the controller
   would send. */
#include "agent/stepmgr/stepmgr.h"
#include "agent/stepmgr/stepmgr_private.h"

#include "agent/streams/srun_streams.h"

#include "lib/addresses.h"

#include <signal.h>

void stepmgr_refuse(struct client *c, uint64_t id, enum slumber_error e, const char *text) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        set_error(&error, (int)e, text);
        ENVELOPE(env, ERROR, error, &error);
        env.reply_to = id;
        client_answer(c, &env);
}

void stepmgr_step_send_notice(const struct stepmgr_step *s, Slumber__StepNotice *m,
                Slumber__StepNotice__Kind kind, const char *node) {
        m->job_id = s->stepmgr->job->id;
        m->step_id = s->started ? s->row->step_id : 0;
        m->kind = kind;
        m->node = (char *)(uintptr_t)node;
        ENVELOPE(env, STEP_NOTICE, step_notice, m);
        if (s->client)
                client_answer(s->client, &env);
}

void stepmgr_step_notify_of_node(const struct stepmgr_step *s, Slumber__StepNotice__Kind kind,
                const char *node, uint32_t exit_code, const char *text) {
        Slumber__StepNotice m = SLUMBER__STEP_NOTICE__INIT;

        m.exit_code = exit_code;
        m.text = (char *)(uintptr_t)text;
        stepmgr_step_send_notice(s, &m, kind, node);
}

void stepmgr_step_notify(const struct stepmgr_step *s, Slumber__StepNotice__Kind kind,
                uint32_t exit_code, const char *text) {
        stepmgr_step_notify_of_node(s, kind, s->stepmgr->job->agent->node, exit_code, text);
}

static bool exit_is_unreported(const struct stepmgr_step *s, uint32_t rank) {
        return rank < s->exits_sent->bits && !bitset_has(s->exits_sent, rank);
}

/* Groups ranks with equal exits into one notice; each rank is reported once. */
void stepmgr_step_notify_exits(struct stepmgr_step *s, size_t part, const Slumber__StepEnded *m) {
        _cleanup_free_ uint32_t *ranks = xnew(uint32_t, m->n_tasks + 1);

        for (size_t i = 0; i < m->n_tasks && s->client; i++) {
                const Slumber__TaskExit *t = m->tasks[i];
                Slumber__StepNotice n = SLUMBER__STEP_NOTICE__INIT;
                if (!exit_is_unreported(s, t->rank))
                        continue;
                for (size_t k = i; k < m->n_tasks; k++)
                        if (m->tasks[k]->status == t->status &&
                                        m->tasks[k]->aborted == t->aborted &&
                                        exit_is_unreported(s, m->tasks[k]->rank)) {
                                bitset_add(s->exits_sent, m->tasks[k]->rank);
                                ranks[n.n_ranks++] = m->tasks[k]->rank;
                        }
                n.ranks = ranks;
                n.exit_code = t->status;
                n.aborted = t->aborted;
                n.text = (char *)(uintptr_t)(m->out_of_memory ? "Out Of Memory" : "");
                stepmgr_step_send_notice(s, &n, SLUMBER__STEP_NOTICE__KIND__TASK_EXIT,
                                part_node(s, part));
        }
        if (m->lost && *m->text)
                stepmgr_step_notify_of_node(s, SLUMBER__STEP_NOTICE__KIND__TASK_EXIT,
                                part_node(s, part), SIGKILL, m->text);
}

/* Splits ranks by node: count[i] ranks each. One allocation, which the caller frees. */
static Slumber__TaskList **task_lists(uint32_t *ranks, const uint32_t *count, size_t n) {
        Slumber__TaskList **pointers = xmalloc(
                        n * (sizeof(Slumber__TaskList *) + sizeof(Slumber__TaskList)));
        Slumber__TaskList *lists = (Slumber__TaskList *)(void *)(pointers + n);

        for (size_t i = 0; i < n; ranks += count[i++]) {
                pointers[i] = &lists[i];
                slumber__task_list__init(&lists[i]);
                lists[i].ranks = ranks;
                lists[i].n_ranks = count[i];
        }
        return pointers;
}

void stepmgr_step_send_reply(struct stepmgr_step *s) {
        const Slumber__StepSettings *settings = s->stepmgr->message->settings;
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        Slumber__StepReply m = SLUMBER__STEP_REPLY__INIT;
        size_t n = s->row->n_nodes;
        _cleanup_free_ char *nodes = parts_hostlist(s);
        _cleanup_free_ uint32_t *count = parts_tasks(s), *ranks = parts_ranks(s, count);
        _cleanup_free_ Slumber__TaskList **tasks = task_lists(ranks, count, n);
        bool elsewhere = n > 1 || !part_is_here(s, 0) || s->stream_home;

        streams.token = s->row->stream_token;
        streams.restarts = s->stepmgr->job->restarts;
        streams.tree_width = s->stepmgr->message->launch->tree_width;
        /* Each node of a step manager's job supports both */
        streams.copies = streams.direct = true;
        if (elsewhere)
                streams.addresses = parts_addresses(s, &streams.n_addresses);
        m.job_id = s->stepmgr->job->id;
        m.step_id = s->row->step_id;
        m.nodes = nodes;
        m.tasks_per_node = count;
        m.n_tasks_per_node = n;
        m.tasks = tasks;
        m.n_tasks = n;
        m.streams = &streams;
        m.kill_wait = settings->kill_wait;
        m.kill_on_bad_exit = s->row->kill_on_bad_exit;
        m.wait = settings->wait_time;
        m.append_output = settings->append_output;
        m.held = s->held;
        m.srun_prolog = settings->srun_prolog;
        m.srun_epilog = settings->srun_epilog;
        ENVELOPE(env, STEP_REPLY, step_reply, &m);
        env.reply_to = s->request;
        s->request = 0;
        if (s->client)
                client_answer(s->client, &env);
        texts_free(streams.addresses, streams.n_addresses);
}

/* ---- sattach ---- */

/* Why sattach cannot get the streams; "": streams are available. */
static const char *streams_refusal_reason(const struct stepmgr_step *s, const char *home) {
        if (s->row->to_files)
                return "its tasks write to files, or nowhere: there is nothing to attach to";
        if (!s->client)
                return "its srun is cut off at present from the node that makes the step";
        if (isempty(home))
                return "the slumberd of its srun's host does not listen for those of others";
        return "";
}

static void attach_reply_send(const struct stepmgr_step *s, struct client *c, uint64_t id) {
        _cleanup_free_ char *home = s->stream_home ? xstrdup(s->stream_home)
                                                   : parts_own_address(s->stepmgr);
        _cleanup_free_ char *nodes = parts_hostlist(s);
        _cleanup_free_ uint32_t *count = parts_tasks(s), *ranks = parts_ranks(s, count);
        _cleanup_free_ Slumber__TaskList **tasks = task_lists(ranks, count, s->row->n_nodes);
        Slumber__StepStreams streams = SLUMBER__STEP_STREAMS__INIT;
        Slumber__AttachReply m = SLUMBER__ATTACH_REPLY__INIT;

        streams.token = s->row->stream_token;
        streams.restarts = s->stepmgr->job->restarts;
        streams.addresses = &home;
        streams.n_addresses = 1;
        m.job_id = s->stepmgr->job->id;
        m.step_id = s->row->step_id;
        m.nodes = nodes;
        m.tasks = tasks;
        m.n_tasks = s->row->n_nodes;
        m.no_streams = (char *)(uintptr_t)streams_refusal_reason(s, home);
        m.streams = *m.no_streams ? NULL : &streams;
        m.input_of_rank = true; /* each node of a step manager's job supports it */
        ENVELOPE(env, ATTACH_REPLY, attach_reply, &m);
        env.reply_to = id;
        client_answer(c, &env);
}

bool stepmgr_handle_attach(struct job *j, struct client *c, uint64_t id, uint32_t step) {
        const struct stepmgr_step *s = j && j->stepmgr ? stepmgr_step_find(j->stepmgr, step) : NULL;

        if (!j || (!j->stepmgr && !j->steps_unread))
                return false;
        if (j->steps_unread)
                stepmgr_refuse(c, id, SLUMBER_FAILED, MADE_UNREAD);
        else if (!s)
                stepmgr_refuse(c, id, SLUMBER_BAD_STEP_ID, "");
        else if (s->over)
                stepmgr_refuse(c, id, SLUMBER_JOB_ENDED, "");
        else
                attach_reply_send(s, c, id);
        return true;
}

/* srun does not count the time of a suspension in --msg-timeout and --wait. */
void stepmgr_step_notify_job_state(const struct stepmgr_step *s, bool stands) {
        Slumber__JobNotice m = SLUMBER__JOB_NOTICE__INIT;

        m.job_id = s->stepmgr->job->id;
        m.kind = stands ? SLUMBER__JOB_NOTICE__KIND__SUSPENDED : SLUMBER__JOB_NOTICE__KIND__RESUMED;
        ENVELOPE(env, JOB_NOTICE, job_notice, &m);
        if (s->client && s->started && !s->over)
                client_answer(s->client, &env);
}
