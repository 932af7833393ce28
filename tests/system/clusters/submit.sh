#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sbatch gives a job to the cluster in which it can start first; one that does not answer is told of, and the others serve.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/clusters.sh
. "$(dirname "$0")/../clusters.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be several users'
cd "$DIR" || exit 1
BETA_NODES='b[1-2]' clusters_conf
clusters_up 'two clusters'
beta agent_start b2 && beta wait_nodes 20 b2 idle
chmod 711 "$ALPHA" "$BETA"
_sbatch() { # OPTION...: nobody's, of alpha
        run stranger "$DIR/bin/sbatch" --chdir=/tmp --output=/dev/null "$@"
}

# ---- one cluster ----
_sbatch -M beta --wrap 'sleep 1000'
tap_like "$rc|$out" '^0\|Submitted batch job [0-9]+ on cluster beta$' 'sbatch submits to another cluster'
id=${out//[!0-9]/}
beta wait_job 20 "$id" RUNNING
tap_ok $? 'the job runs there'
tap_is "$(beta job_show "$id" '%u|%T')" 'nobody|RUNNING' '... as the user of the same name'
_sbatch -M beta --parsable --wrap 'exit 3'
tap_like "$rc|$out" '^0\|[0-9]+;beta$' '--parsable says the cluster, too'
_sbatch -M beta --wait --wrap 'exit 3'
tap_is "$rc" 3 '--wait ends as the job does'
_sbatch -M beta --gid=0 --wrap true
[ "$rc" != 0 ]
tap_ok $? 'another group is refused'
_sbatch -M beta --wait --wrap "[ \"\$SLURM_CONF\" = '$BETA/slurm.conf' ]"
tap_is "$rc" 0 'SLURM_CONF names the file of the cluster that it runs in'
SLURM_CLUSTERS=alpha,beta _sbatch -M alpha --wait --wrap "'$DIR/bin/srun' -n1 true"
tap_is "$rc" 0 'SLURM_CLUSTERS, by which sbatch may choose, does not bind steps of the job'
_sbatch --parsable --test-only -n1 : -n1 -M beta --wrap true
tap_like "$rc|$err" '^0\|.* on cluster beta ' 'a later component may name the cluster'
_sbatch --test-only -M alpha -n1 : -n1 -M beta --wrap true
tap_like "$rc|$err" '^0\|.* on cluster beta ' '... of several the last one does'
for line in 'srun -n1 true :' 'salloc -n1 :'; do
        read -ra words <<<"$line"
        command=${words[0]}
        run stranger "$DIR/bin/$command" "${words[@]:1}" -n1 -M beta true
        tap_like "$rc|$err" "^1\|.*$command works in this cluster, alpha, alone" "$command refuses another cluster of a later component"
done
run sbatch -M beta --chdir=/tmp --wrap true
tap_like "$rc|$err" '^1\|.*cluster beta lets root of cluster alpha only show' 'root of another cluster submits nothing'
for command in srun salloc; do
        run stranger "$DIR/bin/$command" -M beta true
        tap_like "$rc|$err" "^1\|.*$command works in this cluster, alpha, alone" "$command is refused by name"
done

# ---- the first to start ----
_sbatch -M beta,alpha --wrap true
tap_like "$rc|$out" '^0\|Submitted batch job [0-9]+ on cluster alpha$' 'where both can start it at once, this one gets it'
busy=$(sbatch --parsable --exclusive --chdir=/tmp --output=/dev/null --time=60 --wrap 'sleep 1000')
wait_job 20 "$busy" RUNNING
_sbatch -M all --time=1 --wrap true
tap_like "$rc|$out" '^0\|Submitted batch job [0-9]+ on cluster beta$' 'where this one is full, the other one does'
_sbatch -M all --time=1 --test-only --wrap true
tap_like "$rc|$err" '^0\|sbatch: Job [0-9]+ to start at [-0-9T:]+ on cluster beta using 1 processors on nodes b1 in partition main$' \
        '--test-only says so'
_sbatch -M beta --time=1 --test-only -N1 : -N1 --wrap true
tap_like "$rc|$err" '^0\|sbatch: Job [0-9]+ to start at [-0-9T:]+ on cluster beta using 2 processors on b\[1-2\]$' \
        '... and of a heterogeneous job'
_sbatch -M all --time=1 -N1 : -N1 --wrap true
tap_like "$rc|$out" '^0\|Submitted batch job [0-9]+ on cluster beta$' 'which goes where all of its components have nodes'
SBATCH_CLUSTERS=alpha,beta _sbatch --time=1 --wrap true
tap_like "$rc|$out" '^0\|Submitted batch job [0-9]+ on cluster beta$' 'SBATCH_CLUSTERS, too'
_sbatch -M alpha,beta --partition=nope --wrap true
tap_like "$rc|$(paste -sd' ' <<<"$err")" '^1\|.*cluster alpha: .*cluster beta: .*Batch job submission failed: Invalid partition' \
        'where none takes it, each says why'
tap_is "$(beta squeue -h -t all -o %P | sort -u)" main '... and no job is there'

# ---- one does not answer ----
pid=$(beta _pid ctld)
kill -STOP "$pid"
_sbatch -M all --time=1 --wrap true
tap_like "$rc|$out|$(paste -sd' ' <<<"$err")" '^0\|Submitted batch job [0-9]+ on cluster alpha\|.*sbatch: error: Cluster beta does not answer' \
        'one that is frozen is told of, and this one takes the job'
kill -CONT "$pid"
wait_for 20 eval 'squeue -M beta >"$DIR/shown" 2>&1'

# ---- what beta does not allow ----
sed -i 's/here: .*/here: [show]/' "$BETA/slumber.yaml"
beta scontrol reconfigure
_sbatch -M beta --wrap true
tap_like "$rc|$err" '^1\|.*cluster beta does not let users of cluster alpha submit' 'what beta does not allow is refused'
cluster_sound && beta cluster_sound
tap_ok $? 'the logs are sound'
tap_done
