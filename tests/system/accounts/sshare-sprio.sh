#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sshare: which lines of the tree, set in by those above that are shown, and the minutes of limits; sprio: which jobs' priority is shown in
# which partitions, and what -n, -l, -u, -w and -j make of it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'needs root: the tables have its name and shares'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' PartitionName= 'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' AccountingStorageEnforce=associations,limits,qos \
        'PartitionName=main Nodes=ALL Default=YES PriorityJobFactor=5' 'PartitionName=other Nodes=n[1-2] PriorityJobFactor=10' \
        PriorityType=priority/multifactor PriorityWeightPartition=1000 PriorityWeightJobSize=1000 PriorityWeightTRES=CPU=1000 PriorityMaxAge=36500-0
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

for words in 'account phys fairshare=4' 'account theory parent=phys fairshare=3' 'account chem' 'user root account=phys' \
        'user daemon account=theory fairshare=2' 'user bin account=theory' 'user sys account=chem'; do
        # shellcheck disable=SC2086
        sacctmgr -i add $words >>said
done
sacctmgr -i modify account theory set grptresmins=cpu=1000,mem=50000 >>said

# ---- sshare ----
lines() { sshare -P -n -o account,user "$@"; }
tap_is "$(lines -u sys)" 'root|
 chem|
  chem|sys
 phys|
  theory|' 'of one user, with all accounts'
tap_is "$(lines -A theory)" 'theory|' 'an account, and of its users only the caller'
tap_is "$(lines -A theory -a)" 'theory|
 theory|bin
 theory|daemon' 'all of it'
tap_is "$(lines -u sys,root -A chem)" 'chem|
 chem|sys' 'both'
tap_is "$(lines -U -a)" 'root|root
chem|sys
phys|root
theory|bin
theory|daemon' 'users alone are not set in'
tap_is "$(sshare -P -n -A theory -o cluster,id,account,grptresmins,grptresraw,tresrunmins)" \
        'slumber|5|theory|cpu=1000,mem=50000|cpu=0,mem=0,node=0,billing=0|cpu=0,mem=0,node=0,billing=0' 'the minutes of an account'
tap_is "$(sshare -l -P | head -1)" 'Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|GrpTRESMins|TRESRunMins' \
        'sshare -l'

# ---- sprio: the nodes are not there, all jobs wait ----
sub() { sbatch --parsable -o /dev/null -t 10 "$@" --wrap true; }
for a in '-n4' '-n3 -p main,other' '-n2 --priority=77' '-n2 -d afterany:1' '-n2 -b now+1hour' '-n2 -H'; do
        # shellcheck disable=SC2086
        sub $a >>ids
done
tap_is "$(sprio -h -o '%i %r %J %P %T')" "1 main 250 500 cpu=250
2 other 219 1000 cpu=375
2 main 219 500 cpu=188
3 main 0 0 " 'jobs that may start; a priority that was set has no factors'
tap_is "$(sprio -h -p other -o '%i %r')" '2 other' 'a partition: its lines alone'
tap_is "$(sprio -nl -j 1 | tr -s ' ')" ' JOBID PARTITION USER PRIORITY AGE ASSOC FAIRSHARE JOBSIZE PARTITION QOS TRES 
 1 main root 0.00000023 0.0000000 0.0000000 1.0000000 0.2500000 0.5000000 0.0000000 cpu=0.25 ' 'sprio -nl'
tap_is "$(sprio -nw -h | tr -s ' ')" ' Weights 1000 1000 CPU=1000 ' 'sprio -nw'
tap_is "$(sprio -u root | head -1)" '          JOBID PARTITION     USER   PRIORITY       SITE    JOBSIZE  PARTITION                 TRES' 'sprio -u shows the user'
run sprio -u no-such-user
tap_is "$rc|$out|$err" '1||sprio: error: Invalid user: no-such-user' 'an unknown user'
run sprio -j 99
tap_is "$rc|$out|$err" '0|Unable to find jobs matching user/id(s) specified|' 'a job that is not there'
run sprio -S x
tap_is "$rc|$err" '1|sprio: error: Invalid sort specification: x' 'no such field'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
