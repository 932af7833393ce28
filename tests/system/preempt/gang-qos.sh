#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two examples of the preemption guide with real processes: a QOS that shares a node with those it may preempt (S3), and a job that
# takes the nodes where it stops the fewest (S4: one job, not three).
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
command -v perl >/dev/null || tap_skip_all 'no perl'

at_exit cluster_end
cluster_conf linux SelectTypeParameters=CR_Core PreemptType=preempt/qos PreemptMode=Suspend,Gang SchedulerTimeSlice=5 PartitionName= \
        'PartitionName=normal Nodes=linux OverSubscribe=FORCE:1 Default=YES'
cd "$DIR" || exit 1
cat >tick.sh <<'END_OF_JOB'
#!/bin/bash
#SBATCH --output=out.%j
exec srun perl tick.pl
END_OF_JOB
cat >tick.pl <<'END_OF_JOB'
use Time::HiRes qw(time sleep);
my ($id, $node) = @ENV{qw(SLURM_JOB_ID SLURMD_NODENAME)};
open(my $f, '>>', "ticks.$id.$node") or die; $f->autoflush(1);
until (-e "enough.$id") { printf $f "%.6f $id\n", time; sleep 0.005; }
END_OF_JOB
goes_on() { # ID NODE SECONDS
        local n
        n=$(cat "ticks.$1.$2" 2>/dev/null | wc -l)
        wait_for "$3" eval "[ \$(cat ticks.$1.$2 2>/dev/null | wc -l) -gt $((n + 10)) ]"
}
changes() { sort -n ticks.*."$1" | awk '$2 != last { n++; last = $2 } END { print n - 1 }'; }
table() { squeue -Si | sed -E 's/ [0-9:]+:[0-9]{2} / TIME /; s/ +/ /g; s/^ //; s/(root|'"$(id -un)"')/user/'; }

# ---- S3 ----
ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
agent_start linux
wait_nodes 30 linux idle && sacctmgr -i -Q add qos high preempt=normal >sacctmgr.out
tap_ok $? 'a node is idle, QOS high may preempt normal' || { cat sacctmgr.out; cluster_logs; tap_done; }
a=$(sbatch --parsable -n4 tick.sh) && b=$(sbatch --parsable -n4 tick.sh)
wait_for 10 test -s ticks.$a.linux
tap_is "$(squeue -h -S i -o '%i %t' | paste -sd' ')" "$a R $b PD" 'FORCE:1: the second job waits'
h=$(sbatch --parsable -n4 -q high tick.sh)
wait_for 10 test -s ticks.$h.linux
tap_is "$(table)" "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)
$a normal tick.sh user S TIME 1 linux
$b normal tick.sh user PD TIME 1 (Resources)
$h normal tick.sh user R TIME 1 linux" 'one of QOS high shares the node with the first'
goes_on $a linux 30 && goes_on $h linux 30
tap_ok $? 'they take turns'
touch enough.$a enough.$b enough.$h
wait_job 20 $a COMPLETED && wait_job 20 $h COMPLETED && wait_job 20 $b COMPLETED
tap_ok $? 'all end well'
tap_ok "$(($(changes linux) < 2 || $(changes linux) > 9))" "they changed places $(changes linux) times, and never ran at one time"
agent_stop linux
ctld_stop

# ---- S4 ----
rm -rf state ticks.* enough.*
cluster_conf 'n[1-5]' SelectTypeParameters=CR_Core PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= CPUs=2 \
        'NodeName=n[1-5] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000' NodeName= \
        'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-5]' 'PartitionName=active PriorityTier=1 Default=YES' \
        'PartitionName=hipri PriorityTier=2' FirstJobId=17
sed -i '/^CPUs=2/d' slurm.conf
ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
for n in 1 2 3 4 5; do agent_start n$n; done
wait_nodes 30 'n[1-5]' idle
tap_ok $? 'five nodes are idle' || { cluster_logs; tap_done; }
for j in 17 18 19; do sbatch -Q -N1 -n2 tick.sh; done
wait_for 10 test -s ticks.17.n1 -a -s ticks.18.n2 -a -s ticks.19.n3
tap_ok $? 'three jobs on three of them'
sbatch -Q -N3 -n6 -p hipri tick.sh
wait_for 10 eval '[ "$(cat ticks.20.* | wc -l)" -gt 30 ]'
tap_is "$(table)" 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)
17 active tick.sh user S TIME 1 n1
18 active tick.sh user R TIME 1 n2
19 active tick.sh user R TIME 1 n3
20 hipri tick.sh user R TIME 3 n[1,4-5]' 'the hipri job takes the idle nodes and stops one job, not three'
goes_on 18 n2 10 && goes_on 19 n3 10
tap_ok $? 'the others go on'
n=$(wc -l <ticks.17.n1)
goes_on 20 n1 10 && [ "$(wc -l <ticks.17.n1)" = "$n" ]
tap_ok $? 'that one stands still'
touch enough.20 && wait_job 20 20 COMPLETED && goes_on 17 n1 10
tap_ok $? 'and goes on when the hipri job has ended'
scancel 17 18 19
wait_nodes 20 'n[1-5]' idle
tap_ok $? 'the nodes are free again'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
