#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What an operator notes of a job: shown by all, kept over a crash and in the accounts.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n1'
cluster_up 'a cluster' n1

id=$(sbatch --parsable --comment=mine -o /dev/null --wrap 'until [ -e go ]; do sleep 0.05; done')
array=$(sbatch --parsable -H -a 1-3 --wrap true)
reserve ReservationName=later StartTime=now+1day Duration=10 Nodes=n1 Users=root Flags=IGNORE_JOBS
res=$(sbatch --parsable --reservation=later -o /dev/null --wrap true)
run scancel -v -R sooner
tap_like "$rc|$err" '^0\|scancel: error: No active jobs match ALL job filters, including: reservation=sooner' 'scancel -R of another reservation'
run scancel -R later --admin-comment='not today'
tap_is "$rc|$err|$(sacct -nPX -j "$res" -o State%9,AdminComment)" '0||CANCELLED by 0|not today' 'scancel -R, with an AdminComment'
run scancel -s HUP --admin-comment="$(printf 'a\033b')" "$id"
tap_like "$rc|$err" '^1\|scancel: error: .*control character' 'which is checked as any other'
scontrol update jobid="$id" admincomment='seen by ops' extra=e && scontrol update jobid="$array" AdminComment=all && scontrol release "${array}_2"
tap_is "$?|$(scontrol show job "$id" | grep -A2 AdminComment | sed 's/$/|/')" '0|   AdminComment=seen by ops |
   Comment=mine |
   Extra=e|' 'scontrol show job, in Slurm'"'"'s place'
tap_is "$(squeue -h -j "$id" -O AdminComment:20,admin_comment)" 'seen by ops         seen by ops         ' 'squeue -O'
tap_like "$(squeue --json -j "$id")" '"admin_comment": *"seen by ops"' '--json'
tap_is "$(sacct -nPX -j "$id" -o AdminComment,Comment)|$(sacct -nPX -j "$array" -o AdminComment | sort -u)" 'seen by ops|mine|all' 'sacct, of a job that is not over'
ctld_kill9
ctld_start
tap_is "$(squeue -h -j "$id" -O AdminComment:20)" 'seen by ops         ' 'it is there after a crash'
touch go
wait_job 20 "$id" COMPLETED
over() { [ "$(sacct -nPX -j "$id" -o State)" = COMPLETED ]; }
wait_for 20 over
ctld_stop
ctld_start -c
tap_is "$(sacct -nPX -j "$id" -o AdminComment)" 'seen by ops' 'and when only the accounts know the job'
wait_nodes 30 n1 idle

if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR"
        cp "$(readlink -f "$DIR/bin/scontrol")" "$DIR/scontrol" && chmod 755 "$DIR/scontrol"
        id=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/scontrol" ping >/dev/null; sbatch --parsable --uid=65534 -H -D /tmp -o /dev/null --wrap true)
        run setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/scontrol" update jobid="$id" admincomment=x
        tap_is "$rc|$err|$(squeue -h -j "$id" -O AdminComment)" "1|Access/permission denied for job $id|(null)              " 'not for the job'"'"'s own user'
        run setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/scontrol" update jobid="$id" comment=x
        tap_is "$rc|$err" '0|' 'the comment is kept'
fi
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
