#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-power and Redfish services over TLS: what works, and what BMCs do wrong.
. "$(dirname "$0")/../lib.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
command -v openssl >/dev/null || tap_skip_all 'no openssl for a certificate (package openssl)'

power=$SLUMBER_BUILD/power/slumber-power
bmcs=()
for i in 1 2 3 4 5 6; do bmcs+=("127.$NET.0.$i:$PORT"); done
/usr/bin/python3 "$SLUMBER_SOURCE/tests/tools/redfishd" "$DIR" "${bmcs[@]}" --password right >"$DIR/out" 2>&1 &
at_exit kill $!
/usr/bin/python3 "$SLUMBER_SOURCE/tests/tools/redfishd" "$DIR/chassis" "127.$NET.0.9:$PORT" --systems 2 --password right >"$DIR/out2" 2>&1 &
at_exit kill $!
(umask 077 && echo right >"$DIR/password" && echo wrong >"$DIR/wrong")
cat >"$DIR/power.yaml" <<END_OF_FILE
defaults: {driver: redfish, user: admin, password_file: password, ca_file: ca.pem, deadline: 8s, poll: 50ms,
           cycle_pause: 100ms, timeout: 2s, lock_file: $DIR/lock}
nodes:
  - {nodes: "n[1-4]", bmc: "127.$NET.0.[1-4]:$PORT"}
  - {nodes: n5, bmc: "127.$NET.0.5:$PORT", auth: basic}
  - {nodes: n6, bmc: "127.$NET.0.6:$PORT", password_file: wrong}
  - {nodes: b1, bmc: "127.$NET.0.9:$PORT", system: "sys{n}", ca_file: chassis/ca.pem}
  - {nodes: b2, bmc: "127.$NET.0.9:$PORT", system: "sys{n}", ca_file: chassis/ca.pem}
END_OF_FILE
wait_for 20 test -e "$DIR/ready" -a -e "$DIR/chassis/ready"
tap_ok $? 'the Redfish services start' || { cat "$DIR/out"; tap_done; }

p() { run "$power" "$@" --config "$DIR/power.yaml"; }
fault() { # NODE WORDS: n1's BMC
        echo "${*:2}" >"$DIR/faults/127.$NET.0.${1#n}:$PORT"
}
requests() { grep -c "^127.$NET.0.${1#n}:$PORT $2" "$DIR/log"; }
field() { # NODE FIELD: of the JSON in out
        /usr/bin/python3 -c 'import json, sys
print(json.dumps(next(n[sys.argv[2]] for n in json.load(sys.stdin)["nodes"] if n["node"] == sys.argv[1])))' "$@" <<<"$out" 2>/dev/null || echo none
}

# ---- the ordinary life ----
p status 'n[1-5]'
tap_is "$rc|$out|$err" '0|n[1-5]: off|' 'status reads PowerState'
p on 'n[1-5]' --json
tap_is "$rc $(field n1 state) $(field n5 state) $(field n1 changed)" '0 "on" "on" true' 'on is read back, with a session and with basic authentication'
tap_is "$(requests n1 'POST /redfish/v1/Systems')" 1 'a command is sent once, while the BMC says PoweringOn'
tap_is "$(grep -c "DELETE.*Sessions" "$DIR/log") $(grep -c 'POST.*/Sessions 201' "$DIR/log")" '8 8' 'each session is ended'
tap_is "$(requests n5 'POST /redfish/v1/SessionService')" 0 'basic authentication makes none'
p on n1 --json
tap_is "$rc $(field n1 changed) $(requests n1 'POST /redfish/v1/Systems')" '0 false 1' 'a node that is on is left alone'
p cycle n1 --json
tap_is "$rc $(field n1 state) $(requests n1 'POST /redfish/v1/Systems')" '0 "on" 3' 'a cycle is off and then on'
p soft n2
tap_is "$rc|$out" '0|n2: off' 'soft is a GracefulShutdown'
p off 'n[1-5]'
tap_is "$rc|$out" '0|n[1-5]: off' 'off is a ForceOff'
p on 'b[1-2]'
tap_is "$rc|$out|$err" '0|b[1-2]: on|' 'two systems of one chassis are told apart by their Id'
p watts 'n[1-2]'
tap_is "$rc|$out" '0|n[1-2]: 352 W' 'watts come from EnvironmentMetrics'
fault n2 oldwatts
fault n3 nowatts
p watts 'n[1-3]' --json
tap_is "$rc $(field n1 watts) $(field n2 watts) $(field n3 watts) $(field n3 fault)" '1 352 247 null "refused"' 'or from Power, or are not there'

# ---- what BMCs do wrong ----
p on n6
tap_is "$rc|$out|$err" "2|n6: unknown|slumber-power: error: n6: BMC 127.$NET.0.6:$PORT refused user or password" 'a wrong password is the cause'
tap_is "$(requests n6 'POST /redfish/v1/SessionService')" 1 'and is not tried again: accounts get locked'
! grep -q wrong <<<"$out$err"
tap_ok $? 'the password is not printed'
fault n1 expire
p on n1
tap_is "$rc|$out" '0|n1: on' 'a session that the BMC has forgotten is made anew'
fault n1 busy=3
p off n1 --json
tap_is "$rc $(field n1 state)" '0 "off"' 'a busy BMC is asked again'
[ "$(field n1 milliseconds)" -ge 3000 ]
tap_ok $? "and no sooner than its Retry-After ($(field n1 milliseconds) ms)"
fault n2 lie=Off
p on n2 --deadline 4s
tap_is "$rc|$out|$err" "2|n2: off|slumber-power: error: n2: BMC 127.$NET.0.2:$PORT acknowledged power on but n2 stays off" 'a BMC that lies is found out'
fault n3 noallowed
p on n3
tap_is "$rc|$out|$(requests n3 'GET /redfish/v1/Systems/sys/ResetActionInfo 200')" '0|n3: on|1' 'the allowed resets may stand in an ActionInfo'
fault n3 onlygraceful
p off n3
tap_is "$rc|$out|$err" "2|n3: on|slumber-power: error: n3: BMC 127.$NET.0.3:$PORT does not allow the reset ForceOff" 'a reset that is not allowed is not sent'
fault n3 deaf
p soft n3 --deadline 2s
tap_is "$rc|$out" '2|n3: on' 'a system that does not obey soft is an error'
fault n3 conflict
p off n3 --deadline 2s
tap_is "$rc|$err" "2|slumber-power: error: n3: BMC 127.$NET.0.3:$PORT answered with status 409: The system is busy?[31m being updated" 'a refusal is told in its own words, made printable'
for f in huge garbage deep nostate evil; do
        fault n4 $f
        p status n4 --deadline 2s
        tap_like "$rc|$out|$err" "^2\|n4: unknown\|slumber-power: error: n4: BMC 127.$NET.0.4:$PORT (answers with more than|is not understood|gives no PowerState)" "$f: ${err##*: BMC }"
done
fault n4 slow=60
p status 'n[1,4]' --json
tap_is "$rc $(field n1 state) $(field n4 fault)" '1 "off" "silent"' 'a BMC that hangs is silent'
[ "$(field n1 milliseconds)" -lt $(($(field n4 milliseconds) / 2)) ]
tap_ok $? "and does not hold up the others ($(field n1 milliseconds) ms)"

# ---- trust ----
sed 's/, ca_file: [a-z/]*ca.pem//' "$DIR/power.yaml" >"$DIR/untrusted.yaml"
before=$(wc -l <"$DIR/log")
run "$power" status n1 --config "$DIR/untrusted.yaml"
tap_like "$rc|$err" "^2\|slumber-power: error: n1: BMC 127.$NET.0.1:$PORT has a certificate that is not trusted" 'a certificate that is not trusted is refused'
tap_is "$(wc -l <"$DIR/log")" "$before" 'and it is told nothing'
sed -i 's/user: admin,/user: admin, tls_verify: no,/' "$DIR/untrusted.yaml"
run "$power" status n1 --config "$DIR/untrusted.yaml"
tap_is "$rc|$out" '0|n1: off' 'unless it is said so'
sed 's/ca_file: ca.pem/ca_file: nosuch.pem/' "$DIR/power.yaml" >"$DIR/noca.yaml"
run "$power" status n1 --config "$DIR/noca.yaml"
tap_like "$rc|$err" '^2\|.*cannot be verified: ca_file' 'a ca_file that is not there is named'
env https_proxy=http://127.0.0.1:1 "$power" status n1 --config "$DIR/power.yaml" >"$DIR/proxy"
tap_is "$?" 0 'a proxy of the environment is not used'
tap_is "$(cat "$DIR/out" "$DIR/out2")" '' 'the services have nothing to complain of'
tap_done
