# SPDX-License-Identifier: GPL-3.0-or-later
"""A user at a terminal: terminal.py ROWS COLUMNS SCRIPT COMMAND...

SCRIPT is a list of steps with ;; between: "wait REGEX" for output, "send TEXT" (as Python's
escapes), "size ROWS COLUMNS". All output goes to standard output; "exit N raw|cooked" comes last:
the command's code and what it left of the terminal."""
import fcntl, os, pty, re, select, struct, sys, termios, time

rows, columns = int(sys.argv[1]), int(sys.argv[2])
script, command = sys.argv[3].split(";;"), sys.argv[4:]
ours, theirs = pty.openpty()


def size(r, c):
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", r, c, 0, 0))


size(rows, columns)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    for fd in range(3):
        os.dup2(theirs, fd)
    os.close(ours)
    os.execvp(command[0], command)
seen, end = b"", time.monotonic() + 60


def more(until):
    global seen
    if select.select([ours], [], [], max(0, min(0.2, until - time.monotonic())))[0]:
        seen += os.read(ours, 65536)


for step in script:
    word, _, rest = step.strip().partition(" ")
    if word == "wait":
        while True:
            found = re.search(rest.encode(), seen)
            if found:
                sys.stdout.write(seen[: found.end()].decode(errors="replace"))
                seen = seen[found.end() :]
                break
            if time.monotonic() > end:
                sys.exit("no " + rest + " in " + repr(seen))
            more(end)
    elif word == "send":
        os.write(ours, rest.encode().decode("unicode_escape").encode())
    elif word == "size":
        size(*map(int, rest.split()))
while True:
    done, status = os.waitpid(pid, os.WNOHANG)
    more(time.monotonic() + (0.2 if not done else 0))
    if done:
        break
    if time.monotonic() > end:
        os.kill(pid, 9)
state = "cooked" if termios.tcgetattr(theirs)[3] & termios.ICANON else "raw"
sys.stdout.write(seen.decode(errors="replace")
                 + "\nexit %d %s\n" % (os.waitstatus_to_exitcode(status), state))
