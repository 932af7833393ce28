#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulation and life agree: what real daemons have decided, and what slumber-sim does with the same slurm.conf and the same jobs: each
# job starts when the same jobs have ended, on the same nodes, conservative and EASY.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
nodes=(n1 n2 n3 n4 n5 n6)

# How long it runs, and what it asks for.  That is time of the test's own clock: in life a job runs until the test lets it end, one after
# the other, in the order of that clock; so what comes first does not depend on how busy this machine is.  The limits are far longer than
# the test takes.  A job of several nodes ends when no job waits any more: in life these are free one after the other, and a job may start
# on the first one.
jobs='3.50 -N1 --exclusive -p some -t 50
4.47 -N1 --exclusive -t 10
5.64 -N1 -n3 -t 30
5.11 -N1 -n1 -t 80
4.78 -N1 --exclusive -C fast -t 20
5.95 -N1 --exclusive -t 30
6.62 -N1 --exclusive -t 30
7.29 -N5 --exclusive -t 30
3.06 -N1 -n4 -t 30
5.03 -N1 --exclusive -t 10
3.90 -N1 --exclusive -p some -t 50
5.87 -N1 -n2 -t 30
5.04 -N1 --exclusive -C fast -t 30
6.71 -N1 --exclusive -p some -t 50
6.38 -N1 --exclusive -p some -t 50
6.65 -N1 -n3 -t 10
3.32 -N1 --exclusive -t 80
3.29 -N1 -n2 -t 80
6.36 -N1 -n3 -t 10
6.43 -N1 --exclusive -t 10'
n=$(wc -l <<<"$jobs")

# Lets the jobs of state/ end, and writes a copy of the accounts with the times of the test's clock.
cat >life.py <<'END'
import os, sqlite3, subprocess, sys, time
runs = [float(line.split()[0]) for line in open("jobs")]
def squeue(*options):
    return {int(job) for job in subprocess.run(["squeue", "-h", "-o", "%A", *options], stdout=subprocess.PIPE, text=True, check=True).stdout.split()}
deadline = time.time() + 300
now, ends, running = 0, {}, set() # job: when it is to end
while True:
    # what starts now has started when the controller has answered so many times, and nothing new
    same = 0
    while same < 5:
        was, running = running, squeue("-t", "R")
        same = same + 1 if was == running else 0
    for job in sorted(running - ends.keys()):
        ends[job] = (now or 0.001 * job) + runs[job - 1]
    if not running:
        break
    job = min(running, key=ends.get)
    now = ends[job]
    open(f"end.{job}", "w").close()
    while job in squeue(): # also CG: until its nodes are free
        if time.time() > deadline:
            sys.exit(f"job {job} does not end")
    os.remove(f"end.{job}")
# In the accounts a start belongs to the last end before it.
a = sqlite3.connect("state/accounting.db", timeout=20)
while a.execute("select count(*) from job where state = 'COMPLETED'").fetchone()[0] < len(runs) and time.time() < deadline:
    time.sleep(0.05)
copy = sqlite3.connect(sys.argv[1])
a.backup(copy)
ended, first = {0: 0}, None # real times: those of the clock
for start, end, job, nodes in copy.execute("select time_start, time_end, job_id, nodes from job order by time_start").fetchall():
    first = first or int(start)
    begun = ended[max(t for t in ended if t <= start)] or 0.001 * job
    ended[end] = begun + runs[job - 1]
    copy.execute("update job set time_submit = ?, time_queued = ?, time_eligible = ?, time_start = ?, time_end = ? where job_id = ?",
                 (first + 0.001 * job, first + 0.001 * job, first + 0.001 * job, first + begun, first + ended[end], job))
    print(job, "%.3f" % begun, nodes)
copy.commit()
END
life() { # ACCOUNTS: all are in the queue before the first one ends
        local run ask
        rm -f end.*
        while read -r run ask; do
                # shellcheck disable=SC2086
                sbatch --parsable $ask --wrap 'until [ -e end.$SLURM_JOB_ID ]; do sleep 0.05; done' || return
        done <<<"$jobs" >submitted
        echo "$jobs" >jobs
        /usr/bin/python3 life.py "$1"
}
# Where life and the simulation disagree: the node list of a job, or when it starts.
cat >compare.py <<'END'
import csv, sys
life = {int(w[0]): (float(w[1]), w[2]) for w in map(str.split, open(sys.argv[1]))}
sim = {int(r["job"]): (float(r["start"]), r["node_list"]) for r in csv.DictReader(open(sys.argv[2]))}
for job in sorted(life.keys() | sim.keys()):
    if job not in life or job not in sim or life[job][1] != sim[job][1] or abs(life[job][0] - sim[job][0]) > 0.002:
        print(f"job {job}: life {life.get(job)}, simulation {sim.get(job)}")
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
        rm -f accounts
        life accounts >"$name.life"
        tap_ok $? "$name: $n jobs have run" || { squeue; cluster_logs; }
        "$SLUMBER_BUILD/controller/slumber-sim" -q -f slurm.conf --accounting-file=accounts --csv >"$name.csv"
        tap_is "$?|$(/usr/bin/python3 compare.py "$name.life" "$name.csv")|$(wc -l <"$name.life")" "0||$n" \
                "$name: the simulation starts them at the same times, on the same nodes"
        cluster_end
}

agree conservative
agree EASY SchedulerParameters=bf_easy
! diff <(cut -d' ' -f1 conservative.life) <(cut -d' ' -f1 EASY.life) >/dev/null
tap_ok $? 'and the two are not the same'
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
