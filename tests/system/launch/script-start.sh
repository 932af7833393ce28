#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a batch script is at its first line: its ids, capabilities, signals, limits, descriptors and environment; and what becomes of one that
# cannot be exec'ed, or is killed when it has hardly begun.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 'KillWait=1'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a controller and a node' || { cluster_logs; tap_done; }

submit() { run sbatch --parsable "$@" && id=$out; }
ended() { wait_job 20 "$id" 'COMPLETED|FAILED|CANCELLED'; }

options=() who="$(id -u)" groups="$(id -g)"
if [ "$(id -u)" = 0 ]; then
        options=(--uid=nobody) who=$(id -u nobody) groups=$(id -g nobody)
fi
chmod 755 "$DIR" && mkdir -m 777 files
cat >script <<'EOF'
#!/bin/sh
[ "$SLURM_TASK_PID" = $$ ] && echo "its number, task $SLURM_PROCID $SLURM_LOCALID, $TMPDIR"
for fd in /proc/$$/fd/*; do
        readlink "$fd"
done | sed "s#/.*/##"
cut -d' ' -f5,6 /proc/$$/stat | tr -s ' ' '\n' | sort -u | grep -cx $$
cat /proc/self/oom_score_adj
ulimit -f
umask
exec grep -E '^(Uid|Gid|Cap(Inh|Prm|Eff|Amb)|Sig(Blk|Ign|Pnd)):' /proc/self/status
EOF
[ "$(id -u)" = 0 ] && caps=0000000000000000 || caps=$(sed -n 's/^CapPrm:\t//p' /proc/self/status)
facts() {
        printf '%s\n' "its number, task 0 0, ${1:-/tmp}" null "$id" slurm_script "$id" 1 0 2048 0027
        printf '%s:\t%s\n' Uid "$(printf "$who%.0s\t" 1 2 3)$who" Gid "$(printf "$groups%.0s\t" 1 2 3)$groups" \
                SigPnd 0000000000000000 SigBlk 0000000000000000 SigIgn 0000000000000000 \
                CapInh 0000000000000000 CapPrm "$caps" CapEff "$caps" CapAmb 0000000000000000
}
(umask 027 && ulimit -f 1024 && unset TMPDIR && submit "${options[@]}" -o files/%j script && echo "$id" >id)
id=$(cat id) && ended
tap_is "$(cat "files/$id")" "$(facts)" 'a script has its user'"'"'s ids, no capabilities, no signal blocked or ignored, its own descriptors'
(umask 027 && ulimit -f 1024 && TMPDIR=$DIR/files/tmp submit "${options[@]}" -o files/%j script && echo "$id" >id)
id=$(cat id) && ended
tap_is "$(cat "files/$id")" "$(facts "$DIR/files/tmp")" 'and another, by the same step daemon'
tap_is "$(stat -c '%u %a' files/tmp)" "$who 700" 'its TMPDIR is made, and is its own'

printf '#!/no/such\n' >script
submit "${options[@]}" -o files/%j script && ended
tap_like "$(job_state "$id") $(cat "files/$id")" "^FAILED slurmstepd: error: execve\(\): bad interpreter\(/no/such\): No such file or directory$" \
        'a script without its interpreter says so'
TMPDIR=/proc/nowhere submit "${options[@]}" -o files/%j --wrap 'echo $TMPDIR' && ended
tap_like "$(cat "files/$id")" 'Unable to create TMPDIR' 'as does one without its TMPDIR'

for i in {1..20}; do
        submit "${options[@]}" -o /dev/null --wrap 'kill -KILL $$' && ids+=" $id"
done
for id in $ids; do
        ended
        job_state "$id"
done | sort | uniq -c | tr -s ' ' >states
tap_is "$(cat states)" ' 20 FAILED' 'scripts that are killed have failed'
submit --array=1-50 -o files/last.%a --wrap 'echo $SLURM_ARRAY_TASK_ID'
wait_for 30 eval '[ "$(cat files/last.* 2>/dev/null | wc -l)" = 50 ]'
tap_is "$(cat files/last.* | sort -n | tail -1)" 50 'and the node goes on'
tap_done
