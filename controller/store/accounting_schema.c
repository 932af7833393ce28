/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A new table is a new step; a released step is never changed. New columns of job and step need no
 * step: missing columns are added when the file is opened, and older rows have the default. An
 * older slumberctld can still open such a file, because all its statements name their columns. */
#include "controller/store/accounting_schema.h"

#include "controller/model/ended.h"
#include "controller/model/ended_step.h"

const char *const accounting_steps[] = {
        /* 1 */
        "CREATE TABLE instance (id INTEGER PRIMARY KEY, cluster TEXT NOT NULL, node TEXT NOT NULL,"
        " instance_id TEXT NOT NULL, instance_type TEXT NOT NULL, extra TEXT NOT NULL,"
        " time_start INTEGER NOT NULL, time_end INTEGER NOT NULL);"
        "CREATE UNIQUE INDEX instance_lasting ON instance (cluster, node) WHERE time_end = 0;"
        "CREATE INDEX instance_end ON instance (time_end);",
        /* 2: objects of sacctmgr, with values as sacctmgr shows them ('' = not set), and the
           predefined objects */
        "CREATE TABLE qos (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL DEFAULT '',"
        " priority INTEGER NOT NULL DEFAULT 0, grace_time TEXT NOT NULL DEFAULT '', preempt TEXT NOT NULL DEFAULT '',"
        " preempt_exempt_time TEXT NOT NULL DEFAULT '', preempt_mode TEXT NOT NULL DEFAULT 'cluster', flags TEXT NOT NULL DEFAULT '',"
        " usage_factor TEXT NOT NULL DEFAULT '1.000000', grp_tres TEXT NOT NULL DEFAULT '',"
        " grp_jobs TEXT NOT NULL DEFAULT '', grp_submit TEXT NOT NULL DEFAULT '', max_tres_pj TEXT NOT NULL DEFAULT '',"
        " max_tres_pn TEXT NOT NULL DEFAULT '', max_tres_mins_pj TEXT NOT NULL DEFAULT '', max_wall TEXT NOT NULL DEFAULT '',"
        " max_tres_pu TEXT NOT NULL DEFAULT '', max_jobs_pu TEXT NOT NULL DEFAULT '', max_submit_pu TEXT NOT NULL DEFAULT '',"
        " max_tres_pa TEXT NOT NULL DEFAULT '', max_jobs_pa TEXT NOT NULL DEFAULT '', max_submit_pa TEXT NOT NULL DEFAULT '',"
        " min_tres_pj TEXT NOT NULL DEFAULT '', min_prio TEXT NOT NULL DEFAULT '');"
        "CREATE TABLE account (name TEXT PRIMARY KEY, description TEXT NOT NULL DEFAULT '', organization TEXT NOT NULL DEFAULT '',"
        " coordinators TEXT NOT NULL DEFAULT '');"
        "CREATE TABLE user (name TEXT PRIMARY KEY, admin_level TEXT NOT NULL DEFAULT 'None', default_account TEXT NOT NULL DEFAULT '');"
        "CREATE TABLE assoc (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL, account TEXT NOT NULL, user TEXT NOT NULL DEFAULT '',"
        " partition TEXT NOT NULL DEFAULT '', shares TEXT NOT NULL DEFAULT '1', grp_tres TEXT NOT NULL DEFAULT '',"
        " grp_jobs TEXT NOT NULL DEFAULT '', grp_submit TEXT NOT NULL DEFAULT '', max_tres_pj TEXT NOT NULL DEFAULT '',"
        " max_tres_pn TEXT NOT NULL DEFAULT '', max_tres_mins_pj TEXT NOT NULL DEFAULT '', max_jobs TEXT NOT NULL DEFAULT '',"
        " max_submit TEXT NOT NULL DEFAULT '', max_wall TEXT NOT NULL DEFAULT '', qos TEXT NOT NULL DEFAULT '',"
        " default_qos TEXT NOT NULL DEFAULT '', UNIQUE (account, user, partition));"
        "INSERT INTO qos (id, name, description) VALUES (1, 'normal', 'Normal QOS default');"
        "INSERT INTO account VALUES ('root', 'default root account', 'root', '');"
        "INSERT INTO user VALUES ('root', 'Administrator', 'root');"
        "INSERT INTO assoc (id, parent_id, account, qos) VALUES (2, 0, 'root', 'normal');"
        "INSERT INTO assoc (id, parent_id, account, user) VALUES (3, 2, 'root', 'root');",
        /* 3: limits of past usage */
        "ALTER TABLE qos ADD COLUMN usage_threshold TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN grp_tres_mins TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN grp_tres_run_mins TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN grp_wall TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN max_tres_run_mins_pu TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN max_tres_run_mins_pa TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN min_prio TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN grp_tres_mins TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN grp_tres_run_mins TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN grp_wall TEXT NOT NULL DEFAULT '';",
        /* 4: finished jobs (model/ended.h), one row per run; times may have fractions */
        "CREATE TABLE job (id INTEGER PRIMARY KEY, cluster TEXT NOT NULL DEFAULT '', name TEXT NOT NULL DEFAULT '',"
        " user TEXT NOT NULL DEFAULT '', group_name TEXT NOT NULL DEFAULT '', account TEXT NOT NULL DEFAULT '',"
        " partition TEXT NOT NULL DEFAULT '', qos TEXT NOT NULL DEFAULT '', reservation TEXT NOT NULL DEFAULT '',"
        " wckey TEXT NOT NULL DEFAULT '', state TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '', nodes TEXT NOT NULL DEFAULT '',"
        " req_nodes TEXT NOT NULL DEFAULT '', exc_nodes TEXT NOT NULL DEFAULT '', features TEXT NOT NULL DEFAULT '',"
        " prefer TEXT NOT NULL DEFAULT '', licenses TEXT NOT NULL DEFAULT '', dependency TEXT NOT NULL DEFAULT '',"
        " array_tasks TEXT NOT NULL DEFAULT '', share TEXT NOT NULL DEFAULT '', distribution TEXT NOT NULL DEFAULT '',"
        " tres_req TEXT NOT NULL DEFAULT '', tres_alloc TEXT NOT NULL DEFAULT '', tres_per_node TEXT NOT NULL DEFAULT '',"
        " tres_per_task TEXT NOT NULL DEFAULT '', tres_per_job TEXT NOT NULL DEFAULT '', work_dir TEXT NOT NULL DEFAULT '',"
        " submit_host TEXT NOT NULL DEFAULT '', comment TEXT NOT NULL DEFAULT '', extra TEXT NOT NULL DEFAULT '',"
        " job_id INTEGER NOT NULL DEFAULT 0, array_job INTEGER NOT NULL DEFAULT 0, array_task INTEGER NOT NULL DEFAULT -1,"
        " restarts INTEGER NOT NULL DEFAULT 0, uid INTEGER NOT NULL DEFAULT 0, gid INTEGER NOT NULL DEFAULT 0,"
        " batch INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0, priority_asked INTEGER NOT NULL DEFAULT 0,"
        " nice INTEGER NOT NULL DEFAULT 0, num_nodes INTEGER NOT NULL DEFAULT 0, num_cpus INTEGER NOT NULL DEFAULT 0,"
        " memory INTEGER NOT NULL DEFAULT 0, min_nodes INTEGER NOT NULL DEFAULT 0, max_nodes INTEGER NOT NULL DEFAULT 0,"
        " num_tasks INTEGER NOT NULL DEFAULT 0, cpus_per_task INTEGER NOT NULL DEFAULT 0, ntasks_per_node INTEGER NOT NULL DEFAULT 0,"
        " mem_per_node INTEGER NOT NULL DEFAULT 0, mem_per_cpu INTEGER NOT NULL DEFAULT 0, mem_per_gpu INTEGER NOT NULL DEFAULT 0,"
        " cpus_per_gpu INTEGER NOT NULL DEFAULT 0, min_cpus_node INTEGER NOT NULL DEFAULT 0, all_memory INTEGER NOT NULL DEFAULT 0, tmp_disk INTEGER NOT NULL DEFAULT 0,"
        " contiguous INTEGER NOT NULL DEFAULT 0, overcommit INTEGER NOT NULL DEFAULT 0, spread_job INTEGER NOT NULL DEFAULT 0,"
        " use_min_nodes INTEGER NOT NULL DEFAULT 0, sockets_per_node INTEGER NOT NULL DEFAULT 0,"
        " cores_per_socket INTEGER NOT NULL DEFAULT 0, threads_per_core INTEGER NOT NULL DEFAULT 0,"
        " ntasks_per_socket INTEGER NOT NULL DEFAULT 0, ntasks_per_core INTEGER NOT NULL DEFAULT 0, switches INTEGER NOT NULL DEFAULT 0,"
        " exit_code INTEGER NOT NULL DEFAULT 0, derived_exit_code INTEGER NOT NULL DEFAULT 0, cancelled_by INTEGER NOT NULL DEFAULT -1,"
        " time_submit REAL NOT NULL DEFAULT 0, time_queued REAL NOT NULL DEFAULT 0, time_eligible REAL NOT NULL DEFAULT 0,"
        " time_start REAL NOT NULL DEFAULT 0, time_end REAL NOT NULL DEFAULT 0, time_begin REAL NOT NULL DEFAULT 0,"
        " deadline REAL NOT NULL DEFAULT 0, time_suspended REAL NOT NULL DEFAULT 0, time_limit REAL NOT NULL DEFAULT 0,"
        " time_limit_asked REAL NOT NULL DEFAULT 0, time_min REAL NOT NULL DEFAULT 0, switch_wait REAL NOT NULL DEFAULT 0);"
        "CREATE INDEX job_end ON job (time_end);"
        "CREATE INDEX job_of_id ON job (job_id);"
        "CREATE INDEX job_of_array ON job (array_job);",
        /* 5: limits of accruing jobs, and factors */
        "ALTER TABLE qos ADD COLUMN grp_accrue TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN max_accrue_pu TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN max_accrue_pa TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE qos ADD COLUMN limit_factor TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN grp_accrue TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN max_accrue TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE assoc ADD COLUMN priority TEXT NOT NULL DEFAULT '';",
        /* 6: finished steps (model/ended_step.h) */
        "CREATE TABLE step (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '', state TEXT NOT NULL DEFAULT '',"
        " nodes TEXT NOT NULL DEFAULT '', tres_alloc TEXT NOT NULL DEFAULT '', max_rss_node TEXT NOT NULL DEFAULT '',"
        " job_id INTEGER NOT NULL DEFAULT 0, array_job INTEGER NOT NULL DEFAULT 0, array_task INTEGER NOT NULL DEFAULT -1,"
        " restarts INTEGER NOT NULL DEFAULT 0, uid INTEGER NOT NULL DEFAULT 0, step_id INTEGER NOT NULL DEFAULT 0,"
        " num_nodes INTEGER NOT NULL DEFAULT 0, num_cpus INTEGER NOT NULL DEFAULT 0, num_tasks INTEGER NOT NULL DEFAULT 0,"
        " exit_code INTEGER NOT NULL DEFAULT 0, user_cpu INTEGER NOT NULL DEFAULT 0, system_cpu INTEGER NOT NULL DEFAULT 0,"
        " max_rss INTEGER NOT NULL DEFAULT 0, sum_rss INTEGER NOT NULL DEFAULT 0, time_submit REAL NOT NULL DEFAULT 0,"
        " time_start REAL NOT NULL DEFAULT 0, time_end REAL NOT NULL DEFAULT 0, time_suspended REAL NOT NULL DEFAULT 0);"
        "CREATE INDEX step_end ON step (time_end);"
        "CREATE INDEX step_of_job ON step (job_id);"
        "CREATE INDEX step_of_array ON step (array_job);",
        /* 7: comments of operators on jobs */
        "ALTER TABLE job ADD COLUMN admin_comment TEXT NOT NULL DEFAULT '';",
        /* 8: binding of tasks to sockets and GPUs, and MCS label */
        "ALTER TABLE job ADD COLUMN tres_per_socket TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE job ADD COLUMN mcs_label TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE job ADD COLUMN ntasks_per_gpu INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE job ADD COLUMN gres_binding INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE job ADD COLUMN one_core_per_socket INTEGER NOT NULL DEFAULT 0;",
        /* 9: the command lines of sbatch, srun and salloc */
        "ALTER TABLE job ADD COLUMN submit_line TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN submit_line TEXT NOT NULL DEFAULT '';",
        /* 10: joules */
        "ALTER TABLE job ADD COLUMN consumed_energy INTEGER NOT NULL DEFAULT 0;",
        /* 11: usage of tasks (lib/step/measure.h) */
        "ALTER TABLE step ADD COLUMN task_most TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN task_most_node TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN task_most_rank TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN task_least TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN task_least_node TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN task_least_rank TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE step ADD COLUMN task_sum TEXT NOT NULL DEFAULT '';"
        "UPDATE step SET task_most = 'mem=' || max_rss, task_most_node = 'mem=' || max_rss_node,"
        " task_sum = 'cpu=' || (user_cpu + system_cpu) || ',mem=' || sum_rss WHERE max_rss > 0;",
        /* 12: joules of steps */
        "ALTER TABLE step ADD COLUMN consumed_energy INTEGER NOT NULL DEFAULT 0;",
        /* 13: files of batch scripts */
        "ALTER TABLE job ADD COLUMN std_in TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE job ADD COLUMN std_out TEXT NOT NULL DEFAULT '';"
        "ALTER TABLE job ADD COLUMN std_err TEXT NOT NULL DEFAULT '';",
        /* 14: scripts and environments of batch jobs (records/ended_rows.h) */
        "CREATE TABLE script (id INTEGER PRIMARY KEY, script TEXT NOT NULL DEFAULT '', environment TEXT NOT NULL DEFAULT '',"
        " job_id INTEGER NOT NULL DEFAULT 0, uid INTEGER NOT NULL DEFAULT 0, time_submit REAL NOT NULL DEFAULT 0);"
        "CREATE INDEX script_of_job ON script (job_id);"
        "CREATE INDEX script_submit ON script (time_submit);",
        /* 15: components of heterogeneous jobs, selected by the leader's id */
        "ALTER TABLE job ADD COLUMN het_job INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE job ADD COLUMN het_offset INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE step ADD COLUMN het_job INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE step ADD COLUMN het_offset INTEGER NOT NULL DEFAULT 0;"
        "CREATE INDEX job_of_het ON job (het_job) WHERE het_job > 0;"
        "CREATE INDEX step_of_het ON step (het_job) WHERE het_job > 0;",
        /* 16: associations of other clusters, each with its root (sacctmgr add cluster) */
        "CREATE TABLE cluster_assoc (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL, account TEXT NOT NULL,"
        " user TEXT NOT NULL DEFAULT '', partition TEXT NOT NULL DEFAULT '', cluster TEXT NOT NULL,"
        " shares TEXT NOT NULL DEFAULT '1', grp_tres TEXT NOT NULL DEFAULT '', grp_jobs TEXT NOT NULL DEFAULT '',"
        " grp_submit TEXT NOT NULL DEFAULT '', max_tres_pj TEXT NOT NULL DEFAULT '', max_tres_pn TEXT NOT NULL DEFAULT '',"
        " max_tres_mins_pj TEXT NOT NULL DEFAULT '', max_jobs TEXT NOT NULL DEFAULT '', max_submit TEXT NOT NULL DEFAULT '',"
        " max_wall TEXT NOT NULL DEFAULT '', qos TEXT NOT NULL DEFAULT '', default_qos TEXT NOT NULL DEFAULT '',"
        " min_prio TEXT NOT NULL DEFAULT '', grp_tres_mins TEXT NOT NULL DEFAULT '', grp_tres_run_mins TEXT NOT NULL DEFAULT '',"
        " grp_wall TEXT NOT NULL DEFAULT '', grp_accrue TEXT NOT NULL DEFAULT '', max_accrue TEXT NOT NULL DEFAULT '',"
        " priority TEXT NOT NULL DEFAULT '', UNIQUE (cluster, account, user, partition));",
};
const size_t n_accounting_steps = ELEMENTSOF(accounting_steps);

#define TEXT(field)   #field " TEXT NOT NULL DEFAULT ''",
#define NUMBER(field) #field " INTEGER NOT NULL DEFAULT 0",
#define TIME(field)   #field " REAL NOT NULL DEFAULT 0",
static const char *const job_columns[] = { ENDED_TEXTS(TEXT) ENDED_NUMBERS(NUMBER)
                        ENDED_TIMES(TIME) };
static const char *const step_columns[] = { ENDED_STEP_TEXTS(TEXT) ENDED_STEP_NUMBERS(NUMBER)
                        ENDED_STEP_TIMES(TIME) };
#undef TEXT
#undef NUMBER
#undef TIME

const char *const *accounting_job_columns(size_t *ret_n) {
        *ret_n = ELEMENTSOF(job_columns);
        return job_columns;
}

const char *const *accounting_step_columns(size_t *ret_n) {
        *ret_n = ELEMENTSOF(step_columns);
        return step_columns;
}
