#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Take-overs between two controllers while three submitters and a changer of states are at work: primaries are killed, stopped
# and asked to hand over; what was acknowledged is there afterwards, no number is given twice, no job runs twice.
# TAKEOVERS=n sets how many, SEED=n repeats the moments.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
. "$(dirname "$0")/../controllers.sh"

TAKEOVERS=${TAKEOVERS:-25}
at_exit cluster_end
controllers_conf 'n[1-2]' 2 MaxJobCount=200000 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=16 RealMemory=1000'
cd "$DIR" || exit 1
controller_start c1 && controller_start c2 && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two controllers and two nodes' || { cluster_logs; tap_done; }
echo "# SEED=${SEED:=$RANDOM}"

# Acknowledged numbers go to acked.N; a job says its number in ran once it is at work.
submitter() { # N
        local id k=0
        until [ -e stop ] || [ $k = 150 ]; do
                id=$(sbatch --parsable -o /dev/null --wrap 'echo $SLURM_JOB_ID >>'"$DIR/ran" 2>>"said.$1") && echo "$id" >>"acked.$1" && k=$((k + 1))
        done
}
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

# Ends the lead of controller OLD in one of three ways; NEW is to follow.
end_lead() { # OLD NEW
        case $((RANDOM % 6)) in
        0) scontrol takeover $((${2#c} - 1)) 2>>said.takeover || controller_kill9 "$1" ;;
        1) kill -STOP "$(cat "run/$1.pid")" ;;
        *) controller_kill9 "$1" ;;
        esac
}
# A killed controller starts again, a stopped one goes on: each is a backup then.
come_back() { # NAME
        if [ -e "run/$1.pid" ]; then
                kill -CONT "$(cat "run/$1.pid")"
        else
                controller_start "$1"
        fi
}
RANDOM=$SEED
done_=0
start=${EPOCHREALTIME/./}
for ((k = 0; k < TAKEOVERS; k++)); do
        old=$(primary)
        new=$([ "$old" = c1 ] && echo c2 || echo c1)
        sleep "0.$((RANDOM % 900 + 100))"
        end_lead "$old" "$new"
        wait_for 20 eval '[ "$(primary)" = $new ]' || break
        done_=$((done_ + 1))
        [ $((RANDOM % 3)) = 0 ] || wait_for 20 squeue -h >/dev/null 2>&1
        come_back "$old"
done
echo "# $done_ take-overs in $(((${EPOCHREALTIME/./} - start) / 1000)) ms"
tap_is "$done_" "$TAKEOVERS" "$TAKEOVERS take-overs"
touch stop
wait_for 30 squeue -h
tap_ok $? 'the primary answers'
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
tap_is "$(sacct -aX -n -P -o jobid,state -S now-1hour | awk -F'|' '$2 == "COMPLETED"' | cut -d'|' -f1 | sort | comm -13 - <(sort ids) | head -5)" '' \
        'the accounts have them'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
