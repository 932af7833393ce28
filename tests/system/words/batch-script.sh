#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A job's script can be read by its user and by operators.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1'
cluster_up 'a cluster' n1

printf '#!/bin/sh\n# a %%s \303\274\ntrue\n' >script
id=$(sbatch --parsable -H -o /dev/null script)
tap_is "$(scontrol write batch_script "$id" - | cksum)" "$(cksum <script)" 'to standard output'
run scontrol write batch_script "$id"
tap_is "$rc|$out|$(cksum <"slurm-$id.sh")" "0|batch script for job $id written to slurm-$id.sh|$(cksum <script)" 'to a file with its name'
echo something longer than the script, so that it would shine through >old
run scontrol -Q write batch_script "$id" old
tap_is "$rc|$out|$(cksum <old)" "0||$(cksum <script)" 'to a file that is there'
array=$(sbatch --parsable -H -a 1-2 -o /dev/null script)
scontrol release "${array}_2" && wait_job 20 "${array}_2" COMPLETED
tap_is "$(scontrol write batch_script "${array}_2" - | cksum)|$(scontrol write batch_script "$array" - | cksum)" "$(cksum <script)|$(cksum <script)" 'of an array'
tap_is "$(sacct -B -j "$id")" "Batch Script for $id
--------------------------------------------------------------------------------
$(cat script)" 'sacct --batch-script'
e=$(SECRET=$'of\033mine' sbatch --parsable -H -o /dev/null script)
environment=$(sacct --env-vars -j "$e")
tap_is "$(head -2 <<<"$environment")|$(grep ^SECRET= <<<"$environment")" "Environment used for $e (must be batch to display)
--------------------------------------------------------------------------------|SECRET=of\\x1bmine" 'sacct --env-vars, without what a terminal would obey'
run sacct --env-vars
tap_is "$rc|$err" "1|sacct: error: When requesting job environments you must also request specific jobs with the '-j' option." '... of which job'
run sacct -f log
tap_is "$rc|$err" '1|sacct: error: --file=log: no job completion plugin keeps a log here; Slurm job completion is disabled' '--file'
alloc=$(salloc -Q --no-shell -J alloc; squeue -h -n alloc -o %i)
refused() { # WORDS ARGUMENT...
        run scontrol write "${@:2}"
        tap_is "$rc|$out|$err" "1||$1" "write ${*:2}"
}
refused 'job script retrieval failed: Job script not specified' batch_script "$alloc" -
refused 'job script retrieval failed: Invalid job id specified' batch_script 999 -
refused 'failed to open file `/nonexistent/x`: No such file or directory' batch_script "$id" /nonexistent/x
refused 'too few arguments for keyword:write' batch_script
refused 'too many arguments for keyword:write' batch_script "$id" a b
refused 'invalid write argument:foo' foo
tap_is "$(sacct -B -j "$alloc" | tail -1)|$(sacct --env-vars -j "$alloc" | tail -1)" 'NONE|NONE' 'a job without one'
run sacct -B
tap_is "$rc|$err" "1|sacct: error: When requesting job scripts you must also request specific jobs with the '-j' option." 'sacct wants to know of which job'
scancel "$alloc"

if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR"
        cp "$(readlink -f "$DIR/bin/scontrol")" scontrol && ln -s scontrol sacct && chmod 755 scontrol
        nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
        run "${nobody[@]}" "$DIR/scontrol" write batch_script "$id" -
        tap_is "$rc|$out|$err|$("${nobody[@]}" "$DIR/sacct" -B -j "$id" | tail -1)" '1||job script retrieval failed: Invalid user id|NONE' 'not for others'
        tap_is "$("${nobody[@]}" "$DIR/sacct" --env-vars -j "$e" | tail -1)" NONE 'nor is its environment'
        own=$(sbatch --parsable --uid=65534 -D /tmp -H -o /dev/null script)
        tap_is "$("${nobody[@]}" "$DIR/scontrol" write batch_script "$own" - | cksum)" "$(cksum <script)" 'for its user'
        run "${nobody[@]}" "$DIR/scontrol" write batch_script "$own" "$DIR/slurm.conf"
        tap_is "$rc|$err" "1|failed to open file \`$DIR/slurm.conf\`: Permission denied" "the file is written with the caller's rights"
fi
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
