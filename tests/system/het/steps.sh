#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun --het-group: one step over several components of a heterogeneous job, with one number and one
# world, also where daemons are killed, a node fails or the job stands still; srun A : B makes such a job.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' SelectTypeParameters=CR_CPU KillWait=1 GresTypes=gpu "SrunProlog=$DIR/prolog" \
        AccountingStorageType=accounting_storage/slurmdbd \
        'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2'
echo 'Name=gpu Count=2 Flags=CountOnly' >gres.conf
printf '%s\n' '#!/bin/sh' "echo \$SLURM_JOB_ID \$SLURM_JOB_NODELIST \$SLURM_STEP_ID \$SLURM_STEP_NODELIST \$SLURM_NTASKS >>$DIR/prologs" >prolog
chmod +x prolog
cluster_up 'four nodes' n1 n2 n3 n4

# A job of three components, whose environment srun has here as its script would.
unset "${!SLURM_@}"
export SLURM_CONF=$DIR/slurm.conf
salloc -n2 --gres=gpu:1 -J eins : -n3 -J zwei : -N2 -n2 --gres=gpu:2 -J drei sh -c 'export -p | grep "SLURM_.*\(GROUP\|JOB_ID\|HET_SIZE\)" >env; : >ready; until [ -e over ]; do sleep 0.2; done' 2>salloc.err &
holder=$!
wait_for 20 test -e ready
tap_ok $? 'salloc has a job of three components'
# shellcheck source=/dev/null
. ./env
id=$SLURM_JOB_ID

steps() { squeue -h -s -o '%i %j %N' | sort | paste -sd,; }
begun() { [ "$(squeue -h -s | wc -l)" = "$1" ]; }
none() { [ -z "$(squeue -h -s)" ]; }

# ---- one world ----
# shellcheck disable=SC2016 # the tasks' shells expand it
show='echo $SLURMD_NODENAME $SLURM_PROCID/$SLURM_NTASKS $SLURM_NODEID/$SLURM_NNODES $SLURM_STEP_ID $SLURM_JOB_ID \
        $SLURM_STEP_TASKS_PER_NODE $SLURM_JOB_NODELIST'
run srun -l --het-group=0,1 sh -c "$show"
tap_is "$rc $(sort <<<"$out")" "0 0: n1 0/5 0/2 0 $id 2,3 n[1-2]
1: n1 1/5 0/2 0 $id 2,3 n[1-2]
2: n2 2/5 1/2 0 $id 2,3 n[1-2]
3: n2 3/5 1/2 0 $id 2,3 n[1-2]
4: n2 4/5 1/2 0 $id 2,3 n[1-2]" 'two components are one step'
tap_is "$(cat prologs)" "$id n1 0 n[1-2] 5" 'SrunProlog has run once, for the whole'
run srun -l --het-group=1 sh -c "$show"
tap_is "$rc $(sort <<<"$out" | head -1)" "0 0: n2 0/3 0/1 1 $id 3 n2" 'a step on one component has the next number'
run srun -l --het-group=2 echo B : --het-group=0-1 -n1 echo A
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: A,1: A,2: B,3: B' 'tasks are in the order of components'
run srun -l -n2 : -n1 sh -c "$show"
tap_is "$rc $(sort <<<"$out" | cut -d' ' -f1-5 | paste -sd,)" '0 0: n1 0/3 0/2 3,1: n1 1/3 0/2 3,2: n2 2/3 1/2 3' 'each ":" is for the next component; a program is that of the next'
run srun --het-group=1,3 true
tap_is "$rc $err" '1 srun: error: Requested het-group offset exceeds highest hetjob index (3 > 2)' 'a group that there is not'
run srun --het-group=0-5,4 true : --het-group=3 true
tap_is "$rc $err" '1 srun: error: Requested het-group offset exceeds highest hetjob index (5 > 2)' '... or several, of which the highest is told'
run srun true : true : true : true
tap_is "$rc $err" '1 srun: error: Requested het-group offset exceeds highest hetjob index (3 > 2)' '... or too many components'
run srun --het-group=0 true : --het-group=0,1 true
tap_like "$rc $err" '^1 .*component 0 of the job can have one part of the step only' 'a component has one part'
run srun --het-group=0,x true
tap_like "$rc $err" '^1 .*Invalid --het-group value: ' 'a list that is none'
run srun -l --het-group='[0,2]' -n1 printenv SLURMD_NODENAME
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: n1,1: n3' 'a list may stand in brackets'
# shellcheck disable=SC2016
run srun -l --het-group=0-2 -n2 -o 'file.%t' sh -c 'exit $SLURM_PROCID'
tap_is "$rc $(echo file.*)" '5 file.0 file.1 file.2 file.3 file.4 file.5' 'the highest exit code; patterns count through'
run srun --het-group=1,2 -n1 -o one.%j echo
tap_is "$rc $(echo one.*)" "0 one.$((id + 1)) one.$((id + 2))" '%j is the job of each component'
run srun --het-group=0,1 -n1 -o kept echo x
run srun --het-group=0,1 -n1 -o kept echo y
tap_is "$rc $(sort kept | paste -sd,)" '0 x,x,y,y' 'files of a step over several components are appended to'
run srun --het-group=0,1 -n1 -o kept --open-mode=truncate echo z
tap_is "$rc $(paste -sd, kept)" '0 z,z' '... unless it says otherwise'
run srun --het-group=1 -n1 -o kept echo one
tap_is "$rc $(cat kept)" '0 one' 'that of a step on one is emptied'
run srun -l --het-group=0 -n1 printenv SLURMD_NODENAME : --het-group=2 -m arbitrary -w n4,n3 printenv SLURMD_NODENAME
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: n1,1: n4,2: n3' 'tasks of a component go where it lists them'
run env SLURM_HOSTFILE=in srun --het-group=0,1 true
tap_like "$rc $err" '^1 .*SLURM_HOSTFILE is not for a step of several components' 'a file does not list the nodes of several'
run srun --multi-prog --het-group=0,1 -n1 in
tap_is "$rc $err" '1 srun: error: --multi-prog option not supported with multiple het groups' 'nor their programs'
cp "$(command -v printenv)" own
run srun --het-group=1 -n1 --bcast="$PWD/copies/" true : --het-group=0 -n1 true
tap_like "$rc $err" '^1 .*n2: .*/copies/slurm_bcast_.*: No such' 'a component that does not get its copy has no step'
mkdir copies
# shellcheck disable=SC2016
run env -u LD_LIBRARY_PATH srun -l --het-group=1 -n1 --bcast="$PWD/copies/" ./own SLURMD_NODENAME : --het-group=2 -N2 -n2 --bcast=copy --send-libs --exclude=NONE \
        sh -c 'echo $0 $LD_LIBRARY_PATH' : --het-group=0 -n1 ./own SLURM_PROCID
tap_is "$rc $(sort <<<"$out" | paste -sd,)" "0 0: 0,1: n2,2: $PWD/copy $PWD/copy_libs,3: $PWD/copy $PWD/copy_libs" '--bcast is each component its own'
tap_like "$(echo copies/*)" "^copies/slurm_bcast_$((id + 1))\\.[0-9]*\+1\$" 'a copy without a name has that of the component'
run sacct -n -P -j "$id" -o jobid,nodelist
tap_is "$(grep bcast <<<"$out" | sort | paste -sd,)" "$id+1.bcast0|n2,$id+1.bcast1|n2,$id+2.bcast0|n[3-4]" 'it went to their nodes alone'
echo in >in
run srun -l --het-group=0,2 -n1 cat <in
tap_is "$(sort <<<"$out" | paste -sd,)" '0: in,1: in' 'all have the standard input'
# shellcheck disable=SC2016
run srun -K --het-group=0-1 -n1 sh -c '[ $SLURM_PROCID = 1 ] && exit 5; sleep 100'
tap_like "$rc $err" 'n1: task 0: Terminated' '--kill-on-bad-exit ends the other component'
# shellcheck disable=SC2016
run srun -l --het-group=0 -n1 --gres=gpu:1 sh -c 'echo $SLURM_STEP_GPUS' : --het-group=2 -n2 --gres=gpu:2 sh -c 'echo $SLURM_STEP_GPUS'
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: 0,1: 0,1,2: 0,1' 'each component has generic resources of its own'
run srun --het-group=0,1 -n1 --gres=gpu:1 true
tap_like "$rc $err" '^1 .*component 1: the job does not have so many generic resources' '... or is refused by name'
run srun --het-group=1,2 -N1 -n1 printenv SLURM_JOB_NODELIST SLURM_JOB_CPUS_PER_NODE
tap_is "$rc $(sort -u <<<"$out" | paste -sd' ')" '0 3,1 n[2-3]' 'nodes and their CPUs are those of the step'

# ---- shown, and ended ----
numbers=$(sacct -n -P -j "$id" -o jobid | grep '\.[0-9]*$' | head -4 | paste -sd,)
tap_is "$numbers" "$id+0.0,$id+0.2,$id+0.3,$id+0.4" 'a component has gaps where others have a step'
srun --het-group=0,2 sleep 100 2>killed &
pid=$!
wait_for 20 begun 2
step=$(squeue -h -s -o %i | sed -n "s/^$id+0\\.//p")
tap_is "$(steps)" "$id+0.$step sleep n1,$id+2.$step sleep n[3-4]" 'squeue -s has it of each component'
tap_is "$(squeue -h -s "$id.$step" -o %i | sort | paste -sd,) $(squeue -h -s "$((id + 2)).$step" -o %i) $(squeue -h -s "$id+0.$step" -o %i)" \
        "$id+0.$step,$id+2.$step $id+2.$step $id+0.$step" "... by the first one's number, or one by either of its own"
tap_like "$(scontrol show step "$id.$step" | paste -sd' ')" "^StepId=$id\\+0.$step .*StepId=$id\\+2.$step " 'so has scontrol show step'
tap_is "$(for of in "$id+2" $((id + 2)); do scontrol show step "$of.$step" | grep -o 'StepId=[^ ]*'; done | paste -sd,)" "StepId=$id+2.$step,StepId=$id+2.$step" '... or that of one'
limits() { squeue -h -s "$id.$step" -o '%i %l' | sort | cut -d' ' -f2 | paste -sd' '; }
scontrol update stepid="$id.$step" timelimit=9 && scontrol update stepid="$id+2.$step" timelimit=3
tap_is "$? $(limits)" '0 9:00 3:00' 'scontrol update stepid= is for all of them, or for one'
scontrol update stepid="$((id + 2)).$step" timelimit=+2 && scontrol update stepid="$id" timelimit=+1
tap_is "$? $(limits)" '0 10:00 6:00' '... by its own number, or for all steps'
run scontrol update stepid="$id+1.$step" timelimit=3
tap_is "$rc $err $(limits)" '1 slurm_update error: Invalid job id specified 10:00 6:00' '... not for a component that the step is not on'
ctld_kill9
ctld_start
wait_nodes 30 n1 mixed
tap_is "$(steps)" "$id+0.$step sleep n1,$id+2.$step sleep n[3-4]" 'it is known after kill -9 of the controller'
scancel "$id.$step"
wait "$pid"
tap_is "$?" 143 'scancel of it ends all components'
wait_for 20 none
tap_ok $? 'none is left'

# ---- from elsewhere ----
outside() {
        (
                unset "${!SLURM_@}"
                export SLURM_CONF=$DIR/slurm.conf
                "$@"
        )
}
run outside srun -l --jobid="$id" --het-group=0,2 -n1 sh -c "$show"
tap_is "$rc $(sort <<<"$out" | cut -d' ' -f1-4)" "0 0: n1 0/2 0/2
1: n3 1/2 1/2" 'another shell names the job, and its components'
run outside srun -l --jobid="$id" -n1 echo A : -n1 echo B : -n1 echo C
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: A,1: B,2: C' '... or has a program for each of them'
run outside srun --jobid="$id+1" -n1 printenv SLURMD_NODENAME
tap_is "$rc $out" '0 n2' '... or names one component'
run srun --jobid="$id" --het-group=1 -n1 printenv SLURMD_NODENAME
tap_is "$rc $out" '0 n2' 'so it is where the environment is of the job'
run outside srun --jobid="$id+1" --het-group=0,1 true
tap_is "$rc $err" "1 srun: error: --jobid=$id+1 names one component of the job, and the step is for component 0" 'one component has no others'
run outside srun --jobid=$((id + 1)) --het-group=0 true
tap_is "$rc $err" "1 srun: error: Unable to confirm allocation for job $((id + 1)): Job not heterogeneous job leader" 'the job is named by its first component'
run outside srun --jobid="$id" --het-group=3 true
tap_is "$rc $err" '1 srun: error: Requested het-group offset exceeds highest hetjob index (3 > 2)' 'a group that there is not'

# ---- attached to ----
touch lines
SLUMBER_SOCKET=$DIR/n1.sock srun --het-group=0,2 -n1 sh -c 'while [ -e lines ]; do echo line; sleep 0.1; done' >/dev/null 2>err &
pid=$!
wait_for 20 begun 2
step=$(squeue -h -s -o %i | sed -n "s/^$id+0\\.//p")
attached() { # STEP: a sattach on another node shows tasks of both components
        rm -f seen # of the one before
        SLUMBER_SOCKET=$DIR/n2.sock sattach -l "$1" </dev/null >seen 2>&1 &
        local viewer=$! r
        wait_for 20 grep -q '0: line' seen && wait_for 20 grep -q '1: line' seen
        r=$?
        kill "$viewer"
        wait "$viewer" 2>/dev/null
        return $r
}
attached "$id.$step"
tap_ok $? 'sattach shows the tasks of all components'
attached "$id+2.$step"
tap_ok $? '... also where one of them is named'
copied() { grep 'sbcast: n[^ ]*: ' <<<"$err" | sort | paste -sd,; }
run sbcast -fv -j "$id.$step" env "$PWD/whole"
tap_is "$rc $(copied)" "0 sbcast: n1: $PWD/whole,sbcast: n3: $PWD/whole" 'sbcast to the step is to the nodes of all its components'
run sbcast -fv -j "$id+2.$step" env "$PWD/whole"
tap_is "$rc $(copied)" "0 sbcast: n3: $PWD/whole" '... or to those of one'
run sattach "$id.$step"
tap_like "$rc $err" '^1 .*there is no slumberd on this host' 'where there is no slumberd it is refused at once'
run env SLUMBER_SOCKET="$DIR/n3.sock" scontrol listpids "$id+2.$step"
tap_like "$rc $(paste -sd, <<<"$out")" "^0 PID.*,[0-9]* *$((id + 2)) *$step  *0  *1 " 'scontrol listpids has the processes of a component'
rm lines
wait "$pid"
wait_for 20 none

# ---- over kills ----
# shellcheck disable=SC2016
loop='until [ -e go ]; do sleep 0.1; done; echo $SLURM_PROCID'
srun -l --het-group=0-2 -n1 sh -c "$loop" >outlived 2>err &
pid=$!
wait_for 20 begun 3
ctld_kill9
agent_kill9 n2
touch go
agent_start n2
ctld_start
wait "$pid"
tap_is "$? $(sort outlived | paste -sd,)" '0 0: 0,1: 1,2: 2' 'what ends while controller and a slumberd are dead has its output and end'
wait_for 20 none
tap_ok $? 'the step is gone'
rm -f go

# ---- over kills, once more: an agent that has not acknowledged, a step daemon, srun ----
kill -STOP "$(cat run/n2.pid)"
srun -l --het-group=0-2 -n1 sh -c "$loop" >slow 2>err &
pid=$!
wait_for 20 begun 3
ctld_kill9
kill -CONT "$(cat run/n2.pid)"
touch go
ctld_start
wait "$pid"
tap_is "$? $(sort slow | paste -sd,)" '0 0: 0,1: 1,2: 2' 'the controller is killed before a node has said that it runs the step'
wait_for 20 none
tap_ok $? 'the step is gone'
rm -f go
srun -l --het-group=0,1 -n1 sh -c ': >"on.$SLURM_PROCID"; '"$loop" >left 2>err &
pid=$!
wait_for 20 test -e on.0 && wait_for 20 test -e on.1
tasks=$(stepd_pids n2)
# shellcheck disable=SC2086 # a list
kill -KILL $tasks
part() { [ "$(steps)" = "$(squeue -h -s -o '%i %j %N' | grep "^$id+0")" ] && begun 1; }
wait_for 20 part
tap_ok $? 'of a step daemon that is killed the part ends'
touch go
wait "$pid"
tap_is "$? $(cat left)" '137 0: 0' 'srun has that end, and the output of the others'
wait_for 20 none
tap_ok $? 'the step is gone'
rm -f go
srun --het-group=0-2 -n1 sleep 100 2>err &
pid=$!
wait_for 20 begun 3
{
        kill -KILL "$pid"
        wait "$pid"
} 2>/dev/null
wait_for 20 none
tap_ok $? 'the step ends with its srun, if that is killed'

# ---- suspended ----
srun -l --het-group=0,1 -n1 sh -c "$loop" >stood 2>err &
pid=$!
wait_for 20 begun 2
run scontrol suspend "$id+1"
tap_like "$rc $out$err" 'not permitted on individual component' 'a component is not suspended alone'
run scontrol suspend "$id,$((id + 1)),$id+1"
tap_is "$rc $err" "1 Operation not permitted on individual component of heterogeneous job for job $((id + 1))
Operation not permitted on individual component of heterogeneous job for job $id+1" '... nor beside the whole, which is'
srun --het-group=0,1 --overlap sh -c 'echo later' >later 2>later.err &
second=$!
wait_for 20 grep -q retrying later.err
tap_ok $? 'of a suspended job a new step waits'
scontrol resume "$id"
touch go
wait "$pid"
tap_is "$? $(sort stood | paste -sd,)" '0 0: 0,1: 1' 'the step goes on as its job is resumed'
wait "$second"
tap_is "$? $(sort -u later)" '0 later' 'and the new one begins'
rm -f go

# ---- one component ----
srun -l --het-group=0,1 -n1 sh -c "$loop" >left 2>err &
pid=$!
wait_for 20 begun 2
scancel "$id+1"
one() { [ "$(squeue -h -j "$id" -o %i | sort | paste -sd,)" = "$id+0,$id+2" ]; }
wait_for 20 one
tap_ok $? 'a component is cancelled'
touch go
wait "$pid"
tap_is "$(cat left)" '0: 0' 'the other one ends its tasks'
run srun --het-group=0,1 true
tap_like "$rc $err" '^1 .*Unable to create step' 'no step is over a component that has gone'
touch over
wait "$holder"
unset "${!SLURM_@}"
export SLURM_CONF=$DIR/slurm.conf

# ---- srun's own job ----
wait_nodes 30 n1 idle
run srun -l -n2 -J a echo x : -n1 -J b echo y
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: x,1: x,2: y' 'srun A : B makes a job of two components, and a step over both'
wait_for 20 no_jobs
tap_ok $? 'the job is gone with it'
run env SLURM_NTASKS=3 srun -l echo x : echo y
tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: x,1: x,2: x,3: y,4: y,5: y' 'sizes of the environment are for each component'
# shellcheck disable=SC2016
run env SLURM_NNODES=2 SLURM_NTASKS_PER_NODE=2 SLURM_CPUS_PER_TASK=2 srun -l : -N1 -n1 -c1 sh -c 'echo $SLURMD_NODENAME $SLURM_CPUS_PER_TASK'
tap_is "$rc $(sort <<<"$out" | cut -d' ' -f2- | uniq -c | tr -s ' ' | paste -sd,)" '0  2 n1 2, 2 n2 2, 1 n3 1' '... nodes and CPUs, too, unless it says otherwise'
both_run() { [ "$(squeue -h -t running | wc -l)" = 2 ]; }
killed() { # COMMAND...: and what it holds is given back
        "$@" >/dev/null 2>&1 </dev/null &
        holder=$!
        wait_for 20 both_run
        kill -KILL "$holder"
        wait "$holder" 2>/dev/null
        wait_for 20 no_jobs
        tap_ok $? "a $1 that is killed takes all components with it"
}
last=$(sacct -n -P -X -o jobid | tail -1)
tap_is "$(sacct -n -P -j "${last%+*}" -o jobid,state | paste -sd,)" "${last%+*}+0|COMPLETED,${last%+*}+0.0|COMPLETED,${last%+*}+1|COMPLETED,${last%+*}+1.0|COMPLETED" 'the accounts have both'
killed srun -N1 sleep 30 : -N1 sleep 30
killed salloc -N1 : -N1 sleep 30

again=$(sbatch --parsable -n1 -o /dev/null : -n1 --wrap 'sleep 100')
wait_for 20 both_run
run scontrol requeue "$again,$again+1"
tap_is "$rc $err" "1 Job not heterogeneous job leader for job $again+1" 'a component is not requeued beside the whole'
restarted() { [ "$(scontrol show job "$again" | grep -c Restarts=1)" = 2 ]; }
wait_for 20 restarted
tap_ok $? '... which is'
scancel "$again"
wait_for 20 no_jobs

# ---- a node that fails, and steps that are not wanted ----
sed -i 's/^SlurmctldHost/SlurmdTimeout=10\n&/' slurm.conf
scontrol reconfigure
srun -n1 sleep 100 : -n1 sleep 100 2>failed.err &
pid=$!
wait_for 20 begun 2
agent_kill9 n2
wait "$pid"
tap_ok $((! $?)) 'srun ends as a node of its fails'
wait_for 20 no_jobs
tap_ok $? 'with the whole job'
wait_nodes 20 n1 idle
tap_ok $? 'the other node is free'
agent_start n2
wait_nodes 30 n2 idle
tap_ok $? 'so is this one, when it is back'
echo SchedulerParameters=disable_hetjob_steps >>slurm.conf
scontrol reconfigure
run srun -n1 true : -n1 true
tap_like "$rc $err" '^1 .*Job steps that span multiple components of a heterogeneous job are not currently supported' 'disable_hetjob_steps refuses the step'
wait_for 20 no_jobs
tap_ok $? 'its job does not stay'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
