#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# TRESBillingWeights: what jobs, nodes and partitions show, GrpTRES=billing, fair shares, over a kill -9; the numbers are a Slurm's.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
me=$(id -un)
mkdir dev && touch dev/nvidia{0..3}
conf() { # WEIGHTS LINE...
        cluster_conf n1 GresTypes=gpu Licenses=matlab:4 AccountingStorageEnforce=associations,limits,qos SelectTypeParameters=CR_CPU_Memory \
                AccountingStorageTRES=gres/gpu,license/matlab PriorityType=priority/multifactor PriorityCalcPeriod=1 \
                'NodeName=n1 NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000 Gres=gpu:4' \
                "PartitionName=main Nodes=ALL Default=YES DefMemPerCPU=100 TRESBillingWeights=$1" "${@:2}"
}
conf CPU=1.0,nonsense=3
run timeout 20 "$CTLD" -D -f "$SLURM_CONF"
tap_like "$rc|$err" '^1\|.*slurm.conf line [0-9]+: PartitionName=main: TRESBillingWeights: "nonsense" is neither CPU, Mem nor Node' 'a weight of nothing'
conf CPU=1.0,Mem=0.25G,GRES/gpu=2.0
printf 'AutoDetect=off\nName=gpu File=%s\n' "$DIR/dev/nvidia[0-3]" >gres.conf
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
tap_like "$(scontrol show partition)" "node=1,billing=16,gres/gpu=4,license/matlab=4
   TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=2.0" 'show partition'
tap_like "$(scontrol show node n1)" 'CfgTRES=cpu=8,mem=4000M,billing=16,gres/gpu=4' 'show node'
sacctmgr -iQ add account theory
sacctmgr -iQ add user "$me" account=theory
sacctmgr -iQ modify account theory set grptres=billing=8
job() { sbatch --parsable -A theory -o /dev/null "$@" --wrap "until [ -e $DIR/go.\$SLURM_JOB_ID ]; do sleep 0.05; done"; }
why_is() { [ "$(scontrol show job "$1" | grep -o ' Reason=[^ ]*')" = " Reason=$2" ]; }
tres() { scontrol show job "$1" | grep -oE '(Req|Alloc)?TRES=[^ ]*' | paste -sd' '; }
a=$(job --gres=gpu:2 -n2 --mem=1000)
wait_job 20 "$a" RUNNING
tap_is "$(tres "$a")" 'ReqTRES=cpu=2,mem=1000M,node=1,billing=6,gres/gpu=2 AllocTRES=cpu=2,mem=1000M,node=1,billing=6,gres/gpu=2' 'show job'
tap_is "$(squeue -h -j "$a" -O tres-alloc:80 | tr -d ' ')" 'cpu=2,mem=1000M,node=1,billing=6,gres/gpu=2' 'squeue -O tres-alloc'
b=$(job -n3)
wait_for 20 why_is "$b" AssocGrpBilling
tap_ok $? 'AssocGrpBilling'
c=$(job -n2)
wait_job 20 "$c" RUNNING
tap_ok $? 'what fits runs'
ctld_kill9
ctld_start && wait_nodes 20 n1 mixed
wait_for 20 why_is "$b" AssocGrpBilling
tap_ok $? 'the same after a kill -9'
touch "go.$c" "go.$a" && wait_job 20 "$b" RUNNING
tap_ok $? 'what has ended does not count'
tap_like "$(sacct -nPX -j "$a" -o alloctres)" 'billing=6' 'sacct'
run scontrol update partitionname=main tresbillingweights=CPU=0.25,Mem=0.0001G
tap_is "$rc$err" 0 'scontrol update'
tap_is "$(tres "$b")" 'ReqTRES=cpu=3,mem=300M,node=1 AllocTRES=cpu=3,mem=300M,node=1' 'less than one is not shown'
run scontrol update partitionname=main tresbillingweights=foo=3
tap_like "$rc|$err" '^1\|.*TRESBillingWeights: "foo" is neither' 'what is none is refused'
touch "go.$b"
conf CPU=1.0,Mem=0.25M,GRES/gpu=2.0,license/matlab=7 PriorityFlags=MAX_TRES
scontrol reconfigure
sacctmgr -iQ modify account theory set grptres=-1
d=$(job --gres=gpu:2 -n2 --mem=1000 -L matlab)
wait_job 20 "$d" RUNNING
tap_like "$(tres "$d")" 'AllocTRES=.*,billing=257,' 'MAX_TRES'
ran() { [ "$(squeue -h -j "$d" -o %M | tr -d :)" -ge 2 ]; }
wait_for 30 ran
touch "go.$d" && wait_job 20 "$d" COMPLETED
used=$(sshare -nP -A theory -o rawusage | head -1)
tap_ok $((used < 500)) "fair shares follow from it: $used"
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
