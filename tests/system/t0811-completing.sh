#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What is left of jobs, and where: scontrol completing.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-3]'
cluster_up 'a controller and its nodes' n1 n2 n3

# ---- completing ----
run scontrol completing
tap_is "$rc|$out|$err" '0||' 'no job is ending'
a=$(sbatch --parsable -N3 -o none --wrap 'srun sleep 1000') && wait_job 20 "$a" RUNNING && wait_for 20 eval '[ "$(squeue -hs | wc -l)" = 2 ]'
tap_is "$?|$(scontrol completing)" '0|' 'one that runs is not'
at_exit kill -CONT "$(_pid n2)" "$(_pid n3)"
kill -STOP "$(_pid n2)" "$(_pid n3)"
scancel "$a"
wait_for 20 eval 'scontrol completing | grep -q "=n\[2-3\] $"'
tap_like "$?|$(scontrol completing)" "^0\\|JobId=$a EndTime=20[0-9T:-]{17} CompletingTime=00:00:[0-9]{2} Nodes\\(COMPLETING\\)=n\\[2-3\\] \$" \
        'nodes that have not said that nothing is left there'
tap_is "$(SLURM_TIME_FORMAT=x scontrol completing | cut -d' ' -f2)" EndTime=x 'SLURM_TIME_FORMAT holds'
kill -CONT "$(_pid n2)" "$(_pid n3)"
wait_for 20 eval '[ -z "$(scontrol completing)" ]'
tap_ok $? 'until they have'
run scontrol completing now
tap_is "$rc|$out|$err" '1||too many arguments for keyword:completing' 'another word is refused'

cluster_sound
tap_ok $? 'no daemon has failed' || cluster_logs
tap_done
