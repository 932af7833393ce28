#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# job_container/tmpfs: folders of its own for each job.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'needs root'
unshare -m true 2>/dev/null || tap_skip_all 'no mount namespaces here'
at_exit cluster_end
base_end() { for node in n1 n2; do awk -v d="$DIR/base.$node" 'index($5, d) == 1 { print $5 }' /proc/self/mountinfo | sort -r | xargs -r -n 1 umount -l; done; }
at_exit base_end
cluster_conf 'n[1-2]' PrologFlags=Contain JobContainerType=job_container/tmpfs
cd "$DIR" || exit 1
chmod 755 "$DIR"
mkdir scratch hooks
chmod 1777 scratch
touch scratch/of-the-node
cat >hooks/init <<END
#!/bin/sh
echo "\$SLURM_JOB_ID" >>$DIR/inits
while [ -e $DIR/hangs.\$SLURM_JOB_ID ]; do sleep 0.05; done
[ ! -e $DIR/fails ] && touch $DIR/scratch/init
END
chmod 755 hooks/init
conf() { printf '%s\n' "BasePath=$DIR/base.%n AutoBasePath=true Dirs=$DIR/scratch,/dev/shm" "$@" >job_container.conf; }
conf "NodeName=n1 InitScript=$DIR/hooks/init"
cluster_up 'two nodes' n1 n2
over() { wait_for 20 no_jobs; }
left() { ls -A base.n1 base.n2; }
empty() { [ -z "$(find base.n1 base.n2 -mindepth 1 -maxdepth 1 ! -name .lock)" ]; }

# ---- private, shared by the steps of a job ----
job=$(sbatch --parsable -N1 -w n1 -D / -o "$DIR/out" --wrap "ls $DIR/scratch; touch $DIR/scratch/a /dev/shm/b; ls /dev/shm; srun ls $DIR/scratch /dev/shm | grep -v :; stat -c '%a %u' $DIR/scratch /dev/shm; until [ -e $DIR/go ]; do sleep 0.05; done")
wait_for 20 eval '[ "$(wc -l <out)" -ge 7 ]'
tap_is "$(paste -sd, out)" "init,b,b,,a,init,1777 0,1777 0" 'its own folders, the same for each step'
tap_is "$(ls scratch; ls /dev/shm | grep -cx b)" "of-the-node
0" 'the node does not see them'
second=$(sbatch --parsable -N1 -w n1 -D / -o "$DIR/out2" --wrap "ls $DIR/scratch /dev/shm | grep -v : | grep .")
wait_job 20 "$second" COMPLETED
tap_is "$(cat out2)" init 'nor another job on the node'
mkdir -m 777 work
out=$(cd work && timeout 30 srun -w n1 sh -c '/bin/pwd; echo "$PWD"' | paste -sd,)
tap_is "$out" "$DIR/work,$DIR/work" 'tasks are in their work folder'
out=$(cd work && timeout 30 srun -w n1 -D "$DIR/scratch/none" sh -c '/bin/pwd; echo "$PWD"' 2>err | paste -sd,)
tap_is "$out" "/tmp,/tmp" '... or in /tmp where there is none'
tap_is "$(head -2 inits | sort -n | paste -sd,)" "$job,$second" 'InitScript has run once for each job'
tap_is "$(stat -c '%a %u' base.n1 "base.n1/$job-0" | paste -sd,)" '755 0,700 0' 'below a base that is root'\''s'

# ---- crashes ----
agent_kill9 n1
ctld_kill9
agent_start n1 && ctld_start && wait_nodes 20 n1 mixed
out=$(timeout 30 srun --jobid="$job" --overlap -D / ls "$DIR/scratch" | paste -sd,)
tap_is "$out" 'a,init' 'a step that starts after kill -9 of the daemons is in it, too'
touch go
over
tap_ok "$(wait_for 20 empty; echo $?)" 'nothing is left when it is over' || left
rm go
job=$(sbatch --parsable -N2 -D / -o /dev/null --wrap "srun touch $DIR/scratch/a; until [ -e $DIR/go ]; do sleep 0.05; done")
wait_for 20 test -e "base.n2/$job-0/dir0/a"
agent_kill9 n2
mkdir -p base.n2/4000-0/dir0/x && ln -s "$DIR/scratch" base.n2/4000-0/dir0/link && mkdir base.n2/.gone-3-0
chmod 700 base.n2/4000-0
touch base.n2/4000-0/ns
mkdir -p base.n2/2024-11/of-others
agent_start n2 && wait_nodes 20 n2 mixed
tap_ok "$(wait_for 20 eval '[ "$(ls -A base.n2 | grep -vx .lock | sort | paste -sd,)" = "2024-11,$job-0" ]'; echo $?)" 'a restart removes what belongs to no job, and nothing of others' || left
rm -r base.n2/2024-11
tap_ok "$(test -e scratch/of-the-node; echo $?)" '... and follows no link'
scancel "$job"
over
tap_ok "$(wait_for 20 empty; echo $?)" 'a job that is cancelled leaves nothing'
job=$(sbatch --parsable --no-requeue -N1 -w n1 -D / -o /dev/null --wrap "touch $DIR/scratch/a; until [ -e $DIR/go ]; do sleep 0.05; done")
wait_for 20 test -e "base.n1/$job-0/dir0/a"
kill -9 $(stepd_pids n1)
over
tap_ok "$(wait_for 20 empty; echo $?)" 'nor does one whose step daemons are killed' || left
wait_nodes 20 n1 idle

# ---- InitScript hangs ----
job=$(sbatch --parsable --hold -N1 -n1 -w n1 -D / -o /dev/null --wrap true)
touch "hangs.$job"
scontrol release "$job"
wait_for 20 grep -qx "$job" inits
other=$(sbatch --parsable -N1 -n1 -w n1 -D / -o /dev/null --wrap true)
wait_job 20 "$other" COMPLETED
tap_is "$?|$(squeue -h -j "$job" -o %i)" "0|$job" 'InitScript of a job hangs: another one runs'
rm "hangs.$job"
tap_ok "$(wait_job 20 "$job" COMPLETED; echo $?)" '... and so does that job when it has ended'
tap_ok "$(wait_for 20 empty; echo $?)" '... nothing is left' || left

job=$(sbatch --parsable --hold -N1 -n1 -w n1 -D / -o /dev/null --wrap 'srun true')
touch "hangs.$job"
scontrol release "$job"
wait_for 20 grep -qx "$job" inits
scancel "$job"
wait_for 6 empty
tap_is "$?|$(squeue -h -t all -j "$job" -o %T)|$(grep -cx "$job" inits)" '0|CANCELLED|1' 'a job is cancelled: its InitScript ends with it' || left
wait_nodes 10 n1 idle
tap_ok $? '... and the node is free'
rm "hangs.$job"

# ---- what fails ----
touch fails
job=$(sbatch --parsable -N1 -w n1 -D / -o /dev/null --wrap true)
wait_job 20 "$job" PENDING
wait_for 20 eval 'squeue -h -j $job -o %r | grep -q "launch failed requeued held"'
tap_is "$(squeue -h -j "$job" -o %r)|$(sinfo -h -n n1 -o %T)" 'launch failed requeued held|drained' 'InitScript fails: the node is drained, the job held'
tap_like "$(cat log/n1)" "job container: $DIR/hooks/init failed" '... and the log says so'
scancel "$job"
rm fails
scontrol update nodename=n1 state=resume
agent_stop n2
chmod 1777 base.n2
agent_start n2
wait_for 20 eval 'grep -q "base.n2 can be changed by others than root" log/n2'
job=$(sbatch --parsable -N1 -w n2 -D / -o /dev/null --wrap true)
wait_for 20 eval '[ "$(sinfo -h -n n2 -o %T)" = drained ]'
tap_like "$(sinfo -h -n n2 -o '%T %E')" '^drained .*base.n2 can be changed by others than root' 'a base that others can change'
scancel "$job"
chmod 755 base.n2
scontrol update nodename=n2 state=resume
job=$(sbatch --parsable -N1 -w n2 -D / -o /dev/null --wrap true)
tap_ok "$(wait_job 20 "$job" COMPLETED; echo $?)" '... is used again once it is mended'
# ---- two slumberds with one base ----
conf BasePath="$DIR/base.n1"
agent_stop n2
scontrol reconfigure
agent_start n2
tap_ok "$(wait_for 20 grep -q "another slumberd of this host uses $DIR/base.n1; with %n in it each has its own" log/n2; echo $?)" \
        'a base that another slumberd has is left alone'
job=$(sbatch --parsable -N1 -w n1 -D / -o /dev/null --wrap "until [ -e $DIR/go ]; do sleep 0.05; done")
wait_job 20 "$job" RUNNING
other=$(sbatch --parsable -N1 -w n2 -D / -o /dev/null --wrap true)
wait_for 20 eval '[ "$(sinfo -h -n n2 -o %T)" = drained ]'
tap_like "$(sinfo -h -n n2 -o '%T %E')|$(ls -A base.n1 | grep -vx .lock)" "^drained .*another slumberd of this host uses .*\\|$job-0$" '... its node launches nothing'
scancel "$other"
agent_stop n1
scontrol update nodename=n2 state=resume
other=$(sbatch --parsable -N1 -w n2 -D / -o /dev/null --wrap true)
wait_for 20 eval '[ "$(sinfo -h -n n2 -o %T)" = drained ]'
tap_like "$(sinfo -h -n n2 -o '%T %E')|$(ls -A base.n1 | grep -vx .lock)" "^drained .*has folders of jobs of node n1; .*\\|$job-0$" \
        '... nor while the other slumberd is away and its job runs'
scancel "$other"
agent_start n1
touch go
over
tap_ok "$(wait_for 20 empty; echo $?)" '... which goes on when it is back' || left
rm go
conf
agent_stop n2
scontrol reconfigure
scontrol update nodename=n2 state=resume
agent_start n2 && wait_nodes 20 'n[1-2]' idle

refused() { # LINE TEXT
        conf "$1"
        run scontrol reconfigure
        tap_like "$rc $err" "^1 .*job_container.conf line 2: $2" "refused: $1"
}
refused EntireStepInNS=true 'EntireStepInNS is not implemented by Slumber'
refused CloneNSScript=/x 'CloneNSScript is not implemented by Slumber'
refused BasePth=/x 'BasePth: job_container.conf has no such key'
refused Dirs=/tmp,../x 'Dirs=/tmp,../x: absolute paths by commas were expected'
refused BasePath=/dev/shm/x 'BasePath=/dev/shm/x cannot be among what is private'
refused Shared=maybe 'Shared=maybe: true or false was expected'
conf
sed -i 's/^PrologFlags=.*/PrologFlags=Alloc/' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*JobContainerType=job_container/tmpfs needs PrologFlags=Contain' 'PrologFlags=Contain is needed'
# ---- by its later name ----
sed -i 's|^JobContainerType=.*|NamespaceType=namespace/tmpfs|' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*NamespaceType=namespace/tmpfs needs PrologFlags=Contain' 'NamespaceType=namespace/tmpfs is the same'
sed -i 's/^PrologFlags=.*/PrologFlags=Contain/' slurm.conf
ctld_stop
ctld_start && wait_nodes 20 'n[1-2]' idle
run srun -w n2 ls scratch
tap_is "$rc|$out|$(ls scratch)" '0||of-the-node' '... and hides the files of the node'
sed -i 's|^NamespaceType=.*|NamespaceType=namespace/linux|' slurm.conf
run scontrol reconfigure
tap_like "$rc $err" '^1 .*NamespaceType=namespace/linux is not implemented' 'namespace/linux is refused by name'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
