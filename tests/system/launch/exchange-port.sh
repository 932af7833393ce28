#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The ports of slumberds are taken by other programs while they are down: the next ones, at other ports, are found by the nodes of their
# steps, which have never exchanged anything before: also where two neighbours of the tree both have another one.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' SlurmdPort=$((PORT + 1)) TreeWidth=2
cluster_up 'four nodes' n1 n2 n3 n4

cat >task <<'END_OF_TASK'
#!/bin/bash
echo >"begun.$SLURM_NODEID"
until [ -e go ]; do sleep 0.05; done
echo 'cmd=init pmi_version=1 pmi_subversion=1' >&"$PMI_FD"
read -r -u "$PMI_FD" line
echo cmd=barrier_in >&"$PMI_FD"
read -r -u "$PMI_FD" line
echo "$SLURM_NODEID $line"
END_OF_TASK
chmod +x task
srun -N4 --ntasks-per-node=1 ./task </dev/null >out 2>err &
pid=$!
begun() { [ "$(ls | grep -c '^begun')" = 4 ]; }
wait_for 20 begun
tap_ok $? 'a step of four nodes begins'

# of the tree n1 is the root, n2 is below it, n4 a leaf below n2: n1 and n2, and n2 and n4 know each other's old ports alone
for n in n1 n2 n4; do
        agent_kill9 $n
        python3 -c 'import socket, sys, time
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("127.0.0.1", int(sys.argv[1])))
s.listen()
print("taken", flush=True)
time.sleep(600)' "$(cat spool.$n/port)" >taken.$n &
        at_exit kill -KILL $!
        wait_for 10 grep -q taken taken.$n
        before=$(grep -c 'reach this one at port' log/$n)
        agent_start $n
        elsewhere() { [ "$(grep -c 'reach this one at port' log/$n)" -gt "$before" ] && [ "$(grep -c 'is registered' log/$n)" -ge 2 ]; }
        wait_for 20 elsewhere
        tap_ok $? "the port of $n is taken: it has another one"
done
touch go
over() { [ "$(grep -c barrier_out out)" = 4 ]; }
wait_for 30 over
tap_ok $? 'all four nodes leave the barrier' || { sed 's/^/# /' out err; cluster_logs; }
scancel -u "$(id -un)"
wait $pid
tap_is "$(sort out | paste -sd'|')" '0 cmd=barrier_out rc=0|1 cmd=barrier_out rc=0|2 cmd=barrier_out rc=0|3 cmd=barrier_out rc=0' 'each once'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
