#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --clusters: the own cluster is taken by all commands, any other is refused in Slurm's words.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' ClusterName=mine PriorityType=priority/multifactor
cluster_up 'a cluster' n1

tap_is "$(sbatch -M mine -H --wrap true)|$(sbatch -M all --parsable -H --wrap true)|$(SBATCH_CLUSTERS=mine sbatch --parsable -H --wrap true)" \
        'Submitted batch job 1 on cluster mine|2;mine|3;mine' 'sbatch tells it with the number'
tap_is "$(SLURM_CLUSTERS=mine sbatch --parsable -H --wrap true)|$(sbatch --parsable -H --wrap true)" '4;mine|5' 'only when it was named'
tap_is "$(squeue -M mine -o %i -j 1)|$(squeue -hM MINE -o %i -j 1)|$(SLURM_CLUSTERS=mine squeue -o %i -j 1)|$(squeue -M '' -o %i -j 1)" \
        'CLUSTER: mine
JOBID
1|1|CLUSTER: mine
JOBID
1|JOBID
1' 'squeue has it above its heading'
tap_is "$(squeue --json -M mine | head -c1)" '{' 'but not above JSON'
tap_is "$(sinfo -M mine,mine -o %N)|$(sinfo -h --cluster=all -o %N)" 'CLUSTER: mine
NODELIST
n1|n1' 'sinfo too'
tap_is "$(sacct -nPX -M mine -j 1 -o JobID,Cluster)|$(sacct -nPX -M other -j 1)|$(sacct -nPX -M all,x -j 1 -o JobID)|$(sacct -nPXL -j 1 -o JobID)" '1|mine|||1' \
        'sacct chooses by it, and knows it before any job has ended'
tap_is "$(scontrol -M mine show job 1 | head -1)|$(srun -M mine -J x true; echo $?)|$(salloc -Q -M mine true; echo $?)" 'JobId=1 JobName=wrap|0|0' 'scontrol, srun, salloc'
sprio -M mine -h >/dev/null && sshare -M mine >/dev/null && scancel -M mine 1
tap_is "$?|$(job_state 1)" '0|CANCELLED' 'sprio, sshare, scancel'

refused() { # COMMAND...
        run "$@"
        tap_is "$rc|$out|$err" "1||$1: error: No cluster 'other' known by database.
$1: error: '${list:-other}' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list clusters' to see available clusters." "$*"
}
refused squeue -M other
run sinfo -h -M mine,other -o %N
tap_is "$rc|$out|$err" "0|n1|sinfo: error: No cluster 'other' known by database." 'sinfo -M mine,other tells of the one and shows the other'
refused sbatch -M other --wrap true
refused srun -M other true
refused salloc -M other true
refused scancel -M other 2
refused scontrol -M other show job
refused sprio -M other
refused sshare -M other
SLURM_CLUSTERS=other refused squeue
tap_is "$(job_state 2) $(squeue -h -t all -o %i | wc -l)" 'PENDING 7' 'and nothing is done'
run scontrol -M mine,mine show job
tap_is "$rc|$err" '0|' 'scontrol has one, however often it is named'
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
