/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controller/account_admin/acct_fields.h"

#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <math.h>
#include <strings.h>

#define QOS(member)     offsetof(struct qos, member)
#define ACCOUNT(member) offsetof(struct account, member)
#define USER(member)    offsetof(struct acct_user, member)
#define ASSOC(member)   offsetof(struct assoc, member)

static const struct acct_field qos_fields[] = {
        { "Description", 1, "description", ACCT_TEXT, QOS(description), NULL },
        { "Priority", 3, "priority", ACCT_NUMBER, QOS(priority), NULL },
        { "GraceTime", 3, "grace_time", ACCT_SECONDS, QOS(grace_time), NULL },
        { "Preempt", 7, "preempt", ACCT_QOS_SET, QOS(preempt), NULL },
        { "PreemptExemptTime", 8, "preempt_exempt_time", ACCT_EXEMPT, QOS(preempt_exempt_time),
                        NULL },
        { "PreemptMode", 8, "preempt_mode", ACCT_MODE, QOS(preempt_mode), NULL },
        { "Flags", 1, "flags", ACCT_FLAGS, QOS(flags), NULL },
        { "UsageFactor", 6, "usage_factor", ACCT_REAL, QOS(usage_factor), NULL },
        { "GrpTRES", 7, "grp_tres", ACCT_TRES, QOS(limits.tres[LIMIT_GRP_TRES]), NULL },
        { "GrpJobs", 4, "grp_jobs", ACCT_COUNT, QOS(limits.count[LIMIT_GRP_JOBS]), NULL },
        { "GrpJobsAccrue", 8, "grp_accrue", ACCT_COUNT, QOS(limits.count[LIMIT_GRP_ACCRUE]), NULL },
        { "GrpSubmitJobs", 4, "grp_submit", ACCT_COUNT, QOS(limits.count[LIMIT_GRP_SUBMIT]), NULL },
        { "LimitFactor", 5, "limit_factor", ACCT_REAL, QOS(limit_factor), NULL },
        { "MaxJobsAccruePerUser", 15, "max_accrue_pu", ACCT_COUNT,
                        QOS(limits.count[LIMIT_MAX_ACCRUE]), "MaxJobsAccruePU" },
        { "MaxJobsAccruePerAccount", 17, "max_accrue_pa", ACCT_COUNT,
                        QOS(limits.count[LIMIT_MAX_ACCRUE_ACCOUNT]),
                        "MaxJobsAccruePA|MaxJobsAccruePerAcct" },
        { "MaxTRESPerJob", 9, "max_tres_pj", ACCT_TRES, QOS(limits.tres[LIMIT_MAX_TRES_JOB]),
                        "MaxTRES|MaxTRESPJ" },
        { "MaxTRESPerNode", 11, "max_tres_pn", ACCT_TRES, QOS(limits.tres[LIMIT_MAX_TRES_NODE]),
                        "MaxTRESPN" },
        { "MaxTRESMinsPerJob", 8, "max_tres_mins_pj", ACCT_TRES,
                        QOS(limits.tres[LIMIT_MAX_TRES_MINS_JOB]), "MaxTRESMinsPJ" },
        { "MaxWallDurationPerJob", 4, "max_wall", ACCT_WALL, QOS(limits.max_wall), NULL },
        { "MaxTRESPerUser", 11, "max_tres_pu", ACCT_TRES, QOS(limits.tres[LIMIT_MAX_TRES_USER]),
                        "MaxTRESPU" },
        { "MaxJobsPerUser", 4, "max_jobs_pu", ACCT_COUNT, QOS(limits.count[LIMIT_MAX_JOBS]),
                        "MaxJobsPU" },
        { "MaxSubmitJobsPerUser", 4, "max_submit_pu", ACCT_COUNT,
                        QOS(limits.count[LIMIT_MAX_SUBMIT]),
                        "MaxSubmitPU|MaxSubmitJobsPU|MaxSubmitPerUser" },
        { "MaxTRESPerAccount", 11, "max_tres_pa", ACCT_TRES,
                        QOS(limits.tres[LIMIT_MAX_TRES_ACCOUNT]), "MaxTRESPA" },
        { "MaxJobsPerAccount", 11, "max_jobs_pa", ACCT_COUNT,
                        QOS(limits.count[LIMIT_MAX_JOBS_ACCOUNT]), "MaxJobsPA" },
        { "MaxSubmitJobsPerAccount", 17, "max_submit_pa", ACCT_COUNT,
                        QOS(limits.count[LIMIT_MAX_SUBMIT_ACCOUNT]),
                        "MaxSubmitPA|MaxSubmitJobsPA|MaxSubmitPerAccount" },
        { "MinTRESPerJob", 4, "min_tres_pj", ACCT_TRES, QOS(limits.tres[LIMIT_MIN_TRES_JOB]),
                        NULL },
        { "MinPrioThreshold", 4, "min_prio", ACCT_COUNT, QOS(limits.count[LIMIT_MIN_PRIO]), NULL },
        { "UsageThreshold", 7, "usage_threshold", ACCT_REAL, QOS(usage_threshold), "UsageThres" },
        { "GrpTRESMins", 8, "grp_tres_mins", ACCT_TRES, QOS(limits.tres[LIMIT_GRP_TRES_MINS]),
                        NULL },
        { "GrpTRESRunMins", 8, "grp_tres_run_mins", ACCT_TRES,
                        QOS(limits.tres[LIMIT_GRP_TRES_RUN_MINS]), NULL },
        { "GrpWall", 4, "grp_wall", ACCT_WALL, QOS(limits.grp_wall), NULL },
        { "MaxTRESRunMinsPerUser", 18, "max_tres_run_mins_pu", ACCT_TRES,
                        QOS(limits.tres[LIMIT_MAX_TRES_RUN_MINS_USER]), "MaxTRESRunMinsPU" },
        { "MaxTRESRunMinsPerAccount", 18, "max_tres_run_mins_pa", ACCT_TRES,
                        QOS(limits.tres[LIMIT_MAX_TRES_RUN_MINS_ACCOUNT]), "MaxTRESRunMinsPA" },
        { "GrpCPUMins", 7, NULL, ACCT_TRES_ONE, QOS(limits.tres[LIMIT_GRP_TRES_MINS].of[TRES_CPU]),
                        NULL },
        { "GrpCPURunMins", 7, NULL, ACCT_TRES_ONE,
                        QOS(limits.tres[LIMIT_GRP_TRES_RUN_MINS].of[TRES_CPU]), NULL },
        { "MaxCPUMinsPerJob", 7, NULL, ACCT_TRES_ONE,
                        QOS(limits.tres[LIMIT_MAX_TRES_MINS_JOB].of[TRES_CPU]), "MaxCPUMins" },
        { "GrpCPUs", 4, NULL, ACCT_TRES_ONE, QOS(limits.tres[LIMIT_GRP_TRES].of[TRES_CPU]), NULL },
        { "GrpMem", 4, NULL, ACCT_TRES_ONE, QOS(limits.tres[LIMIT_GRP_TRES].of[TRES_MEM]), NULL },
        { "GrpNodes", 4, NULL, ACCT_TRES_ONE, QOS(limits.tres[LIMIT_GRP_TRES].of[TRES_NODE]),
                        NULL },
        { "MaxCPUsPerJob", 5, NULL, ACCT_TRES_ONE,
                        QOS(limits.tres[LIMIT_MAX_TRES_JOB].of[TRES_CPU]), NULL },
        { "MaxNodesPerJob", 4, NULL, ACCT_TRES_ONE,
                        QOS(limits.tres[LIMIT_MAX_TRES_JOB].of[TRES_NODE]), NULL },
        { "MaxCPUsPerUser", 11, NULL, ACCT_TRES_ONE,
                        QOS(limits.tres[LIMIT_MAX_TRES_USER].of[TRES_CPU]), "MaxCPUsPU" },
        { "MaxNodesPerUser", 12, NULL, ACCT_TRES_ONE,
                        QOS(limits.tres[LIMIT_MAX_TRES_USER].of[TRES_NODE]), "MaxNodesPU" },
        { "MinCPUs", 4, NULL, ACCT_TRES_ONE, QOS(limits.tres[LIMIT_MIN_TRES_JOB].of[TRES_CPU]),
                        NULL },
};

static const struct acct_field account_fields[] = {
        { "Description", 1, "description", ACCT_TEXT, ACCOUNT(description), NULL },
        { "Organization", 1, "organization", ACCT_TEXT, ACCOUNT(organization), NULL },
};

static const struct acct_field user_fields[] = {
        { "AdminLevel", 2, "admin_level", ACCT_ADMIN, USER(admin), NULL },
        { "DefaultAccount", 8, "default_account", ACCT_TEXT, USER(default_account), NULL },
};

static const struct acct_field assoc_fields[] = {
        { "Fairshare", 1, "shares", ACCT_SHARES, ASSOC(shares), "Shares|Share" },
        { "GrpTRES", 7, "grp_tres", ACCT_TRES, ASSOC(limits.tres[LIMIT_GRP_TRES]), NULL },
        { "GrpJobs", 4, "grp_jobs", ACCT_COUNT, ASSOC(limits.count[LIMIT_GRP_JOBS]), NULL },
        { "GrpJobsAccrue", 8, "grp_accrue", ACCT_COUNT, ASSOC(limits.count[LIMIT_GRP_ACCRUE]),
                        NULL },
        { "GrpSubmitJobs", 4, "grp_submit", ACCT_COUNT, ASSOC(limits.count[LIMIT_GRP_SUBMIT]),
                        NULL },
        { "MaxJobsAccrue", 8, "max_accrue", ACCT_COUNT, ASSOC(limits.count[LIMIT_MAX_ACCRUE]),
                        NULL },
        { "Priority", 3, "priority", ACCT_COUNT, ASSOC(priority), NULL },
        { "MaxTRESPerJob", 7, "max_tres_pj", ACCT_TRES, ASSOC(limits.tres[LIMIT_MAX_TRES_JOB]),
                        "MaxTRES|MaxTRESPJ" },
        { "MaxTRESPerNode", 11, "max_tres_pn", ACCT_TRES, ASSOC(limits.tres[LIMIT_MAX_TRES_NODE]),
                        "MaxTRESPN" },
        { "MaxTRESMinsPerJob", 8, "max_tres_mins_pj", ACCT_TRES,
                        ASSOC(limits.tres[LIMIT_MAX_TRES_MINS_JOB]), "MaxTRESMinsPJ" },
        { "MaxJobs", 4, "max_jobs", ACCT_COUNT, ASSOC(limits.count[LIMIT_MAX_JOBS]), NULL },
        { "MaxSubmitJobs", 4, "max_submit", ACCT_COUNT, ASSOC(limits.count[LIMIT_MAX_SUBMIT]),
                        NULL },
        { "MaxWallDurationPerJob", 4, "max_wall", ACCT_WALL, ASSOC(limits.max_wall), NULL },
        { "MinPrioThreshold", 4, "min_prio", ACCT_COUNT, ASSOC(limits.count[LIMIT_MIN_PRIO]),
                        NULL },
        { "GrpTRESMins", 8, "grp_tres_mins", ACCT_TRES, ASSOC(limits.tres[LIMIT_GRP_TRES_MINS]),
                        NULL },
        { "GrpTRESRunMins", 8, "grp_tres_run_mins", ACCT_TRES,
                        ASSOC(limits.tres[LIMIT_GRP_TRES_RUN_MINS]), NULL },
        { "GrpWall", 4, "grp_wall", ACCT_WALL, ASSOC(limits.grp_wall), NULL },
        { "GrpCPUMins", 7, NULL, ACCT_TRES_ONE,
                        ASSOC(limits.tres[LIMIT_GRP_TRES_MINS].of[TRES_CPU]), NULL },
        { "GrpCPURunMins", 7, NULL, ACCT_TRES_ONE,
                        ASSOC(limits.tres[LIMIT_GRP_TRES_RUN_MINS].of[TRES_CPU]), NULL },
        { "MaxCPUMinsPerJob", 7, NULL, ACCT_TRES_ONE,
                        ASSOC(limits.tres[LIMIT_MAX_TRES_MINS_JOB].of[TRES_CPU]), "MaxCPUMins" },
        { "QOS", 1, "qos", ACCT_QOS_SET, ASSOC(qos), "QosLevel" },
        { "DefaultQOS", 8, "default_qos", ACCT_QOS_ID, ASSOC(default_qos), "DefQOS" },
        { "GrpCPUs", 4, NULL, ACCT_TRES_ONE, ASSOC(limits.tres[LIMIT_GRP_TRES].of[TRES_CPU]),
                        NULL },
        { "GrpMem", 4, NULL, ACCT_TRES_ONE, ASSOC(limits.tres[LIMIT_GRP_TRES].of[TRES_MEM]), NULL },
        { "GrpNodes", 4, NULL, ACCT_TRES_ONE, ASSOC(limits.tres[LIMIT_GRP_TRES].of[TRES_NODE]),
                        NULL },
        { "MaxCPUsPerJob", 4, NULL, ACCT_TRES_ONE,
                        ASSOC(limits.tres[LIMIT_MAX_TRES_JOB].of[TRES_CPU]), NULL },
        { "MaxNodesPerJob", 4, NULL, ACCT_TRES_ONE,
                        ASSOC(limits.tres[LIMIT_MAX_TRES_JOB].of[TRES_NODE]), NULL },
};

static const struct {
        const struct acct_field *fields;
        size_t n;
        const char *missing; /* settings of Slurm not implemented, separated by | */
} tables[ACCT_TABLE_MAX] = {
        [ACCT_QOS] = { qos_fields, ELEMENTSOF(qos_fields), "NewName|RawUsage" },
        [ACCT_ACCOUNT] = { account_fields, ELEMENTSOF(account_fields), "NewName" },
        [ACCT_USER] = { user_fields, ELEMENTSOF(user_fields),
                        "DefaultWCKey|NewName|WCKeys|RawUsage" },
        [ACCT_ASSOC] = { assoc_fields, ELEMENTSOF(assoc_fields), "RawUsage" },
};

const struct acct_field *acct_fields(enum acct_table table, size_t *ret_n) {
        *ret_n = tables[table].n;
        return tables[table].fields;
}

static bool field_has_word(const char *word, const char *words) {
        size_t length = strlen(word);

        for (const char *p = words; p && *p; p += strspn(p, "|")) {
                size_t n = strcspn(p, "|");
                if (n == length && strncasecmp(p, word, n) == 0)
                        return true;
                p += n;
        }
        return false;
}

const struct acct_field *acct_field_find(enum acct_table table, const char *key) {
        size_t n = strlen(key);

        for (size_t i = 0; i < tables[table].n; i++) {
                const struct acct_field *f = &tables[table].fields[i];
                if (strcasecmp(f->name, key) == 0 || field_has_word(key, f->other))
                        return f;
        }
        for (size_t i = 0; i < tables[table].n; i++) {
                const struct acct_field *f = &tables[table].fields[i];
                if (n >= f->least && strncasecmp(f->name, key, n) == 0 &&
                                !field_has_word(key, tables[table].missing))
                        return f;
        }
        return NULL;
}

bool acct_field_is_missing(enum acct_table table, const char *key) {
        return field_has_word(key, tables[table].missing);
}

/* ---- setters: a function for each type ---- */

#define AT(type, object, f) ((type *)(void *)((char *)(object) + (f)->offset))
#define AT_CONST(type, object, f)                                                                  \
        ((const type *)(const void *)((const char *)(object) + (f)->offset))

struct setting {
        const struct acct *a;
        const struct acct_field *f;
        void *object;
        char op;
        const char *value;
        struct fail *fail;
};

static int field_bad_value(const struct setting *s, const char *wanted) {
        return fail_set(s->fail, -EINVAL, "%s=%.100s: %s was expected", s->f->name, s->value,
                        wanted);
}

static int field_set_text(const struct setting *s) {
        free_and_strdup(AT(char *, s->object, s->f), s->value);
        return 0;
}

static int field_set_number(const struct setting *s) {
        uint64_t v;

        if (uint_parse(s->value, 0, UINT32_MAX - 2, &v) < 0)
                return field_bad_value(s, "a number");
        *AT(uint32_t, s->object, s->f) = (uint32_t)v;
        return 0;
}

static bool is_unset(const char *value) {
        return isempty(value) || streq(value, "-1");
}

static int field_set_count(const struct setting *s) {
        if (is_unset(s->value)) {
                *AT(uint32_t, s->object, s->f) = LIMIT_NONE;
                return 0;
        }
        return field_set_number(s);
}

/* Accepts seconds, or a duration with colons. */
static int set_seconds(const struct setting *s) {
        usec_t d;

        if (!strchr(s->value, ':'))
                return is_unset(s->value) ? (*AT(uint32_t, s->object, s->f) = 0, 0)
                                          : field_set_number(s);
        if (duration_parse(s->value, &d, NULL) < 0 || d / USEC_PER_SEC > UINT32_MAX - 2)
                return field_bad_value(s, "a number of seconds, or HH:MM:SS");
        *AT(uint32_t, s->object, s->f) = (uint32_t)(d / USEC_PER_SEC);
        return 0;
}

static int field_set_time(const struct setting *s, usec_t unset,
                int (*parse)(const char *text, usec_t *ret, struct fail *fail)) {
        usec_t d = unset;

        if (!is_unset(s->value) && parse(s->value, &d, NULL) < 0)
                return field_bad_value(s, "minutes, or [DAYS-]HH:MM:SS");
        *AT(usec_t, s->object, s->f) = d == NO_LIMIT ? unset : d;
        return 0;
}

static int set_wall(const struct setting *s) {
        return field_set_time(s, NO_LIMIT, limit_parse);
}

static int set_exempt(const struct setting *s) {
        return field_set_time(s, TIME_UNSET, duration_parse);
}

static int set_real(const struct setting *s) {
        double v = -1;

        if (!is_unset(s->value)) {
                char *end;
                v = strtod(s->value, &end);
                if (*end || end == s->value || !isfinite(v) || v < 0 || v > 1e12)
                        return field_bad_value(s, "a number");
        }
        if (s->f->offset == QOS(usage_factor) && v < 0)
                v = 1;
        if (s->f->offset == QOS(limit_factor) && v == 0)
                v = -1; /* 0 would forbid all jobs; Slurm ignores it */
        *AT(double, s->object, s->f) = v;
        return 0;
}

static int field_set_tres(const struct setting *s) {
        int r = tres_parse(&s->a->tres, s->value, AT(struct tres_set, s->object, s->f), s->fail);

        return r < 0 ? fail_prefix(s->fail, r, "%s", s->f->name) : 0;
}

static int set_tres_one(const struct setting *s) {
        uint64_t v = TRES_NONE;

        if (!is_unset(s->value) && uint_parse(s->value, 0, UINT64_C(1) << 48, &v) < 0)
                return field_bad_value(s, "a number");
        *AT(uint64_t, s->object, s->f) = v;
        return 0;
}

static int set_mode(const struct setting *s) {
        unsigned mode = PREEMPT_UNSET;
        int r = is_unset(s->value) || strcasecmp(s->value, "cluster") == 0
                                ? 0
                                : preempt_mode_parse(s->value, &mode, s->fail);

        if (r < 0)
                return fail_prefix(s->fail, r, "PreemptMode");
        *AT(unsigned, s->object, s->f) = mode;
        return 0;
}

static int field_set_flags(const struct setting *s) {
        unsigned *flags = AT(unsigned, s->object, s->f), v = 0;
        int r = streq(s->value, "-1") ? 0 : qos_flags_parse(s->value, &v, s->fail);

        if (r < 0)
                return r;
        *flags = s->op == '+' ? *flags | v : s->op == '-' ? *flags & ~v : v;
        return 0;
}

static int no_qos(const struct setting *s, const char *name) {
        return fail_set(s->fail, -ENOENT, "%s: there is no QOS \"%.100s\"", s->f->name, name);
}

/* The list that += and -= change: for an association without a list, the parent's. */
static const struct bitset *present_set(const struct setting *s) {
        bool of_assoc = s->f >= assoc_fields && s->f < assoc_fields + ELEMENTSOF(assoc_fields);

        return of_assoc ? assoc_qos(s->object) : *AT(struct bitset *, s->object, s->f);
}

/* An empty list means no own list: an association then inherits the parent's. */
static int set_qos_set(const struct setting *s) {
        bool older = strspn(s->value, "+-") && !streq(s->value, "-1"); /* older form preempt=+x */
        char op = older ? *s->value : s->op;
        const char *names = s->value + older;
        struct bitset **set = AT(struct bitset *, s->object, s->f);
        _cleanup_(bitset_freep) struct bitset *new = op != '=' && present_set(s)
                                                                     ? bitset_copy(present_set(s))
                                                                     : NULL;

        for_each_word(w, is_unset(names) ? NULL : names, ",") {
                const struct qos *q = qos_find(s->a, w);
                if (!q)
                        return no_qos(s, w);
                qos_set_put(&new, q->id, op != '-');
        }
        bitset_free(*set);
        *set = new && !bitset_empty(new) ? TAKE(new) : NULL;
        return 0;
}

static int set_qos_id(const struct setting *s) {
        const struct qos *q = is_unset(s->value) ? NULL : qos_find(s->a, s->value);

        if (!q && !is_unset(s->value))
                return no_qos(s, s->value);
        *AT(uint32_t, s->object, s->f) = q ? q->id : 0;
        return 0;
}

static int set_shares(const struct setting *s) {
        uint64_t v = 1;

        if (strcasecmp(s->value, "parent") == 0)
                v = SHARES_PARENT;
        else if (!is_unset(s->value) && uint_parse(s->value, 0, UINT32_MAX - 2, &v) < 0)
                return field_bad_value(s, "a number, or \"parent\"");
        *AT(uint32_t, s->object, s->f) = (uint32_t)v;
        return 0;
}

static int set_admin(const struct setting *s) {
        size_t n = strlen(s->value);

        for (int i = 0; i < ADMIN_LEVEL_MAX && n; i++)
                if (strncasecmp(admin_level_text(i), s->value, n) == 0) {
                        *AT(enum admin_level, s->object, s->f) = (enum admin_level)i;
                        return 0;
                }
        return field_bad_value(s, "None, Operator or Administrator");
}

/* ---- texts ---- */

static char *number_text(uint64_t v, uint64_t none) {
        return v == none ? xstrdup("") : xasprintf("%llu", (unsigned long long)v);
}

static char *field_time_text(usec_t d, usec_t none) {
        char buf[TIMETEXT_MAX];

        return xstrdup(d == none ? "" : duration_text(d, buf));
}

static char *mode_text(unsigned mode) {
        char *text = xstrdup(mode == PREEMPT_UNSET ? "cluster" : preempt_mode_text(mode));

        for (char *p = text; *p; p++)
                *p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
        return text;
}

static char *qos_id_text(const struct acct *a, uint32_t id) {
        const struct qos *q = id ? qos_by_id(a, id) : NULL;

        return xstrdup(q ? q->name : "");
}

char *acct_field_text(const struct acct *a, const struct acct_field *f, const void *object) {
        uint32_t n = 0;

        switch (f->type) {
        case ACCT_TEXT:
                return xstrdup(strempty(*AT_CONST(char *, object, f)));
        case ACCT_NUMBER:
                return number_text(*AT_CONST(uint32_t, object, f), UINT64_MAX);
        case ACCT_COUNT:
                return number_text(*AT_CONST(uint32_t, object, f), LIMIT_NONE);
        case ACCT_SECONDS:
                return field_time_text(*AT_CONST(uint32_t, object, f) * USEC_PER_SEC,
                                USEC_INFINITY);
        case ACCT_WALL:
                return field_time_text(*AT_CONST(usec_t, object, f), NO_LIMIT);
        case ACCT_EXEMPT:
                return field_time_text(*AT_CONST(usec_t, object, f), TIME_UNSET);
        case ACCT_REAL:
                return *AT_CONST(double, object, f) < 0
                                       ? xstrdup("")
                                       : xasprintf("%f", *AT_CONST(double, object, f));
        case ACCT_TRES:
                return tres_text(&a->tres, AT_CONST(struct tres_set, object, f));
        case ACCT_TRES_ONE:
                return number_text(*AT_CONST(uint64_t, object, f), TRES_NONE);
        case ACCT_MODE:
                return mode_text(*AT_CONST(unsigned, object, f));
        case ACCT_FLAGS:
                return qos_flags_text(*AT_CONST(unsigned, object, f));
        case ACCT_QOS_SET:
                return qos_set_text(a, *AT_CONST(struct bitset *, object, f));
        case ACCT_QOS_ID:
                return qos_id_text(a, *AT_CONST(uint32_t, object, f));
        case ACCT_SHARES:
                n = *AT_CONST(uint32_t, object, f);
                return n == SHARES_PARENT ? xstrdup("parent") : number_text(n, UINT64_MAX);
        case ACCT_ADMIN:
                return xstrdup(admin_level_text((int)*AT_CONST(enum admin_level, object, f)));
        case ACCT_TYPE_MAX:
                break;
        }
        abort();
}

int acct_field_set(const struct acct *a, const struct acct_field *f, void *object, char op,
                const char *value, struct fail *fail) {
        static int (*const sets[ACCT_TYPE_MAX])(const struct setting *) = {
                [ACCT_TEXT] = field_set_text,
                [ACCT_NUMBER] = field_set_number,
                [ACCT_COUNT] = field_set_count,
                [ACCT_SECONDS] = set_seconds,
                [ACCT_WALL] = set_wall,
                [ACCT_EXEMPT] = set_exempt,
                [ACCT_REAL] = set_real,
                [ACCT_TRES] = field_set_tres,
                [ACCT_TRES_ONE] = set_tres_one,
                [ACCT_MODE] = set_mode,
                [ACCT_FLAGS] = field_set_flags,
                [ACCT_QOS_SET] = set_qos_set,
                [ACCT_QOS_ID] = set_qos_id,
                [ACCT_SHARES] = set_shares,
                [ACCT_ADMIN] = set_admin,
        };
        const struct setting s = { a, f, object, op, value, fail };

        if (op != '=' && f->type != ACCT_QOS_SET && f->type != ACCT_FLAGS)
                return fail_set(fail, -EINVAL, "%s%c=: only a list can be added to or taken from",
                                f->name, op);
        return sets[f->type](&s);
}

/* ---- copies ---- */

static const size_t sizes[ACCT_TABLE_MAX] = {
        [ACCT_QOS] = sizeof(struct qos),
        [ACCT_ACCOUNT] = sizeof(struct account),
        [ACCT_USER] = sizeof(struct acct_user),
        [ACCT_ASSOC] = sizeof(struct assoc),
};

void *acct_object_copy(enum acct_table table, const void *object) {
        void *copy = memcpy(xmalloc(sizes[table]), object, sizes[table]);

        for (size_t i = 0; i < tables[table].n; i++) {
                const struct acct_field *f = &tables[table].fields[i];
                if (f->type == ACCT_TEXT)
                        *AT(char *, copy, f) = xstrdup(*AT(char *, copy, f));
                else if (f->type == ACCT_QOS_SET && *AT(struct bitset *, copy, f))
                        *AT(struct bitset *, copy, f) = bitset_copy(*AT(struct bitset *, copy, f));
        }
        return copy;
}

void acct_object_free(enum acct_table table, void *object) {
        for (size_t i = 0; i < tables[table].n; i++) {
                const struct acct_field *f = &tables[table].fields[i];
                if (f->type == ACCT_TEXT)
                        free(*AT(char *, object, f));
                else if (f->type == ACCT_QOS_SET)
                        bitset_free(*AT(struct bitset *, object, f));
        }
        free(object);
}
