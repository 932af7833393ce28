/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/job_fields.h - the request of a job: one list with a row for each field
 *
 * The rows generate struct job_spec and its copy, the record and the protocol's message
 * (records/record.c), the key that identifies equal requests (preempt/request.c), columns of the
 * accounts (model/ended.h, records/ended_rows.c, store/accounting_schema.c), the replay of accounts
 * (sim/), options of stories and fields of job_submit.lua (submit/fields.c).  The name of a field
 * is also the name of the protocol's field, of the column and, with dashes, of the story's option.
 *
 * A row is
 *   ROW(X, type, field, keyed, kept, lua, key)                  for a number
 *   ROW(X, type, field, limit, keyed, kept, lua, key)           for a text
 *   ROW(X, type, field, wire's name, last value, keyed, kept)   for an enum
 *
 * limit: longer values are refused at submission (requests/submit_requests.c)
 *   LINE(bytes)   without control characters
 *   LINES(bytes)  control characters allowed
 * keyed: whether the field decides where a job may run
 *   KEYED      yes: part of the key
 *   OTHERWISE  the key has values derived from the field (partition, node sets, sizes in force), or
 *              has the field only where needed
 *   NO         never
 * kept: whether the accounting row of the ended job has the field
 *   REPLAYED   in the column with the field's name, and slumber-sim --accounting requests it again
 *   KEPT       in the column with the field's name
 *   OTHERWISE  in a column with a different name, or as the value in force
 *   NO         never
 * lua: how job_submit.lua has the field in job_desc under the field's name (the kinds of
 *   submit/fields.c)
 *   NO         not at all, or by a row of submit/fields.c: with another name or another form
 * key: the field's key of scontrol update, for job_submit.lua; NULL: none */
#pragma once

/* clang-format off */

/* Texts; NULL: not requested. */
#define JOB_TEXTS(ROW, X)                                                                          \
        ROW(X, char *, name, LINE(TEXT_MAX), NO, KEPT, TEXT, "JobName")                            \
        /* a list */                                                                               \
        ROW(X, char *, partition, LINE(TEXT_MAX), OTHERWISE, OTHERWISE, TEXT, "Partition")         \
        ROW(X, char *, account, LINE(TEXT_MAX), OTHERWISE, KEPT, TEXT, "Account")                  \
        ROW(X, char *, qos, LINE(TEXT_MAX), OTHERWISE, KEPT, TEXT, "QOS")                          \
        /* the request; qos is in force */                                                         \
        ROW(X, char *, qos_req, LINE(TEXT_MAX), NO, KEPT, NO, NULL)                                \
        ROW(X, char *, comment, LINE(TEXT_MAX), NO, KEPT, TEXT, "Comment")                         \
        ROW(X, char *, extra, LINE(TEXT_MAX), NO, KEPT, TEXT, "Extra")                             \
        ROW(X, char *, command, LINE(TEXT_MAX), NO, NO, NO, NULL)                                  \
        ROW(X, char *, work_dir, LINE(TEXT_MAX), NO, KEPT, TEXT, "WorkDir")                        \
        ROW(X, char *, std_in, LINE(TEXT_MAX), NO, KEPT, TEXT, NULL)                               \
        ROW(X, char *, std_out, LINE(TEXT_MAX), NO, KEPT, TEXT, "StdOut")                          \
        ROW(X, char *, std_err, LINE(TEXT_MAX), NO, KEPT, TEXT, NULL)                              \
        ROW(X, char *, features, LINE(TEXT_MAX), KEYED, KEPT, TEXT, "Features")                    \
        ROW(X, char *, prefer, LINE(TEXT_MAX), KEYED, REPLAYED, TEXT, "Prefer")                    \
        ROW(X, char *, batch_features, LINE(TEXT_MAX), NO, NO, TEXT, NULL)                         \
        /* -m of steps, as requested */                                                            \
        ROW(X, char *, distribution, LINE(TEXT_MAX), NO, REPLAYED, NO, NULL)                       \
        ROW(X, char *, mcs_label, LINE(TEXT_MAX), OTHERWISE, REPLAYED, TEXT, NULL)                 \
        ROW(X, char *, req_nodes, LINE(TEXT_MAX), OTHERWISE, KEPT, TEXT, "NodeList")               \
        ROW(X, char *, exc_nodes, LINE(TEXT_MAX), OTHERWISE, KEPT, TEXT, "ExcNodeList")            \
        ROW(X, char *, submit_host, LINE(TEXT_MAX), NO, KEPT, NO, NULL)                            \
        ROW(X, char *, submit_line, LINE(TEXT_MAX), NO, KEPT, NO, NULL)                            \
        ROW(X, char *, wckey, LINE(TEXT_MAX), NO, REPLAYED, TEXT, "WCKey")                         \
        ROW(X, char *, mail_user, LINE(4096), NO, NO, TEXT, "MailUser") /* NULL: the job's user */ \
        ROW(X, char *, dependency, LINE(TEXT_MAX), NO, KEPT, TEXT, "Dependency")                   \
        ROW(X, char *, array, LINE(TEXT_MAX), NO, NO, NO, NULL)                                    \
        ROW(X, char *, licenses, LINE(TEXT_MAX), OTHERWISE, REPLAYED, TEXT, "Licenses")            \
        ROW(X, char *, tres_per_node, LINE(TEXT_MAX), KEYED, REPLAYED, GRES, "Gres")               \
        ROW(X, char *, tres_per_socket, LINE(TEXT_MAX), KEYED, REPLAYED, GRES, "TresPerSocket")    \
        ROW(X, char *, tres_per_task, LINE(TEXT_MAX), KEYED, REPLAYED, GRES, "TresPerTask")        \
        ROW(X, char *, tres_per_job, LINE(TEXT_MAX), KEYED, REPLAYED, GRES, "TresPerJob")          \
        ROW(X, char *, hook_variables, LINES(TEXT_MAX), NO, NO, NO, NULL)                          \
        ROW(X, char *, cpu_freq, LINE(4096), NO, NO, NO, NULL) /* --cpu-freq: lib/step/cpufreq.h */\
        /* --tres-bind: lib/step/gpubind.h */                                                      \
        ROW(X, char *, tres_bind, LINE(4096), NO, NO, NO, NULL)                                    \
        ROW(X, char *, container, LINE(TEXT_MAX), KEYED, KEPT, TEXT, NULL)                         \
        ROW(X, char *, reservation, LINE(TEXT_MAX), OTHERWISE, KEPT, TEXT, "Reservation")

/* Numbers; 0 or false: not requested. */
#define JOB_NUMBERS(ROW, X)                                                                        \
        ROW(X, uint64_t, mem_per_node, OTHERWISE, OTHERWISE, NO, NULL) /* MB, like the next two */ \
        ROW(X, uint64_t, mem_per_cpu, OTHERWISE, OTHERWISE, NO, NULL)                              \
        ROW(X, uint64_t, mem_per_gpu, OTHERWISE, OTHERWISE, NO, NULL)                              \
        ROW(X, uint64_t, token, NO, NO, NO, NULL) /* srun's token for finding its allocation */    \
        ROW(X, uint32_t, min_nodes, OTHERWISE, KEPT, NODES, "NumNodes")                            \
        ROW(X, uint32_t, max_nodes, OTHERWISE, KEPT, NODES, "NumNodes")                            \
        ROW(X, uint32_t, num_tasks, OTHERWISE, OTHERWISE, NO, NULL)                                \
        ROW(X, uint32_t, cpus_per_task, OTHERWISE, OTHERWISE, SHORT, "CPUsPerTask")                \
        ROW(X, uint32_t, ntasks_per_node, KEYED, KEPT, NO, NULL)                                   \
        ROW(X, uint32_t, min_cpus_node, OTHERWISE, OTHERWISE, NO, NULL)                            \
        ROW(X, uint32_t, submit_pid, NO, NO, NO, NULL)                                             \
        ROW(X, uint32_t, x11, NO, NO, NO, NULL) /* enum x11_nodes */                               \
        ROW(X, uint32_t, cpus_per_gpu, OTHERWISE, OTHERWISE, NO, NULL)                             \
        ROW(X, uint32_t, ntasks_per_gpu, KEYED, REPLAYED, SHORT, NULL)                             \
        ROW(X, int32_t, nice, NO, KEPT, NO, NULL)                                                  \
        ROW(X, uint32_t, priority, NO, OTHERWISE, NO, NULL)                                        \
        /* 0 default, 1 yes, 2 no; like the next two */                                            \
        ROW(X, uint32_t, requeue, NO, NO, CHOICE, "Requeue")                                       \
        ROW(X, uint32_t, wait_all_nodes, NO, NO, CHOICE, NULL)                                     \
        ROW(X, uint32_t, kill_on_invalid_dep, NO, NO, NO, NULL)                                    \
        ROW(X, uint32_t, tmp_disk, KEYED, REPLAYED, NO, NULL) /* MB */                             \
        ROW(X, uint32_t, warn_signal, NO, NO, NO, NULL) /* sent warn_time before the time limit */ \
        ROW(X, uint32_t, mail_type, NO, NO, NO, NULL) /* lib/mailtype.h */                         \
        /* minimum, like the next two */                                                           \
        ROW(X, uint32_t, sockets_per_node, KEYED, REPLAYED, SHORT, "ReqSockets")                   \
        ROW(X, uint32_t, cores_per_socket, KEYED, REPLAYED, SHORT, "ReqCores")                     \
        ROW(X, uint32_t, threads_per_core, KEYED, REPLAYED, SHORT, "ReqThreads")                   \
        ROW(X, uint32_t, ntasks_per_socket, KEYED, REPLAYED, SHORT, NULL) /* maximum, also next */ \
        ROW(X, uint32_t, ntasks_per_core, KEYED, REPLAYED, SHORT, NULL)                            \
        ROW(X, uint32_t, switches, KEYED, REPLAYED, NO, NULL) /* maximum of leaf switches */       \
        ROW(X, uint32_t, core_spec, KEYED, NO, NO, NULL) /* specialized cores per node, plus 1 */  \
        ROW(X, uint32_t, thread_spec, KEYED, NO, NO, NULL) /* specialized threads, plus 1 */       \
        /* neither this nor the next: JobFileAppend */                                             \
        ROW(X, bool, append_output, NO, NO, NO, NULL)                                              \
        ROW(X, bool, truncate_output, NO, NO, NO, NULL)                                            \
        ROW(X, bool, hold, NO, NO, NO, NULL)                                                       \
        ROW(X, bool, no_kill, NO, NO, NO, NULL)                                                    \
        ROW(X, bool, batch, NO, KEPT, NO, NULL)                                                    \
        ROW(X, bool, tasks_set, OTHERWISE, OTHERWISE, NO, NULL)                                    \
        ROW(X, bool, overcommit, KEYED, REPLAYED, FLAG, NULL)                                      \
        ROW(X, bool, all_memory, NO, REPLAYED, NO, NULL)                                           \
        ROW(X, bool, warn_batch, NO, NO, NO, NULL) /* only to the script's shell, else to steps */ \
        ROW(X, bool, oom_kill_step, NO, NO, NO, NULL)                                              \
        ROW(X, bool, stepmgr, NO, NO, NO, NULL) /* --stepmgr: a step manager on the node */        \
        ROW(X, bool, container_dir, NO, NO, NO, NULL)                                              \
        ROW(X, bool, borrows, OTHERWISE, NO, NO, NULL) /* --signal=R: resv_lends() */              \
        ROW(X, bool, stays, NO, NO, NO, NULL) /* outlives its salloc once allocated */             \
        ROW(X, bool, contiguous, KEYED, REPLAYED, FLAG, "Contiguous")                              \
        ROW(X, bool, spread_job, KEYED, REPLAYED, NO, NULL)                                        \
        ROW(X, bool, use_min_nodes, KEYED, REPLAYED, NO, NULL)                                     \
        ROW(X, bool, one_core_per_socket, KEYED, REPLAYED, NO, NULL)                               \
        ROW(X, bool, reboot, KEYED, NO, NO, NULL) /* reboot the nodes first; implies exclusive */

/* begin_time and deadline are points in time, the rest durations; 0: not requested. */
#define JOB_TIMES(ROW, X)                                                                          \
        /* 0: the partition's limit */                                                             \
        ROW(X, usec_t, time_limit, OTHERWISE, OTHERWISE, MINUTES, "TimeLimit")                     \
        /* lowest limit that backfill may set */                                                   \
        ROW(X, usec_t, time_min, NO, REPLAYED, MINUTES, "TimeMin")                                 \
        ROW(X, usec_t, begin_time, NO, OTHERWISE, TIME, "EligibleTime")                            \
        /* must end by then, or never starts */                                                    \
        ROW(X, usec_t, deadline, NO, OTHERWISE, TIME_OR_NONE, "Deadline")                          \
        ROW(X, usec_t, warn_time, OTHERWISE, NO, NO, NULL)                                         \
        ROW(X, usec_t, switch_wait, NO, REPLAYED, NO, NULL)                                        \
        /* no reboot for features before; 1 us: no delay */                                        \
        ROW(X, usec_t, delay_boot, NO, NO, NO, NULL)

/* Enums; a value above the last is read as the last value; UINT32_MAX: checked at admission. */
#define JOB_ENUMS(ROW, X)                                                                          \
        ROW(X, enum job_share, share, oversubscribe, UINT32_MAX, KEYED, OTHERWISE)                 \
        ROW(X, enum gres_binding, gres_binding, gres_binding, GRES_BINDING_DISABLED,              \
            KEYED, REPLAYED)                                                                       \
        ROW(X, enum distribution, socket_distribution, socket_distribution, DISTRIBUTION_FCYCLIC,  \
            KEYED, REPLAYED) /* distribution of units over a node's sockets */

/* clang-format on */

/* ---- selections: X(field), unless noted ---- */

#define JOB_KEYED_KEYED(...) __VA_ARGS__
#define JOB_KEYED_OTHERWISE(...)
#define JOB_KEYED_NO(...)
#define JOB_KEPT_REPLAYED(...) __VA_ARGS__
#define JOB_KEPT_KEPT(...)     __VA_ARGS__
#define JOB_KEPT_OTHERWISE(...)
#define JOB_KEPT_NO(...)
#define JOB_REPLAYED_REPLAYED(...) __VA_ARGS__
#define JOB_REPLAYED_KEPT(...)
#define JOB_REPLAYED_OTHERWISE(...)
#define JOB_REPLAYED_NO(...)

#define JOB_LUA_TEXT(...)         __VA_ARGS__
#define JOB_LUA_GRES(...)         __VA_ARGS__
#define JOB_LUA_SHORT(...)        __VA_ARGS__
#define JOB_LUA_NODES(...)        __VA_ARGS__
#define JOB_LUA_MINUTES(...)      __VA_ARGS__
#define JOB_LUA_TIME(...)         __VA_ARGS__
#define JOB_LUA_TIME_OR_NONE(...) __VA_ARGS__
#define JOB_LUA_FLAG(...)         __VA_ARGS__
#define JOB_LUA_CHOICE(...)       __VA_ARGS__
#define JOB_LUA_NO(...)

#define JOB_TEXT_LIMIT(X, type, field, limit, keyed, kept, ...) X(field, limit)
#define JOB_TEXT_FIELD(X, type, field, limit, keyed, kept, ...) X(field)
#define JOB_TEXT_KEYED(X, type, field, limit, keyed, kept, ...) JOB_KEYED_##keyed(X(field))
#define JOB_TEXT_KEPT(X, type, field, limit, keyed, kept, ...)  JOB_KEPT_##kept(X(field))
#define JOB_TEXT_REPLAYED(X, type, field, limit, keyed, kept, ...)                                 \
        JOB_REPLAYED_##kept(X(type, field))
#define JOB_ROW_FIELD(X, type, field, keyed, kept, ...)            X(field)
#define JOB_ROW_KEYED(X, type, field, keyed, kept, ...)            JOB_KEYED_##keyed(X(field))
#define JOB_ROW_KEPT(X, type, field, keyed, kept, ...)             JOB_KEPT_##kept(X(field))
#define JOB_ROW_REPLAYED(X, type, field, keyed, kept, ...)         JOB_REPLAYED_##kept(X(type, field))
#define JOB_TEXT_LUA(X, type, field, limit, keyed, kept, lua, key) JOB_LUA_##lua(X(field, key, lua))
#define JOB_ROW_LUA(X, type, field, keyed, kept, lua, key)         JOB_LUA_##lua(X(field, key, lua))
#define JOB_ENUM_FIELD(X, type, field, wire, last, keyed, kept)    X(type, field, wire, last)
#define JOB_ENUM_KEYED(X, type, field, wire, last, keyed, kept)    JOB_KEYED_##keyed(X(field))
#define JOB_ENUM_KEPT(X, type, field, wire, last, keyed, kept)     JOB_KEPT_##kept(X(field))
#define JOB_ENUM_REPLAYED(X, type, field, wire, last, keyed, kept)                                 \
        JOB_REPLAYED_##kept(X(type, field, last))

#define JOB_TEXTS_LIMITS(X)     JOB_TEXTS(JOB_TEXT_LIMIT, X) /* X(field, limit, lines) */
#define JOB_TEXTS_ALL(X)        JOB_TEXTS(JOB_TEXT_FIELD, X)
#define JOB_VALUES_ALL(X)       JOB_NUMBERS(JOB_ROW_FIELD, X) JOB_TIMES(JOB_ROW_FIELD, X)
#define JOB_ENUMS_ALL(X)        JOB_ENUMS(JOB_ENUM_FIELD, X) /* X(type, field, wire, last) */
#define JOB_TEXTS_KEYED(X)      JOB_TEXTS(JOB_TEXT_KEYED, X)
#define JOB_NUMBERS_KEYED(X)    JOB_NUMBERS(JOB_ROW_KEYED, X) JOB_ENUMS(JOB_ENUM_KEYED, X)
#define JOB_TEXTS_KEPT(X)       JOB_TEXTS(JOB_TEXT_KEPT, X)
#define JOB_NUMBERS_KEPT(X)     JOB_NUMBERS(JOB_ROW_KEPT, X) JOB_ENUMS(JOB_ENUM_KEPT, X)
#define JOB_TIMES_KEPT(X)       JOB_TIMES(JOB_ROW_KEPT, X)
#define JOB_TEXTS_LUA(X)        JOB_TEXTS(JOB_TEXT_LUA, X) /* X(field, key, lua) */
#define JOB_VALUES_LUA(X)       JOB_NUMBERS(JOB_ROW_LUA, X) JOB_TIMES(JOB_ROW_LUA, X)
#define JOB_TEXTS_REPLAYED(X)   JOB_TEXTS(JOB_TEXT_REPLAYED, X)  /* X(type, field) */
#define JOB_NUMBERS_REPLAYED(X) JOB_NUMBERS(JOB_ROW_REPLAYED, X) /* X(type, field) */
#define JOB_TIMES_REPLAYED(X)   JOB_TIMES(JOB_ROW_REPLAYED, X)   /* X(type, field) */
#define JOB_ENUMS_REPLAYED(X)   JOB_ENUMS(JOB_ENUM_REPLAYED, X)  /* X(type, field, last) */

/* The members of struct job_spec. */
#define JOB_TEXT_MEMBER(X, type, field, limit, keyed, kept, ...) type field;
#define JOB_ROW_MEMBER(X, type, field, keyed, kept, ...)         type field;
#define JOB_ENUM_MEMBER(X, type, field, wire, last, keyed, kept) type field;
#define JOB_SPEC_MEMBERS                                                                           \
        JOB_TEXTS(JOB_TEXT_MEMBER, )                                                               \
        JOB_NUMBERS(JOB_ROW_MEMBER, ) JOB_TIMES(JOB_ROW_MEMBER, ) JOB_ENUMS(JOB_ENUM_MEMBER, )
