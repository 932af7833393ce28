#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a preemptor takes with real processes: licenses in each mode (S13), and all nodes of a victim of which it needs one (S18).
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-3]' PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= SelectType=select/linear \
        SelectTypeParameters= Licenses=lic:1 PreemptParameters=strict_order \
        'PartitionName=DEFAULT Nodes=n[1-3] OverSubscribe=FORCE:1' 'PartitionName=stop PriorityTier=1 PreemptMode=SUSPEND Default=YES' \
        'PartitionName=end PriorityTier=1 PreemptMode=CANCEL' 'PartitionName=back PriorityTier=1 PreemptMode=REQUEUE' \
        'PartitionName=gentle PriorityTier=1 PreemptMode=CANCEL GraceTime=60' 'PartitionName=high PriorityTier=2'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes and one license' || { cluster_logs; tap_done; }

wait_job_sh='echo ran >>ran.$SLURM_JOB_ID; until [ -e enough.$SLURM_JOB_ID ]; do sleep 0.02; done'
submit() { sbatch --parsable -o /dev/null "$@" --wrap "$wait_job_sh"; } # sets nothing: prints the id
started() { wait_for 20 test -s "ran.$1"; }
over() { touch "enough.$1" && wait_job 20 "$1" COMPLETED; }
waits_for() { [ "$(squeue -h -j "$1" -o '%t %r')" = "PD $2" ]; }

# ---- S13: the license of another ----
for part in stop end back; do
        v=$(submit -p $part -L lic) && started "$v"
        h=$(submit -p high -L lic)
        wait_for 20 waits_for "$h" Licenses
        tap_is "$?|$(job_state "$v")" '0|RUNNING' "without reclaim_licenses one of partition $part keeps it"
        scancel "$h" && over "$v"
done
sed -i 's/^PreemptParameters=.*/PreemptParameters=reclaim_licenses/' slurm.conf && scontrol reconfigure
tap_ok $? 'reclaim_licenses, by a reconfigure'
v=$(submit -p stop -L lic) && started "$v"
h=$(submit -p high -L lic)
wait_for 20 waits_for "$h" Licenses
tap_is "$?|$(job_state "$v")" '0|RUNNING' 'a job that would be suspended keeps it all the same'
other=$(submit -p high -N3 -t 5) && started "$other"
tap_is "$(job_state "$v")|$(scontrol -o show lic lic | grep -o ' Used=1 Free=0')" 'SUSPENDED| Used=1 Free=0' 'also when it is suspended for its node'
waits_for "$h" Licenses
tap_ok $? 'and the other waits on for the license'
over "$other" && over "$v" && started "$h"
tap_ok $? 'until it is over'
over "$h"
v=$(submit -p end -L lic) && started "$v"
h=$(submit -p high -L lic) && started "$h"
tap_is "$?|$(job_state "$v")" '0|PREEMPTED' 'CANCEL: it is ended for the license, though nodes are free'
over "$h"
v=$(submit -p back -L lic) && started "$v"
h=$(submit -p high -L lic) && started "$h"
tap_is "$?|$(squeue -h -j "$v" -o '%t %r')" '0|PD Licenses' 'REQUEUE: it goes back to the queue and waits for the license now'
over "$h" && wait_job 20 "$v" RUNNING && wait_for 20 eval '[ "$(wc -l <ran.$v)" = 2 ]' && over "$v"
tap_ok $? 'and runs again afterwards'

# ---- S18: a victim of three nodes, one is needed ----
cat >grace.sh <<'END_OF_JOB'
#!/bin/bash
#SBATCH --output=/dev/null
srun bash -c 'trap : TERM; touch up.$SLURM_PROCID; until [ -e go ]; do sleep 0.05; done'
END_OF_JOB
v=$(sbatch --parsable -p gentle -N3 grace.sh) && wait_for 20 test -e up.0 -a -e up.1 -a -e up.2
h=$(submit -p high -N1)
told() { [ "$(scontrol -o show job "$1" | grep -o ' PreemptTime=[^ ]*')" != ' PreemptTime=None' ]; }
wait_for 20 told "$v"
tap_is "$?|$(job_state "$v")" '0|RUNNING' 'a victim of three nodes is in its GraceTime'
b=$(submit -p high -N1) && l=$(submit -p end -N1)
kept() { [ "$(squeue -h -j "$h,$b,$l" -o %t | sort | uniq -c | xargs)" = '3 PD' ]; }
wait_for 20 kept
tap_is "$?|$(squeue -h -j "$h" -o %r)" '0|Resources' 'all three are kept: no job starts beside it'
tap_is "$(scontrol -o show job "$h" | grep -o ' StartTime=20[^ ]*' | wc -l)" 1 'when the preemptor is to start is known'
touch go && wait_job 20 "$v" PREEMPTED && started "$h" && started "$b" && started "$l"
tap_is "$?|$(squeue -h -o %N | sort | paste -sd,)" '0|n1,n2,n3' 'when it has gone each has a node'
over "$h" && over "$b" && over "$l" && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'all end well'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
