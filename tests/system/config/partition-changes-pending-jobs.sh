#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that wait follow what scontrol changes of their partition: the time of those that asked for none, and their priority; so they
# do when the controller comes back with another slurm.conf.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

limits() { squeue -h -o '%i=%l' | sort -V | paste -sd' '; }
priorities() { squeue -h -o '%i=%Q' | sort -V | paste -sd' '; }

at_exit cluster_end
cluster_conf n1 PriorityType=priority/multifactor PriorityWeightPartition=1000 'PartitionName=main Nodes=n1 Default=YES MaxTime=60 DefaultTime=30' \
        'PartitionName=more Nodes=n1 MaxTime=90 PriorityJobFactor=10'
cd "$DIR" || exit 1
cluster_up 'a node is idle' n1
sbatch -Q -o /dev/null -n4 -t 50 --wrap 'sleep 1000' && wait_job 10 1 RUNNING
for o in '' '-t 20' '-H' '-p more' '-a 1-2' '-t 14'; do
        # shellcheck disable=SC2086
        sbatch -Q -o /dev/null $o --wrap true
done
tap_is "$(limits)" '1=50:00 2=30:00 3=20:00 4=30:00 5=1:30:00 6_[1-2]=30:00 7=14:00' 'DefaultTime, else MaxTime'
run scontrol update partitionname=main DefaultTime=25
tap_is "$rc|$(limits)" '0|1=50:00 2=25:00 3=20:00 4=25:00 5=1:30:00 6_[1-2]=25:00 7=14:00' 'another DefaultTime'
run scontrol update jobid=4 partition=more
run scontrol update jobid=3 partition=more
tap_is "$rc|$(limits)" '0|1=50:00 2=25:00 3=20:00 4=1:30:00 5=1:30:00 6_[1-2]=25:00 7=14:00' 'another partition'
run scontrol update jobid=2 timelimit=35
run scontrol update partitionname=main DefaultTime=10
tap_is "$rc|$(limits)" '0|1=50:00 2=35:00 3=20:00 4=1:30:00 5=1:30:00 6_[1-2]=10:00 7=14:00' 'a limit that was set stays'
ctld_kill9
sed -i 's/DefaultTime=30/DefaultTime=15/' "$SLURM_CONF"
ctld_start
tap_is "$(limits)" '1=50:00 2=35:00 3=20:00 4=1:30:00 5=1:30:00 6_[1-2]=15:00 7=14:00' 'a restart with another slurm.conf'
run scontrol update partitionname=main MaxTime=12 DefaultTime=5
wait_for 10 eval 'squeue -h -o "%i %r" >got; grep -qx "7 PartitionTimeLimit" got && ! grep -q "^[26].* PartitionTimeLimit" got'
tap_is "$?|$(limits)" '0|1=50:00 2=35:00 3=20:00 4=1:30:00 5=1:30:00 6_[1-2]=5:00 7=14:00' 'a lower MaxTime keeps a job that asked for more waiting; none that asked for no time or was given its own by an operator'

tap_is "$(priorities | sed 's/^1=[0-9]* //')" '2=100 3=1000 4=0 5=1000 6_[1-2]=100 7=100' 'PriorityJobFactor as in slurm.conf'
run scontrol update partitionname=main PriorityJobFactor=20
wait_for 10 eval '[ "$(priorities | sed "s/^1=[0-9]* //")" = "2=1000 3=500 4=0 5=500 6_[1-2]=1000 7=1000" ]'
tap_is "$?|$rc" '0|0' 'another one is in force at once' || priorities | sed 's/^/# /'
run scontrol update partitionname=more Priority=40
wait_for 10 eval '[ "$(priorities | sed "s/^1=[0-9]* //")" = "2=500 3=1000 4=0 5=1000 6_[1-2]=500 7=500" ]'
tap_is "$?|$rc|$(scontrol show partition more | grep -o 'PriorityJobFactor=[0-9]* PriorityTier=[0-9]*')" '0|0|PriorityJobFactor=40 PriorityTier=40' 'Priority is both'
run scontrol update partitionname=main PriorityJobFactor=70000
tap_like "$rc|$err" '^1\|.*0 to 65533 was expected' 'too much'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
