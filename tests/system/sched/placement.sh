#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a job may ask of its nodes: features alike, preferred and counted, neighbours, sockets, its user's nodes, its tasks' places.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'n[1-3]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 Sockets=2 CoresPerSocket=2 RealMemory=1000 Feature=a
NodeName=n3 NodeAddr=127.0.0.1 Sockets=2 CoresPerSocket=2 RealMemory=1000 Feature=b' \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=own Nodes=ALL ExclusiveUser=YES
PartitionName=sockets Nodes=ALL SelectTypeParameters=CR_Socket' 'MCSPlugin=mcs/label' TopologyPlugin=topology/tree
printf '%s\n' 'SwitchName=s1 Nodes=n[1-2] LinkSpeed=10' 'SwitchName=s2 Nodes=n3' 'SwitchName=top Switches=s[1-2]' >"$DIR/topology.conf"
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for n in n1 n2 n3; do agent_start $n; done
wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes'

field() { scontrol -o show "$1" "$2" | tr ' ' '\n' | grep "^$3=" | cut -d= -f2-; }
begin() { # OPTIONS: a job that stays; prints its id
        local id
        id=$(sbatch --parsable "$@" --wrap 'exec sleep 1000') && wait_job 20 "$id" RUNNING && echo "$id"
}

tap_is "$(scontrol show topology)" 'SwitchName=s1 Level=0 LinkSpeed=10 Nodes=n[1-2]
SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n3
SwitchName=top Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=s[1-2]' 'the switches are shown'
tap_is "$(scontrol show topology n3 | cut -d' ' -f1 | tr '\n' ,)" 'SwitchName=s2,SwitchName=top,' 'those of a node'
run scontrol show topology zz
tap_is "$rc|$err" '1|scontrol: error: Topology information contains no switch or node named zz' 'and of none'
# shellcheck disable=SC2016
run srun -n1 -w n3 sh -c 'echo $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN'
tap_is "$rc|$out" '0|top.s2.n3 switch.switch.node' 'a task knows its switches'

least() { # OPTIONS: what is said of such a job while it waits
        local id
        id=$(sbatch --parsable -H "$@" --mem=100 --wrap true) && squeue -h -j "$id" -o '%D %C' && field job "$id" ReqTRES && scancel "$id"
}
tap_is "$(least -n9 | paste -sd' ')" '3 9 cpu=9,mem=100M,node=1,billing=9' 'more tasks than a node has CPUs: as many nodes as that takes'
tap_is "$(least -n2 -c3 | head -1) $(least -n9 -N2-3 | head -1) $(least -N3 | head -1) $(least -n4 | head -1)" '2 6 2 9 3 3 1 4' \
        'but what --nodes says, where it does'

j=$(begin -N2 --exclusive -C '[b|a]')
tap_is "$(field job "$j" NodeList)|$(field job "$j" Features)" 'n[1-2]|[b|a]' 'one of the alternatives holds for all nodes'
k=$(sbatch --parsable -N2 --contiguous -C 'a' --prefer b --wrap true)
wait_for 20 eval '[ "$(job_show "$k" %r)" = Resources ]'
tap_is "$?|$(field job "$k" Contiguous)|$(field job "$k" Prefer)" '0|1|b' 'neighbours that are busy are waited for'
run sbatch -N2 -C '[a*2&b*1]' --wrap true
tap_is "$rc|${err%%:*}" '1|sbatch' 'features for three nodes and two of them are refused'
scancel "$j" "$k"
j=$(begin -C '[a*2&b*1]' --ntasks-per-node=1)
tap_is "$(field job "$j" NodeList)" 'n[1-3]' 'so many with this, so many with that'
scancel "$j"
wait_nodes 20 'n[1-3]' idle

j=$(begin -n2 -w n1 --ntasks-per-socket=1 -m '*:block')
tap_is "$(scontrol -d show job "$j" | grep -o 'CPU_IDs=[^ ]*')" 'CPU_IDs=0,2' 'a task on each socket'
tap_is "$(scontrol show job "$j" | grep -o 'NtasksPerN:B:S:C=[^ ]*')" 'NtasksPerN:B:S:C=0:0:1:*' 'and scontrol says so'
k=$(begin -n1 -w n2 -p sockets)
tap_is "$(field job "$k" NumCPUs)|$(field partition sockets SelectTypeParameters)" '2|CR_SOCKET' 'a partition gives out whole sockets'
run sbatch --hint=nomultithread --threads-per-core=1 --wrap true
tap_like "$err" 'mutually exclusive with --hint' 'a hint does not go with what it stands for'
scancel "$j" "$k"
wait_nodes 20 'n[1-3]' idle

j=$(begin -p own -n1 -w n1)
tap_is "$(field node n1 Owner)|$(squeue -h -j "$j" -o %h)" "$(id -un)($(id -u))|USER" 'a node has an owner while a job wants it so'
k=$(begin -n1 -w n2 --exclusive=mcs --mcs-label=red)
tap_is "$(field node n2 MCS_label)|$(field job "$k" MCS_label)" 'red|red' 'a label is shown'
l=$(sbatch --parsable -n1 -w n2 --mcs-label=blue --wrap true)
wait_for 20 eval '[ "$(job_show "$l" %r)" = Resources ]'
tap_ok $? 'another label waits'
scancel "$j" "$k" "$l"
wait_nodes 20 'n[1-3]' idle
tap_is "$(field node n1 Owner)" 'N/A' 'the node has no owner any more'

# shellcheck disable=SC2016
run srun -N2 -n6 -m plane=2 -l sh -c 'echo $SLURM_NODEID $SLURM_DISTRIBUTION $SLURM_DIST_PLANESIZE'
tap_is "$rc|$(sort <<<"$out" | tr '\n' ,)" '0|0: 0 plane 2,1: 0 plane 2,2: 1 plane 2,3: 1 plane 2,4: 0 plane 2,5: 0 plane 2,' 'planes of two tasks'
# shellcheck disable=SC2016
run srun -N2 -n5 -m block,Pack -l sh -c 'echo $SLURM_NODEID'
tap_is "$rc|$(sort <<<"$out" | tr '\n' ,)" '0|0: 0,1: 0,2: 0,3: 0,4: 1,' 'a node is packed before the next'
cluster_sound
tap_ok $? 'and the daemons are sound'
tap_done
