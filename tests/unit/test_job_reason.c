/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of reasons are Slurm's: no more and no less than these. */
#include "tests/unit/test.h"

#include "controller/model/job_reason.h"

static const char *const slurms[] = {
        "AccountNotAllowed",
        "AssocGrpBilling",
        "AssocGrpBillingMinutes",
        "AssocGrpBillingRunMinutes",
        "AssocGrpCPUMinutesLimit",
        "AssocGrpCPURunMinutesLimit",
        "AssocGrpCpuLimit",
        "AssocGrpGRES",
        "AssocGrpGRESMinutes",
        "AssocGrpGRESRunMinutes",
        "AssocGrpJobsLimit",
        "AssocGrpLicense",
        "AssocGrpLicenseMinutes",
        "AssocGrpLicenseRunMinutes",
        "AssocGrpMemLimit",
        "AssocGrpMemMinutes",
        "AssocGrpMemRunMinutes",
        "AssocGrpNodeLimit",
        "AssocGrpNodeMinutes",
        "AssocGrpNodeRunMinutes",
        "AssocGrpSubmitJobsLimit",
        "AssocGrpWallLimit",
        "AssocMaxBillingMinutesPerJob",
        "AssocMaxBillingPerJob",
        "AssocMaxCpuMinutesPerJobLimit",
        "AssocMaxCpuPerJobLimit",
        "AssocMaxCpuPerNode",
        "AssocMaxGRESMinutesPerJob",
        "AssocMaxGRESPerJob",
        "AssocMaxGRESPerNode",
        "AssocMaxJobsLimit",
        "AssocMaxLicenseMinutesPerJob",
        "AssocMaxLicensePerJob",
        "AssocMaxMemMinutesPerJob",
        "AssocMaxMemPerJob",
        "AssocMaxMemPerNode",
        "AssocMaxNodeMinutesPerJob",
        "AssocMaxNodePerJobLimit",
        "AssocMaxSubmitJobLimit",
        "AssocMaxWallDurationPerJobLimit",
        "BadConstraints",
        "BeginTime",
        "Cleaning",
        "DeadLine",
        "Dependency",
        "DependencyNeverSatisfied",
        "InactiveLimit",
        "InvalidAccount",
        "InvalidQOS",
        "JobArrayTaskLimit",
        "JobHeldAdmin",
        "JobHeldUser",
        "JobHoldMaxRequeue",
        "JobLaunchFailure",
        "Licenses",
        "MaxBillingPerAccount",
        "MaxCpuPerAccount",
        "MaxGRESPerAccount",
        "MaxJobsPerAccount",
        "MaxLicensePerAccount",
        "MaxMemPerLimit",
        "MaxMemoryPerAccount",
        "MaxNodePerAccount",
        "MaxPoweredUpNodes",
        "MaxSubmitJobsPerAccount",
        "NodeDown",
        "NonZeroExitCode",
        "None",
        "OutOfMemory",
        "PartitionConfig",
        "PartitionDown",
        "PartitionInactive",
        "PartitionNodeLimit",
        "PartitionTimeLimit",
        "PowerNotAvail",
        "Priority",
        "Prolog",
        "QOSGrpBilling",
        "QOSGrpBillingMinutes",
        "QOSGrpBillingRunMinutes",
        "QOSGrpCPUMinutesLimit",
        "QOSGrpCPURunMinutesLimit",
        "QOSGrpCpuLimit",
        "QOSGrpGRES",
        "QOSGrpGRESMinutes",
        "QOSGrpGRESRunMinutes",
        "QOSGrpJobsLimit",
        "QOSGrpLicense",
        "QOSGrpLicenseMinutes",
        "QOSGrpLicenseRunMinutes",
        "QOSGrpMemLimit",
        "QOSGrpMemoryMinutes",
        "QOSGrpMemoryRunMinutes",
        "QOSGrpNodeLimit",
        "QOSGrpNodeMinutes",
        "QOSGrpNodeRunMinutes",
        "QOSGrpSubmitJobsLimit",
        "QOSGrpWallLimit",
        "QOSMaxBillingMinutesPerJob",
        "QOSMaxBillingPerJob",
        "QOSMaxBillingPerUser",
        "QOSMaxCpuMinutesPerJobLimit",
        "QOSMaxCpuPerJobLimit",
        "QOSMaxCpuPerNode",
        "QOSMaxCpuPerUserLimit",
        "QOSMaxGRESMinutesPerJob",
        "QOSMaxGRESPerJob",
        "QOSMaxGRESPerNode",
        "QOSMaxGRESPerUser",
        "QOSMaxJobsPerUserLimit",
        "QOSMaxLicenseMinutesPerJob",
        "QOSMaxLicensePerJob",
        "QOSMaxLicensePerUser",
        "QOSMaxMemoryMinutesPerJob",
        "QOSMaxMemoryPerJob",
        "QOSMaxMemoryPerNode",
        "QOSMaxMemoryPerUser",
        "QOSMaxNodeMinutesPerJob",
        "QOSMaxNodePerJobLimit",
        "QOSMaxNodePerUserLimit",
        "QOSMaxSubmitJobPerUserLimit",
        "QOSMaxWallDurationPerJobLimit",
        "QOSMinBilling",
        "QOSMinCpuNotSatisfied",
        "QOSMinGRES",
        "QOSMinLicense",
        "QOSMinMemory",
        "QOSMinNode",
        "QOSNotAllowed",
        "QOSUsageThreshold",
        "RaisedSignal",
        "ReqNodeNotAvail",
        "Reservation",
        "ReservationDeleted",
        "Resources",
        "TimeLimit",
};

static void every_word_is_one_reason(void **state) {
        for (size_t i = 0; i < ELEMENTSOF(slurms); i++) {
                int reason = job_reason_parse(slurms[i]);

                assert_in_range(reason, REASON_NONE, REASON_MAX - 1);
                assert_string_equal(job_reason_text(reason), slurms[i]);
        }
}

static void there_is_no_other_word(void **state) {
        size_t n = 0;

        for (int reason = 0; reason < REASON_MAX; reason++) {
                const char *word = job_reason_text(reason);

                n += word != NULL;
                if (word)
                        assert_int_equal(job_reason_parse(word), reason);
        }
        assert_int_equal(n, ELEMENTSOF(slurms));
}

static void a_limit_and_a_resource_make_a_word(void **state) {
        assert_string_equal(job_reason_text(REASON_QOS_JOB_MEM), "QOSMaxMemoryPerJob");
        assert_string_equal(job_reason_text(REASON_ASSOC_RUN_CPU), "AssocGrpCPURunMinutesLimit");
        assert_string_equal(job_reason_text(REASON_QOS_MIN_CPU), "QOSMinCpuNotSatisfied");
        assert_string_equal(job_reason_text(REASON_ACCOUNT_GRES), "MaxGRESPerAccount");
        assert_null(job_reason_text(REASON_QOS_PER_NODE_LICENSE));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(every_word_is_one_reason),
                cmocka_unit_test(there_is_no_other_word),
                cmocka_unit_test(a_limit_and_a_resource_make_a_word),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
