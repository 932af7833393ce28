#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --stepmgr, a job of several nodes: steps that are cancelled while a node has not launched them or is away, nodes that cannot launch
# one, a step daemon that is killed, programs before a step, a spool that cannot be read.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' KillWait=1
cluster_up 'a cluster of three nodes' n1 n2 n3

steps() { sacct -n -P -j "$1" -o jobid,state,exitcode | grep "^$1\.[0-9]"; }
submit() { sbatch --parsable --stepmgr -o "$1.out" "${@:2}" "$1"; } # SCRIPT OPTION...
known() { squeue -h -s -j "$id" -o %i | grep -qx "$id.$1"; }
step_known() { wait_for 10 known "$1"; } # STEP: to the controller
nothing_on() { # NODE STEP: nothing of it is left there
        wait_for 20 eval "! ls spool.$1/steps 2>/dev/null | grep -q '^$id\.[0-9]*\.$2\$'"
}

# ---- a node that has yet to ask the controller ----
cat >late <<'END'
#!/bin/sh
until [ -e on ]; do sleep 0.02; done
srun -N2 -n2 -w n1,n2 sh -c 'touch late.$SLURM_PROCID; exec sleep 1000'; echo "rc $?"
until [ -e off ]; do sleep 0.02; done
END
id=$(submit late -N2 -n2 -w n1,n2)
wait_job 20 "$id" RUNNING
kill -STOP "$(cat run/n2.pid)"
touch on
wait_for 20 test -e late.0 && step_known 0
scancel "$id.0"
wait_for 20 grep -q 'n1: task 0: Terminated' late.out
kill -CONT "$(cat run/n2.pid)"
wait_for 20 grep -q '^rc' late.out
tap_like "$?|$(xargs <late.out)" '^0\|.*rc (137|143|1)$' 'a step that is cancelled while a node has yet to ask for its grant ends' || sed 's/^/# /' late.out
nothing_on n2 0
tap_is "$?|$(ls late.1 2>/dev/null)" '0|' '... and no task of it runs there'
touch off
wait_job 20 "$id" COMPLETED

# ---- a node that is away ----
rm -f on off
cat >away <<'END'
#!/bin/sh
srun -N3 -n3 sh -c 'touch away.$SLURM_PROCID; exec sleep 1000'; echo "rc $?"
until [ -e off ]; do sleep 0.02; done
END
id=$(submit away -N3 -n3)
wait_for 20 eval '[ -e away.0 ] && [ -e away.1 ] && [ -e away.2 ]' && step_known 0
agent_kill9 n3
scancel "$id.0"
wait_for 20 grep -q 'n2: task 1: Terminated' away.out
tap_is "$?|$(grep -c '^rc' away.out)" '0|0' 'a step is cancelled while a node is away: it ends on the others'
agent_start n3
wait_for 20 grep -q '^rc' away.out
tap_like "$?|$(xargs <away.out)" '^0\|.*rc 1(37|43)$' '... and there when it is back'
nothing_on n3 0
tap_ok $? '... where nothing of it is left'
touch off
wait_job 20 "$id" COMPLETED
tap_is "$?|$(steps "$id")" "0|$id.0|CANCELLED by $(id -u)|0:15" '... sacct has it as cancelled' || steps "$id" | sed 's/^/# /'

# ---- a step daemon that is killed ----
rm -f off
cat >killed <<'END'
#!/bin/sh
srun -N3 -n3 sh -c 'touch killed.$SLURM_PROCID; [ $SLURM_PROCID = 1 ] && exec sleep 1000; until [ -e go ]; do sleep 0.02; done; echo end $SLURM_PROCID'; echo "rc $?"
srun -N3 -n3 sh -c 'echo next $SLURM_PROCID'
END
id=$(submit killed -N3 -n3)
wait_for 20 eval '[ -e killed.0 ] && [ -e killed.1 ] && [ -e killed.2 ]'
# shellcheck disable=SC2046
kill -KILL $(stepd_pids n2)
nothing_on n2 0
tap_is "$?|$(cat killed.out)" '0|' 'a step daemon of another node is killed'
touch go
wait_job 20 "$id" 'COMPLETED|FAILED'
tap_like "$?|$(grep -v '^srun' killed.out | sort | xargs)" '^0\|end 0 end 2 next 0 next 1 next 2 rc [1-9][0-9]*$' \
        '... the other tasks go on, and the next step has the node' || sed 's/^/# /' killed.out
tap_like "$(steps "$id" | xargs)" "^$id.0\|(FAILED|CANCELLED)\|[0-9]+:[0-9]+ $id.1\|COMPLETED\|0:0$" '... sacct has both'

# ---- a node where the launch fails ----
for option in '' --stepmgr; do
        rm -f go asked
        cat >fails <<'END'
#!/bin/sh
srun -N1 -n1 true
until [ -e asked ]; do sleep 0.02; done
srun -N3 -n3 --msg-timeout=2 sh -c 'touch fails.$SLURM_PROCID; until [ -e go ]; do sleep 0.02; done; echo end $SLURM_PROCID'; echo "rc $?"
END
        # shellcheck disable=SC2086
        id=$(sbatch --parsable -N3 -n3 -o "fails.out$option" $option fails)
        wait_job 20 "$id" RUNNING
        mkdir "spool.n2/steps/$id.0.1" # in the way of the step's
        touch asked
        wait_for 20 grep -q 'failed on node n2' "fails.out$option"
        tap_ok $? "a node cannot launch a step, and srun says so (${option:-by the controller})"
        since=$(date +%s)
        wait_for 10 eval '[ "$(date +%s)" -gt '"$((since + 3))"' ]'
        touch go
        wait_job 20 "$id" 'COMPLETED|FAILED'
        tap_is "$?|$(grep -c timeout "fails.out$option")|$(grep -v '^srun' "fails.out$option" | sort | xargs)" '0|0|end 0 end 2 rc 1' \
                '... --msg-timeout does not wait for it' || sed 's/^/# /' "fails.out$option"
done

# ---- a node that is unfit ----
rm -f go off
cat >unfit <<'END'
#!/bin/sh
until [ -e on ]; do sleep 0.02; done
srun -N2 -n2 -w n1,n2 sh -c 'echo task $SLURM_PROCID'; echo "rc $?"
until [ -e off ]; do sleep 0.02; done
END
id=$(submit unfit -N2 -n2 -w n1,n2)
wait_job 20 "$id" RUNNING
mv spool.n2 kept.n2 && mkdir elsewhere && ln -s elsewhere spool.n2
touch on
wait_for 20 grep -q '^rc' unfit.out
tap_like "$?|$(sort unfit.out | xargs)" '^0\|rc [1-9].*failed on node n2: the spool folder .* task 0$' 'a node that cannot run jobs says so to the step' ||
        sed 's/^/# /' unfit.out
wait_nodes 20 n2 'draining|drained'
tap_like "$?|$(sinfo -h -n n2 -o %E)" '^0\|the spool folder .* was removed' '... and to the controller, which drains it'
tap_is "$(job_state "$id")" RUNNING '... the job goes on'
rm spool.n2 && mv kept.n2 spool.n2
touch off
wait_job 20 "$id" COMPLETED
scontrol update nodename=n2 state=resume
wait_nodes 20 'n[1-3]' idle

# ---- the program before a step runs once ----
rm -f go
printf '#!/bin/sh\necho $SLURM_STEP_ID >>prologs\nuntil [ -e let.$SLURM_STEP_ID ]; do sleep 0.02; done\n' >own && chmod 755 own
cat >before <<'END'
#!/bin/sh
for k in 0 1; do srun --prolog=./own -N2 -n2 sh -c 'echo task $SLURM_STEP_ID.$SLURM_PROCID; until [ -e go.$SLURM_STEP_ID ]; do sleep 0.02; done'; echo "rc $?"; done
END
id=$(submit before -N2 -n2 -w n1,n2)
wait_for 20 grep -qsx 0 prologs
agent_kill9 n1 && agent_start n1 # while it runs
touch let.0
wait_for 20 eval '[ "$(grep -c "task 0" before.out)" = 2 ]'
agent_kill9 n1 && touch go.0 && agent_start n1 # while its step runs
touch let.1 go.1
wait_job 30 "$id" COMPLETED
tap_is "$?|$(xargs <prologs)|$(grep -v '^srun' before.out | sort | xargs)" '0|0 1|rc 0 rc 0 task 0.0 task 0.1 task 1.0 task 1.1' \
        'the program before a step (--prolog) runs once, though the first node is killed' || sed 's/^/# /' before.out

# ---- what was made cannot be read ----
rm -f on off
cat >unread <<'END'
#!/bin/sh
srun -N2 -n2 sh -c 'echo $$ >unread.$SLURM_PROCID; exec sleep 1000'; echo "rc $?"
srun -N1 -n1 true; echo "rc $?"
exit 0
END
id=$(submit unread -N2 -n2 -w n1,n2)
wait_for 20 eval '[ -s unread.0 ] && [ -s unread.1 ]' && step_known 0
agent_kill9 n1
printf xxxxxxxx >"spool.n1/makers/$id.0"
agent_start n1
wait_job 30 "$id" COMPLETED
tap_like "$?|$(xargs <unread.out)" '^0\|.*cannot read any more what it has made for it.*rc 1 .*cannot read any more.*rc 1$' \
        'a home that cannot read what it has made says so to its steps' || sed 's/^/# /' unread.out
gone "$(cat unread.0)" && gone "$(cat unread.1)"
tap_ok $? '... those that ran are ended on all nodes'
tap_like "$(steps "$id" | head -n 1)" "^$id.0\|[A-Z]+( by [0-9]+)?\|0:9$" '... and sacct has them'
grep -q "Node n1 cannot read what it has made for job $id: 1 of its steps are lost" log/ctld &&
        grep -q "makers/$id.0.unread has steps of job $id that this slumberd cannot read: they are ended" log/n1
tap_ok $? '... the logs say which file, and what to do'
tap_is "$(cat "spool.n1/makers/$id.0.unread")" xxxxxxxx '... which is kept'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
