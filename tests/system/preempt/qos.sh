#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# preempt/qos with real processes: each QOS says how its jobs make way for those of the QOS that may preempt it (cancelled after its
# GraceTime, sent back, suspended, not at all, not yet), WITHIN, and what sacctmgr changes meanwhile; and in the accounts a job that
# never had its turn has not run.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' PreemptType=preempt/qos PreemptMode=SUSPEND,GANG SchedulerTimeSlice=600 PartitionName= \
        'PartitionName=DEFAULT Nodes=n[1-2]' 'PartitionName=p OverSubscribe=FORCE:1 Default=YES PriorityTier=1' \
        'PartitionName=urgent OverSubscribe=FORCE:1 PriorityTier=2' 'PartitionName=rows OverSubscribe=FORCE:2'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
for words in 'back preemptmode=requeue' 'gentle preemptmode=cancel gracetime=5' 'keep preemptmode=off' 'young preemptmode=cancel preemptexempttime=60' \
        'within preemptmode=within,cancel' 'high preempt=normal,back,gentle,keep,young priority=100'; do
        # shellcheck disable=SC2086
        sacctmgr -i -Q add qos $words || break
done >out 2>&1
tap_is "$(sacctmgr -nP show qos format=name,preemptmode,gracetime,preempt | paste -sd' ')" \
        'normal|cluster|00:00:00| back|requeue|00:00:00| gentle|cancel|00:00:05| keep|off|00:00:00| young|cancel|00:00:00| within|within,cancel|00:00:00| high|cluster|00:00:00|back,gentle,keep,normal,young' \
        'QOS and what becomes of their jobs' || cat out

tick='until [ -e enough.$SLURM_JOB_ID ]; do echo tick >>ticks.$SLURM_JOB_ID; sleep 0.02; done'
submit() { sbatch --parsable -o /dev/null -n4 -w n1 "$@" --wrap "$tick"; }
lines() { [ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ]; }
goes_on() { wait_for 20 lines "ticks.$1" $(($(cat "ticks.$1" 2>/dev/null | wc -l) + 3)); }
over() { touch "enough.$1" && wait_job 20 "$1" COMPLETED; }
is() { [ "$(job_show "$1" '%t %r')" = "$2" ]; }

v=$(submit -q back) && goes_on "$v"
h=$(submit -q high) && goes_on "$h"
tap_is "$?|$(job_state "$v")" '0|PENDING' 'requeue: it is sent back'
over "$h" && goes_on "$v"
tap_is "$?|$(scontrol -o show job "$v" | grep -o ' Restarts=1')" '0| Restarts=1' '... and runs again'
over "$v"
v=$(submit -q gentle) && goes_on "$v"
h=$(submit -q high)
wait_for 20 eval '[ "$(scontrol -o show job $v | grep -o " PreemptTime=None")" = "" ]'
tap_is "$?|$(job_state "$v") $(job_state "$h")" '0|RUNNING PENDING' 'cancel, with a GraceTime of its own: it goes on for a while'
wait_job 20 "$v" PREEMPTED && goes_on "$h"
tap_ok $? '... and is ended'
over "$h"

# ---- not at all, and not yet, until sacctmgr says otherwise ----
v=$(submit -q keep) && goes_on "$v"
h=$(submit -q high)
wait_for 20 is "$h" 'PD Resources'
tap_is "$?|$(job_state "$v")" '0|RUNNING' 'off: a job that may preempt it waits'
sacctmgr -i -Q modify qos keep set preemptmode=cancel >out && wait_job 20 "$v" PREEMPTED && goes_on "$h"
tap_ok $? 'sacctmgr changes it: at once'
over "$h"
v=$(submit -q young) && goes_on "$v"
h=$(submit -q high)
wait_for 20 is "$h" 'PD Resources'
tap_like "$?|$(scontrol -o show job "$v" | grep -oE ' PreemptEligibleTime=[^ ]* PreemptTime=[^ ]*')" '^0[|] PreemptEligibleTime=20[0-9T:-]* PreemptTime=None$' \
        'PreemptExemptTime of its own: it is too young'
begun=$(date -d "$(scontrol -o show job "$v" | grep -o ' StartTime=[^ ]*' | cut -d= -f2)" +%s)
from=$(date -d "$(scontrol -o show job "$v" | grep -o ' PreemptEligibleTime=[^ ]*' | cut -d= -f2)" +%s)
tap_is $((from - begun)) 3600 '... for an hour: minutes are what a number alone means'
sacctmgr -i -Q modify qos young set preemptexempttime=0 >out && wait_job 20 "$v" PREEMPTED && goes_on "$h"
tap_ok $? '... sacctmgr makes it old enough'
over "$h"

# ---- suspended, as the cluster's mode says: in another partition it stands still until the other has ended ----
v=$(submit) && goes_on "$v"
h=$(submit -q high -p urgent) && goes_on "$h"
n=$(wc -l <"ticks.$v")
goes_on "$h" && goes_on "$h"
tap_is "$?|$(job_state "$v")|$(wc -l <"ticks.$v")" "0|SUSPENDED|$n" 'cluster: suspended by one of a higher partition'
over "$h" && goes_on "$v"
tap_ok $? '... and goes on'
o=$(submit -q back -p urgent)
wait_for 20 is "$o" 'PD Resources'
tap_is "$?|$(job_state "$v")" '0|RUNNING' 'a higher partition alone is no right to preempt'
scancel "$o" && over "$v"

# ---- WITHIN ----
v=$(submit -q within --priority=100) && goes_on "$v"
o=$(submit -q within --priority=100) && wait_for 20 is "$o" 'PD Resources'
h=$(submit -q within --priority=101) && goes_on "$h"
tap_is "$?|$(job_state "$v") $(job_state "$o")" '0|PREEMPTED PENDING' 'within: of one QOS the job of higher priority'
scancel "$o" && over "$h"

# ---- a job that never had a turn ----
v=$(submit -p rows) && goes_on "$v"
o=$(submit -p rows) && wait_job 20 "$o" SUSPENDED
wait_for 20 lines "ticks.$v" $(($(cat "ticks.$v" | wc -l) + 100)) # for two seconds or more
scancel "$o" && wait_job 20 "$o" CANCELLED
row() { sacct -nXP -j "$o" -o State,ElapsedRaw,Suspended | grep -E '^CANCELLED by [0-9]+\|0\|00:00:(0[1-9]|[1-5][0-9])$'; }
wait_for 20 row >out
tap_ok $? 'a job that never had its turn: suspended all the time' || sacct -X -j "$o" -o State,ElapsedRaw,Suspended | sed 's/^/# /'
ctld_stop && ctld_start -c
tap_ok "$(row >out; echo $?)" '... also when the controller has forgotten it' || sacct -X -j "$o" -o State,ElapsedRaw,Suspended | sed 's/^/# /'
"$SLUMBER_BUILD/controller/slumber-sim" -q -f slurm.conf --accounting --csv >replay
tap_is "$?|$(grep -c "^$o," replay)|$(grep -c "^$h," replay)" '0|0|1' '... and slumber-sim leaves it out'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
