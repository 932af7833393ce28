#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacct shows the accounts of other clusters, too; sacctmgr knows which clusters there are, shows their accounts, and
# changes them for those whom they let.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/clusters.sh
. "$(dirname "$0")/../clusters.sh"
cd "$DIR" || exit 1
clusters_conf
clusters_up 'two clusters'
here=$(sbatch --parsable --job-name=here --output=/dev/null --wrap true)
there=$(beta sbatch --parsable --job-name=there --output=/dev/null --wrap true)
wait_job 20 "$here" COMPLETED && beta wait_job 20 "$there" COMPLETED
tap_ok $? 'a job has run in each'
_rows() { # OPTION...
        run sacct -X -n -P -o cluster,jobname,state "$@"
        tap=$(paste -sd' ' <<<"$out")
}
_rows
tap_is "$rc|$tap" '0|alpha|here|COMPLETED' 'sacct shows this cluster'
_rows -M beta
tap_is "$rc|$tap" '0|beta|there|COMPLETED' '-M another one'
_rows -M alpha,beta
tap_is "$rc|$tap" '0|alpha|here|COMPLETED beta|there|COMPLETED' '... and both'
_rows -L
tap_is "$rc|$tap" '0|alpha|here|COMPLETED beta|there|COMPLETED' '-L all'
run sacct -M all -X -P -o jobname
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|JobName here there' 'one heading stands above all'
run sacct -M beta -P -o jobid,jobname
tap_is "$rc|$(paste -sd' ' <<<"$out")" "0|JobID|JobName $there|there $there.batch|batch" 'steps are shown, too'
_rows -M former
tap_is "$rc|$tap" '0|' 'a name that jobs may have of old is no error'
run sacct --json -M all
tap_like "$rc|$err" '^1\|.*--json shows one cluster at a time' '--json shows one at a time'
run sacct --json -M beta
tap_like "$rc|$out" '"name": ?"there"' '... which may be the other one'

# ---- sacctmgr in another cluster ----
beta sacctmgr -iQ add account phys && beta sacctmgr -iQ add user nobody account=phys
run sacctmgr -nP show user cluster=beta format=user,defaultaccount
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|nobody|phys root|root' 'sacctmgr shows users of another cluster'
run sacctmgr -P show assoc clusters=beta,alpha format=cluster,account,user
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|Cluster|Account|User beta|root| beta|root|root beta|phys| beta|phys|nobody alpha|root| alpha|root|root' \
        '... and associations of several in one table'
run sacctmgr -P show account clusters=alpha,beta format=account
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|CLUSTER: alpha Account root  CLUSTER: beta Account phys root' \
        '... what does not name its cluster below the name of it'
run sacctmgr --json show user clusters=alpha,beta
tap_like "$rc|$err" '^1\|.*--json shows one cluster at a time' '... and JSON of one'
me=$(id -un)
chem=(sacctmgr -iQ add account chem cluster=beta)
run "${chem[@]}"
tap_like "$rc|$err" '^1\|.*users of this cluster may not change accounts in cluster beta' 'a change needs a right of its own'
sed -i 's/there: .*/there: [show, accounts]/' "$ALPHA/slumber.yaml" && scontrol reconfigure
run "${chem[@]}"
tap_like "$rc|$err" '^1\|.*cluster beta does not let users of cluster alpha change accounts' '... of the other cluster, too'
sed -i 's/here: .*/here: [show, accounts]/' "$BETA/slumber.yaml" && beta scontrol reconfigure
run "${chem[@]}"
tap_like "$rc|$err" '^1\|.*whom its operators name \(slumber.yaml\), and '"$me is none of them" '... and one of its operators'
tap_is "$(beta sacctmgr -nP show account format=account | paste -sd' ')" 'phys root' 'nothing was done'
echo PrivateData=users,accounts >>"$BETA/slurm.conf" && beta scontrol reconfigure
run sacctmgr -nP show assoc cluster=alpha,beta format=cluster,account,user
both=$out
run sacctmgr -nP show assoc cluster=all format=cluster,account,user
tap_is "$rc|$out|$(cut -d'|' -f1 <<<"$out" | uniq | paste -sd,)" "0|$both|alpha,beta" 'cluster=all is each of them'
run sacctmgr -nP show assoc cluster=beta format=user
tap_like "$rc|$(paste -sd' ' <<<"$out")" '^0\|[^r]*$' 'PrivateData hides the accounts of others'
echo "    operators: [$me, nobody]" >>"$BETA/slumber.yaml" && beta scontrol reconfigure
run sacctmgr -i add account chem clusters=alpha,beta
tap_like "$rc|$(paste -sd' ' <<<"$out")" '^0\|CLUSTER: alpha .*C = alpha .*CLUSTER: beta .*C = beta' 'an operator adds an account to both'
run sacctmgr modify account chem cluster=beta set maxjobs=3 <<<y
tap_is "$rc|$(beta sacctmgr -nP show assoc account=chem format=maxjobs)" '0|3' '... modifies it in one, and is asked before'
run sacctmgr -iQ delete account chem cluster=beta
tap_is "$rc|$(sacctmgr -nP show account clusters=alpha,beta format=account | paste -sd' ')" '0|chem root phys root' '... and deletes it there'
grep -q "Accounts changed by $me (UID=$(id -u)) of cluster alpha" "$BETA/log/ctld"
tap_ok $? 'the log of that cluster names who did it'
if [ "$(id -u)" = 0 ]; then
        chmod 711 "$ALPHA" "$BETA"
        run stranger "$DIR/bin/sacctmgr" -iQ add account bio cluster=beta
        tap_like "$rc|$err" '^1\|.*[Dd]enied' 'an operator has no more rights than its name has there'
        beta sacctmgr -iQ modify user nobody set adminlevel=administrator
        run stranger "$DIR/bin/sacctmgr" -iQ add account bio cluster=beta
        tap_is "$rc|$(beta sacctmgr -nP show account bio format=account)" '0|bio' '... and an AdminLevel there counts'
else
        tap_ok 0 'an operator has no more rights than its name has there # SKIP only root can be several users'
        tap_ok 0 '... and an AdminLevel there counts # SKIP only root can be several users'
fi
run sacctmgr -i add account x clusters=beta,nix
tap_like "$rc|$err" "^1\|.*This cluster 'nix' doesn't exist" 'a cluster that there is not is named, and nothing done'
pid=$(beta _pid ctld)
kill -STOP "$pid"
run sacctmgr -i add account late cluster=beta
tap_like "$rc|$err" '^1\|.*it has said nothing in time; what was asked may have been done there' 'what one that falls silent may have done is told'
out=$(sacctmgr -i add account late clusters=beta,alpha 2>&1) rc=$?
tap_like "$rc|$(paste -sd' ' <<<"$out")" '^1\|CLUSTER: beta .*Cluster beta does not answer.*CLUSTER: alpha .*A = late  *C = alpha' \
        'what one refuses stands below its head, and the next one is asked'
kill -CONT "$pid"

# ---- a host by its name ----
_alpha_finds() { # HOSTS
        sed -i "s/hosts: .*/hosts: $1/" "$ALPHA/slumber.yaml" && scontrol reconfigure
}
_alpha_finds localhost
_rows -M beta
tap_is "$rc|$tap" '0|beta|there|COMPLETED' 'a host may be named'
_alpha_finds no-such-host.invalid
_rows -M all
tap_like "$rc|$tap|$err" '^1\|alpha\|here\|COMPLETED\|.*does not answer: (cannot find the address of|the name service has not told)' \
        'one that no name service knows is told of'
_alpha_finds '[no-such-host.invalid, localhost]'
wait_for 10 eval '[ "$(sacct -M beta -X -n -P -o jobname)" = there ]'
tap_ok $? '... and the next one is asked'
beta ctld_kill9
_rows -M all
tap_like "$rc|$tap|$err" '^1\|alpha\|here\|COMPLETED\|.*Cluster beta does not answer' 'one that is away is told of'

# ---- sacctmgr ----
run sacctmgr -nP show cluster format=cluster,controlhost,controlport
tap_is "$rc|$(paste -sd' ' <<<"$out")" "0|alpha|127.0.0.1|$PORT beta|no-such-host.invalid|$BETA_PORT" 'sacctmgr shows the clusters'
run sacctmgr -nP show cluster beta format=cluster
tap_is "$rc|$out" '0|beta' '... or one of them'
run sacctmgr -i add cluster beta
tap_like "$rc|$out" '1\| This cluster beta already exists.  Not adding.' 'one that is there is not added'
run sacctmgr -i add cluster gamma
tap_is "$rc|$out" '0| Adding Cluster(s)
  Name           = gamma' 'the accounts of another one are kept here'
sacctmgr -iQ add account far cluster=gamma
tap_is "$(sacctmgr -nP show assoc cluster=gamma format=cluster,account,user | paste -sd' ')" 'gamma|root| gamma|root|root gamma|far|' '... and are shown'
sacctmgr -iQ delete cluster gamma
run sacctmgr -i delete cluster beta
tap_like "$rc|$err" '1\|.*beta is a cluster of slumber.yaml, and is taken out of clusters there' '... as one is taken out'
run sacctmgr -i delete cluster alpha
tap_like "$rc|$err" '1\|.*alpha is this cluster itself' 'the own one stays'
run sacctmgr -i modify cluster beta set fairshare=2
tap_like "$rc|$err" '1\|.*beta keeps its accounts itself' 'its accounts are changed by its own sacctmgr'
cluster_sound && beta cluster_sound
tap_ok $? 'the logs are sound'
tap_done
