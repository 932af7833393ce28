#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The control group of a job stays between its steps for a moment, and not longer than the job.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a node' n1
base=$(sed -n 's|.*Jobs are in cgroup/v2 below \(/.*\)$|\1|p' log/n1 | tail -n 1)
[ -n "$base" ] || tap_skip_all 'no cgroup v2'

cat >steps <<'END'
#!/bin/bash
group=$1/job$SLURM_JOB_ID-0
for k in 1 2 3 4 5; do
        srun true
        stat -c %i "$group"
done >inodes 2>&1
touch asked
until [ -e on ]; do sleep 0.02; done
srun true
stat -c %i "$group" >again
END
chmod +x steps
salloc -n1 ./steps "$base" 2>said &
pid=$!
wait_for 20 test -e asked
rc=$?
[ "$rc" = 0 ] && [ "$(sort -u inodes | wc -l)" -lt 5 ] # on a busy machine some come late
tap_ok $? 'five steps, one after the other: the group of their job is not made for each' || cat inodes
left() { ls "$base" | grep '^job'; }
nothing() { [ -z "$(left)" ]; }
wait_for 5 nothing
tap_ok $? 'it goes when no other step comes' || left
touch on
wait "$pid"
tap_is "$?|$(wc -l <again)" '0|1' 'a later step makes it again'
wait_for 1 nothing
tap_ok $? '... and it goes with the job' || left

salloc -n1 sh -c 'srun true; touch ran; until [ -e off ]; do sleep 0.02; done' 2>said &
pid=$!
wait_for 20 test -e ran
agent_kill9 n1
agent_start n1
wait_for 1 nothing
tap_ok $? 'slumberd is killed meanwhile: the next one removes it' || left
touch off
wait "$pid"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
