#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A controller that stands still (SIGSTOP) or is down while time limits, GraceTime and boot deadlines fall due: what the agents have
# to say is heard first.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cat >"$DIR/nothing" <<'END_OF_PROGRAM'
#!/bin/sh
exit 0
END_OF_PROGRAM
chmod +x "$DIR/nothing"
cluster_conf 'n[1-3]' SlurmdTimeout=300 PreemptType=preempt/partition_prio PreemptMode=CANCEL \
        SuspendProgram="$DIR/nothing" ResumeProgram="$DIR/nothing" SuspendTimeout=1 ResumeTimeout=18 SuspendTime=600 \
        PartitionName= "PartitionName=main Nodes=n[1-2] Default=YES GraceTime=18 PriorityTier=1
PartitionName=high Nodes=n[1-2] PriorityTier=2
PartitionName=cloud Nodes=n3"
cluster_up 'two nodes' n1 n2
cd "$DIR" || exit 1

row() { sacct -n -P -X -j "$1" -o State,ElapsedRaw; }
start() { sbatch --parsable -o /dev/null "$@"; }
over() { [ "$(date +%s)" -gt "$1" ]; } # TIME
script() { echo "until [ -e $1 ]; do sleep 0.05; done; sleep $2"; }
step_runs() { squeue -h -s -j "$1" -o %i | grep -qx "$1.0"; } # JOB
rests() { grep -q '^State:.T' "/proc/$1/status"; }
still() { kill -STOP "$(cat run/ctld.pid)"; wait_for 5 rests "$(cat run/ctld.pid)"; }
# TimeLimit has minutes, EndTime seconds
limit() { # SECONDS JOB...: until the end of each
        local seconds=$1 id
        shift
        for id; do scontrol update "jobid=$id" "endtime=now+$seconds"; done
}
goes_on() { kill -CONT "$(cat run/ctld.pid)"; }

# ---- it stands still ----
limited=$(start -w n1 -t 1 --wrap "$(script enough 1)")
led=$(start -w n1 -t 1 --wrap "srun bash -c '$(script enough 1)'; sleep 0.2; exit 7")
killed=$(start -w n1 -t 1 --wrap 'sleep 600')
wait_job 20 "$limited" RUNNING && wait_job 20 "$killed" RUNNING && wait_for 20 step_runs "$led"
began=$(date +%s)
scontrol update nodename=n3 state=power_down_force reason=test
wait_for 20 eval "sinfo -h -n n3 -o %t | grep -q 'idle~'"
tap_ok $? 'a node sleeps'
# All fall due while it stands: the boot and GraceTime in 18 s, the limits in 12 s.
preempted=$(start -w n2 --exclusive -t 5 --wrap "$(script enough2 0)")
wait_job 20 "$preempted" RUNNING
preemptor=$(start -p high -w n2 --exclusive -t 5 --wrap true)
wait_for 20 grep -q "JobId=$preempted is preempted" log/ctld
boots=$(start -p cloud -w n3 -t 5 --wrap true)
wait_for 10 eval "sinfo -h -n n3 -o %T | grep -q 'allocated#\|mixed#'"
tap_ok $? 'a node boots, a job has its GraceTime'
due=$(($(date +%s) + 18))
limit 12 "$limited" "$led" "$killed"
tap_ok $? '... three have a limit of seconds'
still
stood=$(($(date +%s) - began))
touch enough enough2
agent_start n3 -b
wait_for 30 over "$due"
goes_on
wait_job 20 "$limited" COMPLETED
tap_ok $? 'a job that ended well before its limit has done so' || cluster_logs
IFS='|' read -r state elapsed < <(wait_for 20 eval "row $limited | grep -q ."; row "$limited")
[ "$state" = COMPLETED ] && [ "$elapsed" -ge "$stood" ] && [ "$elapsed" -le $((stood + 6)) ]
tap_ok $? "... in the accounts, too, with the time of its end: $state after $elapsed s, told to end after $stood s"
wait_job 20 "$led" FAILED
tap_is "$(scontrol show job "$led" | grep -o ' ExitCode=[^ ]*')" ' ExitCode=7:0' 'a job goes on to its own end after its srun has ended'
wait_job 20 "$killed" TIMEOUT
tap_ok $? 'one that did not is ended'
wait_job 20 "$boots" COMPLETED
tap_ok $? 'a node that booted meanwhile serves' || sinfo -R | sed 's/^/# /'
tap_like "$(sinfo -h -n n3 -o %T)" '^idle$' '... and is not DOWN'
wait_job 20 "$preemptor" COMPLETED
tap_ok $? 'the preemptor runs'
grep -q "JobId=$preempted has ended within its GraceTime" log/ctld
tap_ok $? 'the preempted job has ended within its GraceTime'
tap_like "$(grep -c 'stood still for' log/ctld)" '^[1-9]' 'the log tells of it'

# ---- it is down ----
limited=$(start -w n1 -t 1 --wrap "$(script enough3 1)")
led=$(start -w n1 -t 1 --wrap "srun bash -c '$(script enough3 1)'; sleep 0.2; exit 7")
killed=$(start -w n1 -t 1 --wrap 'sleep 600')
wait_job 20 "$limited" RUNNING && wait_job 20 "$killed" RUNNING && wait_for 20 step_runs "$led"
limit 8 "$limited" "$led" "$killed"
due=$(($(date +%s) + 8))
ctld_kill9
touch enough3
wait_for 30 over "$due"
ctld_start
wait_job 30 "$limited" COMPLETED
tap_ok $? 'after a restart, too, a job that ended well before its limit has done so' || cluster_logs
wait_job 30 "$led" FAILED
tap_is "$(scontrol show job "$led" | grep -o ' ExitCode=[^ ]*')" ' ExitCode=7:0' '... so does one with an ended srun'
wait_job 30 "$killed" TIMEOUT
tap_ok $? '... and one that did not is ended'
cluster_sound
tap_ok $? 'no daemon has complained of a bug'
tap_done
