#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --stepmgr: the node of a batch job makes its steps (docs/stepmgr.md): in order, without the
# controller, none lost or twice whoever is killed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' 'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
cluster_up 'a cluster of four nodes' n1 n2 n3 n4

steps() { sacct -X -n -P -j "$1" >/dev/null 2>&1; sacct -n -P -j "$1" -o jobid,state,exitcode | grep "^$1\.[0-9]"; }
n_steps() { steps "$1" | wc -l; }
have_steps() { [ "$(n_steps "$1")" = "$2" ]; }
lines() { [ "$(wc -l <"$1" 2>/dev/null || echo 0)" -ge "$2" ]; }
made_here() { grep -qs . "$DIR/spool.$1/makers"/*; }
submit() { sbatch --parsable --stepmgr -o "$1.out" "${@:2}" "$1"; } # SCRIPT OPTION...

# ---- one after the other, and beside each other ----
cat >order <<'END'
#!/bin/sh
for k in 0 1 2 3; do srun sh -c 'echo "$SLURM_STEP_ID $SLURM_PROCID $SLURMD_NODENAME $SLURM_STEP_NODELIST"'; done
srun -n1 sh -c 'exit 3'; echo "rc $?"
srun -n2 --label cat <input; echo "rc $?"
srun -n5 true 2>never; srun -n2 -N2 true 2>>never
srun -J "$(printf %05000d 1)" true 2>long
touch asked
until [ -e on ]; do sleep 0.02; done
END
printf 'a\nb\n' >input
id=$(submit order -w n1 -n2)
wait_for 20 test -e asked
tap_is "$(head -n 8 order.out | sort | xargs)" '0 0 n1 n1 0 1 n1 n1 1 0 n1 n1 1 1 n1 n1 2 0 n1 n1 2 1 n1 n1 3 0 n1 n1 3 1 n1 n1' \
        'its steps are numbered from 0 on'
made_here n1
tap_ok $? 'made by their node, which keeps them in its spool'
tap_is "$(sed 1,8d order.out | grep -v '^srun' | sort | xargs)" '0: a 0: b 1: a 1: b rc 0 rc 3' 'exit codes, standard input and labels'
tap_like "$(xargs <never)" 'More processors requested than permitted.*Only allocated 1 nodes asked for 2' 'what can never be is refused'
tap_like "$(cat long)" "the step's name is longer than 4096 bytes" '... and a name that is too long'
run srun --jobid="$id" true
tap_like "$rc|$err" "^1\|.*the steps of job $id are made by its node n1 \(--stepmgr\)" 'a step from elsewhere is refused by name'
run srun --jobid="$id" --overlap -n1 sh -c 'echo $SLURM_STEP_ID'
tap_is "$rc|$out" '0|1000000000' '... but one that takes nothing is the controller'\''s'
if [ "$(id -u)" = 0 ]; then
        run setpriv --reuid=65534 --regid=65534 --clear-groups env SLUMBER_SOCKET="$DIR/n1.sock" srun --jobid="$id" -n1 true
        tap_like "$rc|$err" '^1\|.*(denied|permitted)' 'and one of another user, on its node too'
fi
touch on
wait_job 20 "$id" COMPLETED
tap_is "$?|$(steps "$id" | xargs)" "0|$id.0|COMPLETED|0:0 $id.1|COMPLETED|0:0 $id.2|COMPLETED|0:0 $id.3|COMPLETED|0:0 $id.4|FAILED|3:0 $id.5|COMPLETED|0:0 $id.1000000000|COMPLETED|0:0" \
        'sacct has each of them'
wait_for 10 eval '! made_here n1'
tap_ok $? 'nothing is left in the spool'

printf '#!/bin/sh\nsrun -n1 true\nsrun -n1 sh -c "exit 3"\nexit 0\n' >last
id=$(submit last -w n1)
wait_job 20 "$id" COMPLETED
wait_for 10 have_steps "$id" 2
tap_is "$?|$(sacct -X -n -P -j "$id" -o exitcode,derivedexitcode)|$(steps "$id" | tail -n 1)" "0|0:0|3:0|$id.1|FAILED|3:0" \
        'the last step is known before the job ends: DerivedExitCode'

# ---- the queue ----
rm -f on
cat >queue <<'END'
#!/bin/sh
srun -n1 --exact --cpu-freq=low sh -c 'touch first; until [ -e on ]; do sleep 0.02; done' &
until [ -e first ]; do sleep 0.02; done
srun -n1 --exact sh -c 'touch second; until [ -e on ]; do sleep 0.02; done' &
until [ -e second ]; do sleep 0.02; done
srun -I -n1 --exact true 2>now
for k in 1 2 3 4 5 6; do
        srun -n2 --exact sh -c 'echo '$k' >>turns' 2>waits.$k &
        until grep -q disabled waits.$k; do sleep 0.02; done
done
touch queued
wait
END
id=$(submit queue -w n2 -n2)
wait_for 60 test -e queued
tap_like "$?|$(cat now)" '^0\|srun: error: .*busy' 'srun -I is refused where others have the CPUs'
wait_for 10 eval '[ "$(squeue -h -s -j '"$id"' -o %i | grep -v batch | sort | xargs)" = "'"$id.0 $id.1"'" ]'
tap_ok $? 'squeue -s has those that run'
scontrol show step "$id.1" | grep -q "StepId=$id.1 "
tap_ok $? 'scontrol show step too'
tap_like "$(scontrol show step "$id.0")" 'CPU_max_freq=Low ' '... with the frequency that it asked for'
touch on
wait_job 20 "$id" COMPLETED
tap_is "$?|$(uniq turns | xargs)" '0|1 2 3 4 5 6' 'those that wait begin in their order'
tap_is "$(sacct -nP -j "$id.0" -o ReqCPUFreqMax)" Low 'sacct has its frequency'

# ---- the controller stands still, or is dead ----
rm -f on
cat >alone <<'END'
#!/bin/sh
srun touch begun
until [ -e on ]; do sleep 0.02; done
for k in 1 2 3 4 5; do srun -n1 echo step $k || echo failed; done
touch through
until [ -e off ]; do sleep 0.02; done
END
id=$(submit alone -w n3)
wait_for 20 test -e begun
ctld_kill9
touch on
wait_for 20 test -e through
tap_is "$?|$(cat alone.out | xargs)" '0|step 1 step 2 step 3 step 4 step 5' 'without a controller steps begin and end'
ctld_start
wait_for 20 have_steps "$id" 6
tap_is "$?" 0 'which hears of them when it is back'
touch off
wait_job 20 "$id" COMPLETED
rm -f on off begun through
cat >ends.alone <<'END'
#!/bin/sh
touch begun
until [ -e on ]; do sleep 0.02; done
srun -n1 true
srun -n1 sh -c 'exit 3'
touch through
exit 0
END
id=$(submit ends.alone -w n3)
wait_for 20 test -e begun
ctld_kill9
touch on
wait_for 20 test -e through
ctld_start
wait_job 20 "$id" COMPLETED
wait_for 10 have_steps "$id" 2
tap_is "$?|$(sacct -X -n -P -j "$id" -o exitcode,derivedexitcode)" '0|0:0|3:0' 'a job that ends without a controller: all of its steps are known with it'
rm -f on off begun through

# ---- none is lost, none comes twice ----
cat >loops <<'END'
#!/bin/bash
loop() {
        for ((k = 0; k < 25; k++)); do
                srun -n1 --exact sh -c "echo $1.$k"' $SLURM_STEP_ID >>ids' 2>err.$1 || { echo "failed $?"; cat err.$1; }
        done
}
for ((l = 0; l < 8; l++)); do loop $l & done
wait
END
id=$(submit loops -w n4 -n4)
killer() {
        local k
        for k in 20 60 100 140; do
                wait_for 60 lines ids $k || return
                case $k in
                20 | 100) agent_kill9 n4 && agent_start n4 ;;
                60 | 140) ctld_kill9 && ctld_start ;;
                esac
        done
}
killer
wait_job 120 "$id" COMPLETED
tap_is "$?|$(cat loops.out)|$(cut -d' ' -f1 ids | sort | uniq | wc -l)|$(cut -d' ' -f2 ids | sort | uniq | wc -l)|$(wc -l <ids)" '0||200|200|200' '8 loops of 25 steps, while slumberd and the controller are killed: each ran once'
wait_for 10 have_steps "$id" 200
tap_is "$?|$(steps "$id" | cut -d'|' -f2 | sort | uniq -c | xargs)" '0|200 COMPLETED' 'and sacct has all of them'

# ---- a step whose srun is killed, one that is cancelled, one whose slumberd is killed ----
rm -f on
cat >ends <<'END'
#!/bin/sh
srun sh -c 'touch one; exec sleep 1000' & srun=$!
until [ -e one ]; do sleep 0.02; done
kill -9 $srun
srun sh -c 'touch two; exec sleep 1000'; echo "rc $?"
srun sh -c 'touch three; until [ -e on ]; do sleep 0.02; done; seq 1000; exit 5' >numbers; echo "rc $?"
srun sh -c 'touch four; exec sleep 1000'; echo "rc $?"
END
id=$(submit ends -w n1)
wait_for 20 test -e two
tap_ok $? 'the step of a srun that was killed makes room'
wait_for 10 eval '[ -n "$(squeue -h -s -j '"$id"' -o %i | grep -x '"$id.1"')" ]'
scancel "$id.1"
wait_for 20 test -e three
tap_is "$?|$(grep '^rc' ends.out | xargs)" '0|rc 143' 'scancel ends a step'
agent_kill9 n1
touch on
agent_start n1
wait_for 30 test -e four
tap_is "$?|$(grep '^rc' ends.out | tail -n 1)|$(cksum <numbers)" "0|rc 5|$(seq 1000 | cksum)" 'slumberd is killed: srun has all of its output and its exit code'
scancel "$id"
wait_job 30 "$id" CANCELLED
tap_is "$?|$(steps "$id" | cut -d'|' -f1,2 | sed "s/^$id//" | xargs)" "0|.0|FAILED .1|CANCELLED by $(id -u) .2|FAILED .3|CANCELLED" \
        'the job is cancelled: how its steps have ended'

# ---- a suspended job ----
cat >stopped <<'END'
#!/bin/sh
srun touch runs
until [ -e go ]; do sleep 0.02; done
srun touch went
END
id=$(submit stopped -w n2)
wait_for 20 test -e runs
run scontrol suspend "$id"
if [ "$rc" = 0 ]; then
        wait_job 20 "$id" SUSPENDED
        tap_ok $? 'a job is suspended'
        SLUMBER_SOCKET=$DIR/n2.sock srun --jobid="$id" -n1 touch late </dev/null 2>late.err & late=$!
        wait_for 20 grep -q disabled late.err
        tap_is "$?|$(ls late 2>/dev/null)" '0|' '... a step that is asked for waits'
        scontrol resume "$id"
        wait "$late"
        tap_is "$?|$(ls late)" '0|late' '... until the job goes on'
else
        tap_like "$err" 'freez|suspend' 'no job is suspended where none can be'
fi
touch go
wait_job 20 "$id" COMPLETED
tap_is "$?|$(ls went)" '0|went' '... and its own steps run'

# ---- a job that runs again ----
rm -f go
cat >again <<'END'
#!/bin/sh
srun -n1 sh -c 'echo "${SLURM_RESTART_COUNT:-0}.$SLURM_STEP_ID" >>runs.again'
srun -n1 sh -c 'echo "${SLURM_RESTART_COUNT:-0}.$SLURM_STEP_ID" >>runs.again'
until [ -e go ]; do sleep 0.02; done
END
id=$(submit again -w n2)
wait_for 20 lines runs.again 2
scontrol requeue "$id"
wait_for 40 lines runs.again 4
tap_is "$?|$(xargs <runs.again)" '0|0.0 0.1 1.0 1.1' 'a job is requeued: its steps are made by its node again, from 0 on'
touch go
wait_job 20 "$id" COMPLETED
wait_for 10 have_steps "$id" 2
tap_ok $? '... and sacct has those of its last run'
wait_for 10 eval '! made_here n2'
tap_ok $? '... and nothing is left of either'

# ---- a script that cannot be launched ----
if [ "$(id -u)" = 0 ]; then
        id=$(cd / && setpriv --reuid=65531 --regid=65531 --clear-groups sbatch --parsable --stepmgr -w n2 -o /dev/null --wrap true)
        wait_for 10 eval "squeue -h -j $id -o %r | grep -qi launch"
        wait_for 10 eval '! made_here n2'
        tap_is "$?|$(squeue -h -j "$id" -o %T)" '0|PENDING' 'nothing is left of a job whose script could not be launched'
        scancel "$id"
fi

# ---- an end that the disk does not take at once ----
if ! ldd "$SLUMBERD" | grep -q 'lib[at]san'; then # a preloaded library and a sanitizer do not go together
        rm -f at go
        printf '#!/bin/sh\ntouch "%s/at"\nuntil [ -e "%s/go" ]; do sleep 0.02; done\nexit 3\n' "$DIR" "$DIR" >fails
        chmod 755 fails
        printf '#!/bin/sh\nsrun -n1 --prolog="%s/fails" true\necho "rc $?"\n' "$DIR" >full
        agent_stop n4
        FAULTY_DISK=$DIR/fault LD_PRELOAD=$SLUMBER_BUILD/tests/system/libfaulty_disk.so agent_start n4
        wait_nodes 20 n4 idle
        id=$(submit full -w n4)
        wait_for 20 test -e at
        echo '28 /makers/' >fault
        touch go
        wait_for 10 grep -q 'The end of step 0 is told later' log/n4
        tap_ok $? 'a held step is cancelled on a full disk'
        rm fault
        wait_job 10 "$id" COMPLETED
        tap_is "$?|$(grep -v '^srun: error: srun prolog' full.out)|$(steps "$id" | cut -d'|' -f1)" "0|rc 1|$id.0" '... and ends when there is room'
        rm -f on
        printf '#!/bin/sh\nsrun sh -c "touch %s/on; exec sleep 1000"\n' "$DIR" >brim
        id=$(submit brim -w n4)
        wait_for 20 test -e on
        echo '28 /makers/' >fault
        scancel "$id"
        wait_nodes 10 n4 idle
        tap_is "$?|$(squeue -h -t all -j "$id" -o %T)" '0|CANCELLED' 'a job ends on a full disk, and its node is free'
        wait_for 10 have_steps "$id" 1
        tap_is "$?|$(steps "$id" | cut -d'|' -f2)" '0|CANCELLED' '... how its step has ended is told'
        rm fault
        wait_nodes 20 n4 idle
fi

# ---- what slumberd keeps of steps that run ----
if ! ldd "$SLUMBERD" | grep -q 'lib[at]san'; then # these keep what is freed
        rm -f on
        cat >large <<'END'
#!/bin/bash
for ((k = 0; k < 16; k++)); do export "TEXT$k=$(printf %065000d $k)"; done
for ((k = 0; k < 24; k++)); do
        srun --overlap -n1 sh -c "touch runs.$k; until [ -e on ]; do sleep 0.1; done" &
        until [ -e runs.$k ]; do sleep 0.02; done
        [ $k != 3 ] || until [ -e on.4 ]; do sleep 0.02; done
done
touch large.runs
wait
END
        memory() { awk '/^VmRSS/ { print $2 }' "/proc/$(cat "run/$1.pid")/status"; }
        id=$(submit large -w n1)
        wait_for 20 test -e runs.3
        before=$(memory n1)
        touch on.4
        wait_for 60 test -e large.runs
        rc=$? grown=$(($(memory n1) - before))
        [ "$rc|$grown" = "0|$grown" ] && [ "$grown" -lt 10000 ]
        tap_ok $? '20 more steps with an environment of 1 MB each: slumberd keeps none of them' || echo "# $rc, $grown kB"
        touch on
        wait_job 20 "$id" COMPLETED
fi

# ---- where it is not done ----
printf '#!/bin/sh\nsrun -N2 -n2 sh -c "echo \\$SLURM_STEP_ID"\n' >two
id=$(submit two -N2 --no-kill)
wait_job 20 "$id" COMPLETED
tap_is "$?|$(xargs <two.out)" '0|0 0' 'a job that may lose one of its nodes has its steps made by the controller'
ctld_stop
printf '#!/bin/sh\ntouch "%s/at"\nuntil [ -e "%s/go" ]; do sleep 0.02; done\ntouch "%s/over"\n' "$DIR" "$DIR" "$DIR" >prolog
chmod 755 prolog
printf '%s\n' SlurmctldParameters=enable_stepmgr "SrunProlog=$DIR/prolog" >>"$SLURM_CONF"
ctld_start && wait_nodes 20 'n[1-4]' idle
rm -f on asked
touch go
id=$(sbatch --parsable -w n3 -o all.out order)
wait_for 20 test -e asked
made_here n3
tap_ok $? 'enable_stepmgr: so does each job of one node'
touch on
wait_job 20 "$id" COMPLETED

# ---- SrunProlog: slumberd is killed while a step is held, and when it has been let go ----
rm -f go at over
cat >held <<'END'
#!/bin/sh
srun -n1 --quit-on-interrupt sh -c 'trap "exit 7" INT TERM; touch free; until [ -e more ]; do sleep 0.02; done
        echo more; while :; do sleep 0.02; done' & srun=$!
echo $srun >pid.new; mv pid.new pid
wait $srun
echo "rc $?"
END
id=$(sbatch --parsable -w n3 -o held.out held)
wait_for 20 test -e at
agent_kill9 n3
agent_start n3
wait_nodes 20 n3 'mixed|allocated'
tap_is "$?|$(ls free 2>/dev/null)" '0|' 'SrunProlog runs: slumberd is killed, and the step is held yet'
ctld_kill9
agent_kill9 n3
agent_start n3
touch go
wait_for 20 test -e over
touch back
ctld_start
wait_for 20 test -e free
tap_is "$?|$([ free -nt back ] && echo later)" '0|later' '... and begins when that is over and the controller has told how'
agent_kill9 n3
agent_start n3
touch more
wait_for 20 grep -q more held.out
tap_ok $? 'it runs: slumberd is killed, and srun has its output again'
kill -INT "$(cat pid)"
wait_job 20 "$id" 'COMPLETED|FAILED'
tap_like "$?|$(steps "$id" | cut -d'|' -f2,3)" "^0\\|(FAILED\\|7:0|CANCELLED by $(id -u)\\|0:9)\$" '... and ends it, by SIGINT or soon by SIGKILL'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
