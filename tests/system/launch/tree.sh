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
# Addresses of their own: one that is started again is found where it was.
cluster_conf '' "NodeName=n[1-$N] NodeAddr=127.$NET.1.[1-$N] CPUs=4 RealMemory=1000" SlurmdPort=$((PORT + 1)) TreeWidth=3 KillWait=1 SlurmdTimeout=120
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
srun -Q -N$N ./task one </dev/null >one.out 2>one.err &
pid=$!
wait_for 30 begun one $N
tap_ok $? "a step begins on $N nodes" || sed 's/^/# /' one.err
touch end.one
wait $pid
tap_is "$?|$(cat one.out one.err)" '0|' 'it ends well'
once one
tap_ok $? 'each task has begun once'

# ---- several at once ----
wait_nodes 30 "n[1-$N]" idle
run sbatch --parsable -N$N -o /dev/null --wrap 'for k in a b c; do srun --overlap ./task $k & done; wait'
job=$out
(for k in a b c; do wait_for 40 begun $k $N || exit; done)
tap_ok $? 'three steps begin on all nodes at once'
scancel -s CONT "$job"
touch end.a end.b end.c
wait_job 60 "$job" COMPLETED
tap_ok $? 'a signal may follow, and they end well'
once a && once b && once c
tap_ok $? 'each task has begun once'

# ---- slumberds that stand still ----
# the controller tells n1, n15 and n28, each the first of a third; n28 tells n29
wait_nodes 30 "n[1-$N]" idle
stopped=(n15 n29)
for n in "${stopped[@]}"; do kill -STOP "$(cat "run/$n.pid")"; done
srun -Q -N$N ./task two </dev/null >two.out 2>two.err &
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
tap_like "$(cat log/n* log/ctld)" 'hands nothing on|told (again|directly)' 'the logs say which node was left out'

# ---- one that is dead ----
wait_nodes 60 "n[1-$N]" idle
srun -Q -N$N ./task three </dev/null >three.out 2>three.err &
pid=$!
agent_kill9 n2 && agent_start n2
wait_for 40 begun three $N
tap_ok $? 'a slumberd is killed while a step is launched'
touch end.three
wait $pid
tap_is "$?|$(cat three.err)" '0|' 'the step ends well'
once three
tap_ok $? 'each task has begun once'

# ---- a width of the step's own ----
left_out() { cat log/n* log/ctld | grep -cE 'hands nothing on|told (again|directly)'; }
for width in off 2; do
        wait_nodes 60 "n[1-$N]" idle
        before=$(left_out)
        kill -STOP "$(cat run/n1.pid)"
        srun -Q -N$N --treewidth=$width ./task "$width" </dev/null >width.out 2>width.err &
        pid=$!
        wait_for 40 begun "$width" $((N - 1))
        tap_ok $? "--treewidth=$width: all but one begin though its slumberd stands still"
        case $width in
        off) [ "$(left_out)" = "$before" ] ;;
        *) [ "$(left_out)" -gt "$before" ] ;;
        esac
        tap_ok $? "... $([ $width = off ] && echo 'as each is told directly' || echo 'which was to tell half of them')"
        kill -CONT "$(cat run/n1.pid)"
        touch "end.$width"
        wait $pid
        tap_is "$?|$(cat width.err)" '0|' 'the step ends well'
        once "$width"
        tap_ok $? 'each task has begun once'
done

# ---- signals, freezing, the end ----
wait_nodes 60 "n[1-$N]" idle
run sbatch --parsable -N$N -o /dev/null --wrap 'srun ./task four'
job=$out
wait_for 40 begun four $N
kill -STOP "$(cat run/n28.pid)"
scancel -s USR1 "$job"
agent_kill9 n30 && agent_start n30
told() { [ "$(ls | grep -c '^usr1\.')" -ge "$1" ]; }
wait_for 20 told $((N - 1))
tap_ok $? 'a signal reaches all nodes but one that stands still, also one that was started again'
frozen() { # NUMBER of nodes
        local n=0 folder
        for folder in $(sed -n 's|.*Jobs are in cgroup/v2 below \(/.*\)$|\1|p' log/n* | sort -u); do
                ! grep -q '^frozen 1' "$folder/job$job-0/cgroup.events" || n=$((n + 1))
        done
        [ "$n" -eq "$1" ]
}
if grep -q 'Jobs are in cgroup/v2' log/n1; then
        scontrol suspend "$job"
        wait_for 8 frozen $((N - 1))
        tap_ok $? '... and so is all of the job frozen before the freeze is given up'
        kill -CONT "$(cat run/n28.pid)"
        wait_for 20 frozen $N
        tap_ok $? 'that one freezes it when it goes on'
        scontrol resume "$job"
        wait_for 20 frozen 0
        tap_ok $? 'all of it is thawed'
fi
kill -CONT "$(cat run/n28.pid)"
wait_for 20 told $N
tap_ok $? 'the signal was not lost there'
scancel "$job"
wait_job 60 "$job" CANCELLED
wait_nodes 60 "n[1-$N]" idle
tap_ok $? 'the job is ended on all nodes'

# ---- what a slumberd has heard is lost with it ----
mkdir prologs
cat >prolog <<END_OF_PROLOG
#!/bin/sh
echo >$DIR/prologs/\$SLURMD_NODENAME.begun
while [ -e $DIR/hold ]; do sleep 0.3; done
echo >$DIR/prologs/\$SLURMD_NODENAME.over
END_OF_PROLOG
chmod 755 prolog
printf '%s\n' "Prolog=$DIR/prolog" PrologFlags=Alloc >>"$SLURM_CONF"
run scontrol reconfigure
touch hold
srun -N$N ./task five </dev/null >five.out 2>five.err &
pid=$!
prologs() { [ "$(ls prologs | grep -c "$1\$")" -ge "$2" ]; }
wait_for 40 prologs begun $N
kill -STOP "$(cat run/n15.pid)" # it answers for n16 to n27
rm hold
wait_for 40 prologs over $N
agent_kill9 n15 && agent_start n15
wait_for 40 begun five $N
tap_ok $? 'a step begins though one was killed that had answers of other nodes' || squeue
touch end.five
wait $pid
tap_is "$?|$(cat five.err)" '0|' 'the step ends well'

cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs | tail -n 200
tap_done
