#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun --debugger-test: where each task is, which stands still at the first instruction of its program until SIGCONT.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]'
cluster_up 'a cluster' n1 n2
cd "$DIR" || exit 1
srun --debugger-test -N2 -n3 -m block sh -c 'echo "task $SLURM_PROCID"; exit 3' >out 2>err &
srun=$!
lines() { [ "$(grep -c '^srun: task:' err)" = "$1" ]; }
wait_for 20 lines 3
tap_ok $? 'a line for each task' || sed 's/^/# /' err
tap_like "$(sed 's/pid:[0-9]*/pid:PID/' err | paste -sd'|')" \
        '^srun: task:0, host:n1, pid:PID, executable:sh\|srun: task:1, host:n[12], pid:PID, executable:sh\|srun: task:2, host:n2, pid:PID, executable:sh$' \
        'rank, node, process and program, by rank'
mapfile -t pids < <(sed -n 's/.*pid:\([0-9]*\),.*/\1/p' err)
stopped() {
        local p
        for p in "${pids[@]}"; do
                [[ $(sed -n 's/^State:.//p; s/^TracerPid:.//p' "/proc/$p/status" | paste -sd' ') = 'T (stopped) 0' ]] || return 1
        done
}
wait_for 20 stopped
tap_ok $? 'each stands still, and a debugger could attach' || grep -E '^(State|TracerPid)' "/proc/${pids[0]}/status"
tap_like "$(tr '\0' ' ' <"/proc/${pids[2]}/cmdline")" '^sh -c echo' '... in its program'
tap_is "$(cat out)" '' '... of which nothing has run'
kill -CONT "${pids[@]}"
wait "$srun"
tap_is "$?|$(sort out | paste -sd,)" '3|task 0,task 1,task 2' 'after SIGCONT they run, and srun has their exit code'

printf '0 sh -c "exit 0"\n1 true\n' >many
srun --debugger-test -N1 -n2 --multi-prog many 2>err &
srun=$!
wait_for 20 lines 2
tap_is "$(sed 's/.*executable://' err | paste -sd,)" sh,true '--multi-prog: each its own'
srun -N1 -w n2 true
tap_is "$?" 0 'other steps are not stopped'
kill -TERM "$srun"
wait "$srun"
tap_is "$(squeue -h -o %i)" '' 'SIGTERM ends tasks that stand still' || squeue

# ---- the controller is killed before the processes are told ----
cat >prolog <<END
#!/bin/sh
touch "$DIR/in.\$SLURMD_NODENAME"
until [ -e "$DIR/go.\$SLURMD_NODENAME" ]; do sleep 0.05; done
END
chmod +x prolog
stopped_tasks() { # NUMBER
        local p n=0
        for p in $(pgrep -f -- "$DIR/mark"); do
                grep -q '^State:.T (stopped)' "/proc/$p/status" && n=$((n + 1))
        done
        [ "$n" = "$1" ]
}
for told in 0 1; do # nodes whose tasks are known before
        rm -f go.* in.*
        [ "$told" = 0 ] || touch go.n2
        srun --debugger-test --task-prolog "$DIR/prolog" -N2 -n2 sh -c 'exit $SLURM_PROCID' "$DIR/mark" 2>err &
        srun=$!
        wait_for 20 test -e in.n1
        wait_for 20 test -e in.n2
        wait_for 20 stopped_tasks "$told"
        ctld_kill9
        touch go.n1 go.n2
        wait_for 20 stopped_tasks 2
        tap_ok $? "$told of two nodes has told its tasks when the controller is killed"
        ctld_start
        wait_for 30 lines 2
        tap_is "$(grep '^srun: task:' err | sed 's/pid:[0-9]*/pid:PID/' | paste -sd'|')" \
                'srun: task:0, host:n1, pid:PID, executable:sh|srun: task:1, host:n2, pid:PID, executable:sh' \
                '... and they are told, once, when it is back' || cat err
        mapfile -t pids < <(sed -n 's/.*pid:\([0-9]*\),.*/\1/p' err)
        kill -CONT "${pids[@]}"
        wait "$srun"
        tap_is "$?" 1 '... of these processes, which go on'
done
run srun --debugger-test no-such-program
tap_like "$rc|$err" '^2\|.*no-such-program' 'a program that is not there ends as without it'
tap_done
