#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulation and life agree: what real daemons have decided, and what slumber-sim does with the same slurm.conf and the same jobs: the
# same order of starts, on the same nodes, conservative and EASY.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
nodes=(n1 n2 n3 n4 n5 n6)

# How long it runs, and what it asks for.  No two end at the same time, so that it is clear what comes first; a job of several nodes ends
# when no job waits any more: in life these are free one after the other, and a job may start on the first one.
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
# Job, seconds since the first start, nodes: of what has been.
cat >life.py <<'END'
import sqlite3
rows = sqlite3.connect("state/accounting.db", timeout=20).execute("select time_start, job_id, nodes from job order by time_start, job_id").fetchall()
for start, job, nodes in rows:
    print(job, "%.3f" % (start - rows[0][0]), nodes)
END
# The same of the simulation, and where the two disagree: nodes, and the order of those that are half a second apart in both.  Which of two
# is first that start closer to each other is also a matter of how busy this machine is.
cat >compare.py <<'END'
import csv, sys
life = {int(w[0]): (float(w[1]), w[2]) for w in map(str.split, open(sys.argv[1]))}
sim = {int(r["job"]): (float(r["start"]), r["node_list"]) for r in csv.DictReader(open(sys.argv[2]))}
for job in sorted(life.keys() | sim.keys()):
    if job not in life or job not in sim or life[job][1] != sim[job][1]:
        print(f"job {job}: life {life.get(job)}, simulation {sim.get(job)}")
for a in life:
    for b in life:
        if a in sim and b in sim and life[b][0] - life[a][0] > 0.5 and sim[a][0] - sim[b][0] > 0.5:
            print(f"life has job {a} before {b}, the simulation {b} before {a}")
END
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
        /usr/bin/python3 life.py >"$name.life"
        "$SLUMBER_BUILD/controller/slumber-sim" -q -f slurm.conf --accounting --csv >"$name.csv"
        tap_is "$?|$(/usr/bin/python3 compare.py "$name.life" "$name.csv")|$(wc -l <"$name.life")" "0||$n" \
                "$name: the simulation starts them in the same order, on the same nodes"
        cluster_end
}

agree conservative
agree EASY SchedulerParameters=bf_easy
! diff <(cut -d' ' -f1 conservative.life) <(cut -d' ' -f1 EASY.life) >/dev/null
tap_ok $? 'and the two are not the same'
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
