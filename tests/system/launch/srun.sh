#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun: streams, exit codes, labels, several nodes, interrupts, steps in an allocation, waiting.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-3]' KillWait=1
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes' || { cluster_logs; tap_done; }
s() { run timeout 60 srun "$@" </dev/null; }

s sh -c 'echo out; echo err >&2; exit 7'
tap_is "$rc|$out|$(grep -c '^err$' <<<"$err")" '7|out|1' 'standard output and error arrive apart; the exit code is the task'"'"'s'
tap_like "$err" 'srun: error: n1: task 0: Exited with exit code 7' 'srun says which task it was'
s sh -c $'echo one\necho two\t'
tap_is "$rc|$out|$err" $'0|one\ntwo|' 'arguments may have several lines'
# shellcheck disable=SC2046
s sh -c 'echo $#' x $(seq 30000)
tap_is "$rc|$out|$err" '0|30000|' 'and there may be many'
s -Q true
tap_is "$rc|$out|$err" '0||' 'a task that says nothing'
s sh -c 'kill -9 $$'
tap_is "$rc" 137 'a task that is killed'
out=$(seq 100000 | timeout 60 srun cat | md5sum)
tap_is "$out" "$(seq 100000 | md5sum)" 'standard input goes to the task, and comes back whole'
out=$(timeout 60 srun head -c 20000000 /dev/zero </dev/null | wc -c)
tap_is "$out" 20000000 '20 MB of output, all of them'
out=$(timeout 60 srun yes </dev/null 2>/dev/null | head -1)
tap_is "$out" y 'a reader that goes away ends the task'
wait_for 20 no_jobs
tap_ok $? 'and the job'

s -n3 -l sh -c 'echo rank $SLURM_PROCID'
tap_is "$rc|$(sort <<<"$out")" $'0|0: rank 0\n1: rank 1\n2: rank 2' '-l labels the lines'
s -n11 -O -l -o l-%t sh -c 'echo a; echo b >&2; printf end'
tap_is "$rc|$out|$(paste -sd, l-3)|$(paste -sd, l-10)" '0||3: a,3: b,3: end|10: a,10: b,10: end' '... and those in files of tasks, errors with them'
s -n2 -l -o l-out.%n -e l.err sh -c 'echo a; echo b >&2'
tap_is "$rc|$err|$(sort l-out.0 | paste -sd,)|$(sort l.err | paste -sd,)" '0||0: a,1: a|0: b,1: b' '... of a node; standard error has a file of its own beside it'
s -o e-out.%n -e all sh -c 'echo a; echo b >&2'
tap_is "$rc|$err|$(cat e-out.0)" '0|b|a' '-e all beside it is at srun'
mkfifo l-pipe.0
timeout 60 cat l-pipe.0 >l.read &
reader=$!
s -n1 -l -o l-pipe.%t seq 100000
wait $reader
tap_is "$rc|$(md5sum <l.read)" "0|$(seq 100000 | sed 's/^/0: /' | md5sum)" '... and in a FIFO, whole'
ln -s /dev/full l-full.0
s -n1 -l -o l-full.%t yes
tap_is "$rc" 141 '... where a file takes nothing the task learns of it'
wait_nodes 20 'n[1-3]' idle
s -N3 -n6 sh -c 'echo $SLURM_PROCID $SLURMD_NODENAME $SLURM_LOCALID'
tap_is "$rc|$(sort <<<"$out" | tr '\n' ',')" '0|0 n1 0,1 n1 1,2 n1 2,3 n1 3,4 n2 0,5 n3 0,' 'six tasks on three nodes'
s -N3 sh -c 'exit $SLURM_PROCID'
tap_is "$rc" 2 'the highest exit code counts'
s ./no-such-program
tap_like "$rc $err" '^(2|127) .*no-such-program.*No such file or directory' 'a program that is missing'
# ---- how many tasks, and where ----
lines() { wc -l <<<"$out"; }
s --exclusive -N1 -c2 hostname
tap_is "$rc|$(lines)" '0|2' '-c without -n: as many tasks as fit into a whole node'
s --exclusive -N2 -c1 printenv SLURM_NTASKS
tap_is "$rc|$(sort -u <<<"$out")|$(lines)" '0|8|8' '... into two'
s --exclusive -N1 -c3 hostname
tap_is "$rc|$(lines)" '0|1' '... whole tasks'
s --exclusive -N1 -n1 -c2 hostname
tap_is "$rc|$(lines)" '0|1' 'with -n so many'
s -N1 -c2 hostname
tap_is "$rc|$(lines)" '0|1' 'and a job that gets two CPUs has one'
where() { wait_nodes 20 'n[1-2]' idle; s "$@" sh -c 'echo $SLURM_PROCID$SLURMD_NODENAME $SLURM_DISTRIBUTION'; sort <<<"$out" | paste -sd,; }
tap_is "$(where -w n1,n2 -N2 -n4 -m plane=1)" '0n1 plane,1n2 plane,2n1 plane,3n2 plane' 'plane=1: a task to each node in turn, whatever CPUs they have'
tap_is "$(where -w n1,n2 -N2 -n4 -m plane=2)" '0n1 plane,1n1 plane,2n2 plane,3n1 plane' 'plane=2 fills what the job has'
tap_is "$(where -w n1,n2 -N2 -n4 -m pack)" '0n1 pack,1n1 pack,2n1 pack,3n2 pack' 'pack alone'
tap_is "$(where -w n1,n2 -N2 -n2 --exclusive -m NoPack)" '0n1 nopack,1n2 nopack' 'nopack alone'
s -N2 -n4 -m pack,block true
tap_is "$rc|$err" '255|srun: error: Invalid --distribution specification' 'it is behind the other words'
run salloc -Q -N2 -n4 -m pack sh -c 'echo $SLURM_DISTRIBUTION; srun -n1 printenv SLURM_DISTRIBUTION' </dev/null
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|pack block,pack' 'a job and its steps are told of it as by Slurm'

# ---- programs without a folder ----
printf '#!/bin/sh\necho "here $0"\n' >here.sh
printf '#!/no/such/shell\n' >noshell.sh
printf '#!/bin/sh\necho mine\n' >printenv # in PATH, too
echo text >text.sh
chmod +x here.sh noshell.sh printenv
s here.sh
tap_is "$rc|$out|$err" '0|here here.sh|' 'a program is found in the working folder'
s -D / here.sh
tap_like "$rc $err" '^2 slurmstepd.*: error: execve\(\): here.sh: No such file or directory' '... of the task'
s printenv SLURM_PROCID
tap_is "$rc|$out" '0|0' '... behind PATH'
s --export=NONE here.sh
tap_is "$rc|$out" '0|here here.sh' '... and without one'
printf '0 here.sh\n1 ./here.sh\n' >two.prog
s -n2 --multi-prog two.prog
tap_is "$rc|$(sort <<<"$out" | paste -sd,)" '0|here ./here.sh,here here.sh' '... by --multi-prog'
if [ -x "$SLUMBER_BUILD/commands/sbcast" ]; then # not where tests of the quick commands alone are built
        s --bcast=copy here.sh
        tap_like "$rc|$out" '^0\|here .*copy$' '... by --bcast'
fi
s noshell.sh
tap_like "$rc $err" '^2 slurmstepd.*: error: execve\(\): bad interpreter\(/no/such/shell\): No such file' 'an interpreter that is missing is named'
mkdir elsewhere && mv noshell.sh elsewhere && cp here.sh noshell.sh && chmod -x noshell.sh
PATH=$PATH:$DIR/elsewhere s noshell.sh
tap_like "$rc $err" '^2 slurmstepd.*: error: execve\(\): bad interpreter\(/no/such/shell\): No such file' '... of the file that was found'
s text.sh
tap_like "$rc $err" '^13 slurmstepd.*: error: execve\(\): text.sh: Permission denied' 'a file that may not be executed'
chmod +x text.sh && s text.sh
tap_like "$rc $err" '^8 slurmstepd.*: error: execve\(\): text.sh: Exec format error' 'one that is no program'

s -p nope true
tap_like "$rc $(tail -1 <<<"$err")" '^1 srun: error: Unable to allocate resources: Invalid partition name specified' 'a partition that is missing'
s -o '%j.%t' -n2 sh -c 'echo $SLURM_PROCID'
id=$(ls -- *.1 | sed 's/\.1$//')
tap_is "$rc|$out|$(cat "$id.0" "$id.1")" $'0||0\n1' 'output into files by pattern'
mkdir -p sub
s -D sub pwd
tap_is "$rc|$out" "0|$PWD/sub" 'a folder is looked for from here'
s -D / pwd
tap_is "$out" / '-D'
FROM_ME=x s sh -c 'echo $FROM_ME'
tap_is "$out" x 'the environment goes along'

# ---- closed standard streams ----
s2() { timeout 60 srun "$@"; }
tap_is "$(s2 cat <&-; echo $?)" 0 'without standard input a task reads the end of one'
tap_is "$(printf 'one\ntwo\n' | while read -r line; do s2 echo "$line" <&-; done | paste -sd' ')" 'one two' '... and a loop keeps its lines'
s2 echo lost </dev/null >&- 2>shut.err
tap_is "$?|$(cat shut.err)" '0|' 'without standard output a task that writes has not failed'
out=$(s2 sh -c 'echo out; echo err >&2; exit 3' </dev/null 2>&-)
tap_is "$?|$out" '3|out' 'nor is anything else said on standard output where there is no standard error'
s2 true <&- >&- 2>&-
tap_is $? 0 'nor without all three'
salloc -Q -n1 sh -c 'readlink /proc/self/fd/0 /proc/self/fd/2 >shut.out' <&- 2>&-
tap_is "$?|$(paste -sd' ' shut.out)" '0|/dev/null /dev/null' 'a command of salloc has open ones'

# ---- an interrupt ----
setsid srun sh -c 'echo ready; while :; do sleep 0.05; done' </dev/null >int.out 2>&1 &
pid=$!
wait_for 20 grep -q ready int.out # so it knows its step: before, it gives its job back
kill -INT $pid
wait_for 10 grep -q 'interrupt' int.out
tap_ok $? "one interrupt asks: $(grep interrupt int.out)"
again() { gone $pid || ! kill -INT $pid; } # two of them within a second, of which the kernel may make one
wait_for 30 again
tap_ok $? 'two end it'
setsid srun sh -c 'trap "" INT; trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done' </dev/null >int2.out 2>&1 &
pid=$!
wait_for 20 grep -q ready int2.out
again() { grep -q 'sending Ctrl-C' int2.out || ! kill -INT $pid; } # no further one: srun would not wait for the daemons
wait_for 30 again
wait $pid
tap_is "$?|$(grep -c 'forcing job termination' int2.out | sed 's/[1-9]/said/')" '137|said' '... by SIGKILL, not by SIGTERM'
setsid srun --quit-on-interrupt sh -c 'trap "" INT; trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done' </dev/null >int3.out 2>&1 &
pid=$!
wait_for 20 grep -q ready int3.out
kill -INT $pid
wait $pid
tap_is $? 137 'one does with --quit-on-interrupt'
wait_for 20 no_jobs
tap_ok $? 'and its job'
srun sh -c 'touch term.ready; while :; do sleep 0.05; done' </dev/null >term.out 2>&1 &
pid=$!
wait_for 20 test -e term.ready
kill -KILL $pid
wait_for 30 no_jobs
tap_ok $? 'the job of an srun that is killed ends'
wait $pid 2>/dev/null

# ---- inside an allocation ----
cat >steps <<'END_OF_JOB'
#!/bin/bash
srun -l hostname -s >/dev/null && echo "first $?"
srun -N1 -n1 sh -c 'exit 4'; echo "second $?"
srun sh -c 'echo $SLURM_STEP_ID $SLURM_PROCID'
END_OF_JOB
id=$(sbatch --parsable -N2 -n2 -o steps.out steps 2>/dev/null)
wait_job 30 "$id" COMPLETED
tap_is "$(grep -v '^srun:' steps.out | sort | tr '\n' ',')" '2 0,2 1,first 0,second 4,' 'steps of a batch job'

# ---- waiting ----
first=$(sbatch --parsable -N3 --exclusive --wrap 'until [ -e enough ]; do sleep 0.05; done') && wait_job 20 "$first" RUNNING
timeout 60 srun -N1 echo at last </dev/null >queued.out 2>queued.err &
pid=$!
wait_for 20 grep -q 'queued and waiting for resources' queued.err
tap_ok $? 'srun says that it waits'
touch enough && wait $pid
tap_is "$?|$(cat queued.out)|$(sed 's/[0-9]\+/N/' queued.err)" '0|at last|srun: job N queued and waiting for resources
srun: job N has been allocated resources' 'and when it goes on'
srun -N3 --exclusive sh -c 'touch cancel.ready; while :; do sleep 0.05; done' </dev/null >cancel.out 2>&1 &
pid=$!
wait_for 20 test -e cancel.ready && scancel "$(squeue -h -o %i)" && wait_for 30 gone $pid
wait $pid
tap_is "$([ $? != 0 ] && echo failed) $(grep -c 'CANCELLED AT\|Force Terminated\|revoked' cancel.out | sed 's/[1-9]/said/')" 'failed said' \
        'srun says that its job is cancelled and fails'
wait_nodes 20 'n[1-3]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
