/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a batch job runs, and the environment that it was submitted with, for its user and for operators: both are in the store as
 * long as the job is known. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/indexes/array.h"
#include "controller/loop/outbox.h"
#include "controller/loop/peers.h"
#include "controller/orders/viewer.h"
#include "controller/requests/handlers.h"
#include "controller/store/store.h"

struct asking {
        bool environment;
        struct address to;
        struct controller *ctl;
};

static char *lines_of(char *const *list, size_t n) {
        char *all = NULL;
        size_t size;
        FILE *f = open_memstream(&all, &size);

        assert(f);
        for (size_t i = 0; i < n; i++)
                fprintf(f, "%s\n", list[i]);
        fclose(f);
        return all;
}

static void found(const uint8_t *data, size_t size, void *user) {
        struct asking *q = user;
        Slumber__JobScript *script = data ? slumber__job_script__unpack(NULL, size, data) : NULL;

        if (script) {
                Slumber__ScriptReply m = SLUMBER__SCRIPT_REPLY__INIT;
                _cleanup_free_ char *lines = q->environment ? lines_of(script->environment, script->n_environment) : NULL;
                m.script = lines ? (ProtobufCBinaryData){ strlen(lines), (uint8_t *)lines } : script->script;
                ENVELOPE(reply, SCRIPT_REPLY, script_reply, &m);
                reply_now(&q->to, &reply);
                slumber__job_script__free_unpacked(script, NULL);
        } else
                reply_result(q->ctl, &q->to, SLUMBER_NO_SCRIPT, NULL);
        address_done(&q->to);
        free(q);
}

void handle_script_query(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *j = viewer_job(&viewer, env->script_query->job_id); /* tasks of an array share script and user */

        if (!j || (caller->uid != j->uid && !caller->operator) || !j->spec.batch) {
                reply_result(ctl, &caller->from, !j ? SLUMBER_BAD_JOB_ID : !j->spec.batch ? SLUMBER_NO_SCRIPT : SLUMBER_BAD_USER, NULL);
                return;
        }
        struct asking *q = xnew(struct asking, 1);
        *q = (struct asking){ .environment = env->script_query->environment, .to = address_copy(&caller->from), .ctl = ctl };
        store_read(ctl->store, STORE_SCRIPT, job_script_id(j), found, q);
}
