#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Heterogeneous jobs with real daemons: asking for them, their ids wherever an id may stand, what may be done to the whole
# and what to one component, their environment, and their rows in the accounts.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
mkdir -m 1777 box
printf '#!/bin/sh\necho "$SLURM_JOB_ID $SLURM_JOB_MAIL_TYPE $3" >>%s/box/mails\n' "$DIR" >mailprog
chmod 755 mailprog
cluster_conf 'n[1-4]' KillWait=1 Licenses=a:4 MailProg="$DIR/mailprog"
cluster_up "four nodes are up" n1 n2 n3 n4

# a job of three components; its script runs until a file says with which exit code it is to end
cat >script <<'END_OF_JOB'
#!/bin/bash
env | grep ^SLURM >env.$SLURM_JOB_ID.tmp && mv env.$SLURM_JOB_ID.tmp env.$SLURM_JOB_ID
until [ -e enough.$SLURM_JOB_ID ]; do sleep 0.02; done
exit "$(cat enough.$SLURM_JOB_ID)"
END_OF_JOB
enough() { echo "$2" >enough.tmp && mv enough.tmp "enough.$1"; }
start() { id=$(sbatch --parsable "$@") && wait_for 20 test -e "env.$id"; }
states() { squeue -h -t all -j "$1" -S i -o "${2:-%i %T}"; }
states_are() { [ "$(states "$1")" = "$2" ]; }

# ---- the script's lines and the command line ----
cat >lines <<'END_OF_JOB'
#!/bin/bash
#SBATCH -N1 -J first -t 10
#SBATCH hetjob
#SBATCH -N2 -J second
#SBATCH packjob
#SBATCH -c2
exit 0
END_OF_JOB
run sbatch --parsable -H lines
tap_is "$rc $out" "0 1" "#SBATCH hetjob: the first one's number is said"
tap_like "$err" 'Warning: the "packjob" component separator is being deprecated' "packjob is one with a warning"
tap_is "$(states 1 '%i %A %j %D %C %l')" '1+0 1 first 1 1 10:00
1+1 2 second 2 2 10:00
1+2 3 second 1 2 10:00' "a later component has the name and the time, not the nodes"
run sbatch --parsable -H -J x -N1 : -J y -N3 --time 5 lines
tap_is "$(states 4 '%i %j %D %l')" '4+0 x 1 10:00
4+1 y 3 5:00
4+2 y 3 5:00' "the command line wins; its last part is for all that follow in the script"
SBATCH_TIMELIMIT=3 run sbatch --parsable -H -t 5 -N1 : -N1 --wrap true
tap_is "$(states 7 '%i %l %j')" '7+0 5:00 wrap
7+1 3:00 wrap' "the environment is for each, before what the first one says"
blocks() { sed -n "s/^$1: \([a-z-]*\) *: \(.*\)/\1=\2/p; s/^$1: end of defined options/;/p" <<<"$err" | tr '\n' ' '; }
run sbatch -v -H -N1 -J v lines
tap_is "$(blocks sbatch)" 'hold=set job-name=v nodes=1 time=00:10:00 verbose=1 ; hold=set job-name=v nodes=1 time=00:10:00 verbose=1 ; '\
'cpus-per-task=2 hold=set job-name=v nodes=1 time=00:10:00 verbose=1 ; ' "-v says of each component what is said of it"
scancel -n v
run salloc -v -N1 : -N2 -J second true
tap_is "$rc $(blocks salloc)" '0 nodes=1 verbose=1 ; job-name=second nodes=2 verbose=1 ; ' '... salloc, too'
run srun -v -N1 -J x : -c2 true
tap_is "$rc $(blocks srun)" '0 job-name=x nodes=1 verbose=1 ; cpus-per-task=2 job-name=x verbose=1 ; ' '... and srun'
run scancel 1 4 7
tap_is "$rc$out$err" 0 "all are cancelled by the first one's number"
sed 's/hetjob/& -n2 # x/' lines >behind
run sbatch --test-only behind
tap_is "$rc $(grep -c . <<<"$err") $(grep ignored <<<"$err")" '0 3 sbatch: Warning: behind: line 3: the rest of the line is ignored behind "hetjob"' \
        "what stands behind hetjob is ignored, with a warning"
sed 's/hetjob/"&"/' lines >quoted
run sbatch quoted
tap_is "$rc $(tail -1 <<<"$err")" '255 sbatch: error: Invalid directive found in batch script: hetjob' "a word in quotes is none"

run sbatch -N1 : -N1 -L a:1 --wrap true
tap_is "$rc $err" "1 sbatch: error: 1: license request allowed only on leader job
sbatch: error: Batch job submission failed: Invalid license specification" "a license is of the first one alone"
run sbatch --parsable -H -N1 : -N1 --wrap true
id=$out
licenses() { scontrol show job "$id" | grep -o ' Licenses=[^ ]*\|TimeLimit=[^ ]*' | paste -sd' '; }
run scontrol update jobid="$id" licenses=a:1 timelimit=3
tap_is "$rc$err $(licenses)" '0 TimeLimit=00:03:00  Licenses=a:1 TimeLimit=00:03:00  Licenses=(null)' "... also of an update of the whole"
run scontrol update jobid="$id" licenses=b:1 timelimit=4
tap_is "$rc $err $(licenses)" "1 scontrol: error: there is no license b
Invalid license specification for job $id TimeLimit=00:03:00  Licenses=a:1 TimeLimit=00:03:00  Licenses=(null)" "what it may not have changes none"
run scontrol update jobid="$id+1" licenses=a:1
tap_is "$rc $err" "1 scontrol: error: 1: license request allowed only on leader job
Invalid license specification for job $id+1" "nor may a later one have it"
scancel "$id"
id=$(sbatch --parsable -H -N1 -n1 --comment old : -N1 -n2 --wrap true)
has() { scontrol show job "$id" | grep -o ' Comment=[^ ]*\|NumTasks=[^ ]*\|TimeLimit=[^ ]*' | paste -sd' '; }
before=$(has)
run scontrol update jobid="$id" comment=new timelimit=7 numcpus=1
tap_is "$rc $err|$(has)" "1 component 1: NumCPUs=1: its tasks take 2, change NumTasks or CPUsPerTask for job $id|$before" "an update of the whole that one component refuses changes none"
run scontrol update jobid="$id" comment=new qos=none
tap_is "$rc $err|$(has)" "1 Invalid qos specification for job $id|$before" "one that all refuse names none of them"
run scontrol update jobid="$id" comment=new timelimit=7
tap_is "$rc$err$(has | grep -o 'Comment=new\|TimeLimit=00:07:00' | paste -sd' ')" \
        "0TimeLimit=00:07:00 Comment=new TimeLimit=00:07:00 Comment=new" "what all may have comes into force for all"
scancel "$id"
ahead=$(sbatch --parsable --begin=now+1hour --nice=100 --wrap true)
id=$(sbatch --parsable --begin=now+1hour -N1 --nice=300 : -N1 --nice=310 --wrap true)
nices() { scontrol show job "$1" | grep -o ' Nice=[^ ]*' | paste -sd' '; }
run scontrol top "$id+1"
tap_is "$rc $err$(nices "$id")" "1 Invalid job id specified for job $id+1 Nice=300  Nice=310" "scontrol top refuses a component"
run scontrol top "$((id + 1))"
tap_is "$rc $err$(nices "$id")" "1 Operation not permitted on individual component of heterogeneous job for job $((id + 1)) Nice=300  Nice=310" \
        "... by its own id, too"
run scontrol top "$id"
tap_is "$rc$err$(nices "$id")$(nices "$ahead")" "0 Nice=99  Nice=109 Nice=301" "... of the whole all keep their distance"
scancel "$id" "$ahead"
run sbatch -N1 : -N1 -a 1-2 --wrap true
tap_like "$rc $err" "1 .*Invalid job array specification" "no arrays"
run sbatch -N1 : -p nope --wrap true
tap_like "$rc $err" "Invalid partition name specified" "one that is refused refuses all"
for command in 'sbatch --wrap true' 'salloc true'; do
        # shellcheck disable=SC2086
        set -- $command
        run "$1" -N1 : -N1 --uid nobody "${@:2}"
        tap_is "$rc $err" "1 $1: error: component 1: --uid differs from that of component 0, and a job is of one user" \
                "$1: one user for all"
done
tap_is "$(squeue -h)" "" "and nothing is left"
run sbatch --test-only -N1 : -N2 -n3 --wrap true
tap_like "$rc $err" '^0 sbatch: Job [0-9]+ to start at [-0-9T:]+ using 4 processors on n\[1-3\]$' "--test-only: of all of them"
run sbatch --test-only -N3 : -N2 --wrap true
tap_is "$rc $err" '1 allocation failure: Requested node configuration is not available' "... on nodes of their own"
tap_is "$(squeue -h)" "" "nothing of it is there"
run salloc -I -N4 --exclusive : -N1 true
tap_like "$rc $err" "1 salloc: error: Unable to allocate resources: .*" "-I: all start at once or none"
tap_is "$(squeue -h)" "" "and nothing is left"

# ---- its environment, and what shows it ----
start -N1 -J a : -N2 --mem=100 script
a=$id b=$((id + 1))
tap_is "$(grep -cxE "SLURM_HET_SIZE=2|SLURM_JOB_ID=$a|SLURM_JOB_ID_HET_GROUP_[01]=($a|$b)|SLURM_JOB_NODELIST_HET_GROUP_1=n\[2-3\]|SLURM_JOB_NODELIST=n1|SLURM_MEM_PER_NODE_HET_GROUP_1=100|SLURM_JOB_NUM_NODES_PACK_GROUP_1=2" "env.$a")" 8 \
        "the script has the variables of all components"
tap_is "$(states "$a" '%i %N')" "$a+0 n1
$a+1 n[2-3]" "both run, on nodes of their own"
run scontrol show job "$a+1"
tap_like "$out" "^JobId=$b HetJobId=$a HetJobOffset=1 JobName=a
   HetJobIdSet=$a-$b
" "scontrol shows one"
tap_is "$(scontrol show job "$a" | grep -c ^JobId)" 2 "or all"
tap_is "$(squeue -h -j "$b" -o %i) $(squeue -h -j "$a+1" -o %A)" "$a+1 $b" "squeue finds it by either number"
tap_is "$(squeue -h -j "$a+1" -O "HetJobID:5,HetJobOffset:5,HetJobIDSet:8" | tr -s ' ')" "$a 1 $a-$b " "squeue -O"
run squeue -h --start -j "$a"
tap_is "$rc$out$err" 0 "a job in another state than was asked for is no unknown one"
run scontrol show job "$a+7"
tap_is "$rc $err$out" "1 Job $a+7 not found" "there are no more"
run srun --jobid="$a" -N1 printenv SLURM_JOB_ID SLURMD_NODENAME
tap_is "$out" "$a
n1" "a step is on the first component"
run srun --jobid="$a+1" -N1 -n1 printenv SLURM_JOB_ID SLURMD_NODENAME SLURM_JOB_ID_HET_GROUP_1
tap_is "$out" "$a
n2
$b" "by id+offset on another one, with the first one's number in its environment"

# ---- what may be done to one ----
refused="Operation not permitted on individual component of heterogeneous job"
run scontrol suspend "$a+1"
tap_is "$rc $err$out" "1 $refused for job $a+1" "one component is not suspended"
run scontrol requeue "$a+0"
tap_is "$rc $err$out" "1 $refused for job $a+0" "nor sent back"
run scontrol requeue "$b"
tap_is "$rc $err$out" "1 Job not heterogeneous job leader for job $b" "by its own number neither"
scontrol suspend "$a" && wait_for 10 states_are "$a" "$a+0 SUSPENDED
$a+1 SUSPENDED"
tap_ok $? "all are suspended"
scontrol resume "$a" && wait_for 10 states_are "$a" "$a+0 RUNNING
$a+1 RUNNING"
tap_ok $? "and go on"
scontrol update "jobid=$a+1" comment=one && scontrol update "jobid=$a" timelimit=77
tap_is "$(states "$a" '%i %l %k')" "$a+0 1:17:00 (null)
$a+1 1:17:00 one" "an update is for one or for all"
scancel "$a+1" && wait_for 10 states_are "$a" "$a+0 RUNNING
$a+1 CANCELLED"
tap_ok $? "one is cancelled while the others run"
rm "env.$a"
scontrol requeue "$a" && wait_for 20 test -e "env.$a"
tap_ok $? "all are sent back, also the one that had ended"
tap_is "$(states "$a")" "$a+0 RUNNING
$a+1 RUNNING" "both start again"
enough "$a" 3
wait_for 10 states_are "$a" "$a+0 FAILED
$a+1 FAILED"
tap_ok $? "the script's end is the end of all"

# ---- steps ----
cat >steps <<'END_OF_JOB'
#!/bin/bash
srun printenv SLURM_JOB_ID SLURMD_NODENAME
srun --het-group=1 sh -c 'echo $SLURM_PROCID: $SLURM_JOB_ID $SLURM_JOB_NODELIST $SLURM_NNODES' | sort
srun --jobid=$SLURM_JOB_ID+1 sh -c 'echo $SLURM_PROCID: $SLURM_JOB_ID' | sort
srun --het-group=2 hostname
srun --het-group=0,1 printenv SLURMD_NODENAME | sort
srun -n1 : -N1 -n1 printenv SLURMD_NODENAME | sort
sbcast -fv steps "$PWD/copy" 2>&1 | grep ": n[^ ]*: " | sort
sbcast -fv -j $SLURM_JOB_ID+1 steps "$PWD/copy" 2>&1 | grep ": n[^ ]*: "
cp /bin/true own
srun --bcast="$PWD/own.copy" own && echo copied
END_OF_JOB
i=$(sbatch --parsable -o steps.out --wait -w n1 : -w 'n[3-4]' steps)
tap_is "$(cat steps.out)" "$i
n1
0: $i n[3-4] 2
1: $i n[3-4] 2
0: $i
1: $i
srun: error: Requested het-group offset exceeds highest hetjob index (2 > 1)
n1
n3
n4
n1
n3
sbcast: n1: $PWD/copy
sbcast: n[3-4]: $PWD/copy
sbcast: n[3-4]: $PWD/copy
copied" "srun is on the first component or on the one that is named, sbcast copies to all"
sbatch -o place.out --wait -n2 --mem-bind=local : -N2 --ntasks-per-node=2 -m cyclic --cpu-bind=none --wrap \
        'env | grep -oE "^SLURM_(DISTRIBUTION|CPU_BIND|MEM_BIND)(_HET.*)?=" | sort; srun --het-group=1 sh -c "echo \$SLURM_PROCID \$SLURMD_NODENAME" | sort' >sbatch.out
tap_is "$(cat place.out)" 'SLURM_CPU_BIND_HET_GROUP_1=
SLURM_DISTRIBUTION_HET_GROUP_1=
SLURM_MEM_BIND_HET_GROUP_0=
0 n2
1 n3
2 n2
3 n3' "each component's tasks are laid out and bound as its options say"
run srun --het-group=0 true
tap_is "$rc $err" "1 srun: error: --het-group is for steps in a heterogeneous job, and there is none" "not outside of one"
run scontrol show job "$i+1" --json
number='{"set":true,"infinite":false,"number"'
tap_is "$(tr -d ' \n' <<<"$out" | grep -oF "\"het_job_id\":$number:$i},\"het_job_offset\":$number:1},\"het_job_size\":$number:2}" | wc -l)" 1 "as JSON, too"

run scontrol write batch_script "$i+0" -
tap_is "$out" "$(cat steps)" "the script is the first component's"
run scontrol write batch_script "$i+1" -
tap_is "$rc $out$err" "1 job script retrieval failed: Job script not specified" "another one has none"
cat >job_submit.lua <<'END_OF_RULE'
function slurm_job_submit(job, parts, uid)
        slurm.log_user("asked: %s", job.name)
        if job.name == "bad" then return slurm.ERROR end
        job.comment = job.name .. " was seen"
        return slurm.SUCCESS
end
function slurm_job_modify(job, rec, parts, uid) return slurm.SUCCESS end
END_OF_RULE
sed -i "\$aJobSubmitPlugins=lua" slurm.conf && scontrol reconfigure
run sbatch --parsable -H -N1 -J a : -N1 -J b --wrap true
tap_is "$err" "sbatch: asked: a
sbatch: asked: b" "job_submit.lua is asked about each"
tap_is "$(states "$out" '%j %k')" "a a was seen
b b was seen" "and may change each"
run sbatch -H -N1 -J a : -N1 -J bad --wrap true
tap_is "$rc $(squeue -h -n a -o %j | wc -l)" "1 1" "one that it refuses refuses all"
scancel -n a
sed -i /JobSubmitPlugins/d slurm.conf && scontrol reconfigure

# ---- while it waits ----
run sbatch --parsable --begin=now+1hour -N1 : -N1 --wrap true
c=$out d=$((out + 1))
for name in "$c+1" "$d"; do
        run scancel "$name"
        tap_is "$rc $err" "1 scancel: error: Kill job error on job id $name: $refused" "scancel $name: not one of those that wait"
done
run scancel --name=wrap --state=RUNNING
scontrol hold "$c+1"
tap_is "$(states "$c" '%i %r')" "$c+0 JobHeldAdmin
$c+1 JobHeldAdmin" "one that is held holds all"
scontrol release "$c"
tap_is "$(states "$c" '%r' | sort -u)" "BeginTime" "released"
sed -i "\$aSchedulerParameters=whole_hetjob" slurm.conf && scontrol reconfigure
scancel "$d" && states_are "$c" "$c+0 CANCELLED
$c+1 CANCELLED"
tap_ok $? "whole_hetjob: any number is of all"

# ---- dependencies ----
start -N1 : -N1 script
e=$id
run sbatch --parsable -d "afterok:$e+1" --wrap true
f=$out
run sbatch --parsable -d "afterany:$e" --wrap true
g=$out
tap_is "$(squeue -h -j "$f,$g" -S i -o %E)" "afterok:$e+1(unfulfilled)
afterany:$e(unfulfilled)" "a job waits for one component, or for all"
enough "$e" 0
wait_job 20 "$f" COMPLETED && wait_job 20 "$g" COMPLETED
tap_ok $? "and goes on after them"
run sbatch --parsable -d "afterok:$e+999" --wrap true
tap_like "$rc $err" "999.* is not a component" "not for one that there cannot be"

# ---- salloc ----
run salloc -N1 : -N1 -J x sh -c 'env | grep -c "^SLURM_JOB_NODELIST="; squeue -h -j $SLURM_JOB_ID -S i -o "%i %T"; echo $SLURM_JOB_ID $SLURM_HET_SIZE $SLURM_JOB_NODELIST_HET_GROUP_1'
h=$(sed -n 's/^\([0-9]*\) 2 n2$/\1/p' <<<"$out")
tap_is "$rc $out" "0 0
$h+0 RUNNING
$h+1 RUNNING
$h 2 n2" "salloc: a command in both, without variables that would be one's alone"
tap_is "$(grep -cE "^salloc: job $h (queued and waiting for resources|has been allocated resources)\$" <<<"$err")" 2 '... that prints the lines which programs wait for'
wait_for 10 states_are "$h" "$h+0 COMPLETED
$h+1 COMPLETED"
tap_ok $? "both end with it"
tap_is "$(states "$h" '%i %j')" "$h+0 interactive
$h+1 x" "each has its name"

SLURM_TIMELIMIT=3 run srun -t 5 sh -c 'squeue -h -S i -j $SLURM_JOB_ID -o %l' : -n1 true
tap_is "$rc $out" "0 5:00
3:00" "srun: the environment is for each, before what the first one says"

# ---- mail ----
mails() { grep -E "^($1) " box/mails | sort; }
mailed() { mails "$1" | grep -q " $2 "; }
start -N1 --mail-type=ALL --mail-user=one@example.org : -N1 --mail-type=ALL --mail-user=two@example.org script
m=$id
tap_like "$(scontrol show job "$m+0")" 'MailUser=one@example.org MailType=.*END' "mail is for the first component"
tap_is "$(scontrol show job "$m+1" | grep -c MailType)" 0 "and for no other one, though it asks for some"
run scontrol update jobid="$m" mailtype=BEGIN,END
tap_is "$rc $(scontrol show job "$m" | grep -o 'MailType=.*')" "0 MailType=BEGIN,END" "nor where all are changed"
scontrol requeue "$m" && wait_for 20 states_are "$m" "$m+0 RUNNING
$m+1 RUNNING"
tap_ok $? "they run once more"
enough "$m" 0
wait_for 20 states_are "$m" "$m+0 COMPLETED
$m+1 COMPLETED" && wait_for 10 mailed "$m" Ended
tap_ok $? "the end of the job is told"
id=$(sbatch --parsable -N1 : -N1 --mail-type=ALL --wrap true)
wait_for 20 states_are "$id" "$id+0 COMPLETED
$id+1 COMPLETED"
last=$(sbatch --parsable -N1 --mail-type=END --wrap true)
wait_for 20 mailed "$last" Ended
tap_ok $? "another job's mail, later"
three() { [ "$(mails "$m" | wc -l)" = 3 ]; }
wait_for 10 three
tap_is "$(mails "$m|$((m + 1))" | uniq -c | sed 's/^ *//')" "2 $m Began one@example.org
1 $m Ended one@example.org" "two starts and one end: once for all components"
tap_is "$(mails "$id|$((id + 1))")" "" "none where a later component alone asks for it"

# ---- accounts ----
sacct_is() { [ "$(sacct -X -n -P -o JobID,State,ExitCode "$@")" = "$want" ]; }
want="$a+0|FAILED|3:0
$a+1|FAILED|3:0"
wait_for 10 sacct_is -j "$a"
tap_ok $? "sacct: all by the first one's number"
wait_for 1 sacct_is -j "$b" --whole-hetjob=yes && wait_for 1 sacct_is -j "$a+1" --whole-hetjob
tap_ok $? "or by one's with --whole-hetjob"
want="$a+1|FAILED|3:0"
wait_for 1 sacct_is -j "$a+1" && wait_for 1 sacct_is -j "$b"
tap_ok $? "one"
want="$a+0|FAILED|3:0"
wait_for 1 sacct_is -j "$a" --whole-hetjob=no
tap_ok $? "the first one alone"
tap_is "$(sacct -n -P -j "$a+0" -o JobID | sort -u)" "$a+0
$a+0.batch" "with its steps"
run sacct -j "$a" --whole-hetjob=maybe
tap_like "$rc $err" "1 .*--whole-hetjob=maybe: yes or no is expected" "other words are refused"
ctld_stop # what it has not given back is said then
cluster_sound
tap_ok $? "no daemon has a bug"
tap_done
