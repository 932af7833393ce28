#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Preemption of interactive jobs (S7): an salloc and an srun that give way end as preempted and are never sent back to the
# queue, whatever the mode; what an salloc runs goes on or is told, as it was asked for; its steps end with it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' PreemptType=preempt/partition_prio PreemptMode=REQUEUE PartitionName= SelectType=select/linear \
        SelectTypeParameters= KillWait=1 \
        'PartitionName=DEFAULT Nodes=n[1-2]' 'PartitionName=back PriorityTier=1 Default=YES' \
        'PartitionName=gentle PriorityTier=1 PreemptMode=CANCEL GraceTime=5' 'PartitionName=high PriorityTier=2'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }

cat >command.sh <<'END_OF_COMMAND'
trap 'echo term >>told; exit 6' TERM
trap 'echo hup >>told; exit 5' HUP
echo $SLURM_JOB_ID >up.new && mv up.new up
until [ -e go ]; do sleep 0.02; done
END_OF_COMMAND
at_exit eval 'touch "$DIR/go"; kill ${pid:-} 2>/dev/null'
begin() { # ARGUMENT...: of salloc; sets pid, id
        rm -f up told go err
        salloc "$@" </dev/null >out 2>err &
        pid=$!
        wait_for 20 test -e up && id=$(cat up)
}
preempt() { urgent=$(sbatch --parsable -o /dev/null -p high -N1 --wrap 'touch urgent.$SLURM_JOB_ID'); }
finish() { # sets rc, and err: what salloc says, without its shell's words
        { wait "$pid"; rc=$?; } 2>/dev/null
        pid=
        err=$(grep '^salloc:' err | sed "s/ ${id}[ .]/ N /" | paste -sd'|')
}
row() { sacct -nXPD -j "$1" -o State,Restarts 2>/dev/null | paste -sd' '; }
granted='salloc: Granted job allocation N*'
revoked='salloc: Job allocation N has been revoked.'

# ---- salloc ----
begin -N2 bash command.sh
preempt
wait_job 20 "$urgent" COMPLETED
tap_is "$(job_state "$id")|$([ -e told ] && cat told)" 'PREEMPTED|' 'REQUEUE: an salloc is cancelled, the urgent job runs'
wait_for 20 grep -q revoked err && ! gone "$pid"
tap_ok $? 'its command goes on, and has been told by a line'
touch go && finish
tap_like "$rc|$err" "^0[|]$granted.*[|]$revoked" 'and ends as it likes'
tap_is "$(scontrol -o show job "$id" | grep -oE '(Requeue|Restarts|JobState)=[^ ]*' | paste -sd' ')" 'JobState=PREEMPTED Requeue=0 Restarts=0' \
        'it is not sent back to the queue' || scontrol show job "$id" | sed 's/^/# /'
begin -K -N2 bash command.sh
preempt
wait_for 20 test -e told && finish
tap_like "$rc|$(cat told)|$err" "^6[|]term[|]$granted.*[|]$revoked" '-K: its command gets SIGTERM'
wait_job 20 "$urgent" COMPLETED
tap_ok $? 'the urgent job runs'
begin -KHUP -N2 bash command.sh
preempt
wait_for 20 test -e told && finish
tap_is "$rc|$(cat told)|$(job_state "$id")" '5|hup|PREEMPTED' '-KHUP: the signal that was named'
wait_job 20 "$urgent" COMPLETED

# ---- with GraceTime, and a step inside ----
cat >task.pl <<'END_OF_TASK'
use Time::HiRes qw(time);
$| = 1;
$SIG{TERM} = sub { open(my $f, '>>', "told.$ENV{SLURM_PROCID}"); printf $f "%.3f\n", time; };
open(my $f, '>', "up.$ENV{SLURM_PROCID}");
close $f;
sleep 1 while 1;
END_OF_TASK
rm -f up.* told.*
salloc -p gentle -N2 srun -N2 perl task.pl </dev/null >out 2>err &
pid=$!
wait_for 20 test -e up.0 -a -e up.1
id=$(squeue -h -o %i)
preempt
wait_for 20 test -s told.0 -a -s told.1
tap_is "$?|$(job_state "$id") $(job_state "$urgent")" '0|RUNNING PENDING' 'GraceTime: its step is told by SIGTERM on both nodes, and goes on'
tap_is "$(grep -c revoked err)" 0 'the allocation is still there'
wait_job 20 "$id" PREEMPTED && wait_job 20 "$urgent" COMPLETED
tap_ok $? 'then it ends, and the urgent job runs'
finish
tap_ok $((rc == 0)) "salloc has the exit code of its srun ($rc)"
tap_like "$(cat err)" "STEP $id.0 ON n[12] CANCELLED AT .* DUE TO PREEMPTION" 'which says why'
tap_like "$err" "$revoked" 'and salloc'
tap_ok "$(awk -v a="$(head -1 told.0)" -v b="$(tail -1 told.0)" 'BEGIN { print b - a < 3 }')" 'the second SIGTERM came when GraceTime was over'

# ---- srun, that had its own allocation ----
rm -f up.* told.*
srun -N2 perl task.pl </dev/null >out 2>err &
pid=$!
wait_for 20 test -e up.0 -a -e up.1
id=$(squeue -h -o %i)
preempt
wait_job 20 "$id" PREEMPTED && wait_job 20 "$urgent" COMPLETED
tap_ok $? 'REQUEUE: an srun is cancelled'
finish
tap_like "$rc|$(paste -sd' ' err)" '^[1-9][0-9]*[|].*DUE TO PREEMPTION' 'it fails and says why'
tap_is "$(row "$id")" 'PREEMPTED|0' 'once in the accounts'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are free again'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
