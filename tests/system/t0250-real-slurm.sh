#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-power as ResumeProgram and SuspendProgram of a real Slurm, by its own name and without any option: a job wakes
# its node by the BMC, the node's slurmd registers, the job runs, the idle node is switched off.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'not root: slurmd needs it'
slurm() { # PROGRAM: Debian's real one, whatever update-alternatives says
        local p
        for p in "/usr/sbin/$1-wlm" "/usr/sbin/$1"; do [ -x "$p" ] && "$p" -V 2>/dev/null | grep -q ^slurm && echo "$p" && return; done
        return 1
}
ctld=$(slurm slurmctld) || tap_skip_all 'no slurmctld of Slurm is installed (package slurmctld)'
slurmd=$(slurm slurmd) || tap_skip_all 'no slurmd of Slurm is installed (package slurmd)'
munged=/usr/sbin/munged
[ -x $munged ] || tap_skip_all 'munge is not installed'
grep -qa libslurmfull /usr/bin/srun 2>/dev/null || tap_skip_all 'no srun of Slurm is installed (package slurm-client)'
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
unshare -m true 2>/dev/null || tap_skip_all 'no mount namespace can be made'

power=$SLUMBER_BUILD/power/slumber-power
bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode SLURM_CONF=$DIR/slurm.conf
host=$(hostname -s)
mkdir -p "$DIR"/{state,log,run,munge,spool} && chmod 755 "$DIR" "$DIR/munge"
(umask 077 && head -c 1024 /dev/urandom >"$DIR/munge/key")
cat >"$DIR/slurm.conf" <<END_OF_FILE
ClusterName=real
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$PORT
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$DIR/munge/socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool/%n
SlurmctldPidFile=$DIR/run/ctld.pid
SlurmdPidFile=$DIR/run/%n.pid
SlurmctldLogFile=$DIR/log/ctld
SlurmdLogFile=$DIR/log/%n
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmctldParameters=power_save_interval=1
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
PrivateData=cloud
SuspendProgram=$power
ResumeProgram=$power
SuspendTime=2
SuspendTimeout=3
ResumeTimeout=40
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 2))] CPUs=2 RealMemory=500 State=CLOUD
PartitionName=main Nodes=ALL Default=YES State=UP
END_OF_FILE
printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$DIR/cgroup.conf"

end_pid() { # FILE SECONDS
        local pid
        pid=$(cat "$1" 2>/dev/null) || return 0
        kill "$pid" 2>/dev/null
        wait_for "$2" gone "$pid" || kill -KILL "$pid"
}
at_exit end_pid "$DIR/run/munged.pid" 5
at_exit "$bmcfarm" stop "$farm"
at_exit end_pid "$DIR/run/ctld.pid" 20
$munged --force --key-file="$DIR/munge/key" --socket="$DIR/munge/socket" --pid-file="$DIR/run/munged.pid" \
        --log-file="$DIR/log/munged" --seed-file="$DIR/munge/seed"
wait_for 10 test -S "$DIR/munge/socket"
tap_ok $? 'munged' || tap_done
"$bmcfarm" start "$farm" 2 --net "$NET" --port 6230 --no-console --set deadline=8s -- \
        "$slurmd" -D -b -N %n -f "$DIR/slurm.conf"
tap_ok $? 'two BMCs whose nodes run slurmd' || tap_done
# Slurm takes a boot in the second of the request for one before it.
for n in n1 n2; do "$bmcfarm" fault "$farm" $n --boot-delay 2000; done

# Slurm gives its programs no SLURM_CONF: power.yaml is where it is without one.  slurmctld has an /etc of its own.
cp -a /etc "$DIR/etc" && mkdir -p "$DIR/etc/slumber" && cp -p "$farm/power.yaml" "$farm/password" "$DIR/etc/slumber/"
unshare -m sh -c 'mount --make-rprivate / && mount --bind "$0/etc" /etc && exec "$1" -D -c -f "$0/slurm.conf"' "$DIR" "$ctld" \
        >"$DIR/log/out" 2>&1 &
wait_for 20 eval '[ "$(/usr/bin/sinfo -h -o "%t %D" 2>/dev/null)" = "idle~ 2" ]'
tap_ok $? "slurmctld of $("$ctld" -V) with two nodes that sleep" || { sed 's/^/# /' "$DIR/log/out" "$DIR/log/ctld"; tap_done; }
events() { cut -d' ' -f3 "$farm/$1/events" 2>/dev/null | tr '\n' ' '; }

run timeout 60 /usr/bin/srun -w n1 sh -c 'echo "ran on $SLURMD_NODENAME"'
tap_is "$rc|$out" '0|ran on n1' 'srun wakes its node by the BMC and runs' || sed 's/^/# /' "$DIR/log/ctld" "$DIR/log/n1"
tap_is "$(events n1)|$(events n2)" 'on command |' 'the BMC of that node has been told, and no other'
wait_for 30 eval '[ "$(events n1)" = "on command told-off off " ]'
tap_ok $? "the idle node is switched off: $(events n1)" || sed 's/^/# /' "$DIR/log/ctld"
wait_for 20 eval '[ "$(/usr/bin/sinfo -h -o "%t %D")" = "idle~ 2" ]'
tap_ok $? 'and sleeps, says Slurm'
! grep -iE 'power_save|program' "$DIR/log/ctld" | grep -iE 'error|exit status'
tap_ok $? 'slurmctld has no complaint of its programs'
tap_done
