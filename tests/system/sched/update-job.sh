#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol update of what a job that waits asks for: by each key, for real jobs, arrays and partitions; an answer holds though the
# controller is killed right behind it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cat >"$DIR/mailprog" <<END
#!/bin/sh
echo "\$*" >>"$DIR/mails"
END
chmod +x "$DIR/mailprog"
: >"$DIR/mails" && chmod 666 "$DIR/mails" # nobody writes it
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory DefMemPerCPU=50 MailProg="$DIR/mailprog"
cat >>"$DIR/slurm.conf" <<END
PartitionName=capped Nodes=ALL MaxMemPerCPU=100 DefMemPerCPU=50
PartitionName=one Nodes=n1
END
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
cd "$DIR" || exit 1

# ---- each key of a job that waits: what show job says afterwards ----
j=$(sbatch -Q --parsable -H -N1 -n1 --wrap true)
key() { # KEY=VALUE SHOWN: done, and shown so
        run scontrol update jobid="$j" "$1"
        tap_like "$rc|$err|$(scontrol -o show job "$j")" "^0\|\|.* $2( |\$)" "$1: $2"
}
key NumTasks=2 'NumCPUs=2 NumTasks=2 CPUs/Task=1'
key ReqProcs=1 'NumCPUs=1 NumTasks=1 CPUs/Task=1'
key CPUsPerTask=3 'NumCPUs=3 NumTasks=1 CPUs/Task=3'
key cpusp=1 'CPUs/Task=1'
key NumCPUs=4 'MinCPUsNode=4'
key NumCPUs=1 'MinCPUsNode=1'
key MinCPUsNode=2 'MinCPUsNode=2'
key MinCPUsNode=0 'MinCPUsNode=1'
key MinMemoryCPU=200 'MinMemoryCPU=200M'
key MinMemoryNode=300 'MinMemoryNode=300M'
key MinTmpDiskNode=0 'MinTmpDiskNode=0'
key Contiguous=yes 'Contiguous=1'
key Contiguous=0 'Contiguous=0'
key OverSubscribe=no 'OverSubscribe=NO'
key Shared=YES 'OverSubscribe=YES'
key ReqCores=1 'ReqB:S:C:T=0:0:1:\*'
key ReqThreads=1 'ReqB:S:C:T=0:0:1:1'
key ReqSockets=1 'Socks/Node=1'
key TasksPerNode=1 'NtasksPerN:B:S:C=1:0:\*:\*'
key ReqNodes=1 'NumNodes=1-1'
key Nice 'Nice=100'
key MailType=END,FAIL "MailUser=$(id -un) MailType=END,FAIL"
key MailUser=me@example.org 'MailUser=me@example.org MailType=END,FAIL'
key MailUser= "MailUser=$(id -un) MailType=END,FAIL"
key WorkDir="$DIR/bin" "WorkDir=$DIR/bin"
key StdOut=out-%j.txt "StdOut=$DIR/bin/out-$j.txt"
key Requeue=0 'Requeue=0'
key Partition=one,main 'Partition=one,main'
key wait-for-switch=5 'Nice=100'
key ResetAccrueTime 'Nice=100'

# ---- refused ----
update_refused "$j" 'Task count specification invalid' Comment=x NumTasks=0
update_refused "$j" 'Invalid NumTasks value: x' Comment=x NumTasks=x
update_refused "$j" 'Requested node configuration is not available' Comment=x NumTasks=1000 MailType=NONE
update_refused "$j" 'Requested node configuration is not available' CPUsPerTask=9 Features=
update_refused "$j" 'Memory specification can not be satisfied.*Requested node' MinMemoryNode=99999
update_refused "$j" 'Memory specification can not be satisfied.*Requested node' MinMemoryCPU=2000 NumTasks=1
update_refused "$j" 'no node has gres/gpu.*Invalid generic resource' Gres=gpu:1
update_refused "$j" 'NumCPUs=2: its tasks take 4, change NumTasks or CPUsPerTask' CPUsPerTask=4 NumCPUs=2
update_refused "$j" 'NumCPUs=1-2: a range is not implemented yet' NumCPUs=1-2
update_refused "$j" 'several nodes it is what its tasks take, 2' NumNodes=2 NumTasks=2 TasksPerNode=0 ReqSockets=0 NumCPUs=6
update_refused "$j" 'Invalid Contiguous value: maybe' Contiguous=maybe
update_refused "$j" 'Invalid OverSubscribe value: maybe' OverSubscribe=maybe
update_refused "$j" 'WorkDir=here: a path that begins with / was expected' WorkDir=here
update_refused "$j" 'Invalid MailUser value: -x' MailUser=-x
update_refused "$j" 'Invalid MailType value: foo' MailType=foo
update_refused "$j" 'updating BurstBuffer of a job is not implemented yet' JobName=new BurstBuffer=x
update_refused "$j" 'Update of this parameter is not supported: StdErr=/x' JobName=new StdErr=/x
update_refused "$j" 'Update of this parameter is not supported: Foo=1' JobName=new Foo=1
if [ "$(id -u)" = 0 ]; then
        k=$(stranger "$SLUMBER_BUILD/commands/sbatch" -Q --parsable -D / -H -N1 -n1 -o /dev/null --wrap true)
        for word in Contiguous=yes OverSubscribe=no TasksPerNode=2; do
                run stranger "$SLUMBER_BUILD/commands/scontrol" update jobid="$k" "$word"
                tap_is "$rc|$err" "1|Access/permission denied for job $k" "$word is for operators"
        done
        run stranger "$SLUMBER_BUILD/commands/scontrol" update jobid="$k" Reboot=yes
        tap_like "$rc|$err" '^1.*rebooting of nodes is only allowed for admins' 'Reboot=yes is for administrators'
        run stranger "$SLUMBER_BUILD/commands/sbatch" -D / -H --reboot -o /dev/null --wrap true
        tap_like "$rc|$err" '^1.*rebooting of nodes is only allowed for admins' '... and so is --reboot'
        run stranger "$SLUMBER_BUILD/commands/scontrol" update jobid="$k" NumTasks=2 MinMemoryCPU=60 MailType=END StdOut=/dev/null WorkDir=/tmp Requeue=0
        tap_is "$rc|$err" '0|' 'the rest is for its owner, too'
        scancel "$k"
fi
scancel "$j"

# ---- made smaller it starts at once, the controller killed right behind the answer ----
fill=$(sbatch -Q --parsable -N2 --ntasks-per-node=3 --mem=600 -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$fill" RUNNING
tap_ok $? 'three of four CPUs of each node are taken'
starts() { # NAME KEY=VALUE...
        local name=$1 ctld
        shift
        ctld=$(cat "$DIR/run/ctld.pid")
        scontrol update jobid="$s" "$@" && kill -KILL "$ctld"
        tap_ok $? "$name: $*"
        ctld_kill9
        ctld_start && wait_job 20 "$s" RUNNING
        tap_ok $? '... it starts' || scontrol show job "$s"
}
s=$(sbatch -Q --parsable -N1 -n2 -c 2 --mem=100 -o /dev/null --wrap 'echo $SLURM_NTASKS ${SLURM_CPUS_PER_TASK:-1} >>'"$DIR"'/size; exec sleep 1000')
wait_for 20 eval '[ "$(job_show $s %r)" = Resources ]'
starts 'tasks and CPUs' NumTasks=1 CPUsPerTask=1 StdOut=/dev/null
wait_for 20 test -s "$DIR/size"
tap_is "$(cat "$DIR/size")" '1 1' '... its script knows'
tap_like "$(scontrol -o show job "$s")" 'NumCPUs=1 NumTasks=1 CPUs/Task=1' '... it has one CPU'
run scontrol update jobid="$s" NumTasks=2
tap_is "$rc|$err" "1|Job is no longer pending execution for job $s" 'what it asked for is of the past now'
run scontrol update jobid="$s" MailType=END MailUser=me@example.org Requeue=0
tap_is "$rc|$err" '0|' 'mail and Requeue are not'
scancel "$s"
wait_for 20 grep -q "Job_id=$s .*me@example.org" "$DIR/mails"
tap_ok $? '... the mail comes'
run scontrol update jobid="$s" Comment=late
tap_is "$rc|$err" "1|Job has already finished for job $s" 'and of one that is over nothing is changed'
s=$(sbatch -Q --parsable -N1 -n1 --mem=900 -o /dev/null --wrap 'exec sleep 1000')
wait_for 20 eval '[ "$(job_show $s %r)" = Resources ]'
starts 'memory' MinMemoryNode=100
tap_like "$(scontrol -o show job "$s")" 'MinMemoryNode=100M' '... shown'
scancel "$s"
wait_job 20 "$s" CANCELLED

# ---- MaxMemPerCPU: CPUs come and go with the memory ----
s=$(sbatch -Q --parsable -H -p capped -N1 -n1 --mem=300 -o /dev/null --wrap 'exec sleep 1000')
mem() { scontrol -o show job "$s" | grep -oE '(MinCPUsNode|MinMemoryNode|CPUs/Task|MinMemoryCPU)=[^ ]*' | paste -sd' '; }
tap_is "$(mem)" 'CPUs/Task=1 MinCPUsNode=3 MinMemoryNode=300M' '300 MB take three CPUs'
scontrol update jobid="$s" MinMemoryNode=100
tap_is "$(mem)" 'CPUs/Task=1 MinCPUsNode=1 MinMemoryNode=100M' '100 MB take one'
scontrol update jobid="$s" MinMemoryCPU=400
tap_is "$(mem)" 'CPUs/Task=4 MinCPUsNode=4 MinMemoryCPU=100M' '400 MB for each CPU: four'
ctld_kill9
ctld_start && scontrol update jobid="$s" MinMemoryCPU=200
tap_is "$?|$(mem)" '0|CPUs/Task=2 MinCPUsNode=2 MinMemoryCPU=100M' '... and two for half of that, by another controller'
scancel "$s"

# ---- arrays: all of it, one task, what is left ----
a=$(sbatch -Q --parsable -H -a 0-3 -N1 -n2 --mem=100 -o /dev/null --wrap 'exec sleep 1000')
tasks() { scontrol -o show job "$a" | sed -n 's/.*ArrayTaskId=\([^ ]*\) .*NumTasks=\([0-9]*\) .*/\1:\2/p' | sort | paste -sd' '; }
scontrol update jobid="$a" NumTasks=3 && scontrol update jobid="${a}_2" NumTasks=1
tap_is "$?|$(tasks)" '0|0-1,3:3 2:1' 'an array, and one of its tasks'
scontrol update jobid="${a}_[1,3]" NumTasks=4
tap_is "$?|$(tasks)" '0|0:3 1:4 2:1 3:4' 'some of them'
scontrol release "${a}_2"
wait_job 20 "${a}_2" RUNNING
run scontrol update jobid="$a" NumTasks=2
tap_is "$rc|$err|$(tasks)" "1|Job is no longer pending execution for job $a|0:2 1:2 2:1 3:2" 'those that wait are changed, though one runs'
scancel "$a" "$fill"
wait_for 20 no_jobs
tap_ok $? 'all end'

# ---- the expected start follows ----
fill=$(sbatch -Q --parsable -N2 --exclusive -t 10 -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$fill" RUNNING
first=$(sbatch -Q --parsable -N2 --exclusive -t 20 -o /dev/null --wrap true)
second=$(sbatch -Q --parsable -N1 --exclusive -t 5 -o /dev/null --wrap true)
minutes() { echo $((($(date -d "$(squeue -h --start -j "$1" -o %S)" +%s) - $(date -d "$(squeue -h -j "$fill" -o %S)" +%s) + 30) / 60)); }
wait_for 40 eval '[ "$(squeue -h --start -j $second -o %S)" != N/A ]'
tap_is "$(minutes "$first") $(minutes "$second")" '10 30' 'two wait, one behind the other'
scontrol update jobid="$first" NumNodes=1 NumTasks=1
wait_for 40 eval '[ "$(squeue -h --start -j $second -o %S)" != N/A ] && [ "$(minutes $second)" = 10 ]'
tap_is "$?|$(minutes "$first") $(minutes "$second")" '0|10 10' 'the first asks for one node: both are expected to start together'
scancel "$first" "$second" "$fill"
wait_for 20 no_jobs
# ---- singleton is by the name that it has ----
one=$(sbatch -Q --parsable -J x -o /dev/null --wrap 'exec sleep 1000')
two=$(sbatch -Q --parsable -J x -d singleton -o /dev/null --wrap 'exec sleep 1000')
three=$(sbatch -Q --parsable -J x -d singleton -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$one" RUNNING
tap_is "$(job_show "$two" %E),$(job_show "$three" %E)" 'singleton(unfulfilled),singleton(unfulfilled)' 'two wait for one of their name'
scontrol update jobid="$two" name=y && wait_job 20 "$two" RUNNING
tap_is "$?|$(job_show "$three" %r)" '0|Dependency' 'one of them is renamed, and runs'
scontrol update jobid="$three" name=y
tap_is "$(job_show "$three" %r)" Dependency 'the other waits for that one then'
scontrol update jobid="$two" name=z && wait_job 20 "$three" RUNNING
tap_ok $? '... until that is called otherwise'
scancel "$one" "$two" "$three"
wait_for 20 no_jobs
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
