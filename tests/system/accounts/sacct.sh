#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacct as its users know it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
sacct() { command sacct -X "$@"; } # steps: accounts/sacct-steps
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
head='JobID           JobName  Partition    Account  AllocCPUS      State ExitCode 
------------ ---------- ---------- ---------- ---------- ---------- -------- '
run sacct
tap_is "$rc|$out|$err" "0|$head|" 'nothing has run: the headings'

# ---- one that waits, runs, is over ----
sbatch -J waits -n2 -t 5 --mem=100 --wrap 'until [ -e go ]; do sleep 0.05; done; exit 3' >/dev/null
tap_like "$(sacct -nPX -j 1 -o jobid,jobname,partition,state,end)" '^1\|waits\|main\|(PENDING|RUNNING)\|Unknown$' 'a job is there as soon as it has been submitted'
wait_job 20 1 RUNNING
tap_is "$(sacct -nP -j 1 -o State,AllocCPUS,NodeList,ExitCode,End,User,UID,ReqMem,Timelimit,TimelimitRaw,NNodes,ReqCPUS)" \
        "RUNNING|2|n1|0:0|Unknown|$(id -un)|$(id -u)|100M|00:05:00|5|1|2" 'it runs'
touch go
over() { [ "$(sacct -nP -j "$1" -o State)" = "$2" ]; }
wait_for 20 over 1 FAILED
tap_is "$(sacct)" "$head
1                 waits       main $(printf %10s "$(sacct -nP -j 1 -o Account)")          2     FAILED      3:0 " 'it is over'
tap_is "$(sacct -b -n)" '1                FAILED      3:0 ' '--brief'
tap_is "$(sacct -n -o jobname%3,state%-8,jobid%4)" 'wa+ FAILED      1 ' 'widths'
tap_is "$(sacct -P -o jobid,reason -j 1)|$(sacct -np -o jobid,exitcode -j 1)" 'JobID|Reason
1|NonZeroExitCode|1|3:0|' '-P and -p'
tap_is "$(SACCT_FORMAT=jobname,state sacct -nP)" 'waits|FAILED' 'SACCT_FORMAT'
tap_like "$(sacct -nP -j 1 -o Submit,Eligible,Start,End,Elapsed,ElapsedRaw,CPUTimeRAW)" '^(20[0-9T:-]{17}\|){4}00:0[0-9]:[0-9]{2}\|[0-9]+\|[0-9]*[02468]$' 'its times'
tap_like "$(SLURM_TIME_FORMAT=%s sacct -nP -j 1 -o Start)" '^[0-9]{10}$' 'SLURM_TIME_FORMAT'
ctld_stop && ctld_start -c
tap_is "$(sacct -nP -j 1 -o State,AllocTRES,WorkDir)" "FAILED|billing=2,cpu=2,mem=100M,node=1|$DIR" 'also when the controller has forgotten it'
wait_nodes 30 'n[1-2]' idle

# ---- arrays, cancelled ones, several runs ----
a=$(sbatch --parsable --array=1-5%2 -J arr -n1 --wrap '[ $SLURM_ARRAY_TASK_ID != 1 ] && sleep 600')
wait_job 20 "${a}_2" RUNNING && wait_job 20 "${a}_3" RUNNING && scancel "$a"
cancelled() { [ "$(sacct -nP -j "$a" -o State | grep -c "^CANCELLED by $(id -u)$")" = 3 ]; }
wait_for 20 cancelled
tap_is "$(sacct -nP -j "$a" -o JobID,AllocCPUS)" "${a}_[4-5]|0
${a}_1|1
${a}_2|1
${a}_3|1" 'tasks of an array'
[ "$a" = 1 ] && tap_is "$(sacct -nPD -j 1 -o JobName | sort | uniq -c | tr -s ' ' | paste -sd,)" ' 4 arr, 1 waits' 'and with --duplicates the job that had its number before'
tap_is "$(sacct -nP -j "${a}_[2-3],${a}_1" -o JobID | paste -sd' ')|$(sacct -nP -j "${a}_3" -o State)" "${a}_1 ${a}_2 ${a}_3|CANCELLED by $(id -u)" 'some of them'
tap_is "$(sacct -nP -j "${a}_[1-5:2]" -o JobID | paste -sd' ')|$(sacct -nP -j "${a}_[0-2:2]" -o JobID)" "${a}_[4-5] ${a}_1 ${a}_3|${a}_2" 'every second of them'
run sacct -nP -j "${a}_[1:2]"
tap_like "$rc $err" "^1 .*${a}_\\[1:2\\]" 'a step without a range is refused'
tap_is "$(sacct -n -j "${a}_2" -o State)" 'CANCELLED+ ' 'the uid does not fit'
again=$(sbatch --parsable -J again --wrap '[ -e again ] || { touch looked; exec sleep 600; }')
wait_for 20 test -e looked && touch again && scontrol requeue "$again" && wait_job 20 "$again" COMPLETED && wait_for 20 over "$again" COMPLETED
tap_is "$(sacct -nP -j "$again" -o State,Restarts)" 'COMPLETED|1' 'the last of several runs'
both() { [ "$(sacct -nPD -j "$again" -o State,Restarts | paste -sd' ')" = 'REQUEUED|0 COMPLETED|1' ]; }
wait_for 20 both
tap_ok $? "all of them with --duplicates: $(sacct -nPD -j "$again" -o State,Restarts | paste -sd' ')"
held=$(sbatch --parsable -H -J held --wrap true)
tap_is "$(sacct -nPX -o JobName -s PD | grep -c held) $(sacct -nPX -j "$held" -o State,Start,Eligible)" '0 PENDING|Unknown|Unknown' 'one that may not start is shown when it is named'

# ---- choice ----
names() { sacct -nPX -o JobName "$@" | sort -u | paste -sd' '; }
tap_is "$(names)|$(names -S now+1hour -E now+2hours)|$(names -S now-2hours -E now-1hour)" 'again arr waits||' 'of today, of other times'
tap_is "$(names -s F -S now-1hour -E now)|$(names -s CA,CD -S now-1hour -E now)|$(names -s F)" 'arr waits|again arr|' 'by state'
tap_is "$(names --name again,waits)|$(names -r main,other)|$(names -r other)|$(names -A x)|$(names -q normal)" 'again waits|again arr waits|||again arr waits' \
        'by name, partition, account, QOS'
tap_is "$(names -u "$(id -un)")|$(names -u 4242)|$(names -N n9)|$(names -N 'n[1-2]')" 'again arr waits|||again arr waits' 'by user and node'
run sacct -nP -j 999
tap_is "$rc|$out|$err" '0||' 'a job that is not there'

# ---- what is not there ----
refused() { # PATTERN WORDS...
        run sacct "${@:2}"
        tap_like "$rc|$out|$err" "^1\\|\\|sacct: error: $1" "refused: ${*:2}"
}
refused 'Unknown field "color"' -o color
refused 'Invalid job id: x' -j x
refused 'Invalid job state specified: WRONG' -s WRONG
refused '"never" is not a point in time' -S never
refused 'Start time .* is after end time' -S now -E now-1hour
run sacct --helpformat
tap_like "$rc $(head -n 1 <<<"$out")" '^0 Account +AdminComment +AllocCPUS +AllocNodes' '--helpformat'
tap_is "$(sacct -nXP -o ALL | wc -l) $(sacct -XP --format=all | head -1 | tr '|' '\n' | xargs)" "$(sacct -nXP -o jobid | wc -l) $(xargs <<<"$out")" \
        '--format=all is all of them'
tap_is "$(sacct -XP -o jobid,all | head -1 | cut -d'|' -f1-3)" 'JobID|Account|AdminComment' '... behind others, too'
for word in --help --usage --version; do
        run sacct $word
        [ "$rc" = 0 ] && [ -n "$out" ]
        tap_ok $? "$word"
done
if [ "$(id -u)" = 0 ]; then
        tap_is "$(stranger "$SLUMBER_BUILD/commands/sacct" -nPX -o JobName; stranger "$SLUMBER_BUILD/commands/sacct" -nPXa -o JobName | sort -u | paste -sd' ')" \
                'again arr waits' "another user sees the own jobs, and with -a all"
fi
ctld_stop
echo AccountingStorageType=accounting_storage/none >>slurm.conf
ctld_start
run sacct
tap_is "$rc|$out|$err" '1||sacct: error: Slurm accounting storage is disabled' 'without accounts'
cluster_end
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
