#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PriorityWeightTRES with generic resources and licenses of AccountingStorageTRES, as sprio shows it; also after a reconfiguration
# that changes the weights, and kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

lines() { sprio -h -o "$1" "${@:2}" | sed 's/ *$//' | paste -sd';'; }

at_exit cluster_end
cluster_conf n SelectTypeParameters=CR_CPU GresTypes=gpu Licenses=matlab:4 PriorityType=priority/multifactor \
        AccountingStorageTRES=gres/gpu,license/matlab 'PriorityWeightTRES=CPU=1000,GRES/gpu=3000,License/matlab=500' \
        'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Gres=gpu:4'
echo 'Name=gpu Count=4 Flags=CountOnly' >"$DIR/gres.conf"
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2
sbatch -Q -o /dev/null -N2 --exclusive --wrap 'sleep 1000'
wait_job 10 1 RUNNING
tap_ok $? 'both are taken'
sbatch -Q -o /dev/null --gpus=4 --wrap true
sbatch -Q -o /dev/null -n2 -L matlab:3 --wrap true
tap_is "$(lines '%i %Y')" '2 1625;3 625' 'each part of what the partition has, in their priorities'
tap_is "$(lines %.50T | tr -d ' ')" 'cpu=125,gres/gpu=1500,license/matlab=0;cpu=250,gres/gpu=0,license/matlab=375' '... by themselves'
tap_is "$(lines %.50t | tr -d ' ')" 'cpu=0.12,gres/gpu=0.50,license/matlab=0.00;cpu=0.25,gres/gpu=0.00,license/matlab=0.75' '... without their weights'
tap_is "$(lines %T -w)" 'CPU=1000,gres/gpu=3000,license/matlab=500' 'the weights'
sed -i 's|^PriorityWeightTRES=.*|PriorityWeightTRES=gres/gpu=100|' slurm.conf
run scontrol reconfigure
tap_is "$rc|$(lines '%i %T')" '0|2 gres/gpu=50;3 gres/gpu=0' 'other weights'
ctld_kill9 && ctld_start
tap_is "$?|$(lines '%i %T')" '0|2 gres/gpu=50;3 gres/gpu=0' '... also after kill -9'
sed -i 's|^PriorityWeightTRES=.*|PriorityWeightTRES=gres/gpu:a100=100|' slurm.conf
run scontrol reconfigure
tap_like "$rc|$err" '1\|.*PriorityWeightTRES: gres/gpu:a100 is not in AccountingStorageTRES' 'what is not counted has no weight'
sed -i 's|^PriorityWeightTRES=.*|PriorityWeightTRES=energy=100|' slurm.conf
run scontrol reconfigure
tap_like "$rc|$err" '1\|.*PriorityWeightTRES: "energy" is none of cpu, mem, node, gres/NAME and license/NAME' 'nor has what is not measured'
cluster_sound
tap_ok $? 'nothing unsound was logged'
tap_done
