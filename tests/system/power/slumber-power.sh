#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-power and six simulated BMCs: n1 to n4 work, n5 acknowledges and stays off, n6 stays on.
. "$(dirname "$0")/../lib.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

power=$SLUMBER_BUILD/power/slumber-power
bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode

# A node's "operating system": a daemon that has left its parent, and a process that waits.
cat >"$DIR/system" <<'END'
#!/bin/sh
(setsid sh -c 'echo $$ >"$0.daemon.tmp"; mv "$0.daemon.tmp" "$0.daemon"; exec sleep 1000' "$1" &)
echo "$2 is up"
exec sleep 1000
END
chmod +x "$DIR/system"

at_exit "$bmcfarm" stop "$farm"
dcmi=$SLUMBER_BUILD/tests/tools/libdcmi.so # where libopenipmi-dev is
"$bmcfarm" start "$farm" 6 $([ ! -e "$dcmi" ] || echo "--dcmi=$dcmi") --net "$NET" --port 6230 --set session=2s --set retransmit=700ms --set deadline=8s \
        -- "$DIR/system" "$DIR/%n" %n || { tap_ok 1 'the simulated BMCs start'; tap_done; }
"$bmcfarm" stick "$farm" n5 off && "$bmcfarm" stick "$farm" n6 on
tap_ok $? 'the simulated BMCs start'

p() { run "$power" "$@" --config "$farm/power.yaml"; }
field() { # NODE FIELD: of the JSON in out
        /usr/bin/python3 -c 'import json, sys
print(json.dumps(next(n[sys.argv[2]] for n in json.load(sys.stdin)["nodes"] if n["node"] == sys.argv[1])))' "$@" <<<"$out" 2>/dev/null || echo none
}
events() { cut -d' ' -f3 "$farm/$1/events" | tr '\n' ' '; }

# ---- the ordinary life ----
p status 'n[1-6]'
tap_is "$rc|$out|$err" $'0|n[1-5]: off\nn6: on|' 'status groups nodes by state'

p check 'n[1-2]'
tap_is "$rc|$out" "0|n1: off, firmware 9.08, UUID 00000000-0000-0000-0000-000000000001, whose it is cannot be told: what its agent reported is not available
n2: off, firmware 9.08, UUID 00000000-0000-0000-0000-000000000002, whose it is cannot be told: what its agent reported is not available" 'check tells of each BMC what it is'

p on 'n[1-4]'
tap_is "$rc|$out|$err" '0|n[1-4]: on|' 'on switches four nodes on'
log=$(stat -c %i "$farm/console/n1.log")
wait_for 10 test -s "$DIR/n1.daemon" -a -s "$DIR/n4.daemon"
tap_ok $? 'the machines boot their systems'

p on 'n[1-2]' --json
tap_is "$rc $(field n1 state) $(field n1 changed) $(field n1 error)" '0 "on" false null' 'on leaves alone what is on, says JSON'
tap_is "$(stat -c %i "$farm/console/n1.log")" "$log" 'and so it leaves the log of its boot'

wait_for 10 grep -q 'n1 is up' "$farm/console/n1.log"
tap_ok $? 'the console of a booting node is kept'
wait_for 10 grep -q 'n2 is up' "$farm/console/n2.log" # what is under way on the line would begin the next log
p cycle n2 --json
tap_is "$rc $(field n2 state) $(field n2 changed)" '0 "on" true' 'cycle ends with on'
tap_like "$(events n2)" '^on command told-off off on ' 'a cycle is off and then on'
wait_for 10 grep -q 'n2 is up' "$farm/console/n2.log"
tap_is "$(grep -ac 'SIMULATED FIRMWARE' "$farm/console/n2.log") $(stat -c %a "$farm/console/n2.log")" '1 640' \
        'the log of a console begins with the last power-on, from its first line, and is closed to others'
p cycle n2 --deadline 100ms
tap_is "$rc|$out|$err" '78||slumber-power: error: cycle: the deadline, 0.100 s, must be longer than cycle_pause, 0.100 s' 'one that leaves no time for the pause is not begun'
begun=
for _ in 1 2 3 4; do
        p cycle n2
        wait_for 10 grep -q 'n2 is up' "$farm/console/n2.log"
        begun+=$(grep -ac 'SIMULATED FIRMWARE' "$farm/console/n2.log")
done
tap_is "$begun" 1111 'and so it is each time: the console is handed over'

daemon=$(cat "$DIR/n1.daemon")
p off 'n[1-4]' --json
tap_is "$rc $(field n1 state) $(field n1 changed) $(field n4 state)" '0 "off" true "off"' 'off switches off'
wait_for 10 gone "$daemon"
tap_ok $? 'a node that is off runs nothing, not even what has left its parent'

# ---- watts ----
if [ -e "$dcmi" ]; then
        echo 352 >"$farm/n1/watts"
        echo 352 >"$farm/n2/watts"
        echo - >"$farm/n3/watts"
        p watts 'n[1-3]'
        tap_is "$rc|$out|$err" "1|n[1-2]: 352 W
n3: unknown|slumber-power: error: n3: BMC 127.$NET.0.3:6230 is not measuring power" 'watts come by DCMI'
        p watts n1 --json
        tap_is "$rc $(field n1 watts)" '0 352' 'also as JSON'
else
        p watts n1
        tap_like "$rc|$err" '^2\|.*BMC 127.*answered' 'a BMC without DCMI says so'
fi

# ---- nodes and BMCs that misbehave ----
"$bmcfarm" fault "$farm" n3 --lag-off 700
p on n3
p off n3 --json
ms=$(field n3 milliseconds)
[ "$rc" = 0 ] && [ "$ms" -ge 700 ] && [ "$(field n3 state)" = '"off"' ]
tap_ok $? "off is reported when it is off, not when it is acknowledged ($ms ms)"

p on n3
offs() { events n3 | grep -o 'told-off ' | wc -l; }
before=$(offs)
"$power" off n3 --quiet --config "$farm/power.yaml" &
pid=$!
wait_for 10 eval '[ "$(offs)" -gt "$before" ]'
p on n3 --json
wait $pid
tap_is "$? $rc $(field n3 state) $(field n3 changed)" '0 0 "on" true' 'an on that comes while an off is under way waits for its end'
tap_like "$(events n3)" 'told-off off on command $' 'and neither of them is lost'
p off n3

p soft n4
tap_is "$rc|$out" '0|n4: off' 'soft leaves alone what is off'
"$bmcfarm" fault "$farm" n4 --deaf
p on n4
p soft n4 --deadline 3s
tap_is "$rc|$out" '2|n4: on' 'a node that does not obey soft is an error'
p off n4 --deadline 3s
tap_is "$rc|$out|$err" "2|n4: on|slumber-power: error: n4: BMC 127.$NET.0.4:6230 acknowledged power off but n4 stays on" \
        'a deaf node is reported as on'
p on n1
p soft n1
tap_is "$rc|$out" '0|n1: off' 'soft ends a node that obeys'
tap_like "$(events n1)" 'soft command-ended off $' 'its system has ended before the machine'

p on n5 --deadline 3s
tap_is "$rc|$out|$err" "2|n5: off|slumber-power: error: n5: BMC 127.$NET.0.5:6230 acknowledged power on but n5 stays off" \
        'a BMC that acknowledges and stays off is found out'
p off 'n[3,6]' --deadline 4s
tap_is "$rc|$out|$err" "1|n3: off
n6: on|slumber-power: error: n6: BMC 127.$NET.0.6:6230 acknowledged power off but n6 stays on" \
        'so is one that stays on; what worked beside it counts'

"$bmcfarm" kill-bmc "$farm" n2
p on 'n[1-3]' --json
tap_is "$rc $(field n1 state) $(field n2 state) $(field n3 state) $(field n2 fault)" '1 "on" "unknown" "on" "silent"' \
        'a BMC that is gone is unknown, never off'
silent=$(field n2 milliseconds)
[ "$silent" -ge 7000 ] && [ "$(field n1 milliseconds)" -lt "$silent" ] && [ "$(field n3 milliseconds)" -lt "$silent" ]
tap_ok $? 'and does not hold up the others'
p status n2
tap_is "$rc|$out|$err" "2|n2: unknown|slumber-power: error: n2: BMC 127.$NET.0.2:6230 does not answer" 'status names the BMC that does not answer'
on_a_terminal() { # ARGUMENT...: what slumber-power says on a terminal as its stderr
        /usr/bin/python3 -c 'import os, subprocess, sys
master, slave = os.openpty()
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
try:
    while data := os.read(master, 4096):
        sys.stdout.buffer.write(data)
except OSError:
    pass
p.wait()' "$power" "$@" --config "$farm/power.yaml" | tr '\r' '\n'
}
shown=$(on_a_terminal status 'n[1-2]')
tap_like "$shown" '^slumber-power: status: 2 of 2, 1 failed ' 'work that takes long shows its progress on a terminal'
tap_like "$shown" '^slumber-power: status: 1 of 2 ' 'also while no result comes'
tap_is "$(on_a_terminal status 'n[1-2]' --quiet | grep -c 'of 2')" 0 'unless it is to be quiet'
"$bmcfarm" start-bmc "$farm" n2
p status 'n[1-2]'
tap_is "$rc|$out" $'0|n1: on\nn2: off' 'a BMC that came back is asked again'

# ---- the outcome of each node, for the controller ----
p off 'n[1,3]'
outcome() { SLUMBER_RESULT_FD=9 "$power" "$@" --config "$farm/power.yaml" 9>"$DIR/outcome" >/dev/null 2>&1; rc=$?; }
outcome on 'n[1,3,5],x9' --deadline 4s
tap_is "$rc|$(sort "$DIR/outcome")" "1|{\"node\":\"n1\",\"ok\":true,\"power\":\"on\"}
{\"node\":\"n3\",\"ok\":true,\"power\":\"on\"}
{\"node\":\"n5\",\"ok\":false,\"error\":\"no-power\",\"retry_after\":60,\"text\":\"BMC 127.$NET.0.5:6230 acknowledged power on but n5 stays off\",\"power\":\"off\"}
{\"node\":\"x9\",\"ok\":false,\"error\":\"bad-config\",\"text\":\"node x9 is not in $farm/power.yaml\"}" \
        'each node has a line on SLUMBER_RESULT_FD'
tap_is "$(tail -1 "$DIR/outcome" | grep -o '"node":"n5"')" '"node":"n5"' 'as soon as it is done'
SLUMBER_RESULT_FD=9 timeout 60 "$power" cycle n1 --config "$farm/power.yaml" 9> >(cat >"$DIR/outcome"; touch "$DIR/eof") >/dev/null 2>&1
wait_for 20 test -e "$DIR/eof"
tap_is "$? $(cat "$DIR/outcome")" '0 {"node":"n1","ok":true,"power":"on"}' 'the keeper of the console does not hold it open'
# A pipe that is full, with a reader that never reads, as when the controller has been killed.
cat >"$DIR/full.py" <<'END'
import fcntl, os, subprocess, sys
r, w = os.pipe()
fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 4096)
os.write(w, b"x" * fcntl.fcntl(w, fcntl.F_GETPIPE_SZ))
sys.exit(subprocess.run(sys.argv[1:], pass_fds=(w,), env={**os.environ, "SLUMBER_RESULT_FD": str(w)}, timeout=60).returncode)
END
run python3 "$DIR/full.py" "$power" on 'n[1,3]' --config "$farm/power.yaml"
tap_is "$rc|$out" '0|n[1,3]: on' 'a descriptor without a reader does not keep the nodes off'
SLUMBER_RESULT_FD=9 "$power" off n1 --config "$DIR/none.yaml" 9>"$DIR/outcome" 2>/dev/null
tap_is "$(cat "$DIR/outcome")" "{\"node\":\"n1\",\"ok\":false,\"error\":\"common\",\"text\":\"$DIR/none.yaml: No such file or directory\"}" \
        'a wrong configuration is every node'"'"'s outcome'
SLUMBER_RESULT_FD=9 run "$power" on n3 --config "$farm/power.yaml"
tap_is "$rc|$out|$err" '0|n3: on|' 'a descriptor that is not open is not used'
outcome status n1
tap_is "$rc|$(cat "$DIR/outcome")" '0|' 'a question has no outcome'

# ---- what is wrong with us ----
mkdir "$DIR/wrong" && (umask 077 && echo nosuchsecret >"$DIR/wrong/password")
cp "$farm/power.yaml" "$DIR/wrong/"
run "$power" off 'n[1-2]' --config "$DIR/wrong/power.yaml"
tap_is "$rc|$out" '2|n[1-2]: unknown' 'a wrong password switches nothing'
tap_like "$err" "^slumber-power: error: n1: password refused by BMC 127.$NET.0.1:6230$" 'and is named as the cause'
! grep -q nosuchsecret <<<"$out$err"
tap_ok $? 'the password is not printed'
chmod 644 "$DIR/wrong/password"
run "$power" status n1 --config "$DIR/wrong/power.yaml"
tap_like "$rc|$err" '^78\|.*/password: mode 0644 gives others access, expected 0600$' 'a password that all can read is refused'
sed -i 's/^  user:/  usr:/' "$DIR/wrong/power.yaml"
run "$power" status n1 --config "$DIR/wrong/power.yaml"
tap_like "$rc|$err" '^78\|.*/power.yaml line 2 column 3: usr is not a key of defaults' 'an unknown key is refused with file, line and column'
run "$power" status n1 --config "$DIR/none.yaml"
tap_like "$rc|$err" '^78\|slumber-power: error: .*/none.yaml: No such file or directory' 'so is a file that is missing'
if [ ! -e /etc/slumber/power.yaml ]; then
        run env SLURM_CONF="$DIR/nowhere/slurm.conf" "$power" status n1
        tap_is "$rc|$err" "78|slumber-power: error: $DIR/nowhere/power.yaml: No such file or directory" 'where there is none it is missed beside slurm.conf'
fi
p status 'n[1-2],x9'
tap_is "$rc|$out|$err" "1|n1: on
n2: off
x9: unknown|slumber-power: error: x9: node x9 is not in $farm/power.yaml" 'a node without a BMC fails alone'
run "$power" status
tap_is "$rc" 64 'a missing host list is wrong usage'
run "$power" up n1
tap_is "$rc" 64 'so is a word that is no command'
run "$power" status 'n[1-'
tap_is "$rc" 64 'so is a malformed host list'

# ---- as Slurm's programs: no environment, closed streams, blocked signals ----
touch "$DIR/slurm.conf"
ln -s "$farm/power.yaml" "$farm/password" "$DIR/"
ln -s "$power" "$DIR/slumber-resume"
ln -s "$power" "$DIR/slumber-suspend"
p off 'n[1-3]'
env -i SLURM_CONF="$DIR/slurm.conf" "$DIR/slumber-resume" 'n[1-2]' <&- >&- 2>&-
rc=$?
p status 'n[1-3]'
tap_is "$rc|$out" $'0|n[1-2]: on\nn3: off' 'slumber-resume HOSTLIST switches on'
env -i SLURM_CONF="$DIR/slurm.conf" "$DIR/slumber-suspend" 'n[1-2]' <&- >&- 2>&-
rc=$?
p status 'n[1-3]'
tap_is "$rc|$out" '0|n[1-3]: off' 'slumber-suspend HOSTLIST switches off'
env -i SLURM_CONF="$DIR/slurm.conf" SLURM_RESUME_FILE=/proc/1/fd/10 "$power" 'n[2-3]' <&- >&- 2>&-
rc=$?
p status 'n[1-3]'
tap_is "$rc|$out" $'0|n1: off\nn[2-3]: on' 'slumber-power HOSTLIST resumes when there is a SLURM_RESUME_FILE'
env -i SLURM_CONF="$DIR/slurm.conf" "$power" n3 <&- >&- 2>&-
rc=$?
p status 'n[1-3]'
tap_is "$rc|$out" $'0|n[1,3]: off\nn2: on' 'and suspends when there is none'

/usr/bin/python3 -c 'import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
os.execv(sys.argv[1], sys.argv[1:])' "$power" on n5 --deadline 60s --config "$farm/power.yaml" >"$DIR/blocked" 2>&1 &
pid=$!
unblocked() { # it is slumber-power already, not the shell or the Python that become it
        [ "$(readlink "/proc/$1/exe")" = "$(readlink -f "$power")" ] && grep -qE '^SigBlk:.0+$' "/proc/$1/status"
}
wait_for 10 unblocked $pid && kill -TERM $pid && wait_for 20 gone $pid
tap_ok $? 'signals that were blocked are not any more'
wait $pid 2>/dev/null
tap_done
