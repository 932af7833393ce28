#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A reservation with USER_DELETE: those that may use it delete it, and skip an occurrence; one that is excluded does not, and does not see it.
# Jobs that wait for it are held then.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'a plain user beside the administrator: root only'
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
cluster_conf 'n[1-2]' SelectTypeParameters=CR_CPU PrivateData=reservations
cluster_up 'two nodes' n1 n2
user() { stranger "$SLUMBER_BUILD/commands/scontrol" "$@"; }
starts() { scontrol -o show reservation "$1" | grep -o 'StartTime=[^ ]*'; }
make() { # NAME USERS
        run scontrol create reservation ReservationName="$1" StartTime=now+1hour Duration=10 Users="$2" Nodes=n1 Flags=DAILY,USER_DELETE
        [ "$rc" = 0 ]
}

make kept -nobody
tap_ok $? 'a reservation for all but one'
run user show reservation kept
tap_is "$rc $out" '1 Reservation kept not found' 'the one does not see it'
before=$(starts kept)
run user update reservationname=kept skip
tap_like "$rc $err" '^1 .*Access/permission denied' 'nor skips an occurrence'
run user delete reservationname=kept
tap_like "$rc $err" '^1 .*Access/permission denied' 'nor deletes it'
tap_is "$(starts kept)" "$before" 'it is as it was'
run scontrol delete reservationname=kept
tap_is "$rc" 0 'the administrator deletes it'

make theirs root,nobody
tap_ok $? 'a reservation for both'
before=$(starts theirs)
run user update reservationname=theirs duration=20
tap_like "$rc $err" '^1 .*Access/permission denied' 'its users change nothing else'
run user update reservationname=theirs skip
tap_is "$rc $err" '0 ' 'they skip an occurrence'
[ "$(starts theirs)" != "$before" ]
tap_ok $? 'which begins a day later'
id=$(sbatch --parsable --reservation theirs --wrap true)
wait_for 10 eval "[ \"\$(job_show $id %r)\" = Reservation ]"
tap_ok $? 'a job waits for it'
run user delete reservationname=theirs
tap_is "$rc $err" '0 ' 'one of its users deletes it'
tap_is "$(job_show "$id" '%T %r')" 'RESV_DEL_HOLD ReservationDeleted' 'the job is held'
ctld_kill9
ctld_start
tap_is "$(job_show "$id" '%T %r')" 'RESV_DEL_HOLD ReservationDeleted' 'also after a crash'
scontrol release "$id"
wait_job 20 "$id" COMPLETED
tap_ok $? 'and runs when it is released'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
