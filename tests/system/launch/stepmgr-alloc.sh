#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --stepmgr of salloc and srun: the first node makes the steps of an allocation, also for sruns on other hosts, without the
# controller; none is lost or comes twice, whoever is killed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' LaunchParameters=use_interactive_step
cluster_up 'a cluster of three nodes' n1 n2 n3
agent_start login1 --login
export SLUMBER_SOCKET=$DIR/login1.sock SHELL=/bin/bash PS1=
connected() { grep -q 'Login host login1 is registered' log/login1 && squeue; } >/dev/null
wait_for 20 connected
tap_ok $? 'and a login host'

steps() { sacct -n -P -j "$1" -o jobid,state,exitcode | grep "^$1\.[0-9]"; }
have_steps() { [ "$(steps "$1" | wc -l)" = "$2" ]; }
lines() { [ "$(wc -l <"$1" 2>/dev/null || echo 0)" -ge "$2" ]; }
made_on() { grep -qs . "$DIR/spool.$1/makers"/*; }
job_of() { sed -n 's/.*Granted job allocation //p' "$1"; }
ended() { ! squeue -h -j "$1" 2>/dev/null | grep -q .; }

# ---- the same steps by the controller and by the first node ----
cat >steps <<'END'
#!/bin/sh
one() { srun "$@" sh -c 'echo "$SLURM_STEP_ID.$SLURM_PROCID $SLURMD_NODENAME $SLURM_STEP_NODELIST $SLURM_STEP_TASKS_PER_NODE $SLURM_JOB_NODELIST $SLURM_LAUNCH_NODE_IPADDR"' 2>&1 | sort; }
one
one -N2 -n5 --exact
one -N1 -n1 -r2
one -n3 -w n2,n3
one -N4
srun -n3 -N3 sh -c 'exit $SLURM_PROCID' 2>/dev/null; echo "rc $?"
srun -n3 -N3 -K1 sh -c '[ $SLURM_PROCID = 1 ] && exit 5; exec sleep 1000' 2>/dev/null; echo "rc $?"
seq 30000 >input; srun -n3 -N3 cat <input | wc -c
srun -n3 -N3 cat </dev/null; echo "rc $?"
srun --label -N3 -n3 sh -c 'echo $SLURMD_NODENAME' | sort
touch asked.$1
until [ -e on.$1 ]; do sleep 0.02; done
END
for way in all one; do
        option=$([ $way = one ] && echo --stepmgr)
        # shellcheck disable=SC2086
        salloc -N3 -n12 $option sh steps $way </dev/null >"out.$way" 2>"err.$way" &
        pid=$!
        wait_for 60 test -e "asked.$way"
        id=$(job_of "err.$way")
        if [ $way = one ]; then
                made_on n1
                tap_ok $? 'the first node makes the steps of an allocation for the sruns of a login host'
                run env SLUMBER_SOCKET="$DIR/n2.sock" srun --jobid="$id" -N1 -n1 sh -c 'echo $SLURM_STEP_ID $SLURMD_NODENAME'
                tap_is "$rc|$out" '0|9 n1' '... and for one on another of its nodes'
                run env SLUMBER_SOCKET="$DIR/sock" srun --jobid="$id" true
                tap_like "$rc|$err" "^1\|.*the steps of job $id are made by its node n1 \(--stepmgr\): srun must run where slumberd does" \
                        'one on a host without slumberd is refused by name'
                if [ "$(id -u)" = 0 ]; then
                        run setpriv --reuid=65534 --regid=65534 --clear-groups srun --jobid="$id" -n1 true
                        tap_like "$rc|$err" '^1\|.*(denied|permitted)' 'and one of another user'
                fi
        fi
        touch "on.$way"
        wait $pid
        tap_is $? 0 "the allocation ends ($way)" || sed 's/^/# /' "out.$way" "err.$way"
        wait_for 10 have_steps "$id" "$([ $way = one ] && echo 10 || echo 9)"
        sacct -n -P -j "$id" -o jobid,state,exitcode,alloctres,nodelist,ntasks | sed "s/^$id//" | grep '^[.][0-8]|' >"rows.$way"
        sed -i "s/job $id/its job/" "out.$way"
done
tap_is "$(cat out.one)" "$(cat out.all)" 'each step is where the controller would have it'
tap_is "$(cat rows.one)" "$(cat rows.all)" '... and sacct tells the same of it'
wait_for 10 eval '! made_on n1'
tap_ok $? 'nothing is left in the spool'

# ---- the shell on the first node ----
cat >shell <<'END'
export SLUMBER_SOCKET="$PWD/$SLURMD_NODENAME.sock"
srun -N2 -n2 sh -c 'echo $SLURM_STEP_ID $SLURMD_NODENAME' </dev/null | sort
ls spool.n1/makers | wc -l
exit 3
END
run timeout 60 salloc --stepmgr -N2 -n2 <shell
tap_is "$rc|$(xargs <<<"$out")" '3|0 n1 0 n2 1' 'use_interactive_step: the shell'\''s sruns ask their own host'

# ---- an allocation of srun's own ----
cat >own <<'END'
#!/bin/sh
[ "$SLURM_PROCID" = 0 ] || exit 0
export SLUMBER_SOCKET="$PWD/$SLURMD_NODENAME.sock"
echo "outer $SLURM_STEP_ID"
ls spool.n1/makers | wc -l
srun --overlap -N2 -n2 sh -c 'echo inner $SLURM_STEP_ID $SLURMD_NODENAME' </dev/null | sort
srun -I -n1 true 2>&1 </dev/null | grep -o 'nodes are busy'
END
run timeout 60 srun --stepmgr -N2 -n2 sh own
tap_is "$rc|$(xargs <<<"$out")" '0|outer 0 1 inner 1 n1 inner 1 n2 nodes are busy' 'srun: its own step, and those inside it' || sed 's/^/# /' <<<"$err"

# ---- a batch job's ----
printf '#!/bin/sh\nsrun true\ntouch script\nuntil [ -e on ]; do sleep 0.02; done\n' >batch
id=$(sbatch --parsable --stepmgr -N2 -n4 batch)
wait_for 20 test -e script
run srun --jobid="$id" -n2 sh -c 'echo $SLURM_STEP_ID $SLURMD_NODENAME'
tap_is "$rc|$(sort <<<"$out" | xargs)" '0|1 n1 1 n2' 'srun --jobid elsewhere, for a batch job'
touch on
wait_job 20 "$id" COMPLETED
rm -f on

# ---- the queue ----
cat >queue <<'END'
#!/bin/sh
srun -n1 --exact sh -c 'touch first; until [ -e on ]; do sleep 0.02; done' &
until [ -e first ]; do sleep 0.02; done
srun -n1 --exact sh -c 'touch second; until [ -e on ]; do sleep 0.02; done' &
until [ -e second ]; do sleep 0.02; done
srun -I -n1 --exact true 2>now
srun --overlap -n1 touch overlapped
for k in 1 2 3 4 5 6; do
        srun -n2 --exact sh -c 'echo '$k' >>turns' 2>waits.$k &
        until grep -q disabled waits.$k; do sleep 0.02; done
done
touch queued
wait
END
salloc --stepmgr -w n2 -n2 sh queue </dev/null 2>err.queue &
pid=$!
wait_for 60 test -e queued
id=$(job_of err.queue)
tap_like "$?|$(cat now)" '^0\|srun: error: .*busy' 'srun -I is refused where others have the CPUs'
test -e overlapped
tap_ok $? '... with --overlap it is not'
wait_for 10 eval '[ "$(squeue -h -s -j '"$id"' -o %i | grep -v extern | sort | xargs)" = "'"$id.0 $id.1"'" ]'
tap_ok $? 'squeue -s has those that run'
touch on
wait $pid
tap_is "$?|$(uniq turns | xargs)" '0|1 2 3 4 5 6' 'those that wait begin in their order'
rm -f on

# ---- the controller is dead ----
cat >alone <<'END'
#!/bin/sh
srun -N3 -n3 true # each node has asked the controller about the job
touch begun
until [ -e on ]; do sleep 0.02; done
for k in 1 2 3; do srun -N3 -n3 sh -c "echo step $k.\$SLURM_PROCID" || echo failed; done
touch through
until [ -e off ]; do sleep 0.02; done
END
salloc --stepmgr -N3 -n12 sh alone </dev/null >alone.out 2>err.alone &
pid=$!
wait_for 20 test -e begun
id=$(job_of err.alone)
ctld_kill9
touch on
wait_for 20 test -e through
tap_is "$?|$(sort alone.out | xargs)" '0|step 1.0 step 1.1 step 1.2 step 2.0 step 2.1 step 2.2 step 3.0 step 3.1 step 3.2' \
        'without a controller steps begin and end on all nodes'
srun --jobid="$id" -N3 -n3 sh -c 'echo $$ >>pids.alone; until [ -e past ]; do sleep 0.02; done; echo past' >past.out 2>&1 </dev/null &
second=$!
wait_for 20 lines pids.alone 3
agent_kill9 n1 && agent_start n1
touch past
wait_for 20 gone $second
wait $second
tap_is "$?|$(grep -c '^past' past.out)" '0|3' '... a srun comes back to a first node that was killed, and its step ends well' || sed 's/^/# /' past.out
ctld_start
wait_for 20 have_steps "$id" 5
tap_is "$?" 0 'which hears of them when it is back'
touch off
wait $pid
tap_is $? 0 'and of the end of the allocation'
rm -f on off begun through

# ---- programs on srun's host are the controller's to say ----
cat >hooks <<'END'
#!/bin/sh
SLUMBER_SOCKET=$PWD/n2.sock srun -n1 --prolog=none --epilog=none touch begun
until [ -e on ]; do sleep 0.02; done
srun -n1 echo task
END
for hook in old new; do printf '#!/bin/sh\necho %s $SLURM_SCRIPT_CONTEXT\n' $hook >$hook && chmod 755 $hook; done
has_hooks() { # NAME: from now on, "" = none
        sed -i '/^Srun.*log=/d' slurm.conf
        [ -z "$1" ] || printf 'SrunProlog=%s\nSrunEpilog=%s\n' "$DIR/$1" "$DIR/$1" >>slurm.conf
        SLUMBER_SOCKET=$DIR/sock scontrol reconfigure
}
for hook in new ''; do
        has_hooks old
        salloc --stepmgr -N2 -n2 -w n1,n2 sh hooks </dev/null >hooks.out 2>err.hooks &
        pid=$!
        wait_for 20 test -e begun
        has_hooks "$hook"
        touch on
        wait $pid
        tap_is "$?|$(xargs <hooks.out)" "0|${hook:+$hook prolog_srun }task${hook:+ $hook epilog_srun}" \
                "srun runs ${hook:-no} programs as the controller says, whatever the home does" || sed 's/^/# /' err.hooks
        rm -f on begun
done

# ---- ends ----
cat >ends <<'END'
#!/bin/sh
srun -N3 -n3 sh -c 'echo $$ >>pids; exec sleep 1000' 2>err.cancel
echo "cancelled $?"
srun -N3 -n3 --exact sh -c 'echo $$ >>pids.killed; exec sleep 1000' &
echo $! >srun.pid
wait
srun -n1 echo afterwards
srun -N3 -n3 sh -c 'echo $$ >>pids.left; exec sleep 1000' &
until [ -e on ]; do sleep 0.02; done
END
all_gone() { local p; for p in $(cat "$1"); do gone "$p" || return 1; done; }
salloc --stepmgr -N3 -n12 sh ends </dev/null >ends.out 2>err.ends &
pid=$!
wait_for 20 lines pids 3
id=$(job_of err.ends)
known() { squeue -h -s -j "$id" -o %i | grep -q "^$id.0$"; }
wait_for 10 known
scancel "$id.0"
wait_for 20 grep -q cancelled ends.out
wait_for 10 all_gone pids
tap_ok $? 'scancel ends a step'
wait_for 20 lines pids.killed 3
{ kill -KILL "$(cat srun.pid)"; } 2>/dev/null
wait_for 20 all_gone pids.killed
tap_ok $? 'a srun that is killed takes its step with it'
wait_for 20 lines pids.left 3
tap_like "$(xargs <ends.out)" '^cancelled [0-9]+ afterwards$' 'the next one begins'
touch on
wait $pid
wait_for 20 all_gone pids.left
tap_ok $? 'the end of salloc ends its steps'
wait_for 20 ended "$id" && wait_for 10 eval '! made_on n1'
tap_ok $? '... and its job'
rm -f on

cat >left <<'END'
#!/bin/sh
exec srun -N3 -n3 sh -c 'echo $$ >>pids.salloc; exec sleep 1000'
END
salloc --stepmgr -N3 -n12 sh left </dev/null >/dev/null 2>err.left &
pid=$!
wait_for 20 lines pids.salloc 3
id=$(job_of err.left)
{ kill -KILL $pid; wait $pid; } 2>/dev/null
wait_for 20 all_gone pids.salloc
tap_ok $? 'so does its kill'
wait_for 20 ended "$id" && wait_for 10 eval '! made_on n1'
tap_ok $? '... and nothing of it is left'

# ---- none is lost, none comes twice ----
cat >loops <<'END'
#!/bin/bash
# A srun that finds no slumberd has asked for nothing.
loop() {
        for ((k = 0; k < 12; k++)); do
                until srun -N3 -n3 --exact sh -c "echo $1.$k"' $SLURM_STEP_ID.$SLURM_PROCID $SLURMD_NODENAME >>ids.$SLURMD_NODENAME; echo out' 2>err.$1 >>said.$1; do
                        grep -q refused err.$1 || { cat err.$1; echo "failed $?"; break; }
                        sleep 0.1
                done
        done
}
for ((l = 0; l < 4; l++)); do loop $l & done
wait
END
salloc --stepmgr -N3 -n12 bash loops </dev/null >loops.out 2>err.loops &
pid=$!
killer() {
        local k
        for k in 5 12 20 28 36; do
                wait_for 60 lines ids.n2 $k || return
                case $k in
                5) agent_kill9 n2 && agent_start n2 ;;
                12) agent_kill9 n1 && agent_start n1 ;;
                20) ctld_kill9 && ctld_start ;;
                28) agent_kill9 login1 && agent_start login1 --login ;;
                36) agent_kill9 login1 && agent_kill9 n1 && agent_start n1 && agent_start login1 --login ;;
                esac
        done
}
killer
wait $pid
tap_is "$?|$(cat loops.out)|$(cat ids.n? | cut -d' ' -f2 | sort | uniq | wc -l)|$(cat ids.n? | wc -l)|$(cat ids.n? | cut -d' ' -f3 | sort | uniq -c | xargs)|$(cat said.? | wc -l)" \
        '0||144|144|48 n1 48 n2 48 n3|144' '4 loops of 12 steps on three nodes, while each daemon is killed: each task ran once, and said so once'
id=$(job_of err.loops)
wait_for 10 have_steps "$id" 48
tap_is "$?|$(steps "$id" | cut -d'|' -f2 | sort | uniq -c | xargs)" '0|48 COMPLETED' 'and sacct has all of them'
tap_is "$(grep -h 'by the controller: slumberd of' log/login1)" '' '... no log says that their streams go by the controller'

# ---- a job that has ended ----
run srun --jobid="$id" -n1 true
tap_like "$rc|$err" '^1\|.*Job has ended' 'a srun for a job that has ended hears that it has'
run env SLUMBER_SOCKET="$DIR/sock" srun --jobid="$id" -n1 true
tap_like "$rc|$err" '^1\|.*Job has ended' '... also on a host without slumberd'

# ---- a home whose spool cannot be written ----
wait_for 20 eval '! made_on n1'
mv spool.n1/makers kept.makers && touch spool.n1/makers
cat >nowhere <<'END'
#!/bin/sh
srun -N2 -n2 sh -c 'echo $SLURM_STEP_ID.$SLURM_PROCID'
srun -N2 -n2 sh -c 'echo $SLURM_STEP_ID.$SLURM_PROCID'
END
run timeout 60 salloc --stepmgr -N2 -n2 -w n1,n2 sh nowhere </dev/null
id=$(sed -n 's/.*Granted job allocation //p' <<<"$err")
tap_is "$rc|$(sort <<<"$out" | xargs)" '0|0.0 0.1 1.0 1.1' 'where a node cannot make the steps the controller does' || sed 's/^/# /' <<<"$err"
grep -q "Node n1 cannot make the steps of job $id, so the controller makes them: " log/ctld
tap_ok $? '... and logs why'
wait_for 10 have_steps "$id" 2
tap_is "$?|$(steps "$id" | cut -d'|' -f2 | xargs)" '0|COMPLETED COMPLETED' '... sacct has them'
rm spool.n1/makers && mv kept.makers spool.n1/makers
agent_kill9 n1 && agent_start n1
wait_nodes 20 n1 idle

# ---- a host that does not come back ----
printf 'SlurmdTimeout=10\nNodeName=n4 NodeAddr=240.0.0.1 CPUs=4 RealMemory=1000\n' >>slurm.conf
SLUMBER_SOCKET=$DIR/sock scontrol reconfigure
own() { # NAME SRUN-OPTION...: a srun with an allocation of its own, as $pid
        srun --stepmgr -n2 -J "$@" sh -c 'echo $$ >>pids.'"$1"'; until [ -e on ]; do sleep 0.02; done; echo done' >"own.$1" 2>&1 </dev/null &
        pid=$!
        wait_for 20 lines "pids.$1" 2
}
named() { squeue -h -n "$1" -o %T 2>/dev/null; }
own elsewhere -N2 -w n1,n2
first=$pid
SLUMBER_SOCKET=$DIR/n3.sock own home -N1 -w n3
second=$pid
own gone -N1 -w n1
ctld_kill9
agent_kill9 n1 && agent_start n1
agent_kill9 n3 && agent_start n3
since=$(date +%s)
wait_for 10 eval '[ "$(date +%s)" -gt '"$((since + 13))"' ]'
gone_pids() { local p; for p in $(cat "$@"); do ! gone "$p" || echo "$p"; done; }
tap_is "$(gone_pids pids.elsewhere pids.home)" '' \
        'a srun whose home is killed without a controller, or its own slumberd, keeps its step' || cat own.elsewhere own.home
{ kill -KILL $pid; wait $pid; } 2>/dev/null
ctld_start
wait_for 20 eval 'squeue && [ -z "$(named gone)" ]'
tap_is "$?|$(named elsewhere)|$(named home)" '0|RUNNING|RUNNING' \
        'srun keeps an allocation of its own when the controller comes back, one that is gone does not' || cat own.elsewhere own.home
touch on
wait $first
tap_is "$?|$(grep -c '^done' own.elsewhere)" '0|2' '... on a login host its step ends well'
wait $second
tap_is "$?|$(grep -c '^done' own.home)" '0|2' '... and on its home'
rm -f on
agent_start n4
wait_nodes 20 n4 idle
run salloc --stepmgr -w n4 srun true
tap_like "$rc|$(xargs <<<"$err")" '^1\|.*srun: node n4, .* cannot be reached at 240.0.0.1:[0-9]+ from here: waiting for it srun: error: .*node n4, .*' \
        'a first node that srun'\''s host cannot reach is named, and not waited for longer than SlurmdTimeout'
agent_stop n4
id=$(sbatch --parsable --stepmgr -N2 -n4 -w n1,n2 batch)
wait_job 20 "$id" RUNNING
srun --jobid="$id" -N2 -n2 sh -c 'echo $$ >>pids.host; exec sleep 1000' >/dev/null 2>&1 &
pid=$!
wait_for 20 lines pids.host 2
agent_kill9 login1
{ kill -KILL $pid; wait $pid; } 2>/dev/null
export SLUMBER_SOCKET=$DIR/n3.sock
wait_for 20 all_gone pids.host
tap_ok $? 'a step whose srun is gone with its host ends after SlurmdTimeout'
run srun --jobid="$id" -N2 -n2 echo goes on
tap_is "$rc|$(xargs <<<"$out")" '0|goes on goes on' '... and the next one begins'
touch on
wait_job 20 "$id" COMPLETED
tap_ok $? '... and the job ends'

cluster_sound
tap_ok $? 'no daemon has complained'
[ "$TAP_FAILED" = 0 ] || cluster_logs
tap_done
