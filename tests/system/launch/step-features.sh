#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a step asks of each of its nodes: features, CPUs, sockets, cores, threads. What is for jobs alone is refused by name.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
shape='NodeAddr=127.0.0.1 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000'
cluster_conf 'n[1-3]' "NodeName=n1 $shape Feature=big,x"$'\n'"NodeName=n2 $shape Feature=small,x"$'\n'"NodeName=n3 $shape Feature=other" \
        SelectTypeParameters=CR_CORE
echo 'PartitionName=second Nodes=ALL' >>"$DIR/slurm.conf"
cd "$DIR" || exit 1
cluster_up 'three nodes' n1 n2 n3

# tries JOB-OPTION...: an allocation in which each line of standard input is tried: options, "=", the nodes of its tasks or
# what it ends with and says
tries() {
        cat >lines
        cat >script <<'END'
while IFS=$'\t' read -r options expected; do
        out=$(eval "timeout 30 srun $options printenv SLURMD_NODENAME" 2>&1 </dev/null)
        out="$? $(sort <<<"$out" | uniq -c | sed 's/^ *//; s/^1 //; s/^srun: error: //; s/for job [0-9]*/for job J/; s/in job [0-9]*/in job J/' | paste -sd';')"
        if [ "${out#0 }" = "$expected" ]; then echo ok; else echo "srun $options: ${out#0 } instead of $expected"; fi
done <lines
END
        run salloc -Q "$@" bash script
        sort -u <<<"$out"
}
line() { printf '%s\t%s\n' "$1" "$2"; }
unable='Unable to create step for job J:'
none="$unable Requested node configuration is not available"
few() { echo "1 $1 of the job's nodes have what the step asks of each node (--constraint, -B, --mincpus, --tmp), $2 are asked for;$none"; }

got=$( {
        line '-N1 -C big' n1
        line '-N1 -C small' n2
        line '-N2 -C x' 'n1;n2'
        line '-N1 -C "x&small"' n2
        line '-N1 -C x,small' n2
        line '-N2 -C "big|small"' 'n1;n2'
        line '-N2 -C "(big|small)&x"' 'n1;n2'
        line '-N1 -C "[nosuch|small]"' n2
        line '-N2 -C "[big|x]"' 'n1;n2'
        line '-N2 -C "[big|small]"' "$(few 1 2)"
        line '-C big' "$(few 1 2)"
        line '-N1 -C other' "$(few 0 1)"
        line '-N1 -C nosuch' "$(few 0 1)"
        line '-O -N2 -C big' "$(few 1 2)"
        line '-N1 -w n2 -C big' "1 $none"
        line '-N1 -n9 -C big' "1 $unable More processors requested than permitted"
        line '-N1 -C "big&"' "1 $unable Invalid feature specification;constraint \"big&\": a feature name is missing"
        line '-N1 -C "x*1"' "1 --constraint with a number of nodes is for jobs, not for steps;$unable Invalid feature specification"
} | tries -N2 -w n1,n2 --exclusive)
tap_is "$got" ok '--constraint chooses among the nodes of the job'
got=$(line '-C "[small|big]" -N1' n1 | SLURM_CONSTRAINT=nosuch tries -N2 -w n1,n3 --exclusive)
tap_is "$got" ok '... on the command line, before SLURM_CONSTRAINT'
run salloc -Q -N1 -w n3 -C '[other*1]' sh -c 'SLURM_CONSTRAINT="[other*1]" srun printenv SLURMD_NODENAME'
tap_is "$rc|$out" '0|n3' '... which may be what the job itself has asked for'
run srun -N1 -C 'other*1' printenv SLURMD_NODENAME
tap_is "$rc|$out" '0|n3' 'an allocation of its own has counts, too'

# A step that waits has its node when that is free, and no other.
cat >waits <<'END'
srun -N1 -w n1 sh -c 'touch has; until [ -e gives ]; do sleep 0.05; done' &
until [ -e has ]; do sleep 0.05; done
srun -N1 -C big printenv SLURMD_NODENAME 2>said &
until grep -qs busy said; do sleep 0.05; done
touch gives
wait
END
run salloc -Q -N2 -w n1,n2 --exclusive bash waits
tap_is "$rc|$out" '0|n1' 'a step waits for the node with its feature'

# ---- shape ----
threads="1 $unable Cannot request more threads per core than the job allocation"
many="1 $unable More processors requested than permitted"
got=$( {
        line '-N1 -B 2:2:2' '8 n1'
        line '-N1 -n1 -B 2' n1
        line '-N1 -n1 -B 3' "$(few 0 1)"
        line '-N1 -n1 -B 2:3' "$(few 0 1)"
        line '-N1 -n1 -B 2:2:3' "$threads"
        line '-N1 -n1 --sockets-per-node=3' "$(few 0 1)"
        line '-N1 -n1 --cores-per-socket=3' "$(few 0 1)"
        line '-N1 -n1 --threads-per-core=3' "$threads"
        line '-N1 -n4 --threads-per-core=1' '4 n1'
        line '-N1 -n5 --threads-per-core=1' "$many"
        line '-N1 -n4 --ntasks-per-core=1' '4 n1'
        line '-N1 -n5 --ntasks-per-core=1' "$many"
        line '-N1 -n2 --ntasks-per-socket=1' '2 n1'
        line '-N1 -n3 --ntasks-per-socket=1' "$many"
        line '-N1 -n1 --mincpus=8' n1
        line '-N1 -n1 --mincpus=9' "$(few 0 1)"
        line '-N1 -n1 --tmp=100000000' "$(few 0 1)"
        line '-N0' 'n1;n2'
        line '-N0 -w n2' n2
        line '-N0 -n1' n1
        line '-N0-1' n1
} | tries -N2 -w n1,n2 --exclusive)
tap_is "$got" ok 'the shape that a step asks for is what its job has on a node'
got=$( {
        line '-n1 -B 1:1' n1
        line '-n1 -B 1:2' "$(few 0 1)"
        line '-n1 --sockets-per-node=2' "$(few 0 1)"
        line '-n1 --mincpus=3' "$(few 0 1)"
} | tries -N1 -n2 -w n1)
tap_is "$got" ok '... and not what the node has'
run srun -N0 true
tap_like "$rc|$err" '^1\|.*"0" is not a valid node count' 'an allocation has a node'

# ---- what is for jobs ----
read -r account qos < <(salloc -Q -N1 squeue -h -o '%a %q')
got=$( {
        for o in contiguous switches=1 prefer=big spread-job use-min-nodes mcs-label=x begin=now+1hour deadline=now+1hour \
                dependency=afterok:1 hold time-min=1 signal=USR1 licenses=a:1 gres-flags=enforce-binding mem-per-gpu=1 cpus-per-gpu=1; do
                line "-N1 --$o" "1 --${o%%=*} is for jobs: a step in job J cannot have it"
        done
        line '-N1 --exclusive=user' '1 --exclusive=user and mcs are for jobs: a step in job J cannot have it'
        line '-N1 -p main' n1
        line '-N1 -p second,main' n1
        line '-N1 -p second' "1 --partition=second: a step is in the partition of its job, which is main;$unable Invalid partition name specified"
        line '-N1 -A nosuch' "1 --account=nosuch: a step is in the account of its job, which is $account;$unable Invalid account or account/partition combination specified"
        line '-N1 -q nosuch' "1 --qos=nosuch: a step is in the qos of its job, which is $qos;$unable Invalid qos specification"
        line '-N1 --reservation=nosuch' "1 --reservation=nosuch: a step is in the reservation of its job, which is none;$unable Requested reservation is invalid"
        line '-N1 --comment=x --nice=5 --mail-type=NONE' n1
} | tries -N1 -w n1 --exclusive)
tap_is "$got" ok 'what is for jobs alone is refused by name'
run env SLURM_PARTITION=second SLURM_DEPENDENCY=singleton SLURM_SIGNAL=USR1 salloc -Q -N1 -w n1 srun printenv SLURMD_NODENAME
tap_is "$rc|$out" '0|n1' '... but not what the environment says'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
