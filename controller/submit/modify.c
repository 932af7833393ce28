/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/modify.h"

#include "controller/loop/outbox.h"
#include "controller/loop/wall_clock.h"
#include "controller/records/record.h"
#include "controller/submit/facts.h"
#include "controller/submit/rules_private.h"
#include "controller/updates/job_update.h"

#include <search.h>

/* A job changing whenever the script was asked is asked about this often at most. */
#define ASKED_MAX 8
/* Questions of one request in the script's queue, which all requests share. */
#define AT_ONCE 4

/* The update of one job as returned by the script. */
struct modified {
        struct modify *of;
        struct modified *next; /* next update not in the script's queue yet */
        bool queued;           /* in the script's queue */
        uint32_t job;
        Slumber__JobUpdate *update;  /* own: the settings; NULL: no answer */
        enum slumber_error error;    /* SLUMBER_OK: make the settings */
        char *text;                  /* own: text for the error; NULL: the default text */
        ProtobufCBinaryData seen;    /* own: the job as sent to the script */
        uint64_t priority;           /* the job's priority as sent to the script */
        ProtobufCBinaryData request; /* own: the settings, until queued */
        unsigned asked;              /* number of questions so far */
};

struct modify {
        struct modify *next;
        struct controller *ctl;
        const struct caller *caller;   /* the request's caller while the request is handled */
        void *jobs;                    /* own, with its entries: a tree by job id */
        struct modified *first, *last; /* not queued yet */
        size_t queued;
        ProtobufCBinaryData facts; /* own: a RuleRequest without a job, common to all questions */
        char *told;
        /* own, for a waiting request: its source and content */
        struct address from;
        uint8_t *packed;
        size_t size;
};

bool modify_is_on(const struct controller *ctl) {
        return config_submits_by(ctl->cluster->config, SUBMIT_LUA);
}

struct modify *modify_open(struct controller *ctl, const struct caller *caller) {
        struct modify *m;

        if (!ctl->rules)
                rules_reconfigured(ctl);
        m = TAKE(ctl->rules->modify);
        if (!m) {
                m = xnew0(struct modify, 1);
                m->ctl = ctl;
        }
        m->caller = caller;
        return m;
}

static void modified_free(void *p) {
        struct modified *d = p;

        if (d->queued && d->of->ctl->rules->lua)
                lua_forget(d->of->ctl->rules->lua, d);
        if (d->update)
                slumber__job_update__free_unpacked(d->update, NULL);
        free(d->text);
        free(d->seen.data);
        free(d->request.data);
        free(d);
}

struct modify *modify_free(struct modify *m) {
        if (!m)
                return NULL;
        tdestroy(m->jobs, modified_free);
        if (m->packed)
                address_done(&m->from);
        free(m->packed);
        free(m->facts.data);
        free(m->told);
        free(m);
        return NULL;
}

static int modified_compare(const void *a, const void *b) {
        const struct modified *x = a, *y = b;

        return (x->job > y->job) - (x->job < y->job);
}

static struct modified *modified_find(const struct modify *m, uint32_t job) {
        const struct modified key = { .job = job };
        struct modified *const *at = tfind(&key, &m->jobs, modified_compare);

        return at ? *at : NULL;
}

enum slumber_error modify_verdict(struct modify *m, const struct job *j,
                const Slumber__JobUpdate **update, struct fail *fail) {
        const struct modified *d = m && !job_is_finished(j) ? modified_find(m, j->id) : NULL;

        if (!m || job_is_finished(j))
                return SLUMBER_OK;
        if (!d) {
                fail_set(fail, -EAGAIN, "job_submit.lua was not asked about it");
                return SLUMBER_FAILED;
        }
        if (d->error == SLUMBER_OK)
                *update = d->update;
        else
                fail_set(fail, -EPERM, "%s", strempty(d->text));
        return d->error;
}

const char *modify_told(const struct modify *m) {
        return m ? m->told : NULL;
}

/* ---- data of a job for the script ---- */

/* Copies a job without fields that change by themselves. */
static void job_copy_brief(Slumber__Job *to, const Slumber__Job *from) {
        slumber__job__init(to);
        to->id = from->id;
        to->spec = from->spec;
        to->uid = from->uid;
        to->gid = from->gid;
        to->user = from->user;
        to->state = from->state;
        to->submit_time = from->submit_time;
        to->start_time = from->state == SLUMBER__JOB_STATE__JOB_PENDING ? 0 : from->start_time;
        to->end_time = from->state == SLUMBER__JOB_STATE__JOB_PENDING ? 0 : from->end_time;
        to->time_limit = from->time_limit;
        to->restarts = from->restarts;
        to->nodes = from->nodes;
        to->num_nodes = from->num_nodes;
        to->num_cpus = from->num_cpus;
        to->array_job = from->array_job;
        to->array_task = from->array_task;
        to->admin_comment = from->admin_comment;
        to->site_factor = from->site_factor;
}

static ProtobufCBinaryData message_packed(const ProtobufCMessage *m) {
        ProtobufCBinaryData data = { protobuf_c_message_get_packed_size(m), NULL };

        data.data = xmalloc(data.len + 1);
        protobuf_c_message_pack(m, data.data);
        return data;
}

static bool packed_is_same(ProtobufCBinaryData a, ProtobufCBinaryData b) {
        return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* ---- settings with the full names of their keys ---- */

struct plain_settings {
        Slumber__JobUpdate update;
        Slumber__KeyValue *rows, **list;
        char **values;
        size_t n;
};

static void plain_fill(struct plain_settings *p, const struct job *j,
                Slumber__KeyValue *const *settings, size_t n) {
        slumber__job_update__init(&p->update);
        p->rows = xnew(Slumber__KeyValue, n);
        p->list = xnew(Slumber__KeyValue *, n);
        p->values = xnew(char *, n);
        p->n = n;
        for (size_t i = 0; i < n; i++) {
                const struct update_setting s = { settings[i]->key, settings[i]->value };
                p->list[i] = &p->rows[i];
                slumber__key_value__init(p->list[i]);
                p->list[i]->key = (char *)(uintptr_t)job_setting_key(s.key);
                p->list[i]->value = p->values[i] = job_setting_value(j, &s);
        }
        p->update.id = j->id;
        p->update.settings = p->list;
        p->update.n_settings = n;
}

static void plain_done(struct plain_settings *p) {
        texts_free(p->values, p->n);
        free(p->rows);
        free(p->list);
}

/* ---- asking ---- */

static void modified_refuse(struct modified *d, enum slumber_error e, const char *text) {
        d->error = e;
        free_and_strdup(&d->text, isempty(text) ? NULL : text);
}

static void add_told(struct modify *m, const char *lines) {
        _cleanup_free_ char *before = m->told;

        m->told = before ? xasprintf("%s\n%s", before, lines) : xstrdup(lines);
}

static void modified_take_answer(struct modified *d, Slumber__RuleReply *reply) {
        const char *text;

        if (!isempty(reply->told))
                add_told(d->of, reply->told);
        if (!isempty(reply->failure) || !reply->update) {
                modified_refuse(d, SLUMBER_FAILED, NULL);
                return;
        }
        enum slumber_error e = rule_code(reply->code, &text);
        modified_refuse(d, e, text);
        d->update = TAKE(reply->update);
}

/* Handles the waiting request again. */
static void modify_handle_again(struct modify *m) {
        struct controller *ctl = m->ctl;
        struct peer *p = m->from.peer;
        Envelope *env = slumber__envelope__unpack(NULL, m->size, m->packed);

        address_done(&m->from);
        free(TAKE(m->packed));
        free(TAKE(m->facts.data));
        ctl->rules->modify = m;
        if (env && p->conn)
                ctl->ops->message(p, env);
        /* m is still there: the request was refused for another reason */
        modify_free(TAKE(ctl->rules->modify));
        slumber__envelope__free_unpacked(env, NULL);
}

static void ask_some(struct modify *m);

static void modified_on_answer(Slumber__RuleReply *reply, const char *why, void *user) {
        struct modified *d = user;
        struct modify *m = d->of, **at = &m->ctl->rules->modifies;

        d->queued = false;
        m->queued--;
        if (reply)
                modified_take_answer(d, reply);
        else
                modified_refuse(d, SLUMBER_FAILED, why);
        ask_some(m);
        if (m->queued)
                return;
        while (*at != m)
                at = &(*at)->next;
        *at = m->next;
        modify_handle_again(m);
}

/* Sends the question: the settings of this job with the data common to all jobs of the request. */
static int modified_ask(struct modified *d) {
        const struct modify *m = d->of;
        struct lua *lua = m->ctl->rules->lua;
        Slumber__RuleRequest *request = slumber__rule_request__unpack(NULL, m->facts.len,
                        m->facts.data);

        request->update = slumber__job_update__unpack(NULL, d->request.len, d->request.data);
        request->job = slumber__job__unpack(NULL, d->seen.len, d->seen.data);
        request->job->priority = d->priority;
        free(TAKE(d->request.data));
        int r = lua ? lua_ask(lua, request, m->packed ? &m->from : &m->caller->from,
                                      modified_on_answer, d)
                    : -ENOENT;
        slumber__rule_request__free_unpacked(request, NULL);
        return r;
}

static void ask_some(struct modify *m) {
        while (m->first && m->queued < AT_ONCE) {
                struct modified *d = m->first;
                m->first = d->next;
                if (modified_ask(d) < 0) {
                        modified_refuse(d, SLUMBER_FAILED,
                                        "job_submit.lua does not answer, and too many requests wait for it");
                        continue;
                }
                d->queued = true;
                m->queued++;
        }
}

static void facts_pack(struct modify *m, uint32_t held) {
        Slumber__RuleRequest request = SLUMBER__RULE_REQUEST__INIT;
        _cleanup_(facts_freep) struct facts *facts = facts_fill(m->ctl, m->caller, &request);

        request.held = held;
        m->facts = message_packed(&request.base);
}

/* Queues the question about d behind earlier questions of the request. */
static void modified_ask_later(struct modified *d, const struct job *j,
                Slumber__KeyValue *const *settings, size_t n, uint32_t held) {
        struct modify *m = d->of;
        struct plain_settings plain;

        if (d->update)
                slumber__job_update__free_unpacked(TAKE(d->update), NULL);
        if (d->asked++ == ASKED_MAX) {
                modified_refuse(d, SLUMBER_FAILED,
                                "the job changes whenever job_submit.lua was asked");
                return;
        }
        if (!m->facts.data)
                facts_pack(m, held);
        plain_fill(&plain, j, settings, n);
        d->request = message_packed(&plain.update.base);
        plain_done(&plain);
        d->priority = j->priority;
        d->next = NULL;
        *(m->first ? &m->last->next : &m->first) = d;
        m->last = d;
}

static struct modified *modified_add(struct modify *m, uint32_t job) {
        struct modified *d = xnew0(struct modified, 1);

        *d = (struct modified){ .of = m, .job = job };
        if (!tsearch(d, &m->jobs, modified_compare))
                abort(); /* no memory */
        return d;
}

void modify_add(struct modify *m, const struct job *j, Slumber__KeyValue *const *settings, size_t n,
                uint32_t held) {
        struct modified *d = modified_find(m, j->id);
        struct job_message message;
        Slumber__Job about;

        job_message_init(&message, m->ctl->cluster, j, 0, controller_now(m->ctl));
        job_copy_brief(&about, &message.job);
        ProtobufCBinaryData seen = message_packed(&about.base);
        bool known = d && packed_is_same(seen, d->seen);
        if (!d)
                d = modified_add(m, j->id);
        free(d->seen.data);
        d->seen = seen;
        if (!known)
                modified_ask_later(d, j, settings, n, held);
        job_message_done(&message);
}

bool modify_waits(struct modify *m, const Envelope *env) {
        struct rules *rules = m->ctl->rules;

        ask_some(m);
        if (m->queued == 0)
                return false;
        m->size = slumber__envelope__get_packed_size(env);
        m->packed = xmalloc(m->size);
        slumber__envelope__pack(env, m->packed);
        m->from = address_copy(&m->caller->from);
        m->caller = NULL;
        m->next = rules->modifies;
        rules->modifies = m;
        return true;
}

/* ---- waiting requests ---- */

void modify_client_gone(struct rules *rules, const struct peer *p, uint64_t client, bool all) {
        for (struct modify **at = &rules->modifies; *at;) {
                struct modify *m = *at;
                if (m->from.peer != p || (!all && m->from.client != client)) {
                        at = &m->next;
                        continue;
                }
                *at = m->next;
                modify_free(m);
        }
}

void modify_free_all(struct rules *rules) {
        while (rules->modifies) {
                struct modify *m = rules->modifies;
                rules->modifies = m->next;
                modify_free(m);
        }
}
