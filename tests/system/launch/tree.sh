#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A step of more nodes than TreeWidth is launched down a tree of slumberds, and so are the signals,
# the freezing and the end of a wide job: one that stands still, was killed or cannot be reached is
# left out, and its own row comes from the controller; nothing is started twice or lost.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
N=40
# the slumberds listen at any port: n40's would be another test's
cluster_conf "n[1-$N]" SlurmdPort=$((PORT + 1)) TreeWidth=3 KillWait=1 SlurmdTimeout=120
cd "$DIR" || exit 1
ctld_start && for ((i = 1; i <= N; i++)); do agent_start n$i; done &&
        wait_nodes 60 "n[1-$N]" idle
tap_ok $? "controller and $N nodes" || { cluster_logs; tap_done; }
export SLUMBER_SOCKET=$DIR/n$N.sock

cat >task <<'END_OF_TASK'
#!/bin/bash
echo x >>"began/$1.$SLURM_NODEID"
trap 'echo usr1 >"usr1.$SLURM_NODEID"' USR1
until [ -e "end.$1" ]; do sleep 0.2; done
END_OF_TASK
chmod +x task
mkdir began
begun() { [ "$(ls began | grep -c "^$1\.")" -ge "$2" ]; }
once() { # STEP: each task has begun, and once
        begun "$1" $N && [ "$(cat began/"$1".* | wc -l)" = $N ]
}
# ---- a launch ----
srun -N$N ./task one </dev/null >one.out 2>one.err &
pid=$!
wait_for 30 begun one $N
tap_ok $? "a step begins on $N nodes" || sed 's/^/# /' one.err
touch end.one
wait $pid
tap_is "$?|$(cat one.out one.err)" '0|' 'it ends well'
once one
tap_ok $? 'each task has begun once'

# ---- slumberds that stand still ----
# the controller tells n1, n15 and n28, each the first of a third; n28 tells n29
wait_nodes 30 "n[1-$N]" idle
stopped=(n15 n29)
for n in "${stopped[@]}"; do kill -STOP "$(cat "run/$n.pid")"; done
srun -N$N ./task two </dev/null >two.out 2>two.err &
pid=$!
wait_for 40 begun two $((N - 2))
tap_ok $? 'all but two nodes begin though two slumberds stand still' || ls began | sed 's/^/# /'
agent_kill9 n15 && agent_start n15
kill -CONT "$(cat run/n29.pid)"
wait_for 40 begun two $N
tap_ok $? 'these begin when one was killed and the other goes on'
touch end.two
wait $pid
tap_is "$?|$(cat two.err)" '0|' 'the step ends well'
once two
tap_ok $? 'each task has begun once'
tap_like "$(cat log/n* log/ctld)" 'hands nothing on|told (again|directly)' 'the logs say who was left out'

# ---- one that is dead ----
wait_nodes 60 "n[1-$N]" idle
srun -N$N ./task three </dev/null >three.out 2>three.err &
pid=$!
agent_kill9 n2 && agent_start n2
wait_for 40 begun three $N
tap_ok $? 'a slumberd is killed while a step is launched'
touch end.three
wait $pid
tap_is "$?|$(cat three.err)" '0|' 'the step ends well'
once three
tap_ok $? 'each task has begun once'

wait_nodes 60 "n[1-$N]" idle
cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs | tail -n 200
tap_done
