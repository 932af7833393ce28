# SPDX-License-Identifier: GPL-3.0-or-later
"""Many processes of one job.  crowd.py FILE COUNT sleeping|spinning: FILE has their numbers, and a
"." when all are there."""
import os
import sys
import time

end = time.monotonic() + 60  # whatever becomes of the parent that ends them
start, go = os.pipe()
pids = [str(os.getpid())]
while len(pids) < int(sys.argv[2]):
    pid = os.fork()
    if pid == 0:
        os.close(go)
        os.read(start, 1)  # they begin together: one that spins would not let the others come
        while time.monotonic() < end:
            if sys.argv[3] == 'sleeping':
                time.sleep(0.1)
        os._exit(0)
    pids.append(str(pid))
with open(sys.argv[1], 'w', encoding='ascii') as f:
    f.write(' '.join(pids) + ' .\n')
os.close(go)
time.sleep(60)
