#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The wall clock is set: between a kill -9 of the controller and its next start, and while it runs, by hours in either
# direction; and that of a node.  No limit and no deadline moves; --begin goes by the clock.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=16 RealMemory=1000' 'yaml heartbeat: 1s' \
        "SuspendProgram=$DIR/program" "ResumeProgram=$DIR/program" SuspendTime=3000 SuspendTimeout=2000 ResumeTimeout=3000
printf '#!/bin/sh\n' >"$DIR/program" && chmod +x "$DIR/program"
cd "$DIR" || exit 1
clock() { echo "$2" >"new.$1" && mv "new.$1" "clock.$1"; } # ctld|n1 SECONDS: so far off
clock ctld 0 && clock n1 0
# Only the daemon: what it starts has the true clock.
with_clock() { # ctld|n1 COMMAND...
        local -x SETCLOCK=$DIR/clock.$1 LD_PRELOAD=$SLUMBER_BUILD/tests/tools/setclock.so
        local -x ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0
        shift
        "$@"
}
start_ctld() { with_clock ctld ctld_start; }
told() { grep -c 'The wall clock was set' log/ctld; } # how often
field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"; }
seconds() { date -d "$1" +%s; }
# The clock that is shown is ctld's.
ago() { echo $(($(date +%s) + $(cat clock.ctld) - $(seconds "$1"))); }
since() { echo $((SECONDS - began[$1])); } # so many seconds ago by a clock that is not set
declare -A began
near() { # SECONDS WANTED: not more than half a minute off
        [ $(($1 - $2)) -lt 30 ] && [ $(($2 - $1)) -lt 30 ]
}

began[boot]=$SECONDS
start_ctld && with_clock n1 agent_start n1 -b && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a controller and two nodes' || { cluster_logs; tap_done; }
limited=$(sbatch --parsable -w n1 -t 10 -o /dev/null --wrap 'sleep 1000')
begin=$(sbatch --parsable -w n1 --begin=now+2hours -o /dev/null --wrap 'sleep 1000')
later=$(sbatch --parsable -w n1 --begin=now+10hours -o /dev/null --wrap 'sleep 1000')
ended=$(sbatch --parsable -w n1 -o /dev/null --wrap true)
wait_job 20 "$limited" RUNNING && wait_job 20 "$ended" COMPLETED && cancelled=$(sbatch --parsable -N2 --exclusive --wrap true) &&
        wait_job 20 "$cancelled" PENDING && scancel "$cancelled" && began[jobs]=$SECONDS
tap_ok $? 'a job runs, one has ended, two wait for their time'
scontrol update nodename=n2 state=power_down && wait_nodes 20 n2 'idle%' && began[off]=$SECONDS
tap_ok $? 'a node is being switched off'
begins=$(field "$begin" StartTime)

all_stands() { # NAME
        tap_is "$(job_state "$limited")" RUNNING "$1: the job with a limit of ten minutes runs"
        near "$(ago "$(field "$limited" StartTime)")" "$(since jobs)"
        tap_ok $? "$1: ... for as long as it has" || scontrol show job "$limited" | sed 's/^/# /'
        tap_is "$(($(seconds "$(field "$limited" EndTime)") - $(seconds "$(field "$limited" StartTime)")))" 600 "$1: ... and ends when its limit is over"
        near "$(ago "$(field "$ended" EndTime)")" "$(since jobs)"
        tap_ok $? "$1: what has ended did so a moment ago" || scontrol show job "$ended" | sed 's/^/# /'
        for id in "$ended" "$cancelled"; do
                tap_is "$(sacct -n -P -X -S 2000-01-01 -o jobid | grep -cx "$id")" 1 "$1: ... and sacct lists job $id once"
        done
        tap_is "$(sinfo -h -n n2 -o %T)" idle% "$1: a node that is being switched off still is"
        near "$(scontrol show power n2 | sed -n 's/.*PowerDeadline=\([^ ]*\).*/\1/p' | { read -r t && ago "$t"; })" "$(($(since off) - 2000))"
        tap_ok $? "$1: ... until SuspendTimeout is over" || scontrol show power n2 | sed 's/^/# /'
}

ctld_kill9
clock ctld $((3600))
start_ctld && tap_is "$(told)" 1 'the controller starts by a clock that was set an hour forward, and says so' || cluster_logs
all_stands 'forward'
tap_is "$(job_state "$begin") $(field "$begin" StartTime)" "PENDING $begins" 'forward: a begin time is where it was'

ctld_kill9
clock ctld $((-5 * 3600))
start_ctld && wait_nodes 20 n1 'mixed|allocated'
tap_is "$(told)" 2 'six hours back'
all_stands 'back'
tap_is "$(job_state "$begin") $(field "$begin" StartTime)" "PENDING $begins" 'back: a begin time is where it was'
now=$(sbatch --parsable -w n1 -o /dev/null --wrap true) && wait_job 20 "$now" COMPLETED
tap_ok $? 'back: the node runs a job with a clock five hours ahead'

clock ctld $((3 * 3600))
wait_job 20 "$begin" RUNNING
tap_ok $? 'while it runs, eight hours forward: the job that was to begin within two hours begins' || cluster_logs
tap_is "$(told)" 3 'the controller says so'
all_stands 'at work'
tap_is "$(job_state "$later")" PENDING 'the job that was to begin in ten hours waits'
now=$(sbatch --parsable -w n1 -o /dev/null --wrap true) && wait_job 20 "$now" COMPLETED
tap_ok $? 'the node runs a job with a clock that is behind'

clock n1 $((-7 * 3600))
ctld_kill9
start_ctld && wait_nodes 20 n1 'mixed|allocated'
tap_is "$(told)" 3 'a restart with the clock as it was'
all_stands 'once more'
near "$(ago "$(scontrol show node n1 | sed -n 's/.*BootTime=\([^ ]*\).*/\1/p')")" "$(since boot)"
tap_ok $? 'the boot time of a node is right although its clock was set back seven hours' || scontrol show node n1 | sed 's/^/# /'
now=$(sbatch --parsable -w n1 -o /dev/null --wrap true) && wait_job 20 "$now" COMPLETED
tap_ok $? '... and runs a job'
short=$(sbatch --parsable -w n1 -t 10 -o /dev/null --wrap 'sleep 1000') && wait_job 20 "$short" RUNNING
scontrol update jobid="$short" EndTime=now+3seconds
clock ctld $((-3600))
wait_job 30 "$short" TIMEOUT
tap_ok $? 'a job that is to end in three seconds does so, though the clock goes back by hours'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
