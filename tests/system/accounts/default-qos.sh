#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacctmgr: no association loses access to its default QOS, its own or the one from above.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
sacctmgr -iQ add qos hi,lo,mid && sacctmgr -iQ add account a qos=normal,hi,lo defaultqos=hi &&
        sacctmgr -iQ add user bin account=a qos=hi,lo defaultqos=lo && sacctmgr -iQ add user daemon account=a
tap_ok $? 'an account and two users'
all() { sacctmgr -nP show assoc where account=a format=user,qos,defaultqos | paste -sd' '; }
was=$(all)
refused() { # DEFQOS USER WORD... (behind modify, or as it is)
        local qos=$1 user=$2
        shift 2
        [ "$1" = add ] || set -- modify "$@"
        run sacctmgr -i "$@"
        tap_like "$rc $out $err" "^1 .*These associations don't have access to their default qos.*DefQOS = $qos .* U = $user *"$'\n' "refused: $*"
}
refused lo bin user bin set qos-=lo
refused lo bin user bin set qos=hi
refused mid bin user bin set defaultqos=mid
refused hi daemon user daemon set qos=lo
refused hi '' account a set qos-=hi
refused mid '' account a set defaultqos=mid
refused mid sys add user sys account=a defaultqos=mid
refused hi sys add user sys account=a qos=lo defaultqos=hi
refused mid '' add account b parent=a defaultqos=mid
tap_is "$(all)" "$was" 'nothing has come of it'
tap_is "$(sacctmgr -nP show account b format=account; sacctmgr -nP show user sys format=user)" '' '... and nothing is new'
run sacctmgr -i add user sys account=a qos=mid defaultqos=mid
tap_is "$rc" 0 'a new one may have both at once' || echo "# $out $err"
run sacctmgr -i add user games account=a qos=lo
tap_is "$rc" 0 '... or a list without what it inherits, as Slurm has it' || echo "# $out $err"
sacctmgr -iQ delete user sys,games
run sacctmgr -i modify user bin set qos=mid defaultqos=mid
tap_is "$rc" 0 'both at once'
run sacctmgr -i add user bin account=a defaultqos=mid
tap_like "$out$err" 'othing new added' 'the default of one that is there is not looked at again' || echo "# $rc $out $err"
run sacctmgr -i modify user bin set qos-=mid defaultqos=-1
tap_is "$rc" 0 'or the default goes too' || echo "# $out $err"
run sacctmgr -i modify user daemon set qos=hi,lo fairshare=3
tap_is "$rc" 0 'what the default is in may change'
run sacctmgr -i modify user daemon set qos=
tap_is "$rc" 0 'and come from above again'
cluster_sound
tap_ok $? 'the controller has not complained of itself'
tap_done
