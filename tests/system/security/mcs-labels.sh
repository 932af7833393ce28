#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# MCSParameters=privatedata: with PrivateData=jobs users that may have a job's label see it.  DisableRootJobs.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be two users'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 PrivateData=jobs MCSPlugin=mcs/account MCSParameters=enforced,noselect,privatedata
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
chmod 711 "$DIR"
plain=$(id -un 65534)
other() { stranger "$SLUMBER_BUILD/commands/$1" "${@:2}" 2>&1; }
sacctmgr -iQ add account lab && sacctmgr -iQ add account away && sacctmgr -iQ add user root account=lab,away &&
        sacctmgr -iQ add user "$plain" account=lab
tap_ok $? 'accounts'
lab=$(sbatch --parsable -A lab -n1 --wrap 'srun true; sleep 600')
away=$(sbatch --parsable -A away -n1 --wrap 'sleep 600')
wait_job 20 "$lab" RUNNING && wait_job 20 "$away" RUNNING
tap_is "$?|$(scontrol show job "$lab" | grep -o 'MCS_label=.*')" '0|MCS_label=lab' 'an account is the label'
tap_is "$(other squeue -h -o %i)" "$lab" 'a user of the account sees its job, and no other'
tap_like "$(other scontrol show job "$lab")" "^JobId=$lab " '... all of it'
tap_like "$(other scontrol show job "$away")" 'Invalid job id specified' 'a job with another label is unknown'
tap_like "$(other scancel "$lab")" 'Access/permission denied' 'seeing is not ending'
_step_told() { other sacct -n -j "$lab" -o jobid | grep -q "$lab\\.0"; }
wait_for 20 _step_told
tap_ok $? 'the steps that are over already are seen, too'
ctld_kill9
ctld_start && wait_nodes 20 n1 mixed
tap_is "$(other squeue -h -o %i)" "$lab" 'so it is after a restart'

sed -i 's/,privatedata/,noprivatedata/' "$SLURM_CONF"
scontrol reconfigure
tap_is "$(other squeue -h -o %i)" '' 'with noprivatedata labels open nothing'
scancel "$lab" "$away"

echo DisableRootJobs=YES >>"$SLURM_CONF"
scontrol reconfigure
for command in 'sbatch --wrap true' 'srun true' 'salloc true'; do
        run bash -c "$command"
        tap_like "$rc|$err" '^1.*Invalid user id' "DisableRootJobs: root has no ${command%% *}"
done
tap_is "$(scontrol show config | sed -n 's/^DisableRootJobs *= //p')" Yes '... and it is shown'
tap_like "$(cd /tmp && other sbatch --parsable -o /dev/null -A lab --wrap true)" '^[0-9]+$' 'others have'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
