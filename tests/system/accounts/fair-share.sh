#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fair shares by fair tree, without it (PriorityFlags=NO_FAIR_TREE) and depth-oblivious, in sshare, sprio and scontrol; a new
# configuration has its own at once; a QOS's UsageThreshold.  All figures are Slurm 22.05's: one user has used all there is.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root submits for others'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' PartitionName= 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' AccountingStorageEnforce=associations,limits,qos \
        'PartitionName=main Nodes=ALL Default=YES' PriorityType=priority/multifactor PriorityWeightFairShare=10000 PriorityDecayHalfLife=365-0 PriorityFlags=NO_FAIR_TREE
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for words in 'account phys fairshare=4' 'account theory parent=phys fairshare=3' 'account exp parent=phys fairshare=parent' 'account zero fairshare=0' \
        'user root account=phys' 'user daemon account=theory fairshare=2' 'user bin account=theory' 'user sys account=exp fairshare=parent' \
        'user games account=exp' 'user mail account=zero'; do
        # shellcheck disable=SC2086
        sacctmgr -i add $words >>said
done
sacctmgr -i add qos few,many flags=EnforceUsageThreshold >>said
sacctmgr -i modify qos few set usagethreshold=2000 >>said
sacctmgr -i modify qos many set usagethreshold=3600 >>said
sacctmgr -i modify account phys set qos+=few,many >>said

as() {
        local user=$1
        shift
        setpriv --reuid="$user" --regid="$user" --clear-groups -- "$@"
}
agent_start n1 && wait_nodes 20 n1 idle
chmod 1777 .
job=$(as daemon sbatch --parsable -o /dev/null -A theory -n4 --wrap 'until [ -e go ]; do sleep 0.02; done')
wait_job 20 "$job" RUNNING
runs() { [ "$(squeue -h -j "$job" -o %M)" != 0:00 ]; }
wait_for 20 runs
touch go
wait_job 20 "$job" COMPLETED
ctld_stop
ctld_start # with its fair shares, not five minutes later
shares() { sshare -a -n -P -o account,user,normshares,effectvusage,fairshare,levelfs; }
tap_is "$(shares)" 'root||1.000000|1.000000|0.500000|0.000000
 root|root|0.200000|0.000000|1.000000|0.000000
 phys||0.800000|1.000000|0.420448|0.000000
  phys|root|0.160000|0.200000|0.420448|0.000000
  exp||0.800000|1.000000|0.420448|
   exp|games|0.160000|0.200000|0.420448|0.000000
   exp|sys|0.800000|1.000000|0.420448|
  theory||0.480000|1.000000|0.235969|0.000000
   theory|bin|0.160000|0.333333|0.235969|0.000000
   theory|daemon|0.320000|1.000000|0.114626|0.000000
 zero||0.000000|0.000000|0.000000|0.000000
  zero|mail|0.000000|0.000000|0.000000|0.000000' 'NO_FAIR_TREE'
tap_is "$(sshare -l -P | head -1)" 'Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|GrpTRESMins|TRESRunMins' \
        'sshare -l has no levels'
tap_like "$(scontrol -o show assoc_mgr flags=assoc users=daemon accounts=theory)" 'SharesRaw/Norm/Level/Factor=2/0.32/3/0.11 ' 'scontrol show assoc_mgr'

# ---- priorities, and a QOS that wants a fair share ----
scontrol update nodename=n1 state=drain reason=test
for user in daemon bin; do
        for qos in many few; do
                as "$user" sbatch -Q -o /dev/null -A theory -q $qos -J "$user-$qos" --wrap true
        done
done
tap_is "$(sprio -h -S i -o '%u %F')" "daemon 1146
daemon 1146
bin 2360
bin 2360" 'sprio'
reasons() { squeue -h -S i -o '%j %r' | grep "$@"; }
judged() { [ "$(reasons -c Threshold)" = 3 ]; }
wait_for 20 judged
tap_is "$(reasons Threshold)" 'daemon-many QOSUsageThreshold
daemon-few QOSUsageThreshold
bin-many QOSUsageThreshold' 'UsageThreshold'

# ---- another way ----
conf_flags() { sed -i "s/^PriorityFlags=.*/PriorityFlags=$1/" slurm.conf; }
conf_flags DEPTH_OBLIVIOUS
scontrol reconfigure
tap_is "$(shares | sed -n '4p;6,7p;9,10p')" '  phys|root|0.160000|0.000000|1.000000|0.000000
   exp|games|0.160000|0.000000|1.000000|0.000000
   exp|sys|0.800000|1.000000|0.420448|
   theory|bin|0.160000|0.000000|1.000000|0.000000
   theory|daemon|0.320000|1.000000|0.114626|0.000000' 'DEPTH_OBLIVIOUS, with scontrol reconfigure'
sed -i 's/^PriorityFlags=.*/FairShareDampeningFactor=4/' slurm.conf
scontrol reconfigure
tap_is "$(shares)" 'root||0.000000|1.000000||
 root|root|0.200000|0.000000|1.000000|inf
 phys||0.800000|1.000000||0.800000
  phys|root|0.200000|0.000000|0.857143|inf
  exp||0.800000|0.000000||
   exp|games|0.200000|0.000000|0.857143|inf
   exp|sys|0.800000|0.000000|0.857143|
  theory||0.600000|1.000000||0.600000
   theory|bin|0.333333|0.000000|0.428571|inf
   theory|daemon|0.666667|1.000000|0.285714|0.666667
 zero||0.000000|0.000000||0.000000
  zero|mail|1.000000|0.000000|0.142857|inf' 'fair tree'
tap_like "$(scontrol show config)" $'\nFairShareDampeningFactor = 4\nFederationParameters' 'scontrol show config'
ctld_stop
echo PriorityFlags=NO_FAIR_TREE,NOPE >>slurm.conf
run "$CTLD" -D -f slurm.conf
tap_like "$rc|$err" '^1\|.*PriorityFlags: "NOPE" is not one of' 'no such flag'
sed -i '$d' slurm.conf
ctld_start
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
