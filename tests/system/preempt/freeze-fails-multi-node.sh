#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job on three nodes is to be stopped, and one of them cannot (a process there is in a system call that does not end, and uses CPU): it
# thaws on all three and is left alone, and the next choice is taken.  Then a job with a silent agent, and one with an agent that is killed
# in the middle of the freeze.  At no time does the job that waited for the place run beside it.
[ "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] || exec unshare -m env PRIVATE_MOUNTS=1 bash "$0" "$@"
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
fed_folder

cluster_conf 'n[1-4]' SelectType=select/linear SelectTypeParameters= PreemptType=preempt/partition_prio \
        PreemptMode=SUSPEND,GANG PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-4]' \
        'PartitionName=low PriorityTier=1 Default=YES' 'PartitionName=middle PriorityTier=2' 'PartitionName=high PriorityTier=3' \
        'yaml freeze_timeout: 500ms'
cd "$DIR" || exit 1
cluster_up 'four nodes' n1 n2 n3 n4
grep -q 'Jobs are in cgroup' log/n1 || tap_skip_all 'no cgroup that freezes: signals cannot stop what is in the kernel'

cat >tick.sh <<'END_OF_JOB'
#!/bin/bash
# ticks on each of its nodes; argument: on that one a process sticks
exec srun bash -c '[ "$1" = "$SLURMD_NODENAME" ] && { ./read_fed & }
        until [ -e enough.$SLURM_JOB_ID ]; do echo $EPOCHREALTIME >>ticks.$SLURM_JOB_ID.$SLURMD_NODENAME; sleep 0.01; done' - "$1"
END_OF_JOB
chmod +x tick.sh
count() { wc -l <"ticks.$1"; }
goes_on() { # ID NODE...: it ticks again on each of them
        local id=$1 n k
        shift
        for n; do k=$(count "$id.$n") && wait_for 10 eval "[ \$(count $id.$n) -gt $((k + 5)) ]" || return 1; done
}
stands_still() { # FILE OTHER: no tick of FILE while OTHER makes thirty
        local before n
        before=$(count "$1") n=$(count "$2")
        wait_for 10 eval "[ \$(count $2) -gt $((n + 30)) ]" && [ "$(count "$1")" = "$before" ]
}
# Jobs that run at the same time on a node alternate with each tick.
changes() { for f in ticks.*."$1"; do sed "s/\$/ $f/" "$f"; done | sort -n | awk '$2 != last { n++; last = $2 } END { print n - 1 }'; }
ended_and_idle() { wait_job 20 "$1" COMPLETED && wait_nodes 20 'n[1-4]' idle; }

# ---- one node of three cannot ----
v=$(sbatch --parsable -N3 -w n[1-3] tick.sh n2) && wait_for 20 test -s ticks.$v.n1 -a -s ticks.$v.n2 -a -s ticks.$v.n3 && fed_is_read
tap_ok $? 'a job on three nodes, with a process that stays in the kernel on one of them'
w=$(sbatch --parsable -p middle -N1 -w n4 tick.sh) && wait_for 20 test -s ticks.$w.n4
tap_ok $? 'another one on the fourth, of a higher tier'
p=$(sbatch --parsable -p high -N1 tick.sh)
wait_for 20 grep -q "JobId=$v could not be stopped on n2" log/ctld
rc=$?
why=$(scontrol show job $v) # now: after ten seconds it may be stopped again
tap_ok $rc "the first choice is the lower tier, and does not work: $(grep "JobId=$v could not" log/ctld | cut -d' ' -f3-)"
wait_for 20 test -s ticks.$p.n4
tap_is "$? $(squeue -h -S i -o %t | paste -sd' ')" '0 R S R' 'the next choice is taken'
tap_is "$(ls ticks.$p.*)" ticks.$p.n4 '... and the new job runs there'
goes_on $v n1 n2 n3
tap_ok $? 'the one that could not be stopped goes on, on all of its nodes'
tap_like "$why" 'NoSuspend=n2: .*did not freeze within 500 ms; (hanging in the kernel|still running): [0-9]+ \(dd\) NoSuspendUntil=20' \
        '... and scontrol show job says why'
stands_still $w.n4 $p.n4
tap_ok $? 'the other one stands still'
touch enough.$p && goes_on $w n4
tap_ok $? '... and goes on afterwards'
failures=$(grep -c "JobId=$v could not be stopped" log/ctld)
p=$(sbatch --parsable -p high -N3 -w n[1-3] tick.sh) && wait_for 90 eval "[ \$(grep -c 'JobId=$v could not be stopped' log/ctld) -gt $failures ]"
goes_on $v n1 n2 n3
tap_is "$? $(job_state $v) $(job_state $p)" '0 RUNNING PENDING' 'after a pause it is asked again, and goes on again'
kill -KILL "$FED"
wait_for 90 test -s ticks.$p.n1 -a -s ticks.$p.n2 -a -s ticks.$p.n3 && stands_still $v.n2 $p.n2
tap_is "$? $(job_state $v)" '0 SUSPENDED' 'and once more: the file system is gone, and it stands still'
touch enough.$p && goes_on $v n1 n2 n3 && touch enough.$v enough.$w && wait_job 20 $w COMPLETED && ended_and_idle $v
tap_ok $? 'all end well'

# ---- an agent that says nothing ----
v=$(sbatch --parsable -N3 -w n[1-3] tick.sh) && wait_for 20 test -s ticks.$v.n1 -a -s ticks.$v.n2 -a -s ticks.$v.n3
kill -STOP "$(cat run/n3.pid)"
p=$(sbatch --parsable -p high -N1 -w n1 tick.sh)
wait_for 10 eval '[ "$(squeue -h -S i -o %t | paste -sd" ")" = "S CF" ]'
wait_for 10 stands_still $v.n1 $v.n3 && wait_for 10 stands_still $v.n2 $v.n3
tap_ok $? 'an agent does not answer: the other nodes stand still, and no job takes the place'
# ---- ... and is killed before it has ----
{ kill -KILL "$(cat run/n3.pid)"; wait "$(cat run/n3.pid)"; } 2>/dev/null
agent_start n3
wait_for 20 test -s ticks.$p.n1
tap_ok $? 'a new agent stops its part, and the place is taken'
stands_still $v.n1 $p.n1 && stands_still $v.n2 $p.n1 && stands_still $v.n3 $p.n1
tap_ok $? 'it stands still on all of its nodes'
touch enough.$p && goes_on $v n1 n2 n3
tap_ok $? '... and goes on on all of them'
touch enough.$v && ended_and_idle $v
tap_ok $? 'all end well'

# ---- the node of one that stands still is lost for good ----
v=$(sbatch --parsable -N3 -w n[1-3] tick.sh) && wait_for 20 test -s ticks.$v.n1 -a -s ticks.$v.n2 -a -s ticks.$v.n3
p=$(sbatch --parsable -p high -N1 -w n1 tick.sh) && wait_for 20 test -s ticks.$p.n1
agent_kill9 n3
scontrol update nodename=n3 state=down reason=gone
wait_job 10 $v PENDING && goes_on $p n1
tap_ok $? 'a node of the one that stands still is lost: it goes back to the queue, the other runs on'
touch enough.$p
scancel $v
agent_start n3 && scontrol update nodename=n3 state=resume
wait_nodes 20 'n[1-4]' idle
tap_ok $? 'what was left of it is ended, and the nodes are idle'
for n in 1 2 3 4; do
        tap_ok "$(($(changes n$n) > 7))" "n$n: jobs changed places $(changes n$n) times, and never ran at one time"
done
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
