#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The spool folder of a slumberd that runs is removed: it is made anew for the next step; where that is not safe, the node is drained
# and says why, and no job is held for it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a node' n1
mode=$(stat -c '%u %a' spool.n1)
job() { id=$(sbatch -Q --parsable -o /dev/null --wrap "$1"); }
job 'touch runs; exec sleep 600'
wait_for 20 test -e runs # RUNNING it is before its node has begun it
first=$id
# slumberd makes folders in it at any time, so that an rm may find it filled again
wait_for 20 rm -rf spool.n1 2>/dev/null
job true
wait_job 20 "$id" COMPLETED
tap_is "$?|$(stat -c '%u %a' spool.n1)|$(job_state "$first")" "0|$mode|RUNNING" 'the folder is made anew for the next job, a step that runs goes on'
tap_ok "$(! grep -q 'was removed and is made anew' log/n1; echo $((1 - $?)))" 'the log says so'
run srun true
tap_is "$rc|$err" '0|' 'a step is launched'
mv spool.n1 old.n1 && mkdir -m 711 spool.n1
job true
wait_job 20 "$id" COMPLETED
tap_is "$?|$(find spool.n1 -name lock)" '0|spool.n1/lock' 'another folder in its place is used'
wait_for 20 rm -rf spool.n1/steps 2>/dev/null
job true
wait_job 20 "$id" COMPLETED
tap_ok $? 'so is one without its steps'
scancel "$first"
wait_job 20 "$first" CANCELLED
tap_ok $? 'the step that ran is ended'

# ---- what must not be followed ----
wait_for 20 rm -rf spool.n1 2>/dev/null
mkdir -m 777 elsewhere && ln -s elsewhere spool.n1
job true
wait_nodes 20 n1 drained
tap_like "$?|$(sinfo -h -o %E)" "^0\\|the spool folder $DIR/spool.n1 was removed, and: cannot open the spool folder" 'a link is not followed: the node is drained, and why'
tap_is "$(find elsewhere -mindepth 1)|$(job_state "$id")|$(scontrol show job "$id" | grep -oE 'Priority=0|Restarts=[0-9]+')" \
        '|PENDING|Restarts=1' 'nothing is made there, and the job waits without being held'
rm spool.n1
scontrol update nodename=n1 state=resume
wait_job 20 "$id" COMPLETED
tap_ok $? 'it runs when the link is gone'
if [ "$(id -u)" = 0 ]; then
        wait_for 20 rm -rf spool.n1 2>/dev/null
        mkdir spool.n1 && chown 65534 spool.n1
        job true
        wait_nodes 20 n1 drained
        tap_like "$?|$(sinfo -h -o %E)" "^0\\|.*spool.n1 belongs to user 65534" "nor is another user's folder taken"
        scancel "$id"
fi
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
