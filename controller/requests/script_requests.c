/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts and submission environments of batch jobs, for their user and operators. The store has
 * both while the job is known, the accounts longer if AccountingStoreFlags says so. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/indexes/array.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/orders/viewer.h"
#include "controller/records/ended_rows.h"
#include "controller/records/job_rows.h"
#include "controller/requests/handlers.h"
#include "controller/store/accounting.h"
#include "controller/store/store.h"

struct asking {
        bool environment;
        struct address to;
        struct controller *ctl;
        struct accounting_find find; /* find.where is taken over by accounting_find() */
};

static void script_asking_free(struct asking *q) {
        address_done(&q->to);
        free(q);
}

/* text NULL: no script */
static void reply_script(const struct asking *q, const char *text, size_t size) {
        Slumber__ScriptReply m = SLUMBER__SCRIPT_REPLY__INIT;

        if (!text) {
                reply_result(q->ctl, &q->to, SLUMBER_NO_SCRIPT, NULL);
                return;
        }
        m.script = (ProtobufCBinaryData){ size, (uint8_t *)(uintptr_t)text };
        ENVELOPE(reply, SCRIPT_REPLY, script_reply, &m);
        reply_now(&q->to, &reply);
}

static void script_on_found(const uint8_t *data, size_t size, void *user) {
        struct asking *q = user;
        Slumber__JobScript *script = data ? slumber__job_script__unpack(NULL, size, data) : NULL;

        if (script && q->environment) {
                _cleanup_free_ char *lines = ended_lines(script->environment,
                                script->n_environment);
                reply_script(q, lines, strlen(lines));
        } else {
                reply_script(q, script ? (const char *)script->script.data : NULL,
                                script ? script->script.len : 0);
        }
        if (script)
                slumber__job_script__free_unpacked(script, NULL);
        script_asking_free(q);
}

/* ---- forgotten jobs ---- */

static void found_kept(int r, const char *why, char **const *rows, size_t n, bool more,
                void *user) {
        struct asking *q = user;
        Slumber__KeptScript kept = SLUMBER__KEPT_SCRIPT__INIT;

        if (n)
                ended_row_read(ENDED_SCRIPT, rows[0], &kept);
        const char *text = q->environment ? kept.environment : kept.script;
        if (r < 0)
                reply_result(q->ctl, &q->to, SLUMBER_FAILED, why);
        else
                reply_script(q, isempty(text) ? NULL : text, strlen(text));
        script_asking_free(q);
}

static void ask_accounts(bool there, void *user) {
        struct asking *q = user;

        if (there) {
                accounting_find(q->ctl->accounting, &q->find, found_kept, q);
                return;
        }
        free(q->find.where);
        script_asking_free(q);
}

/* Selects, of several jobs with the same id, the job with the nearest submission time, as the wall
   clock may have been set since. */
static char *script_condition(const Slumber__ScriptQuery *m, const struct caller *caller) {
        _cleanup_free_ char *of_user = caller->operator? xstrdup("")
                                                       : xasprintf(" AND uid = %u",
                                                                         (unsigned)caller->uid);

        return xasprintf(
                        "id = (SELECT id FROM script WHERE job_id = %u ORDER BY abs(time_submit - %llu.%06llu) LIMIT 1)%s",
                        m->array_job ? m->array_job : m->job_id,
                        (unsigned long long)(m->submit_time / USEC_PER_SEC),
                        (unsigned long long)(m->submit_time % USEC_PER_SEC), of_user);
}

void handle_script_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__ScriptQuery *m = env->script_query;
        const struct viewer viewer = viewer_of(ctl, caller);
        /* tasks of an array share script and user */
        const struct job *j = viewer_job(&viewer, m->job_id);
        bool forgotten = m->submit_time && ctl->accounting &&
                         (!j || j->submit_time != m->submit_time);

        if (!forgotten && (!j || (caller->uid != j->uid && !caller->operator) ||
                                          !job_has_script(j))) {
                reply_result(ctl, &caller->from,
                                !j                   ? SLUMBER_BAD_JOB_ID
                                : !job_has_script(j) ? SLUMBER_NO_SCRIPT
                                                     : SLUMBER_BAD_USER,
                                NULL);
                return;
        }
        struct asking *q = xnew0(struct asking, 1);
        *q = (struct asking){ .environment = m->environment,
                .to = address_copy(&caller->from),
                .ctl = ctl };
        if (!forgotten) {
                store_read(ctl->store, STORE_SCRIPT, job_script_id(j), script_on_found, q);
                return;
        }
        q->find = (struct accounting_find){ .table = ended_table(ENDED_SCRIPT),
                .columns = ended_columns_read(ENDED_SCRIPT),
                .n = ended_n_columns(ENDED_SCRIPT),
                .where = script_condition(m, caller),
                .limit = 1 };
        job_rows_wait(ctl, ask_accounts, q);
}
