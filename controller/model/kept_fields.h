/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/kept_fields.h - what is kept of a job, a node and a step: a row for each member
 *
 * Each member of struct job, job_node, step, node and energy has its row here.  These are made of
 * the rows: the record and what is restored of it (records/record.c, record_restore.c), what a task
 * of an array has from its array (indexes/array.c), the move of points in time when the clock is set
 * (orders/clock.c), the likeness of nodes in lists (records/record.c), what the accounts have as it
 * is (lives/ended.c), and the end of texts (job.c, node.c).  tests/unit/test_kept_fields.c fails
 * for a member without a row, and looks for each one in all of these.  What a job asks for is one
 * member, spec; job_fields.h has its rows.
 *
 * A row is ROW(X, kind, field, kept), for a node ROW(X, kind, field, kept, alike), for a job
 * ROW(X, kind, field, kept, task, accounts, key).
 *
 * kind:
 *   VALUE      a number, a truth value or an enum
 *   TIME       a point in time: it moves with the clock
 *   TIME_APART likewise, but orders/clock.c moves it by hand
 *   TEXT       allocated; NULL and "" are both nothing
 *   REF        a pointer to something else that is only referred to
 *   OTHER      anything else
 * kept: is it in the record?
 *   SAME       in the field of its name, which clients are told, too
 *   STORED     in the field of its name, in what is stored alone
 *   TOLD       in the field of its name, but not read back
 *   APART      in a field of another name, or in another form: by hand, in both directions
 *   MADE       no: it is made again from the others
 *   CONFIG     no: slurm.conf and its like have it
 *   AGENT      no: the node's agent tells it again
 *   LOST       no: it is of this controller's time, and begins anew with the next one
 * task: does a task that leaves the rest of its array have it from there?
 *   SAME       yes, as it is
 *   APART      yes, by hand: another object, or another name of it
 *   OWN        no
 * accounts: does the row of the accounts that tells of the job's end say what it is?
 *   SAME       yes, in a column of its name
 *   APART      yes, in another form or under another name: by hand, in lives/ended.c
 *   NO         no
 * key: do two jobs that differ in it make two requests (preempt/request.c)?
 *   KEYED      yes
 *   NO         no
 * alike: are two nodes that differ in it two rows of a list?
 *   SAME       yes
 *   APART      yes, where that shows: nodes_alike() looks at it by hand
 *   NO         no */
#pragma once

/* One row a line: */
/* clang-format off */

/* Of struct job: kind, field, kept, task, accounts, key. */
#define JOB_MEMBERS(ROW, X)                                                                        \
        ROW(X, VALUE, id, SAME, OWN, APART, NO)                                                    \
        ROW(X, VALUE, uid, SAME, SAME, SAME, KEYED)                                                \
        ROW(X, VALUE, gid, SAME, SAME, SAME, NO)                                                   \
        ROW(X, TEXT, user, SAME, SAME, SAME, KEYED)                                                \
        ROW(X, TEXT, group, SAME, SAME, APART, NO)                                                 \
        ROW(X, OTHER, spec, APART, APART, APART, KEYED)                                            \
        ROW(X, REF, partition, APART, SAME, APART, KEYED)                                          \
        ROW(X, REF, assoc, MADE, SAME, NO, KEYED)                                                  \
        ROW(X, REF, resv, MADE, SAME, NO, KEYED) /* of spec.reservation */                         \
        ROW(X, TEXT, resv_asked, APART, OWN, NO, NO) /* reservation_asked */                       \
        ROW(X, VALUE, attracted, SAME, OWN, NO, NO)                                                \
        ROW(X, REF, qos, MADE, SAME, NO, KEYED)                                                    \
        ROW(X, OTHER, charge, MADE, OWN, NO, NO)                                                   \
        ROW(X, VALUE, state, APART, OWN, APART, NO)                                                \
        ROW(X, VALUE, completing, APART, OWN, NO, NO)                                              \
        ROW(X, VALUE, configuring, APART, OWN, APART, NO)                                          \
        ROW(X, VALUE, held_by_admin, SAME, SAME, NO, NO)                                           \
        ROW(X, VALUE, held_by_user, SAME, SAME, NO, NO)                                            \
        ROW(X, VALUE, requeue_wanted, SAME, OWN, NO, NO)                                           \
        ROW(X, VALUE, suspended_by_user, SAME, OWN, NO, NO)                                        \
        ROW(X, VALUE, gang_at, SAME, OWN, NO, NO)                                                  \
        ROW(X, VALUE, gang_filler, SAME, OWN, NO, NO)                                              \
        ROW(X, VALUE, gang_next, LOST, OWN, NO, NO)                                                \
        ROW(X, VALUE, gang_listed, MADE, OWN, NO, NO)                                              \
        ROW(X, VALUE, gang_mark, LOST, OWN, NO, NO)                                                \
        ROW(X, VALUE, no_suspend, SAME, OWN, NO, NO)                                               \
        ROW(X, TIME, may_stop_again, SAME, OWN, NO, NO)                                            \
        ROW(X, VALUE, stop_failures, SAME, OWN, NO, NO)                                            \
        ROW(X, TEXT, no_suspend_why, SAME, OWN, NO, NO)                                            \
        ROW(X, VALUE, no_reclaim, SAME, OWN, NO, NO)                                               \
        ROW(X, TIME, may_give_again, SAME, OWN, NO, NO)                                            \
        ROW(X, TEXT, no_reclaim_why, SAME, OWN, NO, NO)                                            \
        ROW(X, TIME, answers_due, MADE, OWN, NO, NO) /* of what is asked again */                  \
        ROW(X, TIME, orphan_due, LOST, OWN, NO, NO) /* its command connects again, or does not */  \
        ROW(X, TIME, holder_asked, LOST, OWN, NO, NO)                                              \
        ROW(X, VALUE, holder_late, LOST, OWN, NO, NO)                                              \
        ROW(X, VALUE, limited_steps, MADE, OWN, NO, NO)                                            \
        ROW(X, VALUE, withdrawn, LOST, OWN, NO, NO) /* it is forgotten in the same turn */         \
        ROW(X, TIME, step_orphans_due, LOST, OWN, NO, NO)                                          \
        ROW(X, TIME, heard_by, LOST, OWN, NO, NO)                                                  \
        ROW(X, TIME, said_end, LOST, OWN, NO, NO)                                                  \
        ROW(X, TIME, known_over, LOST, OWN, NO, NO)                                                \
        ROW(X, VALUE, steps_late, LOST, OWN, NO, NO)                                               \
        ROW(X, TIME, steps_told, LOST, OWN, NO, NO)                                                \
        ROW(X, VALUE, asked_again, SAME, OWN, NO, NO)                                              \
        ROW(X, VALUE, draws, SAME, OWN, APART, NO)                                                 \
        ROW(X, VALUE, energy, SAME, OWN, APART, NO)                                                \
        ROW(X, VALUE, batch_energy, SAME, OWN, NO, NO)                                             \
        ROW(X, VALUE, batch_told, SAME, OWN, NO, NO)                                               \
        ROW(X, VALUE, launched, SAME, OWN, NO, NO)                                                 \
        ROW(X, VALUE, launch_sent, LOST, OWN, NO, NO) /* it is sent again */                       \
        ROW(X, TIME, launch_due, LOST, OWN, NO, NO)                                                \
        ROW(X, VALUE, lost_launches, SAME, OWN, NO, NO)                                            \
        ROW(X, VALUE, requeue, SAME, SAME, NO, NO)                                                 \
        ROW(X, VALUE, warned, SAME, OWN, NO, NO)                                                   \
        ROW(X, VALUE, mail_told, SAME, OWN, NO, NO)                                                \
        ROW(X, VALUE, now_or_never, LOST, OWN, NO, NO) /* it has started, or its command is gone */\
        ROW(X, VALUE, preempt_mode, SAME, OWN, NO, NO)                                             \
        ROW(X, VALUE, preemptor, SAME, OWN, NO, NO)                                                \
        ROW(X, VALUE, preemptions, SAME, OWN, NO, NO)                                              \
        ROW(X, TIME, grace_end, SAME, OWN, NO, NO)                                                 \
        ROW(X, OTHER, claim, APART, OWN, NO, NO)                                                   \
        ROW(X, REF, claim_in, APART, OWN, NO, NO)                                                  \
        ROW(X, VALUE, claim_tasks, APART, OWN, NO, NO)                                             \
        ROW(X, VALUE, claim_waits, LOST, OWN, NO, NO)                                              \
        ROW(X, VALUE, claim_turn, MADE, OWN, NO, NO)                                               \
        ROW(X, VALUE, reason, APART, SAME, APART, NO)                                              \
        ROW(X, TEXT, reason_text, SAME, SAME, NO, NO)                                              \
        ROW(X, TEXT, notice, STORED, OWN, NO, NO)                                                  \
        ROW(X, TEXT, kill_reason, SAME, OWN, NO, NO)                                               \
        ROW(X, VALUE, priority, SAME, SAME, SAME, KEYED)                                           \
        ROW(X, VALUE, outranks, MADE, OWN, NO, NO)                                                 \
        ROW(X, VALUE, restarts, SAME, OWN, SAME, NO)                                               \
        ROW(X, VALUE, exit_code, SAME, OWN, SAME, NO)                                              \
        ROW(X, VALUE, derived_exit_code, SAME, OWN, SAME, NO)                                      \
        ROW(X, VALUE, cancelled_by, SAME, OWN, APART, NO)                                          \
        ROW(X, TIME, submit_time, SAME, SAME, APART, NO)                                           \
        ROW(X, TIME, queued_time, SAME, SAME, APART, NO)                                           \
        ROW(X, TIME_APART, eligible_time, SAME, SAME, APART, NO) /* with spec.begin_time */        \
        ROW(X, TIME, accrue_time, SAME, SAME, NO, NO)                                              \
        ROW(X, TIME, start_time, SAME, OWN, APART, NO)                                             \
        ROW(X, TIME, end_time, SAME, OWN, NO, NO)                                                  \
        ROW(X, TIME, suspend_time, SAME, OWN, NO, NO)                                              \
        ROW(X, TIME, last_sched_eval, SAME, SAME, NO, NO)                                          \
        ROW(X, TIME, configure_time, SAME, OWN, NO, NO)                                            \
        ROW(X, TIME, preempt_time, SAME, OWN, NO, NO)                                              \
        ROW(X, TIME, up_by, LOST, OWN, NO, NO)                                                     \
        ROW(X, VALUE, ran_before, APART, OWN, APART, NO) /* pre_suspend */                         \
        ROW(X, TIME, resumed_at, SAME, OWN, APART, NO)                                             \
        ROW(X, TIME, not_before, SAME, OWN, NO, NO)                                                \
        ROW(X, TIME, resize_time, SAME, OWN, APART, NO)                                            \
        ROW(X, VALUE, resize_ran, SAME, OWN, APART, NO)                                            \
        ROW(X, VALUE, usage_charged, MADE, OWN, NO, NO)                                            \
        ROW(X, VALUE, time_limit, SAME, SAME, SAME, KEYED)                                         \
        ROW(X, TIME, armed, MADE, OWN, NO, NO)                                                     \
        ROW(X, VALUE, mem_per_node, SAME, SAME, SAME, KEYED)                                       \
        ROW(X, VALUE, mem_per_cpu, SAME, SAME, SAME, KEYED)                                        \
        ROW(X, VALUE, mem_per_gpu, SAME, SAME, SAME, KEYED)                                        \
        ROW(X, VALUE, cpus_per_task, SAME, SAME, SAME, KEYED)                                      \
        ROW(X, VALUE, min_cpus_node, SAME, SAME, SAME, KEYED)                                      \
        ROW(X, VALUE, cpus_per_gpu, SAME, SAME, SAME, KEYED)                                       \
        ROW(X, OTHER, alloc, APART, OWN, APART, NO)                                                \
        ROW(X, VALUE, n_alloc, APART, OWN, APART, NO)                                              \
        ROW(X, VALUE, batch_at, APART, OWN, NO, NO) /* batch_host */                               \
        ROW(X, OTHER, gres, APART, OWN, APART, NO) /* in AllocNode */                              \
        ROW(X, VALUE, n_gres, APART, OWN, APART, NO)                                               \
        ROW(X, OTHER, units, APART, OWN, NO, NO) /* in AllocNode */                                \
        ROW(X, OTHER, nodes, APART, OWN, NO, NO)                                                   \
        ROW(X, VALUE, num_cpus, SAME, OWN, APART, NO)                                              \
        ROW(X, OTHER, steps, APART, OWN, NO, NO)                                                   \
        ROW(X, VALUE, n_steps, APART, OWN, NO, NO)                                                 \
        ROW(X, VALUE, a_steps, MADE, OWN, NO, NO)                                                  \
        ROW(X, VALUE, next_step, SAME, OWN, NO, NO)                                                \
        ROW(X, OTHER, features, MADE, APART, NO, KEYED)                                            \
        ROW(X, OTHER, prefer, MADE, APART, NO, NO)                                                 \
        ROW(X, VALUE, prefer_alone, SAME, SAME, NO, KEYED)                                         \
        ROW(X, TEXT, admin_comment, SAME, SAME, SAME, NO)                                          \
        ROW(X, VALUE, site_factor, SAME, SAME, NO, NO)                                             \
        ROW(X, VALUE, ordered, SAME, SAME, NO, KEYED)                                              \
        ROW(X, VALUE, limit_asked, SAME, SAME, APART, NO)                                          \
        ROW(X, TIME, switches_since, SAME, OWN, NO, NO)                                            \
        ROW(X, VALUE, switches_armed, LOST, OWN, NO, NO)                                           \
        ROW(X, VALUE, preferred, LOST, OWN, NO, NO)                                                \
        ROW(X, OTHER, req_nodes, MADE, APART, NO, KEYED)                                           \
        ROW(X, OTHER, exc_nodes, MADE, APART, NO, KEYED)                                           \
        ROW(X, OTHER, licenses, MADE, APART, APART, NO)                                            \
        ROW(X, OTHER, gres_wants, MADE, APART, APART, KEYED)                                       \
        ROW(X, OTHER, licenses_held, APART, OWN, APART, NO) /* licenses_alloc */                   \
        ROW(X, REF, array, APART, APART, APART, NO)                                                \
        ROW(X, VALUE, array_task, APART, OWN, APART, NO)                                           \
        ROW(X, OTHER, depends, APART, APART, NO, NO)                                               \
        ROW(X, TIME, depend_due, MADE, OWN, NO, NO)                                                \
        ROW(X, OTHER, dependents, MADE, OWN, NO, NO)                                               \
        ROW(X, VALUE, n_dependents, MADE, OWN, NO, NO)                                             \
        ROW(X, VALUE, a_dependents, MADE, OWN, NO, NO)                                             \
        ROW(X, REF, token_next, MADE, OWN, NO, NO)                                                 \
        ROW(X, REF, name_next, MADE, OWN, NO, NO)                                                  \
        ROW(X, REF, name_prev, MADE, OWN, NO, NO)                                                  \
        ROW(X, OTHER, one, MADE, OWN, NO, NO)                                                      \
        ROW(X, OTHER, bids, MADE, OWN, NO, NO)                                                     \
        ROW(X, VALUE, n_bids, MADE, OWN, NO, NO)                                                   \
        ROW(X, VALUE, apart, MADE, OWN, NO, NO)                                                    \
        ROW(X, REF, current, LOST, OWN, NO, NO)                                                    \
        ROW(X, OTHER, plan, MADE, OWN, NO, NO)                                                     \
        ROW(X, VALUE, queue_at, MADE, OWN, NO, NO)                                                 \
        ROW(X, VALUE, dirty, LOST, OWN, NO, NO)

/* Of struct job_node, a part of an allocation: kind, field, kept. */
#define JOB_NODE_MEMBERS(ROW, X)                                                                   \
        ROW(X, REF, node, APART) /* name */                                                        \
        ROW(X, VALUE, cpus, SAME)                                                                  \
        ROW(X, VALUE, memory, APART) /* mem, as in the names of the last ones */                   \
        ROW(X, VALUE, units_at, MADE)                                                              \
        ROW(X, VALUE, used, SAME)                                                                  \
        ROW(X, VALUE, done, SAME)                                                                  \
        ROW(X, VALUE, stopped, SAME)                                                               \
        ROW(X, VALUE, unstoppable, SAME)                                                           \
        ROW(X, VALUE, serial, LOST)                                                                \
        ROW(X, VALUE, unanswered, MADE)                                                            \
        ROW(X, VALUE, overdue, LOST)                                                               \
        ROW(X, OTHER, signals, APART)                                                              \
        ROW(X, TIME, due, MADE)                                                                    \
        ROW(X, VALUE, given, APART)                                                                \
        ROW(X, VALUE, owed, APART)                                                                 \
        ROW(X, VALUE, asked, APART)                                                                \
        ROW(X, VALUE, asked_for, APART)                                                            \
        ROW(X, VALUE, reclaiming, LOST) /* it is asked again */

/* Of struct step: kind, field, kept. */
#define STEP_MEMBERS(ROW, X)                                                                       \
        ROW(X, VALUE, id, SAME)                                                                    \
        ROW(X, TEXT, name, SAME)                                                                   \
        ROW(X, TEXT, host, SAME)                                                                   \
        ROW(X, TEXT, submit_line, SAME)                                                            \
        ROW(X, VALUE, pid, SAME)                                                                   \
        ROW(X, VALUE, num_tasks, SAME)                                                             \
        ROW(X, VALUE, cpus, APART) /* num_cpus */                                                  \
        ROW(X, TIME, start_time, SAME)                                                             \
        ROW(X, OTHER, nodes, APART) /* places */                                                   \
        ROW(X, OTHER, ended, APART)                                                                \
        ROW(X, OTHER, launched, APART)                                                             \
        ROW(X, VALUE, exit_code, SAME)                                                             \
        ROW(X, OTHER, tasks, APART)                                                                \
        ROW(X, OTHER, taken, APART) /* cpus */                                                     \
        ROW(X, OTHER, cores, APART)                                                                \
        ROW(X, VALUE, n_tasks_on, APART)                                                           \
        ROW(X, OTHER, place, APART) /* task_places */                                              \
        ROW(X, VALUE, mem_per_node, STORED)                                                        \
        ROW(X, VALUE, mem_per_cpu, STORED)                                                         \
        ROW(X, VALUE, token, STORED)                                                               \
        ROW(X, VALUE, cyclic, STORED)                                                              \
        ROW(X, VALUE, kill_on_bad_exit, STORED)                                                    \
        ROW(X, VALUE, plane, STORED)                                                               \
        ROW(X, VALUE, gres_kind, APART)                                                            \
        ROW(X, OTHER, gres, APART)                                                                 \
        ROW(X, VALUE, n_gres, APART)                                                               \
        ROW(X, TIME, orphan_due, LOST) /* its srun connects again, or does not */                  \
        ROW(X, VALUE, ran_before, STORED)                                                          \
        ROW(X, VALUE, time_limit, SAME)                                                            \
        ROW(X, TIME, timed_out, STORED)                                                            \
        ROW(X, VALUE, told, STORED)                                                                \
        ROW(X, TIME, ended_at, LOST) /* then it has ended when the last node says so */            \
        ROW(X, VALUE, cancelled_by, STORED)                                                        \
        ROW(X, VALUE, out_of_memory, STORED)                                                       \
        ROW(X, VALUE, user_cpu, STORED)                                                            \
        ROW(X, VALUE, system_cpu, STORED)                                                          \
        ROW(X, VALUE, sum_rss, STORED)                                                             \
        ROW(X, VALUE, most_rss, STORED)                                                            \
        ROW(X, TEXT, most_rss_on, STORED)                                                          \
        ROW(X, OTHER, measures, APART)                                                             \
        ROW(X, VALUE, energy, STORED)

/* Of struct node: kind, field, kept, alike. */
#define NODE_MEMBERS(ROW, X)                                                                       \
        ROW(X, VALUE, moment, LOST, NO)                                                            \
        ROW(X, VALUE, index, CONFIG, NO)                                                           \
        ROW(X, TEXT, name, TOLD, NO)                                                               \
        ROW(X, TEXT, address, SAME, NO)                                                            \
        ROW(X, TEXT, hostname, SAME, NO)                                                           \
        ROW(X, VALUE, port, CONFIG, SAME)                                                          \
        ROW(X, VALUE, weight, CONFIG, SAME)                                                        \
        ROW(X, VALUE, leaf, CONFIG, NO)                                                            \
        ROW(X, TEXT, features, TOLD, SAME)                                                         \
        ROW(X, TEXT, changeable, CONFIG, SAME)                                                     \
        ROW(X, TEXT, active, SAME, SAME)                                                           \
        ROW(X, TEXT, image, SAME, NO)                                                              \
        ROW(X, REF, helpers, CONFIG, NO)                                                           \
        ROW(X, TEXT, gres, TOLD, APART)                                                            \
        ROW(X, OTHER, gres_items, CONFIG, APART)                                                   \
        ROW(X, OTHER, sides, CONFIG, NO)                                                           \
        ROW(X, VALUE, n_sides, CONFIG, NO)                                                         \
        ROW(X, TEXT, gres_shown, CONFIG, APART)                                                    \
        ROW(X, VALUE, n_gres, CONFIG, APART)                                                       \
        ROW(X, OTHER, gpu_cores, AGENT, NO)                                                        \
        ROW(X, VALUE, n_gpu_cores, AGENT, NO)                                                      \
        ROW(X, OTHER, configured, CONFIG, APART)                                                   \
        ROW(X, OTHER, registered, APART, APART)                                                    \
        ROW(X, VALUE, free_memory_mb, AGENT, NO)                                                   \
        ROW(X, VALUE, load_100, AGENT, NO)                                                         \
        ROW(X, TEXT, arch, AGENT, NO)                                                              \
        ROW(X, TEXT, os, AGENT, NO)                                                                \
        ROW(X, TEXT, version, SAME, SAME)                                                          \
        ROW(X, VALUE, base, APART, APART) /* base_state */                                         \
        ROW(X, VALUE, power, APART, APART) /* power_state */                                       \
        ROW(X, VALUE, flags, SAME, APART)                                                          \
        ROW(X, TIME, last_busy, SAME, NO)                                                          \
        ROW(X, TIME, last_response, SAME, APART) /* does it have one? */                           \
        ROW(X, TIME, boot_time, SAME, NO)                                                          \
        ROW(X, TIME, start_time, SAME, NO)                                                         \
        ROW(X, TIME, power_request, SAME, NO)                                                      \
        ROW(X, TIME, suspended_at, SAME, NO)                                                       \
        ROW(X, TIME, lost_since, SAME, NO)                                                         \
        ROW(X, TIME, resume_after, SAME, NO)                                                       \
        ROW(X, TIME, common_at, SAME, NO)                                                          \
        ROW(X, TIME, retry_at, SAME, NO)                                                           \
        ROW(X, TIME, confirmed, SAME, NO)                                                          \
        ROW(X, TIME_APART, armed, MADE, NO) /* with the deadline heap */                           \
        ROW(X, OTHER, boots, APART, NO)                                                            \
        ROW(X, VALUE, n_boots, APART, NO)                                                          \
        ROW(X, VALUE, boots_usual, MADE, NO)                                                       \
        ROW(X, VALUE, boot_took, SAME, NO)                                                         \
        ROW(X, VALUE, next, SAME, NO)                                                              \
        ROW(X, VALUE, dynamic, CONFIG, APART)                                                      \
        ROW(X, VALUE, connected, LOST, NO)                                                         \
        ROW(X, VALUE, program_started, SAME, NO)                                                   \
        ROW(X, VALUE, suspending, LOST, NO)                                                        \
        ROW(X, VALUE, resuming, LOST, NO)                                                          \
        ROW(X, VALUE, late, MADE, NO)                                                              \
        ROW(X, VALUE, planned, MADE, APART) /* in the words of its state */                        \
        ROW(X, TEXT, bmc_address, SAME, NO)                                                        \
        ROW(X, TEXT, bmc_mac, SAME, NO)                                                            \
        ROW(X, TEXT, system_uuid, SAME, NO)                                                        \
        ROW(X, TEXT, system_serials, SAME, NO)                                                     \
        ROW(X, TEXT, system_macs, SAME, NO)                                                        \
        ROW(X, VALUE, watts, TOLD, NO)                                                             \
        ROW(X, REF, told, LOST, NO)                                                                \
        ROW(X, TEXT, veto, SAME, SAME)                                                             \
        ROW(X, VALUE, bmc_power, SAME, NO)                                                         \
        ROW(X, TIME, observed_at, SAME, NO)                                                        \
        ROW(X, TIME, off_read_at, SAME, NO)                                                        \
        ROW(X, TIME, answer_due, LOST, NO)                                                         \
        ROW(X, TIME, looked_at, LOST, NO)                                                          \
        ROW(X, TIME, asked_at, LOST, NO)                                                           \
        ROW(X, VALUE, awaited, LOST, NO)                                                           \
        ROW(X, VALUE, audit_strikes, LOST, NO)                                                     \
        ROW(X, OTHER, figures, CONFIG, NO)                                                         \
        ROW(X, VALUE, boots_in, CONFIG, NO)                                                        \
        ROW(X, VALUE, shuts_down_in, CONFIG, NO)                                                   \
        ROW(X, OTHER, energy, APART, NO)                                                           \
        ROW(X, VALUE, sharing_cpus, SAME, NO)                                                      \
        ROW(X, VALUE, suspend_time, CONFIG, NO)                                                    \
        ROW(X, VALUE, suspend_timeout, CONFIG, NO)                                                 \
        ROW(X, VALUE, resume_timeout, CONFIG, NO)                                                  \
        ROW(X, VALUE, wish_uid, SAME, NO)                                                          \
        ROW(X, VALUE, tries, SAME, NO)                                                             \
        ROW(X, VALUE, power_failures, SAME, NO)                                                    \
        ROW(X, VALUE, stays_on, SAME, NO)                                                          \
        ROW(X, TEXT, power_error, SAME, NO)                                                        \
        ROW(X, TEXT, reason, SAME, SAME)                                                           \
        ROW(X, TEXT, comment, SAME, SAME)                                                          \
        ROW(X, TEXT, extra, SAME, SAME)                                                            \
        ROW(X, TEXT, instance_id, SAME, SAME)                                                      \
        ROW(X, TEXT, instance_type, SAME, SAME)                                                    \
        ROW(X, OTHER, accounted, MADE, NO) /* of the accounts' own record */                       \
        ROW(X, TIME, reason_time, SAME, SAME)                                                      \
        ROW(X, VALUE, reason_uid, SAME, SAME)                                                      \
        ROW(X, VALUE, reclaims, SAME, SAME)                                                        \
        ROW(X, TEXT, no_reclaim, TOLD, SAME) /* its agent says it again */                         \
        ROW(X, VALUE, swap_free, AGENT, NO)                                                        \
        ROW(X, OTHER, jobs, MADE, APART) /* whose they are, where that restricts the node */       \
        ROW(X, VALUE, n_jobs, MADE, APART)                                                         \
        ROW(X, VALUE, a_jobs, MADE, NO)                                                            \
        ROW(X, OTHER, strays, AGENT, NO)                                                           \
        ROW(X, VALUE, n_strays, AGENT, NO)                                                         \
        ROW(X, VALUE, a_strays, AGENT, NO)                                                         \
        ROW(X, REF, resv, MADE, APART) /* in the words of its state */                             \
        ROW(X, OTHER, partitions, CONFIG, APART)                                                   \
        ROW(X, VALUE, n_partitions, CONFIG, APART)                                                 \
        ROW(X, VALUE, failed_launches, LOST, NO)                                                   \
        ROW(X, VALUE, failed_uid, LOST, NO)                                                        \
        ROW(X, VALUE, failed_for_many, LOST, NO)                                                   \
        ROW(X, VALUE, units, CONFIG, NO)                                                           \
        ROW(X, VALUE, cpus_per_unit, CONFIG, NO)                                                   \
        ROW(X, VALUE, cpus_used, MADE, SAME)                                                       \
        ROW(X, VALUE, units_used, MADE, NO)                                                        \
        ROW(X, VALUE, memory_used, MADE, SAME)                                                     \
        ROW(X, VALUE, memory_held, MADE, NO)

/* Of struct energy, of a node: kind, field, kept. */
#define ENERGY_MEMBERS(ROW, X)                                                                     \
        ROW(X, VALUE, draws, SAME)                                                                 \
        ROW(X, VALUE, saves, SAME)                                                                 \
        ROW(X, VALUE, used, SAME)                                                                  \
        ROW(X, VALUE, saved, SAME)                                                                 \
        ROW(X, TIME, at, SAME)                                                                     \
        ROW(X, TIME, from, SAME)                                                                   \
        ROW(X, VALUE, reading, SAME)                                                               \
        ROW(X, VALUE, read_in, SAME)                                                               \
        ROW(X, VALUE, idle_reading, SAME)                                                          \
        ROW(X, VALUE, per_cpu, SAME)

/* clang-format on */

/* ---- selections: JOB_MEMBERS(SELECTION, X) is X(field) for each row that is selected ---- */

/* KEPT_IF(word)(code) is the code where the word is one of those below, else nothing. */
#define KEPT_IF(...)           KEPT_SECOND(__VA_ARGS__, KEPT_NOTHING, )
#define KEPT_SECOND(a, b, ...) b
#define KEPT_CODE(...)         __VA_ARGS__
#define KEPT_NOTHING(...)
#define KEPT_YES               , KEPT_CODE

#define KEPT_VALUE_VALUE       KEPT_YES
#define KEPT_VALUE_TIME        KEPT_YES
#define KEPT_VALUE_TIME_APART  KEPT_YES
#define KEPT_VALUE_REF         KEPT_YES
#define KEPT_TIME_TIME         KEPT_YES
#define KEPT_TEXT_TEXT         KEPT_YES
#define KEPT_SHOWN_SAME        KEPT_YES
#define KEPT_SHOWN_TOLD        KEPT_YES
#define KEPT_STORED_STORED     KEPT_YES
#define KEPT_RESTORED_SAME     KEPT_YES
#define KEPT_RESTORED_STORED   KEPT_YES
#define KEPT_SAME_SAME         KEPT_YES

/* What each message has, what those for the store have besides, and what is read back. */
#define SHOWN_VALUES(X, kind, field, kept, ...)                                                    \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SHOWN_##kept)(X(field)))
#define SHOWN_TEXTS(X, kind, field, kept, ...)                                                     \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SHOWN_##kept)(X(field)))
#define STORED_VALUES(X, kind, field, kept, ...)                                                   \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_STORED_##kept)(X(field)))
#define STORED_TEXTS(X, kind, field, kept, ...)                                                    \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_STORED_##kept)(X(field)))
#define RESTORED_VALUES(X, kind, field, kept, ...)                                                 \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_RESTORED_##kept)(X(field)))
#define RESTORED_TEXTS(X, kind, field, kept, ...)                                                  \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_RESTORED_##kept)(X(field)))
/* Those whose task, alike or accounts is SAME. */
#define TASK_VALUES(X, kind, field, kept, task, ...)                                               \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SAME_##task)(X(field)))
#define TASK_TEXTS(X, kind, field, kept, task, ...)                                                \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SAME_##task)(X(field)))
#define ALIKE_VALUES(X, kind, field, kept, alike)                                                  \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SAME_##alike)(X(field)))
#define ALIKE_TEXTS(X, kind, field, kept, alike)                                                   \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SAME_##alike)(X(field)))
#define ACCOUNTS_VALUES(X, kind, field, kept, task, accounts, ...)                                 \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SAME_##accounts)(X(field)))
#define ACCOUNTS_TEXTS(X, kind, field, kept, task, accounts, ...)                                  \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SAME_##accounts)(X(field)))
#define MOVED_TIMES(X, kind, field, ...) KEPT_IF(KEPT_TIME_##kind)(X(field))
#define OWNED_TEXTS(X, kind, field, ...) KEPT_IF(KEPT_TEXT_##kind)(X(field))
