#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A key that guards and is not implemented refuses the start and the reconfiguration, by name and place, until accept_missing names it.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 KillWait=7 ResvEpilog=/bin/true VSizeFactor=110

run "$CTLD" -D -f "$SLURM_CONF"
tap_is "$rc $(ls "$DIR/state")" '1 ' 'the start is refused, and nothing is left behind'
tap_like "$err" "$DIR/slurm.conf line [0-9]+: ResvEpilog is not implemented: .*accept_missing" 'the guard is told with its place'
tap_like "$err" "$DIR/slurm.conf line [0-9]+: VSizeFactor is not implemented: " 'and the next one, at once'

echo 'accept_missing: [ResvEpilog, VSizeFactor]' >>"$DIR/slumber.yaml"
cluster_up 'with accept_missing it starts' n1
tap_is "$(grep -c 'warning: .*ResvEpilog is not implemented, as accept_missing accepts' "$DIR/log/ctld")" 1 'and says at the start what is missing'
run scontrol show config
tap_like "$out" 'accept_missing +=.ResvEpilog,VSizeFactor' 'scontrol show config tells it'
tap_like "$out" 'ResvEpilog +=./bin/true' 'and the value of the key'

printf '%s\n' 'ResvProlog=/bin/true' 'KillWait=9' >>"$DIR/slurm.conf"
run scontrol reconfigure
tap_like "$rc $err" "^1 .*$DIR/slurm.conf line [0-9]+: ResvProlog is not implemented: " 'a reconfiguration is refused in its answer'
tap_like "$(cat "$DIR/log/ctld")" 'The configuration is not taken over: .*ResvProlog is not implemented' 'and in the log'
tap_is "$(scontrol show config | awk '$1 == "KillWait" { print $3 }')" 7 'and changes nothing'
sed -i 's/^accept_missing: \[/&ResvProlog, /' "$DIR/slumber.yaml"
run scontrol reconfigure
tap_is "$rc|$err|$(scontrol show config | awk '$1 == "KillWait" { print $3 }')" '0||9' 'accepted, it is taken over'
tap_is "$(grep -c 'ResvProlog is not implemented, as accept_missing accepts' "$DIR/log/ctld")" 1 'and said'
echo PrologFlags=contian >>"$DIR/slurm.conf"
run scontrol reconfigure
tap_like "$rc $err" "^1 .*$DIR/slurm.conf line [0-9]+: PrologFlags: \"contian\" is none of Alloc, Contain, " 'a wrong word of a list is refused with those that are known'
sed -i 's/^accept_missing: \[/&PrologFlags=contian, /' "$DIR/slumber.yaml"
run scontrol reconfigure
tap_is "$rc|$err" '0|' 'accepted, it is passed over'
echo SchedulerParameters=bf_of_tomorrow >>"$DIR/slurm.conf"
run scontrol reconfigure
tap_is "$rc|$err|$(grep -c 'SchedulerParameters=bf_of_tomorrow is not used by Slumber' "$DIR/log/ctld")" '0||1' 'a word of a list that neither checks nor protects is a warning'
cluster_sound
tap_ok $? "no daemon has said anything that only a bug says"
tap_done
