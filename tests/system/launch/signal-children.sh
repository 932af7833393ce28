#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Signals are for a step's tasks; with SignalChildrenProcesses=yes of cgroup.conf also for what these have started.  SIGTERM at the
# end of a job or step reaches tasks that have just been forked, too: with cgroup/v1 these have yet to enter the step's group.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1 KillWait=60
cluster_up 'the node is idle' n1
cd "$DIR" || exit 1
cat >task.sh <<'END_OF_TASK'
#!/bin/bash
trap 'echo task >>got' USR1
bash -c 'trap "echo child >>got" USR1; touch ready; until [ -e go ]; do sleep 0.05; done' &
until [ -e ready ] && [ -e go ]; do sleep 0.05; done 2>/dev/null
wait
END_OF_TASK
chmod +x task.sh
signalled() { # WHO...: who has got SIGUSR1, when these have
        rm -f got ready go
        srun --overlap -n1 ./task.sh </dev/null 2>srun.err &
        wait_for 20 test -e ready
        scancel -s USR1 "$(squeue -h -s -o %i | head -1)"
        for who; do wait_for 20 grep -q "$who" got; done
        : >go
        wait $!
        sort -u got | xargs
}
tap_is "$(signalled task)" 'task' 'a signal is for the task alone'
echo SignalChildrenProcesses=yes >cgroup.conf
scontrol reconfigure
tap_is "$(signalled task child)" 'child task' 'with SignalChildrenProcesses=yes also for its child'

sed -i '/SignalChildren/d' cgroup.conf
scontrol reconfigure

# ---- scancel --full: script, tasks and what these have started, once each, also where srun would pass it on ----
cat >waiter.sh <<'END_OF_TASK'
#!/bin/bash
# NAME...: waits for its signals under that name, with a child for each further one
trap 'echo $1 >>got' USR1
[ $# = 1 ] || ./waiter.sh "${@:2}" &
touch "ready.$1"
until [ -e go ]; do sleep 0.05; done 2>/dev/null
wait
END_OF_TASK
cat >full.sh <<'END_OF_JOB'
#!/bin/bash
trap 'echo script >>got' USR1
./waiter.sh script_child &
srun --overlap -n1 ./waiter.sh task child grandchild &
wait; wait; wait
END_OF_JOB
chmod +x waiter.sh full.sh
rm -f got go
id=$(sbatch --parsable -n2 -o full.out full.sh)
wait_for 20 test -e ready.task # step 0
srun --overlap --jobid "$id" -n1 ./waiter.sh other other_child </dev/null 2>srun.err &
other=$!
all='child grandchild other other_child script script_child task'
ready() { local who; for who in $all; do [ "$who" = script ] || [ -e "ready.$who" ] || return; done; }
wait_for 20 ready
full() { # NUMBER: who has not had it so often, when as many have been counted
        wait_for 20 eval '[ "$(wc -l <got)" -ge $(($1 * 7)) ]'
        sort got | uniq -c | awk -v n="$1" '$1 != n' | xargs
}
scancel --full -s USR1 "$id"
tap_is "$(full 1)" '' 'scancel --full: all processes of script and steps have the signal once'
scancel --full -s USR1 "$id"
tap_is "$(full 2)" '' '... and once more'
scancel -f -s USR1 "$id.0"
wait_for 20 eval '[ "$(wc -l <got)" -ge 17 ]'
tap_is "$(sort got | uniq -c | awk '$1 == 3 {print $2}' | xargs)" 'child grandchild task' '... of a step all of its'
touch go
wait $other
wait_job 20 "$id" COMPLETED
tap_is "$?|$(sort got | uniq -c | awk '$1 > 3' | xargs)" '0|' '... and nothing came later'

# ---- no task misses its SIGTERM: it would keep the node for the whole KillWait ----
names() { # OPTION...: squeue has something to say, which is in id
        id=$(squeue -h "$@") && [ "$id" ]
}
late() { # OPTION...: ends what squeue names with these, as soon as it does; how often that took long
        local round i n=0
        for round in 0 1 2 3 4 5 6 7; do
                srun -n64 -O sleep 300 </dev/null 2>>srun.err &
                wait_for 20 names "$@" || return
                for ((i = 0; i < round; i++)); do squeue >/dev/null; done # each at another moment of the launch
                scancel "$id"
                wait_nodes 4 n1 idle || { n=$((n + 1)); scancel -s KILL "${id%.*}"; wait_nodes 30 n1 idle; }
                wait $!
        done
        echo $n
}
story() { # KIND
        tap_is "$(late -t R -o %A)" 0 "$1: jobs that are cancelled while they start end at once"
        tap_is "$(late -s -o %i)" 0 "$1: so do steps"
}
story auto
if [ "$(id -u)" = 0 ] && ! grep -q 'Jobs are in cgroup/v1' log/n1 && grep -q ' cgroup .*freezer' /proc/mounts; then
        agent_stop n1
        echo 'cgroup: v1' >>slumber.yaml
        agent_start n1
        wait_for 20 grep -q 'Jobs are in cgroup/v1' log/n1
        wait_nodes 20 n1 idle
        story v1
        if ! ldd "$SLUMBERD" | grep -q 'lib[at]san'; then # a preloaded library and a sanitizer do not go together
                agent_stop n1
                FAULTY_DISK=$DIR/fault LD_PRELOAD=$SLUMBER_BUILD/tests/system/libfaulty_disk.so agent_start n1
                wait_nodes 20 n1 idle
                echo 'wait -0/0/tasks' >fault # a task is about to enter the group of its step
                srun -n2 sleep 300 </dev/null 2>>srun.err &
                srun=$!
                held() { at=$(ls fault.[0-9]* 2>/dev/null | cut -d. -f2) && [ "$(wc -w <<<"$at")" = 2 ]; }
                wait_for 10 held
                tap_ok $? 'v1: tasks that have been forked, and are not in the group yet'
                scancel "$(squeue -h -o %A)"
                sent() { [ ! -e "/proc/$1" ] || grep -q '^\(Sig\|Shd\)Pnd:.*[4-7c-f]...$' "/proc/$1/status"; }
                all_sent() { local pid; for pid in $at; do sent "$pid" || return; done; }
                wait_for 4 all_sent
                tap_ok $? '... are sent SIGTERM when their job is cancelled'
                rm fault
                wait_nodes 10 n1 idle
                tap_ok $? '... and end by it'
                { kill -KILL $srun; wait $srun; } 2>/dev/null
        fi
fi
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
