#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reservations as admins make and users use them, over a kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]'
cluster_up 'a cluster' n1 n2
me=$(id -un)

run scontrol show reservation
tap_is "$rc|$out" '0|No reservations in the system' 'there are none'
run scontrol show res nosuch
tap_is "$rc|$out" '1|Reservation nosuch not found' 'one that is not there'
reserve starttime=now duration=60 nodes=n1
tap_is "$rc|$err" '1|Error creating the reservation: Reservation request lacks users, groups or accounts' 'without users'
reserve starttime=now duration=60 users=nosuchuser nodes=n1
tap_is "$rc|$err" '1|Error creating the reservation: Invalid user id' 'for an unknown user'
reserve starttime=now duration=60 "users=$me" nodes=n9
tap_like "$rc|$err" '^1.Error creating the reservation: .*n9' 'of nodes that are not there'
reserve starttime=now duration=60 "users=$me" nodes=n1 flags=first_cores
tap_like "$rc|$err" '^1.Error creating the reservation: .*FIRST_CORES is for CoreCnt' 'a flag that does not go with that is refused by name'
reserve starttime=never duration=60 "users=$me" nodes=n1
tap_like "$rc|$err" '^1.Error creating the reservation: StartTime=never: a point in time .* was expected' 'bad input names its key'

reserve starttime=now duration=60 "users=$me" nodes=n1
tap_is "$rc|$out" "0|Reservation created: ${me}_1" 'scontrol create reservation'
r=${me}_1
reserve reservation="$r" starttime=now+2hours duration=60 "users=$me" nodes=n1
tap_is "$rc|$err" '1|Error creating the reservation: Duplicate reservation name' 'the same name'
reserve reservationname=x starttime=now+10minutes duration=1 "users=$me" nodes=ALL
tap_is "$rc|$err" '1|Error creating the reservation: Requested reservation overlaps with another reservation' 'an overlap'
if [ "$(id -u)" = 0 ]; then # rights
        run stranger "$SLUMBER_BUILD/commands/scontrol" create reservation starttime=now duration=1 users=nobody nodes=n2
        tap_is "$rc|$err" '1|Error creating the reservation: Access/permission denied' 'a user makes none'
        run stranger "$SLUMBER_BUILD/commands/scontrol" delete reservation="$r"
        tap_is "$rc|$err" "1|delete_reservation reservation=$r: Access/permission denied" '... and deletes none'
fi
t='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}'
run scontrol show reservation "$r"
tap_like "$(tr '\n' '@' <<<"$out")" "^ReservationName=$r StartTime=$t EndTime=$t Duration=01:00:00@   Nodes=n1 NodeCnt=1 CoreCnt=[0-9]+ \
Features=.null. PartitionName=.null. Flags=SPEC_NODES@   TRES=cpu=[0-9]+@   Users=$me Groups=.null. Accounts=.null. Licenses=.null. \
State=ACTIVE BurstBuffer=.null.@   MaxStartDelay=.null.@" 'scontrol show reservation'
tap_is "$(scontrol -o show res | wc -l)" 1 '-o: one line'
tap_like "$(sinfo -T | tr '\n' '@')" "^RESV_NAME .* NODELIST@$r +ACTIVE +$t +$t +01:00:00  n1@$" 'sinfo -T'
if [ -x /usr/bin/python3 ]; then # as programs of clouds read it
        run scontrol show reservation --json
        tap_is "$rc|$(/usr/bin/python3 -c 'import json, sys
for r in json.load(sys.stdin)["reservations"]:
    print(r["name"], r["node_list"], r["node_count"], r["flags"], r["users"], r["end_time"]["number"] - r["start_time"]["number"], r["start_time"]["set"])' <<<"$out")" \
                "0|$r n1 1 ['SPEC_NODES'] $me 3600 True" 'as JSON'
        run scontrol show reservation nosuch --json
        tap_is "$rc|$(/usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["reservations"])' <<<"$out")" '1|[]' 'one that is not there'
fi
tap_is "$(sinfo -h -N -o '%N %t %T')" 'n1 resv reserved
n2 idle idle' 'its node is resv'
tap_like "$(scontrol -o show node n1)" "State=IDLE\\+RESERVED .*ReservationName=$r" 'show node names the reservation'

run sbatch --reservation=nosuch --wrap true
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Requested reservation is invalid' 'sbatch --reservation of one that is not there'
in=$(sbatch --parsable --reservation="$r" -t 10 --wrap 'echo "$SLURM_JOB_RESERVATION" >seen; until [ -e go ]; do sleep 0.02; done')
out1=$(sbatch --parsable -t 10 --exclusive --wrap 'until [ -e go ]; do sleep 0.02; done')
out2=$(sbatch --parsable -t 10 --exclusive --wrap 'until [ -e go ]; do sleep 0.02; done')
wait_job 20 "$in" RUNNING && wait_job 20 "$out1" RUNNING && wait_for 10 test -s seen
tap_is "$?|$(cat seen)" "0|$r" 'a job in it runs and is told SLURM_JOB_RESERVATION'
tap_is "$(job_show "$in" '%N %v')|$(job_show "$out1" '%N %v')|$(job_show "$out2" %t)" "n1 $r|n2 (null)|PD" 'those outside have the other node'
tap_is "$(squeue -h -R "$r" -o %i)" "$in" 'squeue -R'
tap_like "$(scontrol show job "$in")" "Reservation=$r" 'show job'
run scontrol delete reservationname="$r"
tap_is "$rc|$err" "1|delete_reservation reservationname=$r: Requested reservation is in use" 'it cannot be deleted while it is used'
run scontrol update "jobid=$out2" reservationname="$r"
tap_is "$rc|$(job_show "$out2" %v)" "0|$r" 'a job that waits may be moved into it'
run scontrol update "jobid=$out2" reservationname=
tap_is "$rc|$(job_show "$out2" %v)" '0|(null)' '... and out again'

if [ "$(id -u)" = 0 ]; then
        run stranger "$SLUMBER_BUILD/commands/sbatch" --reservation="$r" --wrap true
        tap_is "$rc|$(tail -n1 <<<"$err")" '1|sbatch: error: Batch job submission failed: Access denied to requested reservation' 'nor uses it'
fi
ctld_kill9
ctld_start
tap_is "$(scontrol -o show res | cut -d' ' -f1)|$(job_show "$in" '%t %v')" "ReservationName=$r|R $r" 'a controller that was killed knows it'
wait_nodes 20 n1 'mixed|allocated'
tap_like "$(scontrol show node n1)" 'State=[A-Z]*\+.*RESERVED' 'and shows its nodes as RESERVED'
touch go
wait_job 20 "$in" COMPLETED && wait_job 20 "$out2" COMPLETED
tap_ok $? 'all end'
run scontrol update reservationname="$r" duration=120 flags+=maint
tap_is "$rc|$out|$(scontrol -o show res | grep -o ' Duration=[^ ]*\| Flags=[^ ]*' | paste -sd' ')" \
        '0|Reservation updated.| Duration=02:00:00  Flags=MAINT,SPEC_NODES' 'scontrol update'
wait_nodes 20 n1 maint
tap_ok $? 'a node under maintenance is maint'
run scontrol update reservationname=nosuch duration=1
tap_is "$rc|$err" '1|Error updating the reservation: Requested reservation is invalid
slurm_update error: Requested reservation is invalid' 'update of one that is not there'
run scontrol delete reservation="$r"
tap_is "$rc|$(scontrol show res)|$(sinfo -h -N -n n1 -o %t)" '0|No reservations in the system|idle' 'scontrol delete'
run scontrol delete reservation "$r"
tap_like "$rc|$err" '^1.delete_reservation .*: Requested reservation is invalid' 'it is gone'

# ---- the end ends its jobs, and holds those that wait ----
reserve reservationname=short starttime=now endtime=now+7seconds "users=$me" nodes=n1
a=$(sbatch --parsable --reservation=short -t 10 --exclusive --wrap 'until [ -e never ]; do sleep 0.02; done')
b=$(sbatch --parsable --reservation=short -t 10 --exclusive --wrap true)
none() { [ "$(scontrol show res)" = 'No reservations in the system' ]; }
wait_for 20 none && wait_job 20 "$a" TIMEOUT
tap_ok $? 'a job that runs at its end is ended'
tap_is "$(job_show "$b" '%t %r %v')" 'RD ReservationDeleted (null)' 'a pending job is held'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
