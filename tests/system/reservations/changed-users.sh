#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The users of a reservation change: a pending job of an excluded user waits on.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]'
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2
me=$(id -un)
other=nobody
[ "$me" = "$other" ] && other=root

reserve ReservationName=r StartTime=now Duration=60 Users="$me,$other" Nodes=n1
first=$(sbatch --parsable --reservation=r --exclusive -t 5 --wrap 'sleep 1000')
second=$(sbatch --parsable --reservation=r --exclusive -t 5 --wrap 'sleep 1000')
wait_job 10 "$first" RUNNING && wait_for 10 eval '[ "$(job_show "$second" %r)" = Resources ]'
tap_ok $? 'one job runs in it, another one waits'
run scontrol update ReservationName=r Users="-$me"
tap_is "$rc|$(scontrol show reservation r | grep -o 'Users=[^ ]*')" "0|Users=$other" 'a user is taken off the list, the others keep it'
wait_for 10 eval '[ "$(job_show "$second" %r)" = Reservation ]'
tap_ok $? 'the job that waits is told so'
scancel "$first"
wait_job 20 "$first" CANCELLED && later=$(sbatch --parsable -w n2 --wrap true) && wait_job 20 "$later" COMPLETED
tap_is "$?|$(job_show "$second" '%t %r')" '0|PD Reservation' '... and does not start when there is room'
run scontrol update ReservationName=r Users+="$me"
wait_job 20 "$second" RUNNING
tap_ok $? 'let in again, it starts'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
