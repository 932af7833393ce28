#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kill -9 of the controller at 200 random moments while three submitters and a changer of states are at work: what was
# acknowledged is there afterwards, no number is given twice, no job runs twice.  SEED=n repeats the moments.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

KILLS=${KILLS:-200}
at_exit cluster_end
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=16 RealMemory=1000'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a controller and two nodes' || { cluster_logs; tap_done; }
# A command is to get through between two kills now and then, also on a machine that is slow today.
start=${EPOCHREALTIME/./}
for _ in 1 2 3; do scancel "$(sbatch --parsable -H -o /dev/null --wrap true)"; done
window=$(((${EPOCHREALTIME/./} - start) / 2000)) # ms, of three commands
window=$((window < 180 ? 180 : window > 1500 ? 1500 : window))
echo "# SEED=${SEED:=$RANDOM}, a kill within $window ms"

# Acknowledged numbers go to acked.N; a job says its number in ran once it is at work.  70 each: what
# runs costs more than what is submitted.
submitter() { # N
        local id k=0
        until [ -e stop ] || [ $k = 70 ]; do
                id=$(sbatch --parsable -o /dev/null --wrap 'echo $SLURM_JOB_ID >>'"$DIR/ran" 2>>"said.$1") && echo "$id" >>"acked.$1" && k=$((k + 1))
        done
}
listens() { grep -q " $DIR/sock\.[0-9a-f]*\$" /proc/net/unix; } # as the socket was named first
# Jobs that never run: held when they are submitted, renamed, then cancelled (cancelled: the answer was Ok).
changer() {
        local id
        until [ -e stop ]; do
                id=$(sbatch --parsable -H -o /dev/null --wrap 'echo $SLURM_JOB_ID >>'"$DIR/ran" 2>>said.c) || continue
                echo "$id" >>acked.c
                scontrol update JobId="$id" TimeLimit=7 2>>said.c && echo "$id" >>changed
                [ $((id % 2)) = 0 ] || { scancel "$id" 2>>said.c && echo "$id" >>cancelled; }
        done
}
: >ran && : >changed && : >cancelled
workers=()
for n in 1 2 3; do submitter $n & workers+=($!); done
changer & workers+=($!)

RANDOM=$SEED
start=${EPOCHREALTIME/./}
for ((k = 0; k < KILLS; k++)); do
        # the random moment: of its work, one time in four of its start
        [ $((RANDOM % 4)) = 0 ] || wait_for 30 listens
        ms=$((RANDOM % window))
        sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
        ctld_kill9
        "$CTLD" -D -f "$SLURM_CONF" >>log/ctld 2>&1 </dev/null &
        echo $! >run/ctld.pid
done
echo "# $KILLS kills in $(((${EPOCHREALTIME/./} - start) / 1000)) ms"
touch stop
wait_for 30 squeue -h
tap_ok $? 'the controller is there again'
for w in "${workers[@]}"; do wait_for 120 gone "$w"; done
wait_for 180 eval 'no_jobs -t R,CG && [ -z "$(squeue -h -t PD -o %r | grep -v Held)" ]'
tap_ok $? 'all that may run has ended' || squeue | head -20 | sed 's/^/# /'

sort -n acked.[1-3] >ids && sort -n ids acked.c >all && sort -n ran -o ran
squeue -h -t all -o '%i %T %l' | sort -n >known
echo "# $(wc -l <all) jobs acknowledged, $(wc -l <known) known, $(wc -l <ran) have run, $(cat said.* | wc -l) commands failed"
[ "$(wc -l <ids)" -ge 50 ]
tap_ok $? 'there was something to lose'
tap_is "$(uniq -d all | head)" '' 'no number was given twice'
tap_is "$(cut -d' ' -f1 known | sort | comm -13 - <(sort all) | paste -sd' ')" '' 'every acknowledged job is known'
tap_is "$(uniq -d ran | paste -sd' ')" '' 'no job has run twice'
tap_is "$(comm -13 <(sort ran) <(sort ids) | paste -sd' ')" '' 'every acknowledged job has run'
tap_is "$(sort acked.c | comm -12 - <(sort ran) | paste -sd' ')" '' 'no held job has'
tap_is "$(sort ids | join - <(sort known) | grep -v COMPLETED | head -5)" '' 'they are COMPLETED'
tap_is "$(sort cancelled | join - <(sort known) | grep -v CANCELLED | head -5)" '' 'what was cancelled is CANCELLED'
tap_is "$(sort changed | join - <(sort known) | grep -v ' 7:00$' | head -5)" '' 'what was changed is changed'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
