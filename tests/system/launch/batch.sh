#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Batch jobs from sbatch to the end: output, exit codes, states, limits, signals, holding, requeueing, several nodes.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-3]' 'KillWait=1' 'JobRequeue=1'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && agent_start n2 && agent_start n3 && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'a controller and three nodes' || { cluster_logs; tap_done; }

submit() { run sbatch --parsable "$@" && id=$out; }
ended() { wait_job 20 "$id" 'COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY'; }
pause='while :; do sleep 0.05; done' # a shell that sees its signals soon

# ---- the ordinary life ----
printf '#!/bin/bash\n#SBATCH -J named\n#SBATCH --comment="two words"\necho "$@ on $SLURMD_NODENAME"; echo oops >&2; pwd\n' >script
run sbatch script one two
tap_is "$rc|$out|$err" '0|Submitted batch job 1|' 'sbatch says the number'
id=1 && ended
tap_is "$(job_state 1)|$(cat slurm-1.out)" "COMPLETED|one two on n1
oops
$DIR" 'its output is in slurm-1.out, both streams, in the folder of the submission'
tap_is "$(job_show 1 '%j|%T|%P|%D|%N')" 'named|COMPLETED|main|1|n1' 'squeue shows the finished job with #SBATCH options'
run squeue
tap_is "$out" '             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)' 'the queue is empty'
run sinfo
tap_is "$out" 'PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
main*        up   infinite      3   idle n[1-3]' 'sinfo shows three idle nodes'

submit --wrap 'exit 3' && ended
tap_is "$(job_state "$id") $(job_show "$id" %r)" 'FAILED NonZeroExitCode' 'an exit code makes a job FAILED'
run scontrol show job "$id"
tap_like "$out" 'JobState=FAILED Reason=NonZeroExitCode' 'scontrol says so'
tap_like "$out" ' ExitCode=3:0' 'and has the code'
submit --wrap 'kill -SEGV $$' && ended
run scontrol -o show job "$id"
tap_like "$out" 'JobState=FAILED Reason=RaisedSignal.* ExitCode=0:11' 'a signal makes it FAILED, too'
submit --wrap 'exit 0' && ended
tap_is "$out|$(job_state "$id")" "$id|COMPLETED" '--parsable prints the number alone'

# ---- environment, patterns, input ----
FROM_ME='a value with "quotes" and $dollars' submit -J env --wrap 'echo "$FROM_ME"; echo $SLURM_JOB_ID $SLURM_JOB_NAME $SLURM_JOB_NODELIST $SLURM_NTASKS $SLURM_SUBMIT_DIR' -n2 && ended
tap_is "$(cat "slurm-$id.out")" "a value with \"quotes\" and \$dollars
$id env n1 2 $DIR" 'the environment of the submission and SLURM_ variables'
submit --export=NONE --wrap 'echo "${HOME_OF_X-unset}"' && ended
tap_is "$(cat "slurm-$id.out")" unset '--export=NONE takes nothing along'
submit -J pat -o '%x-%j-%N.out' -e '%x-%%-%4j.err' --wrap 'echo out; echo err >&2' && ended
tap_is "$(cat "pat-$id-n1.out" "pat-%-$(printf %04d "$id").err")" $'out\nerr' 'patterns in names of output files'
echo 'from a file' >input && submit -i input -o same --wrap cat && ended
submit -o same --open-mode=append --wrap 'echo more' && ended
tap_is "$(cat same)" $'from a file\nmore' 'standard input from a file, appended output'
submit -D / -o "$DIR/dir.out" --wrap pwd && ended
tap_is "$(cat dir.out)" / '-D'
mkdir -p sub && submit -D sub --wrap pwd && ended
tap_is "$(cat sub/slurm-*.out)" "$PWD/sub" 'which is looked for from here, and its files there'
submit -o /no/such/folder/x --wrap true && ended
tap_like "$(job_state "$id")" '^FAILED$' 'an output file that cannot be made fails the job'

# ---- ends ----
submit --wrap "$pause" && wait_job 10 "$id" RUNNING && scancel "$id" && ended
tap_is "$(job_state "$id")" CANCELLED 'a running job is cancelled'
tap_like "$(cat "slurm-$id.out")" "^slurmstepd: error: \*\*\* JOB $id ON n1 CANCELLED AT ....-..-..T..:..:.. \*\*\*\$" 'its output says when'
submit --wrap "trap 'echo term' TERM; touch ready.\$SLURM_JOB_ID; $pause" && wait_for 10 test -e "ready.$id"
start=${EPOCHREALTIME/./} && scancel "$id" && ended
took=$(((${EPOCHREALTIME/./} - start) / 1000))
[ "$(job_state "$id")" = CANCELLED ] && grep -q '^term$' "slurm-$id.out" && [ $took -ge 5000 ]
tap_ok $? "what ignores SIGTERM is killed after KillWait, 5 s at least ($took ms)"
submit --wrap "trap 'echo usr1; exit 5' USR1; touch ready.\$SLURM_JOB_ID; $pause" && wait_for 10 test -e "ready.$id"
scancel -b -s USR1 "$id" && ended
tap_is "$(job_state "$id") $(cat "slurm-$id.out")" 'FAILED usr1' 'scancel -b -s USR1 reaches the script'

# the shortest limit is a minute: the stored one is shortened by scontrol (root), else this part is left out
submit -t 1 --wrap "$pause" && wait_job 10 "$id" RUNNING
limited=$id

# ---- waiting ----
submit -H --wrap true
wait_for 20 eval "[ \"\$(job_show $id '%T %r')\" = 'PENDING JobHeldUser' ]"
tap_is "$(job_show "$id" '%T %r %Q')" 'PENDING JobHeldUser 0' 'sbatch -H holds'
scontrol release "$id" && ended
tap_is "$(job_state "$id")" COMPLETED 'scontrol release lets it run'
submit -w n2 --exclusive --wrap "$pause" && first=$id && wait_job 10 "$first" RUNNING
submit -w n2 --wrap true && wait_for 20 eval "[ \"\$(job_show $id %r)\" = Resources ]"
tap_is "$(job_show "$id" '%T %R')" 'PENDING (Resources)' 'a job waits for a node that is taken'
scontrol hold "$id"
tap_is "$(job_show "$id" '%T %r')" "PENDING JobHeldAdmin" 'scontrol hold'
scontrol update jobid="$id" comment=x name=y
tap_is "$(grep -oE "JobId=$id is (held|updated) by .*" log/ctld)" "JobId=$id is held by UID=$(id -u)
JobId=$id is updated by UID=$(id -u): comment, name" 'the log says which user did so, and what was changed'
scancel "$id" && ended
tap_is "$(job_state "$id")" CANCELLED 'a pending job is cancelled'
scancel "$first" && id=$first && ended
submit --begin=now+1hour --wrap true
wait_for 20 eval "[ \"\$(job_show $id %r)\" = BeginTime ]"
tap_is "$(job_show "$id" '%T %r')" 'PENDING BeginTime' '--begin waits'
scancel "$id"
submit --begin=now+2 --wrap true && ended
moment() { date -d "$(scontrol -o show job "$id" | grep -o " $1=[^ ]*" | cut -d= -f2)" +%s; }
tap_ok "$(($(moment StartTime) - $(moment SubmitTime) < 2))" "until then: $(job_state "$id") after $(($(moment StartTime) - $(moment SubmitTime))) s"
tap_is "$(job_state "$id")" COMPLETED 'and runs'

submit --wrap 'echo run >>runs; [ "$(wc -l <runs)" = 2 ] || while :; do sleep 0.05; done; echo $SLURM_RESTART_COUNT' && wait_for 10 test -s runs
scontrol requeue "$id" && ended
tap_is "$(job_state "$id") $(wc -l <runs) $(tail -1 "slurm-$id.out")" 'COMPLETED 2 1' 'scontrol requeue runs it again'
id=$(sbatch --parsable -o ends.out --wrap "trap '' TERM; echo here; while sleep 0.1; do :; done")
wait_for 20 grep -q here ends.out && scontrol requeue "$id"
tap_like "$(squeue -h -j "$id" -o '%t %R')" '^CG n[0-9]+$' 'a requeued job that has not ended yet is shown with its nodes'
scancel "$id"

# ---- users that the controller knows ----
me=$(id -un)
submit -H --wrap true && sleeper=$id
run squeue -h -t PD -o %i -u "$me"
tap_is "$rc|$out|$err" "0|$sleeper|" 'squeue -u NAME'
tap_is "$(squeue -h -t PD -o %i -u "$(id -u)")|$(squeue -h -t PD -o %i --me)" "$sleeper|$sleeper" 'squeue -u UID, and --me'
run squeue -h -t PD -o %i -u "nosuch,$me"
tap_is "$rc|$out|$err" "0|$sleeper|squeue: error: Invalid user: nosuch" 'squeue -u with an unknown user'
run scancel -t PENDING -u nosuch
tap_is "$rc|$out|$err" '1||scancel: error: Invalid user name: nosuch' 'scancel -u with an unknown user'
run scancel -t PENDING -u 4242
tap_is "$rc|$(job_state "$sleeper")" '0|PENDING' 'scancel -u UID leaves the jobs of others'
run scancel -t PENDING -u "$(id -u)"
id=$sleeper && ended
tap_is "$rc|$(job_state "$sleeper")" '0|CANCELLED' 'and ends its own'
submit -H --wrap true && scancel -t PENDING --me && ended
tap_is "$(job_state "$id")" CANCELLED 'scancel --me'
submit -H --wrap true && scancel -t PENDING -u "$me" && ended
tap_is "$(job_state "$id")" CANCELLED 'scancel -u NAME'

# ---- several nodes ----
submit -N3 -n6 --ntasks-per-node=2 --wrap 'echo $SLURM_JOB_NUM_NODES $SLURM_JOB_NODELIST $SLURM_TASKS_PER_NODE $SLURM_NODEID; touch ready.$SLURM_JOB_ID; '"$pause"
wait_for 10 test -e "ready.$id"
tap_is "$(cat "slurm-$id.out")|$(job_show "$id" '%D %N %C')" "3 n[1-3] 2(x3) 0|3 n[1-3] 6" 'a job of three nodes runs its script on the first'
tap_is "$(sinfo -h -o '%D %t')" '3 mix' 'and has all three'
scancel "$id" && ended
wait_nodes 10 'n[2-3]' idle
tap_ok $? 'they are free afterwards'
out=$(for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do sbatch -Q --parsable -c4 -o /dev/null --wrap 'echo x >>twelve' & done; wait)
wait_for 40 eval '[ "$(wc -l <twelve)" = 12 ] && [ "$(squeue -h -t PD | wc -l)" = 0 ]'
tap_is "$(sort -u <<<"$out" | wc -l) $(wc -l <twelve)" '12 12' 'twelve sbatch at once: twelve numbers, twelve runs'

# ---- another user ----
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$DIR" && mkdir -m 777 user
        out=$(cd user && setpriv --reuid=65534 --regid=65534 --clear-groups sbatch --parsable --wrap 'id -u; id -g; id -G; umask')
        id=$out && ended
        tap_is "$(stat -c %u:%g "user/slurm-$id.out") $(tr '\n' ' ' <"user/slurm-$id.out")" '65534:65534 65534 65534 65534 0022 ' \
                "a user's job runs as the user, and its output is the user's file"
        tap_is "$(job_show "$id" '%T %U')" 'COMPLETED 65534' 'and squeue shows its user'
else
        echo "ok $((++TAP_COUNT)) - another user's job # SKIP only root can be another user"
fi

tap_is "$(($(date -d "$(job_show "$limited" %e)" +%s) - $(date -d "$(job_show "$limited" %S)" +%s))) $(job_show "$limited" %l)" '60 1:00' \
        'a time limit of a minute'
scontrol update jobid="$limited" EndTime=now+1second # the rest of it need not be waited for
wait_job 90 "$limited" TIMEOUT
tap_is "$(job_state "$limited")" TIMEOUT 'the time limit ends a job'
tap_like "$(cat "slurm-$limited.out")" "^slurmstepd: error: \*\*\* JOB $limited ON n1 CANCELLED AT ....-..-..T..:..:.. DUE TO TIME LIMIT \*\*\*\$" 'and its output says so'

cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
