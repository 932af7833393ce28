#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Limits of generic resources and licenses, which AccountingStorageTRES names: reasons, what is shown, a kill -9, and that what
# counts is given back.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
me=$(id -un)
mkdir dev && touch dev/nvidia{0..3}
conf() { # LINE...
        cluster_conf n1 GresTypes=gpu Licenses=matlab:4,other:3 AccountingStorageEnforce=associations,limits,qos SelectTypeParameters=CR_CPU_Memory \
                'NodeName=n1 NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000 Gres=gpu:a100:4' 'PartitionName=main Nodes=ALL Default=YES DefMemPerCPU=100' "$@"
}
conf AccountingStorageTRES=gres/gpu,gpu
run timeout 20 "$CTLD" -D -f "$SLURM_CONF"
tap_like "$rc|$err" '^1\|.*AccountingStorageTRES: "gpu" is neither gres/NAME\[:TYPE\] nor license/NAME' 'what is not a resource'
conf AccountingStorageTRES=gres/gpu,gres/gpu:a100,license/matlab
printf 'AutoDetect=off\nName=gpu Type=a100 File=%s\n' "$DIR/dev/nvidia[0-3]" >gres.conf
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
tap_like "$(scontrol show config)" 'AccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages,gres/gpu,gres/gpu:a100,license/matlab' 'show config'
sacctmgr -iQ add account theory
sacctmgr -iQ add user "$me" account=theory
run sacctmgr -iQ modify account theory set grptres=license/other=1
tap_like "$rc|$err" '^1\|sacctmgr: error: GrpTRES: there is no limit of "license/other"; .* AccountingStorageTRES gres/gpu, gres/gpu:a100, license/matlab$' 'what is not named'
sacctmgr -iQ modify account theory set grptres=gres/gpu=4,license/matlab=2 maxtres=gres/gpu:a100=3
limits() { sacctmgr -nP show assoc account=theory user= format=grptres,maxtres; }
tap_is "$(limits | head -1)" 'gres/gpu=4,license/matlab=2|gres/gpu:a100=3' 'show assoc'

job() { sbatch --parsable -A theory -o /dev/null "$@" --wrap "until [ -e $DIR/go.\$SLURM_JOB_ID ]; do sleep 0.05; done"; }
reason() { scontrol show job "$1" | grep -o ' Reason=[^ ]*'; }
waits_for() { wait_for 20 why_is "$@"; }
why_is() { [ "$(reason "$1")" = " Reason=$2" ]; }
tres() { scontrol show job "$1" | grep -oE '(Req|Alloc)?TRES=[^ ]*' | paste -sd' '; }
one=$(job --gres=gpu:2)
two=$(job --gres=gpu:a100:2 -L matlab:2)
wait_job 20 "$one" RUNNING && wait_job 20 "$two" RUNNING
tap_ok $? 'up to the limit they run'
three=$(job --gres=gpu:1)
four=$(job -L matlab,other)
five=$(job --gres=gpu:a100:4)
six=$(job -L other:2)
waits_for "$three" AssocGrpGRES
tap_ok $? 'AssocGrpGRES' || reason "$three"
waits_for "$four" AssocGrpLicense
tap_ok $? 'AssocGrpLicense' || reason "$four"
wait_job 20 "$six" RUNNING
tap_ok $? 'a license that is not limited'
tap_is "$(tres "$one")" 'ReqTRES=cpu=1,mem=100M,node=1,billing=1,gres/gpu=2 AllocTRES=cpu=1,mem=100M,node=1,billing=1,gres/gpu=2,gres/gpu:a100=2' 'show job: of any type'
tap_is "$(tres "$two")" 'ReqTRES=cpu=1,mem=100M,node=1,billing=1,gres/gpu=2,gres/gpu:a100=2,license/matlab=2 AllocTRES=cpu=1,mem=100M,node=1,billing=1,gres/gpu=2,gres/gpu:a100=2,license/matlab=2' '... of one, and licenses'
tap_like "$(scontrol show node n1)" 'CfgTRES=cpu=8,mem=4000M,billing=8,gres/gpu=4,gres/gpu:a100=4' 'show node: CfgTRES'
tap_like "$(scontrol show node n1)" 'AllocTRES=cpu=3,mem=300M,gres/gpu=4,gres/gpu:a100=4' '... AllocTRES'
tap_like "$(scontrol show partition)" 'TRES=cpu=8,mem=4000M,node=1,billing=8,gres/gpu=4,gres/gpu:a100=4,license/matlab=4' 'show partition'

ctld_kill9
ctld_start && wait_nodes 20 n1 mixed
tap_is "$(limits | head -1)" 'gres/gpu=4,license/matlab=2|gres/gpu:a100=3' 'the same limits after a kill -9'
waits_for "$three" AssocGrpGRES
tap_ok $? '... and the same reason'
touch "go.$two" && wait_job 20 "$three" RUNNING && wait_job 20 "$four" RUNNING
tap_ok $? 'what ends gives back'
tap_is "$(sacct -nPX -j "$two" -o alloctres | tr , '\n' | grep -c -e '^gres/gpu=2$' -e '^gres/gpu:a100=2$' -e '^license/matlab=2$')" 3 'sacct shows it'
touch "go.$one" "go.$three" && waits_for "$five" AssocMaxGRESPerJob
tap_ok $? 'AssocMaxGRESPerJob' || reason "$five"
sacctmgr -iQ modify account theory set maxtres=-1
wait_job 20 "$five" RUNNING
tap_ok $? 'a limit that is taken away' || reason "$five"

# ---- a QOS ----
touch "go.$four" "go.$five" "go.$six"
sacctmgr -iQ add qos few maxtresperuser=gres/gpu=1,license/matlab=1 maxtrespernode=gres/gpu=2 mintres=gres/gpu=1
sacctmgr -iQ add qos deny flags=DenyOnLimit maxtresperjob=license/matlab=1
sacctmgr -iQ modify account theory set qos=normal,few,deny
a=$(job -q few --gres=gpu:1 -L matlab)
b=$(job -q few --gres=gpu:1)
c=$(job -q few)
d=$(job -q few --gres=gpu:3)
wait_job 20 "$a" RUNNING
for w in "$b QOSMaxGRESPerUser" "$c QOSMinGRES" "$d QOSMaxGRESPerNode"; do
        waits_for $w
        tap_ok $? "${w#* }" || reason "${w% *}"
done
run job -q deny -L matlab:2
tap_like "$rc|$err" '^1\|sbatch: error: QOSMaxLicensePerJob' 'DenyOnLimit'

# ---- named no more ----
conf AccountingStorageTRES=gres/gpu
ctld_kill9
ctld_start && wait_nodes 20 n1 mixed
tap_is "$(limits | head -1)" 'gres/gpu=4,license/matlab=2|' 'a limit that was made stays, though nothing names it'
touch "go.$a" && wait_job 20 "$b" RUNNING
tap_ok $? 'and the rest goes on'
scancel "$b" "$c" "$d"
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
