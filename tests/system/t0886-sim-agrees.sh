#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulation and life agree: what real daemons have decided, and what slumber-sim does with the same slurm.conf and the same jobs: the
# same order of starts, on the same nodes, conservative and EASY.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
nodes=(n1 n2 n3 n4 n5 n6)

# How long it runs, and what it asks for.  No two end at the same time, so that it is clear what comes first; who has several nodes ends
# when nobody waits any more: in life these are free one after the other, and somebody may start on the first one.
jobs='3.5 -N1 --exclusive -p some -t 5
4.4 -N1 --exclusive -t 1
5.6 -N1 -n3 -t 3
5.1 -N1 -n1 -t 8
4.7 -N1 --exclusive -C fast -t 2
5.9 -N1 --exclusive -t 3
6.6 -N1 --exclusive -t 3
7.2 -N5 --exclusive -t 3
3.0 -N1 -n4 -t 3
5.0 -N1 --exclusive -t 1
3.9 -N1 --exclusive -p some -t 5
5.8 -N1 -n2 -t 3
5.0 -N1 --exclusive -C fast -t 3
6.7 -N1 --exclusive -p some -t 5
6.3 -N1 --exclusive -p some -t 5
6.6 -N1 -n3 -t 1
3.3 -N1 --exclusive -t 8
3.2 -N1 -n2 -t 8
6.3 -N1 -n3 -t 1
6.4 -N1 --exclusive -t 1'
n=$(wc -l <<<"$jobs")

all_over() {
        [ "$(/usr/bin/python3 -c 'import sqlite3
print(sqlite3.connect("state/accounting.db", timeout=20).execute("select count(*) from job where state = \"COMPLETED\"").fetchone()[0])')" = "$n" ]
}
life() { # all are in the queue before the first one ends
        local run ask
        while read -r run ask; do
                # shellcheck disable=SC2086
                sbatch --parsable $ask --wrap "sleep $run" || return
        done <<<"$jobs" >submitted
        wait_for 90 all_over
}
# A line for each moment at which somebody has started: "4 on n[2-3], 7 on n5".
cat >moments.py <<'END'
import csv, sqlite3, sys
if sys.argv[1] == "life":
    rows = sqlite3.connect("state/accounting.db", timeout=20).execute("select time_start, job_id, nodes from job").fetchall()
else:
    rows = [(float(r["start"]), int(r["job"]), r["node_list"]) for r in csv.DictReader(sys.stdin)]
last = None
for start, job, nodes in sorted(rows):
    if last is not None:
        print("" if start - last < 0.15 else "\n", end="")
    print("%d on %s; " % (job, nodes), end="")
    last = start
print()
END
moments() { # LIFE|SIM: by number within a moment
        /usr/bin/python3 moments.py "$1" | while read -r line; do tr ';' '\n' <<<"$line" | sed 's/^ *//; /^$/d' | sort -n | paste -sd';'; done
}
agree() { # NAME SETTINGS...
        local name=$1
        shift
        rm -rf state
        cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Feature=fast' "$@"
        printf '%s\n' 'NodeName=n[3-6] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' \
                'PartitionName=some Nodes=n[3-4] MaxTime=INFINITE PriorityTier=2' >>slurm.conf
        ctld_start && for node in "${nodes[@]}"; do agent_start "$node"; done && wait_nodes 30 'n[1-6]' idle
        tap_ok $? "$name: a cluster" || { cluster_logs; tap_done; }
        life
        tap_ok $? "$name: $n jobs have run"
        moments life >"$name.life"
        "$SLUMBER_BUILD/controller/slumber-sim" -q -f slurm.conf --accounting --csv >"$name.csv" && moments sim <"$name.csv" >"$name.sim"
        tap_is "$?|$(cat "$name.sim")" "0|$(cat "$name.life")" "$name: the simulation starts them in the same order, on the same nodes"
        cluster_end
}

agree conservative
agree EASY SchedulerParameters=bf_easy
! cmp -s conservative.life EASY.life
tap_ok $? 'and the two are not the same'
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
