# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a whole cluster on this machine and lets it sleep, wake and freeze:

A controller and 8 nodes, each with its own BMC (Debian's ipmi_sim, IPMI 2.0 over UDP on
loopback). A BMC's power-on starts the node's slumberd, a power-off ends slumberd like a mains
switch. At first all nodes are off. Five jobs switch five nodes on; an urgent job freezes three
of the jobs, which resume at its end; in the end all nodes are off again. Each step must happen
within its time; otherwise the demo names the step and fails."""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
# pylint: disable-next=wrong-import-position
from democluster import (BOOT_MS, NODES, SOURCE, SUSPEND_TIME, Cluster, Failure, Screen, expand,
                         read, runs, stop, write)

PROGRAMS = ['controller/slumberctld', 'controller/slumber-hook', 'agent/slumberd',
            'agent/slumberstepd', 'agent/slumberpmixd', 'power/slumber-power',
            'submit/slumber-submit', 'commands/slumber',
            'commands/slumber-dynamic', 'tests/tools/simnode']
MARK = 'slumber-demo'  # a file that marks the folder of a demo
LOW_TICKS, HIGH_TICKS = 1000, 300  # a tick is slightly more than 10 ms
STOPPED_BY = {'cgroup/v2': 'the freezer of cgroup v2', 'cgroup/v1': 'the freezer of cgroup v1',
              'none': 'signals to their process trees, for want of a cgroup'}

USE = '''
The cluster is up.  To use it from this machine:

    . {dir}/env  # PATH, SLURM_CONF, SLUMBER_SOCKET
    sinfo; squeue
    sbatch --wrap 'echo here; sleep 30'    # switches a node on
    srun -N2 printenv SLURMD_NODENAME      # waits until two are up
    sbatch -p hipri -N5 --wrap 'sleep 10'  # freezes what is in its way
    squeue -l; scontrol show node n1
    slumber-power status 'n[1-8]'          # what the BMCs say
    tail -f {dir}/log/slumberctld.log

To stop it:

    {source}/scripts/demo --stop --dir {dir}
'''


# ---- the story ----

class Story:
    def __init__(self, cluster):
        self.cluster, self.rows = cluster, []

    def latency(self, what, since, until, note=''):
        self.rows.append((what, since, until, note))

    def begin(self):
        c = self.cluster
        c.screen.chapter('8 nodes sleep')
        c.check('all nodes are idle~: powered off', set(c.states().values()) == {'idle~'})
        c.check('so say their BMCs', set(c.bmcs().values()) == {'off'})

    def wake(self):
        """Five jobs: five nodes are switched on, boot, register, and count."""
        c = self.cluster
        c.screen.chapter('five jobs wake five nodes')
        submitted = dict(c.submit('active', 1, LOW_TICKS) for _ in range(5))
        self.low = list(submitted)
        began = submitted[self.low[0]]
        resume = c.wait('ResumeProgram runs', 5, lambda: c.log.first('^ResumeProgram for n'))
        ons = c.wait('five nodes are on, read back from their BMCs', 15,
                     lambda: self.programs_done('Resume', 5, began))
        for job in self.low:
            c.wait(f'job {job} counts', 30, c.counter(job).count)
        self.nodes = {job: c.job(job, '%N') for job in self.low}
        for job, node in self.nodes.items():
            c.screen.event('count', f'job {job} counts on {node}', c.counter(job).ticks()[0])
        on = sorted(node for node, state in c.bmcs().items() if state == 'on')
        how = [re.search(r'Jobs are in (\S+)|$', read(f'{c.dir}/log/{node}.log'))[1] or 'none'
               for node in on]
        stopped_by = ' and '.join(STOPPED_BY.get(h, h) for h in sorted(set(how)))
        c.screen.event('demo', f'jobs will be stopped by {stopped_by}')
        c.check(f'just the five that are needed are on: {" ".join(on)}',
                on == sorted(self.nodes.values()))
        c.wait('all have counted to 100', 20,
               lambda: min(c.counter(j).count() for j in self.low) >= 100)
        ready = {job: c.log.first(f'^Configuration for JobId={job} complete') for job in self.low}
        last = max(self.low, key=ready.get)
        self.latency('first sbatch -> ResumeProgram running', began, resume)
        self.latency('first ResumeProgram -> five BMCs read back on', resume, ons)
        self.latency('-> last node registered', ons, ready[last],
                     f'boot takes {BOOT_MS / 1000:g} s')
        self.latency('its registration -> its script running', ready[last],
                     c.counter(last).ticks()[0])
        c.picture()

    def programs_done(self, kind, nodes, after):
        """Returns the time at which programs for so many nodes have succeeded; None before."""
        seen, when = set(), None
        for at, text in self.cluster.log.entries:
            done = re.fullmatch(rf'{kind}Program for (\S+) is done', text)
            if done and at >= after:
                seen.update(expand(done[1]))
                when = at
        return when if len(seen) >= nodes else None

    def freeze(self):
        """A job of a higher tier: three low jobs are frozen before the job starts."""
        c = self.cluster
        c.screen.chapter('an urgent job freezes three of them')
        self.high, began = c.submit('hipri', 3, HIGH_TICKS)
        high = c.counter(self.high)
        c.wait('the urgent job counts', 10, high.count)
        start = high.ticks()[0]
        c.screen.event('count', f'job {self.high} counts on {c.job(self.high, "%N")}', start)
        queue = c.queue()
        self.frozen = [job for job in self.low if queue[job][0] == 'S']
        c.check(f'squeue shows three jobs as S: {self.frozen}',
                len(self.frozen) == 3 and queue[self.high][0] == 'R')
        before = {job: c.counter(job).ticks() for job in self.low}
        last = max(before[job][-1] for job in self.frozen)
        c.check('their last tick was before its first', last < start)
        c.wait('the urgent job has counted on for 1 s', 10, lambda: high.count() >= 100)
        after = {job: c.counter(job).count() for job in self.low}
        moved = [job for job in self.low if after[job] > len(before[job])]
        c.check(f'meanwhile their counters stand still, those of {moved} go on',
                moved == [job for job in self.low if job not in self.frozen])
        self.counts = {job: after[job] for job in self.frozen}
        stood = max(last, began)  # less than a tick of 10 ms is not visible
        self.latency('urgent sbatch -> last tick of the jobs in its way', began, stood,
                     'to a tick of 10 ms')
        self.latency('-> its script running', stood, start, 'never both')
        c.picture()

    def thaw(self):
        """The urgent job ends: the three frozen jobs resume."""
        c = self.cluster
        c.screen.chapter('it ends, they go on')
        c.wait('the urgent job is done', 30, lambda: c.job(self.high, '%T') == 'COMPLETED')
        ended = c.counter(self.high).ticks()[-1]
        c.screen.event('count', f'job {self.high} has counted to {c.counter(self.high).count()}',
                       ended)
        for job, count in self.counts.items():
            c.wait(f'job {job} counts on', 10, lambda j=job, n=count: c.counter(j).count() > n)
            c.screen.event('count', f'job {job} goes on from {count}',
                           c.counter(job).ticks()[count])
        nexts = [c.counter(job).ticks()[count] for job, count in self.counts.items()]
        self.latency('its last tick -> next tick of the last one frozen', ended, max(nexts),
                     'a tick included')
        c.picture()

    def sleep(self):
        """All jobs end; nodes idle for SuspendTime are switched off."""
        c = self.cluster
        c.screen.chapter(f'all ends; {SUSPEND_TIME} s later the nodes sleep again')
        c.wait('all jobs are done', 60, lambda: not c.queue())
        for job in self.low:
            state, count = c.job(job, '%T'), c.counter(job).count()
            c.check(f'job {job} is {state}, has counted to {count}',
                    (state, count) == ('COMPLETED', LOW_TICKS))
        ended = max(c.counter(job).ticks()[-1] for job in self.low)
        done = c.wait('five nodes are off, read back from their BMCs', SUSPEND_TIME + 20,
                      lambda: self.programs_done('Suspend', 5, self.cluster.screen.began))
        suspend = max(c.log.times('^SuspendProgram for [^ ]+$'))
        c.check('the BMCs say: all are off', set(c.bmcs().values()) == {'off'})
        c.wait('sinfo says idle~ again', 20, lambda: set(c.states().values()) == {'idle~'})
        c.screen.event('demo', 'sinfo says idle~ again')
        self.latency("last job's end -> last SuspendProgram running", ended, suspend,
                     f'SuspendTime is {SUSPEND_TIME} s')
        self.latency('-> its BMCs read back off', suspend, done)
        c.picture()

    def timeline(self):
        print('\n' + self.cluster.screen.paint(f'{"":10}timeline', '1') + f'{"at":>50}{"took":>10}')
        for what, since, until, note in self.rows:
            took = (until - since) * 1000
            at = until - self.cluster.screen.began
            print(f'{"":10}{what:<50}{at:7.3f} s{took:7.0f} ms  {note}'.rstrip())


def tell(story):
    for part in (story.begin, story.wake, story.freeze, story.thaw, story.sleep, story.timeline):
        part()


# ---- the program ----

def default_folder():
    runtime = os.environ.get('XDG_RUNTIME_DIR')
    return f'{runtime}/slumber-demo' if runtime else f'/tmp/slumber-demo-{os.getuid()}'


def take_folder(base):
    """Makes an empty folder of this user; the folder of an earlier demo is emptied."""
    if len(base) > 80 or re.search(r'[^\w./+-]', base):
        sys.exit(f'demo: {base}: a path of at most 80 letters, digits and ./+-_ is expected')
    os.makedirs(base, mode=0o700, exist_ok=True)
    if os.path.islink(base) or os.stat(base).st_uid != os.getuid():
        sys.exit(f'demo: {base} is not a folder of ours: give another one by --dir')
    if os.listdir(base) and not os.path.exists(f'{base}/{MARK}'):
        sys.exit(f'demo: {base} is not empty: give another folder by --dir')
    if runs(f'{base}/slumberctld.pid'):
        sys.exit(f'demo: a cluster runs in {base}: use it, or scripts/demo --stop --dir {base}')
    remove(base)
    os.makedirs(base, mode=0o700)
    write(f'{base}/{MARK}', 'made by scripts/demo\n')


def remove(base):
    if os.path.exists(f'{base}/{MARK}'):
        stop(base)
    shutil.rmtree(base)


def build_programs(build):
    if subprocess.run([f'{SOURCE}/scripts/setup'], check=False).returncode:
        sys.exit(1)
    setup = ['meson', 'setup', build, SOURCE, '--buildtype=release']
    if not os.path.exists(f'{build}/build.ninja') and subprocess.run(setup, check=False).returncode:
        sys.exit(1)
    if subprocess.run(['ninja', '-C', build, *PROGRAMS], check=False).returncode:
        sys.exit(1)


def arguments():
    p = argparse.ArgumentParser(prog='demo', description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--keep', action='store_true',
                   help='leave the cluster up, and say how to use it and to stop it')
    p.add_argument('--stop', action='store_true',
                   help='stop a cluster that --keep has left, and remove its folder')
    p.add_argument('--dir', default=default_folder(), type=os.path.abspath,
                   help='folder for all files (%(default)s)')
    p.add_argument('--build', type=os.path.abspath,
                   help='use the programs of this build folder, build nothing')
    return p.parse_args()


def main():
    args = arguments()
    if args.stop:
        if not os.path.exists(f'{args.dir}/{MARK}'):
            sys.exit(f'demo: no demo in {args.dir}')
        remove(args.dir)
        return 0
    build = args.build or f'{SOURCE}/build/demo'
    if not args.build:
        build_programs(build)
    take_folder(args.dir)
    return perform(args, Cluster(args.dir, build, Screen()))


def perform(args, cluster):
    screen, ok = cluster.screen, False
    try:
        cluster.configure()
        cluster.start()
        tell(Story(cluster))
        ok = True
    except Failure as failure:
        screen.event('error', str(failure))
    except KeyboardInterrupt:
        screen.event('error', 'interrupted')
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        screen.erase()
        if not (ok and args.keep):
            stop(args.dir)
    if ok and args.keep:
        print(USE.format(dir=args.dir, source=SOURCE))
    elif ok:
        remove(args.dir)
        print('\ndemo: all as it should be')
    else:
        print(f'demo: failed; logs are in {args.dir}/log', file=sys.stderr)
    return 0 if ok else 1


if __name__ == '__main__':
    for end_by in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end_by, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
