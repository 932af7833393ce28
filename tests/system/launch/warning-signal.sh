#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job that has had its warning (--signal) and is given more time has it again before its new end: what counts is the time that it
# has left, also while it stands still.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a node' n1
cat >job <<END
trap 'echo warned >>$DIR/warnings' USR1
while :; do sleep 0.1; done
END
sed -i '1i #!/bin/bash' job
warnings() { [ "$(wc -l <warnings)" = "$1" ]; }
passed() { [ "$(date +%s)" -gt "$(($1))" ]; }
touch warnings
j=$(sbatch --parsable -o /dev/null -t 2 --signal=B:USR1@112 job) && wait_job 10 "$j" RUNNING
scontrol update jobid="$j" endtime=now+112seconds
wait_for 10 warnings 1
tap_ok $? 'a warning when no more than 112 s are left'
scontrol suspend "$j" && wait_job 10 "$j" SUSPENDED
since=$(date +%s)
wait_for 20 passed "$since + 8"
scontrol update jobid="$j" timelimit=2
scontrol resume "$j" && wait_job 10 "$j" RUNNING
wait_for 20 warnings 2
tap_ok $? 'another one when there are again, though it has stood still for longer than it was given'
scancel "$j"
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
