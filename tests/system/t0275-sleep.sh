#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a node's own slumberd has its logind do: sleep (driver suspend) and power off (soft: agent), by the controller and the agent
# from slumber-power to a bus with a logind that is played.  That a machine that wakes registers anew is shown in tests/vm.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/cluster.sh"
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
# a port that drops what comes instead of refusing it: nobody accepts, and the queue is full
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
tap_like "$rc|$out|$err" '^2\|n2: unknown\|.*n2: slumberd of n2: logind: there is no system bus' 'a node without a bus cannot sleep'
agent_stop n2
DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus agent_start n2
wait_for 20 grep -q 'Node n2 registered.*' log/ctld && wait_nodes 20 n2 idle
wait_for 20 eval '[ "$(grep -c "Node n2 registered" log/ctld)" = 2 ]'
echo na >locks.cannot
p off n2
tap_like "$rc|$out|$err" '^2\|n2: unknown\|.*CanSuspend says "na"' 'nor one whose machine cannot'
rm locks.cannot
exec 7>outcome
SLUMBER_RESULT_FD=7 "$power" off n2 >out 2>&1
rc=$?
exec 7>&-
tap_is "$rc|$(cat out)|$(tail -1 did)|$(cat outcome)" '0|n2: unknown|Suspend|' 'it is put to sleep; nobody can tell sleep from death'
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
        run setpriv --reuid 65534 --clear-groups env SLUMBER_SOCKET="$DIR/sock" "$power" --config strangers/power.yaml off n2
        tap_like "$rc|$err" '^2\|.*slumberd of n2: .*([Aa]ccess|[Pp]ermission)' 'of others it is not taken'
else
        tap_ok 0 'of others it is not taken # SKIP needs root'
fi
cluster_sound
tap_done
