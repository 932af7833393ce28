#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sdiag counts what has happened, and begins anew when it is told to.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1' ClusterName=mine 'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL'
cluster_up 'a cluster' n1
value() { sdiag | sed -n "s/^[[:space:]]*$1: *//p" | head -1; } # of the main cycle where backfill has it too
counts() { for name in submitted started completed canceled failed pending running; do value "Jobs $name"; done | paste -sd' '; }

tap_is "$(counts)" '0 0 0 0 0 0 0' 'nothing has happened'
a=$(sbatch --parsable -n4 -o /dev/null --wrap 'until [ -e go ]; do sleep 0.05; done; exit 3')
wait_job 20 "$a" RUNNING
sbatch -n4 -p main,other -o /dev/null --wrap true >/dev/null # waits for the first
b=$(sbatch --parsable -H --wrap true)
scancel "$b"
tap_is "$(counts)|$(value 'Last queue length')" '3 1 0 1 0 1 1|2' 'one runs, one waits in two partitions, one is cancelled'
touch go
wait_job 20 "$a" FAILED && wait_job 20 2 COMPLETED
tap_is "$(counts)" '3 2 2 1 0 0 0' 'an exit code is no failure of the system, as in Slurm'
tap_ok "$(($(value 'Total cycles') < 3 || $(value 'Last cycle') < 1 || $(value 'Mean cycle') > $(value 'Max cycle')))" 'cycles are counted and timed'
tap_like "$(sdiag | head -4)" '^\*+
sdiag output at [A-Z][a-z]{2} [A-Z][a-z]{2} [0-9 ]{2} [0-9:]{8} 20[0-9]{2} \([0-9]{10}\)
Data since      [A-Z][a-z]{2} [A-Z][a-z]{2} [0-9 ]{2} [0-9:]{8} 20[0-9]{2} \([0-9]{10}\)
\*+$' 'its heading'
tap_is "$(sdiag --json | python3 -c 'import json, sys; s = json.load(sys.stdin)["statistics"]; print(s["jobs_submitted"], s["jobs_canceled"], s["schedule_cycle_total"] > 2, s["req_time"]["set"])')" \
        '3 1 True True' '--json'

# ---- Slurm's lines, which programs read by their names ----
lines() { sdiag | sed -n '/^Server thread/,/^Latency/p' | sed -nE 's/^([^:]*[^ :]) *:.*/\1/p' | tr -d '\t'; }
tap_is "$(lines | grep -vE '^(Cycles per minute)$')" "Server thread count
Agent queue size
Agent count
Agent thread count
DBD Agent queue size
Jobs submitted
Jobs started
Jobs completed
Jobs canceled
Jobs failed
Job states ts
Jobs pending
Jobs running
Main schedule statistics (microseconds)
Last cycle
Max cycle
Total cycles
Mean cycle
Mean depth cycle
Last queue length
Total backfilled jobs (since last slurm start)
Total backfilled jobs (since last stats cycle start)
Total backfilled heterogeneous job components
Total cycles
Last cycle when
Last cycle
Max cycle
Mean cycle
Last depth cycle
Last depth cycle (try sched)
Depth Mean
Depth Mean (try depth)
Last queue length
Queue length mean
Last table size
Mean table size
Latency for 1000 calls to gettimeofday()" 'its lines are those of Slurm'
tap_is "$(sdiag | tail -2)" $'Pending RPC statistics\n\tNo pending RPCs' 'its end'
plan() { sdiag | sed -n '/^Backfilling stats/,$p' | sed -n "s/^[[:space:]]*$1: *//p"; }
scontrol power plan >/dev/null 2>&1
tap_is "$(sdiag | sed -n '/message type/,$p' | grep count: | grep -vcE '^	[^ ]+ +\( *[0-9]+\) count:')" 0 'each request has a name of one word'
cycles=$(plan 'Total cycles')

# ---- backfill: the last one fits beside the first before the second can start ----
rm go
sbatch -n3 -t 2 -o /dev/null --wrap 'until [ -e go ]; do sleep 0.05; done' >/dev/null
sbatch -n4 -t 9 -o /dev/null --wrap true >/dev/null
c=$(sbatch --parsable -n1 -t 1 -o /dev/null --wrap true)
wait_job 20 "$c" COMPLETED
tap_is "$(sdiag | grep 'Total backfilled jobs' | sed 's/.*: //' | paste -sd' ')" '1 1' 'a job that was started before its turn'
tap_ok "$(($(plan 'Total cycles') <= cycles || $(plan 'Last depth cycle') < 1 || $(plan 'Max cycle') < $(plan 'Mean cycle') || $(plan 'Last table size') < 1))" \
        'cycles of backfill are counted and timed'
tap_like "$(plan 'Last cycle when')" '^[A-Z][a-z]{2} .* \([0-9]{10}\)$' '... and the last one has its time'
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR"
        cp "$(readlink -f "$DIR/bin/sdiag")" sdiag && chmod 755 sdiag
        run setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/sdiag" -r
        tap_is "$rc|$out|$err" '1||slurm_reset_statistics: Access/permission denied' 'a plain user may not reset'
        tap_is "$(setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/sdiag" | grep submitted)" 'Jobs submitted: 6' 'every user may look'
fi
tap_is "$(sdiag -r)|$(counts)|$(sdiag | grep 'Total backfilled jobs' | sed 's/.*: //' | paste -sd' ')" 'Reset scheduling statistics|0 0 0 0 0 1 1|1 0' 'operators may reset'
touch go
run sdiag -M other
tap_is "$rc|$(tail -1 <<<"$err")" "1|sdiag: error: 'other' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list clusters' to see available clusters." \
        'of this cluster'
# ---- requests: lines that exporters look for ----
sdiag -r >/dev/null
for n in 1 2 3; do sinfo >/dev/null; done
squeue >/dev/null
of() { sdiag "${@:2}" | sed -nE "s/^\t$1 +\( *[0-9]+\) count:([0-9]+) +ave_time:[0-9]+ +total_time:[0-9]+\$/\1/p"; }
tap_is "$(of REQUEST_NODE_INFO) $(of REQUEST_JOB_INFO)" '3 1' 'requests are counted by type'
tap_ok "$(($(of "$(id -un)") < 5))" '... and by user'
tap_like "$(sdiag)" '^Server thread count:  [1-9]' 'connections'
tap_like "$(sdiag)" '^Agent count:          1$' '... and agents'
tap_like "$(sdiag | sed -n '/message type/,$p' | sed -n 2p)" 'REQUEST_(STATS|NODE|PARTITION)' 'the most frequent stands first'
tap_is "$(sdiag -i | sed -nE 's/^\tREQUEST_[A-Z_]+ +\( *([0-9]+)\).*/\1/p')" "$(sdiag -i | sed -nE 's/^\tREQUEST_[A-Z_]+ +\( *([0-9]+)\).*/\1/p' | sort -n)" \
        'sorted by number'
tap_is "$(sdiag --json | python3 -c 'import json, sys
print(*(c["count"] for c in json.load(sys.stdin)["statistics"]["rpcs_by_message_type"] if c["message_type"] == "REQUEST_NODE_INFO"))')" 3 '... and in JSON'
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
