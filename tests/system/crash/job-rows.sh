#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each job that is over is in the accounts, once for each time that it ran, whatever is killed and whenever.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
sacct() { command sacct -X "$@"; } # steps: accounts/sacct-steps
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Feature=fast' Licenses=lic:4
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
sql() { # SQL: of the accounting file, values with | between them
        /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=20).execute(sys.argv[2]): print(*row, sep="|")' state/accounting.db "$1"
}
pending() { # rows that the state has for the accounts; of a controller that is not there, which has it for itself
        /usr/bin/python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1], timeout=20).execute("select count(*) from ended").fetchone())' state/slumber.db
}
rows_are() { [ "$(sql 'select count(*) from job')" = "$1" ]; }
# One more job: its row goes when those before it have left the state.  Its own may be left there.
marker() {
        local n
        n=$(sql 'select count(*) from job')
        sbatch -J marker --wrap true >/dev/null && wait_for 20 rows_are $((n + 1))
}
row() { sql "select $2 from job where job_id = $1 order by id"; }

# ---- one of each kind ----
sbatch -J good -N2 -n4 -C fast -L lic:2 --mem=100 -t 5 --comment 'of mine' --wrap 'sleep 0.3' >/dev/null
sbatch -J bad --wrap 'exit 3' >/dev/null
wait_for 20 rows_are 2
tap_is "$? $(row 1 'name, partition, state, nodes, num_nodes, num_cpus, memory, tres_alloc, tres_req, features, licenses, time_limit, num_tasks, comment, exit_code')" \
        '0 good|main|COMPLETED|n[1-2]|2|4|200|cpu=4,mem=200M,node=2,billing=4|cpu=4,mem=200M,node=2,billing=4|fast|lic:2|300.0|4|of mine|0' \
        'a job that has ended is a row'
tap_is "$(row 2 'name, state, reason, exit_code, restarts, uid, user, share')" "bad|FAILED|NonZeroExitCode|768|0|$(id -u)|$(id -un)|OK" 'and one that has failed'
tap_is "$(row 1 'time_end - time_start >= 0.3 and time_end - time_start < 20, time_start >= time_submit, time_eligible = time_submit, time_queued = time_submit,
        abs(strftime("%s", "now") - time_end) < 60, time_submit != round(time_submit), time_suspended')" '1|1|1|1|1|1|0.0' 'times have fractions'

sbatch -H -J never --wrap true >/dev/null && scancel 3
wait_for 20 rows_are 3
tap_is "$(row 3 'state, nodes, num_cpus, time_start, time_eligible, cancelled_by, tres_alloc')" "CANCELLED||0|0.0|0.0|$(id -u)|" 'one that never ran'
sbatch -J timed -t 1 --wrap 'sleep 600' >/dev/null && wait_job 20 4 RUNNING && scontrol suspend 4 && wait_job 20 4 SUSPENDED &&
        { scontrol requeue 4 || scancel 4; } && wait_for 20 rows_are 4
tap_like "$? $(row 4 'state, time_suspended > 0')" '^0 (REQUEUED|CANCELLED)\|1$' 'one that was suspended'
scancel 4 && wait_job 20 4 CANCELLED

# ---- each time that it ran ----
id=$(sbatch --parsable -J again --wrap '[ -e again ] || { touch looked; exec sleep 600; }')
both() { [ "$(row "$id" id | wc -l)" = 2 ]; }
wait_for 20 test -e looked && touch again && scontrol requeue "$id" && wait_job 20 "$id" COMPLETED && wait_for 20 both
tap_is "$? $(row "$id" 'restarts, state, nodes != "", time_queued > time_submit, time_start >= time_queued' | paste -sd' ')" \
        '0 0|REQUEUED|1|0|1 1|COMPLETED|1|1|1' 'a job that was sent back has two'

# ---- arrays ----
a=$(sbatch --parsable --array=0-5%2 -J arr --wrap '[ $SLURM_ARRAY_TASK_ID -lt 2 ] || sleep 600')
five() { [ "$(sql "select count(*) from job where array_job = $a")" = 5 ]; }
wait_job 20 "${a}_2" RUNNING && wait_job 20 "${a}_3" RUNNING && scancel "$a" && wait_for 20 five
tap_is "$(sql "select array_task, array_tasks, state, num_cpus from job where array_job = $a order by array_task" | paste -sd' ')" \
        '-1|4-5|CANCELLED|0 0||COMPLETED|1 1||COMPLETED|1 2||CANCELLED|1 3||CANCELLED|1' 'each task of an array, and what was left of it'

# ---- the file cannot be written for a while, and the controller is killed ----
cat >lock.py <<'END'
import os, sqlite3, sys
c = sqlite3.connect("state/accounting.db", timeout=20, isolation_level=None)
c.execute("BEGIN IMMEDIATE")
open("locked", "w").close()
sys.stdin.read()
END
before=$(sql 'select count(*) from job')
mkfifo hold
/usr/bin/python3 lock.py <hold &
locker=$!
exec 7>hold
wait_for 20 test -e locked
for _ in 1 2 3; do sbatch -J kept --wrap true; done >/dev/null
kept() { [ "$(squeue -h -t CD -n kept | wc -l)" = 3 ]; }
wait_for 20 kept
tap_is "$? $(sql 'select count(*) from job')" "0 $before" 'another process has the accounting file locked: jobs end all the same'
ctld_kill9
in_state=$(pending) # those of the job before them, which the accounts have, may not have left it
tap_ok "$((in_state < 6 || in_state > 8))" 'they and their scripts are in the state' || echo "# $in_state rows"
exec 7>&-
wait "$locker"
ctld_start && wait_for 20 rows_are $((before + 3))
tap_is "$? $(sql "select count(*), count(distinct job_id) from job where name = 'kept'")" '0 3|3' 'and in the accounts after the next start'
wait_nodes 30 'n[1-2]' idle && marker
ctld_stop
[ "$(pending)" -le 1 ]
tap_ok $? 'from then on no more in the state'
before=$(sql 'select count(*) from job')

# ---- nothing is lost with the rest of the state ----
/usr/bin/python3 - <<'END'
import sqlite3
a, s = sqlite3.connect("state/accounting.db"), sqlite3.connect("state/slumber.db")
s.execute("insert into ended values (77, x'')")
s.commit()
END
ctld_start -c && wait_for 20 rows_are $((before + 1))
tap_is "$? $(sql "select count(*) from job where name = '' and id = 77")" '0 1' 'slumberctld -c forgets jobs, not what was'
ctld_stop
before=$(sql 'select count(*) from job')

# ---- kill -9 whenever ----
ctld_start && wait_nodes 30 'n[1-2]' idle
submitted=0
for round in {1..12}; do
        for _ in {1..6}; do sbatch -J storm --wrap true >/dev/null && submitted=$((submitted + 1)); done
        sleep "0.0$((round * 7 % 10))"
        ctld_kill9
        ctld_start || break
done
idle() { [ "$(squeue -h | wc -l)" = 0 ]; }
wait_for 120 idle
sleeping() { rows_are $((before + submitted)); }
wait_for 20 sleeping
tap_is "$? $(sql "select count(*), count(distinct job_id) from job where name = 'storm'")" "0 $submitted|$submitted" 'after a dozen kills each job is there, once'
wait_nodes 30 'n[1-2]' idle && marker
ctld_stop
[ "$(pending)" -le 1 ]
tap_ok $? 'and none is left in the state'

# ---- old ones go ----
echo 'purge_jobs_after: 48hours' >>slumber.yaml
/usr/bin/python3 - <<'END'
import sqlite3, time
a = sqlite3.connect("state/accounting.db")
a.execute("update job set time_end = ? where name = 'storm'", (time.time() - 49 * 3600,))
a.execute("update job set time_end = ? where name = 'kept'", (time.time() - 47 * 3600,))
a.commit()
END
ctld_start && wait_nodes 30 'n[1-2]' idle && sbatch --wrap true >/dev/null
purged() { [ "$(sql "select count(*) from job where name = 'storm'")" = 0 ]; }
wait_for 20 purged
tap_is "$? $(sql "select count(*) from job where name = 'kept'")" '0 3' 'purge_jobs_after: what is older than that'
ctld_stop

# ---- switched off ----
echo AccountingStorageType=accounting_storage/none >>slurm.conf
before=$(sql 'select count(*) from job')
ctld_start && wait_nodes 30 'n[1-2]' idle
id=$(sbatch --parsable --wrap true) && wait_job 20 "$id" COMPLETED
ctld_stop
tap_is "$? $(sql 'select count(*) from job') $(($(pending) <= 1))" "0 $before 1" 'AccountingStorageType=accounting_storage/none: nothing is written'
cluster_end
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
