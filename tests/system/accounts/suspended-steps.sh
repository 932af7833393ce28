#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Steps of a suspended job stand still with it: squeue -s and sacct count the time for which they ran, also of a run that is sent back.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a node' n1

raw() { sacct -DnP -j "$1" -o "$2" | head -1; } # of a job or a step, of its first run
seconds() { awk -F: '{ print $1 * 3600 + $2 * 60 + $3 }' <<<"$(raw "$1" suspended)"; }
stood() { [ "$(seconds "$1")" -ge "$2" ]; }
times() { squeue -hs -o '%i %M' -S i | paste -sd' '; }
same() { # STEP: stood still, and ran, as long as its job, both at one moment; there may be a second's edge between them
        sacct -DnP -j "$job" -o jobid,suspended,elapsedraw |
                awk -F'[|:]' -v job="$job" -v step="$job.$1" '!($1 in stood) { stood[$1] = $2 * 3600 + $3 * 60 + $4; ran[$1] = $5 }
                        function near(a, b) { return a - b <= 1 && b - a <= 1 }
                        END { exit !((step in stood) && near(stood[job], stood[step]) && near(ran[job], ran[step])) }'
}

job=$(sbatch --parsable --requeue --wrap 'srun sleep 1000')
wait_for 20 eval '[ "$(squeue -hs | wc -l)" = 2 ]'
tap_ok $? 'a script and its step'
scontrol suspend "$job" && wait_job 10 "$job" SUSPENDED && wait_for 10 stood "$job" 1
tap_ok $? 'they are suspended'
was=$(times)
wait_for 10 stood "$job" 4
tap_is "$(times)" "$was" 'squeue -s: their time stands still'
for step in batch 0; do
        same "$step"
        tap_ok $? "sacct: $job.$step was suspended with its job, and has run as long" || sacct -j "$job" -o jobid,elapsed,suspended | sed 's/^/# /'
done

scontrol requeue "$job" && wait_job 20 "$job" RUNNING && wait_for 10 eval '[ "$(raw "$job.batch" state)" = CANCELLED ]'
tap_ok $? 'sent back, it runs again'
same batch
tap_ok $? 'the script of its first run was suspended as long as that, and ran as long' || sacct -Dj "$job" -o jobid,state,elapsed,suspended | sed 's/^/# /'

# A script that runs to its end in its time on the way back has run until then.
scontrol requeue "$job" && wait_job 20 "$job" RUNNING && wait_for 10 eval '[ "$(sacct -DnP -j $job.batch -o state | grep -c CANCELLED)" = 2 ]'
tap_is "$(sacct -DnP -j "$job.batch" -o suspended | sed -n 2p)" 00:00:00 'one that was sent back while it ran was not suspended'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
