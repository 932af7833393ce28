#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PrologSlurmctld of very many jobs: so many run at a time, others wait for their turn.  As many
# epilogs that hang hold up no start.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
mkdir "$DIR/hooks"
mkfifo "$DIR/go"
printf '#!/bin/sh\necho "$SLURM_JOB_ID" >>%s/said\nread -r line <%s/go\n' "$DIR" "$DIR" >"$DIR/hooks/hook"
chmod 755 "$DIR/hooks/hook"
cluster_conf n1 "PrologSlurmctld=$DIR/hooks/hook" 'PartitionName=many Nodes=n1 OverSubscribe=FORCE:300'
cd "$DIR" || exit 1
cluster_up 'a node' n1
: >said
configuring() { [ "$(squeue -hr -t CF -o %i | wc -l)" = "$1" ]; }
said() { [ "$(wc -l <said)" -ge "$1" ]; }
sbatch -Q -p many -n1 --array=1-260 -o /dev/null --wrap true >/dev/null
# squeue, asked again and again, would be a load: first what the hooks have said
wait_for 60 said 256
wait_for 60 configuring 260
job=$(sbatch --parsable -p many -n1 -o /dev/null --wrap true)
wait_for 20 configuring 261
tap_is "$(wc -l <said)" 256 '256 run'
scancel "$(squeue -h -j "$(tail -1 said)" -o %A)"
wait_for 20 said 257
tap_is "$?|$(wc -l <said)" '0|257' '... one more when one of them has ended'
scancel "$job"
wait_job 20 "$job" CANCELLED
tap_ok $? 'a job whose prolog waits is cancelled at once'
scancel -p many
tap_ok "$(wait_for 60 no_jobs; echo $?)" 'all of them are'

exec 3<>go
printf '#!/bin/sh\necho "$SLURM_JOB_ID" >>%s/left\n[ -e %s/free ] || read -r line <%s/go\n' \
        "$DIR" "$DIR" "$DIR" >hooks/epilog
chmod 755 hooks/epilog
sed -i "s,^PrologSlurmctld=.*,PrologSlurmctld=/bin/true\nEpilogSlurmctld=$DIR/hooks/epilog," slurm.conf
scontrol reconfigure
sbatch -Q -p many -n1 --array=1-258 -o /dev/null --wrap true >/dev/null
wait_for 120 eval '[ "$(wc -l <left)" = 256 ]'
wait_for 60 eval '[ "$(squeue -hr -t CG -o %i | wc -l)" = 258 ]'
tap_ok $? '258 jobs have ended'
wait_for 30 eval '[ "$(wc -l <left)" = 256 ]'
tap_is "$? $(wc -l <left)" '0 256' '256 epilogs run'
job=$(sbatch --parsable -p many -n1 -o out --wrap 'echo started')
wait_for 20 test -s out
tap_ok $? 'a job starts beside them, with its prolog'
touch free
exec 3>&-
wait_for 60 eval '[ "$(wc -l <left)" = 259 ]'
tap_ok "$(wait_for 60 no_jobs; echo $?)" 'they end'
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
