#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --stepmgr, a job of several nodes: its first node makes the steps and launches them on the others, without the controller; none
# lost or twice, whoever is killed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
cluster_up 'a cluster of three nodes' n1 n2 n3

steps() { sacct -n -P -j "$1" -o jobid,state,exitcode | grep "^$1\.[0-9]"; }
have_steps() { [ "$(steps "$1" | wc -l)" = "$2" ]; }
lines() { [ "$(wc -l <"$1" 2>/dev/null || echo 0)" -ge "$2" ]; }
made_on() { grep -qs . "$DIR/spool.$1/makers"/*; }
submit() { sbatch --parsable --stepmgr -o "$1.out" "${@:2}" "$1"; } # SCRIPT OPTION...

# ---- the same steps by the controller and by the node ----
cat >steps <<'END'
#!/bin/sh
one() { srun "$@" sh -c 'echo "$SLURM_STEP_ID.$SLURM_PROCID $SLURMD_NODENAME $SLURM_STEP_NODELIST $SLURM_STEP_TASKS_PER_NODE $SLURM_JOB_NODELIST"' 2>&1 | sort; }
one
one -N2 -n5 --exact
one -N1 -n1 -r2
one -N2 -n4 -m cyclic --exact
one -n3 -w n2,n3
SLURM_HOSTFILE=hosts one -m arbitrary
one -N4
one -N3 -n3 --mem=1001
one -x n1 -n2
srun -n3 -N3 sh -c 'exit $SLURM_PROCID' 2>/dev/null; echo "rc $?"
srun -n3 -N3 -K1 sh -c '[ $SLURM_PROCID = 1 ] && exit 5; exec sleep 1000' 2>/dev/null; echo "rc $?"
seq 30000 >input; srun -n3 -N3 cat <input | wc -c
srun --label -N3 -n3 sh -c 'echo $SLURMD_NODENAME' | sort
touch asked.$1
until [ -e on.$1 ]; do sleep 0.02; done
END
printf '%s\n' n2 n3 n2 >hosts
for way in all one; do
        option=$([ $way = one ] && echo --stepmgr)
        # shellcheck disable=SC2086
        id=$(sbatch --parsable -N3 -n12 -o "out.$way" $option steps $way)
        wait_for 60 test -e "asked.$way"
        [ $way = all ] || { made_on n1; tap_ok $? 'the first node makes the steps of a job of three nodes'; }
        touch "on.$way"
        wait_job 30 "$id" COMPLETED
        tap_ok $? "the job ends ($way)" || sed 's/^/# /' "out.$way"
        wait_for 10 have_steps "$id" 11
        sacct -n -P -j "$id" -o jobid,state,exitcode,alloctres,nodelist,ntasks | sed "s/^$id//" | grep '^[.][0-9]' >"rows.$way"
        sed -i "s/job $id/its job/" "out.$way"
done
tap_is "$(cat out.one)" "$(cat out.all)" 'each step is where the controller would have it'
tap_is "$(cat rows.one)" "$(cat rows.all)" '... and sacct tells the same of it'
wait_for 10 eval '! made_on n1'
tap_ok $? 'nothing is left in the spool'

# ---- the controller is dead ----
cat >alone <<'END'
#!/bin/sh
srun -N3 -n3 touch begun
until [ -e on ]; do sleep 0.02; done
for k in 1 2 3; do srun -N3 -n3 sh -c "echo step $k.\$SLURM_PROCID" || echo failed; done
touch through
until [ -e off ]; do sleep 0.02; done
END
id=$(submit alone -N3 -n12)
wait_for 20 test -e begun
ctld_kill9
touch on
wait_for 20 test -e through
tap_is "$?|$(sort alone.out | xargs)" '0|step 1.0 step 1.1 step 1.2 step 2.0 step 2.1 step 2.2 step 3.0 step 3.1 step 3.2' \
        'without a controller steps begin and end on all nodes'
ctld_start
wait_for 20 have_steps "$id" 4
tap_is "$?" 0 'which hears of them when it is back'
touch off
wait_job 20 "$id" COMPLETED
tap_ok $? 'and of the end of the job'

# ---- none is lost, none comes twice ----
rm -f on off begun through
cat >loops <<'END'
#!/bin/bash
# A srun that finds no slumberd has asked for nothing.
loop() {
        for ((k = 0; k < 12; k++)); do
                until srun -N3 -n3 --exact sh -c "echo $1.$k"' $SLURM_STEP_ID.$SLURM_PROCID $SLURMD_NODENAME >>ids.$SLURMD_NODENAME' 2>err.$1; do
                        grep -q refused err.$1 || { cat err.$1; echo "failed $?"; break; }
                        sleep 0.1
                done
        done
}
for ((l = 0; l < 4; l++)); do loop $l & done
wait
END
id=$(submit loops -N3 -n12)
killer() {
        local k
        for k in 5 12 20 28 36; do
                wait_for 60 lines ids.n2 $k || return
                case $k in
                5) agent_kill9 n2 && agent_start n2 ;;
                12 | 28) agent_kill9 n1 && agent_start n1 ;;
                20) ctld_kill9 && ctld_start ;;
                36) agent_kill9 n3 && agent_start n3 ;;
                esac
        done
}
killer
wait_job 120 "$id" COMPLETED
tap_is "$?|$(cat loops.out)|$(cat ids.n? | cut -d' ' -f2 | sort | uniq | wc -l)|$(cat ids.n? | wc -l)|$(cat ids.n? | cut -d' ' -f3 | sort | uniq -c | xargs)" \
        '0||144|144|48 n1 48 n2 48 n3' '4 loops of 12 steps on three nodes, while each daemon is killed: each task ran once'
wait_for 10 have_steps "$id" 48
tap_is "$?|$(steps "$id" | cut -d'|' -f2 | sort | uniq -c | xargs)" '0|48 COMPLETED' 'and sacct has all of them'

# ---- ends ----
cat >ends <<'END'
#!/bin/sh
srun -N2 -n2 -w n2,n3 sh -c 'touch one.$SLURM_PROCID; exec sleep 1000' & srun=$!
until [ -e one.0 ] && [ -e one.1 ]; do sleep 0.02; done
kill -9 $srun
srun -N3 -n3 sh -c 'touch two.$SLURM_PROCID; exec sleep 1000'; echo "rc $?"
srun -N1 -n1 -w n3 sh -c 'touch three; until [ -e go ]; do sleep 0.02; done; seq 1000; exit 6' >numbers; echo "rc $?"
srun -N1 -n1 -w n2 sh -c 'touch four; exec sleep 1000'; echo "rc $?"
srun -N3 -n3 sh -c 'touch five.$SLURM_PROCID; exec sleep 1000'; echo "rc $?"
END
id=$(submit ends -N3 -n3)
wait_for 30 test -e two.2
tap_ok $? 'the step of a srun that was killed makes room on its nodes'
wait_for 10 eval '[ -n "$(squeue -h -s -j '"$id"' -o %i | grep -x '"$id.1"')" ]'
scancel "$id.1"
wait_for 30 test -e three
tap_is "$?|$(grep '^rc' ends.out | xargs)" '0|rc 143' 'scancel ends a step on all nodes'
agent_kill9 n3
agent_kill9 n1
agent_start n3
agent_start n1
touch go
wait_for 30 test -e four
tap_is "$?|$(grep '^rc' ends.out | tail -n 1)|$(cksum <numbers)" "0|rc 6|$(seq 1000 | cksum)" \
        'slumberd is killed on both nodes: srun has all of its output and its exit code'
wait_for 10 eval '[ -n "$(squeue -h -s -j '"$id"' -o %i | grep -x '"$id.3"')" ]'
scancel "$id.3"
wait_for 30 test -e five.2
agent_kill9 n2
scancel "$id"
agent_start n2
wait_job 40 "$id" CANCELLED
tap_is "$?|$(steps "$id" | cut -d'|' -f1,2 | sed "s/^$id//" | xargs)" \
        "0|.0|FAILED .1|CANCELLED by $(id -u) .2|FAILED .3|CANCELLED by $(id -u) .4|CANCELLED" 'the job is cancelled: how its steps have ended'
for n in n1 n2 n3; do
        wait_for 10 eval "! ls spool.$n/steps 2>/dev/null | grep -q '^$id'"
        tap_ok $? "nothing of it is left on $n"
done

# ---- slumberd dies with a step daemon; the first node's, where a step had a prolog ----
rm -f go
cat >both <<'END'
#!/bin/sh
srun -N1 -n1 -w n2 sh -c 'touch both.1; exec sleep 1000'; echo "rc $?"
srun --prolog=/bin/true -N3 -n3 sh -c 'touch both.2.$SLURM_PROCID; until [ -e go ]; do sleep 0.02; done; echo said; until [ -e on ]; do sleep 0.02; done' >said &
echo $! >both.srun
wait $!
echo "rc $?"
END
id=$(submit both -N3 -n3)
wait_for 20 test -e both.1
agent_kill9 n2
# shellcheck disable=SC2046
kill -KILL $(stepd_pids n2)
agent_start n2
wait_for 30 eval '[ -e both.2.0 ] && [ -e both.2.1 ] && [ -e both.2.2 ]'
tap_like "$?|$(xargs <both.out)" '^0\|.*rc [1-9]' "a step ends whose node's daemons were both killed, and the next one begins there"
agent_kill9 n1
agent_start n1
touch go
wait_for 30 lines said 3
reads() { sed -n 's/^syscr: //p' "/proc/$(cat both.srun)/io"; }
before=$(reads)
for ((k = 0; k < 20; k++)); do squeue -h -j "$id" >/dev/null; done
tap_is "$(($(reads) - before > 100))" 0 'a srun whose step had a prolog does not ask again and again when slumberd is back'
touch on
wait_job 30 "$id" COMPLETED
tap_like "$?|$(xargs <both.out)" '^0\|.*rc 0$' '... and sees the end of its step'

# ---- Prolog on another node ----
prolog() { # TEXT: of the one of n2
        printf '#!/bin/sh\n[ "$SLURMD_NODENAME" = n2 ] || exit 0\n%s\n' "$1" >prolog.new && chmod 755 prolog.new && mv prolog.new prolog
}
ctld_stop
echo "Prolog=$DIR/prolog" >>"$SLURM_CONF"
prolog 'exit 3'
ctld_start && wait_nodes 20 'n[1-3]' idle
printf '#!/bin/sh\nsrun -N2 -n2 sh -c "[ \\$SLURM_PROCID = 0 ] || touch ran"\n' >refused
id=$(submit refused -N2 -n2 -w n1,n2)
wait_for 20 eval '[ "$(sinfo -h -n n2 -o "%T %E")" = "drained Prolog error" ]'
tap_ok $? 'a Prolog that fails on another node drains it'
wait_job 20 "$id" PENDING
tap_is "$?|$(squeue -h -j "$id" -o '%T %r')|$(ls ran 2>/dev/null)" '0|PENDING launch failed requeued held|' '... its job is requeued and held'
scancel "$id"
scontrol update nodename=n2 state=resume
cat >cut <<'END'
#!/bin/sh
srun -N2 -n2 -K1 sh -c 'if [ $SLURM_PROCID = 0 ]; then until [ -e at ]; do sleep 0.02; done; [ -e scancel ] || exit 5; else touch ran; fi
        exec sleep 1000'
echo "rc $?"
END
for how in srun scancel; do
        rm -f at go
        prolog "touch '$DIR/at'; until [ -e '$DIR/go' ]; do sleep 0.02; done"
        [ $how = srun ] || touch scancel
        id=$(submit cut -N2 -n2 -w n1,n2)
        wait_for 20 test -e at
        if [ $how = scancel ]; then
                wait_for 10 eval '[ -n "$(squeue -h -s -j '"$id"' -o %i | grep -x '"$id.0"')" ]'
                scancel "$id.0"
        fi
        wait_for 20 grep -q '^rc' cut.out
        tap_is "$?" 0 "a step that is ended ($how) while another node waits for its Prolog: srun ends" || sed 's/^/# /' cut.out
        touch go
        wait_job 20 "$id" 'COMPLETED|FAILED'
        tap_is "$?|$(ls ran 2>/dev/null)" '0|' '... and no task of it starts there'
        rm -f cut.out
done
prolog 'exit 0'

# ---- the first node is lost ----
rm -f go
cat >lost <<'END'
#!/bin/sh
srun -N3 -n3 sh -c 'touch six.$SLURM_PROCID; exec sleep 1000'
END
id=$(submit lost -N3 -n3 --no-requeue)
wait_for 20 test -e six.2
agent_kill9 n1
scontrol update nodename=n1 state=down reason=test
wait_job 40 "$id" NODE_FAIL
tap_ok $? 'a job whose first node is lost ends'
wait_nodes 30 'n[2-3]' idle
tap_ok $? '... and its other nodes are free'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
