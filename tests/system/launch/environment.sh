#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Variables of jobs and steps that follow from the configuration; what waits for reservations is told; what they refer to stays.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory DefMemPerCPU=100
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
me=$(id -un)
told() { [ "$(job_show "$1" %r)" = "$2" ]; }

sbatch -Q -W -o batch --wrap 'echo $SLURM_MEM_PER_CPU ${SLURM_MEM_PER_NODE-none}; srun --mem=10 sh -c "echo step \$SLURM_MEM_PER_NODE"'
tap_is "$?|$(head -n1 batch)" '0|100 none' 'DefMemPerCPU is in SLURM_MEM_PER_CPU'
tap_like "$(cat batch)" '^step' '... and a step may ask for memory in the other way'
run salloc -Q -N2 -n4 srun -n2 -l sh -c 'echo $SLURM_TASKS_PER_NODE $SLURM_STEP_TASKS_PER_NODE'
tap_is "$rc|$(sort <<<"$out")" '0|0: 1(x2) 1(x2)
1: 1(x2) 1(x2)' 'SLURM_TASKS_PER_NODE is that of the step'
run srun --cpu-bind=verbose,none sh -c 'echo $SLURM_CPU_BIND $SLURM_CPU_BIND_VERBOSE $SLURM_CPU_BIND_TYPE ${SLURM_CPU_BIND_LIST-none}.'
tap_is "$rc|$out" '0|verbose,none verbose none .' 'the parts of SLURM_CPU_BIND'
run srun --accel-bind=g true
tap_is "$rc|$err" '255|srun: error: --accel-bind is refused: devices are bound by --gpu-bind' 'what is not done is refused by name, with the reason'
run srun --container-id=x true
tap_is "$rc|$err" '255|srun: error: --container-id is refused: it names a container to scrun, which there is not; --container is' '... each of them'

run scontrol create reservation reservationname=later starttime=now+10minutes duration=10 users=daemon nodes=ALL flags=maint
a=$(sbatch --parsable -t 60 -o /dev/null --wrap true)
wait_for 20 told "$a" 'ReqNodeNotAvail, Reserved for maintenance'
tap_is "$?|$(job_show "$a" %R)" '0|(ReqNodeNotAvail, Reserved for maintenance)' 'a job that would run into a reservation is told so'
tap_like "$(scontrol show job "$a")" 'JobState=PENDING Reason=ReqNodeNotAvail,_Reserved_for_maintenance ' '... also by scontrol show job'
run scontrol delete reservation=later
wait_job 20 "$a" COMPLETED
tap_is "$?" 0 'it starts when that is gone'
run scontrol create reservation reservationname=now starttime=now duration=10 users=daemon nodes=n1
a=$(sbatch --parsable -t 60 -o /dev/null -w n1 --wrap 'exec sleep 100')
wait_for 20 told "$a" 'ReqNodeNotAvail, May be reserved for other job'
tap_ok $? 'and one with a node that is reserved just now'
run scontrol delete reservation=now
wait_job 20 "$a" RUNNING
run scontrol requeuehold "$a"
wait_for 20 told "$a" 'job requeued in held state' && wait_for 20 eval '[ "$(job_show "$a" %t)" != CG ]'
tap_is "$?|$(job_show "$a" %t)" '0|PD' 'what was sent back with a hold says so'
run scontrol release "$a"
wait_job 20 "$a" RUNNING
tap_is "$?" 0 '... until it is released'
scancel "$a"
a=$(sbatch --parsable --hold -o /dev/null --wrap true)
scontrol hold "$a"
tap_is "$(job_show "$a" %r)" JobHeldAdmin 'an admin holds what its user held'
scontrol uhold "$a"
tap_is "$(job_show "$a" %r)" JobHeldUser 'scontrol uhold makes it the user'\''s again'

run scontrol create partitionname=other nodes=n2
run scontrol create reservation reservationname=x starttime=now+1hour duration=10 users="$me" nodecnt=1 partitionname=other
run scontrol delete partitionname=other
tap_is "$rc|$err" '1|scontrol: error: reservation x is of it
delete_partition partitionname=other: Partition is in use' 'a partition that a reservation names is not deleted'
run scontrol delete reservation=x
run scontrol delete partitionname=other
tap_is "$rc" 0 '... but then'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
