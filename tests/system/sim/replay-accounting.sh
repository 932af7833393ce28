#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-sim --accounting: what a cluster has really run, run again: the same jobs, when they were submitted, for how long they ran.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
sim=$SLUMBER_BUILD/controller/slumber-sim
cluster_conf 'n[1-3]' SelectTypeParameters=CR_Core_Memory 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Feature=fast' Licenses=lic:2 GresTypes=gpu
echo 'NodeName=n3 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:2' >>slurm.conf
echo 'NodeName=n3 Name=gpu Count=2 Flags=CountOnly' >gres.conf
ctld_start && for n in n1 n2 n3; do agent_start $n; done && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
run sacctmgr -i add qos urgent priority=10
tap_is "$rc" 0 'with a QOS of its own'
rows() { # SQL: of the accounting file, values with | between them
        /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=20).execute(sys.argv[2]): print(*row, sep="|")' state/accounting.db "$1"
}
replay() { "$sim" -q -f slurm.conf --accounting --csv "$@" 2>"$DIR/err"; }
run replay
tap_like "$rc|$(cat err)" '^1\|slumber-sim: error: --accounting: .*/state/accounting.db has no job of cluster slumber that has run$' 'nothing has run yet'

# ---- life ----
sbatch -N3 --exclusive -t 5 --wrap 'sleep 0.6' >/dev/null
for _ in 1 2; do sbatch -n1 -C fast -L lic:2 -t 5 --mem 300 --wrap 'sleep 0.4'; done >/dev/null # one after the other: licenses
sbatch -n2 -d afterany:2:3 -t 5 --wrap 'sleep 0.2; exit 3' >/dev/null
a=$(sbatch --parsable -t 5 --array=1-2 -w n3 --mem 600 --wrap 'sleep 0.3') # one after the other: memory
again=$(sbatch --parsable -n1 -t 5 --qos urgent --wrap '[ -e again ] || { touch looked; exec sleep 600; }')
never=$(sbatch --parsable -H -n1 --wrap true)
held=$(sbatch --parsable -H -n1 -t 5 --wrap 'sleep 0.1')
wait_for 20 test -e looked && touch again && scontrol requeue "$again" && scancel "$never" && wait_job 30 4 FAILED && scontrol release "$held" &&
        wait_job 20 "$held" COMPLETED && wait_job 20 "$again" COMPLETED && wait_job 20 "${a}_2" COMPLETED
tap_ok $? 'jobs of many kinds have run'
here() { [ "$(rows 'select count(*) from job')" = 10 ]; }
wait_for 20 here
tap_ok $? "all are in the accounts: $(rows 'select job_id, array_task, restarts, state from job' | paste -sd' ')"

# ---- once more ----
replay >sim.csv
tap_is "$?|$(cat err)" '0|' 'the cluster as it is, while it runs'
# Per job: its name, when it was submitted (seconds after the first one's second), how long it ran: to the microsecond.
/usr/bin/python3 - <<'END' >compared
import csv, math, sqlite3
rows = sqlite3.connect("state/accounting.db").execute(
    "select job_id, array_job, array_task, time_queued, time_end - time_start - time_suspended, state, time_eligible, num_nodes, num_cpus "
    "from job where time_start > 0 order by time_queued, id").fetchall()
zero = math.floor(rows[0][3])
sim = list(csv.DictReader(open("sim.csv")))
print(len(rows), len(sim))
for r, s in zip(rows, sim):
    name = "%d_%d" % r[1:3] if r[1] else "%d" % r[0]
    good = (s["job"] == name and abs(float(s["submit"]) - (r[3] - zero)) < 2e-6 and
            abs(float(s["end"]) - float(s["start"]) - r[4]) < 3e-6 and
            s["state"] == ("FAILED" if r[5] == "FAILED" else "COMPLETED") and (int(s["nodes"]), int(s["cpus"])) == r[7:9] and
            (r[0] == 4 or float(s["start"]) >= r[6] - zero - 1e-5))
    print("same" if good else "different: %s %s" % (r, s))
END
tap_is "$(sort compared | uniq -c | sed 's/^ *//' | paste -sd' ')" '1 9 9 9 same' 'the same jobs, submits, run times, sizes, outcomes' ||
        { cat compared; cat sim.csv; } | sed 's/^/# /'
start_of() { awk -F, -v j="$1" '$1 == j { print $3 }' sim.csv | tail -n 1; }
end_of() { awk -F, -v j="$1" '$1 == j { print $4 }' sim.csv | tail -n 1; }
after() { [ -n "$1" ] && [ -n "$2" ] && awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }
after "$(start_of 3)" "$(end_of 2)"
tap_ok $? 'licenses are short there too'
after "$(start_of 4)" "$(end_of 3)"
tap_ok $? 'a job that depends on others waits for them'
after "$(start_of "${a}_2")" "$(end_of "${a}_1")"
tap_ok $? 'memory is short as well'
tap_like "$("$sim" -q -f slurm.conf --accounting)" 'left out: 1 cancelled before they started' 'a job that never ran is left out'

# ---- choices ----
cp state/accounting.db copy.db 2>/dev/null && cp state/accounting.db-wal copy.db-wal
sed "s|^StateSaveLocation=.*|StateSaveLocation=/nowhere|; s|^NodeName=n3 .*|NodeName=n[3-9] CPUs=4 RealMemory=1000|" slurm.conf >other.conf
run "$sim" -q -f other.conf --accounting-file copy.db --csv
tap_is "$rc|$(wc -l <<<"$out")" '0|10' 'a copy of the file, with another configuration'
sed 's/^PartitionName=main.*/& AllowQos=urgent/' slurm.conf >qos.conf
run "$sim" -q -f qos.conf --accounting-file copy.db --csv
tap_is "$rc|$(grep -c REFUSED <<<"$out") $(grep "^$again," <<<"$out" | cut -d, -f6 | paste -sd' ')" '0|7 COMPLETED COMPLETED' 'QOS are known there'
sed 's/^ClusterName.*/&\nAccountingStorageType=accounting_storage\/none/' other.conf >none.conf
run "$sim" -q -f none.conf --accounting-file copy.db --csv
tap_is "$rc|$(grep -c REFUSED <<<"$out")" '0|0' 'or passed over where there are none'
run "$sim" -q -f none.conf --accounting
tap_like "$rc|$err" '^1\|slumber-sim: error: --accounting: AccountingStorageType is accounting_storage/none in .*/none.conf: nothing is kept$' 'no accounts'
tap_like "$("$sim" -q --accounting-file copy.db --compare slurm.conf other.conf)" '^ +slurm.conf +other.conf' 'two configurations side by side'
tap_is "$(replay --start now-1hour --end now+1hour | wc -l)" 10 'of a time'
run "$sim" -q -f slurm.conf --accounting --start now+1hour
tap_like "$rc|$err" '^1\|slumber-sim: error: --accounting: .* has no job of cluster slumber that has run and was submitted in that time$' 'of another time'
run "$sim" -q -f slurm.conf --accounting --start 2026-13-45
tap_like "$rc|$err" '^1\|slumber-sim: error: --start: "2026-13-45" is not a point in time' 'of no time'
run "$sim" -q -f slurm.conf --accounting --start now --end now-1hour
tap_like "$rc|$err" '^1\|slumber-sim: error: --end is not behind --start' 'an end before the start'
run "$sim" -q -f slurm.conf --accounting -t x.swf
tap_like "$rc|$err" '^1\|slumber-sim: error: --trace and --accounting .* exclude each other' 'two traces'
echo nothing >no.db
run "$sim" -q -f slurm.conf --accounting-file no.db
tap_like "$rc|$err" '^1\|slumber-sim: error: --accounting: no.db cannot be read: file is not a database' 'a file of another kind'

# ---- places of tasks ----
socket=$(sbatch --parsable -N1 --sockets-per-node=1 --gpus-per-socket=2 -t 5 --wrap true)
tasks=$(sbatch --parsable -N1 --gpus=1 --ntasks-per-gpu=3 --gres-flags=disable-binding -t 5 --wrap true)
hint=$(sbatch --parsable -n1 --hint=memory_bound -t 5 --wrap true)
wait_job 20 "$socket" COMPLETED && wait_job 20 "$tasks" COMPLETED && wait_job 20 "$hint" COMPLETED
tap_ok $? 'jobs that say more of where their tasks are to be'
kept() { [ "$(rows 'select count(*) from job')" = 13 ]; }
wait_for 20 kept
tap_is "$(rows "select tres_per_socket, ntasks_per_gpu, gres_binding, one_core_per_socket from job where job_id in ($socket, $tasks, $hint) order by job_id" |
        paste -sd' ')" 'gres/gpu:2|0|0|0 |3|2|0 |0|0|1' 'the accounts keep that'
replay >more.csv
tap_is "$(grep -E "^($socket|$tasks)," more.csv | cut -d, -f6-8 | paste -sd' ')" 'COMPLETED,1,1 COMPLETED,1,3' 'they run so again'
mkdir without && sed 's/ Gres=gpu:2//' slurm.conf >without/slurm.conf
run "$sim" -q -f without/slurm.conf --accounting --csv
tap_is "$rc|$(grep -E "^($socket|$tasks|$hint)," <<<"$out" | cut -d, -f6 | paste -sd' ')" '0|REFUSED REFUSED COMPLETED' 'or are refused where that cannot be had'
/usr/bin/python3 -c 'import sqlite3
db = sqlite3.connect("copy.db")
for column in "tres_per_socket", "mcs_label", "ntasks_per_gpu", "gres_binding", "one_core_per_socket": db.execute("alter table job drop column " + column)'
run "$sim" -q -f slurm.conf --accounting-file copy.db --csv
tap_is "$rc|$(wc -l <<<"$out")" '0|10' 'a file of a slumberctld that did not keep it'

# ---- heterogeneous jobs ----
before=$(replay | wc -l)
het=$(sbatch --parsable -t 5 -n1 -w n1 : -n1 -w n2 : -n2 -w n3 --wrap 'echo >begun; until [ -e first ]; do sleep 0.1; done')
after=$(sbatch --parsable -t 5 -d "afterany:$het+2" -n1 --wrap true)
late=$(sbatch --parsable -t 5 -d "afterany:$het" -n1 --wrap true)
wait_for 20 test -e begun && scancel "$het+2" && wait_job 20 "$het+2" CANCELLED && wait_job 20 "$after" COMPLETED && touch first &&
        wait_job 20 "$het+0" COMPLETED && wait_job 20 "$het+1" COMPLETED && wait_job 20 "$late" COMPLETED
tap_ok $? 'a job of three components, of which one ends before the others'
all_kept() { [ "$(rows 'select count(*) from job')" = 18 ]; }
wait_for 20 all_kept
replay >het.csv
tap_is "$?|$(cat err)|$(($(wc -l <het.csv) - before))" '0||5' 'they are jobs of the trace'
tap_is "$(grep -c "^$het+" het.csv) $(grep "^$het+" het.csv | cut -d, -f3 | sort -u | wc -l)" '3 1' \
        'its components start at the same instant' || sed 's/^/# /' het.csv
tap_is "$(grep "^$het+" het.csv | cut -d, -f1,6-8,11)" "$het+0,COMPLETED,1,1,n1
$het+1,COMPLETED,1,1,n2
$het+2,COMPLETED,1,2,n3" 'where they ran'
start_in() { awk -F, -v j="$1" '$1 == j { print $3 }' het.csv; }
end_in() { awk -F, -v j="$1" '$1 == j { print $4 }' het.csv; }
after "$(start_in "$after")" "$(end_in "$het+2")" && after "$(end_in "$het+0")" "$(start_in "$after")" &&
        after "$(start_in "$late")" "$(end_in "$het+0")"
tap_ok $? 'one job comes after that component, one after all of them'
twice=$(sbatch --parsable -t 5 -n1 -w n1 : -n1 -w n2 --wrap '[ -e twice ] || { touch there; exec sleep 600; }')
wait_for 20 test -e there && touch twice && scontrol requeue "$twice" && wait_job 20 "$twice+0" COMPLETED && wait_job 20 "$twice+1" COMPLETED
tap_ok $? 'one that is sent back'
all_again() { [ "$(rows 'select count(*) from job')" = 22 ]; }
wait_for 20 all_again
replay >het.csv
tap_is "$(grep "^$twice+" het.csv | cut -d, -f1,3 | sort -u | wc -l) $(grep "^$twice+" het.csv | cut -d, -f3 | sort -u | wc -l)" '4 2' \
        'is two jobs, each of which starts at one instant' || sed 's/^/# /' het.csv
rm -f copy.db copy.db-wal
/usr/bin/python3 -c 'import sqlite3
copy = sqlite3.connect("copy.db")
sqlite3.connect("state/accounting.db", timeout=20).backup(copy)
copy.execute("update job set het_offset = 7 where job_id = ?", ('"$((het + 1))"',))
copy.commit()'
run "$sim" -q -f slurm.conf --accounting-file copy.db --csv
tap_like "$rc|$err" "^1\\|slumber-sim: error: --accounting: copy.db: the row of job $((het + 1)) says that it is component 7 of job $het; a component is one of 0 to 127" \
        'a component that cannot be is refused by its job'
cluster_end
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
