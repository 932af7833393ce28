#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol show assoc_mgr: what the controller knows of users, associations and QOS, with what counts against their limits.
# sprio of running jobs, with PriorityFlags=CALCULATE_RUNNING.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'needs root, the user of the jobs'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 SelectTypeParameters=CR_CPU_Memory AccountingStorageEnforce=associations,limits,qos PriorityType=priority/multifactor \
        PriorityFlags=CALCULATE_RUNNING PriorityWeightJobSize=1000 PriorityCalcPeriod=60
cluster_up 'a node' n1
for words in 'account phys fairshare=4' 'account theory parent=phys' 'user bin account=theory fairshare=parent' 'user root account=theory' \
        'qos high priority=9'; do
        # shellcheck disable=SC2086
        sacctmgr -Qi add $words >>said
done
sacctmgr -Qi modify user root account=theory set qos+=high maxjobs=5 maxwall=1:30:00 grpjobs=8 maxtresperjob=cpu=4,mem=1G grptres=mem=3G \
        grptresmins=cpu=1000 minprio=1 defaultaccount=theory >>said
sacctmgr -Qi modify qos high set grpsubmit=10 maxjobspu=6 maxtrespa=cpu=3 maxwall=60 >>said
run=$(sbatch --parsable -q high -n2 --mem=400 -t 10:00 -o /dev/null --wrap 'sleep 600')
wait_job 20 "$run" RUNNING
sbatch --parsable -q high -n1 --mem=100 -t 10:00 -H -o /dev/null --wrap true >>said
# Usage, and the minutes that count, are those of the last review, which may have come meanwhile.
ids() {
        sed -E 's/ID=[0-9]*/ID=x/; s/\([0-9]*\) Lft=/ Lft=/; s/UsageRaw=[0-9.]*/UsageRaw=u/
                s,UsageRaw/Norm/Efctv=[0-9./]*,UsageRaw/Norm/Efctv=u/u/u,
                s/GrpWall=N\([0-9.]+\)/GrpWall=N(m)/; /GrpTRESMins=/s/\([0-9]+\)/(m)/g'
}

tap_is "$(scontrol show assoc_mgr flags=users)" 'Current Association Manager state

User Records

UserName=bin(2) DefAccount=theory DefWckey= AdminLevel=None
UserName=root(0) DefAccount=theory DefWckey= AdminLevel=Administrator' 'users'
tap_is "$(scontrol show assoc_mgr flags=assoc users=root accounts=theory | grep -v RunMins | ids)" 'Current Association Manager state

Association Records

ClusterName=slumber Account=theory UserName= Partition= Priority=0 ID=x
    SharesRaw/Norm/Level/Factor=1/1.00/1/0.00
    UsageRaw/Norm/Efctv=u/u/u
    ParentAccount=phys Lft=5 DefAssoc=No
    GrpJobs=N(1) GrpJobsAccrue=N(0)
    GrpSubmitJobs=N(2) GrpWall=N(m)
    GrpTRES=cpu=N(2),mem=N(400),node=N(1),billing=N(2)
    GrpTRESMins=cpu=N(m),mem=N(m),node=N(m),billing=N(m)
    MaxJobs= MaxJobsAccrue= MaxSubmitJobs= MaxWallPJ=
    MaxTRESPJ=
    MaxTRESPN=
    MaxTRESMinsPJ=
    MinPrioThresh=
ClusterName=slumber Account=theory UserName=root(0) Partition= Priority=0 ID=x
    SharesRaw/Norm/Level/Factor=1/1.00/1/0.00
    UsageRaw/Norm/Efctv=u/u/u
    ParentAccount= Lft=8 DefAssoc=Yes
    GrpJobs=8(1) GrpJobsAccrue=N(0)
    GrpSubmitJobs=N(2) GrpWall=N(m)
    GrpTRES=cpu=N(2),mem=3072(400),node=N(1),billing=N(2)
    GrpTRESMins=cpu=1000(m),mem=N(m),node=N(m),billing=N(m)
    MaxJobs=5(1) MaxJobsAccrue= MaxSubmitJobs= MaxWallPJ=90
    MaxTRESPJ=cpu=4,mem=1024
    MaxTRESPN=
    MaxTRESMinsPJ=
    MinPrioThresh=1' 'associations'
tap_is "$(scontrol show assoc_mgr flags=assoc users=bin accounts=theory | grep SharesRaw | tail -1)" \
        '    SharesRaw/Norm/Level/Factor=2147483647/1.00/1/0.00' 'the share of the account'
tap_is "$(scontrol show assoc_mgr flags=assoc | grep -o '^Cl.*Part')" 'ClusterName=slumber Account=root UserName= Part
ClusterName=slumber Account=root UserName=root(0) Part
ClusterName=slumber Account=phys UserName= Part
ClusterName=slumber Account=theory UserName= Part
ClusterName=slumber Account=theory UserName=bin(2) Part
ClusterName=slumber Account=theory UserName=root(0) Part' 'all of them'
tap_is "$(scontrol show assoc_mgr fl=qos q=high | grep -v RunMins | sed 's/(.*)$/(x)/; s/UsageRaw=.*/UsageRaw=u/')" 'Current Association Manager state

QOS Records

QOS=high(x)
    UsageRaw=u
    GrpJobs=N(x)
    GrpTRES=cpu=N(x)
    GrpTRESMins=cpu=N(x)
    MaxWallPJ=60
    MaxTRESPJ=
    MaxTRESPN=
    MaxTRESMinsPJ=
    MinPrioThresh=
    MinTRESPJ=
    PreemptMode=OFF
    Priority=9
    Account Limits
      theory
        MaxJobsPA=N(x)
        MaxTRESPA=cpu=3(x)
    User Limits
      root
        MaxJobsPU=6(x)
        MaxTRESPU=cpu=N(x)' 'a QOS'
tap_is "$(scontrol -o show assoc_mgr flags=qos qos=high | tail -1 | grep -o 'GrpJobs=.*GrpWall\|Account Limits=.*')" \
        'GrpJobs=N(1) GrpJobsAccrue=N(0) GrpSubmitJobs=10(2) GrpWall
Account Limits= theory={MaxJobsPA=N(1) MaxJobsAccruePA=N(0) MaxSubmitJobsPA=N(2) MaxTRESPA=cpu=3(2),mem=N(400),node=N(1),billing=N(2)} '\
'User Limits= root={MaxJobsPU=6(1) MaxJobsAccruePU=N(0) MaxSubmitJobsPU=N(2) MaxTRESPU=cpu=N(2),mem=N(400),node=N(1),billing=N(2)}' 'in one line'
tap_is "$(scontrol show assoc_mgr users=x accounts=x qos=normal | grep -v '^    ')" 'Current Association Manager state

No users currently cached in Slurm.


No associations currently cached in Slurm.


QOS Records

QOS=normal(1)' 'what is not there'
for words in "flags=x|invalid flag 'x', valid options are 'Assoc, QOS, and/or Users'" 'x=y|invalid entity: x=y for keyword:show assoc_mgr' \
        'users|No value given for option users' 'users=|No value given for option users='; do
        run scontrol show assoc_mgr "${words%%|*}"
        tap_is "$rc|$out|$err" "1||${words#*|}" "refused: ${words%%|*}"
done
tap_is "$(sacctmgr -nP show assoc user=root account=theory format=us,maxj)" 'root|5' 'MaxJobs, of which MaxJobsAccrue goes on'
for i in $(seq 130); do echo "add user u$i account=phys"; done >many
sacctmgr -Qi <many >>said
tap_is "$(scontrol show assoc_mgr flags=assoc,users | grep -c '^UserName=u\|Account=phys UserName=u[0-9]*(4294967294) ')" 260 'more than a page, of unknown users'

tap_is "$(sprio -h -o '%i %r %J')" "$run main 750" 'sprio of running jobs'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
