#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reservations that attract jobs, jobs that name several, nodes that are replaced; over a reconfigure and a kill -9.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]'
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && agent_start n4 && wait_nodes 20 'n[1-4]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
me=$(id -un)
make() { run scontrol create reservation "$@"; }
nodes_of() { scontrol -o show res "$1" | grep -o ' Nodes=[^ ]*' | cut -d= -f2; }
has_nodes() { [ "$(nodes_of "$1")" = "$2" ]; }
until_go() { sbatch --parsable --exclusive -N1 "$@" --wrap 'until [ -e go ]; do sleep 0.02; done'; }

make reservationname=mag starttime=now duration=60 "users=$me" nodes=n4 flags=magnetic
tap_is "$rc|$out" '0|Reservation created: mag' 'a MAGNETIC one'
a=$(until_go -t 10)
wait_job 20 "$a" RUNNING
tap_is "$?|$(job_show "$a" '%N %v')" '0|n4 mag' 'a job that asked for nothing is in it'
run scontrol requeue "$a"
wait_job 20 "$a" RUNNING
tap_is "$?|$(job_show "$a" '%N %v')" '0|n4 mag' '... and again when it was sent back'
b=$(until_go -t 2:00:00)
wait_job 20 "$b" RUNNING
tap_is "$?|$(job_show "$b" '%N %v')" '0|n1 (null)' 'one that may run longer than the reservation is not'

make reservationname=r1 starttime=now+1hour duration=60 "users=$me" nodes=n2
make reservationname=r2 starttime=now duration=60 "users=$me" nodes=n3
c=$(until_go -t 10 --reservation=r1,r2)
wait_job 20 "$c" RUNNING
tap_is "$?|$(job_show "$c" '%N %v')" '0|n3 r2' 'of two that a job names it has the one where it can start'
d=$(sbatch --parsable -N1 -t 10 --exclusive --reservation=r1,r2 --wrap true)
tap_is "$(job_show "$d" '%t %v')" 'PD r1,r2' 'while it waits both are shown'
run sbatch --reservation=r1,nosuch --wrap true
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Requested reservation is invalid' 'one of them is not there'

run scontrol reconfigure
tap_is "$rc|$(nodes_of r1)|$(nodes_of mag)|$(job_show "$a" %v)" '0|n2|n4|mag' 'reconfigure leaves reservations as they are'
ctld_kill9
ctld_start
tap_is "$(nodes_of r2)|$(job_show "$a" %v)|$(job_show "$c" %v)|$(job_show "$d" %v)" 'n3|mag|r2|r1,r2' 'so does a controller that was killed'
wait_nodes 20 'n[1,3-4]' 'mixed|allocated'
run scontrol requeue "$c"
wait_job 20 "$c" RUNNING
tap_is "$?|$(job_show "$c" %v)" '0|r2' 'it still knows what was asked'
touch go
wait_job 20 "$a" COMPLETED && wait_job 20 "$b" COMPLETED && wait_job 20 "$c" COMPLETED && wait_job 20 "$d" COMPLETED
tap_ok $? 'all end'
for r in mag r1 r2; do run scontrol delete reservation=$r; done
tap_is "$rc|$(scontrol show res)" '0|No reservations in the system' 'all can be deleted'

wait_nodes 20 'n[1-4]' idle
rm -f go
make reservationname=spare starttime=now duration=60 "users=$me" nodecnt=2 flags=replace
tap_is "$rc|$(nodes_of spare)" '0|n[1-2]' 'two nodes are kept'
run scontrol update reservationname=spare partitionname=main
tap_is "$rc|$out|$err" '0|Reservation updated.|' 'a partition beside its name does not make it an update of the partition'
e=$(until_go -t 10 --reservation=spare)
wait_job 20 "$e" RUNNING && wait_for 10 has_nodes spare 'n[2-3]'
tap_ok $? 'REPLACE: a job takes one, another comes instead'
run scontrol update nodename=n2 state=drain reason=test
wait_for 10 has_nodes spare 'n[3-4]'
tap_ok $? '... as for one that is drained'
touch go
wait_job 20 "$e" COMPLETED
tap_is "$?" 0 'the job on the node that was replaced ends as ever'
run scontrol create reservation reservationname=daily starttime=now+1hour duration=60 "users=$me" nodes=n1 flags=daily
before=$(scontrol -o show res daily | grep -o ' StartTime=[^ ]*')
run scontrol update reservationname=daily skip
[ "$(scontrol -o show res daily | grep -o ' StartTime=[^ ]*')" != "$before" ]
tap_is "$?|$rc|$out" '0|0|Reservation updated.' 'skip: the next turn'
for key in AllowedPartitions=main TRESPerNode=gres/gpu:1; do
        run scontrol create reservation starttime=now duration=60 "users=$me" nodes=n1 flags=overlap "$key"
        tap_is "$rc|$err" "1|Error creating the reservation: ${key%%=*} of a reservation is not implemented yet" "$key is refused by name"
done
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
