#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory of a frozen job, for real: a process with a few hundred MB is frozen, pushed out to a swap file, an urgent job has its
# memory, ends, and the process goes on with all it had.  And what is said where there is no swap.  In a virtual machine:
# scripts/test vm.
. "$(dirname "$0")/../system/lib.sh"
. "$(dirname "$0")/vm.sh"
at_exit vm_end
vm_image
vm_boot
tap_ok $? 'the machine boots' || { tap_done; }

check() { # NAME SECONDS: the script on stdin succeeds in the machine; what it prints is seen
        local said r=0
        said=$(guest "$2") || r=$?
        tap_ok $r "$1"
        sed 's/^/# /' <<<"$said"
}

check 'a node without swap says so, and suspended jobs keep their memory' 300 <<'END'
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
NodeName=vm CPUs=2 RealMemory=600
PartitionName=low Nodes=ALL PriorityTier=1 Default=YES OverSubscribe=FORCE:1 State=UP
PartitionName=high Nodes=ALL PriorityTier=9 OverSubscribe=FORCE:1 State=UP
E
echo 'reclaim_suspended: low' >/etc/slumber/slumber.yaml
echo ConstrainRAMSpace=yes >/etc/slumber/cgroup.conf
(umask 077; head -c 64 /dev/urandom >/etc/slumber/cluster.key)
cat >/root/lib <<'E'
cd /home/alice
wait_for() { local n=$(($1 * 5)); shift; until "$@" >/dev/null 2>&1; do [ $((n--)) -gt 0 ] || { echo "never: $*"; return 1; }; sleep 0.2; done; }
as() { local user=$1; shift; su - "$user" -c "$*"; }
is() { [ "$(squeue -h -t all -j "$1" -o %T)" = "$2" ]; }
group() { echo /sys/fs/cgroup/system.slice/slurmstepd.scope/job_$1; }
current() { echo $(($(cat $(group $1)/memory.current) >> 20)); }
swap() { swapoff -a; rm -f /swap; fallocate -l $1 /swap; chmod 600 /swap; mkswap -q /swap; swapon /swap; }
E
# Has so many MB that are not all alike, says what they sum up to, and says it again when it is asked to.
cat >/home/alice/hold <<'E'
#!/usr/bin/python3 -u
import os, sys, time, zlib
megabytes, name = int(sys.argv[1]), sys.argv[2]
block = os.urandom(1 << 20)
held = bytearray()
for i in range(megabytes):
    held += b"%8d" % i + block[8:]
def say(when):
    with open(name + "." + when + ".new", "w") as f:
        f.write("%x %d\n" % (zlib.crc32(held), len(held)))
    os.rename(name + "." + when + ".new", name + "." + when)
say("before")
while not os.path.exists(name + ".enough"):
    time.sleep(0.1)
say("after")
E
chmod +x /home/alice/hold
systemctl enable --now slumberd slumberctld
. /root/lib
wait_for 60 eval '[ "$(sinfo -h -p low -o %t)" = idle ]'
scontrol show node vm | grep -F 'MemoryReclaim=no (the node has no swap)'
a=$(as alice sbatch --parsable -n2 --mem=500 --wrap "'/home/alice/hold 100 one'"); wait_for 120 test -s one.before
b=$(as alice sbatch --parsable -n2 --mem=300 -p high --wrap "'touch high.ran'"); wait_for 20 eval "squeue -h -j $b -o %r | grep Resources"
is $a RUNNING
touch one.enough; wait_for 60 is $a COMPLETED; wait_for 60 is $b COMPLETED
cmp one.before one.after
END
check 'with a swap file it can' 120 <<'END'
. /root/lib; set -e
swap 700M
systemctl restart slumberd
wait_for 60 eval "scontrol show node vm | grep -F 'MemoryReclaim=yes'"
END
check 'a frozen job is pushed out, its memory is lent, and it has all of it back' 400 <<'END'
. /root/lib; set -e
a=$(as alice sbatch --parsable -n2 --mem=500 --wrap "'/home/alice/hold 300 two'"); wait_for 120 test -s two.before
echo "job $a uses $(current $a) MB of its 500"
b=$(as alice sbatch --parsable -n2 --mem=400 -p high --wrap "'/home/alice/hold 250 high'"); wait_for 180 test -s high.before
is $a SUSPENDED; is $b RUNNING
scontrol show job $a | grep 'MemoryGiven=300M MemoryAsked=0M'
scontrol show job $a | grep -o "StoppedFor=$b"
scontrol show node vm | grep -o 'AllocMem=600'
journalctl -u slumberctld -o cat | grep "JobId=$a used"
[ "$(current $a)" -le 200 ]
touch high.enough; wait_for 120 is $b COMPLETED
wait_for 60 is $a RUNNING
scontrol show job $a | grep MemoryGiven && exit 1
touch two.enough; wait_for 120 is $a COMPLETED
cmp two.before two.after && echo "its data is what it was: $(cat two.after)"
END
# The node's swap would do; the job's group may use little of it, which is not known before it is tried.
check 'what does not fit into the swap stays: nothing is lent, and the job goes on' 400 <<'END'
. /root/lib; set -e
a=$(as alice sbatch --parsable -n2 --mem=500 --wrap "'/home/alice/hold 300 three'"); wait_for 120 test -s three.before
echo 40M >$(group $a)/memory.swap.max
b=$(as alice sbatch --parsable -n2 --mem=450 -p high --wrap "'touch late'")
wait_for 120 eval "scontrol show job $a | grep NoReclaim"
scontrol show job $a | grep NoReclaim
journalctl -u slumberctld -o cat | grep "JobId=$a used"
wait_for 60 is $a RUNNING; is $b PENDING; [ ! -e late ]
touch three.enough; wait_for 120 is $a COMPLETED; wait_for 60 test -e late
cmp three.before three.after
END
check 'a thaw does not wait for what is being pushed out' 400 <<'END'
. /root/lib; set -e
a=$(as alice sbatch --parsable -n2 --mem=500 --wrap "'/home/alice/hold 400 four'"); wait_for 120 test -s four.before
was=$(current $a)
b=$(as alice sbatch --parsable -n2 --mem=550 -p high --wrap "'touch never'")
wait_for 60 eval "grep -q 'frozen 1' $(group $a)/cgroup.events"
wait_for 60 eval "[ \$(current $a) -lt $((was - 10)) ]"
scancel $b
wait_for 10 eval "grep -q 'frozen 0' $(group $a)/cgroup.events"
wait_for 20 is $a RUNNING
touch four.enough; wait_for 180 is $a COMPLETED
cmp four.before four.after
END
tap_done
