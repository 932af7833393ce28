#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacctmgr dump and load: accounts as a file, and back, all of it or nothing; ping; which verbs are refused, and why.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

sacctmgr -Qi add account physics Description='dept: of physics' Organization="it's" grptres=cpu=10
sacctmgr -Qi add account theory parent=physics fairshare=parent maxwall=1-02:00:00
sacctmgr -Qi add user alice account=theory,physics maxjobs=3
sacctmgr -Qi modify user alice set adminlevel=operator
sacctmgr -Qi add coordinator account=physics names=alice
run sacctmgr dump slumber file=one.cfg
tap_is "$rc|$err|$(grep -v '^#' one.cfg)" "0||Cluster - 'slumber':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':AdminLevel='Administrator':DefaultAccount='root':Fairshare=1
Account - 'physics':Description='dept: of physics':Organization=\"it's\":Fairshare=1:GrpTRES=cpu=10
Parent - 'physics'
User - 'alice':AdminLevel='Operator':DefaultAccount='theory':Coordinator='physics':Fairshare=1:MaxJobs=3
Account - 'theory':Description='theory':Organization='physics':Fairshare=parent:MaxWallDurationPerJob='1-02:00:00'
Parent - 'theory'
User - 'alice':AdminLevel='Operator':DefaultAccount='theory':Coordinator='physics':Fairshare=1:MaxJobs=3" 'a dump'
run sacctmgr -i load one.cfg
tap_is "$rc|$out" '0| Nothing new added.' 'loading it changes nothing'
ctld_stop && rm -rf state && ctld_start
tap_is "$(sacctmgr -nP show account format=account | paste -sd' ')" root 'other accounts'
sacctmgr load file=one.cfg <<<n >/dev/null
tap_is "$?|$(sacctmgr -nP show account format=account | paste -sd' ')" '0|root' 'nothing without a yes'
run sacctmgr -i load file=one.cfg
tap_is "$rc|$out" "0| Adding account physics of root
 Adding user alice of account physics
 Adding account theory of physics
 Adding user alice of account theory
 Adding coordinator alice of account physics" 'loading makes them'
sacctmgr dump slumber file=two.cfg
ctld_kill9 && ctld_start
sacctmgr dump slumber && cmp one.cfg two.cfg && cmp one.cfg slumber.cfg
tap_is "$?" 0 'the next dump has the same bytes, also after a crash'

refused() { # WHY ARGUMENT...
        run sacctmgr -i "${@:2}"
        tap_is "$rc|$out|$err" "1||sacctmgr: error: $1" "refused: ${*:2}"
}
printf 'Cluster - slumber\nAccount - bio\nParent - bio\nUser - bob:MaxJobs=many\n' >bad.cfg
refused 'bad.cfg: line 4: MaxJobs=many: a number was expected' load bad.cfg
tap_is "$(sacctmgr -nP show account bio format=account)" '' 'nothing of a file that is refused'
refused 'none.cfg: No such file or directory' load none.cfg
refused 'the accounts are those of cluster slumber, not of tux' dump tux
refused '/nonexistent/x: No such file or directory' dump slumber file=/nonexistent/x
printf 'Cluster - tux\nAccount - bio\nParent - bio\nUser - bob\n' >tux.cfg
refused 'tux.cfg: line 1: the accounts are those of cluster slumber, not of tux; cluster=slumber loads the file for it all the same' load tux.cfg
sacctmgr -Qi load tux.cfg clean cluster=slumber
tap_is "$?|$(sacctmgr -nP show account format=account | paste -sd' ')|$(sacctmgr -nP show user format=user,defaultaccount | paste -sd' ')" \
        '0|bio root|bob|bio root|root' 'clean: what the file does not name goes'
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR"
        cp "$(readlink -f "$DIR/bin/scontrol")" sacctmgr && chmod 755 sacctmgr
        run setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/sacctmgr" -i load "$DIR/one.cfg"
        tap_like "$rc|$err" '^1\|.*[Pp]ermission denied' 'not for every user'
fi
agent_start n1 && wait_nodes 20 n1 idle
id=$(sbatch --parsable -A bio --uid=0 -H -o /dev/null --wrap true)
sacctmgr -Qi add user root account=bio
scontrol update jobid="$id" account=bio
run sacctmgr -i load one.cfg clean
tap_like "$rc|$err" "^1\\|.*Job\\(s\\) active, cancel job\\(s\\) before remove" 'what jobs have stays'
scancel "$id"

# ---- small verbs ----
tap_like "$(sacctmgr ping)" '^slumberctld\(primary\) at .* is UP$' 'ping'
tap_is "$(sacctmgr show runawayjobs)" 'Runaway Jobs: No runaway jobs found on cluster slumber' 'no job can run away'
refused 'archive is not implemented by Slumber: purge_jobs_after of slumber.yaml removes old jobs; other tools may read accounting.db before' archive dump
refused "clear is not implemented by Slumber: there is no slurmdbd; sdiag -r resets the controller's statistics" clear stats
refused "show stats is not implemented by Slumber: there is no slurmdbd; sdiag has the controller's" show stats
ctld_stop
run sacctmgr ping
tap_is "$rc|$out" '1|slumberctld(primary) is DOWN' 'ping without a controller'
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
