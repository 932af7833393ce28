#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Licenses, as sites configure and users ask for them, over a kill -9 of the controller and a reconfigure.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' 'Licenses=matlab:4,ansys'
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
shown() { scontrol -o show "$@" | tr '\n' '|'; }
shown_is() { [ "$(shown lic)" = "$1" ]; }

run scontrol show licenses
tap_is "$rc|$out" '0|LicenseName=ansys
    Total=1 Used=0 Free=1 Reserved=0 Remote=no
LicenseName=matlab
    Total=4 Used=0 Free=4 Reserved=0 Remote=no' 'scontrol show licenses'
run scontrol show license=nosuch
tap_is "$rc|$err" '1|License nosuch not found' 'one that is not there'
for bad in nosuch matlab:5 matlab:x 'matlab|ansys,matlab'; do
        run sbatch -L "$bad" --wrap true
        tap_like "$rc $err" '^1 sbatch: error: .*' "--licenses=$bad is refused"
        tap_is "$(tail -n1 <<<"$err")" 'sbatch: error: Batch job submission failed: Invalid license specification' "... with Slurm's words"
done
id=$(sbatch --parsable -H -n2 --tres-per-task=license/matlab=2 --wrap true)
tap_is "$(job_show "$id" %W)" 'matlab:4' '--tres-per-task=license/matlab=2 is so many for each task'
run srun --jobid="$id" --tres-per-task=license/matlab=1 true
tap_is "$rc|$err" "1|srun: error: license/ in --tres-per-task: a step has no licenses of its own, only its job's" '... but not of a step'
scancel "$id"
run sbatch -n5 --tres-per-task=license/matlab --wrap true
tap_is "$(tail -n1 <<<"$err")" 'sbatch: error: Batch job submission failed: Invalid license specification' '... and never more than there are'

first=$(sbatch --parsable -L matlab:3 -t 10 --wrap 'echo "$SLURM_JOB_LICENSES" >seen; until [ -e go ]; do sleep 0.02; done')
second=$(sbatch --parsable --licenses=matlab:2 -t 10 --wrap true)
either=$(sbatch --parsable -L 'matlab:2|ansys:1' -t 10 --wrap 'until [ -e go ]; do sleep 0.02; done')
wait_job 20 "$first" RUNNING && wait_job 20 "$either" RUNNING && wait_for 10 test -s seen
tap_is "$?|$(cat seen)" '0|matlab:3' 'a job has what it asked for, and is told in SLURM_JOB_LICENSES'
tap_is "$(job_show "$second" '%t %r %W')" 'PD Licenses matlab:2' 'another waits, and says for what'
tap_is "$(job_show "$either" '%t %W')" 'R matlab:2|ansys:1' 'one that can do with another does not'
tap_like "$(scontrol show job "$either")" 'Licenses=matlab:2\|ansys:1 LicensesAlloc=ansys:1 ' 'show job tells which it has'
tap_is "$(squeue -h -j "$first" -O LicensesAlloc:20,Licenses:10 | tr -s ' ')" 'matlab:3 matlab:3 ' 'and squeue -O'
tap_is "$(squeue -h -L ansys -o %i)|$(squeue -h -L matlab -S i -o %i | paste -sd' ')" "$either|$first $second $either" 'squeue -L'
tap_is "$(shown lic)" 'LicenseName=ansys Total=1 Used=1 Free=0 Reserved=0 Remote=no|LicenseName=matlab Total=4 Used=3 Free=1 Reserved=0 Remote=no|' \
        'the counts'
run srun -L ansys -I true
tap_like "$rc $err" '^1 .*its licenses are in use' 'srun -I does not wait for one'
start=$(sbatch --test-only -L ansys -t 1 --wrap true 2>&1 | sed -n 's/.* to start at \([^ ]*\).*/\1/p')
wait=$(($(date -d "$start" +%s) - $(date +%s)))
[ -n "$start" ] && [ "$wait" -gt 500 ] && [ "$wait" -lt 1300 ]
tap_ok $? '--test-only heeds them: it would wait for the job that has it'

ctld_kill9
ctld_start
tap_is "$(shown lic matlab)|$(job_show "$second" '%t %r')" \
        'LicenseName=matlab Total=4 Used=3 Free=1 Reserved=0 Remote=no||PD Licenses' 'a controller that was killed knows which job has which'
tap_like "$(scontrol show job "$either")" 'LicensesAlloc=ansys:1 ' 'and which of several'

run scontrol update "jobid=$second" licenses=matlab:9
tap_is "$rc|$(tail -n1 <<<"$err")" "1|Invalid license specification for job $second" 'no update may ask for more than there are'
run scontrol update "jobid=$first" licenses=matlab:9
tap_is "$rc|$(tail -n1 <<<"$err")" "1|Invalid license specification for job $first" 'of a running job neither'
sed -i 's/^Licenses=.*/Licenses=matlab:2,ansys:1/' slurm.conf
scontrol reconfigure
tap_is "$?|$(shown lic matlab)" '0|LicenseName=matlab Total=2 Used=3 Free=0 Reserved=0 Remote=no|' 'fewer than are in use'
third=$(sbatch --parsable -L matlab:1 -t 10 --wrap true)
wait_for 10 eval '[ "$(job_show "$third" %r)" = Licenses ]'
tap_ok $? 'a job that comes now waits'
run scontrol update "jobid=$third" licenses=
wait_job 20 "$third" COMPLETED
tap_ok $? 'until it does without'
sed -i 's/^Licenses=.*/Licenses=matlab:8:1/' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*slurm.conf line [0-9]*: Licenses: .*matlab:8:1' 'a mistake is named with its place, and nothing has changed'
sed -i 's/^Licenses=.*/Licenses=matlab:5/' slurm.conf
scontrol reconfigure
wait_job 20 "$second" COMPLETED
tap_ok $? 'more of them let the next one start at once'
alloc_of() { scontrol show job "$1" | grep -o 'LicensesAlloc=[^ ]*'; }
run scontrol update JobId="$first" Licenses=
tap_is "$rc|$(alloc_of "$first")|$(shown lic matlab)" '0|LicensesAlloc=(null)|LicenseName=matlab Total=5 Used=0 Free=5 Reserved=0 Remote=no|' 'an update takes all licenses off a running job'
run scontrol update JobId="$first" Licenses=matlab:2
tap_is "$rc|$(alloc_of "$first")|$(shown lic matlab)" '0|LicensesAlloc=matlab:2|LicenseName=matlab Total=5 Used=2 Free=3 Reserved=0 Remote=no|' '... and gives others'
touch go
wait_job 20 "$first" COMPLETED && wait_job 20 "$either" COMPLETED && wait_for 10 shown_is 'LicenseName=matlab Total=5 Used=0 Free=5 Reserved=0 Remote=no|'
tap_ok $? 'all are given back'
sed -i '/^Licenses=/d' slurm.conf
scontrol reconfigure
tap_is "$(scontrol show lic)" 'No licenses configured in Slurm.' 'none are configured'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
