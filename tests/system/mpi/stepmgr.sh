#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of MPICH (PMI) and Open MPI (PMIx) over the nodes of a job whose first node makes the steps.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/mpi.sh
. "$(dirname "$0")/../mpi.sh"
at_exit cluster_end
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=tcp,self # the nodes are one machine, which has a name for its shared memory
which=()
for mpi in mpich openmpi; do command -v "mpicc.$mpi" >/dev/null && which+=("$mpi"); done
[ ${#which[@]} -gt 0 ] || tap_skip_all 'no mpicc.mpich and no mpicc.openmpi'
chmod 755 "$DIR"
cd "$DIR" || exit 1
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' KillWait=1
cluster_up 'three nodes' n1 n2 n3

made_on() { grep -qs . "$DIR/spool.$1/makers"/*; }
cat >script <<'END'
#!/bin/sh
srun -n6 -N3 ./program hello | sort
srun -n6 -N3 -m cyclic ./program ring
srun -n4 -N2 -w n2,n3 ./program allreduce 16
srun -n6 -N3 ./program exit 3 2>/dev/null; echo "exit $?"
srun -n6 -N3 ./program abort 1 7 2>/dev/null; echo "abort $?"
touch asked
until [ -e on ]; do sleep 0.02; done
END
for mpi in "${which[@]}"; do
        rm -f asked on
        mpi_program "$mpi"
        id=$(sbatch --parsable --stepmgr -N3 -n12 -o "out.$mpi" script)
        wait_for 90 test -e asked
        made_on n1
        tap_ok $? "$mpi: the first node makes the steps"
        touch on
        wait_job 30 "$id" COMPLETED
        tap_is "$?|$(cat "out.$mpi")" "0|$(hellos 6)
sum 15
wrong 0
exit 8
abort 7" "$mpi: hello, a ring, an allreduce, exit codes and an abort over the nodes" || sed 's/^/# /' "out.$mpi"
done
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
