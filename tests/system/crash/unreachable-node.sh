#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs on nodes that are cut off end when their agents say that they have ended, in the accounts and for what is charged, too; and an
# srun ends when it is told to although its node's slumberd is stopped.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' SlurmdTimeout=300
cluster_up 'two nodes' n1 n2
cd "$DIR" || exit 1

agent() { kill "-$1" "$(cat run/n1.pid)"; }
begins() { begun=$SECONDS; }
ended() { wait_for 20 test -e ended && most=$((SECONDS - begun + 1)); } # most: seconds that it can have run, without the 8 that follow
row() { # JOB: of each row whether its time ends with its tasks
        sacct -n -P -j "$1" -o JobID,State,ElapsedRaw |
                awk -F'|' -v most=$most '{ print $1 "|" $2 "|" ($3 <= most ? "in time" : $3) }' | paste -sd' '
}
listed() { wait_for 20 eval "[ \$(sacct -n -P -j $1 -o End | grep -c T) = $2 ]"; } # JOB ROWS
over() { [ "$(date +%s)" -ge "$1" ]; } # TIME
later() { wait_for $(($1 + 5)) over $(($(date +%s) + $1)); } # SECONDS have passed, which are no job's
away='until [ -e enough ]; do sleep 0.05; done; touch ended'

# ---- a batch job ----
begins
run sbatch --parsable -w n1 --exclusive -o /dev/null --wrap "$away"
job=$out
wait_job 20 "$job" RUNNING && agent_kill9 n1
touch enough
ended
tap_ok $? 'a job ends on a node that is cut off'
later 8
agent_start n1
wait_job 20 "$job" COMPLETED && listed "$job" 2
tap_is "$(row "$job")" "$job|COMPLETED|in time $job.batch|COMPLETED|in time" 'it has ended when its agent says, in the accounts'
run scontrol -o show job "$job"
time=$(sed -E 's/.* RunTime=00:0*([0-9]+):0*([0-9]+) .*/\1 \2/' <<<"$out")
tap_ok $((${time% *} * 60 + ${time#* } > most)) '... and in scontrol show job'
tap_ok "$([ -n "$(job_state "$job")" ]; echo $?)" '... and is known for MinJobAge'

# ---- srun's ----
rm -f enough ended
begins
srun -w n1 --exclusive bash -c "$away" >/dev/null 2>&1 &
pid=$!
wait_for 20 eval 'squeue -h -s -o %i | grep -q "[.]0"'
job=$(squeue -h -o %i)
agent STOP
touch enough
ended
later 8
agent CONT
wait_for 20 gone $pid
wait $pid
tap_ok $? 'an srun ends well after its node was stopped'
listed "$job" 2
tap_is "$(row "$job")" "$job|COMPLETED|in time $job.0|COMPLETED|in time" '... with the times of its end'

# ---- told to end ----
ends() { # NAME SIGNAL OPTION...: an srun that runs while the agent of its node stands still
        local name=$1 signal=$2
        shift 2
        rm -f said # of the srun before
        TAP_SIGNALS= env --default-signal srun "$@" -w n1 --exclusive sh -c 'echo up; exec sleep 500' >said 2>&1 &
        pid=$!
        wait_for 20 grep -q up said # srun knows its step
        agent STOP
        kill "-$signal" $pid
        wait_for 15 gone $pid
        tap_ok $? "$name" || kill -KILL $pid
        wait $pid
        tap_like "$?" '^[1-9]' '... and fails'
        agent CONT
        wait_for 20 no_jobs
        tap_ok $? '... and its job has ended when the node goes on' || squeue | sed 's/^/# /'
}
ends 'srun ends at SIGTERM' TERM
tap_like "$(cat said)" 'slumberd of n1 does not answer' '... and says why'
ends 'srun --quit-on-interrupt ends at Ctrl-C' INT --quit-on-interrupt
SLUMBER_SOCKET=$DIR/n1.sock ends 'srun on the very node ends at SIGTERM' TERM
tap_like "$(cat said)" 'neither the daemon of this host nor the controller answers' '... and says why'

# ---- told to end while the controller is away, too ----
SLUMBER_SOCKET=$DIR/n2.sock TAP_SIGNALS='' env --default-signal srun -w 'n[1-2]' --exclusive sh -c 'echo up; exec sleep 500' \
        </dev/null >said 2>&1 &
pid=$!
wait_for 20 eval '[ "$(grep -c up said)" = 2 ]'
agent STOP
ctld_kill9
kill -TERM $pid
n2_tasks() { [ -z "$(pgrep -f 'sleep 500' -P "$(stepd_pids n2 | paste -sd,)")" ]; }
wait_for 20 n2_tasks
ctld_start
wait_for 40 gone $pid
tap_ok $? 'srun ends at a SIGTERM that it had while the controller was away' || kill -KILL $pid
wait $pid
tap_like "$(cat said)" 'slumberd of n1 does not answer' '... when the next one has looked for silent nodes'
agent CONT
wait_for 20 no_jobs

agent STOP
SLUMBER_SOCKET=$DIR/n1.sock env --default-signal srun -w n2 true >said 2>&1 &
pid=$!
wait_for 5 eval "grep -q '^State:.S' /proc/$pid/status"
kill -TERM $pid
wait_for 15 gone $pid
tap_ok $? 'srun that has had no answer yet ends at SIGTERM, too' || kill -KILL $pid
agent CONT
cluster_sound
tap_ok $? 'no daemon has complained of a bug'
tap_done
