#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tasks that follow from the shape of a node (-B), and a deadline that --time-min can keep.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-2]' 'SelectTypeParameters=CR_CPU' 'NodeName=n[1-2] NodeAddr=127.0.0.1 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=1000'
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2

told() { # OPTION...: what its script sees of a job
        wait_nodes 20 'n[1-2]' idle && sbatch -W -Q -o "$DIR/told" "$@" --wrap 'echo $SLURM_NTASKS $SLURM_JOB_CPUS_PER_NODE' && cat "$DIR/told"
}
tap_is "$(told -B 1:4)" '4 4' '-B 1:4 is four tasks'
tap_is "$(told -B 2:4 -N2)" '16 8(x2)' '... on each of two nodes eight with -B 2:4'
tap_is "$(told -N1 --sockets-per-node=2)" '2 2' 'a node and its sockets say it, too'
tap_is "$(told -B 1:4 -n2)" '2 2' 'a number of tasks counts'
wait_nodes 20 'n[1-2]' idle
tap_is "$(srun -B 1:2:1 echo task | grep -c task)" 2 'srun wants all three numbers'

j=$(sbatch --parsable -t 60 --time-min=10 --deadline=now+20minutes --wrap 'sleep 1000')
wait_job 20 "$j" RUNNING
tap_like "$?|$(job_show "$j" %l)" '^0\|(19|20):00$' '--time-min: the limit is cut so that it ends by its deadline'
run sbatch --begin=now+1hour --deadline=now+30minutes --wrap true
tap_like "$rc|$err" '^[1-9][0-9]*\|sbatch: error: Incompatible begin and deadline time specification$' 'a deadline before the begin is refused'
scancel "$j"
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
