#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --distribution=arbitrary: each task runs on the node that a list names for it, from SLURM_HOSTFILE, -w or the job.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=4000' SelectTypeParameters=CR_CPU
cd "$DIR" || exit 1
cluster_up 'three nodes' n1 n2 n3

cat >told <<'END'
echo "$SLURM_PROCID $SLURMD_NODENAME $SLURM_NODEID $SLURM_LOCALID $SLURM_GTIDS"
[ "$SLURM_PROCID" != 0 ] || echo "of $SLURM_TASKS_PER_NODE $SLURM_STEP_TASKS_PER_NODE $SLURM_NTASKS $SLURM_NNODES $SLURM_STEP_NODELIST $SLURM_DISTRIBUTION"
END
# where OPTION...: what the tasks of srun are told, in order; or what srun says
where() { # its definition goes into scripts
        timeout 60 srun "$@" sh "$DIR/told" 2>&1 |
        sed 's/^srun: error: //; s/job [0-9]*:/job J:/; s/^of/-1 of/' | sort -n | sed 's/^-1 of/of/' | paste -sd,
}
printf '%s\n' '# the second is not needed' n3 'n1 # one' n3 n2,n1 >hosts
all='of 2,1,2 2,1,2 5 3 n[1-3] arbitrary,0 n3 2 0 0,2,1 n1 0 0 1,4,2 n3 2 1 0,2,3 n2 1 0 3,4 n1 0 1 1,4'
first='of 1,2 1,2 3 2 n[1,3] arbitrary,0 n3 1 0 0,2,1 n1 0 0 1,2 n3 1 1 0,2'

# ---- an allocation of its own ----
export SLURM_HOSTFILE=hosts
tap_is "$(where)" "$all" 'SLURM_HOSTFILE: a task for each name, in its order'
tap_is "$(where -n3 -m block)" "$first" '-n: so many of them, whatever else is asked'
tap_is "$(where -N2)" 'of 1(x2) 1(x2) 2 2 n[1,3] arbitrary,0 n3 1 0 0,1 n1 0 0 1' '-N: a task for each node that is asked for'
tap_is "$(where -w n2)" 'of 1 1 1 1 n2 ,0 n2 0 0 0' '-w goes before it'
tap_is "$(where -n6)" 'SLURM_HOSTFILE: Too few NodeNames in Slurm Hostfile (5 for 6 tasks)' 'a list that is too short'
printf '%s\n' n1 n2 'n[3-' >bad
SLURM_HOSTFILE=bad run srun true
tap_like "$rc $err" '^1 srun: error: SLURM_HOSTFILE: bad:3: ' 'what is wrong is named by file and line'
SLURM_HOSTFILE=none run srun true
tap_is "$rc $err" '1 srun: error: SLURM_HOSTFILE: none: No such file or directory' 'a file that is not there'
echo 'n1*70000' >bad
SLURM_HOSTFILE=bad run srun true
tap_like "$rc $err" '^1 .*bad:1: "n1\*70000": no number of tasks from 1 to 65536' 'no list is longer than 65536 tasks'
head -c 1100000 /dev/zero | tr '\0' '\n' >bad
SLURM_HOSTFILE=bad run srun true
tap_is "$rc $err" '1 srun: error: SLURM_HOSTFILE: bad: longer than 1 MiB' 'no file longer than 1 MiB'
unset SLURM_HOSTFILE
tap_is "$(where -m arbitrary -w "$DIR/hosts")" "$all" '-m arbitrary -w FILE'
tap_is "$(where -m arbitrary -w 'n3,n1,n3,n2,n1' -n5)" "$all" '-w with names that are repeated'
tap_is "$(where -m arbitrary -w 'n3,n1*2,n[2-3]')" \
        'of 2,1,2 2,1,2 5 3 n[1-3] arbitrary,0 n3 2 0 0,4,1 n1 0 0 1,2,2 n1 0 1 1,2,3 n2 1 0 3,4 n3 2 1 0,4' 'name*2 is the name twice'
tap_is "$(where -w "$DIR/hosts")" 'of 1(x3) 1(x3) 3 3 n[1-3] ,0 n1 0 0 0,1 n2 1 0 1,2 n3 2 0 2' 'without -m arbitrary -w is a set of nodes'
tap_is "$(where -m arbitrary -w n1,n2 -n3)" 'You asked for 3 tasks but hostlist specified 2 nodes' 'a number of tasks that does not fit'
tap_is "$(where -m arbitrary -w n1,n2,n3 -N2)" '--nodes=2 are fewer than the 3 of the list of --distribution=arbitrary' '... of nodes'
tap_is "$(where -m arbitrary -n2)" 'With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option' 'no list'
tap_is "$(where -m arbitrary:block -w n1)" 'Invalid --distribution specification' 'it has no second word'
tap_is "$(where -m arbitrary -w "n1*5" -c2)" 'Unable to allocate resources: Requested node configuration is not available' 'more CPUs than there are' || srun -m arbitrary -w "n1*5" -c2 true

# ---- in a job ----
in_job() { # JOB-OPTIONS COMMAND: in which "try" is where()
        { declare -f where; echo "DIR=$DIR"; echo "$2"; } >script
        # shellcheck disable=SC2086
        timeout 120 salloc -Q $1 bash script 2>&1
}
tap_is "$(in_job '-N3 -n6' 'SLURM_HOSTFILE=hosts where -n5')" "$all" 'a host file in a job'
tap_is "$(in_job '-N3 -n6' 'SLURM_HOSTFILE=hosts where -n3')" "$first" '... some of it: the other nodes are left out'
tap_is "$(in_job '-N3 -n6' 'SLURM_HOSTFILE=hosts where')" 'SLURM_HOSTFILE: Too few NodeNames in Slurm Hostfile (5 for 6 tasks)' \
        '... for the tasks of the job'
tap_is "$(in_job '-N3 -n6' "where -m arbitrary -w $DIR/hosts")" "$all" '-w FILE in a job: its tasks, not those of the job'
tap_is "$(in_job '-w n1,n2 -n4' 'where -m arbitrary -w n1,n3,n1')" \
        "--nodelist: n3 is none of the job's nodes,Unable to create step for job J: Requested node configuration is not available" 'a node that is not of the job'
tap_is "$(in_job '-N3 -n3' 'where -m arbitrary -w n2,n1,n2')" 'Unable to create step for job J: More processors requested than permitted' \
        'more tasks than CPUs of its nodes'
tap_like "$(in_job '-N2 -n8 --exclude=n3' 'where -m arbitrary --ntasks-per-core=1 -w "n1*6,n2"')" \
        '6 tasks are listed for n1, which has memory, generic resources, cores and sockets for 4' '--ntasks-per-core holds on each node'
tap_is "$(in_job '-N2 -n4 --exclude=n3' 'where -m arbitrary -w n2,n1,n2,n2')" \
        'of 1,3 1,3 4 2 n[1-2] arbitrary,0 n2 1 0 0,2,3,1 n1 0 0 1,2 n2 1 1 0,2,3,3 n2 1 2 0,2,3' \
        'on one of them they may be more, as in Slurm'
got=$(in_job '-N2 -n4' 'srun -Q -n1 -N1 -w n1 --exact sh -c "touch on; until [ -e off ]; do sleep 0.05; done" &
until [ -e on ]; do sleep 0.05; done
where -I --exact -m arbitrary -w n1,n1,n1
where --exact -m arbitrary -w n2 | cut -d, -f1
where -Q --exact -m arbitrary -w n1,n2,n1,n1 | cut -d, -f1 &
touch off
wait')
tap_is "$(paste -sd'|' <<<"$got")" \
        'Unable to create step for job J: Requested nodes are busy|of 1 1 1 1 n2 arbitrary|of 3' \
        'it waits for CPUs that another step has'

# ---- sbatch and salloc hand their list to the steps ----
cat >script <<'END'
#!/bin/bash
echo "$SLURM_DISTRIBUTION $SLURM_ARBITRARY_NODELIST $SLURM_NTASKS $SLURM_NNODES $SLURM_TASKS_PER_NODE"
sed -n '/^where/,/^}/p' functions >f; . ./f
DIR=$PWD
where
where -n3
where -m block -n3 -N3 | cut -c 1-18
END
declare -f where >functions
for how in "-w $DIR/hosts -m arbitrary" '-m arbitrary -w n3,n1,n3,n2,n1' '-m arbitrary -w n3,n1,n3,n2,n1 -n5'; do
        # shellcheck disable=SC2086
        sbatch -Q -W $how -o out script
        paste -sd'|' out
done >outs
tap_is "$(sort -u outs)" "arbitrary n[3,1],n[3,2,1] 5 3 2,1,2|$all|$first|of 1(x3) 1(x3) 3 3" 'sbatch: the steps have its list'
SLURM_HOSTFILE=hosts sbatch -Q -W -o out script
tap_is "$(head -2 out | paste -sd'|')" "arbitrary n[3,1],n[3,2,1] 5 3 2,1,2|$all" 'SLURM_HOSTFILE is for sbatch, too'
id=$(sbatch --parsable -H -m arbitrary -w n3,n1,n3,n2,n1 --wrap true)
tap_is "$(scontrol show job "$id" | sed -n 's/^ *ReqNodeList=//p') $(squeue -h -j "$id" -o %n)" 'n[1-3] ExcNodeList=(null) n[1-3]' \
        'what the job asks for is shown with each node once, as in Slurm'
scancel "$id"
tap_is "$(sbatch -m arbitrary -w n1,n2,n1 -n2 --wrap true 2>&1)" 'sbatch: error: You asked for 2 tasks but hostlist specified 3 nodes' \
        'tasks of a job that do not fit'

# ---- a controller that is killed ----
cat >wait <<'END'
touch "on.$SLURM_PROCID"
until [ -e through ]; do sleep 0.05; done
exit "$((10 + SLURM_PROCID))"
END
srun -l -m arbitrary -w n2,n1,n2 sh wait 2>err &
pid=$!
wait_for 30 eval '[ -e on.0 ] && [ -e on.1 ] && [ -e on.2 ]'
ctld_kill9
ctld_start
wait_nodes 30 'n[1-2]' 'allocated|mixed'
touch through
wait $pid
tap_is "$? $(grep -c 'n1: task 1: Exited with exit code 11' err) $(grep -cE 'n2: tasks? [02]' err)" "12 1 2" 'a controller that was killed knows which task is where' ||
        sed 's/^/# /' err
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
