#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacctmgr: rights of coordinators, jobs that accrue age, factors, priority of associations; words and columns are
# those that Slurm's own prints for the same commands; a crash right after it has said that it is done.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
me=$(id -un)
cluster_conf 'n[1-2]' AccountingStorageEnforce=associations,limits,qos PriorityType=priority/multifactor PriorityWeightAge=1000 \
        PriorityWeightAssoc=500 PriorityCalcPeriod=1
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
is() { # OUTPUT WORDS...: exactly that, and success
        run sacctmgr -i "${@:2}"
        tap_is "$rc|$out$err" "0|$1" "${*:2}"
}
refused() { # OUTPUT WORDS...
        run sacctmgr -i "${@:2}"
        tap_is "$rc|$out${out:+
}$err" "1|$1" "refused: ${*:2}"
}

# ---- words ----
is ' Adding Account(s)
  physics
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = physics    C = slumber   ' add account physics
is ' Adding Account(s)
  theory
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = theory     C = slumber   
 Settings
  Fairshare     = 10
  Parent        = physics' add account theory parent=physics fairshare=10
is ' Adding QOS(s)
  few
 Settings
  Description    = few
  MaxWall                  = 01:00:00
  Priority                 = 10' add qos few priority=10 maxwall=60
is ' Adding User(s)
  dave
 Associations =
  U = dave      A = theory     C = slumber   
 Non Default Settings
  MaxJobs       = 2' add user dave account=theory maxjobs=2
is ' Adding Account(s)
  all
 Settings
  Description     = one
  Organization    = two
 Associations
  A = all        C = slumber   
 Settings
  Fairshare     = 3
  GrpSubmitJobs = 2
  GrpTRESRunMins= cpu=5
  GrpWall       = 2-00:00:00
  MaxJobs       = NONE
  MaxTRES       = cpu=1
  MaxTRESPerNode= cpu=1
  MaxTRESMins   = cpu=10
  MaxWall       = 01:30:00
  Parent        = physics
  Priority      = 5
  QOS           = few,normal
  DefQOS        = few' add account all organization=two description=one parent=physics maxwall=90 defaultqos=few qos=normal,few priority=5 \
        maxtres=cpu=1 maxtrespernode=cpu=1 maxtresmins=cpu=10 grptresrunmins=cpu=5 grpwall=2-0 grpsubmit=2 maxjobs=-1 fairshare=3
is ' Adding User(s)
  averylongusername
 Settings =
  Default Account = all
  Admin Level     = Operator
 Associations =
  U = averylong A = theory     C = slumber    P = main      
  U = averylong A = all        C = slumber    P = main      
 Non Default Settings' add user averylongusername account=theory adminlevel=operator defaultaccount=all partition=main
is ' Modified user associations...
  C = slumber    A = all                  U = averylongusername P = main' modify user averylongusername set maxjobs=2 where account=all
is ' Modified users...
  averylongusername' modify user averylongusername set defaultaccount=theory
is ' Associations =
  U = averylong A = physics    C = slumber   
 Non Default Settings' add user averylongusername defaultaccount=physics
is 'Nam GrpTRESRunMin 
--- ------------- 
few               ' show qos few format=name%3,grptresrunmins
tap_is "$(sacctmgr -P show assoc where account=all user=averylongusername format=account,user,parentname,parentid,grptresrunmins | head -1)" \
        'Account|User|ParentName|ParentID|GrpTRESRunMins' 'headings are cut at the width of their column, and only there'
sacctmgr -iQ delete user averylongusername && sacctmgr -iQ delete account all
sacctmgr -iQ add user "$me" account=theory qos=normal,few
is ' Modified account associations...
  C = slumber    A = theory of physics' modify account theory set maxsubmit=50 maxwall=2:00:00
is ' Deleting user associations...
  C = slumber    A = theory     U = dave     
 Deleting users (No Associations)...
  dave' delete user dave account=theory
is ' Modified qos...
  few' modify qos few set GrpJobsAccrue=9 MaxJobsAccruePU=2 MaxJobsAccruePA=7 LimitFactor=2 MinPrioThres=3
is '    Name GrpJobsAccrue MaxJobsAccruePU MaxJobsAccruePA LimitFactor MinPrioThres 
-------- ------------- --------------- --------------- ----------- ------------ 
     few             9               2               7    2.000000            3 ' \
        show qos few format=name%8,grpjobsaccrue,maxjobsaccrueperuser,maxjobsaccruepa,limitfactor,minpriothres
refused " Unknown QOS flag used in:
  'bogus'
 Valid QOS flags are
  'DenyOnLimit,EnforceUsageThreshold,NoDecay,NoReserve,OverPartQOS,PartitionMaxNodes,PartitionMinNodes,PartitionTimeLimit,RequiresReservation,UsageFactorSafe'" \
        modify qos few set flags=bogus
refused " You didn't give me anything to set" modify qos few set
refused ' No conditions given to remove, not executing.' delete account
refused ' You are not allowed to remove the root account.' delete account root
refused ' You need to specify an account list here.' add coordinator "$me"
refused 'sacctmgr: error: coordinators are shown with accounts and users: show account withcoordinators' show coordinator
refused 'sacctmgr: error: withdeleted is not implemented by Slumber: what is deleted is not kept' show account withdeleted
sacctmgr -iQ modify user "$me" account=theory set defaultqos=few
refused " Deleting QOS(s)...
  few
 Associations listed below have these as their Default QOS.
  DefQOS = few        C = slumber    A = theory               U = $(printf %-9s "$me")
 Please either remove the qos' listed above from list and resubmit,
 or change the default qos to remove the qos." delete qos few

# ---- what is shown ----
show() { sacctmgr -nP show "$@" | paste -sd' '; }
tap_is "$(show assoc account=theory format=account,user,maxsubmit,maxwall,grpjobs)" "theory||50|02:00:00| theory|$me|50|02:00:00|" 'limits that are inherited'
tap_is "$(show assoc account=theory woplimits format=account,user,maxsubmit,maxwall)" "theory||50|02:00:00 theory|$me||" '... not with woplimits'
tap_is "$(show assoc qos=few format=account,user)" "theory|$me" 'associations with a QOS'
tap_is "$(show assoc defaultqos=few format=account,user)" "theory|$me" '... by default'
tap_is "$(show assoc account=physics withsubaccounts format=account,user)" "physics| theory| theory|$me" 'subaccounts too'
tap_is "$(show assoc onlydefaults user="$me" format=account | grep -c .)" 1 'the default one of each user'
tap_is "$(show account withassoc wopinfo account=theory format=account,parentname,user | head -1)" "theory|| theory||$me" 'no parents'

# ---- growing older ----
job() { sbatch --parsable -A theory -o /dev/null "$@" --wrap true; }
age() { scontrol show job "$1" | grep -o 'AccrueTime=[^ ]*'; }
for i in 1 2 3; do job -q few >/dev/null; done
job -q normal --begin=now+1hour >/dev/null
tap_like "$(age 1) $(age 2) $(age 3) $(age 4)" '^AccrueTime=20[^ ]* AccrueTime=20[^ ]* AccrueTime=Unknown AccrueTime=Unknown$' 'MaxJobsAccruePerUser: two of three'
first=$(age 1)
ctld_kill9
ctld_start
tap_is "$(age 1) $(age 3)" "$first AccrueTime=Unknown" 'as before after a kill -9'
scancel 2
tap_like "$(age 3)" 'AccrueTime=20' 'when one goes another follows'
sacctmgr -iQ modify account physics set priority=20
sacctmgr -iQ modify user "$me" account=theory set priority=40
tap_is "$(sprio -h -j 1 -o '%b %B')" '1.0000000 500' 'PriorityWeightAssoc'
tap_is "$(show assoc account=theory format=user,priority)" "|20 $me|40" '... inherited'

# ---- coordinators ----
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
        chmod 755 "$DIR"
        as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups env SLURM_CONF="$SLURM_CONF" SLUMBER_SOCKET="$SLUMBER_SOCKET" "$DIR/bin/$1" "${@:2}"; }
        if as_nobody sinfo >/dev/null 2>&1; then
                sacctmgr -iQ add user nobody account=physics
                run as_nobody sacctmgr -i modify user "$me" account=theory set maxjobs=3
                tap_is "$rc|$err" '1| Problem modifying users: Access/permission denied' 'a plain user may nothing'
                run as_nobody scancel 1
                tap_like "$rc|$err" 'Access/permission denied' '... of jobs either'
                is ' Adding Coordinator User(s)
  nobody
 To Account(s) and all sub-accounts
  theory' add coordinator account=theory names=nobody
                ctld_kill9
                ctld_start
                tap_is "$(sacctmgr -nP show account theory withcoordinators)|$(show user nobody withcoord)" \
                        'theory|theory|physics|nobody|nobody|physics|None|theory' 'a coordinator, after a kill -9'
                run as_nobody sacctmgr -i modify user "$me" account=theory set maxjobs=3
                tap_is "$rc|$err" '0|' 'a coordinator changes limits below the own account'
                run as_nobody sacctmgr -i modify account physics set maxjobs=3
                tap_is "$rc|$err" '1| Problem modifying accounts: Access/permission denied' '... not above'
                run as_nobody sacctmgr -iQ add account lab parent=theory
                tap_is "$rc|$err|$(show account lab format=organization)" '0||theory' 'and adds accounts'
                run as_nobody sacctmgr -iQ add user "$me" account=lab
                tap_is "$rc|$err" '0|' '... and users'
                run as_nobody sacctmgr -iQ add user "$me" account=physics
                tap_is "$rc" 1 '... there alone'
                as_nobody scontrol hold 1
                tap_is "$(squeue -h -j 1 -o %r)" JobHeldAdmin 'and holds a job of the account'
                as_nobody scontrol release 1
                as_nobody scancel 1
                wait_job 10 1 CANCELLED
                tap_ok $? '... and cancels it'
                sacctmgr -iQ add user nobody account=lab
                sacctmgr -iQ add user "$me" account=physics
                mine=$(sbatch --parsable -A physics -H --wrap true)
                run as_nobody scancel "$mine"
                tap_like "$rc|$err" '^[01]\|.*Access/permission denied' 'not those of others'
                tap_is "$(squeue -h -j "$mine" -o %t)" PD '... which stay'
                is ' Removing Coordinators with user name
  nobody
 From all accounts
 Removed Coordinators (sub accounts not listed)...
  U = nobody    A = theory    ' delete coordinator names=nobody
                run as_nobody sacctmgr -i modify user "$me" account=theory set maxjobs=4
                tap_is "$rc" 1 'a former coordinator may not'
        fi
fi

# ---- a crash right after the answer ----
lost=0
for i in 1 2 3 4 5; do
        sacctmgr -iQ add account "acc$i" parent=theory grpjobs="$i" && sacctmgr -iQ modify qos few set priority="$((i + 100))"
        ctld_kill9
        ctld_start
        [ "$(show assoc account="acc$i" format=grpjobs)|$(show qos few format=priority)" = "$i|$((i + 100))" ] || lost=$((lost + 1))
done
tap_is "$lost" 0 'nothing that was acknowledged is lost'
cluster_sound
tap_ok $? 'the daemons are sound'
tap_done
