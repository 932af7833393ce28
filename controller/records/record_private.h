/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/records/record_private.h - the fields that go to the store and back as they are; shared by record.c and record_restore.c */
#pragma once

#include "controller/records/record.h"

#define JOB_VALUES(X)                                                                              \
        X(id) X(uid) X(gid) X(priority) X(submit_time) X(queued_time) X(eligible_time) X(accrue_time) X(start_time) X(resize_time) X(resize_ran) X(end_time) X(suspend_time)     \
        X(time_limit) X(last_sched_eval) X(restarts) X(num_cpus) X(exit_code) X(derived_exit_code) X(launched)        \
        X(held_by_admin) X(held_by_user) X(suspended_by_user) X(next_step) X(preempt_time) X(cancelled_by)            \
        X(requeue) X(no_suspend) UNSAID_SIZES(X) X(configure_time) X(requeue_wanted) X(resumed_at) X(not_before) X(may_stop_again) X(stop_failures) \
        X(warned) X(mail_told) X(grace_end) X(preemptor) X(preempt_mode) X(preemptions) X(lost_launches) X(asked_again) \
        X(gang_at) X(gang_filler) X(attracted) X(switches_since) X(no_reclaim) X(may_give_again) X(limit_asked) X(site_factor) X(ordered) X(batch_told) X(prefer_alone) \
        X(draws) X(energy) X(batch_energy)

/* What its row will tell. */
#define STEP_VALUES(X) X(mem_per_node) X(mem_per_cpu) X(ran_before) X(time_limit) X(timed_out) X(told) X(out_of_memory) X(user_cpu) X(system_cpu) X(sum_rss) X(most_rss) X(energy)

#define NODE_VALUES(X)                                                                             \
        X(flags) X(reason_time) X(reason_uid) X(boot_time) X(start_time) X(last_busy) X(last_response)      \
        X(power_request) X(suspended_at) X(program_started) X(lost_since) X(next) X(retry_at) X(confirmed) X(tries) X(power_failures) X(stays_on) \
        X(bmc_power) X(observed_at) X(off_read_at) X(boot_took) X(wish_uid) X(resume_after) X(reclaims) X(common_at) X(sharing_cpus)

#define ENERGY_VALUES(X) X(draws) X(saves) X(used) X(saved) X(at) X(from) X(reading) X(read_in) X(idle_reading) X(per_cpu)
