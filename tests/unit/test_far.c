/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What passes between clusters: what the table has, and nothing else. */
#include "controller/clusters/far.h"
#include "tests/unit/test.h"

#define BODY(name) SLUMBER__ENVELOPE__BODY_##name

static const struct far_request *find(Envelope *env) {
        const char *why = NULL;
        const struct far_request *row = far_find(env, &why);

        assert_non_null(why);
        return row;
}

static void what_is_not_in_the_table_is_refused(void **state) {
        static const unsigned passes[] = { BODY(JOB_QUERY), BODY(NODE_QUERY), BODY(PARTITION_QUERY),
                BODY(RESERVATION_QUERY), BODY(LICENSE_QUERY), BODY(CONFIG_QUERY), BODY(USER_QUERY),
                BODY(ENDED_QUERY), BODY(ACCT_QUERY), BODY(PRIORITY_QUERY), BODY(SHARE_QUERY),
                BODY(SCRIPT_QUERY), BODY(ASSOC_MGR_QUERY), BODY(INSTANCE_QUERY), BODY(SUBMIT),
                BODY(JOB_ACTION), BODY(JOB_UPDATE) };
        const ProtobufCMessageDescriptor *d = &slumber__envelope__descriptor;

        (void)state;
        for (unsigned i = 0; i < d->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &d->fields[i];
                Envelope env = SLUMBER__ENVELOPE__INIT;
                bool expected = false;

                if (!(f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) || f->id == BODY(SUBMIT) ||
                                f->id == BODY(SUBMIT_HET) || f->id == BODY(JOB_ACTION) ||
                                f->id == BODY(PING) || f->id == BODY(ACCT_CHANGE) ||
                                f->id == BODY(STATS_QUERY))
                        continue;
                for (size_t k = 0; k < ELEMENTSOF(passes); k++)
                        expected |= passes[k] == f->id;
                env.body_case = (Slumber__Envelope__BodyCase)f->id;
                const struct far_request *row = find(&env);
                assert_int_equal(row != NULL, expected);
                assert_true(!row || row->body == f->id);
        }
}

static void what_has_no_answer_is_refused(void **state) {
        Slumber__PingRequest m = SLUMBER__PING_REQUEST__INIT;
        ENVELOPE(env, PING, ping, &m);

        (void)state;
        assert_int_equal(find(&env)->answer, BODY(PING_REPLY));
        m.job_id = 1; /* of its holder */
        assert_null(find(&env));
}

static void only_batch_jobs_are_submitted(void **state) {
        Slumber__SubmitRequest m = SLUMBER__SUBMIT_REQUEST__INIT;
        protobuf_c_boolean *const held[] = { &m.allocate, &m.wait, &m.again };
        ENVELOPE(env, SUBMIT, submit, &m);

        (void)state;
        const struct far_request *row = find(&env);
        assert_int_equal(row->right, CLUSTER_SUBMIT);
        assert_false(row->asks);
        m.test_only = true;
        row = find(&env);
        assert_int_equal(row->right, CLUSTER_SUBMIT);
        assert_true(row->asks);
        for (size_t i = 0; i < ELEMENTSOF(held); i++) {
                *held[i] = true;
                assert_null(find(&env));
                *held[i] = false;
        }
}

static void a_heterogeneous_job_is_its_first_component(void **state) {
        Slumber__SubmitRequest m = SLUMBER__SUBMIT_REQUEST__INIT, *components[] = { &m };
        Slumber__SubmitHet het = SLUMBER__SUBMIT_HET__INIT;
        ENVELOPE(env, SUBMIT_HET, submit_het, &het);

        (void)state;
        assert_non_null(find(&env)); /* it is refused where it is admitted */
        het.components = components;
        het.n_components = 1;
        assert_int_equal(find(&env)->right, CLUSTER_SUBMIT);
        m.test_only = true;
        assert_true(find(&env)->asks);
        m.allocate = true;
        assert_null(find(&env));
}

static void rights_follow_what_is_done_to_a_job(void **state) {
        Slumber__JobAction m = SLUMBER__JOB_ACTION__INIT;
        ENVELOPE(env, JOB_ACTION, job_action, &m);

        (void)state;
        for (int kind = -1; kind < 64; kind++) {
                bool cancels = kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_CANCEL ||
                               kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL;
                m.kind = (Slumber__JobActionKind)kind;
                const struct far_request *row = find(&env);
                if (kind == SLUMBER__JOB_ACTION_KIND__JOB_ACTION_COMPLETE || kind <= 0)
                        assert_null(row);
                else if (row)
                        assert_int_equal(row->right, cancels ? CLUSTER_CANCEL : CLUSTER_UPDATE);
                else
                        assert_false(cancels);
        }
        m.kind = SLUMBER__JOB_ACTION_KIND__JOB_ACTION_SIGNAL;
        m.sent = true; /* a client says that its nodes have had it */
        assert_null(find(&env));
}

static void to_show_statistics_does_not_reset_them(void **state) {
        Slumber__StatsQuery m = SLUMBER__STATS_QUERY__INIT;
        ENVELOPE(env, STATS_QUERY, stats_query, &m);

        (void)state;
        assert_int_equal(find(&env)->right, CLUSTER_SHOW);
        m.reset = true;
        assert_int_equal(find(&env)->right, CLUSTER_UPDATE);
        assert_false(find(&env)->asks);
}

static void a_change_of_accounts_is_a_right_of_its_own(void **state) {
        Slumber__AcctChange m = SLUMBER__ACCT_CHANGE__INIT;
        ENVELOPE(env, ACCT_CHANGE, acct_change, &m);

        (void)state;
        assert_int_equal(find(&env)->right, CLUSTER_ACCOUNTS);
        assert_true(find(&env)->asks); /* what would be done */
        m.commit = true;
        assert_int_equal(find(&env)->right, CLUSTER_ACCOUNTS);
        assert_false(find(&env)->asks);
        assert_int_equal(find(&env)->answer, BODY(ACCT_REPLY));
}

static void an_answer_is_of_the_requests_kind(void **state) {
        Slumber__JobQuery query = SLUMBER__JOB_QUERY__INIT;
        ENVELOPE(env, JOB_QUERY, job_query, &query);
        const struct far_request *row = find(&env);
        Envelope answer = SLUMBER__ENVELOPE__INIT;
        static const struct {
                unsigned body;
                bool right;
        } answers[] = { { BODY(JOB_LIST), true }, { BODY(ERROR), true }, { BODY(OK), true },
                { BODY(HOME_AT), false }, { BODY(LAUNCH_STEP), false },
                { BODY(SUBMIT_REPLY), false }, { BODY(_NOT_SET), false } };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(answers); i++) {
                answer.body_case = (Slumber__Envelope__BodyCase)answers[i].body;
                assert_int_equal(far_answers(row, &answer), answers[i].right);
        }
}

/* The request as a command sends it. */
static Slumber__ClusterRequest wrap(const Envelope *env, uint8_t **frame) {
        Slumber__ClusterRequest m = SLUMBER__CLUSTER_REQUEST__INIT;
        size_t size;

        assert_int_equal(wire_pack(env, frame, &size), 0);
        m.request.data = *frame + 4;
        m.request.len = size - 4;
        return m;
}

static void a_request_is_read_or_refused_in_words(void **state) {
        _cleanup_free_ uint8_t *frame = NULL, *again = NULL;
        _cleanup_envelope_ Envelope *request = NULL;
        Slumber__PingRequest ping = SLUMBER__PING_REQUEST__INIT;
        ENVELOPE(env, PING, ping, &ping);
        Slumber__ClusterRequest m = wrap(&env, &frame);
        const char *why = NULL;

        (void)state;
        assert_int_equal(far_read(&m, &request, &why)->body, BODY(PING));
        assert_int_equal(request->body_case, BODY(PING));
        m.request.len--;
        Envelope *none = NULL;
        assert_null(far_read(&m, &none, &why));
        assert_string_equal(why, "a malformed message");
        m.request.len = 0;
        assert_null(far_read(&m, &none, &why));
        m.request.len = 0;
        ENVELOPE(outer, CLUSTER_REQUEST, cluster_request, &m);
        Slumber__ClusterRequest relay = wrap(&outer, &again); /* no relay of relays */
        assert_null(far_read(&relay, &none, &why));
        assert_non_null(strstr(why, "is not asked that"));
        assert_null(none);
}

static void rights_have_words(void **state) {
        const char *words[CLUSTER_RIGHTS_MAX];

        (void)state;
        assert_int_equal(far_words(0, words), 0);
        assert_int_equal(far_words(CLUSTER_SHOW | CLUSTER_CANCEL, words), 2);
        assert_string_equal(words[1], "cancel");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(what_is_not_in_the_table_is_refused),
                cmocka_unit_test(what_has_no_answer_is_refused),
                cmocka_unit_test(only_batch_jobs_are_submitted),
                cmocka_unit_test(a_heterogeneous_job_is_its_first_component),
                cmocka_unit_test(rights_follow_what_is_done_to_a_job),
                cmocka_unit_test(to_show_statistics_does_not_reset_them),
                cmocka_unit_test(a_change_of_accounts_is_a_right_of_its_own),
                cmocka_unit_test(an_answer_is_of_the_requests_kind),
                cmocka_unit_test(a_request_is_read_or_refused_in_words),
                cmocka_unit_test(rights_have_words),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
