#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs of Open MPI by srun, which is PMIx, and by mpirun within an allocation.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/mpi.sh
. "$(dirname "$0")/../mpi.sh"
at_exit cluster_end
[ -x "$SLUMBER_BUILD/agent/slumberpmixd" ] || tap_skip_all 'built without PMIx'
mpi_program openmpi
cluster_conf 'n[1-2]' KillWait=1
cd "$DIR" || exit 1
cluster_up 'two nodes' n1 n2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpi_runs 4 'one node' -N1 --overcommit
# Open MPI names its shared memory after the host and the rank there: here that is both nodes'.
export OMPI_MCA_btl=tcp,self
mpi_runs 5 'two nodes' -N2 --overcommit
s -N2 -n5 --overcommit --distribution=cyclic ./program ring
tap_is "$rc $out" '0 sum 10' 'two nodes: tasks in turn'
s -n2 --mpi=pmix --overcommit ./program hello
tap_is "$rc $(sort <<<"$out")" "0 $(hellos 2)" 'by --mpi=pmix'
s -n2 --mpi=pmix_v4 --overcommit ./program hello
tap_is "$rc $(sort <<<"$out")" "0 $(hellos 2)" 'by --mpi=pmix_v4'
tap_is "$(srun -n1 --mpi=pmix_v5 printenv SLURM_MPI_TYPE) $(srun -n1 --mpi=pmix_v2 true 2>&1)" \
        "pmix_v5 srun: error: Invalid MPI type 'pmix_v2', --mpi=list for acceptable types" 'of these versions'
s -n2 --mpi=none --overcommit ./program hello
tap_like "$rc $err" 'direct launched using' 'by --mpi=none it cannot start, and says why'
OMPI_MCA_pmix_base_async_modex=1 OMPI_MCA_pmix_base_collect_data=0 \
        s -N2 -n4 --overcommit ./program ring
tap_is "$rc $out" '0 sum 6' 'what tasks of the other node have put is fetched when it is needed'
run timeout 300 salloc -n2 -N1 --overcommit mpirun.openmpi -n 2 ./program hello </dev/null
tap_is "$rc $(sort <<<"$out")" "0 $(hellos 2)" 'mpirun in an allocation of one node'
# as that of Open MPI 5 does for a srun of this version
run timeout 300 salloc -Q -n2 -N2 sh -c 'srun sh -c "until [ -e enough ]; do sleep 0.1; done" &
mpirun.openmpi --mca plm_slurm_args --external-launcher -n 2 ./program hello; touch enough; wait' </dev/null
tap_is "$rc $(sort <<<"$out")" "0 $(hellos 2)" 'mpirun with --external-launcher, beside a step that has all of the job'
run timeout 300 salloc -n2 -N2 mpirun.openmpi -n 2 ./program ring </dev/null
tap_is "$rc $out" '0 sum 1' '... of two nodes'
cat >script <<END
#!/bin/sh
mpirun.openmpi -n 2 ./program hello
srun -n2 ./program ring
END
id=$(sbatch --parsable -n2 -N2 -o batch script)
wait_job 60 "$id" COMPLETED
tap_is "$? $(sort batch)" "0 $(hellos 2)
sum 1" 'mpirun and srun in a batch script'

# ---- fences of some tasks, by PMIx itself ----
# shellcheck disable=SC2046 # words
if cc -O1 -o some "$(dirname "$0")/../pmix_some.c" $(pkg-config --cflags --libs pmix 2>/dev/null) 2>cc.some; then
        s -N2 -n6 --overcommit --distribution=cyclic --mpi=pmix ./some
        tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: 9,1: 12,2: 9,3: 12,4: 9,5: 12' \
                'each node has its own kind of tasks: they meet apart'
        s -N2 -n6 --overcommit --distribution=block --mpi=pmix ./some
        tap_is "$rc $(sort <<<"$out" | paste -sd,)" '0 0: 9,1: 12,2: 9,3: 12,4: 9,5: 12' \
                'tasks of both nodes meet apart from the others there'
else
        echo "# SKIP fences of some tasks: no program of PMIx can be made: $(head -1 cc.some)"
fi

# ---- names, and what a step does not have ----
s -N1 -n3 --overcommit ./program names
tap_is "$rc $out" $'0 a-port\ngone' 'one node: names are published'
s -N2 -n4 --overcommit ./program names
tap_is "$rc $out" $'0 a-port\ngone' 'two nodes: the other one finds what was published'
# shellcheck disable=SC2046 # words
if cc -O1 -o names "$(dirname "$0")/../pmix_names.c" $(pkg-config --cflags --libs pmix 2>/dev/null) 2>cc.names; then
        s -N2 -n4 --overcommit --mpi=pmix ./names
        tap_is "$rc $out" '0 done' 'by PMIx itself: values of any kind, names of any length, each published once'
        s -N1 -n2 --overcommit --mpi=pmix ./names
        tap_is "$rc $out" '0 done' '... on one node, too: how it is to be done is heeded or refused'
else
        echo "# SKIP names by PMIx itself: no program of PMIx can be made: $(head -1 cc.names)"
fi
s -n1 ./program spawn self
tap_like "$rc $out $err" '^[0-9]+ refused.*task 0: MPI_Comm_spawn of /bin/true is refused: a step has the tasks that it began with' \
        'MPI_Comm_spawn is refused by name'
s -N1 -n2 --overcommit ./program spawn world
tap_like "$rc $(grep slurmstepd <<<"$err")" '^1 slurmstepd: error: task 0: MPI_Comm_spawn of /bin/true is refused: .*: the step is ended, as others of its tasks may wait for it$' \
        '... and a step whose other tasks would wait for it is ended'

# ---- its server ----
srun -n1 sh -c 'touch other; while [ ! -e stop ]; do sleep 0.1; done' &
other=$!
wait_for 20 test -e other
servers() { # those that have a file of this test open: its steps' sockets are told in their group
        for p in $(pgrep -x slumberpmixd); do
                grep -qs "$(basename "$DIR")" "/proc/$p/cgroup" && echo "$p"
        done
}
s -N1 -n2 --overcommit ./program hello
tap_is "$(servers)" '' 'the server ends with its step'
# shellcheck disable=SC2016 # the task expands it
s -n1 bash -c 'exec 3<>/dev/tcp/127.0.0.1/${PMIX_SERVER_URI4##*:}; head -c 1000000 /dev/urandom >&3; echo said'
tap_like "$rc" '^(0|1)$' 'garbage on its port'
# shellcheck disable=SC2016 # the task expands it
srun -n1 -J strange bash -c 'echo "${PMIX_SERVER_URI4##*:}" >port; mv port port.is
        while [ ! -e stop ]; do sleep 0.1; done' &
strange=$!
wait_for 20 test -e port.is
setpriv --reuid 65534 --regid 65534 --clear-groups bash -c "exec 3<>/dev/tcp/127.0.0.1/$(cat port.is)
        cat <&3"
tap_is "$? $(servers)" '0 ' "another user's connection is closed and starts no server"
# shellcheck disable=SC2016 # the task expands it
srun -n1 -J trap bash -c 'exec 3<>/dev/tcp/127.0.0.1/${PMIX_SERVER_URI4##*:}
        trap "touch trapped; exit 0" TERM; touch ready; while :; do sleep 0.1; done' &
trapping=$!
wait_for 20 test -e ready
scancel -n trap
wait "$trapping"
tap_ok "$([ -e trapped ]; echo $?)" 'a task that has begun PMIx is told to end, and has the time to'
touch stop
wait "$strange"
wait "$other"
tap_ok $? 'harms no other step'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
