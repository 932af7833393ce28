#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# warm_up in slumber.yaml: a node that the plan needs is switched on before the job's start, and is up when it comes.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

# What the programs are asked for, and when; the machine's part is played below.
for p in resume suspend; do
        printf '#!/bin/sh\necho "$(date +%%s.%%N) $1" >>"%s/%s.log"\n' "$DIR" $p >$p
        chmod 755 $p
done
chmod 755 "$DIR"
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000' "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" \
        SuspendTime=600 SuspendTimeout=1 ResumeTimeout=12 SuspendRate=0 ResumeRate=0 SelectType=select/linear SelectTypeParameters= \
        'yaml warm_up: yes'
echo 'NodeName=c1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' >>"$SLURM_CONF"
ctld_start
tap_ok $? 'a controller with warm_up' || { cluster_logs; tap_done; }
agent_start n1
wait_nodes 20 n1 idle
tap_is "$?|$(sinfo -h -N -n c1 -o %t)" '0|idle~' 'a node that is up, and one that sleeps'

scontrol create reservation reservationname=later starttime=now+10minutes duration=5 users=root nodes=c1 >/dev/null
tap_like "$(scontrol power plan c1)" '^[-0-9T:]+ resume c1 \(needed soon, warm_up\)' 'a plan says what will wake it'
scontrol delete reservationname=later

resumed() { [ "$(cat resume.log 2>/dev/null | wc -l)" = "$1" ]; }
# For ever, but for its time limit, which leaves it a few seconds.
a=$(sbatch --parsable -w n1 -t 10 --wrap 'exec sleep 1000')
wait_job 20 "$a" RUNNING
scontrol update jobid="$a" EndTime=now+15seconds
b=$(sbatch --parsable -N2 -t 5 --wrap 'date +%s.%N >began')
wait_for 30 resumed 1
tap_is "$?|$(cut -d' ' -f2 resume.log)|$(job_state "$a") $(job_state "$b")" '0|c1|RUNNING PENDING' \
        'the node of the plan is woken while the job before still runs'
tap_like "$(scontrol -o show power c1)" 'Why=a planned job or reservation needs it soon \(warm_up\)' 'show power says why'
agent_start c1 -b
wait_nodes 20 c1 planned
tap_is "$?|$(job_state "$a") $(job_state "$b")" '0|RUNNING PENDING' 'it is up before it is needed'
wait_job 20 "$b" COMPLETED
ends=$(date -d "$(squeue -h -t all -j "$a" -o %e | tr T ' ')" +%s)
tap_is "$?|$(job_state "$a")|$(awk -v e="$ends" '{ print ($1 - e < 5) }' began)" '0|TIMEOUT|1' 'the job starts when the other is gone: it waits for no boot'
resumed 1
tap_ok $? 'and no other node has been woken for it'

# ---- the default ----
sed -i 's/^warm_up:.*/warm_up: no/' slumber.yaml
run scontrol reconfigure
run scontrol update nodename=c1 state=power_down
agent_stop c1
wait_nodes 20 c1 'idle~'
tap_is "$?|$rc" '0|0' 'off again, and warm_up: no'
a=$(sbatch --parsable -w n1 -t 10 --wrap 'exec sleep 1000')
wait_job 20 "$a" RUNNING
scontrol update jobid="$a" EndTime=now+5seconds
b=$(sbatch --parsable -N2 -t 5 --wrap true)
wait_for 20 resumed 2
tap_is "$?|$(job_state "$a")|$(job_state "$b")" '0|TIMEOUT|CONFIGURING' 'without it the node is woken when the job has it'
agent_start c1 -b
wait_job 20 "$b" COMPLETED
tap_ok $? 'and the job waits for the boot'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
