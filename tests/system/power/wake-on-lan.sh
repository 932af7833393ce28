#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Wake-on-LAN on a wire: the controller's host and the node are two network namespaces with a veth pair between them.  The
# node's "card" reads Ethernet frames, and a magic packet with its MAC starts the node's slumberd, which registers over that wire.
if [ "$(id -u)" = 0 ] && [ -z "${ON_A_WIRE:-}" ] && unshare -n true 2>/dev/null; then
        exec env ON_A_WIRE=1 unshare -n -- bash "$0"
fi
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -n "${ON_A_WIRE:-}" ] || tap_skip_all 'no network namespace can be made'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
command -v ip >/dev/null || tap_skip_all 'no ip (package iproute2)'
at_exit cluster_end
cd "$DIR" || exit 1
power=$SLUMBER_BUILD/power/slumber-power

unshare -n sleep 1000 &
there=$!
at_exit kill $there
wait_for 10 eval '[ "$(readlink /proc/$there/ns/net)" != "$(readlink /proc/$$/ns/net)" ]'
ip link set lo up && ip link add wire type veth peer name card netns $there &&
        ip addr add 10.77.0.1/24 brd + dev wire && ip link set wire up &&
        nsenter -t $there -n sh -c 'ip link set lo up; ip link set card address 02:00:00:00:00:a1; ip addr add 10.77.0.2/24 dev card; ip link set card up'
tap_ok $? 'two hosts and a wire' || tap_done

# What a card does that is told to wait for magic packets, and the machine behind it.
cat >card.py <<'END'
import os, socket, subprocess, sys
folder, mac, system = sys.argv[1], bytes.fromhex(sys.argv[2]), sys.argv[3:]
card = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
card.bind(('card', 0))
machine = None
open(f'{folder}/ready', 'w').close()
while True:
    frame = card.recv(2000)
    at = frame.find(b'\xff' * 6 + mac * 16, 6) # behind the addresses
    if frame[12:14] != b'\x08\x00' or at < 0:
        continue
    with open(f'{folder}/frames', 'a', encoding='ascii') as f:
        print(frame[:6].hex(), socket.inet_ntoa(frame[30:34]), int.from_bytes(frame[36:38], 'big'), len(frame) - at, file=f)
    if not machine or machine.poll() is not None:
        machine = subprocess.Popen(system)
        with open(f'{folder}/machine.new', 'w', encoding='ascii') as f:
            print(machine.pid, file=f)
        os.rename(f'{folder}/machine.new', f'{folder}/machine')
END
cat >off <<END
#!/bin/sh
kill \$(cat $DIR/machine)
END
chmod 755 off
cluster_conf w1 'NodeName=w[1-2] CPUs=2 RealMemory=1000 State=CLOUD' 'SlurmctldHost=localhost(10.77.0.1)' SuspendTime=600 SuspendTimeout=5 ResumeTimeout=60 \
        SuspendRate=0 ResumeRate=0 "SuspendProgram=$power" "ResumeProgram=$power" 'yaml audit_interval: 0'
cat >power.yaml <<END
defaults: {driver: wake-on-lan, timeout: 300ms, lock_file: $DIR/lock, deadline: 20s, off_program: $DIR/off}
nodes:
  - {nodes: w1, mac: "02:00:00:00:00:a1", broadcast: "10.77.0.255"}
  - {nodes: w2, mac: "02:00:00:00:00:a2"}
END
sed 's/, broadcast: .*}/}/' power.yaml >broadcast.yaml
nsenter -t $there -n /usr/bin/python3 card.py "$DIR" 0200000000a1 "$SLUMBERD" -D -b -f "$SLURM_CONF" -N w1 --socket "$DIR/w1.sock" -L "$DIR/log/w1" &
at_exit kill $!
wait_for 10 test -e ready
ctld_start
tap_ok $? 'a controller on one, a card that listens on the other' || { cluster_logs; tap_done; }
frames() { sort -u frames 2>/dev/null; }

run "$power" on w2
tap_like "$rc|$err" '^2\|.*w2: no packet can be sent: Network is unreachable' 'a broadcast to all needs a default route: without one it is said'
ip route add default dev wire
run "$power" on w2
tap_is "$rc|$(frames)" '0|' 'a packet for another card wakes no node'
job=$(sbatch --parsable -w w1 -o "$DIR/out" --wrap 'echo awake')
wait_job 30 "$job" COMPLETED
tap_is "$?|$(cat out)|$(frames)" '0|awake|ffffffffffff 10.77.0.255 9 102' 'a job has its node woken by a frame to all: six ff and 16 times its MAC, to port 9'
tap_is "$(scontrol -o show node w1 | grep -o 'NodeAddr=[^ ]*')" NodeAddr=10.77.0.2 'the node has registered over the wire'
scontrol power down w1
wait_nodes 30 w1 'idle%|idle~'
tap_is "$?" 0 'off by off_program'
wait_for 20 gone "$(cat machine)"
rm frames
run "$power" on w1 --config "$DIR/broadcast.yaml"
wait_for 10 test -s frames
tap_is "$rc|$(frames)" '0|ffffffffffff 255.255.255.255 9 102' 'without broadcast: to all on the network of the default route'
wait_for 20 eval '! gone "$(cat machine)"' && kill "$(cat machine)"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
