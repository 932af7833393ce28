/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a trace of comma-separated values. The first line names the columns, in any order; of
 * columns[] only submit and run are required. An empty value means unset. "A ""quoted"" value" may
 * have commas, but no line breaks. */
#include "lib/timetext.h"
#include "sim/trace.h"

#include <strings.h>

#define CSV_COLUMNS_MAX 64
#define CSV_VALUE_MAX   4096 /* a node list; other values are far shorter */

enum kind {
        NAME,
        SECONDS,
        LIMIT,
        COUNT,
        NODES,
        MEGABYTES,
        TEXT,
        NICE,
        FLAG,
        GPUS,
        USER,
        AFTER,
        HET,
};

#define AT(field)   offsetof(struct trace_job, field), false
#define MORE(field) offsetof(struct trace_more, field), true
static const struct column {
        const char *name;
        enum kind kind;
        size_t offset;
        bool in_more; /* field of struct trace_more, which most jobs do not need */
} columns[] = {
        { "job", NAME, AT(name) },
        { "submit", SECONDS, AT(submit) },
        { "run", SECONDS, AT(run) },
        { "limit", LIMIT, AT(limit) },
        { "nodes", NODES, AT(nodes) },
        { "tasks", COUNT, AT(tasks) },
        { "cpus_per_task", COUNT, AT(cpus_per_task) },
        { "tasks_per_node", COUNT, AT(tasks_per_node) },
        { "mem", MEGABYTES, AT(mem_per_node) },
        { "mem_per_cpu", MEGABYTES, AT(mem_per_cpu) },
        { "exclusive", FLAG, AT(exclusive) },
        { "partition", TEXT, AT(partition) },
        { "user", USER, AT(uid) },
        { "account", TEXT, AT(account) },
        { "qos", TEXT, AT(qos) },
        { "features", TEXT, AT(features) },
        { "nodelist", TEXT, AT(nodelist) },
        { "exclude", TEXT, AT(exclude) },
        { "prefer", TEXT, MORE(prefer) },
        { "reservation", TEXT, MORE(reservation) },
        { "licenses", TEXT, MORE(licenses) },
        { "gres", TEXT, MORE(tres_per_node) },
        { "gpus", GPUS, MORE(tres_per_job) },
        { "gpus_per_task", GPUS, MORE(tres_per_task) },
        { "cpus_per_gpu", COUNT, MORE(cpus_per_gpu) },
        { "mem_per_gpu", MEGABYTES, MORE(mem_per_gpu) },
        { "mincpus", COUNT, MORE(min_cpus_node) },
        { "switches", COUNT, MORE(switches) },
        { "contiguous", FLAG, MORE(contiguous) },
        { "begin", SECONDS, MORE(begin) },
        { "deadline", SECONDS, MORE(deadline) },
        { "time_min", SECONDS, MORE(time_min) },
        { "priority", COUNT, AT(priority) },
        { "nice", NICE, AT(nice) },
        { "after", AFTER, AT(after) },
        { "het", HET, AT(het) },
        { "think", SECONDS, AT(think) },
        { "waited", SECONDS, AT(waited) },
        { "failed", FLAG, AT(fails) },
};

struct said { /* parts of a line that concern other jobs */
        bool submit, run, user;
        const char *after, *het; /* job names */
};

struct csv {
        struct trace *t;
        const char *file;
        unsigned line;
        size_t leader;           /* index of the last job that is not a component of another */
        struct said said;        /* of the current line */
        struct trace_more *more; /* rare fields of the current line's job; NULL: unset */
        const struct column *of[CSV_COLUMNS_MAX];
        size_t n;
        const char **after; /* per job: names of preceding jobs */
        size_t a_after;
        struct fail *fail;
};

/* ---- values ---- */

static int value_bad(struct csv *s, const struct column *c, const char *value, const char *what) {
        return fail_set(s->fail, -EINVAL, "%s line %u: %s: \"%.60s\" is not %s", s->file, s->line,
                        c->name, value, what);
}

static int csv_parse_nodes(struct csv *s, const struct column *c, char *value,
                struct trace_job *j) {
        char *dash = strchr(value, '-');
        uint64_t least, most;

        if (dash)
                *dash = 0;
        if (uint_parse(value, 1, 1u << 30, &least) < 0 ||
                        (dash && uint_parse(dash + 1, least, 1u << 30, &most) < 0)) {
                if (dash)
                        *dash = '-';
                return value_bad(s, c, value, "a number of nodes, nor two of them (2-4)");
        }
        j->nodes = (uint32_t)least;
        j->max_nodes = (uint32_t)(dash ? most : least);
        return 0;
}

static uint32_t uid_of(struct csv *s, const char *name) {
        uint64_t v;

        if (uint_parse(name, 0, UINT32_MAX - 1, &v) == 0)
                return (uint32_t)v;
        struct trace *t = s->t;
        const char *word = trace_word(t, name, strlen(name));
        for (size_t i = t->n_users; i-- > 0;)
                if (t->users[i] == word)
                        return TRACE_FIRST_UID + (uint32_t)i;
        GROW(t->users, t->a_users, t->n_users);
        t->users[t->n_users] = word;
        return TRACE_FIRST_UID + (uint32_t)t->n_users++;
}

static int csv_parse_number(struct csv *s, const struct column *c, const char *value, void *at) {
        char *end;
        uint64_t v;

        if (c->kind == COUNT) {
                if (uint_parse(value, 0, 1u << 30, &v) < 0)
                        return value_bad(s, c, value, "a whole number up to 1073741824");
                *(uint32_t *)at = (uint32_t)v;
        } else if (c->kind == MEGABYTES) {
                if (memory_parse(value, at, NULL) < 0)
                        return value_bad(s, c, value, "an amount of memory like 4096 (MB) or 4G");
        } else {
                errno = 0;
                long nice = strtol(value, &end, 10);
                if (*end || errno || nice < -2147483645 || nice > 2147483645)
                        return value_bad(s, c, value, "a number");
                *(int32_t *)at = (int32_t)nice;
        }
        return 0;
}

static int csv_parse_time(struct csv *s, const struct column *c, const char *value, usec_t *ret) {
        if (c->kind == LIMIT && strcasecmp(value, "UNLIMITED") == 0) {
                *ret = NO_LIMIT;
                return 0;
        }
        int r = seconds_read(value, strlen(value), ret);
        if (r >= 0 && c->kind == LIMIT && *ret == 0)
                r = -EINVAL;
        return r < 0 ? value_bad(s, c, value,
                                       c->kind == LIMIT
                                                       ? "a number of seconds above 0, nor UNLIMITED"
                                                       : "a number of seconds")
                     : 0;
}

static int csv_parse_flag(struct csv *s, const struct column *c, const char *value, bool *ret) {
        bool yes = strcasecmp(value, "yes") == 0 || streq(value, "1");

        if (!yes && strcasecmp(value, "no") != 0 && !streq(value, "0"))
                return value_bad(s, c, value, "yes or no");
        *ret = yes;
        return 0;
}

/* Reads "2", "a100:2", "a100:2,h100:1", as --gpus. */
static void csv_parse_gpus(struct csv *s, const char *value, const char **ret) {
        char gres[2 * CSV_VALUE_MAX * sizeof "gpu:"], *end = gres;

        for (const char *p = value; *p; p += *p == ',') {
                size_t len = strcspn(p, ",");

                end = mempcpy(stpcpy(end, end > gres ? ",gpu:" : "gpu:"), p, len);
                p += len;
        }
        *ret = trace_word(s->t, gres, (size_t)(end - gres));
}

static struct trace_more *more_of(struct csv *s, struct trace_job *j) {
        if (!s->more)
                j->more = s->more = trace_more_new(s->t);
        return s->more;
}

static int csv_parse_value(struct csv *s, const struct column *c, char *value,
                struct trace_job *j) {
        void *at = (char *)(c->in_more ? (void *)more_of(s, j) : j) + c->offset;

        s->said.submit |= c->kind == SECONDS && at == &j->submit;
        s->said.run |= c->kind == SECONDS && at == &j->run;
        switch (c->kind) {
        case SECONDS:
        case LIMIT:
                return csv_parse_time(s, c, value, at);
        case NODES:
                return csv_parse_nodes(s, c, value, j);
        case COUNT:
        case MEGABYTES:
        case NICE:
                return csv_parse_number(s, c, value, at);
        case FLAG:
                return csv_parse_flag(s, c, value, at);
        case GPUS:
                csv_parse_gpus(s, value, at);
                return 0;
        case USER:
                j->uid = j->gid = uid_of(s, value);
                s->said.user = true;
                return 0;
        case AFTER:
                s->said.after = trace_word(s->t, value, strlen(value));
                return 0;
        case HET:
                s->said.het = trace_word(s->t, value, strlen(value));
                return 0;
        case NAME:
        case TEXT:
        default:
                *(const char **)at = trace_word(s->t, value, strlen(value));
                return 0;
        }
}

/* ---- lines ---- */

/* Reads the next value of the line into buf and moves *at behind its comma. Returns 0 at the end,
   else 1. */
static int next_value(struct csv *s, const char *text, size_t n, size_t *at,
                char buf[CSV_VALUE_MAX]) {
        size_t i = *at, k = 0;
        bool quoted = i < n && text[i] == '"';

        if (i > n)
                return 0;
        for (i += quoted; i < n; i++) {
                if (quoted && text[i] == '"') {
                        if (i + 1 >= n || text[i + 1] != '"')
                                break;
                        i++;
                } else if (!quoted && text[i] == ',') {
                        break;
                }
                if (k + 1 >= CSV_VALUE_MAX || !text[i])
                        return fail_set(s->fail, -EINVAL,
                                        "%s line %u: a value is longer than %d bytes, or has a zero byte",
                                        s->file, s->line, CSV_VALUE_MAX - 1);
                buf[k++] = text[i];
        }
        if (quoted && (i >= n || (i + 1 < n && text[i + 1] != ',')))
                return fail_set(s->fail, -EINVAL,
                                "%s line %u: a quoted value does not end with \" before a comma",
                                s->file, s->line);
        i += quoted;
        buf[k] = 0;
        while (!quoted && k && strchr(" \t", buf[k - 1]))
                buf[--k] = 0;
        size_t spaces = quoted ? 0 : strspn(buf, " \t");
        memmove(buf, buf + spaces, k - spaces + 1);
        *at = i + 1;
        return 1;
}

static int csv_parse_heading(struct csv *s, const char *text, size_t n) {
        char buf[CSV_VALUE_MAX];
        bool submit = false, run = false;
        int r;

        for (size_t at = 0; (r = next_value(s, text, n, &at, buf)) > 0; s->n++) {
                if (s->n >= CSV_COLUMNS_MAX)
                        return fail_set(s->fail, -EINVAL, "%s line %u: more than %d columns",
                                        s->file, s->line, CSV_COLUMNS_MAX);
                for (size_t i = 0; i < ELEMENTSOF(columns) && !s->of[s->n]; i++)
                        if (strcasecmp(columns[i].name, buf) == 0)
                                s->of[s->n] = &columns[i];
                if (!s->of[s->n])
                        return fail_set(s->fail, -EINVAL,
                                        "%s line %u: \"%.60s\" is not the name of a column; slumber-sim(1) has them",
                                        s->file, s->line, buf);
                for (size_t i = 0; i < s->n; i++)
                        if (s->of[i] == s->of[s->n])
                                return fail_set(s->fail, -EINVAL,
                                                "%s line %u: the column %s stands twice", s->file,
                                                s->line, buf);
                submit |= streq(s->of[s->n]->name, "submit");
                run |= streq(s->of[s->n]->name, "run");
        }
        if (r < 0)
                return r;
        if (!submit || !run)
                return fail_set(s->fail, -EINVAL, "%s line %u: there is no column \"%s\"", s->file,
                                s->line, submit ? "run" : "submit");
        return 0;
}

static int bad_line(const struct csv *s, const char *column, const char *what) {
        return fail_set(s->fail, -EINVAL, "%s line %u: %s: %s", s->file, s->line, column, what);
}

/* Makes j a component of the preceding job. */
static int csv_join_component(struct csv *s, struct trace_job *j) {
        struct trace_job *leader = s->t->n ? &s->t->jobs[s->leader] : NULL;

        if (!leader || leader->name != s->said.het) /* equal words share one pointer */
                return fail_set(s->fail, -EINVAL,
                                "%s line %u: het: \"%.60s\" is not the job before it, behind which its components stand",
                                s->file, s->line, s->said.het);
        if (s->said.submit && j->submit != leader->submit)
                return bad_line(s, "submit", "a component is submitted when its first one is");
        if (s->said.user && j->uid != leader->uid)
                return bad_line(s, "user", "a component has the user of its first one");
        if (s->said.after || j->think != NO_LIMIT)
                return bad_line(s, s->said.after ? "after" : "think",
                                "that of the first component counts for all");
        if (leader->het == HET_MAX)
                return fail_set(s->fail, -EINVAL, "%s line %u: het: more than %u components",
                                s->file, s->line, HET_MAX);
        leader->het = MAX(1u, leader->het) + 1;
        j->submit = leader->submit;
        j->uid = leader->uid;
        j->gid = leader->gid;
        if (!s->said.run) {
                j->limit = j->limit ? j->limit : leader->limit;
                j->run = leader->run;
                j->fails |= leader->fails;
        }
        if (!j->name) {
                char name[CSV_VALUE_MAX + 16];
                j->name = trace_word(s->t, name,
                                (size_t)snprintf(name, sizeof name, "%s+%u", leader->name,
                                                leader->het - 1));
        }
        return 0;
}

static int csv_complete_job(struct csv *s, struct trace_job *j) {
        if (!s->said.submit || !s->said.run)
                return bad_line(s, s->said.submit ? "run" : "submit", "it is empty");
        s->leader = s->t->n;
        if (!j->name) {
                char number[32];
                j->name = trace_word(s->t, number,
                                (size_t)snprintf(number, sizeof number, "%zu", s->t->n + 1));
        }
        return 0;
}

static int csv_parse_job(struct csv *s, const char *text, size_t n) {
        struct trace_job j = {
                .line = s->line,
                .after = UINT32_MAX,
                .think = NO_LIMIT,
                .waited = NO_LIMIT,
        };
        char buf[CSV_VALUE_MAX];
        size_t column = 0;
        int r;

        s->said = (struct said){ 0 };
        s->more = NULL;
        for (size_t at = 0; (r = next_value(s, text, n, &at, buf)) > 0; column++) {
                if (column >= s->n)
                        return fail_set(s->fail, -EINVAL,
                                        "%s line %u: there are more values than columns", s->file,
                                        s->line);
                r = *buf ? csv_parse_value(s, s->of[column], buf, &j) : 0;
                if (r < 0)
                        return r;
        }
        if (r < 0)
                return r;
        if (column < s->n)
                return fail_set(s->fail, -EINVAL, "%s line %u: there are %zu values; expected %zu",
                                s->file, s->line, column, s->n);
        if (s->t->n >= TRACE_JOBS_MAX)
                return fail_set(s->fail, -EFBIG, "%s line %u: more than %d jobs", s->file, s->line,
                                TRACE_JOBS_MAX);
        r = s->said.het ? csv_join_component(s, &j) : csv_complete_job(s, &j);
        if (r < 0)
                return r;
        if (!j.limit)
                j.limit = MAX(j.run, USEC_PER_SEC);
        GROW(s->t->jobs, s->t->allocated, s->t->n);
        GROW(s->after, s->a_after, s->t->n);
        s->after[s->t->n] = s->said.after;
        s->t->jobs[s->t->n++] = j;
        return 0;
}

/* ---- jobs following other jobs ---- */

struct name_at {
        const char *name;
        uint32_t at;
};

static int csv_by_name(const void *a, const void *b) {
        const struct name_at *x = a, *y = b;

        if (x->name != y->name) /* equal words share one pointer */
                return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
        return x->at < y->at ? -1 : x->at > y->at;
}

static int find_after(struct csv *s) {
        struct trace *t = s->t;
        _cleanup_free_ struct name_at *names = xnew(struct name_at, t->n + 1);

        for (size_t i = 0; i < t->n; i++)
                names[i] = (struct name_at){ t->jobs[i].name, (uint32_t)i };
        list_sort(names, t->n, sizeof names[0], csv_by_name);
        for (size_t i = 0; i < t->n; i++) {
                if (!s->after[i])
                        continue;
                size_t at = FIRST_NOT(t->n, k, (uintptr_t)names[k].name < (uintptr_t)s->after[i]);
                if (at >= t->n || names[at].name != s->after[i])
                        return fail_set(s->fail, -EINVAL,
                                        "%s line %u: after: there is no job \"%.60s\"", s->file,
                                        t->jobs[i].line, s->after[i]);
                t->jobs[i].after = names[at].at;
        }
        return 0;
}

static int csv_parse_line(const char *text, size_t n, unsigned number, void *user) {
        struct csv *s = user;

        s->line = number;
        if (n == 0 || *text == '#')
                return 0;
        return s->n ? csv_parse_job(s, text, n) : csv_parse_heading(s, text, n);
}

int csv_read(const char *file, const char *text, size_t size, struct trace **ret,
                struct fail *fail) {
        _cleanup_(trace_freep) struct trace *t = trace_new();
        struct csv s = { .t = t, .file = file, .fail = fail };
        int r = trace_lines(text, size, csv_parse_line, &s);

        if (r >= 0)
                r = find_after(&s);
        free(s.after);
        if (r >= 0)
                r = trace_sort(t, file, fail);
        if (r < 0)
                return r;
        *ret = TAKE(t);
        return 0;
}
