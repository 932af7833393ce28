#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs with GPUs that say nothing of memory or CPUs have what DefMemPerGPU and DefCpuPerGPU say where they wait, and where they
# start, also after a change and after kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

sizes() { # ID...: CPUs of a node and memory, and of a GPU
        local j
        for j; do
                scontrol -o show job "$j" | sed -nE 's|.* MinCPUsNode=([0-9]*) MinMemory([NC])[a-zP]*U?=([^ ]*) .*|\1 \2\3|p'
                scontrol -o show job "$j" | grep -oE '(Cpus|Mem)PerTres=[^ ]*' | sed 's|PerTres=gres/gpu||'
        done | paste -sd' '
}
given() { squeue -h -j "$1" -o '%T %P' && scontrol -o show job "$1" | grep -oE 'AllocTRES=[^ ]*' | grep -oE '(cpu|mem)=[^,]*'; }
again() { ctld_kill9 && ctld_start; }

at_exit cluster_end
cluster_conf n SelectTypeParameters=CR_CPU_Memory GresTypes=gpu DefMemPerCPU=50 DefMemPerGPU=70 \
        'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000 Gres=gpu:4' \
        'PartitionName=a Nodes=n1 Default=YES' 'PartitionName=b Nodes=n2 DefMemPerGPU=300 DefCpuPerGPU=2' \
        'PartitionName=hold Nodes=n[1-2]'
echo 'Name=gpu Count=4 Flags=CountOnly' >"$DIR/gres.conf"
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2
for n in n1 n2; do
        sbatch -Q -o /dev/null -p hold -w $n --exclusive --mem=0 --wrap 'sleep 1000'
done
wait_job 10 1 RUNNING && wait_job 10 2 RUNNING
tap_ok $? 'both are taken'
say='srun -n1 true && echo "$SLURM_CPUS_ON_NODE $SLURM_CPUS_PER_GPU $SLURM_MEM_PER_GPU" >said.$SLURM_JOB_ID; sleep 1000'
sbatch -Q -o /dev/null -p a,b --gres=gpu:2 --wrap "$say"
sbatch -Q -o /dev/null -p b --gres=gpu:2 --wrap "$say"
tap_is "$(sizes 3);$(sizes 4)" '1 N140M Mem:70;4 N600M Cpus:2 Mem:300' 'while they wait, as their first partition says'
again
tap_is "$?|$(sizes 3);$(sizes 4)" '0|1 N140M Mem:70;4 N600M Cpus:2 Mem:300' '... also after kill -9'
run scontrol update jobid=3 partition=b
run scontrol update jobid=4 partition=a
tap_is "$rc|$(sizes 3);$(sizes 4)" '0|4 N600M Cpus:2 Mem:300;1 N140M Mem:70' 'moved'
run scontrol update jobid=3 cpuspertask=1
tap_is "$rc|$(sizes 3)" '0|1 N600M Mem:300' 'a job that says how many CPUs its tasks have gets none by default'
run scontrol update jobid=3 partition=a,b
run scontrol update jobid=4 partition=a,b
sed -i 's/DefMemPerGPU=300/DefMemPerGPU=400/; s/DefMemPerGPU=70/DefMemPerGPU=80/' "$SLURM_CONF"
run scontrol reconfigure
tap_is "$rc|$(sizes 3);$(sizes 4)" '0|1 N160M Mem:80;1 N160M Mem:80' 'another slurm.conf'
again
scancel 2
wait_job 20 3 RUNNING && wait_job 20 4 RUNNING
tap_is "$?|$(given 3 | paste -sd' ');$(given 4 | paste -sd' ')" '0|RUNNING b cpu=1 mem=800M;RUNNING b cpu=4 mem=800M' 'they start in b, with what it says now'
wait_for 10 test -s said.4
tap_is "$(cat said.4)" '4 2 400' '... which the script is told'
sed -i 's/DefCpuPerGPU=2/DefCpuPerGPU=3/' "$SLURM_CONF"
again
tap_is "$?|$(given 4 | paste -sd' ')|$(sizes 4)" '0|RUNNING b cpu=4 mem=800M|4 N800M Cpus:2 Mem:400' 'a running job keeps it, also after kill -9'
scontrol requeuehold 4
wait_job 20 4 PENDING
tap_is "$?|$(sizes 4)" '0|1 N160M Mem:80' 'sent back: as the first one says'
run scontrol release 4
wait_job 20 4 RUNNING
tap_is "$?|$(given 4 | paste -sd' ')" '0|RUNNING b cpu=6 mem=800M' 'and with what b says then it starts again'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
