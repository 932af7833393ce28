#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun while daemons are killed: its step goes on, and neither a byte of its streams nor its exit code is lost.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
larger() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }
registered() { [ "$(grep -c "Node $1 registered" log/ctld)" -gt "$2" ]; }
restart_agent() { # NODE: kill -9, and a new one that is registered
        local before
        before=$(grep -c "Node $1 registered" log/ctld)
        agent_kill9 "$1" && agent_start "$1" && wait_for 20 registered "$1" "$before"
}
# 4 MB of numbered lines from each task, slowly enough to be interrupted
cat >lines <<'END_OF_TASK'
#!/bin/bash
for ((k = 0; k < 40; k++)); do seq $((k * 12500 + 1)) $((k * 12500 + 12500)); sleep 0.02; done
exit 3
END_OF_TASK
chmod +x lines
seq 500000 >lines.all

# ---- slumberd ----
srun -w n1 ./lines </dev/null >agent.out 2>agent.err &
pid=$!
for size in 100000 500000 1000000; do
        wait_for 20 larger agent.out $size && restart_agent n1
done
wait $pid
tap_is "$?|$(cmp agent.out lines.all 2>&1)" '3|' "output and exit code while the node's slumberd is killed three times" || sed 's/^/# /' agent.err
(cat lines.all; touch fed) | srun -w n1 -N1 sh -c 'touch reads; while read -r l; do echo "$l"; done; exit 4' >in.out 2>in.err &
pid=$!
for size in 100000 300000; do
        wait_for 20 larger in.out $size && restart_agent n1
done
wait $pid
tap_is "$?|$(cmp in.out lines.all 2>&1)" '4|' 'so does standard input' || sed 's/^/# /' in.err

# ---- slumberctld ----
ctld_again() { ctld_kill9 && ctld_start; }
srun -N2 -n2 -o ctld.%t ./lines </dev/null >/dev/null 2>files.err &
files=$!
srun -w n2 -N1 ./lines </dev/null >ctld.out 2>ctld.err &
pid=$!
srun -w n1 -N1 sh -c 'while read -r l; do echo "$l"; done; exit 4' <lines.all >both.out 2>both.err &
both=$!
for size in 100000 500000 1000000; do
        wait_for 20 larger ctld.out $size && wait_for 20 larger both.out $((size / 2)) && ctld_again
done
wait $pid
tap_is "$?|$(cmp ctld.out lines.all 2>&1)" '3|' 'output and exit code while the controller is killed three times' || sed 's/^/# /' ctld.err
wait $both
tap_is "$?|$(cmp both.out lines.all 2>&1)" '4|' 'so does standard input' || sed 's/^/# /' both.err
wait $files
tap_is "$?|$(cmp ctld.0 lines.all 2>&1)|$(cmp ctld.1 lines.all 2>&1)" '3||' 'and a step on two nodes with files of its own' || sed 's/^/# /' files.err
wait_for 20 no_jobs
srun -w n1 sh -c 'touch waits; until [ -e go ]; do sleep 0.05; done; exit 6' </dev/null >away.out 2>away.err &
pid=$!
wait_for 20 test -e waits && ctld_kill9
wait_for 20 grep -q 'Unable to contact slurm controller: StepId=[0-9.]* goes on' away.err
tap_ok $? 'srun says that it waits for the controller'
touch go
ended() { ! ps -o args= --ppid "$(stepd_pids n1 | paste -sd,)" 2>/dev/null | grep -q 'until'; }
wait_for 20 ended
ctld_start
wait $pid
tap_is "$?|$(grep -c 'Unable to contact' away.err)" '6|1' 'the exit code of a task that ended meanwhile arrives' || sed 's/^/# /' away.err
first=$(sbatch --parsable -N2 --exclusive -o /dev/null --wrap 'until [ -e enough ]; do sleep 0.05; done') && wait_job 20 "$first" RUNNING
timeout 60 srun -N1 echo at last </dev/null >queued.out 2>queued.err &
pid=$!
wait_for 20 grep -q 'queued and waiting for resources' queued.err && ctld_again
touch enough && wait $pid
tap_is "$?|$(cat queued.out)" '0|at last' 'an srun that waits for resources is still waiting after kill -9 of the controller' || sed 's/^/# /' queued.err
cat >inner <<'END_OF_JOB'
#!/bin/bash
srun ./lines >inner.out 2>inner.err; echo "code $?"
END_OF_JOB
id=$(sbatch --parsable -N1 -o inner.code inner) && wait_for 20 larger inner.out 100000 && ctld_again
wait_job 30 "$id" COMPLETED
tap_is "$(cat inner.code)|$(cmp inner.out lines.all 2>&1)" 'code 3|' 'a step in a batch job goes on, too' || sed 's/^/# /' inner.err

# ---- by the socket of a node ----
SLUMBER_SOCKET=$DIR/n2.sock srun -w n1 ./lines </dev/null >relay.out 2>relay.err &
pid=$!
wait_for 20 larger relay.out 100000 && restart_agent n2
wait_for 20 larger relay.out 500000 && ctld_again
wait_for 20 larger relay.out 1000000 && restart_agent n1
wait $pid
tap_is "$?|$(cmp relay.out lines.all 2>&1)" '3|' 'an srun on a node survives kill -9 of its slumberd, of the controller, of the other slumberd' || sed 's/^/# /' relay.err

SLUMBER_SOCKET=$DIR/n2.sock timeout 60 sbatch -W -w n1 -o /dev/null --wrap 'touch batch; until [ -e enter ]; do sleep 0.05; done; exit 7' >batch.out 2>&1 &
pid=$!
wait_for 20 test -e batch && ctld_again && touch enter
wait $pid
tap_is "$?" 7 'so does an sbatch --wait' || sed 's/^/# /' batch.out

# ---- commands that do not come back ----
wait_for 20 no_jobs
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=600/' slurm.conf && echo 'heartbeat: 1' >>slumber.yaml && ctld_again
forever() { echo "touch $1; while :; do sleep 0.05; done"; } # FILE
only_batch() { # JOB
        local steps
        steps=$(squeue -h -s -j "$1" -o %i) && [ "$steps" = "$1.batch" ]
}
end_command() { { kill -KILL "$1"; wait "$1"; } 2>/dev/null; } # PID
srun -w n1 -n1 sh -c "$(forever own)" </dev/null >own.out 2>&1 &
own=$!
salloc -w n1 -n1 -J held sleep 1000 </dev/null >held.out 2>&1 &
held=$!
at_exit eval "kill -KILL \$(descendants $held) 2>/dev/null"
id=$(sbatch --parsable -w n2 -n1 -o /dev/null --wrap 'while :; do sleep 0.05; done')
wait_job 20 "$id" RUNNING && { srun --jobid="$id" --overlap -n1 sh -c "$(forever part)" </dev/null >part.out 2>&1 & }
part=$!
srun -w n2 -n1 sh -c "$(forever late)" </dev/null >late.out 2>&1 &
late=$!
begun() { [ -e own ] && [ -e part ] && [ -e late ] && [ "$(squeue -h -n held -o %T)" = RUNNING ]; }
wait_for 20 begun
tap_ok $? 'sruns and a salloc have what they asked for' || sed 's/^/# /' own.out held.out part.out late.out
kill -STOP $late
ctld_kill9
for pid in $own $held $part; do end_command $pid; done
ctld_start
wait_for 10 no_jobs -w n1 && wait_nodes 10 n1 idle
tap_ok $? 'allocations of commands that were killed while the controller was away end at once'
wait_for 10 only_batch "$id"
tap_is "$?|$(job_state "$id")" '0|RUNNING' 'a step of such a srun, too, and its job goes on'
job=$(squeue -h -n sh -o %i)
tap_is "$(job_state "$job")" RUNNING 'one of a srun that has yet to come back goes on, too'
end_command $late
wait_job 10 "$job" CANCELLED
tap_ok $? 'until that is killed'
scancel "$id"
srun -w n1 -n1 sh -c "$(forever left)" </dev/null >left.out 2>&1 &
pid=$!
wait_for 20 test -e left && kill -STOP $pid && ctld_kill9
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=5/' slurm.conf && ctld_start
tap_is "$(squeue -h -n sh -o %T)" RUNNING 'the job of one that lives and does not come back is there'
wait_for 20 no_jobs
tap_ok $? 'and ends after SlurmdTimeout'
end_command $pid

wait_for 20 no_jobs
tap_ok $? 'no job is left'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
