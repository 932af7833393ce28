#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plug-ins outside of steps: slurmd_init and slurmd_exit, job_prolog and job_epilog; alone, beside Prolog and Epilog, and
# how they fail.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/plugins.sh
. "$(dirname "$0")/../plugins.sh"
at_exit cluster_end
[ "$(id -u)" = 0 ] || tap_skip_all 'hooks are run by root'
cluster_conf n1 KillWait=1 PluginDir="$DIR/plugins" PrologEpilogTimeout=3
cd "$DIR" || exit 1
plugin probe probe.so -DSLURMD -DJOB
stack() { printf '%s\n' "$@" | sed "s|LOG|log=$DIR/said|" >plugstack.conf; }
s() { : >"$DIR/said"; run timeout 60 "$@" </dev/null; }
said() { grep -oE "^probe ($1) .*" said | sed 's/ option=.*//' | tr '\n' ';'; }
: >said
stack 'required probe.so LOG options items=job_prolog'
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node' || { cluster_logs; tap_done; }
wait_for 20 grep -q slurmd_init said
tap_is "$(said 'slurmd.*')" 'probe slurmd_init slurmd remote=0 euid=0;' 'slurmd_init is called when slumberd starts'

s srun --probe-late=here true
job=$(sed -n 's/^job_prolog JOB_ID=//p' said)
wait_for 20 grep -q '^job_epilog PATH' said
tap_is "$rc $(said 'job_.*')" '0 probe job_prolog job_script remote=0 euid=0;probe job_epilog job_script remote=0 euid=0;' \
        'job_prolog and job_epilog are called, without Prolog and Epilog'
tap_is "$(grep -nE 'probe (job_prolog|user_init|exit remote|job_epilog)' said | sed -E 's/^[0-9]+:probe (\S+).*/\1/' | tr '\n' ' ')" \
        'job_prolog user_init exit job_epilog ' 'before the first step and after the last process'
tap_is "$(grep ' PATH=' said)" "job_prolog PATH=/usr/sbin:/usr/bin:/sbin:/bin USER=unset job=$job getopt=Success,here
job_epilog PATH=/usr/sbin:/usr/bin:/sbin:/bin USER=unset job=$job getopt=Success,here" 'they have the option, and nothing of the environment'
tap_like "$(grep -E '^job_prolog (JOB_ID|JOB_NNODES|uid)' said | tr '\n' ';')" "^job_prolog uid=0 .*JOB_ID=$job;job_prolog JOB_NNODES: Not available;" \
        'items: the job and its user alone'
s sbatch -W -o out --wrap 'srun true; srun true'
wait_for 20 grep -q '^job_epilog PATH' said
tap_is "$rc $(said 'job_.*' | grep -oE 'probe job_[a-z]* ' | sort | uniq -c | tr -s ' \n' ' ')" '0  1 probe job_epilog 1 probe job_prolog ' 'once each for a job of several steps'

# ---- PrologFlags are theirs, too ----
echo PrologFlags=Alloc >>slurm.conf
scontrol reconfigure
s salloc true
wait_for 20 grep -q '^job_epilog PATH' said
tap_is "$rc $(said 'job_.*' | grep -oE 'probe job_[a-z]* ' | paste -sd' ')" '0 probe job_prolog  probe job_epilog ' \
        'PrologFlags=Alloc: also in an allocation without steps'
sed -i '/^PrologFlags/d' slurm.conf
scontrol reconfigure

# ---- variables for them ----
stack 'required probe.so LOG control'
for command in 'srun true' 'sbatch -W -o out --wrap true' 'salloc srun true'; do
        # shellcheck disable=SC2086
        s $command
        wait_for 20 grep -q '^job_epilog PATH' said
        tap_is "$(grep -E '^job_.* SPANK_PROBE|^control (local|alloc)' said | head -1; grep 'job_.* SPANK_PROBE' said)" \
                "control $([ "${command%% *}" = srun ] && echo local || echo allocator): Success; Bad argument; The variable is set already; of job
job_prolog SPANK_PROBE=of job SPANK_GONE=unset
job_epilog SPANK_PROBE=of job SPANK_GONE=unset" "job control variables of ${command%% *} are those of the job's hooks"
done
tap_like "$(grep '^control remote' said)" 'control remote: Only in srun, sbatch and salloc' '... and the step daemon has none to set'

agent_stop n1
tap_is "$(said 'slurmd.*')" 'probe slurmd_exit slurmd remote=0 euid=0;' 'slurmd_exit is called when slumberd ends'

# ---- beside Prolog and Epilog ----
printf '#!/bin/sh\necho "$SLURM_SCRIPT_CONTEXT $SPANK_PROBE" >>%s/said\n' "$DIR" >hook
chmod 755 hook
echo "Prolog=$DIR/hook" >>slurm.conf
echo "Epilog=$DIR/hook" >>slurm.conf
ctld_stop
stack 'required probe.so LOG control'
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
s srun true
wait_for 20 grep -q epilog_slurmd said
tap_is "$(grep -E '^(pro|epi)log_slurmd' said | tr '\n' ';')" 'prolog_slurmd of job;epilog_slurmd of job;' 'Prolog and Epilog have the variables, too'
tap_is "$rc $(grep -E '^(probe job|prolog_|epilog_)' said | sed -E 's/^probe (\S+).*/\1/; s/ of job//' | tr '\n' ' ')" \
        '0 job_prolog prolog_slurmd job_epilog epilog_slurmd ' 'plug-ins come first, then the programs'

# ---- failures ----
drained() { # REASON NAME
        wait_for 20 sh -c 'sinfo -h -o %T | grep -q drain'
        tap_like "$(sinfo -h -N -o '%T %E')" "^drain[a-z]* $1" "$2: the node is drained"
        scancel -u root
        wait_for 20 no_jobs
        scontrol update nodename=n1 state=resume
        wait_nodes 20 n1 idle
}
stack 'required probe.so LOG fail=job_prolog'
s sbatch -o out --wrap 'touch ran'
drained 'Prolog error' 'a required job_prolog that fails'
tap_ok "$([ ! -e ran ]; echo $?)" '... and the job does not run'
tap_ok "$(grep -q "Prolog: plug-in $DIR/plugins/probe.so: slurm_spank_job_prolog() failed with -3" log/n1; echo $?)" '... as the log says'
stack 'required probe.so LOG crash=job_prolog'
s sbatch -o out --wrap 'touch ran'
drained 'Prolog error' 'one that crashes'
tap_ok "$(grep -q "Prolog: plug-in $DIR/plugins/probe.so: slurm_spank_job_prolog() ended with signal 11" log/n1; echo $?)" '... as the log says'
stack 'required probe.so LOG hang=job_epilog'
s srun true
drained 'Epilog error' 'a job_epilog that hangs'
tap_ok "$(grep -q 'Epilog: plug-in .*slurm_spank_job_epilog() took longer than its timeout' log/n1; echo $?)" '... as the log says'
stack 'optional probe.so LOG fail=job_prolog'
s srun echo on
tap_is "$rc $out" '0 on' 'an optional one that fails is logged only'

agent_stop n1
stack 'required probe.so LOG fail=slurmd_init'
agent_start n1
wait_for 20 gone "$(cat run/n1.pid)"
tap_like "$(tail -3 log/n1)" 'slurm_spank_slurmd_init.*slumberd ends' 'a required slurmd_init that fails ends slumberd'
tap_like "$(tail -5 log/n1)" 'plug-in .*probe.so: slurm_spank_slurmd_init\(\) failed with -3' '... which says why'
stack 'required probe.so LOG crash=slurmd_exit'
agent_start n1 && wait_nodes 20 n1 idle
agent_stop n1
tap_like "$(tail -3 log/n1)" 'slurm_spank_slurmd_exit\(\) crashed: signal 11' 'a crash in slurmd_exit is logged by name'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
