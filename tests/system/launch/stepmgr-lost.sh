#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A first node that has lost what it has made for a job, or cannot read it, makes no more steps of
# it: sruns of other hosts hear so at once, also when it has been restarted once more, and the job
# ends as any other.  One whose spool cannot be written for a while is tried again.  One that is
# killed and has its spool keeps the order of the queue.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
cluster_up 'a cluster of two nodes' n1 n2
agent_start login1 --login
export SLUMBER_SOCKET=$DIR/login1.sock SHELL=/bin/bash PS1=
connected() { grep -q 'Login host login1 is registered' log/login1 && squeue; } >/dev/null
wait_for 20 connected
tap_ok $? 'and a login host'

steps() { sacct -n -P -j "$1" -o jobid,state | grep "^$1\.[0-9]"; }
have_steps() { [ "$(steps "$1" | wc -l)" = "$2" ]; }
job_of() { sed -n 's/.*Granted job allocation //p' "$1"; }
ended() { ! squeue -h -j "$1" 2>/dev/null | grep -q .; }
said='cannot read any more what it has made for it'
restart_without() { # WAY FILE: n1, with that file spoiled or gone
        agent_kill9 n1
        case $1 in
        unread) printf xxxxxxxx >"$2" ;;
        gone) rm "$2" ;;
        esac
        agent_start n1
}

# ---- an allocation without a step that runs ----
cat >loses <<'END'
#!/bin/sh
srun -n1 true
touch made
until [ -e on ]; do sleep 0.02; done
srun -n1 touch never; echo "rc $?"
touch told
until [ -e further ]; do sleep 0.02; done
srun -n1 touch never; echo "rc $?"
END
for way in unread gone; do
        rm -f on made told further
        salloc --stepmgr -w n1 -N1 -n4 sh loses </dev/null >out.$way 2>err.$way &
        pid=$!
        wait_for 20 test -e made
        id=$(job_of err.$way)
        wait_for 10 have_steps "$id" 1
        restart_without $way "spool.n1/makers/$id.0"
        touch on
        wait_for 10 test -e told
        tap_like "$?|$(ls never 2>/dev/null)$(xargs <out.$way)|$(xargs <err.$way)" "^0\|rc 1\|.*$said" \
                "a srun elsewhere hears what its job's node has lost ($way)" || sed 's/^/# /' err.$way
        restart_without again
        touch further
        wait_for 10 gone $pid
        tap_is "$?|$(xargs <out.$way)|$(grep -c "$said" err.$way)" '0|rc 1 rc 1|2' '... also after one more restart' ||
                sed 's/^/# /' err.$way
        wait_for 20 ended "$id" || SLUMBER_SOCKET=$DIR/sock scancel "$id"
        wait_nodes 20 n1 idle
        tap_ok $? '... and the job ends'
        rm -f spool.n1/makers/*.unread
done

# ---- steps that run ----
cat >runs <<'END'
#!/bin/sh
srun -n1 --exact sh -c 'echo $$ >pid; exec sleep 1000'; echo "rc $?"
until [ -e end ]; do sleep 0.02; done
END
id=$(sbatch --parsable --stepmgr -w n1 -n4 -o batch.out runs)
step_known() { squeue -h -s -j "$id" -o %i | grep -q "^$id.0$"; }
wait_for 20 test -s pid && wait_for 10 step_known
restart_without gone "spool.n1/makers/$id.0"
wait_for 10 gone "$(cat pid)"
tap_ok $? 'a step that runs ends, where what its node has made is gone'
wait_for 10 grep -qs rc batch.out
tap_like "$?|$(xargs <batch.out)" "^0\|.*$said.* rc 1$" '... and its srun hears why'
run timeout 20 srun --jobid="$id" -n1 true
tap_like "$rc|$err" "^1\|.*$said" '... as does one elsewhere'
grep -q "Job $id makes no more steps: .*spool.n1/makers/$id.0, .* is gone" log/n1
tap_ok $? '... and the log names the file'
touch end
wait_job 20 "$id" COMPLETED
tap_is "$?|$(steps "$id" | xargs)" "0|$id.0|FAILED" '... the script ends as it would'

# ---- ... of which the controller has not heard yet ----
rm -f on
cat >unheard <<'END'
srun -n99 true # the node is to make the steps
touch chosen
until [ -e go ]; do sleep 0.02; done
srun -n4 sh -c '[ $SLURM_PROCID = 0 ] && echo $$ >pid.unheard; exec sleep 1000' 2>err.old; echo "old rc $?" >old &
until [ -e on ]; do sleep 0.02; done
srun -n4 touch never 2>err.new; echo "new rc $?" >new
wait
END
salloc --stepmgr -w n1 -n4 sh unheard </dev/null >out.unheard 2>err.unheard &
pid=$!
wait_for 20 test -e chosen
id=$(job_of err.unheard)
ctld_kill9
touch go
wait_for 20 test -s pid.unheard
agent_kill9 n1
rm "spool.n1/makers/$id.0"
ctld_start
agent_start n1
wait_nodes 20 n1 allocated
touch on
wait_for 10 test -s new
tap_like "$?|$(ls never 2>/dev/null)$(cat new)|$(cat err.new)" "^0\|new rc 1\|.*$said" \
        'no step is made beside one that the controller has not heard of' || sed 's/^/# /' err.new
wait_for 10 gone "$(cat pid.unheard)"
tap_ok $? '... and that ends'
wait_for 10 gone $pid || SLUMBER_SOCKET=$DIR/sock scancel "$id"
wait_for 20 gone $pid
tap_is "$?|$(cat old)" '0|old rc 1' '... as does its srun' || sed 's/^/# /' err.old

# ---- the queue ----
rm -f on
cat >queue <<'END'
#!/bin/sh
srun -n4 sh -c '[ $SLURM_PROCID = 0 ] && touch first; until [ -e on ]; do sleep 0.02; done' &
until [ -e first ]; do sleep 0.02; done
for k in 1 2 3 4 5 6; do
        srun -n4 sh -c '[ $SLURM_PROCID = 0 ] && echo '$k' >>turns' 2>waits.$k &
        until grep -q disabled waits.$k; do sleep 0.02; done
done
touch queued
until [ -e later ]; do sleep 0.02; done
srun -n4 sh -c '[ $SLURM_PROCID = 0 ] && echo 7 >>turns' &
wait
END
salloc --stepmgr -w n1 -n4 sh queue </dev/null >out.queue 2>&1 &
pid=$!
wait_for 20 test -e queued
agent_kill9 n1
touch on
agent_start n1
touch later
wait_for 20 gone $pid
tap_is "$?|$(xargs <turns)" '0|1 2 3 4 5 6 7' 'sruns that wait begin in their order, also where their node'\''s slumberd was killed' || cat out.queue

# ---- ... while a request comes in as the queue is let go, and one that waits again ----
rm -f first on queued turns
cat >late <<'END'
#!/bin/sh
srun -n4 sh -c '[ $SLURM_PROCID = 0 ] && touch first; until [ -e on ]; do sleep 0.02; done' &
until [ -e first ]; do sleep 0.02; done
srun -n4 sh -c '[ $SLURM_PROCID = 0 ] && echo waited >>turns' 2>waits.late &
until grep -q disabled waits.late; do sleep 0.02; done
touch queued
wait
END
salloc --stepmgr -w n1 -n4 sh late </dev/null >out.late 2>err.late &
pid=$!
wait_for 20 test -e queued
id=$(job_of err.late)
registered=$(grep -c 'is registered with' log/n1)
is_registered() { [ "$(grep -c 'is registered with' log/n1)" -gt "$registered" ]; }
agent_kill9 n1
touch on
lines=$(wc -l <log/n1)
agent_start n1 -v
wait_for 10 is_registered
gathered=$((${EPOCHREALTIME/./} + 4200000)) # it gathers for 4 s, which have begun
# Whoever has asked before is back, and behind that one comes the next; what is too late for the gathering begins at once.
known() { [ "$(tail -n "+$((lines + 1))" log/n1 | grep -c "Job $id: a request for a step of 4 tasks waits")" -ge "$1" ] || [ -s turns ]; }
wait_for 20 known 1
tap_ok $? 'a srun that waits asks the next slumberd of its node'
# A queue of requests that may begin alone: one that is refused as it is looked at would have the others looked at.
srun --jobid="$id" -n4 sh -c '[ $SLURM_PROCID = 0 ] && echo second >>turns' 2>waits.second &
second=$!
wait_for 20 known 2
kill -STOP "$(cat run/n1.pid)"
srun --jobid="$id" -n99 true 2>too_large &
too_large=$!
is_gathered() { [ "${EPOCHREALTIME/./}" -gt $gathered ]; }
wait_for 5 is_gathered
kill -CONT "$(cat run/n1.pid)"
wait_for 30 gone $pid
tap_is "$?|$(head -1 turns)" '0|waited' 'one that waits begins, also where another one asks just as the queue is let go' ||
        cat out.late err.late waits.second too_large
SLUMBER_SOCKET=$DIR/sock scancel "$id" 2>/dev/null # where that has failed, or the second one has begun
for pid in $second $too_large; do
        wait_for 5 gone "$pid" || kill "$pid"
done

# ---- a spool that cannot be written for a while ----
wait_nodes 20 n1 idle
echo SlurmdTimeout=3 >>slurm.conf
SLUMBER_SOCKET=$DIR/sock scontrol reconfigure
mv spool.n1/makers kept.makers && touch spool.n1/makers
cat >makes <<'END'
srun -n1 true
[ -f spool.n1/makers/$SLURM_JOB_ID.0 ] && touch made_there
exit 0
END
run salloc --stepmgr -w n1 -n1 sh makes
id=$(sed -n 's/.*Granted job allocation //p' <<<"$err")
tap_is "$rc|$(grep -c "Node n1 cannot make the steps of job $id, so the controller makes them" log/ctld)" '0|1' \
        'a node whose spool cannot be written makes no steps'
rm spool.n1/makers && mv kept.makers spool.n1/makers
makes_again() { salloc --stepmgr -w n1 -n1 sh makes </dev/null 2>/dev/null && [ -e made_there ]; }
wait_for 10 makes_again
tap_ok $? '... it is tried again after SlurmdTimeout'

cluster_sound
tap_ok $? 'no daemon has complained'
[ "$TAP_FAILED" = 0 ] || cluster_logs
tap_done
