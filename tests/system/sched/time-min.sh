#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --time-min: a limit is lowered to what is free, and what was asked for is there again for another run. Limits are whole minutes;
# EndTime is to the second.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'n[1-2]'
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for n in n1 n2; do agent_start $n; done
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes'

add() { sbatch --parsable --exclusive --requeue -o /dev/null "$@" --wrap 'exec sleep 1000'; }
a=$(add -N1 -t 30) && wait_job 20 "$a" RUNNING
b=$(add -N2 -t 10)
wait_for 20 eval '[ "$(squeue -h --start -j "$b" -o %S)" != N/A ]'
tap_ok $? 'a job that waits for both'
c=$(add -N1 -t 2:00:00 --time-min 10)
wait_job 20 "$c" RUNNING
tap_like "$?|$(job_show "$c" %l)|$(scontrol show job "$c" | grep -o TimeMin=.*)" '^0\|(29|30):00\|TimeMin=00:10:00$' 'a shorter limit is enough to start now'
d=$(add -N1 -t 2:00:00 --time-min 1:00:00)
wait_for 20 eval '[ "$(job_show "$d" %T:%r)" = PENDING:Priority ]'
tap_is "$?|$(job_show "$d" %l)" '0|2:00:00' 'not less than it must have'
ctld_kill9
ctld_start
tap_like "$(job_show "$c" %l)" '^(29|30):00$' 'it keeps the limit over a crash'
scontrol requeuehold "$c"
wait_job 20 "$c" PENDING
tap_is "$?|$(job_show "$c" %l)" '0|2:00:00' 'and gets what it asked for with another run'
run scontrol update jobid="$c" timemin=3:00:00
tap_is "$rc|$err" "1|Invalid time-min specification (exceeds job's time or other limits) for job $c" 'more than its limit is refused'
scontrol update jobid="$c" timemin=20
tap_is "$?|$(scontrol show job "$c" | grep -o TimeMin=.*)" '0|TimeMin=00:20:00' 'it may be changed'
run sbatch -t 5 --time-min 6 --wrap true
tap_is "$rc|$err" "1|sbatch: error: Batch job submission failed: Invalid time-min specification (exceeds job's time or other limits)" 'by sbatch too'
scancel "$a" "$b" "$c" "$d"
wait_nodes 20 'n[1-2]' idle

# ---- whole minutes, rounded up ----
for row in '7 7:00' '0:30 1:00' '5:30 6:00' '1-0:0:1 1-00:01:00' '0 UNLIMITED'; do
        id=$(sbatch --parsable -H -t "${row% *}" --wrap true)
        tap_is "$(job_show "$id" %l)" "${row#* }" "-t ${row% *}: ${row#* }"
        scancel "$id"
done
id=$(SBATCH_TIMELIMIT=0:30 sbatch --parsable -H --wrap true)
tap_is "$(job_show "$id" %l)" 1:00 'SBATCH_TIMELIMIT too'
scancel "$id"
printf '#!/bin/sh\n#SBATCH -t 5:30 --time-min 1:30 -H\ntrue\n' >script
id=$(sbatch --parsable script)
limits() { scontrol show job "$id" | grep -o 'TimeLimit=.*'; }
tap_is "$(limits)" 'TimeLimit=00:06:00 TimeMin=00:02:00' 'and #SBATCH and --time-min'
limit() { # WORD SHOWN
        scontrol update jobid="$id" "$1"
        tap_is "$?|$(limits)" "0|$2" "update $1"
}
limit timelimit=6:30 'TimeLimit=00:07:00 TimeMin=00:02:00'
limit timelimit+=0:30 'TimeLimit=00:08:00 TimeMin=00:02:00'
limit timelimit-=1:30 'TimeLimit=00:06:00 TimeMin=00:02:00'
limit timemin=2:30 'TimeLimit=00:06:00 TimeMin=00:03:00'
scontrol update partitionname=main maxtime=9:30 defaulttime=1:01
tap_is "$(scontrol -o show partition main | grep -oE '(Max|Default)Time=[^ ]*' | paste -sd' ')" 'DefaultTime=00:02:00 MaxTime=00:10:00' \
        'limits of a partition'
scontrol update partitionname=main maxtime=UNLIMITED defaulttime=UNLIMITED
scontrol create reservation reservationname=r starttime=now+1hour duration=1:30 users="$(id -un)" nodes=n1 >made
tap_is "$(scontrol show reservation r | grep -o 'Duration=.*')" Duration=00:02:00 'how long a reservation lasts'
scontrol delete reservation r

# ---- the end of a job that runs ----
run scontrol update jobid="$id" endtime=now+100
tap_is "$rc|$err" "1|Job is not running for job $id" 'a pending job has no end'
scancel "$id"
ends() { scontrol show job "$e" | grep -oE '(TimeLimit|EndTime)=[^ ]*' | paste -sd' '; }
for limit in 10 UNLIMITED; do
        e=$(add -N1 -t $limit) && wait_job 20 "$e" RUNNING
        run scontrol update jobid="$e" endtime=now-5
        tap_like "$rc|$err" "^1\|Invalid time specified for job $e" 'none in the past'
        run scontrol update jobid="$e" endtime=9000-01-01
        tap_like "$rc|$err" "^1\|Invalid time specified for job $e" 'nor in another age'
        end=$(date -d '+1000 sec' +%FT%T)
        scontrol update jobid="$e" endtime="$end"
        tap_like "$?|$(ends)" "^0\|TimeLimit=00:1[67]:[0-9]+ EndTime=$end$" "limit $limit: it becomes what that end needs"
        scontrol update jobid="$e" endtime=now+1second
        wait_job 20 "$e" TIMEOUT
        tap_ok $? 'which may be soon'
done
run scontrol update jobid="$e" endtime=now+100
tap_like "$rc|$err" '^1\|.*already' 'then it is over'
e=$(add -N1 -t 10) && wait_job 20 "$e" RUNNING
scontrol suspend "$e" && wait_job 20 "$e" SUSPENDED
end=$(date -d "$(ends | sed 's/.*EndTime=//')" +%s)
scontrol update jobid="$e" timelimit=+15
tap_is "$?|$(ends)" "0|TimeLimit=00:25:00 EndTime=$(date -d "@$((end + 900))" +%FT%T)" 'a new limit moves the end of one that stands still'
scancel "$e"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        e=$(stranger "$SLUMBER_BUILD/commands/sbatch" --parsable -D / -o /dev/null -t 10 --wrap 'exec sleep 1000') && wait_job 20 "$e" RUNNING
        run stranger "$SLUMBER_BUILD/commands/scontrol" update jobid="$e" endtime=now+1hour
        tap_like "$rc|$err" '^1\|Access/permission denied' 'a user may not put off the end'
        run stranger "$SLUMBER_BUILD/commands/scontrol" update jobid="$e" endtime=now+1second
        wait_job 20 "$e" TIMEOUT
        tap_is "$?|$rc" '0|0' 'but have it sooner'
fi
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
