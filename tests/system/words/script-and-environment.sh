#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a job says in its script's lines and what it is told in its environment, where Slurm's ways are not the obvious ones.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 Gres=gpu:2' GresTypes=gpu
echo 'Name=gpu Count=2 Flags=CountOnly' >gres.conf
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
told() { # EXPRESSION OPTION...: what a script echoes
        local what=$1
        shift
        sbatch -W -Q -o out "$@" --wrap "$what" && cat out
}
script() { printf '#!/bin/sh\n%b\n' "$1" >s; run sbatch -W -Q -o out s; }

# ---- the lines ----
script '#SBATCH -n3#with a remark\necho $SLURM_NTASKS'
tap_is "$rc|$(cat out)" '0|3' 'a remark may follow a value at once'
script '#SBATCH --job-name="a#b"\necho $SLURM_JOB_NAME'
tap_is "$rc|$(cat out)" '0|a#b' 'but not in quotes'
script '#SBATCH -N1\n#SBATCH --bogus\ntrue'
tap_is "$rc|$err" "255|sbatch: unrecognized option '--bogus'
Try \"sbatch --help\" for more information
sbatch: error: s: line 3: this #SBATCH line is refused" 'an option that is not there is named, and its line'
script '#SBATCH -t abc\ntrue'
tap_is "$rc|$err" '255|sbatch: error: Invalid --time specification
sbatch: error: s: line 2: this #SBATCH line is refused' 'so is a value'
printf '#!/no/such/shell -e\ntrue\n' >s
run sbatch -W -Q -o out s
tap_like "$(cat out)" '^slurmstepd.*: error: execve\(\): bad interpreter\(/no/such/shell\): No such file or directory$' 'a script with a missing interpreter'
run env SLURM_EXIT_ERROR=9 sbatch -p nope --wrap true
tap_is "$rc" 9 'SLURM_EXIT_ERROR is for sbatch too'
run sbatch --hint=bogus --wrap true
tap_is "$rc|$err" '1|sbatch: error: unrecognized --hint argument "bogus", see --hint=help' 'no hint'
run srun --cpu-bind=help
tap_like "$rc|$err|$out" '^0\|\|CPU bind options:$' '--cpu-bind=help'
run sbatch --switches=x --wrap true
tap_is "$rc|$err" '1|sbatch: error: Invalid numeric value "x" for --switches.' 'no number'

# ---- the environment ----
# shellcheck disable=SC2016
{
        tap_is "$(told 'echo $SLURM_GPUS_PER_NODE $SLURM_HINT' --gpus-per-node=2 --hint=nomultithread)" '2 nomultithread' 'what was asked for is told'
        tap_is "$(told 'srun -n1 sh -c "echo \$SLURM_HINT"' --hint=nomultithread)" 'nomultithread' 'a step does not stumble over it'
        tap_is "$(told 'echo $SLURM_DISTRIBUTION $SLURM_DIST_PLANESIZE; srun sh -c "echo \$SLURM_PROCID \$SLURMD_NODENAME \$SLURM_DISTRIBUTION \$SLURM_DIST_PLANESIZE" | sort' \
                -N2 -n6 -m plane=1 | paste -sd' ')" 'plane 1 0 n1 plane 1 1 n2 plane 1 2 n1 plane 1 3 n2 plane 1 4 n1 plane 1 5 n2 plane 1' '--distribution=plane, in its steps too'
        tap_is "$(srun -N2 -n2 sh -c 'echo ${SLURM_DISTRIBUTION-none}' | sort -u)" none 'an allocation of its own that has not asked for one is told none'
        tap_is "$(told 'echo ${SLURM_DISTRIBUTION-none}; for o in -n2 -n3 "-n1 -N1"; do srun $o sh -c "echo \$SLURM_DISTRIBUTION" | sort -u; done' -N2 -n4 | paste -sd' ')" \
                'none cyclic block cyclic' 'a step within a job is told what is usual'
        tap_is "$(srun -N2 -n2 -m cyclic:cyclic sh -c 'echo $SLURM_DISTRIBUTION' | sort -u)" cyclic:cyclic 'and otherwise what was said'
        tap_is "$(told 'echo $SLURM_NNODES; srun -n1 -N1 -c1 sh -c "echo \$SLURM_NNODES \$SLURM_JOB_NUM_NODES \$SLURM_CPUS_PER_TASK"' -N2 -n4 -c2 | paste -sd' ')" \
                '2 1 2 1' 'a step is told of its own nodes and CPUs'
        tap_is "$(salloc -Q --gpus-per-node=1 --hint=compute_bound sh -c 'echo $SLURM_GPUS_PER_NODE $SLURM_HINT')" '1 compute_bound' 'salloc tells too'
}
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
