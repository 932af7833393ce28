#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What srun can be asked about its tasks: a terminal, other programs, other nodes, CPUs; and how it says that it failed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-3]' KillWait=1
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes' || { cluster_logs; tap_done; }
s() { run timeout 60 srun "$@" </dev/null; }
terminal() { python3 "$SLUMBER_SOURCE/tests/system/terminal.py" "$@" 2>&1 | tr -d '\r'; }

# ---- --pty ----
out=$(terminal 33 99 'wait ready;;send \x03;;wait int;;send hello\n;;wait got hello' \
        srun --pty bash -c 'trap "echo int" INT; tty; stty size; echo ready; while ! read -r l; do :; done; echo "got $l"; exit 7')
tap_like "$out" '/dev/pts/[0-9]+' 'a terminal of its own'
tap_like "$out" '33 99' '... of the size of this one'
tap_like "$(tr '\n' ' ' <<<"$out")" 'int.*got hello' '... where ^C is the task'"'"'s' || echo "$out"
tap_is "$(tail -1 <<<"$out")" 'exit 7 cooked' 'the exit code is the task'"'"'s, and this terminal is as it was'
out=$(terminal 24 80 'wait ready;;size 50 132;;wait now 50 132;;send \x04' \
        srun --pty sh -c 'echo ready; until [ "$(stty size)" = "50 132" ]; do :; done; echo "now $(stty size)"; cat; exit 3')
tap_is "$(tail -1 <<<"$out")" 'exit 3 cooked' 'a new size goes along, and ^D is the end of the input'
s --pty sh -c 'test -t 0 && test -t 1 && test -t 2 && cat && echo "$SLURM_PTY_WIN_COL"'
tap_is "$rc|$(tr -d '\r\004\b' <<<"$out" | tail -1)" '0|0' 'without a terminal here the task has one all the same, with an end of input'
s -n2 --pty sh -c 'test -t 1 && echo task $SLURM_PROCID'
tap_is "$rc|$(tr -d '\r' <<<"$out")" '1|task 0' 'only task 0 has it'
s --pty -o x true
tap_like "$rc $err" '^[1-9].*--pty goes with none of --input, --output' '--pty with --output is refused'
s --pty kill-me-not
tap_like "$rc" '^(2|127)$' 'a program that is missing'

# ---- --preserve-env, --threads ----
cat >given <<'END'
srun -N1 -n1 -E sh -c 'echo "$SLURM_JOB_NUM_NODES $SLURM_NNODES $SLURM_NTASKS $SLURM_NPROCS $SLURM_STEP_NUM_TASKS"'
export SLURM_NTASKS=9 SLURM_NNODES=7 SLURM_JOB_NUM_NODES=8
unset SLURM_NPROCS
srun -N1 -n1 -E sh -c 'echo "$SLURM_JOB_NUM_NODES $SLURM_NNODES $SLURM_NTASKS ${SLURM_NPROCS-unset} $SLURM_STEP_NUM_NODES $SLURM_STEP_NUM_TASKS"'
srun -N1 -n1 sh -c 'echo "$SLURM_JOB_NUM_NODES $SLURM_NNODES $SLURM_NTASKS"'
END
run salloc -Q -N2 -n4 sh given
tap_is "$rc|$(paste -sd, <<<"$out")" '0|2 2 4 4 1,8 7 9 unset 1 1,2 1 1' '--preserve-env: the numbers of srun'"'"'s environment'
told='echo "${SLURM_NNODES-unset} ${SLURM_NTASKS-unset} ${SLURM_NPROCS-unset} ${SLURM_TASKS_PER_NODE-unset} $SLURM_STEP_NUM_TASKS"'
out=$(SLURM_NNODES=2 SLURM_NTASKS=4 srun -E -N1 -n1 sh -c "$told")
tap_is "$out" '2 4 unset unset 1' '... also with an allocation of its own'
out=$(SLURM_NNODES=2 SLURM_NTASKS=4 SLURM_JOB_NUM_NODES=5 srun -N1 -n1 sh -c "$told; echo \$SLURM_JOB_NUM_NODES")
tap_is "$(paste -sd, <<<"$out")" '1 1 1 1 1,1' '... which without it are those of the job'
s -T 4 echo x
tap_is "$rc $out" '0 x' '--threads'
s -T 0 echo x
tap_like "$rc $err" '^1 .*Invalid numeric value "0" for --threads' '... of none is refused'

# ---- --msg-timeout ----
s -N3 --msg-timeout=30 sh -c 'echo $SLURMD_NODENAME'
tap_is "$rc|$(sort <<<"$out" | paste -sd,)|$err" '0|n1,n2,n3|' '--msg-timeout of a launch in time'
kill -STOP "$(cat run/n2.pid)"
s -N1 -w n2 --msg-timeout=1 true
tap_like "$rc $err" '^1 srun: error: timeout waiting for task launch: not all nodes have launched StepId=[0-9]+\.0 within 1 s' '... a late one is the end of the step'
kill -CONT "$(cat run/n2.pid)"
wait_for 20 no_jobs && wait_nodes 20 'n[1-3]' idle
tap_ok $? '... and its node is free again'
passed() { [ "$(date +%s)" -gt "$(($1))" ]; }
kill -STOP "$(cat run/n2.pid)"
srun -N1 -w n2 --msg-timeout=4 sh -c 'echo a; touch began; until [ -e go ]; do sleep 0.05; done' </dev/null >stood.out 2>&1 &
pid=$!
wait_for 20 eval '[ -n "$(squeue -h -s)" ]' && kill -STOP $pid && since=$(date +%s)
kill -CONT "$(cat run/n2.pid)"
wait_for 20 test -e began && wait_for 20 passed "$since + 5"
touch go
kill -CONT $pid
wait $pid
tap_is "$?|$(cat stood.out)" '0|a' 'an srun that stood still reads first whether it was in time'
wait_for 20 no_jobs
printf '%s\n' '#!/bin/sh' 'until [ -e let ]; do sleep 0.05; done' >own && chmod +x own
timeout 60 srun -N1 --prolog="$DIR/own" --msg-timeout=4 echo launched </dev/null >suspended.out 2>&1 &
pid=$!
wait_for 20 eval 'job=$(squeue -h -t R -o %A) && [ -n "$job" ] && [ "$(squeue -h -s -o %i)" = "$job.0" ]'
scontrol suspend "$job" && wait_job 20 "$job" SUSPENDED && touch let &&
        wait_for 20 grep -q "StepId=$job.0 is launched when its job goes on" log/ctld
tap_ok $? 'the launch of a step waits for its suspended job'
since=$(date +%s)
wait_for 20 passed "$since + 5"
scontrol resume "$job"
wait $pid
tap_is "$?|$(cat suspended.out)" '0|launched' '... and --msg-timeout does not count that'
wait_for 20 no_jobs && wait_nodes 20 'n[1-3]' idle
s -N1 --msg-timeout=0 true
tap_like "$rc $err" '^1 .*Invalid numeric value "0" for --msg-timeout' 'no time at all is refused'

# ---- --whole ----
s_in_job() { run salloc -Q -N1 -n4 srun -n1 -c2 "$@" sh -c 'echo $SLURM_CPUS_ON_NODE'; echo "$rc $out${err:+ $err}"; }
tap_is "$(s_in_job)|$(s_in_job --whole)|$(SLURM_WHOLE=1 s_in_job)" '0 2|0 4|0 4' '--whole: all that the job has, also with -c'
tap_is "$(s_in_job --whole --exact)" '1  srun: error: --exact and --whole are mutually exclusive' '... not with --exact'

# ---- --external-launcher ----
cat >outer <<'END'
srun sh -c 'echo >"has.$SLURMD_NODENAME"; until [ -e go ]; do sleep 0.05; done' &
until [ -e has.n1 ] && [ -e has.n2 ]; do sleep 0.05; done
srun --external-launcher sh -c 'echo $SLURMD_NODENAME $SLURM_CPUS_ON_NODE $SLURM_STEP_NUM_TASKS ${PMI_FD-none}'
srun --external-launcher -n3 -c1 sh -c 'echo $SLURM_PROCID $SLURM_CPUS_ON_NODE'
srun --external-launcher --exact true
export SLURM_EXACT=1 SLURM_MPI_TYPE=pmi2 SLURM_NTASKS_PER_NODE=2
srun --external-launcher sh -c 'echo again $SLURM_CPUS_ON_NODE $SLURM_STEP_NUM_TASKS ${PMI_FD-none}'
srun --external-launcher --mpi=pmi2 -w n1 -N1 sh -c 'echo pmi ${PMI_FD:+2}'
touch go
wait
END
run timeout 60 salloc -Q -N2 -n4 -w n1,n2 sh outer
tap_is "$(sort <<<"$out" | paste -sd,)|$err" '0 3,1 3,2 1,again 1 2 none,again 3 2 none,n1 3 2 none,n2 1 2 none,pmi 2|srun: error: --exact and --whole are mutually exclusive' \
        '--external-launcher: a task a node beside the other steps, with all that the job has there, whatever the environment says'

# ---- --multi-prog ----
cat >multi <<'END'
# three programs
0   echo first
1-2 sh -c "echo worker %t %o"
*   echo rest %t
END
s -n5 -O -l --multi-prog multi
tap_is "$rc|$(sort <<<"$out" | paste -sd,)" '0|0: first,1: worker 1 0,2: worker 2 1,3: rest 3,4: rest 4' 'each task runs its own'
sed -i '/^\*/d' multi
s -n5 -O --multi-prog multi
tap_like "$rc $err" '^[1-9].*multi: no line is for task 3' 'a task without a line is refused'
s --multi-prog nosuch
tap_like "$rc $err" '^[1-9].*nosuch: No such file' 'and a file that is not there'
s -N2 --ntasks-per-node=2 -O --multi-prog multi
tap_like "$rc ${err//$'\n'/ }" '^1 .*multi-prog: no line is for task 3' 'where the number shows only on the nodes, it is said there'

# ---- --relative ----
cat >batch <<'END'
#!/bin/sh
srun -r1 sh -c 'echo rest $SLURMD_NODENAME' | sort
srun -N1 -r2 sh -c 'echo last $SLURMD_NODENAME'
srun -r3 true; echo $?
srun -N2 -n2 -r2 true; echo $?
srun -r1 -w n1 true; echo $?
END
sbatch -Q -W -N3 -o out.%j batch
tap_is "$(grep -v srun out.* | paste -sd,)" 'rest n2,rest n3,last n3,1,1,1' '-r counts the nodes from there' || cat out.*
s -r1 true
tap_like "$rc $err" '^[1-9].*--relative is for a step in an allocation' '-r without an allocation is refused'

# ---- --cpu-bind ----
cpus() { grep -o 'list.*' <<<"$1" | tr -dc '0-9,\n-' ; }
list() { s "$@" sh -c 'grep Cpus_allowed_list /proc/self/status'; }
first=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
n=$(nproc)
list --cpu-bind="map_cpu:$first"
tap_is "$rc|$(cpus "$out")" "0|$first" 'map_cpu'
list --cpu-bind="mask_cpu:$(printf '%x' $((1 << first)))"
tap_is "$rc|$(cpus "$out")" "0|$first" 'mask_cpu'
list -n2 --cpu-bind=threads
if [ "$n" -gt 1 ]; then
        tap_is "$rc|$(cpus "$out" | sort -u | wc -l)" '0|2' 'threads: another one for each task'
fi
list --cpu-bind=verbose,cores
tap_like "$rc|$err" '^0\|cpu-bind=MASK - n1, task  0  0 \[[0-9]+\]: mask 0x[0-9A-F]+ set' 'cores, and what was done is said'
s --cpu-bind=none sh -c 'nproc'
tap_is "$rc|$out" "0|$n" 'none'
list --cpu-bind=map_cpu:4000
tap_like "$rc|$err" '^0\|.*--cpu-bind=map_cpu:4000: task 0 has none of these CPUs and is not bound' 'a CPU that is not there'
sbatch -Q -W -o bound --cpu-bind=rank --wrap 'echo $SLURM_CPU_BIND; srun -n1 sh -c "nproc; echo \$SLURM_CPU_BIND"'
tap_is "$(paste -sd' ' bound)" 'rank 1 quiet,rank' 'sbatch --cpu-bind is for the steps'

# ---- how a step ends ----
cat >polite <<'END'
#!/bin/bash
trap 'echo "$SLURM_PROCID got TERM"; exit 0' TERM
[ "$SLURM_PROCID" != 1 ] || { until [ -e ready.0 ] && [ -e ready.2 ]; do :; done; exit 5; }
echo >"ready.$SLURM_PROCID"
while :; do read -r -t 60 <>pipe; done
END
cat >stubborn <<'END'
#!/bin/bash
trap 'echo TERM >>told' TERM
echo >>told
while :; do read -r -t 60 <>pipe; done
END
chmod +x polite stubborn
mkfifo pipe
s -N3 -K ./polite
tap_is "$rc|$(sort <<<"$out" | paste -sd,)" '5|0 got TERM,2 got TERM' 'srun -K asks the others to end'
tap_like "$err" 'slurmstepd(-n1)?: error: \*\*\* STEP [0-9]+\.0 ON n1 CANCELLED AT 20[0-9T:-]+ \*\*\*' '... and says so'
conf_key() { sed -i "/^$1=/d" slurm.conf && { [ -z "${2:-}" ] || echo "$1=$2" >>slurm.conf; } && scontrol reconfigure; } # KEY [VALUE]
conf_key KillOnBadExit 1
rm ready.*
s -N3 ./polite
tap_is "$rc|$(sort <<<"$out" | paste -sd,)" '5|0 got TERM,2 got TERM' 'KillOnBadExit=1 asks for that where srun does not say'
tap_like "$err" 'srun: Terminating StepId=[0-9]+\.0' '... and srun tells it'
s -n2 -K0 sh -c '[ $SLURM_PROCID = 0 ] && exit 5; until grep -q "Exited with" err; do :; done; echo goes on'
tap_is "$rc|$out" '5|goes on' 'srun -K0 says no to it'
conf_key KillOnBadExit
conf_key MaxTasksPerNode 2
for args in -n3 '-O -N3 -n7'; do
        s -N1 $args true
        tap_like "$rc $err" '^1 .*Unable to create step for job [0-9]+: Task count specification invalid' "MaxTasksPerNode=2 refuses srun $args"
done
run salloc -Q -N1 -O -w n1 srun -m arbitrary -w 'n1*65536' true
tap_like "$rc $err" '^1 .*more than 2 tasks are listed for n1' '... nor a list of more tasks of a node'
s -O -N3 -n6 true
tap_is "$rc" 0 '... and no more than it should'
conf_key MaxTasksPerNode
job=$(sbatch -Q --parsable -N1 -w n1 -o steps.%j --wrap 'srun ./stubborn; echo "srun $?"; srun -n1 echo goes on')
wait_for 20 test -s told
t0=$(date +%s%N)
scancel "$job.0"
wait_for 20 grep -q TERM told
agent_kill9 n1
agent_start n1
wait_job 30 "$job" COMPLETED
took=$((($(date +%s%N) - t0) / 1000000))
tap_is "$(grep -vE 'srun: |\*\*\*' "steps.$job" | paste -sd,)|$(grep -c TERM told)" 'srun 137,goes on|1' \
        'scancel JOB.STEP: SIGKILL after KillWait, also when slumberd is killed meanwhile' || cat "steps.$job"
tap_ok $((took < 5000)) "... and not before (after $took ms)"
tap_is "$(grep -c "STEP $job.0 ON n1 CANCELLED AT" "steps.$job")" 1 '... said once'

# ---- files on the nodes that cannot be opened ----
s -n2 -o "$DIR/none/%t" true
tap_is "$rc|$(grep -v Signal <<<"$err" | sort | paste -sd,)" \
        "181|slurmstepd: error: Could not open stdout file $DIR/none/0: No such file or directory,slurmstepd: error: Could not open stdout file $DIR/none/1: No such file or directory" \
        'srun says which' || echo "$err"
s -n1 -e "$DIR/none/%t" true
tap_like "$rc|$err" "^181\|.*Could not open stderr file $DIR/none/0: No such file" '... of errors, too'

# ---- how it failed ----
fails() { # CODE ARGUMENT...
        local code=$1
        shift
        run env SLURM_EXIT_ERROR=77 SLURM_EXIT_IMMEDIATE=78 "$@" </dev/null
        tap_is "$rc" "$code" "${*##*/}: exit code $code"
}
fails 77 srun -p nope true
fails 77 salloc -p nope true
fails 3 srun sh -c 'exit 3'
hold=$(sbatch -Q --parsable -N3 --exclusive -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$hold" RUNNING
fails 78 srun -I -N3 true
fails 78 salloc -I -N3 true
fails 78 srun -I1 -N3 true
scancel "$hold"
wait_for 20 no_jobs
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
