/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists that come in pages: squeue and scontrol as processes, and this test as their daemon. */
#include "commands/command.h"
#include "tests/unit/fakedaemon.h"

#define RECORDS 3 /* in a page */

struct records {
        uint8_t data[RECORDS][512];
        ProtobufCBinaryData list[RECORDS];
};

static void pack(struct records *to, size_t i, const ProtobufCMessage *m) {
        assert_true(protobuf_c_message_get_packed_size(m) <= sizeof to->data[i]);
        to->list[i] = (ProtobufCBinaryData){ protobuf_c_message_pack(m, to->data[i]), to->data[i] };
}

static void send_jobs(struct fake *f, uint32_t first, bool more, uint64_t reply_to) {
        Slumber__JobList list = SLUMBER__JOB_LIST__INIT;
        struct records records;

        for (uint32_t i = 0; i < RECORDS; i++) {
                Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
                Slumber__Job job = SLUMBER__JOB__INIT;

                job.id = first + i;
                job.priority = job.id % 2;
                job.spec = &spec;
                job.partition = (char *)"main";
                spec.name = (char *)"x";
                pack(&records, i, &job.base);
        }
        list.jobs = records.list;
        list.n_jobs = RECORDS;
        list.last_id = first + RECORDS - 1;
        list.more = more;
        list.now = first;
        ENVELOPE(env, JOB_LIST, job_list, &list);
        fake_send(f, &env, reply_to);
}

static void a_list_of_jobs_is_asked_for_page_by_page_and_sorted_whole(void **state) {
        struct fake f;

        (void)state;
        fake_open(&f);
        fake_start(&f, squeue_main,
                        (const char *const[]){ "squeue", "-h", "-o", "%i %j", "-S", "p,-i", NULL });
        fake_accept(&f);
        for (uint32_t page = 0; page < 3; page++) {
                _cleanup_envelope_ Envelope *env = fake_receive(&f,
                                SLUMBER__ENVELOPE__BODY_JOB_QUERY);

                assert_int_equal(env->job_query->after_id, page * RECORDS);
                assert_true(env->job_query->n_fields > 0 && env->job_query->n_spec_fields > 0);
                send_jobs(&f, 1 + page * RECORDS, page < 2, env->id);
        }
        assert_int_equal(fake_end(&f), 0);
        assert_string_equal(f.out, "8 x\n6 x\n4 x\n2 x\n9 x\n7 x\n5 x\n3 x\n1 x\n");
        fake_close(&f);
}

static void what_takes_more_of_a_job_asks_for_all_of_it(void **state) {
        struct fake f;

        (void)state;
        fake_open(&f);
        fake_start(&f, squeue_main, (const char *const[]){ "squeue", "-h", "-o", "%i %Z", NULL });
        fake_accept(&f);
        _cleanup_envelope_ Envelope *env = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);
        assert_int_equal(env->job_query->n_fields + env->job_query->n_spec_fields, 0);
        send_jobs(&f, 1, false, env->id);
        assert_int_equal(fake_end(&f), 0);
        fake_close(&f);
}

/* Whatever the controller has let in. */
static void what_a_terminal_would_obey_is_not_printed(void **state) {
        Slumber__JobList list = SLUMBER__JOB_LIST__INIT;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        Slumber__Job job = SLUMBER__JOB__INIT;
        ProtobufCBinaryData record;
        struct fake f;

        (void)state;
        fake_open(&f);
        fake_start(&f, squeue_main,
                        (const char *const[]){ "squeue", "-h", "-O", "tres-bind:40", NULL });
        fake_accept(&f);
        _cleanup_envelope_ Envelope *env = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);
        job.id = 1;
        job.spec = &spec;
        spec.tres_bind = (char *)"gres/gpu:\x1b[31mclosest";
        record.len = slumber__job__get_packed_size(&job);
        record.data = xmalloc(record.len);
        slumber__job__pack(&job, record.data);
        list.jobs = &record;
        list.n_jobs = 1;
        ENVELOPE(reply, JOB_LIST, job_list, &list);
        fake_send(&f, &reply, env->id);
        assert_int_equal(fake_end(&f), 0);
        assert_non_null(strstr(f.out, "gres/gpu:?[31mclosest"));
        assert_null(strchr(f.out, 0x1b));
        free(record.data);
        fake_close(&f);
}

static void a_record_that_is_none_is_told(void **state) {
        Slumber__JobList list = SLUMBER__JOB_LIST__INIT;
        ProtobufCBinaryData broken = { 2, (uint8_t *)"\x08\xff" };
        struct fake f;

        (void)state;
        fake_open(&f);
        fake_start(&f, squeue_main, (const char *const[]){ "squeue", NULL });
        fake_accept(&f);
        _cleanup_envelope_ Envelope *env = fake_receive(&f, SLUMBER__ENVELOPE__BODY_JOB_QUERY);
        list.jobs = &broken;
        list.n_jobs = 1;
        ENVELOPE(reply, JOB_LIST, job_list, &list);
        fake_send(&f, &reply, env->id);
        assert_int_equal(fake_end(&f), 1);
        assert_non_null(strstr(f.err,
                        "slurm_load_jobs error: the controller's record is no Job\n"));
        assert_string_equal(f.out, "");
        fake_close(&f);
}

static void send_nodes(struct fake *f, unsigned first, uint32_t seen, bool more,
                uint64_t reply_to) {
        Slumber__NodeList list = SLUMBER__NODE_LIST__INIT;
        struct records records;

        for (unsigned i = 0; i < RECORDS; i++) {
                Slumber__Node node = SLUMBER__NODE__INIT;
                char name[16];

                snprintf(name, sizeof name, "n%u", first + i);
                node.name = name;
                node.state_text = (char *)"IDLE";
                pack(&records, i, &node.base);
        }
        list.nodes = records.list;
        list.n_nodes = RECORDS;
        list.n_seen = seen;
        list.more = more;
        ENVELOPE(env, NODE_LIST, node_list, &list);
        fake_send(f, &env, reply_to);
}

static void nodes_are_counted_by_those_that_records_stand_for(void **state) {
        static const uint32_t seen[] = { 100, 3, 20 }, skip[] = { 0, 100, 103 };
        struct fake f;

        (void)state;
        fake_open(&f);
        fake_start(&f, scontrol_main,
                        (const char *const[]){ "scontrol", "-o", "show", "node", NULL });
        fake_accept(&f);
        for (uint32_t page = 0; page < 3; page++) {
                _cleanup_envelope_ Envelope *env = fake_receive(&f,
                                SLUMBER__ENVELOPE__BODY_NODE_QUERY);

                assert_int_equal(env->node_query->skip, skip[page]);
                send_nodes(&f, 1 + page * RECORDS, seen[page], page < 2, env->id);
        }
        assert_int_equal(fake_end(&f), 0);
        assert_int_equal(strncmp(f.out, "NodeName=n1 ", 12), 0);
        assert_non_null(strstr(f.out, "\nNodeName=n9 "));
        fake_close(&f);
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_list_of_jobs_is_asked_for_page_by_page_and_sorted_whole),
                cmocka_unit_test(what_takes_more_of_a_job_asks_for_all_of_it),
                cmocka_unit_test(what_a_terminal_would_obey_is_not_printed),
                cmocka_unit_test(a_record_that_is_none_is_told),
                cmocka_unit_test(nodes_are_counted_by_those_that_records_stand_for),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
