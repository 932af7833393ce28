#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What -v says, in the form that programs written for Slurm read.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf n[1-2] 'AccountingStorageType=accounting_storage/slurmdbd'
cluster_up 'a cluster' n1 n2

has() { # TEXT LINE NAME
        grep -qxF -- "$2" <<<"$1"
        tap_ok $? "$3" || sed 's/^/# /' <<<"$1"
}
run srun -v -N2 -n3 true
id=$(sed -n 's/^srun: jobid \([0-9]*\): nodes(2):`n\[1-2\].*/\1/p' <<<"$err")
tap_like "$rc|$id" '^0\|[0-9]+$' 'srun -v tells the job id and its nodes'
has "$err" "srun: jobid $id: nodes(2):\`n[1-2]', cpu counts: 2(x1),1(x1)" '... and how many CPUs they give'
has "$err" 'srun: verbose             : 1' '... the options in effect'
has "$err" "srun: launching StepId=$id.0 on host n1, 2 tasks: [0-1]" '... the launch on the first node'
has "$err" "srun: launching StepId=$id.0 on host n2, 1 tasks: 2" '... and on the second'
has "$err" 'srun: n2: task 2: Completed' '... the end of a task'
tap_is "$(grep -o 'exit notification for [0-9]* task' <<<"$err" | awk '{ n += $4 } END { print n }')" 3 '... of each'
run srun -vv sh -c 'exit 3'
id=$(sed -n 's/^srun: jobid \([0-9]*\):.*/\1/p' <<<"$err")
has "$err" "srun: Received task exit notification for 1 task of StepId=$id.0 (status=0x0300)." 'the status of one that fails'
has "$err" 'srun: verbose             : 2' '-vv counts'
run salloc -v -N1 srun -v -n1 true
id=$(sed -n 's/^salloc: Granted job allocation //p' <<<"$err")
has "$err" "srun: jobid $id: nodes(1):\`n1', cpu counts: 1(x1)" 'in an allocation, its id'
run srun -n1 true
tap_is "$rc|$err" '0|' 'nothing of this without -v'

run sbatch -v -t 1-2 --time-min=90 --exclusive --nice --switches=1@5 -o /dev/null -H --wrap true
for line in 'time                : 1-02:00:00' 'time-min            : 01:30:00' 'exclusive           : exclusive' \
        'nice                : 100' 'switches            : 1@00:05:00'; do
        has "$err" "sbatch: $line" "sbatch -v says ${line%% *} in one way"
done
scancel --me
run squeue -v -j 4711
tap_is "$rc|$err" '1|slurm_load_jobs error: Invalid job id specified' 'squeue -v of a job that is not there'
has "$out" 'jobs        = 4711' '... tells the options nevertheless'
run squeue -v -u root -t pd --start
has "$out" 'states      = pd' 'squeue -v tells the options in effect'
has "$out" 'start_flag  = 1' '... flags too'
has "$out" 'array       = false' '... and those that are not'
run squeue -h --me --notme
tap_is "$rc|$err" '1|squeue: error: --me and --notme are mutually exclusive' '--me with --notme is refused'
run sinfo -v
has "$out" 'format      = partition:9 ,available:.5 ,time:.10 ,nodes:.6 ,statecompact:.6 ,nodelist:0' 'sinfo -v tells its format'
has "$out" 'filtering   = false' '... that nothing is left out'
has "$out" 'max_time_flag   = true' '... and what it looks at'
has "$out" 'weight_flag     = false' '... or not'
run sinfo -v -n n1
has "$out" 'nodes       = n1' 'sinfo -v, too'
tap_like "$out" '^main\*' '... and then what it shows'
run sacct -v
tap_like "$err" '^sacct: Jobs Eligible in the time window from [A-Z][a-z]{2} [A-Z][a-z]{2} .* 00:00:00 20[0-9]{2} to ' 'sacct -v tells the time that it looks at'
run sacct -v -s CD,F -S now-1hour -E now
tap_like "$err" '^sacct: Jobs COMPLETED,FAILED in the time window' '... and the states'
run scancel -v 77
tap_is "$rc|$err" '0|scancel: Terminating job 77
scancel: error: Kill job error on job id 77: Invalid job id specified' 'scancel -v tells what it does'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
