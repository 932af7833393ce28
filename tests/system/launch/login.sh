#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumberd --login: the commands of a host that is no node, its sruns and their streams; nothing is
# scheduled there.  A host without a daemon is told what to do.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-3]' SlurmdPort=$((PORT + 1)) TreeWidth=2 KillWait=1
cd "$DIR" || exit 1
cluster_up 'controller and three nodes' n1 n2 n3

SLUMBER_SOCKET=$DIR/no.sock run srun -n1 true
tap_like "$rc|$err" '^1\|.*is slumberd or slumberctld running.*slumberd --login' \
        'srun of a host without a daemon says what to do'

# agent_start says -N: the host's name
agent_start login1 --login
export SLUMBER_SOCKET=$DIR/login1.sock
connected() { grep -q 'Login host login1 is registered' log/login1 && squeue; }
wait_for 20 connected
tap_ok $? 'a login host is connected' || cluster_logs
tap_is "$(sinfo -h -N -o %N | sort | paste -sd' ')" 'n1 n2 n3' 'it is no node'
tap_is "$(srun -N3 --label sh -c 'echo $SLURMD_NODENAME' | sort | paste -sd' ')" \
        '0: n1 1: n2 2: n3' 'a step of three nodes prints there'
tap_is "$(seq 300000 | srun -N1 -n1 cat | cksum)" "$(seq 300000 | cksum)" \
        'input and output are whole'
run sbatch --wait -N2 --wrap 'srun hostname >/dev/null'
tap_is "$rc|$err" '0|' 'a batch job is submitted, and waited for'
run srun -w login1 true
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*[Ii]nvalid node name' 'no job goes there'
tap_is "$(srun -N1 sh -c 'exit 7' 2>/dev/null; echo $?)" 7 'an exit code comes back'

# ---- it is killed while a step prints ----
cat >talk <<'END_OF_TASK'
#!/bin/bash
seq 50000
until [ -e half ]; do sleep 0.05; done
seq 50001 100000
END_OF_TASK
chmod +x talk
srun -N3 --label ./talk </dev/null >talk.out 2>talk.err &
pid=$!
some() { [ "$(wc -l <talk.out)" = 150000 ]; }
wait_for 30 some
agent_kill9 login1 && agent_start login1 --login
touch half
wait $pid
tap_is $? 0 'its slumberd is killed: the step goes on, srun too'
(for k in 0 1 2; do sed -n "s/^$k: //p" talk.out | cmp - <(seq 100000) || exit; done)
tap_ok $? 'what was printed has come once'

# ---- beside slumberctld, where commands find it by themselves ----
here() { env -u SLUMBER_SOCKET timeout 60 "$@" </dev/null; }
if [ -e /run/slumber/slumber.sock ]; then
        echo '# SKIP beside slumberctld: this host has daemons of its own'
else
        tap_is "$(here srun -n1 hostname -s)" "$(hostname -s)" 'without a slumberd commands ask slumberctld'
        head_start() {
                "$SLUMBERD" -D -f "$SLURM_CONF" -N head --spool "$DIR/head" --login >>log/head 2>&1 </dev/null &
                echo $! >run/head.pid
        }
        head_start
        wait_for 20 grep -q 'Login host head is registered' log/head
        tap_is "$?|$(stat -c '%F %a' slumberd.sock)" '0|socket 666' 'slumberd --login listens beside slumberctld'
        # while this host's step prints, slumberctld stands still
        here srun -n1 sh -c 'echo begun; until [ -e go ]; do sleep 0.05; done; seq 1000; until [ -e end ]; do sleep 0.05; done' >head.out &
        pid=$!
        wait_for 20 grep -q begun head.out && kill -STOP "$(cat run/ctld.pid)" && touch go
        wait_for 20 grep -qx 1000 head.out
        tap_ok $? 'streams of srun do not pass slumberctld'
        kill -CONT "$(cat run/ctld.pid)"
        here sattach -v "$(squeue -h -o %i).0" >attach.out 2>attach.err &
        attached=$!
        wait_for 20 grep -q 'attached to StepId' attach.err
        tap_ok $? 'sattach attaches there' || sed 's/^/# /' attach.err
        touch end
        wait $pid && wait $attached
        tap_is $? 0 'both end well'
        id=$(sbatch --parsable --stepmgr -N1 -o /dev/null --wrap 'srun true; until [ -e enough ]; do sleep 0.05; done')
        wait_job 20 "$id" RUNNING
        tap_is "$(here srun --jobid="$id" --overlap printenv SLURM_JOB_ID)" "$id" 'srun reaches the node that makes the steps (--stepmgr)'
        touch enough
        wait_job 20 "$id" COMPLETED
        kill -STOP "$(cat run/head.pid)"
        tap_is "$(here timeout 60 squeue -h -j "$id" -t all -o %T)" COMPLETED 'other commands ask slumberctld, also while it stands still'
        kill -CONT "$(cat run/head.pid)"
        agent_kill9 head
        tap_is "$([ -S slumberd.sock ] && here srun -n1 hostname -s)" "$(hostname -s)" 'when it was killed slumberctld is asked by srun, too'
        head_start
        wait_for 20 eval "[ \$(grep -c 'Login host head is registered' log/head) = 2 ]"
        tap_is "$(here srun -n1 hostname -s)" "$(hostname -s)" '... until it is back'
        agent_stop head
        tap_is "$([ -e slumberd.sock ] && echo left)" '' 'at its end its socket goes'
fi

# ---- it stands still; meanwhile what does not go with --login ----
before=$(grep -c 'Login host login1 is registered' log/login1)
kill -STOP "$(cat run/login1.pid)"
for option in -Z -F --conf=CPUs=1 -b -c --stepd=/bin/true; do
        run "$SLUMBERD" -D -f "$SLURM_CONF" -N x --spool "$DIR/x" --login "$option"
        tap_like "$rc|$err" '^1\|slumberd: error: --login and .*: a login host is no node' \
                "--login $option is refused"
done
wait_for 60 grep -q 'The login host at .* has been silent for .* closed' log/ctld
tap_ok $? 'a login host that says nothing is dropped, long before SlurmdTimeout'
kill -CONT "$(cat run/login1.pid)"
again() { [ "$(grep -c 'Login host login1 is registered' log/login1)" -gt "$before" ] && squeue; }
wait_for 30 again
tap_ok $? 'it connects again when it goes on' || cluster_logs

cluster_sound
tap_ok $? 'no daemon has a bug'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
