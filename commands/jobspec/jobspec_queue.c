/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partition, account, limits, priority, times, dependencies, signals. */
#include "commands/jobspec/jobspec_rows.h"

#include "commands/jobid.h"
#include "lib/timetext.h"

#include <strings.h>

#define NICE_MAX     2147483645
#define PRIORITY_TOP 4294967293u /* Slurm's value */

static int option_set_nice(void *field, const char *value, struct fail *fail) {
        long long n = NICE_DEFAULT;
        char *end;

        if (value) {
                errno = 0;
                n = strtoll(value, &end, 10);
                if (!*value || *end)
                        return job_option_invalid("nice", fail);
                if (errno || n > NICE_MAX || n < -NICE_MAX)
                        return fail_set(fail, -ERANGE,
                                        "Invalid --nice value, out of range (+/- %d)", NICE_MAX);
        }
        *(int32_t *)field = (int32_t)n;
        return 0;
}

static int option_set_priority(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        uint64_t n;

        if (strcasecmp(value, "TOP") == 0)
                n = PRIORITY_TOP;
        else if (uint_parse(value, 0, UINT32_MAX, &n) < 0)
                return job_option_invalid("priority", fail);
        if (n > PRIORITY_TOP)
                return fail_set(fail, -ERANGE, "Priority must be < %u", PRIORITY_TOP + 1);
        o->priority = (uint32_t)n; /* 0: default; --hold holds */
        return 0;
}

static int option_set_time(void *field, const char *value, struct fail *fail) {
        usec_t limit;

        if (limit_parse(value, &limit, NULL) < 0)
                return job_option_invalid("time", fail);
        *(usec_t *)field = limit ? limit : NO_LIMIT; /* 0 is no limit, as in Slurm */
        return 0;
}

static int option_set_begin(void *field, const char *value, struct fail *fail) {
        struct fail why = { 0 };

        if (time_parse(value, now_realtime(), field, &why) < 0)
                return fail_set(fail, -EINVAL, "Invalid --begin specification: %s", why.text);
        return 0;
}

static int option_set_time_min(void *field, const char *value, struct fail *fail) {
        return limit_parse(value, field, NULL) < 0 ? job_option_invalid("time-min", fail) : 0;
}

static int option_set_deadline(void *field, const char *value, struct fail *fail) {
        struct fail why = { 0 };

        if (time_parse(value, now_realtime(), field, &why) < 0)
                return fail_set(fail, -EINVAL, "Invalid --deadline specification: %s", why.text);
        return 0;
}

static int option_set_requeue(void *field, const char *value, struct fail *fail) {
        if (value && strcasecmp(value, "expedite") == 0)
                return fail_set(fail, -EOPNOTSUPP,
                                "--requeue=expedite is not implemented; --requeue alone lets the job start again");
        if (!isempty(value) && strcasecmp(value, "yes") != 0)
                return job_option_invalid("requeue", fail);
        *(uint32_t *)field = 1;
        return 0;
}

static int option_set_no_requeue(void *field, const char *value, struct fail *fail) {
        *(uint32_t *)field = 2;
        return 0;
}

static int option_set_kill_on_invalid_dep(void *field, const char *value, struct fail *fail) {
        if (strcasecmp(value, "yes") != 0 && strcasecmp(value, "no") != 0)
                return job_option_invalid("kill-on-invalid-dep", fail);
        *(uint32_t *)field = strcasecmp(value, "yes") == 0 ? 1 : 2;
        return 0;
}

static int option_set_no_kill(void *field, const char *value, struct fail *fail) {
        if (value && strcasecmp(value, "off") != 0 && strcasecmp(value, "no") != 0)
                return job_option_invalid("no-kill", fail);
        *(protobuf_c_boolean *)field = !value;
        return 0;
}

/* Sets "[[R][B]:]USR1[@60]". */
static int option_set_signal(void *options, const char *value, struct fail *fail) {
        struct job_options *o = options;
        const char *colon = strchr(value, ':'), *name = colon ? colon + 1 : value,
                   *at = strchr(name, '@');
        size_t flags = colon ? (size_t)(colon - value) : 0;
        bool batch = memchr(value, 'B', flags) || memchr(value, 'b', flags);
        bool borrows = memchr(value, 'R', flags) || memchr(value, 'r', flags);
        _cleanup_free_ char *word = xstrndup(name, at ? (size_t)(at - name) : strlen(name));
        uint64_t seconds = 60;
        uint32_t sig;

        if (colon && (flags == 0 || flags != (size_t)batch + borrows))
                return job_option_invalid("signal", fail);
        if (signal_parse(word, &sig) < 0 || (at && uint_parse(at + 1, 0, UINT16_MAX, &seconds) < 0))
                return job_option_invalid("signal", fail);
        o->warn_signal = sig;
        o->warn_time = seconds * USEC_PER_SEC;
        o->warn_batch = batch;
        o->borrows = borrows;
        return 0;
}

/* clang-format off */
const struct job_row job_rows_queue[] = {
        WIRE_TEXT(ALL | ENV(ALL) | CARRIED, "account", 'A', account, "name", "charge the job to this account"),
        WIRE_TEXT(JOB_SBATCH, "array", 'a', array, "list", "one task for each index: 0-15, 1,3,7, 0-99:3%4"),
        CALL(ALL | NO_STEP | CARRIED, "begin", 'b', AT(begin), option_set_begin, "time", "do not start before this time"),
        WIRE_TEXT(ALL | ENV(JOB_SRUN) | NO_STEP | CARRIED, "dependency", 'd', dependency, "list", "wait for other jobs: afterok:ID, after:ID+MINUTES, singleton..."),
        WIRE_FLAG(ALL | NO_STEP | CARRIED, "hold", 'H', hold, "submit, but do not start before it is released"),
        CALL(ALL | CARRIED, "kill-on-invalid-dep", 0, WIRE(kill_on_invalid_dep), option_set_kill_on_invalid_dep, "yes|no", "cancel it when its dependency can never be met"),
        CALL_OPT(ALL | CARRIED, "nice", 0, WIRE(nice), option_set_nice, "number", "lower the priority"),
        CALL_OPT(ALL | CARRIED, "no-kill", 'k', WIRE(no_kill), option_set_no_kill, "off", "go on when a node fails"),
        CALL_FLAG(BOTH | ENV(JOB_SBATCH) | CARRIED, "no-requeue", 0, AT(requeue), option_set_no_requeue, "must not be started again"),
        TEXT(ALL | ENV(ALL), "partition", 'p', partition, "names", "the partition to run in, or several: the first where it can"),
        CALL(ALL | CARRIED, "priority", 0, 0, option_set_priority, "number|TOP", "its priority (admins)"),
        TEXT(ALL | ENV(ALL) | CARRIED, "qos", 'q', qos, "name", "quality of service"),
        CALL_OPT(BOTH | CARRIED, "requeue", 0, AT(requeue), option_set_requeue, NULL, "may be started again"),
        CALL(ALL | ENV(ALL) | NO_STEP | CARRIED, "signal", 0, 0, option_set_signal, "[[R][B]:]signal[@seconds]", "sent so long (60 s) before its time is up"),
        FLAG(BOTH | CARRIED, "test-only", 0, test_only, "say when and where it would start, do not submit"),
        CALL(ALL | CARRIED, "time", 't', AT(time_limit), option_set_time, "limit", "minutes, H:M:S, D-H:M:S"),
        CALL(ALL | NO_STEP | CARRIED, "time-min", 0, WIRE(time_min), option_set_time_min, "limit", "less than --time will do if it starts earlier so"),
        WIRE_TEXT(ALL | ENV(ALL) | CARRIED, "wckey", 0, wckey, "key", "words for accounting"),

        CALL(ALL | NO_STEP | CARRIED, "deadline", 0, AT(deadline), option_set_deadline, "time", "end by this time, or do not start"),
        WIRE_TEXT(ALL | ENV(ALL) | CARRIED, "reservation", 0, reservation, "name", "run in this reservation"),
        NEVER_ARG(JOB_SBATCH, "jobid", 0, "the controller alone gives numbers to jobs"),
        WIRE_FLAG(ALL | NO_STEP, "stepmgr", 0, stepmgr, "the first node of the job makes its steps, where it can"),
};
/* clang-format on */
const size_t n_job_rows_queue = ELEMENTSOF(job_rows_queue);
