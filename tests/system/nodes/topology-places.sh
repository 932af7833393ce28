#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Places of nodes in topology.yaml: scontrol shows and moves them, slumberd --conf brings them, a cloud node that is off is where the file says.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/programs.sh
. "$(dirname "$0")/../programs.sh"
program_conf 'n[1-3]' ResumeTimeout=120 SuspendTimeout=5
release
cat >topology.yaml <<END
- topology: halls
  cluster_default: true
  tree:
    switches:
    - {switch: top, children: 'h[1-2]'}
    - {switch: h1, nodes: 'n[1-2]'}
    - {switch: h2, nodes: n3}
- topology: even
  flat: true
END
of() { scontrol show topology halls "switch=$1" | grep -o 'Nodes=[^ ]*'; }
is_on() { [ "$(of "$1")" = "Nodes=$2" ]; }
ctld_start
wait_nodes 20 'n[1-3]' 'idle~'
tap_ok $? 'three nodes are off' || { cluster_logs; tap_done; }

shown='---
- topology: "halls"
  cluster_default: true
  tree:
    switches:
      - switch: "top"
        children: "h[1-2]"
      - switch: "h1"
        nodes: "n[1-2]"
      - switch: "h2"
        nodes: "n3"
- topology: "even"
  cluster_default: false
  flat: true'
run scontrol show topoconf
tap_is "$rc|$out" "0|$shown" 'scontrol show topoconf writes the file'
run scontrol update nodename=n1 topology=halls:h9
tap_like "$rc $err" '^1 .*node n1: Topology=halls:h9: topology halls has no leaf switch h9' 'no node is moved to a switch that is not there'
run scontrol update nodename=n1 topology=halls:h2
tap_is "$rc|$(of h1)|$(of h2)" '0|Nodes=n2|Nodes=n[1,3]' 'scontrol update moves a node'
ctld_kill9
ctld_start
tap_is "$(of h1)|$(of h2)" 'Nodes=n2|Nodes=n[1,3]' 'it stays there over a crash'
run scontrol show topoconf
tap_is "$(grep -A1 -n 'h2"$' <<<"$out" | tail -1 | cut -d- -f2)" '        nodes: "n[1,3]"' 'scontrol show topoconf has it there'
scontrol reconfigure
tap_is "$(of h1)|$(of h2)" 'Nodes=n[1-2]|Nodes=n3' 'a reconfiguration reads the file again'

scontrol power up n1
wait_for 20 grep -q 'n1 on' calls
agent_start n1 -b --conf Topology=halls:top:h3
wait_nodes 40 n1 idle
is_on h1 n2 && is_on h3 n1
tap_ok $? 'slumberd --conf brings the place of a node, with a switch that no file has'
scontrol power down n1
agent_stop n1
wait_for 40 is_on h1 'n[1-2]'
tap_ok $? 'once it is off it is where the file says' || scontrol show topology
scontrol power up n2
wait_for 20 grep -q 'n2 on' calls
agent_start n2 -b --conf Topology=nosuch:h1
wait_nodes 40 n2 idle
tap_is "$?|$(of h1)" '0|Nodes=n[1-2]' 'one whose place cannot be is where the file says'
grep -q 'node n2: Topology=nosuch:h1: there is no topology nosuch (slumberd --conf)' log/ctld
tap_ok $? 'and the log says why'
cluster_sound
tap_ok $? 'the logs are sound'
[ "$TAP_FAILED" = 0 ] || cluster_logs
tap_done
