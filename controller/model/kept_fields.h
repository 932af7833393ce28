/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/model/kept_fields.h - storage of jobs, nodes and steps: a row for each member
 *
 * Each member of struct job, job_node, step, node, node_hardware and energy has a row.  The rows
 * generate the record and its restoration (records/record.c, record_restore.c), the copy from an
 * array to a task (indexes/array.c), the move of points in time when the clock is set
 * (orders/clock.c), the comparison of nodes for lists (records/record.c), plain columns of the
 * accounts (ended/ended.c), and the freeing of texts (job.c, node.c). tests/unit/test_kept_fields.c
 * fails for a member without a row, and checks each member in all of these uses.  The request of a
 * job is a single member, asked, with rows in job_fields.h.
 *
 * A row is
 *   ROW(X, kind, member, name, kept)                           for the remaining structs
 *   ROW(X, kind, member, name, kept, alike)                    for a node
 *   ROW(X, kind, member, name, kept, task, accounts, key)      for a job
 *
 * kind:
 *   VALUE      a number, a boolean or an enum
 *   TIME       a point in time: moved with the clock
 *   TIME_APART a point in time moved by hand in orders/clock.c: eligible_time stays with begin_time
 *   TEXT       allocated; NULL and "" are both empty
 *   REF        a borrowed pointer to an object stored elsewhere
 *   OTHER      any other type
 * name: name of the record's field and of the column in the accounts
 * kept: whether the record has the member
 *   SAME       in the field of that name, which clients also get
 *   STORED     in the field of that name, only in stored records
 *   TOLD       in the field of that name, but not restored
 *   APART      in a different form: by hand, in both directions
 *   MADE       no: derived from other members
 *   CONFIG     no: comes from slurm.conf and related files
 *   AGENT      no: reported again by the node's agent
 *   LOST       no: belongs to this process of the controller, and starts anew with the next one
 * task: whether a task that leaves the rest of its array takes over the member
 *   SAME       yes, as it is
 *   APART      yes, by hand: a different object, or under a different name
 *   OWN        no
 * accounts: whether the accounting row of an ended job has the member
 *   SAME       yes, in the column of that name
 *   APART      yes, in a different form or column: by hand, in ended/ended.c
 *   NO         no
 * key: whether jobs differing in the member have different requests (preempt/request.c)
 *   KEYED      yes
 *   NO         no
 * alike: whether nodes differing in the member get separate rows in a list
 *   SAME       yes
 *   APART      if the difference is visible: nodes_alike() compares by hand
 *   NO         no */
#pragma once

/* Each row stays on one line: */
/* clang-format off */

/* struct job: kind, member, name, kept, task, accounts, key. */
#define JOB_MEMBERS(ROW, X)                                                                        \
        ROW(X, VALUE, id, id, SAME, OWN, APART, NO)                                                \
        ROW(X, VALUE, uid, uid, SAME, SAME, SAME, KEYED)                                           \
        ROW(X, VALUE, gid, gid, SAME, SAME, SAME, NO)                                              \
        ROW(X, TEXT, user, user, SAME, SAME, SAME, KEYED)                                          \
        ROW(X, TEXT, group, group, SAME, SAME, APART, NO)                                          \
        ROW(X, OTHER, asked, spec, APART, APART, APART, KEYED)                                     \
        ROW(X, REF, partition, partition, APART, SAME, APART, KEYED)                               \
        ROW(X, REF, accounting.assoc, assoc, MADE, SAME, NO, KEYED)                                \
        ROW(X, REF, placed.resv, resv, MADE, SAME, NO, KEYED) /* see asked.reservation */           \
        ROW(X, TEXT, placed.resv_asked, reservation_asked, SAME, OWN, NO, NO)                      \
        ROW(X, VALUE, placed.attracted, attracted, SAME, OWN, NO, NO)                              \
        ROW(X, REF, accounting.qos, qos, MADE, SAME, NO, KEYED)                                    \
        ROW(X, OTHER, accounting.charge, charge, MADE, OWN, NO, NO)                                \
        ROW(X, VALUE, state, state, APART, OWN, APART, NO)                                         \
        ROW(X, VALUE, completing, completing, APART, OWN, NO, NO)                                  \
        ROW(X, VALUE, configuring, configuring, APART, OWN, APART, NO)                             \
        ROW(X, VALUE, held_by_admin, held_by_admin, SAME, SAME, NO, NO)                            \
        ROW(X, VALUE, held_by_user, held_by_user, SAME, SAME, NO, NO)                              \
        ROW(X, VALUE, held_priority, held_priority, SAME, SAME, NO, NO)                            \
        ROW(X, VALUE, special_exit, special_exit, SAME, OWN, NO, NO)                               \
        ROW(X, VALUE, running.requeue_wanted, requeue_wanted, SAME, OWN, NO, NO)                   \
        ROW(X, VALUE, stopping.suspended_by_user, suspended_by_user, SAME, OWN, NO, NO)            \
        ROW(X, VALUE, stopping.gang_at, gang_at, SAME, OWN, NO, NO)                                \
        ROW(X, VALUE, stopping.gang_filler, gang_filler, SAME, OWN, NO, NO)                        \
        ROW(X, VALUE, stopping.gang_next, gang_next, LOST, OWN, NO, NO)                            \
        ROW(X, VALUE, stopping.gang_listed, gang_listed, MADE, OWN, NO, NO)                        \
        ROW(X, VALUE, stopping.gang_mark, gang_mark, LOST, OWN, NO, NO)                            \
        ROW(X, VALUE, stopping.no_suspend, no_suspend, SAME, OWN, NO, NO)                          \
        ROW(X, VALUE, stopping.cannot_freeze, cannot_freeze, SAME, OWN, NO, NO)                    \
        ROW(X, TIME, stopping.may_stop_again, may_stop_again, SAME, OWN, NO, NO)                   \
        ROW(X, VALUE, stopping.stop_failures, stop_failures, SAME, OWN, NO, NO)                    \
        ROW(X, TEXT, stopping.no_suspend_why, no_suspend_why, SAME, OWN, NO, NO)                   \
        ROW(X, VALUE, stopping.no_reclaim, no_reclaim, SAME, OWN, NO, NO)                          \
        ROW(X, TIME, stopping.may_give_again, may_give_again, SAME, OWN, NO, NO)                   \
        ROW(X, TEXT, stopping.no_reclaim_why, no_reclaim_why, SAME, OWN, NO, NO)                   \
        ROW(X, TIME, stopping.answers_due, answers_due, MADE, OWN, NO, NO) /* repeated requests */     \
        ROW(X, TIME, running.orphan_due, orphan_due, LOST, OWN, NO, NO)                            \
        ROW(X, VALUE, running.holder.pid, holder_pid, STORED, OWN, NO, NO)                         \
        ROW(X, VALUE, running.holder.start, holder_start, STORED, OWN, NO, NO)                     \
        ROW(X, VALUE, running.holder.space, holder_space, STORED, OWN, NO, NO)                     \
        ROW(X, TIME, running.holder_asked, holder_asked, LOST, OWN, NO, NO)                        \
        ROW(X, VALUE, running.holder_late, holder_late, LOST, OWN, NO, NO)                         \
        ROW(X, VALUE, running.x11_forsaken, x11_forsaken, LOST, OWN, NO, NO)                       \
        ROW(X, TIME, running.x11_due, x11_due, LOST, OWN, NO, NO)                                  \
        ROW(X, VALUE, running.x11_attached, x11_attached, SAME, OWN, NO, NO)                       \
        ROW(X, VALUE, running.limited_steps, limited_steps, MADE, OWN, NO, NO)                     \
        ROW(X, VALUE, running.withdrawn, withdrawn, LOST, OWN, NO, NO)                             \
        ROW(X, TIME, running.step_orphans_due, step_orphans_due, LOST, OWN, NO, NO)                \
        ROW(X, TIME, running.heard_by, heard_by, LOST, OWN, NO, NO)                                \
        ROW(X, TIME, running.said_end, said_end, LOST, OWN, NO, NO)                                \
        ROW(X, TIME, running.known_over, known_over, LOST, OWN, NO, NO)                            \
        ROW(X, VALUE, running.steps_late, steps_late, LOST, OWN, NO, NO)                           \
        ROW(X, TIME, running.steps_told, steps_told, LOST, OWN, NO, NO)                            \
        ROW(X, VALUE, stopping.asked_again, asked_again, SAME, OWN, NO, NO)                        \
        ROW(X, VALUE, accounting.draws, draws, SAME, OWN, APART, NO)                               \
        ROW(X, VALUE, accounting.energy, energy, SAME, OWN, APART, NO)                             \
        ROW(X, VALUE, accounting.batch_energy, batch_energy, SAME, OWN, NO, NO)                    \
        ROW(X, VALUE, accounting.batch_told, batch_told, SAME, OWN, NO, NO)                        \
        ROW(X, VALUE, running.launched, launched, SAME, OWN, NO, NO)                               \
        ROW(X, VALUE, running.launch_sent, launch_sent, LOST, OWN, NO, NO) /* sent again */        \
        ROW(X, TIME, running.launch_due, launch_due, LOST, OWN, NO, NO)                            \
        ROW(X, VALUE, running.prologs, prologs, LOST, OWN, NO, NO)                                 \
        ROW(X, VALUE, running.hook, controller_hook, SAME, OWN, NO, NO)                          \
        ROW(X, VALUE, running.hooks, controller_hooks, SAME, OWN, NO, NO)                        \
        ROW(X, VALUE, running.hook_away, controller_hook_away, SAME, OWN, NO, NO)                  \
        ROW(X, VALUE, running.off_nodes, off_nodes, MADE, OWN, NO, NO)                             \
        ROW(X, VALUE, running.lost_launches, lost_launches, SAME, OWN, NO, NO)                     \
        ROW(X, VALUE, running.lost_nodes, lost_nodes, MADE, OWN, NO, NO)                           \
        ROW(X, VALUE, needs.requeue, requeue, SAME, SAME, NO, NO)                                  \
        ROW(X, VALUE, running.warned, warned, SAME, OWN, NO, NO)                                   \
        ROW(X, VALUE, running.mail_told, mail_told, SAME, OWN, NO, NO)                             \
        ROW(X, VALUE, needs.now_or_never, now_or_never, LOST, OWN, NO, NO)                         \
        ROW(X, VALUE, stopping.preempt_mode, preempt_mode, SAME, OWN, NO, NO)                      \
        ROW(X, VALUE, stopping.preemptor, preemptor, SAME, OWN, NO, NO)                            \
        ROW(X, TIME, stopping.grace_end, grace_end, SAME, OWN, NO, NO)                             \
        ROW(X, TIME, stopping.stop_at, stop_at, STORED, OWN, NO, NO)                               \
        ROW(X, VALUE, stopping.late_boot, late_boot, LOST, OWN, NO, NO)                            \
        ROW(X, OTHER, claim.nodes, claim, APART, OWN, NO, NO)                                      \
        ROW(X, REF, claim.in, claim_in, APART, OWN, NO, NO)                                        \
        ROW(X, VALUE, claim.tasks, claim_tasks, APART, OWN, NO, NO)                                \
        ROW(X, VALUE, claim.waits, claim_waits, LOST, OWN, NO, NO)                                 \
        ROW(X, VALUE, claim.boots, claim_boots, MADE, OWN, NO, NO)                                 \
        ROW(X, VALUE, claim.turn, claim_turn, MADE, OWN, NO, NO)                                   \
        ROW(X, VALUE, reason, reason, APART, SAME, APART, NO)                                      \
        ROW(X, TEXT, reason_text, reason_text, SAME, SAME, NO, NO)                                 \
        ROW(X, TEXT, running.notice, notice, STORED, OWN, NO, NO)                                  \
        ROW(X, TEXT, running.kill_reason, kill_reason, SAME, OWN, NO, NO)                          \
        ROW(X, VALUE, priority, priority, SAME, SAME, SAME, KEYED)                                 \
        ROW(X, VALUE, waiting.outranks, outranks, MADE, OWN, NO, NO)                               \
        ROW(X, VALUE, restarts, restarts, SAME, OWN, SAME, NO)                                     \
        ROW(X, VALUE, failed_launches, failed_launches, SAME, OWN, NO, NO)                         \
        ROW(X, VALUE, running.started_by, started_by, SAME, OWN, SAME, NO)                         \
        ROW(X, VALUE, running.exit_code, exit_code, SAME, OWN, SAME, NO)                           \
        ROW(X, VALUE, running.derived_exit_code, derived_exit_code, SAME, OWN, SAME, NO)           \
        ROW(X, VALUE, running.cancelled_by, cancelled_by, SAME, OWN, APART, NO)                    \
        ROW(X, TIME, submit_time, submit_time, SAME, SAME, APART, NO)                              \
        ROW(X, TIME, waiting.queued_time, queued_time, SAME, SAME, APART, NO)                      \
        ROW(X, TIME_APART, waiting.eligible_time, eligible_time, SAME, SAME, APART, NO)            \
        ROW(X, TIME, waiting.accrue_time, accrue_time, SAME, SAME, NO, NO)                         \
        ROW(X, TIME, running.start_time, start_time, SAME, OWN, APART, NO)                         \
        ROW(X, TIME, running.end_time, end_time, SAME, OWN, NO, NO)                                \
        ROW(X, TIME, running.suspend_time, suspend_time, SAME, OWN, NO, NO)                        \
        ROW(X, TIME, waiting.last_sched_eval, last_sched_eval, SAME, SAME, NO, NO)                 \
        ROW(X, TIME, running.configure_time, configure_time, SAME, OWN, NO, NO)                    \
        ROW(X, TIME, stopping.preempt_time, preempt_time, SAME, OWN, NO, NO)                       \
        ROW(X, TIME, running.up_by, up_by, LOST, OWN, NO, NO)                                      \
        ROW(X, VALUE, running.ran_before, ran_before, APART, OWN, APART, NO) /* pre_suspend */     \
        ROW(X, TIME, running.resumed_at, resumed_at, SAME, OWN, APART, NO)                         \
        ROW(X, TIME, waiting.not_before, not_before, SAME, OWN, NO, NO)                            \
        ROW(X, TIME, running.resize_time, resize_time, SAME, OWN, APART, NO)                       \
        ROW(X, VALUE, running.resize_ran, resize_ran, SAME, OWN, APART, NO)                        \
        ROW(X, VALUE, accounting.usage_charged, usage_charged, MADE, OWN, NO, NO)                  \
        ROW(X, VALUE, needs.time_limit, time_limit, SAME, SAME, SAME, KEYED)                       \
        ROW(X, TIME, listed.armed, armed, MADE, OWN, NO, NO)                                       \
        ROW(X, VALUE, needs.mem_per_node, mem_per_node, SAME, SAME, SAME, KEYED)                   \
        ROW(X, VALUE, needs.mem_per_cpu, mem_per_cpu, SAME, SAME, SAME, KEYED)                     \
        ROW(X, VALUE, needs.mem_per_gpu, mem_per_gpu, SAME, SAME, SAME, KEYED)                     \
        ROW(X, VALUE, needs.cpus_per_task, cpus_per_task, SAME, SAME, SAME, KEYED)                 \
        ROW(X, VALUE, needs.min_cpus_node, min_cpus_node, SAME, SAME, SAME, KEYED)                 \
        ROW(X, VALUE, needs.cpus_per_gpu, cpus_per_gpu, SAME, SAME, SAME, KEYED)                   \
        ROW(X, OTHER, placed.alloc, alloc, APART, OWN, APART, NO)                                  \
        ROW(X, VALUE, placed.n_alloc, n_alloc, APART, OWN, APART, NO)                              \
        ROW(X, VALUE, placed.batch_at, batch_at, APART, OWN, NO, NO) /* batch_host */              \
        ROW(X, OTHER, placed.gres, gres, APART, OWN, APART, NO) /* AllocNode */                    \
        ROW(X, VALUE, placed.n_gres, n_gres, APART, OWN, APART, NO)                                \
        ROW(X, OTHER, placed.units, units, APART, OWN, NO, NO) /* AllocNode */                     \
        ROW(X, OTHER, placed.nodes, nodes, APART, OWN, NO, NO)                                     \
        ROW(X, VALUE, placed.num_cpus, num_cpus, SAME, OWN, APART, NO)                             \
        ROW(X, OTHER, running.steps, steps, APART, OWN, NO, NO)                                    \
        ROW(X, VALUE, running.n_steps, n_steps, APART, OWN, NO, NO)                                \
        ROW(X, VALUE, running.a_steps, a_steps, MADE, OWN, NO, NO)                                 \
        ROW(X, VALUE, running.next_step, next_step, SAME, OWN, NO, NO)                             \
        ROW(X, VALUE, running.next_bcast, next_bcast, SAME, OWN, NO, NO)                           \
        ROW(X, VALUE, running.home, home, SAME, OWN, NO, NO)                                       \
        ROW(X, VALUE, running.home_serial, home_serial, SAME, OWN, NO, NO)                         \
        ROW(X, OTHER, needs.features, features, MADE, APART, NO, KEYED)                            \
        ROW(X, OTHER, needs.prefer, prefer, MADE, APART, NO, NO)                                   \
        ROW(X, VALUE, needs.prefer_alone, prefer_alone, SAME, SAME, NO, KEYED)                     \
        ROW(X, TEXT, accounting.admin_comment, admin_comment, SAME, SAME, SAME, NO)                \
        ROW(X, VALUE, accounting.site_factor, site_factor, SAME, SAME, NO, NO)                     \
        ROW(X, VALUE, needs.ordered, ordered, SAME, SAME, NO, KEYED)                               \
        ROW(X, VALUE, needs.limit_asked, limit_asked, SAME, SAME, APART, NO)                       \
        ROW(X, TIME, waiting.switches_since, switches_since, SAME, OWN, NO, NO)                    \
        ROW(X, VALUE, waiting.switches_armed, switches_armed, LOST, OWN, NO, NO)                   \
        ROW(X, VALUE, waiting.boot_delayed, boot_delayed, LOST, OWN, NO, NO) /* armed anew */      \
        ROW(X, VALUE, placed.preferred, preferred, LOST, OWN, NO, NO)                              \
        ROW(X, OTHER, needs.req_nodes, req_nodes, MADE, APART, NO, KEYED)                          \
        ROW(X, OTHER, needs.exc_nodes, exc_nodes, MADE, APART, NO, KEYED)                          \
        ROW(X, TEXT, needs.unknown_nodes, unknown_nodes, MADE, SAME, NO, NO)                       \
        ROW(X, OTHER, needs.licenses, licenses, MADE, APART, APART, NO)                            \
        ROW(X, OTHER, needs.hres, hres, MADE, APART, APART, NO)                                    \
        ROW(X, OTHER, needs.gres_wants, gres_wants, MADE, APART, APART, KEYED)                     \
        ROW(X, OTHER, placed.licenses_held, licenses_held, APART, OWN, APART, NO) /* licenses_alloc */\
        ROW(X, REF, array, array, APART, APART, APART, NO)                                         \
        ROW(X, VALUE, array_task, array_task, APART, OWN, APART, NO)                               \
        ROW(X, REF, het, het, APART, OWN, APART, NO)                                               \
        ROW(X, VALUE, het_offset, het_offset, APART, OWN, APART, NO)                               \
        ROW(X, OTHER, waiting.depends, depends, APART, APART, NO, NO)                              \
        ROW(X, TIME, waiting.depend_due, depend_due, MADE, OWN, NO, NO)                            \
        ROW(X, OTHER, listed.dependents, dependents, MADE, OWN, NO, NO)                            \
        ROW(X, VALUE, listed.n_dependents, n_dependents, MADE, OWN, NO, NO)                        \
        ROW(X, VALUE, listed.a_dependents, a_dependents, MADE, OWN, NO, NO)                        \
        ROW(X, VALUE, listed.triggers, triggers, MADE, OWN, NO, NO)                                \
        ROW(X, REF, listed.token_next, token_next, MADE, OWN, NO, NO)                              \
        ROW(X, REF, listed.name_next, name_next, MADE, OWN, NO, NO)                                \
        ROW(X, REF, listed.name_prev, name_prev, MADE, OWN, NO, NO)                                \
        ROW(X, VALUE, listed.texts, texts, MADE, OWN, NO, NO)                                      \
        ROW(X, OTHER, waiting.one, one, MADE, OWN, NO, NO)                                         \
        ROW(X, OTHER, waiting.bids, bids, MADE, OWN, NO, NO)                                       \
        ROW(X, VALUE, waiting.n_bids, n_bids, MADE, OWN, NO, NO)                                   \
        ROW(X, VALUE, waiting.apart, apart, MADE, OWN, NO, NO)                                     \
        ROW(X, REF, waiting.current, current, LOST, OWN, NO, NO)                                   \
        ROW(X, REF, waiting.turn, turn, LOST, OWN, NO, NO)                                         \
        ROW(X, OTHER, waiting.plan, plan, MADE, OWN, NO, NO)                                       \
        ROW(X, TIME, waiting.after_exempt, after_exempt, MADE, OWN, NO, NO)                        \
        ROW(X, VALUE, listed.queue_at, queue_at, MADE, OWN, NO, NO)                                \
        ROW(X, VALUE, dirty, dirty, LOST, OWN, NO, NO)

/* struct job_node, a part of an allocation: kind, member, name, kept. */
#define JOB_NODE_MEMBERS(ROW, X)                                                                   \
        ROW(X, REF, node, node, APART) /* name */                                                  \
        ROW(X, VALUE, cpus, cpus, SAME)                                                            \
        ROW(X, VALUE, memory, memory, APART) /* mem, as in the fields for the last members */      \
        ROW(X, VALUE, units_at, units_at, MADE)                                                    \
        ROW(X, VALUE, used, used, SAME)                                                            \
        ROW(X, VALUE, done, done, SAME)                                                            \
        ROW(X, VALUE, stopped, stopped, SAME)                                                      \
        ROW(X, VALUE, unstoppable, unstoppable, SAME)                                              \
        ROW(X, VALUE, serial, serial, LOST)                                                        \
        ROW(X, VALUE, unanswered, unanswered, MADE)                                                \
        ROW(X, VALUE, overdue, overdue, LOST)                                                      \
        ROW(X, VALUE, given_up, given_up, LOST) /* released at once */                             \
        ROW(X, VALUE, prolog, prolog, LOST) /* asked again */                                      \
        ROW(X, OTHER, signals, signals, APART)                                                     \
        ROW(X, TIME, due, due, MADE)                                                               \
        ROW(X, VALUE, given, given, APART)                                                         \
        ROW(X, VALUE, owed, owed, APART)                                                           \
        ROW(X, VALUE, asked, asked, APART)                                                         \
        ROW(X, VALUE, asked_for, asked_for, APART)                                                 \
        ROW(X, VALUE, reclaiming, reclaiming, LOST) /* asked again */

/* struct step: kind, member, name, kept. */
#define STEP_MEMBERS(ROW, X)                                                                       \
        ROW(X, VALUE, id, id, SAME)                                                                \
        ROW(X, VALUE, part, part, SAME)                                                            \
        ROW(X, TEXT, name, name, SAME)                                                             \
        ROW(X, TEXT, host, host, SAME)                                                             \
        ROW(X, TEXT, submit_line, submit_line, SAME)                                               \
        ROW(X, TEXT, container, container, SAME)                                                   \
        ROW(X, VALUE, pid, pid, SAME)                                                              \
        ROW(X, VALUE, num_tasks, num_tasks, SAME)                                                  \
        ROW(X, VALUE, cpus, num_cpus, SAME)                                                        \
        ROW(X, TIME, start_time, start_time, SAME)                                                 \
        ROW(X, OTHER, nodes, nodes, APART) /* places */                                            \
        ROW(X, OTHER, ended, ended, APART)                                                         \
        ROW(X, OTHER, launched, launched, APART)                                                   \
        ROW(X, VALUE, exit_code, exit_code, SAME)                                                  \
        ROW(X, VALUE, abort_status, abort_status, STORED)                                          \
        ROW(X, OTHER, tasks, tasks, APART)                                                         \
        ROW(X, OTHER, taken, taken, APART) /* cpus */                                              \
        ROW(X, OTHER, cores, cores, APART)                                                         \
        ROW(X, VALUE, n_tasks_on, n_tasks_on, APART)                                               \
        ROW(X, OTHER, place, place, APART) /* task_places */                                       \
        ROW(X, VALUE, mem_per_node, mem_per_node, SAME)                                            \
        ROW(X, VALUE, mem_per_cpu, mem_per_cpu, SAME)                                              \
        ROW(X, VALUE, token, token, STORED)                                                        \
        ROW(X, VALUE, stream_token, stream_token, STORED)                                          \
        ROW(X, VALUE, input_of_rank, input_of_rank, STORED)                                        \
        ROW(X, VALUE, cyclic, cyclic, STORED)                                                      \
        ROW(X, VALUE, kill_on_bad_exit, kill_on_bad_exit, STORED)                                  \
        ROW(X, VALUE, no_kill, no_kill, STORED)                                                    \
        ROW(X, VALUE, held, held, STORED)                                                          \
        ROW(X, VALUE, to_files, to_files, STORED)                                                  \
        ROW(X, VALUE, plane, plane, STORED)                                                        \
        ROW(X, TEXT, cpu_freq, cpu_freq, SAME)                                                     \
        ROW(X, TEXT, resv_ports, resv_ports, SAME)                                                 \
        ROW(X, TEXT, tres_bind, tres_bind, SAME)                                                   \
        ROW(X, VALUE, tree_width, tree_width, STORED)                                              \
        ROW(X, VALUE, gres_kind, gres_kind, APART)                                                 \
        ROW(X, OTHER, gres, gres, APART)                                                           \
        ROW(X, VALUE, n_gres, n_gres, APART)                                                       \
        ROW(X, TIME, orphan_due, orphan_due, LOST) /* srun connects again, or not */               \
        ROW(X, VALUE, command.pid, command_pid, STORED)                                            \
        ROW(X, VALUE, command.start, command_start, STORED)                                        \
        ROW(X, VALUE, command.space, command_space, STORED)                                        \
        ROW(X, VALUE, ran_before, ran_before, STORED)                                              \
        ROW(X, VALUE, time_limit, time_limit, SAME)                                                \
        ROW(X, TIME, timed_out, timed_out, STORED)                                                 \
        ROW(X, VALUE, told, told, STORED)                                                          \
        ROW(X, TIME, ended_at, ended_at, LOST) /* then the last node's report counts */            \
        ROW(X, VALUE, cancelled_by, cancelled_by, STORED)                                          \
        ROW(X, VALUE, out_of_memory, out_of_memory, STORED)                                        \
        ROW(X, VALUE, user_cpu, user_cpu, STORED)                                                  \
        ROW(X, VALUE, system_cpu, system_cpu, STORED)                                              \
        ROW(X, VALUE, sum_rss, sum_rss, STORED)                                                    \
        ROW(X, VALUE, most_rss, most_rss, STORED)                                                  \
        ROW(X, TEXT, most_rss_on, most_rss_on, STORED)                                             \
        ROW(X, OTHER, measures, measures, APART)                                                   \
        ROW(X, VALUE, energy, energy, STORED)                                                      \
        ROW(X, OTHER, parts, parts, APART)                                                         \
        ROW(X, VALUE, n_parts, n_parts, APART)                                                     \
        ROW(X, OTHER, span, span, APART)

/* struct node: kind, member, name, kept, alike. */
#define NODE_MEMBERS(ROW, X)                                                                       \
        ROW(X, VALUE, moment, moment, LOST, NO)                                                    \
        ROW(X, VALUE, index, index, CONFIG, NO)                                                    \
        ROW(X, TEXT, name, name, TOLD, NO)                                                         \
        ROW(X, TEXT, address, address, SAME, NO)                                                   \
        ROW(X, TEXT, hostname, hostname, SAME, NO)                                                 \
        ROW(X, VALUE, port, port, CONFIG, SAME)                                                    \
        ROW(X, VALUE, weight, weight, CONFIG, SAME)                                                \
        ROW(X, OTHER, leaves, leaves, CONFIG, NO)                                                  \
        ROW(X, TEXT, features, features, TOLD, SAME)                                               \
        ROW(X, TEXT, changeable, changeable, CONFIG, SAME)                                         \
        ROW(X, TEXT, active, active, SAME, SAME)                                                   \
        ROW(X, TEXT, image, image, SAME, NO)                                                       \
        ROW(X, REF, helpers, helpers, CONFIG, NO)                                                  \
        ROW(X, TEXT, gres, gres, TOLD, APART)                                                      \
        ROW(X, OTHER, gres_items, gres_items, CONFIG, APART)                                       \
        ROW(X, OTHER, sides, sides, CONFIG, NO)                                                    \
        ROW(X, VALUE, n_sides, n_sides, CONFIG, NO)                                                \
        ROW(X, TEXT, gres_shown, gres_shown, CONFIG, APART)                                        \
        ROW(X, VALUE, n_gres, n_gres, CONFIG, APART)                                               \
        ROW(X, OTHER, gpu_cores, gpu_cores, AGENT, NO)                                             \
        ROW(X, VALUE, n_gpu_cores, n_gpu_cores, AGENT, NO)                                         \
        ROW(X, OTHER, configured, configured, CONFIG, APART)                                       \
        ROW(X, OTHER, registered, registered, APART, APART)                                        \
        ROW(X, VALUE, free_memory_mb, free_memory_mb, AGENT, NO)                                   \
        ROW(X, VALUE, load_100, load_100, AGENT, NO)                                               \
        ROW(X, TEXT, arch, arch, AGENT, NO)                                                        \
        ROW(X, TEXT, os, os, AGENT, NO)                                                            \
        ROW(X, TEXT, version, version, SAME, SAME)                                                 \
        ROW(X, VALUE, base, base, APART, APART) /* base_state */                                   \
        ROW(X, VALUE, power, power, APART, APART) /* power_state */                                \
        ROW(X, VALUE, flags, flags, SAME, APART)                                                   \
        ROW(X, TIME, last_busy, last_busy, SAME, NO)                                               \
        ROW(X, TIME, last_response, last_response, SAME, APART) /* differs if one has none */      \
        ROW(X, TIME, boot_time, boot_time, SAME, NO)                                               \
        ROW(X, TIME, start_time, start_time, SAME, NO)                                             \
        ROW(X, TIME, power_request, power_request, SAME, NO)                                       \
        ROW(X, TIME, suspended_at, suspended_at, SAME, NO)                                         \
        ROW(X, TIME, lost_since, lost_since, SAME, NO)                                             \
        ROW(X, TIME, resume_after, resume_after, SAME, NO)                                         \
        ROW(X, TIME, common_at, common_at, SAME, NO)                                               \
        ROW(X, TIME, retry_at, retry_at, SAME, NO)                                                 \
        ROW(X, TIME, confirmed, confirmed, SAME, NO)                                               \
        ROW(X, TIME_APART, armed, armed, MADE, NO) /* deadline heap */                             \
        ROW(X, OTHER, boots, boots, APART, NO)                                                     \
        ROW(X, VALUE, n_boots, n_boots, APART, NO)                                                 \
        ROW(X, VALUE, boots_usual, boots_usual, MADE, NO)                                          \
        ROW(X, VALUE, boot_took, boot_took, SAME, NO)                                              \
        ROW(X, VALUE, next, next, SAME, NO)                                                        \
        ROW(X, VALUE, dynamic, dynamic, CONFIG, APART)                                             \
        ROW(X, VALUE, connected, connected, LOST, NO)                                              \
        ROW(X, VALUE, program_started, program_started, SAME, NO)                                  \
        ROW(X, VALUE, suspending, suspending, LOST, NO)                                            \
        ROW(X, VALUE, resuming, resuming, LOST, NO)                                                \
        ROW(X, VALUE, late, late, MADE, NO)                                                        \
        ROW(X, VALUE, planned, planned, MADE, APART) /* node's state texts */                      \
        ROW(X, TEXT, slumberd_at, slumberd_at, SAME, NO)                                           \
        ROW(X, TEXT, bmc_address, bmc_address, SAME, NO)                                           \
        ROW(X, TEXT, bmc_mac, bmc_mac, SAME, NO)                                                   \
        ROW(X, TEXT, system_uuid, system_uuid, SAME, NO)                                           \
        ROW(X, TEXT, system_serials, system_serials, SAME, NO)                                     \
        ROW(X, TEXT, system_macs, system_macs, SAME, NO)                                           \
        ROW(X, VALUE, watts, watts, TOLD, NO)                                                      \
        ROW(X, REF, told, told, LOST, NO)                                                          \
        ROW(X, TEXT, veto, veto, SAME, SAME)                                                       \
        ROW(X, VALUE, bmc_power, bmc_power, SAME, NO)                                              \
        ROW(X, TIME, observed_at, observed_at, SAME, NO)                                           \
        ROW(X, TIME, off_read_at, off_read_at, SAME, NO)                                           \
        ROW(X, TIME, answer_due, answer_due, LOST, NO)                                             \
        ROW(X, TIME, looked_at, looked_at, LOST, NO)                                               \
        ROW(X, TIME, asked_at, asked_at, LOST, NO)                                                 \
        ROW(X, VALUE, awaited, awaited, LOST, NO)                                                  \
        ROW(X, VALUE, audit_strikes, audit_strikes, LOST, NO)                                      \
        ROW(X, OTHER, figures, figures, CONFIG, NO)                                                \
        ROW(X, VALUE, boots_in, boots_in, CONFIG, NO)                                              \
        ROW(X, VALUE, shuts_down_in, shuts_down_in, CONFIG, NO)                                    \
        ROW(X, OTHER, energy, energy, APART, NO)                                                   \
        ROW(X, TIME, energy_known, energy_known, LOST, NO)                                         \
        ROW(X, VALUE, sharing_cpus, sharing_cpus, SAME, NO)                                        \
        ROW(X, VALUE, suspend_time, suspend_time, CONFIG, NO)                                      \
        ROW(X, VALUE, own_suspend_time, own_suspend_time, CONFIG, NO)                              \
        ROW(X, VALUE, suspend_timeout, suspend_timeout, CONFIG, NO)                                \
        ROW(X, VALUE, resume_timeout, resume_timeout, CONFIG, NO)                                  \
        ROW(X, VALUE, wish_uid, wish_uid, SAME, NO)                                                \
        ROW(X, VALUE, tries, tries, SAME, NO)                                                      \
        ROW(X, VALUE, power_failures, power_failures, SAME, NO)                                    \
        ROW(X, VALUE, stays_on, stays_on, SAME, NO)                                                \
        ROW(X, VALUE, trigger_seen, trigger_seen, MADE, NO)                                        \
        ROW(X, VALUE, trigger_events, trigger_events, SAME, NO)                                    \
        ROW(X, TEXT, power_error, power_error, SAME, NO)                                           \
        ROW(X, TEXT, action, action, SAME, NO)                                                     \
        ROW(X, TEXT, wake_error, wake_error, SAME, NO)                                             \
        ROW(X, TEXT, reason, reason, SAME, SAME)                                                   \
        ROW(X, TEXT, comment, comment, SAME, SAME)                                                 \
        ROW(X, TEXT, extra, extra, SAME, SAME)                                                     \
        ROW(X, TEXT, moved_to, moved_to, SAME, NO)                                                 \
        ROW(X, TEXT, place_told, place_told, SAME, NO)                                             \
        ROW(X, TEXT, instance_id, instance_id, SAME, SAME)                                         \
        ROW(X, TEXT, instance_type, instance_type, SAME, SAME)                                     \
        ROW(X, OTHER, accounted, accounted, MADE, NO) /* the accounts' record */                   \
        ROW(X, TIME, reason_time, reason_time, SAME, SAME)                                         \
        ROW(X, VALUE, reason_uid, reason_uid, SAME, SAME)                                          \
        ROW(X, VALUE, reclaims, reclaims, SAME, SAME)                                              \
        ROW(X, TEXT, no_reclaim, no_reclaim, TOLD, SAME) /* reported again by the agent */         \
        ROW(X, VALUE, swap_free, swap_free, AGENT, NO)                                             \
        ROW(X, VALUE, lacks, lacks, AGENT, NO)                                                     \
        ROW(X, OTHER, jobs, jobs, MADE, APART) /* owners that restrict the node */                 \
        ROW(X, VALUE, n_jobs, n_jobs, MADE, APART)                                                 \
        ROW(X, VALUE, a_jobs, a_jobs, MADE, NO)                                                    \
        ROW(X, OTHER, strays, strays, AGENT, NO)                                                   \
        ROW(X, VALUE, n_strays, n_strays, AGENT, NO)                                               \
        ROW(X, VALUE, a_strays, a_strays, AGENT, NO)                                               \
        ROW(X, REF, resv, resv, MADE, APART) /* node's state texts */                              \
        ROW(X, OTHER, partitions, partitions, CONFIG, APART)                                       \
        ROW(X, VALUE, n_partitions, n_partitions, CONFIG, APART)                                   \
        ROW(X, VALUE, failed_launches, failed_launches, LOST, NO)                                  \
        ROW(X, VALUE, failed_uid, failed_uid, LOST, NO)                                            \
        ROW(X, VALUE, failed_for_many, failed_for_many, LOST, NO)                                  \
        ROW(X, VALUE, units, units, CONFIG, NO)                                                    \
        ROW(X, VALUE, cpus_per_unit, cpus_per_unit, CONFIG, NO)                                    \
        ROW(X, OTHER, spec, spec, CONFIG, NO)                                                      \
        ROW(X, VALUE, n_spec, n_spec, CONFIG, SAME)                                                 \
        ROW(X, VALUE, spec_memory, spec_memory, CONFIG, SAME)                                       \
        ROW(X, VALUE, spec_first, spec_first, CONFIG, NO)                                          \
        ROW(X, VALUE, cpus_used, cpus_used, MADE, SAME)                                            \
        ROW(X, VALUE, units_used, units_used, MADE, NO)                                            \
        ROW(X, VALUE, units_shared, units_shared, MADE, NO)                                        \
        ROW(X, VALUE, memory_used, memory_used, MADE, SAME)                                        \
        ROW(X, VALUE, memory_held, memory_held, MADE, NO)

/* struct node_hardware: kind, member, name, kept. */
#define HARDWARE_MEMBERS(ROW, X)                                                                   \
        ROW(X, VALUE, cpus, cpus, SAME)                                                            \
        ROW(X, VALUE, boards, boards, SAME)                                                        \
        ROW(X, VALUE, sockets, sockets, SAME)                                                      \
        ROW(X, VALUE, cores, cores, SAME)                                                          \
        ROW(X, VALUE, threads, threads, SAME)                                                      \
        ROW(X, VALUE, memory, real_memory, SAME)                                                   \
        ROW(X, VALUE, tmp_disk, tmp_disk, SAME)

/* struct energy of a node: kind, member, name, kept. */
#define ENERGY_MEMBERS(ROW, X)                                                                     \
        ROW(X, VALUE, draws, draws, SAME)                                                          \
        ROW(X, VALUE, saves, saves, SAME)                                                          \
        ROW(X, VALUE, used, used, SAME)                                                            \
        ROW(X, VALUE, saved, saved, SAME)                                                          \
        ROW(X, TIME, at, at, SAME)                                                                 \
        ROW(X, TIME, from, from, SAME)                                                             \
        ROW(X, VALUE, reading, reading, SAME)                                                      \
        ROW(X, VALUE, read_in, read_in, SAME)                                                      \
        ROW(X, VALUE, idle_reading, idle_reading, SAME)                                            \
        ROW(X, VALUE, per_cpu, per_cpu, SAME)

/* clang-format on */

/* ---- selections: JOB_MEMBERS(SELECTION, X) makes X(member, name) of each selected row ---- */

/* KEPT_IF(word)(code) expands to code if the word is defined as KEPT_YES below, else to nothing. */
#define KEPT_IF(...)           KEPT_SECOND(__VA_ARGS__, KEPT_NOTHING, )
#define KEPT_SECOND(a, b, ...) b
#define KEPT_CODE(...)         __VA_ARGS__
#define KEPT_NOTHING(...)
#define KEPT_YES , KEPT_CODE

#define KEPT_VALUE_VALUE      KEPT_YES
#define KEPT_VALUE_TIME       KEPT_YES
#define KEPT_VALUE_TIME_APART KEPT_YES
#define KEPT_VALUE_REF        KEPT_YES
#define KEPT_TIME_TIME        KEPT_YES
#define KEPT_TEXT_TEXT        KEPT_YES
#define KEPT_SHOWN_SAME       KEPT_YES
#define KEPT_SHOWN_TOLD       KEPT_YES
#define KEPT_STORED_STORED    KEPT_YES
#define KEPT_RESTORED_SAME    KEPT_YES
#define KEPT_RESTORED_STORED  KEPT_YES
#define KEPT_SAME_SAME        KEPT_YES

/* Fields of every message, additional fields of stored messages, and restored fields. */
#define SHOWN_VALUES(X, kind, member, name, kept, ...)                                             \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SHOWN_##kept)(X(member, name)))
#define SHOWN_TEXTS(X, kind, member, name, kept, ...)                                              \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SHOWN_##kept)(X(member, name)))
#define STORED_VALUES(X, kind, member, name, kept, ...)                                            \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_STORED_##kept)(X(member, name)))
#define STORED_TEXTS(X, kind, member, name, kept, ...)                                             \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_STORED_##kept)(X(member, name)))
#define RESTORED_VALUES(X, kind, member, name, kept, ...)                                          \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_RESTORED_##kept)(X(member, name)))
#define RESTORED_TEXTS(X, kind, member, name, kept, ...)                                           \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_RESTORED_##kept)(X(member, name)))
/* Members whose task, alike or accounts is SAME. */
#define TASK_VALUES(X, kind, member, name, kept, task, ...)                                        \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SAME_##task)(X(member, name)))
#define TASK_TEXTS(X, kind, member, name, kept, task, ...)                                         \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SAME_##task)(X(member, name)))
#define ALIKE_VALUES(X, kind, member, name, kept, alike)                                           \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SAME_##alike)(X(member, name)))
#define ALIKE_TEXTS(X, kind, member, name, kept, alike)                                            \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SAME_##alike)(X(member, name)))
#define ACCOUNTS_VALUES(X, kind, member, name, kept, task, accounts, ...)                          \
        KEPT_IF(KEPT_VALUE_##kind)(KEPT_IF(KEPT_SAME_##accounts)(X(member, name)))
#define ACCOUNTS_TEXTS(X, kind, member, name, kept, task, accounts, ...)                           \
        KEPT_IF(KEPT_TEXT_##kind)(KEPT_IF(KEPT_SAME_##accounts)(X(member, name)))
#define ALL_VALUES(X, kind, member, name, ...)  KEPT_IF(KEPT_VALUE_##kind)(X(member, name))
#define MOVED_TIMES(X, kind, member, name, ...) KEPT_IF(KEPT_TIME_##kind)(X(member, name))
#define OWNED_TEXTS(X, kind, member, name, ...) KEPT_IF(KEPT_TEXT_##kind)(X(member, name))
