# SPDX-License-Identifier: GPL-3.0-or-later
"""A cluster in one folder for scripts/demo: terminal, log, processes, daemons, jobs."""
import contextlib
import datetime
import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BMCFARM = f'{SOURCE}/tests/tools/bmcfarm'
NODES = [f'n{i}' for i in range(1, 9)]
COMMANDS = ['sbatch', 'srun', 'salloc', 'squeue', 'sinfo', 'scancel', 'scontrol', 'sacct',
            'sacctmgr', 'sprio', 'sshare', 'sdiag', 'sstat', 'strigger', 'sattach',
            'sbcast']
BOOT_MS = 1000         # from a node's power-on to its slumberd
SUSPEND_TIME = 8

SLURM_CONF = '''# slurm.conf of the demo
ClusterName=demo
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool/%n
ReturnToService=2
SelectType=select/linear
SlurmdParameters=config_overrides  # all nodes are this machine

# nodes sleep after {suspend_time} s without work
SuspendTime={suspend_time}
SuspendTimeout=3
ResumeTimeout=30
SuspendRate=0
ResumeRate=0
SuspendProgram={power}
ResumeProgram={power}

# jobs in hipri freeze those in active that are in their way
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n[1-8] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD
PartitionName=active Nodes=n[1-8] PriorityTier=1 OverSubscribe=FORCE:1 Default=YES
PartitionName=hipri Nodes=n[1-5] PriorityTier=2 OverSubscribe=FORCE:1
'''

SLUMBER_YAML = '''key_file: {dir}/cluster.key
socket: {dir}/sock
console_dir: {dir}/bmc/console
'''

# read has a time-out; sleep would need a process per tick
COUNTER = '''#!/bin/bash
# count TICKS: one line with the time every 10 ms, into its own file
export LC_ALL=C
exec {never}<> <(:)
for ((i = 1; i <= $1; i++)); do
        echo "$EPOCHREALTIME $i"
        read -rt 0.01 -u "$never" || :
done >"$SLURM_SUBMIT_DIR/count.$SLURM_JOB_ID"
'''


class Failure(Exception):
    """An event did not happen, or not in time."""


def read(path, default=''):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()
    except (FileNotFoundError, ProcessLookupError, NotADirectoryError):
        return default


def write(path, text, mode=0o644):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), 'w',
                   encoding='utf-8') as f:
        f.write(text)


def expand(hostlist):
    """n[1-3,5] -> n1 n2 n3 n5"""
    inside = re.fullmatch(r'n\[(.*)\]', hostlist)
    if not inside:
        return [hostlist] if hostlist else []
    ranges = [r.partition('-') for r in inside[1].split(',')]
    return [f'n{i}' for low, _, high in ranges for i in range(int(low), int(high or low) + 1)]


# ---- the terminal ----

class Screen:
    """Events scroll; on a terminal a table of the nodes is kept below the events."""
    STATES = {'idle~': '36', 'alloc': '32', 'idle': '32', 'alloc#': '33', 'down': '31', 'on': '32',
              'off': '36'}

    def __init__(self):
        self.terminal = sys.stdout.isatty() and os.environ.get('TERM', 'dumb') != 'dumb' \
            and shutil.get_terminal_size().columns >= 80
        self.began, self.height, self.rows = time.time(), 0, []

    def paint(self, text, color):
        return f'\033[{color}m{text}\033[m' if self.terminal and color else text

    def erase(self):
        if self.height:
            print(f'\033[{self.height}A\033[J', end='')
        self.height = 0

    def event(self, source, text, when=None):
        self.erase()
        color = {'demo': '1', 'error': '1;31', 'count': '35'}.get(source, '34')
        at = (when or time.time()) - self.began
        print(f'{at:8.3f}  {self.paint(f"{source:<10}", color)} {text}')
        self.draw()

    def chapter(self, text):
        self.erase()
        print('\n' + self.paint(f'          {text}', '1'))
        self.draw()

    def table(self, rows):
        """rows: a title and a cell for each node."""
        self.rows = rows
        if self.terminal:
            self.erase()
            self.draw()

    def lines(self):
        for title, cells in self.rows:
            cells = [self.paint(f'{c:>8}', self.STATES.get(c)) for c in cells]
            yield self.paint(f'  {title:<8}', '1') + ''.join(cells)

    def draw(self):
        if self.terminal and self.rows:
            print('', *self.lines(), sep='\n')
            self.height = len(self.rows) + 1
        sys.stdout.flush()

    def keep(self):
        """Prints the present table as lines that stay."""
        self.erase()
        print('', *self.lines(), sep='\n', flush=True)


class Log:
    """The controller's log: shows each line, and keeps the line with its time."""

    def __init__(self, path, screen):
        self.path, self.screen, self.offset, self.entries = path, screen, 0, []

    def follow(self):
        with open(self.path, 'rb') as f:
            f.seek(self.offset)
            whole = f.read().rpartition(b'\n')[0]
        self.offset += len(whole) + 1 if whole else 0
        for line in whole.decode(errors='replace').splitlines():
            stamp, _, text = line.partition(' slumberctld: ')
            when = datetime.datetime.fromisoformat(stamp).timestamp() if text else time.time()
            self.entries.append((when, text or line))
            if not text.startswith('Submitted '):  # sbatch has printed the same
                self.screen.event('controller', text or line, when)

    def times(self, pattern, after=0):
        return [when for when, text in self.entries if when >= after and re.search(pattern, text)]

    def first(self, pattern, after=0):
        return min(self.times(pattern, after), default=None)


class Counter:
    """A job's file: the time of each of its ticks."""

    def __init__(self, path):
        self.path = path

    def ticks(self):
        lines = read(self.path).rpartition('\n')[0].splitlines()
        return [float(line.split()[0]) for line in lines]

    def count(self):
        return len(self.ticks())


# ---- processes ----

def started(pid):
    """Returns the start time of a process in ticks, to detect a reused pid; None: ended."""
    stat = read(f'/proc/{pid}/stat').rpartition(')')[2].split()
    return stat[19] if stat and stat[0] != 'Z' else None


def runs(record):
    """Returns the pid in a file, if the recorded process still runs."""
    pid, _, since = read(record).strip().partition(' ')
    return int(pid) if pid and started(pid) == since else None


def end(record):
    for number, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 5)):
        until, pid = time.monotonic() + patience, runs(record)
        if pid:
            os.kill(pid, number)
        while runs(record) and time.monotonic() < until:
            time.sleep(0.01)


@contextlib.contextmanager
def uninterrupted():
    """Delays signals until a started process is recorded."""
    held, numbers = [], (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, lambda *_: held.append(1)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before):
            signal.signal(number, handler)
    if held:
        raise KeyboardInterrupt


def dissolve(group):
    """Removes a cgroup left by a killed node, with all its processes, frozen or not."""
    folders = [folder for folder, _, _ in os.walk(group, topdown=False)]
    for name, value in (('cgroup.kill', '1'), ('freezer.state', 'THAWED')):
        for path in (f'{folder}/{name}' for folder in folders):
            if os.path.exists(path):
                write(path, value)
    until = time.monotonic() + 5
    for folder in folders:
        while os.path.isdir(folder):
            try:
                os.rmdir(folder)
            except OSError:
                if time.monotonic() > until:
                    return
                time.sleep(0.01)


def dissolve_groups(base):
    logs = [read(f'{base}/log/{node}.log') for node in NODES]
    names = {path.rsplit('/', 1)[1] for log in logs
             for path in re.findall(r'Jobs are in .* below (/sys/\S+)', log)}
    for top, folders, _ in os.walk('/sys/fs/cgroup') if names else ():
        for name in names.intersection(folders):
            folders.remove(name)
            dissolve(f'{top}/{name}')


def stop(base):
    """Ends the processes of this folder only."""
    end(f'{base}/slumberctld.pid')
    if os.path.isdir(f'{base}/bmc'):
        subprocess.run([BMCFARM, 'stop', f'{base}/bmc'], check=False)
    dissolve_groups(base)


def is_free(kind, address, port):
    with socket.socket(socket.AF_INET, kind) as s:
        try:
            s.bind((address, port))
        except OSError:
            return False
    return True


claims = []


def claim(port):
    """Reserves the port against other demos until this process ends; its controller has it then."""
    s = socket.socket(socket.AF_UNIX)
    try:
        s.bind(f'\0slumber-demo-{port}')
    except OSError:
        return False
    claims.append(s)
    return True


def free_port():
    return next(p for p in range(26817, 27817) if is_free(socket.SOCK_STREAM, '127.0.0.1', p)
                and claim(p))


def free_network(port):
    """Returns N of 127.N.0.1 to .8 without BMCs of another demo."""
    return next(n for n in range(1, 10)
                if all(is_free(socket.SOCK_DGRAM, f'127.{n}.0.{i + 1}', port)
                       for i in range(len(NODES))))


# ---- the cluster ----

class Cluster:
    def __init__(self, base, build, screen):
        self.dir, self.build, self.screen = base, build, screen
        self.log = Log(f'{base}/log/slumberctld.log', screen)
        self.controller, self.jobs, self.drawn = None, {}, 0
        self.env = dict(os.environ, PATH=f'{base}/bin:{os.environ["PATH"]}',
                        SLURM_CONF=f'{base}/slurm.conf',
                        SLUMBER_SOCKET=f'{base}/sock')

    def configure(self):
        for folder in ('state', 'spool', 'log', 'jobs', 'bin'):
            os.mkdir(f'{self.dir}/{folder}')
        values = {'dir': self.dir, 'port': free_port(), 'user': pwd.getpwuid(os.getuid()).pw_name,
                  'power': f'{self.build}/power/slumber-power', 'suspend_time': SUSPEND_TIME}
        write(f'{self.dir}/slurm.conf', SLURM_CONF.format(**values))
        write(f'{self.dir}/slumber.yaml', SLUMBER_YAML.format(**values))
        write(f'{self.dir}/cluster.key', secrets.token_hex(32), 0o600)
        write(f'{self.dir}/jobs/count', COUNTER, 0o755)
        for name in ('power.yaml', 'password'):
            os.symlink(f'bmc/{name}', f'{self.dir}/{name}')
        for command in COMMANDS:
            os.symlink(f'{self.build}/commands/slumber', f'{self.dir}/bin/{command}')
        os.symlink(values['power'], f'{self.dir}/bin/slumber-power')
        write(f'{self.dir}/env',
              f'export SLURM_CONF={self.dir}/slurm.conf SLUMBER_SOCKET={self.dir}/sock\n'
                                 f'export PATH={self.dir}/bin:$PATH\n')

    def start(self):
        """Starts the BMCs, with their nodes off, and the controller."""
        with uninterrupted():
            self.start_bmcs(6230 if os.geteuid() else 623)
        with uninterrupted(), open(f'{self.dir}/log/slumberctld.out', 'w', encoding='utf-8') as out:
            self.controller = subprocess.Popen(
                [f'{self.build}/controller/slumberctld', '-D', '-f', f'{self.dir}/slurm.conf', '-L',
                 self.log.path],
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
            write(f'{self.dir}/slumberctld.pid',
                  f'{self.controller.pid} {started(self.controller.pid)}\n')
        self.wait('the controller starts', 10, lambda: self.log.first(' started: cluster '))

    def start_bmcs(self, port):
        slumberd = [f'{self.build}/agent/slumberd', '-D', '-b', '-f', f'{self.dir}/slurm.conf',
                    '-N', '%n',
                    '-L', f'{self.dir}/log/%n.log']
        self.farm('start', len(NODES), '--simnode', f'{self.build}/tests/tools/simnode', '--port',
                  port,
                  '--net', free_network(port), '--', *slumberd)
        for node in NODES:
            self.farm('fault', node, '--boot-delay', BOOT_MS)
        self.screen.event('demo', f'{len(NODES)} BMCs listen on UDP port {port}, all nodes are off')

    def farm(self, verb, *words):
        done = subprocess.run([BMCFARM, verb, f'{self.dir}/bmc', *map(str, words)], check=False,
                              text=True,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              start_new_session=True)
        if done.returncode:
            raise Failure(done.stderr.strip())

    def run(self, *command, check=True):
        done = subprocess.run(command, env=self.env, cwd=f'{self.dir}/jobs', check=False,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and done.returncode:
            raise Failure(f'{" ".join(command)}: exit code {done.returncode}: '
                          f'{done.stderr.strip()}')
        return done.stdout.strip()

    # -- questions --

    def states(self):
        return dict(line.split() for line in self.run('sinfo', '-h', '-N', '-p', 'active', '-o',
                                                      '%N %t').splitlines())

    def queue(self):
        """Returns each job's short state and nodes, by job id."""
        lines = self.run('squeue', '-h', '-o', '%i %t %N').splitlines()
        return {int(words[0]): words[1:] for words in (line.split() for line in lines)}

    def job(self, job, fmt):
        return self.run('squeue', '-h', '-t', 'all', '-j', str(job), '-o', fmt)

    def bmcs(self):
        """Returns the BMCs' readings, by node: on, off, unknown."""
        return {n['node']: n['state'] for n in json.loads(self.run(
            'slumber-power', 'status', 'n[1-8]', '--json', check=False))['nodes']}

    def is_on(self, node):
        """Returns the simulated machine's power, without a question to its BMC."""
        events = [line.split()[2] for line in read(f'{self.dir}/bmc/{node}/events').splitlines()]
        return bool(events) and events[-1] != 'off'

    # -- waiting and output --

    def show(self):
        states, here = self.states(), {}
        for job, (state, *nodes) in self.queue().items():
            for node in expand(nodes[0] if nodes else ''):
                here.setdefault(node, []).append((job, state))
        texts = [' '.join(f'{job}:{state}' for job, state in sorted(here.get(node, ())))
                 for node in NODES]
        low = {node: job for node, jobs in here.items() for job,
               _ in jobs if self.jobs.get(job) == 'active'}
        counts = [str(self.counter(low[node]).count()) if node in low else '' for node in NODES]
        self.screen.table([('node', NODES),
                           ('power', ['on' if self.is_on(n) else 'off' for n in NODES]),
                           ('state', [states[n] for n in NODES]), ('jobs', texts),
                           ('count', counts)])

    def follow(self):
        if self.controller.poll() is not None:
            said = read(f'{self.dir}/log/slumberctld.out').strip()
            raise Failure(f'the controller has ended: {said}')
        if os.path.exists(self.log.path):
            self.log.follow()
        if self.screen.terminal and self.log.entries and time.monotonic() > self.drawn + 0.25:
            self.show()
            self.drawn = time.monotonic()

    def wait(self, what, seconds, condition):
        """Waits until the condition is true, and returns its value."""
        until = time.monotonic() + seconds
        while True:
            self.follow()
            value = condition()
            if value:
                return value
            if time.monotonic() > until:
                raise Failure(f'not within {seconds} s: {what}')
            time.sleep(0.02)

    def check(self, what, truth):
        self.follow()
        if not truth:
            raise Failure(f'not so: {what}')
        self.screen.event('demo', what)

    def picture(self):
        self.show()
        self.screen.keep()

    # -- jobs --

    def submit(self, partition, nodes, ticks):
        words = ['sbatch', '-p', partition, '-N', str(nodes), '-J', partition, '-o', '/dev/null',
                 './count', str(ticks)]
        began = time.time()
        text = self.run(*words)
        job = int(re.fullmatch(r'Submitted batch job (\d+)', text)[1])
        self.jobs[job] = partition
        self.screen.event('$', ' '.join(words), began)
        self.screen.event('sbatch', text)
        self.follow()
        return job, began

    def counter(self, job):
        return Counter(f'{self.dir}/jobs/count.{job}')
