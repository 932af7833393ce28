#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The log of a wake: nodes that register for a job are told together, not in a line for each.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
fakes=
cleanup() {
        [ -z "$fakes" ] || kill "$fakes"
        cluster_end
}
at_exit cleanup
cd "$DIR" || exit 1
cluster_conf 'n[1-60]' SuspendTime=100000 SuspendTimeout=5 ResumeTimeout=600 SuspendRate=0 ResumeRate=0 \
        SuspendProgram=/bin/true ResumeProgram=/bin/true 'NodeName=n[1-60] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD'
ctld_start
tap_ok $? 'a controller, its nodes off'
job=$(sbatch -Q --parsable -N60 -o /dev/null --wrap true)
wait_for 20 grep -q 'ResumeProgram for' log/ctld
"$SLUMBER_BUILD/tests/bench/fakeagents" 127.0.0.1 "$PORT" "$DIR/key" 'n[1-60]' 4 10 300 >fakes 2>&1 &
fakes=$!
wait_job 60 "$job" COMPLETED
tap_ok $? 'a job on all of them runs when they have booted'
told() { grep -oP 'Nodes? \K\S+(?=: registered, POWERING_UP -> ON)' log/ctld | paste -sd,; }
all_told() { [ "$(scontrol show hostlistsorted "$(told)")" = 'n[1-60]' ]; }
wait_for 40 all_told
tap_is "$? $(told)" "0 $(told)" 'the log has all of them'
lines=$(grep -c 'registered' log/ctld)
tap_ok $((lines > 30)) "in few lines ($lines)"
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
