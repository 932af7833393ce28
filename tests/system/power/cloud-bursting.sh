#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cloud bursting with the programs of a site, as they are written for Slurm: a strict reader of SLURM_RESUME_FILE that tells
# addresses, one that has no capacity, one after the guide's example; and the guide's hybrid cluster around them.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
cd "$DIR" || exit 1
mkdir -p made
chmod 755 "$DIR"

# The programs get no PATH: a site's scontrol is where /bin/sh finds it, here it is the test's.
cat >resume <<END
#!/usr/bin/python3
import json, os, subprocess, sys
os.chdir('$DIR')
KEYS = {'extra', 'features', 'job_id', 'nodes_alloc', 'nodes_resume', 'oversubscribe', 'partition', 'reservation'}
def scontrol(*words):
    return subprocess.run(['$DIR/bin/scontrol', *words], capture_output=True, text=True, check=True).stdout.split()
with open(os.environ['SLURM_RESUME_FILE'], encoding='utf-8') as f:
    asked = json.load(f)
assert set(asked) == {'jobs', 'all_nodes_resume'}, asked
assert all(set(job) == KEYS for job in asked['jobs']), asked
nodes = scontrol('show', 'hostnames', sys.argv[1])
assert nodes == scontrol('show', 'hostnames', asked['all_nodes_resume'])
none = [n for n in nodes if os.path.exists(f'none.{n}')]
with open('calls', 'a', encoding='utf-8') as f:
    f.write(f"resume {sys.argv[1]} {'|'.join(str(j['job_id']) + ':' + j['nodes_resume'] for j in asked['jobs'])}\n")
for n in none:
    how = open(f'none.{n}', encoding='utf-8').read().split(' ')
    scontrol('update', f'nodename={n}', f'state={how[0]}', 'reason=InsufficientInstanceCapacity')
there = [n for n in reversed(nodes) if n not in none]
if there:
    scontrol('update', 'nodename=' + ','.join(there), 'nodeaddr=' + ','.join(f'127.9.0.{int(n[2:]) + 1}' for n in there),
             'nodehostname=' + ','.join(f'ip-{n}' for n in there))
for n in there:
    open(f'made/{n}', 'w').close()
END
cat >suspend <<END
#!/bin/bash
# The guide's example.
hosts=\$($DIR/bin/scontrol show hostnames "\$1")
echo "suspend \$1" >>$DIR/calls
for host in \$hosts
do
        rm -f "$DIR/made/\$host"
done
exit 0
END
printf '#!/bin/sh\necho "fail $1" >>%s/calls\n' "$DIR" >fail
chmod 755 resume suspend fail
cluster_conf 'tux[0-1]' "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" "ResumeFailProgram=$DIR/fail" SuspendTime=600 \
        'SuspendExcNodes=tux[0-1]' TreeWidth=128 SelectTypeParameters=CR_CORE_Memory SuspendTimeout=1 ResumeTimeout=600 SuspendRate=0 \
        ResumeRate=0 'NodeName=DEFAULT Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000' \
        'PartitionName=debug MaxTime=1:00:00 Nodes=tux[0-1] Default=YES' 'yaml veto_logind: no'
cat >>"$SLURM_CONF" <<'END'
NodeName=tux[0-1] Weight=1 Feature=local State=UNKNOWN NodeAddr=127.0.0.1
NodeName=ec[0-7]  Weight=8 Feature=cloud State=CLOUD
NodeSet=burst Nodes=ec[6-7]
PartitionName=batch MaxTime=8:00:00 Nodes=tux[0-1],ec[0-7]
END
ctld_start && agent_start tux0 && agent_start tux1 && wait_nodes 20 'tux[0-1]' idle
tap_ok $? "a hybrid cluster" || { cluster_logs; tap_done; }
is_made() { local n; for n; do [ -e "made/$n" ] || return; done; }
made() { wait_for 20 is_made "$@"; }
reason() { sinfo -h -N -n "$1" -o '%t|%E'; }
addresses() { scontrol -o show node "$1" | sed 's/.* \(NodeAddr=[^ ]*\) NodeHostName=\([^ ]*\) .*/\1 \2/' | paste -sd' '; }

a=$(sbatch --parsable -p batch -N5 --exclusive -o a.out --wrap 'srun -l hostname')
b=$(sbatch --parsable -p batch -N1 -C cloud -o b.out --wrap 'sleep 1000')
made ec0 ec1 ec2 ec3
tap_is "$?|$(head -n 2 calls | sort)" "0|resume ec3 $b:ec3
resume ec[0-2] $a:ec[0-2]" 'what the local nodes do not have comes from the cloud, and by name of a feature'
tap_is "$(addresses 'ec[0-3]')" 'NodeAddr=127.9.0.1 ip-ec0 NodeAddr=127.9.0.2 ip-ec1 NodeAddr=127.9.0.3 ip-ec2 NodeAddr=127.9.0.4 ip-ec3' \
        'the program has told addresses, of each node its own, in whatever order it names them'
for n in ec0 ec1 ec2 ec3; do agent_start $n -b; done
wait_job 20 "$a" COMPLETED
tap_is "$?|$(wc -l <a.out)|$(job_state "$b")" '0|5|RUNNING' 'the jobs run'
tap_is "$(addresses ec0)" 'NodeAddr=127.9.0.1 ip-ec0' 'the address that was set stays when it registers'

# ---- the programs' other ways ----
echo 'down ' >none.ec4
c=$(sbatch --parsable -p batch -w ec4 --wrap true)
wait_for 20 eval '[[ $(reason ec4) = down#* ]]'
tap_is "$?|$(reason ec4)|$(job_state "$c")" '0|down#|InsufficientInstanceCapacity|PENDING' 'no capacity: state=down, and the job is in the queue again'
rm none.ec4
run scontrol update nodename=ec4 state=power_down
wait_for 20 eval '[[ $(reason ec4) = down~* ]]'
run scontrol update nodename=ec4 state=resume
made ec4 && agent_start ec4 -b
wait_job 20 "$c" COMPLETED
tap_is "$?|$rc" '0|0' 'when there is some again: power_down, resume, and the job runs'
echo 'power_down_force ' >none.ec5
d=$(sbatch --parsable -p batch -C cloud -w ec5 --wrap true)
wait_for 20 grep -q '^suspend ec5$' calls
rm none.ec5
scancel "$d"
tap_ok $? 'power_down_force of the program itself: it is suspended at once'

# ---- by hand ----
run scontrol power up burst
made ec6 ec7
tap_is "$?|$rc|$(tail -n 1 calls)" '0|0|resume ec[6-7] ' 'scontrol power up takes a nodeset; no job is in the file'
for bad in 'ec[6-7] nodeaddr=127.9.0.1' 'ec[6-7] nodeaddr=a,b,c' 'ec6 nodehostname=' 'ec6,nosuch nodeaddr=a,b'; do
        # shellcheck disable=SC2086
        run scontrol update nodename=$bad
        tap_like "$rc|$err" '^1\|.*(nodecount mismatch|nosuch is not configured)' "refused: $bad"
done
run scontrol update nodename=ec7,ec6 instancetype=m7g,m7g instanceid=i-7,i-6 nodeaddr=127.9.0.1,127.9.0.1
tap_is "$rc|$(addresses 'ec[6-7]')|$(scontrol -o show node 'ec[6-7]' | grep -oE 'InstanceId=[^ ]+ InstanceType=[^ ]+' | paste -sd' ')" \
        '0|NodeAddr=127.9.0.1 ip-ec6 NodeAddr=127.9.0.1 ip-ec7|InstanceId=i-6 InstanceType=m7g InstanceId=i-7 InstanceType=m7g' \
        'a list may have a value twice'
scancel "$b"
for n in 0 1 2 3 4; do wait_nodes 20 ec$n idle && agent_stop ec$n; done
scontrol power down 'ec[0-4]'
wait_nodes 20 'ec[0-4]' 'idle~'
tap_is "$?|$(addresses ec0)|$(sinfo -h -N -n tux0 -p debug -o %t)" '0|NodeAddr=ec0 ec0|idle' 'off, their addresses are their names again; the local nodes are up'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
