#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# salloc: command and shell, environment, messages, exit codes, signals, --no-shell, nodes that boot, a controller that restarts.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
mkdir -p "$DIR"
cat >"$DIR/resume" <<'END_OF_PROGRAM'
#!/bin/sh
# Writes down which node is to boot; the test starts the agent.
echo "$1" >>"$(dirname "$0")/resumed"
END_OF_PROGRAM
chmod 755 "$DIR/resume"
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' SlurmctldParameters=cloud_dns \
        "PartitionName=main Nodes=n[1-2] Default=YES MaxTime=INFINITE
NodeName=c[1-4] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD
PartitionName=cloud Nodes=c[1-4]" KillWait=1 SlurmdTimeout=60 \
        "ResumeProgram=$DIR/resume" SuspendProgram=/bin/true SuspendTime=600 ResumeTimeout=40
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes, and four that sleep' || { cluster_logs; tap_done; }
s() { run timeout 60 salloc "$@" </dev/null; }
count() { sed 's/[0-9]\{1,\}/N/g' <<<"$1"; }

# ---- command ----
s -N2 -n3 -J na -A acc --mem-per-cpu=100 sh -c 'env | grep ^SLURM_ | sort; exit 3'
tap_is "$rc|$(count "$err")" $'3|salloc: Granted job allocation N\nsalloc: Relinquishing job allocation N' 'a command; its exit code'
id=$(sed -n 's/^SLURM_JOB_ID=//p' <<<"$out")
for line in "SLURM_JOBID=$id" 'SLURM_JOB_NAME=na' 'SLURM_JOB_NODELIST=n[1-2]' SLURM_JOB_NUM_NODES=2 SLURM_NNODES=2 \
        SLURM_NTASKS=3 SLURM_NPROCS=3 SLURM_TASKS_PER_NODE=2,1 SLURM_JOB_PARTITION=main SLURM_MEM_PER_CPU=100 \
        SLURM_JOB_ACCOUNT=acc "SLURM_SUBMIT_DIR=$DIR" SLURM_CLUSTER_NAME=slumber; do
        grep -qxF -- "$line" <<<"$out"
        tap_ok $? "$line" || sed 's/^/# /' <<<"$out"
done
tap_is "$(job_state "$id")" FAILED 'its job has failed'
s -N1 sh -c 'echo $SLURM_JOB_NAME; exit 0'
tap_is "$out|$(squeue -h -t all -n interactive -o %T)" 'interactive|COMPLETED' 'one that ends well'
s -Q -N2 -n2 srun sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME'
tap_is "$rc|$(sort <<<"$out" | tr '\n' ',')|$err" '0|0 n1,1 n2,|' 'srun inside of it takes the allocation'
for sig in HUP:0 INT:0 QUIT:0 KILL:0 TERM:1 USR1:1; do
        s -Q -N1 sh -c "kill -${sig%:*} \$\$"
        tap_is "$rc" "${sig#*:}" "a command that SIG${sig%:*} ends"
done
s -N1 /no/such/program
tap_is "$rc|$(sed -n 2p <<<"$err")" '1|salloc: error: _fork_command: Unable to find command "/no/such/program"' 'a command that is not there'
printf '#!/bin/sh\necho "here $0"\n' >here.sh && printf '#!/no/such/shell\n' >noshell.sh && chmod +x here.sh noshell.sh
s -Q -N1 here.sh
tap_is "$rc|$out" "0|here $DIR/here.sh" 'a command in the current folder'
s -Q -N1 -D / here.sh
tap_is "$rc|$out" "0|here $DIR/here.sh" '... of salloc, whatever -D says'
s -Q -N1 noshell.sh
tap_is "$rc|$err" "1|salloc: error: _fork_command: Unable to exec command \"$DIR/noshell.sh\": No such file or directory" \
        'one that is there, but not its interpreter'
s -p nope true
tap_is "$rc|$err" $'1|salloc: error: invalid partition specified: nope
salloc: error: Job submit/allocate failed: Invalid partition name specified' 'a partition that is not there'
s -D / -Q -N1 sh -c 'pwd; echo $SLURM_SUBMIT_DIR'
tap_is "$out" $'/\n'"$DIR" '-D'
out=$(echo 'echo shell of $SLURM_JOB_ID | sed "s/[0-9].*/N/"' | SHELL=/bin/sh timeout 60 salloc -Q -N1)
tap_is "$out" 'shell of N' 'a shell, when no command is given'
SALLOC_PARTITION=nope s -Q true
tap_is "$rc" 1 'SALLOC_PARTITION'
for option in --get-user-env; do
        s "$option" true
        tap_like "$rc $err" "255 salloc: error: .*${option%%=*}.*is refused: " "$option is refused by name"
done
s -o x true
tap_is "$rc" 255 '-o is not salloc'"'"'s'
wait_for 20 no_jobs
tap_ok $? 'no job is left'

# ---- --no-shell ----
s -N1 --no-shell
id=$(squeue -h -o %i)
tap_is "$rc|$err|$(job_show "$id" '%T %j')" "0|salloc: Granted job allocation $id|RUNNING no-shell" '--no-shell: the allocation stays'
agent=$(pgrep -o -f "slumberd.*-N n1 --socket $DIR")
kill -STOP "$agent"
ctld_kill9 && ctld_start && wait_nodes 20 n2 idle
tap_is "$(job_state "$id")" RUNNING 'over a restart of the controller, too'
srun --jobid="$id" echo inside >inside.out 2>inside.err </dev/null &
early=$!
asks() { ls -l "/proc/$early/fd" 2>/dev/null | grep -q 'socket:'; }
wait_for 20 asks
kill -CONT "$agent"
wait_for 20 grep -q inside inside.out
tap_ok $? 'and can be used, by a step that has waited for its node'
kill "$early" 2>/dev/null
wait $early
scancel "$id" && wait_for 20 no_jobs
tap_ok $? 'until it is cancelled'

# ---- signals ----
held() { salloc --exclusive -N2 "$@" </dev/null >held.out 2>held.err & pid=$!; wait_for 20 test -e held.ready; }
at_exit eval 'kill -KILL ${pid:-} ${second:-} 2>/dev/null; touch "$DIR/held.go"'
cmd='trap "echo hup >>held.sig; exit 5" HUP; trap "echo term >>held.sig; exit 6" TERM; touch held.ready; until [ -e held.go ]; do sleep 0.05; [ -e held.ready ] || exit; done'
fresh() { { wait "$pid"; rc=$?; } 2>/dev/null; err=$(grep ^salloc: held.err); rm -f held.*; } # sh has words of its own
held sh -c "$cmd" && kill -HUP $pid
wait_for 20 test -s held.sig
got=$(cat held.sig) && fresh
tap_is "$rc|$got|$(count "$err")" $'1|hup|salloc: Granted job allocation N\nsalloc: Relinquishing job allocation N' 'SIGHUP takes the command along'
held sh -c "$cmd" && kill -TERM $pid
wait_for 20 grep -q revoked held.err && wait_for 20 no_jobs
tap_ok $? 'SIGTERM ends the allocation'
touch held.go && fresh
tap_is "$rc|$(count "$err")" $'0|salloc: Granted job allocation N\nsalloc: Job allocation N has been revoked.' 'the command goes on, as in Slurm'
held -K sh -c "$cmd" && scancel "$(squeue -h -o %i)" && wait_for 20 test -s held.sig
got=$(cat held.sig) && fresh
tap_is "$rc|$got|$(tail -1 <<<"$(count "$err")")" '6|term|salloc: Job allocation N has been revoked.' '-K: it is told to end'
held -KHUP sh -c "$cmd" && scancel "$(squeue -h -o %i)" && wait_for 20 test -s held.sig
got=$(cat held.sig) && fresh
tap_is "$rc|$got" '5|hup' 'by the signal that was named'
held sh -c "$cmd"
run timeout 20 salloc -I -N1 true </dev/null
tap_is "$rc|$err" '1|salloc: error: Unable to allocate resources: Requested nodes are busy' '-I'
rm -f wait.err
setsid salloc -N1 true </dev/null >wait.out 2>wait.err &
second=$!
wait_for 20 grep -q 'queued and waiting' wait.err
kill -INT $second
wait $second
tap_is "$?|$(count "$(cat wait.err)")" $'1|salloc: Pending job allocation N\nsalloc: job N queued and waiting for resources
salloc: Job allocation N has been revoked.\nsalloc: Job aborted due to signal' 'Ctrl-C while it waits'
rm -f wait.err
salloc -N1 true </dev/null >wait.out 2>wait.err &
second=$!
wait_for 20 grep -q 'queued and waiting' wait.err
scancel "$(squeue -h -t PD -o %i)"
wait $second
tap_like "$?|$(count "$(cat wait.err)" | tail -3 | tr '\n' '|')" \
        '^1\|salloc: Job allocation N has been revoked.\|salloc: Job has been cancelled\|salloc: error: Job submit/allocate failed: ' \
        'a job that is cancelled while it waits'
rm -f wait.err
salloc -N1 true </dev/null >wait.out 2>wait.err &
second=$!
wait_for 20 grep -q 'queued and waiting' wait.err
ctld_kill9 && ctld_start && wait_nodes 20 'n[1-2]' allocated
touch held.go
wait $second
tap_is "$?|$(count "$(grep -v 'Unable to contact' wait.err)")" $'0|salloc: Pending job allocation N
salloc: job N queued and waiting for resources\nsalloc: job N has been allocated resources
salloc: Granted job allocation N\nsalloc: Relinquishing job allocation N' 'a restart of the controller while it waits'
fresh
tap_is "$rc" 0 'and while a command runs'
held sh -c "$cmd" && kill -KILL $pid && wait_for 20 no_jobs
tap_ok $? 'the job of a salloc that is killed ends'
touch held.go && fresh

# ---- nodes that boot ----
up() { for n; do agent_start "$n" -b; done; }
rm -f cloud.err
salloc -p cloud -w c1 -N1 sh -c 'echo began' </dev/null >cloud.out 2>cloud.err
tap_like "$?|$(cat cloud.out)|$(sinfo -h -n c1 -o %t)" '^0\|began\|idle[#~]$' 'without --wait-all-nodes it begins at once'
rm -f cloud.err
salloc -p cloud -w 'c[1-2]' -N2 --wait-all-nodes=1 srun -l hostname </dev/null >cloud.out 2>cloud.err &
pid=$!
wait_for 20 grep -q 'salloc: Waiting for resource configuration' cloud.err
tap_ok $? '--wait-all-nodes=1: it says that it waits'
wait_for 20 grep -q '^c2$\|^c\[1-2\]$' resumed && up c1
wait_nodes 20 c1 mixed
tap_is "$(cat cloud.out)" '' 'for all of them'
up c2
wait $pid
tap_is "$?|$(sort cloud.out | cut -c1-2 | tr '\n' ',')|$(count "$(cat cloud.err)")" $'0|0:,1:,|salloc: Granted job allocation N
salloc: Waiting for resource configuration\nsalloc: Nodes c[N-N] are ready for job\nsalloc: Relinquishing job allocation N' \
        'and begins when they are ready' || sed 's/^/# /' cloud.err
sed -i '$a SchedulerParameters=salloc_wait_nodes' slurm.conf && scontrol reconfigure
rm -f cloud.err
salloc -p cloud -w c3 -N1 true </dev/null >cloud.out 2>cloud.err &
pid=$!
wait_for 20 grep -q 'salloc: Waiting for resource configuration' cloud.err
tap_ok $? 'salloc_wait_nodes is the default of it'
kill -TERM $pid
wait $pid
tap_like "$?|$(count "$(cat cloud.err)" | tr '\n' '|')" \
        '1\|.*configuration\|salloc: error: Nodes cN are still not ready\|salloc: Job allocation N has been revoked.\|' 'given up while it waits'
rm -f cloud.err
salloc -p cloud -w c3 -N1 --wait-all-nodes=0 true </dev/null >cloud.out 2>cloud.err
tap_is "$?|$(grep -c Waiting cloud.err)" '0|0' '--wait-all-nodes=0 overrides it'
rm -f cloud.err
salloc -p cloud -w c4 -N1 true </dev/null >cloud.out 2>cloud.err &
pid=$!
wait_for 20 grep -q 'salloc: Waiting' cloud.err && scontrol update nodename=c4 state=down reason=broken
wait $pid
tap_like "$?|$(count "$(cat cloud.err)" | tr '\n' '|')" '1\|.*still not ready\|salloc: error: Something is wrong with the boot of the nodes.\|' \
        'a node that does not boot'
wait_for 20 no_jobs
tap_ok $? 'no job is left'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
