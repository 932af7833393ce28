/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/modify.h"

#include "controller/loop/outbox.h"
#include "controller/loop/wall_clock.h"
#include "controller/records/record.h"
#include "controller/submit/facts.h"
#include "controller/submit/rules_private.h"
#include "controller/updates/job_update.h"

/* A job that changes whenever the script was asked is not asked about for ever. */
#define ASKED_MAX 8

/* The update of one job as the script has left it. */
struct modified {
        struct modify *of;
        uint32_t job;
        Slumber__JobUpdate *update; /* own: its settings; NULL: there is no answer */
        enum slumber_error error;   /* SLUMBER_OK: they are to be made */
        char *text;                 /* own: the error's sentence; NULL: its own */
        ProtobufCBinaryData seen;   /* own: the job as the script was told of it */
        unsigned asked;             /* so often */
};

struct modify {
        struct modify *next;
        struct controller *ctl;
        const struct caller *caller; /* of the request while it is handled */
        struct modified **list;      /* own, as are they: in the order in which jobs were added */
        size_t n, allocated, at;     /* at: where the last one was found */
        size_t unanswered;
        char *told;
        /* own, of one that waits: it, and where it came from */
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

static void modified_free(struct modified *d) {
        if (d->update)
                slumber__job_update__free_unpacked(d->update, NULL);
        free(d->text);
        free(d->seen.data);
        free(d);
}

struct modify *modify_free(struct modify *m) {
        if (!m)
                return NULL;
        for (size_t i = 0; i < m->n; i++) {
                if (m->ctl->rules->lua)
                        lua_forget(m->ctl->rules->lua, m->list[i]);
                modified_free(m->list[i]);
        }
        if (m->packed)
                address_done(&m->from);
        free(m->packed);
        free(m->list);
        free(m->told);
        free(m);
        return NULL;
}

/* Jobs are looked for in the order in which they were added. */
static struct modified *find(struct modify *m, uint32_t job) {
        for (size_t i = 0; i < m->n; i++) {
                size_t at = (m->at + i) % m->n;
                if (m->list[at]->job != job)
                        continue;
                m->at = at;
                return m->list[at];
        }
        return NULL;
}

enum slumber_error modify_verdict(struct modify *m, const struct job *j,
                const Slumber__JobUpdate **update, struct fail *fail) {
        const struct modified *d = m && !job_is_finished(j) ? find(m, j->id) : NULL;

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

/* ---- what the script is told of a job ---- */

/* Without what changes by itself. */
static void brief(Slumber__Job *to, const Slumber__Job *from) {
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

static ProtobufCBinaryData packed(const Slumber__Job *m) {
        ProtobufCBinaryData data = { slumber__job__get_packed_size(m), NULL };

        data.data = xmalloc(data.len + 1);
        slumber__job__pack(m, data.data);
        return data;
}

static bool is_same(ProtobufCBinaryData a, ProtobufCBinaryData b) {
        return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* ---- its settings: by the full names of their keys ---- */

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
        for (size_t i = 0; i < p->n; i++)
                free(p->values[i]);
        free(p->values);
        free(p->rows);
        free(p->list);
}

/* ---- asking ---- */

static void refuse(struct modified *d, enum slumber_error e, const char *text) {
        d->error = e;
        free_and_strdup(&d->text, isempty(text) ? NULL : text);
}

static void add_told(struct modify *m, const char *lines) {
        _cleanup_free_ char *before = m->told;

        m->told = before ? xasprintf("%s\n%s", before, lines) : xstrdup(lines);
}

static void take_answer(struct modified *d, Slumber__RuleReply *reply) {
        const char *text;

        if (!isempty(reply->told))
                add_told(d->of, reply->told);
        if (!isempty(reply->failure) || !reply->update) {
                refuse(d, SLUMBER_FAILED, NULL);
                return;
        }
        enum slumber_error e = rule_code(reply->code, &text);
        refuse(d, e, text);
        d->update = TAKE(reply->update);
}

/* It comes again, as it came. */
static void handle_again(struct modify *m) {
        struct controller *ctl = m->ctl;
        struct peer *p = m->from.peer;
        Envelope *env = slumber__envelope__unpack(NULL, m->size, m->packed);

        address_done(&m->from);
        free(TAKE(m->packed));
        ctl->rules->modify = m;
        if (env && p->conn)
                ctl->ops->message(p, env);
        modify_free(TAKE(ctl->rules->modify)); /* it was refused for something else */
        slumber__envelope__free_unpacked(env, NULL);
}

static void on_answer(Slumber__RuleReply *reply, const char *why, void *user) {
        struct modified *d = user;
        struct modify *m = d->of, **at = &m->ctl->rules->modifies;

        if (reply)
                take_answer(d, reply);
        else
                refuse(d, SLUMBER_FAILED, why);
        if (--m->unanswered)
                return;
        while (*at != m)
                at = &(*at)->next;
        *at = m->next;
        handle_again(m);
}

static void ask(struct modified *d, const struct job *j, Slumber__Job *about,
                Slumber__KeyValue *const *settings, size_t n, uint32_t held) {
        struct modify *m = d->of;
        struct lua *lua = m->ctl->rules->lua;
        Slumber__RuleRequest request = SLUMBER__RULE_REQUEST__INIT;
        struct plain_settings plain;
        struct facts facts;

        if (d->update)
                slumber__job_update__free_unpacked(TAKE(d->update), NULL);
        if (d->asked++ == ASKED_MAX) {
                refuse(d, SLUMBER_FAILED, "the job changes whenever job_submit.lua was asked");
                return;
        }
        plain_fill(&plain, j, settings, n);
        facts_fill(&facts, m->ctl, m->caller, &request);
        about->priority = j->priority;
        request.update = &plain.update;
        request.job = about;
        request.held = held;
        if (!lua || lua_ask(lua, &request, on_answer, d) < 0)
                refuse(d, SLUMBER_FAILED,
                                "job_submit.lua does not answer, and too many requests wait for it");
        else
                m->unanswered++;
        facts_done(&facts, &request);
        plain_done(&plain);
}

void modify_add(struct modify *m, const struct job *j, Slumber__KeyValue *const *settings, size_t n,
                uint32_t held) {
        struct modified *d = find(m, j->id);
        struct job_message message;
        Slumber__Job about;

        job_message_init(&message, m->ctl->cluster, j, 0, controller_now(m->ctl));
        brief(&about, &message.job);
        ProtobufCBinaryData seen = packed(&about);
        bool known = d && is_same(seen, d->seen);
        if (!d) {
                d = xnew0(struct modified, 1);
                *d = (struct modified){ .of = m, .job = j->id };
                GROW(m->list, m->allocated, m->n);
                m->list[m->n++] = d;
        }
        free(d->seen.data);
        d->seen = seen;
        if (!known)
                ask(d, j, &about, settings, n, held);
        job_message_done(&message);
}

bool modify_waits(struct modify *m, const Envelope *env) {
        struct rules *rules = m->ctl->rules;

        if (m->unanswered == 0)
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

/* ---- those that wait ---- */

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
