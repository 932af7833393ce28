#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One user of a node sends requests, or steps' output, without end while the controller does not read: they wait, the node stays.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
at_exit cluster_end
ulimit -n 16384 2>/dev/null
cluster_conf 'n1'
cd "$DIR" || exit 1
cp "$SLUMBER_SOURCE/tests/system/hostile.py" .
cat >flood.py <<'END'
# flood.py SOCKET STOP: requests of 60 MB by six connections until there is a file STOP; tells when none is taken for a second
import os, select, socket, sys
from hostile import PING, field, request
large = memoryview(request(PING, field(9, b'x' * (60 << 20))))
links, at, stood = [socket.socket(socket.AF_UNIX) for _ in range(6)], {}, False
for link in links:
    link.connect(sys.argv[1])
    link.setblocking(False)
    at[link] = 0
while not os.path.exists(sys.argv[2]):
    answered, ready, _ = select.select(links, links, [], 1)
    if not ready and not stood:
        stood = True
        print('stands', flush=True)
    for link in answered:
        if not link.recv(1 << 16):
            sys.exit('closed')
    for link in ready:
        at[link] = (at[link] + link.send(large[at[link]:at[link] + (1 << 20)])) % len(large)
print('over', flush=True)
END
cluster_up 'a controller and a node' n1
ctld=$(cat run/ctld.pid)
at_exit eval 'kill -CONT $ctld 2>/dev/null'
export SLUMBER_SOCKET=$DIR/n1.sock

srun sh -c 'touch begun; until [ -e go ]; do sleep 0.1; done; echo whole' >out 2>err &
srun=$!
at_exit eval 'kill $srun 2>/dev/null'
wait_for 20 test -e begun
tap_ok $? 'a user has a step by the agent of the node'
kill -STOP "$ctld"
timeout 120 /usr/bin/python3 flood.py n1.sock enough >flood 2>&1 &
flood=$!
at_exit eval 'kill $flood 2>/dev/null'
wait_for 40 grep -q . flood
tap_is "$(cat flood)" stands 'another sends what is taken while the controller stands still: then no more is'
kill -CONT "$ctld"
run timeout 60 scontrol ping
tap_like "$rc $out" '^0 .*UP' "when it goes on, a third one's request has its turn before the flood is over"
touch enough go
wait_for 60 gone "$flood"
tap_is "$(tail -1 flood)" over 'which nothing has ended but itself'
wait "$srun"
tap_is "$? $(cat out err)" '0 whole' 'the step has lost nothing'
tap_is "$(grep -c 'is gone' log/n1)" 0 'the node has kept its connection'

# ---- output ----
srun -O -n 100 sh -c '[ $SLURM_PROCID != 0 ] || touch begun2; until [ -e go2 ]; do sleep 0.3; done; head -c 250000 /dev/zero; touch done.$SLURM_PROCID' >out 2>err &
srun=$!
wait_for 30 test -e begun2
kill -STOP "$ctld"
touch go2
said() { [ "$(ls -d done.* 2>/dev/null | wc -l)" = 100 ]; }
wait_for 60 said
tap_ok $? 'a step writes 25 MB that are not read'
kill -CONT "$ctld"
wait "$srun"
tap_is "$? $(wc -c <out) $(cat err)" '0 25000000 ' 'they arrive, when the controller goes on'
tap_is "$(grep -c 'is gone' log/n1)" 0 'by the same connection'

# ---- messages that never end ----
cat >half.py <<'END'
# half.py SOCKET: begins twelve messages of 60 MB; prints how many connections stay, and then whether a small message is answered
import socket, struct, sys
from hostile import PING, request
links, stay = [], 0
for _ in range(12):
    link = socket.socket(socket.AF_UNIX)
    link.connect(sys.argv[1])
    link.settimeout(20)
    links.append(link)
    try:
        link.sendall(struct.pack('>I', 60 << 20) + b'x' * (59 << 20))
        stay += 1
    except OSError:
        pass
print('all' if stay == 12 else 'some' if stay >= 4 else 'few')
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
link.settimeout(20)
link.sendall(request(PING))
print('answered' if link.recv(100) else 'closed')
END
chmod 755 "$DIR"
chmod 644 ./*.py
if [ "$(id -u)" = 0 ]; then
        for door in sock n1.sock; do
                run setpriv --reuid=65534 --regid=65534 --clear-groups timeout 100 /usr/bin/python3 half.py "$door"
                tap_is "$out" $'some\nanswered' "$door: a client that begins large messages and does not end them is bounded, and only that"
        done
fi

# ---- connections ----
cat >many.py <<'END'
# many.py SOCKET READY STOP: 4200 connections until there is a file STOP; then how many of them are closed
import os, select, socket, sys, time
links = []
for _ in range(4200):
    links.append(socket.socket(socket.AF_UNIX))
    links[-1].connect(sys.argv[1])
poll = select.poll()
for link in links:
    poll.register(link, select.POLLIN)
until = time.monotonic() + 30
while len(poll.poll(100)) < 104 and time.monotonic() < until:
    pass
os.close(os.open(sys.argv[2], os.O_CREAT | os.O_WRONLY))
while not os.path.exists(sys.argv[3]):
    time.sleep(0.1)
print(len(poll.poll(0)))
END
chmod 644 many.py
mkdir -m 777 theirs
if [ "$(id -u)" = 0 ] && [ "$(ulimit -n)" -ge 9000 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups timeout 100 /usr/bin/python3 many.py n1.sock theirs/ready enough2 >many 2>&1 &
        many=$!
        wait_for 60 test -e theirs/ready
        run timeout 20 scontrol ping
        tap_is "$rc" 0 'when one user has as many connections to an agent as it gives, others have theirs'
        run setpriv --reuid=65533 --regid=65533 --clear-groups timeout 20 /usr/bin/python3 -c \
                'import socket; from hostile import *; s = socket.socket(socket.AF_UNIX); s.connect("n1.sock"); s.sendall(request(PING)); print(len(s.recv(4)))'
        tap_is "$out" 4 'any user'
        touch enough2
        wait "$many"
        tap_is "$(cat many)" 104 'the first one has 4096 of them'
fi
cluster_sound
tap_ok $? 'no daemon complains of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
