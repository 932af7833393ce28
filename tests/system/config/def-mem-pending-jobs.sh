#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that wait and have asked for no memory have what DefMemPer* says where they wait, also after a change; in several partitions,
# where they start.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

memory() { # what each is to have
        local j
        for j; do
                scontrol -o show job "$j" | sed -nE 's/^.* MinMemory(Node|CPU)=([^ ]*) .*/\1=\2/p'
        done | paste -sd' '
}
given() { squeue -h -j "$1" -o '%P' && scontrol -o show job "$1" | grep -oE 'AllocTRES=[^ ]*' | grep -oE 'mem=[^,]*'; }

at_exit cluster_end
cluster_conf n1 SelectTypeParameters=CR_CPU_Memory DefMemPerCPU=50 'PartitionName=main Nodes=n1 Default=YES' \
        'PartitionName=node Nodes=n1 DefMemPerNode=300' 'PartitionName=cpu Nodes=n1 DefMemPerCPU=120 MaxMemPerCPU=200' \
        'PartitionName=down Nodes=n1 State=DOWN DefMemPerNode=700' 'PartitionName=short Nodes=n1 MaxTime=5 DefaultTime=3'
cd "$DIR" || exit 1
cluster_up 'a node is idle' n1
sbatch -Q -o /dev/null -n4 --mem=0 -t 50 --wrap 'sleep 1000' && wait_job 10 1 RUNNING
for o in '' '-p node' '-p cpu' '--mem=70' '-a 1-2' '-p down,cpu' '-p down,short'; do
        # shellcheck disable=SC2086
        sbatch -Q -o /dev/null -n2 $o --wrap 'sleep 1000'
done
tap_is "$(memory 2 3 4 5 6 7)" 'CPU=50M Node=300M CPU=120M Node=70M CPU=50M Node=700M' 'each as its partition says, the first of several'
run scontrol update partitionname=node defmempernode=400
run scontrol update partitionname=cpu defmempercpu=150
tap_is "$rc|$(memory 2 3 4 5 6)" '0|CPU=50M Node=400M CPU=150M Node=70M CPU=50M' 'a partition says something else'
run scontrol update jobid=3 partition=cpu
run scontrol update jobid=5 partition=cpu
tap_is "$rc|$(memory 3 5)" '0|CPU=150M Node=70M' 'they are moved'
run scontrol update jobid=3 numcpus=1
run scontrol update partitionname=cpu defmempercpu=160
tap_is "$rc|$(memory 3 4)" '0|CPU=160M CPU=160M' 'a job that asks for something else has still not asked for memory'
run scontrol update jobid=4 minmemorycpu=170
run scontrol update partitionname=cpu defmempercpu=120
tap_is "$rc|$(memory 3 4)" '0|CPU=120M CPU=170M' 'one that asks for it has'
run scontrol update partitionname=cpu defmempercpu=300
tap_is "$rc|$(memory 3)" '0|CPU=150M' 'MaxMemPerCPU holds for it'
run scontrol update partitionname=cpu defmempercpu=120
sed -i 's/DefMemPerCPU=50/DefMemPerNode=80/' "$SLURM_CONF"
run scontrol reconfigure
tap_is "$rc|$(memory 2 4 6)" '0|Node=80M CPU=170M Node=80M' 'a new slurm.conf'
ctld_kill9
sed -i 's/DefMemPerNode=80/DefMemPerCPU=90/' "$SLURM_CONF"
ctld_start
tap_is "$(memory 2 4 6)" 'CPU=90M CPU=170M CPU=90M' 'a restart with another one'
scancel 1 2 3 4 5 6
wait_job 20 7 RUNNING && wait_job 20 8 RUNNING
tap_is "$?|$(given 7 | paste -sd' ')" '0|cpu mem=240M' 'of several, the one where it starts'
tap_is "$(given 8 | paste -sd' ')|$(squeue -h -j 8 -o %l)" 'short mem=180M|3:00' '... and its time too'
sed -i 's/DefMemPerCPU=90/DefMemPerCPU=60/' "$SLURM_CONF"
run scontrol reconfigure
tap_is "$rc|$(given 8 | paste -sd' ')" '0|short mem=180M' 'a running job keeps what it has'
scontrol requeuehold 7
wait_job 20 7 PENDING && tap_is "$(squeue -h -j 7 -o '%P %l')|$(memory 7)" 'down,cpu UNLIMITED|Node=700M' 'one that waits again has what the first says'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
