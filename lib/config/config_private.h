/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib/config/config_private.h - shared by the files of lib/config only
 *
 * config_file.c          paths of the files
 * config_types.c         a word's value -> a field, and back to text
 * config_keys.c          table of slurm.conf's keys, defaults, "scontrol show config"
 * config_entries.c       keys that are set, and where; warnings
 * config_guards.c        class of each key: acts, shown, harmless, guards
 * config_records.c       common parts of record lines (config_records.h)
 * config_nodes.c         NodeName, NodeSet, DownNodes
 * config_partitions.c    PartitionName
 * config_check.c         checks between keys
 * config_actions.c       PowerAction
 * config_dynamic.c       nodes not in slurm.conf
 * config_topology.c      topology.yaml, topology.conf, Topology= of nodes and partitions
 * config_cgroup.c        cgroup.conf
 * config_submit.c        JobSubmitPlugins: rules for requests
 * config_write.c         text of a configuration, to be read again
 * config_access.c        PrivateData and MCSParameters
 * siteconf.c             slumber.yaml, also for other folders
 * siteconf_clusters.c    key clusters of slumber.yaml
 * config.c               opens files and calls the above in this order */
#pragma once

#include "lib/config/config.h"
#include "lib/files/lines.h"

/* ---- config_actions.c ---- */

void config_action_done(struct config_action *a);
struct config_action_line {
        char *name, *location, *program; /* location: SLURMCTLD or SLURMD; NULL: unset */
};
void config_action_line_done(struct config_action_line *l);
int config_action_add(struct config *config, const struct config_action_line *l, struct fail *fail);
/* Checks that each power and reboot program is a path or a suitable PowerAction. */
int config_actions_check(struct config *config, struct fail *fail);

/* ---- config_types.c ---- */

enum key_type {
        KEY_KEPT,  /* text, only printed */
        KEY_SHOWN, /* no key, only printed */
        KEY_TEXT,
        KEY_WORD,    /* upper case, one of words */
        KEY_CHOICE,  /* one of words, as written */
        KEY_SECONDS, /* usec_t */
        KEY_IDLE,    /* usec_t, SuspendTime */
        KEY_MINUTES, /* usec_t, a time limit */
        KEY_EXEMPT,  /* usec_t, PreemptExemptTime */
        KEY_PERIOD,  /* usec_t, printed, never infinite */
        KEY_U16,
        KEY_PORTS, /* uint16_t, followed by the last port of a range */
        KEY_U32,
        KEY_COUNT,   /* uint32_t; UNLIMITED is UINT32_MAX */
        KEY_PERCENT, /* double, "50.5" */
        KEY_MB,      /* uint64_t, MB without unit */
        KEY_MEMORY,  /* uint64_t, MB; UNLIMITED is 0 */
        KEY_BOOL,
        KEY_SWITCH, /* bool written as 0 and 1 */
        KEY_YES,    /* bool written as Yes and No */
        KEY_USER,
        KEY_HOST, /* host(address) */
        KEY_SELECT_TYPE,
        KEY_SELECT_PARAMS,
        KEY_PREEMPT_TYPE,
        KEY_PREEMPT_MODE,
        KEY_OVERSUBSCRIBE,
        KEY_EXCLUSIVE,
        KEY_PRIORITY,
        KEY_GRES,      /* a node's gres, as text: lib/gres.h */
        KEY_PATHS,     /* absolute paths or patterns, one per line, joined by commas */
        KEY_COUNTLIST, /* names with counts, as text: lib/countlist.h */
        KEY_TYPE_MAX,
};

struct config_key { /* one row per key */
        const char *name;
        enum key_type type;
        size_t offset;
        const char *text; /* default, as written in the file; NULL: unset */
        const char *unit; /* printed after the value */
        /* other spellings of the default; KEY_WORD: allowed words; joined by | */
        const char *words;
        uint64_t min, max;
        bool multifactor;    /* shown only with PriorityType=priority/multifactor */
        enum config_use use; /* class if the value is not the default */
        const char *note;    /* effect of a guard's loss */
        const char *values;  /* allowed values of a key kept as text, joined by |; NULL: any */
};

/* Checks a value against key->values. -EINVAL with fail: not allowed. */
int config_key_allows(const struct config_key *key, const char *value, struct fail *fail);
/* Reads value into the field at key->offset of base, or prints the field; the caller frees. */
int key_parse(const struct config_key *key, const char *value, void *base, struct fail *fail);
char *key_print(const struct config_key *key, const void *base);
/* Returns the value as written in slurm.conf, without unit; the caller frees. NULL: keys of this
   type are not written. */
char *key_written(const struct config_key *key, const void *base);

bool option_has(const char *options, const char *name); /* "a,b=1" has b; takes NULL */
/* Reads 5 from "a=5"; missing if absent. -EINVAL with fail: no integer, or greater than max. */
int option_uint(const char *options, const char *name, uint32_t max, uint32_t missing,
                uint32_t *ret, struct fail *fail);
/* option_uint() in seconds; also takes a duration with ":" or "-". */
int option_seconds(const char *options, const char *name, uint32_t max, uint32_t missing,
                uint32_t *ret, struct fail *fail);
/* Reads a percentage above 0, up to 100: "92.5". */
int option_percent(const char *options, const char *name, double missing, double *ret,
                struct fail *fail);

/* Writes "KEY=VALUE", quoted if necessary, after a blank unless first on the line. */
void config_put_word(FILE *out, bool first, const char *key, const char *value);

/* ---- config_keys.c ---- */

void config_defaults(struct config *config);
/* Sets a key. -ENOENT: unknown key. */
int config_set(struct config *config, const char *key, const char *value, struct fail *fail);
/* Returns all rows, also those only printed (KEY_SHOWN). */
const struct config_key *config_keys(size_t *ret_n);
/* Called again when plug-ins are known. */
void config_derive_prolog_flags(struct config *config);
/* key of a line by itself; NULL: unknown */
const struct config_key *config_find_key(const char *name);
void config_fill_settings(struct config *config);

/* Known values of TopologyPlugin that are not supported. */
#define TOPOLOGY_MISSING "topology/block|topology/3d_torus|topology/torus3d|topology/ring"

/* ---- config_entries.c ---- */

/* Returns the first key of a record line (NodeName ...) in Slurm's spelling; NULL: not such a
   key. */
const char *config_line_kind(const char *key);

void config_warn(struct config *config, const char *file, unsigned line, const char *format, ...)
                _printf_(4, 5);
bool config_key_is_default(const struct config_key *key, const char *value);
/* Records that key is set; warns at once of a harmless key. */
void config_entry_key(struct config *config, const char *file, unsigned line,
                const struct config_key *key, const char *value);
/* config_entry_key() for a key without a row in a table. */
void config_entry(struct config *config, const char *file, unsigned line, const char *key,
                const char *value, enum config_use use, const char *note);
/* Returns the last entry of key; NULL: not set. */
const struct config_entry *config_entry_find(const struct config *config, const char *key);
void config_entries_done(struct config *config);

/* ---- config_guards.c ---- */

/* A key with a list of options: words that act, guard or are harmless, joined by |. Unknown words
   are errors, or ignored with a warning (lenient). */
struct config_words {
        const char *key, *acts, *guards, *harmless; /* NULL: none */
        bool lenient; /* ignore an unknown word unless it resembles an acting or guarding one */
};
const struct config_words *config_words(size_t *ret_n);
/* Classifies the words of all list keys. */
void config_options(struct config *config);
/* Reads resources.yaml from text, after nodes and licenses are known; config_resources.c. */
int config_resources(struct config *config, const char *path, const char *text, size_t size,
                struct fail *fail);
/* True if accept_missing lists the guard. */
bool config_accepts_missing(const struct config *config, const char *key);
/* Each guard that is set and not accepted is a fault: -EOPNOTSUPP. Called last, after
   slumber.yaml. */
int config_guards(struct config *config, struct fail *fail);

/* ---- config_nodes.c ---- */

/* key of any kind of record line; NULL */
const struct config_key *config_record_key(const char *name);

struct config_records;

struct config_records *config_records_new(void);
struct config_records *config_records_free(struct config_records *records);
DEFINE_CLEANUP(struct config_records *, config_records_free)
/* Keeps a record line (NodeName and others) and returns 1; 0 for another line. */
int config_records_take(struct config_records *records, struct config_line *line);
/* Builds nodes, then sets, then partitions, whatever the order in the file. */
int config_records_apply(struct config_records *records, struct config *config, struct fail *fail);
/* config_partitions.c */
void config_partition_done(struct config_partition *partition);
/* Writes the PartitionName line with all values that are not defaults. */
void config_put_partition(FILE *out, const struct config_partition *part);

struct config_lone_check { /* key() is called for each key given; NULL: accept all */
        int (*key)(const struct config_key *key, const char *value, void *user, struct fail *fail);
        void *user;
};
/* Reads the nodes of a single NodeName line; where: for messages. A node without a name has name
   NULL. port: default port. Results as config_dynamic_parse(). */
int config_lone_nodes(const char *where, const char *line, const struct config_lone_check *check,
                uint16_t port, struct config_node **ret, size_t *ret_n, struct fail *fail);

/* ---- config_gres.c ---- */

void gres_conf_done(struct config *config);
int config_check_gres(struct config *config, struct fail *fail);
/* config_check_gres() for one node. */
int config_check_node_gres(const struct config *config, const struct config_node *node,
                struct fail *fail);

/* ---- config_submit.c ---- */

/* JobSubmitPlugins: words that act; "none" has no rule. */
#define SUBMIT_WORDS                                                                               \
        "none|lua|all_partitions|require_timelimit|partition|throttle|defaults|job_submit/none|"   \
        "job_submit/lua|job_submit/all_partitions|job_submit/require_timelimit|"                   \
        "job_submit/partition|job_submit/throttle|job_submit/defaults"
/* CliFilterPlugins: words that act. */
#define FILTER_WORDS                                                                               \
        "none|lua|user_defaults|syslog|cli_filter/none|cli_filter/lua|cli_filter/user_defaults|"   \
        "cli_filter/syslog"
int config_submit(struct config *config, struct fail *fail);

/* ---- config_access.c ---- */

/* Reads PrivateData, MCSPlugin and MCSParameters. */
int config_access(struct config *config, struct fail *fail);

/* ---- config_preempt.c ---- */

/* Reads PreemptType, PreemptMode and PreemptParameters together. */
int config_preempt(struct config *config, struct fail *fail);
/* Words of PreemptParameters and of SchedulerParameters read here, joined by |. */
#define PREEMPT_WORDS                                                                              \
        "min_exempt_priority|reclaim_licenses|reorder_count|send_user_signal|strict_order|suspend_grace_time|youngest_first"
#define PREEMPT_OLD_WORDS                                                                          \
        "preempt_reorder_count|preempt_strict_order|preempt_youngest_first|requeue_delay"

/* ---- config_gather.c ---- */

int config_gather(struct config *config, struct fail *fail);

/* ---- config_task.c ---- */

int config_task(struct config *config, struct fail *fail);
/* Reads CpuFreqDef and CpuFreqGovernors. */
int config_cpu_freq(struct config *config, struct fail *fail);
/* Reads MpiParams. */
int config_mpi(struct config *config, struct fail *fail);
#define TASK_PARAMS_NONE "(null type)"

/* ---- siteconf.c ---- */

/* site_config_read() that after failure leaves in ret the readable part, and defaults. */
int site_config_fill(const char *slurm_conf_path, struct site_config *ret, struct fail *fail);

/* Puts the key, and file and place if known, before the sentence in fail about text; returns r. */
int site_text_fail(const struct config *config, const struct ydoc_text *text, const char *key,
                int r, struct fail *fail);

/* ---- siteconf_clusters.c ---- */

/* Reads the value of clusters into the struct site_config. Clusters with a fault are left out. */
int site_read_clusters(struct ydoc *y, const struct ynode *n, void *to);
void site_clusters_done(struct site_config *site);
/* Checks that no cluster has this cluster's name or another's key. */
int config_clusters(struct config *config, struct fail *fail);

/* ---- config_topology.c ---- */

/* Reads topology.yaml, or topology.conf if TopologyPlugin needs it, after nodes and partitions are
   known. */
int config_topology_read(struct config *config, const char *dir, struct fail *fail);
/* Warns of unknown nodes in the topology files and similar faults. */
void config_topology_warn(struct config *config);

/* ---- config_cgroup.c ---- */

const struct config_key *config_cgroup_key(const char *name); /* NULL */
void config_cgroup_defaults(struct config *config);
/* Reads dir/cgroup.conf, which may be missing. */
int config_cgroup_read(struct config *config, const char *dir, struct fail *fail);

/* ---- config_check.c ---- */

/* Assigns the figures of slumber.yaml to nodes. */
int config_watts(struct config *config, struct fail *fail);
/* Checks that the partitions named by slumber.yaml exist. */
int config_reclaim(struct config *config, struct fail *fail);
int config_check(struct config *config, struct fail *fail);
