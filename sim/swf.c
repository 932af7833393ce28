/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the Standard Workload Format, version 2.2 (Parallel Workloads Archive): comments of the
 * form "; Label: value", then a line of 18 numbers per job, -1 for unknown.
 *
 *   field                        use
 *    1 job number                name
 *    2 submit time               submit
 *    3 wait time                 recorded waiting time, for comparison
 *    4 run time                  run; if unknown: 6, CPU time per processor
 *    8 requested processors      tasks; if unknown: 5, allocated processors
 *    9 requested time            limit; if unknown: the run time; at least the run time with
 *                                AllowOveruse in the header
 *   10 requested memory          memory per CPU, KB per processor; if unknown: 7, used memory
 *   11 status                    0: fails; 5 (cancelled) without run time: left out
 *   12 user, 13 group            uid, gid
 *   14 executable                unused
 *   15 queue                     partition; if no such partition exists: 16, partition
 *   17 preceding job             after
 *   18 think time                think
 *
 * A job that was swapped out has a line of status 2 for each period in memory, the last one of
 * status 3 (completed) or 4 (failed), and usually another line with the sums, which is used;
 * without a sum line the parts are joined to one job (join_parts). */
#include "sim/trace.h"

#include <strings.h>

#define SWF_FIELDS     18
#define SWF_LABELS_MAX 10000

enum swf_field {
        JOB_NUMBER,
        SUBMIT,
        WAIT,
        RUN,
        HAD_PROCESSORS,
        CPU_TIME,
        USED_MEMORY,
        PROCESSORS,
        LIMIT,
        MEMORY,
        STATUS,
        USER,
        GROUP,
        PROGRAM,
        QUEUE,
        PARTITION,
        PRECEDING,
        THINK,
};

static const struct {
        const char *name;
        bool whole; /* a count, not seconds or KB */
        uint64_t max;
} fields[SWF_FIELDS] = {
        [JOB_NUMBER] = { "job number", true, UINT32_MAX - 1 },
        [SUBMIT] = { "submit time", false, 0 },
        [WAIT] = { "wait time", false, 0 },
        [RUN] = { "run time", false, 0 },
        [HAD_PROCESSORS] = { "allocated processors", true, 1u << 30 },
        [CPU_TIME] = { "average CPU time", false, 0 },
        [USED_MEMORY] = { "used memory", false, 0 },
        [PROCESSORS] = { "requested processors", true, 1u << 30 },
        [LIMIT] = { "requested time", false, 0 },
        [MEMORY] = { "requested memory", false, 0 },
        [STATUS] = { "status", true, 5 },
        [USER] = { "user", true, UINT32_MAX - 1 },
        [GROUP] = { "group", true, UINT32_MAX - 1 },
        [PROGRAM] = { "executable", true, UINT32_MAX - 1 },
        [QUEUE] = { "queue", true, UINT32_MAX - 1 },
        [PARTITION] = { "partition", true, UINT32_MAX - 1 },
        [PRECEDING] = { "preceding job", true, UINT32_MAX - 1 },
        [THINK] = { "think time", false, 0 },
};

#define UNKNOWN UINT64_MAX

struct number_at { /* job numbers, to find preceding jobs */
        uint64_t number;
        uint32_t at;
};

struct part { /* a line of status 2 to 4 */
        uint64_t f[SWF_FIELDS];
        unsigned line;
};

struct swf {
        struct trace *t;
        const char *file;
        unsigned line;
        struct number_at *numbers;
        size_t a_numbers;
        uint64_t *preceding;
        size_t a_preceding;
        struct part *parts;
        size_t n_parts, a_parts;
        uint64_t *whole; /* numbers of all other lines, left out or not */
        size_t n_whole, a_whole;
        struct fail *fail;
};

/* ---- comments ---- */

static bool is_space(char c) {
        return c == ' ' || c == '\t' || c == '\r';
}

static void swf_trim(const char **text, size_t *n) {
        for (; *n && is_space(**text); (*text)++)
                (*n)--;
        for (; *n && is_space((*text)[*n - 1]);)
                (*n)--;
}

/* Stores "; MaxProcs: 240", and uses known labels with numbers. */
static void swf_parse_label(struct trace *t, const char *label, const char *value) {
        usec_t v;

        GROW(t->labels, t->a_labels, t->n_labels);
        t->labels[t->n_labels++] = (struct trace_label){ label, value };
        if (strcasecmp(label, "AllowOveruse") == 0)
                t->overuse = *value && strchr("YyTt", *value); /* Yes, True */
        size_t digits = strspn(value, "0123456789.");
        if (seconds_read(value, digits, &v) < 0)
                return;
        if (strcasecmp(label, "UnixStartTime") == 0)
                t->zero = v;
        else if (strcasecmp(label, "MaxProcs") == 0)
                t->processors = v / USEC_PER_SEC;
        else if (strcasecmp(label, "MaxNodes") == 0)
                t->machine_nodes = v / USEC_PER_SEC;
}

static void swf_parse_comment(struct swf *s, const char *text, size_t n) {
        const char *colon = memchr(text, ':', n);

        if (!colon || s->t->n_labels >= SWF_LABELS_MAX)
                return;
        size_t length = (size_t)(colon - text), rest = n - length - 1;
        const char *value = colon + 1;
        swf_trim(&text, &length);
        swf_trim(&value, &rest);
        if (length)
                swf_parse_label(s->t, trace_word(s->t, text, length),
                                trace_word(s->t, value, rest));
}

/* Returns "batch" from "; Queue: 3 batch of the night". */
static const char *swf_label_name(struct trace *t, const char *label, uint64_t number) {
        for (size_t i = 0; i < t->n_labels; i++) {
                const struct trace_label *l = &t->labels[i];
                size_t digits = strspn(l->value, "0123456789");
                usec_t v;
                if (strcasecmp(l->label, label) != 0 || seconds_read(l->value, digits, &v) < 0 ||
                                v != number * USEC_PER_SEC)
                        continue;
                const char *name = l->value + digits + strspn(l->value + digits, " \t");
                size_t n = strcspn(name, " \t,;");
                if (n)
                        return trace_word(t, name, n);
        }
        char text[32];
        return trace_word(t, text,
                        (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)number));
}

/* ---- a job ---- */

static int swf_bad_field(struct swf *s, size_t field, const char *word, size_t n) {
        return fail_set(s->fail, -EINVAL, "%s line %u: field %zu (%s): \"%.*s\" is %s", s->file,
                        s->line, field + 1, fields[field].name, (int)MIN(n, (size_t)40), word,
                        fields[field].whole ? "neither -1 nor a whole number in its range"
                                            : "neither -1 nor a number in its range");
}

/* True for -1 or -1.0. */
static bool swf_is_unknown(const char *word, size_t n) {
        if (n < 2 || word[0] != '-' || word[1] != '1')
                return false;
        if (n > 2 && word[2] != '.')
                return false;
        for (size_t i = 3; i < n; i++)
                if (word[i] != '0')
                        return false;
        return true;
}

static int swf_parse_field(struct swf *s, size_t field, const char *word, size_t n, uint64_t *ret) {
        usec_t v;

        *ret = UNKNOWN;
        if (swf_is_unknown(word, n))
                return 0;
        if (seconds_read(word, n, &v) < 0)
                return swf_bad_field(s, field, word, n);
        if (!fields[field].whole)
                *ret = v;
        else if (v % USEC_PER_SEC || v / USEC_PER_SEC > fields[field].max)
                return swf_bad_field(s, field, word, n);
        else
                *ret = v / USEC_PER_SEC;
        return 0;
}

static int swf_split(struct swf *s, const char *text, size_t n, uint64_t ret[SWF_FIELDS]) {
        size_t field = 0;

        for (size_t i = 0; i < n;) {
                for (; i < n && is_space(text[i]); i++)
                        ;
                size_t from = i;
                for (; i < n && !is_space(text[i]); i++)
                        ;
                if (i == from)
                        break;
                if (field >= SWF_FIELDS)
                        return fail_set(s->fail, -EINVAL,
                                        "%s line %u: there are more than %d fields", s->file,
                                        s->line, SWF_FIELDS);
                int r = swf_parse_field(s, field, text + from, i - from, &ret[field]);
                if (r < 0)
                        return r;
                field++;
        }
        if (field < SWF_FIELDS)
                return fail_set(s->fail, -EINVAL, "%s line %u: there are %zu fields; expected %d",
                                s->file, s->line, field, SWF_FIELDS);
        return 0;
}

static bool swf_is_part(const uint64_t f[SWF_FIELDS]) {
        return f[STATUS] != UNKNOWN && f[STATUS] >= 2 && f[STATUS] <= 4;
}

static uint64_t first_known(uint64_t a, uint64_t b) {
        return a == UNKNOWN || a == 0 ? b : a;
}

/* Returns the reason for leaving a line out; TRACE_LEFT_OUT_MAX: none. */
static enum trace_left_out swf_left_out(const uint64_t f[SWF_FIELDS]) {
        uint64_t run = f[RUN] == UNKNOWN ? f[CPU_TIME] : f[RUN],
                 processors = first_known(f[PROCESSORS], f[HAD_PROCESSORS]);

        if (f[STATUS] == 5 && (run == UNKNOWN || run == 0))
                return LEFT_NEVER_RAN;
        if (run == UNKNOWN)
                return LEFT_NO_RUN;
        return processors == UNKNOWN || processors == 0 ? LEFT_NO_SIZE : TRACE_LEFT_OUT_MAX;
}

static void swf_append_job(struct swf *s, const uint64_t f[SWF_FIELDS]) {
        struct trace *t = s->t;
        uint64_t memory = first_known(f[MEMORY], f[USED_MEMORY]);
        char number[32];
        size_t n = (size_t)snprintf(number, sizeof number, "%llu",
                        (unsigned long long)(f[JOB_NUMBER] == UNKNOWN ? t->n + 1 : f[JOB_NUMBER]));
        struct trace_job j = { .name = trace_word(t, number, n),
                .line = s->line,
                .after = UINT32_MAX,
                .think = f[THINK],
                .waited = f[WAIT] };

        j.submit = f[SUBMIT];
        j.run = f[RUN] == UNKNOWN ? f[CPU_TIME] : f[RUN];
        j.limit = first_known(f[LIMIT], j.run ? j.run : USEC_PER_SEC);
        if (t->overuse)
                j.limit = MAX(j.limit, j.run);
        j.tasks = (uint32_t)first_known(f[PROCESSORS], f[HAD_PROCESSORS]);
        if (memory != UNKNOWN) /* KB, read like seconds */
                j.mem_per_cpu = DIV_ROUND_UP(memory, 1024 * USEC_PER_SEC);
        j.uid = f[USER] == UNKNOWN ? 0 : (uint32_t)f[USER];
        j.gid = f[GROUP] == UNKNOWN ? 0 : (uint32_t)f[GROUP];
        j.fails = f[STATUS] == 0;
        if (f[QUEUE] != UNKNOWN)
                j.partition = swf_label_name(t, "Queue", f[QUEUE]);
        if (f[PARTITION] != UNKNOWN)
                j.partition_too = swf_label_name(t, "Partition", f[PARTITION]);
        GROW(t->jobs, t->allocated, t->n);
        GROW(s->numbers, s->a_numbers, t->n);
        GROW(s->preceding, s->a_preceding, t->n);
        s->numbers[t->n] = (struct number_at){ f[JOB_NUMBER], (uint32_t)t->n };
        s->preceding[t->n] = f[PRECEDING];
        t->jobs[t->n++] = j;
}

/* Adds one job from a line or from joined parts. */
static int swf_add_job(struct swf *s, const uint64_t f[SWF_FIELDS]) {
        if (f[SUBMIT] == UNKNOWN)
                return fail_set(s->fail, -EINVAL,
                                "%s line %u: field 2 (submit time): it is not known", s->file,
                                s->line);
        enum trace_left_out why = swf_left_out(f);
        if (why != TRACE_LEFT_OUT_MAX)
                s->t->left_out[why]++;
        else if (s->t->n >= TRACE_JOBS_MAX)
                return fail_set(s->fail, -EFBIG, "%s line %u: more than %d jobs", s->file, s->line,
                                TRACE_JOBS_MAX);
        else
                swf_append_job(s, f);
        return 0;
}

static int swf_parse_line(const char *text, size_t n, unsigned number, void *user) {
        struct swf *s = user;
        uint64_t f[SWF_FIELDS];

        s->line = number;
        swf_trim(&text, &n);
        if (n == 0)
                return 0;
        if (*text == ';' || *text == '#') {
                swf_parse_comment(s, text + 1, n - 1);
                return 0;
        }
        int r = swf_split(s, text, n, f);
        if (r < 0)
                return r;
        if (swf_is_part(f)) {
                GROW(s->parts, s->a_parts, s->n_parts);
                struct part *p = &s->parts[s->n_parts++];
                memcpy(p->f, f, sizeof f);
                p->line = number;
                return 0;
        }
        GROW(s->whole, s->a_whole, s->n_whole);
        s->whole[s->n_whole++] = f[JOB_NUMBER];
        return swf_add_job(s, f);
}

/* ---- jobs in parts ---- */

static int part_by_job(const void *a, const void *b) {
        const struct part *x = a, *y = b;

        if (x->f[JOB_NUMBER] != y->f[JOB_NUMBER])
                return x->f[JOB_NUMBER] < y->f[JOB_NUMBER] ? -1 : 1;
        return x->line < y->line ? -1 : x->line > y->line;
}

static int swf_by_value(const void *a, const void *b) {
        const uint64_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

/* Joins parts to one job: data of the first part, the first known submit time, the sum of run
   times, the status of the last part. */
static int swf_join_parts(struct swf *s, const struct part *parts, size_t n) {
        uint64_t f[SWF_FIELDS], run = 0, *submit = &f[SUBMIT];

        memcpy(f, parts[0].f, sizeof f);
        for (size_t i = 0; i < n; i++) {
                uint64_t part = parts[i].f[RUN] == UNKNOWN ? parts[i].f[CPU_TIME] : parts[i].f[RUN];
                run = part == UNKNOWN ? run : MIN(run + part, TRACE_TIME_MAX);
                *submit = *submit == UNKNOWN ? parts[i].f[SUBMIT] : *submit;
        }
        f[RUN] = run ? run : UNKNOWN;
        f[STATUS] = parts[n - 1].f[STATUS] != 4;
        s->line = parts[0].line;
        return swf_add_job(s, f);
}

static int join_parts(struct swf *s) {
        int r = 0;

        if (s->n_parts == 0)
                return 0;
        list_sort(s->parts, s->n_parts, sizeof s->parts[0], part_by_job);
        list_sort(s->whole, s->n_whole, sizeof s->whole[0], swf_by_value);
        for (size_t i = 0, n; i < s->n_parts && r >= 0; i += n) {
                uint64_t number = s->parts[i].f[JOB_NUMBER];
                for (n = 1; i + n < s->n_parts && s->parts[i + n].f[JOB_NUMBER] == number &&
                                number != UNKNOWN;
                                n++)
                        ;
                size_t at = FIRST_NOT(s->n_whole, k, s->whole[k] < number);
                if (at < s->n_whole && s->whole[at] == number && number != UNKNOWN)
                        s->t->left_out[LEFT_PART] += n;
                else
                        r = swf_join_parts(s, &s->parts[i], n);
        }
        return r;
}

/* ---- jobs following other jobs ---- */

static int swf_by_number(const void *a, const void *b) {
        const struct number_at *x = a, *y = b;

        if (x->number != y->number)
                return x->number < y->number ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

/* A preceding job that is not in the trace, or was left out, counts as ended. */
static void find_preceding(struct swf *s) {
        struct trace *t = s->t;

        list_sort(s->numbers, t->n, sizeof s->numbers[0], swf_by_number);
        for (size_t i = 0; i < t->n; i++) {
                if (s->preceding[i] == UNKNOWN || s->preceding[i] == 0)
                        continue;
                size_t at = FIRST_NOT(t->n, k, s->numbers[k].number < s->preceding[i]);
                if (at < t->n && s->numbers[at].number == s->preceding[i])
                        t->jobs[i].after = s->numbers[at].at;
        }
}

int swf_read(const char *file, const char *text, size_t size, struct trace **ret,
                struct fail *fail) {
        _cleanup_(trace_freep) struct trace *t = trace_new();
        struct swf s = { .t = t, .file = file, .fail = fail };
        int r = trace_lines(text, size, swf_parse_line, &s);

        t->guess_partitions = true;
        if (r >= 0)
                r = join_parts(&s);
        if (r >= 0)
                find_preceding(&s);
        free(s.parts);
        free(s.whole);
        free(s.numbers);
        free(s.preceding);
        if (r >= 0)
                r = trace_sort(t, file, fail);
        if (r < 0)
                return r;
        *ret = TAKE(t);
        return 0;
}
