/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/config.h - slurm.conf and the files beside it (slumber.yaml and others), read and
 * checked
 *
 * Keys are case-insensitive. A Slurm key without effect in Slumber is accepted, with one warning if
 * its loss matters, and refused if it restricts, checks or protects. A key unknown to Slurm is an
 * error. Errors name file, line and key. */
#pragma once

#include "lib/config/resources.h"
#include "lib/fail.h"
#include "lib/files/helpers.h"
#include "lib/files/job_container.h"
#include "lib/files/oci.h"
#include "lib/files/topology.h"
#include "lib/files/ydoc.h"
#include "lib/hostlist.h"

#include <sys/types.h>

/* Memory counted for a process: all resident memory, without shared memory (NoShared), or with its
   proportional share (UsePss). */
enum memory_watched { MEMORY_RSS, MEMORY_OWN, MEMORY_PSS, MEMORY_WATCHED_MAX };

enum select_type {
        SELECT_LINEAR,
        SELECT_CONS_TRES,
};
enum select_param { /* resources counted by cons_tres; bits */
        CR_CPU = 1,
        CR_CORE = 2,
        CR_MEMORY = 4,
        CR_SOCKET = 8,
        CR_ONE_TASK_PER_CORE = 16,
        CR_CORE_DEFAULT_DIST_BLOCK = 32, /* units of one socket first, not round-robin */
        CR_LLN = 64,                     /* least loaded nodes first */
        CR_PACK_NODES = 128,             /* steps fill a node before the next one */
        CR_OTHER = 256,                  /* OTHER_CONS_TRES: shown only */
        CR_NODE_ORDER = 512,             /* CR_NO_DIST_TOPO_BLOCK: tasks in node order, as always */
};
enum mcs_plugin {
        MCS_NONE,
        MCS_USER,
        MCS_GROUP,
        MCS_ACCOUNT,
        MCS_LABEL,
};
/* Sharing of nodes between a job with a label and jobs of other labels. */
enum mcs_select {
        MCS_SELECT_ON_DEMAND, /* only with the job's --exclusive=mcs */
        MCS_SELECT,           /* never shares */
        MCS_NO_SELECT,
};
enum private_data { /* PrivateData: kinds of data of which a plain user sees only the own; bits */
        PRIVATE_ACCOUNTS = 1,
        PRIVATE_EVENTS = 2,
        PRIVATE_JOBS = 4,
        PRIVATE_NODES = 8,
        PRIVATE_PARTITIONS = 16,
        PRIVATE_RESERVATIONS = 32,
        PRIVATE_USAGE = 64,
        PRIVATE_USERS = 128,
        PRIVATE_CLOUD = 256, /* shown only: powered-down cloud nodes are always visible */
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
        KEEP_NO_FILES = 4, /* leave out names of standard input, output and error */
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
        PREEMPT_PRIORITY = 32, /* only jobs of equal or lower priority */
        PREEMPT_UNSET = 0x100, /* partition: use the cluster's mode */
};
/* Maximum generic resources and licenses of AccountingStorageTRES: each limit has room for every
   one; sites name a handful. */
#define CONFIG_TRES_MAX 16

enum enforce { /* bits */
        ENFORCE_ASSOCIATIONS = 1,
        ENFORCE_LIMITS = 2,
        ENFORCE_QOS = 4,
        ENFORCE_SAFE = 8,
        ENFORCE_NO_STEPS = 16, /* ends of steps are not written to the accounts */
};
enum oversubscribe {
        OVERSUBSCRIBE_NO,
        OVERSUBSCRIBE_EXCLUSIVE,
        OVERSUBSCRIBE_FORCE, /* up to oversubscribe_max jobs share units */
        OVERSUBSCRIBE_YES,   /* the same number, if all of the jobs asked for sharing */
};

enum partition_exclusive { /* Exclusive=, which in Slurm 26.05 replaces two older keys */
        EXCLUSIVE_UNSAID,
        EXCLUSIVE_NO, /* OverSubscribe and ExclusiveUser apply */
        EXCLUSIVE_NODE,
        EXCLUSIVE_USER,
        EXCLUSIVE_MAX,
};

#define TIME_UNSET (UINT64_MAX - 1) /* partition: use the cluster's value */

struct config_node { /* a single node: ranges expanded, DEFAULT applied */
        char *name, *address, *hostname;
        uint16_t port;
        uint32_t cpus, boards, sockets, cores, threads; /* sockets per board, cores per socket */
        uint64_t real_memory, tmp_disk;                 /* MB */
        uint32_t weight;
        /* Resources kept for the system: CoreSpecCount; CpuSpecList as written (CPUs in Slurm's
           numbering, core by core; "" or NULL: none); MemSpecLimit in MB. */
        uint32_t core_spec;
        char *cpu_spec;
        uint64_t mem_spec;
        usec_t suspend_time; /* TIME_UNSET: partitions' or cluster's value; or NO_LIMIT */
        char *features, *gres, *reason;
        char *topology; /* Topology=, overrides the topology files; NULL or "": unset */
        /* Place set by scontrol update or slumberd --conf, overriding both; "": in no topology;
         * NULL: unset. */
        char *moved_to;
        char *state;            /* UNKNOWN, CLOUD, DOWN, DRAIN, FUTURE, ... upper case */
        uint32_t milliwatts[4]; /* on, idle, off, booting, from slumber.yaml; 0: unknown */
        uint32_t boot_seconds, shutdown_seconds; /* from slumber.yaml; 0: unknown */
        bool dynamic;                            /* added by config_join(), not in slurm.conf */
};

struct config_action { /* PowerAction */
        char *name, *program;
        bool on_nodes; /* Location=slurmd: each node runs the program for itself */
        char **words;  /* words of program: path first; n_words is at least 1 */
        size_t n_words;
};

struct config_partition {
        char *name;
        struct hostlist *nodes; /* ALL expanded */
        char *nodes_text;       /* nodes as written; NULL: none */
        bool is_default, hidden, root_only, disable_root_jobs, exclusive_user, power_down_on_idle,
                        lln, req_resv;
        char *state;                   /* UP DOWN DRAIN INACTIVE */
        usec_t max_time, default_time; /* NO_LIMIT; default_time 0: unset */
        uint32_t min_nodes, max_nodes; /* max_nodes UINT32_MAX: no limit */
        uint32_t priority_tier, priority_job_factor;
        /* NODE and USER also set oversubscribe and exclusive_user. */
        enum partition_exclusive exclusive;
        enum oversubscribe oversubscribe;
        uint32_t oversubscribe_max;
        unsigned select_params; /* 0: use the cluster's */
        unsigned preempt_mode;  /* bits of enum preempt_mode, or PREEMPT_UNSET */
        usec_t suspend_time, suspend_timeout, resume_timeout; /* TIME_UNSET or NO_LIMIT possible */
        /* OverTimeLimit; TIME_UNSET or NO_LIMIT possible */
        usec_t over_time;
        /* 0: unset */
        uint64_t def_mem_per_node, def_mem_per_cpu, max_mem_per_node, max_mem_per_cpu;
        /* MB; 0: unset. */
        uint64_t def_mem_per_gpu;
        uint32_t def_cpu_per_gpu;
        char *allow_groups, *allow_accounts, *deny_accounts, *allow_qos, *deny_qos, *qos,
                        *alloc_nodes, *billing;
        uint32_t grace_time, max_cpus_per_node;
        char *topology; /* name of a topology; NULL: the default topology */
};

struct config_nodeset {
        char *name;
        struct hostlist *nodes;
        char *nodes_text, *feature; /* as written; NULL: unset */
};

struct config_setting { /* each key with its text, in the order of "scontrol show config" */
        const char *key;
        char *value;
        bool hidden; /* not printed in this configuration */
};

enum config_use { /* effect of a key */
        USE_ACTS,
        USE_SHOWN,    /* printed; the key has no effect, or only its default is supported */
        USE_HARMLESS, /* a warning; nothing that restricts, checks or protects is lost */
        USE_GUARDS,   /* restricts, checks or protects, but is not implemented */
        USE_UNKNOWN,  /* unknown key */
};

struct config_entry { /* one key in its file */
        char *key, *value, *file;
        unsigned line; /* 0: the file as a whole */
        enum config_use use;
        const char *note; /* effect of a guard's loss */
        bool accepted;    /* guard listed in accept_missing */
};

enum priority_factor { /* factors of priority/multifactor, in sprio's order */
        PRIORITY_AGE,
        PRIORITY_ASSOC,
        PRIORITY_FAIRSHARE,
        PRIORITY_JOB_SIZE,
        PRIORITY_PARTITION,
        PRIORITY_QOS,
        PRIORITY_CPUS, /* first factor of PriorityWeightTRES */
        PRIORITY_MEMORY,
        PRIORITY_NODES,
        PRIORITY_NAMED, /* first factor of config_priority.tres */
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
        PRIORITY_DEPTH_OBLIVIOUS = 2048, /* implies no fair tree */
};

#define TREE_WIDTH_MAX 65533 /* maximum of TreeWidth and --treewidth */

struct config_task { /* units: none, threads, cores, sockets; "": unset */
        bool affinity, verbose;
        bool off_spec; /* SlurmdOffSpec: slumberd stays off the cores kept for the system */
        const char *bind, *autobind;
};

struct config_priority {
        char *type, *flags_text, *reset_text, *tres_text; /* as in the file */
        bool multifactor, favor_small;
        unsigned flags;                         /* enum priority_flag */
        usec_t calc_period, max_age, half_life; /* half_life 0: usage does not decay */
        uint32_t dampening;                     /* FairShareDampeningFactor, without fair tree */
        /* TRES with a weight: "gres/gpu", "license/matlab", each in AccountingStorageTRES. */
        char *tres[CONFIG_TRES_MAX];
        size_t n_tres;
        uint32_t weight[PRIORITY_FACTOR_MAX];
};

/* slumber.yaml, every key optional. */
#define SITE_FIGURES 6 /* config_watts.c */

/* Rights of one cluster's users on another; bits. */
enum cluster_right {
        CLUSTER_SHOW = 1, /* jobs, nodes, accounts, as visible to any user */
        CLUSTER_SUBMIT = 2,
        CLUSTER_CANCEL = 4,    /* cancel and signal */
        CLUSTER_UPDATE = 8,    /* hold, requeue, suspend and change jobs */
        CLUSTER_ACCOUNTS = 16, /* change accounts: only users listed in operators */
};

#define SITE_CLUSTERS_MAX 64 /* each has a connection and is queried by --clusters=all */
#define SITE_HOSTS_MAX    8  /* per cluster */

/* Another cluster (docs/clusters.md). */
struct site_cluster {
        char *name;
        char **hosts; /* the controller's numeric addresses or names */
        size_t n_hosts, a_hosts;
        uint32_t port;
        char *key_file;
        /* Rights of local users on that cluster (there), and of its users on this cluster
           (here). */
        unsigned there, here;
        char **users; /* users of that cluster allowed here */
        size_t n_users, a_users;
        bool only_users;  /* users was given, perhaps empty; false: every user is allowed */
        char **operators; /* users who keep here the rights of their local names */
        size_t n_operators, a_operators;
        uint32_t line, column; /* in slumber.yaml */
};

struct site_config {
        char *key_file; /* cluster key; default /etc/slumber/cluster.key */
        /* Unix socket of the host's daemon; default /run/slumber/slumber.sock. */
        char *socket;
        char *power_file;    /* power.yaml; default beside slurm.conf */
        char *store;         /* address of PostgreSQL; NULL: SQLite in StateSaveLocation */
        char *console_dir;   /* boot consoles; default STATE/console */
        char *cgroup_layout; /* "auto", "slurm" or "slumber" */
        char *cgroup_root;   /* default: found by slumberd */
        char *cgroup;        /* auto, v2, v1, none */
        /* "25.05" or "26.05": Slurm version whose format SLURM_RESUME_FILE has */
        char *resume_file;
        usec_t freeze_timeout; /* default 10 s */
        /* Partitions (comma list, or ALL) whose suspended jobs' memory is reclaimed; NULL: none. */
        struct ydoc_text reclaim_suspended;
        usec_t reclaim_timeout; /* maximum time of a reclaim; default 60 s */
        usec_t heartbeat;       /* default SlurmdTimeout / 3, at most 30 s */
        /* retries after ResumeProgram reports no-power or no-boot; default 1 */
        uint32_t boot_retries;
        /* Consecutive failures, reported by programs, before a node is quarantined; 0: never,
           default 3. */
        uint32_t quarantine_after;
        /* Different nodes in a row failing to wake before waking stops; 0: never, default 5. */
        uint32_t brake_after;
        /* Percentage of failures in the last brake_window wakes that stops waking; 0: never,
           default 50. */
        uint32_t brake_share;
        uint32_t brake_window; /* default 20 */
        /* Pause before the first probe, default 10 s, and maximum pause, default 600 s. */
        usec_t brake_pause, brake_pause_max;
        char *veto_program;   /* run on the nodes; NULL: none */
        usec_t veto_interval; /* default 30 s */
        char *veto_logind;    /* yes, no */
        /* yes, no: end Suspend and Resume programs that exceed every node's timeout */
        char *end_programs;
        char *warm_up; /* yes, no: wake nodes in time for the plan */
        /* yes, no: in the plan, a job needing parts of nodes gets whole nodes. */
        char *plan_whole_nodes;
        /* Age at which rows of ended jobs are deleted from the accounts; 0: never. */
        usec_t purge_jobs_after;
        usec_t audit_interval; /* default 10 min; USEC_INFINITY: never */
        usec_t watts_interval; /* between readings; default USEC_INFINITY: never */
        /* Comma list of guards that may be missing; NULL: none. */
        struct ydoc_text accept_missing;
        /* Per node: watts_on, watts_idle, watts_off, watts_booting, boot_seconds,
           shutdown_seconds. */
        struct ydoc_text figures[SITE_FIGURES];
        struct site_cluster *clusters;
        size_t n_clusters, a_clusters;
};

/* Returns the other cluster by name, in any case; NULL: none. */
const struct site_cluster *site_cluster_find(const struct site_config *site, const char *name);
/* Returns the word of one right, and a description of the permitted action ("change accounts"). */
const char *cluster_right_word(enum cluster_right right);
const char *cluster_right_doing(enum cluster_right right);

struct gres_list;

enum gres_env {              /* bits: environment variables listing a job's GPUs */
        GRES_ENV_NVIDIA = 1, /* CUDA_VISIBLE_DEVICES */
        GRES_ENV_AMD = 2,    /* ROCR_VISIBLE_DEVICES */
        GRES_ENV_OPENCL = 4, /* GPU_DEVICE_ORDINAL */
        GRES_ENV_INTEL = 8,  /* ZE_AFFINITY_MASK */
        GRES_ENV_NONE = 16,
};

/* Maximum distinct Cores= values on a node: placement tries each subset of them. */
#define GRES_NEAR_MAX 12

struct gres_conf_line {         /* a line of gres.conf */
        struct hostlist *nodes; /* NULL: all nodes */
        char *name, *type;      /* name "": only AutoDetect= on the line; type NULL: untyped */
        uint64_t count;         /* count if the line has no files */
        char **files;
        size_t n_files;
        unsigned env; /* 0: unset */
        bool count_only;
        bool none; /* Count=0: a GPU without shards */
        enum gres_detect {
                GRES_DETECT_UNSAID,
                GRES_DETECT_OFF,
                GRES_DETECT_NVML,
                GRES_DETECT_RSMI,
                GRES_DETECT_MAX
        } detect; /* AutoDetect= of the line's nodes, or the default for all */
        /* Cores near the units; the size is last core + 1; NULL: all. */
        struct bitset *cores;
        char *where; /* "FILE line N" */
};

struct gres_device {    /* settings from gres.conf for one item of a node's Gres */
        uint64_t count; /* configured count */
        char **files;   /* files of the units, in order; borrowed */
        size_t n_files;
        unsigned env;
        /* Cores near each unit (borrowed; NULL: all); NULL: no line has Cores=. */
        const struct bitset **near;
        /* Shards of each GPU of the node, for gres/shard; NULL: another resource. */
        uint32_t *shards;
        size_t n_shards; /* number of GPUs, of all types of the node */
};

#define GRES_SHARDS_MAX 65536 /* per node: each shard has a bit in the jobs' allocations */

/* True for shared parts of GPUs (gres/shard, gres/mps). A job's shards are all of one GPU. */
static inline bool gres_is_shard(const char *name) {
        return streq(name, "shard") || streq(name, "mps");
}

enum prolog_flag { /* PrologFlags */
        /* Prolog runs at the allocation; the job is CONFIGURING until the end of Prolog */
        PROLOG_ALLOC = 1,
        PROLOG_DEFER = 2,    /* DeferBatch: the batch script waits for the prologs of all nodes */
        PROLOG_NOHOLD = 4,   /* salloc does not wait for prologs */
        PROLOG_SERIAL = 8,   /* a single prolog or epilog at a time on a node */
        PROLOG_FORCE = 16,   /* ForceRequeueOnFail: requeue also jobs submitted with --no-requeue */
        PROLOG_CONTAIN = 32, /* each job has an extern step on every node */
        PROLOG_IN_JOB = 64,  /* RunInJob: Prolog and Epilog run in the extern step's cgroup */
        PROLOG_X11 = 128,    /* extern steps forward X11 */
};

enum health_state {       /* HealthCheckNodeState: when HealthCheckProgram runs */
        HEALTH_IDLE = 1,  /* while the node has no job */
        HEALTH_BUSY = 2,  /* while the node has a job: ALLOC and MIXED together */
        HEALTH_CYCLE = 4, /* nodes take turns within the interval */
        HEALTH_START = 8, /* START_ONLY: only at the start of slumberd */
        /* A state that slumberd cannot tell by itself: asks the controller. */
        HEALTH_ALLOC = 16,
        HEALTH_MIXED = 32,
        HEALTH_NONDRAINED_IDLE = 64,
        HEALTH_REBOOT = 128, /* REBOOT_ONLY, with HEALTH_START: once per boot */
};

struct config_cgroup {
        bool constrain_ram, constrain_swap, constrain_cores, constrain_devices;
        bool job_id_paths;                /* cgroup paths as in Slurm, by job ID */
        bool signal_children;             /* signals go to all processes of a step */
        double allowed_ram, allowed_swap; /* percent of the job's allocated memory */
        double max_ram, max_swap;         /* percent of the node's memory; max_swap: with RAM */
        uint32_t min_ram;                 /* MB, lower bound of a limit */
        uint32_t swappiness;              /* UINT32_MAX: the kernel's value */
};

struct config {
        bool elsewhere; /* read for another host: users may be unknown here */
        char *path;     /* of slurm.conf */
        char *cluster_name;
        /* All SlurmctldHost=host(address) lines, in their order. */
        struct config_controller {
                char *host, *address; /* address: host's name unless given */
        } * controllers;
        size_t n_controllers, a_controllers;
        /* The controller that this slumberctld is, else the first one; borrowed. */
        const char *controller_host, *controller_address;
        char *control_machine, *control_addr; /* older keys of the controller's host */
        /* The first port of the controller's range is used. */
        uint16_t slurmctld_port, slurmctld_last_port, slurmd_port;
        char *fast_schedule; /* 0, 1, 2: older form of config_overrides */
        char *slurm_user, *slurmd_user;
        uid_t slurm_uid;                              /* of slurm_user */
        char *state_save_location, *slurmd_spool_dir; /* spool: %n and %h not yet expanded */
        char *slurmctld_log, *slurmd_log;
        char *slurmctld_pid_file, *slurmd_pid_file;
        char *mail_prog, *mail_domain;
        /* run when one of several controllers becomes primary, and when it no longer is */
        char *primary_on_program, *primary_off_program;
        enum select_type select_type;
        unsigned select_params; /* bits of enum select_param */
        enum preempt_type preempt_type;
        unsigned preempt_mode;
        char *preempt_parameters;
        usec_t preempt_exempt_time; /* minimum run time before preemption */
        struct {                    /* PreemptParameters */
                /* jobs of higher priority are exempt; UINT32_MAX: none */
                uint32_t min_exempt_priority;
                uint32_t reorder_count;
                bool strict_order, youngest_first, send_user_signal, reclaim_licenses;
                usec_t suspend_grace; /* between SIGTSTP and suspension; 0: no SIGTSTP */
        } preempt;
        /* SchedulerParameters: minimum time before a preempted job starts again. */
        usec_t requeue_delay;
        char *suspend_program, *resume_program, *resume_fail_program, *reboot_program;
        char *plugin_dir; /* PluginDir: folders joined by ":" */
        char *plugstack;  /* PlugStackConfig */
        /* PlugStackConfig, or plugstack.conf beside slurm.conf; the file may be missing. */
        char *plugstack_path;
        bool plugin_hooks;               /* the file exists: plug-ins may have job hooks */
        char *task_prolog, *task_epilog; /* run on the nodes as the job's user */
        char *srun_prolog, *srun_epilog; /* run on srun's host as the job's user */
        /* MPI of srun without --mpi; NULL: whatever the task uses. */
        char *mpi_default;
        char *mpi_params;
        uint32_t ports_first, ports_last; /* MpiParams=ports=; 0: no ports for steps */
        /* CpuFreqDef; CpuFreqGovernors as text, and as bits 1 << enum cpu_governor. */
        char *cpu_freq_def, *cpu_freq_governors;
        unsigned cpu_governors;
        bool batch_sets_cpu_freq; /* LaunchParameters=batch_step_set_cpu_freq */
        /* run on the nodes as root: paths and patterns, comma list */
        char *prolog, *epilog;
        char *prolog_slurmctld, *epilog_slurmctld; /* run by the controller as SlurmUser */
        /* Maximum seconds of each program; from 65534 on: prolog_epilog_timeout, where 65534 or
           more is no limit. */
        uint16_t prolog_timeout, epilog_timeout, prolog_epilog_timeout;
        char *unkillable_program; /* UnkillableStepProgram, run on the node as root */
        struct {                  /* HealthCheck..., run on the node as root */
                char *program, *states_text;
                usec_t interval; /* 0: only at the start */
                usec_t timeout;  /* the program is killed after this time */
                unsigned states; /* bits of enum health_state */
        } health;
        char *job_container;               /* JobContainerType */
        char *namespace_type;              /* NamespaceType */
        struct job_containers *containers; /* job_container.conf; NULL: no private folders */
        char *interactive_options, *launch_parameters, *x11_parameters;
        bool use_interactive_step, x11_home;
        char *prolog_flags_text;
        unsigned prolog_flags;          /* bits of enum prolog_flag */
        bool nohold_on_prolog_fail;     /* SchedulerParameters */
        bool requeue_on_resume_failure; /* SchedulerParameters */
        char *requeue_exit_text, *requeue_exit_hold_text;
        /* Exit codes of batch scripts: RequeueExit, RequeueExitHold; NULL: none. */
        struct bitset *requeue_exit, *requeue_exit_hold;
        /* Reason why a configured power program cannot be used; set when programs are checked
           (controller/check.c). */
        char *power_fault;
        usec_t suspend_time, suspend_timeout, resume_timeout; /* suspend_time NO_LIMIT: off */
        uint32_t suspend_rate, resume_rate;                   /* nodes per minute; 0: no limit */
        char *reconfig_flags, *node_features_plugins;
        struct helpers *helpers; /* helpers.conf; NULL: no changeable features */
        struct oci_config *oci;  /* oci.conf; NULL: no file, --container is refused */
        char *suspend_exc_nodes, *suspend_exc_parts, *suspend_exc_states;
        uint32_t return_to_service;
        uint32_t resv_over_run; /* minutes, UINT32_MAX: no limit */
        usec_t batch_start_timeout, slurmd_timeout, inactive_limit, kill_wait, complete_wait,
                        min_job_age, message_timeout, unkillable_step_timeout;
        uint32_t first_job_id, max_job_id, max_job_count, max_batch_requeue;
        usec_t wait_time;
        uint32_t over_time_limit; /* minutes, UINT32_MAX: no limit */
        bool job_requeue, kill_on_bad_exit, job_file_append;
        bool spec_usage; /* AllowSpecResourcesUsage: jobs may set the cores kept for the system */
        /* SchedulerParameters: keep the first cores for the system, not the last */
        bool spec_cores_first;
        bool default_gbytes; /* sizes without unit in requests are GB */
        uint64_t def_mem_per_node, def_mem_per_cpu, max_mem_per_node, max_mem_per_cpu;
        uint64_t def_mem_per_gpu; /* MB; 0: unset */
        uint32_t def_cpu_per_gpu;
        char *propagate_text, *propagate_except_text;
        /* Limits not propagated to jobs, by both keys: bits 1 << RLIMIT_.... */
        uint32_t no_rlimits;
        uint32_t tree_width, max_tasks_per_node; /* max_tasks_per_node: of a step */
        uint32_t max_node_count;                 /* 0: number of nodes in slurm.conf */
        char *slurmctld_parameters, *scheduler_parameters, *slurmd_parameters;
        bool reboot_from_controller;   /* SlurmctldParameters=reboot_from_controller */
        bool keep_power_save_settings; /* ReconfigFlags=KeepPowerSaveSettings */
        /* ReconfigFlags=KeepPartState: changes by scontrol survive a reconfiguration. */
        bool keep_partition_state;
        uint32_t power_save_interval, power_save_min_interval; /* s */
        uint32_t max_powered_nodes;                            /* UINT32_MAX: no limit */
        bool config_overrides;                     /* SlurmdParameters=config_overrides */
        bool sbatch_wait_nodes, salloc_wait_nodes; /* SchedulerParameters */
        /* SchedulerParameters: the ID of a het job component means the whole job */
        bool whole_hetjob;
        bool no_hetjob_steps; /* disable_hetjob_steps: no step spans components */
        bool no_job_shrink;   /* disable_job_shrink: running jobs cannot shrink */
        uint32_t max_array_size;
        uint32_t max_array_tasks;          /* tasks of one array; 0: max_array_size */
        char *gres_types;                  /* "gpu,craynic" */
        struct gres_conf_line *gres_lines; /* gres.conf in slurm.conf's folder */
        size_t n_gres_lines;
        bool gres_cores;             /* some line has Cores= */
        char *licenses;              /* "matlab:10,ansys", checked; NULL: none */
        struct resources *resources; /* resources.yaml; NULL: none */
        char *dependency_parameters;
        bool kill_invalid_depend; /* DependencyParameters */
        bool enable_stepmgr;      /* SlurmctldParameters: use step managers where possible */
        bool idle_on_node_suspend, cloud_dns, cloud_reg_addrs, allow_user_triggers,
                        disable_triggers;
        bool enforce_part_limits;
        char *topology_plugin, *topology_param;
        /* TopoOptional: switches matter only to jobs with --switches. */
        bool topology_optional;
        struct topologies *topologies; /* topologies of the files; NULL: flat */
        /* topologies including nodes' own places; NULL: no node has one */
        struct topologies *placed;
        usec_t max_switch_wait;
        usec_t delay_boot; /* default of --delay-boot; 0: none */
        char *private_data_text;
        unsigned private_data;  /* bits of enum private_data */
        bool disable_root_jobs; /* in all partitions */
        char *mcs_plugin, *mcs_parameters;
        struct {
                enum mcs_plugin plugin;
                enum mcs_select select;
                bool enforced;     /* every job must have a label */
                bool private_data; /* PrivateData=jobs does not hide jobs of the user's label */
                /* Groups of mcs/group, "a|b", pointer into mcs_parameters; NULL: not limited. */
                const char *groups;
        } mcs;
        struct {              /* SchedulerParameters=bf_...; 0: no limit */
                bool on;      /* SchedulerType=sched/backfill */
                bool warm_up; /* slumber.yaml: wake nodes in time for planned starts */
                bool parts;   /* slumber.yaml plan_whole_nodes: no; plan parts of nodes */
                /* Simulation: time stands still while planning, without pauses between sweeps. */
                bool at_once;
                bool easy; /* a single job of each partition has a planned start */
                uint32_t max_job_test, max_job_part, max_job_user, max_job_user_part, max_job_assoc,
                                max_job_start, min_prio_reserve;
                usec_t window, resolution, interval, min_age_reserve;
        } bf;
        struct config_priority priority;
        bool user_top; /* SchedulerParameters=enable_user_top */
        /* sched/builtin or sched/backfill; EnforcePartLimits: NO, ANY, ALL, YES */
        char *scheduler_type, *enforce_text;
        char *filter_text, *filter_params; /* CliFilterPlugins, CliFilterParameters */
        /* CliFilterPlugins as commands get them (lib/cli_filter.h); NULL: none */
        char *filter;
        char *submit_text; /* JobSubmitPlugins */
        /* JobSubmitPlugins in order, without duplicates */
        enum submit_rule submit_rules[SUBMIT_RULES];
        size_t n_submit_rules;
        uint32_t jobs_per_user_per_hour; /* SchedulerParameters; 0: no limit */
        double node_reg_mem_percent;     /* 0 = default (100, CLOUD 90) */
        char *tmp_fs, *debug_flags;
        char *slurmctld_debug, *slurmd_debug;
        unsigned debug; /* debug_flags as bits of enum debug_flag */
        char *accounting_storage_type;
        char *enforce_accounts;
        char *tracked;    /* AccountingStorageTRES in addition to the built-in TRES */
        unsigned enforce; /* AccountingStorageEnforce: bits of enum enforce */
        char *store_flags_text;
        unsigned store_flags; /* bits of enum store_flags */
        bool accounting_off;  /* accounting_storage/none: no accounts are kept */
        usec_t scheduler_time_slice;
        char *bcast_parameters, *bcast_exclude;               /* passed to commands unchanged */
        char *gather_frequency, *gather_type, *gather_params; /* JobAcctGather... */
        bool mem_limit_enforce; /* MemLimitEnforce of older versions, equal to OverMemoryKill */
        usec_t memory_watch; /* OverMemoryKill: interval of checks of a step's memory; 0: never */
        enum memory_watched memory_watched;
        char *task_plugin, *task_params; /* TaskPlugin, TaskPluginParam */
        struct config_task task;         /* both parsed */
        struct config_cgroup cgroup;     /* cgroup.conf in slurm.conf's folder */

        struct config_node *nodes;
        size_t n_nodes;
        struct config_partition *partitions;
        size_t n_partitions;
        bool partitions_wrong; /* a faulty line was skipped: more partitions exist */
        struct config_nodeset *nodesets;
        size_t n_nodesets;
        struct config_action *actions;
        size_t n_actions;
        struct config_setting *settings;
        size_t n_settings;
        char **warnings; /* "/etc/slurm/slurm.conf line 12: Foo is not used by Slumber" */
        size_t n_warnings;
        struct config_entry *entries; /* entries of all files in the order read */
        size_t n_entries;

        struct site_config site;
};

/* Returns the absolute path; the caller frees. Used for paths given to programs, shown in errors or
   reopened, whose readers do not know the working folder. */
char *config_absolute(const char *path);
/* Returns the path of slurm.conf, absolute: path if given, else $SLURM_CONF, else
   /etc/slumber/slurm.conf, else /etc/slurm/slurm.conf. The caller frees. */
char *config_find(const char *path);
/* Reads slurm.conf at path and the files beside it; messages have full paths. On failure *ret is
   untouched. With fail->all, every file is read to its end and all faults are collected; fail->text
   is the first one. */
int config_read(const char *path, struct config **ret, struct fail *fail);
/* config_read() for a caller that only inspects: *ret has the readable part also after failure. */
int config_look(const char *path, struct config **ret, struct fail *fail);
/* config_read() with the files that a node needs: topology.conf may be missing. */
int config_read_node(const char *path, struct config **ret, struct fail *fail);
/* config_read() for another cluster, with each "KEY=VALUE" of settings in place of the file's
   value: a key of slurm.conf, a word of SlurmctldParameters, PARTITION.KEY
   (config_partition_change()), or a key of slumber.yaml. -ENOENT: unknown key. */
int config_read_for(const char *path, const char *const *settings, size_t n, struct config **ret,
                struct fail *fail);
/* Reads slurm.conf from memory: name for messages, Include is refused, no other file is read. */
int config_parse(const char *name, const char *text, size_t size, struct config **ret,
                struct fail *fail);
/* Makes the controller at SlurmctldHost's position i the one of controller_host. */
void config_controller_choose(struct config *config, size_t i);
/* Returns "host" or "host(address)" of position i; the caller frees. */
char *config_controller_text(const struct config *config, size_t i);
/* Returns the position of SlurmctldHost=host, compared without domain and case; -1: none. */
int config_controller_find(const struct config *config, const char *host);
/* Changes the text of a setting: values known only to the running controller (BOOT_TIME,
 * NEXT_JOB_ID) or changed by scontrol. */
void config_put_setting(struct config *config, const char *key, const char *value);
struct config_now {          /* settings in force that differ from the files; all borrowed */
        const char *heading; /* first line, a comment */
        /* Changed keys; value NULL: the key is unset. */
        const struct config_setting *settings;
        size_t n_settings;
        const struct config_node *nodes; /* in the configuration's order, equal in number */
        const struct config_partition *partitions;
        size_t n_partitions;
        bool secrets; /* true: include passwords */
};
/* Returns a slurm.conf with all settings in force, except unused keys of NodeName and PartitionName
   lines; dynamic nodes are comments. The caller frees. */
char *config_write(const struct config *config, const struct config_now *now);
/* Returns the PowerAction; NULL: no action has the name. */
const struct config_action *config_action(const struct config *config, const char *name);
/* Returns "FILE line N" of the key at the start of a sentence ("Key: ...", "Key is ..."), else the
   path of slurm.conf; the caller frees. */
char *config_place(const struct config *config, const char *sentence);
/* Returns the first value of a key in slurm.conf, unchecked; the caller frees. NULL: unset or
   unreadable. */
char *config_peek(const char *path, const char *key);
/* Reads slumber.yaml only, for callers that need nothing of slurm.conf; console_dir and heartbeat
   may be unset. The caller frees by site_config_done(). On failure *ret is untouched. */
int site_config_read(const char *slurm_conf_path, struct site_config *ret, struct fail *fail);
void site_config_done(struct site_config *site);
/* Replaces the value of one key, as if written in the file. -ENOENT: unknown key. */
int site_config_set(struct site_config *site, const char *key, const char *value,
                struct fail *fail);
/* Returns the cores available to jobs on a node; its CPUs if CPUs are not a multiple of cores. */
uint32_t config_node_cores(const struct config_node *node);
struct config_said { /* parts given by a NodeName line; the others are defaults */
        bool cpus;   /* CPUs, boards, sockets, cores or threads */
        bool memory; /* RealMemory */
};
/* Reads a "NodeName=... CPUs=..." line, as slumberd --conf takes. ret_said may be NULL. */
int config_parse_node_line(const char *line, struct config_node *ret, struct config_said *ret_said,
                struct fail *fail);

/* Source of a node that slurm.conf does not have (config_dynamic.c). */
enum config_node_from {
        /* slumberd -Z --conf: without keys known from connection and hardware. */
        NODE_FROM_AGENT,
        NODE_FROM_ADMIN, /* scontrol create: State=CLOUD or State=FUTURE */
        NODE_FROM_STORE, /* config_node_line() */
        NODE_FROM_MAX,
};
#define CONFIG_NODE_LINE_MAX 65536 /* bytes of a node line */
/* Reads the nodes of a "NodeName=..." line. With NODE_FROM_AGENT, name is NULL. config NULL: keys
   are not checked against the configuration. The caller calls config_node_done() for each node and
   frees the array. On failure *ret is untouched and fail names the key. */
int config_dynamic_parse(struct config *config, enum config_node_from from, const char *line,
                struct config_node **ret, size_t *ret_n, struct fail *fail);
/* Returns a line from which config_dynamic_parse() makes an equal node; the caller frees. */
char *config_node_line(const struct config_node *node);
/* Checks a node name. -EINVAL with fail: expected up to 63 letters, digits, dots, hyphens,
   underscores. */
int config_node_name_check(const char *name, struct fail *fail);
/* Adds nodes, all or none, at the end of the nodes, and to partitions and sets with ALL and sets
   with the nodes' Feature. limit: -ENOSPC if MaxNodeCount would be exceeded. -EEXIST: a name is in
   use. Takes ownership of the nodes' contents on success. */
int config_join(struct config *config, struct config_node *nodes, size_t n, bool limit,
                struct fail *fail);
/* Removes nodes added by config_join(); ignores other nodes of these names. */
void config_leave(struct config *config, const struct hostlist *names);
/* True if a partition's Nodes= text (may be NULL) includes the node by ALL or by a set, not by
   name. */
bool config_takes_node(const struct config *config, const char *text,
                const struct config_node *node);
/* Returns the topologies in force; NULL: flat. Pointers into them are valid until nodes join or
   leave. */
const struct topologies *config_topologies(const struct config *config);
/* Computes config_topologies() from the places of config's nodes and of n nodes about to join.
   skip: an invalid place is only a warning, and its node is in no topology. */
int config_topology_place(struct config *config, const struct config_node *more, size_t n,
                bool skip, struct fail *fail);
/* Returns the maximum number of nodes: MaxNodeCount, at least the nodes of slurm.conf. */
size_t config_node_limit(const struct config *config);
/* Replaces the value of one key in memory, as if written in the file: a key of slurm.conf, or a
   word of SlurmctldParameters ("max_powered_nodes"). -ENOENT: unknown key. */
int config_change(struct config *config, const char *key, const char *value, struct fail *fail);
/* Replaces the value of a key of a PartitionName line; only times and booleans. */
int config_partition_change(struct config_partition *part, const char *key, const char *value,
                struct fail *fail);
/* Returns the path of a file in slurm.conf's folder; the caller frees. */
char *config_beside(const struct config *config, const char *name);
/* True if JobSubmitPlugins has the rule. */
bool config_submits_by(const struct config *config, enum submit_rule rule);
/* Checks that a program may be started: absolute path, executable, not writable by group or others
   (-EINVAL, -ENOENT, -EACCES, -EPERM); fail begins with the path. */
int program_check(const char *path, struct fail *fail);
/* Reads slumber.yaml from memory, without defaults; the caller frees the texts, also after
   failure. */
int site_config_parse(struct site_config *config, const char *name, const char *text, size_t size,
                struct fail *fail);
/* Reads gres.conf from memory into config, for known nodes. -EINVAL with fail: "FILE line N:
   ...". */
int gres_conf_parse(struct config *config, const char *name, const char *text, size_t size,
                struct fail *fail);
/* Returns a device for each item of has, the node's Gres; the caller frees with the number of
   items. */
struct gres_device *config_gres_devices(const struct config *config, const char *node,
                const struct gres_list *has);
void gres_devices_free(struct gres_device *devices, size_t n);
/* Returns how GPUs of a node are detected; never GRES_DETECT_UNSAID. */
enum gres_detect config_gres_detect(const struct config *config, const char *node);
extern const char *const gres_detect_names[GRES_DETECT_MAX]; /* "nvml" */
void config_node_done(struct config_node *node);
bool config_partition_name_ok(const char *name);
bool config_has_partition(const struct config *config, const char *name);
bool config_has_node(const struct config *config, const char *name);
/* True if jobs may have a prolog or epilog on nodes, of slurm.conf or of plug-ins. */
static inline bool config_has_prolog(const struct config *config) {
        return !isempty(config->prolog) || config->plugin_hooks;
}
static inline bool config_has_epilog(const struct config *config) {
        return !isempty(config->epilog) || config->plugin_hooks;
}
struct config *config_free(struct config *config);
DEFINE_CLEANUP(struct config *, config_free)

/* Reads "SUSPEND,GANG" and so on, also for scontrol update partition; checks combinations. The text
   for scontrol is "GANG,SUSPEND", "OFF"; CLUSTER for PREEMPT_UNSET. */
int preempt_mode_parse(const char *text, unsigned *ret, struct fail *fail);
const char *preempt_mode_text(unsigned mode);
/* Returns "DefCpuPerGPU=2,DefMemPerGPU=300" or "(null)", written to buf. */
#define JOB_DEFAULTS_TEXT_MAX 64
const char *job_defaults_text(uint32_t cpus, uint64_t mb, char *buf);
/* Reads such a text; values not named are 0. */
int job_defaults_parse(const char *text, uint32_t *ret_cpus, uint64_t *ret_mb, struct fail *fail);
/* Checks that a partition may have this mode of its own under the cluster's mode. */
int preempt_mode_check_own(unsigned mode, unsigned cluster, struct fail *fail);
/* Returns "CR_CORE_MEMORY,CR_LLN" or "NONE"; the caller frees. */
char *select_params_text(unsigned params);
/* Reads "FORCE:1", "NO", "EXCLUSIVE"; unsupported values are refused by name. */
int oversubscribe_parse(const char *text, enum oversubscribe *ret, uint32_t *ret_max,
                struct fail *fail);
/* Reads "NO" (or "NONE"), "NODE", "USER"; refuses TOPO by name. */
int partition_exclusive_parse(const char *text, enum partition_exclusive *ret, struct fail *fail);
/* Returns the word; "" for EXCLUSIVE_UNSAID. */
const char *partition_exclusive_text(enum partition_exclusive e);
/* True if a user may ask for --acctg-freq=SECONDS (0: unset): at least as often as OverMemoryKill
   checks. */
bool config_gather_allows(usec_t memory_watch, uint32_t seconds);
