#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that are wanted milliseconds apart share a run of ResumeProgram or SuspendProgram; the first one does not wait.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
# Each run is a line: its nodes.  It runs until it is let go; many that looked for that now and then
# would be a load of their own.
hold() { exec 9>gate && flock 9; }
let_go() { exec 9>&-; }
hold
cat >resume <<END
#!/bin/bash
echo "\$1" >>$DIR/\${0##*/}.calls
echo "\$SLUMBER_DEADLINE" >$DIR/deadline
flock -s $DIR/gate true
END
chmod 755 resume && cp resume suspend
cluster_conf n1 'NodeName=n[1-150] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=100 ResumeTimeout=2000 \
        ResumeRate=0 SuspendRate=0
ctld_start 9>&-
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
hosts() { # VERB: all nodes of its runs, one per line
        paste -sd, "$1.calls" | xargs scontrol show hostnames
}
have() { [ "$(hosts "$1" | wc -l)" -ge "$2" ]; }

began=$SECONDS
sbatch -N1 --exclusive -o /dev/null --wrap true >/dev/null 9>&-
wait_for 60 test -s resume.calls
tap_is "$?|$(cat resume.calls)" '0|n1' 'the first node has its program'
for _ in {2..150}; do sbatch -N1 --exclusive -o /dev/null --wrap true; done >/dev/null
wait_for 120 have resume 150
took=$((SECONDS - began)) runs=$(wc -l <resume.calls)
tap_is "$?|$(hosts resume | sort -u | wc -l)|$(hosts resume | wc -l)" '0|150|150' 'each node is in one run'
[ "$runs" -le $((took + 6)) ] # 100, 200, 400, 800 ms, then one a second
tap_ok $? "150 jobs in $took s: $runs runs"
tap_is "$(cat deadline)" 1800000 'a program knows how long it may take for a node'
let_go

hold && began=$SECONDS
for i in {1..20}; do scontrol update NodeName="n$i" State=POWER_DOWN_FORCE Reason=test; done
wait_for 120 have suspend 20
took=$((SECONDS - began)) runs=$(wc -l <suspend.calls)
tap_is "$?|$(hosts suspend | wc -l)" '0|20' 'and the same for SuspendProgram'
[ "$runs" -le $((took + 6)) ]
tap_ok $? "20 nodes in $took s: $runs runs"
let_go
rm suspend.calls
began=$EPOCHSECONDS
scontrol power down force n41 & scontrol power down force n42 & wait $!
wait_for 60 have suspend 2
took=$((EPOCHSECONDS - began)) runs=$(wc -l <suspend.calls)
[ "$runs" -le $((took > 1 ? took : 1)) ]
tap_ok $? "two nodes in the same second have one call ($runs in $took s)"

# ---- what gathers outlives kill -9 ----
hold
rm -f resume.calls
scancel -u root
scontrol power up n31
wait_for 20 test -s resume.calls
scontrol power up n32 && scontrol power up n33
ctld_kill9
ctld_start 9>&-
wait_for 120 eval 'hosts resume | grep -qx n33 && hosts resume | grep -qx n32'
tap_ok $? 'nodes that waited have their program from the next controller'
let_go
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
