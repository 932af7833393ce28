#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of MPICH by srun, and by mpiexec within an allocation.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/mpi.sh
. "$(dirname "$0")/../mpi.sh"
at_exit cluster_end
mpi_program mpich
cluster_conf 'n[1-2]' KillWait=1
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2

mpi_runs 4 'one node' -N1 --overcommit
mpi_runs 5 'two nodes' -N2 --overcommit
s -N2 -n5 --overcommit --distribution=cyclic ./program ring
tap_is "$rc $out" '0 sum 10' 'two nodes: tasks in turn'
s -N1 -n3 --overcommit ./program names
tap_is "$rc $out" $'0 a-port\ngone' 'one node: names are published'
s -N2 -n4 --overcommit ./program names
tap_is "$rc $out" $'0 a-port\ngone' 'two nodes: the other one finds what was published'
s -N1 -n2 --overcommit ./program spawn world
tap_is "$rc $out" $'0 refused\nrefused' 'MPI_Comm_spawn is refused'
s -n2 --mpi=pmi2 --overcommit ./program hello
tap_is "$rc $(sort <<<"$out")" "0 $(hellos 2)" 'by --mpi=pmi2'
s -n2 --mpi=none --overcommit ./program hello
tap_is "$rc $(sort <<<"$out")" $'0 rank 0 of 1\nrank 0 of 1' 'by --mpi=none each is a world of its own'
run timeout 300 salloc -n2 -N1 --overcommit mpiexec.mpich -n 4 ./program hello </dev/null
tap_is "$rc $(sort <<<"$out")" "0 $(hellos 4)" 'mpiexec in an allocation of one node'
run timeout 300 salloc -n2 -N2 mpiexec.mpich -n 4 ./program ring </dev/null
tap_is "$rc $out" '0 sum 6' '... of two nodes'
cat >script <<END
#!/bin/sh
mpiexec.mpich -n 4 ./program hello
srun -n2 ./program ring
END
id=$(sbatch --parsable -n2 -N2 -o batch script)
wait_job 60 "$id" COMPLETED
tap_is "$? $(sort batch)" "0 $(hellos 4)
sum 1" 'mpiexec and srun in a batch script'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
