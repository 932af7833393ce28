#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The truth audit with simulated BMCs: a hand on the switch both ways, power that is lost, a BMC that errs, a power-off that
# did not work; "scontrol power audit".
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
power=$SLUMBER_BUILD/power/slumber-power
cluster_conf 'n[1-4]' 'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' SelectType=select/linear \
        SelectTypeParameters= SuspendTime=600 SuspendTimeout=2 ResumeTimeout=60 SuspendRate=0 ResumeRate=0 SlurmdTimeout=300 \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$power" 'yaml audit_interval: 500ms'
cd "$DIR" || exit 1
# One as sites have them: it does not tell how it went.
printf '#!/bin/sh\nunset SLUMBER_RESULT_FD\nexec %s off "$1"\n' "$power" >suspend && chmod 755 suspend
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode
at_exit cluster_end
at_exit "$bmcfarm" stop "$farm"
"$bmcfarm" start "$farm" 3 --net "$NET" --port 6230 --no-console --set session=2s --set retransmit=700ms --set deadline=4s -- \
        "$SLUMBERD" -D -b -f "$SLURM_CONF" -N %n --socket "$DIR/%n.sock" -L "$DIR/log/%n"
tap_ok $? 'three BMCs' || tap_done
state() { sinfo -h -N -n "$1" -o %t | head -1; }
is() { [[ $(state "$1") =~ ^($2)$ ]]; }
shows() { scontrol show node "$1" | grep -qE "$2"; }
logs() { grep -qE "$1" log/ctld; }

ctld_start
tap_ok $? 'a controller without power.yaml' || { cluster_logs; tap_done; }
run scontrol power audit
tap_like "$rc $err" "^1 .*power.yaml: No such file" 'scontrol power audit wants one'
ln -s farm/power.yaml farm/password .
wait_for 10 shows n1 'BmcPower=off ObservedAt=20'
tap_ok $? 'with one, scontrol show node has what the BMC reads, and when'
run scontrol power audit
tap_is "$rc $out" '0 3 BMCs read, 0 differences, 1 node without a BMC' 'scontrol power audit finds nothing'

# ---- a BMC that takes a second for each answer ----
"$bmcfarm" slow "$farm" n3 1000
cp farm/power.yaml right.yaml
echo "  - {nodes: n4, bmc: \"127.$NET.0.3:6233\", retransmit: 3s, session: 15s}" >>farm/power.yaml
wait_for 30 shows n4 'BmcPower=off'
tap_ok $? 'a slow BMC is read, with a deadline of its own'
cp right.yaml farm/power.yaml

# ---- a node that is switched while the audit waits for a dead BMC ----
scontrol power up n2
wait_nodes 30 n2 idle
"$bmcfarm" kill-bmc "$farm" n3
scontrol power audit >audited & audit=$!
wait_for 10 pgrep -P "$(cat run/ctld.pid)"
scontrol power down n2
wait $audit
tap_like "$?|$(paste -sd'|' audited)" '^0\|n3 is idle~, its BMC reads unknown: .*\|2 BMCs read, 1 difference, 1 node without a BMC$' \
        'a node that is switched during the audit is no difference'
"$bmcfarm" start-bmc "$farm" n3
wait_nodes 30 n2 idle~

# ---- a hand on the switch ----
"$bmcfarm" fault "$farm" n1 --boot-delay 8000 # while it boots it is looked at
"$power" -q on n1
wait_for 20 is n1 'idle#'
tap_ok $? 'switched on by hand: the node is awaited'
tap_like "$(scontrol show node n1)" 'Reason=switched on by hand \(audit\)' 'and its Reason says so'
wait_for 20 is n1 idle
tap_ok $? 'it registers and is in service'
a=$(sbatch --parsable --requeue -w n1 --wrap 'touch began; sleep 300') && wait_for 20 test -e began
"$power" -q off n1
wait_for 30 is n1 'down\*'
tap_ok $? 'switched off by hand: down soon, not after SlurmdTimeout'
tap_like "$(scontrol show node n1)" 'Reason=power is off \(audit\)' 'and its Reason says so'
wait_job 10 "$a" PENDING
tap_ok $? 'its job is back in the queue'
scancel "$a"
tap_is "$(grep -cE '(Suspend|Resume)Program for n1' log/ctld)" 0 'no program was run against the hand'

# ---- a BMC that errs, and an agent that is dead behind its connection ----
scontrol power up n2
wait_nodes 30 n2 idle
tap_ok $? 'n2 is up'
"$bmcfarm" stick "$farm" n2 off
wait_for 10 logs 'Node n2: its BMC reads off, but its agent answers'
tap_ok $? 'an agent that answers proves its BMC wrong'
tap_is "$(state n2)" idle 'and its node stays'
pid=$(pgrep -o -f "slumberd.*-N n2 --socket $DIR/n2.sock")
kill -STOP "$pid"
wait_for 30 is n2 'down\*'
tap_ok $? 'one that does not answer has lost its power'
kill -KILL "$pid"

# ---- a power-off that did not work ----
"$bmcfarm" fault "$farm" n3 --deaf
scontrol power up n3
wait_nodes 30 n3 idle
kill -KILL "$(pgrep -o -f "slumberd.*-N n3 --socket $DIR/n3.sock")"
scontrol power down n3
wait_for 20 logs 'Node n3 is still on after its power-off, says its BMC: it is switched off again'
tap_ok $? 'a power-off that did not work is seen'
tap_like "$(scontrol show node n3)" 'Reason=still on after power-off \(audit\)' 'told'
wait_for 10 eval '[ "$(grep -c "SuspendProgram for n3$" log/ctld)" -ge 2 ]'
tap_ok $? 'and put right'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
