#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Streams of a step with more nodes than TreeWidth go up and down a tree of slumberds: srun's host has few connections, and a slumberd on
# the way that is killed, or has no part of the step any more, is passed over; nothing is lost or doubled, no line is torn.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
# Ports of their own: one that is started again is found where it was.
cluster_conf '' "NodeName=n[1-6] NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 6))] CPUs=4 RealMemory=1000" TreeWidth=2 KillWait=1 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && for n in n{1..6}; do agent_start $n; done && wait_nodes 30 'n[1-6]' idle
tap_ok $? 'controller and six nodes' || { cluster_logs; tap_done; }
export SLUMBER_SOCKET=$DIR/n6.sock
# srun is on n6; n1 and n2 have its slumberd as parent, n3 and n4 have n1's, n5 has n2's
port=$(cat spool.n6/port)
connected() { ss -Htn state established "sport = :$port or dport = :$port" | awk '{ print $3 < $4 ? $3 " " $4 : $4 " " $3 }' | sort -u | wc -l; }
larger() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }
of_node() { sed -n "s/^$1: //p" "$2"; }
cat >lines <<'END_OF_TASK'
#!/bin/bash
for ((k = 0; k < 40; k++)); do
        seq $((k * 2500 + 1)) $((k * 2500 + 2500)); sleep 0.05
        [ $k != 20 ] || until [ -e half ]; do sleep 0.05; done
done
END_OF_TASK
chmod +x lines
seq 100000 >lines.all
whole() { # FILE: of five nodes
        local k
        [ "$(wc -l <"$1")" = 500000 ] || return 1
        for k in {0..4}; do of_node $k "$1" | cmp -s - lines.all || return 1; done
}

srun -w 'n[1-5]' --label ./lines </dev/null >all.out 2>all.err &
pid=$!
wait_for 30 larger all.out 1000000
n=$(connected)
tap_ok $((n > 2)) "two nodes of five are connected to srun's host: $n"
touch half
wait $pid
tap_ok $? 'the step ends well' || sed 's/^/# /' all.err
whole all.out
tap_ok $? 'all lines of all nodes have come once, whole'

rm half
srun -w 'n[1-5]' --label ./lines </dev/null >kill.out 2>kill.err &
pid=$!
wait_for 30 larger kill.out 500000
agent_kill9 n1
touch half
rest() { [ "$(of_node 2 kill.out | tail -n 1)" = 100000 ] && [ "$(of_node 3 kill.out | tail -n 1)" = 100000 ]; }
wait_for 30 rest
tap_ok $? 'nodes below a slumberd that was killed go on without it'
agent_start n1
wait $pid
tap_ok $? 'the step ends well when it is back' || sed 's/^/# /' kill.err
whole kill.out
tap_ok $? 'all lines have come once, whole'
wait_nodes 20 'n[1-6]' idle

srun -w 'n[1-5]' --label ./lines </dev/null >home.out 2>home.err &
pid=$!
wait_for 30 larger home.out 500000
agent_kill9 n6 && agent_start n6
wait $pid
tap_ok $? "likewise the slumberd of srun's host" || sed 's/^/# /' home.err
whole home.out
tap_ok $? 'all lines have come once, whole'
wait_nodes 20 'n[1-6]' idle

seq 200000 | srun -w 'n[1-5]' --label cat >in.out 2>in.err
(for k in {0..4}; do of_node $k in.out | cmp - <(seq 200000) || exit; done)
tap_ok $? 'input reaches all nodes' || sed 's/^/# /' in.err

# n1's task ends first: its slumberd knows nothing of the step any more
srun -w 'n[1-5]' --label sh -c 'if [ $SLURM_NODEID = 0 ]; then echo short; else touch runs.$SLURM_NODEID; until [ -e end ]; do sleep 0.05; done; seq 100000; fi' </dev/null >short.out 2>short.err &
pid=$!
wait_for 30 grep -q short short.out
no_step() { [ -z "$(stepd_pids n1)" ] || ! ls spool.n1/steps/* >/dev/null 2>&1; }
wait_for 20 no_step
touch end
wait $pid
(for k in {1..4}; do of_node $k short.out | cmp - lines.all || exit; done)
tap_ok $? 'nodes below one whose task has ended go on, too' || sed 's/^/# /' short.err

wait_nodes 20 'n[1-6]' idle
cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
