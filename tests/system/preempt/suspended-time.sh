#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job that is suspended in the moment of its launch runs when it goes on; one whose preemptor's other node boots runs on until that is
# up; and time in which a job is suspended counts against nothing
# of it: its sruns come back after a restart of slumberctld or slumberd, also where they stand still with it, and --wait does not go on.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
printf '#!/bin/sh\necho $SLURM_JOB_ID >>%s/began\nuntil [ -e %s/pass ]; do sleep 0.02; done\n' "$DIR" "$DIR" >prolog
printf '#!/bin/sh\n:\n' >power
chmod 755 prolog power
cluster_conf 'n[1-2]' PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG SlurmdTimeout=3 \
        Prolog="$DIR/prolog" PrologFlags=Alloc ResumeProgram="$DIR/power" SuspendProgram="$DIR/power" SuspendTime=600 ResumeTimeout=60 \
        'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' 'NodeName=c[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' \
        PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n1,c[1-2]' 'PartitionName=low Default=YES PriorityTier=1' \
        'PartitionName=high PriorityTier=2'
cluster_up 'a node that is there, and two in the cloud' n1

low() { sbatch --parsable -o /dev/null -n4 "$@" --wrap 'touch ran.$SLURM_JOB_ID'; }
high() { sbatch --parsable -o /dev/null -n4 -p high "$@" --wrap 'until [ -e enough ]; do sleep 0.02; done'; }

# ---- its prolog ends while a preemptor waits for that ----
l=$(low -w n1) && wait_for 20 grep -qx "$l" began
h=$(high -w n1)
touch pass
wait_for 20 grep -qx "$h" began && wait_job 20 "$h" RUNNING
tap_is "$?|$(job_state "$l")" '0|SUSPENDED' 'a job is suspended by another one when its prolog is over, as it would be launched'
touch enough
wait_job 20 "$l" COMPLETED && [ -e "ran.$l" ]
tap_ok $? '... and runs when that one has ended'

# ---- its node boots, and a preemptor waits for that ----
rm -f enough
l=$(low -w c1) && h=$(high -w c1)
wait_nodes 20 c1 allocated#
agent_start c1 -b
wait_for 20 grep -qx "$h" began && wait_job 20 "$h" RUNNING
tap_is "$?|$(job_state "$l")" '0|SUSPENDED' 'a job is suspended by another one when its node has booted'
touch enough
wait_job 20 "$l" COMPLETED && [ -e "ran.$l" ]
tap_ok $? '... and runs when that one has ended'

# ---- a node of its preemptor boots: it runs on until then ----
rm -f enough
l=$(sbatch --parsable -o /dev/null -n4 -w n1 --wrap 'until [ -e enough ]; do sleep 0.02; done; touch ran.$SLURM_JOB_ID')
wait_job 20 "$l" RUNNING
h=$(high -w n1,c2 -N2 -n8)
wait_nodes 20 c2 allocated#
tap_is "$?|$(squeue -h -S i -j "$l,$h" -o %t | xargs)" '0|R CF' 'a job runs on while a node of its preemptor boots'
ctld_kill9 && ctld_start
wait_nodes 20 n1 allocated
tap_is "$?|$(squeue -h -S i -j "$l,$h" -o %t | xargs)" '0|R CF' '... also after kill -9 of slumberctld'
agent_start c2 -b
wait_for 20 grep -qx "$h" began && wait_job 20 "$h" RUNNING
tap_is "$?|$(job_state "$l")" '0|SUSPENDED' '... and stands still when that is up'
scancel "$h" && wait_job 20 "$l" RUNNING && touch enough && wait_job 20 "$l" COMPLETED && [ -e "ran.$l" ]
tap_ok $? '... and goes on afterwards'

# ---- restarts while a job stands still ----
# The first task of the step ends, and --wait would end the other one.
cat >tasks <<'END'
#!/bin/sh
touch "on.$1.$SLURM_PROCID"
[ "$SLURM_PROCID" = 0 ] || until [ -e one ]; do sleep 0.02; done
[ "$SLURM_PROCID" = 1 ] || until [ -e go ]; do sleep 0.02; done
END
printf '#!/bin/sh\nsrun -W 4 -n2 ./tasks $SLURM_JOB_ID; echo "rc $?" >rc.$SLURM_JOB_ID\n' >steps
chmod 755 tasks
runs() { wait_for 20 eval "[ -e on.$1.0 ] && [ -e on.$1.1 ]"; }
a=$(sbatch --parsable -o /dev/null -w n1 -n2 steps) && b=$(sbatch --parsable -o /dev/null -w c1 -n2 steps)
runs "$a" && runs "$b"
srun --jobid="$a" --overlap -W 4 -n2 ./tasks out >out 2>&1 & out=$!
runs out
touch one
scontrol suspend "$a" && scontrol suspend "$b" && wait_job 20 "$a" SUSPENDED && wait_job 20 "$b" SUSPENDED
tap_ok $? 'two jobs stand still, with sruns in them and one beside them'
ctld_kill9
agent_stop c1 && agent_start c1
ctld_start
wait_nodes 20 'n1,c1' idle
since=$(date +%s)
wait_for 20 eval "[ \$(date +%s) -gt $((since + 5)) ]" # more than SlurmdTimeout, and than --wait
touch go
scontrol resume "$a" && scontrol resume "$b"
wait_job 20 "$a" COMPLETED && wait_job 20 "$b" COMPLETED
tap_is "$(cat rc.$a rc.$b | xargs)" 'rc 0 rc 0' 'slumberctld and slumberd restart: the sruns come back when their jobs go on, and their steps have gone on'
tap_is "$(sacct -n -P -X -j "$a,$b" -o state | xargs)" 'COMPLETED COMPLETED' '... as the accounts say'
wait $out # it may have said that it waits for the controller
tap_is "$?|$(grep -v 'goes on, waiting to attach to it again' out)" '0|' '... and so does the srun that did not stand still itself'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
