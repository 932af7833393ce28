#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scheduling throughput of slumber-sim: jobs per second of CPU time, and memory, at 100, 1,000 and
10,000 nodes.

    tests/bench/bench_sim.py [--build DIR] [--jobs N] [--nodes N,N...] [--load L] [--rates
    N/N,N/N...]

Jobs are of 1 to NODES/10 nodes, limits from 10 minutes to a day, run times anything up to that, all
from a fixed seed; they come at random times, so that the nodes are in use for LOAD (0.9) of the
time; nodes sleep after ten minutes, and wake and sleep as ResumeRate/SuspendRate let them: at once,
and, what is slower to simulate, as Slurm's defaults do.  (What a pending job and a node take in the
plan, bench_backfill says.)"""
import argparse
import math
import os
import random
import resource
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def write_trace(path, jobs, nodes, load):
    rng = random.Random(1)
    rows, work = [], 0
    for _ in range(jobs):
        size = int(math.exp(rng.uniform(0, math.log(max(2, nodes / 10)))))
        limit = 60 * int(10 * math.exp(rng.uniform(0, math.log(143))))
        run = max(1, int(limit * rng.random()))
        rows.append((size, limit, run))
        work += size * run
    times = sorted(rng.uniform(0, work / (nodes * load)) for _ in rows)
    with open(path, 'w', encoding='ascii') as f:
        f.write('submit,run,limit,nodes\n')
        for submit, (size, limit, run) in zip(times, rows):
            f.write(f'{submit:.3f},{run},{limit},{size}\n')


def run(a, folder, nodes, rates):
    resume, suspend = rates.split('/')
    with open(f'{folder}/slurm.conf', 'w', encoding='ascii') as f:
        f.write('ClusterName=bench\nSlurmctldHost=h\nSlurmUser=root\nStateSaveLocation=/tmp\n'
                'SelectType=select/linear\nSuspendProgram=/s\nResumeProgram=/r\nSuspendTime=600\n'
                f'SuspendRate={suspend}\nResumeRate={resume}\nResumeTimeout=300\n'
                f'NodeName=n[1-{nodes}] CPUs=1\n'
                'PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED\n')
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([f'{a.build}/controller/slumber-sim', '-q', '-f', f'{folder}/slurm.conf', '-t',
                    f'{folder}/jobs.csv'], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime - before
    print(f'{a.jobs} jobs on {nodes} nodes, rates {rates}: {took:.1f} s of CPU time, '
          f'{a.jobs / took:.0f} jobs/s, at most '
          f'{after.ru_maxrss / 1024:.0f} MB so far', flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    p.add_argument('--build', default=os.environ.get('SLUMBER_BUILD', f'{HERE}/../../build/bench'),
                   help='a release build')
    p.add_argument('--jobs', type=int, default=10000)
    p.add_argument('--nodes', default='100,1000,10000')
    p.add_argument('--load', type=float, default=0.9)
    p.add_argument('--rates', default='0/0,300/60', help='ResumeRate/SuspendRate')
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for nodes in (int(n) for n in a.nodes.split(',')):
            write_trace(f'{folder}/jobs.csv', a.jobs, nodes, a.load)
            for rates in a.rates.split(','):
                run(a, folder, nodes, rates)


if __name__ == '__main__':
    main()
