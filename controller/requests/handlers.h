/* SPDX-License-Identifier: GPL-3.0-or-later */
/* controller/requests/handlers.h - a function per request; requests.c has the table */
#pragma once

#include "controller/loop/controller.h"

void handle_submit(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_submit_het(struct controller *ctl, const struct caller *caller, const Envelope *env);
bool submit_before_rules(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* Returns whether slurm_job_modify() of job_submit.lua is asked about the job action. */
bool action_is_ruled(const struct controller *ctl, const Envelope *env);
void handle_job_action(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_stats_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_config_file(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_script_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_state_copy(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_job_update(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_wait_job(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_user_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_job_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_node_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_reservation_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
void handle_reservation_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
void handle_license_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_partition_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
void handle_config_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_ping(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_node_update(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_power(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_partition_update(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
void handle_reboot(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_config_update(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_debug(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_takeover(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_shutdown(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_reconfigure(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_priority_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
void handle_share_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_assoc_mgr_query(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
/* ended_requests.c */
void handle_ended_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_acct_change(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_acct_dump(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_acct_import(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_acct_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
/* trigger_requests.c */
void handle_trigger_set(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_trigger_clear(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_trigger_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_cluster_request(struct controller *ctl, const struct caller *caller,
                const Envelope *env);
void handle_cluster_query(struct controller *ctl, const struct caller *caller, const Envelope *env);
void handle_plan(struct controller *ctl, const struct caller *caller, const Envelope *env);
