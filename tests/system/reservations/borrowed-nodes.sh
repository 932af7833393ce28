#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --signal=R: a job of a user outside of a reservation runs on its node; a job of the reservation preempts it after the
# signal's time, also behind a controller that was killed in between.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf 'n[1-2]'
cluster_up 'a cluster' n1 n2
cd "$DIR" || exit 1
me=$(id -un)
run scontrol create reservation ReservationName=kept StartTime=now Duration=60 Users="$me" Nodes="n[1-2]" MaxStartDelay=1
tap_is "$rc" 0 'a reservation with MaxStartDelay'
tap_like "$(scontrol show reservation kept)" 'MaxStartDelay=00:01:00' 'it is shown'
run sbatch --signal=Q:USR1 --wrap true
tap_like "$rc $err" '^255 .*signal' 'a letter that is not known is refused'
# The job does not ask for the reservation.
cat >borrower <<'EOS'
#!/bin/bash
trap 'touch told; kill $!' TERM
srun -n1 sh -c 'trap "touch step-told; exit" TERM; touch running; while :; do sleep 0.05; done'
echo "step over" >>seen
[ -e free ] || while :; do sleep 0.05; done
EOS
a=$(sbatch -w n1 --parsable --requeue --signal=R:USR1@20 -o out -t 30 borrower)
running() { [ -e running ]; }
wait_for 20 running
tap_ok $? 'a job with --signal=R: runs on its node' || scontrol show job "$a"
b=$(sbatch --parsable --signal=R:USR1@61 -w n2 -o /dev/null -t 30 --wrap true)
c=$(sbatch --parsable --signal=USR1@1 -w n2 -o /dev/null -t 30 --wrap true)
reason() { squeue -h -j "$1" -o %r; }
waits() { [[ $(reason "$1") == *eserv* ]]; }
wait_for 10 waits "$b" && wait_for 10 waits "$c"
tap_ok $? 'a job with a shorter signal time than MaxStartDelay, and one without R, wait' || squeue
ctld_kill9
ctld_start
touch free
d=$(sbatch -w n1 --parsable --reservation=kept --exclusive -o /dev/null --wrap 'echo "other" >>seen')
wait_job 20 "$d" COMPLETED
tap_ok $? 'a job of the reservation has the node' || squeue
tap_ok "$([ -e step-told ]; echo $?)" 'the one that borrowed it was told by SIGTERM'
tap_is "$(cat seen)" 'step over
other' '... and had its time to end'
tap_like "$(scontrol show job "$a")" 'Restarts=1' 'it was requeued'
tap_done
