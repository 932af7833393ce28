#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scancel and scontrol act on jobs of another cluster, as far as both configurations allow and as the user who has them.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/clusters.sh
. "$(dirname "$0")/../clusters.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be several users'
cd "$DIR" || exit 1
clusters_conf
clusters_up 'two clusters'
_beta_job() { # OPTION...: one of nobody's in beta
        beta stranger "$DIR/bin/sbatch" --parsable --chdir=/tmp --output=/dev/null "$@" --wrap 'sleep 1000'
}
_far() { # COMMAND...: by nobody, of alpha
        run stranger "$DIR/bin/$1" -M beta "${@:2}"
}
chmod 711 "$ALPHA" "$BETA"
job=$(_beta_job)
beta wait_job 20 "$job" RUNNING
tap_ok $? 'a job of a plain user runs in beta'

# ---- scontrol ----
_far scontrol -o show job "$job"
tap_like "$rc|$out" "^0\|JobId=$job .*UserId=nobody\(65534\)" 'scontrol shows it'
_far scontrol show config
tap_like "$rc|$out" 'ClusterName *= beta' 'scontrol shows the configuration of that cluster'
_far scontrol ping
tap_like "$rc|$out" '^0\|Slurmctld.* is UP' '... and that it answers'
held=$(_beta_job --hold)
_far scontrol update jobid="$held" name=renamed
tap_is "$rc|$(beta job_show "$held" '%j')" '0|renamed' 'scontrol update changes a job there'
_far scontrol release "$held"
beta wait_job 20 "$held" RUNNING
tap_ok $? 'scontrol release releases it'
_far scontrol requeuehold "$held"
beta wait_job 20 "$held" PENDING
tap_ok $? 'scontrol requeuehold requeues it'
run scontrol -M alpha,beta -o show nodes
tap_like "$rc|$(paste -sd'|' <<<"$out")" '^0\|CLUSTER: alpha\|NodeName=a1 .*\|\|CLUSTER: beta\|NodeName=b1 ' 'scontrol shows several, each below its head'
run scontrol -M alpha,beta hold "$held"
tap_like "$rc|$err" '^1\|.*Only one cluster can be used at a time with scontrol hold' 'scontrol changes jobs of one cluster'
run scontrol -M alpha,beta show hostnames 'n[1-2]'
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|n1 n2' 'what is of no cluster is shown once'
run scontrol -M alpha,beta show nothing
tap_is "$rc|$out|$err" '1||invalid entity:nothing for keyword:show ' '... as is what there is not'
run scontrol -M alpha,beta --json show jobs
tap_like "$rc|$err" '^1\|.*--json shows one cluster at a time' 'JSON is of one cluster'
run scontrol -o <<<$'cluster beta,alpha\nshow nodes\ncluster\nshow nodes b1'
tap_like "$rc|$(paste -sd'|' <<<"$out")" '^1\|CLUSTER: beta\|NodeName=b1 .*CLUSTER: alpha\|NodeName=a1 .*\|Node b1 not found' \
        'a line of the prompt chooses clusters'
run scontrol -M beta show assoc_mgr flags=qos
tap_like "$rc|$out" '^0\|Current Association Manager state' 'scontrol shows what the other controller has of accounts'
run sdiag -M alpha,beta
tap_like "$rc|$(paste -sd'|' <<<"$out")" '^0\|CLUSTER: alpha.*CLUSTER: beta' 'sdiag shows several'
run scontrol -M beta update nodename=b1 state=drain reason=x
tap_like "$rc|$err" '^1\|.*another cluster is not asked that' 'nodes are changed by their own cluster'
run scontrol -M beta reconfigure
tap_like "$rc|$err" '^1\|.*another cluster is not asked that' '... which reads its own configuration'
run scontrol -M beta shutdown
tap_like "$rc|$err" '^1\|.*another cluster is not asked that' '... and is ended by its own commands'
beta scontrol ping >/dev/null
tap_ok $? 'it runs on'

# ---- scancel ----
run scancel -M beta "$job"
tap_like "$rc|$err" 'cluster beta lets root of cluster alpha only show' 'root of another cluster cancels nothing'
tap_is "$(beta job_state "$job")" RUNNING '... and the job runs'
roots=$(beta sbatch --parsable --chdir=/tmp --output=/dev/null --wrap 'sleep 1000')
_far scancel "$roots"
tap_like "$rc|$err" 'Access/permission denied' "another user's job is not cancelled"
_far scancel "$job"
beta wait_job 20 "$job" CANCELLED
tap_ok $? "one's own is"
one=$(stranger "$DIR/bin/sbatch" --parsable --chdir=/tmp --output=/dev/null --job-name=both --wrap 'sleep 1000')
two=$(_beta_job --job-name=both)
run stranger "$DIR/bin/scancel" -M alpha,beta --name=both
wait_job 20 "$one" CANCELLED && beta wait_job 20 "$two" CANCELLED
tap_ok $? 'scancel acts on each of several clusters'

# ---- what beta does not allow ----
sed -i 's/here: .*/here: [show]/' "$BETA/slumber.yaml"
beta scontrol reconfigure
_far scancel "$held"
tap_like "$rc|$err" 'cluster beta does not let users of cluster alpha cancel' 'a right that the other one does not give is missing'
_far scontrol release "$held"
tap_like "$rc|$err" '^1\|slurm_release error: .*cluster beta does not let users of cluster alpha update' '... as is this one, in the words of the verb'
sed -i 's/here: .*/here: [show, update]/' "$BETA/slumber.yaml"
beta scontrol reconfigure
_far scancel "$held"
tap_like "$rc|$err" 'does not let users of cluster alpha cancel' 'cancel is a right of its own'
sed -i 's/there: .*/there: [show]/' "$ALPHA/slumber.yaml"
scontrol reconfigure
_far scontrol release "$held"
tap_like "$rc|$err" '^1\|.*users of this cluster may not update in cluster beta' 'the own cluster has its say, too'
tap_is "$(beta job_state "$held")" PENDING 'and nothing was done'

# ---- a cluster that does not answer a change ----
sed -i 's/there: .*/there: [show, cancel, update]/' "$ALPHA/slumber.yaml"
scontrol reconfigure
_far squeue
pid=$(beta _pid ctld)
kill -STOP "$pid"
squeue -M beta >/dev/null 2>&1 & # a question notices it sooner
_far scontrol release "$held"
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*Cluster beta does not answer: .*may have been done there' 'a change that is not answered may have been done'
kill -CONT "$pid"
cluster_sound && beta cluster_sound
tap_ok $? 'the logs are sound'
tap_done
