/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every key of slurm.conf, in the order of "scontrol show config": type, field, default, printed
 * form. A new key is a new row. Keys without effect are known by name and kept as text, so that
 * show config is complete: SHOWN if nothing depends on the key, HARMLESS if a warning is useful,
 * GUARD if the key restricts, checks or protects and the start is refused (config_guards.c). A key
 * at its default is never an issue.
 *
 * Invariant: config->settings has one element per printed row, in the same order: a row's number is
 * its index. */
#include "lib/config/config_private.h"
#include "lib/wordlist.h"

#include "built.h"

#define AT(field) offsetof(struct config, field)
/* Keys kept as text: name, default, unit, other spellings of the default; a guard has its name, the
 * effect of its loss, then the same columns. */
#define SHOWN(...)            KEPT(USE_SHOWN, NULL, __VA_ARGS__, NULL, NULL, NULL, NULL)
#define HARMLESS(...)         KEPT(USE_HARMLESS, NULL, __VA_ARGS__, NULL, NULL, NULL, NULL)
#define OLD(key, why)         KEPT(USE_HARMLESS, why, key, NULL, NULL, NULL, NULL)
#define GONE                  "Slurm has dropped it"
#define NO_METRICS            "no metrics are served"
#define NO_HTTP               "the daemons serve no HTTP"
#define GUARD(key, lost, ...) KEPT(USE_GUARDS, lost, key, ##__VA_ARGS__, NULL, NULL, NULL, NULL)
#define KEPT(what, why, key, def, suffix, same, ...)                                               \
        { .name = key, .text = def, .unit = suffix, .words = same, .use = what, .note = why }
/* A key kept as text with a fixed list of allowed values. */
#define ONE_OF(what, key, def, all)                                                                \
        { .name = key, .text = def, .use = what, .values = all }

/* As in lib/log_level.c. */
#define DEBUG_WORDS                                                                                \
        "quiet|fatal|error|info|verbose|debug|debug2|debug3|debug4|debug5|"                        \
        "0|1|2|3|4|5|6|7|8|9"

/* Slurm's spellings of yes and no. */
#define SWITCH_WORDS "YES|NO|UP|DOWN|TRUE|FALSE|1|0"

/* clang-format off */
static const struct config_key keys[] = {
        SHOWN("AccountingStorageBackupHost"),
        { "AccountingStorageEnforce", KEY_TEXT, AT(enforce_accounts), "none" },
        SHOWN("AccountingStorageHost", "localhost"),
        HARMLESS("AccountingStorageExternalHost"),
        SHOWN("AccountingStorageParameters"),
        SHOWN("AccountingStoragePort", "6819", NULL, "0"),
        { "AccountingStorageTRES", KEY_TEXT, AT(tracked), "cpu,mem,energy,node,billing,fs/disk,vmem,pages" },
        { "AccountingStorageType", KEY_TEXT, AT(accounting_storage_type) },
        SHOWN("AccountingStorageUser", "root"),
        { "AccountingStoreFlags", KEY_TEXT, AT(store_flags_text) },
        HARMLESS("AcctGatherEnergyType", NULL, NULL, "acct_gather_energy/none"),
        HARMLESS("AcctGatherFilesystemType", NULL, NULL, "acct_gather_filesystem/none"),
        HARMLESS("AcctGatherInterconnectType", NULL, NULL, "acct_gather_interconnect/none"),
        HARMLESS("AcctGatherNodeFreq", "0", " sec"),
        HARMLESS("AcctGatherProfileType", NULL, NULL, "acct_gather_profile/none"),
        { "AllowSpecResourcesUsage", KEY_YES, AT(spec_usage), "No" },
        ONE_OF(USE_HARMLESS, "AuthAltTypes", NULL, "auth/jwt|auth/munge|auth/slurm"),
        HARMLESS("AuthAltParameters"),
        SHOWN("AuthInfo"),
        ONE_OF(USE_SHOWN, "AuthType", "auth/munge", "auth/munge|auth/slurm|auth/none"),
        { "BatchStartTimeout", KEY_SECONDS, AT(batch_start_timeout), "10", NULL, NULL, 0, 65533 },
        { "BcastExclude", KEY_TEXT, AT(bcast_exclude), "/lib,/usr/lib,/lib64,/usr/lib64" },
        { "BcastParameters", KEY_TEXT, AT(bcast_parameters) },
        { "BOOT_TIME", KEY_SHOWN, 0, "N/A" },
        GUARD("BurstBufferType", "jobs would start before their data is staged", NULL, NULL, "burst_buffer/none|none"),
        SHOWN("CertgenParameters"),
        SHOWN("CertgenType"),
        SHOWN("CertmgrParameters"),
        SHOWN("CertmgrType"),
        { "CliFilterParameters", KEY_TEXT, AT(filter_params) },
        { "CliFilterPlugins", KEY_TEXT, AT(filter_text), NULL, NULL, "none" },
        { "ClusterName", KEY_TEXT, AT(cluster_name) },
        SHOWN("CommunicationParameters"),
        { "CompleteWait", KEY_SECONDS, AT(complete_wait), "0", NULL, NULL, 0, 65533 },
        { "CpuFreqDef", KEY_TEXT, AT(cpu_freq_def), "Unknown" },
        { "CpuFreqGovernors", KEY_TEXT, AT(cpu_freq_governors), "OnDemand,Performance,UserSpace" },
        ONE_OF(USE_SHOWN, "CredType", "auth/munge", "auth/munge|auth/slurm|cred/munge|cred/slurm|cred/none"),
        SHOWN("DataParserParameters"),
        { "DebugFlags", KEY_TEXT, AT(debug_flags) },
        { "DefMemPerNode", KEY_MEMORY, AT(def_mem_per_node), "UNLIMITED" },
        { "DependencyParameters", KEY_TEXT, AT(dependency_parameters) },
        { "DisableRootJobs", KEY_YES, AT(disable_root_jobs), "No" },
        SHOWN("EioTimeout", "60"),
        { "EnforcePartLimits", KEY_CHOICE, AT(enforce_text), "NO", NULL, "NO|ANY|ALL|YES" },
        { "Epilog", KEY_PATHS, AT(epilog) },
        SHOWN("EpilogMsgTime", "2000", " usec"),
        { "EpilogSlurmctld", KEY_PATHS, AT(epilog_slurmctld) },
        { "EpilogTimeout", KEY_U16, AT(epilog_timeout), "65534", NULL, NULL, 0, 65535 },
        { "FairShareDampeningFactor", KEY_U32, AT(priority.dampening), "1", NULL, NULL, 1, 65535, .multifactor = true },
        HARMLESS("FederationParameters"),
        { "FirstJobId", KEY_U32, AT(first_job_id), "1", NULL, NULL, 1, 67043328 },
        HARMLESS("GetEnvTimeout", "120", " sec", "2"),
        { "GresTypes", KEY_TEXT, AT(gres_types) },
        HARMLESS("GpuFreqDef"),
        ONE_OF(USE_HARMLESS, "GroupUpdateForce", "1", "0|1"),
        HARMLESS("GroupUpdateTime", "600", " sec"),
        { "HASH_VAL", KEY_SHOWN, 0, "Match" },
        ONE_OF(USE_SHOWN, "HashPlugin", "hash/k12", "hash/k12|hash/sha3"),
        { "HealthCheckInterval", KEY_SECONDS, AT(health.interval), "0", NULL, NULL, 0, 65533 },
        { "HealthCheckNodeState", KEY_TEXT, AT(health.states_text), "ANY" },
        { "HealthCheckProgram", KEY_TEXT, AT(health.program) },
        { "InactiveLimit", KEY_SECONDS, AT(inactive_limit), "0", NULL, NULL, 0, 65533 },
        { "InteractiveStepOptions", KEY_TEXT, AT(interactive_options), "--interactive --preserve-env --pty $SHELL" },
        { "JobAcctGatherFrequency", KEY_TEXT, AT(gather_frequency), "30" },
        { "JobAcctGatherType", KEY_TEXT, AT(gather_type) },
        { "JobAcctGatherParams", KEY_TEXT, AT(gather_params) },
        SHOWN("JobCompHost", "localhost"),
        SHOWN("JobCompLoc"),
        SHOWN("JobCompParams"),
        SHOWN("JobCompPort", "0"),
        HARMLESS("JobCompType", NULL, NULL, "jobcomp/none"),
        SHOWN("JobCompUser", "root"),
        { "JobContainerType", KEY_CHOICE, AT(job_container), NULL, NULL, "job_container/tmpfs|job_container/none|none" },
        HARMLESS("JobDefaults"),
        { "JobFileAppend", KEY_SWITCH, AT(job_file_append), "0" },
        { "JobRequeue", KEY_SWITCH, AT(job_requeue), "1" },
        { "JobSubmitPlugins", KEY_TEXT, AT(submit_text), NULL, NULL, "none" },
        { "KillOnBadExit", KEY_SWITCH, AT(kill_on_bad_exit), "0" },
        { "KillWait", KEY_SECONDS, AT(kill_wait), "30", NULL, NULL, 0, 65533 },
        { "LaunchParameters", KEY_TEXT, AT(launch_parameters) },
        { "Licenses", KEY_COUNTLIST, AT(licenses) },
        HARMLESS("LogTimeFormat", "iso8601_ms"),
        { "MailDomain", KEY_TEXT, AT(mail_domain) },
        { "MailProg", KEY_TEXT, AT(mail_prog), "/bin/mail" },
        { "MaxArraySize", KEY_U32, AT(max_array_size), "1001", NULL, NULL, 0, 4000001 },
        { "MaxBatchRequeue", KEY_U32, AT(max_batch_requeue), "5" },
        SHOWN("MaxDBDMsgs", "20000"),
        { "MaxJobCount", KEY_U32, AT(max_job_count), "10000", NULL, NULL, 2, 10000000 },
        { "MaxJobId", KEY_U32, AT(max_job_id), "67043328", NULL, NULL, 1, 67043328 },
        { "MaxMemPerNode", KEY_MEMORY, AT(max_mem_per_node), "UNLIMITED" },
        { "MaxNodeCount", KEY_U32, AT(max_node_count), "0" },
        GUARD("MaxStepCount", "a job could start any number of steps", "40000"),
        { "MaxTasksPerNode", KEY_U32, AT(max_tasks_per_node), "512", NULL, NULL, 1, 65533 },
        { "MCSPlugin", KEY_CHOICE, AT(mcs_plugin), "mcs/none", NULL, "mcs/none|mcs/user|mcs/group|mcs/account|mcs/label" },
        { "MCSParameters", KEY_TEXT, AT(mcs_parameters) },
        { "MessageTimeout", KEY_SECONDS, AT(message_timeout), "10", NULL, NULL, 1, 65533, .use = USE_HARMLESS },
        { "MinJobAge", KEY_SECONDS, AT(min_job_age), "300", NULL, NULL, 0, 4294967 },
        { "MpiDefault", KEY_CHOICE, AT(mpi_default), NULL, NULL, SLUMBER_PMIX ? "none|openmpi|pmi2|pmix|pmix_v3|pmix_v4|pmix_v5" : "none|openmpi|pmi2" },
        { "MpiParams", KEY_TEXT, AT(mpi_params) },
        { "NEXT_JOB_ID", KEY_SHOWN, 0, "1" },
        { "NodeFeaturesPlugins", KEY_TEXT, AT(node_features_plugins) },
        { "OverTimeLimit", KEY_COUNT, AT(over_time_limit), "0", " min", NULL, 0, 65533 },
        { "PluginDir", KEY_TEXT, AT(plugin_dir), "/usr/lib/slurm" },
        { "PlugStackConfig", KEY_TEXT, AT(plugstack) },
        { "PreemptMode", KEY_PREEMPT_MODE, AT(preempt_mode), "OFF" },
        { "PreemptParameters", KEY_TEXT, AT(preempt_parameters) },
        { "PreemptType", KEY_PREEMPT_TYPE, AT(preempt_type), "preempt/none" },
        { "PreemptExemptTime", KEY_EXEMPT, AT(preempt_exempt_time), "00:00:00" },
        SHOWN("PrEpParameters"),
        GUARD("PrEpPlugins", "what they check before and after a job would not be checked", "prep/script"),
        HARMLESS("PriorityParameters"),
        SHOWN("PrioritySiteFactorParameters"),
        HARMLESS("PrioritySiteFactorPlugin"),
        { "PriorityDecayHalfLife", KEY_PERIOD, AT(priority.half_life), "7-0", .multifactor = true },
        { "PriorityCalcPeriod", KEY_PERIOD, AT(priority.calc_period), "5", .multifactor = true },
        { "PriorityFavorSmall", KEY_YES, AT(priority.favor_small), "No", .multifactor = true },
        { "PriorityFlags", KEY_TEXT, AT(priority.flags_text), .multifactor = true },
        { "PriorityMaxAge", KEY_PERIOD, AT(priority.max_age), "7-0", .multifactor = true },
        { "PriorityUsageResetPeriod", KEY_WORD, AT(priority.reset_text), "NONE", NULL,
          "NONE|NOW|DAILY|WEEKLY|MONTHLY|QUARTERLY|YEARLY", .multifactor = true },
        { "PriorityType", KEY_CHOICE, AT(priority.type), "priority/basic", NULL, "priority/basic|priority/multifactor" },
        { "PriorityWeightAge", KEY_U32, AT(priority.weight[PRIORITY_AGE]), "0", .multifactor = true },
        { "PriorityWeightAssoc", KEY_U32, AT(priority.weight[PRIORITY_ASSOC]), "0", .multifactor = true },
        { "PriorityWeightFairShare", KEY_U32, AT(priority.weight[PRIORITY_FAIRSHARE]), "0", .multifactor = true },
        { "PriorityWeightJobSize", KEY_U32, AT(priority.weight[PRIORITY_JOB_SIZE]), "0", .multifactor = true },
        { "PriorityWeightPartition", KEY_U32, AT(priority.weight[PRIORITY_PARTITION]), "0", .multifactor = true },
        { "PriorityWeightQOS", KEY_U32, AT(priority.weight[PRIORITY_QOS]), "0", .multifactor = true },
        { "PriorityWeightTRES", KEY_TEXT, AT(priority.tres_text), .multifactor = true },
        { "PrivateData", KEY_TEXT, AT(private_data_text), "none" },
        ONE_OF(USE_SHOWN, "ProctrackType", "proctrack/cgroup", "proctrack/cgroup|proctrack/linuxproc|proctrack/pgid|proctrack/lua|proctrack/cray_aries|proctrack/sgi_job"),
        { "Prolog", KEY_PATHS, AT(prolog) },
        { "PrologEpilogTimeout", KEY_U16, AT(prolog_epilog_timeout), "65534", NULL, NULL, 0, 65535 },
        { "PrologSlurmctld", KEY_PATHS, AT(prolog_slurmctld) },
        { "PrologFlags", KEY_TEXT, AT(prolog_flags_text) },
        { "PrologTimeout", KEY_U16, AT(prolog_timeout), "65534", NULL, NULL, 0, 65535 },
        ONE_OF(USE_HARMLESS, "PropagatePrioProcess", "0", "0|1|2"),
        { "PropagateResourceLimits", KEY_TEXT, AT(propagate_text), "ALL" },
        { "PropagateResourceLimitsExcept", KEY_TEXT, AT(propagate_except_text) },
        { "RebootProgram", KEY_TEXT, AT(reboot_program) },
        { "RequeueExit", KEY_TEXT, AT(requeue_exit_text) },
        { "RequeueExitHold", KEY_TEXT, AT(requeue_exit_hold_text) },
        { "ResumeFailProgram", KEY_TEXT, AT(resume_fail_program) },
        { "ResumeProgram", KEY_TEXT, AT(resume_program) },
        { "ResumeRate", KEY_U32, AT(resume_rate), "300", " nodes/min", NULL, 0, 60000 },
        { "ResumeTimeout", KEY_SECONDS, AT(resume_timeout), "60" },
        GUARD("ResvEpilog", "what it cleans up behind a reservation would stay"),
        { "ResvOverRun", KEY_COUNT, AT(resv_over_run), "0", " min", NULL, 0, 65533 },
        GUARD("ResvProlog", "reservations would begin without what it sets up"),
        { "ReturnToService", KEY_U32, AT(return_to_service), "0", NULL, NULL, 0, 2 },
        { "SchedulerParameters", KEY_TEXT, AT(scheduler_parameters) },
        { "SchedulerTimeSlice", KEY_SECONDS, AT(scheduler_time_slice), "30", NULL, NULL, 5, 65533 },
        { "SchedulerType", KEY_CHOICE, AT(scheduler_type), "sched/backfill", NULL, "sched/backfill|sched/builtin" },
        HARMLESS("ScronParameters"),
        { "SelectType", KEY_SELECT_TYPE, AT(select_type), "select/cons_tres" },
        { "SelectTypeParameters", KEY_SELECT_PARAMS, AT(select_params) },
        { "SlurmUser", KEY_USER, AT(slurm_user), "root" },
        HARMLESS("SlurmctldAddr"),
        { "SlurmctldDebug", KEY_CHOICE, AT(slurmctld_debug), "info", NULL, DEBUG_WORDS },
        { "SlurmctldHost", KEY_HOST, AT(controller_host) },
        { "SlurmctldLogFile", KEY_TEXT, AT(slurmctld_log) },
        { "SlurmctldPort", KEY_PORTS, AT(slurmctld_port), "6817", NULL, NULL, 1, 65535 },
        HARMLESS("SlurmctldSyslogDebug"),
        { "SlurmctldPrimaryOffProg", KEY_TEXT, AT(primary_off_program) },
        { "SlurmctldPrimaryOnProg", KEY_TEXT, AT(primary_on_program) },
        SHOWN("SlurmctldTimeout", "120", " sec"),
        { "SlurmctldParameters", KEY_TEXT, AT(slurmctld_parameters) },
        { "SlurmdDebug", KEY_CHOICE, AT(slurmd_debug), "info", NULL, DEBUG_WORDS },
        { "SlurmdLogFile", KEY_TEXT, AT(slurmd_log) },
        { "SlurmdParameters", KEY_TEXT, AT(slurmd_parameters) },
        { "SlurmdPidFile", KEY_TEXT, AT(slurmd_pid_file) },
        { "SlurmdPort", KEY_U16, AT(slurmd_port), "6818", NULL, NULL, 1, 65535 },
        { "SlurmdSpoolDir", KEY_TEXT, AT(slurmd_spool_dir), "/var/spool/slurmd" },
        HARMLESS("SlurmdSyslogDebug"),
        { "SlurmdTimeout", KEY_SECONDS, AT(slurmd_timeout), "300", NULL, NULL, 0, 65533 },
        { "SlurmdUser", KEY_USER, AT(slurmd_user), "root", NULL, "0", .use = USE_HARMLESS },
        HARMLESS("SlurmSchedLogFile"),
        HARMLESS("SlurmSchedLogLevel", "0"),
        { "SlurmctldPidFile", KEY_TEXT, AT(slurmctld_pid_file) },
        { "SLURM_CONF", KEY_SHOWN },
        { "SLURM_VERSION", KEY_SHOWN, 0, SLURM_VERSION },
        { "SrunEpilog", KEY_TEXT, AT(srun_epilog) },
        KEPT(USE_HARMLESS, "srun listens on no port, its tasks are reached over its connection to the controller", "SrunPortRange", "0-0", NULL, NULL, NULL),
        { "SrunProlog", KEY_TEXT, AT(srun_prolog) },
        { "StateSaveLocation", KEY_TEXT, AT(state_save_location), "/var/spool" },
        { "ReconfigFlags", KEY_TEXT, AT(reconfig_flags) },
        { "SuspendExcNodes", KEY_TEXT, AT(suspend_exc_nodes) },
        { "SuspendExcParts", KEY_TEXT, AT(suspend_exc_parts) },
        { "SuspendExcStates", KEY_TEXT, AT(suspend_exc_states) },
        { "SuspendProgram", KEY_TEXT, AT(suspend_program) },
        { "SuspendRate", KEY_U32, AT(suspend_rate), "60", " nodes/min", NULL, 0, 60000 },
        { "SuspendTime", KEY_IDLE, AT(suspend_time), "INFINITE" },
        { "SuspendTimeout", KEY_SECONDS, AT(suspend_timeout), "30", NULL, NULL, 0, 65533 },
        SHOWN("SwitchParameters"),
        GUARD("SwitchType", "jobs' traffic would not be kept apart by the interconnect", NULL, NULL, "switch/none|none"),
        { "TaskEpilog", KEY_TEXT, AT(task_epilog) },
        { "TaskPlugin", KEY_TEXT, AT(task_plugin) },
        { "TaskPluginParam", KEY_TEXT, AT(task_params), TASK_PARAMS_NONE },
        { "TaskProlog", KEY_TEXT, AT(task_prolog) },
        SHOWN("TCPTimeout", "2", " sec"),
        SHOWN("TLSParameters"),
        ONE_OF(USE_HARMLESS, "TLSType", "tls/none", "tls/none|tls/s2n"),
        { "TmpFS", KEY_TEXT, AT(tmp_fs), "/tmp" },
        { "TopologyParam", KEY_TEXT, AT(topology_param) },
        { "TopologyPlugin", KEY_CHOICE, AT(topology_plugin), "topology/flat", NULL, "topology/flat|topology/default|topology/none|topology/tree|" TOPOLOGY_MISSING },
        ONE_OF(USE_HARMLESS, "TrackWCKey", "No", SWITCH_WORDS),
        { "TreeWidth", KEY_U32, AT(tree_width), "16", NULL, NULL, 1, TREE_WIDTH_MAX },
        { "UsePam", .text = "No", .use = USE_GUARDS, .note = "the limits of PAM would not hold for tasks; those of slumberd.service (LimitNOFILE= and its like) do with PropagateResourceLimits=NONE, and the PAM module pam_slumber_adopt lets users log in where their jobs run", .values = SWITCH_WORDS },
        { "UnkillableStepProgram", KEY_TEXT, AT(unkillable_program) },
        { "UnkillableStepTimeout", KEY_SECONDS, AT(unkillable_step_timeout), "60", NULL, NULL, 1, 65533 },
        GUARD("VSizeFactor", "jobs' virtual memory would have no limit", "0", " percent"),
        { "WaitTime", KEY_SECONDS, AT(wait_time), "0", NULL, NULL, 0, 65533 },
        { "X11Parameters", KEY_TEXT, AT(x11_parameters) },
        { "accept_missing", KEY_SHOWN }, /* slumber.yaml: printed if set */
        /* Keys below are not printed on lines of their own. */
        { "DefMemPerCPU", KEY_MEMORY, AT(def_mem_per_cpu), "UNLIMITED" },
        { "MaxMemPerCPU", KEY_MEMORY, AT(max_mem_per_cpu), "UNLIMITED" },
        SHOWN("AccountingStoragePass"),
        SHOWN("JobCompPass"),
        SHOWN("JobCompPassScript"),
        { "DefCpuPerGPU", KEY_U32, AT(def_cpu_per_gpu), "0" },
        { "DefMemPerGPU", KEY_MEMORY, AT(def_mem_per_gpu), "UNLIMITED" },
        SHOWN("JobCredentialPrivateKey"),
        SHOWN("JobCredentialPublicCertificate"),
        SHOWN("HttpParserType"),
        { "HealthCheckTimeout", KEY_SECONDS, AT(health.timeout), "60", NULL, NULL, 1, 65533 },
        SHOWN("KeepAliveTime", "-1"),
        KEPT(USE_HARMLESS, NO_METRICS, "MetricsType", NULL, NULL, "metrics/none|none", NULL),
        OLD("MetricsParameters", NO_METRICS),
        OLD("MetricsAuthUsers", NO_METRICS),
        OLD("SlurmctldHttpAuthParameters", NO_HTTP),
        OLD("SlurmdHttpAuthParameters", NO_HTTP),
        SHOWN("UrlParserType"),
        SHOWN("BurstBufferParameters"),
        ONE_OF(USE_SHOWN, "CryptoType", NULL, "crypto/munge|crypto/openssl"),
        HARMLESS("LicenseParameters"),
        { "NamespaceType", KEY_TEXT, AT(namespace_type) }, /* later name of JobContainerType */
        /* Keys of older Slurm versions. */
        { "ControlMachine", KEY_TEXT, AT(control_machine) },
        { "ControlAddr", KEY_TEXT, AT(control_addr) },
        { "FastSchedule", KEY_CHOICE, AT(fast_schedule), "1", NULL, "0|1|2" },
        { "MemLimitEnforce", KEY_YES, AT(mem_limit_enforce), "No" },
        KEPT(USE_HARMLESS, "it is AcctGatherInterconnectType now", "AcctGatherInfinibandType", NULL, NULL, "acct_gather_infiniband/none", NULL),
        OLD("BackupController", "there is one controller"),
        OLD("BackupAddr", "there is one controller"),
        OLD("AccountingStorageLoc", "the controller keeps the accounts itself"),
        OLD("AccountingStoreJobComment", "it is AccountingStoreFlags now"),
        OLD("SallocDefaultCommand", "salloc starts a shell"),
        OLD("CacheGroups", GONE),
        OLD("CheckpointType", GONE),
        OLD("ChosLoc", GONE),
        OLD("CoreSpecPlugin", GONE),
        OLD("DefaultStorageHost", GONE),
        OLD("DefaultStorageLoc", GONE),
        OLD("DefaultStoragePass", GONE),
        OLD("DefaultStoragePort", GONE),
        OLD("DefaultStorageType", GONE),
        OLD("DefaultStorageUser", GONE),
        OLD("DynAllocPort", GONE),
        OLD("ExtSensorsFreq", GONE),
        OLD("ExtSensorsType", GONE),
        OLD("HeartbeatInterval", GONE),
        OLD("JobCheckpointDir", GONE),
        OLD("KillTree", GONE),
        OLD("LaunchType", GONE),
        OLD("MpichGmDirectSupport", GONE),
        OLD("MsgAggregationParams", GONE),
        OLD("PowerParameters", GONE),
        OLD("PowerPlugin", GONE),
        OLD("RoutePlugin", GONE),
        OLD("SbcastParameters", "it is BcastParameters now"),
        OLD("SchedulerAuth", GONE),
        OLD("SchedulerPort", GONE),
        OLD("SchedulerRootFilter", GONE),
        OLD("SlurmctldPlugstack", GONE),
        OLD("SlurmdPlugstack", GONE),
        OLD("SrunIoTimeout", GONE),
        OLD("UseSpecResources", GONE),
};
/* clang-format on */

static const char first_not_printed[] = "DefMemPerCPU";

const struct config_key *config_find_key(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i].type != KEY_SHOWN && strcasecmp(keys[i].name, name) == 0)
                        return &keys[i];
        return NULL;
}

const struct config_key *config_keys(size_t *ret_n) {
        *ret_n = ELEMENTSOF(keys);
        return keys;
}

static size_t count_printed(void) {
        size_t n = 0;

        while (!streq(keys[n].name, first_not_printed))
                n++;
        return n;
}

static bool is_flag(const struct config_key *key) {
        return key->type == KEY_KEPT && key->text && strcasecmp(key->text, "no") == 0;
}

static char *value_with_unit(const struct config_key *key, const char *value) {
        if (value && is_flag(key))
                return xstrdup(word_in(value, "YES|TRUE|UP|1") ? "Yes" : "No");
        bool number = value && *value && value[strspn(value, "0123456789")] == 0;

        return xasprintf("%s%s", strna(value), number && key->unit ? key->unit : "");
}

void config_defaults(struct config *config) {
        struct fail fail;

        config_cgroup_defaults(config);
        config->n_settings = count_printed();
        config->settings = xnew0(struct config_setting, config->n_settings);
        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                const struct config_key *key = &keys[i];
                if (i < config->n_settings)
                        config->settings[i].key = key->name;
                if (key->type == KEY_KEPT || key->type == KEY_SHOWN) {
                        if (i < config->n_settings)
                                config->settings[i].value = value_with_unit(key, key->text);
                        continue;
                }
                if (!key->text)
                        continue;
                int r = key_parse(key, key->text, config, &fail);
                assert(r >= 0); /* the table is constant */
        }
}

int config_key_allows(const struct config_key *key, const char *value, struct fail *fail) {
        if (!key->values || config_key_is_default(key, value))
                return 0;
        for_each_word(w, value, ",")
                if (!word_in(w, key->values))
                        return fail_set(fail, -EINVAL, "\"%.100s\" is not one of %s", w,
                                        key->values);
        return 0;
}

int config_set(struct config *config, const char *name, const char *value, struct fail *fail) {
        const struct config_key *key = config_find_key(name);

        assert(config);
        assert(value);

        if (!key)
                return fail_set(fail, -ENOENT, "slurm.conf has no such key");
        if (key->type != KEY_KEPT) {
                int r = key_parse(key, value, config, fail);
                return r == -ENOENT ? -EINVAL : r;
        }
        if (config_key_allows(key, value, fail) < 0)
                return -EINVAL;
        size_t i = (size_t)(key - keys);
        if (i < config->n_settings) {
                free(config->settings[i].value);
                config->settings[i].value = value_with_unit(key, value);
        }
        return 0;
}

void config_put_setting(struct config *config, const char *key, const char *value) {
        assert(config);
        assert(key);

        for (size_t i = 0; i < config->n_settings; i++)
                if (strncasecmp(config->settings[i].key, key, strlen(key)) == 0 &&
                                strchr("[", config->settings[i].key[strlen(key)]))
                        free_and_strdup(&config->settings[i].value, strna(value));
}

/* Replaces the setting "DefMemPerNode" by "DefMemPerCPU" if the latter is set. */
static void put_per_cpu(struct config *config, const char *node_key, const char *cpu_key,
                uint64_t mb) {
        if (mb == 0)
                return;
        for (size_t i = 0; i < config->n_settings; i++) {
                struct config_setting *s = &config->settings[i];
                if (!streq(s->key, node_key))
                        continue;
                s->key = cpu_key;
                free(s->value);
                s->value = xasprintf("%llu", (unsigned long long)mb);
        }
}

void config_fill_settings(struct config *config) {
        char count[32], defaults[JOB_DEFAULTS_TEXT_MAX];

        for (size_t i = 0; i < config->n_settings; i++) {
                struct config_setting *s = &config->settings[i];
                if (keys[i].type == KEY_KEPT || keys[i].type == KEY_SHOWN)
                        continue;
                free(s->value);
                s->value = key_print(&keys[i], config);
                s->hidden = keys[i].multifactor && !config->priority.multifactor;
                if (keys[i].type == KEY_HOST)
                        s->key = "SlurmctldHost[0]";
        }
        snprintf(count, sizeof count, "%zu", config_node_limit(config));
        config_put_setting(config, "MaxNodeCount", count);
        config_put_setting(config, "SLURM_CONF", config->path);
        config_put_setting(config, "accept_missing", config->site.accept_missing.text);
        config->settings[config->n_settings - 1].hidden = isempty(config->site.accept_missing.text);
        put_per_cpu(config, "DefMemPerNode", "DefMemPerCPU", config->def_mem_per_cpu);
        put_per_cpu(config, "MaxMemPerNode", "MaxMemPerCPU", config->max_mem_per_cpu);
        config_put_setting(config, "JobDefaults",
                        job_defaults_text(config->def_cpu_per_gpu, config->def_mem_per_gpu,
                                        defaults));
}
