#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that wait in several partitions, which differ in DefMemPerCPU, MaxMemPerCPU and DefaultTime: each has what the one says where
# it starts, whatever has happened meanwhile: kill -9 of the controller, another slurm.conf, an update, a requeue.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

sizes() { # ID...: what each is to have, or has: partition, time, CPUs of a task and all, memory
        local j
        for j; do
                scontrol -o show job "$j" |
                        sed -nE 's|.* TimeLimit=([^ ]*) .* Partition=([^ ]*) .* NumCPUs=([0-9]*) .* CPUs/Task=([0-9]*) .* MinMemory([NC])[a-zP]*U?=([^ ]*) .*|\2 \1 \4/\3 \5\6|p'
        done | paste -sd';'
}
given() { squeue -h -j "$1" -o '%T' && scontrol -o show job "$1" | grep -oE 'AllocTRES=[^ ]*' | grep -oE '(cpu|mem)=[^,]*'; }
again() { ctld_kill9 && ctld_start; }
other_conf() { # SED-COMMAND
        sed -i "$1" "$SLURM_CONF"
        run scontrol reconfigure
}

at_exit cluster_end
cluster_conf n SelectTypeParameters=CR_CPU_Memory DefMemPerCPU=50 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000' \
        'PartitionName=a Nodes=n1 Default=YES DefaultTime=20' \
        'PartitionName=b Nodes=n2 DefMemPerCPU=500 MaxMemPerCPU=250 DefaultTime=10' \
        'PartitionName=c Nodes=n2 DefMemPerCPU=150 MaxMemPerCPU=100 DefaultTime=5' 'PartitionName=hold Nodes=n[1-2]'
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2
sbatch -Q -o /dev/null -p hold -w n1 --exclusive --mem=0 -t 50 --wrap 'sleep 1000'
sbatch -Q -o /dev/null -p hold -w n2 --exclusive --mem=0 -t 50 --wrap 'sleep 1000'
wait_job 10 1 RUNNING && wait_job 10 2 RUNNING
tap_ok $? 'both are taken'
say='echo "$SLURM_JOB_PARTITION $SLURM_CPUS_ON_NODE $SLURM_CPUS_PER_TASK $SLURM_MEM_PER_CPU" >said.$SLURM_JOB_ID; sleep 1000'
for o in '-p a,b' '-p a,c --mem-per-cpu=300' '-p c,b -t 7' '-p a,b -a 1-2'; do
        # shellcheck disable=SC2086
        sbatch -Q -o /dev/null -n1 $o --wrap "$say"
done
before='a,b 00:20:00 1/1 C50M;a,c 00:20:00 1/1 C300M;c,b 00:07:00 2/2 C75M;a,b 00:20:00 1/1 C50M'
tap_is "$(sizes 3 4 5 6)" "$before" 'while they wait, as the first partition says'
again
tap_is "$?|$(sizes 3 4 5 6)" "0|$before" 'kill -9: the same'
run scontrol update jobid=3 partition=b,a
run scontrol update jobid=4 partition=c
tap_is "$rc|$(sizes 3 4)" '0|b,a 00:10:00 2/2 C250M;c 00:05:00 3/3 C100M' 'moved: as the other first partition says'
again
tap_is "$?|$(sizes 3 4)" '0|b,a 00:10:00 2/2 C250M;c 00:05:00 3/3 C100M' '... also after kill -9'
run scontrol update jobid=3 partition=a,b
run scontrol update jobid=4 partition=a,c
tap_is "$rc|$(sizes 3 4 5 6)" "0|$before" 'moved back: nothing is left of it'
other_conf '/^PartitionName=b/s/.*/PartitionName=b Nodes=n2 DefMemPerCPU=600 MaxMemPerCPU=200 DefaultTime=12/'
tap_is "$rc|$(sizes 3 4 5 6)" "0|$before" 'another slurm.conf for b: the first partition says the same'
again
other_conf '/^PartitionName=c/s/MaxMemPerCPU=100/MaxMemPerCPU=50/'
tap_is "$rc|$(sizes 3 4 5 6)" "0|${before/2\/2 C75M/3/3 C50M}" 'and for c, after a kill -9: less of MaxMemPerCPU, more CPUs'
again
scancel 2
wait_job 20 3 RUNNING
tap_is "$?|$(given 3 | paste -sd' ')|$(sizes 3)" '0|RUNNING cpu=3 mem=600M|b 00:12:00 3/3 C200M' 'one starts in b and has what b says now'
wait_for 10 test -s said.3
tap_is "$(cat said.3)" 'b 3 3 200' '... which its script is told'
tap_is "$(squeue -h -j 4,5 -o '%i %T %r' | sort | paste -sd';')" '4 PENDING Resources;5 RUNNING None' 'of 8 CPUs 6 are not left: the next one has 3'
tap_is "$(given 5 | paste -sd' ')|$(sizes 5)" 'RUNNING cpu=3 mem=150M|c 00:07:00 3/3 C50M' '... in c, with its own time'
other_conf '/^PartitionName=[bc]/s/MaxMemPerCPU=[0-9]* //'
again
tap_is "$?|$(sizes 3 5)" '0|b 00:12:00 3/3 C200M;c 00:07:00 3/3 C50M' 'a running job keeps what it has, also after kill -9'
wait_job 20 4 RUNNING
tap_is "$?|$(given 4 | paste -sd' ')|$(sizes 4)" '0|RUNNING cpu=1 mem=300M|c 00:05:00 1/1 C300M' 'without MaxMemPerCPU the memory takes one CPU'
scontrol requeuehold 3
wait_job 20 3 PENDING
tap_is "$?|$(sizes 3)" '0|a,b 00:20:00 1/1 C50M' 'sent back: as the first one says'
again
tap_is "$?|$(sizes 3)" '0|a,b 00:20:00 1/1 C50M' '... also after kill -9'
run scontrol release 3
wait_job 20 3 RUNNING
tap_is "$?|$(given 3 | paste -sd' ')|$(sizes 3)" '0|RUNNING cpu=1 mem=600M|b 00:12:00 1/1 C600M' 'and it starts with what b says then'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
