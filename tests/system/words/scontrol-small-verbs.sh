#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol's small verbs: error numbers, jobs of a node and of a process, settings until the next start, and what there is none of.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 PriorityType=priority/multifactor
cluster_up 'a cluster' n1

said() { # WORDS TEXT NAME: of a verb that says one line
        # shellcheck disable=SC2086
        run scontrol $1
        tap_is "$rc|$out$err" "$2" "$3"
}
said 'errnumstr 2001' '0|No partition specified or system default partition' 'an error of Slurm'
said 'errnumstr 2' '0|No such file or directory' '... of the system'
said 'errnumstr 99999' '0|Unknown error 99999' '... of nobody'
said 'errnumstr x' '1|numeric arguments required for keyword:errnumstr' '... that is no number'
for word in all oneliner details hide quiet verbose cluster 'cluster slumber'; do
        said "$word" '0|' "$word stands alone"
done
said 'takeover' '1|slurm_takeover error: there is no backup controller that could take over' 'takeover'
said 'takeover 1' '1|slurm_takeover error: there is no backup controller that could take over' 'takeover by one that is not there'
said 'schedloglevel 1' '1|slurm_set_schedlog_level error: Requested operation is presently disabled' 'schedloglevel'
said 'schedloglevel 7' '1|invalid schedlog level: 7' '... of no level'
run scontrol token
tap_like "$rc|$err" '^1\|Error fetching token: ' 'token'
run scontrol -v show partition main
tap_like "$rc|$out" '^0\|last_update_time=20[0-9T:-]*, records=1
PartitionName=main' 'show partition -v tells when and how many'

id=$(sbatch --parsable -t 5 -o /dev/null --wrap 'echo $$ >pid.new; mv pid.new pid; exec sleep 600')
held=$(sbatch --parsable --begin=now+1day -o /dev/null --wrap true)
wait_for 20 test -e pid
tap_ok $? 'a job runs'
at_node() { SLUMBER_SOCKET=$DIR/n1.sock run scontrol "$@"; }
at_node listjobs
tap_is "$rc|$out" "0|JOBID
$id" 'listjobs'
at_node liststeps n1
tap_is "$rc|$out" "0|STEPID
$id.batch" 'liststeps of the node'
at_node listjobs n7
tap_like "$rc|$err" '^1\|this host is node n1, not n7' '... of another one'
at_node pidinfo "$(cat pid)"
tap_like "$rc|$out" "^0\\|Slurm JobId=$id ends at 20[0-9T:-]*
slurm_get_rem_time is (29[0-9]|300|2[0-8][0-9])\$" 'pidinfo tells the job and its end'
at_node pidinfo 1
tap_is "$rc|$err" '1|Failed to locate job for requested pid' '... not of a process that is no job'"'"'s'
run scontrol holdu "$held"
tap_is "$rc|$(squeue -h -j "$held" -o %r)" '0|JobHeldUser' 'holdu'

factor() { scontrol show config | sed -n 's/^FairShareDampeningFactor *= //p'; }
run scontrol getaddrs n1
tap_like "$rc|$out" '^0\|n1: 127\.0\.0\.1:[0-9]+$' 'getaddrs'
said 'getaddrs n9' '1|slurm_get_node_addrs error: node n9 is not configured' '... of an unknown node'
said 'getaddrs' '1|too few arguments for keyword:getaddrs' '... of none'

limit() { scontrol show step "$id.0" | grep -o 'TimeLimit=[^ ]*'; }
srun --jobid="$id" --overlap -n1 sh -c 'touch step; exec sleep 600' &
wait_for 20 test -e step
said "update stepid=$id.0 timelimit=4" '0|' 'update stepid'
tap_is "$(limit)" 'TimeLimit=00:04:00' '... is shown'
said "update stepid=$id.0 timelimit=+10" '0|' '... by so much'
said "update stepid=$id timelimit=-5" '0|' '... of all steps'
tap_is "$(limit)" 'TimeLimit=00:09:00' '... is shown'
said "update stepid=$id.7 timelimit=4" '1|slurm_update error: Invalid job id specified' '... that is not there'
said "update stepid=$id.0" '1|No changes specified' '... to nothing'
said "update stepid=$id.0 name=x" '1|Update of this parameter is not supported: name=x
Request aborted' '... of another key'
said 'update stepid=x timelimit=1' '1|Invalid StepID parameter: stepid=x
Request aborted' '... that is none'

said 'fsdampeningfactor 7' '0|' 'fsdampeningfactor'
tap_is "$(factor)" 7 '... is shown'
said 'fsdampeningfactor x' '1|invalid dampening factor: x' '... only a number'
scontrol abort
tap_is $? 0 'abort'
wait_for 20 gone "$(cat run/ctld.pid)"
tap_ok $? '... ends the controller'
ctld_start && wait_nodes 20 n1 mixed
tap_is "$?|$(job_state "$id")|$(factor)" '0|RUNNING|1' '... which finds all as it was, but for the factor'
scancel --me
tap_done
