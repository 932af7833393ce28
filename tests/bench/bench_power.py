#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""slumber-power against ipmipower (package freeipmi-tools): status and on for many simulated BMCs, in turns.

    SLUMBER_BUILD=build tests/bench/bench_power.py [--nodes 1000] [--runs 5] [--dead 100]

Prints a line per program and command: median of the wall times and the worst one, and how many nodes were lost in all
runs, which are interleaved. Lost is a node for which the program reported no state or an error, or which was not on when all BMCs were asked
afterwards. The CPU time is the program's own. Then every tenth BMC (--dead) is ended, and "on" is asked for once more:
the line has the time in which the last of the living was on, in turns with runs for the living alone. Both run with the BMCs on the same machine, which takes most of the time, and start from the same state. A
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
    out = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, text=True).stdout
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return (took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), out


class Bench:
    def __init__(self, folder, nodes, net):
        self.folder, self.n = folder, nodes
        self.hosts = f'n[1-{nodes}]'
        blocks = [f'127.{net}.{i // 250}.[1-{min(250, nodes - i)}]' for i in range(0, nodes, 250)]
        self.peer_hosts = ','.join(blocks)

    def own(self, verb):
        """Seconds, and how many nodes it reports as in the state that was wanted."""
        took, out = timed([POWER, verb, self.hosts, '--json', '--no-console', '--config', f'{self.folder}/power.yaml'])
        nodes = json.loads(out)['nodes']
        return took, sum(n['ok'] for n in nodes), sum(n['state'] == 'on' for n in nodes)

    def peer(self, verb):
        took, out = timed(['ipmipower', f'--config-file={self.folder}/ipmipower.conf', '-h', self.peer_hosts, '-D',
                           'LAN_2_0', '-I', '3', '-W', 'opensesspriv', f'--{verb.replace("status", "stat")}'])
        return took, len(re.findall(r': (?:on|off|ok)$', out, re.M)), 0

    def once(self, function, verb):
        """(Seconds, seconds of CPU), nodes lost."""
        if verb == 'on':
            self.own('off')
        took, good, _ = function(verb)
        on = self.own('status')[2] if verb == 'on' else self.n
        return took, self.n - min(good, on)

    def compare(self, verb, runs):
        programs = {'slumber-power': self.own}
        if shutil.which('ipmipower'):
            programs['ipmipower'] = self.peer
        results = {name: [] for name in programs}
        for _ in range(runs):
            for name, function in programs.items():
                results[name].append(self.once(function, verb))
        for name, result in results.items():
            times, cpu = zip(*(took for took, _ in result))
            print(f'{verb:7} {name:14} median {statistics.median(times):6.2f} s  worst {max(times):6.2f} s  '
                  f'lost {sum(lost for _, lost in result)} of {runs * self.n}  '
                  f'CPU {statistics.median(cpu):5.2f} s', flush=True)
        if len(programs) == 1:
            print('ipmipower is not installed (package freeipmi-tools)')
            return
        own, peer = (statistics.median(took[0] for took, _ in r) for r in results.values())
        print(f'{verb:7} ratio to ipmipower {own / peer:.2f}', flush=True)


    def with_dead(self, dead, runs):
        """"on" for all with some BMCs ended, in turns with "on" for the living alone."""
        gone = [f'n{i}' for i in range(self.n // dead, self.n + 1, self.n // dead)][:dead]
        for node in gone:
            subprocess.run([FARM, 'kill-bmc', self.folder, node], check=True)
        hosts = {f'{self.n} with {dead} dead': self.hosts,
                 f'{self.n - dead} alive': ','.join(f'n{i}' for i in range(1, self.n + 1) if f'n{i}' not in set(gone))}
        results = {name: [] for name in hosts}
        living = hosts[f'{self.n - dead} alive']
        for _ in range(runs):
            for name, nodes in hosts.items():
                timed([POWER, 'off', living, '--json', '--config', f'{self.folder}/power.yaml'])
                _, out = timed([POWER, 'on', nodes, '--json', '--no-console', '--deadline', '20s', '--config',
                                f'{self.folder}/power.yaml'])
                answers = [n for n in json.loads(out)['nodes'] if n['node'] not in gone]
                results[name].append((max(n['milliseconds'] for n in answers) / 1000, sum(not n['ok'] for n in answers)))
        for name, result in results.items():
            times = [t for t, _ in result]
            print(f'on      {name:22} last of the living: median {statistics.median(times):6.2f} s  '
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
        subprocess.run([FARM, 'start', farm, str(args.nodes), '--net', str(net), '--no-console', '--simnode',
                        f'{BUILD}/tests/tools/simnode'], check=True)
        print(f'{args.nodes} simulated BMCs started in {time.monotonic() - began:.1f} s; {args.runs} runs each', flush=True)
        with open(f'{farm}/password', encoding='utf-8') as f:
            password = f.read().strip()
        with open(os.open(f'{farm}/ipmipower.conf', os.O_WRONLY | os.O_CREAT, 0o600), 'w', encoding='utf-8') as f:
            f.write(f'username admin\npassword {password}\n')
        bench = Bench(farm, args.nodes, net)
        bench.own('on')  # fresh processes are slow to whoever asks first
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
