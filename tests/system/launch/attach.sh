#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sattach: output, input and ends of a running step, from another node than its srun's; srun misses nothing, whether sattach reads
# or not, and the step does not notice it
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
# Ports of their own: one that is started again is found where it was.
cluster_conf '' "NodeName=n[1-3] NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 3))] CPUs=4 RealMemory=1000" KillWait=1 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && for n in n1 n2 n3; do agent_start $n; done && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'controller and three nodes' || { cluster_logs; tap_done; }
by_controller() { sdiag 2>/dev/null | awk '/STEP_IO/ { sub(/.*count:/, ""); n += $1 } END { print n + 0 }'; }
from() { local node=$1; shift; SLUMBER_SOCKET=$DIR/$node.sock "$@"; }

# A step of two tasks on n1 whose srun is on n2; each line of its input is said again.
cat >talk <<'END_OF_TASK'
#!/bin/bash
echo "begin $SLURM_PROCID"
while read -r line; do
        case $line in
        big) head -c 30000000 /dev/zero | tr '\0' x; echo; echo "end of big" ;;
        error) echo "error of $SLURM_PROCID" >&2 ;;
        exit) exit $((SLURM_PROCID + 3)) ;;
        *) echo "said $line" ;;
        esac
done
END_OF_TASK
chmod +x talk
step_begin() { # OUTPUT: its srun is $srun, its job $job
        rm -f in && mkfifo in
        SLUMBER_SOCKET=$DIR/n2.sock srun -J talk -w n1 -N1 -n2 ./talk <in >"$1" 2>"$1.err" &
        srun=$!
        exec 7>in
        wait_for 20 grep -q 'begin 1' "$1" && wait_for 20 grep -q 'begin 0' "$1"
        job=$(squeue -h -n talk -o %i)
}
attach() { # OUTPUT [OPTION...]: from n3, its input is the fifo "typed"
        local out=$1
        shift
        rm -f typed "$out.err" && mkfifo typed
        SLUMBER_SOCKET=$DIR/n3.sock sattach -v "$@" "$job.0" <typed >"$out" 2>"$out.err" &
        attached=$!
        exec 8>typed
        wait_for 20 grep -q 'attached to' "$out.err"
}

direct() { # a line, and its answers, go past the controller: the first small ones do not
        local n before
        n=$(grep -c 'said warm' all.out) before=$(by_controller)
        echo warm >&7
        wait_for 20 eval '[ "$(grep -c "said warm" all.out)" = '$((n + 2))' ]' && [ "$(by_controller)" = "$before" ]
}
step_begin all.out
wait_for 20 direct
attach see.out -l
tap_ok $? 'a sattach on another node finds the step'
before=$(by_controller)
echo one >&7
wait_for 20 eval '[ "$(grep -c "said one" see.out)" = 2 ]'
tap_is "$(sort see.out | paste -sd'|')" '0: said one|1: said one' 'it prints from then on, with labels'
echo error >&7
wait_for 20 eval '[ "$(grep -c "error of" see.out.err)" = 2 ]'
tap_ok $? 'errors, too, on its standard error'
echo typed >&8
wait_for 20 eval '[ "$(grep -c "said typed" all.out)" = 2 ] && [ "$(grep -c "said typed" see.out)" = 2 ]'
tap_ok $? 'its input goes to the tasks, and srun and sattach see what they say'
tap_ok $(($(by_controller) - before > 4)) 'the controller has had none of that'

attach filter.out --output-filter=1 --input-filter=1 --error-filter=0
echo only >&8
wait_for 20 grep -q 'said only' filter.out
echo both >&7
wait_for 20 eval '[ "$(grep -c "said both" all.out)" = 2 ]'
echo error >&7
wait_for 20 eval '[ "$(grep -c "error of" all.out.err)" = 4 ]'
tap_is "$(grep -c 'said only' all.out)" 1 '--input-filter: one task gets it'
wait_for 20 grep -q 'error of' filter.out.err
tap_is "$(paste -sd'|' filter.out) $(grep error filter.out.err)" 'said only|said both error of 0' '--output-filter and --error-filter: of one task each'

exec 8>&-
kill $attached && wait $attached 2>/dev/null
echo more >&7
wait_for 20 eval '[ "$(grep -c "said more" all.out)" = 2 ]'
tap_ok $? 'the step does not notice a sattach that is ended, or whose input ends'

for ((k = 0; k < 66; k++)); do # as many as a step may have, and more
        rm -f once.err
        SLUMBER_SOCKET=$DIR/n3.sock sattach -v "$job.0" </dev/null >/dev/null 2>once.err 7>&- 8>&- &
        wait_for 20 grep -q 'attached' once.err
        kill -KILL $! && wait $! 2>/dev/null
        grep -q 'attached to' once.err || break
done
tap_is "$k" 66 'sattaches that were killed are forgotten'

# ---- one that stands still ----
attach slow.out
kill -STOP $attached
echo big >&7
wait_for 60 eval '[ "$(grep -c "end of big" all.out)" = 2 ]'
tap_is "$(grep -c 'end of big' all.out) $(tr -dc x <all.out | wc -c)" '2 60000000' \
        'a sattach that stands still holds up neither the step nor srun'
kill -CONT $attached
# what comes while it reads what was queued may be left out, too
wait_for 30 eval 'echo after >&7; [ "$(grep -c "said after" slow.out)" -ge 2 ]'
tap_ok $? 'it goes on when it reads again'
tap_like "$(grep -m1 'left out' slow.out.err)" 'sattach: error: [0-9]+ bytes of task ..s output are left out' 'and says what it has missed'

# ---- daemons are killed ----
agent_kill9 n3 && agent_start n3
wait_for 20 eval '[ "$(grep -c "attached to" slow.out.err)" = 2 ]'
tap_ok $? 'it attaches again after its slumberd was killed'
agent_kill9 n2 && agent_start n2
wait_for 20 eval '[ "$(grep -c "attached to" slow.out.err)" -ge 3 ]'
tap_ok $? "likewise after srun's"
echo late >&7
wait_for 20 eval '[ "$(grep -c "said late" slow.out)" = 2 ]'
tap_ok $? 'and sees what comes'

# ---- the end ----
echo exit >&7
wait $srun
code=$?
wait $attached
tap_is "$? $code" '4 4' "it ends with the step, with srun's exit code"
tap_like "$(grep Exited slow.out.err | sort | paste -sd'|')" 'task 0: Exited with exit code 3.*task 1: Exited with exit code 4' \
        'and says how tasks have ended'
exec 7>&- 8>&-

# ---- a terminal: what is typed before sattach is attached is the step's, too ----
cat >lines <<'END_OF_TASK'
#!/bin/sh
: >lines.begun
while read -r line && [ "$line" != over ]; do echo "said $line"; done
END_OF_TASK
chmod +x lines
at() { # NODE SCRIPT COMMAND...: see terminal.py
        SLUMBER_SOCKET=$DIR/$1.sock python3 "$SLUMBER_SOURCE/tests/system/terminal.py" 24 80 "${@:2}" 2>&1 | tr '\r\n' ' '
}
at n2 'wait said first' srun -J lines -w n1 --pty ./lines >srun.lines &
srun=$!
wait_for 20 test -e lines.begun
job=$(squeue -h -n lines -o %i)
tap_like "$(at n3 'send fi;;send rst\r;;wait said first;;send over\r' sattach --pty "$job.0")" 'said first.*exit 0 cooked' \
        '--pty: keys that are typed at once come to the step'
wait $srun
tap_like "$(cat srun.lines)" 'said first.*exit 0 cooked' '... whose srun sees what they do'

# ---- what can be said of a step ----
SLUMBER_SOCKET=$DIR/n2.sock srun -J lay -w 'n[1-2]' -n3 sleep 300 &
srun=$!
wait_for 20 eval '[ -n "$(squeue -hs -o %i | grep "\.0")" ]'
job=$(squeue -h -n lay -o %i)
tap_is "$(from n3 sattach --layout "$job.0" | tr '\n\t' '|>')" \
        "Job step layout:|>3 tasks, 2 nodes (n[1-2])||>Node 0 (n1), 2 task(s): 0 1 |>Node 1 (n2), 1 task(s): 2 |" '--layout'
tap_like "$(from n3 sattach --output-filter=3 "$job.0" 2>&1)|$?" 'output-filter=3.*has tasks 0 to 2.*\|1$' 'a task that the step does not have'
tap_like "$(from n3 sattach "$job.7" 2>&1)|$?" 'Could not get job step info: Invalid job step id.*\|1$' 'a step that is not there'
tap_like "$(from n3 sattach --pty --input-filter=1 "$job.0" 2>&1)|$?" "don't specify both --pty and I/O filtering.*\|1$" '--pty has no filters'
tap_like "$(from n3 sattach "$job" 2>&1)|$?" 'is not a step.*\|1$' 'a job is no step'
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR"
        tap_like "$(from n3 setpriv --reuid 65534 --clear-groups sattach "$job.0" 2>&1)|$?" 'Access/permission denied.*\|1$' \
                'another user is refused'
fi
scancel "$job"
wait $srun 2>/dev/null
srun -J files -w n1 -o 'files.%t' sleep 300 &
srun=$!
wait_for 20 eval '[ -n "$(squeue -hs -o %i | grep "\.0")" ]'
files=$(squeue -h -n files -o %i)
tap_like "$(sattach "$files.0" 2>&1)|$?" 'its tasks write to files.*\|1$' 'a step that writes to files'
kill -STOP $srun # it does not say it again
ctld_kill9 && ctld_start && wait_nodes 30 'n[1-3]' 'idle|allocated|mixed'
tap_like "$(sattach "$files.0" 2>&1)|$?" 'its tasks write to files.*\|1$' '... after a restart of the controller, too'
kill -CONT $srun
job=$(sbatch -w n2 -o /dev/null --wrap 'sleep 300' | awk '{ print $4 }')
wait_job 20 "$job" RUNNING
run sattach "$job.batch"
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*batch step has no srun' 'a batch step'
scancel -u "$(id -un)"
wait $srun 2>/dev/null
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
