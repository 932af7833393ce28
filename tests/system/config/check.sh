#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumberctld --check reads all files of a configuration, starts nothing, says what becomes of each key, and all faults at once; so do the
# start and the reconfiguration.  What Slurm has left in StateSaveLocation is told of and stays as it is.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 SlurmctldDebug=error "SlurmctldLogFile=$DIR/log/file" TaskPlugin=task/affinity CacheGroups=0 JobCompPass=geheim SrunPortRange=60001-63000 KillWait=7
check() { run "$CTLD" --check -f "$SLURM_CONF"; }

printf '%s\n' 'ConstrainRAMSpace=yes' 'MemorySwappiness=3' >"$DIR/cgroup.conf"
check
tap_is "$rc $(ls "$DIR/state")$([ -e "$DIR/sock" ] && echo socket)" '0 ' 'a good configuration: exit code 0, and nothing is started'
tap_like "$out" $'^KillWait +7 +acts .*slurm.conf line [0-9]+' 'what acts'
tap_like "$out" $'\nTaskPlugin +task/affinity +acts ' 'task/affinity too'
tap_like "$out" $'\nStateSaveLocation +[^ ]+ +acts ' 'and the next one'
tap_like "$out" $'\nCacheGroups +0 +harmless ' 'what is harmless'
tap_like "$out" $'\nSrunPortRange +60001-63000 +harmless .*srun listens on no port' 'and why it is'
tap_like "$out" $'\nMemorySwappiness +3 +harmless .*cgroup.conf line 2' 'of cgroup.conf too'
tap_like "$out" $'\nJobCompPass +\\(not shown\\) ' 'a password is not shown'
tap_like "$out" $'\nslumber.yaml ' 'slumber.yaml is read'
tap_like "$out" "$SLURM_CONF: 1 nodes, 1 partitions, 0 faults\$" 'and the sum'

printf 'defaults: {deadline: 5s}\nnodes:\n  - {nodes: n7, driver: program, program: /bin/true}\n' >"$DIR/power.yaml"
check
tap_is "$rc" 0 'power.yaml is read, too'
tap_like "$err" 'warning: [^ ]*/power.yaml: n1 not in it: slumber-power cannot switch it' 'a node that it lacks is told'
printf 'nodes:\n  - {nodes: n1, bmcc: x, driver: program, program: /bin/true}\n' >"$DIR/power.yaml"
check
tap_like "$rc|$(grep error: <<<"$err")" '^1\|.*error: [^ ]*/power.yaml line 2 column 17: bmcc is not a key of an entry of nodes' 'and what is wrong in it'
tap_like "$out" ' 1 fault: a start would go on without waking nodes, a reconfiguration would be refused$' 'with what comes of it'

cp "$DIR/slurm.conf" "$DIR/good.conf"
printf '%s\n' 'ResvEpilog=/bin/true' 'Fooo=1' 'MinJobAge=soon' 'ResumeProgram=/etc/passwd' 'NodeName=n2 CPUs=many' 'Include more.conf' \
        'EpilogMsgTime=30' >>"$DIR/slurm.conf"
echo 'UsePAM=1' >"$DIR/more.conf"
echo 'sockets: /x' >>"$DIR/slumber.yaml"
faults=("slurm.conf line [0-9]+: ResvEpilog is not implemented: " 'slurm.conf line [0-9]+: Fooo: slurm.conf has no such key'
        'slurm.conf line [0-9]+: MinJobAge: "soon" is not a number of seconds' 'slurm.conf line [0-9]+: ResumeProgram: /etc/passwd is not executable'
        'slurm.conf line [0-9]+: CPUs: "many" is not a whole number' 'more.conf line 1: UsePam is not implemented: '
        'slumber.yaml line [0-9]+ column 1: sockets is not a key of slumber.yaml')
power_fault='power.yaml line 2 column 17: bmcc is not a key of an entry of nodes'
all_told() { # TEXT NAME
        local f missing=
        for f in "${faults[@]}" "${@:3}"; do grep -qE "$f" <<<"$1" || missing+=" $f"; done
        tap_is "$missing" '' "$2: all faults at once"
}
check
tap_is "$rc" 1 'a start that would be refused: exit code 1'
tap_like "$out" 'ResvEpilog +/bin/true +missing guard ' 'a missing guard'
tap_like "$out" 'Fooo +1 +unknown ' 'an unknown key'
tap_like "$out" 'EpilogMsgTime +30 +shown ' 'what is only shown'
tap_like "$out" ' 8 faults: a start would be refused$' 'and the number of faults'
all_told "$err" '--check' "$power_fault"
run "$CTLD" -D -f "$SLURM_CONF"
tap_is "$rc $(wc -l <<<"$err")" '1 7' 'the start is refused'
all_told "$err" 'the start'

cp "$DIR/slurm.conf" "$DIR/bad.conf"
printf '%s\n' 'PartitionName=p2 Nodes=n2,n3 MaxTime=soon' 'PartitionName=p3 Nodes=n1,n2,set' 'NodeSet=set Nodes=n4' 'DownNodes=n5' >>"$DIR/slurm.conf"
printf '%s\n' 'PartitionName=p4 Nodes=n1 TRESBillingWeights=CPU=dear' 'PartitionName=p5 Nodes=n1 TRESBillingWeights=gres/tape=1' \
        'NodeName=n6 Gres=tape:1' 'NodeName=n7 Gres=disk:1' >>"$DIR/slurm.conf"
check
all_told "$err" 'weights and generic resources' 'slurm.conf line [0-9]+: PartitionName=p4: TRESBillingWeights: CPU=dear: a number' \
        'slurm.conf line [0-9]+: PartitionName=p5: TRESBillingWeights: "gres/tape" is neither' 'NodeName=n6 Gres=tape:1: tape is not in GresTypes' \
        'NodeName=n7 Gres=disk:1: disk is not in GresTypes' "$power_fault"
all_told "$err" 'nodes that there are not, beside lines with a mistake' 'MaxTime: "soon"' 'PartitionName: there is no node "n3"' \
        'NodeSet: there is no node "n4"' 'DownNodes: there is no node "n5"' "$power_fault"
tap_is "$(grep -cE 'no node "(n1|n2|set)"' <<<"$err")" 0 '... and none that stands on one of these lines'
mkdir "$DIR/zero" && printf 'ClusterName=x\n\0\n' >"$DIR/zero/slurm.conf"
run "$CTLD" --check -f "$DIR/zero/slurm.conf"
tap_is "$rc|$err" "1|slumberctld: error: $DIR/zero/slurm.conf line 2: a zero byte: it is not a text file" 'of what is no text nothing else is told'
cp "$DIR/good.conf" "$DIR/slurm.conf"
sed -i '/^sockets/d' "$DIR/slumber.yaml"

# ---- what is not seen: a byte order mark, a link that leads nowhere ----
rm "$DIR/power.yaml"
{ printf '\357\273\277' && cat "$DIR/good.conf"; } >"$DIR/slurm.conf"
check
tap_like "$rc|$(tail -1 <<<"$out")" '^0\|.* 0 faults$' 'a byte order mark at the beginning of slurm.conf'
cp "$DIR/good.conf" "$DIR/slurm.conf"
for name in cgroup.conf power.yaml; do
        mv "$DIR/$name" "$DIR/$name.kept" 2>/dev/null
        ln -s nowhere "$DIR/$name"
        check
        tap_like "$rc|$(grep error: <<<"$err")" "^1\\|.*error: [^ ]*/$name: " "$name is a link to a file that is not there"
        rm "$DIR/$name"
        [ ! -e "$DIR/$name.kept" ] || mv "$DIR/$name.kept" "$DIR/$name"
done
# ---- nodes have their line ----
printf '%s\n' 'NodeName=m[1-3] CPUs=1' 'NodeName=m[4-6] Gres=tape:1' 'NodeSet=set1 Nodes=m[1-2]' 'downnodes=m3 State=DOWN' \
        'PowerAction=halt Location=slurmd Program="/bin/true -h"' >>"$DIR/slurm.conf"
check
line=$(grep -n 'm\[4-6\]' "$DIR/slurm.conf" | cut -d: -f1)
tap_like "$out" "NodeName +m\\[4-6\\] +acts +[^ ]*slurm.conf line $line" 'the table has lines of nodes'
tap_like "$out" "NodeSet +set1 +acts +[^ ]*slurm.conf line $((line + 1))" '... of sets of nodes'
tap_like "$out" "DownNodes +m3 +acts +[^ ]*slurm.conf line $((line + 2))" '... of nodes that are down'
tap_like "$out" "PowerAction +halt +acts +[^ ]*slurm.conf line $((line + 3))" '... and of programs for power'
tap_like "$err" "error: [^ ]*slurm.conf line $line: NodeName=m4 Gres=tape:1: tape is not in GresTypes" 'a fault of a node names its line'
cp "$DIR/good.conf" "$DIR/slurm.conf"
printf 'nodes:\n  - {nodes: n1, bmcc: x, driver: program, program: /bin/true}\n' >"$DIR/power.yaml"
echo old >"$DIR/state/job_state"
echo c >"$DIR/state/clustername"
"$CTLD" -D -f "$SLURM_CONF" -L "$DIR/log/file" >>"$DIR/log/ctld" 2>&1 </dev/null &
echo $! >"$DIR/run/ctld.pid"
wait_for 30 eval 'scontrol ping >/dev/null 2>&1'
tap_ok $? 'the good one starts'
for log in "$DIR/log/file" "$DIR/log/ctld"; do
        tap_is "$(grep -c 'warning: .*CacheGroups is not used by Slumber: Slurm has dropped it' "$log")" 1 \
                "SlurmctldDebug=error: what is told about keys stands in ${log##*/}"
        tap_is "$(grep -c 'warning: .*StateSaveLocation: .* holds Slurm.s own state (job_state)' "$log")" 1 "and what Slurm has left, in ${log##*/}"
done
cp "$DIR/bad.conf" "$DIR/slurm.conf"
echo 'sockets: /x' >>"$DIR/slumber.yaml"
run scontrol reconfigure
tap_is "$rc" 1 'the reconfiguration is refused'
all_told "$err" 'the reconfiguration' "$power_fault"
all_told "$(cat "$DIR/log/file")" 'its log' "$power_fault"
tap_is "$(scontrol show config | awk '$1 == "KillWait" { print $3 }') $(cat "$DIR/state/job_state" "$DIR/state/clustername" | xargs)" '7 old c' \
        "nothing has changed, nor has Slurm's state"
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
