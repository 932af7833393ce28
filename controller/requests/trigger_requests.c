/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strigger: triggers are set by root and SlurmUser, and by all users if slurm.conf allows. */
#include "controller/loop/caller.h"
#include "controller/loop/controller.h"

#include "controller/loop/outbox.h"
#include "controller/loop/users.h"
#include "controller/loop/wall_clock.h"
#include "controller/orders/triggers.h"
#include "controller/records/trigger_record.h"
#include "controller/requests/handlers.h"
#include "lib/log.h"

#define PROGRAM_MAX 4096              /* bytes, with arguments */
#define NODES_MAX   65536             /* bytes */
#define OFFSET_MAX  (365 * 24 * 3600) /* s */

static bool is_admin(const struct controller *ctl, const struct caller *caller) {
        return caller->uid == 0 || caller->uid == ctl->cluster->config->slurm_uid;
}

/* Checks whether slumberctld may run the caller's program. */
static enum slumber_error check_caller(const struct controller *ctl, const struct caller *caller,
                const Slumber__Trigger *m, struct fail *fail) {
        const struct config *config = ctl->cluster->config;
        const struct viewer viewer = viewer_of(ctl, caller);
        const struct job *j = m->job_id ? viewer_job(&viewer, m->job_id) : NULL;

        if (config->disable_triggers)
                return SLUMBER_DISABLED;
        if (!is_admin(ctl, caller) && !config->allow_user_triggers)
                return SLUMBER_ACCESS_DENIED;
        if (geteuid() != 0 && caller->uid != geteuid()) {
                fail_set(fail, -EPERM,
                                "slumberctld does not run as root, so it runs programs of SlurmUser alone");
                return SLUMBER_ACCESS_DENIED;
        }
        if (m->job_id && !j)
                return SLUMBER_BAD_JOB_ID;
        if (caller->hidden & PRIVATE_NODES && m->events & TRIGGER_EVENTS_NODE) {
                fail_set(fail, -EPERM, "PrivateData hides the nodes, so also what happens to them");
                return SLUMBER_ACCESS_DENIED;
        }
        if (j && !is_admin(ctl, caller) && !job_access(caller, j))
                return SLUMBER_ACCESS_DENIED;
        return SLUMBER_OK;
}

static enum slumber_error check_trigger(const Slumber__Trigger *m, struct fail *fail) {
        const char *wrong = m->program[0] != '/'               ? "its program is no absolute path"
                            : strlen(m->program) > PROGRAM_MAX ? "its program is too long"
                            : strlen(m->nodes) > NODES_MAX     ? "its list of nodes is too long"
                            : m->offset > OFFSET_MAX || m->offset < -OFFSET_MAX
                                            ? "its offset is beyond a year"
                                            : NULL;

        if (!wrong)
                return SLUMBER_OK;
        fail_set(fail, -EINVAL, "the trigger is refused: %s", wrong);
        return SLUMBER_FAILED;
}

void handle_trigger_set(struct controller *ctl, const struct caller *caller, const Envelope *env) {
        const Slumber__Trigger *m = env->trigger_set->trigger;
        struct fail fail = { 0 };
        uint32_t id;

        if (!m) {
                reply_result(ctl, &caller->from, SLUMBER_PROTOCOL, NULL);
                return;
        }
        enum slumber_error e = check_caller(ctl, caller, m, &fail);
        if (e == SLUMBER_OK)
                e = check_trigger(m, &fail);
        if (e == SLUMBER_OK) {
                const struct trigger t = {
                        .events = m->events,
                        .job = m->job_id,
                        .nodes = *m->nodes ? m->nodes : NULL,
                        .offset = m->offset,
                        .program = m->program,
                        .permanent = m->permanent,
                        .uid = caller->uid,
                        .gid = caller->gid,
                        .user = caller->user->name,
                };
                e = trigger_set(ctl->cluster, &t, controller_now(ctl), &id, &fail);
        }
        if (e == SLUMBER_OK) {
                _cleanup_free_ char *events = trigger_events_text(m->events);
                log_info("Trigger %u set by uid %u: %s runs %s", id, (unsigned)caller->uid, events,
                                m->program);
                controller_changed(ctl);
        }
        reply_result(ctl, &caller->from, e, fail.text);
}

/* Root's triggers may be removed by root, SlurmUser's by both, a user's by these two and the
   user. */
void handle_trigger_clear(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        const Slumber__TriggerClear *m = env->trigger_clear;
        const uid_t uid = m->uid ? (uid_t)m->uid->value : 0, own = caller->uid;
        const struct trigger_choice which = { m->id, m->job_id, m->uid ? &uid : NULL };

        if (!m->id && !m->job_id && !m->uid) {
                reply_result(ctl, &caller->from, SLUMBER_PROTOCOL, NULL);
                return;
        }
        size_t n = triggers_clear(ctl->cluster, &which, is_admin(ctl, caller) ? NULL : &own);
        if (n)
                controller_changed(ctl);
        reply_result(ctl, &caller->from, n ? SLUMBER_OK : SLUMBER_NO_TRIGGER, NULL);
}

/* Removes the triggers of other users. */
static void triggers_hide_foreign(const struct caller *caller, Slumber__TriggerList *m) {
        size_t n = 0;

        for (size_t i = 0; i < m->n_triggers; i++) {
                if (m->triggers[i]->uid == caller->uid)
                        m->triggers[n++] = m->triggers[i];
                else
                        free(m->triggers[i]);
        }
        m->n_triggers = n;
}

void handle_trigger_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env) {
        Slumber__TriggerList m = SLUMBER__TRIGGER_LIST__INIT;

        (void)env;
        trigger_record_fill_waiting(ctl->cluster, &m);
        if (!is_admin(ctl, caller) && !caller->operator)
                triggers_hide_foreign(caller, &m);
        ENVELOPE(reply, TRIGGER_LIST, trigger_list, &m);
        reply_now(&caller->from, &reply);
        trigger_record_done(&m);
}
