#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --x11 of srun and salloc: programs on the nodes show their windows on the X server of the command's DISPLAY, here Xvfb.  Nobody else
# gets there by the nodes' ports; daemons that are killed, and programs that stand still, do not disturb the others.  It takes 30 s: xauth
# is waited for until its time is over.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

[ "$(id -u)" = 0 ] || tap_skip_all 'only root can see that other users are refused'
for program in Xvfb xauth xdpyinfo xev; do
        command -v $program >/dev/null || tap_skip_all "there is no $program"
done
at_exit cluster_end
chmod 755 "$DIR"
# Ports of their own: one that is started again is found where it was.
cluster_conf '' "NodeName=n[1-3] NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 3))] CPUs=4 RealMemory=1000" PrologFlags=X11 SlurmdTimeout=60 KillWait=1
cd "$DIR" || exit 1
cluster_up 'controller and three nodes' n1 n2 n3

# ---- the X server ----
export XAUTHORITY=$DIR/authority
cookie=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
xauth -q -f authority source - <<<"add $(hostname)/unix:9999 . $cookie" 2>/dev/null
Xvfb -displayfd 6 -noreset -nolisten tcp -auth "$DIR/authority" 6>display >xvfb.log 2>&1 &
xvfb=$!
at_exit kill $xvfb
wait_for 30 grep -q . display
export DISPLAY=:$(cat display)
xauth -q -f authority source - <<<"add $(hostname)/unix$DISPLAY . $cookie"
kill -HUP $xvfb # it reads its cookies again
wait_for 20 xdpyinfo
tap_ok $? "an X server at $DISPLAY" || { sed 's/^/# /' xvfb.log; tap_done; }
from() { SLUMBER_SOCKET=$DIR/$1.sock "${@:2}"; } # NODE COMMAND...: the command's host is that node

# ---- where it is, and where not ----
cat >look <<'END_OF_TASK'
#!/bin/sh
echo "$SLURMD_NODENAME $(xdpyinfo 2>&1 | sed -n 's/^name of display: *//p' | sed 's/localhost:[0-9]*\.0/forwarded/')"
END_OF_TASK
chmod +x look
tap_is "$(from n2 srun --x11 -w n1 ./look 2>&1)" 'n1 forwarded' 'a program on another node finds the X server'
tap_is "$(srun --x11 -w n1 ./look 2>&1)" 'n1 forwarded' 'likewise where the command speaks to the controller itself'
tap_is "$(from n2 srun --x11=first -w 'n[1-2]' ./look 2>&1 | sort | paste -sd' ')" "n1 forwarded n2 $DISPLAY" 'first'
tap_is "$(from n2 srun --x11=LAST -w 'n[1-2]' ./look 2>&1 | sort | paste -sd' ')" "n1 $DISPLAY n2 forwarded" 'last'
tap_is "$(from n2 srun --x11=batch -w 'n[1-2]' ./look 2>&1 | sort | paste -sd' ')" "n1 forwarded n2 $DISPLAY" 'batch'
run from n2 salloc --x11 -w n1 sh -c 'srun ./look; srun --x11 ./look; ./look'
tap_is "$(paste -sd' ' <<<"$out")" "n1 forwarded n1 forwarded  $DISPLAY" 'salloc: its steps have it, its command stays here'
tap_like "$err" 'srun: error: Ignoring --x11 option for a job step within an existing job. Set x11 options at job allocation time.' \
        'a step cannot ask for it'
run from n2 srun --x11=some true
tap_like "$rc|$err" '^[1-9][0-9]*\|srun: error: .*one of all, batch, first and last was expected' 'another word is refused'
run env -u DISPLAY srun --x11 true
tap_is "$rc|$err" '255|srun: error: No DISPLAY variable set, cannot setup x11 forwarding.' 'without DISPLAY it is refused'
run env DISPLAY=foo srun --x11 true
tap_is "$rc|$err" '255|srun: error: Error parsing DISPLAY environment variable. Cannot use X11 forwarding.' 'likewise where it is none'
run env DISPLAY=:9876 salloc --x11 true
tap_is "$rc|$err" "255|salloc: error: Cannot stat() local X11 socket \`/tmp/.X11-unix/X9876\`" 'and where no server is'
run env XAUTHORITY=/nowhere srun --x11 true
tap_like "$rc|$err" '^255\|srun: error: .*Cannot use X11 forwarding.' 'and where there is no cookie'

# ---- much, by many ----
cat >many <<'END_OF_TASK'
#!/bin/bash
for ((k = 0; k < 60; k++)); do xdpyinfo >"$1.$k" 2>&1 & done
wait
grep -l 'version number' "$1".* | wc -l
END_OF_TASK
chmod +x many
tap_is "$(from n2 srun --x11 -w n1 ./many many 2>&1)" 60 '60 programs at once'

# ---- a plain user's job: xauth there makes files beside that with the cookie ----
mkdir nobody && cp authority nobody/authority && chown -R 65534 nobody
mkdir kept && touch kept/file
cat >locks <<END_OF_TASK
#!/bin/sh
folder=\${XAUTHORITY%/*}
xauth -q add \$(hostname)/unix:7 . 00112233445566778899aabbccddeeff && xauth -q list | wc -l
stat -c '%a %u' "\$XAUTHORITY" "\$folder"
$DIR/look
mkdir -p "\$folder/a/b" && ln -s $DIR/kept "\$folder/link" && ln -s $DIR/kept "\$folder/a/b/link"
END_OF_TASK
chmod +x locks
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env SLUMBER_SOCKET="$DIR/n2.sock" XAUTHORITY="$DIR/nobody/authority" HOME=/nowhere "$@"; }
tap_is "$(nobody srun --x11 -w n1 "$DIR/locks" 2>&1 | paste -sd,)" '2,600 65534,700 65534,n1 forwarded' 'a plain user, and its xauth'
unused() { [ -z "$(find spool.n1/steps -name x11 -o -name '.gone-*')" ]; }
wait_for 20 unused
tap_is "$?|$(ls kept)" '0|file' '... what it has left there goes with the job, but not where a link leads'
nobody srun --x11 -w n1 sh -c "$DIR/locks; echo ready; sleep 600" >killed.out 2>&1 </dev/null &
killed=$!
wait_for 20 grep -q ready killed.out
kill -9 $(stepd_pids n1)
wait $killed
wait_for 20 unused
tap_is "$?|$(ls kept)" '0|file' '... also when its daemons are killed' || find spool.n1/steps | sed 's/^/# /'
wait_nodes 20 'n[1-3]' idle

# ---- another user, another cookie ----
cat >hold <<'END_OF_TASK'
#!/bin/bash
echo "$DISPLAY" >"$1.display"
cp "$XAUTHORITY" "$1.authority"
stat -c '%a %u' "$XAUTHORITY" >"$1.mode"
xev >"$1.xev" 2>&1 &
until grep -q . "$1.xev"; do sleep 0.05; done
touch "$1.shows"
until [ -e "$1.end" ]; do sleep 0.05; done
xdpyinfo | head -1
kill %1
END_OF_TASK
chmod +x hold
SLUMBER_SOCKET=$DIR/n2.sock srun --x11 -w n1 ./hold held </dev/null >held.out 2>held.err &
held=$!
wait_for 30 test -e held.shows
tap_ok $? 'a window is shown' || sed 's/^/# /' held.err held.xev
display=$(cat held.display)
tap_is "$(cat held.mode)" '600 0' 'the file with the cookie is for its user alone'
tap_is "$(xauth -f held.authority list | grep -c "$cookie")" 0 "the X server's cookie does not leave its host"
tap_is "$(DISPLAY=$display XAUTHORITY=$DIR/held.authority xdpyinfo | head -1)" "name of display:    $display" \
        'a program of the user with the cookie is let in'
chmod 644 held.authority
run setpriv --reuid=65534 --regid=65534 --clear-groups env DISPLAY="$display" XAUTHORITY="$DIR/held.authority" xdpyinfo
tap_like "$rc|$err" '^1\|.*unable to open display' 'another user is not, whatever it shows'
xauth -q -f other.authority source - <<<"add $(hostname)/unix:${display#*:} . $(tr 0-9a-f 1-9a-f0 <<<"$cookie")" 2>/dev/null
run env DISPLAY="$display" XAUTHORITY="$DIR/other.authority" xdpyinfo
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|Invalid MIT-MAGIC-COOKIE-1 key.*unable to open display' 'nor is one with another cookie'
{ echo "$cookie"; xauth -f held.authority list | awk '{ print $NF }'; } >secrets
tap_is "$( (scontrol show job -d; scontrol --json show job; cat log/*; ps axeww) 2>/dev/null | grep -c -f secrets)" 0 \
        'no command shows a cookie'

# ---- daemons are killed, programs stand still ----
shown() { [ "$(xwininfo -root -tree 2>/dev/null | grep -c 'Event Tester')" = "$1" ]; }
wait_for 20 shown 1
xev_pid=$(pgrep -x xev -P "$(pgrep -f "hold held" | tail -1)" 2>/dev/null | head -1)
[ -z "$xev_pid" ] || kill -STOP "$xev_pid"
tap_is "$(from n2 srun --x11 -w n3 ./look)" 'n3 forwarded' 'a program that stands still holds up itself alone'
[ -z "$xev_pid" ] || kill -CONT "$xev_pid"
registered() { [ "$(grep -c "Node $1 registered" log/ctld)" -gt "$2" ]; }
for node in n1 n2; do
        before=$(grep -c "Node $node registered" log/ctld)
        agent_kill9 $node && agent_start $node && wait_for 20 registered $node "$before"
done
ctld_kill9 && ctld_start
touch held.end
wait $held
tap_is "$?|$(cat held.out)" "0|name of display:    $display" 'kill -9 of each daemon, one after the other: it goes on' || sed 's/^/# /' held.err
wait_for 20 shown 0
tap_ok $? 'the window is gone'
wait_nodes 20 'n[1-3]' idle
run env DISPLAY="$display" XAUTHORITY="$DIR/held.authority" xdpyinfo
tap_like "$rc|$err" '^1\|.*unable to open display' 'and so is the port when the job has ended'

# ---- what forwards it is killed ----
SLUMBER_SOCKET=$DIR/n2.sock srun --x11 -w n1 sh -c 'xev >forsaken.xev 2>&1; echo "xev has ended"; timeout 20 xdpyinfo >/dev/null 2>&1; echo $?' \
        </dev/null >forsaken.out 2>&1 &
pid=$!
wait_for 30 grep -q . forsaken.xev
kill -9 "$(pgrep -P $pid)"
wait $pid
tap_is "$(paste -sd, forsaken.out)" 'xev has ended,1' 'when what forwards X11 is killed programs end, and later ones are refused'

SLUMBER_SOCKET=$DIR/n2.sock srun --x11 -w n1 sh -c 'timeout 30 xev >away.xev 2>&1; echo $?' </dev/null >away.out 2>away.err &
pid=$!
wait_for 30 grep -q . away.xev
forwarder=$(pgrep -P $pid)
before=$(grep -c 'Node n1 registered' log/ctld)
agent_kill9 n1
kill -9 "$forwarder"
agent_start n1 && wait_for 20 registered n1 "$before"
wait $pid
tap_is "$(cat away.out)" 1 '... also on a node whose slumberd was away then'

SLUMBER_SOCKET=$DIR/n2.sock salloc --x11 -w n1 sh -c 'touch again.here; until [ -e again.go ]; do sleep 0.05; done
        until srun true; do sleep 0.1; done; srun sh -c "timeout 20 xdpyinfo >/dev/null 2>&1; echo \$?"' \
        </dev/null >again.out 2>again.err &
pid=$!
wait_for 30 test -e again.here
kill -9 "$(pgrep -P $pid -f '^salloc')"
kill -9 $(stepd_pids n1)
touch again.go
wait $pid
tap_is "$(cat again.out)" 1 '... or whose extern step is another one since' || sed 's/^/# /' again.err

# ---- ... while the controller, or its slumberd, is down ----
orphan() { # NAME HOST NODE: a job whose forwarder is $forwarder, its srun $pid
        SLUMBER_SOCKET=$DIR/$2.sock srun --x11 -w "$3" sh -c "timeout 60 xev >$1.xev 2>&1; echo \$?" </dev/null >"$1.out" 2>"$1.err" &
        pid=$!
        wait_for 30 grep -q . "$1.xev"
        forwarder=$(pgrep -P $pid)
}
orphan first n2 n1; first=$pid killed=$forwarder
orphan second n3 n2; second=$pid killed="$killed $forwarder"
SLUMBER_SOCKET=$DIR/n3.sock srun --x11 -w n3 ./hold third </dev/null >third.out 2>third.err &
third=$!
wait_for 30 test -e third.shows
ctld_kill9
agent_kill9 n3
kill -9 $killed
ctld_start
agent_start n3
wait $first
wait $second
tap_is "$(cat first.out second.out | paste -sd,)" 1,1 'what was killed while the controller and its slumberd were down is missed' ||
        sed 's/^/# /' first.* second.*
touch third.end
wait $third
tap_is "$?|$(cat third.out)" "0|name of display:    $(cat third.display)" 'what comes back to them is not' || sed 's/^/# /' third.err

# ---- the job gives a node back, and the command's slumberd is killed ----
SLUMBER_SOCKET=$DIR/n2.sock salloc --x11 -w 'n[1,3]' -N2 srun -w n3 -N1 -n1 ./hold shrunk </dev/null >shrunk.out 2>shrunk.err &
pid=$!
wait_for 30 test -e shrunk.shows
scontrol update jobid="$(squeue -h -o %i)" nodelist=n3
before=$(grep -c 'Node n2 registered' log/ctld)
agent_kill9 n2 && agent_start n2 && wait_for 20 registered n2 "$before"
touch shrunk.end
wait $pid
tap_is "$?|$(cat shrunk.out)" "0|name of display:    $(cat shrunk.display)" 'a job that has shrunk keeps its X11' || sed 's/^/# /' shrunk.err
wait_nodes 20 'n[1-3]' idle

# ---- the X server ends ----
SLUMBER_SOCKET=$DIR/n2.sock srun --x11 -w n1 sh -c 'xev >xev.out 2>&1; echo "xev has ended"' </dev/null >server.out 2>&1 &
pid=$!
wait_for 30 grep -q . xev.out
kill $xvfb
wait $pid
tap_like "$(cat server.out)" 'xev has ended' 'when the X server ends its programs end'

: >display
Xvfb -displayfd 6 -noreset -nolisten tcp -auth "$DIR/authority" 6>display >xvfb.log 2>&1 &
again=$!
at_exit kill $again
wait_for 30 grep -q . display
export DISPLAY=:$(cat display)
xauth -q -f authority source - <<<"add $(hostname)/unix$DISPLAY . $cookie"
kill -HUP $again
wait_for 20 xdpyinfo

# ---- a node that cannot forward it ----
for folder in spool.n1/steps/.spare-*; do mkdir "$folder/x11"; done # where the cookie is to be
run from n2 srun --x11 -w n1 touch ran
tap_like "$rc|$(paste -sd' ' <<<"$err")|$(ls ran 2>/dev/null)" '^1\|srun: error: Task launch .* failed on node n1: X11: cannot make .*/x11: File exists.*\|$' \
        'a node that cannot forward X11 launches no task, and says why'
tap_is "$(from n2 srun -w n1 printenv DISPLAY)" "$DISPLAY" 'jobs without --x11 begin there'
wait_nodes 20 n1 idle
find spool.n1/steps -name x11 -type d -delete

# ---- X11Parameters=home_xauthority ----
file=$(command -p getent passwd 0 | cut -d: -f6)/.Xauthority
if [ -e "$file" ]; then
        echo "# home_xauthority is not tried: somebody has $file"
else
        echo X11Parameters=home_xauthority >>slurm.conf
        ctld_stop && ctld_start && wait_nodes 20 'n[1-3]' idle
        tap_like "$(from n2 srun --x11 -w n1 sh -c 'echo "$XAUTHORITY"; ./look')" "^$(command -p getent passwd 0 | cut -d: -f6)/.Xauthority" 'home_xauthority'
        at_exit eval '[ ! -p "$file" ] || rm -f "$file" "$file-c" "$file-l"' # a fifo, see below
        row=$(from n2 srun --x11 -w n1 sh -c 'row="unix:${DISPLAY#*:}"; row=${row%.0}; xauth list | grep -o "$row "')
        wait_nodes 20 n1 idle
        no_row() { ! xauth -q -f "$file" list | grep -q "$row"; }
        wait_for 20 no_row
        tap_like "$row|$(xauth -q -f "$file" list 2>/dev/null | grep -c "$row")" '^unix:[0-9]+ \|0$' 'the row there is removed at the end'
        # the next job begins while this one ends, as both wait for xauth
        SLUMBER_SOCKET=$DIR/n2.sock srun --x11 -w n1 sh -c "rm -f '$file'; mkfifo '$file'; touch fifo" </dev/null &
        pid=$!
        wait_for 20 test -e fifo
        SLUMBER_SOCKET=$DIR/n2.sock srun --x11 -w n3 sh -c 'echo "$XAUTHORITY"; ./look' </dev/null >next.out 2>&1 &
        next=$!
        wait $pid
        rc=$?
        wait_nodes 40 n1 idle
        tap_is "$rc $?" '0 0' 'a file that xauth waits for does not hold up the end of the job'
        wait $next
        tap_like "$(paste -sd' ' next.out)" '/Xauthority n3 forwarded$' 'nor its begin: the cookie is in a file of the spool'
        rm -f "$file" "$file-c" "$file-l" # of one that was killed
        wait_nodes 20 'n[1,3]' idle
fi
# ---- without PrologFlags=X11 ----
sed -i 's/^PrologFlags=.*/PrologFlags=Contain/' slurm.conf
ctld_stop && ctld_start && wait_nodes 20 'n[1-3]' idle
run srun --x11 true
tap_is "$rc|$err" '1|srun: error: Unable to allocate resources: X11 forwarding not available' 'without PrologFlags=X11 it is refused'

cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
