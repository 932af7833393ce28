#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --resv-ports: a step has ports that no other step has on its nodes, waits for them, and keeps them over kill -9 of the controller.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_CPU LaunchParameters=use_interactive_step MpiParams=ports=12000-12004
cluster_up 'two nodes' n1 n2

told() { # OPTIONS...: the ports of a step, as its tasks are told
        run srun "$@" sh -c 'echo "$SLURM_STEP_RESV_PORTS"'
        sort -u <<<"$out"
}
tap_is "$(told -N2 -n2 --resv-ports=3)" 12000-12002 'a step has as many as it asks for, on all its nodes'
tap_is "$(told -N1 -n1 --resv-ports)" 12003-12004 'without a number one more than its tasks'
tap_is "$(SLURM_RESV_PORTS=1 told -N1 -n1)|$(told -N1 -n1 --resv-ports=0)|$(told -N1 -n1)|$(told -N2 -n3 -O)" '12000||12001-12002|12000,12003-12004' \
        'SLURM_RESV_PORTS; none; what each step has otherwise'
run srun -n1 --resv-ports=6 true
tap_like "$rc|$err" '^[1-9][0-9]*\|.*Requires more ports than can be reserved' 'more than there are'
run srun -N1 -n5 -O true
tap_like "$rc|$err" '^[1-9][0-9]*\|.*Requires more ports than can be reserved' '... by its tasks'
run env SHELL=/bin/bash timeout 60 salloc -n1 <<'END'
echo "shell $SLURM_STEP_ID ${SLURM_STEP_RESV_PORTS-none}"
srun -n1 --resv-ports=5 --immediate=4 printenv SLURM_STEP_RESV_PORTS
END
tap_is "$rc|$out" '0|shell 4294967290 none
12000-12004' 'salloc'\''s shell has none, so that steps in it may have all'
tap_is "$(salloc -Q -n1 srun --external-launcher sh -c 'echo "${SLURM_STEP_RESV_PORTS-none}"')|$(salloc -Q -n1 srun --external-launcher --resv-ports=5 printenv SLURM_STEP_RESV_PORTS)" \
        'none|12000-12004' 'nor has an external launcher, but where it asks for some'

# ---- a job whose node would make its steps ----
cat >batch <<'END'
#!/bin/sh
srun -n1 printenv SLURM_STEP_RESV_PORTS
srun -n1 --resv-ports=3 printenv SLURM_STEP_RESV_PORTS
END
id=$(sbatch --parsable --stepmgr -n1 -o stepmgr.out batch)
wait_job 20 "$id" COMPLETED
run env SLUMBER_SOCKET="$DIR/n1.sock" salloc -Q --stepmgr -w n1 -n1 srun -n1 printenv SLURM_STEP_RESV_PORTS
tap_is "$(grep -c ^120 stepmgr.out)|$(grep -c ^120 <<<"$out")" '2|1' \
        '--stepmgr: steps have ports all the same' || cat stepmgr.out
sed 's/^ClusterName/SlurmctldParameters=enable_stepmgr\n&/' slurm.conf >both.conf
run "$CTLD" --check -f "$DIR/both.conf"
tap_like "$out$err" 'enable_stepmgr has no effect with MpiParams=ports=' '... which is said of enable_stepmgr'

# ---- a step that waits ----
srun -N1 -w n1 --resv-ports=4 sh -c 'echo "$SLURM_STEP_RESV_PORTS" >first; until [ -e go ]; do sleep 0.05; done' 2>/dev/null &
first=$!
wait_for 20 test -s first
id=$(squeue -h -o %A)
tap_like "$(scontrol show step "$id.0")" "ResvPorts=$(cat first)"$'\n' 'scontrol show step'
tap_like "$(squeue -h -s -j "$id" -O ResvPort:.30)" "^ *$(cat first) *\$" 'squeue -s'
run srun --jobid="$id" -N1 -n1 --overlap --immediate --resv-ports=2 true
tap_like "$rc|$err" '^[1-9][0-9]*\|.*Required ports are in use' 'ports of a node are in use: --immediate'
run env SLURM_EXIT_IMMEDIATE=9 srun --jobid="$id" -N1 -n1 --overlap --immediate true
tap_like "$rc|$err" '^9\|.*Required ports are in use' '... also of a step that says nothing'
run srun --jobid="$id" -N1 -n1 --overlap --immediate=2 true
tap_is "$rc|${err//$id/N}" '1|srun: Job N step creation temporarily disabled, retrying (Required ports are in use)
srun: error: Unable to create step for job N: Required ports are in use' 'one that waits a while says for what'
salloc -Q -N1 -w n1 -n1 sh -c 'srun --resv-ports=0 sh -c "touch busy; until [ -e free ]; do sleep 0.05; done" & until [ -e busy ]; do sleep 0.05; done
        srun -n1 --immediate=5 true 2>both.err & until grep -qs "nodes are busy" both.err; do sleep 0.05; done; touch free; wait' </dev/null
tap_like "$(paste -sd"|" both.err)" 'retrying \(Requested nodes are busy\).*Unable to create step for job [0-9]+: Required ports are in use$' '... and for what else thereafter'
tap_is "$(told -N1 -w n2 --resv-ports=5 | tr -cd '0-9-' | wc -c)" 11 'those of another node are not'
srun -N1 -w n1 --resv-ports=2 sh -c 'echo "$SLURM_STEP_RESV_PORTS" >second; until [ -e go2 ]; do sleep 0.05; done' 2>/dev/null &
second=$!
wait_for 20 eval '[ "$(squeue -h -t R -o %A | wc -l)" = 2 ]'
ctld_kill9; ctld_start
wait_nodes 20 n1,n2 'allocated|mixed|idle'
tap_like "$(scontrol show step "$id.0")" "ResvPorts=$(cat first)"$'\n' 'they are its own after a crash'
[ ! -e second ]
tap_ok $? 'another job waits for its step meanwhile'
touch go
wait_for 7 test -s second
tap_ok $? '... which begins when the first one has ended'
wait "$first"
tap_ok $? 'the first one has ended well'
touch go2
wait "$second"
tap_ok $? 'and so has the second'

# ---- what sets ports free ----
holds() { # NAME COUNT: a step of a job of its own
        srun -N1 -w n1 --resv-ports="$2" sh -c "touch on.$1; until [ -e go.$1 ]; do sleep 0.05; done" >/dev/null 2>&1 &
}
run_now() { [ "$(squeue -h -t R -o %A | wc -l)" = "$1" ]; }
holds a 5
wait_for 20 test -e on.a
id=$(squeue -h -o %A)
holds b 2; holds c 3
wait_for 20 run_now 3
[ ! -e on.b ] && [ ! -e on.c ]
tap_ok $? 'the steps of two jobs wait for a third one'
scancel "$id"
wait_for 7 test -e on.b -a -e on.c
tap_ok $? '... and begin when that is cancelled'
holds d 2
wait_for 20 run_now 3
sed -i s/12000-12004/12000-12009/ slurm.conf
scontrol reconfigure
wait_for 7 test -e on.d
tap_ok $? 'one that waits begins when slurm.conf has more ports'
touch go.b go.c go.d
wait_for 20 run_now 0
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
