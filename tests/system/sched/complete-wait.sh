#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# CompleteWait: while something is left of a job none starts, but no longer than that; where nothing is left at once, none waits.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cluster_conf 'n[1-2]' CompleteWait=5 KillWait=60
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
cd "$DIR" || exit 1
tap_like "$(scontrol show config | grep CompleteWait)" '= 5 sec' 'show config'
! grep -q CompleteWait "$DIR/log/ctld"
tap_ok $? 'and no warning'

moment() { date -d "$(scontrol -o show job "$1" | grep -o " $2=[^ ]*" | cut -d= -f2)" +%s; }
# It has been asked to end, and does when there is a file.
stubborn() { # NUMBER
        id=$(sbatch --parsable -w n1 -o /dev/null --wrap "trap '' TERM; echo >'$DIR/deaf.$1'; until [ -e '$DIR/end.$1' ]; do sleep 0.1; done")
        wait_for 20 test -s "$DIR/deaf.$1"
        scancel "$id"
}
stubborn 1
tap_is "$(squeue -h -o '%i %t')" "$id CG" 'a job does not end'
run srun -I -n1 -w n2 true
tap_is "$rc|$err" '1|srun: error: Unable to allocate resources: Immediate execution impossible, resources too fragmented for allocation' 'srun -I'
next=$(sbatch --parsable -w n2 -o /dev/null --wrap true)
wait_job 20 "$next" COMPLETED
waited=$(($(moment "$next" StartTime) - $(moment "$id" EndTime)))
[ $waited -ge 5 ] && [ $waited -le 7 ]
tap_ok $? "a job that comes then starts after CompleteWait, on another node too ($waited seconds)"
tap_is "$(squeue -h -o '%i %t')" "$id CG" '... though the other has not ended'
touch end.1
wait_job 20 "$id" CANCELLED
wait_for 20 no_jobs

sed -i 's/^CompleteWait=.*/CompleteWait=600/' "$DIR/slurm.conf"
scontrol reconfigure
stubborn 2
next=$(sbatch --parsable -w n2 -o /dev/null --wrap true)
tap_is "$(squeue -h -S i -o '%i %t' | paste -sd' ')" "$id CG $next PD" 'a longer one'
touch end.2
wait_job 20 "$next" COMPLETED
tap_is "$?|$(squeue -h)" '0|' 'or when nothing is left of the other'
first=$(sbatch --parsable -o /dev/null --wrap true)
next=$(sbatch --parsable -d "afterany:$first" -o /dev/null --wrap true)
wait_job 20 "$next" COMPLETED
waited=$(($(moment "$next" StartTime) - $(moment "$first" EndTime)))
[ $waited -le 1 ]
tap_ok $? 'no job waits for one that ends by itself'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
