# SPDX-License-Identifier: GPL-3.0-or-later
"""How long others wait while a large step is launched.

bench_launch.py BUILD [NODES [BYTES [ROUNDS]]]: a controller, fakeagents for NODES nodes (300),
ROUNDS launches (3) of a step on all of them with BYTES (1000000) of environment and arguments, and
an sbatch after the other beside them.  Prints one line of JSON, times in milliseconds: the median
and the longest sbatch without a launch ("idle") and during launches ("busy"), and the srun itself.
"""
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

CONF = """ClusterName=bench
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
StateSaveLocation={base}/state
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MaxJobCount=100000
NodeName=n[1-{nodes}] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES State=UP
"""


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Cluster:
    """A controller and agents that start no process."""

    def __init__(self, build, nodes, base):
        self.base, self.build, port = base, build, free_port()
        os.makedirs(f'{base}/state')
        user = subprocess.run(['id', '-un'], stdout=subprocess.PIPE, check=True,
                              text=True).stdout.strip()
        with open(f'{base}/slurm.conf', 'w', encoding='ascii') as f:
            f.write(CONF.format(port=port, user=user, base=base, nodes=nodes))
        with open(f'{base}/slumber.yaml', 'w', encoding='ascii') as f:
            f.write(f'key_file: {base}/key\nsocket: {base}/sock\n')
        with open(os.open(f'{base}/key', os.O_CREAT | os.O_WRONLY, 0o600), 'wb') as f:
            f.write(os.urandom(32))
        for name in ('sbatch', 'srun', 'scancel', 'squeue'):
            os.symlink(f'{build}/commands/slumber', f'{base}/{name}')
        self.env = {'PATH': os.environ['PATH'], 'SLURM_CONF': f'{base}/slurm.conf',
                    'SLUMBER_SOCKET': f'{base}/sock', 'LC_ALL': 'C'}
        with open(f'{base}/log', 'wb') as log:
            self.controller = subprocess.Popen([f'{build}/controller/slumberctld', '-D', '-f',
                                                f'{base}/slurm.conf'], env=self.env, stdout=log,
                                               stderr=log)
        while b' started: cluster ' not in open(f'{base}/log', 'rb').read():
            time.sleep(0.01)
            if self.controller.poll() is not None:
                sys.exit(open(f'{base}/log', encoding='utf-8').read())
        self.agents = subprocess.Popen([f'{build}/tests/bench/fakeagents', '127.0.0.1', str(port),
                                        f'{base}/key', f'n[1-{nodes}]', '4', '10'],
                                       stdout=subprocess.PIPE)
        if b'registered' not in self.agents.stdout.readline():
            sys.exit('the agents do not register')

    def stop(self):
        for p in (self.agents, self.controller):
            p.terminate()
            p.wait()

    def run(self, name, *args, env=None):
        begin = time.monotonic()
        done = subprocess.run([f'{self.base}/{name}', *args], env={**self.env, **(env or {})},
                              cwd=self.base, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit(f'{name}: {done.stderr.decode()}')
        return (time.monotonic() - begin) * 1000


def submit(cluster):
    return cluster.run('sbatch', '-H', '--wrap', 'true')


def main():
    numbers = [int(n) for n in sys.argv[2:]] + [300, 1000000, 3][len(sys.argv) - 2:]
    nodes, size, rounds = numbers
    base = tempfile.mkdtemp(prefix='slumber-launch-')
    cluster = Cluster(os.path.abspath(sys.argv[1]), nodes, base)
    large = {f'LARGE{i}': 'x' * 50000 for i in range(size * 9 // 10 // 50000)}
    words = ['y' * 1000] * (size // 10 // 1000)
    busy, launches = [], []

    def launch():
        for _ in range(rounds):
            launches.append(cluster.run('srun', f'-N{nodes}', f'-n{nodes}', 'true', *words,
                                        env=large))

    try:
        idle = [submit(cluster) for _ in range(50)]
        thread = threading.Thread(target=launch)
        thread.start()
        while thread.is_alive():
            busy.append(submit(cluster))
        thread.join()
    finally:
        cluster.stop()
        shutil.rmtree(base)
    print(json.dumps({'nodes': nodes, 'bytes': size, **{f'{name} {what}': round(of(values), 1)
                      for name, values in (('idle', idle), ('busy', busy), ('srun', launches))
                      for what, of in (('median', statistics.median), ('longest', max))},
                      'submissions': len(busy)}))


if __name__ == '__main__':
    main()
