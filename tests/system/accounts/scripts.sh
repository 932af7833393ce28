#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# AccountingStoreFlags: scripts and environments in the accounts, when the controller has forgotten the job, and after a kill.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 MinJobAge=2 AccountingStoreFlags=job_script,job_env
cluster_up 'a cluster' n1
sql() { # SQL: of the accounting file
        /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=20).execute(sys.argv[2]): print(*row, sep="|")' state/accounting.db "$1"
}
forgotten() { ! scontrol show job "$1" >/dev/null 2>&1; }
body() { sacct "$1" -j "$2" | tail -n +3; }

printf '#!/bin/sh\n# a %%s \303\274 '"'"'"; DROP TABLE job; --\ntrue\n' >script
id=$(MARK=$'two\nlines' sbatch --parsable -o /dev/null script)
array=$(sbatch --parsable -a 1-2 -o /dev/null script)
alloc=$(salloc -Q -J alloc true; sacct -nPX --name alloc -o JobID)
wait_for 60 forgotten "$id" && wait_for 60 forgotten "$array" && wait_for 60 forgotten "$alloc"
tap_ok $? 'jobs that the controller has forgotten'
tap_is "$(sacct -B -j "$id")" "Batch Script for $id
--------------------------------------------------------------------------------
$(cat script)" 'sacct --batch-script finds the script'
tap_is "$(body --env-vars "$id" | grep -A1 '^MARK=')" 'MARK=two
lines' 'sacct --env-vars the environment'
tap_is "$(sacct -B -X -j "${array}_2" | tail -n +3)|$(sacct -B -j "$array" | grep -c '^Batch Script')" "$(cat script)|2" 'of tasks of an array'
tap_is "$(sql "select count(*) from script where job_id in ($id, $array)")" 2 'which is kept once'
tap_is "$(body -B "$alloc")|$(body --env-vars "$alloc")" 'NONE|NONE' 'a job without a script has none'
run scontrol write batch_script "$id" -
tap_is "$rc|$err" '1|job script retrieval failed: Invalid job id specified' 'scontrol asks for jobs that are known'
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR"
        cp "$(readlink -f "$DIR/bin/scontrol")" scontrol && ln -s scontrol sacct && chmod 755 scontrol
        own=$(sbatch --parsable --uid=65534 -D /tmp -o /dev/null script)
        nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/sacct" "$@" | tail -n +3; }
        wait_for 60 forgotten "$own"
        tap_is "$? $(nobody -B -j "$id")|$(nobody --env-vars -j "$id")|$(nobody -B -j "$own")" "0 NONE|NONE|$(cat script)" 'for its user and operators'
fi
ctld_kill9 && ctld_start
tap_is "$?|$(body -B "$id")" "0|$(cat script)" 'after a crash of the controller'
wait_nodes 30 n1 idle

# ---- kill -9 whenever ----
ids=()
for round in {1..6}; do
        for _ in 1 2 3; do ids+=("$(sbatch --parsable -o /dev/null script)"); done
        sleep "0.0$((round * 7 % 10))"
        ctld_kill9
        ctld_start || break
done
quiet() { [ "$(squeue -h | wc -l)" = 0 ]; }
wait_for 120 quiet && ctld_stop
tap_is "$? $(sql "select count(*), count(distinct job_id) from script where job_id in ($(IFS=,; echo "${ids[*]}"))
        and script = (select script from script where job_id = $id)")" "0 ${#ids[@]}|${#ids[@]}" 'each script is there, once'

# ---- old ones go ----
echo 'purge_jobs_after: 48hours' >>slumber.yaml
/usr/bin/python3 - "$id" "$array" "${ids[0]}" <<'END'
import sqlite3, sys, time
a = sqlite3.connect("state/accounting.db")
old = time.time() - 49 * 3600
a.execute("update job set time_end = ? where job_id = ?", (old, sys.argv[1]))
a.executemany("update script set time_submit = ? where job_id = ?", [(old, i) for i in sys.argv[1:]])
a.commit()
END
sed -i 's/^AccountingStoreFlags=.*/AccountingStoreFlags=job_comment,job_extra/' slurm.conf
ctld_start && wait_nodes 30 n1 idle
purged() { [ "$(sql "select count(*) from script where job_id = $id")" = 0 ]; }
last=$(sbatch --parsable --comment 'of mine' --extra more -o /dev/null script)
wait_for 60 purged
tap_is "$? $(sql "select count(*) from script where job_id in ($array, ${ids[0]})")" '0 2' \
        'with purge_jobs_after, those whose jobs are not in the accounts any more'

# ---- without these flags ----
wait_for 60 forgotten "$last"
tap_is "$? $(sql "select count(*) from script where job_id = $last")|$(body -B "$last")" '0 0|NONE' 'nothing is kept without the flag'
tap_is "$(sacct -nPX -j "$last" -o Comment,Extra)" 'of mine|more' 'comments and extra texts are always'
cp slurm.conf kept
sed -i 's/^AccountingStoreFlags=.*/AccountingStoreFlags=job_scripts/' slurm.conf
run scontrol reconfigure
tap_like "$rc|$err" 'AccountingStoreFlags: "job_scripts" is not one of job_comment, job_env' 'another flag is refused by name'
mv kept slurm.conf
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
