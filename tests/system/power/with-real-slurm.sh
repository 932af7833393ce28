#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-power as ResumeProgram and SuspendProgram of a real Slurm, by its own name and without any option: a job wakes
# its node by the BMC, the node's slurmd registers, the job runs, the idle node is switched off.
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/realslurm.sh
. "$(dirname "$0")/../realslurm.sh"
real_slurm_find
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
unshare -m true 2>/dev/null || tap_skip_all 'no mount namespace can be made'

power=$SLUMBER_BUILD/power/slumber-power
bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode SLURM_CONF=$DIR/real/slurm.conf
host=$(hostname -s)
real_slurm_conf SlurmctldParameters=power_save_interval=1 PrivateData=cloud "SuspendProgram=$power" "ResumeProgram=$power" \
        SuspendTime=2 SuspendTimeout=3 ResumeTimeout=40 SuspendRate=0 ResumeRate=0 \
        "NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 2))] CPUs=2 RealMemory=500 State=CLOUD" \
        'PartitionName=main Nodes=ALL Default=YES State=UP'
real_munge_start
tap_ok $? 'munged' || tap_done
at_exit "$bmcfarm" stop "$farm"
at_exit _real_end "$DIR/real/run/ctld.pid" 20
"$bmcfarm" start "$farm" 2 --net "$NET" --port 6230 --no-console --set deadline=8s -- \
        "$REAL_SLURMD" -D -b -N %n -f "$SLURM_CONF"
tap_ok $? 'two BMCs of nodes with slurmd' || tap_done
# Slurm takes a boot in the second of the request for one before it.
for n in n1 n2; do "$bmcfarm" fault "$farm" $n --boot-delay 2000; done

# Slurm gives its programs no SLURM_CONF: power.yaml is where it is without one.  slurmctld has an /etc of its own.
cp -a /etc "$DIR/etc" && mkdir -p "$DIR/etc/slumber" && cp -p "$farm/power.yaml" "$farm/password" "$DIR/etc/slumber/"
unshare -m sh -c 'mount --make-rprivate / && mount --bind "$0/etc" /etc && exec "$1" -D -c -f "$2"' "$DIR" "$REAL_CTLD" "$SLURM_CONF" \
        >"$DIR/real/log/out" 2>&1 &
wait_for 20 eval '[ "$(/usr/bin/sinfo -h -o "%t %D" 2>/dev/null)" = "idle~ 2" ]'
tap_ok $? "slurmctld of $("$REAL_CTLD" -V) with two nodes that sleep" || { sed 's/^/# /' "$DIR/real/log/out" "$DIR/real/log/ctld"; tap_done; }
events() { cut -d' ' -f3 "$farm/$1/events" 2>/dev/null | tr '\n' ' '; }

run timeout 60 /usr/bin/srun -w n1 sh -c 'echo "ran on $SLURMD_NODENAME"'
tap_is "$rc|$out" '0|ran on n1' 'srun wakes its node by the BMC and runs' || sed 's/^/# /' "$DIR/real/log/ctld" "$DIR/real/log/n1"
tap_is "$(events n1)|$(events n2)" 'on command |' 'the BMC of that node has been told, and no other'
wait_for 30 eval '[ "$(events n1)" = "on command told-off off " ]'
tap_ok $? "the idle node is switched off: $(events n1)" || sed 's/^/# /' "$DIR/real/log/ctld"
wait_for 20 eval '[ "$(/usr/bin/sinfo -h -o "%t %D")" = "idle~ 2" ]'
tap_ok $? 'and sleeps, says Slurm'
! grep -iE 'power_save|program' "$DIR/real/log/ctld" | grep -iE 'error|exit status'
tap_ok $? 'slurmctld has no complaint of its programs'
tap_done
