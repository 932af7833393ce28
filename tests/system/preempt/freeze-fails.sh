#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A freeze that cannot complete: a process of the victim is in a system call that does not end, and uses CPU.
# The victim goes on, the job that wanted its node waits, and the two never run at one time.  When the file system has gone a scontrol suspend
# shows that the freeze works, and it is tried again at once.
[ "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] || exec unshare -m env PRIVATE_MOUNTS=1 bash "$0" "$@"
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
fed_folder

cluster_conf 'n[1-2]' SelectType=select/linear SelectTypeParameters= PreemptType=preempt/partition_prio \
        PreemptMode=SUSPEND,GANG PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-2]' \
        'PartitionName=active PriorityTier=1 Default=YES' 'PartitionName=hipri PriorityTier=2' 'yaml freeze_timeout: 500ms'
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2
grep -q 'Jobs are in cgroup' log/n1 || tap_skip_all 'no cgroup that freezes: signals cannot stop what is in the kernel'

cat >victim <<'END_OF_JOB'
#!/bin/bash
# one process that will not freeze, and one that ticks
./read_fed &
until [ -e enough.$SLURM_JOB_ID ]; do echo ${EPOCHREALTIME} >>ticks.$SLURM_JOB_ID; sleep 0.01; done
END_OF_JOB
ticks_on() { local n; n=$(wc -l <"ticks.$1") && wait_for 10 eval "[ \$(wc -l <ticks.$1) -gt $((n + 5)) ]"; }

v=$(sbatch --parsable -N1 -w n1 victim) && wait_for 10 test -s "ticks.$v" && fed_is_read
tap_ok $? 'a job with a process that stays in the kernel'

p=$(sbatch --parsable -N1 -w n1 -p hipri --wrap "date +%s.%6N >first.\$SLURM_JOB_ID; until [ -e enough.\$SLURM_JOB_ID ]; do sleep 0.02; done")
wait_for 10 grep -qiE "(freez|froz|stopp|suspend).*" log/n1
wait_for 10 eval "grep -aiE '(JobId=$v|job $v)[^0-9].*(froz|freez|stopp)' log/ctld || grep -aiE '(froz|freez|stopp).*(JobId=$v|job $v)' log/ctld"
tap_ok $? "the controller hears that it did not work: $(grep -aiE 'froz|freez|stopp' log/ctld | tail -1 | cut -d' ' -f2-)"
wait_job 10 "$v" RUNNING && ticks_on "$v"
tap_ok $? 'the victim goes on'
tap_is "$(job_state "$p") $(ls "first.$p" 2>/dev/null)" 'PENDING ' 'the job that wanted its node waits'
o=$(sbatch --parsable -N1 -w n2 -p hipri --wrap true) && wait_job 10 "$o" COMPLETED
tap_ok $? 'the other node serves others meanwhile'
before=$(wc -l <"ticks.$v")
h=$(sbatch --parsable -N2 -p hipri --wrap true)
ticks_on "$v" && ticks_on "$v"
tap_is "$? $(job_state "$p") $(job_state "$h")" '0 PENDING PENDING' 'and so does another one; the victim goes on'
[ "$(wc -l <"ticks.$v")" -gt "$before" ]
tap_ok $? 'it made progress'

# scontrol suspend meets the same wall and says so
run scontrol suspend "$v"
wait_job 10 "$v" RUNNING && ticks_on "$v"
tap_ok $? "scontrol suspend leaves it running, too ($rc: $err)"

tap_like "$?|$(scontrol -o show job "$v")" '^0\|.*NoSuspend=n1: .*did not freeze within 500 ms.* NoSuspendUntil=20' '... and scontrol show job says until when it is not asked'

kill -KILL "$FED"
scontrol suspend "$v" && wait_for 10 eval "! scontrol show job $v | grep -q NoSuspend"
tap_ok $? 'it leaves the kernel: scontrol suspend works, and nothing is said against suspending it any more'
scontrol resume "$v" && wait_for 20 test -s "first.$p" && ticks=$(wc -l <"ticks.$v")
tap_is "$? $(job_state "$v")" '0 SUSPENDED' 'so that it stands still for the other job at once'
o=$(sbatch --parsable -N1 -w n2 -t 1 --wrap true) && wait_job 10 "$o" COMPLETED
tap_is "$(wc -l <"ticks.$v")" "$ticks" 'they do not run at one time'
awk -v s="$(cat "first.$p")" '$1 > s' "ticks.$v" | wc -l >late
tap_is "$(cat late)" 0 '... nor did they before'
touch "enough.$p" "enough.$v" && wait_job 20 "$p" COMPLETED && wait_job 20 "$h" COMPLETED && wait_job 20 "$v" COMPLETED
tap_ok $? 'all end well'
wait_nodes 20 'n[1-2]' idle
tap_ok $? 'the nodes are idle'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
