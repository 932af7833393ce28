/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every key of slurm.conf, in the order of "scontrol show config": what it is, where it goes, its
 * default, how it is printed. Adding a key is adding a row. A key that Slumber does not act upon
 * (UNUSED) is known by name and kept as text, so that show config is complete; setting it to
 * something else than its default is worth one warning.
 *
 * config->settings has one element per row before the end of the printed ones, in the same
 * order, so a row's number is its place there. */
#include "lib/config_private.h"

#include <stdarg.h>

#define AT(field)   offsetof(struct config, field)
#define UNUSED(...) UNUSED_(__VA_ARGS__, NULL, NULL, NULL, NULL)
#define UNUSED_(key, def, suffix, same, ...)                                                       \
        { .name = key, .text = def, .unit = suffix, .words = same }

/* As lib/log.c reads them. */
#define DEBUG_WORDS "quiet|fatal|error|info|verbose|debug|debug2|debug3|debug4|debug5|"\
                    "0|1|2|3|4|5|6|7|8|9"

/* clang-format off */
static const struct config_key keys[] = {
        UNUSED("AccountingStorageBackupHost"),
        { "AccountingStorageEnforce", KEY_TEXT, AT(enforce_accounts), "none" },
        UNUSED("AccountingStorageHost", "localhost"),
        UNUSED("AccountingStorageExternalHost"),
        UNUSED("AccountingStorageParameters"),
        UNUSED("AccountingStoragePort", "6819", NULL, "0"),
        { "AccountingStorageTRES", KEY_TEXT, AT(tracked), "cpu,mem,energy,node,billing,fs/disk,vmem,pages" },
        { "AccountingStorageType", KEY_TEXT, AT(accounting_storage_type) },
        UNUSED("AccountingStorageUser", "root"),
        UNUSED("AccountingStoreFlags"),
        UNUSED("AcctGatherEnergyType", NULL, NULL, "acct_gather_energy/none"),
        UNUSED("AcctGatherFilesystemType", NULL, NULL, "acct_gather_filesystem/none"),
        UNUSED("AcctGatherInterconnectType", NULL, NULL, "acct_gather_interconnect/none"),
        UNUSED("AcctGatherNodeFreq", "0", " sec"),
        UNUSED("AcctGatherProfileType", NULL, NULL, "acct_gather_profile/none"),
        UNUSED("AllowSpecResourcesUsage", "No"),
        UNUSED("AuthAltTypes"),
        UNUSED("AuthAltParameters"),
        UNUSED("AuthInfo"),
        UNUSED("AuthType", "auth/munge"),
        { "BatchStartTimeout", KEY_SECONDS, AT(batch_start_timeout), "10", NULL, NULL, 0, 65533 },
        UNUSED("BcastExclude", "/lib,/usr/lib,/lib64,/usr/lib64"),
        UNUSED("BcastParameters"),
        { "BOOT_TIME", KEY_SHOWN, 0, "N/A" },
        UNUSED("BurstBufferType", NULL, NULL, "burst_buffer/none"),
        UNUSED("CertgenParameters"),
        UNUSED("CertgenType"),
        UNUSED("CertmgrParameters"),
        UNUSED("CertmgrType"),
        UNUSED("CliFilterParameters"),
        UNUSED("CliFilterPlugins"),
        { "ClusterName", KEY_TEXT, AT(cluster_name) },
        UNUSED("CommunicationParameters"),
        { "CompleteWait", KEY_SECONDS, AT(complete_wait), "0", NULL, NULL, 0, 65533 },
        UNUSED("CpuFreqDef", "Unknown"),
        UNUSED("CpuFreqGovernors", "OnDemand,Performance,UserSpace"),
        UNUSED("CredType", "auth/munge", NULL, "cred/munge"),
        UNUSED("DataParserParameters"),
        { "DebugFlags", KEY_TEXT, AT(debug_flags) },
        { "DefMemPerNode", KEY_MEMORY, AT(def_mem_per_node), "UNLIMITED" },
        { "DependencyParameters", KEY_TEXT, AT(dependency_parameters) },
        UNUSED("DisableRootJobs", "No"),
        UNUSED("EioTimeout", "60"),
        { "EnforcePartLimits", KEY_CHOICE, AT(enforce_text), "NO", NULL, "NO|ANY|ALL|YES" },
        UNUSED("Epilog"),
        UNUSED("EpilogMsgTime", "2000", " usec"),
        UNUSED("EpilogSlurmctld"),
        UNUSED("EpilogTimeout", "65534"),
        { "FairShareDampeningFactor", KEY_U32, AT(priority.dampening), "1", NULL, NULL, 1, 65535, .multifactor = true },
        UNUSED("FederationParameters"),
        { "FirstJobId", KEY_U32, AT(first_job_id), "1", NULL, NULL, 1, 67043328 },
        UNUSED("GetEnvTimeout", "120", " sec", "2"),
        { "GresTypes", KEY_TEXT, AT(gres_types) },
        UNUSED("GpuFreqDef"),
        UNUSED("GroupUpdateForce", "1"),
        UNUSED("GroupUpdateTime", "600", " sec"),
        { "HASH_VAL", KEY_SHOWN, 0, "Match" },
        UNUSED("HashPlugin", "hash/k12"),
        UNUSED("HealthCheckInterval", "0", " sec"),
        UNUSED("HealthCheckNodeState", "ANY"),
        UNUSED("HealthCheckProgram"),
        UNUSED("InactiveLimit", "0", " sec"),
        UNUSED("InteractiveStepOptions", "--interactive --preserve-env --pty $SHELL"),
        { "JobAcctGatherFrequency", KEY_TEXT, AT(gather_frequency), "30" },
        { "JobAcctGatherType", KEY_TEXT, AT(gather_type) },
        { "JobAcctGatherParams", KEY_TEXT, AT(gather_params) },
        UNUSED("JobCompHost", "localhost"),
        UNUSED("JobCompLoc"),
        UNUSED("JobCompParams"),
        UNUSED("JobCompPort", "0"),
        UNUSED("JobCompType", NULL, NULL, "jobcomp/none"),
        UNUSED("JobCompUser", "root"),
        UNUSED("JobContainerType", NULL, NULL, "job_container/none"),
        UNUSED("JobDefaults"),
        UNUSED("JobFileAppend", "0"),
        { "JobRequeue", KEY_SWITCH, AT(job_requeue), "1" },
        UNUSED("JobSubmitPlugins"),
        UNUSED("KillOnBadExit", "0"),
        { "KillWait", KEY_SECONDS, AT(kill_wait), "30", NULL, NULL, 0, 65533 },
        UNUSED("LaunchParameters"),
        { "Licenses", KEY_COUNTLIST, AT(licenses) },
        UNUSED("LogTimeFormat", "iso8601_ms"),
        UNUSED("MailDomain"),
        { "MailProg", KEY_TEXT, AT(mail_prog), "/bin/mail" },
        { "MaxArraySize", KEY_U32, AT(max_array_size), "1001", NULL, NULL, 0, 4000001 },
        UNUSED("MaxBatchRequeue", "5"),
        UNUSED("MaxDBDMsgs", "20000"),
        { "MaxJobCount", KEY_U32, AT(max_job_count), "10000", NULL, NULL, 2, 10000000 },
        { "MaxJobId", KEY_U32, AT(max_job_id), "67043328", NULL, NULL, 1, 67043328 },
        { "MaxMemPerNode", KEY_MEMORY, AT(max_mem_per_node), "UNLIMITED" },
        UNUSED("MaxNodeCount", "0"),
        UNUSED("MaxStepCount", "40000"),
        UNUSED("MaxTasksPerNode", "512"),
        { "MCSPlugin", KEY_CHOICE, AT(mcs_plugin), "mcs/none", NULL, "mcs/none|mcs/user|mcs/group|mcs/account|mcs/label" },
        { "MCSParameters", KEY_TEXT, AT(mcs_parameters) },
        { "MessageTimeout", KEY_SECONDS, AT(message_timeout), "10", NULL, NULL, 1, 65533, .idle = true },
        { "MinJobAge", KEY_SECONDS, AT(min_job_age), "300", NULL, NULL, 0, 4294967 },
        UNUSED("MpiDefault", NULL, NULL, "none"),
        UNUSED("MpiParams"),
        { "NEXT_JOB_ID", KEY_SHOWN, 0, "1" },
        { "NodeFeaturesPlugins", KEY_TEXT, AT(node_features_plugins) },
        UNUSED("OverTimeLimit", "0", " min"),
        UNUSED("PluginDir", "/usr/lib/slurm"),
        UNUSED("PlugStackConfig"),
        { "PreemptMode", KEY_PREEMPT_MODE, AT(preempt_mode), "OFF" },
        { "PreemptParameters", KEY_TEXT, AT(preempt_parameters) },
        { "PreemptType", KEY_PREEMPT_TYPE, AT(preempt_type), "preempt/none" },
        { "PreemptExemptTime", KEY_EXEMPT, AT(preempt_exempt_time), "00:00:00" },
        UNUSED("PrEpParameters"),
        UNUSED("PrEpPlugins", "prep/script"),
        UNUSED("PriorityParameters"),
        UNUSED("PrioritySiteFactorParameters"),
        UNUSED("PrioritySiteFactorPlugin"),
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
        UNUSED("PrivateData", "none"),
        UNUSED("ProctrackType", "proctrack/cgroup"),
        UNUSED("Prolog"),
        UNUSED("PrologEpilogTimeout", "65534"),
        UNUSED("PrologSlurmctld"),
        UNUSED("PrologFlags"),
        UNUSED("PrologTimeout", "65534"),
        UNUSED("PropagatePrioProcess", "0"),
        UNUSED("PropagateResourceLimits", "ALL"),
        UNUSED("PropagateResourceLimitsExcept"),
        { "RebootProgram", KEY_TEXT, AT(reboot_program) },
        UNUSED("RequeueExit"),
        UNUSED("RequeueExitHold"),
        { "ResumeFailProgram", KEY_TEXT, AT(resume_fail_program) },
        { "ResumeProgram", KEY_TEXT, AT(resume_program) },
        { "ResumeRate", KEY_U32, AT(resume_rate), "300", " nodes/min", NULL, 0, 60000 },
        { "ResumeTimeout", KEY_SECONDS, AT(resume_timeout), "60" },
        UNUSED("ResvEpilog"),
        { "ResvOverRun", KEY_COUNT, AT(resv_over_run), "0", " min", NULL, 0, 65533 },
        UNUSED("ResvProlog"),
        { "ReturnToService", KEY_U32, AT(return_to_service), "0", NULL, NULL, 0, 2 },
        { "SchedulerParameters", KEY_TEXT, AT(scheduler_parameters) },
        { "SchedulerTimeSlice", KEY_SECONDS, AT(scheduler_time_slice), "30", NULL, NULL, 5, 65533 },
        { "SchedulerType", KEY_CHOICE, AT(scheduler_type), "sched/backfill", NULL, "sched/backfill|sched/builtin" },
        UNUSED("ScronParameters"),
        { "SelectType", KEY_SELECT_TYPE, AT(select_type), "select/cons_tres" },
        { "SelectTypeParameters", KEY_SELECT_PARAMS, AT(select_params) },
        { "SlurmUser", KEY_USER, AT(slurm_user), "root" },
        UNUSED("SlurmctldAddr"),
        { "SlurmctldDebug", KEY_CHOICE, AT(slurmctld_debug), "info", NULL, DEBUG_WORDS },
        { "SlurmctldHost", KEY_HOST, AT(controller_host) },
        { "SlurmctldLogFile", KEY_TEXT, AT(slurmctld_log) },
        { "SlurmctldPort", KEY_U16, AT(slurmctld_port), "6817", NULL, NULL, 1, 65535 },
        UNUSED("SlurmctldSyslogDebug"),
        UNUSED("SlurmctldPrimaryOffProg"),
        UNUSED("SlurmctldPrimaryOnProg"),
        UNUSED("SlurmctldTimeout", "120", " sec"),
        { "SlurmctldParameters", KEY_TEXT, AT(slurmctld_parameters) },
        { "SlurmdDebug", KEY_CHOICE, AT(slurmd_debug), "info", NULL, DEBUG_WORDS },
        { "SlurmdLogFile", KEY_TEXT, AT(slurmd_log) },
        { "SlurmdParameters", KEY_TEXT, AT(slurmd_parameters) },
        { "SlurmdPidFile", KEY_TEXT, AT(slurmd_pid_file) },
        { "SlurmdPort", KEY_U16, AT(slurmd_port), "6818", NULL, NULL, 1, 65535 },
        { "SlurmdSpoolDir", KEY_TEXT, AT(slurmd_spool_dir), "/var/spool/slurmd" },
        UNUSED("SlurmdSyslogDebug"),
        { "SlurmdTimeout", KEY_SECONDS, AT(slurmd_timeout), "300", NULL, NULL, 0, 65533 },
        { "SlurmdUser", KEY_USER, AT(slurmd_user), "root", NULL, "0", .idle = true },
        UNUSED("SlurmSchedLogFile"),
        UNUSED("SlurmSchedLogLevel", "0"),
        { "SlurmctldPidFile", KEY_TEXT, AT(slurmctld_pid_file) },
        { "SLURM_CONF", KEY_SHOWN },
        { "SLURM_VERSION", KEY_SHOWN, 0, SLURM_VERSION },
        UNUSED("SrunEpilog"),
        UNUSED("SrunPortRange", "0-0"),
        UNUSED("SrunProlog"),
        { "StateSaveLocation", KEY_TEXT, AT(state_save_location), "/var/spool" },
        { "ReconfigFlags", KEY_TEXT, AT(reconfig_flags) },
        { "SuspendExcNodes", KEY_TEXT, AT(suspend_exc_nodes) },
        { "SuspendExcParts", KEY_TEXT, AT(suspend_exc_parts) },
        { "SuspendExcStates", KEY_TEXT, AT(suspend_exc_states) },
        { "SuspendProgram", KEY_TEXT, AT(suspend_program) },
        { "SuspendRate", KEY_U32, AT(suspend_rate), "60", " nodes/min", NULL, 0, 60000 },
        { "SuspendTime", KEY_IDLE, AT(suspend_time), "INFINITE" },
        { "SuspendTimeout", KEY_SECONDS, AT(suspend_timeout), "30", NULL, NULL, 0, 65533 },
        UNUSED("SwitchParameters"),
        UNUSED("SwitchType", NULL, NULL, "switch/none"),
        UNUSED("TaskEpilog"),
        UNUSED("TaskPlugin", NULL, NULL, "task/none"),
        UNUSED("TaskPluginParam", "(null type)"),
        UNUSED("TaskProlog"),
        UNUSED("TCPTimeout", "2", " sec"),
        UNUSED("TLSParameters"),
        UNUSED("TLSType", "tls/none"),
        { "TmpFS", KEY_TEXT, AT(tmp_fs), "/tmp" },
        { "TopologyParam", KEY_TEXT, AT(topology_param) },
        { "TopologyPlugin", KEY_CHOICE, AT(topology_plugin), "topology/flat", NULL, "topology/flat|topology/default|topology/none|topology/tree" },
        UNUSED("TrackWCKey", "No"),
        { "TreeWidth", KEY_U32, AT(tree_width), "16", NULL, NULL, 1, 65533, .idle = true },
        UNUSED("UsePam", "No"),
        UNUSED("UnkillableStepProgram"),
        { "UnkillableStepTimeout", KEY_SECONDS, AT(unkillable_step_timeout), "60", NULL, NULL, 1, 65533 },
        UNUSED("VSizeFactor", "0", " percent"),
        UNUSED("WaitTime", "0", " sec"),
        UNUSED("X11Parameters"),
        /* not printed on a line of their own from here on */
        { "DefMemPerCPU", KEY_MEMORY, AT(def_mem_per_cpu), "UNLIMITED" },
        { "MaxMemPerCPU", KEY_MEMORY, AT(max_mem_per_cpu), "UNLIMITED" },
        UNUSED("AccountingStoragePass"),
        UNUSED("JobCompPass"),
        UNUSED("JobCompPassScript"),
        { "DefCpuPerGPU", KEY_U32, AT(def_cpu_per_gpu), "0" },
        { "DefMemPerGPU", KEY_MEMORY, AT(def_mem_per_gpu), "UNLIMITED" },
        UNUSED("JobCredentialPrivateKey"),
        UNUSED("JobCredentialPublicCertificate"),
        UNUSED("HttpParserType"),
};
/* clang-format on */

static const char first_not_printed[] = "DefMemPerCPU";

static const struct config_key *find_key(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(keys); i++)
                if (keys[i].type != KEY_SHOWN && strcasecmp(keys[i].name, name) == 0)
                        return &keys[i];
        return NULL;
}

bool config_has_key(const char *name) {
        return find_key(name);
}

static size_t count_printed(void) {
        size_t n = 0;

        while (!streq(keys[n].name, first_not_printed))
                n++;
        return n;
}

static bool is_flag(const struct config_key *key) {
        return key->type == KEY_UNUSED && key->text && strcasecmp(key->text, "no") == 0;
}

static char *with_unit(const struct config_key *key, const char *value) {
        if (value && is_flag(key))
                return xstrdup(word_in(value, "YES|TRUE|UP|1") ? "Yes" : "No");
        bool number = value && *value && value[strspn(value, "0123456789")] == 0;

        return xasprintf("%s%s", strna(value), number && key->unit ? key->unit : "");
}

void config_defaults(struct config *config) {
        struct fail fail;

        config->n_settings = count_printed();
        config->settings = xnew0(struct config_setting, config->n_settings);
        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                const struct config_key *key = &keys[i];
                if (i < config->n_settings)
                        config->settings[i].key = key->name;
                if (key->type == KEY_UNUSED || key->type == KEY_SHOWN) {
                        if (i < config->n_settings)
                                config->settings[i].value = with_unit(key, key->text);
                        continue;
                }
                if (!key->text)
                        continue;
                int r = key_parse(key, key->text, config, &fail);
                assert(r >= 0); /* the table is ours */
        }
}

static bool is_default(const struct config_key *key, const char *value) {
        if (isempty(value) || word_in(value, "(null)"))
                return true;
        if (is_flag(key) && word_in(value, "FALSE|DOWN|0"))
                return true;
        return (key->text && strcasecmp(key->text, value) == 0) ||
               (key->words && word_in(value, key->words));
}

int config_set(struct config *config, const char *name, const char *value, bool *ret_unused,
                struct fail *fail) {
        const struct config_key *key = find_key(name);

        assert(config);
        assert(value);

        *ret_unused = false;
        if (!key)
                return fail_set(fail, -ENOENT, "slurm.conf has no such key");
        if (key->type != KEY_UNUSED) {
                *ret_unused = key->idle && !is_default(key, value);
                int r = key_parse(key, value, config, fail);
                return r == -ENOENT ? -EINVAL : r;
        }
        size_t i = (size_t)(key - keys);
        *ret_unused = !is_default(key, value);
        if (i < config->n_settings) {
                free(config->settings[i].value);
                config->settings[i].value = with_unit(key, value);
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

/* "DefMemPerNode" gives way to "DefMemPerCPU" when that one is set. */
static void put_per_cpu(
                struct config *config, const char *node_key, const char *cpu_key, uint64_t mb) {
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
                if (keys[i].type == KEY_UNUSED || keys[i].type == KEY_SHOWN)
                        continue;
                free(s->value);
                s->value = key_print(&keys[i], config);
                s->hidden = keys[i].multifactor && !config->priority.multifactor;
                if (keys[i].type == KEY_HOST)
                        s->key = "SlurmctldHost[0]";
        }
        snprintf(count, sizeof count, "%zu", config->n_nodes);
        config_put_setting(config, "MaxNodeCount", count);
        config_put_setting(config, "SLURM_CONF", config->path);
        put_per_cpu(config, "DefMemPerNode", "DefMemPerCPU", config->def_mem_per_cpu);
        put_per_cpu(config, "MaxMemPerNode", "MaxMemPerCPU", config->max_mem_per_cpu);
        config_put_setting(config, "JobDefaults", job_defaults_text(config->def_cpu_per_gpu, config->def_mem_per_gpu, defaults));
}

void config_warn(struct config *config, const char *file, unsigned line, const char *format, ...) {
        _cleanup_free_ char *text = NULL;
        va_list ap;

        va_start(ap, format);
        if (vasprintf(&text, format, ap) < 0)
                abort();
        va_end(ap);
        config->warnings = xrenew(config->warnings, config->n_warnings + 1);
        config->warnings[config->n_warnings++] =
                        line ? xasprintf("%s line %u: %s", file, line, text)
                             : xasprintf("%s: %s", file, text);
}
