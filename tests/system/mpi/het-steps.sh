#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Components of a heterogeneous step are one MPI_COMM_WORLD, of MPICH (PMI) and Open MPI (PMIx).
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/mpi.sh
. "$(dirname "$0")/../mpi.sh"
at_exit cluster_end
cluster_conf 'n[1-4]' KillWait=1 TreeWidth=2
cd "$DIR" || exit 1
made=
for mpi in mpich openmpi; do
        command -v "mpicc.$mpi" >/dev/null || continue
        [ $mpi = openmpi ] && [ ! -x "$SLUMBER_BUILD/agent/slumberpmixd" ] && continue
        mpi_program $mpi
        mv program "program.$mpi"
        made="$made $mpi"
done
[ -n "$made" ] || tap_skip_all 'no MPI is installed'
cluster_up 'four nodes' n1 n2 n3 n4
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=tcp,self
salloc -N4 --exclusive --no-shell 2>err
SLURM_JOB_ID=$(squeue -h -o %A)
export SLURM_JOB_ID
for mpi in $made; do
        p=./program.$mpi
        s -O -N1 -n2 $p hello : -O -N2 -n3 $p hello
        tap_is "$rc $(sort <<<"$out")" "0 $(hellos 5)" "$mpi: two components are one world"
        s -O -w n4 -n2 $p ring : -O -w 'n[1-3]' -n4 --distribution=cyclic $p ring
        tap_is "$rc $out" '0 sum 15' "$mpi: a ring over both, the first of them behind the second"
        s -O -n1 $p allreduce 8 : -O -n2 $p allreduce 8 : -O -N2 -n2 $p allreduce 8
        tap_is "$rc $out" '0 wrong 0' "$mpi: three components, an allreduce of 8 MB"
        s -O -n1 $p abort 1 7 : -O -n2 $p abort 1 7
        tap_is "$rc" 7 "$mpi: a task of the second component aborts all"
done
scancel "$SLURM_JOB_ID"
unset SLURM_JOB_ID
# ---- over components of a heterogeneous job ----
for mpi in $made; do
        p=./program.$mpi
        run srun -t1 -O -N1 -n2 $p hello : -O -N2 -n3 $p hello
        tap_is "$rc $(sort <<<"$out")" "0 $(hellos 5)" "$mpi: two components of a job are one world"
        run srun -t1 -O -w n4 -n2 $p ring : -O -w 'n[1-3]' -n4 --distribution=cyclic $p ring
        tap_is "$rc $out" '0 sum 15' "$mpi: a ring over both"
        run srun -t1 -O -n1 $p allreduce 8 : -O -n2 $p allreduce 8 : -O -N2 -n2 $p allreduce 8
        tap_is "$rc $out" '0 wrong 0' "$mpi: three components of a job, an allreduce of 8 MB"
        run srun -t1 -O -n1 $p abort 1 7 : -O -n2 $p abort 1 7
        tap_is "$rc" 7 "$mpi: a task of the second component of the job aborts all"
done
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
