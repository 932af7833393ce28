#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# JobAcctGatherParams=OverMemoryKill: a step that has more memory than its job is killed at the next look, others are not, whatever
# the machine's cgroups can do.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 SelectTypeParameters=CR_Core_Memory JobAcctGatherType=jobacct_gather/linux JobAcctGatherFrequency=1 \
        JobAcctGatherParams=OverMemoryKill
cluster_up 'a node' n1
cat >take.py <<'END'
import sys, time
kept = bytearray(b'x') * (int(sys.argv[1]) << 20)
open(sys.argv[2], 'w').close()
while True:
    time.sleep(0.1)
END
told='slurmstepd: error: StepId=%s exceeded memory limit \([0-9]+ > 62914560\), being killed'
# shellcheck disable=SC2059
like() { printf "$told" "$1"; }

run srun --mem=60 python3 take.py 150 there
tap_like "$rc|$err" "^[1-9][0-9]*\|.*$(like '1\.0')" 'a step: killed, and told why'
tap_like "$err" 'srun: error: n1: task 0: Out Of Memory' "... in srun's words too"
tap_like "$(scontrol -o show job 1)" 'JobState=OUT_OF_MEMORY Reason=OutOfMemory .* ExitCode=0:125 .* SecsPreSuspend=0 ' '... and so is its job'
j=$(sbatch --parsable -o out --mem=60 --wrap 'python3 take.py 150 there2; echo survived')
wait_job 20 "$j" OUT_OF_MEMORY
tap_like "$?|$(cat out)" "^0\|$(like "$j\\.batch")\$" 'a batch script, with what it has started'

# The job has enough for all: 163 MB of python3 in the step, 3 MB of its srun (21 MB with sanitizers), 2 MB of the script, shared pages
# counted in each.  With 60 MB for the job, too, a look at the moment at which the step has some 40 to 60 MB on its way to 163, which
# takes it a few hundredths of a second, finds the job over its limit and the step not: then the job is cancelled, rightly.
j=$(sbatch --parsable -o out2 --mem=400 --wrap 'srun --mem=60 python3 take.py 150 there3; echo "goes on: $?"; until [ -e enough ]; do sleep 0.1; done')
wait_for 20 grep -q 'goes on' out2
tap_like "$(job_state "$j")|$(paste -sd' ' out2)" "^RUNNING\|.*$(like "$j\\.0").*goes on: [1-9]" 'a step of a script: that one only'
touch enough && wait_job 20 "$j" 'COMPLETED|OUT_OF_MEMORY'
tap_ok $? '... which ends as it likes'

j=$(sbatch --parsable -o out4 --mem=400 --wrap 'srun --overlap --mem=400 python3 take.py 250 one 2>err-one & srun --overlap --mem=400 python3 take.py 250 two 2>err-two & wait; cat err-one err-two')
wait_for 30 grep -qs 'exceeded memory limit' err-one err-two
tap_like "$(cat err-one err-two)" "slurmstepd: error: JobId=$j exceeded memory limit \([0-9]+ > 419430400\), being killed" 'two steps that together have more than their job'
wait_job 20 "$j" CANCELLED
tap_like "$?|$(scontrol -o show job "$j")|$(pgrep -fc "take.py 250 (one|two)$")" '^0\|.* JobState=CANCELLED Reason=OutOfMemory .*\|0$' '... end with it, which is cancelled'

# ---- the node makes the steps, and the controller is away when it tells of them ----
j=$(sbatch --parsable --stepmgr -o out5 --mem=400 --wrap 'srun true; touch made; until [ -e go ]; do sleep 0.1; done
for i in five six; do srun --overlap --mem=400 python3 take.py 250 $i 2>err-$i & done; wait; until [ -e enough2 ]; do sleep 0.1; done')
wait_for 20 test -e made && ctld_kill9 && touch go
wait_for 30 grep -qs 'exceeded memory limit' err-five err-six
tap_ok $? 'steps that the node makes have too much while no controller is there'
ctld_start && wait_job 30 "$j" CANCELLED
tap_like "$?|$(scontrol -o show job "$j")" '^0\|.* JobState=CANCELLED Reason=OutOfMemory ' '... it hears of that when it is back'

srun --mem=300 python3 take.py 150 there4 2>err4 &
pid=$!
wait_for 20 test -e there4
j=$(sbatch --parsable -o /dev/null --mem=60 --wrap 'python3 take.py 150 there5') && wait_job 20 "$j" OUT_OF_MEMORY
tap_is "$?|$(squeue -h -t R -o '%t')|$(cat err4)" '0|R|' 'a step that has enough is left alone, beside one that has not'
scancel --me
wait $pid

sed -i 's/OverMemoryKill/NoShared/' slurm.conf && scontrol reconfigure
rm -f there2
j=$(sbatch --parsable -o /dev/null --mem=60 --wrap 'python3 take.py 150 there2') && wait_for 20 test -e there2
for s in a b c; do # three looks, as before: the same second for other steps
        srun --overlap --jobid="$j" sleep 1
done
tap_is "$(job_state "$j")" RUNNING 'without the word no step is killed'
scancel "$j"

sed -i 's/NoShared/OverMemoryKill/; s/^JobAcctGatherFrequency=.*/JobAcctGatherFrequency=3600/' slurm.conf && scontrol reconfigure
run srun --mem=60 --acctg-freq=task=1,energy=5 python3 take.py 150 there6
tap_like "$rc|$err" "^[1-9][0-9]*\|.*$(like '[0-9]+\.0')" '--acctg-freq: a step is looked at more often'
j=$(sbatch --parsable -o out3 --mem=60 --acctg-freq=1 --wrap 'echo $SLURM_ACCTG_FREQ; exec python3 take.py 150 there7')
wait_job 20 "$j" OUT_OF_MEMORY
tap_is "$? $(head -1 out3)" '0 1' '... and a script and its steps'
sed -i 's/^JobAcctGatherFrequency=.*/JobAcctGatherFrequency=1/' slurm.conf && scontrol reconfigure
for never in 2 0 task=3600; do
        run srun --acctg-freq=$never true
        tap_like "$rc|$err" '^1\|srun: error: .*: Invalid accounting frequency requested$' "srun --acctg-freq=$never is refused"
        run sbatch -o /dev/null --acctg-freq=$never --wrap true
        tap_like "$rc|$err" '^1\|sbatch: error: .*: Invalid accounting frequency requested$' '... sbatch too'
done
run salloc --acctg-freq=2 srun true
tap_like "$err" 'srun: error: .*: Invalid accounting frequency requested' 'salloc hands it to its steps'
run srun --acctg-freq=energy=20 true
tap_is "$rc" 0 '... only of tasks'
for bad in x task=x foo=5 task=-1; do
        run srun --acctg-freq="$bad" true
        tap_like "$rc $err" "^[1-9].*Invalid --acctg-freq specification: $bad" "--acctg-freq=$bad is refused"
done
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
