#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol suspend, hold and the like of an array: which of its tasks an answer is about, in Slurm's words.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a node' n1
told() { # OUTPUT VERB JOB
        run scontrol "$2" "$3"
        tap_is "$rc|$err" "$1" "$2 $3"
}
a=$(sbatch --parsable -a '1-4%2' --wrap 'sleep 1000') && wait_job 20 "${a}_1" RUNNING && wait_job 20 "${a}_2" RUNNING
tap_ok $? 'two of four tasks run'
told '0|' suspend "${a}_1"
wait_job 10 "${a}_1" SUSPENDED
told "1|${a}_[3-4]: Job is pending execution" suspend "$a"
wait_job 10 "${a}_2" SUSPENDED
tap_ok $? 'those that can be are suspended'
told "1|${a}_3: Job is pending execution" resume "${a}_3"
for verb in suspend resume hold release requeue; do
        told "1|${a}_9: Invalid job id specified" $verb "${a}_9"
done
told "1|${a}_[8-9]: Invalid job id specified" suspend "${a}_[8-9]"
told "1|${a}_[5,8-9]: Invalid job id specified" hold "${a}_[3-5,8-9]"
tap_like "$(squeue -h -j "${a}_3" -o %r)" ^JobHeld 'those that there are, are held'
told "1|${a}_5: Invalid job id specified" release "${a}_[3-5]"
told "1|${a}_[5-6]: Invalid job id specified" resume "${a}_[1-2,5-6]"
wait_job 10 "${a}_2" RUNNING && scontrol suspend "${a}_[1-2]"
tap_ok $? '... or go on'
run scontrol update jobid="${a}_[3-5]" comment=here
tap_is "$rc|$err|$(squeue -h -j "${a}_3" -o %k)" "1|Invalid job id specified for job ${a}_[3-5]|here" '... or are updated'
told '1|Invalid job id specified for job 9999' suspend 9999
told '1|Invalid job id specified for job 9999
slurm_suspend error: Invalid job id specified' hold 9999
scontrol resume "${a}_1"
told "1|${a}_1: Job is not suspended" resume "${a}_1"
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
