#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# srun --export=NONE leaves nothing but the variables of Slurm and MPI, and --immediate=1 is at once.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a controller and a node' || { cluster_logs; tap_done; }

others() { grep -vE '^(SLURM|SLUMBER|SRUN_|PMIX?_)' | cut -d= -f1 | sort | paste -sd' '; }
tap_is "$(FOO=1 srun --export=NONE /usr/bin/env | others)" TMPDIR 'srun --export=NONE: TMPDIR, and not even HOME and PATH'
tap_is "$(FOO=1 BAR=2 srun --export=BAR,X=3 /usr/bin/env | others)" 'BAR TMPDIR X' 'those that are named, and no others'
tap_like "$(FOO=1 srun /usr/bin/env | others)" 'FOO.*HOME.*PATH' 'all of them without --export'

# ---- TMPDIR: /tmp, a folder that is there or is made, or with a word /tmp ----
# shellcheck disable=SC2016
show='echo "$TMPDIR"; stat -c %a "$TMPDIR"'
t() { # VALUE: out, err
        run env TMPDIR="$1" srun -n2 -O sh -c "$show"
        out=$(sort -u <<<"$out" | paste -sd' ')
}
tap_like "$(env -u TMPDIR srun sh -c "$show" | paste -sd' ')" '^/tmp 1?777$' 'TMPDIR is /tmp where it is not set'
t "$DIR/made"
tap_is "$rc|$out|$err" "0|$DIR/made 700|" 'the folder that it names is made'
mkdir -m 755 there
t "$DIR/there"
tap_is "$rc|$out|$err" "0|$DIR/there 755|" '... or is there'
t "$DIR/no/folder"
tap_like "$rc|$out|$(paste -sd' ' <<<"$err")" "^0\\|/tmp 1?777\\|slurmstepd-n1: error: Unable to create TMPDIR \\[$DIR/no/folder\\]: No such file or directory slurmstepd-n1: error: Setting TMPDIR to /tmp\$" \
        '... or is /tmp, which is said once'
: >file
t "$DIR/file"
tap_like "$rc|$out|$err" "^0\\|/tmp 1?777\\|slurmstepd-n1: error: TMPDIR \\[$DIR/file\\] is not a directory" '... as where it is none'
TMPDIR=$DIR/batch sbatch -W -o batch.out --wrap "$show" >/dev/null
tap_is "$(paste -sd' ' batch.out)" "$DIR/batch 700" 'of a batch script, too'

run srun --export=NONE env
tap_is "$rc" 2 'without a PATH a program is not searched for'
tap_like "$err" 'execve\(\): env: No such file or directory' 'and it says so'

id=$(sbatch --parsable -o /dev/null --exclusive --wrap 'exec sleep 100') && wait_job 20 "$id" RUNNING
tap_ok $? 'the node is in use'
run timeout 20 srun --immediate=1 --exclusive true
tap_is "$rc" 1 'srun --immediate=1 fails'
tap_like "$err" 'Requested nodes are busy' 'for the nodes are busy'
grep -q 'queued and waiting' <<<"$err"
tap_is $? 1 'and it has not waited'
tap_done
