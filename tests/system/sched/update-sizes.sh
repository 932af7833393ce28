#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol update with more settings than there are keys, and with sizes that leave a job no node: each is answered, and the controller
# goes on.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 'GresTypes=gpu' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:4' 'PartitionName=main Nodes=n1 Default=YES' 'PartitionName=other Nodes=n1'
echo 'Name=gpu Count=4 Flags=CountOnly' >gres.conf
cluster_up 'a node' n1
job=$(sbatch --parsable -H --gpus=2 -o /dev/null --wrap true)

mapfile -t many < <(yes nice=1 | head -n 201)
run scontrol update jobid="$job" "${many[@]}"
tap_like "$rc $err" '^1 .*an update of jobs takes no more than 200 settings' 'more settings than there are keys'
run scontrol update jobid="$job" "${many[@]:1}"
tap_is "$rc|$err|$(job_show "$job" '%y')" '0||1' '... and as many as may be'

run scontrol update jobid="$job" gres=gpu:4
tap_like "$rc $err" '^1 .*2 gres/gpu on all nodes together cannot be 4 on each of 1 or more' 'fewer GPUs of all nodes than of each'
run scontrol update partitionname=other maxnodes=0
tap_is "$rc|$err" '0|' 'a partition that takes no jobs for now'
none=$(sbatch --parsable -p other -o /dev/null --wrap true)
waits() { [ "$(job_show "$none" '%t %r')" = 'PD PartitionNodeLimit' ]; }
wait_for 20 waits
tap_ok $? 'a job waits for that'
scontrol update partitionname=other maxnodes=unlimited && wait_job 20 "$none" COMPLETED
tap_ok $? 'and runs when it takes some again'
scontrol release "$job" && wait_job 20 "$job" COMPLETED
tap_ok $? 'the other one, too'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
