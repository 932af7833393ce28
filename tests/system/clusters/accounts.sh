#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacct shows the accounts of other clusters, too; sacctmgr knows which clusters there are.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/clusters.sh
. "$(dirname "$0")/../clusters.sh"
cd "$DIR" || exit 1
clusters_conf
clusters_up 'two clusters'
here=$(sbatch --parsable --job-name=here --output=/dev/null --wrap true)
there=$(beta sbatch --parsable --job-name=there --output=/dev/null --wrap true)
wait_job 20 "$here" COMPLETED && beta wait_job 20 "$there" COMPLETED
tap_ok $? 'a job has run in each'
_rows() { # OPTION...
        run sacct -X -n -P -o cluster,jobname,state "$@"
        tap=$(paste -sd' ' <<<"$out")
}
_rows
tap_is "$rc|$tap" '0|alpha|here|COMPLETED' 'sacct shows this cluster'
_rows -M beta
tap_is "$rc|$tap" '0|beta|there|COMPLETED' '-M another one'
_rows -M alpha,beta
tap_is "$rc|$tap" '0|alpha|here|COMPLETED beta|there|COMPLETED' '... and both'
_rows -L
tap_is "$rc|$tap" '0|alpha|here|COMPLETED beta|there|COMPLETED' '-L all'
run sacct -M all -X -P -o jobname
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|JobName here there' 'one heading stands above all'
run sacct -M beta -P -o jobid,jobname
tap_is "$rc|$(paste -sd' ' <<<"$out")" "0|JobID|JobName $there|there $there.batch|batch" 'steps are shown, too'
_rows -M former
tap_is "$rc|$tap" '0|' 'a name that jobs may have of old is no error'
run sacct --json -M all
tap_like "$rc|$err" '^1\|.*--json shows one cluster at a time' '--json shows one at a time'
run sacct --json -M beta
tap_like "$rc|$out" '"name": ?"there"' '... which may be the other one'
beta ctld_kill9
_rows -M all
tap_like "$rc|$tap|$err" '^1\|alpha\|here\|COMPLETED\|.*Cluster beta does not answer' 'one that is away is told of'

# ---- sacctmgr ----
run sacctmgr -nP show cluster format=cluster,controlhost,controlport
tap_is "$rc|$(paste -sd' ' <<<"$out")" "0|alpha|127.0.0.1|$PORT beta|127.0.0.1|$BETA_PORT" 'sacctmgr shows the clusters'
run sacctmgr -nP show cluster beta format=cluster
tap_is "$rc|$out" '0|beta' '... or one of them'
run sacctmgr -i add cluster beta
tap_like "$rc|$out" '1\| This cluster beta already exists.  Not adding.' 'one that is there is not added'
run sacctmgr -i add cluster gamma
tap_like "$rc|$err" '1\|.*others are added to clusters in slumber.yaml' 'another one is added by slumber.yaml'
run sacctmgr -i delete cluster beta
tap_like "$rc|$err" '1\|.*beta is a cluster of slumber.yaml, and is taken out of clusters there' '... as one is taken out'
run sacctmgr -i delete cluster alpha
tap_like "$rc|$err" '1\|.*alpha is this cluster itself' 'the own one stays'
run sacctmgr -i modify cluster beta set fairshare=2
tap_like "$rc|$err" '1\|.*beta keeps its accounts itself' 'its accounts are changed by its own sacctmgr'
cluster_sound && beta cluster_sound
tap_ok $? 'the logs are sound'
tap_done
