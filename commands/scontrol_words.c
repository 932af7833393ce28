/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scontrol's small verbs: the meaning of an error number, settings of the controller until its
 * restart, and verbs for things that Slumber does not have: a backup controller, a log of the
 * scheduler, tokens. */
#include "commands/scontrol.h"

#include "lib/errors.h"
#include "lib/timetext.h"

#include <strings.h>

/* ---- errnumstr ---- */

/* Slurm's numbers of what a request may be refused for. */
static const struct {
        uint32_t number;
        enum slumber_error error;
} numbers[] = {
        { 1001, SLUMBER_NODE_AWAY },
        { 2000, SLUMBER_BAD_PARTITION },
        { 2001, SLUMBER_NO_DEFAULT_PARTITION },
        { 2002, SLUMBER_ACCESS_DENIED },
        { 2003, SLUMBER_GROUP_NOT_PERMITTED },
        { 2005, SLUMBER_TOO_MANY_CPUS },
        { 2006, SLUMBER_BAD_NODE_COUNT },
        { 2009, SLUMBER_NO_SCRIPT },
        { 2010, SLUMBER_BAD_USER },
        { 2013, SLUMBER_NOT_TOP_PRIORITY },
        { 2014, SLUMBER_NODES_NOT_AVAILABLE },
        { 2015, SLUMBER_PARTITION_NOT_AVAILABLE },
        { 2016, SLUMBER_NODES_BUSY },
        { 2017, SLUMBER_BAD_JOB_ID },
        { 2018, SLUMBER_BAD_NODE_NAME },
        { 2021, SLUMBER_ALREADY_DONE },
        { 2024, SLUMBER_JOB_PENDING },
        { 2025, SLUMBER_BAD_TASK_COUNT },
        { 2028, SLUMBER_BAD_NODE_STATE },
        { 2029, SLUMBER_BAD_FEATURE },
        { 2035, SLUMBER_FRAGMENTED },
        { 2037, SLUMBER_DISABLED },
        { 2038, SLUMBER_BAD_DEPENDENCY },
        { 2039, SLUMBER_BATCH_ONLY },
        { 2042, SLUMBER_JOB_HELD },
        { 2044, SLUMBER_MEMORY_NOT_AVAILABLE },
        { 2045, SLUMBER_BAD_ACCOUNT },
        { 2048, SLUMBER_BAD_LICENSE },
        { 2050, SLUMBER_ACCOUNTING_POLICY },
        { 2051, SLUMBER_BAD_TIME },
        { 2052, SLUMBER_RESERVATION_ACCESS },
        { 2053, SLUMBER_BAD_RESERVATION },
        { 2054, SLUMBER_BAD_CLOCK_TIME },
        { 2055, SLUMBER_RESERVATION_BUSY },
        { 2058, SLUMBER_RESERVATION_OVERLAP },
        { 2066, SLUMBER_BAD_QOS },
        { 2070, SLUMBER_PARTITION_DOWN },
        { 2071, SLUMBER_CIRCULAR_DEPENDENCY },
        { 2072, SLUMBER_BAD_GRES },
        { 2073, SLUMBER_JOB_NOT_PENDING },
        { 2075, SLUMBER_PARTITION_IN_USE },
        { 2080, SLUMBER_RESERVATION_EMPTY },
        { 2081, SLUMBER_BAD_ARRAY },
        { 2082, SLUMBER_RESERVATION_NAME },
        { 2084, SLUMBER_JOB_FINISHED },
        { 2085, SLUMBER_JOB_NOT_RUNNING },
        { 2087, SLUMBER_JOB_NOT_SUSPENDED },
        { 2099, SLUMBER_BAD_MCS_LABEL },
        { 2109, SLUMBER_CORES_STAY },
        { 2111, SLUMBER_BAD_CORE_COUNT },
        { 2114, SLUMBER_BAD_BATCH_FEATURES },
        { 2123, SLUMBER_BAD_NICE },
        { 2124, SLUMBER_BAD_TIME_MIN },
        { 2133, SLUMBER_BAD_PREFER },
        { 4003, SLUMBER_BAD_ACCT_FREQUENCY },
        { 4004, SLUMBER_BAD_CREDENTIAL },
};

static const char *error_text(uint64_t number) {
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++)
                if (numbers[i].number == number)
                        return slumber_error_text((int)numbers[i].error);
        return strerror((int)number); /* "Unknown error 99999" */
}

int scontrol_errnumstr(const struct scontrol *s, int argc, char **argv) {
        uint64_t number;

        if (argc != 2)
                return scontrol_complain(s, "%s for keyword:%s",
                                argc < 2 ? "one arguments required" : "too many arguments",
                                argv[0]);
        if (uint_parse(argv[1], 0, INT32_MAX, &number) < 0)
                return scontrol_complain(s, "numeric arguments required for keyword:%s", argv[0]);
        puts(error_text(number));
        return EXIT_SUCCESS;
}

/* ---- settings of the controller ---- */

int scontrol_fsdampeningfactor(const struct scontrol *s, int argc, char **argv) {
        Slumber__DebugRequest request = SLUMBER__DEBUG_REQUEST__INIT;
        uint64_t factor;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        if (uint_parse(argv[1], 1, UINT16_MAX, &factor) < 0)
                return scontrol_complain(s, "invalid dampening factor: %s", argv[1]);
        request.dampening_factor = (uint32_t)factor;
        ENVELOPE(envelope, DEBUG, debug, &request);
        return scontrol_ask(s, &envelope, "slurm_set_fs_dampeningfactor");
}

/* As under Slurm where there is no SlurmSchedLogFile. */
int scontrol_schedloglevel(const struct scontrol *s, int argc, char **argv) {
        static const char *const levels[] = { "0", "1", "disable", "enable" };
        bool known = false;

        if (argc != 2)
                return scontrol_complain(s, "too %s arguments for keyword:%s",
                                argc < 2 ? "few" : "many", argv[0]);
        for (size_t i = 0; i < ELEMENTSOF(levels); i++)
                known |= strcasecmp(argv[1], levels[i]) == 0;
        if (!known)
                return scontrol_complain(s, "invalid schedlog level: %s", argv[1]);
        return scontrol_refuse("slurm_set_schedlog_level error: %s",
                        slumber_error_text(SLUMBER_DISABLED));
}

int scontrol_abort(const struct scontrol *s, int argc, char **argv) {
        Slumber__ShutdownRequest request = SLUMBER__SHUTDOWN_REQUEST__INIT;

        if (argc > 2)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        request.abort = true;
        ENVELOPE(envelope, SHUTDOWN, shutdown, &request);
        return scontrol_ask(s, &envelope, "slurm_shutdown");
}

/* ---- what there is none of ---- */

int scontrol_takeover(const struct scontrol *s, int argc, char **argv) {
        uint64_t index;

        if (argc > 2)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        if (argc == 2 && uint_parse(argv[1], 0, UINT32_MAX, &index) < 0)
                return scontrol_refuse("takeover: invalid backup controller index (%s)", argv[1]);
        if (argc == 2)
                return scontrol_refuse("takeover: invalid backup controller index (%llu)",
                                (unsigned long long)index);
        return scontrol_refuse(
                        "slurm_takeover error: there is no backup controller that could take over");
}

int scontrol_token(const struct scontrol *s, int argc, char **argv) {
        return scontrol_refuse(
                        "Error fetching token: Slumber has no auth/jwt; its users are known by their sockets");
}

/* Of a prompt or alone: there is no other that lines could go to. */
int scontrol_cluster(const struct scontrol *s, int argc, char **argv) {
        _cleanup_free_ char *cluster = NULL;

        if (argc > 2)
                return scontrol_complain(s, "too many arguments for keyword:%s", argv[0]);
        return argc < 2 || command_cluster("scontrol", argv[1], &cluster) >= 0 ? EXIT_SUCCESS
                                                                               : EXIT_FAILURE;
}
