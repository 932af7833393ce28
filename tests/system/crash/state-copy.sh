#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol write state: a copy of state and accounts of a controller that runs, from which another start goes on.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
export FAULTY_DISK=$DIR/fault
ldd "$CTLD" | grep -q 'lib[at]san' || export LD_PRELOAD=$SLUMBER_BUILD/tests/system/libfaulty_disk.so
ctld_start
started=$?
unset LD_PRELOAD
[ $started = 0 ] && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
ended=$(sbatch --parsable -n1 -o /dev/null --wrap true)
held=$(sbatch --parsable -H -n1 --comment 'of before' -o out --wrap 'echo ran >ran')
running=$(sbatch --parsable -n1 -o /dev/null --wrap 'until [ -e go ]; do sleep 0.05; done')
run sacctmgr -i add qos urgent
wait_job 20 "$ended" COMPLETED && wait_job 20 "$running" RUNNING
tap_ok $? 'jobs that are over, wait and run'

run scontrol write state
tap_is "$rc|$err" '1|too few arguments for keyword:write state' 'a folder is expected'
run scontrol write state "$DIR/no/where"
tap_is "$rc|$err" "1|slurm_write_state error: cannot make the folder $DIR/no/where: No such file or directory" 'that can be made'
mkdir there
run scontrol write state there
tap_is "$rc|$err|$(ls there)" "1|slurm_write_state error: cannot make the folder $DIR/there: File exists|" 'and is not there yet'
# shellcheck disable=SC2034
for i in {1..30}; do sbatch -Q -H -n1 --wrap true; done &
run scontrol write state copy
tap_is "$rc|$out$err|$(stat -c %a copy)|$(ls copy | paste -sd' ')" '0||700|accounting.db slumber.db' 'a copy while jobs are submitted'
wait $!
for file in slumber accounting; do
        tap_is "$(/usr/bin/python3 -c 'import sqlite3, sys
print(sqlite3.connect("file:" + sys.argv[1] + "?mode=ro&immutable=1", uri=True).execute("pragma integrity_check").fetchone()[0])' copy/$file.db)" ok "$file.db is whole"
done
later=$(sbatch --parsable -H -n1 --wrap true)
if ! ldd "$CTLD" | grep -q 'lib[at]san'; then # a preloaded library and a sanitizer do not go together
        echo '28 half/accounting.db' >fault
        run scontrol write state half
        tap_is "$rc|$err|$(ls -d half 2>&1)" "1|slurm_write_state error: cannot write the copy $DIR/half/accounting.db: database or disk is full|ls: cannot access 'half': No such file or directory" \
                'of a copy that fails nothing is left'
        rm fault
        run scontrol write state half
        tap_is "$rc|$(ls half | paste -sd' ')" '0|accounting.db slumber.db' 'and the next one can have its name'
fi

# ---- back to the copy ----
ctld_kill9
mv state state.lost && mkdir -m 700 state && cp copy/*.db state.lost/generation state/ && ctld_start
tap_is "$?|$CTLD_RC" '1|1' 'the copy is older than the state was, which is told'
ctld_start --accept-state
tap_ok $? 'a start from the copy' || cluster_logs
tap_is "$(job_state "$held")|$(scontrol show job "$held" | grep -c 'Comment=of before')|$(job_state "$running")" 'PENDING|1|RUNNING' 'what was known is known'
tap_is "$(job_state "$later")" '' 'what came later is not'
[ "$(sbatch --parsable -H -n1 --wrap true)" -gt "$later" ]
tap_ok $? 'but its id is not given again'
tap_is "$(sacctmgr -nP show qos urgent format=name)|$(sacct -nX -j "$ended" -o state%-10 | tr -d ' ')" 'urgent|COMPLETED' 'accounts too'
touch go
scontrol release "$held" && wait_job 20 "$held" COMPLETED && wait_job 20 "$running" COMPLETED && [ -e ran ]
tap_ok $? 'and all goes on'
cluster_end
tap_done
