#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is wrong is said in one sentence that names the place; exit code 1, and nothing is left half-started.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]'
cd "$DIR" || exit 1
cp slurm.conf good.conf
cp slumber.yaml good.yaml

fresh() { # the good configuration and an empty state folder; lines are added to slurm.conf
        cp good.conf slurm.conf
        cp good.yaml slumber.yaml
        rm -rf state && mkdir state
        for line; do printf '%s\n' "$line" >>slurm.conf; done
}
setting() { sed -i "s|^$1=.*|$1=$2|" slurm.conf; }
# refused REGEX NAME [COMMAND...]: the daemon ends with 1 and one line (FAULTS: so many, the last one) that matches, has opened no door and
# left nothing
refused() {
        local regex=$1 name=$2
        shift 2
        [ $# -gt 0 ] || set -- "$CTLD" -D -f "$SLURM_CONF"
        ls -dA state state/* >before 2>/dev/null
        run timeout 20 "$@"
        tap_is "$rc $(wc -l <err) $([ -e sock ] && echo socket)$(ls -dA state state/* 2>/dev/null | diff before -)" "1 ${FAULTS:-1} " \
                "$name: exit code 1, ${FAULTS:-1} line, nothing left behind"
        tap_like "$err" "error: $regex\$" "$name: ${err#*error: }"
}

refused "$DIR/none.conf: No such file or directory" 'no configuration' "$CTLD" -D -f none.conf
[ -e /etc/slumber/slurm.conf ] || [ -e /etc/slurm/slurm.conf ] ||
        refused '/etc/slumber/slurm.conf: No such file or directory' 'none that is named, and none where it is expected' env -u SLURM_CONF "$CTLD" -D
fresh && : >slurm.conf && FAULTS=3 refused "$DIR/slurm.conf: PartitionName is missing: no partition is defined" 'an empty one'
fresh 'Fooo=1' && refused "$DIR/slurm.conf line 14: Fooo: .*no such key" 'an unknown key'
fresh 'NodeName=n2 CPUs=1' && refused "$DIR/slurm.conf line 14: NodeName: node n2 is named twice" 'a node named twice'
fresh 'NodeName=m1 CPUs=x' && refused "$DIR/slurm.conf line 14: CPUs: \"x\" is not a whole number" 'a wrong number'
fresh 'PartitionName=q Nodes=zz' && refused "$DIR/slurm.conf line 14: PartitionName: there is no node \"zz\"" 'a node that is nowhere'
fresh 'NodeName=a[0-999999999]' && refused "$DIR/slurm.conf line 14: .*" 'a billion nodes'
fresh && setting SlurmUser nosuchuser && refused "$DIR/slurm.conf line 4: SlurmUser: there is no user \"nosuchuser\".*" 'an unknown user'
echo 'Foo=1' >more.conf
fresh 'Include more.conf' && refused "$DIR/more.conf line 1: Foo: .*no such key" 'a mistake in an included file'
fresh 'Include none.conf' && refused '.*none.conf.*No such file or directory' 'an included file that is missing'
fresh && echo 'foo: 1' >>slumber.yaml && refused "$DIR/slumber.yaml line 4 column 1: foo is not a key of slumber.yaml" 'an unknown key of slumber.yaml'
fresh && echo 'heartbeat: [' >>slumber.yaml && refused "$DIR/slumber.yaml line [345] column 1: not YAML: .*" 'a slumber.yaml that is no YAML'

# Programs: one that is not there, as its file system may be late, means no power saving; any other mistake is one.
power() { fresh "ResumeProgram=$1" "SuspendProgram=$1" SuspendTime=10; }
starts_without() { # REGEX NAME
        : >log/ctld
        ctld_start && grep -qE "error: (Resume|Suspend)Program: $1\$" log/ctld && grep -qE "Power saving is off: (Resume|Suspend)Program: $1\$" log/ctld
        tap_ok $? "$2: the controller starts without power saving and says why"
        ctld_stop
}
power bin/resume && FAULTS=2 refused '.*slurm.conf line 14: ResumeProgram: bin/resume is not an absolute path' 'a program without a path'
power "$DIR/none" && starts_without "$DIR/none: No such file or directory" 'a program that is missing'
echo '#!/bin/sh' >prog && chmod 644 prog
power "$DIR/prog" && FAULTS=2 refused ".*slurm.conf line 14: ResumeProgram: $DIR/prog is not executable" 'a program that is none'
chmod 777 prog
power "$DIR/prog" && FAULTS=2 refused ".*slurm.conf line 14: ResumeProgram: $DIR/prog may be written by its group or others" 'a program that all can write'
power "$DIR" && FAULTS=2 refused ".*slurm.conf line 14: ResumeProgram: $DIR is not a program" 'a folder as a program'
chmod 755 prog
fresh "ResumeProgram=$DIR/prog" "SuspendProgram=$DIR/none" "ResumeFailProgram=$DIR/lost" SuspendTime=10
: >log/ctld
ctld_start && grep -q "error: ResumeFailProgram: $DIR/lost: No such file" log/ctld
tap_ok $? 'a ResumeFailProgram that is missing is done without'
run scontrol power down n1
tap_like "$rc ${err//$'\n'/ }" "^1 .*n1 is .*, and nothing switches it: SuspendProgram: $DIR/none: No such.* Invalid node state specified" \
        'without its program no node is switched off, and why there is none is told'
run scontrol reconfigure
tap_like "$rc $err" "^1 .*SuspendProgram: $DIR/none: No such file or directory" 'scontrol reconfigure reports it'
sed -i -e "s|^SuspendProgram=.*|SuspendProgram=$DIR/prog|" -e '/^ResumeFail/d' slurm.conf
run scontrol reconfigure
tap_is "$rc $(grep -c 'Power saving is on' log/ctld)" '0 1' 'and has power saving with the right ones'
ctld_stop

fresh && chmod 644 key && refused "cluster key $DIR/key has mode 0644: .*" 'a key that all can read'
chmod 600 key && mv key away && refused "cannot read the cluster key $DIR/key: No such file or directory" 'no key'
: >key && chmod 600 key && refused "cluster key $DIR/key has 0 bytes; it must have 32 to 4096" 'an empty key'
mv away key

/usr/bin/python3 -c 'import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", int(sys.argv[1]))); s.listen(); print("up", flush=True); sys.stdin.read()' \
        "$PORT" < <(sleep 60 & echo $! >sleeper; wait) >listening 2>&1 &
listener=$!
wait_for 10 test -s listening
fresh && refused "cannot listen at 127.0.0.1 port $PORT: Address already in use" 'a port in use'
kill "$listener" "$(cat sleeper)" 2>/dev/null
wait "$listener" 2>/dev/null

# As that of a killed controller, which the kernel has not ended yet.
/usr/bin/python3 -c 'import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", int(sys.argv[1]))); s.listen(); print("up", flush=True); time.sleep(0.7)' "$PORT" >going 2>&1 &
wait_for 10 test -s going
fresh && ctld_start
tap_ok $? 'a port that is free a moment later: it starts' || tail -3 log/ctld | sed 's/^/# /'
ctld_stop

fresh && rm -rf state && : >state && refused "the state folder $DIR/state is not a folder" 'a state folder that is a file'
rm state && fresh && setting StateSaveLocation /proc/none && refused 'cannot make the state folder /proc/none: .*' \
        'a state folder that cannot be made'
fresh && setting SlurmctldHost 'nowhere.invalid' && refused 'cannot listen at nowhere.invalid.*' 'a host that is not this one'
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=64k,mode=755 none small 2>/dev/null; then
        at_exit umount -l "$DIR/small"
        dd if=/dev/zero of=small/fill bs=1k 2>/dev/null
        fresh && setting StateSaveLocation "$DIR/small" && refused "the disk is full: cannot write the store $DIR/small/.*" 'a full disk'
        rm small/* && mount -o remount,ro small
        refused "cannot write in the state folder $DIR/small as user root: Read-only file system" 'a disk that cannot be written'
        # full after the start: nothing is acknowledged that is not kept
        mount -o remount,rw,size=2m small
        ctld_start
        tap_ok $? 'the controller starts with room'
        sbatch -Q --parsable -H --wrap true >first
        dd if=/dev/zero of=small/fill bs=1k 2>/dev/null
        printf '#!/bin/sh\n%01000000d\n' 0 >large
        timeout 60 sbatch -H large >large.out 2>large.err &
        large=$!
        wait_for 30 grep -q '^sbatch: The controller cannot write its state: .*: its answer comes when it can; still waiting$' large.err
        tap_is "$?|$(cat large.out)" '0|' 'a job that the disk has no room for is not acknowledged, and its user hears why it takes so long'
        kill $large
        run timeout 20 sbatch -H --wrap true
        tap_is "$rc|$err" '1|sbatch: error: The controller cannot write its state: No space left on device
sbatch: error: Batch job submission failed: The controller cannot write its state' 'the next one is refused at once, with what the disk says'
        run timeout 5 scancel "$(cat first)"
        tap_like "$rc|$err" '^1\|scancel: error: .*The controller cannot write its state' 'so is scancel'
        run timeout 5 scontrol update JobId="$(cat first)" Comment=x
        tap_like "$rc|$err" '^1\|.*The controller cannot write its state' 'and scontrol update'
        rm small/fill
        _pid ctld >/dev/null || ctld_start
        wait_for 10 eval '[ "$(job_state $(cat first))" = PENDING ]'
        tap_ok $? 'what was acknowledged before is there'
        wait_for 30 sbatch -H --wrap true
        tap_is $? 0 'with room again jobs are taken again'
        ctld_stop
else
        echo "ok $((++TAP_COUNT)) - a full disk # SKIP cannot mount a tmpfs"
fi

fresh && ctld_start && ctld_stop
/usr/bin/python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("pragma user_version=99"); c.commit()' state/slumber.db
refused "the store $DIR/state/slumber.db was written by a newer version \(format 99, this program knows 2\)" 'a store of a newer version'
fresh && ctld_start && echo x >state/slumber.db.txt && ctld_stop && head -c 5000 /dev/urandom >state/slumber.db && rm -f state/slumber.db-*
refused ".*$DIR/state/slumber.db.*" 'a store that is something else'

fresh && ctld_start && sbatch -H --wrap true >first && ctld_stop
setting ClusterName other
refused "state in $DIR/state: it belongs to the cluster \"slumber\", but ClusterName in $DIR/slurm.conf is \"other\"; .*" \
        'the state of another cluster'
ctld_start -i && tap_is "$(squeue -h -o %T)" PENDING '-i goes on with it' && ctld_stop
ctld_start && tap_ok $? '... for good' && ctld_stop
# a start that fails must not do what -c asked for
setting SlurmctldHost nowhere.invalid
refused 'cannot listen at nowhere.invalid.*' 'slumberctld -c at a host that is not this one' "$CTLD" -D -c -f "$SLURM_CONF"
setting SlurmctldHost 'localhost(127.0.0.1)' && ctld_start
tap_is "$(squeue -h -o %T)" PENDING '... has forgotten nothing' && ctld_stop

fresh && chmod 777 state && refused "the state folder $DIR/state has mode 0777: .*" 'a state folder that all can write'
fresh 'SlurmctldLogFile=/proc/none/log' && refused 'SlurmctldLogFile: cannot open the log /proc/none/log: .*' \
        'a log that cannot be made' "$CTLD" -f "$SLURM_CONF"
fresh "SlurmctldLogFile=$DIR/ctld.log" 'SlurmctldHost=nowhere.invalid' && setting SlurmctldHost nowhere.invalid &&
        refused 'cannot listen at nowhere.invalid.*' 'a failure goes to the terminal too' "$CTLD" -f "$SLURM_CONF"
tap_like "$(cat ctld.log)" 'error: cannot listen at nowhere.invalid' '... and to the log'
fresh "SlurmctldLogFile=$DIR/ctld.log" && run timeout 60 "$CTLD" -f "$SLURM_CONF"
background=$(pgrep -f "^$CTLD -f $SLURM_CONF")
at_exit eval '[ -z "$background" ] || kill -KILL $background 2>/dev/null'
tap_is "$rc|$out$err|$(scontrol ping | grep -o UP)|$(ps -o sid= -p "${background:-1}" | tr -d ' ')" "0||UP|$background" \
        'without -D it returns when it is ready, and goes on in a session of its own'
kill -TERM "$background" && wait_for 20 gone "$background"
tap_is "$?" 0 '... and ends as usual' && background=

# ---- the agent ----
fresh
agent() { local regex=$1 name=$2; shift 2; refused "$regex" "slumberd, $name" "$SLUMBERD" -D -f "$SLURM_CONF" -N n1 "$@"; }
agent '.*/none: No such file or directory' 'no key' --key "$DIR/none"
agent '--conf line 1: CPUs: "x" is not a whole number' 'a wrong --conf' --conf CPUs=x
agent '--conf: Sockets=3 is not a multiple of Boards=2' 'sockets that do not fit' --conf 'Boards=2 Sockets=3'
agent "$DIR/slurm.conf has no node nosuch" 'a node that is nowhere' -N nosuch
agent 'cannot make the spool folder /proc/x: .*' 'a spool folder that cannot be made' --spool /proc/x
agent '.*/none: No such file or directory' 'no step daemon' --stepd "$DIR/none"
agent "cannot make the socket's folder /proc/x: .*" 'a socket that cannot be made' --socket /proc/x/sock
mkdir -m 777 open && agent "$DIR/open can be written by others .*" 'a spool folder that all can write' --spool "$DIR/open"

# ---- jobs that can never run ----
fresh && ctld_start
agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
never() { # TEXT ARGUMENT...
        local text=$1
        shift
        run sbatch "$@" --wrap true
        tap_is "$rc|$out|$(tail -1 <<<"$err")" "1||sbatch: error: Batch job submission failed: $text" "sbatch $*"
}
never 'Invalid partition name specified' -p nope
never 'Invalid node name specified' -w n99
never 'Requested node configuration is not available' --mem=999999
never 'Requested node configuration is not available' -w n1 -c 5
never 'Invalid feature specification' -C nosuch
never 'Requested node configuration is not available' -n 5 -N 1 -w n1
run sbatch --wrap true -N0x
tap_like "$rc|$err" '^(1|255)\|sbatch: error: .*' 'a node count that is none'
tap_is "$(squeue -h -t all | wc -l)" 0 'none of them is in the queue'

# ---- a line feed in a text would be a line of "show" that was never written ----
forged=$'x\nState=IDLE'
plain() { # NAME COMMAND...
        local name=$1
        shift
        run "$@"
        tap_like "$rc|$err" "^1\|.*$name has a control character" "$name: no control character"
}
plain 'the reason' scontrol update nodename=n1 state=drain reason="$forged"
plain 'the comment' scontrol update nodename=n1 comment="$forged"
plain 'the reason' scontrol power down n1 reason="$forged"
plain 'the reason' scontrol reboot reason="$forged" n1
plain 'the name' scontrol create reservation reservationname="$forged" users=root nodes=n1 starttime=now duration=10
plain 'the settings' scontrol update partitionname=main allowgroups="$forged"
tap_is "$(sinfo -h -N -n n1 -o '%T %E')" 'idle none' 'and nothing is changed'

run sbatch --nosuchoption --wrap true
tap_like "$rc|$err" "^255\|.*nosuchoption" 'an option that does not exist is named'
run env SLUMBER_SOCKET="$DIR/nowhere" squeue
tap_like "$rc|$err" "^1\|.*$DIR/nowhere" 'a command without a daemon names the socket'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
