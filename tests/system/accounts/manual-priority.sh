#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Priorities by hand: hold of a job that runs, scontrol top, SiteFactor, a priority of its own, over a kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be two users'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' PriorityType=priority/multifactor PriorityWeightPartition=1000 SchedulerParameters=enable_user_top
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
other() { run stranger "$SLUMBER_BUILD/commands/$1" "${@:2}"; }
others() { stranger "$SLUMBER_BUILD/commands/sbatch" --parsable -o /dev/null "$@"; }
priorities() { squeue -h -t PD -S i -o %i=%Q | paste -sd' '; }

# ---- hold of a job that runs ----
a=$(sbatch --parsable --requeue --exclusive -N2 -o /dev/null --wrap 'exec sleep 1000')
wait_job 20 "$a" RUNNING
run scontrol hold "$a"
tap_is "$rc|$err|$(job_show "$a" '%t %r %Q')" '0||R JobHeldAdmin 0' 'a job that runs is held, and runs on'
run scontrol update "jobid=$a" priority=5
tap_is "$rc|$err" "1|Job is in held state, pending scheduler release for job $a" 'what is held gets no priority'
run scontrol release "$a"
tap_is "$rc|$(job_show "$a" '%t %r %Q')" '0|R None 1000' 'it is released'
scontrol uhold "$a"
tap_is "$(job_show "$a" '%t %r %Q')" 'R JobHeldUser 0' 'uhold'
ctld_kill9
ctld_start
tap_is "$(job_show "$a" '%t %r %Q')" 'R JobHeldUser 0' '... is known after a kill -9'
run scontrol requeue "$a"
wait_job 20 "$a" PENDING
in_queue() { [ "$(job_show "$a" '%t %r')" = 'PD JobHeldUser' ]; }
wait_for 20 in_queue
tap_is "$rc|$?" '0|0' 'sent back it is held in the queue'
scontrol release "$a"
wait_job 20 "$a" RUNNING
tap_ok $? 'until it is released'

# ---- top ----
ids=()
for n in 0 100 200 300; do ids+=("$(sbatch --parsable -o /dev/null --exclusive --nice=$n --wrap true)"); done
b=${ids[0]} c=${ids[1]} d=${ids[2]} e=${ids[3]}
tap_is "$(priorities)" "$b=1000 $c=900 $d=800 $e=700" 'four jobs wait'
scontrol top "$d"
tap_is "$?|$(priorities)" "0|$b=934 $c=833 $d=1000 $e=633" 'top: what one gains the others lose'
scontrol top "jobid=$e,$c"
tap_is "$?|$(priorities)" "0|$b=700 $c=934 $d=766 $e=1000" '... of two, in their order'
run scontrol top "$a"
tap_is "$rc|$err" "1|Job is no longer pending execution for job $a" 'top of a job that runs'
run scontrol top 999
tap_is "$rc|$err" '1|Invalid job id specified for job 999' '... of one that is not there'
run scontrol top
tap_is "$rc|$err" '1|too few arguments for keyword:top' '... of none'
run scontrol top 1 2
tap_is "$rc|$err" '1|too many arguments for keyword:top' 'ids are joined by commas'
scontrol hold "$b"
run scontrol top "$b"
tap_is "$rc|$err" "1|Job is in held state, pending scheduler release for job $b" '... of one that is held'
scontrol release "$b"
x=$(others --exclusive --wrap true) y=$(others --exclusive --wrap true)
other scontrol top "$b"
tap_is "$rc|$err" "1|Access/permission denied for job $b" 'no user moves another'\''s jobs'
other scontrol top "$y"
tap_is "$rc|$(squeue -h -S i -u nobody -o %Q=%y | paste -sd' ')" '0|999=1 1000=0' 'with enable_user_top the own ones'
run scontrol top "$y,$b"
tap_is "$rc|$err" "1|Jobs of one user were expected for job $y,$b" 'not of two users at once'

# ---- SiteFactor, a priority of its own ----
scancel "$c" "$d" "$e" "$x"
run scontrol update "jobid=$b" sitefactor=500
tap_is "$rc|$(sprio -h -j "$b" -o '%Y %S')|$(job_show "$b" %Q)" '0|1200 500|1200' 'SiteFactor adds to it, and sprio shows it'
scontrol update "jobid=$b" SiteFactor=-2147483645
tap_is "$(job_show "$b" %Q)" 1 'and takes from it'
run scontrol update "jobid=$b" SiteFactor=2147483646
tap_like "$rc|$err" '^1\|SiteFactor=2147483646: a number of at most 2147483645' 'too much is refused'
other scontrol update "jobid=$y" sitefactor=5
tap_is "$rc|$err" "1|Access/permission denied for job $y" 'it is an operator'\''s'
other scontrol update "jobid=$y" priority=5
tap_is "$rc|$err" "1|Changes to job priority are not persistent, change nice instead for job $y" 'as is a priority'
scontrol update "jobid=$b" sitefactor=7
ctld_kill9
ctld_start
tap_is "$(job_show "$b" %Q)" 707 'it is known after a kill -9'
scontrol update "jobid=$b" priority=50
tap_is "$(job_show "$b" %Q)" 50 'a priority set by hand stands'
scontrol update "jobid=$b" nice=10 && scontrol update "jobid=$b" nice=3 priority=60
tap_is "$?|$(job_show "$b" %Q=%y)" '0|60=0' 'nothing is taken off it, nor said to be'
scontrol release "$b"
tap_is "$?|$(job_show "$b" %Q=%y)" '0|1007=0' 'release makes it one of factors again'
scontrol update "jobid=$b" nice=10 && scontrol update "jobid=$b" priority=50 && scontrol release "$b"
tap_is "$?|$(job_show "$b" %Q=%y)" '0|1007=0' 'a nice from before is gone with it'
scontrol update "jobid=$a" nice=5
tap_is "$(job_show "$a" %Q)" 995 'a job that runs can be niced'
z=$(sbatch --parsable --exclusive --priority=0 --wrap true) t=$(sbatch --parsable --exclusive --priority=top --wrap true)
tap_is "$(job_show "$z" '%t %Q') $(job_show "$t" '%t %Q')" 'PD 1000 PD 4294967293' '--priority=0 is as none, TOP the highest'
run sbatch --priority=4294967294 --wrap true
tap_is "$rc|$err" '255|sbatch: error: Priority must be < 4294967294' 'more there is not'
run scontrol top "$t"
tap_like "$rc|$err" '^1\|Its priority was set by hand' 'top leaves that alone'
scancel -u root
scancel -u nobody
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
