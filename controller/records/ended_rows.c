/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each kind has three tables in the same order, generated from a list of fields: the offset in the
 * message, the column, and the expression for reading.  SQLite prints only fifteen digits of a
 * number with a fraction, so times are read as whole microseconds. */
#include "controller/records/ended_rows.h"

#include "controller/model/ended.h"
#include "controller/model/ended_step.h"
#include "lib/timetext.h"
#include "proto/slumber.pb-c.h"

enum type { TEXT, NUMBER, TIME };

struct field {
        enum type type;
        size_t offset;
};

#define COLUMN(field)  #field,
#define AS_TIME(field) "CAST(round(" #field " * 1000000) AS BIGINT)",

#define X(type, message, field) { type, offsetof(message, field) },
#define JOB_TEXT(field)         X(TEXT, Slumber__Ended, field)
#define JOB_NUMBER(field)       X(NUMBER, Slumber__Ended, field)
#define JOB_TIME(field)         X(TIME, Slumber__Ended, field)
#define STEP_TEXT(field)        X(TEXT, Slumber__EndedStep, field)
#define STEP_NUMBER(field)      X(NUMBER, Slumber__EndedStep, field)
#define STEP_TIME(field)        X(TIME, Slumber__EndedStep, field)
#define SCRIPT_TEXT(field)      X(TEXT, Slumber__KeptScript, field)
#define SCRIPT_NUMBER(field)    X(NUMBER, Slumber__KeptScript, field)
#define SCRIPT_TIME(field)      X(TIME, Slumber__KeptScript, field)
static const struct field job_fields[] = { ENDED_TEXTS(JOB_TEXT) ENDED_NUMBERS(JOB_NUMBER)
                        ENDED_TIMES(JOB_TIME) };
static const struct field step_fields[] = { ENDED_STEP_TEXTS(STEP_TEXT)
                        ENDED_STEP_NUMBERS(STEP_NUMBER) ENDED_STEP_TIMES(STEP_TIME) };
static const struct field script_fields[] = { ENDED_SCRIPT_TEXTS(SCRIPT_TEXT)
                        ENDED_SCRIPT_NUMBERS(SCRIPT_NUMBER) ENDED_SCRIPT_TIMES(SCRIPT_TIME) };
#undef X

static const char *const job_write[] = { "id",
        ENDED_TEXTS(COLUMN) ENDED_NUMBERS(COLUMN) ENDED_TIMES(COLUMN) };
static const char *const job_read[] = { "id",
        ENDED_TEXTS(COLUMN) ENDED_NUMBERS(COLUMN) ENDED_TIMES(AS_TIME) };
static const char *const step_write[] = { "id",
        ENDED_STEP_TEXTS(COLUMN) ENDED_STEP_NUMBERS(COLUMN) ENDED_STEP_TIMES(COLUMN) };
static const char *const step_read[] = { "id",
        ENDED_STEP_TEXTS(COLUMN) ENDED_STEP_NUMBERS(COLUMN) ENDED_STEP_TIMES(AS_TIME) };
static const char *const script_write[] = { "id",
        ENDED_SCRIPT_TEXTS(COLUMN) ENDED_SCRIPT_NUMBERS(COLUMN) ENDED_SCRIPT_TIMES(COLUMN) };
static const char *const script_read[] = { "id",
        ENDED_SCRIPT_TEXTS(COLUMN) ENDED_SCRIPT_NUMBERS(COLUMN) ENDED_SCRIPT_TIMES(AS_TIME) };

static const struct kind {
        const char *table;
        const char *const *write, *const *read; /* columns */
        size_t n;
        const struct field *fields;
        size_t row; /* offset of the id in the message */
} kinds[ENDED_KIND_MAX] = {
        [ENDED_JOB] = { "job", job_write, job_read, ELEMENTSOF(job_write), job_fields,
                        offsetof(Slumber__Ended, row) },
        [ENDED_STEP] = { "step", step_write, step_read, ELEMENTSOF(step_write), step_fields,
                        offsetof(Slumber__EndedStep, row) },
        [ENDED_SCRIPT] = { "script", script_write, script_read, ELEMENTSOF(script_write),
                        script_fields, offsetof(Slumber__KeptScript, row) },
};

const char *ended_table(enum ended_kind kind) {
        return kinds[kind].table;
}

const char *const *ended_columns_written(enum ended_kind kind) {
        return kinds[kind].write;
}

const char *const *ended_columns_read(enum ended_kind kind) {
        return kinds[kind].read;
}

size_t ended_n_columns(enum ended_kind kind) {
        return kinds[kind].n;
}

/* Text in seconds; NO_LIMIT: "-1". */
static char *ended_seconds_text(usec_t t) {
        return t == NO_LIMIT ? xstrdup("-1")
                             : xasprintf("%llu.%06llu", (unsigned long long)(t / USEC_PER_SEC),
                                               (unsigned long long)(t % USEC_PER_SEC));
}

static char *ended_value_text(enum type type, const void *at) {
        switch (type) {
        case TEXT:
                return xstrdup(*(char *const *)at);
        case NUMBER:
                return xasprintf("%lld", (long long)*(const int64_t *)at);
        case TIME:
                return ended_seconds_text(*(const uint64_t *)at);
        }
        return NULL;
}

char **ended_row_make(enum ended_kind kind, uint64_t id, const void *message) {
        assert(kind < ENDED_KIND_MAX);
        assert(message);

        const struct kind *k = &kinds[kind];
        char **values = xnew(char *, k->n);
        values[0] = xasprintf("%llu", (unsigned long long)id);
        for (size_t i = 1; i < k->n; i++)
                values[i] = ended_value_text(k->fields[i - 1].type,
                                (const char *)message + k->fields[i - 1].offset);
        return values;
}

static usec_t ended_time_parse(const char *text) {
        long long v = strtoll(text, NULL, 10);

        return v < 0 ? NO_LIMIT : (usec_t)v;
}

static void put_value(enum type type, void *at, char *value) {
        switch (type) {
        case TEXT:
                *(char **)at = value;
                break;
        case NUMBER:
                *(int64_t *)at = strtoll(value, NULL, 10);
                break;
        case TIME:
                *(uint64_t *)at = ended_time_parse(value);
                break;
        }
}

void ended_row_read(enum ended_kind kind, char *const *values, void *message) {
        assert(kind < ENDED_KIND_MAX);
        assert(values);
        assert(message);

        const struct kind *k = &kinds[kind];
        *(uint64_t *)(void *)((char *)message + k->row) = strtoull(values[0], NULL, 10);
        for (size_t i = 1; i < k->n; i++)
                put_value(k->fields[i - 1].type, (char *)message + k->fields[i - 1].offset,
                                values[i]);
}

char *ended_lines(char *const *list, size_t n) {
        char *all = NULL;
        size_t size;
        FILE *f = memstream_open(&all, &size);

        for (size_t i = 0; i < n; i++)
                fprintf(f, "%s\n", list[i]);
        memstream_close(f);
        return all;
}
