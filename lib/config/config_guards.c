/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classifies each key that a file sets: it acts, is only shown, is harmless to miss, or guards. A
 * guard restricts, checks or protects; an unimplemented guard is refused with name and place unless
 * accept_missing of slumber.yaml lists it. The tables of keys have the class in a column; this file
 * has the words of list keys, and files whose presence guards. */
#include "lib/config/config_private.h"
#include "lib/wordlist.h"

#include <ctype.h>
#include <limits.h>
#include <sys/stat.h>

/* ---- keys that are lists of options ---- */

#define OTHERS "*" /* any word that does not act */

/* Words of list keys: those that act, that guard, and that are harmless to miss. In a list that
 * checks or protects, an unknown word is probably a misspelt guard: the start is refused, as
 * Slurm's plug-ins do. In other lists (lenient) an unknown word is ignored, as in Slurm: it may be
 * rare or from a later version. */
static const struct config_words option_lists[] = {
        { "AccountingStorageEnforce",
                        "none|no|0|associations|1|yes|limits|2|qos|safe|all|nojobs|nosteps",
                        "wckeys", NULL },
        { "BcastParameters", "DestDir|Compression|send_libs", NULL, NULL, .lenient = true },
        { "CliFilterParameters", "cli_filter_lua_path", NULL, NULL, .lenient = true },
        { "CliFilterPlugins", FILTER_WORDS, OTHERS, NULL },
        { "CommunicationParameters", NULL, "NoInAddrAny|NoCtldInAddrAny",
                        "block_null_hash|CheckGhalQuiesce|disable_http|DisableIPv4|EnableIPv6|"
                        "getnameinfo_cache_timeout|host_unreach_retry_count|keepaliveinterval|"
                        "keepaliveprobes|keepalivetime|NoAddrCache",
                        .lenient = true },
        { "DependencyParameters", "kill_invalid_depend", NULL,
                        "disable_remote_singleton|max_depend_depth", .lenient = true },
        { "JobAcctGatherParams", "OverMemoryKill|NoShared|UsePss", NULL,
                        "DisableGPUAcct|no_file_cache" },
        { "JobSubmitPlugins", SUBMIT_WORDS, OTHERS, NULL },
        { "LaunchParameters", "use_interactive_step|batch_step_set_cpu_freq", NULL,
                        "cray_net_exclusive|disable_send_gids|enable_nss_slurm|lustre_no_flush|"
                        "interactive_step_set_cpu_freq|mem_sort|mpir_use_nodeaddr|send_gids|"
                        "slurmstepd_memlock|slurmstepd_memlock_all|srun_exclusive_allocation|"
                        "test_exec|ulimit_pam_adopt",
                        .lenient = true },
        { "MpiParams", "ports|disable_slurm_hydra_bootstrap", NULL, NULL, .lenient = true },
        { "NamespaceType", "namespace/tmpfs|namespace/none|none", "namespace/linux", NULL },
        { "PreemptParameters", PREEMPT_WORDS, NULL, NULL },
        { "PrologFlags", "Alloc|Contain|DeferBatch|NoHold|Serial|ForceRequeueOnFail|RunInJob|X11",
                        NULL, NULL },
        { "ReconfigFlags", "KeepPowerSaveSettings|KeepPartState", "KeepPartInfo",
                        "KeepNodeStateFuture", .lenient = true },
        { "SchedulerParameters",
                        "kill_invalid_depend|salloc_wait_nodes|sbatch_wait_nodes|bf_easy|bf_max_job_test|bf_max_job_part|"
                        "bf_max_job_user|bf_max_job_user_part|bf_max_job_assoc|bf_max_job_start|bf_min_prio_reserve|bf_min_age_reserve|"
                        "bf_window|bf_resolution|max_array_tasks|max_switch_wait|bf_interval|enable_user_top|default_gbytes|"
                        "jobs_per_user_per_hour|bf_continue|bf_busy_nodes|bf_licenses|nohold_on_prolog_fail|requeue_on_resume_failure|"
                        "spec_cores_first|delay_boot|disable_job_shrink|whole_hetjob|disable_hetjob_steps|disable_user_top|" /* always in effect */
                        PREEMPT_OLD_WORDS,
                        "max_script_size|max_submit_line_size",
                        "allow_zero_lic|assoc_limit_continue|assoc_limit_stop|batch_sched_delay|"
                        "bb_array_stage_cnt|bf_allow_magnetic_slot|"
                        "bf_hetjob_immediate|bf_hetjob_prio|"
                        "bf_ignore_newly_avail_nodes|bf_job_part_count_reserve|"
                        "bf_max_job_array_resv|bf_max_time|bf_node_space_size|bf_one_resv_per_job|"
                        "bf_running_job_reserve|bf_topopt_enable|bf_topopt_iterations|"
                        "bf_window_linear|bf_yield_interval|bf_yield_rpc_cnt|bf_yield_sleep|"
                        "build_queue_timeout|correspond_after_task_cnt|default_queue_depth|defer|"
                        "defer_batch|enable_hetjob_steps|enable_job_state_cache|"
                        "extra_constraints|Ignore_NUMA|"
                        "ignore_constraint_validation|ignore_prefer_validation|interval|"
                        "inventory_interval|max_depend_depth|max_job_bf|max_rpc_cnt|max_sched_time|"
                        "no_backup_scheduling|no_env_cache|"
                        "pack_serial_at_end|partition_job_depth|reduce_completing_frag|"
                        "requeue_on_resume_failure|requeue_setup_env_fail|sched_interval|"
                        "sched_max_job_start|sched_min_interval|step_retry_count|step_retry_time|"
                        "time_min_as_soft_limit|whole_pack|yield_interval|yield_sleep",
                        .lenient = true },
        { "SlurmctldParameters",
                        "allow_user_triggers|cloud_dns|cloud_reg_addrs|disable_triggers|enable_configless|enable_stepmgr|idle_on_node_suspend|max_powered_nodes|node_reg_mem_percent|"
                        "power_save_interval|power_save_min_interval|preempt_send_user_signal|reboot_from_controller",
                        "rl_enable",
                        "conmgr_connect_timeout|conmgr_max_connections|"
                        "conmgr_quiesce_timeout|conmgr_read_timeout|conmgr_threads|"
                        "conmgr_use_poll|conmgr_wait_write_delay|conmgr_write_timeout|"
                        "disable_http|enable_async_reply|enable_expedited_requeue|enable_job_state_cache|"
                        "enable_rpc_queue|ignore_constraint_validation|"
                        "max_dbd_msg_action|no_quick_restart|no_backup_scheduling|"
                        "reconfig_on_restart|rl_bucket_size|rl_log_freq|rl_refill_period|"
                        "rl_refill_rate|rl_table_size|threadpool|unauth_requests|"
                        "user_resv_delete|validate_nodeaddr_threads",
                        .lenient = true },
        { "SlurmdParameters", "config_overrides", NULL,
                        "allow_ecores|conmgr_connect_timeout|conmgr_max_connections|"
                        "conmgr_quiesce_timeout|conmgr_read_timeout|conmgr_threads|conmgr_use_poll|"
                        "conmgr_wait_write_delay|conmgr_write_timeout|contain_spank|l3cache_as_socket|numa_node_as_socket|shutdown_on_reboot",
                        .lenient = true },
        { "TaskPlugin", "task/none|none|task/affinity|affinity|task/cgroup|cgroup", NULL,
                        "task/cray_aries|cray_aries" },
        { "TaskPluginParam",
                        TASK_PARAMS_NONE
                        "|none|threads|cores|sockets|verbose|autobind|SlurmdOffSpec",
                        "OOMKillStep|SlurmdSpecOverride", "Cpusets|Sched" },
        { "TopologyPlugin", "topology/flat|topology/default|topology/none|topology/tree",
                        TOPOLOGY_MISSING, NULL },
        { "TopologyParam", "TopoOptional", "NoInAddrAny|NoCtldInAddrAny",
                        "BlockAsNodeRank|Dragonfly|RouteTree|RoutePart|SwitchAsNodeRank|"
                        "TopoMaxSizeUnroll",
                        .lenient = true },
        { "X11Parameters", "home_xauthority", NULL, "use_raw_hostname|local_only",
                        .lenient = true },
};

/* Effect of the loss of each guarding word. */
static const struct {
        const char *word, *note;
} option_notes[] = {
        { TOPOLOGY_MISSING, "jobs would be placed as if all nodes were equally near" },
        { "wckeys", "jobs would run with any wckey" },
        { "namespace/linux",
                        "jobs would see what namespace.yaml hides from them, such as the files of others in /tmp" },
        { "NoInAddrAny|NoCtldInAddrAny",
                        "the daemons would listen on all addresses of their hosts" },
        { "max_script_size|max_submit_line_size",
                        "requests would be limited by Slumber's own size alone" },
        { "OOMKillStep", "a step would go on without the task that was killed for want of memory" },
        { "SlurmdSpecOverride",
                        "jobs would be given cores and memory that the group of slumberd does not have" },
        { "KeepPartInfo",
                        "a reconfiguration would lift what scontrol has set for partitions, but with KeepPartState their State" },
        { "rl_enable", "a user's requests would not be limited in their rate" },
};

/* Notes of unknown words: refused, or ignored. */
#define NO_WORD      "Slurm has no such word"
#define WORD_UNKNOWN "no such word is known"

static const char *option_note(const struct config_words *list, const char *word) {
        if (streq(list->key, "CliFilterPlugins"))
                return "requests would be neither checked nor changed by it";
        if (streq(list->key, "JobSubmitPlugins"))
                return "requests would be neither checked nor changed by it";
        for (size_t i = 0; i < ELEMENTSOF(option_notes); i++)
                if (word_in(word, option_notes[i].word))
                        return option_notes[i].note;
        return NULL;
}

const struct config_words *config_words(size_t *ret_n) {
        *ret_n = ELEMENTSOF(option_lists);
        return option_lists;
}

static const struct config_words *find_list(const char *key) {
        for (size_t i = 0; i < ELEMENTSOF(option_lists); i++)
                if (strcasecmp(option_lists[i].key, key) == 0)
                        return &option_lists[i];
        return NULL;
}

static bool word_is_guard(const struct config_words *list, const char *word) {
        bool others = list->guards && streq(list->guards, OTHERS);

        return others ? !word_in(word, list->acts) : word_in(word, list->guards);
}

static bool word_is_known(const struct config_words *list, const char *word) {
        return word_in(word, list->acts) || word_is_guard(list, word) ||
               word_in(word, list->harmless);
}

/* Returns the edit distance of two words, ignoring case. */
static unsigned edit_distance(const char *a, const char *b) {
        unsigned row[65];
        size_t n = strlen(b);

        if (n >= ELEMENTSOF(row) || strlen(a) >= ELEMENTSOF(row))
                return UINT_MAX;
        for (size_t k = 0; k <= n; k++)
                row[k] = (unsigned)k;
        for (size_t i = 0; a[i]; i++) {
                unsigned corner = row[0];
                row[0] = (unsigned)i + 1;
                for (size_t k = 0; k < n; k++) {
                        bool same = tolower((unsigned char)a[i]) == tolower((unsigned char)b[k]);
                        unsigned changed = corner + !same;
                        corner = row[k + 1];
                        row[k + 1] = MIN(MIN(row[k], row[k + 1]) + 1, changed);
                }
        }
        return row[n];
}

/* True if word is probably a misspelling of one of words, joined by |. */
static bool is_near(const char *word, const char *words) {
        for_each_word(w, words, "|")
                if (strncasecmp(w, word, 1) == 0 && edit_distance(w, word) <= 2)
                        return true;
        return false;
}

/* True if the unknown word is ignored: the list is lenient, and the word resembles none that acts
   or guards. */
static bool is_passed_over(const struct config_words *list, const char *word) {
        return list->lenient && !word_is_known(list, word) && !is_near(word, list->acts) &&
               !is_near(word, list->guards);
}

/* Adds an entry per word: "wckeys" of AccountingStorageEnforce is
   "AccountingStorageEnforce=wckeys". */
static void guard_note_options(struct config *config, const struct config_words *list,
                const char *value, const char *file, unsigned line) {
        for_each_word(w, value, ", ") {
                _cleanup_free_ char *word = xstrndup(w, strcspn(w, "=")),
                                    *key = xasprintf("%s=%.100s", list->key, word);
                const char *set = strempty(strchr(w, '='));

                if (is_passed_over(list, word))
                        config_entry(config, file, line, key, *set ? set + 1 : "", USE_HARMLESS,
                                        WORD_UNKNOWN);
                else if (!word_in(word, list->acts))
                        config_entry(config, file, line, key, *set ? set + 1 : "",
                                        word_in(word, list->harmless) ? USE_HARMLESS : USE_GUARDS,
                                        word_is_known(list, word) ? option_note(list, word)
                                                                  : NO_WORD);
        }
}

void config_options(struct config *config) {
        size_t n = config->n_entries;

        for (size_t i = 0; i < n; i++) {
                const struct config_words *list = find_list(config->entries[i].key);
                _cleanup_free_ char *value = list ? xstrdup(config->entries[i].value) : NULL;
                const char *file = config->entries[i].file;

                if (list && !word_in(value, "(null)"))
                        guard_note_options(config, list, value, file, config->entries[i].line);
        }
}

/* ---- what is accepted ---- */

static const struct config_key *find_anywhere(const char *name) {
        const struct config_key *key = config_find_key(name);

        key = key ? key : config_record_key(name);
        return key ? key : config_cgroup_key(name);
}

/* "KEY=WORD": true if the word acts or is harmless (acts), or if it guards or is unknown (not
   acts). */
static bool is_option_word(const char *name, bool acts) {
        size_t n = strcspn(name, "=");
        _cleanup_free_ char *key = xstrndup(name, n);
        const struct config_words *list = name[n] ? find_list(key) : NULL;

        return list &&
               acts == (word_in(name + n + 1, list->acts) || word_in(name + n + 1, list->harmless));
}

static bool is_guard(const char *name) {
        const struct config_key *key = find_anywhere(name);

        return (key && key->use == USE_GUARDS) || is_option_word(name, false);
}

/* Checks accept_missing: an unknown name is an error; a name of a key that acts by now is a
   warning, as is resources.yaml. */
static int check_accepted(struct config *config, struct fail *fail) {
        _cleanup_free_ char *dir = config_folder(config->path),
                            *file = xasprintf("%s/slumber.yaml", dir);

        for_each_word(w, config->site.accept_missing.text, ",") {
                if (is_guard(w))
                        continue;
                if (!find_anywhere(w) && !is_option_word(w, true) && !streq(w, "resources.yaml"))
                        return site_text_fail(config, &config->site.accept_missing,
                                        "accept_missing",
                                        fail_set(fail, -EINVAL,
                                                        "\"%.100s\" is not a key that guards", w),
                                        fail);
                config_warn(config, file, (unsigned)config->site.accept_missing.line,
                                "accept_missing: %s is not missing", w);
        }
        return 0;
}

/* Compares whole words only: option_has() would also match a word before "=". */
static bool accept_list_has(const char *list, const char *key) {
        for_each_word(w, list, ",")
                if (strcasecmp(w, key) == 0)
                        return true;
        return false;
}

bool config_accepts_missing(const struct config *config, const char *key) {
        return accept_list_has(config->site.accept_missing.text, key);
}

static void words_join(char **text, const char *words) {
        for_each_word(w, words, "|") {
                text_add_word(text, ", ", "%s", w);
        }
}

/* Lists the acting and guarding words first: the sentence may be cut. */
static void say_words(const struct config_entry *e, struct fail *fail) {
        size_t n = strcspn(e->key, "=");
        _cleanup_free_ char *key = xstrndup(e->key, n), *words = NULL;
        const struct config_words *list = find_list(key);

        words_join(&words, list->acts);
        words_join(&words, list->guards);
        words_join(&words, list->harmless);
        fail_set(fail, -EINVAL, "%s: \"%s\" is none of %s", key, e->key + n + 1, words);
}

/* Returns a fault for a guard that is not accepted. */
static int guard_check(struct config *config, struct config_entry *e, struct fail *fail) {
        if (e->use != USE_GUARDS)
                return 0;
        e->accepted = config_accepts_missing(config, e->key);
        if (e->accepted || config->elsewhere) {
                config_warn(config, e->file, e->line, "%s is not implemented%s: %s", e->key,
                                e->accepted ? ", as accept_missing accepts" : "", e->note);
                return 0;
        }
        if (streq(e->note, NO_WORD))
                say_words(e, fail);
        else
                fail_set(fail, -EOPNOTSUPP,
                                "%s is not implemented: %s (accept_missing of slumber.yaml goes on without it)",
                                e->key, e->note);
        return e->line ? fail_prefix(fail, -EOPNOTSUPP, "%s line %u", e->file, e->line)
                       : fail_prefix(fail, -EOPNOTSUPP, "%s", e->file);
}

int config_guards(struct config *config, struct fail *fail) {
        int failed = check_accepted(config, fail);

        if (failed < 0 && !fail_keep(fail))
                return failed;
        for (size_t i = 0; i < config->n_entries; i++) {
                int r = guard_check(config, &config->entries[i], fail);
                if (r < 0 && !fail_keep(fail))
                        return r;
                failed = failed ? failed : r;
        }
        return failed;
}
