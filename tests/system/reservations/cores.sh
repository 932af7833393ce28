#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reservations of cores: shown, jobs inside and outside have the right ones; over a reconfigure, a kill -9 and a smaller slurm.conf.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]'
cluster_up 'a cluster' n1 n2
me=$(id -un)
cores_of() { scontrol show res "$1" | grep -o 'CoreCnt=[0-9]*\|NodeName=.*\|TRES=.*' | tr '\n' ' '; }
until_go() { sbatch --parsable "$@" --wrap 'until [ -e go ]; do sleep 0.02; done'; }
ids_of() { scontrol -d show job "$1" | grep -o 'Nodes=[^ ]* CPU_IDs=[^ ]*' | tr '\n' ' '; }

reserve starttime=now duration=60 "users=$me" 'nodes=n[1-2]' corecnt=2
tap_is "$rc|$err" '1|Error creating the reservation: Core count for reservation node list is not consistent!: 1 number for 2 nodes' \
        'one number for two nodes'
reserve starttime=now duration=60 "users=$me" nodes=n1 corecnt=5
tap_like "$rc|$err" '^1.Error creating the reservation: Requested nodes are busy: node n1 does not have 5 cores free at that time' 'more than a node has'
reserve starttime=now duration=60 "users=$me" nodes=n1 corecnt=x
tap_like "$rc|$err" '^1.Error creating the reservation: CoreCnt=x: a number of cores, or one for each node' 'no number'

reserve reservationname=r starttime=now duration=60 "users=$me" 'nodes=n[1-2]' corecnt=1,3
tap_is "$rc|$out|$(cores_of r)" '0|Reservation created: r|CoreCnt=4 NodeName=n1 CoreIDs=0 NodeName=n2 CoreIDs=0-2 TRES=cpu=4 ' 'one core of n1, three of n2'
tap_like "$(scontrol -o show res r)" 'Flags=SPEC_NODES NodeName=n1 CoreIDs=0 NodeName=n2 CoreIDs=0-2 TRES=cpu=4 Users=' '-o: on the same line'
tap_is "$(sinfo -h -N -o '%N %T' | tr '\n' ' ')" 'n1 idle n2 idle ' 'its nodes are not reserved: others have the rest'
reserve reservationname=w starttime=now duration=60 "users=$me" nodes=n1
tap_is "$rc|$err" '1|Error creating the reservation: Requested reservation overlaps with another reservation' 'a whole node of them is not to be had'
reserve reservationname=f starttime=now duration=60 "users=$me" nodes=n1 corecnt=1 flags=first_cores
tap_like "$rc|$err" '^1.Error creating the reservation: Requested nodes are busy' 'FIRST_CORES: not those behind them'
run scontrol update reservationname=r corecnt=1,1
tap_is "$rc|$err" '1|Error updating the reservation: Core-based reservation can not be updated
slurm_update error: Core-based reservation can not be updated' 'its cores stay'

in=$(until_go --reservation=r -n4 -t 10)
three=$(until_go -N1 -n3 -t 10)
one=$(until_go -N1 -n1 -t 10)
more=$(until_go -N1 -n1 -t 10)
wait_job 20 "$in" RUNNING && wait_job 20 "$three" RUNNING && wait_job 20 "$one" RUNNING
tap_is "$?|$(ids_of "$in")" '0|Nodes=n1 CPU_IDs=0 Nodes=n2 CPU_IDs=0-2 ' 'a job inside has all of them'
tap_is "$(ids_of "$three")|$(ids_of "$one")" 'Nodes=n1 CPU_IDs=1-3 |Nodes=n2 CPU_IDs=3 ' 'those outside the others'
tap_is "$(job_show "$more" '%t %r')" 'PD Resources' 'more than that there are not'
run sbatch --reservation=r -n5 --wrap true
tap_is "$rc|$(tail -n1 <<<"$err")" '1|sbatch: error: Batch job submission failed: Requested node configuration is not available' 'nor in it'
run scontrol reconfigure
ctld_kill9
ctld_start
tap_is "$(cores_of r)|$(job_show "$in" '%t %v')" 'CoreCnt=4 NodeName=n1 CoreIDs=0 NodeName=n2 CoreIDs=0-2 TRES=cpu=4 |R r' 'a controller that was killed knows them'
touch go
wait_job 20 "$in" COMPLETED && wait_job 20 "$three" COMPLETED && wait_job 20 "$one" COMPLETED && wait_job 20 "$more" COMPLETED
tap_ok $? 'all end'
rm -f go
all=$(until_go -N1 -n4 -w n1 -t 10)
inner=$(until_go --reservation=r -n1 -t 10)
wait_job 20 "$inner" RUNNING
tap_is "$?|$(ids_of "$inner")|$(job_show "$all" %t)" '0|Nodes=n1 CPU_IDs=0 |PD' 'a job that needs a whole node waits, those inside do not'
run scontrol delete reservation=r
tap_is "$rc" 1 'it is in use'
touch go
wait_job 20 "$inner" COMPLETED
run scontrol delete reservation=r
wait_job 20 "$all" COMPLETED
tap_is "$rc|$?" '0|0' 'when it is gone all can be had'

reserve reservationname=two starttime=now+1hour duration=60 "users=$me" corecnt=6
tap_is "$(cores_of two)" 'CoreCnt=6 NodeName=n1 CoreIDs=0-3 NodeName=n2 CoreIDs=0-1 TRES=cpu=6 ' 'as few nodes as have them'
wait_nodes 20 'n[1-2]' idle
agent_stop n2
cluster_conf n1
run scontrol reconfigure
tap_is "$rc|$(cores_of two)" '0|CoreCnt=4 NodeName=n1 CoreIDs=0-3 TRES=cpu=4 ' 'of a node that is not in slurm.conf any more it has none'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
