# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154 # run() of lib.sh sets them
# What the tests of both MPIs share: programs, and what is asked of each of them.  To be sourced
# behind cluster.sh.

# mpi_program mpich|openmpi: $DIR/program, made by that MPI; without it the test skips
mpi_program() {
        command -v "mpicc.$1" >/dev/null || tap_skip_all "no mpicc.$1"
        "mpicc.$1" -O1 -o "$DIR/program" "$(dirname "${BASH_SOURCE[0]}")/mpi.c" 2>"$DIR/cc" ||
                { cat "$DIR/cc" >&2; tap_skip_all "mpicc.$1 makes no program"; }
}

# hwloc would ask the X server of any test beside it for its GPUs, and say that it may not
export HWLOC_COMPONENTS=-gl
# many ranks on a few cores must not spin
export OMPI_MCA_mpi_yield_when_idle=1 MPIR_CVAR_POLLS_BEFORE_YIELD=1

s() { run timeout 300 srun "$@" </dev/null; }

hellos() { # SIZE
        for ((i = 0; i < $1; i++)); do echo "rank $i of $1"; done | sort
}

# mpi_runs TASKS NAME [OPTION...]: programs run as they should, as so many tasks
mpi_runs() {
        local n=$1 name=$2
        shift 2
        s -n "$n" "$@" ./program hello
        tap_is "$rc $(sort <<<"$out")" "0 $(hellos "$n")" "$name: each task has its rank"
        s -n "$n" "$@" ./program ring
        tap_is "$rc $out" "0 sum $((n * (n - 1) / 2))" "$name: a ring"
        s -n "$n" "$@" ./program allreduce 64
        tap_is "$rc $out" '0 wrong 0' "$name: an allreduce of 64 MB"
        s -n "$n" "$@" ./program exit 3
        tap_is "$rc" "$((n + 2))" "$name: exit codes"
        s -n "$n" "$@" ./program abort 1 7
        tap_is "$rc" 7 "$name: the step ends with the exit code of the task that aborts"
        tap_like "$err" 'srun: error: n[0-9]: task 1: Exited with exit code 7' '... which is told'
}
