#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacctmgr: QOS, accounts, users, associations: made, changed, shown, deleted; rights; safe from a crash; and what jobs make of them.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
me=$(id -un)
cluster_conf 'n[1-2]' AccountingStorageEnforce=associations,limits,qos
echo 'PartitionName=vip Nodes=ALL AllowQos=high QOS=part' >>slurm.conf
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes'
refused() { # PATTERN WORDS...
        run sacctmgr -i "${@:2}"
        tap_like "$rc|$err" "^1\\|$1" "refused: ${*:2}"
}
job() { sbatch --parsable "$@" --wrap 'sleep 1000'; }

# ---- making: as Slurm tells it ----
tap_is "$(sacctmgr add account physics Description='dept of physics' Organization=science <<<y)" " Adding Account(s)
  physics
 Settings
  Description     = dept of physics
  Organization    = science
 Associations
  A = physics    C = slumber   
 Settings
  Parent        = root
Would you like to commit changes? (You have 30 seconds to decide)
(N/y): " 'an account, when asked'
tap_is "$(sacctmgr add qos nope <<<n | tail -1) $(sacctmgr -n show qos nope | wc -l)" '(N/y):  Changes Discarded 0' 'nothing without a yes'
sacctmgr -iQ add account theory parent=physics fairshare=10
sacctmgr -iQ add qos high priority=100 preempt=normal gracetime=30 && sacctmgr -iQ add qos part
new=" Adding User(s)
  $me
"
[ "$me" != root ] || new= # is there from the beginning
tap_is "$(sacctmgr -i add user "$me" account=theory DefaultQOS=high qos=high,normal)" "$new Associations =
$(printf '  U = %-9.9s A = %-10s C = %-10s' "$me" theory slumber)
 Non Default Settings
  QOS           = high,normal
  DefQOS        = high" 'a user'
sacctmgr -iQ modify user "$me" set defaultaccount=theory
tap_is "$(sacctmgr -i update qos high set preempt+=part maxjobspu=1)" " Modified qos...
  high" 'a QOS is changed'

# ---- shown ----
tap_is "$(sacctmgr show qos format=name,priority,preempt%15,gracetime,preemptmode,maxjobspu)" \
        "      Name   Priority         Preempt  GraceTime PreemptMode MaxJobsPU 
---------- ---------- --------------- ---------- ----------- --------- 
    normal          0                   00:00:00     cluster           
      high        100     normal,part   00:00:30     cluster         1 
      part          0                   00:00:00     cluster           " 'QOS in columns'
tap_is "$(sacctmgr -nP show assoc tree user="$me" account=theory format=cluster,account,user,share,qos,defaultqos)" "slumber|   theory|$me|1|high,normal|high" 'an association'
tap_is "$(sacctmgr show account)" "   Account                Descr                  Org 
---------- -------------------- -------------------- 
   physics      dept of physics              science 
      root default root account                 root 
    theory               theory              physics " 'accounts'
tap_like "$(sacctmgr -np show user "$me" withassoc account=theory)" "^$me\\|theory\\|[A-Za-z]+\\|slumber\\|theory\\|\\|1\\|.*\\|high,normal\\|high\\|$" 'a user with associations'
tap_is "$(sacctmgr -nP -s show qos high)" "$(sacctmgr -nP show qos high)" '"with associations" says nothing of what has none'
tap_is "$(sacctmgr --json show qos high | python3 -c 'import json, sys
q = json.load(sys.stdin)["qos"][0]
print(q["name"], q["priority"], q["preempt"])')" 'high 100 normal,part' 'as JSON'

# ---- refused ----
refused ' *$' add account physics
tap_is "$out" " This account physics already exists.  Not adding.
 Nothing new added." 'what is there is not added'
refused ' This account .nope. doesn.t exist' add user x account=nope
refused ' Unknown option: color=red' modify qos high set color=red
refused ' Unknown condition: color=red' delete qos color=red
refused 'sacctmgr: error: NewName is not implemented' modify qos high set NewName=higher
refused 'sacctmgr: error: .*"many"|sacctmgr: error: MaxJobsPerUser=many' modify qos high set maxjobs=many
refused ' You need to specify an account list here.' add coordinator x
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
        chmod 755 "$DIR"
        as_nobody() { setpriv --reuid=nobody --regid=nogroup --clear-groups env SLURM_CONF="$SLURM_CONF" SLUMBER_SOCKET="$SLUMBER_SOCKET" "$DIR/bin/$1" "${@:2}"; }
        if as_nobody sinfo >/dev/null 2>&1; then
                run as_nobody sacctmgr -i add account mine
                tap_is "$rc|$err" '1| Problem adding accounts: Access/permission denied' 'not by a plain user'
                tap_like "$(as_nobody sacctmgr -nP show account format=account | paste -sd,)" '^physics,root,theory$' 'which may look'
                run as_nobody sbatch --parsable --wrap true
                tap_like "$rc|$err" '^1\|.*: Invalid account or account/partition combination specified$' 'nor has the user an association'
                sacctmgr -iQ add user nobody account=physics adminlevel=operator
                as_nobody sacctmgr -iQ add account mine parent=theory
                tap_is "$? $(sacctmgr -nP show account mine format=organization)" '0 theory' 'an operator may'
                run as_nobody sacctmgr -i add qos mine
                tap_like "$rc|$err" '^1\| Problem adding qos: Access' 'but make no QOS'
        fi
fi

# ---- jobs ----
a=$(job)
tap_ok $? 'a job by the defaults'
wait_job 20 "$a" RUNNING
tap_is "$(job_show "$a" '%a %q') $(scontrol show job "$a" | grep -o 'Account=.*')" 'theory high Account=theory QOS=high' 'it has account and QOS'
b=$(job)
wait_for 20 eval '[ "$(job_show $b %r)" = QOSMaxJobsPerUserLimit ]'
tap_ok $? 'a second one has to wait' || job_show "$b" '%T %r'
sacctmgr -iQ modify qos high set maxjobspu=2
wait_job 20 "$b" RUNNING
tap_ok $? 'until the limit is raised'
sacctmgr -iQ modify user "$me" account=theory set maxjobs=2
c=$(job -q normal)
wait_for 20 eval '[ "$(job_show $c %r)" = AssocMaxJobsLimit ]'
tap_ok $? 'of an association too' || job_show "$c" '%T %r'
run job -q part
tap_like "$rc|$err" '^1\|.*: Invalid qos specification$' 'a QOS that the user does not have'
run job -A physics
tap_like "$rc|$err" '^1\|.*: Invalid account or account/partition combination specified$' 'an account that the user does not have'
run job -p vip -q normal
tap_like "$rc|$err" '^1\|.*: Invalid qos specification$' 'AllowQos'
run scontrol update jobid="$c" qos=part
tap_like "$rc|$err" '^1\|.*Invalid qos specification' 'nor can a job be given one later'
scontrol update jobid="$c" qos=high
wait_for 20 eval '[ "$(job_show $c "%q %r")" = "high QOSMaxJobsPerUserLimit" ]'
tap_ok $? 'another QOS is another limit' || echo "# $(job_show "$c" "%q %T %r")"
scontrol update jobid="$c" qos=normal
sacctmgr -iQ modify user "$me" account=theory set maxsubmit=3
run job
tap_like "$rc|$err" '^1\|sbatch: error: AssocMaxSubmitJobLimit
.*: Job violates accounting/QOS policy \(job submit limit, user.s size and/or time limits\)$' 'a submit limit, by its name'
refused ' Error with request: Job\(s\) active, cancel job\(s\) before remove' delete qos high
refused ' Error with request: Job\(s\) active' delete account physics
tap_like "$(scontrol show partition vip)" 'AllowQos=high
.* QoS=part
' 'a partition shows its QOS'

# ---- a crash ----
ctld_kill9
ctld_start
tap_ok $? 'started again'
wait_job 20 "$a" RUNNING
tap_is "$(sacctmgr -nP show assoc account=theory user="$me" format=maxjobs,maxsubmit,defaultqos,qos) $(sacctmgr -nP show qos high format=preempt,maxjobspu)" \
        '2|3|high|high,normal normal,part|2' 'what was acknowledged is there'
run job
tap_like "$rc|$err" '^1\|sbatch: error: AssocMaxSubmitJobLimit' 'jobs are counted as before'
scancel "$a"
wait_job 20 "$c" RUNNING
tap_ok $? 'what waited for a limit starts' || job_show "$c" '%T %r'
scancel "$b" "$c"
wait_job 20 "$c" CANCELLED && wait_job 20 "$b" CANCELLED && wait_job 20 "$a" CANCELLED
sacctmgr -iQ modify user "$me" set defaultqos=normal
tap_is "$(sacctmgr -i delete qos high)|$(sacctmgr -nP show assoc account=theory user="$me" format=qos)|$(sacctmgr -nP show qos format=name | paste -sd,)" ' Deleting QOS(s)...
  high|normal|normal,part' 'deleted when no association has it'
if [ -x /usr/bin/python3 ]; then
        /usr/bin/python3 -c '
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.settimeout(60)
s.bind(sys.argv[1] + ".new")
s.listen(1)
os.rename(sys.argv[1] + ".new", sys.argv[1])
c = s.accept()[0]
c.recv(4)' "$DIR/ends.sock" &
        wait_for 10 test -S "$DIR/ends.sock"
        run env SLUMBER_SOCKET="$DIR/ends.sock" sacctmgr -i add account late
        tap_like "$rc|$err" '^1\|.*no answer from the daemon: .*; the change may have been made' 'a daemon that ends before it answers may have made the change'
else
        tap_ok 0 'a daemon that ends before it answers may have made the change # SKIP no python3'
fi
cluster_sound
tap_ok $? 'the daemons are sound'
tap_done
