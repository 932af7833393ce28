# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scheduler does, told once more: slow, small, and from the documents alone.  Times are
seconds.  sim_reference.py holds slumber-sim against it.

Amounts of a node are (cores, MB of memory, GPUs, cores of the reservation).  A job asks with its
Requests: one, or one for each component, which start together on different nodes.  A place of a job
is what it is to have of certain nodes during [t, t + limit); it fits if at every instant of that
all that run or are planned on a node have no more together than there is.

A reservation has some cores of nodes (CoreCnt) from when until when.  A job inside of it has these
alone, then; one outside has them, and takes them first, where it is over before or begins after.
When it begins, and when it is gone, all places are made anew.

builtin: jobs start in the order of the queue (priority, then submission), none before another one
that has to wait.  easy: the first of each partition that must wait has a place; a job that is not in
its way starts.

conservative: each job has a place, made in the order of the queue, as early as it fits.  Places
persist.  A job that comes is put in; those behind it in the queue are taken out before, and put
back in order, which may move them back.  When a job has ended each waiting job in order is taken
out and put back at its earliest fit, which may be on other nodes at the same time.  What those
that have moved leave may let the first of the queue start: then all are gone through again.

A job starts when its time has come, or earlier where it fits now for its whole limit.  A component
of whole nodes heeds all places for that; one of parts heeds those before it in the queue, and
those behind it that are no longer free are lost, the last ones first, and all are gone through
again.  A job that has lost its place finds a new one in its turn, as if those behind it that begin
before that one is over had none.

When something has ended, first those at the head of the queue start that fit now, inside of the
reservation and outside of it.  When a job of several components has started before its time or on
other nodes, all are gone through again.

A job that a limit keeps from starting now has no place and delays no other.  What it had it loses
in its turn, or when all have been gone through; then all are gone through again."""
import collections
import math

NOTHING = (0, 0, 0, 0)


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


def most(a, b):
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


class Node:
    def __init__(self, name, cores, threads, memory, gpus, weight, partitions):
        self.name, self.threads, self.weight, self.partitions = name, threads, weight, partitions
        self.cores = cores
        self.all = (cores, memory, gpus, 0)

    def keep(self, kept):
        """So many of its cores are the reservation's."""
        self.all = (self.cores - kept,) + self.all[1:3] + (kept,)


class Request:
    """Of one component.  least to upto nodes (upto None: any number); tasks of cpus CPUs each
    (None: as many as nodes); per_node: so many on each node; memory: MB of a node, per_cpu: of a
    CPU (None, both: all of a node); gpus of a node; whole: its nodes for itself; nodelist: numbers
    of nodes that are among them."""

    def __init__(self, least=1, upto=None, tasks=None, cpus=1, per_node=None, memory=None,
                 per_cpu=None, gpus=0, whole=False, nodelist=(), partition='p'):
        self.nodelist, self.partition = frozenset(nodelist), partition
        self.whole, self.gpus = whole, gpus
        self.least, self.upto = max(least, len(self.nodelist)), upto
        self.cpus, self.per_node, self.memory, self.per_cpu = cpus, per_node, memory, per_cpu
        self.told_tasks = bool(tasks or per_node)
        self.tasks = tasks or least * (per_node or 1)


class Site:
    """nodes by their numbers; what is counted: 'cores', 'cpus' (a job is charged for the CPUs that
    it uses), or 'nodes' (select/linear); memory: it is counted, too; reservation: (from, until)."""

    def __init__(self, nodes, counted='cores', memory=False, limits=(), reservation=None):
        self.nodes, self.counted, self.memory, self.limits = nodes, counted, memory, limits
        self.reservation = reservation

    def allows(self, job, start, free):
        """What of that it may have from start on."""
        begin, end = self.reservation or (0, 0)
        if job.inside:
            return (0, free[1], free[2], free[3] if begin <= start < end else 0)
        return free if start + job.limit <= begin or start >= end else free[:3] + (0,)

    def counts(self, job):
        """Cores that it is charged for on an empty cluster, or nodes if it takes whole ones."""
        free, total = {n: node.all for n, node in enumerate(self.nodes)}, 0
        for request in job.requests:
            part = self.choose(request, free)
            total += (len(part) if self.counted == 'nodes' else
                      sum(amount[0] + amount[3] for amount in part.values()))
            free = {n: amount for n, amount in free.items() if n not in part}
        return total

    def is_whole(self, request):
        return self.counted == 'nodes' or request.whole

    def shares(self, job):
        """Some of its components have parts of nodes."""
        return not all(self.is_whole(q) for q in job.requests)

    def charge(self, node, request, tasks):
        """What tasks of it take there."""
        if request.whole or self.counted == 'nodes':
            cores, gpus = node.cores, node.all[2]
        else:
            cores, gpus = math.ceil(tasks * request.cpus / node.threads), request.gpus
        memory = 0
        if self.memory:
            cpus = tasks * request.cpus if self.counted == 'cpus' and not request.whole else \
                cores * node.threads
            memory = (request.memory if request.memory else
                      request.per_cpu * cpus if request.per_cpu else node.all[1])
        return cores, memory, gpus, 0

    def tasks(self, node, request, free):
        """How many tasks of it there is room for."""
        whole = request.whole or self.counted == 'nodes'
        cores = free[0] + free[3]
        if whole and free != node.all and (cores < node.cores or free[2] < node.all[2]):
            return 0
        if free[2] < request.gpus:
            return 0
        top = (node.cores if whole else cores) * node.threads // request.cpus
        if request.per_node:
            top = request.per_node if top >= request.per_node else 0
        while top:
            if self.charge(node, request, top)[1] <= free[1]:
                break
            top = 0 if request.per_node else top - 1
        return top

    def choose(self, request, free):
        """Nodes and what it takes of each, of those that have so much free; None: it does not fit.
        Nodes of less weight come first, then those of lower numbers; the first that are enough are
        taken.  A node that is enough alone comes before several, if none of less weight has room.
        Where more nodes would be needed than it may have, the largest of the first that do."""
        offers = []
        for n, amount in free.items():
            node = self.nodes[n]
            if request.partition not in node.partitions:
                continue
            tasks = self.tasks(node, request, amount)
            if tasks and (request.upto != 1 or tasks >= request.tasks):
                offers.append((n not in request.nodelist, node.weight, n, tasks))
        offers.sort()
        if sum(o[2] in request.nodelist for o in offers) < len(request.nodelist):
            return None
        chosen = self.first_enough(request, offers)
        if not chosen:
            return None
        return {n: self.split(amount, free[n]) for n, amount in self.deal(request, chosen).items()}

    @staticmethod
    def split(amount, free):
        """Cores of the reservation first."""
        kept = min(amount[0], free[3])
        return amount[0] - kept, amount[1], amount[2], kept

    @staticmethod
    def first_enough(request, offers):
        upto = request.upto or len(offers)
        wanted = request.least
        if request.upto:
            wanted = max(wanted, min(upto, request.tasks if request.told_tasks else upto))
        if request.least == 1 and wanted == 1 and request.tasks > 1:
            for o in offers:
                if o[:2] == offers[0][:2] and o[3] >= request.tasks:
                    return [o]

        def enough(some):
            named = sum(not o[0] for o in some)
            return (len(some) >= request.least and sum(o[3] for o in some) >= request.tasks
                    and named == len(request.nodelist))

        for n in range(1, min(upto, len(offers)) + 1):
            if enough(offers[:n]):
                return offers[:max(n, min(wanted, len(offers)))]
        for end in range(upto + 1, len(offers) + 1):
            largest = sorted(offers[:end], key=lambda o: (o[0], -o[3], o[2]))
            if enough(largest[:upto]):
                for n in range(1, upto + 1):
                    if enough(largest[:n]):
                        return largest[:max(n, min(wanted, upto))]
        return None

    def deal(self, request, chosen):
        """Each node gets a task, with those that its core has threads for; then one is filled after
        the other, of least weight first."""
        chosen = sorted(chosen, key=lambda o: o[1:3])
        left = max(request.tasks, len(chosen))
        firsts = []
        for _, _, n, room in chosen:
            node = self.nodes[n]
            first = 1
            if not request.whole and self.counted != 'nodes':
                cores = math.ceil(request.cpus / node.threads)
                first = max(1, min(room, cores * node.threads // request.cpus))
            firsts.append(first)
        taken = {}
        for i, (_, _, n, room) in enumerate(chosen):
            kept, others = sum(firsts[i + 1:]), len(chosen) - 1 - i
            given = min(room, max(left - kept, min(firsts[i], left - others)))
            if request.per_node:
                given = request.per_node
            left -= given
            taken[n] = self.charge(self.nodes[n], request, given)
        return taken


class Limit:
    """Of what the jobs of an account have together, which asks for what it gets; None: any."""

    def __init__(self, name, users, jobs=None, amount=None):
        self.name, self.users, self.jobs, self.amount = name, users, jobs, amount


class Job:
    def __init__(self, name, submit, run, limit, requests, priority, user=None, inside=False):
        self.inside = inside
        self.name, self.submit, self.run, self.limit = name, submit, min(run, limit), limit
        self.requests, self.priority, self.user = requests, priority, user
        self.clear()

    def clear(self):
        self.place = None   # (start, amounts by node for each request) reserved
        self.before = None  # the same, while it is taken out
        self.start = self.on = None
        self.counts = 0


class Profile:
    """What jobs that run, and places, take of the nodes, from when until when."""

    def __init__(self, site):
        self.site = site
        self.uses = [{} for _ in site.nodes]  # of each node: job -> (from, until, amount)
        self.ends = collections.Counter()
        self.all = [node.all for node in site.nodes]

    def lay(self, job, start, parts):
        until = start + job.limit
        for part in parts:
            for n, amount in part.items():
                self.uses[n][job] = (start, until, amount)
        self.ends[until] += 1

    def forget_reservation(self):
        """Its cores are like all others from now on."""
        def merged(a):
            return a[0] + a[3], a[1], a[2], 0
        self.all = [merged(a) for a in self.all]
        for uses in self.uses:
            for job, (start, until, amount) in uses.items():
                uses[job] = (start, until, merged(amount))

    def lift(self, job, start, parts):
        for part in parts:
            for n in part:
                del self.uses[n][job]
        self.ends[start + job.limit] -= 1

    def free(self, n, start, until):
        """What is free of it all the time."""
        uses = [u for u in self.uses[n].values() if u[0] < until and u[1] > start]
        peak = NOTHING
        for t in {start} | {u[0] for u in uses if u[0] > start}:
            total = NOTHING
            for f, u, amount in uses:
                if f <= t < u:
                    total = plus(total, amount)
            peak = most(peak, total)
        return minus(self.all[n], peak)

    def is_free(self, job, start, parts):
        return all(max(minus(amount, self.free(n, start, start + job.limit))) <= 0
                   for part in parts for n, amount in part.items())

    def all_free(self, job, t):
        """Of each node, all the time that it would run from t on."""
        return {n: self.site.allows(job, t, self.free(n, t, t + job.limit))
                for n in range(len(self.site.nodes))}

    def fit_in(self, job, whole, shared):
        """What it would get where so much is free for components of whole nodes, and so much for
        those of parts; None: it does not fit."""
        free = [whole if self.site.is_whole(q) else shared for q in job.requests]
        parts, order = {}, list(range(len(job.requests)))
        if len(order) > 1:  # those with the fewest nodes that could serve them come first
            def usable(i):
                return sum(job.requests[i].partition in self.site.nodes[n].partitions and
                           self.site.tasks(self.site.nodes[n], job.requests[i], free[i][n]) > 0
                           for n in free[i])
            order.sort(key=usable)
        taken = set()
        for i in order:
            left = {n: amount for n, amount in free[i].items() if n not in taken}
            parts[i] = self.site.choose(job.requests[i], left)
            if parts[i] is None:
                return None
            taken |= set(parts[i])
        return tuple(parts[i] for i in range(len(job.requests)))

    def fit_at(self, job, t):
        """What it would get from t on beside all; None: it does not fit."""
        free = self.all_free(job, t)
        return self.fit_in(job, free, free)

    def fit(self, job, now):
        """The earliest place."""
        ends = {t for t, count in self.ends.items() if count} | set(self.site.reservation or ())
        for t in sorted({now} | {t for t in ends if t > now}):
            parts = self.fit_at(job, t)
            if parts:
                return t, parts
        raise ValueError(f'{job.name} never fits')


def same_nodes(a, b):
    """From the same time on, however tasks are dealt to them."""
    return a[0] == b[0] and [set(part) for part in a[1]] == [set(part) for part in b[1]]


class Cluster:
    """The jobs that wait and those that run, at the instant now."""

    def __init__(self, site, how):
        self.how, self.now = how, 0
        self.profile = Profile(site)
        self.queue, self.running = [], []
        self.lost = False  # all are to be gone through again
        self.moves = collections.Counter()

    def reserve(self, job, place):
        if job.place:
            self.profile.lift(job, *job.place)
        job.place = place
        if place:
            self.profile.lay(job, *place)

    def start(self, job, parts):
        self.reserve(job, None)
        job.start, job.on = self.now, parts
        self.profile.lay(job, self.now, parts)
        self.queue.remove(job)
        self.running.append(job)
        if self.profile.site.shares(job):
            self.displace()

    def drop_limited(self):
        """When all have been gone through, those that have no room any more lose their places."""
        for job in self.queue:
            if job.place and self.is_limited(job):
                self.reserve(job, None)
                self.lost = True

    def fit_now(self, job):
        """What it would get if it started now.  On whole nodes it heeds all places; on others those
        before it in the queue."""
        behind = [(other, other.place) for other in self.queue[self.queue.index(job) + 1:]
                  if other.place] if self.profile.site.shares(job) else []
        beside_all = self.profile.all_free(job, self.now)
        for other, _ in behind:
            self.reserve(other, None)
        before = self.profile.all_free(job, self.now) if behind else beside_all
        for other, place in behind:
            self.reserve(other, place)
        return self.profile.fit_in(job, beside_all, before)

    def displace(self):
        """What has started may leave less of a node than is promised: places of whole nodes are lost
        there, and of others those of the last jobs in the queue first."""
        nodes = range(len(self.profile.site.nodes))
        for whole in (True, False):
            for n in nodes:
                while (last := self.last_overdrawn(n, whole)) is not None:
                    self.reserve(last, None)
                    self.lost = True

    def last_overdrawn(self, n, whole):
        """Of the jobs with a place on the node at the first time at which more is promised than
        there is: the last in the queue that has the whole node, or a part; None: there is none."""
        uses = self.profile.uses[n]
        for t in sorted({max(f, self.now) for f, _, _ in uses.values()}):
            there = {job: amount for job, (f, u, amount) in uses.items() if f <= t < u}
            total = NOTHING
            for amount in there.values():
                total = plus(total, amount)
            if max(minus(total, self.profile.all[n])) <= 0:
                continue
            some = [job for job in there if job.place and self.has_whole(job, n) == whole]
            if some:
                return max(some, key=self.queue.index)
        return None

    def has_whole(self, job, n):
        return any(self.profile.site.is_whole(q) and n in part
                   for q, part in zip(job.requests, job.place[1]))

    def is_limited(self, job):
        """Those that run leave it no room within limits."""
        for limit in self.profile.site.limits:
            if job.user not in limit.users:
                continue
            others = [j for j in self.running if j.user in limit.users]
            if limit.jobs is not None and len(others) >= limit.jobs:
                return True
            if limit.amount is not None and (job.counts + sum(j.counts for j in others) >
                                             limit.amount):
                return True
        return False

    def put(self, job):
        """Its earliest place, whichever it had; it starts if that is now."""
        old, had = job.place or job.before, job.place
        self.reserve(job, None)
        if self.is_limited(job):
            return
        parts = self.fit_now(job)
        place = (self.now, parts) if parts else self.profile.fit(job, self.now)
        if not parts and not had and self.make_room(job, place[0] + job.limit):
            place = self.profile.fit(job, self.now)
        if not parts and had and same_nodes(place, had):
            place = had
        if old and place != old:
            self.moves['back' if place[0] > old[0] else 'aside' if place[0] == old[0]
                       else 'forward'] += 1
        if place[0] == self.now:
            self.start(job, place[1])
            if len(job.requests) > 1 and had and not same_nodes(place, had):
                self.lost = True
        else:
            self.reserve(job, place)

    def make_room(self, job, until):
        """Places behind it that begin before then are lost; whether there are any."""
        lost = [other for other in self.queue[self.queue.index(job) + 1:]
                if other.place and other.place[0] < until]
        for other in lost:
            other.before = other.place
            self.reserve(other, None)
        return bool(lost)

    def start_first(self, jobs):
        """Those at the head that fit now, without those that a limit keeps waiting; how many.  Jobs
        inside of the reservation have a head of their own, but none passes one that has just lost
        its place."""
        started, blocked, waiting = 0, set(), []
        placed = [job for job in self.queue if job.place]
        for job in jobs:
            if any(other in placed and not other.place for other in waiting):
                break
            waiting.append(job)
            if job.inside in blocked:
                continue
            place = job.place
            self.reserve(job, None)
            if self.is_limited(job):
                self.lost |= place is not None
                continue
            parts = self.fit_now(job)
            if not parts:
                self.reserve(job, place)
                blocked.add(job.inside)
                continue
            waiting.remove(job)
            self.start(job, parts)
            started += 1
        self.drop_limited()
        return started

    def put_in(self, at):
        """Those from there on in the queue are new or behind such: they make room and find new
        places.  What they leave may let the first of the queue start.  With a reservation new ones
        may be at one of the two heads, and so those are tried before that."""
        behind = self.queue[at:]
        if self.profile.site.reservation:
            self.start_first(list(self.queue))
            behind = [job for job in behind if job in self.queue]
        before = self.queue[:len(self.queue) - len(behind)]
        for job in behind:
            job.before = job.place
            self.reserve(job, None)
        for job in list(self.queue) if self.start_first(before) else behind:
            self.put(job)
            job.before = None
        self.drop_limited()
        if self.lost:
            self.pass_conservative()

    def pass_builtin(self):
        self.start_first(list(self.queue))

    def pass_easy(self):
        self.start_first(list(self.queue))
        self.lost, heads = False, set()
        for job in self.queue:
            self.reserve(job, None)
        for job in list(self.queue):
            if self.is_limited(job):
                continue
            place = self.profile.fit(job, self.now)
            if place[0] == self.now:
                self.start(job, place[1])
            elif job.requests[0].partition not in heads:
                heads.add(job.requests[0].partition)
                self.reserve(job, place)
        self.drop_limited()
        if self.lost:
            self.pass_easy()

    def pass_conservative(self):
        self.start_first(list(self.queue))
        while True:
            before, self.lost = [(job, job.place) for job in self.queue], False
            for job in list(self.queue):
                self.put(job)
            self.drop_limited()
            if self.lost:
                continue
            if all(job.place == place for job, place in before) or not self.start_first(
                    list(self.queue)):
                break

    def look(self):
        {'builtin': self.pass_builtin, 'easy': self.pass_easy,
         'conservative': self.pass_conservative}[self.how]()

    def begin_anew(self):
        """The reservation has begun, or is gone: all places are made anew."""
        for job in self.queue:
            self.reserve(job, None)
        if self.now == self.profile.site.reservation[1]:
            self.profile.forget_reservation()
        self.look()

    def add(self, new):
        self.queue = sorted(self.queue + new, key=lambda j: -j.priority)
        at = min(self.queue.index(j) for j in new)
        if self.how == 'conservative':
            self.put_in(at)
            return
        for job in [] if self.profile.site.reservation else self.queue[at:]:
            self.reserve(job, None)
        self.look()

    def end_jobs(self):
        """Those whose time has come end, and those that wait for this instant are looked at, all
        where the reservation begins or ends now."""
        ended = [j for j in self.running if j.start + j.run == self.now]
        for job in ended:
            self.running.remove(job)
            self.profile.lift(job, job.start, job.on)
        if self.now in (self.profile.site.reservation or ()):
            self.begin_anew()
        elif ended or any(j.place and j.place[0] == self.now for j in self.queue):
            self.look()


def simulate(site, jobs, how):
    """Each job gets its start and on; returns how often places have moved.  At one instant jobs end
    before others are submitted."""
    cluster = Cluster(site, how)
    for job in jobs:
        job.counts = site.counts(job) if site.limits else 0
    todo = sorted(jobs, key=lambda j: j.submit)

    while todo or cluster.queue or cluster.running:
        times = [j.start + j.run for j in cluster.running] + [j.submit for j in todo[:1]]
        times += [j.place[0] for j in cluster.queue if j.place]
        times += [t for t in site.reservation or () if t > cluster.now]
        cluster.now = min(t for t in times if t >= cluster.now)
        cluster.end_jobs()
        new = [j for j in todo if j.submit == cluster.now]
        if new:
            todo = todo[len(new):]
            cluster.add(new)
    return cluster.moves
