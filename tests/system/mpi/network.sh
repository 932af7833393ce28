#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of MPICH and Open MPI with 128 ranks on eight nodes that have networks of their own: what
# slumberds, and Open MPI's ranks, say to each other goes over real TCP.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/mpi.sh
. "$(dirname "$0")/../mpi.sh"
# shellcheck source=tests/system/spaces.sh
. "$(dirname "$0")/../spaces.sh"
kinds=mpich
[ ! -x "$SLUMBER_BUILD/agent/slumberpmixd" ] || kinds='mpich openmpi'
spaces_up
spaces_conf KillWait=1
cd "$DIR" || exit 1
cluster_up 'eight nodes, each with a network' n{1..8}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
said_by_n3() { ip -n "$SPACE" -s link show v3 | awk '/RX:/ { getline; print $1 }'; } # bytes
for kind in $kinds; do
        mpi_program "$kind"
        run timeout 400 srun -N8 -n128 --overcommit ./program hello </dev/null
        tap_is "$rc $(sort <<<"$out")" "0 $(hellos 128)" "$kind: 128 ranks"
        s -N8 -n8 ./program ring
        tap_is "$rc $out" '0 sum 28' "$kind: a ring over eight networks"
        before=$(said_by_n3)
        s -N8 -n8 ./program allreduce 1
        tap_is "$rc $out" '0 wrong 0' "$kind: an allreduce of 1 MB"
        # UCX, below MPICH, knows hosts by their boot's id, so it takes shared memory; and its TCP
        # stands still in MPI_Finalize, also by mpiexec alone.
        [ "$kind" = mpich ] ||
                tap_ok "$([ "$(said_by_n3)" -gt $((before + (1 << 20))) ]; echo $?)" \
                        '... by the network'
done
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
