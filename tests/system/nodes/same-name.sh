#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two slumberds of one node name: the second is refused while the first is alive, with pauses that grow, and the log tells its
# address; it is taken at once when the first has ended, and when it has booted since and the first does not answer.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 SlurmdTimeout=300
cluster_up 'a node' n1
cd "$DIR" || exit 1

# The same name on "another machine": what a machine has once is its own.
second() { # [ARGUMENT...]
        mkdir -p two
        sed "s|^SlurmdSpoolDir=.*|SlurmdSpoolDir=$DIR/two/spool|" slurm.conf >two/slurm.conf
        cp slumber.yaml two/slumber.yaml
        _await_end two
        SLUMBERD_NODE=n1 "$SLUMBERD" -D -f two/slurm.conf -N n1 --socket "$DIR/two.sock" "$@" >>log/two 2>&1 </dev/null &
        echo $! >run/two.pid
}
count() { grep -c "$1" log/ctld; }
refused() { [ "$(count 'Registration of node n1 from 127.0.0.1 refused')" -ge "$1" ]; }
registered() { [ "$(count 'Node n1 registered')" -ge "$1" ]; }

# ---- while the first is alive ----
run sbatch --parsable -o /dev/null --wrap 'until [ -e enough ]; do sleep 0.05; done'
job=$out
wait_job 20 "$job" RUNNING
second
wait_for 20 refused 1
tap_ok $? 'a second slumberd of that name is refused'
tap_like "$(grep 'refused' log/ctld | head -1)" 'n1 from 127.0.0.1 refused: it is connected from 127.0.0.1' 'the log tells from where'
wait_for 40 refused 3
tap_ok $? 'it goes on trying'
tap_is "$(count 'Node n1 registered')" 1 'the node has registered once'
tap_is "$(count 'is lost')" 0 'its connection is never lost'
run scontrol show job "$job"
tap_like "$out" 'JobState=RUNNING' 'the job runs'
tap_like "$out" 'Restarts=0' '... and was not started again'
# Three attempts: pauses of 2 to 4, then 4 to 8 s.
mapfile -t at < <(sed -n 's/^\([^ ]*\) .*refused: it is connected.*/\1/p' log/ctld | head -3)
pause() { echo $((($(date -d "${at[$2]}" +%s%N) - $(date -d "${at[$1]}" +%s%N)) / 1000000)); }
[ "${#at[@]}" = 3 ] && [ "$(pause 0 1)" -ge 1900 ] && [ "$(pause 1 2)" -ge 3900 ]
tap_ok $? 'its pauses grow' || sed 's/^/# /' log/ctld

# ---- when it has ended ----
touch enough
wait_job 20 "$job" COMPLETED
tap_ok $? 'the job ends as ever'
agent_kill9 two
agent_stop n1
second
wait_for 20 registered 2
tap_ok $? 'the second is taken when the first has ended'

# ---- a node that stands still: only a later boot takes its place ----
kill -STOP "$(cat run/two.pid)"
agent_start n1
wait_for 20 grep -q 'where its slumberd does not answer' log/ctld
tap_ok $? 'one that does not answer keeps its place against one of the same boot'
agent_kill9 n1
agent_start n1 -b
wait_for 20 grep -q 'it has booted since, and the older agent does not answer' log/ctld && wait_for 20 registered 3
tap_ok $? 'a node that has booted since takes it'
kill -CONT "$(cat run/two.pid)"
run sbatch --parsable -o /dev/null --wrap true
wait_job 20 "$out" COMPLETED
tap_ok $? 'it runs jobs'
cluster_sound
tap_ok $? 'no daemon has complained of a bug'
tap_done
