# SPDX-License-Identifier: GPL-3.0-or-later
"""A low-priority task: the time, every 10 ms, into a file.  ticker.py FILE SECONDS [ignore-tstp]"""
import signal
import sys
import time

if 'ignore-tstp' in sys.argv:
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)
end = time.time() + float(sys.argv[2])
with open(sys.argv[1], 'a', buffering=1, encoding='ascii') as f:
    while time.time() < end:
        f.write(f'{time.time():.4f}\n')
        time.sleep(0.01)
