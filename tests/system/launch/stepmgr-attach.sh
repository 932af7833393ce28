#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sattach and steps that the first node of their job makes: from that node, another one and a login host; daemons that are killed
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
chmod 755 "$DIR"
# Ports of their own: one that is started again is found where it was.
cluster_conf '' "NodeName=n[1-3] NodeAddr=127.0.0.1 Port=[$((PORT + 1))-$((PORT + 3))] CPUs=4 RealMemory=1000" KillWait=1 SlurmdTimeout=60
cd "$DIR" || exit 1
ctld_start && for n in n1 n2 n3; do agent_start $n; done && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'controller and three nodes' || { cluster_logs; tap_done; }
agent_start login1 --login
connected() { grep -q 'Login host login1 is registered' log/login1 && SLUMBER_SOCKET=$DIR/login1.sock squeue; } >/dev/null
wait_for 20 connected
tap_ok $? 'and a login host'
from() { local host=$1; shift; SLUMBER_SOCKET=$DIR/$host.sock "$@"; }
by_controller() { sdiag 2>/dev/null | awk '/STEP_IO/ { sub(/.*count:/, ""); n += $1 } END { print n + 0 }'; }

# A job on n1 and n2; steps of two tasks, one on each, say each line of their input again.
cat >talk <<'END'
#!/bin/bash
echo "begin $SLURM_PROCID"
while read -r line; do
        case $line in
        error) echo "error of $SLURM_PROCID" >&2 ;;
        exit) exit $((SLURM_PROCID + 3)) ;;
        *) echo "said $line" ;;
        esac
done
END
printf '#!/bin/sh\ntouch held\nuntil [ -e off ]; do sleep 0.02; done\n' >hold
chmod +x talk hold
job=$(sbatch --parsable --stepmgr -w 'n[1-2]' -N2 -n4 -o /dev/null hold)
wait_for 20 test -e held # a job that runs may not be known to its first node yet
step_begin() { # HOST OUTPUT [OPTION...]: its srun is $srun; its number $step
        local host=$1 out=$2
        shift 2
        rm -f in && mkfifo in
        SLUMBER_SOCKET=$DIR/$host.sock srun --jobid="$job" -N2 -n2 "$@" sh -c 'echo $SLURM_STEP_ID >number; exec ./talk' <in >"$out" 2>"$out.err" &
        srun=$!
        exec 7>in
        wait_for 20 eval 'grep -q "begin 1" "$out" && grep -q "begin 0" "$out"'
        step=$(cat number)
}
attach() { # HOST OUTPUT [OPTION...]: its input is the fifo "typed"
        local host=$1 out=$2
        shift 2
        rm -f typed "$out.err" && mkfifo typed
        SLUMBER_SOCKET=$DIR/$host.sock sattach -v "$@" "$job.$step" <typed >"$out" 2>"$out.err" 7>&- &
        attached=$!
        exec 8>typed
        wait_for 20 grep -q 'attached to' "$out.err"
}

for host in n1 login1; do # its srun: on the first node, and on a host of its own
        step_begin $host all.$host
        before=$(by_controller)
        for at in n1 n3 login1; do
                attach $at see.$at -l
                tap_ok $? "srun on $host: a sattach on $at finds the step" || sed 's/^/# /' see.$at.err
                echo "to-$at" >&7
                wait_for 10 eval '[ "$(grep -c "said to-'$at'" see.'$at')" = 2 ]'
                tap_is "$(sort see.$at | paste -sd'|')" "0: said to-$at|1: said to-$at" '... and prints from then on, with labels'
                echo "typed-$at" >&8
                wait_for 10 eval '[ "$(grep -c "said typed-'$at'" all.'$host')" = 2 ] && [ "$(grep -c "said typed-'$at'" see.'$at')" = 2 ]'
                tap_ok $? '... its input goes to the tasks'
                kill $attached && wait $attached 2>/dev/null
                exec 8>&-
        done
        attach n3 filter.out --output-filter=1 --input-filter=1 --error-filter=0
        echo only >&8
        wait_for 10 grep -q 'said only' filter.out
        echo error >&7
        wait_for 10 grep -q 'error of' filter.out.err
        tap_is "$(grep -c 'said only' all.$host)|$(cat filter.out)|$(grep error filter.out.err)" '1|said only|error of 0' 'filters: of one task each'
        tap_is "$(by_controller)" "$before" 'the controller has had none of that'
        tap_is "$(from n3 sattach --layout "$job.$step" | tr '\n\t' '|>')" \
                "Job step layout:|>2 tasks, 2 nodes (n[1-2])||>Node 0 (n1), 1 task(s): 0 |>Node 1 (n2), 1 task(s): 1 |" '--layout'
        echo exit >&7
        wait $srun
        code=$?
        wait $attached
        tap_is "$? $code" '4 4' "it ends with the step, with srun's exit code"
        exec 7>&- 8>&-
done

# ---- daemons are killed ----
step_begin login1 all.killed
attach n3 see.killed
agent_kill9 n1 && agent_start n1
echo lone >&7
wait_for 20 eval '[ "$(grep -c "said lone" see.killed)" = 2 ]'
tap_is "$?|$(grep -c 'attached to' see.killed.err)" '0|1' "srun on another host: that the first node's slumberd is killed is not noticed"
agent_kill9 login1 && agent_start login1 --login
wait_for 20 eval '[ "$(grep -c "attached to" see.killed.err)" -ge 2 ]'
tap_ok $? "it attaches again after srun's host's was killed" || sed 's/^/# /' see.killed.err
echo late >&7
wait_for 20 eval '[ "$(grep -c "said late" see.killed)" = 2 ]'
tap_ok $? 'and sees what comes'
echo exit >&7
wait $srun
wait $attached
tap_is $? 4 'and how the step ends'
exec 7>&- 8>&-
step_begin n1 all.home
attach n3 see.home
agent_kill9 n1 && agent_start n1
wait_for 20 eval '[ "$(grep -c "attached to" see.home.err)" -ge 2 ]'
tap_ok $? 'srun on the first node: it attaches again after that was killed' || sed 's/^/# /' see.home.err
echo late >&7
wait_for 20 eval '[ "$(grep -c "said late" see.home)" = 2 ]'
tap_ok $? 'and sees what comes'
agent_kill9 n1
run from n2 sattach "$job.$step"
tap_like "$rc|$err" "^1\|.*node n1, which makes the steps of job $job \(--stepmgr\), (is away|does not answer for it at present)" \
        'while that is away a new one is refused by name'
agent_start n1
wait_for 20 eval '[ "$(grep -c "attached to" see.home.err)" -ge 3 ]'
tap_ok $? 'the other one waits for it'

# ---- a srun whose own slumberd is killed while the controller is away ----
echo exit >&7
wait $srun
wait $attached
exec 7>&- 8>&-
step_begin login1 all.away
file=spool.login1/homes/$job
tap_is "$(stat -c %a "$file")" 600 'the first node of the job is in the spool of a login host, for root alone'
ctld_kill9
agent_kill9 login1 && printf x >spool.login1/homes/77 && agent_start login1 --login
echo away >&7
wait_for 20 eval '[ "$(grep -c "said away" all.away)" = 2 ]'
tap_ok $? 'its step goes on after that was killed, while there is no controller' || tail -5 log/login1 | sed 's/^/# /'
tap_like "$(cat log/login1)" 'homes/77 in the spool folder does not say which node' 'a file that is none is named'
echo exit >&7
wait $srun
tap_is $? 4 '... and ends as it does'
exec 7>&-
wait_for 10 eval '! ls spool.login1/homes | grep -q .'
tap_ok $? 'nothing is left in the spool'
ctld_start && wait_nodes 20 'n[1-3]' 'idle|mixed|allocated'
step_begin n1 all.again
attach n3 see.again

# ---- what can be said of a step ----
tap_like "$(from n3 sattach "$job.77" 2>&1)|$?" 'Could not get job step info: Invalid job step id.*\|1$' 'a step that is not there'
tap_like "$(from n3 sattach --output-filter=3 "$job.$step" 2>&1)|$?" 'output-filter=3.*has tasks 0 to 1.*\|1$' 'a task that the step does not have'
run env SLUMBER_SOCKET="$DIR/sock" sattach "$job.$step"
tap_like "$rc|$err" "^1\|.*node n1 makes the steps of job $job \(--stepmgr\): sattach reaches them by the slumberd of its host" \
        'a host without slumberd'
if [ "$(id -u)" = 0 ]; then
        tap_like "$(from n3 setpriv --reuid 65534 --clear-groups sattach "$job.$step" 2>&1)|$?" 'Access/permission denied.*\|1$' \
                'another user is refused'
        user=$(from n3 setpriv --reuid 65534 --regid 65534 --clear-groups sbatch --parsable --stepmgr -w n3 -D / -o /dev/null \
                --wrap "SLUMBER_SOCKET=$DIR/n3.sock srun sleep 300")
        wait_for 20 eval 'from n3 sattach --layout "$user.0" >layout.root 2>&1'
        tap_ok $? 'root may see those of others' || sed 's/^/# /' layout.root
        scancel "$user"
fi
echo exit >&7
wait $srun
wait $attached
exec 7>&- 8>&-
from n2 srun --jobid="$job" -N1 -n1 -o 'files.%t' sleep 300 &
srun=$!
wait_for 20 eval 'from n3 sattach "$job.'$((step + 1))'" 2>files.err || grep -q files files.err'
tap_like "$(cat files.err)" 'its tasks write to files' 'a step that writes to files'
agent_kill9 n1 && agent_start n1
wait_for 20 eval 'from n3 sattach "$job.'$((step + 1))'" 2>files.err || grep -q files files.err'
tap_like "$(cat files.err)" 'its tasks write to files' '... after a restart of the first node, too'
touch off
scancel -u "$(id -un)"
wait $srun 2>/dev/null
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
