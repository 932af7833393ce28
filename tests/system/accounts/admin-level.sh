#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# AdminLevel: what an Operator and an Administrator may do to others' jobs, to nodes and reservations, and a plain user may not.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be two users'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
nobody=$(id -un 65534)
other() { run stranger "$SLUMBER_BUILD/commands/$1" "${@:2}"; }
job=$(sbatch --parsable --begin=now+1day --wrap true)

other scontrol release "$job"
tap_like "$rc|$err" '^1.*Access/permission denied' 'a user cannot release root'"'"'s job'
other scontrol update nodename=n1 state=drain reason=x
tap_like "$rc|$err" '^1.*Access/permission denied' 'nor drain a node'

sacctmgr -iQ add account lab && sacctmgr -iQ add user "$nobody" account=lab adminlevel=operator
tap_ok $? 'the user becomes Operator'
other scontrol update "jobid=$job" priority=77
tap_is "$rc|$(job_show "$job" %Q)" '0|77' 'an Operator gives a job another priority'
other scontrol hold "$job"
tap_is "$rc|$(job_show "$job" %r)" '0|JobHeldAdmin' '... and holds it, as an admin'
other scontrol create reservation reservationname=o starttime=now+1hour duration=60 users=root nodes=n1
tap_is "$rc|$out" '0|Reservation created: o' '... and makes reservations'
other scontrol delete reservation=o
tap_is "$rc" 0 '... and deletes them'
other scontrol update nodename=n1 state=drain reason=x
tap_like "$rc|$err" '^1.*Access/permission denied' 'but nodes are an Administrator'"'"'s'
other scontrol reconfigure
tap_like "$rc|$err" '^1.*Access/permission denied' '... as is reconfigure'

ctld_kill9
ctld_start
sacctmgr -iQ modify user "$nobody" set adminlevel=administrator
tap_ok $? 'the user becomes Administrator, after a restart'
other scontrol update nodename=n1 state=drain reason=x
wait_nodes 20 n1 drained
tap_is "$rc|$?" '0|0' 'an Administrator drains a node'
other scontrol update nodename=n1 state=resume
tap_is "$rc" 0 '... and resumes it'
other scontrol reconfigure
tap_is "$rc" 0 '... and reconfigures'
wait_nodes 20 n1 idle
other srun --jobid="$job" id -u
tap_like "$rc" '^[1-9]' 'but cannot run programs as another user'
other scancel "$job"
tap_is "$rc|$(job_show "$job" %t)" '0|CA' 'and cancels the job'
sacctmgr -iQ modify user "$nobody" set adminlevel=none
other scontrol reconfigure
tap_like "$rc|$err" '^1.*Access/permission denied' 'without a level nothing of that is allowed'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
