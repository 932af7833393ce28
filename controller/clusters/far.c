/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/clusters/far.h"

#define BODY(name) SLUMBER__ENVELOPE__BODY_##name

static const struct far_request requests[] = {
        { BODY(PING), BODY(PING_REPLY), CLUSTER_SHOW, true },
        { BODY(JOB_QUERY), BODY(JOB_LIST), CLUSTER_SHOW, true },
        { BODY(NODE_QUERY), BODY(NODE_LIST), CLUSTER_SHOW, true },
        { BODY(PARTITION_QUERY), BODY(PARTITION_LIST), CLUSTER_SHOW, true },
        { BODY(RESERVATION_QUERY), BODY(RESERVATION_LIST), CLUSTER_SHOW, true },
        { BODY(LICENSE_QUERY), BODY(LICENSE_LIST), CLUSTER_SHOW, true },
        { BODY(CONFIG_QUERY), BODY(CONFIG_LIST), CLUSTER_SHOW, true },
        { BODY(USER_QUERY), BODY(USER_REPLY), CLUSTER_SHOW, true },
        { BODY(ENDED_QUERY), BODY(ENDED_LIST), CLUSTER_SHOW, true },
        { BODY(ACCT_QUERY), BODY(ACCT_LIST), CLUSTER_SHOW, true },
        { BODY(ASSOC_MGR_QUERY), BODY(ASSOC_MGR_LIST), CLUSTER_SHOW, true },
        { BODY(INSTANCE_QUERY), BODY(INSTANCE_LIST), CLUSTER_SHOW, true },
        { BODY(PRIORITY_QUERY), BODY(PRIORITY_LIST), CLUSTER_SHOW, true },
        { BODY(SHARE_QUERY), BODY(SHARE_LIST), CLUSTER_SHOW, true },
        { BODY(SCRIPT_QUERY), BODY(SCRIPT_REPLY), CLUSTER_SHOW, true },
        { BODY(STATS_QUERY), BODY(STATS_REPLY), CLUSTER_SHOW, true },
        { BODY(SUBMIT), BODY(SUBMIT_REPLY), CLUSTER_SUBMIT, false },
        { BODY(SUBMIT_HET), BODY(SUBMIT_REPLY), CLUSTER_SUBMIT, false },
        { BODY(JOB_UPDATE), BODY(JOB_ACTION_REPLY), CLUSTER_UPDATE, false },
        { BODY(ACCT_CHANGE), BODY(ACCT_REPLY), CLUSTER_ACCOUNTS, false },
};

/* Rows by the kind of action; an action without a row comes only from the client holding the
   job. */
static const struct far_request actions[] = {
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_CANCEL, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_CANCEL, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SUSPEND] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RESUME] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_HOLD] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_UHOLD] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_RELEASE] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_REQUEUE_HOLD] = { BODY(JOB_ACTION),
                        BODY(JOB_ACTION_REPLY), CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_NOTIFY] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
        [SLUMBER__JOB_ACTION_KIND__JOB_ACTION_TOP] = { BODY(JOB_ACTION), BODY(JOB_ACTION_REPLY),
                        CLUSTER_UPDATE, false },
};

static const struct far_request *find_action(const Slumber__JobAction *m) {
        unsigned kind = (unsigned)m->kind;

        return kind < ELEMENTSOF(actions) && actions[kind].body && !m->sent ? &actions[kind] : NULL;
}

/* True for the ping of a job's holder, which has no answer. */
static bool has_no_answer(const Envelope *env) {
        return env->body_case == SLUMBER__ENVELOPE__BODY_PING && env->ping->job_id;
}

static const struct far_request test_only = { BODY(SUBMIT), BODY(SUBMIT_REPLY), CLUSTER_SUBMIT,
        true };
/* A preview before sacctmgr asks for confirmation. */
static const struct far_request preview = { BODY(ACCT_CHANGE), BODY(ACCT_REPLY), CLUSTER_ACCOUNTS,
        true };
/* Changes statistics, so the right to show is not enough. */
static const struct far_request reset = { BODY(STATS_QUERY), BODY(STATS_REPLY), CLUSTER_UPDATE,
        false };

/* True for submissions bound to their connection: interactive, or waiting for the end. */
static bool far_is_held(const Slumber__SubmitRequest *m) {
        return m->allocate || m->wait || m->again;
}

/* The submission; for a heterogeneous job the first component, whose options apply to the
   connection.  NULL: no submission. */
static const Slumber__SubmitRequest *far_submission(const Envelope *env) {
        if (env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT)
                return env->submit;
        return env->body_case == SLUMBER__ENVELOPE__BODY_SUBMIT_HET && env->submit_het->n_components
                               ? env->submit_het->components[0]
                               : NULL;
}

const struct far_request *far_find(const Envelope *env, const char **ret_why) {
        *ret_why = "another cluster is not asked that: its own commands do it";
        if (env->body_case == SLUMBER__ENVELOPE__BODY_JOB_ACTION)
                return find_action(env->job_action);
        if (has_no_answer(env))
                return NULL;
        const Slumber__SubmitRequest *submit = far_submission(env);
        if (submit && far_is_held(submit)) {
                *ret_why = "other clusters take batch jobs alone, for which nothing waits";
                return NULL;
        }
        if (submit && submit->test_only)
                return &test_only;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_ACCT_CHANGE && !env->acct_change->commit)
                return &preview;
        if (env->body_case == SLUMBER__ENVELOPE__BODY_STATS_QUERY && env->stats_query->reset)
                return &reset;
        for (size_t i = 0; i < ELEMENTSOF(requests); i++)
                if (requests[i].body == (unsigned)env->body_case)
                        return &requests[i];
        return NULL;
}

const struct far_request *far_read(const Slumber__ClusterRequest *m, Envelope **ret,
                const char **ret_why) {
        _cleanup_envelope_ Envelope *env = NULL;
        int r = wire_unpack(m->request.data, m->request.len, &env);

        if (r < 0) {
                *ret_why = wire_strerror(r);
                return NULL;
        }
        const struct far_request *row = far_find(env, ret_why);
        if (row)
                *ret = TAKE(env);
        return row;
}

bool far_answers(const struct far_request *row, const Envelope *answer) {
        return (unsigned)answer->body_case == row->answer ||
               answer->body_case == SLUMBER__ENVELOPE__BODY_OK ||
               answer->body_case == SLUMBER__ENVELOPE__BODY_ERROR;
}

size_t far_words(unsigned rights, const char **ret) {
        size_t n = 0;

        for (unsigned bit = 0; bit < CLUSTER_RIGHTS_MAX; bit++)
                if (rights & 1u << bit)
                        ret[n++] = cluster_right_word((enum cluster_right)(1u << bit));
        return n;
}
