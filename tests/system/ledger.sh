# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Users who note each acknowledgement while controllers are killed, and the comparison afterwards.  Sourced after cluster.sh, in
# DIR; used by crash/controller.sh and controllers/takeover-load.sh.
#
#   ledger_begin JOBS              three submitters of JOBS jobs each, and a changer of states, begin to work
#   ledger_end                     they end, and all jobs that may run
#   ledger_check                   tests: what was acknowledged is known, has run once, and is as it was asked for
#
# Acknowledged numbers are in acked.N, changed, cancelled; a job says its number in ran once it is at work.

_submitter() { # N JOBS
        local id k=0
        until [ -e stop ] || [ $k = "$2" ]; do
                id=$(sbatch --parsable -o /dev/null --wrap 'echo $SLURM_JOB_ID >>'"$DIR/ran" 2>>"said.$1") && echo "$id" >>"acked.$1" && k=$((k + 1))
        done
}
# Jobs that never run: held when they are submitted, renamed, then cancelled (cancelled: the answer was Ok).
_changer() {
        local id
        until [ -e stop ]; do
                id=$(sbatch --parsable -H -o /dev/null --wrap 'echo $SLURM_JOB_ID >>'"$DIR/ran" 2>>said.c) || continue
                echo "$id" >>acked.c
                scontrol update JobId="$id" TimeLimit=7 2>>said.c && echo "$id" >>changed
                [ $((id % 2)) = 0 ] || { scancel "$id" 2>>said.c && echo "$id" >>cancelled; }
        done
}
ledger_begin() {
        : >ran && : >changed && : >cancelled
        LEDGER=()
        for n in 1 2 3; do _submitter $n "$1" & LEDGER+=($!); done
        _changer & LEDGER+=($!)
}
ledger_end() {
        local w
        for w in "${LEDGER[@]}"; do wait_for 120 gone "$w"; done
        wait_for 180 eval 'no_jobs -t R,CG && [ -z "$(squeue -h -t PD -o %r | grep -v Held)" ]'
        tap_ok $? 'all that may run has ended' || squeue | head -20 | sed 's/^/# /'
}
ledger_check() {
        sort -n acked.[1-3] >ids && sort -n ids acked.c >all && sort -n ran -o ran
        squeue -h -t all -o '%i %T %l' | sort -n >known
        echo "# $(wc -l <all) jobs acknowledged, $(wc -l <known) known, $(wc -l <ran) have run, $(cat said.* | wc -l) commands failed"
        [ "$(wc -l <ids)" -ge 50 ]
        tap_ok $? 'there was something to lose'
        tap_is "$(uniq -d all | head)" '' 'no number was given twice'
        tap_is "$(cut -d' ' -f1 known | sort | comm -13 - <(sort all) | paste -sd' ')" '' 'every acknowledged job is known'
        tap_is "$(uniq -d ran | paste -sd' ')" '' 'no job has run twice'
        tap_is "$(comm -13 <(sort ran) <(sort ids) | paste -sd' ')" '' 'every acknowledged job has run'
        tap_is "$(sort acked.c | comm -12 - <(sort ran) | paste -sd' ')" '' 'no held job has'
        tap_is "$(sort ids | join - <(sort known) | grep -v COMPLETED | head -5)" '' 'they are COMPLETED'
        tap_is "$(sort cancelled | join - <(sort known) | grep -v CANCELLED | head -5)" '' 'what was cancelled is CANCELLED'
        tap_is "$(sort changed | join - <(sort known) | grep -v ' 7:00$' | head -5)" '' 'what was changed is changed'
}
