# SPDX-License-Identifier: GPL-3.0-or-later
"""The two systems that the figures compare, behind one interface: Slumber, and a real Slurm.

A real Slurm is a folder with a script cluster.sh (tests/bench/run tells what it must do) and
Slurm's programs on the machine.  Everything is below one folder, on loopback, with ports of its
own, and only processes that were started here are ended."""
import calendar
import contextlib
import os
import pwd
import re
import signal
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.realpath(__file__))
USER = pwd.getpwuid(os.getuid()).pw_name

# What Resume- and SuspendProgram do, in both systems: a line with the time, and what the section
# wants besides.
PROGRAM = '''#!/bin/bash
echo "{kind} $EPOCHREALTIME $1" >>{base}/power.log
if [ -e {base}/on-{kind} ]; then {base}/on-{kind} "$1"; fi
'''


class Trouble(Exception):
    """A measurement that could not be made."""


def write(path, text, mode=0o644):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), 'w',
                   encoding='utf-8') as f:
        f.write(text)
    os.chmod(path, mode)


def read(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return ''


def wait(what, seconds, condition, pause=0.01):
    """The condition's value as soon as it is true."""
    until = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > until:
            raise Trouble(f'not within {seconds} s: {what}')
        time.sleep(pause)


@contextlib.contextmanager
def priority():
    """A process that watches a crowd must be run at once; children are not meant.  Without the
    right to it the figures are those of a starving watcher."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        pass
    try:
        yield
    finally:
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def free_ports(count, start):
    """The first of that many free TCP ports in a row."""
    first = port = start
    while port < first + count:
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(('127.0.0.1', port))
                port += 1
            except OSError:
                first = port = port + 1
    return first


def hosts_of(nodes, a_net=250):
    """An address for each emulated node, as real ones have: a launch names them all."""
    nets = [f'127.{9 + net // a_net}.{net % a_net}.[1-{min(a_net, nodes - net * a_net)}]'
            for net in range((nodes + a_net - 1) // a_net)]
    return ','.join(nets)


class Spec:
    """What a section needs of a cluster.  agents: how many nodes have a daemon; site: lines for
    Slumber's slumber.yaml."""

    def __init__(self, nodes, agents=None, cpus=8, state='UNKNOWN', keys=(), slurm_keys=(),
                 partitions=None, site=''):
        self.site = site
        self.nodes, self.agents = nodes, nodes if agents is None else agents
        self.cpus, self.state = cpus, state
        self.keys, self.slurm_keys = dict(keys), dict(slurm_keys)
        self.partitions = partitions or ['main Nodes=ALL Default=YES MaxTime=INFINITE State=UP']

    def lines(self, node_extra, more=()):
        names = f'n[1-{self.nodes}]' if self.nodes > 1 else 'n1'
        keys = {**self.keys, **dict(more)}
        hosts = '127.0.0.1' if self.agents else hosts_of(self.nodes)
        return [*(f'{key}={value}' for key, value in keys.items()),
                f'NodeName={names} NodeAddr={hosts} CPUs={self.cpus} RealMemory=4000 '
                f'State={self.state} {node_extra}',
                *(f'PartitionName={line}' for line in self.partitions)]


class System:
    """What both have: commands, the power programs' log, loops of submissions.  kind is the
    program, name the column of its figures."""
    kind = name = ''

    def __init__(self, base):
        self.base, self.env = base, dict(os.environ, TZ='UTC', LC_ALL='C')
        for key in [k for k in self.env if k.startswith(('SLURM', 'SLUMBER', 'SQUEUE', 'SINFO',
                                                         'SBATCH', 'SRUN'))]:
            del self.env[key]
        os.makedirs(f'{base}/work')
        for kind in ('resume', 'suspend'):
            write(f'{base}/{kind}', PROGRAM.format(kind=kind, base=base), 0o755)

    def path(self, command):
        raise NotImplementedError

    def call(self, command, *args, check=True, timeout=300):
        done = subprocess.run([self.path(command), *map(str, args)], env=self.env,
                              cwd=f'{self.base}/work', check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              timeout=timeout)
        if check and done.returncode:
            raise Trouble(f'{self.name}: {command} {" ".join(map(str, args))}: '
                          f'{done.stderr.strip()}')
        return done.stdout.strip()

    def timed(self, command, *args, timeout=120):
        """Seconds from fork to exit."""
        began = time.perf_counter()
        done = subprocess.run([self.path(command), *map(str, args)], env=self.env,
                              cwd=f'{self.base}/work', check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE,
                              timeout=timeout)
        took = time.perf_counter() - began
        if done.returncode:
            raise Trouble(f'{self.name}: {command} {" ".join(map(str, args))}: '
                          f'{done.stderr.decode().strip()}')
        return took

    def submit_many(self, count, loops, *options, program=None):
        """count times sbatch --wrap true (or another program in its place), from so many shell
        loops at once; seconds."""
        line = ' '.join([program or self.path('sbatch'), '-o', '/dev/null', *map(str, options),
                         '--wrap', 'true'])
        shares = [count // loops + (i < count % loops) for i in range(loops)]
        script = ''.join(f'(for ((i = 0; i < {n}; i++)); do {line} >/dev/null || exit 1; done) &\n'
                         'pids+=($!)\n' for n in shares)
        script += 'for p in "${pids[@]}"; do wait $p || exit 1; done\n'
        began = time.perf_counter()
        done = subprocess.run(['/bin/bash', '-c', script], env=self.env, cwd=f'{self.base}/work',
                              check=False,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=900)
        if done.returncode:
            raise Trouble(f'{self.name}: sbatch: {done.stderr.decode()[-300:]}')
        return time.perf_counter() - began

    def script(self, name, text):
        path = f'{self.base}/work/{name}'
        write(path, f'#!/bin/bash\n{text}\n', 0o755)
        return path

    def fresh(self, *names):
        """Paths of files that are not there."""
        paths = [f'{self.base}/work/{name}' for name in names]
        for path in paths:
            if os.path.exists(path):
                os.unlink(path)
        return paths if len(paths) > 1 else paths[0]

    def power(self, kind):
        """When that program ran, and for which nodes."""
        lines = [line.split() for line in read(f'{self.base}/power.log').splitlines()]
        return [(float(words[1]), words[2]) for words in lines if len(words) == 3
                and words[0] == kind]

    def power_forget(self):
        if os.path.exists(f'{self.base}/power.log'):
            os.unlink(f'{self.base}/power.log')

    def queue(self):
        return self.call('squeue', '-h', '-o', '%i').split()

    def clear(self):
        """Every job is cancelled and gone."""
        self.call('scancel', '-u', USER, check=False)
        wait(f'{self.name}: no job is left', 60, lambda: not self.queue(), 0.05)

    def wait_idle(self, seconds=60):
        """What has ended is off its nodes."""
        wait(f'{self.name}: no job is on a node', seconds,
             lambda: not self.call('squeue', '-h', '-t', 'R,CG,CF'), 0.05)

    def wait_nodes(self, count, seconds=60):
        wait(f'{self.name}: {count} nodes are idle', seconds,
             lambda: len(self.call('sinfo', '-h', '-N', '-t', 'idle', '-o', '%N',
                                   check=False).split()) >= count, 0.05)

    def answers(self):
        wait(f'{self.name} answers', 60, lambda: not subprocess.run(
            [self.path('squeue'), '-h', '-t', 'R'], env=self.env, check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode)


def launch(line):
    words = line.split()
    if len(words) != 4 or words[0] != 'launch':
        raise Trouble('the played agents have ended')
    return int(words[2]) / 1e6, int(words[3]) / 1e6


def cpu_ticks():
    """Of the whole machine, idle ones too: those that a virtual machine's host took, and all."""
    ticks = [int(word) for word in read('/proc/stat').split('\n', maxsplit=1)[0].split()[1:9]]
    return ticks[7], sum(ticks)


def usage(pid):
    """CPU seconds and bytes of memory of a process."""
    fields = read(f'/proc/{pid}/stat').rsplit(')', 1)[1].split()
    tick, page = os.sysconf('SC_CLK_TCK'), os.sysconf('SC_PAGE_SIZE')
    return (int(fields[11]) + int(fields[12])) / tick, int(fields[21]) * page


class Slumber(System):
    kind = name = 'slumber'

    def __init__(self, base, build, name='slumber'):
        super().__init__(base)
        self.name = name
        self.build, self.controller, self.agents = build, None, []
        self.fakes, self.spec = None, None
        os.mkdir(f'{base}/bin')
        for command in ('sbatch', 'srun', 'salloc', 'squeue', 'sinfo', 'scontrol', 'scancel'):
            os.symlink(f'{build}/commands/{command}', f'{base}/bin/{command}')
        self.env.update(SLURM_CONF=f'{base}/slurm.conf', SLUMBER_SOCKET=f'{base}/sock',
                        PATH=f'{base}/bin:{self.env["PATH"]}')
        self.port = free_ports(1, 21000 + os.getpid() % 1000 + 1000 * (name == 'B'))

    def path(self, command):
        return f'{self.base}/bin/{command}'

    def configure(self, spec):
        base = self.base
        more = {'ClusterName': 'bench', 'SlurmctldHost': 'localhost(127.0.0.1)',
                'SlurmctldPort': self.port,
                'SlurmUser': USER, 'StateSaveLocation': f'{base}/state',
                'SlurmdSpoolDir': f'{base}/spool/%n',
                'SelectType': 'select/cons_tres', 'SelectTypeParameters': 'CR_CPU',
                'ReturnToService': 2,
                'SlurmdParameters': 'config_overrides', 'MaxJobCount': 200000}
        write(f'{base}/slurm.conf', '\n'.join(spec.lines('', {**more, **spec.keys})) + '\n')
        write(f'{base}/slumber.yaml', f'key_file: {base}/key\nsocket: {base}/sock\n{spec.site}')
        if not os.path.exists(f'{base}/key'):
            write(f'{base}/key', os.urandom(24).hex(), 0o600)

    def start(self, spec):
        self.stop()
        self.spec = spec
        self.power_forget()
        for folder in ('state', 'spool', 'log'):
            subprocess.run(['rm', '-rf', f'{self.base}/{folder}'], check=True)
            os.mkdir(f'{self.base}/{folder}', 0o755)
        self.configure(spec)
        self.start_controller()
        for i in range(spec.agents):
            self.start_agent(f'n{i + 1}')
        if spec.agents:
            self.wait_nodes(spec.agents)

    def start_controller(self):
        with open(f'{self.base}/log/out', 'ab') as out:
            self.controller = subprocess.Popen(
                [f'{self.build}/controller/slumberctld', '-D', '-f', f'{self.base}/slurm.conf',
                 '-L',
                 f'{self.base}/log/slumberctld.log'], env=self.env, stdin=subprocess.DEVNULL,
                 stdout=out, stderr=out)
        wait('slumberctld listens', 30, lambda: self.controller.poll() is not None
             or os.path.exists(f'{self.base}/sock'))
        if self.controller.poll() is not None:
            raise Trouble(f'slumberctld: {read(self.base + "/log/out")[-500:]}'
                          f'{read(self.base + "/log/slumberctld.log")[-500:]}')
        self.answers()

    def agent_argv(self, node):
        return [f'{self.build}/agent/slumberd', '-D', '-b', '-f', f'{self.base}/slurm.conf', '-N',
                node, '--socket',
                f'{self.base}/{node}.sock', '-L', f'{self.base}/log/{node}.log']

    def start_agent(self, node):
        self.agents.append(subprocess.Popen(self.agent_argv(node), env=self.env,
                                            stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def start_fakes(self, hosts, step_ms=10, boot_ms=0):
        """One process that plays the agents of all these nodes; returns when all are registered,
        with the launches so far."""
        self.fakes = subprocess.Popen(
            [f'{self.build}/tests/bench/fakeagents', '127.0.0.1', str(self.port),
             f'{self.base}/key', hosts,
             str(self.spec.cpus), str(step_ms), str(boot_ms)], stdin=subprocess.DEVNULL,
             stdout=subprocess.PIPE, text=True)
        seen = []
        for line in self.fakes.stdout:
            if line.startswith('registered'):
                return seen
            seen.append(launch(line))
        raise Trouble('the played agents do not register')

    def launches(self, count):
        """So many launches that the played agents see from now on: seconds since the node, and
        since the last node, registered."""
        return [launch(self.fakes.stdout.readline()) for _ in range(count)]

    def power_nodes(self):
        """ResumeProgram starts real agents, SuspendProgram ends them."""
        words = ' '.join(self.agent_argv('$h'))
        write(f'{self.base}/on-resume', f'#!/bin/bash\nexport SLURM_CONF={self.base}/slurm.conf\n'
              f'for h in $({self.path("scontrol")} show hostnames "$1"); do\n'
              f'setsid {words} </dev/null >/dev/null 2>&1 & echo $! >{self.base}/$h.pid\ndone\n',
              0o755)
        write(f'{self.base}/on-suspend',
              f'#!/bin/bash\nfor h in $({self.path("scontrol")} show hostnames "$1"); do\n'
              f'[ -e {self.base}/$h.pid ] && kill "$(cat {self.base}/$h.pid)"\n'
              f'rm -f {self.base}/$h.pid\ndone\n', 0o755)

    def registrations(self):
        """When the last node of each job has registered (as in the log, where the lines of many
        nodes are one and come later)."""
        found = re.findall(r'^(\S+) slumberctld: Configuration for JobId=(\d+) complete',
                           read(f'{self.base}/log/slumberctld.log'), re.M)
        return [(log_time(stamp), job) for stamp, job in found]

    def kill9(self):
        self.controller.kill()
        self.controller.wait()
        self.controller = None

    def pid(self):
        return self.controller.pid

    def stepds(self):
        """Step daemons of ours: they have our configuration in their environment."""
        mark = f'SLURM_CONF={self.base}/slurm.conf'
        for pid in filter(str.isdigit, os.listdir('/proc')):
            if read(f'/proc/{pid}/comm').strip() in ('slumberstepd', 'slumberd') and \
                    mark in read(f'/proc/{pid}/environ').split('\0'):
                yield int(pid)

    def stop(self):
        if self.controller and self.controller.poll() is None and self.agents:
            try:
                self.clear()
            except Trouble as t:
                print(t, flush=True)
        for process in [*self.agents, *filter(None, (self.controller, self.fakes))]:
            if process.poll() is None:
                process.terminate()
        for process in [*self.agents, *filter(None, (self.controller, self.fakes))]:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.controller, self.agents, self.fakes = None, [], None
        for pid in list(self.stepds()):
            for child in read(f'/proc/{pid}/task/{pid}/children').split():
                os.kill(int(child), signal.SIGKILL)
            os.kill(pid, signal.SIGKILL)
        for name in os.listdir(self.base):
            if name.startswith('on-'):
                os.unlink(f'{self.base}/{name}')


class Slurm(System):
    kind = name = 'slurm'

    def __init__(self, base, folder):
        super().__init__(base)
        self.tool = os.path.join(os.path.realpath(folder), 'cluster.sh')
        self.peer = f'{base}/peer'
        self.port = free_ports(1, 23000 + os.getpid() % 1000)
        self.node_port = free_ports(66, 24000 + os.getpid() % 1000)
        self.env.update(PEER=self.peer, SLURM_CONF=f'{self.peer}/etc/slurm.conf',
                        PEER_CTLD_PORT=str(self.port),
                        PEER_NODE_PORT0=str(self.node_port))
        self.running = False

    def path(self, command):
        return f'/usr/bin/{command}'

    def tooled(self, *words, **env):
        done = subprocess.run([self.tool, *map(str, words)], env=dict(self.env, **env),
                              stdin=subprocess.DEVNULL,
                              check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, timeout=200)
        if done.returncode:
            raise Trouble(f'cluster.sh {" ".join(map(str, words))}: {done.stderr[-500:]}')

    def start(self, spec):
        self.stop()
        self.power_forget()
        real = max(spec.agents, 8 if spec.nodes == 8 else 1)
        port = self.node_port + 1
        if spec.nodes == real and real > 1:
            port = f'[{port}-{self.node_port + real}]'
        lines = spec.lines(f'NodeHostname={socket.gethostname().split(".")[0]} Port={port}',
                           {'MaxJobCount': 200000, **spec.slurm_keys})
        write(f'{self.base}/extra.conf', '\n'.join(lines) + '\n')
        self.running = True
        self.tooled('start', spec.nodes, f'{self.base}/extra.conf', PEER_SLURMDS=str(spec.agents))
        self.answers()
        if spec.agents:
            self.wait_nodes(spec.agents)

    def start_fakes(self, hosts, step_ms=10):
        """There is no such thing: nodes that were set to idle by hand stay so (SlurmdTimeout=0)."""

    def power_nodes(self):
        # slurmctld starts programs with signals blocked and no standard streams, which a slurmd
        # would inherit; a node that registers within the second of the request counts as not booted
        perl = "use POSIX; sigprocmask(SIG_SETMASK, POSIX::SigSet->new()); exec @ARGV"
        for kind, words in (('resume', 'node-start "$h" -b'), ('suspend', 'node-stop "$h"')):
            inner = f'{self.base}/{kind}-nodes'
            pause = 'sleep 1.5' if kind == 'resume' else ':'
            write(inner,
                  f'#!/bin/bash\n{pause}\nfor h in $(/usr/bin/scontrol show hostnames "$1"); do\n'
                  f'{self.tool} {words}\ndone\n',
                  0o755)
            write(f'{self.base}/on-{kind}', '#!/bin/bash\n' + ''.join(
                f'export {k}={self.env[k]}\n'
                for k in ('PEER', 'SLURM_CONF', 'PEER_CTLD_PORT', 'PEER_NODE_PORT0', 'PATH'))
                + f"exec perl -e '{perl}' {inner} \"$1\" </dev/null >/dev/null 2>&1\n", 0o755)

    def registrations(self):
        found = re.findall(r'^\[(\S+)\] Node (\S+) now responding',
                           read(f'{self.peer}/log/slurmctld.log'), re.M)
        return [(log_time(stamp), node) for stamp, node in found]

    def kill9(self):
        self.tooled('ctld-kill9')

    def start_controller(self):
        self.tooled('ctld-start')
        self.answers()

    def pid(self):
        return int(read(f'{self.peer}/run/slurmctld.pid'))

    def stop(self):
        if self.running:
            self.tooled('stop')
        self.running = False
        for name in os.listdir(self.base):
            if name.startswith('on-'):
                os.unlink(f'{self.base}/{name}')


def log_time(stamp):
    """2026-01-02T03:04:05.678 with or without a zone; without one it is UTC (TZ is set so)."""
    whole, _, rest = stamp.partition('.')
    digits = re.match(r'\d+', rest)
    zone = rest[len(digits[0]):] if digits else ''
    when = time.strptime(whole, '%Y-%m-%dT%H:%M:%S')
    seconds = calendar.timegm(when) + (float('0.' + digits[0]) if digits else 0)
    shift = re.fullmatch(r'([+-])(\d\d):?(\d\d)', zone)
    if shift:
        seconds -= (1 if shift[1] == '+' else -1) * (int(shift[2]) * 3600 + int(shift[3]) * 60)
    return seconds
