#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun asks for its first step with its allocation: both begin at once, once only, whatever is killed;
# where the job has to wait, the step is asked for later.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
asked() { sdiag | awk '/REQUEST_JOB_STEP_CREATE/ { n = $0; sub(/.*count:/, "", n); print n + 0; exit }'; }
steps() { sacct -nP -j "$1" -o jobid,state | paste -sd' '; }
has_steps() { [ "$(steps "$1")" = "$2" ]; }
s() { run timeout 60 srun "$@" </dev/null; }

s -v sh -c 'echo $SLURM_JOB_ID.$SLURM_STEP_ID'
tap_is "$rc|$out|$(asked)" '0|1.0|' 'srun starts its step without a request for it'
wait_for 20 no_jobs && wait_for 20 has_steps 1 '1|COMPLETED 1.0|COMPLETED'
tap_ok $? 'it is the only one' || steps 1
s -N2 -o out.%N sh -c 'echo $SLURM_JOB_ID'
tap_is "$rc|$(cat out.n1 out.n2 | paste -sd' ')|$(asked)" '0|2 2|1' 'one with files of its own is asked for when the allocation is there'
wait_for 20 no_jobs
first=$(sbatch --parsable -N2 --exclusive -o /dev/null --wrap 'until [ -e enough ]; do sleep 0.05; done') && wait_job 20 "$first" RUNNING
before=$(asked)
timeout 60 srun -N1 echo at last </dev/null >queued.out 2>queued.err &
pid=$!
wait_for 20 grep -q 'queued and waiting for resources' queued.err
touch enough && wait $pid
tap_is "$?|$(cat queued.out)|$(($(asked) - before))" '0|at last|1' 'a job that waits asks for its step when it starts'
wait_for 20 no_jobs

# ---- kill -9 around the commit that has both ----
registered() { [ "$(grep -c 'Node n[12] registered' log/ctld)" -ge "$1" ]; }
lost= more=
exec 3<log/ctld
for ((k = 0; k < 8; k++)); do
        nodes=$(($(grep -c 'Node n[12] registered' log/ctld) + 2))
        while read -r -u 3 line; do :; done
        ctld=$(cat run/ctld.pid) socket=$DIR/sock
        [ $((k % 2)) = 1 ] && socket=$DIR/n1.sock
        SLUMBER_SOCKET=$socket timeout 60 srun -w n2 echo once </dev/null >"killed.$k" 2>"killed.err.$k" &
        pid=$!
        # no process is made meanwhile: the commit takes less time than that
        until read -r -u 3 line && [[ $line == *Submitted* ]]; do kill -0 $pid 2>/dev/null || break; done
        kill -KILL "$ctld"
        { wait "$ctld"; } 2>/dev/null
        ctld_start
        wait $pid || lost+=" $k:$?"
        [ "$(cat "killed.$k")" = once ] || lost+=" $k:$(wc -l <"killed.$k")"
        wait_for 20 registered "$nodes" && wait_for 20 no_jobs
        id=$(grep -o 'Submitted JobId=[0-9]*' log/ctld | tail -1 | cut -d= -f2)
        wait_for 20 has_steps "$id" "$id|COMPLETED $id.0|COMPLETED" || more+=" $(steps "$id");"
done
tap_is "$lost" '' 'its task runs once, when the controller is killed as the job is submitted' || tail -n 3 killed.err.* | sed 's/^/# /'
tap_is "$more" '' '... and the job has one step'
tap_done
