#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kill -9 of slumberd, of slumberstepd and of the controller while jobs run and while they are frozen: jobs go on, stay
# frozen, are found again, and their ends are not lost.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1
cd "$DIR" || exit 1
cat >ticker <<'END_OF_JOB'
#!/bin/bash
# a tick every 20 ms until a file says enough, then its first line is the exit code
until [ -e enough.$SLURM_JOB_ID ]; do echo tick >>ticks.$SLURM_JOB_ID; sleep 0.02; done
exit "$(cat enough.$SLURM_JOB_ID)"
END_OF_JOB

start() { id=$(sbatch --parsable -o /dev/null "$@" ticker) && wait_for 20 test -s "ticks.$id"; }
enough() { echo "$2" >enough.tmp && mv enough.tmp "enough.$1"; }
ticks() { wc -l <"ticks.$1"; }
ticks_on() { local n; n=$(ticks "$1") && wait_for 10 eval "[ \$(ticks $1) -gt $((n + 3)) ]"; }
stands_still() { # ID OTHER: while the other ticks thirty times
        local before n
        before=$(ticks "$1") && n=$(ticks "$2") && wait_for 20 eval "[ \$(ticks $2) -gt $((n + 30)) ]"
        [ "$(ticks "$1")" = "$before" ]
}
registered() { [ "$(grep -c "Node $1 registered" log/ctld)" -gt "$2" ]; }
again() { # NODE: a new slumberd, registered
        local before
        before=$(grep -c "Node $1 registered" log/ctld)
        agent_start "$1" && wait_for 20 registered "$1" "$before"
}

story() { # KIND
        agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
        tap_ok $? "$1: two nodes"

        # ---- a running job ----
        start -w n1 && a=$id && start -w n2 && other=$id
        agent_kill9 n1
        ticks_on "$a"
        tap_ok $? "$1: a job goes on when its slumberd is killed"
        again n1
        tap_ok $? "$1: a new slumberd registers"
        tap_is "$(job_show "$a" '%T %N')" 'RUNNING n1' "$1: the job runs for the controller, too"
        run scontrol show job "$a"
        tap_like "$out" 'Restarts=0' "$1: it was not started again"
        enough "$a" 7 && wait_job 20 "$a" FAILED
        run scontrol show job "$a"
        tap_like "$out" 'ExitCode=7:0' "$1: its exit code arrives"

        start -w n1 && a=$id && agent_kill9 n1 && enough "$a" 9
        wait_for 5 eval '[ $(n=$(ticks $a); sleep 0.1; echo $(($(ticks $a) - n))) = 0 ]'
        again n1 && wait_job 20 "$a" FAILED
        run scontrol show job "$a"
        tap_like "$out" 'ExitCode=9:0' "$1: so does that of a job which ended meanwhile"

        # ---- a frozen one ----
        start -w n1 && a=$id && scontrol suspend "$a" && wait_job 10 "$a" SUSPENDED
        wait_for 10 stands_still "$a" "$other" # the state is what should be, the agent makes it so
        agent_kill9 n1
        stands_still "$a" "$other"
        tap_ok $? "$1: a frozen job stays frozen when slumberd is killed"
        again n1
        stands_still "$a" "$other"
        tap_is "$? $(job_state "$a")" '0 SUSPENDED' "$1: and when a new one has registered"
        scontrol resume "$a" && wait_job 10 "$a" RUNNING && ticks_on "$a"
        tap_ok $? "$1: it goes on when it is told to"
        scontrol suspend "$a" && wait_job 10 "$a" SUSPENDED && agent_kill9 n1
        scontrol resume "$a" 2>/dev/null
        again n1
        wait_for 10 ticks_on "$a"
        tap_is "$? $(job_state "$a")" '0 RUNNING' "$1: a thaw that found no slumberd is made up for"
        enough "$a" 0 && wait_job 20 "$a" COMPLETED
        tap_ok $? "$1: it ends well"

        # ---- the controller ----
        start -w n1 && a=$id && start -w n1 && b=$id
        scontrol suspend "$b" && wait_job 10 "$b" SUSPENDED && wait_for 10 stands_still "$b" "$a"
        ctld_kill9 && ticks_on "$a" && ctld_start
        wait_nodes 20 'n[1-2]' mixed
        tap_is "$? $(job_state "$a") $(job_state "$b") $(job_state "$other")" '0 RUNNING SUSPENDED RUNNING' \
                "$1: after kill -9 of the controller states are as before"
        stands_still "$b" "$a"
        tap_ok $? "$1: and so are the processes"
        ctld_stop && enough "$a" 3 && agent_kill9 n1 && agent_start n1 && ctld_start && wait_job 20 "$a" FAILED
        run scontrol show job "$a"
        tap_like "$out" 'ExitCode=3:0' "$1: an end that was not delivered is delivered later"
        scontrol resume "$b" && ticks_on "$b"
        tap_ok $? "$1: the frozen one is thawed"
        enough "$b" 0 && wait_job 20 "$b" COMPLETED

        # ---- slumberstepd ----
        start -w n1 --no-requeue && a=$id
        # shellcheck disable=SC2046
        kill -KILL $(stepd_pids n1)
        wait_job 20 "$a" 'FAILED|NODE_FAIL|CANCELLED'
        tap_like "$(job_show "$a" '%T %r')" '^(FAILED|NODE_FAIL) [A-Z]' "$1: a job fails with a reason when its step daemon is killed: $(job_show "$a" '%T %r')"
        wait_nodes 20 n1 idle && stands_still "$a" "$other"
        tap_ok $? "$1: none of its processes is left"
        wait_for 5 eval '[ -z "$(ls spool.n1/steps)" ]'
        tap_ok $? "$1: and nothing in the spool folder"

        enough "$other" 0 && wait_job 20 "$other" COMPLETED
        tap_ok $? "$1: the other node saw nothing of all this"
}

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
story auto
agent_stop n1 && agent_stop n2 && echo 'cgroup: none' >>slumber.yaml
story signals
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
