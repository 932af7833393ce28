#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kill -9 of the controller at 200 random moments while three submitters and a changer of states are at work: what was
# acknowledged is there afterwards, no number is given twice, no job runs twice.  SEED=n repeats the moments.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
. "$(dirname "$0")/../ledger.sh"

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

listens() { grep -q " $DIR/sock\.[0-9a-f]*\$" /proc/net/unix; } # as the socket was named first
ledger_begin 70

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
ledger_end
ledger_check
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
