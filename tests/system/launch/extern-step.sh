#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PrologFlags=Contain: the extern step; RunInJob: hooks in its group.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
printf '#!/bin/sh\n%s\n' "echo \$SLURM_SCRIPT_CONTEXT \$SLURM_JOB_ID \$(grep -c '/job[0-9]*-[0-9]*/extern\$' /proc/self/cgroup) >>$DIR/said" \
        "while [ -e $DIR/hold ]; do sleep 0.02; done" >"$DIR/hooks/hook"
chmod 755 "$DIR/hooks/hook"
cluster_conf 'n[1-2]' PrologFlags=Contain
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2
kind=$(grep -ho 'Jobs are in cgroup/v.' log/n1 | tail -1)
node() { SLUMBER_SOCKET=$DIR/n1.sock scontrol "$@"; } # as a user of n1
script='scontrol liststeps | grep -c "^$SLURM_JOB_ID.extern"; srun -N2 sh -c "until [ -e go ]; do sleep 0.02; done"'
batch() { rm -f go out && job=$(sbatch --parsable -N2 -o out --wrap "$script" "$@") && wait_for 20 eval '[ "$(squeue -hs -j $job | grep -c "$job.0 ")" = 1 ]'; }
over() { wait_for 20 no_jobs; }
# the extern step's group of a job on the node of its script, by the script's own
group() { # JOB [NODE]
        local pid
        pid=$(node listpids "$1.batch" | awk 'NR == 2 { print $1 }')
        case $kind in
        *v2) echo "$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)$(sed -n 's/^0:://p' "/proc/$pid/cgroup" | sed 's/batch$/extern/')" ;;
        *v1) echo "$(awk '$3 == "cgroup" && $4 ~ /freezer/ { print $2; exit }' /proc/mounts)$(sed -n 's/^[0-9]*:freezer://p' "/proc/$pid/cgroup" | sed 's/batch$/extern/')" ;;
        esac
}
# no process of the step's tasks is stopped, on any node
tasks_go_on() {
        local node pid
        for node in n1 n2; do
                for pid in $(SLUMBER_SOCKET=$DIR/$node.sock scontrol listpids "$job.0" | awk 'NR > 1 && $1 > 0 { print $1 }'); do
                        ! stands "$pid" T || return 1
                done
        done
}
stands() { [ "$(awk '/^State/ { print $2 }' "/proc/$1/status" 2>/dev/null)" = "$2" ]; }

# ---- as Slurm shows it ----
batch
tap_is "$(cat out)" 1 'it is there before the script'
tap_is "$(squeue -hs -j "$job" -o '%i %j %P %N %A' | paste -sd,)" \
        "$job.0 sh main n[1-2] 2,$job.batch batch main n1 1,$job.extern extern main n[1-2] 2" 'squeue -s'
tap_like "$(scontrol -o show step "$job.extern")" "^StepId=$job.extern UserId=$(id -u) .* State=RUNNING Partition=main NodeList=n\[1-2\] Nodes=2 CPUs=0 Tasks=2 Name=extern Network=\(null\) TRES=\(null\)" 'scontrol show step'
tap_is "$(sstat -nP -j "$job.extern" -o jobid,ntasks)" "$job.extern|2" 'sstat'
tap_is "$(sacct -nP -j "$job" -o jobid,jobname,state | paste -sd' ')" \
        "$job|wrap|RUNNING $job.batch|batch|RUNNING $job.extern|extern|RUNNING $job.0|sh|RUNNING" 'sacct, in its order'
run scancel "$job.extern"
tap_is "$rc|$err" "1|scancel: error: Invalid job id $job.extern" 'scancel does not take it, as Slurm'

# ---- processes that come from elsewhere ----
place=$(group "$job")
if [ -w "$place/cgroup.procs" ]; then
        sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; trap "" TERM; exec sleep 600' &
        guest=$!
        echo $guest >"$place/cgroup.procs"
        tap_is "$(node listpids "$job.extern" | awk 'NR == 2 { print $1, $2, $3 }')" "$guest $job extern" 'a process that was moved there'
        wait_for 20 eval '[ "$(cat /proc/$guest/comm)" = sleep ]'
        scancel -s STOP "$job"
        scontrol suspend "$job" && wait_job 20 "$job" SUSPENDED
        case $kind in
        *v2) # the job is shown as suspended when its node has been told so
                wait_for 20 eval '[ "$(cat "${place%/extern}/cgroup.freeze")" = 1 ]'
                tap_is "$(cat "$place/cgroup.freeze" "${place%/extern}/cgroup.freeze" | paste -sd,)" 0,1 'it is frozen with the job' ;;
        *)
                wait_for 20 grep -q FROZEN "$place/freezer.state"
                tap_is "$(cat "$place/freezer.state")" FROZEN 'it is frozen with the job' ;;
        esac
        scontrol resume "$job" && wait_job 20 "$job" RUNNING
        tap_ok "$(wait_for 20 stands $guest S; echo $?)" '... and goes on; a signal to the job did not reach it'
        scancel -s CONT "$job"
        tap_ok "$(wait_for 20 tasks_go_on; echo $?)" '... which its tasks have had, and go on after SIGCONT'
        agent_kill9 n1
        ctld_kill9
        agent_start n1 && ctld_start && wait_nodes 20 'n[1-2]' mixed
        tap_is "$(cat /proc/$guest/comm)|$(squeue -hs -j "$job" -o '%i %N' | grep extern)" "sleep|$job.extern n[1-2]" \
                'it outlives kill -9 of slumberd and slumberctld'
        touch go
        over
        tap_ok "$(wait_for 20 eval '! kill -0 $guest 2>/dev/null'; echo $?)" 'it ends with the job, at once'
        tap_like "$(sacct -nP -j "$job.extern" -o state,exitcode,totalcpu,nnodes,ntasks)" '^COMPLETED\|0:0\|(00:0[0-9.:]*[1-9][0-9]*)\|2\|2$' 'what it has used is in the accounts'
        tap_like "$(sacct -nP -j "$job.extern" -o maxrss,maxvmsize,maxrsstask)" '^[1-9][0-9.]*[KM]?\|[1-9][0-9.]*[KM]?\|0$' '... with its memory'
else
        echo "# no cgroup of $kind is writable here"
        touch go
        over
        tap_is "$(sacct -nP -j "$job.extern" -o state,exitcode)" 'COMPLETED|0:0' 'it is over with its job'
fi
tap_is "$(sacct -nP -j "$job" -o jobid,state | paste -sd' ')" \
        "$job|COMPLETED $job.batch|COMPLETED $job.extern|COMPLETED $job.0|COMPLETED" 'all of them are over'

# ---- its daemon is killed ----
batch
parent() { ps -o ppid= -p "$(node listpids "$1" | awk 'NR == 2 { print $1 }')"; }
others=$(stepd_pids n1 | grep -vxe $(($(parent "$job.batch"))) -e $(($(parent "$job.0"))) | while read -r pid; do
        [ "$(cat "/proc/$pid/comm")" != slumberstepd ] || echo "$pid"
done)
tap_is "$(wc -w <<<"$others")" 1 'three daemons on n1: script, step, extern'
kill -9 $others
tap_ok "$(wait_for 20 eval '[ "$(grep -c "Launched step extern of job $job " log/n1)" = 2 ]'; echo $?)" 'another one is started'
tap_is "$(squeue -h -j "$job" -o %T)" RUNNING 'the job goes on'
touch go
over
tap_is "$(sacct -nP -j "$job.extern" -o state)" COMPLETED 'and it is over with its job'

# ---- salloc, and a job that is cancelled ----
run timeout 60 salloc -N2 sh -c 'squeue -hs -j $SLURM_JOB_ID -o "%i %N"; srun -N2 true'
job=$(sed -n 's/.*Granted job allocation //p' <<<"$err")
tap_is "$rc|$out" "0|$job.extern n[1-2]" 'salloc has one, too'
over
batch
scancel "$job"
over
tap_like "$(sacct -nP -j "$job" -o jobid,state | paste -sd' ')" "^$job\|CANCELLED by [0-9]+ $job.batch\|CANCELLED $job.extern\|COMPLETED $job.0\|CANCELLED" 'cancelled: as Slurm'

# ---- RunInJob ----
printf '%s\n' "Prolog=$DIR/hooks/hook" "Epilog=$DIR/hooks/hook" >>slurm.conf
sed -i 's/^PrologFlags=.*/PrologFlags=RunInJob/' slurm.conf
scontrol reconfigure
: >said
case $kind in *v?) in=1 ;; *) in=0 ;; esac
job=$(sbatch --parsable -w n1 --wrap true)
wait_job 20 "$job" COMPLETED
wait_for 20 eval '[ "$(wc -l <said)" = 2 ]'
tap_is "$(paste -sd, said)" "prolog_slurmd $job $in,epilog_slurmd $job $in" 'RunInJob: both hooks run in its group'
: >said
touch hold
job=$(sbatch --parsable -w n1 --wrap true)
wait_for 20 test -s said
scancel "$job"
wait_job 20 "$job" 'CANCELLED|COMPLETING'
agent_kill9 n1
agent_start n1
rm hold
over
tap_is "$(paste -sd, said)" "prolog_slurmd $job $in,epilog_slurmd $job $in" '... once each, when the job is cancelled and slumberd killed'
tap_ok "$(wait_for 20 eval '[ -z "$(ls spool.n1/hooks spool.n1/steps | grep "^[0-9]")" ]'; echo $?)" '... and nothing is left of it'
if [ "$in" = 1 ]; then
        printf '%s\n' JobAcctGatherType=jobacct_gather/linux JobAcctGatherParams=OverMemoryKill JobAcctGatherFrequency=1 SelectTypeParameters=CR_Core_Memory >>slurm.conf
        scontrol reconfigure
        rm -f go script
        # The step's daemon looks half a second after that of the extern step: it is the first to see what begins in between.
        job=$(sbatch --parsable -w n1 --mem=60 -o /dev/null --wrap "sleep 0.5; srun python3 -c 'import os, time
open(\"$DIR/script\", \"w\")
while not os.path.exists(\"$DIR/go\"): time.sleep(0.02)'")
        wait_for 20 test -e script # by which its group is found
        place=$(group "$job")
        for hog in 1 2 3; do
                rm -f kept
                python3 -c 'import time; kept = b"x" * (100 << 20); open("kept", "w"); time.sleep(600)' &
                hog=$!
                wait_for 20 test -e kept
                echo "$hog" >"$place/cgroup.procs"
                wait_for 20 eval '! kill -0 $hog 2>/dev/null' && [ "$(job_state "$job")" = RUNNING ] || break
                hog=
        done
        tap_is "$hog" '' 'OverMemoryKill: what a session takes alone is looked at, and the job goes on'
        [ -z "$hog" ] || kill "$hog" 2>/dev/null
        touch go
        over
        rm -f go
        sed -i '/OverMemoryKill/d; /JobAcctGatherFrequency/d; /CR_Core_Memory/d' slurm.conf
        scontrol reconfigure
fi
# the memory limit of a job's extern step, by the kernel; base: the folder of the node's groups
limit() { cat "$base/job$1-0/extern/memory.max" "$base/job$1-0/extern/memory.limit_in_bytes" 2>/dev/null | grep -x '[0-9]*'; }
if [ "$in" = 1 ] && ! grep -q 'no memory controller for slumberd' log/n1; then
        echo ConstrainRAMSpace=yes >cgroup.conf
        sed -i 's/^SelectTypeParameters=.*//; $a SelectTypeParameters=CR_Core_Memory' slurm.conf
        scontrol reconfigure
        sbatch -Q -W -w n1 --mem=100 -o groups --wrap 'cat /proc/self/cgroup'
        own=$(grep ':memory:' groups)
        base=$(awk -v own="$own" '$3 == (own == "" ? "cgroup2" : "cgroup") && (own == "" || $4 ~ /memory/) { print $2; exit }' /proc/mounts)
        base=$base$(sed 's#.*:##; s#/[^/]*/[^/]*$##' <<<"${own:-$(grep '^0::' groups)}")
        touch hold
        : >said
        job=$(sbatch --parsable -w n1 --mem=100 --wrap "until [ -e $DIR/go ]; do sleep 0.02; done")
        wait_for 20 test -s said
        tap_is "$(limit "$job" | awk '$1 < 2 ^ 40')" '' 'RunInJob: its memory does not limit its prolog'
        rm -f hold go
        wait_for 20 eval '[ -n "$(limit $job)" ] && [ "$(limit $job)" = 104857600 ]'
        tap_is "$(limit "$job")" 104857600 '... but what comes after that'
        touch go
        over
fi
sed -i 's/^PrologFlags=.*/PrologFlags=Contain,NoHold/' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*PrologFlags=Contain,NoHold: NoHold cannot be combined with Contain, RunInJob and X11' 'NoHold is refused beside it'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
