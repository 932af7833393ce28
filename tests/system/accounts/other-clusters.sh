#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Associations of other clusters in one store: made, changed, shown, dumped and deleted in Slurm's words, over a kill -9.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 SelectTypeParameters=CR_CPU AccountingStorageEnforce=associations
cluster_up 'a cluster' n1
me=$(id -un)
does() { # TEXT NAME WORD...: all that is said is TEXT
        local text=$1 name=$2
        shift 2
        run sacctmgr -i "$@"
        tap_is "$rc|$out$err" "0|$text" "$name"
}
refused() { # TEXT NAME WORD...
        local text=$1 name=$2
        shift 2
        run sacctmgr -i "$@"
        tap_is "$rc|$out$err" "1|$text" "$name"
}
assocs() { sacctmgr -nP show assoc format=cluster,account,user,share,maxjobs "$@" | grep -v '|root|root|' | paste -sd' '; }

# ---- clusters ----
does ' Adding Cluster(s)
  Name           = here
  Name           = there
 Setting
  Default Limits:
  Fairshare     = 3
  MaxJobs       = 4' 'two are added' add cluster here,THERE fairshare=3 maxjobs=4
refused ' This cluster here already exists.  Not adding.' 'one that exists is not' add cluster here
refused ' This cluster slumber already exists.  Not adding.' '... nor is the own one' add cluster slumber
refused ' Need name of cluster to add.' 'a name is needed' add cluster
refused 'sacctmgr: error: "a cluster" can not be the name of a cluster' 'and not any' add cluster 'a cluster'
refused "sacctmgr: error: \"$(printf %041d 0)\" is longer than 40 bytes" '... nor a long one' add cluster "$(printf %041d 0)"
tap_is "$(sacctmgr -nP list cluster format=cluster,controlport,share,maxjobs,qos | paste -sd' ')" \
        "slumber|$PORT|1||normal here|0|3|4|normal there|0|3|4|normal" 'list cluster'
does ' Setting
  Default Limits:
  Fairshare     = 7
 Modified cluster defaults for associations...
  C = here       A = root' 'modify' modify cluster here set fairshare=7
refused ' Setting
  Default Limits:
  Fairshare     = 7
 Nothing modified' 'one that there is not is not modified' modify cluster nope set fairshare=7
refused ' Nothing deleted' '... nor deleted' delete cluster nope
refused 'sacctmgr: error: slumber is this cluster itself, whose accounts these are' 'the own one is not deleted' delete cluster slumber,here

# ---- accounts and users ----
does ' Adding Account(s)
  x
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = x          C = here      ' 'an account in one' add account x cluster=here
does ' Associations
  A = x          C = there     ' '... then in another' add account x cluster=there
does ' Adding Account(s)
  y
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = y          C = slumber   
  A = y          C = here      
  A = y          C = there     ' 'an account in all' add account y
refused " This cluster 'nope' doesn't exist.
        Contact your admin to add it to accounting." 'all or nothing' add account z cluster=here,nope
refused " This cluster 'nope' doesn't exist.
        Contact your admin to add it to accounting." '... beside the own one, too' add account z cluster=slumber,nope
does ' Adding Account(s)
  mixed
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = mixed      C = slumber   
  A = mixed      C = here      ' 'an account in the own cluster and in another' add account mixed cluster=here,slumber
does ' Deleting account associations...
  C = slumber    A = mixed of root
  C = here       A = mixed of root' '... and gone from both' delete account mixed cluster=slumber,here
does ' Adding User(s)
  u
 Associations =
  U = u         A = x          C = here      
  U = u         A = x          C = there     
 Non Default Settings
  MaxJobs       = 2' 'a user where the account is' add user u account=x maxjobs=2
does ' Associations =
  U = u         A = y          C = slumber   
  U = u         A = y          C = here      
  U = u         A = y          C = there     
 Non Default Settings' '... and in all' add user u account=y
does ' Adding Account(s)
  below
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations
  A = below      C = here      
  A = below      C = there     
 Settings
  Parent        = x' 'an account where its parent is' add account below parent=x
does ' Deleting accounts...
  below' '... and gone' delete account below
tap_is "$(assocs)" 'slumber|root||1| slumber|y||1| slumber|y|u|1| here|root||7|4 here|x||1|4 here|x|u|1|2 here|y||1|4 here|y|u|1|4'\
' there|root||3|4 there|x||1|4 there|x|u|1|2 there|y||1|4 there|y|u|1|4' 'all of them, with what holds there'
tap_is "$(assocs cluster=there account=x)" 'there|x||1|4 there|x|u|1|2' 'some'
tap_is "$(sacctmgr -nP show user u withassoc format=user,cluster,account cluster=here | paste -sd' ')" 'u|here|x u|here|y' 'by users'
tap_is "$(sacctmgr --json show assoc cluster=there account=x | grep -c '"cluster": "there"')" 2 'as JSON'
does ' Modified account associations...
  C = there      A = x of root' 'an account is modified in one' modify account x where cluster=there set fairshare=9
does ' Modified accounts...
  x' 'what is of all is set once' modify account x set description='far away'
does ' Modified user associations...
  C = here       A = x                    U = u        
  C = there      A = x                    U = u        ' 'a user is, where it has that account' modify user u where account=x set maxjobs=5
refused 'sacctmgr: error: DefaultAccount of a user is that in cluster slumber, not in here' 'the default account is of all' \
        modify user u where cluster=here set defaultaccount=x
sacctmgr -iQ add qos q
sacctmgr -iQ modify account y where cluster=there set qos+=q defaultqos=q
run sacctmgr -i delete qos q
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*DefQOS = q  *C = there' 'a QOS that is the default there stays'
run sacctmgr dump there file=there.cfg
tap_is "$rc|$(grep -v '^#' there.cfg | cut -d: -f1 | paste -sd' ')" \
        "0|Cluster - 'there' Parent - 'root' User - 'root' Account - 'x' Account - 'y' Parent - 'x' User - 'u' Parent - 'y' User - 'u'" 'dump'

# ---- jobs are of the own cluster alone ----
if [ "$(id -u)" = 0 ]; then # root has an association everywhere
        run sbatch -A x --wrap true
        tap_like "$rc|$err" '^1\|.*Invalid account' 'an account of another cluster is none of a job'
fi
[ "$me" = root ] || sacctmgr -iQ add user "$me" account=y
before=$(assocs)
ctld_kill9
ctld_start
tap_is "$(assocs)" "$before" 'all is as before behind a kill -9'
tap_is "$(sacctmgr -nP show account x format=description)" 'far away' '... also what is of all'

# ---- deleting ----
does ' Deleting user associations...
  C = here       A = x          U = u        
  C = here       A = y          U = u        ' 'a user in one' delete user u where cluster=here
does ' Deleting account associations...
  C = there      A = x of root
  C = there      A = x                    U = u        ' 'an account in one' delete account x where cluster=there
tap_is "$(assocs user=u) $(sacctmgr -nP show account format=account | paste -sd,)" 'slumber|y|u|1| there|y|u|1|4 root,x,y' 'they are elsewhere still'
does ' Deleting accounts...
  x' 'an account in all' delete account x
does ' Deleting clusters...
  here
  there' 'clusters go with their associations' delete cluster there,here
tap_is "$(assocs)" 'slumber|root||1| slumber|y||1| slumber|y|u|1|' 'the own one has what it had'
does ' Deleting QOS(s)...
  q' 'and the QOS is free' delete qos q
sacctmgr -iQ add cluster far
sacctmgr -iQ add account lone cluster=far
sacctmgr -iQ delete cluster far
tap_is "$(sacctmgr -nP show account format=account | paste -sd,)" 'lone,root,y' 'an account of a cluster that is gone'
does ' Associations
  A = lone       C = slumber   ' '... may come here' add account lone
does ' Deleting accounts...
  lone' '... and go' delete account lone

# ---- rights ----
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
        chmod 755 "$DIR"
        as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups env SLURM_CONF="$SLURM_CONF" SLUMBER_SOCKET="$SLUMBER_SOCKET" "$DIR/bin/sacctmgr" -i "$@"; }
        if as_nobody show cluster >/dev/null 2>&1; then
                sacctmgr -iQ add cluster far
                sacctmgr -iQ add account y cluster=far
                run as_nobody add cluster mine
                tap_is "$rc|$err" '1| Problem adding clusters: Access/permission denied' 'no plain user adds a cluster'
                sacctmgr -iQ add user nobody account=y
                sacctmgr -iQ add coordinator nobody account=y
                run as_nobody add user v account=y cluster=far
                tap_is "$rc" 0 'a coordinator adds users to the own account'
                run as_nobody modify account y where cluster=far set fairshare=2
                tap_is "$rc|$err" '1| Problem modifying accounts: Access/permission denied' '... without the right to its limits'
                sacctmgr -iQ modify user nobody set adminlevel=operator
                run as_nobody add cluster mine
                tap_is "$rc|$err" '1| Problem adding clusters: Access/permission denied' 'no operator adds a cluster'
                run as_nobody delete cluster far
                tap_is "$rc|$err" '1| Problem deleting clusters: Access/permission denied' '... or deletes one'
                sacctmgr -iQ modify user nobody set adminlevel=administrator
                run as_nobody add cluster mine
                tap_is "$rc" 0 'an administrator does'
        fi
fi
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
