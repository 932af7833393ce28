#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a node's own slumberd has its logind do: sleep (driver suspend) and power off (soft: agent), by the controller and the agent
# from slumber-power to a bus with a logind that is played.  That a machine that wakes registers anew is shown in tests/vm.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
command -v dbus-daemon >/dev/null || tap_skip_all 'no dbus-daemon'
/usr/bin/python3 -c 'import dbus, gi' 2>/dev/null || tap_skip_all 'no python3-dbus, python3-gi'

bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
power=$SLUMBER_BUILD/power/slumber-power
cluster_conf 'n[1-2]' 'yaml audit_interval: 0'
cd "$DIR" || exit 1
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode
at_exit cluster_end
at_exit "$bmcfarm" stop "$farm"
"$bmcfarm" start "$farm" 1 --net "$NET" --port 6230 --no-console --set deadline=10s
tap_ok $? 'a BMC, of n1' || tap_done

cat >bus.conf <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=$DIR/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy></busconfig>
END
dbus-daemon --config-file="$DIR/bus.conf" --nofork --nopidfile >"$DIR/log/bus" 2>&1 &
at_exit kill $!
wait_for 10 test -S bus
# The machine: its port is closed while it sleeps, and a magic packet wakes it.
cat >machine.py <<'END'
import os, select, socket, sys
folder, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
magic = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
magic.bind((host, port))
def system():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((host, port + 1))
    s.listen()
    return s
# a port that drops what comes instead of refusing it: no connection is accepted, and the queue is full
def silence():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((host, port + 1))
    s.listen(0)
    fill = [socket.socket() for _ in range(4)]
    for f in fill:
        f.setblocking(False)
        f.connect_ex((host, port + 1))
    return [s] + fill
up, down = system(), None
os.mkfifo(f'{folder}/sleep')
orders = os.open(f'{folder}/sleep', os.O_RDWR)
open(f'{folder}/ready', 'w').close()
while True:
    for fd in select.select([magic, orders], [], [])[0]:
        if fd is magic:
            magic.recv(1000)
            if down:
                for s in down:
                    s.close()
                down, up = None, system()
        else:
            os.read(orders, 100)
            if up:
                up.close()
                up, down = None, silence()
END
/usr/bin/python3 machine.py "$DIR" "127.$NET.0.7" "$PORT" &
at_exit kill $!
printf '#!/bin/sh\ncd "%s" && echo "$1" >>did\ncase $1 in Suspend) echo >sleep ;; PowerOff) kill "$(cat farm/n1/node.pid)" ;; esac\n' "$DIR" >locks.do
chmod 755 locks.do
: >locks
DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus /usr/bin/python3 "$SLUMBER_SOURCE/tests/tools/fakelogind" "$DIR/locks" >logind 2>&1 &
at_exit kill $!
wait_for 10 grep -q ready logind && wait_for 10 test -e ready
tap_ok $? 'a logind and a machine' || { cat logind; tap_done; }

sed 's|password_file: password|password_file: farm/password|; s|bmc: |soft: agent, bmc: |' farm/power.yaml >power.yaml
cat >>power.yaml <<END
  - {nodes: n2, driver: suspend, mac: "02:00:00:00:00:02", broadcast: "127.$NET.0.7:$PORT", check: "127.$NET.0.7:$((PORT + 1))", timeout: 300ms}
END
ctld_start
DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus agent_start n1
agent_start n2
wait_nodes 30 'n[1-2]' idle
tap_ok $? 'controller and agents' || { cluster_logs; tap_done; }
p() { run "$power" "$@"; }
p on n1
p soft n1
tap_is "$rc|$out|$err|$(cat did)" '0|n1: off||PowerOff' 'soft: agent: the node powers itself off, its BMC says so'
p off n2
tap_like "$rc|$out|$err" '^2\|n2: on\|.*n2: slumberd of n2: logind: there is no system bus' 'a node without a bus cannot sleep'
agent_stop n2
DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus agent_start n2
wait_for 20 grep -q 'Node n2 registered.*' log/ctld && wait_nodes 20 n2 idle
wait_for 20 eval '[ "$(grep -c "Node n2 registered" log/ctld)" = 2 ]'
echo na >locks.cannot
p off n2
tap_like "$rc|$out|$err" '^2\|n2: on\|.*CanSuspend says "na"' 'nor one of a machine that cannot'
rm locks.cannot
exec 7>outcome
SLUMBER_RESULT_FD=7 "$power" off n2 >out 2>&1
rc=$?
exec 7>&-
tap_is "$rc|$(cat out)|$(tail -1 did)|$(cat outcome)" '0|n2: unknown|Suspend|' 'it is put to sleep; sleep and death look the same'
p off n2 --json
tap_is "$rc $(grep -c Suspend did)" '0 1' 'one that is silent is not asked again'
p on n2
tap_is "$rc|$out|$err" '0|n2: on|' 'a magic packet wakes it'
agent_stop n2
p off n2
tap_like "$rc|$err" '^2\|.*slumberd of n2: via n2: no such host is connected' 'without slumberd it cannot be put to sleep'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        chmod 755 .
        mkdir strangers && sed -n '/driver: suspend/p' power.yaml | sed '1i nodes:' >strangers/power.yaml && chmod -R a+rX strangers
        run stranger "$power" --config "$DIR/strangers/power.yaml" off n2
        tap_like "$rc|$err" '^2\|.*slumberd of n2: .*([Aa]ccess|[Pp]ermission)' 'of others it is not taken'
else
        tap_ok 0 'of others it is not taken # SKIP needs root'
fi

# ---- a node's own BMC ----
# A device that is none, in a /dev of the agent's own, and one that plays slumber-power --in-band: it says an address, and other
# watts each time that it is asked.  The real ones are in tests/vm.
cat >inside <<'END'
#!/usr/bin/python3
import os, socket, sys
folder = os.path.dirname(os.path.abspath(sys.argv[0]))
s = socket.socket(fileno=0)
field = lambda n, data: bytes([n << 3 | 2, len(data)]) + data
watts = 100
while True:
    with open(f'{folder}/address', encoding='ascii') as f:
        report = field(1, f.read().strip().encode()) + field(2, bytes([8, watts]))
    body = b'\x08\x01' + bytes([0xca, 0x03, len(report)]) + report
    s.sendall(len(body).to_bytes(4, 'big') + body)
    watts = 120
    if not s.recv(1000):
        break
END
shows() { scontrol show node n2 | grep -qE "$1"; }
if [ "$(id -u)" = 0 ] && unshare -m sh -c 'mount -t tmpfs none /dev && mknod /dev/null c 1 3 && : >/dev/null' 2>/dev/null; then
        mkdir inner && cp "$SLUMBERD" inner/slumberd && mv inside inner/slumber-power && chmod 755 inner/slumber-power
        echo "127.$NET.0.1:6230" >inner/address
        cat >in_band <<END
#!/bin/sh
mount -t tmpfs none /dev && mkdir /dev/shm && for d in 'null 3' 'zero 5' 'random 8' 'urandom 9'; do mknod -m 666 /dev/\${d% *} c 1 \${d#* }; done
: >/dev/ipmi0
exec "$DIR/inner/slumberd" --stepd "$SLUMBER_BUILD/agent/slumberstepd" "\$@"
END
        chmod 755 in_band
        { sed '/^nodes:/,$d' power.yaml && echo 'nodes: [{nodes: n2, bmc: from-agent}]'; } >own.yaml
        echo 'heartbeat: 200ms' >>slumber.yaml
        scontrol reconfigure
        run "$power" --config own.yaml status n2
        tap_like "$rc|$err" '^2\|.*the address of the BMC of n2 is not known' 'an address that no agent has told'
        agent_start_in_band() { unshare -m ./in_band -D -f "$SLURM_CONF" -N n2 --socket "$DIR/n2.sock" >>log/n2 2>&1 </dev/null & echo $! >run/n2.pid; }
        agent_start_in_band
        wait_for 20 shows "BmcAddress=127.$NET.0.1:6230\$"
        tap_ok $? 'an agent tells where its BMC is'
        wait_for 20 shows 'CurrentWatts=120 '
        tap_ok $? 'and what it draws, with each heartbeat'
        run "$power" --config own.yaml status n2
        tap_is "$rc|$out|$err" '0|n2: off|' 'with that address, credentials are enough'
        ctld_stop && agent_stop n2 && ctld_start
        run "$power" --config own.yaml status n2
        tap_is "$rc|$out|$err" '0|n2: off|' 'the controller keeps it'
else
        tap_ok 0 'an agent tells where its BMC is # SKIP needs root'
fi
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
