#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Preemption by requeuing, suspending and cancelling, with real processes: three partitions and their three modes (S2), GraceTime
# (S6), jobs that cannot be requeued (S7), and a controller that is killed in the grace.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-3]' PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= SelectType=select/linear \
        SelectTypeParameters= \
        'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n1' \
        'PartitionName=low OverSubscribe=NO PriorityTier=10 PreemptMode=requeue Default=YES' \
        'PartitionName=med PriorityTier=20 PreemptMode=suspend' 'PartitionName=hi PriorityTier=30 PreemptMode=off' \
        'PartitionName=gentle OverSubscribe=NO Nodes=n[2-3] PriorityTier=10 PreemptMode=cancel GraceTime=3' \
        'PartitionName=top OverSubscribe=NO Nodes=n[2-3] PriorityTier=40'
cd "$DIR" || exit 1
ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
for n in n1 n2 n3; do agent_start $n; done
wait_nodes 30 'n[1-3]' idle
tap_ok $? 'three nodes are idle'

field() { scontrol -o show job "$1" | grep -o " $2=[^ ]*" | cut -d= -f2; }
seconds() { date -d "$(field "$1" "$2")" +%s; }
lines() { [ "$(wc -l <"$1")" -ge "$2" ]; }

# ---- configuration ----
tap_is "$(scontrol -o show partition | grep -o ' PreemptMode=.*' | awk '{print $1}' | paste -sd' ')" \
        'PreemptMode=REQUEUE PreemptMode=SUSPEND PreemptMode=OFF PreemptMode=CANCEL PreemptMode=GANG,SUSPEND' \
        'show partition has the modes'
tap_is "$(scontrol -o show partition gentle | grep -o 'GraceTime=[0-9]*')" GraceTime=3 '... and GraceTime'
run scontrol update partitionname=low PreemptMode=requeue,gang
tap_like "$rc $err" '^1 .*GANG is for the whole cluster only' 'a partition has no GANG'
run scontrol update partitionname=low PreemptMode=cancel,requeue
tap_like "$rc $err" '^1 .*PreemptMode=cancel,requeue invalid' 'nor two modes'
scontrol update partitionname=low GraceTime=7 && scontrol update partitionname=low GraceTime=0
tap_ok $? 'GraceTime can be changed'

# ---- S2 ----
cat >tick.sh <<'END_OF_JOB'
#!/bin/bash
#SBATCH --output=out.%j
echo "begin ${SLURM_RESTART_COUNT:-0}" >>began.$SLURM_JOB_ID
until [ -e enough.$SLURM_JOB_ID ]; do echo tick >>ticks.$SLURM_JOB_ID; sleep 0.02; done
END_OF_JOB
chmod +x tick.sh
low=$(sbatch --parsable tick.sh)
wait_for 20 lines ticks.$low 2
med=$(sbatch --parsable -p med tick.sh)
wait_for 20 lines ticks.$med 2
tap_is "$(job_state $low) $(job_state $med)" 'PENDING RUNNING' 'med has sent low back to the queue'
hi=$(sbatch --parsable -p hi tick.sh)
wait_for 20 lines ticks.$hi 2
tap_is "$(squeue -h -o '%i %t' | sort -n | paste -sd' ')" "$low PD $med S $hi R" 'hi suspends med; low waits'
tap_like "$(squeue -h -j $med -o %r)" "^StoppedFor:$hi" 'squeue names the preemptor'
tap_like "$(scontrol show job $med)" "StoppedFor=$hi StoppedUntil=Unknown" '... and so does scontrol'
n=$(wc -l <ticks.$med) m=$(wc -l <ticks.$hi)
wait_for 20 lines ticks.$hi $((m + 20))
tap_is "$(wc -l <ticks.$med)" "$n" 'med stands still'
touch enough.$hi && wait_for 20 lines ticks.$med $((n + 3))
tap_ok $? 'med goes on when hi has ended'
tap_is "$(job_state $low)" PENDING 'low still waits'
touch enough.$med && wait_for 20 lines began.$low 2
tap_is "$(paste -sd' ' began.$low)" 'begin 0 begin 1' 'low begins again, at once, and knows that it does'
tap_is "$(field $low Restarts)" 1 'Restarts=1'

# ---- S7: not to be requeued ----
scancel $low && wait_job 20 $low CANCELLED
touch enough.$low
low=$(sbatch --parsable --no-requeue tick.sh)
wait_for 20 lines ticks.$low 2
srun -p low -J never true 2>/dev/null & waiting=$!
hi=$(sbatch --parsable -p hi tick.sh)
wait_for 20 lines ticks.$hi 2
tap_is "$(squeue -h -t all -j $low -o '%T %t')" 'PREEMPTED PR' 'a job with --no-requeue is cancelled'
tap_like "$(cat out.$low)" "JOB $low ON n1 CANCELLED AT .* DUE TO PREEMPTION" '... and its output says why'
touch enough.$hi
wait $waiting
tap_ok $? 'an srun that waited runs afterwards'
srun -p low bash -c 'touch here; exec sleep 100' 2>srun.err & waiting=$!
wait_for 20 test -e here
hi=$(sbatch --parsable -p hi tick.sh)
wait_for 20 lines ticks.$hi 2
tap_ok $? 'an srun gives way'
wait $waiting
tap_ok $(($? == 0)) '... and fails'
tap_like "$(cat srun.err)" 'PREEMPTION|Terminated' '... saying so'
touch enough.$hi

# ---- S6: GraceTime ----
cat >victim.pl <<'END_OF_JOB'
use Time::HiRes qw(time);
$| = 1;
$SIG{TERM} = sub { open(my $f, '>>', $ARGV[0]); printf $f "%.3f\n", time; };
open(my $f, '>', "$ARGV[0].up"); close $f;
sleep 1 while 1;
END_OF_JOB
printf '#!/bin/bash\n#SBATCH --output=out.%%j\nsrun perl victim.pl told.$SLURM_JOB_ID\n' >grace.sh
printf '#!/bin/bash\ndate +%%s.%%N >began.$SLURM_JOB_ID\n' >quick.sh
v=$(sbatch --parsable -p gentle -w n2 grace.sh)
wait_for 20 test -e told.$v.up
asked=$(date +%s)
p=$(sbatch --parsable -p top -w n2 quick.sh)
wait_for 20 test -s told.$v
tap_ok $? 'a victim with GraceTime is told by SIGTERM'
tap_is "$(job_state $v) $(job_state $p)" 'RUNNING PENDING' '... and goes on; the preemptor waits'
tap_like "$(scontrol show job $v)" 'PreemptEligibleTime=20.* PreemptTime=20' 'PreemptTime is there'
from=$(seconds $v PreemptTime)
tap_ok $((from < asked)) 'which was a moment ago'
grace=$(($(seconds $v EndTime) - from))
tap_ok $((grace < 2 || grace > 4)) "EndTime is $grace s behind it"
wait_job 20 $v PREEMPTED && wait_for 20 test -s began.$p
tap_ok $? 'then it is ended, and the preemptor runs'
tap_ok "$(awk -v a="$from" -v b="$(cat began.$p)" 'BEGIN { print b - a < 3 }')" 'not before GraceTime was over'
tap_like "$(cat out.$v)" 'DUE TO PREEMPTION' 'its output says why'

# ---- a job that ends within it has been preempted, too; the controller is killed meanwhile ----
scontrol update partitionname=gentle GraceTime=9 # time for another controller
v=$(sbatch --parsable -p gentle -w n3 grace.sh)
wait_for 20 test -e told.$v.up
p=$(sbatch --parsable -p top -w n3 quick.sh)
wait_for 20 test -s told.$v
before=$(field $v EndTime)
ctld_kill9
ctld_start
tap_is "$(job_state $v) $(field $v EndTime)" "RUNNING $before" 'a new controller knows when the grace is over'
wait_job 20 $v PREEMPTED && wait_for 20 test -s began.$p
tap_ok $? '... and ends it'
scontrol update partitionname=gentle GraceTime=60
v=$(sbatch --parsable -p gentle -w n3 tick.sh)
wait_for 20 lines ticks.$v 2
p=$(sbatch --parsable -p top -w n3 quick.sh)
wait_for 20 eval "[ \$(field $v PreemptTime) != None ]"
touch enough.$v
wait_job 20 $v PREEMPTED && wait_for 20 test -s began.$p
tap_ok $? 'a job that ends within GraceTime has been preempted'

cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
