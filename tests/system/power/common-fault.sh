#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One fault of the common ground (power.yaml, the program) stops waking instead of taking every node DOWN; it goes on by itself when
# that is mended, also over kill -9.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
ln -s "$SLUMBER_BUILD/power/slumber-power" slumber-resume
ln -s "$SLUMBER_BUILD/power/slumber-power" slumber-suspend
cat >tool <<END
#!/bin/sh
case \$1 in
on) echo "\$2" >>$DIR/calls; : >$DIR/\$2.on ;;
status) if [ -e $DIR/\$2.on ]; then echo on; else echo off; fi ;;
esac
END
chmod 755 tool
power_yaml() { # KEY: of the program
        printf 'defaults: {timeout: 5s, poll: 10ms, lock_file: %s}\nnodes:\n  - {nodes: "n[1-200]", driver: program, %s: %s}\n' \
                "$DIR/lock" "$1" "$DIR/tool" >power.yaml.new && mv power.yaml.new power.yaml
}
cluster_conf n1 'NodeName=n[1-200] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/slumber-suspend" "ResumeProgram=$DIR/slumber-resume" SuspendTime=600 SuspendTimeout=60 ResumeTimeout=60 \
        ResumeRate=0 SuspendRate=0 "yaml power_file: $DIR/power.yaml" 'yaml brake_pause: 2s'
power_yaml program
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
states() { sinfo -h -o '%t %D' | sort | paste -sd,; }
is() { [ "$(states)" = "$1" ]; }
reason_has() { [[ $(job_show "$1" %R) = *$2* ]]; }

# ---- a typo in power.yaml ----
power_yaml programm
a=$(sbatch --parsable -N150 --exclusive -o /dev/null --wrap true)
b=$(sbatch --parsable -N1 -o /dev/null --wrap true)
wait_for 20 reason_has "$a" 'programm is not a key of an entry'
tap_ok $? 'the job is pending with the cause as its reason'
wait_for 20 is 'idle~ 200'
tap_ok $? "no node has gone DOWN: $(states)"
tap_is "$(job_show "$a" %t)|$(job_show "$b" %t)" 'PD|PD' 'both wait'
tap_is "$(grep -c 'slumberctld: error:' log/ctld)" "$(grep -c 'slumberctld: error: Waking of nodes' log/ctld)" 'one loud error ...'
wait_for 20 eval '[[ $(scontrol show power | head -2 | paste -sd" ") = *"Probes that failed: 1"* ]]'
tap_ok $? 'a probe has failed'
tap_is "$(grep -c 'slumberctld: error:' log/ctld)" 1 '... for all nodes and probes'
tap_like "$(scontrol show power | head -2 | paste -sd' ')" \
        'Waking of nodes is stopped since 20[0-9T:-]* \(common-cause\): .*power.yaml line 3 column [0-9]+: programm is not a key .*Probes that failed: [1-9]' \
        'show power says so'
tap_like "$(sdiag)" '^Waking of nodes is stopped since .*power.yaml line 3' 'and sdiag'
tap_like "$(sdiag --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["statistics"]["waking_stopped"]["cause"])')" \
        'power.yaml line 3' 'and its JSON'

# ---- kill -9, and mended ----
ctld_kill9
ctld_start
tap_like "$?|$(sdiag | grep Waking)" '^0\|Waking of nodes is stopped since .*power.yaml line 3' 'it outlives kill -9'
[ ! -e calls ]
tap_ok $? 'nothing has been switched on'
power_yaml program
wait_for 60 eval '[ "$(sort -u calls 2>/dev/null | wc -l)" -ge 150 ]'
tap_ok $? 'when it is mended all goes on by itself'
tap_like "$(states)" '^(alloc|mix)#.*' 'with the job on its nodes'
tap_is "$(sdiag | grep -c 'Waking of nodes is stopped')|$(scontrol show power | grep -c '^Waking')" '0|0' 'and nothing is told of it any more'
scancel "$a" "$b"

# ---- what is known before a node is woken ----
printf 'defaults: {timeout: 5s, deadline: 60s, thread: 4}\nnodes:\n  - {nodes: "n[1-9]", driver: programm}\n  - {nodes: n10, driver: program, programm: x}\n' >power.yaml
run scontrol reconfigure
tap_is "$rc $(grep -oE 'power.yaml line [0-9]' <<<"$err" | cut -d' ' -f3 | sort | xargs)" '1 1 3 4 4' \
        'a reconfigure with a wrong power.yaml is refused, with all that is wrong'
for fault in 'line 1 column 40: thread is not a key of defaults' 'line 3 column 31: driver: "programm" is not a driver' \
        'line 4 column 35: programm is not a key of an entry'; do
        grep -q "slumberctld: error: The configuration is not taken over: .*power.yaml $fault" log/ctld
        tap_ok $? "the log has file, place and key of each fault: $fault"
done
printf 'defaults: {timeout: 5s, deadline: 60s, poll: 10ms, lock_file: %s}\nnodes:\n  - {nodes: "n[1-198]", driver: program, program: %s}\n' \
        "$DIR/lock" "$DIR/tool" >power.yaml
run scontrol reconfigure
tap_like "$rc|$(grep 'warning:' log/ctld | tail -3 | paste -sd' ')" \
        '0\|.*power.yaml: n\[199-200\] not in it.*deadline is 60 s, but ResumeTimeout is 60 s: slumber-power is given 54 s' \
        'nodes that are missing, and times that cross, are told'
power_yaml program
scontrol reconfigure

# ---- a program that fails without a word ----
printf '#!/bin/sh\nexit 3\n' >resume3 && chmod 755 resume3
rm slumber-resume && ln -s resume3 slumber-resume
c=$(sbatch --parsable -w 'n[190-200]' -N11 -o /dev/null --wrap true)
wait_for 20 reason_has "$c" 'ResumeProgram: exit status 3'
tap_is "$?|$(sinfo -h -n 'n[190-200]' -o '%t %D')" '0|idle~ 11' 'exit status 3: the nodes stay asleep'
rm slumber-resume && ln -s "$SLUMBER_BUILD/power/slumber-power" slumber-resume
scontrol reconfigure
wait_for 20 eval '[ "$(job_show "$c" %t)" = CF ]'
tap_ok $? 'mended, and told so by a reconfigure: the next one need not wait'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
