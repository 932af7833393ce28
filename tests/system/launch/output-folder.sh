#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program makes the folder of its job's output after it has got the job's id: the job waits for it for a moment.  Where the
# folder does not come the job fails, and its reason names the path; meanwhile it can be cancelled and signalled like others.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=60
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2

late() { # COMMAND...: when the step daemon of job id has looked for the folder in vain
        wait_for 10 _job_is "$id" RUNNING && "$@"
}
# The job is on its way before the folder is made: it runs already.
id=$(sbatch --parsable -o late.%j/a/out --wrap 'echo hello') && late mkdir -p "late.$id/a"
wait_job 20 "$id" COMPLETED
tap_is "$?|$(cat "late.$id/a/out")" '0|hello' 'the folder of --output is made when the job runs already'
id=$(sbatch --parsable -o out.%j -e late.%j/err --wrap 'echo hello; echo oh >&2') && late mkdir "late.$id"
wait_job 20 "$id" COMPLETED
tap_is "$?|$(cat "out.$id" "late.$id/err" | paste -sd' ')" '0|hello oh' 'that of --error'
id=$(sbatch --parsable -o out.%j -i late.%j/in --wrap 'cat') && late eval "mkdir late.$id.new && echo hello >late.$id.new/in && mv late.$id.new late.$id"
wait_job 20 "$id" COMPLETED
tap_is "$?|$(cat "out.$id")" '0|hello' 'that of --input'

id=$(sbatch --parsable -o "$DIR/none.%j/out" --wrap 'touch ran') && wait_job 20 "$id" FAILED
tap_is "$?|$(scontrol show job "$id" | grep -o 'ExitCode=.*')|$(ls ran 2>/dev/null)" '0|ExitCode=0:53|' 'one that does not come: the job fails'
tap_like "$(scontrol show job "$id" | grep Reason=)" "Reason=Could.not.open.stdout.file.$DIR/none.$id/out" '... and its reason names the path'
tap_like "$(cat log/n1 log/n2)" "job $id: Could not open stdout file $DIR/none.$id/out: No such file or directory" '... as the log does'
touch file && id=$(sbatch --parsable -o file/out --wrap true) && wait_job 20 "$id" FAILED
tap_like "$(scontrol show job "$id" | grep Reason=)" 'file/out:.Not.a.directory' 'another error is told at once'

# ---- what is shown by /proc of the step daemon is not the user's ----
ln -s /proc/self/maps link
for path in /proc/self/maps /proc/thread-self/environ /proc/self/fd/0 link; do
        id=$(sbatch --parsable -o out.%j -i "$path" --wrap cat) && wait_job 20 "$id" FAILED
        tap_like "$?|$(scontrol show job "$id" | grep Reason=)" "^0.* Reason=Could.not.open.stdin.file.$path:.too.many.symbolic.links,.or.a.process's.files" \
                "$path is no standard input"
done
id=$(sbatch --parsable -o "$DIR/out.%j" -i maps --chdir /proc/self --wrap cat) && wait_job 20 "$id" FAILED
tap_ok $? 'nor is one below a work folder there'
! grep -q slumberstepd out.*
tap_ok $? 'nothing of the step daemon is shown'
id=$(sbatch --parsable -i /dev/stdin -o /dev/stdout -e /dev/fd/2 --wrap '(readlink /proc/$$/fd/[0-2] >links); true') && wait_job 20 "$id" COMPLETED
tap_is "$?|$(uniq -c links | xargs)" '0|3 /dev/null' 'the streams of the step daemon are /dev/null'

# ---- ended meanwhile: long before it would be given up, and nothing of it runs ----
id=$(sbatch --parsable -o none.%j/out --wrap 'touch ran') && late scancel "$id" && wait_job 20 "$id" CANCELLED
wait_nodes 20 'n[1-2]' idle && mkdir "none.$id"
tap_is "$?|$(job_state "$id")|$(ls ran 2>/dev/null)" '0|CANCELLED|' 'scancel ends one that waits'
id=$(sbatch --parsable -o none.%j/out --wrap 'touch ran') && late scancel -b -s USR1 "$id" && wait_job 20 "$id" FAILED
tap_is "$?|$(scontrol show job "$id" | grep -o 'ExitCode=.*')|$(ls ran 2>/dev/null)" '0|ExitCode=0:10|' 'a signal that ends a process ends it, too'

# ---- srun: patterns that are opened on the nodes ----
srun -N2 -n4 -o 'step.%t/out' bash -c 'cat; echo $SLURM_PROCID' <<<hello 2>err &
pid=$!
wait_for 10 eval 'squeue -h -s -o %i | grep -q "[.]0"'
mkdir step.0 step.1 step.2 step.3 && { wait $pid; rc=$?; }
tap_is "$rc|$(cat step.?/out | paste -sd' ')|$(cat err)" '0|hello 0 hello 1 hello 2 hello 3|' 'srun -o with a pattern: tasks wait, and lose no input'
mkdir some.0
run timeout 30 srun -n2 -o 'some.%t/out' bash -c 'echo $SLURM_PROCID'
tap_is "$((rc > 0))|$(sort some.0/out | paste -sd'|')" '1|0|slurmstepd: error: Could not open stdout file some.1/out: No such file or directory' \
        'one task has its folder and runs, the other one fails, and its path is named'

# ---- a step that is ended while its daemon has yet to start a task ----
mkdir once.0
# shellcheck disable=SC2016 # the task expands it
srun -N1 -n2 --overcommit -w n1 -o 'once.%t/out' bash -c 'trap "echo term >>terms" TERM; touch trapping
        until [ -e enough ]; do sleep 0.05; done' 2>err &
pid=$!
wait_for 10 test -e trapping
# shellcheck disable=SC2046 # words
kill -STOP $(stepd_pids n1) # so that a signal of slumberd's is not taken for one with its own
id=$(squeue -h -o %A)
scancel "$id"
wait_for 10 test -s terms
tap_ok $? 'a task that runs already gets SIGTERM also while its daemon stands still'
# shellcheck disable=SC2046 # words
kill -CONT $(stepd_pids n1)
wait_for 10 grep -q CANCELLED once.0/out # what it is told before it is told of the signal
touch enough
wait $pid
tap_is "$(cat terms)" term '... and no second one from its daemon'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
