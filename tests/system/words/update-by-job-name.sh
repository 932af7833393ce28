#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol hold, uhold, release and update by the name of jobs.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

of_all() { # FORMAT: of all jobs, by number
    squeue -h -o "%i $1" | sort -V | paste -sd' '
}

at_exit cluster_end
cluster_conf n1
cd "$DIR" || exit 1
cluster_up 'a node is idle' n1
sbatch -Q -o /dev/null -J full -n4 --wrap 'sleep 1000'
sbatch -Q -o /dev/null -J one --wrap true
sbatch -Q -o /dev/null -J two --wrap true
sbatch -Q -o /dev/null -J one -a 1-2 --wrap true
wait_job 10 1 RUNNING
tap_ok $? 'some jobs, and one of them runs'
run scontrol hold jobname=one
tap_is "$rc|$out$err|$(of_all %r)" '0||1 None 2 JobHeldAdmin 3 Resources 4_[1-2] JobHeldAdmin' 'hold jobname='
run scontrol release jobname=one 3
tap_is "$rc|$out$err|$(squeue -h -t PD -o %r | grep -c Held)" '0||0' 'release jobname=, beside a number'
run scontrol uhold JobName=two
tap_is "$rc|$out$err|$(squeue -h -j 3 -o %r)" '0||JobHeldUser' 'uhold jobname='
run scontrol hold jobname=none
tap_is "$rc|$out$err" '0|' 'no job has that name: nothing is done'
run scontrol update jobname=one nice=7 comment=here
tap_is "$rc|$out$err|$(of_all %k)" '0||1 (null) 2 here 3 (null) 4_[1-2] here' 'update jobname='
run scontrol update jobname=one userid=4711 comment=there
tap_is "$rc|$err|$(of_all %k)" "1|scontrol: error: No jobs with name 'one'|1 (null) 2 here 3 (null) 4_[1-2] here" '... of another user there are none'
run scontrol update jobname=one userid="$(id -un)" timelimit=5
tap_is "$rc|$(of_all %l)" '0|1 UNLIMITED 2 5:00 3 UNLIMITED 4_[1-2] 5:00' '... of this one there are'
run scontrol update comment=now jobid=3 jobname=three
tap_is "$rc|$(squeue -h -j 3 -o '%j %k')" '0|three now' 'beside jobid= it is the new name'
run scontrol update jobname=three
tap_is "$rc|$err" '1|No changes specified' 'nothing to change'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
