#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sbcast: a file to all nodes of a job, whole or not at all; what it may and may not write; options, and what is refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"; cd "$DIR" || exit 1
cluster_conf 'n[1-3]'
cluster_up 'a cluster' n1 n2 n3
unset SLURM_JOB_ID

head -c 3000000 /dev/urandom >file && cat file file file >big && chmod 750 file
touch -d '2001-02-03 04:05:06' file
run sbcast file /tmp/x
tap_is "$rc|$err" '1|sbcast: error: Need a job id to run this command.  Run from within a Slurm job or use the --jobid option.' 'no job'
run sbcast none "$DIR/x"
tap_is "$rc|$err" "255|sbcast: error: Can't open \`none\`: No such file or directory" 'no file'
run sbcast -j 77 file "$DIR/x"
tap_is "$rc|$err" '1|sbcast: error: Invalid job id specified' 'an unknown job'
run sbcast file
tap_like "$rc|$err" '^1\|Need two file names, have 1 names' 'one name'

# All nodes are this machine: the name of the node tells which of them wrote where.
id=$(sbatch --parsable -N3 -o /dev/null --wrap 'sleep 1000')
wait_job 20 "$id" RUNNING
run sbcast -v -j "$id" file "$DIR/copy"
tap_like "$rc|$(grep -m1 error: <<<"$err")" '^1\|sbcast: error: n[1-3]: .*/copy: File exists' 'three nodes, one folder: a file that is there stays'
tap_ok "$(cmp file copy; echo $?)" '... and is whole'
run sbcast -j "$id" -f -p file copy
tap_is "$rc|$err|$(stat -c '%a %Y' copy)" "0||750 $(stat -c %Y file)" '-f -p: replaced, with its times'
run env SBCAST_COMPRESS=zlib sbcast -j "$id" -f file "$DIR/copy"
tap_is "$rc|$err|$(cmp file copy 2>&1)" "0|sbcast: error: Compression type 'zlib' unknown, disabling compression support.|" \
        'a library that is unknown: the file goes as it is'
run sbcast -j "$id" -f -C -F2 -s 64k big "$DIR/copy"
tap_is "$rc|$err|$(cmp big copy 2>&1)" '0||' '-C -F -s: packed, in groups, in blocks'
run sbcast -vv -j "$id" -f -p -s 64k big "$DIR/copy"
has() { # LINE...: in this order, what stands between them does not matter
        local line=0 found
        for l in "$@"; do
                found=$(grep -nxF -- "$l" <<<"$err" | cut -d: -f1 | awk -v after="$line" '$1 > after { print; exit }')
                [ -n "$found" ] || { echo "# not there: $l"; return 1; }
                line=$found
        done
}
size=$(stat -c %s big)
has 'sbcast: block_size = 65536' 'sbcast: compress   = 0' 'sbcast: exclude    = /lib,/usr/lib,/lib64,/usr/lib64' 'sbcast: force      = true' \
        'sbcast: fanout     = 0' 'sbcast: preserve   = true' 'sbcast: send_libs  = false' 'sbcast: timeout    = 0' 'sbcast: verbose    = 2' \
        'sbcast: source     = big' "sbcast: dest       = $DIR/copy" "sbcast: size     = $size" "sbcast: jobid      = $id" 'sbcast: node_list  = n[1-3]' \
        'sbcast: debug:  block 1, size 65536' "sbcast: debug:  block $(((size + 65535) / 65536)), size $((size % 65536 ? size % 65536 : 65536))"
tap_is "$?|$rc" '0|0' '-vv tells what is asked for, the nodes, and each block'
run sbcast -j "$id" -f --compress=none -t 60 file /nowhere/x
tap_is "$rc|$(grep ^sbcast <<<"$err" | sort)" "1|$(for n in n1 n2 n3; do echo "sbcast: error: $n: /nowhere/x: No such file or directory"; done)" \
        'a folder that is not there: each node is named'
mkdir folder
run env SLURM_JOB_ID="$id" SBCAST_FORCE=1 sbcast file folder/
tap_is "$rc|$err|$(cmp file folder/file 2>&1)" '0||' 'a folder; options from the environment'
run squeue -h -s -j "$id" -o %j
tap_is "$rc|$out" '0|batch' 'no step is left'
tap_is "$(sacct -nP -j "$id" -o jobid,jobname | sed -n '3p')" "$id.bcast0|sbcast" 'its steps have numbers of their own'
tap_is "$(srun -Q --jobid="$id" --overlap -N1 -n1 -w n2 printenv SLURM_STEP_ID)" 0 "... srun's begin at 0"
srun -Q --jobid="$id" --overlap -N1 -n1 -w n2 sh -c "until [ -e $DIR/step.end ]; do sleep 0.05; done" &
step=$!
wait_for 20 eval '[ "$(squeue -h -s -j "$id" -o %i | grep -c "$id.1\$")" = 1 ]'
mkdir one
run sbcast -j "$id.1" file "$DIR/one/"
tap_is "$rc|$err|$(cmp file one/file 2>&1)" '0||' 'to the nodes of a step: one of three, which all have this folder'
touch step.end
wait $step

# A program with its libraries.
run sbcast -j "$id" -f --send-libs --exclude=NONE "$(command -v cat)" "$DIR/prog"
tap_is "$rc|$err" '0|' '--send-libs'
tap_ok "$([ -x prog ] && compgen -G 'prog_libs/libc.so*' >/dev/null; echo $?)" 'the program and libc are there'
run sbcast -j "$id" -f --send-libs "$(command -v cat)" "$DIR/prog2"
tap_is "$rc|$(ls -d prog2*)" '0|prog2' 'none of the usual folders'

# slurm.conf
mkdir -m 1777 dest
printf '%s\n' "BcastParameters=DestDir=$DIR/dest,Compression=lz4,send_libs" BcastExclude=none >>slurm.conf
scontrol reconfigure
run sbcast -j "$id" -f "$(command -v cat)" prog3
tap_ok "$([ "$rc" = 0 ] && [ -x dest/prog3 ] && compgen -G 'dest/prog3_libs/libc.so*' >/dev/null; echo $?)" 'BcastParameters, BcastExclude: folder and libraries'
run sbcast -j "$id" -f --send-libs=no --exclude=NONE "$(command -v cat)" prog4
tap_is "$rc|$(ls -d dest/prog4*)" '0|dest/prog4' 'options prevail'
while IFS='|' read -r parameters code text; do
        sed -i "s|^BcastParameters=.*|BcastParameters=$parameters|" slurm.conf && scontrol reconfigure
        run sbcast -j "$id" -f file y
        tap_like "$rc|$err" "^$code\|sbcast: error: $text" "BcastParameters=$parameters is told of"
done <<END
DestDir=x|1|BcastParameters of slurm.conf: DestDir=x is
Compression=gzip|0|Compression type 'gzip' unknown, disabling compression support
END
sed -i '/^Bcast/d' slurm.conf && scontrol reconfigure

# srun --bcast: the copy is what runs.
cat >program <<'END'
#!/bin/bash
first=${LD_LIBRARY_PATH%%:*}
echo "$0 ${first##*/} $*"
END
chmod 755 program
own=${LD_LIBRARY_PATH-}
own=${own%%:*}
run srun -Q -N2 --bcast="$DIR/ran" ./program a
tap_is "$rc|$err|$out" "0||$DIR/ran ${own##*/} a
$DIR/ran ${own##*/} a" 'srun --bcast=PATH'
run env PATH="$DIR:$PATH" srun -Q --jobid="$id" --overlap -n1 -N1 --bcast --send-libs --compress program b
tap_like "$rc|$err|$out" "^0\|\|$DIR/(slurm_bcast_$id\.[0-9]+) \1_libs b$" '--bcast alone, with libraries'
run srun -Q -N1 --bcast=/nowhere/x ./program
tap_like "$rc|$err" '^srun: error: --bcast: ./program has not come to all nodes' 'a copy that cannot be made: no step'
run srun --bcast --multi-prog program
tap_is "$rc|$err" '1|srun: error: --bcast goes with one program, not with --multi-prog' 'not with --multi-prog'

# Its daemon has gone when it is to copy.
SLUMBER_SOCKET=$DIR/n1.sock srun -Q -H -N1 -w n2 --bcast="$DIR/never" ./program >bcast.out 2>&1 </dev/null &
pid=$!
held() { id2=$(squeue -h -t PD -o %A) && [ -n "$id2" ]; }
wait_for 20 held
kill -STOP $pid
scontrol release "$id2"
told() { [ "$(SLUMBER_SOCKET=$DIR/n1.sock squeue -h -j "$id2" -o %t)" = R ]; }
wait_for 20 told
tap_ok $? 'the allocation of a srun --bcast that stands still'
agent_kill9 n1
kill -CONT $pid
wait_for 5 pgrep -P $pid >/dev/null
tap_ok $? 'it waits for its daemon, which is gone'
kill -INT $pid
wait_for 2 gone $pid
tap_ok $? '... until it is interrupted'
agent_start n1
scancel "$id2"
wait_nodes 20 n1 'idle|mixed|allocated'

# The sender is killed in the middle: no node has a part of the file.
rm -f copy
mkfifo hold
run sbcast -j "$id" -f hold copy
tap_is "$rc|${err%%:*}" '1|sbcast' 'no fifo'
truncate -s 3G sparse
sbcast -j "$id" -f sparse copy 2>said &
pid=$!
step_runs() { squeue -h -s -j "$id" -o %j | grep -q sbcast; }
wait_for 20 step_runs
tap_ok $? 'a large file is on its way'
kill -9 $pid
step_gone() { ! step_runs; }
wait_for 30 step_gone
tap_ok $? 'its sender is killed: the step ends'
tap_is "$(ls -d copy* 2>/dev/null)" '' 'nothing is there'

# Daemons on the way are killed: the file comes whole all the same.
truncate -s 100M sparse
head -c 1000000 /dev/urandom >>sparse
sbcast -j "$id" -f sparse copy 2>said &
pid=$!
wait_for 20 step_runs
agent_kill9 n2
ctld_kill9
agent_start n2 && ctld_start
tap_ok $? 'a slumberd and the controller are killed meanwhile, and start again'
wait $pid
# srun may say that it waits for the controller
tap_is "$?|$(grep -v 'waiting to attach\|waiting for it' said)|$(cmp sparse copy 2>&1)" '0||' \
        '... and the file is whole'

if [ "$(id -u)" = 0 ]; then
        run setpriv --reuid=65534 --regid=65534 --clear-groups sbcast -j "$id" /bin/true /tmp/x
        tap_like "$rc|$err" '^1\|.*(Access/permission denied|Invalid job id)' "another user's job"
fi
scancel "$id"

# Tasks of an array: its number is that of one of them, too.
id=$(sbatch --parsable -a 1-3 -N1 --exclusive -o /dev/null --wrap 'sleep 1000')
for i in 1 2 3; do wait_job 20 "${id}_$i" RUNNING; done
same=$(squeue -h -r -j "$id" -o '%A %N' | sed -n "s/^$id //p")
run sbcast -v -j "$id" file "$DIR/task"
tap_is "$rc|$(tail -1 <<<"$err")" "0|sbcast: $same: $DIR/task" 'the task with the number of its array'
second=$(squeue -h -r -j "${id}_2" -o %N)
run sbcast -v -f -j "${id}_2" file "$DIR/task"
tap_is "$rc|$(tail -1 <<<"$err")" "0|sbcast: $second: $DIR/task" 'a task by its index'
run sbcast -f -j "${id}_[1-2]" file "$DIR/task"
tap_is "$rc|$err" "1|sbcast: error: ${id}_[1-2]: one task was expected" 'not several'
scancel "$id"
tap_done
