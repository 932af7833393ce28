#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol reboot with real agents: RebootProgram runs on the node, which is back when it registers from a later boot; what
# fails is known at once.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

program() { # TEXT: a RebootProgram; the agent that starts it is its parent
        printf '#!/bin/sh\n%s\n' "$1" >"$DIR/reboot.new"
        chmod 755 "$DIR/reboot.new"
        mv "$DIR/reboot.new" "$DIR/reboot"
}
program "kill -KILL \$PPID; echo \$PPID >>'$DIR/rebooted'"
cluster_conf 'n[1-3]' "RebootProgram=$DIR/reboot" ResumeTimeout=300
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
for n in n1 n2 n3; do agent_start $n -b; done
wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes'

id=$(sbatch --parsable -w n1 --wrap 'touch began; until [ -e enough ]; do sleep 0.05; done')
wait_for 20 test -e began
run scontrol reboot ASAP reason='new kernel' 'n[1-2]'
tap_is "$rc$out$err" 0 'scontrol reboot of a busy and of an idle node'
wait_nodes 20 n2 'reboot\^'
tap_ok $? 'the idle one reboots'
tap_is "$(sinfo -h -N -n n1 -o %t)" 'drng@' 'the busy one waits for its job'
tap_like "$(scontrol show node n1)" 'State=MIXED\+DRAIN\+REBOOT_REQUESTED.*' 'scontrol says so'
reason() { scontrol show node "$1" | sed -n 's/^ *Reason=\(.*\) \[.*/\1/p'; }
after() { scontrol show node "$1" | sed -n 's/^ *NextState=//p'; }
tap_is "$(reason n1)|$(reason n2)" 'new kernel|new kernel : reboot issued' 'with the reason'
tap_is "$(after n1),$(after n2),$(after n3)" RESUME,RESUME, 'and with what it will be then; of one that does not reboot nothing is said'
run scontrol reboot 'n[1-3]' nextstate=DOWN
tap_is "$rc" 1 'one that reboots cannot be rebooted'
tap_like "$err" 'Skipping reboot of nodes n\[1-2\] due to current node state' 'and is skipped by name'
wait_nodes 20 n3 'reboot\^'
tap_is "$?|$(after n3)" '0|DOWN' 'the others are not'
touch enough
wait_job 20 "$id" COMPLETED && wait_nodes 20 n1 'reboot\^'
tap_ok $? 'when the job has ended its node reboots'
wait_for 20 eval '[ "$(wc -l <rebooted)" = 3 ]'
ctld_kill9
ctld_start
tap_is "$(sinfo -h -o %t -n 'n[1-3]')" 'boot^' 'a controller that is killed meanwhile knows it'
for n in n1 n2 n3; do agent_start $n -b; done
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'they are back from their new boot'
wait_nodes 20 n3 down
tap_ok $? 'nextstate=DOWN leaves its node down'
tap_is "$(reason n3)|$(after n3)" 'reboot requested : reboot issued : reboot complete|' 'and says why'
tap_is "$(reason n1)" '' 'the others have nothing more to say'
run scontrol update nodename=n3 state=resume
wait_nodes 20 n3 idle
tap_ok $? 'until it is resumed'

program 'exit 3'
run scontrol reboot n3
wait_nodes 20 n3 down
tap_ok $? 'a RebootProgram that fails: the node is down at once'
tap_like "$(scontrol show node n3)" 'Reason=reboot failed: RebootProgram ended with exit status 3' 'with the cause'
run scontrol reboot n2 nextstate=SIDEWAYS
tap_like "$rc $err" '1 .*invalid argument for reboot: nextstate=SIDEWAYS' 'bad words are refused'
id=$(sbatch --parsable -w n2 --wrap 'touch again; until [ -e over ]; do sleep 0.05; done')
wait_for 20 test -e again
run scontrol reboot n2
run scontrol cancel_reboot n2
tap_is "$rc$(sinfo -h -N -n n2 -o %t)" 0mix 'cancel_reboot takes a wish back'
touch over
wait_job 20 "$id" COMPLETED
run scontrol cancel_reboot n2
tap_is "$rc" 1 'but only one that is there'

# ---- the controller runs it, for all at once ----
program "for n in n1 n2; do kill -KILL \$(cat '$DIR/run/'\$n.pid); done; echo \"\$# \$*\" >>'$DIR/told'"
echo SlurmctldParameters=reboot_from_controller >>"$SLURM_CONF"
run scontrol reconfigure
tap_is "$rc$err" 0 'reboot_from_controller'
run scontrol reboot 'n[1-2]'
wait_nodes 20 'n[1-2]' 'reboot\^' && wait_for 20 test -s told
tap_is "$?|$(cat told)" '0|1 n[1-2]' 'RebootProgram has run once, here, with the list of the nodes'
agent_start n1 -b
agent_start n2 -b
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'and they are back'

# ---- the program goes while a reboot waits for a job ----
asked() { # a reboot of n1 that waits for a job, which ends when NAME is there
        rm -f waits
        id=$(sbatch --parsable -w n1 -o /dev/null --wrap "touch waits; until [ -e $1 ]; do sleep 0.05; done")
        wait_for 20 test -e waits && scontrol reboot asap n1
}
asked ends.1
ctld_stop
mv reboot gone
ctld_start
tap_like "$? $(grep RebootProgram: log/ctld)" "^0 .*error: RebootProgram: $DIR/reboot: No such file" 'a controller starts without its RebootProgram'
touch ends.1
wait_job 20 "$id" COMPLETED && wait_nodes 20 n1 down
tap_is "$? $(reason n1)" '0 reboot failed: there is no RebootProgram' 'the reboot that waited has failed at once'
ctld_stop && ctld_start && wait_nodes 20 n1 idle
tap_ok $? 'it is back when it has registered again (ReturnToService=2)'

mv gone reboot
run scontrol reconfigure
asked ends.2
printf '#!%s\n' "$DIR/none" >reboot
touch ends.2
wait_job 20 "$id" COMPLETED && wait_nodes 20 n1 down
tap_is "$? $rc $(reason n1)" '0 0 reboot failed: RebootProgram cannot be run' 'one that cannot be run is known at once as well'

scontrol update nodename=n1 state=resume && wait_nodes 20 n1 idle && asked ends.3
sed -i '/^RebootProgram=/d' "$SLURM_CONF"
run scontrol reconfigure
touch ends.3
wait_job 20 "$id" COMPLETED && wait_nodes 20 n1 down
tap_is "$? $rc $(reason n1)" '0 0 reboot failed: there is no RebootProgram' 'so is one that was taken out of slurm.conf'
run scontrol reboot n2
tap_like "$rc $err" '1 .*slurm.conf has no RebootProgram' 'without a RebootProgram it is refused'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
