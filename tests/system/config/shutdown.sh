#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol shutdown ends the daemons, and jobs run on.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]'
cluster_up 'a controller and two nodes' n1 n2

run scontrol shutdown nope
tap_is "$rc|$out$err" '1|invalid shutdown argument:nope' 'another word is refused'
run scontrol shutdown slurmctld controller
tap_is "$rc|$out$err" '1|too many arguments for keyword:shutdown' 'and so are two'
run scontrol shutd
tap_is "$rc" 1 'it is not shortened'

id=$(sbatch --parsable -N2 -o out --wrap 'until [ -e go ]; do sleep 0.1; done; echo ended')
wait_job 20 "$id" RUNNING
tap_ok $? 'a job runs'
here() { _pid "$1" >/dev/null; }
over() { ! here "$1"; }

run scontrol shutdown controller
tap_is "$rc|$out$err" '0|' 'scontrol shutdown controller'
wait_for 20 over ctld
tap_ok $? 'ends the controller'
here n1 && here n2
tap_ok $? 'and no node'
ctld_start && wait_nodes 20 'n[1-2]' 'allocated|mixed'
tap_ok $? 'it starts again and finds its nodes'

SLUMBER_SOCKET=$DIR/n2.sock run scontrol shutdown
tap_is "$rc|$out$err" '0|' 'scontrol shutdown, said on a node'
wait_for 20 over ctld && wait_for 20 over n1 && wait_for 20 over n2
tap_ok $? 'ends all daemons'
grep -q 'Stopping with all agents, as uid 0 asks' log/ctld && grep -q 'Stopping, as the controller asks' log/n1
tap_ok $? 'and their logs tell why'
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' 'allocated|mixed'
tap_ok $? 'started again they find each other'
tap_is "$(job_show "$id" '%T %r')" 'RUNNING None' 'and the job'
touch go
wait_job 20 "$id" COMPLETED
tap_is "$?|$(cat out)" '0|ended' 'which has run on'
cluster_sound
tap_ok $? 'no sanitizer has complained'
tap_done
