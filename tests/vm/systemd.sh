#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The installed units under a real systemd with cgroup v2's controllers: start, limits, freezing, restarts that leave jobs
# alone, watchdog, reload, journal fields, and a power cut.  In a virtual machine: scripts/test vm.
. "$(dirname "$0")/../system/lib.sh"
. "$(dirname "$0")/vm.sh"
at_exit vm_end
vm_image
vm_boot
tap_ok $? 'the machine boots' || { tap_done; }

check() { # NAME SECONDS: the script on stdin succeeds in the machine
        local said r=0
        said=$(guest "$2") || r=$?
        tap_ok $r "$1" || sed 's/^/# /' <<<"$said"
}
check 'all programs find their libraries' 120 <<'END'
set -e
for p in slumberctld slumberd slumber-power sinfo; do $p --version; done
ldd /usr/libexec/slumber/slumberstepd | grep 'not found' && exit 1 || true
END
check 'both units start, jobs are to be in a scope' 120 <<'END'
set -e
cat >/etc/slumber/slurm.conf <<'E'
ClusterName=vm
SlurmctldHost=vm
SlurmUser=slurm
StateSaveLocation=/var/lib/slumber
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
KillWait=5
ReturnToService=2
NodeName=vm CPUs=2 RealMemory=800
PartitionName=low Nodes=ALL PriorityTier=1 Default=YES OverSubscribe=FORCE:1 State=UP
PartitionName=high Nodes=ALL PriorityTier=9 OverSubscribe=FORCE:1 State=UP
E
printf '%s\n' ConstrainRAMSpace=yes ConstrainCores=yes >/etc/slumber/cgroup.conf
(umask 077; head -c 64 /dev/urandom >/etc/slumber/cluster.key)
cat >/root/lib <<'E'
cd /home/alice
wait_for() { local n=$(($1 * 5)); shift; until "$@" >/dev/null 2>&1; do [ $((n--)) -gt 0 ] || { echo "never: $*"; return 1; }; sleep 0.2; done; }
as() { local user=$1; shift; su - "$user" -c "$*"; }
is() { [ "$(squeue -h -t all -j "$1" -o %T)" = "$2" ]; }
ticks() { wc -l <"ticks.$1"; }
goes_on() { local n; n=$(ticks "$1") && wait_for 20 eval "[ \$(ticks $1) -gt $((n + 3)) ]"; }
rests() { local n; n=$(ticks "$1"); goes_on "$2" && [ "$(ticks "$1")" = "$n" ]; }
E
cat >/home/alice/tick <<'E'
#!/bin/bash
until [ -e enough.$SLURM_JOB_ID ]; do echo x >>ticks.$SLURM_JOB_ID; sleep 0.1; done
E
chmod +x /home/alice/tick
# the agent first: the socket is the controller's all the same
systemctl enable --now slumberd slumberctld
. /root/lib
wait_for 60 eval '[ "$(sinfo -h -p low -o %t)" = idle ]'
systemctl is-active slurmstepd.scope
END
check 'a job of more than its memory is OUT_OF_MEMORY, another is within its limits' 120 <<'END'
. /root/lib; set -e
id=$(as alice "sbatch --parsable -n1 --mem=100 --wrap 'python3 -c \"b=bytearray(300<<20)\"'")
wait_for 60 is $id OUT_OF_MEMORY
scontrol show job $id | grep -q 'ExitCode=0:125'
cat >look <<'E'
#!/bin/bash
d=/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)
d=${d%/user/task_0} # the limits are the step's
echo $(cat $d/memory.max) $(nproc) $(grep -h Seccomp: /proc/self/status) $(id -un)
E
chmod +x look
[ "$(as alice srun -n1 --mem=123 /home/alice/look)" = "128974848 1 Seccomp: 0 alice" ]
END
check 'limits that a client sends do not go beyond those of the agent' 60 <<'END'
set -e
ulimit -r 50
[ "$(srun -n1 --mem=50 bash -c 'ulimit -Hr')" = 0 ]
END
check 'a job is frozen for an urgent one' 120 <<'END'
. /root/lib; set -e
a=$(as alice sbatch --parsable -n2 --mem=100 tick); wait_for 30 test -s ticks.$a
b=$(as alice sbatch --parsable -n2 --mem=100 -p high tick); wait_for 30 test -s ticks.$b
echo "a=$a b=$b" >>/root/lib
is $a SUSPENDED; rests $a $b
grep -q 'frozen 1' /sys/fs/cgroup/system.slice/slurmstepd.scope/job_$a/cgroup.events
END
check 'MemSpecLimit: slumberd and its step daemons have no more, unless an administrator says so' 180 <<'END'
. /root/lib; set -e
units=/sys/fs/cgroup/system.slice
high() { [ "$(cat $units/slumberd.service/memory.high) $(cat $units/slurmstepd.scope/supervisor/memory.high)" = "$1" ]; }
spec() { sed -i "s/^\(NodeName=vm CPUs=2 RealMemory=800\).*/\1$1/" /etc/slumber/slurm.conf; scontrol reconfigure; }
spec ' MemSpecLimit=150'
wait_for 30 high '157286400 157286400'
systemctl restart slumberd
wait_for 60 eval 'journalctl -u slumberd -o cat | tail -1 | grep "is registered"'
high '157286400 157286400'
spec ''
wait_for 30 high 'max max'
systemctl set-property slumberd.service MemoryHigh=200M
spec ' MemSpecLimit=150'
wait_for 30 high '209715200 157286400'
spec ''
wait_for 30 high '209715200 max'
systemctl revert slumberd.service
END
check 'jobs are left alone by restart, kill of the daemon, kill of all of the unit' 180 <<'END'
. /root/lib; set -e
systemctl restart slumberd; rests $a $b
systemctl kill -s KILL --kill-who=main slumberd
wait_for 60 eval '[ "$(systemctl show slumberd -p NRestarts --value) $(systemctl is-active slumberd)" = "1 active" ]'
systemctl kill -s KILL slumberd
wait_for 60 eval '[ "$(systemctl show slumberd -p NRestarts --value) $(systemctl is-active slumberd)" = "2 active" ]'
rests $a $b; is $a SUSPENDED; is $b RUNNING
END
check 'reload of both, and the journal fields JOB_ID and NODE' 60 <<'END'
. /root/lib; set -e
systemctl reload slumberd slumberctld
systemctl is-active slumberd slumberctld
wait_for 20 eval "journalctl -o json _SYSTEMD_UNIT=slumberd.service JOB_ID=$a | grep -q '\"NODE\":\"vm\"'"
END
check 'the watchdog starts daemons that hang' 300 <<'END'
. /root/lib; set -e
for u in slumberd slumberctld; do kill -STOP $(systemctl show $u -p MainPID --value); done
for u in slumberd slumberctld; do
        wait_for 150 eval "journalctl -u $u -o cat | grep -q 'Watchdog timeout'"
        wait_for 60 systemctl is-active $u
done
rests $a $b
touch enough.$b; wait_for 60 is $b COMPLETED; goes_on $a
touch enough.$a; wait_for 60 is $a COMPLETED
END
said=$(guest 120 <<'END'
. /root/lib
as alice 'for i in 1 2 3 4 5 6 7 8; do sbatch --parsable -n2 --mem=100 --wrap "sleep 1000" >>acknowledged; done; cat acknowledged'
END
)
vm_cut
vm_boot
tap_ok $? 'it boots after a power cut'
check 'no acknowledged job is lost' 120 <<END
. /root/lib; set -e
wait_for 60 sinfo
for id in $(paste -sd' ' <<<"$said"); do squeue -h -t all -j \$id -o %T | grep -E 'PENDING|RUNNING'; done
[ $(wc -l <<<"$said") = 8 ]
END
tap_done
