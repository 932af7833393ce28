#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scancel --signal of a job on a node with a disconnected agent: delivered when that is back, over kill -9 of the controller, too; of a step it is
# said that it is not.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]'
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
cat >task <<'EOS'
#!/bin/bash
trap 'echo task USR1 >>heard.$1' USR1
echo $$ >up.$1
while :; do sleep 0.05; done
EOS
cat >script <<'EOS'
#!/bin/bash
trap 'echo script USR2 >>heard.script' USR2
srun -N2 -n2 bash -c 'exec bash task $SLURM_PROCID' &
srun_pid=$!
touch up.script
while kill -0 $srun_pid; do sleep 0.05; done
EOS
a=$(sbatch -Q --parsable -N2 -n2 -o out script)
ups() { [ -s up.0 ] && [ -s up.1 ] && [ -e up.script ]; }
wait_for 30 ups
tap_ok $? 'a job of two nodes, with a step'
away() { [[ $(sinfo -h -n "$1" -o %t) == *\* ]]; }
agent_kill9 n2 && wait_for 20 away n2
run scancel -s USR1 "$a"
tap_is "$rc|$err" '0|' 'a signal, with one agent away'
wait_for 20 grep -q . heard.0
tap_is "$?|$(cat heard.1 2>&1)" '0|cat: heard.1: No such file or directory' 'the other node has got it'
run scancel -s USR1 "$a"
ctld_kill9
ctld_start
run scancel -s USR1 "$a.0"
tap_like "$rc|$err" '^1\|.*Communication connection failure' 'a signal to the step: it is said that one node does not get it'
agent_start n2
wait_for 20 grep -q . heard.1
tap_is "$?|$(cat heard.1)" '0|task USR1' 'what is for the job comes when the agent is back, once'
agent_kill9 n2 && wait_for 20 away n2
scancel -s STOP "$a" && scancel -s CONT "$a"
agent_start n2 && wait_nodes 20 n2 mixed
scancel -s USR1 "$a" && wait_for 20 eval '[ "$(wc -l <heard.1)" = 2 ]'
tap_is "$?|$(uniq heard.1)" '0|task USR1' 'of stopping and going on the latest counts: it goes on'
agent_kill9 n2 && wait_for 20 away n2
scancel -s CONT "$a" && scancel -f -s STOP "$a" && scancel -s CONT "$a" && scancel -s TSTP "$a"
agent_start n2
stopped() { [[ $(ps -o stat= -p "$(cat up.1)") == T* ]]; }
wait_for 20 stopped
tap_ok $? '... it stands still'
scancel -f -s CONT "$a" && scancel -s USR1 "$a" && wait_for 20 eval '[ "$(wc -l <heard.1)" = 3 ]'
tap_ok $? '... and goes on again'
: >heard.1
echo task USR1 >heard.1
agent_kill9 n1 && wait_for 20 away n1
run scancel -b -s USR2 "$a"
tap_is "$rc|$err" '0|' 'a signal to the script, its agent away'
agent_start n1
wait_for 20 grep -q . heard.script
tap_is "$?|$(cat heard.script)" '0|script USR2' '... comes when that is back'
sleepers=$(cat heard.0 | sort | uniq -c | xargs)
scancel "$a"
wait_job 30 "$a" CANCELLED
tap_is "$?|$(cat heard.0 | sort | uniq -c | xargs)|$(cat heard.1)" "0|$sleepers|task USR1" 'and nothing is left to be delivered'
tap_done
