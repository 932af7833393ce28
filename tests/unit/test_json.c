/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/test.h"

#include "commands/json.h"

#include <json-c/json.h>

static struct json_object *parse(char *text) {
        struct json_object *o = json_tokener_parse(text);

        free(text);
        assert_non_null(o);
        return o;
}

static struct json_object *jobs_document(Job *job) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        _cleanup_(json_jobs_freep) struct json_jobs *jobs = json_jobs_new(out);

        json_jobs_add(jobs, job);
        json_jobs_end(jobs, UINT64_C(1795226042) * USEC_PER_SEC);
        fclose(out);
        return parse(text);
}

/* The member at a path of keys; numbers are places in lists. */
static struct json_object *at(struct json_object *o, const char *path) {
        while (*path) {
                size_t n = strcspn(path, ".");
                char key[64];

                snprintf(key, sizeof key, "%.*s", (int)n, path);
                if (json_object_is_type(o, json_type_array))
                        o = json_object_array_get_idx(o, (size_t)(key[0] - '0'));
                else
                        assert_true(json_object_object_get_ex(o, key, &o));
                path += n + (path[n] == '.');
        }
        return o;
}
#define TEXT_AT(o, path)   json_object_get_string(at((o), (path)))
#define NUMBER_AT(o, path) ((int)json_object_get_int64(at((o), (path))))

static void a_job_goes_by_the_names_that_clients_use(void **state) {
        Job job = SLUMBER__JOB__INIT;
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        struct json_object *o;

        job.id = 7;
        job.spec = &spec;
        job.user = (char *)"root";
        job.state = SLUMBER__JOB_STATE__JOB_RUNNING;
        job.state_flags = SLUMBER__JOB_FLAG__JOB_FLAG_CONFIGURING;
        job.partition = (char *)"main";
        job.start_time = UINT64_C(1795226042) * USEC_PER_SEC;
        job.time_limit = 3600 * USEC_PER_SEC;
        job.exit_code = 3 << 8 | 9;
        spec.name = (char *)"a \"name\"\n";
        spec.batch = true;
        spec.work_dir = (char *)"/work";
        spec.time_limit = 1;
        o = jobs_document(&job);
        assert_int_equal(NUMBER_AT(o, "jobs.0.job_id"), 7);
        assert_string_equal(TEXT_AT(o, "jobs.0.job_state.0"), "RUNNING");
        assert_string_equal(TEXT_AT(o, "jobs.0.job_state.1"), "CONFIGURING");
        assert_string_equal(TEXT_AT(o, "jobs.0.user_name"), "root");
        assert_string_equal(TEXT_AT(o, "jobs.0.name"), "a \"name\"\n");
        assert_string_equal(TEXT_AT(o, "jobs.0.partition"), "main");
        assert_string_equal(TEXT_AT(o, "jobs.0.standard_output"), "/work/slurm-7.out");
        assert_int_equal(NUMBER_AT(o, "jobs.0.start_time.number"), 1795226042);
        assert_int_equal(NUMBER_AT(o, "jobs.0.time_limit.number"),
                        60); /* the one in force, not the asked one */
        assert_int_equal(NUMBER_AT(o, "jobs.0.exit_code.return_code.number"), 3);
        assert_int_equal(NUMBER_AT(o, "jobs.0.exit_code.signal"), 9);
        assert_string_equal(TEXT_AT(o, "meta.slurm.version.major"), "25");
        json_object_put(o);
}

static void no_limit_is_infinite(void **state) {
        Job job = SLUMBER__JOB__INIT;
        struct json_object *o;

        job.time_limit = NO_LIMIT;
        o = jobs_document(&job);
        assert_true(json_object_get_boolean(at(o, "jobs.0.time_limit.infinite")));
        assert_false(json_object_get_boolean(at(o, "jobs.0.start_time.set")));
        json_object_put(o);
}

static void every_field_of_a_job_is_told(void **state) {
        Slumber__AllocNode one = SLUMBER__ALLOC_NODE__INIT, *alloc[] = { &one };
        Job job = SLUMBER__JOB__INIT;
        struct json_object *o;

        one.name = (char *)"n1";
        one.mem = 100;
        job.alloc = alloc;
        job.n_alloc = 1;
        job.no_suspend = true;
        o = jobs_document(&job);
        assert_string_equal(TEXT_AT(o, "jobs.0.alloc.0.name"), "n1");
        assert_int_equal(NUMBER_AT(o, "jobs.0.alloc.0.mem"), 100);
        assert_true(json_object_get_boolean(at(o, "jobs.0.no_suspend")));
        assert_int_equal(json_object_array_length(at(o, "jobs.0.steps")), 0);
        json_object_put(o);
}

static void a_node_goes_by_the_names_that_clients_use(void **state) {
        Node node = SLUMBER__NODE__INIT;
        Slumber__Hardware h = SLUMBER__HARDWARE__INIT;
        const Node *list[] = { &node };
        char *partitions[] = { (char *)"a", (char *)"b" };
        struct json_object *o;
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        node.name = (char *)"c1";
        node.hostname = (char *)"host1";
        node.state_text = (char *)"IDLE+CLOUD+POWERED_DOWN";
        node.features = (char *)"fast,big";
        node.configured = &h;
        node.partitions = partitions;
        node.n_partitions = 2;
        h.cpus = 8;
        json_print_nodes(list, 1, 0, out);
        fclose(out);
        o = parse(text);
        assert_string_equal(TEXT_AT(o, "nodes.0.name"), "c1");
        assert_string_equal(TEXT_AT(o, "nodes.0.hostname"), "host1");
        assert_int_equal(json_object_array_length(at(o, "nodes.0.state")), 3);
        assert_string_equal(TEXT_AT(o, "nodes.0.state.2"), "POWERED_DOWN");
        assert_string_equal(TEXT_AT(o, "nodes.0.features.1"), "big");
        assert_string_equal(TEXT_AT(o, "nodes.0.partitions.1"), "b");
        assert_int_equal(NUMBER_AT(o, "nodes.0.cpus"), 8);
        assert_false(json_object_get_boolean(at(o, "nodes.0.free_mem.set")));
        json_object_put(o);
}

static void an_empty_list_is_a_list(void **state) {
        struct json_object *o;
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        json_print_partitions(NULL, 0, 0, out);
        fclose(out);
        o = parse(text);
        assert_int_equal(json_object_array_length(at(o, "partitions")), 0);
        assert_int_equal(json_object_array_length(at(o, "errors")), 0);
        json_object_put(o);
}

static void a_name_that_is_no_utf8_is_told_in_utf8(void **state) {
        Slumber__JobSpec spec = SLUMBER__JOB_SPEC__INIT;
        Slumber__Job job = SLUMBER__JOB__INIT;
        struct json_object *o;

        job.spec = &spec;
        spec.name = (char *)"\xff"
                            "a\xc3\xa4\xc3(\xed\xa0\x80\xf0\x9f\x98\x80\xc0\xaf\xe2\x82";
        o = jobs_document(&job);
        assert_string_equal(json_object_get_string(at(o, "jobs.0.name")),
                        "\xef\xbf\xbd"
                        "a\xc3\xa4\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                        "\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
        json_object_put(o);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(a_job_goes_by_the_names_that_clients_use),
                cmocka_unit_test(no_limit_is_infinite),
                cmocka_unit_test(a_name_that_is_no_utf8_is_told_in_utf8),
                cmocka_unit_test(every_field_of_a_job_is_told),
                cmocka_unit_test(a_node_goes_by_the_names_that_clients_use),
                cmocka_unit_test(an_empty_list_is_a_list),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
