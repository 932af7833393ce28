#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An independent, slow and small account of what a scheduler does, to hold slumber-sim against.

sim_reference.py SLUMBER_SIM FOLDER CASES [SEED]: random small traces on nodes that are taken whole,
conservative and EASY; says what differs, and how often a place has moved.  Rules: at one instant
completions come before submissions.  Free nodes are taken lowest number first.  A place is [t, t +
limit) on the same nodes all the time.

conservative: each job has a reservation, made in order of priority and submission, as early as it
fits.  They persist.  A job that comes is put in; those behind it in the queue are taken out before,
and put back in order, which may move them back.  When a job has ended each waiting job in order is
taken out and put back at its earliest fit, which may be on other nodes at the same time. What those
that have moved leave may let the first of the queue start: then all are gone through again.  A job
starts when its time has come, or when all the nodes that it needs are free now and kept for no
other job during its limit. EASY: the first that must wait has the only reservation; a job that is
not in its way starts."""
import collections
import csv
import random
import subprocess
import sys


class Job:
    def __init__(self, name, submit, run, limit, nodes, priority):
        self.priority = priority
        self.name, self.submit, self.run = name, submit, min(run, limit)
        self.limit, self.nodes = limit, nodes
        self.place = None   # (start, nodes) reserved
        self.before = None  # the same, while it is taken out
        self.start = self.on = None


def fits(size, job, now, taken):
    """The earliest (start, nodes); taken: (from, until, nodes) of others."""
    for t in sorted({now} | {until for _, until, _ in taken if until > now}):
        free = [n for n in range(size) if not any(f < t + job.limit and u > t and n in on for f, u,
                                                  on in taken)]
        if len(free) >= job.nodes:
            return t, frozenset(free[:job.nodes])
    raise ValueError('it never fits')


class Cluster:
    """size nodes, the jobs that wait and those that run, at the instant now."""

    def __init__(self, size, easy):
        self.size, self.easy, self.now = size, easy, 0
        self.queue, self.running = [], []
        self.moves = collections.Counter()

    def taken(self, but=None):
        return ([(j.start, j.start + j.limit, j.on) for j in self.running] +
                [(j.place[0], j.place[0] + j.limit, j.place[1]) for j in self.queue if j.place
                 and j is not but])

    def start(self, job, on):
        job.start, job.on, job.place = self.now, on, None
        self.queue.remove(job)
        self.running.append(job)

    def put(self, job):
        """Its earliest place, whichever it had; it starts if that is now."""
        place = fits(self.size, job, self.now, self.taken(job))
        old = job.place or job.before
        if old and place != old:
            self.moves['back' if place[0] > old[0] else 'aside' if place[0] == old[0]
                       else 'forward'] += 1
        if place[0] == self.now:
            self.start(job, place[1])
        else:
            job.place = place

    def start_first(self, jobs):
        """Those at the head that fit now; how many."""
        for n, job in enumerate(jobs):
            place = fits(self.size, job, self.now, self.taken(job))
            if place[0] != self.now:
                return n
            self.start(job, place[1])
        return len(jobs)

    def put_in(self, at):
        """Those from there on in the queue are new or behind such: they make room and find new
        places.  What they leave may let the first of the queue start."""
        before, behind = self.queue[:at], self.queue[at:]
        for job in behind:
            job.before, job.place = job.place, None
        for job in list(self.queue) if self.start_first(before) else behind:
            self.put(job)
            job.before = None

    def pass_easy(self):
        head = None
        for job in self.queue:
            job.place = None
        for job in list(self.queue):
            place = fits(self.size, job, self.now, self.taken())
            if place[0] == self.now:
                self.start(job, place[1])
            elif head is None:
                head, job.place = job, place

    def pass_conservative(self):
        while True:
            before = [(job, job.place) for job in self.queue]
            for job in list(self.queue):
                self.put(job)
            if all(job.start is not None or job.place == place for job,
                   place in before) or not self.start_first(list(self.queue)):
                break

    def add(self, new):
        self.queue = sorted(self.queue + new, key=lambda j: -j.priority)
        if self.easy:
            self.pass_easy()
        else:
            self.put_in(min(self.queue.index(j) for j in new))

    def end_jobs(self):
        """Those whose time has come end, and those that wait for this instant are looked at."""
        ended = [j for j in self.running if j.start + j.run == self.now]
        for job in ended:
            self.running.remove(job)
        if not ended and not any(j.place and j.place[0] == self.now for j in self.queue):
            return
        if self.easy:
            self.pass_easy()
        else:
            self.pass_conservative()


def simulate(size, jobs, easy):
    cluster = Cluster(size, easy)
    todo = sorted(jobs, key=lambda j: j.submit)

    while todo or cluster.queue or cluster.running:
        times = [j.start + j.run for j in cluster.running] + [j.submit for j in todo[:1]]
        times += [j.place[0] for j in cluster.queue if j.place]
        cluster.now = min(t for t in times if t >= cluster.now)
        cluster.end_jobs()
        new = [j for j in todo if j.submit == cluster.now]
        if new:
            todo = todo[len(new):]
            cluster.add(new)
    return cluster.moves


def names(on):
    return frozenset(n + 1 for n in on)


def expand(text):
    """n[1-3,7] -> {1, 2, 3, 7}"""
    out = set()
    for part in text.removeprefix('n').strip('[]').split(','):
        first, _, last = part.partition('-')
        out |= set(range(int(first), int(last or first) + 1))
    return frozenset(out)


def ours(program, folder, size, jobs, easy):
    with open(f'{folder}/slurm.conf', 'w', encoding='ascii') as f:
        f.write('ClusterName=r\nSlurmctldHost=h\nSlurmUser=root\nStateSaveLocation=/tmp\n'
                f'SelectType=select/linear\nNodeName=n[1-{size}] CPUs=1\n'
                'PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED\n'
                + ('SchedulerParameters=bf_easy\n' if easy else ''))
    with open(f'{folder}/jobs.csv', 'w', encoding='ascii') as f:
        f.write('job,submit,run,limit,nodes,priority\n')
        for j in jobs:
            f.write(f'{j.name},{j.submit},{j.run},{j.limit},{j.nodes},{j.priority}\n')
    out = subprocess.run([program, '-f', f'{folder}/slurm.conf', '-t', f'{folder}/jobs.csv',
                          '--csv', '-q'], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return {row['job']: (float(row['start']), expand(row['node_list']))
            for row in csv.DictReader(out.splitlines())}


def trace(rng):
    large = rng.random() < 0.2
    size, jobs, t = rng.randint(60, 140) if large else rng.randint(1, 12), [], 0
    coarse = rng.random() < 0.5     # many things at one instant
    ranks = rng.choice([[1000], [1000], [1000, 2000], range(1000, 2000)])
    for i in range(rng.randint(30, 90) if large else rng.randint(1, 40)):
        t += rng.choice([0, 0, 0, 10, 20, 30, 100]) if coarse else rng.choice([0, 0,
                                                                               rng.randint(1, 60)])
        limit = rng.randint(1, 12) * 10 if coarse else rng.randint(1, 150)
        run = max(1, min(limit, rng.choice([limit, limit, limit // 2, rng.randint(1, limit), 1])))
        if coarse:
            run = (run + 9) // 10 * 10
        jobs.append(Job(f'j{i}', t, run, limit,
                        rng.randint(1, rng.choice([size, size, 3, size // 4 + 1]) if large
                                    else size),
                        rng.choice(ranks)))
    return size, jobs


def main():
    program, folder, cases = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    bad, moves = 0, collections.Counter()
    for case in range(cases):
        size, jobs = trace(rng)
        for easy in (False, True):
            for j in jobs:
                j.place = j.start = j.on = None
            moves += simulate(size, jobs, easy)
            got = ours(program, folder, size, jobs, easy)
            wrong = [j for j in jobs if got[j.name] != (j.start, names(j.on))]
            if not wrong:
                continue
            bad += 1
            j = min(wrong, key=lambda j: min(j.start, got[j.name][0]))
            print(f'case {case}, {"EASY" if easy else "conservative"}, {size} nodes, '
                  f'{len(jobs)} jobs: {len(wrong)} differ; the first is {j.name}: '
                  f'at {j.start} on {sorted(names(j.on))}; '
                  f'slumber-sim: at {got[j.name][0]} on {sorted(got[j.name][1])}')
    print(f'{cases} traces, {bad} differ; places moved: {moves["forward"]} forward, '
          f'{moves["aside"]} aside, {moves["back"]} back')
    return bad > 0 or not all(moves[way] for way in ('forward', 'aside', 'back'))


if __name__ == '__main__':
    sys.exit(main())
