#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sbatch --batch: the script runs on the node of the job that has these features.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 Feature=a
NodeName=n2 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 Feature=b'
cluster_up 'two nodes' n1 n2

# shellcheck disable=SC2016
script='trap "echo told; touch told" USR1; echo $SLURMD_NODENAME $SLURM_NODEID $SLURM_JOB_NODELIST
srun -l sh -c "echo \$SLURMD_NODENAME" | sort; touch ran; until [ -e told ]; do sleep 0.05; done; exit 3'
j=$(sbatch --parsable -N2 -o out -C 'a|b' --batch=b --wrap "$script")
wait_for 20 test -e ran
tap_is "$(cat out)" "$(printf '%s\n' 'n2 0 n[1-2]' '0: n1' '1: n2')" 'its script runs there, its steps as ever'
tap_like "$(scontrol show job "$j")" '   BatchFeatures=b BatchHost=n2' 'show job says where'
ctld_kill9
ctld_start
tap_like "$(scontrol show job "$j")" '   BatchFeatures=b BatchHost=n2' '... a controller that comes back, too'
agent_stop n2
scancel --batch -s USR1 "$j"
agent_start n2
wait_job 20 "$j" FAILED
tap_is "$(tail -1 out)|$(scontrol -o show job "$j" | grep -o 'ExitCode=[^ ]*')" 'told|ExitCode=3:0' \
        'a signal reaches it when its agent is back, and its end is that of the job'
for node in n1 n2; do
        [ $node = n1 ] && feature=a || feature=b
        run env SBATCH_BATCH=$feature sbatch -W -Q -N2 -o out -C 'a|b' --wrap 'echo $SLURMD_NODENAME'
        tap_is "$rc $(cat out)" "0 $node" "SBATCH_BATCH=$feature"
done
for bad in c 'b,a' 'b|' '[b]'; do
        run sbatch -o /dev/null -C 'a|b' --batch="$bad" --wrap true
        tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Job --batch option is invalid or not a subset of --constraints' \
                "--batch=$bad is refused"
done
run sbatch -o /dev/null -C 'a|b' --batch= --wrap true
tap_like "$rc|$err" '^[1-9].*Invalid --batch specification' '--batch= is refused'
for command in srun salloc; do
        run $command --batch=b true
        tap_like "$rc|$err" "unrecognized option '--batch=b'" "$command does not have it"
done
j=$(sbatch --parsable -H -o /dev/null -C 'a|b' --batch=b --wrap true)
run scontrol update jobid="$j" features=a
tap_like "$rc $(scontrol -o show job "$j")" '^1 .* Features=a\|b ' 'a change that leaves its features out is refused'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
