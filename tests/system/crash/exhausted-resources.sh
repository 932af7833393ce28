#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Inotify instances, descriptors, processes, room on the disk and memory are used up under a freeze, a launch and a commit: no
# daemon ends for want of the first four, each failure is told and passes with its cause, and what was acknowledged stays.
# In namespaces of its own: the limits are no other's affair.
if [ -z "${OWN_LIMITS:-}" ]; then
        [ "$(id -u)" = 0 ] && unshare -U true 2>/dev/null || { echo '1..0 # SKIP only root can have namespaces with its own users'; exit 0; }
        ready=$(mktemp -u) && mkfifo "$ready"
        OWN_LIMITS=1 unshare -U -m bash -c 'read -r _ <"$1"; exec bash "$2"' - "$ready" "$0" &
        child=$!
        trap 'kill $child' TERM INT
        until [ "$(readlink /proc/$child/ns/user)" != "$(readlink /proc/$$/ns/user)" ]; do sleep 0.01; done
        echo '0 0 65536' >/proc/$child/uid_map && echo '0 0 65536' >/proc/$child/gid_map
        echo >"$ready"
        rm -f "$ready"
        wait $child
        rc=$?
        wait $child # a signal has ended the first wait
        exit $rc
fi
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
instances=/proc/sys/user/max_inotify_instances
{ echo 1000 >$instances && mount -t tmpfs -o size=1M,mode=755 none "$DIR" && umount "$DIR"; } 2>/dev/null ||
        tap_skip_all 'no limits or file systems of its own'

pids=/sys/fs/cgroup/pids/slumber-test-$$
at_exit eval "umount '$DIR/spool.n1' '$DIR/state' 2>/dev/null; [ ! -d $pids ] || rmdir $pids"
at_exit cluster_end
cluster_conf n1 SelectType=select/linear SelectTypeParameters= PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG \
        PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n1' 'PartitionName=low PriorityTier=1 Default=YES' \
        'PartitionName=high PriorityTier=2' SchedulerTimeSlice=5 'yaml freeze_timeout: 5s'
cd "$DIR" || exit 1
mkdir -p spool.n1 state
mount -t tmpfs -o size=4M,mode=755 none spool.n1 && mount -t tmpfs -o size=16M,mode=700 none state
cluster_up 'a node'  n1
grep -q 'Jobs are in cgroup/v2' log/n1 || tap_skip_all 'no cgroup v2'
agent=$(cat run/n1.pid) ctld=$(cat run/ctld.pid)
alive() { # they are the ones that were started
        ! gone "$agent" && ! gone "$ctld" && [ "$(sinfo -h -o %T)" != 'down*' ]
}
cat >tick.sh <<'END_OF_JOB'
#!/bin/bash
until [ -e enough.$SLURM_JOB_ID ]; do echo $EPOCHREALTIME >>ticks.$SLURM_JOB_ID; sleep 0.01; done
END_OF_JOB
begin() { id=$(sbatch --parsable "$@" tick.sh) && wait_for 20 test -s "ticks.$id"; }
goes_on() { local k; k=$(wc -l <"ticks.$1") && wait_for 20 eval "[ \$(wc -l <ticks.$1) -gt $((k + 3)) ]"; }
finish() { touch "enough.$1" && wait_job 30 "$1" COMPLETED; }
freeze_and_thaw() { # of job id, by a preemptor
        local p
        p=$(sbatch --parsable -p high --wrap true) && wait_job 30 "$p" COMPLETED && goes_on "$id"
}

# ---- inotify ----
echo 0 >$instances
begin && freeze_and_thaw
tap_ok $? 'no inotify instance: a job is frozen for another one, and thawed'
begin -p high --export=ALL && scancel "$id" && wait_job 20 "$id" CANCELLED
tap_ok $? '... and one is launched and ended'
alive
tap_ok $? '... and the daemons live'
echo 1000 >$instances
id=$(squeue -h -o %i) && freeze_and_thaw
tap_ok $? 'there are some again'

# ---- descriptors ----
limit_files() { # PID: it gets no new ones
        files=$(prlimit --pid "$1" --nofile --noheadings -o SOFT | tr -d ' ') && prlimit --pid "$1" --nofile=0:
}
limit_files "$agent"
p=$(sbatch --parsable -p high --wrap true)
wait_for 20 eval "scontrol show job $id | grep -q 'NoSuspend=n1: cannot freeze'"
tap_ok $? "no descriptor: the agent tells that it cannot freeze" || scontrol show job "$id" | sed 's/^/# /'
goes_on "$id" && alive
tap_ok $? '... the job goes on, and the daemons live'
scancel "$id"
prlimit --pid "$agent" --nofile="$files:"
wait_job 30 "$id" CANCELLED && wait_job 90 "$p" 'COMPLETED|PENDING' && wait_nodes 60 n1 'idle|allocated|mixed'
tap_ok $? '... one that is to end ends when there are descriptors'
[ ! -e "ticks.$id" ] || { n=$(wc -l <"ticks.$id"); wait_job 90 "$p" COMPLETED && [ "$(wc -l <"ticks.$id")" = "$n" ]; }
tap_ok $? '... and was not taken for gone before that'
limit_files "$agent"
id=$(sbatch --parsable tick.sh) && wait_for 20 eval "[ \"\$(job_state $id)\" = PENDING ] && squeue -h -j $id -o %r | grep -qi 'launch'"
tap_ok $? 'no descriptor: a launch is refused, and its job held'
prlimit --pid "$agent" --nofile="$files:"
alive && scontrol release "$id" && wait_for 20 test -s "ticks.$id" && finish "$id"
tap_ok $? '... released it runs'
limit_files "$ctld"
sbatch --parsable --wrap true >late.id 2>late.err &
pid=$!
timeout 2 sinfo >/dev/null 2>&1
alive_pids() { ! gone "$agent" && ! gone "$ctld"; }
alive_pids && [ ! -s late.id ]
tap_ok $? 'no descriptor in the controller: a job is not acknowledged'
prlimit --pid "$ctld" --nofile="$files:"
wait_for 60 gone $pid && wait_job 30 "$(cat late.id)" COMPLETED && begin && finish "$id" && alive
tap_ok $? '... until there are some; it waits for that, and runs'

# ---- processes ----
if mkdir "$pids" 2>/dev/null && echo "$ctld" >"$pids/cgroup.procs" 2>/dev/null; then
        begin && a=$id
        # shellcheck disable=SC2046
        for p in $(descendants "$agent"); do echo "$p" >"$pids/cgroup.procs"; done 2>/dev/null
        # with the job's sleep, which is another process each time
        for _ in {1..50}; do cat "$pids/pids.current"; sleep 0.003; done | sort -n | tail -n 1 >"$pids/pids.max"
        p=$(sbatch --parsable -p high --wrap true)
        wait_for 30 eval "squeue -h -j $p -o %r | grep -qi launch"
        tap_ok $? 'no process: a job is frozen, the launch of the other fails and it is held' || squeue | sed 's/^/# /'
        alive && goes_on "$a"
        tap_ok $? '... and the job goes on'
        echo max >"$pids/pids.max"
        scontrol release "$p" && wait_job 30 "$p" COMPLETED && goes_on "$a" && finish "$a"
        tap_ok $? '... and the other runs when there are processes'
fi

# ---- disk ----
begin && a=$id
head -c 100M /dev/zero >spool.n1/fill 2>/dev/null
{ printf '#!/bin/bash\n'; head -c 200000 /dev/zero | tr '\0' '#'; } >large.sh
p=$(sbatch --parsable -p high large.sh) && wait_for 30 eval "squeue -h -j $p -o %r | grep -qi launch"
tap_ok $? "the node's disk is full: a launch is refused" || squeue | sed 's/^/# /'
goes_on "$a" && alive
tap_ok $? '... the other job was frozen for it, and goes on'
rm spool.n1/fill
scontrol release "$p" && wait_job 30 "$p" COMPLETED && finish "$a"
tap_ok $? '... and all runs when there is room'

# ---- memory: an allocation that fails ends a daemon; that is no worse than kill -9 ----
begin && a=$id
ends_or_answers() {
        local socket=$SLUMBER_SOCKET
        [ $name = ctld ] || socket=$DIR/$name.sock
        gone "$pid" || SLUMBER_SOCKET=$socket timeout 10 sinfo
}
for name in ctld n1; do
        pid=$(cat run/$name.pid)
        prlimit --pid "$pid" --as="$(awk '/VmSize/ { print $2 * 1024 }' "/proc/$pid/status"):"
        ids=()
        { printf '#!/bin/bash\n'; head -c 3000000 /dev/zero | tr '\0' '#'; } >large.sh
        for k in 1 2 3 4 5 6; do
                j=$(timeout 20 sbatch --parsable -H large.sh 2>/dev/null) && ids+=("$j")
        done
        timeout 20 scontrol suspend "$a" 2>/dev/null
        timeout 20 scontrol resume "$a" 2>/dev/null
        # one that ends for want of memory may take its time
        gone "$pid" || prlimit --pid "$pid" --as=unlimited: 2>/dev/null
        wait_for 20 ends_or_answers
        if gone "$pid"; then
                rm -f run/$name.pid
                [ $name = ctld ] && ctld_start
                [ $name = n1 ] && agent_start n1
        fi
        wait_for 30 sinfo && scontrol resume "$a" 2>/dev/null
        wait_job 30 "$a" RUNNING && goes_on "$a"
        tap_ok $? "no memory in $name: a running job goes on"
        (for j in "${ids[@]}"; do [ "$(job_state "$j")" = PENDING ] || exit; done)
        tap_ok $? "... and what was acknowledged is there (${#ids[@]} jobs)"
        [ "${#ids[@]}" = 0 ] || scancel "${ids[@]}"
done
finish "$a"
tap_ok $? 'it ends well'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
