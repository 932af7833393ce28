#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A file system in user space whose server stands still makes no job immune to preemption: what hangs in the kernel for it uses no CPU,
# and counts as frozen.  What goes on in the kernel does not freeze; then the next PreemptMode of the site counts.
[ "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] || exec unshare -m env PRIVATE_MOUNTS=1 bash "$0" "$@"
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
fed_folder
cluster_conf 'n[1-2]' SelectType=select/linear SelectTypeParameters= PreemptType=preempt/partition_prio \
        PreemptMode=REQUEUE,GANG PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-2]' \
        'PartitionName=low PriorityTier=1 Default=YES PreemptMode=SUSPEND' 'PartitionName=high PriorityTier=2' 'yaml freeze_timeout: 2s'
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2
grep -q 'Jobs are in cgroup' log/n1 || tap_skip_all 'no cgroup that freezes'
mkdir src mnt && head -c 64M /dev/zero >src/f && echo x >src/g
at_exit eval 'umount -l "$DIR/mnt" 2>/dev/null; true'
# takes VICTIM: a job of the higher partition takes n1, runs to its end while VICTIM stands still, which goes on then
takes() {
        local v=$1 name=$2 p ticks
        p=$(sbatch --parsable -o /dev/null -w n1 -p high --wrap "wc -l <ticks.$v >runs.\$SLURM_JOB_ID; until [ -e end.\$SLURM_JOB_ID ]; do sleep 0.02; done")
        wait_job 10 "$p" RUNNING && wait_for 10 test -s "runs.$p" && ticks=$(cat "runs.$p")
        tap_is "$?|$(job_state "$v")" '0|SUSPENDED' "$name: it stands still for its preemptor"
        if [ "${restart:-}" ]; then
                agent_kill9 n1 && agent_start n1 && wait_for 20 grep -q 'registered' log/n1
                wait_nodes 20 n1 'alloc.*' && tap_is "$(job_state "$v")|$(wc -l <"ticks.$v")" "SUSPENDED|$ticks" '... also after kill -9 of slumberd'
        fi
        wait_for 10 test -e "runs.$p"
        tap_is "$?|$(($(wc -l <"ticks.$v") - $(cat "runs.$p")))" '0|0' '... the whole time'
        touch "end.$p" && wait_job 10 "$p" COMPLETED && wait_job 10 "$v" RUNNING && wait_for 10 eval "[ \$(wc -l <ticks.$v) -gt $ticks ]"
        tap_ok $? '... and goes on when that has ended'
}
ticking='while [ ! -e enough ]; do echo >>ticks.$SLURM_JOB_ID; sleep 0.02; done'

# The server was stopped by its job.
cat >stopped <<END
#!/bin/bash
bindfs -f src mnt & server=\$!
until grep -q " $DIR/mnt fuse" /proc/self/mounts; do sleep 0.02; done
kill -STOP \$server
cat mnt/g >/dev/null & echo \$! >client
$ticking
kill -KILL \$server
END
v=$(sbatch --parsable -o log.stopped -w n1 stopped)
wait_for 10 test -s client && wait_for 10 test -s "ticks.$v"
tap_ok $? 'a job with a file system of its own'
restart=1 takes "$v" 'its server stopped'
scancel "$v" && wait_job 10 "$v" CANCELLED
tap_ok $? '... and can be ended'
umount -l mnt 2>/dev/null

# The server is frozen with its clients, in whatever order.
printf '#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n' >ssh && chmod 755 ssh
busy() { # PROGRAM COMMAND...: mounts src, or an image of it, on mnt
        local program=$1 v
        shift
        command -v "$program" >/dev/null || { tap_ok 0 "$program # SKIP it is not installed"; return; }
        rm -f enough
        cat >busy <<END
#!/bin/bash
$* & server=\$!
until grep -q " $DIR/mnt fuse" /proc/self/mounts; do sleep 0.02; done
for i in 1 2 3 4; do while [ ! -e enough ]; do cat mnt/f || exit; done >/dev/null & done
$ticking
END
        v=$(sbatch --parsable -o "log.$program" -w n1 busy)
        wait_for 20 test -s "ticks.$v"
        takes "$v" "$program"
        scancel "$v" && wait_job 10 "$v" CANCELLED
        umount -l mnt 2>/dev/null
}
busy bindfs bindfs -f src mnt
command -v mksquashfs >/dev/null && mksquashfs src image -quiet >/dev/null 2>&1
busy squashfuse squashfuse -f image mnt
busy sshfs sshfs -f -o "ssh_command=$DIR/ssh" "host:$DIR/src" mnt
busy rclone rclone mount --config none.conf ":local:$DIR/src" mnt

# A server outside of the job feeds one system call of it bit by bit.
printf '#!/bin/bash\n./read_fed &\n%s\n' "$ticking" >feeding
v=$(sbatch --parsable -o log.feeding -w n1 feeding)
wait_for 10 test -s "ticks.$v" && fed_is_read
p=$(sbatch --parsable -o /dev/null -w n1 -p high --wrap true)
wait_job 20 "$p" COMPLETED
tap_is "$?|$(sacct -nXPD -j "$v" -o state | head -1)" '0|PREEMPTED' 'what cannot stand still at all is preempted as PreemptMode of the cluster says'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
