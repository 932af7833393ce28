#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pictures.py [--check] DIR: draws the pictures of slumber-sim --out DIR, each as PNG and as SVG.

nodes   state of each node over time. Few nodes are drawn exactly, with the names of jobs. Many nodes
        are a raster: a row is one or several nodes and shows their most frequent state.
series  pending and running jobs, nodes by state, and watts over time, averaged per column.

The data come from summary.json of DIR and from the CSV files of each case, in DIR or in DIR/1, DIR/2...
Data for gnuplot (names.dat, spells.dat and labels.dat or cells.dat, means.dat) stay beside the pictures.
pictures.gnuplot, beside this script, describes them and has all drawing. Words from outside are
arguments, or data restricted to harmless letters. --check only looks for gnuplot and the script.
"""
from array import array
import csv
import json
import os
import re
import shutil
import subprocess
import sys

COLUMNS = 1200     # columns of a raster, points of a series
ROWS_MAX = 500     # rows of a raster
EXACT_MAX = 64     # maximum nodes drawn exactly
BOXES_MAX = 20000  # maximum changes of nodes drawn exactly: SVG viewers handle as many without delay
TICS_MAX = 32      # node names at the axis
LETTER = 7         # pixels per letter of a job's name
UNITS = [('days', 86400), ('hours', 3600), ('minutes', 60), ('seconds', 1)]
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'pictures.gnuplot')
HARMLESS = re.compile(r'[A-Za-z0-9_.:+-]+')


def rows(folder, name):
    with open(os.path.join(folder, name), encoding='utf-8', errors='replace', newline='') as f:
        yield from csv.reader(f)


def cells_of(begin, end, whole):
    """Yields each column that a time overlaps, and for how long."""
    column = int(begin * COLUMNS / whole)
    while column < COLUMNS and column * whole / COLUMNS < end:
        length = min(end, (column + 1) * whole / COLUMNS) - max(begin, column * whole / COLUMNS)
        yield column, max(length, 0)
        column += 1


class Case:
    """A folder of CSV files, and what of it is drawn."""

    def __init__(self, folder):
        self.folder = folder
        table = rows(folder, 'series.csv')
        self.states = next(table)[3:-1]
        self.points = [[float(v or 0) for v in row] for row in table]
        table = rows(folder, 'nodes.csv')
        first = next(table).index(self.states[0])
        nodes = list(table)
        self.n_nodes = len(nodes)
        self.end = max([sum(map(float, nodes[0][first:])) if nodes else 0, 1e-6])
        self.unit, self.length = next((u for u in UNITS if self.end >= 5 * u[1]), UNITS[-1])
        table = rows(folder, 'jobs.csv')
        next(table)
        self.jobs = list(table)
        numbers = {job[0]: i for i, job in reversed(list(enumerate(self.jobs)))}
        changes = [(float(t), node, self.states.index(state), numbers.get(job, -1))
                   for t, node, state, job in list(rows(folder, 'states.csv'))[1:]]
        shown = {change[1] for change in changes}
        self.nodes = [node[0] for node in nodes if node[0] in shown]
        self.spells = self.find_spells(changes)

    def find_spells(self, changes):
        """Returns (row, state, job, from, until) for each period of a node in one state."""
        place = {node: i for i, node in enumerate(self.nodes)}
        now = [(0, len(self.states) - 1, -1)] * len(self.nodes)
        spells = []
        for at, node, state, job in changes + [(self.end, node, 0, -1) for node in self.nodes]:
            since, before, its_job = now[place[node]]
            if min(at, self.end) > since:
                spells.append((place[node], before, its_job, since, min(at, self.end)))
            now[place[node]] = (at, state, job)
        return spells

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), 'w', encoding='ascii') as f:
            f.writelines(lines)

    def write_spells(self):
        pixel = self.end / COLUMNS
        # a gap, since the next job may have the same colour
        self.write('spells.dat', (
            f'{since / self.length:.6g}\t'
            f'{(until - pixel * (state == 1 and until - since > 4 * pixel)) / self.length:.6g}\t'
            f'{row}\t{state}\t{job % 2**32}\n' for row, state, job, since, until in self.spells))

    def write_labels(self):
        """Writes the names of jobs with enough width, in the middle of the job's first adjacent nodes."""
        places = {}
        for row, state, job, _, _ in self.spells:
            if state == 1:
                places.setdefault(job, set()).add(row)
        lines = ['0\t0\t\n']  # gnuplot needs at least one label
        for i, (name, _, start, end, *_) in enumerate(self.jobs):
            if i not in places or not HARMLESS.fullmatch(name) or \
                    (float(end) - float(start)) / self.end * COLUMNS < LETTER * (len(name) + 1):
                continue
            first = last = min(places[i])
            while last + 1 in places[i]:
                last += 1
            lines.append(f'{(float(start) + float(end)) / 2 / self.length:.6g}\t'
                         f'{first + (last - first) // 2}\t{name}\n')
        self.write('labels.dat', lines)

    def write_cells(self, n_rows, each):
        """Writes two bytes per cell, row by row: the most frequent state, the job's number's low byte."""
        times = [[array('d', bytes(8 * COLUMNS)) for _ in self.states] for _ in range(n_rows)]
        jobs = [bytearray(COLUMNS) for _ in range(n_rows)]
        for row, state, job, since, until in self.spells:
            line = times[row // each][state]
            for column, length in cells_of(since, until, self.end):
                line[column] += length
                if state == 1:
                    jobs[row // each][column] = job & 255
        with open(os.path.join(self.folder, 'cells.dat'), 'wb') as f:
            for row in range(n_rows):
                for column, cell in enumerate(zip(*times[row])):
                    f.write(bytes((cell.index(max(cell)), jobs[row][column])))

    def write_names(self, n_rows, each):
        step = -(-n_rows // TICS_MAX)
        step = next((s for s in (1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50) if s >= step), step)
        names = [(row, self.nodes[row * each]) for row in range(0, n_rows, step)]
        self.write('names.dat', (f'{row}\t{name if HARMLESS.fullmatch(name) else "?"}\n'
                                 for row, name in names))

    def write_means(self):
        """Writes time, pending and running jobs, watts, and nodes by state."""
        means = [[0.0] * (len(self.states) + 4) for _ in range(COLUMNS)]
        for i, (at, pending, running, *nodes, watts) in enumerate(self.points):
            until = self.points[i + 1][0] if i + 1 < len(self.points) else self.end
            for column, length in cells_of(at, min(until, self.end), self.end):
                mean = means[column]
                for k, v in enumerate((1, pending, running, watts, *nodes)):
                    mean[k] += length * v
        self.write('means.dat', (
            '\t'.join([f'{self.end / self.length * (column + 0.5) / COLUMNS:.6g}'] +
                      [f'{v / (mean[0] or 1):.6g}' for v in mean[1:4]] +
                      [f'{v / (mean[0] or 1):.9g}' for v in mean[4:]]) + '\n'
            for column, mean in enumerate(means)))

    def draw(self, picture, heading, what, arguments):
        jobs = len(self.jobs)
        title = f'{heading[0]}, {self.n_nodes} node{"s" * (self.n_nodes != 1)}, ' \
                f'{jobs} job{"s" * (jobs != 1)}{heading[1]}: {what}'
        command = ['gnuplot', '-d', '-c', SCRIPT, picture, title, self.unit,
                   f'{self.end / self.length:.9g}', *map(str, arguments)]
        if subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, check=False).returncode:
            sys.exit(f'pictures.py: error: gnuplot has failed on {self.folder}/{picture}')

    def draw_all(self, heading, sums):
        if self.nodes:
            exact = len(self.nodes) <= EXACT_MAX and len(self.spells) <= BOXES_MAX
            each = 1 if exact else -(-len(self.nodes) // ROWS_MAX)
            n_rows = -(-len(self.nodes) // each)
            self.write_names(n_rows, each)
            if exact:
                self.write_spells()
                self.write_labels()
            else:
                self.write_cells(n_rows, each)
            self.draw('nodes', heading, 'what the nodes do', (n_rows, 0 if exact else COLUMNS))
        self.write_means()
        most = int(max((max(point[1:3]) for point in self.points), default=0))
        watts = [sums[key] for key in ('watts_max', 'watts_mean') if sums[key] is not None]
        self.draw('series', heading, 'jobs, nodes and power' if watts else 'jobs and nodes',
                  [self.n_nodes, most] + [f'{w:.9g}' for w in watts])


def main():
    if not shutil.which('gnuplot'):
        sys.exit('pictures.py: error: there is no gnuplot in PATH, which draws them (package gnuplot-nox)')
    if not os.access(SCRIPT, os.R_OK):
        sys.exit(f'pictures.py: error: {SCRIPT}, which gnuplot draws by, cannot be read')
    if sys.argv[1:] == ['--check']:
        return
    if len(sys.argv) != 2:
        sys.exit(f'Usage: {sys.argv[0]} DIR')
    folder = sys.argv[1]
    with open(os.path.join(folder, 'summary.json'), encoding='utf-8') as f:
        summary = json.load(f)
    cases = summary['cases']
    for i, case in enumerate(cases):
        label = f', {case["label"]}' if len(cases) > 1 and case['label'] else ''
        Case(os.path.join(folder, str(i + 1)) if len(cases) > 1 else folder).draw_all(
            (summary['cluster'], label), case['sums'])


main()
