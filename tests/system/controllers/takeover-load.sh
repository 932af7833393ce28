#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Take-overs between two controllers while three submitters and a changer of states are at work: primaries are killed, stopped
# and asked to hand over; what was acknowledged is there afterwards, no number is given twice, no job runs twice.
# TAKEOVERS=n sets how many, SEED=n repeats the moments.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
. "$(dirname "$0")/../controllers.sh"
. "$(dirname "$0")/../ledger.sh"

TAKEOVERS=${TAKEOVERS:-25}
at_exit cluster_end
controllers_conf 'n[1-2]' 2 MaxJobCount=200000 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=16 RealMemory=1000'
cd "$DIR" || exit 1
controller_start c1 && controller_start c2 && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two controllers and two nodes' || { cluster_logs; tap_done; }
echo "# SEED=${SEED:=$RANDOM}"

ledger_begin 150

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
ledger_end
ledger_check
tap_is "$(sacct -aX -n -P -o jobid,state -S now-1hour | awk -F'|' '$2 == "COMPLETED"' | cut -d'|' -f1 | sort | comm -13 - <(sort ids) | head -5)" '' \
        'the accounts have them'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
