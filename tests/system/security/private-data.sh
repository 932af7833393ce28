#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PrivateData: a plain user asks for what is another's, by every request of the protocol and by every command.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be two users'
at_exit cluster_end
cd "$DIR" || exit 1
settings=(PriorityType=priority/multifactor PriorityWeightAge=1000 AccountingStorageTRES=cpu
        'PartitionName=main Nodes=n1 Default=YES AllowGroups=root'
        'PartitionName=secretpart Nodes=n1,secretnode AllowGroups=root')
cluster_conf 'n1,secretnode' "${settings[@]}"
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
chmod 711 "$DIR"
plain=$(id -un 65534)

# What is there, and root's.  The words stand in nothing that a plain user has a right to.
sacctmgr -iQ add account secretacct && sacctmgr -iQ add user secretuser account=secretacct &&
        sacctmgr -iQ add account lab && sacctmgr -iQ add user root account=secretacct && sacctmgr -iQ add account mine &&
        sacctmgr -iQ add user "$plain" account=mine
tap_ok $? 'accounts'
ended=$(sbatch --parsable -A secretacct -J secretended -n1 --wrap 'srun -J secretstep true')
wait_job 20 "$ended" COMPLETED
job=$(sbatch --parsable -A secretacct -J secretjob --comment=secretcomment -n1 --wrap 'srun -J secretstep true; : secretscript; sleep 600')
waits=$(sbatch --parsable -A secretacct -p secretpart -J secretwait -n4 --exclusive --wrap true)
array=$(sbatch --parsable -A secretacct -J secretarray --array=1-3 -n4 --exclusive --wrap true)
wait_job 20 "$job" RUNNING && _step_over() { [ "$(sacct -nXPj "$ended" -o State)" = COMPLETED ]; } &&
        wait_for 20 _step_over
tap_ok $? 'jobs'
scontrol create reservation reservationname=secretresv starttime=now+1day duration=60 users=root nodes=n1 flags=ignore_jobs >/dev/null
tap_ok $? 'a reservation'
scontrol create reservation reservationname=secretnow starttime=now duration=60 users=root nodes=secretnode flags=ignore_jobs >/dev/null
_reserved() { scontrol show node secretnode | grep -q ReservationName=secretnow; }
wait_for 20 _reserved
tap_ok $? 'a reservation that has begun'

marks=(secretjob secretcomment secretstep secretscript secretwait secretarray secretended secretacct secretuser secretresv secretnow
        secretpart secretnode)
# as-user COMMAND...: its words, all that it prints
other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@" 2>&1; }
mkdir -p bin/copies && cp -L "$SLUMBER_BUILD/tests/tools/askall" "$SLUMBER_BUILD/commands/slumber" bin/copies && chmod -R a+rX bin slurm.conf slumber.yaml
for name in squeue sinfo scontrol sacct sacctmgr sprio sshare sdiag sbatch srun salloc scancel; do ln -sf slumber "bin/copies/$name"; done
every_request() { # JOB; it frees nothing, which a sanitizer would tell
        other env ASAN_OPTIONS=detect_leaks=0 "$DIR/bin/copies/askall" "$SLUMBER_SOCKET" "$1" root "$plain" secretjob secretacct secretuser secretresv secretpart \
                secretnode -- "${marks[@]}"
}
leaks() { awk '!/:/ { print $1 }' "$1" | sort -u | paste -sd' '; }
kinds() { sed -n '/:/p' "$1"; }
private() { # VALUES: what is private from now on
        sed -i '/^PrivateData/d' "$SLURM_CONF" && echo "PrivateData=$1" >>"$SLURM_CONF" && scontrol reconfigure
}
shown='acct_query assoc_mgr_query config_file_query ended_query job_query node_query partition_query priority_query reservation_query share_query'

# ---- requests: rights to what an answer could tell ----
every_request "$job" >open
tap_is "$(leaks open)" "$shown" 'without PrivateData these requests tell of others'
for pair in events: jobs:ended_query,job_query,priority_query nodes:config_file_query,node_query partitions:config_file_query,partition_query \
        reservations:reservation_query usage:share_query accounts: users:; do
        value=${pair%%:*}
        private "$value"
        tap_is "$(scontrol show config | sed -n 's/^PrivateData *= //p')" "$value" "PrivateData=$value is shown"
        every_request "$job" >some
        [ -z "${pair#*:}" ] ||
                tap_is "$(comm -12 <(tr , '\n' <<<"${pair#*:}") <(leaks some | tr ' ' '\n') | paste -sd' ')" '' \
                        "... and hides what these tell: ${pair#*:}"
        [ "$value" != reservations ] || tap_is "$(grep -c secretnow some)" 0 '... and the reservation that has a node'
done
users_told() { grep -oE '^(acct|assoc_mgr|share)_query secretuser' "$1" | sort -u | wc -l; }
tap_is "$(users_told open) $(users_told some)" '3 0' '... users are hidden from the accounts'
private all
every_request "$job" >hidden
tap_is "$(leaks hidden)" '' 'with PrivateData=all no request tells of others'
every_request 999 >unknown
tap_is "$(diff <(kinds hidden) <(kinds unknown))" '' "... and a hidden job's id is answered as one that there never was"
every_request "$array" >hidden
tap_is "$(diff <(kinds hidden) <(kinds unknown))" '' "... so is a hidden array's"

# ---- commands ----
PATH=$DIR/bin/copies:$PATH
tells() { # NAME WANTED COMMAND...: as a plain user; nothing of what is hidden, and an exit code and a line that are WANTED
        local name=$1 wanted=$2 said
        said=$(other "${@:3}"; echo "exit $?")
        grep -q secret <<<"$said"
        tap_is "$?|$(grep -cE -- "$wanted" <<<"$said" | sed 's/[1-9][0-9]*/said/')" '1|said' "$name"
        echo "$said" >>"$DIR/said"
}
denied='Access/permission denied' unknown='Invalid job id specified'
while IFS='|' read -r wanted command; do
        read -ra words <<<"$command"
        tells "$command" "$wanted" "${words[@]}"
done <<END
^exit 0|squeue -h -t all
^exit 0|squeue --start
^exit 0|squeue --json
^exit 0|squeue --steps
$unknown|squeue -j $job
^exit 0|squeue -u root -t all
$unknown|scontrol show job $job
^Job ${array}_1 not found|scontrol show job ${array}_1
^Job 999_1 not found|scontrol show job 999_1
No jobs in the system|scontrol show job
$unknown|scontrol show step $job.batch
$unknown|scontrol write batch_script $job -
Problem running job|scontrol wait_job $job
$unknown|scontrol hold $job
$unknown|scontrol requeue $job
$unknown|scontrol top $waits
$unknown|scontrol notify $job hello
$unknown|scontrol update jobid=$job comment=x
$unknown|srun --jobid=$job true
$denied|sinfo
$denied|sinfo -N
$denied|sinfo -R
$denied|sinfo --json
$denied|scontrol show node
$denied|scontrol show node secretnode
$denied|scontrol show power n1
$denied|scontrol show partition
$denied|scontrol show partition secretpart
No reservations in the system|scontrol show reservation
^exit 0|sacct -a -X -n -S 2020-01-01
^exit 0|sacct -a -n -j $ended
^exit 0|sacctmgr -n show account
^exit 0|sacctmgr -n show user
$plain|sacctmgr -n show user withassoc
$plain|sacctmgr -n show assoc
$denied|sacctmgr -n show instance
$plain|sshare -a
^exit 0|sprio
^exit 0|sdiag
^exit 0|scontrol show assoc_mgr
^exit 0|scontrol show config
^exit 1|scontrol listpids
END
tap_is "$(other scontrol show reservation secretresv)" 'Reservation secretresv not found' 'scontrol show reservation NAME'
run other scancel "$job"
first="$rc|${out//$job/ID}"
run other scancel 999
tap_is "$first" "$rc|${out//999/ID}" 'scancel says of a hidden job what it says of one that there never was'
run other sacctmgr -iQ modify user secretuser set defaultaccount=lab
first="$rc|${out//secretuser/USER}"
run other sacctmgr -iQ modify user nosuchuser set defaultaccount=lab
tap_is "$first" "$rc|${out//nosuchuser/USER}" 'sacctmgr says the same of a hidden user and of one that does not exist'
tap_is "$(job_state "$job")" RUNNING 'the job is as it was'

# ---- coordinators, operators ----
sacctmgr -iQ add coordinator account=secretacct names="$plain"
tap_like "$(other squeue -h -o %j -t all | sort -u | paste -sd' ')" 'secretarray secretended secretjob secretwait' 'a coordinator sees the jobs of the account'
tap_like "$(other sacct -a -n -S 2020-01-01 -o jobname%20 | sort -u | xargs)" 'secretjob secretstep .*secretended' '... with sacct, too'
tap_like "$(other sshare -a)" 'secretuser' '... its usage'
tap_like "$(other sacctmgr -n show assoc format=user%20)" 'secretuser' '... its associations'
tap_like "$(other sinfo)" "$denied" '... but no nodes'
sacctmgr -iQ modify user "$plain" set adminlevel=operator
tap_like "$(other scontrol show reservation; other sinfo -Nho '%N' -p secretpart)" 'secretresv' 'an operator sees all'
sacctmgr -iQ modify user "$plain" set adminlevel=none
sacctmgr -iQ delete coordinator account=secretacct names="$plain"

# ---- what is the user's own ----
sed -i 's/ AllowGroups=root//' "$SLURM_CONF"
scontrol reconfigure
mine=$(cd /tmp && other sbatch --parsable -o /dev/null -d "afterok:$waits" -n1 -J mine --wrap true)
tap_like "$mine" '^[0-9]+$' 'a user depends upon a hidden job'
wait_for 20 eval '[ "$(job_show "$mine" %r)" = DependencyNeverSatisfied ]'
tap_is "$?|$(job_show "$mine" '%E')" "0|afterok:$waits(unknown)" '... whose success the user never learns, as of one that is forgotten'
any=$(cd /tmp && other sbatch --parsable -o /dev/null -d "afterany:$waits" -n1 --begin=now+1hour --wrap true)
wait_for 20 eval '[ "$(job_show "$any" %r)" = BeginTime ]'
tap_ok $? '... and for whose end nothing waits'
other scancel "$any"
tap_like "$(other squeue -h -o '%j %u' -t all -j "$mine")" "^mine $plain" 'a user sees the own jobs'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
