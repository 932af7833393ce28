#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# as-nobody.sh TEST: runs a system test as a plain user, when we are root
skip() { echo "1..0 # SKIP $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip 'not root: the test itself runs as a plain user'
become=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
"${become[@]}" test -x "$SLUMBER_BUILD/agent/slumberd" -a -r "$1" 2>/dev/null || skip "user 65534 cannot reach $SLUMBER_BUILD"
export HOME=/
cd / && exec "${become[@]}" bash "$1"
