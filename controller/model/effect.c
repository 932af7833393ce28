/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/effect.h"

#include "controller/model/ended.h"
#include "controller/model/ended_step.h"

struct effect *effects_add(struct effects *e, enum effect_kind kind) {
        GROW(e->list, e->allocated, e->n);
        struct effect *fx = &e->list[e->n++];
        *fx = (struct effect){ .kind = kind, .step = STEP_ANY };
        return fx;
}

struct ended *ended_free(struct ended *e) {
        if (!e)
                return NULL;
#define X(field) free(e->field);
        ENDED_TEXTS(X)
#undef X
        free(e);
        return NULL;
}

/* Frees the row of a step; accepts NULL and returns NULL. */
static struct ended_step *ended_step_free(struct ended_step *e) {
        if (!e)
                return NULL;
#define X(field) free(e->field);
        ENDED_STEP_TEXTS(X)
#undef X
        free(e);
        return NULL;
}

void effects_done(struct effects *e) {
        for (size_t i = 0; i < e->n; i++) {
                struct effect *fx = &e->list[i];

                bitset_free(fx->nodes);
                for (size_t k = 0; k < fx->n_wakes; k++)
                        bitset_free(fx->wakes[k].nodes);
                free(fx->wakes);
                free(fx->text);
                free(fx->action);
                ended_free(fx->ended);
                ended_step_free(fx->ended_step);
        }
        free(TAKE(e->list));
        e->n = e->allocated = 0;
}

static const char *const words[] = {
        [FX_LAUNCH] = "launch",
        [FX_PROLOG] = "prolog",
        [FX_HOOK] = "hook",
        [FX_HOOK_OVER] = "hook over",
        [FX_FREEZE] = "freeze",
        [FX_THAW] = "thaw",
        [FX_RECLAIM] = "reclaim",
        [FX_TERMINATE] = "terminate",
        [FX_SIGNAL] = "signal",
        [FX_SUSPEND] = "suspend",
        [FX_RESUME] = "resume",
        [FX_RESUME_FAIL] = "resume-fail",
        [FX_REBOOT] = "reboot",
        [FX_DISCONNECT] = "disconnect",
        [FX_PROBE] = "probe",
        [FX_LOOK] = "look",
        [FX_ALLOCATED] = "allocated",
        [FX_READY] = "ready",
        [FX_STOPPED] = "stopped",
        [FX_CONTINUED] = "continued",
        [FX_ENDED] = "ended",
        [FX_MESSAGE] = "message",
        [FX_MAIL] = "mail",
        [FX_FORGET] = "forget",
        [FX_LAUNCH_STEP] = "launch-step",
        [FX_STEP_LOST] = "step-lost",
        [FX_NODE_LOST] = "node-lost",
        [FX_STEP_ORPHANED] = "step-orphaned",
        [FX_STEP_ROW] = "step-row",
        [FX_RUN_ROW] = "run-row",
        [FX_TRIGGER] = "trigger",
        [FX_ASK_ACCOUNTS] = "ask-accounts",
        [FX_LOG] = "log",
};
_Static_assert(ELEMENTSOF(words) == EFFECT_MAX, "an effect without a word");
DEFINE_STRTAB(effect_kind, words)
