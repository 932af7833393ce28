#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SLURM_RESUME_FILE: the guide's example, job by job, as a ResumeProgram reads it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
cd "$DIR" || exit 1

printf '#!/bin/sh\ncat "$SLURM_RESUME_FILE" >"%s/$1.new" && mv "%s/$1.new" "%s/$1.json"\n' "$DIR" "$DIR" "$DIR" >resume
chmod 755 resume "$DIR"
cluster_conf 'cloud[1-12]' 'NodeName=cloud[1-12] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD Feature=c1,c2' \
        SuspendProgram=/bin/true "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=2 ResumeTimeout=60 SuspendRate=0 \
        ResumeRate=0 'PartitionName=cloud Nodes=ALL Default=YES' MCSPlugin=mcs/label
printf '%s\n' 'PartitionName=cloud_exclusive Nodes=ALL OverSubscribe=EXCLUSIVE' 'PartitionName=own Nodes=ALL ExclusiveUser=YES' >>"$SLURM_CONF"
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

cat >show.py <<'END'
import json, sys
f = json.load(open(sys.argv[1]))
assert sorted(f) == ['all_nodes_resume', 'jobs'], f
for j in f['jobs']:
    assert sorted(j) == ['extra', 'features', 'job_id', 'nodes_alloc', 'nodes_resume', 'oversubscribe', 'partition', 'reservation'], j
    print(*(j[k] for k in ('job_id', 'extra', 'features', 'nodes_alloc', 'nodes_resume', 'oversubscribe', 'partition', 'reservation')), sep='|')
print(f['all_nodes_resume'])
END
asked() { # NODES: what the program was told when it ran for them
        wait_for 20 test -s "$1.json" && /usr/bin/python3 show.py "$1.json"
}
run scontrol update nodename=cloud4 state=power_up
tap_is "$rc|$(asked cloud4)" '0|cloud4' 'a node that is switched on by hand has no job'
agent_start cloud4 -b
wait_nodes 20 cloud4 idle
a=$(sbatch --parsable -N4 -w 'cloud[1-4]' -C 'c1&c2' --extra 'any "text"' --wrap true)
tap_is "$(asked 'cloud[1-3]')" "$a|any \"text\"|c1&c2|cloud[1-4]|cloud[1-3]|OK|cloud|None
cloud[1-3]" 'a job: all of its nodes, and those that are switched on for it'
b=$(sbatch --parsable -w 'cloud[7-8]' -N2 -p cloud_exclusive --wrap true)
tap_is "$(asked 'cloud[7-8]')|$(squeue -h -j "$b" -o %h)" "$b|None|None|cloud[7-8]|cloud[7-8]|NO|cloud_exclusive|None
cloud[7-8]|NO" 'one of a partition with OverSubscribe=EXCLUSIVE shares with none, as squeue says'
c=$(sbatch --parsable -w cloud5 -s --wrap true)
tap_is "$(asked cloud5)" "$c|None|None|cloud5|cloud5|YES|cloud|None
cloud5" 'one with --oversubscribe'
d=$(sbatch --parsable -w cloud6 --exclusive --wrap true)
tap_is "$(asked cloud6)" "$d|None|None|cloud6|cloud6|NO|cloud|None
cloud6" 'one with --exclusive'
e=$(sbatch --parsable -w cloud9 -p own --wrap true)
tap_is "$(asked cloud9)" "$e|None|None|cloud9|cloud9|USER|own|None
cloud9" 'one of a partition with ExclusiveUser=YES'
f=$(sbatch --parsable -w cloud10 --exclusive=user --wrap true)
tap_is "$(asked cloud10)" "$f|None|None|cloud10|cloud10|USER|cloud|None
cloud10" 'one with --exclusive=user'
g=$(sbatch --parsable -w cloud11 --exclusive=mcs --mcs-label=red --wrap true)
tap_is "$(asked cloud11)" "$g|None|None|cloud11|cloud11|MCS|cloud|None
cloud11" 'one with --exclusive=mcs'
run scontrol create reservation=resv_1234 users="$(id -un)" nodes=cloud12 starttime=now duration=60
h=$(sbatch --parsable -t 5 -N1 --reservation=resv_1234 --wrap true)
tap_is "$rc|$(asked cloud12)" "0|$h|None|None|cloud12|cloud12|OK|cloud|resv_1234
cloud12" 'one of a reservation'
scancel "$a" "$b" "$c" "$d" "$e" "$f" "$g" "$h"
run scontrol delete reservation=resv_1234
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
