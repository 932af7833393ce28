/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/config_private.h - what the files of the configuration reader share; not for others
 *
 * config_file.c   which files
 * config_types.c  one word's value -> a field, and back to text
 * config_keys.c   the table of slurm.conf's keys, their defaults, "scontrol show config"
 * config_entries.c which keys are set, and where; warnings
 * config_guards.c what becomes of each key: acts, shown, harmless, guards
 * config_records.c what lines of these kinds have in common (config_records.h)
 * config_nodes.c  NodeName, NodeSet, DownNodes
 * config_partitions.c PartitionName
 * config_check.c  what must hold between keys
 * config_actions.c PowerAction
 * config_dynamic.c nodes that slurm.conf does not name
 * config_topology.c topology.yaml, topology.conf, Topology= of nodes and partitions
 * config_cgroup.c cgroup.conf
 * config_submit.c JobSubmitPlugins: rules for requests
 * config_write.c  the text of a configuration, to be read again
 * config_access.c PrivateData and MCSParameters: which data users see
 * siteconf.c      slumber.yaml, for others too
 * siteconf_clusters.c  its key clusters
 * config.c        opens files and calls the above in this order */
#pragma once

#include "lib/config/config.h"
#include "lib/files/lines.h"

/* ---- config_actions.c ---- */

void config_action_done(struct config_action *a);
struct config_action_line {
        char *name, *location, *program; /* location: SLURMCTLD or SLURMD; NULL: not said */
};
void config_action_line_done(struct config_action_line *l);
int config_action_add(struct config *config, const struct config_action_line *l, struct fail *fail);
/* Each program of power and reboots is a path, or a PowerAction that fits. */
int config_actions_check(struct config *config, struct fail *fail);

/* ---- config_types.c ---- */

enum key_type {
        KEY_KEPT,  /* as text, for what is printed */
        KEY_SHOWN, /* not a key, only printed */
        KEY_TEXT,
        KEY_WORD,    /* upper case, one of words */
        KEY_CHOICE,  /* the same as it was written */
        KEY_SECONDS, /* usec_t */
        KEY_IDLE,    /* the same, SuspendTime */
        KEY_MINUTES, /* usec_t, a time limit */
        KEY_EXEMPT,  /* usec_t, PreemptExemptTime */
        KEY_PERIOD,  /* usec_t, printed, never without end */
        KEY_U16,
        KEY_PORTS, /* uint16_t, and the last one of a range behind it */
        KEY_U32,
        KEY_COUNT,   /* uint32_t, UNLIMITED is UINT32_MAX */
        KEY_PERCENT, /* double, "50.5" */
        KEY_MB,      /* uint64_t, plain number */
        KEY_MEMORY,  /* uint64_t, UNLIMITED is 0 */
        KEY_BOOL,
        KEY_SWITCH, /* bool that is written 0 and 1 */
        KEY_YES,    /* ... Yes and No */
        KEY_USER,
        KEY_HOST, /* host(address) */
        KEY_SELECT_TYPE,
        KEY_SELECT_PARAMS,
        KEY_PREEMPT_TYPE,
        KEY_PREEMPT_MODE,
        KEY_OVERSUBSCRIBE,
        KEY_EXCLUSIVE,
        KEY_PRIORITY,
        KEY_GRES,      /* what a node has, as text: lib/gres.h */
        KEY_PATHS,     /* an absolute path or pattern a line, joined by commas */
        KEY_COUNTLIST, /* names with counts, as text: lib/countlist.h */
        KEY_TYPE_MAX,
};

struct config_key { /* one row per key */
        const char *name;
        enum key_type type;
        size_t offset;
        const char *text;  /* default, as it would stand in the file; NULL: unset */
        const char *unit;  /* printed behind the value */
        const char *words; /* other spellings of the default; KEY_WORD: what is possible; by | */
        uint64_t min, max;
        bool multifactor;    /* shown only with PriorityType=priority/multifactor */
        enum config_use use; /* when it is set to other than its default */
        const char *note;    /* of a guard: what is lost without it */
        const char *values;  /* of what is kept as text: all that it may be, by |; NULL: any text */
};

/* A value that the key may not have is -EINVAL, with fail. */
int config_key_allows(const struct config_key *key, const char *value, struct fail *fail);
/* base: the struct that offset counts from. */
int key_parse(const struct config_key *key, const char *value, void *base, struct fail *fail);
char *key_print(const struct config_key *key, const void *base);
/* The same as slurm.conf would have it, without a unit; the caller frees.  NULL: a key of this kind
   is not written. */
char *key_written(const struct config_key *key, const void *base);

bool option_has(const char *options, const char *name); /* "a,b=1": b; takes NULL */
/* "a=5": 5.  -EINVAL with fail: no whole number, or beyond max. */
int option_uint(const char *options, const char *name, uint32_t max, uint32_t missing,
                uint32_t *ret, struct fail *fail);
/* The same in seconds; also a length of time with ":" or "-". */
int option_seconds(const char *options, const char *name, uint32_t max, uint32_t missing,
                uint32_t *ret, struct fail *fail);
/* "92.5": above 0, up to 100. */
int option_percent(const char *options, const char *name, double missing, double *ret,
                struct fail *fail);

/* "KEY=VALUE" to out, quoted where that is needed; behind a blank, if it is not the line's first.
 */
void config_put_word(FILE *out, bool first, const char *key, const char *value);

/* ---- config_keys.c ---- */

void config_defaults(struct config *config);
/* -ENOENT when slurm.conf has no such key. */
int config_set(struct config *config, const char *key, const char *value, struct fail *fail);
/* Every row, also of what is only printed (KEY_SHOWN). */
const struct config_key *config_keys(size_t *ret_n);
/* Once more when it is known whether there are plug-ins. */
void config_derive_prolog_flags(struct config *config);
const struct config_key *config_find_key(const char *name); /* of a line by itself; NULL */
void config_fill_settings(struct config *config);

/* known values of TopologyPlugin */
#define TOPOLOGY_MISSING "topology/block|topology/3d_torus|topology/torus3d|topology/ring"

/* ---- config_entries.c ---- */

/* The first key of a line of slurm.conf that is an object of its own (NodeName ...), as Slurm
   writes it; NULL: key begins no such line. */
const char *config_line_kind(const char *key);

void config_warn(struct config *config, const char *file, unsigned line, const char *format, ...)
                _printf_(4, 5);
bool config_key_is_default(const struct config_key *key, const char *value);
/* Notes that key stands there; what is harmless is said at once. */
void config_entry_key(struct config *config, const char *file, unsigned line,
                const struct config_key *key, const char *value);
/* The same of what has no row in a table. */
void config_entry(struct config *config, const char *file, unsigned line, const char *key,
                const char *value, enum config_use use, const char *note);
/* Where key stands last; NULL: nowhere. */
const struct config_entry *config_entry_find(const struct config *config, const char *key);
void config_entries_done(struct config *config);

/* ---- config_guards.c ---- */

/* A key that is a list of options: those that act, those that guard and those that are harmless,
   by |; a further one is a mistake, or is passed over with a warning. */
struct config_words {
        const char *key, *acts, *guards, *harmless; /* NULL: none */
        bool lenient; /* a further word is passed over, unless it is like one that acts or guards */
};
const struct config_words *config_words(size_t *ret_n);
/* The words of those keys that are lists of options. */
void config_options(struct config *config);
/* resources.yaml in text, when nodes and licenses are known; config_resources.c. */
int config_resources(struct config *config, const char *path, const char *text, size_t size,
                struct fail *fail);
/* accept_missing names this guard. */
bool config_accepts_missing(const struct config *config, const char *key);
/* Each guard that is set and not accepted is a fault: -EOPNOTSUPP. Last, when slumber.yaml has been
   read. */
int config_guards(struct config *config, struct fail *fail);

/* ---- config_nodes.c ---- */

const struct config_key *config_record_key(const char *name); /* of any kind of line; NULL */

struct config_records;

struct config_records *config_records_new(void);
struct config_records *config_records_free(struct config_records *records);
DEFINE_CLEANUP(struct config_records *, config_records_free)
/* Keeps a line that begins with NodeName and so on: 1; 0 when it is another line. */
int config_records_take(struct config_records *records, struct config_line *line);
/* Nodes, then sets, then partitions, whatever their order in the file was. */
int config_records_apply(struct config_records *records, struct config *config, struct fail *fail);
/* config_partitions.c */
void config_partition_done(struct config_partition *partition);
/* The PartitionName line, with what is not at its default. */
void config_put_partition(FILE *out, const struct config_partition *part);

struct config_lone_check { /* key is asked for each key that is given; NULL: all are taken */
        int (*key)(const struct config_key *key, const char *value, void *user, struct fail *fail);
        void *user;
};
/* The nodes of a NodeName line that stands by itself, where in messages; one without a name has
   name NULL.  port: of those that name none.  As config_dynamic_parse(). */
int config_lone_nodes(const char *where, const char *line, const struct config_lone_check *check,
                uint16_t port, struct config_node **ret, size_t *ret_n, struct fail *fail);

/* ---- config_gres.c ---- */

bool word_in_list(const char *list, const char *word); /* "a,b", any case; list may be NULL */
void gres_conf_done(struct config *config);
int config_check_gres(struct config *config, struct fail *fail);
/* The same of one node. */
int config_check_node_gres(const struct config *config, const struct config_node *node,
                struct fail *fail);

/* ---- config_submit.c ---- */

/* JobSubmitPlugins: the words that act, with "none" for nothing */
#define SUBMIT_WORDS                                                                               \
        "none|lua|all_partitions|require_timelimit|partition|throttle|defaults|job_submit/none|"   \
        "job_submit/lua|job_submit/all_partitions|job_submit/require_timelimit|"                   \
        "job_submit/partition|job_submit/throttle|job_submit/defaults"
/* CliFilterPlugins: likewise */
#define FILTER_WORDS                                                                               \
        "none|lua|user_defaults|syslog|cli_filter/none|cli_filter/lua|cli_filter/user_defaults|"   \
        "cli_filter/syslog"
int config_submit(struct config *config, struct fail *fail);

/* ---- config_access.c ---- */

/* PrivateData, MCSPlugin and MCSParameters. */
int config_access(struct config *config, struct fail *fail);

/* ---- config_preempt.c ---- */

/* PreemptType, PreemptMode and PreemptParameters together. */
int config_preempt(struct config *config, struct fail *fail);
/* The words of PreemptParameters and SchedulerParameters that it reads, by |. */
#define PREEMPT_WORDS                                                                              \
        "min_exempt_priority|reclaim_licenses|reorder_count|send_user_signal|strict_order|suspend_grace_time|youngest_first"
#define PREEMPT_OLD_WORDS                                                                          \
        "preempt_reorder_count|preempt_strict_order|preempt_youngest_first|requeue_delay"

/* ---- config_gather.c ---- */

int config_gather(struct config *config, struct fail *fail);

/* ---- config_task.c ---- */

int config_task(struct config *config, struct fail *fail);
/* CpuFreqDef, CpuFreqGovernors */
int config_cpu_freq(struct config *config, struct fail *fail);
/* MpiParams */
int config_mpi(struct config *config, struct fail *fail);
#define TASK_PARAMS_NONE "(null type)"

/* ---- siteconf.c ---- */

/* As site_config_read(); on failure ret has what could be read, and defaults. */
int site_config_fill(const char *slurm_conf_path, struct site_config *ret, struct fail *fail);

/* Puts the key before what fail says is wrong with text, and before that the file and line, if it
   stands in one; returns r. */
int site_text_fail(const struct config *config, const struct site_text *text, const char *key,
                int r, struct fail *fail);

/* ---- siteconf_clusters.c ---- */

struct yaml_event_s;
/* The value of clusters, a mapping of mappings, while it is read. */
struct clusters_reader {
        struct site_config *config;
        unsigned depth;  /* 0: it is not being read; 1: names of clusters follow */
        bool named;      /* the mapping of the last one follows */
        bool list;       /* items of key follow */
        int key;         /* whose value follows; -1: none */
        unsigned seen;   /* keys of this cluster: bits */
        bool unfinished; /* the last one has not been read to its end without a mistake */
};
/* Takes one event, of which the first begins the mapping; afterwards depth says whether there are
   more. */
int clusters_read(struct clusters_reader *r, const struct yaml_event_s *event, struct fail *fail);
/* Nothing more comes of the file: a cluster with a mistake, which lacks what comes behind that, is
   none. */
void clusters_end(struct clusters_reader *r);
void site_clusters_done(struct site_config *site);
/* None of them has the name of this one, nor the key of another. */
int config_clusters(struct config *config, struct fail *fail);

/* ---- config_topology.c ---- */

/* topology.yaml beside slurm.conf, or topology.conf where TopologyPlugin wants it, when nodes and
   partitions are known. */
int config_topology_read(struct config *config, const char *dir, struct fail *fail);
/* Nodes of these files that are not there, and the like. */
void config_topology_warn(struct config *config);

/* ---- config_cgroup.c ---- */

const struct config_key *config_cgroup_key(const char *name); /* NULL */
void config_cgroup_defaults(struct config *config);
/* dir/cgroup.conf, which need not be there. */
int config_cgroup_read(struct config *config, const char *dir, struct fail *fail);

/* ---- config_check.c ---- */

/* Figures of slumber.yaml to the nodes. */
int config_watts(struct config *config, struct fail *fail);
/* The partitions that slumber.yaml names are there. */
int config_reclaim(struct config *config, struct fail *fail);
int config_check(struct config *config, struct fail *fail);
