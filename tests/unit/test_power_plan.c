/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is sent to a BMC and when, and the pool of threads that does it for many. */
#include "tests/unit/test.h"

#include "power/plan.h"

#include <pthread.h>

#define S USEC_PER_SEC

static struct plan begin(enum power_verb verb) {
        struct power_conf conf = { .poll = S / 4, .cycle_pause = 5 * S };
        struct power_bmc bmc = { .node = (char *)"n7", .address = (char *)"b7" };
        struct plan plan;

        plan_begin(&plan, verb, 100 * S, 160 * S, &conf, &bmc);
        return plan;
}

static const struct power_cause silent = {
        POWER_FAULT_SILENT,
        { .text = "BMC b7 does not answer" },
        0,
};
static const struct power_cause refused = {
        POWER_FAULT_CONFIG,
        { .text = "password refused by BMC b7" },
        0,
};
static const struct power_cause not_now = {
        POWER_FAULT_NOT_NOW,
        { .text = "not in present state" },
        0,
};

static void on_is_done_by_a_reading_only(void **state) {
        struct plan p = begin(POWER_ON);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 100 * S), PLAN_SEND_ON);
        assert_int_equal(plan_sent(&p, 101 * S), PLAN_READ);
        assert_true(p.when > 101 * S);
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 102 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 103 * S), PLAN_DONE);
        assert_true(p.changed);
}

static void a_check_that_has_read_the_state_says_so(void **state) {
        struct power_identity identity = { .uuid = "u" };
        struct plan p = begin(POWER_CHECK);

        (void)state;
        assert_int_equal(plan_check_seen(&p, POWER_IS_ON, 110 * S), PLAN_READ);
        assert_int_equal(p.when, 110 * S);
        assert_int_equal(plan_fault(&p, &silent, 125 * S), PLAN_READ);
        assert_int_equal(plan_fault(&p, &silent, 140 * S), PLAN_DONE);
        assert_int_equal(p.state, POWER_IS_ON);
        assert_string_equal(p.cause.fail.text, "BMC b7 does not answer");

        p = begin(POWER_CHECK);
        (void)plan_check_seen(&p, POWER_IS_OFF, 110 * S);
        assert_int_equal(plan_expired(&p), PLAN_DONE);
        assert_int_equal(p.state, POWER_IS_OFF);
        assert_string_equal(p.cause.fail.text, "BMC b7 did not answer in time");

        p = begin(POWER_CHECK);
        (void)plan_check_seen(&p, POWER_IS_OFF, 110 * S);
        assert_int_equal(plan_checked(&p, &identity), PLAN_DONE);
        assert_string_equal(p.identity.uuid, "u");
        assert_string_equal(p.cause.fail.text, "");

        p = begin(POWER_CHECK);
        assert_int_equal(plan_expired(&p), PLAN_FAILED);
}

static void what_a_bmc_refuses_has_changed_nothing(void **state) {
        static const struct power_cause no = {
                POWER_FAULT_REFUSED,
                { .text = "BMC b7 does not want to" },
                0,
        };
        struct plan p = begin(POWER_ON);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 100 * S), PLAN_SEND_ON);
        assert_int_equal(plan_fault(&p, &no, 101 * S), PLAN_FAILED);
        assert_int_equal(p.state, POWER_IS_OFF);
        p = begin(POWER_CYCLE);
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 100 * S), PLAN_SEND_OFF);
        assert_int_equal(plan_sent(&p, 101 * S), PLAN_READ);
        assert_int_equal(plan_fault(&p, &no, 102 * S), PLAN_FAILED);
        assert_int_equal(p.state, POWER_UNKNOWN);
}

static void what_is_on_already_is_left_alone(void **state) {
        struct plan p = begin(POWER_ON);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 100 * S), PLAN_DONE);
        assert_false(p.changed);
        p = begin(POWER_SOFT);
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 100 * S), PLAN_DONE);
        p = begin(POWER_SOFT);
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 100 * S), PLAN_SEND_SOFT);
}

static void cycle_sends_on_only_after_off_was_read(void **state) {
        struct plan p = begin(POWER_CYCLE);
        usec_t now = 100 * S;

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_ON, now), PLAN_SEND_OFF);
        assert_int_equal(plan_sent(&p, now), PLAN_READ);
        for (unsigned i = 0; i < 5; i++) {
                now += S;
                assert_int_equal(plan_seen(&p, POWER_IS_ON, now), PLAN_READ);
        }
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, now), PLAN_READ);
        assert_int_equal(p.when, now + 5 * S); /* the pause */
        now = p.when;
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, now), PLAN_SEND_ON);
        assert_int_equal(plan_sent(&p, now), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_IS_ON, now + S), PLAN_DONE);
}

static void a_command_without_effect_is_sent_once_more(void **state) {
        struct plan p = begin(POWER_ON);
        unsigned sent = 0;
        enum plan_act act = PLAN_READ;

        (void)state;
        for (usec_t now = 100 * S; act != PLAN_FAILED; now += S / 10) {
                assert_true(now < 161 * S);
                if (act == PLAN_SEND_ON) {
                        sent++;
                        act = plan_sent(&p, now);
                } else if (now >= p.when)
                        act = plan_seen(&p, POWER_IS_OFF, now);
        }
        assert_int_equal(sent, 2);
        assert_int_equal(p.cause.fault, POWER_FAULT_STUCK);
        assert_string_equal(p.cause.fail.text, "BMC b7 acknowledged power on but n7 stays off");
}

static void a_refused_password_is_not_tried_again(void **state) {
        struct plan p = begin(POWER_OFF);

        (void)state;
        assert_int_equal(plan_fault(&p, &refused, 100 * S), PLAN_FAILED);
        assert_int_equal(p.state, POWER_UNKNOWN);
        assert_string_equal(p.cause.fail.text, "password refused by BMC b7");
}

static void silence_after_a_command_leaves_the_state_unknown(void **state) {
        struct plan p = begin(POWER_OFF);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 100 * S), PLAN_SEND_OFF);
        assert_int_equal(plan_fault(&p, &silent, 115 * S), PLAN_READ);
        assert_int_equal(p.state, POWER_UNKNOWN);
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 116 * S), PLAN_DONE);
}

static void status_gives_up_on_the_silent_but_a_change_goes_on(void **state) {
        struct plan p = begin(POWER_STATUS);

        (void)state;
        assert_int_equal(plan_fault(&p, &silent, 115 * S), PLAN_READ);
        assert_int_equal(plan_fault(&p, &silent, 130 * S), PLAN_FAILED);
        assert_string_equal(p.cause.fail.text, "BMC b7 does not answer");
        p = begin(POWER_ON);
        assert_int_equal(plan_fault(&p, &silent, 115 * S), PLAN_READ);
        assert_int_equal(plan_fault(&p, &silent, 130 * S), PLAN_READ);
        assert_int_equal(plan_fault(&p, &silent, 145 * S), PLAN_READ);
        assert_int_equal(plan_fault(&p, &silent, 160 * S), PLAN_FAILED);
        assert_int_equal(p.cause.fault, POWER_FAULT_SILENT);
}

static void not_possible_now_is_settled_by_reading(void **state) {
        struct plan p = begin(POWER_OFF);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 100 * S), PLAN_SEND_OFF);
        assert_int_equal(plan_fault(&p, &not_now, 100 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 101 * S), PLAN_DONE);
        assert_false(p.changed);
}

static void nothing_is_sent_while_a_bmc_says_changing(void **state) {
        struct plan p = begin(POWER_ON);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_IS_CHANGING, 100 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_IS_OFF, 101 * S), PLAN_SEND_ON);
        assert_int_equal(plan_sent(&p, 101 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_IS_CHANGING, 102 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_IS_ON, 103 * S), PLAN_DONE);
        p = begin(POWER_OFF);
        assert_int_equal(plan_seen(&p, POWER_IS_CHANGING, 160 * S), PLAN_FAILED);
        assert_string_equal(p.cause.fail.text, "BMC b7 reported n7 as changing until the deadline");
}

static void an_unknown_state_is_never_off(void **state) {
        struct plan p = begin(POWER_OFF);

        (void)state;
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 100 * S), PLAN_SEND_OFF);
        assert_int_equal(plan_sent(&p, 100 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 101 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 160 * S), PLAN_FAILED);
        assert_string_equal(p.cause.fail.text,
                        "BMC b7 acknowledged power off but the state of n7 cannot be read");
        p = begin(POWER_STATUS);
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 100 * S), PLAN_FAILED);
        /* unless silence is all that a driver can see of a node that is off: then it is done, and
           not confirmed */
        p = begin(POWER_OFF);
        p.silence_is_off = true;
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 100 * S), PLAN_SEND_OFF);
        assert_int_equal(plan_sent(&p, 100 * S), PLAN_READ);
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 101 * S), PLAN_DONE);
        assert_int_equal(p.state, POWER_UNKNOWN);
        p = begin(POWER_ON);
        assert_int_equal(plan_seen(&p, POWER_UNKNOWN, 100 * S), PLAN_SEND_ON);
        assert_int_equal(plan_sent_unread(&p, 100 * S), PLAN_DONE);
        assert_int_equal(p.state, POWER_UNKNOWN);
}

static void a_bmc_that_says_when_is_asked_then(void **state) {
        struct power_cause busy = { .fault = POWER_FAULT_BUSY, .retry_after = 20 * S };
        struct plan p = begin(POWER_ON);

        (void)state;
        assert_int_equal(plan_fault(&p, &busy, 100 * S), PLAN_READ);
        assert_int_equal(p.when, 120 * S);
        busy.retry_after = 3600 * S;
        assert_int_equal(plan_fault(&p, &busy, 120 * S), PLAN_READ);
        assert_true(p.when < 160 * S); /* not past the deadline */
}

static void a_node_that_another_request_treats_is_waited_for(void **state) {
        struct plan p = begin(POWER_ON);

        (void)state;
        assert_int_equal(plan_held(&p, 100 * S), PLAN_READ);
        assert_true(p.when > 100 * S && p.when < 102 * S);
        assert_int_equal(plan_held(&p, 160 * S), PLAN_FAILED);
        assert_int_equal(p.cause.fault, POWER_FAULT_BUSY);
        assert_string_equal(p.cause.fail.text, "another request to BMC b7 is under way");
}

/* ---- the pool ---- */

static int parse(const char *text, struct power_conf **ret, struct fail *fail) {
        *fail = (struct fail){ 0 };
        return power_conf_parse("/x/power.yaml", text, strlen(text), ret, fail);
}

#define GOOD_DEFAULTS                                                                              \
        "defaults: {user: admin, password_file: pw, cipher_suite: 3, workarounds: "                \
        "[opensesspriv]}\n"

/* A driver that is played: the node's name says how its BMC behaves. */
struct fake {
        pthread_mutex_t lock;
        unsigned open[4], opened[4]; /* sessions, by the digit at the end of the address */
        bool on[4], twice;
        usec_t acts_at[4]; /* when a command takes effect */
        bool wants[4];
};
static struct fake fake = { .lock = PTHREAD_MUTEX_INITIALIZER };
static const struct power_bmc *fake_bmc[4];

static size_t fake_index(const struct power_bmc *bmc) {
        return (size_t)(bmc->address[strlen(bmc->address) - 1] - '0');
}

static int fake_open(const struct power_bmc *bmc, usec_t limit, void **ret,
                struct power_cause *cause) {
        size_t i = fake_index(bmc);
        int r = 0;

        if (strncmp(bmc->node, "dead", 4) == 0) {
                usleep((useconds_t)limit * 2); /* longer than it should: as libraries do */
                cause->fault = POWER_FAULT_SILENT;
                return fail_set(&cause->fail, -ETIMEDOUT, "BMC %s does not answer", bmc->address);
        }
        pthread_mutex_lock(&fake.lock);
        if (fake.opened[i]++ < 2 && strncmp(bmc->node, "busy", 4) == 0) {
                cause->fault = POWER_FAULT_BUSY;
                r = fail_set(&cause->fail, -EBUSY, "BMC %s is busy", bmc->address);
        } else {
                fake.twice = fake.twice || fake.open[i]++ > 0;
                fake_bmc[i] = bmc;
                *ret = &fake_bmc[i];
        }
        pthread_mutex_unlock(&fake.lock);
        return r;
}

static int fake_status(void *session, enum power_state *ret, struct power_cause *cause) {
        size_t i = fake_index(*(const struct power_bmc **)session);

        pthread_mutex_lock(&fake.lock);
        if (fake.acts_at[i] && now_monotonic() >= fake.acts_at[i]) {
                fake.on[i] = fake.wants[i];
                fake.acts_at[i] = 0;
        }
        *ret = fake.on[i] ? POWER_IS_ON : POWER_IS_OFF;
        pthread_mutex_unlock(&fake.lock);
        return 0;
}

static int fake_control(void *session, enum power_verb verb, struct power_cause *cause) {
        size_t i = fake_index(*(const struct power_bmc **)session);

        pthread_mutex_lock(&fake.lock);
        assert_int_equal(fake.acts_at[i], 0); /* nothing is sent while a transition is under way */
        fake.wants[i] = verb == POWER_ON;
        fake.acts_at[i] = now_monotonic() + 150 * USEC_PER_MSEC;
        pthread_mutex_unlock(&fake.lock);
        return 0;
}

static void fake_close(void *session) {
        pthread_mutex_lock(&fake.lock);
        fake.open[fake_index(*(const struct power_bmc **)session)]--;
        pthread_mutex_unlock(&fake.lock);
}

static void fake_init(void) {
}

static const struct power_driver fake_driver = {
        .name = "fake",
        .noun = "BMC",
        .init = fake_init,
        .open = fake_open,
        .status = fake_status,
        .control = fake_control,
        .close = fake_close,
};

static struct power_conf *fake_conf(unsigned threads) {
        struct power_conf *conf = NULL;
        struct fail fail;
        _cleanup_free_ char *text = xasprintf(
                        "defaults: {user: u, password_file: p, poll: 20ms, cycle_pause: 50ms, "
                        "threads: %u}\nnodes: [{nodes: \"ok1,busy2,dead3\", bmc: \"b{n}\"}]\n",
                        threads);

        assert_int_equal(parse(text, &conf, &fail), 0);
        conf->accesses[0].driver = &fake_driver;
        pthread_mutex_lock(&fake.lock);
        memset(fake.opened, 0, sizeof fake.opened);
        memset(fake.on, 0, sizeof fake.on);
        pthread_mutex_unlock(&fake.lock);
        return conf;
}

static void the_dead_do_not_hold_up_the_living(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = fake_conf(1);
        _cleanup_(power_pool_unrefp) struct power_pool *pool = power_pool_new(conf, POWER_CYCLE,
                        2500 * USEC_PER_MSEC);
        struct fail fail;
        usec_t began = now_monotonic();

        (void)state;
        fake.on[1] = true;
        power_pool_add(pool, "dead3");
        power_pool_add(pool, "ok1");
        power_pool_add(pool, "busy2");
        assert_int_equal(power_pool_run(pool, NULL, NULL, &fail), 0);
        /* The deadline holds, though the driver sleeps for twice that long. */
        assert_true(now_monotonic() - began < 4500 * USEC_PER_MSEC);

        const struct power_result *dead = power_pool_result(pool, 0),
                                  *ok = power_pool_result(pool, 1),
                                  *busy = power_pool_result(pool, 2);
        assert_false(dead->ok);
        assert_int_equal(dead->state, POWER_UNKNOWN);
        assert_int_equal(dead->cause.fault, POWER_FAULT_SILENT);
        assert_string_equal(dead->cause.fail.text, "BMC b3 did not answer in time");
        assert_true(ok->ok && ok->changed);
        assert_int_equal(ok->state, POWER_IS_ON);
        assert_true(busy->ok && busy->changed);
        /* One thread, and the dead one came first: it went to the slow lane. */
        assert_true(ok->took < 2500 * USEC_PER_MSEC && busy->took < 2500 * USEC_PER_MSEC);
        assert_false(fake.twice);
}

static bool count_call(size_t i, void *userdata) {
        __atomic_add_fetch((unsigned *)userdata + i, 1, __ATOMIC_RELAXED);
        return true;
}

static void the_hook_holds_a_node_once_before_it_goes_on(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = fake_conf(4);
        _cleanup_(power_pool_unrefp) struct power_pool *pool = power_pool_new(conf, POWER_ON,
                        5 * S);
        unsigned calls[2] = { 0 };
        struct fail fail;

        (void)state;
        fake.on[2] = true;
        power_pool_add(pool, "ok1");
        power_pool_add(pool, "busy2");
        power_pool_before_on(pool, count_call, calls, 300 * USEC_PER_MSEC);
        assert_int_equal(power_pool_run(pool, NULL, NULL, &fail), 0);
        assert_int_equal(calls[0], 1);
        assert_int_equal(calls[1], 0); /* it was on */
        assert_true(power_pool_result(pool, 0)->ok && power_pool_result(pool, 1)->ok);
        assert_true(power_pool_result(pool, 0)->took >=
                        450 * USEC_PER_MSEC); /* the hold, and the BMC's lag */
        assert_false(power_pool_result(pool, 1)->changed);
}

static void nodes_that_are_not_there_fail_alone(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        _cleanup_(power_pool_unrefp) struct power_pool *pool = NULL;
        struct fail fail;

        (void)state;
        assert_int_equal(parse(GOOD_DEFAULTS "nodes:\n  - {nodes: n1, bmc: a}\n", &conf, &fail), 0);
        pool = power_pool_new(conf, POWER_STATUS, S);
        power_pool_add(pool, "x9");
        assert_int_equal(power_pool_run(pool, NULL, NULL, &fail), 0);
        const struct power_result *r = power_pool_result(pool, 0);
        assert_false(r->ok);
        assert_int_equal(r->state, POWER_UNKNOWN);
        assert_string_equal(r->cause.fail.text, "node x9 is not in /x/power.yaml");
}

static void hosts_may_do_it_for_us(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        struct fail fail = { 0 };

        (void)state;
        /* The networks of two racks may be numbered alike. */
        assert_int_equal(parse("defaults: {user: u, password_file: p, via: [r1, r2]}\n"
                               "nodes: [{nodes: n1, bmc: a}, {nodes: n2, bmc: b, via: none},\n"
                               "  {nodes: n3, bmc: a, via: \"s[1-3]\"}]\n",
                                         &conf, &fail),
                        0);
        assert_string_equal(power_conf_lookup(conf, "n1")->access->via, "r[1-2]");
        assert_null(power_conf_lookup(conf, "n2")->access->via);
        assert_string_equal(power_conf_lookup(conf, "n3")->access->via, "s[1-3]");
        conf = power_conf_unref(conf);
        assert_int_not_equal(parse(GOOD_DEFAULTS "nodes: [{nodes: n1, bmc: a, via: []}]\n", &conf,
                                             &fail),
                        0);
        assert_string_equal(fail.text,
                        "/x/power.yaml line 2 column 34: via: \"\" is not a list of at most 16 nodes ([r1, r2]), or none");
}

static void an_address_may_come_from_the_agent(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        _cleanup_(power_pool_unrefp) struct power_pool *pool = NULL;
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(
                        parse(GOOD_DEFAULTS
                                        "nodes: [{nodes: \"n[1-2]\"}, {nodes: n3, bmc: from-agent}]\n",
                                        &conf, &fail),
                        0);
        assert_null(power_conf_lookup(conf, "n1")->address);
        assert_null(power_conf_lookup(conf, "n3")->address);
        power_conf_set_address(conf, "n3", "10.0.0.3");
        assert_string_equal(power_conf_lookup(conf, "n3")->address, "10.0.0.3");
        pool = power_pool_new(conf, POWER_STATUS, S);
        power_pool_add(pool, "n1");
        assert_int_equal(power_pool_run(pool, NULL, NULL, &fail), 0);
        assert_string_equal(power_pool_result(pool, 0)->cause.fail.text,
                        "the address of the BMC of n1 is not known: its slumberd has not reported it");
}

static void what_another_host_says_is_the_result(void **state) {
        _cleanup_(power_conf_unrefp) struct power_conf *conf = NULL;
        _cleanup_(power_pool_unrefp) struct power_pool *pool = NULL;
        struct power_result on = {
                .state = POWER_IS_ON,
                .ok = true,
                .changed = true,
                .confirmed = true,
        };
        struct fail fail = { 0 };

        (void)state;
        assert_int_equal(parse(GOOD_DEFAULTS
                                         "nodes: [{nodes: \"n[1-2]\", bmc: \"b{n}\", via: r}]\n",
                                         &conf, &fail),
                        0);
        pool = power_pool_new(conf, POWER_ON, 10 * USEC_PER_MSEC);
        power_pool_add(pool, "n1");
        power_pool_add(pool, "n2");
        power_pool_report(pool, 0, &on); /* a thread may be faster than ours */
        assert_int_equal(power_pool_run(pool, NULL, NULL, &fail), 0);
        const struct power_result *r = power_pool_result(pool, 0);
        assert_true(r->ok && r->changed && r->confirmed);
        assert_int_equal(r->state, POWER_IS_ON);
        r = power_pool_result(pool, 1);
        assert_false(r->ok);
        assert_int_equal(r->cause.fault, POWER_FAULT_SILENT);
        assert_string_equal(r->cause.fail.text, "r has not reported in time the result of n2");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(hosts_may_do_it_for_us),
                cmocka_unit_test(what_another_host_says_is_the_result),
                cmocka_unit_test(an_address_may_come_from_the_agent),
                cmocka_unit_test(on_is_done_by_a_reading_only),
                cmocka_unit_test(a_check_that_has_read_the_state_says_so),
                cmocka_unit_test(what_a_bmc_refuses_has_changed_nothing),
                cmocka_unit_test(what_is_on_already_is_left_alone),
                cmocka_unit_test(cycle_sends_on_only_after_off_was_read),
                cmocka_unit_test(a_command_without_effect_is_sent_once_more),
                cmocka_unit_test(a_refused_password_is_not_tried_again),
                cmocka_unit_test(silence_after_a_command_leaves_the_state_unknown),
                cmocka_unit_test(status_gives_up_on_the_silent_but_a_change_goes_on),
                cmocka_unit_test(not_possible_now_is_settled_by_reading),
                cmocka_unit_test(nothing_is_sent_while_a_bmc_says_changing),
                cmocka_unit_test(an_unknown_state_is_never_off),
                cmocka_unit_test(a_bmc_that_says_when_is_asked_then),
                cmocka_unit_test(a_node_that_another_request_treats_is_waited_for),
                cmocka_unit_test(the_dead_do_not_hold_up_the_living),
                cmocka_unit_test(the_hook_holds_a_node_once_before_it_goes_on),
                cmocka_unit_test(nodes_that_are_not_there_fail_alone),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
