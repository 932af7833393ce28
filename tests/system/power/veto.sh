#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A node may say that it must not be switched off: veto_program; sessions and locks of logind, as far as they can be imitated here
# (session files in a mount namespace of the agent's own; a bus with a logind that knows nothing but locks).
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

program() { # TEXT
        printf '#!/bin/sh\n%s\n' "$1" >veto.new && chmod 755 veto.new && mv veto.new veto
}
program 'echo "backup of $SLURMD_NODENAME runs"; echo more; exit 1'
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$1" >>"%s/off"\n' "$DIR" >suspend && chmod 755 suspend
cluster_conf 'n[1-2]' "SuspendProgram=$DIR/suspend" ResumeProgram=/bin/true SuspendTime=2 SuspendTimeout=2 SuspendRate=0 \
        "yaml veto_program: $DIR/veto" 'yaml veto_interval: 300ms' 'yaml veto_logind: no'
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
vetoed() { scontrol show node "$1" | grep -qE "^   Veto=$2"; }
state() { sinfo -h -N -n "$1" -o %t; }
logs() { grep -qE "$1" "log/$2"; }
agent_start n1
wait_for 20 vetoed n1 'backup of n1 runs$'
tap_ok $? 'the first line of veto_program is what scontrol show node has'
scontrol power down n1
wait_for 20 eval '[ "$(state n1)" = "idle!" ]'
tap_ok $? "power down waits ($(state n1))"
tap_like "$(scontrol -o show power n1)" ' Why=to be switched off .*, when its agent lets it: backup of n1 runs .* Veto=backup of n1 runs' \
        'show power tells why'
tap_like "$(scontrol power plan)" '^Always on: n1 \(a veto of its agent: backup of n1 runs\)$' 'and so does the plan'
ctld_kill9
ctld_start
tap_like "$(scontrol show node n1)" 'Veto=backup of n1 runs' 'a controller that is started again knows it'
wait_for 20 eval '[ "$(grep -c "Node n1 registered" log/ctld)" = 2 ]'
tap_is "$(cat off 2>/dev/null)" '' 'no node has been switched off'
program 'exit 0'
wait_for 20 grep -qx n1 off
tap_ok $? 'when nothing is against it any more the node is switched off'
agent_stop n1

program 'echo no; exit 1'
agent_start n2
wait_for 20 vetoed n2 'no$'
tap_ok $? 'another node'
scontrol power down force n2
wait_for 20 grep -qx n2 off
tap_ok $? 'force does not ask'
agent_stop n2
program 'exit 7'
wait_for 20 eval '[ "$(state n1)" = "idle~" ]'
agent_start n1 -b
wait_for 20 logs 'veto ended with exit status 7; not taken as a veto' n1
tap_ok $? 'a program that fails is told, and no veto'
program 'exit 8'
wait_for 20 logs 'veto ended with exit status 8; not taken as a veto' n1
tap_ok $? 'and again when it fails otherwise'
chmod 777 veto
wait_for 20 logs 'veto_program: .*veto.*; not taken as a veto' n1
tap_is "$?|$(grep -c 'status 7; not taken as a veto' log/n1)" '0|1' 'or cannot be run; each once'
chmod 755 veto
agent_stop n1
sed -i '/^veto_/d' slumber.yaml
printf '%s\n' 'veto_interval: 300ms' 'veto_logind: maybe' >>slumber.yaml
run scontrol reconfigure
tap_like "$rc $err" '1 .*veto_logind: "maybe" is not yes or no' 'a bad value is refused by name'
sed -i 's/^veto_logind: .*/veto_logind: yes/' slumber.yaml
run scontrol reconfigure
tap_is "$rc$err" 0 'sessions and locks count from now on'

# ---- sessions ----
if [ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs none /run/systemd 2>/dev/null; then
        cat >in-namespace <<'END'
#!/bin/sh
mount -t tmpfs none /run/systemd && mkdir -p /run/systemd/sessions /run/systemd/users /run/systemd/seats || exit 1
echo own >/run/systemd/own
exec "$@"
END
        chmod 755 in-namespace
        rm -f off
        DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/none unshare -m "$DIR/in-namespace" "$SLUMBERD" -D -b -f "$SLURM_CONF" -N n2 \
                --socket "$DIR/n2.sock" >>"$DIR/log/n2" 2>&1 </dev/null &
        echo $! >run/n2.pid
        sessions=/proc/$!/root/run/systemd/sessions
        # Never into the host's own folder.
        wait_for 20 test -e "$sessions/../own" || { tap_ok 1 'a folder of its own'; tap_done; }
        session() { # CLASS STATE
                printf '%s\n' UID=1234 USER=alice ACTIVE=1 "STATE=$2" REMOTE=1 TYPE=tty "CLASS=$1" REMOTE_HOST=desk >"$sessions/.new"
                mv "$sessions/.new" "$sessions/7"
        }
        session user active
        wait_for 20 vetoed n2 'session 7 of uid 1234 from desk$'
        tap_ok $? 'a session of logind is a veto'
        session user closing
        wait_for 20 eval '! vetoed n2 .'
        tap_ok $? 'one that is closing is not'
        session greeter active
        wait_for 20 grep -qx n2 off
        tap_ok $? 'nor is one of a greeter: the node goes off when it has idled'
        agent_stop n2
else
        tap_ok 0 'sessions # SKIP no mount namespace of our own'
fi

# ---- locks ----
if command -v dbus-daemon >/dev/null && /usr/bin/python3 -c 'import dbus, gi' 2>/dev/null; then
        cat >bus.conf <<END
<busconfig><type>system</type><listen>unix:path=$DIR/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="false"/><allow receive_sender="*"/><allow own="*"/><allow user="*"/></policy>
</busconfig>
END
        echo 'shutdown:sleep|updater|kernel is installed|block' >locks
        export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$DIR/bus
        dbus-daemon --config-file="$DIR/bus.conf" --nofork >log/bus 2>&1 &
        at_exit kill $!
        wait_for 10 test -S bus
        /usr/bin/python3 "$SLUMBER_SOURCE/tests/tools/fakelogind" "$DIR/locks" >logind 2>&1 &
        logind=$!
        at_exit kill $logind
        wait_for 10 grep -q ready logind
        agent_start n1 -b
        wait_for 20 vetoed n1 '.*lock of updater: kernel is installed$'
        tap_ok $? 'a lock against shutdown is a veto'
        printf '%s\n' 'sleep|music|plays|delay' 'handle-lid-switch|desk|open|block' >locks
        kill -HUP $logind
        wait_for 20 eval '! vetoed n1 ".*lock"'
        tap_ok $? 'one that only delays, or is about a lid, is not'
else
        tap_ok 0 'locks # SKIP no dbus-daemon or python3-dbus'
fi
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
