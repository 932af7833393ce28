#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What srun says while a step waits, for nodes that boot and for other steps (power-saving guide, "use of allocations").
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
printf '#!/bin/sh\necho "$1" >>"%s/resumed"\n' "$DIR" >resume
chmod 755 resume "$DIR"
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000' SlurmctldParameters=cloud_dns SuspendProgram=/bin/true "ResumeProgram=$DIR/resume" \
        SuspendTime=600 ResumeTimeout=60 SuspendRate=0 ResumeRate=0
echo 'NodeName=c[1-4] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' >>"$SLURM_CONF"
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node, and four that sleep' || { cluster_logs; tap_done; }
said() { sed 's/[0-9]\{1,\}/N/g' "$1" 2>/dev/null; }
asked() { grep -qx "$1" resumed; }

# ---- nodes that boot ----
salloc -Q -N2 -w 'c[1-2]' srun -l hostname >boot.out 2>boot.err </dev/null &
pid=$!
wait_for 20 grep -q 'step creation' boot.err
tap_like "$?|$(cat boot.err)" '^0\|srun: Job [0-9]+ step creation temporarily disabled, retrying \(Waiting for nodes to boot: c\[1-2\]\)$' \
        'a step in an allocation: which nodes it waits for'
agent_start c1 -b && wait_nodes 20 c1 mixed
tap_is "$(cat boot.out)" '' 'one of two is not enough'
agent_start c2 -b
wait $pid
tap_is "$?|$(cut -d: -f1 boot.out | sort | xargs)|$(tail -n 1 boot.err | sed 's/[0-9]\{1,\}/N/g')" '0|0 1|srun: Step created for StepId=N.N' \
        'it begins when all are there, and says so'

# The first node of a batch job is up, a step on all of its nodes waits for the other.
cat >script <<'END'
#!/bin/sh
srun -N1 -n1 -w n1 touch here
srun -N2 hostname 2>batch.err
END
b=$(sbatch --parsable -N2 -w n1,c3 -o batch.out script)
wait_for 20 asked c3 && agent_start c3 -b
wait_job 20 "$b" COMPLETED
tap_is "$?|$(wc -l <batch.out)" '0|2' 'a batch job with one node that boots'

srun -w c4 true 2>own.err &
pid=$!
wait_for 20 asked c4 && agent_start c4 -b
wait $pid
tap_is "$?|$(cat own.err)" '0|' 'of its own allocation it says nothing, as Slurm'
scontrol power down c4
wait_nodes 20 c4 'idle%|idle~'
agent_stop c4
scontrol update nodename=c4 state=resume # SuspendTimeout is not waited for
wait_nodes 20 c4 'idle~'
srun -v -w c4 true 2>own.err &
pid=$!
wait_for 20 grep -q 'srun: Waiting for resource configuration' own.err
tap_ok $? 'but with -v'
agent_start c4 -b
wait $pid
tap_like "$?|$(cat own.err)" 'srun: Nodes c4 are ready for job$' 'also that they are ready'

# ---- other steps ----
salloc -Q -N1 -w n1 sh -c 'srun sh -c "touch first; until [ -e go ]; do sleep 0.02; done" & until [ -e first ]; do sleep 0.02; done
        srun echo second; wait' >busy.out 2>busy.err </dev/null &
pid=$!
wait_for 20 grep -q busy busy.err
tap_is "$?|$(said busy.err)" '0|srun: Job N step creation temporarily disabled, retrying (Requested nodes are busy)' 'a step waits for the nodes of another one'
touch go
wait $pid
tap_is "$?|$(cat busy.out)|$(said busy.err | tail -n 1)" '0|second|srun: Step created for StepId=N.N' 'begins when that has ended'
# What another one says has been said after the quiet one would have.
salloc -Q -N1 -w n1 sh -c 'srun sh -c "touch third; until [ -e on ]; do sleep 0.02; done" & until [ -e third ]; do sleep 0.02; done
        srun -Q echo fourth 2>quiet.err & srun echo fifth 2>loud.err; wait' >quiet.out 2>&1 </dev/null &
pid=$!
wait_for 20 grep -q busy loud.err
touch on
wait $pid
tap_is "$?|$(sort quiet.out | xargs)|$(cat quiet.err)" '0|fifth fourth|' '-Q: nothing'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
