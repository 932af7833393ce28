/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each key of the configuration files of Slurm 26.05 is known, by its file and kind of line, and so
 * is each word of its lists of options: it acts, is shown, is harmless, or is refused as what it
 * is, never as a key or a word that Slurm does not have. */
#include "lib/config/config_private.h"
#include "lib/files/job_container.h"
#include "lib/files/oci.h"
#include "tests/unit/parse_conf.h"

#define NOT_KNOWN "no such key"

/* ---- keys ---- */

static const char slurm_conf[] =
                "AccountingStorageBackupHost AccountingStorageEnforce AccountingStorageExternalHost "
                "AccountingStorageHost AccountingStorageParameters AccountingStoragePass "
                "AccountingStoragePort AccountingStorageTRES AccountingStorageType "
                "AccountingStorageUser AccountingStoreFlags AcctGatherEnergyType "
                "AcctGatherFilesystemType AcctGatherInfinibandType AcctGatherInterconnectType "
                "AcctGatherNodeFreq AcctGatherProfileType AllowSpecResourcesUsage AuthAltParameters "
                "AuthAltTypes AuthInfo AuthType BatchStartTimeout BcastExclude BcastParameters "
                "BurstBufferParameters BurstBufferType CertgenParameters CertgenType "
                "CertmgrParameters CertmgrType CliFilterParameters CliFilterPlugins ClusterName "
                "CommunicationParameters CompleteWait CpuFreqDef CpuFreqGovernors CredType "
                "DataParserParameters DebugFlags DefCpuPerGPU DefMemPerCPU DefMemPerGPU "
                "DefMemPerNode DependencyParameters DisableRootJobs EioTimeout EnforcePartLimits "
                "Epilog EpilogMsgTime EpilogSlurmctld EpilogTimeout FairShareDampeningFactor "
                "FederationParameters FirstJobId GetEnvTimeout GpuFreqDef GresTypes "
                "GroupUpdateForce GroupUpdateTime HashPlugin HealthCheckInterval "
                "HealthCheckNodeState HealthCheckProgram HealthCheckTimeout HttpParserType "
                "InactiveLimit InteractiveStepOptions JobAcctGatherFrequency JobAcctGatherParams "
                "JobAcctGatherType JobCompHost JobCompLoc JobCompParams JobCompPass "
                "JobCompPassScript JobCompPort JobCompType JobCompUser JobContainerType "
                "JobDefaults JobFileAppend JobRequeue JobSubmitPlugins KeepAliveTime KillOnBadExit "
                "KillWait LaunchParameters LicenseParameters Licenses LogTimeFormat MailDomain "
                "MailProg MaxArraySize MaxBatchRequeue MaxDBDMsgs MaxJobCount MaxJobId "
                "MaxMemPerCPU MaxMemPerNode MaxNodeCount MaxStepCount MaxTasksPerNode "
                "MCSParameters MCSPlugin MessageTimeout MetricsAuthUsers MetricsParameters "
                "MetricsType MinJobAge MpiDefault MpiParams NamespaceType NodeFeaturesPlugins "
                "OverTimeLimit PluginDir PlugStackConfig PreemptExemptTime PreemptMode "
                "PreemptParameters PreemptType PrEpParameters PrEpPlugins PriorityCalcPeriod "
                "PriorityDecayHalfLife PriorityFavorSmall PriorityFlags PriorityMaxAge "
                "PriorityParameters PrioritySiteFactorParameters PrioritySiteFactorPlugin "
                "PriorityType PriorityUsageResetPeriod PriorityWeightAge PriorityWeightAssoc "
                "PriorityWeightFairshare PriorityWeightJobSize PriorityWeightPartition "
                "PriorityWeightQOS PriorityWeightTRES PrivateData ProctrackType Prolog "
                "PrologEpilogTimeout PrologFlags PrologSlurmctld PrologTimeout "
                "PropagatePrioProcess PropagateResourceLimits PropagateResourceLimitsExcept "
                "RebootProgram ReconfigFlags RequeueExit RequeueExitHold ResumeFailProgram "
                "ResumeProgram ResumeRate ResumeTimeout ResvEpilog ResvOverRun ResvProlog "
                "ReturnToService SchedulerParameters SchedulerTimeSlice SchedulerType "
                "ScronParameters SelectType SelectTypeParameters SlurmctldAddr SlurmctldDebug "
                "SlurmctldHost SlurmctldHttpAuthParameters SlurmctldLogFile SlurmctldParameters "
                "SlurmctldPidFile SlurmctldPort SlurmctldPrimaryOffProg SlurmctldPrimaryOnProg "
                "SlurmctldSyslogDebug SlurmctldTimeout SlurmdDebug SlurmdHttpAuthParameters "
                "SlurmdLogFile SlurmdParameters SlurmdPidFile SlurmdPort SlurmdSpoolDir "
                "SlurmdSyslogDebug SlurmdTimeout SlurmdUser SlurmSchedLogFile SlurmSchedLogLevel "
                "SlurmUser SrunEpilog SrunPortRange SrunProlog StateSaveLocation SuspendExcNodes "
                "SuspendExcParts SuspendExcStates SuspendProgram SuspendRate SuspendTime "
                "SuspendTimeout SwitchParameters SwitchType TaskEpilog TaskPlugin TaskPluginParam "
                "TaskProlog TCPTimeout TLSParameters TLSType TmpFS TopologyParam TopologyPlugin "
                "TrackWCKey TreeWidth UnkillableStepProgram UnkillableStepTimeout UrlParserType "
                "UsePAM VSizeFactor WaitTime X11Parameters";

/* The first key begins the line. */
static const char *const lines[] = {
        "NodeName BcastAddr Boards CoreSpecCount CoresPerSocket CpuBind CPUs CpuSpecList Feature "
        "Features Gres GresConf MemSpecLimit NodeAddr NodeHostname Parameters Port Procs "
        "RealMemory Reason RestrictedCoresPerGPU Sockets SocketsPerBoard State SuspendTime "
        "ThreadsPerCore TmpDisk Topology TRESWeights Weight",
        "PartitionName AllocNodes AllowAccounts AllowGroups AllowQos Alternate CpuBind Default "
        "DefaultTime DefCpuPerGPU DefMemPerCPU DefMemPerGPU DefMemPerNode DenyAccounts DenyQos "
        "DisableRootJobs ExclusiveTopo ExclusiveUser GraceTime Hidden JobDefaults LLN "
        "MaxCPUsPerNode MaxCPUsPerSocket MaxMemPerCPU MaxMemPerNode MaxNodes MaxTime MinNodes "
        "Nodes OverSubscribe OverTimeLimit PowerDownOnIdle PreemptMode PriorityJobFactor "
        "PriorityTier QOS ReqResv ResumeTimeout RootOnly SelectTypeParameters Shared State "
        "SuspendTime SuspendTimeout Topology TRESBillingWeights",
        "NodeSet Feature Nodes",
        "DownNodes Reason State",
        "PowerAction Location Program",
};

static const char cgroup_conf[] =
                "AllowedRAMSpace AllowedSwapSpace CgroupJobIdPaths CgroupMountpoint CgroupPlugin "
                "CgroupSlice ConstrainCores ConstrainDevices ConstrainRAMSpace ConstrainSwapSpace "
                "EnableControllers EnableExtraControllers IgnoreSystemd IgnoreSystemdOnFailure "
                "MaxRAMPercent MaxSwapPercent MemorySwappiness MinRAMSpace "
                "SignalChildrenProcesses SystemdTimeout";

static const char gres_conf[] = "AutoDetect Cores Count CPUs File Flags Links MultipleFiles Name "
                                "NodeName Type";

static const char oci_conf[] =
                "ContainerPath CreateEnvFile DebugFlags DisableCleanup DisableHooks EnvExclude "
                "FileDebug IgnoreFileConfigJson MountSpoolDir RunTimeCreate RunTimeDelete "
                "RunTimeEnvExclude RunTimeKill RunTimeQuery RunTimeRun RunTimeStart SrunArgs "
                "SrunPath StdIODebug SyslogDebug";

static const char job_container_conf[] =
                "AutoBasePath BasePath CloneNSEpilog CloneNSEpilog_Wait CloneNSScript "
                "CloneNSScript_Wait Dirs EntireStepInNS InitScript NodeName Shared";

/* Calls check with each word of words, by blanks or by |. */
static void each(const char *words, void (*check)(const char *word, const void *user),
                const void *user) {
        _cleanup_free_ char *copy = xstrdup(words);
        char *rest = NULL;

        for (char *w = strtok_r(copy, " |", &rest); w; w = strtok_r(NULL, " |", &rest))
                check(w, user);
}

static void is_key(const char *name, const void *user) {
        if (!config_find_key(name))
                fail_msg("slurm.conf: %s", name);
}

static void is_cgroup_key(const char *name, const void *user) {
        if (!config_cgroup_key(name))
                fail_msg("cgroup.conf: %s", name);
}

/* user: the key that begins the line. */
static void is_on_line(const char *name, const void *user) {
        _cleanup_free_ char *text = xasprintf(BASE "%s=x %s=?\n", (const char *)user, name);
        struct config *c = NULL;
        struct fail fail = { 0 };

        (void)parse(text, &c, &fail);
        if (strstr(fail.text, NOT_KNOWN))
                fail_msg("%s", fail.text);
        config_free(c);
}

static void is_gres_key(const char *name, const void *user) {
        _cleanup_(config_freep) struct config *c = must_parse(BASE "GresTypes=gpu\n");
        _cleanup_free_ char *text = xasprintf("Name=gpu %s=?\n", name);
        struct fail fail = { 0 };

        (void)gres_conf_parse(c, "gres.conf", text, strlen(text), &fail);
        if (strstr(fail.text, NOT_KNOWN))
                fail_msg("%s", fail.text);
}

static void is_oci_key(const char *name, const void *user) {
        _cleanup_(oci_config_freep) struct oci_config *oci = NULL;
        _cleanup_free_ char *text = xasprintf("%s=?\n", name);
        struct fail fail = { 0 };

        (void)oci_config_parse("oci.conf", text, strlen(text), &oci, &fail);
        if (strstr(fail.text, NOT_KNOWN))
                fail_msg("%s", fail.text);
}

static void is_container_key(const char *name, const void *user) {
        _cleanup_(job_containers_freep) struct job_containers *containers = NULL;
        _cleanup_free_ char *text = xasprintf("%s=?\n", name);
        struct fail fail = { 0 };

        (void)job_containers_parse("job_container.conf", text, strlen(text), &containers, &fail);
        if (strstr(fail.text, NOT_KNOWN))
                fail_msg("%s", fail.text);
}

static void keys_of_26_05_are_known(void **state) {
        (void)state;
        each(slurm_conf, is_key, NULL);
        each(cgroup_conf, is_cgroup_key, NULL);
        each(gres_conf, is_gres_key, NULL);
        each(oci_conf, is_oci_key, NULL);
        each(job_container_conf, is_container_key, NULL);
        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_free_ char *begin = xstrndup(lines[i], strcspn(lines[i], " "));
                each(lines[i] + strlen(begin), is_on_line, begin);
        }
}

/* ---- words ---- */

static const struct {
        const char *key, *words;
} lists[] = {
        { "AccountingStorageEnforce", "associations|limits|nojobs|nosteps|qos|safe|wckeys|all" },
        { "BcastParameters", "DestDir|Compression|send_libs" },
        { "CliFilterParameters", "cli_filter_lua_path" },
        { "CliFilterPlugins", "lua|syslog|user_defaults" },
        { "CommunicationParameters",
                        "block_null_hash|CheckGhalQuiesce|disable_http|DisableIPv4|EnableIPv6|"
                        "getnameinfo_cache_timeout|host_unreach_retry_count|keepaliveinterval|"
                        "keepaliveprobes|keepalivetime|NoAddrCache|NoCtldInAddrAny|NoInAddrAny" },
        { "DependencyParameters", "disable_remote_singleton|kill_invalid_depend|max_depend_depth" },
        { "JobAcctGatherParams", "DisableGPUAcct|no_file_cache|NoShared|OverMemoryKill|UsePss" },
        { "LaunchParameters",
                        "batch_step_set_cpu_freq|cray_net_exclusive|disable_send_gids|"
                        "enable_nss_slurm|interactive_step_set_cpu_freq|lustre_no_flush|"
                        "mpir_use_nodeaddr|send_gids|slurmstepd_memlock|slurmstepd_memlock_all|"
                        "srun_exclusive_allocation|test_exec|ulimit_pam_adopt|"
                        "use_interactive_step" },
        { "MpiParams", "ports|disable_slurm_hydra_bootstrap" },
        { "PreemptParameters",
                        "min_exempt_priority|reclaim_licenses|reorder_count|send_user_signal|"
                        "strict_order|suspend_grace_time|youngest_first" },
        { "PrologFlags", "Alloc|Contain|DeferBatch|ForceRequeueOnFail|NoHold|RunInJob|Serial|X11" },
        { "ReconfigFlags", "KeepNodeStateFuture|KeepPartInfo|KeepPartState|KeepPowerSaveSettings" },
        { "SchedulerParameters",
                        "allow_zero_lic|assoc_limit_stop|batch_sched_delay|bb_array_stage_cnt|"
                        "bf_allow_magnetic_slot|bf_busy_nodes|bf_continue|bf_hetjob_immediate|"
                        "bf_hetjob_prio|bf_interval|bf_job_part_count_reserve|bf_licenses|"
                        "bf_max_job_array_resv|bf_max_job_assoc|bf_max_job_part|bf_max_job_start|"
                        "bf_max_job_test|bf_max_job_user|bf_max_job_user_part|bf_max_time|"
                        "bf_min_age_reserve|bf_min_prio_reserve|bf_node_space_size|"
                        "bf_one_resv_per_job|bf_resolution|bf_running_job_reserve|"
                        "bf_topopt_enable|bf_topopt_iterations|bf_window|bf_window_linear|"
                        "bf_yield_interval|bf_yield_sleep|build_queue_timeout|"
                        "correspond_after_task_cnt|default_queue_depth|defer|defer_batch|"
                        "delay_boot|disable_hetjob_steps|disable_job_shrink|disable_user_top|"
                        "enable_hetjob_steps|enable_user_top|extra_constraints|Ignore_NUMA|"
                        "ignore_prefer_validation|max_array_tasks|max_rpc_cnt|max_sched_time|"
                        "max_script_size|max_submit_line_size|max_switch_wait|"
                        "no_backup_scheduling|nohold_on_prolog_fail|pack_serial_at_end|"
                        "partition_job_depth|reduce_completing_frag|requeue_delay|"
                        "requeue_on_resume_failure|requeue_setup_env_fail|salloc_wait_nodes|"
                        "sbatch_wait_nodes|sched_interval|sched_max_job_start|"
                        "sched_min_interval|spec_cores_first|step_retry_count|step_retry_time|"
                        "time_min_as_soft_limit|whole_hetjob" },
        { "SlurmctldParameters",
                        "allow_user_triggers|cloud_dns|cloud_reg_addrs|conmgr_connect_timeout|"
                        "conmgr_max_connections|conmgr_quiesce_timeout|conmgr_read_timeout|"
                        "conmgr_threads|conmgr_use_poll|conmgr_wait_write_delay|"
                        "conmgr_write_timeout|disable_triggers|enable_async_reply|"
                        "enable_configless|enable_expedited_requeue|enable_rpc_queue|"
                        "enable_stepmgr|idle_on_node_suspend|max_dbd_msg_action|"
                        "max_powered_nodes|no_quick_restart|node_reg_mem_percent|"
                        "power_save_interval|power_save_min_interval|reboot_from_controller|"
                        "reconfig_on_restart|rl_bucket_size|rl_enable|rl_log_freq|"
                        "rl_refill_period|rl_refill_rate|rl_table_size|threadpool|"
                        "user_resv_delete|validate_nodeaddr_threads" },
        { "SlurmdParameters",
                        "allow_ecores|config_overrides|conmgr_max_connections|conmgr_threads|"
                        "contain_spank|l3cache_as_socket|numa_node_as_socket|shutdown_on_reboot" },
        { "TaskPlugin", "none|affinity|cgroup|task/none|task/affinity|task/cgroup" },
        { "TaskPluginParam",
                        "none|threads|cores|sockets|autobind|verbose|SlurmdOffSpec|OOMKillStep|"
                        "SlurmdSpecOverride" },
        { "TopologyParam", "BlockAsNodeRank|Dragonfly|RoutePart|RouteTree|SwitchAsNodeRank|"
                           "TopoMaxSizeUnroll|TopoOptional" },
        { "X11Parameters", "home_xauthority" },
};

/* user: a row of the tables of words. */
static void is_in_list(const char *word, const void *user) {
        const struct config_words *list = user;

        if (!word_in(word, list->acts) && !word_in(word, list->guards) &&
                        !word_in(word, list->harmless))
                fail_msg("%s=%s", list->key, word);
}

static const struct config_words *find_list(const char *key) {
        size_t n = 0;
        const struct config_words *all = config_words(&n);

        for (size_t i = 0; i < n; i++)
                if (streq(all[i].key, key))
                        return &all[i];
        fail_msg("%s", key);
        return NULL;
}

static void words_of_26_05_are_known(void **state) {
        (void)state;
        for (size_t i = 0; i < ELEMENTSOF(lists); i++)
                each(lists[i].words, is_in_list, find_list(lists[i].key));
}

/* ---- what some of them mean ---- */

static void debug_flags_of_26_05_are_known(void **state) {
        (void)state;
        config_free(must_parse(BASE
                        "DebugFlags=Accrue,Agent,AuditRPCs,AuditTLS,Backfill,BackfillMap,"
                        "BurstBuffer,Cgroup,ConMgr,CpuFrequency,CPU_Bind,Data,DBD_Agent,DB_Archive,"
                        "DB_Assoc,DB_Event,DB_Job,DB_QOS,DB_Query,DB_Reservation,DB_Resource,"
                        "DB_Step,DB_TRES,DB_Usage,DB_WCKey,Dependency,Energy,Federation,Gang,"
                        "GLOB_SILENCE,Gres,Hetjob,Interconnect,JobAccountGather,JobComp,Namespace,"
                        "NodeFeatures,License,Metrics,MPI,Network,NetworkRaw,NO_CONF_HASH,Power,"
                        "Priority,Profile,Protocol,Reservation,Route,Sack,Script,SelectType,Steps,"
                        "Switch,thread,TLS,TraceJobs,Triggers\n"));
}

static void new_keys_are_told_once(void **state) {
        static const char *const told[] = {
                "slurm.conf line 5: MetricsType is not used by Slumber: no metrics are served",
                "slurm.conf line 6: MetricsAuthUsers is not used by Slumber: no metrics are served",
                "slurm.conf line 7: SlurmdHttpAuthParameters is not used by Slumber: the daemons serve no HTTP",
                "slurm.conf line 8: AcctGatherInfinibandType is not used by Slumber: it is AcctGatherInterconnectType now",
                "slurm.conf line 11: Parameters is not used by Slumber: SlurmdParameters are those of all nodes",
                "slurm.conf line 9: TaskPluginParam=Sched is not used by Slumber",
        };
        _cleanup_(config_freep) struct config *c = must_parse(
                        BASE "MetricsType=metrics/openmetrics\nMetricsAuthUsers=prom\n"
                             "SlurmdHttpAuthParameters=jwt_key=/k\n"
                             "AcctGatherInfinibandType=acct_gather_infiniband/ofed\n"
                             "TaskPluginParam=Sched\nUrlParserType=url_parser/internal\n"
                             "NodeName=x[1-2] Parameters=l3cache_as_socket\n"
                             "NodeName=y[1-2] Parameters=l3cache_as_socket\n"
                             "SelectType=select/cons_tres\n"
                             "SelectTypeParameters=CR_Core_Memory,CR_NO_DIST_TOPO_BLOCK\n");

        (void)state;
        for (size_t i = 0; i < MIN(c->n_warnings, ELEMENTSOF(told)); i++)
                assert_string_equal(c->warnings[i], told[i]);
        assert_int_equal(c->n_warnings, ELEMENTSOF(told));
        assert_string_equal(setting(c, "SelectTypeParameters"),
                        "CR_CORE_MEMORY,CR_NO_DIST_TOPO_BLOCK");
}

static void what_older_files_say_acts(void **state) {
        _cleanup_(config_freep) struct config *c = must_parse(
                        BASE "MemLimitEnforce=yes\nJobAcctGatherType=jobacct_gather/linux\n"
                             "MpiDefault=openmpi\nSchedulerParameters=disable_job_shrink\n"
                             "CliFilterPlugins=lua\n"
                             "CliFilterParameters=cli_filter_lua_path=/site/filter.lua\n");

        (void)state;
        assert_int_equal(c->n_warnings, 0);
        assert_true(c->memory_watch == 30 * USEC_PER_SEC);
        assert_true(c->no_job_shrink);
        assert_string_equal(c->mpi_default, "openmpi");
        assert_non_null(strstr(c->filter, "/site/filter.lua"));
        _cleanup_(config_freep) struct config *none = must_parse(BASE "MemLimitEnforce=yes\n");
        assert_int_equal(none->n_warnings, 1);
        assert_string_equal(none->warnings[0],
                        "slurm.conf line 5: MemLimitEnforce does nothing with JobAcctGatherType=jobacct_gather/none");
        struct config *bad = NULL;
        struct fail fail = { 0 };
        assert_int_equal(parse(BASE "CliFilterParameters=cli_filter_lua_path=f.lua\n", &bad, &fail),
                        -EINVAL);
        assert_string_equal(fail.text,
                        "slurm.conf line 5: CliFilterParameters: cli_filter_lua_path=f.lua: an absolute path was expected");
}

int main(void) {
        static const struct CMUnitTest tests[] = {
                cmocka_unit_test(keys_of_26_05_are_known),
                cmocka_unit_test(words_of_26_05_are_known),
                cmocka_unit_test(debug_flags_of_26_05_are_known),
                cmocka_unit_test(new_keys_are_told_once),
                cmocka_unit_test(what_older_files_say_acts),
        };
        return cmocka_run_group_tests(tests, NULL, NULL);
}
