/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a node knows of the steps that it makes: its journal, and where they fit. */
#include "tests/unit/test.h"

#include "agent/stepmgr/journal.h"
#include "agent/stepmgr/stepmgr_job.h"
#include "lib/bitset.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- the journal ---- */

struct folder {
        char path[40];
        int before;
};

static void enter(struct folder *f) {
        snprintf(f->path, sizeof f->path, "/tmp/maker-test-XXXXXX");
        f->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(f->before >= 0);
        assert_non_null(mkdtemp(f->path));
        assert_int_equal(chdir(f->path), 0);
}

static void leave(struct folder *f) {
        (void)unlink("makers/7.1");
        (void)rmdir("makers");
        assert_int_equal(fchdir(f->before), 0);
        assert_int_equal(rmdir(f->path), 0);
        close(f->before);
}

struct seen {
        size_t entries;
        uint64_t serials, acknowledged;
};

static int see(const Slumber__JournalEntry *e, void *user) {
        struct seen *s = user;

        s->entries++;
        s->serials = s->serials * 10 + (e->row ? e->row->serial : 0);
        s->acknowledged = e->acknowledged;
        return 0;
}

static struct journal *create(void) {
        Slumber__JournalEntry first = SLUMBER__JOURNAL_ENTRY__INIT;
        Slumber__StepMaker maker = SLUMBER__STEP_MAKER__INIT;
        struct journal *j = NULL;
        struct fail fail = { 0 };

        first.maker = &maker;
        assert_int_equal(journal_create(7, 1, &first, &j, &fail), 0);
        return j;
}

static void add(struct journal *j, uint64_t serial) {
        Slumber__JournalEntry e = SLUMBER__JOURNAL_ENTRY__INIT;
        Slumber__StepsRow row = SLUMBER__STEPS_ROW__INIT;
        struct fail fail = { 0 };

        row.serial = serial;
        e.row = &row;
        assert_int_equal(journal_add(j, &e, &fail), 0);
}

static struct seen read_back(int wanted) {
        struct seen s = { 0 };
        struct journal *j = NULL;
        struct fail fail = { 0 };

        assert_int_equal(journal_open(7, 1, see, &s, &j, &fail), wanted);
        assert_true((wanted < 0) == (fail.text[0] != 0));
        journal_free(j);
        return s;
}

static void entries_come_back_in_order(void **state) {
        struct folder f;

        (void)state;
        enter(&f);
        struct journal *j = create();
        add(j, 1);
        add(j, 2);
        add(j, 3);
        assert_int_equal(read_back(0).serials, 123);
        size_t size = journal_size(j);
        journal_free(j);
        struct stat st;
        assert_int_equal(stat("makers/7.1", &st), 0);
        assert_int_equal(st.st_size, size);
        assert_int_equal(st.st_mode & 0777, 0600);
        leave(&f);
}

static void a_torn_end_is_dropped(void **state) {
        struct seen s = { 0 };
        struct fail fail = { 0 };
        struct folder f;

        (void)state;
        enter(&f);
        struct journal *j = create();
        add(j, 1);
        size_t whole = journal_size(j);
        add(j, 2);
        journal_free(j);
        for (size_t cut = 1; whole + cut < whole + 5; cut++) {
                assert_int_equal(truncate("makers/7.1", (off_t)(whole + cut)), 0);
                assert_int_equal(read_back(0).serials, 1);
        }
        /* what comes after stands behind the last whole one */
        assert_int_equal(journal_open(7, 1, see, &s, &j, &fail), 0);
        add(j, 5);
        journal_free(j);
        assert_int_equal(read_back(0).serials, 15);
        leave(&f);
}

static void one_that_is_put_aside_is_kept(void **state) {
        struct fail fail = { .text = "it is old" };
        struct folder f;

        (void)state;
        enter(&f);
        struct journal *j = create();
        journal_put_aside(7, 1, &fail);
        assert_string_equal(fail.text, "it is old; it is kept as makers/7.1.unread");
        assert_int_equal(access("makers/7.1", F_OK), -1);
        assert_int_equal(access("makers/7.1.unread", F_OK), 0);
        journal_free(j);
        assert_int_equal(unlink("makers/7.1.unread"), 0);
        leave(&f);
}

static void garbage_is_refused_by_name(void **state) {
        static const char *const files[] = { "", "x", "\x01", "\xff\xff\xff\xff rest",
                "\x02\x00\x00\x00\xff\xff" };
        struct folder f;

        (void)state;
        enter(&f);
        journal_free(create());
        for (size_t i = 0; i < ELEMENTSOF(files); i++) {
                int fd = open("makers/7.1", O_WRONLY | O_TRUNC | O_CLOEXEC);
                size_t n = i == 4 ? 6 : strlen(files[i]);
                assert_true(fd >= 0 && write(fd, files[i], n) == (ssize_t)n);
                close(fd);
                assert_int_equal(read_back(-EBADMSG).entries, 0);
        }
        assert_int_equal(unlink("makers/7.1"), 0);
        assert_int_equal(symlink("/dev/null", "makers/7.1"), 0);
        (void)read_back(-ELOOP);
        leave(&f);
}

static void a_row_must_follow_its_maker(void **state) {
        Slumber__JournalEntry e = SLUMBER__JOURNAL_ENTRY__INIT;
        struct journal *j = NULL;
        struct fail fail = { 0 };
        struct folder f;

        (void)state;
        enter(&f);
        e.acknowledged = 4;
        assert_int_equal(journal_create(7, 1, &e, &j, &fail), 0);
        journal_free(j);
        (void)read_back(-EBADMSG);
        leave(&f);
}

static void a_journal_is_written_anew(void **state) {
        Slumber__JournalEntry first = SLUMBER__JOURNAL_ENTRY__INIT;
        Slumber__StepMaker maker = SLUMBER__STEP_MAKER__INIT;
        struct fail fail = { 0 };
        struct folder f;

        (void)state;
        enter(&f);
        struct journal *j = create();
        for (uint64_t i = 1; i < 9; i++)
                add(j, i);
        first.maker = &maker;
        first.acknowledged = 8;
        uint8_t data[64];
        struct journal_text text = { data, slumber__journal_entry__get_packed_size(&first) };
        assert_true(text.size <= sizeof data);
        slumber__journal_entry__pack(&first, data);
        assert_int_equal(journal_rewrite(j, &text, 1, &fail), 0);
        assert_int_equal(read_back(0).acknowledged, 8);
        add(j, 9);
        assert_int_equal(read_back(0).serials, 9);
        journal_free(j);
        leave(&f);
}

/* ---- where steps fit ---- */

struct told {
        Slumber__StepMaker maker;
        Slumber__LaunchStep launch;
        Slumber__CredentialBody body;
        Slumber__StepSettings settings;
        Slumber__Hardware hardware;
        Slumber__StepMakerNode node[2], *nodes[2];
        Slumber__StepSpec spec;
};

static char names[2][3] = { "n1", "n2" }, cores[] = "2-5", features[] = "fast,big",
            wanted[] = "fast", missing[] = "slow", has_gres[] = "gpu:a100:4,craynic:3",
            job_gres[] = "gpu:a100:3(IDX:0-1,3),craynic:2(IDX:0-1)", one_gpu[] = "gres/gpu:1",
            two_gpus[] = "gres/gpu:2";

static void fill_node(struct told *t, size_t i) {
        Slumber__StepMakerNode *n = t->nodes[i] = &t->node[i];

        slumber__step_maker_node__init(n);
        n->name = names[i];
        n->hardware = &t->hardware;
        n->units = 8;
        n->cpus_per_unit = 1;
        n->cpus = 4;
        n->cores = cores;
        n->memory = 1000;
        n->features = features;
        n->gres = has_gres;
        n->job_gres = job_gres;
}

/* 4 of the 8 cores of each node, 3 of its 4 GPUs. */
static void fill(struct told *t, size_t n_nodes) {
        *t = (struct told){ .maker = SLUMBER__STEP_MAKER__INIT,
                .launch = SLUMBER__LAUNCH_STEP__INIT,
                .body = SLUMBER__CREDENTIAL_BODY__INIT,
                .settings = SLUMBER__STEP_SETTINGS__INIT,
                .hardware = SLUMBER__HARDWARE__INIT,
                .spec = SLUMBER__STEP_SPEC__INIT };
        t->maker.launch = &t->launch;
        t->maker.credential = &t->body;
        t->maker.settings = &t->settings;
        t->maker.nodes = t->nodes;
        t->maker.n_nodes = n_nodes;
        t->body.job_id = 7;
        t->settings.max_tasks_per_node = 512;
        t->hardware.boards = 1;
        t->hardware.sockets = 2;
        t->hardware.cores = 4;
        t->hardware.threads = 1;
        for (size_t i = 0; i < 2; i++)
                fill_node(t, i);
        t->spec.exact = true;
        t->spec.num_tasks = t->spec.cpus_per_task = t->spec.min_nodes = 1;
}

static enum slumber_error fits(const struct stepmgr_job *j, const struct told *t,
                const struct stepmgr_taker *others, size_t n) {
        _cleanup_(stepmgr_fit_freep) struct fit *f = NULL;
        struct fail fail = { 0 };

        enum slumber_error e = stepmgr_job_fit_step(j, &t->spec, NULL, others, n, &f, &fail);
        assert_int_equal(f != NULL, e == SLUMBER_OK);
        return e;
}

/* It begins beside these. */
static void begin(struct stepmgr_job *j, const struct told *t, const struct stepmgr_taker *others,
                size_t n, Slumber__MadeStep *m) {
        _cleanup_(stepmgr_fit_freep) struct fit *f = NULL;
        struct fail fail = { 0 };

        assert_int_equal(stepmgr_job_fit_step(j, &t->spec, NULL, others, n, &f, &fail), SLUMBER_OK);
        stepmgr_job_begin_step(j, &t->spec, f, m);
}

static void steps_get_cores_of_their_own(void **state) {
        struct told t;
        struct fail fail = { 0 };
        Slumber__MadeStep a = SLUMBER__MADE_STEP__INIT, b = SLUMBER__MADE_STEP__INIT;

        (void)state;
        fill(&t, 1);
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *j = stepmgr_job_new(&t.maker, &fail);
        assert_non_null(j);
        assert_int_equal(fits(j, &t, NULL, 0), SLUMBER_OK);
        t.spec.mem_per_cpu = 100;
        t.spec.num_tasks = 3;
        begin(j, &t, NULL, 0, &a);
        assert_int_equal(a.num_tasks, 3);
        assert_int_equal(a.n_nodes, 1);
        assert_int_equal(a.nodes[0]->taken, 3);
        assert_int_equal(stepmgr_job_step_memory(j, &t.spec, a.nodes[0]), 300);
        b.step_id = 1;
        t.spec.num_tasks = 1;
        const struct stepmgr_taker others[] = { { &t.spec, &a }, { &t.spec, &b } };
        begin(j, &t, others, 1, &b);
        _cleanup_(bitset_freep) struct bitset *x = bitset_new(8), *y = bitset_new(8);
        assert_int_equal(bitset_parse(x, a.nodes[0]->cores), 0);
        assert_int_equal(bitset_parse(y, b.nodes[0]->cores), 0);
        assert_int_equal(bitset_count(x), 3);
        assert_int_equal(bitset_count(y), 1);
        assert_false(bitset_overlaps(x, y));
        assert_int_equal(fits(j, &t, others, 2), SLUMBER_NODES_BUSY);
        stepmgr_job_end_step(j, 0);
        assert_int_equal(fits(j, &t, others + 1, 1), SLUMBER_OK);
        t.spec.num_tasks = 5;
        assert_int_equal(fits(j, &t, others + 1, 1), SLUMBER_TOO_MANY_CPUS);
        stepmgr_job_free_message(&a);
        stepmgr_job_free_message(&b);
}

static void steps_get_generic_resources_of_their_own(void **state) {
        struct told t;
        struct fail fail = { 0 };
        Slumber__MadeStep a = SLUMBER__MADE_STEP__INIT, b = SLUMBER__MADE_STEP__INIT,
                          c = SLUMBER__MADE_STEP__INIT;

        (void)state;
        fill(&t, 1);
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *j = stepmgr_job_new(&t.maker, &fail);
        assert_non_null(j);
        begin(j, &t, NULL, 0, &c); /* asks for none: it has all, with others */
        assert_string_equal(stepmgr_job_step_gres(j, &c, c.nodes[0]), job_gres);
        t.spec.tres_per_node = two_gpus;
        a.step_id = 1;
        const struct stepmgr_taker others[] = { { &t.spec, &c }, { &t.spec, &a }, { &t.spec, &b } };
        begin(j, &t, others, 1, &a);
        assert_string_equal(stepmgr_job_step_gres(j, &a, a.nodes[0]), "gpu:a100:2(IDX:0-1)");
        assert_int_equal(fits(j, &t, others, 2), SLUMBER_NODES_BUSY);
        t.spec.tres_per_node = one_gpu;
        b.step_id = 2;
        begin(j, &t, others, 2, &b);
        assert_string_equal(stepmgr_job_step_gres(j, &b, b.nodes[0]), "gpu:a100:1(IDX:3)");
        assert_int_equal(fits(j, &t, others, 3), SLUMBER_NODES_BUSY);
        /* a slumberd that was killed has them as before */
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *k = stepmgr_job_new(&t.maker, &fail);
        assert_int_equal(stepmgr_job_restore_step(k, &a), 0);
        assert_int_equal(fits(k, &t, others + 1, 1), SLUMBER_OK);
        assert_int_equal(stepmgr_job_restore_step(k, &b), 0);
        assert_int_equal(fits(k, &t, others + 1, 2), SLUMBER_NODES_BUSY);
        stepmgr_job_end_step(k, 2);
        assert_int_equal(fits(k, &t, others + 1, 1), SLUMBER_OK);
        stepmgr_job_free_message(&a);
        stepmgr_job_free_message(&b);
        stepmgr_job_free_message(&c);
}

static void a_step_has_several_nodes(void **state) {
        struct told t;
        struct fail fail = { 0 };
        Slumber__MadeStep a = SLUMBER__MADE_STEP__INIT;

        (void)state;
        fill(&t, 2);
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *j = stepmgr_job_new(&t.maker, &fail);
        assert_non_null(j);
        t.spec.min_nodes = 2;
        t.spec.num_tasks = 6;
        begin(j, &t, NULL, 0, &a);
        assert_int_equal(a.n_nodes, 2);
        assert_int_equal(a.n_task_places, 0);
        assert_int_equal(a.cpus, 6);
        for (size_t i = 0; i < 2; i++) {
                assert_int_equal(a.nodes[i]->place, i);
                assert_int_equal(a.nodes[i]->tasks, 3);
        }
        const struct stepmgr_taker others[] = { { &t.spec, &a } };
        t.spec.num_tasks = t.spec.min_nodes = 2;
        assert_int_equal(fits(j, &t, others, 1), SLUMBER_OK);
        t.spec.num_tasks = 3;
        assert_int_equal(fits(j, &t, others, 1), SLUMBER_NODES_BUSY);
        stepmgr_job_free_message(&a);
}

static void features_and_memory_count(void **state) {
        struct told t;
        struct fail fail = { 0 };

        (void)state;
        fill(&t, 1);
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *j = stepmgr_job_new(&t.maker, &fail);
        t.spec.features = wanted;
        assert_int_equal(fits(j, &t, NULL, 0), SLUMBER_OK);
        t.spec.features = missing;
        assert_int_equal(fits(j, &t, NULL, 0), SLUMBER_NODES_NOT_AVAILABLE);
        t.spec.features = wanted;
        t.spec.mem_per_node = 1001;
        assert_int_equal(fits(j, &t, NULL, 0), SLUMBER_MEMORY_NOT_AVAILABLE);
}

static void what_cannot_be_is_refused(void **state) {
        struct told t;
        struct fail fail = { 0 };
        char beyond[] = "2-8", none_such[] = "gpu:h100:1(IDX:0)";

        (void)state;
        fill(&t, 1);
        t.node[0].cpus = 9;
        assert_null(stepmgr_job_new(&t.maker, &fail));
        assert_non_null(strstr(fail.text, "9 CPUs of 8 cores"));
        fill(&t, 1);
        t.node[0].units = 0;
        assert_null(stepmgr_job_new(&t.maker, &fail));
        fill(&t, 1);
        t.node[0].hardware = NULL;
        assert_null(stepmgr_job_new(&t.maker, &fail));
        fill(&t, 2);
        t.node[1].cores = beyond;
        assert_null(stepmgr_job_new(&t.maker, &fail));
        assert_non_null(strstr(fail.text, "cores \"2-8\""));
        fill(&t, 1);
        t.node[0].job_gres = none_such;
        assert_null(stepmgr_job_new(&t.maker, &fail));
        assert_non_null(strstr(fail.text, "\"gpu:h100:1(IDX:0)\" is no part of Gres="));
        fill(&t, 0);
        assert_null(stepmgr_job_new(&t.maker, &fail));
}

static void a_step_elsewhere_does_not_go_on(void **state) {
        struct told t;
        struct fail fail = { 0 };
        Slumber__MadeStep m = SLUMBER__MADE_STEP__INIT;
        Slumber__MadeStepNode node[2] = { SLUMBER__MADE_STEP_NODE__INIT,
                SLUMBER__MADE_STEP_NODE__INIT };
        Slumber__MadeStepNode *nodes[2] = { &node[0], &node[1] };

        (void)state;
        fill(&t, 2);
        _cleanup_(stepmgr_job_freep) struct stepmgr_job *j = stepmgr_job_new(&t.maker, &fail);
        assert_int_equal(stepmgr_job_restore_step(j, &m), -EBADMSG);
        m.nodes = nodes;
        m.n_nodes = 2;
        assert_int_equal(stepmgr_job_restore_step(j, &m), -EBADMSG); /* the same node twice */
        node[1].place = 2;
        assert_int_equal(stepmgr_job_restore_step(j, &m), -EBADMSG);
        node[1].place = 1;
        node[1].gres = missing;
        assert_int_equal(stepmgr_job_restore_step(j, &m), -EBADMSG);
        node[1].gres = node[0].gres;
        assert_int_equal(stepmgr_job_restore_step(j, &m), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(entries_come_back_in_order),
                cmocka_unit_test(a_torn_end_is_dropped),
                cmocka_unit_test(one_that_is_put_aside_is_kept),
                cmocka_unit_test(garbage_is_refused_by_name),
                cmocka_unit_test(a_row_must_follow_its_maker),
                cmocka_unit_test(a_journal_is_written_anew),
                cmocka_unit_test(steps_get_cores_of_their_own),
                cmocka_unit_test(steps_get_generic_resources_of_their_own),
                cmocka_unit_test(a_step_has_several_nodes),
                cmocka_unit_test(a_step_elsewhere_does_not_go_on),
                cmocka_unit_test(features_and_memory_count),
                cmocka_unit_test(what_cannot_be_is_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
