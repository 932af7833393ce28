#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol update: all of it comes into force or nothing; what keys mean together is asked of the job as it would be.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' Licenses=matlab:4 AccountingStorageEnforce=associations,limits,qos
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
cd "$DIR" || exit 1
me=$(id -un)
for a in team other; do
        sacctmgr -iQ add account $a >/dev/null
        sacctmgr -iQ add user "$me" account=$a >/dev/null
done
sacctmgr -iQ add qos kept flags=RequiresReservation >/dev/null
sacctmgr -iQ modify account team set qos=normal,kept >/dev/null
run scontrol create reservation ReservationName=r StartTime=now Duration=60 Accounts=team Nodes=n1
tap_is "$rc|$err" '0|' 'a reservation for an account'
field() { scontrol -o show job "$j" | sed -n "s/.* $1=\([^ ]*\).*/\1/p"; }

j=$(sbatch -Q --parsable -H -A team -q normal -L matlab:1 -t 20 --wrap true)
update_refused "$j" 'Node count specification invalid' Licenses=matlab:2 NumNodes=9
update_refused "$j" 'Invalid time-min' TimeLimit=5 TimeMin=10
update_refused "$j" 'Access denied to requested reservation' Account=other ReservationName=r
update_refused "$j" 'QOS kept is for jobs with --reservation' QOS=kept
long=$(printf '%60000s' | tr ' ' x)
run scontrol update jobid="$j" Comment="$long" Extra="$long" WCKey="$long"
tap_like "$rc|$err" "^1\|.*texts would be longer than 128 KiB" 'as long as a submission may be, and not longer'
run scontrol update jobid="$j" Comment="$long" Extra="$long"
tap_is "$rc|$err" '0|' '... that much it may'
run scontrol update jobid="$j" WCKey="$long"
tap_is "$rc|$(scontrol -o show job "$j" | grep -c "WCKey=x")" '1|0' '... but not by and by'
run scontrol update jobid="$j" Comment= Extra=
tap_is "$rc|$err" '0|' 'made shorter again'
run scontrol update jobid="$j" Account=other
run scontrol update jobid="$j" ReservationName=r Account=team
tap_is "$rc|$err|$(field Account)|$(field Reservation)" '0||team|r' 'the account that the reservation is for, in one update with it'
run scontrol update jobid="$j" QOS=Kept
tap_is "$rc|$err|$(field QOS)" '0||kept' 'and a QOS that wants one, by its own name'
update_refused "$j" 'QOS kept is for jobs with --reservation' ReservationName=
run scontrol update jobid="$j" ReservationName= QOS=normal Licenses=matlab:3 TimeLimit=30 TimeMin=25
tap_is "$rc|$err|$(field Reservation)|$(field QOS)|$(field Licenses)|$(field TimeMin)" '0|||normal|matlab:3|00:25:00' 'all at once'

# ---- licenses are those of the reservation that it would be in ----
run scontrol create reservation ReservationName=l StartTime=now Duration=60 Accounts=team Licenses=matlab:2 Flags=ANY_NODES
tap_is "$rc|$err" '0|' 'a reservation of two licenses'
update_refused "$j" '3 of license matlab requested, 2 exist in reservation l' ReservationName=l
update_refused "$j" '4 of license matlab requested, 2 exist in reservation l' Licenses=matlab:4 ReservationName=l
run scontrol update jobid="$j" Licenses=matlab:2 ReservationName=l
tap_is "$rc|$err|$(field Reservation)|$(field Licenses)" '0||l|matlab:2' 'fewer, in one update with it'
run scontrol update jobid="$j" ReservationName= Licenses=matlab:4
tap_is "$rc|$err|$(field Reservation)|$(field Licenses)" '0|||matlab:4' 'more, in one update that takes it out'

# ---- what is said twice ----
run scontrol update jobid="$j" TimeLimit=40 TimeLimit+=10 Comment=a Comment=b
tap_is "$rc|$err|$(field TimeLimit)|$(scontrol -o show job "$j" | grep -o 'Comment=[^ ]*')" '0||00:40:00|Comment=b' 'what is said last counts, once'
run scontrol update jobid="$j" NumNodes=1 ReqNodes=2-2 NumTasks=2 NumCPUs=2-2
tap_is "$rc|$err|$(field NumNodes)" '0||2-2' '... by its other name, too; a range of one'
update_refused "$j" 'Invalid TimeLimit value' TimeLimit=x TimeLimit=50
update_refused "$j" 'NumCPUs=2-4: a range is not implemented yet' NumCPUs=2-4
update_refused "$j" 'Invalid NumCPUs value: 2-' NumCPUs=2-
update_refused "$j" 'Priority=99999999999: a number from 0 .held. to 4294967293 was expected' Priority=99999999999
update_refused "$j" 'Priority=4294967294: a number from 0 .held. to 4294967293 was expected' Priority=4294967294
k=$(sbatch -Q --parsable --begin=now+1000 --wrap true)
run scontrol update jobid="$k" Priority=0 Priority=7
tap_is "$rc|$err|$(job_show "$k" '%Q %r')" '0||7 BeginTime' 'held and not held is not held'
scancel "$k"
run scontrol delete reservation=l
run scontrol update jobid="$j" NumNodes=1 NumTasks=1
run scontrol release "$j"
wait_job 20 "$j" COMPLETED
tap_ok $? 'it runs' || cluster_logs
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
