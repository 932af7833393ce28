#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# UnkillableStepProgram runs for a job with a process that does not die.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
stuck_folder
mkdir "$DIR/hooks"
printf '#!/bin/sh\n%s\n' "echo \"\$SLURM_JOB_ID \$SLURM_JOBID \$SLURM_JOB_UID \$SLURMD_NODENAME \$PATH\" >>$DIR/said" >"$DIR/hooks/tell"
chmod 755 "$DIR/hooks/tell"
cluster_conf n1 KillWait=1 UnkillableStepTimeout=1 "UnkillableStepProgram=$DIR/hooks/tell"
cd "$DIR" || exit 1
cluster_up 'a node' n1
fsfreeze -f stuck
job=$(sbatch --parsable -o /dev/null --wrap "touch $DIR/begun $DIR/stuck/x")
wait_for 20 test -e begun
scancel "$job"
wait_for 30 test -s said
tap_is "$(cat said)" "$job $job 0 n1 /usr/sbin:/usr/bin:/sbin:/bin" 'it is told which job does not end'
wait_for 20 eval '[ "$(sinfo -h -n n1 -o %E)" = "Kill task failed" ]'
tap_ok $? 'the node is drained as without it'
fsfreeze -u stuck
wait_for 20 eval '! squeue -h -j "$job" 2>/dev/null | grep -q .'
tap_is "$? $(wc -l <said)" '0 1' 'and it has run once'
tap_done
