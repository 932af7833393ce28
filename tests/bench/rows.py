# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements: one function per section.  Each starts its cluster on every system and measures
them in turns."""
import contextlib
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import time

from systems import HERE, Spec, Trouble, cpu_ticks, priority, read, usage, wait

DOWN = ['main Nodes=ALL Default=YES MaxTime=INFINITE State=DOWN']
# Slurm's high-throughput guide with a low delay: the quicker of the guide's settings and the
# defaults
QUICK = {'SchedulerType': 'sched/builtin', 'SchedulerParameters':
         'batch_sched_delay=0,partition_job_depth=500,sched_max_job_start=0,'
         'sched_min_interval=100000'}
PREEMPT = {'PreemptType': 'preempt/partition_prio', 'PreemptMode': 'SUSPEND,GANG'}
PREEMPT_PARTITIONS = ['low Nodes=ALL Default=YES PriorityTier=1 OverSubscribe=FORCE:1 State=UP',
                      'high Nodes=ALL PriorityTier=10 OverSubscribe=FORCE:1 PreemptMode=OFF '
                      'State=UP']


def power_keys(system, suspend_time=100000):
    return {'SuspendProgram': f'{system.base}/suspend', 'ResumeProgram': f'{system.base}/resume',
            'SuspendTime': suspend_time, 'SuspendTimeout': 5, 'ResumeTimeout': 3600,
            'SuspendRate': 0, 'ResumeRate': 0,
            'PrivateData': 'cloud'}


class Bench:
    """The systems, how often, and what came out."""

    def __init__(self, systems, runs, quick):
        self.systems, self.runs, self.quick = systems, runs, quick
        self.rows, self.ticks = {}, cpu_ticks()

    def disturbed(self):
        """What a virtual machine's host took of its CPU time since the last value; '' for
        little."""
        before, self.ticks = self.ticks, cpu_ticks()
        stolen, total = (now - then for now, then in zip(self.ticks, before))
        return f'host took {100 * stolen / total:.0f} %' if stolen > max(5, total / 20) else ''

    def record(self, what, system, value, unit='s', aim='', note=''):
        row = self.rows.setdefault(what, {'unit': unit, 'aim': aim, 'values': {}, 'notes': {}})
        row['values'].setdefault(system.name, []).append(value)
        note = ', '.join(filter(None, (note, self.disturbed())))
        if note:
            row['notes'].setdefault(system.name, []).append(note)
        print(f'  {system.name}: {what}: {value:.4g} {unit} {note}', file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def clusters(self, make):
        """make(system) -> Spec; those that start."""
        up = []
        try:
            for system in self.systems:
                system.start(make(system))
                up.append(system)
            yield up
        finally:
            for system in self.systems:
                system.stop()

    def turns(self, systems, runs=None):
        """The systems one after the other, each time in the other order: A B B A.  A machine that
        becomes slower is then against neither."""
        for i in range(runs or self.runs):
            yield from systems if i % 2 == 0 else reversed(systems)

    def attempt(self, system, measure, *args):
        """A run that fails is said, and leaves no figure."""
        try:
            return measure(system, *args)
        except (Trouble, subprocess.TimeoutExpired, ValueError, IndexError) as trouble:
            print(f'  {system.name}: NOT MEASURED: {trouble}', file=sys.stderr, flush=True)
            self.rows.setdefault('not measured',
                                 {'unit': '', 'aim': '', 'values': {},
                                  'notes': {}})['notes'].setdefault(
                system.name, []).append(f'{measure.__name__}: {trouble}')
            return None


# ---- submissions ----

def submit(b):
    """1,000 sbatch --wrap true one after another; the partition is down, so nothing starts."""
    count = 200 if b.quick else 1000
    with b.clusters(lambda s: Spec(1, agents=0, partitions=DOWN)) as systems:
        for s in b.turns(systems):
            b.record('sbatch --wrap true, one after another, accepted', s,
                     count / s.submit_many(count, 1), 'jobs/s', '3x')
            s.clear()
            if s.kind == 'slumber':
                b.record('the same loop with true in place of sbatch', s,
                         count / s.submit_many(count, 1, program='/bin/true'),
                         'jobs/s')


def throughput(b):
    """1,000 jobs of one task on 8 nodes, by 8 shell loops and as one array: first submission to
    last end."""
    count = 200 if b.quick else 1000

    def one(s, how, submit):
        began = time.perf_counter()
        submit()
        wait('all jobs ended', 300, lambda: not s.call('squeue', '-h', '-o', '%i'), 0.03)
        b.record(f'batch jobs of one task on 8 nodes by {how}, first submission to last end', s,
                 count / (time.perf_counter() - began), 'jobs/s', '10x')

    with b.clusters(lambda s: Spec(8, cpus=128, slurm_keys=QUICK)) as systems:
        for s in b.turns(systems, max(1, b.runs // 2)):
            b.attempt(s, one, '8 loops', lambda s=s: s.submit_many(count, 8))
            b.attempt(s, one, 'one array',
                      lambda s=s: s.call('sbatch', '-o', '/dev/null', f'--array=1-{count}',
                                         '--wrap', 'true'))


def het(b):
    """Heterogeneous jobs of three components of a node each on 8 nodes, by 8 shell loops.  Slurm
    starts them by backfill alone: that runs as often as it can."""
    count = 100 if b.quick else 1000
    keys = {'SchedulerType': 'sched/backfill',
            'SchedulerParameters': 'batch_sched_delay=0,sched_min_interval=100000,bf_interval=1,'
                                   'bf_max_job_test=5000,bf_hetjob_immediate,bf_hetjob_prio=min'}

    def one(s):
        began = time.perf_counter()
        s.submit_many(count, 8, *'-N1 : -N1 : -N1'.split())
        wait('all jobs ended', 900, lambda: not s.call('squeue', '-h', '-o', '%i'), 0.03)
        b.record('heterogeneous jobs of three components on 8 nodes, first submission to last end',
                 s, count / (time.perf_counter() - began), 'jobs/s', '10x')

    with b.clusters(lambda s: Spec(8, cpus=128, slurm_keys={**QUICK, **keys})) as systems:
        for s in b.turns(systems, max(1, b.runs // 2)):
            b.attempt(s, one)


def hooks(b):
    """Batch jobs of one task on 8 nodes by 8 shell loops, with Prolog, Epilog and TaskProlog."""
    count = 200 if b.quick else 1000
    keys = {key: '/bin/true' for key in ('Prolog', 'Epilog', 'TaskProlog')}

    def one(s):
        began = time.perf_counter()
        s.submit_many(count, 8)
        wait('all jobs ended', 600, lambda: not s.call('squeue', '-h', '-o', '%i'), 0.03)
        b.record('batch jobs of one task with Prolog, Epilog and TaskProlog=/bin/true, first '
                 'submission to last end', s, count / (time.perf_counter() - began), 'jobs/s', '5x')

    with b.clusters(lambda s: Spec(8, cpus=128, keys=keys, slurm_keys=QUICK)) as systems:
        for s in b.turns(systems, max(1, b.runs // 2)):
            b.attempt(s, one)


def array(s, count):
    """Seconds of one array of so many tasks of true, submission to last end."""
    began = time.perf_counter()
    s.call('sbatch', '-o', '/dev/null', f'--array=1-{count}', '--wrap', 'true')
    wait('all tasks ended', 300, lambda: not s.call('squeue', '-h', '-o', '%i'), 0.03)
    return time.perf_counter() - began


def machine_limit(b, s):
    """The same number of scripts without a workload manager, and fsync, on the same machine in the
    same minute: what no figure can be better than."""
    tool = next((f'{x.build}/tests/bench/bench_machine' for x in reversed(b.systems)
                 if x.kind == 'slumber' and os.path.exists(f'{x.build}/tests/bench/bench_machine')),
                None)
    if not tool:
        return
    for what, words in (("the machine's limit: fork, setsid, mkdir of a cgroup, sh, wait, rmdir by "
                         '8 processes', ['tasks', '1000', '8']),
                        ("the machine's limit: 4 KiB and fsync, one after another",
                         ['sync', '1', f'{s.base}/work'])):
        done = subprocess.run([tool, *words], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise Trouble(done.stderr)
        rate, _, note = done.stdout.strip().partition(' ')
        b.record(what, s, float(rate), 'jobs/s', note=note)


def arrays(b):
    """Arrays of true on 8 nodes: one of 1,000 on a cluster that has just started, then, after 100
    others, one of 1,500; and the machine's limit in the same minute."""
    cold, few, warm = (200, 20, 300) if b.quick else (1000, 100, 1500)

    def one(s):
        s.start(Spec(8, cpus=128, keys={'MaxArraySize': 2001}, slurm_keys=QUICK))
        b.record(f'one array of {cold} on 8 nodes that have just started', s,
                 cold / array(s, cold), 'jobs/s', '20x')
        array(s, few)
        b.record(f'one array of {warm} after {few} others', s, warm / array(s, warm), 'jobs/s',
                 '20x')
        machine_limit(b, s)
        s.stop()

    for s in b.turns(b.systems, max(1, b.runs // 2)):
        b.attempt(s, one)


def first(b):
    """The first 20 sruns of a cluster that has just started: the slowest in medians."""
    def one(s):
        s.start(Spec(1))
        took = sorted(s.timed('srun', '-N1', '/bin/true') for _ in range(20))
        b.record('the slowest of the first 20 srun -N1 after a start, in medians', s,
                 took[-1] / took[len(took) // 2], 'times', '3')
        s.stop()

    for s in b.turns(b.systems, b.runs):
        b.attempt(s, one)


FIGURE = re.compile(r'^ *(.*?)[ :]*([0-9.]+) ms')


def scheduler(b):
    """Decisions alone, by the programs bench_*: plans of long queues, heterogeneous jobs,
    hierarchical resources, preemption, the plan of power saving."""
    sizes = {'bench_backfill': ('2000 cores 2000' if b.quick else '10000 cores 10000').split(),
             'bench_core': [], 'bench_het': [], 'bench_hres': [], 'bench_plan': [],
             'bench_preempt': ['1000', '100'] if b.quick else ['5000', '200']}

    def one(s, name):
        program = f'{s.build}/tests/bench/{name}'
        if not os.path.exists(program):
            return
        done = subprocess.run([program, *sizes[name]], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=600)
        if done.returncode:
            raise Trouble(f'{name}: {done.stderr}')
        part, seen = '', {}
        for line in done.stdout.split('\n'):
            figure = FIGURE.match(line)
            if not figure:
                part = line.strip()
                continue
            what = f'{name}: {figure[1]}' if not line.startswith(' ') else \
                f'{name}: {part}: {figure[1]}'
            seen[what] = seen.get(what, 0) + 1
            again = f' ({seen[what]})' if seen[what] > 1 else ''
            b.record(what + again, s, float(figure[2]), 'ms')

    for name in sizes:
        for s in b.turns([s for s in b.systems if s.kind == 'slumber'], max(1, b.runs // 2)):
            b.attempt(s, one, name)


ACK_LOOP = '''while [ ! -e halt ]; do
        if id=$(timeout 5 {sbatch} --parsable -o /dev/null --wrap true 2>/dev/null); then
                echo "$id" >>ack.{number}
        fi
done &
'''


def crash(b):
    """kill -9 of the controller while 1 or 4 loops submit; what sbatch had acknowledged is looked
    for afterwards."""
    def one(s, loops):
        s.fresh('halt', *(f'ack.{i}' for i in range(4)))
        text = ''.join(ACK_LOOP.format(sbatch=s.path('sbatch'), number=i)
                       for i in range(loops)) + 'wait\n'
        with subprocess.Popen(['/bin/bash', '-c', text], env=s.env, cwd=f'{s.base}/work',
                              stdin=subprocess.DEVNULL) as p:
            time.sleep(random.uniform(2, 5) if b.quick else random.uniform(6, 12))
            s.kill9()
            with open(f'{s.base}/work/halt', 'w', encoding='ascii'):
                pass
            p.wait()
        given = [int(i) for f in glob.glob(f'{s.base}/work/ack.*') for i in read(f).split()]
        s.start_controller()
        known = {int(i) for i in s.call('squeue', '-h', '-o', '%A').split()}
        after = int(s.call('sbatch', '--parsable', '-o', '/dev/null', '--wrap', 'true'))
        again = len(given) - len(set(given)) + (after in given)
        b.record('kill -9 during submissions: acknowledged jobs lost', s, len(set(given) - known),
                 'jobs', '0',
                 f'of {len(given)}')
        b.record('kill -9 during submissions: ids given out twice', s, again, 'ids', '0')

    with b.clusters(lambda s: Spec(1, agents=0, partitions=DOWN)) as systems:
        for i in range(2 if b.quick else 8):
            for s in systems:
                b.attempt(s, one, 1 + 3 * (i % 2))


def start(b):
    """One sbatch on an idle cluster: from before the command to the first line of the script."""
    def one(s):
        stamp = s.fresh('stamp')
        script = s.script('stamp.sh', f'echo "$EPOCHREALTIME" >{stamp}')
        time.sleep(random.uniform(0.2, 1))
        began = time.time()
        s.call('sbatch', '-o', '/dev/null', script)
        wait('the script runs', 40, lambda: read(stamp).endswith('\n'), 0.002)
        b.record('one sbatch on an idle cluster to the script running', s,
                 float(read(stamp)) - began, 's', '0.020')
        s.clear()

    with b.clusters(lambda s: Spec(2)) as systems:
        for s in b.turns(systems, 2 * b.runs):
            b.attempt(s, one)


def srun(b):
    """srun /bin/true, the whole command."""
    with b.clusters(lambda s: Spec(32)) as systems:
        for nodes, aim in ((1, '0.020'), (8, '0.030'), (32, '0.060')):
            for s in b.turns(systems, 2 * b.runs):
                took = b.attempt(s, lambda x: x.timed('srun', f'-N{nodes}', '/bin/true'))
                if took:
                    b.record(f'srun -N{nodes} /bin/true, whole command', s, took, 's', aim)
                time.sleep(0.05)


def wide(b):
    """A step on many emulated nodes, launched down the tree: the whole command; sbatch and squeue
    of others while such steps with 1 MB of arguments are launched."""
    nodes, some = (300, 300) if b.quick else (10000, 1000)
    env = {f'LARGE{i}': 'x' * 50000 for i in range(18)}
    words = ['y' * 1000] * 100

    commands = {'squeue': ['squeue', '-h', '-t', 'R'],
                'sbatch': ['sbatch', '-o', '/dev/null', '-H', '--wrap', 'true']}

    def others(s, when, aim, goes_on):
        took = {name: [0] for name in commands}
        while goes_on():
            for name, command in commands.items():
                took[name].append(s.timed(*command))
        for name, each in took.items():
            b.record(f'{name} {when}, the slowest of {len(each) - 1}', s, 1000 * max(each), 'ms',
                     aim)

    def launch(s):
        return subprocess.Popen([s.path('srun'), f'-N{some}', 'true', *words],
                                env={**s.env, **env}, cwd=f'{s.base}/work',
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def launches(s, count):
        """Goes on until so many have ended, one after another."""
        running = [launch(s)]

        def go_on():
            if running[-1].poll() is None:
                return True
            if running[-1].returncode:
                raise Trouble('srun failed')
            if len(running) < count:
                running.append(launch(s))
            return running[-1].poll() is None
        return go_on

    def one(s):
        s.start(Spec(nodes, agents=0))
        s.start_fakes(f'n[1-{nodes}]')
        for _ in range(2 if b.quick else 5):
            b.record(f'srun -N{nodes} true on emulated agents, whole command', s,
                     s.timed('srun', f'-N{nodes}', 'true'), 's', '1')
        for words, how in (([], ''), (['--treewidth=off'], ', without the tree')):
            s.wait_idle()
            before = usage(s.pid())[0]
            for _ in range(5):
                s.timed('srun', *words, f'-N{some}', 'true')
            s.wait_idle()
            b.record(f'CPU of the controller for srun -N{some} true{how}', s,
                     1000 * (usage(s.pid())[0] - before) / 5, 'ms')
        count = iter(range(10 if b.quick else 50))
        others(s, 'of others', '', lambda: next(count, None) is not None)
        others(s, f'during srun -N{some} with 1 MB of arguments', '+5',
               launches(s, 3 if b.quick else 10))
        s.stop()

    for s in [s for s in b.systems if s.kind == 'slumber']:
        b.attempt(s, one)


def real(b):
    """srun on many nodes that all have a daemon: the whole command."""
    nodes = 40 if b.quick else 300
    with b.clusters(lambda s: Spec(nodes)) as systems:
        for s in b.turns(systems, b.runs):
            took = b.attempt(s, lambda x: x.timed('srun', f'-N{nodes}', '/bin/true'))
            if took:
                b.record(f'srun -N{nodes} /bin/true, a real daemon for each node', s, took, 's',
                         '0.3')
            time.sleep(1)  # the nodes of the last one are idle again


# ---- power ----

def boot(b):
    """8 real agents started by ResumeProgram: last registration to the batch script running."""
    def one(s):
        stamp = s.fresh('boot')
        script = s.script('boot.sh', f'echo "$EPOCHREALTIME" >{stamp}')
        before = len(s.registrations())
        s.call('sbatch', '-N8', '--exclusive', '-o', '/dev/null', script)
        wait('the script runs', 100, lambda: read(stamp).endswith('\n'), 0.01)
        last = max(when for when, _ in s.registrations()[before:])
        b.record('last of 8 nodes registered to the batch script running', s,
                 float(read(stamp)) - last, 's', '0.050')
        wait('the nodes are off', 60, lambda: 'idle~' in s.call('sinfo', '-h', '-o', '%t') and
             s.call('sinfo', '-h', '-N', '-o', '%t').split().count('idle~') == 8, 0.1)
        time.sleep(random.uniform(1, 6) if s.kind == 'slurm' else 0)

    def real(system):
        return Spec(8, agents=0, state='CLOUD',
                    keys={**power_keys(system, 1), 'ReturnToService': 2})

    with b.clusters(real) as systems:
        for s in systems:
            s.power_nodes()
        for s in b.turns(systems, 1 if b.quick else max(3, b.runs // 2)):
            b.attempt(s, one)


def resume(b):
    """sbatch for so many powered-off nodes: to ResumeProgram running."""
    def one(s, nodes):
        s.start(Spec(nodes, agents=0, state='CLOUD', keys=power_keys(s)))
        time.sleep(random.uniform(1, 2))
        began = time.time()
        s.call('sbatch', f'-N{nodes}', '--exclusive', '-o', '/dev/null', '--wrap', 'true')
        wait('ResumeProgram runs', 60, lambda: s.power('resume'), 0.005)
        b.record(f'sbatch for {nodes} powered-off nodes to ResumeProgram running', s,
                 s.power('resume')[0][0] - began, 's',
                 '0.020' if nodes == 1000 else '0.050')
        s.stop()

    for nodes in (1000, 5000):
        for s in b.turns(b.systems):
            b.attempt(s, one, nodes)


def suspend(b):
    """Nodes are set idle: SuspendTime later, how long until SuspendProgram runs?"""
    def one(s, nodes, seconds):
        s.start(Spec(nodes, agents=0, state='DOWN',
                     keys={**power_keys(s, seconds), 'ReturnToService': 0},
                     slurm_keys={'SlurmdTimeout': 0}))
        s.start_fakes(f'n[1-{nodes}]')
        time.sleep(random.uniform(0.5, 1.5))
        idle = time.time()
        s.call('scontrol', 'update', f'nodename=n[1-{nodes}]', 'state=resume')
        calls = wait('SuspendProgram runs', 60, lambda: s.power('suspend'), 0.005)
        b.record(f'SuspendTime {seconds} s reached to SuspendProgram running, {nodes} nodes', s,
                 calls[0][0] - idle - seconds, 's', '0.100')
        s.stop()

    for seconds in (1, 5):
        for s in b.turns(b.systems, max(1, b.runs // 2)):
            b.attempt(s, one, 1000 if b.quick else 5000, seconds)


# ---- many nodes; agents are played ----

def idle(b):
    """100,000 nodes that are off, and 10,000 agents that have nothing to do: the controller's CPU
    and memory."""
    off, connected, seconds = (10000, 1000, 5) if b.quick else (100000, 10000, 60)

    def rest(s, what, aim=''):
        time.sleep(3)
        before, _ = usage(s.pid())
        began = time.monotonic()
        time.sleep(seconds)
        cpu, memory = usage(s.pid())
        b.record(f'{what}: CPU', s, 100 * (cpu - before) / (time.monotonic() - began),
                 '% of a core', aim)
        b.record(f'{what}: memory', s, memory / 1e6, 'MB')

    for s in b.systems:
        s.start(Spec(off, agents=0, state='CLOUD', keys=power_keys(s)))
        b.attempt(s, rest, f'{off} nodes are off', '1')
        s.stop()
    for s in [s for s in b.systems if hasattr(s, 'launches')]:
        s.start(Spec(connected, agents=0))
        s.start_fakes(f'n[1-{connected}]')
        b.attempt(s, rest, f'{connected} agents are idle', '1')
        s.stop()


def wake(b):
    """Nodes boot for jobs, one after another over 10 s: from a registration to the launch that it
    allows."""
    def jobs(s):
        nodes = 100 if b.quick else 1000
        s.start(Spec(nodes, agents=0, state='CLOUD', keys=power_keys(s)))
        s.submit_many(nodes, 8, '--exclusive')
        wait('all nodes are wanted', 60,
             lambda: s.call('squeue', '-h', '-t', 'CF', '-o', '%i').count('\n') == nodes - 1, 0.1)
        seen = s.start_fakes(f'n[1-{nodes}]', 100, 1000 if b.quick else 10000)
        seen += s.launches(nodes - len(seen))
        own = sorted(took for took, _ in seen)
        what = f'{nodes} nodes register within 10 s, each for its job: registration to launch'
        b.record(f'{what}, median', s, own[nodes // 2], 's', '0.050')
        b.record(f'{what}, the slowest', s, own[-1], 's', '0.050')
        s.stop()

    def job(s):
        nodes = 400 if b.quick else 4000
        s.start(Spec(nodes, agents=0, state='CLOUD', keys=power_keys(s)))
        s.call('sbatch', f'-N{nodes}', '--exclusive', '-o', '/dev/null', '--wrap', 'true')
        wait('ResumeProgram runs', 60, lambda: s.power('resume'))
        seen = s.start_fakes(f'n[1-{nodes}]', 100, 1000 if b.quick else 10000) or s.launches(1)
        b.record(f'a job on {nodes} nodes that boot: the last registration to its launch', s,
                 seen[0][1], 's', '2')
        s.stop()

    for s in [s for s in b.systems if hasattr(s, 'launches')]:
        for _ in range(max(1, b.runs // 2)):
            b.attempt(s, jobs)
            b.attempt(s, job)


# ---- preemption ----

def gap(path, after):
    """The longest silence of a ticker that ends after that time: last tick before it, first
    behind."""
    ticks = [float(line) for line in read(path).split('\n') if line]
    before, behind = max(zip(ticks, ticks[1:]),
                         key=lambda pair: pair[1] - pair[0] if pair[1] > after else 0)
    if behind - before < 0.5:
        raise Trouble(f'{path} never stood still')
    return before, behind


def preempt_once(b, s, nodes, option):
    for name in glob.glob(f'{s.base}/work/tick.*'):
        os.unlink(name)
    stamp = s.fresh('high')
    ticker = s.script('ticker.sh',
                      f'exec {sys.executable} {HERE}/ticker.py {s.base}/work/tick.$SLURM_NODEID '
                      f'60 {option}')
    low = s.script('low.sh', f'{s.path("srun")} {ticker}')
    high = s.script('high.sh',
                    f'echo "$EPOCHREALTIME" >{stamp}\nsleep 3\necho "$EPOCHREALTIME" >>{stamp}')
    where = [f'-N{nodes}', '--ntasks-per-node=1', '-c2', '-o', '/dev/null']
    s.call('sbatch', '-p', 'low', *where, low)
    ticks = [f'{s.base}/work/tick.{i}' for i in range(nodes)]
    wait('the low job ticks', 40, lambda: all(read(t) for t in ticks))
    time.sleep(random.uniform(1, 2))
    began = time.time()
    s.call('sbatch', '-p', 'high', *where, high)
    wait('the high job has ended', 60, lambda: len(read(stamp).split()) == 2, 0.05)
    first, last = map(float, read(stamp).split())
    wait('the low job goes on', 60, lambda: all(float(read(t).split()[-2]) > last for t in ticks),
         0.05)
    time.sleep(0.2)
    gaps = [gap(t, began) for t in ticks]
    tag = f'{nodes} node{"s" if nodes > 1 else ""}{", task ignores SIGTSTP" if option else ""}'
    b.record(f'sbatch of high priority to the last low tick, {tag}', s,
             max(g[0] for g in gaps) - began, 's',
             '0.050' if nodes == 1 else '0.080')
    b.record(f'both ran at once (last low tick - high start > 0), {tag}', s,
             max(g[0] for g in gaps) - first, 's',
             'never > 0')
    b.record(f'end of the preemptor to the last next tick, {tag}', s,
             max(g[1] for g in gaps) - last, 's',
             '0.010' if nodes == 1 else '0.020')


def preempt(b):
    """A job of high priority stops one that ticks every 10 ms, and it goes on afterwards."""
    for nodes, option in ((1, ''), (8, ''), (1, 'ignore-tstp')):
        with b.clusters(lambda s: Spec(nodes, cpus=2, keys=PREEMPT,
                                       partitions=PREEMPT_PARTITIONS)) as systems:
            for s in b.turns(systems, 1 if b.quick else max(2, b.runs // 2)):
                b.attempt(s, lambda x: preempt_once(b, x, nodes, option))
                s.clear()


# ---- freezing ----

GROUP = re.compile(r'Jobs are in cgroup/v2 below (\S+)')


def all_are(pids, letters):
    """A condition: each of these processes has been seen in one of these states (R, S, T...), one
    after another."""
    at = 0

    def look():
        nonlocal at
        while at < len(pids) and state_of(pids[at]) in letters:
            at += 1
        return at == len(pids)
    return look


def state_of(pid):
    return read(f'/proc/{pid}/stat').rpartition(')')[2].split()[0]


def frozen_by(s, job, pids):
    """How it is seen that they stand still, and that they go on: the kernel's word on the job's
    group, or on each process."""
    group = GROUP.search(read(f'{s.base}/log/n1.log')) if s.kind == 'slumber' else None
    if not group:
        return all_are(pids, 'Tt'), all_are(pids, 'RSD')
    events = f'{group[1]}/job{job}-0/cgroup.events'
    return lambda: 'frozen 1' in read(events), lambda: 'frozen 0' in read(events)


def freeze_once(b, s, kind, count, how):
    pids = s.fresh('pids')
    crowd = s.script('crowd.sh', f'exec {sys.executable} {HERE}/crowd.py {pids} {count} {kind}')
    job = int(s.call('sbatch', '--parsable', '-c2', '-o', '/dev/null', crowd))
    wait('all processes are there', 60, lambda: read(pids).endswith('.\n'), 0.1)
    still, on = frozen_by(s, job, read(pids).split()[:-1])
    time.sleep(random.uniform(0.5, 1))
    for number, (word, condition, what) in enumerate((('suspend', still, 'all stand still'),
                                                      ('resume', on, 'all go on'))):
        began = time.monotonic()
        with subprocess.Popen([s.path('scontrol'), word, str(job)], env=s.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as command:
            wait(what, 60, condition, 0.0005)
            took = time.monotonic() - began
            if command.wait():
                raise Trouble(f'scontrol {word} failed')
        tag = f'{count} {kind} processes on a node{how if s.name == "slumber" else ""}'
        b.record(f'scontrol {word} to {what}, {tag}', s, took, 's')
        if s.kind == 'slumber':
            log = f'{s.base}/log/slumberctld.log'
            answer = wait('the answer is logged', 20, lambda: re.findall(
                rf'GANG: JobId={job} .* after (\S+) ms', read(log))[number:])
            b.record(f'the controller\'s order to the agent\'s word that {what}, {tag}', s,
                     float(answer[0]) / 1000, 's',
                     '0.050' if word == 'suspend' else '')
        time.sleep(random.uniform(0.5, 1))


def skew_once(b, s, nodes):
    for name in glob.glob(f'{s.base}/work/tick.*'):
        os.unlink(name)
    ticker = s.script('ticker.sh',
                      f'exec {sys.executable} {HERE}/ticker.py {s.base}/work/tick.$SLURM_NODEID 60')
    job = s.call('sbatch', '--parsable', f'-N{nodes}', '--ntasks-per-node=1', '-c2', '-o',
                 '/dev/null', s.script('low.sh', f'{s.path("srun")} {ticker}'))
    ticks = [f'{s.base}/work/tick.{i}' for i in range(nodes)]
    wait('the job ticks', 60, lambda: all(read(t) for t in ticks))
    time.sleep(random.uniform(1, 2))
    began = time.time()
    s.call('scontrol', 'suspend', job)
    time.sleep(4)
    resumed = time.time()
    s.call('scontrol', 'resume', job)
    wait('the job goes on', 60, lambda: all(float(read(t).split()[-2]) > resumed for t in ticks),
         0.05)
    gaps = [gap(t, began) for t in ticks]
    for i, what in ((0, 'stands still'), (1, 'goes on')):
        times = [g[i] for g in gaps]
        b.record(f'a job on {nodes} nodes {what}: first node to last', s, max(times) - min(times),
                 's', '0.250')


def freeze(b):
    """scontrol suspend and resume of 1,000 processes on a node, and of 100 that spin; how far apart
    the nodes of one job stop."""
    count = 100 if b.quick else 1000
    with priority():
        for how, site in ((' (cgroup v2)', ''), (' (signals)', 'cgroup: none\n')):
            with b.clusters(lambda s: Spec(1, cpus=2, keys={'DebugFlags': 'Gang'},
                                           site=site)) as systems:
                for kind, many in (('sleeping', count), ('spinning', count // 10)):
                    for s in b.turns(systems):
                        b.attempt(s, lambda x: freeze_once(b, x, kind, many, how))
                        s.clear()
    for nodes in (8, 32):
        with b.clusters(lambda s: Spec(nodes, cpus=2)) as systems:
            for s in b.turns(systems, 1 if b.quick else max(3, b.runs // 2)):
                b.attempt(s, lambda x: skew_once(b, x, nodes))
                s.clear()


# ---- lists ----

def lists(b):
    """sinfo, squeue and scontrol show node with many nodes and many pending jobs."""
    nodes, jobs = (1000, 500) if b.quick else (10000, 10000)
    with b.clusters(lambda s: Spec(nodes, agents=0, state='CLOUD', keys=power_keys(s),
                                   partitions=DOWN)) as systems:
        for s in systems:
            took = s.submit_many(jobs, 8, '-N4', '-t', '0-2')
            b.record(f'{jobs} sbatch from 8 loops, {nodes} nodes', s, jobs / took, 'jobs/s')
        for words in (['sinfo'], ['squeue'], ['scontrol', 'show', 'node']):
            for s in b.turns(systems, 2 * b.runs):
                b.record(f'{" ".join(words)}, {nodes} nodes and {jobs} pending jobs', s,
                         s.timed(*words), 's', 'half')


# ---- steps and MPI ----

STEP_LOOP = '''for ((loop = 0; loop < 8; loop++)); do
        (for ((i = 0; i < {each}; i++)); do {srun} -n1 {more} true || echo lost >>{lost}; done) &
done
wait
'''


def steps(b):
    """Steps of one allocation: srun -n1 true, one after another in each of 8 loops."""
    count = 80 if b.quick else 1600

    def one(s):
        lost = s.fresh('lost')
        # Without --exact and a CPU of its own each step would wait for the one before.
        script = s.script('steps.sh', STEP_LOOP.format(each=count // 8, srun=s.path('srun'),
                                                       more='--exact -c1', lost=lost))
        took = s.timed('salloc', '-N1', '-n8', script, timeout=900)
        b.record('steps of one allocation by 8 loops', s, count / took, 'jobs/s', '1500',
                 f'{len(read(lost).split())} of {count} lost')

    def made_by_node(s):
        lost = s.fresh('lost')
        script = s.script('steps.sh', STEP_LOOP.format(each=count // 8, srun=s.path('srun'),
                                                       more='--exact -c1', lost=lost))
        took = s.timed('sbatch', '--stepmgr', '-W', '-N1', '-n8', '-o', '/dev/null', script,
                       timeout=900)
        b.record('... made by its node (--stepmgr)', s, count / took, 'jobs/s', '1500',
                 f'{len(read(lost).split())} of {count} lost')

    with b.clusters(lambda s: Spec(1)) as systems:
        for s in b.turns(systems, max(1, b.runs // 2)):
            b.attempt(s, one)
            if s.kind == 'slumber':
                b.attempt(s, made_by_node)


def mpi(b):
    """A program that calls MPI_Init and MPI_Finalize, as 128 ranks on 8 nodes: the whole
    command."""
    ranks = 16 if b.quick else 128
    # Nodes of one host must not take each other's shared memory for theirs.
    wires = {'OMPI_MCA_btl': 'tcp,self', 'OMPI_ALLOW_RUN_AS_ROOT': '1',
             'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1'}
    offered = {'slumber': {'mpich': 'pmi2', 'openmpi': 'pmix'}, 'slurm': {'mpich': 'pmi2'}}

    def program(s, kind):
        path = f'{s.base}/work/{kind}'
        subprocess.run([f'mpicc.{kind}', '-O1', '-o', path,
                        f'{HERE}/../system/mpi.c'], check=True, stderr=subprocess.DEVNULL)
        return path

    def one(s, kind, words, what):
        took = s.timed(*words, program(s, kind), 'hello', timeout=300)
        b.record(f'{ranks} ranks of {kind} on 8 nodes by {what}', s, took, 's',
                 'half' if what == 'srun' else '')

    with b.clusters(lambda s: Spec(8, cpus=16)) as systems:
        for s in systems:
            s.env.update(wires)
        for kind in ('mpich', 'openmpi'):
            for s in b.turns(systems, max(1, b.runs // 2)):
                each = ['-N8', f'-n{ranks}']
                how = offered[s.kind].get(kind)
                if how:
                    b.attempt(s, one, kind, ['srun', *each, f'--mpi={how}'], 'srun')
                if shutil.which(f'mpiexec.{kind}'):
                    b.attempt(s, one, kind, ['salloc', *each, f'mpiexec.{kind}', '-n', ranks],
                              'mpiexec')


# ---- streams ----

def streams(b):
    """Much output from another node to srun: time, CPU of the controller; sbatch and squeue of
    others during 20 such streams."""
    size = 50 if b.quick else 2000  # MB

    def srun(s, megabytes):
        env = {**s.env, 'SLUMBER_SOCKET': f'{s.base}/n2.sock'}
        return subprocess.Popen([s.path('srun'), '-w', 'n1', '-N1', '-n1', 'head', '-c',
                                 f'{megabytes}M', '/dev/zero'], env=env, cwd=f'{s.base}/work',
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def one(s):
        used, began = usage(s.pid())[0], time.perf_counter()
        if srun(s, size).wait(timeout=600):
            raise Trouble('srun failed')
        b.record(f'{size} MB from another node to srun', s, time.perf_counter() - began)
        b.record('... CPU of the controller', s, usage(s.pid())[0] - used, 's', '0')

    def others(s, when):
        for words in (['squeue'], ['sbatch', '-o', '/dev/null', '-H', '--wrap', 'true']):
            took = sorted(s.timed(*words) for _ in range(5 if b.quick else 30))
            b.record(f'{words[0]} {when}, the slowest', s, 1000 * took[-1], 'ms',
                     '+5' if 'during' in when else '')

    def beside(s):
        others(s, 'of others')
        running = [srun(s, 100000) for _ in range(20)]
        try:
            wait('20 steps run', 60, lambda: len(s.call('squeue', '-h', '-t', 'R').split('\n')) >= 20)
            others(s, 'during 20 such streams')
        finally:
            for p in running:
                p.kill()
                p.wait()
        s.clear()

    with b.clusters(lambda s: Spec(2, cpus=32)) as systems:
        for s in b.turns(systems, max(1, b.runs // 2)):
            b.attempt(s, one)
        for s in systems:
            b.attempt(s, beside)


SECTIONS = {f.__name__: f for f in (
    submit, throughput, arrays, het, hooks, crash, start, srun, first, wide, real, boot, resume,
    suspend, idle, wake, preempt, freeze, lists, steps, mpi, streams, scheduler)}
