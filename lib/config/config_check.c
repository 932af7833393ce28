/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks between keys after all files are read, and settings derived from several keys. Each
 * failure is one sentence naming the keys. program_check() looks at the file system: callers use it
 * before starting programs, not while reading. */
#include "lib/bitset.h"
#include "lib/config/config_private.h"
#include "lib/config/debugflags.h"
#include "lib/hostlist.h"
#include "lib/mailtype.h"
#include "lib/rlimits.h"
#include "lib/timetext.h"
#include "lib/wordlist.h"

#include <sys/stat.h>

int program_check(const char *path, struct fail *fail) {
        struct stat st;

        assert(path);

        if (*path != '/')
                return fail_set(fail, -EINVAL, "%.200s is not an absolute path", path);
        if (stat(path, &st) < 0) {
                int r = -errno;
                return fail_set(fail, r, "%.200s: %s", path, strerror(-r));
        }
        if (!S_ISREG(st.st_mode))
                return fail_set(fail, -EACCES, "%.200s is not a program", path);
        if (access(path, X_OK) < 0)
                return fail_set(fail, -EACCES, "%.200s is not executable", path);
        if (st.st_mode & 022)
                return fail_set(fail, -EPERM, "%.200s may be written by its group or others", path);
        return 0;
}

/* select/linear allocates whole nodes: units and the order of filling nodes have no meaning. */
static int check_select_linear(struct config *config, struct fail *fail) {
        const unsigned unit = CR_CPU | CR_CORE | CR_SOCKET,
                       extra = config->select_params & ~(unsigned)CR_MEMORY & ~CR_PACK_NODES;

        if (config->select_params & unit)
                return fail_set(fail, -EINVAL,
                                "SelectTypeParameters: select/linear takes neither CR_CPU nor CR_Core nor CR_Socket");
        if (extra) {
                _cleanup_free_ char *text = select_params_text(extra);
                config_warn(config, config->path, 0,
                                "SelectTypeParameters: %s has no effect with select/linear", text);
        }
        config->select_params &= ~extra;
        return 0;
}

static int check_select(struct config *config, struct fail *fail) {
        unsigned params = config->select_params;

        if (params & CR_OTHER)
                config_warn(config, config->path, 0,
                                "SelectTypeParameters: OTHER_CONS_TRES counts for select/cray_aries alone");
        config->select_params = params &= ~(unsigned)CR_OTHER;
        if (config->select_type == SELECT_LINEAR)
                return check_select_linear(config, fail);
        if (params == 0)
                config->select_params = CR_CORE | CR_MEMORY;
        else if (!(params & ~(unsigned)CR_MEMORY & (CR_CPU | CR_CORE | CR_SOCKET))) {
                _cleanup_free_ char *text = select_params_text(params);
                return fail_set(fail, -EINVAL,
                                "SelectTypeParameters: %s goes with one of CR_CPU, "
                                "CR_Core and CR_Socket",
                                text);
        }
        return 0;
}

/* Checks a partition's own SelectTypeParameters by Slurm's rules. */
static int check_partition_select(struct config *config, struct fail *fail) {
        const unsigned unit = CR_CORE | CR_SOCKET;

        for (size_t i = 0; i < config->n_partitions; i++) {
                struct config_partition *p = &config->partitions[i];
                if (!p->select_params)
                        continue;
                if (p->select_params & ~(unit | CR_MEMORY) || !(p->select_params & unit))
                        return fail_set(fail, -EINVAL,
                                        "PartitionName=%s: SelectTypeParameters may be CR_Core, CR_Core_Memory, CR_Socket or "
                                        "CR_Socket_Memory",
                                        p->name);
                if (config->select_params & unit)
                        continue;
                config_warn(config, config->path, 0,
                                "PartitionName=%s: SelectTypeParameters is ignored, as the cluster's is neither CR_Core nor CR_Socket",
                                p->name);
                p->select_params = 0;
        }
        return 0;
}

static int check_cluster_name(struct config *config, struct fail *fail) {
        if (!config->cluster_name)
                return fail_set(fail, -EINVAL, "ClusterName is missing");
        if (config->cluster_name[strspn(config->cluster_name,
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")])
                return fail_set(fail, -EINVAL,
                                "ClusterName: \"%.100s\" may have letters, digits, \"_\", \"-\" "
                                "and \".\" only",
                                config->cluster_name);
        return 0;
}

/* Uses ControlMachine and ControlAddr of older files as SlurmctldHost. */
static int check_host(struct config *config, struct fail *fail) {
        const char *machine = config->control_machine, *address = config->control_addr;

        if (config->controller_host && machine)
                config_warn(config, config->path, 0,
                                "ControlMachine is ignored beside SlurmctldHost");
        if (config->controller_host)
                return 0;
        if (!machine)
                return fail_set(fail, -EINVAL, "SlurmctldHost is missing");
        _cleanup_free_ char *host = xasprintf("%s%s%s%s", machine, address ? "(" : "",
                        strempty(address), address ? ")" : "");
        int r = config_set(config, "SlurmctldHost", host, fail);
        return r < 0 ? fail_prefix(fail, r, "ControlMachine") : 0;
}

/* Handles values of older versions. */
static void check_old(struct config *config) {
        const struct config_entry *select = config_entry_find(config, "SelectType");

        if (select && word_in(select->value, "select/cons_res"))
                config_warn(config, select->file, select->line,
                                "SelectType: select/cons_res is select/cons_tres now");
        if (streq(config->fast_schedule, "0"))
                config_warn(config, config->path, 0,
                                "FastSchedule=0 is not used by Slumber: jobs are placed by what a node's line says");
        if (config->slurmctld_last_port > config->slurmctld_port)
                config_warn(config, config->path, 0, "SlurmctldPort: of the range port %u is used",
                                (unsigned)config->slurmctld_port);
}

static int check_any_partition(struct config *config, struct fail *fail) {
        if (config->n_partitions == 0 && !config->partitions_wrong)
                return fail_set(fail, -EINVAL, "PartitionName is missing: no partition is defined");
        return 0;
}

static int check_job_ids(struct config *config, struct fail *fail) {
        if (config->first_job_id > config->max_job_id)
                return fail_set(fail, -EINVAL, "FirstJobId is more than MaxJobId");
        return 0;
}

/* Puts file and line before a fault and keeps it; true if all faults are wanted. */
static bool config_fault_keep(const struct config *config, int r, struct fail *fail) {
        /* faults of slumber.yaml already have a place */
        if (fail && *fail->text && *fail->text != '/') {
                _cleanup_free_ char *place = config_place(config, fail->text);
                fail_prefix(fail, r, "%s", place);
        }
        return fail_keep(fail);
}

static int read_health_states(struct config *config, struct fail *fail) {
        static const struct flag_word words[] = {
                { "ANY", HEALTH_IDLE | HEALTH_BUSY },
                { "IDLE", HEALTH_IDLE },
                { "CYCLE", HEALTH_CYCLE },
                { "START_ONLY", HEALTH_START },
                { "REBOOT_ONLY", HEALTH_START | HEALTH_REBOOT },
                { "ALLOC", HEALTH_ALLOC },
                { "MIXED", HEALTH_MIXED },
                { "NONDRAINED_IDLE", HEALTH_NONDRAINED_IDLE },
        };
        const unsigned both = HEALTH_ALLOC | HEALTH_MIXED;
        size_t n = 0;

        int r = flags_parse(config->health.states_text, ", ", words, ELEMENTSOF(words),
                        &config->health.states, fail);
        if (r < 0)
                return fail_prefix(fail, r, "HealthCheckNodeState");
        for_each_word(w, config->health.states_text, ", ")
                n++;
        if (n > 1 && config->health.states & HEALTH_START)
                return fail_set(fail, -EINVAL,
                                "HealthCheckNodeState: START_ONLY and REBOOT_ONLY stand alone");
        if ((config->health.states & both) == both)
                config->health.states |= HEALTH_BUSY;
        if (!(config->health.states & ~(unsigned)(HEALTH_CYCLE | HEALTH_START | HEALTH_REBOOT)))
                config->health.states |= HEALTH_IDLE | HEALTH_BUSY;
        return 0;
}

static int check_paths(struct config *config, struct fail *fail) {
        const struct {
                const char *key, *path;
        } paths[] = {
                { "SlurmctldLogFile", config->slurmctld_log },
                { "SlurmdLogFile", config->slurmd_log },
                { "SlurmctldPidFile", config->slurmctld_pid_file },
                { "SlurmdPidFile", config->slurmd_pid_file },
                { "TmpFS", config->tmp_fs },
                { "TaskProlog", config->task_prolog },
                { "TaskEpilog", config->task_epilog },
                { "SrunProlog", config->srun_prolog },
                { "SrunEpilog", config->srun_epilog },
                { "HealthCheckProgram", config->health.program },
                { "UnkillableStepProgram", config->unkillable_program },
                { "PlugStackConfig", config->plugstack },
                { "StateSaveLocation", config->state_save_location },
                { "SlurmdSpoolDir", config->slurmd_spool_dir },
        };

        int failed = 0;

        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                if (isempty(paths[i].path) || paths[i].path[0] == '/')
                        continue;
                failed = fail_set(fail, -EINVAL, "%s: \"%.200s\" is not an absolute path",
                                paths[i].key, paths[i].path);
                if (!config_fault_keep(config, failed, fail))
                        return failed;
        }
        return failed;
}

static bool config_has_node_or_set(const struct config *config, const char *name) {
        for (size_t i = 0; i < config->n_nodesets; i++)
                if (streq(config->nodesets[i].name, name))
                        return true;
        return config_has_node(config, name);
}

/* Checks SuspendExcNodes. An unreadable list is refused, since no node would be kept awake; unknown
   names are warnings. */
static int check_excluded_nodes(struct config *config, struct fail *fail) {
        const char *text = config->suspend_exc_nodes;
        _cleanup_(hostlist_freep) struct hostlist *names = NULL;

        if (isempty(text) || strchr(text, ':')) /* lists with counts: controller/model/exclude.c */
                return 0;
        int r = hostlist_parse(text, &names, fail);
        if (r < 0)
                return fail_prefix(fail, r, "SuspendExcNodes");
        size_t known = 0;
        for (size_t i = 0; i < config->n_nodes; i++)
                known += hostlist_has(names, config->nodes[i].name);
        for (size_t i = 0; known < hostlist_count(names) && i < hostlist_count(names); i++)
                if (!config_has_node_or_set(config, hostlist_get(names, i))) {
                        config_warn(config, config->path, 0,
                                        "SuspendExcNodes: there is no node \"%s\"",
                                        hostlist_get(names, i));
                        break;
                }
        return 0;
}

static void check_excluded_states(struct config *config) {
        for_each_word(w, config->suspend_exc_states, ",")
                if (word_in(w, "PERFCTRS"))
                        config_warn(config, config->path, 0,
                                        "SuspendExcStates: no node of Slumber's is ever %s", w);
                else if (!word_in(w, "CLOUD|DOWN|DRAIN|DYNAMIC_FUTURE|DYNAMIC_NORM|FAIL|INVALID_REG|MAINTENANCE|NOT_RESPONDING|PLANNED|RESERVED"))
                        config_warn(config, config->path, 0,
                                        "SuspendExcStates: \"%s\" is not a state of a node", w);
}

/* Drops per-CPU values beside per-node values, as Slurm. */
static void check_memory_keys(struct config *config) {
        if (config->def_mem_per_node && config->def_mem_per_cpu)
                config_warn(config, config->path, 0,
                                "DefMemPerCPU is ignored beside DefMemPerNode");
        if (config->max_mem_per_node && config->max_mem_per_cpu)
                config_warn(config, config->path, 0,
                                "MaxMemPerCPU is ignored beside MaxMemPerNode");
        config->def_mem_per_cpu = config->def_mem_per_node ? 0 : config->def_mem_per_cpu;
        config->max_mem_per_cpu = config->max_mem_per_node ? 0 : config->max_mem_per_cpu;
}

/* Returns how many of n's sockets have a core kept for the system. */
static uint32_t kept_sockets(const struct config_node *n, uint32_t sockets) {
        _cleanup_(bitset_freep) struct bitset *cpus = bitset_new(n->cpus),
                                              *kept = bitset_new(sockets);

        if (isempty(n->cpu_spec))
                return MIN(n->core_spec, sockets);
        if (bitset_parse(cpus, n->cpu_spec) < 0)
                return 0; /* already refused */
        bitset_for_each(i, cpus)
                bitset_add(kept, i / DIV_ROUND_UP(n->cpus, sockets));
        return (uint32_t)bitset_count(kept);
}

static void warn_of_nodes(struct config *config, const struct hostlist *nodes, const char *what) {
        if (hostlist_count(nodes) == 0)
                return;
        _cleanup_free_ char *text = hostlist_text(nodes);
        config_warn(config, config->path, 0, "Nodes %s: %s", text, what);
}

/* Warns of nodes on which all sockets have cores kept for the system. */
static void check_kept_cores(struct config *config) {
        _cleanup_(hostlist_freep) struct hostlist *full = hostlist_new();

        for (size_t i = 0; i < config->n_nodes; i++) {
                const struct config_node *n = &config->nodes[i];
                uint32_t sockets = MAX(1u, n->boards * n->sockets);
                if (config->select_params & CR_SOCKET && kept_sockets(n, sockets) == sockets)
                        hostlist_push(full, n->name);
        }
        warn_of_nodes(config, full,
                        "each socket has a core that is kept for the system, and with CR_Socket "
                        "no job gets it");
}

/* Warns of unknown partitions in SuspendExcParts, as Slurm. */
static void check_excluded(struct config *config) {
        for_each_word(w, config->suspend_exc_parts, ",")
                if (!config_has_partition(config, w))
                        config_warn(config, config->path, 0,
                                        "SuspendExcParts: there is no partition \"%s\"", w);
}

/* Reads the numbers of power saving in SlurmctldParameters (power saving guide), with their
   defaults. */
static int check_power_save(struct config *config, struct fail *fail) {
        const char *options = config->slurmctld_parameters;
        const struct {
                const char *name;
                uint32_t max, missing, *ret;
        } numbers[] = {
                { "power_save_interval", UINT16_MAX, 10, &config->power_save_interval },
                { "power_save_min_interval", UINT16_MAX, 0, &config->power_save_min_interval },
                { "max_powered_nodes", UINT32_MAX - 1, UINT32_MAX, &config->max_powered_nodes },
        };

        int r = option_percent(options, "node_reg_mem_percent", 0, &config->node_reg_mem_percent,
                        fail);

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(numbers); i++)
                r = option_uint(options, numbers[i].name, numbers[i].max, numbers[i].missing,
                                numbers[i].ret, fail);
        return r < 0 ? fail_prefix(fail, r, "SlurmctldParameters") : 0;
}

/* Reads exit codes from 1 to 255, "1-3,7"; *ret stays NULL if the key is unset. */
static int parse_exit_codes(const char *key, const char *text, struct bitset **ret,
                struct fail *fail) {
        _cleanup_(bitset_freep) struct bitset *codes = isempty(text) ? NULL : bitset_new(256);

        if (codes && (bitset_parse(codes, text) < 0 || bitset_has(codes, 0)))
                return fail_set(fail, -EINVAL,
                                "%s: \"%.100s\" is no list of exit codes from 1 to 255 (1-3,7)",
                                key, text);
        *ret = TAKE(codes);
        return 0;
}

static int check_requeue_exit(struct config *config, struct fail *fail) {
        int r = parse_exit_codes("RequeueExit", config->requeue_exit_text, &config->requeue_exit,
                        fail);

        return r < 0 ? r
                     : parse_exit_codes("RequeueExitHold", config->requeue_exit_hold_text,
                                       &config->requeue_exit_hold, fail);
}

static int check_debug(struct config *config, struct fail *fail) {
        _cleanup_free_ char *unused = NULL;
        int r = isempty(config->debug_flags) ? 0
                                             : debug_flags_parse(config->debug_flags,
                                                               &config->debug, &unused, fail);

        if (r < 0)
                return fail_prefix(fail, r, "DebugFlags");
        if (unused)
                config_warn(config, config->path, 0, "DebugFlags: %s is not used by Slumber",
                                unused);
        return 0;
}

/* Sets the bits of each word and of implied words. */
static int parse_enforce(struct config *config, struct fail *fail) {
        static const struct flag_word words[] = {
                { "none", 0 },
                { "no", 0 },
                { "0", 0 },
                { "associations", ENFORCE_ASSOCIATIONS },
                { "1", ENFORCE_ASSOCIATIONS },
                { "yes", ENFORCE_ASSOCIATIONS },
                { "limits", ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS },
                { "2", ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS },
                { "qos", ENFORCE_ASSOCIATIONS | ENFORCE_QOS },
                { "safe", ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS | ENFORCE_SAFE },
                { "all", ENFORCE_ASSOCIATIONS | ENFORCE_LIMITS | ENFORCE_QOS | ENFORCE_SAFE },
                { "nojobs", 0 },
                { "nosteps", ENFORCE_NO_STEPS },
                { "wckeys", ENFORCE_ASSOCIATIONS },
        };

        for_each_word(w, config->enforce_accounts, ", ") {
                size_t i = 0;
                while (i < ELEMENTSOF(words) && strcasecmp(words[i].word, w) != 0)
                        i++;
                if (i < ELEMENTSOF(words)) /* config_guards() refuses unknown words */
                        config->enforce |= words[i].bits;
        }
        return 0;
}

/* Comments and extra texts are always stored, with or without their flags. */
static int check_store_flags(struct config *config, struct fail *fail) {
        static const struct flag_word words[] = {
                { "job_comment", 0 },
                { "job_env", KEEP_ENVIRONMENT },
                { "job_extra", 0 },
                { "job_script", KEEP_SCRIPT },
                { "no_stdio", KEEP_NO_FILES },
        };

        config->store_flags = 0;
        int r = flags_parse(config->store_flags_text, ", ", words, ELEMENTSOF(words),
                        &config->store_flags, fail);
        return r < 0 ? fail_prefix(fail, r, "AccountingStoreFlags") : 0;
}

/* Checks AccountingStorageTRES. Besides the built-in TRES only gres and licenses are counted;
   Slurm's other kinds are accepted, but not measured. */
static int check_tracked(struct config *config, struct fail *fail) {
        static const char always[] = "cpu,mem,energy,node,billing,fs/disk,vmem,pages";
        static const char *const counted[] = { "gres/", "license/" }, *const known[] = {
                "fs/",
                "bb/",
                "ic/",
                "usage/",
        };
        _cleanup_free_ char *all = xstrdup(always);
        size_t n = 0;

        for_each_word(w, config->tracked, ",") {
                bool counts = false, found = false;
                for (size_t i = 0; i < ELEMENTSOF(counted); i++)
                        counts |= strncasecmp(w, counted[i], strlen(counted[i])) == 0 &&
                                  w[strlen(counted[i])];
                for (size_t i = 0; i < ELEMENTSOF(known); i++)
                        found |= strncasecmp(w, known[i], strlen(known[i])) == 0;
                if (option_has(all, w))
                        continue;
                if (!counts && !found)
                        return fail_set(fail, -EINVAL,
                                        "AccountingStorageTRES: \"%.100s\" is neither gres/NAME[:TYPE] nor license/NAME",
                                        w);
                n += counts;
                text_add_word(&all, ",", "%s", w);
        }
        if (n > CONFIG_TRES_MAX)
                return fail_set(fail, -E2BIG,
                                "AccountingStorageTRES: %zu generic resources and licenses, more than %d",
                                n, CONFIG_TRES_MAX);
        free_and_strdup(&config->tracked, all);
        return 0;
}

/* Checks AccountingStorageType. The controller keeps the accounts itself unless the type is
   none. */
static int check_accounting(struct config *config, struct fail *fail) {
        const char *type = config->accounting_storage_type;

        int r = parse_enforce(config, fail);
        if (r < 0)
                return r;
        config->accounting_off = !isempty(type) && word_in(type, "accounting_storage/none|none");
        if (config->accounting_off && config->enforce & ~(unsigned)ENFORCE_NO_STEPS)
                return fail_set(fail, -EINVAL,
                                "AccountingStorageEnforce wants accounts, and AccountingStorageType is %s",
                                type);
        if (isempty(type) || config->accounting_off ||
                        word_in(type, "accounting_storage/slurmdbd|slurmdbd"))
                return 0;
        if (word_in(type, "accounting_storage/filetxt|filetxt|accounting_storage/mysql|mysql|accounting_storage/pgsql|pgsql")) {
                config_warn(config, config->path, 0,
                                "AccountingStorageType: %s is not used by Slumber: the controller keeps the accounts itself",
                                type);
                return 0;
        }
        return fail_set(fail, -EINVAL,
                        "AccountingStorageType: \"%.100s\" is neither accounting_storage/slurmdbd nor accounting_storage/none",
                        type);
}

/* Reads PropagateResourceLimits or PropagateResourceLimitsExcept, which exclude each other. */
static int check_propagate(struct config *config, struct fail *fail) {
        const char *except = config->propagate_except_text;
        uint32_t list = RLIMITS_ALL;
        int r = rlimits_parse(config->propagate_text, &list, fail);

        if (r < 0)
                return fail_prefix(fail, r, "PropagateResourceLimits");
        config->no_rlimits = ~list;
        if (isempty(except))
                return 0;
        if (list != RLIMITS_ALL)
                return fail_set(fail, -EINVAL,
                                "PropagateResourceLimitsExcept does not go with PropagateResourceLimits");
        r = rlimits_parse(except, &config->no_rlimits, fail);
        free(TAKE(config->propagate_text)); /* shown as Slurm does */
        return r < 0 ? fail_prefix(fail, r, "PropagateResourceLimitsExcept") : 0;
}

/* Reads Slurm's limits of backfill; without a limit the whole queue is planned without end. */
static int check_scheduler(struct config *config, struct fail *fail) {
        const char *options = config->scheduler_parameters;
        uint32_t window, resolution, interval, age, switch_wait, delay;
        const struct {
                const char *name;
                uint32_t max, missing, *ret;
        } numbers[] = {
                { "bf_max_job_test", 1000000, 0, &config->bf.max_job_test },
                { "bf_max_job_part", 1000000, 0, &config->bf.max_job_part },
                { "bf_max_job_user", 1000000, 0, &config->bf.max_job_user },
                { "bf_max_job_user_part", 1000000, 0, &config->bf.max_job_user_part },
                { "bf_max_job_assoc", 1000000, 0, &config->bf.max_job_assoc },
                { "bf_max_job_start", 10000, 0, &config->bf.max_job_start },
                { "bf_min_prio_reserve", UINT32_MAX - 1, 0, &config->bf.min_prio_reserve },
                { "bf_min_age_reserve", 2592000, 0, &age },
                { "bf_window", 43200, 0, &window },
                { "bf_resolution", 3600, 0, &resolution },
                { "bf_interval", 10800, 30, &interval },
                { "delay_boot", 525600, 0, &delay },
                { "max_array_tasks", 4000001, 0, &config->max_array_tasks },
        };
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(numbers); i++)
                r = option_uint(options, numbers[i].name, numbers[i].max, numbers[i].missing,
                                numbers[i].ret, fail);
        if (r >= 0)
                r = option_seconds(options, "max_switch_wait", INT32_MAX, 300, &switch_wait, fail);
        if (r < 0)
                return fail_prefix(fail, r, "SchedulerParameters");
        config->bf.on = !streq(config->scheduler_type, "sched/builtin");
        config->bf.easy = option_has(options, "bf_easy");
        config->user_top = option_has(options, "enable_user_top");
        config->spec_cores_first = option_has(options, "spec_cores_first");
        config->default_gbytes = option_has(options, "default_gbytes");
        config->bf.window = window * 60 * USEC_PER_SEC;
        config->bf.resolution = resolution * USEC_PER_SEC;
        config->bf.interval = interval * USEC_PER_SEC;
        config->delay_boot = delay * 60 * USEC_PER_SEC;
        config->max_switch_wait = switch_wait * USEC_PER_SEC;
        config->topology_optional = option_has(config->topology_param, "TopoOptional");
        config->bf.min_age_reserve = age * USEC_PER_SEC;
        return 0;
}

/* Returns the name as AccountingStorageTRES has it; NULL: not listed. */
static char *tracked_as(const char *tracked, const char *name) {
        for (const char *p = tracked; *p; p += strspn(p, ",")) {
                size_t n = strcspn(p, ",");
                if (n == strlen(name) && strncasecmp(p, name, n) == 0)
                        return xstrndup(p, n);
                p += n;
        }
        return NULL;
}

/* Sets the weight of a gres or license of AccountingStorageTRES; the last weight of a name is
   used. */
static int take_named_weight(struct config *config, const char *name, uint32_t weight,
                struct fail *fail) {
        struct config_priority *p = &config->priority;
        bool named = strncasecmp(name, "gres/", 5) == 0 || strncasecmp(name, "license/", 8) == 0;
        size_t i = 0;

        _cleanup_free_ char *tracked = tracked_as(config->tracked, name);
        if (named && !tracked)
                return fail_set(fail, -EINVAL,
                                "PriorityWeightTRES: %.100s is not in AccountingStorageTRES", name);
        if (!named)
                return fail_set(fail, -EOPNOTSUPP,
                                "PriorityWeightTRES: \"%.100s\" is none of cpu, mem, node, gres/NAME and license/NAME",
                                name);
        while (i < p->n_tres && strcasecmp(p->tres[i], name) != 0)
                i++;
        if (i == p->n_tres)
                p->tres[p->n_tres++] = TAKE(tracked);
        p->weight[PRIORITY_NAMED + i] = weight;
        return 0;
}

/* "CPU=1000,Mem=2000,GRES/gpu=3000" */
static int check_priority_tres(struct config *config, struct fail *fail) {
        static const struct {
                const char *name;
                enum priority_factor factor;
        } known[] = {
                { "cpu", PRIORITY_CPUS },
                { "mem", PRIORITY_MEMORY },
                { "node", PRIORITY_NODES },
        };

        for_each_word(w, config->priority.tres_text, ",") {
                char *equals = strchr(w, '=');
                uint64_t weight;
                size_t i = 0;
                int r = 0;

                if (!equals || uint_parse(equals + 1, 0, UINT32_MAX - 1, &weight) < 0)
                        return fail_set(fail, -EINVAL,
                                        "PriorityWeightTRES: NAME=WEIGHT was expected at \"%.100s\"",
                                        w);
                *equals = 0;
                while (i < ELEMENTSOF(known) && strcasecmp(known[i].name, w) != 0)
                        i++;
                if (i < ELEMENTSOF(known))
                        config->priority.weight[known[i].factor] = (uint32_t)weight;
                else
                        r = take_named_weight(config, w, (uint32_t)weight, fail);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int check_priority(struct config *config, struct fail *fail) {
        static const struct flag_word known[] = {
                { "ACCRUE_ALWAYS", PRIORITY_ACCRUE_ALWAYS },
                { "CALCULATE_RUNNING", PRIORITY_CALCULATE_RUNNING },
                { "DEPTH_OBLIVIOUS", PRIORITY_NO_FAIR_TREE | PRIORITY_DEPTH_OBLIVIOUS },
                { "FAIR_TREE", 0 }, /* the default, unless NO_FAIR_TREE */
                { "INCR_ONLY", PRIORITY_INCR_ONLY },
                { "MAX_TRES", PRIORITY_MAX_TRES },
                { "MAX_TRES_GRES", PRIORITY_MAX_TRES_GRES },
                { "SMALL_RELATIVE_TO_TIME", PRIORITY_SMALL_RELATIVE_TO_TIME },
                { "NO_FAIR_TREE", PRIORITY_NO_FAIR_TREE },
                { "NO_NORMAL_ALL", PRIORITY_NO_NORMAL_ASSOC | PRIORITY_NO_NORMAL_PART |
                                                   PRIORITY_NO_NORMAL_QOS |
                                                   PRIORITY_NO_NORMAL_TRES },
                { "NO_NORMAL_ASSOC", PRIORITY_NO_NORMAL_ASSOC },
                { "NO_NORMAL_PART", PRIORITY_NO_NORMAL_PART },
                { "NO_NORMAL_QOS", PRIORITY_NO_NORMAL_QOS },
                { "NO_NORMAL_TRES", PRIORITY_NO_NORMAL_TRES },
        };
        struct config_priority *p = &config->priority;

        p->multifactor = streq(p->type, "priority/multifactor");
        int r = flags_parse(p->flags_text, ",", known, ELEMENTSOF(known), &p->flags, fail);
        if (r < 0)
                return fail_prefix(fail, r, "PriorityFlags");
        if (p->calc_period == 0)
                return fail_set(fail, -ERANGE,
                                "PriorityCalcPeriod is 0: a minute or more was expected");
        return check_priority_tres(config, fail);
}

/* Sets the flags of each word and of implied words, as in Slurm. */
void config_derive_prolog_flags(struct config *config) {
        static const struct {
                const char *word;
                unsigned flags;
        } words[] = {
                { "Alloc", PROLOG_ALLOC },
                { "DeferBatch", PROLOG_ALLOC | PROLOG_DEFER },
                { "NoHold", PROLOG_ALLOC | PROLOG_NOHOLD },
                { "Serial", PROLOG_SERIAL },
                { "ForceRequeueOnFail", PROLOG_ALLOC | PROLOG_FORCE },
                { "Contain", PROLOG_ALLOC | PROLOG_CONTAIN },
                { "RunInJob", PROLOG_ALLOC | PROLOG_CONTAIN | PROLOG_IN_JOB },
                { "X11", PROLOG_ALLOC | PROLOG_CONTAIN | PROLOG_X11 },
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (option_has(config->prolog_flags_text, words[i].word))
                        config->prolog_flags |= words[i].flags;
        if (!config_has_prolog(config) && !(config->prolog_flags & PROLOG_CONTAIN))
                config->prolog_flags &= ~(unsigned)PROLOG_ALLOC; /* no prolog to wait for */
}

/* Refuses NoHold with Contain: skipping the wait for prologs would skip the wait for extern
   steps. */
static int check_prolog_flags(struct config *config, struct fail *fail) {
        unsigned both = PROLOG_CONTAIN | PROLOG_NOHOLD;

        if ((config->prolog_flags & both) != both)
                return 0;
        return fail_set(fail, -EINVAL,
                        "PrologFlags=%.100s: NoHold cannot be combined with Contain, RunInJob and X11",
                        config->prolog_flags_text);
}

static void config_derive(struct config *config) {
        config_derive_prolog_flags(config);
        config->nohold_on_prolog_fail = option_has(config->scheduler_parameters,
                        "nohold_on_prolog_fail");
        config->x11_home = option_has(config->x11_parameters, "home_xauthority");
        config->use_interactive_step = option_has(config->launch_parameters,
                        "use_interactive_step");
        config->batch_sets_cpu_freq = option_has(config->launch_parameters,
                        "batch_step_set_cpu_freq");
        config->config_overrides = option_has(config->slurmd_parameters, "config_overrides") ||
                                   streq(config->fast_schedule, "2");
        config->requeue_on_resume_failure = option_has(config->scheduler_parameters,
                        "requeue_on_resume_failure");
        config->sbatch_wait_nodes = option_has(config->scheduler_parameters, "sbatch_wait_nodes");
        config->whole_hetjob = option_has(config->scheduler_parameters, "whole_hetjob");
        config->no_hetjob_steps = option_has(config->scheduler_parameters, "disable_hetjob_steps");
        config->no_job_shrink = option_has(config->scheduler_parameters, "disable_job_shrink");
        config->salloc_wait_nodes = option_has(config->scheduler_parameters, "salloc_wait_nodes");
        config->kill_invalid_depend = option_has(config->dependency_parameters,
                                                      "kill_invalid_depend") ||
                                      /* place before 21.08 */
                                      option_has(config->scheduler_parameters,
                                                      "kill_invalid_depend");
        config->idle_on_node_suspend = option_has(config->slurmctld_parameters,
                        "idle_on_node_suspend");
        config->keep_power_save_settings = option_has(config->reconfig_flags,
                        "KeepPowerSaveSettings");
        config->keep_partition_state = option_has(config->reconfig_flags, "KeepPartState");
        config->reboot_from_controller = option_has(config->slurmctld_parameters,
                        "reboot_from_controller");
        config->allow_user_triggers = option_has(config->slurmctld_parameters,
                        "allow_user_triggers");
        config->disable_triggers = option_has(config->slurmctld_parameters, "disable_triggers");
        config->enable_stepmgr = option_has(config->slurmctld_parameters, "enable_stepmgr");
        config->cloud_dns = option_has(config->slurmctld_parameters, "cloud_dns");
        config->cloud_reg_addrs = option_has(config->slurmctld_parameters, "cloud_reg_addrs");
        config->enforce_part_limits = !word_in(config->enforce_text, "NO");
}

static int check_mail_domain(struct config *config, struct fail *fail) {
        if (isempty(config->mail_domain) || mail_is_domain(config->mail_domain))
                return 0;
        return fail_set(fail, -EINVAL,
                        "MailDomain: \"%.100s\" is no domain: letters, digits and . _ + - = were "
                        "expected",
                        config->mail_domain);
}

int config_check(struct config *config, struct fail *fail) {
        static int (*const checks[])(struct config * config, struct fail * fail) = {
                check_cluster_name,
                check_host,
                check_any_partition,
                check_job_ids,
                check_select,
                check_partition_select,
                config_access,
                config_submit,
                config_preempt,
                config_gather,
                config_task,
                config_cpu_freq,
                config_mpi,
                check_prolog_flags,
                check_paths,
                config_actions_check,
                read_health_states,
                check_excluded_nodes,
                check_power_save,
                check_accounting,
                check_tracked,
                check_store_flags,
                check_debug,
                check_requeue_exit,
                check_propagate,
                check_mail_domain,
                config_watts,
                config_reclaim,
                config_clusters,
                check_scheduler,
                check_priority,
                config_check_gres,
        };

        int failed = 0;

        config_derive(config);
        for (size_t i = 0; i < ELEMENTSOF(checks); i++) {
                int r = checks[i](config, fail);
                if (r < 0 && !config_fault_keep(config, r, fail))
                        return r;
                failed = failed ? failed : MIN(r, 0);
        }
        check_old(config);
        check_excluded(config);
        check_excluded_states(config);
        config_options(config);
        check_memory_keys(config);
        check_kept_cores(config);
        return failed;
}

/* ---- changes of a single key ---- */

static const struct {
        const char *name;
        bool number;
} parameters[] = {
        /* Words of SlurmctldParameters. */
        { "power_save_interval", true },
        { "power_save_min_interval", true },
        { "max_powered_nodes", true },
        { "idle_on_node_suspend", false },
};

/* Returns options without the option called name; the caller frees. */
static char *options_without(const char *options, const char *name) {
        char *kept = xstrdup("");
        size_t n = strlen(name);

        for_each_word(w, options, ",") {
                if (strncasecmp(w, name, n) == 0 && (w[n] == '=' || !w[n]))
                        continue;
                text_add_word(&kept, ",", "%s", w);
        }
        return kept;
}

static int change_parameter(struct config *config, const char *name, bool number, const char *value,
                struct fail *fail) {
        _cleanup_free_ char *changed = options_without(config->slurmctld_parameters, name);
        bool on = word_in(value, "YES|TRUE|1");

        if (!number && !on && !word_in(value, "NO|FALSE|0"))
                return fail_set(fail, -EINVAL, "\"%.100s\" is neither yes nor no", value);
        if (number)
                text_add_word(&changed, ",", "%s=%s", name, value);
        else if (on)
                text_add_word(&changed, ",", "%s", name);
        return config_set(config, "SlurmctldParameters", changed, fail);
}

int config_change(struct config *config, const char *key, const char *value, struct fail *fail) {
        int r = -ENOENT;

        assert(config);
        assert(key);
        assert(value);

        for (size_t i = 0; i < ELEMENTSOF(parameters) && r == -ENOENT; i++)
                if (strcasecmp(key, parameters[i].name) == 0)
                        r = change_parameter(config, parameters[i].name, parameters[i].number,
                                        value, fail);
        if (r == -ENOENT)
                r = config_set(config, key, value, fail);
        if (r < 0)
                return r;
        config_derive(config);
        return check_power_save(config, fail);
}
