#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random small clusters and traces: does each job start in slumber-sim when and where the
independent account (reference_model.py) says?  Prints what differs.  A case can be had again by
seed and number; --shrink leaves out the jobs without which it differs, too, and prints its
files."""
import argparse
import collections
import csv
import os
import random
import subprocess
import sys
import tempfile

from reference_model import Job, Limit, Node, Request, Site, simulate

NEVER = 10 ** 7

SCHEDULERS = ('conservative', 'easy', 'builtin')


class Case:
    """A cluster, and jobs."""

    def __init__(self, site, jobs, parameters):
        self.site, self.jobs, self.parameters = site, jobs, parameters


# ---- what slumber-sim is told ----

def node_line(node, memory):
    cpus = node.cores * node.threads
    shape = f'CPUs={cpus} Sockets=1 CoresPerSocket={node.cores} ThreadsPerCore={node.threads}'
    return (f'NodeName={node.name} {shape if node.threads > 1 else f"CPUs={cpus}"}'
            + (f' RealMemory={node.all[1]}' if memory else '')
            + (f' Gres=gpu:{node.all[2]}' if node.all[2] else '') + f' Weight={node.weight}\n')


def conf_text(case, how):
    site = case.site
    lines = ['ClusterName=r\nSlurmctldHost=h\nSlurmUser=root\nStateSaveLocation=/tmp\n'
             'PriorityType=priority/basic\n', case.parameters]
    if how == 'builtin':
        lines.append('SchedulerType=sched/builtin\n')
    elif how == 'easy':
        lines.append('SchedulerParameters=bf_easy\n')
    if any(n.all[2] for n in site.nodes):
        lines.append('GresTypes=gpu\n')
    lines += [node_line(node, site.memory) for node in site.nodes]
    for p in sorted({p for n in site.nodes for p in n.partitions}):
        names = ','.join(n.name for n in site.nodes if p in n.partitions)
        lines.append(f'PartitionName={p} Nodes={names} MaxTime=UNLIMITED'
                     + (' Default=YES\n' if p == 'p' else '\n'))
    return ''.join(lines)


def row(job, i, site):
    q = job.requests[i]
    nodes = '' if q.least == 1 and q.upto is None else f'{q.least}-{q.upto}' if q.upto else q.least
    return {'job': job.name if i == 0 else '', 'submit': job.submit if i == 0 else '',
            'run': job.run if i == 0 else '', 'limit': job.limit, 'priority': job.priority,
            'nodes': nodes, 'tasks': q.tasks if q.told_tasks and not q.per_node else '',
            'cpus_per_task': q.cpus if q.cpus > 1 else '', 'tasks_per_node': q.per_node or '',
            'mem': q.memory or '', 'mem_per_cpu': q.per_cpu or '',
            'gres': f'gpu:{q.gpus}' if q.gpus else '', 'exclusive': 'yes' if q.whole else '',
            'nodelist': ','.join(site.nodes[n].name for n in sorted(q.nodelist)),
            'partition': q.partition, 'user': job.user or '', 'het': job.name if i else '',
            'reservation': 'r' if job.inside else ''}


def write_jobs(path, case):
    with open(path, 'w', encoding='ascii') as f:
        out = None
        for job in case.jobs:
            for i in range(len(job.requests)):
                cells = row(job, i, case.site)
                if out is None:
                    out = csv.DictWriter(f, cells, lineterminator='\n')
                    out.writeheader()
                out.writerow(cells)


def limit_words(limit, case):
    what = 'node' if case.site.counted == 'nodes' else 'cpu'
    return ((f':GrpJobs={limit.jobs}' if limit.jobs is not None else '')
            + (f':GrpTRES={what}={limit.amount}' if limit.amount is not None else ''))


def accounts_text(case):
    lines = ["Cluster - 'r':Fairshare=1\nParent - 'root'\n"]
    lines += [f"Account - '{a.name}':Fairshare=1{limit_words(a, case)}\n" for a in case.site.limits]
    for a in case.site.limits:
        lines.append(f"Parent - '{a.name}'\n")
        lines += [f"User - '{user}':DefaultAccount='{a.name}':Fairshare=1\n" for user in a.users]
    return ''.join(lines)


def reservation_text(site):
    begin, end = site.reservation
    kept = [node for node in site.nodes if node.all[3]]
    return (f'ReservationName=r StartTime=now+{begin} EndTime=now+{end} Users=alice'
            f' Nodes={",".join(node.name for node in kept)}'
            f' CoreCnt={",".join(str(node.all[3]) for node in kept)}\n')


def expand(text):
    """n[1-3,7] -> {n1, n2, n3, n7}"""
    out = set()
    for part in text.removeprefix('n').strip('[]').split(','):
        first, _, last = part.partition('-')
        out |= {f'n{i}' for i in range(int(first), int(last or first) + 1)} if first else set()
    return out


def ours(program, folder, case, how):
    """By its name, for each component: start and nodes."""
    with open(f'{folder}/slurm.conf', 'w', encoding='ascii') as f:
        f.write(conf_text(case, how))
    with open(f'{folder}/slumber.yaml', 'w', encoding='ascii') as f:
        f.write('plan_whole_nodes: no\n')
    write_jobs(f'{folder}/jobs.csv', case)
    more = []
    if case.site.limits:
        with open(f'{folder}/accounts', 'w', encoding='ascii') as f:
            f.write(accounts_text(case))
        more = ['--accounts', f'{folder}/accounts']
    if case.site.reservation:
        with open(f'{folder}/reservations', 'w', encoding='ascii') as f:
            f.write(reservation_text(case.site))
        more += ['--reservations', f'{folder}/reservations']
    out = subprocess.run([program, '-f', f'{folder}/slurm.conf', '-t', f'{folder}/jobs.csv',
                          '--csv', '-q'] + more, check=True, stdout=subprocess.PIPE,
                         text=True).stdout
    return {r['job']: (float(r['start'] or -1), expand(r['node_list']), int(r['cpus'] or 0))
            for r in csv.DictReader(out.splitlines())}


# ---- random ones ----

def some_site(rng, shared, limits):
    alike = limits or rng.random() < 0.4
    size = rng.randint(1, 8) if shared else rng.randint(1, 12)
    memory = shared and rng.random() < 0.6
    counted = rng.choice(['cores', 'cores', 'cpus']) if shared else 'nodes'
    gpus = shared and rng.random() < 0.4

    def shape():
        return (rng.choice([1, 2, 4, 4, 6, 8]), 1 if limits else rng.choice([1, 1, 2]),
                1000 * rng.randint(2, 8),
                rng.choice([0, 1, 2, 4]) if gpus else 0, rng.choice([1, 1, 1, 2]))
    first, nodes = shape(), []
    for i in range(size):
        cores, threads, mb, gpu, weight = first if alike else shape()
        partitions = {'p'}
        partitions.add('odd' if i % 2 else 'even')
        nodes.append(Node(f'n{i + 1}', cores, threads, mb, gpu, weight, partitions))
    site = Site(nodes, counted, memory)
    words = {'nodes': 'SelectType=select/linear\n', 'cores': 'SelectTypeParameters=CR_Core',
             'cpus': 'SelectTypeParameters=CR_CPU'}[counted]
    if shared:
        words = f'SelectType=select/cons_tres\n{words}{"_Memory" if memory else ""}\n'
    return site, words


def some_request(rng, site, partition='p'):
    size = sum(partition in n.partitions for n in site.nodes)
    cores = max(n.cores * n.threads for n in site.nodes)
    if site.counted == 'nodes':
        n = rng.randint(1, size)
        return Request(n, n, partition=partition)
    kind = rng.random()
    if kind < 0.15:
        n = rng.randint(1, size)
        return Request(n, n, whole=True, partition=partition)
    amounts = {'partition': partition, 'cpus': rng.choice([1, 1, 2, rng.randint(1, cores)])}
    if site.memory:
        which = rng.random()
        if which < 0.5:
            amounts['memory'] = 100 * rng.randint(1, 60)
        elif which < 0.95:
            amounts['per_cpu'] = 100 * rng.randint(1, 20)
    if rng.random() < 0.4:
        amounts['gpus'] = rng.choice([0, 1, 2])
    if kind < 0.6:  # -N
        n = rng.randint(1, rng.choice([1, size]))
        return Request(n, n, per_node=rng.choice([None, None, rng.randint(1, 4)]), **amounts)
    if kind < 0.8:  # -n
        return Request(tasks=rng.randint(1, rng.choice([4, cores])), **amounts)
    if kind < 0.9:  # -N2-4
        n = rng.randint(1, size)
        return Request(n, rng.randint(n, size), **amounts)
    n = rng.randint(1, size)
    return Request(n, n, tasks=rng.randint(n, 3 * n), **amounts)


def ever_free(site, node, inside):
    """What a job could have of the empty node at some time."""
    if inside:
        return (0,) + node.all[1:]
    begin, end = site.reservation or (0, 0)
    return node.all[:3] + (0,) if end == NEVER else node.all


def serves(site, requests, inside=False):
    """On an empty cluster."""
    free = {i: ever_free(site, n, inside) for i, n in enumerate(site.nodes)}
    for q in requests:
        part = site.choose(q, free)
        if part is None:
            return False
        free = {n: amount for n, amount in free.items() if n not in part}
    return True


def add_reservation(rng, site):
    """Of some cores, from now on or later; it ends while jobs come, or never.  Jobs that are inside
    need not fear its end."""
    ends = rng.random() < 0.4
    begin = rng.choice([0, 10 * rng.randint(2, 80)])
    site.reservation = (begin, begin + 10 * rng.randint(6, 60) if ends else NEVER)
    for node in site.nodes:
        node.keep(min(rng.choice([0, 1, 1, 2, node.cores // 2]), node.cores - 1))
    if not any(node.all[3] for node in site.nodes):
        site.nodes[0].keep(1)


def add_limits(rng, site, jobs):
    users = ['alice', 'bob', 'carol']
    for job in jobs:
        job.user = rng.choice(users)
    top = len(site.nodes) if site.counted == 'nodes' else sum(n.cores for n in site.nodes)
    most = max((site.counts(job) for job in jobs), default=1)
    site.limits = [Limit('one', users[:1], rng.choice([None, 1, 2, 3]),
                         rng.choice([None, rng.randint(most, max(most, top))])),
                   Limit('two', users[1:], rng.choice([None, 1, 2, 3]),
                         rng.choice([None, rng.randint(most, max(most, top))]))]


def some_case(rng, shared, limits, het, reserved):
    site, words = some_site(rng, shared, limits)
    if reserved:
        add_reservation(rng, site)
    jobs, t = [], 0
    coarse = rng.random() < 0.5     # many things at one instant
    ranks = rng.choice([[1000], [1000], [1000, 2000], range(1000, 2000)])
    for i in range(rng.randint(1, 40)):
        t += rng.choice([0, 0, 0, 10, 20, 30, 100]) if coarse else rng.choice([0, 0,
                                                                               rng.randint(1, 60)])
        limit = rng.randint(1, 12) * 10 if coarse else rng.randint(1, 150)
        run = max(1, min(limit, rng.choice([limit, limit, limit // 2, rng.randint(1, limit), 1])))
        if coarse:
            run = (run + 9) // 10 * 10
        inside = bool(site.reservation) and site.reservation[1] == NEVER and rng.random() < 0.4
        for _ in range(100):
            requests = [some_request(rng, site)]
            if het and rng.random() < 0.5 and len(site.nodes) > 1:
                requests = [some_request(rng, site, p) for p in ('even', 'odd')]
            if serves(site, requests, inside) and not (limits and any(
                    q.least != (q.upto or q.least) or (q.whole and site.counted != 'nodes')
                    for q in requests)):
                jobs.append(Job(f'j{i}', t, run, limit, requests, rng.choice(ranks),
                                'alice' if reserved else None, inside))
                break
    if not jobs:
        return some_case(rng, shared, limits, het, reserved)
    if limits:
        add_limits(rng, site, jobs)
        words += 'AccountingStorageEnforce=limits\n'
    return Case(site, jobs, words)


KINDS = ('nodes', 'parts', 'parts+limits', 'nodes+limits', 'nodes+het', 'parts+het',
         'parts+reserved')


def case_of(seed, number, kinds):
    rng = random.Random(f'{seed} {number}')
    kind = kinds[number % len(kinds)]
    return some_case(rng, 'nodes' not in kind, 'limits' in kind, 'het' in kind,
                     'reserved' in kind)


# ---- comparison ----

def wanted(site, job):
    """The same as ours(), of all components."""
    return {job.name if i == 0 else f'{job.name}+{i}':
            (float(job.start), {site.nodes[n].name for n in part},
             None) for i, part in enumerate(job.on)}


def differs(program, folder, case, how):
    """A text of what differs first, and how many do; and how often places have moved."""
    for job in case.jobs:
        job.clear()
    moves = simulate(case.site, case.jobs, how)
    got = ours(program, folder, case, how)
    wrong = []
    for job in case.jobs:
        for name, (start, on, _) in wanted(case.site, job).items():
            if got[name][:2] != (start, on):
                wrong.append((min(start, got[name][0]), name, start, on))
    if not wrong:
        return None, 0, moves
    _, name, start, on = min(wrong)
    return (f'{name}: at {start:g} on {sorted(on)}; slumber-sim: at {got[name][0]:g} on '
            f'{sorted(got[name][1])}', len(wrong), moves)


def shrink(program, folder, case, how):
    """Leaves out what is not needed for a difference."""
    again = True
    while again:
        again = False
        for job in list(case.jobs):
            fewer = Case(case.site, [j for j in case.jobs if j is not job], case.parameters)
            if fewer.jobs and differs(program, folder, fewer, how)[0]:
                case, again = fewer, True
    text, _, _ = differs(program, folder, case, how)
    print(f'the same with {len(case.jobs)} jobs: {text}')
    for name in ['slurm.conf'] + ['accounts'] * bool(case.site.limits) + [
            'reservations'] * bool(case.site.reservation) + ['jobs.csv']:
        with open(f'{folder}/{name}', encoding='ascii') as f:
            print(f'--- {name}\n{f.read()}')


def main():
    p = argparse.ArgumentParser(description=__doc__)
    here = os.path.dirname(os.path.realpath(__file__))
    p.add_argument('--sim', default=f'{here}/../../build/dev/controller/slumber-sim',
                   help='slumber-sim (default: that of build/dev)')
    p.add_argument('--random', type=int, default=100, metavar='N', help='so many cases')
    p.add_argument('--seed', default='1')
    p.add_argument('--case', type=int, help='this one alone')
    p.add_argument('--kinds', default='nodes', metavar='KIND,...',
                   help=f'of cases, in turn: {", ".join(KINDS)} (default: nodes)')
    p.add_argument('--how', default=','.join(SCHEDULERS), metavar='HOW,...',
                   help=f'default: {",".join(SCHEDULERS)}')
    p.add_argument('--shrink', action='store_true')
    p.add_argument('--keep', metavar='DIR', help='where the files of the last case stay')
    a = p.parse_args()
    bad, moves = 0, collections.Counter()
    schedulers = a.how.split(',')
    if not set(schedulers) <= set(SCHEDULERS) or not set(a.kinds.split(',')) <= set(KINDS):
        p.error('there is no such kind of cases or scheduler')

    with tempfile.TemporaryDirectory(prefix='slumber-reference-') as own:
        folder = a.keep or own
        for number in [a.case] if a.case is not None else range(a.random):
            for how in schedulers:
                case = case_of(a.seed, number, a.kinds.split(','))
                text, n, moved = differs(a.sim, folder, case, how)
                moves += moved
                if text:
                    bad += 1
                    print(f'case {number} ({how}), {len(case.site.nodes)} nodes, '
                          f'{len(case.jobs)} jobs: {n} differ, the first is {text}', flush=True)
                    if a.shrink:
                        shrink(a.sim, folder, case, how)
    print(f'{a.random} traces, {bad} differ; places moved: {moves["forward"]} forward, '
          f'{moves["aside"]} aside, {moves["back"]} back')
    moved = all(moves[way] for way in ('forward', 'aside', 'back'))
    return bad > 0 or (a.random >= 50 and 'conservative' in schedulers and not moved)


if __name__ == '__main__':
    sys.exit(main())
