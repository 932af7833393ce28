#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cores of two threads each: what a job is told that uses one of them, and the ids of its CPUs.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000'
cd "$DIR" || exit 1
cluster_up 'a node is idle' n1

told() { # OPTION...: what its script sees of a job
        sbatch -W -Q -o "$DIR/told" "$@" --wrap 'echo $SLURM_JOB_CPUS_PER_NODE $SLURM_TASKS_PER_NODE' && cat "$DIR/told"
}
tap_is "$(told -n2)" '2 2' 'two tasks have a core, and its two threads'
tap_is "$(told -n2 --threads-per-core=1)" '2 2' 'with one thread of each core, two cores are two CPUs'
tap_is "$(told -n2 --hint=nomultithread)" '2 2' '... by its hint, too'
tap_is "$(told -n2 --ntasks-per-core=1)" '4 2' 'with one task on each core, all threads are there for them'
tap_is "$(told --exclusive --threads-per-core=1)" '4 4' 'so is a whole node'

j=$(sbatch --parsable -n2 --threads-per-core=1 --ntasks-per-socket=1 --wrap 'sleep 1000')
wait_job 20 "$j" RUNNING
tap_is "$?|$(scontrol -d show job "$j" | grep -o 'CPU_IDs=[^ ]*')|$(job_show "$j" %C)" '0|CPU_IDs=0-1,4-5|4' 'ids are those of all threads of its cores, which no other job gets'
scancel "$j"
wait_nodes 20 n1 idle
ctld_stop
sed -i 's|^SelectTypeParameters=.*|SelectTypeParameters=CR_CPU|' slurm.conf
ctld_start && wait_nodes 20 n1 idle
j=$(sbatch --parsable -n1 --wrap 'sleep 1000')
k=$(sbatch --parsable -n1 --wrap 'sleep 1000')
wait_job 20 "$j" RUNNING && wait_job 20 "$k" RUNNING
ids() { scontrol -d show job "$1" | grep -o 'CPU_IDs=[^ ]*'; }
tap_is "$?|$(job_show "$j" %C) $(ids "$j")|$(job_show "$k" %C) $(ids "$k")" '0|1 CPU_IDs=0-1|1 CPU_IDs=2-3' \
        'with CR_CPU, a job that is charged one CPU has its core alone, too'
scancel "$j" "$k"
wait_nodes 20 n1 idle
ctld_stop
sed -i 's|^SelectType=.*|SelectType=select/linear|; /^SelectTypeParameters=/d' slurm.conf
ctld_start && wait_nodes 20 n1 idle
tap_is "$?|$(told -n2 --threads-per-core=1)" '0|8 2' 'where jobs have whole nodes, all CPUs of them are told'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
