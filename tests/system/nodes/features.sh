#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Features of cloud nodes that come with the right boot: the guide's example for node_features/helpers, with real agents.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'cloud[1-2]' 'NodeName=cloud[1-2] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD Feature=f1,f2,l1' \
        NodeFeaturesPlugins=node_features/helpers "SuspendProgram=$DIR/off" ResumeProgram=/bin/true SuspendTime=300 \
        SuspendTimeout=2 ResumeTimeout=60 SuspendRate=0 ResumeRate=0
# an agent that went on would register, and rightly take its node for one that was switched on by hand
printf '#!/bin/sh\nkill -KILL "$(cat "%s/run/$1.pid")"\n' "$DIR" >off
chmod 755 off
ctld_start
tap_is "$CTLD_RC" 1 'without helpers.conf there is no start'
tap_like "$(cat log/ctld)" "NodeFeaturesPlugins: $DIR/helpers.conf: No such file" 'and the file is named'
printf '#!/bin/sh\ncat "%s/active"\n' "$DIR" >helper
chmod 755 helper
: >active
printf '%s\n' "NodeName=cloud[1-2] Feature=f1,f2 Helper=$DIR/helper" 'MutuallyExclusive=f1,f2' >helpers.conf
ctld_start
tap_ok $? 'with it there is' || { cluster_logs; tap_done; }
features() { scontrol show node "$1" | sed -n 's/^ *ActiveFeatures=//p'; }
tap_is "$(sinfo -h -o '%f|%t')|$(features cloud1)" 'f1,f2,l1|idle~|l1' 'off: all can be had, the label is active'
run sbatch -C 'f1&f2' --wrap true
tap_is "$rc" 1 'features that exclude each other are refused'

one=$(sbatch --parsable -C f1 --wrap 'touch one; until [ -e enough ]; do sleep 0.05; done')
wait_nodes 10 cloud1 'mixed#'
tap_is "$(features cloud1)|$(features cloud2)" 'f1,l1|l1' 'a job that asks for one makes it active'
agent_start cloud1 -b
wait_job 20 "$one" RUNNING && wait_for 20 test -e one
tap_ok $? 'its node boots, the helper reports nothing, and the job runs'
two=$(sbatch --parsable -C f2 --wrap 'touch two')
wait_nodes 10 cloud2 'mixed#'
tap_is "$(features cloud1)|$(features cloud2)" 'f1,l1|f2,l1' 'another image needs another node, although the first has room'
three=$(sbatch --parsable -C f1 --wrap 'touch three')
wait_job 20 "$three" COMPLETED
tap_is "$(job_show "$three" %N)" cloud1 'the same image does not'
echo f1 >active
agent_start cloud2 -b
wait_nodes 20 cloud2 inval
tap_ok $? 'a node that boots another image than was asked for is not used'
tap_like "$(scontrol show node cloud2)" \
        'Reason=Reported active features \(f1\) are not a superset of currently active changeable features \(f2\)' 'and says so'
tap_like "$(job_state "$two")" 'PENDING|CONFIGURING' 'its job waits again'
scancel "$two"
ctld_kill9
ctld_start
tap_is "$(features cloud1)" 'f1,l1' 'a controller that was killed knows what is active'
touch enough
wait_job 20 "$one" COMPLETED
run scontrol update nodename=cloud1 state=power_down
wait_nodes 20 cloud1 'idle~'
tap_is "$rc$err|$?$(features cloud1)" '0|0l1' 'off again, nothing but the label is active'
run scontrol update nodename=cloud1 activefeatures=f9
tap_like "$rc $err" '1 .*f9 is not a feature of node cloud1' 'scontrol sets none that is not there'
run scontrol update nodename=cloud1 availablefeatures=f1,l1,x activefeatures=f1,l1
tap_like "$rc $err" '1 .*x of node cloud1 is always active' '... and takes none away that nothing can switch off'

# ---- a node that is no cloud's is rebooted ----
ctld_stop
printf '#!/bin/sh\nif [ $# = 0 ]; then cat "%s/image"; else echo "$1" >"%s/next"; fi\n' "$DIR" "$DIR" >rhelper
printf '#!/bin/sh\nmv "%s/next" "%s/image"\nkill -KILL $PPID\necho "$*" >>"%s/reboots"\n' "$DIR" "$DIR" "$DIR" >reboot
chmod 755 rhelper reboot && echo g1 >image
printf '%s\n' "NodeName=r1 Feature=g1,g2 Helper=$DIR/rhelper" 'MutuallyExclusive=g1,g2' >>helpers.conf
printf '%s\n' 'NodeName=r1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 Feature=g1,g2' "RebootProgram=$DIR/reboot" >>slurm.conf
ctld_start
agent_start r1 -b && wait_nodes 20 r1 idle
tap_is "$?$(features r1)" 0g1 'it reports what it has'
one=$(sbatch --parsable -C g1 --wrap true) && wait_job 20 "$one" COMPLETED
tap_is "$? $([ -e reboots ]; echo $?)" '0 1' 'that needs no reboot'
two=$(sbatch --parsable -C g2 --wrap 'touch gtwo')
wait_for 20 test -e reboots
tap_is "$? $(cat reboots) $(cat image) $(job_state "$two")" '0 g2 g2 CONFIGURING' 'another does: the helper and RebootProgram are told which'
wait_nodes 20 r1 'mixed\^|allocated\^' && wait_for 20 eval 'scontrol show node r1 | grep -q NOT_RESPONDING'
tap_like "$(scontrol show node r1)" 'State=(MIXED|ALLOCATED)\+REBOOT_ISSUED\+NOT_RESPONDING\+POWERING_UP' 'its state says so'
tap_like "$(scontrol -o show power r1)" "Why=being rebooted for features g2 of JobId=$two" 'and show power why'
ctld_kill9
ctld_start
agent_start r1 -b && wait_job 20 "$two" COMPLETED
tap_is "$? $(features r1) $([ -e gtwo ]; echo $?)" '0 g2 0' 'back with the feature, the job runs; a controller that was killed meanwhile knows all'
cp rhelper rhelper.good
refused() { # TEXT NAME: a job that wants g1 has its node down for that; it is back, with what it had
        three=$(sbatch --parsable -C g1 --wrap true)
        wait_nodes 20 r1 'down.*'
        tap_is "$(scontrol -o show node r1 | sed 's/.* Reason=\(.*\) \[.*/\1/')" "reboot failed: helper $DIR/rhelper of feature g1 $1" "$2"
        scancel "$three"
        scontrol update nodename=r1 state=resume
        wait_nodes 20 r1 idle
        tap_is "$?|$(features r1)" '0|g2' 'and the node is back in the boot that it never left'
}
printf '#!/bin/sh\n[ $# = 0 ] && exec cat "%s/image"\necho "no way to $1" >&2\nexit 3\n' "$DIR" >rhelper
refused 'ended with exit status 3' 'a helper that fails is named'
tap_like "$(cat log/r1)" '^no way to g1' 'and what it complains of is in the log'
# It has a child, which goes with it.
printf '#!/bin/sh\n[ $# = 0 ] && exec cat "%s/image"\nsleep 1000 & echo $! >"%s/sleeper"\nwait\n' "$DIR" "$DIR" >rhelper
echo ExecTime=1 >>helpers.conf
scontrol reconfigure
refused 'took longer than ExecTime (1 s)' 'a helper that hangs is ended'
wait_for 10 gone "$(cat sleeper)"
tap_ok $? 'with all of its processes'
cp rhelper.good rhelper
sed -i /^ExecTime/d helpers.conf
scontrol reconfigure
printf '#!/bin/sh\nexit 7\n' >reboot
three=$(sbatch --parsable -C g1 --wrap true)
wait_for 20 eval 'scontrol show node r1 | grep -q "Reason=reboot failed: RebootProgram ended with exit status 7"'
tap_is "$?|$(sinfo -h -n r1 -o %T)" '0|down' 'a RebootProgram that fails: the node is down at once, and answers'
tap_like "$(job_state "$three")" PENDING 'and its job waits again'

# ---- the controller runs RebootProgram: the nodes, and the features ----
scancel "$three"
printf '#!/bin/sh\necho "$2" >"%s/image"\nkill -KILL "$(cat "%s/run/r1.pid")"\necho "$#:$1:$2" >>"%s/told"\n' "$DIR" "$DIR" "$DIR" >reboot
echo SlurmctldParameters=reboot_from_controller >>slurm.conf
run scontrol reconfigure
run scontrol update nodename=r1 state=resume
agent_stop r1
agent_start r1 -b && wait_nodes 20 r1 idle
tap_is "$?|$rc|$(features r1)" '0|0|g2' 'it is back, with what it had'
four=$(sbatch --parsable -C g1 --wrap true)
wait_for 20 test -s told
tap_is "$?|$(cat told)" '0|2:r1:g1' 'with reboot_from_controller RebootProgram is told the nodes and the features'
wait_nodes 20 r1 'mixed\^|allocated\^'
agent_start r1 -b && wait_job 20 "$four" COMPLETED
tap_is "$?|$(features r1)" '0|g1' 'and the job runs when the node is back with them'

# ---- asleep ----
run scontrol update nodename=r1 state=power_down
wait_nodes 20 r1 'idle~'
tap_is "$?|$rc|$(features r1)" '0|0|(null)' 'off, nothing is active'
five=$(sbatch --parsable -C g2 --wrap 'touch five')
wait_nodes 20 r1 'mixed#|allocated#'
tap_is "$?|$(features r1)|$(wc -l <told)" '0|g2|1' 'a job that asks for what its last boot did not have wakes it'
agent_start r1 -b
wait_for 20 eval '[ "$(wc -l <told)" = 2 ]'
tap_is "$?|$(tail -n 1 told)|$([ -e five ]; echo $?)" '0|2:r1:g2|1' 'it comes up without and is rebooted'
tap_like "$(cat log/ctld)" 'Node r1 has woken with features g1, not g2' 'the log says why'
wait_nodes 20 r1 'mixed\^|allocated\^'
agent_start r1 -b && wait_job 20 "$five" COMPLETED
tap_is "$?|$(features r1)|$([ -e five ]; echo $?)" '0|g2|0' 'then the job runs'
run scontrol update nodename=r1 state=power_down
wait_nodes 20 r1 'idle~'
six=$(sbatch --parsable -C g2 --wrap true)
wait_nodes 20 r1 'mixed#|allocated#'
agent_start r1 -b && wait_job 20 "$six" COMPLETED
tap_is "$?|$(wc -l <told)" '0|2' 'the next time it has it, and is not rebooted'

cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
