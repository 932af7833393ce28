#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --stepmgr, a job of several nodes that stands still, by scontrol or for another job: its steps stop and go on, none begins meanwhile.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' \
        PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG \
        PartitionName= 'PartitionName=DEFAULT Nodes=n[1-2] OverSubscribe=FORCE:1' 'PartitionName=low Default=YES PriorityTier=1' \
        'PartitionName=high PriorityTier=2'
cluster_up 'a cluster of two nodes' n1 n2

steps() { sacct -n -P -j "$1" -o jobid,state,exitcode | grep "^$1\.[0-9]"; }
lines() { [ "$(wc -l <"$1" 2>/dev/null || echo 0)" -ge "$2" ]; }
cat >ticks <<'END'
#!/bin/sh
srun -N2 -n2 --exact sh -c 'until [ -e go ]; do echo x >>ticks.$SLURM_PROCID; sleep 0.02; done; echo task $SLURM_PROCID'; echo "rc $?"
srun -N2 -n2 --exact sh -c 'echo next $SLURM_PROCID'
END
begin() {
        rm -f go ticks.?
        id=$(sbatch --parsable --stepmgr -N2 -n8 -o "ticks.out.$1" ticks)
        wait_for 20 eval 'lines ticks.0 3 && lines ticks.1 3'
}
more_than() { local b; b=$(cat ticks.? | wc -l); wait_for 1 eval '[ "$(cat ticks.? | wc -l)" -gt '"$b"' ]'; }
ends() { # NAME WHICH
        touch go
        wait_job 30 "$id" COMPLETED
        tap_is "$?|$(sort "ticks.out.$2" | xargs)|$(steps "$id" | cut -d'|' -f2 | xargs)" '0|next 0 next 1 rc 0 task 0 task 1|COMPLETED COMPLETED' "$1" ||
                sed 's/^/# /' "ticks.out.$2"
}

# ---- scontrol suspend ----
begin suspend
run scontrol suspend "$id"
if [ "$rc" != 0 ]; then
        tap_like "$err" 'freez|suspend' 'no job is suspended where none can be'
        tap_done
        exit
fi
wait_job 20 "$id" SUSPENDED
more_than
tap_is "$?" 1 'a suspended job: the tasks of its steps stand still on all nodes'
printf '#!/bin/sh\ntouch held\nuntil [ -e let ]; do sleep 0.02; done\n' >own && chmod 755 own
SLUMBER_SOCKET=$DIR/n1.sock timeout 100 srun --jobid="$id" -N2 -n2 --exact echo late </dev/null >late.out 2>&1 & late=$!
wait_for 20 grep -q disabled late.out
tap_ok $? '... a step that is asked for waits'
scontrol resume "$id"
wait_job 20 "$id" RUNNING
more_than
tap_is "$?" 0 '... and go on with it'
wait "$late"
tap_is "$?|$(grep -c '^late' late.out)" '0|2' '... as does the step that waits'

# ---- a launch that is put off ----
SLUMBER_SOCKET=$DIR/n1.sock timeout 100 srun --jobid="$id" -N2 -n2 --exact --prolog="$DIR/own" --msg-timeout=4 echo launched </dev/null >put.off 2>&1 & late=$!
wait_for 20 test -e held
scontrol suspend "$id"
wait_job 20 "$id" SUSPENDED
touch let
since=$(date +%s)
wait_for 10 eval '[ "$(date +%s)" -gt '"$((since + 5))"' ]'
tap_is "$(cat put.off)" '' 'a step whose launch was asked for while the job stands still waits'
scontrol resume "$id"
wait "$late"
tap_is "$?|$(xargs <put.off)" '0|launched launched' '... and --msg-timeout does not count that' || sed 's/^/# /' put.off
touch go
wait_job 30 "$id" COMPLETED
tap_is "$?|$(sort ticks.out.suspend | xargs)" '0|next 0 next 1 rc 0 task 0 task 1' '... the job ends as it would have' || sed 's/^/# /' ticks.out.suspend

# ---- for another job ----
begin preempt
high=$(sbatch --parsable -p high -N2 -n8 -o /dev/null --wrap 'until [ -e over ]; do sleep 0.02; done')
wait_job 30 "$high" RUNNING
wait_job 20 "$id" SUSPENDED
more_than
tap_is "$?" 1 'a job that is frozen for another one: its tasks stand still'
agent_kill9 n2 && agent_start n2 && agent_kill9 n1 && agent_start n1
wait_nodes 20 'n[1-2]' allocated
touch over
wait_job 30 "$high" COMPLETED
wait_job 30 "$id" RUNNING
more_than
tap_is "$?" 0 '... and go on after it, though each slumberd was killed'
ends '... its steps end as they would have' preempt

# ---- an allocation with no process on its home ----
agent_start login1 --login
export SLUMBER_SOCKET=$DIR/login1.sock SHELL=/bin/bash PS1=
connected() { grep -q 'Login host login1 is registered' log/login1 && squeue; } >/dev/null
wait_for 20 connected
hold() { # FIRST: what its first step is
        rm -f ready off late.out
        salloc --stepmgr -N2 -n4 sh -c "$1; touch ready; until [ -e off ]; do sleep 0.02; done" </dev/null 2>alloc.err & pid=$!
        wait_for 20 test -e ready
        id=$(sed -n 's/.*Granted job allocation //p' alloc.err)
}
still() { scontrol suspend "$id" && wait_job 20 "$id" SUSPENDED; }
late() { timeout 100 srun --jobid="$id" -N2 -n2 sh -c 'echo went' </dev/null >late.out 2>&1 & late=$!; }
hold 'srun -n1 true'
still
late
wait_for 20 grep -q disabled late.out
tap_is "$?|$(grep -c went late.out)" '0|0' 'an allocation without a process that stands still: its step waits'
run timeout 60 srun -I --jobid="$id" -n1 true </dev/null
tap_is "$rc|$(grep -o 'nodes are busy' <<<"$err")" '1|nodes are busy' '... one that cannot is refused'
agent_kill9 n1 && agent_start n1
wait_nodes 20 n1 'allocated|mixed|idle'
wait_for 1 grep -q went late.out
tap_is "$?" 1 '... also after its slumberd was killed'
scontrol resume "$id"
wait "$late"
tap_is "$?|$(grep -c went late.out)" '0|2' '... and goes on with it'
agent_kill9 n1 && agent_start n1
run timeout 60 srun --jobid="$id" -n1 echo again </dev/null
tap_is "$rc|$out" '0|again' '... a slumberd that is killed while it runs makes steps again'
touch off
wait $pid
hold true
still
late
wait_for 20 grep -q disabled late.out
scontrol resume "$id"
wait "$late"
tap_is "$?|$(grep -c went late.out)|$(ls spool.n1/makers)" "0|2|$id.0" 'a first step that was asked for meanwhile gives it a home' ||
        sed 's/^/# /' late.out
run srun --jobid="$id" -n1 sh -c 'echo $SLURM_STEP_ID' </dev/null
tap_is "$rc|$out" '0|1' '... which makes the next one, too'
touch off
wait $pid

# ---- an allocation whose nodes are being made ready ----
printf '#!/bin/sh\ncd %s || exit 1\ntouch readies\nuntil [ -e let.on ]; do sleep 0.02; done\n' "$DIR" >readying && chmod 755 readying
echo "PrologSlurmctld=$DIR/readying" >>slurm.conf
SLUMBER_SOCKET=$DIR/sock scontrol reconfigure
timeout 100 srun --stepmgr -N2 -n2 -J early sh -c 'echo $SLURM_STEP_ID; ls "$0"' "$DIR/spool.n1/makers" </dev/null >early.out 2>&1 &
pid=$!
configures() { [ "$(squeue -h -n early -o %T)" = CONFIGURING ] && [ -e readies ]; }
wait_for 20 configures
id=$(squeue -h -n early -o %i)
touch let.on
wait $pid
tap_is "$?|$(sort early.out | xargs)" "0|0 0 $id.0 $id.0" 'a srun whose nodes are not ready at once has its step made by the first one, too'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
