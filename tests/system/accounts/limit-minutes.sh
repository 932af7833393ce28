#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Limits of what has been used: a running job is ended when it is used up, none starts, and a controller that was killed knows it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' 'PriorityType=priority/multifactor
AccountingStorageEnforce=limits,qos'
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
me=$(id -un)
reason_is() { [ "$(job_show "$1" '%t %r')" = "$2" ]; }

# One second counts as ten minutes.
sacctmgr -iQ add account lab && sacctmgr -iQ add user "$me" account=lab defaultaccount=lab &&
        sacctmgr -iQ add qos fast usagefactor=600 grptresmins=cpu=10 && sacctmgr -iQ modify account lab set qos=normal,fast
tap_ok $? 'a QOS with GrpTRESMins'
tap_is "$(sacctmgr -nP show qos fast format=GrpTRESMins,GrpTRESRunMins,GrpWall,UsageThreshold,UsageFactor)" 'cpu=10||||600.000000' 'it is shown'
a=$(sbatch --parsable -A lab -q fast -n1 -t 60 --wrap 'until [ -e never ]; do sleep 0.02; done')
wait_job 20 "$a" TIMEOUT
tap_is "$?" 0 'a job that runs when it is used up is ended'
b=$(sbatch --parsable -A lab -q fast -n1 -t 60 --wrap true)
wait_for 10 reason_is "$b" 'PD QOSGrpCPUMinutesLimit'
tap_ok $? 'a job that comes then waits'
ctld_kill9
ctld_start
wait_for 10 reason_is "$b" 'PD QOSGrpCPUMinutesLimit'
tap_ok $? 'a controller that was killed knows what was used'
run sacctmgr -iQ modify qos fast set grptresmins=cpu=100000
wait_job 20 "$b" COMPLETED
tap_is "$rc|$?" '0|0' 'with a larger limit it starts'
run sacctmgr -i add qos strict flags=RequiresReservation
run sacctmgr -iQ modify account lab set qos+=strict
run sbatch -A lab -q strict --wrap true
tap_is "$rc|$(tail -n1 <<<"$err")" '1|sbatch: error: Batch job submission failed: Invalid qos specification' 'RequiresReservation'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
