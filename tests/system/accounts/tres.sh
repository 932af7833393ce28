#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacctmgr show tres; what Slurm's sacctmgr has and this one has not is refused by name.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1 GresTypes=gpu AccountingStorageTRES=cpu,gres/gpu,license/matlab,gres/gpu:a100
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

tap_is "$(sacctmgr show tres)" '    Type            Name     ID 
-------- --------------- ------ 
     cpu                      1 
     mem                      2 
    node                      4 
 billing                      5 
    gres             gpu   1001 
 license          matlab   1002 
    gres        gpu:a100   1003 ' 'show tres'
tap_is "$(sacctmgr -nP list tres where type=gres,license name=gpu,matlab format=id,type%8,name)" '1001|gres|gpu
1002|license|matlab' 'some of them, some fields'
tap_is "$(sacctmgr -nP show tres id=5)" 'billing||5' 'by id'
for t in $(sacctmgr -nP show tres format=type,name | sed 's/|$//; s/|/\//'); do
        sacctmgr -Qi modify qos normal set "maxtresperjob=$t=7"
        tap_like "$?|$(sacctmgr -nP show qos normal format=maxtresperjob)" "^0\\|$t=7M?\$" "what it names can be limited: $t"
        sacctmgr -Qi modify qos normal set "maxtresperjob=$t=-1"
done
refused() { # WORDS WHAT ARGUMENTS...
        run sacctmgr "${@:3}"
        tap_is "$rc|$out|$err" "1||sacctmgr: error: $1" "$2"
}
refused 'Unknown condition: color=red' 'another condition' show tres color=red
refused 'Unknown field "color"' 'another field' show tres format=color
refused 'show problems is not implemented by Slumber: a user without an association is no problem here' 'show problem' show problem
refused 'add tres is not implemented by Slumber: it can only be shown' 'tres are not made' add tres gres/x

cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
