#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The largest numbers, names and lists that a user's message can carry: each is answered, and what no command needs is refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
cluster_conf n1 MaxMemPerCPU=100 MaxArraySize=4000001 MaxJobCount=5000
cp "$SLUMBER_SOURCE/tests/system/hostile.py" .
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }
pid=$(cat run/ctld.pid)
other=() # another user, if we can be one
[ "$(id -u)" != 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
array=$(sbatch --parsable -H -a 0-999 --wrap true)
for i in 3 5 999; do scontrol update JobId="${array}_$i" TimeLimit=$i; done # they have records of their own

says() { # CASE WANTED NAME
        tap_is "$("${other[@]}" timeout 60 /usr/bin/python3 hostile.py unix "$DIR/sock" "$1" "$array" 2>&1 | tail -1)" "$2" "$1: $3"
}
says most-memory 'error 33' 'no node has the most memory for each CPU'
says most-memory-node 'error 33' 'nor for itself'
says long-user 'error 31' 'a name of megabytes is longer than a text may be'
says long-resv-user 'error 31' 'it is too big for a reservation'
says long-resv-text 'error 13' 'and without the right to make one its users are not looked up'
says same-ids 'body 23' 'the same array, 100,000 times, is shown once'
says many-ids 'error 31' 'a million ids are too many'
says asked-tasks 'body 23' 'the same tasks, 20,000 times, are shown once'
says far-tasks 'error 31' '20,000 lists up to the largest index are too many'
says wide-tasks 'error 31' 'so are thousands of the widest ranges in one'
says many-states 'error 31' 'a million states are too many'
says many-users 'body 23' '100,000 users and partitions are looked up'
says too-many-users 'error 31' 'one more is too many'
says many-partitions 'error 31' 'also of partitions'
says many-priorities 'error 31' 'and for sprio'
says many-instances 'error 31' 'and for sacctmgr show instance'
says ping 'body 35' 'the controller answers'

# ---- lists of thousands of nodes, each by its name ----
long=$(seq -s, -f 'a-node-of-a-rack-%.0f' 1000 4999)
run scontrol create reservation user=root starttime=now duration=1 nodes="$long"
tap_like "$rc|$err" '^1\|.*node a-node-of-a-rack-1000 is not configured' 'an operator may name thousands of nodes in a reservation'
run "${other[@]}" srun --jobid="$array" -w "$long" true
tap_like "$rc|$(grep -c 'is longer than' <<<"$err")" '^[1-9][0-9]*\|0$' 'and any user in a step'
for option in w x; do
        run "${other[@]}" sbatch -$option "$long" --wrap true
        tap_like "$rc|$err" '^1\|.*node a-node-of-a-rack-1000 is not configured' "... and in sbatch -$option, which writes them with brackets"
done
long=$(seq 10000 18999 | tr 0-9 a-j | sed 's/^/node-/' | paste -sd,)
run "${other[@]}" sbatch -w "$long" --wrap true
tap_like "$rc|$err" '^1\|.*the list of required nodes \(--nodelist\) is longer than 65536 bytes' '... what is longer with these, too, is refused'
run "${other[@]}" sbatch -x "$long" --wrap true
tap_like "$rc|$err" '^1\|.*the list of excluded nodes \(--exclude\) is longer than 65536 bytes' '... by the name of its option'

# ---- what commands ask for goes on as before ----
run squeue -h -r -j "${array}_[3,5-6,2000]" -o %K
tap_is "$rc $(sort -n <<<"$out" | paste -sd' ')" '0 3 5 6' 'tasks with and without records, and one that there is not'
run squeue -h -r -j "${array}_3,${array}_3,${array}_[3-4],${array}_4,${array}_998,77777" -o %K
tap_is "$rc $(sort -n <<<"$out" | paste -sd' ')" '0 3 4 998' 'several lists of one array'
run squeue -h -r -j "$(seq -f "${array}_%.0f" -s, 0 999)" -o %K
tap_is "$rc $(wc -l <<<"$out")" '0 1000' 'a thousand tasks, one by one'
run squeue -h -r -j "$(seq -s, 1 20000)" -o %K
tap_is "$rc $(wc -l <<<"$out")" '0 1000' 'twenty thousand ids'
run squeue -h -r -t PD,R,CD -p nothing,main -u "$(id -un),daemon" -o %K
tap_is "$rc $(wc -l <<<"$out")" '0 1000' 'states, partitions, users'
tap_is "$(cat run/ctld.pid)|$(_pid ctld)" "$pid|$pid" 'the controller is that of the beginning'
cluster_sound
tap_ok $? 'and has not complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
