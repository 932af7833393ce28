#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that tell of each node how it went (SLUMBER_RESULT_FD), programs that say nothing, and programs that babble.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

cluster_conf 'n[1-4]' 'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' SelectType=select/linear \
        SelectTypeParameters= SuspendTime=600 SuspendTimeout=600 ResumeTimeout=600 SuspendRate=0 ResumeRate=0 \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" 'yaml quarantine_after: 2'
cd "$DIR" || exit 1
at_exit cluster_end
# Says what stands in say.VERB.NODE, once; the next time what stands in say.VERB.NODE.next.
cat >resume <<END
#!/bin/bash
verb=\${0##*/}
for n in \$($DIR/bin/scontrol show hostnames "\$1"); do
        [ ! -e $DIR/console.\$n ] || cat $DIR/console.\$n >$DIR/state/console/\$n.log
        say=$DIR/say.\$verb.\$n
        if [ -e \$say ]; then
                mv \$say \$say.now
                [ ! -e \$say.next ] || mv \$say.next \$say # before we say anything: the next time may come at once
                cat \$say.now >&"\$SLUMBER_RESULT_FD"
        fi
        echo "\$verb \$n" >>$DIR/calls
done
END
cp resume suspend && chmod 755 resume suspend && : >calls
say() { printf '%s\n' "$3" >"say.$1.$2"; }
calls() { grep -c "^$1\$" calls; }
called() { [ "$(calls "$1")" -ge "$2" ]; }
state() { sinfo -h -N -n "$1" -o %t | head -1; }
is() { [[ $(state "$1") =~ ^($2)$ ]]; }
reason() { scontrol show node "$1" | sed -n 's/^ *Reason=\(.*\) \[.*$/\1/p'; }
ctld_start
tap_ok $? 'a controller with power saving' || { cluster_logs; tap_done; }

# ---- on ----
say resume n1 '{"node":"n1","ok":false,"error":"capacity","retry_after":3600,"text":"quota of zone b"}'
a=$(sbatch --parsable --wrap true) && wait_for 10 called 'resume n2' 1
wait_for 10 is n1 'idle~'
tap_is "$? $(state n1) $(state n2) $(job_show "$a" '%T %N')" '0 idle~ alloc# CONFIGURING n2' 'no capacity: the job has another node, this one rests'
b=$(sbatch --parsable -w n1 --wrap true) && wait_for 10 eval '[[ $(job_show $b %R) = *ReqNodeNotAvail* ]]'
tap_ok $? "and is given to no job for that time: $(job_show "$b" %R)"
show() { scontrol show "$@" | tr -s ' \n' ' '; }
tap_like "$(show node n1)" ' PowerPhase=retry PowerSince=20[0-9T:-]* PowerDeadline=20[0-9T:-]* PowerTries=0 PowerError=capacity: quota of zone b $' \
        'show node tells what went wrong, and until when it rests'
tap_like "$(show node n2)" ' PowerPhase=power-command PowerSince=20[0-9T:-]* PowerDeadline=20[0-9T:-]* PowerTries=1 $' \
        'and how far a boot is'
tap_like "$(show node n3)" ' CurrentWatts=0 AveWatts=0 $' 'of a node at rest no more than Slurm does'
tap_like "$(show job "$a")" ' WaitsFor=n2 PowerPhase=power-command .* PowerTries=1 $' 'show job tells which node it waits for'
tap_like "$(job_show "$a" '%r|%R')" '^WaitsFor:n2,until:[0-9:]{8}\|n2$' 'and squeue, where Slurm says None'
tap_like "$(show power n1)" '^NodeName=n1 State=IDLE\+CLOUD\+POWERED_DOWN PowerPhase=retry .* Why=could not be woken \(capacity: quota of zone b\), no job gets it before its pause is over SuspendTime=600\(cluster\) SuspendTimeout=600\(cluster\) ResumeTimeout=600\(cluster\) Excluded=No' \
        'show power says why'
tap_is "$(scontrol -o show power ALL | sed 's/.* Why=\(.*\) SuspendTime=.*/\1/' | paste -sd'|')" \
        "could not be woken (capacity: quota of zone b), no job gets it before its pause is over|wanted by JobId=$a|never woken|never woken" 'of all nodes'
tap_is "$(scontrol -o show power)" 'NodeCnt=2 State=IDLE+CLOUD+POWERED_DOWN NodeList=n[3-4] Why=never woken
NodeCnt=1 State=IDLE+CLOUD+POWERED_DOWN NodeList=n1 Why=could not be woken (capacity), no job gets it before its pause is over
NodeCnt=1 State=ALLOCATED+CLOUD+NOT_RESPONDING+POWERING_UP NodeList=n2 Why=wanted by jobs' 'without a list it is a summary'
tap_is "$(scontrol --json show power n2 | python3 -c 'import json, sys
p = json.load(sys.stdin)["power"][0]
print(*(p[k] for k in ("node", "phase", "why", "suspend_time", "suspend_time_from", "veto", "bmc_power")), sep="|")')" \
        "n2|power-command|wanted by JobId=$a|{'set': True, 'infinite': False, 'number': 600}|cluster||unknown" 'also as JSON'
mkdir -p state/console && echo 'Loading initrd' >state/console/n2.log
tap_like "$(show node n2)" ' PowerPhase=console .* PowerConsole=Loading initrd $' 'and what its console says'
scontrol update NodeName=n1 State=RESUME && wait_for 10 called 'resume n1' 2
tap_ok $? 'but when an administrator says so'
agent_start n1 -b && agent_start n2 -b && wait_job 20 "$a" COMPLETED && wait_job 20 "$b" COMPLETED
tap_ok $? 'a program that says nothing: the registration decides'

echo 'Kernel panic of an hour ago' >state/console/n3.log && touch -d '1 hour ago' state/console/n3.log
say resume n3 '{"node":"n3","ok":false,"error":"bad-config","text":"no such image"}'
c=$(sbatch --parsable -w n3 --wrap true)
wait_for 10 is n3 'down~'
tap_is "$? $(reason n3) $(job_state "$c")" '0 bad-config: no such image PENDING' 'a mistake that only people mend: DOWN at once, with that Reason, without the console of another boot'
scancel "$c"
echo 'Loading initrd' >console.n3
say resume n3 '{"node":"n3","ok":false,"error":"fatal","text":"no such initrd"}'
scontrol update NodeName=n3 State=RESUME && scontrol update NodeName=n3 State=POWER_UP
wait_for 10 eval '[[ $(reason n3) = *initrd*initrd ]]'
tap_like "$?|$(reason n3)" '^0\|fatal: no such initrd; console at 20[0-9]{2}-[-0-9T:]*: Loading initrd$' 'that of this boot is told with its time'

say resume n4 '{"node":"n4","ok":false,"error":"no-power","retry_after":0.2,"text":"BMC is silent"}'
d=$(sbatch --parsable -w n4 --wrap true)
wait_for 10 called 'resume n4' 2
tap_is "$? $(state n4) $(job_show "$d" '%T %N')" '0 alloc# CONFIGURING n4' 'no power: tried again, as there is no other node for the job'
agent_start n4 -b && wait_job 20 "$d" COMPLETED
tap_ok $? 'and runs when that works'

# ---- off ----
agent_stop n1
say suspend n1 '{"node":"n1","ok":true}'
scontrol update NodeName=n1 State=POWER_DOWN
wait_for 10 is n1 'idle~'
tap_ok $? 'confirmed off: off at once, not after SuspendTimeout'

say suspend n2 '{"node":"n2","ok":false,"error":"no-power","retry_after":0.2,"text":"BMC is silent"}'
scontrol update NodeName=n2 State=POWER_DOWN
wait_for 10 called 'suspend n2' 2
tap_is "$?" 0 'not off: tried again'
wait_for 20 grep -q 'Node n2 could not be switched off: no-power: BMC is silent' log/ctld
tap_ok $? 'the log says why'

say suspend n4 '{"node":"n4","ok":false,"error":"no-power","retry_after":0.2}'
say suspend n4.next '{"node":"n4","ok":false,"error":"no-power","text":"still silent"}'
scontrol update NodeName=n4 State=POWER_DOWN
wait_for 20 is n4 'drain[*]?'
tap_is "$? $(reason n4)" '0 quarantined after 2 power failures in a row, the last: no-power: still silent' 'quarantine after the second'
e=$(sbatch --parsable -w n4 --wrap true)
wait_for 20 is n4 drain
tap_is "$? $(job_state "$e")" '0 PENDING' 'its agent has come back, but no job gets it'
scontrol update NodeName=n4 State=RESUME && wait_job 20 "$e" COMPLETED
tap_ok $? 'until an administrator clears it with one command'

# ---- babble ----
agent_stop n4
say suspend n4 $'hello\n{"node":"n3","ok":true}\n{"node":"nobody","ok":true}\n'"$(head -c 5000 /dev/zero | tr '\0' x)"$'\n{"node":"n4","ok":true}'
scontrol update NodeName=n4 State=POWER_DOWN && wait_for 10 is n4 'idle~'
tap_ok $? 'what makes no sense is passed over'
tap_is "$(grep -c 'SuspendProgram: a line of SLUMBER_RESULT_FD is ignored' log/ctld)" 4 'and logged'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
