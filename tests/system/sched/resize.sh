#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job that runs gives nodes back: by itself, with the scripts that reset its variables, and by others; what is refused; kill -9.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-3]' 'GresTypes=gpu' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2'
echo 'Name=gpu Count=2 Flags=CountOnly' >gres.conf
cluster_up 'three nodes' n1 n2 n3
fact() { scontrol -o -d show job "$1" | tr ' ' '\n' | grep -E "^($2)=" | paste -sd' '; }
file() { [ -e "$1" ]; }
go() { touch "$1"; }

# ---- by itself ----
cat >self <<'END'
#!/bin/bash
#SBATCH -N3 -n6 --ntasks-per-node=2 -o self.out
await() { until [ -e "$1" ]; do sleep 0.05; done; }
srun -N1 -n1 -w n1 --overlap bash -c 'touch stays.on; until [ -e stay.end ]; do sleep 0.05; done; echo stayed >stays' &
srun -N1 -n1 -w n3 --overlap bash -c 'touch goes.on; exec sleep 1000' 2>goes.err &
goes=$!
srun -N2 -n2 -w n2,n3 --overlap bash -c 'touch both.on.$SLURM_PROCID; until [ -e both.end ]; do sleep 0.05; done' &
both=$!
await stays.on; await goes.on; await both.on.0; await both.on.1
scontrol update jobid=$SLURM_JOB_ID nodelist=n1,n2 >refused 2>&1
echo "rc $?" >>refused
touch both.end; wait $both
scontrol update jobid=$SLURM_JOB_ID nodelist=n1,n2 >first 2>&1
echo "rc $?" >>first
wait $goes
echo "goes $?" >>first
scontrol update jobid=$SLURM_JOB_ID numnodes=1 >told 2>&1
echo "rc $?" >>told
. ./slurm_job_${SLURM_JOB_ID}_resize.sh
env | grep -E '^SLURM_(NODELIST|JOB_NODELIST|NNODES|JOB_NUM_NODES|JOB_CPUS_PER_NODE|NPROCS|NTASKS|TASKS_PER_NODE)=' | sort >after
srun --overlap bash -c 'echo $SLURMD_NODENAME $SLURM_NTASKS' >where
touch asked
await end
END
j=$(sbatch --parsable self)
wait_for 60 file asked
tap_ok $? 'a job that makes itself smaller' || { cluster_logs; tail self.out refused first told; }
tap_like "$(paste -sd' ' refused)" 'StepId=.*runs on nodes that would go and on others.*rc 1' 'refused while a step is on both kinds of nodes'
tap_like "$(paste -sd' ' first)" 'rc 0.*goes 137' 'a step where it gives nodes back is killed' || { cat first goes.err; }
tap_is "$(cat told)" "To reset Slurm environment variables, execute
  For bash or sh shells:  . ./slurm_job_${j}_resize.sh
  For csh shells:         source ./slurm_job_${j}_resize.csh
rc 0" 'it is told of the scripts'
tap_is "$(stat -c %a slurm_job_"$j"_resize.*| paste -sd' ')" '700 700' 'their mode'
tap_is "$(cat slurm_job_"$j"_resize.csh)" 'setenv SLURM_NODELIST "n1"
setenv SLURM_JOB_NODELIST "n1"
setenv SLURM_NNODES 1
setenv SLURM_JOB_NUM_NODES 1
setenv SLURM_JOB_CPUS_PER_NODE "2"
unsetenv SLURM_NPROCS
unsetenv SLURM_NTASKS
unsetenv SLURM_TASKS_PER_NODE' 'the one for csh'
tap_is "$(paste -sd' ' after)" 'SLURM_JOB_CPUS_PER_NODE=2 SLURM_JOB_NODELIST=n1 SLURM_JOB_NUM_NODES=1 SLURM_NNODES=1 SLURM_NODELIST=n1' 'its variables then'
tap_like "$(cat where)" '^n1 [0-9]+$' 'its steps run where it still is'
tap_is "$(fact "$j" 'NodeList|NumNodes|NumCPUs')" 'NodeList=n1 NumNodes=1 NumCPUs=2' 'as it is shown'
tap_like "$(fact "$j" ResizeTime)" 'ResizeTime=20' '... and since when'
n=$(sbatch --parsable -N2 --exclusive -o /dev/null --wrap true)
wait_job 30 "$n" COMPLETED
tap_ok $? 'others get what it gave back'
go stay.end
wait_for 20 file stays
tap_ok $? 'a step on a node that stays is left alone'
go end
wait_job 20 "$j" COMPLETED
tap_ok $? 'it ends well'
tap_is "$(sacct -n -X -P -D -j "$j" -o state,nnodes,ncpus,nodelist | paste -sd' ')" 'RESIZING|3|6|n[1-3] RESIZING|2|4|n[1-2] COMPLETED|1|2|n1' 'the accounts know what it had when'
tap_is "$(sacct -n -X -P -j "$j" -o state,nnodes | paste -sd' ')" 'COMPLETED|1' '... and without -D how it ended'
steps() { sacct -n -P "$@" -j "$j" -o jobid | sed "s/^$j//" | paste -sd' '; }
all() { [ "$(steps | wc -w)" = 5 ]; }
wait_for 20 all
tap_is "$(steps)" ' .batch .0 .1 .2 .3' 'its steps'
tap_like "$(steps -D)" '^( \.[01]| \.[12])+  *\.batch( \.[0-9])+$' 'with -D each stands once'
tap_is "$(steps -D | tr ' ' '\n' | grep -c .)" 5 '... with the size at which it ended'
[ "$(sacct -n -X -P -D -j "$j" -o submit | sort -u | wc -l)" -ge 1 ] && tap_is "$(sacct -n -X -P -D -j "$j" -o submit,start | awk -F'|' 'NR > 1 && $1 != $2')" '' 'a later size was asked for when it began'

# ---- by others ----
start() { # OPTION...
        rm -f end on
        j=$(sbatch --parsable -N3 -o /dev/null "$@" --wrap 'touch on; until [ -e end ]; do sleep 0.05; done') && wait_for 20 file on
}
start -n6 --ntasks-per-node=2 --gres=gpu:1
refused() { # TEXT KEY=VALUE...
        local text=$1 before
        shift
        before=$(fact "$j" 'NodeList|NumNodes|NumCPUs|TimeLimit')
        run scontrol update jobid="$j" "$@"
        tap_like "$rc|$err" "^1\|$text for job $j" "$*: refused"
        tap_is "$(fact "$j" 'NodeList|NumNodes|NumCPUs|TimeLimit')" "$before" '... and all is as it was'
}
refused 'Node count specification invalid' numnodes=0
refused 'Node count specification invalid' numnodes=2 nodelist=n1
refused 'NumNodes=4: a job that runs cannot get more nodes' numnodes=4 timelimit=5
refused 'Job is no longer pending execution' numnodes=1-2
refused 'Job is no longer pending execution' numnodes=1 numtasks=1
refused 'Invalid node name specified' nodelist=n9
refused 'Invalid node name specified' nodelist=
refused 'node n1, where the batch script runs, must stay' nodelist=n2,n3
scontrol suspend "$j"
refused 'a suspended job cannot give nodes back, only one that runs' numnodes=1
scontrol resume "$j"
run scontrol update jobid="$j" nodelist=n1,n3 timelimit=7
tap_is "$rc|$out|$err" '0||' 'another gives nodes of it back, with other settings'
tap_is "$(ls slurm_job_"$j"_* 2>/dev/null)" '' 'no scripts then'
tap_is "$(fact "$j" 'NodeList|NumNodes|NumCPUs|TimeLimit|JOB_GRES')" 'TimeLimit=00:07:00 NodeList=n[1,3] NumNodes=2 NumCPUs=4 JOB_GRES=gpu:2' 'it keeps what was said'
before=$(scontrol -o -d show job "$j" | grep -oE 'JOB_GRES.*GRES=[^ ]*|TRES=[^ ]*')
ctld_kill9 && ctld_start && wait_nodes 30 n2 idle && wait_nodes 30 'n[1,3]' mixed
tap_ok $? 'the controller is killed and starts again'
tap_is "$(scontrol -o -d show job "$j" | grep -oE 'JOB_GRES.*GRES=[^ ]*|TRES=[^ ]*')" "$before" '... cores and GPUs are those of before'
n=$(sbatch --parsable -w n2 --exclusive --gres=gpu:2 -o /dev/null --wrap true)
wait_job 30 "$n" COMPLETED
tap_ok $? '... and others have n2 and its GPUs'
run timeout 60 srun --jobid="$j" --overlap -N2 -n2 -l bash -c 'echo $SLURMD_NODENAME'
tap_is "$(sort <<<"$out" | paste -sd' ')" '0: n1 1: n3' 'a step on the nodes that it has'
go end
wait_job 20 "$j" COMPLETED
tap_ok $? 'it ends well'

# ---- the agent of the node that goes is away ----
start -n3
srun --jobid="$j" --overlap -N1 -n1 -w n3 bash -c 'echo $$ >left; exec sleep 1000' 2>/dev/null &
srun=$!
wait_for 20 test -s left
agent_kill9 n3
away() { scontrol show node n3 | grep -q NOT_RESPONDING; }
wait_for 20 away
run scontrol update jobid="$j" numnodes=2
tap_is "$rc|$(fact "$j" NodeList)" '0|NodeList=n[1-2]' 'a node with a disconnected agent is given back'
ctld_kill9 && ctld_start && agent_start n3 && wait_nodes 30 n3 idle && wait_for 20 gone "$(cat left)"
tap_ok $? '... what is left of the job there ends when the agent is back, though the controller was killed' || cluster_logs
wait "$srun"
go end
wait_job 20 "$j" COMPLETED
tap_ok $? '... and the job goes on to its end'

# ---- a node is lost, and the job goes on without it ----
rm -f end
cat >without <<'END'
#!/bin/bash
#SBATCH -N3 -n6 --ntasks-per-node=2 --no-kill -o without.out
srun -n3 -N3 --overlap --no-kill bash -c 'touch keeps.$SLURMD_NODENAME; until [ -e keep.end ]; do sleep 0.05; done; touch kept.$SLURMD_NODENAME' 2>keeps.err & keeps=$!
srun -n3 -N3 --overlap --no-kill bash -c 'touch faulty.$SLURMD_NODENAME; until [ -e keep.end ]; do sleep 0.05; done; [ $SLURMD_NODENAME != n1 ] || kill -SEGV $$' 2>/dev/null & faulty=$!
srun -n3 -N3 --overlap bash -c 'touch runs.$SLURMD_NODENAME; exec sleep 1000' 2>lost.err
echo $? >lost
srun --overlap bash -c 'echo $SLURMD_NODENAME' | sort | uniq -c >rest
touch went
wait $keeps; kept=$?; wait $faulty; echo $kept >over
until [ -e end ]; do sleep 0.05; done
END
j=$(sbatch --parsable without)
wait_for 20 eval '[ "$(ls runs.n? keeps.n? faulty.n? 2>/dev/null | wc -l)" = 9 ]'
agent_kill9 n3
scontrol update nodename=n3 state=down reason=gone
wait_for 20 file went
tap_is "$?|$(grep -c 'srun: error: Node failure on n3' lost.err)|$(cat lost)" '0|1|137' '--no-kill: a step that was on a lost node ends, and is told why' || cat lost.err
tap_is "$(paste -sd, rest | tr -s ' ')" ' 2 n1, 2 n2' '... and the next one runs on the others' || cat without.out
go keep.end
wait_for 20 test -s over && file kept.n1 && file kept.n2
tap_is "$?|$(grep -c 'srun: error: Node failure on n3' keeps.err)|$(grep -c 'Force Terminated' keeps.err)|$(cat over)" '0|1|0|0' '... a step with --no-kill goes on there, and the lost node does not make it fail'
wait_for 20 eval '[ "$(fact "$j" NodeList)" = "NodeList=n[1-2]" ]'
tap_is "$(fact "$j" 'NodeList|NumNodes|NumCPUs')|$(scontrol -o show job "$j" | grep -oE 'AllocTRES=[^ ]*')" \
        'NodeList=n[1-2] NumNodes=2 NumCPUs=4|AllocTRES=cpu=4,node=2,billing=4' 'the job has those alone'
tap_is "$(sinfo -hN -n n3 -o %t)" 'down*' '... and n3 is no node of a job'
go end
agent_start n3 && scontrol update nodename=n3 state=resume
wait_job 20 "$j" COMPLETED && wait_nodes 30 'n[1-3]' idle
tap_ok $? 'all ends well'
three() { sacct -nDP -j "$j" -o nnodes,state,exitcode | grep ^3 | sort | paste -sd' '; }
wait_for 20 eval '[ "$(three)" = "3|CANCELLED|0:9 3|COMPLETED|0:0 3|FAILED|0:11 3|RESIZING|0:0" ]'
tap_ok $? 'sacct: the step that ended for its lost node, the one that went on, the one that failed on another node, and the job before' || sacct -DP -j "$j"
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
