/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/config.h - slurm.conf, read and checked; and slumber.yaml, which stands beside it
 *
 * Keys are case-insensitive.  A key of Slurm's that Slumber does not act upon is accepted, with one
 * warning if it matters, and refused if it guards something; a key that Slurm does not have is an
 * error.  Errors name file, line and key. */
#pragma once

#include "lib/config/resources.h"
#include "lib/fail.h"
#include "lib/files/helpers.h"
#include "lib/files/job_container.h"
#include "lib/files/oci.h"
#include "lib/files/topology.h"
#include "lib/hostlist.h"

#include <sys/types.h>

/* What counts of a process' memory: all that it has there, without what others may have too, or
   with its share of that. */
enum memory_watched { MEMORY_RSS, MEMORY_OWN, MEMORY_PSS, MEMORY_WATCHED_MAX };

enum select_type {
        SELECT_LINEAR,
        SELECT_CONS_TRES,
};
enum select_param { /* what cons_tres counts; bits */
        CR_CPU = 1,
        CR_CORE = 2,
        CR_MEMORY = 4,
        CR_SOCKET = 8,
        CR_ONE_TASK_PER_CORE = 16,
        CR_CORE_DEFAULT_DIST_BLOCK = 32, /* units of one socket first, not of each in turn */
        CR_LLN = 64,                     /* the least loaded nodes first */
        CR_PACK_NODES = 128,             /* steps fill a node before the next */
        CR_OTHER = 256,                  /* OTHER_CONS_TRES: only said */
        CR_NODE_ORDER = 512, /* CR_NO_DIST_TOPO_BLOCK: tasks in the order of nodes, as always */
};
enum mcs_plugin {
        MCS_NONE,
        MCS_USER,
        MCS_GROUP,
        MCS_ACCOUNT,
        MCS_LABEL,
};
enum mcs_select {             /* does a job with a label share its nodes with others */
        MCS_SELECT_ON_DEMAND, /* as it says itself: --exclusive=mcs */
        MCS_SELECT,           /* never */
        MCS_NO_SELECT,
};
enum private_data { /* PrivateData: what a plain user sees of itself alone; bits */
        PRIVATE_ACCOUNTS = 1,
        PRIVATE_EVENTS = 2,
        PRIVATE_JOBS = 4,
        PRIVATE_NODES = 8,
        PRIVATE_PARTITIONS = 16,
        PRIVATE_RESERVATIONS = 32,
        PRIVATE_USAGE = 64,
        PRIVATE_USERS = 128,
        PRIVATE_CLOUD = 256, /* only shown: powered-down cloud nodes always are */
        PRIVATE_ALL = 511,
};
enum submit_rule { /* JobSubmitPlugins */
        SUBMIT_LUA,
        SUBMIT_ALL_PARTITIONS,
        SUBMIT_REQUIRE_TIMELIMIT,
        SUBMIT_PARTITION,
        SUBMIT_THROTTLE,
        SUBMIT_DEFAULTS,
        SUBMIT_RULES,
};
enum store_flags { /* AccountingStoreFlags; bits */
        KEEP_SCRIPT = 1,
        KEEP_ENVIRONMENT = 2,
        KEEP_NO_FILES = 4, /* names of standard input, output and error are left out */
};
enum preempt_type {
        PREEMPT_NONE,
        PREEMPT_PARTITION_PRIO,
        PREEMPT_QOS,
};
enum preempt_mode { /* bits; OFF is 0 */
        PREEMPT_OFF = 0,
        PREEMPT_SUSPEND = 1,
        PREEMPT_GANG = 2,
        PREEMPT_CANCEL = 4,
        PREEMPT_REQUEUE = 8,
        PREEMPT_WITHIN = 16,   /* preempt/qos: also jobs of the same QOS */
        PREEMPT_PRIORITY = 32, /* only jobs with a priority that is not higher */
        PREEMPT_UNSET = 0x100, /* partition: the cluster's */
};
/* Generic resources and licenses of AccountingStorageTRES: each limit has a place for every one of
   them, and sites name a handful. */
#define CONFIG_TRES_MAX 16

enum enforce { /* bits */
        ENFORCE_ASSOCIATIONS = 1,
        ENFORCE_LIMITS = 2,
        ENFORCE_QOS = 4,
        ENFORCE_SAFE = 8,
        ENFORCE_NO_STEPS = 16, /* their ends are not written to the accounts */
};
enum oversubscribe {
        OVERSUBSCRIBE_NO,
        OVERSUBSCRIBE_EXCLUSIVE,
        OVERSUBSCRIBE_FORCE, /* so many jobs hold the same units */
        OVERSUBSCRIBE_YES,   /* ... if all of them asked for it */
};

enum partition_exclusive { /* Exclusive=, the key of Slurm 26.05 for two older ones */
        EXCLUSIVE_UNSAID,
        EXCLUSIVE_NO, /* as OverSubscribe and ExclusiveUser say */
        EXCLUSIVE_NODE,
        EXCLUSIVE_USER,
        EXCLUSIVE_MAX,
};

#define TIME_UNSET (UINT64_MAX - 1) /* partition: the cluster's value holds */

struct config_node { /* one per node, ranges expanded, DEFAULT applied */
        char *name, *address, *hostname;
        uint16_t port;
        uint32_t cpus, boards, sockets, cores, threads; /* sockets per board, cores per socket */
        uint64_t real_memory, tmp_disk;                 /* MB */
        uint32_t weight;
        /* What jobs do not get: CoreSpecCount, or CpuSpecList as written (CPUs as Slurm numbers
           them, core by core; "" and NULL: none); MemSpecLimit in MB */
        uint32_t core_spec;
        char *cpu_spec;
        uint64_t mem_spec;
        usec_t suspend_time; /* TIME_UNSET: as its partitions and the cluster; NO_LIMIT */
        char *features, *gres, *reason;
        char *topology; /* Topology=: its place, instead of what files say; NULL, "": none */
        /* by scontrol update or slumberd --conf, instead of both; "": out of all; NULL: it is not
         */
        char *moved_to;
        char *state;            /* UNKNOWN, CLOUD, DOWN, DRAIN, FUTURE, ... upper case */
        uint32_t milliwatts[4]; /* on, idle, off, booting, of slumber.yaml; 0: not known */
        uint32_t boot_seconds, shutdown_seconds; /* likewise */
        bool dynamic;                            /* of config_join(), not of a file */
};

struct config_action { /* PowerAction */
        char *name, *program;
        bool on_nodes; /* Location=slurmd: each node runs it for itself */
        char **words;  /* of program: its path first, n_words at least 1 */
        size_t n_words;
};

struct config_partition {
        char *name;
        struct hostlist *nodes; /* ALL expanded */
        char *nodes_text;       /* the same as written; NULL: none */
        bool is_default, hidden, root_only, disable_root_jobs, exclusive_user, power_down_on_idle,
                        lln, req_resv;
        char *state;                   /* UP DOWN DRAIN INACTIVE */
        usec_t max_time, default_time; /* NO_LIMIT; default 0 = none */
        uint32_t min_nodes, max_nodes; /* max UINT32_MAX = unlimited */
        uint32_t priority_tier, priority_job_factor;
        /* NODE and USER are in oversubscribe and exclusive_user, too */
        enum partition_exclusive exclusive;
        enum oversubscribe oversubscribe;
        uint32_t oversubscribe_max;
        unsigned select_params; /* 0: the cluster's */
        unsigned preempt_mode;  /* enum preempt_mode bits or PREEMPT_UNSET */
        usec_t suspend_time, suspend_timeout, resume_timeout; /* TIME_UNSET, NO_LIMIT */
        usec_t over_time;                                     /* OverTimeLimit; likewise */
        uint64_t def_mem_per_node, def_mem_per_cpu, max_mem_per_node, max_mem_per_cpu; /* 0 unset */
        /* MB; 0 unset */
        uint64_t def_mem_per_gpu;
        uint32_t def_cpu_per_gpu;
        char *allow_groups, *allow_accounts, *deny_accounts, *allow_qos, *deny_qos, *qos,
                        *alloc_nodes, *billing;
        uint32_t grace_time, max_cpus_per_node;
        char *topology; /* the name of one; NULL: the usual one */
};

struct config_nodeset {
        char *name;
        struct hostlist *nodes;
        char *nodes_text, *feature; /* as written; NULL: not given */
};

struct config_setting { /* every key in the order of "scontrol show config", with its text */
        const char *key;
        char *value;
        bool hidden; /* not printed with this configuration */
};

enum config_use { /* what becomes of a key */
        USE_ACTS,
        USE_SHOWN,    /* printed; nothing here depends on it, or it has its default */
        USE_HARMLESS, /* told once; nothing is lost that restricts, checks or protects */
        USE_GUARDS,   /* restricts, checks or protects, and is not implemented */
        USE_UNKNOWN,  /* there is no such key */
};

struct config_entry { /* one key, where it stands */
        char *key, *value, *file;
        unsigned line; /* 0: the file itself */
        enum config_use use;
        const char *note; /* of a guard: what is lost without it */
        bool accepted;    /* a guard of accept_missing */
};

enum priority_factor { /* what a priority is made of (priority/multifactor); the order is sprio's */
        PRIORITY_AGE,
        PRIORITY_ASSOC,
        PRIORITY_FAIRSHARE,
        PRIORITY_JOB_SIZE,
        PRIORITY_PARTITION,
        PRIORITY_QOS,
        PRIORITY_CPUS, /* from here on PriorityWeightTRES */
        PRIORITY_MEMORY,
        PRIORITY_NODES,
        PRIORITY_NAMED, /* those of config_priority.tres */
        PRIORITY_FACTOR_MAX = PRIORITY_NAMED + CONFIG_TRES_MAX,
};

enum priority_flag { /* bits */
        PRIORITY_ACCRUE_ALWAYS = 1,
        PRIORITY_CALCULATE_RUNNING = 2,
        PRIORITY_INCR_ONLY = 4,
        PRIORITY_SMALL_RELATIVE_TO_TIME = 8,
        PRIORITY_NO_NORMAL_ASSOC = 16,
        PRIORITY_NO_NORMAL_PART = 32,
        PRIORITY_NO_NORMAL_QOS = 64,
        PRIORITY_NO_NORMAL_TRES = 128,
        PRIORITY_MAX_TRES = 256,
        PRIORITY_MAX_TRES_GRES = 512,
        PRIORITY_NO_FAIR_TREE = 1024,
        PRIORITY_DEPTH_OBLIVIOUS = 2048, /* and no fair tree */
};

#define TREE_WIDTH_MAX 65533 /* of TreeWidth, and of --treewidth */

struct config_task { /* unit words: none, threads, cores, sockets; "" = not said */
        bool affinity, verbose;
        bool off_spec; /* slumberd keeps off the cores that are kept for the system */
        const char *bind, *autobind;
};

struct config_priority {
        char *type, *flags_text, *reset_text, *tres_text; /* as they stand in the file */
        bool multifactor, favor_small;
        unsigned flags;                         /* enum priority_flag */
        usec_t calc_period, max_age, half_life; /* half_life 0: usage is never forgotten */
        uint32_t dampening; /* of fair shares without fair tree: FairShareDampeningFactor */
        /* "gres/gpu", "license/matlab", of AccountingStorageTRES: what has a weight */
        char *tres[CONFIG_TRES_MAX];
        size_t n_tres;
        uint32_t weight[PRIORITY_FACTOR_MAX];
};

/* slumber.yaml, every key optional. */
#define SITE_FIGURES 6 /* config_watts.c */

struct site_text {   /* what can be judged only with the rest of the configuration */
        char *text;  /* as typed; NULL */
        size_t line; /* where it stands in slumber.yaml; 0: it is a setting of a plan */
};

/* What users of one cluster may do on another: bits. */
enum cluster_right {
        CLUSTER_SHOW = 1, /* jobs, nodes, accounts: what a user without rights sees */
        CLUSTER_SUBMIT = 2,
        CLUSTER_CANCEL = 4,    /* and signal */
        CLUSTER_UPDATE = 8,    /* hold, requeue, suspend and change jobs */
        CLUSTER_ACCOUNTS = 16, /* change accounts: those whom operators names */
};

#define SITE_CLUSTERS_MAX 64 /* each has a connection, and is asked by --clusters=all */
#define SITE_HOSTS_MAX    8  /* of a cluster */

/* Another cluster (docs/clusters.md). */
struct site_cluster {
        char *name;
        char **hosts; /* of its controller: numeric addresses, or names */
        size_t n_hosts, a_hosts;
        uint16_t port;
        char *key_file;
        unsigned there, here; /* what users of this one may do there, and those of that one here */
        char **users;         /* of that cluster, that may */
        size_t n_users, a_users;
        bool only_users;  /* a list was given, which may be empty; else every user may */
        char **operators; /* of them, that keep here the rights that their names have */
        size_t n_operators, a_operators;
        size_t line; /* of slumber.yaml */
};

struct site_config {
        char *key_file; /* cluster key; default /etc/slumber/cluster.key */
        /* Unix socket of this host's daemon; default /run/slumber/slumber.sock */
        char *socket;
        char *power_file;      /* power.yaml; default beside slurm.conf */
        char *console_dir;     /* boot consoles; default STATE/console */
        char *cgroup_layout;   /* "auto", "slurm" or "slumber" */
        char *cgroup_root;     /* default: found by the agent */
        char *cgroup;          /* auto, v2, v1, none */
        char *resume_file;     /* 25.05, 26.05: of which Slurm SLURM_RESUME_FILE has the form */
        usec_t freeze_timeout; /* default 10 s */
        /* partitions, a comma list, or ALL: memory of their frozen jobs is pushed out; NULL:
           none */
        struct site_text reclaim_suspended;
        usec_t reclaim_timeout; /* that it may take; default 60 s */
        usec_t heartbeat;       /* default SlurmdTimeout / 3, at most 30 s */
        uint32_t boot_retries;  /* after no-power or no-boot of ResumeProgram; default 1 */
        /* failures in a row that programs tell of; 0 = never, default 3 */
        uint32_t quarantine_after;
        /* different nodes in a row that could not be woken stop waking; 0 = never, default 5 */
        uint32_t brake_after;
        /* ... or more than so many percent of the last brake_window wakes; 0 = never, default 50 */
        uint32_t brake_share;
        uint32_t brake_window; /* default 20 */
        /* between probes: the first, default 10 s, and the longest, default 600 s */
        usec_t brake_pause, brake_pause_max;
        char *veto_program;   /* of the nodes; NULL: none */
        usec_t veto_interval; /* default 30 s */
        char *veto_logind;    /* yes, no */
        char *end_programs;   /* yes, no: that run longer than any node may take */
        char *warm_up;        /* yes, no: nodes are up when the plan needs them */
        /* yes, no: also a job that needs a part of its nodes has all of them in the plan */
        char *plan_whole_nodes;
        /* rows of jobs that ended so long ago leave the accounts; 0: never */
        usec_t purge_jobs_after;
        usec_t audit_interval; /* default 10 min; USEC_INFINITY: never */
        usec_t watts_interval; /* of readings; default USEC_INFINITY: never */
        /* names of guards, by comma, that may be missing; NULL: none */
        struct site_text accept_missing;
        /* of nodes: watts_on, watts_idle, watts_off, watts_booting, boot_seconds,
           shutdown_seconds */
        struct site_text figures[SITE_FIGURES];
        struct site_cluster *clusters;
        size_t n_clusters, a_clusters;
};

/* The other cluster of that name, of whatever case; NULL. */
const struct site_cluster *site_cluster_find(const struct site_config *site, const char *name);
/* The word of one right, and what may be done by it ("change accounts"). */
const char *cluster_right_word(enum cluster_right right);
const char *cluster_right_doing(enum cluster_right right);

struct gres_list;

enum gres_env {              /* bits: which variables name a job's GPUs */
        GRES_ENV_NVIDIA = 1, /* CUDA_VISIBLE_DEVICES */
        GRES_ENV_AMD = 2,    /* ROCR_VISIBLE_DEVICES */
        GRES_ENV_OPENCL = 4, /* GPU_DEVICE_ORDINAL */
        GRES_ENV_INTEL = 8,  /* ZE_AFFINITY_MASK */
        GRES_ENV_NONE = 16,
};

/* different Cores= on a node: each choice of some of them is looked at when a job is placed */
#define GRES_NEAR_MAX 12

struct gres_conf_line {         /* of gres.conf */
        struct hostlist *nodes; /* NULL: all */
        char *name, *type;      /* name "": it has AutoDetect= alone; type: NULL */
        uint64_t count;         /* without files */
        char **files;
        size_t n_files;
        unsigned env; /* 0: not said */
        bool count_only;
        bool none; /* Count=0: of shards, a GPU that has none */
        enum gres_detect {
                GRES_DETECT_UNSAID,
                GRES_DETECT_OFF,
                GRES_DETECT_NVML,
                GRES_DETECT_RSMI,
                GRES_DETECT_MAX
        } detect; /* AutoDetect=, of its nodes or by default */
        /* of the node, that its units lie near; its size is the last one's; NULL: all */
        struct bitset *cores;
        char *where; /* "FILE line N" */
};

struct gres_device {    /* what gres.conf says of one item of a node's Gres */
        uint64_t count; /* so many are promised */
        char **files;   /* of its units, in order; borrowed */
        size_t n_files;
        unsigned env;
        /* the cores of each of its units, borrowed, NULL: all; NULL: no line has any */
        const struct bitset **near;
        /* of gres/shard: how many each of the node's GPUs has; NULL: it is something else */
        uint32_t *shards;
        size_t n_shards; /* GPUs, numbered over all types of the node */
};

#define GRES_SHARDS_MAX 65536 /* of a node: each has a bit in what its jobs hold */

/* Parts of GPUs (gres/shard, gres/mps), which are shared; a job's are all of one GPU. */
static inline bool gres_is_shard(const char *name) {
        return streq(name, "shard") || streq(name, "mps");
}

enum prolog_flag {           /* PrologFlags */
        PROLOG_ALLOC = 1,    /* Prolog runs at the allocation; the job is CONFIGURING meanwhile */
        PROLOG_DEFER = 2,    /* DeferBatch: a script waits for the prologs of all nodes */
        PROLOG_NOHOLD = 4,   /* salloc does not wait */
        PROLOG_SERIAL = 8,   /* one hook at a time on a node */
        PROLOG_FORCE = 16,   /* ForceRequeueOnFail: also of jobs that may not be requeued */
        PROLOG_CONTAIN = 32, /* each job has an extern step on each of its nodes */
        PROLOG_IN_JOB = 64,  /* RunInJob: Prolog and Epilog run in the extern step's group */
        PROLOG_X11 = 128,    /* extern steps forward X11 */
};

enum health_state {       /* HealthCheckNodeState: when HealthCheckProgram runs */
        HEALTH_IDLE = 1,  /* while the node has no job */
        HEALTH_BUSY = 2,  /* while it has one: ALLOC and MIXED together */
        HEALTH_CYCLE = 4, /* nodes take their turns within the interval */
        HEALTH_START = 8, /* START_ONLY: not after the start of slumberd */
        /* one of these without the other, and IDLE without DRAIN: the controller is asked */
        HEALTH_ALLOC = 16,
        HEALTH_MIXED = 32,
        HEALTH_NONDRAINED_IDLE = 64,
        HEALTH_REBOOT = 128, /* REBOOT_ONLY, beside HEALTH_START: once for each boot */
};

struct config_cgroup {
        bool constrain_ram, constrain_swap, constrain_cores, constrain_devices;
        bool job_id_paths;                /* groups are where Slurm has them, by the job's id */
        bool signal_children;             /* signals are for all processes of a step */
        double allowed_ram, allowed_swap; /* percent of the memory that a job was given */
        double max_ram, max_swap;         /* percent of the node's; max_swap: with RAM */
        uint32_t min_ram;                 /* MB, no limit is lower */
        uint32_t swappiness;              /* UINT32_MAX: as the kernel has it */
};

struct config {
        bool elsewhere; /* read for another host: its users need not be known here */
        char *path;     /* of slurm.conf */
        char *cluster_name;
        char *controller_host, *controller_address; /* SlurmctldHost=host(address) */
        char *control_machine, *control_addr;       /* older names of that */
        /* of a range of the controller's the first is used */
        uint16_t slurmctld_port, slurmctld_last_port, slurmd_port;
        char *fast_schedule; /* 0, 1, 2: older name of config_overrides */
        char *slurm_user, *slurmd_user;
        uid_t slurm_uid;                              /* of slurm_user */
        char *state_save_location, *slurmd_spool_dir; /* spool: %n and %h not yet expanded */
        char *slurmctld_log, *slurmd_log;
        char *slurmctld_pid_file, *slurmd_pid_file;
        char *mail_prog, *mail_domain;
        enum select_type select_type;
        unsigned select_params; /* enum select_param bits */
        enum preempt_type preempt_type;
        unsigned preempt_mode;
        char *preempt_parameters;
        usec_t preempt_exempt_time;           /* so long a job runs before it may be preempted */
        struct {                              /* PreemptParameters */
                uint32_t min_exempt_priority; /* jobs with more are exempt; UINT32_MAX: no job is */
                uint32_t reorder_count;
                bool strict_order, youngest_first, send_user_signal, reclaim_licenses;
                usec_t suspend_grace; /* between SIGTSTP and the stop; 0: no SIGTSTP */
        } preempt;
        /* SchedulerParameters: a preempted job rests so long before it may start again */
        usec_t requeue_delay;
        char *suspend_program, *resume_program, *resume_fail_program, *reboot_program;
        char *plugin_dir; /* PluginDir: folders by ":" */
        char *plugstack;  /* PlugStackConfig */
        /* ... which need not be there: that, or plugstack.conf beside slurm.conf */
        char *plugstack_path;
        bool plugin_hooks;               /* the file is there: jobs may have hooks of plug-ins */
        char *task_prolog, *task_epilog; /* on the nodes, as the job's user */
        char *srun_prolog, *srun_epilog; /* on srun's host, likewise */
        char *mpi_default;               /* of srun without --mpi; NULL: whatever a task speaks */
        char *mpi_params;
        uint32_t ports_first, ports_last; /* MpiParams=ports=; 0: steps can have none */
        /* CpuFreqDef, CpuFreqGovernors: the latter as bits 1 << enum cpu_governor, too */
        char *cpu_freq_def, *cpu_freq_governors;
        unsigned cpu_governors;
        bool batch_sets_cpu_freq;                  /* LaunchParameters=batch_step_set_cpu_freq */
        char *prolog, *epilog;                     /* ... as root: paths and patterns, by commas */
        char *prolog_slurmctld, *epilog_slurmctld; /* ... of the controller, as SlurmUser */
        /* seconds that one of their programs may take; from 65534 on: as prolog_epilog_timeout
           says, which is any time then */
        uint16_t prolog_timeout, epilog_timeout, prolog_epilog_timeout;
        char *unkillable_program; /* UnkillableStepProgram: on the node, as root */
        struct {                  /* HealthCheck...: likewise */
                char *program, *states_text;
                usec_t interval; /* 0: not after the start */
                usec_t timeout;  /* then it is killed */
                unsigned states; /* enum health_state bits */
        } health;
        char *job_container;               /* JobContainerType */
        char *namespace_type;              /* NamespaceType */
        struct job_containers *containers; /* job_container.conf; NULL: jobs have none */
        char *interactive_options, *launch_parameters, *x11_parameters;
        bool use_interactive_step, x11_home;
        char *prolog_flags_text;
        unsigned prolog_flags;          /* enum prolog_flag bits */
        bool nohold_on_prolog_fail;     /* SchedulerParameters */
        bool requeue_on_resume_failure; /* likewise */
        char *requeue_exit_text, *requeue_exit_hold_text;
        /* exit codes of batch scripts: RequeueExit, RequeueExitHold; NULL: none */
        struct bitset *requeue_exit, *requeue_exit_hold;
        /* why one that was configured cannot be used; set when programs are checked
           (controller/check.c) */
        char *power_fault;
        usec_t suspend_time, suspend_timeout, resume_timeout; /* suspend_time NO_LIMIT = off */
        uint32_t suspend_rate, resume_rate;                   /* nodes a minute, 0 = no limit */
        char *reconfig_flags, *node_features_plugins;
        struct helpers *helpers; /* helpers.conf; NULL: no feature can change */
        struct oci_config *oci;  /* oci.conf; NULL: there is none, and so no --container */
        char *suspend_exc_nodes, *suspend_exc_parts, *suspend_exc_states;
        uint32_t return_to_service;
        uint32_t resv_over_run; /* minutes, UINT32_MAX: no limit */
        usec_t batch_start_timeout, slurmd_timeout, inactive_limit, kill_wait, complete_wait,
                        min_job_age, message_timeout, unkillable_step_timeout;
        uint32_t first_job_id, max_job_id, max_job_count, max_batch_requeue;
        usec_t wait_time;
        uint32_t over_time_limit; /* minutes, UINT32_MAX: no limit */
        bool job_requeue, kill_on_bad_exit, job_file_append;
        bool spec_usage; /* AllowSpecResourcesUsage: jobs may say what is kept for the system */
        bool spec_cores_first; /* SchedulerParameters: the first cores are, not the last */
        bool default_gbytes;   /* sizes in requests without a unit are GB */
        uint64_t def_mem_per_node, def_mem_per_cpu, max_mem_per_node, max_mem_per_cpu;
        uint64_t def_mem_per_gpu; /* MB; 0: unset */
        uint32_t def_cpu_per_gpu;
        char *propagate_text, *propagate_except_text;
        /* of both: bits 1 << RLIMIT_... that jobs do not have from where they were submitted */
        uint32_t no_rlimits;
        uint32_t tree_width, max_tasks_per_node; /* the latter of a step */
        uint32_t max_node_count;                 /* 0: as many as slurm.conf names */
        char *slurmctld_parameters, *scheduler_parameters, *slurmd_parameters;
        bool reboot_from_controller;   /* SlurmctldParameters=reboot_from_controller */
        bool keep_power_save_settings; /* ReconfigFlags=KeepPowerSaveSettings */
        /* ... KeepPartState: what scontrol has set outlives a reconfiguration */
        bool keep_partition_state;
        uint32_t power_save_interval, power_save_min_interval; /* s */
        uint32_t max_powered_nodes;                            /* UINT32_MAX: no limit */
        bool config_overrides;                     /* SlurmdParameters=config_overrides */
        bool sbatch_wait_nodes, salloc_wait_nodes; /* SchedulerParameters */
        bool whole_hetjob;    /* of SchedulerParameters: a component's own id means the whole */
        bool no_hetjob_steps; /* disable_hetjob_steps: no step is over several components */
        bool no_job_shrink;   /* disable_job_shrink: nobody makes a running job smaller */
        uint32_t max_array_size;
        uint32_t max_array_tasks;          /* of one array; 0: as many as that */
        char *gres_types;                  /* "gpu,craynic" */
        struct gres_conf_line *gres_lines; /* gres.conf when it stands beside slurm.conf */
        size_t n_gres_lines;
        bool gres_cores;             /* a line has Cores= */
        char *licenses;              /* "matlab:10,ansys", checked; NULL: none */
        struct resources *resources; /* resources.yaml; NULL: none */
        char *dependency_parameters;
        bool kill_invalid_depend; /* ... of it */
        bool enable_stepmgr;      /* SlurmctldParameters: nodes make steps where they can */
        bool idle_on_node_suspend, cloud_dns, cloud_reg_addrs, allow_user_triggers,
                        disable_triggers;
        bool enforce_part_limits;
        char *topology_plugin, *topology_param;
        /* TopoOptional: switches count for jobs that say --switches alone */
        bool topology_optional;
        struct topologies *topologies; /* as the files have them; NULL: all is flat */
        struct topologies *placed;     /* the same with nodes that bring their place; NULL: none */
        usec_t max_switch_wait;
        usec_t delay_boot; /* of jobs without --delay-boot; 0: none */
        char *private_data_text;
        unsigned private_data;  /* enum private_data */
        bool disable_root_jobs; /* in every partition */
        char *mcs_plugin, *mcs_parameters;
        struct {
                enum mcs_plugin plugin;
                enum mcs_select select;
                bool enforced;     /* every job has a label */
                bool private_data; /* PrivateData=jobs leaves those with its label visible */
                /* of mcs/group: "a|b", into mcs_parameters; NULL: none are named */
                const char *groups;
        } mcs;
        struct {              /* SchedulerParameters=bf_...; 0: no limit, none */
                bool on;      /* SchedulerType=sched/backfill */
                bool warm_up; /* slumber.yaml: nodes are up when a planned start comes */
                bool parts;   /* ... plan_whole_nodes: no; parts of nodes are planned */
                /* time stands still while it plans (simulation): no pause between sweeps */
                bool at_once;
                bool easy; /* one job of each partition has a place in the plan */
                uint32_t max_job_test, max_job_part, max_job_user, max_job_user_part, max_job_assoc,
                                max_job_start, min_prio_reserve;
                usec_t window, resolution, interval, min_age_reserve;
        } bf;
        struct config_priority priority;
        bool user_top;                       /* SchedulerParameters=enable_user_top */
        char *scheduler_type, *enforce_text; /* sched/builtin; NO, ANY, ALL, YES */
        char *filter_text, *filter_params;   /* CliFilterPlugins, CliFilterParameters */
        char *filter;      /* the same for commands: lib/cli_filter.h; NULL: there is no filter */
        char *submit_text; /* JobSubmitPlugins */
        enum submit_rule submit_rules[SUBMIT_RULES]; /* the same, in its order, each once */
        size_t n_submit_rules;
        uint32_t jobs_per_user_per_hour; /* SchedulerParameters; 0: no limit */
        double node_reg_mem_percent;     /* 0 = default (100, CLOUD 90) */
        char *tmp_fs, *debug_flags;
        char *slurmctld_debug, *slurmd_debug;
        unsigned debug; /* enum debug_flag: those of debug_flags */
        char *accounting_storage_type;
        char *enforce_accounts;
        char *tracked;    /* AccountingStorageTRES, behind those that are always there */
        unsigned enforce; /* enum enforce: AccountingStorageEnforce */
        char *store_flags_text;
        unsigned store_flags; /* enum store_flags */
        bool accounting_off;  /* accounting_storage/none: the controller keeps no accounts */
        usec_t scheduler_time_slice;
        char *bcast_parameters, *bcast_exclude;               /* for commands, as they are */
        char *gather_frequency, *gather_type, *gather_params; /* JobAcctGather... */
        bool mem_limit_enforce; /* MemLimitEnforce, of older versions: as OverMemoryKill */
        usec_t memory_watch; /* OverMemoryKill: how often a step's memory is looked at; 0: never */
        enum memory_watched memory_watched;
        char *task_plugin, *task_params; /* TaskPlugin, TaskPluginParam */
        struct config_task task;         /* what they say */
        struct config_cgroup cgroup;     /* cgroup.conf beside slurm.conf */

        struct config_node *nodes;
        size_t n_nodes;
        struct config_partition *partitions;
        size_t n_partitions;
        bool partitions_wrong; /* a line had a mistake: there are others */
        struct config_nodeset *nodesets;
        size_t n_nodesets;
        struct config_action *actions;
        size_t n_actions;
        struct config_setting *settings;
        size_t n_settings;
        char **warnings; /* "/etc/slurm/slurm.conf line 12: Foo is not used by Slumber" */
        size_t n_warnings;
        struct config_entry *entries; /* of all files, in the order they were read */
        size_t n_entries;

        struct site_config site;
};

/* As seen from the working folder; the caller frees.  For what is handed to programs, named in
   errors or opened anew: their readers do not know the working folder. */
char *config_absolute(const char *path);
/* Which slurm.conf: path if given, else $SLURM_CONF, else /etc/slumber/slurm.conf, else
   /etc/slurm/slurm.conf; absolute; the caller frees. */
char *config_find(const char *path);
/* Reads slurm.conf at path and slumber.yaml beside it; messages name files by their whole path.  On
   failure *ret is untouched.  With fail->all every file is read to its end, and all faults are
   there; fail->text is the first of them. */
int config_read(const char *path, struct config **ret, struct fail *fail);
/* The same for a caller that only looks: *ret is what could be read of it, on failure too. */
int config_look(const char *path, struct config **ret, struct fail *fail);
/* What a node needs of it: topology.conf need not be there. */
int config_read_node(const char *path, struct config **ret, struct fail *fail);
/* The same as a cluster elsewhere would read it, and as if each "KEY=VALUE" of settings stood there
   instead of what does: a key of slurm.conf, a word of SlurmctldParameters, PARTITION.KEY for those
   of config_partition_change(), or a key of slumber.yaml. -ENOENT: there is no such key. */
int config_read_for(const char *path, const char *const *settings, size_t n, struct config **ret,
                struct fail *fail);
/* The same from memory: name stands in messages, Include is refused, nothing else is read. */
int config_parse(const char *name, const char *text, size_t size, struct config **ret,
                struct fail *fail);
/* Puts what only the running controller knows (BOOT_TIME, NEXT_JOB_ID) or scontrol has changed
 * into settings. */
void config_put_setting(struct config *config, const char *key, const char *value);
struct config_now { /* what is in force where that is not what the files say; all borrowed */
        const char *heading; /* the first line, a comment */
        /* value NULL: the key does not stand there */
        const struct config_setting *settings;
        size_t n_settings;
        const struct config_node *nodes; /* as many as the configuration has, in its order */
        const struct config_partition *partitions;
        size_t n_partitions;
        bool secrets; /* with passwords */
};
/* A slurm.conf that says all this, without keys of NodeName and PartitionName lines that Slumber
   does not use; dynamic nodes are comments.  The caller frees. */
char *config_write(const struct config *config, const struct config_now *now);
/* "FILE line N" of the key that a sentence about it begins with ("Key: ...", "Key is ..."), else
   slurm.conf; the caller frees. */
/* NULL: none has that name. */
const struct config_action *config_action(const struct config *config, const char *name);
char *config_place(const struct config *config, const char *sentence);
/* What slurm.conf says first of a key, as it stands there and unchecked; the caller frees. NULL:
   nothing, or it cannot be read. */
char *config_peek(const char *path, const char *key);
/* slumber.yaml only, for callers that need nothing of slurm.conf; console_dir and heartbeat may
   then be unset.  The texts are the caller's, which ends with site_config_done(); on failure *ret
   is untouched. */
int site_config_read(const char *slurm_conf_path, struct site_config *ret, struct fail *fail);
void site_config_done(struct site_config *site);
/* Another value for one key, as if it stood in the file.  -ENOENT: there is no such key. */
int site_config_set(struct site_config *site, const char *key, const char *value,
                struct fail *fail);
/* Cores of a node: what its jobs are given out of; its CPUs, where it has no whole cores. */
uint32_t config_node_cores(const struct config_node *node);
struct config_said { /* of a NodeName line: which of its parts it gives, others being defaults */
        bool cpus;   /* CPUs, boards, sockets, cores or threads */
        bool memory; /* RealMemory */
};
/* One "NodeName=... CPUs=..." line as slumberd --conf takes it.  ret_said may be NULL. */
int config_parse_node_line(const char *line, struct config_node *ret, struct config_said *ret_said,
                struct fail *fail);

/* Nodes that slurm.conf does not name (config_dynamic.c). */
enum config_node_from {
        /* slumberd -Z --conf: without the keys that the agent's connection and hardware say */
        NODE_FROM_AGENT,
        NODE_FROM_ADMIN, /* scontrol create: State=CLOUD or State=FUTURE */
        NODE_FROM_STORE, /* config_node_line() */
        NODE_FROM_MAX,
};
#define CONFIG_NODE_LINE_MAX 65536 /* bytes of such a line */
/* The nodes of one "NodeName=..." line; each has a name of its own but for NODE_FROM_AGENT, where
   name is NULL.  config NULL: what it has to say of the keys is not asked.  The caller ends each
   with config_node_done() and frees the array.  On failure *ret is untouched and fail names the
   key. */
int config_dynamic_parse(struct config *config, enum config_node_from from, const char *line,
                struct config_node **ret, size_t *ret_n, struct fail *fail);
/* A line that config_dynamic_parse() makes the same node of; the caller frees. */
char *config_node_line(const struct config_node *node);
/* -EINVAL with fail: letters, digits, dots, hyphens and underscores were expected, at most 63. */
int config_node_name_check(const char *name, struct fail *fail);
/* Adds nodes behind those that are there, all or none, and to the sets and partitions that take
   them: those with ALL, and sets with their Feature.  limit: with these more nodes than
   MaxNodeCount are refused (-ENOSPC).  -EEXIST: a name is taken.  Takes what the nodes own, on
   success. */
int config_join(struct config *config, struct config_node *nodes, size_t n, bool limit,
                struct fail *fail);
/* Nodes that config_join() has added go; others of these names stay. */
void config_leave(struct config *config, const struct hostlist *names);
/* Does a partition's Nodes= text take the node by ALL or by a set, and not by its name? text may be
   NULL. */
bool config_takes_node(const struct config *config, const char *text,
                const struct config_node *node);
/* Those that are in force; NULL: all is flat.  Pointers to them are good until nodes join or
   leave. */
const struct topologies *config_topologies(const struct config *config);
/* What the nodes of config, and n more that are about to join, say of their places, or where they
   have been moved to: config_topologies().  skip: a place that cannot be is a warning, and the node
   is in no topology. */
int config_topology_place(struct config *config, const struct config_node *more, size_t n,
                bool skip, struct fail *fail);
/* How many nodes there may be: MaxNodeCount, and never fewer than slurm.conf names. */
size_t config_node_limit(const struct config *config);
/* Another value for one key of a configuration in memory, as if it stood in the file: a key of
   slurm.conf, or a word of SlurmctldParameters under its own name ("max_powered_nodes").  -ENOENT:
   there is no such key. */
int config_change(struct config *config, const char *key, const char *value, struct fail *fail);
/* The same for those keys of a PartitionName line that are a time or yes and no. */
int config_partition_change(struct config_partition *part, const char *key, const char *value,
                struct fail *fail);
/* The path of a file beside slurm.conf; the caller frees. */
char *config_beside(const struct config *config, const char *name);
/* Is it among JobSubmitPlugins. */
bool config_submits_by(const struct config *config, enum submit_rule rule);
/* May this program be started?  Absolute, executable, and not writable by group or others
   (-EINVAL, -ENOENT, -EACCES, -EPERM); the sentence in fail begins with the path. */
int program_check(const char *path, struct fail *fail);
/* The same from memory, without the defaults; on failure too the texts are the caller's. */
int site_config_parse(struct site_config *config, const char *name, const char *text, size_t size,
                struct fail *fail);
/* gres.conf from memory, added to config, for the nodes that are known. -EINVAL with fail: "FILE
   line N: ...". */
int gres_conf_parse(struct config *config, const char *name, const char *text, size_t size,
                struct fail *fail);
/* One for each item of what the node has; the caller frees with their number. */
struct gres_device *config_gres_devices(const struct config *config, const char *node,
                const struct gres_list *has);
void gres_devices_free(struct gres_device *devices, size_t n);
/* How the GPUs of a node are found: never GRES_DETECT_UNSAID. */
enum gres_detect config_gres_detect(const struct config *config, const char *node);
extern const char *const gres_detect_names[GRES_DETECT_MAX]; /* "nvml" */
void config_node_done(struct config_node *node);
bool config_partition_name_ok(const char *name);
/* Jobs may have a prolog or epilog on their nodes: of slurm.conf, or of plug-ins. */
static inline bool config_has_prolog(const struct config *config) {
        return !isempty(config->prolog) || config->plugin_hooks;
}
static inline bool config_has_epilog(const struct config *config) {
        return !isempty(config->epilog) || config->plugin_hooks;
}
struct config *config_free(struct config *config);
DEFINE_CLEANUP(struct config *, config_free)

/* "SUSPEND,GANG" and so on, shared with scontrol update partition; checks combinations.
   Text for scontrol: "GANG,SUSPEND", "OFF"; CLUSTER for PREEMPT_UNSET. */
int preempt_mode_parse(const char *text, unsigned *ret, struct fail *fail);
const char *preempt_mode_text(unsigned mode);
/* "DefCpuPerGPU=2,DefMemPerGPU=300", "(null)"; in buf. */
#define JOB_DEFAULTS_TEXT_MAX 64
const char *job_defaults_text(uint32_t cpus, uint64_t mb, char *buf);
/* What the text does not name is 0. */
int job_defaults_parse(const char *text, uint32_t *ret_cpus, uint64_t *ret_mb, struct fail *fail);
/* May a partition have this mode of its own, under that of the cluster? */
int preempt_mode_check_own(unsigned mode, unsigned cluster, struct fail *fail);
/* "CR_CORE_MEMORY,CR_LLN", "NONE"; malloced. */
char *select_params_text(unsigned params);
/* "FORCE:1", "NO", "EXCLUSIVE"; other values are refused by name until they are built. */
int oversubscribe_parse(const char *text, enum oversubscribe *ret, uint32_t *ret_max,
                struct fail *fail);
/* "NO" (or "NONE"), "NODE", "USER"; TOPO is refused by name. */
int partition_exclusive_parse(const char *text, enum partition_exclusive *ret, struct fail *fail);
/* "" for EXCLUSIVE_UNSAID. */
const char *partition_exclusive_text(enum partition_exclusive e);
/* Whether a user may ask for --acctg-freq=SECONDS (0: not said): not less often than OverMemoryKill
   looks. */
bool config_gather_allows(usec_t memory_watch, uint32_t seconds);
