#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-power with Wake-on-LAN and with a site's own program.
. "$(dirname "$0")/../lib.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

power=$SLUMBER_BUILD/power/slumber-power
# Listens for magic packets: each is a line in hex; one for n2 makes its "system" answer on a port.
cat >"$DIR/listen.py" <<'END_OF_PROGRAM'
import socket, sys
folder, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind((host, port))
open(f'{folder}/ready', 'w').close()
system = None
while True:
    data = s.recv(1000)
    with open(f'{folder}/packets', 'a', encoding='ascii') as f:
        f.write(data.hex() + '\n')
    if data[6:12].hex() == '0200000000a2' and not system:
        system = socket.socket()
        system.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        system.bind((host, port + 1))
        system.listen()
END_OF_PROGRAM
/usr/bin/python3 "$DIR/listen.py" "$DIR" "127.$NET.0.1" "$PORT" &
at_exit kill $!

# A site's tool: a file per node that is on.
cat >"$DIR/tool" <<'END_OF_PROGRAM'
#!/bin/sh
dir=$(dirname "$0")
echo "$*" >>"$dir/calls"
case $1:$2 in
*:n9) echo "no such outlet" >&2; exit 78 ;;
*:n8) sleep 1000 & echo $! >"$dir/sleeper"; wait ;;
status:n7) printf 'o\033[31mn\n' ;;
off:n6) exit 0 ;;
on:*) : >"$dir/$2.on" ;;
off:* | soft:*) rm -f "$dir/$2.on" ;;
status:*) if [ -e "$dir/$2.on" ]; then echo on; else echo off; fi ;;
watts:n4) yes 2>/dev/null | head -c 1000000 ;;
watts:*) echo 42.4 ;;
esac
END_OF_PROGRAM
printf '#!/bin/sh\necho "$0 $*" >>"%s/off.calls"\n' "$DIR" >"$DIR/off"
chmod +x "$DIR/tool" "$DIR/off"
(umask 077 && echo 10.1.2.3 >"$DIR/secureon" && echo hush >"$DIR/nonsense")
cat >"$DIR/power.yaml" <<END_OF_FILE
defaults: {deadline: 4s, poll: 50ms, cycle_pause: 50ms, timeout: 1s, broadcast: "127.$NET.0.1:$PORT", program: $DIR/tool,
           lock_file: $DIR/lock}
nodes:
  - {nodes: "w[1-2]", driver: wake-on-lan, mac: ["02:00:00:00:00:a0", 02-00-00-00-00-A1], password_file: secureon}
  - {nodes: n2, driver: wake-on-lan, mac: 0200000000a2, check: "127.$NET.0.1:$((PORT + 1))", off_program: $DIR/off}
  - {nodes: w9, driver: wake-on-lan, mac: 0200000000a9, password_file: nonsense}
  - {nodes: "n[3-9]", driver: program}
  - {nodes: n10, driver: program, bmc: outlet-%n}
END_OF_FILE
wait_for 10 test -e "$DIR/ready"
tap_ok $? 'a listener for packets is up' || tap_done
p() { run "$power" "$@" --config "$DIR/power.yaml"; }
outcome() { SLUMBER_RESULT_FD=9 "$power" "$@" --config "$DIR/power.yaml" 9>"$DIR/outcome" >/dev/null 2>&1; }

# ---- wake-on-lan ----
p on w1
tap_is "$rc|$out|$err" '0|w1: unknown|' 'without a check, on is done when the packet is on its way'
magic() { printf 'ffffffffffff'; printf "$1%.0s" {1..16}; echo "$2"; }
wait_for 20 test -s "$DIR/packets"
tap_is "$(sort -u "$DIR/packets")" "$(magic 0200000000a0 0a010203)" 'the packet has the MAC 16 times and the SecureOn password'
outcome on 'w[1-2]'
tap_is "$? $(cat "$DIR/outcome")" '0 ' 'what cannot be confirmed is not reported as done'
p off w1
tap_is "$rc|$err" '2|slumber-power: error: w1: wake-on-lan w1: a node cannot be switched off by a packet, give off_program in power.yaml' 'off needs a program'
p status w1
tap_is "$rc|$err" '2|slumber-power: error: w1: the state of w1 cannot be read (wake-on-lan 02:00:00:00:00:a0)' 'there is no state to read'
p on w9
tap_like "$rc|$err" '^2\|.*the SecureOn password is not written as' 'a SecureOn password that is none is told'
! grep -q hush <<<"$err"
tap_ok $? 'and not printed'
outcome on n2
tap_is "$? $(cat "$DIR/outcome")" '0 {"node":"n2","ok":true,"power":"on"}' 'with a check, on is done when the node answers'
p status n2
tap_is "$rc|$out" '0|n2: on' 'and that is its state'
p off n2 --deadline 2s
tap_is "$rc|$out|$(sort -u "$DIR/off.calls")" "2|n2: on|$DIR/off off n2" 'a node that still answers after its off_program is an error'
p watts n2
tap_like "$rc|$err" 'driver wake-on-lan measures no power' 'there are no watts'

# ---- a program ----
p status 'n[3-5]'
tap_is "$rc|$out" '0|n[3-5]: off' 'a program is asked for the state'
p on 'n[3-6,10]' --json
tap_is "$rc $(grep -c '"state":"on"' <<<"$out") $(grep -c '"changed":true' <<<"$out")" '0 5 5' 'and switches on'
tap_is "$(grep -x 'on n10 outlet-n10' "$DIR/calls") $(grep -c '^on n3$' "$DIR/calls")" 'on n10 outlet-n10 1' 'its arguments are verb, node and what bmc says'
p cycle n3
tap_is "$rc|$out|$(grep ' n3' "$DIR/calls" | grep -v status | tr '\n' ' ')" '0|n3: on|on n3 off n3 on n3 ' 'a cycle is off and then on'
p soft n3
tap_is "$rc|$out" '0|n3: off' 'soft is a word of its own'
p off n6 --deadline 2s
tap_is "$rc|$out|$err" "2|n6: on|slumber-power: error: n6: program $DIR/tool acknowledged power off but n6 stays on" 'exit code 0 is no proof'
p status n7
tap_is "$rc|$err" "2|slumber-power: error: n7: program $DIR/tool status printed \"o?[31mn\", expected on, off, changing or unknown" 'an answer that is none is told, made printable'
p status n9
tap_is "$rc|$err" "2|slumber-power: error: n9: program $DIR/tool ended with exit code 78: no such outlet" 'its stderr is the reason'
p status 'n[5,8]' --deadline 2s --json
tap_is "$rc $(grep -c '"fault":"silent"' <<<"$out")" '1 1' 'a program that hangs is silent, and alone'
wait_for 10 gone "$(cat "$DIR/sleeper")"
tap_ok $? 'nothing of it is left'
p watts n5
tap_is "$rc|$out" '0|n5: 42 W' 'watts are a number'
p watts n4
tap_like "$rc|$err" 'watts printed "y", expected a number' 'a flood is no number'
chmod g+w "$DIR/tool"
p on n3
tap_is "$rc|$err" "2|slumber-power: error: n3: program $DIR/tool may be written by its group or others" 'nor is one that others may write to run'
chmod g-w "$DIR/tool"
sed -i "s|program: $DIR/tool|program: $DIR/nosuch|" "$DIR/power.yaml"
p on n3
tap_is "$rc|$err" "2|slumber-power: error: n3: program $DIR/nosuch cannot be started: No such file or directory" 'a program that is not there is a mistake of the configuration'
tap_done
