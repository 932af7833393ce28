# SPDX-License-Identifier: GPL-3.0-or-later
"""Many processes of one job.  crowd.py FILE COUNT sleeping|spinning: FILE has their numbers, and a "." when all are there."""
import os
import sys
import time

start, go = os.pipe()
pids = [str(os.getpid())]
while len(pids) < int(sys.argv[2]):
    pid = os.fork()
    if pid == 0:
        os.close(go)
        os.read(start, 1)  # they begin together: who spins would not let the others come
        while True:
            if sys.argv[3] == 'sleeping':
                time.sleep(0.1)
    pids.append(str(pid))
with open(sys.argv[1], 'w', encoding='ascii') as f:
    f.write(' '.join(pids) + ' .\n')
os.close(go)
time.sleep(1000)
