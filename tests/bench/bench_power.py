#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""slumber-power against ipmipower (package freeipmi-tools): status and on for many simulated BMCs,
in turns.

    SLUMBER_BUILD=build tests/bench/bench_power.py [--nodes 1000] [--runs 5] [--dead 100]

Prints a line per program and command: median of the wall times and the worst one, and how many
nodes were lost in all runs, which are interleaved. Lost is a node for which the program reported no
state or an error, or which was not on when all BMCs were asked afterwards. The CPU time is the
program's own. Then every tenth BMC (--dead) is ended, and "on" is asked for once more: the line has
the time in which the last of the living was on (for ipmipower: had acknowledged, it reads nothing
back), in turns with runs for the living alone, to show what waits for the dead. Both programs run
with the BMCs on the same machine, which takes most of the time, and start from the same state. A
build with sanitizers is no thing to measure: configure one without."""
import argparse
import json
import os
import resource
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.abspath(f'{os.path.dirname(__file__)}/../..')
BUILD = os.path.abspath(os.environ.get('SLUMBER_BUILD', f'{SOURCE}/build'))
FARM = f'{SOURCE}/tests/tools/bmcfarm'
POWER = f'{BUILD}/power/slumber-power'


def timed(argv):
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                         text=True).stdout
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return (took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), out


class Bench:
    def __init__(self, folder, nodes, net):
        self.folder, self.n, self.net = folder, nodes, net
        self.hosts = f'n[1-{nodes}]'
        blocks = [f'127.{net}.{i // 250}.[1-{min(250, nodes - i)}]' for i in range(0, nodes, 250)]
        self.peer_hosts = ','.join(blocks)

    def own(self, verb):
        """Seconds, and how many nodes it reports as in the state that was wanted."""
        took, out = timed([POWER, verb, self.hosts, '--json', '--no-console', '--config',
                           f'{self.folder}/power.yaml'])
        nodes = json.loads(out)['nodes']
        return took, sum(n['ok'] for n in nodes), sum(n['state'] == 'on' for n in nodes)

    def address(self, node):
        return f'127.{self.net}.{(int(node[1:]) - 1) // 250}.{(int(node[1:]) - 1) % 250 + 1}'

    def peer_command(self, verb, hosts):
        return ['ipmipower', f'--config-file={self.folder}/ipmipower.conf', '-h', hosts, '-D',
                'LAN_2_0', '-I', '3',
                '-W', 'opensesspriv', f'--{verb.replace("status", "stat")}']

    def programs(self, own, peer):
        return {'slumber-power': own} | ({'ipmipower': peer} if shutil.which('ipmipower') else {})

    def peer(self, verb):
        took, out = timed(self.peer_command(verb, self.peer_hosts))
        return took, len(re.findall(r': (?:on|off|ok)$', out, re.M)), 0

    def once(self, function, verb):
        """(Seconds, seconds of CPU), nodes lost."""
        if verb == 'on':
            self.own('off')
        took, good, _ = function(verb)
        on = self.own('status')[2] if verb == 'on' else self.n
        return took, self.n - min(good, on)

    def compare(self, verb, runs):
        programs = self.programs(self.own, self.peer)
        results = {name: [] for name in programs}
        for _ in range(runs):
            for name, function in programs.items():
                results[name].append(self.once(function, verb))
        for name, result in results.items():
            times, cpu = zip(*(took for took, _ in result))
            print(f'{verb:7} {name:14} median {statistics.median(times):6.2f} s  '
                  f'worst {max(times):6.2f} s  '
                  f'lost {sum(lost for _, lost in result)} of {runs * self.n}  '
                  f'CPU {statistics.median(cpu):5.2f} s', flush=True)
        if len(programs) == 1:
            print('ipmipower is not installed (package freeipmi-tools)')
            return
        own, peer = (statistics.median(took[0] for took, _ in r) for r in results.values())
        print(f'{verb:7} ratio to ipmipower {own / peer:.2f}', flush=True)

    def own_last(self, nodes, gone):
        """When the last of the living was on, read back, and how many of them were not."""
        _, out = timed([POWER, 'on', ','.join(nodes), '--json', '--no-console', '--deadline', '20s',
                        '--config',
                        f'{self.folder}/power.yaml'])
        answers = [n for n in json.loads(out)['nodes'] if n['node'] not in gone]
        return max(n['milliseconds'] for n in answers) / 1000, sum(not n['ok'] for n in answers)

    def peer_last(self, nodes, gone):
        """When the last of the living has acknowledged, and how many have not."""
        living = {self.address(node) for node in nodes if node not in gone}
        with subprocess.Popen(['stdbuf', '-oL',
                               *self.peer_command('on', ','.join(map(self.address, nodes)))],
                               text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
            began = last = time.monotonic()
            for line in program.stdout:
                address, _, answer = line.strip().partition(': ')
                if answer == 'ok' and address in living:
                    living.discard(address)
                    last = time.monotonic()
        return last - began, len(living)

    def with_dead(self, dead, runs):
        """"on" for all with some BMCs ended, in turns with "on" for the living alone."""
        nodes = [f'n{i}' for i in range(1, self.n + 1)]
        gone = set(nodes[self.n // dead - 1::self.n // dead][:dead])
        for node in gone:
            subprocess.run([FARM, 'kill-bmc', self.folder, node], check=True)
        living = [node for node in nodes if node not in gone]
        cases = {(name, f'{len(some)} with {len(some) - len(living)} dead'): (function, some)
                 for name, function in self.programs(self.own_last, self.peer_last).items()
                 for some in (nodes, living)}
        results = {case: [] for case in cases}
        for _ in range(runs):
            for case, (function, some) in cases.items():
                timed([POWER, 'off', ','.join(living), '--json', '--config',
                       f'{self.folder}/power.yaml'])
                results[case].append(function(some, gone))
        for (name, what), result in results.items():
            times = [t for t, _ in result]
            print(f'on      {name:14} {what:18} last of the living: '
                  f'median {statistics.median(times):6.2f} s  '
                  f'worst {max(times):6.2f} s  lost {sum(lost for _, lost in result)}', flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument('--nodes', type=int, default=1000)
    p.add_argument('--runs', type=int, default=5)
    p.add_argument('--dead', type=int, default=100)
    args = p.parse_args()
    if os.geteuid() != 0:
        sys.exit('bench_power: needs root: ipmipower wants its BMCs on port 623')
    folder, net = tempfile.mkdtemp(prefix='slumber-bench-power-'), 99
    farm = f'{folder}/farm'
    try:
        began = time.monotonic()
        subprocess.run([FARM, 'start', farm, str(args.nodes), '--net', str(net), '--no-console',
                        '--simnode',
                        f'{BUILD}/tests/tools/simnode'], check=True)
        print(f'{args.nodes} simulated BMCs started in {time.monotonic() - began:.1f} s; '
              f'{args.runs} runs each', flush=True)
        with open(f'{farm}/password', encoding='utf-8') as f:
            password = f.read().strip()
        with open(os.open(f'{farm}/ipmipower.conf', os.O_WRONLY | os.O_CREAT, 0o600), 'w',
                  encoding='utf-8') as f:
            f.write(f'username admin\npassword {password}\n')
        bench = Bench(farm, args.nodes, net)
        bench.own('on')  # fresh processes are slow to answer first
        bench.own('off')
        for verb in ('status', 'on'):
            bench.compare(verb, args.runs)
        if args.dead:
            bench.with_dead(args.dead, args.runs)
    finally:
        subprocess.run([FARM, 'stop', farm], check=False)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    main()
