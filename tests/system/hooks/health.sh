#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# HealthCheckProgram: before the node is registered, each interval in the states that are named, never twice at once.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
printf '#!/bin/sh\n%s\n' "mkdir $DIR/one || echo twice >>$DIR/said
echo \"check \$SLURMD_NODENAME \$SECRET\" >>$DIR/said
while [ -e $DIR/hold ]; do sleep 0.02; done
rmdir $DIR/one; exit 7" >"$DIR/hooks/check"
chmod 755 "$DIR/hooks/check"
cluster_conf n1 KillWait=1 "HealthCheckProgram=$DIR/hooks/check" HealthCheckInterval=1 HealthCheckNodeState=IDLE
cd "$DIR" || exit 1
more() { [ "$(wc -l <said)" -gt "$1" ]; }
export SECRET=mine
touch hold said
ctld_start && agent_start n1
wait_for 20 more 0
tap_like "$(cat said)|$(sinfo -h -n n1 -o %T)" '^check n1 \|unknown' 'the check runs, and its node is not registered meanwhile'
rm hold
wait_nodes 20 n1 idle
tap_ok $? 'when it has ended, the node is, whatever its exit status'
wait_for 20 more 2
tap_is "$? $(sort -u said)" '0 check n1 ' 'it runs again each interval, with nothing of the environment of slumberd'
touch hold
before=$(wc -l <said)
wait_for 20 more "$before"
# two intervals pass meanwhile
run timeout 60 srun sh -c 'sleep 2.2'
rm hold
tap_is "$rc $(sort -u said)" '0 check n1 ' 'one that runs is not joined by another, and holds up no job'

sbatch -o /dev/null --wrap "while [ ! -e $DIR/go ]; do sleep 0.1; done" >/dev/null
wait_for 20 eval '[ "$(squeue -h -o %t)" = R ]'
wait_for 20 eval '[ ! -d one ]'
before=$(wc -l <said)
run timeout 60 srun --overlap --jobid="$(squeue -h -o %A)" sleep 2.2
tap_is "$rc $(wc -l <said)" "0 $before" 'not while the node has a job, as only IDLE is named'
touch go
wait_for 20 more "$before"
tap_ok $? 'but again when that has ended'

chmod o+w hooks/check
wait_for 20 grep -q 'HealthCheckProgram: .*hooks/check may be written by its group or others' log/n1
tap_ok $? 'a program that others can change is not run, and the log says so'
sed "s/^HealthCheckNodeState=.*/HealthCheckNodeState=FULL/" slurm.conf >bad.conf
run "$CTLD" --check -f bad.conf
tap_like "$rc $err" '^1 .*HealthCheckNodeState: "FULL"' 'another word is refused by name'

# ---- what the controller knows ----
chmod o-w hooks/check
states() { sed -i "s/^HealthCheckNodeState=.*/HealthCheckNodeState=$1/" slurm.conf && scontrol reconfigure; }
job() { # CPUS: a job of so many of 4 runs
        rm -f go
        sbatch -n "$1" -o /dev/null --wrap "while [ ! -e $DIR/go ]; do sleep 0.1; done" >/dev/null
        wait_for 20 eval '[ "$(squeue -h -o %t)" = R ]'
}
over() { touch go && wait_for 20 no_jobs; }
checked() { # NAME: within some intervals
        wait_for 20 eval '[ ! -d one ]'
        local before
        before=$(wc -l <said)
        wait_for 20 more "$before"
        tap_ok $? "$1"
}
idle_still() { # NAME: not in two intervals, which a step of another node's would not show
        wait_for 20 eval '[ ! -d one ]'
        local before
        before=$(wc -l <said)
        run timeout 60 srun --overlap --jobid="$(squeue -h -o %A)" sleep 2.2
        tap_is "$rc $(wc -l <said)" "0 $before" "$1"
}
states ALLOC
job 1
idle_still 'ALLOC: not while its jobs have some of the CPUs'
over
job 4
checked '... but while they have all'
states MIXED
idle_still 'MIXED: the reverse'
over
job 1
checked '... likewise'
over
states NONDRAINED_IDLE
checked 'NONDRAINED_IDLE: while it is idle'
job 1
idle_still '... not while it has a job'
scontrol update nodename=n1 state=drain reason=test
over
wait_nodes 20 n1 drained
scontrol update nodename=n1 state=resume
checked '... and again when it is not drained any more'

# ---- once for each boot ----
states REBOOT_ONLY
wait_for 20 eval '[ ! -d one ]'
before=$(wc -l <said)
restart() { agent_stop n1 && agent_start n1 "$@" && wait_nodes 20 n1 idle; }
restart
tap_is "$? $(wc -l <said)" "0 $before" 'REBOOT_ONLY: not at a start in the same boot'
restart -b
tap_is "$? $(wc -l <said)" "0 $((before + 1))" '... but at one in another, before the node is registered'
# as after a boot: another one's check is noted
agent_stop n1 && echo another-boot >spool.n1/health-check
before=$(wc -l <said)
touch hold
agent_start n1
wait_for 20 more "$before"
agent_kill9 n1
tap_is "$(cat spool.n1/health-check)" another-boot 'what has begun is not noted yet'
before=$(wc -l <said)
rm hold
wait_for 20 eval '[ ! -d one ]'
restart
tap_is "$? $(wc -l <said)" "0 $((before + 1))" '... and a start behind a kill in the midst of the check has it anew'
restart
tap_is "$? $(wc -l <said)" "0 $((before + 1))" 'that is noted at the end of the check: the next start has none'
sed "s/^HealthCheckNodeState=.*/HealthCheckNodeState=IDLE,REBOOT_ONLY/" slurm.conf >bad.conf
run "$CTLD" --check -f bad.conf
tap_like "$rc $err" '^1 .*START_ONLY and REBOOT_ONLY stand alone' 'it stands alone'
tap_done
