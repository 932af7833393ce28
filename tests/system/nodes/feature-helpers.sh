#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers of node_features/helpers on a node that has no file of the configuration: the controller tells its agent which there are, and
# takes no node into service before they have been run.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf 'r[1-2]' 'NodeName=r[1-2] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 Feature=g1,g2' NodeFeaturesPlugins=node_features/helpers \
        "RebootProgram=$DIR/reboot" ResumeTimeout=60
printf '%s\n' "NodeName=r1 Feature=g1,g2 Helper=$DIR/helper" "NodeName=r2 Feature=g1,g2 Helper=$DIR/other" 'MutuallyExclusive=g1,g2' \
        'ExecTime=2' >helpers.conf
printf '#!/bin/sh\necho "helper $*" >>"%s/did"\nif [ $# = 0 ]; then cat "%s/image"; else echo "$1" >"%s/next"; fi\n' "$DIR" "$DIR" "$DIR" >helper
printf '#!/bin/sh\nmv "%s/next" "%s/image"\nkill -KILL $PPID\necho "reboot $*" >>"%s/did"\n' "$DIR" "$DIR" "$DIR" >reboot
printf '#!/bin/sh\nexit 4\n' >other
chmod 755 helper reboot other && echo g1 >image
features() { scontrol show node "$1" | sed -n 's/^ *ActiveFeatures=//p'; }
bare_agent() { # NODE: with a key and the controller's address, and nothing else
        _await_end "$1"
        mkdir -p "bare.$1"
        (cd "bare.$1" && unset SLURM_CONF && SLUMBERD_NODE=$1 exec "$SLUMBERD" -D -b --conf-server "127.0.0.1:$PORT" --key "$DIR/key" -N "$1" \
                --spool "$DIR/bare.$1" --socket "$DIR/$1.sock" >>"$DIR/log/$1" 2>&1 </dev/null) &
        echo $! >"run/$1.pid"
}

ctld_start
bare_agent r1 && wait_nodes 20 r1 idle
tap_is "$?|$(features r1)|$(cat did)" '0|g1|helper ' 'its helper is run, and says what it has'
one=$(sbatch --parsable -w r1 -C g2 -o "$DIR/out" --wrap "cat $DIR/image")
wait_for 20 eval '[ "$(wc -l <did)" = 3 ]'
tap_is "$?|$(tail -n 2 did | tr '\n' ' ')" '0|helper g2 reboot g2 ' 'for a job that wants the other one it is set, then RebootProgram runs'
bare_agent r1 && wait_job 20 "$one" COMPLETED
tap_is "$?|$(features r1)|$(cat out)" '0|g2|g2' 'and the job runs in it'

echo g1 >image
agent_kill9 r1
ctld_kill9
ctld_start
bare_agent r1 && wait_nodes 20 r1 inval
tap_is "$?" 0 'one that has come up otherwise behind our back is not taken'
scontrol update nodename=r1 activefeatures=g1
agent_kill9 r1
bare_agent r1 && wait_nodes 20 r1 drained && scontrol update nodename=r1 state=resume
tap_is "$?|$(features r1)" '0|g1' 'before that is put right'
wait_nodes 20 r1 idle

ctld_kill9
: >did
ctld_start && wait_nodes 20 r1 idle
tap_is "$?|$(cat did)" '0|' 'for a new controller they are not run again'

# ---- those that do not work ----
bare_agent r2 && wait_nodes 20 r2 idle
tap_is "$?|$(features r2)" '0|(null)' 'one that fails says nothing'
tap_like "$(cat log/r2)" "helpers.conf: $DIR/other ended with exit status 4" 'and is named in the log'
printf '#!/bin/sh\nsleep 1000\n' >other
agent_kill9 r2
bare_agent r2 && wait_for 20 grep -q "helpers.conf: $DIR/other took longer than ExecTime" log/r2 && wait_nodes 20 r2 idle
tap_is "$?" 0 'one that hangs holds its node up for ExecTime'
printf '#!/bin/sh\nexec >&-\nsleep 1000\n' >other
agent_kill9 r2
: >log/r2
bare_agent r2 && wait_for 20 grep -q "helpers.conf: $DIR/other took longer than ExecTime" log/r2 && wait_nodes 20 r2 idle
tap_is "$?" 0 '... and so does one that has closed its output'
printf '#!/bin/sh\nsleep 1000 &\necho $! >"%s/left"\necho g1\n' "$DIR" >other
agent_kill9 r2
bare_agent r2 && wait_for 20 eval '[ "$(features r2)" = g1 ]'
tap_is "$?" 0 'one that leaves something running has said what it has to say'
kill "$(cat left)"
sed -i 's/^ExecTime=2/ExecTime=1000/' helpers.conf
run scontrol reconfigure
printf '#!/bin/sh\ntouch "%s/asked"\nsleep 1000\n' "$DIR" >other
agent_kill9 r2
: >log/r2
bare_agent r2 && wait_for 20 [ -e asked ] && kill "$(cat run/r2.pid)" && wait_for 20 gone "$(cat run/r2.pid)"
tap_is "$?|$rc|$(grep -c 'slumberd ends' log/r2)" '0|0|1' 'the agent hears while it waits for one'
sed -i 's/^ExecTime=1000/ExecTime=2/' helpers.conf
sed -i "s|other|helper|" helpers.conf
run scontrol reconfigure
agent_kill9 r2
bare_agent r2 && wait_nodes 20 r2 idle && wait_for 20 eval '[ "$(features r2)" = g1 ]'
tap_is "$rc|$?" '0|0' 'helpers.conf is changed in one place, the controller'"'"'s'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
