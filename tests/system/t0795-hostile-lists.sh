#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The largest numbers and names that a user's message can carry: each is answered, and what no command needs is refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
cluster_conf n1 MaxMemPerCPU=100
cp "$SLUMBER_SOURCE/tests/system/hostile.py" .
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
pid=$(cat run/ctld.pid)
other=() # another user, if we can be one
[ "$(id -u)" != 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)

says() { # CASE WANTED NAME
        tap_is "$("${other[@]}" timeout 60 /usr/bin/python3 hostile.py unix "$DIR/sock" "$1" 2>&1 | tail -1)" "$2" "$1: $3"
}
says most-memory 'error 3' 'no node has the most memory for each CPU'
says most-memory-node 'error 3' 'nor for itself'
says long-user 'error 46' 'a name of megabytes is no user'
says long-resv-user 'error 31' 'it is too big for a reservation'
says long-resv-text 'error 13' 'and who may not make one is not asked who it is for'
says ping 'body 35' 'the controller answers'
tap_is "$(cat run/ctld.pid)|$(_pid ctld)" "$pid|$pid" 'the controller is that of the beginning'
cluster_sound
tap_ok $? 'and has not complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
