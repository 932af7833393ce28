#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory of a peak of jobs is given back, without a restart.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
if ldd "$CTLD" | grep -q 'lib[at]san'; then
        tap_skip_all 'a sanitizer keeps what is freed'
fi
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' MaxJobCount=50000 MaxArraySize=20001 MinJobAge=2 \
        'yaml heartbeat: 2'
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$(cat run/ctld.pid)/status"; } # kB
few() { [ "$(resident)" -lt $((before + (peak - before) / 2)) ]; }
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
before=$(resident)
id=$(sbatch --parsable -H -n1 --array=1-20000 --wrap true)
# Each becomes a job of its own by being another than the others.
scontrol update "JobId=${id}_[1-20000]" Comment="$(printf 'x%.0s' {1..1000})"
last=$(sbatch --parsable -H -n1 --wrap true) # it lies behind them in memory, and stays
tap_is "$(squeue -h -r | wc -l)" 20001 'many jobs'
peak=$(resident)
[ "$peak" -gt $((before + 40000)) ]
tap_ok $? "they take memory ($before kB, then $peak kB)"
scancel "$id"
wait_for 120 few
tap_ok $? "it is given back when they are forgotten ($(resident) kB)"
tap_is "$(job_state "$last")" PENDING 'the job that stays is there'
cluster_end
tap_done
