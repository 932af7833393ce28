#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Steps that their allocation has no room for: which number does not fit is said, in Slurm's words, and none waits for ever.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000' SelectTypeParameters=CR_CPU
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2

# tries JOB-OPTION...: an allocation in which each line of standard input is tried: options, "=", what it ends with and says
tries() {
        cat >lines
        cat >script <<'END'
while IFS='=' read -r options expected; do
        out=$(eval "timeout 30 srun $options true" 2>&1)
        out="$? $(sed 's/^srun: //; s/for job [0-9]*/for job J/' <<<"$out" | paste -sd';')"
        expected=${expected# }
        if [ "${out% }" = "$expected" ]; then echo ok; else echo "srun $options: $out instead of $expected"; fi
done <lines
END
        run salloc -Q "$@" bash script
        sort -u <<<"$out"
}

got=$(tries -N1 -n2 <<'END'
-N2 = 1 error: Only allocated 1 nodes asked for 2
-N2-4 = 1 error: Only allocated 1 nodes asked for 2
-n2 -N3 = 1 Warning: can't run 2 processes on 3 nodes, setting nnodes to 2;error: Only allocated 1 nodes asked for 2
-r1 = 1 error: --relative and --nodes option incompatible with count of allocated nodes (1+1>1)
-r5 = 1 error: --relative and --nodes option incompatible with count of allocated nodes (5+1>1)
-r1 -w n1 = 1 error: -r,--relative not allowed with -w,--nodelist or -x,--exclude.
-n3 = 1 error: Unable to create step for job J: More processors requested than permitted
-n3 --exact = 1 error: Unable to create step for job J: More processors requested than permitted
-n3 --overlap = 1 error: Unable to create step for job J: More processors requested than permitted
-n2 -c2 = 1 error: Unable to create step for job J: More processors requested than permitted
-O -n3 = 0
--exclusive --overlap = 1 error: --exclusive and --overlap are mutually exclusive
-w n2 = 1 error: --nodelist: n2 is none of the job's nodes;error: Unable to create step for job J: Requested node configuration is not available
-x n1 = 1 error: --exclude leaves none of the job's nodes;error: Unable to create step for job J: Requested node configuration is not available
-w n1,n2 = 0 error: Required nodelist includes more nodes than permitted by max-node count (2 > 1). Eliminating nodes from the nodelist.
-n2 --ntasks-per-node=1 = 0 Warning: can't honor --ntasks-per-node set to 1 which doesn't match the requested tasks 2 with the number of requested nodes 1. Ignoring --ntasks-per-node.
--cpu-bind=foo = 1 error: unrecognized --cpu-bind argument "foo"
--cpu-bind=map_cpu: = 1 error: missing list for "--cpu-bind=map_cpu:<list>"
END
)
tap_is "$got" ok 'what cannot be is said at once'

# Four tasks are three CPUs of n1 and one of n2.
got=$(tries -N2 -n4 <<'END'
-N1 = 1 error: Unable to create step for job J: More processors requested than permitted
-N1 -n3 = 0
-N1 -n3 -w n2 = 1 error: Unable to create step for job J: More processors requested than permitted
-w n9 = 1 error: --nodelist: n9 is none of the job's nodes;error: Unable to create step for job J: Requested node configuration is not available
-n9 -w n1,n9 = 1 error: --nodelist: n9 is none of the job's nodes;error: Unable to create step for job J: Requested node configuration is not available
-N1-2 -n4 = 0
--ntasks-per-node=3 -N1-2 -n4 = 0
--ntasks-per-node=1 -N1-2 -n4 = 1 error: 4 tasks are more than --ntasks-per-node=1 allows on 2 nodes;error: Unable to create step for job J: Task count specification invalid
END
)
tap_is "$got" ok 'a step on fewer nodes than its tasks need does not wait for them'
out=$(salloc -Q -N2 -n4 sh -c 'srun -N1 -n3 printenv SLURMD_NODENAME' | sort | uniq -c | paste -sd,)
tap_is "${out// /}" 3n1 'the node with room for its tasks is taken'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
