/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Golden text: what the real squeue printed for such jobs. */
#include "tests/unit/test.h"

#include "commands/rows.h"
#include "commands/show/squeue.h"
#include "lib/hostlist.h"
#include "lib/subset.h"

#define SECOND USEC_PER_SEC
#define NOW    (UINT64_C(1795225447) * SECOND) /* 2026-11-21T01:44:07Z */
#define JOBS   6

/* A small queue: 1 runs with a limit, 2 runs without, 3 boots, 4 is held, 5 is asked for later, 6
   failed. */
struct queue {
        Job jobs[JOBS];
        Slumber__JobSpec specs[JOBS];
        Job *list[JOBS];
};

static void fill(struct queue *q) {
        static const struct {
                const char *partition, *name, *nodes, *reason;
                int state, flags;
                uint32_t num_nodes, num_cpus, priority;
                usec_t limit, start, ran;
        } rows[JOBS] = {
                { "main", "long name of a job", "n2", "None", 1, 0, 1, 2, 900, 600, 5, 5 },
                { "main", "two", "n[3-4]", "", 1, 0, 2, 16, 800, 0, 5, 5 },
                { "high", "boot", "c1", "", 1, SLUMBER__JOB_FLAG__JOB_FLAG_CONFIGURING, 1, 1, 700,
                                86400, 5, 5 },
                { "main", "held", "", "JobHeldUser", 0, 0, 0, 0, 0, 93600, 0, 0 },
                { "main", "later", "", "BeginTime", 0, 0, 0, 0, 600, 0, 0, 0 },
                { "main", "bad", "n1", "NonZeroExitCode", 5, 0, 1, 1, 500, 600, 100, 3661 },
        };

        for (size_t i = 0; i < JOBS; i++) {
                Job *job = &q->jobs[i];

                slumber__job__init(job);
                slumber__job_spec__init(&q->specs[i]);
                q->list[i] = job;
                job->spec = &q->specs[i];
                job->id = (uint32_t)i + 1;
                job->spec->name = (char *)rows[i].name;
                job->spec->num_tasks = rows[i].num_cpus;
                job->spec->batch = true;
                job->spec->work_dir = (char *)"/work";
                job->partition = (char *)rows[i].partition;
                job->user = (char *)(i == 1 ? "daemon" : "root");
                job->uid = i == 1;
                job->group = (char *)"root";
                job->state = (Slumber__JobState)rows[i].state;
                job->state_flags = (uint32_t)rows[i].flags;
                job->nodes = (char *)rows[i].nodes;
                job->reason_name = (char *)rows[i].reason;
                job->num_nodes = rows[i].num_nodes;
                job->num_cpus = rows[i].num_cpus;
                job->priority = rows[i].priority;
                job->time_limit = rows[i].limit ? rows[i].limit * SECOND : NO_LIMIT;
                job->submit_time = NOW - 10 * SECOND;
                job->start_time = rows[i].start ? NOW - rows[i].start * SECOND : 0;
                job->run_time = rows[i].ran * SECOND;
        }
        q->jobs[0].end_time = NOW + 595 * SECOND;
        q->jobs[2].end_time = NOW + 86395 * SECOND;
        q->jobs[5].end_time = NOW - 1 * SECOND;
        q->jobs[0].mem_per_node = 100;
        q->jobs[1].mem_per_node = 2048;
        q->specs[4].begin_time = NOW + 3600 * SECOND;
        q->specs[4].nice = 10;
}

/* squeue's lines for what the filter selects; the caller frees. */
static char *show(const struct squeue_filter *filter, const char *letters, const char *names,
                const char *order, bool heading) {
        struct queue q;
        struct squeue_view view = { .now = NOW };
        struct format format = { 0 };
        struct sort sort = { 0 };
        struct rows *lines = rows_new(&format, &sort, &view);
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        fill(&q);
        if (letters)
                format_parse_letters(&format, letters, squeue_job_fields());
        else
                format_parse_names(&format, names, squeue_job_fields());
        sort_parse(&sort, order, squeue_job_fields());
        for (size_t i = 0; i < JOBS; i++)
                if (squeue_selects(filter, q.list[i]))
                        rows_add(lines, q.list[i]);
        if (heading)
                format_heading(&format, out);
        rows_print(lines, out);
        rows_free(lines);
        format_done(&format);
        fclose(out);
        return text;
}

static const struct squeue_filter live, all = { .all_states = true };

static void the_default_table_is_slurms(void **state) {
        _cleanup_free_ char *text = show(&live, "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R", NULL,
                        "P,t,-p", true);

        assert_string_equal(text,
                        "             JOBID PARTITION     NAME     USER ST       TIME  NODES "
                        "NODELIST(REASON)\n"
                        "                 3      high     boot     root CF       0:05      1 c1\n"
                        "                 5      main    later     root PD       0:00      1 "
                        "(BeginTime)\n"
                        "                 4      main     held     root PD       0:00      1 "
                        "(JobHeldUser)\n"
                        "                 1      main long nam     root  R       0:05      1 n2\n"
                        "                 2      main      two   daemon  R       0:05      2 "
                        "n[3-4]\n");
}

static void the_long_table_cuts_its_headings(void **state) {
        _cleanup_free_ char *text = show(&live, "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R",
                        NULL, "i", true);

        assert_non_null(strstr(text, "             JOBID PARTITION     NAME     USER    STATE      "
                                     " TIME TIME_LIMI  NODES "
                                     "NODELIST(REASON)\n"
                                     "                 1      main long nam     root  RUNNING      "
                                     " 0:05     10:00      1 n2\n"));
        /* a length of time is not cut, so that the row grows */
        assert_non_null(strstr(text,
                        "\n                 3      high     boot     root CONFIGUR       0:05 "
                        "1-00:00:00      1 c1\n"));
}

static void widths_cut_and_suffixes_stay(void **state) {
        _cleanup_free_ char *text = show(&live, "[%i|%.3j|%5t|%T|", NULL, "i", false);

        assert_string_equal(text,
                        "[1|lon|R    |RUNNING|\n[2|two|R    |RUNNING|\n[3|boo|CF   |CONFIGURING|\n"
                        "[4|hel|PD   |PENDING|\n[5|lat|PD   |PENDING|\n");
}

static void names_of_fields_take_any_case_width_and_suffix(void **state) {
        _cleanup_free_ char *text = show(&live, NULL,
                        "jobid:|,STATE:end ,name,JobArrayID:.4x,JobID:\x1f", "-i", true);

        assert_string_equal(text, "JOBID|STATEend NAME                JOBIxJOBID\x1f\n"
                                  "5|PENDINGend later                  5x5\x1f\n"
                                  "4|PENDINGend held                   4x4\x1f\n"
                                  "3|CONFIGURINGend boot                   3x3\x1f\n"
                                  "2|RUNNINGend two                    2x2\x1f\n"
                                  "1|RUNNINGend long name of a job     1x1\x1f\n");
}

static void what_is_not_set_prints_as_slurm_prints_it(void **state) {
        struct squeue_filter one = { .names = "held" };
        _cleanup_free_ char *text = show(&one,
                        "%a|%b|%c|%d|%e|%f|%h|%k|%m|%n|%o|%q|%s|%v|%w|%x|%y|%z|%A|%B|%E|%H|%K|%L|%"
                        "N|%O|%S|%W|%X|%Y|%Z|%p",
                        NULL, "i", false);

        assert_string_equal(text,
                        "(null)|N/A|1|0|N/"
                        "A|(null)|OK|(null)|0||(null)|(null)||(null)|(null)||0|*:*:*|4|n/a|"
                        "(null)|*|N/A|1-02:00:00||0|N/A|(null)|N/A|(null)|/"
                        "work|0.00000000000000\n");
}

static void times_and_memory_follow_slurm(void **state) {
        _cleanup_free_ char *text = NULL;

        setenv("TZ", "UTC", 1);
        text = show(&all, "%i %e %S %L %m %y %V", NULL, "i", false);
        assert_string_equal(text,
                        "1 2026-11-21T01:54:02 2026-11-21T01:44:02 9:55 100M 0 "
                        "2026-11-21T01:43:57\n"
                        "2 NONE 2026-11-21T01:44:02 UNLIMITED 2G 0 2026-11-21T01:43:57\n"
                        "3 2026-11-22T01:44:02 2026-11-21T01:44:02 23:59:55 0 0 "
                        "2026-11-21T01:43:57\n"
                        "4 N/A N/A 1-02:00:00 0 0 2026-11-21T01:43:57\n"
                        "5 NONE 2026-11-21T02:44:07 UNLIMITED 0 10 2026-11-21T01:43:57\n"
                        "6 2026-11-21T01:44:06 2026-11-21T01:42:27 0:00 0 0 2026-11-21T01:43:57\n");
}

static void output_files_have_their_patterns_filled_in(void **state) {
        struct queue q;
        struct scratch s = { 0 };

        fill(&q);
        assert_string_equal(job_shown_file(q.list[0], JOB_STDOUT, &s), "/work/slurm-1.out");
        assert_string_equal(job_shown_file(q.list[0], JOB_STDERR, &s), "/work/slurm-1.out");
        assert_string_equal(job_shown_file(q.list[0], JOB_STDIN, &s), "/dev/null");
        q.specs[1].std_out = (char *)"/log/%x-%5j-%u%%.txt";
        assert_string_equal(job_shown_file(q.list[1], JOB_STDERR, &s),
                        "/log/two-00002-daemon%.txt");
        q.specs[1].std_out = (char *)"none";
        assert_string_equal(job_shown_file(q.list[1], JOB_STDOUT, &s), "/dev/null");
        q.specs[1].batch = false;
        assert_string_equal(job_shown_file(q.list[1], JOB_STDOUT, &s), "");
        scratch_done(&s);
}

static void failed_jobs_explain_themselves(void **state) {
        _cleanup_free_ char *text = show(&all, "%i %t %R %M", NULL, "-i", false);

        assert_int_equal(strncmp(text, "6 F (NonZeroExitCode) 1:01:01\n", 30), 0);
}

/* ids of what a filter selects, in their order */
static void selects(struct squeue_filter filter, const char *ids) {
        _cleanup_free_ char *text = show(&filter, "%i ", NULL, "i", false);

        for (char *p = text; *p; p++)
                if (*p == '\n')
                        *p = ' ';
        for (char *p = strstr(text, "  "); p; p = strstr(text, "  "))
                memmove(p, p + 1, strlen(p));
        assert_string_equal(text, ids);
}

static void filters_select(void **state) {
        static const uint32_t users[] = { 1 };
        struct squeue_filter running = { .has_states = true };
        struct hostlist *nodes;

        running.states[job_shown_parse("r", 1)] = true;
        selects(live, "1 2 3 4 5 ");
        selects(all, "1 2 3 4 5 6 ");
        selects(running, "1 2 "); /* 3 runs too, but is shown as configuring */
        selects((struct squeue_filter){ .by_user = true, .users = users, .n_users = 1 }, "2 ");
        selects((struct squeue_filter){ .by_user = true }, ""); /* only unknown users were named */
        selects((struct squeue_filter){ .names = "two,held,x" }, "2 4 ");
        selects((struct squeue_filter){ .partitions = "high" }, "3 ");
        selects((struct squeue_filter){ .accounts = "none" }, "");
        assert_int_equal(hostlist_parse("n[1-3]", &nodes, NULL), 0);
        selects((struct squeue_filter){ .nodes = nodes }, "1 2 ");
        hostlist_free(nodes);
}

static void sorts_by_any_field(void **state) {
        static const struct {
                const char *order, *ids;
        } rows[] = {
                { "i", "1\n2\n3\n4\n5\n6\n" },
                { "-i", "6\n5\n4\n3\n2\n1\n" },
                { "t,i", "3\n6\n4\n5\n1\n2\n" },
                { "P,-i", "3\n6\n5\n4\n2\n1\n" },
                { "S,i", "6\n1\n2\n3\n5\n4\n" },
                { "+M,-p", "5\n4\n1\n2\n3\n6\n" },
                { "UserName,i", "2\n1\n3\n4\n5\n6\n" },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                _cleanup_free_ char *text = show(&all, "%i", NULL, rows[i].order, false);

                assert_string_equal(text, rows[i].ids);
        }
}

static void states_go_by_either_name(void **state) {
        for (int i = 0; i < SHOWN_MAX; i++) {
                const char *full = job_shown_long(i), *compact = job_shown_short(i);

                assert_int_equal(job_shown_parse(full, strlen(full)), i);
                assert_int_equal(job_shown_parse(compact, strlen(compact)), i);
        }
        assert_int_equal(job_shown_parse("running", 7), 1);
        assert_int_equal(job_shown_parse("nonsense", 8), -EINVAL);
        assert_int_equal(job_shown_parse("", 0), -EINVAL);
}

/* Two fields of one letter, or of one name, would hide each other. */
static void no_field_is_there_twice(void **state) {
        const struct field_table *tables[] = { squeue_job_fields(), squeue_step_fields() };

        for (size_t t = 0; t < ELEMENTSOF(tables); t++)
                for (size_t i = 0; i < tables[t]->n_fields; i++)
                        for (size_t k = i + 1; k < tables[t]->n_fields; k++) {
                                const struct field *a = &tables[t]->fields[i],
                                                   *b = &tables[t]->fields[k];

                                assert_false(a->letter && a->letter == b->letter);
                                assert_false(streq(a->name, b->name));
                        }
}

/* A message in which every field has a value, and no two the same. */
static void fill_message(ProtobufCMessage *m, struct arena *arena, unsigned *n) {
        for (unsigned i = 0; i < m->descriptor->n_fields; i++) {
                const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
                void *at = (char *)m + f->offset;

                if (f->label == PROTOBUF_C_LABEL_REPEATED)
                        continue; /* steps and nodes one by one: not of few */
                ++*n;
                switch ((int)f->type) {
                case PROTOBUF_C_TYPE_STRING:
                        snprintf(*(char **)at = arena_alloc(arena, 16), 16, "%u", *n);
                        break;
                case PROTOBUF_C_TYPE_MESSAGE: {
                        const ProtobufCMessageDescriptor *kind = f->descriptor;
                        ProtobufCMessage *inner = arena_alloc(arena, kind->sizeof_message);
                        kind->message_init(inner);
                        fill_message(inner, arena, n);
                        *(ProtobufCMessage **)at = inner;
                        break;
                }
                case PROTOBUF_C_TYPE_BOOL:
                        *(protobuf_c_boolean *)at = true;
                        break;
                case PROTOBUF_C_TYPE_UINT64:
                        *(uint64_t *)at = (NOW / SECOND - *n * 100) * SECOND;
                        break;
                case PROTOBUF_C_TYPE_ENUM:
                        *(int *)at = 1;
                        break;
                case PROTOBUF_C_TYPE_UINT32:
                case PROTOBUF_C_TYPE_INT32:
                case PROTOBUF_C_TYPE_SINT32:
                        *(uint32_t *)at = *n;
                        break;
                default: /* of no use to squeue */
                        break;
                }
        }
}

/* What comes of a job of which only the few fields were asked for. */
static Job *with_few(Job *job, struct arena *arena) {
        struct squeue_few few;
        uint8_t *data = xnew(uint8_t, slumber__job__get_packed_size(job));
        ProtobufCBinaryData packed = { .data = data };

        squeue_few_init(&few);
        struct subset *of_job = subset_new(&slumber__job__descriptor, few.job, few.n_job);
        struct subset *of_spec = subset_new(&slumber__job_spec__descriptor, few.spec, few.n_spec);
        job->base.descriptor = subset_kind(of_job);
        job->spec->base.descriptor = subset_kind(of_spec);
        packed.len = protobuf_c_message_pack(&job->base, data);
        job->base.descriptor = &slumber__job__descriptor;
        job->spec->base.descriptor = &slumber__job_spec__descriptor;
        subset_free(of_job);
        subset_free(of_spec);
        squeue_few_done(&few);
        ProtobufCMessage *got = wire_read_record(arena, &slumber__job__descriptor, packed);
        free(data);
        assert_non_null(got);
        return (Job *)got;
}

static void shows_the_same(const Job *whole, const Job *few) {
        const struct squeue_filter filters[] = { { .all_states = true,
                                                                 .accounts = whole->spec->account },
                { .all_states = true, .names = whole->spec->name },
                { .all_states = true, .qos = whole->spec->qos },
                { .all_states = true, .reservation = whole->spec->reservation },
                { .names = "none" }, { .by_user = true },
                { .all_states = true, .licenses = whole->spec->licenses },
                { .all_states = true, .partitions = whole->partition },
                { .all_states = true, .by_user = true, .users = &whole->uid, .n_users = 1 },
                { .all_states = false } };
        const struct field_table *table = squeue_job_fields();
        struct squeue_view view = { .now = NOW };
        struct scratch a = { 0 }, b = { 0 };

        for (size_t i = 0; i < table->n_fields; i++) {
                const struct field *f = &table->fields[i];

                if (!(f->flags & FIELD_FEW))
                        continue;
                assert_string_equal(field_text(f, whole, &a, &view), field_text(f, few, &b, &view));
                assert_true(field_number(f, whole, &view) == field_number(f, few, &view));
        }
        for (size_t i = 0; i < ELEMENTSOF(filters); i++)
                assert_int_equal(squeue_selects(&filters[i], whole),
                                squeue_selects(&filters[i], few));
        assert_int_equal(job_is_rest(whole), job_is_rest(few));
        scratch_done(&a);
        scratch_done(&b);
}

/* Of each state, as a rest of an array, with and without what is only seldom there. */
static void few_fields_show_what_all_would(void **state) {
        struct arena arena = { 0 };
        struct queue q;

        fill(&q);
        for (size_t i = 0; i < JOBS; i++)
                shows_the_same(q.list[i], with_few(q.list[i], &arena));
        for (int shown = 0; shown < SHOWN_COMPLETING; shown++)
                for (unsigned kind = 0; kind < 32; kind++) {
                        Job job = SLUMBER__JOB__INIT;
                        unsigned n = kind;

                        fill_message(&job.base, &arena, &n);
                        job.state = (Slumber__JobState)shown;
                        job.state_flags = 0;
                        if (kind & 1)
                                job.num_nodes = job.num_cpus = 0;
                        if (kind & 2)
                                job.stopped_for = 0;
                        if (kind & 4)
                                job.waits_for = NULL;
                        if (kind & 8)
                                job.array_job = 0;
                        if (kind & 16)
                                job.start_time = job.end_time = 0;
                        shows_the_same(&job, with_few(&job, &arena));
                }
        arena_done(&arena);
}

/* Lines are kept, records are not. */
static void rows_outlive_their_records(void **state) {
        struct squeue_view view = { .now = NOW };
        struct format format = { 0 };
        struct sort sort = { 0 };
        struct rows *lines = rows_new(&format, &sort, &view);
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        format_parse_letters(&format, "%u %i", squeue_job_fields());
        sort_parse(&sort, "u,-p", squeue_job_fields());
        for (uint32_t i = 0; i < 9; i++) {
                char user[] = "b";
                Job job = SLUMBER__JOB__INIT;

                user[0] = (char)('c' - i % 3);
                job.user = user;
                job.id = i;
                job.priority = i < 6;
                rows_add(lines, &job);
                user[0] = '?';
        }
        rows_print(lines, out);
        rows_free(lines);
        format_done(&format);
        fclose(out);
        assert_string_equal(text, "a 2\na 5\na 8\nb 1\nb 4\nb 7\nc 0\nc 3\nc 6\n");
}

static void steps_have_a_table_of_their_own(void **state) {
        struct queue q;
        Step batch = SLUMBER__STEP__INIT, step = SLUMBER__STEP__INIT;
        struct step_row rows[2];
        struct squeue_view view = { .now = NOW };
        struct format format = { 0 };
        struct sort sort = { 0 };
        struct rows *lines = rows_new(&format, &sort, &view);
        _cleanup_free_ char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);

        fill(&q);
        batch.id = STEP_BATCH;
        batch.name = (char *)"batch";
        batch.nodes = (char *)"n3";
        batch.start_time = NOW - 65 * SECOND;
        batch.run_time = 65 * SECOND;
        step.name = (char *)"a.out";
        step.nodes = (char *)"n[3-4]";
        step.start_time = NOW;
        rows[0] = (struct step_row){ q.list[1], &batch };
        rows[1] = (struct step_row){ q.list[1], &step };
        format_parse_letters(&format, "%.15i %.8j %.9P %.8u %.9M %N", squeue_step_fields());
        sort_parse(&sort, "P,i", squeue_step_fields());
        rows_add(lines, &rows[0]);
        rows_add(lines, &rows[1]);
        format_heading(&format, out);
        rows_print(lines, out);
        rows_free(lines);
        format_done(&format);
        fclose(out);
        assert_string_equal(text, "         STEPID     NAME PARTITION     USER      TIME NODELIST\n"
                                  "            2.0    a.out      main   daemon      0:00 n[3-4]\n"
                                  "        2.batch    batch      main   daemon      1:05 n3\n");
        assert_false(squeue_selects_step(&(struct squeue_filter){ .steps = "2.1,3" }, &rows[0]));
        assert_true(squeue_selects_step(&(struct squeue_filter){ .steps = "1.0,2.batch" },
                        &rows[0]));
}

static void a_component_s_step_goes_by_each_name_of_its_job(void **state) {
        static const char *const names[] = { "7+1.3", "7.3", "8.3", "6.3,8.3" }, *const others[] = {
                "7+0.3", "7.1", "8.1", "9.3", "8.batch"
        };
        Job job = SLUMBER__JOB__INIT;
        Step step = SLUMBER__STEP__INIT;
        const struct step_row row = { &job, &step };

        job.id = 8;
        job.het_job = 7;
        job.het_offset = 1;
        step.id = 3;
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                assert_true(squeue_selects_step(&(struct squeue_filter){ .steps = names[i] },
                                &row));
        for (size_t i = 0; i < ELEMENTSOF(others); i++)
                assert_false(squeue_selects_step(&(struct squeue_filter){ .steps = others[i] },
                                &row));
}

struct inner {
        char *text;
        int32_t sign;
        int64_t wide_sign;
        uint64_t wide;
};
struct outer {
        uint32_t number;
        const struct inner *inner;
};
#define OUTER(...) MEMBER(struct outer, __VA_ARGS__)
#define INNER(...) MEMBER_BEHIND(struct outer, inner, struct inner, __VA_ARGS__)

/* Negative numbers come first, and 9 comes before 10. */
static void a_row_shows_a_member_and_sorts_by_its_number(void **state) {
        static const struct {
                struct field field;
                const char *text[3]; /* of 9, of 10 or less than nothing, and without the struct */
                bool by_text, falls;
        } rows[] = {
                { { .heading = "", OUTER(number) }, { "9", "10", "9" }, false, false },
                { { .heading = "", OUTER(number, .none = "-") }, { "9", "10", "9" }, false, false },
                { { .heading = "", INNER(text) }, { "a", "", "" }, true, false },
                { { .heading = "", INNER(text, .none = "-") }, { "a", "-", "-" }, true, false },
                { { .heading = "", INNER(sign) }, { "9", "-10", "0" }, false, true },
                { { .heading = "", INNER(wide_sign) }, { "9", "-10", "0" }, false, true },
                { { .heading = "", INNER(wide) }, { "9", "0", "0" }, false, true },
                { { .heading = "", INNER(wide, .none = "") }, { "9", "0", "" }, false, true },
                { { .heading = "", INNER(wide, .none = "*", .zero_is_none = true) },
                                { "9", "*", "*" }, true, false },
        };
        const struct inner a = { (char *)"a", 9, 9, 9 }, b = { (char *)"", -10, -10, 0 };
        const struct outer records[] = { { 9, &a }, { 10, &b }, { 9, NULL } };
        struct scratch s = { 0 };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                const struct field *f = &rows[i].field;
                for (size_t k = 0; k < ELEMENTSOF(records); k++)
                        assert_string_equal(field_text(f, &records[k], &s, NULL), rows[i].text[k]);
                assert_int_equal(!field_has_number(f), rows[i].by_text);
                if (!rows[i].by_text)
                        assert_int_equal(field_number(f, &records[0], NULL) >
                                                         field_number(f, &records[1], NULL),
                                        rows[i].falls);
        }
        scratch_done(&s);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(the_default_table_is_slurms),
                cmocka_unit_test(the_long_table_cuts_its_headings),
                cmocka_unit_test(widths_cut_and_suffixes_stay),
                cmocka_unit_test(names_of_fields_take_any_case_width_and_suffix),
                cmocka_unit_test(what_is_not_set_prints_as_slurm_prints_it),
                cmocka_unit_test(times_and_memory_follow_slurm),
                cmocka_unit_test(output_files_have_their_patterns_filled_in),
                cmocka_unit_test(failed_jobs_explain_themselves),
                cmocka_unit_test(filters_select),
                cmocka_unit_test(sorts_by_any_field),
                cmocka_unit_test(states_go_by_either_name),
                cmocka_unit_test(no_field_is_there_twice),
                cmocka_unit_test(few_fields_show_what_all_would),
                cmocka_unit_test(a_row_shows_a_member_and_sorts_by_its_number),
                cmocka_unit_test(rows_outlive_their_records),
                cmocka_unit_test(steps_have_a_table_of_their_own),
                cmocka_unit_test(a_component_s_step_goes_by_each_name_of_its_job),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
