#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What clouds call their machines: told by agents, given by scontrol, kept in the accounts, printed by sacctmgr.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' SuspendProgram=/bin/true ResumeProgram=/bin/true \
        SuspendTime=600 SuspendRate=0 SuspendTimeout=1
echo 'NodeName=n4 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' >>slurm.conf
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
rows() { sacctmgr -nP show instance "format=nodename,instanceid,instancetype,extra,timeend" "$@"; }
logs() { grep -qE "$1" log/ctld; }
running() { rows "$@" | grep 'Unknown$' | cut -d'|' -f1-4 | sort | paste -sd' '; }

# ---- from scontrol: the guide's example ----
scontrol update nodename=n1 instanceid=12345 instancetype=m7g.medium extra='arbitrary string'
tap_is "$(sacctmgr show instance format=nodename,instanceid,instancetype,extra)" \
        "NodeName                  InstanceId         InstanceType                Extra 
--------------- -------------------- -------------------- -------------------- 
n1                             12345           m7g.medium     arbitrary string " 'the example of the guide'
tap_is "$(sacctmgr --json show instance | python3 -c 'import json, sys, time
i = json.load(sys.stdin)["instances"]
print(len(i), sorted(i[0]), sorted(i[0]["time"]), i[0]["cluster"], i[0]["node_name"], i[0]["time"]["time_end"], abs(time.time() - i[0]["time"]["time_start"]) < 60)')" \
        "1 ['cluster', 'extra', 'instance_id', 'instance_type', 'node_name', 'time'] ['time_end', 'time_start'] slumber n1 0 True" 'as JSON, with the keys of the guide'
scontrol update nodename=n2 instancetype=small && scontrol update nodename=n2 instanceid=i-2 && scontrol update nodename=n2 extra=x
tap_is "$(running)" 'n1|12345|m7g.medium|arbitrary string n2|i-2|small|x' 'what is told bit by bit is one instance'
scontrol update 'nodename=n[1-2]' instanceid=a,b
tap_is "$(running) $(rows | wc -l)" 'n1|a|m7g.medium|arbitrary string n2|b|small|x 4' 'another id is another instance'
run scontrol update 'nodename=n[1-3]' instanceid=a,b
tap_like "$rc $err" '^1 .*nodecount mismatch' 'a list of the wrong length is refused'

# ---- from agents ----
agent_start n4 --instance-id i-4 --instance-type c5.large --extra 'rack 7' && wait_nodes 20 n4 idle
tap_is "$? $(running nodes=n4)" '0 n4|i-4|c5.large|rack 7' 'an agent tells its own'

# ---- selecting, printing ----
tap_is "$(running where instancetype=small,c5.large)" 'n2|b|small|x n4|i-4|c5.large|rack 7' 'by type'
tap_is "$(running instanceid=a nodes='n[1-2]')" 'n1|a|m7g.medium|arbitrary string' 'by id and nodes'
tap_is "$(running cluster=SLUMBER,other extra=x)|$(rows cluster=other)" 'n2|b|small|x|' 'by cluster and extra'
tap_is "$(rows start=now+1hour | wc -l) $(rows end=now-1hour | wc -l) $(rows start=now-1hour end=now+1hour | wc -l)" '3 0 5' 'by time'
tap_is "$(sacctmgr -np list inst format=node,instanceid nodes=n4)" 'n4|i-4|' '-p ends in a bar'
tap_is "$(sacctmgr -n show instance format=nodename%3,extra%-4,instancet%5 nodes=n4)" ' n4 rac+ c5.l+ ' 'widths'
tap_like "$(sacctmgr show instance nodes=n4 | sed -n 3p)" '^   slumber n4              20[0-9T:-]{17}             Unknown                  i-4             c5.large               rack 7 $' \
        'all columns'
for word in 'show problem' 'add wckey x' 'list events' 'show stats'; do
        # shellcheck disable=SC2086
        run sacctmgr $word
        tap_like "$rc $err" '^1 sacctmgr: error: .* is not implemented by Slumber: .+$' "refused by name: $word"
done
refused() { # PATTERN WORDS...
        run sacctmgr "${@:2}"
        tap_like "$rc|$out|$err" "^1\\|\\|sacctmgr: error: $1" "refused: ${*:2}"
}
refused 'Unknown field "color"' show instance format=nodename,color
refused 'Ambiguous field "instance"' show instance format=instance
refused 'Unknown condition: color=red' show instance color=red
refused '"x" is not a width' show instance format=node%x
refused 'No valid entity in show command: cars' show cars
refused 'invalid keyword: drive' drive
refused '.*\[' show instance 'nodes=n[1'

# ---- the end of an instance ----
scontrol update nodename=n2 instanceid= instancetype=
tap_is "$(running nodes=n2)|$(rows nodes=n2 | wc -l)" '|2' 'cleared by hand it is over'
ctld_kill9
ctld_start
wait_nodes 20 n4 idle
tap_is "$(running) $(rows | wc -l)" 'n1|a|m7g.medium|arbitrary string n4|i-4|c5.large|rack 7 5' 'a controller that is started again goes on with them'
scontrol power down n4 && wait_for 20 eval '[ -z "$(running nodes=n4)" ]'
tap_is "$? $(rows nodes=n4 | grep -c 20..-)" '0 1' 'a node that is off has none'
agent_stop n4
scontrol update nodename=n3 instanceid=i-3
ctld_stop
sed -i 's/^NodeName=n\[1-3\]/NodeName=n[1-2]/' slurm.conf
ctld_start
tap_is "$(running)" 'n1|a|m7g.medium|arbitrary string' 'nor has one that is configured no longer'
sed -i 's/^NodeName=n\[1-2\]/NodeName=n[1-3]/' slurm.conf
scontrol reconfigure && scontrol update nodename=n3 instanceid=i-33
sed -i 's/^NodeName=n\[1-3\]/NodeName=n[1-2]/' slurm.conf
scontrol reconfigure
tap_is "$? $(running)" '0 n1|a|m7g.medium|arbitrary string' 'not after a reconfigure either'
ctld_stop
ctld_start -c
tap_is "$(running)|$(rows | wc -l)" '|7' 'slumberctld -c ends them, for they are not known any more, and keeps what was'

# ---- without accounts ----
echo AccountingStorageType=accounting_storage/none >>slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*AccountingStorageType can only be changed by a restart' 'they are not switched off while it runs'
ctld_stop
ctld_start
run sacctmgr show instance
tap_like "$rc $err" '^1 sacctmgr: error: AccountingStorageType is accounting_storage/none: nothing is kept' 'but at a start'
ctld_stop
sed -i 's|^AccountingStorageType=.*|AccountingStorageType=accounting_storage/bogus|' slurm.conf
ctld_start
tap_is "$? $CTLD_RC $(tail -n 1 log/ctld | grep -c 'AccountingStorageType: "accounting_storage/bogus" is neither')" '1 1 1' 'another type is refused by name'
cluster_sound
tap_ok $? 'no daemon has failed' || cluster_logs
tap_done
