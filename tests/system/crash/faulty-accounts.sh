#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A disk that does not take the accounts: sacctmgr is refused with the disk's words, and what was asked before is done later.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
if ldd "$CTLD" | grep -q 'lib[at]san'; then
        tap_skip_all 'a preloaded library and a sanitizer do not go together'
fi
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
export FAULTY_DISK=$DIR/fault
LD_PRELOAD=$SLUMBER_BUILD/tests/system/libfaulty_disk.so ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
echo '5 accounting.db' >fault
sacctmgr -i add qos one >/dev/null 2>&1 &
first=$!
wait_for 20 grep -q 'The accounts cannot be written' log/ctld
tap_ok $? 'the log says it'
run timeout 10 sacctmgr -i add qos two
tap_like "$rc|$err" '^1\|.*The controller cannot write its state: Input/output error' 'sacctmgr is refused at once, and why'
rm fault
wait_for 30 grep -q 'The accounts are written again' log/ctld && wait $first
tap_is "$?|$(sacctmgr -nP show qos one,two format=name)" '0|one' 'what was asked before is done'
cluster_end
tap_done
