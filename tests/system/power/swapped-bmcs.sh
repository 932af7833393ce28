#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Swapped BMCs are named by "slumber-power check" and "scontrol power audit": what simulated BMCs say of their machines (GUID, inventory,
# MAC; Redfish) against what agents have read of theirs (DMI, network cards).
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
command -v openssl >/dev/null || tap_skip_all 'no openssl for a certificate (package openssl)'
unshare -m mount -t tmpfs none /sys/class 2>/dev/null || tap_skip_all 'no mount namespace can be made here'

bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
power=$SLUMBER_BUILD/power/slumber-power
cluster_conf 'n[1-6]' SelectTypeParameters= SelectType=select/linear 'yaml audit_interval: 0'
cd "$DIR" || exit 1
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode
at_exit cluster_end
at_exit "$bmcfarm" stop "$farm"
"$bmcfarm" start "$farm" 4 --fru --net "$NET" --port 6230 --no-console --set session=2s --set retransmit=700ms --set deadline=10s -- true
tap_ok $? 'four BMCs' || tap_done
redfish=("127.$NET.9.4:$PORT" "127.$NET.9.5:$PORT")
/usr/bin/python3 "$SLUMBER_SOURCE/tests/tools/redfishd" "$DIR/redfish" "${redfish[@]}" >redfish.out 2>&1 &
at_exit kill $!
wait_for 20 test -e redfish/ready
tap_ok $? 'two Redfish services' || tap_done

# A slumberd on a machine with the DMI and cards of machines/NODE.
cat >inside <<END
#!/bin/sh
# shellcheck disable=SC2016
exec unshare -m --propagation private sh -c 'mount -t tmpfs none /sys/class && cp -r "$DIR/machines/\$SLUMBERD_NODE/." /sys/class/ &&
        exec "$SLUMBERD" "\$@"' slumberd "\$@"
END
chmod 755 inside
SLUMBERD=$DIR/inside
machine() { # NODE UUID PRODUCT-SERIAL BOARD-SERIAL MAC
        local dmi=machines/$1/dmi/id cards=machines/$1/net
        mkdir -p "$dmi" "$cards/eth0/device" "$cards/br0"
        echo "$2" >"$dmi/product_uuid"
        echo "$3" >"$dmi/product_serial"
        echo "$4" >"$dmi/board_serial"
        echo "$5" >"$cards/eth0/address"
        echo 02:ff:ff:ff:ff:ff >"$cards/br0/address" # no device: the same on each machine
}
none='To be filled by O.E.M.'
machine n1 01000000-0000-0000-0000-000000000000 "$none" "$none" 02:aa:00:00:00:01
machine n2 02000000-0000-0000-0000-000000000000 "$none" "$none" 02:aa:00:00:00:02
machine n3 03000200-0400-0500-0006-000700080009 "$none" BRD-n3 02:aa:00:00:00:03 # its UUID was never written
machine n4 '' "$none" "$none" 02:00:00:00:00:04
machine n5 '' "$none" "$none" 02:00:00:00:00:05
sed -n '/^nodes:/,$!p' "$farm/power.yaml" >defaults
files() { # NAME, then the address of each node's BMC: NAME.yaml
        local name=$1 k
        shift
        { cat defaults; echo nodes:; } >"$name.yaml"
        for k in 1 2 3; do echo "  - {nodes: n$k, bmc: \"127.$NET.0.$1:6230\"}" && shift; done >>"$name.yaml"
        for k in 4 5; do
                echo "  - {nodes: n$k, driver: redfish, user: admin, password_file: redfish.password, ca_file: redfish/ca.pem, bmc: \"$1\"}" && shift
        done >>"$name.yaml"
}
ln -s farm/password .
(umask 077 && echo secret >redfish.password)
sed -i '/cipher_suite\|workarounds\|retransmit\|session/d' defaults
printf '%s\n' '  cipher_suite: 3' '  workarounds: [opensesspriv]' '  retransmit: 700ms' '  session: 2s' >ipmi
sed -i "/^defaults:/r ipmi" defaults
files right 1 2 3 "${redfish[@]}"
files swapped 2 1 3 "${redfish[1]}" "${redfish[0]}"
cp right.yaml power.yaml

ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for i in 1 2 3 4 5 6; do [ $i = 6 ] || agent_start n$i; done
wait_nodes 30 'n[1-5]' idle
tap_ok $? 'five agents' || { cluster_logs; tap_done; }

field() { # NODE FIELD: of the JSON in out
        /usr/bin/python3 -c 'import json, sys
print(next(n[sys.argv[2]] for n in json.load(sys.stdin)["nodes"] if n["node"] == sys.argv[1]))' "$@" <<<"$out" 2>/dev/null || echo none
}
run "$power" check 'n[1-5]' --config right.yaml
tap_is "$rc" 0 'each node has its own BMC: check'
tap_like "$out" 'n1: off, Simulated, firmware 9.08, serial number BRD-n1,SIM-n1, UUID 00000000-0000-0000-0000-000000000001 as its agent says' \
        'by the UUID, in the order of its bytes that IPMI has'
tap_like "$out" 'n3: off, .*serial number BRD-n3 as its agent says' 'by a serial number, where the UUID is none'
tap_like "$out" 'n4: off, Simulated, serial number SIM-4, UUID 00000000-0000-0000-0000-000000000004, MAC address 02:00:00:00:00:04 as its agent says' \
        'by Redfish and the MAC address of a card'
run "$power" check 'n[1-5]' --config right.yaml --json
tap_is "$rc $(field n1 bmc_mac) $(field n1 product) $(field n5 macs) $(field n2 wrong)" \
        '0 02:b0:00:00:00:01 Simulated 02:00:00:00:00:05,02:b0:00:00:00:05 None' 'JSON has what each BMC says of itself'
run scontrol power audit
tap_like "$rc $(tail -1 <<<"$out")" '^0 5 BMCs read, .* 1 node without a BMC' 'and audit reads them'
tap_is "$(grep -c 'BMC of' <<<"$out")" 0 'and names none'

cp swapped.yaml power.yaml
run "$power" check 'n[1-5]'
tap_is "$rc" 1 'swapped: check fails'
tap_like "$out" 'n1: .*: this is the BMC of n2 \(UUID 00000000-0000-0000-0000-000000000002\)' 'and names the node of the BMC'
tap_like "$out" 'n5: .*: this is the BMC of n4 \(MAC address 02:00:00:00:00:04\)' 'also by a MAC address'
run "$power" -q check 'n[1-5]'
tap_is "$rc $out $(wc -l <<<"$err")" '1  4' 'with -q it has one line for each'
tap_like "$err" 'error: n1: this is the BMC of n2 \(UUID' 'that says why'
run "$power" check n2 --json
tap_is "$rc $(field n2 wrong)" '1 this is the BMC of n1 (UUID 00000000-0000-0000-0000-000000000001)' 'also one that is not checked with it, in JSON'
run scontrol power audit
tap_like "$out" 'n1 .*this is the BMC of n2 \(UUID' 'scontrol power audit names them'
tap_like "$out" 'n4 .*this is the BMC of n5 \(MAC address' 'all'
tap_is "$(grep -c 'BMC of' <<<"$out")" 4 'and no other'
run grep -c 'has the wrong BMC in power.yaml: this is the BMC of' log/ctld
tap_is "$out" 4 'the log has them'

# ---- what agents have told outlives them ----
for i in 1 2 3 4 5; do agent_stop n$i; done
ctld_stop
ctld_start
run "$power" check 'n[1-5]'
tap_like "$out" 'n5: .*: this is the BMC of n4 \(MAC address' 'agents that are gone are remembered by a new controller'

# ---- what cannot be told ----
{ cat swapped.yaml; echo "  - {nodes: n6, bmc: \"127.$NET.0.4:6230\"}"; } >power.yaml
untold='slumber-power: warning: n6: whose BMC it is cannot be told'
run "$power" -q check n6
tap_is "$rc|$out|$err" "0||$untold: its agent has not registered yet" 'a node whose agent has never registered is named as not to be told'
mkdir machines/n6 # no DMI, no cards
agent_start n6 && wait_nodes 30 n6 idle
run "$power" -q check n6
tap_is "$rc|$out|$err" "0||$untold: its agent reports no UUID, serial number or MAC address" 'and one whose agent knows nothing of its machine'
run "$power" check n6 --json
tap_is "$rc $(field n6 wrong) $(field n6 not_identified)" '0 None its agent reports no UUID, serial number or MAC address' 'also in JSON'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
