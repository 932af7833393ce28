#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Power operations that other hosts carry out ("via" in power.yaml): IPMI, Redfish and programs, which host takes over from which, what
# is told, rights, and where the passwords are not.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
command -v openssl >/dev/null || tap_skip_all 'no openssl for a certificate (package openssl)'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
power=$SLUMBER_BUILD/power/slumber-power
cluster_conf 'r[1-2],n[1-3]' 'NodeName=r[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' SelectType=select/linear \
        'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' SelectTypeParameters= \
        SuspendTime=600 SuspendTimeout=4 ResumeTimeout=60 SuspendRate=0 ResumeRate=0 SlurmdTimeout=300 \
        "SuspendExcNodes=r[1-2]" "SuspendProgram=$power" "ResumeProgram=$power" 'yaml audit_interval: 0'
sed -i '/^NodeName=r\[1-2\],n/d' "$SLURM_CONF"
cd "$DIR" || exit 1
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode
at_exit cluster_end
at_exit "$bmcfarm" stop "$farm"
"$bmcfarm" start "$farm" 3 --net "$NET" --port 6230 --no-console -- \
        "$SLUMBERD" -D -b -f "$SLURM_CONF" -N %n --socket "$DIR/%n.sock" -L "$DIR/log/%n"
tap_ok $? 'three BMCs' || tap_done
/usr/bin/python3 "$SLUMBER_SOURCE/tests/tools/redfishd" "$DIR/redfish" "127.$NET.0.9:$((PORT + 1))" --password gh7Ywk2Q >"$DIR/out" 2>&1 &
at_exit kill $!
password=$(cat farm/password)
(umask 077 && echo gh7Ywk2Q >redfish.password)

# A site's tool reports its user, and what it sees of its parent.
cat >tool <<'END'
#!/bin/bash
cd "$(dirname "$0")" || exit 1
echo "$1 $2 $(tr '\0' ' ' <"/proc/$(ps -o ppid= -p $PPID | tr -d ' ')/cmdline" | sed 's/.* -N \([^ ]*\).*/\1/')" >>calls
tr '\0' '\n' <"/proc/$PPID/cmdline" >>seen
tr '\0' '\n' <"/proc/$PPID/environ" >>seen
case $1 in
on) if [ -e "$2.hang" ]; then : >"$2.hangs"; exec sleep 20; fi; : >"$2.on" ;;
off) rm -f "$2.on" ;;
status) if [ -e "$2.on" ]; then echo on; else echo off; fi ;;
esac
END
chmod 755 tool
sed -n '1,/^nodes:/p' farm/power.yaml | grep -v ^nodes: >power.yaml
sed -i 's|password_file: password|password_file: farm/password|; s|^  lock_file.*||' power.yaml
cat >>power.yaml <<END
nodes:
  - {nodes: "n[1-3]", bmc: "127.$NET.0.[1-3]:6230", via: "r[1-2]"}
  - {nodes: f1, driver: redfish, bmc: "127.$NET.0.9:$((PORT + 1))", via: [r1, r2], user: admin,
     password_file: redfish.password, ca_file: redfish/ca.pem}
  - {nodes: "p[1-2],r[1-2]", driver: program, program: $DIR/tool, via: [r1, r2]}
  - {nodes: p3, driver: program, program: $DIR/tool}
  - {nodes: p4, driver: program, program: $DIR/tool, via: nosuch}
END
p() { run "$power" "$@"; }
field() { # NODE FIELD: of the JSON in out
        /usr/bin/python3 -c 'import json, sys
print(json.dumps(next(n[sys.argv[2]] for n in json.load(sys.stdin)["nodes"] if n["node"] == sys.argv[1])))' "$@" <<<"$out" 2>/dev/null || echo none
}
did() { grep -c "Power $2 of" "log/$1"; }
by() { tail -n 99 calls | sed -n "s/^$1 $2 //p" | tail -1; }

p status 'n1,p3'
tap_like "$rc|$out|$err" '^1\|n1: unknown
p3: off\|slumber-power: error: n1: .*slumberctld' 'without a controller only what is reached from here'
ctld_start && agent_start r1 && agent_start r2
tap_ok $? 'a controller and two hosts' || { cluster_logs; tap_done; }
wait_nodes 30 'r[1-2]' idle
tap_ok $? 'both are there'

# ---- the ordinary life ----
p status 'n[1-3]'
tap_is "$rc|$out|$err" '0|n[1-3]: off|' 'status comes from afar'
tap_is "$(did r1 status) $(did r2 status)" '1 0' 'from the first host of the list'
p on 'n[1-2],p1' --json
tap_is "$rc $(field n1 state) $(field n1 changed) $(field n2 state) $(field p1 state) $(field n1 bmc)" \
        "0 \"on\" true \"on\" \"on\" \"127.$NET.0.1:6230\"" 'on is read back there, results are the same'
tap_is "$(by on p1)" r1 "a program is the host's child"
p status 'n[1-3],p[1,3]'
tap_is "$rc|$out" '0|n[1-2],p1: on
n3,p3: off' 'near and far in one list'
p off n1 --json
tap_is "$rc $(field n1 state)" '0 "off"' 'off'
wait_for 20 test -e redfish/ready
p on f1
tap_is "$rc|$out|$err" '0|f1: on|' 'Redfish, with the certificates of here'
p off p3 r1 2>/dev/null
p off 'r1'
tap_is "$rc $(by off r1)" '0 ' 'a host that is off already is left alone'
touch r1.on r2.on
p off 'r[1-2]' --json
tap_is "$rc $(by off r1) $(by off r2)" '0 r2 r1' 'a host is switched off by another one'
p on p4
tap_is "$rc|$out|$err" '2|p4: unknown|slumber-power: error: p4: via: there is no node nosuch' 'a host that does not exist is said'
chmod g+w tool
p on p2
tap_like "$rc|$err" '^2\|.*p2: via r\[1-2\]: r2: .*/tool may be written by its group' 'a program that others may write is not run by other hosts'
chmod g-w tool

# ---- as a program of slurm.conf ----
exec 7>outcome
SLUMBER_RESULT_FD=7 "$power" -q off 'n[1-2],p1'
exec 7>&-
tap_is "$(sort outcome)" '{"node":"n1","ok":true,"power":"off"}
{"node":"n2","ok":true,"power":"off"}
{"node":"p1","ok":true,"power":"off"}' 'each outcome is told'
scontrol power up n3
wait_nodes 30 n3 idle
tap_ok $? 'the ResumeProgram wakes a node through another host'

# ---- hosts that go ----
touch p2.hang
"$power" -q on p2 &
pid=$!
wait_for 10 test -e p2.hangs && rm p2.hang && agent_kill9 r1
wait $pid
tap_is "$? $(by on p2)" '0 r2' 'what was under way when a host died is done by the next one'
"$power" -q off p2
touch p2.hang && rm -f p2.hangs
"$power" -q on p2 &
pid=$!
wait_for 10 test -e p2.hangs && kill $pid
wait_for 10 grep -q 'A power operation is stopped' log/r2
tap_ok $? 'a client that goes away has it stopped'
wait $pid 2>/dev/null
rm p2.hang
p status 'n[1-3]'
tap_is "$rc|$out|$err" '0|n[1-2]: off
n3: on|' 'the others come from the second host now'
agent_stop r2
p status n3 --json
tap_is "$rc $(field n3 state) $(field n3 fault) $(field n3 error)" '2 "unknown" "busy" "via r[1-2]: no such host is connected to slumberctld"' \
        'no host at all is no answer, and not off'
agent_start r1
wait_for 20 eval '"$power" -q status n3 2>/dev/null'
tap_ok $? 'one that is back serves again'
p on r1
p off r1
tap_is "$rc|$err" '2|slumber-power: error: r1: via r[1-2]: no other host is connected to slumberctld' 'but does not switch itself off, and that is said'
# Its connection stands, as that of a host which has lost its power does for minutes.
registered() { grep -c "Node r2 registered" log/ctld; }
before=$(registered)
agent_start r2
wait_for 20 eval '[ "$(registered)" -gt "$before" ]'
frozen=$(cat run/r1.pid) && kill -STOP "$frozen"
p status n3 --deadline 1s
tap_is "$rc|$out" '2|n3: unknown' 'a host that hangs has no answer'
p status n3 --deadline 10s
tap_is "$rc|$out|$err" '0|n3: on|' 'and is asked after the others from then on'
kill -CONT "$frozen"

# ---- rights, and what is written ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        mkdir strangers && chmod 755 . strangers
        printf '%s\n' "nodes: [{nodes: n3, bmc: \"127.$NET.0.3:6230\", user: admin, password_file: password, via: r1}]" >strangers/power.yaml
        (umask 077 && echo guess >strangers/password) && chown 65534 strangers/password
        run stranger "$power" --config "$DIR/strangers/power.yaml" off n3
        tap_like "$rc|$err" '^2\|.*n3: [Aa]ccess.*denied' 'of others no operation is taken'
else
        tap_ok 0 'of others no operation is taken # SKIP needs root'
fi
tap_is "$("$power" status n3)" 'n3: on' 'and none was done'
! grep -rqF -e "$password" -e gh7Ywk2Q log seen calls spool.* state 2>/dev/null
tap_ok $? 'no log, argument, environment or stored state has a password'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
