#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A reservation for more users than the controller keeps the names of: they are looked up all the same.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n1'
cd "$DIR" || exit 1
cluster_up 'a node is idle' n1
many= # each is another name to look up: 0, 00, 000...
for uid in $(cut -d: -f3 /etc/passwd | sort -n | head -15); do
        for ((i = ${#uid}; i < ${#uid} + 20; i++)); do many+=$(printf '%0*d,' "$i" "$uid"); done
done

run timeout 50 scontrol create reservation ReservationName=r StartTime=now Duration=60 Nodes=n1 Users="${many}root"
tap_is "$rc|$out" '0|Reservation created: r' 'a reservation for 300 names'
job=$(sbatch --parsable --reservation=r -o /dev/null --wrap true) && wait_job 20 "$job" COMPLETED
tap_ok $? 'a job of one of them runs in it'
run timeout 50 scontrol create reservation ReservationName=s StartTime=now+1hour Duration=60 Nodes=n1 Users="${many}no-such-user"
tap_is "$rc|$(grep -ci 'user' <<<"$err$out")" '1|1' 'an unknown user is named, wherever in the list'
run timeout 50 scontrol update ReservationName=r Users-="${many%,}"
tap_is "$rc" 0 'they are taken off'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
