/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/submit/rules.h"

#include "controller/loop/outbox.h"
#include "controller/submit/facts.h"
#include "controller/submit/lua.h"
#include "controller/submit/plain.h"
#include "controller/submit/rules_private.h"
#include "lib/wordlist.h"

/* A request on its way through the rules. */
struct judging {
        struct judging *next;
        struct controller *ctl;
        struct ruled ruled;
        size_t at, component; /* the next rule; index of the submission */
        /* own, for a waiting request: its source and content */
        struct address from;
        uint8_t *packed;
        size_t size;
};

void ruled_done(struct ruled *r) {
        for (size_t i = 0; i < r->n; i++)
                slumber__submit_request__free_unpacked(r->submits[i], NULL);
        free(r->submits);
        free(r->text);
        free(r->told);
        *r = (struct ruled){ 0 };
}

Slumber__SubmitRequest *const *submissions_of(const Envelope *env, size_t *ret_n) {
        bool het = env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_HET;

        *ret_n = het ? env->submit_het->n_components : 1;
        return het ? env->submit_het->components : &env->submit;
}

static void judging_free(struct judging *j) {
        ruled_done(&j->ruled);
        if (j->packed)
                address_done(&j->from);
        free(j->packed);
        free(j);
}

void ruled_refuse(const struct address *to, const struct ruled *r) {
        Slumber__Error error = SLUMBER__ERROR__INIT;

        error.code = (uint32_t)r->error;
        error.text = (char *)(uintptr_t)strempty(r->text);
        error.told = (char *)(uintptr_t)strempty(r->told);
        ENVELOPE(env, ERROR, error, &error);
        reply_now(to, &env);
}

static void judging_on_answer(Slumber__RuleReply *reply, const char *why, void *user);

/* Asks the script about the present submission, including its batch script. */
static int ask_lua(struct judging *j, const struct caller *caller, const Envelope *env) {
        struct rules *rules = j->ctl->rules;
        Slumber__RuleRequest m = SLUMBER__RULE_REQUEST__INIT;
        Slumber__SubmitRequest submit = *j->ruled.submits[j->component];
        Slumber__Number offset = SLUMBER__NUMBER__INIT;
        size_t n;

        submit.script = submissions_of(env, &n)[j->component]->script;
        offset.value = j->component;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_HET)
                m.het_offset = &offset;
        m.submit = &submit;
        _cleanup_(facts_freep) struct facts *facts = facts_fill(j->ctl, caller, &m);
        return rules->lua ? lua_ask(rules->lua, &m, &caller->from, judging_on_answer, j) : -ENOENT;
}

/* ---- the chain ---- */

static void judging_refuse(struct judging *j, enum slumber_error e, const char *text) {
        j->ruled.error = e;
        free_and_strdup(&j->ruled.text, isempty(text) ? NULL : text);
}

/* Packs the request without the first step: LUA_BYTES_MAX does not count the step's environment,
   and srun asks for the step again. */
static void judging_pack(struct judging *j, const Envelope *env) {
        Slumber__SubmitRequest submit;
        Envelope plain = *env;

        if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT) {
                submit = *env->submit;
                submit.step = NULL;
                plain.submit = &submit;
        }
        j->size = slumber__envelope__get_packed_size(&plain);
        j->packed = xmalloc(j->size);
        slumber__envelope__pack(&plain, j->packed);
}

/* Parks the request; packed once, whichever component is judged. */
static void wait_for_lua(struct judging *j, const struct caller *caller, const Envelope *env) {
        struct rules *rules = j->ctl->rules;

        if (!j->packed) {
                judging_pack(j, env);
                j->from = address_copy(&caller->from);
        }
        j->next = rules->waiting;
        rules->waiting = j;
}

/* Returns true when the rules are through with the present submission. */
static bool judging_advance_one(struct judging *j, const struct caller *caller,
                const Envelope *env) {
        const struct config *config = j->ctl->cluster->config;
        const struct submitter submitter = submitter_of(caller);
        const struct plain plain = { j->ctl->cluster, &submitter, &j->ctl->rules->throttle,
                now_monotonic() };

        while (j->at < config->n_submit_rules && j->ruled.error == SLUMBER_OK) {
                enum submit_rule rule = config->submit_rules[j->at++];
                struct fail fail = { 0 };
                if (rule != SUBMIT_LUA) {
                        enum slumber_error e = plain_rule(rule, &plain,
                                        j->ruled.submits[j->component]->spec, &fail);
                        judging_refuse(j, e, fail.text);
                } else if (ask_lua(j, caller, env) < 0) {
                        judging_refuse(j, SLUMBER_FAILED,
                                        "job_submit.lua does not answer, and too many requests wait for it");
                } else {
                        wait_for_lua(j, caller, env);
                        return false;
                }
        }
        return true;
}

/* Returns true when the rules are through with all submissions. caller and env belong to the
   request. */
static bool judging_advance(struct judging *j, const struct caller *caller, const Envelope *env) {
        for (; j->component < j->ruled.n && j->ruled.error == SLUMBER_OK; j->component++) {
                if (!judging_advance_one(j, caller, env))
                        return false;
                j->at = 0;
        }
        return true;
}

/* Copies a submission without its script and first step, which may be large. */
static Slumber__SubmitRequest *submission_copy(const Slumber__SubmitRequest *m) {
        Slumber__SubmitRequest plain = *m;

        plain.script = NULL;
        plain.step = NULL;
        return wire_copy(&plain.base);
}

static struct judging *judging_new(struct controller *ctl, const Envelope *env) {
        struct judging *j = xnew0(struct judging, 1);
        size_t n;
        Slumber__SubmitRequest *const *asked = submissions_of(env, &n);

        j->ctl = ctl;
        j->ruled.n = n;
        j->ruled.submits = xnew0(Slumber__SubmitRequest *, n);
        for (size_t i = 0; i < n; i++)
                j->ruled.submits[i] = submission_copy(asked[i]);
        return j;
}

bool rules_judge(struct controller *ctl, const struct caller *caller, const Envelope *env,
                struct ruled *ret) {
        struct judging *j = ctl->rules ? TAKE(ctl->rules->ready) : NULL;

        *ret = (struct ruled){ 0 };
        if (!j && ctl->cluster->config->n_submit_rules == 0)
                return true;
        if (!ctl->rules)
                rules_reconfigured(ctl);
        if (!j)
                j = judging_new(ctl, env);
        if (!judging_advance(j, caller, env))
                return false;
        *ret = j->ruled;
        j->ruled = (struct ruled){ 0 };
        judging_free(j);
        return true;
}

/* ---- the script's answer ---- */

enum slumber_error rule_code(int64_t code, const char **ret_text) {
        int e = code > 0 ? slumber_error_of((uint64_t)code) : -ENOENT;

        *ret_text = e < 0 && code > 0 && code < INT32_MAX ? strerror((int)code) : NULL;
        return code == 0 ? SLUMBER_OK : e >= 0 ? (enum slumber_error)e : SLUMBER_FAILED;
}

static void judging_take_answer(struct judging *j, Slumber__RuleReply *m) {
        const char *text;

        if (!isempty(m->told)) {
                text_add_word(&j->ruled.told, "\n", "%s", m->told);
        }
        if (!isempty(m->failure) || !m->submit || !m->submit->spec) {
                judging_refuse(j, SLUMBER_FAILED, NULL);
                return;
        }
        enum slumber_error e = rule_code(m->code, &text);
        judging_refuse(j, e, text);
        slumber__submit_request__free_unpacked(j->ruled.submits[j->component], NULL);
        j->ruled.submits[j->component] = TAKE(m->submit);
}

/* Handles the waiting request again. */
static void judging_handle_again(struct judging *j) {
        struct controller *ctl = j->ctl;
        struct peer *p = j->from.peer;
        Envelope *env = slumber__envelope__unpack(NULL, j->size, j->packed);

        ctl->rules->ready = j;
        if (env && p->conn)
                ctl->ops->message(p, env);
        /* the user is looked up again, or the request was refused for another reason */
        if (ctl->rules->ready)
                judging_free(TAKE(ctl->rules->ready));
        slumber__envelope__free_unpacked(env, NULL);
}

static void judging_on_answer(Slumber__RuleReply *reply, const char *why, void *user) {
        struct judging *j = user;
        struct judging **at = &j->ctl->rules->waiting;

        while (*at != j)
                at = &(*at)->next;
        *at = j->next;
        if (reply)
                judging_take_answer(j, reply);
        else
                judging_refuse(j, SLUMBER_FAILED, why);
        judging_handle_again(j);
}

/* ---- life of the rules ---- */

void rules_reconfigured(struct controller *ctl) {
        const struct config *config = ctl->cluster->config;
        bool wanted = config_submits_by(config, SUBMIT_LUA);

        if (!ctl->rules && config->n_submit_rules)
                ctl->rules = xnew0(struct rules, 1);
        if (!ctl->rules)
                return;
        if (ctl->rules->lua)
                lua_restart(ctl->rules->lua);
        if (wanted && !ctl->rules->lua) {
                _cleanup_free_ char *path = config_beside(config, "job_submit.lua");
                ctl->rules->lua = lua_new(ctl, path);
        }
}

void rules_client_gone(struct controller *ctl, const struct peer *p, uint64_t client, bool all) {
        struct judging **at = ctl->rules ? &ctl->rules->waiting : NULL;

        if (ctl->rules)
                modify_client_gone(ctl->rules, p, client, all);
        while (at && *at) {
                struct judging *j = *at;
                if (j->from.peer != p || (!all && j->from.client != client)) {
                        at = &j->next;
                        continue;
                }
                *at = j->next;
                lua_forget(ctl->rules->lua, j);
                judging_free(j);
        }
}

void rules_free(struct controller *ctl) {
        struct rules *rules = ctl->rules;

        if (!rules)
                return;
        rules->lua = lua_free(rules->lua);
        while (rules->waiting) {
                struct judging *j = rules->waiting;
                rules->waiting = j->next;
                judging_free(j);
        }
        modify_free_all(rules);
        throttle_free(rules->throttle);
        free(TAKE(ctl->rules));
}
