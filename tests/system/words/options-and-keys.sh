#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is said is done, or said not to be done: options, keys and updates that are easily swallowed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

starts_with() { # LINE...: how the controller takes them
        cluster_conf n1 "$@"
        ctld_start
        out=$(cat "$DIR/log/ctld")
        ctld_stop
        rm -f "$DIR/log/ctld"
}
starts_with 'StateSaveLocation=state'
tap_like "$out" 'error: .*StateSaveLocation: "state" is not an absolute path' 'a relative state folder is refused'
tap_is "$CTLD_RC" 1 'with exit code 1'
starts_with 'SuspendExcNodes=n[1-'
tap_like "$out" 'error: .*SuspendExcNodes: ' 'a SuspendExcNodes that cannot be read is refused'
starts_with 'SuspendExcNodes=n1,zz' 'SuspendExcStates=DOWN,FOO' \
        'PartitionName=main Nodes=ALL Default=YES AllowAccounts=ALL'
for word in 'SuspendExcNodes: there is no node "zz"' 'SuspendExcStates: "FOO" is not a state of a node'; do
        tap_like "$out" "warning: .*$word" "a warning: $word"
done
! grep -q 'AllowAccounts' <<<"$out"
tap_ok $? 'and none for a value that changes nothing'

cluster_conf n1 "SlurmctldLogFile=$DIR/log/file" 'PartitionName=main Nodes=ALL Default=YES
PartitionName=other Nodes=ALL
PartitionName=hid Nodes=ALL Hidden=YES'
ctld_start
tap_ok $? 'a controller with -D' || { cluster_logs; tap_done; }
[ ! -e "$DIR/log/file" ]
tap_ok $? 'leaves SlurmctldLogFile alone'
agent_start n1
wait_nodes 20 n1 idle
tap_ok $? 'a node'
for what in 'show config' 'show step' 'ping' 'power audit'; do
        run scontrol --json $what
        tap_like "$rc|$out|$err" '^1[|][|]scontrol: error: .*(JSON|--json goes with)' "scontrol --json $what is refused"
done
names() { # WHAT: of the records that it shows
        scontrol --json $1 2>"$DIR/err" | python3 -c 'import json, sys
print(*(r["name"] for rs in list(json.load(sys.stdin).values())[:1] for r in rs))'
}
tap_is "$(names 'show node n1')|$(names 'show node n1,zz')|$(cat "$DIR/err")" 'n1|n1|Node zz not found' 'JSON of the nodes that were asked for'
tap_is "$(names 'show partition other')|$(names 'show partition zz')" 'other|' '... and partitions'
run scontrol --json show node zz
tap_is "$rc" 1 'none is an error'
for what in sinfo squeue sacct sprio sshare; do
        run $what more
        tap_is "$rc|$out|${err%%$'\n'*}" "1||$what: error: Unrecognized option: more" "$what: a word that nothing reads is refused"
done
for what in ping help version 'show config' 'show job=1' 'show node n1' hold; do
        run scontrol $what more
        tap_is "$rc|$out" '1|' "scontrol $what: too"
done
for what in help version; do
        run sacctmgr $what more
        tap_is "$rc|$out|$err" "1||sacctmgr: error: too many arguments for keyword:$what" "sacctmgr $what: too"
done
for what in 'show node zz' 'show job 99' 'show nothing' 'suspend 99' 'hold 99'; do
        run scontrol -Q $what
        tap_is "$rc|$out$err" '1|' "scontrol -Q $what: no word"
done
for what in 'update nodename=zz state=resume' 'update partitionname=zz state=up' 'power up zz'; do
        run scontrol -Q $what
        tap_like "$rc|${err##*$'\n'}" '^1[|]slurm_update error: Invalid' "scontrol -Q $what: a word all the same"
done
run srun -O -n 6 sh -c 'echo $SLURM_PROCID'
tap_is "$rc|$(sort <<<"$out" | tr '\n' ' ')" '0|0 1 2 3 4 5 ' 'srun -O starts more tasks than there are CPUs'
id=$(sbatch --parsable -H -O -n 20 -c 2 --wrap true)
tap_is "$(squeue -h -j "$id" -o %C) $(scontrol show job "$id" | sed -n 's/^ *ReqTRES=//p')" '2 cpu=2,node=1,billing=2' 'nor does sbatch -O ask for a CPU for each'
scancel "$id"
run srun -I -n 6 true
tap_is "$rc|$err" '1|srun: error: Unable to allocate resources: Requested partition configuration not available now' 'which without it has to wait'
id=$(sbatch --parsable -H --wrap true)
run scontrol update jobid="$id" partition=other
tap_is "$rc|$err|$(squeue -h -j "$id" -o %P)" '0||other' 'scontrol update jobid= partition= is about the job'
run scontrol update partition=other jobid="$id" comment=words
tap_is "$rc|$err|$(squeue -h -j "$id" -o %k)" '0||words' 'in any order'
run sbatch --test-only -n2 --wrap true
tap_like "$rc|$out|$err" "^0[|][|]sbatch: Job $((id + 1)) to start at 2.*T.* using 2 processors on nodes n1 in partition main\$" \
        'sbatch --test-only says when and where'
run sbatch -Q --test-only -n2 --wrap true
tap_is "$rc|$out|$err" '0||' 'with --quiet it says so by its exit code only'
run srun -Q --test-only -n2 true
tap_is "$rc|$out|$err" '0||' 'and srun too'
run srun --test-only -N9 true
tap_is "$rc|$err" '1|allocation failure: Requested node configuration is not available' 'or that it cannot'
wait_for 20 eval '[ "$(squeue -h -o %i)" = "$id" ]' # one of above may still end
tap_ok $? 'and leaves no job behind'
run sbatch -W -Q -o /dev/null --wrap 'kill -9 $$'
tap_is "$rc" 1 'sbatch --wait: 1 for a signal'
run srun --jobid=9999 true
tap_is "$rc|$err" '1|srun: error: Unable to confirm allocation for job 9999: Invalid job id specified
srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 9999' 'srun in a job that is not there'
env --default-signal=INT srun -N9 true 2>"$DIR/err" & # a shell's background would not hear SIGINT
wait_for 10 grep -q queued "$DIR/err"
kill -INT $!
wait $!
tap_like "$(cat "$DIR/err")" 'srun: Requested partition configuration not available now
srun: job [0-9]+ queued and waiting for resources
srun: Job allocation [0-9]+ has been revoked
srun: Force Terminated JobId=[0-9]+$' 'srun for more nodes than there are'
for words in --nope '-N x' '-t foo' '--mem=foo' '-N 2-1' '--open-mode=x'; do
        # shellcheck disable=SC2086
        run sbatch $words --wrap true
        tap_is "$rc" 255 "sbatch $words is not understood"
done
run srun --mem=foo true
tap_is "$rc" 255 'nor is srun --mem=foo'
run env SBATCH_TIMELIMIT=foo sbatch --wrap true
tap_is "$rc" 255 'nor one of the environment'
run sbatch <<<$'#!/bin/sh\n#SBATCH foo\ntrue'
tap_is "$rc" 255 'nor a word in the script'
run sbatch -n x --wrap true
tap_is "$rc|$err" '1|sbatch: error: Invalid numeric value "x" for --ntasks.' 'a bad count is 1, as in Slurm'
run scontrol hold 9998,9999
tap_is "$rc|$err" '1|Invalid job id specified for job 9998
Invalid job id specified for job 9999
slurm_suspend error: Invalid job id specified' 'jobs that cannot be held are named'
run scontrol update jobid=9999 comment=x
tap_is "$rc|$err" '1|Invalid job id specified for job 9999' 'and one that cannot be changed'
run scontrol update nodename=nope state=drain reason=x
tap_is "$rc|$err" '1|scontrol: error: node nope is not configured
slurm_update error: Invalid node name specified' 'and a node'
run scontrol wait_job 9999
tap_is "$rc|$err" '1|scontrol: Problem running job 9999' 'and one that is waited for'
run squeue -S '!'
tap_is "$rc|$out" '1|' 'an order that squeue does not know is an error'
run sinfo -S '!'
tap_is "$rc|$out" '1|' 'and sinfo'
id=$(sbatch --parsable -W -o /dev/null --mem 50 --wrap true)
run scontrol show job "$id"
tap_like "$out" 'AllocTRES=cpu=1,node=1,billing=1' 'memory that is not handed out is not in AllocTRES'
tap_is "$(squeue -h -t all -j "$id" -O tres-alloc)" "$(printf '%-20s' 'cpu=1,node=1,billing')" 'nor in squeue -O tres-alloc'
tasks() { # what the script knows of its tasks
        sbatch -W -Q -o "$DIR/tasks" "$@" --wrap 'echo ${SLURM_NTASKS-none} $SLURM_TASKS_PER_NODE $SLURM_JOB_CPUS_PER_NODE'
        cat "$DIR/tasks"
}
tap_is "$(tasks --exclusive)" 'none 4 4' 'without -n, SLURM_TASKS_PER_NODE says how many could be'
tap_is "$(tasks -n2 --ntasks-per-node=3)" '2 3 3' 'and --ntasks-per-node how many it is charged for'
run scontrol show config
tap_like "$out" "^NEXT_JOB_ID +=  *$((id + 3))\$" 'show config knows the next id'
run scontrol update SuspendExcNodes=n1:1 SuspendExcStates+=DRAIN
tap_is "$rc$err" 0 'scontrol update SuspendExcNodes= and SuspendExcStates+='
run scontrol show config
tap_like "$out" '^SuspendExcNodes +=  *n1:1$' 'show config knows the nodes'
tap_like "$out" '^SuspendExcStates +=  *DRAIN$' 'and the states'
run scontrol update SuspendExcNodes=n1:1 SuspendExcNodes+=n2
tap_like "$rc$err" '^1.*SuspendExcNodes is given twice' 'twice in one command is refused'
run scontrol update SuspendExcParts=main SuspendExcNodes=zz
tap_is "$rc" 1 'one that cannot be'
tap_like "$err" 'there is no node "zz"' 'is refused with its cause'
run scontrol show config
tap_like "$out" '^SuspendExcParts +=  *\(null\)$' 'and takes none of the others with it'

# ---- what is looked for and is not there ----
run squeue -j 99998,99999
tap_is "$rc$err" 0 'squeue -j: several ids that are not there are no error'
run squeue -j 99999
tap_is "$rc|$err" '1|slurm_load_jobs error: Invalid job id specified' 'one is'
run squeue -w n1,zz
tap_is "$rc|$err" '1|squeue: error: Invalid node name zz' 'squeue -w names the node that is not there'
run scancel -s USR1 99999
tap_is "$rc|$err" '1|scancel: error: Kill job error on job id 99999: Invalid job id specified' 'a signal that no process gets is an error'
run scancel -v -n zz -p main
tap_is "$rc|$err" '0|scancel: error: No active jobs match ALL job filters, including: job_name=zz partition=main' \
        'scancel -v says what it did not find'
run env SLURM_GPU_FREQ=high srun true
tap_is "$rc|$err" '255|srun: error: SLURM_GPU_FREQ: --gpu-freq is refused: the frequency of GPUs is left to their driver' \
        'a variable is refused as its option is'
run salloc -D /nope true
tap_is "$rc|$err" '1|salloc: error: chdir(/nope): No such file or directory' 'salloc -D for a folder that is not there asks for nothing'
run salloc --wait-all-nodes=2 true
tap_is "$rc" 255 'an option of salloc that is not understood is 255'
run srun -m foo true
tap_is "$rc|$err" '255|srun: error: Invalid --distribution specification' 'what Slurm does not know either is invalid'
run env -u SLUMBER_SOCKET scancel 99999
tap_is "$rc$err" 0 'slumber.yaml says where the socket is to commands that act, too'

# ---- selections ----
first=$(sbatch --parsable -H --wckey=k -N1-3 -n2 --wrap true) second=$(sbatch --parsable -H --wrap true)
tap_is "$(squeue -h -j "$first" -O MaxNodes:.1)" 2 'not more nodes than tasks'
env SCANCEL_WCKEY=k scancel
tap_is "$(job_state "$first") $(job_state "$second")" 'CANCELLED PENDING' 'SCANCEL_WCKEY= selects'
run scancel -i "$second" <<<$'what\nn'
tap_is "$(grep -o '\[y/n\]' <<<"$out" | wc -l)$(job_state "$second")" 2PENDING 'scancel -i asks until it has an answer'
scancel "$second"
for word in "$second" "$second.0" 99999_5; do
        what=job; [[ $word != *.* ]] || what='job step'
        run scancel -i "$word" <<<y
        tap_is "$rc|$out|$err" "1||scancel: error: Kill job error on $what id $word: Invalid job id specified" "scancel -i $word: it is not there"
done
run scancel -n wrap "$second"
tap_is "$rc|$err" "1|scancel: error: Kill job error on job id $second: Invalid job id specified" '... as with a selection'
run scancel -Q -n wrap "$second"
tap_is "$rc|$err" '1|' '... and -Q says nothing of it'
run scancel "$second"
tap_is "$rc|$err" '0|' '... where an id alone is no error'
id=$(sbatch --parsable -J job -o /dev/null --wrap 'srun -n1 sh -c "echo \$SLURM_JOB_NAME >it; exec sleep 100"')
wait_for 10 test -s it
tap_is "$(squeue -h -s -j "$id" -o '%i %j %N' | tr '\n' ' ')" "$id.0 sh n1 $id.batch batch n1 " 'squeue -s shows scripts; a step is called as its program'
scancel "$id"

# ---- sbatch: signals, environments, limits ----
run sbatch -W -Q -t 1 --signal=B:USR1@54 -o "$DIR/sig" --wrap 'trap "echo got; exit 3" USR1; sleep 100 & wait'
tap_is "$rc $(cat "$DIR/sig")" '3 got' '--signal=B: reaches the script before its time is up'
run sbatch -W -Q -t 1 --signal=USR2@54 -o "$DIR/sig" --wrap 'srun sh -c "trap \"echo step; exit 4\" USR2; sleep 100 & wait"'
tap_is "$rc $(grep -v srun: "$DIR/sig")" '4 step' 'without B: it reaches the steps'
for value in FOO USR1@x USR1@65536 @5; do
        run sbatch --signal="$value" --wrap true
        tap_is "$rc|$err" '255|sbatch: error: Invalid --signal specification' "--signal=$value is not"
done
printf 'A=1\0B=x y\0bad\0=q' >vars
run sbatch -W -Q --export-file=vars -o "$DIR/it" --wrap 'echo "$A|$B|${PWD:+more}"'
tap_is "$rc $(cat "$DIR/it")" '0 1|x y|more' '--export-file adds variables'
run sbatch -W -Q --export-file=7 --export=A=0 -o "$DIR/it" --wrap 'echo "$A|$B"' 7<vars
tap_is "$rc $(cat "$DIR/it")" '0 1|x y' 'from a descriptor, too'
run sbatch --export-file=1 --wrap true
tap_is "$rc" 1 'but not from a standard stream'
if shell=$(getent passwd "$(id -u)" | cut -d: -f7) && [ -n "$shell" ] && "$shell" -c true 2>/dev/null; then
        FOO=bar run sbatch -W -Q --export=NONE -o "$DIR/it" --wrap 'echo "${FOO-none} $SHELL"'
        tap_is "$rc $(cat "$DIR/it")" "0 none $shell" '--export=NONE: what a login has'
        FOO=bar run sbatch -W -Q --get-user-env=20S -o "$DIR/it" --wrap 'echo "${FOO-none} $SLURM_GET_USER_ENV"'
        tap_is "$rc $(cat "$DIR/it")" '0 bar 1' '--get-user-env: and what we have'
fi
(ulimit -n 300 && sbatch -W -Q --propagate=STACK,CORE -o "$DIR/it" --wrap 'ulimit -n')
! grep -q '^300$' "$DIR/it"
tap_ok $? '--propagate with a list leaves the other limits out'
(ulimit -n 300 && sbatch -W -Q --propagate=STACK,NOFILE -o "$DIR/it" --wrap 'ulimit -n')
tap_is "$(cat "$DIR/it")" 300 'and hands these over'
limits_with() { # LINE [OPTION...]: how many files a script and its step may have open, of 300 here
        echo "$1" >>"$SLURM_CONF"
        shift
        scontrol reconfigure && (ulimit -n 300 && sbatch -W -Q "$@" -o "$DIR/it" --wrap 'ulimit -n; srun sh -c "ulimit -n"; ulimit -c')
        sed -i '$d' "$SLURM_CONF"
        sed 's/^300$/ours/; s/^[0-9]*$/own/' "$DIR/it" | head -2 | paste -sd' '
}
tap_is "$(limits_with PropagateResourceLimits=ALL)" 'ours ours' 'PropagateResourceLimits=ALL, as without it'
tap_is "$(limits_with PropagateResourceLimits=STACK,CORE)" 'own own' 'PropagateResourceLimits: what it does not name stays behind, of scripts and steps'
tap_is "$(limits_with PropagateResourceLimits=STACK,NOFILE | cut -d' ' -f1)" 'ours' 'and what it names is handed over'
tap_is "$(limits_with PropagateResourceLimits=NONE --propagate=NOFILE | cut -d' ' -f1)" 'ours' '--propagate counts before it'
tap_is "$(limits_with PropagateResourceLimitsExcept=NOFILE)" 'own own' 'PropagateResourceLimitsExcept leaves out'
tap_is "$(limits_with PropagateResourceLimitsExcept=STACK | cut -d' ' -f1)" 'ours' 'and the others go along'
(ulimit -n 300; echo PropagateResourceLimits=NONE >>"$SLURM_CONF"; scontrol reconfigure; srun sh -c 'ulimit -n' >"$DIR/it"
        srun --propagate=NOFILE sh -c 'ulimit -n' >>"$DIR/it"; sed -i '$d' "$SLURM_CONF")
tap_is "$(sed 's/^300$/ours/; s/^[0-9]*$/own/' "$DIR/it" | paste -sd' ')" 'own ours' 'srun likewise'
echo PropagateResourceLimits=NOFILE,BAR >>"$SLURM_CONF"
run scontrol reconfigure
tap_like "$rc|$err" "^1.*line [0-9]+: PropagateResourceLimits: Bad rlimit name: BAR" 'a limit that there is not is refused there, too'
sed -i '$d' "$SLURM_CONF"
scontrol reconfigure
run sbatch --propagate=FOO --wrap true
tap_is "$rc|$err" '1|sbatch: error: Bad rlimit name: FOO' 'a limit that there is not'
printf ' n1\n' >nodes
id=$(sbatch --parsable -H -F nodes --mem=0 --wrap true)
tap_is "$(squeue -h -j "$id" -o %n)" n1 '--nodefile is --nodelist'
scancel "$id"
printf 'n1\nn1 n1\n' >nodes
id=$(sbatch --parsable -H -w ./nodes --mem=0 --wrap true)
tap_is "$(squeue -h -j "$id" -o '%n %D')" 'n1 1' '--nodelist with a slash is a file, too, in which a name may be repeated'
scancel "$id"
run sbatch -w ./nothing --wrap true
tap_like "$rc $err" '^[1-9].*--nodelist: ./nothing: No such file or directory' 'that must be there'
as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" = 0 ] && "${as[@]}" test -x "$SLUMBER_BUILD/commands/slumber"; then
        chmod 711 "$DIR"
        run srun -D / --uid=65534 id -u
        tap_is "$rc|$out" '0|65534' '--uid: root may hand in for others'
        for c in 'sbatch --wrap true' 'srun true' 'salloc true'; do
                # shellcheck disable=SC2086
                run ${c/ / --uid=no-such-user }
                tap_is "$rc|$err" "255|${c%% *}: error: Invalid --uid specification" "${c%% *}: a user that there is not"
        done
        run "${as[@]}" sbatch --uid=0 --wrap true
        tap_is "$rc|$err" '1|sbatch: error: --uid only permitted by root user' 'and no other'
        run "${as[@]}" sbatch --nice=-1 --wrap true
        tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Invalid --nice value' 'nor may others raise a priority'
        id=$(sbatch --parsable -H -p hid -J hidden --wrap true)
        as+=(squeue -h -n hidden -o %i)
        tap_is "$(squeue -h -n hidden -o %i)|$("${as[@]}")|$("${as[@]}" -a)|$("${as[@]}" -p hid)" "$id||$id|$id" \
                'jobs of a hidden partition are for operators, and for queries by id'
        tap_is "$(sinfo -h -o %R | tr '\n' ' ')" 'main other hid ' 'so is the partition'
        scancel "$id"
fi

a=$(sbatch --parsable --begin=now+1hour --nice=5 --wrap true) b=$(sbatch --parsable --begin=now+1hour --wrap true)
of() { squeue -h -j "$1" -o %Q; }
tap_is "$(($(of "$b") - $(of "$a")))" 4 '--nice lowers the priority by so much'
run scontrol update jobid="$a" nice=-20
tap_is "$rc$err $(($(of "$a") - $(of "$b")))" '0 21' 'and may be changed'
scancel "$a" "$b"
run env SBATCH_PARTITION=other sbatch -v -H -J name --wrap true
tap_like "$(tr '\n' '|' <<<"$err")" '^sbatch: defined options\|.*sbatch: job-name            : name\|.*sbatch: partition           : other\|' \
        'sbatch -v says what the options are'
scancel -n name

# ---- srun ----
run srun -n3 -W 1 sh -c 'trap "" TERM; test $SLURM_PROCID != 2 || exec sleep 100; exit $SLURM_PROCID'
tap_like "$rc $(tr '\n' '|' <<<"$err")" '^137 .*srun: First task exited 1s ago\|srun: StepId=([0-9]+\.0) task 2: running\|srun: StepId=\1 task 0: exited\|srun: StepId=\1 task 1: exited abnormally\|srun: Terminating StepId=\1\|' \
        'srun --wait ends the step by SIGKILL'
srun -n1 -J kills sh -c 'trap "" TERM; touch kills; exec sleep 100' &
srun=$!
wait_for 20 test -e kills
scancel -s KILL "$(squeue -h -n kills -o %A).0"
wait "$srun"
tap_is "$?" 137 'scancel -s KILL of a step too'
run srun -o /nope/x sh -c "touch $DIR/ran"
tap_is "$rc|$err" '1|srun: error: Could not open stdout file /nope/x: No such file or directory' 'a file that cannot be written'
run srun -e /nope/x true
tap_is "$rc|$err" '1|srun: error: Could not open stderr file /nope/x: No such file or directory' '... also for errors'
run srun -i /nope sh -c "touch $DIR/ran"
tap_is "$rc|$err" '1|srun: error: Could not open stdin file /nope: No such file or directory' 'or read'
[ ! -e "$DIR/ran" ]
tap_ok $? 'is found before anything runs'
run salloc -N2 -I true
tap_is "$rc|$err" '1|salloc: error: Job submit/allocate failed: Requested partition configuration not available now' \
        'salloc -I for more nodes than there are'
run sbatch -p main,nope --wrap true
tap_like "$rc|$err" '^1[|]sbatch: error: invalid partition specified: nope' 'of several partitions one that is not there is refused by name'
run sbatch -p '' --wrap true
tap_is "$rc|$err" '1|sbatch: error: invalid partition specified: (null)
sbatch: error: Batch job submission failed: Invalid partition name specified' 'no name is not the default partition'
run salloc -Q -n4 env -u SLURM_JOB_ID -u SLURM_JOBID srun -Q -I1 true
tap_is "$rc|$err" '1|srun: error: Unable to allocate resources: Requested nodes are busy' 'srun -I1 waits for a second'
tap_is "$(srun --mpi=list)" $'MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v3,pmix_v4,pmix_v5' 'srun --mpi=list'
# shellcheck disable=SC2016 # of the task
tap_is "$(srun -Q sh -c 'echo ${PMI_FD:+offered}') $(srun -Q --mpi=openmpi sh -c 'echo ${PMI_FD-none}')" 'offered none' '--mpi=openmpi is none'
wait_for 10 no_jobs -t R,CG
tap_ok $? 'and nothing is left'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
