#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that wait for jobs that MinJobAge has removed: the accounts say how these ended, also behind a kill -9.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_CPU MinJobAge=2 \
        AccountingStorageType=accounting_storage/slurmdbd
cluster_up 'a cluster' n1 n2
is() { [ "$(squeue -h -t all -j "$1" -o '%t %r')" = "$2" ]; }
forgotten() { [ -z "$(squeue -h -t all -o %i)" ]; }
NEVER='PD DependencyNeverSatisfied'
run_after() { # DEPENDENCY NAME: it runs
        run sbatch --wait -o /dev/null -d "$1" --wrap true
        tap_is "$rc|$err" '0|' "$2"
}
never_after() { # DEPENDENCY NAME: it never does
        local id
        id=$(sbatch --parsable -o /dev/null -d "$1" --wrap true)
        wait_for 20 is "$id" "$NEVER"
        tap_is "$?|$(squeue -h -j "$id" -o %E)" "0|$3" "$2"
        scancel "$id"
}

ok=$(sbatch --parsable -o /dev/null --wrap true)
bad=$(sbatch --parsable -o /dev/null --wrap 'exit 3')
array=$(sbatch --parsable -o /dev/null -a 0-2 --wrap 'exit $SLURM_ARRAY_TASK_ID')
whole=$(sbatch --parsable -o /dev/null -a 0-2 --wrap true)
cut=$(sbatch --parsable -o /dev/null -a 0-2 -H --wrap true)
run scancel "${cut}_1"
run scancel "$cut"
het=$(sbatch --parsable -o /dev/null --wrap true -n1 : -n1)
wait_for 60 forgotten
tap_is "$?|$(sacct -nXP -j "$ok,$bad" -o state | paste -sd,)" '0|COMPLETED,FAILED' 'all have ended and are forgotten; sacct knows them'

run_after "afterok:$ok" 'afterok of a job that succeeded'
never_after "afterok:$bad" 'afterok of one that failed' "afterok:$bad(failed)"
run_after "afternotok:$bad" 'afternotok of one that failed'
never_after "afternotok:$ok" 'afternotok of one that succeeded' "afternotok:$ok(failed)"
run_after "afterany:$bad,after:$ok,$bad" 'afterany and after'
run_after "afterok:$bad?afterok:$ok" 'one of two'
run_after "afterok:${array}_0" 'a task that succeeded'
never_after "afterok:${array}_[0-1]" 'one of two tasks failed' "afterok:${array}_1(failed)"
never_after "afterok:$array" 'a task of the array failed' "afterok:$array(failed)"
run_after "afternotok:$array" '... which afternotok waits for'
run_after "afterok:$whole,aftercorr:$whole" 'all tasks of the array succeeded'
run_after "afternotok:${cut}_1:${cut}_2" 'tasks that were cancelled before they had records'
never_after "afterok:${array}_9" 'a task that there was not' "afterok:${array}_9(failed)"
run_after "afterok:$het,afterok:$het+1" 'a heterogeneous job and a component'
never_after "afterok:$het+7" 'a component that there was not' "afterok:$het+7(failed)"
killed=$(sbatch --parsable -o /dev/null -d "afterok:$bad" --kill-on-invalid-dep=yes --wrap true)
wait_for 20 eval '[ "$(sacct -nXP -j "$killed" -o state)" = CANCELLED ]'
tap_ok $? 'a job that asked to be cancelled then is'
each=$(sbatch --parsable -o /dev/null -a 0-2 -d "aftercorr:$array" --wrap true)
rest() { [ "$(squeue -h -t PD -j "$each" -o '%K %r')" = "1 DependencyNeverSatisfied
2 DependencyNeverSatisfied" ]; }
wait_for 20 rest
tap_ok $? 'aftercorr: each task waits for that of its number'
scancel "$each"
run sbatch -d afterok:99999 --wrap true
tap_is "$rc|$err" '1|sbatch: error: there has been no job 99999
sbatch: error: Batch job submission failed: Job dependency problem' 'an id that was never given is refused'
held=$(sbatch --parsable -H -o /dev/null --wrap true)
run scontrol update "jobid=$held" dependency=afterok:99999
tap_is "$rc $err" "1 scontrol: error: there has been no job 99999
Job dependency problem for job $held" '... also by an update'
run scontrol update "jobid=$held" "dependency=afterok:$bad"
wait_for 20 eval '[ "$(squeue -h -j "$held" -o %E)" = "afterok:$bad(failed)" ]'
tap_ok $? 'an update asks the accounts, too'
scancel "$held"

# ---- many ids, each asked for once ----
ids=$(yes "$ok" | head -300 | paste -sd:)
run_after "afterok:$ids" 'the same id many times'
for _ in $(seq 40); do sbatch --parsable -o /dev/null -d "afterok:$ok:$het:$whole,afternotok:$bad" --wrap true; done >many
over() { [ -z "$(squeue -h -t PD,R,CG -o %i)" ]; }
wait_for 60 over
tap_is "$?|$(sacct -nXP -j "$(paste -sd, many)" -o state | sort | uniq -c | xargs)" '0|40 COMPLETED' 'jobs that name several'

# ---- the controller is killed before and behind the answer ----
never=$(sbatch --parsable -o /dev/null -d "afterok:$bad" --wrap true)
wait_for 20 is "$never" "$NEVER"
later=$(sbatch --parsable -o later --begin=now+1hour -d "afterok:$ok" --wrap true)
ctld_kill9
/usr/bin/python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.execute("insert into job (cluster, job_id, state) values (?, ?, ?)", ("other", sys.argv[2], "FAILED"))
c.commit()' state/accounting.db "$ok"
tap_ok $? 'the accounts have a job of another cluster that had that id'
ctld_start
tap_is "$(squeue -h -j "$never" -o '%t %r %E')" "$NEVER afterok:$bad(failed)" 'what was decided stays'
wait_for 20 is "$later" 'PD BeginTime'
tap_ok $? 'what was not is asked again'
own=$(sbatch --parsable -o later --begin=now+1hour -d "afterok:$ok" --wrap true)
wait_for 20 is "$own" 'PD BeginTime'
tap_ok $? 'the job of this cluster counts'
scancel "$never" "$later" "$own"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
