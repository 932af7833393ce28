#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a step prints and reads goes from slumberd to slumberd: the controller sees none of it, and may stand still or be dead.  Both
# slumberds are killed meanwhile, a srun does not read, and a slumberd that cannot be reached has its streams by the controller.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
# Ports of their own: one that is started again is found where it was.
cluster_conf '' "NodeName=n[1-3] NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 3))] CPUs=4 RealMemory=1000" KillWait=1 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && for n in n1 n2 n3; do agent_start $n; done && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'controller and three nodes' || { cluster_logs; tap_done; }
from_n2() { SLUMBER_SOCKET=$DIR/n2.sock srun "$@"; }
by_controller() { # messages of streams that it has had
        sdiag 2>/dev/null | awk '/STEP_IO/ { sub(/.*count:/, ""); n += $1 } END { print n + 0 }'
}
larger() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt "$2" ]; }
registered() { [ "$(grep -c "Node $1 registered" log/ctld)" -gt "$2" ]; }
restart_agent() { # NODE: kill -9, and a new one that is registered
        local before
        before=$(grep -c "Node $1 registered" log/ctld)
        agent_kill9 "$1" && agent_start "$1" && wait_for 20 registered "$1" "$before"
}
cpu() { awk '{ print $14 + $15 }' "/proc/$(cat run/ctld.pid)/stat"; } # in ticks of 10 ms

# ---- told to end, a step takes its time ----
SLUMBER_SOCKET=$DIR/n2.sock timeout -s TERM 1 srun -w n3 sh -c 'trap "sleep 11; echo saved; exit" TERM; while :; do sleep 0.1; done' </dev/null >saved.out 2>&1 &
saves=$!

# ---- much output, much input ----
from_n2 -w n1 true </dev/null
before=$(by_controller) ticks=$(cpu)
tap_is "$(from_n2 -w n1 head -c 100000000 /dev/zero </dev/null 2>&1 | wc -c)" 100000000 '100 MB from another node'
tap_is "$(head -c 20000000 /dev/zero | from_n2 -w n1 -N1 wc -c 2>&1)" 20000000 '20 MB to another node'
n=$(($(by_controller) - before)) ticks=$(($(cpu) - ticks))
tap_ok $((n > 20)) "the controller has had a few small messages of that: $n"
tap_ok $((ticks > 20)) "and has used no more than some ticks of CPU time: $ticks"

# ---- and users of the machine have the CPU meanwhile ----
policy() { awk '{ print $41 }' "/proc/$(cat run/n1.pid)/stat"; } # 0: SCHED_OTHER, 2: SCHED_RR
has_policy() { [ "$(policy)" = "$1" ]; }
if has_policy 2; then
        from_n2 -w n1 sh -c 'while [ ! -e stop ]; do head -c 10000000 /dev/zero; done' </dev/null >/dev/null 2>&1 & pid=$!
        wait_for 20 has_policy 0
        tap_ok $? 'a slumberd that moves much output has no real-time priority'
        touch stop
        wait $pid
        wait_for 20 has_policy 2
        tap_ok $? '... and has it again afterwards'
else
        tap_ok 0 'a slumberd that moves much output # SKIP no real-time priority here'
fi

wait $saves
tap_like "$?|$(cat saved.out)" '^124\|saved$' 'srun waits for a step that was told to end and says nothing for long'

# ---- the controller stands still ----
cat >talk <<'END_OF_TASK'
#!/bin/bash
trap 'echo signal' USR1
echo begin
while read -r line; do echo "said $line"; done
echo end
exit 5
END_OF_TASK
chmod +x talk
mkfifo in
talk_begin() { # OUTPUT
        SLUMBER_SOCKET=$DIR/n2.sock srun -w n1 -N1 ./talk <in >"$1" 2>"$1.err" &
        pid=$!
        exec 7>in
        wait_for 20 grep -q begin "$1" && echo zero >&7 && wait_for 20 grep -q 'said zero' "$1"
}
connected() { ss -Htn state established | grep -cE ":($(cat spool.n*/port | paste -sd'|')) "; }
stands() { [ "$(connected)" -gt 0 ]; }
talk_begin stopped.out
wait_for 20 stands
kill -STOP "$(cat run/ctld.pid)"
echo one >&7
wait_for 20 grep -q 'said one' stopped.out
tap_ok $? 'input and output go on while the controller stands still'
kill -USR1 $pid
wait_for 20 grep -q signal stopped.out
tap_ok $? 'so do signals'
kill -CONT "$(cat run/ctld.pid)"
exec 7>&-
wait $pid
tap_is "$?|$(paste -sd' ' stopped.out)" '5|begin said zero said one signal end' 'all has arrived once'

# ---- the controller is dead ----
talk_begin dead.out
wait_for 20 stands
ctld_kill9
echo one >&7
wait_for 20 grep -q 'said one' dead.out
tap_ok $? 'input and output go on while the controller is dead'
wait_for 20 grep -q 'Unable to contact slurm controller: StepId=[0-9.]* goes on' dead.out.err
tap_ok $? 'srun says that it waits for the controller'
echo two >&7
wait_for 20 grep -q 'said two' dead.out
tap_ok $? '... and goes on nevertheless'
exec 7>&-
wait_for 20 grep -q end dead.out
ctld_start
wait $pid
tap_is "$?|$(paste -sd' ' dead.out)" '5|begin said zero said one said two end' 'its exit code comes from the next one' || sed 's/^/# /' dead.out.err
wait_nodes 20 'n[1-3]' idle

# ---- both slumberds are killed ----
cat >lines <<'END_OF_TASK'
#!/bin/bash
for ((k = 0; k < 40; k++)); do seq $((k * 12500 + 1)) $((k * 12500 + 12500)); sleep 0.02; done
exit 3
END_OF_TASK
chmod +x lines
seq 500000 >lines.all
from_n2 -w n1 ./lines </dev/null >kills.out 2>kills.err &
pid=$!
wait_for 20 larger kills.out 100000 && restart_agent n1
wait_for 20 larger kills.out 500000 && restart_agent n2
wait_for 20 larger kills.out 1000000 && ctld_kill9 && agent_kill9 n1 && agent_start n1 && ctld_start
wait $pid
tap_is "$?|$(cmp kills.out lines.all 2>&1)" '3|' 'kill -9 of each daemon, one after the other: all has arrived once' || sed 's/^/# /' kills.err
wait_nodes 20 'n[1-3]' idle
seq 120000 >some.all
(cat some.all; touch fed) | from_n2 -w n1 -N1 sh -c 'while read -r l; do echo "$l"; done; exit 4' >both.out 2>both.err &
pid=$!
wait_for 20 larger both.out 100000 && restart_agent n2
wait_for 20 larger both.out 300000 && restart_agent n1
wait $pid
tap_is "$?|$(cmp both.out some.all 2>&1)" '4|' 'likewise input' || sed 's/^/# /' both.err

# ---- a srun that does not read ----
SLUMBER_SOCKET=$DIR/n2.sock srun -w n1 -n4 --overcommit sh -c 'head -c 8000000 /dev/zero | tr "\0" x; echo; exit 0' </dev/null >many.out 2>many.err &
pid=$!
wait_for 20 larger many.out 1 # it reads
kill -STOP $pid
tap_is "$(from_n2 -w n1 -s head -c 20000000 /dev/zero </dev/null 2>&1 | wc -c)" 20000000 'while one srun stands still another one has its output'
kill -CONT $pid
wait $pid
tap_is "$?|$(tr -d '\n' <many.out | wc -c)" '0|32000000' 'and the first one gets all of its own'

# ---- a slumberd that cannot be reached ----
elsewhere() { # PORT: n3 listens at an address of its own, and others look for it at 127.0.0.1
        agent_stop n3
        sed "s/NodeAddr=127.0.0.1 Port=[^ ]*/NodeAddr=127.9.9.9 Port=[$(($1 - 2))-$1]/" slurm.conf >other.conf
        local n
        n=$(grep -c 'Node n3 registered' log/ctld)
        SLURM_CONF=$DIR/other.conf agent_start n3
        wait_for 20 registered n3 "$n"
}
elsewhere $((PORT + 4))
tap_is "$(SLUMBER_SOCKET=$DIR/n3.sock srun -w n1 sh -c 'head -c 3000000 /dev/zero' </dev/null | wc -c)" 3000000 'where srun cannot be reached, output comes by the controller'
tap_is "$(head -c 3000000 /dev/zero | SLUMBER_SOCKET=$DIR/n3.sock srun -w n1 -N1 wc -c)" 3000000 '... and input goes'
tap_is "$(from_n2 -w n3 sh -c 'head -c 3000000 /dev/zero' </dev/null | wc -c)" 3000000 'likewise where the node cannot be reached'
tap_is "$(head -c 3000000 /dev/zero | from_n2 -w n3 -N1 wc -c)" 3000000 '... and input'
elsewhere $((PORT + 2)) # where others look for it is another slumberd
tap_is "$(SLUMBER_SOCKET=$DIR/n3.sock srun -w n1 sh -c 'head -c 3000000 /dev/zero' </dev/null | wc -c)" 3000000 'where another slumberd is at the address, too'
tap_is "$(grep -c "streams of step 0 go by the controller: .* at 127.0.0.1:$((PORT + 4))" log/n1)|$(grep -c "streams of step 0 go by the controller: .* at 127.0.0.1:$((PORT + 2))" log/n1)" '1|1' 'the log says so once for each of these steps'

wait_nodes 20 'n[1-3]' idle
cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
