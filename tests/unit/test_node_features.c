/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/model/feature.h"
#include "controller/model/node_features.h"
#include "tests/unit/test.h"

/* The guide's example, with images that exclude each other. */
static const char conf[] = "NodeName=cloud[1-5] Feature=f1,f2 Helper=/bin/true\n"
                           "NodeName=cloud[6-10] Feature=f3,f4 Helper=/bin/true\n"
                           "MutuallyExclusive=f1,f2\nExecTime=3\n";

struct fixture {
        struct helpers *helpers;
        struct node n;
};

static int setup(void **state) {
        struct fixture *f = xnew0(struct fixture, 1);

        assert_int_equal(helpers_parse("helpers.conf", conf, strlen(conf), &f->helpers, NULL), 0);
        f->n = (struct node){
                .name = (char *)(uintptr_t) "cloud2",
                .features = (char *)(uintptr_t) "f1,f2,l1",
                .flags = NODE_CLOUD,
                .power = NODE_POWERED_DOWN,
        };
        node_features_configure(&f->n, f->helpers);
        *state = f;
        return 0;
}

static int teardown(void **state) {
        struct fixture *f = *state;

        free(f->n.changeable);
        free(f->n.active);
        free(f->n.image);
        helpers_free(f->helpers);
        free(f);
        return 0;
}

static bool fits(const struct fixture *f, const char *expression, bool ever) {
        _cleanup_(features_freep) struct features *wanted = NULL;

        assert_int_equal(features_parse(expression, &wanted, NULL), 0);
        return features_match(wanted, &f->n, ever ? FEATURES_EVER : FEATURES_NOW);
}

static void wake_for(struct fixture *f, const char *expression) {
        _cleanup_(features_freep) struct features *wanted = NULL;

        assert_int_equal(features_parse(expression, &wanted, NULL), 0);
        node_features_settle(&f->n, wanted);
        f->n.power = NODE_ON;
}

static void assert_active(const struct fixture *f, const char *expected) {
        _cleanup_free_ char *active = node_features_active(&f->n);

        assert_string_equal(active, expected);
}

static void while_off_all_can_be_had_but_only_labels_are_active(void **state) {
        const struct fixture *f = *state;

        assert_string_equal(f->n.changeable, "f1,f2");
        assert_true(fits(f, "f1", false));
        assert_true(fits(f, "f2&l1", false));
        assert_false(fits(f, "f3", false));
        assert_active(f, "l1");
}

static void what_the_job_asked_for_is_active_until_it_is_off(void **state) {
        struct fixture *f = *state;

        wake_for(f, "f2&l1");
        assert_active(f, "f2,l1");
        assert_true(fits(f, "f2", false));
        assert_false(fits(f, "f1", false));
        assert_true(fits(f, "f1", true)); /* some day */
        node_features_forget(&f->n);
        f->n.power = NODE_POWERED_DOWN;
        assert_active(f, "l1");
        assert_true(fits(f, "f1", false));
}

static void of_alternatives_the_first_counts(void **state) {
        struct fixture *f = *state;

        wake_for(f, "f3|f1|f2");
        assert_active(f, "f1,l1");
}

static void exclusive_features_are_not_had_together(void **state) {
        const struct fixture *f = *state;

        assert_false(fits(f, "f1&f2", false));
        assert_false(fits(f, "f1&f2", true));
}

static void a_job_that_asks_for_none_wakes_it_with_none(void **state) {
        struct fixture *f = *state;

        node_features_settle(&f->n, NULL);
        f->n.power = NODE_ON;
        assert_active(f, "l1");
        assert_false(fits(f, "f1", false));
}

static void a_report_must_have_what_is_active(void **state) {
        struct fixture *f = *state;
        struct fail fail = { 0 };

        wake_for(f, "f1");
        assert_int_equal(node_features_reported(&f->n, "", &fail), 0); /* Helper=/bin/true */
        assert_active(f, "f1,l1");
        assert_int_equal(node_features_reported(&f->n, "f2,x", &fail), -EINVAL);
        assert_string_equal(fail.text,
                        "Reported active features (f2,x) are not a superset of currently active changeable "
                        "features (f1)");
        assert_active(f, "f1,l1");
        assert_int_equal(node_features_reported(&f->n, "f2,f1", &fail), 0);
        assert_active(f, "f1,f2,l1");
}

static void one_that_is_no_clouds_sleeps_with_its_last_image(void **state) {
        struct fixture *f = *state;

        f->n.flags = 0;
        f->n.base = NODE_IDLE;
        assert_true(fits(f, "f1", false)); /* not known: it has to be looked at */
        assert_true(node_features_woken(&f->n, "f1"));
        node_features_forget(&f->n);
        assert_active(f, "l1");
        assert_true(fits(f, "f1&l1", false));
        assert_false(fits(f, "f2", false));
        f->n.power = NODE_ON;
        assert_false(fits(f, "f1", false));
}

static void scontrol_sets_what_can_change(void **state) {
        struct fixture *f = *state;
        struct fail fail = { 0 };

        assert_int_equal(node_features_check(&f->n, f->n.features, "f1,f9", &fail), -EINVAL);
        assert_string_equal(fail.text, "ActiveFeatures: f9 is not a feature of node cloud2");
        assert_int_equal(node_features_check(&f->n, f->n.features, "f2", &fail), -EINVAL);
        assert_string_equal(fail.text,
                        "ActiveFeatures: l1 of node cloud2 is always active, for helpers.conf does not name it");
        assert_int_equal(node_features_check(&f->n, "f1,f2", "f2", &fail), 0);
        assert_int_equal(node_features_check(&f->n, NULL, "", &fail), 0);
        assert_int_equal(node_features_check(&f->n, f->n.features, "f2,l1", &fail), 0);
        node_features_set(&f->n, "f2,l1");
        assert_active(f, "f2,l1");
}

static void a_file_says_where_it_is_wrong(void **state) {
        static const struct {
                const char *text, *wrong;
        } files[] = {
                { "Feature=a Helper=/x\nFeature=b", "h line 2: Feature=b has no Helper=" },
                { "Feature=a Helper=x", "h line 1: Helper=x is not an absolute path" },
                { "NodeName=n[1- Feature=a Helper=/x", "h line 1: NodeName: " },
                { "Feature=a,,b Helper=/x", "h line 1: Feature=a,,b: a name is missing" },
                { "Helper=/x", "h line 1: Helper= stands without Feature=" },
                { "Feature=a Helper=/x Colour=red",
                                "h line 1: Colour is not a key of helpers.conf" },
                { "Feature=a Feature=b Helper=/x", "h line 1: Feature stands twice on the line" },
                { "BootTime=soon", "h line 1: BootTime=soon is not a number of seconds" },
                { "\nExecTime=0", "h line 2: ExecTime=0: 1 to 3600 seconds were expected" },
        };

        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                struct helpers *h = NULL;
                struct fail fail = { 0 };

                assert_int_equal(
                                helpers_parse("h", files[i].text, strlen(files[i].text), &h, &fail),
                                -EINVAL);
                assert_null(h);
                assert_memory_equal(fail.text, files[i].wrong, strlen(files[i].wrong));
        }
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
        const struct CMUnitTest tests[] = {
                CASE(while_off_all_can_be_had_but_only_labels_are_active),
                CASE(what_the_job_asked_for_is_active_until_it_is_off),
                CASE(of_alternatives_the_first_counts),
                CASE(exclusive_features_are_not_had_together),
                CASE(a_job_that_asks_for_none_wakes_it_with_none),
                CASE(a_report_must_have_what_is_active),
                CASE(one_that_is_no_clouds_sleeps_with_its_last_image),
                CASE(scontrol_sets_what_can_change),
                cmocka_unit_test(a_file_says_where_it_is_wrong),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
