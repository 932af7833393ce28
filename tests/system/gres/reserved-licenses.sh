#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Licenses that a reservation keeps, and licenses that are taken from others (reclaim_licenses), over a kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' 'Licenses=matlab:4,ansys
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
PreemptParameters=reclaim_licenses
PartitionName=urgent Nodes=n[1-2] PriorityTier=9 PreemptMode=OFF MaxTime=INFINITE'
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
me=$(id -un)
lic() { scontrol -o show lic "$1"; }
lic_is() { [ "$(lic "$1")" = "$2" ]; }

run scontrol create reservation reservationname=r starttime=now duration=60 "users=$me" flags=any_nodes licenses=matlab:3
tap_is "$rc|$out" '0|Reservation created: r' 'a reservation of licenses alone'
tap_like "$(scontrol -o show res r)" ' Nodes=.null. NodeCnt=0 .* Flags=ANY_NODES .* Licenses=matlab:3 State=ACTIVE' 'show reservation'
tap_is "$(lic matlab)" 'LicenseName=matlab Total=4 Used=0 Free=4 Reserved=3 Remote=no' 'show license'
run scontrol create reservation starttime=now duration=60 "users=$me" flags=any_nodes licenses=matlab:2
tap_like "$rc|$err" '^1.Error creating the reservation: .*5 of license matlab would be kept, there are 4' 'not more than there are'
in=$(sbatch --parsable --reservation=r -L matlab:2 -t 10 --wrap 'until [ -e go ]; do sleep 0.02; done')
out2=$(sbatch --parsable -L matlab:2 -t 10 --wrap true)
out1=$(sbatch --parsable -L matlab:1 -t 10 --wrap 'until [ -e go ]; do sleep 0.02; done')
wait_job 20 "$in" RUNNING && wait_job 20 "$out1" RUNNING
tap_is "$?|$(job_show "$out2" '%t %r')" '0|PD Licenses' 'its job has them, others have the rest'
tap_is "$(lic matlab)" 'LicenseName=matlab Total=4 Used=3 Free=1 Reserved=1 Remote=no' 'what is used of what is kept'
ctld_kill9
ctld_start
tap_is "$(lic matlab)" 'LicenseName=matlab Total=4 Used=3 Free=1 Reserved=1 Remote=no' 'a controller that was killed knows it'
touch go
wait_job 20 "$in" COMPLETED && wait_job 20 "$out1" COMPLETED
run scontrol delete reservation=r
wait_job 20 "$out2" COMPLETED
tap_is "$?|$rc" '0|0' 'when it is gone any job may have them'

rm -f go
low=$(sbatch --parsable -L ansys -t 10 --wrap 'until [ -e go ]; do sleep 0.02; done')
wait_job 20 "$low" RUNNING
high=$(sbatch --parsable -p urgent -L ansys -t 10 --wrap true)
wait_job 20 "$low" PREEMPTED && wait_job 20 "$high" COMPLETED
tap_ok $? 'reclaim_licenses: the holder is ended for the urgent job'
wait_for 10 lic_is ansys 'LicenseName=ansys Total=1 Used=0 Free=1 Reserved=0 Remote=no'
tap_ok $? 'all is free again'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
