#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a step asks of its allocation: tasks, CPUs, memory, now or never, time; which of its processes signals reach; what its tasks are told.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000' SelectTypeParameters=CR_CPU_Memory KillWait=1
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2

# batch FILE OPTION...: the script of standard input has run, its output is in FILE
batch() {
        { echo '#!/bin/bash'; echo 'try() { timeout 60 srun "$@" 2>&1 | sed "s/.*for job [0-9]*: //" | sort | uniq -c | sed "s/^ *//" | paste -sd,; }'; cat; } >script
        sbatch -Q -W -w n1 -o "$1" "${@:2}" script
}

# ---- tasks and CPUs ----
batch over -O -n16 -N1 <<'END'
try printenv SLURM_OVERCOMMIT
try -n20 echo task
try -n16 --exact echo task
try -c2 --exclusive echo task
END
tap_is "$(paste -sd'|' over)" '16 1|20 task|1 More processors requested than permitted|1 More processors requested than permitted' \
        'steps of an overcommitted allocation may have more tasks than CPUs, with --exact not'
batch count -N1 --exclusive <<'END'
try echo task
try -N1 -w n1 -c1 --exclusive echo task
try -c3 echo task
try -n4 -c1 echo task
try -c9 echo task
SRUN_CPUS_PER_TASK=2 try echo task
SLURM_CPUS_PER_TASK=2 try echo task
END
tap_is "$(paste -sd'|' count)" '1 task|8 task|2 task|4 task|1 More processors requested than permitted|4 task|1 task' \
        '-c alone fills the nodes with tasks, that of the job does not'
out=$(salloc -Q -N2 --exclusive srun -N1 -c4 -w n2 printenv SLURMD_NODENAME | sort | uniq -c | paste -sd,)
tap_is "${out// /}" '2n2' '... the nodes that the step has'
out=$(salloc -Q -N2 --exclusive timeout 60 srun -w n2 printenv SLURMD_NODENAME | sort | paste -sd,)
tap_is "$out" 'n1,n2' 'of more nodes than --nodelist names others are added'

# ---- memory ----
batch memory -n4 -N1 --mem-per-cpu=200 <<'END'
try --mem=800 echo fits
try --mem=801 true
try -n1 --mem-per-cpu=700 echo fits
try -n1 --mem-per-cpu=900 true
try -n4 --mem-per-cpu=201 true
END
tap_is "$(sed 's/^[0-9]* //' memory | paste -sd'|')" \
        'fits|Memory required by task is not available|fits|Memory required by task is not available|More processors requested than permitted' \
        'a step has no more memory than its job'

# The steps of a job share it: one that asks for none has all that its job has asked for a node.
batch shared -n4 -N1 --mem=1000 <<'END'
srun --mem=600 -n1 -c1 sh -c 'touch has; until [ -e gives ]; do sleep 0.05; done' &
until [ -e has ]; do sleep 0.05; done
try -I --mem=600 -n1 -c1 true
try -I --mem=400 -n1 -c1 echo fits
try -I -n1 -c1 true
try -I --mem=0 -n1 -c1 echo none
try -I --overlap --mem=600 -n1 -c1 echo overlaps
try -I --exact --mem-per-cpu=250 -n1 -c2 true
try -I --exact --mem-per-cpu=200 -n1 -c2 echo fits
try -Q --mem=600 -n1 -c1 echo waited &
srun --mem=600 -n1 -c1 true 2>said &
until grep -qs busy said; do sleep 0.05; done
touch gives
wait
cat said
END
busy='1 Requested nodes are busy'
tap_is "$(head -7 shared | paste -sd'|')" "$busy|1 fits|$busy|1 none|1 overlaps|$busy|1 fits" 'steps share the memory of their job'
tap_is "$(sed '1,7d; s/Job [0-9]*/Job/; s/=[0-9.]*//' shared | paste -sd'|')" \
        '1 waited|srun: Job step creation temporarily disabled, retrying (Requested nodes are busy)|srun: Step created for StepId' \
        '... one that finds too little waits for it'
cat >kept <<'END'
#!/bin/bash
srun --mem=600 -n1 -c1 sh -c 'touch holds; until [ -e lets ]; do sleep 0.05; done' &
until [ -e holds ]; do sleep 0.05; done
until [ -e restarted ]; do sleep 0.05; done
srun -I --mem=600 -n1 -c1 true 2>&1 | grep -o 'Requested.*'
srun -I --mem=400 -n1 -c1 echo fits
for of in batch 0; do
        scontrol show step "$SLURM_JOB_ID.$of" | grep -o 'TRES=.*'
        sacct -nP -j "$SLURM_JOB_ID.$of" -o alloctres
done
touch lets
wait
END
job=$(sbatch --parsable -w n1 -n4 --mem=1000 -o kept.out kept)
wait_for 30 test -e holds
ctld_kill9
ctld_start
touch restarted
wait_job 60 "$job" COMPLETED
# On a busy machine the step's srun has had the time to say that the controller was away.
tap_is "$(grep -v 'Unable to contact slurm controller' kept.out | paste -sd'|')" \
        'Requested nodes are busy|fits|TRES=(null)|cpu=4,mem=1000M,node=1|TRES=cpu=1,mem=600M,node=1|cpu=1,mem=600M,node=1' '... also before a controller that has been killed'

# ---- now, or not at all ----
batch now -n2 -N1 <<'END'
srun -n2 sh -c 'touch up; until [ -e on ]; do sleep 0.05; done' &
until [ -e up ]; do sleep 0.05; done
try -n2 -I true
try -Q -n2 -I2 true
SLURM_EXIT_IMMEDIATE=7 srun -n2 -I true 2>/dev/null
echo "exit $?"
try -Q -n2 -I60 echo waited &
touch on
wait
END
tap_is "$(paste -sd'|' now)" '1 Requested nodes are busy|1 Requested nodes are busy|exit 7|2 waited' '--immediate is for steps too'

# ---- time ----
cat >limits <<'END'
#!/bin/bash
srun -n1 -t 7 sh -c 'touch up; until [ -e on ]; do sleep 0.05; done' & step=$!
until [ -e up ]; do sleep 0.05; done
scontrol show step "$SLURM_JOB_ID.0" | grep -o 'TimeLimit=[^ ]*'
squeue -h -s "$SLURM_JOB_ID.0" -o %l
touch on
wait $step
echo "exit $?"
END
rm -f up on
sbatch -Q -W -n1 -o limit limits
tap_is "$(paste -sd'|' limit)" 'TimeLimit=00:07:00|7:00|exit 0' 'a step has a time limit of its own'

# ---- signals ----
cat >catch.py <<'END'
import os, signal, sys, time
name = sys.argv[1]
log = open('signals', 'a', buffering=1)
signal.signal(signal.SIGUSR1, lambda n, f: log.write(name + ' caught\n'))
if os.fork() == 0:
    name += '.child'
log.write(name + ' up\n')
while not os.path.exists('through'):
    time.sleep(0.05)
END
cat >script <<'END'
#!/bin/bash
trap 'echo shell caught >>signals' USR1
python3 catch.py script &
srun -n1 --overlap python3 catch.py step &
while :; do wait && break; done
END
sbatch -Q -n2 -N1 -o /dev/null script
job=$(squeue -h -o %i)
is_up() { [ "$(grep -c up signals)" = 4 ]; }
caught() { grep caught signals | sort | sed 's/ caught//' | paste -sd,; }
wait_for 20 is_up
send() { # WANTED NAME OPTION...: caught by these alone; what others would have caught has come before the next signal's
        grep up signals >up && cat up >signals
        scancel -s USR1 "${@:3}"
        wait_for 20 eval "[ \"\$(caught)\" = '$1' ]"
        tap_is "$(caught)" "$1" "$2"
}
send step 'a signal to a step is for its tasks, not for what they have started' "$job.0"
send step,step.child '... with --full for those, too' -f "$job.0"
send step '... and with --batch' -b "$job.0"
send step '... and to all steps' "$job"
send shell '--batch: the shell' -b "$job"
send shell 'JOB.batch: the shell' "$job.batch"
touch through
wait_job 20 "$job" COMPLETED

# ---- what tasks are told ----
batch told -n1 <<'END'
srun sh -c 'echo "$SLURM_LAUNCH_NODE_IPADDR $SLURM_SRUN_COMM_HOST $SLURM_SRUN_COMM_PORT $SLURM_STEP_LAUNCHER_PORT"'
END
tap_is "$(cat told)" "127.0.0.1 127.0.0.1 $PORT $PORT" 'where srun is, and by which port it is reached'
SLURM_CONTAINER=/bundle run srun true
tap_like "$rc $err" '^1 .*--container: there is no oci.conf' 'SLURM_CONTAINER is refused as --container is'
echo 'srun -o "step.%A.%a.$SLURM_ARRAY_JOB_ID" true' | sed '1i #!/bin/sh' >script
sbatch -Q -W -a 3,5 -n1 -o /dev/null script
tap_is "$(cd "$DIR" && for f in step.*; do IFS=. read -r _ a t env <<<"$f"; [ "$a" = "$env" ] && echo "$t"; done | paste -sd,)" '3,5' '%A and %a in a file of srun'
srun -n1 -o 'alone.%a' true
tap_ok "$([ -e alone.4294967294 ]; echo $?)" '%a outside of arrays'

# ---- exit codes, arrays, nodes ----
for code in 'exit 3;exit 9;exit 5' 'kill -9 $$;exit 1' 'exit 1;kill -9 $$' 'kill -9 $$;kill -15 $$'; do
        { echo '#!/bin/sh'; tr ';' '\n' <<<"$code" | sed "s/.*/srun -n1 sh -c '&'/"; echo 'exit 0'; } >script
        job=$(sbatch --parsable -W -n1 -o /dev/null script)
        scontrol -d show job "$job" | grep -o 'DerivedExitCode=[^ ]*'
done >derived
tap_is "$(sed 's/.*=//' derived | paste -sd,)" '9:0,1:0,1:0,0:15' 'DerivedExitCode is the highest wait status of the steps'
job=$(sbatch --parsable -H -a 1-9 -o /dev/null --wrap true)
scancel "${job}_7"
run scontrol show job "${job}_7"
tap_is "$rc|$out" "1|Job ${job}_7 not found" 'a task that was cancelled before it began is gone'
run scontrol hold "${job}_7"
tap_is "$rc|$err" "1|${job}_7: Invalid job id specified" '... for all orders'
run scancel "${job}_7"
tap_is "$rc|$(squeue -h -t all -j "$job" -o %i)" "0|${job}_[1-6,8-9]" '... the others wait'
scancel "$job"
scontrol update nodename=n2 state=down reason=test && scontrol update nodename=n2 state=drain reason=test
tap_is "$(sinfo -h -n n2 -o '%t %T')|$(sinfo -h -t down -o %N)|$(sinfo -h -t drained -o %N)" 'drain drained|n2|n2' 'a node that is DOWN and DRAIN is drained'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
