#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A srun that asks for a step of a job that runs, before its first node, which makes its steps, has begun it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
printf '#!/bin/sh\ntouch "%s/prolog.at"\nuntil [ -e "%s/prolog.go" ]; do sleep 0.02; done\n' "$DIR" "$DIR" >prolog
chmod 755 prolog
printf '#!/bin/sh\nuntil [ -e off ]; do sleep 0.02; done\n' >hold
cluster_conf 'n[1-2]' 'NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' "Prolog=$DIR/prolog"
cluster_up 'a cluster of two nodes' n1 n2

begin_job() { # $id: it runs, and its first node still runs Prolog
        rm -f prolog.at prolog.go off
        id=$(sbatch --parsable --stepmgr -w n1 -n2 -o /dev/null hold)
        wait_job 20 "$id" RUNNING && wait_for 20 test -e prolog.at
}
ask_from() { # HOST: its srun is $srun
        : >"err.$1"
        SLUMBER_SOCKET=$DIR/$1.sock srun --jobid="$id" -n1 sh -c 'echo $SLURM_STEP_ID' >"out.$1" 2>"err.$1" </dev/null &
        srun=$!
}
waits_or_ends() { grep -q 'waiting for it' "err.$1" || gone $srun; }

begin_job
for host in n1 n2; do
        ask_from $host
        declare "srun_$host=$srun"
        wait_for 10 waits_or_ends $host
        tap_like "$?|$(cat err.$host)" '^0\|srun: .*: waiting for it$' "srun on $host waits until the node begins the job"
done
tap_like "$(cat err.n1)" "node n1 is to make the steps of job $id, and has not begun the job yet" '... on that node it says why'
run env SLUMBER_SOCKET="$DIR/n1.sock" sattach "$id.0"
tap_like "$rc|$err" "^1\|.*node n1 is to make the steps of job $id, and has not begun the job yet" '... sattach has nothing to see'
touch prolog.go
wait $srun_n1
tap_is $? 0 'then it has its step'
wait $srun_n2
tap_is "$?|$(cat out.n1 out.n2 | sort | xargs)" '0|0 1' '... also the one elsewhere'
touch off
wait_job 20 "$id" COMPLETED

begin_job
ask_from n1
wait_for 10 waits_or_ends n1
scancel "$id"
touch prolog.go
wait_for 20 gone $srun
wait $srun
tap_like "$?|$(xargs <err.n1)" '^1\|.*waiting for it.*Job has ended' 'one that waits hears that the job ends' || sed 's/^/# /' err.n1
cluster_sound
tap_ok $? 'no daemon has complained'
[ "$TAP_FAILED" = 0 ] || cluster_logs
tap_done
