#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an administrator says to a controller and it keeps: ResumeAfter; debug flags; energy.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' 'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' SuspendProgram=/bin/true \
        ResumeProgram=/bin/true SuspendTime=600 SuspendRate=0 'yaml watts_idle: 100000 n2=300000' 'yaml watts_off: 1000'
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
state() { sinfo -h -N -n "$1" -o %t; }
is() { [ "$(state "$1")" = "$2" ]; }
logs() { grep -qE "$1" log/ctld; }

# ---- ResumeAfter ----
refused() { # WORDS PATTERN NAME
        # shellcheck disable=SC2086
        run scontrol update nodename=n1 $1
        tap_like "$rc $err" "^1 .*$2" "$3"
}
refused 'state=down reason=x ResumeAfter=0' 'Invalid ResumeAfter value: 0' 'ResumeAfter=0 is refused'
refused 'state=down reason=x resumeafter=soon' 'Invalid ResumeAfter value: soon' 'and what is no number'
refused 'resumeafter=10' 'ResumeAfter goes with State=DOWN or State=DRAIN only' 'and without a state that it can end'
refused 'state=fail reason=x resumeafter=10' 'ResumeAfter goes with State=DOWN or State=DRAIN only' 'or with another'
tap_is "$(state n1)" 'idle~' 'none of which has changed anything'
tap_like "$(scontrol show node n1)" 'ResumeAfterTime=None' 'no time is set'
scontrol update nodename=n2 state=drain reason=disk ResumeAfter=1000 && scontrol update nodename=n3 state=drain reason=disk ResumeAfter=8 &&
        scontrol update nodename=n3 resumeafter=-1 && scontrol update nodename=n1 state=down reason=fan resumeafter=8
tap_is "$? $(state n1) $(state n2) $(state n3)" '0 down~ drain~ drain~' 'for a while'
due=$(scontrol show node n2 | sed -n 's/.*ResumeAfterTime=//p')
tap_is "$(($(date -d "$due" +%s) - $(date +%s) > 900))" 1 "show node has the time ($due)"
tap_is "$(scontrol --json show node n2 | python3 -c 'import json, sys, time
t = json.load(sys.stdin)["nodes"][0]["resume_after"]
print(t["set"], 900 < t["number"] - time.time() < 1001)')" 'True True' 'as JSON too'
ctld_kill9
ctld_start
tap_is "$(scontrol show node n2 | sed -n 's/.*ResumeAfterTime=//p')" "$due" 'a controller that is started again knows it'
wait_for 20 is n1 'idle~'
tap_is "$? $(scontrol show node n1 | grep -c Reason=) $(state n2) $(state n3)" '0 0 drain~ drain~' 'and keeps it; one that was taken back stays'
scontrol update nodename=n2 state=resume
tap_like "$(scontrol show node n2)" 'ResumeAfterTime=None' 'resumed by hand, nothing is to come'

# ---- the log ----
tap_is "$(scontrol show config | grep -c '^DebugFlags *= (null)')" 1 'no debug flags'
said() { tail -c "+$((mark + 1))" log/ctld | grep -E -- "$1"; }
mark=$(stat -c %s log/ctld)
scontrol power up n4 && wait_for 20 is n4 'idle#'
tap_is "$? $(said POWER:)" '0 ' 'without Power nothing of it is told'
scontrol setdebugflags +Power
tap_is "$? $(scontrol show config | sed -n 's/^DebugFlags *= //p')" '0 Power' 'show config has the flag'
scontrol power down force n4 && wait_for 20 eval '[[ $(state n4) = idle[%~] ]]'
wait_for 20 said "POWER: n4 is switched off, asked for by uid $(id -u) \(force\)"
tap_ok $? 'a decision and its reason'
run scontrol setdebugflags +Energy
tap_like "$rc $err" '^1 .*debug flag Energy is not implemented by Slumber yet' 'a flag that is not there is refused by name'
run scontrol setdebugflags +Powr
tap_like "$rc $err" '^1 .*there is no debug flag "Powr"' 'and a misspelt one'
run scontrol setdebugflags Power
tap_like "$rc $err" '^1 .*takes \+FLAG or -FLAG, not "Power"' 'and one without a sign'
run scontrol setdebugflags +Power nodes=n1
tap_like "$rc $err" '^1 setdebugflags of nodes is not implemented by Slumber yet: nodes=n1' 'and nodes'
scontrol setdebugflags -power
tap_is "$? $(scontrol show config | sed -n 's/^DebugFlags *= //p')" '0 (null)' 'taken back'
scontrol setdebug error && mark=$(stat -c %s log/ctld) && scontrol update nodename=n4 comment=x
tap_is "$? $(said .)" '0 ' 'setdebug error: nothing of small matters'
scontrol setdebug info && scontrol update nodename=n4 comment=y
tap_is "$? $(said 'Nodes n4 updated' | wc -l)" '0 1' 'setdebug info: as before'
run scontrol setdebug loud
tap_like "$rc $err" '^1 .*there is no log level "loud"' 'a level that there is not is refused'
echo DebugFlags=Power,Backfill >>slurm.conf && scontrol reconfigure
tap_is "$? $(scontrol show config | sed -n 's/^DebugFlags *= //p') $(said 'DebugFlags: Backfill is not used' | wc -l)" \
        '0 Power,Backfill 1' 'slurm.conf has the flags too; one of Slurm alone is a warning'
sed -i 's/^DebugFlags=.*/DebugFlags=Pwr/' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*DebugFlags: there is no debug flag "Pwr"' 'a misspelt one is an error'

# ---- energy: 99 and 299 kW are saved, so that a second shows ----
sed -i '/^DebugFlags/d' slurm.conf
saved() { scontrol show energy "${@:2}" | sed -n "s/^$1 .*EnergySaved=\\(.*\\)kWh Cur.*/\\1/p"; }
more() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) > float(sys.argv[2]))' "$1" "$2"; }
before=$(saved NodeName=n2 nodes)
wait_for 20 eval 'more "$(saved NodeName=n2 nodes)" "$before"'
tap_ok $? "what is off saves energy (${before:-nothing} kWh and more)"
tap_like "$(scontrol show energy nodes | sed -n 2p)" '^NodeName=n2 EnergyUsed=[0-9.]+kWh EnergySaved=[0-9.]+kWh CurrentWatts=1000 AveWatts=[0-9]+ Since=20[0-9T:-]+$' \
        'a line for each node'
tap_is "$(scontrol show energy | sed 's/ Energy.*//' | paste -sd'|') $(scontrol show energy partitions | wc -l)" 'PartitionName=main Nodes=4|Total=ALL Nodes=4 2' \
        'partitions, and all'
tap_like "$(scontrol show node n2)" 'CurrentWatts=1000 AveWatts=[0-9]+' 'show node has them'
tap_is "$(scontrol --json show energy nodes | python3 -c 'import json, sys
e = json.load(sys.stdin)["energy"]
print([x.get("node") or x.get("total") for x in e], e[1]["saved_joules"] > 3.6e6 * float(sys.argv[1]), e[1]["current_watts"], e[1]["since"]["set"])' "$before")" \
        "['n1', 'n2', 'n3', 'n4', 'ALL'] True 1000.0 True" 'as JSON'
tap_is "$(scontrol --json show node n2 | python3 -c 'import json, sys
e = json.load(sys.stdin)["nodes"][0]["energy"]
print(sorted(e), e["current_watts"]["number"])')" "['average_watts', 'consumed_energy', 'current_watts', 'last_collected', 'saved_energy'] 1000" 'nodes too, in the words of Slurm'
run scontrol show energy cars
tap_like "$rc $err" '^1 invalid argument for show energy: cars' 'other words are refused'
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase $1 in watts) echo 77 ;; *) echo on ;; esac\n' >tool && chmod 755 tool
printf '%s\n' 'nodes:' "  - {nodes: \"n[1-4]\", driver: program, program: $DIR/tool}" >power.yaml
printf '%s\n' 'watts_interval: 300ms' 'audit_interval: 0' >>slumber.yaml
scontrol reconfigure && scontrol power up n1 && agent_start n1 -b && wait_nodes 20 n1 idle
wait_for 20 eval 'scontrol show node n1 | grep -q CurrentWatts=77'
tap_ok $? 'what its BMC reads counts more than a figure'

# ---- energy of a job: 77 W, all of the node's, as nothing else runs there ----
sbatch -w n1 -o /dev/null --wrap "srun sh -c 'while [ ! -e $DIR/enough ]; do sleep 0.1; done'" >job.id
job=$(sed 's/.* //' job.id)
joules() { sacct -X -n -P -j "$job" -o ConsumedEnergyRaw; }
wait_for 60 eval '[ "0$(joules)" -ge 100 ]'
tap_ok $? 'sacct tells what a job that runs has used'
tap_like "$(scontrol show job "$job")" 'TRES=cpu=1,mem=[^,]+,energy=[0-9]+,node=1|TRES=cpu=1,energy=[0-9]+,node=1' 'and show job'
used=$(joules)
consumed() { sacct -n -P -j "$job" -o ConsumedEnergyRaw | paste -sd' '; }
tap_like "$(consumed)" '^[1-9][0-9]* [1-9][0-9]* [1-9][0-9]*$' 'and what its script and its step have used'
ctld_kill9
ctld_start
tap_is "$(($(joules) >= used))" 1 'a controller that is started again knows it'
wait_nodes 20 n1 mixed && touch enough && wait_for 60 eval '[ "$(sacct -X -n -P -j "$job" -o State)" = COMPLETED ]'
tap_is "$? $(($(joules) >= used))" '0 1' 'and it is kept when the job is over'
told() { read -r all script step <<<"$(consumed)" && [ "$step" -ge 100 ] && [ "$script" -ge "$step" ] && [ "$all" -ge "$script" ]; }
wait_for 20 told
tap_ok $? "those of its step and script as well: $(consumed)"
tap_like "$(sacct -X -n -P -j "$job" -o ConsumedEnergy,AllocTRES)" '^[0-9.]+K?\|billing=1,cpu=1,energy=[0-9]+,.*node=1' 'also by units, and among the TRES'

before=$(saved NodeName=n2 nodes)
since=$(scontrol show energy nodes | sed -n '2s/.*Since=//p')
ctld_kill9
ctld_start
more "$(saved NodeName=n2 nodes)" "0$before" || [ "$(saved NodeName=n2 nodes)" = "$before" ]
tap_is "$? $(scontrol show energy nodes | sed -n '2s/.*Since=//p')" "0 $since" 'a controller that is started again goes on with the account'
for bad in 'watts_off: much' 'watts_off: 10 x9=3' 'watts_off: n[1=3'; do
        sed -i "s/^watts_off: .*/$bad/" slumber.yaml
        run scontrol reconfigure
        tap_like "$rc $err" '^1 .*/slumber.yaml line [0-9]+ column 12: watts_off: ' "refused: $bad"
done

cluster_sound
tap_ok $? 'no daemon has failed' || cluster_logs
tap_done
