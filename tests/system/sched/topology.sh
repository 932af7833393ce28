#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# topology/tree: jobs keep to few leaf switches and never span what nothing connects; --switches waits, so long; a bad
# topology.conf is named by file and line, and what there is no such plugin for by name.  topology.yaml: one for each
# partition, and nodes that bring their place.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

conf() { cluster_conf 'n[1-5]' PriorityType=priority/basic "$@"; }
topology() { printf '%s\n' "$@" >"$DIR/topology.conf"; }
three() { topology 'SwitchName=s1 Nodes=n[1-2] LinkSpeed=10' 'SwitchName=s2 Nodes=n[3-4]' 'SwitchName=top Switches=s[1-2]' 'SwitchName=z Nodes=n5'; }
field() { scontrol -o show job "$1" | tr ' ' '\n' | grep "^$2=" | cut -d= -f2-; }
begin() { # OPTIONS: a job that stays; prints its id
        local id
        id=$(sbatch --parsable --exclusive "$@" --wrap 'exec sleep 1000') && wait_job 20 "$id" RUNNING && echo "$id"
}
clear_all() { scancel "$@" && wait_nodes 20 'n[1-5]' idle; }

conf TopologyPlugin=topology/block
ctld_start
tap_like "$CTLD_RC $(grep -m 1 'TopologyPlugin' log/ctld)" "^1 .*$DIR/slurm.conf line [0-9]+: TopologyPlugin.*topology/block" 'topology/block is refused by name'
conf TopologyPlugin=topology/tree
ctld_start
tap_like "$CTLD_RC $(tail -n 1 log/ctld)" "^1 .*TopologyPlugin: .*$DIR/topology.conf: No such file" 'and so is a missing topology.conf'
topology 'SwitchName=s1 Nodes=n[1-2]' 'SwitchName=s2 Nodes=n[2-4]'
ctld_start
tap_like "$CTLD_RC $(tail -n 1 log/ctld)" "^1 .*$DIR/topology.conf line 2: node n2 is on switch s1 and s2" 'a node on two switches, with its line'
three
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
mv topology.conf t # no node needs it
for n in n1 n2 n3 n4 n5; do agent_start $n; done
wait_nodes 20 'n[1-5]' idle
tap_ok $? 'nodes without a topology.conf'
mv t topology.conf

j=$(begin -N2) k=$(begin -N1)
tap_is "$(field "$j" NodeList)|$(field "$k" NodeList)" 'n[1-2]|n5' 'two nodes on one leaf, one on the smallest'
clear_all "$j" "$k"
j=$(begin -N3)
tap_is "$(field "$j" NodeList)" 'n[1-3]' 'three below the lowest switch that leads to three'
run sbatch -N5 --wrap true
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Requested node configuration is not available' \
        'five are connected by nothing'
clear_all "$j"

j=$(begin -w n1) k=$(begin -w n3)
a=$(sbatch --parsable --exclusive -N2 --switches=1@00:08 --wrap 'exec sleep 1000')
wait_for 20 eval '[ "$(job_show "$a" %r)" = Resources ]'
tap_is "$?|$(field "$a" Switches)" '0|1@00:00:08' 'fewer switches are waited for'
ctld_kill9
ctld_start
wait_job 20 "$a" RUNNING
tap_is "$?|$(field "$a" NodeList)" '0|n[2,4]' 'for so long, also over a crash'
b=$(sbatch --parsable --exclusive -N2 --switches=1@90 --wrap 'exec sleep 1000')
tap_is "$(field "$b" Switches)" '1@00:05:00' 'max_switch_wait is the most'
run scontrol update jobid="$b" switches=one
tap_is "$rc|$(field "$b" Switches)" '1|1@00:05:00' 'an update that says no number is refused'
scontrol update jobid="$b" switches=2@3:00
tap_is "$(field "$b" Switches)" '2@00:03:00' 'it may be changed'
scancel "$a"
wait_job 20 "$b" RUNNING
tap_is "$?|$(field "$b" NodeList)" '0|n[2,4]' 'and then there are few enough'
clear_all "$j" "$k" "$b"
export SBATCH_REQ_SWITCH=1 SBATCH_WAIT4SWITCH=00:07
a=$(sbatch --parsable -H --wrap true)
tap_is "$(field "$a" Switches)" '1@00:00:07' 'by variables too'
unset SBATCH_REQ_SWITCH SBATCH_WAIT4SWITCH
run sbatch --switches=0 --wrap true
tap_like "$rc $err" '^[1-9][0-9]* sbatch: error: .*--switches' 'no switch at all makes no sense'
scancel "$a"

topology 'SwitchName=s1 Switches=s1'
scontrol reconfigure 2>err
wait_for 20 grep -q "configuration is not taken over: .*$DIR/topology.conf line 1: switch s1 is below itself" log/ctld
tap_is "$?|$(scontrol show topology s1)" '0|SwitchName=s1 Level=0 LinkSpeed=10 Nodes=n[1-2]' 'a circle is refused, and all stays'
topology 'SwitchName=s1 Nodes=n[1,5]' 'SwitchName=s2 Nodes=n[2-4]'
scontrol reconfigure
wait_for 20 eval '[ "$(scontrol show topology n5)" = "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1,5]" ]'
tap_ok $? 'a new one is taken over'
j=$(begin -N2)
tap_is "$(field "$j" NodeList)" 'n[1,5]' 'and kept to'
clear_all "$j"
conf TopologyPlugin=topology/tree TopologyParam=TopoOptional
scontrol reconfigure
wait_for 20 eval 'scontrol show config | grep -q "^TopologyParam *= TopoOptional$"'
tap_ok $? 'TopologyParam'
j=$(begin -N2) k=$(begin -N2 --switches=1)
tap_is "$(field "$j" NodeList)|$(field "$k" NodeList)" 'n[1-2]|n[3-4]' 'TopoOptional: switches count for jobs that ask'
clear_all "$j" "$k"

# topology.yaml is read instead
cat >topology.yaml <<'END'
- topology: any
  flat: true
- topology: racks
  cluster_default: true
  block:
    block_sizes: [2]
END
scontrol reconfigure 2>err
wait_for 20 grep -q "configuration is not taken over: .*$DIR/topology.yaml line 5: TopologyPlugin=topology/block is not implemented" log/ctld
tap_ok $? 'topology.yaml with blocks is refused by name and line'
cat >topology.yaml <<'END'
- topology: any
  flat: true
- topology: racks
  cluster_default: true
  tree:
    switches:
    - {switch: r1, nodes: 'n[1,4]'}
    - {switch: r2, nodes: 'n[2-3,5]'}
    - {switch: hall, children: 'r[1-2]'}
END
conf MaxNodeCount=9 'PartitionName=main Nodes=ALL Default=YES
PartitionName=any Nodes=ALL Topology=any'
scontrol reconfigure
wait_for 20 eval '[ "$(scontrol show topology r1)" = "SwitchName=r1 Level=0 LinkSpeed=1 Nodes=n[1,4]" ]'
tap_ok $? 'trees are not'
tap_is "$(scontrol show topology racks node=n2,n5 | cut -d' ' -f1 | tr '\n' ,)|$(scontrol show topology any)|$(scontrol show topology racks unit=hall | cut -d' ' -f1,2)" \
        'SwitchName=r2,SwitchName=hall,|No topology information available|SwitchName=hall Level=1' 'each is shown by its name, nodes and units'
tap_like "$(scontrol show partition any)" 'Topology=any' 'and with its partition'
j=$(begin -N2) k=$(begin -p any -N2)
tap_is "$(field "$j" NodeList)|$(field "$k" NodeList)" 'n[1,4]|n[2-3]' 'jobs go by that of their partition'
# shellcheck disable=SC2016 # of the task
tap_is "$(srun -Q -w n5 sh -c 'echo $SLURM_TOPOLOGY_ADDR')|$(srun -Q -p any -w n5 sh -c 'echo $SLURM_TOPOLOGY_ADDR')" 'hall.r2.n5|n5' \
        'also their addresses'
clear_all "$j" "$k"
run scontrol create nodename=d1 state=cloud topology=racks:r9
tap_like "$rc $err" '^1 .*node d1: Topology=racks:r9: topology racks has no leaf switch r9' 'a node that would be nowhere is not created'
scontrol create nodename=d1 state=cloud topology=racks:hall:r3
tap_is "$?|$(scontrol show topology racks node=d1 | tr '\n' ,)" \
        '0|SwitchName=hall Level=1 LinkSpeed=1 Nodes=n[1,4,2-3,5],d1 Switches=r[1-3],SwitchName=r3 Level=0 LinkSpeed=1 Nodes=d1,' 'another brings its switch'
ctld_kill9
ctld_start
tap_is "$(scontrol show topology r3)" 'SwitchName=r3 Level=0 LinkSpeed=1 Nodes=d1' 'also for the next controller'
scontrol delete nodename=d1
run scontrol show topology r3
tap_is "$rc" 1 'and takes it away'

cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
